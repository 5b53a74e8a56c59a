"""Cards as numbers, and what a set of them is worth. Plain enumeration throughout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = range(52)

Strength = tuple[int, ...]
"""Category first, then ranks in the order in which they decide; compares as a tuple."""


def code(text: str | None) -> int | None:
    """``4 * rank + suit`` of a card as text; None for an absent or unknown (``??``) one."""
    if text is None or text == "??":
        return None
    return 4 * RANKS.index(text[0]) + SUITS.index(text[1])


def by_count(cards: Iterable[int]) -> list[tuple[int, int]]:
    """(how many, rank) of every rank held, largest group first, higher rank first."""
    return sorted(((n, rank) for rank, n in Counter(c // 4 for c in cards).items()), reverse=True)


@lru_cache(maxsize=1 << 12)
def showing(cards: tuple[int, ...]) -> Strength:
    """Worth of up to four up cards: 0 high card, 1 pair, 2 two pairs, 3 trips, 4 quads; then the ranks."""
    groups = by_count(cards)
    sizes = tuple(n for n, _ in groups)
    category = {(2, 2): 2, (2,): 1, (2, 1): 1, (3,): 3, (3, 1): 3, (4,): 4}.get(sizes[:2], 0)
    return (category, *(rank for _, rank in groups))


def five(cards: Iterable[int]) -> Strength:
    """Worth of exactly five cards, 0 high card to 8 straight flush. The ace also stands below the two."""
    held = tuple(cards)
    groups = by_count(held)
    ranks = tuple(rank for _, rank in groups)
    sizes = tuple(n for n, _ in groups)
    flush = len({c % 4 for c in held}) == 1
    if ranks == (12, 3, 2, 1, 0):
        ranks = (3, 2, 1, 0, -1)
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    if straight or flush:
        return (8 if straight and flush else 5 if flush else 4, *ranks)
    category = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(sizes, 0)
    return (category, *ranks)


@lru_cache(maxsize=1 << 16)
def best(cards: frozenset[int]) -> tuple[Strength, tuple[int, ...]]:
    """The best five of the cards: its worth, and of the fives worth as much the one whose cards, highest
    first by rank and suit, are the highest. Suits never enter the worth."""
    return max((five(hand), hand) for hand in combinations(sorted(cards, reverse=True), 5))

"""How strong a set of cards is, compiled. A set of cards is a 52-bit mask with bit ``code`` for each card.

A strength is an integer: the category from bit 26 up, and below it two sets of ranks of 13 bits each,
first those that make the category (the pair, both pairs, ...), then the kickers. Read as numbers, two sets
of ranks compare like their ranks, highest first, and a missing rank counts less than any; so the strengths
of any two hands, of one card to nine, compare by plain ``<``. No function here checks its input: a mask
holds one card at least and no bit from 52 up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from auditor._jit import jit
from auditor.bits import highest_bit

HIGH_CARD, PAIR, TWO_PAIRS, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
"""The categories of hands, weakest first; a royal flush is the highest straight flush."""

_RANKS = (1 << 13) - 1
"""The set of all ranks."""
_CLUBS = 0x1111111111111
"""The mask of all clubs; shifted left by a suit, that suit's cards."""


def _tables() -> tuple[NDArray[np.int16], NDArray[np.int32], NDArray[np.int32]]:
    """What a set of ranks (the last index, 0-8191) is worth, in the smallest types that hold it.

    ``top`` (6, 8192): its ``k`` highest ranks, all of them where it has fewer. ``straights`` (8192,): the
    strength of the best straight in it, else 0. ``flushes`` (8192,): its strength when all in one suit, 0
    for fewer than five cards.
    """
    sets = np.arange(_RANKS + 1)
    highest = np.zeros_like(sets)
    for rank in range(13):
        highest[1 << rank : 2 << rank] = 1 << rank
    top = np.zeros((6, len(sets)), np.int64)
    for k in range(1, 6):
        top[k] = top[k - 1] | highest[sets ^ top[k - 1]]

    # A straight is made by the rank at its head; all five ranks stand as its kickers, so that the ace of an
    # ace-low straight is still found there and yet does not count as high.
    runs = np.zeros_like(sets)
    for head in range(3, 13):
        ranks = 0b11111 << (head - 4) if head > 3 else 0b1_0000_0000_1111
        runs[(sets & ranks) == ranks] = (1 << (head + 13)) | ranks
    straights = np.where(runs, (STRAIGHT << 26) | runs, 0)
    flushes = np.where(top[5] == top[4], 0, (FLUSH << 26) | top[5])
    flushes = np.where(runs, (STRAIGHT_FLUSH << 26) | runs, flushes)
    return top.astype(np.int16), straights.astype(np.int32), flushes.astype(np.int32)


_TOP, _STRAIGHTS, _FLUSHES = _tables()
for _table in (_TOP, _STRAIGHTS, _FLUSHES):
    _table.setflags(write=False)  # compiled code holds them as constants: a later write would not reach it


@jit
def _suits(mask: int) -> tuple[int, int, int, int]:
    """The ranks held in clubs, diamonds, hearts and spades: ``mask``, a 16 x 4 bit matrix, transposed."""
    swap = ((mask >> 3) ^ mask) & 0x0A0A0A0A0A0A0A0A
    mask ^= swap ^ (swap << 3)
    swap = ((mask >> 6) ^ mask) & 0x00CC00CC00CC00CC
    mask ^= swap ^ (swap << 6)
    swap = ((mask >> 12) ^ mask) & 0x0000F0F00000F0F0
    mask ^= swap ^ (swap << 12)
    swap = ((mask >> 24) ^ mask) & 0x00000000FF00FF00
    mask ^= swap ^ (swap << 24)
    return mask & _RANKS, (mask >> 16) & _RANKS, (mask >> 32) & _RANKS, (mask >> 48) & _RANKS


@jit
def _copies(clubs: int, diamonds: int, hearts: int, spades: int) -> tuple[int, int, int, int]:
    """The ranks held at least once, twice, three times and four times."""
    minor, minors = clubs | diamonds, clubs & diamonds
    major, majors = hearts | spades, hearts & spades
    return (
        minor | major,
        minors | majors | (minor & major),
        (minors & major) | (minor & majors),
        minors & majors,
    )


@jit
def strength(mask: int) -> int:
    """The strength of the best five-card hand in one to nine cards, as the module describes it.

    Equal if and only if the hands tie: suits count for a flush only. An ace is also low in a straight.
    Fewer than five cards make neither a straight nor a flush; no card at all has strength 0.
    """
    clubs, diamonds, hearts, spades = _suits(mask)
    once, twice, thrice, quads = _copies(clubs, diamonds, hearts, spades)
    if quads:
        made = int(_TOP[1, quads])
        kind, kickers = QUADS, int(_TOP[1, once ^ made])
    elif thrice:
        made = int(_TOP[1, thrice])
        kind, kickers = FULL_HOUSE, int(_TOP[1, twice ^ made])
        if not kickers:
            kind, kickers = TRIPS, int(_TOP[2, once ^ made])
    else:
        made = int(_TOP[2, twice])
        kind = (made != 0) + ((made & (made - 1)) != 0)  # one category up for each pair
        kickers = int(_TOP[5 - 2 * kind, once ^ made])
    flush = int(_FLUSHES[clubs] | _FLUSHES[diamonds] | _FLUSHES[hearts] | _FLUSHES[spades])
    return max((kind << 26) | (made << 13) | kickers, int(_STRAIGHTS[once]), flush)


@jit
def category(value: int) -> int:
    """The category of a strength, ``HIGH_CARD`` (0) to ``STRAIGHT_FLUSH`` (8)."""
    return value >> 26


@jit
def showing_strength(mask: int) -> int:
    """The strength of a showing hand of one to four up cards: pairs, two pairs, trips and quads, then
    kickers, of which a missing one is lower than any. It is their ``strength``, found without its tables.
    """
    once, twice, thrice, quads = _copies(*_suits(mask))
    if quads:
        return (QUADS << 26) | (quads << 13)
    if thrice:
        return (TRIPS << 26) | (thrice << 13) | (once ^ thrice)
    if not twice:
        return once
    kind = TWO_PAIRS if twice & (twice - 1) else PAIR
    return (kind << 26) | (twice << 13) | (once ^ twice)


@jit
def _highest_of_rank(mask: int, rank: int) -> int:
    """The code of the highest card of a rank (0-12) that the mask holds."""
    return int(highest_bit(mask & (0b1111 << (4 * rank))))


@jit
def tie_card_highest(mask: int) -> int:
    """The code of the highest card, by rank, then suit."""
    return int(highest_bit(mask))


@jit
def tie_card_made(mask: int) -> int:
    """The code of the highest card of the rank that makes the hand: the rank with the most copies, the
    higher among equals, and so the highest card where nothing pairs.
    """
    clubs, diamonds, hearts, spades = _suits(mask)
    once, twice, thrice, quads = _copies(clubs, diamonds, hearts, spades)
    return _highest_of_rank(mask, highest_bit(quads or thrice or twice or once))


@jit
def top_of_best_five(mask: int) -> int:
    """The code of the highest card, by rank, then suit, in any best five-card hand of five to nine cards.

    An ace is the highest card of an ace-low straight too.
    """
    best = strength(mask)
    for suit in range(4):
        suited = mask & (_CLUBS << suit)
        if strength(suited) == best:  # a flush: only its suit reaches that strength
            mask = suited
    # Of what is left, any card of a rank serves as well as another: no choice of suits makes a better hand.
    return _highest_of_rank(mask, highest_bit((best | (best >> 13)) & _RANKS))

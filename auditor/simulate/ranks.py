"""What hands are worth: cards laid open, whole hands, and the highest card by suit."""

from __future__ import annotations

from typing import Any

from auditor._jit import jit
from auditor.handlog import NOBODY, UNKNOWN
from auditor.simulate.state import ACTIVE, SEATS, UP, Hand, able

STRAIGHT, FLUSH, STRAIGHT_FLUSH = 13, 14, 25
"""Categories between trips (12) and full house (16), and above quads (24): see ``pattern``."""
WHEEL = 1 << 12 | 0b1111
WHEEL_WORTH = STRAIGHT << 24 | 4 << 16


@jit
def pattern(counts: int) -> int:
    """Worth of cards by pairs and ranks; ``counts`` holds four bits a rank.

    The category is twice the sum of n(n - 1) over the ranks: high card 0, pair 4, two pairs 8, trips 12,
    full house 16, quads 24, however many cards there are. Ranks follow, larger groups first.
    """
    category = 0
    quads = trips = pairs = singles = 0  # ranks of each size, a digit a rank, the highest first
    n_trips = n_pairs = n_singles = places = 0
    for rank in range(12, -1, -1):
        size = (counts >> 4 * rank) & 15
        if size == 0:
            continue
        category += 2 * size * (size - 1)
        places += 1
        if size == 1:
            singles = singles << 4 | rank + 1
            n_singles += 1
        elif size == 2:
            pairs = pairs << 4 | rank + 1
            n_pairs += 1
        elif size == 3:
            trips = trips << 4 | rank + 1
            n_trips += 1
        else:
            quads = rank + 1
    order = ((quads << 4 * n_trips | trips) << 4 * n_pairs | pairs) << 4 * n_singles | singles
    return category << 24 | order << 4 * (5 - places)


@jit
def worth_of_five(cards: Any, chosen: int) -> int:
    """Worth of exactly five of the cards, those whose places are bits of ``chosen``."""
    counts = 0
    ranks = 0
    suits = 0
    for i in range(len(cards)):
        if chosen >> i & 1:
            counts += 1 << 4 * (cards[i] // 4)
            ranks |= 1 << cards[i] // 4
            suits |= 1 << cards[i] % 4
    worth = pattern(counts)
    if worth >> 24 != 0:
        return worth
    flush = suits in (1, 2, 4, 8)
    straight = ranks == WHEEL or ranks in (
        31 << 0, 31 << 1, 31 << 2, 31 << 3, 31 << 4, 31 << 5, 31 << 6, 31 << 7, 31 << 8
    )  # fmt: skip
    if ranks == WHEEL:
        worth = 4 << 16  # the ace counts low: a five-high straight
    if straight and flush:
        return worth | STRAIGHT_FLUSH << 24
    if flush:
        return worth | FLUSH << 24
    if straight:
        return worth | STRAIGHT << 24
    return worth


@jit
def weigh(h: Hand, seat: int) -> None:
    """Find the best five of the seat's cards and the community card: sets ``power`` and ``five``.

    Among equals the five with the highest card by suit are kept.
    """
    cards = h.cards[seat]
    n = h.held[seat]
    if h.community != UNKNOWN:
        cards[n] = h.community
        n += 1
    h.power[seat] = h.five[seat] = 0
    chosen = 0b11111
    while chosen < 1 << n:
        power = worth_of_five(cards, chosen)
        if power >= h.power[seat]:
            five = 0
            for i in range(n):
                if chosen >> i & 1:
                    five |= 1 << cards[i]
            if power > h.power[seat] or five > h.five[seat]:
                h.power[seat] = power
                h.five[seat] = five
        # the next larger number of as many bits
        lowest = chosen & -chosen
        carried = chosen + lowest
        chosen = carried | (chosen ^ carried) // lowest >> 2


@jit
def odd_chip_claim(h: Hand, seat: int, by_five: int) -> int:
    """The cards that vie for the odd chip as a set of bits: the higher set holds the higher card."""
    if by_five:
        return int(h.five[seat])
    cards = 0
    for i in range(h.held[seat]):
        cards |= 1 << h.cards[seat, i]
    if h.community != UNKNOWN:
        cards |= 1 << h.community
    return cards


@jit
def showing(h: Hand, seat: int, with_community: int) -> int:
    """Worth of the seat's up cards alone; no straights or flushes among them."""
    counts = 0
    for i in range(h.held[seat]):
        if h.faces[seat, i] == UP:
            counts += 1 << 4 * (h.cards[seat, i] // 4)
    if with_community:
        counts += 1 << 4 * (h.community // 4)
    return pattern(counts)


@jit
def tie_card(h: Hand, seat: int, made_card: int) -> int:
    """The up card that breaks a tie: of the leading pair or set if ``made_card``, else of them all."""
    best = UNKNOWN
    most = 0
    for i in range(h.held[seat]):
        if h.faces[seat, i] != UP:
            continue
        card = h.cards[seat, i]
        same = 0
        if made_card:
            for j in range(h.held[seat]):
                if h.faces[seat, j] == UP and h.cards[seat, j] // 4 == card // 4:
                    same += 1
        if same > most or (same == most and card > best):
            most = same
            best = card
    return best


@jit
def leader(h: Hand, made_card: int, with_community: int) -> int:
    """The seat in the hand with the highest showing, all-in or not."""
    best = NOBODY
    most = 0
    for seat in range(1, SEATS):
        if h.status[seat] != ACTIVE:
            continue
        mine = showing(h, seat, with_community)
        tied = best != NOBODY and mine == most
        if (
            best == NOBODY
            or mine > most
            or (tied and tie_card(h, seat, made_card) > tie_card(h, best, made_card))
        ):
            best = seat
            most = mine
    return best


@jit
def low_card(h: Hand) -> int:
    """The seat with chips that shows the lowest card: this house's choice for the forced bet."""
    best = NOBODY
    lowest = 52
    for seat in range(1, SEATS):
        if not able(h, seat):
            continue
        for i in range(h.held[seat]):
            if h.faces[seat, i] == UP and h.cards[seat, i] < lowest:
                lowest = h.cards[seat, i]
                best = seat
    return best

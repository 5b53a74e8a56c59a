"""What hands are worth: cards laid open, whole hands, and the highest card by suit."""

from __future__ import annotations

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
    order = 0
    places = 0
    for size in (4, 3, 2, 1):
        for rank in range(12, -1, -1):
            if (counts >> 4 * rank) & 15 == size:
                category += 2 * size * (size - 1)
                order = order * 16 + rank + 1
                places += 1
    return category << 24 | order << 4 * (5 - places)


@jit
def worth_of_five(five: int) -> int:
    """Worth of exactly five cards given as a set of bits."""
    counts = 0
    ranks = 0
    suits = 0
    for card in range(52):
        if five >> card & 1:
            counts += 1 << 4 * (card // 4)
            ranks |= 1 << card // 4
            suits |= 1 << card % 4
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
    for chosen in range(1 << n):
        size = 0
        five = 0
        for i in range(n):
            if chosen >> i & 1:
                size += 1
                five |= 1 << cards[i]
        if size == 5:
            power = worth_of_five(five)
            if power > h.power[seat] or (power == h.power[seat] and five > h.five[seat]):
                h.power[seat] = power
                h.five[seat] = five


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
    for seat in range(1, SEATS):
        if h.status[seat] != ACTIVE:
            continue
        if best == NOBODY:
            best = seat
            continue
        mine, other = showing(h, seat, with_community), showing(h, best, with_community)
        if mine > other or (mine == other and tie_card(h, seat, made_card) > tie_card(h, best, made_card)):
            best = seat
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

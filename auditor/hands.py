"""Hands at the showdown: who holds what, and who wins a pot (compiled, read-only on the state)."""

from __future__ import annotations

from auditor._jit import jit
from auditor.bits import count_bits, lowest_bit
from auditor.seats import active, layer_of
from auditor.state import WHOLE_HAND
from auditor.strength import strength

UNDECIDED = -1
_MOST = 9
"""The most cards among which ``strength`` finds the best five."""


@jit
def hand_of(st, seat):
    """The known cards that a seat's five-card hand may use, a community card included."""
    return st.cards[seat] | st.community


@jit
def _whole_hand(st):
    """The number of cards that a whole hand has, the board's included.

    Where the number of cards dealt to a player is not loaded, it is the most that anybody got.
    """
    whole = WHOLE_HAND[st.hand.game]
    if whole == 0:
        for seat in range(1, 11):
            whole = max(whole, st.held[seat])
        whole += st.board
    return whole


@jit
def missing(st, seat):
    """How many of a seat's cards are not known; 9 when it does not hold a whole hand."""
    whole = _whole_hand(st)
    known = count_bits(hand_of(st, seat))
    if st.held[seat] + st.community_count != whole or known > whole or whole > _MOST or st.doubt >> seat & 1:
        return 9
    return whole - known


@jit
def laid_open(st, seat):
    """Whether every card of the seat is known and lies face up."""
    return (
        st.shown[seat] != 0
        and missing(st, seat) == 0
        and not st.cards[seat] & ~(st.shown[seat] | st.up[seat])
    )


@jit
def worth(st, seat):
    """The strength of a seat's known cards: looked up when first asked for, and kept until a card moves."""
    if not st.weighed >> seat & 1:
        st.worth[seat] = strength(hand_of(st, seat))
        st.weighed |= 1 << seat
    return st.worth[seat]


@jit
def _best(st, mask, wild, card):
    """Seats of the mask with the best hand, seat ``wild`` holding ``card`` as well."""
    best = -1
    winners = 0
    while mask:
        seat = lowest_bit(mask)
        mask &= mask - 1
        value = strength(hand_of(st, seat) | 1 << card) if seat == wild else worth(st, seat)
        if value > best:
            best = value
            winners = 0
        if value == best:
            winners |= 1 << seat
    return winners


@jit
def winners(st, mask):
    """Seats of the mask with the best five-card hand, as a mask; ``UNDECIDED`` when cards cannot tell.

    A single seat wins whatever it holds. With one card unknown among all, the seats that win with every
    possible card; a card that the log has leave the deck twice decides nothing.
    """
    if count_bits(mask) < 2:
        return mask
    unknown = 0
    wild = 0
    left = mask
    while left:
        seat = lowest_bit(left)
        left &= left - 1
        if hand_of(st, seat) & st.tainted:
            return UNDECIDED
        if missing(st, seat):
            unknown += missing(st, seat)
            wild = seat
    if unknown == 0:
        return _best(st, mask, 0, 0)
    if unknown > 1:
        return UNDECIDED
    found = UNDECIDED
    for card in range(52):
        if not st.out >> card & 1:
            ahead = _best(st, mask, wild, card)
            if found != UNDECIDED and ahead != found:
                return UNDECIDED
            found = ahead
    return found


@jit
def claimants(st, layer):
    """Seats with a share in a layer of the pot that have neither folded nor mucked."""
    return st.layer_seats[layer] & active(st) & ~st.mucked


@jit
def conceded(st, pot, seat):
    """Whether everybody with a share in the pot that an award of ``seat`` means has mucked, the seat too.

    The last of them gave nothing up in it, whoever still has a claim to another pot.
    """
    layer = layer_of(st, pot)
    for index in range(st.layers):
        meant = layer == index or layer == 10
        if meant and st.layer_seats[index] >> seat & 1 and claimants(st, index) == 0:
            return True
    return False


@jit
def pot_winners(st, pot, seat):
    """Winners of the pot that an award of ``seat`` means, as a mask; ``UNDECIDED`` if that is open.

    An award that names no pot, with several pots, is measured against every pot the seat has a share in:
    the seat is among the winners when it wins one of them.
    """
    layer = layer_of(st, pot)
    if layer < 10:
        return winners(st, claimants(st, layer))
    seen = 0
    open_pots = 0
    for index in range(st.layers):
        seats = claimants(st, index)
        if seats >> seat & 1:
            ahead = winners(st, seats)
            if ahead == UNDECIDED:
                open_pots += 1
            elif ahead >> seat & 1:
                return ahead
            else:
                seen |= ahead
    return UNDECIDED if open_pots else seen


@jit
def compare_to(st, seat, value):
    """Whether a seat's hand reaches ``value``: 1 yes, 0 no, ``UNDECIDED`` when its cards cannot tell."""
    if hand_of(st, seat) & st.tainted or missing(st, seat) > 1:
        return UNDECIDED
    if missing(st, seat) == 0:
        return 1 if worth(st, seat) >= value else 0
    reached = 0
    possible = 0
    for card in range(52):
        if not st.out >> card & 1:
            possible += 1
            reached += 1 if strength(hand_of(st, seat) | 1 << card) >= value else 0
    if possible == 0:
        return UNDECIDED  # a log that has all the deck elsewhere contradicts itself
    if reached == 0:
        return 0
    return 1 if reached == possible else UNDECIDED


@jit
def best_open(st, left):
    """Strength of the best hand that seats of the mask ``left`` have laid open so far; ``UNDECIDED`` where
    none has, or its cards are in doubt."""
    best = UNDECIDED
    while left:
        seat = lowest_bit(left)
        left &= left - 1
        if laid_open(st, seat):
            if hand_of(st, seat) & st.tainted:
                return UNDECIDED
            best = max(best, worth(st, seat))
    return best


@jit
def shown_in_part(st, but):
    """Whether anybody in the hand, ``but`` apart, has shown cards but not all, or not all are known."""
    for seat in range(1, 11):
        if seat != but and active(st) & st.showed & 1 << seat and not laid_open(st, seat):
            return True
    return False


@jit
def first_of(mask):
    """The lowest seat of a mask; 0 for an empty one or ``UNDECIDED``."""
    return lowest_bit(mask) if mask > 0 else 0

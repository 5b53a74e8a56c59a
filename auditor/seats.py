"""Questions to the state of a hand that its steps and the checks share: who is in, due, or must act."""

from __future__ import annotations

from auditor._jit import small
from auditor.bits import count_bits, lowest_bit
from auditor.state import (
    CHECK,
    DEAL,
    FIXED,
    FOLD,
    FORCED_BET,
    PERHAPS_SEEN,
    SEEN,
    SPREAD,
    UNSEEN,
    UP,
)


@small
def next_seat(mask, after):
    """The first seat of the mask clockwise of seat ``after``, itself last; 0 for an empty mask."""
    if mask == 0:
        return 0
    above = mask >> (after + 1) << (after + 1)
    return lowest_bit(above if above else mask)


@small
def active(st):
    """Seats still in the hand: not folded; all-in included."""
    return st.in_hand & ~st.folded


@small
def is_all_in(st, seat):
    return st.all_in >> seat & 1 != 0


@small
def all_in(st):
    return st.in_hand & st.all_in


@small
def due(st):
    """Positions that a dealing round serves: active players and dead positions."""
    return active(st) | st.dead


@small
def lacking(st):
    """Positions due that have not had their card, or their first cards, of this round."""
    return due(st) & ~(st.got if st.betting_round > 1 else st.served)


@small
def must_act(st):
    """Seats that have to act before the betting round may end."""
    return _waiting(st, active(st) & ~st.all_in)


@small
def surely_must_act(st):
    """Those that have to even if every seat whose stack is not recorded is all-in."""
    return _waiting(st, active(st) & ~st.all_in & st.stacked)


@small
def _waiting(st, able):
    """Of the seats that are able to act those that have to."""
    if count_bits(active(st)) < 2:
        return 0
    if count_bits(able) < 2:
        return able & st.behind
    return able & (st.behind | ~st.acted)


@small
def unit_bet(st):
    """The smallest full bet of the round, in chips; 0 where the log gives none."""
    if st.hand.structure == FIXED:
        if st.betting_round > 2 and st.hand.big_bet > 0:
            return st.hand.big_bet
        return max(st.hand.small_bet, 0)
    if st.hand.structure == SPREAD:
        return max(st.hand.min_bet, 0)
    return 0


@small
def flashed(st, ev):
    """Whether the card that leaves the deck was exposed on its way: unseen, perhaps or certainly seen."""
    if ev.card >= 0 and st.flashed >> ev.card & 1:
        return SEEN
    if st.flash_next and not st.flashed and (st.flash_seat == 0 or st.flash_seat == ev.seat):
        return SEEN
    if st.flashes or st.flash_late >> ev.seat & 1:
        return PERHAPS_SEEN
    named = st.flashed if ev.card < 0 else 0
    while named:
        card = lowest_bit(named)
        named &= named - 1
        if st.last_leave[card] < ev.at:  # no later event has it leave the deck
            return PERHAPS_SEEN
    return UNSEEN


@small
def shown_while_dealt(st, ev):
    """Whether a card being dealt is seen by all: face up, or exposed on its way."""
    return ev.face == UP or flashed(st, ev) == SEEN


@small
def stub_may_hold(st):
    """How many cards more than those counted the stub may hold: a burn may have been of a card taken back."""
    return min(st.aside, st.blind_burns)


@small
def layer_of(st, pot):
    """The layer that an award's pot means: the only one, the one of that number, or 10 for none."""
    if st.layers == 1:
        return 0
    return pot if 0 <= pot < st.layers else 10


@small
def is_substitute(st, ev):
    """Whether a deal makes up for a card that was taken back from the seat."""
    return ev.kind == DEAL and st.substitute >> ev.seat & 1 != 0


@small
def is_action(kind):
    return kind == FORCED_BET or CHECK <= kind <= FOLD

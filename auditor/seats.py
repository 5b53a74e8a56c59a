"""Questions to the state of a hand that its steps and the checks share: who is in, due, or must act."""

from __future__ import annotations

from auditor._jit import jit
from auditor.state import CHECK, DEAL, FIXED, FOLD, FORCED_BET, SPREAD, UNKNOWN_CARD, UP


@jit
def count_bits(mask):
    """Number of bits set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@jit
def lowest_bit(mask):
    """Index of the lowest bit set; -1 for an empty mask."""
    if mask == 0:
        return -1
    index = 0
    while not mask >> index & 1:
        index += 1
    return index


@jit
def next_seat(mask, after):
    """The first seat of the mask clockwise of seat ``after``, itself last; 0 for an empty mask."""
    if mask == 0:
        return 0
    above = mask >> (after + 1) << (after + 1)
    return lowest_bit(above if above else mask)


@jit
def active(st):
    """Seats still in the hand: not folded; all-in included."""
    return st.in_hand & ~st.folded


@jit
def is_all_in(st, seat):
    return st.stack[seat] >= 0 and st.total[seat] >= st.stack[seat]


@jit
def all_in(st):
    mask = 0
    for seat in range(1, 11):
        if st.in_hand >> seat & 1 and is_all_in(st, seat):
            mask |= 1 << seat
    return mask


@jit
def due(st):
    """Positions that a dealing round serves: active players and dead positions."""
    return active(st) | st.dead


@jit
def lacking(st):
    """Positions due that have not had their card of this round."""
    if st.betting_round > 1:
        return due(st) & ~st.got
    mask = 0
    for seat in range(1, 11):
        if active(st) >> seat & 1 and st.held[seat] < st.first_cards:
            mask |= 1 << seat
    return mask


@jit
def must_act(st):
    """Seats that have to act before the betting round may end."""
    able = active(st) & ~all_in(st)
    waiting = 0
    behind = 0
    for seat in range(1, 11):
        if able >> seat & 1:
            if st.round_total[seat] < st.round_max:
                behind |= 1 << seat
            if not st.acted >> seat & 1:
                waiting |= 1 << seat
    if count_bits(active(st)) < 2:
        return 0
    if count_bits(able) < 2:
        return behind
    return behind | waiting


@jit
def unit_bet(st):
    """The smallest full bet of the round, in chips; 0 where the log gives none."""
    if st.hand.structure == FIXED:
        if st.betting_round > 2 and st.hand.big_bet > 0:
            return st.hand.big_bet
        return max(st.hand.small_bet, 0)
    if st.hand.structure == SPREAD:
        return max(st.hand.min_bet, 0)
    return 0


@jit
def shown_while_dealt(st, ev):
    """Whether a card being dealt is seen by all: face up, or exposed on its way."""
    return (
        ev.face == UP
        or st.exposed_dealing == UNKNOWN_CARD
        or (ev.card >= 0 and st.exposed_dealing == ev.card)
    )


@jit
def layer_of(st, pot):
    """The layer that an award's pot means: the only one, the one of that number, or 10 for none."""
    if st.layers == 1:
        return 0
    return pot if 0 <= pot < st.layers else 10


@jit
def is_substitute(st, ev):
    """Whether a deal makes up for a card that was taken back from the seat."""
    return ev.kind == DEAL and st.substitute >> ev.seat & 1 != 0


@jit
def is_action(kind):
    return kind == FORCED_BET or CHECK <= kind <= FOLD


@jit
def stacks_known(st):
    """Seats whose stack the log records."""
    mask = 0
    for seat in range(1, 11):
        if st.stack[seat] >= 0:
            mask |= 1 << seat
    return mask

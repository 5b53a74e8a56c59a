"""The course of a betting round and of the hand (13.3(c), 13.4(c))."""

from __future__ import annotations

from auditor._jit import jit
from auditor.bits import count_bits, lowest_bit
from auditor.checks.dealing import LEAVING
from auditor.checks.opener import passed_on
from auditor.checks.registry import (
    ACTIONS,
    BREACH,
    COMPLIANT,
    INAPPLICABLE,
    NOT_EVIDENCED,
    Rounds,
    check,
)
from auditor.seats import active, all_in, must_act, next_seat
from auditor.state import AWARD, CHECK


@check("action.turn", on=ACTIONS, unit="seat", rounds=Rounds())
@jit
def turn(ev, st):
    """Action goes clockwise from the opener, to nobody who has folded or is all-in, and then ends.

    Who may act first is the matter of the opener's clauses; here that seat must only be able to act, and not
    even that where they judge how the action passes on from an all-in opener.
    """
    if st.actions == 0:
        able = active(st) & ~all_in(st) & 1 << ev.seat
        return INAPPLICABLE if able or passed_on(st) else BREACH, 0, ev.seat
    waiting = must_act(st)
    expected = next_seat(waiting, st.last_actor)
    if ev.seat == expected:
        return COMPLIANT, expected, ev.seat
    # A seat whose stack is not recorded may be all-in, and rightly passed over.
    certain = waiting & (st.stacked | 1 << ev.seat)
    if ev.seat == next_seat(certain, st.last_actor):
        return NOT_EVIDENCED, expected, ev.seat
    return BREACH, expected, ev.seat


@check(
    "action.answer",
    on=("check", "bet", "raise"),
    unit="chips",
    applies=lambda ev, st: st.round_total[ev.seat] < st.round_max,
    rounds=Rounds(),
)
@jit
def answer(ev, st):
    """Whoever faces a wager calls, raises or folds.

    A bet or raise that falls short of the wager is no answer unless it is all-in.
    """
    to_match = st.round_max - st.round_total[ev.seat]
    if not active(st) >> ev.seat & 1:
        return INAPPLICABLE, 0, 0
    if ev.kind == CHECK or ev.amount >= to_match:
        return BREACH if ev.kind == CHECK else COMPLIANT, to_match, ev.amount
    if st.stack[ev.seat] < 0:
        return NOT_EVIDENCED, to_match, ev.amount
    left = st.stack[ev.seat] - st.total[ev.seat]
    return COMPLIANT if ev.amount >= left else BREACH, to_match, ev.amount


@check("action.complete", on=LEAVING, unit="seat", rounds=Rounds(of="left_round"))
@jit
def complete(ev, st):
    """The round ends only when everybody able to act has matched the wager or checked."""
    if count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    waiting = next_seat(st.pending, st.last_left)
    if st.pending and not st.surely_pending:
        return NOT_EVIDENCED, 0, waiting
    return BREACH if st.pending else COMPLIANT, 0, waiting


@check(
    "action.last_player",
    on=("burn", "deal", "community", "award"),
    unit="seat",
    rounds=Rounds(of="ended_round"),
)
@jit
def last_player(ev, st):
    """When one player is left, that player gets the pot and nothing more is dealt."""
    if count_bits(active(st)) != 1:
        return INAPPLICABLE, 0, 0
    winner = lowest_bit(active(st))
    if ev.kind == AWARD and ev.seat == winner:
        return COMPLIANT, winner, ev.seat
    return BREACH, winner, ev.seat

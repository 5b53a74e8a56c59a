"""Dead positions: a fold without a wager keeps being dealt to (19.12, 19.19)."""

from __future__ import annotations

from auditor._jit import jit
from auditor.bits import count_bits
from auditor.checks.registry import (
    ACTIONS,
    BREACH,
    COMPLIANT,
    INAPPLICABLE,
    NOT_EVIDENCED,
    Choice,
    check,
)
from auditor.seats import active, is_action, is_substitute, next_seat
from auditor.state import AWARD, DEAL, DEAL_ORDER_RECORDED, SHOW


@check(
    "position.dead_position",
    on=("deal", "burn", "community", "reshuffle", "show", "muck", "award", *ACTIONS),
    unit="seat",
    applies=lambda ev, st: st.dead_lacking or st.was_dead >> ev.seat & 1,
    forced=Choice(("any-round", "same-round")),
)
@jit
def dead_position(ev, st, forced):
    """A dead position gets a card in each round until somebody wagers; it never acts, shows or wins.

    What its player turns over when nobody is left to beat, or when all is paid, no text forbids.

    ``forced``: who made the forced bet leaves one by a fold in any round, or only in the round of that bet.
    """
    in_order = st.hand.records & DEAL_ORDER_RECORDED
    if st.dead_lacking and (forced == 0 or st.dead_lacking & ~st.doubtful):
        return BREACH if in_order else NOT_EVIDENCED, next_seat(st.dead_lacking, 0), 0
    plays = ev.kind == DEAL or ev.kind == AWARD or is_action(ev.kind)
    shows = ev.kind == SHOW and ev.at < st.final_award and count_bits(active(st) & ~st.mucked) > 1
    if not (plays or shows) or not st.was_dead >> ev.seat & 1 or is_substitute(st, ev):
        return INAPPLICABLE, 0, 0
    if ev.kind != DEAL:
        return BREACH, 0, ev.seat
    if st.betting_round == 1:
        return INAPPLICABLE, 0, 0  # a late card of the first deal
    if not in_order:
        return NOT_EVIDENCED, 0, ev.seat
    served = (st.dead & ~st.doubtful if forced == 1 else st.dead) & ~st.got
    right = served >> ev.seat & 1
    return COMPLIANT if right else BREACH, ev.seat if right else 0, ev.seat

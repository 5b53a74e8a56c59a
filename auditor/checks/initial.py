"""Irregular first deals of Seven Card Stud."""

from __future__ import annotations

from auditor._jit import jit
from auditor.bits import count_bits
from auditor.checks.dealing import judge_face
from auditor.checks.registry import (
    ACTIONS,
    BREACH,
    COMPLIANT,
    INAPPLICABLE,
    NOT_EVIDENCED,
    OPENING,
    Choice,
    check,
)
from auditor.seats import is_substitute, lacking
from auditor.state import BURN, BURNS_RECORDED, DEAL, DOWN, FOLD, MISDEAL, REPLACE, RETURN, UNKNOWN_CARD

WHICH = Choice(("any-two", "first-two"))


@jit
def _tainted(st, seat):
    """Whether one of the first three cards of a seat is one that the log has leave the deck twice."""
    for place in range(3):
        card = st.early_cards[seat, place]
        if card >= 0 and st.tainted >> card & 1:
            return True
    return False


@jit
def _two_up(st, seat, which):
    """Whether just two of the seat's first three cards (or its first two) are known to have come face up."""
    if st.early_unknown[seat] or _tainted(st, seat):
        return False
    return st.early_up[seat] == 3 if which == 1 else count_bits(st.early_up[seat]) == 2


@check(
    "initial.third_down",
    on=("deal",),
    needs=("faces", "deal_order"),
    unit="face",
    applies=lambda ev, st: st.betting_round == 1 and st.early_up[ev.seat],
)
@jit
def third_down(ev, st):
    """When one of a player's first two cards came face up, the third is dealt face down."""
    if st.early_dealt[ev.seat] != 2 or st.held[ev.seat] != 2 or st.substitute >> ev.seat & 1:
        return INAPPLICABLE, 0, 0
    if count_bits(st.early_up[ev.seat] & 3) != 1 or _tainted(st, ev.seat):
        return INAPPLICABLE, 0, 0
    if st.early_unknown[ev.seat] & 3:
        return NOT_EVIDENCED, DOWN, ev.face
    return judge_face(ev.face, DOWN)


@check(
    "initial.replacement",
    on=("replace", "burn", OPENING),
    needs=("faces", "deal_order"),
    unit="card",
    applies=lambda ev, st: st.betting_round == 1 or st.replaced_seats,
    which=WHICH,
)
@jit
def replacement(ev, st, which):
    """Two cards face up: the second is taken back once the deal is complete and becomes the first burn."""
    if ev.kind == REPLACE:
        again = st.replaced_seats >> ev.seat & 1
        if st.betting_round != 1 or again or not _two_up(st, ev.seat, which):
            return INAPPLICABLE, 0, 0
        expected = st.second_up[ev.seat]
        doubtful = st.tainted >> max(ev.card, 0) & 1 or st.tainted >> max(expected, 0) & 1
        if ev.card < 0 or expected == UNKNOWN_CARD or doubtful:
            return NOT_EVIDENCED, expected, ev.card
        right = ev.card == expected and not lacking(st)
        return COMPLIANT if right else BREACH, expected, ev.card
    if ev.kind == BURN:
        irregular = False
        for seat in range(1, 11):
            if st.replaced_seats >> seat & 1 and _two_up(st, seat, which):
                irregular = True
        before_cards = st.betting_round == 1 or (st.betting_round == 2 and st.deals == 0)
        if not irregular or st.burnt_since or not before_cards:
            return INAPPLICABLE, 0, 0
        known = st.replaced_card != UNKNOWN_CARD and ev.card >= 0 and st.hand.records & BURNS_RECORDED
        if not known or st.tainted >> ev.card & 1 or st.tainted >> st.replaced_card & 1:
            return NOT_EVIDENCED, st.replaced_card, ev.card
        return COMPLIANT if ev.card == st.replaced_card else BREACH, st.replaced_card, ev.card
    if st.betting_round == 1:
        for seat in range(1, 11):
            if _two_up(st, seat, which) and not st.replaced_seats >> seat & 1:
                return BREACH, st.second_up[seat], -1
    return INAPPLICABLE, 0, 0


@check(
    "initial.substitute_down",
    on=("deal", OPENING),
    needs=("faces", "deal_order"),
    unit="face",
    applies=lambda ev, st: st.betting_round == 1 and st.substitute,
    which=WHICH,
)
@jit
def substitute_down(ev, st, which):
    """The substitute of a card that was wrongly face up is dealt, face down, before the betting."""
    if ev.kind == DEAL:
        if not is_substitute(st, ev) or not _two_up(st, ev.seat, which):
            return INAPPLICABLE, 0, 0
        return judge_face(ev.face, DOWN)
    for seat in range(1, 11):
        if st.substitute >> seat & 1 and _two_up(st, seat, which):
            return BREACH, DOWN, -1
    return INAPPLICABLE, 0, 0


@check("initial.all_up_misdeal", on=("misdeal", OPENING), needs=("faces", "deal_order"), unit="seat")
@jit
def all_up_misdeal(ev, st):
    """When all three cards of a player came face up, the deal is void. What else voids one is left alone."""
    if st.betting_round != 1 or st.actions:
        return INAPPLICABLE, 0, 0
    unsure = 0
    for seat in range(1, 11):
        if st.early_up[seat] | st.early_unknown[seat] == 7:
            if st.early_unknown[seat] or _tainted(st, seat):
                unsure = seat
            else:
                return COMPLIANT if ev.kind == MISDEAL else BREACH, seat, seat
    return NOT_EVIDENCED if unsure else INAPPLICABLE, 0, unsure


@check("initial.dead_hand", on=(*ACTIONS, "award"), needs=("faces", "deal_order"), unit="seat", which=WHICH)
@jit
def dead_hand(ev, st, which):
    """A hand of which two cards came face up is dead: it is given up, and neither plays nor wins."""
    if not _two_up(st, ev.seat, which):
        return INAPPLICABLE, 0, 0
    return COMPLIANT if ev.kind == FOLD else BREACH, 0, ev.seat


@check(
    "initial.ante_returned", on=("return", "award"), needs=("faces", "deal_order"), unit="chips", which=WHICH
)
@jit
def ante_returned(ev, st, which):
    """A hand of which two cards came face up has its ante back.

    What goes back to a player who wagered on such a hand may be a bet that nobody called: it is left alone.
    """
    if ev.kind == RETURN:
        total = st.total[ev.seat]
        wagered = total > st.anted[ev.seat]
        if not _two_up(st, ev.seat, which) or (wagered and ev.amount != total):
            return INAPPLICABLE, 0, 0
        return COMPLIANT if ev.amount == total else BREACH, total, ev.amount
    for seat in range(1, 11):
        if ev.at == st.final_award and st.total[seat] and _two_up(st, seat, which):
            return BREACH, st.total[seat], 0
    return INAPPLICABLE, 0, 0

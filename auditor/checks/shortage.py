"""Too few cards for the last round (13.4(a), 19.9, 19.16)."""

from __future__ import annotations

from auditor._jit import jit
from auditor.checks.registry import BREACH, COMPLIANT, INAPPLICABLE, NOT_EVIDENCED, Choice, Rounds, check
from auditor.seats import active, count_bits, lacking
from auditor.state import COMMUNITY, RESHUFFLE

GO_ON, SHUFFLE, COMMUNITY_CARD = range(3)


@jit
def _stub_is_short(st):
    return st.stub_at_start < st.due_at_start + 1


@check(
    "shortage.remedy",
    on=("reshuffle", "community"),
    needs=("burns", "reshuffles"),
    unit="dealing",
    rounds=Rounds(),
    enough=Choice(("players", "players-and-burn")),
)
@jit
def remedy(ev, st, rounds, enough):
    """A short stub is shuffled together with the burns; only if that is too little, a community card.

    ``enough`` says what the shuffled cards must cover: a card for each position, or the burn as well.
    """
    if not rounds >> st.betting_round & 1 or st.deals or count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    if st.tainted:
        return NOT_EVIDENCED, 0, 0
    observed = COMMUNITY_CARD if ev.kind == COMMUNITY else SHUFFLE
    if not _stub_is_short(st):
        expected = GO_ON
    elif st.stub_at_start + st.burns_at_start >= st.due_at_start + enough:
        expected = SHUFFLE
    else:
        expected = COMMUNITY_CARD
    right = observed == expected and not st.round_communities
    return COMPLIANT if right else BREACH, expected, observed


@check("shortage.muck", on=("deal", "community"), unit="card", rounds=Rounds())
@jit
def muck(ev, st, rounds):
    """Cards of folded players are never dealt again to make up a shortage."""
    if not rounds >> st.betting_round & 1 or not _stub_is_short(st):
        return INAPPLICABLE, 0, 0
    if ev.card < 0:
        return NOT_EVIDENCED, -1, ev.card
    return BREACH if st.muck >> ev.card & 1 else COMPLIANT, -1, ev.card


@check(
    "shortage.noticed_late",
    on=("reshuffle", "community"),
    needs=("burns", "reshuffles"),
    unit="count",
    rounds=Rounds(),
)
@jit
def noticed_late(ev, st, rounds):
    """A shortage noticed while dealing: the stub goes out to its last card, then the burns are shuffled.

    If the burns do not cover the positions left, the text is silent.
    """
    if not rounds >> st.betting_round & 1 or st.deals == 0:
        return INAPPLICABLE, 0, 0
    if st.tainted:
        return NOT_EVIDENCED, 0, st.stub
    if ev.kind == RESHUFFLE:
        return COMPLIANT if st.stub == 0 else BREACH, 0, st.stub
    waiting = count_bits(lacking(st))
    return BREACH if waiting and st.burns + st.stub >= waiting else INAPPLICABLE, 0, st.stub

"""Too few cards for the last round."""

from __future__ import annotations

from auditor._jit import jit
from auditor.bits import count_bits
from auditor.checks.registry import BREACH, COMPLIANT, INAPPLICABLE, NOT_EVIDENCED, Choice, Rounds, check
from auditor.seats import active, is_substitute, lacking, stub_may_hold
from auditor.state import COMMUNITY, RESHUFFLE

GO_ON, SHUFFLE, COMMUNITY_CARD = range(3)
ENOUGH = Choice(("players", "players-and-burn", "players-and-two"))
"""How many cards are enough: one a place, or one or two more."""
PLACES = Choice(("positions", "players"))
"""Who is counted: every position that is dealt to, dead ones too, or the players still in the hand."""


@jit
def _stub_is_short(st):
    return st.stub_at_start < st.due_at_start + 1


@jit
def _stub_is_surely_short(st):
    return st.stub_at_start + st.more_at_start < st.due_at_start + 1


@jit
def _counted(st, places):
    """(how many places are counted, how many of them for certain) in this dealing round."""
    if places == 1:
        players = count_bits(active(st))
        return players, players
    return st.due_at_start, st.due_at_start - count_bits(st.doubtful)


@jit
def _due_remedy(st, stub, positions, enough):
    """What the dealer of this round has to do with such a stub for so many positions."""
    if not lacking(st) or stub >= positions + max(enough, 1):
        return GO_ON
    if stub + st.burns_at_start >= positions + enough:
        return SHUFFLE
    return COMMUNITY_CARD


@check(
    "shortage.remedy",
    on=("reshuffle", "community"),
    needs=("burns", "deal_order", "reshuffles"),
    unit="dealing",
    rounds=Rounds(),
    enough=ENOUGH,
    places=PLACES,
)
@jit
def remedy(ev, st, enough, places):
    """A short stub is shuffled together with the burns; only if that is too little, a community card.

    ``enough`` says what the shuffled cards must cover: a card for each place, the burn as well, or two more.
    A stub is short when it does not cover that either, or the burn.
    """
    if count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    if st.deals if lacking(st) else ev.kind == RESHUFFLE:
        return INAPPLICABLE, 0, 0
    observed = COMMUNITY_CARD if ev.kind == COMMUNITY else SHUFFLE
    if st.tainted:
        return NOT_EVIDENCED, GO_ON, observed
    most, least = _counted(st, places)
    stub = st.stub_at_start
    expected = _due_remedy(st, stub, most, enough)
    if expected != _due_remedy(st, stub + st.more_at_start, least, enough):
        return NOT_EVIDENCED, expected, observed
    if observed == SHUFFLE and expected == COMMUNITY_CARD and stub < 2:
        # The stub cannot give both a burn and a community card: something has to be shuffled.
        surely = stub + st.more_at_start < 2
        return INAPPLICABLE if surely else NOT_EVIDENCED, expected, observed
    return COMPLIANT if observed == expected else BREACH, expected, observed


@check(
    "shortage.enough_to_deal",
    on=("deal",),
    needs=("burns", "deal_order", "reshuffles"),
    unit="count",
    rounds=Rounds(),
    enough=ENOUGH,
    places=PLACES,
)
@jit
def enough_to_deal(ev, st, enough, places):
    """The round is dealt card by card only when there are cards enough, those burnt for it included."""
    if st.deals or count_bits(active(st)) < 2 or is_substitute(st, ev):
        return INAPPLICABLE, 0, 0
    cards = st.stub + st.round_burns
    if st.tainted:
        return NOT_EVIDENCED, 0, cards
    most, least = _counted(st, places)
    if cards >= most + enough:
        return COMPLIANT, most + enough, cards
    short = cards + stub_may_hold(st) < least + enough
    return BREACH if short else NOT_EVIDENCED, most + enough, cards


@check(
    "shortage.burn_after_shuffle",
    on=("deal",),
    needs=("burns", "deal_order", "reshuffles"),
    unit="count",
    rounds=Rounds(),
)
@jit
def burn_after_shuffle(ev, st):
    """After a short stub was shuffled a card is burnt, unless the cards come out exactly without it."""
    if st.deals or not st.reshuffles or not _stub_is_short(st) or count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    if st.tainted or st.doubtful or stub_may_hold(st):
        return NOT_EVIDENCED, 0, st.round_burns
    spare = st.stub + st.round_burns - st.due_at_start
    if spare < 0:
        return INAPPLICABLE, 0, 0
    due = min(spare, 1)
    return COMPLIANT if st.round_burns == due else BREACH, due, st.round_burns


@check("shortage.muck", on=("deal", "community"), unit="card", despite_defects=True, rounds=Rounds())
@jit
def muck(ev, st):
    """Cards of folded players are never dealt again to make up a shortage."""
    if not _stub_is_short(st):
        return INAPPLICABLE, 0, 0
    if ev.card < 0 or not _stub_is_surely_short(st):
        return NOT_EVIDENCED, -1, ev.card
    if ev.seat == st.last_dealt and ev.card == st.last_card[ev.seat]:
        return NOT_EVIDENCED, -1, ev.card  # one deal written down twice
    for seat in range(1, 11):
        if st.folded >> seat & st.cards[seat] >> ev.card & 1:
            return BREACH, -1, ev.card
    return COMPLIANT, -1, ev.card


@check(
    "shortage.noticed_late",
    on=("reshuffle", "community"),
    needs=("burns", "deal_order", "reshuffles"),
    unit="count",
    despite_defects=True,
    rounds=Rounds(),
)
@jit
def noticed_late(ev, st):
    """A shortage noticed while dealing: the stub goes out to its last card, then the burns are shuffled.

    If the burns do not cover the positions left, the text is silent.
    """
    waiting = count_bits(lacking(st))
    if st.deals == 0 or waiting == 0:
        return INAPPLICABLE, 0, 0
    if st.tainted:
        return NOT_EVIDENCED, 0, st.stub
    if ev.kind == RESHUFFLE:
        out = NOT_EVIDENCED if stub_may_hold(st) else COMPLIANT
        return BREACH if st.stub else out, 0, st.stub
    cards = st.burns + st.stub
    if cards >= waiting:
        return BREACH, 0, st.stub
    return NOT_EVIDENCED if cards + stub_may_hold(st) >= waiting else INAPPLICABLE, 0, st.stub

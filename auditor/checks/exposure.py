"""A card exposed by the dealer before the betting is complete."""

from __future__ import annotations

import numpy as np

from auditor._jit import jit
from auditor.bits import count_bits, lowest_bit
from auditor.checks.registry import BREACH, COMPLIANT, INAPPLICABLE, NOT_EVIDENCED, Choice, check
from auditor.state import ANY_CARD, BURN, NO_CAP, NO_CARD, PERHAPS_ANY, PERHAPS_STUB, RESHUFFLE, STUB_CARD


@check(
    "exposure.cap",
    on=("forced_bet", "bet", "call", "raise"),
    needs=("exposures",),
    unit="chips",
    applies=lambda ev, st: st.cap[PERHAPS_ANY] != NO_CAP,
    unwagered=Choice(("zero", "uncapped")),
    cards=Choice(("stub-card", "any-card")),
)
@jit
def cap(ev, st, unwagered, cards):
    """Nobody's total of the round passes the largest amount wagered in it before the exposure.

    ``unwagered`` says what that means when nothing had been wagered, ``cards`` which exposures count: those
    of the stub, or also those of a player's card or a burnt one.
    """
    total = st.round_total[ev.seat] + ev.amount
    surely = ANY_CARD if cards == 1 else STUB_CARD
    most = st.wager_cap[surely] if unwagered == 1 else st.cap[surely]
    if most != NO_CAP and total > most:
        return BREACH, most, total
    possibly = PERHAPS_ANY if cards == 1 else PERHAPS_STUB
    perhaps = st.wager_cap[possibly] if unwagered == 1 else st.cap[possibly]
    if perhaps != NO_CAP and total > perhaps:
        return NOT_EVIDENCED, perhaps, total
    return COMPLIANT if most != NO_CAP else INAPPLICABLE, most, total


@jit
def _shuffled_in(st):
    """The verdict on a shuffle while an exposed card waits for its turn.

    A stub that is too short for the last round has to be shuffled anyhow.
    """
    if st.betting_round != st.final_round or st.stub_at_start > st.due_at_start:
        return BREACH
    surely = st.stub_at_start + st.more_at_start <= st.due_at_start - count_bits(st.doubtful)
    return INAPPLICABLE if surely else NOT_EVIDENCED


@jit
def _is_exposed(st, card, exposed):
    if card < 0 or st.tainted >> card & 1:
        return NOT_EVIDENCED, np.int64(NO_CARD)
    return COMPLIANT if card == exposed else BREACH, card


@jit
def _used(st, ev, use, exposed):
    """The verdict on the use of one exposed card when a card is dealt, and the card used in its stead."""
    burn = np.int64(st.exposed_burn[exposed])
    if use == 1 or (burn == NO_CARD and st.exposed_aside >> exposed & 1):
        return _is_exposed(st, ev.card, exposed)
    if burn == NO_CARD:
        # Nothing was burnt: the first card off the deck went to a player.
        return BREACH, ev.card
    verdict, observed = _is_exposed(st, burn, exposed)
    # If that was the card taken back from a player the next off the deck is the one dealt.
    doubt = st.exposed_doubt >> exposed & 1
    if doubt and _is_exposed(st, ev.card, exposed)[0] != verdict:
        return NOT_EVIDENCED, np.int64(NO_CARD)
    return verdict, observed


@check(
    "exposure.next_card",
    on=("deal", "community", "reshuffle"),
    needs=("exposures", "burns", "deal_order"),
    unit="card",
    applies=lambda ev, st: st.exposed != NO_CARD,
    use=Choice(("as-burn", "as-dealt")),
)
@jit
def next_card(ev, st, use):
    """The exposed card is used in its turn: it is the next to leave the deck.

    ``use``: as the burn that comes next, or as the first card dealt. A burn of the card that was taken back
    from a player does not come from the deck. Which of several exposed cards is the next is open: what is not
    the same of all of them is not evidenced.
    """
    unsure = st.exposed_open or st.tainted & st.exposed_named
    if ev.kind == RESHUFFLE:
        shuffled = _shuffled_in(st)
        if shuffled == INAPPLICABLE or not unsure:
            return shuffled, st.exposed, -1
    if unsure:
        return NOT_EVIDENCED, -1, -1
    verdict, observed = _used(st, ev, use, st.exposed)
    left = st.exposed_named
    while left:
        card = lowest_bit(left)
        left &= left - 1
        if _used(st, ev, use, card)[0] != verdict:
            return NOT_EVIDENCED, -1, -1
    return verdict, st.exposed, observed


@check(
    "exposure.returned",
    on=("reshuffle", "burn", "deal", "community"),
    needs=("exposures", "burns", "reshuffles"),
    unit="card",
    burn=Choice(("none", "one")),
)
@jit
def returned(ev, st, burn):
    """The exposed card goes back, the stub is shuffled, and the round is dealt without another burn.

    ``burn``: none after the shuffle, or one where none had been made for the round before it.
    """
    if ev.kind == BURN:
        another = burn == 0 or st.burnt_amid or st.burns_shuffled or st.round_burns
        return BREACH if st.returned and another else INAPPLICABLE, -1, ev.card
    if st.exposed == NO_CARD:
        return INAPPLICABLE, 0, 0
    if ev.kind == RESHUFFLE:
        return COMPLIANT, st.exposed, st.exposed
    return BREACH if st.exposed_surely else NOT_EVIDENCED, st.exposed, ev.card


@check("exposure.removed", on=("reshuffle", "deal", "community"), needs=("exposures",), unit="card")
@jit
def removed(ev, st):
    """The exposed card is out of play: it is neither dealt nor shuffled in, unless the cards run short."""
    if ev.kind == RESHUFFLE:
        if st.exposed == NO_CARD:
            return INAPPLICABLE, 0, 0
        verdict = _shuffled_in(st)
        return NOT_EVIDENCED if verdict == BREACH and not st.exposed_surely else verdict, -1, st.exposed
    known = ev.card >= 0 and not st.tainted >> ev.card & 1
    if known and st.exposed_cards >> ev.card & 1:
        return BREACH, -1, ev.card
    if st.exposed == NO_CARD:
        return INAPPLICABLE, 0, 0
    if not known or st.exposed_open:
        return NOT_EVIDENCED, -1, ev.card
    return COMPLIANT, -1, ev.card

"""Antes, stakes and the sizes of wagers; the deck (the definitions and 4.1(a))."""

from __future__ import annotations

from auditor._jit import jit
from auditor.bits import count_bits
from auditor.checks.registry import BREACH, COMPLIANT, INAPPLICABLE, NOT_EVIDENCED, Choice, check
from auditor.seats import is_all_in, unit_bet
from auditor.state import ANTE, FIXED, SPREAD
from auditor.strength import category, strength


@check(
    "money.equal_antes",
    on=("ante", "deal"),
    unit="chips",
    applies=lambda ev, st: ev.kind == ANTE or st.first_seat == 0,
)
@jit
def equal_antes(ev, st):
    """Every player puts in the same ante before any card is dealt; less only when all-in.

    One put in by parts, or too large and given back in part, is right where it is when the first card comes.
    """
    expected = st.hand.ante
    if expected < 0:
        expected = st.first_ante
        if ev.kind == ANTE and expected < 0:
            net = st.ante_net[ev.seat]
            expected = net if net > 0 and st.first_seat == 0 else ev.amount
    if ev.kind != ANTE:
        owing = st.dealt_seats & st.seated
        for seat in range(1, 11):
            if st.ante_count[seat] or st.stack[seat] == 0:
                owing &= ~(1 << seat)
        if expected <= 0 or owing == 0:
            return INAPPLICABLE, 0, 0
        return BREACH if st.any_ante else NOT_EVIDENCED, expected, 0
    amount = st.anted[ev.seat] + ev.amount
    if amount == expected:
        return COMPLIANT, expected, amount
    if st.ante_net[ev.seat] == expected and st.first_seat == 0:
        return INAPPLICABLE, 0, 0  # put right before the first card
    if amount < expected and st.stack[ev.seat] < 0:
        return NOT_EVIDENCED, expected, amount
    return COMPLIANT if expected > amount == st.stack[ev.seat] else BREACH, expected, amount


@check(
    "money.table_stakes",
    on=("blind", "forced_bet", "bet", "call", "raise"),
    needs=("stacks",),
    unit="chips",
)
@jit
def table_stakes(ev, st):
    """Nobody wagers more than the stack at the start of the hand."""
    if ev.amount == 0:
        return INAPPLICABLE, 0, 0
    if st.stack[ev.seat] < 0:
        return NOT_EVIDENCED, -1, st.total[ev.seat] + ev.amount
    total = st.total[ev.seat] + ev.amount
    return COMPLIANT if total <= st.stack[ev.seat] else BREACH, st.stack[ev.seat], total


@jit
def _left(st, seat):
    """Chips in front of a seat; -1 where its stack is not known."""
    return max(st.stack[seat] - st.total[seat], 0) if st.stack[seat] >= 0 else -1


@check("money.call", on=("call",), unit="chips")
@jit
def call(ev, st):
    """A call matches the highest wager of the round, or is all-in for less.

    What is owed to a forced bet or a blind that fell short stands on no page that is loaded: the size on
    record may be put in.
    """
    expected = st.round_max - st.round_total[ev.seat]
    left = _left(st, ev.seat)
    if ev.amount > expected and st.forced_level and not st.bettor:
        size = st.hand.forced_bet - st.round_total[ev.seat]
        if ev.amount == size or (ev.amount == left and left < size):
            return INAPPLICABLE, 0, 0
        if st.board and is_all_in(st, st.last_blind):
            return NOT_EVIDENCED, expected, ev.amount  # the size of a blind is on no record
    if left >= 0:
        expected = min(expected, left)
    elif ev.amount < expected:
        return NOT_EVIDENCED, expected, ev.amount
    return COMPLIANT if ev.amount == expected else BREACH, expected, ev.amount


@jit
def _in_sizes(size, small, big):
    return size > 0 and (size == small or size == big)


@jit
def _open_pair(st):
    """Whether a pair shows on the table: 1, 0, or -1 where a card face up is not known."""
    found = 0
    for seat in range(1, 11):
        if category(strength(st.up[seat])):
            return 1
        if st.in_hand >> seat & 1 and st.up_unknown[seat]:
            found = -1
    return found


@check(
    "money.fixed_bet",
    on=("bet", "raise"),
    unit="chips",
    applies=lambda ev, st: st.hand.structure == FIXED,
    size=Choice(("by-round", "either", "open-pair", "open-pair-stays")),
)
@jit
def fixed_bet(ev, st, size):
    """A bet or raise of a fixed-limit game has the designated size; less only when all-in.

    ``size``: the smaller amount in the first two rounds and the larger after (``by-round``); ``either`` of
    them at any time; or by round, but either of them in the second round while a pair shows on the table
    (``open-pair``), there the smaller one no longer once the larger has been wagered (``open-pair-stays``).
    What a raise must be over a forced bet or a short all-in is left open by the text: completing the bet and
    adding a whole one are both left alone.
    """
    small, big = st.hand.small_bet, st.hand.big_bet
    pair = _open_pair(st) if size >= 2 and st.betting_round == 2 else 0
    if pair > 0 and size == 3 and 0 < big <= st.largest_wager:
        small = big
    elif size != 1 and pair < 1:
        small = big = big if st.betting_round > 2 else small
    total = st.round_total[ev.seat] + ev.amount
    added = max(total - st.round_max, 0)
    if st.round_max > st.full_level:
        if _in_sizes(added, small, big) or _in_sizes(total - st.full_level, small, big):
            return INAPPLICABLE, 0, 0
    elif _in_sizes(added, small, big):
        return COMPLIANT, added, added
    if small < 0 or big < 0 or (pair < 0 and added == st.hand.big_bet):
        return NOT_EVIDENCED, max(small, big), added
    if added < max(small, big):
        left = _left(st, ev.seat)
        if left < 0:
            return NOT_EVIDENCED, small, added
        if ev.amount == left:
            return COMPLIANT, small, added
    return BREACH, small, added


@jit
def _within(size, low, high):
    return size >= low and (high < 0 or size <= high)


@check(
    "money.spread_limit",
    on=("bet", "raise"),
    unit="chips",
    applies=lambda ev, st: st.hand.structure == SPREAD,
)
@jit
def spread_limit(ev, st):
    """A bet or raise of a spread-limit game lies within the table's bounds; less only when all-in."""
    low, high = st.hand.min_bet, st.hand.max_bet
    total = st.round_total[ev.seat] + ev.amount
    added = max(total - st.round_max, 0)
    if low < 0 and high < 0:
        return NOT_EVIDENCED, -1, added
    fits = added > 0 and _within(added, low, high)
    if st.round_max > st.full_level and added > 0 and (fits or _within(total - st.full_level, low, high)):
        # Over a forced bet or a short all-in the text does not say what the size is counted from.
        return INAPPLICABLE, 0, 0
    if fits:
        return COMPLIANT, added, added
    if high >= 0 and added > high:
        return BREACH, high, added
    left = _left(st, ev.seat)
    if left < 0:
        return NOT_EVIDENCED, low, added
    return COMPLIANT if ev.amount == left else BREACH, low, added


@check(
    "money.raise_cap",
    on=("raise",),
    unit="count",
    applies=lambda ev, st: st.hand.raise_cap >= 0,
    counted=Choice(("full", "all")),
)
@jit
def raise_cap(ev, st, counted):
    """No more raises in a round than the table's declared cap.

    ``counted``: full raises only (no completion of a forced bet, no short all-in), or every raise.
    """
    most = st.hand.raise_cap
    if counted == 1:
        return COMPLIANT if st.raises < most else BREACH, most, st.raises + 1
    added = st.round_total[ev.seat] + ev.amount - st.round_max
    full = added > 0 and added >= unit_bet(st) and st.round_max > st.forced_level
    raises = st.full_raises + (1 if full else 0)
    return COMPLIANT if raises <= most or not full else BREACH, most, raises


@check("deck.one_of_each", on=("award",), needs=("burns", "deal_order"), unit="count")
@jit
def one_of_each(ev, st):
    """No card leaves the deck twice; a log in which one does cannot tell its own slip from a bad deck."""
    if ev.at != st.final_award:
        return INAPPLICABLE, 0, 0
    tainted = count_bits(st.tainted)
    return COMPLIANT if tainted == 0 and st.unnamed == 0 else NOT_EVIDENCED, 0, tainted

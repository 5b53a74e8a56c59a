"""Who opens the betting (13.3(b), 13.4(b), 19.10, 19.13, 19.17, 19.20)."""

from __future__ import annotations

from auditor._jit import jit
from auditor.bits import count_bits, lowest_bit
from auditor.checks.registry import (
    BREACH,
    COMPLIANT,
    INAPPLICABLE,
    NOT_EVIDENCED,
    OPENING,
    Choice,
    Rounds,
    check,
)
from auditor.seats import active, all_in, is_all_in, next_seat
from auditor.state import FACES_RECORDED
from auditor.strength import showing_strength, tie_card_highest, tie_card_made

TIE = Choice(("highest-card", "made-card"))
NOT_KNOWN = -1


@jit
def _tie_card(up, tie):
    return tie_card_made(up) if tie == 1 else tie_card_highest(up)


@jit
def _showing_leader(st, tie):
    """The active seat with the highest hand showing; ``NOT_KNOWN`` where up cards are not certain.

    The showing hand is the seat's own up cards, never a community card.
    """
    leader = 0
    best = -1
    for seat in range(1, 11):
        if not active(st) >> seat & 1:
            continue
        up = st.up[seat]
        if st.up_unknown[seat] or up & st.tainted or up == 0 or count_bits(up) > 4:
            return NOT_KNOWN
        value = showing_strength(up)
        if value > best or (value == best and _tie_card(up, tie) > _tie_card(st.up[leader], tie)):
            leader = seat
            best = value
    return leader


@jit
def passed_on(st):
    """Whether the player required to open is all-in under every reading, and somebody else can open."""
    if not active(st) & ~all_in(st) or not st.hand.records & FACES_RECORDED:
        return False
    if st.final_up:
        opener = st.previous_opener
        return opener > 0 and active(st) >> opener & 1 != 0 and is_all_in(st, opener)
    for tie in range(2):
        leader = _showing_leader(st, tie)
        if leader < 1 or not is_all_in(st, leader):
            return False
    return True


@jit
def _judge(st, seat, expected):
    """The verdict on an opener; a due seat of unknown stack may be all-in and rightly passed over."""
    if seat != expected and st.stack[expected] < 0:
        return NOT_EVIDENCED, expected, seat
    return COMPLIANT if seat == expected else BREACH, expected, seat


@check(
    "opener.highest_showing",
    on=(OPENING,),
    needs=("faces",),
    unit="seat",
    rounds=Rounds(),
    when=Choice(("always", "community-card")),
    tie=TIE,
)
@jit
def highest_showing(ev, st, when, tie):
    """The highest hand showing opens the round; suits break a tie.

    An all-in leader is the matter of ``opener.passes_left``. Where the leader's stack is not known, a
    different opener may be right: not evidenced.
    """
    if st.actions or st.final_up:
        return INAPPLICABLE, 0, 0
    if when == 1 and st.community_count == 0:
        return INAPPLICABLE, 0, 0
    leader = _showing_leader(st, tie)
    if leader == NOT_KNOWN:
        return NOT_EVIDENCED, 0, ev.seat
    if is_all_in(st, leader):
        return INAPPLICABLE, 0, 0
    return _judge(st, ev.seat, leader)


@check(
    "opener.passes_left",
    on=(OPENING,),
    needs=("stacks",),
    unit="seat",
    rounds=Rounds(),
    required=Choice(("highest-showing", "not-loaded")),
    tie=TIE,
)
@jit
def passes_left(ev, st, required, tie):
    """When the player required to open is all-in, the next player to the left who is not all-in opens.

    ``required``: who that player is may stand in a page that is not loaded; then only an all-in opener
    is judged, except in a round with a community card.
    """
    if st.actions or not active(st) & all_in(st):
        return INAPPLICABLE, 0, 0
    if required == 1 and not (st.betting_round == st.final_round and st.community_count):
        return BREACH if is_all_in(st, ev.seat) else INAPPLICABLE, 0, ev.seat
    leader = st.previous_opener if st.final_up else _showing_leader(st, tie)
    if leader == NOT_KNOWN or not st.hand.records & FACES_RECORDED:
        return NOT_EVIDENCED, 0, ev.seat
    expected = next_seat(active(st) & ~all_in(st), leader)
    if not active(st) >> leader & 1 or not is_all_in(st, leader) or expected == 0:
        return INAPPLICABLE, 0, 0
    return _judge(st, ev.seat, expected)


@check("opener.first_round_all_in", on=(OPENING,), needs=("stacks",), unit="seat")
@jit
def first_round_all_in(ev, st):
    """In the first round an all-in player is passed over when the opener is chosen."""
    if st.betting_round != 1 or st.actions or not active(st) & all_in(st):
        return INAPPLICABLE, 0, 0
    return BREACH if is_all_in(st, ev.seat) else COMPLIANT, 0, ev.seat


@check(
    "opener.first_round",
    on=(OPENING,),
    needs=("faces",),
    unit="seat",
    card=Choice(("high-card", "low-card")),
)
@jit
def first_round(ev, st, card):
    """The highest (or the lowest) up card opens the first round; suits break a tie."""
    if st.betting_round != 1 or st.actions:
        return INAPPLICABLE, 0, 0
    expected = 0
    best = -1
    for seat in range(1, 11):
        if active(st) >> seat & 1 and not is_all_in(st, seat):
            up = st.up[seat]
            if st.up_unknown[seat] or up & st.tainted or count_bits(up) != 1:
                return NOT_EVIDENCED, 0, ev.seat
            value = lowest_bit(up) if card == 0 else 51 - lowest_bit(up)
            if value > best:
                expected = seat
                best = value
    if expected == 0:
        return INAPPLICABLE, 0, 0
    return _judge(st, ev.seat, expected)


@check("opener.of_previous_round", on=(OPENING,), needs=("faces",), unit="seat", rounds=Rounds())
@jit
def of_previous_round(ev, st):
    """When all last cards are face up, the opener of the previous round opens."""
    if st.actions or not st.final_up:
        return INAPPLICABLE, 0, 0
    expected = st.previous_opener
    if expected == 0 or not active(st) >> expected & 1 or is_all_in(st, expected):
        return INAPPLICABLE, 0, 0
    return _judge(st, ev.seat, expected)

"""Who opens the betting, and with what."""

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
from auditor.hands import first_of
from auditor.seats import active, all_in, is_all_in, next_seat
from auditor.state import BET, DEAL_ORDER_RECORDED, FACES_RECORDED, FORCED_BET, PERHAPS_SHOWN
from auditor.strength import showing_strength, strength, tie_card_highest, tie_card_made

TIE = Choice(("highest-card", "made-card", "position"))
"""What breaks a tie of the hands showing: the suit of the highest card, that of the highest card which
makes the hand, or the place at the table, the first clockwise of the dealer."""
BOARD = Choice(("not-counted", "counted"))
"""Whether a community card counts in the hands showing."""
LAST_UP = Choice(("first", "any", "never"))
"""Which last card, once it was shown, has the opener of the previous round open again: the first to be dealt,
any, or none; then it counts in the hand showing."""
DOOR_CARD = Choice(("high-card", "low-card"))
POSITION, COUNTED, ANY, NEVER = 2, 1, 1, 2
NOT_KNOWN = -1


@jit
def _tie_rank(st, seat, tie):
    """What a seat's tie is broken by: the higher one is ahead."""
    if tie == POSITION:
        ahead_of_first = st.hand.dealer_position if st.hand.dealer_position >= 0 else st.first_seat - 1
        return -((seat - ahead_of_first + 9) % 10)
    return tie_card_made(st.up[seat]) if tie == 1 else tie_card_highest(st.up[seat])


@jit
def _leaders(st, board, last):
    """The active seats with the highest hand showing, as a mask; ``NOT_KNOWN`` where one is not certain."""
    if st.final_unknown == PERHAPS_SHOWN and last != NEVER:
        return NOT_KNOWN  # it may be the opener of the previous round who opens
    table = 0
    if board == COUNTED:
        table = st.community
        if count_bits(table) != st.community_count or table & st.tainted:
            return NOT_KNOWN
    best = -1
    leaders = 0
    left = active(st)
    while left:
        seat = lowest_bit(left)
        left &= left - 1
        up = st.up[seat]
        if st.up_unknown[seat] or up & st.tainted or up == 0 or (count_bits(up) > 4 and last != NEVER):
            return NOT_KNOWN
        value = showing_strength(up | table) if count_bits(up | table) < 5 else strength(up | table)
        if value >= best:
            leaders = 1 << seat | (leaders if value == best else 0)
            best = value
    return leaders


@jit
def showing_leader(st, tie, board, last):
    """The active seat with the highest hand showing; ``NOT_KNOWN`` where up cards are not certain.

    The showing hand is the seat's own up cards, and a community card where the ``board`` counts. A seventh
    card that was shown is among them only where ``last`` says that it never hands on the opening.
    """
    asked = 1 + board + (2 if last == NEVER else 0)
    if st.leaders_asked != asked:  # all readings of an event ask for the same
        st.leaders = _leaders(st, board, last)
        st.leaders_asked = asked
    leaders = st.leaders
    if leaders == NOT_KNOWN:
        return NOT_KNOWN
    leader = first_of(leaders)
    if leaders & (leaders - 1) == 0:
        return leader
    if tie == POSITION and st.hand.dealer_position < 0 and not st.hand.records & DEAL_ORDER_RECORDED:
        return NOT_KNOWN
    while leaders:
        seat = lowest_bit(leaders)
        leaders &= leaders - 1
        if _tie_rank(st, seat, tie) > _tie_rank(st, leader, tie):
            leader = seat
    return leader


@jit
def goes_back(st, last):
    """Whether the opener of the previous round opens, because of a seventh card that was shown."""
    return (last == ANY and st.last_up != 0) or (last == 0 and st.final_up != 0)


@jit
def _door_leader(st, card, among):
    """The seat of ``among`` with the highest (or lowest) up card of the first round, by rank, then suit.

    0 for nobody, ``NOT_KNOWN`` where an up card is not certain.
    """
    leader = 0
    best = -1
    for seat in range(1, 11):
        if among >> seat & 1:
            up = st.up[seat]
            if st.up_unknown[seat] or up & st.tainted or count_bits(up) != 1:
                return NOT_KNOWN
            value = lowest_bit(up) if card == 0 else 51 - lowest_bit(up)
            if value > best:
                leader = seat
                best = value
    return leader


@jit
def _came_early(st, seat):
    """Whether one of the seat's first two cards, which should have been down, came face up."""
    return st.early_up[seat] & 3 != 0


@jit
def passed_on(st):
    """Whether the player required to open is all-in under every reading, and somebody else can open."""
    if st.board or not active(st) & ~all_in(st) or not st.hand.records & FACES_RECORDED:
        return False
    if st.final_up:
        opener = st.previous_opener
        return active(st) >> opener & 1 != 0 and is_all_in(st, opener)
    for tie in range(2):
        leader = showing_leader(st, tie, 0, 0)
        if leader == NOT_KNOWN or not is_all_in(st, leader):
            return False
    return True


@jit
def judge_opener(st, seat, expected):
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
    when=Choice(("always", "community-card", "no-community-card")),
    tie=TIE,
    board=BOARD,
    last=LAST_UP,
)
@jit
def highest_showing(ev, st, when, tie, board, last):
    """The highest hand showing opens the round.

    An all-in leader is the matter of ``opener.passes_left``. Where the leader's stack is not known, a
    different opener may be right: not evidenced.
    """
    if goes_back(st, last):
        return INAPPLICABLE, 0, 0
    if (when == 1 and st.community_count == 0) or (when == 2 and st.community_count):
        return INAPPLICABLE, 0, 0
    leader = showing_leader(st, tie, board, last)
    if leader == NOT_KNOWN:
        return NOT_EVIDENCED, 0, ev.seat
    if is_all_in(st, leader):
        return INAPPLICABLE, 0, 0
    return judge_opener(st, ev.seat, leader)


@check(
    "opener.passes_left",
    on=(OPENING,),
    needs=("stacks",),
    unit="seat",
    rounds=Rounds(),
    required=Choice(("highest-showing", "not-loaded")),
    tie=TIE,
    board=BOARD,
    last=LAST_UP,
)
@jit
def passes_left(ev, st, required, tie, board, last):
    """When the player required to open is all-in, the next player to the left who is not all-in opens.

    ``required``: who that player is may stand in a page that is not loaded; then only an all-in opener
    is judged, except in a round with a community card.
    """
    if not active(st) & all_in(st):
        return INAPPLICABLE, 0, 0
    if required == 1 and not (st.betting_round == st.final_round and st.community_count):
        return BREACH if is_all_in(st, ev.seat) else INAPPLICABLE, 0, ev.seat
    leader = st.previous_opener if goes_back(st, last) else showing_leader(st, tie, board, last)
    if leader == NOT_KNOWN or not st.hand.records & FACES_RECORDED:
        return NOT_EVIDENCED, 0, ev.seat
    expected = next_seat(active(st) & ~all_in(st), leader)
    if not active(st) >> leader & 1 or not is_all_in(st, leader) or expected == 0:
        return INAPPLICABLE, 0, 0
    return judge_opener(st, ev.seat, expected)


@check(
    "opener.first_round_all_in",
    on=(OPENING,),
    needs=("stacks",),
    unit="seat",
    applies=lambda ev, st: st.betting_round == 1 and active(st) & st.all_in,
)
@jit
def first_round_all_in(ev, st):
    """In the first round an all-in player is passed over when the opener is chosen."""
    return BREACH if is_all_in(st, ev.seat) else COMPLIANT, 0, ev.seat


@check(
    "opener.first_round",
    on=(OPENING,),
    needs=("faces",),
    unit="seat",
    card=DOOR_CARD,
    all_in=Choice(("passed-over", "passes-left")),
    early=Choice(("counted", "left-open")),
)
@jit
def first_round(ev, st, card, all_in, early):
    """The highest (or the lowest) up card opens the first round; suits break a tie.

    ``all_in``: a player who is all-in for the ante does not count, or does: then who opens is the matter of
    ``opener.first_round_passes_left``. ``early``: one of a player's first two cards that came face up is that
    player's up card, or what it means for the opener is left open.
    """
    if st.betting_round != 1:
        return INAPPLICABLE, 0, 0
    expected = _door_leader(st, card, active(st) if all_in == 1 else active(st) & ~st.all_in)
    if expected == NOT_KNOWN:
        return NOT_EVIDENCED, 0, ev.seat
    if expected == 0 or is_all_in(st, expected) or (early == 1 and _came_early(st, expected)):
        return INAPPLICABLE, 0, 0
    return judge_opener(st, ev.seat, expected)


@check(
    "opener.first_round_passes_left",
    on=(OPENING,),
    needs=("faces", "stacks"),
    unit="seat",
    card=DOOR_CARD,
)
@jit
def first_round_passes_left(ev, st, card):
    """When the player required to open the first round is all-in, the next to the left who is not opens."""
    able = active(st) & ~st.all_in
    if st.betting_round != 1 or not active(st) & st.all_in or not able:
        return INAPPLICABLE, 0, 0
    leader = _door_leader(st, card, active(st))
    if leader == NOT_KNOWN:
        return NOT_EVIDENCED, 0, ev.seat
    if not is_all_in(st, leader):
        return INAPPLICABLE, 0, 0
    return judge_opener(st, ev.seat, next_seat(able, leader))


@check("opener.forced_bet", on=(OPENING,), unit="chips", card=DOOR_CARD)
@jit
def forced_bet(ev, st, card):
    """Whoever opens the first round posts the forced bet, or bets in full.

    Where the player required to open is all-in, what the one to the left may do is left alone; so is what is
    done where the first two cards of that player, or of who acts, did not both come face down. The size of a
    full bet is the matter of the checks of bets.
    """
    if st.betting_round != 1 or count_bits(st.early_up[ev.seat]) > 1:
        return INAPPLICABLE, 0, 0
    due = st.hand.forced_bet
    leader = _door_leader(st, card, active(st))
    if leader == NOT_KNOWN and active(st) & all_in(st):
        return NOT_EVIDENCED, due, ev.amount
    if leader != NOT_KNOWN and (is_all_in(st, leader) or _came_early(st, leader)):
        return INAPPLICABLE, 0, 0
    if ev.kind == BET or (ev.kind == FORCED_BET and (due < 0 or ev.amount == due)):
        return COMPLIANT, ev.amount, ev.amount
    if ev.kind == FORCED_BET and ev.amount < due:
        if st.stack[ev.seat] < 0:
            return NOT_EVIDENCED, due, ev.amount
        if ev.amount == st.stack[ev.seat] - st.total[ev.seat]:
            return COMPLIANT, ev.amount, ev.amount
    # The low card may be all-in, or may have come early: then somebody else opens for it.
    maybe = active(st) & ~st.stacked & ~(1 << ev.seat)
    if leader != NOT_KNOWN:
        maybe &= 1 << leader
    elif not st.hand.records & FACES_RECORDED:
        maybe = active(st)
    return NOT_EVIDENCED if maybe else BREACH, due, ev.amount


@check(
    "opener.of_previous_round", on=(OPENING,), needs=("faces",), unit="seat", rounds=Rounds(), last=LAST_UP
)
@jit
def of_previous_round(ev, st, last):
    """When a last card was shown, the opener of the previous round opens."""
    back = goes_back(st, last)
    expected = st.previous_opener
    if not (back or st.final_unknown == PERHAPS_SHOWN) or last == NEVER:
        return INAPPLICABLE, 0, 0
    if not active(st) >> expected & 1 or is_all_in(st, expected):
        return INAPPLICABLE, 0, 0
    if not back:
        return NOT_EVIDENCED, expected, ev.seat
    return judge_opener(st, ev.seat, expected)

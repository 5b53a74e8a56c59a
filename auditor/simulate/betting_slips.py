"""Planted breaches of opening, turn and bet size. Each function is given what the rules ask for and returns
what is done: the same, unless this is where the planted breach falls."""

from __future__ import annotations

from auditor._jit import jit
from auditor.handlog import MAX_SEAT, NOBODY, UNKNOWN
from auditor.simulate.plants import Code, Slip, by_game, seize, stage, wanted
from auditor.simulate.players import bet_size, may_raise
from auditor.simulate.ranks import leader, showing, tie_card
from auditor.simulate.state import (
    ACTIVE,
    BET,
    CALL,
    CHECK,
    DEAD,
    FIVE,
    FIXED,
    FOLDED,
    NEVER_DEAD,
    RAISE,
    SEATS,
    SPREAD,
    Hand,
    able,
    blame,
    clockwise,
    count_able,
    emit_act,
    next_able,
)


@jit
def all_in_opens(h: Hand) -> None:
    """A player without chips acts first: on round one anybody, later the one who is due."""
    if h.slip != Slip.ALL_IN or h.planted:
        return
    seat = NOBODY
    code = by_game(h, Code.OPN11, Code.OPN12)
    if h.street == 1:
        for other in range(1, SEATS):
            if h.status[other] == ACTIVE and h.stack[other] == 0:
                seat = other
    else:
        code = by_game(h, Code.OPN13, Code.OPN14)
        seat = leader(h, 0, 0)
        if leader(h, 1, 0) != seat or able(h, seat):
            seat = NOBODY
    if seat != NOBODY and h.code == code and seize(h):
        blame(h, code)
        emit_act(h, CHECK, seat)


@jit
def opener(h: Hand, due: int, right: int) -> int:
    """Somebody else opens, wrongly however a tie is read."""
    code = opening_code(h, due)
    if h.planted or h.code != code or code == Code.NOTHING:
        return right
    rivals = leader(h, 0, 0), leader(h, 1, 0)
    if code == Code.OPN14 and rivals[0] != rivals[1]:
        return right
    wrong = NOBODY
    for seat in range(1, SEATS):
        if not able(h, seat) or seat == right or seat == due:
            continue
        if code != Code.FIN02 and (seat == rivals[0] or seat == rivals[1]):
            continue
        if fits(h, seat) and (wrong == NOBODY or preferred(h, seat, wrong)):
            wrong = seat
    if wrong != NOBODY and seize(h):
        blame(h, code)
        return wrong
    return right


@jit
def opening_code(h: Hand, due: int) -> Code:
    """The obligation that governs this opening."""
    if h.game == FIVE:
        return Code.OPN20 if h.community != UNKNOWN and able(h, due) else Code.NOTHING
    if not able(h, due):
        return Code.OPN14
    if h.seventh_up:
        return Code.FIN02 if due == h.opened_before else Code.NOTHING
    return stage(h, Code.OPN02, Code.OPN03)


@jit
def fits(h: Hand, seat: int) -> bool:
    """Whether the seat is wrong in the way that is to be planted."""
    if h.slip == Slip.SUIT_TIE:
        return showing(h, seat, 0) == showing(h, leader(h, 0, 0), 0)
    if h.slip == Slip.COMMUNITY_COUNTED:
        return bool(h.community != UNKNOWN and seat == leader(h, 0, 1) and seat == leader(h, 1, 1))
    return True


@jit
def preferred(h: Hand, seat: int, other: int) -> bool:
    """Higher showing, or lower if the low hand is to open."""
    mine, theirs = showing(h, seat, 0), showing(h, other, 0)
    if mine == theirs:
        return tie_card(h, seat, 0) > tie_card(h, other, 0)
    return bool((mine < theirs) == (h.slip == Slip.LOW_HAND))


@jit
def between(h: Hand, last: int, right: int, slip: int) -> int:
    """A seat strictly between ``last`` and ``right`` that has no business to act, or nobody."""
    for step in range(1, MAX_SEAT):
        seat = clockwise(last, step)
        if seat == right or seat == last:
            return NOBODY
        folded = h.status[seat] == FOLDED
        if slip == Slip.FOLDED_ACTS and folded and h.dead[seat] == NEVER_DEAD:
            return seat
        if slip == Slip.DEAD_ACTS and folded and h.dead[seat] == DEAD:
            return seat
        if slip == Slip.ALL_IN_ACTS and h.status[seat] == ACTIVE and h.stack[seat] == 0:
            return seat
    return NOBODY


@jit
def turn(h: Hand, last: int, right: int) -> int:
    """Who acts after ``last``: out of turn, nobody though somebody should, or somebody who should not."""
    if h.planted:
        return right
    code = stage(h, Code.ACT01, Code.ACT11)
    if right == NOBODY:
        if wanted(h, Slip.AFTER_END, code) and count_able(h) > 1 and seize(h):
            blame(h, code)
            emit_act(h, CHECK, next_able(h, last))
        return right
    if wanted(h, Slip.OUT_OF_TURN, code):
        return out_of_turn(h, last, right, code)
    intruder = between(h, last, right, h.slip) if h.top == 0 else NOBODY
    if intruder != NOBODY:
        dead = by_game(h, Code.POS02, Code.POS01)
        if h.slip == Slip.DEAD_ACTS and h.code == dead and seize(h):
            blame(h, dead)
            if code != Code.NOTHING:
                blame(h, code)
            emit_act(h, CHECK, intruder)
        elif h.slip != Slip.DEAD_ACTS and h.code == code and seize(h):
            blame(h, code)
            emit_act(h, CHECK, intruder)
    code = stage(h, Code.ACT03, Code.ACT13)
    unasked = wanted(h, Slip.UNASKED, code) and h.top == 0
    unmatched = wanted(h, Slip.UNMATCHED, code) and h.bet[right] < h.top and matched(h)
    if (unasked or unmatched) and seize(h):
        h.pending = code  # it shows when the next thing happens
        return NOBODY
    return right


@jit
def matched(h: Hand) -> bool:
    """Whether two seats at least have put in the largest amount, so that none of it goes back."""
    n = 0
    for seat in range(1, SEATS):
        n += h.bet[seat] == h.top
    return n > 1


@jit
def out_of_turn(h: Hand, last: int, right: int, code: Code) -> int:
    """The one after the next acts first."""
    for step in range(1, MAX_SEAT):
        seat = clockwise(right, step)
        if seat == last or seat == right:
            return right
        if able(h, seat) and (h.bet[seat] < h.top or not h.acted[seat]):
            if not seize(h):
                return right
            blame(h, code)
            return seat
    return right


@jit
def act(h: Hand, seat: int, kind: int, amount: int) -> tuple[int, int]:
    """A check, call, bet or raise that the rules do not allow. Nobody raises on top of it."""
    if h.planted:
        return kind, amount
    need = h.top - h.bet[seat]
    if need > 0:
        kind, amount = facing(h, seat, need, kind, amount)
    if not h.planted:
        kind, amount = wrong_size(h, seat, need, kind, amount)
    if h.planted:
        h.settled = 1
    return kind, amount


@jit
def on_level(h: Hand) -> bool:
    """Whether the largest amount is a number of full bets, so that a size has one meaning only."""
    if h.structure == FIXED and h.top % bet_size(h):
        return False
    return bool(h.top == h.full)


@jit
def facing(h: Hand, seat: int, need: int, kind: int, amount: int) -> tuple[int, int]:
    """Wrong answers to a wager of ``need`` chips."""
    stack = h.stack[seat]
    code = stage(h, Code.ACT02, Code.ACT12)
    if wanted(h, Slip.CHECK_FACING, code) and seize(h):
        blame(h, code)
        return CHECK, 0
    less = need - h.unit
    if less > 0 and stack > need:
        if wanted(h, Slip.SHORT_RAISE, code) and on_level(h) and may_raise(h) and seize(h):
            blame(h, code)
            blame(h, Code.FIX01 if h.structure == FIXED else Code.SPR01)
            return RAISE, less
        if wanted(h, Slip.SHORT_CALL, Code.CAL01) and seize(h):
            blame(h, Code.CAL01)
            return CALL, less
    if stack > need + h.unit and wanted(h, Slip.OVER_CALL, Code.CAL01) and seize(h):
        blame(h, Code.CAL01)
        return CALL, need + h.unit
    if stack < need and wanted(h, Slip.CALL_BEYOND, Code.STK01) and seize(h):
        blame(h, Code.STK01)
        blame(h, Code.CAL01)
        return CALL, need
    return kind, amount


@jit
def wrong_size(h: Hand, seat: int, need: int, kind: int, amount: int) -> tuple[int, int]:
    """Bets and raises that are too large, too small, too many, or more than the stack."""
    stack = h.stack[seat]
    raising = RAISE if h.top else BET
    size = bet_size(h)
    cap = by_game(h, Code.EXP01, Code.EXP02)
    room = h.raise_cap == UNKNOWN or h.raises < h.raise_cap
    if wanted(h, Slip.OVER_CAP, cap) and h.ceiling > 0 and h.top == h.full and room:
        return (raising, need + size) if stack > need + size and seize(h) else (kind, amount)
    if h.ceiling != UNKNOWN or not on_level(h):
        return kind, amount
    more = wanted(h, Slip.ONE_RAISE_MORE, Code.CAP01) and h.top and h.full_raises == h.raise_cap
    if more and stack > need + size and seize(h):
        blame(h, Code.CAP01)
        return RAISE, need + size
    if not may_raise(h):
        return kind, amount
    if wanted(h, Slip.BET_BEYOND, Code.STK01) and need < stack < need + size and seize(h):
        blame(h, Code.STK01)
        return raising, need + size
    code = Code.FIX01 if h.structure == FIXED else Code.SPR01
    over, under = size + h.unit, size - h.unit
    if h.structure == SPREAD:
        over, under = h.most + h.unit, h.least - h.unit
    if wanted(h, Slip.OVER_SIZE, code) and stack > need + over and seize(h):
        blame(h, code)
        return raising, need + over
    if wanted(h, Slip.UNDER_SIZE, code) and under > 0 and stack > need + under and seize(h):
        blame(h, code)
        return raising, need + under
    return kind, amount

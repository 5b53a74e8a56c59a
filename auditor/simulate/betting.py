"""A betting round: who opens, whose turn it is, and what an act does to chips and positions."""

from __future__ import annotations

from auditor._jit import jit
from auditor.handlog import NOBODY, UNKNOWN
from auditor.simulate import betting_slips as slips
from auditor.simulate.chance import happens, stub
from auditor.simulate.plants import Code, by_game
from auditor.simulate.players import decide
from auditor.simulate.ranks import leader, low_card
from auditor.simulate.state import (
    ACTIVE,
    BET,
    CHECK,
    DEAD,
    DOUBTFUL,
    EXPOSE,
    FOLD,
    FOLDED,
    FORCED_BET,
    FORMERLY_DEAD,
    FORMERLY_DOUBTFUL,
    RAISE,
    RETURN,
    SEATS,
    Hand,
    Situation,
    able,
    awaits_card,
    blame,
    clockwise,
    count,
    count_able,
    emit_act,
    emit_card,
    emit_chips,
    next_able,
)


@jit
def open_round(h: Hand) -> None:
    h.opened_before = h.opener
    h.opener = NOBODY
    h.top = h.full = h.raises = h.full_raises = 0
    h.called = NOBODY
    h.answered = 0
    h.ceiling = UNKNOWN
    h.settled = 0
    for seat in range(1, SEATS):
        h.bet[seat] = h.acted[seat] = 0


@jit
def must_act(h: Hand, seat: int) -> bool:
    """With chips, and behind the largest amount or not yet heard; one alone only has to match."""
    if not able(h, seat):
        return False
    return bool(h.bet[seat] < h.top or (not h.acted[seat] and count_able(h) > 1))


@jit
def next_to_act(h: Hand, last: int) -> int:
    """The next seat clockwise of ``last`` that has to act, ``last`` itself at the end."""
    for step in range(1, SEATS):
        seat = clockwise(last, step)
        if must_act(h, seat):
            return seat
    return NOBODY


@jit
def due_to_open(h: Hand) -> int:
    """The highest showing, or after a seventh card up the opener of the round before; past all-in players.

    The community card is left out. Whoever is due may be all-in: then the next seat with chips opens.
    """
    due = leader(h, h.made_card, 0)
    if h.seventh_up and h.opened_before != NOBODY and h.status[h.opened_before] == ACTIVE:
        due = h.opened_before
    return due


@jit
def post_forced_bet(h: Hand) -> int:
    """The house's own rule for round one: the low card with chips brings it in."""
    seat = low_card(h)
    amount = min(h.forced, h.stack[seat])
    put_in(h, seat, amount)
    h.acted[seat] = 1
    emit_chips(h, FORCED_BET, seat, amount, UNKNOWN)
    return seat


@jit
def put_in(h: Hand, seat: int, amount: int) -> None:
    """Chips into the pot. A wager ends the wait of the dead positions; a stack never goes below nothing."""
    h.stack[seat] = max(0, h.stack[seat] - amount)
    h.paid[seat] += amount
    h.bet[seat] += amount
    h.top = max(h.top, h.bet[seat])
    for other in range(1, SEATS):
        if h.dead[other] == DEAD:
            h.dead[other] = FORMERLY_DEAD
        elif h.dead[other] == DOUBTFUL:
            h.dead[other] = FORMERLY_DOUBTFUL


@jit
def perform(h: Hand, seat: int, kind: int, amount: int) -> None:
    """Carry out and log one act."""
    h.acted[seat] = 1
    if kind == FOLD:
        h.status[seat] = FOLDED
        if h.top == 0 or (seat == h.forced_by and h.street == 1):
            h.dead[seat] = DEAD
        elif seat == h.forced_by:
            h.dead[seat] = DOUBTFUL
        emit_act(h, FOLD, seat)
        return
    if kind == CHECK:
        emit_act(h, CHECK, seat)
        return
    if h.ceiling != UNKNOWN and h.bet[seat] + amount > h.ceiling:
        blame(h, by_game(h, Code.EXP01, Code.EXP02))
    before = h.top
    put_in(h, seat, amount)
    h.answered = 1
    if kind == BET or kind == RAISE:
        h.answered = 0
        note_raise(h, seat, kind, before)
    emit_chips(h, kind, seat, amount, UNKNOWN)


@jit
def note_raise(h: Hand, seat: int, kind: int, before: int) -> None:
    """Keep count of raises, and of the level from which the next full bet counts."""
    h.called = seat
    size = h.small if h.street <= 2 else h.big
    full = h.top - before >= size
    if kind == RAISE:
        h.raises += 1
        h.full_raises += full and h.full == before
    if full or h.top >= h.full + size:
        h.full = h.top


@jit
def show_next_card(h: Hand) -> None:
    """The dealer exposes the top of the stub while the betting is open, once a hand.

    Only where the next round can use it: with enough cards, and on the first round after the forced bet.
    """
    if h.situation != Situation.EXPOSED or h.street != h.expose_round or h.ceiling != UNKNOWN:
        return
    due = 0
    for seat in range(1, SEATS):
        due += awaits_card(h, seat)
    if stub(h) <= due or (h.street == 1 and h.top == 0) or not happens(h, 400):
        return
    h.exposed = h.deck[h.next]
    h.ceiling = h.top
    emit_card(h, EXPOSE, NOBODY, h.exposed, UNKNOWN)


@jit
def return_uncalled(h: Hand) -> None:
    """What nobody has matched in this round goes back to the one who put it in."""
    most = second = 0
    seat = NOBODY
    for other in range(1, SEATS):
        if h.bet[other] > most:
            second = most
            most = h.bet[other]
            seat = other
        elif h.bet[other] > second:
            second = h.bet[other]
    if most > second and h.status[seat] == ACTIVE:
        h.paid[seat] -= most - second
        h.stack[seat] += most - second
        emit_chips(h, RETURN, seat, most - second, UNKNOWN)


@jit
def betting_round(h: Hand) -> None:
    """A round of betting, after which an uncalled bet goes back."""
    open_round(h)
    if count_able(h) > 1:
        bet_in_turn(h)
        return_uncalled(h)


@jit
def bet_in_turn(h: Hand) -> None:
    """Bet until everybody is heard and has matched, or one player is left."""
    slips.all_in_opens(h)
    if h.street == 1:
        seat = h.opener = h.forced_by = post_forced_bet(h)
        seat = next_to_act(h, seat)
    else:
        due = due_to_open(h)
        seat = h.opener = slips.opener(h, due, due if able(h, due) else next_able(h, due))
    while seat != NOBODY:
        show_next_card(h)
        kind, amount = decide(h, seat)
        kind, amount = slips.act(h, seat, kind, amount)
        perform(h, seat, kind, amount)
        if count(h, ACTIVE) == 1:
            return
        seat = slips.turn(h, seat, next_to_act(h, seat))

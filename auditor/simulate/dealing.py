"""The dealer's work: antes, the initial deal, the later dealing rounds, and the answer to a shortage."""

from __future__ import annotations

from auditor._jit import jit
from auditor.handlog import NOBODY, UNKNOWN
from auditor.simulate import dealing_slips as slips
from auditor.simulate.chance import burn_card, put_on_top, reshuffle, stub, take
from auditor.simulate.dealing_slips import DEAL_OUT, SHUFFLE_AND_TURN, SHUFFLE_FIRST, TURN_COMMUNITY
from auditor.simulate.plants import Code, Slip, seize, stage, wanted
from auditor.simulate.state import (
    ACTIVE,
    ANTE,
    COMMUNITY,
    DEAL,
    DOWN,
    EXPOSE,
    OUT,
    REPLACE,
    SEATS,
    SEVEN,
    UP,
    Hand,
    Situation,
    awaits_card,
    blame,
    emit_card,
    emit_chips,
)


@jit
def antes(h: Hand) -> None:
    """Everybody antes; a short stack puts in what it has and is all-in."""
    for seat in range(1, SEATS):
        if h.status[seat] == OUT:
            continue
        amount = slips.ante(h, seat, min(h.ante, h.stack[seat]))
        if amount:
            h.stack[seat] -= amount
            h.paid[seat] += amount
            emit_chips(h, ANTE, seat, amount, UNKNOWN)


@jit
def hand_over(h: Hand, seat: int, card: int, face: int) -> None:
    """Deal ``card``, already off the deck."""
    h.cards[seat, h.held[seat]] = card
    h.faces[seat, h.held[seat]] = face
    h.held[seat] += 1
    emit_card(h, DEAL, seat, UNKNOWN if face == DOWN and h.hidden else card, face)


@jit
def deal(h: Hand, seat: int, face: int) -> None:
    """Deal the top card. A twin gets the rank of the other twin's card if that can be had."""
    first, second = h.twin[0], h.twin[1]
    if seat == second and h.held[first] > h.held[seat]:
        put_on_top(h, h.cards[first, h.held[seat]] // 4)
    hand_over(h, seat, take(h), face)


@jit
def first_face(h: Hand, seat: int, number: int) -> int:
    """How a card of the initial deal falls: the last one up, unless an earlier one came up by mistake."""
    if seat == h.slip_seat:
        if number == 2:
            return slips.third_face(h)
        if h.situation == Situation.TWO_UP or number == h.slip_card:
            return UP
    if h.game == SEVEN:
        return UP if number == 2 else DOWN
    return UP if number == 1 else DOWN


@jit
def initial_deal(h: Hand) -> None:
    """One card at a time round the table; two cards wrongly up are put right at the end."""
    for number in range(3 if h.game == SEVEN else 2):
        for seat in range(1, SEATS):
            if h.status[seat] == ACTIVE:
                deal(h, seat, first_face(h, seat, number))
    if h.situation == Situation.TWO_UP:
        if wanted(h, Slip.NO_REPLACEMENT, Code.INI02) and seize(h):
            h.pending = Code.INI02
            return
        replace_second_up(h)


@jit
def replace_second_up(h: Hand) -> None:
    """The second card wrongly up makes way for what would have been the first burn, and becomes it."""
    seat = h.slip_seat
    which = slips.card_to_replace(h, 1)
    h.replaced = h.cards[seat, which]
    emit_card(h, REPLACE, seat, h.replaced, UP)
    for i in range(which, h.held[seat] - 1):
        h.cards[seat, i] = h.cards[seat, i + 1]
        h.faces[seat, i] = h.faces[seat, i + 1]
    h.held[seat] -= 1
    hand_over(h, seat, take(h), slips.substitute_face(h))


@jit
def burn(h: Hand) -> None:
    """One burn: the replaced card of the initial deal if it still waits for that, else off the stub."""
    card = h.replaced
    if card == UNKNOWN or slips.other_burn(h):
        card = take(h)
    h.replaced = UNKNOWN
    burn_card(h, card)


@jit
def line_up(h: Hand) -> int:
    """Who is dealt to, clockwise from the dealer's left: fills ``line``, returns how many."""
    n = 0
    for seat in range(1, SEATS):
        if awaits_card(h, seat):
            h.line[n] = seat
            h.mark[n] = UNKNOWN
            n += 1
    return n


@jit
def remedy(h: Hand, n: int) -> int:
    """What the final round of ``n`` cards calls for.

    Seven Card Stud: deal if the stub gives a burn and the cards; else shuffle the burns in, if that will
    do; else turn a community card. Five Card Stud's own rule is not in the schedule: this house turns
    the community card at once. With less than two cards left, the burn and the community card themselves
    must come out of the burns.
    """
    total = stub(h) + h.burns
    if stub(h) >= n + 1:
        return DEAL_OUT
    if h.situation == Situation.NOTICED_LATE and total >= n and stub(h) >= 2:
        return DEAL_OUT
    if h.game == SEVEN and total >= n + 1 - h.exact_shuffle:
        return SHUFFLE_FIRST
    return TURN_COMMUNITY if stub(h) >= 2 else SHUFFLE_AND_TURN


@jit
def dealing_round(h: Hand) -> None:
    """A burn and a card to each position that is due one; the number of the round is already set."""
    n = line_up(h)
    short = h.street == h.last and stub(h) < n + 1
    right = remedy(h, n) if h.street == h.last else DEAL_OUT
    course = slips.course(h, n, right) if h.street == h.last else right
    if course == SHUFFLE_FIRST or course == SHUFFLE_AND_TURN:
        if course != right:
            blame(h, Code.SHT01)
        reshuffle(h)
    misused = slips.exposed_card(h)
    if course != SHUFFLE_FIRST or stub(h) > n:
        burns = slips.burns_due(h)
        for _ in range(burns):
            burn(h)
        if burns != 1:
            blame(h, stage(h, Code.DEA01, Code.DEA11))
    h.exposed = UNKNOWN
    if misused != Code.NOTHING:
        blame(h, misused)
    if course == DEAL_OUT or course == SHUFFLE_FIRST:
        deal_line(h, slips.line(h, n), short)
        h.pending = h.lacking  # a card that is missing shows at the next act
        h.lacking = UNKNOWN
    else:
        if course == TURN_COMMUNITY and course != right:
            blame(h, Code.SHT01)
        turn_community(h)


@jit
def deal_line(h: Hand, n: int, short: bool) -> None:
    """Deal to the first ``n`` of ``line``; when the stub is out in a short round, shuffle the burns alone."""
    for i in range(n):
        if i:
            slips.late_burn(h, n - i)
            if slips.midway(h, n - i, short):
                turn_community(h)
                return
        if short and stub(h) == 0:
            reshuffle(h)
        if h.mark[i] != UNKNOWN:
            blame(h, h.mark[i])
        seat = h.line[i]
        if slips.from_the_muck(h, seat, short):
            continue
        deal(h, seat, slips.face(h, i, later_face(h, i)))
        if i == 0 and h.seventh_up and h.faces[seat, h.held[seat] - 1] == DOWN:
            h.faces[seat, h.held[seat] - 1] = UP
            emit_card(h, EXPOSE, seat, h.cards[seat, h.held[seat] - 1], UNKNOWN)


@jit
def later_face(h: Hand, i: int) -> int:
    """Up, but the seventh card down; if the first of those came up, all do.

    That first one is either dealt up or, ``slip_card`` deciding, turned over while it is dealt.
    """
    if h.game != SEVEN or h.street != h.last:
        return UP
    if h.situation == Situation.SEVENTH_UP:
        h.seventh_up = 1
        return DOWN if i == 0 and h.slip_card else UP
    return DOWN


@jit
def turn_community(h: Hand) -> None:
    h.community = take(h)
    emit_card(h, COMMUNITY, NOBODY, h.community, slips.community_face(h))
    slips.second_community(h)

"""The end of a hand: hands are shown or mucked, the house takes its rake, pots are awarded."""

from __future__ import annotations

from auditor._jit import jit
from auditor.handlog import NOBODY, UNKNOWN
from auditor.simulate import showdown_slips as slips
from auditor.simulate.chance import happens
from auditor.simulate.ranks import WHEEL_WORTH, odd_chip_claim, weigh
from auditor.simulate.state import (
    ACTIVE,
    AWARD,
    FOLDED,
    MUCK,
    MUCKED,
    OUT,
    RAKE,
    SEATS,
    SHOW,
    UP,
    Hand,
    clockwise,
    count,
    emit,
    emit_act,
    emit_chips,
    next_active,
)

RAKE_PERCENT = 5
RAKE_FROM = 40
"""Lowest chips in the main pot from which the house takes its share."""
RAKE_MOST = 6


@jit
def show(h: Hand, seat: int) -> None:
    h.shown[seat] = 1
    for i in range(h.held[seat]):
        emit(h, SHOW, seat, h.cards[seat, i], UP, 0, UNKNOWN)


@jit
def best_shown(h: Hand, covering: int) -> int:
    """The best hand laid open by anybody who paid at least ``covering``; 0 if none was."""
    best = 0
    for seat in range(1, SEATS):
        if h.shown[seat] and h.paid[seat] >= covering:
            best = max(best, int(h.power[seat]))
    return best


@jit
def reaches_called(h: Hand, seat: int) -> bool:
    """Whether the hand equals or beats the one of the player being called, who has laid it open."""
    return bool(h.answered and h.shown[h.called] and h.power[seat] >= h.power[h.called])


@jit
def open_hands(h: Hand) -> None:
    """The player being called shows first, the others clockwise; a hand that they beat may go to the muck.

    One that beats the hand that was called does not, so that it does not matter which of those shown it has
    to beat. When nobody was called, this house begins with the last opener, or the first seat.
    """
    first = h.called or h.opener
    if first == NOBODY or h.status[first] != ACTIVE:
        first = next_active(h, first or SEATS - 1)
    slips.called_mucks(h, first)
    first = slips.first_to_show(h, first)
    for step in range(SEATS - 1):
        seat = clockwise(first, step)
        if h.status[seat] != ACTIVE:
            continue
        better = best_shown(h, h.paid[seat]) > h.power[seat]
        called = h.answered and seat == h.called  # has to show whatever lies open
        if better and not happens(h, 300) and not reaches_called(h, seat) and not called:
            h.status[seat] = MUCKED
            emit_act(h, MUCK, seat)
        elif not slips.keeps_cards(h, seat, best_shown(h, 0), best_shown(h, h.paid[seat])):
            show(h, seat)


@jit
def take_rake(h: Hand, pot: int) -> int:
    """The house's share of the main pot, in lowest chips; returns what is left."""
    chips = pot // int(h.unit)
    rake = min(chips * RAKE_PERCENT // 100, RAKE_MOST) * int(h.unit)
    if chips >= RAKE_FROM and rake > 0:
        emit_chips(h, RAKE, NOBODY, rake, 0)
        return pot - rake
    return pot


@jit
def next_level(h: Hand, low: int) -> int:
    """The smallest amount above ``low`` that a player with a claim paid in: the top of the next pot; or 0."""
    level = 0
    for seat in range(1, SEATS):
        if h.status[seat] != FOLDED and h.status[seat] != OUT and h.paid[seat] > low:
            level = h.paid[seat] if level == 0 else min(level, h.paid[seat])
    return level


@jit
def chips_between(h: Hand, low: int, high: int) -> int:
    """What all seats paid in from ``low`` to ``high``."""
    chips = 0
    for seat in range(1, SEATS):
        chips += max(0, min(h.paid[seat], high) - low)
    return chips


@jit
def odd_chip_seat(h: Hand, high: int, best: int) -> int:
    """Of the winners, the one with the highest card by suit. A wheel's ace is not argued about: all cards."""
    chosen = NOBODY
    by_five = h.odd_by_five and best != WHEEL_WORTH
    for seat in range(1, SEATS):
        if h.status[seat] != ACTIVE or h.paid[seat] < high or h.power[seat] != best:
            continue
        if chosen == NOBODY or odd_chip_claim(h, seat, by_five) > odd_chip_claim(h, chosen, by_five):
            chosen = seat
    return chosen


@jit
def share_pot(h: Hand, pot: int, high: int, chips: int) -> None:
    """Divide one pot among its winners down to the lowest chip; the rest goes to one. Fills ``line``/``mark``
    with seats and amounts and logs them as awards."""
    best = 0
    winners = 0
    for seat in range(1, SEATS):
        if h.status[seat] == ACTIVE and h.paid[seat] >= high:
            if h.power[seat] > best or winners == 0:
                best = h.power[seat]
                winners = 1
            elif h.power[seat] == best:
                winners += 1
    share = chips // h.unit // winners * h.unit
    odd = odd_chip_seat(h, high, best)
    n = 0
    for seat in range(1, SEATS):
        if h.status[seat] == ACTIVE and h.paid[seat] >= high and h.power[seat] == best:
            h.line[n] = seat
            h.mark[n] = share + (chips - share * winners if seat == odd else 0)
            n += 1
    n = slips.awards(h, pot, high, n)
    for i in range(n):
        emit_chips(h, AWARD, h.line[i], h.mark[i], pot)


@jit
def settle(h: Hand) -> None:
    """Finish the hand: one player left takes all without showing, else the showdown."""
    if count(h, ACTIVE) > 1:
        for seat in range(1, SEATS):
            if h.status[seat] == ACTIVE:
                weigh(h, seat)
        open_hands(h)
    low = 0
    pot = 0
    high = next_level(h, low)
    while high:
        chips = chips_between(h, low, high)
        if pot == 0:
            chips = take_rake(h, chips)
        share_pot(h, pot, high, chips)
        low = high
        high = next_level(h, low)
        pot += 1
    for seat in range(SEATS):
        if h.paid[seat] > low:
            h.void = 1  # after a planted breach a folded player may have paid more than any claim reaches
    slips.last_award(h)

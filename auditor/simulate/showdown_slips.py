"""Planted breaches of the showdown and of the division of pots. The chips add up in every one of them."""

from __future__ import annotations

from auditor._jit import jit
from auditor.handlog import NOBODY, UNKNOWN
from auditor.simulate.chance import below
from auditor.simulate.plants import Code, Slip, seize, stage, wanted
from auditor.simulate.ranks import WHEEL_WORTH, odd_chip_claim
from auditor.simulate.state import (
    ACTIVE,
    FOLDED,
    MUCK,
    MUCKED,
    NEVER_DEAD,
    SEATS,
    SEVEN,
    Hand,
    blame,
    blame_at,
    clockwise,
    count,
    emit_act,
    next_active,
)


@jit
def first_to_show(h: Hand, first: int) -> int:
    """Another than the player being called shows first."""
    if h.game != SEVEN or h.called == NOBODY or not h.answered:
        return first
    if wanted(h, Slip.WRONG_FIRST, Code.SHO01) and seize(h):
        blame(h, Code.SHO01)
        other = next_active(h, clockwise(first, below(h, SEATS - 1)))
        return other if other != first else next_active(h, first)
    return first


@jit
def called_mucks(h: Hand, first: int) -> None:
    """The player being called, ``first``, throws the hand away unseen; another's claim reaches as far."""
    if h.game != SEVEN or h.called != first or not h.answered:
        return
    covered = False
    for seat in range(1, SEATS):
        covered |= seat != first and h.status[seat] == ACTIVE and h.paid[seat] >= h.paid[first]
    if covered and wanted(h, Slip.CALLED_MUCKS, Code.SHO01) and seize(h):
        blame(h, Code.SHO01)
        h.status[first] = MUCKED
        emit_act(h, MUCK, first)


@jit
def keeps_cards(h: Hand, seat: int, best: int, covered: int) -> bool:
    """A hand that equals or beats ``best``, the best one shown, is mucked, or kept face down to the end.

    A mucked one needs a shown hand that paid as much (worth ``covered``), or a side pot has no claimant.
    """
    if h.game != SEVEN or best == 0 or h.power[seat] < best:
        return False
    if covered and wanted(h, Slip.WINNER_MUCKS, Code.SHO02) and seize(h):
        blame(h, Code.SHO02)
        h.status[seat] = MUCKED
        emit_act(h, MUCK, seat)
        return True
    if wanted(h, Slip.WINNER_UNSHOWN, Code.SHO02) and seize(h):
        h.silent = seat
        return True
    return False


@jit
def last_award(h: Hand) -> None:
    """A hand that should have been shown and never was is missed when all is over.

    If a better one was shown after it, keeping it down was no breach after all: the hand is made anew.
    """
    if h.silent == NOBODY:
        return
    for seat in range(1, SEATS):
        if h.shown[seat] and h.power[seat] > h.power[h.silent]:
            h.void = 1
    blame_at(h, h.events - 1, Code.SHO02)


@jit
def awards(h: Hand, pot: int, high: int, n: int) -> int:
    """Rewrite the ``n`` awards of a pot, held in ``line`` (seats) and ``mark`` (chips); returns how many."""
    if h.planted:
        return n
    if count(h, ACTIVE) + count(h, MUCKED) == 1:
        return uncontested(h, high, n)
    if n > 1:
        return split(h, n)
    to_seat = NOBODY
    if pot == 0 and h.slip == Slip.TO_FOLDED:
        to_seat = claimless(h, FOLDED, high)
    elif pot == 0 and h.slip == Slip.TO_MUCKED:
        to_seat = claimless(h, MUCKED, high)
    elif h.slip == Slip.SECOND_BEST or h.slip == Slip.SHARED:
        to_seat = second_best(h, h.line[0], high)
    elif pot and h.slip == Slip.SIDE_POT:
        to_seat = short_winner(h, high)
    if to_seat != NOBODY and breaks(h):
        return divert(h, to_seat)
    return n


@jit
def breaks(h: Hand) -> bool:
    """Whether the award that is about to go astray breaks the obligation to be planted; puts down all.

    Who has no share in a pot breaks the all-in rule alone: whose hand is best is not asked.
    """
    other = Code.DED01
    if h.slip == Slip.SIDE_POT:
        other = Code.ALL01
    elif h.slip == Slip.SECOND_BEST or h.slip == Slip.SHARED:
        other = Code.SPK01
    by_hand = h.game == SEVEN and h.slip != Slip.SIDE_POT
    if not (h.code == other or (h.code == Code.SHO03 and by_hand)) or not seize(h):
        return False
    event = h.events + (1 if h.slip == Slip.SHARED else 0)
    blame_at(h, event, other)
    if by_hand:
        blame_at(h, event, Code.SHO03)
    return True


@jit
def divert(h: Hand, seat: int) -> int:
    """All of the pot, or half of it, to ``seat``."""
    if h.slip != Slip.SHARED:
        h.line[0] = seat
        return 1
    half = h.mark[0] // h.unit // 2 * h.unit
    h.line[1] = seat
    h.mark[1] = half
    h.mark[0] -= half
    return 2


@jit
def claimless(h: Hand, status: int, high: int) -> int:
    """A seat without a claim that paid all there is to one pot, or nobody."""
    for seat in range(1, SEATS):
        if h.paid[seat] > high and h.status[seat] != FOLDED:
            return NOBODY  # there are side pots
    for seat in range(1, SEATS):
        if h.status[seat] == status and h.paid[seat] >= high and h.dead[seat] == NEVER_DEAD:
            return seat
    return NOBODY


@jit
def second_best(h: Hand, winner: int, high: int) -> int:
    """A seat that showed a losing hand beside a winner who showed, with a share in the pot; or nobody."""
    if not h.shown[winner]:
        return NOBODY
    best = NOBODY
    for seat in range(1, SEATS):
        if seat == winner or h.status[seat] != ACTIVE or not h.shown[seat] or h.paid[seat] < high:
            continue
        if best == NOBODY or h.power[seat] > h.power[best]:
            best = seat
    return best


@jit
def short_winner(h: Hand, high: int) -> int:
    """The best hand at the table if its player is all-in for less than this side pot, or nobody."""
    best = NOBODY
    for seat in range(1, SEATS):
        if h.status[seat] == ACTIVE and (best == NOBODY or h.power[seat] > h.power[best]):
            best = seat
    return best if h.paid[best] < high else NOBODY


@jit
def uncontested(h: Hand, high: int, n: int) -> int:
    """The only player left does not get the pot."""
    code = stage(h, Code.END01, Code.END11)
    if h.slip != Slip.TO_FOLDED or (h.code != code and h.code != Code.DED01):
        return n
    folded = claimless(h, FOLDED, high)
    if folded != NOBODY and seize(h):
        blame(h, Code.DED01)
        if code != Code.NOTHING:
            blame(h, code)
        h.line[0] = folded
    return n


@jit
def split(h: Hand, n: int) -> int:
    """Equal hands share unequally, or in less than the lowest chip, or the odd chips go to the wrong one."""
    if h.game != SEVEN:
        return n
    last = h.events + n - 1
    uneven = 0
    for i in range(n):
        uneven = max(uneven, abs(h.mark[i] - h.mark[0]))
    if uneven == 0:
        if wanted(h, Slip.UNEQUAL, Code.SPL01) and h.mark[0] > h.unit and seize(h):
            blame_at(h, last, Code.SPL01)
            h.mark[0] += h.unit
            h.mark[n - 1] -= h.unit
        elif wanted(h, Slip.ALL_TO_ONE, Code.SPL01) and seize(h):
            blame(h, Code.SPL01)
            h.mark[0] *= n
            return 1
    elif below_chip(h, n, uneven) and seize(h):
        blame_at(h, last, Code.SPL01)
        blame_at(h, last, Code.SPL02)
        h.mark[0] = h.mark[1] = (h.mark[0] + h.mark[1]) // 2
    elif wanted(h, Slip.WRONG_HAND, Code.SPL02) and wrong_for_odd(h, n) >= 0 and seize(h):
        blame_at(h, last, Code.SPL02)
        move_odd(h, n, uneven)
    return n


@jit
def below_chip(h: Hand, n: int, odd: int) -> bool:
    """Whether two winners shall halve the odd chips; not where a card that both share might decide."""
    return bool(n == 2 and odd % 2 == 0 and h.community == UNKNOWN and wanted(h, Slip.BELOW_CHIP, Code.SPL01))


@jit
def wrong_for_odd(h: Hand, n: int) -> int:
    """The place in ``line`` of a winner who gets the odd chips under neither reading, or -1.

    A card that all share, or an ace that plays low, leaves room for argument: then -1 too.
    """
    if h.community != UNKNOWN or h.power[h.line[0]] == WHEEL_WORTH:
        return -1
    for i in range(n):
        beaten_five = beaten_all = False
        for j in range(n):
            mine, theirs = h.line[i], h.line[j]
            beaten_five |= odd_chip_claim(h, theirs, 1) > odd_chip_claim(h, mine, 1)
            beaten_all |= odd_chip_claim(h, theirs, 0) > odd_chip_claim(h, mine, 0)
        if beaten_five and beaten_all:
            return i
    return -1


@jit
def move_odd(h: Hand, n: int, odd: int) -> None:
    """Let the odd chips go to the wrong hand."""
    share = h.mark[0]
    for i in range(n):
        share = min(share, h.mark[i])
    for i in range(n):
        h.mark[i] = share
    h.mark[wrong_for_odd(h, n)] += odd

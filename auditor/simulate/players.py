"""What players choose to do: at random, within the limits, a little by what they hold."""

from __future__ import annotations

from auditor._jit import jit
from auditor.handlog import UNKNOWN
from auditor.simulate.chance import below, happens
from auditor.simulate.state import BET, CALL, CHECK, FIXED, FOLD, RAISE, Hand

MAX_RAISES = 6
"""Where the table has no cap, players tire of raising after so many."""


@jit
def likes(h: Hand, seat: int) -> bool:
    """A pair or better among the seat's own cards."""
    ranks = 0
    for i in range(h.held[seat]):
        rank = 1 << (h.cards[seat, i] >> 2)
        if ranks & rank:
            return True
        ranks |= rank
    return False


@jit
def bet_size(h: Hand) -> int:
    """The fixed bet of the round, or a size between the bounds of a spread, in lowest chips."""
    if h.structure == FIXED:
        return int(h.small if h.street <= 2 else h.big)
    return int(h.least + h.unit * below(h, (h.most - h.least) // h.unit + 1))


@jit
def may_raise(h: Hand) -> bool:
    """Whether the table still takes a raise: cap not reached, no exposed card, nobody holding back."""
    cap = h.raise_cap if h.raise_cap != UNKNOWN else MAX_RAISES
    return bool(h.ceiling == UNKNOWN and not h.settled and h.raises < cap)


@jit
def wager_up_to(h: Hand, seat: int) -> int:
    """Chips for a bet or raise: a full bet on top of the largest amount, or completing a short one."""
    size = bet_size(h)
    target = h.top + size
    if h.full < h.top < h.full + size and h.structure == FIXED and happens(h, 700):
        target = h.full + size
    return int(target - h.bet[seat])


@jit
def decide(h: Hand, seat: int) -> tuple[int, int]:
    """Kind of act and chips added."""
    need = h.top - h.bet[seat]
    liked = likes(h, seat)
    if need == 0:
        if may_raise(h) and happens(h, h.bet_rate * (1 + liked)):
            return RAISE if h.top else BET, min(wager_up_to(h, seat), h.stack[seat])
        return FOLD if happens(h, h.free_fold) else CHECK, 0
    if happens(h, h.fold_rate // (1 + liked)):
        return FOLD, 0
    if may_raise(h) and h.stack[seat] > need and happens(h, h.raise_rate * (1 + liked)):
        return RAISE, min(wager_up_to(h, seat), h.stack[seat])
    return CALL, min(need, h.stack[seat])

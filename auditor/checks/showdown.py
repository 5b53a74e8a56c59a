"""The showdown: who shows first, who must show, who wins."""

from __future__ import annotations

from auditor._jit import jit
from auditor.bits import count_bits, lowest_bit
from auditor.checks.opener import BOARD, LAST_UP, NOT_KNOWN, TIE, goes_back, showing_leader
from auditor.checks.registry import BREACH, COMPLIANT, INAPPLICABLE, NOT_EVIDENCED, Choice, check
from auditor.hands import (
    UNDECIDED,
    best_open,
    claimants,
    compare_to,
    conceded,
    first_of,
    hand_of,
    laid_open,
    pot_winners,
    shown_in_part,
    winners,
    worth,
)
from auditor.seats import active, all_in, layer_of
from auditor.state import AWARD, MUCK


@check(
    "showdown.called_shows_first",
    on=("show", "muck", "award"),
    needs=("show_order",),
    unit="seat",
    applies=lambda ev, st: st.showdown and not st.shows,
)
@jit
def called_shows_first(ev, st):
    """The player being called, the last to bet or raise, shows first.

    A pot that is handed out with nobody's cards seen may have been conceded without a word in the log.
    """
    claims = active(st) & ~st.mucked
    if not st.called or not claims >> st.bettor & 1 or count_bits(claims) < 2:
        return INAPPLICABLE, 0, 0  # nobody is called, or everybody else has conceded
    if ev.kind == AWARD:
        unseen = ev.at == st.final_award and not st.shows_ever >> st.bettor & 1
        return NOT_EVIDENCED if unseen else INAPPLICABLE, st.bettor, 0
    conceded_since = 0 <= st.final_award < ev.at and ev.seat != st.bettor
    if conceded_since or not claims >> ev.seat & 1:
        return INAPPLICABLE, 0, 0
    if ev.kind == MUCK:
        return BREACH if ev.seat == st.bettor else INAPPLICABLE, st.bettor, 0
    return COMPLIANT if ev.seat == st.bettor else BREACH, st.bettor, ev.seat


@check(
    "showdown.opener_shows_first",
    on=("show", "muck"),
    needs=("show_order", "faces"),
    unit="seat",
    applies=lambda ev, st: st.showdown and not (st.shows or st.wagered),
    tie=TIE,
    board=BOARD,
    last=LAST_UP,
)
@jit
def opener_shows_first(ev, st, tie, board, last):
    """When the final round was checked through, the highest hand showing shows first."""
    claims = active(st) & ~st.mucked
    if active(st) & all_in(st) or not st.actions:
        return INAPPLICABLE, 0, 0
    if not claims >> ev.seat & 1 or count_bits(claims) < 2:
        return INAPPLICABLE, 0, 0
    leader = st.previous_opener if goes_back(st, last) else showing_leader(st, tie, board, last)
    if leader == NOT_KNOWN:
        return NOT_EVIDENCED, 0, ev.seat
    if not claims >> leader & 1 or (ev.kind == MUCK and ev.seat != leader):
        return INAPPLICABLE, 0, 0
    return (
        COMPLIANT if ev.kind != MUCK and ev.seat == leader else BREACH,
        leader,
        0 if ev.kind == MUCK else ev.seat,
    )


@check(
    "showdown.better_hand_shows",
    on=("muck", "award"),
    needs=("show_order",),
    unit="seat",
    than=Choice(("best-shown", "called-hand")),
)
@jit
def better_hand_shows(ev, st, than):
    """Whoever holds a hand that equals or beats what was shown shows it; the player being called in any case.

    ``than``: the best hand shown so far, or that of the player being called, once it lies open.
    """
    claims = active(st) & ~st.mucked
    if st.shows == 0:
        return INAPPLICABLE, 0, 0
    called = 1 << st.bettor if st.called and active(st) >> st.bettor & 1 else 0
    unseen = called & ~st.showed
    if ev.kind == MUCK:
        if claims >> ev.seat & 1 and laid_open(st, ev.seat):
            return COMPLIANT, 0, ev.seat
        hidden = claims & 1 << ev.seat if count_bits(claims) > 1 else 0
    else:
        hidden = claims & ~st.shows_ever if ev.at == st.final_award else 0
        if not claims & st.showed:
            hidden &= ~unseen  # those who have shown have conceded since, the others perhaps without a word
    if hidden & unseen:
        return BREACH, 0, st.bettor
    by_called = than == 1 and called and laid_open(st, st.bettor)
    best = best_open(st, called if by_called else active(st))
    beaten = unsure = 0
    for seat in range(1, 11):
        if hidden >> seat & 1:
            reaches = UNDECIDED if best == UNDECIDED else compare_to(st, seat, best)
            if reaches == 1 and not by_called and shown_in_part(st, seat):
                reaches = UNDECIDED  # the hand not wholly shown may beat it
            if reaches == 1:
                return BREACH, 0, seat
            if reaches == UNDECIDED:
                unsure = seat
            elif beaten == 0:
                beaten = seat
    if unsure:
        return NOT_EVIDENCED, 0, unsure
    return COMPLIANT if beaten else INAPPLICABLE, 0, beaten


@jit
def _has_share(st, ev):
    """Whether the seat awarded has a share in the pot named, or in any where none is."""
    layer = layer_of(st, ev.pot)
    for index in range(st.layers):
        if (layer == index or layer == 10) and claimants(st, index) >> ev.seat & 1:
            return True
    return False


@jit
def _holds_pot_of(st, ev):
    """Who wins a pot that must be part of what the seat got with this award, though it wins another.

    0 for nobody, ``UNDECIDED`` where the cards do not tell whether one is. A pot without a claim of the seat
    is the matter of ``pots.entitlement``.
    """
    layer = layer_of(st, ev.pot)
    paid = st.pot_awarded[layer, ev.seat] + ev.amount
    if st.layers < 2 or (layer < 10 and paid <= st.layer_chips[layer]):
        return 0
    due = 0
    unsure = 0
    owner = 0
    for index in range(st.layers):
        seats = claimants(st, index)
        ahead = winners(st, seats) if seats >> ev.seat & 1 else 1 << ev.seat
        if ahead == UNDECIDED:
            unsure += st.layer_chips[index]
        elif ahead >> ev.seat & 1:
            due += st.layer_chips[index]
        elif owner == 0:
            owner = first_of(ahead)
    if layer < 10:
        return owner if st.awarded[ev.seat] + ev.amount > due + unsure else 0
    if paid > due + unsure:
        return owner
    return UNDECIDED if paid > due else 0


@check("showdown.best_hand_wins", on=("award",), unit="seat")
@jit
def best_hand_wins(ev, st):
    """The pot goes to the best five-card hand among those with a claim to it; suits never count.

    An award that is more than the pot it names, or names none, may hold a pot that another hand wins.
    """
    if not st.showdown or conceded(st, ev.pot, ev.seat):
        return INAPPLICABLE, 0, 0
    ahead = pot_winners(st, ev.pot, ev.seat)
    if not active(st) & ~st.mucked & 1 << ev.seat:
        return BREACH, first_of(ahead), ev.seat
    if not _has_share(st, ev):
        return INAPPLICABLE, 0, 0
    if ahead == UNDECIDED:
        return NOT_EVIDENCED, 0, ev.seat
    if not ahead >> ev.seat & 1:
        return BREACH, first_of(ahead), ev.seat
    owner = _holds_pot_of(st, ev)
    if owner == UNDECIDED:
        return NOT_EVIDENCED, 0, ev.seat
    return BREACH if owner else COMPLIANT, owner or ev.seat, ev.seat


@check("showdown.cards_speak", on=("award",), unit="seat")
@jit
def cards_speak(ev, st):
    """A hand laid open counts as what its cards are: no open hand with a share is passed over."""
    layer = layer_of(st, ev.pot)
    if not st.showdown or layer == 10 or not laid_open(st, ev.seat) or not _has_share(st, ev):
        return INAPPLICABLE, 0, 0
    opened = 0
    left = active(st) & ~st.mucked
    while left:
        seat = lowest_bit(left)
        left &= left - 1
        if laid_open(st, seat):
            opened |= 1 << seat
    if count_bits(opened) < 2:
        return INAPPLICABLE, 0, 0
    best = -1
    leader = 0
    for seat in range(1, 11):
        if opened & claimants(st, layer) & 1 << seat:
            if hand_of(st, seat) & st.tainted:
                return NOT_EVIDENCED, 0, ev.seat
            value = worth(st, seat)
            if value > best or (value == best and seat == ev.seat):
                best = value
                leader = seat
    return COMPLIANT if leader == ev.seat else BREACH, leader, ev.seat


@check("showdown.dead_hand", on=("award",), unit="seat")
@jit
def dead_hand(ev, st):
    """A hand that was folded or mucked has no claim to the pot."""
    if conceded(st, ev.pot, ev.seat):
        return INAPPLICABLE, 0, 0
    dead = (st.folded | st.mucked) >> ev.seat & 1
    return BREACH if dead else COMPLIANT, 0 if dead else ev.seat, ev.seat

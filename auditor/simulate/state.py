"""One hand in the making: its record, its event log, and the small vocabulary that all modules share.

Everything about a hand lives in one numpy record (``HAND``), so every step is a plain function of that
record, compiles without allocation, and any hand can be made again alone from its seed. Seats are 1-10;
index 0 stands for nobody. Money is in minor units.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np

from auditor._jit import jit
from auditor.handlog import KINDS, MAX_SEAT, NOBODY, UNKNOWN

MAX_LOG = 480
MAX_FAULTS = 48
SEATS = MAX_SEAT + 1

Hand: TypeAlias = Any
"""One record of ``HAND``: numba has no other type for it."""

(ANTE, FORCED_BET, DEAL, COMMUNITY, BURN, EXPOSE, REPLACE, RESHUFFLE, CHECK, BET, CALL, RAISE, FOLD) = map(
    KINDS.index,
    "ante forced_bet deal community burn expose replace reshuffle check bet call raise fold".split(),
)
RETURN, SHOW, MUCK, RAKE, AWARD = map(KINDS.index, "return show muck rake award".split())

DOWN, UP = 0, 1
SEVEN, FIVE = 0, 1
GAMES = ("seven-card-stud", "five-card-stud")
FIXED, SPREAD = 0, 1
OUT, ACTIVE, FOLDED, MUCKED = range(4)
NEVER_DEAD, DEAD, FORMERLY_DEAD, DOUBTFUL, FORMERLY_DOUBTFUL = range(5)
"""Whether a folded seat is a dead position. ``DOUBTFUL``: its player made the forced bet and folded to a
wager of a later round. The texts can be read either way; this house deals to it as to a dead one."""


class Situation(IntEnum):
    """What a hand is steered towards, so that rare obligations come up often enough."""

    PLAIN = 0
    TWINS = 1  # two seats are dealt the same ranks: ties for the opening, split pots
    FULL_TABLE = 2  # so many stay in that the cards run short
    NOTICED_LATE = 3  # the same, and the dealer notices only with the last round begun
    EXPOSED = 4  # the dealer shows the next card during a betting round
    ONE_UP = 5  # one of a player's first two cards comes face up
    TWO_UP = 6  # both of them do
    SEVENTH_UP = 7  # the first seventh card comes face up
    SHORT_STACKS = 8  # all-ins, short antes, side pots
    QUIET = 9  # rounds of checking in which players fold
    RAISING = 10  # raises up to the cap


HAND = np.dtype(
    [
        ("random", "u8"),  # state of the generator
        ("void", "i8"),  # 1: the hand cannot be finished by the rules and is made anew
        # the table
        ("game", "i8"),
        ("last", "i8"),  # number of the final round
        ("structure", "i8"),
        ("unit", "i8"),  # lowest chip
        ("small", "i8"),
        ("big", "i8"),
        ("least", "i8"),  # bounds of a spread bet
        ("most", "i8"),
        ("ante", "i8"),
        ("forced", "i8"),
        ("raise_cap", "i8"),  # UNKNOWN: none
        ("hidden", "i8"),  # 1: down cards are not logged until shown
        ("situation", "i8"),
        # habits of the house where the schedule leaves a choice: 0 or 1 each
        ("made_card", "i8"),  # a tie for the opening goes by the pair's best card, not the hand's
        ("odd_by_five", "i8"),  # the odd chip goes by the winning five cards, not by all
        ("exact_shuffle", "i8"),  # cards that come out exactly, without a burn, are enough
        # temper of the players, per mille
        ("free_fold", "i8"),
        ("bet_rate", "i8"),
        ("fold_rate", "i8"),
        ("raise_rate", "i8"),
        # the deck: stub is deck[next:end]
        ("deck", "i8", 52),
        ("next", "i8"),
        ("end", "i8"),
        ("burned", "i8", 52),
        ("burns", "i8"),
        ("community", "i8"),  # the card, or UNKNOWN
        ("exposed", "i8"),  # the card shown early and still on top of the stub, or UNKNOWN
        ("expose_round", "i8"),
        ("replaced", "i8"),  # the card taken back that becomes the first burn, or UNKNOWN
        ("slip_seat", "i8"),  # who gets the irregular first cards
        ("slip_card", "i8"),
        ("seventh_up", "i8"),  # 1: the final cards are dealt face up
        ("twin", "i8", 2),
        # the seats
        ("stack_at_start", "i8", SEATS),
        ("stack", "i8", SEATS),
        ("paid", "i8", SEATS),  # in the whole hand
        ("status", "i8", SEATS),
        ("dead", "i8", SEATS),
        ("cards", "i8", (SEATS, 10)),
        ("faces", "i8", (SEATS, 10)),
        ("held", "i8", SEATS),
        ("forced_by", "i8"),  # who made the forced bet
        # the round
        ("street", "i8"),  # number of the round (`round` is a method of numpy records)
        ("bet", "i8", SEATS),
        ("acted", "i8", SEATS),
        ("top", "i8"),  # largest amount of the round
        ("full", "i8"),  # the last level that was a full bet
        ("raises", "i8"),
        ("full_raises", "i8"),
        ("ceiling", "i8"),  # nobody's total may pass it after an exposure, or UNKNOWN
        ("opener", "i8"),
        ("opened_before", "i8"),  # opener of the previous round
        ("called", "i8"),  # the last to bet or raise in this round
        ("answered", "i8"),  # 1: chips went in after that bet or raise
        ("settled", "i8"),  # 1: nobody raises any more in this round
        ("line", "i8", 2 * SEATS),  # who is dealt to, in order
        ("mark", "i8", 2 * SEATS),  # the obligation that this deal breaks, or UNKNOWN
        # the showdown
        ("power", "i8", SEATS),
        ("five", "i8", SEATS),  # winning five cards, as a set of bits
        ("shown", "i8", SEATS),
        ("silent", "i8"),  # a seat that keeps its cards to itself, against the rule
        # the planted breach
        ("code", "i8"),
        ("slip", "i8"),
        ("planted", "i8"),
        ("eager", "i8"),  # 1: plant at the first occasion
        ("lacking", "i8"),  # an obligation to deal to somebody, broken in the dealing round under way
        ("pending", "i8"),  # an obligation whose breach shows at the next act, or UNKNOWN
        # what is logged
        ("events", "i8"),
        ("log", "i4", (MAX_LOG, 6)),  # kind, seat, card, face, amount, pot
        ("faults", "i8"),
        ("fault", "i8", (MAX_FAULTS, 2)),  # event, code
    ],
    align=True,
)
SHEET = np.dtype(
    [
        *((name, "i8") for name in "game structure unit hidden small big least most".split()),
        *((name, "i8") for name in "ante forced raise_cap slip events faults".split()),
        ("stacks", "i8", SEATS),
    ],
    align=True,
)
"""What stands beside the events of a hand played: fields as in ``HAND``, ``stacks`` those at its start."""


@jit
def blame_at(h: Hand, event: int, code: int) -> None:
    """Put down that ``event`` breaks the obligation ``code``."""
    h.fault[h.faults, 0] = event
    h.fault[h.faults, 1] = code
    h.faults += 1


@jit
def blame(h: Hand, code: int) -> None:
    """Put down that the event about to be logged breaks the obligation ``code``."""
    blame_at(h, h.events, code)


@jit
def emit(h: Hand, kind: int, seat: int, card: int, face: int, amount: int, pot: int) -> None:
    """Log one event. A pending fault falls on the first event that a judge would look at."""
    if h.events == MAX_LOG or h.faults > MAX_FAULTS - 4:
        h.void = 1
        return
    if h.pending != UNKNOWN and kind not in (ANTE, EXPOSE, RETURN, RAKE):
        blame(h, h.pending)
        h.pending = UNKNOWN
    row = h.events
    h.log[row, 0] = kind
    h.log[row, 1] = seat
    h.log[row, 2] = card
    h.log[row, 3] = face
    h.log[row, 4] = amount
    h.log[row, 5] = pot
    h.events += 1


@jit
def emit_act(h: Hand, kind: int, seat: int) -> None:
    emit(h, kind, seat, UNKNOWN, UNKNOWN, 0, UNKNOWN)


@jit
def emit_card(h: Hand, kind: int, seat: int, card: int, face: int) -> None:
    emit(h, kind, seat, card, face, 0, UNKNOWN)


@jit
def emit_chips(h: Hand, kind: int, seat: int, amount: int, pot: int) -> None:
    emit(h, kind, seat, UNKNOWN, UNKNOWN, amount, pot)


@jit
def count(h: Hand, status: int) -> int:
    """Seats of that status."""
    n = 0
    for seat in range(1, SEATS):
        if h.status[seat] == status:
            n += 1
    return n


@jit
def clockwise(seat: int, step: int) -> int:
    """The seat number ``step`` places to the left of ``seat``."""
    return (seat - 1 + step) % MAX_SEAT + 1


@jit
def awaits_card(h: Hand, seat: int) -> bool:
    """Whether a dealing round owes the seat a card: in the hand, or a dead position."""
    return bool(h.status[seat] == ACTIVE or h.dead[seat] == DEAD or h.dead[seat] == DOUBTFUL)


@jit
def able(h: Hand, seat: int) -> bool:
    """In the hand with chips in front."""
    return bool(h.status[seat] == ACTIVE and h.stack[seat] > 0)


@jit
def count_able(h: Hand) -> int:
    n = 0
    for seat in range(1, SEATS):
        if able(h, seat):
            n += 1
    return n


@jit
def next_able(h: Hand, seat: int) -> int:
    """The next seat clockwise that can still bet, ``seat`` itself last; ``NOBODY`` if there is none."""
    for step in range(1, MAX_SEAT + 1):
        other = clockwise(seat, step)
        if able(h, other):
            return other
    return NOBODY


@jit
def next_active(h: Hand, seat: int) -> int:
    """The next seat clockwise that has not folded, ``seat`` itself last."""
    for step in range(1, MAX_SEAT + 1):
        other = clockwise(seat, step)
        if h.status[other] == ACTIVE:
            return other
    return NOBODY

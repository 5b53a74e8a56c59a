"""Setting the table: stakes, seats, stacks, tempers, and the situation towards which a hand is steered."""

from __future__ import annotations

import numpy as np

from auditor._jit import jit
from auditor.handlog import NOBODY, UNKNOWN
from auditor.simulate.chance import below, happens
from auditor.simulate.plants import Code
from auditor.simulate.state import ACTIVE, FIVE, FIXED, SEATS, SEVEN, SPREAD, Hand, Situation

FIVE_CARD = 300
"""Hands of Five Card Stud, per mille."""
HIDDEN = 150
"""Hands whose down cards are not read by the table, per mille."""
LIKELIHOODS = np.array(
    [
        # plain twins full late exposed one-up two-up seventh-up short quiet raising
        [300, 90, 90, 40, 90, 40, 50, 60, 110, 90, 40],
        [260, 50, 160, 140, 130, 0, 0, 0, 130, 90, 40],
    ],
    np.int64,
)
"""How often hands are steered where, per mille: a row a game, a column a ``Situation``."""
TEMPERS = np.array(
    [
        # free fold, bet, fold, raise
        [15, 350, 280, 120],
        [5, 350, 40, 100],
        [5, 300, 30, 30],
        [0, 250, 5, 30],
        [15, 450, 150, 200],
        [10, 350, 150, 120],
        [10, 350, 150, 120],
        [10, 350, 80, 120],
        [10, 400, 120, 250],
        [200, 130, 250, 50],
        [5, 700, 40, 800],
    ],
    np.int64,
)
"""How players act, per mille: a row a ``Situation``."""
UNITS = np.array([100, 250, 500, 200], np.int64)
"""Lowest chip of each table, in turn."""


@jit
def clear(h: Hand) -> None:
    """A hand before anything has happened; only the generator goes on."""
    h.void = 0
    h.community = h.exposed = h.replaced = h.ceiling = h.pending = h.lacking = h.raise_cap = UNKNOWN
    h.least = h.most = h.slip_seat = h.seventh_up = h.burns = 0
    h.forced_by = h.opener = h.opened_before = h.called = h.silent = NOBODY
    h.planted = h.events = h.faults = 0
    h.twin[:] = NOBODY
    for seat in range(SEATS):
        h.stack_at_start[seat] = h.stack[seat] = h.paid[seat] = h.held[seat] = 0
        h.status[seat] = h.dead[seat] = h.power[seat] = h.five[seat] = h.shown[seat] = 0


@jit
def choose_situation(h: Hand) -> int:
    at = below(h, 1000)
    for situation in range(len(LIKELIHOODS[0])):
        at -= LIKELIHOODS[h.game, situation]
        if at < 0:
            return situation
    return 0


@jit
def set_stakes(h: Hand, table: int) -> None:
    """Limits in lowest chips of the table; a spread's smallest bet stands in for the fixed sizes."""
    h.unit = UNITS[table % len(UNITS)]
    h.structure = SPREAD if happens(h, 400) else FIXED
    if h.code == Code.FIX01 or h.code == Code.CAP01:
        h.structure = FIXED
    if h.code == Code.SPR01:
        h.structure = SPREAD
    h.ante = h.unit * (1 + below(h, 2))
    h.forced = h.unit * (1 + below(h, 2))
    h.small = h.unit * (4 + 2 * below(h, 3))
    h.big = 2 * h.small
    if h.structure == SPREAD:
        h.least = h.small = h.big = h.unit * (2 + below(h, 3))
        h.most = h.least + h.unit * (4 + below(h, 20))
    elif h.code == Code.CAP01 or happens(h, 600):
        h.raise_cap = 3 + below(h, 2)


@jit
def seat_players(h: Hand) -> None:
    """Two to eight players, ten at Five Card Stud, on any of ten chairs; stacks to fit the situation."""
    players = 2 + below(h, 9 if h.game == FIVE else 7)
    if h.situation == Situation.FULL_TABLE or h.situation == Situation.NOTICED_LATE:
        players = 10 if h.game == FIVE else 7 + happens(h, 700)
    few_chips = h.game == FIVE and h.situation == Situation.FULL_TABLE and happens(h, 500)
    while players:
        seat = 1 + below(h, SEATS - 1)
        if h.status[seat] == ACTIVE:
            continue
        h.status[seat] = ACTIVE
        players -= 1
        chips = h.big * (15 + below(h, 60)) + h.unit * below(h, 10)
        if h.situation == Situation.SHORT_STACKS and happens(h, 600):
            chips = h.unit * (1 + below(h, 4 * h.big // h.unit))
            if happens(h, 250):
                chips = h.unit * (1 + below(h, h.ante // h.unit))
        elif h.situation == Situation.PLAIN and happens(h, 100):
            chips = h.unit * (1 + below(h, 8 * h.big // h.unit))
        elif few_chips and happens(h, 400):
            chips = h.ante + h.forced + h.unit * below(h, 8)
        h.stack_at_start[seat] = h.stack[seat] = chips


@jit
def someone(h: Hand, other: int) -> int:
    """A random seat that is taken, not ``other``."""
    while True:
        seat = 1 + below(h, SEATS - 1)
        if h.status[seat] == ACTIVE and seat != other:
            return seat


@jit
def set_table(h: Hand, table: int, games: int, situation: int, hideable: int) -> None:
    """Everything that stands before the first ante. ``games`` is a bit a game; situation may be left open."""
    h.game = FIVE if happens(h, FIVE_CARD) else SEVEN
    if not games >> h.game & 1:
        h.game = 1 - h.game
    h.last = 5 if h.game == SEVEN else 4
    h.situation = choose_situation(h) if situation == UNKNOWN else situation
    h.hidden = hideable and happens(h, HIDDEN)
    h.made_card, h.odd_by_five, h.exact_shuffle = below(h, 2), below(h, 2), below(h, 2)
    temper = TEMPERS[h.situation]
    h.free_fold, h.bet_rate, h.fold_rate, h.raise_rate = temper[0], temper[1], temper[2], temper[3]
    set_stakes(h, table)
    seat_players(h)
    if h.situation == Situation.TWINS:
        a = someone(h, NOBODY)
        b = someone(h, a)
        h.twin[0], h.twin[1] = min(a, b), max(a, b)
    if h.situation == Situation.ONE_UP or h.situation == Situation.TWO_UP:
        h.slip_seat = someone(h, NOBODY)
    h.slip_card = below(h, 2)
    h.expose_round = 1 + below(h, h.last)

"""One hand from the ante to the last award."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from auditor._jit import jit
from auditor.handlog import NOBODY
from auditor.simulate.betting import betting_round
from auditor.simulate.chance import new_deck, stub
from auditor.simulate.dealing import antes, burn, deal, dealing_round, initial_deal
from auditor.simulate.plants import Code, Slip, seize, stage
from auditor.simulate.showdown import settle
from auditor.simulate.state import (
    ACTIVE,
    DOWN,
    SEATS,
    SEVEN,
    UP,
    Hand,
    awaits_card,
    blame,
    count,
    next_active,
)
from auditor.simulate.table import clear, set_table

PATIENCE = 400
"""Attempts to bring a planted breach about; the last ones take the first occasion."""
EAGER_FROM = 30

Records = npt.NDArray[Any]


@jit
def deal_on(h: Hand) -> None:
    """Planted: with one player left the dealer burns and deals that player another card.

    The round that so begins gives the dealing rule its number, the one that ended the other rule. The first
    round is not loaded and left alone.
    """
    if h.slip != Slip.DEALT_ON or h.planted or h.game != SEVEN or h.street in (1, h.last) or stub(h) < 2:
        return
    for seat in range(1, SEATS):
        if awaits_card(h, seat) and h.status[seat] != ACTIVE:
            return
    h.street += 1
    dealt = stage(h, Code.DEA05, Code.DEA15)
    if (h.code != dealt and h.code != Code.END01) or not seize(h):
        h.street -= 1
        return
    blame(h, dealt)
    blame(h, Code.END01)
    burn(h)
    blame(h, dealt)
    blame(h, Code.END01)
    deal(h, next_active(h, NOBODY + 1), DOWN if h.street == h.last else UP)


@jit
def play_out(h: Hand) -> None:
    """Play one hand at a table that is set."""
    new_deck(h)
    antes(h)
    h.street = 1
    initial_deal(h)
    betting_round(h)
    while count(h, ACTIVE) > 1 and h.street < h.last and not h.void:
        h.street += 1
        dealing_round(h)
        betting_round(h)
    if count(h, ACTIVE) == 1:
        deal_on(h)
    settle(h)


@jit
def play(
    sheets: Records,
    log: Any,
    faults: Any,
    scratch: Records,
    randoms: Any,
    tables: Any,
    plans: Any,
    clean: Any,
) -> tuple[int, int]:
    """Play one hand for each row of ``plans``; returns how many events and faults were written.

    ``sheets`` receives what stands beside the events; the columns of ``log`` (kind, seat, card, face,
    amount, pot) and of ``faults`` (event, code) take those of all hands, one hand after the other, and have
    room for ``MAX_LOG`` and ``MAX_FAULTS`` a hand. The hands are played in ``scratch[0]``.

    A plan is code, slip, games (a bit each), situation, whether down cards may be hidden. A hand that cannot
    be finished by the rules, or gave no occasion for its breach, goes on to another deal from where its
    generator stands. After ``PATIENCE`` deals it is played without the breach.
    """
    kind, seat, card, face, amount, pot = log
    event, code = faults
    h = scratch[0]
    n = m = 0
    for i in range(len(plans)):
        h.random = randoms[i]
        tries = 0
        while tries == 0 or h.void or (h.code != Code.NOTHING and not h.planted):
            plan = plans[i] if tries < PATIENCE else clean
            clear(h)
            h.eager = tries >= EAGER_FROM
            h.code, h.slip = plan[0], plan[1]
            set_table(h, tables[i], plan[2], plan[3], plan[4])
            play_out(h)
            tries += 1
        fill_in(sheets[i], h)
        for row in range(h.events):
            kind[n] = h.log[row, 0]
            seat[n] = h.log[row, 1]
            card[n] = h.log[row, 2]
            face[n] = h.log[row, 3]
            amount[n] = h.log[row, 4]
            pot[n] = h.log[row, 5]
            n += 1
        for row in range(h.faults):
            event[m] = h.fault[row, 0]
            code[m] = h.fault[row, 1]
            m += 1
    return n, m


@jit
def fill_in(sheet: Any, h: Hand) -> None:
    """Note on the sheet of a hand what its table was like and how much there is to say of it."""
    sheet.game, sheet.structure, sheet.unit, sheet.hidden = h.game, h.structure, h.unit, h.hidden
    sheet.small, sheet.big, sheet.least, sheet.most = h.small, h.big, h.least, h.most
    sheet.ante, sheet.forced, sheet.raise_cap = h.ante, h.forced, h.raise_cap
    sheet.slip, sheet.events, sheet.faults = h.slip, h.events, h.faults
    for seat in range(1, SEATS):
        sheet.stacks[seat] = h.stack_at_start[seat]

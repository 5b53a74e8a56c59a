"""Faults of logging, not of play: what a log loses, repeats, mixes up or leaves blank.

A noisy hand was played by the rules and written down badly, in one to three places. Its events are cut into
as many stretches, and each stretch suffers one fault, so that no fault undoes another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from auditor.handlog import NOBODY, SEAT_FIELDS, UNKNOWN, leaves
from auditor.simulate.chance import hashed
from auditor.simulate.played import EVENT_COLUMNS, Ints
from auditor.simulate.record import events_column, seats_column

NOISE = (
    "event-lost",
    "event-doubled",
    "event-swapped",
    "field-blanked",
    "card-unknown",
    "seat-blanked",
    "stack-blanked",
    "condition-blanked",
)
"""Kinds of faults: an event is missing; written twice in a row; has changed places with the next one; has
lost its amount, face or pot; does not name its card; does not name its seat, so that the hand cannot be
read; the stack of a seat is not known; a condition of the table is not known."""
LOST, DOUBLED, SWAPPED, BLANKED, CARD, SEAT, STACK, CONDITION = range(len(NOISE))
BLANK = {"amount": 0, "face": UNKNOWN, "pot": UNKNOWN}
CONDITIONS = "structure small_bet big_bet min_bet max_bet ante forced_bet raise_cap chip_unit".split()
STRETCHES = 3

Mask = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Faults:
    """Faults of logging: the row of the hand, its event as the log stands (-1: none can be named), the kind
    as a place in ``NOISE``. In the order of hands."""

    hand: Ints
    event: Ints
    kind: Ints


NO_FAULTS = Faults(*(np.zeros(0, np.int64) for _ in range(3)))


def disturb(table: pa.Table, noisy: Mask, numbers: Ints, seed: int) -> tuple[pa.Table, Faults]:
    """The table of ``SCHEMA`` with faults in the rows ``noisy``, drawn by their numbers and the seed."""
    row = np.flatnonzero(noisy)
    slots = numbers[row, None] * (STRETCHES + 1) + np.arange(STRETCHES + 1)
    words = hashed(seed + 2, slots)
    # Six hands in ten have one fault, three have two, one has three.
    count = np.searchsorted([6, 9], (words[:, STRETCHES] % np.uint64(10)).astype(np.int64), "right") + 1
    there = np.arange(STRETCHES) < count[:, None]
    kind = (words[:, :STRETCHES] >> np.uint64(40)).astype(np.int64) % len(NOISE)
    kind[:, 1:] %= STACK  # what befalls a hand as a whole befalls it once
    stretches = Faults(np.repeat(row, count), np.full(count.sum(), -1), kind[there])
    dice = words[:, :STRETCHES][there]

    table, events = _events(table, stretches, count, dice)
    table, stacks = _stacks(table, stretches, dice)
    table, conditions = _conditions(table, stretches, dice)
    happened = events | stacks | conditions
    return table, Faults(stretches.hand[happened], stretches.event[happened], stretches.kind[happened])


def one_of(eligible: Mask, group: Ints, dice: Words) -> Ints:
    """For each group the place of one of its eligible members, or -1; ``group`` ascends, one die a group."""
    at = np.flatnonzero(eligible)
    counts = np.bincount(group[at], minlength=len(dice))
    first = np.cumsum(counts) - counts
    some = counts > 0
    result: Ints = np.full(len(dice), -1)
    which = (dice[some] & np.uint64(0xFFFFFFFF)) % counts[some].astype(np.uint64)
    result[some] = at[first[some] + which.astype(np.int64)]
    return result


def _events(table: pa.Table, faults: Faults, count: Ints, dice: Words) -> tuple[pa.Table, Mask]:
    """Put the faults of events into the table and their places into ``faults``; says which came about."""
    offsets, fields = leaves(table, "events")
    columns = {name: fields[name].copy() for name in EVENT_COLUMNS}
    lengths = np.diff(offsets)
    rows = faults.hand[np.cumsum(count) - count]
    at, stretch = _stretches(offsets[rows], lengths[rows], count)
    chosen = one_of(_eligible(columns, at, stretch, faults.kind[stretch]), stretch, dice)
    happened = chosen >= 0
    place: Ints = np.where(happened, at[chosen], -1)

    places: list[Ints] = [place[happened & (faults.kind == kind)] for kind in range(STACK)]
    columns["card"][places[CARD]] = UNKNOWN
    columns["seat"][places[SEAT]] = NOBODY
    blanked = np.flatnonzero(happened & (faults.kind == BLANKED))
    filled = np.stack([columns[name][place[blanked]] != blank for name, blank in BLANK.items()], axis=1)
    field = one_of(
        filled.ravel(), np.repeat(np.arange(len(blanked)), len(BLANK)), dice[blanked] >> np.uint64(32)
    )
    for index, (name, blank) in enumerate(BLANK.items()):
        columns[name][place[blanked[field % len(BLANK) == index]]] = blank

    order = np.arange(len(columns["kind"]))
    swapped = places[SWAPPED]
    order[swapped], order[swapped + 1] = swapped + 1, swapped
    times = np.ones(len(order), np.int64)
    times[places[LOST]] = 0
    times[places[DOUBLED]] = 2
    starts = np.concatenate([[0], np.cumsum(times)])
    source = np.repeat(order, times)
    columns = {name: column[source] for name, column in columns.items()}
    new_offsets = starts[offsets]
    named = happened & (faults.kind != LOST)
    faults.event[named] = starts[place[named]] - new_offsets[faults.hand[named]]
    faults.event[happened & (faults.kind == DOUBLED)] += 1
    index = table.column_names.index("events")
    lists = events_column(columns, np.diff(new_offsets))
    return table.set_column(index, table.schema.field(index), lists), happened


def _stretches(first: Ints, length: Ints, count: Ints) -> tuple[Ints, Ints]:
    """The events of hands that start at ``first``, and for each the number of the stretch that it lies in."""
    hand = np.repeat(np.arange(len(length)), length)
    nth = np.arange(len(hand)) - np.repeat(np.cumsum(length) - length, length)
    before = np.cumsum(count) - count
    return first[hand] + nth, before[hand] + nth * count[hand] // length[hand]


def _eligible(columns: dict[str, npt.NDArray[Any]], at: Ints, stretch: Ints, kind: Ints) -> Mask:
    """Which events the fault of their stretch may befall; a swap stays in its stretch and shows."""
    here = {name: column[at] for name, column in columns.items()}
    followed = np.append(stretch[1:] == stretch[:-1], False)[: len(at)]
    differs = np.any(
        [np.append(column[1:] != column[:-1], False)[: len(at)] for column in here.values()], axis=0
    )
    filled = np.any([here[name] != blank for name, blank in BLANK.items()], axis=0)
    return np.select(
        [kind <= DOUBLED, kind == SWAPPED, kind == BLANKED, kind == CARD, kind == SEAT],
        [True, followed & differs, filled, here["card"] != UNKNOWN, here["seat"] != NOBODY],
        False,
    )


def _stacks(table: pa.Table, faults: Faults, dice: Words) -> tuple[pa.Table, Mask]:
    """Make one stack of the hands that are to lose one unknown."""
    happened = faults.kind == STACK
    offsets, fields = leaves(table, "seats")
    hand = np.repeat(np.arange(table.num_rows), np.diff(offsets))
    per_hand = np.zeros(table.num_rows, np.uint64)
    per_hand[faults.hand[happened]] = dice[happened]
    stack = fields["stack"].copy()
    picked = one_of(np.isin(hand, faults.hand[happened]), hand, per_hand)
    stack[picked[faults.hand[happened]]] = UNKNOWN
    index = table.column_names.index("seats")
    players = table.column(index).chunk(0).values.field(SEAT_FIELDS[1].name)
    lists = seats_column(fields["seat"], players, stack, np.diff(offsets))
    return table.set_column(index, table.schema.field(index), lists), happened


def _conditions(table: pa.Table, faults: Faults, dice: Words) -> tuple[pa.Table, Mask]:
    """Make one condition of the table unknown, of those that the hand has."""
    happened = faults.kind == CONDITION
    rows = faults.hand[happened]
    known = np.stack([pc.is_valid(table.column(name)).to_numpy()[rows] for name in CONDITIONS], axis=1)
    picked = one_of(known.ravel(), np.repeat(np.arange(len(rows)), len(CONDITIONS)), dice[happened])
    for number, name in enumerate(CONDITIONS):
        lost = np.zeros(table.num_rows, bool)
        lost[rows[picked % len(CONDITIONS) == number]] = True
        index = table.column_names.index(name)
        kept = pc.if_else(pa.array(lost), pa.scalar(None, table.schema.field(index).type), table.column(name))
        table = table.set_column(index, table.schema.field(index), kept)
    return table, happened

"""What a casino writes down of the hands played: who sat where and when, and the rows of the hand log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from auditor.handlog import EVENT_FIELDS, HAND_FIELDS, RECORDS, SCHEMA, SEAT_FIELDS, STRUCTURES, UNKNOWN
from auditor.simulate.played import EVENT_COLUMNS, Ints, Played
from auditor.simulate.state import FIXED, GAMES, SEATS, SPREAD

HANDS_A_NIGHT = 480
SECONDS_A_HAND = 90
HANDS_A_DEALER = 20
OPENING = time(18)
SHIFTS = ("evening", "night")
DEALERS = 40
SUPERVISORS = 6
DOWN_CARDS = 1 << RECORDS.index("down_cards")
ALL_RECORDS = (1 << len(RECORDS)) - 1 - (1 << RECORDS.index("times"))


def table_of(hands: Played, numbers: Ints, gaming_day: date, tables: int) -> pa.Table:
    """The hands as a table of ``SCHEMA``; the numbers of hands go round the tables."""
    columns = {**_occasion(numbers, gaming_day, tables), **_conditions(hands.sheets)}
    arrays = [
        columns[field.name] if field.name in columns else pa.nulls(len(numbers), field.type)
        for field in HAND_FIELDS
    ]
    arrays += [
        _seats(hands.sheets["stacks"], numbers % tables, tables),
        events_column(hands.events, hands.sheets["events"]),
    ]
    return pa.table([_as_type(a, f.type) for a, f in zip(arrays, SCHEMA, strict=True)], schema=SCHEMA)


def _as_type(array: Any, kind: pa.DataType) -> pa.Array:
    return array if isinstance(array, pa.Array) else pa.array(array, kind)


def words(values: Sequence[str], which: npt.NDArray[Any]) -> pa.Array:
    """The values at the places ``which``, as text."""
    return pa.array(values, pa.string()).take(pa.array(which))


def _occasion(numbers: Ints, gaming_day: date, tables: int) -> dict[str, Any]:
    """Where and when: ids, gaming day, shift, staff, clock. Dealers rotate, supervisors change by shift."""
    table, turn = numbers % tables, numbers // tables
    night, hand = turn // HANDS_A_NIGHT, turn % HANDS_A_NIGHT
    shift = hand * len(SHIFTS) // HANDS_A_NIGHT
    dealer = (hand // HANDS_A_DEALER + 7 * table + night) % DEALERS
    supervisor = (night * len(SHIFTS) + shift + table // 4) % SUPERVISORS
    days = (np.datetime64(gaming_day) + night).astype("datetime64[D]")
    opening = np.timedelta64((OPENING.hour * 60 + OPENING.minute) * 60, "s")
    table_id = words([f"T{t + 1:02d}" for t in range(tables)], table)
    turns = pc.utf8_lpad(pa.array(turn + 1).cast(pa.string()), 7, "0")
    return {
        "hand_id": pc.binary_join_element_wise(table_id, turns, "-"),
        "table_id": table_id,
        "gaming_day": days,
        "shift": words(SHIFTS, shift),
        "dealer_id": words([f"D{d + 1:03d}" for d in range(DEALERS)], dealer),
        "supervisor_id": words([f"S{s + 1:02d}" for s in range(SUPERVISORS)], supervisor),
        "started_at": (days + opening + hand * SECONDS_A_HAND).astype("datetime64[us]"),
        "currency": words(["NZD"], np.zeros(len(numbers), np.int8)),
        "dealer_position": np.zeros(len(numbers), np.int64),
        "source": words(["simulate"], np.zeros(len(numbers), np.int8)),
        "source_line": numbers,
    }


def _conditions(sheets: npt.NDArray[Any]) -> dict[str, Any]:
    """The table conditions of each hand; a limit that the structure does not know is null."""
    fixed, spread = sheets["structure"] != FIXED, sheets["structure"] != SPREAD
    return {
        "game": words(GAMES, sheets["game"]),
        "structure": words(STRUCTURES, sheets["structure"]),
        "small_bet": pa.array(sheets["small"], mask=fixed),
        "big_bet": pa.array(sheets["big"], mask=fixed),
        "min_bet": pa.array(sheets["least"], mask=spread),
        "max_bet": pa.array(sheets["most"], mask=spread),
        "ante": sheets["ante"],
        "forced_bet": sheets["forced"],
        "raise_cap": pa.array(sheets["raise_cap"], mask=sheets["raise_cap"] == UNKNOWN),
        "chip_unit": sheets["unit"],
        "records": np.where(sheets["hidden"] == 1, ALL_RECORDS - DOWN_CARDS, ALL_RECORDS).astype(np.int32),
    }


def _seats(stacks: Ints, table: Ints, tables: int) -> pa.Array:
    """The list column of seats; a chair keeps its regular."""
    hand, seat = np.nonzero(stacks)
    regulars = [f"P{t + 1:02d}{s:02d}" for t in range(tables) for s in range(SEATS)]
    players = words(regulars, table[hand] * SEATS + seat)
    return seats_column(seat, players, stacks[hand, seat], (stacks > 0).sum(axis=1))


def seats_column(seat: Ints, players: pa.Array, stack: Ints, lengths: Ints) -> pa.Array:
    """The list column of seats from their fields and the number of seats of each hand."""
    fields = [pa.array(seat, pa.int8()), players, pa.array(stack, pa.int64())]
    return _lists("seats", pa.StructArray.from_arrays(fields, fields=list(SEAT_FIELDS)), lengths)


def events_column(columns: Mapping[str, npt.NDArray[Any]], lengths: Ints) -> pa.Array:
    """The list column of events from ``EVENT_COLUMNS`` and the number of events of each hand.

    Their time and note stay empty.
    """
    fields = [pa.array(columns[name]) for name in EVENT_COLUMNS]
    fields += [pa.nulls(len(fields[0]), field.type) for field in EVENT_FIELDS[len(fields) :]]
    return _lists("events", pa.StructArray.from_arrays(fields, fields=list(EVENT_FIELDS)), lengths)


def _lists(column: str, items: pa.Array, lengths: Ints) -> pa.Array:
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())
    return pa.ListArray.from_arrays(offsets, items, type=SCHEMA.field(column).type)

"""Nights of play: who sits where and when, and the hands as a log with its truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from auditor.handlog import (
    EVENT_FIELDS,
    HAND_FIELDS,
    RECORDS,
    SCHEMA,
    SEAT_FIELDS,
    STRUCTURES,
    UNKNOWN,
    HandLog,
)
from auditor.simulate.chance import hashed
from auditor.simulate.plants import NEEDS_DOWN_CARDS, PLANTED_CODES, PLANTS, Code, Slip
from auditor.simulate.play import play
from auditor.simulate.state import FIXED, GAMES, HAND, MAX_LOG, SEATS, SPREAD

BATCH = 512
"""Hands made at a time: bounds the memory."""
HANDS_A_NIGHT = 480
SECONDS_A_HAND = 90
HANDS_A_DEALER = 20
OPENING = time(18)
SHIFTS = ("evening", "night")
DEALERS = 40
CLEAN = np.array([Code.NOTHING, UNKNOWN, 3, UNKNOWN, 1], np.int64)
"""The plan of a hand without a breach: any game, any situation."""
LOGGED = 6
"""Columns of the hand's log; the rest of an event (time, note) stays empty."""
DOWN_CARDS = 1 << RECORDS.index("down_cards")
ALL_RECORDS = (1 << len(RECORDS)) - 1 - (1 << RECORDS.index("times"))

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Night:
    """Hands as a casino would log them, and what was planted in them.

    ``truth`` has one row a broken obligation: ``hand_id``, ``event`` (from 0 in the hand), ``code``, ``kind``
    (how it was broken). A hand that is not in it keeps every rule.
    """

    log: HandLog
    truth: pd.DataFrame


def simulate(
    hands: int,
    *,
    seed: int = 0,
    plant: float = 0.0,
    only: Sequence[str] = (),
    gaming_day: date = date(2026, 11, 1),
    tables: int = 4,
) -> Night:
    """``hands`` hands of Seven and Five Card Stud, a share ``plant`` (0 to 1) with one planted breach each.

    ``only`` names the codes of the obligations to break (all that can be broken if empty). The tables play
    480 hands a night each; more hands fill the following gaming days. The same arguments give the same
    bytes, and hand n is the same however many are made.

    Raises ``ValueError`` for a count, a share or a code that makes no sense.
    """
    if hands < 0 or tables < 1:
        raise ValueError(f"hands = {hands}, tables = {tables}: give 0 or more hands and 1 or more tables")
    if not 0 <= plant <= 1:
        raise ValueError(f"plant = {plant}: give the share of hands with a breach, from 0 to 1")
    unknown = sorted(set(only) - set(PLANTED_CODES))
    if unknown:
        known = " ".join(PLANTED_CODES)
        raise ValueError(f"only = {' '.join(unknown)}: no such breach can be planted; choose from {known}")
    choices = ways(tuple(dict.fromkeys(only)) or PLANTED_CODES)
    rows: list[pa.Table] = []
    truth: list[pd.DataFrame] = []
    for first in range(0, hands, BATCH):
        numbers = np.arange(first, min(first + BATCH, hands), dtype=np.int64)
        made = np.zeros(len(numbers), HAND).view(np.recarray)
        chosen = plans(numbers, seed, plant, choices)
        play(made, hashed(seed, numbers), numbers % tables, chosen, CLEAN)
        rows.append(table_of(made, numbers, gaming_day, tables))
        truth.append(truth_of(made, rows[-1]["hand_id"]))
    log = pa.concat_tables(rows).combine_chunks() if rows else SCHEMA.empty_table()
    frame = pd.concat(truth, ignore_index=True) if truth else truth_of(np.zeros(0, HAND), log["hand_id"])
    return Night(HandLog(log), frame)


def ways(codes: Sequence[str]) -> list[Ints]:
    """For each code its plans (see ``play.play``), one a row for each way to break it."""
    rows: dict[str, list[tuple[int, ...]]] = {code: [] for code in codes}
    for p in PLANTS:
        if p.code.name in rows:
            games = sum(1 << game for game in p.games)
            rows[p.code.name].append((p.code, p.slip, games, p.situation, p.code not in NEEDS_DOWN_CARDS))
    return [np.array(rows[code], np.int64) for code in codes]


def plans(numbers: Ints, seed: int, plant: float, choices: list[Ints]) -> Ints:
    """One plan a hand: each code equally likely, then each way to break it."""
    dice = hashed(seed + 1, numbers)
    result = np.tile(CLEAN, (len(numbers), 1))
    breached = (dice >> np.uint64(40)) < plant * 2**24
    which = (dice >> np.uint64(20)) % np.uint64(len(choices))
    for index, choice in enumerate(choices):
        mine = np.flatnonzero(breached & (which == index))
        result[mine] = choice[(dice[mine] % np.uint64(len(choice))).astype(np.int64)]
    return result


def table_of(made: npt.NDArray[Any], numbers: Ints, gaming_day: date, tables: int) -> pa.Table:
    """The hands ``made`` as a table of ``SCHEMA``."""
    columns = {**occasion(numbers, gaming_day, tables), **conditions(made)}
    arrays = [
        columns[field.name] if field.name in columns else pa.nulls(len(numbers), field.type)
        for field in HAND_FIELDS
    ]
    arrays += [seats_of(made, numbers % tables, tables), events_of(made)]
    return pa.table([as_type(a, f.type) for a, f in zip(arrays, SCHEMA, strict=True)], schema=SCHEMA)


def as_type(array: Any, kind: pa.DataType) -> pa.Array:
    return array if isinstance(array, pa.Array) else pa.array(array, kind)


def occasion(numbers: Ints, gaming_day: date, tables: int) -> dict[str, Any]:
    """Where and when: ids, gaming day, shift, staff, clock. Dealers rotate, supervisors change by shift."""
    table, turn = numbers % tables, numbers // tables
    night, hand = turn // HANDS_A_NIGHT, turn % HANDS_A_NIGHT
    shift = hand * len(SHIFTS) // HANDS_A_NIGHT
    dealer = (hand // HANDS_A_DEALER + 7 * table + night) % DEALERS
    supervisor = (night * len(SHIFTS) + shift + table // 4) % 6
    days = (np.datetime64(gaming_day) + night).astype("datetime64[D]")
    opening = np.timedelta64((OPENING.hour * 60 + OPENING.minute) * 60, "s")
    return {
        "hand_id": [f"T{t + 1:02d}-{n + 1:07d}" for t, n in zip(table.tolist(), turn.tolist(), strict=True)],
        "table_id": [f"T{t + 1:02d}" for t in table.tolist()],
        "gaming_day": days,
        "shift": [SHIFTS[s] for s in shift.tolist()],
        "dealer_id": [f"D{d + 1:03d}" for d in dealer.tolist()],
        "supervisor_id": [f"S{s + 1:02d}" for s in supervisor.tolist()],
        "started_at": (days + opening + hand * SECONDS_A_HAND).astype("datetime64[us]"),
        "currency": ["NZD"] * len(numbers),
        "dealer_position": np.zeros(len(numbers), np.int64),
        "source": ["simulate"] * len(numbers),
        "source_line": numbers,
    }


def conditions(made: npt.NDArray[Any]) -> dict[str, Any]:
    """The table conditions of each hand; a limit that the structure does not know is null."""
    fixed, spread = made["structure"] != FIXED, made["structure"] != SPREAD
    return {
        "game": [GAMES[game] for game in made["game"].tolist()],
        "structure": [STRUCTURES[structure] for structure in made["structure"].tolist()],
        "small_bet": pa.array(made["small"], mask=fixed),
        "big_bet": pa.array(made["big"], mask=fixed),
        "min_bet": pa.array(made["least"], mask=spread),
        "max_bet": pa.array(made["most"], mask=spread),
        "ante": made["ante"],
        "forced_bet": made["forced"],
        "raise_cap": pa.array(made["raise_cap"], mask=made["raise_cap"] == UNKNOWN),
        "chip_unit": made["unit"],
        "records": np.where(made["hidden"] == 1, ALL_RECORDS - DOWN_CARDS, ALL_RECORDS).astype(np.int32),
    }


def offsets(lengths: Ints) -> pa.Array:
    return pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())


def seats_of(made: npt.NDArray[Any], table: Ints, tables: int) -> pa.Array:
    """The list column of seats; a chair keeps its regular."""
    stacks = made["stack_at_start"]
    hand, seat = np.nonzero(stacks)
    regulars = pa.array([f"P{t + 1:02d}{s:02d}" for t in range(tables) for s in range(SEATS)])
    players = regulars.take(pa.array(table[hand] * SEATS + seat))
    structs = pa.StructArray.from_arrays(
        [pa.array(seat, pa.int8()), players, pa.array(stacks[hand, seat], pa.int64())],
        fields=list(SEAT_FIELDS),
    )
    return pa.ListArray.from_arrays(
        offsets((stacks > 0).sum(axis=1)), structs, type=SCHEMA.field("seats").type
    )


def events_of(made: npt.NDArray[Any]) -> pa.Array:
    """The list column of events."""
    rows = made["log"][np.arange(MAX_LOG) < made["events"][:, None]]
    fields = [
        pa.array(column, f.type) for column, f in zip(rows.T.copy(), EVENT_FIELDS[:LOGGED], strict=True)
    ]
    fields += [pa.nulls(len(rows), field.type) for field in EVENT_FIELDS[LOGGED:]]
    structs = pa.StructArray.from_arrays(fields, fields=list(EVENT_FIELDS))
    return pa.ListArray.from_arrays(offsets(made["events"]), structs, type=SCHEMA.field("events").type)


def truth_of(made: npt.NDArray[Any], hand_ids: pa.ChunkedArray) -> pd.DataFrame:
    """What was planted in the hands ``made``, in the order of hands and events."""
    hand, row = np.nonzero(np.arange(made["fault"].shape[1]) < made["faults"][:, None])
    faults = made["fault"][hand, row]
    slips = made["slip"][hand]
    return pd.DataFrame(
        {
            "hand_id": pd.array(hand_ids.take(pa.array(hand)).to_pylist(), "str"),
            "event": faults[:, 0].astype(np.int64),
            "code": pd.array([Code(code).name for code in faults[:, 1].tolist()], "str"),
            "kind": pd.array([Slip(slip).kind for slip in slips.tolist()], "str"),
        }
    )

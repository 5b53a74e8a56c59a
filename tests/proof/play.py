"""Hands through the loop as plain Python, fast: what mutation testing asks a thousand times over.

The loop is the product's own. Only what it reads and writes is held in lists and plain objects here, which
Python reaches ten times faster than the records of numpy that the compiler wants.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from auditor import steps
from auditor.batch import loop_arguments
from auditor.checks.registry import VERDICTS
from auditor.findings import words
from auditor.handlog import STRUCTURES
from auditor.plan import Pass, Plan
from auditor.state import DEFECTS, GAMES, HAND, scratch
from tests.hands import Row, log_of

Said = tuple[tuple[Row, ...], frozenset[str]]
"""All verdicts on a hand, and its defects."""
ALL = sum(1 << code for code in range(1, len(VERDICTS)))
"""What the loop is to write down: every verdict."""


class Column(list[Any]):
    """A list with what the loop asks of an array."""

    @property
    def size(self) -> int:
        return len(self)

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return Column(found) if isinstance(index, slice) else found


class Grid:
    """An array of two dimensions."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows

    def __getitem__(self, at: tuple[int, int]) -> int:
        return self.rows[at[0]][at[1]]

    def __setitem__(self, at: tuple[int, int], value: int) -> None:
        self.rows[at[0]][at[1]] = value


class Slot:
    """An array of one record: what is put in is copied."""

    def __init__(self, plain: dict[str, Any]) -> None:
        self[0] = plain

    def __setitem__(self, _: int, plain: dict[str, Any]) -> None:
        self.record = SimpleNamespace()
        for name, value in plain.items():
            match value:
                case [[*_], *_]:
                    value = Grid([list(row) for row in value])
                case [*_]:
                    value = list(value)
            setattr(self.record, name, value)

    def __getitem__(self, _: int) -> SimpleNamespace:
        return self.record


def _plain(array: np.ndarray) -> dict[str, Any]:
    """The only record of an array by field, in numbers and lists."""
    return {name: array[name][0].tolist() for name in array.dtype.names or () if name != "hand"}


class Rows(defaultdict[int, SimpleNamespace]):
    """An array of rows as long as need be."""

    size = 1 << 62

    def __missing__(self, at: int) -> SimpleNamespace:
        self[at] = SimpleNamespace(reading_verdict=[0] * 4, reading_expected=[0] * 4)
        return self[at]


@dataclass(frozen=True)
class Prepared:
    """A hand as the loop takes it: its arguments from ``wanted_hands`` to ``stack``, and what it works in."""

    rules: str
    arguments: tuple[Any, ...]
    state: dict[str, Any]
    event: dict[str, Any]
    found: dict[str, Any]


@cache
def applied(rules: str, readings: tuple[str, ...] = (), assumptions: tuple[str, ...] = ()) -> Pass:
    """The last edition of a rule set, with a loop that runs as plain Python, on the integers of Python."""
    if os.environ.get("AUDITOR_COMPILE") != "0":
        raise RuntimeError("set AUDITOR_COMPILE=0: only plain Python can be changed under way")
    made = Plan.make(rules, readings=readings, assumptions=assumptions).passes[-1]
    plain = SimpleNamespace(int64=int, uint64=int)
    for module in (steps, sys.modules[made.loop.function.__module__]):
        vars(module)["np"] = plain
    return made


def prepare(
    hands: Sequence[dict[str, Any]],
    readings: Sequence[str] = (),
    assumptions: Sequence[str] = (),
    rules: str = "nz-1999",
) -> list[Prepared]:
    """Hands in the text form, ready to be played under a rule set with these choices."""
    asked = applied(rules, tuple(readings), tuple(assumptions)).asked
    _, *scratches = map(_plain, scratch(asked))
    table = log_of(hands).table
    mine, _, event_offsets, *events, seat_offsets, seat, stack = (
        column.tolist()
        for column in loop_arguments(table, np.zeros(1, HAND).view(np.recarray), np.ones(1, bool))
    )
    prepared = []
    for h, hand in enumerate(hands):
        head = {name: -1 if hand.get(name) is None else hand[name] for name in HAND.names or ()}
        head |= {
            "game": GAMES[hand["game"]],
            "structure": STRUCTURES.index(hand["structure"]) if hand.get("structure") else -1,
            "records": table.column("records")[h].as_py(),
            "table": 0,
        }
        lo, hi = event_offsets[h : h + 2]
        first, last = seat_offsets[h : h + 2]
        arguments = (
            mine,
            Column([SimpleNamespace(**head)]),
            [0, hi - lo],
            *(Column(column[lo:hi]) for column in events),
            [0, last - first],
            Column(seat[first:last]),
            Column(stack[first:last]),
        )
        prepared.append(Prepared(rules, arguments, *scratches))
    return prepared


def play(hand: Prepared) -> Said:
    """Everything the auditor says of a hand."""
    this = applied(hand.rules)  # the loop is the same whatever is chosen
    rows, faults = Rows(), Rows()
    _, _, filled, faulty = this.loop.function(
        0,
        *hand.arguments,
        Slot(hand.state),
        [hand.state],
        Slot(hand.event),
        Slot(hand.found),
        np.zeros((1, len(this.loop.clauses), len(VERDICTS)), np.int64),
        rows,
        faults,
        ALL,
        Column(),
    )
    said = []
    for n in range(filled):
        row, clause = rows[n], this.loop.clauses[rows[n].clause]
        assert clause.check
        phrases = (words(clause.check.unit, value) for value in (row.expected, row.observed))
        said.append((row.event, clause.code, VERDICTS[row.verdict], *phrases))
    bits = 0
    for d in range(faulty):
        bits |= faults[d].bits
    return tuple(said), frozenset(name for bit, name in enumerate(DEFECTS) if bits >> bit & 1)  # type: ignore[arg-type]

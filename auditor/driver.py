"""One compiled loop per edition of a rule set, written as a module of its own under a content hash.

The loop (``looptext``) is kept under a hash of everything the verdicts follow from: replay, hands, checks,
this driver, and the edition's clauses with their encoded readings.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from auditor.checks.registry import (
    BREACH,
    COMPLIANT,
    INAPPLICABLE,
    INDETERMINATE,
    NOT_EVIDENCED,
    VERDICTS,
)
from auditor.compiled import function_of, key_of
from auditor.handlog import UNKNOWN
from auditor.looptext import clauses_of, most_per_event, source_of, variants
from auditor.rulesets import Clause, Edition, RuleSetError
from auditor.state import EVENT, FOUND, HAND, MAX_CLAUSES, MAX_FOUND, MAX_READINGS, STATE

if TYPE_CHECKING:
    from auditor.native import Signature

ROW = np.dtype(
    [
        ("hand", "i4"),
        ("event", "i4"),
        ("clause", "i2"),
        ("verdict", "i1"),
        ("betting_round", "i1"),
        ("follows", "i4"),
        ("expected", "i8"),
        ("observed", "i8"),
        ("reading_verdict", "i1", (MAX_READINGS,)),
        ("reading_expected", "i8", (MAX_READINGS,)),
    ],
    align=True,
)
"""A verdict as the loop writes it; ``hand`` is the row in the batch, ``follows`` -1 or an event."""
DEFECT_ROW = np.dtype([("hand", "i4"), ("event", "i4"), ("bits", "i4")], align=True)
TRACE = np.dtype(
    [
        ("betting_round", "i1"),
        ("pot", "i8"),
        ("to_match", "i8"),
        ("must_act", "i2"),
        ("active", "i2"),
        ("all_in", "i2"),
        ("dead", "i2"),
        ("stub", "i4"),
        ("burns", "i4"),
        ("cap", "i8"),
        ("up", "i8", (11,)),
    ],
    align=True,
)
"""The state after an event, for people who look at one hand; ``cap`` is -1 where there is none."""

_PACKAGE = Path(__file__).parent
SOURCES = (
    "_jit.py",
    "bits.py",
    "cards.py",
    "handlog.py",
    "strength.py",
    "state.py",
    "seats.py",
    "exposures.py",
    "deck.py",
    "steps.py",
    "hands.py",
    "looptext.py",
    "driver.py",
)


@dataclass(frozen=True)
class Loop:
    """The compiled loop of an edition, its clauses in the order of their numbers in ``ROW``, the reading of
    each way to ask each of them, the largest number of rows an event can fill, and the hash of it all.

    In another process it is made anew from the edition (``loop_of``), or found in the cache there.
    """

    edition: Edition
    function: Any
    clauses: tuple[Clause, ...]
    readings: tuple[tuple[str, ...], ...]
    per_event: int
    key: str

    def __reduce__(self) -> tuple[Any, ...]:
        return loop_of, (self.edition,)


def settle(seen: int) -> int:
    """The verdict of a clause from those of its readings, given as bits ``1 << verdict``."""
    if seen == 1 << INAPPLICABLE:
        return INAPPLICABLE
    if seen & 1 << NOT_EVIDENCED:
        return NOT_EVIDENCED
    if seen & 1 << BREACH:
        return BREACH if seen == 1 << BREACH else INDETERMINATE
    return COMPLIANT


def carry_over(found: Any, tallies: Any) -> None:
    """Add what was counted of a table's hands to its ``tallies``, and begin to count anew."""
    for clause in range(len(tallies)):
        for verdict in range(len(VERDICTS)):
            tallies[clause, verdict] += found.tally[clause, verdict]
            found.tally[clause, verdict] = 0


def forget(found: Any, tallies: Any) -> None:
    """Begin to count anew without what was counted since ``carry_over`` into ``tallies``."""
    for clause in range(len(tallies)):
        for verdict in range(len(VERDICTS)):
            found.tally[clause, verdict] = 0


def withdraw(rows: Any, start: int, end: int, tallies: Any, despite: Any) -> None:
    """Make the breaches among a hand's ``rows`` not evidenced: its log contradicts itself.

    Which of the events is wrong cannot be told, and play is not blamed for it. Breaches of the clauses in
    ``despite``, which are such a contradiction themselves, stand, and alone are followed by others.
    """
    first = UNKNOWN
    for index in range(start, end):
        row = rows[index]
        row.follows = first if first < row.event else UNKNOWN
        if row.verdict == BREACH and despite[row.clause]:
            first = row.event if first < 0 else first
        elif row.verdict == BREACH:
            row.verdict = NOT_EVIDENCED
            tallies[row.clause, BREACH] -= 1
            tallies[row.clause, NOT_EVIDENCED] += 1


def only(rows: Any, start: int, end: int, wanted: int) -> int:
    """Close up the rows of a hand so that only verdicts ``wanted`` are left; where they then end."""
    kept = start
    for index in range(start, end):
        if wanted >> rows[index].verdict & 1:
            rows[kept] = rows[index]
            kept += 1
    return kept


def loop_key(source: str) -> str:
    """Hash of all that the verdicts of a loop of this text follow from, the interpreter included."""
    checks = sorted((_PACKAGE / "checks").glob("*.py"))
    return key_of(source, [*(_PACKAGE / name for name in SOURCES), *checks])


def _check_room(edition: Edition) -> None:
    """Compiled code checks no bounds: what it writes into the state must have room there."""
    clauses = clauses_of(edition)
    ways = max(len(variants(clause)) for clause in clauses)
    for what, count, room in (
        ("clauses", len(clauses), MAX_CLAUSES),
        ("clauses asked on one kind of event", most_per_event(edition), MAX_FOUND),
        ("ways to ask one clause", ways, MAX_READINGS),
    ):
        if count > room:
            raise RuleSetError(f"{edition.book.name}: {count} {what}, where {room} are the most there may be")


def _signature() -> Signature:
    """What the text of ``looptext`` takes and gives."""
    from auditor.native import Argument, Signature

    def leaves(**items: npt.DTypeLike) -> list[Argument]:
        return [Argument(name, each) for name, each in items.items()]

    log = leaves(wanted_hands=np.bool_, hands=HAND, event_offsets=np.int32)
    log += leaves(kind=np.int8, seat=np.int8, card=np.int8, face=np.int8, amount=np.int64, pot=np.int8)
    log += leaves(seat_offsets=np.int32, seat_no=np.int8, stack=np.int64)
    room = leaves(state=STATE, blank=STATE, event=EVENT, found=FOUND)
    rows = leaves(rows=ROW, defects=DEFECT_ROW)
    return Signature(
        (
            Argument("first", dimensions=0),
            *log,
            *room,
            Argument("tallies", dimensions=3),
            *rows,
            Argument("wanted", dimensions=0),
            Argument("trace", TRACE),
        ),
        answers=4,
    )


def _events(first: int, wanted: Any, hands: Any, event_offsets: npt.NDArray[np.int32], *rest: Any) -> int:
    """How many events a loop is given."""
    return int(event_offsets[-1]) - int(event_offsets[first])


_loops: dict[str, Loop] = {}


def loop_of(edition: Edition) -> Loop:
    """The loop of an edition, compiled on its first call and cached across runs."""
    source = source_of(edition)
    key = loop_key(source)
    if key not in _loops:
        _check_room(edition)
        clauses = clauses_of(edition)
        function = function_of(source, "loop", key, _signature, _events)
        readings = tuple(tuple(variant.reading for variant in variants(clause)) for clause in clauses)
        _loops[key] = Loop(edition, function, clauses, readings, most_per_event(edition), key)
    return _loops[key]

"""A batch of hands to findings and tallies: a pure function, fit for a thread or for another machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor import driver
from auditor.checks.registry import VERDICTS
from auditor.findings import (
    DEFECT_MESSAGES,
    DEFECTS,
    FINDINGS,
    IDENTITY,
    fingerprint,
    phrases,
    stands_at,
    words,
)
from auditor.handlog import KINDS, SCHEMA, STAKES, STRUCTURES, Quarantined, leaves
from auditor.plan import Pass, Plan
from auditor.sources.base import Batch
from auditor.sources.jsontext import lines
from auditor.state import DEFECTS as DEFECT_BITS
from auditor.state import GAMES, HAND, MAX_READINGS, scratch

_BUFFER = 1 << 15
NO_TRACE = np.empty(0, driver.TRACE).view(np.recarray)
"""Where the states of a hand are not wanted."""


@dataclass
class Counts:
    """What is counted of batches: hands, those audited by pass and by game, and by pass and table the
    verdicts (clauses x verdicts).

    Read are those audited and those quarantined. A file, or the rest of one, that cannot be read is one of
    the latter: how many hands it holds is not known, and so nothing that was given goes uncounted.
    """

    read: int
    audited: int
    quarantined: int
    hands_by_pass: np.ndarray
    hands_by_game: Counter[str]
    tallies: dict[tuple[int, str | None], np.ndarray]

    @classmethod
    def none(cls, plan: Plan) -> Counts:
        return cls(0, 0, 0, np.zeros(len(plan.passes), np.int64), Counter(), {})

    def add(self, other: Counts) -> None:
        self.read += other.read
        self.audited += other.audited
        self.quarantined += other.quarantined
        self.hands_by_pass = self.hands_by_pass + other.hands_by_pass
        self.hands_by_game += other.hands_by_game
        for key, counts in other.tallies.items():
            self.tallies[key] = self.tallies[key] + counts if key in self.tallies else counts


@dataclass
class BatchResult:
    """What came of one batch; ``hands`` are the columns ``IDENTITY`` of the hands that could be read."""

    counts: Counts
    hands: pa.Table
    findings: pa.Table
    defects: pa.Table
    quarantine: tuple[Quarantined, ...]


def audit_batch(plan: Plan, batch: Batch, trace: np.ndarray = NO_TRACE) -> BatchResult:
    """Audit the hands of a batch: the pure function that threads and clusters run.

    To look into one hand, give a batch of it alone and a ``trace`` (``driver.TRACE``) as long as its events:
    it is filled with the state after each.
    """
    table = batch.table.combine_chunks()
    table = table.append_column(FINDINGS.field("file"), files_of(batch, table))
    edition, refused = _editions(plan, table)
    games, uncovered = _games(plan, table)
    quarantine = list(batch.quarantine) + _set_aside(batch, table, edition, refused, uncovered)
    edition[uncovered] = -1
    tables = table.column("table_id").combine_chunks().dictionary_encode()
    names: list[str | None] = [*tables.dictionary.to_pylist(), None]
    hands = _hands(table, games, tables.indices.fill_null(len(names) - 1))
    results = [
        _run(plan, number, table, hands, edition == number, len(names), trace)
        for number in range(len(plan.passes))
    ]
    audited = sum(result[0] for result in results)
    due = int((edition >= 0).sum())
    if not audited == due == table.num_rows - (len(quarantine) - len(batch.quarantine)):
        raise RuntimeError(f"{batch.source}: {due} hands were to be audited, and {audited} were")
    tallies = {
        (number, names[code]): counts[code]
        for number, (_, _, _, counts) in enumerate(results)
        for code in range(len(names))
        if counts[code].any()
    }
    findings = [_findings(plan, number, table, rows) for number, (_, rows, _, _) in enumerate(results)]
    return BatchResult(
        counts=Counts(
            read=table.num_rows + len(batch.quarantine),
            audited=audited,
            quarantined=len(quarantine),
            hands_by_pass=np.array([result[0] for result in results], np.int64),
            hands_by_game=_by_game(games[edition >= 0]),
            tallies=tallies,
        ),
        hands=table.select(IDENTITY.names),
        findings=_in_order(findings),
        defects=_defects(table, np.concatenate([defects for _, _, defects, _ in results])),
        quarantine=tuple(quarantine),
    )


def files_of(batch: Batch, table: pa.Table) -> pa.Array | pa.ChunkedArray:
    """The file that each hand was read from; null of a log in memory."""
    if batch.source == "":
        return table.column("source")
    return pa.repeat(pa.scalar(batch.source, pa.string()), table.num_rows)


def _editions(plan: Plan, table: pa.Table) -> tuple[np.ndarray, np.ndarray]:
    """The pass of each hand by its gaming day, -1 where none is in force; and where that is so."""
    days = table.column("gaming_day").combine_chunks()
    numbers = np.full(table.num_rows, -1)
    known = days.dictionary_encode()
    codes = known.indices.fill_null(len(known.dictionary)).to_numpy(zero_copy_only=False)
    for code, day in enumerate([*known.dictionary.to_pylist(), None]):
        found = plan.rules.edition_on(day)
        if found is not None:
            numbers[codes == code] = plan.rules.editions.index(found)
    return numbers, numbers < 0


def _games(plan: Plan, table: pa.Table) -> tuple[np.ndarray, np.ndarray]:
    """The game of each hand as the loop knows it; and the hands whose game the rule set does not cover."""
    column = table.column("game").combine_chunks().dictionary_encode()
    words_ = column.dictionary.to_pylist()
    codes = np.array([GAMES[word] if word in plan.rules.games else 0 for word in words_], np.int64)
    games = codes[column.indices.to_numpy(zero_copy_only=False)] if words_ else np.zeros(0, np.int64)
    return games, games == 0


def _by_game(games: np.ndarray) -> Counter[str]:
    counts = np.bincount(games, minlength=len(GAMES) + 1)
    return Counter({name: int(counts[code]) for name, code in GAMES.items() if counts[code]})


def _set_aside(
    batch: Batch, table: pa.Table, edition: np.ndarray, refused: np.ndarray, uncovered: np.ndarray
) -> list[Quarantined]:
    """Quarantine entries for hands that no edition or no clause of the rule set speaks of."""
    aside = np.flatnonzero(refused | uncovered)
    if not len(aside):
        return []
    part = table.take(pa.array(aside))
    texts = lines(part.select(SCHEMA.names)).to_pylist()
    entries = []
    for row, text in enumerate(texts):
        hand = {
            name: part.column(name)[row].as_py()
            for name in ("hand_id", "game", "gaming_day", "file", "source", "source_line")
        }
        reason = f"the rule set does not cover {hand['game']}"
        if not uncovered[aside[row]]:
            reason = f"no edition of the rule set is in force on {hand['gaming_day']}"
        source, line = stands_at(hand)
        entries.append(Quarantined(source, reason, text, line=line, hand_id=hand["hand_id"]))
    return entries


def _hands(table: pa.Table, games: np.ndarray, tables: pa.Array) -> np.ndarray:
    """The columns of the hands as the loop reads them."""
    hands = np.full(table.num_rows, 0, HAND).view(np.recarray)
    hands.game = games
    hands.table = tables.to_numpy(zero_copy_only=False)
    structures = pc.index_in(table.column("structure"), pa.array(STRUCTURES))
    hands.structure = pc.fill_null(structures, -1).to_numpy()
    hands.records = table.column("records").to_numpy()
    for name in (*STAKES, "dealer_position"):
        hands[name] = pc.fill_null(table.column(name), -1).to_numpy()
    return hands


def _read_only(array: np.ndarray) -> np.ndarray:
    # Arrow's leaves are; where they lie in a buffer of others, a number may lie astride in memory, which
    # compiled code cannot read.
    view = np.require(array, requirements="A").view()
    view.setflags(write=False)
    return view


def _run(
    plan: Plan,
    number: int,
    table: pa.Table,
    hands: np.ndarray,
    mine: np.ndarray,
    tables: int,
    trace: np.ndarray,
) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Run one pass over its hands: hands audited, verdict rows, defect rows, counts by table."""
    this = plan.passes[number]
    counts = np.zeros((tables, len(this.loop.clauses), len(VERDICTS)), np.int64)
    if not mine.any():
        return 0, np.zeros(0, driver.ROW), np.zeros(0, driver.DEFECT_ROW), counts
    arguments = loop_arguments(table, hands, mine)
    buffer, defects = _buffers(this, arguments[2])
    rows, faults, audited, first = [], [], 0, 0
    while first < len(hands):
        first, done, filled, faulty = this.loop.function(
            first,
            *arguments,
            *scratch(this.asked),
            counts,
            buffer,
            defects,
            plan.wanted,
            trace,
        )
        audited += done
        rows.append(np.array(buffer[:filled], driver.ROW))
        faults.append(np.array(defects[:faulty], driver.DEFECT_ROW))
    return audited, np.concatenate(rows), np.concatenate(faults), counts


def _buffers(this: Pass, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Room for the verdict rows and the defect rows of any hand of a batch at least."""
    longest = int(np.diff(offsets).max(initial=0))
    rows = np.empty(max(_BUFFER, longest * this.loop.per_event + 1), driver.ROW).view(np.recarray)
    return rows, np.empty(max(_BUFFER, longest + 1), driver.DEFECT_ROW).view(np.recarray)


def loop_alone(plan: Plan, table: pa.Table, asked: np.ndarray) -> Callable[[], Any]:
    """A call of the first pass's loop over a whole batch that writes no verdict down, to be timed."""
    this = plan.passes[0]
    games, _ = _games(plan, table)
    hands = _hands(table, games, pa.array(np.zeros(table.num_rows, np.int32)))
    arguments = loop_arguments(table, hands, games > 0)
    counts = np.zeros((1, len(this.loop.clauses), len(VERDICTS)), np.int64)
    buffers, room = _buffers(this, arguments[2]), scratch(asked)
    return lambda: this.loop.function(0, *arguments, *room, counts, *buffers, 0, NO_TRACE)


def loop_arguments(table: pa.Table, hands: np.ndarray, mine: np.ndarray) -> tuple[Any, ...]:
    """What the loop reads of a table whose every field has been range-checked, all of it read-only."""
    event_offsets, events = leaves(table, "events")
    seat_offsets, seats = leaves(table, "seats")
    return (
        _read_only(mine),
        _read_only(hands).view(np.recarray),
        _read_only(event_offsets),
        *(_read_only(events[name]) for name in ("kind", "seat", "card", "face", "amount", "pot")),
        _read_only(seat_offsets),
        _read_only(seats["seat"]),
        _read_only(seats["stack"]),
    )


def _findings(plan: Plan, number: int, table: pa.Table, rows: np.ndarray) -> pa.Table:
    """Verdict rows as findings, in the order of hand, event and clause, with the row of the hand kept."""
    this = plan.passes[number]
    if not len(rows):
        return FINDINGS.empty_table().append_column("row", pa.array([], pa.int64()))
    hand = pa.array(rows["hand"].astype(np.int64))
    clause, event = rows["clause"], rows["event"].astype(np.int32)
    units = [clause.check.unit if clause.check else "" for clause in this.clauses]
    offsets, events = leaves(table, "events")
    at = offsets[rows["hand"]] + event

    def of_clause(values: Iterable[str]) -> pa.Array:
        return pa.array(list(values), pa.string()).take(pa.array(clause))

    columns: dict[str, Any] = {
        name: table.column(name).take(hand) for name in FINDINGS.names if name in table.column_names
    }
    codes = of_clause(c.code for c in this.clauses)
    columns |= {
        "fingerprint": pa.array(
            map(
                fingerprint,
                codes.to_pylist(),
                columns["table_id"].to_pylist(),
                columns["hand_id"].to_pylist(),
                event.tolist(),
            ),
            pa.string(),
        ),
        "rule_set": pa.array([plan.rules.name] * len(rows)),
        "edition": pa.array([this.edition.name] * len(rows)),
        "code": codes,
        "number": of_clause(c.number for c in this.clauses),
        "title": of_clause(c.title for c in this.clauses),
        "severity": of_clause(c.severity for c in this.clauses),
        "verdict": pa.array(VERDICTS).take(pa.array(rows["verdict"])),
        "event": pa.array(event),
        "round": pa.array(rows["betting_round"].astype(np.int8)),
        "kind": pa.array(KINDS).take(pa.array(events["kind"][at])),
        "seat": pa.array(events["seat"][at]),
        "expected": phrases(units, clause, rows["expected"]),
        "observed": phrases(units, clause, rows["observed"]),
        "readings": _readings(this, units, rows),
        "assumption": of_clause(f"{c.assumes}={c.assumed}" if c.assumed else "" for c in this.clauses),
        "follows": pa.array(rows["follows"], mask=rows["follows"] < 0),
    }
    arrays = [columns[name] for name in FINDINGS.names]
    return pa.table(arrays, schema=FINDINGS).append_column("row", hand)


def _readings(this: Pass, units: Sequence[str], rows: np.ndarray) -> pa.Array:
    """What each reading asks where they part; else the reading that was chosen."""
    texts = [f"{clause.chosen} (chosen)" if clause.chosen else "" for clause in this.clauses]
    column = pa.array(texts, pa.string()).take(pa.array(rows["clause"]))
    parted = rows["verdict"] == VERDICTS.index("indeterminate")
    ways = np.column_stack([rows[name][parted] for name in ("clause", "reading_verdict", "reading_expected")])
    asked = list(map(tuple, ways.tolist()))
    said = {way: _parted(this, units, way) for way in set(asked)}
    texts = pa.array([said[way] for way in asked], pa.string())
    return pc.replace_with_mask(column, pa.array(parted), texts)


def _parted(this: Pass, units: Sequence[str], row: Sequence[int]) -> str:
    """What each reading of a clause says; ``row`` is the clause, the verdicts and what they expect."""
    index, verdicts, expected = row[0], row[1 : 1 + MAX_READINGS], row[1 + MAX_READINGS :]
    return "; ".join(
        f"{reading}: {VERDICTS[verdicts[way]]}"
        + (f", expects {words(units[index], expected[way])}" if verdicts[way] else "")
        for way, reading in enumerate(this.loop.readings[index])
        if this.asked[index] >> way & 1
    )


def _in_order(findings: Sequence[pa.Table]) -> pa.Table:
    """The findings of all passes by hand; a stable sort keeps the order within a hand."""
    table = pa.concat_tables(findings)
    if len(findings) > 1:
        table = table.take(pa.array(np.argsort(table.column("row").to_numpy(), kind="stable")))
    return table.drop_columns(["row"])


def _defects(table: pa.Table, rows: np.ndarray) -> pa.Table:
    rows = rows[np.argsort(rows["hand"], kind="stable")]
    pairs = [
        (int(row["hand"]), int(row["event"]), name)
        for row in rows
        for bit, name in enumerate(DEFECT_BITS)
        if row["bits"] >> bit & 1
    ]
    return defect_rows(table, pairs)


def defect_rows(table: pa.Table, pairs: Sequence[tuple[int, int | None, str]]) -> pa.Table:
    """Rows of ``DEFECTS`` for (row of the hand, event, defect)."""
    hand = pa.array([hand for hand, _, _ in pairs], pa.int64())
    columns = {name: table.column(name).take(hand) for name in DEFECTS.names if name in table.column_names}
    columns["event"] = pa.array([event for _, event, _ in pairs], pa.int32())
    columns["defect"] = pa.array([name for _, _, name in pairs], pa.string())
    columns["message"] = pa.array([DEFECT_MESSAGES[name] for _, _, name in pairs], pa.string())
    return pa.table([columns[name] for name in DEFECTS.names], schema=DEFECTS)

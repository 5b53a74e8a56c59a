"""The summary of an audit for people: a table fitted to a terminal, plain columns everywhere else."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import pyarrow.compute as pc

from auditor.plural import number_of
from auditor.reports.layout import aligned, listed, plain
from auditor.reports.run import Files
from auditor.reports.words import found_at, place, placed
from auditor.result import Result
from auditor.rows import Rows
from auditor.sources.files import RUN

LISTED = 50
"""Findings listed of each verdict."""
_REASONS = 10
_COUNTS = ("applied", "compliant", "breach", "indeterminate", "not_evidenced")


def show(result: Result, notices: Sequence[str] = (), files: Files | None = None) -> None:
    """Print the summary on standard output. ``notices`` say what was passed over on the way, ``files`` what
    an incremental run did not audit again."""
    for line in (*_head(result, notices), *_of_files(files)):
        print(plain(line))
    rows = [row for row in result.by_clause.to_pylist() if row["applied"]]
    if rows:
        print()
        _table([[row[name] for name in ("number", "code", "title", *_COUNTS)] for row in rows])
    for line in _tail(result):
        print(plain(line))


def _head(result: Result, notices: Sequence[str]) -> Iterator[str]:
    rules = result.plan.rules
    editions = ", ".join(
        f"edition {each.edition.name} ({number_of(len(each.active), 'clause')})"
        for each in result.plan.passes
    )
    yield f"{rules.name}: {rules.title}, {rules.instrument}; {editions}"
    choices = [f"{topic}={option}" for topic, option in rules.assumptions.items()]
    choices += [f"{code}={name}" for code, name in result.facts()["readings"].items()]
    if choices:
        yield f"Resting on {', '.join(choices)}"
    yield result.head
    yield from _uncounted(result.rows["quarantine"])
    for noun, table, column in (("quarantined", "quarantine", "reason"), ("of the log", "defects", "defect")):
        yield from listed(_counted(result.rows[table], column, noun), _REASONS, "--out has them all")
    yield from listed([f"Passed over: {notice}" for notice in notices], _REASONS, "--out has them all")


def _uncounted(quarantine: Rows) -> Iterator[str]:
    """How many of the entries are no single hand, where there are any."""
    whole = sum(
        pc.sum(pc.and_(piece.column("line").is_null(), piece.column("hand_id").is_null())).as_py()
        for piece in quarantine.pieces()
        if piece.num_rows
    )
    if whole:
        stand = "is a file, or the rest of one," if whole == 1 else "are files, or the rest of files,"
        yield f"  {whole:,} quarantined {stand} with an unknown number of hands; each counts as one hand"


def _of_files(files: Files | None) -> Iterator[str]:
    if files:
        unchanged = number_of(files.unchanged, "file")
        yield f"{unchanged} unchanged, {files.audited:,} audited, {len(files.gone):,} gone"
        gone = [f"Gone, its results removed: {name}" for name in files.gone]
        yield from listed(gone, _REASONS, f"{RUN} has them all")


def _counted(rows: Rows, column: str, noun: str) -> list[str]:
    """How often each reason is given, the most frequent first, and where it is given first."""
    first: dict[str, str] = {}
    reasons: Counter[str] = Counter()
    for piece in rows.pieces():
        for row in piece.select([name for name in piece.column_names if name != "text"]).to_pylist():
            reasons[row[column]] += 1
            if row[column] not in first:
                first[row[column]] = found_at(row) if "file" in row else place(row["source"], row["line"])
    return [f"  {count:,} {noun}: {reason} ({first[reason]})" for reason, count in reasons.most_common()]


def _tail(result: Result) -> Iterator[str]:
    rows = result.by_clause.to_pylist()
    # Clauses of games that nobody played say nothing by their silence.
    played = {
        clause.code
        for each in result.plan.passes
        for clause in each.clauses
        if not result.counts.hands_by_game.keys().isdisjoint(clause.games)
    }
    silent = [row["code"] for row in rows if not row["applied"] and row["code"] in played]
    if silent:
        yield ""
        yield f"Never fired ({number_of(len(silent), 'clause')}): {', '.join(silent)}"
    lacking = [row["code"] for row in rows if row["applied"] and row["applied"] == row["not_evidenced"]]
    if lacking:
        yield ""
        yield f"Never evidenced, the log lacks the records: {', '.join(_needing(result, lacking))}"
    counts = Counter[str]()
    shown: dict[str, list[str]] = {verdict: [] for verdict in result.plan.verdicts}
    for piece in result.rows["findings"].pieces():
        for verdict, lines in shown.items():
            chosen = piece.filter(pc.equal(piece.column("verdict"), verdict))
            counts[verdict] += chosen.num_rows
            lines += [placed(row) for row in chosen.slice(0, LISTED - len(lines)).to_pylist()]
    for verdict, lines in shown.items():
        yield ""
        yield f"{verdict.replace('_', ' ').capitalize()}: {counts[verdict]:,}"
        yield from lines
        if counts[verdict] > LISTED:
            yield f"and {counts[verdict] - LISTED:,} more; --out has them all"


def _needing(result: Result, codes: Sequence[str]) -> list[str]:
    """Each code with the records that its check needs."""
    needs = {
        clause.code: clause.check.needs
        for each in result.plan.passes
        for clause in each.clauses
        if clause.check is not None
    }
    return [f"{code} ({', '.join(needs[code])})" if needs[code] else code for code in codes]


def _table(rows: list[list[Any]]) -> None:
    header = ("number", "code", "title", *(name.replace("_", " ") for name in _COUNTS))
    if not sys.stdout.isatty():
        print("\n".join(aligned(header, rows)))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="", pad_edge=False)
    for name in header:
        justify: Literal["left", "right"] = "left" if name in ("number", "code", "title") else "right"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=name in ("number", "code"))
    breach = header.index("breach")
    for row in rows:
        cells = [Text(f"{value:,}" if isinstance(value, int) else plain(value)) for value in row]
        if row[breach]:
            cells[breach].stylize("red")
        table.add_row(*cells)
    Console(highlight=False).print(table)

"""The summary of an audit for people: a table fitted to a terminal, plain columns everywhere else."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from auditor.reports.layout import aligned, listed, number_of
from auditor.reports.words import place, placed
from auditor.result import Result

LISTED = 50
"""Findings listed of each verdict."""
_REASONS = 10
_COUNTS = ("applied", "compliant", "breach", "indeterminate", "not_evidenced")


def show(result: Result, notices: Sequence[str] = ()) -> None:
    """Print the summary on standard output. ``notices`` say what was passed over on the way."""
    for line in _head(result, notices):
        print(line)
    rows = [row for row in result.by_clause.to_pylist() if row["applied"]]
    if rows:
        print()
        _table([[row[name] for name in ("number", "code", "title", *_COUNTS)] for row in rows])
    for line in _tail(result):
        print(line)


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
    defects = number_of(result.tables["defects"].num_rows, "defect")
    yield (
        f"{number_of(result.read, 'hand')} read: {result.audited:,} audited, "
        f"{result.quarantined:,} quarantined; {defects} of the log"
    )
    for noun, table, column in (("quarantined", "quarantine", "reason"), ("of the log", "defects", "defect")):
        yield from listed(_counted(result.tables[table], column, noun), _REASONS, "--out has them all")
    yield from listed([f"Passed over: {notice}" for notice in notices], _REASONS, "--out has them all")


def _counted(table: pa.Table, column: str, noun: str) -> list[str]:
    """How often each reason is given, the most frequent first, and where it is given first."""
    line = "line" if "line" in table.column_names else "source_line"
    rows = table.select([column, "source", line]).to_pylist()
    first = {row[column]: place(row["source"], row[line]) for row in reversed(rows)}
    reasons = Counter(row[column] for row in rows).most_common()
    return [f"  {count:,} {noun}: {reason} ({first[reason]})" for reason, count in reasons]


def _tail(result: Result) -> Iterator[str]:
    rows = result.by_clause.to_pylist()
    silent = [row["code"] for row in rows if not row["applied"]]
    if silent:
        yield ""
        yield f"Never fired ({number_of(len(silent), 'clause')}): {', '.join(silent)}"
    lacking = [row["code"] for row in rows if row["applied"] and row["applied"] == row["not_evidenced"]]
    if lacking:
        yield ""
        yield f"Never evidenced, the log lacks the records: {', '.join(_needing(result, lacking))}"
    findings = result.tables["findings"]
    for verdict in result.plan.verdicts:
        chosen = findings.filter(pc.equal(findings.column("verdict"), verdict))
        yield ""
        yield f"{verdict.replace('_', ' ').capitalize()}: {chosen.num_rows:,}"
        lines = [placed(row) for row in chosen.slice(0, LISTED).to_pylist()]
        if chosen.num_rows > LISTED:
            lines.append(f"and {chosen.num_rows - LISTED:,} more; --out has them all")
        yield from lines


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
        cells = [Text(f"{value:,}" if isinstance(value, int) else value) for value in row]
        if row[breach]:
            cells[breach].stylize("red")
        table.add_row(*cells)
    Console(highlight=False).print(table)

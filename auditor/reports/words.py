"""A verdict in words; a verdict is a row of ``findings.FINDINGS`` as a mapping."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.findings import stands_at


def said(row: Mapping[str, Any]) -> str:
    """The verdict and, unless all is well, why: ``ACT01 breach: expected seat 3, observed seat 2``."""
    verdict = f"{row['code']} {row['verdict'].replace('_', ' ')}"
    if row["verdict"] in ("compliant", "not_evidenced"):
        return verdict
    words = [f"{name} {row[name]}" for name in ("expected", "observed") if row[name]]
    if row["follows"] is not None:
        words.append(f"follows event {row['follows']}")
    if row["readings"]:
        words.append(f"readings: {row['readings']}")
    if row["assumption"]:
        words.append(f"assuming {row['assumption']}")
    return f"{verdict}: {', '.join(words)}" if words else verdict


def placed(row: Mapping[str, Any]) -> str:
    """The verdict with its place: gaming day, table, hand, event and the number of the clause."""
    day, table = row["gaming_day"] or "no day", row["table_id"] or "no table"
    return f"{day} {table} hand {row['hand_id']} event {row['event']}  {row['number']}  {said(row)}"


def place(source: str | None, line: int | None) -> str:
    """Where in which log."""
    name = source or "the log"
    return name if line is None else f"{name}, line {line}"


def found_at(row: Mapping[str, Any]) -> str:
    """Where a row of ``findings.DEFECTS`` stands: the line of its file, or, where the log names a source of
    its own, the hand that is to be looked for there."""
    file, line = stands_at(row)
    return place(file, line) if row["file"] in (None, row["source"]) else f"{file}, hand {row['hand_id']}"

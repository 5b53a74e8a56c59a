"""Results as JSON: one document, or one row a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from auditor.result import Result

_ROWS = 10_000


def text(value: Any) -> str:
    """``value`` as JSON on one line, dates as text."""
    return json.dumps(value, ensure_ascii=False, default=str)


def lines(table: pa.Table) -> Iterator[str]:
    """Each row of a table as JSON, without a line end."""
    for batch in table.to_batches(max_chunksize=_ROWS):
        yield from map(text, batch.to_pylist())


def write(table: pa.Table, path: Path) -> None:
    """Write JSON Lines."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in lines(table))


def document(result: Result, notices: list[str], sink: TextIO) -> None:
    """Write one JSON document: ``run``, ``tallies``, ``findings``, ``defects`` and ``quarantine``."""
    sink.write(f'{{"run": {text(result.facts() | {"notices": notices})}')
    for name in ("tallies", "findings", "defects", "quarantine"):
        sink.write(f',\n"{name}": [')
        for at, line in enumerate(lines(result.tables[name])):
            sink.write((",\n" if at else "\n") + line)
        sink.write("]")
    sink.write("}\n")

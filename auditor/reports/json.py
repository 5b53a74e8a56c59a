"""Results as JSON: one document, or one row a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, TextIO

import pyarrow as pa

from auditor.result import Result

_ROWS = 10_000


def text(value: Any) -> str:
    """``value`` as JSON on one line, dates as text."""
    return json.dumps(value, ensure_ascii=False, default=str)


def lines(tables: Iterable[pa.Table]) -> Iterator[str]:
    """Each row of some tables as JSON, without a line end."""
    for table in tables:
        for batch in table.to_batches(max_chunksize=_ROWS):
            yield from map(text, batch.to_pylist())


def write(tables: Iterable[pa.Table], schema: pa.Schema, file: BinaryIO) -> None:
    """Write JSON Lines, row by row; the names of ``schema`` are those of the tables."""
    for line in lines(tables):
        file.write(f"{line}\n".encode())


def document(result: Result, notices: list[str], sink: TextIO) -> None:
    """Write one JSON document: ``run``, ``tallies``, ``findings``, ``defects`` and ``quarantine``."""
    sink.write(f'{{"run": {text(result.facts() | {"notices": notices})}')
    for name in ("tallies", "findings", "defects", "quarantine"):
        sink.write(f',\n"{name}": [')
        for at, line in enumerate(lines(result.rows[name].pieces())):
            sink.write((",\n" if at else "\n") + line)
        sink.write("]")
    sink.write("}\n")

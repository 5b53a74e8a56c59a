"""Results as JSON: one document, or one row a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, TextIO

import pyarrow as pa
import pyarrow.compute as pc

from auditor.result import Result

_ENCODER = json.JSONEncoder(ensure_ascii=False, default=str)
_ROWS = 10_000
_LONG = pa.large_string()


def text(value: Any) -> str:
    """``value`` as JSON on one line, dates as text."""
    return _ENCODER.encode(value)


def lines(tables: Iterable[pa.Table]) -> Iterator[str]:
    """Each row of some tables as JSON, as ``text`` gives it, without a line end."""
    for table in tables:
        for batch in table.to_batches(max_chunksize=_ROWS):
            members = [
                _joined(f"{text(name)}: ", _texts(column))
                for name, column in zip(batch.schema.names, batch.columns, strict=True)
            ]
            yield from _joined("{", _joined(*members, between=", "), "}").to_pylist()


def _joined(*parts: pa.Array | str, between: str = "") -> pa.Array:
    # Large strings: the texts of quarantined hands may be long ones.
    parts = tuple(pa.scalar(part, _LONG) if isinstance(part, str) else part for part in parts)
    return pc.binary_join_element_wise(*parts, pa.scalar(between, _LONG))


def _texts(column: pa.Array) -> pa.Array:
    """Each value as JSON. Of a few thousand findings most values are said already."""
    if pa.types.is_integer(column.type):
        texts = column.cast(_LONG)
    else:
        coded = column.dictionary_encode()
        texts = pa.array(map(text, coded.dictionary.to_pylist()), _LONG).take(coded.indices)
    return texts.fill_null("null")


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

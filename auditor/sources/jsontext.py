"""Hands as JSON text, vectorised: one line a hand, keys in the order of the schema, unknowns left out."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor.sources.shape import side_by_side, unlisted, whole_column
from auditor.sources.text import decode


def lines(table: pa.Table) -> pa.Array:
    """The JSON line of each hand of a table of ``SCHEMA``, without a line end."""
    text = decode(table)
    columns = {name: whole_column(text, name) for name in text.column_names}
    for name in ("seats", "events"):
        offsets, items = unlisted(columns[name])
        fields = zip((field.name for field in items.type), items.flatten(), strict=True)
        columns[name] = _joined(offsets, _objects(dict(fields)))
    offsets, words = unlisted(columns["records"])
    columns["records"] = pc.if_else(columns["records"].is_null(), None, _joined(offsets, _quoted(words)))
    raw = {"records", "seats", "events"}
    return _objects(columns, raw)


def _objects(columns: dict[str, pa.Array], raw: set[str] = frozenset()) -> pa.Array:  # type: ignore[assignment]
    """``{"a":1,"b":"x"}`` from columns, nulls left out; columns named in ``raw`` are JSON already."""
    members = [
        pc.binary_join_element_wise(f'"{name}":', column if name in raw else _quoted(column), "")
        for name, column in columns.items()
    ]
    return pc.binary_join_element_wise("{", side_by_side(members, ","), "}", "")


def _quoted(column: pa.Array) -> pa.Array:
    if not pa.types.is_string(column.type):
        return column.cast(pa.string())
    coded = column.dictionary_encode()
    words = [json.dumps(word, ensure_ascii=False) for word in coded.dictionary.to_pylist()]
    return pa.array(words, pa.string()).take(coded.indices)


def _joined(offsets: np.ndarray, items: pa.Array) -> pa.Array:
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), items)
    return pc.binary_join_element_wise("[", pc.binary_join(lists, ","), "]", "")

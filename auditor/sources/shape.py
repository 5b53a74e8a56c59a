"""The shape of a hand log: its columns and their types, lists of structs taken apart and put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor.handlog import EVENT_FIELDS, SCHEMA, SEAT_FIELDS
from auditor.sources.base import OR_MAPPING, SourceError

REQUIRED = frozenset({"hand_id", "game", "seats", "events"})
"""Columns that every log must have; the others are filled with nulls, ``records`` with 0."""
COLD = frozenset({"time", "note"})
"""Fields of an event that no check reads."""
_NOUNS = {"seats": "seat entry", "events": "event"}
_NO_TEXT = "is not UTF-8; write the file again in UTF-8"


def whole_column(table: pa.Table, name: str) -> pa.Array:
    """A column of ``table`` as one array; nothing is copied where it is one chunk already."""
    column = table.column(name)
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def shaped(table: pa.Table) -> tuple[pa.Table, dict[int, str]]:
    """``table`` with the columns of ``SCHEMA`` in order, one chunk each, signed integers of any width, and
    by row what is no text in it; such bytes are escaped.

    An unsigned number of more than 63 bits, beyond every range, becomes the largest signed one.
    Raises ``SourceError`` for a column that is missing, unknown or of another kind.
    """
    check_types(table.schema)
    columns = {}
    found: dict[int, str] = {}
    for field in SCHEMA:
        if field.name in table.column_names:
            columns[field.name] = _signed(_textual(field.name, whole_column(table, field.name), found))
        elif field.name == "records":
            columns[field.name] = pa.array(np.zeros(table.num_rows, np.int32))
        else:
            columns[field.name] = pa.nulls(table.num_rows, field.type)
    if columns["records"].null_count:
        columns["records"] = columns["records"].fill_null(0)
    return pa.table(columns), found


def _textual(name: str, array: pa.Array, found: dict[int, str]) -> pa.Array:
    """The column with every string in UTF-8, which nobody need have checked before; notes what was not."""
    try:
        array.validate(full=True)
        return array
    except pa.ArrowInvalid:
        pass  # rare, so slow
    if not pa.types.is_list(array.type):
        array, bad = escaped(array)
        for row in np.flatnonzero(bad).tolist():
            found.setdefault(row, f"{name} {_NO_TEXT}")
        return array
    offsets, items = unlisted(array)
    children = dict(zip((field.name for field in items.type), items.flatten(), strict=True))
    for field, child in children.items():
        if pa.types.is_string(child.type) or pa.types.is_large_string(child.type):
            children[field], bad = escaped(child)
            for row, item, _ in located(offsets, pa.array(bad)):
                found.setdefault(row, f"{_NOUNS[name]} {item}: {field} {_NO_TEXT}")
    return listed(offsets, children, list_of(children))


def escaped(strings: pa.Array) -> tuple[pa.Array, np.ndarray]:
    """The strings with bytes that are not UTF-8 written as escapes, and where there were any."""
    raw = strings.cast(pa.large_binary()).to_pylist()
    texts = [None if value is None else value.decode("utf-8", "backslashreplace") for value in raw]
    encoded = [None if text is None else text.encode() for text in texts]
    return pa.array(texts, pa.string()), np.array([a != b for a, b in zip(raw, encoded, strict=True)], bool)


def _signed(array: pa.Array) -> pa.Array:
    """``array`` without unsigned integers of 64 bits, which pyarrow does not compare with signed ones."""
    kind = _signed_type(array.type)
    try:
        return array if kind == array.type else array.cast(kind)
    except pa.ArrowInvalid:
        return pa.array([_capped(value) for value in array.to_pylist()], kind)


def _signed_type(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_signed_type(kind.value_type)))
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_signed_type(field.type)) for field in kind])
    return pa.int64() if pa.types.is_uint64(kind) else kind


def _capped(value: Any) -> Any:
    if isinstance(value, list):
        return [_capped(item) for item in value]
    if isinstance(value, dict):
        return {name: _capped(member) for name, member in value.items()}
    return min(value, (1 << 63) - 1) if isinstance(value, int) else value


def check_types(schema: pa.Schema) -> None:
    """Raise ``SourceError`` unless ``schema`` holds the columns of a hand log, integers of any width."""
    for name, count in Counter(schema.names).items():
        if count > 1:
            raise SourceError(f"column {name} is there {count} times; drop or rename all but one")
    _check_fields("", tuple(SCHEMA), {field.name: field.type for field in schema}, REQUIRED)
    for name, fields in (("seats", SEAT_FIELDS), ("events", EVENT_FIELDS)):
        item = schema.field(name).type.value_type
        if not pa.types.is_struct(item):
            raise SourceError(
                f"column {name} is {schema.field(name).type}, not a list of structs; convert it"
            )
        needed = frozenset(field.name for field in fields) - COLD
        _check_fields(f"{name}.", fields, {field.name: field.type for field in item}, needed)


def _check_fields(
    prefix: str, wanted: tuple[pa.Field, ...], given: Mapping[str, pa.DataType], needed: frozenset[str]
) -> None:
    names = [field.name for field in wanted]
    other = "" if prefix else OR_MAPPING
    for name in names:
        if name in needed and name not in given:
            raise SourceError(f"column {prefix}{name} is missing; add it{other}")
    for name in given:
        if name not in names:
            raise SourceError(f"column {prefix}{name} is not one of the hand log; drop or rename it{other}")
    for field in wanted:
        if field.name in given and not _alike(field.type, given[field.name]):
            raise SourceError(
                f"column {prefix}{field.name} is {given[field.name]}, not {field.type}; convert it"
            )


def _alike(wanted: pa.DataType, given: pa.DataType) -> bool:
    same: Callable[[pa.DataType], bool]
    for same in (pa.types.is_integer, pa.types.is_list, pa.types.is_date):
        if same(wanted):
            return bool(same(given))
    if pa.types.is_timestamp(wanted):
        return bool(pa.types.is_timestamp(given) and given.tz is not None and given.unit != "ns")
    return bool(pa.types.is_string(given) or pa.types.is_large_string(given) or pa.types.is_null(given))


def narrow(table: pa.Table) -> pa.Table:
    """A checked table in exactly the types of ``SCHEMA``; nothing is copied where they are right already."""
    columns = [whole_column(table, field.name) for field in SCHEMA]
    for index, field in enumerate(SCHEMA):
        if field.name in ("seats", "events"):
            columns[index] = _relisted(columns[index], field.type)
        elif columns[index].type != field.type:
            columns[index] = columns[index].cast(field.type)
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def _relisted(lists: pa.ListArray, kind: pa.ListType) -> pa.ListArray:
    offsets, items = unlisted(lists)
    children = {field.name: items.field(index) for index, field in enumerate(items.type)}
    return listed(offsets, children, kind)


def listed(offsets: np.ndarray, children: Mapping[str, pa.Array], kind: pa.ListType) -> pa.ListArray:
    """Lists of structs of type ``kind`` from ``offsets`` (n + 1) and leaf arrays; a missing leaf is null."""
    fields = list(kind.value_type)
    count = int(offsets[-1])
    arrays = [
        children[field.name].cast(field.type) if field.name in children else _nulls(count, field.type)
        for field in fields
    ]
    items = pa.StructArray.from_arrays(arrays, fields=fields)
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), items, type=kind)


def _nulls(count: int, kind: pa.DataType) -> pa.Array:
    """``count`` nulls, cut from one array that all batches share."""
    known = _known_nulls.get(kind)
    if known is None or len(known) < count:
        known = _known_nulls[kind] = pa.nulls(count, kind)
    return known.slice(0, count)


_known_nulls: dict[pa.DataType, pa.Array] = {}


def list_of(children: Mapping[str, pa.Array]) -> pa.ListType:
    """The type of lists of structs whose fields are ``children``."""
    return pa.list_(pa.struct([pa.field(name, child.type) for name, child in children.items()]))


def unlisted(lists: pa.ListArray) -> tuple[np.ndarray, pa.StructArray]:
    """Offsets (n + 1, from 0) and items of a list array; a null list is an empty one."""
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]), lists.flatten()


def side_by_side(columns: Sequence[pa.Array], between: str) -> pa.Array:
    """The strings of each row with ``between`` between them, nulls left out; empty where all are null."""
    # Led by an empty member, since pyarrow drops the row where all are null, and freed of what follows it.
    led = pc.binary_join_element_wise(pa.repeat("", len(columns[0])), *columns, between, null_handling="skip")
    return pc.utf8_slice_codeunits(led, len(between))


def located(offsets: np.ndarray, mask: pa.Array) -> list[tuple[int, int, int]]:
    """(row, item within the row, item) of the first item in each row for which ``mask`` holds."""
    at = np.flatnonzero(mask.to_numpy(zero_copy_only=False))
    rows, first = np.unique(np.searchsorted(offsets, at, side="right") - 1, return_index=True)
    at = at[first]
    return list(zip(rows.tolist(), (at - offsets[rows]).tolist(), at.tolist(), strict=True))

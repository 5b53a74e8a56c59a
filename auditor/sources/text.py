"""Between the text form of a hand (words, ISO times, ``Ks``) and the integer codes of ``SCHEMA``.

The text form is the same record with words where ``SCHEMA`` has codes; whatever is not known is null.
Everything is vectorised: there is no loop over events.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor.cards import CARDS
from auditor.handlog import (
    CHIP_KINDS,
    EVENT_FIELDS,
    FACES,
    HAND_FIELDS,
    KINDS,
    NOBODY,
    RECORDS,
    SCHEMA,
    SEAT_FIELDS,
    UNKNOWN,
)
from auditor.sources.shape import list_of, listed, located, unlisted, whole_column

UNKNOWN_CARD = "??"
_WHOLE = r"^-?[0-9]+$"


def _textual(field: pa.Field) -> pa.Field:
    if field.name == "records":
        return pa.field(field.name, pa.list_(pa.string()))
    if pa.types.is_integer(field.type) and not field.metadata:
        return pa.field(field.name, pa.int64())
    return pa.field(field.name, pa.string())


TEXT_SEAT = pa.struct([_textual(field) for field in SEAT_FIELDS])
TEXT_EVENT = pa.struct([_textual(field) for field in EVENT_FIELDS])
TEXT_SCHEMA = pa.schema(
    [
        *map(_textual, HAND_FIELDS),
        pa.field("seats", pa.list_(TEXT_SEAT)),
        pa.field("events", pa.list_(TEXT_EVENT)),
    ]
)
"""A hand as text: enums, dates and times are strings, ``records`` a list of words, integers 64 bits wide."""
_TIME = pa.timestamp("us", tz="UTC")
_ENUMS = {"kind": KINDS, "card": CARDS, "face": FACES}
_SEAT_DEFAULTS = {"seat": NOBODY, "player": "", "stack": UNKNOWN}
_EVENT_DEFAULTS = {"seat": NOBODY, "card": UNKNOWN, "face": UNKNOWN, "amount": 0, "pot": UNKNOWN}


def parse(array: pa.Array, kind: pa.DataType) -> tuple[pa.Array, pa.Array | None]:
    """Strings, coded or not, as ``kind``, and which are no such thing (null in the array); None if none."""
    coded = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    words = coded.dictionary
    try:
        if pa.types.is_integer(kind) and not pc.all(pc.match_substring_regex(words, _WHOLE)).as_py():
            raise pa.ArrowInvalid("pyarrow would take hexadecimal for a whole number")
        return words.cast(kind).take(coded.indices), None
    except pa.ArrowInvalid:
        values = pa.array([_parsed(word, kind) for word in words], kind).take(coded.indices)
    return values, pc.and_(values.is_null(), array.is_valid())


def _parsed(word: pa.Scalar, kind: pa.DataType) -> Any:
    try:
        whole = not pa.types.is_integer(kind) or re.fullmatch(_WHOLE, word.as_py())
        return word.cast(kind).as_py() if whole else None
    except pa.ArrowInvalid:
        return None


def encode(text: pa.Table) -> tuple[pa.Table, dict[int, str]]:
    """``TEXT_SCHEMA`` to codes: a table shaped like ``SCHEMA``, integers wide, and what is wrong, by row."""
    found: dict[int, str] = {}
    columns: dict[str, pa.Array] = {}
    for field in SCHEMA:
        array = whole_column(text, field.name)
        if field.name == "records":
            array = _record_bits(array, found)
        elif field.name == "seats":
            offsets, items = unlisted(array)
            children = _filled(items, _SEAT_DEFAULTS)
            _report_nulls("seat entry", offsets, items, found)
            array = listed(offsets, children, list_of(children))
        elif field.name == "events":
            array = _encode_events(array, found)
        elif field.type != array.type:
            array, bad = parse(array, field.type)
            for row in [] if bad is None else pc.indices_nonzero(bad).to_pylist():
                word = text.column(field.name)[row].as_py()
                found.setdefault(row, f"{field.name} {word!r} is not {_example(field.type)}")
        columns[field.name] = array
    return pa.table(columns), found


def _encode_events(array: pa.ListArray, found: dict[int, str]) -> pa.ListArray:
    offsets, items = unlisted(array)
    _report_nulls("event", offsets, items, found)
    children = dict(zip((field.name for field in items.type), items.flatten(), strict=True))
    for name, words in _ENUMS.items():
        given = children[name]
        children[name], bad = _codes(given, words)
        if bad is not None:
            allowed = "a card such as Ks or ??" if name == "card" else f"one of {', '.join(words)}"
            for row, item, at in located(offsets, bad):
                found.setdefault(row, f"event {item}: {name} {given[at].as_py()!r} is not {allowed}")
    given = children["time"]
    children["time"], bad = parse(given, _TIME)
    if bad is not None:
        for row, item, at in located(offsets, bad):
            found.setdefault(row, f"event {item}: time {given[at].as_py()!r} is not {_example(_TIME)}")
    for name, default in _EVENT_DEFAULTS.items():
        children[name] = children[name].fill_null(default)
    return listed(offsets, children, list_of(children))


def _codes(given: pa.Array, words: Sequence[str]) -> tuple[pa.Array, pa.Array | None]:
    """The codes of ``given`` in ``words``, null for none, and which are neither such a word nor unknown."""
    coded = given if pa.types.is_dictionary(given.type) else given.dictionary_encode()
    codes = pc.index_in(coded.dictionary, pa.array(words))
    strange = codes.is_null()
    if words is CARDS:
        strange = pc.and_(strange, pc.not_equal(coded.dictionary, UNKNOWN_CARD))
    bad = strange.take(coded.indices).fill_null(False) if pc.any(strange).as_py() else None
    return codes.take(coded.indices), bad


def _filled(items: pa.StructArray, defaults: dict[str, Any]) -> dict[str, pa.Array]:
    children = zip(items.type, items.flatten(), strict=True)
    return {field.name: child.fill_null(defaults[field.name]) for field, child in children}


def _report_nulls(noun: str, offsets: np.ndarray, items: pa.StructArray, found: dict[int, str]) -> None:
    if items.null_count:
        for row, item, _ in located(offsets, items.is_null()):
            found.setdefault(row, f"{noun} {item} is null")


def _record_bits(array: pa.ListArray, found: dict[int, str]) -> pa.Array:
    bits = np.zeros(len(array), np.int64)
    words = array.flatten()
    offsets, _ = unlisted(array)
    codes = pc.index_in(words, pa.array(RECORDS))
    for row, _, at in located(offsets, codes.is_null()):
        found.setdefault(row, f"records {words[at].as_py()!r} is not one of {', '.join(RECORDS)}")
    rows = np.repeat(np.arange(len(array)), np.diff(offsets))
    np.bitwise_or.at(bits, rows, 1 << codes.fill_null(0).to_numpy().astype(np.int64))
    return pa.array(bits)


def _example(kind: pa.DataType) -> str:
    return "a day such as 2026-11-01" if pa.types.is_date(kind) else "a UTC time such as 2026-11-01T20:15:00Z"


def decode(table: pa.Table) -> pa.Table:
    """A table of ``SCHEMA`` in ``TEXT_SCHEMA``, whatever is not known as null.

    A code that stands for nothing is shown as its number, so that a bad hand can be shown too.
    """
    columns: dict[str, pa.Array] = {}
    for field in TEXT_SCHEMA:
        array = whole_column(table, field.name)
        if field.name == "records":
            columns[field.name] = _record_words(array)
        elif field.name in ("seats", "events"):
            offsets, items = unlisted(array)
            item = TEXT_SEAT if field.name == "seats" else TEXT_EVENT
            children = dict(zip((field.name for field in items.type), items.flatten(), strict=True))
            words = _seat_words(children) if field.name == "seats" else _event_words(children)
            columns[field.name] = listed(offsets, words, pa.list_(item))
        else:
            columns[field.name] = _iso(array) if field.type != array.type else array
    return pa.table(columns, schema=TEXT_SCHEMA)


def _seat_words(children: dict[str, pa.Array]) -> dict[str, pa.Array]:
    return {**children, "stack": _unless(children["stack"], UNKNOWN)}


def _event_words(children: dict[str, pa.Array]) -> dict[str, pa.Array]:
    chips = pa.array([KINDS.index(kind) for kind in sorted(CHIP_KINDS)], children["kind"].type)
    unmoved = pc.and_(pc.equal(children["amount"], 0), pc.invert(pc.is_in(children["kind"], chips)))
    return {
        **{name: _word(children[name], words) for name, words in _ENUMS.items()},
        "seat": _unless(children["seat"], NOBODY),
        "amount": pc.if_else(unmoved, None, children["amount"]),
        "pot": _unless(children["pot"], UNKNOWN),
        **({"time": _iso(children["time"])} if "time" in children else {}),
        **({"note": children["note"]} if "note" in children else {}),
    }


def _word(codes: pa.Array, words: Sequence[str]) -> pa.Array:
    known = pc.and_(pc.greater_equal(codes, 0), pc.less(codes, len(words)))
    named = pa.array(words).take(pc.if_else(known, codes, None))
    return pc.coalesce(named, _unless(codes, UNKNOWN).cast(pa.string()))


def _unless(array: pa.Array, value: int) -> pa.Array:
    return pc.if_else(pc.equal(array, value), None, array)


def _iso(array: pa.Array) -> pa.Array:
    if not pa.types.is_timestamp(array.type):
        return array.cast(pa.string())
    text = pc.replace_substring(array.cast(pa.string()), " ", "T")
    return pc.replace_substring(text, ".000000Z", "Z")


def _record_words(array: pa.Array) -> pa.Array:
    bits = array.fill_null(0).to_numpy(zero_copy_only=False)
    rows, records = np.nonzero(bits[:, None] >> np.arange(len(RECORDS)) & 1)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(bits)))])
    words = pa.array(RECORDS).take(pa.array(records))
    # a hand whose source claims nothing has no list, so that writers leave it out
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), words, mask=pa.array(bits & ((1 << len(RECORDS)) - 1) == 0)
    )

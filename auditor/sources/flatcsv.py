"""Flat CSV: one event a row, the hand's columns repeated; before its events, one row of kind ``seat`` a seat.

Null is an empty field, the empty string a quoted one. The rows of a hand stand together: a row of kind
``seat`` after one of another kind, or a row with another hand or table, begins the next hand.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor.handlog import HAND_FIELDS
from auditor.sources.base import OR_MAPPING, Batch, SourceError, unreadable
from auditor.sources.csvrows import CODED, Rows, rows_of
from auditor.sources.ranges import settle
from auditor.sources.shape import list_of, listed, unlisted, whole_column
from auditor.sources.streams import MAX_LINE, Block, Peeked, blocks
from auditor.sources.text import TEXT_EVENT, TEXT_SCHEMA, TEXT_SEAT, decode, encode, parse

SEAT = "seat"
"""The kind of a row that enters a seat."""
SEAT_ONLY = ("player", "stack")
EVENT_ONLY = ("card", "face", "amount", "pot", "time", "note")
HAND_COLUMNS = tuple(field.name for field in HAND_FIELDS)
COLUMNS = (*HAND_COLUMNS, "kind", "seat", *SEAT_ONLY, *EVENT_ONLY)
NEEDED = ("hand_id", "game", "kind", "seat")
_KEYS = ("hand_id", "table_id", "kind")
_WHOLE = frozenset({"seat", "stack", "amount", "pot"})


def sniff(head: bytes) -> bool:
    """Whether a file that begins with ``head`` (UTF-8) is such a CSV file."""
    return {b"hand_id", b"kind"} <= set(head.split(b"\n", 1)[0].replace(b'"', b"").strip().split(b","))


# -- reading --------------------------------------------------------------------------------------------


def read(stream: Peeked, source: str, rows: int) -> Iterator[Batch]:
    """The hands of ``stream``, a batch a block; a hand that has a bad row is quarantined.

    The last hand of a block is held back until the next block shows where it ends. A hand whose rows go
    on after those of another hand is quarantined, its beginning too unless it stands a block ahead.
    """
    header: list[str] = []
    held = Block(b"", 1, 0)
    for block in blocks(stream):
        if block.too_long:
            yield from _flush(held, header, source)
            yield unreadable(source, f"the line is longer than {MAX_LINE} bytes", block.data, block.line)
            held = Block(b"", block.line + 1, None)
            continue
        held = Block(held.data + block.data, held.line, held.byte) if held.data else block
        if not header:
            first, _, rest = held.data.partition(b"\n")
            try:
                header = _header(first)
            except SourceError as error:
                yield unreadable(source, str(error), first)
                return
            held = _rest(held, len(held.data) - len(rest))
        batch, held = _take(held, header, source, last=False)
        if len(batch.table) or batch.quarantine:
            yield batch
    yield from _flush(held, header, source)


def _header(line: bytes) -> list[str]:
    try:
        names = next(csv.reader([line.decode("utf-8").strip()], strict=True), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise SourceError(f"the header is not CSV in UTF-8: {error}") from None
    for name in names:
        if name not in COLUMNS:
            raise SourceError(f"column {name!r} is not one of the hand log; drop or rename it{OR_MAPPING}")
        if names.count(name) > 1:
            raise SourceError(f"column {name!r} is given twice; drop one")
    missing = [name for name in NEEDED if name not in names]
    if missing:
        raise SourceError(f"column {missing[0]!r} is missing; add it to the header and to every row")
    return names


def _rest(block: Block, start: int) -> Block:
    """What is left of ``block`` from byte ``start`` on."""
    byte = None if block.byte is None else block.byte + start
    return Block(block.data[start:], block.line + block.data.count(b"\n", 0, start), byte)


def _flush(held: Block, header: list[str], source: str) -> Iterator[Batch]:
    if held.data:
        yield _take(held, header, source, last=True)[0]


def _take(block: Block, header: list[str], source: str, last: bool) -> tuple[Batch, Block]:
    """The hands of ``block`` as a batch, and the rest of it: unless ``last``, its last hand."""
    data = block.data if block.data.endswith(b"\n") or not last else block.data + b"\n"
    full = len(data) > MAX_LINE  # a quote that nothing closes must not make one row of the whole file
    rows = rows_of(data, header, _KEYS, last or full)
    lines = block.line + rows.above
    columns = {name: whole_column(rows.table, name) for name in header}
    for name in set(COLUMNS) - set(header):
        columns[name] = pa.nulls(rows.table.num_rows, CODED)
    seats = np.asarray(pc.fill_null(pc.equal(columns["kind"], SEAT), False))
    firsts = _firsts(columns, seats)
    bounds = np.append(rows.starts[firsts], rows.end)
    found: dict[int, str] = {}
    if not last and len(firsts):
        # the last hand that begins as it should, and what follows it: that may turn out to be part of it
        hand = int(np.flatnonzero(np.append(True, _begun(firsts, seats, rows)[1:]))[-1])
        if hand or not full:
            held = firsts[hand]
            columns = {name: column.slice(0, held) for name, column in columns.items()}
            firsts, bounds, lines, seats = firsts[:hand], bounds[: hand + 1], lines[:held], seats[:held]
        else:
            found[len(firsts) - 1] = f"the hand is longer than {MAX_LINE} bytes"
    _row_problems(columns, firsts, seats, lines, rows, found)
    text = _hands(columns, firsts, seats, lines, found)
    wide, wrong = encode(text)

    def raw(hand: int) -> tuple[int | None, str]:
        said = data[bounds[hand] : bounds[hand + 1]].decode("utf-8", "backslashreplace")
        return None if block.byte is None else block.byte + int(bounds[hand]), said

    return settle(wide, wrong | found, source, lines[firsts], raw), _rest(block, int(bounds[-1]))


def _codes(column: pa.DictionaryArray) -> np.ndarray:
    return np.asarray(column.indices.fill_null(-1))


def _firsts(columns: dict[str, pa.Array], seats: np.ndarray) -> np.ndarray:
    """The first row of each hand."""
    new = np.ones(len(seats), bool)
    new[1:] = seats[1:] & ~seats[:-1]
    for name in ("hand_id", "table_id"):
        codes = _codes(columns[name])
        new[1:] |= codes[1:] != codes[:-1]
    return np.flatnonzero(new)


def _begun(firsts: np.ndarray, seats: np.ndarray, rows: Rows) -> np.ndarray:
    """Which hands begin as they should, with a whole row of kind ``seat``."""
    return np.asarray(seats[firsts] & ~np.isin(firsts, list(rows.wrong)))


def _row_problems(
    columns: dict[str, pa.Array],
    firsts: np.ndarray,
    seats: np.ndarray,
    lines: np.ndarray,
    rows: Rows,
    found: dict[int, str],
) -> None:
    """Note what is wrong with a row, or with the order of the rows, at the hands concerned."""
    group = np.repeat(np.arange(len(firsts)), np.diff(np.append(firsts, len(seats))))
    ids = _codes(columns["hand_id"])

    def note(mask: np.ndarray, said: str) -> None:
        for row in np.flatnonzero(mask).tolist():
            found.setdefault(int(group[row]), f"line {lines[row]}: {said}")

    for row, reason in rows.wrong.items():
        if row < len(seats):
            found.setdefault(int(group[row]), f"line {lines[row]}: {reason}")
    # Rows that begin no hand are rows of an earlier one: of the one with their id, else of the one before.
    for hand in np.flatnonzero(~_begun(firsts, seats, rows)).tolist():
        row = int(firsts[hand])
        found.setdefault(hand, f"line {lines[row]}: a hand begins without rows of kind seat")
        same = np.flatnonzero(ids[firsts[:hand]] == ids[row]).tolist() if row not in rows.wrong else []
        for part in same or range(max(hand - 1, 0), hand):
            found.setdefault(
                part, f"its rows seem to go on at line {lines[row]}; put the rows of a hand together"
            )
        if row in rows.wrong and hand + 1 < len(firsts) and ids[firsts[hand + 1]] == ids[row]:
            found.setdefault(hand + 1, f"line {lines[row]}: {rows.wrong[row]}")
    for name in HAND_COLUMNS:
        codes = _codes(columns[name])
        note(codes != codes[firsts][group], f"{name} is not that of the first row of the hand")
    for names, mask, row_kind in ((EVENT_ONLY, seats, "a seat"), (SEAT_ONLY, ~seats, "an event")):
        for name in names:
            given = columns[name].is_valid().to_numpy(zero_copy_only=False)
            note(given & mask, f"{row_kind} has no {name}; leave it empty")


def _hands(
    columns: dict[str, pa.Array],
    firsts: np.ndarray,
    seats: np.ndarray,
    lines: np.ndarray,
    found: dict[int, str],
) -> pa.Table:
    """Rows as hands: a table like ``TEXT_SCHEMA``, coded strings where it has strings."""
    group = np.repeat(np.arange(len(firsts)), np.diff(np.append(firsts, len(seats))))

    def whole(array: pa.Array, name: str, at: np.ndarray) -> pa.Array:
        numbers, bad = parse(array, pa.int64())
        for item in [] if bad is None else pc.indices_nonzero(bad).to_pylist():
            said = f"line {lines[at[item]]}: {name} {array[item].as_py()!r} is not a whole number"
            found.setdefault(int(group[at[item]]), said)
        return numbers

    def items(mask: np.ndarray, kind: pa.StructType) -> pa.ListArray:
        at = np.flatnonzero(mask)
        given = {field.name: columns[field.name].take(pa.array(at)) for field in kind}
        children = {
            name: whole(array, name, at) if name in _WHOLE else array for name, array in given.items()
        }
        offsets = np.searchsorted(at, np.append(firsts, len(seats)))
        return listed(offsets, children, list_of(children))

    hands: dict[str, pa.Array] = {}
    for field in TEXT_SCHEMA:
        if field.name == "seats":
            hands[field.name] = items(seats, TEXT_SEAT)
        elif field.name == "events":
            hands[field.name] = items(~seats, TEXT_EVENT)
        else:
            array = columns[field.name].take(pa.array(firsts))
            if field.name == "records":
                array = pc.utf8_split_whitespace(pc.utf8_trim_whitespace(array.cast(pa.string())))
            elif pa.types.is_integer(field.type):
                array = whole(array, field.name, firsts)
            else:
                array = array.cast(pa.string())
            hands[field.name] = array
    return pa.table(hands)


# -- writing --------------------------------------------------------------------------------------------


def flat(table: pa.Table) -> pa.Table:
    """A table of ``SCHEMA`` as the rows of a flat CSV file: the columns ``COLUMNS``, strings and integers."""
    text = decode(table)
    seat_offsets, seats = unlisted(whole_column(text, "seats"))
    event_offsets, events = unlisted(whole_column(text, "events"))
    hands = np.arange(table.num_rows)
    order = np.empty(len(seats) + len(events), np.int64)
    order[np.arange(len(seats)) + np.repeat(event_offsets[:-1], np.diff(seat_offsets))] = np.arange(
        len(seats)
    )
    order[np.arange(len(events)) + np.repeat(seat_offsets[1:], np.diff(event_offsets))] = np.arange(
        len(events)
    ) + len(seats)
    parent = pa.array(np.repeat(hands, np.diff(seat_offsets) + np.diff(event_offsets)))
    given = [
        dict(zip((f.name for f in items.type), items.flatten(), strict=True)) for items in (seats, events)
    ]
    given[0]["kind"] = pa.repeat(SEAT, len(seats))
    rows: dict[str, pa.Array] = {}
    for name in HAND_COLUMNS:
        column = whole_column(text, name)
        rows[name] = (pc.binary_join(column, " ") if name == "records" else column).take(parent)
    for name in COLUMNS[len(HAND_COLUMNS) :]:
        kind = next(part[name].type for part in given if name in part)
        parts = [
            part.get(name, pa.nulls(len(items), kind))
            for part, items in zip(given, (seats, events), strict=True)
        ]
        rows[name] = pa.concat_arrays(parts).take(pa.array(order))
    return pa.table(rows)

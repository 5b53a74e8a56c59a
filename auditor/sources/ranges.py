"""The shape and the range of every field, checked before compiled code, which checks no bounds, sees it.

Vectorised over the leaf arrays: of a log in which all is well only minima and maxima are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor.cards import CARDS
from auditor.handlog import (
    FACES,
    KINDS,
    MAX_AMOUNT,
    MAX_EVENTS,
    MAX_POT,
    MAX_SEAT,
    NOBODY,
    RECORDS,
    SEATED_KINDS,
    STRUCTURES,
    UNKNOWN,
    Quarantined,
)
from auditor.sources.base import Batch, said
from auditor.sources.jsontext import lines as json_lines
from auditor.sources.shape import located, narrow, shaped, unlisted, whole_column

Span = tuple[int, int]

_HAND_SPANS: dict[str, Span] = {
    **dict.fromkeys("small_bet big_bet min_bet max_bet ante forced_bet raise_cap".split(), (0, MAX_AMOUNT)),
    "chip_unit": (1, MAX_AMOUNT),  # shares are divided by it
    "dealer_position": (NOBODY, MAX_SEAT),
    "records": (0, (1 << len(RECORDS)) - 1),
}
_SEAT_SPANS: dict[str, Span] = {"seat": (1, MAX_SEAT), "stack": (UNKNOWN, MAX_AMOUNT)}
_EVENT_SPANS: dict[str, Span] = {
    "kind": (0, len(KINDS) - 1),
    "seat": (NOBODY, MAX_SEAT),
    "card": (UNKNOWN, len(CARDS) - 1),
    "face": (UNKNOWN, len(FACES) - 1),
    "amount": (0, MAX_AMOUNT),
    "pot": (UNKNOWN, MAX_POT),
}
_EPOCH = date(1970, 1, 1).toordinal()
_DAYS: Span = (date.min.toordinal() - _EPOCH, date.max.toordinal() - _EPOCH)
_PER_DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000}
_NO_DATE = "lies outside of the years 1 to 9999; correct it"
_SEATED = np.array([kind in SEATED_KINDS for kind in KINDS])


def settle(
    table: pa.Table,
    found: Mapping[int, str],
    source: str | Sequence[str],
    lines: np.ndarray,
    raw: Callable[[int], tuple[int | None, str]],
) -> Batch:
    """The batch of ``table``, whose rows named in ``found`` (row: reason) or out of range are quarantined.

    ``source`` is that of all rows, or of each; ``lines`` gives the ``source_line`` of each row; ``raw`` the
    byte offset and the text of one row.
    """
    bad = problems(table) | dict(found)
    ids = table.column("hand_id")
    quarantine = tuple(
        Quarantined(whose, said(bad[row]), text, int(lines[row]), byte, ids[row].as_py() or None)
        for row in sorted(bad)
        for whose in [source if isinstance(source, str) else source[row]]
        for byte, text in [raw(row)]
    )
    file = source if isinstance(source, str) else source[0] if len(set(source)) == 1 else ""
    return Batch(_kept(named(table, source, lines), bad), quarantine, file)


def _kept(table: pa.Table, bad: Mapping[int, str]) -> pa.Table:
    if bad:
        keep = np.ones(table.num_rows, bool)
        keep[list(bad)] = False
        table = table.filter(pa.array(keep)).combine_chunks()
    return narrow(table)


def named(table: pa.Table, source: str | Sequence[str], lines: np.ndarray) -> pa.Table:
    """``table`` with ``source`` and ``source_line`` filled in where the log names no source of its own."""
    given = table.column("source")
    if not given.null_count:
        return table
    own = table.column("source_line")
    line = pc.if_else(pc.is_null(given), pc.coalesce(own, pa.array(lines, pa.int64())), own)
    file = source if isinstance(source, str) else pa.array(source, pa.string())
    table = table.set_column(table.column_names.index("source"), "source", pc.coalesce(given, file))
    return table.set_column(table.column_names.index("source_line"), "source_line", line)


def check_ranges(table: pa.Table) -> tuple[pa.Table, tuple[Quarantined, ...]]:
    """The hands of ``table`` that compiled code may see, in ``SCHEMA``, and the others with their reason.

    The text of a quarantined hand is its JSON line, its line the row. Raises ``SourceError`` where the
    columns are not those of a hand log.
    """
    table, unread = shaped(table)
    bad = problems(table) | unread
    quarantine = tuple(
        Quarantined(one["source"] or "table", said(bad[row]), text, line=row, hand_id=one["hand_id"] or None)
        for row in sorted(bad)
        for one in table.select(["source", "hand_id"]).slice(row, 1).to_pylist()
        for text in json_lines(table.slice(row, 1)).to_pylist()
    )
    return _kept(table, bad), quarantine


def problems(table: pa.Table) -> dict[int, str]:
    """Why a hand cannot be audited, by row: the first reason found; empty when all is well.

    ``table`` comes from ``shaped``: all columns, one chunk each, integers of any width.
    """
    found: dict[int, str] = {}
    _hand_problems(table, found)
    seat_offsets, seats = unlisted(whole_column(table, "seats"))
    event_offsets, events = unlisted(whole_column(table, "events"))
    _length_problems("seat", seat_offsets, MAX_SEAT, found)
    _length_problems("event", event_offsets, MAX_EVENTS, found)
    _item_problems("seat entry", seat_offsets, seats, _SEAT_SPANS, found)
    _item_problems("event", event_offsets, events, _EVENT_SPANS, found)
    undated = _undated(events.field("time")) if events.type.get_field_index("time") >= 0 else None
    if undated is not None:
        for row, item, _ in located(event_offsets, undated):
            found.setdefault(row, f"event {item}: time {_NO_DATE}")
    if seats.field("player").null_count:
        for row, item, _ in located(seat_offsets, seats.field("player").is_null()):
            found.setdefault(row, f"seat entry {item}: player is missing")

    # Seats as bits, seat s as bit s; numbers as small as they come, for these are the longest arrays.
    sitting = np.zeros((table.num_rows, MAX_SEAT + 1), bool)
    numbers = _index(seats.field("seat"), MAX_SEAT)
    sitting[np.repeat(np.arange(table.num_rows), np.diff(seat_offsets)), numbers] = True
    for row in np.flatnonzero(sitting.sum(1) < np.diff(seat_offsets)).tolist():
        found.setdefault(row, "a seat is entered twice")

    numbers = _index(events.field("seat"), MAX_SEAT)
    taken = (sitting << np.arange(MAX_SEAT + 1)).sum(1).astype(np.uint16)
    away = (np.repeat(~taken, np.diff(event_offsets)) >> numbers.astype(np.uint16) & 1).astype(bool)
    # Few events name nobody, or a seat that is not taken: only of these the kind is looked at.
    odd = np.flatnonzero(away)
    lost = odd[_SEATED[_index(events.field("kind"), len(KINDS) - 1)[odd]]]
    if lost.size:
        for row, item, at in located(event_offsets, pa.array(np.isin(np.arange(len(numbers)), lost))):
            seat, kind = int(numbers[at]), events.field("kind")[at].as_py()
            if row not in found:
                whose = f"seat {seat} is not among the seats of the hand" if seat else "it names no seat"
                found[row] = f"event {item}: {KINDS[kind]}: {whose}"
    return found


def _hand_problems(table: pa.Table, found: dict[int, str]) -> None:
    for name in ("hand_id", "game"):
        empty = pc.fill_null(pc.equal(table.column(name), ""), True)
        for row in _rows(empty):
            found.setdefault(row, f"{name} is missing")
    structure = table.column("structure")
    unknown = pc.and_(pc.is_valid(structure), pc.invert(pc.is_in(structure, pa.array(STRUCTURES))))
    for row in _rows(unknown):
        found.setdefault(
            row, f"structure {structure[row].as_py()!r} is not known; one of {', '.join(STRUCTURES)}"
        )
    for name, span in _HAND_SPANS.items():
        column = table.column(name)
        for row in _rows(_outside(column, span)):
            found.setdefault(row, f"{name} {column[row].as_py()} is not in {_say(span)}")
    for name in ("gaming_day", "started_at"):
        for row in _rows(_undated(table.column(name))):
            found.setdefault(row, f"{name} {_NO_DATE}")


def _undated(column: Any) -> Any:
    """Which days or times lie outside of the years that Python has dates for, or None when none does."""
    kind = column.type
    if pa.types.is_date32(kind):
        return _outside(column.cast(pa.int32()), _DAYS)
    per_day = _PER_DAY["ms" if pa.types.is_date(kind) else kind.unit]
    return _outside(column.cast(pa.int64()), (_DAYS[0] * per_day, (_DAYS[1] + 1) * per_day - 1))


def _length_problems(noun: str, offsets: np.ndarray, most: int, found: dict[int, str]) -> None:
    lengths = np.diff(offsets)
    for row in np.flatnonzero((lengths == 0) | (lengths > most)).tolist():
        said = f"{lengths[row]} {noun}s, more than {most}" if lengths[row] else f"no {noun}s"
        found.setdefault(row, said)


def _item_problems(
    noun: str, offsets: np.ndarray, items: pa.StructArray, spans: Mapping[str, Span], found: dict[int, str]
) -> None:
    if items.null_count:
        for row, item, _ in located(offsets, items.is_null()):
            found.setdefault(row, f"{noun} {item} is null")
    for name, span in spans.items():
        leaf = items.field(name)
        if leaf.null_count:
            for row, item, _ in located(offsets, leaf.is_null()):
                found.setdefault(row, f"{noun} {item}: {name} is missing")
        outside = _outside(leaf, span)
        if outside is not None:
            for row, item, at in located(offsets, outside):
                found.setdefault(row, f"{noun} {item}: {name} {leaf[at].as_py()} is not in {_say(span)}")


def _outside(column: Any, span: Span) -> Any:
    """Which values lie outside ``span``, or None when none does."""
    values = column.drop_null().to_numpy(zero_copy_only=False)
    if not values.size or (values.min() >= span[0] and values.max() <= span[1]):
        return None
    return pc.fill_null(pc.or_(pc.less(column, span[0]), pc.greater(column, span[1])), False)


def _rows(mask: Any) -> list[int]:
    return [] if mask is None else np.flatnonzero(mask.to_numpy(zero_copy_only=False)).tolist()


def _index(leaf: pa.Array, most: int) -> np.ndarray:
    """``leaf`` as an index from 0 to ``most``; what is out of range or null, reported already, becomes 0."""
    if leaf.null_count:
        leaf = leaf.fill_null(0)
    values = leaf.to_numpy(zero_copy_only=False)
    low, high = (values.min(), values.max()) if values.size else (0, 0)
    return values if low >= 0 and high <= most else np.where((values >= 0) & (values <= most), values, 0)


def _say(span: Span) -> str:
    low, high = span
    return f"{low}-{high}" if low >= 0 else f"{low} to {high}"

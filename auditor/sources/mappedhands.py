"""Rows of an export to hands, by a mapping: one event a row, or one hand a row.

Everything is vectorised over the rows; what is wrong is noted at the hand that it costs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor.handlog import MAX_SEAT, NOBODY
from auditor.seen import Seen
from auditor.sources.base import Batch
from auditor.sources.mapping import NUMBER, SEAT_ROW, ExportMapping
from auditor.sources.ranges import settle
from auditor.sources.shape import list_of, listed, unlisted
from auditor.sources.text import TEXT_EVENT, TEXT_SCHEMA, TEXT_SEAT, encode
from auditor.sources.values import Cells, FieldTable


@dataclass(frozen=True)
class Piece:
    """Whole rows of an export, the mapped columns of them.

    ``lines`` is where each row stands, a line or row of the file as ``noun`` says; ``bounds`` (n + 1) what
    is left when rows are taken away; ``wrong`` says by row what is not a row; ``raw(first, end)`` is the
    byte offset and text of some rows.
    """

    columns: Mapping[str, pa.Array]
    lines: np.ndarray
    bounds: np.ndarray
    noun: str
    wrong: Mapping[int, str]
    raw: Callable[[int, int], tuple[int | None, str]]

    def at(self, row: int) -> str:
        return f"{self.noun} {self.lines[row]}"


class Cutter:
    """Cuts the pieces of one export into hands. ``columns`` comes from ``ExportMapping.columns``."""

    def __init__(self, mapping: ExportMapping, source: str) -> None:
        self.mapping = mapping
        self.source = source
        self.columns: dict[str, list[tuple[int, str]]] = {}
        self.reader = mapping.reader()
        self.seen = Seen()

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that tell one hand from the next."""
        hand = self.mapping.fields["hand"]
        return tuple(c for name in ("hand_id", "table_id") if name in hand for c in hand[name].sources)

    def take(self, piece: Piece, last: bool, full: bool = False) -> tuple[Batch, int]:
        """The hands of ``piece``, but unless ``last`` one that may go on; and where the rest begins.

        ``full``: the last hand has gone on for too long, and is quarantined.
        """
        if self.mapping.table.rows == "hands":
            return self._rows(piece)
        return self._events(piece, last, full)

    # -- one event a row --------------------------------------------------------------------------------

    def _events(self, piece: Piece, last: bool, full: bool) -> tuple[Batch, int]:
        cells: dict[str, dict[str, Cells]] = {
            part: {name: self._cells(one, piece) for name, one in fields.items()}
            for part, fields in self.mapping.fields.items()
        }
        count = len(piece.lines)
        ids = cells["hand"]["hand_id"]
        # a row that is passed over and names no hand, such as a headline, goes with the hand before it
        passed = self._passed_over(cells["events"]["kind"])
        anchors = np.flatnonzero(~passed | ids.given)
        if len(anchors):
            owner = anchors[np.maximum(np.searchsorted(anchors, np.arange(count), "right") - 1, 0)]
            ids = ids.take(owner)
            cells["hand"] = {
                name: each.take(owner) if name == "table_id" else each for name, each in cells["hand"].items()
            }
        tables = cells["hand"].get("table_id", ids)
        wrong = dict(piece.wrong)
        for name, key in (("hand_id", ids), ("table_id", tables)):
            if key.given.any() or name == "hand_id":
                for row in np.flatnonzero(~key.given).tolist():
                    wrong.setdefault(row, f"{name} is missing")
        lost = np.zeros(count, bool)
        lost[[row for row in wrong if not (ids.given[row] and tables.given[row])]] = True
        new = np.ones(count, bool)
        new[1:] = (np.diff(ids.codes) != 0) | (np.diff(tables.codes) != 0) | (lost[1:] != lost[:-1])
        firsts = np.flatnonzero(new)
        found: dict[int, str] = {}
        if full and len(firsts):
            found[len(firsts) - 1] = "its rows go on for too long"
        # what cannot be told to belong to a hand may belong to the one before it, or to the next
        group = np.cumsum(new) - 1
        beside = np.flatnonzero(lost[firsts])
        for hand in beside.tolist():
            row = int(firsts[hand])
            for near in (hand - 1, hand, hand + 1):
                if 0 <= near < len(firsts):
                    found.setdefault(near, f"{piece.at(row)}: {wrong[row]}")
        for row, reason in wrong.items():
            found.setdefault(int(group[row]), f"{piece.at(row)}: {reason}")
        pairs = np.stack([ids.codes[firsts], tables.codes[firsts]], 1)
        _, which, times = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
        apart = np.flatnonzero((times[which.ravel()] > 1) & ~lost[firsts])
        whole = np.flatnonzero(~lost[firsts])
        kept = len(firsts) if last or not len(firsts) else int(whole[-1]) if len(whole) else 0
        names = [
            "\0".join(
                key.texts[code] if code >= 0 else "" for key, code in zip((ids, tables), pair, strict=True)
            )
            for pair in pairs[:kept].tolist()
        ]
        for hand in apart.tolist():
            found.setdefault(hand, "its rows do not stand together; sort the export by hand")
        for hand in np.flatnonzero(self.seen.again(_hashes(names)) & ~lost[firsts[:kept]]).tolist():
            found.setdefault(hand, "rows of this hand stood before; sort the export by hand")
        found = {hand: said for hand, said in found.items() if hand < kept}
        end = int(firsts[kept]) if kept < len(firsts) else count
        rows = np.arange(end)
        cut = {part: {name: each.take(rows) for name, each in named.items()} for part, named in cells.items()}
        return self._hands_of_events(piece, cut, firsts[:kept], found), int(piece.bounds[end])

    def _hands_of_events(
        self,
        piece: Piece,
        cells: Mapping[str, Mapping[str, Cells]],
        firsts: np.ndarray,
        found: dict[int, str],
    ) -> Batch:
        fields = self.mapping.fields
        count = len(next(iter(cells["hand"].values())).codes)
        bounds = np.append(firsts, count)
        group = np.repeat(np.arange(len(firsts)), np.diff(bounds))

        def note(row: int, said: str) -> None:
            found.setdefault(int(group[row]), f"{piece.at(row)}: {said}")

        def read(part: str, name: str, among: np.ndarray | None = None) -> pa.Array:
            values, bad = self._values(fields[part][name], name, cells[part][name])
            for row, said in bad.items():
                if among is None or among[row]:
                    note(row, said)
            return values

        hand = {}
        for name in cells["hand"]:
            hand[name], clashes = _first_given(read("hand", name), group, len(firsts))
            for row in clashes.tolist():
                note(row, f"{name} {cells['hand'][name].shown(row)} is not that of the rows before")
        passed = self._passed_over(cells["events"]["kind"])
        events = {name: read("events", name, ~passed) for name in cells["events"]}
        enters = np.asarray(pc.fill_null(pc.equal(events["kind"], SEAT_ROW), False)) & ~passed
        entered = SEAT_ROW in (*fields["events"]["kind"].words.values(), fields["events"]["kind"].otherwise)
        # who sits where: said by rows of its own, or else by every row that names a seat
        told = enters if entered else ~passed
        seat = read("seats", "seat", told) if "seat" in cells["seats"] else events["seat"]
        numbers = np.asarray(seat.fill_null(NOBODY))
        for row in np.flatnonzero(enters & ((numbers < 1) | (numbers > MAX_SEAT))).tolist():
            note(row, f"a row that enters seat {numbers[row]}, which is not in 1-{MAX_SEAT}")
        at = np.flatnonzero(told & (numbers >= 1) & (numbers <= MAX_SEAT))
        places, where = np.unique(group[at] * (MAX_SEAT + 1) + numbers[at], return_inverse=True)
        sitting = {"seat": pa.array(places % (MAX_SEAT + 1), pa.int64())}
        for name in cells["seats"].keys() - {"seat"}:
            values = read("seats", name, told).take(pa.array(at))
            sitting[name], clashes = _first_given(values, where, len(places))
            for row in at[clashes].tolist():
                said = f"{name} {cells['seats'][name].shown(row)} of seat {numbers[row]}"
                note(row, f"{said} is not that of the rows before")
        seat_bounds = np.searchsorted(places // (MAX_SEAT + 1), np.arange(len(firsts) + 1))
        told_events = np.flatnonzero(~enters & ~passed)
        return self._batch(
            piece,
            hand,
            (seat_bounds, sitting),
            (
                np.searchsorted(told_events, bounds),
                {name: values.take(pa.array(told_events)) for name, values in events.items()},
            ),
            bounds,
            found,
        )

    # -- one hand a row ---------------------------------------------------------------------------------

    def _rows(self, piece: Piece) -> tuple[Batch, int]:
        count = len(piece.lines)
        found = {row: f"{piece.at(row)}: {reason}" for row, reason in piece.wrong.items()}
        hand = {}
        for name, one in self.mapping.fields["hand"].items():
            hand[name], bad = self._values(one, name, self._cells(one, piece))
            for row, said in bad.items():
                found.setdefault(row, f"{piece.at(row)}: {said}")
        seats = self._items(piece, "seats", found)
        events = self._items(piece, "events", found)
        batch = self._batch(piece, hand, seats, events, np.arange(count + 1), found)
        return batch, int(piece.bounds[count])

    def _items(
        self, piece: Piece, part: str, found: dict[int, str]
    ) -> tuple[np.ndarray, dict[str, pa.Array]]:
        """Offsets and values of the seats or events of hands, one a row."""
        fields = self.mapping.fields[part]
        count = len(piece.lines)
        numbered = any(NUMBER in column for one in fields.values() for column in one.sources)
        cells, offsets, labels = self._numbered(piece, part) if numbered else self._listed(piece, part, found)
        parent = np.repeat(np.arange(count), np.diff(offsets))
        values = {}
        for name, one in fields.items():
            values[name], bad = self._values(one, name, cells[name])
            for item, said in bad.items():
                row = int(parent[item])
                found.setdefault(row, f"{piece.at(row)}: {part[:-1]} {labels[item]}: {said}")
        if part == "seats" and "seat" not in values:
            values["seat"] = pa.array(labels, pa.int64())
        # a place in the row with nothing in it is no item; nor is an empty seat with a stack of zero
        there = np.zeros(len(parent), bool)
        for name in fields:
            held = cells[name].given if fields[name].sources else np.zeros(len(parent), bool)
            there |= (
                held & ~np.asarray(pc.fill_null(pc.equal(values[name], 0), False))
                if name == "stack"
                else held
            )
        at = np.flatnonzero(there)
        bounds = np.searchsorted(at, offsets)
        return bounds, {name: each.take(pa.array(at)) for name, each in values.items()}

    def _numbered(self, piece: Piece, part: str) -> tuple[dict[str, Cells], np.ndarray, np.ndarray]:
        """Items in columns that carry a number: hand by hand, in the order of the numbers."""
        fields = self.mapping.fields[part]
        count = len(piece.lines)
        found = {
            number for one in fields.values() for column in one.sources for number, _ in self.columns[column]
        }
        numbers = sorted(found)
        blank = pa.nulls(count, pa.string())
        cells = {}
        for name, one in fields.items():
            sources = []
            for column in one.sources:
                called = dict(self.columns[column])
                given = [piece.columns[called[n]] if n in called else blank for n in numbers]
                sources.append(self._interleaved(given, count))
            cells[name] = self._merged(one, sources, count * len(numbers))
        return cells, np.arange(count + 1) * len(numbers), np.tile(np.array(numbers, np.int64), count)

    def _interleaved(self, columns: list[pa.Array], count: int) -> Cells:
        kinds = {column.type for column in columns if not pa.types.is_null(column.type)}
        kind = kinds.pop() if len(kinds) == 1 else pa.string()
        if pa.types.is_dictionary(kind):
            kind = pa.string()
        joined = Cells.of(
            pa.concat_arrays([column.cast(kind) for column in columns]), self.mapping.table.nothing
        )
        return joined.take(np.arange(count * len(columns)).reshape(len(columns), count).T.ravel())

    def _listed(
        self, piece: Piece, part: str, found: dict[int, str]
    ) -> tuple[dict[str, Cells], np.ndarray, np.ndarray]:
        """Items in columns that hold lists."""
        fields = self.mapping.fields[part]
        named = [column for one in fields.values() for column in one.sources]
        lengths = []
        for column in named:
            array = piece.columns[column]
            if not (pa.types.is_list(array.type) or pa.types.is_large_list(array.type)):
                said = f"is {array.type}, not a list; name list columns, or columns with {NUMBER}, for {part}"
                raise self.mapping.misfit(self.source, column, said)
            lengths.append(np.diff(unlisted(array)[0]))
        uneven = (np.stack(lengths) != lengths[0]).any(0)
        for row in np.flatnonzero(uneven).tolist():
            found.setdefault(row, f"{piece.at(row)}: the lists of its {part} differ in length")
        even = pa.array(np.arange(len(piece.lines)), mask=uneven)
        flat = {}
        offsets = np.zeros(len(piece.lines) + 1, np.int64)
        for column in named:
            offsets, items = unlisted(piece.columns[column].take(even))
            flat[column] = Cells.of(items, self.mapping.table.nothing)
        count = int(offsets[-1])
        cells = {
            name: self._merged(one, [flat[column] for column in one.sources], count)
            for name, one in fields.items()
        }
        labels = np.arange(count) - np.repeat(offsets[:-1], np.diff(offsets)) + 1
        return cells, offsets, labels

    # -- both -------------------------------------------------------------------------------------------

    def _passed_over(self, kinds: Cells) -> np.ndarray:
        over = self.mapping.table.passed_over
        return np.isin(kinds.codes, [code for code, text in enumerate(kinds.texts) if text in over])

    def _cells(self, one: FieldTable, piece: Piece) -> Cells:
        nothing = self.mapping.table.nothing
        for column in one.sources:
            kind = piece.columns[column].type
            if pa.types.is_nested(kind):
                said = f"is {kind}, not one value a row; name another column"
                raise self.mapping.misfit(self.source, column, said)
        return self._merged(
            one, [Cells.of(piece.columns[column], nothing) for column in one.sources], len(piece.lines)
        )

    def _merged(self, one: FieldTable, sources: list[Cells], count: int) -> Cells:
        if not sources:
            return Cells([str(one.value)], np.zeros(count, np.int64))
        return sources[0] if len(sources) == 1 else Cells.joined(sources)

    def _values(self, one: FieldTable, name: str, cells: Cells) -> tuple[pa.Array, dict[int, str]]:
        values, bad = self.reader.values(name, one, cells)
        if not bad:
            return values, bad
        column = " and ".join(repr(column) for column in one.sources)
        return values, {index: f"column {column}: {said}" for index, said in bad.items()}

    def _batch(
        self,
        piece: Piece,
        hand: Mapping[str, pa.Array],
        seats: tuple[np.ndarray, dict[str, pa.Array]],
        events: tuple[np.ndarray, dict[str, pa.Array]],
        bounds: np.ndarray,
        found: dict[int, str],
    ) -> Batch:
        count = len(bounds) - 1
        columns: dict[str, pa.Array] = {}
        for field in TEXT_SCHEMA:
            if field.name in ("seats", "events"):
                offsets, given = seats if field.name == "seats" else events
                item = TEXT_SEAT if field.name == "seats" else TEXT_EVENT
                size = int(offsets[-1])
                children = {each.name: given.get(each.name, pa.nulls(size, each.type)) for each in item}
                columns[field.name] = listed(offsets, children, list_of(children))
            elif field.name == "records":
                words = pa.scalar(self.mapping.table.records, field.type)
                columns[field.name] = pa.array([words] * count, field.type)
            else:
                columns[field.name] = hand.get(field.name, pa.nulls(count, field.type))
        wide, wrong = encode(pa.table(columns))
        return settle(
            wide,
            wrong | found,
            self.source,
            piece.lines[bounds[:-1]],
            lambda row: piece.raw(int(bounds[row]), int(bounds[row + 1])),
        )


def _first_given(values: pa.Array, group: np.ndarray, count: int) -> tuple[pa.Array, np.ndarray]:
    """The first value given in each of ``count`` groups, and where another one is given later."""
    given = np.flatnonzero(values.is_valid())
    codes = np.asarray(values.dictionary_encode().indices.fill_null(-1))
    groups, first = np.unique(group[given], return_index=True)
    at = np.full(count, -1)
    at[groups] = given[first]
    clashes = given[codes[given] != codes[at[group[given]]]]
    return values.take(pa.array(at, mask=at < 0)), clashes


def _hashes(names: list[str]) -> np.ndarray:
    from pandas.util import hash_array

    return hash_array(np.array(names, object), categorize=False)

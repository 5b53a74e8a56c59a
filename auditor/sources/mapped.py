"""Hands of a casino's own export, flat CSV or Parquet, by a mapping: rows cut into pieces and pieces read.

The last hand of a piece is held back until the next piece shows where it ends. A hand with a bad value is
quarantined with its rows; a column that the export lacks is a ``MappingError``.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from auditor.sources.base import Batch, unreadable
from auditor.sources.csvrows import rows_of
from auditor.sources.mappedhands import Cutter, Piece
from auditor.sources.mapping import ExportMapping
from auditor.sources.shape import unlisted, whole_column
from auditor.sources.streams import MAX_LINE, Block, Peeked, blocks

SUFFIXES = (".csv", ".tsv", ".txt", ".parquet")
"""What is taken for an export in a folder, but for the suffix of a packing."""


# -- CSV ------------------------------------------------------------------------------------------------


def read_csv(stream: Peeked, source: str, mapping: ExportMapping) -> Iterator[Batch]:
    """The hands of a CSV file, a batch a block."""
    table = mapping.table
    cutter = Cutter(mapping, source)
    held = Block(b"", 1, 0)
    header: list[str] = []
    skip = table.header_line - 1

    def flush() -> Iterator[Batch]:
        if header and held.data:
            end = b"" if held.data.endswith(b"\n") else b"\n"
            yield cutter.take(
                _csv_piece(Block(held.data + end, held.line, held.byte), header, cutter, True), True
            )[0]

    for block in blocks(stream):
        if block.too_long:
            yield from flush()
            yield unreadable(source, f"the line is longer than {MAX_LINE} bytes", block.data, block.line)
            held = Block(b"", block.line + 1, None)
            continue
        held = Block(held.data + block.data, held.line, held.byte) if held.data else block
        while skip and held.data:
            held = _rest(held, held.data.find(b"\n") + 1 or len(held.data))
            skip -= 1
        if not header:
            if not held.data:
                continue
            first, _, rest = held.data.partition(b"\n")
            try:
                (names,) = csv.reader(
                    [first.decode("utf-8").strip("\r")], delimiter=table.delimiter, strict=True
                )
            except (UnicodeDecodeError, csv.Error, ValueError) as error:
                yield unreadable(source, f"the header is not CSV in UTF-8: {error}", first)
                return
            names = [name.strip() for name in names]
            cutter.columns = mapping.columns(names, source)
            needed = {called for all_called in cutter.columns.values() for _, called in all_called}
            # columns that nothing is made of may have any name, or the same
            header = [name if name in needed else f"\0{index}" for index, name in enumerate(names)]
            held = _rest(held, len(held.data) - len(rest))
        full = len(held.data) > MAX_LINE  # rows that seem to go on for ever are no hand
        batch, at = cutter.take(_csv_piece(held, header, cutter, full), full, full)
        held = _rest(held, at)
        if len(batch.table) or batch.quarantine:
            yield batch
    if not header:
        yield unreadable(source, f"it ends before line {table.header_line}, which names the columns")
    yield from flush()


def _rest(block: Block, start: int) -> Block:
    byte = None if block.byte is None else block.byte + start
    return Block(block.data[start:], block.line + block.data.count(b"\n", 0, start), byte)


def _csv_piece(block: Block, header: Sequence[str], cutter: Cutter, last: bool) -> Piece:
    rows = rows_of(block.data, header, cutter.keys, last, cutter.mapping.table.delimiter)
    bounds = np.append(rows.starts, rows.end)

    def raw(first: int, end: int) -> tuple[int | None, str]:
        text = block.data[bounds[first] : bounds[end]].decode("utf-8", "backslashreplace")
        return None if block.byte is None else block.byte + int(bounds[first]), text

    return Piece(
        columns={name: whole_column(rows.table, name) for name in header if name[:1] != "\0"},
        lines=block.line + rows.above,
        bounds=bounds,
        noun="line",
        wrong=rows.wrong,
        raw=raw,
    )


# -- Parquet --------------------------------------------------------------------------------------------


def read_parquet(file: Path | BinaryIO, source: str, mapping: ExportMapping, rows: int) -> Iterator[Batch]:
    """The hands of a Parquet file, ``rows`` rows at a time; what cannot be read is one quarantine entry."""
    cutter = Cutter(mapping, source)
    first = 0
    try:
        with pq.ParquetFile(file) as parquet:
            cutter.columns = mapping.columns(_names(parquet.schema_arrow), source)
            called = [name for all_called in cutter.columns.values() for _, name in all_called]
            whole = parquet.schema_arrow.names
            top = [name for name in whole if any(one == name or one.startswith(f"{name}.") for one in called)]
            held = parquet.schema_arrow.empty_table().select(top)
            for group in range(parquet.num_row_groups):
                for batch in parquet.iter_batches(rows, [group], top, use_threads=False):
                    held = pa.concat_tables([held, pa.Table.from_batches([batch])]).combine_chunks()
                    made, at = cutter.take(_parquet_piece(held, called, first), False)
                    held, first = held.slice(at), first + at
                    if len(made.table) or made.quarantine:
                        yield made
            if held.num_rows:
                yield cutter.take(_parquet_piece(held, called, first), True)[0]
    except (pa.ArrowException, UnicodeDecodeError) as error:
        yield unreadable(source, f"not a whole Parquet file ({str(error).splitlines()[0]}); write it again")


def _names(schema: pa.Schema) -> list[str]:
    """The columns of a Parquet file; the fields of structs, and of lists of structs, after a point."""
    names = []
    for field in schema:
        kind = field.type.value_type if _is_list(field.type) else field.type
        names += (
            [f"{field.name}.{inner.name}" for inner in kind] if pa.types.is_struct(kind) else [field.name]
        )
    return names


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def _parquet_piece(table: pa.Table, called: Sequence[str], first: int) -> Piece:
    def raw(start: int, end: int) -> tuple[int | None, str]:
        rows = table.slice(start, end - start)
        try:
            shown = rows.to_pylist()
        except UnicodeDecodeError:
            return None, repr([column.to_string() for column in rows.columns])
        return None, "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in shown)

    return Piece(
        columns={name: _column(table, name) for name in called},
        lines=np.arange(first, first + table.num_rows),
        bounds=np.arange(table.num_rows + 1),
        noun="row",
        wrong={},
        raw=raw,
    )


def _column(table: pa.Table, name: str) -> pa.Array:
    if name in table.column_names:
        return whole_column(table, name)
    top, inner = next(
        (top, name.removeprefix(f"{top}.")) for top in table.column_names if name.startswith(f"{top}.")
    )
    array = whole_column(table, top)
    if not _is_list(array.type):
        return dict(zip((field.name for field in array.type), array.flatten(), strict=True))[inner]
    offsets, items = unlisted(array)
    names = [field.name for field in items.type]
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), items.flatten()[names.index(inner)])

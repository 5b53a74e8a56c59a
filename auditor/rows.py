"""Rows of a result that need not fit in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

PIECE = 50_000
"""Rows read at a time; the first of a result are held, so that small files are not opened again and again."""


class Rows:
    """Rows of one schema, in the order in which they are added: tables in memory, or Parquet files."""

    def __init__(self, schema: pa.Schema) -> None:
        self.schema = schema
        self._parts: list[pa.Table | Path] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, part: pa.Table | Path) -> None:
        """Add a table or a file; a file must stay as it is for as long as the rows are used."""
        count = pq.read_metadata(part).num_rows if isinstance(part, Path) else part.num_rows
        if count:
            small = isinstance(part, Path) and self._count + count <= PIECE
            self._parts.extend(_read(part, self.schema) if small else [part])
            self._count += count

    def pieces(self) -> Iterator[pa.Table]:
        """All rows, ``PIECE`` a table and the rest in the last, however they were added."""
        held: list[pa.Table] = []
        count = 0
        for table in self._tables():
            while count + table.num_rows >= PIECE:
                cut = PIECE - count
                yield pa.concat_tables([*held, table.slice(0, cut)]).combine_chunks()
                table, held, count = table.slice(cut), [], 0
            held.append(table)
            count += table.num_rows
        if count:
            yield pa.concat_tables(held).combine_chunks()

    def table(self) -> pa.Table:
        """All rows at once."""
        return pa.concat_tables([self.schema.empty_table(), *self._tables()])

    def _tables(self) -> Iterator[pa.Table]:
        for part in self._parts:
            if isinstance(part, Path):
                yield from _read(part, self.schema)
            else:
                yield part


def _read(path: Path, schema: pa.Schema) -> Iterator[pa.Table]:
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(PIECE, use_threads=False):
            yield pa.Table.from_batches([batch]).cast(schema)

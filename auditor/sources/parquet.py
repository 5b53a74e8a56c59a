"""Parquet, the native form: one row a hand, read by row group so that threads can share a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from auditor.sources.base import Batch, SourceError, unreadable
from auditor.sources.jsontext import lines
from auditor.sources.ranges import settle
from auditor.sources.remote import Remote
from auditor.sources.shape import COLD, check_types, shaped
from auditor.sources.streams import SHOWN

MAGIC = b"PAR1"
UNREADABLE = (OSError, pa.ArrowException, SourceError, UnicodeDecodeError)
"""What reading a file may raise; the last of these where the name of a column is not text."""


def groups(path: Path | Remote) -> list[int | None]:
    """The row groups of a file, to be read one by one; ``[None]`` when it has none or cannot be read."""
    try:
        metadata = _metadata(path)
        check_types(metadata.schema.to_arrow_schema())
    except UNREADABLE:
        return [None]  # reading it whole says why
    return list(range(metadata.num_row_groups)) or [None]


def read(
    file: Path | BinaryIO, source: str, group: int | None, rows: int, cold: bool = True
) -> Iterator[Batch]:
    """The hands of one row group, or of all, ``rows`` at a time; without ``cold``, no event has time or note.

    A file or row group that cannot be read is one quarantine entry.
    """
    at, first = None, 0
    try:
        metadata = _metadata(file) if isinstance(file, Path) else None
        with pq.ParquetFile(file, metadata=metadata) as parquet:
            check_types(parquet.schema_arrow)
            columns = None if cold else hot_columns(parquet.schema)
            for at in range(parquet.num_row_groups):
                if group is None or at == group:
                    start = first
                    for piece in parquet.iter_batches(rows, [at], columns, use_threads=False):
                        text = _texts(parquet, at, first - start)
                        yield _batch(pa.Table.from_batches([piece]), source, first, text)
                        first += piece.num_rows
                else:
                    first += parquet.metadata.row_group(at).num_rows
    except UNREADABLE as error:
        where = "" if at is None else f"row group {at}: "
        yield unreadable(source, where + _reason(error), _head(file))


def _batch(table: pa.Table, source: str, first: int, text: Callable[[int], str]) -> Batch:
    table, unread = shaped(table)
    rows = np.arange(first, first + table.num_rows)
    return settle(table, unread, source, rows, lambda row: (None, text(row)))


def _texts(parquet: pq.ParquetFile, group: int, first: int) -> Callable[[int], str]:
    """The JSON text of a row, counted from row ``first`` of the group, with all of its fields."""

    @cache
    def whole() -> pa.Table:
        return shaped(parquet.read_row_group(group, use_threads=False))[0]

    return lambda row: str(lines(whole().slice(first + row, 1))[0])


def hot_columns(schema: pq.ParquetSchema) -> list[str]:
    """The leaf columns of a file, by path, without the event fields that no check reads."""
    paths = [schema.column(index).path for index in range(len(schema))]
    return [path for path in paths if not (path.startswith("events.") and path.rsplit(".")[-1] in COLD)]


def _metadata(path: Path | Remote) -> pq.FileMetaData:
    if isinstance(path, Remote):
        with path.open("rb") as file:
            return pq.read_metadata(file)
    stat = path.stat()
    return _metadata_of(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=16)
def _metadata_of(path: Path, modified: int, size: int) -> pq.FileMetaData:
    # a row group a task: without this the footer of a long file would be parsed once a task
    return pq.read_metadata(path)


def _reason(error: Exception) -> str:
    if isinstance(error, SourceError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read: {error.strerror}"
    return f"not a whole Parquet file ({str(error).splitlines()[0].rstrip('.')}); write it again"


def _head(file: Path | BinaryIO) -> bytes:
    try:
        if isinstance(file, Path):
            with file.open("rb") as stream:
                return stream.read(SHOWN)
        file.seek(0)
        return file.read(SHOWN)
    except OSError:
        return b""

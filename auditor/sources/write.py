"""Writers of hand logs: Parquet, JSON Lines and flat CSV, by suffix. A file is there whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from auditor.durable import renamed
from auditor.handlog import SCHEMA, HandLog, Quarantined
from auditor.sources.base import ROWS, Batch, SourceError
from auditor.sources.flatcsv import flat
from auditor.sources.jsontext import lines
from auditor.sources.ranges import check_ranges

PACKINGS = {".gz": "gzip", ".zst": "zstd"}


def write(log: HandLog | Iterable[Batch], path: str | Path) -> tuple[Quarantined, ...]:
    """Write the hands of ``log`` to ``path``: ``.parquet``, ``.jsonl`` or ``.csv``, the last two also packed.

    Packed is ``.gz`` or ``.zst``. Returns the quarantine of ``log``: what is not written because it is no
    hand. The file takes its name only when it is whole. Raises ``SourceError`` for any other suffix.
    """
    path = Path(path)
    packing = PACKINGS.get(path.suffix.lower())
    suffix = (path.with_suffix("") if packing else path).suffix.lower()
    if suffix not in _WRITERS or (packing and suffix == ".parquet"):
        raise SourceError(f"{path.name}: cannot write this; name it .parquet, .jsonl or .csv (.gz, .zst)")
    quarantine: list[Quarantined] = []
    with renamed(path) as file:
        sink = pa.CompressedOutputStream(pa.PythonFile(file, "w"), packing) if packing else file
        _WRITERS[suffix](_tables(log, quarantine), sink)
        if packing:
            sink.close()
    return tuple(quarantine)


def _tables(log: HandLog | Iterable[Batch], quarantine: list[Quarantined]) -> Iterator[pa.Table]:
    if isinstance(log, HandLog):
        table, bad = check_ranges(log.table)
        quarantine += [*log.quarantine, *bad]
        yield from (table.slice(start, ROWS) for start in range(0, table.num_rows, ROWS))
        return
    for batch in log:
        quarantine += batch.quarantine
        yield batch.table


def _parquet(tables: Iterator[pa.Table], sink: BinaryIO) -> None:
    with pq.ParquetWriter(sink, SCHEMA, compression="zstd") as writer:
        for table in tables:
            if table.num_rows:
                writer.write_table(table)


def _jsonl(tables: Iterator[pa.Table], sink: BinaryIO) -> None:
    for table in tables:
        sink.write("".join(f"{line}\n" for line in lines(table).to_pylist()).encode())


def _csv(tables: Iterator[pa.Table], sink: BinaryIO) -> None:
    pyarrow.csv.write_csv(flat(SCHEMA.empty_table()), sink)
    for table in tables:
        pyarrow.csv.write_csv(flat(table), sink, pyarrow.csv.WriteOptions(include_header=False))


_WRITERS: dict[str, Callable[[Iterator[pa.Table], BinaryIO], None]] = {
    ".parquet": _parquet,
    ".jsonl": _jsonl,
    ".csv": _csv,
}

"""Tables as Parquet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq


def write(tables: Iterable[pa.Table], schema: pa.Schema, file: BinaryIO) -> None:
    """Write Parquet, a row group a table; the same tables give the same bytes."""
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)

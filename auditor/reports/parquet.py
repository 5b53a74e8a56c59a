"""Tables as Parquet."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq


def write(table: pa.Table, path: Path) -> None:
    """Write Parquet; the same rows give the same bytes."""
    pq.write_table(table, path, compression="zstd")

"""Tables as CSV: a header, then one row a line; what is not known is empty."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.csv


def write(table: pa.Table, path: Path) -> None:
    """Write CSV in UTF-8."""
    pyarrow.csv.write_csv(table, path)

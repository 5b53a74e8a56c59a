"""Tables as CSV: a header, then one row a line; what is not known is empty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv


def write(tables: Iterable[pa.Table], schema: pa.Schema, file: BinaryIO) -> None:
    """Write CSV in UTF-8, table by table."""
    with pyarrow.csv.CSVWriter(file, schema) as writer:
        for table in tables:
            writer.write_table(table)

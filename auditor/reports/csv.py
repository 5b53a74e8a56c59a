"""Tables as CSV: a header, then one row a line; what is not known is empty.

A spreadsheet takes a text for a formula that begins like one, and the texts of a log are anybody's. Such a
text is written with an apostrophe before it, as OWASP advises; ``as_stored`` takes that one away again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

_FORMULA = r"'*[=+\-@\t\r\n＝＋－＠]"


def write(tables: Iterable[pa.Table], schema: pa.Schema, file: BinaryIO) -> None:
    """Write CSV in UTF-8, table by table."""
    with pyarrow.csv.CSVWriter(file, schema) as writer:
        for table in tables:
            writer.write_table(_replaced(table, rf"\A({_FORMULA})", r"'\1"))


def as_stored(table: pa.Table) -> pa.Table:
    """A table read from such a file with its texts as they were before they were written."""
    return _replaced(table, rf"\A'({_FORMULA})", r"\1")


def _replaced(table: pa.Table, pattern: str, by: str) -> pa.Table:
    columns = [
        pc.replace_substring_regex(column, pattern, by) if pa.types.is_string(column.type) else column
        for column in table.columns
    ]
    return pa.Table.from_arrays(columns, schema=table.schema)

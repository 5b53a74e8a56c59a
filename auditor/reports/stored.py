"""What a run wrote, read back: its folder, or the file of its findings alone; and any other Parquet table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from auditor.findings import FINDINGS
from auditor.reports.csv import as_stored
from auditor.sources.files import RUN

TABLES = ("findings", "tallies", "defects", "quarantine")


class StoredError(ValueError):
    """A file or folder that is not what a run wrote; names it and the remedy."""


@dataclass(frozen=True)
class Stored:
    """A run read back: all of ``TABLES`` of a folder, ``findings`` alone of a file.

    ``read`` is the number of hands read, None where only findings are at hand; ``verdicts`` are those that
    became findings, so far as can be told.
    """

    tables: dict[str, pa.Table]
    read: int | None
    verdicts: Sequence[str]


def read(path: Path, columns: Sequence[str]) -> Stored:
    """The run in the folder of ``auditor audit --out``, or a file of findings; of findings only ``columns``.

    Raises ``StoredError`` when it is neither, ``OSError`` when it cannot be read at all.
    """
    if not path.is_dir():
        findings = _findings(path, columns)
        written = findings.column("verdict").unique().to_pylist()
        return Stored({"findings": findings}, None, sorted({"breach", "indeterminate", *written}))
    if not (path / RUN).is_file():
        raise StoredError(f"{path} holds no whole run ({RUN}); give a folder that auditor audit --out wrote")
    try:
        facts = json.loads((path / RUN).read_bytes())
        hands, verdicts = facts["hands"]["read"], facts["options"]["verdict"]
    except (ValueError, TypeError, KeyError):
        raise StoredError(f"{path / RUN} is not what auditor audit --out writes; audit again") from None
    tables = {name: parquet(path / f"{name}.parquet") for name in TABLES}
    return Stored(tables | {"findings": _findings(path / "findings.parquet", columns)}, hands, verdicts)


def parquet(path: Path) -> pa.Table:
    """A Parquet file as a table; raises as ``read`` does."""
    data = pa.BufferReader(path.read_bytes())
    try:
        return pq.read_table(data)
    except (pa.ArrowException, OSError):
        raise StoredError(f"{path} is no Parquet file, or not a whole one; write it again") from None


def _findings(path: Path, columns: Sequence[str]) -> pa.Table:
    schema = pa.schema([FINDINGS.field(name) for name in columns])
    try:
        table = _table(path, schema).select(columns).cast(pa.schema([f.with_nullable(True) for f in schema]))
    except (pa.ArrowException, KeyError):
        table = None
    if table is None or any(table[f.name].null_count for f in schema if not f.nullable):
        raise StoredError(
            f"{path} does not hold the findings of an audit; give findings.parquet, .csv or .jsonl"
        )
    return table


def _table(path: Path, schema: pa.Schema) -> pa.Table:
    if path.suffix == ".parquet":
        return parquet(path)
    data = path.read_bytes()
    if path.suffix == ".csv":
        types = pa.csv.ConvertOptions(column_types=schema, include_columns=schema.names)
        lines = pa.csv.ParseOptions(newlines_in_values=True)
        return as_stored(pa.csv.read_csv(pa.BufferReader(data), parse_options=lines, convert_options=types))
    if path.suffix == ".jsonl":
        if not data:  # no finding, no line
            return schema.empty_table()
        nullable = pa.schema([field.with_nullable(True) for field in schema])
        options = pa.json.ParseOptions(explicit_schema=nullable, unexpected_field_behavior="ignore")
        return pa.json.read_json(pa.BufferReader(data), parse_options=options)
    raise StoredError(f"{path} has no form of findings; give findings.parquet, .csv, .jsonl or their folder")

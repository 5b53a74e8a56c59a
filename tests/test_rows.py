"""Rows of a result: the same pieces whatever they were added in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor import rows
from auditor.reports import json as json_lines
from auditor.rows import Rows

SCHEMA = pa.schema([pa.field("number", pa.int64(), nullable=False)])


def table(numbers: range) -> pa.Table:
    return pa.table({"number": list(numbers)}, schema=SCHEMA)


@given(st.lists(st.integers(0, 25), max_size=6))
def test_pieces_do_not_depend_on_what_was_added(lengths: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "PIECE", 10)
        held, count = Rows(SCHEMA), 0
        for length in lengths:
            held.add(table(range(count, count + length)))
            count += length
        pieces = list(held.pieces())
    assert len(held) == count
    assert [piece.num_rows for piece in pieces] == [10] * (count // 10) + [count % 10] * (count % 10 > 0)
    assert [number for piece in pieces for number in piece.column("number").to_pylist()] == list(range(count))
    assert held.table() == table(range(count))
    assert all(piece.schema == SCHEMA for piece in pieces)


def test_files_and_tables_come_in_the_order_in_which_they_are_added(tmp_path: Path) -> None:
    pq.write_table(table(range(3, 5)), tmp_path / "middle.parquet")
    held = Rows(SCHEMA)
    held.add(table(range(3)))
    held.add(tmp_path / "middle.parquet")
    held.add(table(range(5, 9)))
    assert len(held) == 9
    (piece,) = held.pieces()
    assert piece == table(range(9)) == held.table()


ROW = pa.schema([("text", pa.string()), ("day", pa.date32()), ("count", pa.int64()), ("small", pa.int8())])
ROWS = st.fixed_dictionaries(
    {
        "text": st.none()
        | st.text(max_size=8)
        | st.sampled_from(['"', "\\", "\n", "null", "{}", "\x00", "♣"]),
        "day": st.none() | st.dates(),
        "count": st.none() | st.integers(-(2**63), 2**63 - 1),
        "small": st.none() | st.integers(-128, 127),
    }
)


@given(st.lists(ROWS, max_size=6))
def test_rows_as_json_lines_are_what_python_makes_of_each(given: list[dict[str, Any]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_lines, "_ROWS", 4)
        lines = list(json_lines.lines([pa.Table.from_pylist(given, ROW)]))
    rows_ = [{name: row[name] for name in ROW.names} for row in given]
    assert lines == [json.dumps(row, ensure_ascii=False, default=str) for row in rows_]

"""Files without a hand: one that says nothing is quarantined; columns without rows are a log of no hands."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from auditor import sources
from auditor.handlog import SCHEMA, HandLog
from auditor.sources import streams
from auditor.sources.streams import HEAD
from tests.test_cli import CLEAN, jsonl, run
from tests.test_mapping import SMALL, mapped

SUFFIXES = ("jsonl", "csv", "phh", "phhs", "txt")
EMPTY = "the file is empty"
BLANK = {
    "empty": b"",
    "space": b" ",
    "lines": b"\n \r\n\n",
    "utf-8": b"\xef\xbb\xbf\n",
    "utf-16": "\ufeff\r\n \n".encode("utf-16-le"),
    "gzip": gzip.compress(b"\n\n"),
}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def reasons(*paths: str) -> list[str]:
    log = sources.load(*paths)
    assert log.table.num_rows == 0
    return [entry.reason for entry in log.quarantine]


@pytest.mark.parametrize("data", BLANK.values(), ids=BLANK)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_blank_file_is_an_empty_one(data: bytes, suffix: str) -> None:
    paths = [f"{number}.{suffix}" for number in (1, 2)]
    for path in paths:
        Path(path).write_bytes(data)
    assert reasons(*paths) == [EMPTY, EMPTY]
    run("audit", *paths, code=4)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_blank_lines_longer_than_what_is_looked_at_first_are_one_entry(suffix: str) -> None:
    path = f"long.{suffix}"
    Path(path).write_bytes(b"\n" * 2 * HEAD)
    assert reasons(path) == [EMPTY]
    run("audit", path, code=4)


def test_what_is_not_looked_at_to_its_end_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MAX_LINE", HEAD)
    for suffix in SUFFIXES:
        Path(f"very-long.{suffix}").write_bytes(b"\n" * 5 * HEAD)
        assert len(reasons(f"very-long.{suffix}")) == 1


def test_a_hand_after_many_blank_lines_is_read() -> None:
    Path("late.jsonl").write_bytes(b"\n" * 2 * HEAD + jsonl(CLEAN))
    log = sources.load("late.jsonl")
    assert (log.read, log.table["source_line"].to_pylist()) == (1, [2 * HEAD + 1])


def test_a_blank_export_is_an_empty_file() -> None:
    by = mapped(SMALL)
    for size in (2, 2 * HEAD):
        Path("blank.csv").write_bytes(b"\n" * size)
        assert [entry.reason for entry in sources.load("blank.csv", mapping=by).quarantine] == [EMPTY]
    Path("blank.csv").write_bytes(b"\nNo,Seat,Code,Who,Stack\n")
    with pytest.raises(sources.MappingError, match="line 1 is blank: give as header_line"):
        sources.load("blank.csv", mapping=by)


def test_columns_without_rows_are_a_log_without_hands() -> None:
    none = HandLog(SCHEMA.empty_table())
    for name in ("none.parquet", "none.csv"):
        sources.write(none, Path(name))
    Path("blank.csv").write_bytes(Path("none.csv").read_bytes() + b"\r\n\n")
    for name in ("none.parquet", "none.csv", "blank.csv"):
        assert reasons(name) == []
        run("audit", name, code=3)


def test_a_folder_without_logs_is_named() -> None:
    Path("night").mkdir()
    assert "Passed over: night is empty" in run("audit", "night", code=3).stdout


@pytest.mark.parametrize("name", ["a.phh", "a.phhs"])
def test_comments_alone_are_no_hand(name: str) -> None:
    Path(name).write_text("# kept for later\n", encoding="utf-8")
    assert reasons(name) == ["nothing but comments"]
    run("audit", name, code=4)

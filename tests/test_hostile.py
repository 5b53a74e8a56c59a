"""Input that somebody made to break the program: set aside with its reason or refused in one line."""

from __future__ import annotations

import gzip
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor import sources
from auditor.rulesets import RuleSetError
from auditor.rulesets import load as load_rules
from auditor.sources import phh
from auditor.sources.streams import MAX_HAND, MAX_LINE
from tests.test_cli import CLEAN, run, write
from tests.test_phh import STUD


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
@pytest.mark.parametrize("suffix", ["jsonl", "csv", "phh", "phhs", "txt"])
def test_a_byte_order_mark_alone_is_an_empty_file(mark: bytes, suffix: str) -> None:
    Path(f"a.{suffix}").write_bytes(mark)
    (entry,) = sources.load(f"a.{suffix}").quarantine
    assert entry.reason == "the file is empty"


# PHH is cut into tables as it is read


def test_phh_that_unpacks_to_very_much_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    with gzip.open("bomb.phh.gz", "wb") as file:
        file.write(STUD.encode())
        for _ in range(40):
            file.write(b"\n" * MAX_HAND)
    held: list[int] = []
    whole = phh._batch
    monkeypatch.setattr(
        phh,
        "_batch",
        lambda pieces, *more: (held.append(sum(len(p.data) for p in pieces)), whole(pieces, *more))[1],
    )
    log = sources.load("bomb.phh.gz")
    (entry,) = log.quarantine
    assert len(log) == 0
    assert f"a hand of more than {MAX_HAND} bytes" in entry.reason
    assert entry.text.startswith("\nvariant = 'F7S'")
    assert max(held) < MAX_HAND


def test_a_table_that_is_too_long_costs_itself() -> None:
    one = STUD.strip()
    long = f"[2]\n{one}\n" + "# and so on\n" * (MAX_HAND // 12)
    wide = f"[3]\n{one}\n# {'x' * MAX_LINE}\nseats = 5\n"
    Path("night.phhs").write_text(f"[1]\n{one}\n{long}{wide}[4]\n{one}\n", encoding="utf-8")
    log = sources.load("night.phhs")
    assert log.table.column("hand_id").to_pylist() == ["night:1", "night:4"]
    before = one.count("\n") + 2
    last = before + long.count("\n") + wide.count("\n") + 1
    assert log.table.column("source_line").to_pylist() == [1, last]
    assert [(entry.hand_id, entry.line) for entry in log.quarantine] == [
        ("night:2", before + 1),
        ("night:3", before + long.count("\n") + 1),
    ]
    assert "split the file" in log.quarantine[0].reason
    assert "a line is longer than" in log.quarantine[1].reason


def test_tables_are_the_same_wherever_the_reading_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    one = STUD.strip()
    text = "# a night\n\n" + "".join(f"[{number}]\n{one}\n\n" for number in range(1, 6))
    Path("night.phhs").write_text(text, encoding="utf-8")
    whole = sources.load("night.phhs")
    assert len(whole) == 5
    for size in (1, 7, 100, 1500):
        monkeypatch.setattr("auditor.sources.streams.BLOCK", size)
        again = sources.load("night.phhs")
        assert again.table == whole.table
        assert again.quarantine == whole.quarantine == ()


def test_names_within_names_without_end_are_not_looked_at() -> None:
    for key in ("a" + ".a" * 100_000 + " = 1", "[a" + ".a" * 100_000 + "]"):
        Path("a.phh").write_text(f"{STUD}\n{key}\n", encoding="utf-8")
        (entry,) = sources.load("a.phh").quarantine
        assert "a line has more than 500 full stops" in entry.reason


# Days and times that no calendar has


def hand_table(**columns: pa.Array) -> pa.Table:
    table = sources.load(write("hand.jsonl", CLEAN)).table
    for name, column in columns.items():
        table = table.set_column(table.column_names.index(name), name, column)
    return table


FIRST, LAST = (int(np.datetime64(day, "D").astype(int)) for day in (date.min, date.max))


@pytest.mark.parametrize(
    ("column", "good"),
    [
        ({"gaming_day": pa.array([FIRST], pa.int32()).cast(pa.date32())}, True),
        ({"gaming_day": pa.array([LAST], pa.int32()).cast(pa.date32())}, True),
        ({"gaming_day": pa.array([FIRST - 1], pa.int32()).cast(pa.date32())}, False),
        ({"gaming_day": pa.array([LAST + 1], pa.int32()).cast(pa.date32())}, False),
        ({"gaming_day": pa.array([-(2**31)], pa.int32()).cast(pa.date32())}, False),
        ({"gaming_day": pa.array([(LAST + 1) * 86_400_000]).cast(pa.date64())}, False),
        ({"started_at": pa.array([FIRST * 86_400_000_000]).cast(pa.timestamp("us", "UTC"))}, True),
        ({"started_at": pa.array([FIRST * 86_400_000_000 - 1]).cast(pa.timestamp("us", "UTC"))}, False),
        ({"started_at": pa.array([(LAST + 1) * 86_400_000_000 - 1]).cast(pa.timestamp("us", "UTC"))}, True),
        ({"started_at": pa.array([(LAST + 1) * 86_400_000_000]).cast(pa.timestamp("us", "UTC"))}, False),
        ({"started_at": pa.array([2**62]).cast(pa.timestamp("ms", "UTC"))}, False),
    ],
)
def test_a_day_or_time_outside_of_the_calendar_sets_its_hand_aside(
    column: dict[str, pa.Array], good: bool
) -> None:
    pq.write_table(hand_table(**column), "a.parquet")
    log = sources.load("a.parquet")
    assert len(log.hands.to_dict("records")) == good  # what is read can be shown
    assert [entry.reason for entry in log.quarantine] == (
        [] if good else [f"{next(iter(column))} lies outside of the years 1 to 9999; correct it"]
    )
    assert log.read == 1


def test_so_does_the_time_of_an_event() -> None:
    events = hand_table().column("events").combine_chunks()
    leaves = dict(zip([f.name for f in events.type.value_type], events.flatten().flatten(), strict=True))
    leaves["time"] = pa.array([None] * 3 + [2**61] + [None] * (len(leaves["kind"]) - 4)).cast(
        leaves["time"].type
    )
    items = pa.StructArray.from_arrays(list(leaves.values()), fields=list(events.type.value_type))
    pq.write_table(hand_table(events=pa.ListArray.from_arrays(events.offsets, items)), "a.parquet")
    (entry,) = sources.load("a.parquet").quarantine
    assert entry.reason == "event 3: time lies outside of the years 1 to 9999; correct it"


# Rule sets and mappings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "[" * 100_000, "nested too deeply"),
        ("a = " + "9" * 10_000, "a number has too many digits"),
    ],
)
def test_toml_that_python_chokes_on(text: str, said: str) -> None:
    Path("own").mkdir()
    Path("own/ruleset.toml").write_text(text, encoding="utf-8")
    with pytest.raises(RuleSetError, match=rf"^own/ruleset.toml: {said}"):
        load_rules("own")
    Path("map.toml").write_text(text, encoding="utf-8")
    done = run("audit", write("a.jsonl", CLEAN), "--mapping", "map.toml", code=2)
    assert done.stderr.startswith(f"auditor: map.toml: {said}")


def test_toml_may_begin_with_a_byte_order_mark() -> None:
    Path("own").mkdir()
    Path("own/ruleset.toml").write_text('\ufeffextends = "nz-1999"\n', encoding="utf-8")
    with pytest.raises(RuleSetError, match="name is missing"):
        load_rules("own")

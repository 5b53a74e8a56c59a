"""Input that somebody made to break the program: set aside with its reason or refused in one line."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from csv import reader
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from auditor import sources
from auditor.reports import csv, stored
from auditor.rulesets import RuleSetError
from auditor.rulesets import load as load_rules
from auditor.sources import phh
from auditor.sources.streams import MAX_HAND, MAX_LINE
from tests.test_cli import BREACH, CLEAN, plain, run, write
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


# What a terminal shows

DIRTY = Path(__file__).parents[1] / "sample_logs" / "dirty-night.jsonl"
EVIL = "\x1b]0;owned\x07\x1b[31mred\u202egnp\u2066\r\nX\t\x85\u2028\x9b1m\x7f"
SHOWN = r"\x1b]0;owned\x07\x1b[31mred\u202egnp\u2066\r\nX\t\x85\u2028\x9b1m\x7f"


def evil_log() -> str:
    seats = [{**seat, "player": f"{seat['player']}{EVIL}"} for seat in BREACH["seats"]]
    events = [*BREACH["events"][:-1], {**BREACH["events"][-1], "note": EVIL}]
    evil = {"hand_id": EVIL, "table_id": EVIL, "dealer_id": EVIL}
    return write(
        "a.jsonl",
        {**BREACH, **evil, "seats": seats, "events": events},
        {**BREACH, **evil, "game": EVIL},
        {**BREACH, **evil, "source": EVIL},  # the same hand twice: a defect
    )


def assert_plain(text: str) -> None:
    assert SHOWN in text
    assert all(char.isprintable() or char == "\n" for char in text), ascii(text)


def test_a_terminal_shows_what_would_command_it_as_text() -> None:
    log = evil_log()
    assert_plain(run("audit", log, code=5).stdout)
    tied = next(line for line in DIRTY.read_text(encoding="utf-8").splitlines() if '"T05-0000001"' in line)
    tied = write("tied.jsonl", {**json.loads(tied), "hand_id": EVIL})
    done = run("compare", tied, "--rules", "nz-1999", "--rules", "nz-1999,OPN02=made-card", code=1)
    assert_plain(done.stdout)
    assert_plain(run("show", EVIL, log, code=0).stdout)
    assert_plain(run("show", f"none{EVIL}", log, code=2).stderr)
    assert_plain(run("audit", f"none{EVIL}", code=2).stderr)
    Path(f"{EVIL}.jsonl".replace("\n", "")).write_bytes(b"{\n")
    done = run("convert", *Path().glob("*red*"), "b.jsonl", code=4)
    assert all(char.isprintable() or char == "\n" for char in done.stdout)
    assert r"\x1b[31mred\u202e" in done.stdout


def test_files_of_a_run_hold_texts_as_they_are() -> None:
    run("audit", evil_log(), "--out", "out", code=5)
    assert set(pq.read_table("out/findings.parquet").column("hand_id").to_pylist()) == {EVIL}


# Cells of CSV that a spreadsheet would take for formulas


def test_no_cell_of_csv_is_a_formula_and_none_is_lost() -> None:
    texts = ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "'=1", "''@x", "＝1"]
    texts += ["'quoted'", "a=1", "one\nand another"]
    table = pa.table({"text": texts, "number": list(range(-5, 8)), "none": [""] * 13})
    with Path("a.csv").open("wb") as file:
        csv.write([table], table.schema, file)
    with Path("a.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = reader(file)
    assert header == table.column_names
    assert [row[0] for row in rows] == [f"'{text}" for text in texts[:10]] + texts[10:]
    assert [row[1] for row in rows] == [str(number) for number in range(-5, 8)]
    types = pa.csv.ConvertOptions(column_types=table.schema)
    options = pa.csv.ParseOptions(newlines_in_values=True)
    assert csv.as_stored(pa.csv.read_csv("a.csv", parse_options=options, convert_options=types)) == table


def test_findings_are_scored_the_same_from_csv_whatever_the_ids_begin_with() -> None:
    run("audit", write("a.jsonl", {**BREACH, "hand_id": "=1+1\n", "table_id": "@T"}), "--out", "out", code=1)
    assert '"\'=1+1\n"' in Path("out/findings.csv").read_text()
    assert '"\'@T"' in Path("out/tallies.csv").read_text()
    for form in ("csv", "parquet", "jsonl"):
        found = stored.read(Path(f"out/findings.{form}"), ("hand_id", "verdict")).tables["findings"]
        assert set(found.column("hand_id").to_pylist()) == {"=1+1\n"}


# Names and kinds of files


def test_a_name_that_is_not_utf8_sets_the_file_aside() -> None:
    Path("logs").mkdir()
    for suffix in (b"jsonl", b"parquet", b"phh"):
        Path(os.fsdecode(b"logs/\xff\xfe." + suffix)).write_bytes(b"PAR1")
    write("logs/good.jsonl", CLEAN)
    Path(os.fsdecode(b"logs/\xff.md")).write_bytes(b"")
    for arguments in ([], ["--out", "out"], ["--out", "out", "--incremental"]):
        run("audit", "logs", *arguments, code=4)
    done = subprocess.run(**plain("audit", "logs", "--format", "json"), capture_output=True)
    assert (done.returncode, len(json.loads(done.stdout)["quarantine"])) == (4, 3)
    rows = pq.read_table("out/quarantine.parquet").to_pylist()
    suffixes = ("jsonl", "parquet", "phh")
    assert [row["source"] for row in rows] == [rf"logs/\xff\xfe.{suffix}" for suffix in suffixes]
    assert {row["reason"] for row in rows} == {"the name of the file is not UTF-8; rename it"}
    facts = json.loads(Path("out/run.json").read_bytes())
    assert facts["hands"] == {"read": 4, "audited": 1, "quarantined": 3}
    run("convert", "logs", "b.jsonl", code=4)
    done = run("audit", "logs/good.jsonl", "--out", os.fsdecode(b"out\xff"), code=2)
    assert "is not UTF-8" in done.stderr


def test_a_pipe_is_not_waited_for() -> None:
    Path("logs").mkdir()
    os.mkfifo("logs/a.jsonl")
    os.mkfifo("logs/b.txt")
    write("logs/good.jsonl", CLEAN)
    done = run("audit", "logs", code=0)
    assert "logs/a.jsonl is a pipe or device; it is passed over" in done.stdout
    assert "logs/b.txt is a pipe or device; it is passed over" in done.stdout
    for path in ("logs/a.jsonl", "logs/a*", "/dev/null"):
        done = run("audit", path, code=2)
        assert done.stderr.endswith("is a pipe or device, read only once; give - and pipe it in\n")


def test_links_in_a_circle() -> None:
    os.symlink("loop", "loop")
    log = write("a.jsonl", CLEAN)
    assert "loop cannot be written" in run("audit", log, "--out", "loop", code=2).stderr
    assert "Too many levels" in run("audit", "loop", code=4).stdout
    done = run("audit", log, "--out", "x" * 300, code=2)
    assert f"{'x' * 300} cannot be written (File name too long)" in done.stderr


def test_a_log_is_not_written_over_itself() -> None:
    log = write("a.jsonl", CLEAN, "{nope")
    os.symlink("a.jsonl", "b.jsonl")
    before = Path(log).read_bytes()
    for given, target in ((log, log), (log, "b.jsonl"), ("b.jsonl", log), ("*.jsonl", log)):
        done = run("convert", given, target, "--force", code=2)
        assert "one of the logs that are read" in done.stderr
    assert Path(log).read_bytes() == before


def test_a_file_of_somebody_is_not_taken_for_a_run() -> None:
    log = write("a.jsonl", CLEAN)
    for text in ("mine", "{}", "[1]"):
        Path("out").mkdir(exist_ok=True)
        Path("out/run.json").write_text(text, encoding="utf-8")
        assert "holds no earlier run" in run("audit", log, "--out", "out", code=2).stderr
        assert Path("out/run.json").read_text(encoding="utf-8") == text
    run("audit", log, "--out", "good", code=0)
    shutil.copytree("good", "copy")  # links are followed: no folder of a run behind the names
    shutil.rmtree("copy/.run")
    run("audit", log, "--out", "copy", code=0)


def test_bench_says_where_it_cannot_write_before_it_measures() -> None:
    done = run("bench", write("a.jsonl", CLEAN), "--json", "nowhere/figures.json", code=2)
    assert "nowhere is no folder" in done.stderr


def test_there_are_not_more_tables_than_a_casino_has() -> None:
    assert "1000" in run("simulate", "a.parquet", "--hands", "1", "--tables", "1001", code=2).stderr
    assert not Path("a.parquet").exists()


# Streams that are closed, full or cut off


@pytest.mark.parametrize("arguments", [["--help"], ["rules"], ["audit", "a.jsonl"]])
def test_streams_that_are_closed_or_full(arguments: list[str]) -> None:
    write("a.jsonl", CLEAN)
    for redirection, code in ((">/dev/full", 2), ("2>/dev/full", 0), ("<&- >&-", 0), ("<&- >&- 2>&-", 0)):
        command = plain(*arguments)
        shell = ["sh", "-c", f'"$@" {redirection}', "sh"]
        done = subprocess.run(shell + command["args"], env=command["env"], capture_output=True, text=True)
        assert done.returncode == code
        lines = ["auditor: input or output: No space left on device"] if code else []
        assert done.stderr.splitlines() == lines


def test_the_code_of_an_error_that_nobody_can_be_told() -> None:
    for redirection in ("2>&-", "2>/dev/full"):
        command = plain("audit", "nowhere")
        shell = ["sh", "-c", f'"$@" {redirection}', "sh"]
        assert subprocess.run(shell + command["args"], env=command["env"]).returncode == 2


def test_closed_standard_input_is_empty() -> None:
    command = plain("audit", "-")
    shell = ["sh", "-c", '"$@" <&-', "sh"]
    done = subprocess.run(shell + command["args"], env=command["env"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (4, "")
    assert "1 quarantined: the file is empty (-)" in done.stdout


def test_ctrl_c_is_quiet_while_the_command_line_is_imported() -> None:
    Path("typer.py").write_text("raise KeyboardInterrupt", encoding="utf-8")
    command = plain("audit", "nowhere")
    path = f".{os.pathsep}{command['env']['PYTHONPATH']}"
    done = subprocess.run(
        [sys.executable, "-m", "auditor", "audit", "nowhere"],
        env=command["env"] | {"PYTHONPATH": path},
        capture_output=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")

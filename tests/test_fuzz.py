"""No input, however bad, brings the auditor down, and nothing of it is lost.

What fuzzing has found stands here with what is said of it now; then some hundred inputs of the generator in
``tests/fuzzing.py``, always the same. ``make fuzz`` goes on with others for as long as it is told.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import auditor
from auditor import engine, sources
from auditor.compiled import Kept
from auditor.handlog import MAX_EVENTS, SCHEMA, HandLog
from tests.agreement import hands_of, plan
from tests.fuzzing import EXPORTS, Input, assert_nothing_lost, examine, input_of, no_text
from tests.hands import DEFAULTS, log_of, parse_events
from tests.proof.fuzz import listen
from tests.strategies import any_hand, corrupted

ROOT = Path(__file__).parents[1]
SEED = 1999
INPUTS = 150
SEATS = [{"seat": seat, "player": f"P{seat}", "stack": 100} for seat in (1, 2, 3)]


def hand(*events: str) -> dict[str, Any]:
    return {**DEFAULTS, "hand_id": "1", "seats": SEATS, "events": parse_events("\n".join(events))[0]}


def table_of(**columns: Any) -> pa.Table:
    """The table of two hands, with the first values of some columns changed; integers are 64 bits wide."""
    table = log_of([hand("deal 1 Ks up"), {**hand("deal 2"), "hand_id": "2"}]).table
    for name, value in columns.items():
        values = [value, *table.column(name).to_pylist()[1:]]
        table = table.set_column(table.column_names.index(name), name, pa.array(values))
    return table


def entry_of(data: bytes, suffix: str, folder: Path) -> Any:
    examine(Input("found", suffix, data), folder)
    [entry] = sources.load(folder / f"input{suffix}").quarantine
    return entry


@pytest.mark.parametrize("number", range(INPUTS))
def test_an_input_of_the_generator(number: int, tmp_path: Path) -> None:
    examine(input_of(SEED, number), tmp_path)


# -- files ------------------------------------------------------------------------------------------------


def test_the_last_row_of_a_csv_may_end_in_a_quote_and_without_a_line_end(tmp_path: Path) -> None:
    data = b'hand_id,game,kind,seat,player,note\n1,x,seat,1,"A, B",\n1,x,check,1,,"so, he said"'
    examine(Input("found", ".csv", data), tmp_path)
    assert auditor.load(tmp_path / "input.csv").events["note"].tolist() == ["so, he said"]


PHH = """variant = 'F7S'
antes = [1, 1]
bring_in = 2
small_bet = 4
big_bet = 8
starting_stacks = [100, 100]
actions = ['d dh p1 2c3c4c', 'd dh p2 2d3d4d', 'p1 pb', 'p2 f']
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("antes = [1, 1]", "antes = " + "[" * 100_000, "nested too deeply"),
        ("antes = [1, 1]", f"antes = [{'9' * 5000}, 1]", "a number has too many digits"),
        ("antes = [1, 1]", f"antes = [0x{'f' * 5000}, 1]", "a number has too many digits"),
        ("variant = 'F7S'", "variant = ['F7S']", "variant ['F7S'] cannot be read yet"),
        ("'p2 f'", f"'p2 cbr {'9' * 20}'", "more chips than fit in 64 bits"),
        ("'p2 f'", f"'p2 cbr {'9' * 5000}'", "a number has too many digits"),
        ("'p2 f'", f"'p2 {'f' * 5000}'", "it is no action of this game"),
    ],
    ids=["deep", "digits", "hexadecimal", "variant", "chips", "digits of chips", "long action"],
)
def test_a_phh_table_that_python_chokes_on(old: str, new: str, reason: str, tmp_path: Path) -> None:
    assert old in PHH
    entry = entry_of(PHH.replace(old, new).encode(), ".phh", tmp_path)
    assert reason in entry.reason
    assert len(entry.reason) < 500
    assert entry.line == 1


def test_a_phh_table_at_the_end_of_time_has_a_day_only(tmp_path: Path) -> None:
    when = "year = 9999\nmonth = 12\nday = 31\ntime = 23:59:59\ntime_zone = 'Pacific/Honolulu'\n"
    examine(Input("found", ".phh", (PHH + when).encode()), tmp_path)
    [row] = sources.load(tmp_path / "input.phh").table.select(["gaming_day", "started_at"]).to_pylist()
    assert (row["gaming_day"].year, row["started_at"]) == (9999, None)


def test_the_lines_of_many_phh_tables_are_counted(tmp_path: Path) -> None:
    tables = [f"[{number}]\n{PHH}" for number in range(1, 4)]
    examine(Input("found", ".phhs", "".join(tables).encode()), tmp_path)
    lines = sources.load(tmp_path / "input.phhs").table.column("source_line").to_pylist()
    assert lines == [1, 9, 17]


def test_a_long_number_in_json_is_not_repeated_whole(tmp_path: Path) -> None:
    line = json.dumps(hand("check 1")).replace('"small_bet": 4', f'"small_bet": {"9" * 5000}')
    entry = entry_of(line.encode(), ".jsonl", tmp_path)
    assert entry.reason.endswith("999 does not fit in 64 bits")
    assert len(entry.reason) < 500
    assert entry.text == line


# -- tables -----------------------------------------------------------------------------------------------


def test_a_hand_set_aside_from_a_parquet_file_without_notes_and_times(tmp_path: Path) -> None:
    table = table_of(chip_unit=0)
    kind = pa.list_(
        pa.struct([f for f in SCHEMA.field("events").type.value_type if f.name not in ("time", "note")])
    )
    events = [
        [{f.name: e[f.name] for f in kind.value_type} for e in row] for row in table["events"].to_pylist()
    ]
    table = table.set_column(table.column_names.index("events"), "events", pa.array(events, kind))
    pq.write_table(table, tmp_path / "short.parquet")
    examine(Input("found", ".parquet", (tmp_path / "short.parquet").read_bytes()), tmp_path)
    [entry] = sources.load(tmp_path / "short.parquet").quarantine
    assert entry.reason == "chip_unit 0 is not in 1-1000000000000"


@pytest.mark.parametrize("number", [0, 1, 10**12, 2**63 - 1, 2**63, 2**64 - 1])
@pytest.mark.parametrize("place", ["small_bet", "source_line", "seat", "stack", "kind", "amount", "pot"])
def test_unsigned_numbers_of_64_bits(place: str, number: int, tmp_path: Path) -> None:
    table = table_of()
    column = {"seat": "seats", "stack": "seats"}.get(place, place if place in SCHEMA.names else "events")
    values = table.column(column).to_pylist()
    if column == place:
        values[0] = number
        array = pa.array(values, pa.uint64())
    else:
        values[0][0][place] = number
        fields = SCHEMA.field(column).type.value_type
        kind = pa.struct([f.with_type(pa.uint64()) if f.name == place else f for f in fields])
        values[1][0][place] = max(values[1][0][place], 0)
        array = pa.array(values, pa.list_(kind))
    table = table.set_column(table.column_names.index(column), column, array)
    examine(Input("found", table=table), tmp_path)
    most = {"small_bet": 10**12, "stack": 10**12, "amount": 10**12, "kind": 20, "pot": 9, "seat": 1}
    fits = number <= most.get(place, 2**64) and not (place == "seat" and number == 0)
    checked, entries = sources.check_ranges(table)
    assert (len(checked), len(entries)) == ((2, 0) if fits else (1, 1))


def test_a_null_among_the_seats_is_shown_as_nothing(tmp_path: Path) -> None:
    rows = table_of().to_pylist()
    rows[0]["seats"][1] = None
    kind = pa.list_(pa.struct(list(SCHEMA.field("seats").type.value_type)))
    table = table_of()
    seats = pa.array([row["seats"] for row in rows], kind)
    table = table.set_column(table.column_names.index("seats"), "seats", seats)
    examine(Input("found", table=table), tmp_path)
    [entry] = HandLog(*sources.check_ranges(table)).quarantine
    assert entry.reason == "seat entry 1 is null"
    assert [seat.get("seat") for seat in json.loads(entry.text)["seats"]] == [1, None, 3]


NO_TEXT = {
    **{name: [name] for name in ("hand_id", "table_id", "game", "currency", "source")},
    "seats": ["seat entry 1: player", "seat entry 0: player"],
    "events": ["event 0: note"],
}


@pytest.mark.parametrize("column", NO_TEXT)
def test_what_is_no_text_is_set_aside_with_its_bytes_escaped(column: str, tmp_path: Path) -> None:
    table = table_of()
    array = no_text(2)
    if column in ("seats", "events"):
        lists = table.column(column).combine_chunks()
        items = lists.flatten()
        children = {field.name: items.field(index) for index, field in enumerate(items.type)}
        children["player" if column == "seats" else "note"] = no_text(len(items))
        array = pa.StructArray.from_arrays(list(children.values()), list(children))
        array = pa.ListArray.from_arrays(lists.offsets, array)
    table = table.set_column(table.column_names.index(column), column, array)
    examine(Input("found", table=table), tmp_path)
    pq.write_table(table, tmp_path / "log.parquet")
    for entries in (sources.check_ranges(table)[1], sources.load(tmp_path / "log.parquet").quarantine):
        reasons = [f"{where} is not UTF-8; write the file again in UTF-8" for where in NO_TEXT[column]]
        assert [entry.reason for entry in entries] == reasons
        assert all("a\\\\xff" in entry.text for entry in entries)


def test_a_reason_is_one_line_whatever_a_column_is_called(tmp_path: Path) -> None:
    pq.write_table(table_of().append_column("a\nb" * 1000, pa.array([1, 2])), tmp_path / "odd.parquet")
    entry = entry_of((tmp_path / "odd.parquet").read_bytes(), ".parquet", tmp_path)
    assert entry.reason.startswith("column a ba b")
    assert entry.reason.endswith(
        "is not one of the hand log; drop or rename it, or read the file by a mapping of its columns"
    )


# -- events -----------------------------------------------------------------------------------------------


def test_more_burns_than_there_are_cards_can_be_looked_at() -> None:
    log = log_of([hand(*["burn"] * 300, "reshuffle", "burn")])
    frame = auditor.replay(log, "1").frame
    assert frame["burns"].tolist()[-3:] == [300, 0, 1]
    assert frame["stub"].tolist()[-3:] == [0, 300, 299]


def test_as_many_events_as_a_hand_may_have_and_one_more() -> None:
    kinds = hand("ante 1 1", "deal 1 Ks up", "bet 1 4", "burn", "raise 2 8", "award 1 3 pot 0")["events"]
    events = (kinds * MAX_EVENTS)[:MAX_EVENTS]
    log = log_of([{**hand(), "events": events}, {**hand(), "hand_id": "2", "events": [*events, kinds[0]]}])
    result = auditor.audit(log, threads=1, verdicts=["not_evidenced"])
    assert (result.read, result.audited, result.quarantined) == (2, 1, 1)
    assert result.quarantine["reason"].tolist() == [f"{MAX_EVENTS + 1} events, more than {MAX_EVENTS}"]
    assert result.findings["event"].max() > MAX_EVENTS - 10


def test_amounts_at_their_largest_add_up() -> None:
    """The sum of the largest amounts that a hand can hold stays far from the end of 64 bits."""
    bets = [{"kind": "bet", "seat": 1, "amount": 10**12}] * (MAX_EVENTS - 1)
    log = log_of([{**hand("ante 1 1"), "events": [{"kind": "ante", "seat": 1, "amount": 0}, *bets]}])
    pot = auditor.replay(log, "1").trace["pot"]
    assert int(pot[-1]) == 10**12 * (MAX_EVENTS - 1)
    assert (np.diff(pot) == 10**12).all()


# -- with the compiler and without --------------------------------------------------------------------------


def audit_into(folder: Path, log: Path) -> bool:
    """Audit ``log`` into Parquet files of ``folder``, every verdict; whether compiled code did it."""
    result = engine.audit(plan(), sources.units([log]), threads=1)
    for name in ("findings", "tallies", "defects", "quarantine"):
        pq.write_table(result.tables[name], folder / f"{name}.parquet")
    return isinstance(plan().passes[0].loop.function, Kept)


@pytest.mark.skipif(os.environ.get("AUDITOR_COMPILE") == "0", reason="needs the compiler")
def test_compiled_code_and_plain_python_say_the_same(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    dirty = hands_of(sources.load(ROOT / "sample_logs" / "dirty-night.jsonl"))
    made = [
        *dirty[::2],
        *(corrupted(hand, rng) for hand in dirty[1::2]),
        *(any_hand(rng) for _ in range(250)),
    ]
    log = tmp_path / "log.parquet"
    sources.write(log_of([{**hand, "hand_id": str(number)} for number, hand in enumerate(made)]), log)
    compiled, plain = tmp_path / "compiled", tmp_path / "plain"
    compiled.mkdir()
    plain.mkdir()
    assert audit_into(compiled, log)
    call = "import sys, pathlib, tests.test_fuzz as t; print(t.audit_into(*map(pathlib.Path, sys.argv[1:])))"
    run = subprocess.run(
        [sys.executable, "-c", call, str(plain), str(log)],
        cwd=ROOT,
        env=os.environ | {"AUDITOR_COMPILE": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (run.stdout, run.stderr) == ("False\n", "")
    assert pq.read_table(plain / "findings.parquet").num_rows > 10_000
    for path in sorted(compiled.iterdir()):
        assert path.read_bytes() == (plain / path.name).read_bytes(), path.name


# -- the search itself --------------------------------------------------------------------------------------


def test_an_export_with_very_long_names_of_columns_is_told_in_a_line(tmp_path: Path) -> None:
    data = (EXPORTS / "pit.csv").read_bytes()
    for name in (b"Bri" + b"f" * 5_000 + b"ng-in", b'"Bring\n-in"', b"A," * 3_000 + b"B"):
        examine(Input("found", ".csv", data.replace(b"Bring-in", name, 1), mapping="pit.toml"), tmp_path)


def test_a_hand_that_is_lost_is_missed(tmp_path: Path) -> None:
    lines = [json.dumps({**hand("check 1"), "hand_id": name}) + "\n" for name in "ab"]
    (tmp_path / "one.jsonl").write_text(lines[0])
    log = sources.load(tmp_path / "one.jsonl")
    assert_nothing_lost(Input("found", ".jsonl", lines[0].encode()), log)
    with pytest.raises(AssertionError):
        assert_nothing_lost(Input("found", ".jsonl", "".join(lines).encode()), log)


def test_an_input_that_raises_or_ends_the_process_is_named() -> None:
    ear, mouth = Pipe(duplex=False)
    for told in ((0, None, None), (0, "odd table", None), (2, None, None), (2, "odd table", "Traceback")):
        mouth.send(told)
    mouth.send((4, None, None))
    mouth.close()
    examined, wrong = listen([ear])
    assert examined == {"odd table": 2}
    assert list(wrong) == [2, 4]
    assert wrong[2] == "Traceback"
    assert "ended" in wrong[4]

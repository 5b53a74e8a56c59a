"""Reading and writing hand logs: exact round trips, and nothing lost however bad the input."""

from __future__ import annotations

import gzip
import io
import json
import os
import pickle
import random
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor import sources
from auditor.cards import CARDS
from auditor.handlog import (
    FACES,
    KINDS,
    MAX_AMOUNT,
    MAX_EVENTS,
    MAX_POT,
    RECORDS,
    SCHEMA,
    STRUCTURES,
    HandLog,
    leaves,
)
from auditor.sources import SourceError, SourceWarning, streams
from auditor.sources.csvrows import rows_of
from auditor.sources.jsontext import lines

FORMS = ("parquet", "jsonl", "csv", "jsonl.gz", "csv.zst")
TEXT_FORMS = ("jsonl", "csv")


def hand(hand_id: str = "1", **changes: Any) -> dict[str, Any]:
    """A small legal hand in the text form."""
    return {
        "hand_id": hand_id,
        "table_id": "T1",
        "gaming_day": "2026-11-01",
        "game": "seven-card-stud",
        "structure": "fixed",
        "records": ["burns", "faces"],
        "seats": [{"seat": 1, "player": "A", "stack": 400}, {"seat": 3, "player": 'B, the "2nd"'}],
        "events": [
            {"kind": "ante", "seat": 1, "amount": 1},
            {"kind": "ante", "seat": 3, "amount": 1, "note": "late"},
            {"kind": "deal", "seat": 1, "card": "Ks", "face": "up", "time": "2026-11-01T20:15:00Z"},
            {"kind": "deal", "seat": 3, "card": "??", "face": "down"},
            {"kind": "check", "seat": 1},
        ],
        **changes,
    }


def changed(event: int, **fields: Any) -> dict[str, Any]:
    """``hand()`` with fields of one event changed."""
    made = hand("bad")
    made["events"][event] |= fields
    return made


def jsonl(*hands: dict[str, Any] | str) -> bytes:
    texts = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in hands]
    return "".join(text + "\n" for text in texts).encode()


def read(data: bytes, name: str = "-") -> HandLog:
    """What is read of ``data`` on standard input, or as a file of that name in the working directory."""
    if name == "-":
        return sources.load("-", stdin=io.BytesIO(data))
    Path(name).write_bytes(data)
    return sources.load(name)


def csv_of(*hands: dict[str, Any]) -> list[str]:
    """The lines of the hands as flat CSV, header first."""
    table = read(jsonl(*hands)).table
    for name in ("source", "source_line"):
        place = table.column_names.index(name)
        table = table.set_column(
            place, table.schema.field(name), pa.nulls(len(table), table.schema.field(name).type)
        )
    sources.write(HandLog(table), "made.csv")
    return Path("made.csv").read_text(encoding="utf-8").splitlines(keepends=True)


def ids(log: HandLog) -> list[str]:
    return log.table.column("hand_id").to_pylist()


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# -- round trips ----------------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('",\n\r{}[]: \\\0'), max_size=6)
moments = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))
amounts = st.integers(0, MAX_AMOUNT)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Any hand that ``SCHEMA`` and its ranges allow, sensible or not."""
    seats = draw(st.lists(st.integers(1, 10), min_size=1, max_size=4, unique=True))
    event = st.fixed_dictionaries(
        {
            "kind": st.integers(0, len(KINDS) - 1),
            "seat": st.sampled_from(seats),
            "card": st.integers(-1, len(CARDS) - 1),
            "face": st.integers(-1, len(FACES) - 1),
            "amount": st.just(0) | amounts,
            "pot": st.integers(-1, MAX_POT),
            "time": maybe(moments),
            "note": maybe(texts),
        }
    )
    columns: dict[str, st.SearchStrategy[Any]] = {
        "hand_id": st.text('abc,"\n', min_size=1, max_size=2),
        "table_id": maybe(texts),
        "gaming_day": maybe(st.dates(date(1900, 1, 1), date(2200, 1, 1))),
        "shift": maybe(texts),
        "started_at": maybe(moments),
        "game": st.sampled_from(["seven-card-stud", "x"]),
        "structure": maybe(st.sampled_from(STRUCTURES)),
        **dict.fromkeys(["small_bet", "max_bet", "ante", "forced_bet", "raise_cap"], maybe(amounts)),
        "chip_unit": maybe(st.integers(1, MAX_AMOUNT)),
        "currency": maybe(texts),
        "dealer_position": maybe(st.integers(0, 10)),
        "records": st.integers(0, (1 << len(RECORDS)) - 1),
        "source": texts,
        "source_line": maybe(st.integers(-(2**40), 2**40)),
        "events": st.lists(event, min_size=1, max_size=5),
    }
    made = draw(st.fixed_dictionaries(columns))
    made["seats"] = [
        {"seat": s, "player": draw(texts), "stack": draw(st.integers(-1, MAX_AMOUNT))} for s in seats
    ]
    return made


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(records(), min_size=1, max_size=4), st.sampled_from(FORMS), st.sampled_from([40, 1 << 23]))
def test_every_legal_record_comes_back_exactly(hands: list[dict[str, Any]], form: str, block: int) -> None:
    table = pa.Table.from_pylist(hands, SCHEMA)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "BLOCK", block)
        patch.setattr(streams, "HEAD", min(block, 1 << 16))
        assert sources.write(HandLog(table), f"log.{form}") == ()
        log = sources.load(f"log.{form}")
    assert log.quarantine == ()
    assert log.table.equals(table.combine_chunks(), check_metadata=True)


@pytest.mark.parametrize("form", FORMS)
def test_forms_agree(form: str) -> None:
    log = read(jsonl(*(hand(str(number)) for number in range(50))), "a.jsonl")
    sources.write(log, f"b.{form}")
    again = sources.load(f"b.{form}")
    assert again.quarantine == ()
    assert again.table.equals(log.table, check_metadata=True)
    assert not list(Path().glob(".*"))


def test_text_form_is_the_documented_one() -> None:
    written = json.loads(lines(read(jsonl(hand())).table)[0].as_py())
    expected = hand(source="-", source_line=1)
    del expected["events"][3]["card"]
    assert written == expected
    assert list(written) == [name for name in SCHEMA.names if name in written]


def test_source_and_line_are_filled_in_only_where_the_log_has_none() -> None:
    log = read(
        b"\n" + jsonl(hand("1"), hand("2", source="till", source_line=7), hand("3", source="till")), "a.jsonl"
    )
    assert log.table.column("source").to_pylist() == ["a.jsonl", "till", "till"]
    assert log.table.column("source_line").to_pylist() == [2, 7, None]


def test_optional_columns_may_be_missing() -> None:
    small = {name: hand()[name] for name in ("hand_id", "game", "seats", "events")}
    log = read(jsonl(small))
    assert log.table.column("records").to_pylist() == [0]
    table = log.table.select(["hand_id", "game", "seats", "events"])
    pq.write_table(table, "small.parquet")
    assert ids(sources.load("small.parquet")) == ["1"]
    header, *rows = csv_of(hand())
    kept = [header.strip().split(",").index(f'"{name}"') for name in ("hand_id", "game", "kind", "seat")]
    picked = [",".join(row.split(",")[index].strip() for index in kept) + "\n" for row in [header, *rows]]
    picked = [row for row in picked if not row.endswith(",\n")]
    assert ids(read("".join(picked).encode(), "small.csv")) == ["1"]


def test_batches_are_ready_for_compiled_code() -> None:
    sources.write(read(jsonl(*(hand(str(number)) for number in range(25)))), "a.parquet")
    made = list(sources.batches(["a.parquet"], rows=10))
    assert [len(batch.table) for batch in made] == [10, 10, 5]
    for batch in made:
        assert batch.table.schema.equals(SCHEMA, check_metadata=True)
        assert all(column.num_chunks == 1 for column in batch.table.columns)
        offsets, fields = leaves(batch.table, "events")
        assert fields["kind"].dtype == np.int8
        assert np.diff(offsets).tolist() == [5] * len(batch.table)


def test_units_are_row_groups_and_can_be_pickled() -> None:
    table = read(jsonl(*(hand(str(number)) for number in range(9)))).table
    pq.write_table(table, "a.parquet", row_group_size=4)
    made = [pickle.loads(pickle.dumps(unit)) for unit in sources.units(["a.parquet"])]
    assert [unit.group for unit in made] == [0, 1, 2]
    held = [batch.table for unit in made for batch in unit.batches()]
    assert pa.concat_tables(held).combine_chunks().equals(table)
    hot = pa.concat_tables(
        [batch.table for unit in made for batch in unit.batches(cold=False)]
    ).combine_chunks()
    events = hot.column("events").chunk(0).values
    assert events.field("note").null_count == len(events)
    assert events.field("amount").equals(table.column("events").chunk(0).values.field("amount"))


@pytest.mark.parametrize("dropped", [(), ("time",), ("time", "note")])
def test_a_bad_hand_of_a_table_is_quarantined_with_its_times_and_notes(dropped: tuple[str, ...]) -> None:
    hands = [hand("1"), hand("2"), hand("3"), hand("4")]
    table = read(jsonl(*hands)).table
    events = table.column("events").combine_chunks()
    fields = [field.name for field in events.type.value_type if field.name not in dropped]
    leaf = {name: events.values.field(name) for name in fields}
    seats = leaf["seat"].to_numpy().copy()
    seats[3 * len(hands[0]["events"]) + 2] = 9
    leaf["seat"] = pa.array(seats)
    items = pa.StructArray.from_arrays(list(leaf.values()), names=list(leaf))
    index = table.column_names.index("events")
    table = table.set_column(index, "events", pa.ListArray.from_arrays(events.offsets, items))
    pq.write_table(table, "a.parquet", row_group_size=3)
    expected = [json.loads(line) for line in lines(read(jsonl(hands[3])).table).to_pylist()]
    for event in expected[0]["events"]:
        for name in dropped:
            event.pop(name, None)
    expected[0]["events"][2]["seat"] = 9
    for cold in (True, False):
        made = [batch for unit in sources.units(["a.parquet"]) for batch in unit.batches(2, cold=cold)]
        (entry,) = [entry for batch in made for entry in batch.quarantine]
        assert (entry.line, entry.hand_id) == (3, "4")
        assert entry.reason == "event 2: deal: seat 9 is not among the seats of the hand"
        assert [{**json.loads(entry.text), "source_line": 1}] == expected
        assert sum(len(batch.table) for batch in made) == 3


def test_wide_integers_of_other_writers_are_taken() -> None:
    table = read(jsonl(hand())).table
    wide = pa.Table.from_pylist(table.to_pylist())  # inferred: int64, nullable
    wide = wide.set_column(wide.column_names.index("gaming_day"), "gaming_day", table.column("gaming_day"))
    checked, bad = sources.check_ranges(
        wide.drop_columns([n for n in wide.column_names if wide[n].null_count])
    )
    assert bad == ()
    assert checked.schema.equals(SCHEMA)


@pytest.mark.parametrize(
    ("end", "reason"), [('"x"', ""), ("x\r", ""), ("x", ""), ('"x', "a quote is not closed")]
)
def test_the_last_line_of_a_csv_file_may_lack_its_end(end: str, reason: str) -> None:
    rows = "hand_id,game,kind,seat,player,note\n1,g,seat,1,A,\n1,g,check,1,,"
    log = read((rows + end).encode(), "cut.csv")
    assert log.read == 1 and len(log.quarantine) == bool(reason)
    if reason:
        assert reason in log.quarantine[0].reason
    else:
        assert log.events["note"].tolist() == ["x"]


def test_an_event_of_which_nothing_is_known_costs_its_hand_alone() -> None:
    rows = read(jsonl(hand("1"), hand("2"), hand("3"))).table.to_pylist()
    rows[1]["events"][0] |= {"kind": -1, "seat": 0, "amount": 0}
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), "one.parquet")
    log = sources.load("one.parquet")
    assert ids(log) == ["1", "3"]
    (entry,) = log.quarantine
    assert entry.reason == "event 0: kind -1 is not in 0-20"
    assert json.loads(entry.text)["events"][0] == {}


# -- what a path may be ---------------------------------------------------------------------------------


def test_directories_globs_and_names(tmp_path: Path) -> None:
    for name in ("logs/b/2.jsonl", "logs/a/1.jsonl", "logs/z.jsonl"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(jsonl(hand(name)))
    named = ["logs/a/1.jsonl", "logs/b/2.jsonl", "logs/z.jsonl"]
    assert [batch.source for batch in sources.batches(["logs"])] == named
    assert [batch.source for batch in sources.batches(["logs/*/*.jsonl"])] == named[:2]
    assert [batch.source for batch in sources.batches([tmp_path / "logs"])] == [
        "a/1.jsonl",
        "b/2.jsonl",
        "z.jsonl",
    ]
    assert [batch.source for batch in sources.batches([tmp_path / "logs/z.jsonl"])] == ["z.jsonl"]


def test_files_passed_over_are_told() -> None:
    Path("logs").mkdir()
    Path("logs/readme.txt").write_text("hello")
    Path("logs/a.jsonl").write_bytes(jsonl(hand()))
    told: list[str] = []
    assert len(list(sources.units(["logs", "logs/a.jsonl"], notice=told.append))) == 1
    assert len(told) == 2
    assert "logs/readme.txt" in told[0]
    assert "read once" in told[1]
    with pytest.warns(SourceWarning, match=r"readme\.txt"):
        sources.load("logs")


@pytest.mark.parametrize("path", ["nowhere.jsonl", "no*.jsonl"])
def test_missing_path(path: str) -> None:
    with pytest.raises(SourceError, match=r"no.*jsonl.*check the"):
        sources.load(path)


def test_folder_without_permission() -> None:
    Path("shut").mkdir(mode=0)
    Path().chmod(0o755)
    root = os.geteuid() == 0  # who may look into every folder, and so steps down for this
    if root:
        os.seteuid(65534)
    try:
        with pytest.raises(SourceError, match="shut cannot be looked into"):
            sources.load("shut")
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.parametrize("form", FORMS)
def test_standard_input_and_unknown_names_are_told_by_content(form: str) -> None:
    sources.write(read(jsonl(hand())), f"a.{form}")
    data = Path(f"a.{form}").read_bytes()
    assert ids(read(data)) == ["1"]
    assert ids(read(data, "night.log")) == ["1"]


def test_unknown_content() -> None:
    (entry,) = read(b"dear diary\n", "diary.log").quarantine
    assert entry.source == "diary.log"
    assert "none of Parquet, JSON Lines" in entry.reason
    assert entry.text == "dear diary\n"


# -- encodings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("form", TEXT_FORMS)
def test_byte_order_marks(encoding: str, form: str) -> None:
    log = read(jsonl(hand("né"), hand("2")), "a.jsonl")
    sources.write(log, f"b.{form}")
    again = read(Path(f"b.{form}").read_text(encoding="utf-8").encode(encoding), f"c.{form}")
    assert again.quarantine == ()
    assert again.table.equals(log.table)


def test_wrong_encoding_costs_its_line_only() -> None:
    data = (
        jsonl(hand("1"))
        + json.dumps(hand("né"), ensure_ascii=False).encode("cp1252")
        + b"\n"
        + jsonl(hand("3"))
    )
    log = read(data, "a.jsonl")
    assert ids(log) == ["1", "3"]
    (entry,) = log.quarantine
    assert (entry.line, entry.byte) == (2, len(jsonl(hand("1"))))
    assert "not UTF-8" in entry.reason
    assert '"n\\xe9"' in entry.text


def test_cut_off_utf16() -> None:
    log = read(jsonl(hand("1"), hand("2")).decode().encode("utf-16")[:-41], "a.jsonl")
    assert ids(log) == ["1"]
    assert len(log.quarantine) == 1


# -- bad hands ------------------------------------------------------------------------------------------

BAD_HANDS = [
    ("not json", "{hello", "not JSON at column 2"),
    ("cut off", json.dumps(hand())[:-30], "not JSON at column"),
    ("not an object", "[1]", "[1] is not an object"),
    ("null", "null", "null is not an object"),
    ("two on a line", json.dumps(hand()) + json.dumps(hand()), "Extra data"),
    ("null behind a hand", json.dumps(hand()) + "null", "Extra data"),
    ("deep", "[" * 100_000, "nested too deeply"),
    ("unknown key", hand(gaem="x"), "key 'gaem' is not known; the keys are hand_id"),
    ("unknown event key", changed(1, amonut=1), "events[1]: key 'amonut' is not known"),
    ("key twice", '{"game":"a","game":"b"}', "key 'game' is given twice"),
    ("amount as text", changed(0, amount="12"), 'events[0].amount: "12" is not a whole number'),
    ("broken amount", changed(0, amount=1.5), "events[0].amount: 1.5 is not a whole number"),
    ("no number", changed(0, amount=float("nan")), "NaN is not a JSON number"),
    ("too many digits", changed(0, amount=10**30), "does not fit in 64 bits"),
    ("note as number", changed(0, note=5), "events[0].note: 5 is not a string"),
    ("unknown kind", changed(0, kind="tip"), "event 0: kind 'tip' is not one of ante, blind"),
    ("no kind", changed(0, kind=None), "event 0: kind is missing"),
    ("unknown card", changed(2, card="1s"), "event 2: card '1s' is not a card such as Ks or ??"),
    ("unknown face", changed(2, face="sideways"), "event 2: face 'sideways' is not one of down, up"),
    ("bad time", changed(2, time="2026-11-01 20:15"), "event 2: time '2026-11-01 20:15' is not a UTC time"),
    ("seat 11", changed(4, seat=11), "event 4: seat 11 is not in 0-10"),
    ("seat 300", changed(4, seat=300), "event 4: seat 300 is not in 0-10"),
    ("no seat", changed(4, seat=0), "event 4: check: it names no seat"),
    ("empty seat", changed(4, seat=2), "event 4: check: seat 2 is not among the seats"),
    ("negative amount", changed(0, amount=-1), "event 0: amount -1 is not in 0-1000000000000"),
    ("enormous amount", changed(0, amount=10**12 + 1), "event 0: amount 1000000000001 is not in"),
    ("pot 10", changed(0, pot=10), "event 0: pot 10 is not in -1 to 9"),
    ("null event", hand(events=[None]), "event 0 is null"),
    ("no events", hand(events=[]), "no events"),
    ("no seats", hand(seats=None), "no seats"),
    ("seat entry 0", hand(seats=[{"seat": 0}]), "seat entry 0: seat 0 is not in 1-10"),
    ("seat twice", hand(seats=[{"seat": 1}, {"seat": 3}, {"seat": 1}]), "a seat is entered twice"),
    ("eleven seats", hand(seats=[{"seat": 1}] * 11), "11 seats, more than 10"),
    ("stack", hand(seats=[{"seat": 1, "stack": -2}]), "seat entry 0: stack -2 is not in -1 to"),
    ("no id", hand(hand_id=""), "hand_id is missing"),
    ("no game", hand(game=None), "game is missing"),
    ("structure", hand(structure="limit"), "structure 'limit' is not known; one of fixed, spread"),
    ("ante", hand(ante=-5), "ante -5 is not in 0-1000000000000"),
    ("chip unit", hand(chip_unit=0), "chip_unit 0 is not in 1-1000000000000"),
    ("dealer", hand(dealer_position=11), "dealer_position 11 is not in 0-10"),
    ("records", hand(records=["burns", "brun"]), "records 'brun' is not one of burns"),
    ("null record", hand(records=[None]), "records None is not one of"),
    ("day", hand(gaming_day="2026-02-30"), "gaming_day '2026-02-30' is not a day such as"),
]


@pytest.mark.parametrize(
    ("bad", "reason"), [case[1:] for case in BAD_HANDS], ids=[case[0] for case in BAD_HANDS]
)
def test_a_bad_json_line_costs_itself_only(bad: dict[str, Any] | str, reason: str) -> None:
    log = read(jsonl(hand("1"), bad, hand("3")), "a.jsonl")
    assert ids(log) == ["1", "3"]
    (entry,) = log.quarantine
    assert reason in entry.reason
    assert (entry.source, entry.line, entry.byte) == ("a.jsonl", 2, len(jsonl(hand("1"))))
    assert entry.text + "\n" == jsonl(bad).decode()
    assert log.read == 3


@pytest.mark.parametrize(("last", "wrong"), [(b"d,3", []), (b"d", [2])], ids=["at once", "line by line"])
def test_rows_of_csv_know_how_many_lines_stand_above_them(last: bytes, wrong: list[int]) -> None:
    """Empty lines are no rows, and a quoted field may hold a line end."""
    data = b'a,1\n\n"b\nc",2\n\r\n' + last + b"\n"
    rows = rows_of(data, ["x", "y"], ["x"], True)
    assert rows.above.tolist() == [0, 2, 5]
    assert [data[start:].split(b"\n")[0] for start in rows.starts] == [b"a,1", b'"b', last]
    assert list(rows.wrong) == wrong


def test_all_bad_json_lines_at_once() -> None:
    log = read(jsonl(*(bad for _, bad, _ in BAD_HANDS)), "a.jsonl")
    assert len(log) == 0
    assert [entry.line for entry in log.quarantine] == list(range(1, len(BAD_HANDS) + 1))
    for (_, _, reason), entry in zip(BAD_HANDS, log.quarantine, strict=True):
        assert reason in entry.reason


def test_json_lines_damaged_at_random_lose_nothing() -> None:
    whole = jsonl(*(hand(str(number)) for number in range(4)))
    dice = random.Random(1)
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(dice.randint(1, 3)):
            place = dice.randrange(len(data))
            data[place : place + dice.randint(0, 2)] = dice.choice(
                [b"", b"}", b"{", b'"', b"null", b"\xff", b"\n", b"\r"]
            )
        log = read(bytes(data))
        assert log.read == sum(bool(line.strip(b"\r")) for line in bytes(data).split(b"\n"))


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("kind", len(KINDS), "event 1: kind 21 is not in 0-20"),
        ("card", 52, "event 1: card 52 is not in -1 to 51"),
        ("face", 2, "event 1: face 2 is not in -1 to 1"),
        ("seat", -1, "event 1: seat -1 is not in 0-10"),
        ("amount", None, "event 1: amount is missing"),
    ],
)
def test_bad_codes_in_a_table(column: str, value: int | None, reason: str) -> None:
    hands = read(jsonl(hand("1"), hand("2"), hand("3"))).table.to_pylist()
    hands[1]["events"][1][column] = value
    fields = [SCHEMA.field(name) for name in SCHEMA.names if name != "events"]
    loose = pa.struct([pa.field(f.name, f.type) for f in SCHEMA.field("events").type.value_type])
    table = pa.Table.from_pylist(hands, pa.schema([*fields, pa.field("events", pa.list_(loose))]))
    checked, (entry,) = sources.check_ranges(table)
    assert checked.column("hand_id").to_pylist() == ["1", "3"]
    assert reason in entry.reason
    assert json.loads(entry.text)["hand_id"] == "2"
    pq.write_table(table, "a.parquet")
    (entry,) = sources.load("a.parquet").quarantine
    assert reason in entry.reason
    assert (entry.source, entry.line, entry.hand_id) == ("a.parquet", 1, "2")


def test_a_million_events_are_told() -> None:
    log = read(jsonl(hand("1"), hand("2", events=[{"kind": "check", "seat": 1}] * 1_000_000), hand("3")))
    assert ids(log) == ["1", "3"]
    assert f"1000000 events, more than {MAX_EVENTS}" in log.quarantine[0].reason


def test_a_line_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (streams, sources.jsonl, sources.flatcsv):
        monkeypatch.setattr(module, "MAX_LINE", 3000)
    monkeypatch.setattr(streams, "BLOCK", 1000)
    monkeypatch.setattr(streams, "HEAD", 1000)
    long = "{" + "x" * 5000
    log = read(jsonl(hand("1"), long, hand("3"), long), "a.jsonl")
    assert ids(log) == ["1", "3"]
    assert [entry.line for entry in log.quarantine] == [2, 4]
    assert "longer than 3000 bytes" in log.quarantine[0].reason
    assert log.table.column("source_line").to_pylist() == [1, 3]


# -- bad files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [*FORMS, "phh"])
def test_empty_file(form: str) -> None:
    (entry,) = read(b"", f"a.{form}").quarantine
    assert entry.source == f"a.{form}"
    assert "empty" in entry.reason or "not a whole Parquet file" in entry.reason


def test_parquet_with_a_column_whose_name_is_no_text() -> None:
    sources.write(read(jsonl(hand())), "a.parquet")
    data = Path("a.parquet").read_bytes()
    assert b"events" in data
    Path("a.parquet").write_bytes(data.replace(b"events", b"\xe7vents"))
    (entry,) = sources.load("a.parquet").quarantine
    assert "not a whole Parquet file" in entry.reason and len(entry.reason.splitlines()) == 1


def test_truncated_parquet() -> None:
    sources.write(read(jsonl(hand())), "a.parquet")
    Path("b.jsonl").write_bytes(jsonl(hand("2")))
    data = Path("a.parquet").read_bytes()
    Path("a.parquet").write_bytes(data[:-100])
    log = sources.load("a.parquet", "b.jsonl")
    assert ids(log) == ["2"]
    (entry,) = log.quarantine
    assert "not a whole Parquet file" in entry.reason
    assert entry.text.startswith("PAR1")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda table: table.drop_columns(["events"]),
            "column events is missing; add it, or read the file by a mapping",
        ),
        (
            lambda table: table.append_column("pit", pa.array(["x"])),
            "column pit is not one of the hand log; drop or",
        ),
        (lambda table: table.set_column(13, "ante", pa.array(["5"])), "column ante is string, not int64"),
        (lambda table: table.set_column(23, "events", pa.array([[1]])), "not a list of structs"),
    ],
)
def test_parquet_of_another_schema(change: Any, reason: str) -> None:
    pq.write_table(change(read(jsonl(hand())).table), "a.parquet")
    (entry,) = sources.load("a.parquet").quarantine
    assert reason in entry.reason
    with pytest.raises(SourceError, match="column"):
        sources.check_ranges(change(read(jsonl(hand())).table))


def test_cut_off_gzip_keeps_what_can_be_read() -> None:
    hands = jsonl(*(hand(f"{number}{random.Random(number).random()}") for number in range(2000)))
    log = read(gzip.compress(hands)[:-2000], "a.jsonl.gz")
    assert 0 < len(log) < 2000
    assert "cannot be read to its end" in log.quarantine[-1].reason


def test_a_hand_spread_over_lines_says_how_it_is_written() -> None:
    log = read(json.dumps(hand(), indent=1).encode(), "a.jsonl")
    told = [entry.text.strip() == "{" for entry in log.quarantine]
    assert [entry.reason.endswith("; write each hand on one line") for entry in log.quarantine] == told
    assert told[0]
    assert not all(told)


# -- flat CSV -------------------------------------------------------------------------------------------


def test_csv_with_missing_column() -> None:
    header, *rows = csv_of(hand())
    (entry,) = read((header.replace('"kind",', "") + "".join(rows)).encode(), "a.csv").quarantine
    assert "column 'kind' is missing; add it" in entry.reason
    (entry,) = read((header.replace('"shift"', '"shfit"') + "".join(rows)).encode(), "a.csv").quarantine
    assert entry.reason == (
        "column 'shfit' is not one of the hand log; drop or rename it, "
        "or read the file by a mapping of its columns"
    )


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"ante",1', '"ante","1', "a quote is not closed"),
        ('"ante",1', '"an"te",1', "a quote is not closed"),
        ('"ante",1', '"ante"', "31 fields where the header has 32"),
        ('"ante",1', '"ante",1,1', "33 fields where the header has 32"),
        ('"ante",1', '"tip",1', "event 0: kind 'tip' is not one of"),
        ('"ante",1', '"ante",1.0', "seat '1.0' is not a whole number"),
        ('"ante",1', '"ante",0x1', "seat '0x1' is not a whole number"),
        ('"ante",1', '"ante",11', "event 0: seat 11 is not in 0-10"),
        ('"Ks"', '"Kx"', "event 2: card 'Kx' is not a card"),
        ('"late"', '"l\udcffte"', "not UTF-8"),
        ('"A",400', '"A",lots', "stack 'lots' is not a whole number"),
        ('"A",400,', '"A",400,"Ks"', "a seat has no card"),
        ('"ante",1,,', '"ante",1,"A",', "an event has no player"),
    ],
)
def test_a_bad_csv_row_costs_its_hand_only(old: str, new: str, reason: str) -> None:
    header, *rows = csv_of(hand("1"), hand("2"), hand("3"))
    text = "".join(rows[7:14])
    assert old in text
    text = text.replace(old, new, 1)
    data = "".join([header, *rows[:7], text, *rows[14:]]).encode("utf-8", "surrogateescape")
    log = read(data, "a.csv")
    assert ids(log) == ["1", "3"]
    assert [entry.hand_id for entry in log.quarantine] == ["2"]
    (entry,) = log.quarantine
    assert reason in entry.reason
    assert (entry.line, entry.byte) == (9, len("".join([header, *rows[:7]]).encode()))
    assert log.table.column("source_line").to_pylist() == [2, 16]


def test_hand_columns_must_agree() -> None:
    header, *rows = csv_of(hand("1"), hand("2"))
    rows[3] = rows[3].replace("seven-card-stud", "five-card-stud")
    log = read("".join([header, *rows]).encode(), "a.csv")
    assert ids(log) == ["2"]
    assert "line 5: game is not that of the first row of the hand" in log.quarantine[0].reason


def test_interrupted_hand_is_not_merged() -> None:
    header, *rows = csv_of(hand("1"), hand("2"), hand("3"))
    log = read("".join([header, *rows[:5], *rows[7:14], *rows[5:7], *rows[14:]]).encode(), "a.csv")
    assert ids(log) == ["2", "3"]
    first, second = log.quarantine
    assert (first.hand_id, second.hand_id) == ("1", "1")
    assert "its rows seem to go on at line 14" in first.reason
    assert "line 14: a hand begins without rows of kind seat" in second.reason


def test_a_stray_quote_does_not_swallow_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    header, *rows = csv_of(*(hand(str(number)) for number in range(40)))
    plain = [row.replace('"B, the ""2nd"""', "B").replace('"', "") for row in rows]
    plain[38] = plain[38].replace("late", '"late')
    monkeypatch.setattr(streams, "BLOCK", 500)
    monkeypatch.setattr(streams, "HEAD", 500)
    monkeypatch.setattr(sources.flatcsv, "MAX_LINE", 5000)
    log = read("".join([header, *plain]).encode(), "a.csv")
    assert log.read == 40
    assert [entry.hand_id for entry in log.quarantine] == ["5"]


def test_windows_line_ends_and_blank_lines() -> None:
    lines_ = csv_of(hand("1"), hand("2"))
    log = read("\r\n".join(line.rstrip("\n") for line in [*lines_[:8], "", *lines_[8:]]).encode(), "a.csv")
    assert ids(log) == ["1", "2"]
    assert log.quarantine == ()
    assert log.table.column("source_line").to_pylist() == [2, 10]
    assert ids(read(jsonl(hand("1"), "", hand("2")).replace(b"\n", b"\r\n"))) == ["1", "2"]


@pytest.mark.parametrize(("block", "times"), [(1500, 20), (1 << 23, 60)])
def test_csv_damaged_at_random_loses_no_row(block: int, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    header, *rows = csv_of(*(hand(str(number)) for number in range(7)))
    monkeypatch.setattr(streams, "BLOCK", block)
    monkeypatch.setattr(streams, "HEAD", block)
    dice = random.Random(2)
    bits = [b"", b",", b'"', b'""', b"\xff", b"\n", b"\r", b"9", b'"\n"']
    for _ in range(times):
        damaged = [bytearray(row.encode()) for row in rows]
        row = damaged[dice.randrange(22, 28)]  # of hand 3, but not its first
        place = dice.randrange(len(row) - 1)
        row[place : place + dice.randint(0, 2)] = dice.choice(bits)
        log = read(header.encode() + b"".join(damaged), "a.csv")
        assert set("012456") <= set(ids(log))
        assert ("3" in ids(log)) == (not log.quarantine)


# -- writing --------------------------------------------------------------------------------------------


def test_writing_to_an_unknown_suffix() -> None:
    with pytest.raises(SourceError, match=r"a\.xlsx: cannot write this; name it \.parquet"):
        sources.write(read(jsonl(hand())), "a.xlsx")


def test_a_failed_write_leaves_the_old_file_and_no_other() -> None:
    Path("a.jsonl").write_bytes(jsonl(hand("old")))

    def broken() -> Any:
        yield from sources.batches(["a.jsonl"])
        raise RuntimeError("the source failed")

    with pytest.raises(RuntimeError, match="the source failed"):
        sources.write(broken(), "a.jsonl")
    assert Path("a.jsonl").read_bytes() == jsonl(hand("old"))
    assert os.listdir() == ["a.jsonl"]


@pytest.mark.parametrize("form", FORMS)
def test_an_empty_log_is_written_and_read(form: str) -> None:
    assert sources.write(HandLog(SCHEMA.empty_table()), f"a.{form}") == ()
    log = sources.load(f"a.{form}")
    assert len(log) == 0
    assert form.startswith("jsonl") or log.quarantine == ()


def test_writing_returns_what_it_could_not_write() -> None:
    log = read(jsonl(hand("1"), "{"), "a.jsonl")
    assert sources.write(log, "b.csv") == log.quarantine
    assert sources.write(sources.batches(["a.jsonl"]), "c.csv") == log.quarantine
    assert Path("b.csv").read_bytes() == Path("c.csv").read_bytes()

"""A casino's own export read by a mapping: every field, every way to write it, and all that can be wrong."""

from __future__ import annotations

import io
import json
import pickle
import random
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import auditor
from auditor import sources
from auditor.cli import app
from auditor.handlog import SCHEMA, HandLog
from auditor.sources import MappingError, mapping, streams
from auditor.sources.text import decode

ROOT = Path(__file__).parents[1]
EXPORTS = ROOT / "tests" / "exports"
DOCS = (ROOT / "docs" / "mapping.md").read_text(encoding="utf-8")

SMALL = """\
title = "Small"
rows = "events"
records = []
[hand]
hand_id = "No"
game = { value = "seven-card-stud" }
[seats]
player = "Who"
stack = "Stack"
[events]
kind = "Code"
seat = "Seat"
card = "Card"
amount = "Sum"
"""
HEADER = "No,Code,Seat,Who,Stack,Sum,Card"
ROWS = ["1,ante,1,Ann,5,1,", "1,ante,2,Bob,6.5,1,", "1,deal,1,,,,KS", "1,check,2,Bob,,,"]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def mapped(text: str) -> sources.ExportMapping:
    Path("map.toml").write_text(text, encoding="utf-8")
    return sources.load_mapping("map.toml")


def read(rows: list[str], text: str = SMALL, header: str = HEADER) -> HandLog:
    data = "".join(row + "\n" for row in [header, *rows]).encode()
    return sources.load("-", stdin=io.BytesIO(data), mapping=mapped(text))


def parquet(table: pa.Table, text: str) -> HandLog:
    pq.write_table(table, "export.parquet")
    return sources.load("export.parquet", mapping=mapped(text))


def hands(log: HandLog) -> list[dict[str, Any]]:
    """The hands in text form, what is not known left out."""

    def given(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: given(each) for key, each in value.items() if each is not None}
        return [given(each) for each in value] if isinstance(value, list) else value

    return [given(hand) for hand in decode(log.table).to_pylist()]


def reasons(log: HandLog) -> list[str]:
    return [entry.reason for entry in log.quarantine]


def run(*arguments: str | Path, code: int) -> str:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code == code, done.output
    return done.output


# -- the worked example ---------------------------------------------------------------------------------


def test_the_export_of_the_documentation_is_converted_and_audited() -> None:
    by = ("--mapping", EXPORTS / "pit.toml")
    assert "3 hands written" in run("convert", *by, EXPORTS / "pit.csv", "pit.jsonl", code=0)
    first = json.loads(Path("pit.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["hand_id"] == "88101"
    assert first["gaming_day"] == "2026-11-01"
    assert (first["ante"], first["big_bet"], first["currency"]) == (100, 800, "NZD")
    assert first["seats"] == [
        {"seat": 2, "player": "C-0102", "stack": 120_000},
        {"seat": 5, "player": "C-0105", "stack": 8_000},
    ]
    assert len(first["events"]) == 17
    assert first["events"][6] == {
        "kind": "deal",
        "seat": 2,
        "card": "Ks",
        "face": "up",
        "time": "2026-11-01T07:15:07Z",
    }
    converted, direct = auditor.audit("pit.jsonl"), auditor.audit(EXPORTS / "pit.csv", mapping=by[1])
    assert direct.findings[["hand_id", "code", "verdict"]].to_numpy().tolist() == [
        ["88103", "OPN02", "breach"]
    ]
    assert converted.findings["fingerprint"].tolist() == direct.findings["fingerprint"].tolist()
    assert direct.read == 3 and not len(direct.defects) and not len(direct.quarantine)


def test_a_run_says_by_which_mapping_it_was_read() -> None:
    run("audit", EXPORTS / "pit.csv", "--mapping", EXPORTS / "pit.toml", "--out", "run", code=1)
    facts = json.loads(Path("run/run.json").read_text(encoding="utf-8"))
    assert facts["options"]["mapping"].endswith("pit.toml")
    assert facts["mapping_sha256"] == sources.load_mapping(EXPORTS / "pit.toml").sha256


def test_a_hand_of_an_export_is_shown() -> None:
    shown = run("show", "88103", EXPORTS / "pit.csv", "--mapping", EXPORTS / "pit.toml", code=0)
    assert "OPN02 breach" in shown


def test_the_documentation_shows_the_example_as_it_is() -> None:
    assert f"```toml\n{(EXPORTS / 'pit.toml').read_text(encoding='utf-8')}```" in DOCS
    (shown,) = re.findall(r"```csv\n(.*?)```", DOCS, re.DOTALL)
    assert (EXPORTS / "pit.csv").read_text(encoding="utf-8").startswith(shown)
    assert f"```toml\n{(EXPORTS / 'pit-hands.toml').read_text(encoding='utf-8')}```" in DOCS


def pit_hands() -> pa.Table:
    """The hands of the example as one row each: lists of structs, empty boxes, cents."""
    acts = {"forced_bet": "bring-in"}
    rows = []
    log = sources.load(EXPORTS / "pit.csv", mapping=sources.load_mapping(EXPORTS / "pit.toml"))
    for hand in hands(log):
        by_seat = {seat["seat"]: seat for seat in hand["seats"]}
        rows.append(
            {
                "Shoe": 7,
                "Game No": int(hand["hand_id"]),
                "Table": hand["table_id"],
                "Business Date": date.fromisoformat(hand["gaming_day"]),
                "Boxes": [
                    {
                        "Patron": by_seat.get(box, {}).get("player"),
                        "Stack": by_seat.get(box, {}).get("stack", 0),
                    }
                    for box in range(1, 9)
                ],
                "Acts": [
                    {
                        "Act": acts.get(event["kind"], event.get("face", event["kind"])),
                        "Box": event.get("seat"),
                        "Cents": event.get("amount"),
                        "Card": event.get("card"),
                    }
                    for event in hand["events"]
                ],
            }
        )
    return pa.Table.from_pylist(rows)


def test_one_hand_a_row_with_lists_is_the_same_log() -> None:
    want = sources.load(EXPORTS / "pit.csv", mapping=sources.load_mapping(EXPORTS / "pit.toml"))
    pq.write_table(pit_hands(), "export.parquet", row_group_size=1)
    got = sources.load("export.parquet", mapping=sources.load_mapping(EXPORTS / "pit-hands.toml"))
    assert got.table.column("hand_id").to_pylist() == ["7 88101", "7 88102", "7 88103"]
    for ours, theirs in zip(hands(got), hands(want), strict=True):
        assert ours["seats"] == theirs["seats"]
        assert ours["events"] == [
            {key: value for key, value in event.items() if key not in ("time", "note")}
            for event in theirs["events"]
        ]
    assert got.table.column("source_line").to_pylist() == [0, 1, 2]
    found = auditor.audit(got).findings
    assert found[["hand_id", "code", "verdict"]].to_numpy().tolist() == [["7 88103", "OPN02", "breach"]]


# -- one event a row ------------------------------------------------------------------------------------


def test_seats_come_from_the_rows_that_name_them() -> None:
    (hand,) = hands(read(ROWS))
    assert hand["seats"] == [
        {"seat": 1, "player": "Ann", "stack": 500},
        {"seat": 2, "player": "Bob", "stack": 650},
    ]
    assert [event["kind"] for event in hand["events"]] == ["ante", "ante", "deal", "check"]
    assert hand["source"] == "-" and hand["source_line"] == 2


def test_rows_that_enter_seats_are_no_events_and_alone_say_who_sits() -> None:
    text = SMALL.replace('kind = "Code"', 'kind = { column = "Code", words = { SIT = "seat" } }')
    rows = ["1,SIT,1,Ann,5,,", "1,SIT,2,Bob,6,,", "1,ante,1,,,1,", "1,ante,3,Cy,,1,"]
    log = read(rows[:3], text)
    assert [seat["player"] for seat in hands(log)[0]["seats"]] == ["Ann", "Bob"]
    assert [event["kind"] for event in hands(log)[0]["events"]] == ["ante"]
    assert "seat 3 is not among the seats" in reasons(read(rows, text))[0]
    assert "seat 11, which is not in 1-10" in reasons(read(["1,SIT,11,Ann,5,,", *rows[:3]], text))[0]


def test_a_second_player_or_stack_at_a_seat_costs_the_hand() -> None:
    (entry,) = read([*ROWS, "1,check,1,Cy,,,"]).quarantine
    assert entry.reason == "line 6: player 'Cy' of seat 1 is not that of the rows before"
    assert entry.text.splitlines() == [*ROWS, "1,check,1,Cy,,,"]
    assert (entry.line, entry.hand_id) == (2, "1")
    assert "stack '4' of seat 1" in reasons(read([*ROWS, "1,check,1,Ann,4,,"]))[0]
    assert len(read([*ROWS, "1,check,1,Ann,5.00,,"])) == 1


def test_a_field_of_the_hand_may_stand_on_one_row_and_must_not_change() -> None:
    text = SMALL.replace("[seats]", 'ante = "Ante"\n[seats]')
    header = HEADER + ",Ante"
    assert hands(read([ROWS[0] + ",1", *(row + "," for row in ROWS[1:])], text, header))[0]["ante"] == 100
    assert hands(read([ROWS[0] + ",", *(row + ",1.00" for row in ROWS[1:])], text, header))[0]["ante"] == 100
    changing = [ROWS[0] + ",1", ROWS[1] + ",2", ROWS[2] + ",", ROWS[3] + ","]
    assert reasons(read(changing, text, header)) == ["line 3: ante '2' is not that of the rows before"]


def test_a_kind_passed_over_is_no_event_and_needs_no_hand() -> None:
    text = SMALL.replace("records = []", 'records = []\npassed_over = ["NOTE"]')
    rows = [",NOTE,,,,,", *ROWS[:2], ",NOTE,9,Eve,,,", *ROWS[2:], ",NOTE,,,,,"]
    log = read(rows, text)
    assert reasons(log) == []
    assert hands(log)[0]["events"] == hands(read(ROWS))[0]["events"]
    assert [seat["seat"] for seat in hands(log)[0]["seats"]] == [1, 2]


def test_a_bad_value_costs_its_hand_alone_and_names_the_column() -> None:
    bad = ["2" + row[1:] for row in ROWS]
    good = ["3" + row[1:] for row in ROWS]
    for at, old, new, said in (
        (0, ",ante,", ",ANTE,", "column 'Code': kind 'ANTE' is not one of ante, blind"),
        (0, ",1,", ",1.005,", "column 'Sum': amount '1.005' is not a whole number of minor units"),
        (0, ",1,", ",$1,", "column 'Sum': amount '$1' is not an amount; see [money]"),
        (2, "KS", "K", "column 'Card': card 'K' is not a card such as KS or 10h"),
        (1, ",2,", ",two,", "column 'Seat': seat 'two' is not a whole number"),
        (1, ",6.5,", ",6.5.1,", "column 'Stack': stack '6.5.1' is not an amount"),
        (0, ",1,", ",-1,", "event 0: amount -100 is not in 0-"),
        (1, ",2,", ",12,", "event 1: seat 12 is not in 0-10"),
        (1, ",ante,", ",,", "event 1: kind is missing"),
        (1, ",2,", ",,", "ante: it names no seat"),
    ):
        changed = list(bad)
        head, _, tail = changed[at].rpartition(old)
        changed[at] = head + new + tail
        log = read([*ROWS, *changed, *good])
        assert [hand["hand_id"] for hand in hands(log)] == ["1", "3"], said
        (reason,) = reasons(log)
        assert said in reason
        assert said.startswith("column") == reason.startswith(f"line {6 + at}: column"), reason
        assert log.quarantine[0].text.splitlines() == changed


def test_rows_of_a_hand_apart_are_said_and_none_of_it_is_audited() -> None:
    other = ["2" + row[1:] for row in ROWS]
    log = read([*ROWS[:2], *other, *ROWS[2:]])
    assert [hand["hand_id"] for hand in hands(log)] == ["2"]
    assert reasons(log) == [
        "its rows do not stand together; sort the export by hand",
        "rows of this hand stood before; sort the export by hand",
    ]


def test_one_id_at_two_tables_is_two_hands() -> None:
    text = SMALL.replace("[seats]", 'table_id = "Table"\n[seats]')
    rows = [f"{row},T{table}" for table in (1, 2) for row in ROWS]
    assert [hand["table_id"] for hand in hands(read(rows, text, HEADER + ",Table"))] == ["T1", "T2"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("1,ante", "2 fields where the header has 7"),
        (',ante,1,"Ann,5,1,', "a quote is not closed"),
        (",ante,1,Ann,5,1,", "hand_id is missing"),
    ],
)
def test_a_row_that_cannot_be_placed_costs_its_neighbours(row: str, said: str) -> None:
    around = [[f"{number}{text[1:]}" for text in ROWS] for number in (1, 2, 3, 4)]
    log = read([*around[0], *around[1], row, *around[2], *around[3]])
    assert log.read == len(log) + len(log.quarantine)
    assert "4" in [hand["hand_id"] for hand in hands(log)]
    assert not {"2", "3"} & {hand["hand_id"] for hand in hands(log)} or row == "1,ante"
    assert all(said in reason or "together" in reason for reason in reasons(log))
    assert any(row in entry.text for entry in log.quarantine)


@pytest.mark.parametrize("size", [40, 64, 150, 1 << 20])
def test_blocks_cut_no_hand(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BLOCK", size)
    rows = [f"{number}{row[1:]}" for number in range(1, 8) for row in ROWS]
    rows[9] = "3,ante,2,Bob,x,1,"
    log = read(rows)
    assert [hand["hand_id"] for hand in hands(log)] == ["1", "2", "4", "5", "6", "7"]
    assert [hand["source_line"] for hand in hands(log)] == [2, 6, 14, 18, 22, 26]
    assert all(len(hand["events"]) == 4 and len(hand["seats"]) == 2 for hand in hands(log))
    (entry,) = log.quarantine
    assert entry.reason.startswith("line 11: column 'Stack'")
    assert entry.byte == len(HEADER) + 1 + sum(len(row) + 1 for row in rows[:8])


def test_a_hand_that_comes_again_in_a_later_block_is_quarantined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BLOCK", 80)
    rows = [f"{number}{row[1:]}" for number in (1, 2, 3, 1) for row in ROWS]
    log = read(rows)
    assert [hand["hand_id"] for hand in hands(log)] == ["1", "2", "3"]
    assert reasons(log) == ["rows of this hand stood before; sort the export by hand"]


def test_parquet_with_a_column_whose_name_is_no_text() -> None:
    pq.write_table(pit_hands(), "export.parquet")
    data = Path("export.parquet").read_bytes()
    name = pit_hands().column_names[0].encode()
    Path("export.parquet").write_bytes(data.replace(name, b"\xe7" + name[1:]))
    (entry,) = sources.load(
        "export.parquet", mapping=sources.load_mapping(EXPORTS / "pit-hands.toml")
    ).quarantine
    assert "not a whole Parquet file" in entry.reason


def test_parquet_with_one_event_a_row_is_read_across_row_groups() -> None:
    count = 5
    table = pa.table(
        {
            "No": pa.array([number for number in range(count) for _ in ROWS], pa.int64()),
            "Code": ["ante", "ante", "deal", "check"] * count,
            "Seat": pa.array([1.0, 2.0, 1.0, None] * count),
            "Who": pa.array(["Ann", "Bob", None, None] * count).dictionary_encode(),
            "Stack": pa.array([Decimal("5.00"), Decimal("6.50"), None, None] * count),
            "Sum": pa.array([0.1, 1.0, None, None] * count),
            "Card": [None, None, "10♥", None] * count,
        }
    )
    pq.write_table(table, "export.parquet", row_group_size=3)
    text = SMALL.replace('seat = "Seat"', 'seat = { column = "Seat" }').replace(
        "[hand]", "[money]\ndecimal = ','\n[hand]"
    )
    log = sources.load("export.parquet", mapping=mapped(text))
    assert (
        log.read == count
        and [entry.reason for entry in log.quarantine] == ["event 3: check: it names no seat"] * count
    )
    assert json.loads(log.quarantine[2].text.splitlines()[2])["Card"] == "10♥"
    assert [entry.line for entry in log.quarantine] == [0, 4, 8, 12, 16]
    whole = table.set_column(2, "Seat", pa.array([1.0, 2.0, 1.0, 2.0] * count))
    pq.write_table(whole, "export.parquet", row_group_size=3)
    for unit in sources.units(["export.parquet"], mapping=mapped(text)):
        made = list(pickle.loads(pickle.dumps(unit)).batches(rows=2))
    log = HandLog(pa.concat_tables([batch.table for batch in made]).combine_chunks())
    assert len(log) == count
    assert hands(log)[4]["events"][0] == {"kind": "ante", "seat": 1, "amount": 10}
    assert hands(log)[4]["events"][2]["card"] == "Th"
    assert hands(log)[4]["seats"] == [
        {"seat": 1, "player": "Ann", "stack": 500},
        {"seat": 2, "player": "Bob", "stack": 650},
    ]


def test_text_that_is_not_utf8_costs_its_hand() -> None:
    columns = {name: [] for name in HEADER.split(",")}  # type: ignore[var-annotated]
    for number in (b"1", b"2", b"3"):
        for code, who in ((b"ante", b"Ann\xff" if number == b"2" else b"Ann"), (b"check", b"Ann")):
            for name, value in zip(columns, (number, code, b"1", who, b"5", b"1", None), strict=True):
                columns[name].append(value)

    def unchecked(values: list[bytes | None]) -> pa.Array:
        raw = pa.array(values, pa.binary())
        return pa.Array.from_buffers(pa.string(), len(raw), raw.buffers())

    log = parquet(pa.table({name: unchecked(values) for name, values in columns.items()}), SMALL)
    assert [hand["hand_id"] for hand in hands(log)] == ["1", "3"]
    (entry,) = log.quarantine
    assert entry.reason.startswith("row 2: column 'Who': player 'Ann\\\\xff' is not UTF-8")
    assert "Ann" in entry.text


# -- one hand a row -------------------------------------------------------------------------------------

NUMBERED = """\
title = "Numbered"
rows = "hands"
records = []
[hand]
hand_id = "No"
game = { value = "five-card-stud" }
[seats]
player = "P{n}"
stack = "P{n} chips"
[events]
kind = "A{n}"
seat = "A{n} by"
amount = "A{n} sum"
"""
WIDE = "No,P1,P1 chips,P3,P3 chips,A10,A10 by,A1,A1 by,A1 sum,A2,A2 by,A2 sum"


def test_numbered_columns_are_read_in_the_order_of_their_numbers() -> None:
    log = read(
        [
            "1,Ann,5,Bob,6,check,3,ante,1,1,ante,3,1",
            "2,Ann,5,,0,,,ante,1,1,,,",
            "3,Ann,5,Bob,6,,,ante,3,x,,,",
        ],
        NUMBERED,
        WIDE,
    )
    first, second = hands(log)
    assert first["seats"] == [
        {"seat": 1, "player": "Ann", "stack": 500},
        {"seat": 3, "player": "Bob", "stack": 600},
    ]
    assert first["events"] == [
        {"kind": "ante", "seat": 1, "amount": 100},
        {"kind": "ante", "seat": 3, "amount": 100},
        {"kind": "check", "seat": 3},
    ]
    assert [seat["seat"] for seat in second["seats"]] == [1]
    assert reasons(log) == [
        "line 4: event 1: column 'A{n} sum': amount 'x' is not an amount; see [money] of the mapping"
    ]


def test_a_row_that_is_no_hand_costs_itself_alone() -> None:
    log = read(["1,Ann", "2,Ann,5,,,,,ante,1,1,,,"], NUMBERED, WIDE)
    assert [hand["hand_id"] for hand in hands(log)] == ["2"]
    assert reasons(log) == ["line 2: 2 fields where the header has 13"]


LISTS = """\
title = "Lists"
rows = "hands"
records = []
[hand]
hand_id = "No"
game = { value = "five-card-stud" }
[seats]
seat = "Seats"
player = "Names"
[events]
kind = "Kinds"
seat = "Bys"
"""


def lists(**changes: Any) -> pa.Table:
    return pa.table(
        {
            "No": ["1", "2"],
            "Seats": [[4, 2], [1]],
            "Names": [["Ann", "Bob"], ["Cy"]],
            "Kinds": [["check", "fold"], ["check"]],
            "Bys": [[2, 4], [1]],
            **changes,
        }
    )


def test_lists_side_by_side_are_read() -> None:
    first, second = hands(parquet(lists(), LISTS))
    assert first["seats"] == [{"seat": 4, "player": "Ann"}, {"seat": 2, "player": "Bob"}]
    assert [event["kind"] for event in first["events"]] == ["check", "fold"]
    assert second["seats"] == [{"seat": 1, "player": "Cy"}]


def test_lists_of_different_lengths_cost_the_hand() -> None:
    log = parquet(lists(Bys=[[2], [1]]), LISTS)
    assert [hand["hand_id"] for hand in hands(log)] == ["2"]
    assert reasons(log) == ["row 0: the lists of its events differ in length"]


def test_a_column_of_the_wrong_shape_is_an_error() -> None:
    with pytest.raises(MappingError, match=r"^export.parquet: column 'Bys' is int64, not a list"):
        parquet(lists(Bys=[1, 2]), LISTS)
    with pytest.raises(MappingError, match=r"^export.parquet: column 'No' is list<.*>, not one value a row"):
        parquet(lists(No=[["1"], ["2"]]), LISTS)


# -- how values are written -----------------------------------------------------------------------------


def one_value(part: str, field: str, text: str, extra: str = "") -> Any:
    """What a cell with ``text`` becomes in a field, or the reason why its hand is quarantined."""
    head, tail = SMALL.split(f"[{part}]\n")
    lines = [line for line in tail.split("\n") if not line.startswith(field.split(" ")[0] + " =")]
    quoted = '"' + text.replace('"', '""') + '"'
    log = read(
        [f"1,ante,1,Ann,5,1,,{quoted}"],
        extra + head + f"[{part}]\n{field}\n" + "\n".join(lines),
        HEADER + ",X",
    )
    if log.quarantine:
        return log.quarantine[0].reason
    (hand,) = log.table.to_pylist()
    given = hand if part == "hand" else hand[part][0]
    return given[field.split(" ")[0]]


@pytest.mark.parametrize(
    ("text", "money", "cents"),
    [
        ("12", "", 1200),
        ("12.5", "", 1250),
        ("+12.50", "", 1250),
        ("1,234.50", "thousands = ','", 123450),
        ("1.234,50", "thousands = '.'\ndecimal = ','", 123450),
        ("NZ$ 7", "signs = ['NZ$']", 700),
        ("7 NZD", "signs = ['$', 'NZD']", 700),
        ("700", "minor_units = 1", 700),
        ("0.007", "minor_units = 1000", 7),
        ("12,5", "thousands = ','", "is not an amount"),
        ("1,2345", "thousands = ','", "is not an amount"),
        ("1,234", "", "is not an amount"),
        ("1e3", "", "is not an amount"),
        ("NaN", "", "is not an amount"),
        ("٣", "", "is not an amount"),
        ("0.5", "minor_units = 1", "is not a whole number of minor units"),
        ("99999999999999", "", "is not within"),
    ],
)
def test_amounts(text: str, money: str, cents: int | str) -> None:
    top = SMALL.replace("[hand]", f"[money]\n{money}\n[hand]")
    quoted = f'"{text}"'
    log = read([f"1,ante,1,Ann,,{quoted},"], top)
    if isinstance(cents, str):
        assert cents in reasons(log)[0]
    else:
        assert hands(log)[0]["events"][0]["amount"] == cents


@pytest.mark.parametrize(
    ("text", "card"),
    [("KS", "Ks"), ("10h", "Th"), ("th", "Th"), ("H10", "Th"), ("2♣", "2c"), ("♦ A", "Ad"), ("??", None)],
)
def test_cards(text: str, card: str | None) -> None:
    assert hands(read([f"1,deal,1,Ann,,,{text}"]))[0]["events"][0].get("card") == card


@pytest.mark.parametrize("text", ["1S", "KX", "KSS", "11h", "K S Q D", "?"])
def test_what_is_no_card(text: str) -> None:
    assert f"card {text!r} is not a card" in reasons(read([f"1,deal,1,Ann,,,{text}"]))[0]


def test_cards_in_two_columns_and_by_number() -> None:
    two = SMALL.replace('card = "Card"', 'card = { columns = ["Rank", "Suit"] }')
    header = HEADER.replace("Card", "Rank,Suit")
    log = read(["1,deal,1,Ann,,,10,H", "1,deal,1,Ann,,,,", "2,deal,1,Ann,,,10,"], two, header)
    assert [event.get("card") for event in hands(log)[0]["events"]] == ["Th", None]
    assert "columns" not in reasons(log)[0] and "column 'Rank' and 'Suit': card '10'" in reasons(log)[0]
    numbered = SMALL.replace('card = "Card"', 'card = { column = "Card", words = { 51 = "As", 0 = "??" } }')
    assert hands(read(["1,deal,1,Ann,,,51"], numbered))[0]["events"][0]["card"] == "As"
    assert "card '50' is not" in reasons(read(["1,deal,1,Ann,,,50"], numbered))[0]


def test_days() -> None:
    form = 'gaming_day = { column = "X", format = "%d/%m/%Y" }'
    assert one_value("hand", form, "03/02/2026") == date(2026, 2, 3)
    assert "column 'X': gaming_day '31/02/2026' is not of the form %d/%m/%Y" in one_value(
        "hand", form, "31/02/2026"
    )
    assert one_value("hand", form, " 03/02/2026 ") == date(2026, 2, 3)
    assert "is not of the form" in one_value("hand", form, "03/02/2026x")
    assert one_value("hand", 'gaming_day = "X"', "2026-02-03") == date(2026, 2, 3)
    assert "is not a day such as" in one_value("hand", 'gaming_day = "X"', "3 Feb")


def test_times() -> None:
    zone = 'timezone = "Pacific/Auckland"\n'
    form = 'started_at = { column = "X", format = "%d/%m/%Y %H:%M" }'
    at = datetime(2026, 7, 1, 8, 30, tzinfo=UTC)
    assert one_value("hand", form, "01/07/2026 20:30", zone) == at
    assert one_value("hand", 'started_at = "X"', "2026-07-01 20:30", zone) == at
    assert one_value("hand", 'started_at = "X"', "2026-07-01T08:30:00Z", zone) == at
    assert one_value("hand", 'started_at = "X"', "2026-07-01T08:30:00Z") == at
    assert "add timezone" in one_value("hand", 'started_at = "X"', "2026-07-01 20:30")
    assert "is not a time of the form" in one_value("hand", form, "01/07/2026 25:30", zone)
    # the hour that comes twice leaves two moments; the hour that never was is no time
    assert one_value("hand", form, "05/04/2026 02:30", zone) is None
    assert "is not a time" in one_value("hand", form, "27/09/2026 02:30", zone)
    assert one_value("events", 'time = "X"', "2026-07-01T08:30:00Z") == at


def test_parquet_days_and_times_need_no_format() -> None:
    moment = datetime(2026, 7, 1, 20, 30)
    table = pa.table(
        {
            "No": ["1"],
            "Code": ["ante"],
            "Seat": [1],
            "Who": ["Ann"],
            "Stack": [5],
            "Sum": [1],
            "Card": [None],
            "Day": [date(2026, 7, 1)],
            "Start": pa.array([moment], pa.timestamp("ns")),
            "At": pa.array([moment], pa.timestamp("ms", tz="UTC")),
        }
    )
    text = SMALL.replace("[seats]", 'gaming_day = "Day"\nstarted_at = "Start"\n[seats]') + 'time = "At"\n'
    (hand,) = parquet(table, 'timezone = "Pacific/Auckland"\n' + text).table.to_pylist()
    assert hand["gaming_day"] == date(2026, 7, 1)
    assert hand["started_at"] == datetime(2026, 7, 1, 8, 30, tzinfo=UTC)
    assert hand["events"][0]["time"] == datetime(2026, 7, 1, 20, 30, tzinfo=UTC)
    (hand,) = parquet(table, 'timezone = "UTC"\n' + text.replace('"Day"', '"Start"')).table.to_pylist()
    assert hand["gaming_day"] == date(2026, 7, 1)


def test_words_what_is_not_listed_and_nothing() -> None:
    words = 'structure = { column = "X", words = { FL = "fixed", "-" = "" } }'
    assert one_value("hand", words, "FL") == "fixed"
    assert one_value("hand", words, "pot") == "pot"
    assert one_value("hand", words, "-") is None
    assert "column 'X': structure 'NL' is not among the words of the mapping" in one_value(
        "hand", words, "NL"
    )
    assert one_value("hand", words.replace(" } }", ' }, otherwise = "none" }'), "NL") == "none"
    assert one_value("hand", 'structure = "X"', " n/a ", 'nothing = ["n/a"]\n') is None


def test_another_delimiter_a_headline_and_columns_of_one_name() -> None:
    text = 'delimiter = ";"\nheader_line = 3\n' + SMALL
    data = (
        "Report of the pit\n\n"
        + HEADER.replace(",", ";")
        + ";;x;x\n"
        + "".join(row.replace(",", ";") + ';;"a;b";c\n' for row in ROWS)
    )
    log = sources.load("-", stdin=io.BytesIO(data.encode("utf-16")), mapping=mapped(text))
    assert reasons(log) == []
    assert hands(log)[0]["events"] == hands(read(ROWS))[0]["events"]
    assert log.table.column("source_line").to_pylist() == [4]


# -- what cannot be used --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('hand_id = "No"\n', "", "map.toml:4: hand: hand_id is missing; add it"),
        ('rows = "events"', 'rows = "event"', "map.toml:2: rows: 'event' is not one of 'events' or 'hands'"),
        ('card = "Card"', 'cards = "Card"', "map.toml:13: events.cards: unknown key; did you mean card?"),
        (
            'card = "Card"',
            'card = { colum = "Card" }',
            "map.toml:13: events.card.colum: unknown key; did you mean column?",
        ),
        ('card = "Card"', "card = 3", "map.toml:13: events.card: 3 is no table"),
        (
            'card = "Card"',
            'card = { value = "Ks", column = "C" }',
            "map.toml:13: events.card: give one of column",
        ),
        (
            'card = "Card"',
            'card = { column = "C", words = { A = "ace" } }',
            "map.toml:13: events.card.words.A: 'ace' is not a card such as Ks",
        ),
        (
            'kind = "Code"',
            'kind = { column = "C", words = { A = "antee" } }',
            "map.toml:11: events.kind.words.A: 'antee' is not one of its words; did you mean ante?",
        ),
        (
            'kind = "Code"',
            'kind = { column = "C", otherwise = "x" }',
            "map.toml:11: events.kind.otherwise: 'x' is not one of its words",
        ),
        (
            'amount = "Sum"',
            'amount = { value = "1.50" }',
            "map.toml:14: events.amount.value: '1.50' is not a whole number",
        ),
        (
            'amount = "Sum"',
            'amount = { column = "Sum", format = "%d" }',
            "map.toml:14: events.amount.format: is for days and times",
        ),
        (
            'amount = "Sum"',
            'time = { column = "T", format = "%H:%M" }',
            "map.toml:14: events.time: names no time zone",
        ),
        (
            'amount = "Sum"',
            'time = { column = "T", format = "%Q %z" }',
            "map.toml:14: events.time.format: '%Q %z': ",
        ),
        ('amount = "Sum"', 'amount = "Sum{n}"', "map.toml:14: events.amount: {n} counts the seats"),
        (
            "records = []",
            'records = ["burn"]',
            "map.toml:3: records.0: 'burn' is nothing that is recorded; did you mean burns?",
        ),
        (
            "records = []",
            "records = []\ndelimiter = '||'",
            "map.toml:4: delimiter: '||' is not one plain character",
        ),
        (
            "records = []",
            "records = []\ntimezone = 'NZ Time'",
            "map.toml:4: timezone: 'NZ Time' is no time zone",
        ),
        (
            "[hand]",
            "[money]\nthousands = '.'\n[hand]",
            "map.toml:5: money.thousands: is the decimal mark too",
        ),
        ("[hand]", "[money]\ndecimal = '5'\n[hand]", "map.toml:5: money.decimal: '5' is part of a number"),
        (
            "[hand]",
            "[money]\nthousands = '-'\n[hand]",
            "map.toml:5: money.thousands: '-' is part of a number",
        ),
        ("title =", "title", "map.toml:1: not TOML"),
    ],
)
def test_a_mistake_in_a_mapping_names_its_line_and_the_remedy(old: str, new: str, said: str) -> None:
    with pytest.raises(MappingError) as raised:
        mapped(SMALL.replace(old, new))
    assert str(raised.value).startswith(said)


def test_mistakes_of_one_hand_a_row() -> None:
    with pytest.raises(MappingError, match=r"seats: is missing"):
        mapped(NUMBERED.replace('player = "P{n}"\nstack = "P{n} chips"\n', ""))
    with pytest.raises(MappingError, match=r"map.toml:10: events: some columns have \{n\} and some do not"):
        mapped(NUMBERED.replace('"A{n} by"', '"By"'))


def test_a_column_that_is_not_there_is_an_error_that_names_file_column_and_remedy() -> None:
    Path("e.csv").write_text(HEADER.replace("Sum", "Summ") + "\n" + ROWS[0] + "\n", encoding="utf-8")
    Path("map.toml").write_text(SMALL, encoding="utf-8")
    for command in (["convert", "e.csv", "out.jsonl"], ["audit", "e.csv"], ["show", "1", "e.csv"]):
        said = run(*command, "--mapping", "map.toml", code=2)
        assert "auditor: e.csv: map.toml: events.amount names column 'Sum', which is not there; " in said
        assert "did you mean Summ?" in said
        assert not Path("out.jsonl").exists()
    Path("e.csv").write_text(HEADER + ",Sum\n", encoding="utf-8")
    assert "'Sum', which is there twice" in run("audit", "e.csv", "--mapping", "map.toml", code=2)
    pq.write_table(pa.table({"No": ["1"]}), "e.parquet")
    assert "e.parquet: map.toml: seats.player names column 'Who', which is not there" in run(
        "audit", "e.parquet", "--mapping", "map.toml", code=2
    )
    assert "gone.toml: cannot be read" in run("audit", "e.csv", "--mapping", "gone.toml", code=2)


def test_files_that_are_no_export() -> None:
    by = mapped(SMALL)
    Path("cut.parquet").write_bytes(b"PAR1 and no more")
    Path("empty.csv").write_bytes(b"")
    Path("head.csv").write_text(HEADER + "\n", encoding="utf-8")
    Path("quote.csv").write_text('"a\nb\n', encoding="utf-8")
    assert "not a whole Parquet file" in reasons(sources.load("cut.parquet", mapping=by))[0]
    assert reasons(sources.load("empty.csv", mapping=by)) == ["the file is empty"]
    assert sources.load("head.csv", mapping=by).read == 0
    assert "the header is not CSV" in reasons(sources.load("quote.csv", mapping=by))[0]
    short = mapped("header_line = 9\n" + SMALL)
    assert "it ends before line 9" in reasons(sources.load("head.csv", mapping=short))[0]


def test_a_folder_of_exports_is_read_by_the_names_of_its_files() -> None:
    for name in ("n/a.csv", "n/b.TXT", "n/c.csv.gz", "n/notes.pdf"):
        Path(name).parent.mkdir(exist_ok=True)
        text = "\n".join([HEADER, *(name + row[1:] for row in ROWS)]).encode()
        Path(name).write_bytes(__import__("gzip").compress(text) if name.endswith("gz") else text)
    told: list[str] = []
    log = sources.load("n", mapping=mapped(SMALL), notice=told.append)
    assert log.table.column("hand_id").to_pylist() == ["n/a.csv", "n/b.TXT", "n/c.csv.gz"]
    assert len(told) == 1 and "notes.pdf" in told[0]


def test_a_log_in_memory_takes_no_mapping() -> None:
    with pytest.raises(ValueError, match="a mapping is for paths"):
        auditor.audit(read(ROWS), mapping="map.toml")


# -- the schema -----------------------------------------------------------------------------------------


def test_the_schema_accepts_what_loads_and_refuses_what_does_not() -> None:
    import tomllib

    schema = jsonschema.Draft202012Validator(mapping.json_schema())
    for name in ("pit.toml", "pit-hands.toml"):
        schema.validate(tomllib.loads((EXPORTS / name).read_text("utf-8")))
    for text in (
        SMALL.replace('"events"', '"acts"', 1),
        SMALL.replace("card =", "cards ="),
        SMALL.replace('"Sum"', "3"),
    ):
        assert not schema.is_valid(tomllib.loads(text))


# -- against the reader of our own CSV, and against anything -------------------------------------------


def of_our_own() -> str:
    """The mapping under which our own CSV is an export like any other."""
    from auditor.handlog import EVENT_FIELDS, HAND_FIELDS

    hand = [field.name for field in HAND_FIELDS if field.name not in ("records", "source", "source_line")]
    events = [field.name for field in EVENT_FIELDS if field.name != "kind"]
    return "\n".join(
        [
            'title = "Our own"\nrows = "events"\nrecords = []\n[money]\nminor_units = 1\n[hand]',
            *(f'{name} = "{name}"' for name in hand),
            '[seats]\nplayer = "player"\nstack = "stack"\n[events]',
            'kind = { column = "kind", words = { seat = "seat" } }',
            *(f'{name} = "{name}"' for name in events),
        ]
    )


@pytest.mark.parametrize("name", ["clean-night.jsonl", "dirty-night.jsonl"])
def test_our_own_csv_by_a_mapping_is_the_same_log(name: str) -> None:
    sources.write(sources.load(ROOT / "sample_logs" / name), "night.csv")
    own, by_mapping = sources.load("night.csv"), sources.load("night.csv", mapping=mapped(of_our_own()))
    assert len(own) > 50 and reasons(by_mapping) == []
    apart = ["records", "source", "source_line"]
    assert by_mapping.table.drop_columns(apart).equals(own.table.drop_columns(apart))


def test_whatever_is_done_to_an_export_every_hand_is_read_or_quarantined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by = sources.load_mapping(EXPORTS / "pit.toml")
    header, _, body = (EXPORTS / "pit.csv").read_bytes().partition(b"\n")
    chance = random.Random(1)
    kept = lost = 0
    for _ in range(40):
        monkeypatch.setattr(streams, "BLOCK", chance.choice([3000, 1 << 20]))
        data = bytearray(body)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(data))
            data[at : at + chance.choice([0, 1, 1, 9, 200])] = chance.choice(
                [b"", b'"', b"\n", b",", b"\xff", b"\0", b"\r", b"x", b"88102", b"\n\n,,,\n"]
            )
        log = sources.load("-", stdin=io.BytesIO(header + b"\n" + data), mapping=by)
        assert all(entry.reason for entry in log.quarantine)
        assert log.table.schema == SCHEMA
        kept, lost = kept + len(log), lost + len(log.quarantine)
        if log.read < 3:
            gone = {b"88101", b"88102", b"88103"} - {bytes(row[:5]) for row in data.split(b"\n")}
            assert gone or log.quarantine
    assert kept > 30 and lost > 30

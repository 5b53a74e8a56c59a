"""PHH: real hands are read whole and their chips add up; what cannot be read says why."""

from __future__ import annotations

import gzip
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from pokerkit import HandHistory

import auditor
from auditor import engine, sources
from auditor.handlog import CHIP_KINDS, RECORDS
from auditor.plan import Plan
from tests import reading
from tests.reading import only, played

FILES = sorted((Path(__file__).parent.parent / "sample_logs" / "phh").glob("*.phh"))

STUD = """
variant = 'F7S'
antes = [5, 5, 5]
bring_in = 10
small_bet = 20
big_bet = 40
starting_stacks = [1000, 40, 3]
actions = [
  'd dh p1 2c3c4c', 'd dh p2 ????Kd', 'd dh p3 8h8s8d',
  'p1 pb # asleep', 'p2 cbr 20', 'p3 cc', 'p1 cbr 40', 'p2 cc',
  'd dh p1 5c', 'd dh p2 Kh', 'd dh p3 9d', '# a drink is spilt', 'p1 cc',
  'd dh p1 6c', 'd dh p2 Ks', 'd dh p3 Td', 'd dh p1 7c', 'd dh p2 Qs', 'd dh p3 Jd',
  'd db As', 'p1 sm -', 'p2 sm', 'p3 sm 8h8s8d9dTdJd', '# the end',
]
day = 5
month = 3
year = 2026
time = 20:15:00
time_zone = 'Pacific/Auckland'
table = 7
seats = [2, 4, 6]
players = ['Ann', 'Bo', 'Cy']
finishing_stacks = [1035, 0, 8]
currency = 'NZD'
"""


read = partial(reading.read, name="h.phh")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_sample_is_there() -> None:
    assert len(FILES) == 13


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_real_hands_agree_with_pokerkit(path: Path) -> None:
    hand = only(sources.load(path))
    second = HandHistory.loads(path.read_text(encoding="utf-8"))
    *_, last = second
    assert hand["hand_id"] == path.stem
    assert (hand["source"], hand["source_line"]) == (path.name, 1)
    assert hand["game"] == "seven-card-stud"
    assert hand["gaming_day"].isoformat() == f"{second.year}-{second.month:02}-{second.day:02}"
    assert hand["records"] == sum(
        1 << RECORDS.index(name) for name in ("faces", "down_cards", "show_order", "stacks")
    )
    frame = sources.load(path).events
    words = [action.split() for action in second.actions]
    carded = [len(w[-1]) // 2 if w[0] == "d" or (w[1] == "sm" and len(w) == 3) else 1 for w in words]
    assert len(frame) == sum(carded) + len(second.antes) + (frame["kind"] == "award").sum()
    money = frame[frame["kind"].isin(CHIP_KINDS - {"award"})].groupby("seat")["amount"].sum()
    awards = frame[frame["kind"] == "award"].groupby("seat")["amount"].sum()
    for seat, (start, finish) in enumerate(
        zip(second.starting_stacks, second.finishing_stacks, strict=True), 1
    ):
        assert start - money.get(seat, 0) + awards.get(seat, 0) == finish
    assert list(last.stacks) == second.finishing_stacks
    assert awards.sum() == money.sum()


def test_every_action_and_field() -> None:
    log = read(STUD)
    hand = only(log)
    assert played(log) == [
        "ante 2 5", "ante 4 5", "ante 6 3",
        "deal 2 2c down", "deal 2 3c down", "deal 2 4c up",
        "deal 4 down", "deal 4 down", "deal 4 Kd up",
        "deal 6 8h down", "deal 6 8s down", "deal 6 8d up",
        "forced_bet 2 10 asleep", "raise 4 20", "call 6 0", "raise 2 30", "call 4 15",
        "deal 2 5c up", "deal 4 Kh up", "deal 6 9d up", "check 2 a drink is spilt",
        "deal 2 6c up", "deal 4 Ks up", "deal 6 Td up",
        "deal 2 7c up", "deal 4 Qs up", "deal 6 Jd up", "community As up",
        *(f"show 2 {card}" for card in "2c 3c 4c 5c 6c 7c".split()), "muck 4",
        *(f"show 6 {card}" for card in "8h 8s 8d 9d Td".split()), "show 6 Jd the end",
        "award 2 80", "award 6 8",
    ]  # fmt: skip
    assert hand["hand_id"] == "h"
    assert hand["table_id"] == "7"
    assert hand["gaming_day"].isoformat() == "2026-03-05"
    assert hand["started_at"].isoformat() == "2026-03-05T07:15:00+00:00"
    assert (hand["small_bet"], hand["big_bet"], hand["ante"], hand["forced_bet"]) == (20, 40, 5, 10)
    assert (hand["structure"], hand["currency"]) == ("fixed", "NZD")
    assert [(seat["seat"], seat["player"], seat["stack"]) for seat in hand["seats"]] == [
        (2, "Ann", 1000), (4, "Bo", 40), (6, "Cy", 3),
    ]  # fmt: skip
    assert hand["records"] == sum(1 << RECORDS.index(name) for name in ("faces", "show_order", "stacks"))


def test_five_card_stud() -> None:
    text = """variant = 'F5S'
antes = [0, 0]
starting_stacks = [100, inf]
actions = ['d dh p1 2c3c', 'd dh p2 4c5c', 'p1 cbr 10', 'p2 cc', 'd dh p1 6c', 'd dh p2 7c',
  'p1 cbr 10', 'p2 f']
finishing_stacks = [110, inf]
"""
    log = read(text)
    hand = only(log)
    assert hand["game"] == "five-card-stud"
    assert played(log) == [
        "deal 1 2c down", "deal 1 3c up", "deal 2 4c down", "deal 2 5c up", "bet 1 10", "call 2 10",
        "deal 1 6c up", "deal 2 7c up", "bet 1 10", "fold 2",
    ]  # fmt: skip
    assert hand["seats"][1]["stack"] == -1
    assert not hand["records"] >> RECORDS.index("stacks") & 1


def test_awards_are_left_out_where_the_stacks_disagree() -> None:
    assert not any(
        line.startswith("award") for line in played(read(STUD.replace("1035, 0, 8", "1135, 0, 8")))
    )
    assert not any(line.startswith("award") for line in played(read(STUD.replace("1035, 0, 8", "1035, 0"))))


def test_without_finishing_stacks_the_last_comment_is_kept() -> None:
    assert played(read(STUD.replace("finishing_stacks", "_finishing")))[-1] == "show 6 Jd the end"


def test_many_hands_in_a_file() -> None:
    one = STUD.strip()
    hands = [one, one.replace("F7S", "NS"), one.replace("[5, 5, 5]", "[5, 5"), one]
    text = "".join(f"[{number}]\n{hand}\n\n" for number, hand in enumerate(hands, 1))
    log = read(text, name="night.phhs")
    assert log.table.column("hand_id").to_pylist() == ["night:1", "night:4"]
    size = one.count("\n") + 3
    assert log.table.column("source_line").to_pylist() == [1, 1 + 3 * size]
    second, third = log.quarantine
    assert (second.hand_id, second.line, second.byte) == ("night:2", 1 + size, len(one) + 6)
    assert (
        "variant 'NS' (no-limit short-deck-holdem) cannot be read yet; those that can: F7S, F5S, FT, NT"
        in second.reason
    )
    assert second.text.startswith("[2]\nvariant = 'NS'")
    assert third.hand_id == "night:3"
    assert "line" in third.reason  # the TOML reader says where


def test_many_small_files_are_read_as_one_with_the_same_outcome() -> None:
    folder = Path("night")
    folder.mkdir()
    for number, path in enumerate(FILES):
        (folder / f"{number:02}.phh").write_bytes(path.read_bytes())
    (folder / "01b.phh").write_bytes(b"")
    (folder / "02b.phh").write_bytes(b"\xef\xbb\xbf")
    (folder / "03b.phh").write_bytes(STUD.replace("'F7S'", "'NS'").encode())
    (folder / "04b.phh").write_bytes(gzip.compress(STUD.encode(), mtime=0)[:60])
    (folder / "05b.phh").write_bytes(STUD.encode("utf-16"))
    (folder / "06b.PHH").write_bytes(STUD.encode() + b"#" + b" " * 70_000)
    (folder / "07b.phh").write_bytes(b"not = [TOML")
    (folder / "08b.phhs").write_text(f"[1]\n{STUD}\n[2]\n{STUD}", encoding="utf-8")
    (folder / "09b.phh").symlink_to("nowhere.phh")
    units = list(sources.units([folder]))
    together = list(sources.joined(units))
    assert len(units) == 22 and len(together) < 10
    apart = [batch for unit in units for batch in unit.batches()]
    log = sources.load(folder)
    assert log.table.equals(pa.concat_tables(batch.table for batch in apart).combine_chunks())
    assert log.quarantine == tuple(entry for batch in apart for entry in batch.quarantine)
    assert [entry.source for entry in log.quarantine] == [f"night/0{n}b.phh" for n in (1, 2, 3, 4, 7, 9)]
    plan = Plan.make()
    found, in_memory = engine.audit(plan, units).findings, auditor.audit(log).findings
    assert found.drop(columns="file").equals(in_memory.drop(columns="file"))
    assert list(found.file) == list(in_memory.source)  # of PHH, which names no source of its own
    assert in_memory.file.isna().all()


def test_no_file_is_joined_with_those_that_another_worker_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_TOGETHER", 5)
    units = list(sources.units([str(path) for path in FILES]))
    joined = list(sources.joined(units))
    assert [len(one.units) for one in joined] == [5, 5, 3]
    assert [unit for one in joined for unit in one.units] == units


def test_bad_bytes_cost_their_hand_only() -> None:
    one = STUD.strip()
    text = f"[1]\n{one}\n[2]\n{one.replace('Ann', 'Zoë')}\n[3]\n{one}\n"
    Path("a.phhs").write_bytes(text.encode("cp1252"))
    log = sources.load("a.phhs")
    assert log.table.column("hand_id").to_pylist() == ["a:1", "a:3"]
    assert "not UTF-8" in log.quarantine[0].reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("variant = 'F7S'", "", "variant, which names the game, is missing; one of F7S"),
        ("'F7S'", "'FR'", "variant 'FR' (razz) cannot be read yet"),
        ("'F7S'", "'XX'", "variant 'XX' cannot be read yet"),
        ("variant = 'F7S'", "variant = F7S", "Invalid value"),
        ("[5, 5, 5]", "[5, 5]", "antes has 2 entries, starting_stacks 3"),
        ("[5, 5, 5]", "5", "antes is missing or not a list"),
        ("[5, 5, 5]", "[5, 0.5, 5]", "antes '0.5' is not a whole number of chips"),
        ("[5, 5, 5]", "[5, -5, 5]", "event 1: amount -5 is not in 0-1000000000000"),
        ("[1000, 40, 3]", "[]", "starting_stacks has 0 entries"),
        ("bring_in = 10", "", "action 3 'p1 pb # asleep': the hand has no bring_in"),
        ("'p2 cbr 20'", "'p2 cbr 0'", "action 4 'p2 cbr 0': 0 is in the round already"),
        ("'p2 cbr 20'", "'p2 cbr 20.5'", "action 4 'p2 cbr 20.5': it is no action of this game"),
        ("'p2 cbr 20'", "'p4 cbr 20'", "'p4' is not a player from p1 to p3"),
        ("'p2 cbr 20'", "'p2 sd'", "action 4 'p2 sd': it is no action of this game"),
        ("'p2 cbr 20'", "5", "actions is not a list of strings"),
        ("2c3c4c", "2c3c4", "'4' is not a card"),
        ("2c3c4c", "2c3c1c", "'1c' is not a card"),
        ("2c3c4c", "2c3c4c5c6c7c8c9c", "more than 7 cards for one player"),
        ("day = 5", "day = 32", "year, month and day are no date"),
        ("[2, 4, 6]", "[2, 4, 11]", "seat entry 2: seat 11 is not in 1-10"),
        ("[2, 4, 6]", "[2, 4, 4]", "a seat is entered twice"),
        ("['Ann', 'Bo', 'Cy']", "['Ann']", "players does not have 3 entries"),
    ],
)
def test_a_hand_that_cannot_be_read_says_why(old: str, new: str, reason: str) -> None:
    assert old in STUD
    text = STUD.replace(old, new, 1)
    log = read(text)
    assert len(log) == 0
    (entry,) = log.quarantine
    assert reason in entry.reason
    assert entry.text == text
    assert entry.hand_id == "h"


def test_phh_on_standard_input() -> None:
    with FILES[0].open("rb") as stream:
        hand = only(sources.load("-", stdin=stream))
    assert hand["hand_id"] == "-"

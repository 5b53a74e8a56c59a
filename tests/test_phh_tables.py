"""A PHH table says what ``tomllib`` reads in it, whichever reader read it."""

from __future__ import annotations

import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.sources import phh
from tests import reading
from tests.reading import only, played
from tests.test_phh import FILES, STUD

read = partial(reading.read, name="h.phh")
slow = partial(tomllib.loads, parse_float=phh._real)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def agrees(text: str) -> bool:
    """Whether the quick reader gave the table, which then has to be the same to the letter and type."""
    quick = phh._quickly(text)
    if quick is not None:
        assert repr(quick) == repr(slow(text))
    return quick is not None


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_hands_as_they_are_usually_written_are_read_quickly(line_end: str) -> None:
    five = "starting_stacks = [inf, +inf, 1] # unknown\nplayers = ['''A\nB''', \"null\"]\nevent = '1: $5.50'"
    for text in [STUD, five, *(path.read_text(encoding="utf-8") for path in FILES)]:
        assert agrees(text.replace("\n", line_end))


@pytest.mark.parametrize(
    "value",
    [
        "07:32", "1979-05-27T07:32", "1979-05-27T07:32Z", "[07:32]",
        "{a = 1,}", "{a = 1,\n b = 2}", r'"\e"', r'"\x41"', "9" * 5000,
    ],
)  # fmt: skip
def test_what_toml_1_0_does_not_know_is_no_hand(value: str) -> None:
    (entry,) = read(f"{STUD}user = {value}\n").quarantine
    assert "line" in entry.reason or "digits" in entry.reason


def test_a_second_byte_order_mark_is_none() -> None:
    assert read(f"\ufeff{STUD}").quarantine == ()
    (entry,) = read(f"\ufeff\ufeff{STUD}").quarantine
    assert "Invalid statement" in entry.reason


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("1.50", "1.50"), ("1e999", "1e999"), ("-0.0", "-0.0"), ("+nan", "+nan"), ("-inf", "-inf"),
        ("0x1F", "31"), ("1_000", "1000"), (str(1 << 64), str(1 << 64)), ("true", "True"), ("'null'", "null"),
        ("1979-05-27T00:32:00.1234567-07:00", "1979-05-27 00:32:00.123456-07:00"),
        ("1979-05-27t07:32:00z", "1979-05-27 07:32:00+00:00"), ("07:32:00.9999999", "07:32:00.999999"),
        ("1979-05-27", "1979-05-27"), ("[1, [2.50]]", "[1, ['2.50']]"), ("{a = 1.0}", "{'a': '1.0'}"),
        (r'"\u0041"', "A"), ("'''a\r\nb'''", "a\nb"), ('"""a\\\r\n  b"""', "ab"),
    ],
)  # fmt: skip
def test_a_value_is_shown_as_written(written: str, shown: str) -> None:
    hand = only(read(STUD.replace("table = 7", f"table = {written}").replace("'Bo'", written)))
    assert (hand["table_id"], hand["seats"][1]["player"]) == (shown, shown)


@pytest.mark.parametrize("stack", ["inf", "+inf", "9e999", "nan", "-inf", "1e3", "true"])
def test_only_inf_is_an_unknown_stack(stack: str) -> None:
    log = read(STUD.replace("[1000, 40, 3]", f"[1000, 40, {stack}]").replace("'p3 cc', ", "'p3 f', "))
    if stack.endswith("inf") and stack[0] != "-":
        assert only(log)["seats"][2]["stack"] == -1
    else:
        (entry,) = log.quarantine
        assert "is not a whole number of chips" in entry.reason


@pytest.mark.parametrize("line_end", ["\r", "\r\r\n", "\n\r"])
def test_a_carriage_return_alone_ends_no_line(line_end: str) -> None:
    (entry,) = read(STUD.replace("\nday", f"{line_end}day")).quarantine
    assert "line" in entry.reason


def test_what_is_nested_deeper_than_can_be_shown_costs_its_hand() -> None:
    names = "a" + ".a" * 490
    venue = f"[venue.{names}]\n{names} = [\n{{{names} = 1}}\n]\n"
    (entry,) = read(STUD.replace("table = 7\n", "") + venue).quarantine
    assert entry.reason == "nested too deeply"


def test_inline_tables_without_end_come_to_no_reader_that_they_break() -> None:
    key = ".".join("a" * 78)
    text = "1"
    for _ in range(78):
        text = f"{{\n{key} = {text}\n}}"
    (entry,) = read(f"{STUD}user = {text}\n").quarantine
    assert "Invalid initial character" in entry.reason


def test_notes_stay_where_the_actions_put_them() -> None:
    text = """variant = 'F5S'
antes = [0, 0]
starting_stacks = [90, 90]
actions = ['# a', '#b', 'd dh p1 2c3c #', 'd dh p2 4c5c', 'p01 cbr 10 # c', '# d', 'p2 sm -', 'p2 f # e',
  '#f']
"""
    assert played(read(text)) == [
        "deal 1 2c down a; b; ", "deal 1 3c up", "deal 2 4c down", "deal 2 5c up", "bet 1 10 c",
        "show 2 4c d", "show 2 5c", "fold 2 e; f",
    ]  # fmt: skip


_MARKS = st.sampled_from(
    [
        *"\n\r\t =.,:#'\"[]{}\\_-+01eTZ\x00\x7f\ufeff\u2028é", "'''", '"""', "\r\n", "inf", "nan", "true",
        "1.5", "a.b", "07:32", "07:32:00", "2024-01-01", "2024-01-01T07:32:00", "+01:00", "[[a]]\n",
        "[a.b]\n", "a = 1\n",
    ]
)  # fmt: skip
_LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.integers(-(1 << 65), 1 << 65).map(str),
    st.floats().map(str),
    st.times().map(str),
    st.datetimes(timezones=st.none() | st.timezones()).map(str),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5).map(lambda text: f"'{text}'"),
    st.booleans().map(lambda value: str(value).lower()),
)
_VALUES = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=4).map(lambda of: f"[{', '.join(of)}]")
)
_KEYS = st.sampled_from(["table", "time", "antes", "a", "b.c", "'q'", '"q"', "1"])
_TABLES = st.lists(st.tuples(_KEYS, _VALUES), max_size=6).map(
    lambda lines: "".join(f"{key} = {value}\n" for key, value in lines)
)


@settings(max_examples=200, derandomize=True)
@given(
    st.one_of(_TABLES, st.sampled_from([STUD, STUD.replace("\n", "\r\n")])),
    st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 3), _MARKS), max_size=3),
)
def test_both_readers_agree_or_the_slow_one_speaks(text: str, changes: list[tuple[int, int, str]]) -> None:
    for at, cut, mark in changes:
        at = at % (len(text) + 1)
        text = text[:at] + mark + text[at + cut :]
    agrees(text)

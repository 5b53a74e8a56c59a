"""PHH, the poker hand history format: a TOML table a hand, ``.phh`` one, ``.phhs`` many. Nothing is repaired.

PHH writes down neither burns nor the order of the initial deal nor how pots were divided: awards are
derived from the finishing stacks, where those agree with what was put in, and no more is claimed. Of a game
with a button it lists the players from the button's left on.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time
from itertools import chain, pairwise
from math import isinf
from posixpath import basename
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import rtoml

from auditor.handlog import MAX_SEAT, UNKNOWN
from auditor.sources.base import Batch, UnreadError
from auditor.sources.phhplay import EVENT, Event, Play
from auditor.sources.ranges import settle
from auditor.sources.shape import listed
from auditor.sources.streams import MAX_HAND, MAX_LINE, SHOWN, Peeked, blocks, portions
from auditor.sources.text import TEXT_EVENT, TEXT_SCHEMA, encode

GAMES = {
    "F7S": ("seven-card-stud", "fixed", "down down up up up up down".split()),
    "F5S": ("five-card-stud", "fixed", "down up up up up".split()),
    "FT": ("texas-holdem", "fixed", ["down", "down"]),
    "NT": ("texas-holdem", "none", ["down", "down"]),
}
"""The variants read: game, limit, and how each card of a player is dealt. ``F5S`` is a code of ours."""
_BUTTON_GAMES = ("texas-holdem",)
"""Games with blinds and a button; the others have neither."""
OTHER_GAMES = {
    "NS": "no-limit short-deck-holdem",
    "PO": "pot-limit omaha-holdem",
    "FO/8": "fixed-limit omaha-holdem, eight or better",
    "F7S/8": "seven-card-stud, eight or better",
    "FR": "razz",
    "N2L1D": "deuce-to-seven single draw",
    "F2L3D": "deuce-to-seven triple draw",
    "FB": "badugi",
}
"""The other variants of the format, by code."""
_HEAD = re.compile(rb"\n[ \t]*\[[ \t]*([A-Za-z0-9_\-\"']+)[ \t]*\][ \t]*(?:#.*)?\r?$", re.MULTILINE)
"""The line that names a table, after a line end: for this is looked up much faster than a line's begin."""
_MOST_DOTS = 500
"""In one line: a key of a hand has none, and comments have fewer."""
_TOO_MANY = 1 << 63
"""Chips that fit in 64 bits no more."""
_SHORT_TIME = re.compile(r":\d\d(?<!:\d\d:\d\d)(?!:)")
"""A time without seconds, or what looks like one."""
_PARTING = ("\\", "{", "\r", "\ufeff")
"""What readers of TOML part on. Inline tables of long keys, one within the other, overflow a stack."""
_ALIKE = frozenset((str, int, bool, time, date))
"""Types whose values every reader of TOML gives alike."""
_SUFFIXES = (".gz", ".zst", ".phhs", ".phh")


def sniff(head: bytes) -> bool:
    """Whether a file that begins with ``head`` (UTF-8) is TOML as PHH writes it."""
    return re.search(rb"^[ \t]*variant[ \t]*=", head, re.MULTILINE) is not None


class _Piece(NamedTuple):
    """A table: its key, empty where the file has but one; ``wrong`` says why it is not read."""

    source: str
    key: str
    data: bytes
    line: int
    byte: int | None
    wrong: str = ""

    def longer(self, data: bytes, wrong: str = "") -> _Piece:
        """The table with what follows; of one that is too long only the beginning is kept."""
        if not self.wrong and not wrong and len(self.data) + len(data) > MAX_HAND:
            wrong = f"a hand of more than {MAX_HAND} bytes; split the file where a hand begins"
        wrong = self.wrong or wrong
        return self._replace(data=(self.data + data)[:SHOWN] if wrong else self.data + data, wrong=wrong)


def read(stream: Peeked, source: str, rows: int) -> Iterator[Batch]:
    """The hands of ``stream``, ``rows`` at a time; a table that is no hand of a known game is quarantined."""
    return read_files([(source, stream)], rows)


def read_files(files: Iterable[tuple[str, Peeked]], rows: int) -> Iterator[Batch]:
    """The hands of several files, given by source and stream, one after the other."""
    tables = chain.from_iterable(_pieces(stream, source) for source, stream in files)
    return map(_batch, portions(tables, rows))


def _pieces(stream: Peeked, source: str) -> Iterator[_Piece]:
    """The tables of ``stream``; comments before the first with a key are none."""
    held: _Piece | None = None
    for block in blocks(stream):
        line, byte = block.line, block.byte
        heads = {} if block.too_long else {head.start(): head for head in _HEAD.finditer(b"\n" + block.data)}
        for start, end in pairwise([*sorted({0, *heads}), len(block.data)]):
            data = block.data[start:end]
            if start in heads and held is not None:
                if held.key or held.wrong or _says_something(held.data):
                    yield held
                held = None
            if held is None:
                key = heads[start][1].decode().strip("\"'") if start in heads else ""
                held = _Piece(source, key, b"", line, byte)
            held = held.longer(data, f"a line is longer than {MAX_LINE} bytes" if block.too_long else "")
            line += data.count(b"\n")
            byte = None if byte is None else byte + len(data)
    if held is not None:
        said = held.key or held.wrong or _says_something(held.data)
        yield held if said else held.longer(b"", "nothing but comments")


def _says_something(data: bytes) -> bool:
    return any(line.split(b"#")[0].strip() for line in data.splitlines())


def _name(piece: _Piece) -> str:
    """The id of a hand: the name of its file, and its key if it has one."""
    stem = basename(piece.source)
    for suffix in _SUFFIXES:
        stem = stem.removesuffix(suffix)
    return f"{stem}:{piece.key}" if piece.key else stem


def _batch(pieces: Sequence[_Piece]) -> Batch:
    hands: list[dict[str, Any]] = []
    events: list[Event] = []
    offsets = np.zeros(len(pieces) + 1, np.int64)
    found: dict[int, str] = {}
    for row, piece in enumerate(pieces):
        hand: dict[str, Any] = {"hand_id": _name(piece)}
        try:
            record, told = _record(_table(piece))
            hand |= record
            events += told
        except UnreadError as error:
            found[row] = str(error)
        except RecursionError:  # in reading it, or in showing what it holds
            found[row] = "nested too deeply"
        except ValueError:  # what Python says of thousands of digits
            found[row] = "a number has too many digits"
        hands.append(hand)
        offsets[row + 1] = len(events)
    leaves = {
        name: pa.array(column, TEXT_EVENT.field(name).type)
        for name, column in zip(EVENT, zip(*events, strict=True), strict=False)
    }
    lists = listed(offsets, leaves, pa.list_(TEXT_EVENT))
    table = pa.Table.from_pylist(hands, TEXT_SCHEMA)
    table, wrong = encode(table.set_column(table.column_names.index("events"), "events", lists))
    lines = np.array([piece.line for piece in pieces])

    def raw(row: int) -> tuple[int | None, str]:
        return pieces[row].byte, pieces[row].data.decode("utf-8", "backslashreplace")

    return settle(table, wrong | found, [piece.source for piece in pieces], lines, raw)


def _table(piece: _Piece) -> dict[str, Any]:
    """A table as TOML; raises ``UnreadError``, and ``ValueError`` for a number of thousands of digits."""
    if piece.wrong:
        raise UnreadError(piece.wrong)
    # The readers take time that grows with the square of the names that one key is made of.
    dots = piece.data.count(b".") > _MOST_DOTS
    if dots and any(line.count(b".") > _MOST_DOTS for line in piece.data.split(b"\n")):
        raise UnreadError(f"a line has more than {_MOST_DOTS} full stops; shorten it")
    head = _HEAD.match(b"\n" + piece.data) if piece.key else None
    try:
        text = piece.data[head.end() - 1 if head else 0 :].decode("utf-8")
        hand = _quickly(text)
        return tomllib.loads(text, parse_float=_real) if hand is None else hand
    except UnicodeDecodeError:
        raise UnreadError("not UTF-8; save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise UnreadError(str(error)) from None


def _quickly(text: str) -> dict[str, Any] | None:
    """The table as ``tomllib`` reads it, by a reader many times faster; None where the two might part.

    The other reader takes TOML 1.1, which has more escapes, inline tables and times. It keeps the
    carriage return of a line end within a string, and passes over a byte order mark.
    """
    text = text.replace("\r\n", "\n")
    if any(mark in text for mark in _PARTING) or _SHORT_TIME.search(text):
        return None
    try:
        hand = rtoml.loads(text)
    except rtoml.TomlParsingError:
        return None  # tomllib says why, or can read it
    return hand if all(map(_alike, hand.values())) else None


def _alike(value: Any) -> bool:
    """Whether a value is the same from both readers: not so a real number, a time with an offset, a table."""
    kind = type(value)
    if kind is list:
        return _ALIKE.issuperset(map(type, value)) or all(map(_alike, value))
    return kind in _ALIKE or (kind is float and isinf(value))


def _real(text: str) -> float | str:
    # an unknown stack is written inf; any other real number is no amount of chips, and shown as written
    return float(text) if text.endswith("inf") else text


def _record(hand: dict[str, Any]) -> tuple[dict[str, Any], list[Event]]:
    """A PHH table as a record of ``TEXT_SCHEMA``, all but its id; raises ``UnreadError``."""
    if "variant" not in hand:
        raise UnreadError(f"variant, which names the game, is missing; one of {', '.join(GAMES)}")
    variant = hand["variant"]
    if not isinstance(variant, str) or variant not in GAMES:
        said = f" ({OTHER_GAMES[variant]})" if isinstance(variant, str) and variant in OTHER_GAMES else ""
        raise UnreadError(f"variant {variant!r}{said} cannot be read yet; those that can: {', '.join(GAMES)}")
    stacks = _chips(hand, "starting_stacks", unknown=True)
    if not 1 <= len(stacks) <= MAX_SEAT:
        raise UnreadError(f"starting_stacks has {len(stacks)} entries, not 1 to {MAX_SEAT}")
    antes = _chips(hand, "antes", length=len(stacks))
    seats = _chips(hand, "seats", length=len(stacks)) if "seats" in hand else list(range(1, len(stacks) + 1))
    names = hand.get("players") or [f"p{index + 1}" for index in range(len(stacks))]
    if not isinstance(names, list) or len(names) != len(stacks):
        raise UnreadError(f"players does not have {len(stacks)} entries")
    game, structure, faces = GAMES[variant]
    buttoned = game in _BUTTON_GAMES
    play = Play(seats, stacks, faces, _one(hand, "bring_in"), streets_by_board=buttoned)
    for player, ante in enumerate(antes):
        if ante:
            play.pay(player, "ante", min(ante, play.left(player)))
    if buttoned:
        play.post(_chips(hand, "blinds_or_straddles", length=len(stacks)))
    actions = hand.get("actions")
    if not isinstance(actions, list) or not {str}.issuperset(map(type, actions)):
        raise UnreadError("actions is not a list of strings")
    for number, action in enumerate(actions):
        try:
            play.act(action)
        except UnreadError as error:
            raise UnreadError(f"action {number} {action!r}: {error}") from None
    events = play.finish(hand)
    records = ["faces", "show_order"]
    records += ["down_cards"] if not play.hidden else []
    records += ["stacks"] if UNKNOWN not in stacks else []
    place = next((hand[name] for name in ("table", "event", "venue") if name in hand), None)
    return {
        **_when(hand),
        "table_id": None if place is None else str(place),
        "game": game,
        "structure": structure,
        **{name: _one(hand, name) for name in ("small_bet", "big_bet", "min_bet")},
        "ante": antes[0] if len(set(antes)) == 1 else None,
        "forced_bet": _one(hand, "bring_in"),
        # Players are listed from the button's left on.
        "dealer_position": seats[-1] if buttoned else None,
        "currency": None if hand.get("currency") is None else str(hand["currency"]),
        "records": records,
        "seats": [
            {"seat": seat, "player": str(name), "stack": None if stack == UNKNOWN else stack}
            for seat, name, stack in zip(seats, names, stacks, strict=True)
        ],
    }, events


def _one(hand: dict[str, Any], name: str) -> int | None:
    return _whole(hand[name], name) if name in hand else None


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= _TOO_MANY:
        raise UnreadError(f"{name} {value!r} is not a whole number of chips")
    return value


def _chips(hand: dict[str, Any], name: str, length: int | None = None, unknown: bool = False) -> list[int]:
    values = hand.get(name)
    if not isinstance(values, list):
        raise UnreadError(f"{name} is missing or not a list")
    if length is not None and len(values) != length:
        raise UnreadError(f"{name} has {len(values)} entries, starting_stacks {length}")
    if set(map(type, values)) == {int} and -_TOO_MANY < min(values) <= max(values) < _TOO_MANY:
        return values
    return [UNKNOWN if unknown and value == float("inf") else _whole(value, name) for value in values]


def _when(hand: dict[str, Any]) -> dict[str, str]:
    """Gaming day and start, where the table has all their parts."""
    parts = ("year", "month", "day")
    if not all(part in hand for part in parts):
        return {}
    try:
        day = date(*(_whole(hand[part], part) for part in parts))
    except (OverflowError, ValueError):
        raise UnreadError("year, month and day are no date") from None
    clock, zone = hand.get("time"), hand.get("time_zone")
    if not isinstance(clock, time) or not isinstance(zone, str):
        return {"gaming_day": day.isoformat()}
    try:
        start = datetime.combine(day, clock, ZoneInfo(zone)).astimezone(UTC)
    except (KeyError, ValueError, OSError, OverflowError):  # no such zone here, or time: the day is sure
        return {"gaming_day": day.isoformat()}
    return {"gaming_day": day.isoformat(), "started_at": start.replace(tzinfo=None).isoformat() + "Z"}

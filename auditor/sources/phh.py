"""PHH, the poker hand history format: a TOML table a hand, ``.phh`` one, ``.phhs`` many. Nothing is repaired.

PHH writes down neither burns nor the order of the initial deal nor how pots were divided: awards are
derived from the finishing stacks, where those agree with what was put in, and no more is claimed. Of a game
with a button it lists the players from the button's left on.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time
from pathlib import PurePosixPath
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa

from auditor.handlog import MAX_SEAT, UNKNOWN
from auditor.sources.base import Batch, UnreadError, unreadable
from auditor.sources.phhplay import Play
from auditor.sources.ranges import settle
from auditor.sources.streams import MAX_LINE, Peeked, blocks
from auditor.sources.text import TEXT_SCHEMA, encode

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
_HEAD = re.compile(rb"^[ \t]*\[[ \t]*([A-Za-z0-9_\-\"']+)[ \t]*\][ \t]*(?:#.*)?\r?$", re.MULTILINE)
_SUFFIXES = (".gz", ".zst", ".phhs", ".phh")


def sniff(head: bytes) -> bool:
    """Whether a file that begins with ``head`` (UTF-8) is TOML as PHH writes it."""
    return re.search(rb"^\s*variant\s*=", head, re.MULTILINE) is not None


def read(stream: Peeked, source: str, rows: int) -> Iterator[Batch]:
    """The hands of ``stream``, ``rows`` at a time; a table that is no hand of a known game is quarantined."""
    parts = list(blocks(stream))
    data = b"".join(part.data for part in parts)
    if any(part.too_long for part in parts):
        yield unreadable(source, f"a line is longer than {MAX_LINE} bytes", data)
        return
    stem = PurePosixPath(source).name
    for suffix in _SUFFIXES:
        stem = stem.removesuffix(suffix)
    tables = list(_tables(data))
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    for start in range(0, len(tables), rows):
        yield _batch(data, newlines, tables[start : start + rows], source, stem, parts[0].byte)


def _tables(data: bytes) -> Iterator[tuple[str, int, int, int]]:
    """(key, start, body, end) of each table of ``data``; one without a key where there are no tables."""
    heads = list(_HEAD.finditer(data))
    first = heads[0].start() if heads else len(data)
    if not heads or any(line.split(b"#")[0].strip() for line in data[:first].splitlines()):
        yield "", 0, 0, first
    for head, after in zip(heads, [*heads[1:], None], strict=False):
        key = head[1].decode().strip("\"'")
        yield key, head.start(), head.end(), after.start() if after else len(data)


def _batch(
    data: bytes,
    newlines: np.ndarray,
    tables: Sequence[tuple[str, int, int, int]],
    source: str,
    stem: str,
    offset: int | None,
) -> Batch:
    hands: list[dict[str, Any]] = []
    found: dict[int, str] = {}
    for row, (key, _, body, end) in enumerate(tables):
        try:
            hand = tomllib.loads(data[body:end].decode("utf-8"), parse_float=_real)
            hands.append({"hand_id": f"{stem}:{key}" if key else stem, **_record(hand)})
        except UnicodeDecodeError:
            found[row] = "not UTF-8; save the file as UTF-8"
        except (tomllib.TOMLDecodeError, UnreadError) as error:
            found[row] = str(error)
        except RecursionError:
            found[row] = "nested too deeply"
        except ValueError:  # what Python says of thousands of digits
            found[row] = "a number has too many digits"
        if row in found:
            hands.append({"hand_id": f"{stem}:{key}" if key else stem})
    table, wrong = encode(pa.Table.from_pylist(hands, TEXT_SCHEMA))
    lines = 1 + np.searchsorted(newlines, [start for _, start, _, _ in tables])

    def raw(row: int) -> tuple[int | None, str]:
        _, start, _, end = tables[row]
        return None if offset is None else offset + start, data[start:end].decode("utf-8", "backslashreplace")

    return settle(table, wrong | found, source, lines, raw)


def _real(text: str) -> float | str:
    # an unknown stack is written inf; any other real number is no amount of chips, and shown as written
    return float(text) if text.endswith("inf") else text


def _record(hand: dict[str, Any]) -> dict[str, Any]:
    """A PHH table as a record of ``TEXT_SCHEMA``, all but its id; raises ``UnreadError``."""
    variant = hand.get("variant")
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
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise UnreadError("actions is not a list of strings")
    for number, action in enumerate(actions):
        try:
            play.act(action)
        except UnreadError as error:
            raise UnreadError(f"action {number} {action!r}: {error}") from None
    play.award(hand)
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
        "events": play.events,
    }


def _one(hand: dict[str, Any], name: str) -> int | None:
    return _whole(hand[name], name) if name in hand else None


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 63:
        raise UnreadError(f"{name} {value!r} is not a whole number of chips")
    return value


def _chips(hand: dict[str, Any], name: str, length: int | None = None, unknown: bool = False) -> list[int]:
    values = hand.get(name)
    if not isinstance(values, list):
        raise UnreadError(f"{name} is missing or not a list")
    if length is not None and len(values) != length:
        raise UnreadError(f"{name} has {len(values)} entries, starting_stacks {length}")
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

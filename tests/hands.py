"""Hands as short scripts: what the clause tests are written in.

A script has one event a line, ``kind [seat] [card] [face] [amount] [pot N]`` in that order, and behind ``->``
the verdicts that the event must bring, ``CODE verdict: expected, observed`` separated by ``;``:

    deal 3 Ks up
    burn 5c
    bet 2 4          -> OPN02 breach: seat 3, seat 2; FIX01 compliant
    award 2 17 pot 0

``??`` is an unknown card; a face left
out is unknown; ``#`` begins a comment.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from auditor.cards import CARDS
from auditor.handlog import CHIP_KINDS, FACES, KINDS, RECORDS, SCHEMA, SEATED_KINDS, HandLog

DEFAULTS: dict[str, Any] = {
    "game": "seven-card-stud",
    "structure": "fixed",
    "small_bet": 4,
    "big_bet": 8,
    "ante": 1,
    "forced_bet": 2,
    "chip_unit": 1,
    "dealer_position": 0,
    "table_id": "T1",
    "gaming_day": "2026-11-01",
    "records": list(RECORDS),
}
"""A table of 4 and 8 whose system writes everything down."""


@dataclass(frozen=True)
class Expected:
    """A verdict that an event must bring; ``expected`` and ``observed`` are words, None where not given."""

    event: int
    code: str
    verdict: str
    expected: str | None = None
    observed: str | None = None


Row = tuple[int, str, str, str, str]
"""Event, code and verdict, and in words what was expected and what observed."""


@dataclass
class Script:
    """A hand with the verdicts it must bring, and the choices of the run that judges it."""

    name: str
    hand: dict[str, Any]
    expected: list[Expected]
    codes: list[str]
    about: str = ""
    readings: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    defects: list[str] = field(default_factory=list)
    rules: str = ""

    @property
    def log(self) -> HandLog:
        return log_of([self.hand])

    def compare(self, rows: Sequence[Row]) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """What a test has to see and what it wants to, of all verdicts on the hand; equal if all is well.

        For the codes under test every verdict counts, of other codes the breaches and what is written down.
        """
        written = {(each.event, each.code): each for each in self.expected}
        wanted = [
            (each.event, each.code, each.verdict, each.expected, each.observed) for each in self.expected
        ]
        seen: list[tuple[Any, ...]] = []
        for event, code, verdict, *phrases in rows:
            each = written.get((event, code))
            if code in self.codes or verdict == "breach" or (each and each.verdict == verdict):
                seen.append(
                    (event, code, verdict, *(phrases if each and each.expected is not None else (None, None)))
                )
        return sorted(seen, key=lambda row: row[:3]), sorted(wanted, key=lambda row: row[:3])


def parse_events(text: str) -> tuple[list[dict[str, Any]], list[Expected]]:
    """The events of a script in the text form of the hand log, and the verdicts written behind them."""
    events: list[dict[str, Any]] = []
    expected: list[Expected] = []
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        what, _, verdicts = line.partition("->")
        expected += [_verdict(len(events), part.strip()) for part in verdicts.split(";") if part.strip()]
        events.append(_event(what.split()))
    return events, expected


def _event(words: list[str]) -> dict[str, Any]:
    kind, rest = words[0], words[1:]
    assert kind in KINDS, f"unknown kind {kind!r}"
    event: dict[str, Any] = {"kind": kind}
    if "pot" in rest:
        at = rest.index("pot")
        event["pot"] = int(rest[at + 1])
        del rest[at : at + 2]
    if rest and rest[0].isdigit() and (kind in SEATED_KINDS or kind in ("expose", "show")):
        event["seat"] = int(rest.pop(0))
    for word in rest:
        if word in CARDS:
            event["card"] = word
        elif word in FACES:
            event["face"] = word
        elif word.isdigit() and kind in CHIP_KINDS:
            event["amount"] = int(word)
        else:
            assert word == "??", f"{word!r} means nothing in {' '.join(words)!r}"
    return event


def _verdict(event: int, text: str) -> Expected:
    match = re.fullmatch(
        r"([A-Z]+\d+) (compliant|breach|indeterminate|not_evidenced)(?:: ?([^,]*), ?(.*))?", text
    )
    assert match, f"no verdict: {text!r}"
    return Expected(event, *match.groups())


def script(path: Path) -> Script:
    """The script in a TOML file: ``codes`` under test, ``about``, ``stacks`` by seat, ``events``; optional
    hand columns under ``[hand]``, ``readings``, ``assumptions``, ``defects``, ``rules``."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    known = "codes about stacks events hand readings assumptions defects rules"
    unknown = set(data) - set(known.split())
    assert not unknown, f"{path}: unknown keys {unknown}"
    events, expected = parse_events(data["events"])
    seats = [
        {"seat": int(seat), "player": f"P{seat}", "stack": stack} for seat, stack in data["stacks"].items()
    ]
    name = f"{path.parent.name}/{path.stem}"
    hand = {**DEFAULTS, **data.get("hand", {}), "hand_id": name, "seats": seats, "events": events}
    return Script(
        name,
        {key: value for key, value in hand.items() if value is not None and value != "none given"},
        expected,
        data["codes"],
        data["about"],
        data.get("readings", []),
        data.get("assumptions", []),
        data.get("defects", []),
        data.get("rules", ""),
    )


def log_of(hands: list[dict[str, Any]]) -> HandLog:
    """A log in memory from hands in the text form."""
    rows = []
    for hand in hands:
        row = {name: hand.get(name) for name in SCHEMA.names}
        if isinstance(row["gaming_day"], str):
            row["gaming_day"] = pa.scalar(row["gaming_day"]).cast(pa.date32()).as_py()
        row["records"] = sum(1 << RECORDS.index(name) for name in hand.get("records", []))
        row["seats"] = [{"stack": -1, **seat} for seat in hand["seats"]]
        row["events"] = [
            {
                "kind": KINDS.index(event["kind"]),
                "seat": event.get("seat", 0),
                "card": CARDS.index(event["card"]) if event.get("card") else -1,
                "face": FACES.index(event["face"]) if event.get("face") else -1,
                "amount": event.get("amount", 0),
                "pot": event.get("pot", -1),
                "time": None,
                "note": event.get("note"),
            }
            for event in hand["events"]
        ]
        rows.append(row)
    return HandLog(pa.Table.from_pylist(rows, schema=SCHEMA))

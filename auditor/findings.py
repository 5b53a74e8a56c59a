"""What an audit says: the columns of findings, tallies and defects, their identity and their words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from auditor.cards import CARDS
from auditor.handlog import UNKNOWN

FINDINGS = pa.schema(
    [
        pa.field("fingerprint", pa.string(), nullable=False),
        pa.field("rule_set", pa.string(), nullable=False),
        pa.field("edition", pa.string(), nullable=False),
        pa.field("code", pa.string(), nullable=False),
        pa.field("number", pa.string(), nullable=False),
        pa.field("title", pa.string(), nullable=False),
        pa.field("severity", pa.string(), nullable=False),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("gaming_day", pa.date32()),
        pa.field("table_id", pa.string()),
        pa.field("shift", pa.string()),
        pa.field("dealer_id", pa.string()),
        pa.field("hand_id", pa.string(), nullable=False),
        pa.field("event", pa.int32(), nullable=False),
        pa.field("round", pa.int8(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("seat", pa.int8(), nullable=False),
        pa.field("expected", pa.string(), nullable=False),
        pa.field("observed", pa.string(), nullable=False),
        pa.field("readings", pa.string(), nullable=False),
        pa.field("assumption", pa.string(), nullable=False),
        pa.field("follows", pa.int32()),
        pa.field("file", pa.string()),
        pa.field("source", pa.string()),
        pa.field("source_line", pa.int64()),
    ]
)
"""One row a verdict. ``event`` counts from 0 in the hand; ``readings`` says what each reading of the clause
asks where they part, or which one was chosen; ``follows`` is the event of an earlier breach in the hand.
``file`` is the file that was read, null of a log in memory; ``source`` is where the hand comes from as the
log itself says, and the file where it does not."""

DEFECTS = pa.schema(
    [
        pa.field("gaming_day", pa.date32()),
        pa.field("table_id", pa.string()),
        pa.field("hand_id", pa.string(), nullable=False),
        pa.field("event", pa.int32()),
        pa.field("defect", pa.string(), nullable=False),
        pa.field("message", pa.string(), nullable=False),
        pa.field("file", pa.string()),
        pa.field("source", pa.string()),
        pa.field("source_line", pa.int64()),
    ]
)
"""One row a contradiction of the log with itself."""

IDENTITY = pa.schema(
    [DEFECTS.field(name) for name in DEFECTS.names if name not in ("event", "defect", "message")]
)
"""Which hand, and where it stands: what tells a hand that comes twice."""

DEFECT_MESSAGES = {
    "duplicate-card": "a card leaves the deck that has already left it: a slip of the log, or a bad deck",
    "chips": "contributions less awards and rake do not come out at nothing",
    "after-end": "the hand goes on after a pot was awarded or the hand was declared a misdeal",
    "unknown-seat": "an event names a seat at which nobody sits",
    "deck-exhausted": "a card leaves the deck when all 52 are out",
    "return": "more chips are returned than the seat had put in",
    "replace": "a card is taken back from a seat that does not hold it",
    "show": "more cards are shown than the seat was dealt",
    "repeated": "a player's check or fold is written down twice in a row",
    "duplicate-hand": "another hand of this table and day has the same id",
}

TALLIES = pa.schema(
    [
        pa.field("code", pa.string(), nullable=False),
        pa.field("number", pa.string(), nullable=False),
        pa.field("title", pa.string(), nullable=False),
        pa.field("edition", pa.string(), nullable=False),
        pa.field("table_id", pa.string()),
        pa.field("applied", pa.int64(), nullable=False),
        pa.field("compliant", pa.int64(), nullable=False),
        pa.field("breach", pa.int64(), nullable=False),
        pa.field("indeterminate", pa.int64(), nullable=False),
        pa.field("not_evidenced", pa.int64(), nullable=False),
    ]
)
"""One row a clause and table: how often the clause applied, and how it came out."""

SEVERITIES = ("info", "minor", "major", "critical")


def fingerprint(code: str, table: str | None, hand: str, event: int) -> str:
    """The identity of a finding: the same hand, event and clause give the same one in every run."""
    text = "\x1f".join((code, table or "", hand, str(event)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def stands_at(hand: Mapping[str, Any]) -> tuple[str, int | None]:
    """The file, and the line in it if known, of a hand with that ``file``, ``source`` and ``source_line``.

    Where the log names a source of its own, its line is one of that source and not of the file.
    """
    own = hand["file"] in (None, hand["source"])
    return hand["file"] or hand["source"] or "", hand["source_line"] if own else None


def words(unit: str, value: int) -> str:
    """``expected`` or ``observed`` for people; chips in minor units; empty where there is nothing to say."""
    if unit == "seat":
        return f"seat {value}" if value > 0 else "nobody"
    if unit == "card":
        return CARDS[value] if value >= 0 else ""
    if unit == "face":
        return ("face down", "face up")[value] if value >= 0 else "face unknown"
    if unit == "dealing":
        return ("go on dealing", "shuffle stub and burns", "community card")[value]
    return "" if value == UNKNOWN else str(value)


def phrases(units: Sequence[str], clause: np.ndarray, value: np.ndarray) -> pa.Array:
    """``words`` for whole columns: ``units`` by clause number, ``clause`` and ``value`` of one length."""
    pairs = zip(clause.tolist(), value.tolist(), strict=True)
    return pa.array([words(units[number], amount) for number, amount in pairs], pa.string())

"""The hand log: the one contract between whatever wrote the hands and whatever audits them.

A log is an Arrow table with one row a hand (``SCHEMA``). Seats and events are lists of non-null
structs whose fields are small integers, so that their leaf arrays reach the compiled loop without a
copy. What a person reads as text (``raise``, ``Ks``, ``up``) is an enum in Arrow; ``-1`` stands for
*not known* and seat ``0`` for *nobody*. ``HandLog`` wraps such a table and shows it as three pandas
frames.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor.cards import CARDS

if TYPE_CHECKING:
    import pandas as pd

KINDS = (
    "ante",
    "blind",
    "forced_bet",
    "deal",
    "community",
    "burn",
    "expose",
    "replace",
    "reshuffle",
    "check",
    "bet",
    "call",
    "raise",
    "fold",
    "return",
    "show",
    "muck",
    "rake",
    "award",
    "ruling",
    "misdeal",
)
"""Event kinds by code. ``replace`` takes a card back from a seat and the ``deal`` that follows is its
substitute; ``expose`` is a card shown by the dealer before its time."""

FACES = ("down", "up")
STRUCTURES = ("fixed", "spread", "pot", "none")
RECORDS = (
    "burns",
    "deal_order",
    "faces",
    "down_cards",
    "exposures",
    "reshuffles",
    "show_order",
    "pots",
    "rake",
    "chip_unit",
    "stacks",
    "times",
)
"""What a source may write down; bit ``i`` of a hand's ``records`` stands for ``RECORDS[i]``.

``deal_order`` claims that every dealt card is there, in the order in which it left the deck, dead
positions included. A source claims no more than its format really carries."""

SEATED_KINDS = frozenset(
    "ante blind forced_bet deal replace check bet call raise fold return show muck award".split()
)
"""Kinds that mean nothing without a seat."""
CHIP_KINDS = frozenset("ante blind forced_bet bet call raise return rake award".split())
"""Kinds that move chips: ``amount`` is what the event itself moves, in minor units."""

STAKES = (
    "small_bet",
    "big_bet",
    "min_bet",
    "max_bet",
    "ante",
    "forced_bet",
    "raise_cap",
    "chip_unit",
)
"""Columns of a hand that say what the table plays for."""

MAX_SEAT = 10
MAX_AMOUNT = 10**12
MAX_EVENTS = 65_535
MAX_POT = 9
UNKNOWN = -1
NOBODY = 0


def _enum(name: str, kind: pa.DataType, values: Iterable[str]) -> pa.Field:
    return pa.field(name, kind, nullable=False, metadata={"enum": ",".join(values)})


SEAT_FIELDS = (
    pa.field("seat", pa.int8(), nullable=False),
    pa.field("player", pa.string(), nullable=False),
    pa.field("stack", pa.int64(), nullable=False),
)
EVENT_FIELDS = (
    _enum("kind", pa.int8(), KINDS),
    pa.field("seat", pa.int8(), nullable=False),
    _enum("card", pa.int8(), CARDS),
    _enum("face", pa.int8(), FACES),
    pa.field("amount", pa.int64(), nullable=False),
    pa.field("pot", pa.int8(), nullable=False),
    pa.field("time", pa.timestamp("us", tz="UTC")),
    pa.field("note", pa.string()),
)
HAND_FIELDS = (
    pa.field("hand_id", pa.string(), nullable=False),
    pa.field("table_id", pa.string()),
    pa.field("gaming_day", pa.date32()),
    pa.field("shift", pa.string()),
    pa.field("dealer_id", pa.string()),
    pa.field("supervisor_id", pa.string()),
    pa.field("started_at", pa.timestamp("us", tz="UTC")),
    pa.field("game", pa.string(), nullable=False),
    pa.field("structure", pa.string()),
    pa.field("small_bet", pa.int64()),
    pa.field("big_bet", pa.int64()),
    pa.field("min_bet", pa.int64()),
    pa.field("max_bet", pa.int64()),
    pa.field("ante", pa.int64()),
    pa.field("forced_bet", pa.int64()),
    pa.field("raise_cap", pa.int64()),
    pa.field("chip_unit", pa.int64()),
    pa.field("currency", pa.string()),
    pa.field("dealer_position", pa.int64()),
    _enum("records", pa.int32(), RECORDS),
    pa.field("source", pa.string()),
    pa.field("source_line", pa.int64()),
)
"""Hand columns. Amounts are minor units; ``structure`` is one of ``STRUCTURES``; ``dealer_position`` p
(0-10) says that the dealer sits, or the button lies, after seat p: the dealer's left is the first seat
above p, wrapping round; ``source_line`` is the 1-based line of a text source, the 0-based row of a
binary one."""

SCHEMA = pa.schema(
    [
        *HAND_FIELDS,
        pa.field("seats", pa.list_(pa.field("item", pa.struct(SEAT_FIELDS), nullable=False)), nullable=False),
        pa.field(
            "events", pa.list_(pa.field("item", pa.struct(EVENT_FIELDS), nullable=False)), nullable=False
        ),
    ],
    metadata={"auditor": "hand log 1"},
)

QUARANTINE_SCHEMA = pa.schema(
    [
        pa.field("source", pa.string(), nullable=False),
        pa.field("line", pa.int64()),
        pa.field("byte", pa.int64()),
        pa.field("hand_id", pa.string()),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)
"""What could not be audited: where it stood (1-based line or 0-based byte), why, and its raw text."""


@dataclass(frozen=True)
class Quarantined:
    """One hand that could not be audited, with its text: a row of ``QUARANTINE_SCHEMA``."""

    source: str
    reason: str
    text: str
    line: int | None = None
    byte: int | None = None
    hand_id: str | None = None


def leaves(table: pa.Table, column: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Offsets (n + 1) and leaf arrays of the list column ``seats`` or ``events``, integer fields only.

    The table must hold its column in one chunk (``table.combine_chunks()``); nothing is copied.
    """
    array = table.column(column)
    lists = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    offsets = lists.offsets.to_numpy(zero_copy_only=False)
    items = lists.values
    fields = {
        field.name: items.field(index).to_numpy(zero_copy_only=False)
        for index, field in enumerate(items.type)
        if pa.types.is_integer(field.type)
    }
    return offsets, fields


@dataclass(frozen=True)
class HandLog:
    """Hands as one Arrow table of ``SCHEMA``, shown as three pandas frames.

    ``table`` has one row a hand; ``quarantine`` lists what the reader had to leave out. Build one with
    ``auditor.load`` or, from a table of your own, ``HandLog(table)``. ``read`` is always the hands held
    plus the hands quarantined.
    """

    table: pa.Table
    quarantine: tuple[Quarantined, ...] = ()

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __repr__(self) -> str:
        return f"HandLog({self._held}, {len(self.quarantine):,} quarantined)"

    @property
    def _held(self) -> str:
        # ``plural.number_of`` would be one more source under the hash of every compiled loop.
        return f"{len(self):,} hand{'' if len(self) == 1 else 's'}"

    @property
    def read(self) -> int:
        return len(self) + len(self.quarantine)

    @cached_property
    def hands(self) -> pd.DataFrame:
        """One row a hand: the columns of ``HAND_FIELDS``."""
        import pandas as pd

        columns = self.table.drop_columns(["seats", "events"])
        frame: pd.DataFrame = columns.to_pandas(types_mapper=pd.ArrowDtype)
        return frame

    @cached_property
    def seats(self) -> pd.DataFrame:
        """One row a seat of a hand: ``hand_id, seat, player, stack``; ``stack`` is -1 where not recorded."""
        return self._exploded("seats")

    @cached_property
    def events(self) -> pd.DataFrame:
        """One row an event: ``hand_id, event, kind, seat, card, face, amount, pot, time, note``.

        ``event`` counts from 0 in each hand; kinds, cards and faces are categoricals over the Arrow codes.
        """
        import pandas as pd

        frame = self._exploded("events")
        for name, values in (("kind", KINDS), ("card", CARDS), ("face", FACES)):
            codes = frame[name].to_numpy(np.int8)
            frame[name] = pd.Categorical.from_codes(codes, categories=pd.Index(values))
        return frame

    def _exploded(self, column: str) -> pd.DataFrame:
        import pandas as pd

        lists = self.table.column(column).combine_chunks()
        parents = pc.list_parent_indices(lists)
        items = lists.flatten()
        columns: dict[str, Any] = {"hand_id": self.table.column("hand_id").take(parents)}
        if column == "events":
            lengths = pc.list_value_length(lists).to_numpy(zero_copy_only=False)
            starts = np.cumsum(lengths) - lengths
            columns["event"] = pa.array(np.arange(len(items)) - np.repeat(starts, lengths))
        for index, field in enumerate(items.type):
            columns[field.name] = items.field(index)
        frame: pd.DataFrame = pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype)
        return frame

    def hand(self, hand_id: str) -> HandLog:
        """The log of that one hand (of every hand with that id, should it occur more than once).

        Raises ``KeyError`` when there is none.
        """
        found = self.table.filter(pc.equal(self.table.column("hand_id"), hand_id))
        if not found.num_rows:
            raise KeyError(f"no hand {hand_id!r} in this log of {self._held}")
        return HandLog(found)

"""Cells of an export to values of the hand log: words, amounts, cards, days and times.

Every distinct text of a column is looked at once, however many rows have it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel, ConfigDict, Field

from auditor.cards import CARDS
from auditor.handlog import FACES, KINDS, MAX_AMOUNT, STRUCTURES
from auditor.sources.shape import escaped, side_by_side
from auditor.sources.text import UNKNOWN_CARD
from auditor.tomlfile import instead

WORDS = {"kind": KINDS, "face": FACES, "structure": STRUCTURES}
"""Fields that take one of a few words."""
MONEY = frozenset("small_bet big_bet min_bet max_bet ante forced_bet chip_unit stack amount".split())
NUMBERS = frozenset("raise_cap dealer_position seat pot".split())
DATED = {"gaming_day": "day", "started_at": "time", "time": "time"}
_DAY, _TIME = pa.date32(), pa.timestamp("us", tz="UTC")
_CARD = re.compile(
    r"(?P<rank>10|[2-9TJQKA])(?P<suit>[CDHS♣♦♥♠])|(?P<suit2>[CDHS♣♦♥♠])(?P<rank2>10|[2-9TJQKA])"
)
_SUITS = dict(zip("CDHS♣♦♥♠", "cdhscdhs", strict=True))
_ZONED = r"(?:Z|[+-]\d\d:?\d\d)$"


class Money(BaseModel):
    """How amounts are written."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    minor_units: int = Field(
        100, ge=1, description="Minor units in 1 of the export: 1 where it counts cents."
    )
    decimal: Annotated[str, Field(min_length=1, max_length=1)] = "."
    thousands: Annotated[str, Field(max_length=1, description="What groups thousands.")] = ""
    signs: Annotated[list[str], Field(description='What may stand before or after, such as "$".')] = []


class FieldTable(BaseModel):
    """Where a field comes from: one of column, columns and value."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    column: Annotated[str, Field(min_length=1)] | None = None
    columns: Annotated[list[str], Field(min_length=2, description="Joined by a space.")] | None = None
    value: Annotated[str, Field(min_length=1)] | int | None = Field(
        None, description="The same everywhere, as the hand log writes it."
    )
    words: dict[str, str] = Field(
        {}, description="Text of the export = text of the hand log; empty: not known."
    )
    otherwise: str | None = Field(None, description="For every text that is not in words.")
    format: str = Field("", description="Of a day or time, such as %d/%m/%Y %H:%M; ISO when left out.")

    @property
    def sources(self) -> tuple[str, ...]:
        """The columns that the field is made of."""
        return (self.column,) if self.column is not None else tuple(self.columns or ())


@dataclass(frozen=True)
class Cells:
    """A column as distinct ``texts`` and a code for each cell, -1 where it is empty.

    ``plain``: the column held numbers, not text, so that its decimal mark is a point. ``spoilt`` are
    texts with bytes that are not UTF-8, written as escapes.
    """

    texts: list[str]
    codes: np.ndarray
    plain: bool = False
    spoilt: frozenset[str] = frozenset()

    @classmethod
    def of(cls, array: pa.Array, nothing: Sequence[str]) -> Cells:
        """The cells of a column of any flat type; blanks around a text do not count."""
        kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
        plain = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
        if not pa.types.is_dictionary(array.type):
            array = array.cast(pa.string()).dictionary_encode()
        words, spoilt = array.dictionary.cast(pa.large_string()).cast(pa.large_binary()), frozenset[str]()
        try:
            words = words.cast(pa.string())
        except pa.ArrowInvalid:
            words, bad = escaped(words)
            spoilt = frozenset(words.filter(pa.array(bad)).to_pylist())
        words = pc.utf8_trim_whitespace(words).dictionary_encode()
        empty = np.asarray(pc.is_in(words.dictionary, pa.array(["", *nothing])))
        renumbered = np.where(empty[words.indices], -1, words.indices) if len(words) else np.empty(0, int)
        codes = np.asarray(array.indices.fill_null(-1)).astype(np.int64)
        codes = np.where(codes < 0, -1, renumbered[codes]) if len(words) else codes
        return cls(words.dictionary.to_pylist(), codes, plain, spoilt)

    @classmethod
    def joined(cls, parts: Sequence[Cells]) -> Cells:
        """Several columns as one, what is given of each joined by a space."""
        columns = [pa.array(part.texts, pa.string()).take(part.index()) for part in parts]
        made = cls.of(side_by_side(columns, " "), ())
        spoilt = frozenset().union(*(part.spoilt for part in parts))
        return replace(made, spoilt=frozenset(t for t in made.texts if any(bad in t for bad in spoilt)))

    def index(self) -> pa.Array:
        return pa.array(self.codes, mask=self.codes < 0)

    def take(self, at: np.ndarray) -> Cells:
        return replace(self, codes=self.codes[at])

    def shown(self, row: int) -> str:
        return repr(self.texts[self.codes[row]])

    @property
    def given(self) -> np.ndarray:
        """Which cells are not empty."""
        return np.asarray(self.codes >= 0)


class _Wrong(str):
    """What a text is not."""


def said_in_log(name: str, word: str) -> str:
    """Why ``word`` is no text of the field ``name`` of the hand log; empty when it is, or is empty."""
    value = _log_value(name, word)
    return f"{word!r} is not {value}" if isinstance(value, _Wrong) else ""


def _type(name: str) -> pa.DataType:
    if name in DATED:
        return _DAY if DATED[name] == "day" else _TIME
    return pa.int64() if name in MONEY | NUMBERS else pa.string()


def _log_value(name: str, word: str) -> Any:
    """A text of the hand log as a value of the field."""
    if not word:
        return None
    if name in WORDS:
        return word if word in WORDS[name] else _Wrong(f"one of its words{instead(word, WORDS[name])}")
    if name == "card":
        return word if word in (*CARDS, UNKNOWN_CARD) else _Wrong("a card such as Ks or ??; correct it")
    if name in DATED:
        try:
            return pa.scalar(word).cast(_type(name)).as_py()
        except pa.ArrowInvalid:
            return _Wrong("a day such as 2026-11-01, or a time such as 2026-11-01T20:15:00Z; correct it")
    if name in MONEY | NUMBERS:
        whole = re.fullmatch(r"[0-9]{1,13}", word)
        return int(word) if whole else _Wrong("a whole number (of minor units, if an amount); correct it")
    return word


@dataclass(frozen=True)
class Reader:
    """Reads cells as values, by the rules of a mapping for all of its columns."""

    money: Money
    timezone: str

    @staticmethod
    def format_problem(form: str) -> str:
        """What is wrong with the format of a day or time, or nothing."""
        import pandas as pd

        try:
            pd.to_datetime(["x"], format=form, errors="coerce")
        except ValueError as error:
            return str(error)
        return ""

    def values(self, name: str, one: FieldTable, cells: Cells) -> tuple[pa.Array, dict[int, str]]:
        """The values of the field ``name``, and by index of a cell what its text is not."""
        texts = cells.texts
        values: list[Any] = [None] * len(texts)
        plain: list[int] = []
        for index, text in enumerate(texts):
            word = text if one.value is not None else one.words.get(text, one.otherwise)
            if text in cells.spoilt:
                values[index] = _Wrong("UTF-8; write the file again in UTF-8")
            elif word is None:
                plain.append(index)
            else:
                values[index] = word if (name, word) == ("kind", "seat") else _log_value(name, word)
        if plain:
            read = self._reading(name, one, cells.plain)([texts[index] for index in plain])
            for index, value in zip(plain, read, strict=True):
                values[index] = value
        wrong = {index for index, value in enumerate(values) if isinstance(value, _Wrong)}
        bad: dict[int, str] = {}
        if wrong:
            for at in np.flatnonzero(np.isin(cells.codes, list(wrong))).tolist():
                text = texts[cells.codes[at]]
                bad[at] = f"{name} {text!r} is not {values[cells.codes[at]]}"
            values = [None if index in wrong else value for index, value in enumerate(values)]
        return pa.array(values, _type(name)).take(cells.index()), bad

    def _reading(self, name: str, one: FieldTable, plain: bool) -> Callable[[list[str]], list[Any]]:
        if name in DATED:
            return lambda texts: self._dated(texts, one.format, DATED[name])
        if name in MONEY:
            money = Money(minor_units=self.money.minor_units) if plain else self.money
            return lambda texts: [_amount(text, money) for text in texts]
        if name in NUMBERS:
            return lambda texts: [_number(text) for text in texts]
        if name == "card":
            return lambda texts: [_card(text) for text in texts]
        if name in WORDS:
            return lambda texts: [_word(text, WORDS[name], bool(one.words)) for text in texts]
        return lambda texts: list(texts)

    def _dated(self, texts: list[str], form: str, what: str) -> list[Any]:
        import pandas as pd

        shown = f"of the form {form}" if form else "a day such as 2026-11-01"
        if what == "day":
            days = pd.to_datetime(texts, format=form or "ISO8601", errors="coerce")
            return [_Wrong(shown) if pd.isna(day) else day.date() for day in days]
        shown = f"a time {shown}" if form else "a time such as 2026-11-01T20:15:00Z"
        zoned = "%z" in form or "%Z" in form
        has_zone = np.array([zoned if form else bool(re.search(_ZONED, text)) for text in texts])
        times: list[Any] = [None] * len(texts)
        for with_zone in (True, False):
            at = np.flatnonzero(has_zone == with_zone)
            if not len(at):
                continue
            given = [texts[index] for index in at]
            read = pd.to_datetime(given, format=form or "ISO8601", errors="coerce", utc=with_zone)
            doubtful = np.zeros(len(at), bool)
            if not with_zone and self.timezone:
                # in the hour that a clock repeats, the text leaves two moments, and neither is taken
                either = read.tz_localize(self.timezone, ambiguous=np.ones(len(at), bool), nonexistent="NaT")
                read = read.tz_localize(self.timezone, ambiguous="NaT", nonexistent="NaT")
                doubtful = np.asarray(either.notna()) & np.asarray(read.isna())
            for index, time, twofold in zip(at.tolist(), read, doubtful, strict=True):
                if pd.isna(time):
                    times[index] = None if twofold else _Wrong(shown)
                elif time.tzinfo is None:
                    times[index] = _Wrong("in a time zone; add timezone to the mapping")
                else:
                    times[index] = time.to_pydatetime(warn=False)
        return times


def _word(text: str, words: Sequence[str], mapped: bool) -> Any:
    if text in words:
        return text
    return _Wrong("among the words of the mapping" if mapped else f"one of {', '.join(words)}")


def _amount(text: str, money: Money) -> Any:
    bare = text
    for sign in money.signs:
        bare = bare.removeprefix(sign).removesuffix(sign).strip()
    grouped = rf"|\d{{1,3}}(?:{re.escape(money.thousands)}\d{{3}})+" if money.thousands else ""
    if not re.fullmatch(rf"[-+]?(?:\d+{grouped})(?:{re.escape(money.decimal)}\d+)?", bare, re.ASCII):
        return _Wrong("an amount; see [money] of the mapping")
    if money.thousands:
        bare = bare.replace(money.thousands, "")
    minor = Decimal(bare.replace(money.decimal, ".")) * money.minor_units
    if minor != minor.to_integral_value():
        return _Wrong("a whole number of minor units")
    return int(minor) if abs(minor) <= MAX_AMOUNT else _Wrong(f"within {MAX_AMOUNT} minor units")


def _number(text: str) -> Any:
    match = re.fullmatch(r"([-+]?\d{1,9})(?:\.0+)?", text, re.ASCII)
    return int(match[1]) if match else _Wrong("a whole number")


def _card(text: str) -> Any:
    if text == UNKNOWN_CARD:
        return text
    match = _CARD.fullmatch(text.upper().replace(" ", ""))
    if match is None:
        return _Wrong("a card such as KS or 10h")
    rank, suit = match["rank"] or match["rank2"], match["suit"] or match["suit2"]
    return ("T" if rank == "10" else rank) + _SUITS[suit]

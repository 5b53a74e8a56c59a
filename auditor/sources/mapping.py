"""Mapping files: how the columns of a casino's own export become a hand log, as data.

A mapping is a TOML file. It says for each field of the hand log which column holds it and how that column
writes it; ``mapped`` reads the exports. What is wrong with a mapping is a ``MappingError`` that names file,
line and remedy; a column that an export lacks is one that names the export and the column.
"""

from __future__ import annotations

import hashlib
import json
import re
import zoneinfo
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from auditor.handlog import RECORDS
from auditor.sources.base import SourceError
from auditor.sources.values import DATED, FieldTable, Money, Reader, said_in_log
from auditor.tomlfile import TomlFile, instead, short

NUMBER = "{n}"
"""In the name of a column: a number that counts seats or events."""
SEAT_ROW = "seat"
"""The word for the kind of a row that enters a seat and is no event."""
PARTS = ("hand", "seats", "events")

Text = Annotated[str, Field(min_length=1)]


def _form(value: Any) -> str:
    return "a column" if isinstance(value, str) else "a table"


Given = Annotated[
    Annotated[Text, Tag("a column")] | Annotated[FieldTable, Tag("a table")], Discriminator(_form)
]
"""A field: the name of a column, or a table that says more."""
Maybe = Given | None


class MappingError(SourceError):
    """A mapping file that cannot be used, or not with an export: says where, why and the remedy."""


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class HandTable(_Table):
    """The fields of a hand."""

    hand_id: Given
    game: Given
    table_id: Maybe = None
    gaming_day: Maybe = None
    shift: Maybe = None
    dealer_id: Maybe = None
    supervisor_id: Maybe = None
    started_at: Maybe = None
    structure: Maybe = None
    small_bet: Maybe = None
    big_bet: Maybe = None
    min_bet: Maybe = None
    max_bet: Maybe = None
    ante: Maybe = None
    forced_bet: Maybe = None
    raise_cap: Maybe = None
    chip_unit: Maybe = None
    currency: Maybe = None
    dealer_position: Maybe = None


class SeatsTable(_Table):
    """The fields of a seat. One event a row: read from the rows that name the seat."""

    seat: Maybe = None
    player: Maybe = None
    stack: Maybe = None


class EventsTable(_Table):
    """The fields of an event."""

    kind: Given
    seat: Given
    card: Maybe = None
    face: Maybe = None
    amount: Maybe = None
    pot: Maybe = None
    time: Maybe = None
    note: Maybe = None


class MappingFile(_Table):
    """A mapping from the columns of a flat CSV or Parquet export to the hand log."""

    title: Text = Field(description="What is mapped, in a few words.")
    rows: Literal["events", "hands"] = Field(description="What one row of the export is.")
    records: Annotated[
        list[str],
        Field(
            description="What the system writes down whenever it happens; claim no more than is true.",
            json_schema_extra={"items": {"type": "string", "enum": list(RECORDS)}},
        ),
    ]
    delimiter: str = Field(",", description="What stands between the fields of a CSV row.")
    header_line: int = Field(1, ge=1, description="The line of a CSV file that names the columns.")
    timezone: str = Field("", description='Of times that name none, such as "Pacific/Auckland".')
    nothing: Annotated[list[Text], Field(description="Texts that stand for an empty cell.")] = []
    passed_over: Annotated[
        list[Text], Field(description="Kinds, as the export writes them, that are no event of a hand.")
    ] = []
    money: Money = Money()
    hand: HandTable
    seats: SeatsTable = SeatsTable()
    events: EventsTable


class _Source(TomlFile):
    Error = MappingError


@dataclass(frozen=True)
class ExportMapping:
    """A mapping as loaded; it can be pickled. ``fields`` are those given, by part and name."""

    name: str
    sha256: str
    table: MappingFile = field(hash=False)
    fields: Mapping[str, Mapping[str, FieldTable]] = field(hash=False)

    def columns(self, available: Sequence[str], source: str) -> dict[str, list[tuple[int, str]]]:
        """What each column named here is called in an export: itself, or all that a ``{n}`` stands for, by
        number. Raises ``MappingError`` for a column that the export lacks or has twice."""
        found: dict[str, list[tuple[int, str]]] = {}
        for part, fields in self.fields.items():
            for name, one in fields.items():
                for column in one.sources:
                    found[column] = _called(column, available)
                    where = f"{self.name}: {part}.{name} names column {column!r}"
                    if not found[column]:
                        near = instead(column, available)
                        if not any(available):
                            line = self.table.header_line
                            near = (
                                f"; line {line} is blank: give as header_line the one that names the columns"
                            )
                        raise MappingError(f"{source}: {where}, which is not there{near}")
                    for _, called in found[column]:
                        if list(available).count(called) > 1:
                            twice = f"which is there twice as {short(called)!r}; rename one of them"
                            raise MappingError(f"{source}: {where}, {twice}")
        return found

    def misfit(self, source: str, column: str, said: str) -> MappingError:
        """What is said of a column that cannot be read as the mapping has it."""
        return MappingError(f"{source}: column {column!r} {said} ({self.name})")

    def reader(self) -> Reader:
        """What turns cells into values of the log."""
        return Reader(self.table.money, self.table.timezone)


def _called(column: str, available: Collection[str]) -> list[tuple[int, str]]:
    if NUMBER not in column:
        return [(0, column)] if column in available else []
    before, after = column.split(NUMBER, 1)
    pattern = re.compile(re.escape(before) + r"(\d+)" + re.escape(after))
    numbered = {int(match[1]): name for name in available if (match := pattern.fullmatch(name))}
    return sorted(numbered.items())


def load(path: str | Path) -> ExportMapping:
    """The mapping in the file ``path``. Raises ``MappingError``."""
    source = _Source(Path(path))
    table = source.parse(MappingFile)
    fields: dict[str, dict[str, FieldTable]] = {}
    for part in PARTS:
        given = {name: value for name, value in getattr(table, part) if value is not None}
        fields[part] = {
            name: FieldTable(column=value) if isinstance(value, str) else value
            for name, value in given.items()
        }
    _check_whole(source, table, fields)
    for part, named in fields.items():
        for name, one in named.items():
            _check_field(source, table, (part, name), one)
    digest = hashlib.sha256(source.text.encode()).hexdigest()
    return ExportMapping(Path(path).as_posix(), digest, table, fields)


def _check_whole(source: _Source, table: MappingFile, fields: Mapping[str, Mapping[str, FieldTable]]) -> None:
    for index, word in enumerate(table.records):
        if word not in RECORDS:
            raise source.error(
                ("records", index), f"{word!r} is nothing that is recorded{instead(word, RECORDS)}"
            )
    if len(table.delimiter) != 1 or table.delimiter in '"\r\n' or not table.delimiter.isascii():
        raise source.error(("delimiter",), f"{table.delimiter!r} is not one plain character; give one")
    if table.timezone and table.timezone not in zoneinfo.available_timezones():
        near = instead(table.timezone, zoneinfo.available_timezones()) if "/" in table.timezone else ""
        raise source.error(("timezone",), f"{table.timezone!r} is no time zone{near or '; give Region/City'}")
    for name in ("decimal", "thousands"):
        mark = getattr(table.money, name)
        if mark.isalnum() or mark in ("+", "-"):
            raise source.error(
                ("money", name), f"{mark!r} is part of a number; give what stands between digits"
            )
    if table.money.thousands == table.money.decimal:
        raise source.error(("money", "thousands"), "is the decimal mark too; correct one of them")
    if table.rows == "events":
        return
    if not fields["seats"]:
        raise source.error(("seats",), "is missing; of one hand a row, say which columns hold the players")
    for part in ("seats", "events"):
        numbered = {NUMBER in column for one in fields[part].values() for column in one.sources}
        if len(numbered) > 1:
            raise source.error(
                (part,), f"some columns have {NUMBER} and some do not; give it to all or to none"
            )


def _check_field(source: _Source, table: MappingFile, loc: tuple[str, str], one: FieldTable) -> None:
    part, name = loc
    if (one.column is not None) + (one.columns is not None) + (one.value is not None) != 1:
        raise source.error(loc, "give one of column, columns and value")
    for column in one.sources:
        if NUMBER in column and (table.rows == "events" or part == "hand"):
            raise source.error(loc, f"{NUMBER} counts the seats or events of one hand a row; name one column")
    if one.format and name not in DATED:
        raise source.error((*loc, "format"), "is for days and times; leave it out")
    if one.format:
        problem = Reader.format_problem(one.format)
        if problem:
            raise source.error((*loc, "format"), f"{one.format!r}: {problem}; correct it")
    zoned = not one.format or "%z" in one.format or "%Z" in one.format
    if DATED.get(name) == "time" and one.sources and not zoned and not table.timezone:
        raise source.error(loc, 'names no time zone; add timezone = "Region/City" at the top of the file')
    texts = {("words", text): word for text, word in one.words.items()}
    if one.otherwise is not None:
        texts[("otherwise",)] = one.otherwise  # type: ignore[index]
    if one.value is not None:
        texts[("value",)] = str(one.value)  # type: ignore[index]
    for keys, word in texts.items():
        enters_seat = (part, name, word) == ("events", "kind", SEAT_ROW) and table.rows == "events"
        problem = "" if enters_seat else said_in_log(name, word)
        if problem:
            raise source.error((*loc, *keys), problem)


def json_schema() -> dict[str, Any]:
    """JSON Schema of a mapping file, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **MappingFile.model_json_schema()}


def write_schema(folder: Path) -> None:
    """Write ``mapping.schema.json`` into ``folder``."""
    text = json.dumps(json_schema(), indent=2, ensure_ascii=False)
    (folder / "mapping.schema.json").write_text(f"{text}\n", encoding="utf-8")

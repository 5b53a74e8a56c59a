"""A TOML file read and validated; whatever is wrong with it is said with file, line, key and remedy."""

from __future__ import annotations

import re
import reprlib
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import ValidationError

from auditor.rulesets.errors import RuleSetError, instead
from auditor.rulesets.tables import RuleSetFile, SectionFile, Table

File = TypeVar("File", RuleSetFile, SectionFile)


class Source:
    """A TOML file read and validated, able to say on which line a value stands."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = path.read_text(encoding="utf-8")
            self.data = tomllib.loads(self.text)
        except OSError as error:
            raise RuleSetError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise RuleSetError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at line (\d+), .*\)$", str(error))
            line = int(place[1]) if place else len(self.text.splitlines())
            raise RuleSetError(f"{path}:{line}: not TOML: {error}; correct that line") from None

    def parse(self, model: type[File]) -> File:
        """The file as a ``model``. Raises one ``RuleSetError`` that says every mistake."""
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            lines: dict[Any, str] = {}
            for detail in error.errors(include_url=False):
                loc = self._keys(detail["loc"])
                place = detail["loc"] if detail["type"] == "missing" else loc  # a union says all twice
                lines.setdefault(place, str(self.error(loc, _problem(detail, model, loc))))
            raise RuleSetError("\n".join(lines.values())) from None

    def error(self, loc: Sequence[str | int], problem: str) -> RuleSetError:
        """An error at the key ``loc`` (names and list positions from the top of the file)."""
        words = [str(part) for part in loc]
        if tuple(loc[:1]) == ("clause",) and len(loc) > 1:
            table = self.data["clause"][loc[1]]
            if isinstance(table, dict) and "code" in table:
                words[:2] = [str(table["code"])]
        place = f"{self.path}:{self._line(loc)}: "
        return RuleSetError(place + (f"{'.'.join(words)}: " if words else "") + problem)

    def _keys(self, loc: Sequence[str | int]) -> tuple[str | int, ...]:
        """The part of a pydantic location that is keys of the file, less what names types."""
        value: Any = self.data
        for depth, part in enumerate(loc):
            try:
                value = value[part]
            except (KeyError, IndexError, TypeError):
                return tuple(loc[:depth])
        return tuple(loc)

    def _line(self, loc: Sequence[str | int]) -> int:
        """The 1-based line of ``loc``, or of the table that holds it. The TOML reader keeps no lines, so the
        headers and keys on the way are looked up in the text."""
        lines = self.text.split("\n")
        at, end = 0, len(lines)
        for part, following in zip_longest(loc, loc[1:]):
            if isinstance(part, int):
                continue
            header = re.compile(rf"\s*\[\[\s*{re.escape(part)}\s*\]\]")
            headers = [n for n, line in enumerate(lines) if header.match(line)]
            if isinstance(following, int) and following < len(headers):
                at = headers[following]
                tables = (n for n in range(at + 1, end) if lines[n].lstrip().startswith("[["))
                end = next(tables, end)
            else:
                key = re.compile(rf"""^([^#]*[\s.\[{{,])?["']?{re.escape(part)}["']?\s*[=.\]]""")
                at = next((n for n in range(at, end) if key.match(lines[n])), at)
        return at + 1


def _problem(detail: Any, model: type[Table], loc: tuple[str | int, ...]) -> str:
    """What pydantic found at ``loc``, said for a writer of rules."""
    value = detail["input"]
    match detail["type"]:
        case "missing":
            return f"{detail['loc'][-1]} is missing; add it"
        case "extra_forbidden":
            known = _table_at(model, loc[:-1]).model_fields
            return f"unknown key{instead(str(loc[-1]), known)}"
        case "string_type" if isinstance(value, int | float | date):
            return f"{value} is no text; put it in quotes (without them 13.10 would be 13.1)"
        case "int_type":
            return f'{value!r} is no page; give a whole number, or text such as "270-280"'
        case "literal_error":
            return f"{value!r} is not one of {detail['ctx']['expected']}"
        case _:
            return f"{reprlib.repr(value)}: {detail['msg']}; correct it"


def _table_at(model: type[Table], loc: Iterable[str | int]) -> type[Table]:
    def tables(annotation: Any) -> Iterator[type[Table]]:
        if isinstance(annotation, type) and issubclass(annotation, Table):
            yield annotation
        for inner in get_args(annotation):
            yield from tables(inner)

    for part in loc:
        if isinstance(part, str):
            model = next(tables(model.model_fields[part].annotation))
    return model

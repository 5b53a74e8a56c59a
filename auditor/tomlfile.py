"""A TOML file read and validated; whatever is wrong with it is said with file, line, key and remedy."""

from __future__ import annotations

import difflib
import re
import reprlib
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar, TypeVar, get_args

from pydantic import BaseModel, ValidationError

File = TypeVar("File", bound=BaseModel)
_LISTED, _SHOWN = 50, 60
"""Names that a message lists, and characters of each that it shows."""


class TomlFile:
    """A TOML file read and validated, able to say on which line a value stands.

    Everything wrong is raised as ``Error``, which a kind of file sets to its own.
    """

    Error: ClassVar[type[ValueError]] = ValueError

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = path.read_text(encoding="utf-8-sig")
            self.data = tomllib.loads(self.text)
        except OSError as error:
            raise self.Error(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise self.Error(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at line (\d+), .*\)$", str(error))
            line = int(place[1]) if place else len(self.text.splitlines())
            raise self.Error(f"{path}:{line}: not TOML: {error}; correct that line") from None
        except RecursionError:
            raise self.Error(f"{path}: nested too deeply; a table needs no more than a few levels") from None
        except ValueError:  # what Python says of thousands of digits
            raise self.Error(f"{path}: a number has too many digits; correct it") from None

    def parse(self, model: type[File]) -> File:
        """The file as a ``model``. Raises one ``Error`` that says every mistake."""
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            lines: dict[Any, str] = {}
            for detail in error.errors(include_url=False):
                loc = self._keys(detail["loc"])
                place = detail["loc"] if detail["type"] == "missing" else loc  # a union says all twice
                lines.setdefault(place, str(self.error(loc, _problem(detail, model, loc))))
            raise self.Error("\n".join(lines.values())) from None

    def error(self, loc: Sequence[str | int], problem: str) -> ValueError:
        """An error at the key ``loc`` (names and list positions from the top of the file)."""
        words = self.words(loc)
        place = f"{self.path}:{self._line(loc)}: "
        return self.Error(place + (f"{'.'.join(words)}: " if words else "") + problem)

    def words(self, loc: Sequence[str | int]) -> list[str]:
        """The key ``loc`` as people call it."""
        return [str(part) for part in loc]

    def _keys(self, loc: Sequence[str | int]) -> tuple[str | int, ...]:
        """The part of a pydantic location that is keys of the file, less what names types."""
        value: Any = self.data
        keys = []
        for part in loc:
            try:
                value = value[part]
            except (KeyError, IndexError, TypeError):
                continue
            keys.append(part)
        return tuple(keys)

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


def _problem(detail: Any, model: type[BaseModel], loc: tuple[str | int, ...]) -> str:
    """What pydantic found at ``loc``, said for whoever wrote it."""
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
        case "model_type":
            return f"{reprlib.repr(value)} is no table; give one"
        case "literal_error":
            return f"{value!r} is not one of {detail['ctx']['expected']}"
        case _:
            return f"{reprlib.repr(value)}: {detail['msg']}; correct it"


def _table_at(model: type[BaseModel], loc: Iterable[str | int]) -> type[BaseModel]:
    def tables(annotation: Any) -> Iterator[type[BaseModel]]:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield annotation
        for inner in get_args(annotation):
            yield from tables(inner)

    for part in loc:
        if isinstance(part, str):
            model = next(tables(model.model_fields[part].annotation))
    return model


def instead(word: str, known: Collection[str]) -> str:
    """The remedy for a word that is not among those ``known``."""
    near = difflib.get_close_matches(word, known, 1)
    return f"; did you mean {near[0]}?" if near else there_are(known)


def there_are(known: Iterable[str]) -> str:
    """The remedy that lists what there is to choose from; of very many or very long names not all."""
    names = sorted(map(short, known))
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"; there are: {', '.join(names[:_LISTED]) or 'none'}{more}"


def short(name: str) -> str:
    """A name as a message shows it: on one line, and of a very long one the beginning."""
    line = " ".join(name.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."

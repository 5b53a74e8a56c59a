"""A rule set loaded from its folder, with all that it extends: editions, files and inherited clauses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest
from pathlib import Path

from auditor._data import data_path
from auditor.rulesets.choosing import declare
from auditor.rulesets.clauses import clause_of
from auditor.rulesets.errors import RuleSetError
from auditor.rulesets.model import Book, Clause, Edition, RuleSet
from auditor.rulesets.source import Source
from auditor.rulesets.tables import HEAD, OffTable, RuleSetFile, SectionFile, cited
from auditor.tomlfile import instead

_EMPTY = Book("", "", "", (), (), (), {}, (), ())
_NOTHING = RuleSet(**vars(_EMPTY), editions=(Edition(_EMPTY, "", date.min, None, ()),))
"""What a rule set extends that extends no other: always in force, and empty."""


def available() -> list[str]:
    """Names of the rule sets that ship, sorted."""
    return sorted(head.parent.name for head in data_path("rulesets").glob(f"*/{HEAD}"))


def load(name_or_path: str | Path) -> RuleSet:
    """The rule set that ships under that name, or else the one in that folder, with all that it extends.

    Raises ``RuleSetError``.
    """
    folder = _folder(str(name_or_path), Path())
    if folder is None:
        raise RuleSetError(
            f"no rule set {str(name_or_path)!r}: give the path of a folder with a {HEAD}, "
            f"or a name that ships: {', '.join(available())}"
        )
    return _load(folder, ())


def _folder(reference: str, beside: Path) -> Path | None:
    if reference in available():
        return data_path("rulesets", reference)
    folder = beside / reference
    return folder if (folder / HEAD).is_file() else None


def _load(folder: Path, trail: tuple[Path, ...]) -> RuleSet:
    """Load ``folder`` on behalf of the folders in ``trail``, each of which extends the next."""
    head = Source(folder / HEAD)
    spec = head.parse(RuleSetFile)
    _no_doubles(head, "edition", [edition.name for edition in spec.edition])
    _no_doubles(head, "topics", [topic.name for topic in spec.topics])
    _no_doubles(head, "not_covered", [gap.number for gap in spec.not_covered])
    base = _extended(head, spec, folder, (*trail, folder.resolve()))
    periods = _periods(head, spec, base)
    files = dict.fromkeys(path for period in periods for path in period.files)
    book = Book(
        name=spec.name,
        title=spec.title,
        instrument=spec.instrument,
        games=tuple(dict.fromkeys((*base.games, *spec.games))),
        pages=(*base.pages, *(cited(page, spec.instrument) for page in spec.pages)),
        topics=tuple({topic.name: topic for topic in (*base.topics, *spec.topics)}.values()),
        assumptions={**base.assumptions, **spec.assumptions},
        not_covered=tuple({gap.number: gap for gap in (*base.not_covered, *spec.not_covered)}.values()),
        sources=(*base.sources, head.path, *files),
    )
    if not book.games:
        raise head.error((), 'games is missing; list those covered, such as games = ["seven-card-stud"]')
    for topic, option in spec.assumptions.items():
        try:
            declare(book, topic, option)
        except RuleSetError as error:
            raise head.error(("assumptions", topic), str(error)) from None

    sections = {path: _Section(path, book) for path in files}
    editions = []
    for period in periods:
        for under in base.editions:
            start = max(period.in_force, under.in_force)
            end = min(period.until or date.max, under.until or date.max)
            if start < end:
                clauses = _merged(
                    under.clauses, head, spec.off, [sections[path] for path in period.files], book
                )
                name = " on ".join(filter(None, (period.name, under.name)))
                editions.append(Edition(book, name, start, None if end == date.max else end, clauses))
    return RuleSet(**vars(book), editions=tuple(editions))


def _no_doubles(head: Source, table: str, names: list[str]) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise head.error((table, index), f"{name!r} stands here twice; keep one")


def _extended(head: Source, spec: RuleSetFile, folder: Path, trail: tuple[Path, ...]) -> RuleSet:
    if spec.extends is None:
        return _NOTHING
    below = _folder(spec.extends, folder)
    if below is None:
        problem = (
            f"no rule set {spec.extends!r} here; give a path relative to this file, or a name that ships"
        )
        raise head.error(("extends",), f"{problem}: {', '.join(available())}")
    if below.resolve() in trail:
        circle = " -> ".join(path.name for path in (*trail, below.resolve()))
        raise head.error(("extends",), f"rule sets extend each other in a circle: {circle}; break it")
    return _load(below, trail)


@dataclass(frozen=True)
class _Period:
    """An edition as declared; ``date.min`` and an empty name where an overlay declares none."""

    name: str
    in_force: date
    until: date | None
    files: tuple[Path, ...]


def _periods(head: Source, spec: RuleSetFile, base: RuleSet) -> list[_Period]:
    """The declared editions, the oldest first, with their files; each ends where the next begins."""
    folder = head.path.parent
    beside = sorted(path for path in folder.glob("*.toml") if path.name != HEAD)
    if not spec.edition:
        if base is _NOTHING:
            raise head.error((), "no [[edition]]; add one with its name and the first day it is in_force")
        return [_Period("", date.min, None, tuple(beside))]
    periods: list[_Period] = []
    order = sorted(range(len(spec.edition)), key=lambda index: spec.edition[index].in_force)
    for index, following in zip_longest(order, order[1:]):
        edition = spec.edition[index]
        starts_next = None if following is None else spec.edition[following].in_force
        until = edition.until or starts_next
        if until and (until <= edition.in_force or (starts_next and until > starts_next)):
            problem = f"ends on {until}, which is not after its first day, or after the first day of the next"
            raise head.error(("edition", index, "until"), f"{problem}; correct one of the dates")
        if base.edition_on(edition.in_force) is None:
            problem = f"{base.name} has no edition in force on {edition.in_force}; begin when it does"
            raise head.error(("edition", index, "in_force"), problem)
        if edition.files is None and len(spec.edition) > 1:
            raise head.error(("edition", index), "files is missing; each of several editions lists its own")
        files = beside if edition.files is None else [folder / name for name in edition.files]
        for path in files:
            if not path.is_file():
                raise head.error(("edition", index, "files"), f"there is no file {path.name} in this folder")
        periods.append(_Period(edition.name, edition.in_force, until, tuple(files)))
    for path in beside:
        if not any(path in period.files for period in periods):
            raise head.error(("edition",), f"no edition lists {path.name}; add it to files, or move it away")
    return periods


class _Section:
    """A section file with its clauses made."""

    def __init__(self, path: Path, book: Book) -> None:
        self.source = Source(path)
        self.tables = self.source.parse(SectionFile)
        self.clauses = [clause_of(self.source, i, table, book) for i, table in enumerate(self.tables.clause)]


def _merged(
    inherited: Iterable[Clause], head: Source, off: list[OffTable], sections: list[_Section], book: Book
) -> tuple[Clause, ...]:
    """The clauses of one edition: inherited ones, less those switched off, then replaced and added to."""
    clauses = {clause.code: clause for clause in inherited}
    for source, tables in ((head, off), *((section.source, section.tables.off) for section in sections)):
        for index, row in enumerate(tables):
            clauses.update(_switched_off(source, index, row, clauses.values(), book))
    placed: dict[str, str] = {}
    for section in sections:
        for index, (table, clause) in enumerate(zip(section.tables.clause, section.clauses, strict=True)):
            loc = ("clause", index, "code")
            if clause.code in placed:
                raise section.source.error(
                    loc, f"used before in {placed[clause.code]}; give it a code of its own"
                )
            if clause.code in clauses and not table.overrides:
                raise section.source.error(
                    loc, "used by an inherited clause; to replace it add overrides = true"
                )
            if table.overrides and clause.code not in clauses:
                problem = f"overrides no inherited clause{instead(clause.code, clauses)}"
                raise section.source.error(("clause", index, "overrides"), problem)
            placed[clause.code] = section.source.path.name
            clauses[clause.code] = clause
    return tuple(clause.assume(book.assumptions) for clause in clauses.values())


def _switched_off(
    source: Source, index: int, table: OffTable, clauses: Iterable[Clause], book: Book
) -> dict[str, Clause]:
    if (table.code is None) == (table.number is None):
        raise source.error(("off", index), "give either the code or the number of what is switched off")
    found = [c for c in clauses if c.code == table.code or (table.number and c.matches(table.number))]
    if not found:
        problem = (
            f"no inherited clause {table.code or table.number}; correct it, or list it as [[not_covered]]"
        )
        raise source.error(("off", index), problem)
    return {clause.code: clause.off(table.why, cited(table.citation, book.instrument)) for clause in found}

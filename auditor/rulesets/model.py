"""What a program gets of a rule set: clauses in editions, and how much of the text they cover."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from auditor.checks.registry import Check
from auditor.rulesets.tables import Audited, Citation, NotCovered, Page, Severity, Topic


@dataclass(frozen=True)
class Reading:
    """One way to read a clause: every parameter of its check, encoded. The only one has the name ``""``.

    Where a clause leaves several questions open the name has an answer to each, joined by ``+``.
    """

    name: str
    why: str
    params: Mapping[str, int]

    @property
    def answers(self) -> frozenset[str]:
        return frozenset(self.name.split("+"))


@dataclass(frozen=True)
class Clause:
    """A clause as loaded. It is run when it has a check and at least one reading.

    ``audited`` is ``fully``, ``part``, ``no`` or ``off`` (switched off by an overlay, ``why`` and
    ``citation`` say on what ground). ``parameters`` are those of the clause itself as written. A clause
    that ``assumes`` a topic has no ``readings`` until an option is ``assumed``; ``options`` holds the
    readings under each. ``chosen`` is the reading a user settled on, or the answers joined by ``+``, and
    ``""`` while all are asked.
    """

    code: str
    number: str
    title: str
    games: tuple[str, ...]
    check: Check | None
    severity: Severity
    citation: Citation
    summary: str
    evidence: str
    audited: Audited | Literal["off"]
    why: str
    keeps: str
    breaks: str
    parameters: Mapping[str, Any]
    readings: tuple[Reading, ...]
    assumes: str = ""
    options: Mapping[str, tuple[Reading, ...]] = field(default_factory=dict)
    assumed: str = ""
    chosen: str = ""

    @property
    def runs(self) -> bool:
        return self.check is not None and bool(self.readings)

    @property
    def reading_names(self) -> set[str]:
        """The answers of readings there are to choose from, under whatever option."""
        return {name for each in (self.readings, *self.options.values()) for r in each for name in r.answers}

    def matches(self, selector: str) -> bool:
        """Whether ``selector`` begins the code, or is the number or whole parts that begin it: ``13.3``
        matches 13.3(a), ``1`` does not."""
        if not selector:
            return False
        rest = self.number.removeprefix(selector)
        whole_part = rest != self.number and not rest[:1].isalnum()
        return self.code.startswith(selector) or whole_part

    def read(self, answers: Set[str]) -> Clause:
        """The clause under the readings that give all the ``answers``; there may be none."""

        def kept(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
            return tuple(r for r in readings if answers <= r.answers)

        options = {option: kept(readings) for option, readings in self.options.items()}
        return replace(self, readings=kept(self.readings), options=options, chosen="+".join(sorted(answers)))

    def off(self, why: str, citation: Citation) -> Clause:
        """The clause switched off."""
        idle = replace(self, check=None, readings=(), assumes="", assumed="", options={}, chosen="")
        return replace(idle, audited="off", why=why, citation=citation)

    def assume(self, assumptions: Mapping[str, str]) -> Clause:
        """The clause under declared ``assumptions`` (topic to option)."""
        if not self.assumes:
            return self
        option = assumptions.get(self.assumes, "")
        return replace(self, readings=self.options.get(option, ()), assumed=option)


@dataclass(frozen=True)
class Book:
    """What all editions of a rule set share; ``assumptions`` are those in force, topic to option, and
    ``sources`` the files read, those of the extended rule set first."""

    name: str
    title: str
    instrument: str
    games: tuple[str, ...]
    pages: tuple[Page, ...]
    topics: tuple[Topic, ...]
    assumptions: Mapping[str, str]
    not_covered: tuple[NotCovered, ...]
    sources: tuple[Path, ...]


@dataclass(frozen=True)
class Edition:
    """The clauses in force from ``in_force`` up to, not including, ``until``; in the order of their files."""

    book: Book
    name: str
    in_force: date
    until: date | None
    clauses: tuple[Clause, ...]

    @property
    def active(self) -> tuple[Clause, ...]:
        """The clauses to run."""
        return tuple(clause for clause in self.clauses if clause.runs)

    def coverage(self) -> list[dict[str, Any]]:
        """One row a number of the text, in its order: ``number, title, page, state, why, codes``.

        ``state`` is ``audited fully``, ``partly``, ``no``, ``assumption`` (rests on one not declared),
        ``switched off`` or ``not loaded``; a number whose clauses differ is covered ``partly``.
        """
        grouped: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            grouped.setdefault(clause.number, []).append(clause)
        rows = [
            {
                "number": number,
                "title": joined(clause.title for clause in clauses),
                "page": joined(str(clause.citation.page or "") for clause in clauses),
                "state": _same((_state(clause) for clause in clauses), "partly"),
                "why": joined(why_not(clause) for clause in clauses),
                "codes": tuple(clause.code for clause in clauses),
            }
            for number, clauses in grouped.items()
        ] + [
            {
                "number": gap.number,
                "title": gap.title,
                "page": str(gap.page or ""),
                "state": "not loaded",
                "why": gap.why,
                "codes": (),
            }
            for gap in self.book.not_covered
            if gap.number not in grouped
        ]
        return sorted(rows, key=lambda row: _natural(row["number"]))


@dataclass(frozen=True)
class RuleSet(Book):
    """A rule set with its editions, the oldest first."""

    editions: tuple[Edition, ...]

    def edition_on(self, day: date | None) -> Edition | None:
        """The edition in force on a gaming day; on an unknown day the latest one; else ``None``."""
        if day is None:
            return self.editions[-1]
        for edition in self.editions:
            if edition.in_force <= day and (edition.until is None or day < edition.until):
                return edition
        return None


def _state(clause: Clause) -> str:
    if clause.assumes and not clause.assumed:
        return "assumption"
    return {"fully": "audited fully", "part": "partly", "no": "no", "off": "switched off"}[clause.audited]


def why_not(clause: Clause) -> str:
    """Why the clause is not run, or not fully audited; empty when nothing is to be said."""
    if _state(clause) == "assumption":
        return f"{clause.code}: run when {clause.assumes} is declared as {' or '.join(clause.options)}"
    return f"{clause.code}: {clause.why}" if clause.why else ""


def joined(texts: Iterable[str]) -> str:
    """The distinct texts, less empty ones, as one; whole sentences need no semicolon between them."""
    return "; ".join(dict.fromkeys(text for text in texts if text)).replace(".; ", ". ")


def _same(words: Iterable[str], otherwise: str) -> str:
    distinct = set(words)
    return distinct.pop() if len(distinct) == 1 else otherwise


def _natural(number: str) -> list[tuple[bool, int, str]]:
    """A sort key under which 13.4 comes before 13.10, and what has no number last."""
    return [(not digits, int(digits or 0), text) for digits, text in re.findall(r"(\d+)|(\D+)", number)]


def content_hash(edition: Edition) -> str:
    """SHA-256, in hexadecimal, of what decides the verdicts: the active clauses in order."""
    content = [
        {
            "code": clause.code,
            "number": clause.number,
            "check": clause.check.name,
            "games": clause.games,
            "readings": [[reading.name, reading.params] for reading in clause.readings],
            "severity": clause.severity,
        }
        for clause in edition.active
        if clause.check
    ]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()

"""The files of a rule set, table by table.

Pydantic checks shape and words here; what takes more than one table is checked when a rule set is loaded.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

Severity = Literal["critical", "major", "minor", "info"]
Audited = Literal["fully", "part", "no"]
Text = Annotated[str, Field(min_length=1)]
PageNumber = int | Text
HEAD = "ruleset.toml"
Cited = TypeVar("Cited", "Page", "Citation")


class Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Citation(Table):
    """Where a text is printed."""

    instrument: str = Field("", description="The rule set's own instrument when left out.")
    page: PageNumber | None = Field(None, description='A page number, or text such as "270-280".')


class Page(Table):
    """What of a page, or range of pages, the rule set was written from."""

    page: PageNumber = Field(description='A page number, or text such as "270-280".')
    state: Literal["whole", "part", "not loaded"]
    holds: Text = Field(description="What stands on it, in our own words.")
    instrument: str = Field("", description="The rule set's own instrument when left out.")


class Topic(Table):
    """A matter that the loaded text does not cover; with options, a user may declare one of them."""

    name: Text
    page: PageNumber | None = None
    summary: Text = Field(description="What is not covered and why, in our own words.")
    options: dict[str, Text] = Field({}, description="Each assumption that may be declared, with a summary.")


class NotCovered(Table):
    """A number of the text for which there is no clause."""

    number: Text
    title: Text
    why: Text
    page: PageNumber | None = None


class EditionTable(Table):
    """A period in which a fixed list of clauses is in force."""

    name: Text
    in_force: date = Field(description="The first day.")
    until: date | None = Field(
        None, description="The first day no longer in force; the start of the next edition when left out."
    )
    files: list[Text] | None = Field(
        None,
        description="Section files in order; an only edition may leave them out: then all beside it.",
    )


class OffTable(Table):
    """An inherited clause, or all under a number, that does not apply here."""

    code: Text | None = None
    number: Text | None = None
    why: Text
    citation: Citation


class ClauseTable(Table):
    """A clause. Keys not named here are the parameters of its check."""

    model_config = ConfigDict(extra="allow")

    code: Annotated[str, Field(pattern=r"^[A-Z]+[0-9]+$")] = Field(
        description="Permanent and never used again: capital letters, then digits."
    )
    number: Text = Field(description="The number in this edition, always in quotes.")
    title: Text
    games: Annotated[list[str], Field(min_length=1)]
    check: Text | None = None
    severity: Severity | None = None
    citation: Citation | None = None
    summary: Text = Field(description="What it asks, in our own words.")
    evidence: str = Field("", description="What a log must hold to show it, in our own words.")
    audited: Audited = "fully"
    why: str = Field("", description="Why it is audited in part or not at all.")
    keeps: str = Field("", description="A one-line example that keeps it.")
    breaks: str = Field("", description="A one-line example that breaks it.")
    readings: dict[str, dict[str, Any]] = Field(
        {},
        description="Each way to read the text: the parameters that it sets, and perhaps ``why``. A name may "
        "answer several questions, joined by +, each of which can be settled alone.",
    )
    assumes: str | None = Field(
        None, description="The topic without whose declaration the clause is not run."
    )
    options: dict[str, dict[str, Any]] = Field(
        {},
        description="Each option of that topic under which the clause is run: the parameters that it sets.",
    )
    overrides: bool = Field(False, description="Whether it replaces an inherited clause of the same code.")


class RuleSetFile(Table):
    """ruleset.toml: what the rule set is, where it comes from, and what it does not cover."""

    name: Text
    title: Text
    instrument: Text = Field(description="The text audited, as it is cited.")
    extends: Text | None = Field(None, description="Another rule set, by name or relative path.")
    games: list[Text] = []
    edition: list[EditionTable] = []
    pages: list[Page] = []
    topics: list[Topic] = []
    assumptions: dict[str, str] = Field({}, description="Topic = option, declared by the rule set itself.")
    not_covered: list[NotCovered] = []
    off: list[OffTable] = []


class SectionFile(Table):
    """A section: its clauses in the order of the text."""

    clause: list[ClauseTable] = []
    off: list[OffTable] = []


def cited(row: Cited, instrument: str) -> Cited:
    """``row`` with the rule set's own ``instrument`` where it names none."""
    return row if row.instrument else row.model_copy(update={"instrument": instrument})

"""A rule set as Markdown: a page a clause, and a page that lists them with the coverage.

The text is the rule set's own, so a page is stale as soon as its clause changes; ``hands`` are added by who
has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.reports.coverage import count_rows, counts
from auditor.reports.explained import labelled
from auditor.rulesets import Clause, Edition, RuleSet

INDEX = "README.md"
_TITLES = {
    "compliant": "A hand that keeps it",
    "breach": "A hand that breaks it",
    "indeterminate": "A hand on which the readings part",
}


@dataclass(frozen=True)
class Hand:
    """A hand on which a clause comes out as ``verdict``: what it is about, what it rests on, its events.

    ``link`` leads from the page to where the hand is kept.
    """

    verdict: str
    about: str
    rests_on: Sequence[str]
    events: str
    link: str


def pages(rules: RuleSet, hands: Mapping[str, Sequence[Hand]]) -> dict[str, str]:
    """The text of each page by its file name: ``README.md``, and a page a code; ``hands`` by code.

    A clause of several editions is shown as in the latest that has it.
    """
    latest = {clause.code: (edition, clause) for edition in rules.editions for clause in edition.clauses}
    made = {INDEX: "\n".join(_index(rules)) + "\n"}
    for code, (edition, clause) in latest.items():
        made[f"{code}.md"] = "\n".join(_page(edition, clause, hands.get(code, ()))) + "\n"
    return made


def table(header: Sequence[object], rows: Sequence[Sequence[object]]) -> list[str]:
    """The lines of a Markdown table."""
    return [
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"
        for row in (header, ["---"] * len(header), *rows)
    ]


def _index(rules: RuleSet) -> Iterator[str]:
    yield f"# {rules.title}"
    yield ""
    yield f"The rule set `{rules.name}`, from {rules.instrument}; games: {', '.join(rules.games)}."
    for edition, counted in zip(rules.editions, counts(rules)["editions"], strict=True):
        yield ""
        until = f" until {edition.until}" if edition.until else ""
        yield f"## Edition {edition.name}, in force from {edition.in_force}{until}"
        yield ""
        yield "Numbers of the text by section; one that is not loaded may stand for many."
        yield ""
        yield from table(*count_rows(counted))
        yield ""
        yield from table(
            ("number", "title", "page", "audited", "clauses", "why not in full"),
            [
                (
                    row["number"],
                    row["title"],
                    row["page"],
                    row["state"].removeprefix("audited "),
                    " ".join(f"[{code}]({code}.md)" for code in row["codes"]),
                    row["why"],
                )
                for row in edition.coverage()
            ],
        )


def _page(edition: Edition, clause: Clause, hands: Sequence[Hand]) -> Iterator[str]:
    yield f"# {clause.code}: {clause.title}"
    yield ""
    yield f"Number **{clause.number}** of [{edition.book.title}]({INDEX})."
    yield ""
    for label, text in labelled(edition, clause):
        yield f"- **{label}**: {text}"
    for name, value in clause.parameters.items():
        yield f"- **Parameter** `{name}`: {', '.join(map(str, value)) if isinstance(value, list) else value}"
    for hand in hands:
        yield ""
        yield f"## {_TITLES[hand.verdict]}"
        yield ""
        yield hand.about
        if hand.rests_on:
            yield ""
            yield from (f"- {text}" for text in hand.rests_on)
        yield ""
        yield "```text"
        yield hand.events.strip("\n")
        yield "```"
        yield ""
        yield f"Kept, and tested, as {hand.link}."

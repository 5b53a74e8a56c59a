"""How much of the text a rule set covers: every number of it, the pages, and what is left open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from auditor.reports.layout import aligned, plain
from auditor.rulesets import Edition, RuleSet

STATES = {
    "audited fully": "fully",
    "partly": "partly",
    "assumption": "assumed",
    "no": "not audited",
    "switched off": "off",
    "not loaded": "not loaded",
}
"""The states of a number, in the words of the counts: ``assumed`` rests on what is not declared."""

_CAUTION = "one that is not loaded may stand for many"


def document(rules: RuleSet) -> dict[str, Any]:
    """The coverage of every edition, as plain values fit for JSON."""
    return {
        "rule_set": rules.name,
        "title": rules.title,
        "instrument": rules.instrument,
        "games": list(rules.games),
        "editions": [
            {
                "name": edition.name,
                "in_force": edition.in_force.isoformat(),
                "until": edition.until.isoformat() if edition.until else None,
                "clauses_run": len(edition.active),
                "numbers": [row | {"codes": list(row["codes"])} for row in edition.coverage()],
            }
            for edition in rules.editions
        ],
        "pages": [page.model_dump() for page in rules.pages],
        "topics": [
            topic.model_dump() | {"assumed": rules.assumptions.get(topic.name)} for topic in rules.topics
        ],
    }


def counts(rules: RuleSet) -> dict[str, Any]:
    """How many numbers of each edition are in which state, by section and in all, fit for JSON.

    One that is not loaded may stand for many: the percentages are of the numbers that are listed.
    """
    return {
        "rule_set": rules.name,
        "title": rules.title,
        "instrument": rules.instrument,
        "editions": [{"name": edition.name, **_counted(edition)} for edition in rules.editions],
    }


def _counted(edition: Edition) -> dict[str, Any]:
    sections: dict[str, dict[str, Any]] = {}
    whole = _none()
    for row in edition.coverage():
        for counted in (whole, sections.setdefault(_section(row["number"]), _none())):
            counted["numbers"] += 1
            counted[STATES[row["state"]]] += 1
    for counted in (whole, *sections.values()):
        counted["fully %"] = round(100 * counted["fully"] / counted["numbers"]) if counted["numbers"] else 0
    return {"all": whole, "sections": [{"section": name, **each} for name, each in sections.items()]}


def _none() -> dict[str, Any]:
    return dict.fromkeys(("numbers", *STATES.values()), 0)


def _section(number: str) -> str:
    """What a number begins with: ``13.3(b)`` stands in section 13."""
    return re.split(r"[.:(#]", number, maxsplit=1)[0].strip()


def counts_text(rules: RuleSet) -> str:
    """The counts for people."""
    counted = counts(rules)
    lines = [f"{counted['rule_set']}: {counted['title']} ({counted['instrument']})"]
    for edition in counted["editions"]:
        lines += ["", f"Edition {edition['name']}: numbers of the text by section; {_CAUTION}", ""]
        lines += aligned(*count_rows(edition))
    return "\n".join(lines)


def count_rows(edition: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """The counts of an edition as a table: a header, a row a section where the text has any, one for all."""
    header = ["section", *edition["all"]]
    sections = edition["sections"]
    if all(row["numbers"] == 1 for row in sections):
        sections = []
    return header, [
        [row[name] for name in header] for row in (*sections, {"section": "all", **edition["all"]})
    ]


def text(rules: RuleSet) -> str:
    """The same for people."""
    return "\n".join(map(plain, _lines(document(rules))))


def _lines(covered: dict[str, Any]) -> Iterator[str]:
    games = ", ".join(covered["games"])
    yield f"{covered['rule_set']}: {covered['title']} ({covered['instrument']}); {games}"
    for edition in covered["editions"]:
        until = f" until {edition['until']}" if edition["until"] else ""
        yield ""
        yield (
            f"Edition {edition['name']}, in force from {edition['in_force']}{until}: "
            f"clauses run: {edition['clauses_run']}"
        )
        yield ""
        names = ("number", "state", "page", "codes", "title")
        numbers = [row | {"codes": " ".join(row["codes"])} for row in edition["numbers"]]
        header, *lines = aligned(names, [[row[name] for name in names] for row in numbers])
        yield header
        for line, row in zip(lines, numbers, strict=True):
            yield line
            if row["why"]:
                yield f"    {row['why']}"
    yield ""
    yield "Pages"
    yield from aligned(
        ("loaded", "page", "holds"),
        [(page["state"], page["page"] or "", page["holds"]) for page in covered["pages"]],
    )
    yield ""
    yield "Not covered by the text that is loaded; where there are options, one may be declared (--assume)"
    for topic in covered["topics"]:
        yield f"{topic['name']}: {topic['summary']}"
        for option, meaning in topic["options"].items():
            declared = " (declared)" if topic["assumed"] == option else ""
            yield f"  {topic['name']}={option}{declared}: {meaning}"

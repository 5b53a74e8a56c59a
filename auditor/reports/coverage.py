"""How much of the text a rule set covers: every number of it, the pages, and what is left open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditor.reports.layout import aligned
from auditor.rulesets import RuleSet


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


def text(rules: RuleSet) -> str:
    """The same for people."""
    return "\n".join(_lines(document(rules)))


def _lines(covered: dict[str, Any]) -> Iterator[str]:
    games = ", ".join(covered["games"])
    yield f"{covered['rule_set']}: {covered['title']} ({covered['instrument']}); {games}"
    for edition in covered["editions"]:
        until = f" until {edition['until']}" if edition["until"] else ""
        yield ""
        yield (
            f"Edition {edition['name']}, in force from {edition['in_force']}{until}: "
            f"{edition['clauses_run']} clauses are run"
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

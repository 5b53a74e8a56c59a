"""One log under several rule sets, for people and as plain values fit for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditor.compare import COUNTED, Comparison, Difference, Obligation
from auditor.plural import number_of
from auditor.reports.layout import aligned, listed, plain
from auditor.reports.words import said

LISTED = 50
"""Differences listed in the text; the JSON has all."""
_WHOLE = "--format json has them all"


def document(found: Comparison, notices: list[str]) -> dict[str, Any]:
    """``rule_sets``, ``clauses`` (all) and ``findings`` (those that part), each by the labels."""

    def by_label(values: Any) -> dict[str, Any]:
        return dict(zip(found.labels, values, strict=True))

    return {
        "same": found.same,
        "notices": notices,
        "rule_sets": by_label(result.facts() for result in found.results),
        "clauses": [
            {
                "differs": each.differs,
                "clauses": by_label(
                    clause and {"code": clause.code, "number": clause.number, "title": clause.title}
                    for clause in each.clauses
                ),
                "counts": by_label(each.counts),
            }
            for each in found.obligations
        ],
        "findings": [
            each.place | {"findings": by_label(each.findings), "audited": by_label(each.audited)}
            for each in found.differences
        ],
    }


def text(found: Comparison, notices: list[str]) -> str:
    """The same for people: what each run rests on, the counts that part, the findings that part."""
    return "\n".join(_lines(found, notices))


def _lines(found: Comparison, notices: list[str]) -> Iterator[str]:
    for label, result in zip(found.labels, found.results, strict=True):
        rules = result.plan.rules
        yield plain(f"{label}: {rules.title}, {rules.instrument}")
        yield (
            f"  {number_of(result.read, 'hand')} read: {result.audited:,} audited, "
            f"{result.quarantined:,} quarantined"
        )
    yield from listed([f"Passed over: {plain(notice)}" for notice in notices], LISTED, _WHOLE)
    shared = [each for each in found.obligations if each.alone is None]
    parted = [each for each in shared if each.differs]
    yield ""
    together = number_of(len(shared), "shared obligation")
    yield f"Clause by clause: {len(parted):,} of {together} counted differently"
    if parted:
        first, *others = found.labels
        header = ["number", "code", "title", "verdict", first]
        for label in others:
            header += [label, "change"]
        yield from aligned(header, [row for each in parted for row in _rows(each)])
    for at, label in enumerate(found.labels):
        alone = [_alone(each, at) for each in found.obligations if each.alone == at]
        if alone:
            yield f"Asked by {label} alone ({number_of(len(alone), 'clause')}): {', '.join(alone)}"
    hands = {tuple(each.place.values())[:-1] for each in found.differences}
    yield ""
    yield (
        f"Hand by hand: {number_of(len(found.differences), 'difference')} in {number_of(len(hands), 'hand')}"
    )
    yield from listed([_told(each, found.labels) for each in found.differences], LISTED, _WHOLE)


def _rows(each: Obligation) -> Iterator[list[Any]]:
    """A row a verdict whose counts part, with the change from the first; blank where one does not ask."""
    clauses = [clause for clause in each.clauses if clause]
    for word in COUNTED:
        counts = [each.count(at, word) for at in each.each]
        if len(set(counts)) == 1:
            continue
        cells: list[Any] = []
        for at, count in enumerate(counts):
            asked = each.counts[at] is not None
            cells.append(count if asked else "")
            if at:
                told = asked and each.counts[0] is not None and count != counts[0]
                cells.append(f"{count - counts[0]:+,}" if told else "")
        yield [
            _names(clause.number for clause in clauses),
            _names(clause.code for clause in clauses),
            clauses[0].title,
            word.replace("_", " "),
            *cells,
        ]


def _alone(each: Obligation, at: int) -> str:
    """The code, with the verdicts that are no good ones."""
    clause = each.clauses[at]
    assert clause
    flagged = ((word, each.count(at, word)) for word in COUNTED if word != "compliant")
    counts = ", ".join(f"{count:,} {word.replace('_', ' ')}" for word, count in flagged if count)
    return f"{clause.code} ({counts})" if counts else clause.code


def _names(names: Iterator[str]) -> str:
    return " | ".join(dict.fromkeys(names))


def _told(each: Difference, labels: tuple[str, ...]) -> str:
    place = each.place
    numbers = _names(clause.number for clause in each.obligation.clauses if clause)
    lines = [
        f"{place['gaming_day'] or 'no day'} {place['table_id'] or 'no table'} hand {place['hand_id']} "
        f"event {place['event']}  {numbers}"
    ]
    for label, row, clause, audited in zip(
        labels, each.findings, each.obligation.clauses, each.audited, strict=True
    ):
        absent = "no finding" if clause else "not asked"
        lines.append(f"  {label}: {said(row) if row else absent if audited else 'hand not audited'}")
    return "\n".join(map(plain, lines))

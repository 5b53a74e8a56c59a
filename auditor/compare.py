"""One log under several rule sets: what changes, clause by clause and hand by hand.

Clauses of two rule sets are held against each other when they have the same code; failing that, the same
number of the same instrument; failing that, the same check on the same rounds of the same games. A match
that is not the only one to be had is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.checks.registry import VERDICTS
from auditor.findings import stands_at
from auditor.plan import Plan
from auditor.result import Result
from auditor.rulesets import Clause, RuleSetError, load

_PLACE = ("gaming_day", "table_id", "hand_id", "file", "source", "source_line", "event")
_SAID = ("verdict", "expected", "observed")
_ROWS = 10_000
COUNTED = VERDICTS[1:]
"""The verdicts that are counted."""


@dataclass(frozen=True)
class Obligation:
    """The clause that each rule set has for one obligation, and how often it came out in which way.

    Both in the order of the rule sets, ``None`` where a rule set does not ask; counts by verdict.
    """

    clauses: tuple[Clause | None, ...]
    counts: tuple[dict[str, int] | None, ...]

    @property
    def differs(self) -> bool:
        """Whether the counts part; not to be asked and never to apply is the same on this log."""
        return any(self.count(at, word) != self.count(0, word) for at in self.each for word in COUNTED)

    @property
    def each(self) -> range:
        return range(len(self.clauses))

    @property
    def alone(self) -> int | None:
        """The rule set that alone asks, if only one does."""
        asking = [at for at in self.each if self.clauses[at]]
        return asking[0] if len(asking) == 1 else None

    def count(self, at: int, verdict: str) -> int:
        return (self.counts[at] or {}).get(verdict, 0)


@dataclass(frozen=True)
class Difference:
    """An event at which the findings of an obligation part.

    ``place`` has the columns that findings have for it. ``findings`` holds, by rule set, the row of
    ``findings.FINDINGS`` or ``None``; ``audited`` whether the rule set audited the hand at all.
    """

    place: dict[str, Any]
    obligation: Obligation
    findings: tuple[dict[str, Any] | None, ...]
    audited: tuple[bool, ...]


@dataclass(frozen=True)
class Comparison:
    """The results of one log under several rule sets, and where they part, in a fixed order."""

    labels: tuple[str, ...]
    results: tuple[Result, ...]
    obligations: tuple[Obligation, ...]
    differences: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Whether nothing parts: neither counts nor findings nor the hands audited."""
        parted = self.differences or any(each.differs for each in self.obligations)
        return not parted and len({result.audited for result in self.results}) == 1


def plans(wanted: Sequence[str], **options: Sequence[str]) -> list[Plan]:
    """The plan of each ``RULES[,CHOICE...]``, a choice being ``[CLAUSE=]READING`` or ``TOPIC=OPTION``.

    ``options`` are those of ``Plan.make`` and hold for all. Raises ``RuleSetError`` as ``Plan.make`` does,
    and unless there are two or more, all of them different.
    """
    if len(wanted) < 2:
        raise RuleSetError("give two rule sets or more to compare: --rules A --rules B")
    twice = [name for name, times in Counter(wanted).items() if times > 1]
    if twice:
        raise RuleSetError(f"{twice[0]} is given twice; add a reading or an assumption to one: RULES,CHOICE")
    made = []
    for name, *choices in (each.split(",") for each in wanted):
        rules = load(name)
        topics = {topic.name for topic in rules.topics}
        declared = [choice for choice in choices if choice.partition("=")[0] in topics]
        readings = [choice for choice in choices if choice not in declared]
        made.append(Plan.make(rules, readings=readings, assumptions=declared, **options))
    return made


def compare(labels: Sequence[str], results: Sequence[Result]) -> Comparison:
    """Hold the results of one log under several rule sets, named by ``labels``, against each other."""
    obligations = _obligations(results)
    return Comparison(tuple(labels), tuple(results), obligations, tuple(_differences(results, obligations)))


def _obligations(results: Sequence[Result]) -> tuple[Obligation, ...]:
    asked = [_asked(result) for result in results]
    counts = [_counts(result) for result in results]
    return tuple(
        Obligation(
            tuple(row),
            tuple(each[clause.code] if clause else None for each, clause in zip(counts, row, strict=True)),
        )
        for row in _matched(asked)
    )


def _asked(result: Result) -> list[Clause]:
    """The clauses that a run asked, each as in the latest edition that asks it."""
    return list(
        {
            each.clauses[index].code: each.clauses[index]
            for each in result.plan.passes
            for index in each.active
        }.values()
    )


def _counts(result: Result) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in result.by_clause.to_pylist():
        mine = found.setdefault(row["code"], dict.fromkeys(COUNTED, 0))
        for word in mine:
            mine[word] += row[word]
    return found


def _by_check(clause: Clause) -> Hashable:
    rounds = clause.parameters.get("rounds")
    return clause.check and (clause.check.name, clause.games, rounds and tuple(rounds))


_LIKENESS: tuple[Callable[[Clause], Hashable], ...] = (
    lambda clause: clause.code,
    lambda clause: (clause.citation.instrument, clause.number),
    _by_check,
)


def _matched(asked: Sequence[Sequence[Clause]]) -> list[list[Clause | None]]:
    """A row an obligation, a column a rule set: those of the first, then what each further one adds."""
    rows: list[list[Clause | None]] = []
    for at, clauses in enumerate(asked):
        open_rows, left = list(rows), list(clauses)
        for row in rows:
            row.append(None)
        for likeness in _LIKENESS:
            mine = Counter(map(likeness, left))
            theirs = Counter(key for row in open_rows for key in {likeness(c) for c in row if c})
            only = {key for key, times in mine.items() if times == theirs[key] == 1}
            for clause in [clause for clause in left if likeness(clause) in only]:
                row = next(r for r in open_rows if likeness(clause) in [likeness(c) for c in r if c])
                row[at] = clause
                left.remove(clause)
                open_rows.remove(row)
        rows += [[None] * at + [clause] for clause in left]
    return rows


def _differences(results: Sequence[Result], obligations: Sequence[Obligation]) -> Iterator[Difference]:
    places = [
        {clause.code: number for number, each in enumerate(obligations) if (clause := each.clauses[at])}
        for at in range(len(results))
    ]
    # What all say alike is told by its hash: a night may have very many findings, and few that part.
    said = [
        {hash(words) for words, _ in _rows(result, where)}
        for result, where in zip(results, places, strict=True)
    ]
    alike = set.intersection(*said)
    parted: dict[tuple[Any, ...], list[dict[str, Any] | None]] = {}
    for at, (result, where) in enumerate(zip(results, places, strict=True)):
        for words, row in _rows(result, where):
            if hash(words) not in alike:
                parted.setdefault(words[0], [None] * len(results))[at] = row
    aside = [
        {(row["source"], row["line"], row["hand_id"]) for row in result.tables["quarantine"].to_pylist()}
        for result in results
    ]
    for place in sorted(parted, key=lambda place: [(part is None, part) for part in place]):
        named = dict(zip(_PLACE, place, strict=False))
        hand = (*stands_at(named), named["hand_id"])
        yield Difference(
            named,
            obligations[place[len(_PLACE)]],
            tuple(parted[place]),
            tuple(hand not in each for each in aside),
        )


def _rows(result: Result, where: dict[str, int]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Each finding with its place (the obligation's number and the how-manieth there) and what it says."""
    seen: Counter[tuple[Any, ...]] = Counter()
    for batch in result.tables["findings"].to_batches(max_chunksize=_ROWS):
        for row in batch.to_pylist():
            place = (*(row[name] for name in _PLACE), where[row["code"]])
            seen[place] += 1
            yield ((*place, seen[place]), *(row[name] for name in _SAID)), row

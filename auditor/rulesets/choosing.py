"""A rule set narrowed to what a user chose of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace

from auditor.rulesets.errors import RuleSetError
from auditor.rulesets.model import Book, Clause, Edition, RuleSet, joined, why_not
from auditor.tomlfile import instead, there_are


def configure(
    rules: RuleSet | Edition,
    *,
    readings: Sequence[str] = (),
    assumptions: Sequence[str] = (),
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> RuleSet:
    """``rules`` (or the one edition) narrowed to what a user chose.

    ``readings`` are ``CODE=name``, ``NUMBER=name`` or ``name`` (``name+name`` for both of a clause),
    ``assumptions`` are ``topic=option`` and take the place of the rule set's own; ``select`` and ``ignore``
    are codes, numbers or prefixes of them (see ``Clause.matches``). Raises ``RuleSetError`` for a choice
    that matches nothing or contradicts another, and when no clause is left to run.
    """
    book, editions = (rules.book, (rules,)) if isinstance(rules, Edition) else (rules, rules.editions)
    clauses = [clause for edition in editions for clause in edition.clauses]
    chosen = [_chosen(choice, clauses, book) for choice in readings]
    declared = _declared(book, assumptions)
    for selector in (*select, *ignore):
        if not any(clause.matches(selector) for clause in clauses):
            raise RuleSetError(_no_clause(selector, clauses))

    def narrowed(clause: Clause) -> Clause:
        return _read(clause, chosen).assume(declared)

    def kept(clause: Clause) -> bool:
        selected = not select or any(clause.matches(selector) for selector in select)
        return selected and not any(clause.matches(selector) for selector in ignore)

    shared = {**{f.name: getattr(book, f.name) for f in fields(Book)}, "assumptions": declared}
    book = Book(**shared)
    editions = tuple(
        replace(edition, book=book, clauses=tuple(narrowed(c) for c in edition.clauses if kept(c)))
        for edition in editions
    )
    if not any(edition.active for edition in editions):
        whys = joined(why_not(clause) for edition in editions for clause in edition.clauses)
        raise RuleSetError(f"no clause is left to run{': ' if whys else ''}{whys}; choose others")
    return RuleSet(**shared, editions=editions)


def _no_clause(selector: str, clauses: Iterable[Clause]) -> str:
    known = {name for clause in clauses for name in (clause.code, clause.number)}
    remedy = "; give several one by one" if "," in selector else instead(selector, known)
    return f"no clause {selector!r}{remedy}"


def _chosen(choice: str, clauses: Sequence[Clause], book: Book) -> tuple[str, set[str]]:
    """(selector, answers) of a choice; an empty selector means every clause that has them."""
    selector, _, reading = choice.rpartition("=")
    among = [clause for clause in clauses if not selector or clause.matches(selector)]
    names = {name for clause in among for name in clause.reading_names if name}
    answers = set(reading.split("+"))
    for name in sorted(answers - names):
        where = f" of {selector}" if selector else ""
        options = [f"{topic.name}={name}" for topic in book.topics if name in topic.options]
        if options:
            remedy = f"; declare it as an assumption: {' or '.join(options)}"
        elif not among:
            remedy = f": {_no_clause(selector, clauses)}"
        else:
            remedy = there_are(names) if names else ", which has only one"
        raise RuleSetError(f"no reading {name!r}{where}{remedy}")
    return selector, answers


def _read(clause: Clause, chosen: Iterable[tuple[str, set[str]]]) -> Clause:
    answers = {
        name
        for selector, names in chosen
        if names <= clause.reading_names and (not selector or clause.matches(selector))
        for name in names
    }
    if not answers:
        return clause
    read = clause.read(answers)
    if not read.reading_names:
        raise RuleSetError(f"readings of {clause.code} contradict: {', '.join(sorted(answers))}; choose one")
    return read


def _declared(book: Book, assumptions: Iterable[str]) -> dict[str, str]:
    """The assumptions of ``book`` with those a user declares in their place."""
    declared: dict[str, str] = {}
    for assumption in assumptions:
        topic, equals, option = assumption.partition("=")
        if not equals and topic not in {each.name for each in book.topics}:
            ways = (f"{each.name}={name}" for each in book.topics for name in each.options)
            raise RuleSetError(f"{assumption!r} is no TOPIC=OPTION{there_are(ways)}")
        declare(book, topic, option)
        if declared.setdefault(topic, option) != option:
            raise RuleSetError(f"{topic} is declared as {declared[topic]} and as {option}; choose one")
    return {**book.assumptions, **declared}


def declare(book: Book, topic: str, option: str) -> None:
    """Raise ``RuleSetError`` unless ``option`` of ``topic`` is there to be declared."""
    topics = {each.name: each.options for each in book.topics if each.options}
    if topic not in topics:
        raise RuleSetError(f"no topic {topic!r} with options{there_are(topics)}")
    if option not in topics[topic]:
        raise RuleSetError(f"no option {option!r} of {topic}{there_are(topics[topic])}")

"""A clause made from its table: its check looked up by name, its parameters encoded for every reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import auditor.checks  # noqa: F401  (importing it registers the checks)
from auditor.checks.registry import CHECKS, Check
from auditor.rulesets.model import Book, Clause, Reading
from auditor.rulesets.source import Source
from auditor.rulesets.tables import Citation, ClauseTable, cited
from auditor.tomlfile import instead


def clause_of(source: Source, index: int, table: ClauseTable, book: Book) -> Clause:
    """The clause at ``index`` of a section file. Raises ``RuleSetError``."""

    def error(problem: str, *keys: str) -> ValueError:
        return source.error(("clause", index, *keys), problem)

    if table.check and table.check not in CHECKS:
        raise error(f"there is no check {table.check!r}{instead(table.check, CHECKS)}", "check")
    check = CHECKS[table.check] if table.check else None
    written = table.model_extra or {}
    known = {*ClauseTable.model_fields, *(check.parameters if check else ())}
    for key in written:
        if key not in known:
            raise error(f"unknown key, and no parameter of the check{instead(key, known)}", key)
    for game in table.games:
        if game not in book.games:
            raise error(f"{game!r} is no game of this rule set{instead(game, book.games)}", "games")
    if table.audited != "fully" and not table.why:
        raise error(f'why is missing; say why audited = "{table.audited}"')
    if table.overrides and table.citation is None:
        raise error("citation is missing; say which text overrides the inherited clause")
    if table.audited == "no":
        for key in ("check", "readings", "assumes", "options"):
            if key in table.model_fields_set:
                raise error('means nothing with audited = "no"; leave it out', key)
    else:
        for key in ("check", "severity"):
            if getattr(table, key) is None:
                raise error(f'{key} is missing; add it, or say audited = "no" and why')
    readings, options = _readings(table, check, book, error) if check else ((), {})
    return Clause(
        code=table.code,
        number=table.number,
        title=table.title,
        games=tuple(table.games),
        check=check,
        severity=table.severity or "info",
        citation=cited(table.citation or Citation(), book.instrument),
        summary=table.summary,
        evidence=table.evidence,
        audited=table.audited,
        why=table.why,
        keeps=table.keeps,
        breaks=table.breaks,
        parameters=written,
        readings=readings,
        assumes=table.assumes or "",
        options=options,
    )


def _readings(
    table: ClauseTable, check: Check, book: Book, error: Callable[..., ValueError]
) -> tuple[tuple[Reading, ...], dict[str, tuple[Reading, ...]]]:
    """The readings of a clause that assumes nothing, and those under each option of one that does."""

    def encoded(values: Mapping[str, Any], *keys: str) -> dict[str, int]:
        codes = {}
        for key, value in values.items():
            if key not in check.parameters:
                raise error(f"no parameter of {check.name}{instead(key, check.parameters)}", *keys, key)
            try:
                codes[key] = check.parameters[key].encode(value)
            except ValueError as problem:
                raise error(str(problem), *keys, key) from None
        return codes

    def complete(given: Mapping[str, int]) -> tuple[Reading, ...]:
        readings = []
        for name, values in (table.readings or {"": {}}).items():
            why = values.get("why", "")
            if not isinstance(why, str):
                raise error(f"{why!r} must be text in quotes", "readings", name, "why")
            own = {key: value for key, value in values.items() if key != "why"}
            codes = {**given, **encoded(own, "readings", name)}
            if missing := [key for key in check.parameters if key not in codes]:
                under = f" for the reading {name}" if name else ""
                raise error(f"{check.name} needs a value of {', '.join(missing)}{under}; add it")
            readings.append(Reading(name, why, {key: codes[key] for key in check.parameters}))
        return tuple(readings)

    own = encoded(table.model_extra or {})
    if not table.assumes:
        if table.options:
            raise error("options without a topic; add assumes = the name of one", "options")
        return complete(own), {}
    topics = {topic.name: topic.options for topic in book.topics if topic.options}
    if table.assumes not in topics:
        raise error(f"no topic {table.assumes!r} with options{instead(table.assumes, topics)}", "assumes")
    if not table.options:
        raise error("options is missing; list those of the topic under which this clause is run", "assumes")
    for option in table.options:
        if option not in topics[table.assumes]:
            problem = f"no option of {table.assumes}{instead(option, topics[table.assumes])}"
            raise error(problem, "options", option)
    return (), {
        option: complete({**own, **encoded(values, "options", option)})
        for option, values in table.options.items()
    }

"""Compliance audit of casino poker hand logs.

log = auditor.load("night.parquet")
result = auditor.audit(log, rules="nz-1999")
result.findings, result.tallies, result.defects    # pandas frames
auditor.replay(log, "T01-0000003")                 # one hand, event by event, verdicts beside it
auditor.explain("13.3(b)")                         # what a clause asks, and how it is audited
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from auditor.handlog import HandLog
    from auditor.replayed import Replayed
    from auditor.reports.explained import Explanation
    from auditor.result import Result
    from auditor.rulesets import RuleSet

    __version__: str

__all__ = [
    "HandLog",
    "Result",
    "__version__",
    "audit",
    "explain",
    "load",
    "replay",
    "sample_logs",
]

_LATE = {"HandLog": "auditor.handlog", "Result": "auditor.result"}
"""Classes of this interface by home; they, and all that the functions need, are imported when first used."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("auditor")
        except PackageNotFoundError:
            return "not installed"  # run from a checkout; the version stands in its pyproject.toml
    if name in _LATE:
        return getattr(import_module(_LATE[name]), name)
    raise AttributeError(f"module 'auditor' has no attribute {name!r}")


def load(*paths: str | Path, mapping: str | Path | None = None) -> HandLog:
    """All hands of ``paths``, in memory: files, globs, directories, or ``-`` for standard input.

    With the file of a ``mapping`` they are exports of another system, read by it. What cannot be read is in
    the log's ``quarantine``. Raises ``auditor.sources.SourceError`` for a path that does not exist, or a
    mapping that cannot be used.
    """
    from auditor import sources

    return sources.load(*_paths(paths), mapping=sources.load_mapping(mapping) if mapping else None)


def audit(
    log: HandLog | str | Path | Sequence[str | Path],
    rules: str | Path | RuleSet = "nz-1999",
    *,
    readings: Sequence[str] = (),
    assumptions: Sequence[str] = (),
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    verdicts: Sequence[str] = ("breach", "indeterminate"),
    threads: int | None = None,
    mapping: str | Path | None = None,
) -> Result:
    """Audit a log, or the files of one path or several, which then need not fit in memory.

    ``rules`` is the name of a rule set that ships, or the folder of another. ``readings`` are
    ``CODE=name``, ``NUMBER=name`` or ``name``; ``assumptions`` are ``topic=option``; ``select`` and
    ``ignore`` are codes, numbers or prefixes of them; of each several or one. ``verdicts`` are those that
    become findings; tallies count all. The result does not depend on ``threads`` (default: all cores). A
    ``mapping`` is as for ``load``; it is for paths, and a log in memory takes none (``ValueError``).

    Raises ``auditor.rulesets.RuleSetError`` for a rule set or choice that cannot be used,
    ``auditor.sources.SourceError`` as ``load`` does, and ``TypeError`` for what is neither log nor paths.
    """
    from auditor import engine, sources
    from auditor.handlog import HandLog
    from auditor.plan import Plan

    plan = Plan.make(
        rules,
        readings=readings,
        assumptions=assumptions,
        select=select,
        ignore=ignore,
        verdicts=verdicts,
    )
    if isinstance(log, HandLog):
        if mapping:
            raise ValueError("a mapping is for paths; give it to auditor.load instead")
        return engine.audit(plan, log, threads=threads)
    mapped = sources.load_mapping(mapping) if mapping else None
    return engine.audit(plan, sources.units(_paths(log), mapping=mapped), threads=threads)


def replay(
    log: HandLog | str | Path | Sequence[str | Path],
    hand_id: str,
    rules: str | Path | RuleSet = "nz-1999",
    *,
    readings: Sequence[str] = (),
    assumptions: Sequence[str] = (),
) -> Replayed:
    """One hand, event by event, with the state after each and every verdict beside the event it fell on.

    Of several hands with the id, the first; the others are mentioned. Paths are read as by ``audit``. Raises
    ``KeyError`` when the log has no such hand, ``ValueError`` when it has one that cannot be audited,
    ``RuleSetError`` and ``SourceError`` as ``audit`` does.
    """
    from auditor import replayed, sources
    from auditor.handlog import HandLog
    from auditor.plan import Plan

    every = replayed.EVERY_VERDICT
    plan = Plan.make(rules, readings=readings, assumptions=assumptions, verdicts=every)
    files: Sequence[str | None] = ()
    if not isinstance(log, HandLog):
        log, files = replayed.only(hand_id, sources.batches(_paths(log)))
    return replayed.replay(plan, log, hand_id, files)


def _paths(log: Any) -> list[str | Path]:
    """The paths of what is no log in memory; ``TypeError`` for what is neither, such as a pandas frame."""
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    some = isinstance(log, Sequence | Iterator | AbstractSet) and not isinstance(log, str)
    paths = list(log) if some else [log]
    for path in paths:
        if not isinstance(path, str | Path):
            raise TypeError(
                f"a {type(path).__name__} is neither a path nor a HandLog; "
                "auditor.HandLog(table) makes one of an Arrow table with the columns of a hand log"
            )
    return paths


def explain(clause: str, rules: str | Path | RuleSet = "nz-1999") -> Explanation:
    """What the clause of a code or number asks and how it is audited; a number may stand for several.

    The answer prints itself, shows itself in a notebook and has ``markdown()``. Raises ``RuleSetError``,
    with the nearest codes and numbers, when there is no such clause.
    """
    from auditor.reports import explained

    return explained.explain(clause, rules)


def sample_logs() -> Path:
    """The folder of small logs, clean and dirty, that ships with the package."""
    from auditor._data import data_path

    return data_path("sample_logs")

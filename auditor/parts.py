"""What came of one file of the input, in a folder of its own: whole or not there.

A run that writes its results keeps them by file while it goes, so that they need not fit in memory. An
incremental run keeps the folders: a file whose bytes, rules and program are those of an earlier run is not
audited again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from auditor import rulesets
from auditor.batch import BatchResult, Counts
from auditor.checks.registry import VERDICTS
from auditor.durable import created, sync_all
from auditor.findings import DEFECTS, FINDINGS, IDENTITY, TALLIES
from auditor.handlog import QUARANTINE_SCHEMA, Quarantined
from auditor.plan import Plan
from auditor.sources.plugins import identities

PART = "part.json"
TABLES = {"findings": FINDINGS, "tallies": TALLIES, "defects": DEFECTS, "quarantine": QUARANTINE_SCHEMA}
ROW_TABLES = ("findings", "defects", "quarantine")
"""The tables that grow with the log."""
_WRITTEN = {**{name: TABLES[name] for name in ROW_TABLES}, "hands": IDENTITY}
_PACKAGE = Path(__file__).parent


def quarantine_table(entries: Iterable[Quarantined]) -> pa.Table:
    """Rows of ``QUARANTINE_SCHEMA``."""
    return pa.Table.from_pylist([vars(entry) for entry in entries], schema=QUARANTINE_SCHEMA)


def tally_table(plan: Plan, tallies: Mapping[tuple[int, str | None], np.ndarray]) -> pa.Table:
    """Rows of ``TALLIES`` from counts by pass and table; every clause that is asked has a row."""
    rows = []
    for number, each in enumerate(plan.passes):
        tables = sorted((name for at, name in tallies if at == number), key=lambda name: (name is None, name))
        for index in each.active:
            clause = each.clauses[index]
            for name in tables or [None]:
                counts = tallies[number, name][index] if tables else np.zeros(len(VERDICTS), np.int64)
                rows.append(
                    {
                        "code": clause.code,
                        "number": clause.number,
                        "title": clause.title,
                        "edition": each.edition.name,
                        "table_id": name,
                        "applied": int(counts.sum()),
                        **{word: int(counts[code]) for code, word in enumerate(VERDICTS) if code},
                    }
                )
    return pa.Table.from_pylist(rows, schema=TALLIES)


def _tallies(plan: Plan, table: pa.Table) -> dict[tuple[int, str | None], np.ndarray]:
    """The counts that ``tally_table`` made a table of."""
    passes = {each.edition.name: number for number, each in enumerate(plan.passes)}
    clauses = [{clause.code: at for at, clause in enumerate(each.clauses)} for each in plan.passes]
    tallies: dict[tuple[int, str | None], np.ndarray] = {}
    for row in table.to_pylist():
        if row["applied"]:
            number = passes[row["edition"]]
            shape = (len(clauses[number]), len(VERDICTS))
            counts = tallies.setdefault((number, row["table_id"]), np.zeros(shape, np.int64))
            counts[clauses[number][row["code"]]] = [0, *(row[word] for word in VERDICTS[1:])]
    return tallies


@cache
def program_hash() -> str:
    """SHA-256 of the sources of this package, and of the plug-ins.

    Another program may find something else in the same file.
    """
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update("\n".join(identities()).encode())
    return digest.hexdigest()


@lru_cache(maxsize=4)
def plan_key(plan: Plan) -> str:
    """SHA-256 of all that the result of a file follows from, but the file: rules, choices, program."""
    editions = [
        (
            each.edition.name,
            str(each.edition.in_force),
            str(each.edition.until),
            rulesets.content_hash(each.edition),
            each.loop.key,
            each.asked.tolist(),
            [(clause.title, clause.assumes, clause.assumed, clause.chosen) for clause in each.clauses],
        )
        for each in plan.passes
    ]
    told = (program_hash(), plan.rules.name, plan.rules.games, plan.verdicts, editions)
    return hashlib.sha256(repr(told).encode()).hexdigest()


@dataclass(frozen=True)
class Part:
    """What came of one file: ``counts``, and the Parquet files of a ``folder``."""

    folder: Path
    counts: Counts

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.parquet"

    def hands(self) -> Iterator[pa.Table]:
        with pq.ParquetFile(self.path("hands")) as file:
            for batch in file.iter_batches(use_threads=False):
                yield pa.Table.from_batches([batch])


class Draft:
    """The part of one file while its batches come in; ``finish`` makes it whole, if not yet on the disk."""

    def __init__(self, plan: Plan, folder: Path, facts: Mapping[str, Any]) -> None:
        folder.mkdir()
        self._plan = plan
        self._folder = folder
        self._facts = facts
        self._counts = Counts.none(plan)
        self._writers = {}
        with ExitStack() as opened:
            for name, schema in _WRITTEN.items():
                file = opened.enter_context(created(folder / f"{name}.parquet"))
                writer = pq.ParquetWriter(file, schema, compression="zstd")
                self._writers[name] = opened.enter_context(writer)
            self._open = opened.pop_all()

    def __enter__(self) -> Draft:
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.__exit__(*error)

    def add(self, result: BatchResult) -> None:
        self._counts.add(result.counts)
        for name, table in (
            ("findings", result.findings),
            ("defects", result.defects),
            ("quarantine", quarantine_table(result.quarantine)),
            ("hands", result.hands),
        ):
            if table.num_rows:
                self._writers[name].write_table(table)

    def finish(self) -> Part:
        self._open.close()
        with created(self._folder / "tallies.parquet") as file:
            pq.write_table(tally_table(self._plan, self._counts.tallies), file, compression="zstd")
        counts = self._counts
        facts = dict(self._facts) | {
            "hands": {"read": counts.read, "audited": counts.audited, "quarantined": counts.quarantined},
            "hands_by_edition": {
                each.edition.name: int(hands)
                for each, hands in zip(self._plan.passes, counts.hands_by_pass, strict=True)
            },
            "hands_by_game": dict(counts.hands_by_game),
        }
        with created(self._folder / PART) as file:
            file.write((json.dumps(facts, ensure_ascii=False) + "\n").encode())
        return Part(self._folder, counts)


_KEY = ("sha256", "rules", "mapping")
_TOGETHER = 50_000
"""Hands of small files that are kept at once: a killed run loses no more of what it has done."""


@dataclass(frozen=True)
class Store:
    """Where the parts of a run are kept: in ``work`` while it goes, in ``kept`` for the next one.

    Without ``kept`` every file is audited. ``digests`` are the SHA-256 of the files by source, none for one
    that cannot be read; a source that is not named in it (standard input) is never kept. ``mapping`` is the
    SHA-256 of the mapping by which they are read. ``unchanged`` are the sources whose parts were found.
    """

    work: Path
    kept: Path | None
    mapping: str | None = None
    digests: dict[str, str | None] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)

    def find(self, plan: Plan, source: str) -> Part | None:
        """The part of an earlier run that holds what this one would find."""
        if self.kept is None or self.digests.get(source) is None:
            return None
        folder = self.kept / _folder_name(source)
        try:
            facts = json.loads((folder / PART).read_text(encoding="utf-8"))
            if {name: facts[name] for name in _KEY} != self._key(plan, source):
                return None
            hands = facts["hands"]
            by_edition = [facts["hands_by_edition"][each.edition.name] for each in plan.passes]
            by_game = Counter({game: int(hands) for game, hands in facts["hands_by_game"].items()})
            with pq.ParquetFile(folder / "tallies.parquet") as file:
                tallies = _tallies(plan, file.read(use_threads=False))
            for name in _WRITTEN:
                pq.read_metadata(folder / f"{name}.parquet")
        except (
            OSError,
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
        ):  # not there, or not what a run has left
            return None
        counts = Counts(
            hands["read"],
            hands["audited"],
            hands["quarantined"],
            np.array(by_edition, np.int64),
            by_game,
            tallies,
        )
        self.unchanged.append(source)
        return Part(folder, counts)

    def draft(self, plan: Plan, source: str) -> Draft:
        facts = {"source": source, **self._key(plan, source)}
        return Draft(plan, self.work / secrets.token_hex(8), facts)

    def _key(self, plan: Plan, source: str) -> dict[str, str | None]:
        """What the part of a source follows from."""
        told = (self.digests.get(source), plan_key(plan), self.mapping)
        return dict(zip(_KEY, told, strict=True))

    def keep(self, parts: Iterable[tuple[str, Part]]) -> Iterator[Part]:
        """Put whole parts, given with their sources, where the next run finds them, in place of earlier ones.

        A few at a time, in order; what is there already stays as it is.
        """
        waiting: list[tuple[str, Part]] = []
        hands = 0
        for source, part in parts:
            waiting.append((source, part))
            hands += part.counts.read
            if hands >= _TOGETHER:
                yield from self._keep(waiting)
                waiting, hands = [], 0
        yield from self._keep(waiting)

    def _keep(self, parts: Sequence[tuple[str, Part]]) -> list[Part]:
        to_keep: dict[Path, Path] = {}
        kept = []
        for source, part in parts:
            target = part.folder
            if self.kept is not None and source in self.digests:
                target = self.kept / _folder_name(source)
            if target != part.folder:
                to_keep[part.folder] = target
            kept.append(Part(target, part.counts))
        sync_all(path for folder in to_keep for path in (*folder.iterdir(), folder))
        for folder, target in to_keep.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists():
                os.replace(target, self.work / secrets.token_hex(8))
            os.replace(folder, target)
        sync_all(dict.fromkeys(target.parent for target in to_keep.values()))
        return kept

    def gone(self) -> list[str]:
        """The sources of parts that are none of this run, in order."""
        if self.kept is None:
            return []
        known = {self.kept / _folder_name(source) for source in self.digests}
        found = (path for path in self.kept.rglob(PART) if path.parent not in known)
        return sorted(_source_name(path.parent.relative_to(self.kept)) for path in found)

    def drop(self, sources: Iterable[str]) -> None:
        """Remove the parts of ``sources``, and the folders that are empty without them."""
        for source in sources:
            folder = cast(Path, self.kept) / _folder_name(source)
            os.replace(folder, self.work / secrets.token_hex(8))
            for parent in folder.parents:
                if parent == self.kept or any(parent.iterdir()):
                    break
                parent.rmdir()


_ESCAPED = {"": "%", ".": "%.", "..": "%.."}


def _folder_name(source: str) -> Path:
    """The path of a part below its root: that of the source, which may begin with ``..`` or a scheme."""
    parts = (part.replace("%", "%%") for part in source.split("/"))
    return Path(*(_ESCAPED.get(part, part) for part in parts))


def _source_name(folder: Path) -> str:
    back = {escaped: part for part, escaped in _ESCAPED.items()}
    return "/".join(back.get(part, part).replace("%%", "%") for part in folder.parts)

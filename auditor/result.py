"""What an audit found: the results of its batches, added up."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from auditor import rulesets
from auditor.batch import BatchResult, defect_rows
from auditor.checks.registry import VERDICTS
from auditor.findings import DEFECTS, FINDINGS, SEVERITIES, TALLIES
from auditor.handlog import QUARANTINE_SCHEMA, Quarantined
from auditor.plan import Plan
from auditor.seen import Seen
from auditor.sources.base import Batch

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Result:
    """What an audit found: pandas frames, and the facts of the run.

    ``findings`` (``FINDINGS``), ``tallies`` (``TALLIES``, one row a clause and table), ``defects``
    (``DEFECTS``) and ``quarantine`` (``QUARANTINE_SCHEMA``) are built on demand from Arrow ``tables``.
    """

    plan: Plan
    tables: dict[str, pa.Table]
    read: int
    audited: int
    hands_by_edition: dict[str, int]

    @property
    def quarantined(self) -> int:
        return int(self.tables["quarantine"].num_rows)

    @cached_property
    def findings(self) -> pd.DataFrame:
        return self._frame("findings")

    @cached_property
    def tallies(self) -> pd.DataFrame:
        return self._frame("tallies")

    @cached_property
    def defects(self) -> pd.DataFrame:
        return self._frame("defects")

    @cached_property
    def quarantine(self) -> pd.DataFrame:
        return self._frame("quarantine")

    def _frame(self, name: str) -> pd.DataFrame:
        import pandas as pd

        frame: pd.DataFrame = self.tables[name].to_pandas(types_mapper=pd.ArrowDtype)
        return frame

    @cached_property
    def by_clause(self) -> pa.Table:
        """The tallies of each clause over all tables, in the order of the rule set."""
        keys = ["code", "number", "title"]
        counts = ["applied", *VERDICTS[1:]]
        summed = (
            self.tables["tallies"]
            .group_by(keys, use_threads=False)
            .aggregate([(name, "sum") for name in counts])
        )
        return summed.rename_columns([*keys, *counts])

    def breaches(self, at_least: str = "info") -> int:
        """Number of breaches of a severity or a graver one, written down or not."""
        rank = SEVERITIES.index(at_least)
        severe = {
            clause.code
            for each in self.plan.passes
            for clause in each.clauses
            if SEVERITIES.index(clause.severity) >= rank
        }
        return sum(
            row["breach"]
            for row in self.by_clause.select(["code", "breach"]).to_pylist()
            if row["code"] in severe
        )

    def facts(self) -> dict[str, Any]:
        """What the run rests on, without clock or host: counts, editions with their hashes, choices."""
        return {
            "rule_set": self.plan.rules.name,
            "title": self.plan.rules.title,
            "instrument": self.plan.rules.instrument,
            "editions": [
                {
                    "name": each.edition.name,
                    "in_force": each.edition.in_force.isoformat(),
                    "until": each.edition.until.isoformat() if each.edition.until else None,
                    "clauses": len(each.active),
                    "hash": rulesets.content_hash(each.edition),
                    "hands": self.hands_by_edition[each.edition.name],
                }
                for each in self.plan.passes
            ],
            "readings": {
                clause.code: clause.chosen
                for each in self.plan.passes
                for clause in each.clauses
                if clause.chosen
            },
            "assumptions": dict(self.plan.rules.assumptions),
            "hands": {"read": self.read, "audited": self.audited, "quarantined": self.quarantined},
            "defects": self.tables["defects"].num_rows,
            "verdicts": {word: sum(self.by_clause.column(word).to_pylist()) for word in VERDICTS[1:]},
        }

    def _repr_html_(self) -> str:
        head = (
            f"<p>{self.read} hands read: {self.audited} audited, {self.quarantined} quarantined; "
            f"{self.tables['defects'].num_rows} defects of the log</p>"
        )
        frame = self.by_clause.to_pandas()
        return head + str(frame[frame["applied"] > 0].to_html(index=False))


@dataclass
class Sum:
    """The results of batches as they come in, in order."""

    plan: Plan
    read: int = 0
    audited: int = 0
    findings: list[pa.Table] = field(default_factory=list)
    defects: list[pa.Table] = field(default_factory=list)
    quarantine: list[Quarantined] = field(default_factory=list)
    tallies: dict[tuple[int, str | None], np.ndarray] = field(default_factory=dict)
    hands_by_pass: np.ndarray | None = None
    seen: Seen = field(default_factory=Seen)
    again: list[pa.Table] = field(default_factory=list)

    def add(self, batch: Batch, result: BatchResult) -> None:
        self.read += batch.table.num_rows + len(batch.quarantine)
        self.audited += result.audited
        self.findings.append(result.findings)
        self.defects.append(result.defects)
        self.quarantine += result.quarantine
        for key, counts in result.tallies.items():
            self.tallies[key] = self.tallies[key] + counts if key in self.tallies else counts
        hands = np.array(result.hands_by_pass)
        self.hands_by_pass = hands if self.hands_by_pass is None else self.hands_by_pass + hands
        self._note_again(batch.table)

    def result(self) -> Result:
        if self.read != self.audited + len(self.quarantine):
            raise AssertionError(
                f"{self.read} hands read, {self.audited} audited, {len(self.quarantine)} quarantined"
            )
        quarantine = pa.Table.from_pylist(
            [vars(entry) for entry in self.quarantine], schema=QUARANTINE_SCHEMA
        )
        tables = {
            "findings": pa.concat_tables([FINDINGS.empty_table(), *self.findings]),
            "tallies": self._tally_table(),
            "defects": pa.concat_tables([DEFECTS.empty_table(), *self.defects, *self.again]),
            "quarantine": quarantine,
        }
        hands = self.hands_by_pass if self.hands_by_pass is not None else [0] * len(self.plan.passes)
        by_edition = {
            each.edition.name: int(count) for each, count in zip(self.plan.passes, hands, strict=True)
        }
        return Result(self.plan, tables, self.read, self.audited, by_edition)

    def _tally_table(self) -> pa.Table:
        rows = []
        for number, each in enumerate(self.plan.passes):
            tables = sorted(
                (name for at, name in self.tallies if at == number), key=lambda name: (name is None, name)
            )
            for index in each.active:
                clause = each.clauses[index]
                for name in tables or [None]:
                    counts = (
                        self.tallies[number, name][index] if tables else np.zeros(len(VERDICTS), np.int64)
                    )
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

    def _note_again(self, table: pa.Table) -> None:
        """Note the hands whose gaming day, table and id an earlier one had."""
        columns = (
            table.column("gaming_day").cast(pa.int32()),
            table.column("table_id"),
            table.column("hand_id"),
        )
        keys = zip(*(column.to_pylist() for column in columns), strict=True)
        again = self.seen.again(np.fromiter(map(hash, keys), np.int64, table.num_rows))
        if again.any():
            pairs = [(int(row), None, "duplicate-hand") for row in np.flatnonzero(again)]
            self.again.append(defect_rows(table, pairs))

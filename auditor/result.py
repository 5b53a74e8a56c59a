"""What an audit found: the results of its batches, added up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from auditor import rulesets
from auditor.batch import BatchResult, Counts, defect_rows
from auditor.checks.registry import VERDICTS
from auditor.findings import SEVERITIES
from auditor.parts import ROW_TABLES, TABLES, Part, quarantine_table, tally_table
from auditor.plan import Plan
from auditor.plural import number_of
from auditor.rows import Rows
from auditor.seen import Seen

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Result:
    """What an audit found: pandas frames, and the facts of the run.

    ``findings`` (``FINDINGS``), ``tallies`` (``TALLIES``, one row a clause and table), ``defects``
    (``DEFECTS``) and ``quarantine`` (``QUARANTINE_SCHEMA``) are built on demand from Arrow ``tables``, and
    those from ``rows``, which of a long log are on disk and can be read piece by piece.
    """

    plan: Plan
    rows: dict[str, Rows]
    counts: Counts

    @cached_property
    def tables(self) -> dict[str, pa.Table]:
        """All rows, in memory."""
        return {name: rows.table() for name, rows in self.rows.items()}

    @property
    def read(self) -> int:
        return self.counts.read

    @property
    def audited(self) -> int:
        return self.counts.audited

    @property
    def quarantined(self) -> int:
        return self.counts.quarantined

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
            self.rows["tallies"]
            .table()
            .group_by(keys, use_threads=False)
            .aggregate([(name, "sum") for name in counts])
        )
        # Arrow groups in an order of its own.
        clauses = (clause for each in self.plan.passes for clause in each.clauses)
        ordered = dict.fromkeys((clause.code, clause.number, clause.title) for clause in clauses)
        place = {key: at for at, key in enumerate(ordered)}
        found = zip(*(summed.column(name).to_pylist() for name in keys), strict=True)
        order = sorted(range(summed.num_rows), key=[place[key] for key in found].__getitem__)
        return summed.take(pa.array(order, pa.int64())).rename_columns([*keys, *counts])

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
                    "hands": int(hands),
                }
                for each, hands in zip(self.plan.passes, self.counts.hands_by_pass, strict=True)
            ],
            "readings": {
                clause.code: clause.chosen
                for each in self.plan.passes
                for clause in each.clauses
                if clause.chosen
            },
            "assumptions": dict(self.plan.rules.assumptions),
            "hands": {"read": self.read, "audited": self.audited, "quarantined": self.quarantined},
            "games": dict(sorted(self.counts.hands_by_game.items())),
            "defects": len(self.rows["defects"]),
            "verdicts": {word: sum(self.by_clause.column(word).to_pylist()) for word in VERDICTS[1:]},
        }

    @property
    def head(self) -> str:
        """How many hands were read, and what became of them, in words."""
        defects = number_of(len(self.rows["defects"]), "defect")
        return (
            f"{number_of(self.read, 'hand')} read: {self.audited:,} audited, "
            f"{self.quarantined:,} quarantined; {defects} of the log"
        )

    def _applied(self) -> pd.DataFrame:
        """The counts of each clause that applied."""
        frame: pd.DataFrame = self.by_clause.to_pandas()
        return frame[frame["applied"] > 0]

    def __repr__(self) -> str:
        return f"{self.head}\n{self._applied().to_string(index=False)}"

    def _repr_html_(self) -> str:
        return f"<p>{self.head}</p>{self._applied().to_html(index=False)}"


class Sum:
    """The results of batches as they come in, in order; which are kept in memory or, as ``Part``, on disk."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.counts = Counts.none(plan)
        self.rows = {name: Rows(schema) for name, schema in TABLES.items()}
        self._seen = Seen()
        self._again: list[pa.Table] = []

    def add(self, result: BatchResult) -> None:
        self.counts.add(result.counts)
        self.rows["findings"].add(result.findings)
        self.rows["defects"].add(result.defects)
        self.rows["quarantine"].add(quarantine_table(result.quarantine))
        self._note_again(result.hands)

    def add_part(self, part: Part) -> None:
        self.counts.add(part.counts)
        for name in ROW_TABLES:
            self.rows[name].add(part.path(name))
        for hands in part.hands():
            self._note_again(hands)

    def result(self) -> Result:
        counts = self.counts
        if (
            not counts.read
            == counts.audited + counts.quarantined
            == counts.audited + len(self.rows["quarantine"])
        ):
            raise AssertionError(
                f"{counts.read} hands read, {counts.audited} audited, {counts.quarantined} quarantined"
            )
        for table in self._again:
            self.rows["defects"].add(table)
        self.rows["tallies"].add(tally_table(self.plan, counts.tallies))
        return Result(self.plan, self.rows, counts)

    def _note_again(self, hands: pa.Table) -> None:
        """Note the hands whose gaming day, table and id an earlier one had."""
        columns = (
            hands.column("gaming_day").cast(pa.int32()),
            hands.column("table_id"),
            hands.column("hand_id"),
        )
        keys = zip(*(column.to_pylist() for column in columns), strict=True)
        again = self._seen.again(np.fromiter(map(hash, keys), np.int64, hands.num_rows))
        if again.any():
            pairs = [(int(row), None, "duplicate-hand") for row in np.flatnonzero(again)]
            self._again.append(defect_rows(hands, pairs))

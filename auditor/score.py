"""An audit held against the truth of a simulated log: what it caught, what it missed, what it made up.

A planted breach is *caught* by a breach of its obligation at its event. Failing that it is *indeterminate*,
when that verdict was given there; *elsewhere*, when the obligation was found broken at another event of the
hand, which no other planted breach accounts for; or *missed*. Any other breach found is a *consequence*, when
it follows from one that was caught, there or elsewhere, or a *false alarm*. A hand that the truth does not
name is *clean*: each breach in it is a false alarm. Hands with faults of logging are told apart by kind.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from auditor.plural import number_of

METADATA = b"auditor"
"""Where the schema of a truth holds the facts of the simulation, as JSON."""
COLUMNS = ("hand_id", "event", "code", "kind")
NEEDED = ("hand_id", "code", "event", "verdict", "follows")
"""The columns of findings that a score looks at."""
OUTCOMES = ["caught", "elsewhere", "indeterminate", "missed"]
BESIDE = ["consequences", "false_alarms"]
CLEAN = ["false_alarms_clean", "indeterminate_clean"]
ANSWERS = ["defect", "quarantined", "breach", "indeterminate", "not_evidenced"]
"""What an audit may say of a hand with faults of logging."""
SEVERAL = "several"
MILLION = 1_000_000

Rows = list[dict[str, Any]]


class ScoreError(ValueError):
    """Findings or a truth that cannot be scored; says which and the remedy."""


@dataclass(frozen=True)
class Truth:
    """What was planted in a log, or went wrong in its logging.

    ``rows`` has ``hand_id``, ``event`` (from 0; null where none can be named), ``code`` (null for a fault of
    logging) and ``kind``; ``facts`` are those of the simulation, among them ``hands``, the number written.
    """

    rows: pd.DataFrame
    facts: dict[str, Any]

    @classmethod
    def of(cls, table: pa.Table, name: str) -> Truth:
        """The truth in a table as ``auditor simulate`` writes it; errors call it ``name``.

        Raises ``ScoreError`` when the table is something else.
        """
        try:
            facts = json.loads((table.schema.metadata or {}).get(METADATA, b""))
        except ValueError:
            facts = None
        if not isinstance(facts, dict) or "hands" not in facts or set(COLUMNS) - set(table.column_names):
            raise ScoreError(f"{name} is no truth; give the file that auditor simulate wrote beside the log")
        rows = table.select(COLUMNS).to_pandas()
        planted = rows["code"].notna()
        amiss = ""
        if rows["event"][planted].isna().any():
            amiss = "does not name the event of a breach"
        elif set(rows["hand_id"][planted]) & set(rows["hand_id"][~planted]):
            amiss = "has a hand with both a breach and a fault of logging"
        elif rows["hand_id"].nunique() > facts["hands"]:
            amiss = "names more hands than it says were written"
        if amiss:
            raise ScoreError(f"{name} {amiss}; simulate the log again")
        return cls(rows, facts)


@dataclass(frozen=True)
class Score:
    """What an audit is worth. A count is None where the findings given cannot tell.

    ``hands`` counts hands: ``written``, ``clean``, ``planted``, ``noisy``; of the clean ones
    ``clean_with_defect`` and ``clean_quarantined``. ``obligations`` has a row a code: how many breaches were
    ``planted``, and their outcomes; ``consequences`` and ``false_alarms`` in planted hands, and in clean ones
    ``false_alarms_clean``, ``false_alarms_per_million`` and ``indeterminate_clean``: all findings of this
    code. ``kinds`` has a row a code and kind of breach; ``consequences`` and ``false_alarms`` are those
    of whatever code in hands with that breach. ``noise`` counts hands by kind of fault of logging: those with
    each answer, those ``silent`` on all; ``codes`` says in how many hands each code was found broken, not as
    what follows another breach. A hand with several kinds of faults is one of the row ``several``.
    """

    truth: dict[str, Any]
    hands: dict[str, int | None]
    obligations: Rows
    kinds: Rows
    noise: Rows

    @property
    def passed(self) -> bool:
        """Every planted breach caught at its event, and nothing held against a clean hand or its log.

        Faults of logging have no part in this: some cannot be told from a breach.
        """
        amiss = ("elsewhere", "indeterminate", "missed", "false_alarms", "false_alarms_clean")
        return not (
            any(row[name] for row in self.obligations for name in amiss)
            or self.hands["clean_with_defect"]
            or self.hands["clean_quarantined"]
        )

    def document(self) -> dict[str, Any]:
        """All of it as plain values fit for JSON."""
        return {"passed": self.passed, **asdict(self)}


def score(
    tables: Mapping[str, pa.Table],
    truth: Truth,
    *,
    read: int | None = None,
    verdicts: Collection[str] = ("breach", "indeterminate"),
) -> Score:
    """Hold the ``tables`` of an audit against the truth of the log that was audited.

    ``findings`` is needed; ``tallies``, ``defects`` and ``quarantine`` say more. ``read`` is the number of
    hands audited, if known, and ``verdicts`` are those that became findings. Raises ``ScoreError`` when the
    two cannot be of one log, or breaches did not become findings.
    """
    findings = tables["findings"].select(NEEDED).to_pandas()
    affected = {
        name: set(tables[name].column("hand_id").to_pylist()) - {None}
        for name in ("findings", "defects", "quarantine")
        if name in tables
    }
    known = set(truth.rows["hand_id"])
    clean = truth.facts["hands"] - len(known)
    _check(truth, findings, set().union(*affected.values()) - known, clean, read, verdicts)

    planted = truth.rows[truth.rows["code"].notna()].astype({"event": np.int64})
    noise = truth.rows[truth.rows["code"].isna()]
    in_planted = findings["hand_id"].isin(planted["hand_id"])
    planted, others = _judged(planted, findings[in_planted])
    untouched = findings[~findings["hand_id"].isin(known)]
    in_clean = {"breach": CLEAN[0], "indeterminate": CLEAN[1]}
    marks = pd.concat([planted, others, untouched.assign(mark=untouched["verdict"].map(in_clean))])
    return Score(
        truth=truth.facts,
        hands={
            "written": truth.facts["hands"],
            "clean": clean,
            "planted": planted["hand_id"].nunique(),
            "noisy": noise["hand_id"].nunique(),
            "clean_with_defect": len(affected["defects"] - known) if "defects" in affected else None,
            "clean_quarantined": len(affected["quarantine"] - known) if "quarantine" in affected else None,
        },
        obligations=_obligations(marks, clean, tables.get("tallies"), verdicts),
        kinds=_kinds(planted, others),
        noise=_noise(noise, findings, affected, verdicts),
    )


def _check(
    truth: Truth,
    findings: pd.DataFrame,
    strangers: set[str],
    clean: int,
    read: int | None,
    verdicts: Collection[str],
) -> None:
    if "breach" not in verdicts:
        raise ScoreError("the audit did not write breaches down; audit with --verdict breach")
    remedy = "give the truth that was written beside the log audited"
    if read not in (None, truth.facts["hands"]):
        raise ScoreError(
            f"{number_of(read, 'hand')} audited, the truth is of {truth.facts['hands']:,}; {remedy}"
        )
    breached = set(findings["hand_id"][findings["verdict"] == "breach"])
    planted = set(truth.rows["hand_id"][truth.rows["code"].notna()])
    if len(strangers) > clean or (breached and planted and not breached & planted):
        raise ScoreError(f"the findings are of hands that the truth does not name; {remedy}")


def _keys(frame: pd.DataFrame, *names: str) -> pd.MultiIndex:
    """The columns as one key; the last is a number of an event, and may be null."""
    return pd.MultiIndex.from_frame(frame[list(names)].astype({names[-1]: float}))


def _judged(planted: pd.DataFrame, findings: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The planted breaches, each marked with its outcome; and the breaches found beside them, marked too."""
    pair = ["hand_id", "code"]
    breaches = findings[findings["verdict"] == "breach"]
    unclear = findings[findings["verdict"] == "indeterminate"]
    place, found = _keys(planted, *pair, "event"), _keys(breaches, *pair, "event")
    answers = [place.isin(found), place.isin(_keys(unclear, *pair, "event"))]
    planted = planted.assign(mark=np.select(answers, ["caught", "indeterminate"], default="missed"))
    # One finding accounts for one planted breach: the first one over for the first one missed, and so on.
    lost, spare = planted[planted["mark"] == "missed"], breaches[~found.isin(place)]
    pairs = lost.assign(nth=lost.groupby(pair).cumcount(), row=lost.index).merge(
        spare.assign(nth=spare.groupby(pair).cumcount(), finding=spare.index), on=[*pair, "nth"]
    )
    planted.loc[pairs["row"], "mark"] = "elsewhere"
    others = spare.drop(index=pairs["finding"].to_list())
    causes = breaches.drop(index=others.index)
    after = _keys(others, "hand_id", "follows").isin(_keys(causes, "hand_id", "event"))
    return planted, others.assign(mark=np.where(after, *BESIDE))


def _obligations(
    marks: pd.DataFrame, clean: int, tallies: pa.Table | None, verdicts: Collection[str]
) -> Rows:
    """A row a code: those that were asked in the order of the rule set, then whatever else is marked."""
    asked: dict[str, dict[str, Any]] = {}
    for row in tallies.to_pylist() if tallies else ():
        entry = asked.setdefault(row["code"], {"number": row["number"], "title": row["title"], "applied": 0})
        entry["applied"] += row["applied"]
    counts = _counts(marks, ["code"], [*OUTCOMES, *BESIDE, *CLEAN])
    unasked = {"number": None, "title": None, "applied": 0 if tallies else None}
    rows: Rows = []
    for code in dict.fromkeys([*asked, *counts.index]):
        count = {str(name): int(counts[name].get(code, 0)) for name in counts}
        alarms = count["false_alarms_clean"]
        rows.append(
            {"code": code}
            | asked.get(code, unasked)
            | {"planted": sum(count[name] for name in OUTCOMES)}
            | count
            | {"false_alarms_per_million": round(alarms * MILLION / clean, 3) if clean else None}
        )
        if "indeterminate" not in verdicts:
            rows[-1] |= {"indeterminate": None, "indeterminate_clean": None}
    return rows


def _counts(marks: pd.DataFrame, by: list[str], columns: list[str]) -> pd.DataFrame:
    """How many rows bear each mark; a row each ``by``, in order, and a column each mark of ``columns``."""
    table = marks.groupby([*by, "mark"]).size().unstack(fill_value=0)
    return table.reindex(columns=columns, fill_value=0).sort_index()


def _kinds(planted: pd.DataFrame, others: pd.DataFrame) -> Rows:
    """A row a code and kind of breach."""
    by = ["code", "kind"]
    hands = planted[["hand_id", *by]].drop_duplicates()
    marks = pd.concat([planted, hands.merge(others[["hand_id", "mark"]], on="hand_id")])
    counts = _counts(marks, by, [*OUTCOMES, *BESIDE])
    counts.insert(0, "planted", counts[OUTCOMES].sum(axis=1))
    return [
        dict(zip([*by, *counts], (*key, *values), strict=True))
        for key, values in zip(counts.index, counts.to_numpy().tolist(), strict=True)
    ]


def _noise(
    noise: pd.DataFrame, findings: pd.DataFrame, affected: Mapping[str, set[str]], verdicts: Collection[str]
) -> Rows:
    """A row a kind of fault of logging, and one for hands with several kinds."""
    findings = findings[findings["hand_id"].isin(noise["hand_id"])]
    by_verdict = {word: set(each["hand_id"]) for word, each in findings.groupby("verdict")}
    answered: dict[str, set[str] | None] = {
        "defect": affected.get("defects"),
        "quarantined": affected.get("quarantine"),
        **{word: by_verdict.get(word, set()) if word in verdicts else None for word in ANSWERS[2:]},
    }
    roots = findings[(findings["verdict"] == "breach") & findings["follows"].isna()]
    breaches = roots.drop_duplicates(["hand_id", "code"])
    rows: Rows = []
    alone = noise.groupby("hand_id")["kind"].transform("nunique") == 1
    for kind, of_kind in noise.groupby(noise["kind"].where(alone, SEVERAL)):
        hands = set(of_kind["hand_id"])
        counts = {name: None if seen is None else len(hands & seen) for name, seen in answered.items()}
        heard = set().union(*(seen for seen in answered.values() if seen))
        codes = breaches["code"][breaches["hand_id"].isin(hands)].value_counts().sort_index()
        rows.append(
            {"kind": kind, "faults": len(of_kind), "hands": len(hands), **counts}
            | {"silent": len(hands - heard), "codes": {code: int(count) for code, count in codes.items()}}
        )
    return rows

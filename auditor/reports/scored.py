"""The score of an audit for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from auditor.plural import number_of
from auditor.reports.layout import aligned, plain
from auditor.score import ANSWERS, OUTCOMES, Rows, Score

_PLANTED = ["planted", *OUTCOMES]
_OBLIGATION = [
    "number",
    "code",
    "applied",
    *_PLANTED,
    "consequences",
    "false_alarms",
    "false_alarms_clean",
    "false_alarms_per_million",
    "indeterminate_clean",
]
_HEADS = {
    "false_alarms": "false alarms",
    "false_alarms_clean": "in clean hands",
    "false_alarms_per_million": "a million",
    "indeterminate_clean": "indeterminate there",
    "not_evidenced": "not evidenced",
}
NOT_KNOWN = "-"


def text(score: Score) -> str:
    """The score as plain tables; what the findings given cannot tell is a dash."""
    return "\n".join(map(plain, _lines(score)))


def _lines(score: Score) -> Iterator[str]:
    hands = score.hands
    yield (
        f"{number_of(hands['written'] or 0, 'hand')}: {hands['clean']:,} clean, "
        f"{hands['planted']:,} with a planted breach, {hands['noisy']:,} with faults of logging"
    )
    if hands["clean_with_defect"] or hands["clean_quarantined"]:
        yield (
            f"Clean hands with a defect: {hands['clean_with_defect']:,}; quarantined: "
            f"{hands['clean_quarantined']:,}"
        )
    if score.obligations:
        yield ""
        yield from _table(score.obligations, _OBLIGATION)
    if score.kinds:
        yield ""
        yield from _table(score.kinds, ["code", "kind", *_PLANTED, "consequences", "false_alarms"])
    if score.noise:
        yield ""
        rows = [{**row, "broken": broken(row["codes"])} for row in score.noise]
        yield from _table(rows, ["kind", "faults", "hands", *ANSWERS, "silent", "broken"])
    planted, caught = (sum(row[name] for row in score.obligations) for name in ("planted", "caught"))
    alarms = sum(row["false_alarms"] + row["false_alarms_clean"] for row in score.obligations)
    yield ""
    yield f"Caught at the event: {caught:,} of {planted:,}; false alarms: {alarms:,}"


def broken(codes: dict[str, int]) -> str:
    """``DEA01 12, SHT01 1``: in how many hands each obligation was found broken."""
    return ", ".join(f"{code} {count}" for code, count in codes.items())


def _table(rows: Rows, columns: Sequence[str]) -> list[str]:
    cells = [[NOT_KNOWN if row[name] is None else row[name] for name in columns] for row in rows]
    return aligned([_HEADS.get(name, name) for name in columns], cells)

"""A log that contradicts itself accuses nobody, and takes nothing from the hands beside it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.result import Result
from tests.hands import log_of, parse_events, script

CLAUSES = Path(__file__).parent / "clauses"
LOST_BET = "2.0 call/unseen-the-bet-was-not-written-down"
MUCK_DEALT = "13.4(a)/bad-case-6"
OVER_CALL = "2.0 call/bad-call-for-more"
ALL = ("compliant", "breach", "indeterminate", "not_evidenced")


def audit(*names: str, verdicts: tuple[str, ...] = ALL) -> Result:
    hands = [script(CLAUSES / f"{name}.toml").hand for name in names]
    return auditor.audit(log_of(hands), verdicts=verdicts)


def rows(result: Result, name: str | None = None) -> list[dict[str, Any]]:
    return [row for row in result.tables["findings"].to_pylist() if name in (None, row["hand_id"])]


def tally(result: Result, code: str) -> dict[str, int]:
    (row,) = [row for row in result.by_clause.to_pylist() if row["code"] == code]
    return {word: row[word] for word in ALL if row[word]}


def test_breaches_of_the_hand_are_not_evidenced_and_none_is_followed() -> None:
    result = audit(LOST_BET)
    verdicts = {(row["event"], row["code"]): row["verdict"] for row in rows(result)}
    assert "breach" not in verdicts.values() and result.breaches() == 0
    assert verdicts[13, "CAL01"] == verdicts[13, "OPN02"] == "not_evidenced"
    assert verdicts[9, "CAL01"] == "compliant"
    assert tally(result, "CAL01") == {"compliant": 1, "not_evidenced": 1}
    assert {row["follows"] for row in rows(result)} == {None}
    assert list(result.defects.defect) == ["chips"]


def test_other_hands_of_the_batch_keep_their_breaches() -> None:
    result = audit(OVER_CALL, LOST_BET, OVER_CALL)
    alone = audit(OVER_CALL)
    assert tally(alone, "CAL01")["breach"] > 0
    assert result.breaches() == 2 * alone.breaches()
    assert rows(result, OVER_CALL) == rows(alone) * 2


NAMED_AND_SHOWN = """
deal 3 down
expose 3 9d
deal 5 Kd up
deal 3 4c up
check 5
bet 3 4
show 8 9d
award 5 4
"""
"""A card that an exposure names and another seat shows: that it is there twice is known at the end only."""


def test_a_hand_that_is_judged_twice_is_counted_and_written_down_once() -> None:
    events = parse_events(NAMED_AND_SHOWN)[0]
    twice = {**script(CLAUSES / f"{OVER_CALL}.toml").hand, "hand_id": "twice", "events": events}
    other = script(CLAUSES / f"{OVER_CALL}.toml").hand
    result = auditor.audit(log_of([other, twice, other]), verdicts=ALL)
    alone = auditor.audit(log_of([twice]), verdicts=ALL)
    assert rows(result, "twice") == rows(alone)
    assert [row for row in rows(result) if row["hand_id"] != "twice"] == rows(audit(OVER_CALL)) * 2
    assert sorted(alone.defects.defect) == ["duplicate-card", "show"]
    for each in (alone, result):
        counted = Counter({row["code"]: sum(row[word] for word in ALL) for row in each.by_clause.to_pylist()})
        assert +counted == Counter(row["code"] for row in rows(each))
    # What INI02 would find is two cards up, one of them the card that is there twice.
    assert "INI02" not in {row["code"] for row in rows(alone)}


def test_a_breach_that_is_the_contradiction_stands_and_is_followed() -> None:
    result = audit(MUCK_DEALT)
    (breach,) = [row for row in rows(result) if row["verdict"] == "breach"]
    assert breach["code"] == "SHT02" and breach["follows"] is None
    assert list(result.defects.defect) == ["duplicate-card"]
    later = [row for row in rows(result) if row["event"] > breach["event"]]
    assert later and {row["follows"] for row in later} == {breach["event"]}


@pytest.mark.parametrize("verdicts", [(word,) for word in ALL] + [("compliant", "not_evidenced"), ()])
def test_only_the_verdicts_asked_for_are_written_down_and_tallies_count_all(
    verdicts: tuple[str, ...],
) -> None:
    names = (OVER_CALL, LOST_BET, MUCK_DEALT)
    whole, part = audit(*names), audit(*names, verdicts=verdicts)
    assert rows(part) == [row for row in rows(whole) if row["verdict"] in verdicts]
    assert part.by_clause.equals(whole.by_clause)

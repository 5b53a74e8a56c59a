"""Simulated nights under audit: every obligation comes up, clean hands are clean, plants are found."""

from __future__ import annotations

import pytest

import auditor
from auditor import rulesets
from auditor.simulate import Night, simulate

HANDS = 8000
OFTEN = 200 / 100_000
"""How often each obligation has to apply, a hand."""
ASSUMPTIONS = ("first-round-opener=low-card", "five-card-opener=highest-showing")
"""The house of the simulator plays so."""


@pytest.fixture(scope="module")
def clean() -> Night:
    return simulate(HANDS, seed=41)


@pytest.mark.parametrize("assumptions", [(), ASSUMPTIONS], ids=["as-loaded", "declared"])
def test_every_obligation_that_is_audited_applies_often_and_is_kept(
    assumptions: tuple[str, ...], clean: Night
) -> None:
    result = auditor.audit(clean.log, assumptions=assumptions, verdicts=["breach"])
    played = set(clean.log.hands.game)
    clauses = [each for each in rulesets.load("nz-1999").editions[-1].clauses if played & set(each.games)]
    audited = {clause.code for clause in clauses if clause.check and (clause.readings or assumptions)}
    rows = [row for row in result.by_clause.to_pylist() if row["code"] in audited]
    assert {row["code"] for row in rows} == audited
    assert {row["code"]: row["applied"] for row in rows if row["applied"] < OFTEN * HANDS} == {}
    assert len(result.findings) == 0


def test_each_planted_breach_is_found_where_it_is_and_no_other() -> None:
    night = simulate(4000, seed=42, plant=1.0)
    findings = auditor.audit(night.log, verdicts=["breach"]).findings
    found = set(zip(findings.hand_id, findings.event, findings.code, strict=True))
    planted = set(zip(night.truth.hand_id, night.truth.event, night.truth.code, strict=True))
    assert sorted(planted - found) == []
    cause = findings[findings.follows.isna()]
    assert sorted(set(zip(cause.hand_id, cause.event, cause.code, strict=True)) - planted) == []

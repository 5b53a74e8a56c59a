"""Every hand under tests/clauses brings exactly the verdicts written beside its events.

For the codes under test all verdicts must be written down; of every other code no breach may come out that
is not. One folder a clause number; ``good-``, ``bad-``, ``unclear-`` and ``unseen-`` (not evidenced) hands.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from auditor import rulesets
from auditor.checks.registry import VERDICTS
from auditor.engine import audit
from auditor.plan import Plan
from tests.hands import Script, log_of, script

Row = dict[str, Any]
FOLDER = Path(__file__).parent
SCRIPTS = {path: script(path) for path in sorted(FOLDER.glob("*/*.toml"))}
PREFIXES = {"good": "compliant", "bad": "breach", "unclear": "indeterminate", "unseen": "not_evidenced"}


@cache
def result(readings: tuple[str, ...], assumptions: tuple[str, ...]) -> dict[str, dict[str, list[Row]]]:
    """One audit of all the scripts that ask for these choices: rows by table and hand."""
    plan = Plan.make(readings=readings, assumptions=assumptions, verdicts=VERDICTS[1:])
    hands = [one.hand for one in SCRIPTS.values() if key(one) == (readings, assumptions)]
    tables = audit(plan, log_of(hands), threads=1).tables
    found: dict[str, dict[str, list[Row]]] = {"findings": defaultdict(list), "defects": defaultdict(list)}
    for name, by_hand in found.items():
        for row in tables[name].to_pylist():
            by_hand[row["hand_id"]].append(row)
    return found


def key(one: Script) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(one.readings), tuple(one.assumptions)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_verdicts(path: Path) -> None:
    one = SCRIPTS[path]
    names = ("event", "code", "verdict", "expected", "observed")
    rows = result(*key(one))["findings"][one.name]
    seen, wanted = one.compare([tuple(row[name] for name in names) for row in rows])
    assert seen == wanted, one.about


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_defects(path: Path) -> None:
    one = SCRIPTS[path]
    rows = result(*key(one))["defects"][one.name]
    assert sorted({row["defect"] for row in rows}) == sorted(set(one.defects))


@cache
def numbers() -> dict[str, str]:
    return {clause.code: clause.number for clause in rulesets.load("nz-1999").editions[0].clauses}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_name_says_what_it_shows(path: Path) -> None:
    one = SCRIPTS[path]
    prefix = path.stem.partition("-")[0]
    assert PREFIXES[prefix] in {each.verdict for each in one.expected if each.code in one.codes}
    assert path.parent.name in {numbers()[code] for code in one.codes}


NEVER = {"breach": {"DCK01"}, "not_evidenced": {"OPN11", "OPN12"}}
"""What no hand can show: a card that comes twice is never laid on the dealer, and without stacks nobody is
known to be all-in, so that these obligations do not even arise."""


def test_every_audited_clause_has_all_kinds_of_hands() -> None:
    shown = {
        verdict: {each.code for one in SCRIPTS.values() for each in one.expected if each.verdict == verdict}
        for verdict in VERDICTS
    }
    for clause in rulesets.load("nz-1999").editions[0].clauses:
        assert clause.code in shown["compliant"], f"{clause.code}: no good hand"
        assert clause.code in shown["breach"] | NEVER["breach"], f"{clause.code}: no bad hand"
        readings = max((len(each) for each in (clause.readings, *clause.options.values())), default=0)
        if readings > 1:
            assert clause.code in shown["indeterminate"], f"{clause.code}: no hand on which readings part"
        if clause.check and clause.check.needs:
            unseen = shown["not_evidenced"] | NEVER["not_evidenced"]
            assert clause.code in unseen, f"{clause.code}: no hand that lacks evidence"

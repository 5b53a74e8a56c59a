"""The mutation runner itself: which changes it makes, that it kills, and that it tells survivors."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from auditor.checks import registry
from tests.proof.mutants import mutants_of

ROOT = Path(__file__).parents[2]
TOY = '''\
"""A module of two functions."""

LIMIT = 3


def judge(ev, st):
    """What is judged."""
    total = st + 1
    if total > LIMIT and not ev:
        return INAPPLICABLE, 0, 0
    total -= 2
    return COMPLIANT if total == ev else BREACH, total, -1


def limit(mask: int = 7) -> int:
    return max(mask, 1)
'''
CHANGES = """
8: st + 1  ->  st - 1
8: 1  ->  2
8: 1  ->  0
9: total > LIMIT and (not ev)  ->  True
9: total > LIMIT and (not ev)  ->  False
9: total > LIMIT and (not ev)  ->  total > LIMIT or not ev
9: total > LIMIT and (not ev)  ->  not ev
9: total > LIMIT and (not ev)  ->  total > LIMIT
9: total > LIMIT  ->  total >= LIMIT
9: total > LIMIT  ->  total <= LIMIT
9: not ev  ->  ev
9: without: if total > LIMIT and (not ev):
10: INAPPLICABLE  ->  COMPLIANT
10: without: return (INAPPLICABLE, 0, 0)
11: 2  ->  3
11: 2  ->  1
11: total -= 2  ->  total += 2
11: without: total -= 2
12: total  ->  0
12: -1  ->  0
12: total == ev  ->  True
12: total == ev  ->  False
12: COMPLIANT  ->  BREACH
12: BREACH  ->  COMPLIANT
12: total == ev  ->  total != ev
16: max(mask, 1)  ->  0
16: max(mask, 1)  ->  1
16: max(mask, 1)  ->  min(mask, 1)
16: 1  ->  2
16: 1  ->  0
"""


def test_the_changes_to_a_function(tmp_path: Path) -> None:
    path = tmp_path / "toy.py"
    path.write_text(TOY)
    spec = importlib.util.spec_from_file_location("toy", path)
    assert spec and spec.loader
    toy = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(toy)
    mutants = list(mutants_of(toy))
    assert sorted(f"{m.line}: {m.change}" for m in mutants) == sorted(CHANGES.strip().splitlines())
    assert {m.function for m in mutants} == {toy.judge, toy.limit}

    raised = next(m for m in mutants if m.change == "max(mask, 1)  ->  min(mask, 1)")
    assert toy.limit() == 7
    toy.limit.__code__ = raised.code
    assert toy.limit() == 1


def run(*arguments: str) -> str:
    """What the command prints. A process of its own: there the auditor is plain Python."""
    command = [sys.executable, "-m", "tests.proof.mutate", "auditor.checks.exposure", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def told() -> str:
    return run("--clauses", "19.18")


def test_what_says_when_a_check_applies_is_changed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("auditor.checks.position")
    gate = registry.CHECKS["position.dead_position"]
    plain = SimpleNamespace(applies=lambda ev, st: True)
    monkeypatch.setitem(registry.CHECKS, gate.name, plain)
    changes = [m.change for m in mutants_of(module) if m.function is plain.applies]
    assert "st.dead_lacking or st.was_dead >> ev.seat & 1  ->  st.dead_lacking" in changes
    assert all(
        m.lines == range(m.line, m.line + 1) for m in mutants_of(module) if m.function is plain.applies
    )


def test_the_hands_of_a_clause_kill_the_mutants_of_its_checks(told: str) -> None:
    total = re.search(r"^all +(\d+) +(\d+) ", told, re.MULTILINE)
    assert total
    survivors = [
        int(line) for line in re.findall(r"^auditor/checks/exposure\.py:(\d+): ", told, re.MULTILINE)
    ]
    assert len(survivors) == int(total[1]) - int(total[2])
    # The two checks that follow are of other books, to which these hands say nothing.
    source = (ROOT / "auditor" / "checks" / "exposure.py").read_text().splitlines()
    others = next(number for number, line in enumerate(source) if line.startswith("def returned("))
    assert len([line for line in survivors if line < others]) <= 5
    assert len([line for line in survivors if line > others]) > 50


def test_hands_that_never_expose_a_card_kill_nothing_that_this_takes(told: str) -> None:
    other = run("--clauses", "12", "--sample", "40", "--seed", "1")
    survivors = other.split("\n\n")[1].splitlines()
    assert re.search(r"^all +40 ", other, re.MULTILINE)
    assert any(line not in told for line in survivors)
    assert all(re.match(r"auditor/checks/exposure\.py:\d+: .+", line) for line in survivors)

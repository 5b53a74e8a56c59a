"""The compiled loop: what its name is a hash of, and that an edit is never answered by an older loop."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from auditor import driver, rulesets
from auditor.plan import Plan
from auditor.sources import write
from tests.hands import DEFAULTS, log_of, parse_events

PACKAGE = Path(driver.__file__).parent
RULES = """
name = "one-clause"
title = "One clause"
instrument = "A test"
games = ["seven-card-stud"]
[[edition]]
name = "only"
in_force = 1999-01-29
"""
SECTION = """
[[clause]]
code = "TST01"
number = "1"
title = "Face up"
games = ["seven-card-stud"]
check = "dealing.face_up"
severity = "major"
summary = "The cards of the second round are dealt face up."
rounds = [2]
"""
HAND = """
ante 1 1
ante 2 1
deal 1 2c down
deal 2 3c down
deal 1 4c down
deal 2 5c down
deal 1 6c up
deal 2 7c up
forced_bet 1 2
call 2 2
burn 8c
deal 1 9c up
deal 2 Tc up
"""
COUNT = """
import sys, auditor
result = auditor.audit(sys.argv[1], rules=sys.argv[2], readings=sys.argv[3:])
counts = result.by_clause.to_pylist()[0]
print(counts["compliant"], counts["breach"])
"""


def test_the_hash_covers_every_module_that_the_loop_runs() -> None:
    code = (
        "import sys, auditor.checks, auditor.steps; print(*(m for m in sys.modules if m[:8] == 'auditor.'))"
    )
    environment = {**os.environ, "AUDITOR_COMPILE": "0"}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    loaded = {name.removeprefix("auditor.") for name in run.stdout.split()}
    hashed = {Path(name).stem for name in driver.SOURCES}
    assert {name for name in loaded if not name.startswith("checks")} <= hashed
    assert all((PACKAGE / name).is_file() for name in driver.SOURCES)


def test_a_rule_set_of_a_game_that_cannot_be_replayed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ruleset.toml").write_text(RULES.replace("seven-card-stud", "omaha"))
    (tmp_path / "section.toml").write_text(SECTION.replace("seven-card-stud", "omaha"))
    with pytest.raises(
        rulesets.RuleSetError, match="one-clause: no game 'omaha' can be audited; those that can: "
    ):
        Plan.make(tmp_path)


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """A copy of the package with a rule set of one clause and a log of one hand, free to be edited."""
    ignored = shutil.ignore_patterns("__pycache__", "_data", "simulate")
    shutil.copytree(PACKAGE, tmp_path / "auditor", ignore=ignored)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "ruleset.toml").write_text(RULES)
    (tmp_path / "rules" / "section.toml").write_text(SECTION)
    events, _ = parse_events(HAND)
    seats = [{"seat": seat, "player": f"P{seat}", "stack": 100} for seat in (1, 2)]
    hand = {**DEFAULTS, "hand_id": "1", "seats": seats, "events": events}
    write(log_of([hand]), tmp_path / "night.parquet")
    (tmp_path / "rulesets").mkdir()
    return tmp_path


def counts(folder: Path, *readings: str) -> str:
    """Compliant and breach as a fresh process with the folder's package and cache tells them."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "AUDITOR_CACHE": str(folder / "cache")}
    environment["AUDITOR_COMPILE"] = "1"
    command = [sys.executable, "-c", COUNT, "night.parquet", "rules", *readings]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_an_edited_check_parameter_or_step_is_never_answered_by_an_older_loop(edited: Path) -> None:
    assert counts(edited) == "2 0"
    assert counts(edited) == "2 0"
    assert len(list((edited / "cache").glob("loop_*.code"))) == 1, (
        "the second run must use the first one's loop"
    )

    edit(
        edited / "auditor" / "checks" / "dealing.py",
        'return judge_face(ev.face, UP)\n\n\n@check(\n    "dealing.last_card_down"',
        'return judge_face(ev.face, DOWN)\n\n\n@check(\n    "dealing.last_card_down"',
    )
    assert counts(edited) == "0 2"

    edit(edited / "rules" / "section.toml", "rounds = [2]", "rounds = [3]")
    assert counts(edited) == "0 0"

    edit(edited / "auditor" / "steps.py", "st.betting_round += 1", "st.betting_round += 2")
    assert counts(edited) == "0 2"


def test_a_loop_without_room_in_the_state_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = rulesets.load("nz-1999").editions[0]
    monkeypatch.setattr(driver, "MAX_FOUND", 3)
    monkeypatch.setattr(driver, "_loops", {})
    with pytest.raises(
        rulesets.RuleSetError, match="clauses asked on one kind of event, where 3 are the most"
    ):
        driver.loop_of(edition)


def test_readings_may_differ_in_the_rounds_in_which_a_clause_is_asked(edited: Path) -> None:
    section = edited / "rules" / "section.toml"
    ways = "".join(
        f'[clause.readings.{name}]\nwhy = "A test."\nrounds = [{number}]\n'
        for name, number in (("second", 2), ("third", 3))
    )
    section.write_text(section.read_text().replace("rounds = [2]\n", ways))
    assert counts(edited, "second") == "2 0"
    assert counts(edited, "third") == "0 0"

"""One log under several rule sets: what is held against what, what parts, and the exit codes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from auditor import compare, engine, sources
from auditor.cli import app
from auditor.handlog import SCHEMA, HandLog
from auditor.plan import Plan
from auditor.sources import write
from auditor.sources.base import Batch
from tests.hands import log_of, script
from tests.test_cli import plain

CLAUSES = Path(__file__).parent / "clauses" / "13.3(b)"
PARTING, ALIKE = CLAUSES / "unclear-case-3.toml", CLAUSES / "bad-case-1.toml"
HIGHEST, MADE = "nz-1999,OPN02=highest-card", "nz-1999,OPN02=made-card"

HEAD = """
name = "house"
title = "House rules"
instrument = "House"
extends = "nz-1999"

[[off]]
code = "CAP01"
why = "No cap."
citation = { page = 3 }

[[off]]
code = "DED01"
why = "Renamed."
citation = { page = 3 }

[[off]]
code = "OPN13"
why = "Renamed."
citation = { page = 3 }
"""
SECTION = """
[[clause]]
code = "HSE02"
number = "H.2"
title = "A dead hand"
games = ["seven-card-stud", "five-card-stud", "button-game-14", "button-game-15"]
check = "showdown.dead_hand"
severity = "minor"
summary = "A dead hand wins nothing."

[[clause]]
code = "HSE03"
number = "2.0 fixed bet"
title = "Of the schedule's number, not of its instrument"
games = ["five-card-stud"]
check = "showdown.called_shows_first"
severity = "minor"
summary = "Other words."

[[clause]]
code = "HSE04"
number = "H.4"
title = "A check of which the schedule makes two clauses"
games = ["five-card-stud"]
check = "opener.passes_left"
severity = "minor"
summary = "Left of the opener."
rounds = [2, 3, 4]
required = "not-loaded"
board = "not-counted"
last = "first"
tie = "made-card"
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def log(*scripts: Path) -> str:
    table = log_of([script(path).hand for path in scripts]).table
    assert write(iter([Batch(table, (), "")]), Path("log.jsonl")) == ()
    return "log.jsonl"


def run(*arguments: str, code: int) -> Result:
    done = CliRunner().invoke(app, ["compare", *arguments])
    assert done.exit_code == code, done.output
    return done


def rules(*names: str) -> list[str]:
    return [part for name in names for part in ("--rules", name)]


def obligations(*names: str) -> list[tuple[str | None, ...]]:
    """The codes held against each other, told from an empty log."""
    plans = compare.plans(names)
    results = engine.audit_each(plans, HandLog(SCHEMA.empty_table()), threads=1)
    found = compare.compare(names, results)
    assert found.same
    return [tuple(clause and clause.code for clause in each.clauses) for each in found.obligations]


def house() -> str:
    Path("house").mkdir()
    Path("house/ruleset.toml").write_text(HEAD)
    Path("house/1.toml").write_text(SECTION)
    return "house"


def test_readings_of_one_rule_set_part_where_the_text_does() -> None:
    done = run(log(PARTING, ALIKE), *rules(HIGHEST, MADE), "--format", "json", code=1)
    found: dict[str, Any] = json.loads(done.stdout)
    assert not found["same"]
    assert list(found["rule_sets"]) == [HIGHEST, MADE]
    assert [entry["readings"] for entry in found["rule_sets"].values()] == [
        {"OPN02": "highest-card"},
        {"OPN02": "made-card"},
    ]
    # The breach that both readings see is no difference.
    (place,) = found["findings"]
    one = script(PARTING)
    (unclear,) = [each for each in one.expected if each.verdict == "indeterminate"]
    assert (place["hand_id"], place["event"]) == (one.name, unclear.event)
    said = [place["findings"][label] for label in (HIGHEST, MADE)]
    assert [row and row["verdict"] for row in said].count(None) == 1
    (parted,) = [entry for entry in found["clauses"] if entry["differs"]]
    assert parted["clauses"][HIGHEST] == parted["clauses"][MADE]
    counts = parted["counts"]
    assert abs(counts[HIGHEST]["breach"] - counts[MADE]["breach"]) == 1
    assert sum(counts[HIGHEST].values()) == sum(counts[MADE].values())


def test_the_text_says_the_same() -> None:
    text = run(log(PARTING, ALIKE), *rules(HIGHEST, MADE), code=1).stdout
    assert "Clause by clause: 1 of 99 shared obligations counted differently" in text
    rows = [line.split() for line in text.splitlines() if line.startswith("13.3(b)")]
    assert [(row[-4], row[-1]) for row in rows] == [("compliant", "+1"), ("breach", "-1")]
    place, first, second = text.partition("Hand by hand: 1 difference in 1 hand\n")[2].splitlines()
    assert script(PARTING).name in place and "13.3(b)" in place
    assert first.startswith(f"  {HIGHEST}: OPN02 breach: expected seat")
    assert second == f"  {MADE}: no finding"


def test_nothing_changes() -> None:
    done = run(log(ALIKE), *rules("nz-1999", HIGHEST), "--format", "json", code=0)
    found = json.loads(done.stdout)
    assert found["same"] and found["findings"] == []
    assert any(entry["counts"]["nz-1999"]["breach"] for entry in found["clauses"])


def test_findings_of_verdicts_asked_for() -> None:
    arguments = [log(PARTING), *rules(HIGHEST, MADE), "--verdict", "compliant", "--format", "json"]
    (place,) = json.loads(run(*arguments, code=1).stdout)["findings"]
    assert [row and row["verdict"] for row in place["findings"].values()] == [None, "compliant"]


def test_the_same_hand_twice_is_compared_twice() -> None:
    table = log_of([script(PARTING).hand] * 2).table
    plans = compare.plans([HIGHEST, MADE])
    found = compare.compare([HIGHEST, MADE], engine.audit_each(plans, HandLog(table), threads=1))
    assert len(found.differences) == 2


def test_each_plan_gets_the_result_of_its_own_audit() -> None:
    given = log_of([script(path).hand for path in (PARTING, ALIKE)])
    plans = [Plan.make(readings=["OPN02=made-card"]), Plan.make()]
    each = engine.audit_each(plans, given, threads=2)
    for plan, result in zip(plans, each, strict=True):
        assert result.tables == engine.audit(plan, given, threads=1).tables


def test_clauses_meet_by_code_then_number_then_check() -> None:
    rows = obligations("nz-1999", house())
    assert ("OPN02", "OPN02") in rows
    assert ("CAP01", None) in rows
    assert ("DED01", "HSE02") in rows  # another code and number; the same check
    assert (None, "HSE03") in rows  # a number means something only within its instrument
    assert ("OPN13", "HSE04") in rows
    twice = obligations("nz-1999,five-card-opener=highest-showing", "house")
    assert {("OPN13", None), ("OPN15", None), (None, "HSE04")} <= set(twice)  # which of the two is not told
    theirs = 'citation = { instrument = "NZ Gazette 1999 No. 11" }\nsummary = "Other'
    Path("house/1.toml").write_text(SECTION.replace('summary = "Other', theirs))
    Path("house/ruleset.toml").write_text(HEAD.replace("CAP01", "FIX01"))
    assert ("FIX01", "HSE03") in obligations("nz-1999", "house")


def test_books_without_a_code_in_common_meet_by_check() -> None:
    rows = obligations("nz-1999", "roberts-v11", "wsop-live-2024")
    paired = {row[1]: row for row in rows if row[1]}
    assert paired["ROPN01"] == (None, "ROPN01", "LOPN01")
    assert paired["ROPN02"] == (None, "ROPN02", "LOPN02")
    for at in range(3):
        codes = [row[at] for row in rows if row[at]]
        assert len(codes) == len(set(codes)) > 10


def test_a_rule_set_that_does_not_know_the_game_leaves_its_hands_unaudited() -> None:
    five = next(path for path in sorted(CLAUSES.parent.glob("19.1[0-4]/bad-*.toml"))
        if script(path).hand["game"] == "five-card-stud")  # fmt: skip
    done = subprocess.run(
        **plain("compare", log(five), *rules("nz-1999", "wsop-live-2024")),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 5, done.stderr
    assert "1 hand read: 0 audited, 1 quarantined" in done.stdout
    assert "  wsop-live-2024: hand not audited" in done.stdout


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("source", [None, "night.csv"])
def test_a_hand_outside_every_edition_is_unaudited_and_not_without_findings(
    source: str | None, written: bool
) -> None:
    Path("late").mkdir()
    edition = '[[edition]]\nname = "late"\nin_force = 2030-01-01\n'
    Path("late/ruleset.toml").write_text(HEAD.partition("[[off]]")[0] + edition)
    hand = {**script(ALIKE).hand, "source": source}
    names = ("nz-1999", "late")
    night: Any = log_of([hand])
    if written:
        write(night, Path("log.parquet"))
        night = sources.units(["log.parquet"])
    results = engine.audit_each(compare.plans(names), night, threads=1)
    found = compare.compare(names, results)
    assert found.differences and not found.same
    assert {each.audited for each in found.differences} == {(True, False)}


def test_what_is_not_asked_is_blank_and_no_change() -> None:
    names = ["nz-1999", "nz-1999,made-card", house()]
    Path("house/ruleset.toml").write_text(HEAD.replace("CAP01", "CAL01"))
    done = subprocess.run(
        **plain("compare", log(PARTING), *rules(*names)), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    header, *rows = [line for line in done.stdout.splitlines() if line.startswith(("number ", "2.0 "))]
    assert header.split()[4:] == [names[0], names[1], "change", names[2], "change"]
    # The dead hand, under a new code, comes out alike; of calls the house says nothing.
    ((call, applied, second),) = [row.split("  compliant")[:1] + row.split()[-2:] for row in rows]
    assert call.startswith("2.0 call  CAL01") and applied == second != "0"
    assert "Asked by house alone (1 clause): HSE03" in done.stdout
    assert "Asked by nz-1999 alone" not in done.stdout  # what the second asks too


def test_standard_input_is_read_once_for_all() -> None:
    text = Path(log(PARTING)).read_text()
    done = CliRunner().invoke(app, ["compare", "-", *rules(HIGHEST, MADE)], input=text)
    assert done.exit_code == 1, done.output
    assert done.stdout.count("1 hand read: 1 audited") == 2


def test_nothing_to_compare_and_part_of_it() -> None:
    Path("empty").mkdir()
    assert "Passed over: empty is empty" in run("empty", *rules(HIGHEST, MADE), code=3).stdout
    path = Path(log(ALIKE))
    path.write_text(path.read_text() + "{nope\n")
    run("log.jsonl", *rules(HIGHEST, MADE), code=4)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["nz-1999"], "give two rule sets or more to compare"),
        (["nz-1999", "nz-1999"], "nz-1999 is given twice; add a reading"),
        (["nz-1999", "nz-1899"], "no rule set 'nz-1899'"),
        (["nz-1999", "nz-1999,OPN02=odd"], "no reading 'odd' of OPN02; there are: highest-card"),
        (["nz-1999", "nz-1999,first-round-opener=x"], "no option 'x' of first-round-opener"),
        (["nz-1999", "nz-1999,"], "no reading ''"),
    ],
)
def test_usage_errors_say_what_to_do(names: list[str], said: str) -> None:
    done = run(log(ALIKE), *rules(*names), code=2)
    assert said in done.stderr and done.stdout == ""


def test_an_assumption_is_told_from_a_reading() -> None:
    plans = compare.plans(["nz-1999,first-round-opener=low-card,made-card", "nz-1999"])
    assert [dict(plan.rules.assumptions) for plan in plans] == [{"first-round-opener": "low-card"}, {}]
    chosen = {clause.code: clause.chosen for each in plans[0].passes for clause in each.clauses}
    assert chosen["OPN02"] == "made-card"

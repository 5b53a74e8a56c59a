"""The sample logs are what they are made from, and the auditor answers what their README says it must."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import auditor
from auditor import rulesets
from auditor.cli import app
from auditor.handlog import KINDS, HandLog
from auditor.result import Result
from tests.make_samples import SAMPLES, acts, answers, make

README = (SAMPLES / "README.md").read_text(encoding="utf-8")
NEVER_BROKEN = {"DCK01", "DEA13"}
"""The first no log can show broken; the second is here only where its readings part."""
NIGHTS = ("clean-night", "dirty-night", "button-night")
MOST_BYTES = 1_500_000


@cache
def result(name: str) -> Result:
    return auditor.audit(SAMPLES / name)


def table(section: str, number: int = 0) -> list[list[str]]:
    """The rows of a table in a section of the README, in text, without its header."""
    (text,) = re.findall(rf"^#+ {section}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)[number].splitlines()
    return [[cell.strip() for cell in line.strip().removeprefix("|").split("|")][:-1] for line in lines[2:]]


FINDINGS = table("dirty-night")
SUMMARY = [[row[0].strip("`/"), *row[1:]] for row in table("Sample logs") if row[1]]


@pytest.mark.parametrize("name", NIGHTS)
def test_a_night_brings_exactly_the_findings_of_the_readme(name: str) -> None:
    assert answers(SAMPLES / f"{name}.jsonl") == [tuple(row[:7]) for row in table(name)]


def test_its_breaches_are_the_acts_that_were_planted_and_no_others() -> None:
    hands = {row[0] for row in FINDINGS}
    planted = {place: act for place, act in acts().items() if place[0] in hands}
    assert {(row[0], row[1], row[2]): row[7] for row in FINDINGS if row[4] == "breach"} == planted


def test_every_obligation_that_a_log_can_show_broken_is_broken() -> None:
    run = {clause.code for clause in rulesets.load("nz-1999").editions[-1].active}
    rows = FINDINGS + table("button-night")
    assert {row[2] for row in rows if row[4] == "breach"} == run - NEVER_BROKEN
    assert {row[2] for row in FINDINGS if row[4] == "indeterminate"} >= {"DEA13", "OPN02", "SHT01"}


def test_the_dirty_night_has_the_defects_of_the_readme() -> None:
    rows = result("dirty-night.jsonl").tables["defects"].to_pylist()
    found = [[row["hand_id"], str(row["event"]), row["defect"]] for row in rows]
    assert found == [row[:3] for row in table("dirty-night", 1)]


def test_malformed_lines_are_quarantined_for_the_reasons_of_the_readme() -> None:
    rows = result("malformed.jsonl").tables["quarantine"].to_pylist()
    assert [[str(row["line"]), row["reason"]] for row in rows] == table("malformed")
    lines = (SAMPLES / "malformed.jsonl").read_text(encoding="utf-8").splitlines()
    for row in rows:
        line = lines[row["line"] - 1]
        if row["reason"].startswith("the rule set"):  # it was read, and is shown as it was read
            source = {"source": row["source"], "source_line": row["line"]}
            assert json.loads(row["text"]) == json.loads(line) | source
        else:
            assert row["text"] == line


@pytest.mark.parametrize("row", SUMMARY, ids=[row[0] for row in SUMMARY])
def test_the_summary_of_the_readme(row: list[str]) -> None:
    name, hands, _, breaches, code = row
    found = result(name)
    assert found.read == int(hands.split()[0])
    assert found.breaches() == int(breaches)
    assert CliRunner().invoke(app, ["audit", str(SAMPLES / name)]).exit_code == int(code)


@pytest.mark.parametrize("name", ["clean-night.jsonl", "phh"])
def test_a_clean_log_has_nothing_to_tell_once_readings_are_chosen(name: str) -> None:
    found = auditor.audit(SAMPLES / name, readings=["any-round", "as-burn", "players"])
    assert found.read == found.audited
    assert [kind for kind, rows in found.tables.items() if rows.num_rows] == ["tallies"]


def test_every_clause_that_is_run_fires_on_hands_without_fault() -> None:
    night = auditor.load(SAMPLES / "button-night.jsonl").table
    kept = HandLog(night.filter([name == "T08" for name in night.column("table_id").to_pylist()]))
    found = [result("clean-night.jsonl"), auditor.audit(kept)]
    assert [each.breaches() for each in found] == [0, 0]
    fired = [{row["code"] for row in each.by_clause.to_pylist() if row["applied"]} for each in found]
    games = {clause.code: clause.games for clause in rulesets.load("nz-1999").editions[-1].active}
    stud = {code for code, played in games.items() if played[0].endswith("stud")}
    assert fired[0] == stud
    assert fired[1] == {code for code, played in games.items() if "button" in played[-1]} - {"SPR01", "CAP01"}


def test_clauses_are_counted_in_the_order_of_the_rule_set() -> None:
    run = [clause.code for clause in rulesets.load("nz-1999").editions[-1].active]
    assert result("dirty-night.jsonl").by_clause.column("code").to_pylist() == run


def test_the_clean_night_has_what_the_readme_says() -> None:
    log = auditor.load(SAMPLES / "clean-night.jsonl")
    assert set(log.hands.game) == {"seven-card-stud", "five-card-stud"}
    assert set(log.hands.structure) == {"fixed", "spread"}
    seen: Counter[str] = Counter()
    for events in log.table.column("events").to_pylist():
        seen.update({KINDS[event["kind"]] for event in events})
        seen.update({what for what in ("side pot", "shared pot", "dead position") if has(events, what)})
    rare = ("community", "reshuffle", "expose", "replace", "side pot", "shared pot", "dead position")
    assert {what for what in rare if seen[what] < 2} == set()


def has(events: list[dict[str, Any]], what: str) -> bool:
    awards = [(e["pot"], e["seat"]) for e in events if KINDS[e["kind"]] == "award"]
    if what == "side pot":
        return any(pot > 0 for pot, _ in awards)
    if what == "shared pot":
        return len({pot for pot, _ in awards}) < len(awards)
    folded = set()
    for event in events:
        if KINDS[event["kind"]] == "fold":
            folded.add(event["seat"])
        elif KINDS[event["kind"]] == "deal" and event["seat"] in folded:
            return True
    return False


def test_the_clauses_that_phh_does_not_evidence_are_those_of_the_readme() -> None:
    found = auditor.audit(SAMPLES / "phh", verdicts=["not_evidenced"]).findings
    assert set(found.code) == {"DEA01", "DEA04", "DEA11", "DEA14", "DCK01", "POS01"}
    assert list(found.hand_id[found.code == "POS01"]) == ["2023-43-5_03-17-31"]


@pytest.mark.parametrize(("option", "breaches"), [("high-card", 13), ("low-card", 0)])
def test_the_low_card_opens_in_phh_and_only_a_declaration_makes_it_a_breach(
    option: str, breaches: int
) -> None:
    found = auditor.audit(SAMPLES / "phh", assumptions=[f"first-round-opener={option}"])
    assert found.breaches() == breaches


@pytest.mark.parametrize("name", NIGHTS)
def test_json_lines_and_parquet_say_the_same(name: str) -> None:
    one, other = result(f"{name}.jsonl"), result(f"{name}.parquet")
    for kind in ("findings", "defects", "tallies"):
        assert bare(other, kind) == bare(one, kind)


def bare(found: Result, kind: str) -> list[dict[str, Any]]:
    """The rows of a table without the names of the file that was read and of the one that it was made of."""
    rows = found.tables[kind].to_pylist()
    return [{name: value for name, value in row.items() if name not in ("file", "source")} for row in rows]


def test_the_files_are_what_they_are_made_from(tmp_path: Path) -> None:
    make(tmp_path)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in SAMPLES.iterdir() if path.suffix in (".jsonl", ".parquet"))
    for name in made:
        if name.endswith(".jsonl"):
            assert (tmp_path / name).read_bytes() == (SAMPLES / name).read_bytes(), name
        else:  # the bytes name the version of the library that wrote them
            assert auditor.load(tmp_path / name).table.equals(auditor.load(SAMPLES / name).table), name


def test_the_samples_are_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()) < MOST_BYTES

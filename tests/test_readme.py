"""What the README shows is what the program does: transcripts, examples and tables."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from typer.main import get_command

import auditor
from auditor import rulesets
from auditor.cli import app
from auditor.handlog import KINDS, RECORDS, SCHEMA
from auditor.parts import TABLES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TRANSCRIPTS = re.findall(r"^\$ auditor (.*)\n((?s:.*?))\n```", README, re.MULTILINE)
CUT = re.compile(r"\[(\d+) lines?\]")
"""A line of a transcript that stands for so many lines of the output."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def table(first_column: str, page: str = README) -> list[list[str]]:
    """The rows of the table whose header begins with ``first_column``, header and rule left out."""
    (text,) = re.findall(rf"^\| {first_column} \|.*\n\|[-|]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]


def coded(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the examples run: the sample logs, and the rule set that the README writes."""
    (tmp_path / "sample_logs").symlink_to(ROOT / "sample_logs")
    for text in blocks("toml"):
        path = tmp_path / text.splitlines()[0].removeprefix("# ")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("command", "shown"), TRANSCRIPTS, ids=[command for command, _ in TRANSCRIPTS])
def test_a_transcript_is_what_the_program_prints(command: str, shown: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from auditor.cli import main; main()", *shlex.split(command)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "AUDITOR_COMPILE": "0"},  # a rule set less to compile
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    printed = done.stdout.rstrip("\n").split("\n")
    full: list[str] = []
    for line in shown.split("\n"):
        cut = CUT.fullmatch(line)
        full += printed[len(full) : len(full) + int(cut[1])] if cut else [line]
    assert full == printed


def test_there_are_transcripts() -> None:
    assert [command.split()[0] for command, _ in TRANSCRIPTS] == [
        "audit",
        "explain",
        "show",
        "audit",
        "compare",
        "simulate",
    ]


def test_the_notebook_example_runs(folder: Path) -> None:
    (code,) = blocks("python")
    exec(code, {})


def test_the_example_hand_is_read_and_clean(tmp_path: Path) -> None:
    (text,) = blocks("json")
    path = tmp_path / "hand.jsonl"
    path.write_text(json.dumps(json.loads(text)) + "\n", encoding="utf-8")
    result = auditor.audit(path, verdicts=["breach", "indeterminate", "not_evidenced"])
    assert (result.read, result.audited, len(result.defects)) == (1, 1, 0)
    assert list(result.findings.code) == ["DCK01"]  # down cards are not recorded
    fired = {row["code"] for row in result.by_clause.to_pylist() if row["compliant"]}
    assert fired >= {"ANT01", "DEA01", "DEA04", "OPN02", "ACT01", "END01", "CAL01", "FIX01", "ALL01"}


def test_the_tables_of_the_hand_log_are_whole() -> None:
    assert [coded(row[0])[0] for row in table("kind")] == list(KINDS)
    assert [coded(row[0])[0] for row in table("record")] == list(RECORDS)
    assert sorted(name for row in table("column of a hand") for name in coded(row[0])) == sorted(SCHEMA.names)


@pytest.mark.parametrize("name", TABLES)
def test_the_columns_of_a_run_are_all_named(name: str) -> None:
    page = (ROOT / "docs" / "operation.md").read_text(encoding="utf-8")
    rows = table(f"column of `{name}`", page)
    assert [column for row in rows for column in coded(row[0])] == TABLES[name].names


def test_the_tables_of_choices_are_whole() -> None:
    rules = rulesets.load("nz-1999")
    readings: dict[str, set[str]] = defaultdict(set)
    for row in table("readings"):
        for code in row[1].replace(" ", "").split(","):
            readings[code].update(coded(row[0]))
    clauses = {clause.code: clause.reading_names for clause in rules.editions[-1].clauses}
    assert readings == {code: names for code, names in clauses.items() if len(names) > 1}
    options = {coded(row[0])[0]: set(coded(row[1])) for row in table("assumption")}
    assert options == {topic.name: set(topic.options) for topic in rules.topics if topic.options}


def test_the_exit_codes_are_those_of_the_help() -> None:
    epilog = get_command(app).epilog or ""
    assert [row[0] for row in table("exit code")] == re.findall(
        r"\b(\d+) [a-z]", epilog.replace("1 and 4", "")
    )


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []

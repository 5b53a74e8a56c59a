"""One table of hands, judged under every rule book that has something to say of them.

Each hand of ``hands`` brings exactly the verdicts written beside its events; codes tell the books apart. A
hand of one book alone names it in ``rules``, and may choose among its ``readings``; ``assumptions`` are
``book topic=option``. A loop is compiled a minute for each book, so other books than the schedule of 1999 are
asked in plain Python, in one process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from auditor import rulesets
from auditor.checks.registry import VERDICTS
from auditor.engine import audit
from auditor.plan import Plan
from auditor.sources import write
from tests.hands import Expected, Script, log_of, script

ROOT = Path(__file__).parents[2]
SCRIPTS = {path.stem: script(path) for path in sorted((Path(__file__).parent / "hands").glob("*.toml"))}
BOOKS = ("nz-1999", "wsop-live-2024", "roberts-v11")
OTHERS = (*BOOKS[1:], "wsop-tournament-2024")
CODES = {
    book: {clause.code: clause for clause in rulesets.load(book).editions[-1].clauses}
    for book in (*BOOKS, "wsop-tournament-2024")
}
JUDGE = """
import json, sys, auditor
from auditor.checks.registry import VERDICTS
for job in json.load(sys.stdin):
    result = auditor.audit(job["log"], verdicts=VERDICTS[1:], **job["choices"])
    print(json.dumps([job["key"], result.audited, result.tables["findings"].to_pylist()], default=str))
"""

Job = tuple[str, tuple[str, ...], tuple[str, ...], bool]
"""A book, what is declared under it, its readings chosen, and whether the hands keep what they record."""


def books(one: Script) -> tuple[str, ...]:
    return (one.rules,) if one.rules else BOOKS


def job(one: Script, book: str) -> Job:
    declared = (assumption.split() for assumption in one.assumptions)
    return book, tuple(choice for name, choice in declared if name == book), tuple(one.readings), True


def jobs() -> dict[Job, list[dict[str, Any]]]:
    """The hands by the audit that they take part in; once more with nothing recorded."""
    found: dict[Job, list[dict[str, Any]]] = {}
    for one in SCRIPTS.values():
        for book in books(one):
            found.setdefault(job(one, book), []).append(one.hand)
            if book != "nz-1999":
                found.setdefault((*job(one, book)[:3], False), []).append({**one.hand, "records": []})
    return found


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[Job, list[dict[str, Any]]]:
    """Every verdict of every audit."""
    folder = tmp_path_factory.mktemp("books")
    verdicts: dict[Job, list[dict[str, Any]]] = {}
    asked = []
    for number, (key, hands) in enumerate(jobs().items()):
        book, assumptions, readings, _ = key
        if book == "nz-1999":
            plan = Plan.make(book, assumptions=assumptions, readings=readings, verdicts=VERDICTS[1:])
            verdicts[key] = audit(plan, log_of(hands), threads=1).tables["findings"].to_pylist()
            continue
        path = folder / f"{number}.parquet"
        write(log_of(hands), path)
        choices = {"rules": book, "assumptions": assumptions, "readings": readings}
        asked.append({"log": str(path), "choices": choices, "key": key})
    done = subprocess.run(
        [sys.executable, "-c", JUDGE],
        input=json.dumps(asked),
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "AUDITOR_COMPILE": "0",
            "AUDITOR_CACHE": str(folder / "loops"),  # not in the place of what the suite has compiled
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        (book, assumptions, readings, recorded), audited, rows = json.loads(line)
        key = (book, tuple(assumptions), tuple(readings), recorded)
        assert audited == len(jobs()[key])
        verdicts[key] = rows
    return verdicts


CASES = [
    pytest.param(name, book, id=f"{name}/{book}") for name, one in SCRIPTS.items() for book in books(one)
]


def wanted(one: Script, book: str) -> list[Expected]:
    return [each for each in one.expected if each.code in CODES[book]]


@pytest.mark.parametrize(("name", "book"), CASES)
def test_verdicts(name: str, book: str, judged: dict[Job, list[dict[str, Any]]]) -> None:
    one = SCRIPTS[name]
    rows = [row for row in judged[job(one, book)] if row["hand_id"] == one.name]
    expected = wanted(one, book)
    written = sorted((each.event, each.code, each.verdict) for each in expected)
    seen = sorted(
        (row["event"], row["code"], row["verdict"])
        for row in rows
        if row["code"] in one.codes
        or row["verdict"] == "breach"
        or (row["event"], row["code"], row["verdict"]) in written
    )
    assert seen == written, one.about
    for each in expected:
        if each.expected is not None:
            row = next(row for row in rows if (row["event"], row["code"]) == (each.event, each.code))
            assert (row["expected"], row["observed"]) == (each.expected, each.observed)


def test_codes_are_of_one_book() -> None:
    for one in SCRIPTS.values():
        for code in {*one.codes, *(each.code for each in one.expected)}:
            assert [book for book in books(one) if code in CODES[book]], (one.name, code)
    assert not set(CODES["roberts-v11"]) & (set(CODES["nz-1999"]) | set(CODES["wsop-tournament-2024"]))
    assert not set(CODES["nz-1999"]) & set(CODES["wsop-tournament-2024"])


def parts(one: Script) -> bool:
    """Whether one book calls a breach what another finds in order, at one event of the hand."""
    for event in {each.event for each in one.expected}:
        at = [{each.verdict for each in wanted(one, book) if each.event == event} for book in books(one)]
        if any("breach" in verdicts for verdicts in at) and {"compliant"} in at:
            return True
    return False


def test_the_books_part() -> None:
    parting = {name for name, one in SCRIPTS.items() if parts(one)}
    assert parting >= {"tie-first-dealt-opens", "tie-highest-suit-opens"}  # case 2, both ways
    assert len(parting) >= 20


@pytest.mark.parametrize("book", OTHERS)
def test_every_audited_clause_has_all_kinds_of_hands(
    book: str, judged: dict[Job, list[dict[str, Any]]]
) -> None:
    inherited = {} if book != "wsop-tournament-2024" else CODES["wsop-live-2024"]
    shown: dict[str, set[str]] = {}
    for one in SCRIPTS.values():
        if book in books(one):
            for each in wanted(one, book):
                shown.setdefault(each.code, set()).add(each.verdict)
    blind = {
        row["code"]: row["verdict"]
        for key, rows in judged.items()
        if key[0] == book and not key[3]
        for row in rows
        if CODES[book][row["code"]].check.needs
    }
    assert set(blind.values()) == {"not_evidenced"}
    for code, clause in CODES[book].items():
        if clause.audited == "no" or code in inherited:
            continue
        assert {"compliant", "breach"} <= shown[code], code
        if max(len(each) for each in (clause.readings, *clause.options.values())) > 1:
            assert "indeterminate" in shown[code], f"{code}: no hand on which readings part"
        if clause.check.needs and code not in ONLY_WITH_RECORDS:
            assert code in blind, f"{code}: no hand that lacks evidence"


ONLY_WITH_RECORDS = {"LOPN05", "LOPN07", "ROPN07"}
"""Without stacks nobody is known to be all-in, so that these obligations do not arise."""


def test_the_tournament_schedule_changes_no_clause_that_is_loaded() -> None:
    plain, overlay = (rulesets.load(name) for name in ("nz-1999", "nz-1999-tournament"))
    hashes = [rulesets.content_hash(rules.editions[-1]) for rules in (plain, overlay)]
    assert hashes[0] == hashes[1]
    gaps = {row["number"] for row in overlay.editions[-1].coverage() if row["state"] == "not loaded"}
    assert gaps >= {"8", "11.1(a)", "12.1(a)", "13.1(a)", "14.1(a)", "15.1(a)", "16.1(a)", "17.1(a)"}

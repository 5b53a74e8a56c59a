"""The rule books that docs/rule-books.md writes: a book without Python, and an amendment from a day on."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from auditor import rulesets
from auditor.sources import write
from tests.hands import log_of, script

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rule-books.md").read_text(encoding="utf-8")
HANDS = Path(__file__).parent / "hands"
AUDITS = """
import sys
from auditor.cli import main
for rules in ("harbour", "amended"):
    verdicts = ["--verdict", "compliant", "--verdict", "breach", "--verdict", "indeterminate"]
    sys.argv = ["auditor", "audit", "night.jsonl", "--rules", rules, "--out", f"{rules}-out", *verdicts]
    try:
        main()
    except SystemExit as ended:
        print(rules, "ended in", ended.code)
"""


def case_2(name: str, day: str) -> dict[str, Any]:
    """The hand that ``name`` tells, on one of the days; on fourth street seats 2 and 3 are level."""
    return {**script(HANDS / f"{name}.toml").hand, "hand_id": f"{name} {day}", "gaming_day": day}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The books of the page, and a night of four hands on both sides of midnight audited under each."""
    folder = tmp_path_factory.mktemp("own")
    for text in re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        path = folder / text.splitlines()[0].removeprefix("# ")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    names = ("tie-first-dealt-opens", "tie-highest-suit-opens")
    days = ("1998-12-31", "2026-11-01", "2026-11-02")
    write(log_of([case_2(name, day) for day in days for name in names]), folder / "night.jsonl")
    done = subprocess.run(
        [sys.executable, "-c", AUDITS],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "AUDITOR_COMPILE": "0",
            "AUDITOR_CACHE": str(folder / "loops"),
        },
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    for book in ("harbour", "amended"):  # breaches, and a day without law
        assert f"{book} ended in 5\n" in done.stdout, done.stderr
    return folder


def found(folder: Path, book: str, code: str) -> dict[str, str]:
    rows = [json.loads(line) for line in (folder / f"{book}-out" / "findings.jsonl").read_text().splitlines()]
    return {row["hand_id"]: row["verdict"] for row in rows if row["code"] == code}


def test_a_book_of_ones_own_needs_no_python(folder: Path) -> None:
    assert set(found(folder, "harbour", "HAR01").values()) == {"breach"}
    assert found(folder, "harbour", "HAR02") == {
        "tie-first-dealt-opens 2026-11-01": "indeterminate",
        "tie-first-dealt-opens 2026-11-02": "indeterminate",
        "tie-highest-suit-opens 2026-11-01": "indeterminate",
        "tie-highest-suit-opens 2026-11-02": "indeterminate",
    }
    assert rulesets.load(folder / "harbour").editions[0].coverage()[-1]["title"] == "Conduct at the table"


def test_an_amendment_rules_from_its_day_on(folder: Path) -> None:
    assert found(folder, "amended", "OPN02") == {
        "tie-first-dealt-opens 2026-11-01": "breach",
        "tie-highest-suit-opens 2026-11-01": "compliant",
        "tie-first-dealt-opens 2026-11-02": "compliant",
        "tie-highest-suit-opens 2026-11-02": "breach",
    }


def test_the_run_lists_the_editions_it_used(folder: Path) -> None:
    run = json.loads((folder / "amended-out" / "run.json").read_text(encoding="utf-8"))
    editions = [(each["name"], each["in_force"], each["until"], each["hands"]) for each in run["editions"]]
    assert editions == [
        ("as made on 1999", "1999-01-29", "2026-11-02", 2),
        ("as amended on 1999", "2026-11-02", None, 2),
    ]
    hashes = [each["hash"] for each in run["editions"]]
    assert hashes[0] == rulesets.content_hash(rulesets.load("nz-1999").editions[-1]) != hashes[1]


def test_a_day_without_law_is_quarantined(folder: Path) -> None:
    run = json.loads((folder / "amended-out" / "run.json").read_text(encoding="utf-8"))
    assert run["hands"] == {"read": 6, "audited": 4, "quarantined": 2}


def test_the_page_names_every_clause_and_every_book() -> None:
    named = set(re.findall(r"\b[A-Z]{3,}\d{2}\b", PAGE))
    for book in rulesets.available():
        edition = rulesets.load(book).editions[-1]
        row = re.search(rf"^\| `{book}` \|.*\| (\d+) \|$", PAGE, re.MULTILINE)
        assert row and int(row[1]) == len(edition.active)
        named -= {clause.code for clause in edition.clauses}
    assert named == {"HAR01", "HAR02"}


def test_the_table_cites_the_numbers_of_its_clauses() -> None:
    numbers = {
        clause.code: clause.number
        for book in rulesets.available()
        for clause in rulesets.load(book).editions[-1].clauses
    }
    table = PAGE[PAGE.index("| question |") : PAGE.index("With two players left")]
    cells = [cell for line in table.splitlines()[2:] for cell in line.split("|")[2:5]]
    cited = 0
    for cell in cells:
        for codes, given in re.findall(r"((?:[A-Z]{3,}\d{2}(?:, )?)+)(?: \(|, )(.*?)\)(?= |;|$|\))", cell):
            for code in re.findall(r"[A-Z]{3,}\d{2}", codes):
                assert numbers[code] in f"{given})", (cell, code)
                cited += 1
    assert cited >= 40

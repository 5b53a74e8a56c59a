"""The page of the proof: made of scores, whole, and quoted rightly in the README."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from auditor import rulesets
from auditor.simulate import PLANTS
from tests.proof import prove

ROOT = Path(__file__).parents[1]
WRITTEN = (ROOT / "docs" / "proof" / "score.md").read_text(encoding="utf-8")
SUMMARY = re.findall(r"^- .*$", WRITTEN.partition("## ")[0], re.MULTILINE)


def rows(heading: str, page: str = WRITTEN) -> list[list[str]]:
    """The rows of the first table below a heading."""
    text = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)[0].splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]


def row(**values: Any) -> dict[str, Any]:
    names = (*prove.OUTCOMES, "consequences", "false_alarms", "false_alarms_clean", "indeterminate_clean")
    return (
        {"number": "1", "title": "Title", "kind": "no-burn", "applied": 0} | dict.fromkeys(names, 0) | values
    )


def scores(kind: str, codes: dict[str, int]) -> prove.Scores:
    hands = {"written": 50_000, "clean": 50_000, "planted": 0, "noisy": 0}
    hands |= {"clean_with_defect": 0, "clean_quarantined": 0}
    noise = dict.fromkeys(prove.NOISE, 3) | {"kind": kind, "codes": codes}
    planted = row(code="DEA01", planted=1200, caught=1199, elsewhere=1)
    obligations = [
        row(code="DCK01", applied=50_000),
        row(code="DEA01", applied=30_000, indeterminate_clean=7),
    ]
    return {
        "clean": {"hands": hands, "obligations": obligations, "passed": True},
        "planted": {"hands": hands, "obligations": [planted], "kinds": [planted], "passed": False},
        "noisy": {"hands": hands, "noise": [noise], "obligations": [], "passed": True},
    }


def test_the_page_says_what_the_scores_say() -> None:
    kind, codes, why = prove.EXCEPTIONS[0]
    code = codes.split()[0]
    page = prove.page(scores(kind, {code: 1234}))
    assert "| clean | 50,000 | 50,000 | 0 | 0 |" in page
    assert "- Breaches planted: 1,200; caught at their event: 1,199." in page
    assert rows("Obligations", page) == [
        ["1", "DCK01", "Title", "100,000", "0", "0", "0", "0", "0", "0", "0"],
        ["1", "DEA01", "Title", "60,000", "0", "7", "1,200", "1,199", "1", "0", "0"],
    ]
    assert "Not planted: DCK01." in page
    assert rows("Ways to break them", page) == [
        ["DEA01", "no-burn", "1,200", "1,199", "1", "0", "0", "0", "0"]
    ]
    assert f"| {kind} | {code} 1,234 | {why} |" in page
    assert "Without such a reason" not in page


@pytest.mark.parametrize(
    ("kind", "code", "left"),
    [
        ("card-unknown", "DEA01", ["card-unknown: DEA01"]),
        ("event-lost", "DCK01", ["event-lost: DCK01"]),
        ("event-lost", "DEA01", []),
        ("several", "DEA01", []),
        ("several", "DCK01", ["several: DCK01"]),
    ],
)
def test_what_no_exception_names_is_said(kind: str, code: str, left: list[str]) -> None:
    given = scores(kind, {code: 1})
    assert prove.unexplained(given["noisy"]["noise"]) == left
    assert ("Without such a reason" in prove.page(given)) == bool(left)


def test_every_exception_is_of_an_obligation_and_has_its_reason() -> None:
    known = {clause.code for clause in rulesets.load("nz-1999").editions[-1].clauses}
    pairs = [(kind, code) for kind, codes, _ in prove.EXCEPTIONS for code in codes.split()]
    assert {code for _, code in pairs} <= known
    assert len(pairs) == len(set(pairs))
    assert all(why.endswith(".") for _, _, why in prove.EXCEPTIONS)


def test_the_page_has_every_obligation_that_is_asked_and_every_way_to_break_one() -> None:
    assert tuple(cells[1] for cells in rows("Obligations")) == prove.asked()
    assert {"OPN01", "SHT11"} <= set(prove.asked()) and "OPN51" not in prove.asked()
    assert {tuple(cells[:2]) for cells in rows("Ways to break them")} >= {
        (plant.code.name, plant.slip.kind) for plant in PLANTS
    }


def test_the_readme_quotes_the_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(SUMMARY) == 3
    assert [line for line in SUMMARY if line not in readme] == []

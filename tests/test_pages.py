"""The pages of the clauses: fresh, whole, with links that lead somewhere and hands that show what is said."""

from __future__ import annotations

import re

import pytest

from auditor import rulesets
from auditor.reports import pages
from tests import make_pages
from tests.hands import parse_events

REMEDY = "run `make pages` (or `python -m tests.make_pages`) and commit docs/clauses"
SHOWN = re.compile(r"^## A hand (.*)\n(?s:.*?)^```text\n((?s:.*?))^```", re.MULTILINE)
WORDS = {
    "that keeps it": "compliant",
    "that breaks it": "breach",
    "on which the readings part": "indeterminate",
}
UNBROKEN = {"DCK01"}
"""What no hand breaks: a card that comes twice is never laid on the dealer."""


def test_the_pages_are_fresh() -> None:
    made = make_pages.made()
    kept = {path: path.read_text(encoding="utf-8") for path in make_pages.FOLDER.glob("**/*.md")}
    stale = sorted(
        str(path.relative_to(make_pages.ROOT))
        for path in made.keys() | kept.keys()
        if made.get(path) != kept.get(path)
    )
    assert stale == [], f"{REMEDY}; stale: {', '.join(stale)}"


@pytest.mark.parametrize("book", make_pages.BOOKS)
def test_every_clause_has_a_page_that_says_it_all(book: str) -> None:
    rules = rulesets.load(book)
    made = pages.pages(rules, make_pages.hands(rules))
    index = made.pop(pages.INDEX)
    clauses = {clause.code: clause for edition in rules.editions for clause in edition.clauses}
    assert made.keys() == {f"{code}.md" for code in clauses}
    for code, clause in clauses.items():
        text = made[f"{code}.md"]
        assert f"[{code}]({code}.md)" in index
        said = (clause.number, clause.title, clause.summary, clause.citation.instrument, clause.why)
        for part in (*said, *clause.reading_names, clause.check.title if clause.check else ""):
            assert part in text
        assert re.search(rf", pages? {clause.citation.page};", text) or clause.citation.page is None
    for row in rules.editions[-1].coverage():
        assert f"| {row['number']} | {row['title']} |" in index


def test_the_hands_show_what_they_are_shown_for() -> None:
    rules = rulesets.load("nz-1999")
    for name, text in pages.pages(rules, make_pages.hands(rules)).items():
        if name == pages.INDEX:
            continue
        code = name.removesuffix(".md")
        shown = {WORDS[what]: events for what, events in SHOWN.findall(text)}
        assert shown.keys() >= {"compliant", "breach"} - ({"breach"} if code in UNBROKEN else set()), name
        for verdict, events in shown.items():
            assert verdict in {each.verdict for each in parse_events(events)[1] if each.code == code}, name


def test_links_lead_somewhere() -> None:
    count = 0
    for path in make_pages.FOLDER.glob("**/*.md"):
        for plain, bracketed in re.findall(r"\]\((?:<([^>]*)>|([^<)]*))\)", path.read_text(encoding="utf-8")):
            assert (path.parent / (plain or bracketed)).exists(), f"{path.name}: {plain or bracketed}"
            count += 1
    assert count > 100


@pytest.mark.parametrize("book", rulesets.available())
def test_any_rule_set_that_ships_can_have_pages(book: str) -> None:
    rules = rulesets.load(book)
    hands = make_pages.hands(rules)
    made = pages.pages(rules, hands)
    assert len(made) == 1 + len({clause.code for each in rules.editions for clause in each.clauses})
    assert "None" not in "".join(made.values())
    # A hand is shown only under a book that the tests judge it under.
    assert bool(hands) == (book in ("nz-1999", "roberts-v11", "wsop-live-2024", "wsop-tournament-2024"))


def test_a_bar_does_not_end_a_cell() -> None:
    assert pages.table(("a", "b"), [("x|y", 1)]) == ["| a | b |", "| --- | --- |", "| x\\|y | 1 |"]

"""Makes the pages of ``docs/clauses``: ``make pages``, or ``python -m tests.make_pages`` from the top folder.

The text comes from the rule sets, the hands from the scripts that the tests of the clauses hold the auditor
to. ``BOOKS`` are the rule sets that have pages; nz-1999-tournament asks what nz-1999 asks.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from auditor import rulesets
from auditor.reports import coverage, pages
from tests.books.test_books import books
from tests.hands import DEFAULTS, Script, script

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "clauses"
BOOKS = ("nz-1999", "wsop-live-2024", "wsop-tournament-2024", "roberts-v11")
CLAUSES, OF_BOOKS = ROOT / "tests" / "clauses", ROOT / "tests" / "books" / "hands"
VERDICTS = {"compliant": "good", "breach": "bad", "indeterminate": "unclear"}
"""The verdicts that pages show, and how the hands made for them are named."""
HEAD = """# Clauses

A page a clause, made by `make pages` from the rule sets and from the hands of the tests; `auditor explain
CLAUSE` says what it asks for any rule set. A hand is written one event a line,
`kind [seat] [card] [face] [amount] [pot N]`; behind `->` stands what the auditor must answer at the event,
`CODE verdict: expected, observed`.
"""


@cache
def scripts() -> dict[Path, Script]:
    """All hands of the tests, in order."""
    return {path: script(path) for path in sorted([*CLAUSES.glob("*/*.toml"), *OF_BOOKS.glob("*.toml")])}


def judged(path: Path, one: Script, book: str) -> bool:
    """Whether the tests judge the hand under the book."""
    return book in books(one) if path.parent == OF_BOOKS else book == "nz-1999"


def shows(one: Script, code: str, verdict: str) -> bool:
    """Whether the clause comes out so, and in no graver way, on the hand."""
    found = {each.verdict for each in one.expected if each.code == code}
    graver = {"compliant": {"breach", "indeterminate"}, "indeterminate": {"breach"}}.get(verdict, set())
    return code in one.codes and verdict in found and not found & graver


def plainest(book: str, code: str, verdict: str) -> tuple[Path, Script] | None:
    """The hand that shows it with the fewest choices, columns unlike the usual, other codes and events."""
    fit = [
        (path, one)
        for path, one in scripts().items()
        if shows(one, code, verdict) and judged(path, one, book)
    ]

    def rank(pair: tuple[Path, Script]) -> tuple[int, ...]:
        path, one = pair
        choices = len(one.readings) + len(one.assumptions) + len(one.defects)
        made_for_it = path.stem.startswith(VERDICTS[verdict]) and one.codes[0] == code
        unusual = sum(one.hand.get(name) != value for name, value in DEFAULTS.items())
        return choices, not made_for_it, unusual, len(one.codes), len(one.hand["events"])

    return min(fit, key=rank, default=None)


def words(value: object) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)


def rests_on(path: Path, one: Script, book: str) -> Iterable[str]:
    """What is peculiar to a hand: its stacks, its own columns, the choices of the run that judges it."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    yield "Stacks: " + ", ".join(f"seat {seat} {stack}" for seat, stack in data["stacks"].items())
    for name, value in data.get("hand", {}).items():
        yield f"`{name}`: {words(value)}"
    yield from (f"`--reading {choice}`" for choice in one.readings)
    for assumption in one.assumptions:
        *named, choice = assumption.split()  # a hand of all books says of which book it is an assumption
        if named in ([], [book]):
            yield f"`--assume {choice}`"


def hands(rules: rulesets.RuleSet) -> dict[str, list[pages.Hand]]:
    """By code, the plainest hand for each verdict that there is one for."""
    found: dict[str, list[pages.Hand]] = {}
    for code in dict.fromkeys(clause.code for edition in rules.editions for clause in edition.clauses):
        for verdict in VERDICTS:
            if pair := plainest(rules.name, code, verdict):
                path, one = pair
                here = path.relative_to(ROOT).as_posix()
                events = tomllib.loads(path.read_text(encoding="utf-8"))["events"]
                target = Path(os.path.relpath(path, FOLDER / rules.name)).as_posix()
                found.setdefault(code, []).append(
                    pages.Hand(
                        verdict,
                        one.about,
                        [*rests_on(path, one, rules.name)],
                        events,
                        f"[{here}](<{target}>)",
                    )
                )
    return found


def made() -> dict[Path, str]:
    """The text of every page below ``FOLDER``."""
    texts = {}
    rows = []
    for name in BOOKS:
        rules = rulesets.load(name)
        for page, text in pages.pages(rules, hands(rules)).items():
            texts[FOLDER / name / page] = text
        for edition in coverage.counts(rules)["editions"]:
            header = ["rule set", "edition", *edition["all"]]
            rows.append([f"[{name}]({name}/README.md)", edition["name"], *edition["all"].values()])
    usual = [(f"`{name}`", words(value)) for name, value in DEFAULTS.items()]
    lines = [HEAD, *pages.table(("unless it says otherwise", ""), usual), "", *pages.table(header, rows), ""]
    texts[FOLDER / pages.INDEX] = "\n".join(lines)
    return texts


def main() -> None:
    """Write the pages; those that are made no longer go."""
    texts = made()
    for path in FOLDER.glob("**/*.md"):
        if path not in texts:
            path.unlink()
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

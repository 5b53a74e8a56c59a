"""The proof: simulated logs whose truth is known, audited and scored by the command line, as a page.

    python -m tests.proof.prove

A clean log, one with a breach in every hand, and one with faults of logging in every hand. Ends in 1 when a
breach is missed, a clean hand is accused, or a fault of logging is taken for a breach in a way that
``EXCEPTIONS`` does not name.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from auditor import rulesets
from auditor.simulate.state import GAMES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "proof" / "score.md"
HOUSE = ("--assume", "first-round-opener=low-card", "--assume", "five-card-opener=highest-showing")
"""What the simulated house plays by, declared."""
EVERYTHING = ("--verdict", "breach", "--verdict", "indeterminate", "--verdict", "not_evidenced")
OPTIONS = {"clean": HOUSE, "planted": (), "noisy": EVERYTHING}
SEEDS = {"clean": 1, "planted": 2, "noisy": 3}
SHARES: dict[str, tuple[str, ...]] = {"clean": (), "planted": ("--plant", "1"), "noisy": ("--noise", "1")}
RATE = 100_000

OUTCOMES = ("planted", "caught", "elsewhere", "indeterminate", "missed")
WAYS = ("code", "kind", *OUTCOMES, "consequences", "false_alarms")
NOISE = ("kind", "hands", "defect", "quarantined", "not_evidenced", "indeterminate", "breach", "silent")

Row = dict[str, Any]
Scores = dict[str, dict[str, Any]]
"""What ``auditor score --format json`` says of each log: ``clean``, ``planted``, ``noisy``."""

EXCEPTIONS: tuple[tuple[str, str, str], ...] = (
    (
        "event-doubled",
        "DEA01 DEA02 DEA03 DEA11 DEA12 POS01 POS02",
        "A burn or down card whose name is not known, written twice, is another card off the deck.",
    ),
    ("event-doubled", "SHT11 SHT12", "A reshuffle written twice is a second one, while cards are left."),
    ("event-lost", "DEA11 EXP03 EXP04", "The log claims every burn: one that is not there was not made."),
    (
        "event-lost",
        "DEA01 DEA02 DEA03 DEA04 DEA12 DEA14 INI01 INI02 INI03 SHT01 SHT11 SHT12",
        "The log claims every card dealt: a player without one was passed over, and the deck holds one more.",
    ),
    (
        "event-lost",
        "OPN02 OPN03 OPN13 OPN14 OPN20 FIN02",
        "Without the opener's check the next player opens; without an up card another hand is the highest.",
    ),
    (
        "event-lost",
        "ACT01 ACT03 ACT11 ACT13 POS01 POS02 SHO02 SHO03 SPK01",
        "A check or fold that is not there did not happen: its player was passed over, or still has a hand.",
    ),
    (
        "event-lost",
        "ANT01 FIX01 SPR01 CAL01 ALL01",
        "Where the award is lost too, nothing tells that chips are missing.",
    ),
    (
        "event-swapped",
        "ACT01 ACT03 ACT11 ACT13 OPN02 OPN03 OPN13 OPN14 OPN20 FIN02 POS01 POS02",
        "Only their order in the log tells who acted first.",
    ),
    (
        "event-swapped",
        "CAL01 FIX01 SPR01 ACT02 ACT12",
        "A call or raise written before the wager that it answers has another size.",
    ),
    (
        "event-swapped",
        "DEA01 DEA02 DEA03 DEA04 DEA05 DEA11 DEA12 DEA14 DEA15 "
        "EXP03 EXP04 INI02 INI03 SHT01 SHT11 SHT12 END01",
        "Only their order in the log tells which card left the deck first, and whether before the action.",
    ),
    ("event-swapped", "ANT01", "An ante written after the first card was posted too late."),
)
"""Kind of fault, codes and reason: faults that leave a log without a contradiction, which then reads like one
of a hand in which these obligations were broken. Whoever reads only the log cannot know better."""


def run(*arguments: str) -> str:
    """The standard output of an ``auditor`` command; what it says of breaches is no failure."""
    done = subprocess.run(
        [sys.executable, "-m", "auditor", *arguments], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode not in (0, 1, 4, 5):
        raise SystemExit(f"prove: auditor {' '.join(arguments)} ended in {done.returncode}")
    return done.stdout


def scored(folder: Path, name: str, hands: int) -> dict[str, Any]:
    """Simulate, audit and score one of the logs."""
    log, truth, out = (str(folder / f"{name}{suffix}") for suffix in (".parquet", ".truth.parquet", ""))
    run("simulate", log, "--hands", str(hands), "--seed", str(SEEDS[name]), *SHARES[name])
    run(
        "audit",
        log,
        "--out",
        out,
        *(HOUSE if name == "clean" else ()),
        *(EVERYTHING if name == "noisy" else ()),
    )
    found: dict[str, Any] = json.loads(run("score", out, truth, "--format", "json"))
    return found


def unexplained(noise: Iterable[Row]) -> list[str]:
    """Kinds of faults with the codes found broken under them for which there is no exception."""
    known: dict[str, set[str]] = {}
    for kind, codes, _ in EXCEPTIONS:
        known.setdefault(kind, set()).update(codes.split())
    anywhere = set().union(*known.values())
    return [
        f"{row['kind']}: {code}"
        for row in noise
        for code in row["codes"]
        if code not in (anywhere if row["kind"] == "several" else known.get(row["kind"], ()))
    ]


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table; numbers stand on the right, None is empty."""
    rows = [list(row) for row in rows]
    columns = range(len(header))
    numeric = [bool(rows) and all(isinstance(row[at], int | None) for row in rows) for at in columns]
    rule = "|".join("---:" if right else "---" for right in numeric)
    lines = [f"| {' | '.join(header)} |", f"|{rule}|"]
    return "\n".join([*lines, *(f"| {' | '.join(map(cell, row))} |" for row in rows)])


def cell(value: Any) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


PAGE_TEXT = """# Proof

This page is written by `make prove`. It simulates three logs, audits each and holds the findings against
the truth, all by the commands. The simulator knows the rules on its own account: it shares nothing with
replay, checks or rule sets. The same seeds give the same figures.

{logs}

{summary}

## Obligations

*Applied*, *false alarms* and *readings part* are of the clean log: how often the obligation applied in
{rate:,} hands, and in all of them the breaches found and the answers on which its readings part.
*Elsewhere* is a planted breach found, but at another event, *indeterminate* one that not every reading
sees. In the clean log the house declares what it plays by: the low card opens the first round, the
highest hand showing the later rounds of Five Card Stud.

{obligations}

Not planted: {unplanted}.

## Ways to break them

One act may break several obligations; each of them is a row. *Consequences* are further breaches that
follow from a caught one in the same hand.

{ways}

## Faults of logging

Hands played by the rules and written down badly, in one to three places. What became of them, by the
kind of fault: a hand may count under several answers, one with several kinds of faults is in the last
row only, and a *silent* one has none of them. A hand with a *defect* contradicts itself, and no breach
is held against it.

{noise}

Breaches remain where the fault leaves a log that agrees with itself and reads like one of another hand.
By the obligation found broken first, in hands with that kind of fault alone:

{exceptions}
"""


def page(scores: Scores) -> str:
    """The page of the proof."""
    noise = sorted(scores["noisy"]["noise"], key=lambda row: (row["kind"] == "several", row["kind"]))
    left = unexplained(noise)
    text = PAGE_TEXT.format(
        rate=RATE,
        logs=_logs(scores),
        summary=summary(scores),
        obligations=_obligations(scores),
        unplanted=", ".join(code for code, row in _planted(scores).items() if not row["planted"]) or "none",
        ways=_pick(scores["planted"]["kinds"], WAYS),
        noise=_pick(noise, NOISE),
        exceptions=_exceptions(noise),
    )
    return text + (f"\nWithout such a reason: {', '.join(left)}.\n" if left else "")


def _logs(scores: Scores) -> str:
    heads = ("log", "hands", "clean", "with a planted breach", "with faults of logging")
    counts = ("written", "clean", "planted", "noisy")
    return table(heads, [(name, *(each["hands"][key] for key in counts)) for name, each in scores.items()])


def summary(scores: Scores) -> str:
    """What was caught and what was made up, in three lines."""
    clean, planted = scores["clean"], scores["planted"]

    def total(found: dict[str, Any], name: str) -> str:
        return f"{sum(row[name] for row in found['obligations']):,}"

    return "\n".join(
        (
            f"- Breaches planted: {total(planted, 'planted')}; "
            f"caught at their event: {total(planted, 'caught')}.",
            f"- False alarms in {clean['hands']['clean']:,} clean hands: "
            f"{total(clean, 'false_alarms_clean')}; "
            f"beside planted breaches: {total(planted, 'false_alarms')}.",
            f"- Clean hands with a defect: {clean['hands']['clean_with_defect']:,}; "
            f"quarantined: {clean['hands']['clean_quarantined']:,}.",
        )
    )


@cache
def asked() -> tuple[str, ...]:
    """The obligations of the games that are simulated, declared as the house plays, in order."""
    declared = [word for word in HOUSE if word != "--assume"]
    rules = rulesets.configure(rulesets.load("nz-1999"), assumptions=declared)
    return tuple(c.code for c in rules.editions[-1].active if not set(GAMES).isdisjoint(c.games))


def _planted(scores: Scores) -> dict[str, Row]:
    """The rows of the planted log by the codes of the clean one, in whose order they are."""
    rows = {row["code"]: row for row in scores["planted"]["obligations"]}
    nothing = dict.fromkeys(OUTCOMES, 0)
    codes = (row["code"] for row in scores["clean"]["obligations"])
    return {code: rows.get(code, nothing) for code in codes if code in asked()}


def _obligations(scores: Scores) -> str:
    share = RATE / scores["clean"]["hands"]["clean"]
    planted = _planted(scores)
    rows = [
        [row["number"], row["code"], row["title"], round(row["applied"] * share)]
        + [row["false_alarms_clean"], row["indeterminate_clean"]]
        + [planted[row["code"]][name] for name in OUTCOMES]
        for row in scores["clean"]["obligations"]
        if row["code"] in asked()
    ]
    heads = ["number", "code", "obligation", "applied", "false alarms", "readings part"]
    return table([*heads, *OUTCOMES], rows)


def _pick(rows: Iterable[Row], names: Sequence[str]) -> str:
    return table([name.replace("_", " ") for name in names], [[row[name] for name in names] for row in rows])


def _exceptions(noise: Sequence[Row]) -> str:
    found = {row["kind"]: row["codes"] for row in noise}
    rows = []
    for kind, codes, why in EXCEPTIONS:
        seen = [f"{code} {found[kind][code]:,}" for code in codes.split() if code in found.get(kind, ())]
        if seen:
            rows.append((kind, ", ".join(seen), why))
    return table(("fault", "read as a breach of, in hands", "why the log does not tell"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the logs, write the page, and say in the exit code whether it proves anything."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof.prove", description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=1_000_000, help="hands of the clean log")
    parser.add_argument("--planted", type=int, default=200_000, help="hands of the log with breaches")
    parser.add_argument("--noisy", type=int, default=50_000, help="hands of the log with faults of logging")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to write")
    given = parser.parse_args(arguments)
    sizes = {"clean": given.hands, "planted": given.planted, "noisy": given.noisy}
    with tempfile.TemporaryDirectory() as folder:
        scores = {name: scored(Path(folder), name, hands) for name, hands in sizes.items()}
    given.page.parent.mkdir(parents=True, exist_ok=True)
    given.page.write_text(page(scores), encoding="utf-8")
    left = unexplained(scores["noisy"]["noise"])
    print(summary(scores))
    if left:
        print(f"Faults of logging read as breaches without a reason: {', '.join(left)}")
    return 0 if all(found["passed"] for found in scores.values()) and not left else 1


if __name__ == "__main__":
    sys.exit(main())

"""Makes the sample logs that can be made: ``make samples``, or this file run from the top folder.

The nights come from the simulator and, where a hand is about one doubt only, from the clause scripts; the
hands of button games from the generator and the clause scripts of the tests. What
the auditor has to answer stands in ``sample_logs/README.md`` and is kept by hand: after a change of the logs
this prints the answers, to be read before they are put there.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import auditor
from auditor import rulesets
from auditor.handlog import HandLog
from auditor.simulate import PLANTED_CODES, PLANTS, Night, simulate
from auditor.sources import write
from auditor.sources.jsontext import lines
from tests.button_hands import button_hand
from tests.hands import parse_events, script

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_logs"
CLAUSES = ROOT / "tests" / "clauses"
Hand: TypeAlias = dict[str, Any]
CLEAN_DAY, DIRTY_DAY = date(2026, 11, 1), date(2026, 11, 2)
WAYS = 2
"""Ways of breaking one obligation that the dirty night shows, where there are so many."""
LEFT_OUT = {"SHO01:called-mucks", "SHT01:second-community", "SPL01:below-chip", "DEA13:community-down"}
DRAWN = [way for way in (f"{p.code.name}:{p.slip.kind}" for p in PLANTS) if way not in LEFT_OUT]
"""Ways to break an obligation among which the dirty night was drawn; one more would make it another night."""

DOUBTS = {
    "13.3(b)/unclear-case-3": """
        check 2
        burn 2c
        deal 1 3h up
        deal 2 4d up
        check 2
        check 1
        burn 2d
        deal 1 7c down
        deal 2 Jh down
        check 2
        check 1
        show 2 6h up
        show 2 Tc up
        show 2 9h up
        show 2 9c up
        show 2 Ks up
        show 2 4d up
        show 2 Jh up
        show 1 8c up
        show 1 8s up
        show 1 9s up
        show 1 9d up
        show 1 Kh up
        show 1 3h up
        show 1 7c up
        award 1 6 pot 0
        """,
    "13.4(a)/unclear-later-card-face-up": """
        check 2
        check 5
        check 9
        show 2 9c up
        show 2 3d up
        show 2 As up
        show 2 Ad up
        show 2 Ac up
        show 2 Ah up
        show 2 7c up
        muck 5
        muck 9
        award 2 9 pot 0
        """,
    "13.4(a)/unclear-cards-come-out-exactly": """
        check 2
        check 3
        check 4
        check 5
        check 6
        check 7
        check 8
        show 2 9d up
        show 2 5s up
        show 2 As up
        show 2 Ad up
        show 2 Ac up
        show 2 Ah up
        show 2 2c up
        muck 3
        muck 4
        muck 5
        muck 6
        muck 7
        muck 8
        award 2 22 pot 0
        """,
}
"""Clause scripts on which the readings of one clause part, and how these hands end."""


def texts(log: HandLog) -> list[Hand]:
    """The hands in their text form, without a source of their own: findings shall name the sample."""
    hands = [json.loads(line) for line in lines(log.table.combine_chunks()).to_pylist()]
    return [
        {name: value for name, value in hand.items() if name not in ("source", "source_line")}
        for hand in hands
    ]


def clean_night() -> list[Hand]:
    """120 hands at two tables, all rules kept."""
    return texts(simulate(120, seed=22, tables=2, gaming_day=CLEAN_DAY).log)


@cache
def planted() -> Night:
    """The night that the broken hands are taken from."""
    return simulate(1500, seed=7, plant=1.0, only=DRAWN, tables=4, gaming_day=DIRTY_DAY)


def broken() -> list[Hand]:
    """For each obligation the shortest hand of each of its first ``WAYS`` ways, in the order of the night."""
    night = planted()
    truth, events = night.truth, night.log.events.groupby("hand_id").size()
    chosen = set()
    for code in PLANTED_CODES:
        kinds = dict.fromkeys(way.partition(":")[2] for way in DRAWN if way.startswith(code))
        for kind in list(kinds)[:WAYS]:
            hands = truth.hand_id[(truth.code == code) & (truth.kind == kind)].unique()
            chosen.add(min(hands, key=lambda hand: (events[hand], hand)))
    return [hand for hand in texts(night.log) if hand["hand_id"] in chosen]


def doubtful() -> list[Hand]:
    """Whole hands on which the readings of one clause part."""
    hands = []
    for name, end in DOUBTS.items():
        hand = script(CLAUSES / f"{name}.toml").hand
        hands.append({**hand, "events": hand["events"] + parse_events(end)[0]})
    return renamed(hands, "T05")


def renamed(hands: Iterable[Hand], table: str) -> list[Hand]:
    """The hands as those of another table on the dirty day, numbered from 1."""
    own = {"table_id": table, "gaming_day": DIRTY_DAY.isoformat()}
    return [
        {name: value for name, value in hand.items() if name != "started_at"}
        | {"hand_id": f"{table}-{number:07}", **own}
        for number, hand in enumerate(hands, 1)
    ]


def compact(hand: Hand) -> str:
    """A hand as a line of JSON."""
    return json.dumps(hand, separators=(",", ":"))


def at(hand: Hand, kind: str) -> list[int]:
    """Where the events of a kind stand."""
    return [index for index, event in enumerate(hand["events"]) if event["kind"] == kind]


def plain() -> list[Hand]:
    """Clean hands of Seven Card Stud with a fold and two burns, the shortest first."""
    hands = [hand for hand in clean_night() if hand["game"] == "seven-card-stud"]
    hands = [hand for hand in hands if at(hand, "fold") and len(at(hand, "burn")) > 1]
    return sorted(hands, key=lambda hand: len(hand["events"]))


def contradictory() -> list[Hand]:
    """A hand in which a card comes twice, and one in which the chips do not add up."""
    hands = plain()
    twice = hands[0]
    first, second = at(twice, "burn")[:2]
    twice["events"][second]["card"] = twice["events"][first]["card"]
    short = next(hand for hand in hands[1:] if at(hand, "rake"))
    short["events"][at(short, "rake")[0]]["amount"] -= short["chip_unit"]
    return renamed((twice, short), "T06")


def dirty_night() -> list[Hand]:
    """One or two hands for every obligation that a log can show broken; doubts; contradictions."""
    return [*broken(), *doubtful(), *contradictory()]


def button_night() -> list[Hand]:
    """60 hands of the button games without fault, and for each of their obligations the shortest script that
    breaks it."""
    chance = random.Random(5)
    clean = renamed((button_hand(chance) for _ in range(60)), "T08")
    scripts = [script(path) for path in sorted(CLAUSES.glob("*/bad-*.toml"))]
    fit = [one for one in scripts if "button-game" in one.hand["game"] and not one.readings + one.assumptions]
    chosen: dict[str, Hand] = {}
    for clause in rulesets.load("nz-1999").editions[-1].active:
        shows = [
            one for one in fit if any((e.code, e.verdict) == (clause.code, "breach") for e in one.expected)
        ]
        if shows:
            shortest = min(
                shows, key=lambda one: (one.codes[0] != clause.code, len(one.hand["events"]), one.name)
            )
            chosen[shortest.name] = shortest.hand
    return clean + renamed(chosen.values(), "T09")


def malformed() -> list[str]:
    """Lines with good hands among lines of which no hand can be made, each for a reason of its own."""
    hands = renamed(plain()[:11], "T07")
    hands[2]["events"][at(hands[2], "fold")[0]]["kind"] = "leave"
    hands[3]["events"][at(hands[3], "fold")[0]]["seat"] = 11
    hands[5]["events"][at(hands[5], "burn")[0]]["card"] = "1h"
    hands[6]["events"][at(hands[6], "ante")[0]]["amount"] *= -1
    hands[7]["events"] = []
    hands[8]["game"] = "texas-holdem"
    text = [compact(hand) for hand in hands]
    text[1] = text[1].replace('"seven-card-stud"', "seven-card-stud")
    text[10] = text[10][: len(text[10]) // 2]
    return text


def make(folder: Path) -> None:
    """Write the logs into ``folder``; a Parquet file holds what was read from its JSON Lines twin."""
    nights = {"clean-night": clean_night(), "dirty-night": dirty_night(), "button-night": button_night()}
    for name, hands in nights.items():
        path = folder / f"{name}.jsonl"
        path.write_text("".join(f"{compact(hand)}\n" for hand in hands), encoding="utf-8")
        write(auditor.load(path), path.with_suffix(".parquet"))
    (folder / "malformed.jsonl").write_text("\n".join(malformed()), encoding="utf-8")


def answers(log: Path) -> list[tuple[str, ...]]:
    """What the auditor finds in a log: hand, event, code, number, verdict, expected, observed."""
    names = ["hand_id", "event", "code", "number", "verdict", "expected", "observed"]
    rows = auditor.audit(log).tables["findings"].select(names).to_pylist()
    return [tuple(str(row[name]) for name in names) for row in rows]


def acts() -> dict[tuple[str, str, str], str]:
    """What was done wrong in the dirty night, by hand, event and code, as the simulator calls it."""
    truth = planted().truth
    places = zip(truth.hand_id, truth.event.astype(str), truth.code, strict=True)
    return dict(zip(places, truth.kind, strict=True))


if __name__ == "__main__":
    make(SAMPLES)
    for answer in answers(SAMPLES / "clean-night.jsonl"):
        print("|", " | ".join(answer), "|")
    for answer in answers(SAMPLES / "button-night.jsonl"):
        print("|", " | ".join(answer), "|")
    for answer in answers(SAMPLES / "dirty-night.jsonl"):
        print("|", " | ".join((*answer, acts().get(answer[:3], ""))), "|")

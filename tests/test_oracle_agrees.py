"""The auditor and its second implementation (``tests/oracle``) say the same of every hand: the same verdicts
on the same events, the same expected and observed where something is amiss, the same defects.

The hands are those of the clause scripts and the sample logs, of simulated nights, clean and planted, and of
such nights after corruption: events dropped, doubled, swapped and forged; seats, amounts, cards, faces and
kinds changed or blanked; records, stacks and stakes withheld.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import auditor
from auditor.batch import audit_batch
from auditor.cards import CARDS
from auditor.findings import words
from auditor.handlog import KINDS, HandLog
from auditor.plan import Plan
from auditor.simulate import simulate
from auditor.sources import Batch
from auditor.sources.jsontext import lines
from tests import oracle
from tests.hands import log_of, script

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "tests" / "clauses").glob("*/*.toml"))
SAMPLES = [
    *sorted(path for path in (ROOT / "sample_logs").rglob("*") if path.suffix in (".phh", ".jsonl")),
    *sorted((ROOT / "tests" / "site_hands").glob("*.txt")),
]
VERDICTS = ("compliant", "breach", "indeterminate", "not_evidenced")
AMISS = ("breach", "indeterminate")
FORBIDS = ("SHT02", "SHO02")
"""Obligations under which nothing is expected."""

Hand = dict[str, Any]
Said = dict[tuple[int, str], tuple[str, ...]]
"""Verdict, and where something is amiss expected and observed in words, by event and code."""


@cache
def plan(readings: tuple[str, ...] = (), assumptions: tuple[str, ...] = ()) -> Plan:
    return Plan.make(readings=readings, assumptions=assumptions, verdicts=VERDICTS)


@cache
def units() -> dict[str, str]:
    clauses = plan().passes[0].clauses
    return {clause.code: clause.check.unit for clause in clauses if clause.check}


def entry(code: str, verdict: str, expected: str, observed: str) -> tuple[str, ...]:
    if verdict not in AMISS:
        return (verdict,)
    return (verdict, observed) if code in FORBIDS else (verdict, expected, observed)


def auditor_says(hands: Sequence[Hand], *choices: tuple[str, ...]) -> list[tuple[Said, set[str]]]:
    """Verdicts and defects of each hand, all of them audited as one batch."""
    table = log_of([{**hand, "hand_id": str(row)} for row, hand in enumerate(hands)]).table
    result = audit_batch(plan(*choices), Batch(table, (), ""))
    assert result.audited == len(hands)
    said: list[tuple[Said, set[str]]] = [({}, set()) for _ in hands]
    names = ("hand_id", "event", "code", "verdict", "expected", "observed")
    columns = (result.findings.column(name).to_pylist() for name in names)
    for hand_id, event, code, *verdict in zip(*columns, strict=True):
        said[int(hand_id)][0][event, code] = entry(code, *verdict)
    for row in result.defects.to_pylist():
        said[int(row["hand_id"])][1].add(row["defect"])
    return said


def oracle_says(
    hand: Hand, readings: tuple[str, ...] = (), assumptions: tuple[str, ...] = ()
) -> tuple[Said, set[str]]:
    chosen, declared = (dict(choice.split("=") for choice in each) for each in (readings, assumptions))
    verdicts = oracle.audit_hand(hand, readings=chosen, assumptions=declared)
    said = {
        (v.event, v.code): entry(
            v.code, v.verdict, words(units()[v.code], v.expected), words(units()[v.code], v.observed)
        )
        if v.verdict in AMISS
        else (v.verdict,)
        for v in verdicts
    }
    return said, {text.split(":")[0] for text in oracle.defects(hand)}


def told(hand: Hand) -> str:
    """The hand as somebody reads it who has to find out which of the two is right."""
    fields = ("seat", "card", "face", "amount", "pot")
    events = [" ".join([e["kind"], *(str(e[f]) for f in fields if f in e)]) for e in hand["events"]]
    head = {name: value for name, value in hand.items() if name != "events"}
    return "\n".join([str(head), *(f"{at:4} {event}" for at, event in enumerate(events))])


def assert_agreement(hands: Sequence[Hand], *choices: tuple[str, ...]) -> None:
    """Report the shortest hand on which the two part, and on how many they do."""
    apart = []
    for hand, (said, defects) in zip(hands, auditor_says(hands, *choices), strict=True):
        other, others = oracle_says(hand, *choices)
        if (said, defects) != (other, others):
            places = sorted(key for key in said.keys() | other.keys() if said.get(key) != other.get(key))
            lines_ = [f"{key}: auditor {said.get(key)}, oracle {other.get(key)}" for key in places]
            lines_.append(f"defects: auditor {sorted(defects)}, oracle {sorted(others)}")
            apart.append((len(hand["events"]), "\n".join([*lines_, told(hand)])))
    if apart:
        pytest.fail(
            f"{len(apart)} of {len(hands)} hands apart, the shortest:\n{min(apart)[1]}", pytrace=False
        )


def hands_of(log: HandLog) -> list[Hand]:
    """The hands in their text form, without the times, of which no clause speaks."""
    hands = [json.loads(text) for text in lines(log.table.combine_chunks()).to_pylist()]
    return [{name: value for name, value in hand.items() if name != "started_at"} for hand in hands]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_on_the_clause_scripts(path: Path) -> None:
    one = script(path)
    assert_agreement([one.hand], tuple(one.readings), tuple(one.assumptions))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_on_the_sample_logs(path: Path) -> None:
    assert_agreement([hand for hand in hands_of(auditor.load(path)) if hand["game"] in plan().rules.games])


@cache
def night(seed: int, plant: float) -> list[Hand]:
    return hands_of(simulate(500, seed=seed, plant=plant).log)


@pytest.mark.parametrize("plant", [0.0, 0.9])
@pytest.mark.parametrize("seed", range(4))
def test_on_simulated_nights(seed: int, plant: float) -> None:
    assert_agreement(night(seed, plant))


FACES = {"up": "down", "down": "up"}
ALIKE = ("check fold", "bet raise call forced_bet", "burn community reshuffle expose", "show muck")
"""Kinds that somebody at the keyboard takes for each other."""
STAKES = "small_bet big_bet min_bet max_bet ante raise_cap chip_unit dealer_position".split()


def forged(seats: Sequence[int], rng: random.Random) -> Hand:
    """An event out of the blue."""
    return {
        "kind": rng.choice(KINDS),
        "seat": rng.choice(seats),
        "card": rng.choice(CARDS),
        "amount": rng.randint(0, 9),
    }


def spoil_events(hand: Hand, rng: random.Random) -> None:
    """One event dropped, doubled, moved, swapped with another, or forged."""
    events = hand["events"]
    at, other = rng.randrange(len(events)), rng.randrange(len(events))
    match rng.choice(("drop", "double", "move", "swap", "neighbours", "forge")):
        case "drop" if len(events) > 1:
            del events[at]
        case "double":
            events.insert(other, dict(events[at]))
        case "move":
            events.insert(other, events.pop(at))
        case "swap":
            events[at], events[other] = events[other], events[at]
        case "neighbours" if at:
            events[at - 1], events[at] = events[at], events[at - 1]
        case "forge":
            events.insert(at, forged([seat["seat"] for seat in hand["seats"]], rng))


def spoil_field(hand: Hand, rng: random.Random) -> None:
    """One field of one event changed or blanked."""
    event = rng.choice(hand["events"])
    match rng.choice(("seat", "card", "no card", "face", "no face", "amount", "pot", "kind")):
        case "seat" if event.get("seat"):
            event["seat"] = rng.choice(hand["seats"])["seat"]
        case "card" if "card" in event:
            event["card"] = rng.choice(CARDS)
        case "no card":
            event.pop("card", None)
        case "face" if "face" in event:
            event["face"] = FACES[event["face"]]
        case "no face":
            event.pop("face", None)
        case "amount" if "amount" in event:
            event["amount"] = max(0, event["amount"] + rng.choice((-100, -4, -1, 1, 2, 100, 400)))
        case "pot" if "pot" in event:
            event["pot"] = rng.randint(-1, 2)
        case "kind":
            alike = [kinds for kinds in ALIKE if event["kind"] in kinds.split()]
            event["kind"] = rng.choice(alike[0].split()) if alike else event["kind"]


def corrupted(hand: Hand, rng: random.Random) -> Hand:
    """A copy of the hand with one to four slips, some of them in what the log claims and knows at all."""
    hand = {
        **hand,
        "seats": [dict(seat) for seat in hand["seats"]],
        "events": [dict(event) for event in hand["events"]],
    }
    for _ in range(rng.randint(1, 4)):
        rng.choice((spoil_events, spoil_events, spoil_field))(hand, rng)
    if rng.random() < 0.3:
        hand["records"] = [name for name in hand["records"] if rng.random() < 0.8]
    if rng.random() < 0.15:
        hand["seats"] = [{**s, "stack": s["stack"] if rng.random() < 0.5 else -1} for s in hand["seats"]]
    if rng.random() < 0.1:
        hand.pop(rng.choice(STAKES), None)
    return hand


DECLARED = ("first-round-opener=high-card", "five-card-opener=highest-showing")


@pytest.mark.parametrize("seed", range(10))
def test_on_corrupted_nights(seed: int) -> None:
    rng = random.Random(seed)
    hands = night(seed % 4, 0.9 if seed % 3 else 0.0)
    declared = DECLARED if seed % 5 == 0 else ()
    assert_agreement([corrupted(hand, rng) for hand in hands * 2], (), declared)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.integers(0, 499), st.sampled_from([0.0, 0.9]), st.randoms(use_true_random=False))
def test_on_a_corrupted_hand(number: int, plant: float, rng: random.Random) -> None:
    """As above, a hand at a time: where the two part Hypothesis finds a simple hand."""
    assert_agreement([corrupted(night(0, plant)[number], rng)])

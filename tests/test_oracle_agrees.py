"""The auditor and its second implementation (``tests/oracle``) say the same of every hand: the same verdicts
on the same events, the same expected and observed, the same defects.

The hands are those of the clause scripts and the sample logs, of simulated nights, clean and planted, of
such nights after corruption, and hands made up altogether: over 20,000 of them in all. ``make agree`` does
the same with a million.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import auditor
from auditor.cards import CARDS
from auditor.simulate import simulate
from tests import oracle
from tests.agreement import DECLARED, Hand, apart, auditor_says, hands_of, plan, shortest
from tests.button_hands import button_hand
from tests.corners import CORNERS
from tests.exposed_hands import exposed_hand
from tests.hands import DEFAULTS, parse_events, script
from tests.strategies import any_hand, corrupted, corrupted_hands, few_cards, hands

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "tests" / "clauses").glob("*/*.toml"))
SAMPLES = [
    *sorted(path for path in (ROOT / "sample_logs").rglob("*") if path.suffix in (".phh", ".jsonl")),
    *sorted((ROOT / "tests" / "site_hands").glob("*.txt")),
]


def assert_agreement(made: Sequence[Hand], *choices: tuple[str, ...]) -> None:
    """Report the shortest hand on which the two part, and on how many they do."""
    found = apart(made, *choices)
    if found:
        said = f"{len(found)} of {len(made)} hands apart, the shortest:\n{shortest(found, *choices)}"
        pytest.fail(said, pytrace=False)


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


@pytest.mark.parametrize("seed", range(8))
def test_on_corrupted_nights(seed: int) -> None:
    rng = random.Random(seed)
    made = [corrupted(hand, rng) for hand in night(seed % 4, 0.9 if seed % 3 else 0.0) * 2]
    assert_agreement(made, (), DECLARED if seed % 5 == 0 else ())


@pytest.mark.parametrize("seed", range(10))
def test_on_hands_made_up(seed: int) -> None:
    rng = random.Random(seed)
    assert_agreement([any_hand(rng) for _ in range(1000)], (), DECLARED if seed % 2 else ())


@pytest.mark.parametrize("seed", range(2))
def test_on_hands_of_few_cards(seed: int) -> None:
    rng = random.Random(seed)
    assert_agreement([few_cards(rng) for _ in range(1000)], (), DECLARED if seed else ())


@pytest.mark.parametrize("choices", [(), ("EXP01=any-card", "EXP02=zero+stub-card")])
def test_on_hands_with_exposed_cards(choices: tuple[str, ...]) -> None:
    rng = random.Random(len(choices))
    assert_agreement([exposed_hand(rng) for _ in range(1000)], choices, () if choices else DECLARED)


@settings(max_examples=100, derandomize=True)
@given(st.data())
def test_on_a_corrupted_hand(data: st.DataObject) -> None:
    """A hand at a time: where the two part Hypothesis finds a simple hand."""
    assert_agreement([data.draw(corrupted_hands(night(0, 0.9)))])


@settings(max_examples=100, derandomize=True)
@given(hands())
def test_on_a_hand_made_up(hand: Hand) -> None:
    assert_agreement([hand], (), DECLARED)


def test_on_button_hands_played_by_the_rules() -> None:
    """They agree, and neither finds fault with a hand in which there is none."""
    rng = random.Random(1)
    made = [button_hand(rng) for _ in range(500)]
    assert_agreement(made, (), DECLARED)
    said = [verdict for found, _ in auditor_says(made, (), DECLARED) for verdict in found.items()]
    assert {verdict for _, (verdict, *_) in said} <= {"compliant", "indeterminate"}
    assert {code for (_, code), (verdict, *_) in said if verdict == "indeterminate"} <= {"SPL42"}
    asked = {code for (_, code), _ in said}
    assert {
        clause.code for clause in plan().rules.editions[0].clauses if "button-game-14" in clause.games
    } <= (asked | {"SPR01", "CAP01", "SPL42"})


def button_hands_made_up() -> list[Hand]:
    """Hands dealt as in stud, and events in any order, in a game that has a board."""
    rng = random.Random(0)
    games = ("button-game-14", "button-game-15")
    return [{**any_hand(rng), "game": rng.choice(games)} for _ in range(1000)]


def test_on_button_hands_made_up() -> None:
    assert_agreement(button_hands_made_up(), (), DECLARED)


def button_hands_with_slips(slip: int, spoilt: bool) -> list[Hand]:
    rng = random.Random(slip)
    made = [button_hand(rng, slip=slip) for _ in range(1000)]
    return [corrupted(hand, rng) for hand in made] if spoilt else made


@pytest.mark.parametrize(("slip", "spoilt"), [(2, False), (10, False), (5, True)])
def test_on_button_hands_with_slips(slip: int, spoilt: bool) -> None:
    assert_agreement(button_hands_with_slips(slip, spoilt), (), DECLARED if slip > 2 else ())


def corner(about: str) -> Hand:
    seats = [{"seat": seat, "player": f"P{seat}", "stack": 100} for seat in (1, 2, 3)]
    events = parse_events("\n".join(CORNERS[about][0]))[0]
    return {**DEFAULTS, "hand_id": "1", "seats": seats, "events": events}


@pytest.mark.parametrize("about", CORNERS)
def test_on_corners_that_made_up_hands_have_found(about: str) -> None:
    (at, code), due = CORNERS[about][1:]
    hand = corner(about)
    [(said, _)] = auditor_says([hand], (), DECLARED)
    assert said.get((at, code)) == due
    assert_agreement([hand])
    assert_agreement([hand], (), DECLARED)


def test_an_unknown_card_that_can_be_none_of_the_deck_tells_nothing() -> None:
    deck = iter(CARDS)
    lines = ["ante 1 1", "ante 2 1"]
    shown = []
    for number, face in enumerate("down down up up up up down".split()):
        if number > 2:
            lines.append(f"burn {next(deck)}")
        shown.append(next(deck))
        lines += [f"deal 1 {shown[-1]} {face}", f"deal 2 {next(deck) if number < 6 else '??'} {face}"]
        if number > 1:
            lines += ["check 1", "check 2"]
    lines += [*(f"burn {card}" for card in deck), *(f"show 1 {card}" for card in shown), "award 1 2"]
    seats = [{"seat": seat, "player": f"P{seat}", "stack": 100} for seat in (1, 2)]
    hand = {**DEFAULTS, "hand_id": "1", "seats": seats, "events": parse_events("\n".join(lines))[0]}
    [(said, _)] = auditor_says([hand])
    assert said[len(lines) - 1, "SHO02"] == ("not_evidenced",)
    assert said[len(lines) - 1, "SHO03"] == ("not_evidenced", "nobody", "seat 1")
    assert_agreement([hand])


def test_a_difference_would_be_found_and_shown_on_its_shortest_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the second implementation to say nothing of burns, this is what a test would report."""
    everything = oracle.everything

    def deaf(hand: Hand, **choices: dict[str, str]) -> tuple[list[oracle.Verdict], list[str]]:
        verdicts, defects = everything(hand, **choices)
        return [verdict for verdict in verdicts if verdict.code != "DEA01"], defects

    monkeypatch.setattr(oracle, "everything", deaf)
    found = apart(night(0, 0.0)[:20])
    assert found
    report = shortest(found)
    assert "'DEA01'): auditor ('compliant', '1', '1'), oracle None" in report
    assert len(report.splitlines()) < min(len(hand["events"]) for hand, _ in found)

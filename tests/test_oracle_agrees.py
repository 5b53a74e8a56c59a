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
from tests.hands import DEFAULTS, parse_events, script
from tests.strategies import any_hand, corrupted, corrupted_hands, hands

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


BURNT_DOWN = ["burn"] * 38
"""Leaves a stub of fourteen cards to play with."""
CORNERS = {
    "a card of unknown face that was exposed while it was dealt came face up": (
        ["expose", "deal 1 Jd", "deal 1 ?? down", "deal 1 Kc up"],
        (3, "INI01"),
        ("breach", "face down", "face up"),
    ),
    "a folded player's card stays one of the muck when the log has it burnt": (
        [
            *BURNT_DOWN,
            *("deal 1 Ad", "deal 2 Kd", "deal 3 Qd", "deal 1 Jd", "deal 2 Td", "deal 3 9d"),
            *("deal 1 8d", "deal 2 7d", "deal 3 6d"),
            *("fold 1", "check 2", "check 3", "deal 1", "deal 2", "deal 3", "check 2", "check 3"),
            *("deal 2", "deal 3", "check 2", "check 3", "deal 2", "deal 3", "check 2", "check 3"),
            *("burn Ad", "deal 2 Ad down"),
        ],
        (64, "SHT02"),
        ("breach", "Ad"),
    ),
    "a player who joins late keeps the card that came before the community card": (
        [
            "blind 2 8",
            *["check 2", "community"] * 3,
            "check 2",
            "burn",
            "deal 1 9c up",
            "community",
            "blind 1",
            "check 1",
        ],
        (12, "DEA12"),
        None,
    ),
    "who joins after the community card lacks a card, and yet nothing is to be shuffled": (
        ["ante 1", "ante 2", *["check 1", "community"] * 4, "forced_bet 3 8", "reshuffle"],
        (11, "SHT01"),
        ("breach", "go on dealing", "shuffle stub and burns"),
    ),
    "an unnamed card that is exposed twice is one card": (
        ["deal 1 ?? down", "expose", "expose 1", "deal 1 4s up", "fold 2"],
        (4, "INI02"),
        ("breach", "4s", ""),
    ),
    "the name that an unnamed card up gets later is that of the same card": (
        ["deal 1 ?? up", "expose 1 6c", "deal 1 Jd down", "deal 1 7c up", "fold 2"],
        (4, "INI02"),
        ("indeterminate", "7c", ""),
    ),
    "an unnamed card that was taken back by name lies aside until it is burnt": (
        ["deal 1 down", "replace 1 Jc", "deal 1 Qc", "burn Jc", "award 2 3"],
        (4, "DCK01"),
        ("not_evidenced", "0", "0"),
    ),
    "and is there twice when it is dealt": (
        ["deal 1 down", "replace 1 Jc", "deal 1 Jc", "burn Jc", "award 2 3"],
        (4, "DCK01"),
        ("not_evidenced", "0", "1"),
    ),
    "a card shown before it was dealt is none of the first three": (
        ["show 1 Jd", "deal 1 Td up", "deal 1 5s down", "expose Jd", "deal 1 Qc up", "raise 2 10"],
        (5, "INI02"),
        ("indeterminate", "Qc", ""),
    ),
    "a bet that went back lowers the cap of the next exposure": (
        ["ante 1 1", "ante 2 1", "bet 1 4", "expose Ts", "return 1 2", "expose 8s", "raise 2 12"],
        (6, "EXP02"),
        ("breach", "2", "12"),
    ),
    "of two cards taken back the one that is burnt at once may be the right one": (
        [
            "deal 3 4s up",
            "replace 3",
            "deal 3 Ts down",
            "deal 1 4h down",
            "deal 3 Jd up",
            "replace 1 4h",
            "burn 4h",
        ],
        (6, "INI02"),
        ("not_evidenced",),
    ),
    "a seat that gave back its only card, without its name, has none to give back by name": (
        ["deal 1 Ad", "replace 1", "replace 1 Ad", "burn Ad", "deal 2 Ad", "deal 2 Kd up", "bet 2 4"],
        (6, "ACT01"),
        None,
    ),
    "a card exposed after the one before it was taken back came face up": (
        ["deal 1 2s up", "deal 1 6h down", "replace 1 2s", "expose 1", "deal 1 Jc down"],
        (4, "INI03"),
        ("compliant", "face down", "face down"),
    ),
    "once a seat's last card was taken back its last card is the one before": (
        ["deal 1 4s down", "deal 1 9d up", "replace 1 9d", "expose 1", "deal 1 6h up"],
        (4, "INI03"),
        ("breach", "face down", "face up"),
    ),
    "an exposed card that was dealt twice is up wherever it lies": (
        [
            *("deal 1 Jd down", "deal 2 2c down", "deal 3 3c down", "deal 1 4c down", "deal 2 5c down"),
            *(
                "deal 3 6c down",
                "deal 1 7c up",
                "deal 2 8c up",
                "deal 3 9c up",
                "bet 3 4",
                "fold 1",
                "call 2 4",
            ),
            *("burn Ks", "deal 2 Jd down", "deal 3 Td up", "expose Jd", "check 3"),
        ],
        (16, "OPN02"),
        ("not_evidenced", "nobody", "seat 3"),
    ),
    "a card that may have been taken back is not known to be exposed": (
        [
            "deal 1 Qh down",
            "replace 1 Js",
            "expose 1 Qh",
            "deal 1 Kc",
            "deal 1 ?? up",
            "burn 3c",
            "deal 1 2c up",
        ],
        (5, "INI02"),
        None,
    ),
    "an earlier card of the seat that is shown again is not its seventh": (
        [
            *(
                "deal 1 3c up",
                "deal 2 As up",
                "bet 1 4",
                "burn Ks",
                "deal 1 8d up",
                "deal 2 Ts up",
                "bet 1 4",
            ),
            *("deal 1 4h up", "deal 2 7h up", "bet 1 4", "deal 1 5h up", "deal 2 9h up", "bet 1 4"),
            *("deal 2 4s down", "expose As", "deal 1 4d down"),
        ],
        (15, "DEA13"),
        ("compliant", "face down", "face down"),
    ),
    "the seat named with an exposed card holds none, so that it is a card of the stub": (
        ["ante 1", "ante 2", "ante 3", *["check 1", "community"] * 4, "expose 3", "bet 1 4"],
        (12, "EXP02"),
        ("indeterminate", "0", "4"),
    ),
    "the one card of a seat whose player has shown it is not another that is exposed": (
        ["deal 1 down", "show 1 Ad", "expose 1 3h", "fold 1"],
        (3, "OPN01"),
        ("not_evidenced", "nobody", "seat 1"),
    ),
    "a card that only its player has shown is not one that the dealer exposed": (
        ["deal 1 down", "deal 2 3c up", "show 1 4h", "expose 4h", "bet 1 4"],
        (4, "OPN01"),
        ("not_evidenced", "nobody", "seat 1"),
    ),
    "nor is one that lies before somebody else": (
        ["deal 2 2c up", "fold 3", "burn Ts", "deal 3 4h up", "show 2 4h", "expose 4h", "bet 1 2"],
        (6, "OPN02"),
        ("not_evidenced", "seat 2", "seat 1"),
    ),
    "a deal is complete when the position of a player who has folded has its cards too": (
        ["deal 2 Kc up", "deal 1 4d down", "fold 1", "deal 2 Qs up", "deal 2 5s down", "replace 2 Qs"],
        (5, "INI02"),
        ("breach", "Qs", "Qs"),
    ),
    "a card exposed before a substitute is the substitute": (
        ["deal 1 7s down", "replace 1 7s", "expose", "deal 1 4c down", "deal 2 3c up", "bet 1 4"],
        (5, "OPN01"),
        ("compliant", "seat 1", "seat 1"),
    ),
    "and no card dealt after it": (
        [
            "deal 1 7s down",
            "deal 2",
            "replace 1",
            "expose 1",
            "deal 1 4c down",
            "deal 2 Qh down",
            "deal 2 8h",
        ],
        (6, "INI01"),
        None,
    ),
    "only a seat's first three cards are told by the order in which they came up": (
        [
            "deal 1 Js down",
            "deal 1 up",
            "deal 1 7c down",
            "deal 2 Qs",
            "deal 1 5c up",
            "expose 7c",
            "call 3 4",
        ],
        (6, "INI02"),
        ("indeterminate", "7c", ""),
    ),
    "of a card dealt to a seat twice one copy may be the card that is taken back": (
        ["deal 1 8h down", "deal 1 8h down", "deal 1 3s up", "replace 1 Js", "fold 1"],
        (4, "OPN01"),
        ("compliant", "seat 1", "seat 1"),
    ),
    "a card that is exposed before one seat and shown by another is there twice": (
        ["deal 1 down", "expose 1 9d", "deal 1 4c up", "check 2", "show 3 9d"],
        (3, "INI02"),
        None,
    ),
    "also where it is exposed in a later round": (
        [
            "deal 1 2c down",
            "deal 2 3c down",
            "deal 1 4d down",
            "deal 2 5d down",
            "deal 1 Jc up",
            "deal 2 Qc up",
            "bet 2 4",
            "call 1 4",
            "burn 8s",
            "deal 1 down",
            "expose 1 9d",
            "deal 2 4c up",
            "check 2",
            "show 3 9d",
        ],
        (12, "OPN02"),
        ("not_evidenced", "nobody", "seat 2"),
    ),
    "the burn of a card that was exposed and taken back takes none from the deck": (
        [
            "deal 1 down",
            "expose 1 9d",
            "deal 1 down",
            "expose 1 Kd",
            "deal 1 4c down",
            "replace 1 Kd",
            "deal 1 2c down",
            "burn Kd",
            "check 1",
        ],
        (7, "INI02"),
        ("compliant", "Kd", "Kd"),
    ),
    "a card that was dealt after a seat could not have given it back is there once": (
        ["deal 1 up", "expose 1 Kd", "replace 1 9d", "deal 3 9d down", "award 3 3"],
        (4, "DCK01"),
        ("compliant", "0", "0"),
    ),
    "a card taken back is doubtful when it is dealt later": (
        ["deal 3 down", "deal 3 up", "deal 2 up", "deal 3 4c up", "replace 3 2s", "deal 2 2s up"],
        (4, "INI02"),
        ("not_evidenced",),
    ),
    "and when it is burnt": (
        ["deal 2 up", "deal 2 4c down", "replace 2 2s", "show 2 2s", "deal 2", "deal 2 up", "burn Kd"],
        (6, "INI02"),
        ("not_evidenced",),
    ),
    "a card in a hand stays out of the deck when its double among the burns is shuffled in": (
        ["burn Kd", "deal 1 Kd", "deal 2 down", "reshuffle", "check 2", "expose Kd", "deal 2 Kd down"],
        (6, "EXP04"),
        None,
    ),
    "a seat that has shown more cards than it holds gives back one that is not known": (
        ["deal 2 2s up", "show 2 Kd", "replace 2 Kd", "fold 3"],
        (3, "OPN01"),
        ("not_evidenced", "nobody", "seat 3"),
    ),
    "and its first cards lie as they were dealt": (
        ["deal 2 Qc down", "show 2 Jc", "expose Qc", "deal 2 Ah up", "call 2 4", "replace 2 Qc", "burn 6h"],
        (6, "INI02"),
        ("not_evidenced",),
    ),
    "a reshuffle is no burn of a card taken back": (
        ["deal 1 up", "deal 1 9d down", "deal 1 up", "replace 1", "deal 1 4c", "reshuffle", "deal 2 2s up"],
        (6, "DEA05"),
        ("breach", "2", "1"),
    ),
    "a burn before a substitute starts no round": (
        ["deal 3 down", "deal 3 Kd down", "replace 3 Kd", "burn 9d", "deal 3 up"],
        (4, "DEA05"),
        None,
    ),
    "an unnamed card that is up stays in its place when the one before it is taken back": (
        ["deal 2 4c down", "deal 2 up", "replace 2 4c", "expose", "deal 2 up"],
        (4, "INI03"),
        None,
    ),
    "a substitute that is exposed is none of the first three cards": (
        ["deal 2 up", "deal 1 down", "replace 1", "deal 1 down", "expose", "deal 1", "deal 1 down"],
        (6, "INI01"),
        None,
    ),
    "the third card of a seat goes to one that holds two": (
        ["deal 1 up", "deal 1 down", "replace 1", "replace 1 9d", "deal 1 Kd up", "deal 1 Kd down"],
        (5, "INI01"),
        None,
    ),
    "and is the third that it was dealt": (
        ["deal 1", "deal 1 2s down", "replace 1 9d", "replace 1 Kd", "deal 1", "deal 1 up", "deal 1 up"],
        (6, "INI01"),
        None,
    ),
    "a first card that is exposed in a later round was dealt as it should be": (
        ["deal 1 6h down", "deal 1 2s up", "check 2", "community 3h", "expose 6h", "replace 1 3c", "burn"],
        (6, "INI02"),
        None,
    ),
    "a card whose double was taken back stays doubtful": (
        [
            "deal 1 7h down",
            "deal 1 Qd down",
            "deal 1 3h up",
            "deal 2 2s down",
            "deal 1 Qd up",
            "expose Qd",
            "replace 1 Qd",
            "check 2",
            "burn Kh",
        ],
        (8, "INI02"),
        None,
    ),
    "a substitute that is taken back leaves the unnamed cards before it": (
        [
            "deal 1",
            "deal 1 down",
            "replace 1 9d",
            "deal 1 5s up",
            "replace 1 5s",
            "expose 1 Ks",
            "show 2 Ks",
            "award 2 3",
        ],
        (7, "DCK01"),
        ("not_evidenced", "0", "1"),
    ),
    "a substitute that is exposed is no seventh card": (
        [
            "deal 1 down",
            "deal 2 down",
            "deal 1 down",
            "deal 2 down",
            "deal 1 Qh up",
            "deal 2 Js",
            "deal 2 7c up",
            "check 2",
            "deal 1 8c up",
            "deal 2 Ac up",
            "deal 1 3s up",
            "deal 2 4c up",
            "deal 2 down",
            "replace 2 Ac",
            "deal 2 down",
            "expose 2 8h",
            "deal 1 down",
        ],
        (16, "FIN01"),
        None,
    ),
    "the seventh card that is exposed after a substitute came is one": (
        [
            "deal 1 down",
            "deal 2 down",
            "deal 1 down",
            "deal 2 down",
            "deal 1 Qh up",
            "deal 2 Js",
            "deal 2 7c up",
            "check 2",
            "deal 1 8c up",
            "deal 2 Ac up",
            "deal 1 3s up",
            "deal 2 4c up",
            "deal 2 9d down",
            "replace 2 Ac",
            "deal 2 down",
            "expose 2 9d",
            "deal 1 down",
        ],
        (16, "FIN01"),
        ("breach", "face up", "face down"),
    ),
    "of a card dealt twice and up once either may lie before the seat": (
        [
            "deal 1 8d down",
            "deal 2 4d down",
            "deal 1 7d down",
            "deal 2 6s down",
            "deal 1 As up",
            "deal 1 8d up",
            "replace 1 9d",
            "deal 2 Qc up",
            "bet 2 4",
        ],
        (8, "OPN01"),
        ("not_evidenced", "nobody", "seat 2"),
    ),
    "until it is taken back": (
        ["deal 1 9d down", "deal 1 9d up", "replace 1 2c", "replace 1 9d", "deal 1 Jd up", "check 1"],
        (5, "OPN01"),
        ("compliant", "seat 1", "seat 1"),
    ),
    "an unnamed card that is taken back by name is one of the first three": (
        [
            "deal 1 down",
            "deal 2 down",
            "deal 1 down",
            "deal 2 down",
            "deal 1 6h up",
            "deal 1",
            "deal 2 up",
            "replace 1 4c",
            "expose 1 Ac",
            "deal 2 Qc up",
        ],
        (9, "EXP04"),
        None,
    ),
    "and one that the log has not named, rather than one that it has named twice": (
        [
            "deal 1 2s down",
            "deal 3 down",
            "deal 1 down",
            "deal 2 Qs down",
            "deal 3 down",
            "deal 1 Qh up",
            "deal 2 Kc up",
            "deal 3 6c up",
            "deal 1 2s up",
            "replace 1 Js",
            "deal 2 As up",
            "deal 3 7h up",
            "check 3",
        ],
        (12, "OPN02"),
        ("not_evidenced", "nobody", "seat 3"),
    ),
    "what is exposed before a seat that has given back nobody knows what is not known": (
        [
            "deal 1 down",
            "deal 2 down",
            "deal 1 down",
            "deal 2 down",
            "deal 1 up",
            "replace 2 6c",
            "deal 1 7h up",
            "deal 2 2h up",
            "deal 1 Jc up",
            "replace 1",
            "deal 2",
            "expose 1 6d",
            "deal 2 7d up",
        ],
        (12, "EXP04"),
        None,
    ),
    "nor is it in a later round": (
        [
            "deal 3 8d down",
            "deal 1 3c up",
            "check 3",
            "burn 5c",
            "deal 2 9d up",
            "check 2",
            "community Js",
            "check 3",
            "deal 1",
            "deal 1 Ts up",
            "deal 3 3d up",
            "reshuffle",
            "deal 1 up",
            "replace 1 3d",
            "community Ts",
            "expose 1 5c",
            "deal 3 Kd",
        ],
        (16, "EXP04"),
        None,
    ),
}
"""What made-up hands have found: the events, and the verdict due on one of them."""


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

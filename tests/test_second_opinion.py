"""pokerkit agrees with simulated hands but for listed kinds of difference, and notices broken rules."""

from __future__ import annotations

import pytest

from auditor.handlog import KINDS as KINDS_OF_EVENT
from auditor.simulate import simulate
from tests.proof.peer.follow import Opinion
from tests.proof.peer.hand import Event, Hand
from tests.proof.peer.kinds import KINDS, Difference, kinds_of
from tests.proof.second_opinion import Tally, opinions

HAND = {
    "hand_id": "T1-1",
    "game": "seven-card-stud",
    "structure": "fixed",
    **dict.fromkeys("small_bet big_bet min_bet max_bet ante forced_bet raise_cap chip_unit".split(), 1),
    "records": 0,
    "seats": [{"seat": 1, "stack": 100}, {"seat": 2, "stack": 100}],
}
RARE = {"odd-chips", "uncalled-ante", "raise-over-a-short-all-in"}
"""Kinds that a few hundred hands need not bring up."""
NOTICED = {
    "ACT01": {"turn"},
    "ACT12": {"check", "raise"},
    "ALL01": {"award"},
    "ANT01": {"ante", "card"},
    "CAL01": {"call"},
    "CAP01": {"raise"},
    "DEA02": {"card", "opener"},
    "DEA05": {"burn"},
    "DED01": {"award", "possible"},
    "FIX01": {"raise"},
    "OPN14": {"opener"},
    "SHO01:wrong-first": {"show"},
    "SHT01": {"community", "reshuffle"},
    "SPK01": {"award"},
    "SPL01": {"award"},
}
"""Obligations that pokerkit knows too, one by one way to break it, and the questions that must tell."""


@pytest.fixture(scope="module")
def clean() -> Tally:
    tally = Tally()
    for opinion in opinions(simulate(480, seed=7).log):
        tally.add(opinion)
    return tally


@pytest.fixture(scope="module")
def broken() -> list[tuple[str, Opinion]]:
    """Hands in each of which one of the obligations of ``NOTICED`` is broken, with its name there."""
    night = simulate(90, seed=22, plant=1.0, only=tuple(NOTICED))
    codes: dict[str, set[str]] = {}
    for hand_id, code in zip(night.truth["hand_id"], night.truth["code"], strict=True):
        codes.setdefault(hand_id, set()).add(code)
    wanted = {name.split(":")[0]: name for name in NOTICED}
    return [
        (wanted[code], opinion)
        for opinion in opinions(night.log)
        for code in sorted(codes[opinion.hand.hand_id] & set(wanted))
    ]


def test_every_difference_is_of_a_listed_kind(clean: Tally) -> None:
    assert clean.agreed, str(clean)
    assert clean.hands == 480
    assert clean.compared == clean.events > 35_000


def test_the_kinds_come_up(clean: Tally) -> None:
    assert set(clean.hands_of_kind) >= {kind.name for kind in KINDS} - RARE
    assert min(clean.asked[question] for question in ("opener", "raise", "award", "pots", "end")) > 250


def test_a_broken_obligation_is_unlisted(broken: list[tuple[str, Opinion]]) -> None:
    assert {code for code, _ in broken} == set(NOTICED)
    for code, opinion in broken:
        assert {difference.question for difference in opinion.unlisted} & NOTICED[code], (code, opinion.hand)


def test_a_listed_difference_hides_no_later_one(broken: list[tuple[str, Opinion]]) -> None:
    awards = 0
    for _, opinion in broken:
        listed = [difference.event for _, difference in opinion.listed]
        late = [difference for difference in opinion.unlisted if listed and difference.event > min(listed)]
        awards += any(difference.question == "award" for difference in late)
    assert awards > 5


def test_unlisted_differences_are_printed_with_the_hand(broken: list[tuple[str, Opinion]]) -> None:
    code, opinion = broken[0]
    tally = Tally()
    tally.add(opinion)
    assert not tally.agreed
    assert "unlisted: 1 hands" in str(tally)
    assert opinion.hand.hand_id in str(tally) and code in str(tally)
    difference = opinion.unlisted[0]
    assert f"{difference.question}: pokerkit {difference.theirs}, the log {difference.ours}" in str(tally)


def test_no_kind_is_a_catch_all() -> None:
    """Wrong answers that no rule explains, given where a hand stands at its end, are of no kind."""
    hand = next(opinion.hand for opinion in opinions(simulate(1, seed=21).log))
    seat = hand.active[0]
    wrong = {
        "opener": (seat, 0),
        "card": (seat, hand.active[-1]),
        "face": (0, 1),
        "replace": (None, 0),
        "reshuffle": (False, True),
        "community": (False, True),
        "burn": (True, False),
        "raise": ((1, 2), hand.top + 10**9),
        "return": ((seat, 1), None),
        "award": ({seat: 200}, {hand.active[-1]: 200}),
    }
    assert set(wrong) == {q for kind in KINDS for q in kind.questions} - {"fold", "over", "tabled", "show"}
    for question, (theirs, ours) in wrong.items():
        assert kinds_of(hand, Difference(0, question, theirs, ours, seat)) == [], question


def hand_of(*events: tuple[str, int, int, int]) -> Hand:
    """A hand of two with events of kind, seat, card and face."""
    names = ("kind", "seat", "card", "face")
    rows = [dict(zip(names, (KINDS_OF_EVENT.index(e[0]), *e[1:]), strict=True)) for e in events]
    return Hand.of({**HAND, "events": [{**row, "amount": 0, "pot": -1} for row in rows]})


def test_a_replaced_card_that_is_burned_does_not_leave_the_stub_twice() -> None:
    first = [("deal", seat, 2 * n + seat, int(seat == 2 or n != 2)) for n in range(3) for seat in (1, 2)]
    hand = hand_of(*first, ("replace", 1, 3, 1), ("deal", 1, 20, 0), ("burn", 0, 3, -1), ("burn", 0, 21, -1))
    for event in hand.events:
        hand.take(event)
    assert (hand.stub, hand.burns, hand.round) == (52 - 6 - 1 - 1, 2, 2)
    assert hand.cards[1] == [(1, 1), (5, 0), (20, 0)]


def test_an_unnamed_card_is_none_that_lies_elsewhere() -> None:
    """A burn may come back after a reshuffle, but not one that is burned again."""
    named = [("deal", 1, card, 1) for card in range(48)]
    burns = [("burn", 0, card, -1) for card in (48, 49, 50)]
    unnamed = [("deal", 2, -1, 0)] * 3
    hand = hand_of(*named, *burns, ("reshuffle", 0, -1, -1), ("burn", 0, 49, -1), *unnamed)
    assert [event.card for event in hand.events if event.seat == 2] == [51, 48, 50]
    assert Event("burn", 0, 49, -1, 0, -1) in hand.events


def test_an_unnamed_card_is_the_one_exposed() -> None:
    hand = hand_of(("deal", 2, -1, 0), ("deal", 1, -1, 0), ("expose", 1, 40, -1), ("show", 2, 7, 1))
    assert [event.card for event in hand.events] == [7, 40, 40, 7]

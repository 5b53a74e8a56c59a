"""A verdict on a hand with unnamed cards holds however these are named.

Of each hand one unnamed card is named in every way that its log allows, or one face that was left out is put
in: what was compliant or a breach must stay so, or at least not be settled otherwise. "Not evidenced" is the
word for all that a name might change.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from auditor.cards import CARDS
from auditor.handlog import FACES
from auditor.simulate import simulate
from tests.agreement import Hand, auditor_says, hands_of, told
from tests.exposed_hands import exposed_hand
from tests.strategies import chance, corrupted, few_cards

LEAVES = ("deal", "burn", "community")
SETTLED = ("compliant", "breach")
ELSEWHERE = {"ACT01"}
"""Breaches that with a name become those of another clause: an all-in opener, OPN14."""


def contradicts(hand: Hand, at: int, card: str) -> bool:
    """Whether the log tells otherwise that the card of an event is not this one.

    A card exposed before a seat is of that seat's unnamed ones, and one exposed without a seat is none that
    lies before a player, and none that was burnt before other cards came.
    """
    event, events = hand["events"][at], hand["events"]
    exposed = [(number, e) for number, e in enumerate(events) if e["kind"] == "expose" and e.get("card")]
    to_seat = event["kind"] in ("deal", "replace")
    leave = {e.get("card") for e in events if e["kind"] in LEAVES}
    for number, each in exposed:
        between = {e["kind"] for e in events[at:number]}
        if event["kind"] == "burn" and each["card"] == card and between & {"deal", "community", "reshuffle"}:
            return True
        if each["card"] == card and (to_seat or each.get("seat")):
            return True
        if to_seat and each.get("seat") == event["seat"] and each["card"] not in leave:
            return True
    return False


def completions(hand: Hand, dice: random.Random) -> Iterator[tuple[str, Hand]]:
    """The hand with one name or face more, and what that is; of cards named nowhere two stand for all."""
    events = hand["events"]
    names = sorted({e["card"] for e in events if e.get("card")})
    strangers = [card for card in CARDS if card not in names]
    cards = [*names, *dice.sample(strangers, min(2, len(strangers)))]

    def completed(at: int, field: str, value: str) -> tuple[str, Hand]:
        event = {**events[at], field: value}
        return f"event {at} {value}", {**hand, "events": [*events[:at], event, *events[at + 1 :]]}

    for at, event in enumerate(events):
        if event["kind"] in (*LEAVES, "replace") and not event.get("card"):
            yield from (completed(at, "card", card) for card in cards if not contradicts(hand, at, card))
        if event["kind"] in ("deal", "community") and not event.get("face"):
            yield from (completed(at, "face", face) for face in FACES)


def blanked(hand: Hand, dice: random.Random) -> Hand:
    """The hand as somebody writes it down who leaves out names and faces."""
    share = dice.choice((3, 10, 30))
    events = [dict(event) for event in hand["events"]]
    for event in events:
        if event["kind"] in (*LEAVES, "replace") and chance(dice, share):
            event.pop("card", None)
        if event["kind"] in ("deal", "community") and chance(dice, 3):
            event.pop("face", None)
    return {**hand, "events": events}


def flips(hands: list[Hand], dice: random.Random) -> list[str]:
    """What a name changes that must not change, each with its hand. None that contradicts the log counts."""
    filled = [(row, *each) for row, hand in enumerate(hands) for each in completions(hand, dice)]
    before, after = auditor_says(hands), auditor_says([hand for *_, hand in filled])
    found = []
    for (row, what, _), (said, defects) in zip(filled, after, strict=True):
        first, before_defects = before[row]
        if defects or before_defects:
            continue
        for (at, code), (verdict, *_) in first.items():
            now = said.get((at, code), ("does not apply",))[0]
            if verdict in SETTLED and now != verdict and code not in ELSEWHERE:
                text = f"{code} at event {at}: {verdict}, and {now} with {what}"
                found.append(f"{text}\n{told(hands[row])}")
    return sorted(found, key=len)


def night(dice: random.Random) -> list[Hand]:
    return [blanked(hand, dice) for hand in hands_of(simulate(20, seed=5, plant=0.9).log)]


def spoilt_night(dice: random.Random) -> list[Hand]:
    return [blanked(corrupted(hand, dice), dice) for hand in hands_of(simulate(20, seed=6, plant=0.9).log)]


MADE: dict[str, Callable[[random.Random], list[Hand]]] = {
    "exposed cards": lambda dice: [exposed_hand(dice) for _ in range(60)],
    "few cards": lambda dice: [few_cards(dice) for _ in range(300)],
    "a night": night,
    "a night with slips": spoilt_night,
}


@pytest.mark.parametrize("kind", MADE)
def test_no_name_settles_a_verdict_otherwise(kind: str) -> None:
    dice = random.Random(1)
    found = flips(MADE[kind](dice), dice)
    assert not found, f"{len(found)} verdicts, the shortest hand:\n{found[0]}"

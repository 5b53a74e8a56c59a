"""Hands of every kind, for tests that hold one implementation to another or look for a crash.

A generator takes ``dice``: something with ``choice(values)`` and ``randint(low, high)``. ``random.Random``
makes many hands quickly; ``hands()`` and ``corrupted_hands()`` throw the same dice with Hypothesis, which
then finds a simple hand where something is wrong. The first of the choices is the plainest one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

from auditor.cards import CARDS
from auditor.handlog import (
    CHIP_KINDS,
    FACES,
    KINDS,
    MAX_AMOUNT,
    MAX_POT,
    MAX_SEAT,
    RECORDS,
    SEATED_KINDS,
    STRUCTURES,
)

Hand = dict[str, Any]
Event = dict[str, Any]
Value = TypeVar("Value")

STAKES = "small_bet big_bet min_bet max_bet ante raise_cap chip_unit dealer_position".split()
OTHER_FACE = {"up": "down", "down": "up"}
ALIKE = ("check fold", "bet raise call forced_bet", "burn community reshuffle expose", "show muck")
"""Kinds that somebody at the keyboard takes for each other."""


class Dice(Protocol):
    """Where chance comes from."""

    def choice(self, values: Sequence[Value], /) -> Value: ...

    def randint(self, low: int, high: int, /) -> int: ...


def chance(dice: Dice, percent: int) -> bool:
    return dice.randint(1, 100) > 100 - percent


# -- any hand ---------------------------------------------------------------------------------------------


def any_hand(dice: Dice, most: int = 40) -> Hand:
    """A hand that the schema allows: any seats, stacks, stakes and records, any fields known or not.

    Two in three are dealt round by round, with slips; the others are up to ``most`` events in any order.
    """
    chairs = list(range(1, MAX_SEAT + 1))
    seats = sorted(chairs.pop(dice.randint(0, len(chairs) - 1)) for _ in range(dice.randint(1, MAX_SEAT)))
    game = dice.choice(("seven-card-stud", "five-card-stud"))
    hand: Hand = {
        "hand_id": "1",
        "game": game,
        "structure": dice.choice((*STRUCTURES, None)),
        **{name: _stake(dice, name) for name in STAKES},
        "records": list(RECORDS) if chance(dice, 60) else [r for r in RECORDS if chance(dice, 70)],
        "seats": [{"seat": seat, "player": f"P{seat}", "stack": _stack(dice)} for seat in seats],
    }
    if dice.randint(1, 3) > 2:
        hand["events"] = [any_event(dice, seats) for _ in range(dice.randint(1, most))]
    else:
        hand["events"] = _Dealt(dice, game, seats).events
    return {name: value for name, value in hand.items() if value is not None}


def any_event(dice: Dice, seats: Sequence[int]) -> Event:
    """An event out of the blue: of any kind, for a seat of the hand where its kind needs one."""
    kind = dice.choice(KINDS)
    event: Event = {"kind": kind}
    if kind in SEATED_KINDS or chance(dice, 30):
        event["seat"] = dice.choice(seats)
    if chance(dice, 70):
        event["card"] = dice.choice(CARDS)
    if chance(dice, 70):
        event["face"] = dice.choice(FACES)
    if kind in CHIP_KINDS or chance(dice, 5):
        event["amount"] = _amount(dice)
    if chance(dice, 20):
        event["pot"] = dice.randint(0, MAX_POT)
    return event


FEW = ["deal"] * 7 + ["expose"] * 4 + "replace replace burn burn show show check check fold".split()
FEW += "reshuffle bet community award".split()


def few_cards(dice: Dice) -> Hand:
    """Three seats and four named cards, exposed, taken back, burnt and shown in any order: each is soon there
    twice, or known by several names."""
    events: list[Event] = []
    for _ in range(dice.randint(4, 18)):
        event: Event = {"kind": dice.choice(FEW)}
        if event["kind"] in SEATED_KINDS or (event["kind"] == "expose" and chance(dice, 70)):
            event["seat"] = dice.choice((1, 2, 3))
        if event["kind"] in ("bet", "award"):
            event["amount"] = 4
        elif event["kind"] not in ("check", "fold", "reshuffle"):
            if chance(dice, 35 if event["kind"] == "deal" else 80):
                event["card"] = dice.choice(("9d", "Kd", "4c", "2s"))
            if event["kind"] == "deal" and chance(dice, 80):
                event["face"] = dice.choice(FACES)
        events.append(event)
    return {
        "hand_id": "1",
        "game": dice.choice(("seven-card-stud", "five-card-stud", "button-game-14", "button-game-15")),
        "structure": "fixed",
        "small_bet": 4,
        "records": list(RECORDS),
        "seats": [{"seat": seat, "player": f"P{seat}", "stack": 100} for seat in (1, 2, 3)],
        "events": events,
    }


def _amount(dice: Dice) -> int:
    if chance(dice, 2):
        return dice.choice((MAX_AMOUNT, MAX_AMOUNT - 1, 3 * 10**9))
    return dice.choice((4, 8, 2, 1, 0, 3, 12, 16, dice.randint(0, 60)))


def _stack(dice: Dice) -> int:
    if chance(dice, 10):
        return dice.choice((-1, 0, MAX_AMOUNT))
    return dice.choice((100, 40, 20, dice.randint(0, 40)))


def _stake(dice: Dice, name: str) -> int | None:
    if chance(dice, 15):
        return None
    if name == "dealer_position":
        return dice.randint(0, MAX_SEAT)
    if chance(dice, 3):
        return MAX_AMOUNT
    least = int(name == "chip_unit")
    usual = {"small_bet": 4, "big_bet": 8, "min_bet": 2, "max_bet": 10, "ante": 1, "raise_cap": 3}
    return dice.choice((usual.get(name, 1), dice.randint(least, 10)))


class _Dealt:
    """A hand dealt and bet round by round as a poor dealer might: most events are due, some are slips."""

    def __init__(self, dice: Dice, game: str, seats: list[int]) -> None:
        self.dice, self.seats = dice, seats
        self.events: list[Event] = []
        self.deck = list(CARDS)
        self.live = list(seats)
        self.last = 0  # the seat that acted last
        if chance(dice, 70):
            amount = dice.choice((1, 2))
            for seat in seats:
                self.add("ante", seat, amount=amount)
        if chance(dice, 10):
            self.add("blind", dice.choice(seats), amount=2)
        rounds = ("du", "u", "u", "u") if game == "five-card-stud" else ("ddu", "u", "u", "u", "d")
        for number in range(dice.randint(1, len(rounds))):
            if not self.live:
                break
            self.deal(rounds[number], number)
            self.bet(number)
        self.settle()

    def add(self, kind: str, seat: int = 0, **fields: Any) -> None:
        """The event, and now and then a slip instead of it or before it."""
        if chance(self.dice, 2):
            self.events.append(any_event(self.dice, self.seats))
        if not chance(self.dice, 1):
            self.events.append({"kind": kind, **({"seat": seat} if seat else {}), **fields})

    def card(self) -> Event:
        """The ``card`` of an event: mostly one still in the deck, sometimes unnamed or any."""
        at = self.dice.randint(1, 100)
        if at > 98 or not self.deck:
            return {"card": self.dice.choice(CARDS)}
        if at > 92:
            return {}
        return {"card": self.deck.pop(self.dice.randint(0, len(self.deck) - 1))}

    def deal(self, faces: str, number: int) -> None:
        dice = self.dice
        if number and chance(dice, 12):
            self.add("reshuffle")
        if number and not chance(dice, 7):
            self.add("burn", **self.card())
        served = self.seats if chance(dice, 15) else self.live
        start = dice.randint(0, len(served) - 1) if chance(dice, 20) else 0
        if number and chance(dice, 6):
            self.add("community", **self.card(), face="up")
            return
        for face in faces:
            for seat in [*served[start:], *served[:start]]:
                if chance(dice, 3):
                    self.expose(seat)
                if chance(dice, 1):
                    continue
                lies = OTHER_FACE["up" if face == "u" else "down"] if chance(dice, 4) else None
                lies = lies or ("up" if face == "u" else "down")
                self.add("deal", seat, **self.card(), **({} if chance(dice, 2) else {"face": lies}))
        if chance(dice, 8):
            dealt = [e for e in self.events if e["kind"] == "deal"]
            if dealt:
                taken = dice.choice(dealt)
                card = {"card": taken["card"]} if "card" in taken and chance(dice, 80) else {}
                self.add("replace", taken["seat"], **card)
                self.add("deal", taken["seat"], **self.card(), face=dice.choice(FACES))
                if chance(dice, 50):
                    self.add("burn", **card)

    def expose(self, seat: int) -> None:
        dice = self.dice
        given = [e["card"] for e in self.events if e.get("card")]
        names = [{}, {"card": dice.choice(self.deck or CARDS)}, {"card": dice.choice(given or CARDS)}]
        self.add("expose", dice.choice((0, seat)), **dice.choice(names))

    def bet(self, number: int) -> None:
        dice = self.dice
        if not number and chance(dice, 80):
            self.last = dice.choice(self.live)
            self.add("forced_bet", self.last, amount=2)
        elif chance(dice, 70):
            self.last = dice.choice(self.live)
        facing = False
        for _ in range(dice.randint(0, 2 * len(self.live) + 1)):
            if not self.live:
                return
            seat = next((s for s in self.live if s > self.last), self.live[0])
            if chance(dice, 4):
                seat = dice.choice(self.seats)
            self.last = seat
            kind = dice.choice(("call", "fold", "raise") if facing else ("check", "bet", "bet", "fold"))
            if chance(dice, 4):
                kind = dice.choice(("check", "bet", "call", "raise", "fold", "forced_bet"))
            amount = {} if kind in ("check", "fold") else {"amount": 4 if chance(dice, 50) else _amount(dice)}
            self.add(kind, seat, **amount)
            facing = facing or kind in ("bet", "raise", "call")
            if kind == "fold" and seat in self.live and (len(self.live) > 1 or chance(dice, 5)):
                self.live.remove(seat)
            if chance(dice, 2):
                self.expose(seat)
        if chance(dice, 5):
            self.add("return", dice.choice(self.seats), amount=_amount(dice))

    def settle(self) -> None:
        """Shows, mucks, rake and awards, most of them to those who are left."""
        dice = self.dice
        for seat in self.live:
            if chance(dice, 60):
                held = [
                    e["card"]
                    for e in self.events
                    if e["kind"] == "deal" and e["seat"] == seat and "card" in e
                ]
                for card in held if chance(dice, 90) else held[:1]:
                    self.add("show", seat, card=card)
            elif chance(dice, 30):
                self.add("muck", seat)
        if chance(dice, 30):
            self.add("rake", amount=_amount(dice), **({"pot": 0} if chance(dice, 30) else {}))
        pot = sum(e.get("amount", 0) for e in self.events if e["kind"] not in ("return", "rake", "award"))
        for number in range(dice.randint(0, 3)):
            part = pot if chance(dice, 50) else dice.randint(0, min(pot, MAX_AMOUNT))
            share = min(max(part, 0), MAX_AMOUNT)
            which = {"pot": dice.randint(0, number)} if chance(dice, 60) else {}
            self.add("award", dice.choice(self.live or self.seats), amount=share, **which)
        if not self.events or chance(dice, 1):
            self.events.append({"kind": "misdeal"})


# -- slips in a given hand ----------------------------------------------------------------------------------


def spoil_events(hand: Hand, dice: Dice) -> None:
    """One event dropped, doubled, moved, swapped with another, or forged."""
    events = hand["events"]
    at, other = dice.randint(0, len(events) - 1), dice.randint(0, len(events) - 1)
    match dice.choice(("drop", "double", "move", "swap", "neighbours", "forge")):
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
            events.insert(at, any_event(dice, [seat["seat"] for seat in hand["seats"]]))


def spoil_field(hand: Hand, dice: Dice) -> None:
    """One field of one event changed or blanked."""
    event = dice.choice(hand["events"])
    match dice.choice(("seat", "card", "no card", "face", "no face", "amount", "pot", "kind")):
        case "seat" if event.get("seat"):
            event["seat"] = dice.choice(hand["seats"])["seat"]
        case "card" if "card" in event:
            event["card"] = dice.choice(CARDS)
        case "no card":
            event.pop("card", None)
        case "face" if "face" in event:
            event["face"] = OTHER_FACE[event["face"]]
        case "no face":
            event.pop("face", None)
        case "amount" if "amount" in event:
            event["amount"] = max(0, event["amount"] + dice.choice((-100, -4, -1, 1, 2, 100, 400)))
        case "pot" if "pot" in event:
            event["pot"] = dice.randint(-1, 2)
        case "kind":
            alike = [kinds for kinds in ALIKE if event["kind"] in kinds.split()]
            event["kind"] = dice.choice(alike[0].split()) if alike else event["kind"]


SLIPS: tuple[Callable[[Hand, Dice], None], ...] = (spoil_events, spoil_events, spoil_field)


def corrupted(hand: Hand, dice: Dice) -> Hand:
    """A copy of the hand with one to four slips, some of them in what the log claims and knows at all."""
    hand = {
        **hand,
        "seats": [dict(seat) for seat in hand["seats"]],
        "events": [dict(event) for event in hand["events"]],
    }
    for _ in range(dice.randint(1, 4)):
        dice.choice(SLIPS)(hand, dice)
    if chance(dice, 30):
        hand["records"] = [name for name in hand["records"] if not chance(dice, 20)]
    if chance(dice, 15):
        hand["seats"] = [{**seat, "stack": -1} if chance(dice, 50) else seat for seat in hand["seats"]]
    if chance(dice, 10):
        hand.pop(dice.choice(STAKES), None)
    return hand


# -- the same with Hypothesis -------------------------------------------------------------------------------


class _Drawn:
    """Dice thrown by Hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def choice(self, values: Sequence[Value]) -> Value:
        return self._draw(st.sampled_from(values))

    def randint(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    """Any hand, see ``any_hand``."""
    return any_hand(_Drawn(draw))


@st.composite
def corrupted_hands(draw: st.DrawFn, good: Sequence[Hand]) -> Hand:
    """One of the ``good`` hands with slips, see ``corrupted``."""
    return corrupted(draw(st.sampled_from(good)), _Drawn(draw))

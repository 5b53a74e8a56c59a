"""Stud hands whose dealer exposes cards at any moment: of the stub, of the players, burnt ones, with a name
and a seat or without. The deal and the betting are mostly right, so that what follows is judged."""

from __future__ import annotations

from random import Random
from typing import Any

from auditor.cards import CARDS
from auditor.handlog import RECORDS
from tests.strategies import Event, Hand, chance

SEATS = (1, 4, 7)
ROUNDS = {"seven-card-stud": ("ddu", "u", "u", "u", "d"), "five-card-stud": ("du", "u", "u", "u")}


class _Hand:
    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.deck = list(CARDS)
        dice.shuffle(self.deck)
        self.events: list[Event] = [{"kind": "ante", "seat": seat, "amount": 1} for seat in SEATS]
        self.unnamed = dice.choice((0, 15, 50))
        self.exposures = dice.choice((5, 12, 30))

    def add(self, kind: str, seat: int = 0, **fields: Any) -> None:
        """The event, and sometimes exposures after it."""
        self.events.append({"kind": kind, **({"seat": seat} if seat else {}), **fields})
        while chance(self.dice, self.exposures):
            self.expose()

    def leave(self, kind: str, seat: int = 0, **fields: Any) -> None:
        """A card leaves the deck."""
        card = self.deck.pop(0)
        self.add(kind, seat, **({} if chance(self.dice, self.unnamed) else {"card": card}), **fields)

    def expose(self) -> None:
        dice = self.dice
        gone = [event["card"] for event in self.events if event.get("card")]
        of_stub = (None, self.deck[0], self.deck[1])
        card = dice.choice((*of_stub, None, self.deck[0], dice.choice(CARDS), dice.choice(gone or self.deck)))
        seat = {"seat": dice.choice(SEATS)} if chance(dice, 40) else {}
        self.events.append({"kind": "expose", **seat, **({"card": card} if card else {})})

    def deal(self, number: int, faces: str) -> None:
        dice = self.dice
        if number and chance(dice, 6):
            self.add("reshuffle")
        for _ in range(dice.choice((1, 1, 1, 1, 2, 0)) if number or chance(dice, 10) else 0):
            self.leave("burn")
        if number and chance(dice, 5):
            self.leave("community")
            return
        for face in faces:
            for seat in SEATS:
                lies = {} if chance(dice, 3) else {"face": "up" if face == "u" else "down"}
                self.leave("deal", seat, **lies)
        if chance(dice, 8):
            taken = dice.choice([event for event in self.events if event["kind"] == "deal"])
            named = {"card": taken["card"]} if "card" in taken and chance(dice, 80) else {}
            self.add("replace", taken["seat"], **named)
            self.leave("deal", taken["seat"], face=dice.choice(("up", "down")))

    def bet(self) -> None:
        dice = self.dice
        paid = dict.fromkeys(SEATS, 0)
        first = dice.randint(0, 2)
        for turn in range(dice.randint(0, 6)):
            seat = SEATS[(first + turn) % 3]
            owed = max(paid.values()) - paid[seat]
            if not owed and max(paid.values()):
                break
            kind = dice.choice(("call", "call", "raise") if owed else ("check", "bet"))
            amount = 0 if kind == "check" else owed if kind == "call" else owed + 4
            paid[seat] += amount
            self.add(kind, seat, **({"amount": amount} if amount else {}))
            if chance(dice, 4):
                self.leave("burn")
            if chance(dice, 3) and paid[seat]:
                self.add("return", seat, amount=4)
                paid[seat] -= 4


def exposed_hand(dice: Random) -> Hand:
    """A hand of three players."""
    game = dice.choice(("seven-card-stud", "seven-card-stud", "five-card-stud"))
    hand = _Hand(dice)
    for number, faces in enumerate(ROUNDS[game]):
        hand.deal(number, faces)
        hand.bet()
    return {
        "hand_id": "1",
        "game": game,
        "structure": "fixed",
        "small_bet": 4,
        "big_bet": 4,
        "records": list(RECORDS),
        "seats": [{"seat": seat, "player": f"P{seat}", "stack": 400} for seat in SEATS],
        "events": hand.events,
    }

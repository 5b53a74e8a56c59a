"""The play of a PHH hand: its actions, which name totals and players, as events that name chips and seats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from auditor.handlog import UNKNOWN
from auditor.sources.base import UnreadError
from auditor.sources.text import UNKNOWN_CARD

_CARD = re.compile(r"\?\?|[2-9TJQKA][cdhs]")


class Play:
    """The events of a hand as its actions tell them: chips added follow from what is in the round already.

    A round begins with cards for the players, or, ``streets_by_board``, for the board alone.
    """

    def __init__(
        self,
        seats: list[int],
        stacks: list[int],
        faces: Sequence[str],
        bring_in: int | None,
        *,
        streets_by_board: bool = False,
    ) -> None:
        count = len(seats)
        self.events: list[dict[str, Any]] = []
        self.hidden = False
        self._seats, self._stacks, self._faces, self._bring_in = seats, stacks, faces, bring_in
        self._paid = [0] * count  # in the hand
        self._round = [0] * count  # in the betting round
        self._cards: list[list[str]] = [[] for _ in range(count)]
        self._by_board = streets_by_board
        self._street = 0
        self._note: str | None = None

    def left(self, player: int) -> int:
        stack = self._stacks[player]
        return 1 << 62 if stack == UNKNOWN else max(stack - self._paid[player], 0)

    def pay(self, player: int, kind: str, amount: int) -> None:
        self._paid[player] += amount
        if kind != "ante":
            self._round[player] += amount
        self._add(kind, player, amount=amount)

    def post(self, amounts: Sequence[int]) -> None:
        """Blinds and straddles by player; of two players the second posts the first blind.

        A negative amount is what a newcomer posts: it is no blind of the table, and comes before those.
        """
        order = list(enumerate(amounts if len(amounts) != 2 else amounts[::-1]))
        order = order if len(amounts) != 2 else order[::-1]
        for player, amount in (*(one for one in order if one[1] < 0), *(one for one in order if one[1] > 0)):
            self._note = "post" if amount < 0 else None
            self.pay(player, "blind", min(abs(amount), self.left(player)))

    def _add(self, kind: str, player: int | None = None, **fields: Any) -> None:
        if abs(fields.get("amount", 0)) >= 1 << 63:
            raise UnreadError(f"{kind} of {fields['amount']} is more chips than fit in 64 bits")
        seat = {} if player is None else {"seat": self._seats[player]}
        self.events.append({"kind": kind, **seat, **fields, "note": self._note})
        self._note = None

    def act(self, action: str) -> None:
        """Add the events of one action; its comment becomes the note of the first of them."""
        words, hash_, comment = action.partition("#")
        if hash_:
            said = comment.strip()
            self._note = f"{self._note}; {said}" if self._note else said
        match words.split():
            case []:
                pass  # a comment alone stays for the next event
            case ["d", "db", cards]:
                self._next_street(self._street + 1)
                for card in self._known(cards):
                    self._add("community", card=card, face="up")
            case ["d", "dh", player, cards]:
                self._deal(self._player(player), self._known(cards))
            case [player, "pb"]:
                if self._bring_in is None:
                    raise UnreadError("the hand has no bring_in")
                who = self._player(player)
                self.pay(who, "forced_bet", min(self._bring_in, self.left(who)))
            case [player, "f"]:
                self._add("fold", self._player(player))
            case [player, "cc"]:
                who = self._player(player)
                due = max(self._round) - self._round[who]
                self.pay(who, "call", min(due, self.left(who))) if due else self._add("check", who)
            case [player, "cbr", total] if total.isdecimal():
                who = self._player(player)
                if int(total) <= self._round[who]:
                    raise UnreadError(f"{self._round[who]} is in the round already")
                self.pay(who, "raise" if any(self._round) else "bet", int(total) - self._round[who])
            case [player, "sm"]:
                self._add("muck", self._player(player))
            case [player, "sm", cards]:
                who = self._player(player)
                for card in self._cards[who] if cards == "-" else self._known(cards, deals=False):
                    self._add("show", who, card=card)
            case _:
                raise UnreadError("it is no action of this game")

    def _deal(self, player: int, cards: list[str]) -> None:
        held = self._cards[player]
        if len(held) + len(cards) > len(self._faces):
            raise UnreadError(f"more than {len(self._faces)} cards for one player")
        if not self._by_board:
            self._next_street(len(held) + len(cards))
        for card in cards:
            self._add("deal", player, card=card, face=self._faces[len(held)])
            held.append(card)

    def _next_street(self, street: int) -> None:
        if street > self._street:
            self._street, self._round = street, [0] * len(self._round)

    def _player(self, word: str) -> int:
        number = word[1:]
        if word[:1] != "p" or not number.isdecimal() or not 1 <= int(number) <= len(self._seats):
            raise UnreadError(f"{word!r} is not a player from p1 to p{len(self._seats)}")
        return int(number) - 1

    def _known(self, text: str, deals: bool = True) -> list[str]:
        cards = [text[at : at + 2] for at in range(0, len(text), 2)]
        for card in cards:
            if not _CARD.fullmatch(card):
                raise UnreadError(f"{card!r} is not a card")
        self.hidden |= deals and UNKNOWN_CARD in cards
        return cards

    def award(self, hand: dict[str, Any]) -> None:
        """Add the awards that the finishing stacks tell, where they agree with what was put in."""
        if self._note and self.events:
            last = self.events[-1]
            last["note"] = f"{last['note']}; {self._note}" if last["note"] else self._note
            self._note = None
        final = hand.get("finishing_stacks")
        if not isinstance(final, list) or len(final) != len(self._stacks) or UNKNOWN in self._stacks:
            return
        if not all(isinstance(stack, int) for stack in final):
            return
        sides = zip(final, self._stacks, self._paid, strict=True)
        awards = [after - (before - paid) for after, before, paid in sides]
        if min(awards) >= 0 and sum(awards) <= sum(self._paid):
            for player, award in enumerate(awards):
                if award:
                    self._add("award", player, amount=award)

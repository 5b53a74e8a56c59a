"""The play of a PHH hand: its actions, which name totals and players, as events that name chips and seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditor.cards import CARDS
from auditor.handlog import MAX_SEAT, UNKNOWN
from auditor.sources.base import UnreadError
from auditor.sources.text import UNKNOWN_CARD

Event = tuple[str, int | None, int | None, str | None, str | None, str | None]
EVENT = ("kind", "seat", "amount", "card", "face", "note")
"""The fields of an ``Event``. It is no dict, since there are very many."""
_WORDS = tuple(f"p{number}" for number in range(1, MAX_SEAT + 1))
_CARDS = frozenset((*CARDS, UNKNOWN_CARD))


class _Players(dict[str, int]):
    """The index of a player by the word for it, such as ``p1``; ``UnreadError`` for what is none."""

    def __init__(self, count: int) -> None:
        super().__init__(zip(_WORDS, range(count), strict=False))
        self._count = count

    def __missing__(self, word: str) -> int:
        number = word[1:]
        if word[:1] != "p" or not number.isdecimal() or not 1 <= int(number) <= self._count:
            raise UnreadError(f"{word!r} is not a player from p1 to p{self._count}")
        return int(number) - 1


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
        self.events: list[Event] = []
        self.hidden = False
        self._seats, self._stacks, self._faces, self._bring_in = seats, stacks, faces, bring_in
        self._players = _Players(count)
        self._paid = [0] * count  # in the hand
        self._round = [0] * count  # in the betting round
        self._cards: list[list[str]] = [[] for _ in range(count)]
        self._by_board = streets_by_board
        self._street = 0
        self._notes: dict[int, str] = {}  # by event, the next one included

    def left(self, player: int) -> int:
        stack = self._stacks[player]
        return 1 << 62 if stack == UNKNOWN else max(stack - self._paid[player], 0)

    def pay(self, player: int, kind: str, amount: int) -> None:
        self._paid[player] += amount
        if kind != "ante":
            self._round[player] += amount
        self._add(kind, self._seats[player], amount=amount)

    def post(self, amounts: Sequence[int]) -> None:
        """Blinds and straddles by player; of two players the second posts the first blind.

        A negative amount is what a newcomer posts: it is no blind of the table, and comes before those.
        """
        order = list(enumerate(amounts if len(amounts) != 2 else amounts[::-1]))
        order = order if len(amounts) != 2 else order[::-1]
        for player, amount in (*(one for one in order if one[1] < 0), *(one for one in order if one[1] > 0)):
            if amount < 0:
                self._remark("post")
            self.pay(player, "blind", min(abs(amount), self.left(player)))

    def _add(
        self, kind: str, seat: int | None = None, amount: int | None = None, card: str | None = None
    ) -> None:
        if amount is not None and abs(amount) >= 1 << 63:
            raise UnreadError(f"{kind} of {amount} is more chips than fit in 64 bits")
        self.events.append((kind, seat, amount, card, None, None))

    def _remark(self, said: str) -> None:
        """Keep what is said as the note of the next event."""
        before = self._notes.get(len(self.events))
        self._notes[len(self.events)] = f"{before}; {said}" if before else said

    def act(self, action: str) -> None:
        """Add the events of one action; its comment becomes the note of the first of them."""
        words, mark, comment = action.partition("#")
        if mark:
            self._remark(comment.strip())
        match words.split():
            case ["d", "dh", player, cards]:
                self._deal(self._players[player], self._known(cards))
            case [player, "f"]:
                self._add("fold", self._seats[self._players[player]])
            case [player, "cc"]:
                who = self._players[player]
                due = max(self._round) - self._round[who]
                self.pay(who, "call", min(due, self.left(who))) if due else self._add(
                    "check", self._seats[who]
                )
            case [player, "cbr", total] if total.isdecimal():
                who = self._players[player]
                if int(total) <= self._round[who]:
                    raise UnreadError(f"{self._round[who]} is in the round already")
                self.pay(who, "raise" if any(self._round) else "bet", int(total) - self._round[who])
            case ["d", "db", cards]:
                self._next_street(self._street + 1)
                self.events += [("community", None, None, card, "up", None) for card in self._known(cards)]
            case [player, "pb"]:
                if self._bring_in is None:
                    raise UnreadError("the hand has no bring_in")
                who = self._players[player]
                self.pay(who, "forced_bet", min(self._bring_in, self.left(who)))
            case [player, "sm"]:
                self._add("muck", self._seats[self._players[player]])
            case [player, "sm", cards]:
                who = self._players[player]
                for card in self._cards[who] if cards == "-" else self._known(cards, deals=False):
                    self._add("show", self._seats[who], card=card)
            case []:
                pass  # a comment alone stays for the next event
            case _:
                raise UnreadError("it is no action of this game")

    def _deal(self, player: int, cards: list[str]) -> None:
        held, seat = self._cards[player], self._seats[player]
        if len(held) + len(cards) > len(self._faces):
            raise UnreadError(f"more than {len(self._faces)} cards for one player")
        for card in cards:
            self.events.append(("deal", seat, None, card, self._faces[len(held)], None))
            held.append(card)
        if not self._by_board:
            self._next_street(len(held))

    def _next_street(self, street: int) -> None:
        if street > self._street:
            self._street, self._round = street, [0] * len(self._round)

    def _known(self, text: str, deals: bool = True) -> list[str]:
        cards = [text] if text in _CARDS else [text[at : at + 2] for at in range(0, len(text), 2)]
        if not _CARDS.issuperset(cards):
            raise UnreadError(f"{next(card for card in cards if card not in _CARDS)!r} is not a card")
        if deals and UNKNOWN_CARD in text:
            self.hidden = True
        return cards

    def finish(self, hand: dict[str, Any]) -> list[Event]:
        """The events, awards included where the finishing stacks agree with what was put in."""
        left_over = self._notes.get(len(self.events))
        if left_over and self.events:
            del self._notes[len(self.events)]
            last = len(self.events) - 1
            self._notes[last] = f"{self._notes[last]}; {left_over}" if self._notes.get(last) else left_over
        self._award(hand)
        for at, note in self._notes.items():
            if at < len(self.events):
                self.events[at] = (*self.events[at][:-1], note)
        return self.events

    def _award(self, hand: dict[str, Any]) -> None:
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
                    self._add("award", self._seats[player], amount=award)

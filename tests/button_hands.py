"""Hands of button games for tests: played by the rules, or with a slip of dealer or player now and then.

Dice are those of ``tests.strategies``. ``slip`` is the percentage of the occasions for a slip that are taken.
"""

from __future__ import annotations

from typing import Any

from auditor.cards import CARDS
from auditor.handlog import RECORDS
from tests.oracle.cards import best, code
from tests.strategies import Dice, Event, Hand, any_event, chance

BOARDS = {"button-game-14": (1, 1, 1, 1, 1), "button-game-15": (1, 1, 1, 1, 1), "texas-holdem": (0, 3, 1, 1)}
"""Community cards of each round."""
SMALL, BIG = 4, 8


def button_hand(dice: Dice, game: str = "", slip: int = 0) -> Hand:
    """A hand of ``game`` (of any), at a fixed limit of 4 and 8 with blinds, by two to eight players."""
    return _Played(dice, game or dice.choice(("button-game-14", "button-game-15")), slip).hand


class _Played:
    def __init__(self, dice: Dice, game: str, slip: int) -> None:
        self.dice, self.slip = dice, slip
        chairs = list(range(1, 11))
        count = dice.randint(2, 8)
        self.seats = sorted(chairs.pop(dice.randint(0, len(chairs) - 1)) for _ in range(count))
        self.stacks = {
            s: dice.choice((200, 200, 100, dice.randint(6, 30), dice.randint(1, 60))) for s in self.seats
        }
        self.paid = dict.fromkeys(self.seats, 0)
        self.live = list(self.seats)
        self.button = dice.randint(0, 10)
        self.deck = list(CARDS)
        self.held: dict[int, list[str]] = {s: [] for s in self.seats}
        self.board: list[str] = []
        self.events: list[Event] = []
        self.number = {"button-game-14": dice.choice((2, 2, 3)), "button-game-15": 3, "texas-holdem": 2}[game]
        self.bettor = 0
        self.ante = 1 if chance(dice, 30) else 0
        self.play(BOARDS[game])
        self.hand: Hand = {
            "hand_id": "1",
            "game": game,
            "structure": "fixed",
            "small_bet": SMALL,
            "big_bet": BIG,
            "chip_unit": 1,
            **({"ante": self.ante} if self.ante else {}),
            **({} if self.slips() else {"dealer_position": self.button}),
            "records": list(RECORDS),
            "seats": [
                {"seat": s, "player": f"P{s}", "stack": -1 if self.slips() else self.stacks[s]}
                for s in self.seats
            ],
            "events": self.events,
        }

    def slips(self) -> bool:
        return self.slip > 0 and chance(self.dice, self.slip)

    def add(self, kind: str, seat: int = 0, **fields: Any) -> None:
        if self.slips() and chance(self.dice, 40):
            self.events.append(any_event(self.dice, self.seats))
        if not (self.slips() and chance(self.dice, 40)):
            self.events.append({"kind": kind, **({"seat": seat} if seat else {}), **fields})

    def pay(self, kind: str, seat: int, amount: int) -> int:
        amount = min(amount, self.stacks[seat] - self.paid[seat])
        self.paid[seat] += amount
        self.add(kind, seat, amount=amount)
        return amount

    def card(self) -> str:
        return self.deck.pop(self.dice.randint(0, len(self.deck) - 1))

    def ring(self, seats: list[int], after: int) -> list[int]:
        return [s for s in seats if s > after] + [s for s in seats if s <= after]

    def play(self, board: tuple[int, ...]) -> None:
        for seat in self.seats if self.ante else ():
            self.pay("ante", seat, self.ante)
        blinds = self.ring(self.seats, self.button)[: self.dice.randint(1, 3)]
        if self.slips():
            blinds = [self.dice.choice(self.seats) for _ in blinds]
        if self.slips():
            self.first_deal()
        amounts = dict.fromkeys(self.seats, 0)
        for at, seat in enumerate(blinds):
            amounts[seat] += self.pay("blind", seat, 2 if at == 0 else SMALL)
        if not self.held[self.seats[0]]:
            self.first_deal()
        for number, cards in enumerate(board):
            if number and not self.slips():
                self.add("burn", card=self.card())
            for _ in range(cards + 1 if self.slips() else 0 if self.slips() else cards):
                self.board.append(self.card())
                face = {} if self.slips() else {"face": "down" if self.slips() else "up"}
                self.add("community", card=self.board[-1], **face)
            if number:
                amounts = dict.fromkeys(self.seats, 0)
            self.bet(amounts, self.button if number else blinds[-1], SMALL if number < 2 else BIG)
            if len(self.live) < 2 and not self.slips():
                break
        self.settle()

    def first_deal(self) -> None:
        for _ in range(self.number):
            ring = self.ring(self.seats, self.dice.randint(0, 10) if self.slips() else self.button)
            for seat in ring:
                if not self.slips():
                    self.held[seat].append(self.card())
                    face = {} if self.slips() else {"face": "up" if self.slips() else "down"}
                    self.add("deal", seat, card=self.held[seat][-1], **face)
                if self.slips() and self.held[seat]:
                    taken = self.held[seat].pop()
                    self.add("replace", seat, card=taken)
                    self.held[seat].append(self.card())
                    self.add("deal", seat, card=self.held[seat][-1], face="down")
                    self.add("burn", card=taken)

    def able(self) -> list[int]:
        return [s for s in self.live if self.paid[s] < self.stacks[s]]

    def bet(self, amounts: dict[int, int], after: int, size: int) -> None:
        """A betting round: ``amounts`` are its chips by seat, ``after`` the seat before the first to act."""
        acted: set[int] = set()
        raises = 0
        self.bettor = 0
        if self.slips():
            after = self.dice.randint(0, 10)
        while len(self.live) > 1:
            top = max(amounts.values())
            able = self.able()
            behind = [s for s in able if amounts[s] < top]
            waiting = behind if len(able) < 2 else [s for s in able if s in behind or s not in acted]
            if not waiting or self.slips():
                break
            seat = after = self.ring(self.live if self.slips() else waiting, after)[0]
            acted.add(seat)
            due = top - amounts[seat]
            kinds = ["call", "call", "fold"] if due > 0 else ["check", "check", "check"]
            if raises < 3:
                kinds.append("raise" if top else "bet")
            kind = self.dice.choice(("check", "fold", "bet", "call") if self.slips() else kinds)
            if kind == "fold":
                self.live.remove(seat)
                self.add(kind, seat)
            elif kind == "check":
                self.add(kind, seat)
            elif kind == "call":
                amounts[seat] += self.pay(kind, seat, due)
            else:
                level = top + size if top % size == 0 or self.slips() else (top // size + 1) * size
                amounts[seat] += self.pay(kind, seat, level - amounts[seat])
                if amounts[seat] > top:
                    self.bettor = seat
                    raises += 1

    def worth(self, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return best(frozenset(c for c in map(code, [*self.held[seat], *self.board]) if c is not None))

    def settle(self) -> None:
        """The showdown; each pot goes to the best hands in it, odd chips to the highest card of the five."""
        compared = len(self.live) > 1 and all(len(self.held[s]) + len(self.board) > 4 for s in self.live)
        levels = sorted({self.paid[s] for s in self.live} - {0})
        top: tuple[int, ...] = ()
        for seat in self.ring(self.live, self.bettor - 1) if compared else ():
            # Whoever is beaten may have a side pot to win.
            if self.worth(seat)[0] >= top or len(levels) > 1 or chance(self.dice, 50):
                top = max(top, self.worth(seat)[0])
                for card in self.held[seat]:
                    self.add("show", seat, card=card)
            else:
                self.add("muck", seat)
        low = 0
        for pot, high in enumerate(levels):
            over = max(self.paid.values()) if high == levels[-1] else high
            chips = sum(max(min(paid, over) - low, 0) for paid in self.paid.values())
            low = high
            sharing = [s for s in self.live if self.paid[s] >= high]
            if compared:
                most = max(self.worth(s)[0] for s in sharing)
                sharing = [s for s in sharing if self.worth(s)[0] == most]
            share, rest = divmod(chips, len(sharing))
            lucky = max(sharing, key=lambda s: self.worth(s)[1][0]) if compared else sharing[0]
            if self.slips():
                lucky = self.dice.choice(self.seats)
            for seat in sharing:
                amount = share + (rest if seat == lucky else 0)
                self.add("award", seat, amount=amount, pot=pot)

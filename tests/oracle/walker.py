"""A hand followed event by event: who is in, what lies where, what was paid. It judges nothing.

``Table`` is the state. ``enter`` moves it into the round that an event belongs to, ``apply`` lets the
event happen; rules look in between. A hand is walked twice: first to learn what only the whole log
tells (``Foresight``), then with the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from .cards import code

ACTIONS = frozenset("forced_bet check bet call raise fold".split())
WAGERS = frozenset("forced_bet bet call raise".split())
LEAVES = frozenset("burn deal community".split())
FACES = {"down": 0, "up": 1}
LAST_ROUND = {"seven-card-stud": 5, "five-card-stud": 4}
FULL_HAND = {"seven-card-stud": 7, "five-card-stud": 5}
FIRST_CARDS = {"seven-card-stud": 3, "five-card-stud": 2}


class Event(NamedTuple):
    """Event number ``at`` of the hand. Unknown: card or face None, pot -1; nobody: seat 0."""

    at: int
    kind: str
    seat: int
    card: int | None
    face: int | None
    amount: int
    pot: int


def read(hand: dict[str, Any]) -> list[Event]:
    """The events of one JSON Lines record, in order."""
    return [
        Event(
            index,
            e["kind"],
            e.get("seat") or 0,
            code(e.get("card")),
            FACES.get(e.get("face", "")),
            e.get("amount") or 0,
            e["pot"] if e.get("pot") is not None else -1,
        )
        for index, e in enumerate(hand["events"])
    ]


def clockwise(seats: Iterable[int], after: int) -> list[int]:
    """The seats in the order in which they come round, beginning with the first above ``after``."""
    ring = sorted(seats)
    return [s for s in ring if s > after] + [s for s in ring if s <= after]


@dataclass(eq=False)
class Card:
    """A card dealt to a seat."""

    code: int | None
    face: int | None
    exposed: bool = False
    shown: bool = False

    @property
    def up(self) -> bool:
        return self.face == 1 or self.exposed


@dataclass(eq=False)
class Round:
    """One dealing and betting round. ``stub``, ``pile`` (burns) and ``due`` are counts at its start."""

    number: int
    stub: int
    pile: int
    due: int
    burns: int = 0
    deals: int = 0
    communities: int = 0
    touched: bool = False
    got: dict[int, int] = field(default_factory=dict)
    last_dealt: int | None = None
    first_card: Card | None = None
    first_open: bool = False
    flashed: list[int | None] = field(default_factory=list)
    stub_after_shuffle: int | None = None
    burns_before_shuffle: int = 0
    amounts: dict[int, int] = field(default_factory=dict)
    levels: list[int] = field(default_factory=list)
    raises: list[tuple[int, bool, bool]] = field(default_factory=list)
    acted: set[int] = field(default_factory=set)
    opener: int | None = None
    last_actor: int = 0
    aggressor: int | None = None
    wagered: bool = False
    caps: list[int] = field(default_factory=list)
    shows: int = 0
    settled: bool = False
    ended: bool = False

    @property
    def top(self) -> int:
        """The largest amount that anybody has in the round."""
        return max(self.amounts.values(), default=0)


@dataclass(eq=False)
class Exposure:
    """A card of the stub that was shown while betting was open, and what left the deck first after it."""

    card: int | None
    again: bool = False
    burnt: Event | None = None


class Swap(NamedTuple):
    """A card taken back in round 1; ``ups`` says which of the seat's first three cards had come face up."""

    seat: int
    card: int | None
    ups: tuple[int, ...]


class Pot(NamedTuple):
    """One layer of the contributions: everything between ``floor`` and ``level`` of each seat."""

    floor: int
    level: int
    amount: int


@dataclass(frozen=True)
class Foresight:
    """What a rule may know of the rest of the hand."""

    tainted: frozenset[int] = frozenset()
    first_seventh_open: bool = False
    awards: tuple[Event, ...] = ()
    last_play: int = -1
    dealt: frozenset[int] = frozenset()
    antes: tuple[Event, ...] = ()


class Table:
    """The state of a hand. ``stack(seat)`` is None where the log does not record it."""

    def __init__(
        self,
        hand: dict[str, Any],
        foresight: Foresight = Foresight(),
        assumptions: dict[str, str] | None = None,
    ) -> None:
        self.hand = hand
        self.game: str = hand["game"]
        self.records = frozenset(hand.get("records") or ())
        self.stacks: dict[int, int | None] = {s["seat"]: s.get("stack") for s in hand["seats"]}
        self.foresight = foresight
        self.assumptions = assumptions or {}
        self.last = LAST_ROUND[self.game]

        self.in_hand: set[int] = set()
        self._active: list[int] = []
        self.folded: set[int] = set()
        self.mucked: set[int] = set()
        self.shown: set[int] = set()
        self.forced: set[int] = set()
        self.dead: set[int] = set()
        self.was_dead: set[int] = set()
        self.left_round: int | None = None

        self.cards: dict[int, list[Card]] = {}
        self.initial: dict[int, list[Card]] = {}
        self.board: list[int | None] = []
        self.pile: list[int | None] = []
        self.aside: list[int | None] = []
        self.where: dict[int, int | str] = {}
        self.stub = 52
        self.unnamed_burns = 0
        self.first_seat: int | None = None
        self.owed: set[int] = set()
        self.swaps: list[Swap] = []
        self.early_burns = 0
        self.exposure: Exposure | None = None

        self.paid: dict[int, int] = {}
        self.won: dict[int, int] = {}
        self.awards: list[Event] = []
        self.rakes: list[Event] = []

        self.round = Round(1, 52, 0, 0)
        self.closed: Round | None = None
        self.openers: dict[int, int] = {}
        self.tainted: set[int] = set(foresight.tainted)
        self.defects: list[str] = []

    # Seats

    def active(self) -> list[int]:
        return self._active

    def _join(self, seat: int) -> None:
        if seat not in self.in_hand:
            self.in_hand.add(seat)
            self._active = sorted(self.in_hand - self.folded)

    def due(self) -> list[int]:
        """Positions that a dealing round serves."""
        return sorted({*self._active, *self.dead}) if self.dead else self._active

    def stack(self, seat: int) -> int | None:
        stack = self.stacks.get(seat)
        return stack if stack is not None and stack >= 0 and "stacks" in self.records else None

    def all_in(self, seat: int, adding: int = 0) -> bool:
        """All of a recorded stack is in the pot, or is with ``adding`` more chips."""
        stack = self.stack(seat)
        return stack is not None and self.paid.get(seat, 0) + adding >= stack

    def must_act(self, rnd: Round, excused: Iterable[int] = ()) -> list[int]:
        """The seats that have to act in the round, if the ``excused`` are taken to be all-in."""
        active = self.active()
        if len(active) < 2:
            return []
        able = [s for s in active if not self.all_in(s) and s not in excused]
        top = rnd.top
        behind = [s for s in able if rnd.amounts.get(s, 0) < top]
        if len(able) <= 1:
            return behind
        return [s for s in able if s in behind or s not in rnd.acted]

    def has_its_cards(self, rnd: Round, seat: int) -> bool:
        need = FIRST_CARDS[self.game] if rnd.number == 1 else 1
        return rnd.communities > 0 or rnd.got.get(seat, 0) >= need

    def lacking(self, rnd: Round, seats: Iterable[int]) -> list[int]:
        return [s for s in seats if not self.has_its_cards(rnd, s)]

    def complete(self, rnd: Round) -> bool:
        """Every position due has its card or cards of the round."""
        due = self.due()
        return bool(due) and not self.lacking(rnd, due)

    def first_due(self) -> int:
        """The position due first in a dealing round, counted from the dealer's left; 0 if there is none."""
        dealer = self.hand.get("dealer_position")
        after = dealer if dealer is not None and dealer >= 0 else (self.first_seat or 1) - 1
        return next(iter(clockwise(self.due(), after)), 0)

    def showdown(self) -> bool:
        return self.round.number == self.last and len(self.active()) > 1

    def stops_play(self, event: Event) -> bool:
        """An award, or a hand tabled or mucked with no more play to come, ends the betting. What a
        folded player does with the cards ends nothing."""
        if event.kind == "award":
            return True
        return (
            event.kind in ("show", "muck")
            and event.seat in self._active
            and (self.round.number == self.last or event.at > self.foresight.last_play)
        )

    # Chips

    def pots(self) -> list[Pot]:
        """Main pot first. What a folded seat paid above everybody left lies in the last one."""
        levels = sorted({self.paid.get(s, 0) for s in self.active()} - {0})
        pots = [
            Pot(low, high, sum(max(min(p, high) - low, 0) for p in self.paid.values()))
            for low, high in pairwise([0, *levels])
        ]
        if pots:
            over = sum(max(p - levels[-1], 0) for p in self.paid.values())
            pots[-1] = pots[-1]._replace(amount=pots[-1].amount + over)
        return pots

    def contenders(self, pot: Pot) -> list[int]:
        return [s for s in self.active() if s not in self.mucked and self.paid.get(s, 0) >= pot.level]

    def pots_of(self, award: Event) -> list[Pot]:
        """The pots that the award may be of: the one it names, the only one, else any the seat shares in."""
        pots = self.pots()
        if 0 <= award.pot < len(pots):
            return [pots[award.pot]]
        if len(pots) == 1:
            return pots
        return [p for p in pots if self.paid.get(award.seat, 0) >= p.level]

    # The two steps

    def enter(self, event: Event) -> None:
        """Begin the next round if the event starts it; ``closed`` is then the round it ended."""
        self.closed = None
        if not self._starts_round(event):
            return
        self.closed = self.round
        pile = len(self.pile) + len(self.aside)
        self.round = Round(self.closed.number + 1, self.stub, pile, len(self.due()))
        if self.round.number == 2:
            self.round.burns = self.early_burns
        self.owed.clear()

    def is_replaced_card(self, event: Event) -> bool:
        """A burn of the card taken back (19.15); an unnamed one is given the benefit of the doubt."""
        return event.kind == "burn" and bool(self.aside) and (event.card is None or event.card in self.aside)

    def _starts_round(self, event: Event) -> bool:
        rnd = self.round
        if rnd.number == self.last or event.kind not in LEAVES | {"reshuffle"}:
            return False
        if event.kind == "deal" and event.seat in self.owed:
            return False
        if rnd.opener is not None:
            return True
        if event.kind == "deal":
            return self.has_its_cards(rnd, event.seat)
        if rnd.number == 1 and self.is_replaced_card(event):
            return False
        # A reshuffle before anybody acted belongs to the next round only if nobody has to act in this one.
        return self.complete(rnd) and (event.kind != "reshuffle" or not self.must_act(rnd))

    def apply(self, event: Event) -> None:
        """Let the event happen."""
        if event.kind in ACTIONS or (event.kind in ("show", "award") and self.stops_play(event)):
            self.round.settled = True
        if self.stops_play(event):
            self.round.ended = True
        if event.kind in ACTIONS:
            self._act(event)
        else:
            getattr(self, f"_{event.kind}", lambda _: None)(event)

    def _act(self, event: Event) -> None:
        rnd, seat = self.round, event.seat
        if rnd.opener is None:
            rnd.opener = self.openers[rnd.number] = seat
        if event.kind == "forced_bet":
            self._join(seat)
            self.forced.add(seat)
        if event.kind == "raise":
            forced_only = rnd.aggressor is None and len(rnd.levels) == 1
            short = self.stack(seat) is None or self.all_in(seat, event.amount)
            rnd.raises.append((rnd.amounts.get(seat, 0) + event.amount - rnd.top, forced_only, short))
        if event.kind == "fold":
            if seat in self._active:
                self.folded.add(seat)
                self._active.remove(seat)
                if seat in self.forced or not rnd.wagered:
                    self.dead.add(seat)
                if self.left_round is None and len(self.active()) == 1:
                    self.left_round = rnd.number
        elif event.kind in WAGERS and event.amount > 0:
            self._pay_in_round(event)
            rnd.wagered = True
            self.was_dead |= self.dead
            self.dead.clear()
        if event.kind in ("bet", "raise"):
            rnd.aggressor = seat
        rnd.acted.add(seat)
        rnd.last_actor = seat

    def _pay(self, event: Event) -> None:
        self.paid[event.seat] = self.paid.get(event.seat, 0) + event.amount

    def _pay_in_round(self, event: Event) -> None:
        top = self.round.top
        self._pay(event)
        amounts = self.round.amounts
        amounts[event.seat] = amounts.get(event.seat, 0) + event.amount
        if amounts[event.seat] > top:
            self.round.levels.append(amounts[event.seat])

    def _ante(self, event: Event) -> None:
        self._join(event.seat)
        self._pay(event)

    def _blind(self, event: Event) -> None:
        self._join(event.seat)
        self._pay_in_round(event)

    def _return(self, event: Event) -> None:
        paid = self.paid.get(event.seat, 0)
        if event.amount > paid:
            self.defects.append(f"return: seat {event.seat} gets back {event.amount} of {paid}")
        self.paid[event.seat] = max(paid - event.amount, 0)
        amounts = self.round.amounts
        amounts[event.seat] = max(amounts.get(event.seat, 0) - event.amount, 0)

    def _award(self, event: Event) -> None:
        self.awards.append(event)
        self.won[event.seat] = self.won.get(event.seat, 0) + event.amount

    def _rake(self, event: Event) -> None:
        self.rakes.append(event)

    # Cards

    def _duplicate(self, card: int, event: Event) -> None:
        self.tainted.add(card)
        self.defects.append(f"duplicate-card: {self.hand['events'][event.at]['card']} at event {event.at}")

    def _leave(self, event: Event, place: int | str) -> None:
        """A card leaves the deck, or the set-aside card goes where it now belongs."""
        self.round.touched = True
        if event.card in self.aside:
            self.aside.remove(event.card)
        elif self.is_replaced_card(event):
            self.aside.pop(0)
        else:
            if self.stub == 0:
                self.defects.append(f"deck-exhausted: no card left at event {event.at}")
            self.stub = max(self.stub - 1, 0)
            if event.card is not None and event.card in self.where:
                self._duplicate(event.card, event)
        if event.card is not None:
            self.where[event.card] = place

    def _burn(self, event: Event) -> None:
        if self.round.number == 1 and self.is_replaced_card(event):
            self.early_burns += 1
        self.round.burns += 1
        self._leave(event, "burn")
        self.pile.append(event.card)
        self.unnamed_burns += event.card is None
        if self.exposure is not None and self.exposure.burnt is None:
            self.exposure.burnt = event

    def _deal(self, event: Event) -> None:
        rnd, seat = self.round, event.seat
        card = Card(event.card, event.face)
        for flash in {event.card, None} & set(rnd.flashed):
            rnd.flashed.remove(flash)
            card.exposed = True
        self._leave(event, seat)
        self.cards.setdefault(seat, []).append(card)
        self._join(seat)
        if self.first_seat is None:
            self.first_seat = seat
        rnd.got[seat] = rnd.got.get(seat, 0) + 1
        if seat in self.owed:
            self.owed.discard(seat)
        else:
            if rnd.number == 1:
                self.initial.setdefault(seat, []).append(card)
            if rnd.first_card is None:
                rnd.first_card, rnd.first_open = card, card.up
            rnd.deals += 1
            rnd.last_dealt = seat
        self.exposure = None

    def _community(self, event: Event) -> None:
        self._leave(event, "board")
        self.board.append(event.card)
        self.round.communities += 1
        self.exposure = None

    def _reshuffle(self, event: Event) -> None:
        back = self.pile + self.aside
        for card in back:
            if card is not None:
                self.where.pop(card, None)
        self.stub += len(back)
        self.pile, self.aside = [], []
        self.round.stub_after_shuffle = self.stub
        self.round.burns_before_shuffle = self.round.burns
        self.exposure = None

    def _replace(self, event: Event) -> None:
        held = self.cards.get(event.seat, [])
        blank = next((c for c in reversed(held) if c.code is None), None)
        card = next((c for c in held if c.code == event.card), None)
        if card is None and event.card is not None and event.card not in self.where:
            card = blank
        if card is None and event.card is None and held:
            card = held[-1]
        if card is None:
            self.defects.append(f"replace: seat {event.seat} does not hold that card, event {event.at}")
        else:
            held.remove(card)
            taken = event.card if event.card is not None else card.code
            self.aside.append(taken)
            if taken is not None:
                self.where[taken] = "aside"
            if self.round.number == 1:
                self.swaps.append(Swap(event.seat, taken, self.ups(event.seat)))
        self.owed.add(event.seat)
        self.round.got[event.seat] = max(self.round.got.get(event.seat, 0) - 1, 0)

    def ups(self, seat: int) -> tuple[int, ...]:
        """Which of the first three cards of the seat came face up, substitutes not counted."""
        return tuple(i for i, card in enumerate(self.initial.get(seat, [])[:3]) if card.up)

    def _show(self, event: Event) -> None:
        if event.seat in self._active:
            self.shown.add(event.seat)
            self.round.shows += 1
        if event.card is None:
            return
        held = self.cards.get(event.seat, [])
        card = next((c for c in held if c.code == event.card), None)
        if card is None:
            if event.card in self.where:
                self._duplicate(event.card, event)
            card = min((c for c in held if c.code is None), key=lambda c: c.up, default=None)
            if card is not None:
                card.code = event.card
                self.where.setdefault(event.card, event.seat)
            elif event.card not in self.where:
                self.defects.append(f"show: seat {event.seat} shows more than it holds, event {event.at}")
        if card is not None:
            card.shown = True

    def _muck(self, event: Event) -> None:
        # The last claimant needs no cards to take the pot: only a hand that has rivals can be given up.
        rivals = set(self.active()) - self.mucked - {event.seat}
        if self.showdown() and rivals and event.seat not in self.folded:
            self.mucked.add(event.seat)

    def _expose(self, event: Event) -> None:
        rnd = self.round
        if event.card is not None and isinstance(self.where.get(event.card), str):
            return  # burnt, on the board or set aside: neither a hand nor the stub shows it
        card = self._exposed_in_hand(event)
        if card is not None:
            if rnd.opener is None:
                card.exposed = True
                if card is rnd.first_card and rnd.deals == 1:
                    rnd.first_open = True
        elif rnd.opener is None and not self.complete(rnd):
            rnd.flashed.append(event.card)
        elif self.must_act(rnd):
            rnd.caps.append(rnd.top)
            self.exposure = Exposure(event.card, again=self.exposure is not None)

    def _exposed_in_hand(self, event: Event) -> Card | None:
        """The card, dealt already, that the dealer exposed; None if it is a card of the stub."""
        if event.card is not None and event.card in self.where:
            return next(c for c in self.cards[int(self.where[event.card])] if c.code == event.card)
        rnd = self.round
        seat = event.seat if event.card is not None or self.complete(rnd) else event.seat or rnd.last_dealt
        if rnd.opener is not None or not seat or seat not in rnd.got:
            return None
        card = self.cards[seat][-1]
        if event.card is not None and card.code is None:
            card.code = event.card
            self.where[event.card] = seat
        return card if event.card in (None, card.code) else None


def judged(events: list[Event]) -> list[Event]:
    """The events before a misdeal: with it the hand is over."""
    end = next((e.at for e in events if e.kind == "misdeal"), len(events))
    return events[:end]


def scout(hand: dict[str, Any], events: list[Event]) -> tuple[Foresight, list[str]]:
    """Walk the hand once without judging: what lies ahead, and what contradicts itself in it."""
    table = Table(hand)
    events = judged(events)
    for event in events:
        table.enter(event)
        table.apply(event)
    play = ACTIONS | LEAVES | {"reshuffle"}
    foresight = Foresight(
        tainted=frozenset(table.tainted),
        first_seventh_open=table.round.number == table.last and table.round.first_open,
        awards=tuple(table.awards),
        last_play=max((e.at for e in events if e.kind in play), default=-1),
        dealt=frozenset(table.cards),
        antes=tuple(e for e in events if e.kind == "ante"),
    )
    return foresight, table.defects

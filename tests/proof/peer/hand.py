"""A hand of the log as it stands after each event, worked out from the log alone.

It knows neither pokerkit nor the auditor, and judges nothing: the kinds of difference are checked on it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from auditor.cards import CARDS
from auditor.handlog import FACES, KINDS, RECORDS

ROUNDS = {"seven-card-stud": 5, "five-card-stud": 4}
FIRST_CARDS = {"seven-card-stud": 3, "five-card-stud": 2}
CARDS_OF_THE_DECK = ("deal", "community", "burn", "reshuffle")


@dataclass(frozen=True)
class Event:
    """One event of the log, its kind in words; a card is a code, -1 not known."""

    kind: str
    seat: int
    card: int
    face: int
    amount: int
    pot: int

    def __str__(self) -> str:
        words = [self.kind, str(self.seat) if self.seat else ""]
        words += [CARDS[self.card] if self.card >= 0 else "", FACES[self.face] if self.face >= 0 else ""]
        words += [str(self.amount) if self.amount else "", f"pot {self.pot}" if self.pot >= 0 else ""]
        return " ".join(word for word in words if word)


@dataclass
class Hand:
    """The table's conditions, the events, and where the hand stands after those that were taken in.

    ``stacks`` are the chips at the start by seat, in the order of the seats.
    """

    hand_id: str
    game: str
    structure: str
    small_bet: int
    big_bet: int
    min_bet: int
    max_bet: int
    ante: int
    forced_bet: int
    raise_cap: int | None
    chip_unit: int
    stacks: dict[int, int]
    events: list[Event]
    down_cards_known: bool
    # where it stands
    round: int = 1
    paid: Counter[int] = field(default_factory=Counter)
    anted: Counter[int] = field(default_factory=Counter)
    awarded: Counter[int] = field(default_factory=Counter)
    folded: set[int] = field(default_factory=set)
    dead: set[int] = field(default_factory=set)  # folded positions that go on receiving cards
    cards: dict[int, list[tuple[int, int]]] = field(default_factory=dict)  # card and face by seat
    replaced: int | None = None  # the card of the initial deal that becomes the first burn
    substitute_due: bool = False
    community: int | None = None
    forced_by: int = 0
    opener: int = 0
    opened_before: int = 0
    # the round
    bets: Counter[int] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)  # by how much each bet or raise went up
    full: int = 0  # the largest amount that was a full bet
    acted: set[int] = field(default_factory=set)
    dealt: int = 0
    wanted: int = 0  # cards that the round's deal takes
    first_up: bool = False  # the round's first card was seen by all
    reshuffled: bool = False
    stub: int = 52
    burns: int = 0
    stub_at_start: int = 52

    @classmethod
    def of(cls, row: dict[str, Any]) -> Hand:
        """The hand in one row of the log as Python values."""
        events = [
            Event(KINDS[e["kind"]], *(e[name] for name in ("seat", "card", "face", "amount", "pot")))
            for e in row["events"]
        ]
        stacks = {seat["seat"]: seat["stack"] for seat in row["seats"]}
        names = "hand_id game structure small_bet big_bet min_bet max_bet ante forced_bet raise_cap".split()
        return cls(
            **{name: row[name] for name in names},
            chip_unit=row["chip_unit"],
            stacks=stacks,
            wanted=len(stacks) * FIRST_CARDS[row["game"]],
            events=_named(events),
            down_cards_known=bool(row["records"] >> RECORDS.index("down_cards") & 1),
        )

    @property
    def top(self) -> int:
        """The largest amount of the round."""
        return max(self.bets.values(), default=0)

    @property
    def active(self) -> list[int]:
        return [seat for seat in self.stacks if seat not in self.folded]

    @property
    def due(self) -> int:
        """Positions that a dealing round serves."""
        return len(self.active) + len(self.dead)

    @property
    def full_bet(self) -> int:
        if self.structure != "fixed":
            return self.min_bet
        return self.small_bet if self.round <= 2 else self.big_bet

    @property
    def seventh_up(self) -> bool:
        """Whether the first card of Seven Card Stud's final round lay open."""
        return self.game == "seven-card-stud" and self.round == ROUNDS[self.game] and self.first_up

    def left(self, seat: int) -> int:
        """Chips in front of the seat."""
        return self.stacks[seat] - self.paid[seat]

    def all_in(self, seat: int) -> bool:
        return self.left(seat) == 0

    def up(self, seat: int) -> list[int]:
        return [card for card, face in self.cards.get(seat, []) if face == 1]

    def clockwise(self, seat: int) -> list[int]:
        """The seats in turn, from the one after ``seat`` to itself."""
        seats = list(self.stacks)
        return [s for s in seats if s > seat] + [s for s in seats if s <= seat]

    def take(self, event: Event) -> None:
        """Let an event happen."""
        if event.kind in CARDS_OF_THE_DECK and self.dealt >= self.wanted and not self.substitute_due:
            self._next_round()
        getattr(self, f"_{event.kind}", self._nothing)(event)

    def _nothing(self, event: Event) -> None:
        pass

    def _next_round(self) -> None:
        self.round += 1
        self.bets.clear()
        self.sizes.clear()
        self.acted.clear()
        self.full = self.dealt = 0
        self.wanted = self.due
        self.first_up = self.reshuffled = False
        self.stub_at_start = self.stub
        self.opened_before, self.opener = self.opener, 0

    def _ante(self, event: Event) -> None:
        self.paid[event.seat] += event.amount
        self.anted[event.seat] += event.amount

    def _deal(self, event: Event) -> None:
        self.stub -= 1
        self.cards.setdefault(event.seat, []).append((event.card, event.face))
        if self.substitute_due:
            self.substitute_due = False
            return
        if self.dealt == 0:
            self.first_up = event.face == 1
        self.dealt += 1

    def _replace(self, event: Event) -> None:
        self.cards[event.seat].remove((event.card, 1))
        self.replaced = event.card
        self.substitute_due = True

    def _expose(self, event: Event) -> None:
        if event.seat:
            card, _ = self.cards[event.seat].pop()
            self.cards[event.seat].append((card, 1))
            self.first_up |= self.dealt == 1

    def _community(self, event: Event) -> None:
        self.community = event.card
        self.stub -= 1
        self.dealt = self.wanted

    def _burn(self, event: Event) -> None:
        self.burns += 1
        self.stub -= event.card != self.replaced

    def _reshuffle(self, event: Event) -> None:
        self.stub += self.burns
        self.burns = 0
        self.reshuffled = True

    def _act(self, event: Event) -> None:
        if not self.acted:
            self.opener = event.seat
        self.acted.add(event.seat)

    def _check(self, event: Event) -> None:
        self._act(event)

    def _fold(self, event: Event) -> None:
        if self.top == 0 or event.seat == self.forced_by:
            self.dead.add(event.seat)
        self.folded.add(event.seat)
        self._act(event)

    def _forced_bet(self, event: Event) -> None:
        self.forced_by = event.seat
        self._wager(event)

    def _call(self, event: Event) -> None:
        self._wager(event)

    def _bet(self, event: Event) -> None:
        self._raise(event)

    def _raise(self, event: Event) -> None:
        before = self.top
        self._wager(event)
        size = self.top - before
        self.sizes.append(size)
        if size >= self.full_bet or self.top >= self.full + self.full_bet:
            self.full = self.top

    def _wager(self, event: Event) -> None:
        self.paid[event.seat] += event.amount
        self.bets[event.seat] += event.amount
        self.dead.clear()
        self._act(event)

    def _return(self, event: Event) -> None:
        self.paid[event.seat] -= event.amount

    def _award(self, event: Event) -> None:
        self.awarded[event.seat] += event.amount


def _named(events: list[Event]) -> list[Event]:
    """Unnamed down cards get names: those exposed or shown, else any that the log does not name.

    What a player holds who never shows decides nothing; that each card is some card does.
    """
    shuffled = max((at for at, event in enumerate(events) if event.kind == "reshuffle"), default=0)
    lying = {event.card for event in events[shuffled:] if event.kind == "burn"}
    lying |= {event.card for event in events if event.kind in ("deal", "community", "show")}
    burnt = [event.card for event in events[:shuffled] if event.kind == "burn" and event.card not in lying]
    # Burns come last: only a reshuffle lets them be dealt, and then the other cards are out.
    free = iter([*sorted(set(range(52)) - {event.card for event in events}), *burnt])
    named = list(events)
    for at, event in enumerate(events[1:]):
        if event.kind == "expose" and event.seat and events[at].kind == "deal":
            named[at] = replace(events[at], card=event.card)
    shown: dict[int, list[int]] = {}
    for event in events:
        if event.kind == "show":
            shown.setdefault(event.seat, []).append(event.card)
    for event in named:
        if event.kind == "deal" and event.card in shown.get(event.seat, []):
            shown[event.seat].remove(event.card)
    for at, event in enumerate(named):
        if event.kind == "deal" and event.card < 0:
            owned = shown.get(event.seat)
            named[at] = replace(event, card=owned.pop(0) if owned else next(free))
    return named

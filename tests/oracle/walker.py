"""A hand followed event by event: who is in, what lies where, what was paid. It judges nothing.

``Table`` is the state. ``enter`` moves it into the round that an event belongs to, ``apply`` lets the
event happen; rules look in between. A hand is walked first to learn what only the whole log tells
(``Foresight``), then with the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

from .cards import code

ACTIONS = frozenset("forced_bet check bet call raise fold".split())
WAGERS = frozenset("forced_bet bet call raise".split())
LEAVES = frozenset("burn deal community".split())
FACES = {"down": 0, "up": 1}
BUTTON_GAMES = ("button-game-14", "button-game-15")
"""Games in which each round brings one community card, and only the first one cards to the players."""
LAST_ROUND = {"seven-card-stud": 5, "five-card-stud": 4, "button-game-14": 5, "button-game-15": 5}
FULL_HAND = {"seven-card-stud": 7, "five-card-stud": 5, "button-game-15": 8}
"""Cards of a whole hand, where the schedule tells."""
FIRST_CARDS = {"seven-card-stud": 3, "five-card-stud": 2, "button-game-14": 1, "button-game-15": 3}


class Event(NamedTuple):
    """Event number ``at`` of the hand, and kind and seat of the next one that is no ruling, exposure, burn or
    shuffle; ``then_exposed`` says that an exposure follows, rulings apart. Unknown: card or face None,
    pot -1; nobody: seat 0; no next event: ``""``."""

    at: int
    kind: str
    seat: int
    card: int | None
    face: int | None
    amount: int
    pot: int
    next_kind: str = ""
    next_seat: int = 0
    then_exposed: bool = False


def read(hand: dict[str, Any]) -> list[Event]:
    """The events of one JSON Lines record, in order."""
    events: list[Event] = []
    following = ("", 0, False)
    for index, e in reversed(list(enumerate(hand["events"]))):
        seat = e.get("seat") or 0
        events.append(
            Event(
                index,
                e["kind"],
                seat,
                code(e.get("card")),
                FACES.get(e.get("face") or ""),
                e.get("amount") or 0,
                e["pot"] if e.get("pot") is not None else -1,
                *following,
            )
        )
        if e["kind"] in ("expose", "burn", "reshuffle"):
            following = *following[:2], e["kind"] == "expose"
        elif e["kind"] != "ruling":
            following = e["kind"], seat, False
    return events[::-1]


def clockwise(seats: Iterable[int], after: int) -> list[int]:
    """The seats in the order in which they come round, beginning with the first above ``after``."""
    ring = sorted(seats)
    return [s for s in ring if s > after] + [s for s in ring if s <= after]


@dataclass(eq=False)
class Card:
    """A card dealt to a seat; ``doubled`` if its name was that of another one, which has been taken back."""

    code: int | None
    face: int | None
    exposed: bool = False
    doubled: bool = False

    @property
    def up(self) -> bool:
        return self.face == 1 or self.exposed


@dataclass(eq=False)
class Round:
    """One dealing and betting round. ``stub`` (perhaps ``slack`` more), ``pile`` (burns) and ``due`` are
    counts at its start.

    ``burns`` counts those since the last shuffle (``burns_otherwise`` more if a burn in round one was, or was
    not, the card taken back); ``full`` is the amount up to which its bets are full bets,
    ``forced`` its largest forced bet or blind; ``settled`` says that its dealing is over."""

    number: int
    stub: int
    pile: int
    due: int
    slack: int = 0
    burns: int = 0
    burns_otherwise: int = 0
    burns_shuffled: int = 0
    reshuffles: int = 0
    deals: int = 0
    communities: int = 0
    touched: bool = False
    got: dict[int, int] = field(default_factory=dict)
    last_dealt: int = 0
    first_card: Card | None = None
    first_open: bool = False
    perhaps_open: bool = False
    amounts: dict[int, int] = field(default_factory=dict)
    full: int = 0
    forced: int = 0
    raises: int = 0
    full_raises: int = 0
    acted: set[int] = field(default_factory=set)
    opener: int | None = None
    last_actor: int = 0
    aggressor: int | None = None
    called: bool = False
    wagered: bool = False
    caps: list[tuple[str, int]] = field(default_factory=list)
    settled: bool = False

    @property
    def top(self) -> int:
        """The largest amount that anybody has in the round."""
        return max(self.amounts.values(), default=0)


@dataclass(eq=False)
class Exposure:
    """A card of the stub, or perhaps of elsewhere, that was shown while betting was open; what was
    burnt after it, and which of these burns were, or may have been, of cards taken back from players."""

    card: int | None
    perhaps_elsewhere: bool = False
    burnt: list[tuple[Event, bool | None]] = field(default_factory=list)


class Pot(NamedTuple):
    """One layer of the contributions: its chips, and the seats in the hand that put in all of it."""

    amount: int
    seats: frozenset[int]


@dataclass(frozen=True)
class Foresight:
    """What a rule may know of the rest of the hand."""

    tainted: frozenset[int] = frozenset()
    awards: tuple[Event, ...] = ()
    rakes: tuple[Event, ...] = ()
    last_play: int = -1
    dealt: frozenset[int] = frozenset()
    shown: frozenset[int] = frozenset()
    named: Mapping[int, int] = field(default_factory=dict)
    tabled: frozenset[int] = frozenset()
    last_shuffle: int = -1
    any_ante: bool = False
    anted: Mapping[int, int] = field(default_factory=dict)


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
        self.buttoned = self.game in BUTTON_GAMES
        self.last_blind = 0

        self.in_hand: set[int] = set()
        self._active: list[int] = []
        self.folded: set[int] = set()
        self.mucked: set[int] = set()
        self.shown: set[int] = set()
        self.forced: set[int] = set()
        self.dead: set[int] = set()
        self.was_dead: set[int] = set()
        self.doubtful: set[int] = set()
        self.vague: set[int] = set()
        self.unclear: set[int] = set()
        self.maybe_gone: set[int] = set()
        self.dim: set[int] = set()
        self.left_round: int | None = None

        self.cards: dict[int, list[Card]] = {}
        self.known: dict[int, set[int]] = {}
        self.tabled: dict[int, set[int]] = {}
        self.seen_by_all: set[int] = set()
        self.initial: dict[int, list[Card]] = {}
        self.board: list[int | None] = []
        self.pile: list[int | None] = []
        self.aside: set[int] = set()
        self.where: dict[int, int | str] = {}
        self.stub = 52
        self.unnamed = 0
        self.left: dict[int, int] = {}
        self.first_seat: int | None = None
        self.owed: set[int] = set()
        self.taken: list[tuple[int, int | None]] = []
        self.lying = 0
        self.blind = 0
        self.perhaps_burnt: set[int] = set()
        self.turned: dict[int, list[Card]] = {}
        self.early_burn = False
        self.burns_otherwise = 0
        self.burnt_since = False
        self.flashes: list[int | None] = []
        self.surely_next = False
        self.flash_seat = 0
        self.out_of_turn: set[int] = set()
        self.unnamed_burn = False
        self.exposures: list[Exposure] = []

        self.antes: dict[int, int] = {}
        self.first_ante: int | None = None
        self.paid: dict[int, int] = {}
        self.awards: list[Event] = []
        self.rakes: list[Event] = []
        self.pots: list[Pot] = []
        self.shows = 0
        self.ended = False
        self.showdown = False
        self.stops = False

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

    def must_act(self, rnd: Round, *, surely: bool = False) -> list[int]:
        """The seats that have to act in the round; surely, if who may be all-in for all we know is so."""
        active = self.active()
        if len(active) < 2:
            return []
        able = [s for s in active if not self.all_in(s) and not (surely and self.stack(s) is None)]
        top = rnd.top
        behind = [s for s in able if rnd.amounts.get(s, 0) < top]
        if len(able) <= 1:
            return behind
        return [s for s in able if s in behind or s not in rnd.acted]

    def has_its_cards(self, rnd: Round, seat: int) -> bool:
        need = FIRST_CARDS[self.game] if rnd.number == 1 else 1
        return rnd.got.get(seat, 0) >= need

    def lacking(self, rnd: Round, seats: Iterable[int]) -> list[int]:
        return [s for s in seats if not self.has_its_cards(rnd, s)]

    def full_hand(self) -> int:
        """The cards of a whole hand; in section 14 as many as the board has and the seat dealt the most."""
        return FULL_HAND.get(self.game) or 5 + max(map(len, self.cards.values()), default=0)

    def complete(self, rnd: Round) -> bool:
        """Every position that is certainly due has its card or cards of the round."""
        due = [s for s in self.due() if s not in self.doubtful]
        return not self.lacking(rnd, due)

    # Chips

    def full_bet(self) -> int:
        """The smallest full bet of the round, 0 where the table has none on record."""
        bet: int | None = None
        if self.hand.get("structure") == "fixed":
            bet = (self.round.number > 2 and self.hand.get("big_bet")) or self.hand.get("small_bet")
        elif self.hand.get("structure") == "spread":
            bet = self.hand.get("min_bet")
        return bet or 0

    def _layers(self) -> list[Pot]:
        """Main pot first. What a folded seat paid above everybody left lies in the last one."""
        levels = sorted({self.paid.get(s, 0) for s in self.active()} - {0})
        pots = [
            Pot(
                sum(max(min(p, high) - low, 0) for p in self.paid.values()),
                frozenset(s for s in self.active() if self.paid.get(s, 0) >= high),
            )
            for low, high in pairwise([0, *levels])
        ]
        if pots:
            over = sum(max(p - levels[-1], 0) for p in self.paid.values())
            pots[-1] = pots[-1]._replace(amount=pots[-1].amount + over)
        return pots

    def claimants(self) -> set[int]:
        """Who has neither folded nor mucked."""
        return set(self.active()) - self.mucked

    def contenders(self, pot: Pot) -> list[int]:
        return sorted(pot.seats & self.claimants())

    def given_up(self, event: Event) -> bool:
        """Whether the seat awarded had a share in the pot, and nobody who had one has kept the cards."""
        number = self.pot_number(event)
        pots = self.pots if number is None else [self.pots[number]]
        return any(event.seat in pot.seats and not self.contenders(pot) for pot in pots)

    def pot_number(self, event: Event) -> int | None:
        """The pot that an award is of: the only one or the one that it names; None for neither."""
        if len(self.pots) == 1:
            return 0
        return event.pot if 0 <= event.pot < len(self.pots) else None

    # The two steps

    def enter(self, event: Event) -> None:
        """Begin the next round if the event starts it; ``closed`` is then the round it ended. ``stops`` says
        that the event ends the betting for good: an award, or a hand tabled or mucked by an active player
        with no more play to come."""
        self.closed, self.stops = None, False
        if self._starts_round(event):
            self.closed = self.round
            self.round = Round(self.closed.number + 1, self.stub, len(self.pile), len(self.due()))
            self.round.slack = self.slack
            self.round.burns = int(self.early_burn)
            self.round.burns_otherwise = self.burns_otherwise
            self.early_burn, self.burns_otherwise = False, 0
            self.owed.clear()
        tabled = event.kind in ("show", "muck") and event.seat in self._active
        if event.kind == "award" or (tabled and event.at > self.foresight.last_play):
            self.stops = not self.ended and len(self._active) > 1
        if self.stops:
            self.ended = True
            self.showdown = self.round.number == self.last
        if event.kind == "award" and not self.awards:
            self.pots = self._layers()

    @property
    def slack(self) -> int:
        """By how many cards the stub may be larger than counted: a burn without a name, or with one that may
        be that of an unnamed card taken back, came from the stub or is the burn of such a card (19.15)."""
        return min(self.lying, self.blind)

    def is_replaced_card(self, event: Event) -> bool:
        """A burn of the card taken back (19.15); an unnamed one in round 1 has the benefit of the doubt."""
        if event.kind != "burn":
            return False
        if event.card is not None:
            return event.card in self.aside
        return self.round.number == 1 and bool(self.taken) and not self.early_burn

    def _starts_round(self, event: Event) -> bool:
        rnd, kind = self.round, event.kind
        if rnd.number == self.last or kind not in LEAVES | {"reshuffle"}:
            return False
        if self.buttoned:
            return self._starts_button_round(event)
        first_cards = rnd.number == 1 and not self.has_its_cards(rnd, event.seat)
        if kind == "deal" and (first_cards or event.seat in self.owed):
            return False
        same_round = ACTIONS | {"replace"} if rnd.number == 1 else ACTIONS
        goes_on = event.next_kind in same_round and bool(self.must_act(rnd))
        if rnd.settled:
            return kind in ("deal", "community") or not goes_on
        # A second card to a dead position, when nobody has to act, is the first one of the next round.
        again = event.seat in self.dead and not self.must_act(rnd)
        if kind == "deal" and event.seat not in self._active and not again:
            return False
        if self.lacking(rnd, self._active):
            # Among all-in players no action ends a round: the next burn and deal tell that it is over.
            served = rnd.got.get(event.next_seat, 0) > 0 and event.next_seat not in self.owed
            over = event.next_kind == "deal" and served
            return kind == "burn" and rnd.deals > 0 and over and not self.must_act(rnd)
        if not self._active or (rnd.number == 1 and self.is_replaced_card(event)):
            return False
        if kind in ("burn", "reshuffle"):
            served = event.next_seat not in self.dead or self.has_its_cards(rnd, event.next_seat)
            amid = kind == "burn" and event.next_kind == "deal" and not served
            return not goes_on and not (amid and self.must_act(rnd))
        return kind == "community" or self.has_its_cards(rnd, event.seat)

    def _starts_button_round(self, event: Event) -> bool:
        """The board makes the rounds of a button game; a card to a player never does."""
        rnd = self.round
        if event.kind == "deal" or not self._active:
            return False
        waiting = bool(self.must_act(rnd))
        more_to_come = waiting and event.next_kind in ACTIONS
        if rnd.settled:
            return event.kind == "community" or not more_to_come
        if not rnd.communities or (rnd.number == 1 and self.lacking(rnd, self._active)):
            return False
        return not (waiting if event.kind == "community" else more_to_come)

    def apply(self, event: Event) -> None:
        """Let the event happen."""
        if event.kind in ACTIONS or self.stops:
            self.round.settled = True
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
        if event.kind == "fold":
            self._fold(seat)
        elif event.kind in WAGERS:
            rnd.raises += event.kind == "raise"
            self._pay_in_round(event)
            if event.amount > 0:
                rnd.wagered = True
                self.dead.clear()
                self.doubtful.clear()
        rnd.acted.add(seat)
        rnd.last_actor = seat

    def _fold(self, seat: int) -> None:
        rnd = self.round
        self.folded.add(seat)
        if seat not in self._active:
            return
        self._active.remove(seat)
        if not self.buttoned and (seat in self.forced or not rnd.wagered):
            self.dead.add(seat)
            self.was_dead.add(seat)
            if rnd.wagered and rnd.number > 1:
                self.doubtful.add(seat)
        if len(self._active) == 1:
            self.left_round = rnd.number

    def _pay(self, event: Event) -> None:
        self.paid[event.seat] = self.paid.get(event.seat, 0) + event.amount

    def _pay_in_round(self, event: Event) -> None:
        rnd, seat, top = self.round, event.seat, self.round.top
        self._pay(event)
        total = rnd.amounts[seat] = rnd.amounts.get(seat, 0) + event.amount
        forced, aggressive = event.kind in ("forced_bet", "blind"), event.kind in ("bet", "raise")
        rnd.called = True
        if forced:
            rnd.forced = max(rnd.forced, total)
        if total <= top:
            if aggressive and not self.all_in(seat):
                rnd.aggressor = None  # a raise that is none leaves open who is being called
            return
        bet = self.full_bet()
        if event.kind == "raise" and total - top >= bet and top > rnd.forced:
            rnd.full_raises += 1
        if aggressive:
            rnd.aggressor, rnd.called = seat, False
        if (not forced or (self.buttoned and event.kind == "blind")) and max(
            total - top, total - rnd.full
        ) >= bet:
            rnd.full = total

    def _ante(self, event: Event) -> None:
        self._join(event.seat)
        self._pay(event)
        self.antes[event.seat] = self.antes.get(event.seat, 0) + event.amount
        put_right = self.first_seat is None and event.amount != self.foresight.anted.get(event.seat, 0)
        if self.first_ante is None and event.amount != self.stack(event.seat) and not put_right:
            self.first_ante = event.amount

    def _blind(self, event: Event) -> None:
        self.last_blind = event.seat
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

    def _rake(self, event: Event) -> None:
        self.rakes.append(event)

    # Cards

    def _duplicate(self, card: int, event: Event) -> None:
        self.tainted.add(card)
        self.defects.append(f"duplicate-card: {self.hand['events'][event.at]['card']} at event {event.at}")

    def _leave(self, event: Event, place: int | str) -> None:
        """A card leaves the deck, or the set-aside card is burnt."""
        if event.kind == "burn" and event.card is None:
            self.perhaps_burnt |= self.aside
        if self.is_replaced_card(event):
            self.aside.discard(-1 if event.card is None else event.card)
            self.lying = max(self.lying - 1, 0)
        else:
            unnamed_aside = self.lying > len(self.aside)
            if event.kind == "burn" and (unnamed_aside or (event.card is None and self.lying)):
                self.blind += 1
            if self.stub:
                self.stub -= 1
            elif self.slack:
                self.lying, self.blind = self.lying - 1, self.blind - 1
            else:
                self.defects.append(f"deck-exhausted: no card left at event {event.at}")
            self.unnamed += event.card is None
            if event.card is not None and event.card in self.where:
                self._duplicate(event.card, event)
            if event.card is not None:
                self.left[event.card] = event.at
        if event.card is not None:
            self.where[event.card] = place

    def _burn(self, event: Event) -> None:
        replaced = self.is_replaced_card(event)
        early = self.round.number == 1 and not self.buttoned and replaced
        self.unnamed_burn = self.unnamed_burn or event.card is None
        aside = None if self.lying > len(self.aside) else False
        for exposure in self.exposures:
            exposure.burnt.append((event, True if replaced and event.card is not None else aside))
        self._leave(event, "burn")
        from_deck = self.lying <= (0 if event.card is None else len(self.aside))
        if not replaced and (from_deck or (event.card is not None and event.card in self.flashes)):
            self._flash_spent(event)
        elif not replaced or event.card is None:
            self.surely_next = False  # it may be one that was taken back
        if self.round.number == 1 and not self.buttoned:
            # A card of the deck burnt while the round goes on belongs to it, the one taken back to the next.
            amid = event.next_kind in ACTIONS or bool(self.lacking(self.round, self.due()))
            if early:
                self.burns_otherwise = -1 if amid and event.card is None else 0
            elif amid and aside is None and not self.early_burn:
                self.burns_otherwise = 1
        self.early_burn = self.early_burn or early
        self.burnt_since = self.burnt_since or bool(self.taken)
        self.round.burns += 1
        self.pile.append(event.card)

    def _deal(self, event: Event) -> None:
        rnd, seat = self.round, event.seat
        flashed = self.seen(event)
        # All saw how it came; or it may be that they did.
        lies = (
            1
            if flashed and event.face is None
            else None
            if flashed is None and not event.face
            else event.face
        )
        card = Card(event.card, lies, exposed=bool(flashed))
        if card.up and card.code is not None:
            self.seen_by_all.add(card.code)
        self._flash_spent(event)
        self.unnamed_burn = False
        self._leave(event, seat)
        self.cards.setdefault(seat, []).append(card)
        if card.code is not None:
            self.known.setdefault(seat, set()).add(card.code)
        if rnd.number == 1:
            self._join(seat)
        if self.first_seat is None:
            self.first_seat = seat
        rnd.got[seat] = rnd.got.get(seat, 0) + 1
        self.unclear.discard(seat)
        if seat in self.owed:
            self.owed.discard(seat)
        else:
            if rnd.number == 1:
                self.initial.setdefault(seat, []).append(card)
                if card.up and len(self.initial[seat]) <= 3:
                    self.turned.setdefault(seat, []).append(card)
            if rnd.first_card is None:
                rnd.first_card, rnd.first_open, rnd.perhaps_open = (
                    card,
                    card.up,
                    flashed is None and not card.up and rnd.number == self.last,
                )
            rnd.deals += 1
            rnd.last_dealt = seat
        self.exposures = []

    def seen(self, event: Event) -> bool | None:
        """Whether the card that leaves the deck was exposed on its way; None if that is open."""
        names = {card for card in self.flashes if card is not None}
        if event.card in names:
            return True
        if None in self.flashes:
            here = self.flash_seat in (0, event.seat)
            return True if self.surely_next and here and not names else None
        if event.seat in self.out_of_turn:
            return None
        # An unnamed card may be one exposed by name, unless that one comes later.
        unplaced = event.card is None and any(self.foresight.named.get(c, -1) < event.at for c in names)
        return None if unplaced else False

    def _flash_spent(self, event: Event) -> None:
        """A card of the deck has left it: one exposure is done with, that of its name if there is one."""
        names = [card for card in self.flashes if card is not None]
        if event.card in names:
            self.flashes = [card for card in self.flashes if card != event.card]
        else:
            if None in self.flashes and (event.card is not None or not names):
                self.flashes.remove(None)
            if event.kind == "deal":
                self.flashes = [card for card in self.flashes if card is None]
        # What was exposed before a seat may be the card that comes to it later, if another came first.
        self.out_of_turn |= {self.flash_seat} - {0}
        if event.kind == "deal":
            self.out_of_turn.discard(event.seat)
        self.flash_seat = 0
        self.surely_next = False

    def _community(self, event: Event) -> None:
        self._flash_spent(event)
        self.unnamed_burn = False
        self._leave(event, "board")
        self.board.append(event.card)
        if event.card is not None:
            self.seen_by_all.add(event.card)
        rnd = self.round
        rnd.communities += 1
        if rnd.number == self.last or (self.buttoned and rnd.number > 1):
            for seat in self.due():
                rnd.got[seat] = max(rnd.got.get(seat, 0), 1)
        self.exposures = []

    def _reshuffle(self, event: Event) -> None:
        held = set().union(*self.known.values())
        for card in self.pile:
            if card is not None and card not in held:
                self.where.pop(card, None)
        for card in self.perhaps_burnt - held:
            self.where.pop(card, None)
        self.perhaps_burnt.clear()
        self.seen_by_all &= self.where.keys()
        self.stub += len(self.pile)
        self.pile = []
        rnd = self.round
        rnd.reshuffles += 1
        rnd.burns_shuffled += rnd.burns
        rnd.burns = rnd.burns_otherwise = 0
        self.exposures = []
        self.flashes = []
        self.flash_seat = 0
        self.out_of_turn.clear()
        self.surely_next = self.unnamed_burn = False

    def _replace(self, event: Event) -> None:
        rnd, seat = self.round, event.seat
        held = self.cards.get(seat, [])
        if not held:
            self.defects.append(f"replace: seat {seat} holds no card, event {event.at}")
            return
        known = self.known.setdefault(seat, set())
        unnamed = len(known) < len(held) and event.card not in self.where
        here = event.card in known and len(known) <= len(held)
        if event.card is None or not (here or unnamed):
            self.vague.add(seat)
            self.unclear.add(seat)
            self.maybe_gone |= known
            card = held[-1]
            if event.card is not None:
                self.defects.append(f"replace: seat {seat} does not hold that card, event {event.at}")
        else:
            # The card of that name, else an unnamed one, and of these one that is not known to lie face down.
            # Of a name that was dealt to the seat twice one is that of another card.
            named = {c.code: c for c in reversed(held) if c.code is not None}.values()

            first = self.initial.get(seat, [])[:3]

            def likely(c: Card) -> tuple[bool, ...]:
                other = c.code != event.card
                return other, c in named, c.code is not None, c not in first, c.face == 0 and not c.up

            card = min(held, key=likely)
            known.discard(event.card)
            self.aside.add(event.card)
            self.where[event.card] = "aside"
            for copy in held:
                if copy is not card and copy.code == event.card:
                    # The same card written down twice: with the one the other is gone.
                    copy.code, copy.face, copy.exposed, copy.doubled = None, 0, False, True
        if card.face is None or (card.code is None and card.up):
            self.dim.add(seat)
        held.remove(card)
        for copy in held:
            if card.code not in (None, event.card) and copy.code == card.code:
                copy.exposed = copy.exposed or card.up  # which of the two went is not known
        self.burnt_since = self.burnt_since or rnd.number > 1
        self.taken.append((seat, event.card))
        self.lying += 1
        rnd.got[seat] = max(rnd.got.get(seat, 0) - 1, 0)
        if rnd.number == 1 or not rnd.got[seat]:
            self.owed.add(seat)

    def _show(self, event: Event) -> None:
        seat = event.seat
        if seat in self._active:
            self.shown.add(seat)
            self.shows += self.showdown
        if event.card is None:
            return
        self.seen_by_all.add(event.card)
        known = self.known.setdefault(seat, set())
        self.tabled.setdefault(seat, set()).add(event.card)
        if event.card in known:
            return
        if event.card in self.where:
            self._duplicate(event.card, event)
        self.where.setdefault(event.card, seat)
        if len(known) < len(self.cards.get(seat, [])):
            self.unnamed -= 1
        else:
            self.defects.append(f"show: seat {seat} shows more than it holds, event {event.at}")
        known.add(event.card)

    def _muck(self, event: Event) -> None:
        # The last player with a claim needs no cards to take the pot.
        if self.claimants() != {event.seat}:
            self.mucked.add(event.seat)

    def _expose(self, event: Event) -> None:
        rnd = self.round
        exposed = [] if rnd.settled else self._exposed_in_hand(event)
        for card in exposed:
            if not card.up:
                card.exposed = True
                for seat, cards in self.initial.items():
                    if rnd.number == 1 and card in cards[:3]:
                        self.turned.setdefault(seat, []).append(card)
            if card is rnd.first_card and rnd.deals == 1:
                rnd.first_open = True
            if card.code is not None:
                self.seen_by_all.add(card.code)
        if exposed:
            return
        if event.card is not None and any(e.card == event.card for e in self.exposures):
            return  # seen already
        if not rnd.settled and self._is_unclear(event):
            return  # it may be a card that the seat has kept
        of_stub = event.card is None or event.card not in self.where
        if self.must_act(rnd) and (rnd.settled or self.complete(rnd)):
            if not of_stub or self._may_be_of_seat(event):
                if self._is_news(event):
                    nameless = event.card is None or event.card not in self.where
                    vaguely = nameless and self._shows_vaguely(event.seat)
                    rnd.caps.append(("perhaps elsewhere" if vaguely else "elsewhere", rnd.top))
                return
            perhaps = self._may_be_burnt(event) if event.card is None else self._may_lie_elsewhere(event)
            later = event.card is None or self.foresight.named.get(event.card, -1) > event.at
            on_board = None in self.board and not later  # and so no news to anybody
            what = "perhaps stub" if on_board else "perhaps" if perhaps else "stub"
            rnd.caps.append((what, rnd.top))
            self.exposures.append(Exposure(event.card, perhaps or on_board))
        elif of_stub:
            self.flashes.append(event.card)
            if event.card is None:
                self.out_of_turn |= {self.flash_seat} - {0}
                self.flash_seat = event.seat
                self.surely_next = self.surely_next or not self._may_be_burnt(event)

    def _may_be_of_seat(self, event: Event) -> bool:
        """The seat before which the card is exposed holds one that the log does not name."""
        held, known = self.cards.get(event.seat, []), self.known.get(event.seat, set())
        if event.card is None:
            return bool(held)
        return len(known) < len(held) and self.foresight.named.get(event.card, -1) < event.at

    def _is_news(self, event: Event) -> bool:
        """A card that is not of the stub was exposed to the table, and not in dealing it to a hand."""
        held, known = self.cards.get(event.seat, []), self.known.get(event.seat, set())
        if event.card is None:
            return self.round.settled and len(held) > len(known & self.seen_by_all)
        in_hands = self.maybe_gone.union(*self.known.values())
        if not self.round.settled and (event.card in in_hands or event.card not in self.where):
            return False
        news = event.card not in self.seen_by_all
        self.seen_by_all.add(event.card)
        return news

    def _shows_vaguely(self, seat: int) -> bool:
        """A card before the seat lies face up, or may do so, that the log does not name."""
        cards = self.cards.get(seat, [])
        unknown = any(c.face is None or (c.up and c.code is None) for c in cards)
        return unknown or seat in self.vague | self.dim

    def _may_be_burnt(self, event: Event) -> bool:
        """What is exposed without a name may be a card burnt before it without one."""
        return event.card is None and self.unnamed_burn

    def _may_lie_elsewhere(self, event: Event) -> bool:
        """The card exposed may be one that has left the deck, though no event before has its name: one burnt
        or taken back. Who shows it at the end may have held it by now."""
        seen = self.foresight
        named = seen.named.get(event.card, -1)
        if named > event.at:
            return self._has_nameless() and seen.last_shuffle > event.at
        return self._has_nameless() or event.card in seen.tabled

    def _has_nameless(self) -> bool:
        """A card without a name lies aside, or was burnt right before: what is exposed is no older burn."""
        return self.unnamed_burn or self.lying > len(self.aside)

    def _is_unclear(self, event: Event) -> bool:
        """The exposure is of a card before a seat of which the log does not say what it gave back."""
        if event.card is not None and self.foresight.named.get(event.card, -1) > event.at:
            return False
        seat = event.seat or (self.round.last_dealt if event.card is None else 0)
        return seat in self.unclear and bool(self.cards.get(seat))

    def _exposed_in_hand(self, event: Event) -> list[Card]:
        """The card, dealt already, that the dealer exposed; none if it is a card of the stub, more than one
        if the log has dealt it more than once."""
        rnd = self.round
        seat = event.seat
        if event.card in self.maybe_gone:
            return []
        if event.card is not None and event.card in self.where:
            holders = [seat] if seat else sorted(self.cards)
            return [c for s in holders for c in self.cards.get(s, []) if c.code == event.card]
        if event.card is None and not seat:
            seat = rnd.last_dealt
        if rnd.settled or not rnd.got.get(seat) or not self.cards.get(seat) or seat in self.unclear:
            return []
        card = self.cards[seat][-1]
        if event.card is None:
            return [card]
        # A card that leaves the deck by name later on is not the unnamed one that lies at the seat, nor is
        # another one than its player has shown.
        told = len(self.known.get(seat, ())) >= len(self.cards[seat])
        if card.code is not None or told or self.foresight.named.get(event.card, -1) > event.at:
            return []
        if card.up:
            self.dim.add(seat)
        card.code = event.card
        self.where[event.card] = seat
        self.known.setdefault(seat, set()).add(event.card)
        self.unnamed -= 1
        return [card]


def judged(events: list[Event]) -> list[Event]:
    """The events before a misdeal: with it the hand is over."""
    end = next((e.at for e in events if e.kind == "misdeal"), len(events))
    return events[:end]


def walk(hand: dict[str, Any], events: list[Event], foresight: Foresight) -> Table:
    """The table after the last event, nothing judged."""
    table = Table(hand, foresight)
    for event in events:
        table.enter(event)
        table.apply(event)
    return table


def scout(hand: dict[str, Any], events: list[Event]) -> tuple[Foresight, Table]:
    """Walk the hand without judging: what lies ahead in it, and how it ends.

    What an exposure names depends on the cards that leave the deck after it. They are found by a first walk,
    in which no exposure names any.
    """
    events = judged(events)
    play = ACTIONS | LEAVES | {"reshuffle", "replace"}
    last_play = max((e.at for e in events if e.kind in play), default=-1)
    ahead = Foresight(
        last_play=last_play,
        tabled=frozenset(e.card for e in events if e.kind == "show" and e.card is not None),
        last_shuffle=max((e.at for e in events if e.kind == "reshuffle"), default=-1),
    )
    nothing_named = replace(ahead, named=dict.fromkeys(range(52), len(events)))
    named = walk(hand, events, nothing_named).left
    first_card = next((e.at for e in events if e.kind == "deal"), len(events))
    anted: dict[int, int] = {}
    for e in events[:first_card]:
        if e.kind in ("ante", "return"):
            anted[e.seat] = anted.get(e.seat, 0) + (e.amount if e.kind == "ante" else -e.amount)
    table = walk(hand, events, replace(ahead, named=named))
    foresight = replace(
        ahead,
        anted=anted,
        tainted=frozenset(table.tainted),
        awards=tuple(table.awards),
        rakes=tuple(table.rakes),
        dealt=frozenset(table.cards),
        shown=frozenset(e.seat for e in events if e.kind == "show"),
        named=named,
        any_ante=any(e.kind == "ante" for e in events),
    )
    return foresight, table

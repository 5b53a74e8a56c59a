"""The lines of a PokerStars or Full Tilt hand as events.

Lines are read in order. Who acts and what is done must be told by them beyond doubt, else the hand is not
read; what else is said at a table is passed over. Nothing here looks at the names of streets: how many cards
a player has says which street it is.
"""

from __future__ import annotations

import re
from typing import Any

from auditor.sources.base import UnreadError
from auditor.sources.sitehead import AMOUNT, CURRENCIES, Head, hundredths
from auditor.sources.text import UNKNOWN_CARD

_FACES = {
    "seven-card-stud": "down down up up up up down".split(),
    "five-card-stud": "down up up up up".split(),
}
_CARD = "[2-9TJQKA][cdhs]"
_CARDS = rf"\[({_CARD}(?: {_CARD})*)\]"
_POT = r"(main pot|side pot|pot)(?:[ -]#?(\d))?"
_PAYS = rf"({AMOUNT})(?:,? and is all[ -]in)?"

_SEAT = re.compile(
    rf"Seat (\d{{1,3}}): (.+) \(({AMOUNT})(?: in chips(?:,[^()]*)?)?\)(?:,? is sitting out| out of hand.*)?"
)
_TABLE = re.compile(r"Table '(.*)' \d+-max\b.*")
_HEADING = re.compile(rf"\*\*\* (.+?) \*\*\*(?: \[({_CARD})\])?.*")
_GROUPS = re.compile(rf"(?: {_CARDS})+")
_RETURN = re.compile(rf"Uncalled bet (?:of )?\(?({AMOUNT})\)? returned to (.+)")
_CANCELLED = re.compile(r"HAND\b.*\bCANCELL?ED\b.*", re.IGNORECASE)
_TOTAL = re.compile(rf"Total pot .+ \| Rake ({AMOUNT})")
_SUMMED = re.compile(r"Seat (\d+): (.+)")
_MUCKED = re.compile(rf".* mucked {_CARDS}.*")
_WON = re.compile(rf"(.+?) (?:collected )?({AMOUNT}) from {_POT}")

_ACTS = {
    "posts": rf"posts the ante {_PAYS}",
    "antes": rf"antes {_PAYS}",
    "brings": rf"brings in (?:low )?for {_PAYS}",
    "completes": rf"completes it to {_PAYS}",
    "raises": rf"raises (?:{AMOUNT} )?to {_PAYS}",
    "bets": rf"bets {_PAYS}",
    "calls": rf"calls {_PAYS}",
    "checks": "checks",
    "folds": rf"folds(?: {_CARDS})?",
    "shows": rf"shows (?:{_CARDS}(?: .*)?|[^\[]*)",
    "mucks": "mucks(?: hand)?",
    "doesn't": "doesn't show hand",
    "sits": "sits out",
    "collected": rf"collected ({AMOUNT}) from {_POT}",
    "wins": rf"wins (?:the )?{_POT} \(({AMOUNT})\).*",
    "ties": rf"ties for (?:the )?{_POT} \(({AMOUNT})\).*",
}
_STRANGER = re.compile(rf"[^:]+?(: | )(?:{'|'.join(_ACTS.values())})")
_ACT = {verb: re.compile(pattern) for verb, pattern in _ACTS.items()}
_KINDS = {"posts": "ante", "antes": "ante", "brings": "forced_bet", "bets": "bet", "calls": "call"}
_WORDLESS = {"checks": "check", "folds": "fold", "mucks": "muck", "doesn't": "muck"}


class Play:
    """A hand as far as its lines have told it."""

    def __init__(self, head: Head) -> None:
        self._columns = dict(head.columns)
        self._colon = head.colon
        self._faces = _FACES[head.columns["game"]]
        self._first = self._faces.index("up") + 1  # cards before the first betting
        self._seats: list[dict[str, Any]] = []
        self._names: list[tuple[str, int]] = []  # the longest first, since one may begin with another
        self._events: list[dict[str, Any]] = []
        self._round: dict[int, int] = {}  # chips in the betting round
        self._held: dict[int, list[dict[str, Any]]] = {}  # deals, of players in the hand
        self._due = 0  # cards that a player of the street has
        self._unseen = False  # cards of the street may be dealt face down without a line
        self._strangers: list[tuple[str, dict[str, Any]]] = []  # awards to a name that nobody has
        self._rake: int | None = None
        self._summary = False
        self._summed: dict[int, str] = {}

    def read(self, line: str) -> None:
        """Take in the next line; raises ``UnreadError``."""
        begin = line[:4]
        if begin in ("Hand", "HAND") and _CANCELLED.fullmatch(line):
            raise UnreadError("the site cancelled the hand")
        if self._summary:
            self._sum_up(line)
        elif begin == "Deal" and line.startswith("Dealt to ") and self._deal(line[9:]):
            pass
        elif begin == "*** " and (match := _HEADING.fullmatch(line)):
            self._head_street(match[1], match[2])
        elif begin == "Seat" and not self._events:
            self._sit(line)
        elif begin == "Unca" and (match := _RETURN.fullmatch(line)):
            seat = dict(self._names).get(match[2])
            if seat is None:
                raise UnreadError(f"{line!r}: nobody of that name sits at the table")
            self._add("return", seat, amount=hundredths(match[1]))
        elif not self._act(line):
            self._stand_by(line)

    def _sit(self, line: str) -> None:
        match = _SEAT.fullmatch(line)
        if match is None:
            raise UnreadError(f"{line!r} is no seat")
        seat, name = int(match[1]), match[2]
        for other, taken in self._names:
            if name == other:
                raise UnreadError(f"two players are called {name!r}")
            if seat == taken:
                raise UnreadError(f"two players have seat {seat}")
        if not self._columns.get("currency"):
            self._columns["currency"] = next(
                (CURRENCIES[sign] for sign in match[3] if sign in CURRENCIES), None
            )
        self._seats.append({"seat": seat, "player": name, "stack": hundredths(match[3])})
        self._names.append((name, seat))
        self._names.sort(key=lambda pair: -len(pair[0]))

    def _head_street(self, words: str, card: str | None) -> None:
        self._deal_unseen()
        self._summary = words == "SUMMARY"
        if words in ("SUMMARY", "SHOW DOWN"):
            return
        self._due = self._due + 1 if self._due else self._first
        if self._due > len(self._faces):
            raise UnreadError(f"{words!r} would be a street of {self._due} cards")
        self._round = {}
        self._unseen = self._faces[self._due - 1] == "down" and card is None
        if card is not None:
            self._events.append({"kind": "community", "card": card, "face": "up"})

    def _deal(self, words: str) -> bool:
        owners = (pair for pair in self._names if words.startswith(pair[0]))
        name, seat = next((pair for pair in owners if _GROUPS.fullmatch(words, len(pair[0]))), ("", 0))
        if not name:
            return False
        *seen, last = (group.split() for group in words[len(name) + 2 : -1].split("] ["))
        cards = [card for group in seen for card in group] + last
        held = self._held.setdefault(seat, [])
        if not held and len(cards) in (1, self._first):
            new = [UNKNOWN_CARD] * (self._first - len(cards)) + cards
        else:
            known = [deal["card"] for deal in held if deal["card"] != UNKNOWN_CARD]
            new = last
            if len(new) != 1 or sorted(cards[:-1]) != sorted(known):
                raise UnreadError(f"'Dealt to {words}' does not go on from the cards dealt before")
        if len(held) + len(new) != self._due:
            raise UnreadError(f"'Dealt to {words}' on a street of {self._due} cards")
        for card in new:
            self._hand_out(seat, card)
        return True

    def _hand_out(self, seat: int, card: str) -> None:
        held = self._held[seat]
        held.append({"kind": "deal", "seat": seat, "card": card, "face": self._faces[len(held)]})
        self._events.append(held[-1])

    def _deal_unseen(self) -> None:
        """Deal the street's cards that are face down and so have no line, but those of the writer."""
        if self._unseen:
            for seat in sorted(self._held):
                if len(self._held[seat]) < self._due:
                    self._hand_out(seat, UNKNOWN_CARD)
        self._unseen = False

    def _add(self, kind: str, seat: int | None, **fields: Any) -> dict[str, Any]:
        self._deal_unseen()
        self._events.append({"kind": kind, "seat": seat, **fields})
        return self._events[-1]

    def _act(self, line: str) -> bool:
        """Whether the line was an action, or talk, of somebody at the table."""
        strange = False
        for name, seat in self._names:
            if not line.startswith(name):
                continue
            rest = line[len(name) :]
            colon = rest.startswith(": ")
            if colon and not self._colon:
                return True
            words = rest[2 if colon else 1 :]
            verb = words.split(" ", 1)[0]
            if not rest.startswith((": ", " ")) or (self._colon and not colon and verb != "collected"):
                continue
            pattern = _ACT.get(verb)
            match = pattern.fullmatch(words) if pattern else None
            if match:
                self._take(seat, verb, match)
                return True
            strange |= colon or pattern is not None
        if strange:
            raise UnreadError(f"{line!r} is no action that can be read")
        return False

    def _take(self, seat: int, verb: str, match: re.Match[str]) -> None:
        if verb in _WORDLESS:
            self._add(_WORDLESS[verb], seat)
            if verb == "folds":
                self._held.pop(seat, None)
        elif verb in _KINDS:
            self._pay(_KINDS[verb], seat, hundredths(match[1]))
        elif verb in ("raises", "completes"):
            added = hundredths(match[1]) - self._round.get(seat, 0)
            self._pay("raise" if any(self._round.values()) else "bet", seat, added)
        elif verb == "collected":
            self._award(seat, match[1], match[2], match[3])
        elif verb in ("wins", "ties"):
            self._award(seat, match[3], match[1], match[2])
        if verb in ("folds", "shows"):
            cards = (match[1] or "").split()
            self._deal_unseen()
            if seat in self._held and len(cards) > len(self._held[seat]):
                raise UnreadError(f"seat {seat} shows more cards than were dealt to it")
            for card in cards:
                self._add("show", seat, card=card)

    def _pay(self, kind: str, seat: int, amount: int) -> None:
        if amount <= 0:
            raise UnreadError(f"a {kind.replace('_', ' ')} that adds no chips")
        if kind != "ante":
            self._round[seat] = self._round.get(seat, 0) + amount
        self._add(kind, seat, amount=amount)

    def _award(self, seat: int | None, amount: str, pot: str, number: str | None) -> dict[str, Any]:
        side = int(number or 1) if pot == "side pot" else 0
        return self._add("award", seat, amount=hundredths(amount), pot=side)

    def _stand_by(self, line: str) -> None:
        """A line of nobody at the table: of the site or of a bystander, or one whose name is lost."""
        if not self._events and (match := _TABLE.fullmatch(line)):
            self._columns["table_id"] = match[1]
        elif self._colon and (match := _WON.fullmatch(line)):
            self._strangers.append((match[1], self._award(None, *match.groups()[1:])))
        elif line.startswith(("Dealt to ", "Uncalled bet ")):
            raise UnreadError(f"{line!r} is not cards, or chips, of a player at the table")
        elif (match := _STRANGER.fullmatch(line)) and (match[1] == ": ") == self._colon:
            raise UnreadError(f"{line!r}: nobody of that name sits at the table")

    def _sum_up(self, line: str) -> None:
        if match := _TOTAL.fullmatch(line):
            self._rake = hundredths(match[1])
        elif match := _SUMMED.fullmatch(line):
            self._summed[int(match[1])] = match[2]

    def record(self) -> dict[str, Any]:
        """The hand, all its lines read, in the text form; raises ``UnreadError``."""
        if self._rake is None or not self._summed:
            raise UnreadError("the hand is cut off: its summary is missing or not whole")
        self._name_strangers()
        self._name_mucked()
        awards = [event for event in self._events if event["kind"] == "award"]
        single = all(award["pot"] == 0 for award in awards)
        if self._rake:
            at = self._events.index(awards[0]) if awards else len(self._events)
            self._events.insert(at, {"kind": "rake", "amount": self._rake, "pot": 0 if single else None})
        records = ["faces", "show_order", "rake", "stacks"]
        records += ["pots"] if single or not self._rake else []
        hand = {**self._columns, "records": records, "seats": self._seats, "events": self._events}
        _whole(hand)
        return hand

    def _name_strangers(self) -> None:
        """Who the summary seats under the name that an award was made to."""
        for name, award in self._strangers:
            seats = [seat for seat, words in self._summed.items() if words.startswith(f"{name} ")]
            if len(seats) != 1:
                raise UnreadError(f"{name!r} wins, but nobody of that name sits at the table")
            award["seat"] = seats[0]

    def _name_mucked(self) -> None:
        """Name the cards dealt face down of hands that were mucked and that the summary shows."""
        for seat, words in self._summed.items():
            match = _MUCKED.fullmatch(words)
            if match is None:
                continue
            cards = match[1].split()
            held = self._held.get(seat, [])
            for deal in held:
                if deal["card"] in cards:
                    cards.remove(deal["card"])
            unknown = [deal for deal in held if deal["card"] == UNKNOWN_CARD]
            if len(cards) != len(unknown):
                raise UnreadError(f"the summary's cards of seat {seat} are not those dealt to it")
            for deal, card in zip(unknown, cards, strict=True):
                deal["card"] = card


def _whole(hand: dict[str, Any]) -> None:
    """Play chips, which have no hundredths, as whole chips."""
    places: list[tuple[dict[str, Any], str]]
    places = [(hand, name) for name in ("small_bet", "big_bet", "ante") if name in hand]
    places += [(seat, "stack") for seat in hand["seats"]]
    places += [(event, "amount") for event in hand["events"] if "amount" in event]
    if not hand.get("currency") and all(record[name] % 100 == 0 for record, name in places):
        for record, name in places:
            record[name] //= 100

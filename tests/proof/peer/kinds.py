"""The kinds of difference between the schedule and pokerkit's rules that are expected, each with its proof.

A kind names the question on which the two may differ and a condition that is checked on the hand as the log
has it. A difference that meets none of them is unlisted, and something is wrong: with the simulator, the
auditor, pokerkit, or this list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pokerkit import StandardHighHand

from auditor.cards import CARDS
from tests.proof.peer.hand import ROUNDS, Hand


@dataclass(frozen=True)
class Difference:
    """At ``event`` (from 0) pokerkit answers ``question`` with ``theirs``, the log with ``ours``."""

    event: int
    question: str
    theirs: Any
    ours: Any
    seat: int = 0

    def __str__(self) -> str:
        return f"event {self.event}, {self.question}: pokerkit {self.theirs}, the log {self.ours}"


@dataclass(frozen=True)
class Kind:
    """An expected difference: its name, the clause it rests on, the questions it may touch, and its proof."""

    name: str
    clause: str
    questions: tuple[str, ...]
    holds: Callable[[Hand, Difference], bool]


KINDS: list[Kind] = []


def kind(name: str, clause: str, *questions: str) -> Callable[[Callable[[Hand, Difference], bool]], Kind]:
    """List a kind; the function decorated is its proof, given the hand as it stood before the event."""

    def listed(holds: Callable[[Hand, Difference], bool]) -> Kind:
        KINDS.append(Kind(name, clause, questions, holds))
        return KINDS[-1]

    return listed


def kinds_of(hand: Hand, difference: Difference) -> list[str]:
    """The kinds that account for a difference: one, or none."""
    return [k.name for k in KINDS if difference.question in k.questions and k.holds(hand, difference)]


def showing(cards: list[int]) -> list[tuple[int, int]]:
    """What up cards are worth by pairs and ranks, suits aside."""
    return sorted(((n, rank) for rank, n in Counter(card // 4 for card in cards).items()), reverse=True)


def made_card(cards: list[int]) -> int:
    """The highest card of the largest group of a rank, of the highest such rank."""
    copies = Counter(card // 4 for card in cards)
    made = max(copies, key=lambda rank: (copies[rank], rank))
    return max(card for card in cards if card // 4 == made)


def opens(hand: Hand, seat: int) -> int:
    """Who opens if ``seat`` is due: the next one clockwise when it is all-in."""
    line = [seat, *hand.clockwise(seat)]
    return next((other for other in line if other in hand.active and not hand.all_in(other)), 0)


def highest_showing(hand: Hand) -> list[int]:
    """The seats whose up cards are the highest by rank, in the order of the seats."""
    best = max(showing(hand.up(seat)) for seat in hand.active)
    return [seat for seat in hand.active if showing(hand.up(seat)) == best]


def due_by_suit(hand: Hand) -> set[int]:
    """Who is due to open by each reading of the card that breaks a tie."""
    tied = highest_showing(hand)
    breakers: tuple[Callable[[list[int]], int], ...] = (max, made_card)
    return {max(tied, key=lambda seat, of=of: of(hand.up(seat))) for of in breakers}


def wrongly_up(hand: Hand, seat: int) -> int:
    """How many of the first two cards of Seven Card Stud that the seat is dealt in this hand come face up."""
    dealt = [event for event in hand.events if event.kind == "deal" and event.seat == seat]
    return sum(event.face for event in dealt[:2]) if hand.game == "seven-card-stud" else 0


@kind("suit-tie", "13.3(b), 13.4(b), 19.13", "opener")
def _(hand: Hand, d: Difference) -> bool:
    """Hands showing are equal by rank: the schedule asks the suits, pokerkit who sits first."""
    tied = highest_showing(hand)
    settled = d.ours in {opens(hand, seat) for seat in due_by_suit(hand)}
    return (
        hand.round > 1
        and not hand.seventh_up
        and len(tied) > 1
        and settled
        and d.theirs == opens(hand, tied[0])
    )


@kind("all-in-opener", "19.10, 19.17", "opener")
def _(hand: Hand, d: Difference) -> bool:
    """First round, the lowest card lies before an all-in player: the schedule looks for the lowest of the
    others, pokerkit goes to the left."""
    lowest = sorted(hand.active, key=lambda seat: min(hand.up(seat)))
    able = [seat for seat in lowest if not hand.all_in(seat)]
    passed_over = hand.round == 1 and hand.all_in(lowest[0])
    return passed_over and d.ours == able[0] and d.theirs == opens(hand, lowest[0])


@kind("seventh-card-up", "19.20", "opener", "face")
def _(hand: Hand, d: Difference) -> bool:
    """The first seventh card lies open: so do all others, and the opener of the round before opens."""
    if hand.game != "seven-card-stud" or hand.round != ROUNDS[hand.game]:
        return False
    if d.question == "face":
        return d.ours == 1 and (hand.first_up or hand.dealt <= 1)
    before = hand.opened_before
    due = {before} if before in hand.active else due_by_suit(hand)
    return hand.seventh_up and d.ours in {opens(hand, seat) for seat in due}


@kind("first-card-up", "19.14", "face")
def _(hand: Hand, d: Difference) -> bool:
    """One of a player's first two cards came face up: the third goes down."""
    held = hand.cards.get(d.seat, [])
    return hand.round == 1 and wrongly_up(hand, d.seat) == 1 and d.ours == (len(held) < 2)


@kind("first-two-up", "19.15", "face", "replace")
def _(hand: Hand, d: Difference) -> bool:
    """Both of a player's first cards came face up: the card due as the first burn replaces the second."""
    if d.question == "replace":
        up = hand.up(d.seat)
        return hand.dealt == hand.wanted and len(up) == 2 and d.ours == up[1]
    return (
        hand.round == 1 and wrongly_up(hand, d.seat) == 2 and d.ours == (len(hand.cards.get(d.seat, [])) < 2)
    )


@kind("dead-position", "19.12, 19.19", "card")
def _(hand: Hand, d: Difference) -> bool:
    """A position folded without a wager, or by the maker of the forced bet, goes on receiving cards."""
    return d.ours in hand.dead


@kind("fold-without-a-wager", "13.3(b), 13.3(c)", "fold", "over")
def _(hand: Hand, d: Difference) -> bool:
    """A player may fold where nothing has to be matched; in pokerkit's tournaments nobody may, and so it does
    not see that betting is over when this leaves one player with chips among all-ins."""
    able = [seat for seat in hand.active if not hand.all_in(seat) and seat != d.seat]
    return hand.bets[d.seat] == hand.top and (d.question == "fold" or len(able) < 2)


@kind("shortage", "13.4(a), 19.9, 19.16", "burn", "reshuffle", "community")
def _(hand: Hand, d: Difference) -> bool:
    """The final cards do not suffice. The schedule shuffles the burns, else turns a community card; pokerkit
    deals on and shuffles the burns and what was folded."""
    begins = hand.dealt == hand.wanted  # this event is the first of its round
    last = hand.round + begins == ROUNDS[hand.game]
    stub = hand.stub if begins else hand.stub_at_start
    total = hand.stub + hand.burns
    if not last or stub >= hand.due + 1:
        return False
    if d.question == "burn":
        return hand.reshuffled and hand.stub == hand.due
    if hand.dealt and not begins:
        return d.question == "reshuffle" and hand.stub == 0  # noticed late: first the stub is dealt out
    if d.question == "reshuffle":
        return total >= hand.due or stub < 2
    return hand.game == "five-card-stud" or total < hand.due + 1


@kind("raise-without-an-answer", "13.3(c)", "raise")
def _(hand: Hand, d: Difference) -> bool:
    """All others are all-in or cannot reach the raise: it goes back as uncalled; pokerkit sees no reason for
    it."""
    return d.theirs is None and not answerable(hand, d.seat)


def answerable(hand: Hand, seat: int) -> bool:
    """Whether another player has more chips than are to be matched."""
    others = [other for other in hand.active if other != seat]
    return any(hand.left(other) + hand.bets[other] > hand.top for other in others)


@kind("completing", "2.0 fixed bet", "raise")
def _(hand: Hand, d: Difference) -> bool:
    """Over a forced bet or a short all-in both completing the bet and a full bet on top are fixed bets;
    pokerkit allows one of them: over the forced bet the first, over a short all-in the second."""
    sizes = (hand.full + hand.full_bet, hand.top + hand.full_bet)
    short = d.ours == hand.bets[d.seat] + hand.left(d.seat) <= max(sizes)
    return (
        hand.structure == "fixed" and hand.full < hand.top and bool(d.theirs) and (d.ours in sizes or short)
    )


@kind("smaller-raise", "2.0 spread limit", "raise")
def _(hand: Hand, d: Difference) -> bool:
    """Within a spread a raise may be smaller than the one before it; in pokerkit it may not, nor may a player
    raise who faces less than the largest raise of the round."""
    size = d.ours - hand.top
    all_in = d.ours == hand.bets[d.seat] + hand.left(d.seat)
    if hand.structure != "spread" or not (hand.min_bet <= size or all_in) or size > hand.max_bet:
        return False
    if d.theirs is not None:
        return size < max(hand.sizes)
    earlier = [max(hand.sizes[:n], default=0) for n in range(len(hand.sizes))]
    smaller = any(hand.min_bet <= s < e for s, e in zip(hand.sizes, earlier, strict=True))
    return smaller and (hand.top - hand.bets[d.seat] < max(hand.sizes) or d.seat in hand.acted)


@kind("raise-over-a-short-all-in", "2.0 all-in", "raise")
def _(hand: Hand, d: Difference) -> bool:
    """After an all-in for less than a full bet pokerkit lets nobody raise who faces less than that; the text
    that is loaded does not say so."""
    faces = hand.top - hand.bets[d.seat]
    short = any(hand.all_in(seat) and hand.bets[seat] for seat in hand.active)
    return d.theirs is None and short and 0 < faces < hand.full_bet and answerable(hand, d.seat)


@kind("uncalled-ante", "2.0 ante, all-in", "return")
def _(hand: Hand, d: Difference) -> bool:
    """All others are all-in for less than the ante: pokerkit gives the rest of it back at once, the log makes
    a side pot of it."""
    seat, amount = d.theirs
    second = max(paid for other, paid in hand.anted.items() if other != seat)
    return hand.round == 1 and not hand.acted and not d.ours and amount == hand.anted[seat] - second > 0


@kind("all-in-showdown", "13.4(d)", "tabled")
def _(hand: Hand, d: Difference) -> bool:
    """With nobody left to bet against, pokerkit lays the hands open before the remaining cards are dealt."""
    return sum(not hand.all_in(seat) for seat in hand.active) <= 1


@kind("nobody-called", "13.4(d)", "show")
def _(hand: Hand, d: Difference) -> bool:
    """Nobody bet in the final round, so nobody is being called, and the text that is loaded does not say who
    shows first. pokerkit begins with the highest hand showing."""
    return hand.round == ROUNDS[hand.game] and not hand.sizes


@kind("odd-chips", "13.4(e)", "award")
def _(hand: Hand, d: Difference) -> bool:
    """The pot is shared by the same hands, equally to the lowest chip; what is left goes to the highest card
    by suit, in pokerkit to who sits first."""
    share = min(d.ours.values())
    rest = sum(d.ours.values()) - share * len(d.ours)
    same = set(d.ours) == set(d.theirs) and sum(d.ours.values()) == sum(d.theirs.values())
    taker = max(d.ours, key=lambda seat: d.ours[seat])
    readings = {
        max(d.ours, key=lambda seat, of=of: of(hand, seat)) for of in (highest_of_all, highest_of_five)
    }
    equal = all(chips == share for seat, chips in d.ours.items() if seat != taker)
    fewest = rest < hand.chip_unit * len(d.ours)
    return len(d.ours) > 1 and same and equal and rest > 0 and fewest and taker in readings


def whole_hand(hand: Hand, seat: int) -> list[int]:
    return [card for card, _ in hand.cards[seat]] + ([hand.community] if hand.community is not None else [])


def highest_of_all(hand: Hand, seat: int) -> list[int]:
    return sorted(whole_hand(hand, seat), reverse=True)


def highest_of_five(hand: Hand, seat: int) -> list[int]:
    """The winning five, of equal fives the one with the higher cards by suit."""
    fives = [
        (StandardHighHand("".join(CARDS[card] for card in five)), sorted(five, reverse=True))
        for five in combinations(whole_hand(hand, seat), 5)
    ]
    best = max(hand for hand, _ in fives)
    return max(cards for hand, cards in fives if hand == best)

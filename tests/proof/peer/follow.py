"""One hand followed by pokerkit, event by event, and asked at each what it makes of it."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from auditor.strength import strength
from tests.proof.peer.hand import Event, Hand
from tests.proof.peer.kinds import Difference, answerable, kinds_of, whole_hand
from tests.proof.peer.table import PEER_CARDS, player_of, seats_of, set_table

ACTIONS = ("forced_bet", "check", "bet", "call", "raise", "fold")


@dataclass
class Opinion:
    """What came of one hand: how often each question was asked, how the answers differ, by what kind.

    ``stopped`` is the event at which pokerkit could not be led on, None if it came to the end; ``breaches``
    is what the auditor found, events and codes.
    """

    hand: Hand
    asked: Counter[str] = field(default_factory=Counter)
    listed: list[tuple[str, Difference]] = field(default_factory=list)
    unlisted: list[Difference] = field(default_factory=list)
    stopped: int | None = None
    breaches: list[str] = field(default_factory=list)


class Follower:
    """pokerkit's table beside the hand of the log. ``trace`` is the auditor's own state after each event."""

    def __init__(self, hand: Hand, trace: Any) -> None:
        self.hand = hand
        self.trace = trace
        self.table = set_table(hand)
        self.table.house_rake = sum(event.amount for event in hand.events if event.kind == "rake")
        self.opinion = Opinion(hand)
        self.at = 0
        self.returned: Counter[int] = Counter()
        self.unanswered: Counter[int] = Counter()
        self.tabled = False
        self.shown: dict[int, set[int]] = {}
        self.due: dict[int, dict[int, int]] | None = None

    def ask(self, question: str, theirs: Any, ours: Any, seat: int = 0) -> bool:
        """Put down whether the two agree."""
        self.opinion.asked[question] += 1
        if theirs == ours:
            return True
        difference = Difference(self.at, question, theirs, ours, seat)
        kinds = kinds_of(self.hand, difference)
        if kinds:
            self.opinion.listed.append((kinds[0], difference))
        else:
            self.opinion.unlisted.append(difference)
        return False

    def follow(self) -> Opinion:
        """Take in all events. What pokerkit refuses outright is a difference, and ends the comparison."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for at, event in enumerate(self.hand.events):
                self.at = at
                try:
                    self.close_betting(event)
                    getattr(self, f"on_{event.kind}")(event)
                except (ValueError, AssertionError, LookupError, TypeError, UserWarning) as error:
                    self.ask("possible", f"{type(error).__name__}: {error}", str(event))
                    self.opinion.stopped = self.at
                    return self.opinion
                self.hand.take(event)
                self.compare(event)
        return self.opinion

    def player(self, seat: int) -> int:
        return player_of(self.hand, seat)

    def seat(self, player: int | None) -> int:
        """The seat of one of pokerkit's players, 0 for nobody."""
        return 0 if player is None else list(self.hand.stacks)[player]

    def by_seat(self, amounts: Sequence[int]) -> dict[int, int]:
        return {s: chips for s, chips in zip(self.hand.stacks, amounts, strict=True) if chips}

    def compare(self, event: Event) -> None:
        """What pokerkit, the log and the auditor's replay have for the state after the event."""
        table, now = self.table, self.trace[self.at]
        if self.due is not None or event.kind in ("show", "muck", "rake"):
            return
        uncalled = sum(self.unanswered.values())
        pot = table.total_pot_amount + uncalled
        if sum(table.statuses) > 1:
            self.ask("pot", pot, sum(self.hand.paid.values()))
            self.ask("pot in replay", pot, int(now.pot))
        self.ask("stub in replay", len(table.deck_cards), int(now.stub))
        self.ask("burns in replay", len(table.burn_cards), int(now.burns))
        if event.kind != "ante":
            live = seats_of(self.hand, table.statuses)
            self.ask("active in replay", live, _seats(now.active))
            if not uncalled and len(live) > 1:
                all_in = {seat for seat in live if not table.stacks[self.player(seat)]}
                self.ask("all-in in replay", all_in, _seats(now.all_in) & live)
        if event.kind in ACTIONS and not uncalled:
            self.ask("next in replay", self.seat(table.actor_index), int(now.must_act))
            self.ask("to match in replay", max(table.bets), int(now.to_match))

    def close_betting(self, event: Event) -> None:
        """Bets go to the pot; what nobody matched goes back to its owner."""
        table = self.table
        if not table.can_collect_bets():
            return
        if sum(table.statuses) == 1:
            if event.kind == "return":
                return
            table.collect_bets()
            return
        before = list(table.stacks)
        table.collect_bets()
        self.note_tabled()
        returned = [after - chips for after, chips in zip(table.stacks, before, strict=True)]
        self.returned.update(self.by_seat(returned))
        if event.kind != "return":
            for seat, chips in list(self.returned.items()):
                if not self.ask("return", (seat, chips), None, seat):
                    table.stacks[self.player(seat)] -= chips
                    table.payoffs[self.player(seat)] -= chips
            self.returned.clear()

    def note_tabled(self) -> None:
        if self.table.tabled_early and not self.tabled:
            self.tabled = True
            self.ask("tabled", True, False)

    # cards

    def on_ante(self, event: Event) -> None:
        player = self.player(event.seat)
        self.ask("ante", self.table.get_effective_ante(player), event.amount)
        self.table.post_ante(player)

    def on_deal(self, event: Event) -> None:
        table, hand = self.table, self.hand
        player, card = self.player(event.seat), PEER_CARDS[event.card]
        if hand.substitute_due and hand.replaced is not None:
            table.swap(player, PEER_CARDS[hand.replaced], card, event.face == 1)
            return
        # With everybody all-in pokerkit is already at the next round when a dead position gets the last card.
        early = event.seat in hand.folded and 0 < hand.dealt < hand.wanted
        if table.card_burning_status and not early and not self.ask("burn", True, False):
            table.card_burning_status = False
        self.ask("card", self.seat(table.hole_dealee_index), event.seat, event.seat)
        if event.seat in hand.folded:
            table.deck_cards.remove(card)
            table.mucked_cards.append(card)
            return
        faces = table.hole_dealing_statuses[player]
        self.ask("face", int(faces[0]), event.face, event.seat)
        faces[0] = event.face == 1
        table.deal_hole((card,), player)
        self.note_tabled()

    def on_burn(self, event: Event) -> None:
        card = PEER_CARDS[event.card]
        if event.card == self.hand.replaced and card not in self.table.deck_cards:
            self.table.deck_cards.append(card)
        self.ask("burn", self.table.card_burning_status, True)
        self.table.burn_card(card)

    def on_replace(self, event: Event) -> None:
        self.ask("replace", None, event.card, event.seat)

    def on_expose(self, event: Event) -> None:
        """Of no account to pokerkit, but for the card of a player."""
        if event.seat in self.hand.active:
            self.ask("face", 0, 1, event.seat)
            self.table.hole_card_statuses[self.player(event.seat)][-1] = True

    def on_reshuffle(self, event: Event) -> None:
        self.ask("reshuffle", not self.table.deck_cards, True)
        self.table.shuffle_burns()

    def on_community(self, event: Event) -> None:
        if not self.ask("community", any(self.table.board_dealing_counts), True):
            self.table.turn_board_card()
        self.table.deal_board((PEER_CARDS[event.card],))
        self.note_tabled()

    # betting

    def act(self, event: Event) -> int:
        """Ask whose turn it is; returns the player whom the log has act."""
        table, player = self.table, self.player(event.seat)
        question = "turn" if self.hand.acted else "opener"
        if not self.ask(question, self.seat(table.actor_index), event.seat, event.seat):
            if table.actor_index is None:
                raise ValueError("the betting is over")
            (table.give_turn if self.hand.acted else table.give_opening)(player)
        self.ask("round", (table.street_index or 0) + 1, int(self.trace[self.at].betting_round))
        return player

    def on_forced_bet(self, event: Event) -> None:
        self.act(event)
        self.ask("forced bet", self.table.effective_bring_in_amount, event.amount, event.seat)
        self.table.post_bring_in()

    def on_check(self, event: Event) -> None:
        self.act(event)
        self.ask("check", self.table.checking_or_calling_amount, 0, event.seat)
        self.table.check_or_call()

    def on_call(self, event: Event) -> None:
        self.act(event)
        self.ask("call", self.table.checking_or_calling_amount, event.amount, event.seat)
        self.table.check_or_call()

    def on_fold(self, event: Event) -> None:
        self.act(event)
        table = self.table
        table.leading = not self.ask("fold", table.can_fold(), True, event.seat)
        table.fold()
        able = [player for player in table.player_indices if table.statuses[player] and table.stacks[player]]
        if table.leading and table.actor_index is not None and len(able) == 1:
            self.ask("over", False, True, event.seat)
            table.end_betting()
        table.leading = False

    def on_bet(self, event: Event) -> None:
        """A bet or raise: to how much in all, against the bounds that pokerkit sets."""
        table, player = self.table, self.act(event)
        to = self.hand.bets[event.seat] + event.amount
        bounds = None
        if table.can_complete_bet_or_raise_to():
            bounds = (
                table.min_completion_betting_or_raising_to_amount,
                table.max_completion_betting_or_raising_to_amount,
            )
        allowed = table.can_complete_bet_or_raise_to(to)
        if self.ask("raise", to if allowed else bounds, to, event.seat):
            table.complete_bet_or_raise_to(to)
        elif not answerable(self.hand, event.seat):
            called = table.check_or_call().amount
            table.opener_index = player
            self.unanswered[event.seat] = event.amount - called
        else:
            table.leading = True
            table.complete_bet_or_raise_to(to)
            table.leading = False

    def on_raise(self, event: Event) -> None:
        self.on_bet(event)

    def on_return(self, event: Event) -> None:
        if sum(self.table.statuses) == 1:
            return
        theirs = self.returned + self.unanswered
        self.ask("return", dict(theirs), {event.seat: event.amount}, event.seat)
        self.returned.clear()
        self.unanswered.clear()

    # showdown

    def begin_showdown(self, event: Event) -> None:
        table = self.table
        if table.pots_at_showdown:
            return
        table.pots_at_showdown = tuple(table.pots)
        for one, other in pairwise(self.hand.active):
            theirs = [table.get_hand(self.player(seat), 0, 0) for seat in (one, other)]
            ours = [int(strength(mask_of(whole_hand(self.hand, seat)))) for seat in (one, other)]
            self.ask("stronger hand in replay", _order(*theirs), _order(*ours))
        paid: Counter[int] = Counter()
        for later in self.hand.events[self.at :]:
            if later.kind in ("award", "rake"):
                paid[later.pot] += later.amount
        self.ask("pots", dict(enumerate(table.pot_amounts)), dict(paid))
        if not self.ask("show", self.seat(table.showdown_index), event.seat, event.seat):
            order = table.showdown_indices
            order.rotate(-list(order).index(self.player(event.seat)))

    def on_show(self, event: Event) -> None:
        cards = self.shown.setdefault(event.seat, set())
        if not cards:
            self.begin_showdown(event)
            self.ask("show in turn", self.seat(self.table.showdown_index), event.seat)
            player = self.player(event.seat)
            held = {PEER_CARDS.index(card) for card in self.table.hole_cards[player]}
            laid = {e.card for e in self.hand.events if e.kind == "show" and e.seat == event.seat}
            self.ask("cards shown", held, laid)
            self.table.show_or_muck_hole_cards(True, player)
        cards.add(event.card)

    def on_muck(self, event: Event) -> None:
        self.begin_showdown(event)
        player = self.player(event.seat)
        self.ask("show in turn", self.seat(self.table.showdown_index), event.seat)
        if self.hand.down_cards_known:
            self.ask("muck", self.table.can_win_now(player), False)
        self.table.show_or_muck_hole_cards(False, player)

    def on_rake(self, event: Event) -> None:
        """How much the house takes is its own affair."""

    def on_award(self, event: Event) -> None:
        if self.due is None:
            self.settle()
            ours: dict[int, Counter[int]] = {}
            for later in self.hand.events[self.at :]:
                if later.kind == "award":
                    ours.setdefault(later.pot, Counter())[later.seat] += later.amount
            assert self.due is not None
            for pot in sorted(ours.keys() | self.due.keys()):
                self.ask("award", self.due.get(pot, {}), dict(ours.get(pot, {})))
            self.ask("end", self.table.status, False)

    def settle(self) -> None:
        """Let pokerkit pay out the pots: fills ``due`` by pot and seat."""
        table = self.table
        shown = bool(table.pots_at_showdown)
        stacks = list(table.stacks)
        if shown:
            left = {seat: self.hand.left(seat) for seat in self.hand.stacks}
            self.ask("chips left", dict(zip(self.hand.stacks, stacks, strict=True)), left)
            while table.can_kill_hand():
                table.kill_hand()
        self.due = {}
        while table.can_push_chips():
            pushed = table.push_chips()
            self.due[pushed.pot_index] = self.by_seat(pushed.amounts)
        while table.can_pull_chips():
            table.pull_chips()
        if not shown:
            # pokerkit's winner takes back the last bet along with the pot.
            winner = self.hand.active[0]
            gained = table.stacks[self.player(winner)] - self.hand.left(winner)
            self.due = {0: {winner: gained}}


def _seats(mask: int) -> set[int]:
    return {seat for seat in range(11) if int(mask) >> seat & 1}


def _order(one: Any, other: Any) -> int:
    return int(one > other) - int(one < other)


def mask_of(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)

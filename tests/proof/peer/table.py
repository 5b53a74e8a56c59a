"""pokerkit's table, set up for a hand of the log, and led on where its rules are not those of the schedule.

All of pokerkit's own judgement stays as it is: who opens and acts, what is legal, the pots, the best hands.
What is added are ways past it, each used only after its answer has been compared and found to differ.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from pokerkit import BettingStructure, Card, Deck, Opening, Pot, StandardHighHand, State, Street

from auditor.cards import CARDS
from tests.proof.peer.hand import Hand

FACES = {"seven-card-stud": ("DDU", "U", "U", "U", "D"), "five-card-stud": ("DU", "U", "U", "U")}
"""How the cards of each round fall, Down or Up."""
PEER_CARDS = [card for text in CARDS for card in Card.parse(text)]
"""pokerkit's cards by the auditor's card codes."""


class Table(State):
    """A hand in pokerkit's eyes. Players are numbered from 0 in the order of the seats."""

    leading = False
    """Whether the next act is taken as it comes, pokerkit's limits aside."""
    house_rake = 0
    """Chips that the house takes from the main pot."""
    tabled_early = False
    """Whether pokerkit has called for a showdown before the last round: everybody all-in."""
    pots_at_showdown: Sequence[Pot] = ()

    @property
    def pots(self) -> Iterator[Pot]:
        """The pots: from the showdown on as they stood then, whoever mucks; the rake comes off the first.

        pokerkit itself would merge the pots of those who are left, and what is divided as one has other odd
        chips than what is divided in two.
        """
        if self._pots is not None:
            yield from self._pots
            return
        for number, pot in enumerate(self.pots_at_showdown or super().pots):
            rake = min(self.house_rake, pot.amount) if number == 0 else 0
            live = tuple(player for player in pot.player_indices if self.statuses[player])
            yield Pot(rake, pot.amount - rake, live)

    def _begin_showdown(self) -> None:
        """The rest of the cards is dealt before anybody shows."""
        if self.street is self.streets[-1]:
            super()._begin_showdown()
        else:
            self.tabled_early = True
            self._begin_dealing()

    def verify_folding(self) -> None:
        if not self.leading:
            super().verify_folding()

    def verify_completion_betting_or_raising_to(self, amount: int | None = None) -> int:
        if self.leading and amount is not None:
            return amount
        return super().verify_completion_betting_or_raising_to(amount)

    def give_turn(self, player: int) -> None:
        """It is this player's turn, and so on clockwise; whoever is passed over still acts in this round."""
        waiting = set(self.actor_indices) | {player}
        order = deque(self.player_indices)
        order.rotate(-player)
        self.actor_indices = deque(other for other in order if other in waiting)

    def give_opening(self, player: int) -> None:
        self.give_turn(player)
        self.opener_index = player

    def end_betting(self) -> None:
        """The round is over although somebody has not been heard."""
        self._update_betting(status=True)

    def swap(self, player: int, old: Card, new: Card, up: bool) -> None:
        """Another card for one of the initial deal, whose fall is looked at again for the opening."""
        at = self.hole_cards[player].index(old)
        del self.hole_cards[player][at], self.hole_card_statuses[player][at]
        self.deck_cards.remove(new)
        self.hole_cards[player].append(new)
        self.hole_card_statuses[player].append(up)
        if self.actor_indices:
            self._begin_betting()

    def turn_board_card(self) -> None:
        """The round brings one card for all instead of one for each."""
        for waiting in self.hole_dealing_statuses:
            waiting.clear()
        self.board_dealing_counts = [1]

    def shuffle_burns(self) -> None:
        self.deck_cards.extend(self.burn_cards)
        self.burn_cards.clear()


def set_table(hand: Hand) -> Table:
    """The table of a hand before the first ante.

    The raise cap counts raises, pokerkit's limit the bet as well; only the first round begins with a bet that
    is not counted, the forced one. A spread is played as no limit with the spread's least bet.
    """
    fixed = hand.structure == "fixed"
    sizes = [hand.small_bet if fixed and n < 2 else hand.big_bet if fixed else hand.min_bet for n in range(5)]
    cap = hand.raise_cap
    streets = tuple(
        Street(
            n > 0,
            tuple(face == "U" for face in faces),
            0,
            False,
            Opening.HIGH_HAND if n else Opening.LOW_CARD,
            sizes[n],
            None if cap is None else cap + (n > 0),
        )
        for n, faces in enumerate(FACES[hand.game])
    )

    def to_the_lowest_chip(chips: int, players: int) -> tuple[int, int]:
        share = chips // hand.chip_unit // players * hand.chip_unit
        return share, chips - share * players

    table = Table(
        (),
        Deck.STANDARD,
        (StandardHighHand,),
        streets,
        BettingStructure.FIXED_LIMIT if fixed else BettingStructure.NO_LIMIT,
        True,
        hand.ante,
        0,
        1,
        tuple(hand.stacks.values()),
        len(hand.stacks),
        divmod=to_the_lowest_chip,
    )
    table.bring_in = hand.forced_bet  # may be as large as the least bet, which pokerkit's check rules out
    return table


def player_of(hand: Hand, seat: int) -> int:
    return list(hand.stacks).index(seat)


def seats_of(hand: Hand, flags: Sequence[Any]) -> set[int]:
    """The seats whose flag is set."""
    return {seat for seat, flag in zip(hand.stacks, flags, strict=True) if flag}

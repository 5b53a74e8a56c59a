"""Button games, sections 14 and 15: blinds, first cards, community cards, and who acts first."""

from __future__ import annotations

from .book import ALL_ROUNDS, B14, B15, BREACH, COMPLIANT, NOT_EVIDENCED, OPENING, Ask, Finding, rule
from .dealing import FINAL, MIDDLE, contested, face, is_substitute
from .play import against
from .walker import FIRST_CARDS, Event, Table, clockwise

FIRST = (1,)


@rule("BLI51", B15, ALL_ROUNDS, "blind")
def blinds_come_first(table: Table, event: Event, ask: Ask) -> Finding | None:
    """No card is dealt before the blinds lie."""
    return (COMPLIANT if table.stub == 52 else BREACH), 0, 52 - table.stub


def button(table: Table) -> int | None:
    lies: int | None = table.hand.get("dealer_position")
    return lies


@rule("BLI52", B15, ALL_ROUNDS, "blind")
def blinds_in_order(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Left of the button first, then left of the blind before."""
    after = table.last_blind or button(table)
    if after is None or not table.foresight.dealt:
        return NOT_EVIDENCED, 0, event.seat
    due = clockwise({*table.foresight.dealt, *table.in_hand, event.seat}, after)[0]
    return (COMPLIANT if due == event.seat else BREACH), due, event.seat


@rule("DEA51", B15, FIRST, "deal", needs="deal_order")
def first_cards_go_round(table: Table, event: Event, ask: Ask) -> Finding | None:
    """One card at a time, clockwise from the button's left."""
    rnd = table.round
    players = {*table.foresight.dealt, *table.active()} - table.folded
    waiting = table.lacking(rnd, players)
    if event.seat not in waiting or is_substitute(table, event):
        return None
    after = rnd.last_dealt if rnd.deals else button(table)
    if after is None:
        return NOT_EVIDENCED, 0, event.seat
    due = clockwise(waiting, after)[0]
    return (COMPLIANT if due == event.seat else BREACH), due, event.seat


@rule("DEA52", B15, FIRST, "deal", needs="faces")
def first_cards_face_down(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The first cards lie face down."""
    return None if is_substitute(table, event) else face(event, 0)


@rule("DEA53", B15, FIRST, f"deal {OPENING}")
def three_first_cards(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Three cards each, before anybody acts."""
    need = FIRST_CARDS[table.game]
    if event.kind == "deal":
        number = len(table.cards.get(event.seat, ())) + 1
        if is_substitute(table, event) or number < need:
            return None
        return (COMPLIANT if number == need else BREACH), need, number
    lacking = table.lacking(table.round, table.active())
    if not lacking or not contested(table):
        return None
    return not_there(table), need, len(table.cards.get(lacking[0], ()))


def not_there(table: Table) -> str:
    """The verdict on a card that the log does not have: it may not have all of them."""
    return BREACH if "deal_order" in table.records else NOT_EVIDENCED


@rule("DEA54", B15, FIRST, f"community {OPENING}")
@rule("DEA43", B14, MIDDLE, f"community {OPENING}")
@rule("DEA46", B14, FINAL, f"community {OPENING}")
@rule("DEA57", B15, MIDDLE, f"community {OPENING}")
def one_community_card(table: Table, event: Event, ask: Ask) -> Finding | None:
    """One community card a round, before anybody acts."""
    number = table.round.communities
    if not contested(table):
        return None
    if event.kind == "community":
        return (BREACH if number else COMPLIANT), 1, number + 1
    return None if number else (not_there(table), 1, 0)


@rule("DEA41", B14, ALL_ROUNDS, "community", needs="faces")
@rule("DEA55", B15, ALL_ROUNDS, "community", needs="faces")
def community_card_up(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Community cards lie face up."""
    return face(event, 1)


def first_left_of(table: Table, event: Event, place: int) -> Finding | None:
    """The first player clockwise acts first; what holds when that one is all-in is not said."""
    if not contested(table):
        return None
    due = clockwise(table.active(), place)[0]
    return None if table.all_in(due) else against(table, event.seat, due)


@rule("OPN41", B14, FIRST, OPENING)
@rule("OPN51", B15, FIRST, OPENING)
def left_of_the_blinds(table: Table, event: Event, ask: Ask) -> Finding | None:
    """In the first round the player left of the last blind acts first."""
    if not table.last_blind:
        return NOT_EVIDENCED, 0, event.seat
    return first_left_of(table, event, table.last_blind)


@rule("OPN42", B14, MIDDLE, OPENING)
@rule("OPN43", B14, FINAL, OPENING)
@rule("OPN52", B15, MIDDLE, OPENING)
def left_of_the_button(table: Table, event: Event, ask: Ask) -> Finding | None:
    """In later rounds the player left of the button acts first."""
    place = button(table)
    if place is None:
        return NOT_EVIDENCED, 0, event.seat
    return first_left_of(table, event, place)

"""Exposed cards, dead positions and slips of the initial deal: 19.11 to 19.20."""

from __future__ import annotations

from .book import ALL_ROUNDS, BREACH, COMPLIANT, FIVE, NOT_EVIDENCED, SEVEN, Ask, Finding, rule
from .dealing import FINAL, is_substitute, unserved
from .walker import ACTIONS, LEAVES, WAGERS, Event, Swap, Table


@rule("EXP01", FIVE, ALL_ROUNDS, WAGERS, needs="exposures", readings="zero uncapped")
@rule("EXP02", SEVEN, ALL_ROUNDS, WAGERS, needs="exposures", readings="zero uncapped")
def capped(table: Table, event: Event, ask: Ask) -> Finding | None:
    """After an exposure nobody's total passes what somebody had wagered by then."""
    caps = [cap for cap in table.round.caps if cap or ask.reading == "zero"]
    if not caps:
        return None
    total = table.round.amounts.get(event.seat, 0) + event.amount
    return (COMPLIANT if total <= min(caps) else BREACH), min(caps), total


@rule(
    "EXP03",
    FIVE,
    ALL_ROUNDS,
    "deal community reshuffle",
    needs="exposures burns deal_order",
    readings="as-burn as-dealt",
)
@rule(
    "EXP04",
    SEVEN,
    ALL_ROUNDS,
    "deal community reshuffle",
    needs="exposures burns deal_order",
    readings="as-burn as-dealt",
)
def used_in_sequence(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The exposed card is the next to leave the deck, as the burn or as the first card dealt."""
    exposure = table.exposure
    if exposure is None:
        return None
    card = exposure.card
    if card is None or exposure.again or card in table.tainted:
        return NOT_EVIDENCED, -1 if card is None else card, -1 if event.card is None else event.card
    if event.kind == "reshuffle":
        return BREACH, card, 0
    first = exposure.burnt or event if ask.reading == "as-burn" else event
    if first.card is None:
        return NOT_EVIDENCED, card, -1
    if ask.reading == "as-burn":
        good = first.kind == "burn" and first.card == card
    else:
        good = first.card == card and (event.kind == "community" or event.seat == table.first_due())
    return (COMPLIANT if good else BREACH), card, first.card


@rule("POS01", SEVEN, (2, 3, 4, 5), LEAVES | ACTIONS | {"reshuffle", "show", "award"}, closing=True)
@rule("POS02", FIVE, (2, 3, 4), LEAVES | ACTIONS | {"reshuffle", "show", "award"}, closing=True)
def dead_position(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A dead position goes on receiving cards until there is a wager; it never acts, shows or wins."""
    seat, here = event.seat, table.round.number in ask.rounds
    gone = seat in table.dead or seat in table.was_dead
    if here and gone and event.kind not in LEAVES:
        return BREACH, 0, seat
    ordered = "deal_order" in table.records
    settled = unserved(table, event, sorted(table.dead))
    if settled is not None and settled[1] and settled[0].number in ask.rounds:
        return (BREACH if ordered else NOT_EVIDENCED), settled[1][0], 0
    if not here or not gone or event.kind != "deal" or is_substitute(table, event):
        return None
    due = seat if seat in table.dead and table.lacking(table.round, [seat]) else 0
    if not ordered:
        return NOT_EVIDENCED, due, seat
    return (COMPLIANT if due else BREACH), due, seat


@rule("INI01", SEVEN, (1,), "deal", needs="faces deal_order")
def third_card_down(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Where one of the first two cards came face up the third goes down."""
    first = table.initial.get(event.seat, [])
    if len(first) != 2 or is_substitute(table, event) or first[0].up == first[1].up:
        return None
    if event.face is None or any(c.face is None for c in first):
        return NOT_EVIDENCED, 0, -1 if event.face is None else event.face
    return (COMPLIANT if event.face == 0 else BREACH), 0, event.face


def two_up(ups: tuple[int, ...], reading: str | None) -> bool:
    """Exactly two of a seat's first three cards came up; under ``first-two``, precisely the first two."""
    return len(ups) == 2 and (reading == "any-two" or ups == (0, 1))


@rule(
    "INI02",
    SEVEN,
    (1, 2),
    "replace deal burn forced_bet check bet call raise fold",
    needs="faces deal_order",
    readings="any-two first-two",
)
def two_cards_up(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The second card wrongly up is changed for the coming burn, dealt down, and becomes that burn."""
    swaps = [s for s in table.swaps if two_up(s.ups, ask.reading)]
    if event.kind == "burn":
        return becomes_first_burn(table, event, swaps)
    if table.round.number != 1:
        return None
    if event.kind == "deal":
        swapped = is_substitute(table, event) and any(s.seat == event.seat for s in swaps)
        if not swapped:
            return None
        if event.face is None:
            return NOT_EVIDENCED, 0, -1
        return (COMPLIANT if event.face == 0 else BREACH), 0, event.face
    replaced = {s.seat for s in table.swaps}
    if event.kind == "replace":
        ups = table.ups(event.seat)
        if event.seat in replaced or not two_up(ups, ask.reading):
            return None
        wrong = table.initial[event.seat][ups[1]].code
        if not table.complete(table.round):
            return BREACH, -1 if wrong is None else wrong, -1 if event.card is None else event.card
        if wrong is None or event.card is None or wrong in table.tainted:
            return NOT_EVIDENCED, -1 if wrong is None else wrong, -1 if event.card is None else event.card
        return (COMPLIANT if event.card == wrong else BREACH), wrong, event.card
    if table.round.opener is None:
        for seat in table.active():
            ups = table.ups(seat)
            if seat not in replaced and two_up(ups, ask.reading):
                wrong = table.initial[seat][ups[1]].code
                return BREACH, -1 if wrong is None else wrong, 0
    return None


def becomes_first_burn(table: Table, event: Event, swaps: list[Swap]) -> Finding | None:
    """The first burn of round two, or its early laying down in round one, is the replaced card."""
    early = table.round.number == 1 and table.is_replaced_card(event)
    late = table.round.number == 2 and table.round.burns == 0
    if not swaps or not (early or late) or table.early_burns:
        return None
    cards = [s.card for s in swaps]
    expected = -1 if cards[0] is None else cards[0]
    if event.card is None or None in cards or event.card in table.tainted or "burns" not in table.records:
        return NOT_EVIDENCED, expected, -1 if event.card is None else event.card
    return (COMPLIANT if event.card in cards else BREACH), expected, event.card


@rule("FIN01", SEVEN, FINAL, "deal", needs="faces")
def all_up(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Where the first seventh card came open all of them are dealt face up."""
    if not table.round.first_open or is_substitute(table, event):
        return None
    if event.face is None:
        return NOT_EVIDENCED, 1, -1
    return (COMPLIANT if event.face == 1 else BREACH), 1, event.face

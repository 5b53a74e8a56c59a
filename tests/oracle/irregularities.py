"""Exposed cards, dead positions and slips of the initial deal: 19.11 to 19.20."""

from __future__ import annotations

from .book import ALL_ROUNDS, BREACH, COMPLIANT, FIVE, NOT_EVIDENCED, SEVEN, Ask, Finding, rule
from .dealing import FINAL, LEAVING, face, is_substitute, unserved
from .walker import ACTIONS, LEAVES, WAGERS, Event, Exposure, Table


def named(card: int | None) -> int:
    """The card as a verdict shows it."""
    return -1 if card is None else card


CAPS = "zero+stub-card zero+any-card uncapped+stub-card uncapped+any-card"


@rule("EXP01", FIVE, ALL_ROUNDS, WAGERS, needs="exposures", readings=CAPS)
@rule("EXP02", SEVEN, ALL_ROUNDS, WAGERS, needs="exposures", readings=CAPS)
def capped(table: Table, event: Event, ask: Ask) -> Finding | None:
    """After an exposure, of the stub or of any card, nobody's total passes what was wagered by then."""
    unwagered, cards = (ask.reading or "").split("+")
    caps = [(what, top) for what, top in table.round.caps if top or unwagered == "zero"]
    sure = {"stub", "perhaps", "elsewhere"} if cards == "any-card" else {"stub"}
    certain = [top for what, top in caps if what in sure]
    possible = [top for what, top in caps if cards == "any-card" or not what.endswith("elsewhere")]
    total = table.round.amounts.get(event.seat, 0) + event.amount
    if certain and total > min(certain):
        return BREACH, min(certain), total
    if possible and total > min(possible):
        return NOT_EVIDENCED, min(possible), total
    return (COMPLIANT, min(certain), total) if certain else None


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
    findings = [used(table, event, ask, exposure) for exposure in table.exposures]
    if not findings:
        return None
    alike = {None if finding is None else finding[0] for finding in findings}
    # Which of several exposed cards comes next is not said.
    return findings[-1] if len(alike) == 1 else (NOT_EVIDENCED, -1, -1)


def used(table: Table, event: Event, ask: Ask, exposure: Exposure) -> Finding | None:
    """The same of one exposed card."""
    card = exposure.card
    if event.kind == "reshuffle" and shuffled(table, named(card)) is None:
        return None
    if card is None or exposure.perhaps_elsewhere or card in table.tainted:
        return NOT_EVIDENCED, named(card), named(event.card)
    if event.kind == "reshuffle":
        return shuffled(table, card)
    burns = [(burn, aside) for burn, aside in exposure.burnt if aside is not True]
    if ask.reading == "as-burn" and not exposure.burnt:
        return BREACH, card, named(event.card)  # the first card off the deck went to a player
    if ask.reading == "as-dealt" or not burns:
        firsts = [event]
    else:
        (first, aside), *more = burns
        firsts = [first]
        if aside is None and first.card != card:
            # Had it been taken back from a player the next one off the deck would be the first.
            firsts = [first, event] if not more else [first._replace(card=None)]
    finding, *others = (off_the_deck(table, first, card) for first in firsts)
    return finding if all(other[0] == finding[0] for other in others) else (NOT_EVIDENCED, card, -1)


def off_the_deck(table: Table, first: Event, card: int) -> Finding:
    """The verdict if this is the first card off the deck after the exposure."""
    if first.card is None or first.card in table.tainted:
        return NOT_EVIDENCED, card, -1
    return (COMPLIANT if first.card == card else BREACH), card, first.card


def shuffled(table: Table, card: int) -> Finding | None:
    """The exposed card goes back into the stub: right only where a last round is too short of cards."""
    rnd = table.round
    if rnd.number != table.last:
        return BREACH, card, -1
    short = {
        stub <= due
        for stub in range(rnd.stub, rnd.stub + rnd.slack + 1)
        for due in (rnd.due, rnd.due - len(table.doubtful))
    }
    if len(short) > 1:
        return NOT_EVIDENCED, card, -1
    return None if short == {True} else (BREACH, card, -1)


@rule("POS01", SEVEN, ALL_ROUNDS, LEAVING | ACTIONS, closing=True, readings="any-round same-round")
@rule("POS02", FIVE, ALL_ROUNDS, LEAVING | ACTIONS, closing=True, readings="any-round same-round")
def dead_position(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A dead position goes on receiving cards until there is a wager; it never acts, shows or wins. What its
    player turns over when nobody is left to beat, or when all is paid, is nobody's matter."""
    seat, rnd = event.seat, table.round
    dead = table.dead - table.doubtful if ask.reading == "same-round" else table.dead
    ordered = "deal_order" in table.records
    settled = unserved(table, event, sorted(dead))
    if settled is not None and settled[1]:
        return (BREACH if ordered else NOT_EVIDENCED), settled[1][0], 0
    if seat not in table.was_dead or event.kind in LEAVES - {"deal"} | {"reshuffle", "muck"}:
        return None
    to_come = bool(table.foresight.awards) and event.at < table.foresight.awards[-1].at
    if event.kind == "show" and not (to_come and len(table.claimants()) > 1):
        return None
    if event.kind != "deal":
        return BREACH, 0, seat
    if is_substitute(table, event) or rnd.number == 1:
        return None
    due = seat if seat in dead and table.lacking(rnd, [seat]) else 0
    if not ordered:
        return NOT_EVIDENCED, due, seat
    return (COMPLIANT if due else BREACH), due, seat


@rule("INI01", SEVEN, (1,), "deal", needs="faces deal_order")
def third_card_down(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Where one of the first two cards came face up the third goes down."""
    first = table.initial.get(event.seat, [])
    if (
        len(first) != 2
        or len(table.cards[event.seat]) != 2
        or is_substitute(table, event)
        or first[0].up == first[1].up
    ):
        return None
    if any(c.doubled or c.code in table.tainted for c in first):
        return None
    if any(c.face is None for c in first):
        return NOT_EVIDENCED, 0, named(event.face)
    return face(event, 0)


def two_up(table: Table, seat: int, reading: str | None) -> bool:
    """Exactly two of a seat's first three cards came up; under ``first-two``, precisely the first two."""
    first = table.initial.get(seat, [])[:3]
    ups = [i for i, card in enumerate(first) if card in table.turned.get(seat, ())]
    known = all(c.face is not None and not c.doubled and c.code not in table.tainted for c in first)
    return known and (len(ups) == 2 if reading == "any-two" else ups == [0, 1])


TWO = "any-two first-two"


@rule("INI02", SEVEN, (1, 2), ACTIONS | {"replace", "burn"}, needs="faces deal_order", readings=TWO)
def two_cards_up(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The second card wrongly up is taken back once the deal is complete and becomes the first burn."""
    taken = [seat for seat, _ in table.taken]
    if event.kind == "burn":
        swapped = any(two_up(table, seat, ask.reading) for seat in taken)
        return becomes_first_burn(table, event) if swapped else None
    if table.round.number != 1:
        return None
    if event.kind == "replace":
        if event.seat in taken or not two_up(table, event.seat, ask.reading):
            return None
        wrong = table.turned[event.seat][1].code
        if wrong is None or event.card is None or table.tainted & {wrong, event.card}:
            return NOT_EVIDENCED, named(wrong), named(event.card)
        good = event.card == wrong and table.complete(table.round)
        return (COMPLIANT if good else BREACH), wrong, event.card
    if table.round.opener is None:
        for seat in sorted(table.initial):
            if seat not in taken and two_up(table, seat, ask.reading):
                return BREACH, named(table.turned[seat][1].code), -1
    return None


def becomes_first_burn(table: Table, event: Event) -> Finding | None:
    """The first burn after the card was taken back, before any card of round two, is that card."""
    rnd = table.round
    if table.burnt_since or rnd.number > 2 or (rnd.number == 2 and rnd.deals):
        return None
    card = table.taken[0][1] if len(table.taken) == 1 else None
    if (
        event.card is None
        or card is None
        or table.tainted & {card, event.card}
        or "burns" not in table.records
    ):
        return NOT_EVIDENCED, named(card), named(event.card)
    return (COMPLIANT if event.card == card else BREACH), card, event.card


@rule("INI03", SEVEN, (1,), ACTIONS | {"deal"}, needs="faces deal_order", readings=TWO)
def substitute_down(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The substitute of a card that was wrongly up is dealt face down, before the betting starts."""
    if event.kind in ACTIONS:
        bare = any(two_up(table, seat, ask.reading) for seat in table.owed)
        return (BREACH, 0, -1) if bare and table.round.opener is None else None
    if not is_substitute(table, event) or not two_up(table, event.seat, ask.reading):
        return None
    return face(event, 0)


@rule("FIN01", SEVEN, FINAL, "deal", needs="faces")
def all_up(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Where the first seventh card came open all of them are dealt face up."""
    if table.round.first_open:
        return face(event, 1)
    return (NOT_EVIDENCED, 1, named(event.face)) if table.round.perhaps_open else None

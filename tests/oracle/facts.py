"""Facts from the definitions and the deck: 2.0, 4.1(a) and the table's conditions."""

from __future__ import annotations

from .book import ALL_ROUNDS, BREACH, COMPLIANT, END, FIVE, NOT_EVIDENCED, SEVEN, Ask, Finding, rule
from .walker import Event, Table

BOTH = (SEVEN, FIVE)


@rule("DCK01", BOTH, ALL_ROUNDS, END)
def one_deck(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Every card that left the deck is named, and none of them did so twice."""
    held = [card.code for cards in table.cards.values() for card in cards]
    named = None not in held + table.board + table.aside and not table.unnamed_burns
    claimed = {"burns", "deal_order"} <= table.records
    sure = named and claimed and not table.tainted
    return (COMPLIANT if sure else NOT_EVIDENCED), 0, len(table.tainted)


@rule("ANT01", BOTH, ALL_ROUNDS, "ante deal")
def same_ante(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Everybody dealt in has posted the same ante."""
    if event.kind == "deal" and table.first_seat is not None:
        return None
    antes, ante = table.foresight.antes, table.hand.get("ante")
    if ante is None:
        ante = antes[0].amount if antes else 0
    if event.kind == "ante":
        if event.amount == ante:
            return COMPLIANT, ante, event.amount
        if event.amount < ante and table.stack(event.seat) is None:
            return NOT_EVIDENCED, ante, event.amount
        short = event.amount < ante and table.all_in(event.seat, event.amount)
        return (COMPLIANT if short else BREACH), ante, event.amount
    if not ante:
        return None
    posted = {e.seat for e in antes}
    owing = [s for s in table.stacks if s in table.foresight.dealt - posted and table.stack(s) != 0]
    return (BREACH, ante, 0) if owing else None


@rule("STK01", BOTH, ALL_ROUNDS, "blind forced_bet bet call raise", needs="stacks")
def table_stakes(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Nobody puts in more than the stack at the start of the hand."""
    if event.amount <= 0:
        return None
    total, stack = table.paid.get(event.seat, 0) + event.amount, table.stack(event.seat)
    if stack is None:
        return NOT_EVIDENCED, -1, total
    return (COMPLIANT if total <= stack else BREACH), stack, total


@rule("ALL01", BOTH, ALL_ROUNDS, "award")
def only_what_was_matched(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A seat wins at most its own contribution and as much from each other one."""
    own = table.paid.get(event.seat, 0)
    entitled = sum(min(paid, own) for paid in table.paid.values())
    won, pots = table.won.get(event.seat, 0) + event.amount, table.pots()
    outside = 0 <= event.pot < len(pots) and own <= pots[event.pot].floor
    return (BREACH if won > entitled or outside else COMPLIANT), entitled, won


@rule("CAL01", BOTH, ALL_ROUNDS, "call")
def call_matches(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A call matches the largest amount of the round, or is all that is left."""
    seat, added = event.seat, event.amount
    needed = max(table.round.top - table.round.amounts.get(seat, 0), 0)
    stack = table.stack(seat)
    if stack is None:
        verdict = COMPLIANT if added == needed else NOT_EVIDENCED if added < needed else BREACH
        return verdict, needed, added
    due = min(needed, max(stack - table.paid.get(seat, 0), 0))
    return (COMPLIANT if added == due else BREACH), due, added


def last_full(table: Table, bet: int) -> int:
    """The largest amount of the round as far as it is made of full bets: what a forced bet or a short
    all-in put on top does not count until it is completed."""
    level = 0
    for amount in table.round.levels:
        if amount - level >= bet:
            level = amount
    return level


def designated_bet(table: Table) -> int | None:
    """The fixed bet of the round; None where the table's limits are not recorded."""
    bet: int | None = table.hand.get("small_bet" if table.round.number <= 2 else "big_bet")
    return bet


def size_and_total(table: Table, event: Event) -> tuple[int, int]:
    """By how much the event tops the largest amount of the round, and the seat's amount after it."""
    total = table.round.amounts.get(event.seat, 0) + event.amount
    return total - table.round.top, total


def too_small(table: Table, event: Event) -> str:
    """The verdict on less than the least: an all-in is fine, and an unknown stack may have been one."""
    if table.all_in(event.seat, event.amount):
        return COMPLIANT
    return NOT_EVIDENCED if table.stack(event.seat) is None else BREACH


@rule("FIX01", BOTH, ALL_ROUNDS, "bet raise", readings="by-round either")
def fixed_bet(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Fixed limit: the designated amount, exactly."""
    if table.hand.get("structure") != "fixed":
        return None
    size, total = size_and_total(table, event)
    bets = [designated_bet(table)]
    if ask.reading == "either":
        bets = sorted({table.hand.get("small_bet"), table.hand.get("big_bet")}, key=lambda b: b or 0)
    known = [b for b in bets if b]
    if len(known) < len(bets):
        return NOT_EVIDENCED, 0, size
    full = {b: last_full(table, b) for b in known}
    if any(size == b and full[b] == table.round.top for b in known):
        return COMPLIANT, size, size
    if any(size == b or total == full[b] + b for b in known):
        return None
    return (too_small(table, event) if size < known[-1] else BREACH), known[0], size


@rule("SPR01", BOTH, ALL_ROUNDS, "bet raise")
def spread_bet(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Spread limit: any size between the table's bounds."""
    if table.hand.get("structure") != "spread":
        return None
    size, total = size_and_total(table, event)
    least, most = table.hand.get("min_bet"), table.hand.get("max_bet")
    if least is None or most is None:
        return NOT_EVIDENCED, 0, size
    full = last_full(table, least)
    if full < table.round.top and any(least <= counted <= most for counted in (size, total - full)):
        return None  # what the size is counted from is not said
    if size < least:
        return too_small(table, event), least, size
    return (COMPLIANT, least, size) if size <= most else (BREACH, most, size)


@rule("CAP01", BOTH, ALL_ROUNDS, "raise", readings="full all")
def raise_cap(table: Table, event: Event, ask: Ask) -> Finding | None:
    """No more raises in a round than the table allows."""
    cap = table.hand.get("raise_cap")
    if cap is None:
        return None
    size, _ = size_and_total(table, event)
    over_forced = table.round.aggressor is None and len(table.round.levels) == 1
    short = table.stack(event.seat) is None or table.all_in(event.seat, event.amount)
    raises = [*table.round.raises, (size, over_forced, short)]
    if ask.reading == "full":
        limit = {"fixed": designated_bet(table), "spread": table.hand.get("min_bet")}
        full = limit.get(table.hand.get("structure") or "") or 0
        raises = [r for r in raises if r[0] >= full or not (r[1] or r[2])]
    return (COMPLIANT if len(raises) <= cap else BREACH), cap, len(raises)


@rule("DED01", BOTH, ALL_ROUNDS, "award")
def dead_hand(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A folded or mucked hand has no claim."""
    dead = event.seat in table.folded | table.mucked
    return (BREACH if dead else COMPLIANT), 0, event.seat

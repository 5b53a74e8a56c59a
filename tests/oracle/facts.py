"""Facts from the definitions and the deck: 2.0, 4.1(a) and the table's conditions."""

from __future__ import annotations

from .book import (
    ALL_ROUNDS,
    B14,
    B15,
    BREACH,
    COMPLIANT,
    FIVE,
    NOT_EVIDENCED,
    SETTLED,
    SEVEN,
    Ask,
    Finding,
    rule,
)
from .walker import Event, Table

STUD, BUTTON = (SEVEN, FIVE), (B14, B15)
ALL = (*STUD, *BUTTON)


@rule("DCK01", ALL, ALL_ROUNDS, SETTLED, needs="burns deal_order")
def one_deck(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Every card that left the deck is named, and none of them did so twice."""
    sure = not table.unnamed and not table.tainted
    return (COMPLIANT if sure else NOT_EVIDENCED), 0, len(table.tainted)


@rule("ANT01", ALL, ALL_ROUNDS, "ante deal")
def same_ante(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Everybody dealt in has posted the same ante before the first card."""
    seat, ante = event.seat, table.hand.get("ante")
    if ante is None:
        ante = table.first_ante
    if ante is None:
        net = table.foresight.anted.get(seat, 0) if table.first_seat is None else 0
        ante = (net if net > 0 else event.amount) if event.kind == "ante" else 0
    if event.kind == "ante":
        posted = table.antes.get(seat, 0) + event.amount
        if posted == ante:
            return COMPLIANT, ante, posted
        if table.first_seat is None and table.foresight.anted.get(seat, 0) == ante:
            return None  # put right before the first card
        if posted < ante and table.stack(seat) is None:
            return NOT_EVIDENCED, ante, posted
        return (COMPLIANT if ante > posted == table.stack(seat) else BREACH), ante, posted
    if table.first_seat is not None or ante <= 0:
        return None
    owing = [s for s in table.foresight.dealt if s not in table.antes and table.stack(s) != 0]
    if not owing:
        return None
    return (BREACH if table.foresight.any_ante else NOT_EVIDENCED), ante, 0


@rule("STK01", ALL, ALL_ROUNDS, "blind forced_bet bet call raise", needs="stacks")
def table_stakes(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Nobody puts in more than the stack at the start of the hand."""
    if event.amount <= 0:
        return None
    total, stack = table.paid.get(event.seat, 0) + event.amount, table.stack(event.seat)
    if stack is None:
        return NOT_EVIDENCED, -1, total
    return (COMPLIANT if total <= stack else BREACH), stack, total


@rule("ALL01", ALL, ALL_ROUNDS, "award")
def only_what_was_matched(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A seat wins at most its own contribution and as much from each other one."""
    own = table.paid.get(event.seat, 0)
    entitled = sum(min(paid, own) for paid in table.paid.values())
    before = sum(a.amount for a in table.awards if a.seat == event.seat)
    number, won = table.pot_number(event), before + event.amount
    if event.seat in table.active() and number is not None and event.seat not in table.pots[number].seats:
        entitled = before
    return (COMPLIANT if won <= entitled else BREACH), entitled, won


@rule("CAL01", ALL, ALL_ROUNDS, "call")
def call_matches(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A call matches the largest amount of the round, or is all that is left."""
    seat, added = event.seat, event.amount
    needed = max(table.round.top - table.round.amounts.get(seat, 0), 0)
    stack = table.stack(seat)
    if added > needed and table.round.forced and not table.round.aggressor:
        # Over a forced bet or a blind that fell short its whole size may be due: that page is not loaded.
        size = (table.hand.get("forced_bet") or 0) - table.round.amounts.get(seat, 0)
        left = None if stack is None else max(stack - table.paid.get(seat, 0), 0)
        if added == size or (added == left and added < size):
            return None
        if table.buttoned and table.all_in(table.last_blind):
            return NOT_EVIDENCED, needed, added
    if stack is None:
        verdict = COMPLIANT if added == needed else NOT_EVIDENCED if added < needed else BREACH
        return verdict, needed, added
    due = min(needed, max(stack - table.paid.get(seat, 0), 0))
    return (COMPLIANT if added == due else BREACH), due, added


def size_and_total(table: Table, event: Event) -> tuple[int, int]:
    """By how much the event tops the largest amount of the round, and the seat's amount after it."""
    total = table.round.amounts.get(event.seat, 0) + event.amount
    return max(total - table.round.top, 0), total


def too_small(table: Table, event: Event) -> str:
    """The verdict on less than the least: all that is left is fine, and may be so where it is not known."""
    stack = table.stack(event.seat)
    if stack is None:
        return NOT_EVIDENCED
    return COMPLIANT if event.amount == max(stack - table.paid.get(event.seat, 0), 0) else BREACH


@rule("FIX02", BUTTON, ALL_ROUNDS, "bet raise")
@rule("FIX01", STUD, ALL_ROUNDS, "bet raise", readings="by-round either")
def fixed_bet(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Fixed limit: the designated amount, exactly."""
    if table.hand.get("structure") != "fixed":
        return None
    size, total = size_and_total(table, event)
    small, big = table.hand.get("small_bet"), table.hand.get("big_bet")
    bets = (
        [small, big]
        if table.buttoned or ask.reading == "either"
        else [small if table.round.number <= 2 else big]
    )
    rnd = table.round
    if rnd.top > rnd.full:
        if any(counted > 0 and counted in bets for counted in (size, total - rnd.full)):
            return None  # what completes a bet over a forced bet or a short all-in is not said
    elif size > 0 and size in bets:
        return COMPLIANT, size, size
    known = [bet for bet in bets if bet is not None]
    if len(known) < len(bets):
        return NOT_EVIDENCED, -1, size
    return (too_small(table, event) if size < max(known) else BREACH), known[0], size


@rule("SPR01", ALL, ALL_ROUNDS, "bet raise")
def spread_bet(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Spread limit: any size between the table's bounds, as far as they are recorded."""
    if table.hand.get("structure") != "spread":
        return None
    least, most = table.hand.get("min_bet"), table.hand.get("max_bet")
    size, total = size_and_total(table, event)
    if least is None and most is None:
        return NOT_EVIDENCED, -1, size

    def fits(counted: int) -> bool:
        return size > 0 and (least is None or least <= counted) and (most is None or counted <= most)

    rnd = table.round
    if rnd.top > rnd.full and (fits(size) or fits(total - rnd.full)):
        return None  # what the size is counted from is not said
    if fits(size):
        return COMPLIANT, size, size
    if most is not None and size > most:
        return BREACH, most, size
    return too_small(table, event), -1 if least is None else least, size


@rule("CAP01", ALL, ALL_ROUNDS, "raise", readings="full all")
def raise_cap(table: Table, event: Event, ask: Ask) -> Finding | None:
    """No more raises in a round than the table allows."""
    cap, rnd = table.hand.get("raise_cap"), table.round
    if cap is None:
        return None
    if ask.reading == "all":
        return (COMPLIANT if rnd.raises < cap else BREACH), cap, rnd.raises + 1
    size, _ = size_and_total(table, event)
    if size <= 0 or size < table.full_bet() or rnd.top <= rnd.forced:
        return COMPLIANT, cap, rnd.full_raises
    return (COMPLIANT if rnd.full_raises < cap else BREACH), cap, rnd.full_raises + 1


@rule("DED01", ALL, ALL_ROUNDS, "award")
def dead_hand(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A folded or mucked hand has no claim."""
    if table.given_up(event):
        return None
    dead = event.seat in table.folded | table.mucked
    return (BREACH, 0, event.seat) if dead else (COMPLIANT, event.seat, event.seat)

"""Opening and action: 13.2 to 13.4(c), 19.10, 19.13, 19.17, and the opener under 19.20."""

from __future__ import annotations

from .book import B14, B15, BREACH, COMPLIANT, FIVE, NOT_EVIDENCED, OPENING, SEVEN, Ask, Finding, rule
from .cards import by_count, showing
from .dealing import FINAL, LEAVING, MIDDLE, contested
from .walker import ACTIONS, LEAVES, Event, Table, clockwise

TIES = "highest-card made-card"


def up_cards(table: Table, seat: int) -> list[int] | None:
    """What the seat shows, one to four cards; None if a card, its face or its name is in doubt."""
    cards = table.cards.get(seat, [])
    up = [c.code for c in cards if c.up]
    if seat in table.vague | table.dim or any(c.face is None for c in cards) or not 0 < len(up) <= 4:
        return None
    known = [c for c in up if c is not None and c not in table.tainted]
    return known if len(known) == len(up) else None


def leader(table: Table, reading: str | None) -> int | None:
    """The active seat that shows the highest hand; None where the log does not tell."""
    shown = {}
    if table.round.perhaps_open and not table.round.first_open:
        return None  # the opener of the round before may have to open
    for seat in table.active():
        up = up_cards(table, seat)
        if up is None:
            return None
        shown[seat] = up

    def worth(seat: int) -> tuple[tuple[int, ...], int]:
        up = shown[seat]
        deciding = up
        if reading == "made-card" and up:
            made = by_count(up)[0][1]
            deciding = [c for c in up if c // 4 == made]
        return showing(tuple(up)), max(deciding, default=-1)

    return max(shown, key=worth, default=None)


def against(table: Table, seat: int, due: int) -> Finding:
    """Whether the seat is the one due; a due seat of unknown stack may have been all-in."""
    if seat == due:
        return COMPLIANT, due, seat
    return (NOT_EVIDENCED if table.stack(due) is None else BREACH), due, seat


@rule("OPN01", SEVEN, (1,), OPENING, needs="faces")
def first_opener(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The opener of the first round, where the casino has declared its rule."""
    declared = table.assumptions.get("first-round-opener")
    if declared is None:
        return None
    ups = {seat: up_cards(table, seat) for seat in table.active() if not table.all_in(seat)}
    cards = {seat: up[0] for seat, up in ups.items() if up is not None and len(up) == 1}
    if len(cards) < len(ups):
        return NOT_EVIDENCED, 0, event.seat
    if not cards:
        return None
    due = (max if declared == "high-card" else min)(cards, key=lambda seat: cards[seat])
    return against(table, event.seat, due)


def by_showing(table: Table, event: Event, ask: Ask) -> Finding | None:
    due = leader(table, ask.reading)
    if due is None:
        return NOT_EVIDENCED, 0, event.seat
    return None if table.all_in(due) else against(table, event.seat, due)


@rule("OPN02", SEVEN, MIDDLE, OPENING, needs="faces", readings=TIES)
@rule("OPN03", SEVEN, FINAL, OPENING, needs="faces", readings=TIES)
def opener(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The highest hand showing opens, unless the opener of round four does (19.20)."""
    opened = table.round.number == table.last and table.round.first_open
    return None if opened else by_showing(table, event, ask)


@rule("OPN11", FIVE, (1,), OPENING, needs="stacks")
@rule("OPN12", SEVEN, (1,), OPENING, needs="stacks")
def first_opener_has_chips(table: Table, event: Event, ask: Ask) -> Finding | None:
    """In the first round an all-in player is passed over."""
    if not somebody_all_in(table):
        return None
    return (BREACH if table.all_in(event.seat) else COMPLIANT), 0, event.seat


def passed_on(table: Table, event: Event, required: int | None) -> Finding | None:
    """Where the opener required is all-in the next active seat clockwise that is not opens; None where that
    opener has chips or nobody has."""
    if required is None or "faces" not in table.records:
        return NOT_EVIDENCED, 0, event.seat
    ring = [s for s in clockwise(table.active(), required) if not table.all_in(s)]
    if required not in table.active() or not table.all_in(required) or not ring:
        return None
    return against(table, event.seat, ring[0])


def somebody_all_in(table: Table) -> bool:
    return any(table.all_in(s) for s in table.active())


@rule("OPN13", FIVE, (2, 3, 4), OPENING, needs="stacks", readings=TIES)
def five_card_opener_passes(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Five Card Stud: an all-in player never opens; who does is known only with a community card."""
    if not somebody_all_in(table):
        return None
    if table.round.number == table.last and table.board:
        return passed_on(table, event, leader(table, ask.reading))
    return (BREACH, 0, event.seat) if table.all_in(event.seat) else None


def highest_showing_declared(table: Table) -> bool:
    return table.assumptions.get("five-card-opener") == "highest-showing"


@rule("OPN15", FIVE, (2, 3, 4), OPENING, needs="stacks", readings=TIES)
def declared_opener_passes(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Five Card Stud, where the casino has declared that the highest hand showing opens: as OPN14."""
    if not highest_showing_declared(table) or not somebody_all_in(table):
        return None
    return passed_on(table, event, leader(table, ask.reading))


@rule("OPN04", FIVE, (2, 3, 4), OPENING, needs="faces", readings=TIES)
def declared_opener(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Five Card Stud, where the casino has declared it: the highest hand showing opens."""
    return by_showing(table, event, ask) if highest_showing_declared(table) else None


@rule("OPN14", SEVEN, (2, 3, 4, 5), OPENING, needs="stacks", readings=TIES)
def opener_passes(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Seven Card Stud: an all-in opener's turn passes to the left, and on again."""
    rnd = table.round
    if not somebody_all_in(table):
        return None
    if rnd.number == table.last and rnd.first_open:
        return passed_on(table, event, table.openers.get(4, 0))
    return passed_on(table, event, leader(table, ask.reading))


@rule("OPN20", FIVE, (4,), OPENING, needs="faces", readings=TIES)
def opener_with_community_card(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Five Card Stud: a community card is no part of the hand showing."""
    return by_showing(table, event, ask) if table.board else None


@rule("FIN02", SEVEN, FINAL, OPENING, needs="faces")
def opener_of_the_round_before(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Where the final cards lie open the opener of the round before opens."""
    due, rnd = table.openers.get(4), table.round
    open_or_perhaps = rnd.first_open or rnd.perhaps_open
    if not open_or_perhaps or due is None or due not in table.active() or table.all_in(due):
        return None
    if not rnd.first_open:
        return NOT_EVIDENCED, due, event.seat
    return against(table, event.seat, due)


@rule("ACT41", B14, (1,), ACTIONS)
@rule("ACT44", B14, MIDDLE, ACTIONS)
@rule("ACT47", B14, FINAL, ACTIONS)
@rule("ACT51", B15, (1,), ACTIONS)
@rule("ACT54", B15, MIDDLE, ACTIONS)
@rule("ACT01", SEVEN, MIDDLE, ACTIONS)
@rule("ACT11", SEVEN, FINAL, ACTIONS)
def in_turn(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Action goes clockwise, to those who have to act and to nobody else."""
    rnd, seat = table.round, event.seat
    if rnd.opener is None:
        if seat in table.active() and not table.all_in(seat):
            return None
        if table.buttoned:
            return BREACH, 0, seat
        passes = [opener_passes(table, event, Ask(ask.rounds, reading)) for reading in TIES.split()]
        judged = all(p is not None and p[1] for p in passes)
        return None if judged else (BREACH, 0, seat)
    ring = clockwise(table.must_act(rnd), rnd.last_actor)
    expected = next(iter(ring), 0)
    if seat == expected:
        return COMPLIANT, expected, seat
    # Whoever was passed over and has no recorded stack may have been all-in.
    if seat in ring and all(table.stack(s) is None for s in ring[: ring.index(seat)]):
        return NOT_EVIDENCED, expected, seat
    return BREACH, expected, seat


@rule("ACT42", B14, (1,), "check bet raise")
@rule("ACT45", B14, MIDDLE, "check bet raise")
@rule("ACT48", B14, FINAL, "check bet raise")
@rule("ACT52", B15, (1,), "check bet raise")
@rule("ACT55", B15, MIDDLE, "check bet raise")
@rule("ACT02", SEVEN, MIDDLE, "check bet raise")
@rule("ACT12", SEVEN, FINAL, "check bet raise")
def facing_a_wager(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Facing a wager one calls, raises or folds."""
    needed = table.round.top - table.round.amounts.get(event.seat, 0)
    if needed <= 0 or event.seat not in table.active():
        return None
    if event.kind == "check":
        return BREACH, needed, event.amount
    if event.amount >= needed or table.all_in(event.seat, event.amount):
        return COMPLIANT, needed, event.amount
    return (NOT_EVIDENCED if table.stack(event.seat) is None else BREACH), needed, event.amount


@rule("ACT43", B14, (1,), LEAVING, closing=True)
@rule("ACT46", B14, MIDDLE, LEAVING, closing=True)
@rule("ACT49", B14, FINAL, LEAVING, closing=True)
@rule("ACT53", B15, (1,), LEAVING, closing=True)
@rule("ACT56", B15, MIDDLE, LEAVING, closing=True)
@rule("ACT03", SEVEN, MIDDLE, LEAVING, closing=True)
@rule("ACT13", SEVEN, FINAL, LEAVING, closing=True)
def betting_is_over(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A round ends only when nobody has to act any more."""
    if table.closed is not None:
        rnd = table.closed
    elif table.stops:
        rnd = table.round
    else:
        return None
    if rnd.number not in ask.rounds or not contested(table):
        return None
    waiting = clockwise(table.must_act(rnd), rnd.last_actor)
    if not waiting:
        return COMPLIANT, 0, 0
    return (BREACH if table.must_act(rnd, surely=True) else NOT_EVIDENCED), 0, waiting[0]


@rule("END41", B14, (1,), LEAVES | {"award"}, closing=True)
@rule("END42", B14, MIDDLE, LEAVES | {"award"}, closing=True)
@rule("END43", B14, FINAL, LEAVES | {"award"}, closing=True)
@rule("END51", B15, (1,), LEAVES | {"award"}, closing=True)
@rule("END52", B15, MIDDLE, LEAVES | {"award"}, closing=True)
@rule("END01", SEVEN, MIDDLE, LEAVES | {"award"}, closing=True)
@rule("END11", SEVEN, FINAL, LEAVES | {"award"}, closing=True)
def last_player_wins(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The one player left wins and nothing more is dealt. The round is the one that left one player."""
    active = table.active()
    if len(active) != 1 or table.left_round not in ask.rounds:
        return None
    good = event.kind == "award" and event.seat == active[0]
    return (COMPLIANT if good else BREACH), active[0], event.seat

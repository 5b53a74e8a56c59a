"""Dealing: 13.3(a) and 13.4(a), except what becomes of a short stub."""

from __future__ import annotations

from .book import B14, B15, BREACH, COMPLIANT, NOT_EVIDENCED, SEVEN, Ask, Finding, rule
from .walker import ACTIONS, LEAVES, Event, Round, Table, clockwise

MIDDLE, FINAL = (2, 3, 4), (5,)
LEAVING = LEAVES | {"reshuffle", "show", "muck", "award"}
"""Kinds that may leave a dealing round or the betting behind."""


def is_substitute(table: Table, event: Event) -> bool:
    """A deal that makes good a card taken back: no part of the dealing round."""
    return event.kind == "deal" and event.seat in table.owed


def contested(table: Table) -> bool:
    return len(table.active()) > 1


@rule("DEA42", B14, MIDDLE, "deal burn community", needs="burns")
@rule("DEA45", B14, FINAL, "deal burn community", needs="burns")
@rule("DEA56", B15, MIDDLE, "deal burn community", needs="burns")
@rule("DEA01", SEVEN, MIDDLE, "deal burn community", needs="burns")
@rule("DEA11", SEVEN, FINAL, "deal burn community", needs="burns")
def one_burn(table: Table, event: Event, ask: Ask) -> Finding | None:
    """One burn before the round's first card, none after it."""
    rnd = table.round
    begun = bool(rnd.deals or rnd.communities)
    if not contested(table) or is_substitute(table, event):
        return None
    if event.kind == "burn":
        if not begun or (rnd.burns_shuffled and not rnd.burns):
            return None  # whether one that was shuffled in is made again is not said
        return BREACH, 1 if rnd.burns else 0, rnd.burns + 1
    if begun or (rnd.burns == 0 and rnd.burns_shuffled):
        return None
    if event.kind == "community" and rnd.burns == 0 and rnd.stub < 2:
        # the stub does not hold a burn and a community card
        return None if rnd.stub + rnd.slack < 2 else (NOT_EVIDENCED, 1, 0)
    if rnd.burns == 0 and rnd.reshuffles and rnd.due in range(table.stub, table.stub + table.slack + 1):
        # the cards come out exactly
        return (NOT_EVIDENCED, 1, 0) if table.slack else None
    if (rnd.burns == 1) != (rnd.burns + rnd.burns_otherwise == 1):
        return NOT_EVIDENCED, 1, rnd.burns
    return (COMPLIANT if rnd.burns == 1 else BREACH), 1, rnd.burns


def unserved(table: Table, event: Event, seats: list[int]) -> tuple[Round, list[int]] | None:
    """Where dealing is settled (the first action, the end of play, the start of the next round): the round in
    question and which of the seats lack a card in it. None elsewhere."""
    if table.closed is not None:
        rnd = table.closed
    elif event.kind in ACTIONS or table.stops:
        rnd = table.round
    else:
        return None
    if rnd.settled or not contested(table):
        return None
    cards = len(table.pile) + table.slack
    if rnd.deals and table.stub == 0 and cards < len(table.lacking(rnd, table.due())):
        return None  # stub and burns cannot complete the deal: the text is silent
    return rnd, table.lacking(rnd, seats)


@rule("DEA02", SEVEN, MIDDLE, LEAVING | ACTIONS, closing=True)
@rule("DEA12", SEVEN, FINAL, LEAVING | ACTIONS, closing=True)
def one_card_each(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A card to each active seat, none to a seat that is out. Dead positions have a rule of their own."""
    settled = unserved(table, event, table.active())
    if settled is not None and settled[1] and settled[0].number in ask.rounds:
        # Without deal_order the log does not claim that every dealt card is there.
        return (BREACH if "deal_order" in table.records else NOT_EVIDENCED), settled[1][0], 0
    if event.kind != "deal" or table.round.number not in ask.rounds or not contested(table):
        return None
    seat = event.seat
    if is_substitute(table, event) or seat in table.was_dead:
        return None
    lacking = table.lacking(table.round, table.active())
    if seat in lacking:
        return COMPLIANT, seat, seat
    return BREACH, next(iter(clockwise(lacking, table.round.last_dealt)), 0), seat


@rule("DEA03", SEVEN, MIDDLE, "deal", needs="faces")
def face_up(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Cards of the second to fourth round are dealt face up."""
    if is_substitute(table, event) or not contested(table):
        return None
    return face(event, 1)


def face(event: Event, want: int) -> Finding:
    if event.face is None:
        return NOT_EVIDENCED, want, -1
    return (COMPLIANT if event.face == want else BREACH), want, event.face


@rule("DEA04", SEVEN, MIDDLE, "deal", needs="deal_order", readings="dealers-left any-start")
@rule("DEA14", SEVEN, FINAL, "deal", needs="deal_order", readings="dealers-left any-start")
def in_sequence(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Cards go round clockwise among the positions that still lack one; a doubtful one may be skipped."""
    rnd, seat = table.round, event.seat
    lacking = table.lacking(rnd, table.due())
    if seat not in lacking or is_substitute(table, event) or not contested(table):
        return None
    lacking = [s for s in lacking if s == seat or s not in table.doubtful]
    if rnd.deals:
        due = clockwise(lacking, rnd.last_dealt)[0]
    elif ask.reading == "dealers-left":
        dealer = table.hand.get("dealer_position")
        after = dealer if dealer is not None and dealer >= 0 else (table.first_seat or 1) - 1
        due = clockwise(lacking, after)[0]
    else:
        due = seat
    return (COMPLIANT if seat == due else BREACH), due, seat


@rule("DEA44", B14, MIDDLE, LEAVES)
@rule("DEA47", B14, FINAL, LEAVES)
@rule("DEA58", B15, MIDDLE, LEAVES)
@rule("DEA05", SEVEN, MIDDLE, LEAVES)
@rule("DEA15", SEVEN, FINAL, LEAVES)
def enough_players(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Nothing is dealt to fewer than two players."""
    active, rnd = len(table.active()), table.round
    if is_substitute(table, event):
        return None
    if active < 2:
        return BREACH, 2, active
    begun = rnd.deals or rnd.communities or rnd.burns or rnd.burns_shuffled
    return None if begun else (COMPLIANT, 2, active)


@rule("DEA13", SEVEN, FINAL, "deal community", needs="faces", readings="strict cut-text")
def face_down(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Seventh cards go down, a community card up. A first card that came open belongs to FIN01."""
    rnd = table.round
    if not contested(table):
        return None
    if event.kind == "community":
        return face(event, 1)
    comes_open = not rnd.deals and (event.face == 1 or table.seen(event) or event.then_exposed)
    if rnd.first_open or comes_open or is_substitute(table, event):
        return None
    perhaps_open = table.seen(event) is None if rnd.first_card is None else rnd.first_card.face is None
    if perhaps_open:
        return (
            NOT_EVIDENCED,
            0,
            -1 if event.face is None else event.face,
        )  # had it come open, this one goes up
    if event.face == 1 and ask.reading == "cut-text":
        return None
    return face(event, 0)

"""Dealing: 13.3(a) and 13.4(a), except what becomes of a short stub."""

from __future__ import annotations

from .book import BREACH, COMPLIANT, NOT_EVIDENCED, SEVEN, Ask, Finding, rule
from .walker import ACTIONS, LEAVES, Event, Round, Table, clockwise

MIDDLE, FINAL = (2, 3, 4), (5,)


def is_substitute(table: Table, event: Event) -> bool:
    """A deal that makes good a card taken back: no part of the dealing round."""
    return event.kind == "deal" and event.seat in table.owed


@rule("DEA01", SEVEN, MIDDLE, "deal burn", needs="burns")
@rule("DEA11", SEVEN, FINAL, "deal burn community", needs="burns")
def one_burn(table: Table, event: Event, ask: Ask) -> Finding | None:
    """One burn before the round's first card, none after it."""
    rnd = table.round
    if event.kind == "burn":
        dealing = rnd.deals > 0 and rnd.opener is None and not table.complete(rnd)
        return (BREACH, 1, rnd.burns + 1) if dealing else None
    if is_substitute(table, event) or rnd.deals or rnd.communities:
        return None
    if rnd.number == table.last:
        if rnd.stub_after_shuffle is not None:
            exact = event.kind == "deal" and rnd.stub_after_shuffle == rnd.due
            if exact or rnd.burns == rnd.burns_before_shuffle == 1:
                return None
        elif event.kind == "community" and rnd.stub < 2 and not rnd.burns:
            return None  # the stub does not hold a burn and a community card
    return (COMPLIANT if rnd.burns == 1 else BREACH, 1, rnd.burns)


def unserved(table: Table, event: Event, seats: list[int]) -> tuple[Round, list[int]] | None:
    """Where dealing is settled (the first action, a show, an award, the start of the next round): the
    round in question and which of the seats lack a card in it. None elsewhere."""
    if table.closed is not None:
        rnd = table.closed
    elif event.kind in ACTIONS or (event.kind in ("show", "award") and table.stops_play(event)):
        rnd = table.round
    else:
        return None
    if rnd.settled or len(table.active()) < 2:
        return None
    return rnd, table.lacking(rnd, seats)


@rule("DEA02", SEVEN, MIDDLE, LEAVES | ACTIONS | {"reshuffle", "show", "award"}, closing=True)
@rule("DEA12", SEVEN, FINAL, LEAVES | ACTIONS | {"reshuffle", "show", "award"}, closing=True)
def one_card_each(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A card to each active seat, none to a seat that is out. Dead positions have a rule of their own."""
    settled = unserved(table, event, table.active())
    if settled is not None and settled[1] and settled[0].number in ask.rounds:
        # Without deal_order the log does not claim that every dealt card is there.
        return (BREACH if "deal_order" in table.records else NOT_EVIDENCED), settled[1][0], 0
    if event.kind != "deal" or table.round.number not in ask.rounds or is_substitute(table, event):
        return None
    seat = event.seat
    if seat in table.dead or seat in table.was_dead:
        return None
    if seat in table.active() and table.lacking(table.round, [seat]):
        return COMPLIANT, seat, seat
    return BREACH, 0, seat


@rule("DEA03", SEVEN, MIDDLE, "deal", needs="faces")
def face_up(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Cards of the second to fourth round are dealt face up."""
    if is_substitute(table, event):
        return None
    if event.face is None:
        return NOT_EVIDENCED, 1, -1
    return (COMPLIANT if event.face == 1 else BREACH), 1, event.face


@rule("DEA04", SEVEN, MIDDLE, "deal", needs="deal_order", readings="dealers-left any-start")
@rule("DEA14", SEVEN, FINAL, "deal", needs="deal_order", readings="dealers-left any-start")
def in_sequence(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Cards go round clockwise among the positions that still lack one."""
    rnd = table.round
    lacking = table.lacking(rnd, table.due())
    if event.seat not in lacking or is_substitute(table, event):
        return None
    if rnd.last_dealt is not None:
        due = clockwise(lacking, rnd.last_dealt)[0]
    elif ask.reading == "dealers-left":
        due = table.first_due()
    else:
        due = event.seat
    return (COMPLIANT if event.seat == due else BREACH), due, event.seat


@rule("DEA05", SEVEN, MIDDLE, LEAVES)
@rule("DEA15", SEVEN, FINAL, LEAVES)
def enough_players(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Nothing is dealt to fewer than two players."""
    active = len(table.active())
    if active < 2:
        return BREACH, 0, active
    return None if table.round.touched else (COMPLIANT, 0, active)


@rule("DEA13", SEVEN, FINAL, "deal community", needs="faces", readings="strict cut-text")
def face_down(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Seventh cards go down, a community card up. A first card that came open belongs to FIN01."""
    rnd = table.round
    if is_substitute(table, event):
        return None
    want = 1 if event.kind == "community" else 0
    if want == 0 and table.foresight.first_seventh_open:
        return None
    if event.face is None:
        return NOT_EVIDENCED, want, -1
    if event.face == want:
        return COMPLIANT, want, event.face
    if want == 1:
        return BREACH, want, event.face
    if rnd.first_card is not None and rnd.first_card.face is None:
        return NOT_EVIDENCED, want, event.face  # had the first card come open, this one would be right
    return (BREACH, want, event.face) if ask.reading == "strict" else None

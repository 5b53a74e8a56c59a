"""A stub too short for the final round: 13.4(a), 19.9 and 19.16."""

from __future__ import annotations

from .book import BREACH, COMPLIANT, FIVE, NOT_EVIDENCED, SEVEN, Ask, Finding, rule
from .dealing import FINAL, contested
from .walker import Event, Table

DEAL, RESHUFFLE, COMMUNITY = 0, 1, 2


NEEDS = "burns deal_order reshuffles"


def remedy(table: Table, stub: int, positions: int, reading: str | None) -> int:
    """What the dealer has to do who finds such a stub and so many positions due at the start of the round."""
    if stub >= positions + 1:
        return DEAL
    enough = positions + (reading == "players-and-burn")
    return RESHUFFLE if stub + table.round.pile >= enough else COMMUNITY


@rule("SHT01", SEVEN, FINAL, "reshuffle community", needs=NEEDS, readings="players players-and-burn")
def short_stub(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A short stub is made up with the burns; a community card comes only if even they do not suffice."""
    rnd = table.round
    served = not table.lacking(rnd, table.due())
    done = COMMUNITY if event.kind == "community" else RESHUFFLE
    if not contested(table) or (rnd.deals and not served) or (served and done == RESHUFFLE):
        return None  # 19.16, or nothing left to shuffle for
    if table.tainted:
        return NOT_EVIDENCED, 0, done
    if served:
        return BREACH, DEAL, done
    due, *other = (
        remedy(table, stub, positions, ask.reading)
        for stub in range(rnd.stub, rnd.stub + rnd.slack + 1)
        for positions in (rnd.due, rnd.due - len(table.doubtful))
    )
    if set(other) != {due}:
        return NOT_EVIDENCED, due, done
    if due == COMMUNITY and done == RESHUFFLE and rnd.stub + rnd.slack < 2:
        return None  # without the burns there is no burn and community card to be had
    if due == COMMUNITY and done == RESHUFFLE and rnd.stub < 2:
        return NOT_EVIDENCED, due, done
    return (COMPLIANT if done == due else BREACH), due, done


@rule("SHT02", SEVEN, FINAL, "deal community")
def muck_stays_out(table: Table, event: Event, ask: Ask) -> Finding | None:
    """However short the stub, a folded player's card is not dealt again."""
    if table.round.stub >= table.round.due + 1:
        return None
    if event.card is None:
        return NOT_EVIDENCED, 0, -1
    if table.round.stub + table.round.slack >= table.round.due + 1:
        return NOT_EVIDENCED, 0, event.card
    if event.seat and event.seat == table.round.last_dealt and event.card == table.cards[event.seat][-1].code:
        return NOT_EVIDENCED, 0, event.card  # the deal before it, once more
    muck = {card for seat in table.folded for card in table.known.get(seat, ())}
    return (BREACH if event.card in muck else COMPLIANT), 0, event.card


@rule("SHT11", FIVE, (4,), "reshuffle community", needs=NEEDS)
@rule("SHT12", SEVEN, FINAL, "reshuffle community", needs=NEEDS)
def shortage_noticed_late(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Once dealing has begun the stub is dealt out, then the burns alone complete the deal."""
    rnd, cards = table.round, table.stub + len(table.pile)
    lacking = len(table.lacking(rnd, table.due()))
    if not rnd.deals or not lacking:
        return None
    if table.tainted:
        return NOT_EVIDENCED, 0, table.stub
    if event.kind == "community":
        verdicts = {BREACH if cards + more >= lacking else None for more in range(table.slack + 1)}
    else:
        verdicts = {BREACH if table.stub + more else COMPLIANT for more in range(table.slack + 1)}
    if len(verdicts) > 1:
        return NOT_EVIDENCED, 0, table.stub
    (verdict,) = verdicts
    return verdict and (verdict, 0, table.stub)

"""A stub too short for the final round: 13.4(a), 19.9 and 19.16."""

from __future__ import annotations

from .book import BREACH, COMPLIANT, FIVE, NOT_EVIDENCED, SEVEN, Ask, Finding, rule
from .dealing import FINAL
from .walker import Event, Table

DEAL, RESHUFFLE, COMMUNITY = 0, 1, 2


def count_is_sure(table: Table) -> bool:
    """The stub can be counted only if every dealt card is in the log and none is in it twice."""
    return not table.tainted and "deal_order" in table.records


@rule(
    "SHT01",
    SEVEN,
    FINAL,
    "reshuffle community",
    needs="burns reshuffles",
    readings="players players-and-burn",
)
def short_stub(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A short stub is made up with the burns; a community card comes only if even they do not suffice."""
    rnd = table.round
    done = COMMUNITY if event.kind == "community" else RESHUFFLE
    under_way = rnd.deals > 0 and (done == RESHUFFLE or bool(table.lacking(rnd, table.due())))
    if under_way and not rnd.communities:
        return None  # 19.16
    total = rnd.stub + rnd.pile
    if rnd.stub >= rnd.due + 1:
        due = DEAL
    elif total >= rnd.due + (ask.reading == "players-and-burn"):
        due = RESHUFFLE
    else:
        due = COMMUNITY
    if not count_is_sure(table):
        return NOT_EVIDENCED, due, done
    if done == COMMUNITY and rnd.communities:
        return BREACH, DEAL, done
    if due == COMMUNITY and done == RESHUFFLE and rnd.stub < 2:
        return None  # without the burns there is no burn and community card to be had
    return (COMPLIANT if done == due else BREACH), due, done


@rule("SHT02", SEVEN, FINAL, "deal community")
def muck_stays_out(table: Table, event: Event, ask: Ask) -> Finding | None:
    """However short the stub, a folded player's card is not dealt again."""
    if table.round.stub >= table.round.due + 1:
        return None
    if event.card is None:
        return NOT_EVIDENCED, 0, -1
    return (BREACH if table.where.get(event.card) in table.folded else COMPLIANT), 0, event.card


@rule("SHT11", FIVE, (4,), "reshuffle community", needs="burns reshuffles")
@rule("SHT12", SEVEN, FINAL, "reshuffle community", needs="burns reshuffles")
def shortage_noticed_late(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Once dealing has begun the stub is dealt out, then the burns alone complete the deal."""
    rnd = table.round
    lacking = table.lacking(rnd, table.due())
    if not rnd.deals or not lacking:
        return None
    if event.kind == "community":
        if table.stub or len(table.pile) + len(table.aside) < len(lacking):
            return None
        good = False
    else:
        good = table.stub == 0
    if not count_is_sure(table):
        return NOT_EVIDENCED, 0, table.stub
    return (COMPLIANT if good else BREACH), 0, table.stub

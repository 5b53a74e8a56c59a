"""The schedule a second time: plain Python, a hand at a time, sharing no code with the product.

``audit_hand`` gives every verdict on a hand, ``defects`` its contradictions; a hand is one record of the
JSON Lines form. Where the product and this package part, one of them, or ``docs/obligations.md``, is wrong.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise, product
from typing import Any, NamedTuple

from . import button, dealing, facts, irregularities, play, shortage, showdown
from .book import ALL_ROUNDS, OPENING, RULES, SETTLED, Rule, ask
from .walker import ACTIONS, LAST_ROUND, LEAVES, Event, Table, judged, read, scout

__all__ = ["ASSUMPTIONS", "CODES", "Verdict", "audit_hand", "defects", "everything"]

SECTIONS = (dealing, play, button, shortage, irregularities, showdown, facts)
CODES = tuple(
    "DEA01 DEA02 DEA03 DEA04 DEA05 DEA11 DEA12 DEA14 DEA15 DEA13 "
    "OPN01 OPN02 OPN03 OPN11 OPN12 OPN13 OPN14 OPN15 OPN04 OPN20 FIN02 "
    "ACT01 ACT02 ACT03 ACT11 ACT12 ACT13 END01 END11 SHT01 SHT02 SHT11 SHT12 "
    "BLI51 BLI52 DEA51 DEA52 DEA53 DEA54 DEA41 DEA55 OPN41 OPN51 OPN42 OPN43 OPN52 "
    "DEA42 DEA45 DEA56 DEA43 DEA46 DEA57 DEA44 DEA47 DEA58 ACT41 ACT42 ACT43 ACT44 ACT45 ACT46 "
    "ACT47 ACT48 ACT49 ACT51 ACT52 ACT53 ACT54 ACT55 ACT56 END41 END42 END43 END51 END52 "
    "SHO41 SHO42 SHO43 SPL41 SPL42 FIX02 "
    "EXP01 EXP02 EXP03 EXP04 POS01 POS02 INI01 INI02 INI03 FIN01 SHO01 SHO02 SHO03 SPL01 SPL02 "
    "DCK01 ANT01 STK01 ALL01 CAL01 FIX01 SPR01 CAP01 DED01 SPK01".split()
)
"""The obligations in the order of ``docs/obligations.md``."""
RANK = {code: rank for rank, code in enumerate(CODES)}
DESPITE = ("SHT02", "SHT11", "SHT12", "SPL02", "SPL42")
"""Obligations whose breach may itself be the contradiction: a card twice or from no stub, a chip kept."""
ASSUMPTIONS = {
    "first-round-opener": ("high-card", "low-card"),
    "five-card-opener": ("highest-showing",),
    "button-hand": ("best-five",),
}
"""What a casino may declare."""

CONCERNED: dict[tuple[str, str, int], list[Rule]] = defaultdict(list)
"""The rules to ask, by game, kind of event and round."""
for _rule in map(RULES.__getitem__, CODES):
    for _game, _kind, _round in product(_rule.games, _rule.kinds, ALL_ROUNDS):
        if _round in _rule.rounds or (_rule.closing and _round > _rule.rounds[0]):
            CONCERNED[_game, _kind, _round].append(_rule)


class Verdict(NamedTuple):
    """A verdict on an event (from 0): compliant, breach, indeterminate or not_evidenced. Expected and
    observed are seats, chips, card codes, counts or faces as the obligation says; -1 is not known."""

    event: int
    code: str
    verdict: str
    expected: int
    observed: int


def audit_hand(
    hand: dict[str, Any], *, readings: dict[str, str] | None = None, assumptions: dict[str, str] | None = None
) -> list[Verdict]:
    """Every verdict on the hand, by event, then in the order of ``CODES``.

    ``readings`` chooses a reading by code (``{"OPN02": "made-card"}``), or those with all of several answers
    (``"zero+any-card"``); ``assumptions`` declares topics of ``ASSUMPTIONS``. An unknown game, code, reading,
    topic or value raises ``ValueError``.
    """
    return everything(hand, readings=readings, assumptions=assumptions)[0]


def defects(hand: dict[str, Any]) -> list[str]:
    """The contradictions of the log, each as ``code: detail``. Codes: duplicate-card, deck-exhausted,
    return, replace, show, unknown-seat, after-end, repeated, chips."""
    return everything(hand)[1]


def everything(
    hand: dict[str, Any], *, readings: dict[str, str] | None = None, assumptions: dict[str, str] | None = None
) -> tuple[list[Verdict], list[str]]:
    """What ``audit_hand`` and ``defects`` say, in one."""
    readings, assumptions = readings or {}, assumptions or {}
    chosen = {}
    for code, reading in readings.items():
        asks, answers = RULES[code].asks if code in RULES else (), set(reading.split("+"))
        chosen[code] = [a for a in asks if answers <= set((a.reading or "").split("+"))]
        if not chosen[code]:
            raise ValueError(f"no reading {reading!r} of {code!r}")
    for topic, value in assumptions.items():
        if value not in ASSUMPTIONS.get(topic, ()):
            raise ValueError(f"assumption {topic} = {value!r}: known are {ASSUMPTIONS}")
    if hand["game"] not in LAST_ROUND:
        raise ValueError(f"game {hand['game']!r}: known are {', '.join(LAST_ROUND)}")
    events = read(hand)
    foresight, walked = scout(hand, events)
    table = Table(hand, foresight, assumptions)
    last_award = foresight.awards[-1].at if foresight.awards else -1
    verdicts: list[Verdict] = []

    def judge(event: Event, kind: str) -> None:
        for rule in CONCERNED.get((table.game, kind, table.round.number), ()):
            finding = ask(rule, table, event, chosen.get(rule.code, rule.asks))
            if finding is not None:
                verdicts.append(Verdict(event.at, rule.code, *finding))

    for event in judged(events):
        table.enter(event)
        judge(event, event.kind)
        if event.kind in ACTIONS and table.round.opener is None:
            judge(event, OPENING)
        if event.at == last_award:
            judge(event, SETTLED)
        table.apply(event)
    found = contradictions(hand, events, walked)
    if found:  # a log that contradicts itself accuses nobody
        verdicts = [
            v._replace(verdict="not_evidenced") if v.verdict == "breach" and v.code not in DESPITE else v
            for v in verdicts
        ]
    return sorted(verdicts, key=lambda v: (v.event, RANK[v.code])), found


def contradictions(hand: dict[str, Any], events: list[Event], table: Table) -> list[str]:
    """The defects of a hand that was walked to its end at ``table``."""
    found = table.defects
    seats = {s["seat"] for s in hand["seats"]}
    unseated = LEAVES - {"deal"} | {"reshuffle", "expose", "rake", "ruling", "misdeal"}
    over = False
    for event in events:
        if event.seat not in seats and (event.seat or event.kind not in unseated):
            found.append(f"unknown-seat: seat {event.seat} at event {event.at}")
        if over and event.kind in ACTIONS | LEAVES | {"ante", "blind", "replace", "reshuffle"}:
            found.append(f"after-end: {event.kind} at event {event.at}")
        over = over or event.kind in ("award", "misdeal")
    for before, event in pairwise(judged(events)):
        if event.kind in ("check", "fold") and (event.kind, event.seat) == (before.kind, before.seat):
            found.append(f"repeated: {event.kind} at event {event.at}")
    paid, raked = sum(table.paid.values()), sum(r.amount for r in table.rakes)
    out = sum(a.amount for a in table.awards) + raked
    short_by_rake = out < paid and not raked and "rake" not in table.records
    if table.awards and judged(events) == events and paid != out and not short_by_rake:
        found.append(f"chips: {paid} in, {out} out")
    return found

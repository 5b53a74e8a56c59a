"""What the auditor and its second implementation (``tests/oracle``) say of a hand, and where they part."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from auditor.batch import audit_batch
from auditor.findings import words
from auditor.handlog import HandLog
from auditor.plan import Plan
from auditor.sources import Batch
from auditor.sources.jsontext import lines
from tests import oracle
from tests.hands import log_of

VERDICTS = ("compliant", "breach", "indeterminate", "not_evidenced")
FORBIDS = ("SHT02", "SHO02", "SHO42")
"""Obligations under which nothing is expected."""
OWN_WORDS = {
    (code, "not_evidenced") for code in "EXP03 EXP04 FIX01 FIX02 INI02 POS01 POS02 SHO02 SHO42 SHT01".split()
}
"""Verdicts beside which docs/obligations.md leaves open what is expected and observed."""
DECLARED = ("first-round-opener=high-card", "five-card-opener=highest-showing", "button-hand=best-five")
"""Assumptions under which every clause is asked."""

Hand = dict[str, Any]
Said = dict[tuple[int, str], tuple[str, ...]]
"""Verdict, and expected and observed in words, by event and code."""


@cache
def plan(readings: tuple[str, ...] = (), assumptions: tuple[str, ...] = ()) -> Plan:
    return Plan.make(readings=readings, assumptions=assumptions, verdicts=VERDICTS)


@cache
def units() -> dict[str, str]:
    clauses = plan().passes[0].clauses
    return {clause.code: clause.check.unit for clause in clauses if clause.check}


def entry(code: str, verdict: str, expected: str, observed: str) -> tuple[str, ...]:
    if (code, verdict) in OWN_WORDS:
        return (verdict,)
    return (verdict, observed) if code in FORBIDS else (verdict, expected, observed)


def auditor_says(hands: Sequence[Hand], *choices: tuple[str, ...]) -> list[tuple[Said, set[str]]]:
    """Verdicts and defects of each hand, all of them audited as one batch."""
    table = log_of([{**hand, "hand_id": str(row)} for row, hand in enumerate(hands)]).table
    result = audit_batch(plan(*choices), Batch(table, (), ""))
    assert result.counts.audited == len(hands)
    said: list[tuple[Said, set[str]]] = [({}, set()) for _ in hands]
    names = ("hand_id", "event", "code", "verdict", "expected", "observed")
    columns = (result.findings.column(name).to_pylist() for name in names)
    for hand_id, event, code, *verdict in zip(*columns, strict=True):
        said[int(hand_id)][0][event, code] = entry(code, *verdict)
    for row in result.defects.to_pylist():
        said[int(row["hand_id"])][1].add(row["defect"])
    return said


def oracle_says(
    hand: Hand, readings: tuple[str, ...] = (), assumptions: tuple[str, ...] = ()
) -> tuple[Said, set[str]]:
    chosen, declared = (dict(choice.split("=") for choice in each) for each in (readings, assumptions))
    verdicts, defects = oracle.everything(hand, readings=chosen, assumptions=declared)
    said = {
        (v.event, v.code): entry(
            v.code, v.verdict, words(units()[v.code], v.expected), words(units()[v.code], v.observed)
        )
        for v in verdicts
    }
    return said, {text.split(":")[0] for text in defects}


def told(hand: Hand) -> str:
    """The hand as somebody reads it who has to find out which of the two is right."""
    fields = ("seat", "card", "face", "amount", "pot")
    events = [" ".join([e["kind"], *(str(e[f]) for f in fields if f in e)]) for e in hand["events"]]
    head = {name: value for name, value in hand.items() if name != "events"}
    return "\n".join([str(head), *(f"{at:4} {event}" for at, event in enumerate(events))])


def compare(hands: Sequence[Hand], *choices: tuple[str, ...]) -> tuple[int, list[tuple[Hand, str]]]:
    """The number of verdicts compared, and the hands on which the two part, each with what either says."""
    found, verdicts = [], 0
    for hand, (said, defects) in zip(hands, auditor_says(hands, *choices), strict=True):
        verdicts += len(said)
        other, others = oracle_says(hand, *choices)
        if (said, defects) != (other, others):
            places = sorted(key for key in said.keys() | other.keys() if said.get(key) != other.get(key))
            texts = [f"{key}: auditor {said.get(key)}, oracle {other.get(key)}" for key in places]
            texts.append(f"defects: auditor {sorted(defects)}, oracle {sorted(others)}")
            found.append((hand, "\n".join(texts)))
    return verdicts, found


def apart(hands: Sequence[Hand], *choices: tuple[str, ...]) -> list[tuple[Hand, str]]:
    """The hands on which the two part, each with what either says."""
    return compare(hands, *choices)[1]


def shortened(hand: Hand, wrong: Callable[[Hand], bool]) -> Hand:
    """The hand without the events that it needs not to be ``wrong``."""
    size = len(hand["events"])
    while size := size // 2:
        at = 0
        while at < len(hand["events"]):
            less = {**hand, "events": hand["events"][:at] + hand["events"][at + size :]}
            if less["events"] and wrong(less):
                hand = less
            else:
                at += size
    return hand


def shortest(found: Sequence[tuple[Hand, str]], *choices: tuple[str, ...]) -> str:
    """The shortest hand that shows one of the differences ``found``, and what either says of it."""
    start = min((hand for hand, _ in found), key=lambda hand: len(hand["events"]))
    hand = shortened(start, lambda less: bool(apart([less], *choices)))
    [(_, texts)] = apart([hand], *choices)
    return f"{texts}\n{told(hand)}"


def hands_of(log: HandLog) -> list[Hand]:
    """The hands in their text form, without the times, of which no clause speaks."""
    hands = [json.loads(text) for text in lines(log.table.combine_chunks()).to_pylist()]
    return [{name: value for name, value in hand.items() if name != "started_at"} for hand in hands]

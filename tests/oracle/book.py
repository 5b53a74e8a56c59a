"""The rules by code, and how their readings are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .walker import Event, Table

COMPLIANT, BREACH, INDETERMINATE, NOT_EVIDENCED = "compliant", "breach", "indeterminate", "not_evidenced"
SEVEN, FIVE = "seven-card-stud", "five-card-stud"
B14, B15 = "button-game-14", "button-game-15"
ALL_ROUNDS = (1, 2, 3, 4, 5)

OPENING, SETTLED = "opening", "settled"
"""Kinds that rules may name beside those of the log: the first action of a round, whatever it is, and the
last award of the hand."""

Finding = tuple[str, int, int]
"""Verdict, expected, observed."""


class Ask(NamedTuple):
    """What a rule is asked under: the rounds of its number, and one reading (None where it has but one)."""

    rounds: tuple[int, ...]
    reading: str | None


Judge = Callable[[Table, Event, Ask], Finding | None]


@dataclass(frozen=True)
class Rule:
    """A numbered obligation. ``closing`` rules also judge the round that an event ends, hence look at the
    round themselves."""

    code: str
    games: tuple[str, ...]
    rounds: tuple[int, ...]
    kinds: frozenset[str]
    needs: frozenset[str]
    asks: tuple[Ask, ...]
    closing: bool
    judge: Judge


RULES: dict[str, Rule] = {}


def rule(
    code: str,
    games: str | tuple[str, ...],
    rounds: tuple[int, ...],
    kinds: str | Iterable[str],
    *,
    needs: str = "",
    readings: str = "",
    closing: bool = False,
) -> Callable[[Judge], Judge]:
    """Enter a judge under ``code``. Kinds, needs and readings may be given as words in one string."""

    def enter(judge: Judge) -> Judge:
        RULES[code] = Rule(
            code,
            (games,) if isinstance(games, str) else games,
            rounds,
            frozenset(kinds.split() if isinstance(kinds, str) else kinds),
            frozenset(needs.split()),
            tuple(Ask(rounds, reading) for reading in readings.split() or (None,)),
            closing,
            judge,
        )
        return judge

    return enter


def combine(findings: list[Finding | None]) -> Finding:
    """One finding out of those of the readings, in order, at least one of which applies (is not None)."""
    applying = [f for f in findings if f is not None]
    for f in applying:
        if f[0] == NOT_EVIDENCED:
            return f
    breaches = [f for f in applying if f[0] == BREACH]
    if not breaches:
        return applying[0]
    if len(breaches) == len(findings):
        return breaches[0]
    return INDETERMINATE, *breaches[0][1:]


def ask(rule: Rule, table: Table, event: Event, asks: Sequence[Ask]) -> Finding | None:
    """The verdict of the rule on the event, under the readings of ``asks`` together."""
    findings = [rule.judge(table, event, a) for a in asks]
    if not any(findings):
        return None
    finding = combine(findings)
    if not rule.needs <= table.records:
        return NOT_EVIDENCED, *finding[1:]
    return finding

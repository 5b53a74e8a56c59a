"""What a run applies: a rule set with the user's choices, ready for the loop."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor import driver, looptext, rulesets
from auditor.checks.registry import VERDICTS
from auditor.state import GAMES

FLAGGED = ("breach", "indeterminate")


@dataclass(frozen=True)
class Pass:
    """One edition as a run applies it: its loop, and which ways of each clause to ask."""

    edition: rulesets.Edition
    loop: driver.Loop
    clauses: tuple[rulesets.Clause, ...]
    asked: np.ndarray

    @property
    def active(self) -> list[int]:
        """Numbers of the clauses that are asked at all."""
        return [index for index, ways in enumerate(self.asked) if ways]


@dataclass(frozen=True, eq=False)
class Plan:
    """What a run applies: a rule set with the user's choices, and the verdicts to write down.

    ``verdicts`` are words of ``VERDICTS``; tallies count all of them whatever is written down.
    """

    rules: rulesets.RuleSet
    passes: tuple[Pass, ...]
    verdicts: tuple[str, ...] = FLAGGED

    @classmethod
    def make(
        cls,
        rules: str | os.PathLike[str] | rulesets.RuleSet = "nz-1999",
        *,
        readings: Sequence[str] = (),
        assumptions: Sequence[str] = (),
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        verdicts: Sequence[str] = FLAGGED,
    ) -> Plan:
        """Load a rule set and narrow it (see ``rulesets.configure``); one choice may come without its list.

        Raises ``rulesets.RuleSetError``.
        """
        readings, assumptions, select, ignore, verdicts = (
            [choice] if isinstance(choice, str) else choice
            for choice in (readings, assumptions, select, ignore, verdicts)
        )
        unknown = [word for word in verdicts if word not in VERDICTS[1:]]
        if unknown:
            raise rulesets.RuleSetError(
                f"there is no verdict {unknown[0]!r}; there are: {', '.join(VERDICTS[1:])}"
            )
        base = rules if isinstance(rules, rulesets.RuleSet) else rulesets.load(os.fspath(rules))
        if strange := [game for game in base.games if game not in GAMES]:
            raise rulesets.RuleSetError(
                f"{base.name}: no game {strange[0]!r} can be audited; those that can: {', '.join(GAMES)}"
            )
        chosen = rulesets.configure(
            base, readings=readings, assumptions=assumptions, select=select, ignore=ignore
        )
        passes = tuple(
            _pass(whole, narrowed) for whole, narrowed in zip(base.editions, chosen.editions, strict=True)
        )
        return cls(chosen, passes, tuple(verdicts))

    @property
    def wanted(self) -> int:
        return sum(1 << VERDICTS.index(word) for word in self.verdicts)


def _pass(whole: rulesets.Edition, narrowed: rulesets.Edition) -> Pass:
    loop = driver.loop_of(whole)
    chosen = {clause.code: clause for clause in narrowed.active}
    asked = np.zeros(len(loop.clauses), np.int64)
    clauses = list(loop.clauses)
    for index, clause in enumerate(loop.clauses):
        if clause.code in chosen:
            clauses[index] = chosen[clause.code]
            names = {reading.name for reading in clauses[index].readings}
            for way, variant in enumerate(looptext.variants(clause)):
                if variant.option == clauses[index].assumed and variant.reading in names:
                    asked[index] |= 1 << way
    asked.setflags(write=False)
    return Pass(narrowed, loop, tuple(clauses), asked)

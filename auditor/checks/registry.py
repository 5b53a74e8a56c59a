"""Checks by name: what each looks at, what evidence it needs and which parameters a rule set may give it.

A check is one small pure function ``(event, state, ...) -> (verdict, expected, observed)`` that compiles.
It knows no rule set: a clause names it and gives it parameters, and the loader encodes those as the
small integers that the function is given.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from auditor._jit import small
from auditor.handlog import KINDS, RECORDS

INAPPLICABLE, COMPLIANT, BREACH, INDETERMINATE, NOT_EVIDENCED = range(5)
VERDICTS = ("inapplicable", "compliant", "breach", "indeterminate", "not_evidenced")
"""Verdicts by code. ``inapplicable`` is never reported: the obligation did not arise."""

UNITS = ("seat", "chips", "card", "count", "face", "dealing")
OPENING = "opening"
"""Stands for the first action of a round, of whatever kind."""
ACTIONS = ("forced_bet", "check", "bet", "call", "raise", "fold")


@dataclass(frozen=True)
class Choice:
    """A parameter that is one of a few words, as its position."""

    words: tuple[str, ...]

    def encode(self, value: Any) -> int:
        if value not in self.words:
            raise ValueError(f"{value!r} is not one of {', '.join(self.words)}")
        return self.words.index(value)


@dataclass(frozen=True)
class Rounds:
    """A parameter that lists round numbers, 1 to 5, as bits.

    ``of`` names the field of the state that holds the round in question: the loop asks the check only in
    rounds that are listed, and does not hand the list over. Where ``also`` names a second such field either
    will do, and the check is given the bits to tell which.
    """

    of: str = "betting_round"
    also: str = ""

    def encode(self, value: Any) -> int:
        # Exact types: text is a sequence too, and true an int.
        if not isinstance(value, list | tuple) or not all(type(r) is int and 1 <= r <= 5 for r in value):
            raise ValueError(f"{value!r} is not a list of rounds from 1 to 5")
        return sum(1 << r for r in set(value))


@dataclass(frozen=True)
class Flag:
    """A parameter that is true or false."""

    def encode(self, value: Any) -> int:
        if not isinstance(value, bool):
            raise ValueError(f"{value!r} is neither true nor false")
        return int(value)


Parameter = Choice | Rounds | Flag


@dataclass(frozen=True)
class Check:
    """A registered check: ``on`` are event kinds (or ``opening``), ``needs`` are records, ``unit`` says how
    ``expected`` and ``observed`` are printed. ``applies`` says of (event, state) at little cost whether the
    check can apply at all; the loop asks that first. ``despite_defects``: its breach is itself a
    contradiction of the log, and stands although the log contradicts itself."""

    name: str
    function: Callable[..., tuple[int, int, int]]
    on: tuple[str, ...]
    needs: tuple[str, ...]
    unit: str
    parameters: Mapping[str, Parameter]
    applies: Callable[[Any, Any], Any] | None = None
    despite_defects: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        return named, (self.name,)  # another process has it by its name

    @property
    def title(self) -> str:
        """The first line of the function's docstring; empty where Python leaves docstrings out (``-OO``)."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]


CHECKS: dict[str, Check] = {}


def named(name: str) -> Check:
    """The check of that name; ``KeyError`` if there is none."""
    import auditor.checks  # noqa: F401  (registers them)

    return CHECKS[name]


def check(
    name: str,
    *,
    on: Iterable[str],
    needs: Iterable[str] = (),
    unit: str,
    applies: Callable[[Any, Any], Any] | None = None,
    despite_defects: bool = False,
    **parameters: Parameter,
) -> Callable[[Callable[..., tuple[int, int, int]]], Callable[..., tuple[int, int, int]]]:
    """Register a check under ``name``. A missing docstring, an unknown kind, record or unit, and a name
    already taken raise ``ValueError`` at import."""
    on, needs = tuple(on), tuple(needs)
    for given, known in ((on, (*KINDS, OPENING)), (needs, RECORDS), ((unit,), UNITS)):
        for word in given:
            if word not in known:
                raise ValueError(f"check {name}: unknown {word!r}")

    def register(function: Callable[..., tuple[int, int, int]]) -> Callable[..., tuple[int, int, int]]:
        if not function.__doc__ and sys.flags.optimize < 2:
            raise ValueError(f"check {name}: no docstring")
        if name in CHECKS:
            raise ValueError(f"check {name}: registered twice")
        gate = applies and small(applies)
        CHECKS[name] = Check(name, function, on, needs, unit, parameters, gate, despite_defects)
        return function

    return register

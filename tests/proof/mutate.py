"""How many small changes to checks and replay the tests notice: ``python -m tests.proof.mutate [MODULE...]``.

Each mutant (``tests/proof/mutants.py``) runs as plain Python over hands that reach the changed line, until
something is said that a test forbids: first over the clause scripts and the hands of the other rule books and
of hold'em, held to the verdicts written beside their events; then over the clause scripts, the corners that
made-up hands have found, the sample logs and hands made up, held to the second implementation. To that the
suite holds the auditor on the very same hands (``tests/test_oracle_agrees.py``), so that whatever the
unchanged auditor says of them is what it says, and need not be asked again. An exception kills a mutant too,
and so does a hand that takes longer than ``SECONDS``.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import os
import random
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import auditor
from tests import agreement
from tests import test_oracle_agrees as agrees
from tests.books import test_books as other_books
from tests.hands import Script, script
from tests.holdem import test_holdem as holdem
from tests.proof.mutants import Mutant, mutants_of
from tests.proof.play import Prepared, Said, applied, play, prepare
from tests.strategies import any_hand

CHECKS = tuple(
    f"auditor.checks.{name}"
    for name in "action button dealing exposure initial money opener position pots shortage showdown".split()
)
REPLAY = tuple(f"auditor.{name}" for name in "steps deck seats hands strength bits".split())
KEEPING = ("auditor.checks.opener", "auditor.hands")
"""Modules that keep in the state what they find, for who asks again."""
PURE = (*(set(CHECKS) - set(KEEPING)), *(f"auditor.{name}" for name in "seats strength bits".split()))
"""Modules whose functions only read the state: there a mutant that answers alike changes nothing."""
SECONDS = 2
"""Of the processor, for one hand: a thousand times what it takes."""
MADE_UP = 4
"""Seeds, each of a thousand hands made up."""
MOST = 1000
"""Hands beside the scripts that the mutants of one function may try: those that reach most of it."""
WAYS = ("written", "second", "error", "timeout")
"""What kills a mutant: a verdict written in a script, the second implementation, an exception, the clock."""


@dataclass(frozen=True)
class Witness:
    """A hand that can tell a mutant, with what is said of it unchanged and the lines that this takes."""

    hand: Prepared
    said: Said
    lines: int
    script: Script | None = None


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError


class Lines:
    """The lines of some functions as bits, and which of them a hand reaches."""

    def __init__(self, codes: Iterable[CodeType]) -> None:
        self.bits: dict[tuple[str, int], int] = {}
        self.codes = set(codes)
        for code in self.codes:
            for _, _, line in code.co_lines():
                if line:
                    self.bits.setdefault((code.co_filename, line), len(self.bits))
        self.reached = 0

    def _call(self, frame: FrameType, _event: str, _arg: Any) -> Any:
        return self._line if frame.f_code in self.codes else None

    def _line(self, frame: FrameType, event: str, _arg: Any) -> Any:
        if event == "line":
            self.reached |= 1 << self.bits[frame.f_code.co_filename, frame.f_lineno]
        return self._line

    def played(self, hand: Prepared) -> tuple[Said, int]:
        self.reached = 0
        sys.settrace(self._call)
        try:
            return play(hand), self.reached
        finally:
            sys.settrace(None)

    def of(self, code: CodeType, lines: Iterable[int]) -> int:
        places = {(code.co_filename, line) for line in lines}
        return sum(1 << bit for place, bit in self.bits.items() if place in places)

    def whole(self, code: CodeType) -> int:
        return self.of(code, {line for _, _, line in code.co_lines() if line})


def hands(made_up: int, clauses: Sequence[str] = ()) -> Iterator[tuple[Prepared, Script | None]]:
    """All hands that tell mutants, the scripts first; with clauses, the scripts of these and nothing else."""
    for path in agrees.SCRIPTS:
        if not clauses or path.parent.name in clauses:
            one = script(path)
            yield prepare([one.hand], one.readings, one.assumptions)[0], one
    if clauses:
        return
    yield from _of_other_books()
    for path in holdem.WRITTEN:
        one = script(path)
        yield prepare([one.hand], rules=str(holdem.RULES))[0], one
    corners = [agrees.corner(about) for about in agrees.CORNERS]
    yield from ((hand, None) for hand in [*_covered(corners), *_covered(corners, agreement.DECLARED)])
    for path in agrees.SAMPLES:
        yield from ((hand, None) for hand in _covered(agreement.hands_of(auditor.load(path))))
    if made_up:
        made = [*agrees.button_hands_made_up(), *agrees.button_hands_with_slips(5, spoilt=True)]
        yield from ((hand, None) for hand in _covered(made, agreement.DECLARED))
    for seed in range(made_up):
        chance = random.Random(seed)
        made = [any_hand(chance) for _ in range(1000)]
        yield from ((hand, None) for hand in _covered(made, agreement.DECLARED if seed % 2 else ()))


def _covered(made: Iterable[dict[str, Any]], declared: Sequence[str] = ()) -> list[Prepared]:
    games = applied("nz-1999").edition.book.games
    return prepare([hand for hand in made if hand["game"] in games], (), declared)


def _of_other_books() -> Iterator[tuple[Prepared, Script]]:
    for one in other_books.SCRIPTS.values():
        for book in other_books.books(one):
            _, declared, readings, _ = other_books.job(one, book)
            hand = prepare([one.hand], readings, declared, book)[0]
            # Of defects nothing is written down there.
            defects = sorted(play(hand)[1])
            yield hand, replace(one, expected=other_books.wanted(one, book), defects=defects)


def apart(one: Said, other: Said) -> bool:
    """Whether the second implementation, which agrees with ``one``, would not agree with ``other``."""
    said = [
        ({(event, code): agreement.entry(code, *verdict) for event, code, *verdict in each[0]}, each[1])
        for each in (one, other)
    ]
    return one != other and said[0] != said[1]


class StandIn:
    """Takes the place of a pure function, asks its mutants the same, and notes which answer otherwise."""

    def __init__(self, function: FunctionType, mutants: Iterable[Mutant]) -> None:
        self.function = function
        self.rivals = {mutant: FunctionType(mutant.code, function.__globals__) for mutant in mutants}
        self.asking = False
        self.apart: set[Mutant] = set()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        answer = self.function(*args, **kwargs)
        if self.asking:
            self.asking = False  # a rival may come back here
            for mutant, rival in self.rivals.items():
                if mutant not in self.apart and not alike(answer, rival, args, kwargs):
                    self.apart.add(mutant)
            self.asking = True
        return answer

    def differing(self, hand: Prepared) -> list[Mutant]:
        self.apart = set()
        self.asking = True
        play(hand)
        self.asking = False
        return [mutant for mutant in self.rivals if mutant in self.apart]


def alike(answer: Any, rival: FunctionType, args: Any, kwargs: Any) -> bool:
    try:
        with limited():
            return bool(rival(*args, **kwargs) == answer)
    except Exception:
        return False


@contextmanager
def limited() -> Iterator[None]:
    """Raise ``TimeoutError`` after ``SECONDS``."""
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def rebind(old: Any, new: Any) -> None:
    """Have every module that knows one thing know another instead."""
    for module in [module for module in sys.modules.values() if isinstance(module, ModuleType)]:
        for name in [name for name, value in vars(module).items() if value is old]:
            setattr(module, name, new)


def fates(mutants: Sequence[Mutant], witnesses: Sequence[Witness], lines: Lines) -> list[str]:
    """What becomes of the mutants of one function: one of ``WAYS`` each, or empty for a survivor.

    Hands that reach most of the function come first, scripts before all others.
    """
    function = mutants[0].function
    whole = lines.whole(function.__code__)
    reach = {mutant: lines.of(function.__code__, mutant.lines) for mutant in mutants}
    found = dict.fromkeys(mutants, "")
    scripts = sorted((w for w in witnesses if w.script), key=lambda w: -(w.lines & whole).bit_count())
    others = sorted((w for w in witnesses if not w.script), key=lambda w: -(w.lines & whole).bit_count())
    stand_in = StandIn(function, mutants) if mutants[0].module in PURE else None
    if stand_in:
        rebind(function, stand_in)
    signal.signal(signal.SIGVTALRM, _too_long)
    for witness in scripts + others[:MOST]:
        # A script may yet kill by what is written what only the second implementation has killed so far.
        alive = [m for m, way in found.items() if way == "" or (way == "second" and witness.script)]
        reaching = [mutant for mutant in alive if witness.lines & reach[mutant]]
        if reaching and stand_in:
            stand_in.rivals = {mutant: stand_in.rivals[mutant] for mutant in alive}
            differing = stand_in.differing(witness.hand)
            reaching = [mutant for mutant in reaching if mutant in differing]
        for mutant in reaching:
            found[mutant] = fate(mutant, witness) or found[mutant]
    if stand_in:
        rebind(stand_in, function)
    return list(found.values())


def fate(mutant: Mutant, witness: Witness) -> str:
    """How the hand kills the mutant; empty if it does not."""
    original = mutant.function.__code__
    mutant.function.__code__ = mutant.code
    try:
        with limited():
            said = play(witness.hand)
    except TimeoutError:
        return "timeout"
    except Exception:
        return "error"
    finally:
        mutant.function.__code__ = original
    if witness.script and fails(witness.script, said):
        return "written"
    # The second implementation knows the schedule of 1999 alone.
    return "second" if witness.hand.rules == "nz-1999" and apart(witness.said, said) else ""


def fails(one: Script, said: Said) -> bool:
    """Whether the test of a script fails on what is said."""
    seen, wanted = one.compare(said[0])
    return seen != wanted or said[1] != set(one.defects)


# What the workers, forked, find in place.
_lines: Lines
_hands: list[tuple[Prepared, Script | None]]
_mutants: list[Mutant]
_witnesses: list[Witness]


def _witness(number: int) -> tuple[Said, int]:
    return _lines.played(_hands[number][0])


def _fates(group: tuple[int, int]) -> list[str]:
    return fates(_mutants[slice(*group)], _witnesses, _lines)


def judge(
    mutants: list[Mutant], tellers: Iterable[tuple[Prepared, Script | None]], workers: int
) -> list[str]:
    """The fate of each mutant, in order; those of one function stand together."""
    global _lines, _hands, _mutants, _witnesses
    fork = multiprocessing.get_context("fork")
    _mutants, _hands = mutants, list(tellers)
    _lines = Lines({mutant.function.__code__ for mutant in mutants})
    with fork.Pool(workers) as pool:
        played = pool.map(_witness, range(len(_hands)), chunksize=50)
    _witnesses = [Witness(hand, *said, one) for (hand, one), said in zip(_hands, played, strict=True)]
    for witness in _witnesses:
        if witness.script:
            assert not fails(witness.script, witness.said), f"{witness.script.name} fails as it is"
    starts = [
        n for n, mutant in enumerate(mutants) if n == 0 or mutant.function is not mutants[n - 1].function
    ]
    groups = list(pairwise([*starts, len(mutants)]))
    with fork.Pool(workers) as pool:
        return [way for ways in pool.map(_fates, groups, chunksize=1) for way in ways]


def report(modules: Sequence[str], mutants: Sequence[Mutant], fates: Sequence[str]) -> str:
    """The table, a line a module, and below it every survivor."""
    lines = [f"{'module':<28}{'mutants':>8}{'killed':>8}{'share':>8}" + "".join(f"{way:>9}" for way in WAYS)]
    told = list(zip(mutants, fates, strict=True))
    groups = [(module, [way for mutant, way in told if mutant.module == module]) for module in modules]
    for name, ways in [*groups, ("all", list(fates))]:
        killed = sum(way != "" for way in ways)
        share = f"{killed / len(ways):.1%}" if ways else "-"
        counts = "".join(f"{ways.count(way):>9}" for way in WAYS)
        lines.append(f"{name:<28}{len(ways):>8}{killed:>8}{share:>8}{counts}")
    lines += ["", *(f"{mutant.place}: {mutant.change}" for mutant, way in told if not way)]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="mutate", description="The share of mutants that the tests kill.")
    parser.add_argument(
        "modules", nargs="*", help="such as auditor.checks.opener; by default all checks and replay"
    )
    parser.add_argument("--sample", type=int, help="only so many mutants, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--made-up", type=int, default=MADE_UP, help="how many thousand hands are made up")
    parser.add_argument(
        "--clauses", nargs="+", default=(), help="only the scripts of these, and no other hands"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    chosen = parser.parse_args()
    if os.environ.get("AUDITOR_COMPILE") != "0":
        command = [sys.executable, "-m", "tests.proof.mutate", *sys.argv[1:]]
        os.execve(sys.executable, command, {**os.environ, "AUDITOR_COMPILE": "0"})
    modules = chosen.modules or [*CHECKS, *REPLAY]
    mutants = [mutant for module in modules for mutant in mutants_of(importlib.import_module(module))]
    if chosen.sample is not None and chosen.sample < len(mutants):
        kept = sorted(random.Random(chosen.seed).sample(range(len(mutants)), chosen.sample))
        mutants = [mutants[number] for number in kept]
    print(report(modules, mutants, judge(mutants, hands(chosen.made_up, chosen.clauses), chosen.workers)))


if __name__ == "__main__":
    main()

"""Inputs that no well-behaved system writes, for a while: ``python -m tests.proof.fuzz --minutes M``.

See ``tests/fuzzing.py`` for what they are and what must hold of each. Compiled code checks its array indices
here. An input that takes longer than ``LIMIT`` seconds, or takes the process down, is a bug like one that
raises; it is named by seed and number, and ``--input SEED:NUMBER`` examines it again. Ends with 1 if there
was any.
"""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import multiprocessing.connection
import os
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path

LIMIT = 60
"""Seconds that an input may take on a machine that is busy."""
MEMORY = 8 << 30
"""Bytes of addresses that a process may have: an input must not make it ask for more."""
SHOWN = 20


def work(seed: int, first: int, step: int, ends: float, told: Connection) -> None:
    """Examine every ``step``-th input from ``first`` on until ``ends`` (``time.monotonic``); tell of each."""
    from tests.fuzzing import examine, input_of

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        number = first
        while time.monotonic() < ends:
            told.send((number, None, None))
            faulthandler.dump_traceback_later(LIMIT, exit=True)
            given = input_of(seed, number)
            try:
                examine(given, Path(folder))
                failure = None
            except Exception:
                failure = traceback.format_exc(limit=-6)
            faulthandler.cancel_dump_traceback_later()
            told.send((number, given.about, failure))
            number += step
    told.close()


def listen(ears: list[Connection]) -> tuple[Counter[str], dict[int, str]]:
    """How many inputs of each kind were examined, and what went wrong with which."""
    examined: Counter[str] = Counter()
    wrong: dict[int, str] = {}
    at: dict[Connection, int | None] = dict.fromkeys(ears)
    shown = time.monotonic()
    while at:
        for ear in multiprocessing.connection.wait(list(at)):
            assert isinstance(ear, Connection)
            try:
                number, about, failure = ear.recv()
            except EOFError:
                number = at.pop(ear)
                if number is not None:
                    wrong[number] = f"the process ended, or took more than {LIMIT} seconds"
                continue
            at[ear] = None if about else number
            examined.update([about] if about else [])
            if failure:
                wrong[number] = failure
        if time.monotonic() - shown > 30:
            shown = time.monotonic()
            print(f"{examined.total():,} inputs, {len(wrong)} wrong", file=sys.stderr)
    return examined, wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proof.fuzz", description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, help="the inputs (a random one, printed)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (all cores)")
    parser.add_argument("--input", help="SEED:NUMBER, to examine this one only, and see what it raises")
    given = parser.parse_args()
    os.environ |= {
        "AUDITOR_BOUNDSCHECK": "1",
        "AUDITOR_COMPILE": "1",
    }  # before anything is imported that compiles
    from tests.fuzzing import examine, input_of

    if given.input:
        seed, number = map(int, given.input.split(":"))
        with tempfile.TemporaryDirectory() as folder:
            examine(input_of(seed, number), Path(folder))
        return 0
    seed = random.SystemRandom().randrange(1 << 31) if given.seed is None else given.seed
    print(f"Seed {seed}; compiling with bounds checks", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        examine(input_of(seed, 2), Path(folder))  # any hand: the workers then find the loop compiled
    spawn = multiprocessing.get_context("spawn")
    ends = time.monotonic() + 60 * given.minutes
    ears = []
    for first in range(given.workers):
        ear, mouth = spawn.Pipe(duplex=False)
        spawn.Process(target=work, args=(seed, first, given.workers, ends, mouth), daemon=True).start()
        mouth.close()
        ears.append(ear)
    examined, wrong = listen(ears)
    print(f"Seed {seed}\n\n| inputs | number |\n|---|---:|")
    for about, number in sorted(examined.items()):
        print(f"| {about} | {number:,} |")
    print(f"\n{examined.total():,} inputs, {len(wrong)} wrong")
    for number, failure in sorted(wrong.items())[:SHOWN]:
        print(f"\n{seed}:{number}\n{failure}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

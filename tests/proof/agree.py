"""Auditor and second implementation on any number of hands: ``python -m tests.proof.agree --hands N``.

A quarter each of simulated nights without a breach, nights with planted breaches, such nights with slips in
the log, and hands that are made up altogether (see ``tests/strategies.py``); every other batch under the
assumptions that a casino may declare. Ends with a table and 0, or at the first difference with the shortest
hand that shows it and 1. The same seed gives the same hands.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, takewhile

from auditor.simulate import simulate
from tests.agreement import DECLARED, Hand, compare, hands_of, shortest
from tests.strategies import any_hand, corrupted

BATCH = 500
KINDS = ("clean", "planted", "corrupted", "made up")
PLANTED = 0.9
"""Share of the hands with a breach in nights that have any."""


def batch(seed: int, number: int) -> tuple[str, list[Hand], tuple[str, ...]]:
    """Batch ``number`` of a seed: its kind, its hands, and the assumptions to judge them under."""
    rng = random.Random(f"{seed}:{number}")
    kind = KINDS[number % len(KINDS)]
    declared = DECLARED if number // len(KINDS) % 2 else ()
    if kind == "made up":
        return kind, [any_hand(rng) for _ in range(BATCH)], declared
    plant = 0.0 if kind == "clean" else PLANTED
    night = hands_of(simulate(BATCH, seed=rng.getrandbits(31), plant=plant).log)
    return kind, [corrupted(hand, rng) for hand in night] if kind == "corrupted" else night, declared


def judged(seed: int, number: int) -> tuple[Counter[tuple[str, str]], str]:
    """Counts of a batch by (kind, what), and how the two part on it, if they do."""
    kind, hands, declared = batch(seed, number)
    verdicts, apart = compare(hands, (), declared)
    counts = Counter({(kind, "hands"): len(hands), (kind, "verdicts"): verdicts})
    counts[kind, "events"] = sum(len(hand["events"]) for hand in hands)
    return counts, f"batch {number}, {kind}:\n{shortest(apart, (), declared)}" if apart else ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proof.agree", description=__doc__.split("\n")[0])
    parser.add_argument("--hands", type=int, default=1_000_000, help="rounded up to whole batches of 500")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (all cores)")
    given = parser.parse_args()
    total: Counter[tuple[str, str]] = Counter()
    began = time.monotonic()
    numbers = takewhile(lambda number: number * BATCH < given.hands, count())
    with ProcessPoolExecutor(given.workers, multiprocessing.get_context("spawn")) as pool:
        for done, (counts, apart) in enumerate(pool.map(partial(judged, given.seed), numbers), 1):
            if apart:
                pool.shutdown(cancel_futures=True)
                print(f"The two part. {apart}")
                return 1
            total += counts
            if done % 20 == 0:
                rate = done * BATCH / (time.monotonic() - began)
                print(f"{done * BATCH:,} of {given.hands:,} hands, {rate:.0f} a second", file=sys.stderr)
    print("The two say the same of every hand.\n\n| kind | hands | events | verdicts |\n|---|---:|---:|---:|")
    for kind in KINDS:
        row = (f"{total[kind, what]:,}" for what in ("hands", "events", "verdicts"))
        print(f"| {kind} | {' | '.join(row)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

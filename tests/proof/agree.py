"""Auditor and second implementation on any number of hands: ``python -m tests.proof.agree --hands N``.

A fifth each of simulated nights without a breach, nights with planted breaches, such nights with slips in
the log, hands that are made up altogether (see ``tests/strategies.py``), and hands of button games, with
slips of dealer, player and log; half of the batches under the assumptions that a casino may declare. Ends
with a table and 0, or with the shortest hand of each batch on which the two part and 1. The same seed gives
the same hands.
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
from tests.button_hands import button_hand
from tests.strategies import any_hand, corrupted

BATCH = 500
KINDS = ("clean", "planted", "corrupted", "made up", "button")
PLANTED = 0.9
"""Share of the hands with a breach in nights that have any."""
ENOUGH = 10
"""Batches on which the two part, after which there is no point in going on."""


def batch(seed: int, number: int) -> tuple[str, list[Hand], tuple[str, ...]]:
    """Batch ``number`` of a seed: its kind, its hands, and the assumptions to judge them under."""
    rng = random.Random(f"{seed}:{number}")
    kind = KINDS[number % len(KINDS)]
    declared = DECLARED if number // len(KINDS) % 2 else ()
    if kind == "made up":
        return kind, [any_hand(rng) for _ in range(BATCH)], declared
    plant = 0.0 if kind == "clean" else PLANTED
    if kind == "button":
        hands = [button_hand(rng, slip=rng.choice((0, 2, 10))) for _ in range(BATCH)]
        return kind, [corrupted(hand, rng) if rng.random() < 0.3 else hand for hand in hands], declared
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
    parted: list[str] = []
    began = time.monotonic()
    numbers = takewhile(lambda number: number * BATCH < given.hands, count())
    with ProcessPoolExecutor(given.workers, multiprocessing.get_context("spawn")) as pool:
        for done, (counts, apart) in enumerate(pool.map(partial(judged, given.seed), numbers), 1):
            if apart:
                parted.append(apart)
                print(f"The two part. {apart}", flush=True)
            if len(parted) == ENOUGH:
                pool.shutdown(cancel_futures=True)
                return 1
            total += counts
            if done % 20 == 0:
                rate = done * BATCH / (time.monotonic() - began)
                print(f"{done * BATCH:,} of {given.hands:,} hands, {rate:.0f} a second", file=sys.stderr)
    if parted:
        return 1
    print("The two say the same of every hand.\n\n| kind | hands | events | verdicts |\n|---|---:|---:|---:|")
    for kind in KINDS:
        row = (f"{total[kind, what]:,}" for what in ("hands", "events", "verdicts"))
        print(f"| {kind} | {' | '.join(row)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

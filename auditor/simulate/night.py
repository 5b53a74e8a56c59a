"""Nights of play: which hand breaks what, and the hands with their truth, batch by batch or all in memory."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from auditor.handlog import SCHEMA, HandLog
from auditor.simulate.chance import hashed
from auditor.simulate.noise import NO_FAULTS, disturb
from auditor.simulate.plants import NEEDS_DOWN_CARDS, PLANTED_CODES, PLANTS, Plant
from auditor.simulate.played import CLEAN, Ints, played
from auditor.simulate.record import table_of
from auditor.simulate.truth import TRUTH, truth_of
from auditor.sources.base import ROWS

if TYPE_CHECKING:
    import pandas as pd

FIRST_DAY = date(2026, 11, 1)
_LOTS = 1 << 24
"""What a hand draws lies from 0 to this, and decides whether it is broken, noisy, or neither."""


class NightError(ValueError):
    """A night that cannot be simulated: says which argument is at fault, and the remedy."""


@dataclass(frozen=True)
class Night:
    """Hands as a casino would log them, and what was planted in them.

    ``truth`` has one row a broken obligation or fault of logging (the columns of ``TRUTH``). A hand that is
    not in it keeps every rule and is logged as it was played.
    """

    log: HandLog
    truth: pd.DataFrame


@dataclass(frozen=True)
class Part:
    """Some hands of a night: a table of ``SCHEMA``, and what was planted in them, a table of ``TRUTH``."""

    table: pa.Table
    truth: pa.Table


def simulate(
    hands: int,
    *,
    seed: int = 0,
    plant: float = 0.0,
    noise: float = 0.0,
    only: Sequence[str] = (),
    gaming_day: date = FIRST_DAY,
    tables: int = 4,
) -> Night:
    """``hands`` hands of Seven and Five Card Stud, a share ``plant`` (0 to 1) with one planted breach each.

    A share ``noise`` of other hands keeps the rules and is logged badly (``noise.NOISE``). ``only`` names the
    codes of the obligations to break (all that can be broken if empty), or ``CODE:KIND`` for one way alone.
    The tables play 480 hands a night each; more hands fill the following gaming days. The same arguments give
    the same bytes, and hand n is the same however many are made.

    Raises ``NightError``, a ``ValueError``, for a count, a share or a code that makes no sense.
    """
    import pandas as pd

    parts = list(
        in_parts(hands, seed=seed, plant=plant, noise=noise, only=only, gaming_day=gaming_day, tables=tables)
    )
    log = pa.concat_tables([SCHEMA.empty_table(), *(part.table for part in parts)])
    truth = pa.concat_tables([TRUTH.empty_table(), *(part.truth for part in parts)])
    return Night(HandLog(log.combine_chunks()), truth.to_pandas(types_mapper=pd.ArrowDtype))


def in_parts(
    hands: int,
    *,
    seed: int = 0,
    plant: float = 0.0,
    noise: float = 0.0,
    only: Sequence[str] = (),
    gaming_day: date = FIRST_DAY,
    tables: int = 4,
) -> Iterator[Part]:
    """The night of ``simulate`` a batch of hands at a time, in order, the next ones under way on threads."""
    if hands < 0 or tables < 1:
        raise NightError(f"hands = {hands}, tables = {tables}: give 0 or more hands and 1 or more tables")
    if not 0 <= plant <= 1:
        raise NightError(f"plant = {plant}: give the share of hands with a breach, from 0 to 1")
    if not 0 <= noise <= 1 - plant:
        raise NightError(f"noise = {noise}: give the share of hands logged badly, from 0 to 1 less plant")
    choices = _ways(only)

    def part(first: int) -> Part:
        numbers = np.arange(first, min(first + ROWS, hands), dtype=np.int64)
        dice = hashed(seed + 1, numbers)
        lot = (dice >> np.uint64(40)).astype(np.int64) / _LOTS
        made = played(numbers, seed, tables, _plans(dice, lot < plant, choices))
        table = table_of(made, numbers, gaming_day, tables)
        noisy = (lot >= plant) & (lot < plant + noise)
        table, faults = disturb(table, noisy, numbers, seed) if noise else (table, NO_FAULTS)
        return Part(table, truth_of(made, faults, table["hand_id"]))

    return _ahead(part, range(0, hands, ROWS))


def _ahead(part: Callable[[int], Part], firsts: range) -> Iterator[Part]:
    """``part`` of each, in order; as many as there are cores are made while one is used."""
    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        pending: deque[Future[Part]] = deque()
        for first in firsts:
            pending.append(pool.submit(part, first))
            if len(pending) > workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _ways(only: Sequence[str]) -> list[Ints]:
    """For each code its plans (see ``play.play``), one a row for each way to break it."""
    chosen: dict[str, list[Plant]] = {}
    unknown = set()
    for name in ([only] if isinstance(only, str) else only) or PLANTED_CODES:
        code, _, kind = name.partition(":")
        plants = [plant for plant in PLANTS if plant.code.name == code and kind in ("", plant.slip.kind)]
        chosen[code] = list(dict.fromkeys([*chosen.get(code, ()), *plants]))
        if not plants:
            unknown.add(name)
    if unknown:
        known = " ".join(PLANTED_CODES)
        raise NightError(
            f"only = {' '.join(sorted(unknown))}: no such breach can be planted; choose from {known}, "
            "with a colon and a kind behind it for one way only"
        )
    return [
        np.array(
            [
                (
                    p.code,
                    p.slip,
                    sum(1 << game for game in p.games),
                    p.situation,
                    p.code not in NEEDS_DOWN_CARDS,
                )
                for p in plants
            ],
            np.int64,
        )
        for plants in chosen.values()
    ]


def _plans(dice: npt.NDArray[np.uint64], breached: npt.NDArray[np.bool_], choices: list[Ints]) -> Ints:
    """One plan a hand: each code equally likely, then each way to break it."""
    result = np.tile(CLEAN, (len(dice), 1))
    which = (dice >> np.uint64(20)) % np.uint64(len(choices))
    for index, choice in enumerate(choices):
        mine = np.flatnonzero(breached & (which == index))
        result[mine] = choice[(dice[mine] % np.uint64(len(choice))).astype(np.int64)]
    return result

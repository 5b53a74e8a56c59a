"""Batches of a log through the loop, on threads, in a fixed order, and added up.

Hands read are always hands audited plus hands quarantined; the loop itself counts those audited, and the
run is held to it. No more than a few batches are in memory at a time, however long the log.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from queue import Full, Queue
from threading import Event
from typing import Protocol

from auditor.batch import BatchResult, audit_batch
from auditor.handlog import HandLog
from auditor.parts import Part, Store
from auditor.plan import Plan
from auditor.result import Result, Sum
from auditor.sources.base import ROWS, Batch

_AHEAD = 2
"""Results of one unit that may wait for their turn, and units a thread that may be begun before theirs."""


class Unit(Protocol):
    """What one worker reads: ``sources.Unit``, or a piece of a log. Units of a file have one source."""

    @property
    def source(self) -> str: ...

    def batches(self, *, cold: bool) -> Iterable[Batch]: ...


Results = Generator[Iterable[BatchResult], None, None]
"""The results of each unit, in order; closed when no more are wanted."""


class Runner(Protocol):
    """Where batches are audited."""

    def __call__(self, plan: Plan, units: Sequence[Unit], /) -> Results: ...


_Item = BatchResult | BaseException | None  # the last of a unit is None
_Waiting = Queue[_Item]


@dataclass(frozen=True)
class Threads:
    """Runs the units on threads of this process: ``count``, or all cores."""

    count: int | None = None

    def __call__(self, plan: Plan, units: Sequence[Unit], /) -> Results:
        count = self.count or os.cpu_count() or 1
        stop = Event()

        def put(results: _Waiting, item: _Item) -> None:
            while not stop.is_set():
                try:
                    return results.put(item, timeout=0.1)
                except Full:
                    continue

        def work(unit: Unit, results: _Waiting) -> None:
            try:
                for batch in unit.batches(cold=False):
                    put(results, audit_batch(plan, batch))
                    if stop.is_set():
                        return
                put(results, None)
            except BaseException as error:  # raised again where the results are taken
                put(results, error)

        def taken(results: _Waiting) -> Iterator[BatchResult]:
            while (item := results.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item

        pending: deque[_Waiting] = deque()
        pool = ThreadPoolExecutor(count)
        try:
            for unit in units:
                results: _Waiting = Queue(_AHEAD)
                pool.submit(work, unit, results)
                pending.append(results)
                if len(pending) > _AHEAD * count:
                    yield taken(pending.popleft())
            while pending:
                yield taken(pending.popleft())
        finally:
            stop.set()
            # What compiles, or waits for input, cannot be stopped: who was interrupted does not wait for it.
            pool.shutdown(wait=False, cancel_futures=True)


def audit(
    plan: Plan,
    source: HandLog | Iterable[Unit],
    *,
    threads: int | None = None,
    run: Runner | None = None,
    store: Store | None = None,
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Audit a log in memory, or the units of ``sources.units``, on ``threads`` (all cores by default).

    ``run`` is where else than on threads. With a ``store`` findings and the like are kept on disk, and a file
    that it holds the part of is not audited again; the rows of the result are there as long as its folders
    are. ``progress`` is called with the number of hands of each batch as its result comes in. The result
    depends on none of these.
    """
    units = _units(source, store)
    files = [list(group) for _, group in groupby(units, key=lambda unit: unit.source)]
    found = {file[0].source: store.find(plan, file[0].source) if store else None for file in files}
    todo = [unit for file in files if not found[file[0].source] for unit in file]
    total = Sum(plan)
    with closing((run or Threads(threads))(plan, todo)) as results:

        def results_of(file: list[Unit]) -> Iterator[BatchResult]:
            for _ in file:
                for result in next(results):
                    yield result
                    if progress:
                        progress(result.hands.num_rows)

        if store:
            names = ((file[0].source, file) for file in files)
            parts = (
                (name, found[name] or _part(plan, store, name, results_of(file))) for name, file in names
            )
            for part in store.keep(parts):
                total.add_part(part)
        else:
            for file in files:
                for result in results_of(file):
                    total.add(result)
    return total.result()


def audit_each(
    plans: Sequence[Plan],
    source: HandLog | Iterable[Unit],
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Result]:
    """``audit`` under each of several plans, in their order; the log is read once a plan."""
    again = source if isinstance(source, HandLog) else list(source)
    return [audit(plan, again, threads=threads, progress=progress) for plan in plans]


def _part(plan: Plan, store: Store, source: str, results: Iterable[BatchResult]) -> Part:
    with store.draft(plan, source) as draft:
        for result in results:
            draft.add(result)
        return draft.finish()


def _units(source: HandLog | Iterable[Unit], store: Store | None) -> Iterable[Unit]:
    from auditor.sources import joined

    if isinstance(source, HandLog):
        return _pieces(source)
    return source if store and store.kept else joined(source)  # of each file that is kept there is a part


@dataclass(frozen=True)
class _Piece:
    """A few hands of a log in memory."""

    batch: Batch
    source: str = ""

    def batches(self, *, cold: bool) -> list[Batch]:
        return [self.batch]


def _pieces(log: HandLog) -> Iterator[_Piece]:
    from auditor.sources import check_ranges

    table, unfit = check_ranges(log.table)
    yield _Piece(Batch(table.slice(0, 0), (*log.quarantine, *unfit), None))
    for start in range(0, table.num_rows, ROWS):
        yield _Piece(Batch(table.slice(start, ROWS), (), None))

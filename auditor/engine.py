"""Batches of a log through the loop, on threads, in a fixed order, and added up.

Hands read are always hands audited plus hands quarantined; the loop itself counts those audited, and the
run is held to it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from auditor.batch import BatchResult, audit_batch
from auditor.handlog import HandLog
from auditor.plan import Plan
from auditor.result import Result, Sum
from auditor.sources.base import ROWS, Batch

if TYPE_CHECKING:
    from auditor.sources import Unit

_Judged = tuple[Batch, list[BatchResult]]
"""A batch, and what came of it under each plan."""


def audit(
    plan: Plan,
    source: HandLog | Iterable[Unit],
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Audit a log in memory, or the units of ``sources.units``, on ``threads`` (all cores by default).

    ``progress`` is called with the number of hands of each batch as its result comes in. The result does
    not depend on the number of threads.
    """
    (result,) = audit_each((plan,), source, threads=threads, progress=progress)
    return result


def audit_each(
    plans: Sequence[Plan],
    source: HandLog | Iterable[Unit],
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Result]:
    """``audit`` under each of several plans, in their order; the log is read once."""
    totals = [Sum(plan) for plan in plans]
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        pending: deque[Future[list[_Judged]]] = deque()

        def settle_first() -> None:
            for batch, results in pending.popleft().result():
                for total, result in zip(totals, results, strict=True):
                    total.add(batch, result)
                if progress:
                    progress(batch.table.num_rows)

        for work in _work(plans, source):
            pending.append(pool.submit(work))
            if len(pending) > 2 * pool._max_workers:
                settle_first()
        while pending:
            settle_first()
    return [total.result() for total in totals]


def _work(plans: Sequence[Plan], source: HandLog | Iterable[Unit]) -> Iterator[Callable[[], list[_Judged]]]:
    def of_batches(batches: Iterable[Batch]) -> list[_Judged]:
        return [(batch, [audit_batch(plan, batch) for plan in plans]) for batch in batches]

    if isinstance(source, HandLog):
        from auditor.sources import check_ranges

        table, unfit = check_ranges(source.table)
        yield lambda: of_batches([Batch(table.slice(0, 0), (*source.quarantine, *unfit), "")])
        for start in range(0, table.num_rows, ROWS):
            piece = Batch(table.slice(start, ROWS), (), "")
            yield lambda piece=piece: of_batches([piece])  # type: ignore[misc]
        return
    for unit in source:
        yield lambda unit=unit: of_batches(unit.batches(cold=False))  # type: ignore[misc]

"""Batches of a log through the loop, on threads, in a fixed order, and added up.

Hands read are always hands audited plus hands quarantined; the loop itself counts those audited, and the
run is held to it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from auditor.batch import BatchResult, audit_batch
from auditor.handlog import HandLog
from auditor.plan import Plan
from auditor.result import Result, Sum
from auditor.sources.base import ROWS, Batch

if TYPE_CHECKING:
    from auditor.sources import Unit


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
    total = Sum(plan)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        pending: deque[Future[list[tuple[Batch, BatchResult]]]] = deque()

        def settle_first() -> None:
            for batch, result in pending.popleft().result():
                total.add(batch, result)
                if progress:
                    progress(batch.table.num_rows)

        for work in _work(plan, source):
            pending.append(pool.submit(work))
            if len(pending) > 2 * pool._max_workers:
                settle_first()
        while pending:
            settle_first()
    return total.result()


def _work(
    plan: Plan, source: HandLog | Iterable[Unit]
) -> Iterator[Callable[[], list[tuple[Batch, BatchResult]]]]:
    def of_batches(batches: Iterable[Batch]) -> list[tuple[Batch, BatchResult]]:
        return [(batch, audit_batch(plan, batch)) for batch in batches]

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

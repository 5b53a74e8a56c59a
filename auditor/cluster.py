"""The units of a run on a Dask cluster, one task each; the results come back in order.

A worker needs this package, of the same version, and sees the files under the same paths. One that dies loses
nothing: its tasks run again elsewhere.
"""

from __future__ import annotations

import logging
import pickle
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from auditor import sources
from auditor.batch import BatchResult, audit_batch
from auditor.engine import Results, Unit
from auditor.parts import program_hash
from auditor.plan import Plan

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
_PATIENCE = 60
"""Seconds that a cluster may take to answer, and to have a worker."""
_AHEAD = 3
"""Tasks a thread of the cluster that may be begun before their turn."""


class ClusterError(ValueError):
    """A cluster that cannot be used, and the remedy."""


@dataclass(frozen=True)
class Cluster:
    """Runs the units on the scheduler at ``address``, or on worker processes of its own (``local``)."""

    address: str
    workers: int | None = None

    def __call__(self, plan: Plan, units: Sequence[Unit], /) -> Results:
        if not units:
            return
        given, program = pickle.dumps(plan), program_hash()
        with _client(self.address, self.workers) as client:
            ahead = _AHEAD * sum(client.nthreads().values())
            pending: deque[Any] = deque()
            for unit in units:
                pending.append(client.submit(audit_unit, given, program, _absolute(unit), pure=False))
                if len(pending) > ahead:
                    yield _result(pending.popleft())
            while pending:
                yield _result(pending.popleft())


def audit_unit(given: bytes, program: str, unit: Unit) -> list[BatchResult]:
    """The task: ``given`` is a pickled plan, ``program`` the hash of the program of who asks.

    Raises ``ClusterError`` on a worker that has another: it might find something else.
    """
    if program != program_hash():
        raise ClusterError(
            "a worker has another version of auditor; install the same everywhere, with the same plug-ins"
        )
    plan = _plan(given)
    return [audit_batch(plan, batch) for batch in unit.batches(cold=False)]


@lru_cache(maxsize=4)
def _plan(given: bytes) -> Plan:
    return cast(Plan, pickle.loads(given))


def _absolute(unit: Unit) -> Unit:
    """The unit as a process in another folder reads it."""
    if isinstance(unit, sources.Files):
        return replace(unit, units=tuple(cast(sources.Unit, _absolute(each)) for each in unit.units))
    if isinstance(unit, sources.Unit) and isinstance(unit.path, Path):
        return replace(unit, path=unit.path.absolute())
    return unit


def _result(future: Any) -> list[BatchResult]:
    from distributed import KilledWorker

    try:
        return cast(list[BatchResult], future.result())
    except KilledWorker as error:
        raise ClusterError(
            f"a task of the cluster lost its worker again and again ({error.last_worker.address}); "
            "see the log of that worker, and give it more memory"
        ) from None


@contextmanager
def _client(address: str, workers: int | None) -> Iterator[Client]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ClusterError("a cluster needs Dask; install auditor[cluster]") from None
    if address == LOCAL:
        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
            ) as local,
            Client(local) as client,
        ):
            yield client
        return
    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no scheduler answers at {address} ({error}); start one, or check the address"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise ClusterError(f"the scheduler at {address} has no workers; start some") from None
        yield client

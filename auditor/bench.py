"""What an audit costs, against what the same machine needs for the same log anyway.

Machines are shared and noisy: whole processes are run in turn, over several rounds, and a ratio is the
median of the ratios within the rounds. What is timed inside this process is the least of several calls.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from auditor import batch, sources
from auditor._data import data_path
from auditor.plan import Plan
from auditor.sources.base import ROWS, SourceError
from auditor.sources.parquet import hot_columns

CALLS = 5
"""Calls of which the fastest counts."""
COPIES = 100
"""How often the PHH hands that ship are taken, which are too few for the clock."""
PARTLY = 4
"""The exit code of an audit that had to leave hands out."""
SMALL = 2_000
"""Hands of the log by which what a run costs apart from its hands is told."""
_READ = """
import sys
import pyarrow.parquet as pq
file = pq.ParquetFile(sys.argv[1])
print(sum(piece.num_rows for piece in file.iter_batches(int(sys.argv[2]), columns=sys.argv[3:])))
"""
"""The floor: a plain streamed read of the columns that an audit reads, all cores, nothing done with them."""
_IMPORT = "import pyarrow.compute, pyarrow.parquet"
"""What every process that reads Parquet begins with."""
_LAUNCH = """
import json, os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
wall = time.perf_counter() - start
cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
print(json.dumps([wall, cpu, peak, os.waitstatus_to_exitcode(status)]))
"""
"""Runs a command from a small process: the peak of a process is at least that of the one that started it."""
_READERS = {"jsonl": pyarrow.json.read_json, "csv": pyarrow.csv.read_csv}
"""What pyarrow alone reads each text format with."""


@dataclass(frozen=True)
class Cost:
    """What a process took: seconds by the clock, seconds of the processors, bytes of memory at its peak."""

    wall: float
    cpu: float
    peak: int


Row = tuple[str, str, str]
"""What was measured, the figure, and what it is measured against."""


def bench(log: Path, rounds: int, peer: bool = False) -> dict[str, Any]:
    """Measure the audit of a Parquet log: the figures by name, in seconds, bytes and nanoseconds.

    With ``peer`` also pokerkit, on hands that it reads as well. Raises ``SourceError`` for a log of another
    format or without a hand, and where pokerkit is wanted and not installed.
    """
    other = {"peer": _peer()} if peer else {}
    if not _hands(log):
        raise SourceError(f"{log} holds no hand; nothing can be measured by it")
    with tempfile.TemporaryDirectory() as folder:
        figures = _measured(log, Path(folder), rounds)
    return {**figures, "kernel": kernel(log), **other}


def _hands(log: Path) -> int:
    if not log.is_file():
        raise SourceError(f"{log} is no file; check the path")
    try:
        return int(pq.read_metadata(log).num_rows)
    except pa.ArrowInvalid:
        raise SourceError(f"{log} is no Parquet file; write one with auditor convert") from None


def _measured(log: Path, folder: Path, rounds: int) -> dict[str, Any]:
    small, one = folder / "small.parquet", folder / "one.parquet"
    head = next(pq.ParquetFile(log).iter_batches(SMALL))
    pq.write_table(pa.Table.from_batches([head]), small)
    pq.write_table(pa.Table.from_batches([head.slice(0, 1)]), one)
    text = {kind: folder / f"some.{kind}" for kind in _READERS}
    some = [piece for unit in islice(sources.units([log]), 1) for piece in unit.batches()]
    for path in text.values():
        sources.write(some, path)
    columns = hot_columns(pq.ParquetFile(log).schema)

    def audit(path: Path, *more: str) -> list[str]:
        return [sys.executable, "-m", "auditor", "audit", str(path), "--fail-on", "never", *more]

    commands = {
        "read": [sys.executable, "-c", _READ, str(log), str(ROWS), *columns],
        "audit": audit(log),
        "audit_small": audit(small),
        "audit_one_thread": audit(log, "--threads", "1"),
        "start": audit(one),
        "import": [sys.executable, "-c", _IMPORT],
        "help": [sys.executable, "-m", "auditor", "--help"],
    }
    at_once = {"AUDITOR_COMPILE": os.environ.get("AUDITOR_COMPILE", "1")}
    cold = timed(audit(one), {"AUDITOR_CACHE": str(folder / "cache"), **at_once})
    first = timed(audit(one), {"AUDITOR_CACHE": str(folder / "none")})
    timed(audit(one), at_once)  # compiles into the user's cache, if that is still to be done
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            costs[name].append(timed(command))
    hands = _hands(log)
    steady = [
        (hands - head.num_rows) / max(whole.wall - part.wall, 1e-9)
        for whole, part in zip(costs["audit"], costs["audit_small"], strict=True)
    ]
    return {
        "machine": {"cores": os.cpu_count(), "python": platform.python_version()},
        "hands": hands,
        "text_hands": sum(piece.table.num_rows for piece in some),
        "rounds": rounds,
        "compile_seconds": cold.wall,
        "first_seconds": first.wall,
        "processes": {name: _median(each) for name, each in costs.items()},
        "ratio": _ratio(costs["audit"], costs["read"]),
        "ratio_cpu": statistics.median(
            a.cpu / b.cpu for a, b in zip(costs["audit"], costs["read"], strict=True)
        ),
        "ratio_one_thread": _ratio(costs["audit_one_thread"], costs["audit"]),
        "ratio_start": _ratio(costs["start"], costs["import"]),
        "reading": {kind: _reading(path, _READERS[kind], rounds) for kind, path in text.items()},
        "phh_hands_per_second": _phh(folder),
        "steady_hands_per_second": statistics.median(steady),
    }


def _reading(path: Path, theirs: Callable[[Path], object], rounds: int) -> dict[str, float]:
    """What reading a text log costs here and in pyarrow alone, in seconds of the processors."""
    here, there = [], []
    for _ in range(rounds):
        here.append(_cpu(lambda: deque(sources.batches([path]), maxlen=0)))
        there.append(_cpu(lambda: theirs(path)))
    ratio = statistics.median(a / b for a, b in zip(here, there, strict=True))
    return {"cpu": statistics.median(here), "pyarrow_cpu": statistics.median(there), "ratio": ratio}


def _phh(folder: Path) -> float:
    """Hands a second that one core reads from a PHH file: those that ship, over and over."""
    hands = [
        path.read_text("utf-8") for path in sorted(data_path("sample_logs", "phh").glob("*.phh"))
    ] * COPIES
    path = folder / "some.phhs"
    path.write_text("".join(f"[{number}]\n{hand}\n" for number, hand in enumerate(hands)), "utf-8")
    return len(hands) / _fastest(lambda: deque(sources.batches([path]), maxlen=0))


def _cpu(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def timed(command: Sequence[str], more: Mapping[str, str] | None = None) -> Cost:
    """Run a command, ``more`` in its environment; a code other than 0 and 4 is a ``CalledProcessError``."""
    launch = [sys.executable, "-c", _LAUNCH, *command]
    said = subprocess.run(
        launch,
        stdout=subprocess.PIPE,
        env={**os.environ, **(more or {})},
        stdin=subprocess.DEVNULL,
        check=True,
    )
    wall, cpu, peak, code = json.loads(said.stdout)
    if code not in (0, PARTLY):
        raise subprocess.CalledProcessError(code, command)
    return Cost(wall, cpu, peak)


def _median(costs: Sequence[Cost]) -> dict[str, float]:
    return {
        name: statistics.median(getattr(cost, name) for cost in costs) for name in ("wall", "cpu", "peak")
    }


def _ratio(costs: Sequence[Cost], others: Sequence[Cost]) -> float:
    return statistics.median(cost.wall / other.wall for cost, other in zip(costs, others, strict=True))


def kernel(log: Path) -> dict[str, Any]:
    """The compiled loop alone on the first batch of a log, with all clauses and, in ``steps``, with fewer."""
    plan = Plan.make()
    piece = next(next(sources.units([log])).batches(cold=False))
    table = piece.table
    every = plan.passes[0].asked
    active = np.flatnonzero(every)
    events = len(table.column("events").chunk(0).values)
    counts = [0, len(active) // 4, len(active) // 2, 3 * len(active) // 4, len(active)]
    times = []
    for count in counts:
        asked = every.copy()
        asked[active[count:]] = 0
        times.append(_fastest(batch.loop_alone(plan, table, asked)) / events * 1e9)
    slope = float(np.polyfit(counts, times, 1)[0])
    return {
        "events": events,
        "hands": table.num_rows,
        "clauses": len(active),
        "ns_per_event": times[-1],
        "ns_per_event_without_clauses": times[0],
        "ns_per_event_and_clause": slope,
        "steps": list(zip(counts, times, strict=True)),
    }


def _peer() -> dict[str, float]:
    """Hands a second on one core: pokerkit's replay of the PHH hands that ship, and the loop on the same."""
    try:
        from pokerkit import HandHistory
    except ModuleNotFoundError:
        raise SourceError("--peer needs pokerkit; pip install pokerkit") from None
    folder = data_path("sample_logs", "phh")
    histories = [HandHistory.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.phh"))]
    theirs = _fastest(lambda: [deque(history, maxlen=0) for history in histories]) / len(histories)
    units = sources.units([folder])
    table = pa.concat_tables(piece.table for unit in units for piece in unit.batches(cold=False))
    table = pa.concat_tables([table] * COPIES).combine_chunks()
    plan = Plan.make()
    ours = _fastest(batch.loop_alone(plan, table, plan.passes[0].asked)) / table.num_rows
    return {
        "hands": len(histories),
        "pokerkit": 1 / theirs,
        "loop": 1 / ours,
    }


def _fastest(call: Callable[[], object]) -> float:
    return min([_cpu(call) for _ in range(CALLS + 1)][1:])


def rows(f: Mapping[str, Any]) -> list[Row]:
    """The figures as a table for people."""
    run, kernel = f["processes"], f["kernel"]
    steady = f["steady_hands_per_second"]
    table = [
        ("audit, whole process", f"{run['audit']['wall']:.2f} s", f"{f['ratio']:.2f} times the plain read"),
        ("plain read of the same columns", f"{run['read']['wall']:.2f} s", ""),
        (
            "seconds of the processors",
            f"{run['audit']['cpu']:.2f} s",
            f"{f['ratio_cpu']:.2f} times the plain read",
        ),
        ("hands a second, whole process", f"{f['hands'] / run['audit']['wall']:,.0f}", ""),
        (
            "hands a second, without start and end",
            f"{steady:,.0f}" if steady else "-",
            "" if steady else "takes a longer log",
        ),
        (
            "audit on one thread",
            f"{run['audit_one_thread']['wall']:.2f} s",
            f"{f['ratio_one_thread']:.2f} times all cores",
        ),
        ("peak memory", f"{run['audit']['peak'] / 2**20:,.0f} MiB", ""),
        ("loop alone, all clauses", f"{kernel['ns_per_event']:.0f} ns an event", ""),
        ("loop alone, no clause", f"{kernel['ns_per_event_without_clauses']:.0f} ns an event", ""),
        ("one more clause", f"{kernel['ns_per_event_and_clause']:.2f} ns an event", ""),
        ("compiling, once", f"{f['compile_seconds']:.0f} s", ""),
        ("start to first result, not compiled", f"{f['first_seconds']:.2f} s", ""),
        (
            "start to first result, compiled",
            f"{run['start']['wall']:.2f} s",
            f"{f['ratio_start']:.2f} times importing pyarrow",
        ),
        ("auditor --help", f"{run['help']['wall']:.2f} s", ""),
    ]
    for kind, cost in f["reading"].items():
        table.append(
            (
                f"reading {f['text_hands']:,} hands in .{kind}",
                f"{cost['cpu']:.2f} s of the processors",
                f"{cost['ratio']:.2f} times pyarrow's own reader",
            )
        )
    table.append(("reading PHH on one core", f"{f['phh_hands_per_second']:,.0f} hands a second", ""))
    if peer := f.get("peer"):
        theirs, ours = peer["pokerkit"], peer["loop"]
        table.append(
            ("replay in pokerkit, a core", f"{theirs:,.0f} hands a second", f"the loop alone {ours:,.0f}")
        )
    return table

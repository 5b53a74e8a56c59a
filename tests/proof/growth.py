"""Time and memory as logs and rule sets grow, as a chart: ``python -m tests.proof.growth``.

Simulated logs of growing size are audited by the command, results into a folder, and the compiled loop is
timed on one batch with more and more clauses. Writes ``docs/proof/growth.md`` and ``growth.svg`` beside it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from auditor.bench import Cost, kernel, timed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "proof" / "growth.md"
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
AUDITOR = (sys.executable, "-m", "auditor")
matplotlib.rcParams["svg.hashsalt"] = "auditor"  # the same figures give the same file

Points = list[tuple[int, float]]
"""Clauses asked, and nanoseconds an event."""


def measured(sizes: Sequence[int], logs: Path) -> tuple[dict[int, Cost], Points]:
    """The cost of an audit by number of hands, and of an event by number of clauses; the logs, and the
    results of each audit, go into the folder ``logs``, and a log that is there already is taken as it is."""
    costs = {}
    for size in sizes:
        log = logs / f"{size}.parquet"
        if not log.exists():
            timed([*AUDITOR, "simulate", str(log), "--hands", str(size)])
        out = logs / f"{size}"
        audit = [*AUDITOR, "audit", str(log), "--fail-on", "never", "--out", str(out)]
        costs[size] = min((timed(audit) for _ in range(3 if size < 1_000_000 else 1)), key=lambda c: c.wall)
        print(
            f"{size:,} hands: {costs[size].wall:.1f} s, {costs[size].peak / 2**20:,.0f} MiB", file=sys.stderr
        )
    return costs, kernel(logs / f"{sizes[0]}.parquet")["steps"]


def chart(costs: dict[int, Cost], points: Points) -> Figure:
    """Three panels: hands against seconds, hands against memory, clauses against nanoseconds an event."""
    figure = Figure(figsize=(11, 3.4), layout="constrained")
    time, memory, clauses = figure.subplots(1, 3)
    hands = list(costs)
    time.loglog(hands, [cost.wall for cost in costs.values()], marker="o")
    time.set(xlabel="hands", ylabel="seconds, whole process")
    memory.semilogx(hands, [cost.peak / 2**20 for cost in costs.values()], marker="o")
    memory.set(xlabel="hands", ylabel="peak memory, MiB", ylim=(0, None))
    clauses.plot(*zip(*points, strict=True), marker="o")
    clauses.set(xlabel="clauses asked", ylabel="loop, ns an event", ylim=(0, None))
    for panel in (time, memory, clauses):
        panel.grid(alpha=0.3)
    return figure


def page(costs: dict[int, Cost], points: Points) -> str:
    """The page beside the chart: its figures as tables."""
    lines = [
        "# Growth",
        "",
        "Written by `make growth`: simulated logs audited by the command with every clause of nz-1999, its",
        "results into a folder, and the compiled loop on one batch with more and more clauses. What grows",
        "with the log is 8 bytes a hand, by which a hand that comes twice is told, and as much again while",
        "they are sorted. Clauses are added in the order of the rule set; those of games that are not in the",
        "batch are asked of nothing.",
        "",
        "![Time and memory against hands, time against clauses](growth.svg)",
        "",
        "| hands | seconds | of the processors | hands a second | peak memory, MiB |",
        "|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {hands:,} | {c.wall:.1f} | {c.cpu:.1f} | {hands / c.wall:,.0f} | {c.peak / 2**20:,.0f} |"
        for hands, c in costs.items()
    ]
    lines += ["", "| clauses asked | loop, ns an event |", "|---:|---:|"]
    lines += [f"| {count} | {nanoseconds:.0f} |" for count, nanoseconds in points]
    return "\n".join(lines) + "\n"


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.proof.growth", description=__doc__.split("\n")[0])
    parser.add_argument("--hands", type=int, nargs="+", default=SIZES, help="sizes of the logs")
    parser.add_argument("--logs", type=Path, help="folder that keeps the logs for another time")
    parser.add_argument("--page", type=Path, default=PAGE, help="page to write, the chart beside it")
    options = parser.parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        costs, points = measured(options.hands, options.logs or Path(folder))
    chart(costs, points).savefig(options.page.with_suffix(".svg"), metadata={"Date": None})
    options.page.write_text(page(costs, points), encoding="utf-8")


if __name__ == "__main__":
    main()

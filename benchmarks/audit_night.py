"""How long an audit takes against a plain read of the same file: hands a second, and the ratio.

    python benchmarks/audit_night.py [HANDS]

Makes a Parquet log of HANDS simulated hands (112,000 by default), then runs, in turn and as whole
processes, the command line's audit of it and a plain read of every row group; prints the median of five of
each and of their ratios. Machines are noisy: the ratio is the figure to keep.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from auditor.simulate import simulate
from auditor.sources import write

READ = """
import sys, pyarrow.parquet as pq
file = pq.ParquetFile(sys.argv[1])
print(sum(file.read_row_group(group).num_rows for group in range(file.num_row_groups)))
"""
AUDIT = "import sys; from auditor.cli import main; sys.argv[0] = 'auditor'; main()"


def seconds(*command: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", *command], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main(hands: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "night.parquet"
        write(simulate(hands, seed=1).log, log)
        audit = (AUDIT, "audit", str(log), "--fail-on", "never")
        seconds(*audit)  # compiles, once
        pairs = [(seconds(*audit), seconds(READ, str(log))) for _ in range(5)]
    audits, reads = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(audit / read for audit, read in pairs)
    print(f"{hands:,} hands: audit {audits:.2f} s, plain read {reads:.2f} s")
    print(f"hands a second: {hands / audits:,.0f}")
    print(f"whole process, audit to plain read: {ratio:.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 112_000)

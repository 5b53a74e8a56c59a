"""``auditor bench``: what it reports is what it measured. How fast the audit is, is no matter of a test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from auditor import bench as benchmark
from auditor.sources import SourceError

ROOT = Path(__file__).parents[1]
LOG = ROOT / "sample_logs" / "clean-night.parquet"
HANDS = 10
"""Few, for they are audited many times over."""


def bench(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # As plain Python: a cold start that compiles would cost a minute.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "AUDITOR_COMPILE": "0"}
    command = [sys.executable, "-m", "auditor", "bench", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_table_and_the_figures_agree(tmp_path: Path) -> None:
    pq.write_table(pq.read_table(LOG).slice(0, HANDS), tmp_path / "night.parquet")
    run = bench(tmp_path, "night.parquet", "--rounds", "1", "--json", "figures.json")
    assert run.returncode == 0, run.stderr
    figures = json.loads((tmp_path / "figures.json").read_text())
    processes = figures["processes"]
    assert figures["hands"] == figures["text_hands"] == HANDS
    assert figures["kernel"]["clauses"] == 99
    assert all(each["wall"] > 0 and each["cpu"] > 0 and each["peak"] > 2**20 for each in processes.values())
    for ratio, audit, floor in (
        ("ratio", "audit", "read"),
        ("ratio_one_thread", "audit_one_thread", "audit"),
        ("ratio_start", "start", "import"),
    ):
        assert figures[ratio] == pytest.approx(processes[audit]["wall"] / processes[floor]["wall"])
    assert set(figures["reading"]) == {"jsonl", "csv"}
    for cost in figures["reading"].values():
        assert cost["ratio"] == pytest.approx(cost["cpu"] / cost["pyarrow_cpu"])
    lines = run.stdout.splitlines()
    assert f"{figures['phh_hands_per_second']:,.0f} hands a second" in lines[-1]
    assert lines[0].startswith(f"{HANDS} hands, ")
    assert f"{processes['audit']['wall']:.2f} s" in lines[2]
    assert f"{figures['ratio']:.2f} times the plain read" in lines[2]
    (steady,) = (line for line in lines if line.startswith("hands a second, without start and end"))
    assert steady.split()[-5:] == ["-", "takes", "a", "longer", "log"]  # ten hands are all start and end


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.parquet", "gone.parquet is no file; check the path"),
        ("night.jsonl", "night.jsonl is no Parquet file; write one with auditor convert"),
    ],
)
def test_a_log_that_cannot_be_measured_is_named(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "night.jsonl").write_text("{}")
    run = bench(tmp_path, name)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
    assert "Traceback" not in run.stderr


def test_the_peer_replays_the_hands_that_ship(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(benchmark, "COPIES", 1)
    monkeypatch.setattr(benchmark, "CALLS", 1)
    monkeypatch.setattr(benchmark, "_measured", lambda *_: {})
    monkeypatch.setattr(benchmark, "kernel", lambda _: {})
    peer = benchmark.bench(LOG, 1, peer=True)["peer"]
    assert peer["hands"] == len(list((ROOT / "sample_logs" / "phh").glob("*.phh")))
    assert peer["pokerkit"] > 0 and peer["loop"] > 0
    monkeypatch.setitem(sys.modules, "pokerkit", None)
    with pytest.raises(SourceError, match="pip install pokerkit"):
        benchmark.bench(LOG, 1, peer=True)

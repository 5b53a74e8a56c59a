"""A run on a cluster finds, to the byte, what it finds on one machine; also when a worker is killed."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from typer.testing import CliRunner

from auditor import cluster, sources
from auditor.cli import app
from auditor.plan import Plan

ROOT = Path(__file__).parents[1]
DIRTY = (ROOT / "sample_logs" / "dirty-night.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
ENV = {**os.environ, "AUDITOR_COMPILE": "0", "PYTHONPATH": str(ROOT)}
CLI = [sys.executable, "-c", "from auditor.cli import main; main()", "audit", "nights", "--out"]
LONG = 240
"""Seconds after which a process that should have answered has not."""
DIES = """
import os, signal
from auditor import cluster
def dask_setup(worker):
    audit_unit, begun = cluster.audit_unit, []
    def dies(*given):
        begun.append(given)
        results = audit_unit(*given)
        if len(begun) > 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return results
    cluster.audit_unit = dies
"""
"""What the worker that dies is told: its fourth task kills it."""


@pytest.fixture(autouse=True)
def _nights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve text files and a Parquet file of several row groups, in two folders."""
    monkeypatch.chdir(tmp_path)
    for number in range(12):
        path = Path(f"nights/gaming_day=2026-11-{number // 6 + 1:02}/T{number:02}.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(DIRTY[4 * number : 4 * number + 5]) + "{nope\n", encoding="utf-8")
    sources.write(sources.batches([ROOT / "sample_logs/dirty-night.jsonl"], rows=40), "nights/whole.parquet")


def found(folder: str) -> dict[str, bytes]:
    files = [path for path in Path(folder).iterdir() if path.suffix and path.name not in (".run", "run.json")]
    return {path.name: path.read_bytes() for path in files if path.is_file()}


def wait_for(path: Path) -> None:
    end = time.monotonic() + LONG
    while not (path.exists() and path.stat().st_size):
        assert time.monotonic() < end, f"{path} does not come"
        time.sleep(0.05)


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    """Another takes its place; scheduler and workers live in another folder."""
    alone = subprocess.run([*CLI, "alone"], env=ENV, capture_output=True, text=True, check=False)
    assert alone.returncode == 5, alone.stderr
    file, elsewhere = tmp_path / "scheduler.json", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "dies.py").write_text(DIES, encoding="utf-8")
    with ExitStack() as running:

        def start(module: str, *arguments: str) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *arguments]
            process = running.enter_context(
                subprocess.Popen(
                    command, env=ENV, cwd=elsewhere, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            )
            running.callback(process.kill)
            return process

        start("dask_scheduler", "--host=127.0.0.1", "--port=0", f"--scheduler-file={file}")
        wait_for(file)
        address = json.loads(file.read_text())["address"]
        worker = ("dask_worker", address, "--no-nanny", "--nthreads=1")
        dying = start(*worker, "--preload=dies.py")
        spread = running.enter_context(
            subprocess.Popen(
                [*CLI, "spread", "--cluster", address],
                env=ENV,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        running.callback(spread.kill)
        assert dying.wait(LONG) == -signal.SIGKILL
        start(*worker)
        said, problems = spread.communicate(timeout=LONG)
    assert spread.returncode == 5, problems
    assert said == alone.stdout
    assert found("spread") == found("alone")
    assert len(found("alone")) == 9


def test_a_cluster_of_its_own() -> None:
    subprocess.run([*CLI, "alone"], env=ENV, capture_output=True, check=False)
    for _ in range(2):
        command = [*CLI, "spread", "--cluster", "local", "--incremental"]
        spread = subprocess.run(command, env=ENV, capture_output=True, text=True, check=False)
        assert (spread.returncode, spread.stderr) == (5, "")
        assert found("spread") == found("alone")
    assert "13 files unchanged, 0 audited" in spread.stdout


def test_a_plan_can_be_sent() -> None:
    plan = Plan.make(readings=["OPN02=made-card"], select=["OPN", "DED01"], verdicts=["breach"])
    sent = pickle.loads(pickle.dumps(plan))
    assert (sent.rules, sent.verdicts) == (plan.rules, plan.verdicts)
    for mine, theirs in zip(plan.passes, sent.passes, strict=True):
        assert theirs.loop is mine.loop  # found again by its key
        assert theirs.asked.tolist() == mine.asked.tolist()


def test_small_files_that_are_put_together_are_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "sample_logs" / "phh", "phh")
    (unit,) = sources.joined(sources.units(["phh"]))
    sent = pickle.dumps(cluster._absolute(unit))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (batch,) = pickle.loads(sent).batches()
    assert (len(batch.table), batch.quarantine) == (13, ())
    assert batch.table["source"][0].as_py().startswith("phh/")


def test_a_worker_with_another_program_is_refused() -> None:
    (unit,) = sources.units(["nights/gaming_day=2026-11-01/T00.jsonl"])
    with pytest.raises(cluster.ClusterError, match="another version of auditor; install the same"):
        cluster.audit_unit(b"", "another program", unit)


def failed(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["audit", *arguments])
    assert done.exit_code == 2, done.exc_info
    return done.stderr


def test_what_a_cluster_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "a cluster cannot read standard input" in failed("-", "--cluster", "local")
    monkeypatch.setattr(cluster, "_PATIENCE", 0.2)
    said = failed("nights", "--cluster", "tcp://127.0.0.1:9")
    assert "no scheduler answers at tcp://127.0.0.1:9" in said
    assert len(said.splitlines()) == 1
    assert "start one, or check the address" in failed("nights", "--cluster", "nonsense://x")
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "install auditor[cluster]" in failed("nights", "--cluster", "local")

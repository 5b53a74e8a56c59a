"""Nightly operation: only what is new is audited, and a run that dies leaves the state before or after it."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from auditor import engine, parts, plan, rows, sources
from auditor.batch import BatchResult, audit_batch
from auditor.cli import app
from auditor.durable import locked
from auditor.reports import run

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_logs"
DIRTY = (SAMPLES / "dirty-night.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
RULES = [
    "--select",
    "DED01",
    "--select",
    "ALL01",
    "--select",
    "SPR01",
    "--select",
    "CAL01",
    "--select",
    "OPN",
]
KILLS = int(os.environ.get("AUDITOR_KILLS", "20"))


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That what is written reaches the disk is tested in test_durable.py; here it would only take time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def night(day: int, table: int, lines: list[str]) -> str:
    path = Path(f"nights/gaming_day=2026-11-{day:02}/table=T{table:02}/log.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
    return path.as_posix()


def nights() -> list[str]:
    """Two gaming days of two tables; a few hands come twice, in different files, and one line is no hand."""
    return [
        night(1, 1, DIRTY[2:4]),
        night(1, 2, [DIRTY[6], "{nope\n"]),
        night(2, 1, DIRTY[2:3]),
        night(2, 2, [DIRTY[90], DIRTY[6]]),
    ]


def audit(*arguments: str, code: int = 5, to: str = "out") -> Result:
    done = CliRunner().invoke(app, ["audit", "nights", "--out", to, *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code == code, done.output
    return done


def once(chosen: plan.Plan, incremental: bool, to: str = "out") -> None:
    """What ``auditor audit`` does, without the command line and the loading of rules."""
    with run.output(Path(to), ["nights"], incremental) as output:
        units = list(sources.units(["nights"]))
        read = output.inputs(units, run.StandardInput())
        result = engine.audit(chosen, units, store=output.store, threads=1)
        output.write(result, {"inputs": read})


def state(folder: str | Path = "out") -> dict[str, bytes | dict[str, Any]]:
    """What a run found: every file of it, ``run.json`` without the clock and what was done about files."""
    found: dict[str, bytes | dict[str, Any]] = {}
    for path in Path(folder).iterdir():
        if path.name.startswith(".") or path.is_dir():
            continue
        found[path.name] = path.read_bytes()
    facts = json.loads(found["run.json"])
    for name in ("started", "finished", "options", "files"):
        facts.pop(name, None)
    return found | {"run.json": facts}


def kept(folder: str | Path = "out") -> dict[str, bytes]:
    """Every file that is kept of the files audited, by path."""
    root = Path(folder, "files")
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def files_of(folder: str = "out") -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(Path(folder, "run.json").read_text(encoding="utf-8"))["files"]
    return facts


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that are read from now on."""
    seen: list[str] = []
    whole = sources.Unit.batches

    def batches(unit: sources.Unit, *arguments: Any, **more: Any) -> Iterator[sources.Batch]:
        seen.append(unit.source)
        return whole(unit, *arguments, **more)

    monkeypatch.setattr(sources.Unit, "batches", batches)
    return seen


# -- parts ------------------------------------------------------------------------------------------------


def test_small_files_share_what_is_put_aside_unless_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    drafts: list[str] = []
    whole = parts.Store.draft

    def draft(store: parts.Store, chosen: plan.Plan, source: str) -> parts.Draft:
        drafts.append(source)
        return whole(store, chosen, source)

    monkeypatch.setattr(parts.Store, "draft", draft)
    night(1, 1, DIRTY[2:4])
    hands = sorted((SAMPLES / "phh").iterdir())
    for path in hands:
        shutil.copy(path, "nights")
    shutil.copytree("nights", "nights/again")
    Path("nights", "no-hand.phh").write_text("variant = 'FR'\n", encoding="utf-8")
    verdicts = ["--verdict", "breach", "--verdict", "not_evidenced"]
    audit(*verdicts, to="full")
    text = "gaming_day=2026-11-01/table=T01/log.jsonl"
    assert drafts == ["", f"nights/again/{text}", f"nights/{text}", ""]
    drafts.clear()
    audit("--incremental", *verdicts)
    assert len(drafts) == 2 * len(hands) + 3
    assert state() == state("full")
    findings = pq.read_table("out/findings.parquet")
    named = [f"nights/{folder}{path.name}" for folder in ("", "again/") for path in hands]
    assert set(findings["file"].to_pylist()) == {*named, f"nights/{text}", f"nights/again/{text}"}


# -- incremental ----------------------------------------------------------------------------------------


def test_an_incremental_run_finds_what_a_full_run_finds(read: list[str]) -> None:
    logs = nights()
    audit(to="full")
    assert state("full")["findings.csv"].count(b"\n") > 4  # type: ignore[union-attr]
    assert state("full")["defects.csv"].count(b"duplicate-hand") == 2  # type: ignore[union-attr]
    read.clear()
    first = audit("--incremental")
    assert "0 files unchanged, 4 audited, 0 gone" in first.stdout
    assert sorted(read) == logs
    assert state() == state("full")
    read.clear()
    assert "4 files unchanged, 0 audited, 0 gone" in audit("--incremental").stdout
    assert read == []
    assert state() == state("full")


def test_only_what_is_new_or_changed_is_audited(read: list[str]) -> None:
    logs = nights()
    audit("--incremental")
    before = kept()
    read.clear()
    changed = night(1, 2, DIRTY[7:9])
    new = night(3, 1, DIRTY[30:32])
    assert "3 files unchanged, 2 audited, 0 gone" in audit("--incremental", code=1).stdout
    assert read == [changed, new]
    audit(to="full", code=1)
    assert state() == state("full")
    others = {name for name in before if not name.startswith(changed)}
    assert {name: kept()[name] for name in others} == {name: before[name] for name in others}
    assert set(logs) < {str(Path(name).parent) for name in kept()}


def test_a_file_that_is_touched_or_moved_back_is_not_new(read: list[str]) -> None:
    (first, *_) = nights()
    audit("--incremental")
    read.clear()
    os.utime(first, (1, 1))
    audit("--incremental")
    assert read == []


def test_a_file_that_is_gone_takes_its_results_with_it() -> None:
    logs = nights()
    audit("--incremental")
    shutil.rmtree("nights/gaming_day=2026-11-02")
    done = audit("--incremental")
    assert "2 files unchanged, 0 audited, 2 gone" in done.stdout
    assert [f"Gone, its results removed: {name}" in done.stdout for name in logs] == [
        False,
        False,
        True,
        True,
    ]
    assert files_of() == {"unchanged": 2, "audited": 0, "gone": logs[2:]}
    audit(to="full")
    assert state() == state("full")
    assert not Path("out/files/nights/gaming_day=2026-11-02").exists()
    assert Path("out/files", logs[0], "part.json").exists()


@pytest.mark.parametrize(
    "choice",
    [
        ["--select", "CAL01", "--select", "SPR01", "--select", "DEA"],
        ["--reading", "OPN02=made-card"],
        ["--assume", "first-round-opener=low-card"],
        ["--verdict", "compliant"],
        ["--ignore", "DED01"],
    ],
)
def test_other_rules_or_choices_audit_all_again(choice: list[str]) -> None:
    nights()
    audit("--incremental")
    assert "0 files unchanged, 4 audited" in audit("--incremental", *choice).stdout
    audit(*choice, to="full")
    assert state() == state("full")


def test_another_program_audits_all_again(monkeypatch: pytest.MonkeyPatch) -> None:
    nights()
    audit("--incremental")
    monkeypatch.setattr(parts, "program_hash", lambda: "another")
    assert "0 files unchanged, 4 audited" in audit("--incremental").stdout


@pytest.mark.parametrize("harm", ["part.json", "findings.parquet", "hands.parquet", "tallies.parquet"])
@pytest.mark.parametrize("how", ["removed", "cut"])
def test_results_that_were_harmed_are_made_again(harm: str, how: str) -> None:
    (first, *_) = nights()
    audit("--incremental")
    whole, found = kept(), state()
    path = Path("out/files", first, harm)
    if how == "removed":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-9])
    assert "3 files unchanged, 1 audited" in audit("--incremental").stdout
    assert (kept(), state()) == (whole, found)


def test_a_file_that_cannot_be_read_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    (first, *_) = nights()
    good = Path(first).read_bytes()
    Path(first).unlink()
    Path(first).symlink_to("nowhere")
    done = audit("--incremental")
    assert "cannot be read to its end: No such file" in done.stdout
    assert "3 files unchanged, 1 audited" in audit("--incremental").stdout
    Path(first).unlink()
    Path(first).write_bytes(good)
    assert "3 files unchanged, 1 audited" in audit("--incremental").stdout
    audit(to="full")
    assert state() == state("full")


def test_each_file_has_its_own_results() -> None:
    logs = nights()
    audit("--incremental")
    whole = pq.read_table("out/findings.parquet")
    apart = [pq.read_table(Path("out/files", log, "findings.parquet"), partitioning=None) for log in logs]
    assert [row for table in apart for row in table.to_pylist()] == whole.to_pylist()
    assert len({row["source"] for row in whole.to_pylist()}) > 2


def test_names_that_lead_upwards_stay_below_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    nights()
    Path("deep").mkdir()
    monkeypatch.chdir("deep")
    for expected in ("0 files unchanged, 4", "4 files unchanged, 0"):
        done = CliRunner().invoke(app, ["audit", "../nights", "--out", "out", "--incremental"])
        assert expected in done.stdout
    assert {path.name for path in Path("..").iterdir()} == {"nights", "deep"}
    shutil.rmtree("../nights/gaming_day=2026-11-01")
    done = CliRunner().invoke(app, ["audit", "../nights", "--out", "out", "--incremental"])
    assert files_of()["gone"][0] == "../nights/gaming_day=2026-11-01/table=T01/log.jsonl"


def test_incremental_needs_a_folder_and_leaves_standard_input_alone() -> None:
    done = CliRunner().invoke(app, ["audit", "nights", "--incremental"])
    assert done.exit_code == 2
    assert "--incremental needs --out" in done.stderr
    for _ in range(2):
        arguments = ["audit", "-", "--out", "out", "--incremental"]
        done = CliRunner().invoke(app, arguments, input="".join(DIRTY[:5]))
        assert "5 hands read" in done.stdout
    assert not Path("out/files").exists()


# -- one run a folder -----------------------------------------------------------------------------------


def test_two_runs_do_not_mix() -> None:
    nights()
    audit("--incremental")
    before = state()
    with locked(Path("out/.run.lock")):
        done = audit(code=2)
        assert "out is being written by another run; wait for its end" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert state() == before
    audit()


# -- whole or not at all --------------------------------------------------------------------------------


ENV = {**os.environ, "AUDITOR_COMPILE": "0", "PYTHONPATH": str(ROOT)}


def whole_or_not_there() -> None:
    """Whatever has a name in the folder can be read to its end."""
    for path in Path("out").rglob("*.parquet"):
        if not any(part.startswith(".") for part in path.parts) and path.exists():
            pq.read_table(path, partitioning=None)
    for path in Path("out/files").rglob("log.jsonl"):
        assert {each.name for each in path.iterdir()} == {
            "part.json", "tallies.parquet", *(f"{name}.parquet" for name in ("hands", *parts.ROW_TABLES)),
        }  # fmt: skip
        json.loads((path / "part.json").read_text(encoding="utf-8"))


STEPS = ("mkdir", "replace", "fsync", "symlink", "rmdir", "unlink")


@pytest.mark.parametrize("first", [False, True], ids=["again", "first"])
@pytest.mark.parametrize("incremental", [False, True])
def test_a_run_killed_at_any_step_leaves_the_state_before_or_after(
    incremental: bool, first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every call that changes the folder is made the last one, in turn."""

    class Killed(BaseException):
        pass

    known: dict[tuple[str, ...], BatchResult] = {}

    def audited(chosen: plan.Plan, batch: sources.Batch) -> BatchResult:
        key = (batch.source, *batch.table.column("hand_id").to_pylist())
        if key not in known:
            known[key] = audit_batch(chosen, batch)
        return known[key]

    monkeypatch.setattr(engine, "audit_batch", audited)  # the same hands over and over
    chosen = plan.Plan.make()
    nights()
    before = None
    if not first:
        once(chosen, incremental)
        before = state()
        night(1, 1, DIRTY[3:4])
        night(3, 1, DIRTY[30:31])
        shutil.rmtree("nights/gaming_day=2026-11-02/table=T02")
        Path("out").rename("start")
    once(chosen, incremental, "after")
    after = state("after")
    seen = []
    dead, left = True, 0

    def step(real: Callable[..., Any]) -> Callable[..., Any]:
        def stepped(*arguments: Any, **named: Any) -> Any:
            nonlocal dead, left
            dead = dead or not left
            if dead:  # nor does a dead process tidy up
                raise Killed
            left -= 1
            return real(*arguments, **named)

        return stepped

    while dead:
        shutil.rmtree("out", ignore_errors=True)
        if not first:
            shutil.copytree("start", "out", symlinks=True)
        dead, left = False, len(seen)
        with monkeypatch.context() as patch, suppress(Killed):
            for name in STEPS:
                patch.setattr(os, name, step(getattr(os, name)))
            once(chosen, incremental)
        whole_or_not_there()
        now = state() if Path("out/run.json").exists() else None
        assert now in (before, after)
        seen.append(now == after)
        if first or len(seen) % 5 == 0:
            once(chosen, incremental)
            assert state() == after
            assert not incremental or kept() == kept("after")
    assert len(seen) > 20
    assert seen == sorted(seen), "once it is the new state it stays so"
    assert set(seen) == {False, True}


FORKS = """
import os, sys
import auditor.cli, auditor.engine, auditor.reports.run, auditor.reports.terminal
os.fsync = lambda handle: None
for line in sys.stdin:
    pid = os.fork()
    if not pid:
        sys.stdin.close()
        sys.argv[1:] = line.split()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        auditor.cli.main()
    print(pid, flush=True)
    sys.stdin.readline()
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""
"""Starts the command line again and again, without importing it each time."""


def test_killed_at_random_moments() -> None:
    """AUDITOR_KILLS sets how many."""
    nights()
    chance = random.Random(1)
    command = [sys.executable, "-c", FORKS]
    with subprocess.Popen(
        command, env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as forks:
        assert forks.stdin and forks.stdout

        def killed_after(seconds: float | None) -> int:
            assert forks.stdin and forks.stdout
            print("audit nights --out out --incremental", file=forks.stdin, flush=True)
            pid = int(forks.stdout.readline())
            if seconds is not None:
                time.sleep(seconds)
                os.kill(pid, signal.SIGKILL)
            print(file=forks.stdin, flush=True)
            return int(forks.stdout.readline())

        begun = time.monotonic()
        assert killed_after(None) == 5
        lasts = time.monotonic() - begun
        Path("out").rename("after")
        after = state("after")
        killed = 0
        while killed < KILLS:
            if killed % 3 == 0:
                shutil.rmtree("out", ignore_errors=True)
            there = Path("out/run.json").exists()
            code = killed_after(chance.uniform(0, lasts))
            assert code in (5, -signal.SIGKILL)
            killed += code == -signal.SIGKILL
            lasts *= 1.2 if code == -signal.SIGKILL else 0.8  # this machine's pace may change meanwhile
            whole_or_not_there()
            if there or Path("out/run.json").exists():
                assert state() == after
        assert killed_after(None) == 5
    assert (state(), kept()) == (after, kept("after"))
    assert [path.name for path in Path("out").glob(".run-*")] == [os.readlink("out/.run")]


def test_a_full_disk_leaves_the_last_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every write is made the one that finds no room, in turn."""
    chosen = plan.Plan.make()
    nights()
    once(chosen, incremental=True)
    before = state()
    night(1, 1, DIRTY[3:4])
    once(chosen, incremental=False, to="after")
    real = Path.open

    class Full:
        def __init__(self, file: BinaryIO) -> None:
            self._file = file

        def __getattr__(self, name: str) -> Any:
            return getattr(self._file, name)

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *error: Any) -> None:
            self._file.close()

        def write(self, data: Any) -> int:
            nonlocal left
            if not left:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            left -= 1
            return self._file.write(data)

    def opened(path: Path, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        file = real(path, mode, *arguments, **named)
        return Full(file) if "x" in mode else file  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", opened)
        for room in range(0, 1000, 7):
            left = room
            said = ""
            try:
                once(chosen, incremental=True)
            except run.OutputError as error:
                said = str(error)
            if not said:
                break
            assert said.startswith("out cannot be written (No space left on device); make room")
            assert state() == before
            whole_or_not_there()
    assert room > 100
    assert state() == state("after")


@pytest.mark.parametrize("together", [0, 50_000])
def test_what_is_kept_of_a_file_is_on_the_disk_before_it_has_its_name(
    together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    nights()
    synced, moved = set(), []
    replace = os.replace

    def replaced(source: Path, target: Path) -> None:
        if Path(target).name == "log.jsonl":
            held = {path.stat().st_ino for path in (source, *source.iterdir())}
            assert len(held) == 7 and held <= synced
            moved.append(target)
        replace(source, target)

    monkeypatch.setattr(parts, "_TOGETHER", together)
    monkeypatch.setattr(os, "fsync", lambda handle: synced.add(os.fstat(handle).st_ino))
    monkeypatch.setattr(os, "replace", replaced)
    once(plan.Plan.make(), incremental=True)
    assert len(moved) == 4
    assert {path.parent.stat().st_ino for path in moved} <= synced


def test_a_disk_that_fails_leaves_the_last_state(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = plan.Plan.make()
    nights()
    once(chosen, incremental=True)
    before = state(), kept()
    night(1, 1, DIRTY[3:4])

    def fails(handle: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(run.OutputError, match=r"out cannot be written \(Input/output error\)"):
        once(chosen, incremental=True)
    assert (state(), kept()) == before


def test_a_file_size_limit_is_a_full_disk() -> None:
    nights()
    audit()
    before = state()
    night(1, 1, DIRTY[:12])
    code = (
        "import auditor.cli, resource\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); auditor.cli.main()"
    )
    command = [sys.executable, "-c", code, "audit", "nights", "--out", "out"]
    done = subprocess.run(command, env=ENV, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "out cannot be written (File too large)" in line
    assert state() == before


# -- in bounded memory ----------------------------------------------------------------------------------


def test_no_more_than_a_few_batches_are_read_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of many batches: one is read only when those long before it have been written down."""
    chosen = plan.Plan.make(select=["DED01"])
    one = sources.load(night(1, 1, DIRTY[:2])).table
    begun = done = most = 0

    class Long:
        source = "long"

        def batches(self, *, cold: bool) -> Iterator[sources.Batch]:
            nonlocal begun, most
            for _ in range(60):
                begun += 1
                most = max(most, begun - done)
                yield sources.Batch(one, (), "long")

    def progress(_: int) -> None:
        nonlocal done
        done += 1

    for count in (1, 3):
        begun = done = 0
        result = engine.audit(chosen, [Long()], threads=count, progress=progress)
        assert (result.read, begun, done) == (120, 60, 60)
    assert most < 8


def test_findings_of_a_run_that_is_kept_are_held_in_memory_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "PIECE", 150)
    chosen = plan.Plan.make(verdicts=["compliant", "breach"])
    logs = nights()
    held = engine.audit(chosen, sources.units(logs))
    (tmp_path / "work").mkdir()
    stored = engine.audit(
        chosen, sources.units(logs), store=parts.Store(tmp_path / "work", tmp_path / "kept")
    )
    for name in ("findings", "defects", "quarantine", "tallies"):
        assert stored.rows[name].table() == held.rows[name].table(), name
    assert len(stored.rows["findings"]) > 100
    in_memory = [part.num_rows for part in stored.rows["findings"]._parts if not isinstance(part, Path)]
    assert 0 < sum(in_memory) <= 150


def test_another_mapping_is_another_reading_of_the_same_file(tmp_path: Path) -> None:
    exports = ROOT / "tests" / "exports"
    shutil.copy(exports / "pit.csv", tmp_path)
    mapping = (exports / "pit.toml").read_text(encoding="utf-8")

    def files(text: str) -> list[tuple[str, str]]:
        Path("pit.toml").write_text(text, encoding="utf-8")
        arguments = ["audit", "pit.csv", "--mapping", "pit.toml", "--out", "out", "--incremental"]
        done = CliRunner().invoke(app, [*arguments, *RULES, "--fail-on", "never"])
        assert done.exit_code == 0, done.output
        return re.findall(r"(\d+) files? unchanged, (\d+) audited", done.stdout)

    assert files(mapping) == [("0", "1")]
    assert files(mapping) == [("1", "0")]
    assert files(mapping + "\n# read anew\n") == [("0", "1")]

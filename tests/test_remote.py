"""Logs behind URLs: what is read, what it is called, and what is said where a URL leads nowhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from typer.testing import CliRunner

from auditor import sources
from auditor.cli import app

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_logs"
LINES = (SAMPLES / "dirty-night.jsonl").read_bytes().splitlines(keepends=True)


@pytest.fixture(autouse=True)
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A store in memory with a folder of nights, and the same nights in a folder of the disk."""
    monkeypatch.chdir(tmp_path)
    memory = fsspec.filesystem("memory")
    whole = (SAMPLES / "dirty-night.parquet").read_bytes()
    for name, data in (
        ("gaming_day=2026-11-01/b.jsonl", b"".join(LINES[:3])),
        ("gaming_day=2026-11-01/a.parquet", whole),
        ("gaming_day=2026-11-02/c.jsonl", b"".join(LINES[2:5]) + b"{nope\n"),
        ("notes.pdf", b"no log"),
    ):
        memory.pipe(f"/nights/{name}", data)
        path = Path("nights", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    yield
    memory.rm("/nights", recursive=True)


def hands(*given: str) -> list[tuple[str, str]]:
    log = sources.load(*given, notice=lambda _: None)
    return list(zip(*(log.table.column(name).to_pylist() for name in ("source", "hand_id")), strict=True))


def audited(where: str, out: str, code: int, *more: str) -> str:
    done = CliRunner().invoke(app, ["audit", where, "--out", out, "--select", "DED01", *more])
    assert done.exit_code == code, done.exc_info
    return done.output


@pytest.mark.parametrize("where", ["memory://nights", "memory://nights/"])
def test_a_folder_is_read_as_on_the_disk(where: str) -> None:
    far, near = hands(where), hands("nights")
    assert [hand for _, hand in far] == [hand for _, hand in near]
    assert [source.removeprefix("memory:///") for source, _ in far] == [source for source, _ in near]
    assert len({source for source, _ in far}) == 3


def test_one_file_and_a_pattern() -> None:
    one = hands("memory://nights/gaming_day=2026-11-01/b.jsonl")
    assert len(one) == 3
    assert hands("memory://nights/*/*.jsonl") == one + hands("memory://nights/gaming_day=2026-11-02/c.jsonl")


def test_the_truth_of_a_simulated_night_is_no_log_unless_it_is_given() -> None:
    fsspec.filesystem("memory").pipe("/nights/b.truth.parquet", b"truth")
    notices: list[str] = []
    for where in ("memory://nights", "memory://nights/*.parquet"):
        assert not any("truth" in unit.source for unit in sources.units([where], notice=notices.append))
    passed = "memory:///nights/b.truth.parquet is the truth of a simulated night; it is passed over"
    assert notices.count(passed) == 2
    (unit,) = sources.units(["memory://nights/b.truth.parquet"])
    assert unit.source == "memory:///nights/b.truth.parquet"


def test_a_file_url_is_the_file(tmp_path: Path) -> None:
    assert hands(f"file://{tmp_path}/nights") == hands(str(tmp_path / "nights"))
    assert not any(str(tmp_path) in source for source, _ in hands(f"file://{tmp_path}/nights"))


def test_an_audit_of_a_store_also_an_incremental_one() -> None:
    for said in ("0 files unchanged, 3 audited", "3 files unchanged, 0 audited"):
        assert said in audited("memory://nights", "far", 5, "--incremental")
    audited("nights", "near", 5)
    far, near = (Path(name, "findings.jsonl").read_text(encoding="utf-8") for name in ("far", "near"))
    assert far.replace("memory:///", "") == near != ""
    fsspec.filesystem("memory").pipe("/nights/gaming_day=2026-11-02/c.jsonl", LINES[4])
    assert "2 files unchanged, 1 audited" in audited("memory://nights", "far", 1, "--incremental")


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("memory://nowhere", "memory://nowhere does not exist; check the URL"),
        ("memory://nights/*.csv", "nothing matches memory://nights/*.csv; check the pattern"),
        (
            "nonsense://me:secret@host/x",
            "nonsense://host/x cannot be looked into (Protocol not known: nonsense",
        ),
        ("file:///nowhere/at/all", "/nowhere/at/all does not exist; check the path"),
    ],
)
def test_a_url_that_leads_nowhere(where: str, said: str) -> None:
    done = CliRunner().invoke(app, ["audit", where])
    assert done.exit_code == 2
    (line,) = done.stderr.splitlines()
    assert said in line
    assert "secret" not in line


def test_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    done = CliRunner().invoke(app, ["audit", "s3://bucket/nights"])
    assert (done.exit_code, done.stderr) == (
        2,
        "auditor: s3://bucket/nights is a URL; install auditor[remote] to read it\n",
    )

"""The command ``simulate``: the log in the format asked for, the truth beside it, and what is refused."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from auditor import sources
from auditor.cli import app
from auditor.compiled import Kept
from auditor.simulate import night, played, simulate, writing

TRUTH_COLUMNS = {"hand_id": "string", "event": "int32", "code": "string", "kind": "string"}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str | Path, code: int = 0) -> Result:
    done = CliRunner().invoke(app, ["simulate", *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done


def written(truth: str) -> pd.DataFrame:
    return pq.read_table(truth).to_pandas(types_mapper=pd.ArrowDtype)


@pytest.mark.parametrize("name", ["n.parquet", "n.jsonl", "n.csv", "n.jsonl.gz", "n.csv.zst"])
def test_the_log_is_the_night_in_every_format(name: str) -> None:
    options = ("--hands", "60", "--seed", "4", "--plant", "0.5", "--noise", "0.3", "--tables", "2")
    done = run(name, *options)
    night_ = simulate(60, seed=4, plant=0.5, noise=0.3, tables=2)
    noisy = night_.truth.code.isna()
    breached, badly = (night_.truth.hand_id[rows].nunique() for rows in (~noisy, noisy))
    assert done.stdout == (
        f"60 hands written to {name}: {breached} with a planted breach, {badly} with faults of logging; "
        "truth in n.truth.parquet\n"
    )
    read = sources.load(name)
    kept, unfit = sources.check_ranges(night_.log.table)
    assert read.table.equals(kept)
    assert [entry.hand_id for entry in read.quarantine] == [entry.hand_id for entry in unfit]
    assert written("n.truth.parquet").equals(night_.truth)


def test_the_truth_says_how_the_night_was_made() -> None:
    run(
        "n.parquet",
        "--hands",
        "40",
        "--seed",
        "9",
        "--plant",
        "0.25",
        "--only",
        "CAL01",
        "--truth",
        "t.parquet",
    )
    schema = pq.read_schema("t.parquet")
    assert {field.name: str(field.type) for field in schema} == TRUTH_COLUMNS
    assert json.loads(schema.metadata[b"auditor"]) == {"hands": 40, "seed": 9, "plant": 0.25, "noise": 0.0}
    truth = pq.read_table("t.parquet")
    assert set(truth["code"].to_pylist()) == {"CAL01"}
    assert set(truth["hand_id"].to_pylist()) < set(sources.load("n.parquet").table["hand_id"].to_pylist())


def test_the_same_arguments_give_the_same_files() -> None:
    for name in ("a", "b"):
        run(f"{name}.parquet", "--hands", "50", "--plant", "0.5")
    assert Path("a.parquet").read_bytes() == Path("b.parquet").read_bytes()
    assert Path("a.truth.parquet").read_bytes() == Path("b.truth.parquet").read_bytes()


def test_many_hands_are_written_in_parts_as_if_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(150, seed=2, plant=0.3, noise=0.3)
    monkeypatch.setattr(night, "ROWS", 40)
    run("n.parquet", "--hands", "150", "--seed", "2", "--plant", "0.3", "--noise", "0.3")
    assert pq.ParquetFile("n.parquet").num_row_groups == 4
    assert sources.load("n.parquet").table.equals(sources.check_ranges(whole.log.table)[0])
    assert written("n.truth.parquet").equals(whole.truth)


@pytest.mark.parametrize(
    ("log", "truth"),
    [
        ("a/night.parquet", "a/night.truth.parquet"),
        ("night.jsonl.gz", "night.truth.parquet"),
        ("1.5.csv", "1.5.truth.parquet"),
    ],
)
def test_the_truth_lies_beside_the_log(log: str, truth: str) -> None:
    assert writing.truth_beside(Path(log)) == Path(truth)


def test_a_folder_with_a_truth_in_it_is_audited_without_it() -> None:
    Path("out").mkdir()
    run("out/n.parquet", "--hands", "20")
    said: list[str] = []
    for path in ("out", "out/*"):
        assert [unit.source for unit in sources.units([path], notice=said.append)] == ["out/n.parquet"]
    assert said == ["out/n.truth.parquet is the truth of a simulated night; it is passed over"] * 2


def test_the_hash_covers_every_module_that_is_compiled() -> None:
    """An edit of any of them must never be answered by hands that were compiled before it."""
    package = Path(played.__file__).parents[1]
    seen, ahead = set(), ["auditor.simulate.play"]
    while ahead:
        path = package.parent.joinpath(*(name := ahead.pop()).split(".")).with_suffix(".py")
        if name in seen or not path.is_file():
            continue
        seen.add(name)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                ahead += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    assert {name.removeprefix("auditor.").replace(".", "/") + ".py" for name in seen} == set(played.SOURCES)


def test_what_was_compiled_is_kept_for_the_next_run() -> None:
    if os.environ.get("AUDITOR_COMPILE") == "0":
        pytest.skip("nothing is compiled")
    simulate(1)
    player = played.player()
    assert isinstance(player, Kept) and player.is_there


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["n.txt", "--hands", "5"], "cannot write this; name it .parquet, .jsonl or .csv"),
        (["n.parquet"], "--hands"),
        (["n.parquet", "--hands", "0"], "--hands"),
        (["n.parquet", "--hands", "5", "--plant", "1.5"], "--plant"),
        (["n.parquet", "--hands", "5", "--plant", "0.7", "--noise", "0.4"], "noise = 0.4: give the share"),
        (["n.parquet", "--hands", "5", "--only", "XYZ01"], "only = XYZ01: no such breach can be planted"),
        (["no/n.parquet", "--hands", "5"], "no is no folder; make it first"),
        (["n.parquet", "--hands", "5", "--truth", "no/t.parquet"], "no is no folder; make it first"),
        (["n.parquet", "--hands", "5", "--truth", "n.parquet"], "give the truth another name than the log"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(arguments: list[str], said: str) -> None:
    assert said in run(*arguments, code=2).stderr
    assert list(Path().iterdir()) == []


def test_files_are_replaced_only_when_told() -> None:
    Path("n.truth.parquet").write_text("mine")
    assert "add --force" in run("n.parquet", "--hands", "5", code=2).stderr
    assert Path("n.truth.parquet").read_text() == "mine" and not Path("n.parquet").exists()
    run("n.parquet", "--hands", "5", "--force")
    assert len(sources.load("n.parquet")) == 5

"""Formats that other packages bring: the documented example, and every way in which a plug-in can fail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor import parts, sources
from auditor.handlog import HandLog

ROOT = Path(__file__).parents[1]
DOCS = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)
LEDGER = """\
hand 1 seven-card-stud
seat 1 Ann 500
seat 2 Bob 900
ante 1 100
ante 2 100
up 1 Ks
check 1
hand 2 seven-card-stud
seat one Ann 500
hand 3 five-card-stud
seat 4 Cy 100
ante 4 100
hand 4 seven-card-stud
seat 1 Ann 500
ante 1 cents
hand 5 seven-card-stud
seat 1 Ann 500
antee 1 100
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages on the path; the working folder is another."""
    site, folder = tmp_path / "site", tmp_path / "work"
    site.mkdir()
    folder.mkdir()
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.chdir(folder)
    forget()
    yield site
    forget()
    for path in site.glob("*.py"):
        sys.modules.pop(path.stem, None)


def forget() -> None:
    sources._plug_ins.cache_clear()
    sources._suffixes.cache_clear()


def install(site: Path, name: str, code: str, target: str = "FORMAT") -> None:
    """A package with one module and one entry point, as an installer leaves it."""
    (site / f"{name}.py").write_text(code, encoding="utf-8")
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[auditor.sources]\n{name} = {name}:{target}\n")


def read(name: str, text: str = LEDGER) -> tuple[HandLog, list[str]]:
    Path(name).write_text(text, encoding="utf-8")
    told: list[str] = []
    return sources.load(name, notice=told.append), told


def ids(log: HandLog) -> list[str]:
    return log.table.column("hand_id").to_pylist()


def test_the_documented_example_is_short() -> None:
    lines = [line for line in EXAMPLE.splitlines() if line.strip()]
    assert len(lines) <= 42


def test_the_documented_example_reads_a_file_from_the_command_line(site: Path) -> None:
    install(site, "ledger_log", EXAMPLE)
    Path("night.ledger").write_text(LEDGER, encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from auditor.cli import main; main()",
            "convert",
            "night.ledger",
            "night.jsonl",
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4, done.stderr
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "2 hands written to night.jsonl; 3 quarantined"
    assert "night.ledger, line 8: not a hand of a ledger: invalid literal for int()" in done.stdout
    assert ids(sources.load("night.jsonl")) == ["1", "3"]


def test_the_example_is_known_by_its_suffix_packed_by_its_beginning_and_in_a_folder(site: Path) -> None:
    install(site, "ledger_log", EXAMPLE)
    log, told = read("a.ledger")
    assert ids(log) == ["1", "3"] and told == []
    assert [entry.line for entry in log.quarantine] == [8, 13, 16]
    assert "kind 'antee' is not one of" in log.quarantine[2].reason
    assert log.quarantine[0].text == "hand 2 seven-card-stud\nseat one Ann 500"
    assert log.table.column("source_line").to_pylist() == [1, 10]
    assert ids(read("b.log")[0]) == ["1", "3"]
    assert ids(sources.load(".", notice=told.append)) == ["1", "3"]
    assert [len(batch.table) for batch in sources.batches(["a.ledger"], rows=1)] == [1, 0, 1, 0, 0]


def test_a_plug_in_that_cannot_be_loaded_is_a_notice(site: Path) -> None:
    install(site, "broken", "import nothing_of_that_name")
    install(site, "ledger_log", EXAMPLE)
    install(site, "other", "FORMAT = 'Ledger'")
    log, told = read("a.ledger")
    assert ids(log) == ["1", "3"]
    assert told == [
        "plug-in broken (broken) cannot be loaded: ModuleNotFoundError: "
        "No module named 'nothing_of_that_name'; "
        "mend or uninstall it",
        "plug-in other (other) is no TextFormat; mend or uninstall it",
    ]


def test_two_plug_ins_of_one_suffix_are_told_and_neither_is_taken(site: Path) -> None:
    install(site, "one", EXAMPLE)
    install(site, "two", EXAMPLE)
    said = ".ledger is claimed by the plug-ins one (one) and two (two); uninstall all but one"
    log, told = read("a.ledger")
    assert told == [said]
    assert len(log) == 0 and [entry.reason for entry in log.quarantine] == [said]
    assert ids(read("b.log")[0]) == ["1", "3"]


def test_a_suffix_that_has_a_reader_keeps_it(site: Path) -> None:
    install(site, "greedy", EXAMPLE.replace('(".ledger",)', '(".csv", ".ledger")'))
    log, told = read("a.csv", "hand 1\n")
    assert told == ["plug-in greedy (greedy) claims .csv, which has a reader; it is not used for that suffix"]
    assert "column 'hand 1' is not one of the hand log" in log.quarantine[0].reason
    assert ids(read("a.ledger")[0]) == ["1", "3"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "        _, hand_id, game =",
            "        1 / 0\n        _, hand_id, game =",
            "ZeroDivisionError: division by zero",
        ),
        ("yield batch_of(pieces[start : start + rows], source)", "yield 5", "AttributeError"),
        (
            "yield batch_of(pieces[start : start + rows], source)",
            "import pyarrow\n        yield Batch(pyarrow.table({'x': [1]}), (), source)",
            "column hand_id is missing",
        ),
    ],
)
def test_a_plug_in_that_fails_on_a_file_costs_that_file(site: Path, old: str, new: str, said: str) -> None:
    assert old in EXAMPLE
    install(site, "ledger_log", EXAMPLE.replace(old, new))
    Path("good.jsonl").write_text("", encoding="utf-8")
    log, _ = read("a.ledger")
    assert len(log) == 0
    (entry,) = log.quarantine
    assert entry.reason.startswith("plug-in ledger_log (ledger_log)") and said in entry.reason
    assert entry.text.startswith("hand 1 seven-card-stud")


def test_hands_of_a_plug_in_are_checked_before_compiled_code_sees_them(site: Path) -> None:
    spoilt = EXAMPLE.replace(
        "yield batch_of(pieces[start : start + rows], source)",
        "batch = batch_of(pieces[start : start + rows], source)\n"
        "        rows_ = batch.table.to_pylist()\n"
        "        rows_[0]['events'][0]['seat'] = 99\n"
        "        yield Batch(batch.table.from_pylist(rows_, batch.table.schema), batch.quarantine, source)",
    )
    assert spoilt != EXAMPLE
    install(site, "ledger_log", spoilt)
    log, _ = read("a.ledger")
    assert ids(log) == ["3"]
    assert "event 0: seat 99 is not in 0-10" in [entry.reason for entry in log.quarantine]
    assert log.read == 5


def test_a_sniff_that_fails_takes_no_file(site: Path) -> None:
    install(
        site,
        "ledger_log",
        EXAMPLE.replace('return head.startswith(b"hand ")', "return head.decode('ascii').x"),
    )
    assert "its format is none of Parquet" in read("a.log")[0].quarantine[0].reason
    assert ids(read("a.ledger")[0]) == ["1", "3"]


def test_plug_ins_that_come_change_or_go_make_another_program(site: Path) -> None:
    """So an incremental run audits all files again, and a worker of a cluster needs the same."""
    program = parts.program_hash.__wrapped__
    without = program()
    assert program() == without
    install(site, "ledger_key", EXAMPLE)
    first = program()
    install(site, "broken_key", "1 / 0")
    both = program()
    info = site / "ledger_key-1.0.dist-info" / "METADATA"
    info.write_text(info.read_text().replace("Version: 1.0", "Version: 1.1"))
    changed = program()
    assert len({without, first, both, changed}) == 4
    (site / "ledger_key.py").write_text(EXAMPLE.replace("not a hand", "no hand"), encoding="utf-8")
    assert program() not in {without, first, both, changed}, "edited under the same version"
    (site / "ledger_key.py").write_text(EXAMPLE, encoding="utf-8")
    assert program() == changed
    for folder in site.glob("*.dist-info"):
        shutil.rmtree(folder)
    assert program() == without


@pytest.mark.parametrize("init", [True, False])
def test_all_files_of_the_package_of_a_plug_in_count_but_what_python_makes_of_them(
    site: Path, init: bool
) -> None:
    package = site / "ledger_whole"
    (package / "__pycache__").mkdir(parents=True)
    install(site, "ledger_whole", "")
    (site / "ledger_whole.py").unlink()
    if init:
        (package / "__init__.py").write_text("from .reader import FORMAT\n", encoding="utf-8")
    (package / "reader.py").write_text(EXAMPLE, encoding="utf-8")
    (package / "words.toml").write_text("", encoding="utf-8")
    program = parts.program_hash.__wrapped__
    found = [program()]
    (package / "__pycache__" / "reader.cpython-311.pyc").write_bytes(b"1")
    assert program() == found[0]
    for name in ("reader.py", "words.toml"):
        with (package / name).open("a", encoding="utf-8") as file:
            file.write("\n# edited\n")
        found.append(program())
    (package / "words.toml").rename(package / "terms.toml")
    assert len({*found, program()}) == 4


@pytest.mark.parametrize("target", ["", ":", "nowhere.at.all:FORMAT", "sys:FORMAT", "not a module"])
def test_a_plug_in_without_files_is_known_by_its_version(site: Path, target: str) -> None:
    without = parts.program_hash.__wrapped__()
    install(site, "ledger_none", "")
    entry = site / "ledger_none-1.0.dist-info" / "entry_points.txt"
    entry.write_text(f"[auditor.sources]\nledger_none = {target}\n", encoding="utf-8")
    assert parts.program_hash.__wrapped__() != without

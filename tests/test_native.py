"""Compiled functions as machine code: made once, kept, and loaded without the compiler."""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import auditor
from auditor import compiled, native
from auditor._jit import Lazy, jit, plainly
from auditor.compiled import KEPT, RECENT, Kept
from auditor.handlog import HandLog, leaves
from auditor.native import Argument, Native, Signature, machine_code

pytestmark = pytest.mark.skipif(os.environ.get("AUDITOR_COMPILE") == "0", reason="needs the compiler")

ITEM = np.dtype([("small", "i1"), ("large", "i8")], align=True)
TEXT = """
from auditor._jit import jit

@jit
def total(start, values, table, items):
    for value in values:
        start += value
    items[0].large = start
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            table[row, column] += 1
    return start, table.size, items[0].small
"""
TOTAL = Signature(
    (
        Argument("start", dimensions=0),
        Argument("values", np.int8),
        Argument("table", dimensions=2),
        Argument("items", ITEM),
    ),
    answers=3,
)


def total() -> Kept:
    return Kept(TEXT, "total", "0", TOTAL, lambda start, values, *rest: len(values))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    monkeypatch.setenv("AUDITOR_CACHE", str(tmp_path))
    return total()


def given() -> list[np.ndarray]:
    items = np.zeros(2, ITEM)
    items["small"] = 7
    return [np.array([1, 2, -4], np.int8), np.zeros((2, 3), np.int64), items]


def test_whole_numbers_arrays_and_records_go_in_and_whole_numbers_come_out(kept: Kept) -> None:
    values, table, items = given()
    assert kept(10, values, table, items) == (9, 6, 7)
    assert (table == 1).all()
    assert items["large"].tolist() == [9, 0]
    assert kept(0, values[:0], table, items.view(np.recarray)) == (0, 6, 7)


def test_a_little_is_done_without_the_compiler(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUDITOR_COMPILE")
    monkeypatch.setattr(compiled, "LITTLE", 8)
    with monkeypatch.context() as without:
        without.setattr(native, "machine_code", None)
        for _ in range(2):  # three each
            values, table, items = given()
            assert kept(10, values, table, items.view(np.recarray)) == (9, 6, 7)
            assert (table == 1).all()
            assert items["large"].tolist() == [9, 0]
    assert not kept.is_there
    for _ in range(2):
        assert kept(10, *given()) == (9, 6, 7)
    assert kept.is_there
    monkeypatch.setattr(kept, "_function", None)
    assert kept(10, *given()) == (9, 6, 7)
    assert total()(10, *given()) == (9, 6, 7)


def test_who_waits_for_the_compiler_is_told(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = machine_code(kept._function, TOTAL)
    monkeypatch.setattr(native, "machine_code", lambda *_: code)
    total()(10, *given())
    assert capsys.readouterr() == ("", "")
    for notebook in (False, True):
        kept._path.unlink()
        with monkeypatch.context() as somebody:
            if notebook:
                somebody.setitem(sys.modules, "ipykernel", sys)
            else:
                somebody.setattr(sys.stderr, "isatty", lambda: True)
            for _ in range(2):
                total()(10, *given())
        assert capsys.readouterr() == ("", "auditor: compiling, once; this takes a minute or two\n")


def test_what_runs_plainly_in_one_thread_is_compiled_in_another() -> None:
    seen = []

    def told() -> int:
        seen.append("plain")
        return 1

    lazy = Lazy(told, lambda function: lambda: seen.append("compiled"))
    with plainly():
        lazy()
        other = threading.Thread(target=lazy)
        other.start()
        other.join()
    lazy()
    assert seen == ["plain", "compiled", "compiled"]


def test_what_is_kept_is_loaded_and_not_compiled_again(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not kept.is_there
    kept(10, *given())
    assert kept.is_there
    monkeypatch.setattr(native, "machine_code", None)
    assert total()(10, *given()) == (9, 6, 7)


def test_what_a_fault_of_the_disk_has_changed_is_made_anew(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(10, *given())
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    for bad in (b"", good[:-1], b"\0" * len(good)):
        file.write_bytes(bad)
        assert total()(10, *given()) == (9, 6, 7)
        with monkeypatch.context() as patch:
            patch.setattr(native, "machine_code", None)
            assert total()(10, *given()) == (9, 6, 7)


def full(path: Path, content: bytes) -> int:
    with path.open("wb") as file:
        file.write(content[:100])
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("fault", ["a file", "a folder in its place", "a full disk", "no home"])
def test_a_cache_that_cannot_be_used_is_survived(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv("AUDITOR_CACHE", str(folder))
    match fault:
        case "a file":
            folder.write_text("a file")
        case "a folder in its place":
            total()._path.mkdir(parents=True)
        case "a full disk":
            monkeypatch.setattr(Path, "write_bytes", full)
        case "no home":
            monkeypatch.delenv("AUDITOR_CACHE")
            monkeypatch.setattr(os.path, "expanduser", lambda path: path)
            monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    kept = total()
    assert not kept.is_there
    assert kept(10, *given()) == (9, 6, 7)
    assert "set AUDITOR_CACHE to a folder that can be written" in capsys.readouterr().err
    assert kept.is_there  # in this process
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path != folder]


def test_a_cache_that_cannot_be_used_is_survived_where_nobody_can_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("a file")
    monkeypatch.setenv("AUDITOR_CACHE", str(tmp_path / "cache"))

    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stderr", Full())
    assert total()(10, *given()) == (9, 6, 7)


def test_what_is_used_is_as_good_as_new(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept(10, *given())
    os.utime(kept._path, (0, 0))
    total()(10, *given())
    assert kept._path.stat().st_mtime > time.time() - RECENT

    def refused(path: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted", str(path))

    monkeypatch.setattr(os, "utime", refused)  # as in a folder that others may only read
    monkeypatch.setattr(native, "machine_code", None)
    assert total()(10, *given()) == (9, 6, 7)
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # that there are threads is the point
def test_a_fork_waits_until_a_thread_has_compiled(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    code = machine_code

    def slow(*given: object) -> bytes:
        begun.set()
        go_on.wait()
        return code(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(native, "machine_code", slow)
    compiling = threading.Thread(target=kept, args=(10, *given()))
    compiling.start()
    begun.wait()
    threading.Timer(0.2, go_on.set).start()
    child = os.fork()
    if not child:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60)  # rather than to wait for ever for a lock that nobody holds any more
        os._exit(kept(10, *given()) != (9, 6, 7))
    assert os.waitpid(child, 0)[1] == 0
    compiling.join()


LONG_AGO = time.time() - 2 * RECENT


def file(folder: Path, name: str, written: float = LONG_AGO) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.touch()
    os.utime(path, (written, written))
    return path


def code_name(kind: str, number: int) -> str:
    return f"{kind}_{number:032x}_{number:08x}.code"


def test_the_functions_used_last_are_kept(tmp_path: Path) -> None:
    for number in range(KEPT + 3):
        file(tmp_path, code_name("loop", number), LONG_AGO + number)
    used, recent, other = code_name("loop", 0), code_name("loop", 2), code_name("play", 0)
    file(tmp_path, used, LONG_AGO + 100)
    file(tmp_path, other, 0)
    (tmp_path / code_name("loop", 99)).symlink_to("gone")  # as if forgotten by another process meanwhile
    compiled.forget_old(tmp_path, "loop")
    kept = {path.name for path in tmp_path.iterdir() if path.exists()}
    last = {code_name("loop", number) for number in range(4, KEPT + 3)}
    assert kept == {used, other} | last, "another kind is not counted"

    file(tmp_path, recent, time.time())
    for number in range(100, 100 + KEPT):
        file(tmp_path, code_name("loop", number), time.time() + number)
    compiled.forget_old(tmp_path, "loop")
    assert (tmp_path / recent).exists(), "another process may be about to load it"
    assert sum(path.exists() for path in tmp_path.glob("loop_*.code")) == KEPT + 1


def test_what_earlier_versions_and_runs_that_were_killed_have_left_goes(tmp_path: Path) -> None:
    code, key = code_name("loop", 1), "loop_" + "0123456789abcdef" * 2
    left = [
        f"{code}.0123456789abcdef",
        f"{key}_0123abcd.o",
        f"{key}.py",
        f"__pycache__/{key}.cpython-311.pyc",
        f"__pycache__/{key}.loop-3651.py311.nbi",
        f"__pycache__/{key}.loop-3651.py311.1.nbc",
    ]
    others = ["notes.txt", "loop_notes.py", f"my_{key}.py", f"{key}s.py", "__pycache__/loop.cpython-311.pyc"]
    being_written = [file(tmp_path, f"{code}.{number:016x}", time.time()) for number in range(2 * KEPT)]
    paths = {name: file(tmp_path, name) for name in (code, *left, *others)}
    (tmp_path / f"{key}.d").mkdir()
    os.utime(tmp_path / f"{key}.d", (0, 0))
    compiled.forget_old(tmp_path, "loop")
    assert [name for name, path in paths.items() if not path.exists()] == left
    assert all(path.exists() for path in being_written)
    assert (tmp_path / f"{key}.d").is_dir()


@pytest.mark.parametrize(
    ("at", "wrong"),
    [
        (0, np.zeros(3, np.int64)),
        (0, np.zeros((1, 3), np.int8)),
        (0, np.zeros(6, np.int8)[::2]),
        (1, np.zeros((3, 2), np.int64).T),
        (2, np.zeros(2, np.dtype([("small", "i1"), ("large", "i8")]))),
    ],
    ids=["type", "dimensions", "stride", "order", "layout"],
)
def test_an_array_of_another_shape_is_refused_before_compiled_code_sees_it(
    kept: Kept, at: int, wrong: np.ndarray
) -> None:
    arrays = given()
    arrays[at] = wrong
    with pytest.raises(TypeError, match=f"{TOTAL.arguments[at + 1].name} is no array"):
        kept(10, *arrays)


def test_a_log_that_lies_astride_in_memory_is_audited() -> None:
    table = auditor.load(auditor.sample_logs() / "phh").table
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    moved = pa.py_buffer(b"abc" + sink.getvalue().to_pybytes()).slice(3)
    astride = pa.ipc.open_stream(moved).read_all()
    assert not leaves(astride.combine_chunks(), "events")[1]["amount"].flags.aligned
    found = auditor.audit(HandLog(astride)).by_clause
    assert found.equals(auditor.audit(HandLog(table)).by_clause)


def test_a_function_that_wants_memory_of_its_own_is_refused() -> None:
    @jit
    def squares(size):
        return (np.arange(size) ** 2).sum(), 0

    with pytest.raises(TypeError, match=r"cannot stand alone: it calls .*NRT_"):
        machine_code(squares, Signature((Argument("size", dimensions=0),), answers=2))


def test_code_that_does_not_take_its_arguments_as_they_are_given_is_refused(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = native.llvm.parse_assembly

    def with_one_more(text: str) -> object:
        return read(re.sub(r"(define .*entry\w*\()", r"\1i64 %more, ", text))

    monkeypatch.setattr(native.llvm, "parse_assembly", with_one_more)
    with pytest.raises(TypeError, match="numba hands arguments over in another way"):
        kept(10, *given())
    assert not kept.is_there


def test_an_index_outside_of_its_array_is_told_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDITOR_BOUNDSCHECK", "1")

    @jit
    def at(index, values):
        return values[index], 0

    signature = Signature((Argument("index", dimensions=0), Argument("values")), answers=2)
    function = Native(machine_code(at, signature), signature)
    assert function(2, np.array([5, 6, 7])) == (7, 0)
    with pytest.raises(IndexError, match="outside of its array"):
        function(3, np.array([5, 6, 7]))


def test_another_processor_or_compiler_has_another_file(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(10, *given())
    monkeypatch.setattr(native, "machine", lambda: "another")
    assert not total().is_there
    monkeypatch.undo()
    monkeypatch.setenv("AUDITOR_CACHE", str(kept._path.parent))
    assert total().is_there
    with monkeypatch.context() as told:
        told.setenv("NUMBA_OPT", "1")
        assert not total().is_there
    monkeypatch.setattr(compiled, "version", lambda name: "0.0")
    assert not total().is_there


def test_an_audit_by_a_loop_that_is_kept_imports_neither_compiler_nor_pandas() -> None:
    auditor.audit(auditor.sample_logs() / "phh")
    code = """
import sys
from auditor.cli import main
sys.argv = ["auditor", "audit", sys.argv[1]]
try:
    main()
finally:
    print(sorted({"numba", "pandas"} & set(sys.modules)), file=sys.stderr)
"""
    log = auditor.sample_logs() / "phh"
    run = subprocess.run([sys.executable, "-c", code, str(log)], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "[]\n"), run.stderr


def test_arrow_knows_pandas_once_it_is_imported_after_all() -> None:
    code = """
from auditor.cli.arrow import prepare_arrow
prepare_arrow()
prepare_arrow()
import importlib.util, sys
assert importlib.util.find_spec("pandas") and "pandas" not in sys.modules
import pyarrow as pa
import pandas as pd
assert pa.array(pd.Series([1.0, None])).null_count == 1
assert pa.table({"text": pd.Series(["a", None])})["text"].to_pylist() == ["a", None]
frame = pa.table({"hand": ["1", "2"]}).to_pandas()
assert isinstance(frame, pd.DataFrame) and list(frame["hand"]) == ["1", "2"]
assert pa.Table.from_pandas(frame).column("hand").to_pylist() == ["1", "2"]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_check_that_fails_as_plain_python_is_shown_with_the_text_of_the_loop() -> None:
    code = """
import dataclasses, sys
from auditor.checks.registry import CHECKS
from auditor.cli import main

def face_up(event, state):
    raise ValueError("this check fails")

CHECKS["dealing.face_up"] = dataclasses.replace(CHECKS["dealing.face_up"], function=face_up)
sys.argv = ["auditor", "audit", sys.argv[1]]
main()
"""
    log = auditor.sample_logs() / "clean-night.jsonl"
    environment = {**os.environ, "AUDITOR_COMPILE": "0"}
    command = [sys.executable, "-c", code, str(log)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 70
    assert "v, e, o = __main__.face_up(ev, st)" in run.stderr, run.stderr
    assert run.stderr.endswith("ValueError: this check fails\n")

"""How Python was started, and what it was told of the compiler, never decides whether there is an audit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

import auditor
from auditor import driver
from auditor._jit import Lazy, compiling, jit
from auditor.rulesets import Edition

ROOT = Path(__file__).parents[1]
LOG = auditor.sample_logs() / "phh"


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """``python`` with these arguments, which does not compile unless told otherwise."""
    told = os.environ | {"AUDITOR_COMPILE": "0", "PYTHONPATH": str(ROOT)} | environment
    return subprocess.run(
        [sys.executable, *map(str, command)], env=told, capture_output=True, text=True, check=False
    )


def test_without_docstrings_and_assertions_an_audit_is_the_same() -> None:
    plain, optimised = (run(*how, "-m", "auditor", "audit", LOG, "--format", "json") for how in ([], ["-OO"]))
    assert optimised.stderr == ""
    assert plain.stdout
    assert (optimised.returncode, optimised.stdout) == (plain.returncode, plain.stdout)


def test_without_docstrings_a_clause_is_explained_by_the_name_of_its_check() -> None:
    explained = run("-OO", "-m", "auditor", "explain", "OPN02")
    assert (explained.returncode, explained.stderr) == (0, "")
    assert "  Checked   Rounds 2, 3, 4. (opener.highest_showing)\n" in explained.stdout


def test_a_loop_that_loses_a_hand_ends_the_run_whatever_python_leaves_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = driver.loop_of

    def losing(edition: Edition) -> driver.Loop:
        def function(*given: Any) -> tuple[int, ...]:
            first, done, filled, faulty = loop.function(*given)
            return first, done - 1, filled, faulty

        loop = made(edition)
        return replace(loop, function=function)

    monkeypatch.setattr(driver, "loop_of", losing)
    with pytest.raises(RuntimeError, match="13 hands were to be audited, and 12 were"):
        auditor.audit(LOG)


@pytest.mark.parametrize(("value", "compiled"), [("1", False), ("0", True), ("", True)])
def test_where_numba_is_told_not_to_compile_nothing_is(
    value: str, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AUDITOR_COMPILE", raising=False)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", value)
    assert compiling() == compiled
    assert isinstance(jit(abs), Lazy) == compiled


def test_where_numba_is_told_not_to_compile_an_audit_is_one_of_plain_python(tmp_path: Path) -> None:
    command = ["-m", "auditor", "audit", LOG, "--format", "json"]
    told = run(*command, AUDITOR_COMPILE="", NUMBA_DISABLE_JIT="1", AUDITOR_CACHE=str(tmp_path / "cache"))
    assert told.stderr == ""
    plain = run(*command)
    assert (told.returncode, told.stdout) == (plain.returncode, plain.stdout)
    assert not (tmp_path / "cache").exists()


@pytest.mark.skipif(os.environ.get("AUDITOR_COMPILE") == "0", reason="needs the compiler")
def test_the_first_audit_of_a_few_hands_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    command = ["-m", "auditor", "audit", LOG, "--format", "json"]
    first = run(*command, AUDITOR_COMPILE="", AUDITOR_CACHE=str(tmp_path / "cache"))
    plain = run(*command)
    assert (first.returncode, first.stdout, first.stderr) == (plain.returncode, plain.stdout, "")
    assert not (tmp_path / "cache").exists()


# What is started in the background may have been told to pass over Ctrl-C, and would pass that on.
AUDITS = """
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv = ["auditor", "audit", sys.argv[1]]
runpy.run_module("auditor", run_name="__main__")
"""
COMPILES = """
import time
from auditor import native
def machine_code(*given):
    print("compiling", flush=True)
    time.sleep(600)
native.machine_code = machine_code
"""


@pytest.mark.skipif(os.environ.get("AUDITOR_COMPILE") == "0", reason="needs the compiler")
def test_ctrl_c_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    told = os.environ | {"AUDITOR_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", COMPILES + AUDITS, str(LOG)]
    with subprocess.Popen(command, env=told, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "compiling\n"
        assert_interrupted(process)


def test_ctrl_c_does_not_wait_for_standard_input() -> None:
    told = os.environ | {"AUDITOR_COMPILE": "0", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", AUDITS, "-"]
    with subprocess.Popen(command, env=told, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdin
        process.stdin.write(
            '{"hand_id": "' + "1" * (1 << 18)
        )  # more than a pipe holds: what is done with it has begun
        process.stdin.flush()
        assert_interrupted(process)


def assert_interrupted(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.returncode == 130
    assert process.stderr
    assert process.stderr.read() == ""

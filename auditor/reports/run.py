"""The folder of a run: its tables, and ``run.json``, which says what they rest on.

Findings hold nothing of when, where or how a run was made; ``run.json`` holds all of that.
"""

from __future__ import annotations

import hashlib
import io
import os
import platform
import sys
import tempfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import auditor
from auditor.reports import csv, json, parquet
from auditor.result import Result
from auditor.sources import Unit

RUN = "run.json"
_WRITERS = {"csv": csv.write, "jsonl": json.write, "parquet": parquet.write}
_FILES = {
    "findings": ("parquet", "csv", "jsonl"),
    "tallies": ("parquet", "csv"),
    "defects": ("parquet", "csv"),
    "quarantine": ("parquet", "jsonl"),
}
_PACKAGES = ("numba", "numpy", "pandas", "pyarrow")


class OutputError(ValueError):
    """A folder that cannot take the output of a run; names it and the remedy."""


def prepare(folder: Path, read: Iterable[str]) -> None:
    """Make ``folder`` if it is not there; ``read`` are the paths that the run is to read.

    Raises ``OutputError`` when the folder holds something else than a run, cannot be written, or lies where
    the next run would read it.
    """
    for path in map(Path, read):
        if path.is_dir() and folder.resolve().is_relative_to(path.resolve()):
            raise OutputError(f"{folder} lies in {path}, which is read; name a folder outside of it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not (folder / RUN).is_file():
            raise OutputError(
                f"{folder} is not empty and holds no earlier run ({RUN}); name a folder that is new or empty"
            )
        with tempfile.TemporaryFile(dir=folder):
            pass
    except FileExistsError:
        raise OutputError(f"{folder} is a file; name a folder") from None
    except OSError as error:
        raise OutputError(f"{folder} cannot be written ({error.strerror}); name another folder") from None


def write(result: Result, folder: Path, facts: Mapping[str, Any]) -> None:
    """Write the tables of a result, then ``run.json`` with its own facts and the given ones.

    Every file takes its name when it is whole. While there is no ``run.json``, the folder is not whole.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix=".draft-") as name:
        draft = Path(name)
        for table, forms in _FILES.items():
            for form in forms:
                _WRITERS[form](result.tables[table], draft / f"{table}.{form}")
        files = sorted(draft.iterdir())
        (draft / RUN).write_text(json.text(result.facts() | dict(facts)) + "\n", encoding="utf-8")
        (folder / RUN).unlink(missing_ok=True)
        for path in (*files, draft / RUN):
            os.replace(path, folder / path.name)


def now() -> str:
    """The time, to the second, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def surroundings() -> dict[str, Any]:
    """Where a run is made: host, system, and the versions of all that computes."""
    return {
        "host": platform.node(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": {"auditor": auditor.__version__, **{name: version(name) for name in _PACKAGES}},
    }


class StandardInput(io.RawIOBase):
    """Standard input, hashed as it is read: it cannot be read twice."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.size = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = sys.stdin.buffer.read(size)
        self.digest.update(data)
        self.size += len(data)
        return data


def inputs(units: Iterable[Unit], stdin: StandardInput) -> list[dict[str, Any]]:
    """Name, size and SHA-256 of every file read, in order; no hash for one that cannot be read."""
    found = []
    for source, path in dict.fromkeys((unit.source, unit.path) for unit in units):
        size, digest = _file_hash(path) if path else (stdin.size, stdin.digest.hexdigest())
        found.append({"source": source, "bytes": size, "sha256": digest})
    return found


def _file_hash(path: Path) -> tuple[int | None, str | None]:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return file.tell(), digest
    except OSError:
        return None, None

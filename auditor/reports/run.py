"""The folder of a run: its tables, and ``run.json``, which says what they rest on.

The files of a run lie in a folder of their own, ``.run`` leads to it and their names lead there, so that one
step puts a whole run in place of another. Findings hold nothing of when, where or how a run was made;
``run.json`` holds all of that.
"""

from __future__ import annotations

import hashlib
import io
import os
import platform
import secrets
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import auditor
from auditor.durable import LockedError, locked, point, sync, synced
from auditor.parts import Store
from auditor.reports import csv, json, parquet
from auditor.result import Result
from auditor.sources import Unit
from auditor.sources.files import RUN, STDIN
from auditor.sources.remote import Remote

if TYPE_CHECKING:
    from io import BufferedReader

FILES = "files"
_CURRENT = ".run"
_WRITERS = {"csv": csv.write, "jsonl": json.write, "parquet": parquet.write}
_FILES = {
    "findings": ("parquet", "csv", "jsonl"),
    "tallies": ("parquet", "csv"),
    "defects": ("parquet", "csv"),
    "quarantine": ("parquet", "jsonl"),
}
_PACKAGES = ("numba", "numpy", "pandas", "pyarrow")


@dataclass(frozen=True)
class Files:
    """What an incremental run did about files: how many it did not audit again, how many it audited, and the
    names of those whose results it removed because they are gone."""

    unchanged: int
    audited: int
    gone: tuple[str, ...]


class OutputError(ValueError):
    """A folder that cannot take the output of a run; names it and the remedy."""


@dataclass(frozen=True)
class Output:
    """A folder that this run alone may write, and where the parts of it are."""

    folder: Path
    store: Store

    def inputs(self, units: Iterable[Unit], stdin: StandardInput) -> list[dict[str, Any]]:
        """Name, size and SHA-256 of every file to be read, in order; no hash for one that cannot be read.

        The entry of standard input is complete when it has been read.
        """
        found = []
        for source, path in dict.fromkeys((unit.source, unit.path) for unit in units):
            if path is None:
                found.append(stdin.entry)
                continue
            size, digest = _file_hash(path)
            found.append({"source": source, "bytes": size, "sha256": digest})
            self.store.digests[source] = digest
        return found

    def write(self, result: Result, facts: Mapping[str, Any]) -> Files | None:
        """Write the tables of a result, and ``run.json`` with its own facts and the given ones.

        All take their names at once, in place of those of an earlier run. Then the parts of files that are
        gone are removed. Returns what was done about files by an incremental run.
        """
        files = None
        if self.store.kept:
            unchanged = len(self.store.unchanged)
            files = Files(unchanged, len(self.store.digests) - unchanged, tuple(self.store.gone()))
            facts = {**facts, "files": asdict(files)}
        whole = self.folder / f"{_CURRENT}-{secrets.token_hex(4)}"
        whole.mkdir()
        for table, forms in _FILES.items():
            rows = result.rows[table]
            for form in forms:
                with synced(whole / f"{table}.{form}") as file:
                    _WRITERS[form](rows.pieces(), rows.schema, file)
        with synced(whole / RUN) as file:
            # a path may have bytes that are not UTF-8; JSON has escapes for what stands for them
            file.write((json.text(result.facts() | dict(facts)) + "\n").encode("utf-8", "backslashreplace"))
        sync(whole)
        aside = self.store.work / "link"
        for path in sorted(whole.iterdir()):
            point(self.folder / path.name, f"{_CURRENT}/{path.name}", aside)
        sync(self.folder)
        point(self.folder / _CURRENT, whole.name, aside)
        sync(self.folder)
        self.store.drop(files.gone if files else ())
        return files


@contextmanager
def output(
    folder: Path, read: Iterable[str], incremental: bool, mapping: str | None = None
) -> Iterator[Output]:
    """Make ``folder`` if it is not there, and hold it while the block runs.

    ``read`` are the paths that the run is to read, ``mapping`` is the SHA-256 of the mapping by which it
    reads them; the parts of an ``incremental`` run are kept. What a killed run has left half done is removed.
    Raises ``OutputError`` when the folder holds something else than a run, cannot be written, lies where the
    next run would read it, or is being written by another run.
    """
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        raise OutputError(f"{folder} is not UTF-8; name a folder that is") from None
    for path in map(Path, read):
        if os.path.isdir(path) and Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(path)):
            raise OutputError(f"{folder} lies in {path}, which is read; name a folder outside of it")
    try:
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"{folder} is a file; name a folder")
        folder.mkdir(parents=True, exist_ok=True)
        if not _is_run(folder / RUN) and not all(map(_is_ours, folder.iterdir())):
            raise OutputError(
                f"{folder} is not empty and holds no earlier run ({RUN}); name a folder that is new or empty"
            )
        with locked(folder / f"{_CURRENT}.lock"):
            _tidy(folder)
            work = folder / f"{_CURRENT}-work"
            work.mkdir()
            try:
                yield Output(folder, Store(work, folder / FILES if incremental else None, mapping))
            finally:
                _tidy(folder)
    except LockedError:
        raise OutputError(
            f"{folder} is being written by another run; wait for its end, or name another folder"
        ) from None
    except OSError as error:
        if error.filename is None or not Path(error.filename).is_relative_to(folder):
            raise
        raise OutputError(
            f"{folder} cannot be written ({error.strerror or error}); make room or name another folder, "
            "and run it again"
        ) from None


def _is_ours(path: Path) -> bool:
    """Whether a killed first run may have left this: its work, its parts, or a link to what it wrote."""
    links = path.is_symlink() and os.readlink(path) == f"{_CURRENT}/{path.name}"
    return links or path.name.startswith(_CURRENT) or path.name == FILES


def _is_run(path: Path) -> bool:
    """Whether the file says what a run rests on."""
    try:
        return "rule_set" in loads(path.read_bytes())
    except (OSError, ValueError, TypeError):
        return False


def _tidy(folder: Path) -> None:
    """Remove what is of no run or of an earlier one."""
    current = os.readlink(folder / _CURRENT) if (folder / _CURRENT).is_symlink() else ""
    for path in folder.glob(f"{_CURRENT}-*"):
        if path.name != current:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


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
    """Standard input, hashed as it is read: it cannot be read twice. ``entry`` says what was read."""

    def __init__(self) -> None:
        self.entry: dict[str, Any] = {"source": STDIN, "bytes": 0, "sha256": None}
        self._digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = sys.stdin.buffer.read(size)
        self._digest.update(data)
        self.entry["bytes"] += len(data)
        self.entry["sha256"] = self._digest.hexdigest()
        return data


def _file_hash(path: Path | Remote) -> tuple[int | None, str | None]:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(cast("BufferedReader", file), "sha256").hexdigest()
            return file.tell(), digest
    except OSError:
        return None, None

"""Files that are whole or not there, links that switch in one step, and the lock."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.durable import LockedError, locked, point, renamed, synced

ROOT = Path(__file__).parents[1]


def test_a_file_takes_its_name_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with renamed(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_leaves_the_old_file_and_names_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail() -> None:
        with renamed(path) as file:
            file.write(b"new")
            raise OSError(errno.ENOSPC, "no space left")

    with pytest.raises(OSError, match="no space left") as caught:
        fail()
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_written_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(handle: int) -> None:
        done.append("sync")
        real_sync(handle)

    def replace(source: Path, target: Path) -> None:
        done.append("rename")
        real_replace(source, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    with renamed(tmp_path / "file") as file:
        file.write(b"new")
    assert done == ["sync", "rename", "sync"]


def test_a_new_file_is_never_an_old_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(FileExistsError), synced(tmp_path / "file"):
        pass
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_link_takes_the_place_of_a_file_or_a_link(tmp_path: Path) -> None:
    link, aside = tmp_path / "link", tmp_path / "aside"
    link.write_bytes(b"old")
    for target in ("one", "two", "two"):
        point(link, target, aside)
        assert os.readlink(link) == target
        assert not os.path.lexists(aside)


def test_a_lock_has_one_holder_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path):
        with pytest.raises(LockedError), locked(path):
            pass
        assert path.exists()
    assert not path.exists()
    with locked(path):
        pass


def test_a_dead_holder_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = (
        "import os, sys; from pathlib import Path; from auditor.durable import locked\n"
        "with locked(Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, check=False)
    assert done.returncode == -9
    assert path.exists()
    with locked(path):
        pass
    assert not path.exists()

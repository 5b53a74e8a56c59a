"""Files and folders that are there whole or not at all, whenever a process is killed or a disk is full.

What is written is forced to the disk before it takes its name: no name ever leads to half a file.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


class LockedError(OSError):
    """Another process holds the lock."""


@contextmanager
def created(path: Path) -> Iterator[BinaryIO]:
    """A new file; it must not exist yet. Nothing forces it to the disk.

    An ``OSError`` of the block names the file, where it does not name another.
    """
    try:
        with path.open("xb") as file:
            yield file
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextmanager
def synced(path: Path) -> Iterator[BinaryIO]:
    """A new file that is on the disk when the block ends, under its own name; errors as of ``created``."""
    with created(path) as file:
        yield file
    sync(path)


@contextmanager
def renamed(path: Path) -> Iterator[BinaryIO]:
    """A new file beside ``path`` that takes its place at the end, and is gone if anything fails before."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with synced(draft) as file:
            yield file
        os.replace(draft, path)
        sync(path.parent)
    except OSError as error:
        if error.filename == str(draft):
            error.filename = str(path)
        raise
    finally:
        draft.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Force to the disk what a file holds, or the names in a folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        os.close(handle)


def sync_all(paths: Iterable[Path]) -> None:
    """``sync`` many at once: a disk takes together what waits for it at the same time."""
    with ThreadPoolExecutor(16) as pool:
        for _ in pool.map(sync, paths):
            pass


def point(link: Path, target: str, aside: Path) -> None:
    """Make ``link`` a symbolic link to ``target``, in one step, whatever file or link it was before.

    ``aside`` is a free name in the same file system.
    """
    if not (link.is_symlink() and os.readlink(link) == target):
        aside.symlink_to(target)
        os.replace(aside, link)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold ``path`` as a lock while the block runs; the system lets go of it when the process dies.

    Raises ``LockedError`` at once when another process, or another block of this one, holds it.
    """
    import fcntl  # where there is none, everything but --out still works

    handle = _opened(path)
    try:
        while True:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _leads_to(path, handle):
                break
            os.close(handle)  # its holder removed the file between our opening and our locking it
            handle = _opened(path)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
    except BlockingIOError as error:
        raise LockedError(error.errno, "held by another process", str(path)) from None
    finally:
        os.close(handle)


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)


def _leads_to(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False

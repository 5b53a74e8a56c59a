"""Compiled functions that are kept across runs, each under a hash of everything it rests on.

What is compiled is the function of a small generated module. Its machine code is kept under a hash of the
module's text, of all sources that it draws on, of the compiler and of the processor: an edited source is
another name, never a stale answer. While little is asked of a function that has not been compiled yet, it
runs as plain Python: the answer is the same, and there before the compiler's would be.
"""

from __future__ import annotations

import hashlib
import linecache
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from auditor._jit import compiling, plainly

if TYPE_CHECKING:
    from auditor.native import Native, Signature

LITTLE = 10_000
"""Events, or as much other work, that a process goes through as plain Python, in a few seconds, before it
compiles a function, which takes a minute. With ``AUDITOR_COMPILE=1`` it compiles at once."""
KEPT = 16
"""Functions of one kind that are kept, those used last."""
RECENT = 24 * 3600
"""Seconds for which a file is kept all the same: another process may be writing it or about to load it."""

_LOCK = RLock()
"""Held by the thread that loads or compiles, and by one that forks: the child has no thread that would let go
of this lock and of those of the compiler."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)


def key_of(source: str, paths: Iterable[Path]) -> str:
    """Hash of a module's text, of the files ``paths``, of the compiler's switches and of the interpreter."""
    digest = hashlib.sha256(source.encode())
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    switches = [compiling(), os.environ.get("AUDITOR_BOUNDSCHECK", "")]
    digest.update(repr((platform.python_version(), platform.machine(), switches)).encode())
    return digest.hexdigest()[:32]


def function_of(
    source: str, kind: str, key: str, signature: Callable[[], Signature], work: Callable[..., int]
) -> Callable[..., Any]:
    """The function ``kind`` of a module of that text: compiled and kept under ``key``, or plain Python where
    the compiler is off. ``signature`` is asked only in the first case. ``work`` is how much, as ``LITTLE``
    counts it, the function does when it is given the same."""
    return Kept(source, kind, key, signature(), work) if compiling() else _plain(source, kind, key)


def _plain(source: str, kind: str, key: str) -> Callable[..., Any]:
    module = ModuleType(f"{kind}_{key}")
    path = f"<{module.__name__}>"
    # Tracebacks and debuggers find the text here, and the module by its name.
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    sys.modules[module.__name__] = module
    exec(compile(source, path, "exec"), vars(module))
    function: Callable[..., Any] = vars(module)[kind]
    return function


class Kept:
    """A compiled function, loaded from the cache folder, or compiled and written there for much work."""

    def __init__(
        self, source: str, kind: str, key: str, signature: Signature, work: Callable[..., int]
    ) -> None:
        from auditor import native

        told = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
        here = f"{version('numba')} {version('llvmlite')} {native.machine()} {told} {signature}"
        digest = hashlib.sha256(here.encode() + Path(native.__file__).read_bytes()).hexdigest()
        name = f"{kind}_{key}_{digest[:8]}.code"
        self._path = cache_folder() / name
        self._source, self._kind, self._key = source, kind, key
        self._signature = signature
        self._work = work
        self._done = 0

    @property
    def is_there(self) -> bool:
        """Whether it has been compiled by now: in this process, or by one that has kept it."""
        return "_native" in vars(self) or os.path.isfile(self._path)  # false of what nobody may look at

    def __call__(self, *given: Any) -> tuple[int, ...]:
        if self._is_little(given):
            with plainly():
                answers: tuple[int, ...] = self._function(*given)
            return answers
        with _LOCK:
            native = self._native
        return native(*given)

    def _is_little(self, given: tuple[Any, ...]) -> bool:
        """Whether this can be done with before the function would have been compiled."""
        if self.is_there or os.environ.get("AUDITOR_COMPILE") == "1":
            return False
        self._done += self._work(*given)
        return self._done <= LITTLE

    @cached_property
    def _function(self) -> Callable[..., Any]:
        return _plain(self._source, self._kind, self._key)

    @cached_property
    def _native(self) -> Native:
        from auditor.native import Native, machine_code

        code = self._read()
        if code is None:
            # Somebody waits at a terminal, and in a notebook, which is none.
            if sys.stderr.isatty() or "ipykernel" in sys.modules:
                print("auditor: compiling, once; this takes a minute or two", file=sys.stderr)
            code = machine_code(self._function, self._signature)
            self._keep(code)
        return Native(code, self._signature)

    def _read(self) -> bytes | None:
        """The machine code that is kept; None where there is none, none that can be read, or a fault of the
        disk has changed it."""
        try:
            kept = self._path.read_bytes()
        except OSError:
            return None
        with suppress(OSError):  # where one may only read
            os.utime(self._path)  # tells ``forget_old`` when it was used
        size = hashlib.sha256().digest_size
        return kept[size:] if hashlib.sha256(kept[size:]).digest() == kept[:size] else None

    def _keep(self, code: bytes) -> None:
        """Write the machine code down; where the system refuses, say so: this run has what it needs."""
        folder = self._path.parent
        # Written aside and renamed, so that another process never loads half of it.
        aside = self._path.with_name(f"{self._path.name}.{os.urandom(8).hex()}")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            aside.write_bytes(hashlib.sha256(code).digest() + code)
            os.replace(aside, self._path)
        except OSError as error:
            with suppress(OSError):
                aside.unlink()
            with suppress(OSError):  # standard error may be full as well
                print(
                    f"auditor: the cache folder {folder.name} cannot be written ({error.strerror}), so each "
                    "run compiles anew; set AUDITOR_CACHE to a folder that can be written",
                    file=sys.stderr,
                )
        else:
            forget_old(folder, self._kind)


def cache_folder() -> Path:
    """Where compiled functions are kept: ``AUDITOR_CACHE``, or the user's cache folder.

    For a user without a home it is one that can neither be read nor written.
    """
    from platformdirs import user_cache_path

    try:
        return Path(os.environ.get("AUDITOR_CACHE") or user_cache_path("auditor"))
    except RuntimeError:
        return Path(os.devnull, "auditor")


def forget_old(folder: Path, kind: str) -> None:
    """Keep the functions of this kind that were used last. What killed runs have left half written and what
    earlier versions have kept goes; nothing that is recent does, or that is not ours by its name."""
    ours = re.compile(kind + r"_[0-9a-f]{32}(_[0-9a-f]{8})?\..+")
    found = []
    for path in (*folder.glob(f"{kind}_*"), *folder.glob(f"__pycache__/{kind}_*")):
        if ours.fullmatch(path.name):
            with suppress(OSError):  # another process may have forgotten it by now
                found.append((path.suffix == ".code", path.stat().st_mtime, path))
    for number, (whole, used, path) in enumerate(sorted(found, reverse=True)):
        if not (whole and number < KEPT) and used < time.time() - RECENT:
            with suppress(OSError):
                path.unlink()

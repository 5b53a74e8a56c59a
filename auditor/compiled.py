"""Compiled modules that are kept across runs, each under a hash of everything it rests on.

The compiler's cache notices an edit of the file that it compiled, not of the files which that one calls.
So what is to be kept is a small generated module whose name is a hash of its text and of all sources that
it draws on: an edited source is another name, never a stale answer.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

KEPT = 16
"""Modules of one kind that are kept."""


def key_of(source: str, paths: Iterable[Path]) -> str:
    """Hash of a module's text, of the files ``paths``, of the compiler's switches and of the interpreter."""
    digest = hashlib.sha256(source.encode())
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    switches = [os.environ.get(name, "") for name in ("AUDITOR_COMPILE", "AUDITOR_BOUNDSCHECK")]
    digest.update(repr((platform.python_version(), platform.machine(), switches)).encode())
    return digest.hexdigest()[:32]


def kept_module(kind: str, key: str, source: str) -> ModuleType:
    """The module of text ``source``, imported from the cache folder; written there the first time."""
    folder = cache_folder()
    path = folder / f"{kind}_{key}.py"
    if not path.exists():
        # Written aside and renamed, so that another process never imports half a module.
        with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".part", delete=False) as file:
            file.write(source)
        os.replace(file.name, path)
        forget_old(folder, kind)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # what the compiler has cached is found again by this name
    spec.loader.exec_module(module)
    return module


def cache_folder() -> Path:
    """Where compiled modules are kept: ``AUDITOR_CACHE``, or the user's cache folder.

    Where neither can be written, a temporary folder that goes with this process: each run then compiles
    anew.
    """
    from platformdirs import user_cache_path

    folder = Path(os.environ.get("AUDITOR_CACHE") or user_cache_path("auditor"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        temporary = Path(tempfile.mkdtemp(prefix="auditor-"))
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        print(
            f"auditor: the cache folder {folder.name} cannot be written, so this run compiles anew; "
            "set AUDITOR_CACHE to a folder that can be written",
            file=sys.stderr,
        )
        return temporary


def forget_old(folder: Path, kind: str) -> None:
    """Keep the modules of this kind that were written last."""
    modules = sorted(folder.glob(f"{kind}_*.py"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in modules[KEPT:]:
        path.unlink(missing_ok=True)
        for compiled in (folder / "__pycache__").glob(f"{path.stem}.*"):
            compiled.unlink(missing_ok=True)

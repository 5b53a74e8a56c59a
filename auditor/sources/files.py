"""Paths, globs, directories and URLs to files, in a fixed order, each with its name in reports."""

from __future__ import annotations

import glob
import os
import stat
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePath

from auditor.sources.base import SourceError
from auditor.sources.remote import LOCAL, Remote, is_url, matches

STDIN = "-"
TRUTH_SUFFIX = ".truth.parquet"
"""How the name of a simulated night's truth ends: it lies beside a log and is none."""
RUN = "run.json"
"""What every folder of results holds."""


class SourceWarning(UserWarning):
    """Something on the way to the hands was passed over."""


def warn(text: str) -> None:
    """The notice of a file passed over, as a Python warning."""
    warnings.warn(text, SourceWarning, stacklevel=2)


def files(
    paths: Sequence[str | Path], is_log: Callable[[Path | Remote], bool], notice: Callable[[str], None]
) -> list[tuple[Path | Remote | None, str]]:
    """The files of ``paths`` with their names in reports; no path stands for standard input.

    Of what lies in a directory only that is taken which ``is_log`` accepts; ``notice`` is told of the rest.
    A name is the path as given, but never absolute: of absolute paths it is what lies below the directory
    that they have in common; of a URL it is that, without user and password. Raises ``SourceError`` for a
    path that is not there or cannot be looked into.
    """
    found: list[Path | Remote | None] = []
    roots: list[str] = []
    for given in [paths] if isinstance(paths, str | Path) else paths:
        if is_url(str(given)) and not str(given).startswith(LOCAL):
            found += _reached(str(given), is_log, notice)
            continue
        for path in _matches(str(given).removeprefix(LOCAL), notice):
            if path is None:
                found.append(None)
            elif path.is_dir():
                found += _inside(path, is_log, notice)
                roots.append(str(path))
            elif _flows(path):
                raise SourceError(f"{path} is a pipe or device, read only once; give - and pipe it in")
            else:
                found.append(path)
                roots.append(str(path.parent))
    absolute = [os.path.normpath(root) for root in roots if os.path.isabs(root)]
    common = os.path.commonpath(absolute) if absolute else ""
    named: dict[str, tuple[Path | Remote | None, str]] = {}
    for file in found:
        if isinstance(file, Remote):
            name = key = file.url
        else:
            name = STDIN if file is None else _name(file, common)
            key = STDIN if file is None else os.path.realpath(file)
        if key in named:
            notice(f"{name} is given twice; it is read once")
        else:
            named[key] = (file, name)
    return list(named.values())


def _reached(
    given: str, is_log: Callable[[Path | Remote], bool], notice: Callable[[str], None]
) -> Iterator[Remote]:
    """The files of a URL."""
    found, folder = matches(given)
    for file in found:
        if (folder or glob.has_magic(given)) and _is_truth(file.url, notice):
            continue
        if not folder or is_log(file):
            yield file
        else:
            notice(f"{file.url} is no hand log by its name; give it by itself to read it")


def _name(file: Path, common: str) -> str:
    name = PurePath(os.path.relpath(file, common) if file.is_absolute() else file).as_posix()
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _flows(path: Path) -> bool:
    """Whether the path leads to no file: reading it may wait for ever, and takes away what is read."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False  # reading it says why it cannot be read


def _matches(given: str, notice: Callable[[str], None]) -> list[Path | None]:
    if given == STDIN:
        return [None]
    if os.path.lexists(given):
        return [Path(given)]
    if glob.has_magic(given):
        matches = sorted(glob.glob(given, recursive=True))
        if not matches:
            raise SourceError(f"nothing matches {given}; check the pattern")
        return [Path(match) for match in matches if not _is_truth(match, notice)]
    raise SourceError(f"{given} does not exist; check the path")


def _is_truth(name: str, notice: Callable[[str], None]) -> bool:
    if name.lower().endswith(TRUTH_SUFFIX):
        notice(f"{name} is the truth of a simulated night; it is passed over")
        return True
    return False


def _inside(
    folder: Path, is_log: Callable[[Path | Remote], bool], notice: Callable[[str], None]
) -> Iterator[Path]:
    """The hand logs below ``folder``, in the order of their paths."""

    def closed(error: OSError) -> None:
        raise SourceError(f"{error.filename} cannot be looked into ({error.strerror}); ask for access to it")

    inside: list[Path] = []
    for parent, folders, names in os.walk(folder, onerror=closed):
        for name in list(folders):
            path = PurePath(parent, name)
            if os.path.islink(path):
                notice(f"{path.as_posix()} is a link to a directory; it is not followed")
            elif name.startswith("."):
                notice(f"{path.as_posix()} is hidden; give it by itself to read what is in it")
                folders.remove(name)
            elif os.path.lexists(path / RUN):
                notice(f"{path.as_posix()} holds the results of an audit; it is passed over")
                folders.remove(name)
        inside += [Path(parent, name) for name in names]
    for path in sorted(inside, key=lambda path: path.parts):
        if _is_truth(path.as_posix(), notice):
            continue
        if _flows(path):
            notice(f"{path.as_posix()} is a pipe or device; it is passed over")
        elif is_log(path):
            yield path
        else:
            notice(f"{path.as_posix()} is no hand log by its name; give it by itself to read it")
    if not inside:
        notice(f"{folder.as_posix()} is empty")

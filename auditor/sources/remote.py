"""Files that a URL leads to: in an object store, behind a server, in whatever file system fsspec knows."""

from __future__ import annotations

import glob
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, cast

from auditor.sources.base import SourceError

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

LOCAL = "file://"


@dataclass(frozen=True)
class Remote:
    """A file of a file system that is not the local one; it has of ``pathlib.Path`` what a source needs."""

    system: AbstractFileSystem
    path: str

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def url(self) -> str:
        """What reports show for it; it names no user and no password."""
        return str(self.system.unstrip_protocol(self.path))

    def open(self, mode: str) -> BinaryIO:
        return cast(BinaryIO, self.system.open(self.path, mode))


def is_url(given: str) -> bool:
    return "://" in given


def matches(given: str) -> tuple[list[Remote], bool]:
    """The files that a URL leads to, in the order of their paths; and whether it is that of a folder.

    The last part of the URL may have wildcards. Raises ``SourceError`` where it leads nowhere, or where what
    it takes to follow it is not installed.
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise SourceError(f"{_shown(given)} is a URL; install auditor[remote] to read it") from None
    try:
        system, path = url_to_fs(given)
        if glob.has_magic(path):
            found, folder = system.glob(path), False
            if not found:
                raise SourceError(f"nothing matches {_shown(given)}; check the pattern")
        elif system.isdir(path):
            found, folder = system.find(path), True
        elif system.exists(path):
            found, folder = [path], False
        else:
            raise SourceError(f"{_shown(given)} does not exist; check the URL")
    except SourceError:
        raise
    except Exception as error:  # each file system has errors of its own
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise SourceError(f"{_shown(given)} cannot be looked into ({reason}); check the URL") from None
    return [Remote(system, each) for each in sorted(found, key=lambda each: each.split("/"))], folder


def _shown(given: str) -> str:
    """The URL without user and password."""
    scheme, _, rest = given.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"

"""Readers and writers of hand logs: which format a file is in, and its hands batch by batch.

A source is a file, a glob, a directory (searched to the bottom, for known suffixes and for ``.txt`` files
that begin like a log), a URL of either that fsspec can follow, or ``-`` for standard input. A file is known
by its suffix, or else by its first bytes. What cannot be read is quarantined with its reason, so that hands
read are always hands held plus entries quarantined.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

import pyarrow as pa

from auditor.handlog import SCHEMA, HandLog
from auditor.sources import flatcsv, jsonl, parquet, phh, sites
from auditor.sources.base import ROWS, Batch, SourceError, sliced, unreadable
from auditor.sources.files import SourceWarning, files, warn
from auditor.sources.ranges import check_ranges
from auditor.sources.remote import Remote
from auditor.sources.streams import Peeked, decompressed, text_head
from auditor.sources.write import write

__all__ = [
    "TEXT_FORMATS",
    "Batch",
    "SourceError",
    "SourceWarning",
    "TextFormat",
    "Unit",
    "batches",
    "check_ranges",
    "load",
    "units",
    "write",
]


@dataclass(frozen=True)
class TextFormat:
    """A format that is read from front to end: its suffixes, how it begins, and its reader.

    ``read(stream, source, rows)`` yields batches and quarantines what it cannot read.
    """

    name: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    read: Callable[[Peeked, str, int], Iterator[Batch]]


TEXT_FORMATS = (
    TextFormat("JSON Lines", (".jsonl",), jsonl.sniff, jsonl.read),
    TextFormat("CSV", (".csv",), flatcsv.sniff, flatcsv.read),
    TextFormat("PHH", (".phh", ".phhs"), phh.sniff, phh.read),
    TextFormat("PokerStars or Full Tilt text", (), sites.sniff, sites.read),
)
_PARQUET = ".parquet"
_ANY_TEXT = ".txt"  # tells no format: such files are told apart by how they begin
_PACKED = (".gz", ".zst")
SUFFIXES = (
    _PARQUET,
    *(suffix + packed for form in TEXT_FORMATS for suffix in form.suffixes for packed in ("", *_PACKED)),
)
"""The suffixes that tell a format."""


@dataclass(frozen=True)
class Unit:
    """A part of the input that one worker reads: a row group of a Parquet file, or a whole text file.

    It can be pickled, unless it stands for standard input (``stream``).
    """

    source: str
    path: Path | Remote | None
    group: int | None = None
    stream: BinaryIO | None = field(default=None, repr=False, compare=False)

    def batches(self, rows: int = ROWS, *, cold: bool = True) -> Iterator[Batch]:
        """The hands of the unit, at most ``rows`` a batch, in order.

        Without ``cold`` the times and notes of events may be left null, which reads faster. A source that
        cannot be opened, or not to its end, yields a quarantine entry that says so.
        """
        try:
            for batch in self._read(rows, cold):
                yield from sliced(batch, rows)
        except OSError as error:
            yield unreadable(self.source, f"cannot be read to its end: {error.strerror or error}")

    def _read(self, rows: int, cold: bool) -> Iterator[Batch]:
        if self.path is not None and _is_parquet(self.path):
            with nullcontext(self.path) if isinstance(self.path, Path) else self.path.open("rb") as whole:
                yield from parquet.read(whole, self.source, self.group, rows, cold)
            return
        with nullcontext(self.stream) if self.path is None else self.path.open("rb") as file:
            stream = decompressed(cast(BinaryIO, file))
            if self.path is None and stream.head.startswith(parquet.MAGIC):
                with tempfile.TemporaryFile() as copy:  # its footer, at the end, is read first
                    shutil.copyfileobj(stream, copy)
                    yield from parquet.read(copy, self.source, None, rows, cold)
                return
            reader = self._format(stream)
            if not stream.head:
                yield unreadable(self.source, "the file is empty")
            elif reader is None:
                known = ", ".join(["Parquet", *(form.name for form in TEXT_FORMATS)])
                yield unreadable(self.source, f"its format is none of {known}", stream.head)
            else:
                yield from reader.read(stream, self.source, rows)

    def _format(self, stream: Peeked) -> TextFormat | None:
        name = "" if self.path is None else _unpacked(self.path)
        named = (form for form in TEXT_FORMATS if name.endswith(form.suffixes))
        return next(named, _sniffed(stream))


def _unpacked(path: Path | Remote) -> str:
    """The name of a file in lower case, without the suffix of its packing."""
    name = path.name.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return name


def _sniffed(stream: Peeked) -> TextFormat | None:
    head = text_head(stream)
    return next((form for form in TEXT_FORMATS if form.sniff(head)), None)


def _is_log(path: Path | Remote) -> bool:
    """Whether a file found in a directory is read: by its suffix, or as one in ``.txt`` by how it begins."""
    if not _unpacked(path).endswith(_ANY_TEXT):
        return path.name.lower().endswith(SUFFIXES)
    try:
        with path.open("rb") as file:
            return _sniffed(decompressed(file)) is not None
    except OSError:
        return True  # reading it says why it cannot be read


def _is_parquet(path: Path | Remote) -> bool:
    if path.name.lower().endswith(SUFFIXES):
        return path.name.lower().endswith(_PARQUET)
    with path.open("rb") as file:
        return file.read(len(parquet.MAGIC)) == parquet.MAGIC


def units(
    paths: Sequence[str | Path],
    *,
    stdin: BinaryIO | None = None,
    notice: Callable[[str], None] = warn,
) -> Iterator[Unit]:
    """What is to be read, in the order of ``paths``, the files of a directory in the order of their names.

    ``stdin`` replaces standard input for the path ``-``; ``notice`` is told of files passed over. Raises
    ``SourceError`` for a path that does not exist or a glob that matches nothing.
    """
    for path, source in files(paths, _is_log, notice):
        if path is None:
            yield Unit(source, None, stream=stdin or sys.stdin.buffer)
            continue
        try:
            groups = parquet.groups(path) if _is_parquet(path) else [None]
        except OSError:
            groups = [None]  # reading it says why it cannot be read
        for group in groups:
            yield Unit(source, path, group)


def batches(
    paths: Sequence[str | Path],
    *,
    stdin: BinaryIO | None = None,
    rows: int = ROWS,
    notice: Callable[[str], None] = warn,
) -> Iterator[Batch]:
    """The hands of ``paths``, at most ``rows`` a batch, one after the other; see ``units``."""
    for unit in units(paths, stdin=stdin, notice=notice):
        yield from unit.batches(rows)


def load(*paths: str | Path, stdin: BinaryIO | None = None, notice: Callable[[str], None] = warn) -> HandLog:
    """All hands of ``paths`` as one log, in memory; see ``units`` for what a path may be."""
    read = list(batches(paths, stdin=stdin, notice=notice))
    table = pa.concat_tables([SCHEMA.empty_table(), *(batch.table for batch in read)])
    return HandLog(table.combine_chunks(), tuple(entry for batch in read for entry in batch.quarantine))

"""Readers and writers of hand logs: which format a file is in, and its hands batch by batch.

A source is a file, a glob, a directory (searched to the bottom, for known suffixes and for ``.txt`` files
that begin like a log), a URL of either that fsspec can follow, or ``-`` for standard input. A file is known
by its suffix, or else by its first bytes; under a mapping every file is an export, Parquet or flat CSV.
Plug-ins bring further formats. What cannot be read is quarantined with its reason, so that hands read are
always hands held plus entries quarantined.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

import pyarrow as pa

from auditor.handlog import SCHEMA, HandLog
from auditor.sources import flatcsv, jsonl, parquet, phh, plugins, sites
from auditor.sources.base import EMPTY, ROWS, Batch, SourceError, TextFormat, UnreadError, sliced, unreadable
from auditor.sources.files import SourceWarning, files, warn
from auditor.sources.plugins import HandText, batch_of
from auditor.sources.ranges import check_ranges
from auditor.sources.remote import Remote
from auditor.sources.streams import COMPRESSIONS, Peeked, decompressed, is_blank, text_head
from auditor.sources.write import write

if TYPE_CHECKING:
    from auditor.sources.mapping import ExportMapping, MappingError
    from auditor.sources.mapping import load as load_mapping

__all__ = [
    "TEXT_FORMATS",
    "Batch",
    "ExportMapping",
    "HandText",
    "MappingError",
    "SourceError",
    "SourceWarning",
    "TextFormat",
    "Unit",
    "UnreadError",
    "batch_of",
    "batches",
    "check_ranges",
    "joined",
    "load",
    "load_mapping",
    "units",
    "unreadable",
    "write",
]


def __getattr__(name: str) -> Any:
    # Where no export is read, what reads its mapping would be a tenth of the start.
    if name not in ("ExportMapping", "MappingError", "load_mapping"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from auditor.sources import mapping

    return getattr(mapping, name.removesuffix("_mapping"))


TEXT_FORMATS = (
    TextFormat("JSON Lines", (".jsonl",), jsonl.sniff, jsonl.read),
    TextFormat("CSV", (".csv",), flatcsv.sniff, flatcsv.read),
    TextFormat("PHH", (".phh", ".phhs"), phh.sniff, phh.read),
    TextFormat("PokerStars or Full Tilt text", (), sites.sniff, sites.read),
)
_PARQUET = ".parquet"
_ANY_TEXT = ".txt"  # tells no format: such files are told apart by how they begin
_PACKED = (".gz", ".zst")
_SMALL = 1 << 16
"""Bytes of a file that is small."""
_TOGETHER = 256
"""Small files that are put together at most, so that every worker has some."""

AnyUnit = TypeVar("AnyUnit")


@cache
def _plug_ins() -> plugins.PlugIns:
    return plugins.installed(
        (_PARQUET, _ANY_TEXT, *_PACKED, *(s for form in TEXT_FORMATS for s in form.suffixes))
    )


def _formats() -> tuple[TextFormat, ...]:
    return (*TEXT_FORMATS, *_plug_ins().formats)


@cache
def _suffixes() -> tuple[str, ...]:
    """The suffixes that tell a format."""
    named = (suffix for form in _formats() for suffix in form.suffixes)
    return (_PARQUET, *(suffix + packed for suffix in named for packed in ("", *_PACKED)))


@dataclass(frozen=True)
class Unit:
    """A part of the input that one worker reads: a row group of a Parquet file, or a whole text file.

    Under a ``mapping`` it is a whole file. It can be pickled, unless it is standard input (``stream``).
    """

    source: str
    path: Path | Remote | None
    group: int | None = None
    stream: BinaryIO | None = field(default=None, repr=False, compare=False)
    mapping: ExportMapping | None = field(default=None, repr=False)

    def batches(self, rows: int = ROWS, *, cold: bool = True) -> Iterator[Batch]:
        """The hands of the unit, at most ``rows`` a batch, in order.

        Without ``cold`` the times and notes of events may be left null, which reads faster. A source that
        cannot be opened, or not to its end, yields a quarantine entry that says so.
        """
        if _misnamed(self.path):
            yield unreadable(self.source, "the name of the file is not UTF-8; rename it")
            return
        try:
            for batch in self._read(rows, cold):
                yield from sliced(batch, rows)
        except OSError as error:
            yield unreadable(self.source, f"cannot be read to its end: {error.strerror or error}")

    def _read(self, rows: int, cold: bool) -> Iterator[Batch]:
        if self.path is not None and _is_parquet(self.path):
            with nullcontext(self.path) if isinstance(self.path, Path) else self.path.open("rb") as whole:
                yield from self._parquet(whole, rows, cold)
            return
        with nullcontext(self.stream) if self.path is None else self.path.open("rb") as file:
            stream = decompressed(cast(BinaryIO, file))
            if self.path is None and stream.head.startswith(parquet.MAGIC):
                with tempfile.TemporaryFile() as copy:  # its footer, at the end, is read first
                    shutil.copyfileobj(stream, copy)
                    yield from self._parquet(copy, rows, cold)
                return
            if is_blank(stream):
                yield unreadable(self.source, EMPTY)
                return
            if self.mapping:
                from auditor.sources import mapped

                yield from mapped.read_csv(stream, self.source, self.mapping)
                return
            clashes = _plug_ins().clashes
            suffix = next((s for s in clashes if self.path and _unpacked(self.path).endswith(s)), None)
            reader = self._format(stream)
            if suffix:
                yield unreadable(self.source, clashes[suffix], stream.head)
            elif reader is None:
                known = ", ".join(["Parquet", *(form.name for form in _formats())])
                yield unreadable(self.source, f"its format is none of {known}", stream.head)
            else:
                yield from reader.read(stream, self.source, rows)

    def _parquet(self, file: Path | BinaryIO, rows: int, cold: bool) -> Iterator[Batch]:
        if self.mapping:
            from auditor.sources import mapped

            return mapped.read_parquet(file, self.source, self.mapping, rows)
        return parquet.read(file, self.source, self.group, rows, cold)

    def _format(self, stream: Peeked) -> TextFormat | None:
        name = "" if self.path is None else _unpacked(self.path)
        named = (form for form in _formats() if name.endswith(form.suffixes))
        return next(named, _sniffed(stream))


@dataclass(frozen=True)
class Files:
    """PHH files of a hand or a few each, which one worker reads as one: a table for each of them would take
    longer than its hands."""

    units: tuple[Unit, ...]
    source: str = ""

    def batches(self, rows: int = ROWS, *, cold: bool = True) -> Iterator[Batch]:
        """The hands of the files, in order; see ``Unit.batches``."""
        held: list[tuple[str, Peeked]] = []
        for unit in self.units:
            stream = _small_text(unit)
            if stream is not None:
                held.append((unit.source, stream))
                continue
            yield from phh.read_files(held, rows)
            held = []
            yield from unit.batches(rows, cold=cold)
        yield from phh.read_files(held, rows)


def joined(units: Iterable[AnyUnit]) -> Iterator[AnyUnit | Files]:
    """The ``units``, small PHH files that come one after the other put together."""
    clash = ".phh" in _plug_ins().clashes
    for small, group in groupby(
        units, key=lambda unit: isinstance(unit, Unit) and not clash and _is_small(unit)
    ):
        if not small:
            yield from group
            continue
        while together := tuple(islice(group, _TOGETHER)):
            yield Files(cast(tuple[Unit, ...], together))


def _is_small(unit: Unit) -> bool:
    path = unit.path
    if not isinstance(path, Path) or unit.mapping or _misnamed(path) or path.suffix.lower() != ".phh":
        return False
    try:
        return path.stat().st_size <= _SMALL
    except OSError:
        return False  # reading it says what is wrong


def _small_text(unit: Unit) -> Peeked | None:
    """The text of a small file; None for one that is blank, packed or cannot be read."""
    try:
        data = cast(Path, unit.path).read_bytes()
    except OSError:
        return None
    stream = Peeked(io.BytesIO(data))
    packed = any(data.startswith(magic) for magic in COMPRESSIONS)
    return None if packed or is_blank(stream) else stream


def _misnamed(path: Path | Remote | None) -> bool:
    """Whether the name has bytes that are not UTF-8: reports are, and have no place for it."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return isinstance(path, Path)
    return False


def _unpacked(path: Path | Remote) -> str:
    """The name of a file in lower case, without the suffix of its packing."""
    name = path.name.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return name


def _sniffed(stream: Peeked) -> TextFormat | None:
    head = text_head(stream)
    return next((form for form in _formats() if form.sniff(head)), None)


def _is_log(path: Path | Remote) -> bool:
    """Whether a file found in a directory is read: by its suffix, or as one in ``.txt`` by how it begins."""
    if not _unpacked(path).endswith(_ANY_TEXT):
        return path.name.lower().endswith(_suffixes())
    try:
        with path.open("rb") as file:
            return _sniffed(decompressed(file)) is not None
    except OSError:
        return True  # reading it says why it cannot be read


def _is_export(path: Path | Remote) -> bool:
    from auditor.sources import mapped

    return _unpacked(path).endswith(mapped.SUFFIXES)


def _is_parquet(path: Path | Remote) -> bool:
    if path.name.lower().endswith(_suffixes()):
        return path.name.lower().endswith(_PARQUET)
    with path.open("rb") as file:
        return file.read(len(parquet.MAGIC)) == parquet.MAGIC


def units(
    paths: Sequence[str | Path],
    *,
    stdin: BinaryIO | None = None,
    notice: Callable[[str], None] = warn,
    mapping: ExportMapping | None = None,
) -> Iterator[Unit]:
    """What is to be read, in the order of ``paths``, the files of a directory in the order of their names.

    ``stdin`` replaces standard input for the path ``-``; ``notice`` is told of files passed over and plug-ins
    that are not used. Under a ``mapping`` all are exports that it maps. Raises ``SourceError`` for a path
    that does not exist or a glob that matches nothing; so does reading a unit that lacks a mapped column.
    """
    if mapping is None:
        for said in _plug_ins().notices:
            notice(said)
    for path, source in files(paths, _is_export if mapping else _is_log, notice):
        if path is None or mapping:
            yield Unit(source, path, stream=None if path else stdin or sys.stdin.buffer, mapping=mapping)
            continue
        try:
            groups = parquet.groups(path) if not _misnamed(path) and _is_parquet(path) else [None]
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
    mapping: ExportMapping | None = None,
) -> Iterator[Batch]:
    """The hands of ``paths``, at most ``rows`` a batch, one after the other; see ``units``."""
    for unit in joined(units(paths, stdin=stdin, notice=notice, mapping=mapping)):
        yield from unit.batches(rows)


def load(
    *paths: str | Path,
    stdin: BinaryIO | None = None,
    notice: Callable[[str], None] = warn,
    mapping: ExportMapping | None = None,
) -> HandLog:
    """All hands of ``paths`` as one log, in memory; see ``units`` for what a path may be."""
    read = list(batches(paths, stdin=stdin, notice=notice, mapping=mapping))
    table = pa.concat_tables([SCHEMA.empty_table(), *(batch.table for batch in read)])
    return HandLog(table.combine_chunks(), tuple(entry for batch in read for entry in batch.quarantine))

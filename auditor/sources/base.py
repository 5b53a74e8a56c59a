"""What every source shares: the batch that it yields and the error that ends it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from auditor.handlog import SCHEMA, Quarantined
from auditor.sources.streams import SHOWN, Peeked

ROWS = 7_000
"""Hands in a batch and in a row group: large enough for the loop, small enough for the memory."""
EMPTY = "the file is empty"
"""Why a file of blank lines alone, or of not even these, is not read: it says not that there was no play."""


class SourceError(ValueError):
    """A source that cannot be used at all: names the path or column, and the remedy."""


OR_MAPPING = ", or read the file by a mapping of its columns"
"""The other remedy for columns that are not those of a hand log."""


class UnreadError(ValueError):
    """Why a piece of a source is not read as a hand: the reason of its quarantine entry."""


@dataclass(frozen=True)
class Batch:
    """Whole hands, ready for compiled code, and what had to be left out.

    ``table`` has the columns of ``SCHEMA``, one chunk each, every value checked to be in range. ``source`` is
    the file that they were read from; empty where there are several, each then the ``source`` of its hands;
    None for a log in memory.
    """

    table: pa.Table
    quarantine: tuple[Quarantined, ...]
    source: str | None


def said(reason: str) -> str:
    """A reason on one line; where it quotes very much of the input, its middle is left out."""
    line = " ".join(reason.split())
    return line if len(line) <= 2 * SHOWN else f"{line[:SHOWN]} [...] {line[-SHOWN:]}"


@dataclass(frozen=True)
class TextFormat:
    """A format that is read from front to end: its suffixes, how it begins, and its reader.

    ``sniff(head)`` says whether a file that begins so (bytes in UTF-8) is of the format; ``read(stream,
    source, rows)`` yields batches, of about ``rows`` hands at most, and quarantines what it cannot read.
    """

    name: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    read: Callable[[Peeked, str, int], Iterator[Batch]]


def unreadable(source: str, reason: str, head: bytes = b"", line: int | None = None) -> Batch:
    """The batch of a file, or of the rest of one, that cannot be read: no hand, one quarantine entry.

    How many hands there are in it nobody knows, so that it counts as one hand read. With a ``line`` it is
    that line alone.
    """
    text = head[:SHOWN].decode("utf-8", "backslashreplace")
    return Batch(SCHEMA.empty_table(), (Quarantined(source, said(reason), text, line=line),), source)


def sliced(batch: Batch, rows: int) -> list[Batch]:
    """``batch`` in pieces of at most ``rows`` hands; the quarantine goes with the first."""
    return [
        Batch(batch.table.slice(start, rows), batch.quarantine if not start else (), batch.source)
        for start in range(0, max(len(batch.table), 1), rows)
    ]

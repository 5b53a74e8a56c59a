"""Formats that other packages bring: entry points of the group ``auditor.sources``, each a ``TextFormat``.

A plug-in that cannot be loaded, claims a suffix that is taken or fails on a file costs no more than itself:
the first two are told as notices, the last is the quarantine entry of that file. What a plug-in yields is
checked like a hand log of anybody, before compiled code sees it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from auditor.sources.base import Batch, SourceError, TextFormat, unreadable
from auditor.sources.jsonl import check_fields
from auditor.sources.ranges import check_ranges, settle
from auditor.sources.streams import Peeked
from auditor.sources.text import TEXT_SCHEMA, encode

GROUP = "auditor.sources"


@dataclass(frozen=True)
class HandText:
    """A piece of a source: its line (from 1), its text, and the hand in it, or why it is none.

    ``hand`` is a hand as in JSON Lines: the same keys and words, amounts in minor units.
    """

    line: int
    text: str
    hand: Mapping[str, Any] | None = None
    reason: str = ""


def batch_of(pieces: Sequence[HandText], source: str) -> Batch:
    """The batch of some pieces of ``source``; what is no hand, or no legal one, is quarantined."""
    found: dict[int, str] = {}
    hands: list[Mapping[str, Any]] = []
    for row, piece in enumerate(pieces):
        try:
            if piece.hand is None:
                raise ValueError(piece.reason or "no hand")
            check_fields(piece.hand, pa.struct(list(TEXT_SCHEMA)), "")
            hands.append(piece.hand)
        except ValueError as error:
            found[row] = str(error)
            hands.append({})
    table, wrong = encode(pa.Table.from_pylist(hands, TEXT_SCHEMA))
    lines = np.array([piece.line for piece in pieces], np.int64)
    return settle(table, wrong | found, source, lines, lambda row: (None, pieces[row].text))


@dataclass(frozen=True)
class PlugIns:
    """The formats brought; ``clashes`` are suffixes that several of them claim, each with what to say;
    ``notices`` is what to tell the user."""

    formats: tuple[TextFormat, ...]
    clashes: Mapping[str, str]
    notices: tuple[str, ...]


def installed(taken: Collection[str]) -> PlugIns:
    """The plug-ins installed, in the order of their names; suffixes ``taken`` stay what they are."""
    formats: list[tuple[str, TextFormat]] = []
    notices: list[str] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, _package(point))):
        who = f"{point.name} ({_package(point)})"
        try:
            form = point.load()
        except Exception as error:
            notices.append(f"plug-in {who} cannot be loaded: {_said(error)}; mend or uninstall it")
            continue
        if not isinstance(form, TextFormat):
            notices.append(f"plug-in {who} is no TextFormat; mend or uninstall it")
            continue
        for suffix in set(form.suffixes) & set(taken):
            notices.append(
                f"plug-in {who} claims {suffix}, which has a reader; it is not used for that suffix"
            )
        free = tuple(suffix for suffix in form.suffixes if suffix not in taken)
        formats.append((who, replace(_guarded(form, who), suffixes=free)))
    claims: dict[str, list[str]] = {}
    for who, form in formats:
        for suffix in form.suffixes:
            claims.setdefault(suffix, []).append(who)
    clashes = {
        suffix: f"{suffix} is claimed by the plug-ins {' and '.join(who)}; uninstall all but one"
        for suffix, who in claims.items()
        if len(who) > 1
    }
    return PlugIns(tuple(form for _, form in formats), clashes, (*notices, *clashes.values()))


def identities() -> tuple[str, ...]:
    """The plug-ins installed, loadable or not, each with its package, and the version and a hash of that."""
    found = entry_points(group=GROUP)
    return tuple(
        sorted(
            f"{point.name} = {point.value} ({_package(point)} {point.dist.version if point.dist else ''}) "
            + _content(point)
            for point in found
        )
    )


def _content(point: EntryPoint) -> str:
    """SHA-256 of the files of the module, or of the whole package, that an entry point leads to."""
    digest = hashlib.sha256()
    try:
        spec = find_spec(re.split("[.:]", point.value)[0])
    except (ImportError, ValueError):  # there is none: loading it says so
        spec = None
    roots: Iterable[str | None] = (spec.submodule_search_locations or [spec.origin]) if spec else ()
    for root in map(Path, filter(None, roots)):
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if path.is_file() and path.suffix != ".pyc":
                name = path.relative_to(root).as_posix()
                digest.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "no package"


def _said(error: Exception) -> str:
    text = str(error).split("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _guarded(form: TextFormat, who: str) -> TextFormat:
    """``form`` with everything that can go wrong within it kept to the file in hand."""

    def sniff(head: bytes) -> bool:
        try:
            return bool(form.sniff(head))
        except Exception:
            return False  # the file stays without a reader, and is quarantined as such

    def read(stream: Peeked, source: str, rows: int) -> Iterator[Batch]:
        try:
            for batch in form.read(stream, source, rows):
                table, unfit = check_ranges(batch.table)
                yield Batch(table, (*batch.quarantine, *unfit), source)
        except OSError:
            raise
        except SourceError as error:
            yield unreadable(source, f"plug-in {who}: {error}", stream.head)
        except Exception as error:
            yield unreadable(
                source, f"plug-in {who} failed: {_said(error)}; report it to its makers", stream.head
            )

    return replace(form, sniff=sniff, read=read)

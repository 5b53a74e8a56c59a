"""Text hand histories of PokerStars and Full Tilt: many hands a file, read one after the other.

The two differ in their first line and in little else. Stud is read; a hand of another game, a hand that the
site cancelled and one that is cut off are quarantined with their text. Nothing is repaired.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from auditor.sources.base import Batch, UnreadError
from auditor.sources.ranges import settle
from auditor.sources.sitehead import head
from auditor.sources.siteplay import Play
from auditor.sources.streams import MAX_HAND, MAX_LINE, SHOWN, Peeked, blocks, portions
from auditor.sources.text import TEXT_SCHEMA, encode

_FIRST = re.compile(
    rb"^(?:\xef\xbb\xbf)?[ \t]*(?:PokerStars|Full ?Tilt ?Poker)\b[^#\r\n]*\b(?:Game|Hand) #(\d+)",
    re.MULTILINE,
)
_BETWEEN = re.compile(rb"(?:\xef\xbb\xbf|\s|\*{4,} # \d+ \*{4,})*")
"""What may stand between two hands and says nothing."""


@dataclass(frozen=True)
class _Piece:
    """The lines of one hand, or others; ``line`` and ``byte`` are the place of the first.

    ``wrong`` says why it can be no hand; of such a piece only the beginning is kept.
    """

    data: bytes
    line: int
    byte: int | None
    wrong: str = ""


def sniff(head: bytes) -> bool:
    """Whether a file that begins with ``head`` (UTF-8) holds hands of either site."""
    return _FIRST.search(head) is not None


def read(stream: Peeked, source: str, rows: int) -> Iterator[Batch]:
    """The hands of ``stream``, ``rows`` at a time; what is no hand of a game that is read is quarantined."""
    for pieces in portions(_pieces(stream), rows):
        yield _batch(pieces, source)


def _pieces(stream: Peeked) -> Iterator[_Piece]:
    """The hands of ``stream`` and what stands between them; a hand ends where the next begins."""
    held = _Piece(b"", 1, None)
    for block in blocks(stream):
        if block.too_long:
            yield from _checked(held)
            yield _Piece(block.data, block.line, block.byte, f"a line is longer than {MAX_LINE} bytes")
            held = _Piece(b"", 1, None)
            continue
        data, line, byte = held.data + block.data, held.line, held.byte
        if not held.data:
            line, byte = block.line, block.byte
        starts = {0, *(match.start() for match in _FIRST.finditer(data))}
        for start, end in pairwise([*sorted(starts), len(data)]):
            held = _Piece(data[start:end], line, byte)
            line += held.data.count(b"\n")
            byte = None if byte is None else byte + len(held.data)
            if end < len(data) or len(held.data) > MAX_HAND:
                yield from _checked(held)
                held = _Piece(b"", line, byte)
    yield from _checked(held)


def _checked(piece: _Piece) -> Iterator[_Piece]:
    """``piece``, marked where it can be no hand; none where it says nothing."""
    if _BETWEEN.fullmatch(piece.data):
        return
    wrong = ""
    if not _FIRST.match(piece.data):
        wrong = "it stands before the first line of a hand"
    elif len(piece.data) > MAX_HAND:
        wrong = f"a hand of more than {MAX_HAND} bytes"
    yield replace(piece, data=piece.data[:SHOWN], wrong=wrong) if wrong else piece


def _batch(pieces: Sequence[_Piece], source: str) -> Batch:
    hands: list[dict[str, Any]] = []
    found: dict[int, str] = {}
    for row, piece in enumerate(pieces):
        first = _FIRST.match(piece.data)
        hand: dict[str, Any] = {"hand_id": first[1].decode()} if first else {}
        try:
            if piece.wrong:
                raise UnreadError(piece.wrong)
            hand = _record(_text(piece))
        except UnreadError as error:
            found[row] = str(error)
        hands.append(hand)
    table, wrong = encode(pa.Table.from_pylist(hands, TEXT_SCHEMA))
    lines = np.array([piece.line for piece in pieces])

    def raw(row: int) -> tuple[int | None, str]:
        try:
            text = _text(pieces[row])
        except UnreadError:
            text = pieces[row].data.decode("utf-8", "backslashreplace")
        return pieces[row].byte, text

    return settle(table, wrong | found, source, lines, raw)


def _text(piece: _Piece) -> str:
    """The text of a piece; not in UTF-8 it is taken for Windows-1252, which older programs wrote."""
    for encoding in ["utf-8"] if piece.byte is None else ["utf-8", "cp1252"]:
        try:
            return piece.data.decode(encoding)
        except UnicodeDecodeError:
            pass
    raise UnreadError("neither UTF-8, UTF-16 nor Windows-1252; save the file as UTF-8")


def _record(text: str) -> dict[str, Any]:
    """A hand as a record of ``TEXT_SCHEMA``; raises ``UnreadError``."""
    first, *lines = text.split("\n")
    play = Play(head(first.strip("\ufeff \t\r")))
    for line in map(str.strip, lines):
        if line:
            play.read(line)
    return play.record()

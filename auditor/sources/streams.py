"""Bytes of a text source: decompressed, in UTF-8 whatever the file is in, cut into blocks of whole lines."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol, TypeVar, cast

import pyarrow as pa

BLOCK = 8 << 20
"""Bytes read at a time."""
HEAD = 1 << 16
"""Bytes looked at to tell what a file is."""
MAX_LINE = 64 << 20
"""Bytes that one line may have; what is longer is quarantined."""
MAX_HAND = 1 << 20
"""Bytes that one hand of a text written for people may have; what is longer is quarantined."""
SHOWN = 200
"""Bytes of what cannot be read that its quarantine entry shows."""
COMPRESSIONS = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
"""First bytes of a compressed file, and pyarrow's name for it."""
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Peeked(io.RawIOBase):
    """A stream whose first bytes, ``head``, can be looked at before it is read."""

    def __init__(self, stream: BinaryIO) -> None:
        self.head = stream.read(HEAD)
        self._rest = self.head
        self._stream = stream

    def readable(self) -> bool:
        return True

    def look_on(self) -> bool:
        """Have twice as much in ``head``, as long as nothing has been read; whether there is more."""
        more = self._stream.read(max(len(self.head), HEAD))
        self.head += more
        self._rest = self.head
        return bool(more)

    def read(self, size: int = -1) -> bytes:
        if not self._rest:
            return self._stream.read(size)
        size = len(self._rest) if size < 0 else size
        part, self._rest = self._rest[:size], self._rest[size:]
        return part

    def close(self) -> None:
        self._stream.close()
        super().close()


def decompressed(stream: BinaryIO) -> Peeked:
    """``stream``, unpacked if its first bytes are those of gzip or zstd.

    Reading raises ``OSError`` where the packed bytes are broken or cut off.
    """
    peeked = Peeked(stream)
    for magic, name in COMPRESSIONS.items():
        if peeked.head.startswith(magic):
            source = pa.PythonFile(cast(BinaryIO, peeked), mode="r")
            return Peeked(pa.CompressedInputStream(source, name))
    return peeked


def text_head(stream: Peeked) -> bytes:
    """The first bytes of ``stream`` in UTF-8, without a byte order mark, to tell its format by."""
    encoding = _utf16(stream.head)
    if encoding is None:
        return stream.head.removeprefix(codecs.BOM_UTF8)
    return stream.head.decode(encoding, "replace").removeprefix("\ufeff").encode()


def is_blank(stream: Peeked) -> bool:
    """Whether ``stream`` is empty or nothing but blank lines; of very many the rest is not looked at."""
    while not text_head(stream).strip():
        if not stream.look_on():
            return True
        if len(stream.head) > MAX_LINE:
            break
    return False


def _utf16(head: bytes) -> str | None:
    """The encoding of a file in UTF-16: told by its mark, or by two first characters that are half zero."""
    for mark, encoding in _UTF16.items():
        if head.startswith(mark):
            return encoding
    if 0 not in head[:4]:
        return None
    zeros = "".join("0" if byte == 0 else "x" for byte in head[:4])
    return {"x0x0": "utf-16-le", "0x0x": "utf-16-be"}.get(zeros)


@dataclass(frozen=True)
class Block:
    """Whole lines of a source, each with its line end (the last line of a file may lack it).

    ``line`` is the 1-based number of the first; ``byte`` the offset of the first in the unpacked file,
    None where the file was not in UTF-8. ``too_long``: the one line here is longer than ``MAX_LINE`` and
    only its beginning is kept.
    """

    data: bytes
    line: int
    byte: int | None
    too_long: bool = False


class Piece(Protocol):
    """What a text is taken apart into: a hand, or what is none."""

    @property
    def data(self) -> bytes: ...


AnyPiece = TypeVar("AnyPiece", bound=Piece)


def portions(pieces: Iterable[AnyPiece], rows: int) -> Iterator[list[AnyPiece]]:
    """The pieces, ``rows`` at a time, or fewer where they are long."""
    portion: list[AnyPiece] = []
    size = 0
    for piece in pieces:
        portion.append(piece)
        size += len(piece.data)
        if len(portion) == rows or size > BLOCK:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def blocks(stream: Peeked) -> Iterator[Block]:
    """The blocks of ``stream``, in order; nothing but a byte order mark is left out."""
    encoding = _utf16(stream.head)
    chunks = _chunks(stream) if encoding is None else _transcoded(_chunks(stream), encoding)
    byte = len(codecs.BOM_UTF8) if stream.head.startswith(codecs.BOM_UTF8) else 0
    skip, line, tail, lost = byte, 1, b"", 0

    def block(data: bytes, too_long: bool = False) -> Block:
        return Block(data, line, None if encoding else byte, too_long)

    for chunk in chunks:
        chunk, skip = chunk[skip:], 0
        end = chunk.find(b"\n") + 1
        if not end:
            if lost or len(tail) + len(chunk) > MAX_LINE:  # too long already: only its beginning is kept
                lost += len(chunk) if lost else len(tail) + len(chunk)
                tail = tail[:SHOWN]
            else:
                tail += chunk
            continue
        if lost or len(tail) + end > MAX_LINE:
            yield block(tail[:SHOWN], too_long=True)
            line, byte = line + 1, byte + (lost or len(tail)) + end
            chunk, tail, lost = chunk[end:], b"", 0
        cut = chunk.rfind(b"\n") + 1
        data, tail = tail + chunk[:cut], chunk[cut:]
        if data:
            yield block(data)
            line, byte = line + data.count(b"\n"), byte + len(data)
    if tail:
        yield block(tail, too_long=lost > 0)


def _chunks(stream: BinaryIO | Peeked) -> Iterator[bytes]:
    while chunk := stream.read(BLOCK):
        yield chunk


def _transcoded(chunks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """UTF-16 in UTF-8; what is not UTF-16 becomes what is not UTF-8, and so is found and quarantined."""
    decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
    first = True
    for chunk in chunks:
        text = decoder.decode(chunk)
        yield (text.removeprefix("\ufeff") if first else text).encode("utf-8", "surrogatepass")
        first = False
    try:
        yield decoder.decode(b"", True).encode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        yield b"\xff"

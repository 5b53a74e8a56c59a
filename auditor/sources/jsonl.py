"""JSON Lines: one hand a line, keys as in the hand log, what is not known left out.

A block of lines goes through pyarrow's reader at once. Where a block has anything wrong with it, each of
its lines is read again by Python's strict reader, so that one bad line costs only itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json

from auditor.sources.base import EMPTY, Batch, unreadable
from auditor.sources.ranges import settle
from auditor.sources.streams import MAX_LINE, Block, Peeked, blocks
from auditor.sources.text import TEXT_SCHEMA, encode

_INT64 = 1 << 63
_NEWLINE, _RETURN, _OPEN, _CLOSE = b"\n\r{}"


def sniff(head: bytes) -> bool:
    """Whether a file that begins with ``head`` (UTF-8) is JSON Lines."""
    return head.lstrip().startswith(b"{")


def read(stream: Peeked, source: str, rows: int) -> Iterator[Batch]:
    """The hands of ``stream``, a batch a block; lines that hold none are quarantined."""
    blank = True
    for block in blocks(stream):
        if block.too_long:
            yield unreadable(source, f"the line is longer than {MAX_LINE} bytes", block.data, block.line)
        elif block.data.strip():
            yield _batch(block, source)
        blank = blank and not block.data.strip()
    if blank:
        yield unreadable(source, EMPTY)


def _batch(block: Block, source: str) -> Batch:
    data = block.data if block.data.endswith(b"\n") else block.data + b"\n"
    array = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(array == _NEWLINE)
    starts = np.concatenate([[0], ends[:-1] + 1])
    empty = (ends == starts) | ((ends == starts + 1) & (array[starts] == _RETURN))
    lines = np.flatnonzero(~empty)
    starts, ends = starts[lines], ends[lines]
    text, found = _quick(data, array, starts), dict[int, str]()
    if text is None:
        text, found = _careful([data[start:end] for start, end in zip(starts, ends, strict=True)])
    table, wrong = encode(text)

    def raw(row: int) -> tuple[int | None, str]:
        line = data[starts[row] : ends[row]].decode("utf-8", "backslashreplace")
        return None if block.byte is None else block.byte + int(starts[row]), line.removesuffix("\r")

    return settle(table, wrong | found, source, block.line + lines, raw)


def _quick(data: bytes, array: np.ndarray, starts: np.ndarray) -> pa.Table | None:
    """The lines as a table of ``TEXT_SCHEMA``, or None where one of them may not be a hand.

    pyarrow's reader takes two objects on one line for two rows, does not look at the encoding and must
    never meet a bare ``null``: it would take the process down. So a line has to begin with a brace, and
    after a closing brace only that may follow which can follow within JSON, or the end of the line.
    """
    after = array[np.flatnonzero(array[:-1] == _CLOSE) + 1]
    if not (array[starts] == _OPEN).all() or not np.isin(after, np.frombuffer(b",]}\r\n", np.uint8)).all():
        return None
    if (array[1:][array[:-1] == _RETURN] != _NEWLINE).any():
        return None
    try:
        data.decode("utf-8")
        table = pyarrow.json.read_json(
            BytesIO(data),
            pyarrow.json.ReadOptions(use_threads=False, block_size=len(data) + 1),
            pyarrow.json.ParseOptions(explicit_schema=TEXT_SCHEMA, unexpected_field_behavior="error"),
        )
    except (UnicodeDecodeError, pa.ArrowInvalid):
        return None
    return table if table.num_rows == len(starts) else None


def _careful(lines: list[bytes]) -> tuple[pa.Table, dict[int, str]]:
    """The lines as a table of ``TEXT_SCHEMA``, an empty row for each that is not a hand, and why."""
    found: dict[int, str] = {}
    hands: list[Mapping[str, Any]] = []
    for row, line in enumerate(lines):
        try:
            hand = json.loads(
                line.decode("utf-8"), object_pairs_hook=_once, parse_int=_whole, parse_constant=_no_number
            )
            check_fields(hand, pa.struct(list(TEXT_SCHEMA)), "")
            hands.append(hand)
        except (ValueError, RecursionError) as error:
            found[row] = _reason(error)
            hands.append({})
    return pa.Table.from_pylist(hands, TEXT_SCHEMA), found


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 at byte {error.start} of the line; save the file as UTF-8"
    if isinstance(error, json.JSONDecodeError):
        spread = "; write each hand on one line" if error.doc.strip() == "{" else ""
        return f"not JSON at column {error.colno}: {error.msg}{spread}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"key {twice!r} is given twice")
    return members


def _whole(digits: str) -> int:
    if len(digits) > len(str(-_INT64)):  # Python would refuse thousands of digits in words of its own
        raise ValueError(f"{digits} does not fit in 64 bits")
    return int(digits)


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is not a JSON number")


def check_fields(value: Any, kind: pa.DataType, path: str) -> None:
    """Raise ``ValueError`` unless ``value`` is of ``kind``, nothing coerced; ``path`` is where it stands."""
    if value is None and path:
        return
    where = f"{path}: " if path else ""
    if pa.types.is_struct(kind):
        if not isinstance(value, dict):
            raise ValueError(f"{where}{_shown(value)} is not an object")
        for name, member in value.items():
            index = kind.get_field_index(name)
            if index < 0:
                known = ", ".join(field.name for field in kind)
                raise ValueError(f"{where}key {name!r} is not known; the keys are {known}")
            check_fields(member, kind.field(index).type, f"{path}.{name}" if path else name)
    elif pa.types.is_list(kind):
        if not isinstance(value, list):
            raise ValueError(f"{where}{_shown(value)} is not a list")
        for index, item in enumerate(value):
            check_fields(item, kind.value_type, f"{path}[{index}]")
    elif pa.types.is_string(kind):
        if not isinstance(value, str):
            raise ValueError(f"{where}{_shown(value)} is not a string")
        value.encode("utf-8")
    elif isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{where}{_shown(value)} is not a whole number")
    elif not -_INT64 <= value < _INT64:
        raise ValueError(f"{where}{value} does not fit in 64 bits")


def _shown(value: Any) -> str:
    return json.dumps(value)[:80]

"""CSV text cut into rows, strictly: what is not a row by the letter is told, not repaired.

A whole block is checked at once by the places of its quotes and line ends; only a block that has
something wrong with it is walked line by line, so that one bad row costs only itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.csv

_QUOTE, _NEWLINE, _RETURN = b'"\n\r'
_PLAIN = re.compile(rb'"[^"]*"|[^"\r\n]*')
CODED = pa.dictionary(pa.int32(), pa.string())
"""The type of a column as read: coded strings."""


@dataclass(frozen=True)
class Rows:
    """The whole rows of a block.

    ``table`` has the columns of the header, coded strings, null where the field is empty; ``starts`` is
    the byte in the block where each row begins, ``above`` how many line ends stand before it, ``end`` where
    the whole rows end; ``wrong`` says by row what is not a row: of such a one ``table`` holds no more than
    the key columns.
    """

    table: pa.Table
    starts: np.ndarray
    above: np.ndarray
    end: int
    wrong: dict[int, str]


def rows_of(
    data: bytes, header: Sequence[str], keys: Sequence[str], last: bool, delimiter: str = ","
) -> Rows:
    """The rows of ``data``, whole lines with their line ends; unless ``last``, a row may go on after them."""
    array = np.frombuffer(data, np.uint8)
    quotes, newlines = _places(data, _QUOTE), _places(data, _NEWLINE)
    ends = newlines[np.searchsorted(quotes, newlines) % 2 == 0] + 1
    starts = np.concatenate([[0], ends])[: len(ends)]
    empty = (ends == starts + 1) | ((ends == starts + 2) & (array[starts] == _RETURN))
    starts = starts[~empty]
    end = int(ends[-1]) if ends.size else 0
    whole = data[:end]
    if _well_quoted(whole, quotes[quotes < end], delimiter) and not (last and end < len(data)):
        table = _parsed(whole, header, delimiter)
        if table is not None and table.num_rows == len(starts):
            return Rows(table, starts, np.searchsorted(newlines, starts), end, {})
    return _careful(data, header, keys, last, delimiter)


def _places(data: bytes, byte: int) -> np.ndarray:
    """Where in ``data`` a byte stands; whether it does at all is told much faster."""
    return np.flatnonzero(np.frombuffer(data, np.uint8) == byte if byte in data else np.zeros(0, bool))


def _well_quoted(data: bytes, quotes: np.ndarray, delimiter: str) -> bool:
    """Whether quotes open and close at the edges of fields only, and no line ends in a bare return."""
    array = np.frombuffer(data, np.uint8)
    around = np.frombuffer(delimiter.encode() + b'"\n\r', np.uint8)
    opening, closing = quotes[0::2], quotes[1::2]
    before = array[opening[opening > 0] - 1]
    after = array[closing + 1]
    returns = _places(data, _RETURN)
    outside = returns[np.searchsorted(quotes, returns) % 2 == 0]
    return bool(
        np.isin(before, around[:3]).all()
        and np.isin(after, around).all()
        and (array[outside + 1] == _NEWLINE).all()
    )


def _parsed(text: bytes, header: Sequence[str], delimiter: str) -> pa.Table | None:
    if not text.strip():
        return pa.table({name: pa.array([], CODED) for name in header})
    try:
        text.decode("utf-8")
        table = pyarrow.csv.read_csv(
            BytesIO(text),
            pyarrow.csv.ReadOptions(use_threads=False, column_names=list(header), block_size=len(text) + 1),
            pyarrow.csv.ParseOptions(newlines_in_values=True, delimiter=delimiter),
            pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(header, CODED),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
    except (UnicodeDecodeError, pa.ArrowInvalid):
        return None
    return table.combine_chunks()


def _careful(data: bytes, header: Sequence[str], keys: Sequence[str], last: bool, delimiter: str) -> Rows:
    lines = [line + b"\n" for line in data.split(b"\n")[:-1]]
    odd = [index for index, line in enumerate(lines) if line.count(b'"') % 2]
    partner = dict(pairwise(odd))
    offsets = np.concatenate([[0], np.cumsum([len(line) for line in lines], dtype=np.int64)])
    opened = set(odd)
    rows: list[bytes] = []
    firsts: list[int] = []
    wrong: dict[int, str] = {}
    index = 0
    while index < len(lines):
        after = index + 1
        if index in opened and index not in partner and not last:
            break  # the quote may be closed by what is still to come
        if index in opened and index in partner:
            after = partner[index] + 1
        row = b"".join(lines[index:after])
        reason = _reason(row, len(header), delimiter)
        if reason:
            row, after = lines[index], index + 1  # what follows an unclosed quote is no part of this row
        if row.strip(b"\r\n"):
            if reason:
                wrong[len(rows)] = reason
                row = _only(row, header, keys, delimiter)
            rows.append(row)
            firsts.append(index)
        index = after
    table = _parsed(b"".join(rows), header, delimiter)
    assert table is not None, "each of the rows was checked"
    above = np.array(firsts, np.int64)
    return Rows(table, offsets[above], above, int(offsets[index]), wrong)


def _reason(row: bytes, width: int, delimiter: str) -> str | None:
    """Why ``row`` is not one of ``width`` fields, or None."""
    between = re.escape(delimiter.encode())
    field = rb'(?:"(?:[^"]|"")*"|[^"\r\n' + between + rb"]*)"
    if not re.fullmatch(field + rb"(?:" + between + field + rb")*\r?\n", row):
        return None if not row.strip(b"\r\n") else "a quote is not closed, or not doubled within quotes"
    fields = len(re.findall(rb"(?:^|" + between + rb")" + field, row))
    if fields != width and row.strip(b"\r\n"):
        return f"{fields} fields where the header has {width}"
    try:
        row.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start} of the row; save the file as UTF-8"
    return None


def _only(row: bytes, header: Sequence[str], keys: Sequence[str], delimiter: str) -> bytes:
    """The row with nothing but its key columns, as far as they can be made out."""
    between = delimiter.encode()
    fields = row.rstrip(b"\r\n").split(between)
    kept = [b""] * len(header)
    for index, name in enumerate(header[: len(fields)]):
        field = fields[index].decode("utf-8", "replace").encode()
        if name in keys and _PLAIN.fullmatch(field):
            kept[index] = field
    return between.join(kept) + b"\n"

"""Lines for people: plain text, columns aligned, never cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest


def plain(text: str) -> str:
    """``text`` on one line, as people may see it.

    What a terminal would obey, what turns the direction of writing and what cannot be seen stands as an
    escape such as ``\\x1b``.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )


def aligned(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """The lines of a table, header first; columns of numbers, blanks among them, stand on the right."""
    rows = [list(row) for row in rows]
    texts = [list(header), *([plain(str(value)) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip_longest(*texts, fillvalue="")]
    numeric = [
        bool(rows) and all(isinstance(row[at], int) or row[at] == "" for row in rows)
        for at in range(len(header))
    ]
    return [
        "  ".join(
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in texts
    ]


def listed(lines: Sequence[str], most: int, whole: str) -> list[str]:
    """The first ``most`` lines, and how many more there are; ``whole`` says where all of them are."""
    left = len(lines) - most
    return list(lines) if left <= 0 else [*lines[:most], f"and {left:,} more; {whole}"]

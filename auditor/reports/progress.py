"""What is going on, on standard error, and only when that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from auditor.reports.layout import plain


def say(text: str) -> None:
    """One line on a terminal; nothing where nobody looks on."""
    if sys.stderr.isatty():
        print(f"auditor: {plain(text)}", file=sys.stderr)


@contextmanager
def counting() -> Iterator[Callable[[int], None] | None]:
    """A counter of hands to be told of each batch; None where nobody looks on."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed:,} hands"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda hands: bar.advance(task, hands)

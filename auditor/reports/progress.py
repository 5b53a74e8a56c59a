"""What is going on, on standard error: for a command only when that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from auditor.reports.layout import plain

if TYPE_CHECKING:
    from auditor.plan import Plan


def say(text: str, *, always: bool = False) -> None:
    """One line on a terminal; nothing where nobody looks on, unless ``always``."""
    if always or sys.stderr.isatty():
        print(f"auditor: {plain(text)}", file=sys.stderr)


def announce(plan: Plan, *, always: bool = False) -> None:
    """Say so when the loops of a plan are not compiled yet: the first run takes its time.

    A notebook is no terminal, and somebody waits there all the same: who calls from Python is
    told ``always``.
    """
    announce_compiling("the checks", *(each.loop.function for each in plan.passes), always=always)


def announce_compiling(what: str, *functions: Callable[..., object], always: bool = False) -> None:
    """Say so when one of the functions is not compiled yet."""
    if not all(getattr(function, "is_there", True) for function in functions):
        say(f"compiling {what}, once; this takes a minute or two", always=always)


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

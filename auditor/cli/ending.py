"""How a command ends: its exit code, or one line on standard error."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

CLEAN, BREACH, USAGE, NOTHING, PARTLY = 0, 1, 2, 3, 4
FAULT = 70  # as in sysexits.h: never to be taken for a breach
PIPE_CLOSED = 141


class Commands(TyperGroup):
    """Turns what a command returns, or what went wrong, into an exit code and a quiet end."""

    def invoke(self, ctx: Any) -> Any:
        try:
            with ending():
                code = super().invoke(ctx)
                sys.stdout.flush()
        except ValueError as error:
            if not isinstance(error, _bad_input()):
                raise
            fail(*_mistakes(error))
        raise typer.Exit(code or CLEAN)


@contextmanager
def ending() -> Iterator[None]:
    """Nothing that the system refuses ends in more than a line, here or when the interpreter ends."""
    try:
        yield
    except BrokenPipeError:
        _close_stdout()
        sys.exit(PIPE_CLOSED)
    except OSError as error:
        try:
            sys.stdout.flush()
        except OSError:
            _close_stdout()
        fail(f"{error.filename or 'input or output'}: {error.strerror or error}")


def _bad_input() -> tuple[type[ValueError], ...]:
    """Errors that are the user's to mend; looked up only when something went wrong."""
    from auditor.cluster import ClusterError
    from auditor.reports.run import OutputError
    from auditor.reports.stored import StoredError
    from auditor.rulesets import RuleSetError
    from auditor.score import ScoreError
    from auditor.simulate import NightError
    from auditor.sources import SourceError

    return ClusterError, NightError, OutputError, RuleSetError, ScoreError, SourceError, StoredError


def _mistakes(error: ValueError) -> list[str]:
    """What is said, a line each: of a file of ours all mistakes are told at once."""
    from auditor.rulesets import RuleSetError
    from auditor.sources import MappingError

    return str(error).split("\n") if isinstance(error, RuleSetError | MappingError) else [str(error)]


def fail(*messages: str, code: int = USAGE) -> NoReturn:
    """End with ``messages``, a line each."""
    from auditor.reports.layout import plain

    with suppress(OSError):  # nobody can be told more than the code
        print("auditor:", "\n".join(map(plain, messages)), file=sys.stderr)
    sys.exit(code)


def _close_stdout() -> None:
    # What is still in the buffer would fail once more when the interpreter ends.
    if isinstance(sys.stdout, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def check_target(target: Path, force: bool, read: Iterable[Path] = ()) -> None:
    """Refuse to write where a file is that shall stay, that is ``read`` besides, or that no folder takes."""
    from auditor.reports.layout import plain

    name = plain(str(target))
    if target.exists():
        if not force:
            raise typer.BadParameter(f"{name} exists; name another file, or add --force to replace it")
        if any(path.exists() and path.samefile(target) for path in read):
            raise typer.BadParameter(f"{name} is one of the logs that are read; name another file")
    if not target.parent.is_dir():
        raise typer.BadParameter(f"{plain(str(target.parent))} is no folder; make it first")

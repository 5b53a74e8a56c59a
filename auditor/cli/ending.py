"""How a command ends: its exit code, or one line on standard error."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

CLEAN, BREACH, USAGE, NOTHING, PARTLY = 0, 1, 2, 3, 4
PIPE_CLOSED = 141


class Commands(TyperGroup):
    """Turns what a command returns, or what went wrong, into an exit code and a quiet end."""

    def invoke(self, ctx: Any) -> Any:
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _close_stdout()
            raise typer.Exit(PIPE_CLOSED) from None
        except OSError as error:
            fail(f"{error.filename or 'input or output'}: {error.strerror or error}")
        except ValueError as error:
            if not isinstance(error, _bad_input()):
                raise
            fail(str(error))
        raise typer.Exit(code or CLEAN)


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


def fail(message: str, code: int = USAGE) -> NoReturn:
    print(f"auditor: {message}", file=sys.stderr)
    raise typer.Exit(code) from None


def _close_stdout() -> None:
    # What is still in the buffer would break the pipe once more when the interpreter ends.
    if isinstance(sys.stdout, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def check_target(target: Path, force: bool) -> None:
    if target.exists() and not force:
        raise typer.BadParameter(f"{target} exists; name another file, or add --force to replace it")
    if not target.parent.is_dir():
        raise typer.BadParameter(f"{target.parent} is no folder; make it first")

"""The command line. Heavy imports stand inside the commands, so that help and completion answer at once.

A command returns its exit code: 0 clean, 1 breach, 3 nothing to audit, 4 part of the input could not be
audited, 5 both 1 and 4. Bad usage, rule sets and paths end in one line on standard error and 2, a fault of
the auditor in 70, Ctrl-C in 130, a reader that stops reading in 141.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from auditor.cli import asking, auditing, proving, reading
from auditor.cli.ending import FAULT, Commands, ending

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Audit casino poker hand logs against a gazetted schedule of rules, clause by clause.",
    epilog="Exit codes: 0 clean, 1 breach, 2 usage or rule set error, 3 nothing to audit, "
    "4 part of the input could not be audited, 5 both 1 and 4, 70 a fault of the auditor itself, "
    "130 interrupted, 141 whoever reads the output stopped reading.",
)


def _version(wanted: bool) -> None:
    if wanted:
        import auditor

        print(f"auditor {auditor.__version__}")
        raise typer.Exit()


@app.callback()
def top(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Options before any command."""


app.command()(auditing.audit)
app.command()(auditing.compare)
app.command()(asking.explain)
app.command(name="rules", context_settings={"allow_extra_args": True})(asking.rules_)
app.command()(reading.show)
app.command()(reading.convert)
app.command()(proving.simulate)
app.command()(proving.bench)
app.command()(proving.score)


def main() -> None:
    """Run the command line; text that the terminal cannot show is escaped, never an error."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started this: nobody looks on
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with ending():
            app(prog_name="auditor")
    except Exception:
        # A fault of ours. Until 3.13 Python's own printer does not show the text of generated code.
        import traceback

        traceback.print_exc()
        sys.exit(FAULT)

"""The command line. Heavy imports stand inside the commands, so that help and completion answer at once.

A command returns its exit code: 0 clean, 1 breach, 3 nothing to audit, 4 part of the input could not be
audited, 5 both 1 and 4. Bad usage, rule sets and paths end in one line on standard error and 2, a fault of
the auditor in 70, Ctrl-C in 130, a reader that stops reading in 141.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
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


# The help is no docstring, so that ``python -OO`` has it too; the list of commands shows its first sentence.
_COMMANDS: dict[str, tuple[Callable[..., int], str]] = {
    "audit": (auditing.audit, "Audit hand logs: every hand replayed, every clause judged."),
    "compare": (
        auditing.compare,
        "Audit hand logs under several rule sets. "
        "Exit code 0 if the answers are the same, 1 if they part, the others as for an audit.",
    ),
    "explain": (
        asking.explain,
        "Say what a clause asks and how far it is audited. "
        "Also where it is printed, and on what evidence it is judged.",
    ),
    "rules": (asking.rules_, "Show how much of the text a rule set covers, number by number."),
    "show": (
        reading.show,
        "Show a hand event by event, with the verdicts. Beside each event stands the state after it.",
    ),
    "convert": (
        reading.convert,
        "Write hand logs in another format. "
        "The suffix decides: .parquet, .jsonl or .csv, the last two also .gz or .zst.",
    ),
    "simulate": (
        proving.simulate,
        "Play nights at the tables with known breaches. The hand log is written, and the truth beside it.",
    ),
    "bench": (
        proving.bench,
        "Measure the audit of a log against a plain read of it. What else a user waits for is measured, too.",
    ),
    "score": (
        proving.score,
        "Hold an audit against the truth. Exit code 0 if all was caught and nothing was made up, else 1.",
    ),
}

for _name, (_command, _help) in _COMMANDS.items():
    app.command(_name, help=_help, context_settings={"allow_extra_args": _name == "rules"})(_command)


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

"""Arguments and options that several commands share, and the words that they take."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

RULES = "nz-1999"


class Form(StrEnum):
    """Forms of output on standard output."""

    TEXT = "text"
    JSON = "json"


class FailOn(StrEnum):
    """The gravest severity that a breach may fall short of without failing the run."""

    CRITICAL = "critical"
    MAJOR = "major"
    MINOR = "minor"
    INFO = "info"
    NEVER = "never"


class Verdict(StrEnum):
    """Verdicts that can be written down."""

    BREACH = "breach"
    INDETERMINATE = "indeterminate"
    COMPLIANT = "compliant"
    NOT_EVIDENCED = "not_evidenced"


Paths = Annotated[
    list[str], typer.Argument(metavar="PATH", help="Files, globs, directories, or - for standard input.")
]
Rules = Annotated[
    str,
    typer.Option(metavar="NAME", help="A rule set that ships, or the folder of another.", show_default=True),
]
Readings = Annotated[
    list[str],
    typer.Option(
        "--reading",
        metavar="[CLAUSE=]NAME",
        help="Settle on one reading of a clause, or of all; may be given again.",
    ),
]
Assumptions = Annotated[
    list[str],
    typer.Option(
        "--assume",
        metavar="TOPIC=OPTION",
        help="Declare what the text loaded leaves open; may be given again.",
    ),
]
Mapping = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Read PATHs as exports of another system, by this mapping (TOML)."),
]
Verdicts = Annotated[
    list[Verdict],
    typer.Option(
        metavar="VERDICT",
        help=f"A verdict to write down, {', '.join(Verdict)}; may be given again. Tallies count all.",
    ),
]
Threads = Annotated[int | None, typer.Option(metavar="N", min=1, help="Threads; all cores by default.")]
Format = Annotated[Form, typer.Option("--format", help="What standard output holds.")]

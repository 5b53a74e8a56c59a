"""``auditor explain`` and ``auditor rules``."""

from __future__ import annotations

from typing import Annotated

import typer

from auditor.cli.ending import CLEAN
from auditor.cli.options import RULES, Form, Format, Rules


def explain(
    clause: Annotated[
        list[str],
        typer.Argument(metavar="CLAUSE", help="A code such as OPN02, or a number such as 19.11 or 2.0 ante."),
    ],
    rules: Rules = RULES,
) -> int:
    """Say what a clause asks and how far it is audited.

    Also where it is printed, and on what evidence it is judged.
    """
    from auditor.reports import explained

    print(explained.explain(" ".join(clause), rules))
    return CLEAN


def rules_(
    ctx: typer.Context,
    rules: Rules = RULES,
    names: Annotated[bool, typer.Option("--list", help="Only name the rule sets that ship.")] = False,
    counts: Annotated[
        bool, typer.Option("--coverage", help="Only count: numbers by section and by how far audited.")
    ] = False,
    form: Format = Form.TEXT,
) -> int:
    """Show how much of the text a rule set covers, number by number."""
    if ctx.args:
        raise typer.BadParameter(f"{ctx.args[0]} stands alone; name a rule set so: --rules {ctx.args[0]}")
    from auditor import rulesets
    from auditor.reports import coverage, json

    if names:
        known = rulesets.available()
        print(json.text(known) if form == Form.JSON else "\n".join(known))
        return CLEAN
    loaded = rulesets.load(rules)
    document, text = (coverage.counts, coverage.counts_text) if counts else (coverage.document, coverage.text)
    print(json.text(document(loaded)) if form == Form.JSON else text(loaded))
    return CLEAN

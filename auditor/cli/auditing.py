"""``auditor audit`` and ``auditor compare``."""

# ruff: noqa: B006  (typer copies the defaults of options)

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, cast

import typer

from auditor.cli.arrow import prepare_arrow
from auditor.cli.ending import BREACH, CLEAN, NOTHING, PARTLY
from auditor.cli.options import (
    RULES,
    Assumptions,
    FailOn,
    Form,
    Format,
    Mapping,
    Paths,
    Readings,
    Rules,
    Threads,
    Verdict,
    Verdicts,
)

if TYPE_CHECKING:
    from auditor.engine import Runner
    from auditor.handlog import HandLog
    from auditor.result import Result
    from auditor.sources import Unit


def audit(
    paths: Paths,
    rules: Rules = RULES,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write findings, tallies, defects and quarantine here.")
    ] = None,
    form: Format = Form.TEXT,
    select: Annotated[
        list[str],
        typer.Option(
            metavar="CLAUSE", help="Ask only this: a code, a number or a prefix of one; may be given again."
        ),
    ] = [],
    ignore: Annotated[
        list[str], typer.Option(metavar="CLAUSE", help="Do not ask this; may be given again.")
    ] = [],
    reading: Readings = [],
    assume: Assumptions = [],
    fail_on: Annotated[
        FailOn, typer.Option(help="The least severe breach that makes the exit code 1.")
    ] = FailOn.INFO,
    verdict: Verdicts = [Verdict.BREACH, Verdict.INDETERMINATE],
    threads: Threads = None,
    incremental: Annotated[
        bool,
        typer.Option(
            "--incremental", help="Audit only what is new or changed since the last run into --out."
        ),
    ] = False,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask scheduler such as tcp://host:8786, or local."),
    ] = None,
    mapping: Mapping = None,
) -> int:
    """Audit hand logs: every hand replayed, every clause judged."""
    from auditor import engine, sources
    from auditor.plan import Plan
    from auditor.reports import json, progress, run, terminal

    if incremental and not out:
        raise typer.BadParameter(
            "--incremental needs --out: the folder that keeps the results from run to run"
        )
    prepare_arrow()
    plan = Plan.make(
        rules,
        readings=reading,
        assumptions=assume,
        select=select,
        ignore=ignore,
        verdicts=[word.value for word in verdict],
    )
    options = {
        "paths": paths,
        "rules": rules,
        "select": select,
        "ignore": ignore,
        "reading": reading,
        "assume": assume,
        "fail_on": fail_on,
        "verdict": verdict,
        "threads": threads,
        "incremental": incremental,
        "cluster": cluster,
        "mapping": str(mapping) if mapping else None,
    }
    notices: list[str] = []
    stdin = run.StandardInput()
    started = run.now()
    mapped = sources.load_mapping(mapping) if mapping else None
    read_by = mapped.sha256 if mapped else None
    with run.output(out, paths, incremental, read_by) if out else nullcontext() as output:
        units = list(
            sources.units(paths, stdin=cast("BinaryIO", stdin), notice=notices.append, mapping=mapped)
        )
        read = output.inputs(units, stdin) if output else []
        with progress.counting() as counted:
            store = output.store if output else None
            result = engine.audit(
                plan, units, threads=threads, run=_runner(cluster, paths), store=store, progress=counted
            )
        code = _exit_code(result, fail_on)
        facts = {
            "options": options,
            "inputs": read,
            "mapping_sha256": read_by,
            "notices": notices,
            "exit_code": code,
            "started": started,
        }
        facts |= {"finished": run.now(), **run.surroundings()}
        files = output.write(result, facts) if output else None
        if form == Form.JSON:
            json.document(result, notices, sys.stdout)
        else:
            terminal.show(result, notices, files)
    return code


def _runner(cluster: str | None, paths: list[str]) -> Runner | None:
    if cluster is None:
        return None
    if "-" in paths:
        raise typer.BadParameter("a cluster cannot read standard input; give it files")
    from auditor.cluster import Cluster

    return Cluster(cluster)


def _exit_code(result: Result, fail_on: FailOn) -> int:
    if not result.read:
        return NOTHING
    failed = fail_on != FailOn.NEVER and result.breaches(fail_on)
    return (BREACH if failed else CLEAN) + (PARTLY if result.quarantined else CLEAN)


def compare(
    paths: Paths,
    rules: Annotated[
        list[str],
        typer.Option(
            metavar="NAME[,CHOICE]...",
            help="Two rule sets or more; a choice is [CLAUSE=]READING or TOPIC=OPTION.",
        ),
    ],
    form: Format = Form.TEXT,
    select: Annotated[
        list[str], typer.Option(metavar="CLAUSE", help="Ask only these, under each rule set.")
    ] = [],
    verdict: Verdicts = [Verdict.BREACH, Verdict.INDETERMINATE],
    threads: Threads = None,
) -> int:
    """Audit hand logs under several rule sets.

    Exit code 0 if the answers are the same, 1 if they part, the others as for an audit.
    """
    from auditor import compare as comparing
    from auditor import engine, sources
    from auditor.reports import compared, json, progress

    prepare_arrow()
    plans = comparing.plans(rules, select=select, verdicts=[word.value for word in verdict])
    notices: list[str] = []
    # Files are read once a rule set, which bounds the memory; standard input can be read only once.
    source: HandLog | Iterable[Unit]
    if "-" in paths:
        source = sources.load(*paths, notice=notices.append)
    else:
        source = sources.units(paths, notice=notices.append)
    with progress.counting() as counted:
        results = engine.audit_each(plans, source, threads=threads, progress=counted)
    found = comparing.compare(rules, results)
    if form == Form.JSON:
        print(json.text(compared.document(found, notices)))
    else:
        print(compared.text(found, notices))
    if not results[0].read:
        return NOTHING
    lost = any(result.quarantined for result in results)
    return (CLEAN if found.same else BREACH) + (PARTLY if lost else CLEAN)

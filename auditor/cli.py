"""The command line. Heavy imports stand inside the commands, so that help and completion answer at once.

A command returns its exit code: 0 clean, 1 breach, 3 nothing to audit, 4 part of the input could not be
audited, 5 both 1 and 4. Bad usage, rule sets and paths end in one line on standard error and 2, Ctrl-C in
130, a reader that stops reading in 141.
"""

# ruff: noqa: B006  (typer copies the defaults of options)

from __future__ import annotations

import gc
import io
import os
import sys
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NoReturn, cast

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from auditor.engine import Runner
    from auditor.handlog import HandLog, Quarantined
    from auditor.result import Result
    from auditor.sources import Batch, Unit

CLEAN, BREACH, USAGE, NOTHING, PARTLY = 0, 1, 2, 3, 4
PIPE_CLOSED = 141
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
            _fail(f"{error.filename or 'input or output'}: {error.strerror or error}")
        except ValueError as error:
            if not isinstance(error, _bad_input()):
                raise
            _fail(str(error))
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


def _fail(message: str, code: int = USAGE) -> NoReturn:
    print(f"auditor: {message}", file=sys.stderr)
    raise typer.Exit(code) from None


def _close_stdout() -> None:
    # What is still in the buffer would break the pipe once more when the interpreter ends.
    if isinstance(sys.stdout, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Audit casino poker hand logs against a gazetted schedule of rules, clause by clause.",
    epilog="Exit codes: 0 clean, 1 breach, 2 usage or rule set error, 3 nothing to audit, "
    "4 part of the input could not be audited, 5 both 1 and 4.",
)

Paths = Annotated[
    list[str], typer.Argument(metavar="PATH", help="Files, globs, directories, or - for standard input.")
]
Rules = Annotated[
    str,
    typer.Option(metavar="NAME", help="A rule set that ships, or the folder of another.", show_default=True),
]
Readings = Annotated[
    list[str],
    typer.Option("--reading", metavar="[CLAUSE=]NAME", help="Settle on one reading of a clause, or of all."),
]
Assumptions = Annotated[
    list[str],
    typer.Option("--assume", metavar="TOPIC=OPTION", help="Declare what the text loaded leaves open."),
]
Mapping = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Read PATHs as exports of another system, by this mapping (TOML)."),
]
Verdicts = Annotated[list[Verdict], typer.Option(help="Verdicts to write down; tallies count all.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads; all cores by default.")]
Format = Annotated[Form, typer.Option("--format", help="What standard output holds.")]


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


@app.command()
def audit(
    paths: Paths,
    rules: Rules = RULES,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write findings, tallies, defects and quarantine here.")
    ] = None,
    form: Format = Form.TEXT,
    select: Annotated[
        list[str], typer.Option(metavar="CLAUSE", help="Ask only these: codes, numbers or prefixes of them.")
    ] = [],
    ignore: Annotated[list[str], typer.Option(metavar="CLAUSE", help="Do not ask these.")] = [],
    reading: Readings = [],
    assume: Assumptions = [],
    fail_on: Annotated[
        FailOn, typer.Option(help="The least severe breach that makes the exit code 1.")
    ] = FailOn.INFO,
    verdict: Verdicts = [Verdict.BREACH, Verdict.INDETERMINATE],
    threads: Threads = None,
    incremental: Annotated[
        bool,
        typer.Option("--incremental", help="Audit only what is new or changed since the last run in --out."),
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
        raise typer.BadParameter("--incremental needs --out, the folder of the earlier run")
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
        progress.announce(plan)
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


@app.command()
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
    """Audit hand logs under several rule sets: exit code 0 if the answers are the same, 1 if they part."""
    from auditor import compare as comparing
    from auditor import engine, sources
    from auditor.reports import compared, json, progress

    plans = comparing.plans(rules, select=select, verdicts=[word.value for word in verdict])
    notices: list[str] = []
    # Files are read once a rule set, which bounds the memory; standard input can be read only once.
    source: HandLog | Iterable[Unit]
    if "-" in paths:
        source = sources.load(*paths, notice=notices.append)
    else:
        source = sources.units(paths, notice=notices.append)
    for plan in plans:
        progress.announce(plan)
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


@app.command()
def explain(
    clause: Annotated[str, typer.Argument(metavar="CLAUSE", help="A code such as OPN02, or a number.")],
    rules: Rules = RULES,
) -> int:
    """Say what a clause asks, where it is printed, and how far it is audited."""
    from auditor.reports import explained

    print(explained.explain(clause, rules))
    return CLEAN


@app.command(name="rules")
def rules_(
    rules: Rules = RULES,
    names: Annotated[bool, typer.Option("--list", help="Only name the rule sets that ship.")] = False,
    counts: Annotated[
        bool, typer.Option("--coverage", help="Only count: numbers by section and by how far audited.")
    ] = False,
    form: Format = Form.TEXT,
) -> int:
    """Show how much of the text a rule set covers, number by number."""
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


@app.command()
def show(
    hand: Annotated[str, typer.Argument(metavar="HAND", help="The id of a hand.")],
    paths: Paths,
    rules: Rules = RULES,
    reading: Readings = [],
    assume: Assumptions = [],
    mapping: Mapping = None,
) -> int:
    """Show a hand event by event, with the state and the verdicts beside the events."""
    from auditor import replayed, sources
    from auditor.plan import Plan
    from auditor.reports import progress

    plan = Plan.make(rules, readings=reading, assumptions=assume, verdicts=replayed.EVERY_VERDICT)
    try:
        mapped = sources.load_mapping(mapping) if mapping else None
        log = replayed.only(hand, sources.batches(paths, notice=progress.say, mapping=mapped))
    except KeyError as error:
        _fail(error.args[0])
    progress.announce(plan)
    try:
        print(replayed.replay(plan, log, hand))
    except replayed.UnauditedError as error:
        _fail(str(error), PARTLY)
    return CLEAN


@app.command()
def convert(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH", help="Logs, and last the file to write: its suffix decides."),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace the target if it exists.")] = False,
    mapping: Mapping = None,
) -> int:
    """Write hand logs in another format: .parquet, .jsonl or .csv, the last two also .gz or .zst."""
    from auditor import sources
    from auditor.reports import progress
    from auditor.reports.layout import number_of
    from auditor.reports.words import place

    *given, last = paths
    target = Path(last)
    if not given:
        raise typer.BadParameter("give a log to read and a file to write")
    _check_target(target, force)
    mapped = sources.load_mapping(mapping) if mapping else None
    written = 0

    def counted(batches: Iterable[Batch]) -> Iterator[Batch]:
        nonlocal written
        for batch in batches:
            written += batch.table.num_rows
            yield batch

    lost: tuple[Quarantined, ...] = sources.write(
        counted(sources.batches(given, notice=progress.say, mapping=mapped)), target
    )
    print(f"{number_of(written, 'hand')} written to {target}; {len(lost):,} quarantined")
    for entry in lost:
        print(f"  {place(entry.source, entry.line)}: {entry.reason}")
    if not written and not lost:
        return NOTHING
    return PARTLY if lost else CLEAN


def _check_target(target: Path, force: bool) -> None:
    if target.exists() and not force:
        raise typer.BadParameter(f"{target} exists; name another file, or add --force to replace it")
    if not target.parent.is_dir():
        raise typer.BadParameter(f"{target.parent} is no folder; make it first")


@app.command()
def simulate(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="The file to write: its suffix decides.")],
    hands: Annotated[int, typer.Option(min=1, help="Hands to play.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same hands.")] = 0,
    plant: Annotated[
        float, typer.Option(metavar="SHARE", min=0, max=1, help="Share of hands that break one obligation.")
    ] = 0,
    noise: Annotated[
        float, typer.Option(metavar="SHARE", min=0, max=1, help="Share of other hands that are logged badly.")
    ] = 0,
    only: Annotated[
        list[str],
        typer.Option(
            metavar="CODE[:KIND]", help="Break only this obligation, in this way; may be given again."
        ),
    ] = [],
    tables: Annotated[int, typer.Option(min=1, help="Tables that play.")] = 4,
    truth: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the truth goes; by default LOG.truth.parquet.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the files if they exist.")] = False,
) -> int:
    """Play nights at the tables with known breaches; write the hand log, and the truth beside it."""
    from auditor.reports import progress
    from auditor.reports.layout import number_of
    from auditor.simulate import writing
    from auditor.simulate.played import player

    beside = truth or writing.truth_beside(log)
    if beside == log:
        raise typer.BadParameter("give the truth another name than the log")
    for target in (log, beside):
        _check_target(target, force)
    progress.announce_compiling("the simulator", player())
    with progress.counting() as counted:
        written = writing.write_night(
            log,
            beside,
            hands,
            seed=seed,
            plant=plant,
            noise=noise,
            only=only,
            tables=tables,
            progress=counted,
        )
    print(
        f"{number_of(hands, 'hand')} written to {log}: {written.breached:,} with a planted breach, "
        f"{written.noisy:,} with faults of logging; truth in {beside}"
    )
    return CLEAN


@app.command()
def bench(
    log: Annotated[
        Path | None, typer.Argument(metavar="[LOG]", help="A Parquet log; by default one is simulated.")
    ] = None,
    hands: Annotated[int, typer.Option(min=1, help="Hands to simulate.")] = 200_000,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of whole processes, run in turn.")] = 5,
    out: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write all figures here as JSON.")
    ] = None,
) -> int:
    """Measure the audit of a log against a plain read of it, and what else a user waits for."""
    import tempfile

    from auditor import bench as benchmark
    from auditor.reports import json
    from auditor.reports.layout import aligned

    with tempfile.TemporaryDirectory() as folder:
        if log is None:
            from auditor.simulate import writing

            log = Path(folder) / "night.parquet"
            truth = writing.truth_beside(log)
            writing.write_night(log, truth, hands, seed=0, plant=0, noise=0, only=(), tables=4)
        figures = benchmark.bench(log, rounds)
    print(f"{figures['hands']:,} hands, {figures['machine']['cores']} cores, {rounds} rounds")
    print("\n".join(aligned(["measured", "figure", "against"], benchmark.rows(figures))))
    if out:
        out.write_text(json.text(figures) + "\n", encoding="utf-8")
    return CLEAN


@app.command()
def score(
    findings: Annotated[
        Path, typer.Argument(metavar="FINDINGS", help="The folder of audit --out, or a file of findings.")
    ],
    truth: Annotated[
        Path, typer.Argument(metavar="TRUTH", help="What simulate planted in the log that was audited.")
    ],
    form: Format = Form.TEXT,
) -> int:
    """Hold an audit against the truth: exit code 0 if all was caught and nothing was made up, else 1."""
    from auditor import score as scoring
    from auditor.reports import json, scored, stored

    run = stored.read(findings, scoring.NEEDED)
    known = scoring.Truth.of(stored.parquet(truth), str(truth))
    found = scoring.score(run.tables, known, read=run.read, verdicts=run.verdicts)
    print(json.text(found.document()) if form == Form.JSON else scored.text(found))
    return CLEAN if found.passed else BREACH


def main() -> None:
    """Run the command line; text that the terminal cannot show is escaped, never an error."""
    gc.set_threshold(200_000, 10, 10)  # what is imported stays: searching it again and again takes 0.3 s
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="auditor")

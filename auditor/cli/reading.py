"""``auditor show`` and ``auditor convert``."""

# ruff: noqa: B006  (typer copies the defaults of options)

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.cli.arrow import prepare_arrow
from auditor.cli.ending import CLEAN, NOTHING, PARTLY, check_target, fail
from auditor.cli.options import RULES, Assumptions, Mapping, Paths, Readings, Rules

if TYPE_CHECKING:
    from auditor.handlog import Quarantined
    from auditor.sources import Batch


def show(
    hand: Annotated[str, typer.Argument(metavar="HAND", help="The id of a hand.")],
    paths: Paths,
    rules: Rules = RULES,
    reading: Readings = [],
    assume: Assumptions = [],
    mapping: Mapping = None,
) -> int:
    """Show a hand event by event, with the verdicts.

    Beside each event stands the state after it.
    """
    from auditor import replayed, sources
    from auditor.plan import Plan
    from auditor.reports import progress

    plan = Plan.make(rules, readings=reading, assumptions=assume, verdicts=replayed.EVERY_VERDICT)
    try:
        mapped = sources.load_mapping(mapping) if mapping else None
        log, files = replayed.only(hand, sources.batches(paths, notice=progress.say, mapping=mapped))
    except KeyError as error:
        fail(error.args[0])
    except sources.SourceError as error:
        if Path(hand).exists():
            fail(f"{error}; {hand} is taken for the id of a hand: the hand comes first, then the logs")
        raise
    try:
        print(replayed.replay(plan, log, hand, files))
    except replayed.UnauditedError as error:
        fail(str(error), code=PARTLY)
    return CLEAN


def convert(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH", help="Logs, and last the file to write: its suffix decides."),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace the target if it exists.")] = False,
    mapping: Mapping = None,
) -> int:
    """Write hand logs in another format.

    The suffix decides: .parquet, .jsonl or .csv, the last two also .gz or .zst.
    """
    from auditor import sources
    from auditor.plural import number_of
    from auditor.reports.layout import plain
    from auditor.reports.words import place

    *given, last = paths
    target = Path(last)
    if not given:
        raise typer.BadParameter("give a log to read and a file to write")
    check_target(target, force)
    prepare_arrow()
    mapped = sources.load_mapping(mapping) if mapping else None
    notices: list[str] = []
    units = list(sources.units(given, notice=notices.append, mapping=mapped))
    check_target(target, force, read=(unit.path for unit in units if isinstance(unit.path, Path)))
    written = 0

    def counted(batches: Iterable[Batch]) -> Iterator[Batch]:
        nonlocal written
        for batch in batches:
            written += batch.table.num_rows
            yield batch

    lost: tuple[Quarantined, ...] = sources.write(
        counted(batch for unit in sources.joined(units) for batch in unit.batches()), target
    )
    print(plain(f"{number_of(written, 'hand')} written to {target}; {len(lost):,} quarantined"))
    for entry in lost:
        print(plain(f"  {place(entry.source, entry.line)}: {entry.reason}"))
    for notice in notices:
        print(plain(f"Passed over: {notice}"))
    if not written and not lost:
        return NOTHING
    return PARTLY if lost else CLEAN

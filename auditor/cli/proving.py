"""``auditor simulate``, ``auditor score`` and ``auditor bench``."""

# ruff: noqa: B006  (typer copies the defaults of options)

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.cli.arrow import prepare_arrow
from auditor.cli.ending import BREACH, CLEAN, check_target
from auditor.cli.options import Form, Format


def simulate(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="The file to write: its suffix decides.")],
    hands: Annotated[int, typer.Option(metavar="N", min=1, help="Hands to play.")],
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same hands.")] = 0,
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
    tables: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Tables that play.")] = 4,
    truth: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the truth goes; by default LOG.truth.parquet.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the files if they exist.")] = False,
) -> int:
    """Play nights at the tables with known breaches.

    The hand log is written, and the truth beside it.
    """
    from auditor.plural import number_of
    from auditor.reports import progress
    from auditor.simulate import writing

    beside = truth or writing.truth_beside(log)
    if beside == log:
        raise typer.BadParameter("give the truth another name than the log")
    for target in (log, beside):
        check_target(target, force)
    prepare_arrow()
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


def bench(
    log: Annotated[
        Path | None, typer.Argument(metavar="[LOG]", help="A Parquet log; by default one is simulated.")
    ] = None,
    hands: Annotated[int, typer.Option(metavar="N", min=1, help="Hands to simulate.")] = 200_000,
    rounds: Annotated[
        int, typer.Option(metavar="N", min=1, help="Rounds of whole processes, run in turn.")
    ] = 5,
    out: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write all figures here as JSON.")
    ] = None,
    peer: Annotated[
        bool,
        typer.Option("--peer", help="Time pokerkit, too, on hands that both read; it has to be installed."),
    ] = False,
) -> int:
    """Measure the audit of a log against a plain read of it.

    What else a user waits for is measured, too.
    """
    import tempfile

    if out:
        check_target(out, force=True)
    from auditor import bench as benchmark
    from auditor.plural import number_of
    from auditor.reports import json
    from auditor.reports.layout import aligned

    with tempfile.TemporaryDirectory() as folder:
        if log is None:
            from auditor.simulate import writing

            log = Path(folder) / "night.parquet"
            truth = writing.truth_beside(log)
            writing.write_night(log, truth, hands, seed=0, plant=0, noise=0, only=(), tables=4)
        figures = benchmark.bench(log, rounds, peer)
    counts = (("hand", figures["hands"]), ("core", figures["machine"]["cores"]), ("round", rounds))
    print(", ".join(number_of(count, noun) for noun, count in counts))
    print("\n".join(aligned(["measured", "figure", "against"], benchmark.rows(figures))))
    if out:
        out.write_text(json.text(figures) + "\n", encoding="utf-8")
    return CLEAN


def score(
    findings: Annotated[
        Path, typer.Argument(metavar="FINDINGS", help="The folder of audit --out, or a file of findings.")
    ],
    truth: Annotated[
        Path, typer.Argument(metavar="TRUTH", help="What simulate planted in the log that was audited.")
    ],
    form: Format = Form.TEXT,
) -> int:
    """Hold an audit against the truth.

    Exit code 0 if all was caught and nothing was made up, else 1.
    """
    from auditor import score as scoring
    from auditor.reports import json, scored, stored

    run = stored.read(findings, scoring.NEEDED)
    known = scoring.Truth.of(stored.parquet(truth), str(truth))
    found = scoring.score(run.tables, known, read=run.read, verdicts=run.verdicts)
    print(json.text(found.document()) if form == Form.JSON else scored.text(found))
    return CLEAN if found.passed else BREACH

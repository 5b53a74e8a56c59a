"""A simulated night as files: the hand log in any format that is written, and the truth beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from auditor.durable import renamed
from auditor.simulate.night import in_parts
from auditor.simulate.truth import count_hands, with_facts
from auditor.sources.base import Batch
from auditor.sources.files import TRUTH_SUFFIX
from auditor.sources.write import PACKINGS, write


@dataclass(frozen=True)
class Written:
    """How many of the hands written have a planted breach, and how many faults of logging."""

    breached: int
    noisy: int


def truth_beside(log: Path) -> Path:
    """Where the truth of a log goes: its name, for the suffixes of the log those of the truth."""
    bare = log.with_suffix("") if log.suffix.lower() in PACKINGS else log
    return bare.with_suffix(TRUTH_SUFFIX)


def write_night(
    log: Path,
    truth: Path,
    hands: int,
    *,
    seed: int,
    plant: float,
    noise: float,
    only: Sequence[str],
    tables: int,
    progress: Callable[[int], None] | None = None,
) -> Written:
    """Write the hands of ``simulate`` to ``log``, in the format of its suffix, and their truth to ``truth``.

    Both are there whole or not at all; memory is bounded however many hands there are. The metadata of the
    truth hold, as JSON under ``auditor``, the number of ``hands`` and what they were made with. ``progress``
    is called with the number of hands of each batch. Raises ``NightError`` as ``simulate`` does,
    ``SourceError`` for a suffix that is not written.
    """
    parts = in_parts(hands, seed=seed, plant=plant, noise=noise, only=only, tables=tables)
    schema = with_facts({"hands": hands, "seed": seed, "plant": plant, "noise": noise})
    breached = noisy = 0

    def logged() -> Iterator[Batch]:
        nonlocal breached, noisy
        for part in parts:
            truths.write_table(part.truth)
            more = count_hands(part.truth)
            breached, noisy = breached + more[0], noisy + more[1]
            if progress:
                progress(part.table.num_rows)
            yield Batch(part.table, (), "simulate")

    with renamed(truth) as file, pq.ParquetWriter(file, schema, compression="zstd") as truths:
        write(logged(), log)
    return Written(breached, noisy)

"""The truth of a simulated night: what was planted in which hand, in memory and as a file beside the log."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor.simulate.noise import NOISE, Faults
from auditor.simulate.plants import Code, Slip
from auditor.simulate.played import Played
from auditor.simulate.record import words

TRUTH = pa.schema(
    [
        pa.field("hand_id", pa.string(), nullable=False),
        pa.field("event", pa.int32()),
        pa.field("code", pa.string()),
        pa.field("kind", pa.string(), nullable=False),
    ]
)
"""One row a broken obligation or a fault of logging. ``event`` counts from 0 in the hand as it stands in the
log, null where no event can be named; ``code`` is the obligation, null for a fault of logging; ``kind`` says
how it was broken, or what happened to the log."""
_CODES = [code.name for code in Code if code != Code.NOTHING]
_KINDS = [slip.kind for slip in Slip]


def truth_of(hands: Played, noise: Faults, hand_ids: pa.ChunkedArray) -> pa.Table:
    """What was planted in the hands and what befell their log, a table of ``TRUTH`` in the order of hands."""
    event, code = hands.faults
    breached = np.repeat(np.arange(len(hands.sheets)), hands.sheets["faults"])
    hand = np.concatenate([breached, noise.hand])
    event = np.concatenate([event, noise.event])
    codes = pa.concat_arrays([words(_CODES, code), pa.nulls(len(noise.hand), pa.string())])
    kinds = pa.concat_arrays([words(_KINDS, hands.sheets["slip"][breached]), words(NOISE, noise.kind)])
    columns = [hand_ids.take(pa.array(hand)), pa.array(event, pa.int32(), mask=event < 0), codes, kinds]
    return pa.table(columns, schema=TRUTH).take(pa.array(np.argsort(hand, kind="stable")))


def count_hands(truth: pa.Table) -> tuple[int, int]:
    """How many hands have a planted breach, and how many faults of logging."""
    breached = pc.is_valid(truth["code"])
    ids = truth["hand_id"]
    return len(ids.filter(breached).unique()), len(ids.filter(pc.invert(breached)).unique())


def with_facts(facts: Mapping[str, float]) -> pa.Schema:
    """``TRUTH`` whose metadata says under ``auditor``, as JSON, how the night was made."""
    return TRUTH.with_metadata({"auditor": json.dumps(facts)})

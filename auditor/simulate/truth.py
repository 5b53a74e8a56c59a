"""The truth of a simulated night: what was planted in which hand, in memory and as a file beside the log."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pyarrow as pa

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


def of_breaches(hands: Played, hand_ids: pa.ChunkedArray) -> pa.Table:
    """What was planted in the hands, in the order of hands and events: a table of ``TRUTH``."""
    event, code = hands.faults
    hand = np.repeat(np.arange(len(hands.sheets)), hands.sheets["faults"])
    columns = [
        hand_ids.take(pa.array(hand)),
        pa.array(event, pa.int32()),
        words(_CODES, code),
        words(_KINDS, hands.sheets["slip"][hand]),
    ]
    return pa.table(columns, schema=TRUTH)


def with_facts(facts: Mapping[str, float]) -> pa.Schema:
    """``TRUTH`` whose metadata says under ``auditor``, as JSON, how the night was made."""
    return TRUTH.with_metadata({"auditor": json.dumps(facts)})

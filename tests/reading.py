"""What came of one text that was read: for the tests of readers of whole hands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from auditor import sources
from auditor.handlog import HandLog


def read(content: str | bytes, name: str) -> HandLog:
    """The log in a file of the current folder that holds ``content``."""
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return sources.load(name)


def only(log: HandLog) -> dict[str, Any]:
    """The one hand of a log of which nothing was left out."""
    assert log.quarantine == ()
    (hand,) = log.table.to_pylist()
    return hand


def played(log: HandLog) -> list[str]:
    """The events of the one hand in short: kind, seat, card, face, amount, pot, note, whatever is known."""
    assert sources.write(log, "out.jsonl") == ()
    (line,) = Path("out.jsonl").read_text(encoding="utf-8").splitlines()
    return [" ".join(str(value) for value in event.values()) for event in json.loads(line)["events"]]

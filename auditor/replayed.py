"""One hand, event by event: what was done, the state it left, and every verdict beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor import driver
from auditor.batch import BatchResult, audit_batch, files_of
from auditor.cards import CARDS
from auditor.checks.registry import VERDICTS
from auditor.findings import stands_at
from auditor.handlog import FACES, KINDS, RECORDS, SCHEMA, STAKES, HandLog, Quarantined, leaves
from auditor.plan import Plan
from auditor.plural import number_of
from auditor.reports.layout import aligned, plain
from auditor.reports.words import place, said
from auditor.sources import Batch, check_ranges

if TYPE_CHECKING:
    import pandas as pd

EVERY_VERDICT = VERDICTS[1:]
_ACTIONS = ("blind", "forced_bet", "check", "bet", "call", "raise", "fold")
_SHOWN = "event round kind seat player card face amount pot to_match must_act verdicts".split()
"""Columns of ``Replayed.frame`` that the terminal shows; the others change seldom or are for programs."""


class UnauditedError(ValueError):
    """A hand that is in the log but cannot be audited; the message says why."""


@dataclass(frozen=True)
class Replayed:
    """One hand replayed under a plan: prints itself, and shows itself in a notebook.

    ``table`` is the one row of the log; ``found`` what came of it, every kind of verdict written down;
    ``trace`` the state after each event; ``where`` is the place of the hand, and ``others`` are those of
    further hands with the same id.
    """

    plan: Plan
    table: pa.Table
    found: BatchResult
    trace: np.ndarray
    where: str
    others: tuple[str, ...]

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """Every verdict on the hand, as findings (``findings.FINDINGS``), in the order of the events."""
        import pandas as pd

        frame: pd.DataFrame = self.found.findings.to_pandas(types_mapper=pd.ArrowDtype)
        return frame

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row an event, with the state after it. Chips are minor units, seats are numbers, 0 is nobody.

        The event: ``event`` (from 0), ``round``, ``kind``, ``seat``, ``player``, ``card``, ``face``,
        ``amount``, ``of_pot`` (the pot an award or rake names, -1 none), ``note``. The state: ``pot`` (chips
        in it), ``to_match``, ``must_act`` (who is next, after an action); ``active``, ``all_in`` and ``dead``
        (seats, as in ``1 3 4``); ``stub``, ``burns``, ``cap`` (of an exposed card of the stub, -1 none),
        ``showing`` (up cards of the active seats). Last, ``verdicts`` in words.
        """
        import pandas as pd

        offsets, events = leaves(self.table, "events")
        events = {name: values[offsets[0] : offsets[-1]] for name, values in events.items()}
        players = {seat["seat"]: seat["player"] for seat in self.table.column("seats")[0].as_py()}
        notes = [event["note"] or "" for event in self.table.column("events")[0].as_py()]
        kinds = [KINDS[code] for code in events["kind"]]
        words: list[list[str]] = [[] for _ in notes]
        for row in self.found.findings.to_pylist():
            words[row["event"]].append(said(row))
        return pd.DataFrame(
            {
                "event": np.arange(len(notes)),
                "round": self.trace["betting_round"],
                "kind": kinds,
                "seat": events["seat"],
                "player": [players.get(seat, "") for seat in events["seat"].tolist()],
                "card": [CARDS[code] if code >= 0 else "" for code in events["card"]],
                "face": [FACES[code] if code >= 0 else "" for code in events["face"]],
                "amount": events["amount"],
                "of_pot": events["pot"],
                "note": notes,
                **{name: self.trace[name] for name in ("pot", "to_match")},
                "must_act": np.where(np.isin(kinds, _ACTIONS), self.trace["must_act"], 0),
                **{
                    name: [_seats(mask) for mask in self.trace[name]] for name in ("active", "all_in", "dead")
                },
                **{name: self.trace[name] for name in ("stub", "burns", "cap")},
                "showing": [_showing(state) for state in self.trace],
                "verdicts": ["; ".join(texts) for texts in words],
            }
        )

    def head(self) -> list[str]:
        """What hand it is and under which rules, line by line."""
        hand = self.table.drop_columns(["events"]).to_pylist()[0]
        named = ("table_id", "gaming_day", "shift", "dealer_id", "game", "structure")
        facts = [f"{name.removesuffix('_id').replace('_', ' ')} {hand[name]}" for name in named if hand[name]]
        amounts = [f"{name.replace('_', ' ')} {hand[name]}" for name in STAKES if hand[name] is not None]
        seats = [
            f"{seat['seat']} {seat['player']}" + (f" ({seat['stack']})" if seat["stack"] >= 0 else "")
            for seat in hand["seats"]
        ]
        records = [name for bit, name in enumerate(RECORDS) if hand["records"] >> bit & 1]
        lines = [
            f"Hand {hand['hand_id']}: {', '.join(facts)}",
            f"Log: {self.where}",
            f"Rules: {self.plan.rules.name}, {self.plan.rules.instrument}",
            f"Seats: {', '.join(seats)}",
            f"Recorded: {', '.join(records) or 'nothing beyond the actions'}",
        ]
        if amounts:
            lines.insert(3, f"Stakes: {', '.join(amounts)}")
        if self.others:
            lines.append(f"{number_of(len(self.others), 'more hand')} with this id: {'; '.join(self.others)}")
        return lines

    def tail(self) -> list[str]:
        """The contradictions of the log with itself, line by line."""
        return [
            f"Defect at event {row['event']}: {row['defect']}: {row['message']}"
            for row in self.found.defects.to_pylist()
        ]

    def _rows(self) -> Iterator[dict[str, Any]]:
        """The rows for people: nobody, no chips and what has not changed are left blank."""
        showing = ""
        for row in self.frame.to_dict("records"):
            row |= {name: row[name] or "" for name in ("seat", "amount", "must_act")}
            row["showing"], showing = "" if row["showing"] == showing else row["showing"], row["showing"]
            yield {str(name): value for name, value in row.items()}

    def __str__(self) -> str:
        rows = list(self._rows())
        header, *lines = aligned(_SHOWN, ([row[name] for name in _SHOWN] for row in rows))
        text = [*self.head(), "", header.replace("_", " ")]
        for line, row in zip(lines, rows, strict=True):
            text.append(line)
            text += [f"       {name}: {row[name]}" for name in ("showing", "note") if row[name]]
        return "\n".join(map(plain, [*text, *self.tail()]))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        columns = [*_SHOWN[:-1], "showing", "note", "verdicts"]
        head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(str(row[name]))}</td>" for name in columns) + "</tr>"
            for row in self._rows()
        )
        before, after = (
            "".join(f"<p>{escape(line)}</p>" for line in part) for part in (self.head(), self.tail())
        )
        return f"{before}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{after}"


def replay(plan: Plan, log: HandLog, hand_id: str, files: Sequence[str | None] = ()) -> Replayed:
    """The first hand of ``log`` with that id, under a plan that wants ``EVERY_VERDICT``.

    ``files`` are those that the hands were read from, where the log is one of ``only``. Raises ``KeyError``
    when there is no such hand, ``UnauditedError`` when there is but it cannot be audited.
    """
    refused = [entry for entry in log.quarantine if entry.hand_id == hand_id]
    try:
        found = log.hand(hand_id)
    except KeyError:
        if refused:
            raise _unaudited(hand_id, refused[0]) from None
        raise
    table, unfit = check_ranges(found.table)
    if not table.num_rows:
        raise _unaudited(hand_id, unfit[0])
    one = table.slice(0, 1).combine_chunks()
    trace = np.zeros(len(one.column("events")[0]), driver.TRACE).view(np.recarray)
    result = audit_batch(plan, Batch(one, (), None), trace)
    if result.quarantine:
        raise _unaudited(hand_id, result.quarantine[0])
    rows = table.select(["source", "source_line"]).to_pylist()
    where, *others = (place(*stands_at({"file": file, **row})) for file, row in zip_longest(files, rows))
    others += [f"{place(entry.source, entry.line)}, not audited" for entry in (*unfit, *refused)]
    return Replayed(plan, one, result, trace, where, tuple(others))


def only(hand_id: str, batches: Iterable[Batch]) -> tuple[HandLog, list[str | None]]:
    """The hands of ``batches`` with that id, read or quarantined, and the file of each that was read.

    The others are not held in memory. Raises ``KeyError`` when there is none.
    """
    kept, files, refused, read, unread = [SCHEMA.empty_table()], list[str | None](), [], 0, 0
    for batch in batches:
        read += batch.table.num_rows
        unread += len(batch.quarantine)
        mine = batch.table.filter(pc.equal(batch.table.column("hand_id"), hand_id))
        kept.append(mine)
        files += files_of(batch, mine).to_pylist()
        refused += [entry for entry in batch.quarantine if entry.hand_id == hand_id]
    log = HandLog(pa.concat_tables(kept).combine_chunks(), tuple(refused))
    if not log.read:
        raise KeyError(f"no hand {hand_id!r} among {number_of(read, 'hand')} read and {unread:,} quarantined")
    return log, files


def _unaudited(hand_id: str, entry: Quarantined) -> UnauditedError:
    where = place(entry.source, entry.line)
    return UnauditedError(f"hand {hand_id!r} ({where}) cannot be audited: {entry.reason}")


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(int(mask).bit_length()) if int(mask) >> bit & 1]


def _seats(mask: int) -> str:
    return " ".join(map(str, _bits(mask)))


def _showing(state: Any) -> str:
    hands = [(seat, _bits(state["up"][seat])) for seat in _bits(state["active"])]
    return " | ".join(f"{seat}: {' '.join(CARDS[card] for card in cards)}" for seat, cards in hands if cards)

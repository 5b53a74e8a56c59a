"""pokerkit as a second opinion on simulated hands that keep the schedule: ``make peer``.

Each hand is played again in pokerkit, event by event. Who opens and acts, what is legal, what is in the
pots, who wins what and when the hand is over must be the same to pokerkit, to the log and to the auditor's
replay, or the difference must be of a listed kind (``tests/proof/peer/kinds.py``) whose condition the hand
meets. What came of it is in ``docs/proof/second-opinion.md``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from auditor import driver
from auditor.batch import audit_batch
from auditor.handlog import HandLog
from auditor.plan import Plan
from auditor.simulate import simulate
from auditor.sources import Batch
from tests.proof.peer.follow import Follower, Opinion
from tests.proof.peer.hand import Hand
from tests.proof.peer.kinds import KINDS

ASSUMED = ("first-round-opener=low-card", "five-card-opener=highest-showing")
"""How the simulated house opens where the text that is loaded is silent."""
SHOWN = 5
"""Hands printed with what is unlisted about them."""


@dataclass
class Tally:
    """Hands and events followed, how often each question was asked, and how often each kind came up."""

    hands: int = 0
    events: int = 0
    compared: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    listed: Counter[tuple[str, str]] = field(default_factory=Counter)
    hands_of_kind: Counter[str] = field(default_factory=Counter)
    unlisted: list[Opinion] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)

    def add(self, opinion: Opinion) -> None:
        length = len(opinion.hand.events)
        self.hands += 1
        self.events += length
        self.compared += length if opinion.stopped is None else opinion.stopped
        self.asked += opinion.asked
        self.listed.update((name, difference.question) for name, difference in opinion.listed)
        self.hands_of_kind.update({name for name, _ in opinion.listed})
        self.breaches += [f"{opinion.hand.hand_id}: {breach}" for breach in opinion.breaches]
        if opinion.unlisted:
            self.unlisted.append(opinion)

    @property
    def agreed(self) -> bool:
        return not self.unlisted and not self.breaches

    def __str__(self) -> str:
        answers = sum(self.asked.values())
        differ = sum(self.listed.values())
        lines = [
            f"{self.hands:,} hands, {self.compared:,} of {self.events:,} events compared",
            f"{answers:,} answers, {differ:,} of them differ in a listed way",
            "",
            f"{'kind':26}{'question':12}{'answers':>9}{'hands':>8}",
        ]
        for listed in KINDS:
            for question in listed.questions:
                count, hands = self.listed[listed.name, question], self.hands_of_kind[listed.name]
                lines.append(f"{listed.name:26}{question:12}{count:9,}{hands:8,}")
        lines += ["", f"{'question':26}{'asked':>12}"]
        lines += [f"{question:26}{count:12,}" for question, count in sorted(self.asked.items())]
        lines += ["", f"unlisted: {len(self.unlisted)} hands; breaches found: {len(self.breaches)}"]
        return "\n".join([*lines, *self.breaches[:SHOWN], *map(told, self.unlisted[:SHOWN])])


def opinions(log: HandLog) -> Iterator[Opinion]:
    """What pokerkit makes of each hand of ``log``."""
    plan = Plan.make(assumptions=ASSUMED, verdicts=("breach",))
    for row in range(len(log)):
        one = log.table.slice(row, 1).combine_chunks()
        hand = Hand.of(one.to_pylist()[0])
        trace = np.zeros(len(hand.events), driver.TRACE).view(np.recarray)
        found = audit_batch(plan, Batch(one, (), ""), trace).findings
        opinion = Follower(hand, trace).follow()
        breaches = zip(found.column("event").to_pylist(), found.column("code").to_pylist(), strict=True)
        opinion.breaches += [f"event {event}, {code}" for event, code in breaches]
        yield opinion


def told(opinion: Opinion) -> str:
    """A hand with what is unlisted about it."""
    hand, said = opinion.hand, {}
    for difference in opinion.unlisted:
        said.setdefault(difference.event, []).append(
            f"{difference.question}: pokerkit {difference.theirs}, the log {difference.ours}"
        )
    events = [
        f"{at:4} {event!s:24}{'; '.join(said.get(at, []))}".rstrip() for at, event in enumerate(hand.events)
    ]
    return "\n".join(["", f"{hand.hand_id}, {hand.game}, {hand.structure}, stacks {hand.stacks}", *events])


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare simulated hands with pokerkit.")
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args()
    tally = Tally()
    for opinion in opinions(simulate(chosen.hands, seed=chosen.seed).log):
        tally.add(opinion)
    print(tally)
    return 0 if tally.agreed else 1


if __name__ == "__main__":
    sys.exit(main())

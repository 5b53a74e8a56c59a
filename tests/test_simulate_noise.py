"""Faults of logging: each is what its kind says, stands where the truth puts it, and touches nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import auditor
from auditor.handlog import SCHEMA
from auditor.simulate import Night, simulate
from auditor.simulate.noise import CONDITIONS, NOISE

Hand = dict[str, Any]
HANDS = 3000


@pytest.fixture(scope="module")
def as_played() -> list[Hand]:
    hands: list[Hand] = simulate(HANDS, seed=31).log.table.to_pylist()
    return hands


@pytest.fixture(scope="module")
def noisy() -> Night:
    return simulate(HANDS, seed=31, noise=0.6)


def logged_badly(night: Night, as_played: list[Hand]) -> list[tuple[str, int | None, Hand, Hand]]:
    """Kind and event of each hand with one fault, the hand as played and as logged."""
    alone = night.truth.groupby("hand_id").filter(lambda rows: len(rows) == 1)
    truth = {row["hand_id"]: row for row in alone.to_dict("records")}
    return [
        (truth[before["hand_id"]]["kind"], truth[before["hand_id"]]["event"], before, after)
        for before, after in zip(as_played, night.log.table.to_pylist(), strict=True)
        if before["hand_id"] in truth
    ]


def changed(before: Hand, after: Hand) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def only_fields(before: Hand, after: Hand, event: int, blanks: dict[str, int]) -> bool:
    """Whether one of those fields of that event, filled before, is blank and all else as it was."""
    was, now = before["events"], after["events"]
    fields = changed(was[event], now[event])
    assert len(was) == len(now) and was[:event] == now[:event] and was[event + 1 :] == now[event + 1 :]
    return len(fields) == 1 and all(name in blanks and now[event][name] == blanks[name] for name in fields)


def lost(before: Hand, after: Hand, event: Any) -> bool:
    was, now = before["events"], after["events"]
    at = next((i for i, e in enumerate(now) if e != was[i]), len(now))
    return not isinstance(event, int) and was[:at] + was[at + 1 :] == now


def doubled(before: Hand, after: Hand, event: int) -> bool:
    now = after["events"]
    return now[event] == now[event - 1] and before["events"] == now[:event] + now[event + 1 :]


def swapped(before: Hand, after: Hand, event: int) -> bool:
    was, now = before["events"], list(after["events"])
    now[event], now[event + 1] = now[event + 1], now[event]
    return was == now and now[event] != now[event + 1]


EVENT_FAULTS: dict[str, Callable[[Hand, Hand, int], bool]] = {
    "event-lost": lost,
    "event-doubled": doubled,
    "event-swapped": swapped,
    "field-blanked": lambda b, a, at: only_fields(b, a, at, {"amount": 0, "face": -1, "pot": -1}),
    "card-unknown": lambda b, a, at: only_fields(b, a, at, {"card": -1}),
    "seat-blanked": lambda b, a, at: only_fields(b, a, at, {"seat": 0}),
}


@pytest.mark.parametrize("kind", EVENT_FAULTS)
def test_a_fault_of_an_event_is_what_and_where_the_truth_says(
    kind: str, noisy: Night, as_played: list[Hand]
) -> None:
    found = [each for each in logged_badly(noisy, as_played) if each[0] == kind]
    assert len(found) > 50
    for _, event, before, after in found:
        assert changed(before, after) == {"events"}
        assert EVENT_FAULTS[kind](before, after, event)  # type: ignore[arg-type]


def test_a_stack_or_a_condition_of_the_hand_is_blanked(noisy: Night, as_played: list[Hand]) -> None:
    conditions = set()
    found = [
        each for each in logged_badly(noisy, as_played) if each[0] in ("stack-blanked", "condition-blanked")
    ]
    assert {kind for kind, *_ in found} == {"stack-blanked", "condition-blanked"}
    for kind, event, before, after in found:
        assert not isinstance(event, int)
        (column,) = changed(before, after)
        if kind == "stack-blanked":
            assert column == "seats"
            (seat,) = [
                i for i, (x, y) in enumerate(zip(before["seats"], after["seats"], strict=True)) if x != y
            ]
            assert after["seats"][seat] == {**before["seats"][seat], "stack": -1}
        else:
            assert before[column] is not None and after[column] is None
            conditions.add(column)
    assert conditions == set(CONDITIONS)


def test_several_faults_of_a_hand_lie_apart(noisy: Night) -> None:
    counts = noisy.truth.groupby("hand_id").size()
    assert set(counts) == {1, 2, 3}
    named = noisy.truth[noisy.truth.event.notna()]
    assert not named.duplicated(["hand_id", "event"]).any()
    lengths = noisy.log.events.groupby("hand_id").size()
    assert ((named.event >= 0) & (named.event < named.hand_id.map(lengths))).all()


def test_hands_without_a_fault_are_as_played_and_the_others_are_not(
    noisy: Night, as_played: list[Hand]
) -> None:
    hit = set(noisy.truth.hand_id)
    assert 0.55 < len(hit) / HANDS < 0.65
    assert set(noisy.truth.kind) == set(NOISE) and noisy.truth.code.isna().all()
    for before, after in zip(as_played, noisy.log.table.to_pylist(), strict=True):
        assert (before != after) == (before["hand_id"] in hit)
    noisy.log.table.validate(full=True)
    assert noisy.log.table.schema.equals(SCHEMA, check_metadata=True)


def test_a_hand_has_a_breach_or_faults_of_logging_never_both() -> None:
    both, breached = simulate(1000, seed=8, plant=0.3, noise=0.3), simulate(1000, seed=8, plant=0.3)
    logging = both.truth.code.isna()
    planted = set(both.truth.hand_id[~logging])
    assert planted and not planted & set(both.truth.hand_id[logging])
    assert both.truth[~logging].reset_index(drop=True).equals(breached.truth)
    kept = pa.array([hand in planted for hand in both.log.table["hand_id"].to_pylist()])
    assert both.log.table.filter(kept).equals(breached.log.table.filter(kept))
    order = both.log.table["hand_id"].to_pylist().index
    assert both.truth.hand_id.map(order).is_monotonic_increasing


def test_every_hand_may_be_noisy_or_broken_and_no_more() -> None:
    full = simulate(300, seed=2, plant=0.25, noise=0.75)
    assert full.truth.hand_id.nunique() == 300
    with pytest.raises(ValueError, match=r"noise = 0\.5: give the share of hands logged badly"):
        simulate(300, plant=0.75, noise=0.5)


def test_the_auditor_reads_it_all_and_leaves_out_what_names_no_seat(noisy: Night) -> None:
    result = auditor.audit(noisy.log)
    blank = set(noisy.truth.hand_id[noisy.truth.kind == "seat-blanked"])
    assert blank and set(result.quarantine.hand_id) == blank
    assert (result.read, result.audited) == (HANDS, HANDS - len(blank))

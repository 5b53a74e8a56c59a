"""Hashes that came before, in whatever portions they come."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from auditor.seen import Seen

portions = st.lists(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 9), max_size=12), max_size=12)


@given(portions)
def test_what_came_before_is_told_and_nothing_else(given_hashes: list[list[int]]) -> None:
    seen, known = Seen(), set()
    for portion in given_hashes:
        expected = []
        for value in portion:
            expected.append(value in known)
            known.add(value)
        assert seen.again(np.array(portion, np.int64)).tolist() == expected


def test_the_runs_stay_few_and_hold_each_hash_once() -> None:
    seen = Seen()
    for start in range(0, 4096, 64):
        seen.again(np.arange(start, start + 64))
        seen.again(np.arange(start, start + 64))
    assert len(seen.runs) < 13
    assert sum(map(len, seen.runs)) == 4096

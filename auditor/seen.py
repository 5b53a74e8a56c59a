"""Which hands came before, in a log of any length."""

from __future__ import annotations

import numpy as np


class Seen:
    """Hashes that came before, in sorted runs each at least twice as long as the next: 8 bytes a hash."""

    def __init__(self) -> None:
        self.runs: list[np.ndarray] = []

    def again(self, hashes: np.ndarray) -> np.ndarray:
        """Which of the ``hashes`` came before, in an earlier call or earlier in this one; remember them."""
        order = np.argsort(hashes, kind="stable")
        run = hashes[order]  # sorted, so that what is looked up one after the other lies close together
        came = np.zeros(len(hashes), bool)
        came[1:] = run[1:] == run[:-1]
        for earlier in self.runs:
            at = np.searchsorted(earlier, run)
            came |= earlier[np.minimum(at, len(earlier) - 1)] == run
        again = np.empty(len(hashes), bool)
        again[order] = came
        run = run[~came]
        while self.runs and len(self.runs[-1]) < 2 * len(run):
            run = np.concatenate([self.runs.pop(), run])
            run.sort(kind="stable")  # in place, and sorted parts are merged
        if len(run):
            self.runs.append(run)
        return again

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
        alike = hashes[order[1:]] == hashes[order[:-1]]
        again = np.zeros(len(hashes), bool)
        again[order[1:][alike]] = True
        for earlier in self.runs:
            at = np.searchsorted(earlier, hashes)
            again |= earlier[np.minimum(at, len(earlier) - 1)] == hashes
        run = np.sort(hashes[~again])
        while self.runs and len(self.runs[-1]) < 2 * len(run):
            run = np.sort(np.concatenate([self.runs.pop(), run]), kind="stable")  # which merges sorted parts
        if len(run):
            self.runs.append(run)
        return again

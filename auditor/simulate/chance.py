"""Chance: one small generator a hand, and the deck that it shuffles.

The generator is Marsaglia's xorshift of 64 bits; its first state is a hash of the run's seed and the
hand's number, so that no hand depends on any other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from auditor._jit import jit
from auditor.handlog import UNKNOWN
from auditor.simulate.state import BURN, RESHUFFLE, Hand, emit_act, emit_card

_13, _7, _17, _33 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(33)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def hashed(seed: int, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Well mixed, never zero 64-bit words, one a number (the finaliser of splitmix64, twice)."""
    words = numbers.astype(np.uint64) ^ (np.full(1, seed % 2**64, np.uint64) * _GOLDEN)
    for _ in range(2):
        words = words + _GOLDEN
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        words = words ^ (words >> np.uint64(31))
    return np.maximum(words, np.uint64(1))


@jit
def below(h: Hand, n: int) -> int:
    """A whole number from 0 to ``n`` - 1; ``n`` is small against 2**31."""
    x = h.random
    x ^= x << _13
    x ^= x >> _7
    x ^= x << _17
    h.random = x
    return int(np.uint32(x >> _33) % np.uint32(n))


@jit
def happens(h: Hand, per_mille: int) -> bool:
    return below(h, 1000) < per_mille


@jit
def shuffle(h: Hand) -> None:
    """Shuffle the stub."""
    for i in range(h.end - 1, h.next, -1):
        j = h.next + below(h, i - h.next + 1)
        h.deck[i], h.deck[j] = h.deck[j], h.deck[i]


@jit
def new_deck(h: Hand) -> None:
    for card in range(52):
        h.deck[card] = card
    h.next, h.end = 0, 52
    shuffle(h)


@jit
def stub(h: Hand) -> int:
    """Cards not yet dealt."""
    return int(h.end - h.next)


@jit
def take(h: Hand) -> int:
    """The top card of the stub. Without one the hand is void."""
    if h.next == h.end:
        h.void = 1
        return 0
    card = h.deck[h.next]
    h.next += 1
    return int(card)


@jit
def put_on_top(h: Hand, rank: int) -> None:
    """Steer: let the next card be of ``rank`` if the stub holds one. Never moves a card seen by all."""
    if h.exposed != UNKNOWN:
        return
    for i in range(h.next, h.end):
        if h.deck[i] // 4 == rank:
            h.deck[i], h.deck[h.next] = h.deck[h.next], h.deck[i]
            return


@jit
def burn_card(h: Hand, card: int) -> None:
    """Lay ``card``, already off the deck, on the burns."""
    h.burned[h.burns] = card
    h.burns += 1
    emit_card(h, BURN, 0, card, UNKNOWN)


@jit
def reshuffle(h: Hand) -> None:
    """Shuffle the burns and what is left of the stub into a new stub."""
    n = 0
    for i in range(h.next, h.end):
        h.deck[n] = h.deck[i]
        n += 1
    for i in range(h.burns):
        h.deck[n] = h.burned[i]
        n += 1
    h.next, h.end, h.burns = 0, n, 0
    shuffle(h)
    emit_act(h, RESHUFFLE, 0)

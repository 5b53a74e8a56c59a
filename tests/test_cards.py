"""Cards as text and the strength of sets of cards, against references that share nothing with the tables."""

from __future__ import annotations

import importlib.util
from collections import Counter
from itertools import chain, combinations, combinations_with_replacement, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import StandardHighHand

import auditor.strength as module
from auditor._jit import jit
from auditor.cards import CARDS, card_code, card_text
from auditor.strength import (
    category,
    showing_strength,
    strength,
    tie_card_highest,
    tie_card_made,
    top_of_best_five,
)

FREQUENCIES = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
"""How many of all five-card hands are high card, pair, two pairs, ... straight flush."""

EXTREMES = [
    ("7c 5d 4h 3s 2c", "Ac Kd Qh Js 9c"),
    ("2c 2d 5h 4s 3c", "Ac Ad Kh Qs Jc"),
    ("3c 3d 2h 2s 4c", "Ac Ad Kh Ks Qc"),
    ("2c 2d 2h 4s 3c", "Ac Ad Ah Ks Qc"),
    ("Ac 2d 3h 4s 5c", "Tc Jd Qh Ks Ac"),
    ("7h 5h 4h 3h 2h", "As Ks Qs Js 9s"),
    ("2c 2d 2h 3s 3c", "Ac Ad Ah Ks Kc"),
    ("2c 2d 2h 2s 3c", "Ac Ad Ah As Kc"),
    ("Ad 2d 3d 4d 5d", "Ts Js Qs Ks As"),
]
"""The weakest and the strongest hand of each category, weakest category first."""


def mask_of(cards) -> int:
    """The mask of card codes, or of cards as text with spaces between."""
    codes = map(card_code, cards.split()) if isinstance(cards, str) else cards
    return sum(1 << int(code) for code in codes)


def masks_of(hands: np.ndarray) -> np.ndarray:
    """(k, n) card codes, one hand a column, to n masks."""
    return (np.int64(1) << hands.astype(np.int64)).sum(axis=0)


@jit
def strengths_into(masks, strengths):
    for i in range(len(masks)):
        strengths[i] = strength(masks[i])


def strengths_of(hands: np.ndarray) -> np.ndarray:
    strengths = np.empty(hands.shape[1], np.int64)
    strengths_into(masks_of(hands), strengths)
    return strengths


def five_card_score(hands: np.ndarray) -> np.ndarray:
    """(5, n) card codes to n scores: the category, then the five ranks in the order in which they count."""
    ranks, suits = hands // 4, hands % 4
    copies = np.array([(ranks == rank).sum(axis=0, dtype=np.int8) for rank in ranks])
    ordered = np.sort(16 * copies + ranks, axis=0)[::-1] % 16
    pattern = copies.sum(axis=0)
    wheel = (ordered == np.array([[12], [3], [2], [1], [0]])).all(axis=0)
    straight = (pattern == 5) & ((ordered[0] - ordered[4] == 4) | wheel)
    flush = (suits == suits[0]).all(axis=0)
    kind = np.select(
        [
            straight & flush,
            pattern == 17,
            pattern == 13,
            flush,
            straight,
            pattern == 11,
            pattern == 9,
            pattern == 7,
        ],
        [8, 7, 6, 5, 4, 3, 2, 1],
        0,
    )
    score = kind
    for rank in np.where(wheel, ordered[1:2] - [[0], [1], [2], [3], [3]], ordered):  # the ace comes last
        score = 16 * score + rank
    return score


def best_score(hands: np.ndarray) -> np.ndarray:
    """(k, n) card codes to the n best scores of any five of the k cards."""
    subsets = combinations(range(len(hands)), 5)
    return np.maximum.reduce([five_card_score(hands[list(subset)]) for subset in subsets])


def random_hands(rng: np.random.Generator, size: int, count: int) -> np.ndarray:
    """(size, count) card codes, each column without replacement."""
    return rng.random((count, 52), np.float32).argpartition(size, axis=1)[:, :size].T.astype(np.int8)


def assert_same_order(values: np.ndarray, scores: np.ndarray) -> None:
    """Every two hands compare by ``values`` as they do by ``scores``, ties included."""
    order = np.lexsort((values, scores))
    np.testing.assert_array_equal(np.sign(np.diff(values[order])), np.sign(np.diff(scores[order])))


def showing_score(cards) -> tuple[int, list[int]]:
    """One to four cards as (category, ranks in the order in which they count)."""
    groups = sorted(((n, rank) for rank, n in Counter(card // 4 for card in cards).items()), reverse=True)
    kind = {(4,): 7, (3,): 3, (3, 1): 3, (2, 2): 2}.get(tuple(n for n, _ in groups), int(groups[0][0] == 2))
    return kind, [rank for _, rank in groups]


def hands(smallest: int, largest: int) -> st.SearchStrategy[list[int]]:
    """Sets of card codes, often from few ranks or few suits, where hands tie and categories meet."""
    deck = st.integers(0, 51)
    few_ranks = st.sampled_from([card for card in range(52) if card // 4 in (0, 5, 12)])
    few_suits = st.sampled_from([card for card in range(52) if card % 4 == 2 or card > 46])
    return st.one_of(
        st.lists(cards, min_size=smallest, max_size=largest, unique=True)
        for cards in (deck, few_ranks, few_suits)
    )


def test_cards_as_text_and_back():
    assert [card_code(text) for text in ("2c", "2d", "Td", "As")] == [0, 1, 33, 51]
    assert [card_code(card_text(code)) for code in range(52)] == list(range(52))


@pytest.mark.parametrize("text", ["", "K", "ks", "10h", "Kx", "Ks ", "1c"])
def test_text_that_is_no_card_is_refused(text):
    with pytest.raises(ValueError, match="is no card: write one rank"):
        card_code(text)


@pytest.mark.parametrize("code", [-1, 52])
def test_code_that_is_no_card_is_refused(code):
    with pytest.raises(ValueError, match=f"^{code} is no card code"):
        card_text(code)


def test_every_five_card_hand():
    every = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int8).reshape(-1, 5).T
    values = strengths_of(every)
    kinds = np.array([category(value) for value in np.unique(values)])
    assert np.bincount(values >> 26).tolist() == FREQUENCIES
    assert np.bincount(kinds).tolist() == [1277, 2860, 858, 858, 10, 1277, 156, 156, 10]
    assert_same_order(values, five_card_score(every))


@pytest.mark.parametrize(("size", "count"), [(6, 200_000), (7, 1_000_000)])
def test_best_five_of_random_hands(size, count):
    dealt = random_hands(np.random.default_rng(size), size, count)
    values, scores = strengths_of(dealt), best_score(dealt)
    np.testing.assert_array_equal(values >> 26, scores >> 20)
    assert_same_order(values, scores)


def test_categories_meet_at_their_extremes():
    for kind, extremes in enumerate(EXTREMES):
        assert [category(strength(mask_of(cards))) for cards in extremes] == [kind, kind]
    values = [strength(mask_of(cards)) for extremes in EXTREMES for cards in extremes]
    assert values == sorted(set(values))


@pytest.mark.parametrize("suits", ["ccccc", "cdhsc"])
def test_ace_is_low_in_the_lowest_straight_only(suits):
    heads = ["A2345", "23456", "34567", "9TJQK", "TJQKA"]
    texts = [" ".join(map("".join, zip(ranks, suits, strict=True))) for ranks in heads]
    values = [strength(mask_of(text)) for text in texts]
    assert values == sorted(set(values))
    wrapped = " ".join(map("".join, zip("QKA23", suits, strict=True)))
    assert category(strength(mask_of(wrapped))) == (5 if suits == "ccccc" else 0)


def test_pokerkit_agrees():
    dealt = random_hands(np.random.default_rng(3), 7, 2_000)
    theirs = [StandardHighHand.from_game("".join(CARDS[card] for card in cards)) for cards in dealt.T]
    ours = strengths_of(dealt)
    for (hand, value), (other, other_value) in pairwise(zip(theirs, ours, strict=True)):
        assert ((hand > other) - (hand < other)) == np.sign(value - other_value)


def test_every_showing_hand_ranks_in_order():
    multisets = chain.from_iterable(combinations_with_replacement(range(13), size) for size in range(1, 5))
    shown = [[4 * rank + suit for suit, rank in enumerate(ranks)] for ranks in multisets]
    shown.sort(key=showing_score)
    values = [showing_strength(mask_of(cards)) for cards in shown]
    assert len(values) == 13 + 91 + 455 + 1820
    assert all(low < high for low, high in pairwise(values))


@settings(deadline=None)  # the first call compiles
@given(hands(1, 4), hands(1, 4))
def test_showing_hands_compare_by_rank_alone(cards, others):
    value, other = showing_strength(mask_of(cards)), showing_strength(mask_of(others))
    score, other_score = showing_score(cards), showing_score(others)
    assert category(value) == score[0]
    assert (value > other, value == other) == (score > other_score, score == other_score)


@settings(deadline=None)  # the first call compiles
@given(hands(1, 7))
def test_card_that_breaks_a_tie(cards):
    copies = Counter(card // 4 for card in cards)
    made = max(copies, key=lambda rank: (copies[rank], rank))
    assert tie_card_highest(mask_of(cards)) == max(cards)
    assert tie_card_made(mask_of(cards)) == max(card for card in cards if card // 4 == made)


@settings(deadline=None)  # the first call compiles
@given(hands(5, 7))
def test_top_of_best_five(cards):
    subsets = np.array(list(combinations(cards, 5)), np.int8).T
    scores = five_card_score(subsets)
    assert top_of_best_five(mask_of(cards)) == subsets[:, scores == scores.max()].max()


@pytest.mark.parametrize(
    ("cards", "top"),
    [
        ("Ad 2d 3d 4d 5d As Kc", "Ad"),  # not the ace of spades: that five is no straight flush
        ("Ah 5h 6h 7h 8h 9h 2c", "9h"),  # the ace of the suit is outside the straight
        ("Ac 2d 3h 4s 5c Ad Ks", "Ad"),  # an ace-low straight is topped by its better ace
        ("2c 2d 2h 2s As Ac Kd", "As"),
    ],
)
def test_top_of_best_five_where_it_is_easily_missed(cards, top):
    assert top_of_best_five(mask_of(cards)) == card_code(top)


@pytest.mark.parametrize("size", [8, 9])
def test_more_than_seven_cards_are_worth_their_best_five(size):
    rng = np.random.default_rng(size)
    for ranks in (13, 13, 4, 3):  # the fewer the ranks, the more often four of a kind come twice
        for _ in range(100):
            cards = rng.choice(4 * ranks, size, replace=False)
            fives = [mask_of(five) for five in combinations(cards, 5)]
            best = max(strength(five) for five in fives)
            assert strength(mask_of(cards)) == best
            top = max(max(cards_in(five)) for five in fives if strength(five) == best)
            assert top_of_best_five(mask_of(cards)) == top


def cards_in(mask):
    return [card for card in range(52) if mask >> card & 1]


def test_plain_python_agrees_with_compiled_code(monkeypatch):
    monkeypatch.setenv("AUDITOR_COMPILE", "0")
    spec = importlib.util.spec_from_file_location("plain_strength", module.__file__)
    plain = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plain)
    rng = np.random.default_rng(11)
    drawn = product(range(1, 8), range(300))
    masks = [mask_of(rng.choice(52, size, replace=False)) for size, _ in drawn]
    for name in ("strength", "showing_strength", "tie_card_highest", "tie_card_made", "top_of_best_five"):
        compiled, interpreted = getattr(module, name), getattr(plain, name)
        assert not hasattr(interpreted, "py_func")
        assert [compiled(mask) for mask in masks] == [interpreted(mask) for mask in masks]


def test_bounds_are_checked_on_request(monkeypatch):
    monkeypatch.delenv("AUDITOR_COMPILE", raising=False)
    monkeypatch.setenv("AUDITOR_BOUNDSCHECK", "1")
    with pytest.raises(IndexError):
        jit(lambda values: values[3])(np.zeros(3))

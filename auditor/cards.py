"""Cards as small integers: code = 4 * rank + suit, so a higher code is a higher card by rank, then suit.

Ranks run 2..A as 0..12; suits run clubs, diamonds, hearts, spades as 0..3, the order in which the
schedule ranks them (NZ Gazette 1999 No. 11, p. 281).
"""

from __future__ import annotations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARDS: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""Every card as text, by code: ``CARDS[51] == "As"``."""

_CODES = {text: code for code, text in enumerate(CARDS)}


def card_code(text: str) -> int:
    """The code, 0-51, of a card written like ``Ks``; ``ValueError`` for any other text."""
    try:
        return _CODES[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is no card: write one rank of {RANKS} and one suit of {SUITS}, as in 'Ks' or 'Td'"
        ) from None


def card_text(code: int) -> str:
    """The card of a code, 0-51, as text; ``ValueError`` for any other number."""
    if not 0 <= code < len(CARDS):
        raise ValueError(f"{code} is no card code: codes run from 0 ({CARDS[0]}) to 51 ({CARDS[51]})")
    return CARDS[code]

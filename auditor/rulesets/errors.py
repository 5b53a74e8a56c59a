"""What is said of a rule set, or a choice from one, that cannot be used."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable


class RuleSetError(ValueError):
    """A rule set, or a choice from one, that cannot be used; the message says where, why and the remedy."""


def instead(word: str, known: Collection[str]) -> str:
    """The remedy for a word that is not among those ``known``."""
    near = difflib.get_close_matches(word, known, 1)
    return f"; did you mean {near[0]}?" if near else there_are(known)


def there_are(known: Iterable[str]) -> str:
    """The remedy that lists all there is to choose from."""
    return f"; there are: {', '.join(sorted(known)) or 'none'}"

"""What is said of a rule set, or a choice from one, that cannot be used."""

from __future__ import annotations


class RuleSetError(ValueError):
    """A rule set, or a choice from one, that cannot be used; the message says where, why and the remedy."""

"""A file of a rule set: a clause is called by its code."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.rulesets.errors import RuleSetError
from auditor.tomlfile import TomlFile


class Source(TomlFile):
    """A file of a rule set; whatever is wrong with it is a ``RuleSetError``."""

    Error = RuleSetError

    def words(self, loc: Sequence[str | int]) -> list[str]:
        words = super().words(loc)
        if tuple(loc[:1]) == ("clause",) and len(loc) > 1:
            table = self.data["clause"][loc[1]]
            if isinstance(table, dict) and "code" in table:
                words[:2] = [str(table["code"])]
        return words

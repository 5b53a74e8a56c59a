"""Rule sets: folders of TOML that say which clauses apply, since when, and with which parameters.

``load`` validates a rule set and everything it extends, ``configure`` narrows it to what a user asked for,
``RuleSet.edition_on`` picks the clauses in force on a gaming day. Whatever is wrong with a file is a
``RuleSetError`` that names file, line, key and remedy. No rule set is known here by name.
"""

from __future__ import annotations

from auditor.rulesets.choosing import configure
from auditor.rulesets.errors import RuleSetError
from auditor.rulesets.loading import available, load
from auditor.rulesets.model import Book, Clause, Edition, Reading, RuleSet, content_hash
from auditor.rulesets.schema import json_schema, write_schemas
from auditor.rulesets.tables import (
    Audited,
    Citation,
    ClauseTable,
    NotCovered,
    Page,
    PageNumber,
    Severity,
    Topic,
)

__all__ = [
    "Audited",
    "Book",
    "Citation",
    "Clause",
    "ClauseTable",
    "Edition",
    "NotCovered",
    "Page",
    "PageNumber",
    "Reading",
    "RuleSet",
    "RuleSetError",
    "Severity",
    "Topic",
    "available",
    "configure",
    "content_hash",
    "json_schema",
    "load",
    "write_schemas",
]

"""The checks: pure functions of (event, state), registered by name as their modules are imported."""

from auditor.checks import (  # noqa: F401
    action,
    button,
    dealing,
    exposure,
    initial,
    money,
    opener,
    position,
    pots,
    shortage,
    showdown,
)
from auditor.checks.registry import CHECKS

__all__ = ["CHECKS"]

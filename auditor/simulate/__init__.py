"""Nights of play with known breaches, to measure an audit by.

The simulator knows the rules on its own account: it shares nothing with the replay, the checks or the
rule sets, so that an agreement of the two means something. What it plants, and how, is in ``plants``.
"""

from auditor.simulate.night import Night, NightError, simulate
from auditor.simulate.plants import PLANTED_CODES, PLANTS, Plant

__all__ = ["PLANTED_CODES", "PLANTS", "Night", "NightError", "Plant", "simulate"]

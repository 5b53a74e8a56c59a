"""What can be planted: for each obligation the ways in which a hand may break it.

A planted hand breaks one obligation by one act. Some acts break two texts at once (chips pushed to a
folded player: the dead hand, and the showdown), and then both are put down. The *slips* that carry a
breach out stand beside the lawful steps: ``dealing_slips``, ``betting_slips``, ``showdown_slips``.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from auditor._jit import jit
from auditor.simulate.chance import happens
from auditor.simulate.state import DOUBTFUL, FIVE, SEATS, SEVEN, Hand, Situation


class Code(IntEnum):
    """Obligations by their permanent codes. ``NOTHING``: none applies."""

    NOTHING = -1
    DEA01 = 0
    DEA02 = 1
    DEA03 = 2
    DEA04 = 3
    DEA05 = 4
    DEA11 = 5
    DEA12 = 6
    DEA14 = 7
    DEA15 = 8
    OPN02 = 9
    OPN03 = 10
    OPN11 = 11
    OPN12 = 12
    OPN13 = 13
    OPN14 = 14
    OPN20 = 15
    FIN02 = 16
    ACT01 = 17
    ACT02 = 18
    ACT03 = 19
    ACT11 = 20
    ACT12 = 21
    ACT13 = 22
    END01 = 23
    END11 = 24
    SHT01 = 25
    SHT02 = 26
    SHT11 = 27
    SHT12 = 28
    EXP01 = 29
    EXP02 = 30
    EXP03 = 31
    EXP04 = 32
    POS01 = 33
    POS02 = 34
    INI01 = 35
    INI02 = 36
    INI03 = 37
    FIN01 = 38
    SHO01 = 39
    SHO02 = 40
    SHO03 = 41
    SPL01 = 42
    SPL02 = 43
    ANT01 = 44
    STK01 = 45
    ALL01 = 46
    CAL01 = 47
    FIX01 = 48
    SPR01 = 49
    CAP01 = 50
    DED01 = 51
    SPK01 = 52
    DEA13 = 53


class Slip(IntEnum):
    """Ways to break an obligation."""

    NO_BURN = 0
    TWO_BURNS = 1
    LATE_BURN = 2
    PLAYER_SKIPPED = 3
    FOLDED_DEALT = 4
    FACE_DOWN = 5
    PASSED_OVER = 6
    DEALT_ON = 7
    NEXT_BEST = 8
    LOW_HAND = 9
    SUIT_TIE = 10
    COMMUNITY_COUNTED = 11
    ALL_IN = 12
    OUT_OF_TURN = 13
    FOLDED_ACTS = 14
    ALL_IN_ACTS = 15
    AFTER_END = 16
    CHECK_FACING = 17
    SHORT_RAISE = 18
    UNASKED = 19
    UNMATCHED = 20
    TO_FOLDED = 21
    TO_MUCKED = 22
    COMMUNITY_TOO_SOON = 23
    NEEDLESS_COMMUNITY = 24
    NEEDLESS_RESHUFFLE = 25
    RESHUFFLE_TOO_FEW = 26
    MUCK_DEALT = 27
    STUB_LEFT = 28
    MIDWAY_COMMUNITY = 29
    OVER_CAP = 30
    SET_ASIDE = 31
    DEALT_LATER = 32
    RESHUFFLED = 33
    DEAD_SKIPPED = 34
    DEALT_AFTER_WAGER = 35
    DEAD_ACTS = 36
    THIRD_UP = 37
    NO_REPLACEMENT = 38
    WRONG_CARD = 39
    SUBSTITUTE_UP = 40
    OTHER_BURN = 41
    DOWN_LATER = 42
    WRONG_FIRST = 43
    WINNER_MUCKS = 44
    WINNER_UNSHOWN = 45
    SECOND_BEST = 46
    SHARED = 47
    UNEQUAL = 48
    ALL_TO_ONE = 49
    WRONG_HAND = 50
    SHORT_ANTE = 51
    OVER_ANTE = 52
    NO_ANTE = 53
    BET_BEYOND = 54
    CALL_BEYOND = 55
    SIDE_POT = 56
    SHORT_CALL = 57
    OVER_CALL = 58
    OVER_SIZE = 59
    UNDER_SIZE = 60
    ONE_RAISE_MORE = 61
    CALLED_MUCKS = 62
    SECOND_COMMUNITY = 63
    COMMUNITY_DOWN = 64
    BELOW_CHIP = 65

    @property
    def kind(self) -> str:
        """The name by which the truth calls it: ``next-best``."""
        return self.name.lower().replace("_", "-")


class Plant(NamedTuple):
    """A way to break an obligation, the games in which it can be done, and the hand that it needs."""

    code: Code
    slip: Slip
    games: tuple[int, ...]
    situation: Situation


def _plants() -> tuple[Plant, ...]:
    plants: list[Plant] = []

    def ways(codes: str, slips: str, games: tuple[int, ...], situation: Situation = Situation.PLAIN) -> None:
        plants.extend(
            Plant(Code[code], Slip[slip.replace("-", "_").upper()], games, situation)
            for code in codes.split()
            for slip in slips.split()
        )

    seven, five, both = (SEVEN,), (FIVE,), (SEVEN, FIVE)
    ways("DEA01 DEA11", "no-burn two-burns late-burn", seven)
    ways("DEA02 DEA12", "player-skipped folded-dealt", seven)
    ways("DEA03", "face-down", seven)
    ways("DEA04 DEA14", "passed-over", seven)
    ways("DEA05 DEA15 END01", "dealt-on", seven)
    ways("OPN02 OPN03", "next-best low-hand", seven)
    ways("OPN02 OPN03", "suit-tie", seven, Situation.TWINS)
    ways("OPN03", "community-counted", seven, Situation.FULL_TABLE)
    ways("OPN11 OPN13", "all-in", five, Situation.SHORT_STACKS)
    ways("OPN12 OPN14", "all-in", seven, Situation.SHORT_STACKS)
    ways("OPN14", "next-best", seven, Situation.SHORT_STACKS)
    ways("OPN20", "next-best community-counted", five, Situation.FULL_TABLE)
    ways("FIN02", "next-best low-hand", seven, Situation.SEVENTH_UP)
    ways("ACT01 ACT11", "out-of-turn folded-acts after-end", seven)
    ways("ACT01 ACT11", "all-in-acts", seven, Situation.SHORT_STACKS)
    ways("ACT02 ACT12", "check-facing short-raise", seven)
    ways("ACT03 ACT13", "unasked unmatched", seven)
    ways("END01 END11", "to-folded", seven)
    ways("SHT01", "community-too-soon reshuffle-too-few", seven, Situation.FULL_TABLE)
    ways("SHT01", "needless-community needless-reshuffle", seven)
    ways("SHT01", "second-community", seven, Situation.FULL_TABLE)
    ways("SHT02", "muck-dealt", seven, Situation.FULL_TABLE)
    ways("SHT11", "stub-left midway-community", five, Situation.NOTICED_LATE)
    ways("SHT12", "stub-left midway-community", seven, Situation.NOTICED_LATE)
    ways("EXP01", "over-cap", five, Situation.EXPOSED)
    ways("EXP02", "over-cap", seven, Situation.EXPOSED)
    ways("EXP03", "set-aside dealt-later reshuffled", five, Situation.EXPOSED)
    ways("EXP04", "set-aside dealt-later reshuffled", seven, Situation.EXPOSED)
    ways("POS01", "dead-skipped dealt-after-wager dead-acts", seven, Situation.QUIET)
    ways("POS02", "dead-skipped dealt-after-wager dead-acts", five, Situation.QUIET)
    ways("INI01", "third-up", seven, Situation.ONE_UP)
    ways("INI02", "no-replacement wrong-card other-burn", seven, Situation.TWO_UP)
    ways("INI03", "substitute-up", seven, Situation.TWO_UP)
    ways("FIN01", "down-later", seven, Situation.SEVENTH_UP)
    ways("SHO01", "wrong-first called-mucks", seven)
    ways("SHO02", "winner-mucks winner-unshown", seven)
    ways("SHO03", "second-best shared to-folded to-mucked", seven)
    ways("SPL01", "unequal all-to-one below-chip", seven, Situation.TWINS)
    ways("SPL02", "wrong-hand", seven, Situation.TWINS)
    ways("ANT01", "short-ante over-ante no-ante", both)
    ways("STK01", "bet-beyond call-beyond", both, Situation.SHORT_STACKS)
    ways("ALL01", "side-pot", both, Situation.SHORT_STACKS)
    ways("CAL01", "short-call over-call", both)
    ways("FIX01 SPR01", "over-size under-size", both)
    ways("CAP01", "one-raise-more", both, Situation.RAISING)
    ways("DED01", "to-folded to-mucked", both)
    ways("SPK01", "second-best shared", both)
    ways("DEA13", "community-down", seven, Situation.FULL_TABLE)
    return tuple(plants)


PLANTS = _plants()
PLANTED_CODES = tuple(dict.fromkeys(plant.code.name for plant in PLANTS))

NEEDS_DOWN_CARDS = frozenset(
    Code[code] for code in "SHT02 EXP04 SHO02 SHO03 SPL01 SPL02 ALL01 DED01 SPK01".split()
)
"""Obligations that cannot be judged where down cards stay unknown."""


@jit
def wanted(h: Hand, slip: Slip, code: Code) -> bool:
    """Whether the planted breach is this slip against this obligation, and is still to come."""
    return bool(h.planted == 0 and h.slip == slip and h.code == code)


@jit
def seize(h: Hand) -> bool:
    """Plant at this occasion, or wait for another: chance decides, so that breaches fall everywhere.

    Never while it is doubtful whether a position is dead: what is due has two answers then.
    """
    for seat in range(1, SEATS):
        if h.dead[seat] == DOUBTFUL:
            return False
    if h.eager or happens(h, 500):
        h.planted = 1
        return True
    return False


@jit
def stage(h: Hand, earlier: Code, final: Code) -> Code:
    """The obligation of this round of Seven Card Stud: ``earlier`` in rounds 2-4, ``final`` in the last."""
    if h.game != SEVEN or h.street < 2:
        return Code.NOTHING
    return final if h.street == h.last else earlier


@jit
def by_game(h: Hand, five: Code, seven: Code) -> Code:
    """The obligation by its number for either game."""
    return five if h.game == FIVE else seven

"""Planted breaches of the dealing rules. Each function is given what the rules ask for and returns what is
done: the same, unless this is where the planted breach falls."""

from __future__ import annotations

from auditor._jit import jit
from auditor.handlog import NOBODY, UNKNOWN
from auditor.simulate.chance import below, burn_card, reshuffle, stub, take
from auditor.simulate.plants import Code, Slip, by_game, seize, stage, wanted
from auditor.simulate.state import (
    ACTIVE,
    COMMUNITY,
    DEAD,
    DEAL,
    DOWN,
    FOLDED,
    FORMERLY_DEAD,
    NEVER_DEAD,
    SEATS,
    UP,
    Hand,
    blame,
    count,
    count_able,
    emit_card,
)

DEAL_OUT, SHUFFLE_FIRST, TURN_COMMUNITY, SHUFFLE_AND_TURN = range(4)
"""Courses of the final dealing round."""


@jit
def ante(h: Hand, seat: int, due: int) -> int:
    """Too little, too much, or nothing."""
    unit = h.unit
    if wanted(h, Slip.SHORT_ANTE, Code.ANT01) and due > unit and h.stack[seat] > due and seize(h):
        blame(h, Code.ANT01)
        return int(due - unit)
    if wanted(h, Slip.OVER_ANTE, Code.ANT01) and h.stack[seat] > due + unit and seize(h):
        blame(h, Code.ANT01)
        return int(due + unit)
    if wanted(h, Slip.NO_ANTE, Code.ANT01) and seize(h):
        h.pending = Code.ANT01  # it shows with the first deal
        return 0
    return due


@jit
def third_face(h: Hand) -> int:
    """The third card of a player who has an up card already: down."""
    if wanted(h, Slip.THIRD_UP, Code.INI01) and seize(h):
        blame(h, Code.INI01)
        return UP
    return DOWN


@jit
def card_to_replace(h: Hand, which: int) -> int:
    if wanted(h, Slip.WRONG_CARD, Code.INI02) and seize(h):
        blame(h, Code.INI02)
        return 0
    return which


@jit
def substitute_face(h: Hand) -> int:
    if wanted(h, Slip.SUBSTITUTE_UP, Code.INI03) and seize(h):
        blame(h, Code.INI03)
        return UP
    return DOWN


@jit
def plenty(h: Hand) -> bool:
    """Whether the cards last to the end even if one is laid aside: nobody need count it."""
    n = count(h, ACTIVE) + count(h, FOLDED)
    return bool(stub(h) > (h.last - h.street + 1) * (n + 1))


@jit
def other_burn(h: Hand) -> bool:
    """The replaced card is laid aside and another one burned."""
    if wanted(h, Slip.OTHER_BURN, Code.INI02) and plenty(h) and seize(h):
        blame(h, Code.INI02)
        return True
    return False


@jit
def burns_due(h: Hand) -> int:
    """One burn; or none, or two."""
    code = stage(h, Code.DEA01, Code.DEA11)
    if wanted(h, Slip.NO_BURN, code) and seize(h):
        return 0
    if wanted(h, Slip.TWO_BURNS, code) and stub(h) > 2 and seize(h):
        return 2
    return 1


@jit
def late_burn(h: Hand, lacking: int) -> None:
    """A second burn amid the deal, with ``lacking`` positions still to be served."""
    code = stage(h, Code.DEA01, Code.DEA11)
    if wanted(h, Slip.LATE_BURN, code) and stub(h) > lacking and seize(h):
        blame(h, code)
        burn_card(h, take(h))


@jit
def course(h: Hand, n: int, right: int) -> int:
    """The wrong answer to the question whether the cards suffice for ``n`` more."""
    total = stub(h) + h.burns
    enough = right == DEAL_OUT and stub(h) >= n + 1
    if enough and wanted(h, Slip.NEEDLESS_COMMUNITY, Code.SHT01) and seize(h):
        return TURN_COMMUNITY
    if enough and wanted(h, Slip.NEEDLESS_RESHUFFLE, Code.SHT01) and seize(h):
        return SHUFFLE_FIRST
    enough = right == SHUFFLE_FIRST and total >= n + 1 and stub(h) >= 2
    if enough and wanted(h, Slip.COMMUNITY_TOO_SOON, Code.SHT01) and seize(h):
        return TURN_COMMUNITY
    if right == TURN_COMMUNITY and total < n and wanted(h, Slip.RESHUFFLE_TOO_FEW, Code.SHT01) and seize(h):
        return SHUFFLE_AND_TURN
    return right


@jit
def exposed_card(h: Hand) -> Code:
    """The card shown early is set aside, used too late, or shuffled in.

    Returns the obligation broken by the next deal, if any.
    """
    code = by_game(h, Code.EXP03, Code.EXP04)
    if h.exposed == UNKNOWN or h.code != code or h.planted or h.next + 2 >= h.end:
        return Code.NOTHING
    if h.slip == Slip.RESHUFFLED:
        if h.street != h.last and seize(h):
            blame(h, code)
            reshuffle(h)
        return Code.NOTHING
    if (h.slip == Slip.SET_ASIDE and not plenty(h)) or not seize(h):
        return Code.NOTHING
    top = h.next
    if h.slip == Slip.SET_ASIDE:
        h.next += 1
    else:
        h.deck[top], h.deck[top + 2] = h.deck[top + 2], h.deck[top]
    return code


@jit
def insert(h: Hand, n: int, seat: int, code: int) -> int:
    """Put ``seat`` into the line at its place."""
    i = n
    while i > 0 and h.line[i - 1] > seat:
        h.line[i] = h.line[i - 1]
        h.mark[i] = h.mark[i - 1]
        i -= 1
    h.line[i] = seat
    h.mark[i] = code
    return n + 1


@jit
def any_folded(h: Hand, dead: int) -> int:
    """A seat that folded, of that kind of death, or 0: the first one clockwise from a random place."""
    start = below(h, SEATS)
    for i in range(SEATS):
        seat = (start + i) % SEATS
        if h.status[seat] == FOLDED and h.dead[seat] == dead:
            return seat
    return 0


@jit
def line(h: Hand, n: int) -> int:
    """Deal to too many, to too few, or out of order. A lack needs a betting round in which it shows."""
    bets_follow = count_able(h) > 1
    code = stage(h, Code.DEA02, Code.DEA12)
    if (
        bets_follow
        and wanted(h, Slip.PLAYER_SKIPPED, code)
        and h.status[h.line[n - 1]] == ACTIVE
        and seize(h)
    ):
        h.lacking = code  # only the last in line can lack a card without the order being broken too
        return n - 1
    if wanted(h, Slip.FOLDED_DEALT, code):
        folded = any_folded(h, NEVER_DEAD)
        if folded and stub(h) > n and seize(h):
            return insert(h, n, folded, code)
    code = by_game(h, Code.POS02, Code.POS01)
    if wanted(h, Slip.DEALT_AFTER_WAGER, code):
        folded = any_folded(h, FORMERLY_DEAD)
        if folded and stub(h) > n and seize(h):
            return insert(h, n, folded, code)
    if bets_follow and wanted(h, Slip.DEAD_SKIPPED, code) and h.dead[h.line[n - 1]] == DEAD and seize(h):
        h.lacking = code
        return n - 1
    code = stage(h, Code.DEA04, Code.DEA14)
    if wanted(h, Slip.PASSED_OVER, code) and n >= 3 and seize(h):
        i = 1 + below(h, n - 2)
        late = h.line[i]
        for j in range(i, n - 1):
            h.line[j] = h.line[j + 1]
        h.line[n - 1] = late
        h.mark[i] = code
    return n


@jit
def face(h: Hand, i: int, right: int) -> int:
    """The other face: a card of rounds two to four down, or a later seventh card down when all come up."""
    if right == UP and wanted(h, Slip.FACE_DOWN, stage(h, Code.DEA03, Code.NOTHING)) and seize(h):
        blame(h, Code.DEA03)
        return DOWN
    if i and wanted(h, Slip.DOWN_LATER, Code.FIN01) and h.seventh_up and seize(h):
        blame(h, Code.FIN01)
        return DOWN
    return right


@jit
def community_face(h: Hand) -> int:
    """Up, for all to see; or down."""
    if wanted(h, Slip.COMMUNITY_DOWN, Code.DEA13) and seize(h):
        blame(h, Code.DEA13)
        return DOWN
    return UP


@jit
def second_community(h: Hand) -> None:
    """Another community card although one serves everybody."""
    if wanted(h, Slip.SECOND_COMMUNITY, Code.SHT01) and stub(h) and seize(h):
        blame(h, Code.SHT01)
        emit_card(h, COMMUNITY, NOBODY, take(h), UP)


@jit
def midway(h: Hand, lacking: int, short: bool) -> bool:
    """With the short final round begun and cards left: shuffle already, or turn a community card (true)."""
    code = by_game(h, Code.SHT11, Code.SHT12)
    if not short or stub(h) == 0:
        return False
    total = stub(h) + h.burns
    if wanted(h, Slip.STUB_LEFT, code) and seize(h):
        blame(h, code)
        reshuffle(h)
    elif wanted(h, Slip.MIDWAY_COMMUNITY, code) and h.burns >= lacking and total > lacking and seize(h):
        blame(h, code)
        return True
    return False


@jit
def from_the_muck(h: Hand, seat: int, short: bool) -> bool:
    """In a short final round a folded player's card is dealt again."""
    if not short or not wanted(h, Slip.MUCK_DEALT, Code.SHT02):
        return False
    folded = any_folded(h, NEVER_DEAD)
    if not folded or not seize(h):
        return False
    blame(h, Code.SHT02)
    card = h.cards[folded, below(h, h.held[folded])]
    h.cards[seat, h.held[seat]] = card
    h.faces[seat, h.held[seat]] = DOWN
    h.held[seat] += 1
    emit_card(h, DEAL, seat, card, DOWN)
    return True

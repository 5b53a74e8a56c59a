"""Dealing rounds: the burn, who gets a card, which way up, and in which order (13.3(a), 13.4(a))."""

from __future__ import annotations

from auditor._jit import jit, small
from auditor.bits import count_bits
from auditor.checks.registry import (
    BREACH,
    COMPLIANT,
    INAPPLICABLE,
    NOT_EVIDENCED,
    OPENING,
    Choice,
    Rounds,
    check,
)
from auditor.seats import active, due, flashed, is_substitute, next_seat, shown_while_dealt, stub_may_hold
from auditor.state import BURN, COMMUNITY, DEAL, DEAL_ORDER_RECORDED, DOWN, PERHAPS_SEEN, PERHAPS_SHOWN, UP

FACES = ("down", "up")
ALL_UP = Choice(("always", "more-than-two", "two", "never"))
"""With how many players left a first last card that was shown has all the others dealt face up."""
LEAVING = ("burn", "deal", "community", "reshuffle", "show", "muck", "award")
"""Kinds that may leave a dealing round or the betting behind."""


@jit
def judge_face(face, wanted):
    """Verdict on the face of a card: not evidenced where the log does not say."""
    if face != DOWN and face != UP:
        return NOT_EVIDENCED, wanted, face
    return COMPLIANT if face == wanted else BREACH, wanted, face


@small
def _turns_all(st, all_up):
    """Whether a first last card that was shown has the others go up, with so many players left."""
    players = count_bits(active(st))
    return all_up == 0 or (all_up == 1 and players > 2) or (all_up == 2 and players == 2)


@jit
def _all_up(st, all_up):
    """Whether the last cards still to come are dealt face up, because the first of them was shown."""
    return st.final_up != 0 and _turns_all(st, all_up)


@check(
    "dealing.one_burn",
    on=("burn", "deal", "community"),
    needs=("burns",),
    unit="count",
    applies=lambda ev, st: ev.kind == BURN or not (st.deals or st.round_communities),
    rounds=Rounds(),
)
@jit
def one_burn(ev, st):
    """Exactly one card is burnt before a dealing round."""
    if is_substitute(st, ev) or count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    if ev.kind == BURN:
        # Where the round's burn went back with the shuffle the text does not say whether another is made.
        made_good = st.round_burns == 0 and st.burns_shuffled
        if made_good or not (st.deals or st.round_communities):
            return INAPPLICABLE, 0, 0
        return BREACH, min(st.round_burns, 1), st.round_burns + 1
    if st.round_burns == 0 and st.burns_shuffled:
        # It went back with the shuffle: the text does not say whether another is made.
        return INAPPLICABLE, 0, 0
    if ev.kind == COMMUNITY and st.round_burns == 0 and st.stub_at_start < 2:
        # The stub cannot give both a burn and a community card.
        return INAPPLICABLE if st.stub_at_start + st.more_at_start < 2 else NOT_EVIDENCED, 1, 0
    if st.round_burns == 0 and st.reshuffles and 0 <= st.due_at_start - st.stub <= stub_may_hold(st):
        # The cards come out exactly: the text does not say.
        return NOT_EVIDENCED if stub_may_hold(st) else INAPPLICABLE, 1, 0
    right = st.round_burns == 1
    if right != (st.round_burns + st.burns_doubt == 1):
        return NOT_EVIDENCED, 1, st.round_burns
    return COMPLIANT if right else BREACH, 1, st.round_burns


@check(
    "dealing.recipients",
    on=(*LEAVING, OPENING),
    unit="seat",
    applies=lambda ev, st: st.lacking or ev.kind == DEAL,
    rounds=Rounds(also="lacking_round"),
)
@jit
def recipients(ev, st, rounds):
    """Every player still in the hand gets one card of a dealing round, and nobody else does.

    Positions that were dead at any time belong to ``position.dead_position``.
    """
    if st.lacking and rounds >> st.lacking_round & 1:
        every_card_is_there = st.hand.records & DEAL_ORDER_RECORDED
        return BREACH if every_card_is_there else NOT_EVIDENCED, next_seat(st.lacking, 0), 0
    if ev.kind != DEAL or not rounds >> st.betting_round & 1 or count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    if st.was_dead >> ev.seat & 1 or is_substitute(st, ev):
        return INAPPLICABLE, 0, 0
    if active(st) >> ev.seat & 1 and not st.got >> ev.seat & 1:
        return COMPLIANT, ev.seat, ev.seat
    return BREACH, next_seat(active(st) & ~st.got, st.last_dealt), ev.seat


@check("dealing.face_up", on=("deal",), needs=("faces",), unit="face", rounds=Rounds())
@jit
def face_up(ev, st):
    """The card of these rounds is dealt face up."""
    if is_substitute(st, ev) or count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    return judge_face(ev.face, UP)


@check(
    "dealing.last_card_down",
    on=("deal", "community"),
    needs=("faces",),
    unit="face",
    rounds=Rounds(),
    exposed=Choice(("strict", "cut-text", "rest-down")),
    all_up=ALL_UP,
)
@jit
def last_card_down(ev, st, exposed, all_up):
    """The last card is dealt face down, a community card face up.

    When the first of these cards comes face up, the round may be governed by ``dealing.last_cards_up``. A
    later one that does is a breach (``strict``), the matter of a text that breaks off (``cut-text``), or a
    slip after which the rest go down (``rest-down``).
    """
    if count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    if ev.kind == COMMUNITY:
        return judge_face(ev.face, UP)
    first_shown = st.deals == 0 and (shown_while_dealt(st, ev) or ev.exposed_next)
    if _all_up(st, all_up) or first_shown or is_substitute(st, ev):
        return INAPPLICABLE, 0, 0
    if st.final_unknown or (st.deals == 0 and flashed(st, ev) == PERHAPS_SEEN):
        return NOT_EVIDENCED, DOWN, ev.face
    if ev.face == UP and (exposed == 1 or (exposed == 2 and not st.last_up)):
        return INAPPLICABLE, 0, 0
    return judge_face(ev.face, DOWN)


@check("dealing.last_cards_up", on=("deal",), needs=("faces",), unit="face", rounds=Rounds(), all_up=ALL_UP)
@jit
def last_cards_up(ev, st, all_up):
    """After a first last card that was shown, all the last cards are dealt face up."""
    if not _turns_all(st, all_up):
        return INAPPLICABLE, 0, 0
    if st.final_up:
        return judge_face(ev.face, UP)
    # An exposure that may be of the first card leaves open whether there is such a duty.
    return NOT_EVIDENCED if st.final_unknown == PERHAPS_SHOWN else INAPPLICABLE, UP, ev.face


@check(
    "dealing.sequence",
    on=("deal",),
    needs=("deal_order",),
    unit="seat",
    rounds=Rounds(),
    start=Choice(("dealers-left", "any-start")),
)
@jit
def sequence(ev, st, start):
    """Cards are dealt clockwise, position by position.

    ``start`` is where the round begins: with the first position at the dealer's left, or anywhere.
    """
    waiting = due(st) & ~st.got
    if count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    if not waiting & ~st.substitute & 1 << ev.seat:
        return INAPPLICABLE, 0, 0
    waiting &= ~st.doubtful | 1 << ev.seat
    if st.deals:
        expected = next_seat(waiting, st.last_dealt)
    elif start == 1:
        expected = ev.seat
    elif st.hand.dealer_position >= 0:
        expected = next_seat(waiting, st.hand.dealer_position)
    else:
        expected = next_seat(waiting, st.first_seat - 1)
    return COMPLIANT if ev.seat == expected else BREACH, expected, ev.seat


@small
def _nothing_came(st):
    """Whether no card of the round has left the deck yet, burns included."""
    return st.deals + st.round_burns + st.burns_shuffled + st.round_communities == 0


@check(
    "dealing.contested",
    on=("burn", "deal", "community"),
    unit="count",
    applies=lambda ev, st: _nothing_came(st) or count_bits(active(st)) < 2,
    rounds=Rounds(),
)
@jit
def contested(ev, st):
    """Nothing is dealt unless two or more players are left."""
    if is_substitute(st, ev):
        return INAPPLICABLE, 0, 0
    players = count_bits(active(st))
    return BREACH if players < 2 else COMPLIANT, 2, players

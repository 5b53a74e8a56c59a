"""Button games: blinds, the first deal, community cards, and who acts first (sections 14 and 15)."""

from __future__ import annotations

from auditor._jit import jit
from auditor.bits import count_bits
from auditor.checks.dealing import judge_face
from auditor.checks.opener import judge_opener
from auditor.checks.registry import (
    BREACH,
    COMPLIANT,
    INAPPLICABLE,
    NOT_EVIDENCED,
    OPENING,
    Rounds,
    check,
)
from auditor.seats import active, is_all_in, is_substitute, lacking, next_seat
from auditor.state import BOARD, COMMUNITY, DEAL, DEAL_ORDER_RECORDED, DOWN, UP


@check("blinds.before_cards", on=("blind",), unit="count")
@jit
def before_cards(ev, st):
    """Blinds are posted before the first card is dealt."""
    out = 52 - st.stub
    return BREACH if out else COMPLIANT, 0, out


@check("blinds.position", on=("blind",), unit="seat")
@jit
def position(ev, st):
    """The first blind is posted at the button's left, each further one at the left of the one before.

    Seats that are not in the hand are passed over. Who is in it shows by the cards dealt.
    """
    players = st.dealt_seats | st.in_hand | 1 << ev.seat
    after = st.last_blind if st.last_blind else st.hand.dealer_position
    if st.dealt_seats == 0 or after < 0:
        return NOT_EVIDENCED, 0, ev.seat
    expected = next_seat(players, after)
    return COMPLIANT if ev.seat == expected else BREACH, expected, ev.seat


@check("dealing.first_cards_sequence", on=("deal",), needs=("deal_order",), unit="seat", rounds=Rounds())
@jit
def first_cards_sequence(ev, st):
    """The first cards go out one at a time, clockwise from the button's left."""
    waiting = (st.dealt_seats | active(st)) & ~st.folded & ~st.served
    if is_substitute(st, ev) or not waiting >> ev.seat & 1:
        return INAPPLICABLE, 0, 0
    after = st.last_dealt if st.deals else st.hand.dealer_position
    if after < 0:
        return NOT_EVIDENCED, 0, ev.seat
    expected = next_seat(waiting, after)
    return COMPLIANT if ev.seat == expected else BREACH, expected, ev.seat


@check("dealing.first_cards_down", on=("deal",), needs=("faces",), unit="face", rounds=Rounds())
@jit
def first_cards_down(ev, st):
    """The first cards are dealt face down."""
    if is_substitute(st, ev):
        return INAPPLICABLE, 0, 0
    return judge_face(ev.face, DOWN)


@check("dealing.first_cards_number", on=("deal", OPENING), unit="count", rounds=Rounds())
@jit
def first_cards_number(ev, st):
    """Each player gets as many first cards as the game has, no more and no fewer."""
    if ev.kind == DEAL:
        cards = st.held[ev.seat] + 1
        if is_substitute(st, ev) or cards < st.first_cards:
            return INAPPLICABLE, 0, 0
        return COMPLIANT if cards == st.first_cards else BREACH, st.first_cards, cards
    if not lacking(st) or count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    every_card_is_there = st.hand.records & DEAL_ORDER_RECORDED
    cards = st.held[next_seat(lacking(st), 0)]
    return BREACH if every_card_is_there else NOT_EVIDENCED, st.first_cards, cards


@check("dealing.board", on=("community", OPENING), unit="count", rounds=Rounds())
@jit
def board(ev, st):
    """A round brings as many community cards as the game has for it, all of them before the betting."""
    if count_bits(active(st)) < 2:
        return INAPPLICABLE, 0, 0
    expected = BOARD[st.hand.game, st.betting_round]
    if ev.kind == COMMUNITY:
        cards = st.round_communities + 1
        if cards < expected:
            return INAPPLICABLE, 0, 0
        return COMPLIANT if cards == expected else BREACH, expected, cards
    if st.round_communities >= expected:
        return INAPPLICABLE, 0, 0
    every_card_is_there = st.hand.records & DEAL_ORDER_RECORDED
    return BREACH if every_card_is_there else NOT_EVIDENCED, expected, st.round_communities


@check("dealing.board_up", on=("community",), needs=("faces",), unit="face")
@jit
def board_up(ev, st):
    """Community cards are dealt face up."""
    return judge_face(ev.face, UP)


@jit
def _first_after(st, seat, position):
    """The verdict on a first action of ``seat`` where the first player after ``position`` has to act.

    What holds when that player is all-in no page says.
    """
    expected = next_seat(active(st), position)
    if count_bits(active(st)) < 2 or is_all_in(st, expected):
        return INAPPLICABLE, 0, 0
    return judge_opener(st, seat, expected)


@check("opener.after_blinds", on=(OPENING,), unit="seat", rounds=Rounds())
@jit
def after_blinds(ev, st):
    """The first player at the left of the last blind acts first."""
    if st.last_blind == 0:
        return NOT_EVIDENCED, 0, ev.seat
    return _first_after(st, ev.seat, st.last_blind)


@check("opener.buttons_left", on=(OPENING,), unit="seat", rounds=Rounds())
@jit
def buttons_left(ev, st):
    """The first player at the button's left opens the round."""
    if st.hand.dealer_position < 0:
        return NOT_EVIDENCED, 0, ev.seat
    return _first_after(st, ev.seat, st.hand.dealer_position)

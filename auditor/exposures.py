"""Cards that the dealer exposes: turned up in a hand, on their way out of the deck, or before their turn."""

from __future__ import annotations

from auditor._jit import jit, small
from auditor.bits import count_bits
from auditor.seats import lacking, must_act
from auditor.state import (
    ANY_CARD,
    BETTING,
    BURN,
    DEAL,
    DEALING,
    NO_CAP,
    NO_CARD,
    PERHAPS_ANY,
    PERHAPS_STUB,
    SEVEN_CARD_STUD,
    STUB_CARD,
    SUBSTITUTE,
    UNCLEAR,
    UNKNOWN_CARD,
)


@small
def spend_flash(st, ev):
    """A card leaves the deck: what was exposed on its way out has come, if it was this one."""
    if st.flashed or st.flashes or st.flash_late:
        if ev.card >= 0 and st.flashed >> ev.card & 1:
            st.flashed &= ~(1 << ev.card)
        else:
            if st.flashes and (ev.card >= 0 or not st.flashed):
                st.flashes -= 1
            if ev.kind == DEAL:
                st.flashed = 0
        if st.flash_seat:
            st.flash_late |= 1 << st.flash_seat
        if ev.kind == DEAL:
            st.flash_late &= ~(1 << ev.seat)
        st.flash_seat = 0
        st.flash_next = 0
    if ev.kind != BURN:
        st.unnamed_burn = 0


@jit
def turn_up(st, seat, card):
    """A card lies face up before a seat; in the initial deal it counts as dealt so."""
    if card >= 0:
        st.seen |= 1 << card
        if st.up[seat] >> card & 1:
            return
        st.up[seat] |= 1 << card
    else:
        st.up_unknown[seat] += 1
    if st.betting_round > 1:
        return
    dealt = False
    for place in range(3):
        named = card >= 0 and st.early_cards[seat, place] == card
        if named or (card < 0 and place == st.last_place[seat]):
            st.early_up[seat] |= 1 << place
            dealt = True
    if not dealt:
        return
    if st.first_up[seat] == NO_CARD:
        st.first_up[seat] = card if card >= 0 else UNKNOWN_CARD
    elif st.second_up[seat] == NO_CARD:
        st.second_up[seat] = card if card >= 0 else UNKNOWN_CARD


@jit
def _holders_of_exposed(st, ev):
    """The seats before which an exposed card already lies while cards are being dealt; none for the stub.

    There are several where the log has dealt the card more than once, none where it may be gone. A card that
    its player alone has named is seen already: no dealer exposes it.
    """
    if ev.card >= 0:
        if st.maybe_gone >> ev.card & 1:
            return 0
        holders = 0
        for seat in range(1, 11):
            if (st.cards[seat] & ~st.told[seat]) >> ev.card & 1:
                holders |= 1 << seat
        if holders:
            return holders & 1 << ev.seat if ev.seat else holders
    seat = ev.seat if ev.seat or ev.card >= 0 else st.last_dealt
    served = (
        st.held[seat] > 0 and st.last_place[seat] != UNCLEAR and (st.betting_round == 1 or st.got >> seat & 1)
    )
    if ev.card >= 0:
        elsewhere = st.out >> ev.card & 1 or st.last_leave[ev.card] > ev.at or st.last_card[seat] >= 0
        if elsewhere or st.held[seat] <= count_bits(st.cards[seat]):
            return 0
    return 1 << seat if served else 0


@jit
def _expose_in_hand(st, seat, card):
    """Turn up a card before a seat: the one of that name, else its last one, which may get its name now."""
    place = st.last_place[seat]
    last = card < 0 or not st.cards[seat] >> card & 1
    unnamed = last and st.last_card[seat] < 0
    open_before = unnamed and place >= 0 and st.early_up[seat] >> place & 1
    if card < 0:
        card = st.last_card[seat]
    elif last:
        # The log names at last the card that it dealt without a name.
        st.cards[seat] |= 1 << card
        st.out |= 1 << card
        st.last_card[seat] = card
        st.unnamed -= 1
        if place >= 0:
            st.early_cards[seat, place] = card
        if open_before:
            st.up[seat] |= 1 << card
            st.seen |= 1 << card
            if st.second_up[seat] == UNKNOWN_CARD:
                st.second_up[seat] = card
            elif st.first_up[seat] == UNKNOWN_CARD:
                st.first_up[seat] = card
    if not open_before:
        turn_up(st, seat, card)
    newest = card == st.last_card[seat] and place != SUBSTITUTE
    if st.hand.game == SEVEN_CARD_STUD and st.betting_round == st.final_round:
        first = newest or (card >= 0 and card == st.first_dealt)
        if first and st.deals == 1 and seat == st.last_dealt:
            st.final_up = 1
        if newest and st.got >> seat & 1:
            st.last_up = 1


@jit
def _is_unclear(st, ev):
    """Whether a seat before which a card is exposed has given one back that the log does not name."""
    if st.phase != DEALING or (ev.card >= 0 and st.last_leave[ev.card] > ev.at):
        return False
    seat = ev.seat if ev.seat or ev.card >= 0 else st.last_dealt
    return st.held[seat] > 0 and st.last_place[seat] == UNCLEAR


@small
def _may_be_burnt(st, ev):
    """Whether an exposure that names no card may be of one burnt without its name right before."""
    return ev.card < 0 and st.unnamed_burn != 0


@jit
def _may_lie_elsewhere(st, ev):
    """Whether a card exposed by name may be the one burnt right before, or lie aside, without its name.

    It does not where it leaves the deck by name later on, unless a shuffle may have taken it in before. One
    that is named in a show alone was in a hand by then, and may have been by now.
    """
    if st.last_leave[ev.card] > ev.at and st.last_shuffle < ev.at:
        return False
    shown = st.last_leave[ev.card] < ev.at and st.shown_ever >> ev.card & 1 != 0
    return st.unnamed_burn != 0 or st.aside > count_bits(st.set_aside) or shown


@small
def _is_of_board(st, ev):
    """Whether a card exposed by name may be a community card that the log does not name."""
    unnamed = st.community_count > count_bits(st.community)
    return unnamed and ev.card >= 0 and st.last_leave[ev.card] < ev.at


@small
def _cap(st, card, perhaps_seen):
    """No bet may pass the largest total, if exposing such a card caps the bets.

    One that all have seen before caps none, and it may be such a one (``perhaps_seen``).
    """
    for row in range(card, PERHAPS_ANY + 1):
        if row == ANY_CARD and perhaps_seen:
            continue
        # A bet that went back lowers what the next exposure finds.
        if st.cap[row] == NO_CAP or st.round_max < st.cap[row]:
            st.cap[row] = st.round_max
        if st.round_max > 0 and (st.wager_cap[row] == NO_CAP or st.round_max < st.wager_cap[row]):
            st.wager_cap[row] = st.round_max


@jit
def _expose_early(st, ev):
    """A card of the stub is exposed while the betting is open: it has a turn to come."""
    perhaps = _may_be_burnt(st, ev)
    if ev.card >= 0:
        perhaps = _may_lie_elsewhere(st, ev)
        st.exposed = ev.card
        st.exposed_named |= 1 << ev.card
        st.exposed_cards |= 1 << ev.card
        st.exposed_burn[ev.card] = NO_CARD
        st.exposed_aside &= ~(1 << ev.card)
        st.exposed_doubt &= ~(1 << ev.card)
    else:
        st.exposed = UNKNOWN_CARD
        st.exposed_open = 1
    of_board = _is_of_board(st, ev)
    if perhaps or of_board:
        st.exposed_open = 1
        _cap(st, PERHAPS_STUB, of_board)
    else:
        st.exposed_surely = 1
        _cap(st, STUB_CARD, False)


@jit
def _is_of_hand(st, ev):
    """Whether a card exposed before a seat is one of the seat's that the log does not name."""
    if ev.seat == 0 or st.held[ev.seat] == 0:
        return False
    return ev.card < 0 or (
        st.last_leave[ev.card] < ev.at and st.held[ev.seat] > count_bits(st.cards[ev.seat])
    )


@jit
def _expose_elsewhere(st, ev):
    """A card that has left the deck is exposed while the betting is open: in a hand, burnt or laid aside.

    Before anybody has acted, one in a hand is a slip of the dealing. What all have seen is exposed no more.
    """
    if ev.card < 0 or not st.out >> ev.card & 1:
        news = st.held[ev.seat] > count_bits(st.cards[ev.seat] & st.seen)
        if ev.card >= 0:
            news = not st.seen >> ev.card & 1
        if st.phase == BETTING and news:
            # It may be one that lies face up, where the log does not name all of those.
            _cap(st, ANY_CARD, st.up_unknown[ev.seat] != 0)
            if ev.card >= 0:
                st.seen |= 1 << ev.card
        return
    burnt = st.out & ~st.maybe_gone  # or laid aside: in no hand
    for seat in range(1, 11):
        burnt &= ~st.cards[seat]
    if not st.seen >> ev.card & 1 and (st.phase == BETTING or burnt >> ev.card & 1):
        st.seen |= 1 << ev.card
        _cap(st, ANY_CARD, False)


@jit
def expose(st, ev):
    holders = _holders_of_exposed(st, ev) if st.phase == DEALING else 0
    if holders:
        for seat in range(1, 11):
            if holders >> seat & 1:
                _expose_in_hand(st, seat, ev.card)
        return
    if ev.card >= 0 and st.exposed_named >> ev.card & 1:
        return  # it lies open already, on its turn
    if _is_unclear(st, ev):
        return
    gone = ev.card >= 0 and st.out >> ev.card & 1 != 0
    if must_act(st) and (st.phase == BETTING or not lacking(st) & ~st.doubtful):
        if gone or _is_of_hand(st, ev):
            _expose_elsewhere(st, ev)
        else:
            _expose_early(st, ev)
    elif gone:
        return
    elif ev.card >= 0:
        st.flashed |= 1 << ev.card
    else:
        st.flashes += 1
        if st.flash_seat:
            st.flash_late |= 1 << st.flash_seat
        st.flash_seat = ev.seat
        if not _may_be_burnt(st, ev):
            st.flash_next = 1

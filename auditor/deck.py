"""Where the cards go: from the stub to seats, board and burns, and sometimes back.

The parts of ``steps.after`` that move cards; each takes the state and the event that does it.
"""

from __future__ import annotations

from auditor._jit import jit, small
from auditor.bits import count_bits, highest_bit, lowest_bit
from auditor.exposures import spend_flash, turn_up
from auditor.seats import active, flashed, is_action, is_substitute, lacking, shown_while_dealt, stub_may_hold
from auditor.state import (
    BAD_REPLACE,
    BAD_SHOW,
    BURN,
    COMMUNITY,
    DEAL,
    DECK_EXHAUSTED,
    DOWN,
    FACE_UNKNOWN,
    NO_CARD,
    NO_PLACE,
    PERHAPS_SEEN,
    PERHAPS_SHOWN,
    RESHUFFLE,
    SEVEN_CARD_STUD,
    SHOW,
    SUBSTITUTE,
    UNCLEAR,
    UNKNOWN_CARD,
)


@small
def leaves_twice(st, ev, kind):
    """Whether the event has a named card leave the deck that has already left it."""
    if ev.card < 0 or not st.out >> ev.card & 1:
        return False
    if kind == SHOW:
        return not st.cards[ev.seat] >> ev.card & 1
    if kind == BURN:
        return not st.set_aside >> ev.card & 1
    return kind == DEAL or kind == COMMUNITY


@small
def move_card(st, ev, kind):
    """Follow a named card between deck, seats, board and burns."""
    if kind == RESHUFFLE:
        for seat in range(1, 11):
            st.burnt &= ~st.cards[seat]  # a card that the log has in a hand as well stays there
        st.out &= ~st.burnt
        st.seen &= st.out
        st.burnt = 0
    elif ev.card >= 0:
        bit = 1 << ev.card
        if kind == DEAL or kind == SHOW:
            st.out |= bit
            st.cards[ev.seat] |= bit
        elif kind == COMMUNITY:
            st.out |= bit
        elif kind == BURN:
            st.out |= bit
            st.burnt |= bit
            st.set_aside &= ~bit
    elif kind == BURN:
        st.burnt |= st.set_aside  # it may be one of these: a shuffle may take it in


@jit
def is_replaced(st, card):
    """Whether a burn is the card that was taken back from a player and lies aside."""
    if card >= 0:
        return bool(st.set_aside >> card & 1)
    return st.betting_round == 1 and st.replaced_seats != 0 and st.carried_burn == 0


@small
def take_from_stub(st, ev, kind):
    if kind == BURN and is_replaced(st, ev.card):
        st.aside = max(st.aside - 1, 0)
        return
    if kind == BURN and st.aside > (0 if ev.card < 0 else count_bits(st.set_aside)):
        st.blind_burns += 1
    if ev.card < 0:
        st.unnamed += 1
    if st.stub > 0:
        st.stub -= 1
    elif stub_may_hold(st):
        st.aside -= 1  # so it was burnt
        st.blind_burns -= 1
    else:
        st.defects |= DECK_EXHAUSTED


@jit
def deal(st, ev):
    seat = ev.seat
    st.held[seat] += 1
    if st.held[seat] >= st.first_cards:
        st.served |= 1 << seat
    st.last_card[seat] = ev.card
    st.last_place[seat] = NO_PLACE
    if st.betting_round > 1 and not is_substitute(st, ev):
        st.got_more[seat] += st.got >> seat & 1
    st.got |= 1 << seat
    if ev.card >= 0:
        st.told[seat] &= ~(1 << ev.card)
    shown = shown_while_dealt(st, ev)
    perhaps = flashed(st, ev) == PERHAPS_SEEN
    if is_substitute(st, ev):
        st.substitute &= ~(1 << seat)
        st.last_place[seat] = SUBSTITUTE
        if shown and ev.card >= 0:
            st.up[seat] |= 1 << ev.card
            st.seen |= 1 << ev.card
        elif shown or ev.face != DOWN or perhaps:
            st.up_unknown[seat] += 1
        spend_flash(st, ev)
        return
    if st.first_seat == 0:
        st.first_seat = seat
    place = NO_PLACE
    if st.betting_round == 1:
        st.in_hand |= 1 << seat
        if st.early_dealt[seat] < 3:
            place = st.early_dealt[seat]
            st.early_cards[seat, place] = ev.card
            st.last_place[seat] = place
        st.early_dealt[seat] += 1
    if shown:
        turn_up(st, seat, ev.card)
    elif ev.face != DOWN or perhaps:
        st.up_unknown[seat] += 1
        if place >= 0:
            st.early_unknown[seat] |= 1 << place
    if st.hand.game == SEVEN_CARD_STUD and st.betting_round == st.final_round:
        if shown:
            st.last_up = 1
            if st.deals == 0:
                st.final_up = 1
        elif st.deals == 0 and (perhaps or ev.face != DOWN):
            st.final_unknown = PERHAPS_SHOWN if perhaps else FACE_UNKNOWN
    spend_flash(st, ev)
    if st.deals == 0:
        st.first_dealt = ev.card
    st.deals += 1
    st.last_dealt = seat


@small
def _holds(st, ev):
    """Whether the card of the event is among the named ones of its seat, which are no more than it holds."""
    named = st.cards[ev.seat]
    return ev.card >= 0 and named >> ev.card & 1 != 0 and count_bits(named) <= st.held[ev.seat]


@small
def _names_one(st, ev):
    """Whether a card taken back may be one that the log dealt without its name."""
    return st.held[ev.seat] > count_bits(st.cards[ev.seat]) and not (ev.card >= 0 and st.out >> ev.card & 1)


@jit
def take_back(st, ev):
    """Lay a card of a seat aside, if the seat has one."""
    seat = ev.seat
    if st.held[seat] == 0:
        return
    if ev.card >= 0 and (_holds(st, ev) or _names_one(st, ev)):
        st.out |= 1 << ev.card
        st.set_aside |= 1 << ev.card
        st.cards[seat] &= ~(1 << ev.card)
    st.held[seat] -= 1


@jit
def _take_first_card(st, seat, card, dealt):
    """Note which card of the initial deal was taken back: ``card``, or the seat's last where it is not known.

    ``dealt`` says that the log has dealt it by that name. The seat's last card is then the one before it.
    """
    gone = st.last_place[seat]
    if card >= 0:
        # The card of that name, else an unnamed one, and of these one that is not known to lie face down.
        gone = NO_PLACE
        least = 3
        for place in range(min(st.early_dealt[seat], 3)):
            named = st.early_cards[seat, place]
            seen = (st.early_up[seat] | st.early_unknown[seat]) >> place & 1
            rank = 0 if named == card else 1 if seen else 2
            fits = (named == card or (named < 0 and not dealt)) and not st.early_gone[seat] >> place & 1
            if fits and rank < least:
                least, gone = rank, place
    if gone >= 0:
        st.early_gone[seat] |= 1 << gone
        last = gone == st.last_place[seat]
    else:
        told = card < 0 or card == st.last_card[seat] or (st.last_card[seat] < 0 and not dealt)
        last = st.last_place[seat] < 0 and told
    if last and st.last_place[seat] != UNCLEAR:
        before = highest_bit((1 << min(st.early_dealt[seat], 3)) - 1 & ~st.early_gone[seat])
        st.last_place[seat] = before
        st.last_card[seat] = st.early_cards[seat, before] if before >= 0 else NO_CARD


@jit
def replace(st, ev):
    seat = ev.seat
    if st.betting_round > 1:
        st.burnt_since = 1  # no repair of the first deal
    held, unnamed = _holds(st, ev), _names_one(st, ev)
    dealt = held and not st.told[seat] >> ev.card & 1
    if st.held[seat] == 0 or (ev.card >= 0 and not held and not unnamed):
        st.defects |= BAD_REPLACE
    if st.held[seat] == 0:
        return
    take_back(st, ev)
    st.aside += 1
    if st.held[seat] < st.first_cards:
        st.served &= ~(1 << seat)
    if st.betting_round == 1:
        _take_first_card(st, seat, ev.card if held or unnamed else NO_CARD, dealt)
    if held:
        st.up[seat] &= ~(1 << ev.card)
    elif ev.card < 0 or not unnamed:
        # Which card went is not known, nor then what is left.
        st.doubt |= 1 << seat
        st.maybe_gone |= st.cards[seat]
        st.last_place[seat] = UNCLEAR
        st.up_unknown[seat] += 1
    if st.got_more[seat]:
        st.got_more[seat] -= 1  # the seat keeps its card of the round
    else:
        st.got &= ~(1 << seat)
        st.substitute |= 1 << seat
    st.replaced_card = ev.card if ev.card >= 0 and st.replaced_seats == 0 else UNKNOWN_CARD
    st.replaced_seats |= 1 << seat


@jit
def burn(st, ev):
    replaced = is_replaced(st, ev.card)
    perhaps_aside = st.aside > (0 if ev.card < 0 else count_bits(st.set_aside))
    exposed = ev.card >= 0 and st.flashed >> ev.card & 1
    if not replaced and (exposed or not perhaps_aside):
        spend_flash(st, ev)
    elif not replaced or ev.card < 0:
        st.flash_next = 0  # from the deck, or a card taken back
    if ev.card < 0:
        st.unnamed_burn = 1
    if st.betting_round == 1 and not st.board:
        # Where the round goes on a card off the deck is one too many here, and no burn of the next.
        doubt = is_action(ev.following) or lacking(st)
        if replaced:
            st.carried_doubt = -1 if doubt and ev.card < 0 else 0
            st.carried_burn = 1
        elif doubt and perhaps_aside and not st.carried_burn:
            st.carried_doubt = 1
    if st.replaced_seats:
        st.burnt_since = 1
    st.burns += 1
    st.round_burns += 1
    if st.deals:
        st.burnt_amid = 1
    named = st.exposed_named
    while named:
        card = lowest_bit(named)
        named &= named - 1
        doubt = st.exposed_doubt >> card & 1
        if st.exposed_burn[card] != NO_CARD and not doubt:
            continue
        if replaced and ev.card >= 0:
            st.exposed_aside |= 1 << card
        elif doubt:
            st.exposed_burn[card] = UNKNOWN_CARD  # this one or the one before it was the first off the deck
        else:
            st.exposed_burn[card] = ev.card if ev.card >= 0 else UNKNOWN_CARD
            if perhaps_aside and ev.card != card:
                st.exposed_doubt |= 1 << card


@jit
def show(st, ev):
    if st.showdown and active(st) >> ev.seat & 1:
        st.shows += 1
    st.showed |= 1 << ev.seat
    if ev.card >= 0:
        bit = 1 << ev.card
        if not st.cards[ev.seat] & bit:
            if count_bits(st.cards[ev.seat]) >= st.held[ev.seat]:
                st.defects |= BAD_SHOW
            else:
                st.unnamed -= 1
            st.told[ev.seat] |= bit
        st.shown[ev.seat] |= bit
        st.seen |= bit

"""The two steps of a hand: ``before`` an event is judged and ``after`` it.

Replay follows what was played, legal or not, and never rejects; checks judge. ``before`` settles which
round the event belongs to; then checks see the state as the event found it; ``after`` applies the event.
How rounds, dead positions and open betting are told is written down in docs/obligations.md. Compiled by
numba, or the same source as plain Python.
"""

from __future__ import annotations

import numpy as np

from auditor._jit import jit, small
from auditor.bits import count_bits, lowest_bit
from auditor.deck import (
    burn,
    deal,
    is_replaced,
    leaves_twice,
    move_card,
    replace,
    show,
    take_back,
    take_from_stub,
)
from auditor.exposures import expose, spend_flash
from auditor.seats import (
    active,
    due,
    is_action,
    is_all_in,
    is_substitute,
    lacking,
    layer_of,
    must_act,
    stub_may_hold,
    surely_must_act,
    unit_bet,
)
from auditor.state import (
    AFTER_END,
    ANTE,
    AWARD,
    BET,
    BETTING,
    BLIND,
    BOARD,
    BURN,
    CHECK,
    CHIPS,
    COMMUNITY,
    DEAL,
    DEALING,
    DUPLICATE_CARD,
    EXPOSE,
    FINAL_ROUND,
    FIRST_CARDS,
    FOLD,
    FORCED_BET,
    MISDEAL,
    MUCK,
    NO_CAP,
    NO_CARD,
    OVER_RETURN,
    RAISE,
    RAKE,
    RAKE_RECORDED,
    REPEATED,
    REPLACE,
    RESHUFFLE,
    RETURN,
    SHOW,
    STACKS_RECORDED,
    UNKNOWN,
    UNKNOWN_SEAT,
)


@small
def _slot(pot):
    """Where counts by pot as written are kept: 10 for awards and rake that name none."""
    return np.int64(pot) if pot >= 0 else 10


@small
def _follow_card(st, ev, kind, index):
    """Where the card of an event goes, and whether it leaves the deck for a second time."""
    # The burn of a card that lies aside takes none from the deck.
    if kind <= BURN and ev.card >= 0 and (kind != BURN or not st.set_aside >> ev.card & 1):
        st.last_leave[ev.card] = index
    if leaves_twice(st, ev, kind):
        st.tainted |= 1 << ev.card
    move_card(st, ev, kind)


@jit
def scan(st, ev, kind, seat, card, amount, pot):
    """Look through a whole hand for what its early events need to know of its late ones.

    Finds the cards that the log has leave the deck twice (``tainted``), the rake by pot, the last
    award of each pot and the seats that are ever dealt to; leaves the rest of the state as it was.
    Returns whether an exposure names a card. It may be one that was dealt without its name, which replay
    alone can tell, and then more cards may have left the deck twice, or fewer.
    """
    exposes = False
    for index in range(np.uint64(kind.size)):
        what = np.int64(kind[index])
        if what == DEAL:
            ev.seat = seat[index]
            ev.card = card[index]
            st.dealt_seats |= 1 << ev.seat
            st.held[ev.seat] += 1
            _follow_card(st, ev, np.int64(DEAL), index)
            st.last_play = index
        elif what == FORCED_BET or CHECK <= what <= FOLD:
            st.last_play = index
        elif what == SHOW:
            ev.seat = seat[index]
            ev.card = card[index]
            st.shows_ever |= 1 << ev.seat
            if ev.card >= 0:
                st.shown_ever |= 1 << ev.card
            _follow_card(st, ev, np.int64(SHOW), index)
        elif COMMUNITY <= what <= RESHUFFLE:
            ev.seat = seat[index]
            ev.card = card[index]
            if what == REPLACE:
                take_back(st, ev)
            _follow_card(st, ev, what, index)
            if what != EXPOSE:
                st.last_play = index
            elif ev.card >= 0:
                exposes = True
            if what == RESHUFFLE:
                st.last_shuffle = index
        elif what == ANTE:
            st.any_ante = 1
            if st.dealt_seats == 0:
                st.ante_net[seat[index]] += amount[index]
        elif what == RETURN:
            if st.dealt_seats == 0:
                st.ante_net[seat[index]] -= amount[index]
        elif what == AWARD:
            st.last_award[_slot(pot[index])] = index
            st.final_award = index
        elif what == RAKE:
            st.rake[_slot(pot[index])] += amount[index]
        elif what == MISDEAL:
            break  # what comes after it is no part of the hand
    st.out = 0
    st.burnt = 0
    st.set_aside = 0
    for place in range(11):
        st.cards[place] = 0
        st.held[place] = 0
    return exposes


@small
def _note_all_in(st, seat):
    """Keep the mask of the seats that are all-in, after a change of the seat's chips."""
    if 0 <= st.stack[seat] <= st.total[seat]:
        st.all_in |= 1 << seat
    else:
        st.all_in &= ~(1 << seat)


@jit
def begin(st, hand, seat_no, stack):
    """Set up a blank state for a hand."""
    st.hand = hand
    st.final_round = FINAL_ROUND[hand.game]
    st.first_cards = FIRST_CARDS[hand.game]
    st.board = BOARD[hand.game].sum()
    for index in range(seat_no.size):
        st.seated |= 1 << np.int64(seat_no[index])
        if hand.records & STACKS_RECORDED:
            st.stack[seat_no[index]] = stack[index]
            if stack[index] >= 0:
                st.stacked |= 1 << np.int64(seat_no[index])
            _note_all_in(st, np.int64(seat_no[index]))  # a byte has no room for a seat as a bit


@jit
def _leave_betting(st):
    """Note who still had to act and who lacks a card, before the state goes on."""
    st.left_round = st.betting_round
    st.last_left = st.last_actor
    st.pending = must_act(st)
    st.surely_pending = surely_must_act(st)
    if st.phase == DEALING:
        _note_lacking(st)


@jit
def _note_lacking(st):
    missing = lacking(st) if count_bits(active(st)) > 1 else 0
    if st.deals and st.stub == 0 and st.burns + stub_may_hold(st) < count_bits(missing):
        missing = 0  # the deal cannot be completed, and what then is the text does not say
    st.lacking = missing & ~st.dead
    st.dead_lacking = missing & st.dead
    st.lacking_round = st.betting_round


@jit
def _start_round(st):
    _leave_betting(st)
    st.previous_opener = st.opener
    st.betting_round += 1
    st.phase = DEALING
    st.substitute = 0
    st.got = 0
    st.deals = 0
    st.last_dealt = 0
    st.round_burns = st.carried_burn
    st.carried_burn = 0
    st.burns_doubt = st.carried_doubt
    st.carried_doubt = 0
    st.burns_shuffled = 0
    st.reshuffles = 0
    st.round_communities = 0
    st.stub_at_start = st.stub
    st.more_at_start = stub_may_hold(st)
    st.burns_at_start = st.burns
    st.due_at_start = count_bits(due(st))
    st.actions = 0
    st.last_actor = 0
    st.acted = 0
    st.opener = 0
    st.bettor = 0
    st.called = 0
    st.forced_level = 0
    st.wagered = 0
    for seat in range(11):
        st.round_total[seat] = 0
        st.got_more[seat] = 0
    st.round_max = 0
    st.behind = 0
    st.full_level = 0
    st.raises = 0
    st.full_raises = 0
    for card in range(4):
        st.cap[card] = NO_CAP
        st.wager_cap[card] = NO_CAP
    st.final_up = 0
    st.final_unknown = 0
    st.last_up = 0
    st.largest_wager = 0


@jit
def _starts_board_round(st, ev, kind):
    """The same in a button game, where only community cards, and what comes before them, begin a round."""
    if kind == DEAL or active(st) == 0:
        return False
    goes_on = is_action(ev.following) and must_act(st) != 0
    if st.phase == BETTING:
        return kind == COMMUNITY or not goes_on
    if st.round_communities < BOARD[st.hand.game, st.betting_round]:
        return False
    if st.betting_round == 1 and lacking(st):
        return False
    if kind == COMMUNITY:
        # One more than the round has is too many while somebody has to act; among all-in players it goes on.
        return st.round_communities == 0 or must_act(st) == 0
    return not goes_on


@small
def _starts_round(st, ev, kind):
    """Whether a card event belongs to the next round rather than to this one."""
    if st.betting_round >= st.final_round:
        return False
    if st.board:
        return _starts_board_round(st, ev, kind)
    # What is burnt before a card of the first deal is taken back is burnt amid that deal.
    repairs = st.betting_round == 1 and ev.following == REPLACE
    goes_on = (is_action(ev.following) or repairs) and must_act(st) != 0
    first_deal = st.betting_round == 1 and st.held[ev.seat] < st.first_cards
    if kind == DEAL and (first_deal or is_substitute(st, ev)):
        return False
    if st.phase == BETTING:
        return kind == DEAL or kind == COMMUNITY or not goes_on
    if kind == DEAL and not active(st) >> ev.seat & 1 and (must_act(st) or not st.dead >> ev.seat & 1):
        return False
    if lacking(st) & ~st.dead:
        # Among players who are all-in no action ends a round: the next burn and deal tell that it is over.
        served_again = ev.following == DEAL and st.got >> ev.following_seat & 1
        return kind == BURN and st.deals > 0 and served_again and not must_act(st)
    if active(st) == 0:
        return False
    if kind == BURN or kind == RESHUFFLE:
        # A burn among players who have yet to act is one too many, unless the dealer goes on dealing. Before
        # the card that a dead position still lacks it is too late.
        late = kind == BURN and ev.following == DEAL and (st.dead & ~st.got) >> ev.following_seat & 1
        if goes_on or (late and must_act(st)):
            return False
        return not (kind == BURN and st.betting_round == 1 and is_replaced(st, ev.card))
    if kind == DEAL and st.betting_round > 1:
        return bool(st.got >> ev.seat & 1)
    return True


@small
def before(st, ev, kind):
    """Settle the round of an event and what it leaves unfinished; the checks come next."""
    st.left_round = 0
    st.pending = 0
    st.surely_pending = 0
    st.lacking = 0
    st.dead_lacking = 0
    st.lacking_round = 0
    st.defects = 0
    st.leaders_asked = 0
    if st.void:
        return
    if kind == DEAL or kind == COMMUNITY or kind == BURN or kind == RESHUFFLE:
        if _starts_round(st, ev, kind):
            _start_round(st)
    elif is_action(kind):
        if st.phase == DEALING:
            _note_lacking(st)
            st.phase = BETTING
    elif kind == SHOW or kind == MUCK or kind == AWARD:
        ends = kind == AWARD or (ev.at > st.last_play and active(st) >> ev.seat & 1)
        if ends and not st.closed and count_bits(active(st)) > 1:
            _leave_betting(st)
            st.phase = BETTING
            st.closed = 1
            st.showdown = 1 if st.betting_round >= st.final_round else 0
        if kind == AWARD and st.awards == 0:
            _layer_pots(st)


@jit
def _layer_pots(st):
    """Main pot and side pots: one layer for every different contribution among the live seats.

    What folded players put in above the last live contribution belongs to the last layer.
    """
    chips = 0
    for seat in range(1, 11):
        chips += st.total[seat]
    above = active(st)  # who put in more than the layers so far hold
    floor = 0
    while above:
        level = 0
        sharing = 0
        left = above
        while left:
            seat = lowest_bit(left)
            left &= left - 1
            if st.total[seat] > floor:
                sharing |= 1 << seat
                level = min(level, st.total[seat]) if level else st.total[seat]
        above = sharing
        if level == 0:
            break
        for seat in range(1, 11):
            st.layer_chips[st.layers] += max(min(st.total[seat], level) - floor, 0)
        st.layer_seats[st.layers] = sharing
        chips -= st.layer_chips[st.layers]
        floor = level
        st.layers += 1
    if st.layers:
        st.layer_chips[st.layers - 1] += chips


@small
def _chips_in(st, ev, kind):
    """Chips that count towards the round: blind, forced bet, bet, call, raise."""
    seat = ev.seat
    st.total[seat] += ev.amount
    _note_all_in(st, seat)
    st.round_total[seat] += ev.amount
    total = st.round_total[seat]
    if ev.amount > 0 and kind != BLIND:
        st.wagered = 1
        st.dead = 0
        st.doubtful = 0
    st.called = 1
    if kind == FORCED_BET or kind == BLIND:
        st.forced_level = max(st.forced_level, total)
    if total >= st.round_max:
        st.behind &= ~(1 << seat)
    if total <= st.round_max:
        if (kind == BET or kind == RAISE) and not is_all_in(st, seat):
            st.bettor = 0  # a raise that is none leaves open who is being called
        return
    unit = unit_bet(st)
    full = total - st.round_max >= unit
    if kind == RAISE:
        st.full_raises += 1 if full and st.round_max > st.forced_level else 0
    if kind == BET or kind == RAISE:
        st.bettor = seat
        st.called = 0
        st.largest_wager = max(st.largest_wager, total - st.round_max)
    # The blind of a button game may be a full bet; elsewhere what is forced is none.
    played = kind != FORCED_BET and (kind != BLIND or st.board)
    if played and (full or total - st.full_level >= unit):
        st.full_level = total
    st.round_max = total
    st.behind = ~(1 << seat)


@small
def _act(st, ev, kind):
    if st.actions == 0:
        st.opener = ev.seat
    st.actions += 1
    st.last_actor = ev.seat
    st.acted |= 1 << ev.seat
    if kind == FORCED_BET:
        st.forced |= 1 << ev.seat
    elif kind == RAISE:
        st.raises += 1
    elif kind == FOLD:
        was_in = active(st) >> ev.seat & 1
        if was_in and not st.board and (st.forced >> ev.seat & 1 or not st.wagered):
            st.dead |= 1 << ev.seat
            st.was_dead |= 1 << ev.seat
            if st.wagered and st.betting_round > 1:
                st.doubtful |= 1 << ev.seat
        st.folded |= 1 << ev.seat
        if was_in and count_bits(active(st)) == 1:
            st.ended_round = st.betting_round
    if kind != CHECK and kind != FOLD:
        _chips_in(st, ev, kind)


@small
def after(st, ev, kind):
    """Apply an event to the state."""
    if ev.seat and not st.seated >> ev.seat & 1:
        st.defects |= UNKNOWN_SEAT
    ends = st.awards > 0 or st.void
    if ends and (kind <= BURN or kind == REPLACE or kind == RESHUFFLE or CHECK <= kind <= FOLD):
        st.defects |= AFTER_END
    if st.void:
        return
    if leaves_twice(st, ev, kind):
        st.defects |= DUPLICATE_CARD
        st.twice |= 1 << ev.card
    if (kind == CHECK or kind == FOLD) and kind == st.previous_kind and ev.seat == st.previous_seat:
        st.defects |= REPEATED
    st.previous_kind = kind
    st.previous_seat = ev.seat
    if kind == DEAL or kind == COMMUNITY or kind == BURN:
        take_from_stub(st, ev, kind)
    if kind == ANTE:
        st.in_hand |= 1 << ev.seat
        st.total[ev.seat] += ev.amount
        _note_all_in(st, ev.seat)
        st.anted[ev.seat] += ev.amount
        st.ante_count[ev.seat] += 1
        put_right = st.first_seat == 0 and ev.amount != st.ante_net[ev.seat]
        if st.first_ante == UNKNOWN and ev.amount != st.stack[ev.seat] and not put_right:
            st.first_ante = ev.amount
    elif kind == BLIND:
        st.in_hand |= 1 << ev.seat
        st.last_blind = ev.seat
        _chips_in(st, ev, kind)
    elif is_action(kind):
        if kind == FORCED_BET:
            st.in_hand |= 1 << ev.seat
        _act(st, ev, kind)
    elif kind == DEAL:
        deal(st, ev)
    elif kind == COMMUNITY:
        spend_flash(st, ev)
        st.community_count += 1
        st.round_communities += 1
        if ev.card >= 0:
            st.community |= 1 << ev.card
            st.seen |= 1 << ev.card
        if st.betting_round == st.final_round or st.board:
            st.got |= due(st)
    elif kind == BURN:
        burn(st, ev)
    elif kind == EXPOSE:
        expose(st, ev)
    elif kind == REPLACE:
        replace(st, ev)
    elif kind == RESHUFFLE:
        st.stub += st.burns
        st.burns = 0
        st.burns_shuffled += st.round_burns
        st.round_burns = 0
        st.burns_doubt = 0
        st.reshuffles += 1
        st.returned = st.exposed_surely
        st.exposed_cards = 0
        st.flashed = 0
        st.flashes = 0
        st.flash_seat = 0
        st.flash_late = 0
        st.flash_next = 0
        st.unnamed_burn = 0
    elif kind == RETURN:
        if ev.amount > st.total[ev.seat]:
            st.defects |= OVER_RETURN
        st.total[ev.seat] = max(st.total[ev.seat] - ev.amount, 0)
        st.round_total[ev.seat] = max(st.round_total[ev.seat] - ev.amount, 0)
        _note_all_in(st, ev.seat)
        st.round_max = 0
        for seat in range(1, 11):
            st.round_max = max(st.round_max, st.round_total[seat])
        st.behind = 0
        for seat in range(1, 11):
            if st.round_total[seat] < st.round_max:
                st.behind |= 1 << seat
    elif kind == SHOW:
        show(st, ev)
    elif kind == MUCK:
        # The last player with a claim gives nothing up by not showing.
        if active(st) & ~st.mucked != 1 << ev.seat:
            st.mucked |= 1 << ev.seat
    elif kind == AWARD:
        st.awards += 1
        st.awarded[ev.seat] += ev.amount
        st.pot_awarded[layer_of(st, ev.pot), ev.seat] += ev.amount
    elif kind == MISDEAL:
        st.void = 1
    move_card(st, ev, kind)
    if kind != MUCK and kind != AWARD:
        st.weighed = 0  # a card may have come or gone
    if kind == DEAL or kind == COMMUNITY or kind == RESHUFFLE:
        st.exposed = NO_CARD
        st.exposed_named = 0
        st.exposed_open = 0
        st.exposed_surely = 0
    if kind == DEAL or kind == COMMUNITY:
        st.returned = 0
        st.burnt_amid = 0


@jit
def closing_defects(st):
    """Defects that show when the hand is over: chips that do not add up."""
    if st.awards == 0 or st.void:
        return 0
    put_in = 0
    paid_out = 0
    for seat in range(1, 11):
        put_in += st.total[seat]
        paid_out += st.awarded[seat]
    rake = 0
    for pot in range(11):
        rake += st.rake[pot]
    short = put_in - paid_out - rake
    if short < 0 or (short > 0 and (st.hand.records & RAKE_RECORDED or rake)):
        return CHIPS
    return 0

"""Division of pots: entitlement, equal shares, the odd chip (13.4(e) and the definitions)."""

from __future__ import annotations

from auditor._jit import jit
from auditor.bits import count_bits, highest_bit
from auditor.checks.registry import BREACH, COMPLIANT, INAPPLICABLE, NOT_EVIDENCED, Choice, check
from auditor.hands import UNDECIDED, claimants, hand_of, missing, winners
from auditor.seats import active, layer_of
from auditor.state import RAKE_RECORDED
from auditor.strength import top_of_best_five

NOT_DUE, UNCERTAIN, SETTLED = range(3)
GOES = Choice(("whole", "one-each"))
"""How what cannot be divided is handed out: whole to one hand, or a lowest chip each, the highest first."""


@jit
def _got(st, ev, layer, seat):
    """Chips that a seat has from a layer, this award included."""
    return st.pot_awarded[layer, seat] + (ev.amount if seat == ev.seat else 0)


@jit
def _division(ev, st, goes):
    """(what can be said, layer, winners, share, remainder) of a pot now divided.

    ``NOT_DUE`` while the pot has awards to come or a single winner; ``UNCERTAIN`` when the winners or
    the amount cannot be told, or odd chips that go one each are smaller than the log says any chip is.
    """
    nothing = (NOT_DUE, 0, 0, 0, 0)
    if not st.showdown:
        return nothing
    layer = layer_of(st, ev.pot)
    if layer == 10 or st.layers == 1:
        if ev.at != st.final_award:
            return nothing
    elif ev.at != st.last_award[ev.pot]:
        return nothing
    if layer == 10:
        # Awards that name no pot: no single pot's division can be told, if there is one at all.
        for index in range(st.layers):
            ahead = winners(st, claimants(st, index))
            if ahead == UNDECIDED or count_bits(ahead) > 1:
                return UNCERTAIN, 0, 0, 0, 0
        return nothing
    ahead = winners(st, claimants(st, layer))
    if ahead == UNDECIDED:
        paid = 0
        for seat in range(1, 11):
            paid += 1 if _got(st, ev, layer, seat) else 0
        if paid > 1:
            return UNCERTAIN, 0, 0, 0, 0
        return nothing
    parts = count_bits(ahead)
    if parts < 2:
        return nothing
    handed = 0
    rake = 0
    for index in range(11):
        handed += _got(st, ev, layer, index)
        if st.layers == 1 or index == layer:
            rake += st.rake[index]
    amount = st.layer_chips[layer] - rake
    known = st.hand.records & RAKE_RECORDED or rake
    if st.layers > 1 and (st.rake[10] or not known):
        amount = handed
    unit = st.hand.chip_unit
    loose = 0
    for seat in range(11):
        loose |= st.pot_awarded[10, seat]
    if unit < 1 or loose or (not known and amount != handed):
        return UNCERTAIN, 0, 0, 0, 0
    share = amount // parts // unit * unit
    rest = amount - share * parts
    if (amount != handed and amount - handed != rest) or (goes == 1 and rest % unit):
        return UNCERTAIN, 0, 0, 0, 0
    return SETTLED, layer, ahead, share, rest


@jit
def _below_shares(ev, st):
    """(the chips that a seat must have at least, those that it has) where awards do not say what is of which
    pot and a winner has less than the shares in all its pots; else nothing owed.

    All the rake is taken off each pot, so that the least is certain whichever it came from.
    """
    rake = 0
    for pot in range(11):
        rake += st.rake[pot]
    unit = st.hand.chip_unit
    if st.layers < 2 or ev.at != st.final_award or unit < 1 or not (st.hand.records & RAKE_RECORDED or rake):
        return 0, 0
    for seat in range(1, 11):
        least = 0
        shared = False
        for layer in range(st.layers):
            rivals = claimants(st, layer)  # a lone one may have had it back as a bet that nobody called
            ahead = winners(st, rivals) if count_bits(rivals) > 1 else 0
            if ahead != UNDECIDED and ahead >> seat & 1:
                parts = count_bits(ahead)
                shared = shared or parts > 1
                least += max(st.layer_chips[layer] - rake, 0) // parts // unit * unit
        got = st.awarded[seat] + (ev.amount if seat == ev.seat else 0)
        if shared and got < least:
            return least, got
    return 0, 0


@check("pots.equal_shares", on=("award",), needs=("chip_unit",), unit="chips", goes=GOES)
@jit
def equal_shares(ev, st, goes):
    """Equal hands share each pot equally, down to the lowest chip.

    Awards that do not say what is of which pot leave open how each was divided, but not that somebody has
    less than the shares in all of them.
    """
    state, layer, ahead, share, rest = _division(ev, st, goes)
    if state == UNCERTAIN:
        least, got = _below_shares(ev, st)
        return BREACH if least else NOT_EVIDENCED, least, got
    if state != SETTLED:
        return INAPPLICABLE, 0, 0
    more = min(rest, st.hand.chip_unit) if goes == 1 else rest
    for seat in range(1, 11):
        if ahead >> seat & 1:
            got = _got(st, ev, layer, seat)
            if got != share and got != share + more:
                return BREACH, share, got
    return COMPLIANT, share, share


@jit
def _top_card(st, seat, cards):
    """The highest card, by rank, then suit, of a seat's winning five cards or of all its cards."""
    hand = hand_of(st, seat)
    return highest_bit(hand) if cards == 1 else top_of_best_five(hand)


@jit
def _one_each(ev, st, layer, ahead, share, chips, cards):
    """The verdict on so many odd ``chips`` of the lowest kind, one each to the highest hands."""
    expected = 0
    observed = 0
    for seat in range(1, 11):
        if ahead >> seat & 1:
            card = _top_card(st, seat, cards)
            higher = 0
            level = False
            for other in range(1, 11):
                if other != seat and ahead >> other & 1:
                    top = _top_card(st, other, cards)
                    higher += 1 if top > card else 0
                    level = level or top == card
            if level and higher < chips:
                # Level by the community card, than which nobody has less: the text does not go on.
                return INAPPLICABLE, 0, 0
            has = _got(st, ev, layer, seat) > share
            if has and (higher >= chips or observed == 0):
                observed = seat
            if higher < chips and not has:
                expected = seat
    if expected == 0:
        return COMPLIANT, observed, observed
    return BREACH, expected, observed


@check(
    "pots.odd_chip",
    on=("award",),
    needs=("chip_unit",),
    unit="seat",
    despite_defects=True,
    cards=Choice(("five", "seven")),
    goes=GOES,
)
@jit
def odd_chip(ev, st, cards, goes):
    """What cannot be divided goes to the hand with the highest card by rank, then suit.

    ``cards``: looked for among the winning five cards, or among all the player's cards. ``goes``: all of it,
    or one lowest chip to that hand, the next to the next highest.
    """
    state, layer, ahead, share, rest = _division(ev, st, goes)
    if state != SETTLED:
        return NOT_EVIDENCED if state == UNCERTAIN else INAPPLICABLE, 0, 0
    if rest == 0:
        return INAPPLICABLE, 0, 0
    expected = 0
    observed = 0
    best = -1
    tied = False
    for seat in range(1, 11):
        if ahead >> seat & 1:
            if missing(st, seat):
                return NOT_EVIDENCED, 0, 0  # the unknown card may be the highest
            card = _top_card(st, seat, cards)
            tied = card == best  # by the community card, than which nobody has less
            if card > best:
                best = card
                expected = seat
            if _got(st, ev, layer, seat) >= share + rest:
                observed = seat
    if goes == 1:
        return _one_each(ev, st, layer, ahead, share, rest // st.hand.chip_unit, cards)
    if tied:
        # The highest card is the community card, which both hands use: the text does not go on.
        return INAPPLICABLE, 0, 0
    return COMPLIANT if observed == expected else BREACH, expected, observed


@check("pots.entitlement", on=("award",), unit="chips")
@jit
def entitlement(ev, st):
    """A player wins no more than the own contribution and an equal amount from each other contributor."""
    most = 0
    for seat in range(1, 11):
        most += min(st.total[seat], st.total[ev.seat])
    layer = layer_of(st, ev.pot)
    if active(st) >> ev.seat & 1 and layer != 10 and not st.layer_seats[layer] >> ev.seat & 1:
        most = st.awarded[ev.seat]
    got = st.awarded[ev.seat] + ev.amount
    return COMPLIANT if got <= most else BREACH, most, got

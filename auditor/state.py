"""The state of a hand as one structured record, and the words that replay and checks share.

Seats and cards are bits of masks (seat s is bit s, card c is bit c), so that nothing is allocated while
hands go by.
"""

from __future__ import annotations

import numpy as np

from auditor.handlog import KINDS, RECORDS

(
    ANTE,
    BLIND,
    FORCED_BET,
    DEAL,
    COMMUNITY,
    BURN,
    EXPOSE,
    REPLACE,
    RESHUFFLE,
    CHECK,
    BET,
    CALL,
    RAISE,
    FOLD,
    RETURN,
    SHOW,
    MUCK,
    RAKE,
    AWARD,
    RULING,
    MISDEAL,
) = range(len(KINDS))
NOTHING = len(KINDS)
"""The kind that follows a hand's last event."""

DOWN, UP = 0, 1
OTHER_GAME, SEVEN_CARD_STUD, FIVE_CARD_STUD, BUTTON_GAME_14, BUTTON_GAME_15, TEXAS_HOLDEM = range(6)
GAMES = {
    "seven-card-stud": SEVEN_CARD_STUD,
    "five-card-stud": FIVE_CARD_STUD,
    "button-game-14": BUTTON_GAME_14,
    "button-game-15": BUTTON_GAME_15,
    "texas-holdem": TEXAS_HOLDEM,
}
"""Games by name. The button games are those of sections 14 and 15, whose own names are on no page loaded."""
FINAL_ROUND = np.array([5, 5, 4, 5, 5, 4])
"""The last round, by game."""
FIRST_CARDS = np.array([3, 3, 2, 1, 3, 2])
"""Cards of each player in the first round, by game; in section 14 at least one, the number is not loaded."""
WHOLE_HAND = np.array([7, 7, 5, 0, 8, 7])
"""Cards among which a player has the best five, by game; 0 where it follows from the first cards dealt."""
BOARD = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
        [0, 1, 1, 1, 1, 1],
        [0, 1, 1, 1, 1, 1],
        [0, 0, 3, 1, 1, 0],
    ]
)
"""Community cards that a round of a button game brings, by game and round (from 1); none in stud."""
for _table in (FINAL_ROUND, FIRST_CARDS, WHOLE_HAND, BOARD):
    _table.setflags(write=False)  # compiled code holds them as constants
FIXED, SPREAD = 0, 1
DEALING, BETTING = 0, 1
NO_CARD, UNKNOWN_CARD = -1, -2
NO_PLACE, SUBSTITUTE, UNCLEAR = -1, -2, -3
NO_CAP = -1
STUB_CARD, PERHAPS_STUB, ANY_CARD, PERHAPS_ANY = range(4)
"""Exposures that may cap the bets: surely of a card of the stub, perhaps of one, of any card, perhaps of one
that all had seen before."""
UNSEEN, PERHAPS_SEEN, SEEN = range(3)
"""Whether the table saw a card on its way from the deck."""
FACE_UNKNOWN, PERHAPS_SHOWN = 1, 2
"""Why it is open how the first seventh card lay: no face logged, or another card may be the one exposed."""
MAX_READINGS = 4
"""The most ways in which one clause may be asked."""
MAX_CLAUSES = 256
"""The most clauses that one edition may have."""
MAX_FOUND = 64
"""The most verdicts that one event may bring."""
UNKNOWN = -1

BURNS_RECORDED = 1 << RECORDS.index("burns")
RAKE_RECORDED = 1 << RECORDS.index("rake")
FACES_RECORDED = 1 << RECORDS.index("faces")
DEAL_ORDER_RECORDED = 1 << RECORDS.index("deal_order")
STACKS_RECORDED = 1 << RECORDS.index("stacks")

DEFECTS = (
    "duplicate-card",
    "chips",
    "after-end",
    "unknown-seat",
    "deck-exhausted",
    "return",
    "replace",
    "show",
    "repeated",
)
"""Contradictions of a log with itself, by bit."""
(
    DUPLICATE_CARD,
    CHIPS,
    AFTER_END,
    UNKNOWN_SEAT,
    DECK_EXHAUSTED,
    OVER_RETURN,
    BAD_REPLACE,
    BAD_SHOW,
    REPEATED,
) = (1 << bit for bit in range(len(DEFECTS)))


EVENT = np.dtype(
    [
        ("at", "i8"),  # from 0 in the hand
        ("kind", "i8"),
        ("seat", "i8"),
        ("card", "i8"),
        ("face", "i8"),
        ("amount", "i8"),
        ("pot", "i8"),
        ("following", "i8"),  # kind of the next event that is no ruling, exposure, burn or shuffle, and
        ("following_seat", "i8"),
        ("exposed_next", "i8"),  # whether an exposure follows, rulings apart
    ],
    align=True,
)
"""One event as the loop sees it."""

HAND = np.dtype(
    [
        ("game", "i8"),
        ("structure", "i8"),
        ("small_bet", "i8"),
        ("big_bet", "i8"),
        ("min_bet", "i8"),
        ("max_bet", "i8"),
        ("ante", "i8"),
        ("forced_bet", "i8"),
        ("raise_cap", "i8"),
        ("chip_unit", "i8"),
        ("dealer_position", "i8"),
        ("records", "i8"),
        ("table", "i8"),
    ],
    align=True,
)
"""What a hand's own columns tell the loop; -1 where not recorded."""

_SEATS = (11,)
_LAYERS = (11,)
STATE = np.dtype(
    [
        ("hand", HAND),
        # the whole hand
        ("final_round", "i8"),
        ("first_cards", "i8"),  # cards of the initial deal
        ("board", "i8"),  # community cards of the whole hand in a button game, 0 in stud
        ("last_blind", "i8"),  # the seat that posted the last blind, 0 nobody
        ("seated", "i8"),
        ("in_hand", "i8"),
        ("folded", "i8"),
        ("mucked", "i8"),
        ("dead", "i8"),  # positions that go on receiving cards
        ("was_dead", "i8"),
        ("doubtful", "i8"),  # dead only if a forced bet counts in later rounds
        ("forced", "i8"),  # seats that made the forced bet
        ("stack", "i8", _SEATS),
        ("stacked", "i8"),  # seats of known stack
        ("all_in", "i8"),  # seats that have put in their whole stack, in the hand or not
        ("total", "i8", _SEATS),  # chips in the pot from each seat
        ("anted", "i8", _SEATS),
        ("ante_net", "i8", _SEATS),  # of the whole hand: antes less what goes back, before the first card
        ("ante_count", "i8", _SEATS),
        ("first_ante", "i8"),  # the first one that is neither a whole stack nor put right
        ("void", "i8"),
        ("first_breach", "i8"),  # event of the hand's first breach
        ("ended_round", "i8"),  # round in which one player was left
        # cards
        ("cards", "i8", _SEATS),
        ("up", "i8", _SEATS),
        ("shown", "i8", _SEATS),
        ("told", "i8", _SEATS),  # cards that only a show has named
        ("seen", "i8"),  # named cards that the table has seen, wherever they lie by now but in the stub
        ("held", "i8", _SEATS),  # number of cards, known or not
        ("served", "i8"),  # seats that have the cards of the initial deal
        ("last_card", "i8", _SEATS),
        ("worth", "i8", _SEATS),  # strength of the seat's known cards, where it is
        ("weighed", "i8"),  # found already
        ("doubt", "i8"),  # seats of which the log does not say what they hold
        ("maybe_gone", "i8"),  # named cards of such seats, one of which was taken back
        ("up_unknown", "i8", _SEATS),  # cards whose face or value is not known while it may count
        ("community", "i8"),
        ("community_count", "i8"),
        ("out", "i8"),  # named cards that have left the deck
        ("unnamed", "i8"),
        ("tainted", "i8"),  # of the whole hand: named cards that leave the deck twice
        ("twice", "i8"),  # those that have done so by now
        ("burnt", "i8"),
        ("burns", "i8"),
        ("stub", "i8"),
        ("set_aside", "i8"),
        ("aside", "i8"),  # cards taken back from players and not known to be burnt
        ("blind_burns", "i8"),  # burns that may be of such a card, or of the stub
        ("first_seat", "i8"),
        # initial deal
        ("early_dealt", "i8", _SEATS),  # cards of the initial deal that the seat was dealt, substitutes apart
        ("early_cards", "i8", (11, 3)),
        ("early_gone", "i8", _SEATS),  # bit i: card i of the initial deal was taken back
        (
            "last_place",
            "i8",
            _SEATS,
        ),  # which of those is the last card of the seat, NO_PLACE, SUBSTITUTE, UNCLEAR
        ("early_up", "i8", _SEATS),  # bit i: card i of the initial deal came face up
        ("early_unknown", "i8", _SEATS),
        ("first_up", "i8", _SEATS),
        ("second_up", "i8", _SEATS),
        ("substitute", "i8"),
        ("replaced_seats", "i8"),
        ("replaced_card", "i8"),
        ("carried_burn", "i8"),
        ("carried_doubt", "i8"),  # 1: one more may count as a burn of the next round, -1: that one may not
        ("burnt_since", "i8"),  # a card was burnt after one was taken back, or it is too late for that
        # this round
        ("betting_round", "i8"),
        ("phase", "i8"),
        ("got", "i8"),
        ("got_more", "i8", _SEATS),  # cards of the round beyond the first
        ("deals", "i8"),
        ("first_dealt", "i8"),  # the card of the first of them, -1 not named
        ("last_dealt", "i8"),
        ("round_burns", "i8"),
        ("burns_doubt", "i8"),  # how many more of them there may be: 0, 1 or -1
        ("burns_shuffled", "i8"),
        ("reshuffles", "i8"),
        ("round_communities", "i8"),
        ("stub_at_start", "i8"),
        ("more_at_start", "i8"),  # how many cards more it may have held
        ("burns_at_start", "i8"),
        ("due_at_start", "i8"),
        ("actions", "i8"),
        ("last_actor", "i8"),
        ("acted", "i8"),
        ("opener", "i8"),
        ("bettor", "i8"),  # the last to bet or raise; 0 nobody, or not certain
        ("called", "i8"),  # somebody has answered that bet
        ("wagered", "i8"),
        ("round_total", "i8", _SEATS),
        ("round_max", "i8"),
        ("behind", "i8"),  # seats with less in the round than round_max
        ("full_level", "i8"),  # total up to which the round's bets are full bets
        ("forced_level", "i8"),  # the largest forced bet or blind of the round
        ("raises", "i8"),
        ("full_raises", "i8"),
        # the largest total when a card was exposed (the least of several), NO_CAP where none was, by the card
        ("cap", "i8", (4,)),
        ("wager_cap", "i8", (4,)),  # the same, of exposures after a wager
        ("final_up", "i8"),  # the first seventh card was face up or exposed while dealt
        ("final_unknown", "i8"),  # the log does not say how it lay: 0, FACE_UNKNOWN, PERHAPS_SHOWN
        ("previous_kind", "i8"),  # of the event before this one
        ("previous_seat", "i8"),
        ("last_up", "i8"),  # some seventh card was, whichever
        ("largest_wager", "i8"),  # the most that one bet or raise of the round added
        # this event
        ("previous_opener", "i8"),
        ("left_round", "i8"),  # round whose betting it leaves behind
        ("last_left", "i8"),  # who acted last in it
        ("pending", "i8"),  # the seats that still had to act in it
        ("surely_pending", "i8"),  # the same if every seat of unknown stack is all-in
        ("lacking", "i8"),  # active seats that lack a card of lacking_round
        ("dead_lacking", "i8"),
        ("lacking_round", "i8"),
        ("defects", "i8"),
        ("leaders_asked", "i8"),  # how the leaders of the hands showing were asked for, 0 not yet
        ("leaders", "i8"),
        # exposure
        ("exposed", "i8"),  # the last one since a card was dealt; NO_CARD, UNKNOWN_CARD
        ("exposed_named", "i8"),  # all of them that have a name
        ("exposed_burn", "i1", (52,)),  # the first burn off the deck since the exposure of each of those
        ("exposed_aside", "i8"),  # since the exposure of these a card taken back from a player was burnt
        ("exposed_doubt", "i8"),  # the first burn since the exposure of these may have been such a card
        ("exposed_open", "i8"),  # what one of them was, or whether it was of the stub, is not known
        ("exposed_surely", "i8"),  # one of them was of the stub
        ("flashed", "i8"),  # named cards of the stub exposed on their way out, still to come
        ("flashes", "i8"),  # exposures of such cards without a name
        ("flash_seat", "i8"),  # before which seat the last of these was, 0 none
        ("flash_late", "i8"),  # seats before which one was, and another card came next
        ("flash_next", "i8"),  # one of these is surely of the next card
        ("unnamed_burn", "i8"),  # one was burnt since the last card dealt or the last shuffle
        ("exposed_cards", "i8"),  # named cards of the stub exposed since the last shuffle
        ("burnt_amid", "i8"),  # a card was burnt since the last deal, in a round whose cards had been dealt
        ("returned", "i8"),  # a shuffle took the exposed card in, and no card was dealt since
        # showdown and pots
        ("closed", "i8"),  # hands are shown, mucked or paid
        ("showdown", "i8"),
        ("shows", "i8"),
        ("showed", "i8"),  # seats that have shown a card, named or not
        ("awards", "i8"),
        ("awarded", "i8", _SEATS),
        ("layers", "i8"),
        ("layer_chips", "i8", _LAYERS),
        ("layer_seats", "i8", _LAYERS),  # live seats with a share in the layer
        ("pot_awarded", "i8", (11, 11)),  # by layer (10: no layer) and seat
        ("rake", "i8", _LAYERS),  # by pot (10: not allocated), of the whole hand
        ("last_award", "i8", _LAYERS),  # index of the last award, by pot as written (10: none)
        ("final_award", "i8"),
        ("last_play", "i8"),  # index of the last action or card
        ("last_leave", "i4", 52),  # index of the last event by which a named card leaves the deck
        ("last_shuffle", "i8"),  # index of the last reshuffle
        ("shows_ever", "i8"),  # seats that show a card at any time
        ("shown_ever", "i8"),  # named cards that are shown at any time
        ("dealt_seats", "i8"),  # seats that receive a card at any time
        ("any_ante", "i8"),
    ],
    align=True,
)


FOUND = np.dtype(
    [
        ("asked", "i8", (MAX_CLAUSES,)),  # the ways in which each clause is asked in this run
        ("wanted", "i8"),  # verdicts to be written down, as bits
        ("tally", "i8", (MAX_CLAUSES, 5)),  # verdicts of each clause on the hands of one table
        ("clause", "i8", (MAX_FOUND,)),
        ("verdict", "i8", (MAX_FOUND,)),
        ("expected", "i8", (MAX_FOUND,)),
        ("observed", "i8", (MAX_FOUND,)),
        ("way_verdict", "i8", (MAX_FOUND, MAX_READINGS)),
        ("way_expected", "i8", (MAX_FOUND, MAX_READINGS)),
    ],
    align=True,
)
"""What the clauses are asked and find: counts of their verdicts, and those of an event that are wanted."""


def blank() -> np.ndarray:
    """A record array of one ``STATE`` as it stands before a hand begins."""
    state = np.zeros(1, STATE).view(np.recarray)
    for field in (
        "cap",
        "wager_cap",
        "early_cards",
        "last_card",
        "last_place",
        "exposed",
        "exposed_burn",
        "replaced_card",
        "first_up",
        "second_up",
        "first_ante",
        "last_award",
        "last_leave",
        "last_shuffle",
        "previous_kind",
        "final_award",
        "first_breach",
        "stack",
    ):
        state[field] = -1
    state.betting_round = 1
    state.stub = 52
    return state


def scratch(asked: np.ndarray) -> tuple[np.ndarray, ...]:
    """What the loop works in: the state, a blank one, an event, and what the clauses found.

    ``asked`` has, for each clause of the edition, the bits of the ways in which it is asked.
    """
    found = np.zeros(1, FOUND).view(np.recarray)
    found.asked[0, : len(asked)] = asked
    return blank(), blank(), np.zeros(1, EVENT).view(np.recarray), found

"""Showdown and the division of pots: 13.4(d), 13.4(e), and cards speak."""

from __future__ import annotations

from typing import NamedTuple

from .book import ALL_ROUNDS, BREACH, COMPLIANT, FIVE, NOT_EVIDENCED, SETTLED, SEVEN, Ask, Finding, rule
from .cards import DECK, Strength, best
from .dealing import FINAL
from .walker import FULL_HAND, Event, Pot, Table


def holding(table: Table, seat: int) -> list[int | None] | None:
    """All cards of the seat, community cards included, None for each unknown one. The whole is None where
    a card is tainted or there are too many."""
    cards = [c.code for c in table.cards.get(seat, [])] + table.board
    full = FULL_HAND[table.game]
    if len(cards) > full or any(c in table.tainted for c in cards):
        return None
    return cards + [None] * (full - len(cards))


def strength(table: Table, seat: int) -> Strength | None:
    """Worth of the seat's hand; None where a card of it is unknown or tainted."""
    known = [c for c in holding(table, seat) or [] if c is not None]
    return best(frozenset(known))[0] if len(known) == FULL_HAND[table.game] else None


def possible_winners(table: Table, seats: list[int]) -> list[set[int]] | None:
    """Who wins among the seats, once for every card that the one unknown card may be. None where more than
    one is unknown or a hand cannot be read."""
    if len(seats) == 1:
        return [set(seats)]
    hands = {seat: holding(table, seat) for seat in seats}
    known = {seat: [c for c in hand if c is not None] for seat, hand in hands.items() if hand is not None}
    if len(known) < len(seats):
        return None
    full = FULL_HAND[table.game]
    open_seats = [seat for seat in seats if len(known[seat]) < full]
    missing = sum(full - len(known[seat]) for seat in seats)
    if missing > 1:
        return None
    worth = {seat: best(frozenset(known[seat]))[0] for seat in seats if seat not in open_seats}

    def winners() -> set[int]:
        top = max(worth.values(), default=())
        return {seat for seat in worth if worth[seat] == top}

    if not missing:
        return [winners()]
    seat, outcomes = open_seats[0], []
    for card in DECK:
        if card not in table.where:
            worth[seat] = best(frozenset([*known[seat], card]))[0]
            outcomes.append(winners())
    return outcomes


@rule("SHO01", SEVEN, FINAL, "show muck", needs="show_order")
def called_player_first(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The player being called, the last to bet or raise, shows first."""
    rnd, called = table.round, table.round.aggressor
    if not table.showdown() or rnd.shows or called is None or called in table.folded | table.mucked:
        return None
    if event.kind == "muck":
        return (BREACH, called, 0) if event.seat == called else None
    if event.seat not in table.active():
        return None
    return (COMPLIANT if event.seat == called else BREACH), called, event.seat


def beaten(table: Table, seat: int) -> Finding | None:
    """Whether the hand kept back is below the best shown; None if nobody else has shown."""
    others = [s for s in table.active() if s in table.shown and s != seat]
    if not others:
        return None
    mine = strength(table, seat)
    theirs = [strength(table, s) for s in others]
    if mine is None:
        return NOT_EVIDENCED, 0, seat
    if any(t is not None and t > mine for t in theirs):
        return COMPLIANT, 0, seat
    return (NOT_EVIDENCED if None in theirs else BREACH), 0, seat


@rule("SHO02", SEVEN, FINAL, f"muck {SETTLED}")
def equal_or_better_shows(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A hand that equals or beats what is shown is exposed. At the end this looks at the hands neither
    shown nor mucked, a breach before doubt before compliance."""
    if not table.showdown():
        return None
    active = [s for s in table.active() if s not in table.shown | table.mucked]
    if event.kind == "muck":
        return beaten(table, event.seat) if event.seat in active else None
    findings = [f for f in (beaten(table, seat) for seat in active) if f is not None]
    return min(findings, key=lambda f: (BREACH, NOT_EVIDENCED, COMPLIANT).index(f[0]), default=None)


def claim(seat: int, outcomes: list[set[int]] | None) -> str:
    """What the possible outcomes of a pot say of the seat's claim to it."""
    wins = {seat in winners for winners in outcomes or ()}
    if len(wins) != 1:
        return NOT_EVIDENCED
    return COMPLIANT if True in wins else BREACH


@rule("SHO03", SEVEN, FINAL, "award")
def best_hand_wins(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The pot goes to the best five cards out of seven."""
    seat, pots = event.seat, table.pots_of(event)
    if not table.showdown():
        return None
    outcomes = [possible_winners(table, table.contenders(p)) if table.contenders(p) else None for p in pots]
    expected = next((min(o[0]) for o in outcomes if o), 0)
    if seat not in table.active() or seat in table.mucked:
        return BREACH, expected, seat
    if not table.pots():
        return NOT_EVIDENCED, 0, seat
    verdicts = {claim(seat, outcome) for outcome in outcomes}
    if COMPLIANT in verdicts:
        return COMPLIANT, seat, seat
    return (NOT_EVIDENCED if NOT_EVIDENCED in verdicts else BREACH), expected, seat


class Division(NamedTuple):
    """A pot that several hands win: each winner's share, the chips left over, what each winner got."""

    share: int
    remainder: int
    gains: dict[int, int]


def is_split(table: Table, pot: Pot, receivers: set[int]) -> list[int] | None:
    """The winners if several share the pot, [] if they do not, None where the cards do not tell."""
    outcomes = possible_winners(table, table.contenders(pot)) if table.contenders(pot) else []
    if outcomes is None:
        return None if len(receivers) > 1 else []
    if all(len(w) < 2 for w in outcomes):
        return []
    return sorted(outcomes[0]) if all(w == outcomes[0] for w in outcomes) else None


def amount_divided(table: Table, pots: list[Pot], index: int, awarded: int) -> int:
    """Chips of the pot that there were to divide. Rake that nobody allotted to one of several pots, or
    that the log does not record, leaves what was awarded."""
    if "rake" not in table.records:
        return awarded
    if len(pots) == 1:
        return pots[0].amount - sum(r.amount for r in table.rakes)
    if any(r.amount and not 0 <= r.pot < len(pots) for r in table.rakes):
        return awarded
    return pots[index].amount - sum(r.amount for r in table.rakes if r.pot == index)


def division(table: Table, event: Event) -> Division | str | None:
    """How a pot that several hands win was divided, at its last award; None where there is no such pot,
    NOT_EVIDENCED where the log does not tell."""
    if not table.showdown():
        return None
    pots, awards = table.pots(), list(table.foresight.awards)
    if len(pots) > 1:
        if any(not 0 <= a.pot < len(pots) for a in awards):
            if event.at != awards[-1].at:
                return None
            split = [is_split(table, p, {a.seat for a in awards}) for p in pots]
            return NOT_EVIDENCED if any(s is None or s for s in split) else None
        awards = [a for a in awards if a.pot == event.pot]
    if not pots or event.at != awards[-1].at:
        return None
    index = event.pot if len(pots) > 1 else 0
    winners = is_split(table, pots[index], {a.seat for a in awards})
    if not winners:
        return NOT_EVIDENCED if winners is None else None
    unit = table.hand.get("chip_unit") or 0
    awarded = sum(a.amount for a in awards)
    amount = amount_divided(table, pots, index, awarded)
    raked = sum(r.amount for r in table.rakes)
    if unit <= 0 or ("rake" not in table.records and len(pots) == 1 and awarded + raked != pots[0].amount):
        return NOT_EVIDENCED
    share = amount // len(winners) // unit * unit
    remainder = amount - share * len(winners)
    if awarded not in (amount, amount - remainder):
        return NOT_EVIDENCED
    return Division(share, remainder, {s: sum(a.amount for a in awards if a.seat == s) for s in winners})


@rule("SPL01", SEVEN, FINAL, "award", needs="chip_unit")
def equal_shares(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Equal hands share the pot equally, down to the lowest chip."""
    shares = division(table, event)
    if not isinstance(shares, Division):
        return None if shares is None else (NOT_EVIDENCED, 0, 0)
    right = (shares.share, shares.share + shares.remainder)
    wrong = [gain for gain in shares.gains.values() if gain not in right]
    return (BREACH, shares.share, wrong[0]) if wrong else (COMPLIANT, shares.share, shares.share)


@rule("SPL02", SEVEN, FINAL, "award", needs="chip_unit", readings="five seven")
def odd_chips(table: Table, event: Event, ask: Ask) -> Finding | None:
    """What cannot be shared goes whole to the winner with the highest card by rank, then suit. A card that
    the winners have in common decides nothing, the next one does."""
    shares = division(table, event)
    if not isinstance(shares, Division):
        return None if shares is None else (NOT_EVIDENCED, 0, 0)
    if not shares.remainder:
        return None
    cards = {}
    for seat in shares.gains:
        held = [c for c in holding(table, seat) or [] if c is not None]
        if len(held) < FULL_HAND[table.game]:
            return NOT_EVIDENCED, 0, 0
        cards[seat] = best(frozenset(held))[1] if ask.reading == "five" else tuple(sorted(held, reverse=True))
    due = max(cards, key=lambda seat: cards[seat])
    got = [seat for seat, gain in shares.gains.items() if gain >= shares.share + shares.remainder]
    observed = due if due in got else next(iter(got), 0)
    return (COMPLIANT if observed == due else BREACH), due, observed


def laid_open(table: Table, seat: int) -> bool:
    """Every card of the hand is named and lies face up."""
    cards = table.cards.get(seat, [])
    whole = len(cards) + len(table.board) == FULL_HAND[table.game] and None not in table.board
    return whole and all(c.code is not None and (c.up or c.shown) for c in cards)


@rule("SPK01", (SEVEN, FIVE), ALL_ROUNDS, "award")
def cards_speak(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Of the hands laid open, none that shares in the pot beats the one that was paid."""
    seat = event.seat
    opened = [s for s in table.active() if s not in table.mucked and laid_open(table, s)]
    if not table.showdown() or seat not in opened or len(opened) < 2:
        return None
    worth = {s: strength(table, s) for s in opened}
    expected = 0
    doubtful = False
    for pot in table.pots_of(event):
        rivals = {s: worth[s] for s in opened if s == seat or s in table.contenders(pot)}
        values = [w for w in rivals.values() if w is not None]
        if len(values) < len(rivals):
            doubtful = True
        elif worth[seat] == max(values):
            return COMPLIANT, seat, seat
        else:
            expected = min(s for s in rivals if rivals[s] == max(values))
    if doubtful:
        return NOT_EVIDENCED, 0, seat
    return (BREACH, expected, seat) if expected else None

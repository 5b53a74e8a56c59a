"""Showdown and the division of pots: 13.4(d), 13.4(e), and cards speak."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from .book import ALL_ROUNDS, B14, BREACH, COMPLIANT, FIVE, NOT_EVIDENCED, SETTLED, SEVEN, Ask, Finding, rule
from .cards import DECK, Strength, best
from .dealing import FINAL
from .walker import Event, Pot, Table

MOST = 9
"""Hands of more cards are not compared."""


def declared(table: Table) -> bool:
    """Whether anything is known of the hands of the game: of section 14 only what the casino has declared."""
    return table.game != B14 or table.assumptions.get("button-hand") == "best-five"


def holding(table: Table, seat: int) -> list[int | None] | None:
    """All cards of the seat, community cards included, None for each unknown one. The whole is None where the
    hand is not complete, a card is tainted, or the log does not tell which cards it holds."""
    full = table.full_hand()
    cards = [*table.known.get(seat, ()), *(c for c in table.board if c is not None)]
    whole = len(table.cards.get(seat, [])) + len(table.board) == full and len(cards) <= full
    if not whole or full > MOST or seat in table.vague or any(c in table.tainted for c in cards):
        return None
    return cards + [None] * (full - len(cards))


def possible_hands(table: Table, seat: int) -> list[frozenset[int]]:
    """What the seat may hold: one hand, or one for each card that its one unknown card may be. None at all
    where more is unknown."""
    cards = holding(table, seat)
    if cards is None:
        return []
    known = frozenset(c for c in cards if c is not None)
    if len(known) == len(cards):
        return [known]
    return [known | {c} for c in DECK if c not in table.where] if len(known) == len(cards) - 1 else []


def strength(table: Table, seat: int) -> Strength | None:
    """Worth of the seat's hand; None where a card of it is unknown or tainted."""
    hands = possible_hands(table, seat)
    return best(hands[0])[0] if len(hands) == 1 else None


def winners(table: Table, pot: Pot) -> set[int] | None:
    """Who wins the pot; None where the cards do not tell. One card may be unknown if it does not matter."""
    seats = table.contenders(pot)
    if len(seats) < 2:
        return set(seats)
    hands = [possible_hands(table, seat) for seat in seats]
    if [] in hands or sum((holding(table, seat) or []).count(None) for seat in seats) > 1:
        return None
    outcomes = []
    for held in product(*hands):
        worth = [best(hand)[0] for hand in held]
        outcomes.append({seat for seat, w in zip(seats, worth, strict=True) if w == max(worth)})
    return outcomes[0] if all(o == outcomes[0] for o in outcomes) else None


@rule("SHO41", B14, FINAL, f"show muck {SETTLED}", needs="show_order")
@rule("SHO01", SEVEN, FINAL, f"show muck {SETTLED}", needs="show_order")
def called_player_first(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The player being called, the last to bet or raise, shows first."""
    called = table.round.aggressor
    if not table.showdown or table.shows or called not in table.claimants() or not table.round.called:
        return None
    if len(table.claimants()) < 2:
        return None
    if event.kind == "award":
        # All others may have conceded without a word in the log.
        return None if called in table.foresight.shown else (NOT_EVIDENCED, called, 0)
    paid = bool(table.foresight.awards) and event.at > table.foresight.awards[-1].at
    if event.seat not in table.claimants() or (paid and event.seat != called):
        return None
    if event.kind == "muck":
        return (BREACH, called, 0) if event.seat == called else None
    return (COMPLIANT if event.seat == called else BREACH), called, event.seat


def called_seat(table: Table) -> int | None:
    return table.round.aggressor if table.round.called else None


def beaten(table: Table, seat: int, reading: str | None) -> str:
    """Whether the hand kept back is certainly below, or certainly not below, the best that lies open, or that
    of the player being called where it does. The best one may be a hand shown in part."""
    shown = [s for s in table.active() if s in table.shown]
    called = called_seat(table)
    if reading == "called-hand" and called in shown and laid_open(table, called):
        shown = [called]
    opened = [s for s in shown if laid_open(table, s)]
    theirs = [strength(table, s) for s in opened]
    mine = [best(hand)[0] for hand in possible_hands(table, seat)]
    top = max((t for t in theirs if t is not None), default=None)
    if top is None or None in theirs or not mine:
        return NOT_EVIDENCED
    if all(m < top for m in mine):
        return COMPLIANT
    return BREACH if set(shown) - {seat} <= set(opened) and all(m >= top for m in mine) else NOT_EVIDENCED


@rule("SHO42", B14, FINAL, f"muck {SETTLED}", needs="show_order", readings="best-shown called-hand")
@rule("SHO02", SEVEN, FINAL, f"muck {SETTLED}", needs="show_order", readings="best-shown called-hand")
def equal_or_better_shows(table: Table, event: Event, ask: Ask) -> Finding | None:
    """A hand that equals or beats what is shown is exposed, and that of the player being called whatever it
    is. At the last award this looks at the hands never shown nor mucked, a breach before doubt before
    compliance."""
    seat, claimants = event.seat, table.claimants()
    if not table.showdown or not table.shows or not declared(table):
        return None
    if event.kind == "award":
        kept = sorted(claimants - table.foresight.shown)
        if not claimants & table.shown:
            kept = [s for s in kept if s != called_seat(table)]  # whoever has shown has conceded
    elif seat in claimants and laid_open(table, seat):
        return COMPLIANT, 0, seat
    else:
        kept = [seat] if seat in claimants and len(claimants) > 1 else []
    called = called_seat(table)
    if called in kept and called not in table.shown:
        return BREACH, 0, called
    findings = [(beaten(table, s, ask.reading), 0, s) for s in kept]
    return min(findings, key=lambda f: (BREACH, NOT_EVIDENCED, COMPLIANT).index(f[0]), default=None)


def too_much(table: Table, event: Event) -> Finding | None:
    """An award to the winner of one pot that must hold another pot as well, which somebody else has won."""
    seat, number = event.seat, table.pot_number(event)
    got = event.amount + sum(a.amount for a in table.awards if a.seat == seat)
    here = [a.amount for a in (*table.awards, event) if a.seat == seat and table.pot_number(a) == number]
    lost, open_, own = [], 0, 0
    for pot in table.pots:
        ahead = winners(table, pot) if seat in table.contenders(pot) else {seat}
        if ahead is None:
            open_ += pot.amount
        elif seat in ahead:
            own += pot.amount
        else:
            lost.append(min(ahead))
    if number is not None:
        passed = lost and sum(here) > table.pots[number].amount and got > own + open_
        return (BREACH, lost[0], seat) if passed else None
    if lost and sum(here) > own + open_:
        return BREACH, lost[0], seat
    return (NOT_EVIDENCED, 0, seat) if open_ and own < sum(here) <= own + open_ else None


@rule("SHO43", B14, FINAL, "award")
@rule("SHO03", SEVEN, FINAL, "award")
def best_hand_wins(table: Table, event: Event, ask: Ask) -> Finding | None:
    """The pot goes to the best five cards out of seven."""
    seat, number = event.seat, table.pot_number(event)
    if not table.showdown or not declared(table) or table.given_up(event):
        return None
    pots = table.pots if number is None else [table.pots[number]]
    if seat not in table.claimants():
        named = winners(table, pots[0]) if number is not None else None
        return BREACH, min(named, default=0) if named else 0, seat
    outcomes = [winners(table, pot) for pot in pots if seat in table.contenders(pot)]
    if not outcomes:
        return None
    if any(seat in o for o in outcomes if o is not None):
        return too_much(table, event) or (COMPLIANT, seat, seat)
    if None in outcomes:
        return NOT_EVIDENCED, 0, seat
    return BREACH, min(set().union(*(o for o in outcomes if o is not None))), seat


class Division(NamedTuple):
    """A pot that several hands win: each winner's share, the chips left over, what each winner got."""

    share: int
    remainder: int
    gains: dict[int, int]


def division(table: Table, event: Event) -> Division | str | None:
    """How a pot that several hands win was divided, at its last award; None where there is no such pot,
    NOT_EVIDENCED where the log does not tell."""
    if not table.showdown or not declared(table):
        return None
    pots, number = table.pots, table.pot_number(event)
    awards = [a for a in table.foresight.awards if len(pots) == 1 or number is None or a.pot == event.pot]
    if event.at != awards[-1].at:
        return None
    if number is None:
        ahead = [winners(table, pot) for pot in pots if len(table.contenders(pot)) > 1]
        return NOT_EVIDENCED if any(w is None or len(w) > 1 for w in ahead) else None
    sharing = winners(table, pots[number])
    if sharing is None:
        return NOT_EVIDENCED if len({a.seat for a in awards if a.amount}) > 1 else None
    if len(sharing) < 2:
        return None
    handed, unit = sum(a.amount for a in awards), table.hand.get("chip_unit") or 0
    rake = sum(r.amount for r in table.foresight.rakes if len(pots) == 1 or r.pot == number)
    unallotted = any(r.amount and r.pot < 0 for r in table.foresight.rakes)
    known = "rake" in table.records or rake > 0
    amount = pots[number].amount - rake
    if len(pots) > 1 and (unallotted or not known):
        amount = handed
    loose = any(a.amount and table.pot_number(a) is None for a in table.awards)
    if unit <= 0 or loose or (not known and amount != handed):
        return NOT_EVIDENCED
    share = amount // len(sharing) // unit * unit
    remainder = amount - share * len(sharing)
    if handed not in (amount, amount - remainder):
        return NOT_EVIDENCED
    gains = {s: sum(a.amount for a in awards if a.seat == s) for s in sorted(sharing)}
    return Division(share, remainder, gains)


def too_little(table: Table) -> Finding | None:
    """However the awards are told apart, and whichever of several pots paid the rake: somebody with a share
    in one has got less than is due from all together."""
    rake, unit = sum(r.amount for r in table.foresight.rakes), table.hand.get("chip_unit") or 0
    if len(table.pots) < 2 or unit <= 0 or not (rake or "rake" in table.records):
        return None
    due: dict[int, int] = {}
    sharing: set[int] = set()
    for pot in table.pots:
        ahead = winners(table, pot) if len(table.contenders(pot)) > 1 else None
        if ahead is None:
            continue  # not known, or perhaps a bet that went back uncalled
        sharing |= ahead if len(ahead) > 1 else set()
        for seat in ahead:
            due[seat] = due.get(seat, 0) + max(pot.amount - rake, 0) // len(ahead) // unit * unit
    for seat in sorted(sharing):
        got = sum(a.amount for a in table.foresight.awards if a.seat == seat)
        if got < due[seat]:
            return BREACH, due[seat], got
    return None


@rule("SPL41", B14, FINAL, "award", needs="chip_unit")
@rule("SPL01", SEVEN, FINAL, "award", needs="chip_unit")
def equal_shares(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Equal hands share the pot equally, down to the lowest chip."""
    shares = division(table, event)
    if shares == NOT_EVIDENCED and event.at == table.foresight.awards[-1].at:
        return too_little(table) or (NOT_EVIDENCED, 0, 0)
    if not isinstance(shares, Division):
        return None if shares is None else (NOT_EVIDENCED, 0, 0)
    right = (shares.share, shares.share + shares.remainder)
    wrong = [gain for gain in shares.gains.values() if gain not in right]
    return (BREACH, shares.share, wrong[0]) if wrong else (COMPLIANT, shares.share, shares.share)


@rule("SPL42", B14, FINAL, "award", needs="chip_unit", readings="five seven")
@rule("SPL02", SEVEN, FINAL, "award", needs="chip_unit", readings="five seven")
def odd_chips(table: Table, event: Event, ask: Ask) -> Finding | None:
    """What cannot be shared goes whole to the winner with the highest card by rank, then suit."""
    shares = division(table, event)
    if not isinstance(shares, Division):
        return None if shares is None else (NOT_EVIDENCED, 0, 0)
    if not shares.remainder:
        return None
    tops = {}
    for seat in shares.gains:
        hands = possible_hands(table, seat)
        if len(hands) != 1:
            return NOT_EVIDENCED, 0, 0
        tops[seat] = best(hands[0])[1][0] if ask.reading == "five" else max(hands[0])
    due = max(tops, key=lambda seat: tops[seat])
    if list(tops.values()).count(tops[due]) > 1:
        return None  # the highest card is the community card, which both hands use
    got = [seat for seat, gain in shares.gains.items() if gain >= shares.share + shares.remainder]
    observed = due if due in got else next(iter(got), 0)
    return (COMPLIANT if observed == due else BREACH), due, observed


def laid_open(table: Table, seat: int) -> bool:
    """The seat has shown, and every card of its whole hand is named and lies face up."""
    known, tabled = table.known.get(seat, set()), table.tabled.get(seat, set())
    up = {c.code for c in table.cards.get(seat, []) if c.up}
    board = {c for c in table.board if c is not None}
    named = (
        len(known | board) == len(table.cards.get(seat, [])) + len(table.board) == table.full_hand() <= MOST
    )
    return named and bool(tabled) and seat not in table.vague and known <= tabled | up


@rule("SPK01", (SEVEN, FIVE), ALL_ROUNDS, "award")
def cards_speak(table: Table, event: Event, ask: Ask) -> Finding | None:
    """Of the hands laid open, none that shares in the pot beats the one that was paid."""
    seat, number = event.seat, table.pot_number(event)
    opened = [s for s in sorted(table.claimants()) if laid_open(table, s)]
    if not table.showdown or number is None or seat not in opened or len(opened) < 2:
        return None
    rivals = set(opened) & set(table.contenders(table.pots[number]))
    if seat not in rivals:
        return None
    worth = {s: strength(table, s) for s in sorted(rivals)}
    known = {s: w for s, w in worth.items() if w is not None}
    if len(known) < len(worth):
        return NOT_EVIDENCED, 0, seat
    leaders = [s for s, w in known.items() if w == max(known.values())]
    return (COMPLIANT, seat, seat) if seat in leaders else (BREACH, leaders[0], seat)

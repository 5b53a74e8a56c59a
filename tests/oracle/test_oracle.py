"""Hands whose verdicts are known, written out in a shorthand: one event a line or between semicolons,
``deal 2 Ks up``, ``bet 3 4`` (seat, chips), ``burn 5c``, ``rake 2``, ``award 2 9 pot=0``, ``burn`` (unnamed).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle import CODES, Verdict, audit_hand, defects
from tests.oracle.cards import best, code, five, showing
from tests.oracle.walker import ACTIONS, WAGERS

SEVEN, FIVE = "seven-card-stud", "five-card-stud"
ALL_RECORDS = (
    "burns deal_order faces down_cards exposures reshuffles show_order pots rake chip_unit stacks times"
).split()
NO_SEAT = {"burn", "community", "reshuffle", "expose", "rake", "ruling", "misdeal"}


def event(line: str) -> dict[str, Any]:
    kind, *words = line.split()
    parsed: dict[str, Any] = {"kind": kind}
    numbers = ["amount"] if kind in NO_SEAT else ["seat", "amount"]
    for word in words:
        if word in ("up", "down"):
            parsed["face"] = word
        elif word.startswith("pot="):
            parsed["pot"] = int(word[4:])
        elif word.isdigit():
            parsed[numbers.pop(0)] = int(word)
        else:
            parsed["card"] = word
    return parsed


def hand(
    text: str, *, without: str = "", stacks: dict[int, int] | None = None, **fields: Any
) -> dict[str, Any]:
    """A fixed-limit hand of ten seats with 400 chips each, every record claimed but those ``without``."""
    lines = [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]
    return {
        "hand_id": "1",
        "game": SEVEN,
        "structure": "fixed",
        "small_bet": 2,
        "big_bet": 4,
        "ante": 1,
        "forced_bet": 1,
        "chip_unit": 1,
        "records": [r for r in ALL_RECORDS if r not in without.split()],
        "seats": [{"seat": s, "player": f"P{s}", "stack": (stacks or {}).get(s, 400)} for s in range(1, 11)],
        "events": [event(line) for line in lines],
        **fields,
    }


def initial(cards: dict[int, str], faces: str = "down down up") -> str:
    """Antes, then the first cards one at a time; ``??`` where it does not matter."""
    antes = [f"ante {seat} 1" for seat in cards]
    count = len(faces.split())
    deals = [
        f"deal {seat} {cards[seat].split()[i]} {faces.split()[i]}" for i in range(count) for seat in cards
    ]
    return ";".join(antes + deals) + ";"


def street(cards: dict[int, str], face: str = "up", burn: str = "burn;") -> str:
    return burn + "".join(f"deal {seat} {card} {face};" for seat, card in cards.items())


def checks(*seats: int) -> str:
    return "".join(f"check {seat};" for seat in seats)


def of(verdicts: list[Verdict], code: str) -> list[tuple[str, int, int]]:
    return [(v.verdict, v.expected, v.observed) for v in verdicts if v.code == code]


def words(verdicts: list[Verdict], code: str) -> list[str]:
    return [v.verdict for v in verdicts if v.code == code]


def breaches(verdicts: list[Verdict]) -> set[str]:
    return {v.code for v in verdicts if v.verdict == "breach"}


def kinds(found: list[str]) -> list[str]:
    return [text.split(":")[0] for text in found]


# Cards


def test_a_straight_flush_from_the_ace_down_to_five_is_the_lowest_of_its_kind() -> None:
    wheel, six_high = (
        five(code(c) or 0 for c in text.split()) for text in ("Ah 2h 3h 4h 5h", "2h 3h 4h 5h 6h")
    )
    quads = five(code(c) or 0 for c in "Ac Ad Ah As Kd".split())
    assert quads < wheel < six_high


def test_the_categories_of_five_cards_rank_as_everywhere() -> None:
    hands = (
        "2c 4d 6h 8s Tc,2c 2d 6h 8s Tc,2c 2d 6h 6s Tc,2c 2d 2h 8s Tc,2c 3d 4h 5s 6c,2c 4c 6c 8c Tc,"
        "2c 2d 2h 8s 8c,2c 2d 2h 2s Tc,2c 3c 4c 5c 6c"
    )
    assert [five(code(c) or 0 for c in h.split())[0] for h in hands.split(",")] == list(range(9))


def test_four_showing_cards_make_no_straight_and_no_flush() -> None:
    flush, pair = (showing(tuple(code(c) or 0 for c in t.split())) for t in ("Ah Kh Qh Jh", "2c 2d 3h 4s"))
    assert flush < pair


def test_equal_fives_are_told_apart_by_their_highest_card() -> None:
    worth, cards = best(frozenset(code(c) or 0 for c in "4c 5d 6h 7h 8h 8c 2s".split()))
    assert worth[0] == 4 and cards[0] == code("8h")


# 13.3(b), 13.4(b): cases 1, 3, 4, 8


def fourth_card(first: int, **options: Any) -> list[Verdict]:
    text = initial({1: "?? ?? 7c", 2: "?? ?? Kh", 3: "?? ?? Ks"}) + "forced_bet 1 1;call 2 1;call 3 1;"
    return audit_hand(hand(text + street({1: "2h", 2: "Qc", 3: "Qd"}) + f"check {first};", **options))


def test_case_1_king_of_spades_opens() -> None:
    assert of(fourth_card(2), "OPN02") == [("breach", 3, 2)]
    assert of(fourth_card(3), "OPN02") == [("compliant", 3, 3)]


def test_the_opener_is_not_evidenced_without_faces_or_with_an_unknown_up_card() -> None:
    assert words(fourth_card(2, without="faces"), "OPN02") == ["not_evidenced"]
    unknown = (
        initial({1: "?? ?? 7c", 2: "?? ?? ??"}) + "forced_bet 1 1;call 2 1;" + street({1: "2h", 2: "Qc"})
    )
    assert words(audit_hand(hand(unknown + "check 1")), "OPN02") == ["not_evidenced"]


def test_without_stacks_the_due_player_may_have_been_all_in() -> None:
    assert words(fourth_card(2, without="stacks"), "OPN02") == ["not_evidenced"]
    assert words(fourth_card(3, without="stacks"), "OPN02") == ["compliant"]


def fifth_card(first: int) -> dict[str, Any]:
    text = initial({1: "?? ?? 9s", 2: "?? ?? 9h"}) + "forced_bet 1 1;call 2 1;"
    text += street({1: "9d", 2: "9c"}) + "check 1;check 2;" + street({1: "Kh", 2: "Ks"}) + f"check {first};"
    return hand(text)


def test_case_3_the_readings_of_a_tie_part() -> None:
    last = audit_hand(fifth_card(1))[-1].event
    both = [v for v in audit_hand(fifth_card(1)) if v.code == "OPN02" and v.event == last]
    assert [(v.verdict, v.expected) for v in both] == [("indeterminate", 2)]
    for reading, verdict in (("highest-card", "breach"), ("made-card", "compliant")):
        assert of(audit_hand(fifth_card(1), readings={"OPN02": reading}), "OPN02")[-1][0] == verdict


def seven_seats(up: dict[int, str], rounds: int) -> str:
    """Checked through with the given up cards, down cards unknown, to the end of round ``rounds`` less its
    betting: seat order is the order of play, the forced bet is called."""
    order = list(up)
    shown = {seat: cards.split() for seat, cards in up.items()}
    text = initial({seat: f"?? ?? {cards[0]}" for seat, cards in shown.items()})
    text += f"forced_bet {order[0]} 1;" + "".join(f"call {s} 1;" for s in order[1:])
    for r in range(2, rounds + 1):
        text += street({seat: cards[r - 1] for seat, cards in shown.items()})
        text += checks(*order) if r < rounds else ""
    return text


def test_case_4_a_community_card_is_no_part_of_the_showing_hand() -> None:
    text = seven_seats({1: "Qh 9c 5d 4s", 2: "6c 7h 3s Jd"}, 4) + checks(1, 2)
    text += "burn;community Jc up;"
    assert of(audit_hand(hand(text + "bet 2 4")), "OPN03") == [("breach", 1, 2)]
    assert of(audit_hand(hand(text + "bet 1 4")), "OPN03") == [("compliant", 1, 1)]


def test_case_4_in_five_card_stud() -> None:
    text = initial({1: "?? Qh", 2: "?? 6c"}, "down up") + "bet 1 2;call 2 2;"
    for cards in ({1: "9c", 2: "7h"}, {1: "5d", 2: "Jd"}):
        text += street(cards) + checks(1, 2)
    text += "burn;community Jc up;"
    verdicts = audit_hand(hand(text + "bet 2 4", game=FIVE))
    assert of(verdicts, "OPN20") == [("breach", 1, 2)]
    assert not [v for v in verdicts if v.code in ("OPN02", "OPN03", "ACT01")]


def test_case_8_a_card_twice_is_a_defect_and_lays_no_breach_on_the_hand() -> None:
    text = seven_seats({1: "Qh 9c 5d Jd", 2: "6c 7h 3s 2d"}, 4) + checks(1, 2)
    record = hand(text + "burn;community Jd up;bet 2 4;fold 1;award 2 8")
    assert kinds(defects(record)) == ["duplicate-card"]
    verdicts = audit_hand(record)
    assert words(verdicts, "OPN03") == ["not_evidenced"] and of(verdicts, "DCK01") == [
        ("not_evidenced", 0, 1)
    ]
    assert not breaches(verdicts)


# 19.10, 19.17: case 5


def aces_all_in(opening: str, stacks: dict[int, int]) -> list[Verdict]:
    text = initial({1: "?? ?? Kd", 2: "?? ?? 4c", 4: "?? ?? Ac", 5: "?? ?? 6c"})
    text += "forced_bet 2 1;call 4 1;call 5 1;call 1 1;"
    text += street({1: "Kc", 2: "7h", 4: "2d", 5: "8d"}) + "bet 1 2;call 2 2;call 4 2;call 5 2;"
    text += street({1: "9h", 2: "3h", 4: "Ah", 5: "Jh"}) + opening
    return audit_hand(hand(text, stacks=stacks))


def last_of(verdicts: list[Verdict], code: str) -> str:
    last = max(v.event for v in verdicts)
    return next((v.verdict for v in verdicts if v.code == code and v.event == last), "-")


@pytest.mark.parametrize(
    ("opening", "stacks", "verdict"),
    [
        ("bet 5 4", {4: 4}, "compliant"),
        ("bet 1 4", {4: 4}, "breach"),
        ("check 4", {4: 4}, "breach"),
        ("bet 1 4", {4: 4, 5: 4}, "compliant"),
        ("bet 4 4", {}, "-"),
    ],
)
def test_case_5_an_all_in_opener_passes_the_turn_to_the_left(
    opening: str, stacks: dict[int, int], verdict: str
) -> None:
    verdicts = aces_all_in(opening, stacks)
    assert last_of(verdicts, "OPN14") == verdict
    assert last_of(verdicts, "OPN02") == ("compliant" if verdict == "-" else "-")
    assert last_of(verdicts, "ACT01") == "-"


@pytest.mark.parametrize(("opener", "verdict"), [(1, "breach"), (2, "compliant")])
@pytest.mark.parametrize(("game", "code"), [(SEVEN, "OPN12"), (FIVE, "OPN11")])
def test_in_the_first_round_an_all_in_player_does_not_open(
    game: str, code: str, opener: int, verdict: str
) -> None:
    down = "down down up" if game == SEVEN else "down up"
    text = initial({1: "?? ?? Kd", 2: "?? ?? 4c"}, down) + f"check {opener}"
    assert words(audit_hand(hand(text, game=game, stacks={1: 1})), code) == [verdict]


@pytest.mark.parametrize(("assumed", "verdicts"), [(None, []), ("highest-showing", ["breach"])])
def test_five_card_openers_are_judged_only_where_declared(assumed: str | None, verdicts: list[str]) -> None:
    text = initial({1: "?? Ad", 2: "?? 4c", 3: "?? 9c"}, "down up") + "bet 1 2;call 2 2;call 3 2;"
    text += street({1: "Ah", 2: "5c", 3: "Tc"}) + "check 3"
    declared = {"five-card-opener": assumed} if assumed else {}
    found = audit_hand(hand(text, game=FIVE, stacks={1: 3}), assumptions=declared)
    assert words(found, "OPN15") == verdicts


# 13.2: case 15


def test_case_15_the_first_opener_is_judged_only_under_an_assumption() -> None:
    record = hand(initial({1: "?? ?? 2c", 2: "?? ?? Kh"}) + "forced_bet 1 1")
    assert not words(audit_hand(record), "OPN01")
    high, low = (
        audit_hand(record, assumptions={"first-round-opener": value}) for value in ("high-card", "low-card")
    )
    assert of(high, "OPN01") == [("breach", 2, 1)] and of(low, "OPN01") == [("compliant", 1, 1)]


def test_unknown_readings_and_assumptions_are_refused() -> None:
    record = hand("ante 1 1")
    for options in ({"readings": {"OPN02": "suit"}}, {"assumptions": {"first-round-opener": "none"}}):
        with pytest.raises(ValueError, match=r"suit|none"):
            audit_hand(record, **options)
    with pytest.raises(ValueError, match="omaha"):
        audit_hand({**record, "game": "omaha"})


# 13.3(a) and 13.4(a): cases 6, 7, 14


def test_case_14_no_burns_in_the_log_is_not_evidenced() -> None:
    text = initial({1: "?? ?? 7c", 2: "?? ?? Kh"}) + "forced_bet 1 1;call 2 1;"
    text += street({1: "2h", 2: "Qc"}, burn="") + "check 2"
    assert words(audit_hand(hand(text, without="burns")), "DEA01") == ["not_evidenced"]
    claimed = audit_hand(hand(text))
    assert of(claimed, "DEA01") == [("breach", 1, 0)] and words(claimed, "OPN02") == ["compliant"]


def test_two_burns_or_a_burn_amid_the_deal() -> None:
    text = seven_seats({1: "7c 2c", 2: "Kh 3d"}, 1)
    two = audit_hand(hand(text + "burn;burn;deal 1 2c up;deal 2 3d up"))
    late = audit_hand(hand(text + "burn;deal 1 2c up;burn;deal 2 3d up"))
    assert of(two, "DEA01") == [("breach", 1, 2)]
    assert of(late, "DEA01") == [("compliant", 1, 1), ("breach", 1, 2)]


def test_a_card_to_a_folded_seat_and_none_to_an_active_one() -> None:
    text = (
        initial({1: "?? ?? 7c", 2: "?? ?? Kh", 3: "?? ?? 9h"}) + "forced_bet 1 1;raise 2 2;fold 3;call 1 1;"
    )
    verdicts = audit_hand(hand(text + "burn;deal 1 2c up;deal 3 4c up;check 1"))
    assert of(verdicts, "DEA02") == [("compliant", 1, 1), ("breach", 2, 3), ("breach", 2, 0)]


@pytest.mark.parametrize(
    ("order", "verdict"), [("2 3 1", "compliant"), ("1 2 3", "indeterminate"), ("1 3 2", "breach")]
)
def test_the_deal_goes_clockwise_from_the_dealers_left_or_from_anywhere(order: str, verdict: str) -> None:
    text = initial({1: "?? ?? 7c", 2: "?? ?? Kh", 3: "?? ?? 9h"}) + "forced_bet 1 1;call 2 1;call 3 1;burn;"
    text += "".join(f"deal {seat} ?? up;" for seat in order.split())
    verdicts = words(audit_hand(hand(text, dealer_position=1)), "DEA04")
    assert max(verdicts, key=["compliant", "indeterminate", "breach"].index) == verdict


def test_faces_of_the_middle_and_of_the_last_cards() -> None:
    text = seven_seats({1: "7c 2c 4h 9d", 2: "Kh 3d 5h Tc"}, 4) + checks(2, 1) + "burn;deal 1 ?? down;"
    assert words(audit_hand(hand(text + "deal 2 ?? down")), "DEA13") == ["compliant", "compliant"]
    assert words(audit_hand(hand(text + "deal 2 ?? up")), "DEA13") == ["compliant", "indeterminate"]
    down = seven_seats({1: "7c", 2: "Kh"}, 1) + "burn;deal 1 2c down;deal 2 3c"
    assert of(audit_hand(hand(down)), "DEA03") == [("breach", 1, 0), ("not_evidenced", 1, -1)]


def test_nothing_is_dealt_to_one_player() -> None:
    text = seven_seats({1: "7c 2c", 2: "Kh 3d"}, 2) + "bet 2 2;fold 1;"
    verdicts = audit_hand(hand(text + "burn;deal 2 4d up;award 2 6"))
    assert of(verdicts, "DEA05")[-2:] == [("breach", 2, 1)] * 2
    assert of(verdicts, "END01") == [("breach", 2, 0), ("breach", 2, 2), ("compliant", 2, 2)]
    assert of(audit_hand(hand(text + "award 1 6")), "END01") == [("breach", 2, 1)]


def deck_hand(players: int, folds_first: bool = False) -> tuple[str, int]:
    """Every card named, dealt in deck order to the end of round four; the text and the next card's code."""
    names = [r + s for r in "23456789TJQKA" for s in "cdhs"]
    seats = list(range(1, players + 1))
    at = iter(names)
    text = initial(dict.fromkeys(seats, "{} {} {}")).replace("{}", "%s") % tuple(
        next(at) for _ in range(3 * players)
    )
    live = seats[1:] if folds_first else seats
    first = "forced_bet 2 1;" + "".join(f"call {s} 1;" for s in seats if s > 2)
    text += first + ("fold 1;" if folds_first else "call 1 1;")
    for _ in range(3):
        text += f"burn {next(at)};" + "".join(f"deal {s} {next(at)} up;" for s in live) + checks(*live)
    return text, names.index(next(at))


def test_case_6_the_muck_is_never_dealt_again() -> None:
    text, following = deck_hand(8, folds_first=True)
    names = [r + s for r in "23456789TJQKA" for s in "cdhs"]
    rest = [*names[following:], "2c", "3d"]  # 2c was the first card of the seat that folded
    record = hand(text + "reshuffle;" + "".join(f"deal {s} {c} down;" for s, c in enumerate(rest, 2)))
    verdicts = audit_hand(record)
    assert words(verdicts, "SHT02") == ["compliant"] * 4 + ["breach", "compliant"]
    assert "duplicate-card" in kinds(defects(record))


@pytest.mark.parametrize(
    ("players", "fold", "then", "verdict"),
    [
        (7, False, "burn;community ?? up", ("breach", 1, 2)),
        (7, False, "reshuffle", ("compliant", 1, 1)),
        (8, True, "reshuffle", ("indeterminate", 2, 1)),
        (8, True, "burn;community ?? up", ("indeterminate", 1, 2)),
        (8, False, "community ?? up", ("compliant", 2, 2)),
        (6, False, "reshuffle", ("breach", 0, 1)),
        (3, False, "burn;community ?? up", ("breach", 0, 2)),
    ],
)
def test_case_7_the_burns_are_shuffled_in_before_a_community_card_is_thought_of(
    players: int, fold: bool, then: str, verdict: tuple[str, int, int]
) -> None:
    text, _ = deck_hand(players, fold)
    assert of(audit_hand(hand(text + then)), "SHT01") == [verdict]


def test_with_one_card_in_the_stub_no_burn_is_asked_before_the_community_card() -> None:
    text, _ = deck_hand(8)
    plain = audit_hand(hand(text + "community As up"))
    shuffled = audit_hand(hand(text + "reshuffle;burn;community As up"))
    assert not words(plain, "DEA11")
    assert words(shuffled, "DEA11") == ["compliant"] and words(shuffled, "SHT01") == ["compliant"]


def test_a_second_community_card_is_a_breach() -> None:
    text, _ = deck_hand(8)
    assert (
        words(audit_hand(hand(text + "reshuffle;burn;community As up;community ?? up")), "SHT01")[-1]
        == "breach"
    )


@pytest.mark.parametrize(("dealt", "verdict"), [(6, ("compliant", 0, 0)), (5, ("breach", 0, 1))])
def test_a_shortage_noticed_late_is_made_up_from_the_burns(dealt: int, verdict: tuple[str, int, int]) -> None:
    text, _ = deck_hand(7)
    deals = "".join(f"deal {s} ?? down;" for s in range(1, dealt + 1))
    assert of(audit_hand(hand(text + "burn;" + deals + "reshuffle")), "SHT12") == [verdict]
    assert words(audit_hand(hand(text + "burn;" + deals + "reshuffle", without="reshuffles")), "SHT12") == [
        "not_evidenced"
    ]


def test_no_burn_is_asked_where_the_shuffle_leaves_just_enough_or_followed_it() -> None:
    exact, _ = deck_hand(8, folds_first=True)
    assert not words(audit_hand(hand(exact + "reshuffle;deal 2 ?? down")), "DEA11")
    ample, _ = deck_hand(7)
    assert not words(audit_hand(hand(ample + "burn;reshuffle;deal 1 ?? down")), "DEA11")
    assert of(audit_hand(hand(ample + "reshuffle;deal 1 ?? down")), "DEA11") == [("breach", 1, 0)]
    assert words(audit_hand(hand(ample + "reshuffle;burn;deal 1 ?? down")), "DEA11") == ["compliant"]


def test_a_community_card_amid_the_last_deal_comes_only_after_the_burns() -> None:
    text, _ = deck_hand(7)
    deals = "burn;" + "".join(f"deal {s} ?? down;" for s in range(1, 7))
    verdicts = audit_hand(hand(text + deals + "community ?? up"))
    assert of(verdicts, "SHT12") == [("breach", 0, 0)] and not words(verdicts, "SHT01")


# 13.3(c), 13.4(c)


def second_round(text: str, **options: Any) -> list[Verdict]:
    up = {1: "7c 2h", 2: "Kh Qc", 3: "Ks Qd"}
    return audit_hand(hand(seven_seats(up, 2) + text, **options))


def test_action_out_of_turn_and_after_the_end() -> None:
    verdicts = second_round("bet 3 2;call 2 2;call 1 2")
    assert of(verdicts, "ACT01") == [("breach", 1, 2), ("compliant", 1, 1)]
    assert of(second_round("check 3;check 1;check 2;check 3"), "ACT01")[-1] == ("breach", 0, 3)


def test_a_player_passed_over_may_have_been_all_in_where_stacks_are_not_recorded() -> None:
    assert words(second_round("bet 3 2;call 2 2", without="stacks"), "ACT01") == ["not_evidenced"]
    assert words(second_round("bet 3 2;call 1 2", without="stacks"), "ACT01") == ["compliant"]


def test_facing_a_wager_nobody_checks_and_a_raise_reaches_it() -> None:
    verdicts = second_round("bet 3 2;check 1;raise 2 1")
    assert of(verdicts, "ACT02") == [("breach", 2, 0), ("breach", 2, 1)]
    assert of(second_round("bet 3 2;raise 1 4"), "ACT02") == [("compliant", 2, 4)]


def test_a_round_ends_when_nobody_has_to_act() -> None:
    assert of(second_round("bet 3 2;call 1 2;call 2 2;burn"), "ACT03") == [("compliant", 0, 0)]
    assert of(second_round("bet 3 2;call 1 2;burn"), "ACT03") == [("breach", 0, 2)]
    assert words(second_round("bet 3 2;call 1 2;burn", without="stacks"), "ACT03") == ["not_evidenced"]
    assert words(second_round("bet 3 2;fold 1;show 1 7c;fold 2;award 3 8"), "ACT03") == []


def test_with_all_but_one_all_in_nobody_has_to_act() -> None:
    verdicts = second_round("burn", stacks={1: 2, 2: 2})
    assert words(verdicts, "ACT03") == ["compliant"]


# 19.11, 19.18: case 9


@pytest.mark.parametrize(
    ("after", "verdict"), [("raise 2 8", ("breach", 4, 8)), ("call 2 4", ("compliant", 4, 4))]
)
def test_case_9_an_exposed_card_caps_the_round(after: str, verdict: tuple[str, int, int]) -> None:
    text = seven_seats({1: "Kc 2h", 2: "7h Qc"}, 2) + "bet 1 4;expose 9c;"
    assert of(audit_hand(hand(text + after)), "EXP02") == [verdict]


def test_an_exposure_before_any_wager_has_two_readings() -> None:
    text = seven_seats({1: "Kc 2h", 2: "7h Qc"}, 2) + "expose 9c;bet 1 4"
    assert of(audit_hand(hand(text)), "EXP02") == [("indeterminate", 0, 4)]
    assert of(audit_hand(hand(text), readings={"EXP02": "uncapped"}), "EXP02") == []
    assert words(audit_hand(hand(text, without="exposures")), "EXP02") == ["not_evidenced"]


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        ("burn 9c;deal 1 4d up", "indeterminate"),
        ("burn 5d;deal 1 9c up", "indeterminate"),
        ("burn 5d;deal 1 4d up", "breach"),
        ("burn;deal 1 4d up", "not_evidenced"),
        ("reshuffle", "breach"),
    ],
)
def test_the_exposed_card_is_used_in_sequence(after: str, verdict: str) -> None:
    text = seven_seats({1: "Kc 2h", 2: "7h Qc"}, 2) + "bet 1 2;expose 9c;call 2 2;"
    assert words(audit_hand(hand(text + after)), "EXP04") == [verdict]


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        ("burn 4c;deal 1 5c up", "breach"),
        ("burn 9c;deal 1 5c up", "not_evidenced"),
        ("burn 4c;deal 1 8c up", "not_evidenced"),
        ("burn;deal 1 5c up", "not_evidenced"),
        ("reshuffle", "breach"),
    ],
)
def test_which_of_two_exposures_comes_next_is_open(after: str, verdict: str) -> None:
    text = seven_seats({1: "Kc 2h", 2: "7h Qc"}, 2) + "bet 1 2;expose 9c;expose 8c;call 2 2;"
    assert words(audit_hand(hand(text + after)), "EXP04") == [verdict]


def test_exposure_in_five_card_stud_has_its_own_numbers() -> None:
    text = (
        initial({1: "?? Qh", 2: "?? 6c"}, "down up")
        + "bet 1 2;expose 9c;raise 2 4;call 1 2;burn 9c;deal 1 4d up"
    )
    verdicts = audit_hand(hand(text, game=FIVE), readings={"EXP03": "as-burn"})
    assert of(verdicts, "EXP01") == [("breach", 2, 4), ("breach", 2, 4)]
    assert words(verdicts, "EXP03") == ["compliant"]


# 19.14, 19.15, 19.20: case 10


@pytest.mark.parametrize(
    ("face", "verdict"), [("up", ["breach"]), ("down", ["compliant"]), ("", ["not_evidenced"])]
)
def test_case_10_the_third_card_of_a_player_with_one_up_goes_down(face: str, verdict: list[str]) -> None:
    text = "ante 1 1;ante 5 1;deal 1 2c down;deal 5 3c down;deal 1 4c down;deal 5 5c up;deal 1 6c up;"
    assert words(audit_hand(hand(text + f"deal 5 7c {face}")), "INI01") == verdict


TWO_UP = (
    "ante 1 1;ante 2 1;deal 1 2c down;deal 2 3c up;deal 1 4c down;deal 2 5c up;deal 1 6c up;deal 2 7c down;"
)


@pytest.mark.parametrize(
    ("after", "verdicts"),
    [
        (
            "replace 2 5c;deal 2 8c down;burn 5c;forced_bet 1 1;call 2 1;deal 1 9c up;deal 2 Tc up",
            ["compliant"] * 3,
        ),
        (
            "replace 2 5c;deal 2 8c down;forced_bet 1 1;call 2 1;burn 5c;deal 1 9c up;deal 2 Tc up",
            ["compliant"] * 3,
        ),
        (
            "replace 2 3c;deal 2 8c up;forced_bet 1 1;call 2 1;burn Jc;deal 1 9c up;deal 2 Tc up",
            ["breach"] * 3,
        ),
        ("forced_bet 1 1", ["breach"]),
    ],
)
def test_two_cards_up_are_put_right_with_the_first_burn(after: str, verdicts: list[str]) -> None:
    record = hand(TWO_UP + after)
    found = audit_hand(record)
    assert [v.verdict for v in found if v.code in ("INI02", "INI03")] == verdicts
    assert not defects(record)
    if verdicts == ["compliant"] * 3:
        assert words(found, "DEA01") == ["compliant"] and not breaches(found)


def test_a_swap_of_unknown_cards_or_unrecorded_burns_is_not_evidenced() -> None:
    after = "replace 2 {};deal 2 8c down;forced_bet 1 1;call 2 1;burn {};deal 1 9c up"
    unknown = TWO_UP.replace("deal 2 5c up", "deal 2 ?? up") + after.format("??", "??")
    assert words(audit_hand(hand(unknown)), "INI02") == ["not_evidenced"] * 2
    unrecorded = hand(TWO_UP + after.format("5c", "5c"), without="burns")
    assert words(audit_hand(unrecorded), "INI02") == ["compliant", "not_evidenced"]
    assert words(audit_hand(unrecorded), "INI03") == ["compliant"]


def test_two_up_of_which_one_is_the_third_are_a_matter_of_reading() -> None:
    text = TWO_UP.replace("5c up", "5c down").replace("7c down", "7c up")
    assert words(audit_hand(hand(text + "forced_bet 1 1")), "INI02") == ["indeterminate"]


def last_cards(text: str) -> list[Verdict]:
    up = {1: "Kc 2h 4c 9d", 2: "7h Qc 5c Td"}
    played = seven_seats(up, 4) + checks(2, 1)
    return audit_hand(hand(played + text))


@pytest.mark.parametrize(
    "first", ["deal 1 3c up;", "deal 1 3c down;expose 1 3c;", "expose 3c;deal 1 3c down;"]
)
def test_a_first_seventh_card_that_comes_open_opens_them_all(first: str) -> None:
    verdicts = last_cards("burn;" + first + "deal 2 6s up;check 2;")
    assert of(verdicts, "FIN01") == [("compliant", 1, 1)]
    assert of(verdicts, "FIN02") == [("compliant", 2, 2)]
    assert not words(verdicts, "DEA13") and not words(verdicts, "OPN03")
    wrong = last_cards("burn;" + first + "deal 2 6s down;check 1;")
    assert of(wrong, "FIN01") == [("breach", 1, 0)] and of(wrong, "FIN02") == [("breach", 2, 1)]


# 19.12, 19.19: case 11


def checked_fold(sixth: str, bet: str, last: str, **options: Any) -> list[Verdict]:
    up = {1: "Kc Kd Kh", 3: "7h Qc 5c", 6: "2h 4c 9d"}
    text = seven_seats(up, 3) + "check 1;fold 3;check 6;burn;" + sixth + bet + "burn;" + last
    return audit_hand(hand(text, **options))


DEAD = "deal 1 3d up;deal 3 6d up;deal 6 8d up;"


def test_case_11_a_position_folded_in_a_round_of_checks_gets_cards_until_a_wager() -> None:
    good = checked_fold(DEAD, "bet 1 4;call 6 4;", "deal 1 ?? down;deal 6 ?? down;check 1;check 6;")
    assert of(good, "POS01") == [("compliant", 3, 3)] and not breaches(good)
    skipped = checked_fold("deal 1 3d up;deal 6 8d up;", "bet 1 4;call 6 4;", "deal 1 ?? down;")
    assert of(skipped, "POS01") == [("breach", 3, 0)]
    still = checked_fold(DEAD, "bet 1 4;call 6 4;", "deal 1 ?? down;deal 3 ?? down;deal 6 ?? down;")
    assert of(still, "POS01") == [("compliant", 3, 3), ("breach", 0, 3)]
    assert words(checked_fold(DEAD, "", "", without="deal_order"), "POS01") == ["not_evidenced"]


def test_a_dead_position_never_acts() -> None:
    assert of(checked_fold(DEAD, "check 3;", ""), "POS01")[1] == ("breach", 0, 3)


def test_who_folds_after_the_forced_bet_is_a_dead_position_in_five_card_stud_too() -> None:
    text = (
        initial({1: "?? 2h", 2: "?? 6c", 3: "?? Jd"}, "down up")
        + "forced_bet 1 1;raise 2 2;call 3 2;fold 1;burn;"
    )
    good = audit_hand(hand(text + "deal 1 4c up;deal 2 5c up;deal 3 7c up;check 3", game=FIVE))
    bad = audit_hand(hand(text + "deal 2 5c up;deal 3 7c up;check 3", game=FIVE))
    assert of(good, "POS02") == [("compliant", 1, 1)] and of(bad, "POS02") == [("breach", 1, 0)]


# 13.4(d), 13.4(e): cases 12 and 13


def showdown(cards: dict[int, str], end: str, **options: Any) -> dict[str, Any]:
    """All seven cards of each seat named; antes and forced bets only, then ``end``."""
    held = {seat: text.split() for seat, text in cards.items()}
    text = initial({seat: " ".join(c[:3]) for seat, c in held.items()})
    order = list(held)
    text += f"forced_bet {order[0]} 1;" + "".join(f"call {s} 1;" for s in order[1:])
    for r in range(3, 6):
        text += street({s: c[r] for s, c in held.items()}) + checks(*order)
    text += street({s: c[6] for s, c in held.items()}, "down")
    return hand(text + end, **options)


STRAIGHTS = {2: "4c 5d Kh 6h 7h 8h Jc", 3: "4d 5c Ks 6s 7s 8s Jd"}
DIVIDED = "check 3;check 2;show 3 4d;show 2 4c;"


def seventeen(awards: str, **options: Any) -> dict[str, Any]:
    """Two equal straights and a pot of 17: a third seat has put in the odd chips and folded."""
    cards = {2: STRAIGHTS[2], 3: STRAIGHTS[3], 5: "2c 2d 3h 9c 9d Tc ??"}
    record = showdown(cards, "bet 3 4;call 2 4;fold 5;show 3 4d;show 2 4c;" + awards, ante=1, **options)
    extra = {"kind": "ante", "seat": 5, "amount": 3}
    return {**record, "events": [extra, *record["events"]]}


@pytest.mark.parametrize(
    ("awards", "shares", "odd"),
    [
        ("award 3 9;award 2 8", ["compliant"], [("compliant", 3, 3)]),
        ("award 2 9;award 3 8", ["compliant"], [("breach", 3, 2)]),
        ("award 2 8;award 3 8", ["compliant"], [("breach", 3, 0)]),
        ("award 3 17", ["breach"], [("compliant", 3, 3)]),
        ("award 3 10;award 2 7", ["breach"], [("compliant", 3, 3)]),
        ("award 3 5;award 2 5", ["not_evidenced"], [("not_evidenced", 0, 0)]),
    ],
)
def test_case_12_equal_hands_share_and_the_odd_chip_goes_by_suit(
    awards: str, shares: list[str], odd: list[tuple[str, int, int]]
) -> None:
    verdicts = audit_hand(seventeen(awards))
    assert words(verdicts, "SPL01") == shares and of(verdicts, "SPL02") == odd
    assert set(words(verdicts, "SHO03")) == {"compliant"}


def test_shares_need_the_lowest_chip() -> None:
    assert words(audit_hand(seventeen("award 3 9;award 2 8", without="chip_unit")), "SPL01") == [
        "not_evidenced"
    ]
    fives = audit_hand(seventeen("award 3 12;award 2 5", chip_unit=5))
    assert words(fives, "SPL01") == ["compliant"] and of(fives, "SPL02") == [("compliant", 3, 3)]


def test_rake_that_is_not_recorded_may_be_the_missing_chip() -> None:
    assert words(audit_hand(seventeen("award 3 8;award 2 8", without="rake")), "SPL01") == ["not_evidenced"]
    assert words(audit_hand(seventeen("award 3 9;award 2 8", without="rake")), "SPL02") == ["compliant"]
    for raked in ("award 3 8;award 2 8;rake 1", "rake 1;award 3 8;award 2 8"):
        verdicts = audit_hand(seventeen(raked))
        assert words(verdicts, "SPL01") == ["compliant"] and words(verdicts, "SPL02") == []


SIDE = {1: "2h 3h 9c 9d Tc Qd Th", 2: STRAIGHTS[2], 3: STRAIGHTS[3]}


@pytest.mark.parametrize(
    ("main", "side", "shares", "odd"),
    [
        (
            "award 3 8 pot=0;award 2 7 pot=0",
            "award 3 3 pot=1;award 2 3 pot=1",
            ["compliant"] * 2,
            ["compliant"],
        ),
        ("award 3 7 pot=0;award 2 8 pot=0", "award 3 3 pot=1;award 2 3 pot=1", ["compliant"] * 2, ["breach"]),
        ("award 3 8 pot=0;award 2 7 pot=0", "award 3 6 pot=1", ["compliant", "breach"], ["compliant"]),
        (
            "award 3 8 pot=0;award 2 7 pot=0",
            "rake 1 pot=1;award 3 2 pot=1;award 2 3 pot=1",
            ["compliant"] * 2,
            ["compliant", "breach"],
        ),
        ("award 3 7 pot=0;award 2 7 pot=0", "rake 1;award 3 3 pot=1;award 2 3 pot=1", ["compliant"] * 2, []),
        ("award 3 11", "award 2 10", ["not_evidenced"], ["not_evidenced"]),
    ],
)
def test_each_of_several_pots_is_divided_on_its_own(
    main: str, side: str, shares: list[str], odd: list[str]
) -> None:
    """Seat 1 is all-in for 5: 15 chips in the main pot, 6 in the side pot, two equal straights win both."""
    betting = "check 2;bet 3 6;call 1 3;call 2 6;"
    verdicts = audit_hand(showdown(SIDE, f"{betting}{side};{main}", stacks={1: 5}))
    order = {code: words(verdicts, code) for code in ("SPL01", "SPL02")}
    assert order == {"SPL01": shares[::-1], "SPL02": odd[::-1]}


def test_the_odd_chip_may_hang_on_which_cards_count() -> None:
    cards = {2: "4c 5d Ah 6h 7h 8h Jc", 3: "4d 5c Ks 6s 7s 8s Jd", 5: "2c 2d 3h 9c 9d Tc ??"}
    record = showdown(cards, "bet 2 4;call 3 4;fold 5;show 2 4c;award 3 9;award 2 8")
    record["events"].insert(0, {"kind": "ante", "seat": 5, "amount": 3})
    assert of(audit_hand(record), "SPL02") == [("indeterminate", 2, 3)]


def test_case_13_chips_that_do_not_add_up() -> None:
    lost = hand("ante 1 30;ante 2 31;fold 2;award 1 58;rake 2")
    assert kinds(defects(lost)) == ["chips"]
    assert not defects(hand("ante 1 30;ante 2 31;return 2 1;fold 2;award 1 58;rake 2"))
    assert not defects(hand("ante 1 30;ante 2 31;fold 2;award 1 58", without="rake"))
    assert kinds(defects(hand("ante 1 30;ante 2 31;award 1 62", without="rake"))) == ["chips"]


PAIRS = {1: "2c 5d Kh 6h 7h 8s Kc", 2: "4d 5c As 6s 7c Ts Ad", 3: "2h 3h 9c 9d Jc Qd Jh"}


def tabled(seat: int) -> str:
    """The seat of ``PAIRS`` shows all its cards."""
    return "".join(f"show {seat} {card};" for card in PAIRS[seat].split())


def test_the_called_player_shows_first_and_a_better_hand_may_not_be_mucked() -> None:
    end = "bet 2 4;call 3 4;call 1 4;"
    good = audit_hand(showdown(PAIRS, end + tabled(2) + "muck 1;" + tabled(3) + "award 3 18"))
    assert words(good, "SHO01") == ["compliant"] and words(good, "SHO02") == ["compliant"]
    bad = audit_hand(showdown(PAIRS, end + tabled(1) + "muck 3;" + tabled(2) + "award 2 18"))
    assert of(bad, "SHO01") == [("breach", 2, 1)] and of(bad, "SHO02") == [("breach", 0, 3)]
    hidden = audit_hand(showdown(PAIRS, end + tabled(2) + "award 2 18"))
    assert words(hidden, "SHO02") == ["breach"]
    one_card = audit_hand(showdown(PAIRS, end + "show 2 4d;muck 3;award 2 18"))
    assert words(one_card, "SHO02")[0] == "not_evidenced"
    assert of(audit_hand(showdown(PAIRS, end + "muck 2;show 3 2h")), "SHO01") == [("breach", 2, 0)]


def test_the_pot_goes_to_the_best_five_of_seven() -> None:
    end = "check 2;check 3;check 1;"
    assert of(audit_hand(showdown(PAIRS, end + "award 3 6")), "SHO03") == [("compliant", 3, 3)]
    assert of(audit_hand(showdown(PAIRS, end + "award 2 6")), "SHO03") == [("breach", 3, 2)]
    folded = audit_hand(showdown(PAIRS, "bet 2 4;fold 3;call 1 4;award 3 14"))
    assert of(folded, "SHO03") == [("breach", 2, 3)] and of(folded, "DED01") == [("breach", 0, 3)]


def test_one_unknown_card_matters_only_if_it_can_change_the_winner() -> None:
    end = "check 2;check 3;check 1;award 3 6"
    irrelevant = {**PAIRS, 3: "9h 9s 9c 9d Jc Qd ??"}
    assert words(audit_hand(showdown(irrelevant, end)), "SHO03") == ["compliant"]
    assert words(audit_hand(showdown({**PAIRS, 3: "2h 3h 9c 9d Jc Qd ??"}, end)), "SHO03") == [
        "not_evidenced"
    ]
    assert words(audit_hand(showdown({**PAIRS, 1: "2c ?? Kh ?? 7h 8s Kc"}, end)), "SHO03") == [
        "not_evidenced"
    ]
    quads = {1: irrelevant[3], 2: PAIRS[2], 3: PAIRS[1]}
    assert words(audit_hand(showdown(quads, end)), "SHO03") == ["breach"]


def test_cards_speak_only_among_hands_laid_open() -> None:
    end = "check 2;check 3;check 1;" + "".join(
        f"show {s} {c};" for s in (2, 3) for i, c in enumerate(PAIRS[s].split()) if i in (0, 1, 6)
    )
    assert of(audit_hand(showdown(PAIRS, end + "award 2 6")), "SPK01") == [("breach", 3, 2)]
    assert of(audit_hand(showdown(PAIRS, end + "award 3 6")), "SPK01") == [("compliant", 3, 3)]
    assert not words(audit_hand(showdown(PAIRS, end + "award 1 6")), "SPK01")


def test_side_pots_are_won_by_those_who_paid_into_them() -> None:
    text = "check 2;bet 3 4;call 1 2;call 2 4;"
    cards = {1: PAIRS[3], 2: PAIRS[1], 3: PAIRS[2]}
    good = audit_hand(showdown(cards, text + "award 1 12 pot=0;award 3 4 pot=1", stacks={1: 4}))
    assert words(good, "SHO03") == ["compliant", "compliant"] and words(good, "ALL01") == ["compliant"] * 2
    bad = audit_hand(showdown(cards, text + "award 1 12 pot=0;award 1 4 pot=1", stacks={1: 4}))
    assert words(bad, "SHO03") == ["compliant"]
    assert of(bad, "ALL01")[1] == ("breach", 12, 16)
    worse = audit_hand(showdown(cards, text + "award 1 12 pot=0;award 2 4 pot=1", stacks={1: 4}))
    assert words(worse, "SHO03") == ["compliant", "breach"]


# The definitions


def test_antes_are_alike() -> None:
    text = "ante 1 1;ante 2 2;ante 3 1;deal 1 2c down;deal 2 3c down;deal 3 4c down;deal 4 5c down"
    found = of(audit_hand(hand(text)), "ANT01")
    assert found == [("compliant", 1, 1), ("breach", 1, 2), ("compliant", 1, 1), ("breach", 1, 0)]
    assert words(audit_hand(hand("ante 1 2;ante 2 1", ante=2, stacks={2: 1})), "ANT01") == ["compliant"] * 2


def test_nobody_plays_beyond_the_stack() -> None:
    verdicts = second_round("bet 3 2;call 1 2", stacks={1: 3})
    assert of(verdicts, "STK01")[-2:] == [("compliant", 400, 4), ("breach", 3, 4)]
    assert set(words(second_round("bet 3 2", without="stacks"), "STK01")) == {"not_evidenced"}


def test_a_call_matches_or_is_all_that_is_left() -> None:
    assert of(second_round("bet 3 2;call 1 1"), "CAL01")[-1] == ("breach", 2, 1)
    assert of(second_round("bet 3 2;call 1 1", stacks={1: 3}), "CAL01")[-1] == ("compliant", 1, 1)
    assert of(second_round("bet 3 2;call 1 1", without="stacks"), "CAL01")[-1] == ("not_evidenced", 2, 1)


@pytest.mark.parametrize(
    ("betting", "verdicts"),
    [
        ("bet 3 2;raise 1 4", ["compliant", "compliant"]),
        ("bet 3 3", ["breach"]),
        ("bet 3 4", ["indeterminate"]),
        ("bet 3 1", ["breach"]),
    ],
)
def test_fixed_bets(betting: str, verdicts: list[str]) -> None:
    assert words(second_round(betting), "FIX01") == verdicts


@pytest.mark.parametrize(("raise_to", "verdicts"), [(2, []), (3, []), (6, ["breach"])])
def test_a_forced_bet_is_completed_or_raised_by_a_full_bet(raise_to: int, verdicts: list[str]) -> None:
    text = initial({1: "?? ?? 2c", 2: "?? ?? Kh"}) + f"forced_bet 1 1;raise 2 {raise_to}"
    assert words(audit_hand(hand(text)), "FIX01") == verdicts


def test_spread_bets_stay_within_their_bounds() -> None:
    limits: dict[str, Any] = {"structure": "spread", "min_bet": 2, "max_bet": 10}
    assert of(second_round("bet 3 11", **limits), "SPR01") == [("breach", 10, 11)]
    assert words(second_round("bet 3 1", **limits), "SPR01") == ["breach"]
    assert words(second_round("bet 3 1", stacks={3: 3}, **limits), "SPR01") == ["compliant"]


def test_a_spread_raise_over_a_forced_bet_counts_from_either() -> None:
    text = initial({1: "?? ?? 2c", 2: "?? ?? Kh"}) + "forced_bet 1 1;raise 2 "
    limits: dict[str, Any] = {"structure": "spread", "min_bet": 2, "max_bet": 10}
    found = [words(audit_hand(hand(text + str(chips), **limits)), "SPR01") for chips in (2, 10, 11, 12)]
    assert found == [[], [], [], ["breach"]]


def test_raises_are_capped_where_declared() -> None:
    text = "bet 3 2;raise 1 4;raise 2 6"
    assert of(second_round(text, raise_cap=1), "CAP01") == [("compliant", 1, 1), ("breach", 1, 2)]
    forced = initial({1: "?? ?? 2c", 2: "?? ?? Kh"}) + "forced_bet 1 1;raise 2 2;raise 1 3"
    assert words(audit_hand(hand(forced, raise_cap=1)), "CAP01") == ["compliant", "indeterminate"]
    assert not words(second_round(text), "CAP01")


def test_the_deck_is_whole_only_if_every_card_is_named() -> None:
    end = "check 2;check 3;check 1;award 3 6"
    unnamed = showdown(PAIRS, end)
    assert of(audit_hand(unnamed), "DCK01") == [("not_evidenced", 0, 0)]
    spare = iter(["2s", "3s", "4s", "5s"])
    for e in unnamed["events"]:
        if e["kind"] == "burn":
            e["card"] = next(spare)
    assert of(audit_hand(unnamed), "DCK01") == [("compliant", 0, 0)]


# The log


def test_nothing_is_judged_from_a_misdeal_on() -> None:
    text = seven_seats({1: "7c 2c", 2: "Kh 3d"}, 1)
    verdicts = audit_hand(hand(text + "misdeal;deal 1 2c down;check 1"))
    assert max(v.event for v in verdicts) < len(event_list(text))


def event_list(text: str) -> list[str]:
    return [part for part in text.split(";") if part]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ante 1 1;deal 1 2c down;deal 1 2c up", ["duplicate-card"]),
        ("deal 1 2c down;burn 3c;reshuffle;deal 1 3c up", []),
        ("deal 1 2c down;replace 1 3c", ["replace"]),
        ("deal 1 2c down;show 1 2c;show 1 4c", ["show"]),
        ("deal 1 ?? down;deal 2 4c up;show 1 4c", ["duplicate-card"]),
        ("deal 1 ?? down;show 1 4c", []),
        ("ante 1 1;return 1 2", ["return"]),
        ("ante 1 1;award 1 1;check 1", ["after-end"]),
        ("ante 1 1;misdeal;burn", ["after-end"]),
        ("ante 12 1", ["unknown-seat"]),
        ("burn;" * 53, ["deck-exhausted"]),
    ],
)
def test_contradictions_of_the_log(text: str, found: list[str]) -> None:
    assert kinds(defects(hand(text))) == found


def test_the_obligations_and_their_order_are_those_of_the_table() -> None:
    table = (Path(__file__).parents[2] / "docs" / "obligations.md").read_text("utf-8")
    rows = re.findall(r"^\| ((?:[A-Z]{3}\d\d ?)+)\|", table, re.MULTILINE)
    assert tuple(" ".join(rows).split()) == CODES


NAMES = st.sampled_from(["2c", "2d", "9h", "Ks", "As", "Td", None])
EVENTS = st.fixed_dictionaries(
    {"kind": st.sampled_from(sorted(ACTIONS | WAGERS) + "ante deal deal burn community expose replace".split()
                             + "reshuffle return show muck rake award misdeal blind ruling".split())},
    optional={
        "seat": st.integers(1, 4),
        "card": NAMES,
        "face": st.sampled_from(["up", "down"]),
        "amount": st.integers(0, 6),
        "pot": st.integers(-1, 2),
    },
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(EVENTS, max_size=60), st.sampled_from([SEVEN, FIVE]), st.sets(st.sampled_from(ALL_RECORDS)))
def test_any_log_gets_ordered_verdicts_one_an_event_and_obligation(
    events: list[dict[str, Any]], game: str, records: set[str]
) -> None:
    record = hand("", game=game, without=" ".join(records), stacks={1: 5, 2: -1, 3: 9})
    record["events"] = events
    verdicts = audit_hand(record)
    places = [(v.event, CODES.index(v.code)) for v in verdicts]
    assert places == sorted(set(places))
    assert defects(record) == defects(record)

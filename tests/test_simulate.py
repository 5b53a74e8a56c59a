"""Simulated nights: a casino's log in every physical respect, each planted breach there and in the truth.

Cards and chips are counted here from the events alone, without the simulator's own book-keeping. What the
rules have to say about the hands is the business of the audit and of the second implementation.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from auditor.handlog import CHIP_KINDS, KINDS, RECORDS, SCHEMA, SEATED_KINDS
from auditor.simulate import PLANTED_CODES, PLANTS, Night, simulate

CODES = set(
    "DEA01 DEA02 DEA03 DEA04 DEA05 DEA11 DEA12 DEA14 DEA15 OPN02 OPN03 OPN11 OPN12 OPN13 OPN14 OPN20 FIN02 "
    "ACT01 ACT02 ACT03 ACT11 ACT12 ACT13 END01 END11 SHT01 SHT02 SHT11 SHT12 EXP01 EXP02 EXP03 EXP04 POS01 "
    "POS02 INI01 INI02 INI03 FIN01 SHO01 SHO02 SHO03 SPL01 SPL02 ANT01 STK01 ALL01 CAL01 FIX01 SPR01 CAP01 "
    "DED01 SPK01 DEA13".split()
)
"""Every obligation but those that no log can show broken, or only under an assumption: DCK01, OPN01."""
PUT_IN = ("ante", "forced_bet", "bet", "call", "raise")
LEAVES_DECK = ("deal", "burn", "community")


@pytest.fixture(scope="module")
def clean() -> Night:
    return simulate(3000, seed=11)


@pytest.fixture(scope="module")
def planted() -> Night:
    return simulate(6000, seed=12, plant=1.0)


def hands_of(night: Night) -> list[list[dict[str, Any]]]:
    """The events of each hand, kinds as text."""
    hands = night.log.table.column("events").to_pylist()
    return [[{**event, "kind": KINDS[event["kind"]]} for event in hand] for hand in hands]


def deck_faults(events: list[dict[str, Any]]) -> list[int]:
    """Cards that leave the deck although they are not in it; a reshuffle brings the burns back.

    The first burn after a ``replace`` is the replaced card, which is in the dealer's hand already.
    """
    deck, burns, replaced, faults = set(range(52)), [], None, []
    for event in events:
        card = event["card"]
        if event["kind"] == "reshuffle":
            deck |= set(burns)
            burns = []
        elif event["kind"] == "replace":
            replaced = card
        elif event["kind"] in LEAVES_DECK:
            if event["kind"] == "burn":
                burns.append(card)
            if event["kind"] == "burn" and card == replaced:
                replaced = None
            elif card >= 0 and card in deck:
                deck.remove(card)
            elif card >= 0:
                faults.append(card)
    return faults


def test_the_log_is_of_the_contract(clean: Night) -> None:
    table = clean.log.table
    table.validate(full=True)
    assert table.schema == SCHEMA and table.schema.metadata == SCHEMA.metadata
    assert len(clean.log) == clean.log.read == 3000
    assert table.column("hand_id").to_pylist() == sorted(
        set(table.column("hand_id").to_pylist()), key=lambda hand: (hand.split("-")[1], hand)
    )


def test_every_event_has_the_fields_of_its_kind(clean: Night) -> None:
    for events in hands_of(clean):
        for event in events:
            if event["kind"] != "expose":  # a card on its way to a seat, or the top of the stub
                assert (event["seat"] > 0) == (event["kind"] in SEATED_KINDS)
            assert (event["amount"] > 0) == (event["kind"] in CHIP_KINDS)
            assert (event["pot"] >= 0) == (event["kind"] in ("rake", "award"))
            if event["kind"] not in ("deal", *LEAVES_DECK, "expose", "replace", "show"):
                assert event["card"] == -1
            elif event["kind"] != "deal" or event["face"] == 1:
                assert 0 <= event["card"] < 52


@pytest.mark.parametrize("night", ["clean", "planted"])
def test_chips_add_up(night: str, request: pytest.FixtureRequest) -> None:
    night_ = request.getfixturevalue(night)
    table = night_.log.table
    ids, units = table.column("hand_id").to_pylist(), table.column("chip_unit").to_pylist()
    cut_up = set(night_.truth.hand_id[night_.truth.kind == "below-chip"])
    assert bool(cut_up) == (night == "planted")
    for events, unit, hand_id in zip(hands_of(night_), units, ids, strict=True):
        moved: Counter[str] = Counter()
        for event in events:
            moved[event["kind"]] += event["amount"]
        assert sum(moved[kind] for kind in PUT_IN) - moved["return"] == moved["award"] + moved["rake"] > 0
        assert all(event["amount"] % unit == 0 for event in events) == (hand_id not in cut_up)


def test_nobody_puts_in_more_than_the_stack(clean: Night) -> None:
    for events, seats in zip(hands_of(clean), clean.log.table.column("seats").to_pylist(), strict=True):
        paid: Counter[int] = Counter()
        for event in events:
            if event["kind"] in PUT_IN:
                paid[event["seat"]] += event["amount"]
            elif event["kind"] == "return":
                paid[event["seat"]] -= event["amount"]
        stacks = {seat["seat"]: seat["stack"] for seat in seats}
        assert all(0 < paid[seat] <= stacks[seat] for seat in stacks)


def test_no_card_leaves_the_deck_twice(clean: Night, planted: Night) -> None:
    assert not any(map(deck_faults, hands_of(clean)))
    from_the_muck = set(planted.truth.hand_id[planted.truth.kind == "muck-dealt"])
    assert from_the_muck
    for hand_id, events in zip(
        planted.log.table.column("hand_id").to_pylist(), hands_of(planted), strict=True
    ):
        assert bool(deck_faults(events)) == (hand_id in from_the_muck)


def test_an_exposed_card_is_the_next_to_leave_the_deck(clean: Night) -> None:
    seen = 0
    for events in hands_of(clean):
        for at, event in enumerate(events):
            if event["kind"] == "expose" and event["seat"] == 0:
                later = [e for e in events[at:] if e["kind"] in ("burn", "deal", "community")]
                assert not later or (later[0]["kind"], later[0]["card"]) == ("burn", event["card"])
                seen += bool(later)
    assert seen > 20


def test_down_cards_are_hidden_in_some_hands_and_the_records_say_so(clean: Night) -> None:
    bit = 1 << RECORDS.index("down_cards")
    hidden = 0
    for events, records in zip(hands_of(clean), clean.log.table.column("records").to_pylist(), strict=True):
        down = {e["card"] == -1 for e in events if e["kind"] == "deal" and e["face"] == 0}
        assert down == {not records & bit}
        hidden += not records & bit
    assert 0.05 < hidden / 3000 < 0.3
    assert not any(
        records >> RECORDS.index("times") & 1 for records in clean.log.table["records"].to_pylist()
    )


def test_a_player_shows_all_cards_or_none(clean: Night) -> None:
    for events, game in zip(hands_of(clean), clean.log.table.column("game").to_pylist(), strict=True):
        dealt: Counter[int] = Counter(e["seat"] for e in events if e["kind"] == "deal")
        dealt.subtract(e["seat"] for e in events if e["kind"] == "replace")
        shown = Counter(e["seat"] for e in events if e["kind"] == "show")
        assert all(shown[seat] == dealt[seat] for seat in shown)
        short = any(e["kind"] == "community" for e in events)
        assert set(shown.values()) <= {(7 if game == "seven-card-stud" else 5) - short}


def test_a_night_has_all_that_a_casino_sees(clean: Night) -> None:
    hands, events = clean.log.hands, clean.log.events
    assert set(hands.game) == {"seven-card-stud", "five-card-stud"}
    assert set(hands.structure) == {"fixed", "spread"}
    assert set(hands.chip_unit) == {100, 200, 250, 500}
    players = clean.log.seats.groupby("hand_id").size().reindex(hands.hand_id).to_numpy()
    assert set(players[hands.game == "seven-card-stud"]) == set(range(2, 9))
    assert set(players[hands.game == "five-card-stud"]) == set(range(2, 11))
    assert set(events.kind.unique()) == set(KINDS) - {"blind", "ruling", "misdeal"}
    assert set(events.pot[events.kind == "award"]) >= {0, 1, 2}
    assert set(events.pot[events.kind == "rake"]) == {0}
    for column in ("table_id", "dealer_id", "supervisor_id", "shift", "gaming_day"):
        assert hands[column].nunique() > 1
    assert set(hands.dealer_position) == {0}


def test_limits_are_those_of_the_structure(clean: Night) -> None:
    hands = clean.log.hands
    fixed = hands.structure == "fixed"
    assert (hands.small_bet.notna() == fixed).all() and (hands.big_bet.notna() == fixed).all()
    assert (hands.min_bet.notna() == ~fixed).all() and (hands.max_bet.notna() == ~fixed).all()
    assert hands.raise_cap[~fixed].isna().all() and set(hands.raise_cap[fixed].dropna()) == {3, 4}


def test_the_clock_runs_and_a_night_ends(clean: Night) -> None:
    hands = clean.log.hands[clean.log.hands.table_id == "T01"]
    assert pd.Series(hands.started_at.to_numpy()).is_monotonic_increasing
    assert hands.gaming_day.iloc[0] == date(2026, 11, 1) and hands.gaming_day.iloc[-1] == date(2026, 11, 2)
    assert (hands.gaming_day.value_counts() <= 480).all()


def test_the_same_arguments_give_the_same_bytes() -> None:
    one, two = simulate(300, seed=5, plant=0.5), simulate(300, seed=5, plant=0.5)
    assert one.log.table.equals(two.log.table, check_metadata=True)
    pd.testing.assert_frame_equal(one.truth, two.truth)
    assert not simulate(300, seed=6, plant=0.5).log.table.equals(one.log.table)


def test_a_hand_does_not_depend_on_how_many_are_made(clean: Night) -> None:
    assert simulate(700, seed=11).log.table.equals(clean.log.table.slice(0, 700).combine_chunks())


def test_planting_in_some_hands_leaves_the_others_as_they_were(clean: Night) -> None:
    some = simulate(1000, seed=11, plant=0.2)
    breached = set(some.truth.hand_id)
    assert 150 < len(breached) < 250
    untouched = pa.array([hand not in breached for hand in some.log.table.column("hand_id").to_pylist()])
    assert some.log.table.filter(untouched).equals(clean.log.table.slice(0, 1000).filter(untouched))


def test_every_obligation_that_can_be_broken_is(planted: Night) -> None:
    assert set(PLANTED_CODES) == CODES
    assert set(planted.truth.code) == CODES
    planted_kinds = set(zip(planted.truth.code, planted.truth.kind, strict=True))
    assert planted_kinds >= {(plant.code.name, plant.slip.kind) for plant in PLANTS}


def test_a_planted_hand_has_one_breach_in_one_place(planted: Night) -> None:
    assert planted.truth.hand_id.nunique() > 0.995 * len(planted.log)
    assert not planted.truth.duplicated(["hand_id", "event", "code"]).any()
    one_kind = planted.truth.groupby("hand_id").kind.nunique()
    assert (one_kind == 1).all()
    lengths = planted.log.events.groupby("hand_id").size()
    assert ((planted.truth.event >= 0) & (planted.truth.event < planted.truth.hand_id.map(lengths))).all()
    spread = ("over-cap", "dealt-on")  # whoever calls beyond the cap breaks it too; a burn and a deal
    several = planted.truth[~planted.truth.kind.isin(spread)].groupby("hand_id").event.nunique()
    assert (several == 1).all()


def test_two_texts_broken_by_one_act_are_both_in_the_truth(planted: Night) -> None:
    codes = planted.truth.groupby(["hand_id", "kind"]).code.agg(lambda codes: " ".join(sorted(set(codes))))
    by_kind = {kind: set(found) for kind, found in codes.groupby("kind")}
    assert by_kind["to-folded"] == {"DED01", "DED01 SHO03", "DED01 END01", "DED01 END11"}
    assert by_kind["second-best"] == {"SPK01", "SHO03 SPK01"}
    assert by_kind["call-beyond"] == {"CAL01 STK01"}
    assert by_kind["below-chip"] == {"SPL01 SPL02"}
    assert by_kind["dealt-on"] == {"DEA05 END01", "DEA15 END01"}
    assert by_kind["next-best"] == {"OPN02", "OPN03", "OPN14", "OPN20", "FIN02"}


EVENT_OF_KIND = {
    "no-burn": "deal",
    "late-burn": "burn",
    "face-down": "deal",
    "passed-over": "deal",
    "check-facing": "check",
    "short-call": "call",
    "over-size": ("bet", "raise"),
    "one-raise-more": "raise",
    "community-too-soon": "community",
    "needless-reshuffle": "reshuffle",
    "muck-dealt": "deal",
    "wrong-card": "replace",
    "other-burn": "burn",
    "wrong-first": "show",
    "called-mucks": "muck",
    "second-community": "community",
    "community-down": "community",
    "below-chip": "award",
    "winner-mucks": "muck",
    "winner-unshown": "award",
    "unequal": "award",
    "short-ante": "ante",
    "no-ante": "deal",
    "dead-acts": "check",
}


@pytest.mark.parametrize("kind", EVENT_OF_KIND)
def test_the_truth_names_the_event_that_is_judged(kind: str, planted: Night) -> None:
    truth = planted.truth[planted.truth.kind == kind]
    events = planted.log.events.set_index(["hand_id", "event"])
    at = pd.MultiIndex.from_frame(
        truth[["hand_id", "event"]].astype({"hand_id": events.index.levels[0].dtype})
    )
    expected = EVENT_OF_KIND[kind]
    found = set(events.loc[at, "kind"])
    assert found and found <= ({expected} if isinstance(expected, str) else set(expected))


def test_only_the_codes_asked_for_are_planted() -> None:
    night = simulate(200, seed=3, plant=1.0, only=("EXP02", "SPL02"))
    assert set(night.truth.code) == {"EXP02", "SPL02"}
    assert night.truth.hand_id.nunique() == 200


def test_only_the_way_asked_for_is_planted() -> None:
    night = simulate(200, seed=3, plant=1.0, only=("SHO01:called-mucks", "SPL02", "SHO01:wrong-first"))
    assert set(night.truth.kind) == {"called-mucks", "wrong-hand", "wrong-first"}
    for one in (("SHT01:second-community",), "SHT01:second-community"):
        assert set(simulate(50, plant=1.0, only=one).truth.kind) == {"second-community"}


def test_an_empty_night() -> None:
    night = simulate(0)
    assert len(night.log) == 0 and night.log.table.schema == SCHEMA
    assert list(night.truth.columns) == ["hand_id", "event", "code", "kind"] and night.truth.empty


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hands": -1}, "hands = -1"),
        ({"hands": 1, "tables": 0}, "tables = 0"),
        ({"hands": 1, "plant": 1.5}, r"plant = 1\.5: give the share"),
        (
            {"hands": 1, "only": ["OPN01", "XYZ", "SHO01:shared"]},
            "only = OPN01 SHO01:shared XYZ: no such breach can be planted",
        ),
    ],
)
def test_arguments_without_sense_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate(**arguments)


def test_compiled_and_plain_play_agree() -> None:
    """The compiler must change nothing: a few hands are played by the same source as plain Python."""
    program = (
        "import sys; from auditor.simulate import simulate; night = simulate(40, seed=9, plant=0.5);"
        "sys.stdout.write(repr((night.log.table.to_pylist(), night.truth.to_dict('list'))))"
    )
    plain = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],  # numpy warns where words wrap round
        cwd=Path(__file__).parents[1],
        env={**os.environ, "AUDITOR_COMPILE": "0"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    night = simulate(40, seed=9, plant=0.5)
    assert plain == repr((night.log.table.to_pylist(), night.truth.to_dict("list")))


def test_chance_is_fair() -> None:
    """Every card comes first off the deck about as often as any other."""
    night = simulate(4000, seed=21)
    first = night.log.table.column("events").to_pylist()
    cards = Counter(
        next(e["card"] for e in hand if KINDS[e["kind"]] == "burn")
        for hand in first
        if any(KINDS[e["kind"]] == "burn" for e in hand)
    )
    counts = np.array([cards[card] for card in range(52)])
    expected = counts.sum() / 52
    assert ((counts - expected) ** 2 / expected).sum() < 100  # 51 degrees of freedom: one in 20,000

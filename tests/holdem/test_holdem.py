"""Hold'em in PHH, audited under a house's rules for it: a rule set over nz-1999 that adds data and no Python.

Real hands, hands that pokerkit plays, hands with one thing wrong, and scripts as in ``tests/clauses``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pokerkit
import pytest

import auditor
from auditor import sources
from auditor.checks.registry import VERDICTS
from auditor.engine import audit
from auditor.handlog import RECORDS, HandLog
from auditor.plan import Plan
from tests import reading
from tests.button_hands import button_hand
from tests.hands import log_of, script
from tests.reading import only, played

HERE = Path(__file__).parent
RULES = HERE / "rules"
REAL = sorted((HERE / "hands").glob("*.phh"))
WRITTEN = sorted((HERE / "hands").glob("*.toml"))
SEEN_IN_PHH = "HLD01 HLD02 HLD03 HLD04 HLD06 HLD07 HLD08 HLD09 HLD10 HLD11 HLD12 HLD13 HLD14 HLD16".split()

FIXED = """
variant = 'FT'
antes = [0, 0, 0, 0]
blinds_or_straddles = [2, 4, 0, -4]
small_bet = 4
big_bet = 8
starting_stacks = [100, 100, 3, 100]
actions = [
  'd dh p1 AcKd', 'd dh p2 7h2c', 'd dh p3 ????', 'd dh p4 QsQh',
  'p3 cc', 'p4 cbr 8', 'p1 cc', 'p2 f',
  'd db 8dTdJh', 'p1 cc', 'p4 cbr 4', 'p1 cc', 'd db 5s', 'p1 cc', 'p4 cc', 'd db 2d', 'p1 cbr 8', 'p4 cc',
  'p1 sm AcKd', 'p4 sm QsQh', 'p3 sm',
]
seats = [2, 4, 6, 9]
finishing_stacks = [80, 96, 0, 127]
"""
"""Four players at fixed limit; a newcomer posts, and seat 6 is all-in before the flop."""


@cache
def plan() -> Plan:
    return Plan.make(RULES, verdicts=VERDICTS[1:])


def verdicts(log: HandLog) -> list[tuple[str, int, str, str]]:
    """Hand, event, code and verdict of all that is said of the log, nothing of which is left out."""
    result = audit(plan(), log, threads=1)
    assert result.counts.quarantined == 0
    assert result.tables["defects"].num_rows == 0
    return [
        (row["hand_id"], row["event"], row["code"], row["verdict"])
        for row in result.tables["findings"].to_pylist()
    ]


def wrong(log: HandLog) -> list[tuple[int, str]]:
    return [
        (event, code) for _, event, code, verdict in verdicts(log) if verdict in ("breach", "indeterminate")
    ]


def test_the_house_adds_no_python() -> None:
    clauses = [clause for clause in plan().rules.editions[-1].clauses if "texas-holdem" in clause.games]
    assert [clause.code for clause in clauses] == [f"HLD{number:02}" for number in range(1, 22)]
    assert not list(RULES.glob("*.py"))


def test_nz_1999_does_not_cover_holdem() -> None:
    result = auditor.audit(sources.load(REAL[0]))
    assert result.quarantine["reason"].to_list() == ["the rule set does not cover texas-holdem"]


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_hands_break_nothing(path: Path) -> None:
    found = verdicts(sources.load(path))
    assert {verdict for *_, verdict in found} == {"compliant", "not_evidenced"}
    assert {code for *_, code, verdict in found if verdict == "not_evidenced"} == {"HLD05"}  # no burns


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_written_hands_bring_the_verdicts_beside_their_events(path: Path) -> None:
    one = script(path)
    names = ("event", "code", "verdict", "expected", "observed")
    tables = audit(plan(), one.log, threads=1).tables
    seen, wanted = one.compare([tuple(row[name] for name in names) for row in tables["findings"].to_pylist()])
    assert seen == wanted, one.about
    assert tables["defects"].num_rows == len(one.defects)


def test_real_hands_show_most_of_the_clauses() -> None:
    said = {
        code for path in REAL for *_, code, verdict in verdicts(sources.load(path)) if verdict == "compliant"
    }
    assert said >= set(SEEN_IN_PHH)


def _by_pokerkit(seed: int) -> str:
    """A hand that pokerkit plays by its own rules, in PHH."""
    dice = random.Random(seed)
    random.seed(seed)  # pokerkit shuffles with it
    stacks = [dice.choice((60, 200, 1000)) for _ in range(dice.randint(2, 6))]
    shared = (tuple(pokerkit.Automation), True, dice.choice((0, 1)), (5, 10))
    game: pokerkit.poker.Poker = (
        pokerkit.NoLimitTexasHoldem(*shared, 10)
        if dice.randint(0, 1)
        else pokerkit.FixedLimitTexasHoldem(*shared, 10, 20)
    )
    state = game(stacks, len(stacks))
    while state.status:
        if state.can_complete_bet_or_raise_to() and dice.randint(1, 10) > 7:
            sizes = (
                state.min_completion_betting_or_raising_to_amount,
                state.max_completion_betting_or_raising_to_amount,
            )
            state.complete_bet_or_raise_to(dice.choice(sizes))
        elif state.can_fold() and dice.randint(1, 10) > 8:
            state.fold()
        else:
            state.check_or_call()
    text = pokerkit.HandHistory.from_game_state(game, state).dumps()
    return f"[{seed}]\n{text}\nfinishing_stacks = {list(state.stacks)}\n"


def test_hands_played_by_pokerkit_break_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log = reading.read("\n".join(_by_pokerkit(seed) for seed in range(200)), "night.phhs")
    assert (len(log), log.quarantine) == (200, ())
    found = verdicts(log)
    assert [one for one in found if one[3] in ("breach", "indeterminate")] == []
    assert {code for *_, code, verdict in found if verdict == "compliant"} == {
        f"HLD{number:02}" for number in range(1, 22) if number != 5
    }
    assert {code for *_, code, verdict in found if verdict == "not_evidenced"} == {"HLD05"}


def test_holdem_hands_with_burns_break_nothing() -> None:
    rng = random.Random(3)
    made = [{**button_hand(rng, "texas-holdem"), "hand_id": str(number)} for number in range(300)]
    found = verdicts(log_of(made))
    assert {verdict for *_, verdict in found} == {"compliant"}
    assert {code for *_, code, _ in found} >= {"HLD05", "HLD15", "HLD16", "HLD20"}


def read(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HandLog:
    monkeypatch.chdir(tmp_path)
    return reading.read(text, "h.phh")


def test_events_of_a_fixed_limit_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = read(FIXED, tmp_path, monkeypatch)
    assert played(log) == [
        "blind 9 4 post", "blind 2 2", "blind 4 4",
        "deal 2 Ac down", "deal 2 Kd down", "deal 4 7h down", "deal 4 2c down", "deal 6 down", "deal 6 down",
        "deal 9 Qs down", "deal 9 Qh down",
        "call 6 3", "raise 9 4", "call 2 6", "fold 4",
        "community 8d up", "community Td up", "community Jh up", "check 2", "bet 9 4", "call 2 4",
        "community 5s up", "check 2", "check 9", "community 2d up", "bet 2 8", "call 9 8",
        "show 2 Ac", "show 2 Kd", "show 9 Qs", "show 9 Qh", "muck 6",
        "award 9 47",
    ]  # fmt: skip
    hand = only(log)
    assert (hand["game"], hand["structure"], hand["dealer_position"]) == ("texas-holdem", "fixed", 9)
    assert (hand["small_bet"], hand["big_bet"], hand["forced_bet"]) == (4, 8, None)
    assert hand["records"] == sum(1 << RECORDS.index(name) for name in ("faces", "show_order", "stacks"))
    assert wrong(log) == []


def test_of_two_players_the_second_has_the_button_and_the_first_blind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """variant = 'NT'
antes = [1, 1]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [200, 200]
actions = ['d dh p1 AcKd', 'd dh p2 7h2c', 'p2 cc', 'p1 cc', 'd db 8dTdJh', 'p1 cbr 20', 'p2 f']
finishing_stacks = [211, 189]
"""
    log = read(text, tmp_path, monkeypatch)
    assert played(log) == [
        "ante 1 1", "ante 2 1", "blind 2 5", "blind 1 10",
        "deal 1 Ac down", "deal 1 Kd down", "deal 2 7h down", "deal 2 2c down", "call 2 5", "check 1",
        "community 8d up", "community Td up", "community Jh up", "bet 1 20", "fold 2", "award 1 42",
    ]  # fmt: skip
    assert only(log)["dealer_position"] == 2
    assert only(log)["structure"] == "none"
    assert wrong(log) == []


@pytest.mark.parametrize(
    ("old", "new", "due"),
    [
        ("'p3 cc', 'p4 cbr 8'", "'p4 cbr 8', 'p3 cc'", [(11, "HLD04")]),
        ("'p3 cc', 'p4 cbr 8', 'p1 cc'", "'p3 cc', 'p1 cc', 'p4 cbr 8', 'p1 cc'", [(12, "HLD10")]),
        ("'p1 cc', 'p4 cbr 4', 'p1 cc', 'd db 5s'", "'p4 cbr 4', 'p1 cc', 'd db 5s'", [(18, "HLD09")]),
        ("'p1 cc', 'p4 cc', 'd db 2d'", "'p1 cc', 'd db 2d'", [(23, "HLD12")]),
        ("'d db 8dTdJh'", "'d db 8dTdJh9h'", [(18, "HLD06")]),
        ("'p1 sm AcKd', 'p4 sm QsQh'", "'p4 sm QsQh', 'p1 sm AcKd'", [(27, "HLD14")]),
        ("[80, 96, 0, 127]", "[127, 96, 0, 80]", [(32, "HLD16")]),
    ],
)
def test_what_is_wrong_in_a_hand_is_found(
    old: str, new: str, due: Sequence[tuple[int, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old in FIXED
    found = wrong(read(FIXED.replace(old, new), tmp_path, monkeypatch))
    assert found[:1] == list(due)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("blinds_or_straddles = [2, 4, 0, -4]", "", "blinds_or_straddles is missing or not a list"),
        ("[2, 4, 0, -4]", "[2, 4]", "blinds_or_straddles has 2 entries, starting_stacks 4"),
        ("[2, 4, 0, -4]", "[2, 4, 0, 0.5]", "blinds_or_straddles '0.5' is not a whole number of chips"),
        ("AcKd", "AcKdQd", "more than 2 cards for one player"),
    ],
)
def test_a_hand_that_cannot_be_read_says_why(
    old: str, new: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = read(FIXED.replace(old, new, 1), tmp_path, monkeypatch)
    assert len(log) == 0
    assert reason in log.quarantine[0].reason

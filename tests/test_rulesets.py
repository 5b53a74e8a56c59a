"""Rule sets written to a temporary folder: what loads, what is refused, what may be chosen."""

from __future__ import annotations

import json
import pickle
import re
import tomllib
from collections.abc import Callable
from datetime import date
from pathlib import Path

import jsonschema
import pytest

from auditor import _data, rulesets
from auditor.checks.registry import CHECKS, COMPLIANT, Check, Choice, Flag, Parameter, Rounds
from auditor.rulesets import RuleSet, RuleSetError, clauses, configure, content_hash, load, loading
from auditor.sources import mapping

HEAD = """\
name = "house"
title = "House rules"
instrument = "Gazette 1"
games = ["stud", "draw"]

[[edition]]
name = "first"
in_force = 2000-01-01
"""
TOPIC = """
[[topics]]
name = "first-opener"
page = "270-280"
summary = "not seen"
[topics.options]
high-card = "the highest card opens"
low-card = "the lowest card opens"
either = "nobody minds"
"""
CLAUSE = """\
[[clause]]
code = "OPN02"
number = "13.3(b)"
title = "Highest hand opens"
games = ["stud"]
check = "toy.opener"
severity = "major"
summary = "own words"
rounds = [2, 3, 4]
[clause.readings]
highest-card = { tie = "highest-card" }
made-card = { tie = "made-card", why = "the pair decides" }
"""
PLAIN = """\
[[clause]]
code = "BUR01"
number = "13.3(a)"
title = "One burn"
games = ["stud", "draw"]
check = "toy.burns"
severity = "minor"
citation = { page = 281 }
summary = "own words"
"""
ASSUMED = """\
[[clause]]
code = "OPN01"
number = "13.2"
title = "First opener"
games = ["stud"]
check = "toy.first"
severity = "major"
summary = "own words"
assumes = "first-opener"
[clause.options]
high-card = { low = false }
low-card = { low = true }
"""
UNAUDITED = """\
[[clause]]
code = "TAL01"
number = "13.10"
title = "No talking"
games = ["stud"]
audited = "no"
why = "a log does not hear"
summary = "own words"
"""

Write = Callable[..., Path]


def judge(event: object, state: object, p: object) -> tuple[int, int, int]:
    """Whatever happens is right."""
    return COMPLIANT, 0, 0


def toy(name: str, **parameters: Parameter) -> Check:
    return Check(name, judge, ("burn",), (), "seat", parameters)


TOYS = {
    "toy.opener": toy("toy.opener", tie=Choice(("highest-card", "made-card")), rounds=Rounds()),
    "toy.burns": toy("toy.burns"),
    "toy.other": toy("toy.other"),
    "toy.first": toy("toy.first", low=Flag()),
}


@pytest.fixture(autouse=True)
def toy_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clauses, "CHECKS", TOYS)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a rule set folder: ``write("house", head, section, …)``, its sections as 1.toml, 2.toml, …"""

    def written(folder: str, head: str, *sections: str) -> Path:
        path = tmp_path / folder
        path.mkdir()
        (path / "ruleset.toml").write_text(head)
        for number, section in enumerate(sections, 1):
            (path / f"{number}.toml").write_text(section)
        return path

    return written


@pytest.fixture
def house(write: Write) -> RuleSet:
    gap = '[[not_covered]]\nnumber = "13.1"\ntitle = "The deal"\nwhy = "page unseen"\npage = 280\n'
    return load(write("house", HEAD + TOPIC + gap, PLAIN + CLAUSE, ASSUMED + UNAUDITED))


def codes(rules: RuleSet, *, active: bool = False) -> list[str]:
    edition = rules.editions[-1]
    return [clause.code for clause in (edition.active if active else edition.clauses)]


# What loads.


def test_clauses_keep_the_order_of_files_and_know_all_that_was_written(house: RuleSet) -> None:
    assert codes(house) == ["BUR01", "OPN02", "OPN01", "TAL01"]
    burn, opener, first, talk = house.editions[0].clauses
    assert (burn.citation.instrument, burn.citation.page) == ("Gazette 1", 281)
    assert burn.readings == (rulesets.Reading("", "", {}),)
    assert opener.parameters == {"rounds": [2, 3, 4]}
    assert [(r.name, r.why, dict(r.params)) for r in opener.readings] == [
        ("highest-card", "", {"rounds": 0b11100, "tie": 0}),
        ("made-card", "the pair decides", {"rounds": 0b11100, "tie": 1}),
    ]
    assert list(opener.readings[1].params) == ["tie", "rounds"]  # always the check's own order
    assert (first.assumes, first.assumed, first.readings) == ("first-opener", "", ())
    assert talk.check is None and talk.why == "a log does not hear"
    assert [path.name for path in house.sources] == ["ruleset.toml", "1.toml", "2.toml"]


def test_only_clauses_with_a_check_and_a_reading_are_active(house: RuleSet) -> None:
    assert codes(house, active=True) == ["BUR01", "OPN02"]


def test_a_rule_set_travels_to_another_process(house: RuleSet, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, check in TOYS.items():
        monkeypatch.setitem(CHECKS, name, check)  # where another process finds them
    assert pickle.loads(pickle.dumps(house)) == house


def test_every_check_travels_by_its_name() -> None:
    assert all(pickle.loads(pickle.dumps(check)) is check for check in CHECKS.values())


def test_coverage_has_a_row_a_number_in_the_order_of_the_text(house: RuleSet) -> None:
    rows = house.editions[0].coverage()
    assert [(row["number"], row["state"], row["codes"]) for row in rows] == [
        ("13.1", "not loaded", ()),
        ("13.2", "assumption", ("OPN01",)),
        ("13.3(a)", "audited fully", ("BUR01",)),
        ("13.3(b)", "audited fully", ("OPN02",)),
        ("13.10", "no", ("TAL01",)),
    ]
    assert rows[0] == {
        "number": "13.1",
        "title": "The deal",
        "page": "280",
        "state": "not loaded",
        "why": "page unseen",
        "codes": (),
    }
    assert rows[1]["why"] == "OPN01: run when first-opener is declared as high-card or low-card"
    assert rows[4]["why"] == "TAL01: a log does not hear"


def test_a_reading_prevails_over_the_option_and_that_over_the_clause(write: Write) -> None:
    section = (
        ASSUMED.replace("toy.first", "toy.opener")
        .replace("assumes", 'tie = "highest-card"\nrounds = [1]\nassumes')
        .replace("low = false", "rounds = [2]")
        .replace("low = true", 'rounds = [2], tie = "made-card"')
    ) + '[clause.readings]\nas-is = {}\nlater = { rounds = [3], tie = "highest-card" }\n'
    rules = configure(load(write("house", HEAD + TOPIC, section)), assumptions=["first-opener=low-card"])
    assert [dict(reading.params) for reading in rules.editions[0].active[0].readings] == [
        {"tie": 1, "rounds": 0b100},
        {"tie": 0, "rounds": 0b1000},
    ]


def test_a_clause_fills_the_gap_of_its_number(write: Write) -> None:
    gap = '[[not_covered]]\nnumber = "13.3(a)"\ntitle = "The deal"\nwhy = "page unseen"\n'
    (row,) = load(write("house", HEAD + gap, PLAIN)).editions[0].coverage()
    assert (row["state"], row["codes"]) == ("audited fully", ("BUR01",))


def test_a_number_whose_clauses_differ_is_covered_partly(write: Write) -> None:
    other = UNAUDITED.replace("13.10", "13.3(a)")
    (row,) = load(write("house", HEAD, PLAIN + other)).editions[0].coverage()
    assert (row["state"], row["codes"]) == ("partly", ("BUR01", "TAL01"))
    assert row["title"] == "One burn; No talking"


def test_an_edition_is_picked_by_gaming_day(write: Write) -> None:
    second = '[[edition]]\nname = "second"\nin_force = 2010-06-01\nuntil = 2020-01-01\nfiles = ["2.toml"]\n'
    rules = load(write("house", HEAD + 'files = ["1.toml"]\n' + second, PLAIN, CLAUSE))
    first, later = rules.editions
    assert (first.until, [c.code for c in first.clauses]) == (date(2010, 6, 1), ["BUR01"])
    assert [c.code for c in later.clauses] == ["OPN02"]
    picked = {
        None: later,
        date(1999, 12, 31): None,
        date(2000, 1, 1): first,
        date(2010, 5, 31): first,
        date(2010, 6, 1): later,
        date(2019, 12, 31): later,
        date(2020, 1, 1): None,
    }
    assert {day: rules.edition_on(day) for day in picked} == picked


# What is refused: file, line and remedy.

BAD_CLAUSES = {
    "unknown key": (CLAUSE + "ties = 1\n", 13, "OPN02.readings.ties"),
    "misspelt key": (PLAIN.replace("severity", "severty"), 7, "unknown key.*did you mean severity"),
    "misspelt parameter": (CLAUSE.replace("rounds", "round"), 9, "unknown key.*did you mean rounds"),
    "unknown check": (CLAUSE.replace("toy.opener", "toy.openr"), 6, "did you mean toy.opener"),
    "unquoted number": (CLAUSE.replace('"13.3(b)"', "13.3"), 3, r"OPN02\.number.*quotes"),
    "bad severity": (CLAUSE.replace('"major"', '"grave"'), 7, "'grave' is not one of 'critical'"),
    "bad code": (CLAUSE.replace("OPN02", "opener"), 2, "pattern"),
    "bad page": (PLAIN.replace("281", "28.1"), 8, r"BUR01\.citation\.page.*28\.1 is no page"),
    "unknown game": (PLAIN.replace("draw", "drawn"), 5, "'drawn' is no game.*did you mean draw"),
    "missing key": (PLAIN.replace('title = "One burn"\n', ""), 1, "BUR01: title is missing"),
    "missing check": (PLAIN.replace('check = "toy.burns"\n', ""), 1, "check is missing"),
    "missing severity": (PLAIN.replace('severity = "minor"\n', ""), 1, "severity is missing"),
    "part without why": (PLAIN + 'audited = "part"\n', 1, "why is missing"),
    "no with check": (UNAUDITED + 'check = "toy.burns"\n', 9, r"TAL01\.check: means nothing"),
    "no with parameter": (UNAUDITED + "rounds = [1]\n", 9, r"TAL01\.rounds: unknown key"),
    "parameter out of words": (
        CLAUSE.replace('"made-card"', '"made"'),
        12,
        "'made' is not one of highest-card",
    ),
    "parameter out of range": (CLAUSE.replace("[2, 3, 4]", "[2, 6]"), 9, "rounds from 1 to 5"),
    "parameter missing": (
        CLAUSE.replace("rounds = [2, 3, 4]\n", ""),
        1,
        "rounds for the reading highest-card",
    ),
    "reading of unknown parameter": (
        CLAUSE.replace('made-card = { tie = "made-card"', 'made-card = { ties = "made-card"'),
        12,
        r"OPN02\.readings\.made-card\.ties: no parameter of toy.opener; did you mean tie\?",
    ),
    "reading with why no text": (CLAUSE.replace('"the pair decides"', "3"), 12, "3 must be text"),
    "duplicate code": (PLAIN + PLAIN, 11, "BUR01.code: used before in 1.toml"),
    "unknown topic": (ASSUMED.replace("first-opener", "opener"), 9, "no topic 'opener'"),
    "unknown option": (ASSUMED.replace("low-card", "lowest"), 12, "no option of first-opener"),
    "options without topic": (
        ASSUMED.replace('assumes = "first-opener"\n', ""),
        9,
        "options without a topic",
    ),
    "topic without options": (ASSUMED.split("[clause.options]")[0], 9, "options is missing"),
    "override of nothing": (PLAIN + "overrides = true\n", 10, "overrides no inherited clause"),
    "override uncited": (CLAUSE.replace("rounds", "overrides = true\nrounds"), 1, "citation is missing"),
    "off nothing": (PLAIN + '[[off]]\nnumber = "9"\nwhy = "x"\ncitation = {}\n', 10, "no inherited clause 9"),
    "off of neither": (PLAIN + '[[off]]\nwhy = "x"\ncitation = {}\n', 10, "either the code or the number"),
    "unknown table": (PLAIN + "[[claus]]\n", 10, "claus: unknown key; did you mean clause"),
    "clause no table": ('clause = ["x"]\n', 1, "clause.0"),
    "no toml": (PLAIN + "severity is major\n", 10, "not TOML"),
    "key twice": (PLAIN + 'code = "BUR02"\n', 10, "not TOML"),
}


@pytest.mark.parametrize(("section", "line", "message"), BAD_CLAUSES.values(), ids=BAD_CLAUSES)
def test_a_bad_section_is_refused_by_file_and_line(
    write: Write, section: str, line: int, message: str
) -> None:
    folder = write("house", HEAD + TOPIC, section)
    with pytest.raises(RuleSetError, match=message) as refused:
        load(folder)
    assert str(refused.value).startswith(f"{folder / '1.toml'}:{line}: ")


BAD_HEADS = {
    "unknown key": ('colour = "red"\n' + HEAD, 1, "colour: unknown key; there are: assumptions, edition"),
    "unknown key in table": (HEAD + "untill = 2001-01-01\n", 9, r"edition\.0\.untill.*did you mean until"),
    "missing name": (HEAD.replace('name = "house"\n', "", 1), 1, "name is missing"),
    "no games": (HEAD.replace('games = ["stud", "draw"]\n', ""), 1, "games is missing"),
    "no edition": (HEAD.split("[[edition]]")[0], 1, r"no \[\[edition\]\]"),
    "quoted day": (HEAD.replace("2000-01-01", '"2000-01-01"'), 8, "edition.0.in_force"),
    "ends before it begins": (HEAD + "until = 1999-01-01\n", 9, "ends on 1999-01-01"),
    "overlapping": (
        HEAD + 'until = 2002-01-01\nfiles = []\n[[edition]]\nname = "b"\nin_force = 2001-01-01\nfiles = []\n',
        9,
        "after the first day of the next",
    ),
    "same edition twice": (HEAD + HEAD[HEAD.index("[[edition]]") :], 9, "'first' stands here twice"),
    "several editions without files": (
        HEAD + '[[edition]]\nname = "b"\nin_force = 2001-01-01\n',
        6,
        "files is missing",
    ),
    "no such file": (HEAD + 'files = ["1.toml", "9.toml"]\n', 9, "no file 9.toml"),
    "file left out": (HEAD + "files = []\n", 6, "no edition lists 1.toml"),
    "topic twice": (HEAD + TOPIC + TOPIC, 19, "'first-opener' stands here twice"),
    "bad page state": (
        HEAD + '[[pages]]\npage = 281\nstate = "half"\nholds = "x"\n',
        11,
        "'half' is not one of 'whole'",
    ),
    "unknown assumption": (HEAD + TOPIC + '[assumptions]\nfirst = "x"\n', 19, "no topic 'first'"),
    "unknown assumed option": (
        HEAD + TOPIC + '[assumptions]\nfirst-opener = "low"\n',
        19,
        "no option 'low' of first-opener; there are: either, high-card, low-card",
    ),
    "extends nothing": ('extends = "nowhere"\n' + HEAD, 1, "no rule set 'nowhere' here"),
}


@pytest.mark.parametrize(("head", "line", "message"), BAD_HEADS.values(), ids=BAD_HEADS)
def test_a_bad_head_is_refused_by_file_and_line(write: Write, head: str, line: int, message: str) -> None:
    folder = write("house", head, PLAIN)
    with pytest.raises(RuleSetError, match=message) as refused:
        load(folder)
    assert str(refused.value).startswith(f"{folder / 'ruleset.toml'}:{line}: ")


def test_every_mistake_of_a_file_is_said_at_once(write: Write) -> None:
    section = PLAIN.replace('title = "One burn"\n', "").replace('summary = "own words"\n', "")
    with pytest.raises(RuleSetError) as refused:
        load(write("house", HEAD, section + CLAUSE.replace('"13.3(b)"', "13.3")))
    problems = [re.sub(r"^.*toml:", "", line) for line in str(refused.value).splitlines()]
    assert [problem.split(";")[0] for problem in problems] == [
        "1: BUR01: title is missing",
        "1: BUR01: summary is missing",
        "10: OPN02.number: 13.3 is no text",
    ]


def test_a_file_that_is_not_utf8_is_refused(write: Write) -> None:
    folder = write("house", HEAD, PLAIN)
    (folder / "1.toml").write_bytes(PLAIN.replace("burn", "br\xfcle").encode("latin-1"))
    with pytest.raises(RuleSetError, match=r"1\.toml: byte \d+ is not UTF-8; save"):
        load(folder)


def test_a_file_that_cannot_be_read_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write("house", HEAD, PLAIN)

    def refuse(path: Path, encoding: str) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(RuleSetError, match=r"ruleset\.toml: cannot be read: Permission denied"):
        load(folder)


def test_a_name_that_does_not_exist_lists_those_that_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "available", lambda: ["one", "two"])
    with pytest.raises(RuleSetError, match=r"no rule set 'three'.*one, two"):
        load("three")


# Overlays.

OVERLAY = """\
name = "tournament"
title = "Tournament"
instrument = "Gazette 2"
extends = "../house"
"""


def overlay(write: Write, head: str, *sections: str, under: str = PLAIN + CLAUSE) -> RuleSet:
    write("house", HEAD + TOPIC + '[[pages]]\npage = 1\nstate = "whole"\nholds = "x"\n', under)
    return load(write("tournament", head, *sections))


def test_an_overlay_inherits_and_adds(write: Write) -> None:
    page = '[[pages]]\npage = 2\nstate = "part"\nholds = "y"\n'
    rules = overlay(write, OVERLAY + page, UNAUDITED)
    assert codes(rules) == ["BUR01", "OPN02", "TAL01"]
    assert rules.name == "tournament" and rules.games == ("stud", "draw")
    assert [topic.name for topic in rules.topics] == ["first-opener"]
    assert [(page.page, page.instrument) for page in rules.pages] == [(1, "Gazette 1"), (2, "Gazette 2")]
    assert [clause.citation.instrument for clause in rules.editions[0].clauses] == [
        "Gazette 1",
        "Gazette 1",
        "Gazette 2",
    ]
    assert [path.parent.name for path in rules.sources] == ["house", "house", "tournament", "tournament"]
    assert (rules.editions[0].name, rules.editions[0].in_force) == ("first", date(2000, 1, 1))


def test_an_overlay_replaces_a_whole_clause_in_its_place(write: Write) -> None:
    changed = PLAIN.replace("One burn", "No burn") + "overrides = true\n"
    rules = overlay(write, OVERLAY, changed)
    assert [(c.code, c.title) for c in rules.editions[0].clauses] == [
        ("BUR01", "No burn"),
        ("OPN02", "Highest hand opens"),
    ]
    assert rules.editions[0].clauses[0].citation.instrument == "Gazette 2"


def test_an_inherited_code_is_not_replaced_by_accident(write: Write) -> None:
    with pytest.raises(RuleSetError, match=r"1\.toml:2: BUR01\.code: .*overrides = true"):
        overlay(write, OVERLAY, PLAIN)


@pytest.mark.parametrize("target", ['code = "OPN02"', 'number = "13.3(b)"'])
@pytest.mark.parametrize("place", ["head", "section"])
def test_an_overlay_switches_a_clause_off_and_says_so(write: Write, target: str, place: str) -> None:
    off = f'[[off]]\n{target}\nwhy = "rule 2.2"\ncitation = {{ page = 300 }}\n'
    rules = overlay(write, OVERLAY + off * (place == "head"), off * (place == "section"))
    assert codes(rules, active=True) == ["BUR01"]
    row = rules.editions[0].coverage()[1]
    assert (row["number"], row["state"], row["why"]) == ("13.3(b)", "switched off", "OPN02: rule 2.2")
    citation = rules.editions[0].clauses[1].citation
    assert (citation.instrument, citation.page) == ("Gazette 2", 300)


def test_an_overlay_declares_an_inherited_assumption(write: Write) -> None:
    rules = overlay(write, OVERLAY + '[assumptions]\nfirst-opener = "low-card"\n', under=ASSUMED)
    (clause,) = rules.editions[0].active
    assert clause.assumed == "low-card" and clause.readings[0].params == {"low": 1}
    assert rules.assumptions == {"first-opener": "low-card"}


def test_an_edition_of_an_overlay_rests_on_those_it_overlaps(write: Write) -> None:
    second = '[[edition]]\nname = "second"\nin_force = 2010-01-01\nfiles = ["2.toml"]\n'
    write("house", HEAD + 'files = ["1.toml"]\n' + second, PLAIN, CLAUSE)
    cup = '[[edition]]\nname = "cup"\nin_force = 2005-01-01\nuntil = 2015-01-01\nfiles = ["1.toml"]\n'
    final = '[[edition]]\nname = "final"\nin_force = 2016-01-01\nfiles = []\n'
    rules = load(write("tournament", OVERLAY + final + cup, UNAUDITED))
    assert [(e.name, e.in_force, e.until, [c.code for c in e.clauses]) for e in rules.editions] == [
        ("cup on first", date(2005, 1, 1), date(2010, 1, 1), ["BUR01", "TAL01"]),
        ("cup on second", date(2010, 1, 1), date(2015, 1, 1), ["OPN02", "TAL01"]),
        ("final on second", date(2016, 1, 1), None, ["OPN02"]),
    ]


def test_an_overlay_may_not_begin_before_what_it_extends(write: Write) -> None:
    with pytest.raises(RuleSetError, match=r":7: .*house has no edition in force on 1990-01-01"):
        overlay(write, OVERLAY + '[[edition]]\nname = "early"\nin_force = 1990-01-01\n')


def test_extending_in_a_circle_is_refused(write: Write) -> None:
    write("house", 'extends = "../tournament"\n' + HEAD)
    folder = write("tournament", OVERLAY)
    with pytest.raises(RuleSetError, match="circle: tournament -> house -> tournament"):
        load(folder)


# Choices.


def reading_names(rules: RuleSet, code: str) -> list[str]:
    return [reading.name for c in rules.editions[0].clauses if c.code == code for reading in c.readings]


@pytest.mark.parametrize("choice", ["made-card", "OPN02=made-card", "13.3(b)=made-card", "13.3=made-card"])
def test_a_reading_is_chosen_by_name_code_or_number(house: RuleSet, choice: str) -> None:
    chosen = configure(house, readings=[choice])
    assert reading_names(chosen, "OPN02") == ["made-card"]
    assert [(c.code, c.chosen) for c in chosen.editions[0].active] == [("BUR01", ""), ("OPN02", "made-card")]
    assert reading_names(house, "OPN02") == ["highest-card", "made-card"]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("made-crad", "no reading 'made-crad'; there are: highest-card, made-card"),
        ("BUR01=made-card", "no reading 'made-card' of BUR01, which has only one"),
        ("XYZ01=made-card", "no reading 'made-card' of XYZ01: no clause 'XYZ01'"),
        ("", "no reading ''"),
    ],
)
def test_a_reading_that_nothing_has_is_refused(house: RuleSet, choice: str, message: str) -> None:
    with pytest.raises(RuleSetError, match=message):
        configure(house, readings=[choice])


FOUR = ["high+early", "high+late", "pair+early", "pair+late"]


@pytest.fixture
def two_questions(write: Write) -> RuleSet:
    ties = {"high": "highest-card", "pair": "made-card"}
    section = CLAUSE.split("rounds =")[0] + "[clause.readings]\n"
    for name in FOUR:
        tie, start = name.split("+")
        section += f'"{name}" = {{ tie = "{ties[tie]}", rounds = [{2 if start == "early" else 3}] }}\n'
    return load(write("house", HEAD, PLAIN + section))


@pytest.mark.parametrize(
    ("choices", "kept", "chosen"),
    [
        (["high"], FOUR[:2], "high"),
        (["OPN02=late"], FOUR[1::2], "late"),
        (["13.3(b)=high", "early"], FOUR[:1], "early+high"),
        (["pair+late"], FOUR[3:], "late+pair"),
        (["OPN02=pair", "pair+late"], FOUR[3:], "late+pair"),
    ],
)
def test_questions_of_one_clause_are_settled_one_by_one(
    two_questions: RuleSet, choices: list[str], kept: list[str], chosen: str
) -> None:
    rules = configure(two_questions, readings=choices)
    assert reading_names(rules, "OPN02") == kept
    assert [(c.code, c.chosen) for c in rules.editions[0].active] == [("BUR01", ""), ("OPN02", chosen)]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("high+pair", "readings of OPN02 contradict: high, pair; choose one"),
        ("OPN02=high+lote", "no reading 'lote' of OPN02; there are: early, high, late, pair"),
        ("high+", "no reading ''"),
    ],
)
def test_answers_that_do_not_go_together_are_refused(
    two_questions: RuleSet, choice: str, message: str
) -> None:
    with pytest.raises(RuleSetError, match=message):
        configure(two_questions, readings=[choice])


def test_contradicting_readings_are_refused(house: RuleSet) -> None:
    with pytest.raises(RuleSetError, match="OPN02 contradict: highest-card, made-card"):
        configure(house, readings=["made-card", "OPN02=highest-card"])


@pytest.mark.parametrize(("option", "low"), [("high-card", 0), ("low-card", 1)])
def test_a_declared_assumption_brings_its_clause_to_life(house: RuleSet, option: str, low: int) -> None:
    declared = configure(house, assumptions=[f"first-opener={option}"])
    assert codes(declared, active=True) == ["BUR01", "OPN02", "OPN01"]
    clause = declared.editions[0].active[2]
    assert (clause.assumed, clause.readings[0].params) == (option, {"low": low})
    assert declared.assumptions == declared.editions[0].book.assumptions == {"first-opener": option}
    assert declared.editions[0].coverage()[1]["state"] == "audited fully"
    assert house.assumptions == {}


def test_an_option_that_a_clause_does_not_list_leaves_it_idle(house: RuleSet) -> None:
    declared = configure(house, assumptions=["first-opener=either"])
    assert codes(declared, active=True) == ["BUR01", "OPN02"]


def test_a_user_overrules_the_assumption_of_the_rule_set(write: Write) -> None:
    rules = load(write("house", HEAD + TOPIC + '[assumptions]\nfirst-opener = "low-card"\n', ASSUMED))
    assert rules.editions[0].active[0].readings[0].params == {"low": 1}
    assert configure(rules) == rules
    changed = configure(rules, assumptions=["first-opener=high-card"])
    assert changed.editions[0].active[0].readings[0].params == {"low": 0}


@pytest.mark.parametrize(
    ("assumption", "message"),
    [
        ("opener=low-card", "no topic 'opener' with options; .*first-opener"),
        ("first-opener=lowest", "no option 'lowest' of first-opener; there are: either, high-card, low-card"),
        ("first-opener", "no option '' of first-opener; there are: either, high-card, low-card"),
    ],
)
def test_an_unknown_assumption_lists_what_exists(house: RuleSet, assumption: str, message: str) -> None:
    with pytest.raises(RuleSetError, match=message):
        configure(house, assumptions=[assumption])


def test_contradicting_assumptions_are_refused(house: RuleSet) -> None:
    with pytest.raises(RuleSetError, match="declared as high-card and as low-card"):
        configure(house, assumptions=["first-opener=high-card", "first-opener=low-card"])


@pytest.mark.parametrize(
    ("select", "ignore", "left"),
    [
        ([], [], ["BUR01", "OPN02", "OPN01", "TAL01"]),
        (["OPN02"], [], ["OPN02"]),
        (["OPN"], [], ["OPN02", "OPN01"]),
        (["13.3"], [], ["BUR01", "OPN02"]),
        (["13.3(b)"], [], ["OPN02"]),
        (["13"], ["13.3(b)"], ["BUR01", "OPN01", "TAL01"]),
        ([], ["OPN", "TAL01"], ["BUR01"]),
    ],
)
def test_clauses_are_selected_by_code_number_or_prefix(
    house: RuleSet, select: list[str], ignore: list[str], left: list[str]
) -> None:
    assert codes(configure(house, select=select, ignore=ignore)) == left


@pytest.mark.parametrize("selector", ["1", "13.", "13.3(", "XYZ", "opn", "", "13.30"])
@pytest.mark.parametrize("key", ["select", "ignore"])
def test_a_selector_that_matches_nothing_is_refused(house: RuleSet, key: str, selector: str) -> None:
    with pytest.raises(RuleSetError, match="no clause " + re.escape(repr(selector))):
        configure(house, **{key: [selector]})


def test_a_choice_that_leaves_nothing_to_run_is_refused_with_the_reason(house: RuleSet) -> None:
    with pytest.raises(RuleSetError, match="left to run: OPN01: run when first-opener is declared"):
        configure(house, select=["OPN01"])


def test_one_edition_is_configured_as_a_rule_set_of_its_own(house: RuleSet) -> None:
    narrowed = configure(house.editions[0], select=["BUR01"])
    assert (narrowed.name, codes(narrowed)) == ("house", ["BUR01"])


# The hash.


def test_the_hash_follows_what_decides_verdicts_and_nothing_else(write: Write, house: RuleSet) -> None:
    plain = content_hash(house.editions[0])
    assert re.fullmatch("[0-9a-f]{64}", plain)
    reworded = (PLAIN + CLAUSE).replace("own words", "other words").replace("One burn", "A burn")
    assert content_hash(load(write("reworded", HEAD, reworded)).editions[0]) == plain
    changes = {
        "severity": ("minor", "major"),
        "number": ("13.3(a)", "13.3(c)"),
        "games": ('["stud"]', '["draw"]'),
        "parameter": ("[2, 3, 4]", "[2, 3]"),
        "check": ("toy.burns", "toy.other"),
        "reading": ("made-card =", "set-card ="),
    }
    hashes = {plain}
    for name, (old, new) in changes.items():
        assert old in PLAIN + CLAUSE
        rules = load(write(name, HEAD, (PLAIN + CLAUSE).replace(old, new)))
        hashes.add(content_hash(rules.editions[0]))
    hashes.add(content_hash(configure(house, readings=["made-card"]).editions[0]))
    hashes.add(content_hash(configure(house, assumptions=["first-opener=low-card"]).editions[0]))
    assert len(hashes) == len(changes) + 3


# What ships.


def test_shipped_files_are_found_in_an_installation_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    monkeypatch.setattr(_data, "_PACKAGE", package)
    monkeypatch.setattr(_data, "_INSTALLED", package / "_data")
    (tmp_path / "rulesets" / "a").mkdir(parents=True)
    assert _data.data_path("rulesets", "a") == tmp_path / "rulesets" / "a"
    (package / "_data" / "rulesets").mkdir(parents=True)
    assert _data.data_path("rulesets") == package / "_data" / "rulesets"
    with pytest.raises(FileNotFoundError, match="rulesets/a is not part"):
        _data.data_path("rulesets", "a")


def test_a_shipped_name_is_found_wherever_one_stands(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("house", HEAD, PLAIN)
    (tmp_path / "schema").mkdir()
    monkeypatch.setattr(loading, "data_path", lambda *parts: tmp_path.joinpath(*parts[1:]))
    assert rulesets.available() == ["house"]
    assert load("house").name == "house"
    assert load(write("tournament", OVERLAY.replace("../", ""))).games == ("stud", "draw")


def test_the_committed_schemas_are_current(tmp_path: Path) -> None:
    rulesets.write_schemas(tmp_path)
    mapping.write_schema(tmp_path)
    committed = _data.data_path("rulesets", "schema")
    assert {p.name: p.read_text() for p in committed.iterdir()} == {
        p.name: p.read_text() for p in tmp_path.iterdir()
    }


def test_the_schemas_accept_what_loads_and_refuse_what_does_not() -> None:
    head, section = (
        jsonschema.Draft202012Validator(rulesets.json_schema()[name]) for name in ("ruleset", "section")
    )
    good = tomllib.loads(CLAUSE + PLAIN + ASSUMED + UNAUDITED)
    assert not list(section.iter_errors(good))
    assert list(section.iter_errors(tomllib.loads(CLAUSE.replace('"13.3(b)"', "13.3"))))
    as_json = json.loads(json.dumps(tomllib.loads(HEAD + TOPIC), default=str))
    assert not list(head.iter_errors(as_json))
    assert list(head.iter_errors({**as_json, "colour": "red"}))


def test_no_parameter_of_a_check_hides_behind_a_key_of_a_clause() -> None:
    taken = {*rulesets.ClauseTable.model_fields, "why"}
    assert not [(c.name, key) for c in CHECKS.values() for key in c.parameters if key in taken]

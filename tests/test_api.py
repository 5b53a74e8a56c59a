"""The notebook interface: load, audit, replay, explain."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

import auditor
from auditor import sources
from auditor.rulesets import RuleSetError
from auditor.sources import SourceError

ROOT = Path(__file__).parents[1]
PHH = auditor.sample_logs() / "phh"


def text_hands(*hands: dict[str, Any]) -> str:
    return "".join(json.dumps(hand) + "\n" for hand in hands)


def hand(hand_id: str = "h", **changes: Any) -> dict[str, Any]:
    """Seat 2 folds to a forced bet, and is paid."""
    return {
        "hand_id": hand_id,
        "table_id": "T1",
        "game": "seven-card-stud",
        "records": ["faces", "stacks"],
        "seats": [{"seat": 1, "player": "<Ann>", "stack": 50}, {"seat": 2, "player": "Bo", "stack": 50}],
        "events": [
            {"kind": "deal", "seat": 1, "card": "As", "face": "up"},
            {"kind": "deal", "seat": 2, "card": "Kd", "face": "up", "note": "slowly"},
            {"kind": "forced_bet", "seat": 1, "amount": 2},
            {"kind": "fold", "seat": 2},
            {"kind": "award", "seat": 2, "amount": 2, "pot": 0},
        ],
        **changes,
    }


@pytest.fixture
def log(tmp_path: Path) -> auditor.HandLog:
    path = tmp_path / "log.jsonl"
    path.write_text(text_hands(hand("a"), hand("b"), hand("a"), hand("void", events=[])), encoding="utf-8")
    return auditor.load(path)


def test_importing_it_costs_nothing() -> None:
    code = (
        "import sys; before = set(sys.modules); import auditor; new = set(sys.modules) - before\n"
        "print(*(name for name in new if name.partition('.')[0] not in sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["auditor"]


def test_every_name_of_the_interface_is_there() -> None:
    for name in auditor.__all__:
        assert getattr(auditor, name)
    with pytest.raises(AttributeError, match="no attribute 'bluff'"):
        _ = auditor.bluff


def test_a_log_a_path_and_paths_are_audited_alike() -> None:
    results = [auditor.audit(source) for source in (auditor.load(PHH), PHH, [PHH], str(PHH))]
    for result in results:
        assert (result.read, result.audited, result.quarantined) == (13, 13, 0)
        assert result.findings.empty
        assert result.tallies.equals(results[0].tallies)


def test_a_frame_is_no_log(log: auditor.HandLog, tmp_path: Path) -> None:
    for given in (log.hands, log.table, [log], 7):
        with pytest.raises(TypeError, match="is neither a path nor a HandLog"):
            auditor.audit(given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a DataFrame is neither"):
        auditor.replay(log.hands, "a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a list is neither"):
        auditor.load([PHH])  # type: ignore[arg-type]
    paths = sorted(PHH.iterdir())
    for some in (tuple(paths), iter(paths), set(paths)):
        assert auditor.audit(some).read == 13  # type: ignore[arg-type]


def test_a_part_of_a_log_is_a_log(log: auditor.HandLog) -> None:
    part = auditor.HandLog(log.table.filter(pc.field("hand_id") == "a"))
    assert (len(part), auditor.audit(part).audited, len(auditor.audit(part).defects)) == (2, 2, 1)


def test_one_is_no_plural(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(text_hands(hand()), encoding="utf-8")
    one = auditor.load(path)
    assert repr(one) == "HandLog(1 hand, 0 quarantined)"
    assert repr(auditor.audit(one)).startswith(
        "1 hand read: 1 audited, 0 quarantined; 0 defects of the log\n"
    )
    assert auditor.audit(one)._repr_html_().startswith("<p>1 hand read: 1 audited")
    with pytest.raises(KeyError, match="no hand 'z' in this log of 1 hand"):
        auditor.replay(one, "z")


def test_choices_reach_the_audit(log: auditor.HandLog) -> None:
    assert set(auditor.audit(log, select=["DED01"]).findings["code"]) == {"DED01"}
    assert "DED01" not in set(auditor.audit(log, ignore=["2.0"]).findings["code"])
    opened = auditor.audit(log, assumptions=["first-round-opener=high-card"], verdicts=["compliant"])
    assert "OPN01" in set(opened.findings["code"])
    with pytest.raises(RuleSetError, match="no reading 'odd'"):
        auditor.audit(log, readings=["OPN02=odd"])
    with pytest.raises(RuleSetError, match="no verdict 'guilty'"):
        auditor.audit(log, verdicts=["guilty"])
    with pytest.raises(SourceError, match="does not exist"):
        auditor.audit("nowhere.parquet")


def test_one_choice_needs_no_list(log: auditor.HandLog) -> None:
    assert set(auditor.audit(log, select="DED01").findings["code"]) == {"DED01"}
    assert "DED01" not in set(auditor.audit(log, ignore="2.0").findings["code"])
    opened = auditor.audit(log, assumptions="first-round-opener=high-card", verdicts="compliant")
    assert set(opened.findings["verdict"]) == {"compliant"}
    assert "OPN01" in set(opened.findings["code"])
    with pytest.raises(RuleSetError, match="no reading 'odd'"):
        auditor.audit(log, readings="odd")


def test_a_hand_of_a_file_is_replayed_without_loading_it_first(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(text_hands(hand("a"), hand("b")), encoding="utf-8")
    shown = str(auditor.replay(auditor.load(path), "b"))
    assert [str(auditor.replay(source, "b")) for source in (path, str(path), [path])] == [shown] * 3
    with pytest.raises(KeyError, match="no hand 'c'"):
        auditor.replay(path, "c")
    with pytest.raises(SourceError, match=r"nowhere\.jsonl does not exist"):
        auditor.replay("nowhere.jsonl", "b")


def test_at_a_prompt_all_is_as_short_as_what_it_prints(log: auditor.HandLog) -> None:
    result = auditor.audit(log)
    head, names, *rows = repr(result).splitlines()
    assert head == "4 hands read: 3 audited, 1 quarantined; 1 defect of the log"
    assert names.split()[:4] == ["code", "number", "title", "applied"]
    applied = result.by_clause.to_pydict()
    assert [row.split()[0] for row in rows] == [
        code for code, times in zip(applied["code"], applied["applied"], strict=True) if times
    ]
    assert repr(log) == "HandLog(3 hands, 1 quarantined)"
    replayed, explained = auditor.replay(log, "b"), auditor.explain("OPN02")
    assert (repr(replayed), repr(explained)) == (str(replayed), str(explained))


def test_replay_gives_state_and_verdicts_event_by_event(log: auditor.HandLog) -> None:
    replayed = auditor.replay(log, "b")
    frame = replayed.frame
    assert frame["kind"].tolist() == ["deal", "deal", "forced_bet", "fold", "award"]
    assert frame["card"].tolist() == ["As", "Kd", "", "", ""]
    assert frame["player"].tolist() == ["<Ann>", "Bo", "<Ann>", "Bo", "Bo"]
    assert frame["pot"].tolist() == [0, 0, 2, 2, 0]
    assert frame["must_act"].tolist() == [0, 0, 2, 0, 0]
    assert frame["active"].tolist() == ["1", "1 2", "1 2", "1", "1"]
    assert frame["of_pot"].tolist() == [-1, -1, -1, -1, 0]
    assert frame["showing"].tolist()[1:4] == ["1: As | 2: Kd", "1: As | 2: Kd", "1: As"]
    assert frame["stub"].tolist() == [51, 50, 50, 50, 50]
    assert "DED01 breach: expected nobody, observed seat 2" in frame["verdicts"].iloc[4]
    assert "STK01 compliant" in frame["verdicts"].iloc[2]
    verdicts = replayed.verdicts
    assert set(verdicts["verdict"]) >= {"compliant", "breach"}
    audited = auditor.audit(log)
    breaches = verdicts[verdicts["verdict"] == "breach"]["fingerprint"]
    assert set(breaches) == set(audited.findings.query("hand_id == 'b'")["fingerprint"])


def test_a_replayed_hand_shows_itself(log: auditor.HandLog) -> None:
    replayed = auditor.replay(log, "a")
    text, page = str(replayed), replayed._repr_html_()
    assert "Hand a: table T1, game seven-card-stud" in text
    assert text.splitlines()[1] == "Log: log.jsonl, line 1"
    assert "1 more hand with this id: log.jsonl, line 3" in text
    assert text.count("showing: ") == 3
    assert "note: slowly" in text
    assert "&lt;Ann&gt;" in page and "<Ann>" not in page
    assert page.count("<tr>") == 1 + 5


def test_a_replayed_hand_is_found_in_the_file_that_was_given(
    log: auditor.HandLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sources.write(auditor.HandLog(log.table), Path("made.parquet"))
    lines = str(auditor.replay(["made.parquet", "log.jsonl"], "a")).splitlines()
    assert lines[1] == "Log: made.parquet"
    others = ["made.parquet", "log.jsonl, line 1", "log.jsonl, line 3"]
    assert f"3 more hands with this id: {'; '.join(others)}" in lines
    assert "Log: log.jsonl, line 2" in str(auditor.replay("log.jsonl", "b"))
    shutil.copytree(PHH, "phh")  # many of which are read as one
    hand_id = auditor.load("phh").hands["hand_id"].iloc[5]
    name = sorted(Path("phh").iterdir())[5].as_posix()
    assert f"Log: {name}, line 1" in str(auditor.replay("phh", hand_id))


def test_a_defect_of_the_log_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "twice.jsonl"
    twice = hand()
    twice["events"][1]["card"] = "As"
    path.write_text(text_hands(twice), encoding="utf-8")
    assert "Defect at event 1: duplicate-card" in str(auditor.replay(auditor.load(path), "h"))


def test_a_hand_that_is_not_there_or_cannot_be_audited(log: auditor.HandLog) -> None:
    with pytest.raises(KeyError, match="no hand 'z' in this log of 3 hands"):
        auditor.replay(log, "z")
    with pytest.raises(ValueError, match=r"hand 'void' \(log.jsonl, line 4\) cannot be audited: no events"):
        auditor.replay(log, "void")
    unfit = auditor.HandLog(
        log.table.set_column(log.table.column_names.index("game"), "game", [["omaha"] * 3])
    )
    with pytest.raises(ValueError, match="does not cover omaha"):
        auditor.replay(unfit, "b")


def test_readings_and_assumptions_reach_the_replay(log: auditor.HandLog) -> None:
    assert "OPN01" not in str(auditor.replay(log, "b"))
    opened = auditor.replay(log, "b", assumptions=["first-round-opener=low-card"])
    assert "OPN01 breach: expected seat 2, observed seat 1" in opened.frame["verdicts"].iloc[2]
    assert "assuming first-round-opener=low-card" in opened.frame["verdicts"].iloc[2]


def test_every_real_hand_replays_to_an_empty_pot() -> None:
    log = auditor.load(PHH)
    for hand_id in log.hands["hand_id"]:
        frame = auditor.replay(log, hand_id).frame
        assert frame["pot"].iloc[-1] == 0, hand_id
        assert frame["pot"].max() > 0


def test_explanations() -> None:
    one = auditor.explain("OPN02")
    assert str(one).startswith("OPN02  13.3(b)  Highest hand showing opens")
    assert one.markdown().startswith("## OPN02  13.3(b)")
    assert "- **Printed**: NZ Gazette 1999 No. 11, page 281" in one.markdown()
    assert "<dt>Asks</dt>" in one._repr_html_()
    assert [clause.code for clause in auditor.explain("13.4(e)").clauses] == ["SPL01", "SPL02"]
    with pytest.raises(RuleSetError, match="did you mean OPN"):
        auditor.explain("OPN99")

"""The command line: what it prints and writes, its exit codes, and what it makes of bad input."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

from auditor import engine, rulesets, sources
from auditor.cli import app
from auditor.reports import coverage

ROOT = Path(__file__).parents[1]
COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]
HEAVY = {"numba", "numpy", "pandas", "pyarrow", "rich"}
TABLES = ("findings", "tallies", "defects", "quarantine")


def hand(hand_id: str, winner: int = 2, **changes: Any) -> dict[str, Any]:
    """Seat 1 folds to a forced bet; the pot goes to seat 2, or to the dead hand."""
    seats = (1, 2)
    return {
        "hand_id": hand_id,
        "table_id": "T1",
        "gaming_day": "2026-11-01",
        "game": "seven-card-stud",
        "ante": 1,
        "records": ["burns", "deal_order", "faces", "down_cards", "exposures", "reshuffles", "stacks"],
        "seats": [{"seat": seat, "player": f"P{seat}", "stack": 100} for seat in seats],
        "events": [
            *({"kind": "ante", "seat": seat, "amount": 1} for seat in seats),
            {"kind": "deal", "seat": 1, "card": "2c", "face": "down"},
            {"kind": "deal", "seat": 2, "card": "3c", "face": "down"},
            {"kind": "deal", "seat": 1, "card": "4c", "face": "down"},
            {"kind": "deal", "seat": 2, "card": "5c", "face": "down"},
            {"kind": "deal", "seat": 1, "card": "6c", "face": "up"},
            {"kind": "deal", "seat": 2, "card": "7c", "face": "up"},
            {"kind": "forced_bet", "seat": 2, "amount": 2},
            {"kind": "fold", "seat": 1},
            {"kind": "award", "seat": winner, "amount": 4},
        ],
        **changes,
    }


def bad_event(**fields: Any) -> dict[str, Any]:
    """A hand whose forced bet has other fields."""
    made = hand("bad")
    made["events"][8] |= fields
    return made


CLEAN, BREACH = hand("clean"), hand("dead", winner=1)


def jsonl(*hands: dict[str, Any] | str) -> bytes:
    texts = [one if isinstance(one, str) else json.dumps(one) for one in hands]
    return "".join(text + "\n" for text in texts).encode()


def write(name: str, *hands: dict[str, Any] | str) -> str:
    Path(name).write_bytes(jsonl(*hands))
    return name


def run(*arguments: str | Path, code: int, **options: Any) -> Result:
    """Run a command in this process and hold it to its exit code; never a traceback."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], **options)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert "Traceback" not in done.output
    assert done.exit_code == code, done.output
    return done


def document(*arguments: str | Path, code: int) -> dict[str, Any]:
    """The JSON of an audit, which must stand alone on standard output."""
    done = run("audit", *arguments, "--format", "json", code=code)
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def plain(*arguments: str, **environment: str) -> dict[str, Any]:
    """Arguments for a process of its own that does not compile, which for a few hands is quicker."""
    return {
        "args": [sys.executable, "-c", "from auditor.cli import main; main()", *arguments],
        "env": os.environ | {"AUDITOR_COMPILE": "0", "PYTHONPATH": str(ROOT)} | environment,
    }


def outputs(folder: str | Path) -> set[str]:
    """The files of a run; beside them lies nothing but the folder that holds them and the way to it."""
    names = {path.name for path in Path(folder).iterdir()}
    hidden = {name for name in names if name.startswith(".")}
    assert hidden == {".run", os.readlink(Path(folder, ".run"))}
    return names - hidden


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# -- help -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    done = run(command, "--help", code=0)
    assert f" {command} [OPTIONS]" in done.stdout.splitlines()[0]


def test_help_names_every_command_and_every_exit_code() -> None:
    listed, _, codes = run("--help", code=0).stdout.partition("Commands:")[2].partition("Exit codes:")
    assert {"audit", "explain", "rules", "show", "convert", "simulate", "score"} <= set(COMMANDS)
    for command in COMMANDS:
        assert f"  {command} " in listed
    for code in (*range(6), 70, 130, 141):
        assert f" {code} " in codes


@pytest.mark.parametrize("arguments", [["--help"], ["audit", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; from auditor.cli import app\n"
        f"try: app({arguments})\n"
        "except SystemExit: pass\n"
        f"print(*({HEAVY} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr.strip() == ""


def test_no_command_shows_help() -> None:
    assert "Commands:" in run(code=2).output


# -- exit codes -----------------------------------------------------------------------------------------

UNREADABLE = "{nope"


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("code", "hands", "options"),
    [
        (0, [CLEAN], []),
        (1, [CLEAN, BREACH], []),
        (0, [BREACH], ["--fail-on", "never"]),
        (0, [BREACH], ["--ignore", "DED01", "--ignore", "ALL01"]),
        (1, [BREACH], ["--fail-on", "critical"]),
        (1, [BREACH], ["--verdict", "compliant"]),
        (4, [CLEAN, UNREADABLE], []),
        (5, [BREACH, UNREADABLE], []),
        (4, [BREACH, UNREADABLE], ["--fail-on", "never"]),
    ],
)
def test_exit_codes_do_not_depend_on_the_format(
    code: int, hands: list[dict[str, Any] | str], options: list[str], form: str
) -> None:
    run("audit", write("log.jsonl", *hands), *options, "--format", form, code=code)


def test_a_breach_below_the_bar_does_not_fail() -> None:
    late = hand("late")
    late["events"][1]["amount"] = 2  # antes differ: major, not critical
    late["events"][-1]["amount"] = 5
    path = write("log.jsonl", late)
    run("audit", path, "--select", "ANT01", "--fail-on", "major", code=1)
    run("audit", path, "--select", "ANT01", "--fail-on", "critical", code=0)


def test_nothing_to_audit() -> None:
    Path("empty").mkdir()
    done = run("audit", "empty", code=3)
    assert "0 hands read" in done.stdout
    assert "Passed over: empty is empty" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["audit", "nowhere.jsonl"], "nowhere.jsonl does not exist; check the path"),
        (["audit", "no*.jsonl"], "nothing matches no*.jsonl; check the pattern"),
        (["audit", "log.jsonl", "--rules", "nz-1899"], "no rule set 'nz-1899'"),
        (["audit", "log.jsonl", "--select", "OPN99"], "no clause 'OPN99'"),
        (
            ["audit", "log.jsonl", "--reading", "OPN02=odd"],
            "no reading 'odd' of OPN02; there are: highest-card",
        ),
        (["audit", "log.jsonl", "--assume", "first-round-opener=x"], "no option 'x' of first-round-opener"),
        (["audit", "log.jsonl", "--fail-on", "sometimes"], "'sometimes' is not one of"),
        (["audit", "log.jsonl", "--threads", "0"], "--threads"),
        (["audit"], "Missing argument"),
        (["audit", "log.jsonl", "--select", "19,13.3"], "no clause '19,13.3'; give several one by one"),
        (
            ["audit", "log.jsonl", "--assume", "low-card"],
            "'low-card' is no TOPIC=OPTION; there are: button-hand=best-five, first-round-opener=high-card,",
        ),
        (["explain", "OPN99"], "did you mean OPN"),
        (["explain", "13.3(z)"], "13.3(a)"),
        (["explain", "nonsense"], "see `auditor rules`"),
        (["show", "nobody", "log.jsonl"], "no hand 'nobody' among 1 hand read and 0 quarantined"),
        (
            ["show", "log.jsonl", "clean"],
            "clean does not exist; check the path; log.jsonl is taken for the id",
        ),
        (["rules", "--rules", "nowhere"], "no rule set 'nowhere'"),
        *(
            (
                ["audit", "log.jsonl", "--reading", choice],
                "; declare it as an assumption: first-round-opener=low-card\n",
            )
            for choice in ("low-card", "OPN01=low-card", "first-round-opener=low-card")
        ),
        (["rules", "roberts-v11"], "name a rule set so: --rules roberts-v11"),
        (["rules", "--coverage", "nz-1999"], "name a rule set so: --rules nz-1999"),
        (["audit", "log.jsonl", "--incremental"], "--incremental needs --out: the folder that keeps"),
        (["convert", "log.jsonl"], "give a log to read and a file to write"),
        (["convert", "log.jsonl", "log.txt"], "cannot write this; name it .parquet, .jsonl or .csv"),
        (["convert", "log.jsonl", "no/such.csv"], "no is no folder; make it first"),
        (["convert", "nowhere.jsonl", "new.csv"], "nowhere.jsonl does not exist"),
    ],
)
def test_usage_errors_say_what_to_do(arguments: list[str], said: str) -> None:
    write("log.jsonl", CLEAN)
    done = run(*arguments, code=2)
    assert said in done.stderr
    assert done.stdout == ""


def test_interrupted_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine, "audit", interrupted)
    assert run("audit", write("log.jsonl", CLEAN), code=130).output == ""


def test_a_closed_pipe_is_quiet() -> None:
    write("log.jsonl", CLEAN, BREACH)
    nobody, written = os.pipe()
    os.close(nobody)
    done = subprocess.run(
        **plain("audit", "log.jsonl"), stdout=written, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(written)
    assert (done.returncode, done.stderr) == (141, "")


# -- the text summary -----------------------------------------------------------------------------------


def test_the_summary_of_an_audit() -> None:
    silent = hand("silent", winner=1, records=["faces"])
    done = run("audit", write("log.jsonl", CLEAN, BREACH, UNREADABLE, silent), code=5)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith("nz-1999: ")
    assert "4 hands read: 3 audited, 1 quarantined; 0 defects of the log" in lines
    assert any(line.startswith("  1 quarantined: ") and "(log.jsonl, line 3)" in line for line in lines)
    dead = next(line for line in lines if "A dead hand wins nothing" in line)
    assert dead.split()[-5:] == ["3", "1", "2", "0", "0"]
    silent = next(line for line in lines if line.startswith("Never fired ("))
    assert "SHO01" in silent and "FIX02" not in silent  # nobody played a game with a button
    assert (
        "2026-11-01 T1 hand dead event 10  2.0 dead hand  DED01 breach: expected nobody, observed seat 1"
        in [line.partition(", follows")[0] for line in lines]
    )


def test_a_file_that_cannot_be_read_counts_as_one_hand_and_the_summary_says_so() -> None:
    Path("nights").mkdir()
    write("nights/a.jsonl", CLEAN, UNREADABLE, bad_event(seat=11))
    Path("nights/b.parquet").write_bytes(b"PAR1")
    said = "  1 quarantined is a file, or the rest of one, with an unknown number of hands; "
    said += "each counts as one hand"
    lines = run("audit", "nights", code=4).stdout.splitlines()
    assert lines[1:3] == ["4 hands read: 1 audited, 3 quarantined; 0 defects of the log", said]
    Path("nights/c.jsonl").touch()
    Path("nights/d.csv").write_bytes(b"\xff\n")
    lines = run("audit", "nights", code=4).stdout.splitlines()
    assert lines[1].startswith("6 hands read: 1 audited, 5 quarantined")
    assert lines[2].startswith("  3 quarantined are files, or the rest of files, with")
    assert "counts as one" not in run("audit", "nights/a.jsonl", code=4).stdout


def test_findings_and_defects_lead_to_the_file_that_was_given() -> None:
    twice = hand("twice", winner=1)
    twice["events"][3]["card"] = "2c"
    Path("nights").mkdir()
    run(
        "convert",
        write("log.jsonl", BREACH, twice, hand("held", game="texas-holdem")),
        "nights/a.parquet",
        code=0,
    )
    write("nights/b.jsonl", BREACH)
    done = run("audit", "nights", "--select", "DED01", "--out", "out", code=5)
    assert "  1 of the log: duplicate-card (nights/a.parquet, hand twice)" in done.stdout.splitlines()
    assert "  1 quarantined: the rule set does not cover texas-holdem (nights/a.parquet)" in done.stdout
    rows = (
        pq.read_table("out/findings.parquet").select(["hand_id", "file", "source", "source_line"]).to_pylist()
    )
    assert [tuple(row.values()) for row in rows] == [
        ("dead", "nights/a.parquet", "log.jsonl", 1),
        ("dead", "nights/b.jsonl", "nights/b.jsonl", 1),
    ]
    defects = pq.read_table("out/defects.parquet").select(["hand_id", "file", "source", "source_line"])
    assert [tuple(row.values()) for row in defects.to_pylist()] == [
        ("twice", "nights/a.parquet", "log.jsonl", 2),
        ("dead", "nights/b.jsonl", "nights/b.jsonl", 1),  # comes a second time
    ]
    (unread,) = pq.read_table("out/quarantine.parquet").to_pylist()
    assert (unread["source"], unread["line"], unread["hand_id"]) == ("nights/a.parquet", None, "held")


def test_what_is_never_evidenced_is_named_with_the_records_it_needs() -> None:
    done = run("audit", write("log.jsonl", hand("1", records=[])), code=0)
    assert "STK01 (stacks)" in done.stdout.partition("Never evidenced")[2].splitlines()[0]


def test_long_lists_say_how_many_more() -> None:
    path = write("log.jsonl", *(hand(str(number), winner=1) for number in range(60)))
    done = run("audit", path, "--select", "DED01", code=1)
    listed = done.stdout.partition("Breach: 60\n")[2].partition("\n\n")[0].splitlines()
    assert len(listed) == 51
    assert listed[-1] == "and 10 more; --out has them all"


def test_the_summary_says_what_it_rests_on() -> None:
    options = ["--assume", "first-round-opener=low-card", "--reading", "OPN02=made-card"]
    done = run("audit", write("log.jsonl", CLEAN), *options, code=1)
    assert "Resting on first-round-opener=low-card, OPN02=made-card" in done.stdout
    assert (
        "OPN01 breach: expected seat 1, observed seat 2, assuming first-round-opener=low-card" in done.stdout
    )
    run("audit", "log.jsonl", "--assume", "first-round-opener=high-card", code=0)


def on_a_terminal(arguments: dict[str, Any]) -> str:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        **arguments, stdout=theirs, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    ) as process:
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 4096):
                seen += part
        except OSError:  # how a terminal says that the other side is gone
            pass
    os.close(ours)
    assert process.returncode == 1
    return seen.decode()


def test_colour_only_where_it_is_wanted() -> None:
    write("log.jsonl", BREACH)
    terminal = {"TERM": "xterm-256color", "COLUMNS": "60"}
    coloured = on_a_terminal(plain("audit", "log.jsonl", **terminal))
    assert "\x1b[31m" in coloured
    uncoloured = on_a_terminal(plain("audit", "log.jsonl", **terminal, NO_COLOR="1"))
    assert "\x1b[3" not in uncoloured
    words = "".join(uncoloured.split())
    assert "\N{HORIZONTAL ELLIPSIS}" not in words
    assert "DED01" in words


# -- JSON -----------------------------------------------------------------------------------------------


def test_json_holds_it_all() -> None:
    found = document(write("log.jsonl", CLEAN, BREACH, UNREADABLE), code=5)
    assert list(found) == ["run", "tallies", "findings", "defects", "quarantine"]
    assert found["run"]["hands"] == {"read": 3, "audited": 2, "quarantined": 1}
    assert {row["code"] for row in found["findings"]} == {"DED01", "ALL01"}
    assert {row["hand_id"] for row in found["findings"]} == {"dead"}
    assert found["quarantine"][0]["text"] == UNREADABLE
    assert sum(row["breach"] for row in found["tallies"]) == len(found["findings"])


def test_verdicts_asked_for_are_written_down() -> None:
    found = document(write("log.jsonl", CLEAN), "--verdict", "compliant", code=0)
    assert {row["verdict"] for row in found["findings"]} == {"compliant"}
    counted = sum(row["compliant"] for row in found["tallies"])
    assert len(found["findings"]) == counted > 0


def test_standard_input() -> None:
    done = run("audit", "-", "--format", "json", "--out", "out", code=1, input=jsonl(BREACH))
    assert json.loads(done.stdout)["findings"][0]["source"] == "-"
    facts = json.loads(Path("out/run.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256(jsonl(BREACH)).hexdigest()
    assert facts["inputs"] == [{"source": "-", "bytes": len(jsonl(BREACH)), "sha256": digest}]
    assert facts["games"] == {"seven-card-stud": 1}


def test_notices_are_on_record_and_not_on_standard_output_of_json() -> None:
    Path("logs").mkdir()
    write("logs/a.jsonl", CLEAN)
    Path("logs/readme.txt").write_text("hello")
    found = document("logs", code=0)
    assert found["run"]["notices"] == [
        "logs/readme.txt is no hand log by its name; give it by itself to read it"
    ]


# -- the folder of a run --------------------------------------------------------------------------------


def test_the_folder_of_a_run() -> None:
    path = write("log.jsonl", CLEAN, BREACH, UNREADABLE, CLEAN)
    found = document(path, "--out", "deep/out", "--select", "DED01", code=5)
    folder = Path("deep/out")
    files = {"findings.parquet", "findings.csv", "findings.jsonl", "tallies.parquet", "tallies.csv"}
    files |= {"defects.parquet", "defects.csv", "quarantine.parquet", "quarantine.jsonl", "run.json"}
    assert outputs(folder) == files
    for name in TABLES:
        rows = pq.read_table(folder / f"{name}.parquet").to_pylist()
        assert json.loads(json.dumps(rows, default=str)) == found[name]
        if (folder / f"{name}.jsonl").exists():
            text = (folder / f"{name}.jsonl").read_text(encoding="utf-8")
            assert [json.loads(line) for line in text.splitlines()] == found[name]
        if (folder / f"{name}.csv").exists():
            with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
                flat = list(csv.DictReader(file))
            told = [
                {key: "" if value is None else str(value) for key, value in row.items()}
                for row in found[name]
            ]
            assert flat == told
    facts = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert facts["hands"] == {"read": 4, "audited": 3, "quarantined": 1}
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    assert facts["inputs"] == [{"source": path, "bytes": Path(path).stat().st_size, "sha256": digest}]
    assert facts["options"]["select"] == ["DED01"]
    assert facts["exit_code"] == 5
    assert facts["started"] <= facts["finished"]
    assert {"host", "python", "packages"} <= set(facts)


def test_a_run_replaces_an_earlier_one_and_nothing_else() -> None:
    path = write("log.jsonl", BREACH)
    run("audit", path, "--out", "out", code=1)
    Path("out/mine.txt").write_text("kept")
    run("audit", write("log.jsonl", CLEAN), "--out", "out", code=0)
    assert pq.read_table("out/findings.parquet").num_rows == 0
    assert Path("out/mine.txt").read_text() == "kept"
    assert len(outputs("out")) == 11


@pytest.mark.parametrize("kind", ["folder", "file", "below a file"])
def test_an_output_folder_that_is_taken(kind: str) -> None:
    path = write("log.jsonl", CLEAN)
    out = Path("out")
    if kind == "folder":
        out.mkdir()
        (out / "thesis.txt").write_text("mine")
    else:
        out.write_text("mine")
    where = out / "deeper" if kind == "below a file" else out
    done = run("audit", path, "--out", where, code=2)
    assert str(where) in done.stderr and "name " in done.stderr
    left = out / "thesis.txt" if kind == "folder" else out
    assert left.read_text() == "mine"


def test_a_run_never_reads_its_own_output() -> None:
    Path("logs").mkdir()
    write("logs/log.jsonl", CLEAN)
    done = run("audit", "logs", "--out", "logs/out", code=2)
    assert "logs/out lies in logs, which is read; name a folder outside of it" in done.stderr
    assert not Path("logs/out").exists()


def test_the_same_bytes_whatever_the_threads() -> None:
    for number in range(6):
        write(
            f"log{number}.jsonl", *(hand(f"{number}-{at}", winner=1 + at % 2) for at in range(20)), UNREADABLE
        )
    for threads in ("1", "2"):
        run(
            "audit",
            *sorted(map(str, Path().glob("log*.jsonl"))),
            "--out",
            threads,
            "--threads",
            threads,
            code=5,
        )
    names = sorted(outputs("1"))
    assert len(names) == 10
    for name in names:
        if name != "run.json":
            assert Path("1", name).read_bytes() == Path("2", name).read_bytes(), name


def test_findings_know_no_path_and_no_clock(tmp_path: Path) -> None:
    write("log.jsonl", BREACH)
    run("audit", tmp_path / "log.jsonl", "--out", "out", code=1)
    for name in outputs("out") - {"run.json"}:
        assert str(tmp_path).encode() not in Path("out", name).read_bytes(), name


# -- bad input ------------------------------------------------------------------------------------------


def truncated() -> bytes:
    log = sources.load(write("whole.jsonl", CLEAN))
    sources.write(log, "whole.parquet")
    return Path("whole.parquet").read_bytes()[:-20]


BAD_HANDS = {
    "not JSON": (UNREADABLE, ""),
    "unknown kind": (bad_event(kind="jump"), "'jump'"),
    "unknown card": (bad_event(card="Zz"), "'Zz'"),
    "seat 0": (bad_event(seat=0), "seat"),
    "seat 11": (bad_event(seat=11), "seat 11 is not in 0-10"),
    "negative amount": (bad_event(amount=-5), "amount -5 is not in"),
    "enormous amount": (bad_event(amount=10**15), f"amount {10**15} is not in"),
    "no events": (hand("bad", events=[]), "no events"),
    "no game": (hand("bad", game=""), "game is missing"),
    "another game": (hand("bad", game="omaha"), "the rule set does not cover omaha"),
    "before the rules": (hand("bad", gaming_day="1990-01-01"), "in force on 1990-01-01"),
}


@pytest.mark.parametrize("name", BAD_HANDS)
def test_a_bad_hand_is_quarantined_and_the_others_are_audited(name: str) -> None:
    bad, reason = BAD_HANDS[name]
    found = document(write("log.jsonl", CLEAN, bad, BREACH), code=5)
    assert found["run"]["hands"] == {"read": 3, "audited": 2, "quarantined": 1}
    (entry,) = found["quarantine"]
    assert reason in entry["reason"]
    assert (entry["source"], entry["line"]) == ("log.jsonl", 2)
    assert {row["hand_id"] for row in found["findings"]} == {"dead"}


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("empty.jsonl", b"", "the file is empty"),
        ("cut.parquet", None, "not a whole Parquet file"),
        ("latin.jsonl", json.dumps(hand("caf\xe9"), ensure_ascii=False).encode("latin-1"), "UTF-8"),
        ("noise.dat", bytes(range(256)), "its format is none of"),
    ],
)
def test_a_bad_file_is_no_clean_file(name: str, data: bytes | None, reason: str) -> None:
    Path(name).write_bytes(truncated() if data is None else data)
    found = document(write("good.jsonl", CLEAN), name, code=4)
    assert found["run"]["hands"] == {"read": 2, "audited": 1, "quarantined": 1}
    assert reason in found["quarantine"][0]["reason"]
    assert found["quarantine"][0]["source"] == name
    assert reason in run("audit", name, code=4).stdout


def test_hand_ids_that_come_twice_are_a_defect() -> None:
    found = document(write("log.jsonl", CLEAN, CLEAN), code=0)
    assert found["run"]["hands"] == {"read": 2, "audited": 2, "quarantined": 0}
    assert [row["defect"] for row in found["defects"]] == ["duplicate-hand"]
    assert "1 of the log: duplicate-hand" in run("audit", "log.jsonl", code=0).stdout


def test_text_that_the_terminal_cannot_show_is_escaped() -> None:
    write("log.jsonl", hand("h\N{SNOWMAN}", winner=1))
    process = plain("audit", "log.jsonl", PYTHONIOENCODING="ascii")
    done = subprocess.run(**process, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "hand h\\u2603 event" in done.stdout


# -- explain, rules, show, convert ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "clause", rulesets.load("nz-1999").editions[-1].clauses, ids=lambda clause: clause.code
)
def test_every_clause_is_explained(clause: rulesets.Clause) -> None:
    text = " ".join(run("explain", clause.code, code=0).stdout.split())
    assert text.startswith(f"{clause.code} {clause.number} {clause.title}")
    for part in (clause.summary, clause.citation.instrument, clause.keeps, clause.breaks, clause.why):
        assert " ".join(part.split()) in text
    for name in clause.reading_names:
        assert name in text


def test_a_number_with_several_codes_shows_them_all() -> None:
    text = run("explain", "13.3(c)", code=0).stdout
    assert [line.split()[0] for line in text.splitlines() if line[:1].isalpha()] == [
        "ACT01",
        "ACT02",
        "ACT03",
    ]
    assert "The pages are not loaded" in run("explain", "16-18", code=0).stdout


def test_coverage_names_every_number() -> None:
    text = run("rules", code=0).stdout
    found = json.loads(run("rules", "--format", "json", code=0).stdout)
    numbers = found["editions"][0]["numbers"]
    assert {"13.3(b)", "19.20", "13.1"} <= {row["number"] for row in numbers}
    for row in numbers:
        assert any(line.startswith(row["number"]) for line in text.splitlines())
        assert row["why"] in text
    assert "first-round-opener=low-card" in text
    assert {page["state"] for page in found["pages"]} == {"whole", "part", "not loaded"}
    assert "nz-1999" in run("rules", "--list", code=0).stdout.splitlines()


def test_coverage_counts_every_number_once() -> None:
    whole = json.loads(run("rules", "--format", "json", code=0).stdout)["editions"]
    counted = json.loads(run("rules", "--coverage", "--format", "json", code=0).stdout)["editions"]
    for edition, counts in zip(whole, counted, strict=True):
        states = [row["state"] for row in edition["numbers"]]
        total = counts["all"]
        assert total["numbers"] == len(states) == sum(row["numbers"] for row in counts["sections"])
        assert total["fully"] == states.count("audited fully") > 0
        assert total["assumed"] == states.count("assumption") > 0
        assert total["not loaded"] == states.count("not loaded") > 0
        assert total["fully %"] == round(100 * total["fully"] / len(states))
        for row in (total, *counts["sections"]):
            assert row["numbers"] == sum(row[word] for word in coverage.STATES.values())
        assert {row["section"] for row in counts["sections"]} >= {"2", "13", "19", "16-18"}
    lines = run("rules", "--coverage", code=0).stdout.splitlines()
    assert lines[-1].split() == ["all", *map(str, counted[-1]["all"].values())]
    assert any(line.split()[:2] == ["13", "12"] for line in lines)


def test_a_text_without_sections_is_counted_whole() -> None:
    lines = run("rules", "--rules", "wsop-live-2024", "--coverage", code=0).stdout.splitlines()
    assert [line.split()[0] for line in lines[-2:]] == ["section", "all"]


def test_show_puts_verdicts_beside_events() -> None:
    path = write("log.jsonl", CLEAN, BREACH, bad_event(seat=11))
    text = run("show", "dead", path, code=0).stdout
    award = next(line for line in text.splitlines() if " award " in line)
    assert "DED01 breach: expected nobody, observed seat 1" in award
    assert "showing: 1: 6c | 2: 7c" in text
    assert "DED01 compliant" in run("show", "clean", path, code=0).stdout
    assert "cannot be audited: event 8: seat 11" in run("show", "bad", path, code=4).stderr


def test_convert_there_and_back() -> None:
    write("log.jsonl", CLEAN, BREACH)
    for first, second in (("log.jsonl", "a.parquet"), ("a.parquet", "b.csv"), ("b.csv", "c.jsonl.gz")):
        assert "2 hands written" in run("convert", first, second, code=0).stdout
    before, after = sources.load("log.jsonl").table, sources.load("c.jsonl.gz").table
    assert after.drop_columns(["source", "source_line"]) == before.drop_columns(["source", "source_line"])


def test_convert_replaces_only_when_told() -> None:
    write("log.jsonl", CLEAN)
    Path("mine.csv").write_text("mine")
    assert "add --force" in run("convert", "log.jsonl", "mine.csv", code=2).stderr
    assert Path("mine.csv").read_text() == "mine"
    run("convert", "log.jsonl", "mine.csv", "--force", code=0)
    assert len(sources.load("mine.csv")) == 1


def test_convert_tells_what_it_leaves_out() -> None:
    done = run("convert", write("log.jsonl", CLEAN, UNREADABLE, bad_event(seat=11)), "new.parquet", code=4)
    assert "1 hand written to new.parquet; 2 quarantined" in done.stdout
    assert "log.jsonl, line 2: " in done.stdout
    assert "log.jsonl, line 3: event 8: seat 11" in done.stdout
    assert len(sources.load("new.parquet")) == 1


def test_convert_tells_what_it_passes_over() -> None:
    Path("night").mkdir()
    write("night/log.jsonl", CLEAN)
    Path("night/notes.md").write_text("notes")
    done = run("convert", "night", "new.parquet", code=0)
    assert done.stdout.splitlines()[1:] == [
        "Passed over: night/notes.md is no hand log by its name; give it by itself to read it"
    ]


def test_earlier_results_and_hidden_folders_beside_the_logs_are_passed_over() -> None:
    Path("nights/.trash").mkdir(parents=True)
    log, _ = write("nights/log.jsonl", CLEAN), write("nights/.trash/log.jsonl", CLEAN)
    run("audit", log, "--out", "nights/results", code=0)
    run("audit", log, "--out", "nights/kept", "--incremental", code=0)
    done = run("audit", "nights", code=0)
    assert "1 hand read: 1 audited, 0 quarantined" in done.stdout
    assert sorted(line for line in done.stdout.splitlines() if line.startswith("Passed over: ")) == [
        "Passed over: nights/.trash is hidden; give it by itself to read what is in it",
        "Passed over: nights/kept holds the results of an audit; it is passed over",
        "Passed over: nights/results holds the results of an audit; it is passed over",
    ]
    assert "1 hand read" in run("audit", "nights/.trash", code=0).stdout


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "auditor", "--version"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.startswith("auditor ")

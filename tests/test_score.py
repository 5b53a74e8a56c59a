"""The score of an audit: small tables whose every number is worked out by hand, and one simulated night."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

import auditor
from auditor.cli import app
from auditor.findings import DEFECTS, FINDINGS, TALLIES
from auditor.handlog import QUARANTINE_SCHEMA
from auditor.reports import csv, parquet
from auditor.reports import json as jsonl
from auditor.score import Score, ScoreError, Truth, score
from auditor.simulate import simulate

Finding = tuple[str, str, int, str, int | None]
Row = tuple[str, int | None, str | None, str]


def findings(*rows: Finding) -> pa.Table:
    """Rows of ``hand, code, event, verdict, follows``."""
    names = ("hand_id", "code", "event", "verdict", "follows")
    blank = {field.name: "" if pa.types.is_string(field.type) else 0 for field in FINDINGS}
    nothing = dict.fromkeys(("gaming_day", "table_id", "source", "source_line"))
    return pa.Table.from_pylist(
        [blank | nothing | dict(zip(names, row, strict=True)) for row in rows], schema=FINDINGS
    )


def truth_table(hands: int, *rows: Row) -> pa.Table:
    """Rows of ``hand, event, code, kind``."""
    facts = {"hands": hands, "seed": 7, "plant": 0.5, "noise": 0.0}
    schema = pa.schema(
        [("hand_id", pa.string()), ("event", pa.int32()), ("code", pa.string()), ("kind", pa.string())],
        metadata={"auditor": json.dumps(facts)},
    )
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema=schema)


def truth(hands: int, *rows: Row) -> Truth:
    return Truth.of(truth_table(hands, *rows), "the truth")


def listed(schema: pa.Schema, hands: Sequence[str | None]) -> pa.Table:
    """A table of defects or of the quarantine that names these hands."""
    blank = {field.name: None if field.nullable else "x" for field in schema}
    return pa.Table.from_pylist([blank | {"hand_id": hand} for hand in hands], schema=schema)


def row_of(rows: list[dict[str, Any]], **key: str) -> dict[str, Any]:
    (found,) = [row for row in rows if all(row[name] == value for name, value in key.items())]
    return found


def counts(row: dict[str, Any], names: str) -> list[Any]:
    return [row[name] for name in names.split()]


OUTCOMES = "planted caught elsewhere indeterminate missed"
PLANTED = (
    ("h1", 5, "DEA01", "no-burn"),
    ("h2", 7, "DEA01", "no-burn"),
    ("h3", 7, "DEA01", "two-burns"),
    ("h4", 9, "DEA01", "two-burns"),
    ("h5", 4, "OPN02", "next-best"),
    ("h6", 3, "EXP02", "over-cap"),
    ("h6", 6, "EXP02", "over-cap"),
    ("h7", 8, "DED01", "to-folded"),
    ("h7", 8, "SHO03", "to-folded"),
)
FOUND = (
    ("h1", "DEA01", 5, "breach", None),  # caught
    ("h1", "ACT01", 9, "breach", 5),  # a consequence of it
    ("h2", "DEA01", 6, "breach", None),  # elsewhere
    ("h2", "DEA01", 9, "breach", 6),  # follows from what was found elsewhere
    ("h3", "DEA01", 7, "indeterminate", None),  # seen by one reading only
    ("h3", "FIX01", 9, "breach", None),  # a false alarm: it follows from nothing
    # h4: missed
    ("h5", "CAL01", 2, "breach", None),  # a false alarm before the breach
    ("h5", "OPN02", 4, "breach", 2),  # caught, whatever it is said to follow
    ("h5", "CAL01", 6, "breach", 2),  # follows from the false alarm only: another
    ("h6", "EXP02", 3, "breach", None),  # caught; it does not account for the second as well
    ("h7", "DED01", 8, "breach", None),  # two texts broken by one act
    ("h7", "SHO03", 8, "breach", None),
    ("c1", "CAL01", 1, "breach", None),  # false alarms in clean hands
    ("c1", "CAL01", 4, "breach", 1),
    ("c2", "POS01", 4, "indeterminate", None),
)


@pytest.fixture
def scored() -> Score:
    """Twenty hands: seven with planted breaches, thirteen clean."""
    return score({"findings": findings(*FOUND)}, truth(20, *PLANTED))


def test_hands_are_counted_by_what_the_truth_says_of_them(scored: Score) -> None:
    assert scored.hands == {
        "written": 20,
        "clean": 13,
        "planted": 7,
        "noisy": 0,
        "clean_with_defect": None,
        "clean_quarantined": None,
    }
    assert scored.truth == {"hands": 20, "seed": 7, "plant": 0.5, "noise": 0.0}


@pytest.mark.parametrize(
    ("code", "outcomes"),
    [
        ("DEA01", [4, 1, 1, 1, 1]),
        ("OPN02", [1, 1, 0, 0, 0]),
        ("EXP02", [2, 1, 0, 0, 1]),
        ("DED01", [1, 1, 0, 0, 0]),
        ("SHO03", [1, 1, 0, 0, 0]),
        ("CAL01", [0, 0, 0, 0, 0]),
    ],
)
def test_each_planted_breach_has_one_outcome(code: str, outcomes: list[int], scored: Score) -> None:
    assert counts(row_of(scored.obligations, code=code), OUTCOMES) == outcomes


@pytest.mark.parametrize(
    ("code", "beside"),
    [
        ("ACT01", [1, 0, 0, 0]),
        ("DEA01", [1, 0, 0, 0]),
        ("FIX01", [0, 1, 0, 0]),
        ("CAL01", [0, 2, 2, 0]),
        ("POS01", [0, 0, 0, 1]),
    ],
)
def test_other_findings_are_consequences_or_false_alarms(code: str, beside: list[int], scored: Score) -> None:
    names = "consequences false_alarms false_alarms_clean indeterminate_clean"
    assert counts(row_of(scored.obligations, code=code), names) == beside


def test_false_alarms_per_million_clean_hands(scored: Score) -> None:
    assert row_of(scored.obligations, code="CAL01")["false_alarms_per_million"] == 153846.154  # 2 in 13
    assert row_of(scored.obligations, code="DEA01")["false_alarms_per_million"] == 0


def test_every_finding_and_every_plant_is_accounted_for_once(scored: Score) -> None:
    total = {
        name: sum(row[name] for row in scored.obligations)
        for name in ("caught", "elsewhere", "consequences", "false_alarms", "false_alarms_clean", "planted")
    }
    assert total.pop("planted") == len(PLANTED)
    assert sum(total.values()) == sum(verdict == "breach" for _, _, _, verdict, _ in FOUND)


@pytest.mark.parametrize(
    ("code", "kind", "outcomes"),
    [
        ("DEA01", "no-burn", [2, 1, 1, 0, 0, 2, 0]),
        ("DEA01", "two-burns", [2, 0, 0, 1, 1, 0, 1]),
        ("OPN02", "next-best", [1, 1, 0, 0, 0, 0, 2]),
        ("EXP02", "over-cap", [2, 1, 0, 0, 1, 0, 0]),
        ("DED01", "to-folded", [1, 1, 0, 0, 0, 0, 0]),
    ],
)
def test_kinds_of_a_breach_are_told_apart(code: str, kind: str, outcomes: list[int], scored: Score) -> None:
    row = row_of(scored.kinds, code=code, kind=kind)
    assert counts(row, OUTCOMES + " consequences false_alarms") == outcomes


def test_rows_are_in_order_and_none_comes_twice(scored: Score) -> None:
    codes = [row["code"] for row in scored.obligations]
    assert codes == sorted(set(codes))
    kinds = [(row["code"], row["kind"]) for row in scored.kinds]
    assert kinds == sorted({(code, kind) for _, _, code, kind in PLANTED})


def test_tallies_bring_the_clauses_that_were_asked_in_their_order() -> None:
    names = [field.name for field in TALLIES]
    rows = [
        ("SHO03", "13.4(d)", "Best hand wins", "1999", "T1", 5, 5, 0, 0, 0),
        ("DEA01", "13.3(a)", "One burn", "1999", "T1", 7, 6, 1, 0, 0),
        ("DEA01", "13.3(a)", "One burn", "1999", "T2", 4, 4, 0, 0, 0),
    ]
    tallies = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], schema=TALLIES)
    tables = {"findings": findings(*FOUND[:1]), "tallies": tallies}
    rows_ = score(tables, truth(5, PLANTED[0], ("h2", 3, "XYZ01", "odd"))).obligations
    names_ = "code number title applied planted missed"
    assert [counts(row, names_) for row in rows_] == [
        ["SHO03", "13.4(d)", "Best hand wins", 5, 0, 0],
        ["DEA01", "13.3(a)", "One burn", 11, 1, 0],
        ["XYZ01", None, None, 0, 1, 1],  # a clause that was not run finds nothing
    ]


NOISE = (
    ("n1", 3, None, "event-lost"),
    ("n1", 9, None, "event-doubled"),
    ("n2", 4, None, "event-lost"),
    ("n3", None, None, "event-lost"),
    ("n4", 1, None, "card-unknown"),
    ("n5", 1, None, "card-unknown"),
    ("n5", 2, None, "card-unknown"),
)
HEARD = (
    ("n1", "DEA01", 3, "breach", None),
    ("n1", "DEA01", 8, "breach", 3),
    ("n1", "ACT01", 8, "breach", 3),
    ("n2", "SHT01", 8, "indeterminate", None),
    ("n4", "OPN02", 8, "not_evidenced", None),
    ("c1", "DCK01", 8, "not_evidenced", None),
)


def noisy(verdicts: Sequence[str]) -> Score:
    tables = {
        "findings": findings(*HEARD),
        "defects": listed(DEFECTS, ["n1", "n2", "c3"]),
        "quarantine": listed(QUARANTINE_SCHEMA, ["n3", None]),
    }
    return score(tables, truth(10, *NOISE), verdicts=verdicts)


def test_faults_of_logging_are_told_apart_by_kind() -> None:
    rows = noisy(["breach", "indeterminate", "not_evidenced"]).noise
    names = "kind faults hands defect quarantined breach indeterminate not_evidenced silent codes"
    assert [counts(row, names) for row in rows] == [
        ["card-unknown", 3, 2, 0, 0, 0, 0, 1, 1, {}],
        ["event-lost", 2, 2, 1, 1, 0, 1, 0, 0, {}],
        ["several", 2, 1, 1, 0, 1, 0, 0, 0, {"DEA01": 1}],
    ]


def test_noise_takes_no_part_in_the_breaches() -> None:
    found = noisy(["breach", "indeterminate"])
    assert found.hands["noisy"] == 5 and found.hands["clean"] == 5
    assert [row["false_alarms"] + row["false_alarms_clean"] for row in found.obligations] == []


def test_what_was_not_written_down_is_not_known() -> None:
    assert [row["not_evidenced"] for row in noisy(["breach", "indeterminate"]).noise] == [None] * 3
    assert [row["indeterminate"] for row in noisy(["breach"]).noise] == [None] * 3
    alone = score({"findings": findings(*HEARD)}, truth(10, *NOISE))
    assert [(row["defect"], row["quarantined"]) for row in alone.noise] == [(None, None)] * 3
    only_breaches = score({"findings": findings(*FOUND)}, truth(20, *PLANTED), verdicts=["breach"])
    assert {row["indeterminate_clean"] for row in only_breaches.obligations} == {None}


@pytest.mark.parametrize(
    ("found", "passed"),
    [
        ((), False),
        ((("h1", "DEA01", 5, "breach", None),), True),
        ((("h1", "DEA01", 6, "breach", None),), False),
        ((("h1", "DEA01", 5, "indeterminate", None),), False),
        ((("h1", "DEA01", 5, "breach", None), ("h1", "ACT01", 6, "breach", 5)), True),
        ((("h1", "DEA01", 5, "breach", None), ("h1", "ACT01", 6, "breach", None)), False),
        ((("h1", "DEA01", 5, "breach", None), ("c1", "ACT01", 6, "breach", None)), False),
        ((("h1", "DEA01", 5, "breach", None), ("c1", "ACT01", 6, "indeterminate", None)), True),
        ((("h1", "DEA01", 5, "breach", None), ("n1", "ACT01", 6, "breach", None)), True),
    ],
)
def test_what_passes(found: tuple[Finding, ...], passed: bool) -> None:
    known = truth(20, PLANTED[0], ("n1", 3, None, "event-lost"))
    assert score({"findings": findings(*found)}, known).passed == passed


@pytest.mark.parametrize(("name", "schema"), [("defects", DEFECTS), ("quarantine", QUARANTINE_SCHEMA)])
@pytest.mark.parametrize(("hand", "passed"), [("c1", False), ("h1", True)])
def test_a_clean_hand_has_no_defect_and_is_audited(
    name: str, schema: pa.Schema, hand: str, passed: bool
) -> None:
    tables = {"findings": findings(*FOUND[:1]), name: listed(schema, [hand])}
    assert score(tables, truth(3, PLANTED[0])).passed == passed


def test_nothing_planted_and_nothing_found() -> None:
    found = score({"findings": findings()}, truth(0))
    assert found.passed and (found.obligations, found.kinds, found.noise) == ([], [], [])


def test_no_clean_hand_no_rate() -> None:
    (row,) = score({"findings": findings(*FOUND[:1])}, truth(1, PLANTED[0])).obligations
    assert row["false_alarms_per_million"] is None


# -- input that does not fit ------------------------------------------------------------------------------

OTHER_LOG = "give the truth that was written beside the log audited"


def test_findings_of_another_log_are_refused() -> None:
    known = truth(20, *PLANTED)
    with pytest.raises(ScoreError, match=f"21 hands audited, the truth is of 20; {OTHER_LOG}"):
        score({"findings": findings(*FOUND)}, known, read=21)
    with pytest.raises(ScoreError, match=f"hands that the truth does not name; {OTHER_LOG}"):
        score({"findings": findings(("x1", "DEA01", 5, "breach", None))}, known)
    crowd = [(f"c{n}", "POS01", 5, "indeterminate", None) for n in range(14)]  # 13 hands are clean
    with pytest.raises(ScoreError, match="hands that the truth does not name"):
        score({"findings": findings(*crowd)}, known)
    assert score({"findings": findings(*crowd[1:])}, known).hands["clean"] == 13


def test_findings_without_breaches_are_refused() -> None:
    with pytest.raises(ScoreError, match="audit with --verdict breach"):
        score({"findings": findings(*FOUND)}, truth(20, *PLANTED), verdicts=["compliant"])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (truth_table(9).replace_schema_metadata(None), "t is no truth; give the file that auditor simulate"),
        (truth_table(9).replace_schema_metadata({"auditor": "hand log 1"}), "t is no truth"),
        (truth_table(9).replace_schema_metadata({"auditor": "{}"}), "t is no truth"),
        (truth_table(9).drop_columns(["kind"]), "t is no truth"),
        (truth_table(9, ("h1", None, "DEA01", "no-burn")), "t does not name the event of a breach"),
        (truth_table(9, PLANTED[0], ("h1", 3, None, "event-lost")), "both a breach and a fault of logging"),
        (truth_table(1, *PLANTED), "t names more hands than it says were written"),
    ],
)
def test_a_truth_that_is_none_is_refused(table: pa.Table, message: str) -> None:
    with pytest.raises(ScoreError, match=message):
        Truth.of(table, "t")


# -- the command ------------------------------------------------------------------------------------------


def command(*arguments: str | Path, code: int) -> Result:
    done = CliRunner().invoke(app, ["score", *map(str, arguments)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def truth_file(tmp_path: Path) -> Path:
    path = tmp_path / "night.truth.parquet"
    pq.write_table(truth_table(20, *PLANTED), path)
    return path


WRITERS = {"parquet": parquet.write, "csv": csv.write, "jsonl": jsonl.write}


def write(form: str, table: pa.Table, folder: Path) -> Path:
    path = folder / f"findings.{form}"
    with path.open("wb") as file:
        WRITERS[form]([table], table.schema, file)
    return path


@pytest.mark.parametrize("form", WRITERS)
def test_each_form_of_findings_gives_the_same_score(
    form: str, tmp_path: Path, truth_file: Path, scored: Score
) -> None:
    path = write(form, findings(*FOUND), tmp_path)
    done = command(path, truth_file, "--format", "json", code=1)
    assert json.loads(done.stdout) == scored.document()


@pytest.mark.parametrize("form", WRITERS)
def test_no_findings_is_a_score_too(form: str, tmp_path: Path, truth_file: Path) -> None:
    path = write(form, findings(), tmp_path)
    rows = json.loads(command(path, truth_file, "--format", "json", code=1).stdout)["obligations"]
    assert {row["planted"] - row["missed"] for row in rows} == {0}


def test_the_text_has_every_table(tmp_path: Path) -> None:
    known = tmp_path / "t.parquet"
    pq.write_table(truth_table(20, PLANTED[0], *NOISE), known)
    path = tmp_path / "findings.parquet"
    pq.write_table(findings(*FOUND[:2], HEARD[0]), path)
    lines = command(path, known, code=0).stdout.splitlines()
    assert lines[0] == "20 hands: 14 clean, 1 with a planted breach, 5 with faults of logging"
    cells = [line.split() for line in lines]
    assert ["-", "DEA01", "-", "1", "1", "0", "0", "0", "0", "0", "0", "0.0", "0"] in cells
    assert ["DEA01", "no-burn", "1", "1", "0", "0", "0", "1", "0"] in cells
    assert ["several", "2", "1", "-", "-", "1", "0", "-", "0", "DEA01", "1"] in cells
    assert lines[-1] == "Caught at the event: 1 of 1; false alarms: 0"


def broken(tmp_path: Path, name: str, data: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("findings.parquet", b"PAR1 and then nothing", "is no Parquet file, or not a whole one"),
        ("findings.csv", b"hand_id,code\nh1,DEA01\n", "does not hold the findings of an audit"),
        ("findings.csv", b"", "does not hold the findings of an audit"),
        ("findings.jsonl", b'{"hand_id": "h1"}\n', "does not hold the findings of an audit"),
        ("findings.jsonl", b"{nope\n", "does not hold the findings of an audit"),
        ("findings.txt", b"", "has no form of findings; give findings.parquet"),
    ],
)
def test_files_that_hold_no_findings(
    name: str, data: bytes, message: str, tmp_path: Path, truth_file: Path
) -> None:
    done = command(broken(tmp_path, name, data), truth_file, code=2)
    assert message in done.stderr and name in done.stderr and done.stderr.count("\n") == 1


def test_other_input_that_cannot_be_used(tmp_path: Path, truth_file: Path) -> None:
    path = tmp_path / "findings.parquet"
    pq.write_table(findings(*FOUND), path)
    assert "is no truth" in command(path, path, code=2).stderr
    assert "No such file" in command(tmp_path / "none.csv", truth_file, code=2).stderr
    assert "none.parquet: No such file" in command(path, tmp_path / "none.parquet", code=2).stderr
    assert "holds no whole run (run.json)" in command(tmp_path, truth_file, code=2).stderr
    broken(tmp_path, "run.json", b"[]")
    assert "run.json is not what auditor audit --out writes" in command(tmp_path, truth_file, code=2).stderr


def test_the_score_of_a_night(tmp_path: Path) -> None:
    """Audited as it is, all is caught; with a clause left out, that is missed; another truth is refused."""
    night = simulate(400, seed=5, plant=0.5)
    log, known, out = tmp_path / "night.parquet", tmp_path / "night.truth.parquet", tmp_path / "out"
    pq.write_table(night.log.table, log)
    rows = pa.Table.from_pandas(night.truth, preserve_index=False)
    facts = json.dumps({"hands": 400, "seed": 5, "plant": 0.5, "noise": 0.0})
    pq.write_table(rows.replace_schema_metadata({"auditor": facts}), known)
    audit = ["audit", str(log), "--out", str(out)]
    assert CliRunner().invoke(app, audit).exit_code == 1
    whole = json.loads(command(out, known, "--format", "json", code=0).stdout)
    assert whole["passed"] and whole["hands"]["planted"] == night.truth.hand_id.nunique() > 150
    assert sum(row["caught"] for row in whole["obligations"]) == len(night.truth)
    assert len(whole["obligations"]) == len(auditor.audit(night.log).by_clause)
    (code, *_) = night.truth.code
    assert CliRunner().invoke(app, [*audit, "--ignore", code]).exit_code == 1
    less = json.loads(command(out, known, "--format", "json", code=1).stdout)
    assert row_of(less["obligations"], code=code)["missed"] == (night.truth.code == code).sum()
    pq.write_table(rows.replace_schema_metadata({"auditor": facts.replace("400", "401")}), known)
    assert "400 hands audited, the truth is of 401" in command(out, known, code=2).stderr

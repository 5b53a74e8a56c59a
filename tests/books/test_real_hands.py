"""Real hands under the book that their sites come nearest to bring no breach and leave no doubt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import auditor
from tests.test_sites import REAL

ROOT = Path(__file__).parents[2]
TELEVISED = sorted((auditor.sample_logs() / "phh").glob("*.phh"))
COUNT = """
import json, sys, auditor
result = auditor.audit(auditor.load(*json.load(sys.stdin)), rules="roberts-v11")
reasons = result.tables["quarantine"].column("reason").to_pylist()
print(json.dumps([result.audited, reasons, result.by_clause.to_pylist()]))
"""


def test_real_hands_have_no_breach(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        input=json.dumps([str(path) for path in (*REAL, *TELEVISED)]),
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "AUDITOR_COMPILE": "0",
            "AUDITOR_CACHE": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    audited, reasons, clauses = json.loads(done.stdout)
    assert (audited, len(TELEVISED)) == ((42 if REAL else 13), 13)
    assert reasons == (["the rule set does not cover five-card-stud"] if REAL else [])
    assert [row["code"] for row in clauses if row["breach"] or row["indeterminate"]] == []
    kept = {row["code"] for row in clauses if row["compliant"]}
    assert kept >= {"ROPN01", "ROPN02", "ROPN03", "RFIX01", "RDEA01", "RDEA02", "RSHO01"}

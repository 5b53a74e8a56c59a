"""What all tests share: one cache of compiled loops for all workers and runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]

os.environ.setdefault("AUDITOR_CACHE", str(ROOT / ".pytest_cache" / "loops"))
os.environ.setdefault("AUDITOR_COMPILE", "1")  # a few hands are to be audited by compiled code too
# The first example of a property may wait for the compiler.
settings.register_profile("auditor", deadline=None)
settings.load_profile("auditor")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile before the workers start, so that they load what is kept instead of each compiling its own."""
    parallel = getattr(session.config.option, "numprocesses", None)
    compiling = os.environ.get("AUDITOR_COMPILE") != "0"
    if parallel and compiling and not hasattr(session.config, "workerinput"):
        first_use = (
            "import auditor, auditor.simulate;"
            "auditor.audit(auditor.sample_logs() / 'phh'); auditor.simulate.simulate(1)"
        )
        subprocess.run([sys.executable, "-c", first_use], cwd=ROOT, check=True)

"""The wheel alone is a whole auditor: commands, rule sets and sample logs, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RULE_SET = "nz-1999"
CLEAN_OR_PARTLY_AUDITED = (0, 4)
"""A dirty sample may hold hands that cannot be read, which ``--fail-on never`` does not hide."""


@dataclass(frozen=True)
class Installed:
    """A virtual environment that holds the wheel, and the empty folder to run it from."""

    folder: Path
    packages: Path
    cwd: Path

    def run(self, command: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment, with caches of its own and without the checkout's settings."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.run(
            [self.folder / "bin" / command, *arguments],
            cwd=self.cwd,
            env=kept | {"XDG_CACHE_HOME": str(self.folder / "cache")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


def pip(*arguments: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an environment that sees this one's dependencies, but after its own packages."""
    base = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", base / "dist", ROOT)
    (wheel,) = (base / "dist").glob("auditor-*.whl")

    folder = base / "venv"
    venv.create(folder, symlinks=True)
    pip("--python", folder / "bin" / "python", "install", "--no-deps", "--no-index", wheel)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    # Only the named folders join the path: the .pth files in them, an editable install's too, do not run.
    running = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    (packages / "dependencies.pth").write_text("\n".join(running) + "\n")

    cwd = base / "elsewhere"
    cwd.mkdir()
    return Installed(folder, packages, cwd)


def test_the_wheel_is_what_is_imported(installed: Installed) -> None:
    where = installed.run("python", "-c", "import auditor; print(auditor.__file__)")
    assert where.returncode == 0, where.stderr
    assert Path(where.stdout.strip()) == installed.packages / "auditor" / "__init__.py"
    path = installed.run("python", "-c", "import sys; print(*sys.path, sep='\\n')")
    assert str(ROOT) not in path.stdout.splitlines()


@pytest.mark.parametrize("folder", ["rulesets", "sample_logs"])
def test_the_wheel_carries_every_shipped_file(installed: Installed, folder: str) -> None:
    def contents(root: Path) -> dict[str, bytes]:
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    assert contents(ROOT / folder)
    assert contents(installed.packages / "auditor" / "_data" / folder) == contents(ROOT / folder)


def test_it_knows_its_version(installed: Installed) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    done = installed.run("auditor", "--version")
    assert done.returncode == 0, done.stderr
    assert project["version"] in done.stdout


def test_it_lists_its_rule_sets(installed: Installed) -> None:
    done = installed.run("auditor", "rules")
    assert done.returncode == 0, done.stderr
    assert RULE_SET in done.stdout


def test_it_audits_its_sample_logs(installed: Installed) -> None:
    samples = installed.packages / "auditor" / "_data" / "sample_logs"
    done = installed.run("auditor", "audit", samples, "--rules", RULE_SET, "--fail-on", "never")
    assert done.returncode in CLEAN_OR_PARTLY_AUDITED, done.stderr
    assert "breach" in done.stdout.lower()
    assert "Traceback" not in done.stderr

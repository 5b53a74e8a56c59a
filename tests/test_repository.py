"""What holds for the tree as a whole: nothing in it is tied to one place or person, or left half done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONGEST_MODULE = 599

# What is not the project's own: git's folder and the names that .gitignore lists.
PASSED_OVER = [
    ".git",
    *(
        line.rstrip("/")
        for line in (ROOT / ".gitignore").read_text().splitlines()
        if line[:1] not in ("", "#")
    ),
]

# Put together from pieces, so that this file is clean by the rule it checks.
REGISTRIES = (
    "pypi" + r"\.org",
    "python" + r"hosted\.org",
    "ana" + r"conda\.(?:org|com)",
    "npm" + r"js\.(?:org|com)",
    "deb" + r"ian\.org",
    "arti" + "factory",
    "index" + "-url",
    "trusted" + "-host",
)
DEVELOPERS_PATHS = (
    "/ho" + r"me/\w",
    "/Us" + r"ers/\w",
    "/ro" + "ot/",
    "/wo" + "rk/",
    r"/tmp/\w" + "+/env",
    r"[A-Z]:\\Us" + "ers",
)
MARKERS = ("TO" + "DO", "FIX" + "ME")


def files(folder: Path = ROOT) -> Iterator[Path]:
    """Every file of the project below ``folder``, in a fixed order."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or any(fnmatch(path.name, pattern) for pattern in PASSED_OVER):
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def places(pattern: str, folder: Path = ROOT) -> list[str]:
    """``file:line`` of each match of ``pattern`` in the bytes of the files below ``folder``."""
    found = []
    for path in files(folder):
        data = path.read_bytes()
        for match in re.finditer(pattern.encode(), data):
            line = data.count(b"\n", 0, match.start()) + 1
            found.append(f"{path.relative_to(folder)}:{line}: {match[0].decode()}")
    return found


def one_of(patterns: tuple[str, ...]) -> str:
    return "|".join(patterns)


def standalone_paths() -> str:
    # A path, not the tail of an address or of a longer relative path.
    return rf"(?<![\w.~-])(?:{one_of(DEVELOPERS_PATHS)})"


def test_no_registry_host_is_named() -> None:
    assert places(rf"(?i)(?:{one_of(REGISTRIES)})") == []


def test_no_path_of_a_developers_machine() -> None:
    assert places(standalone_paths()) == []


@pytest.mark.parametrize("folder", ["auditor", "rulesets", "tests"])
def test_nothing_is_put_off(folder: str) -> None:
    assert places(rf"\b(?:{one_of(MARKERS)})\b", ROOT / folder) == []


def test_no_module_is_too_long_to_read() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in files(ROOT / "auditor")
        if path.suffix == ".py"
    }
    assert lengths
    assert {name: length for name, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_every_make_command_of_the_readme_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code = re.findall(r"```.*?```|`[^`\n]+`", readme, flags=re.DOTALL)
    named = {target for span in code for target in re.findall(r"\bmake ([a-z][\w-]*)", span)}
    targets = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert named
    assert named - targets == set()


def test_the_search_itself_finds_what_it_looks_for(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "note.txt").write_text(
        "first line\nhttps://" + "pypi" + ".org/simple\nsee /ho" + "me/somebody/x\n# TO" + "DO later\n"
    )
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "note.txt").write_text("pypi" + ".org")
    (tmp_path / "fine.txt").write_text("https://example.net/ho" + "me/page, net/wo" + "rk/x\n")
    assert places(one_of(REGISTRIES), tmp_path) == ["deep/note.txt:2: pypi" + ".org"]
    assert places(standalone_paths(), tmp_path) == ["deep/note.txt:3: /ho" + "me/s"]
    assert places(one_of(MARKERS), tmp_path) == ["deep/note.txt:4: TO" + "DO"]

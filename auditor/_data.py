"""Where the files that ship with the package are: inside it when installed, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
_INSTALLED = _PACKAGE / "_data"


def data_path(*parts: str) -> Path:
    """The shipped file or folder ``parts``, such as ``data_path("rulesets", "schema")``.

    Raises ``FileNotFoundError`` when it is not there.
    """
    root = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent
    path = root.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"{'/'.join(parts)} is not part of this installation; install auditor anew")
    return path

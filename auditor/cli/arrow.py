"""How commands that go through logs have Arrow: with memory that is used again, and without pandas."""

from __future__ import annotations

import os
import sys
from importlib.abc import MetaPathFinder
from typing import Any


class _NoPandas(MetaPathFinder):
    def find_spec(self, fullname: str, *_: Any) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(fullname)


def prepare_arrow() -> None:
    """Have Arrow allocate by jemalloc, where it can and nobody has chosen: a batch then gets the memory of
    the one before it, and not fresh pages that the system has to clear.

    And have it find no pandas: it would import it, which takes as long as all of Arrow, to ask whether a
    list that it is given is a Series. What is turned into a data frame still is.
    """
    import pyarrow as pa

    if "jemalloc" in pa.supported_memory_backends() and "ARROW_DEFAULT_MEMORY_POOL" not in os.environ:
        pa.set_memory_pool(pa.jemalloc_memory_pool())
    hidden = _NoPandas()
    sys.meta_path.insert(0, hidden)
    try:
        pa.array([""])  # it looks once, and remembers
    finally:
        sys.meta_path.remove(hidden)

"""How commands that go through logs have Arrow: with memory that is used again, and without pandas."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _LatePandas(MetaPathFinder):
    """Hides pandas from Arrow, which looks for it once and remembers; whoever imports it later has Arrow
    look again, or it would take the missing values of a Series for numbers."""

    hidden = True

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "pandas":
            return None
        if self.hidden:
            raise ModuleNotFoundError(fullname)
        others = (finder.find_spec(fullname, path, target) for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, others), None)
        if spec and spec.loader:
            load = spec.loader.exec_module

            def load_and_show(module: ModuleType) -> None:
                import pyarrow as pa

                load(module)
                pa.array([0]).to_pandas()

            spec.loader.exec_module = load_and_show  # type: ignore[method-assign]
        return spec


def prepare_arrow() -> None:
    """Have Arrow allocate by jemalloc, where it can and nobody has chosen: a batch then gets the memory of
    the one before it, and not fresh pages that the system has to clear.

    And have it find no pandas before somebody imports it: Arrow would, which takes as long as all of Arrow,
    to ask whether a list that it is given is a Series.
    """
    import pyarrow as pa

    if "jemalloc" in pa.supported_memory_backends() and "ARROW_DEFAULT_MEMORY_POOL" not in os.environ:
        pa.set_memory_pool(pa.jemalloc_memory_pool())
    if "pandas" in sys.modules or any(isinstance(finder, _LatePandas) for finder in sys.meta_path):
        return
    late = _LatePandas()
    sys.meta_path.insert(0, late)
    try:
        pa.array([""])
    finally:
        late.hidden = False

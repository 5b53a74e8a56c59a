"""Where commands that go through long logs have their memory from."""

from __future__ import annotations

import os


def use_jemalloc() -> None:
    """Have Arrow allocate by jemalloc, where it can and nobody has chosen: a batch then gets the memory of
    the one before it, and not fresh pages that the system has to clear."""
    import pyarrow as pa

    if "jemalloc" in pa.supported_memory_backends() and "ARROW_DEFAULT_MEMORY_POOL" not in os.environ:
        pa.set_memory_pool(pa.jemalloc_memory_pool())

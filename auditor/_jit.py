"""The one place that compiles. Set ``AUDITOR_COMPILE=0`` to run the same source as plain Python (to debug or
to measure coverage), ``AUDITOR_BOUNDSCHECK=1`` to have compiled code check its array indices. Both are read
where a module defines what it compiles, when it is imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def compiling() -> bool:
    return os.environ.get("AUDITOR_COMPILE") != "0"


def jit(function: Function, **more: Any) -> Function:
    """``function`` compiled on first call, without the interpreter lock; ``more`` goes to the compiler."""
    if not compiling():
        return function
    import numba  # here, so that plain Python needs no compiler

    checked = os.environ.get("AUDITOR_BOUNDSCHECK") == "1"
    return cast(Function, numba.njit(error_model="numpy", nogil=True, boundscheck=checked, **more)(function))


def small(function: Function) -> Function:
    """``jit`` for a function that is less work than a call of it."""
    return jit(function, forceinline=True)

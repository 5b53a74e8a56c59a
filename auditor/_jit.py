"""The one place that compiles. Set ``AUDITOR_COMPILE=0`` to run the same source as plain Python (to debug or
to measure coverage), ``AUDITOR_BOUNDSCHECK=1`` to have compiled code check its array indices.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """``function`` compiled on first call, without the interpreter lock; both switches are read here, when
    the module that defines it is imported.
    """
    if os.environ.get("AUDITOR_COMPILE") == "0":
        return function
    import numba  # here, so that plain Python needs no compiler

    checked = os.environ.get("AUDITOR_BOUNDSCHECK") == "1"
    return cast(Function, numba.njit(error_model="numpy", nogil=True, boundscheck=checked)(function))

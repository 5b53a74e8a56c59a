"""The one place that compiles. Set ``AUDITOR_COMPILE=0`` to run the same source as plain Python (to debug or
to measure coverage), ``AUDITOR_BOUNDSCHECK=1`` to have compiled code check its array indices. Both are read
where a module defines what it compiles, when it is imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def compiling() -> bool:
    return os.environ.get("AUDITOR_COMPILE") != "0"


class Lazy:
    """What stands for a compiled function until it is called or compiled into another.

    Only then is the compiler imported: to load what has been compiled and kept takes a fraction of that.
    """

    def __init__(self, function: Callable[..., Any], make: Callable[[Callable[..., Any]], Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._make = make

    @cached_property
    def compiled(self) -> Any:
        return self._make(self.py_func)

    def __call__(self, *given: Any) -> Any:
        return self.compiled(*given)

    @property
    def _numba_type_(self) -> Any:  # how numba asks what an object is to compiled code
        from numba.core.registry import cpu_target

        known = cpu_target.typing_context
        compiled = self.compiled
        known.refresh()
        return known.resolve_value_type(compiled)


def jit(function: Function, **more: Any) -> Function:
    """``function`` compiled on first call, without the interpreter lock; ``more`` goes to the compiler."""
    if not compiling():
        return function
    options = {"error_model": "numpy", "nogil": True, **more}
    options["boundscheck"] = os.environ.get("AUDITOR_BOUNDSCHECK") == "1"

    def make(plain: Callable[..., Any]) -> Any:
        import numba

        return numba.njit(**options)(plain)

    return cast(Function, Lazy(function, make))


def small(function: Function) -> Function:
    """``jit`` for a function that is less work than a call of it."""
    return jit(function, forceinline=True)

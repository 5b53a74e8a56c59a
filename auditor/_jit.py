"""The one place that compiles. Set ``AUDITOR_COMPILE=0``, or numba's own ``NUMBA_DISABLE_JIT=1``, to run the
same source as plain Python (to debug or to measure coverage), ``AUDITOR_BOUNDSCHECK=1`` to have compiled code
check its array indices. All are read where a module defines what it compiles, when it is imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, update_wrapper
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def compiling() -> bool:
    """Whether there is a compiler: nobody has told us, or numba, to do without."""
    disabled = os.environ.get("NUMBA_DISABLE_JIT", "") not in ("", "0")
    return os.environ.get("AUDITOR_COMPILE") != "0" and not disabled


_plain = ContextVar("plain", default=False)


@contextmanager
def plainly() -> Iterator[None]:
    """In the block, and only in its thread, what stands for a compiled function is called as plain Python."""
    token = _plain.set(True)
    try:
        yield
    finally:
        _plain.reset(token)


class Lazy:
    """What stands for a compiled function until it is called or compiled into another.

    Only then is the compiler imported: to load what has been compiled and kept takes a fraction of that.
    """

    def __init__(self, function: Callable[..., Any], make: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._make = make

    @cached_property
    def outer(self) -> Any:
        """The function for Python to call."""
        return self._make(self.py_func)

    @cached_property
    def inner(self) -> Any:
        """The function for compiled code to call: what Python needs to call it would be made for nothing."""
        return self._make(self.py_func, no_cpython_wrapper=True, no_cfunc_wrapper=True)

    def __call__(self, *given: Any, **named: Any) -> Any:
        return (self.py_func if _plain.get() else self.outer)(*given, **named)

    @property
    def _numba_type_(self) -> Any:  # how numba asks what an object is to compiled code
        from numba.core.registry import cpu_target

        known = cpu_target.typing_context
        inner = self.inner
        known.refresh()
        return known.resolve_value_type(inner)


def jit(function: Function, **more: Any) -> Function:
    """``function`` compiled on first call, without the interpreter lock; ``more`` goes to the compiler."""
    if not compiling():
        return function
    options: dict[str, Any] = {"error_model": "numpy", "nogil": True, **more}
    options["boundscheck"] = os.environ.get("AUDITOR_BOUNDSCHECK") == "1"

    def make(plain: Callable[..., Any], **wrappers: Any) -> Any:
        import numba

        return numba.njit(**options, **wrappers)(plain)

    return cast(Function, Lazy(function, make))


def small(function: Function) -> Function:
    """``jit`` for a function that is less work than a call of it."""
    return jit(function, forceinline=True)

"""Masks of seats and cards: how many bits, and which is the lowest or highest.

Each is one instruction of the machine; as plain Python the integer's own methods say the same.
"""

from __future__ import annotations

from typing import Any

from auditor._jit import Lazy, compiling, small


def _instruction(plain: Any, emit: Any) -> Any:
    if not compiling():
        return plain

    def make(_: Any, **wrappers: bool) -> Any:
        from llvmlite import ir
        from numba import types
        from numba.extending import intrinsic

        @intrinsic
        def instruction(typing, mask):
            defined = ir.Constant(ir.IntType(1), 0)  # an empty mask has 64 zeros
            return types.int64(types.int64), lambda context, build, signature, given: emit(
                build, given[0], defined
            )

        return instruction

    return Lazy(plain, make)


_ones = _instruction(
    lambda mask: int(mask).bit_count(),
    lambda build, mask, defined: build.ctpop(mask),
)
_zeros_below = _instruction(
    lambda mask: (int(mask) & -int(mask)).bit_length() - 1,
    lambda build, mask, defined: build.cttz(mask, defined),
)
_zeros_above = _instruction(
    lambda mask: 64 - int(mask).bit_length(),
    lambda build, mask, defined: build.ctlz(mask, defined),
)


@small
def count_bits(mask):
    """Number of bits set."""
    return _ones(mask)


@small
def lowest_bit(mask):
    """Index of the lowest bit set; -1 for an empty mask."""
    return _zeros_below(mask) if mask else -1


@small
def highest_bit(mask):
    """Index of the highest bit set; -1 for an empty mask."""
    return 63 - _zeros_above(mask)

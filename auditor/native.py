"""Machine code of a function: made once with the compiler, and loaded without it in a fraction of the time.

What goes in are whole numbers and arrays, what comes out are whole numbers. Compiled code borrows the arrays
and knows nothing of Python: all that it could want of the compiler's own library is left out here, and a
function that wants more is refused.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import numpy.typing as npt

from auditor._jit import jit

_ENTRY = "entry"
_FREE = "NRT_MemInfo_call_dtor"
"""What compiled code calls to free an array that nobody holds any more, which one that is lent never is."""
_OF_C = {"memcpy", "memmove", "memset"}


@dataclass(frozen=True)
class Argument:
    """A whole number, or an array of ``items`` with so many dimensions, its items in a row."""

    name: str
    items: npt.DTypeLike = np.int64
    dimensions: int = 1

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of what is handed over: the number, or where the array is and its lengths."""
        return (self.name, *(f"{self.name}_{axis}" for axis in range(self.dimensions)))


@dataclass(frozen=True)
class Signature:
    """What a function takes, and how many whole numbers it gives back."""

    arguments: Sequence[Argument]
    answers: int


def machine() -> str:
    """The processor that code is made for, in words."""
    return f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def machine_code(function: Any, signature: Signature) -> bytes:
    """The object file of ``function``, which ``_jit.jit`` has been given; made by the compiler."""
    from numba import types

    pointers = {argument.name for argument in signature.arguments if argument.dimensions} | {"answer"}
    parts = ["answer", *(part for argument in signature.arguments for part in argument.parts)]
    entry = jit(_entry(function, signature)).inner
    entry.compile(tuple(types.voidptr if part in pointers else types.int64 for part in parts))
    ((signed, text),) = entry.inspect_llvm().items()
    module = llvm.parse_assembly(text)
    made = module.get_function(entry.overloads[signed].fndesc.llvm_func_name)
    # By numba's convention the places of the answer and of an error come first.
    if len(list(made.arguments)) != 2 + len(parts):
        raise TypeError("this version of numba hands arguments over in another way")
    made.name = _ENTRY
    if any(wanted.name == _FREE for wanted in module.functions):
        module.link_in(llvm.parse_assembly(f"define void @{_FREE}(ptr %array) {{\n  ret void\n}}"))
    wanted = {each.name for each in module.functions if each.is_declaration} - _OF_C
    if wanted := {name for name in wanted if not name.startswith("llvm.")}:
        raise TypeError(f"the function cannot stand alone: it calls {', '.join(sorted(wanted))}")
    target = llvm.Target.from_triple(module.triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True
    )
    _see_as_one(module, target)
    code: bytes = target.emit_object(module)
    return code


def _see_as_one(module: llvm.ModuleRef, target: llvm.TargetMachine) -> None:
    """Let the compiler make what it can of a program of which only the entry is called from outside; numba
    had it look at one function after the other. A tenth faster, the second time less than the first."""
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name != _ENTRY:
            each.linkage = "internal"
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=3))
    for _ in range(2):
        passes = llvm.create_new_module_pass_manager()
        passes.add_ipsccp_pass()
        passes.add_dead_arg_elimination_pass()
        passes.add_argument_promotion_pass()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(module, builder)
        builder.getModulePassManager().run(module, builder)


def _entry(function: Any, signature: Signature) -> Any:
    """``function`` as one that is given addresses and lengths, and writes its answers to an address."""
    from numba.np.numpy_support import carray

    parts = ", ".join(part for argument in signature.arguments for part in argument.parts)
    given = (
        f"carray({each.name}, ({', '.join(each.parts[1:])},), {each.name}_items)"
        if each.dimensions
        else each.name
        for each in signature.arguments
    )
    lines = [f"def entry(answer, {parts}):", f"    found = function({', '.join(given)})"]
    lines.append(f"    answers = carray(answer, ({signature.answers},), int64)")
    lines += [f"    answers[{index}] = found[{index}]" for index in range(signature.answers)]
    scope: dict[str, Any] = {f"{each.name}_items": np.dtype(each.items) for each in signature.arguments}
    scope |= {"function": function, "carray": carray, "int64": np.int64}
    exec("\n".join(lines), scope)
    return scope["entry"]


class Native:
    """A function as machine code, called from Python without the interpreter lock."""

    def __init__(self, code: bytes, signature: Signature) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple().create_target_machine()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)  # holds the code
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        # Where numba's own answer, which is none, an error and the answers go.
        kinds: list[Any] = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
        for argument in signature.arguments:
            kinds += [ctypes.c_void_p] if argument.dimensions else []
            kinds += [ctypes.c_int64] * max(argument.dimensions, 1)
        self._function = ctypes.CFUNCTYPE(ctypes.c_int, *kinds)(self._engine.get_function_address(_ENTRY))
        self._signature = signature

    def __call__(self, *given: Any) -> tuple[int, ...]:
        answers = np.zeros(self._signature.answers, np.int64)
        parts = [answers.ctypes.data]
        for argument, value in zip(self._signature.arguments, given, strict=True):
            if argument.dimensions:
                # Compiled code takes this on trust.
                fits = value.dtype == argument.items and value.ndim == argument.dimensions
                if not (fits and value.flags.c_contiguous and value.flags.aligned):
                    raise TypeError(f"{argument.name} is no array that compiled code can read")
                parts += [value.ctypes.data, *value.shape]
            else:
                parts.append(value)
        nothing, error = ctypes.c_void_p(), ctypes.c_void_p()
        if self._function(ctypes.addressof(nothing), ctypes.addressof(error), *parts):
            raise IndexError("compiled code was stopped: an index lies outside of its array")
        return tuple(answers.tolist())

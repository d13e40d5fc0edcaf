"""Digests of kernels: what a compiled kernel depends on, and nothing else.

A kernel's machine code follows from its own bytecode, from the constants that it names, from the options of its
decorator, and from those of every kernel that it calls, in whatever file. numba looks at the file of the kernel alone.
Bytecode holds neither comments nor docstrings nor line numbers, so that changing these compiles nothing anew; the
version of Python, on which it depends, is part of the name of the cache folder (rooms.py).
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
import types
from collections.abc import Callable, Iterator
from typing import cast

import numpy as np

_CONSTANT_OPCODES = frozenset(dis.hasconst)
_SCALARS = (bool, int, float, complex, str, bytes, type(None), np.generic)
_OURS = "engine"
_COMPILERS = ("builtins", "numba", "numpy")  # whose versions are part of the name of the cache folder

Function = Callable[..., object]  # a kernel, or a plain function


def kernel_digest(kernel: Function) -> str:
    """Name what the machine code of a kernel depends on: sixteen hexadecimal digits.

    Raises TypeError where the kernel names something that has no stable content, such as a dictionary.
    """
    total = hashlib.sha256()
    for part in sorted(_own_digest(each) for each in _reached(kernel)):
        total.update(part)
    return total.hexdigest()[:16]


def _reached(kernel: Function) -> set[Function]:
    """`kernel` and all that it reaches; a circle of calls ends by itself."""
    found, waiting = {kernel}, [kernel]
    while waiting:
        named = _named(_plain(waiting.pop()))
        new = {each for _, value in named for each in _functions_in(value)} - found
        found |= new
        waiting.extend(new)
    return found


def _functions_in(value: object) -> Iterator[Function]:
    """The kernels and plain functions of the engine that a value is, or holds."""
    if isinstance(value, tuple):
        for each in value:
            yield from _functions_in(each)
    elif _as_function(value) is not None:
        yield cast(Function, value)


def _own_digest(kernel: Function) -> bytes:
    """Digest a kernel and the options of its decorator, which may be set until it is first compiled."""
    options = repr(sorted(getattr(kernel, "targetoptions", {}).items()))
    return hashlib.sha256(_function_digest(_plain(kernel)) + options.encode()).digest()


def _plain(kernel: Function) -> types.FunctionType:
    return cast(types.FunctionType, getattr(kernel, "py_func", kernel))


@functools.cache
def _function_digest(function: types.FunctionType) -> bytes:
    defaults = function.__defaults__, tuple(sorted((function.__kwdefaults__ or {}).items()))
    content = [function.__module__, function.__qualname__, _content(defaults)]
    content += [_code_content(code) for code in _codes(function.__code__)]
    content += [f"{name}={_content(value)}" for name, value in _named(function)]
    return hashlib.sha256("\n".join(content).encode("utf-8", "surrogatepass")).digest()


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function and of the functions, loops and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _code_content(code: types.CodeType) -> str:
    """The instructions with their constants in place of the constants' numbers, which a docstring would shift."""
    constants, raw, extended = [], bytearray(code.co_code), 0
    for place in range(0, len(raw), 2):
        opcode, number = raw[place], raw[place + 1] | extended
        extended = 0
        if opcode == dis.EXTENDED_ARG:
            extended = number << 8
        elif opcode in _CONSTANT_OPCODES:
            constant = code.co_consts[number]
            constants.append("code" if isinstance(constant, types.CodeType) else _content(constant))
            raw[place + 1] = 0
    counts = code.co_argcount, code.co_kwonlyargcount, code.co_flags
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return f"{raw.hex()} {constants} {counts} {names} {getattr(code, 'co_exceptiontable', b'').hex()}"


def _named(function: types.FunctionType) -> Iterator[tuple[str, object]]:
    """Each global or enclosed name that the code of a function reads, and its value; names of builtins are left out."""
    for code in _codes(function.__code__):
        for name in code.co_names:
            if name in function.__globals__:
                value = function.__globals__[name]
                yield name, value
                if isinstance(value, types.ModuleType) and value.__name__.split(".")[0] == _OURS:
                    yield from (
                        (f"{name}.{each}", getattr(value, each)) for each in code.co_names if hasattr(value, each)
                    )
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _as_function(value: object) -> types.FunctionType | None:
    """The Python function of a kernel or of a plain function of the engine; None for anything else."""
    function: object = getattr(value, "py_func", value)
    return function if isinstance(function, types.FunctionType) and _is_ours(function.__module__) else None


def _is_ours(module: str | None) -> bool:
    return (module or "").split(".")[0] == _OURS


def _content(value: object) -> str:
    """Return a text that identifies a value in every process."""
    function = _as_function(value)
    if function is not None:  # its own content is digested apart
        return f"{function.__module__}.{function.__qualname__}"
    match value:
        case enum.Enum():
            return f"{type(value).__qualname__}.{value.name}={value.value!r}"
        case np.ndarray():
            layout = f"{value.dtype!r}{value.shape}{value.strides}"
            return f"{layout}{hashlib.sha256(value.tobytes()).hexdigest()}"
        case tuple():
            return f"{type(value).__qualname__}({','.join(map(_content, value))})"
        case slice():
            return f"slice{_content((value.start, value.stop, value.step))}"
        case types.ModuleType():
            return value.__name__
        case type() if issubclass(value, enum.Enum):
            members = tuple((name, each.value) for name, each in value.__members__.items())
            return f"{value.__module__}.{value.__qualname__}{_content(members)}"
        case type() if issubclass(value, tuple) or value.__module__.split(".")[0] in _COMPILERS:
            return f"{value.__module__}.{value.__qualname__}{getattr(value, '_fields', '')}"
        case types.FunctionType() | types.BuiltinFunctionType():
            return f"{value.__module__}.{value.__qualname__}"
        case np.dtype() | np.ufunc():
            return repr(value)
        case _ if isinstance(value, _SCALARS):
            return f"{type(value).__name__}:{value!r}"
    raise TypeError(
        f"a kernel names {value!r}, of {type(value)}, which cannot be distinguished from another of its kind"
    )

"""Kernels that are compiled when they are first called, not with the kernels that call them.

A call of such a kernel goes through a stub, as calls between shared libraries do: machine code that jumps to the
address in a cell, and while there is none asks Python to compile, or load, the kernel. What a branch needs that is
taken by few documents is so compiled for these alone. The types of its arguments are those that callers have, the type
that it returns is read from its annotation.

If it cannot be compiled, the reason is logged and the call raises RuntimeError.
"""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import funcdesc, registry, types, typing

_typing: Any = typing
_ir: Any = ir
_log = logging.getLogger(__name__)
_RETURNED: dict[str, Any] = {
    "None": types.none,
    "bool": types.boolean,
    "float": types.float64,
    "int": types.int64,
}
_RAISED = -1  # the status of a call that has set a Python exception
_WORD = _ir.IntType(64)
_Compile = ctypes.CFUNCTYPE(None)


class Stub(NamedTuple):
    """A stub: how callers' types see it, and what has to live as long as its code."""

    signature: Any
    key: object  # by which numba finds how it is called
    description: Any
    cell: ctypes.c_uint64
    kept: tuple[Any, ...]


def returned(function: Callable[..., object]) -> Any:
    """The type that a lazily compiled kernel returns, by its annotation."""
    name = function.__annotations__["return"]
    return _RETURNED[name if isinstance(name, str) else "None" if name is None else name.__name__]


def make_stub(symbol: str, name: str, returns: Any, arguments: tuple[Any, ...], compile: Callable[[], int]) -> Stub:
    """Make machine code that is called by `symbol` and goes on to the address that `compile` returns, asked once."""
    context = registry.cpu_target.target_context
    cell = ctypes.c_uint64(0)

    def fill() -> None:
        try:
            cell.value = compile()
        except Exception:
            _log.exception("kernel %s cannot be compiled", name)

    callback = _Compile(fill)
    library = context.codegen().create_library(symbol)
    library.add_ir_module(_module(library, context, symbol, name, returns, arguments, cell, callback))
    library.finalize()
    module, _, qualname = name.rpartition(".")
    description = funcdesc.FunctionDescriptor(
        native=True,
        modname=module,
        qualname=qualname,
        unique_name=name,
        doc="",
        typemap=None,
        restype=returns,
        calltypes=None,
        args=[f"arg{number}" for number in range(len(arguments))],
        kws=None,
        mangler=lambda *_, **__: symbol,
        argtypes=arguments,
        env_name=f"{symbol}.env",
    )
    key = object()
    context.insert_user_function(key, description)
    library.get_pointer_to_function(symbol)
    return Stub(_typing.signature(returns, *arguments), key, description, cell, (library, callback, fill))


def _module(
    library: Any,
    context: Any,
    symbol: str,
    name: str,
    returns: Any,
    arguments: tuple[Any, ...],
    cell: ctypes.c_uint64,
    callback: Any,
) -> Any:
    """The stub in LLVM's language."""
    module = library.create_ir_module(symbol)
    kind = context.call_conv.get_function_type(returns, arguments)
    function = _ir.Function(module, kind, name=symbol)
    builder = _ir.IRBuilder(function.append_basic_block("entry"))
    cold, failed, bound = (function.append_basic_block(each) for each in ("cold", "failed", "bound"))
    place = builder.inttoptr(_WORD(ctypes.addressof(cell)), _WORD.as_pointer())
    there = builder.load(place)
    builder.cbranch(builder.icmp_unsigned("!=", there, _WORD(0)), bound, cold)
    builder.position_at_end(cold)
    _call(builder, _address(callback), _ir.VoidType(), [])
    made = builder.load(place)
    builder.cbranch(builder.icmp_unsigned("!=", made, _WORD(0)), bound, failed)
    builder.position_at_end(failed)
    _raise(builder, f"kernel {name} cannot be compiled; the log has the reason")
    builder.ret(kind.return_type(_RAISED))
    builder.position_at_end(bound)
    address = builder.phi(_WORD)
    address.add_incoming(there, function.entry_basic_block)
    address.add_incoming(made, cold)
    builder.ret(builder.call(builder.inttoptr(address, kind.as_pointer()), function.args, tail="tail"))
    return module


def _raise(builder: Any, text: str) -> None:
    """Set a RuntimeError; whoever calls does not hold Python's lock."""
    api, kept = ctypes.pythonapi, ctypes.create_string_buffer(text.encode())
    _texts.append(kept)
    whole = _ir.IntType(32)
    state = _call(builder, _address(api.PyGILState_Ensure), whole, [])
    error = ctypes.c_void_p.in_dll(api, "PyExc_RuntimeError").value or 0
    _call(builder, _address(api.PyErr_SetString), _ir.VoidType(), [_WORD(error), _WORD(ctypes.addressof(kept))])
    _call(builder, _address(api.PyGILState_Release), _ir.VoidType(), [state])


_texts: list[Any] = []  # which stubs refer to


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _call(builder: Any, address: int, returns: Any, arguments: list[Any]) -> Any:
    kind = _ir.FunctionType(returns, [each.type for each in arguments])
    return builder.call(builder.inttoptr(_WORD(address), kind.as_pointer()), arguments)

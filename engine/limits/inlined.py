"""Marks for small kernels that others call many times: one that is always put into its callers, one without counting.

numba counts references to arrays around each call of a kernel that the compiler leaves as a call: 20 ns a call, as much
as looking up a signed distance takes. It does so within a kernel, too, wherever it does not see that it may leave it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from engine.runtime.jit import kernel

Function = TypeVar("Function", bound=Callable[..., object])

_MOST = 0x7FFF_FFFF


def inlined(function: Function) -> Function:
    """`kernel`, without a call of its own."""
    dispatcher: Any = kernel(function)
    if dispatcher is not function:
        dispatcher.targetoptions["forceinline"] = True
    return cast(Function, dispatcher)


def borrowing(function: Function) -> Function:
    """Mark a kernel, above its decorator, that makes no arrays and keeps none, but only reads and writes those that it
    is given: their references are not counted. One that does make an array is refused by the compiler.
    """
    options: dict[str, object] | None = getattr(function, "targetoptions", None)
    if options is not None:
        options["_nrt"] = False
    return function


@borrowing
@inlined
def plain(index: int) -> int:
    """Return an index as it is; the compiler knows of it that it does not count from the end."""
    return index & _MOST

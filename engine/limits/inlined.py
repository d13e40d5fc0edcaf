"""A kernel that is always put into its callers, for small steps that kernels of this room take many times.

numba counts references to arrays around each call of a kernel that the compiler leaves as a call: 20 ns a call, as much
as looking up a signed distance takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from engine.runtime.jit import kernel

Function = TypeVar("Function", bound=Callable[..., object])


def inlined(function: Function) -> Function:
    """`kernel`, without a call of its own."""
    dispatcher: Any = kernel(function)
    if dispatcher is not function:
        dispatcher.targetoptions["forceinline"] = True
    return cast(Function, dispatcher)

"""A mark for small kernels that others call many times: one that is always put into its callers.

Most of these are `engine.runtime.borrowing`, too: without counting references.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

Function = TypeVar("Function", bound=Callable[..., object])

_MOST = 0x7FFF_FFFF


def inlined(function: Function) -> Function:
    """`kernel`, without a call of its own."""
    dispatcher: Any = kernel(function)
    if dispatcher is not function:
        dispatcher.targetoptions["forceinline"] = True
    return cast(Function, dispatcher)


@borrowing
@inlined
def plain(index: int) -> int:
    """Return an index as it is; the compiler knows of it that it does not count from the end."""
    return index & _MOST

"""A mark for kernels that many others call: references to arrays are not counted in them.

numba counts references to arrays around each call of a kernel that the compiler leaves as a call: 20 ns a call, as much
as looking up a signed distance takes. It does so within a kernel, too, wherever it does not see that it may leave it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Function = TypeVar("Function", bound=Callable[..., object])


def borrowing(function: Function) -> Function:
    """Mark a kernel, above its decorator, that makes no arrays and keeps none, but only reads and writes those that it
    is given: their references are not counted. One that does make an array is refused by the compiler.
    """
    options: dict[str, object] | None = getattr(function, "targetoptions", None)
    if options is not None:
        options["_nrt"] = False
    return function

"""A short text for an assignment whose sizes differ, in place of one that says them.

Wherever a kernel assigns an array to a slice, numba links in the code that writes both sizes into a text: 1500 LLVM
instructions, of 1700 that such a kernel came to, and two seconds of processor time for the first in a process.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from numba.extending import overload

_arrays: Any = import_module("numba.np.arrayobj")


def raise_with_shape_context(src_shapes: object, index_shape: object) -> None:
    """Stands for what numba calls by that name, which no Python code does."""
    raise NotImplementedError


@overload(raise_with_shape_context)
def _raise_shortly(src_shapes: object, index_shape: object) -> Callable[[object, object], None]:
    def compiled(src_shapes: object, index_shape: object) -> None:
        raise ValueError("cannot assign an array to a slice of another size")

    return compiled


def shorten_errors() -> None:
    """Have numba raise the short one."""
    _arrays.raise_with_shape_context = raise_with_shape_context

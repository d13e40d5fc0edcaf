"""Rehearsals: work done by kernels as plain Python, to learn which of them Python calls, and with which types.

So a process knows within a fifth of a second what work will have compiled, and may begin at its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from engine.runtime.dispatch import KernelDispatcher


class Call(NamedTuple):
    """A kernel, and the types that Python calls it with."""

    kernel: Any
    arguments: tuple[Any, ...]

    def compile(self) -> None:
        """Compile or load it."""
        self.kernel.compile(self.arguments)


def rehearse(work: Callable[[], object]) -> tuple[Call, ...]:
    """Do work without compiling anything, in a process that does nothing else meanwhile; the calls of kernels that it
    makes, each once, by their first."""
    found = dict[Call, None]()
    depth = 0

    def call(kernel: Any, *arguments: Any) -> Any:
        nonlocal depth
        if depth == 0:
            found.setdefault(Call(kernel, tuple(map(kernel.typeof_pyval, arguments))))
        depth += 1
        try:
            return kernel.py_func(*arguments)
        finally:
            depth -= 1

    dispatcher: Any = KernelDispatcher
    dispatcher.__call__ = call
    try:
        with np.errstate(all="ignore"):  # as kernels do
            work()
    finally:
        del dispatcher.__call__
    return tuple(found)

"""A guard for tests: with SINEW_GUARD_KERNELS=1 a kernel raises that is called on a forbidden thread, or that wrote
into an array which may only be read. Off, it costs nothing. It looks at the arrays that are arguments of a call from
Python, not at those in tuples, nor at calls from kernel to kernel.

The choice is made when a kernel is decorated, so the variable must be set before the kernels' modules are imported.
Arrays are compared around the first calls of a kernel and ever more rarely then: one compared at every call would take
a millisecond for the field of a joint limit, which is a thousand times what its lookup takes.
"""

import os
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import EngineError

_ALWAYS = 8  # calls around which arrays are compared; then around the 16th, the 32nd and so on

_forbidden: set[int] = set()


class WrittenArray(EngineError):
    """A kernel wrote into an array that may only be read."""

    def __init__(self, *, kernel: str, argument: int) -> None:
        super().__init__(f"kernel {kernel!r} wrote into its argument {argument}, which may only be read")
        self.kernel, self.argument = kernel, argument


class ForbiddenThread(EngineError):
    """A kernel was called on a thread that must stay free, such as the window's."""

    def __init__(self, *, kernel: str, thread: str) -> None:
        super().__init__(f"kernel {kernel!r} was called on thread {thread!r}; allowed: the engine thread")
        self.kernel, self.thread = kernel, thread


@contextmanager
def forbid_kernels_on(thread: threading.Thread) -> Iterator[None]:
    """Make guarded kernels refuse to run on `thread` while open."""
    number = thread.ident
    if number is None:
        raise ValueError("thread has not started")
    _forbidden.add(number)
    try:
        yield
    finally:
        _forbidden.discard(number)


def guarded(dispatcher: Any) -> Any:
    """Return the dispatcher itself, or one that checks the calling thread where the guard is on."""
    if os.environ.get("SINEW_GUARD_KERNELS") == "1":
        dispatcher.__class__ = _guarded_class(type(dispatcher))
    return dispatcher


def _guarded_class(base: Any) -> Any:
    def call(self: Any, *arguments: Any) -> Any:
        if threading.get_ident() in _forbidden:
            raise ForbiddenThread(kernel=self.py_func.__qualname__, thread=threading.current_thread().name)
        calls = self.__dict__["guarded_calls"] = self.__dict__.get("guarded_calls", 0) + 1
        looked_at = calls <= _ALWAYS or calls & (calls - 1) == 0
        before = _read_only(arguments) if looked_at else {}
        answer = base.__call__(self, *arguments)
        for place, checksum in before.items():
            if _checksum(arguments[place]) != checksum:
                raise WrittenArray(kernel=self.py_func.__qualname__, argument=place)
        return answer

    return type("Guarded" + base.__name__, (base,), {"__call__": call})


def _read_only(arguments: tuple[Any, ...]) -> dict[int, int]:
    """A checksum of each argument that may only be read, by its place."""
    return {
        place: _checksum(each)
        for place, each in enumerate(arguments)
        if isinstance(each, np.ndarray) and not each.flags.writeable
    }


def _checksum(array: NDArray[Any]) -> int:
    return zlib.crc32(np.ascontiguousarray(array).data)

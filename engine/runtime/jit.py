"""The kernel decorators, the only way to numba in the engine. Importing this module imports numba.

Both release the GIL, compile on the first call with a new signature and keep the result on disk (kernel_cache.py),
except for functions made inside functions and those outside the engine's rooms.
Division follows numpy (a zero gives inf or nan, found later by `Diverged`) so that loops vectorise; there is no
`fastmath`: results must not differ between machines. With NUMBA_DISABLE_JIT=1 the plain functions run.

Who may call: the window's thread never calls a kernel, and `parallel_kernel` is for the engine thread alone. Tests can
make the first rule bite: see guard.py. Another thread in a parallel kernel waits for its turn, since two at once in
numba's work queue end the process.
"""

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from importlib import import_module
from threading import Lock
from typing import Any, TypeVar, cast

import numba
from numba import prange

from engine.runtime.blas import import_without_blas
from engine.runtime.dispatch import KernelDispatcher
from engine.runtime.guard import guarded
from engine.runtime.kernel_cache import KernelCache
from engine.runtime.rooms import room_of

__all__ = ["compile_now", "entered_kernel", "kernel", "lazy_kernel", "parallel_kernel", "prange"]

Function = TypeVar("Function", bound=Callable[..., object])

import_without_blas()
_parallel: Any = import_module("numba.np.ufunc.parallel")
_parallel._backend_init_process_lock = nullcontext()  # to watch a lock that nobody shares, Python 3.14 starts a process
_config: Any = numba.config
_turn = Lock()


def kernel(function: Function) -> Function:
    """Compile `function` for one thread."""
    return _compiled(function, parallel=False)


def lazy_kernel(function: Function) -> Function:
    """Compile `function` for one thread when it is first called, not with the kernels that call it.

    For branches that few documents take. It returns None, a bool, a float or an int, as its annotation says.
    """
    compiled: Any = kernel(function)
    if compiled is not function:
        compiled.is_lazy = True
    return cast(Function, compiled)


def entered_kernel(function: Function) -> Function:
    """Compile `function` for one thread, always with an entry from Python: kernels and Python call it.

    Else it would be compiled once for kernels and again as Python calls it.
    """
    compiled: Any = kernel(function)
    if compiled is not function:
        compiled.is_called_by_both = True
    return cast(Function, compiled)


def compile_now(kernels: Iterable[Callable[..., object]]) -> None:
    """Compile or load lazy kernels for all that call them and is loaded itself."""
    for each in kernels:
        if not _config.DISABLE_JIT:
            cast(Any, each).fill_stubs()


def parallel_kernel(function: Function) -> Function:
    """Compile `function` with `prange` loops spread over the cores: coarse blocks only, no sums, engine thread only."""
    return _in_turn(_compiled(function, parallel=True))


def _in_turn(function: Function) -> Function:
    """Let one thread at a time enter a function."""
    kind: Any = type(function)
    if _config.DISABLE_JIT:
        return function

    def call(self: Any, *arguments: Any) -> Any:
        with _turn:
            return kind.__call__(self, *arguments)

    function.__class__ = type(kind.__name__, (kind,), {"__call__": call})
    return function


def _compiled(function: Function, *, parallel: bool) -> Function:
    if _config.DISABLE_JIT:
        return function
    options = {"nopython": True, "nogil": True, "parallel": parallel, "error_model": "numpy", "boundscheck": None}
    dispatcher: Any = guarded(KernelDispatcher(function, targetoptions=options))
    if room_of(function.__module__) is not None and "<locals>" not in function.__qualname__:
        dispatcher._cache = KernelCache(dispatcher)
    return cast(Function, dispatcher)

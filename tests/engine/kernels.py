"""The kernels of the engine, as tests look for them."""

from __future__ import annotations

import inspect
from typing import Any


def kernels_of(*rooms: str) -> list[Any]:
    """The dispatchers of the kernels of rooms, in the modules imported so far; none without the compiler."""
    import sys

    from engine.runtime.dispatch import KernelDispatcher
    from engine.runtime.rooms import room_of

    found = {}
    for module in [each for name, each in sorted(sys.modules.items()) if name.startswith("engine.")]:
        for value in vars(module).values():
            if isinstance(value, KernelDispatcher) and room_of(value.py_func.__module__) in rooms:
                found[id(value)] = value
    return list(found.values())


SOURCE = "from typing import Any\n" + inspect.getsource(kernels_of)  # for programs that run where there are no tests

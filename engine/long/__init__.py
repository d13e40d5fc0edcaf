"""Jobs: generators that the worker steps, or that a child process runs to the end.

`JOBS` lists those that a child process can run, by name. Each takes its arguments as a mapping, yields messages (see
engine/runtime/child.py) and returns its result. Importing this package loads no kernel and no numba.
"""

from collections.abc import Callable, Generator, Mapping
from typing import cast

from engine.long import bake, bake_stage, bind_skin, read_fbx, ship_kernels, warm_up
from engine.runtime.child import Json, Message
from engine.systems import load, systems

__all__ = ["JOBS", "ChildFunction"]

ChildFunction = Callable[[Mapping[str, Json]], Generator[Message, None, Json]]


def _loaded(text: str) -> ChildFunction:
    """A job of a system, which is loaded when it is run."""
    return lambda arguments: cast(ChildFunction, load(text))(arguments)


JOBS: dict[str, ChildFunction] = {
    "warm_up": warm_up.warm_up,
    "bind_skin": bind_skin.bind_skin,
    "read_fbx": read_fbx.read_fbx,
    "bake": bake.bake,
    "bake_stage": bake_stage.bake_stage,
    "ship_kernels": ship_kernels.ship_kernels,
    **{name: _loaded(text) for system in systems() for name, text in (system.long or {}).items()},
}

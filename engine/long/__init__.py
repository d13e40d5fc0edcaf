"""Jobs: generators that the worker steps, or that a child process runs to the end.

`JOBS` lists those that a child process can run, by name. Each takes its arguments as a mapping, yields messages (see
engine/runtime/child.py) and returns its result. Importing this package loads none of them: a child that reads an FBX
file starts sooner without the document that others work on.
"""

from collections.abc import Callable, Generator, Mapping
from typing import cast

from engine.runtime.child import Json, Message
from engine.systems import load, systems

__all__ = ["JOBS", "ChildFunction"]

ChildFunction = Callable[[Mapping[str, Json]], Generator[Message, None, Json]]


def _loaded(text: str) -> ChildFunction:
    """Give a job that is loaded when it is run."""
    return lambda arguments: cast(ChildFunction, load(text))(arguments)


# Each in the module of its name.
_OWN = (
    "warm_up", "warm_ahead", "bind_skin", "read_fbx", "bake", "bake_stage", "search_stage", "ship_kernels", "pieces",
)  # fmt: skip

JOBS: dict[str, ChildFunction] = {
    **{name: _loaded(f"engine.long.{name}:{name}") for name in _OWN},
    "sweep": _loaded("engine.sweeps.job:sweep"),
    **{name: _loaded(text) for system in systems() for name, text in (system.long or {}).items()},
}

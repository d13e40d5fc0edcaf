"""warm_up: compile every room's kernels ahead of their first use, in the order in which a person needs them.

Each room with kernels offers a `warm()` that calls each of them once with the types of real work and yields its name. A
stamp beside the compiled kernels lists them, so that the next start asks `is_warm` and skips the work.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Generator, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.runtime.errors import InvalidArguments
from engine.runtime.folders import PART, kernel_folder, writable_cache, write_whole
from engine.runtime.rooms import ROOMS

if TYPE_CHECKING:
    from engine.runtime.child import Json, Message


class Warm(NamedTuple):
    """A room, the module that warms it, and what its kernels are for, in a person's words."""

    room: str
    module: str
    purpose: str


WARM = (
    Warm("model", "engine.model.warm", "posing"),
    Warm("motion", "engine.motion.warm", "motion"),
    Warm("ik", "engine.ik.warm", "posing by hand"),
    Warm("formats", "engine.formats.warm", "reading files"),
    Warm("limits", "engine.limits.warm", "joint limits"),
    Warm("dynamics", "engine.dynamics.warm", "dynamics"),
    Warm("kinodynamics", "engine.kinodynamics.warm", "secondary motion"),
)

_STAMP = "warm.json"
_FOLDERS_KEPT = 4
_DAYS_KEPT = 30


def is_warm(room: str) -> bool:
    """True when warming `room` would gain nothing: its kernels are on disk, or cannot be kept there. Loads no numba."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return True
    folder = kernel_folder(room)
    if folder is None:
        return True
    try:
        stamp = json.loads((folder / _STAMP).read_text(encoding="utf-8"))
        return bool(stamp) and all((folder / name).stat().st_size == size for name, size in stamp.items())
    except (OSError, ValueError, AttributeError):
        return False


def warm_up(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Compile what is cold; yields progress and {"ready": room} after each room, returns the rooms that it compiled."""
    if arguments:
        raise InvalidArguments(what="the arguments of warm_up", value=dict(arguments), allowed="none")
    compiled = []
    for place, entry in enumerate(WARM):
        if not is_warm(entry.room):
            number = f" ({place + 1} of {len(WARM)})" if len(WARM) > 1 else ""
            for share in _warm_room(entry):
                yield {"progress": (place + share) / len(WARM), "text": f"Preparing {entry.purpose}{number}…"}
            compiled.append(entry.room)
        yield {"progress": (place + 1) / len(WARM), "ready": entry.room}
    _prune()
    return compiled


def _warm_room(entry: Warm) -> Iterator[float]:
    """The share that is done, before the first kernel and after each; at the end the stamp."""
    yield 0.0
    module = import_module(entry.module)
    from engine.runtime.jit import kernels_of

    count = max(1, len(kernels_of(entry.room)))
    for done, _ in enumerate(module.warm(), start=1):
        yield min(done / count, 1.0)
    _write_stamp(entry.room)


def _write_stamp(room: str) -> None:
    folder = kernel_folder(room)
    if folder is None:
        return
    sizes = {path.name: path.stat().st_size for path in sorted(folder.glob("*.kernel"))}
    with contextlib.suppress(OSError):
        write_whole(folder / _STAMP, json.dumps(sizes).encode())


def _prune() -> None:
    """Drop the kernels of old sources: of each room the newest few stay, none for over a month; and stray parts."""
    root = writable_cache()
    if root is None or not (root / "kernels").is_dir():
        return
    oldest = time.time() - _DAYS_KEPT * 86400
    for room in ROOMS:
        current = kernel_folder(room)
        others = [path for path in (root / "kernels").glob(f"{room}-*") if path != current]
        others.sort(key=_changed, reverse=True)
        for place, folder in enumerate(others, start=1):
            if place >= _FOLDERS_KEPT or _changed(folder) < oldest:
                shutil.rmtree(folder, ignore_errors=True)
    for part in (root / "kernels").glob(f"*/*{PART}"):
        if _changed(part) < time.time() - 3600:
            part.unlink(missing_ok=True)


def _changed(path: Path) -> float:
    """Time of the last change [s since 1970]; long ago if the path has gone meanwhile."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0

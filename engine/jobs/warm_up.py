"""warm_up: compile kernels ahead of their first use, by purpose, in the order in which a person needs them.

Each purpose has functions that do its work in small. When one is done, a stamp beside the compiled kernels lists those
that it used; it is named by the purpose and the text of the whole engine, so that the next start asks `is_warm` and
skips the work. Where the text has changed, all is gone through again, and only what a change reaches is compiled.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import shutil
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.runtime.errors import InvalidArguments
from engine.runtime.folders import PART, kernel_folder, shipped_kernels, writable_cache, write_whole
from engine.runtime.rooms import sources_digest

if TYPE_CHECKING:
    from engine.runtime.child import Json, Message


class Warm(NamedTuple):
    """A purpose of kernels in a person's words, the functions that use them, and how long their steps compile."""

    name: str
    purpose: str
    functions: tuple[tuple[str, str], ...]  # module, name
    seconds: Mapping[str, float]  # of each step, beside the others; measured by `python -m engine job warm_up`

    @property
    def total(self) -> float:
        """Of all steps."""
        return sum(self.seconds.values())


_WARMING = "engine.jobs.warming"
WARM = (
    Warm("posing", "posing by hand", ((_WARMING, "warm_posing"),), {"pictures": 3.0, "drags": 9.0}),
    Warm("playing", "keys and playing", ((_WARMING, "warm_playing"),), {"keys": 8.0}),
    Warm("locks", "locks", ((_WARMING, "warm_locks"),), {"held": 3.0, "drags with locks": 2.0}),
    Warm("motion", "work on motions", (("engine.motion.warm", "warm"), ("engine.model.warm", "warm")), {}),
    Warm("methods", "other methods", (("engine.ik.warm", "warm"),), {}),
    Warm("files", "reading files", (("engine.formats.warm", "warm"),), {}),
    Warm("limits", "joint limits", (("engine.limits.warm", "warm"),), {}),
    Warm("dynamics", "dynamics", (("engine.dynamics.warm", "warm"),), {}),
    Warm("secondary", "secondary motion", (("engine.kinodynamics.warm", "warm"),), {}),
)

_DAYS_KEPT = 30


def is_warm(name: str) -> bool:
    """Whether warming would gain nothing: the kernels are on disk, or cannot be kept there. Loads no numba."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0" or kernel_folder() is None:
        return True
    folders = [folder for folder in (shipped_kernels(), kernel_folder()) if folder is not None]
    return any(_is_whole(_stamp(folder, name), folders) for folder in folders)


def warm_up(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Compile what is cold; yields progress and {"ready": name} after each purpose, returns those that it warmed."""
    if arguments:
        raise InvalidArguments(what="the arguments of warm_up", value=dict(arguments), allowed="none")
    gc.disable()  # a compiler makes millions of objects that stay
    cold = [entry for entry in WARM if not is_warm(entry.name)]
    total, done = sum(entry.total for entry in cold), 0.0
    for entry in WARM:
        if entry in cold:
            number = f" ({cold.index(entry) + 1} of {len(cold)})" if len(cold) > 1 else ""
            for seconds in _warm(entry):
                yield {"progress": (done + seconds) / total, "text": f"Preparing {entry.purpose}{number}…"}
            done += entry.total
        yield {"progress": done / total if cold else 1.0, "ready": entry.name}
    _prune()
    return [entry.name for entry in cold]


def _warm(entry: Warm) -> Iterator[float]:
    """What of the seconds is done, before the first step and after each; at the end the stamp."""
    from engine.runtime.kernel_cache import used_files

    yield 0.0
    done = 0.0
    for module, function in entry.functions:
        for step in getattr(import_module(module), function)():
            done += entry.seconds.get(step, 0.0)
            yield done
    folder = kernel_folder()
    if folder is not None:
        with contextlib.suppress(OSError):
            sizes = {path.name: path.stat().st_size for path in sorted(used_files)}
            write_whole(_stamp(folder, entry.name), json.dumps(sizes).encode())


def _is_whole(stamp: Path, folders: Sequence[Path]) -> bool:
    """Whether a stamp is there, and so is all that it lists."""
    try:
        sizes = json.loads(stamp.read_text(encoding="utf-8"))
        return bool(sizes) and all(_size(folders, name) == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False


def _size(folders: Sequence[Path], name: str) -> int | None:
    for folder in folders:
        with contextlib.suppress(OSError):
            return (folder / name).stat().st_size
    return None


def _stamp(folder: Path, name: str) -> Path:
    return folder / f"{name}-{sources_digest()}.warm"


def _prune() -> None:
    """Drop what was not used for a month: kernels, stamps, folders of other compilers; and stray parts."""
    root = writable_cache()
    if root is None or not (root / "kernels").is_dir():
        return
    oldest = time.time() - _DAYS_KEPT * 86400
    for folder in (root / "kernels").iterdir():
        for path in folder.iterdir() if folder.is_dir() else ():
            if _changed(path) < (time.time() - 3600 if path.suffix == PART else oldest):
                with contextlib.suppress(OSError):
                    path.unlink()
        if folder != kernel_folder() and _changed(folder) < oldest:
            shutil.rmtree(folder, ignore_errors=True)


def _changed(path: Path) -> float:
    """Time of the last change [s since 1970]; long ago if the path has gone meanwhile."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0

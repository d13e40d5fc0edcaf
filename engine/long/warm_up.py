"""warm_up: compile kernels ahead of their first use, by purpose, in the order in which a person needs them.

Each purpose has functions that do its work in small. When one is done, a stamp beside the compiled kernels lists those
that the process has used so far, for a purpose uses what those before it have loaded; where one of them is damaged,
those after it are gone through too, which takes two seconds where nothing is compiled. The stamp is named by the
purpose, the text of the whole engine and the processor, so that the next start asks `is_warm` and skips the work. Where
these have changed, all is gone through again, and only what a change reaches is compiled.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.runtime.errors import InvalidArguments, UnwritableFile
from engine.runtime.folders import PART, kernel_folder, shipped_kernels, touch_daily, writable_cache, write_whole
from engine.runtime.places import CACHE
from engine.runtime.processor import processor_digest
from engine.runtime.rooms import sources_digest
from engine.systems import systems

if TYPE_CHECKING:
    from engine.runtime.child import Json, Message

_WARMING = "engine.long.warming"


class Warm(NamedTuple):
    """A purpose of kernels in a person's words, the functions that use them, and how long their steps compile."""

    name: str
    purpose: str
    functions: tuple[tuple[str, str], ...]  # module, name
    seconds: Mapping[str, float]  # of each step, beside the others
    examples: tuple[tuple[str, str, str | None], ...] = ()  # as `engine.systems.Kernels` has them

    @property
    def total(self) -> float:
        """The seconds of all steps."""
        return sum(self.seconds.values())

    def steps(self) -> Iterator[str]:
        """Use the kernels; yields the name of each step that is done."""
        for module, function in self.functions:
            yield from getattr(import_module(module), function)()
        if self.examples:
            yield from import_module(_WARMING).warm_examples(self.examples)


_GENERAL = (
    Warm(
        "posing",
        "posing by hand",
        ((_WARMING, "warm_posing"),),
        {"pictures": 2.0, "linear skins": 0.4, "drags": 9.0},
    ),
    Warm(
        "playing",
        "keys and playing",
        ((_WARMING, "warm_playing"), ("engine.motion.warm", "warm_keys")),
        {"keys": 6.6, "evaluate_curve": 0.1, "pack_path": 0.9, "measure_speeds": 0.1},
    ),
    Warm(
        "driven",
        "driven coordinates",
        ((_WARMING, "warm_driven"),),
        {"driven": 0.8},
    ),
    Warm(
        "motion",
        "work on motions",
        (("engine.motion.warm", "warm"), ("engine.model.warm", "warm")),
        {
            "apply_layer": 0.1,
            "evaluate_bells": 0.2,
            "choose_triples": 0.5,
            "run_sections": 0.2,
            "mark_spikes": 0.3,
            "reduce_column": 1.8,
            "solve_poses": 3.4,
            "compute_forward_kinematics": 0.1,
            "write_transforms": 0.1,
            "skin_linear": 0.1,
            "skin_dual": 0.1,
            "number_some": 0.3,
            "mark_seen": 0.4,
        },
    ),
    Warm(
        "methods",
        "other methods",
        (("engine.ik.warm", "warm"),),
        {
            "levenberg": 0.1,
            "dogleg": 2.0,
            "conjugate": 1.1,
            "gradient": 0.5,
            "transpose": 0.4,
            "transpose_by_model": 0.1,
            "euler": 0.3,
            "runge_kutta": 0.5,
            "ccd": 4.3,
            "inverse": 1.3,
            "damped": 0.1,
            "rows": 0.1,
            "maintain": 6.5,
        },
    ),
    Warm(
        "files",
        "reading files",
        (("engine.formats.warm", "warm"),),
        {"scan_rows": 0.5, "find_ears": 0.6},
    ),
    Warm(
        "limits",
        "joint limits",
        (("engine.limits.warm", "warm"), ("engine.ik.warm", "warm_regions")),
        {
            "samples": 5.4,
            "box": 0.1,
            "cone": 2.2,
            "polygon": 0.1,
            "mesh": 1.0,
            "line": 0.2,
            "wrapping": 0.1,
            "brush": 0.4,
            "projection": 1.4,
            "regions": 5.4,
        },
    ),
)


def _with_systems(general: Sequence[Warm]) -> tuple[Warm, ...]:
    """Insert the kernels of systems among the others, each where a person needs it."""
    found = list(general)
    for kernels in (each.kernels for each in systems() if each.kernels is not None):
        places = [place for place, each in enumerate(found) if each.name == kernels.before]
        functions = tuple((module, name) for module, _, name in (each.partition(":") for each in kernels.functions))
        warm = Warm(kernels.name, kernels.purpose, functions, kernels.seconds, kernels.examples)
        found.insert(places[0] if places else len(found), warm)
    return tuple(found)


WARM = _with_systems(_GENERAL)
_DAYS_KEPT = 30


def compiles() -> bool:
    """Tell whether kernels are compiled at all, and not run as plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


def is_warm(name: str) -> bool:
    """Tell whether warming would gain nothing: the kernels are on disk, or cannot be kept there. Loads no numba."""
    if not compiles() or kernel_folder() is None:
        return True
    folders = [folder for folder in (shipped_kernels(), kernel_folder()) if folder is not None]
    return any(_is_whole(_stamp(folder, name), folders) for folder in folders)


def not_whole_in(folder: Path) -> list[str]:
    """The purposes of which a folder by itself lacks kernels."""
    return [entry.name for entry in WARM if not _is_whole(_stamp(folder, entry.name), [folder])]


def warm_up(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Compile what is cold; yields progress and {"ready": name} after each purpose, returns those that it warmed.

    Raises UnwritableFile after the first purpose of which nothing could be kept: to go on would gain nothing.
    """
    if arguments:
        raise InvalidArguments(what="the arguments of warm_up", value=dict(arguments), allowed="none")
    cold = [entry for entry in WARM if not is_warm(entry.name)]
    total, done = sum(entry.total for entry in cold), 0.0
    with without_collecting():
        for entry in WARM:
            if entry in cold:
                number = f" ({cold.index(entry) + 1} of {len(cold)})" if len(cold) > 1 else ""
                for seconds in warm(entry):
                    yield {"progress": (done + seconds) / total, "text": f"Preparing {entry.purpose}{number}…"}
                done += entry.total
            yield {"progress": done / total if cold else 1.0, "ready": entry.name}
    _prune()
    return [entry.name for entry in cold]


@contextlib.contextmanager
def without_collecting() -> Iterator[None]:
    """Leave out the search for garbage: a compiler makes millions of objects that stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def warm(entry: Warm) -> Iterator[float]:
    """Compile or load the kernels of a purpose and write its stamp; yields what of its seconds is done, from 0 on."""
    from engine.runtime.kernel_cache import used_files

    kept_before = len(used_files.kept)
    yield 0.0
    done = 0.0
    for step in entry.steps():
        done += entry.seconds[step]
        yield done
    folder = kernel_folder()
    if folder is None:
        return
    try:
        sizes = {path.name: path.stat().st_size for path in sorted(used_files.all)}
        write_whole(_stamp(folder, entry.name), json.dumps(sizes).encode())
    except OSError as problem:
        if len(used_files.kept) == kept_before:
            found = next(iter(used_files.lost.values()), problem.strerror or str(problem))
            remedy = f"Until files can be kept there, or in another folder that {CACHE.variable} names, kernels are "
            raise UnwritableFile(path=folder, found=found, remedy=f"{remedy}compiled at each start.") from problem


def _is_whole(stamp: Path, folders: Sequence[Path]) -> bool:
    """Tell whether a stamp is there with all files that it lists; marks these as in use, unless they are shipped."""
    try:
        sizes = json.loads(stamp.read_text(encoding="utf-8"))
        whole = bool(sizes) and all(_has(folders, name, size) for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False
    if whole and stamp.parent != shipped_kernels() and touch_daily(stamp):
        for name in sizes:
            touch_daily(stamp.with_name(name))
    return whole


def _has(folders: Sequence[Path], name: str, size: int) -> bool:
    for folder in folders:
        with contextlib.suppress(OSError):
            if (folder / name).stat().st_size == size:
                return True
    return False


def _stamp(folder: Path, name: str) -> Path:
    return folder / f"{name}-{sources_digest()}-{processor_digest()}.warm"


def _prune() -> None:
    """Drop kernels and stamps that were not used for a month, of other compilers too, and stray parts."""
    root = writable_cache()
    if root is None or not (root / "kernels").is_dir():
        return
    oldest = time.time() - _DAYS_KEPT * 86400
    with contextlib.suppress(OSError):
        for folder in (root / "kernels").iterdir():
            _prune_folder(folder, oldest)


def _prune_folder(folder: Path, oldest: float) -> None:
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if _changed(path) < (time.time() - 3600 if path.suffix == PART else oldest):
                with contextlib.suppress(OSError):
                    path.unlink()
        if folder != kernel_folder():
            folder.rmdir()  # which fails while there is anything in it


def _changed(path: Path) -> float:
    """Time of the last change [s since 1970]; long ago if the path has gone meanwhile."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0

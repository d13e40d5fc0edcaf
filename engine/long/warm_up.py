"""warm_up: compile kernels ahead of their first use, by purpose, in the order in which a person needs them.

Each purpose has functions that do its work in small. When one is done, a stamp beside the compiled kernels lists those
that the process has used so far, for a purpose uses what those before it have loaded; where one of them is damaged,
those after it are gone through too, which takes two seconds where nothing is compiled. The stamp is named by the
purpose, the text of the whole engine and the processor, so that the next start asks `is_warm` and skips the work. Where
these have changed, all is gone through again, and only what a change reaches is compiled.

What is waited for comes first: the child takes lines {"first": [purposes]} from its parent, and gives way to them
before the next kernel that Python calls. A purpose that gave way begins anew later, and finds what it had compiled.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.runtime.claims import can_share, sharing
from engine.runtime.errors import InvalidArguments, UnwritableFile
from engine.runtime.folders import PART, kernel_folder, shipped_kernels, touch_daily, writable_cache, write_whole
from engine.runtime.giving_way import GaveWay, giving_way
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
    ahead: str = ""  # work of it as "module:name", whose kernels a second process compiles from the last one on

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
        ahead=f"{_WARMING}:rehearse_drag",
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
            "samples": 7.8,
            "box": 0.1,
            "cone": 3.2,
            "polygon": 0.1,
            "mesh": 1.4,
            "line": 0.3,
            "wrapping": 0.1,
            "brush": 0.6,
            "projection": 2.0,
            "regions": 7.8,
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


def in_order(names: Iterable[str], first: Sequence[str] = ()) -> tuple[str, ...]:
    """Sort purposes as they are prepared: posing, without which nothing is shown, then those that are waited for, then
    the others as a person needs them."""
    wanted = set(names)
    table = [entry.name for entry in WARM]
    return tuple(name for name in dict.fromkeys((*table[:1], *first, *table)) if name in wanted)


class PurposeQueue:
    """Purposes that are to be warmed, of which those come first that are asked for meanwhile."""

    def __init__(self, names: Iterable[str], asked: Callable[[], Iterable[Sequence[str]]]) -> None:
        """`asked` gives what was asked to come first since it was last called, the newest last."""
        self.left, self._asked = in_order(names), asked
        self.front = self.left[0] if self.left else ""  # what is being warmed

    def is_other_first(self) -> bool:
        """Take what was asked for; tell whether something else now comes before what is being warmed."""
        for first in self._asked():
            self.left = in_order(self.left, first)
        return bool(self.left) and self.left[0] != self.front

    def go_on(self) -> bool:
        """Turn to what comes first; False if nothing is left."""
        self.is_other_first()
        self.front = self.left[0] if self.left else ""
        return bool(self.left)

    def end_front(self) -> None:
        """Take out what is being warmed: it is ready."""
        self.left = tuple(name for name in self.left if name != self.front)


def warm_up(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Compile what is cold; yields progress and {"ready": name} after each purpose, returns those that it warmed.

    Raises UnwritableFile after the first purpose of which nothing could be kept: to go on would gain nothing.
    """
    if arguments:
        raise InvalidArguments(what="the arguments of warm_up", value=dict(arguments), allowed="none")
    return (yield from warm_cold(helped=True))


def warm_cold(*, helped: bool) -> Generator[Message, None, Json]:
    """Do what `warm_up` does; `helped`: by a second process where there is a core for it."""
    entries = {entry.name: entry for entry in WARM if not is_warm(entry.name)}
    for entry in WARM:
        if entry.name not in entries:
            yield {"progress": 0.0 if entries else 1.0, "ready": entry.name}
    with without_collecting():
        yield from _warm_in_turn(entries, PurposeQueue(entries, _asked_by_parent), _helped if helped else _alone)
    _prune()
    return list(entries)


def _warm_in_turn(
    entries: Mapping[str, Warm], queue: PurposeQueue, way: Callable[[Warm], AbstractContextManager[None]]
) -> Iterator[Message]:
    """Warm purposes, each again from its beginning where it gave way to another."""
    total, ready = sum(entry.total for entry in entries.values()), 0
    done = dict.fromkeys(entries, 0.0)  # [s] of what they take
    while queue.go_on():
        entry = entries[queue.front]
        number = f" ({ready + 1} of {len(entries)})" if len(entries) > 1 else ""
        text = f"Preparing {entry.purpose}{number}…"
        with contextlib.suppress(GaveWay), way(entry):
            for seconds in _giving_way(warm(entry), queue):
                done[entry.name] = max(done[entry.name], seconds)
                yield {"progress": min(sum(done.values()) / total, 1.0), "text": text, "purpose": entry.name}
            ready += 1
            done[entry.name] = entry.total
            queue.end_front()
            yield {"progress": min(sum(done.values()) / total, 1.0), "ready": entry.name}


def _alone(_: Warm) -> AbstractContextManager[None]:
    """Have one process compile a purpose."""
    return contextlib.nullcontext()


@contextlib.contextmanager
def _helped(entry: Warm) -> Iterator[None]:
    """Have a second process compile a purpose from its end meanwhile, if it says what that is."""
    if not (entry.ahead and can_share()):
        yield
        return
    from engine.runtime.child import ChildJob

    try:
        helper = ChildJob("warm_ahead", {"purpose": entry.name}, on_message=lambda _: None)
    except OSError:  # no more processes, or no memory
        yield
        return
    try:
        with sharing():
            yield
    finally:
        helper.cancel()
        helper.wait()


def _giving_way(steps: Iterator[float], queue: PurposeQueue) -> Iterator[float]:
    """Take steps, and none of whoever asks for them: raises GaveWay where another purpose is wanted first."""
    while True:
        with giving_way(queue.is_other_first):
            seconds = next(steps, None)
        if seconds is None:
            return
        yield seconds


def _asked_by_parent() -> Iterator[Sequence[str]]:
    """Give what the window waits for, each time that it wrote so."""
    from engine.long.parent import lines_so_far

    for line in lines_so_far():
        with contextlib.suppress(ValueError, AttributeError):
            first = json.loads(line).get("first")
            if isinstance(first, list):
                yield tuple(map(str, first))


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

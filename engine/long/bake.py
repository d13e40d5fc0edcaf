"""bake: frames of a scene are worked out ahead and kept on the disk, where the window reads them while a motion plays.

Runs in a process of its own (`python -m engine job bake`) or as `python -m engine bake PROJECT`. What an earlier bake
holds and no edit has touched since is taken over. A bake that is ended goes on where it was the next time.
Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.extent import play_extent
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, Rate, frame_time, ticks_per_frame
from engine.runtime.child import Json, Message
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluate.baked import Baked
    from engine.evaluate.picture_cache import PictureCache

ARGUMENTS = ("scene", "project", "first", "last", "rate")
MOST = 200_000  # frames of one bake


@dataclass(frozen=True, eq=False)
class BakesFound:
    """The bakes of the open document that are there now."""

    files: tuple[Path, ...]


@dataclass(frozen=True)
class BakeEnd:
    """The result of a bake."""

    path: Path
    frames: int  # that were requested
    made: int  # of them, that were worked out now

    @property
    def text(self) -> str:
        """The result, for a person."""
        return f"{self.path}: {self.frames} frames, {self.made} of them worked out now"


def bake(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Bake frames from `first` to `last` [ticks], so many a second (`rate`: two numbers), of the document in the file
    `scene`, for the project at `project` (null: it has no file yet)."""
    if set(arguments) != set(ARGUMENTS):
        raise InvalidArguments(what="the arguments of bake", value=sorted(arguments), allowed=", ".join(ARGUMENTS))
    from engine.formats import sinew

    project = arguments["project"]
    times = _times(arguments["first"], arguments["last"], arguments["rate"])
    document = sinew.read(Path(str(arguments["scene"])))
    folders = folders_for(None if project is None else Path(str(project)))
    end = yield from _shares(bake_frames(document, folders, times))
    return {"path": str(end.path), "frames": end.frames, "made": end.made}


def bake_frames(document: Document, folders: Sequence[Path], times: Sequence[int]) -> Generator[float, None, BakeEnd]:
    """Work out the frames that no bake in the folders holds, and keep them in the first that can be written to; yields
    the share that is done."""
    from engine.evaluate import baked
    from engine.evaluate.evaluator import Evaluator
    from engine.project import bakes

    size, made = baked.frame_size(document), 0
    _refuse_too_much(len(times), size)
    evaluator, inputs, before = Evaluator(), baked.inputs(document), baked.Baked()
    for folder in folders:
        bakes.prune(folder)
    try:
        for _ in before.look(document, folders):
            pass
        with bakes.writing(folders, inputs.digest, inputs.text, size) as writer:
            yield 0.0
            for done, time in enumerate(times, 1):
                if time not in writer.file.times:
                    frame = before.frame(time)
                    if frame is None:
                        frame, made = baked.frame_from(document, evaluator.rows(document, time)), made + 1
                    writer.append(time, frame)
                yield done / len(times)
            path = writer.file.path
            bakes.prune(path.parent)
    finally:
        before.close()
    return BakeEnd(path, len(times), made)


def is_dear(document: Document) -> bool:
    """Tell whether a frame takes long enough to be worth baking: locks are kept, bodies swing or are simulated."""
    dear = (actor.is_constrained or actor.swings or actor.parts for actor in document.actors)
    return bool(document.parts) or any(dear)


def frame_times(first: int, last: int, rate: Rate) -> list[int]:
    """The ticks of all frames from one tick to another."""
    length = ticks_per_frame(rate)
    return [frame_time(frame, rate) for frame in range(int(-(-first // length)), int(last // length) + 1)]


def folders_for(project: Path | None) -> tuple[Path, ...]:
    """List the folders of the bakes of a project, or of a document that has no file yet."""
    from engine.project.bakes import folders_of
    from engine.runtime.folders import writable_cache

    return folders_of(project, writable_cache())


def find_bakes(
    pictures: PictureCache, document: Document, project: Path | None
) -> Generator[BakesFound | None, None, None]:
    """Have pictures read what was baked of the open document, and what has come since; on the engine's thread."""
    pictures.baked.follow(document)
    yield from pictures.baked.look(document, folders_for(project))
    yield BakesFound(pictures.baked.files_with(_beside(project)))


def remove_bakes(baked: Baked, project: Path | None) -> Generator[BakesFound, None, None]:
    """Take all bakes of a project off the disk, and those of the open document elsewhere: none of another one."""
    from engine.project import bakes

    files = baked.files
    baked.close()
    for path in files:
        bakes.remove_bake(path)
    if project is not None:
        bakes.remove_bakes(bakes.beside(project))
    yield BakesFound(())


def bake_project(
    project: Path, *, start: float | None = None, end: float | None = None, rate: Rate | None = None
) -> BakeEnd:
    """Bake a project, from one time to another [s]: what is played, in its own frames, where nothing else is said."""
    from engine.formats import sinew
    from engine.long.percent import Percent
    from engine.queries.naming import ticks_of

    document = sinew.read(project)
    first, last = play_extent(document)
    first = first if start is None else ticks_of(start, "the start of a bake")
    last = last if end is None else ticks_of(end, "the end of a bake")
    times = _times(first, last, list(rate or document.rate))
    tell, steps = Percent("baking"), bake_frames(document, folders_for(project), times)
    while True:
        try:
            tell(next(steps))
        except StopIteration as stop:
            result: BakeEnd = stop.value
            return result


def _beside(project: Path | None) -> Path | None:
    from engine.project.bakes import beside

    return None if project is None else beside(project)


def _times(first: Json, last: Json, rate: Json) -> list[int]:
    """List the requested frames; refused where there are none, or too many."""
    whole = isinstance(first, int) and isinstance(last, int) and max(abs(first), abs(last)) <= TICKS_LIMIT
    if not whole or not (isinstance(rate, list) and len(rate) == 2 and all(type(n) is int and n > 0 for n in rate)):
        allowed = "whole ticks from `first` to `last`, and a rate of two whole numbers above 0"
        raise InvalidArguments(what="the frames of a bake", value=[first, last, rate], allowed=allowed)
    assert isinstance(first, int), "looked at above"
    assert isinstance(last, int), "likewise"
    pace = (int(str(rate[0])), int(str(rate[1])))
    count = (last - first) / ticks_per_frame(pace)
    if not 0 <= count < MOST:
        span = f"{first / TICKS_PER_SECOND:g} s to {last / TICKS_PER_SECOND:g} s"
        allowed = f"a start before the end, and at most {MOST} frames: bake it in several stretches"
        raise InvalidArguments(what="the span of a bake", value=span, allowed=allowed)
    return frame_times(first, last, pace)


def _refuse_too_much(count: int, size: int) -> None:
    from engine.project.bakes import MOST_BYTES

    if size == 0:
        raise InvalidArguments(what="the scene of a bake", value="no actor", allowed="at least one actor")
    if count * size > MOST_BYTES:
        most = MOST_BYTES // size
        raise InvalidArguments(what="the length of a bake", value=f"{count} frames", allowed=f"at most {most} of this")


def _shares(steps: Generator[float, None, BakeEnd]) -> Generator[Message, None, BakeEnd]:
    """A message for each hundredth that is done."""
    percent = -1
    while True:
        try:
            share = next(steps)
        except StopIteration as stop:
            end: BakeEnd = stop.value
            return end
        if int(100 * share) > percent:
            percent = int(100 * share)
            yield {"progress": share, "text": "Baking what is played"}

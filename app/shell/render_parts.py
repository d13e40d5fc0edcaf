"""Parts of a video, drawn by several processes or a cluster: blocks of frames, joined in their order by the one that
encodes.

A frame alone is the same frame in a sequence, to the byte, so that the file is the same whoever draws. The pixels of a
part lie beside the file until their turn comes: in a hidden folder, or, where a render is to be gone on with, in one
that stays until the video is whole (`app.shell.kept_parts`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from app.shell.encoding import export_frames
from app.shell.kept_parts import Block, KeptParts, key_of
from engine.document import Document
from engine.document.parts import encode
from engine.long.cluster import NoCluster
from engine.long.percent import say
from engine.long.pieces import PieceRunner, Task
from engine.project import disk
from engine.project.own_folder import own_folder
from engine.runtime.child import Json
from engine.runtime.errors import EngineError

if TYPE_CHECKING:
    from app.export.drawing import Frame
    from app.export.plan import Plan

MAKE = "app.shell.render_worker:begin"
PART = 6  # frames: few enough that none waits long for its turn, and enough that asking for them costs nothing
_NOT_DRAWN = ("out", "replace", "workers", "scheduler", "parts", "sound")  # of a request, what no pixel depends on


class PartStore(Protocol):
    """The place of parts until their turn comes."""

    @property
    def there(self) -> set[int]:
        """Places of the blocks that are drawn."""

    def take(self, place: int, result: Json) -> None:
        """Have a part that has come."""

    def frames(self, place: int) -> Iterator[Frame]:
        """The frames of a part."""


class ScratchParts:
    """Parts in a hidden folder, one file for each frame, which the processes of this machine write themselves."""

    def __init__(self, folder: Path, blocks: Sequence[Block]) -> None:
        self.folder, self.there = folder, set[int]()
        self._blocks = blocks

    def take(self, place: int, result: Json) -> None:
        """Have a part that has come."""
        self.there.add(place)

    def frames(self, place: int) -> Iterator[Frame]:
        """The frames of a part; each file goes as it is read."""
        for number in range(*self._blocks[place]):
            path = frame_path(self.folder, number)
            yield path.read_bytes()
            path.unlink()


def render_in_parts(
    plan: Plan, document: Document, request: Mapping[str, object], pieces: PieceRunner, *, keeps: bool, replace: bool
) -> None:
    """Draw and encode a plan piece by piece; `request`: the fields of its `RenderRequest`. `keeps`: what is drawn stays
    until the video is whole, that of another video only without `replace`."""
    blocks = [(first, min(first + PART, plan.count)) for first in range(0, plan.count, PART)]
    shared = {"document": encode(document), "request": {**request, "out": str(plan.out)}, "folder": None}
    if not keeps:
        with own_folder(plan.out) as folder:
            scratch = ScratchParts(folder, blocks)
            frames = drawn_in_parts(pieces, cast(Json, {**shared, "folder": str(folder)}), blocks, scratch)
            export_frames(plan, frames)
        return
    wanted = {name: value for name, value in request.items() if name not in _NOT_DRAWN}
    (width, height), key = plan.frame_size, key_of(document.digest, plan.frame_size, wanted)
    kept = KeptParts(plan.out, key, blocks, 4 * width * height)
    kept.begin(replace=replace)
    try:
        export_frames(plan, drawn_in_parts(pieces, cast(Json, shared), blocks, kept))
    except EngineError as problem:
        if not kept.text:
            raise
        what = "" if isinstance(problem, NoCluster) else ". What is drawn is kept, run it again to go on"
        raise EngineError(f"{str(problem).rstrip('.')}{what} ({kept.text})") from problem
    except KeyboardInterrupt:
        if kept.text:
            say(f"what is drawn is kept, run it again to go on ({kept.text})")
        raise
    else:
        kept.there.clear()
    finally:
        if not kept.there:
            kept.remove()


def drawn_in_parts(
    pieces: PieceRunner, shared: Json, blocks: Sequence[Block], store: PartStore
) -> Generator[Frame, None, None]:
    """All frames in their order; those that the store does not have are drawn."""
    todo = [place for place in range(len(blocks)) if place not in store.there]
    with closing(pieces.run(Task(MAKE, shared), [list(blocks[place]) for place in todo])) as doing:
        for place in range(len(blocks)):
            while place not in store.there:
                done = next(doing)
                if done.problem:
                    first, end = blocks[todo[done.place]]
                    raise EngineError(f"frames {first + 1} to {end} are missing: {done.problem}")
                store.take(todo[done.place], done.result)
            yield from store.frames(place)


def frame_path(folder: Path, number: int) -> Path:
    """The file of a frame's pixels."""
    return folder / f"{number}.rgba"


def write_frame(folder: Path, number: int, pixels: Frame) -> None:
    """Write a frame's pixels where the process that encodes looks for them."""
    path = frame_path(folder, number)
    try:
        disk.present().write(path, bytes(pixels))
    except OSError as error:
        raise disk.unwritable(folder, error, at_work=False) from error

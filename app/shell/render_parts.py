"""Parts of a video, drawn by several processes: blocks of frames, joined in their order by the one that encodes.

A frame alone is the same frame in a sequence, to the byte, so that the file is the same whoever draws. The pixels of a
part lie in a hidden folder beside the file until their turn comes.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from engine.document import Document
from engine.document.parts import encode
from engine.long.pieces import Cores, Task
from engine.project.own_folder import own_folder
from engine.runtime.child import Json
from engine.runtime.errors import EngineError

if TYPE_CHECKING:
    from app.export.drawing import Frame

MAKE = "app.shell.render_worker:begin"
PART = 6  # frames: few enough that none waits long for its turn, and enough that asking for them costs nothing


def drawn_in_parts(
    document: Document, request: Mapping[str, object], out: Path, count: int, workers: int
) -> Generator[Frame, None, None]:
    """All frames of a request, its fields by name, in their order, drawn by so many processes."""
    blocks = [(first, min(first + PART, count)) for first in range(0, count, PART)]
    told = {**request, "out": str(out)}
    with own_folder(out) as folder:
        shared = {"document": encode(document), "request": told, "folder": str(folder)}
        pieces = Cores(workers).run(Task(MAKE, cast(Json, shared)), [list(each) for each in blocks])
        here, turn = set[int](), 0
        try:
            for done in pieces:
                if done.problem:
                    raise EngineError(done.problem)
                here.add(done.place)
                while turn in here:
                    for number in range(*blocks[turn]):
                        path = frame_path(folder, number)
                        yield path.read_bytes()
                        path.unlink()
                    turn += 1
        finally:
            pieces.close()


def frame_path(folder: Path, number: int) -> Path:
    """The file of a frame's pixels."""
    return folder / f"{number}.rgba"

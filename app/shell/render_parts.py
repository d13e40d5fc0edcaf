"""Parts of a video, drawn by several processes: blocks of frames, joined in their order by the one that encodes.

A frame alone is the same frame in a sequence, to the byte, so that the file is the same whoever draws. The pixels of a
part lie in a hidden folder beside the file until their turn comes.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from engine.document import Document
from engine.document.part_reader import decode
from engine.document.parts import encode
from engine.long.pieces import Cores, Task, Work
from engine.project.own_folder import own_folder
from engine.runtime.child import Json
from engine.runtime.errors import EngineError, InvalidDocument

if TYPE_CHECKING:
    from app.export.drawing import Frame
    from app.shell.render import RenderRequest

MAKE = "app.shell.render_parts:begin"
PART = 6  # frames: few enough that none waits long for its turn, and enough that asking for them costs nothing


def drawn_in_parts(document: Document, request: RenderRequest, count: int) -> Generator[Frame, None, None]:
    """All frames of a request, in their order, drawn by so many processes."""
    blocks = [(first, min(first + PART, count)) for first in range(0, count, PART)]
    told = {**asdict(request), "out": str(request.out)}
    with own_folder(request.out) as folder:
        shared = {"document": encode(document), "request": told, "folder": str(folder)}
        pieces = Cores(request.workers).run(Task(MAKE, cast(Json, shared)), [list(each) for each in blocks])
        here, turn = set[int](), 0
        try:
            for done in pieces:
                if done.problem:
                    raise EngineError(done.problem)
                here.add(done.place)
                while turn in here:
                    for number in range(*blocks[turn]):
                        path = _path(folder, number)
                        yield path.read_bytes()
                        path.unlink()
                    turn += 1
        finally:
            pieces.close()


def begin(shared: Json) -> Work:
    """The function that draws a block of frames into the folder."""
    from app.export.drawing import Drawing
    from app.scene.picture import Picture
    from app.shell.render import open_surface, plan_of
    from engine.evaluate.evaluator import Evaluator
    from engine.queries.stills import Stills
    from engine.runtime.progress import finish

    told = cast(dict[str, Any], shared)
    document, folder = decode(told["document"]), Path(told["folder"])
    if not isinstance(document, Document):
        raise InvalidDocument(what="what is rendered", value=type(document).__name__, allowed="a Document")
    application, surface = open_surface()
    evaluator = Evaluator()
    plan = plan_of(_request(told["request"]), document, evaluator)
    stills = Stills(evaluator, plan.wanted)
    drawing: list[Drawing] = []  # made where the surface is current

    def work(piece: Json) -> Json:
        first, end = cast(list[int], piece)
        with surface.current():
            if not drawing:
                drawing.append(Drawing(plan, Picture()))
            for number in range(first, end):
                *_, found = filter(None, stills.answer((plan.time(number),)))
                _path(folder, number).write_bytes(finish(drawing[0].frame(found[0], number)))
        return application.applicationName()

    return work


def _request(told: Mapping[str, Any]) -> RenderRequest:
    """A request as it was before it was JSON."""
    from app.shell.render import RenderRequest

    values: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in told.items()}
    return RenderRequest(**{**values, "out": Path(values["out"])})


def _path(folder: Path, number: int) -> Path:
    return folder / f"{number}.rgba"

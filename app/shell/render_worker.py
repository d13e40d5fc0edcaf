"""The side of a process that draws blocks of frames of a video for another one: `app.shell.render_parts`.

It is a child of that one, and writes them into a folder; or a worker elsewhere, and sends them packed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from app.export.drawing import Drawing, Frame
from app.scene.gl import names
from app.scene.picture import Picture
from app.shell.kept_parts import packed
from app.shell.render import RenderRequest, open_surface, plan_of
from app.shell.render_parts import MAKE, write_frame
from engine.document import Document
from engine.document.part_reader import decode
from engine.evaluate.evaluator import Evaluator
from engine.long.own_process import OwnProcess
from engine.long.pieces import Task, Work
from engine.queries.stills import Stills
from engine.runtime.child import Json
from engine.runtime.errors import InvalidDocument
from engine.runtime.progress import finish


def begin(shared: Json) -> Work:
    """The function that draws a block of frames."""
    if threading.current_thread() is not threading.main_thread():  # of a cluster's worker
        return OwnProcess(Task(MAKE, shared))
    told = cast(dict[str, Any], shared)
    document, folder = decode(told["document"]), told["folder"]
    if not isinstance(document, Document):
        raise InvalidDocument(what="what is rendered", value=type(document).__name__, allowed="a Document")
    application, surface = open_surface()
    evaluator = Evaluator()
    plan = plan_of(_request(told["request"]), document, evaluator)
    stills = Stills(evaluator, plan.wanted)
    drawing: list[Drawing] = []  # made where the surface is current

    def drawn(first: int, end: int) -> Iterator[Frame]:
        for number in range(first, end):
            *_, found = filter(None, stills.answer((plan.time(number),)))
            yield finish(drawing[0].frame(found[0], number))

    def work(piece: Json) -> Json:
        first, end = cast(list[int], piece)
        with surface.current():
            if not drawing:
                drawing.append(Drawing(plan, Picture()))
            if folder is None:
                return packed(drawn(first, end), ", ".join(names()[1:]))
            for number, frame in enumerate(drawn(first, end), first):
                write_frame(Path(folder), number, frame)
        return application.applicationName()

    return work


def _request(told: Mapping[str, Any]) -> RenderRequest:
    """A request as it was before it was JSON."""
    values: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in told.items()}
    return RenderRequest(**(values | {"out": Path(values["out"])}))

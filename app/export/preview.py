"""Preview: one frame of a plan, drawn small off the screen; only the newest request is answered."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage

from app.export.plan import Plan
from app.export.surface import OffscreenSurface, QtSurface
from app.session.engine_link import describe
from app.session.live_query import LiveQuery, Question
from engine.queries.stills import Still, Stills
from engine.runtime.errors import EngineError
from engine.runtime.progress import finish
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene.picture import Picture
    from app.session import Session

KEY = "export-preview"  # of the worker
LARGEST = 960  # [px] of a side, of which a smaller picture is made: that smooths it


class FramePreview(QObject):
    """Draws requested frames with the window's own session. Its maker closes it."""

    drawn = Signal(object)  # QImage
    refused = Signal(str)  # why there is none

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._request: tuple[Plan, int] | None = None
        self._source: Stills | None = None
        self._surface: OffscreenSurface | None = None
        self._picture: Picture | None = None
        self._query = LiveQuery(self, session.engine, KEY, self._take, refuse=self._refuse, late=False)
        session.engine.state_changed.connect(self._ask)

    def show(self, plan: Plan, number: int) -> None:
        """Draw this frame of a plan."""
        self._request = small(plan), number
        self._ask()

    def close(self) -> None:
        """Draw nothing more, and free everything."""
        self._request = None
        self._query.stop()
        if self._surface is not None:
            self._surface.close()
        self._surface = self._picture = None

    def _ask(self, *_: object) -> None:
        evaluator, request = self._session.engine.evaluator, self._request
        if request is None or evaluator is None or not self._session.engine_state.ready:
            return  # asked again when the engine is ready
        plan, number = request
        source = Stills(evaluator, plan.wanted)
        time = plan.time(number)

        def job() -> Generator[_Answer | None, None, None]:
            try:
                for found in source.answer((time,)):
                    yield None if found is None else _Answer(request, found[0])
            except EngineError as problem:
                yield _Answer(request, None, str(problem))

        self._query.ask(Question(work=job, document=plan.wanted.document))

    def _take(self, value: _Answer | None) -> None:
        if value is None:
            return
        if value.still is None:
            self.refused.emit(value.problem)
            return
        from app.scene.gl import Unusable

        try:
            self.drawn.emit(self._draw(*value.request, value.still))
        except (EngineError, Unusable) as problem:
            self.refused.emit(str(problem))
        except Exception as problem:  # Qt would leave the picture before it there, as if it were this one
            self._refuse(problem)

    def _refuse(self, problem: BaseException) -> None:
        self.refused.emit(describe(problem))

    def _draw(self, plan: Plan, number: int, still: Still) -> QImage:
        from app.export.drawing import Drawing
        from app.scene.picture import Picture

        surface = self._surface = self._surface or QtSurface()
        with surface.current():
            picture = self._picture = self._picture or Picture()
            pixels = finish(Drawing(plan, picture).frame(still, number))
        width, height = plan.frame_size
        kinds = QImage.Format
        kind = kinds.Format_RGBA8888 if plan.transparent else kinds.Format_RGBX8888
        return QImage(memoryview(pixels), width, height, 4 * width, kind).flipped(Qt.Orientation.Vertical)


@dataclass(frozen=True, eq=False)
class _Answer:
    """A still from the engine's thread; or why there is none."""

    request: tuple[Plan, int]
    still: Still | None
    problem: str = ""


def small(plan: Plan) -> Plan:
    """Return the plan in a size that is drawn within a moment."""
    width, height = plan.frame_size
    share = min(LARGEST / max(width, height), 1.0)
    size = max(round(width * share), 1), max(round(height * share), 1)
    return replace(plan, size=size, samples=1)

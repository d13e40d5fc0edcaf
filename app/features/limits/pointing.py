"""Pointing: a limit of three hinges on the sphere of directions that its bone may point to, and a polygon's shaping.

What the map shows is worked out on the engine's thread, and only while somebody watches. Samples that a limit was
built from are remembered, so that the polygon that it becomes is shaped over them. While a corner is dragged the limit
is on a coarse grid; letting go gives it its own, as one edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.gesture import NO_GESTURE
from app.session.live_query import LiveQuery, Question
from engine.commands.shape_limit import ShapeLimit
from engine.document import Blob
from engine.document.limit import PolygonRange, SampledRange
from engine.document.values import Vector3
from engine.queries.limit_pointing import PointingPicture, PointingPictures, PointingWanted

if TYPE_CHECKING:
    from app.features.limits.current_limit import CurrentLimit
    from app.session.session import Session

POINTING = "limit pointing"  # key of the worker
COARSE = 16  # nodes along an axis while a corner is dragged


class PointingDirections(QObject):
    """The directions in which the bone of the limit that is seen may point."""

    changed = Signal()

    def __init__(self, session: Session, current: CurrentLimit) -> None:
        super().__init__(current)
        self._session, self._current = session, current
        self._query = LiveQuery(self, session.engine, POINTING, self._take)
        self._pictures = PointingPictures()  # the engine thread's alone
        self._samples: dict[tuple[str, str], Blob] = {}  # by actor and limit
        self._gesture = NO_GESTURE
        self._shape: ShapeLimit | None = None
        self.on = False  # the map is switched on
        self.picture: PointingPicture | None = None
        for signal in (session.document_changed, session.preview_changed, current.changed, current.standing_changed):
            signal.connect(self._follow)

    @property
    def fits(self) -> bool:
        """True if the limit that is seen can be shown on a sphere: it is over three hinges of one joint."""
        owner, limit = self._current.owner, self._current.limit
        return owner is not None and limit is not None and len(limit.dofs) == 3 and not owner.figure.depends(limit)

    @property
    def shown(self) -> bool:
        """True if the limit is shown on the map."""
        return self.on and self.fits

    @property
    def busy(self) -> bool:
        """True if a corner is dragged, or its last answer is not in: the map is then newer than any document."""
        return not self._gesture.is_over

    def show(self, shown: bool) -> None:
        """See the limit on the sphere, or in its Euler space."""
        if shown != self.on:
            self.on = shown
            self._current.changed.emit()

    def shape(self, corners: Sequence[Vector3]) -> None:
        """Show the limit as another polygon would make it."""
        owner, limit = self._current.owner, self._current.limit
        if owner is None or limit is None or not isinstance(limit.range, PolygonRange):
            return
        if self._shape is not None and (owner.id, limit.id) != (self._shape.actor, self._shape.limit):
            return  # of another than the drag began on
        if self._shape is None or not self.busy:  # the last one may still be finishing
            self._gesture = self._session.begin_gesture(f"Shape limit {limit.name}")
        content = replace(limit.range, corners=tuple(corners))
        self._shape = ShapeLimit(actor=owner.id, limit=limit.id, range=content, most=COARSE)
        self._gesture.preview(self._shape)

    def end(self, *, keep: bool = True) -> None:
        """Make the polygon that is shown an edit, or drop it."""
        gesture, shape = self._gesture, self._shape
        self._shape = None
        if shape is None:
            return
        if keep:
            gesture.preview(replace(shape, most=None))
            gesture.finish()
        else:
            gesture.cancel()

    # How it is asked for

    def _follow(self, *_: object) -> None:
        current, session = self._current, self._session
        owner, limit, evaluator = current.owner, current.limit, session.engine.evaluator
        if owner is not None and limit is not None and isinstance(limit.range, SampledRange):
            self._samples[owner.id, limit.id] = limit.range.angles
        if not self.shown or not current.watched or owner is None or limit is None or evaluator is None:
            self._query.stop()
            self.changed.emit()
            return
        samples = self._samples.get((owner.id, limit.id))
        if samples is not None and samples.shape[1] != 3:
            samples = None  # of the hinges that the joint had
        angles = current.angles if current.angles is not None and len(current.angles) == 3 else ()
        moving = session.shown is not session.document
        wanted = PointingWanted(actor=owner.id, limit=limit.id, samples=samples, angles=angles, moving=moving)
        document = session.shown
        question = Question(
            work=lambda: self._pictures.answer(evaluator, document, wanted),
            of=(owner.figure, owner.layers),
            about=wanted,
            document=document,
        )
        self._query.follow(question)
        self.changed.emit()

    def _take(self, picture: PointingPicture | None) -> None:
        self.picture = picture
        if picture is not None:
            self.changed.emit()

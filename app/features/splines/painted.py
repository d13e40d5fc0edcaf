"""PaintedRegion: the part of a body that the chosen spline acts on, painted by touches of a brush.

A stroke is one gesture and one entry of the history. The first one makes the region a painted one, with nothing
painted before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.features.splines.current_splines import CurrentSplines
from app.session.gesture import NO_GESTURE
from engine.document import Blob
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.soft.parts import ActivationSpline, SoftBody

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.soft.queries.painted import Weighting


class PaintedRegion(QObject):
    """The brush on the body of one session's chosen spline."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._current = session, session.of(CurrentSplines)
        self._gesture = NO_GESTURE
        self._which = ("", "")  # actor and spline that the stroke began on
        self._weights: Weighting | None = None
        self._last: Vector3 | None = None

    @property
    def painting(self) -> bool:
        """True while a stroke is drawn, or its last answer is not in."""
        return not self._gesture.is_over

    def begin(self) -> bool:
        """Begin a stroke on the chosen spline; False where there is none."""
        owner, body, spline = self._current.owner, self._current.body, self._current.spline
        if owner is None or body is None or spline is None:
            return False
        verb = "Erase" if self._current.hold == "erase" else "Paint"
        self._which, self._last = (owner.id, spline.id), None
        self._weights = _weights(body, spline)
        self._gesture = self._session.begin_gesture(f"{verb} region of {spline.name}")
        return not self._gesture.is_over

    def touch(self, place: Vector3) -> None:
        """Lead the brush to a place on the body [m], in its frame at rest."""
        from engine.soft.queries.painted import stroke_places, touched  # brings numpy

        body, weights = self._current.body, self._weights
        radius, strength = self._current.brush_radius, self._current.brush.strength
        if body is None or weights is None or self._gesture.is_over:
            return
        before, self._last = self._last, place
        erases = self._current.hold == "erase"
        for each in (place,) if before is None else stroke_places(before, place, radius):
            weights = touched(body.points.array, weights, each, radius=radius, strength=strength, erases=erases)
        if weights is not self._weights:
            self._weights = weights
            self._gesture.preview(self._edit(*self._which, Blob(weights)))

    def lift(self) -> None:
        """Lift the brush from the body, which goes on elsewhere."""
        self._last = None

    def finish(self) -> None:
        """Keep the stroke."""
        self._gesture.finish()

    def cancel(self) -> None:
        """Leave the region as it was."""
        self._gesture.cancel()

    def fill(self, weight: float) -> None:
        """Paint every point of the body alike."""
        import numpy as np

        owner, body, spline = self._current.owner, self._current.body, self._current.spline
        if owner is not None and body is not None and spline is not None:
            weights = Blob(np.full(body.point_count, weight, dtype=np.float32))
            self._session.do(self._edit(owner.id, spline.id, weights))

    def edit_region(self, region: str) -> Edit | None:
        """Make the edit that chooses a kind of region; a painted one begins with nothing painted."""
        import numpy as np

        owner, body, spline = self._current.owner, self._current.body, self._current.spline
        if owner is None or body is None or spline is None:
            return None
        which = {"actor": owner.id, "spline": spline.id, "region": region}
        if region == "painted" and spline.weights is None:
            which["weights"] = Blob(np.zeros(body.point_count, dtype=np.float32))  # type: ignore[assignment]
        return edit("set_activation_region", **which)

    def _edit(self, actor: str, spline: str, weights: Blob) -> Edit:
        return edit("set_activation_region", actor=actor, spline=spline, region="painted", weights=weights)


def _weights(body: SoftBody, spline: ActivationSpline) -> Weighting:
    import numpy as np

    if spline.region == "painted" and spline.weights is not None:
        found: Weighting = spline.weights.array
        return found
    return np.zeros(body.point_count, dtype=np.float32)

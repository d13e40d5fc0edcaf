"""ShownRegion: the region of the chosen spline as a quantity over the surface of its body, while it is to be seen.

It is seen while it is painted, and while the spline itself is selected; asked for on the engine's thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.splines.current_splines import CurrentSplines
from app.session.live_query import LiveQuery, Question
from engine.soft.queries.region_shares import RegionShares, region_shares

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.document import Actor
    from engine.soft.parts import ActivationSpline, SoftBody

KEY = "activation region"  # of the worker


class ShownRegion(QObject):
    """The region of one session's chosen spline."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._current = session, session.of(CurrentSplines)
        self._query = LiveQuery(self, session.engine, KEY, self._take, late=False)
        self.owner = ""  # the id of the actor
        self.label = ""
        self.shares: RegionShares | None = None
        for signal in (self._current.changed, self._current.held_changed, session.engine_changed):
            signal.connect(self._follow)

    def _meant(self) -> tuple[Actor, SoftBody, ActivationSpline] | None:
        """Return what is to be seen."""
        current, active = self._current, self._session.selection.active
        owner, body, spline = current.owner, current.body, current.spline
        if owner is None or body is None or spline is None or current.hold == "draw":
            return None
        is_selected = active is not None and active.added == spline.id
        return (owner, body, spline) if is_selected or current.hold else None

    def _follow(self, *_: object) -> None:
        meant = self._meant()
        if meant is None or not len(meant[1].triangles.shape) or self._session.engine.evaluator is None:
            self._query.stop()
            return
        owner, body, spline = meant
        self.owner, self.label = owner.id, f"Region of {spline.name}"
        mesh = (body.points.digest, body.cells.digest, body.positions.digest)
        curve = (spline.id, spline.points, spline.curve, spline.samples)
        about = (mesh, curve, spline.region, spline.radius, spline.weights)
        self._query.follow(Question(work=lambda: region_shares(body, spline), about=about, needs=("soft",)))

    def _take(self, found: RegionShares | None) -> None:
        if found is None:
            self.owner = self.label = ""
        if found is not None or self.shares is not None:
            self.shares = found
            self.changed.emit()

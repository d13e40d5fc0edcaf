"""RegionColours: the region of the chosen spline as colour on its body; bodies are opened while splines are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.features.splines.current_splines import CurrentSplines
from app.features.splines.shown_region import ShownRegion
from app.scene.shown_surfaces import NOTHING, ShownSurfaces
from engine.model.snapshot import SurfaceField

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.session import Session

WHOLE = 0.999  # from which on a spline acts on a vertex wholly; where it does on all of them no colour says so


class RegionColours(QObject):
    """Colours the bodies of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._current, self._region = session.of(CurrentSplines), session.of(ShownRegion)
        self._shown: tuple[object, ...] = (None, frozenset(), "")
        for signal in (self._current.changed, self._current.held_changed, self._region.changed):
            signal.connect(self._show)

    def _show(self) -> None:
        shares, opened = self._region.shares, frozenset[str]()
        if self._current.hold == "draw":
            opened = frozenset(actor.id for actor, _ in self._current.bodies)
        if (shares, opened, self._current.hold) == self._shown:
            return
        self._shown = (shares, opened, self._current.hold)
        fields = {}
        if shares is not None and (self._current.hold or shares.values.min() < WHOLE):
            fields[self._region.owner] = SurfaceField(
                name="region", label=self._region.label, unit="", values=shares.values, low=0.0, high=1.0
            )
        self._viewport.set_surfaces(ShownSurfaces(fields, opened) if fields or opened else NOTHING)

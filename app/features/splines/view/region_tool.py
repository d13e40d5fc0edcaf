"""The region tool: paints and erases the region of the chosen spline by drags over its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.features.splines.current_splines import CurrentSplines
from app.features.splines.painted import PaintedRegion
from app.features.splines.view.rays import entry
from app.features.splines.view.standing import StandingBody
from app.scene.camera import vector
from app.scene.guides import Guide

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.session import Session

OF = "activation brush"
CORNERS = 40  # of the circle about the pointer
PAINTS = "Drag over the body to paint the region of {name}"
ERASES = "Drag over the body to erase the region of {name}"


class RegionTool(QObject):
    """Paints regions of one session in one viewport."""

    status_changed = Signal(str)

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._current, self._painted = session.of(CurrentSplines), session.of(PaintedRegion)
        self._told = ""
        self._pressed = False
        self._current.held_changed.connect(self._put_away)

    def hover(self, at: Pointer | None) -> bool:
        """Show the brush about the place under the pointer."""
        if not self._holds:
            return False
        self._show_brush(at)
        spline = self._current.spline
        text = ERASES if self._current.hold == "erase" else PAINTS
        self._tell("" if at is None or spline is None else text.format(name=spline.name))
        return at is not None

    def press(self, at: Pointer) -> bool:
        """Begin a stroke."""
        if not self._holds:
            return False
        self._pressed = self._painted.begin()
        self._touch(at)
        return True

    def move(self, at: Pointer) -> None:
        """Lead the brush on."""
        self._touch(at)
        self._show_brush(at)

    def release(self, at: Pointer) -> None:
        """Keep the stroke."""
        pressed, self._pressed = self._pressed, False
        if pressed:
            self._painted.finish()

    def cancel(self) -> None:
        """Leave the region as it was."""
        pressed, self._pressed = self._pressed, False
        if pressed:
            self._painted.cancel()

    @property
    def _holds(self) -> bool:
        return self._current.hold in ("paint", "erase")

    def _body(self) -> StandingBody | None:
        owner = self._current.owner
        return None if owner is None else StandingBody.of(self._session, owner.id)

    def _touch(self, at: Pointer) -> None:
        body = self._body()
        if not self._pressed or body is None:
            return
        place = entry(body.crossings(*at.ray), *at.ray)
        if place is None:
            self._painted.lift()
        else:
            self._painted.touch(body.inside(place))

    def _show_brush(self, at: Pointer | None) -> None:
        body = None if at is None else self._body()
        place = None if at is None or body is None else entry(body.crossings(*at.ray), *at.ray)
        if at is None or place is None:
            self._viewport.set_guides((), of=OF)
            return
        right, up, _ = at.camera.axes
        angles = np.linspace(0.0, 2.0 * np.pi, CORNERS + 1)
        circle = np.outer(np.cos(angles), right) + np.outer(np.sin(angles), up)
        points = np.array(place) + self._current.brush_radius * circle
        self._viewport.set_guides((Guide(points=tuple(map(vector, points)), colour="accent"),), of=OF)

    def _put_away(self) -> None:
        if not self._holds:
            self._viewport.set_guides((), of=OF)
            self._tell("")

    def _tell(self, text: str) -> None:
        if text != self._told:
            self._told = text
            self.status_changed.emit(text)

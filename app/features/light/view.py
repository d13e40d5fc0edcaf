"""KeyHandle: the key as a ball on a dome about what is seen, which is dragged while the panel of light is shown."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.features.light.state import LightState
from app.scene import Pointer, Viewport
from app.scene.camera import Vector, wrap
from app.scene.dome import Dome, angles_of, dome_about
from app.scene.extent import seen_bounds
from app.scene.light import direction_of, light_of
from app.session import Session
from app.session.gesture import Gesture
from app.style.panel_dock import PanelDock
from engine.edits import edit
from engine.lighting.parts import Lighting
from engine.runtime.options import about
from engine.runtime.quick_dataclass import dataclass

OF = "key light"  # whose guides
WORDS = "Drag to turn the key light; Esc puts it back"
LABEL = "Turn the key light"


@dataclass
class _HeldKey:
    """The key as it was when it was taken, and where it is led."""

    start: Pointer
    dome: Dome
    direction: Vector
    gesture: Gesture
    now: Vector


class KeyHandle(QObject):
    """Shows and turns the key in one viewport."""

    status_changed = Signal(str)

    def __init__(self, session: Session, viewport: Viewport, dock: PanelDock) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._shown, self._hot = dock.is_seen, False
        self._held: _HeldKey | None = None
        dock.visibilityChanged.connect(self._show)
        session.of(LightState).changed.connect(self.draw)
        session.snapshot_ready.connect(lambda _: self.draw())
        viewport.views_changed.connect(self.draw)
        session.gesture_ended.connect(self._drop_ended)

    def hover(self, at: Pointer | None) -> bool:
        """Light up the ball under the pointer."""
        hot = at is not None and self._hits(at)
        if hot != self._hot:
            self._hot = hot
            self.status_changed.emit(WORDS if hot else "")
            self.draw()
        return hot

    def press(self, at: Pointer) -> bool:
        """Take the ball."""
        if not self._hits(at):
            return False
        gesture = self._session.begin_gesture(LABEL)
        direction = self._direction(at.view)
        self._held = _HeldKey(at, self._dome(at.view), direction, gesture, direction)
        return True

    def move(self, at: Pointer) -> None:
        """Turn the key, and its shadows with it."""
        held = self._held
        if held is None or held.gesture.is_over:
            return
        way = at.pixel[0] - held.start.pixel[0], at.pixel[1] - held.start.pixel[1]
        azimuth, elevation = angles_of(held.dome.turned(held.direction, held.start.camera, way, held.start.size))
        elevation = _within(elevation)
        held.now = direction_of(azimuth, elevation)
        self.draw()
        own = self._session.document.part(Lighting)
        if own is not None and own.with_view:
            azimuth = wrap(azimuth - held.start.camera.azimuth)
        held.gesture.preview(edit("set_lighting", azimuth=azimuth, elevation=elevation))

    def release(self, at: Pointer) -> None:
        """Keep it where it is, as one entry of the history; a click changes nothing."""
        held, self._held = self._held, None
        if held is not None and at.has_left(held.start):
            held.gesture.finish()
        elif held is not None:
            held.gesture.cancel()
        self.draw()

    def cancel(self) -> None:
        """Put it back."""
        held, self._held = self._held, None
        if held is not None:
            held.gesture.cancel()
            self.draw()

    def draw(self) -> None:
        """Show the key in all views."""
        if not self._shown:
            self._viewport.set_guides((), of=OF)
            return
        guides = (
            line
            for view in self._viewport.panes()
            for line in self._dome(view).guides(
                self._direction(view), self._viewport.cameras[view], view=view, hot=self._hot or self._held is not None
            )
        )
        self._viewport.set_guides(tuple(guides), of=OF)

    def _show(self, shown: bool) -> None:
        self._shown = shown
        if not shown:
            self.cancel()
        self.draw()

    def _drop_ended(self) -> None:
        """Let go of a drag that the session has ended."""
        if self._held is not None and self._held.gesture.is_over:
            self._held = None
            self.draw()

    def _hits(self, at: Pointer) -> bool:
        return self._shown and self._dome(at.view).is_hit(self._direction(at.view), at.camera, at.pixel, at.size)

    def _dome(self, view: int) -> Dome:
        """Return the dome of a view; while the key is dragged, that of the press."""
        if self._held is not None and self._held.start.view == view:
            return self._held.dome
        bounds = seen_bounds(self._session.snapshot)
        return dome_about(bounds, self._viewport.cameras[view], self._viewport.size_of(view))

    def _direction(self, view: int) -> Vector:
        """Return where the key shines from; while it is dragged, where the pointer leads it, ahead of the picture."""
        if self._held is not None and self._held.start.view == view:
            return self._held.now
        snapshot = self._session.snapshot
        return light_of(self._viewport.cameras[view], None if snapshot is None else snapshot.light).key


def _within(elevation: float) -> float:
    """Return the nearest elevation that a key may have [rad]."""
    least, most = about(Lighting)["elevation"].least, about(Lighting)["elevation"].most
    return min(max(elevation, least or 0.0), most or elevation)

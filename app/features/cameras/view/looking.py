"""Looking: views that show what cameras of the scene see, and cameras that such a view moves.

A view that looks through a camera goes with it. Whoever turns such a view leaves the camera, unless cameras are locked
to their views: then the camera is moved and turned, and its pose is kept as any other is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from app.export.choices import Choices
from engine.cameras.parts import film_camera
from engine.cameras.queries.making import camera_seeing, values_seeing
from engine.commands.poses import PutPose

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport
    from app.scene.camera import Camera
    from app.scene.lens import Lens
    from app.session.gesture import Gesture
    from engine.document import Actor

LET_GO = 250  # [ms] after its last move that a camera moved with its view is let go
LEFT = "The view has left {name}. To move the camera with the view: View > Cameras > Move camera with view."
PINNED = "{name} is pinned or hangs on something, which moves it: the view has left it. Unpin it first."
FRAME = "cameras"  # whose guides these are


class LookingThrough(QObject):
    """The views of a window that look through cameras."""

    changed = Signal()

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window, self._session = window, window.session
        self.locked = False  # cameras to their views
        self._before: dict[int, Camera] = {}  # where views looked from before
        self._steered: tuple[int, Gesture] | None = None
        self._let_go = QTimer(self, singleShot=True, interval=LET_GO)
        self._let_go.timeout.connect(self._finish)

    def begin(self, viewport: Viewport) -> None:
        """Go with what is shown from now on."""
        viewport.pilot = self._pilot
        self._session.snapshot_ready.connect(lambda snapshot: self.show())
        self._session.selection_changed.connect(lambda selection: self._draw())
        viewport.views_changed.connect(self.show)

    @property
    def aspect(self) -> float:
        """Width over height of the pictures that are made next."""
        choices = self._window.preferred("film", Choices)
        return max(choices.width, 1) / max(choices.height, 1)

    def camera_in(self, view: int) -> str | None:
        """Return the camera that a view looks through."""
        viewport = self._window.viewport
        return None if viewport is None else viewport.through.get(view)

    def look(self, view: int, camera: Actor | None) -> None:
        """Let a view look through a camera, or from where it did before."""
        viewport = self._window.view
        if camera is None:
            before = self._before.pop(view, None)
            self._forget(view)
            if before is not None:
                viewport.set_camera(view, before)
        else:
            if view not in viewport.through:
                self._before[view] = viewport.cameras[view]
            viewport.through[view] = camera.id
            self.show()
        self.changed.emit()

    def added(self, id: str, name: str) -> Actor:
        """Make a camera that sees what the active view does."""
        from app.scene.filming import frame_of

        view = self._window.view
        return camera_seeing(id, name, frame_of(view.cameras[view.active]))

    def lock(self, on: bool) -> None:
        """Let views move the cameras that they look through, or leave them."""
        self.locked = on
        self.changed.emit()

    def show(self) -> None:
        """Let views stand where their cameras are now."""
        from app.scene.filming import camera_of, lens_of, view_of

        viewport, document = self._window.view, self._session.shown
        for view, camera in list(viewport.through.items()):
            if camera not in document.actor_index or film_camera(document.actor(camera)) is None:
                self.look(view, None)
                continue
            viewport.set_title(view, document.actor(camera).name)
            seen = view_of(self._session.snapshot, camera)
            if seen is not None:
                viewport.place_camera(view, camera_of(seen, self.aspect, viewport.size_of(view)))
                lens = lens_of(seen)
                viewport.lenses = {**_without(viewport.lenses, view), **({} if lens is None else {view: lens})}
        self._draw()

    def _draw(self) -> None:
        from app.scene.filming import frustum

        snapshot = self._session.snapshot
        chosen = {item.actor for item in self._session.selection.items}
        seen = () if snapshot is None else snapshot.cameras
        self._window.view.set_guides(
            tuple(
                line
                for each in seen
                if each.visible
                for line in frustum(each, self.aspect, chosen=each.owner in chosen)
            ),
            of=FRAME,
        )

    def _pilot(self, view: int, camera: Camera) -> bool:
        """Take a view's camera where it looks through one of the scene; True where that moves."""
        id = self._window.view.through.get(view)
        if id is None:
            return False
        if id not in self._session.document.actor_index:
            self._before.pop(view, None)
            self._forget(view)
            return False
        actor = self._session.document.actor(id)
        if not self.locked or self._is_led(actor):
            text = PINNED if self.locked else LEFT
            self._before.pop(view, None)
            self._forget(view)
            self._session.note("note", text.format(name=actor.name))
            self._window.say(text.format(name=actor.name))
            self.changed.emit()
            return False
        self._steer(view, actor, camera)
        return True

    def _is_led(self, actor: Actor) -> bool:
        part = film_camera(actor)
        return bool(actor.attachments) or (part is not None and part.is_pinned)

    def _forget(self, view: int) -> None:
        self._window.view.through.pop(view, None)
        self._window.view.lenses = _without(self._window.view.lenses, view)
        self._window.view.set_title(view, "")

    def _steer(self, view: int, actor: Actor, camera: Camera) -> None:
        from app.scene.filming import frame_of

        if self._steered is None or self._steered[1].is_over:
            gesture = self._session.begin_gesture(f"Move {actor.name} with its view")
            if gesture.is_over:
                return
            self._steered = (view, gesture)
        values = values_seeing(actor, frame_of(camera))
        command = PutPose(actor=actor.id, time=self._session.playhead, title=self._steered[1].label, values=values)
        self._steered[1].preview(self._session.posing.as_chosen(command))
        self._let_go.start()

    def _finish(self) -> None:
        if QApplication.mouseButtons():
            self._let_go.start()
        elif self._steered is not None:
            self._steered[1].finish()
            self._steered = None


def _without(lenses: Mapping[int, Lens], view: int) -> dict[int, Lens]:
    return {each: lens for each, lens in lenses.items() if each != view}

"""The trail tool: drags a key on a motion trail, or its tangents, whatever time is shown.

A key takes the point that it belongs to along, at the key's own time; what moves is for `engine.commands.pull_key` to
say. Meanwhile the figure is shown there, too. Where the playhead stands on a key its tangents have handles: both sides
go together while they lie in one line, unless Ctrl is held. A click goes to the time of a key. Where a handle of the
figure stands on a key, that has the first word.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from app.scene.markers import pulled_to
from app.scene.trail_handles import TrailGrips, handle_at, handle_pixel
from app.session import Gesture, Session
from app.tools.trail_grips import TrailKey, TrailTangent, key_at, tangents_in
from engine.commands.bend_trail import BendTrail
from engine.commands.pull_key import pull_key, why_fixed
from engine.document.values import new_id
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector

Grip = TrailKey | TrailTangent


@dataclass
class _HeldTrail:
    """The key or tangent under the button while it is down."""

    start: Pointer
    grip: Grip
    stood: Vector  # [m] where it stood
    apart: tuple[float, float]  # [px] from the pointer to it, as it was taken
    drag: str
    place: Vector  # [m] where it is wanted
    gesture: Gesture | None = None

    @property
    def key(self) -> TrailKey:
        """The key itself, or that of the tangent."""
        return self.grip.key if isinstance(self.grip, TrailTangent) else self.grip


class TrailTool(QObject):
    """Drags keys and tangents of the trails of one session in one viewport."""

    status_changed = Signal(str)  # what the mouse would do to what is under it; empty: there is nothing

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._held: _HeldTrail | None = None
        self._tangents: tuple[TrailTangent, ...] = ()
        self.over: Grip | None = None
        session.trails.changed.connect(self._take_trails)

    def hover(self, at: Pointer | None) -> bool:
        """Light up the key or handle under the pointer."""
        self._light(self._found(at) if at is not None else None)
        return self.over is not None

    def press(self, at: Pointer) -> bool:
        """Take the key or handle under the pointer; only a drag or the release says what is meant."""
        grip = self._found(at)
        if grip is None:
            return False
        place = _place(grip, at)
        x, y, _ = at.camera.project(np.array(place), at.size).tolist()
        self._held = _HeldTrail(at, grip, place, (x - at.pixel[0], y - at.pixel[1]), new_id("drag"), place)
        return True

    def move(self, at: Pointer) -> None:
        """Drag it, once the pointer has left the range of a click."""
        held = self._held
        if held is None:
            return
        if held.gesture is None and at.has_left(held.start):
            self._begin(held)
        if held.gesture is not None:
            pixel = (at.pixel[0] + held.apart[0], at.pixel[1] + held.apart[1])
            held.place = pulled_to(at.camera, pixel, at.size, held.stood, along_axis=at.along_axis)
            alone = bool(at.modifiers & Qt.KeyboardModifier.ControlModifier)
            self._preview(held, held.gesture, alone=alone)
            self._show()

    def release(self, at: Pointer) -> None:
        """Commit the drag, or go to the key's time."""
        self.move(at)
        held = self._held
        self._let_go()
        if held is None:
            return
        if held.gesture is not None:
            held.gesture.finish()
        elif not at.has_left(held.start):
            self._session.set_playhead(held.key.time)

    def cancel(self) -> None:
        """Leave the trail as it was."""
        held = self._held
        self._let_go()
        if held is not None and held.gesture is not None:
            held.gesture.cancel()

    def _begin(self, held: _HeldTrail) -> None:
        key, why = held.key, self._why_fixed(held.key)
        if why:
            self._session.note("warning", f"This key is not dragged: {why}.")
            self._let_go()
            return
        label = "Bend trail of" if isinstance(held.grip, TrailTangent) else "Move key on trail of"
        held.gesture = self._session.begin_gesture(f"{label} {self._name(key)}", plays_on=True)
        self._session.trails.pull(key.spot.actor, key.time)

    def _preview(self, held: _HeldTrail, gesture: Gesture, *, alone: bool) -> None:
        document, reaching, key = self._session.document, self._session.reaching, held.key
        if self._why_fixed(key):  # it went while the gesture waited for its turn
            return
        if isinstance(held.grip, TrailTangent):
            side = held.grip.side if alone or not held.grip.smooth else "both"
            gesture.preview(
                BendTrail(
                    actor=key.spot.actor,
                    joint=key.spot.joint,
                    point=key.spot.point,
                    time=key.time,
                    velocity=held.grip.pulled_to(held.place),
                    side=side,
                )
            )
        else:
            gesture.preview(
                pull_key(
                    document,
                    drag=held.drag,
                    spot=key.spot,
                    time=key.time,
                    to=held.place,
                    method=reaching.method,
                    terms=reaching.terms,
                )
            )

    def _let_go(self) -> None:
        self._held = None
        self._session.trails.pull(None)
        self._light(None)
        self._show()

    def _found(self, at: Pointer) -> Grip | None:
        """Return the handle or the key under the pointer."""
        if not self._session.reaching.ready or self._viewport.marker_at(at.at) is not None:
            return None
        handles = tuple(each.handle for each in self._tangents)
        number = handle_at(handles, at.camera, at.pixel, at.size)
        if number is not None:
            tangent = self._tangents[number]
            return tangent if self._is_there(tangent.key) else None
        key = key_at(self._session.trails.picture, at.camera, at.pixel, at.size)
        return key if key is not None and self._is_there(key) else None

    def _take_trails(self) -> None:
        self._tangents = tangents_in(self._session.trails.picture)
        if self._held is None and self._session.trails.picture is None:
            self._light(None)
        self._show()

    def _light(self, grip: Grip | None) -> None:
        was, self.over = self.over, grip
        if grip != was:
            self._show()
            if grip is not None or was is not None:
                self.status_changed.emit("" if grip is None else self._words(grip))

    def _show(self) -> None:
        """Show the handles; a dragged one at its new place, however far its answer is behind."""
        held, taken = self._held, self._held is not None and self._held.gesture is not None
        handles = [each.handle for each in self._tangents]
        lit = held.grip if held is not None else self.over
        hot: int | None = None
        if isinstance(lit, TrailTangent):
            names = [(each.key.spot, each.key.time, each.side) for each in self._tangents]
            name = (lit.key.spot, lit.key.time, lit.side)
            hot = names.index(name) if name in names else None
            if held is not None and hot is not None:
                handles[hot] = replace(handles[hot], place=held.place)
        place = lit.place if isinstance(lit, TrailKey) else None
        if held is not None and place is not None:
            place = held.place
        grips = TrailGrips(handles=tuple(handles), hot_handle=hot, hot_key=place, taken=taken)
        self._viewport.set_trail_grips(grips)

    def _is_there(self, key: TrailKey) -> bool:
        """Return True if the document still holds the joint of a trail; trails may be a little behind."""
        document, spot = self._session.document, key.spot
        return spot.actor in document.actor_index and spot.joint in document.actor(spot.actor).figure.joint_index

    def _why_fixed(self, key: TrailKey) -> str:
        return why_fixed(self._session.document, key.spot, key.time) if self._is_there(key) else "it has gone"

    def _name(self, key: TrailKey) -> str:
        spot = key.spot
        figure = self._session.document.actor(spot.actor).figure
        handles = [each.name for each in figure.handles if (each.joint, each.point) == (spot.joint, spot.point)]
        return handles[0] if handles else figure.joint(spot.joint).name

    def _words(self, grip: Grip) -> str:
        if isinstance(grip, TrailTangent):
            ends = "Ctrl bends this side alone" if grip.smooth else "the other side stays"
            return f"Tangent of {self._name(grip.key)} · drag to bend the trail, {ends}"
        why = self._why_fixed(grip)
        if why:
            return f"Key of {self._name(grip)} · click to go there; not dragged: {why}"
        return f"Key of {self._name(grip)} · drag to move it, Shift follows an axis, click to go there"


def _place(grip: Grip, at: Pointer) -> Vector:
    """Return the position of a key or a handle [m]; of a handle shown beside its key, that."""
    if isinstance(grip, TrailKey):
        return grip.place
    shown, place = handle_pixel(grip.handle, at.camera, at.size), grip.handle.place
    x, y, _ = at.camera.project(np.array(place), at.size).tolist()
    if shown is None or np.hypot(shown[0] - x, shown[1] - y) < 0.5:
        return place
    return pulled_to(at.camera, shown, at.size, grip.key.place)

"""The figure tool: while a figure is edited, its joints, end-effectors and limits are dragged instead of its pose.

A part moves in the plane through it that faces the camera, or with Shift along an axis of the world; Ctrl leaves the
joints that hang on it where they are. A limit moves on its arc. A body is dragged by its joint. A click selects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from app.features.figure.view.parts import FigurePart, LimitPart, arcs_of, body_frames, parts_of
from app.scene.guides import Guide
from app.scene.markers import Marker, pulled_to
from app.session import Item, Session
from engine.document import Actor, Document
from engine.document.frames import Frame
from engine.document.values import Vector3
from engine.maths.quaternions import turned
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.session import Gesture

_AXIS = 0.06  # [m] length of a joint's axes
_EDGE_ON = 0.15  # cosine of the angle between a limit's axis and the line of sight below which its plane is not met


@dataclass
class _HeldJoint:
    """The part under the button while it is down."""

    start: Pointer
    part: FigurePart
    gesture: Gesture | None = None


class FigureTool(QObject):
    """Drags the parts of the figure that a session edits, in one viewport."""

    status_changed = Signal(str)

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._held: _HeldJoint | None = None
        self._over: Marker | None = None
        for signal in (session.editing_changed, session.selection_changed, session.preview_changed):
            signal.connect(self._show_guides)
        session.document_changed.connect(self._show_guides)

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The markers of the figure that is edited."""
        actor = self._actor(self._session.shown)
        return () if actor is None else markers_of(actor, self._selected(actor))

    def hover(self, at: Pointer | None) -> bool:
        """Light up the marker under the pointer."""
        found = self._viewport.marker_at(at.at) if at is not None else None
        marker = found.marker if found is not None and found.marker.owner == self._session.editing else None
        if marker is not None or self._over is not None:
            self._viewport.set_hot_marker(marker)
        if marker != self._over:
            self._over = marker
            self.status_changed.emit(
                f"{marker.name} · drag to move, Shift follows an axis, Ctrl leaves children" if marker else ""
            )
        return marker is not None

    def press(self, at: Pointer) -> bool:
        """Take a part of the figure that is edited."""
        actor = self._actor(self._session.document)
        if actor is None or actor.frozen:
            return False
        parts = {part.id: part for part in parts_of(actor, self._selected(actor))}
        found, part = self._viewport.marker_at(at.at), None
        if found is not None and found.marker.owner == actor.id:
            part = parts.get(found.marker.id)
        elif found is None:
            pick = self._viewport.pick(at.at)
            part = parts.get(f"joint {pick.part}") if pick is not None and pick.owner == actor.id else None
        if part is not None:
            self._held = _HeldJoint(at, part)
        return part is not None

    def move(self, at: Pointer) -> None:
        """Drag the part, once the pointer has left the range of a click."""
        held = self._held
        actor = self._actor(self._session.document)
        if held is None or actor is None:
            return
        if held.gesture is None and at.has_left(held.start):
            held.gesture = self._session.begin_gesture(held.part.label)
        if held.gesture is not None:
            keep = bool(at.modifiers & Qt.KeyboardModifier.ControlModifier)
            held.gesture.preview(held.part.moved(actor, self._wanted(held, at), keep_children=keep))

    def release(self, at: Pointer) -> None:
        """Commit the drag, or take it for a click."""
        self.move(at)
        held, self._held = self._held, None
        if held is None:
            return
        if held.gesture is not None:
            held.gesture.finish()
        elif self._session.editing is not None:
            item = Item(self._session.editing, held.part.joint)
            self._session.select(self._session.selection.toggled(item).items if at.adds else [item])

    def cancel(self) -> None:
        """Leave the figure as it was."""
        held, self._held = self._held, None
        if held is not None and held.gesture is not None:
            held.gesture.cancel()

    def _wanted(self, held: _HeldJoint, at: Pointer) -> Vector3:
        x, y, _ = held.start.camera.project(np.array(held.part.place), held.start.size).tolist()
        pixel = (at.pixel[0] + x - held.start.pixel[0], at.pixel[1] + y - held.start.pixel[1])
        if isinstance(held.part, LimitPart):
            origin, way = at.camera.ray(pixel, at.size)
            axis, centre = np.array(held.part.arc.axis), np.array(held.part.arc.centre)
            slope = float(way @ axis)
            if abs(slope) > _EDGE_ON:
                a, b, c = (origin + way * float((centre - origin) @ axis) / slope).tolist()
                return (a, b, c)
        return pulled_to(at.camera, pixel, at.size, held.part.place, along_axis=at.along_axis)

    def _actor(self, document: Document) -> Actor | None:
        editing = self._session.editing
        return document.actor(editing) if editing in document.actor_index and editing is not None else None

    def _selected(self, actor: Actor) -> str | None:
        return selected_joint(self._session, actor)

    def _show_guides(self, *_: object) -> None:
        actor = self._actor(self._session.shown)
        self._viewport.set_guides(() if actor is None else guides_of(actor, self._selected(actor)))


def selected_joint(session: Session, actor: Actor) -> str | None:
    """Return the joint of an actor that was selected last."""
    active = session.selection.active
    return active.part if active is not None and active.actor == actor.id else None


def markers_of(actor: Actor, selected: str | None) -> tuple[Marker, ...]:
    """Return a marker for every part of a figure."""
    frames = body_frames(actor)
    return tuple(
        Marker(
            owner=actor.id,
            id=part.id,
            name=part.name,
            part=part.joint,
            point=frames[part.joint].seeing(Frame(part.place)).position,
            held=isinstance(part, LimitPart),
        )
        for part in parts_of(actor, selected)
    )


def guides_of(actor: Actor, selected: str | None) -> tuple[Guide, ...]:
    """Return the axes of every joint, longer for the selected one, and the arcs of its limits."""
    found = []
    for id, frame in body_frames(actor).items():
        length = 2.0 * _AXIS if id == selected else _AXIS
        for name, axis in (("x", (length, 0.0, 0.0)), ("y", (0.0, length, 0.0)), ("z", (0.0, 0.0, length))):
            x, y, z = (a + b for a, b in zip(frame.position, turned(frame.rotation, axis), strict=True))
            found.append(Guide(points=(frame.position, (x, y, z)), colour=name))  # type: ignore[arg-type]
    for dof, arc in arcs_of(actor, selected):
        ends = (dof.lower, dof.upper)
        lower, upper = (0.0 if each is None else each for each in ends)
        points = arc.between(lower, upper)
        found.append(Guide(points=(arc.centre, *points, arc.centre), colour="accent", filled=True))
    return tuple(found)

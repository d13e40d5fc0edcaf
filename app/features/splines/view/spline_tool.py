"""The spline tool: draws splines by clicks inside a body, drags, chooses and deletes their control points.

A click sets a point halfway between where the ray under the pointer enters the body and leaves it, in its rest shape;
a drag from there moves it on. A double click or Enter ends the spline, Backspace takes a point back, Escape gives up.
Control points of the chosen spline are dragged in the plane through them that faces the camera, with Shift along an
axis of the world.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, Signal

from app.features.splines.current_splines import CurrentSplines
from app.features.splines.view.rays import halfway
from app.features.splines.view.standing import StandingBody
from app.scene.camera import vector
from app.scene.guides import Guide
from app.scene.markers import Marker, pulled_to
from app.session.gesture import NO_GESTURE, Gesture
from engine.edits import edit
from engine.model.snapshot import LineSet
from engine.runtime.quick_dataclass import dataclass
from engine.soft.queries.spline_lines import spline_line

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector
    from app.session import Session

OF = "activation"  # whose guides they are
CONTROL, DRAFT = "control ", "draft "  # begin the ids of markers
ENTER = (int(Qt.Key.Key_Return), int(Qt.Key.Key_Enter))
SAME = 5.0  # [px] from the last point within which a click ends the spline
DRAWING = "Click to set points of a spline · Enter or a double click ends it"
OUTSIDE = "Click inside the body to set points of a spline"
HANDLE = "drag to move it, Shift follows an axis, click to choose it, Delete takes it away"


@dataclass
class _HeldPoint:
    """The point under the button while it is down: of the draft, or of the chosen spline."""

    start: Pointer
    body: StandingBody
    place: Vector  # [m] where it was, in the world
    number: int
    is_draft: bool
    ends: bool = False  # a click on the last point ends the draft
    gesture: Gesture = NO_GESTURE


class SplineTool(QObject):
    """Draws and drags the splines of one session in one viewport."""

    status_changed = Signal(str)
    marks_changed = Signal()

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport, self._current = session, viewport, session.of(CurrentSplines)
        self._held: _HeldPoint | None = None
        self._over: Marker | None = None
        self._next: Vector | None = None  # [m] where a click would set a point, in the body's frame
        self._told = ""
        for signal in (self._current.changed, self._current.held_changed):
            signal.connect(self._show)
        session.snapshot_ready.connect(self._show)

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The control points of the chosen spline, or of the draft."""
        body = self._body()
        if body is None:
            return ()
        joint, found = body.actor.figure.joints[0].id, []
        draft = self._current.draft
        if draft is not None and draft.actor == body.actor.id:
            for number, point in enumerate(draft.points):
                found.append(
                    Marker(owner=draft.actor, id=f"{DRAFT}{number}", name="", part=joint, point=point, held=True)
                )
            return tuple(found)
        spline, chosen = self._current.spline, self._current.point
        if spline is None or not self._shows_points:
            return ()
        for number, point in enumerate(spline.points):
            found.append(
                Marker(
                    owner=body.actor.id, id=f"{CONTROL}{number}", name=f"Point {number + 1} of {spline.name}",
                    part=joint, point=point, held=number == chosen,
                )
            )  # fmt: skip
        return tuple(found)

    def hover(self, at: Pointer | None) -> bool:
        """Light up the control point under the pointer; show where a click would set one."""
        marker = None if at is None else self._marker_at(at)
        if marker is not None or self._over is not None:
            self._viewport.set_hot_marker(marker)
        self._over = marker
        if self._current.hold == "draw":
            before, self._next = self._next, None
            body, place = (None, None) if at is None or marker is not None else self._aimed(at)
            if body is not None and place is not None:
                self._next = body.inside(place)
            if before != self._next:
                self._show_guides()
            self._tell(DRAWING if at is None or self._next is not None or marker is not None else OUTSIDE)
            return at is not None
        self._tell("" if marker is None else f"{marker.name} · {HANDLE}")
        return marker is not None

    def press(self, at: Pointer) -> bool:
        """Set a point, or take one."""
        marker = self._marker_at(at)
        if marker is not None:
            self._take(at, marker)
            return True
        if self._current.hold != "draw":
            return False
        body, place = self._aimed(at)
        if body is None or place is None:
            self._tell(OUTSIDE)
            return True
        self._current.add_point(body.actor.id, body.inside(place))
        draft = self._current.draft
        assert draft is not None, "begun by its first point"
        self._next = None
        self._held = _HeldPoint(at, body, place, len(draft.points) - 1, is_draft=True)
        return True

    def move(self, at: Pointer) -> None:
        """Drag the point, once the pointer has left the range of a click."""
        held = self._held
        if held is None or not (at.has_left(held.start) or held.gesture is not NO_GESTURE):
            return
        x, y, _ = held.start.camera.project(np.array(held.place), held.start.size).tolist()
        pixel = (at.pixel[0] + x - held.start.pixel[0], at.pixel[1] + y - held.start.pixel[1])
        place = held.body.inside(pulled_to(at.camera, pixel, at.size, held.place, along_axis=at.along_axis))
        if held.is_draft:
            held.ends = False
            self._current.move_point(held.number, place)
            return
        spline = self._current.spline
        if spline is None:
            return
        if held.gesture is NO_GESTURE:
            self._current.choose_point(held.number)
            held.gesture = self._session.begin_gesture(f"Move point of {spline.name}")
        change = edit(
            "move_activation_point", actor=held.body.actor.id, spline=spline.id, point=held.number, position=place
        )
        held.gesture.preview(change)

    def release(self, at: Pointer) -> None:
        """Keep it; a click chooses a point, and on the last one of a draft ends the spline."""
        self.move(at)
        held, self._held = self._held, None
        if held is None:
            return
        if held.is_draft:
            if held.ends:
                self._current.finish()
        elif held.gesture is not NO_GESTURE:
            held.gesture.finish()
        else:
            self._current.choose_point(held.number)

    def cancel(self) -> None:
        """Leave it as it was."""
        held, self._held = self._held, None
        if held is None:
            return
        if held.is_draft:
            self._current.take_back()
        held.gesture.cancel()

    # What is typed over the views

    def wants_key(self, key: int, text: str) -> bool:
        """Return True for the keys that end a spline, take a point back, or put the tool away."""
        if self._held is not None or not self._current.hold:
            return False
        if key == Qt.Key.Key_Escape:
            return True
        return self._current.draft is not None and (key in ENTER or key == Qt.Key.Key_Backspace)

    def press_key(self, key: int, text: str) -> None:
        """Do what the key says."""
        if key == Qt.Key.Key_Escape:
            self._current.drop()
        elif key == Qt.Key.Key_Backspace:
            self._current.take_back()
        else:
            self._current.finish()

    # How it is done

    @property
    def _shows_points(self) -> bool:
        """True if control points are to be seen: the spline or its body is selected, or splines are drawn."""
        return self._current.is_selected or self._current.hold == "draw"

    def _body(self) -> StandingBody | None:
        draft, owner = self._current.draft, self._current.owner
        actor = draft.actor if draft is not None else None if owner is None else owner.id
        return None if actor is None else StandingBody.of(self._session, actor)

    def _marker_at(self, at: Pointer) -> Marker | None:
        found = self._viewport.marker_at(at.at)
        if found is None or not found.marker.id.startswith((CONTROL, DRAFT)):
            return None
        owner = self._current.owner
        return found.marker if owner is not None and not owner.frozen else None

    def _take(self, at: Pointer, marker: Marker) -> None:
        body, is_draft = self._body(), marker.id.startswith(DRAFT)
        number = int(marker.id.rpartition(" ")[2])
        if body is not None:
            draft = self._current.draft
            last = is_draft and draft is not None and number == len(draft.points) - 1
            self._held = _HeldPoint(at, body, body.world(marker.point), number, is_draft, ends=last)

    def _aimed(self, at: Pointer) -> tuple[StandingBody | None, Vector | None]:
        """Return where a click sets a point [m], and the body: that of the draft, the selected one, or the nearest."""
        draft = self._current.draft
        if draft is not None:
            actors = [draft.actor]
        elif self._current.is_selected and self._current.owner is not None:
            actors = [self._current.owner.id]
        else:
            actors = [actor.id for actor, _ in self._current.bodies if not actor.frozen]
        best, found, place = np.inf, None, None
        for body in (StandingBody.of(self._session, each) for each in actors):
            along = None if body is None else body.crossings(*at.ray)
            if along is not None and len(along) and along[0] < best:
                best, found, place = float(along[0]), body, halfway(along, *at.ray)
        return found, place

    def _show(self, *_: object) -> None:
        if self._current.hold != "draw":
            self._next = None
            if self._over is None:
                self._tell("")
        self.marks_changed.emit()
        self._show_guides()

    def _show_guides(self) -> None:
        body = self._body()
        guides = self._moving() if body is None else self._guides(body)
        self._viewport.set_guides(tuple(guides), of=OF)

    def _moving(self) -> list[Guide]:
        """Return the chosen spline where the picture has it: its body moves by itself."""
        owner, spline, snapshot = self._current.owner, self._current.spline, self._session.snapshot
        if owner is None or spline is None or snapshot is None or not self._current.is_selected:
            return []
        body = self._current.body
        pulling = [each.id for each in (() if body is None else body.splines) if not each.mute]
        items = (each for each in snapshot.of(LineSet) if each.owner == owner.id and each.role == "constraint")
        chains = [chain for item in items for chain in chains_of(item)]
        if spline.id not in pulling or len(chains) != len(pulling):
            return []
        points = chains[pulling.index(spline.id)].astype(np.float64)
        return [Guide(points=tuple(map(vector, points)), colour="accent")]

    def _guides(self, body: StandingBody) -> list[Guide]:
        found, chosen, draft = [], self._current.spline, self._current.draft
        if self._shows_points:
            for spline in body.body.splines:
                is_chosen = draft is None and chosen is not None and spline.id == chosen.id
                found.append(_line(body, spline.points, spline.curve, "accent" if is_chosen else "quiet"))
        if draft is not None and draft.actor == body.actor.id:
            points = (*draft.points, *(() if self._next is None else (self._next,)))
            if len(points) > 1:
                found.append(_line(body, points, "catmull_rom", "accent"))
        return found

    def _tell(self, text: str) -> None:
        if text != self._told:
            self._told = text
            self.status_changed.emit(text)


def chains_of(lines: LineSet) -> list[NDArray[np.float32]]:
    """Return the places along each line of a picture whose pieces follow each other."""
    found: list[list[int]] = []
    for first, second in lines.ends.tolist():
        if found and found[-1][-1] == first:
            found[-1].append(second)
        else:
            found.append([first, second])
    return [lines.positions[each] for each in found]


def _line(body: StandingBody, points: tuple[Vector, ...], curve: str, colour: str) -> Guide:
    line = spline_line(points, curve) @ body.frame[:, :3].T + body.frame[:, 3]
    return Guide(points=tuple(vector(each) for each in line), colour=colour)  # type: ignore[arg-type]

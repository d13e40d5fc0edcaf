"""The posing tool: a click selects, a marker is pulled, a body is dragged (Welman 1993, 6.2).

Hands and feet come before fingers and toes: a press on a finger drags the hand, and a click selects it; a second click
selects the finger, and from then on fingers of that hand are taken by themselves.

What follows the pointer of a body is a point halfway along its own axis, so that it is not twisted. It is wanted where
the ray under the pointer comes nearest to where it stands now: without perspective it stays in a plane that faces the
eye, with perspective it can be pushed and pulled. The pointer keeps its distance on the screen from that point, so that
nothing leaps when a body is taken elsewhere than there. A marker stays in the plane in which it was taken.

What swings is led where it is seen: a drag of its body, or of a mark on it, sets a target at the playhead, or moves the
one that is there, and the correction follows. Its ghost, as it is keyed, is posed as any other figure, and so is the
body itself with Ctrl (`Leader.is_led`).

What is taken before posing by hand is prepared waits for it: as soon as it is, a drag that is still held begins, and
brings what is held to the pointer. One that was let go before is dropped: a figure that moves long after its person has
turned to something else would only startle.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from app.scene.markers import Marker, nearest_on_ray, pulled_to
from app.session import BodyGrip, Grip, Item, Session
from app.session.frozen import why_frozen
from app.session.gesture import GIVEN_UP
from engine.document.segment import end_of_limb, middle_of_segment
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Pick, Pointer, Viewport
    from app.scene.camera import Vector
    from app.tools.leading import Leader, LedPoint


@dataclass
class _Lead:
    """Goal of a dragged body."""

    pull: LedPoint
    offset: Vector  # [m] from the point that is held to that of the target, as both are seen
    place: Vector  # [m] where the point is wanted


@dataclass
class _HeldPart:
    """The body or marker under the button while it is down."""

    start: Pointer
    grip: Grip | BodyGrip | None  # None: nothing that follows
    place: Vector  # [m] where its point stood in the picture
    pick: Pick | None = None
    marker: Marker | None = None
    plays_on: bool = False  # it was taken while the motion played
    moved: bool = False
    lead: _Lead | None = None  # where it leads what is wanted
    keyed: bool = False  # whether it holds a figure that swings as it is keyed
    waits_at: Pointer | None = None  # where the pointer is, while it waits to be posed by hand

    @property
    def on_ghost(self) -> bool:
        """True if the button went down on the keyed ghost behind a figure with secondary motion."""
        return self.pick is not None and self.pick.keyed

    @property
    def apart(self) -> tuple[float, float]:
        """The offset from the pointer to its point on the screen [px]."""
        x, y, _ = self.start.camera.project(np.array(self.place), self.start.size).tolist()
        return x - self.start.pixel[0], y - self.start.pixel[1]


class PosingTool(QObject):
    """Poses the figures of one session in one viewport."""

    status_changed = Signal(str)  # what the mouse would do to the marker under it; empty: there is none
    waiting_changed = Signal(bool)  # whether a drag waits until posing by hand is prepared

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._reaching, self._viewport = session, session.reaching, viewport
        self.leader: Leader | None = None  # whom a drag of what swings is left to
        viewport.meant = self._meant
        self._held: _HeldPart | None = None
        self._over: Marker | None = None
        self._reaching.changed.connect(self._begin_waiting)
        session.snapshot_ready.connect(self._begin_waiting, Qt.ConnectionType.QueuedConnection)  # once it is shown
        session.engine_changed.connect(self._drop_if_idle)

    def hover(self, at: Pointer | None) -> bool:
        """Light up the marker under the pointer."""
        found = self._viewport.marker_at(at.at) if at is not None else None
        self._light(found.marker if found else None)
        return found is not None

    def press(self, at: Pointer) -> bool:
        """Remember the part under the pointer; only a drag or the release says what is meant."""
        found = self._viewport.marker_at(at.at)
        if found is not None:
            self._held = _HeldPart(at, Grip(found.marker.owner, found.marker.id), found.place, marker=found.marker)
            return True
        pick = self._viewport.pick(at.at)
        grip = self._body(pick)
        place = self._place_of(grip, keyed=pick is not None and pick.keyed) if grip is not None else None
        self._held = _HeldPart(at, grip if place else None, place or (0.0, 0.0, 0.0), pick=pick)
        if self._held.grip is not None and self._session.player.playing:
            self._held.plays_on = True
            self._session.pause_on_picture()
        return True

    def move(self, at: Pointer) -> None:
        """Drag the part, once the pointer has left the range of a click."""
        held = self._held
        if held is None or held.grip is None:
            return
        if held.waits_at is not None or (not held.moved and at.has_left(held.start) and not self._reaching.ready):
            self._wait(held, at)
            return
        if not held.moved and at.has_left(held.start):
            self._begin(held, held.grip)
        if held.lead is not None:
            self._lead(held, held.lead, at)
        elif held.moved:
            self._reaching.move(self._wanted(held, at))
            self._viewport.await_newer()  # an answer may be followed by nearer ones, whose pictures would be in the way

    def release(self, at: Pointer) -> None:
        """Commit the drag, or take it for a click."""
        self.move(at)
        held, self._held = self._held, None
        if held is None or self._stop_waiting(held):
            return
        if held.moved:
            self._let_go()
            if held.lead is not None:
                held.lead.pull.finish()
            else:
                self._reaching.let_go()
            return
        if held.plays_on:
            self._session.play()
        if isinstance(held.grip, Grip):
            self._reaching.toggle_held(held.grip)
        elif not at.has_left(held.start):
            again = held.pick is not None and not at.adds and self._session.selection.active == self._item(held.pick)
            self._select(self._viewport.pick(held.start.at, exactly=True) if again else held.pick, adds=at.adds)

    def cancel(self) -> None:
        """Leave the figure as it was."""
        held, self._held = self._held, None
        if held is None or self._stop_waiting(held):
            return
        if held.moved:
            self._let_go()
            if held.lead is not None:
                held.lead.pull.give_up()
                return
            if self._reaching.pulled == held.grip:
                self._session.note("note", GIVEN_UP)
            self._reaching.cancel()

    def _wait(self, held: _HeldPart, at: Pointer) -> None:
        if held.waits_at is None:
            self._viewport.set_hovered(None)
            self._viewport.set_hot_marker(held.marker, taken=True)
            self._viewport.show_taken(True)
            self.waiting_changed.emit(True)
        held.waits_at = at
        self._drop_if_idle()

    def _begin_waiting(self, *_: object) -> None:
        """Begin a drag that waited, once the picture shows the figure as it is posed."""
        held, shown = self._held, self._session.snapshot
        if held is None or held.waits_at is None or held.grip is None or not self._reaching.ready:
            return
        if shown is None or shown.state != "fresh" or shown.document is not self._session.document:
            return
        grip, at = held.grip, held.waits_at
        handle = grip.within(self._session.document)
        place = None if handle is None else self._viewport.place_of(grip.actor, handle.joint, handle.point)
        if place is None:  # it went meanwhile
            self.cancel()
            return
        held.waits_at, held.place = None, place
        self.waiting_changed.emit(False)
        self._begin(held, grip)
        self.move(at)

    def _stop_waiting(self, held: _HeldPart) -> bool:
        """Drop a drag that waited; return True if there was one."""
        if held.waits_at is None:
            return False
        held.waits_at = None
        self._let_go()
        self.waiting_changed.emit(False)
        return True

    def _drop_if_idle(self, *_: object) -> None:
        """Drop a drag that waits if nothing prepares the engine any more: it would wait for ever."""
        if self._held is not None and self._held.waits_at is not None and self._session.engine.idle:
            self._session.note("warning", self._session.engine_state.text)
            self.cancel()

    def _begin(self, held: _HeldPart, grip: Grip | BodyGrip) -> None:
        held.moved = True
        self._viewport.show_taken(True)  # before anything else changes that is painted
        self._viewport.set_hovered(None)
        self._viewport.set_hot_marker(held.marker, taken=True)
        leader = None if held.on_ghost else self.leader
        if leader is not None and leader.is_led(grip.actor, other=held.start.asks_other):
            taken = self._begin_lead(held, leader, grip)
        else:
            self._take_keyed(held, grip)
            taken = self._reaching.pull(grip)
        if held.pick is None:
            return
        if not taken:
            self._viewport.show_taken(False)
        elif self._item(held.pick) not in self._session.selection:
            self._select(held.pick, adds=False)

    def _begin_lead(self, held: _HeldPart, leader: Leader, grip: Grip | BodyGrip) -> bool:
        """Lead what is wanted of the body; whether that has begun."""
        document = self._session.document
        handle = grip.within(document)
        if handle is None:
            return False
        frozen = why_frozen(document.actor(grip.actor))
        if frozen:
            self._session.note("warning", frozen)
            return False
        pull = leader.begin(grip.actor, handle)
        if pull is None:
            return False
        about = self._viewport.place_of(grip.actor, handle.joint, pull.point) or held.place
        x, y, z = np.subtract(about, held.place).tolist()
        held.lead = _Lead(pull, (x, y, z), held.place)
        return True

    def _lead(self, held: _HeldPart, lead: _Lead, at: Pointer) -> None:
        """Move the led target with the pointer."""
        right, down = held.apart
        pixel = (at.pixel[0] + right, at.pixel[1] + down)
        if at.along_axis or held.marker is not None:
            lead.place = pulled_to(at.camera, pixel, at.size, held.place, along_axis=at.along_axis)
        else:
            lead.place = nearest_on_ray(at.camera, pixel, at.size, lead.place)
        x, y, z = np.add(lead.place, lead.offset).tolist()
        lead.pull.lead((x, y, z))

    def _take_keyed(self, held: _HeldPart, grip: Grip | BodyGrip) -> None:
        """Hold the figure by its keyed pose, where the ghost is shown, so that nothing leaps as its keys are posed."""
        document = self._session.document
        handle = grip.within(document)
        if handle is not None and document.actor(grip.actor).swings:
            held.keyed = True
            held.place = self._viewport.place_of(grip.actor, handle.joint, handle.point, keyed=True) or held.place

    def _place_of(self, grip: BodyGrip, *, keyed: bool) -> Vector | None:
        return self._viewport.place_of(grip.actor, grip.joint, grip.point, keyed=keyed)

    def _let_go(self) -> None:
        self._light(None)
        self._viewport.show_taken(False)

    def _wanted(self, held: _HeldPart, at: Pointer) -> Vector:
        right, down = held.apart
        pixel = (at.pixel[0] + right, at.pixel[1] + down)
        if isinstance(held.grip, Grip) or at.along_axis:
            return pulled_to(at.camera, pixel, at.size, held.place, along_axis=at.along_axis)
        stands = self._reaching.stands
        if stands is not None and isinstance(held.grip, BodyGrip) and held.keyed:
            stands = self._place_of(held.grip, keyed=True)
        return nearest_on_ray(at.camera, pixel, at.size, stands or held.place)

    def _body(self, pick: Pick | None) -> BodyGrip | None:
        """Return the middle of the body under the pointer."""
        if pick is None or pick.owner not in self._session.document.actor_index:
            return None
        figure = self._session.document.actor(pick.owner).figure
        if pick.part not in figure.joint_index:
            return None
        return BodyGrip(pick.owner, pick.part, middle_of_segment(figure, pick.part))

    def _meant(self, pick: Pick) -> Pick:
        """A hand by its fingers and a foot by its toes, until one of these is chosen: then each is meant by itself."""
        session = self._session
        if session.editing is not None or pick.owner not in session.document.actor_index:
            return pick
        figure = session.document.actor(pick.owner).figure
        if pick.part not in figure.joint_index:
            return pick
        end = end_of_limb(figure, pick.part)
        chosen = {item.part for item in session.selection.items if item.actor == pick.owner}
        return pick if chosen.intersection(figure.below(end)) else replace(pick, part=end)

    def _select(self, pick: Pick | None, *, adds: bool) -> None:
        session = self._session
        if pick is None:
            if not adds:
                session.select(())
            return
        item = self._item(pick)
        session.select(session.selection.toggled(item).items if adds else [item])

    def _item(self, pick: Pick) -> Item:
        """Return the item that a click selects: a part of a figure, a muscle of it, a prop as a whole."""
        document = self._session.document
        known = document.actor(pick.owner) if pick.owner in document.actor_index else None
        if pick.added is not None and known is not None:
            return Item(pick.owner, known.joint_of(pick.added), pick.added)
        return Item(pick.owner, pick.part if known is not None and not known.figure.is_prop else None)

    def _light(self, marker: Marker | None) -> None:
        if marker is None and self._over is None:
            return  # what is lit is another tool's
        self._viewport.set_hot_marker(marker)
        if marker != self._over:
            self._over = marker
            click = "" if marker is None else "click to unpin it" if marker.held else "click to pin it for drags"
            leader = self.leader
            led = "" if marker is None or leader is None else leader.words_of(marker.owner, keyed=False)
            doing = led or "drag to reach"
            self.status_changed.emit(f"{marker.name} · {doing}, {click}" if marker else "")

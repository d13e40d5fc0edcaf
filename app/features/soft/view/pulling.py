"""SoftPulling: a drag of a soft body that moves pulls it by a spring, from the spot where it was taken."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, Signal

from app.features.soft.current_forces import CurrentForces
from app.features.soft.current_soft import is_moving
from app.features.soft.grabbed import Grabbed, grab
from app.features.soft.hand_pull import NO_TIME, HandPull, may_pull
from app.scene import Pick, Pointer, Viewport
from app.scene.guides import Guide
from app.scene.markers import pulled_to
from app.session import Item, Session
from app.session.frozen import why_frozen
from engine.model import SkinSurface
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import SoftBody

OF = "soft pull"  # whose guides


@dataclass
class _Held:
    """The body under the button while it is down."""

    start: Pointer
    pick: Pick
    spot: Grabbed
    pull: HandPull | None = None  # once it is dragged


class SoftPulling(QObject):
    """Pulls soft bodies in one viewport. Ctrl leaves a body to the posing tool, which places it."""

    status_changed = Signal(str)

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._held: _Held | None = None
        session.playhead_moved.connect(self._follow_time)
        session.snapshot_ready.connect(lambda _: self._go_on())
        session.gesture_ended.connect(self._drop_ended)
        viewport.menu_asked.connect(self._mean_spot)

    def _mean_spot(self, at: QPointF) -> None:
        """Note which point of a soft body was asked about."""
        pick = self._viewport.pick(at)
        surface = None if pick is None or pick.keyed else self._surface(pick.owner)
        if pick is None or surface is None or pick.owner not in self._session.document.actor_index:
            return
        if self._session.document.actor(pick.owner).part(SoftBody) is not None:
            spot = grab(surface.positions, surface.triangles, pick.point_world)
            self._session.of(CurrentForces).mean(pick.owner, spot.nearest)

    def hover(self, at: Pointer | None) -> bool:
        """Leave the pointer to others: bodies light up, and the status line has their words."""
        return False

    def press(self, at: Pointer) -> bool:
        """Take a press on a soft body that is simulated at the time that is shown."""
        session = self._session
        pick = None if at.asks_other else self._viewport.pick(at.at)
        if pick is None or pick.keyed or pick.owner not in session.document.actor_index:
            return False
        body = session.document.actor(pick.owner).part(SoftBody)
        surface = self._surface(pick.owner)
        if body is None or surface is None or not is_moving(body, session.playhead):
            return False
        spot = grab(surface.positions, surface.triangles, pick.point_world)
        self._held = _Held(at, pick, spot)
        session.of(CurrentForces).mean(pick.owner, spot.nearest)
        return True

    def move(self, at: Pointer) -> None:
        """Pull, once the pointer has left the range of a click."""
        held = self._held
        if held is None:
            return
        if held.pull is None and at.has_left(held.start):
            held.pull = self._begin(held)
        if held.pull is not None:
            start = held.start
            held.pull.move(
                pulled_to(start.camera, at.pixel, start.size, held.pick.point_world, along_axis=at.along_axis)
            )
            self._draw()

    def release(self, at: Pointer) -> None:
        """Let go, or take it for a click."""
        self.move(at)
        held, self._held = self._held, None
        if held is None:
            return
        if held.pull is not None:
            self._let_go()
            if not held.pull.is_over:
                held.pull.finish()
        elif not at.has_left(held.start):
            self._select(Item(held.pick.owner), adds=at.adds)

    def cancel(self) -> None:
        """Leave the body as it was."""
        held, self._held = self._held, None
        if held is not None and held.pull is not None:
            self._let_go()
            held.pull.give_up()

    def _begin(self, held: _Held) -> HandPull | None:
        session, owner = self._session, held.pick.owner
        actor = session.document.actor(owner)
        body = actor.part(SoftBody)
        why = why_frozen(actor) if body is not None else ""
        if body is None or why or not may_pull(session):
            session.note("warning" if why else "note", why or NO_TIME)
            self._held = None
            return None
        surface = self._surface(owner)
        place = held.pick.point_world if surface is None else held.spot.on(surface.positions)
        pull = HandPull(session, owner, held.spot.on(body.positions.array), place)
        if pull.is_over:
            pull.give_up()
            self._held = None
            return None
        self._viewport.set_hovered(None)
        self._viewport.show_taken(True)
        if Item(owner) not in session.selection:
            self._select(Item(owner), adds=False)
        return pull

    def _follow_time(self, _: object) -> None:
        held = self._held
        if held is not None and held.pull is not None and held.pull.follow_time():
            self._held = None
            self._let_go()

    def _drop_ended(self) -> None:
        """Drop a pull that the session has ended."""
        held = self._held
        if held is not None and held.pull is not None and held.pull.is_over:
            self._held = None
            self._let_go()
            held.pull.give_up()

    def _go_on(self) -> None:
        held = self._held
        if held is not None and held.pull is not None and not held.pull.is_over:
            held.pull.go_on()
            self._draw()

    def _draw(self) -> None:
        """Draw the spring from the spot to the hand."""
        held = self._held
        surface = None if held is None else self._surface(held.pick.owner)
        if held is None or held.pull is None or surface is None:
            return
        spot = held.spot.on(surface.positions)
        self._viewport.set_guides((Guide(points=(spot, held.pull.place), colour="accent"),), of=OF)

    def _let_go(self) -> None:
        self._viewport.show_taken(False)
        self._viewport.set_guides((), of=OF)

    def _select(self, item: Item, *, adds: bool) -> None:
        selection = self._session.selection
        self._session.select(selection.toggled(item).items if adds else [item])

    def _surface(self, owner: str) -> SkinSurface | None:
        snapshot = self._session.snapshot
        found = () if snapshot is None else snapshot.skins
        return next((each for each in found if each.owner == owner and each.role == "result"), None)

"""Ghost tool: a click on one of several ways of moving chooses it; a point of the ghost that is dragged is demanded to
be there then, and the motion follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.features.spacetime.choosing import choose_of
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.planning import free_name
from app.features.spacetime.view.demand_dragging import led_to, plane_of
from app.features.spacetime.words import way_text
from app.scene.markers import Marker
from app.scene.symbols import Symbol, placed
from app.session import Gesture, Session
from app.tools.symbol_dragging import HeldSymbol, SymbolDragging
from engine.document.values import Vector3, new_id
from engine.edits import Edit, edit
from engine.model.snapshot import Bodies
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.parts import Spacetime, SpacetimeConstraint
from engine.spacetime.queries.draw_motion import MotionDrawn
from engine.spacetime.queries.drawn_plan import GhostPoint, MotionWay

if TYPE_CHECKING:
    from app.features.spacetime.view.plan_showing import PlanShowing
    from app.scene import Pointer, Viewport
    from app.scene.camera import Camera, Size, Vector
    from engine.spacetime.queries.seen_motion import SeenMotion

GHOSTS = "planned ghosts"  # whose symbols they are
WAY, POINT = "way ", "point "  # before the number in the id of a symbol


@dataclass
class _HeldGhost(HeldSymbol):
    """The way of moving, or the point of the ghost, under the button while it is down."""

    way: SeenMotion | None = None
    owner: str = ""
    made: SpacetimeConstraint | None = None  # of a point
    normal: Vector3 | None = None  # of the plane of the motion, in the world


class GhostTool(SymbolDragging[_HeldGhost]):
    """Takes the ghosts of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport, showing: PlanShowing) -> None:
        super().__init__(session, viewport, GHOSTS)
        self._current, self._showing = session.of(CurrentSpacetime), showing
        for signal in (showing.changed, self._current.changed):
            signal.connect(self._show)

    def _taken(self, found: Marker, at: Pointer) -> _HeldGhost | None:
        way = self._way_of(found)
        if way is not None:
            return _HeldGhost(at, found, (0.0, 0.0, 0.0), way)
        owner, drawn, place = self._current.actor, self._showing.drawn, self._current.place_at(self._session.playhead)
        plan = None if owner is None else owner.part(Spacetime)
        point = self._point_of(found)
        if owner is None or plan is None or drawn is None or place is None or point is None:
            return None
        made = SpacetimeConstraint(
            id=new_id("constraint"), name=free_name(plan.constraints, point.name), stage=place[0], at=place[1],
            quantity="point", joint=point.joint, point=point.point, position=point.place,
        )  # fmt: skip
        return _HeldGhost(at, found, point.place, owner=owner.id, made=made, normal=plane_of(owner))

    def _may_move(self, held: _HeldGhost) -> bool:
        return held.made is not None

    def _begin(self, held: _HeldGhost) -> Gesture | None:
        name = "" if held.made is None else held.made.name
        return self._session.begin_gesture(f"{name} here then") if self._current.may_change else None

    def _led(self, held: _HeldGhost, at: Pointer, pixel: tuple[float, float]) -> Vector:
        return led_to(held.origin, held.normal, at, pixel)

    def _edit(self, held: _HeldGhost) -> Edit | None:
        if held.made is None:
            return None
        made = replace(held.made, position=held.place)
        return edit("put_spacetime_constraint", actor=held.owner, constraint=made)

    def _click(self, held: _HeldGhost, at: Pointer) -> None:
        if held.way is not None:
            self._current.show(held.way)

    def _finish(self, held: _HeldGhost, gesture: Gesture) -> None:
        gesture.finish()
        made = held.made
        if made is not None:
            self._session.when_free(lambda: choose_of(self._session, held.owner, made.id))

    def _found(self, at: Pointer) -> Marker | None:
        """Return the symbol under the pointer, or that of the way of moving which is seen there; a handle goes before
        it, and for a ghost any body."""
        if self._viewport.marker_at(at.at) is not None:
            return None
        found = self._viewport.symbol_at(at.at, GHOSTS)
        if found is not None:
            return found.marker
        ways = self._ways
        if not ways:
            return None
        hits = ((depth_at(way.onion.bodies, at.camera, at.pixel, at.size), way) for way in ways)
        seen = [(depth, way) for depth, way in hits if depth is not None]
        if not seen or self._is_body_at(at):
            return None
        nearest = min(seen, key=lambda each: each[0])[1]
        return next(each.marker for each in placed(self._symbols) if each.marker.id == f"{WAY}{nearest.number}")

    def _is_body_at(self, at: Pointer) -> bool:
        """True if a body of the scene is seen under the pointer."""
        snapshot = self._session.snapshot
        bodies = (
            () if snapshot is None else (each for each in snapshot.bodies if each.visible and each.role == "result")
        )
        return any(depth_at(each, at.camera, at.pixel, at.size) is not None for each in bodies)

    @property
    def _ways(self) -> tuple[MotionWay, ...]:
        drawn = self._showing.drawn
        return () if drawn is None else drawn.ways

    def _way_of(self, found: Marker) -> SeenMotion | None:
        minima = self._current.minima
        return next((each for at, each in enumerate(minima, start=1) if found.id == f"{WAY}{at}"), None)

    def _point_of(self, found: Marker) -> GhostPoint | None:
        drawn = self._showing.drawn
        numbered = enumerate(() if drawn is None else drawn.points)
        return next((each for at, each in numbered if found.id == f"{POINT}{at}"), None)

    @property
    def _symbols(self) -> tuple[Symbol, ...]:
        drawn = self._showing.drawn
        return () if drawn is None else (*self._way_symbols(drawn), *self._point_symbols(drawn))

    def _way_symbols(self, drawn: MotionDrawn) -> Iterator[Symbol]:
        minima, shown, owner = self._current.minima, self._current.motion, drawn.actor
        tops = {each.motion: each.top for each in drawn.ways}
        if not tops or shown not in minima:
            return
        for number, motion in enumerate(minima, start=1):
            top = _top(drawn) if motion is shown else tops.get(motion)
            if top is not None:
                yield Symbol(
                    of=GHOSTS, owner=owner.id, id=f"{WAY}{number}", name="Minimum",
                    part=owner.figure.joints[0].id, shape="spot", place=top, label=way_text(number, motion),
                    chosen=motion is shown, state="plain" if motion is shown else "faint",
                )  # fmt: skip

    def _point_symbols(self, drawn: MotionDrawn) -> Iterator[Symbol]:
        for number, point in enumerate(drawn.points if self._current.may_change else ()):
            yield Symbol(
                of=GHOSTS, owner=drawn.actor.id, id=f"{POINT}{number}", name=point.name, part=point.joint, shape="spot",
                place=point.place, quiet=True, state="faint",
            )  # fmt: skip

    def _show(self, *_: object) -> None:
        self._viewport.set_symbols(self._symbols, GHOSTS)

    def _words(self, marker: Marker) -> str:
        way = self._way_of(marker)
        if way is not None:
            return f"Minimum: effort {way.objective:.4g} · click to look at it, Keep keeps it"
        return f"{marker.name} in the planned motion · drag it to where it shall be then, Shift follows an axis"


def depth_at(bodies: Bodies, camera: Camera, pixel: tuple[float, float], size: Size) -> float | None:
    """Return how far away bodies are seen under a pixel; None where they are not."""
    mesh = bodies.mesh
    if not len(mesh.triangles):
        return None
    frames = bodies.transforms[mesh.body].astype(float)
    places = np.einsum("vij,vj->vi", frames[:, :, :3], mesh.positions) + frames[:, :, 3]
    seen = camera.project(places, size)
    corners = seen[mesh.triangles]
    x, y = (corners[:, :, axis] - pixel[axis] for axis in (0, 1))
    sides = np.stack([x[:, i] * y[:, j] - x[:, j] * y[:, i] for i, j in ((0, 1), (1, 2), (2, 0))], axis=1)
    inside = (sides >= 0.0).all(axis=1) | (sides <= 0.0).all(axis=1)
    depths = corners[inside, :, 2].mean(axis=1)
    ahead = depths if camera.orthographic else depths[depths > 0.0]
    return float(ahead.min()) if len(ahead) else None


def _top(drawn: MotionDrawn) -> Vector3 | None:
    """Return a place above the motion that is looked at, at the present."""
    shown = next((each for each in drawn.onions if each.planned and each.number == 0 and each.way == 0), None)
    if shown is None or not drawn.ways:
        return None
    places, way = shown.bodies.transforms[:, :, 3], drawn.ways[0]
    above = way.top[1] - float(way.onion.bodies.transforms[:, 1, 3].max())
    x, z = (float(places[:, axis].mean()) for axis in (0, 2))
    return (x, float(places[:, 1].max()) + above, z)

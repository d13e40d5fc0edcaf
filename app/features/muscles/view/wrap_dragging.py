"""Wrap dragging: shows what paths of muscles bend around as translucent shapes, and moves and sizes them in the views.

A click on a shape, or on the ring at its middle, chooses it. A drag of either moves it in the plane that faces the
camera, or with Shift along an axis of the world; the spots on the chosen one set its radii and its length. A shape that
a body hides is dragged by its ring. Where a point of a path would be inside it stops.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.moving_points import MovingPoints
from app.features.muscles.shown_wraps import ShownWraps
from app.features.muscles.view.frames import frame_of, in_world, way_in
from app.scene.camera import Array
from app.scene.glass import GlassShape, glass_at
from app.scene.guides import Guide
from app.scene.markers import Marker, nearest_on_line, pulled_to
from app.scene.symbols import Symbol, placed
from app.tools.symbol_dragging import HeldSymbol, SymbolDragging
from engine.edits import Edit, edit
from engine.maths.quaternions import turned
from engine.muscles.parts import Muscles, MuscleWrap
from engine.muscles.queries.moved_parts import moved_wrap, nearest_wrap, sized_wrap
from engine.muscles.queries.wrap_forms import sizes_of, wrap_form
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector
    from app.session import Gesture, Session

WRAPS = "wraps of muscles"  # whose symbols, shapes and guides they are
SIDE = 1.8  # [radii] from the middle to the end of the arrow to the side on which paths pass


@dataclass
class _HeldWrap(HeldSymbol):
    """The wrap under the button while it is down."""

    wrap: MuscleWrap
    size: str  # that is set; "": it is moved
    muscles: Muscles
    frame: Array  # of its joint in the world, as it was taken


class WrapDragging(SymbolDragging[_HeldWrap]):
    """Shows and drags the wraps of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(session, viewport, WRAPS)
        self._current, self._wraps = session.of(CurrentMuscles), session.of(ShownWraps)
        self._symbols: tuple[Symbol, ...] = ()
        self._shapes: tuple[GlassShape, ...] = ()
        for signal in (self._wraps.changed, session.snapshot_ready, session.of(MovingPoints).changed):
            signal.connect(self._show)

    def _found(self, at: Pointer) -> Marker | None:
        """Return the symbol under the pointer, else that of the shape that is seen there."""
        found = super()._found(at)
        snapshot = self._session.snapshot
        if found is not None or snapshot is None or not self._shapes:
            return found
        origin, direction = at.ray
        met = glass_at(self._shapes, snapshot.bodies, origin, direction)
        if met is None or self._viewport.marker_at(at.at) is not None:
            return None
        body = self._viewport.pick(at.at, exactly=True)
        if body is not None and math.dist(body.point_world, origin) < met[1]:
            return None
        return next((each.marker for each in placed(self._symbols) if each.marker.id == met[0].id), None)

    def _taken(self, found: Marker, at: Pointer) -> _HeldWrap | None:
        muscles, owner = self._current.muscles, self._current.owner
        symbol = next((each for each in self._symbols if each.id == found.id), None)
        id, _, size = found.id.partition(" ")
        wrap = None if muscles is None else muscles.wrap(id)
        if symbol is None or wrap is None or muscles is None or owner is None:
            return None
        frame = frame_of(self._session, owner.id, wrap.joint)
        return None if frame is None else _HeldWrap(at, found, symbol.place, wrap, size, muscles, frame)

    def _begin(self, held: _HeldWrap) -> Gesture | None:
        if not self._current.may_change:
            return None
        self._wraps.choose(held.wrap.id)
        verb = "Set size of" if held.size else "Move"
        return self._session.begin_gesture(f"{verb} wrap {held.wrap.name}")

    def _led(self, held: _HeldWrap, at: Pointer, pixel: tuple[float, float]) -> Vector:
        if not held.size:
            return pulled_to(at.camera, pixel, at.size, held.origin, along_axis=at.along_axis)
        way = held.frame[:, :3] @ np.array(sizes_of(held.wrap)[held.size][2])
        x, y, z = nearest_on_line(np.array(held.origin), way, *at.camera.ray(pixel, at.size)).tolist()
        return (x, y, z)

    def _edit(self, held: _HeldWrap) -> Edit:
        """Put it there, or as near to it as paths leave room."""
        wrap, way = held.wrap, way_in(held.frame, np.array(held.place) - np.array(held.origin))
        if held.size:
            by = float(np.array(way) @ np.array(sizes_of(wrap)[held.size][2]))
            new = nearest_wrap(held.muscles, lambda share: sized_wrap(wrap, held.size, share * by))
        else:
            new = nearest_wrap(held.muscles, lambda share: moved_wrap(wrap, way, share))
        return edit("set_muscle_wrap", actor=held.marker.owner, wrap=new)

    def _click(self, held: _HeldWrap, at: Pointer) -> None:
        self._wraps.choose(held.wrap.id)

    def _words(self, marker: Marker) -> str:
        if " " in marker.id:
            return f"Drag to set the {marker.name}"
        return f"Wrap {marker.name} · drag to move it, Shift follows an axis, click to choose it"

    # What is shown

    def _marks(self, wraps: tuple[MuscleWrap, ...]) -> Iterator[Symbol]:
        owner, chosen = self._current.owner, self._current.wrap
        if owner is None or owner.frozen:
            return
        for wrap in wraps:
            frame = frame_of(self._session, owner.id, wrap.joint)
            if frame is None:
                continue
            is_chosen = chosen is not None and wrap.id == chosen.id
            yield Symbol(
                of=WRAPS, owner=owner.id, id=wrap.id, name=wrap.name, part=wrap.joint or "", shape="turn",
                place=in_world(frame, wrap.centre), chosen=is_chosen, quiet=True,
            )  # fmt: skip
            for size, (words, place, _) in sizes_of(wrap).items() if is_chosen else ():
                yield Symbol(
                    of=WRAPS, owner=owner.id, id=f"{wrap.id} {size}", name=f"{words} of {wrap.name}",
                    part=wrap.joint or "", shape="spot", place=in_world(frame, place), quiet=True,
                )  # fmt: skip

    def _glass(self, wraps: tuple[MuscleWrap, ...]) -> Iterator[GlassShape]:
        owner, chosen = self._current.owner, self._current.wrap
        if owner is None:
            return
        ground = frame_of(self._session, owner.id, None)
        for wrap in wraps:
            form, frame = wrap_form(wrap), ground if wrap.joint is None else None
            yield GlassShape(
                owner=owner.id, id=wrap.id, positions=form.positions, normals=form.normals, triangles=form.triangles,
                joint=wrap.joint, frame=frame, chosen=chosen is not None and wrap.id == chosen.id,
            )  # fmt: skip

    def _arrows(self, wraps: tuple[MuscleWrap, ...]) -> Iterator[Guide]:
        """Yield the way to the side on which paths pass the chosen wrap, where it says one."""
        owner, wrap = self._current.owner, self._current.wrap
        if owner is None or wrap is None or wrap.side is None or not any(each is wrap for each in wraps):
            return
        frame = frame_of(self._session, owner.id, wrap.joint)
        if frame is not None:
            way = SIDE * max(wrap.radii) * np.array(turned(wrap.rotation, wrap.side))
            x, y, z = (np.array(wrap.centre) + way).tolist()
            ends = (in_world(frame, wrap.centre), in_world(frame, (x, y, z)))
            yield Guide(points=ends, colour="accent", head=True, width=1.5)

    def _show(self, *_: object) -> None:
        wraps = self._wraps.found
        if not wraps and not self._shapes and not self._symbols:
            return
        self._shapes = tuple(self._glass(wraps))
        self._viewport.set_glass(self._shapes)
        self._viewport.set_guides(tuple(self._arrows(wraps)), of=WRAPS)
        symbols = tuple(self._marks(wraps))
        if symbols != self._symbols:
            self._symbols = symbols
            self._viewport.set_symbols(symbols, WRAPS)

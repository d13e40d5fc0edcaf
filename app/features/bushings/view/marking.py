"""Bushing marking: a small spring in the middle between the two frames of each bushing of a selected figure, with a
coil from one to the other where these are apart; a click selects the bushing. A frame on the ground stands where the
actor is placed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from app.features.bushings.outlined import ends_of, item_of
from app.features.bushings.shown_bushings import ShownBushings
from app.scene.camera import Array, Vector, vector
from app.scene.symbols import Symbol
from app.tools.symbol_dragging import HeldSymbol, SymbolDragging
from engine.bushings.parts import Bushing, Bushings
from engine.document import Actor
from engine.document.frames import Frame

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.markers import Marker
    from app.session import Session

BUSHINGS = "bushings"  # whose symbols they are


class BushingMarking(SymbolDragging[HeldSymbol]):
    """Marks the bushings of one session in one viewport; what they join is moved, not they."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(session, viewport, BUSHINGS)
        self._shown = session.of(ShownBushings)
        for signal in (session.snapshot_ready, session.selection_changed, self._shown.changed):
            signal.connect(self._show)
        self._show()

    def _taken(self, found: Marker, at: Pointer) -> HeldSymbol | None:
        symbol = found.symbol
        return None if symbol is None else HeldSymbol(at, found, symbol.place)

    def _may_move(self, held: HeldSymbol) -> bool:
        return False

    def _click(self, held: HeldSymbol, at: Pointer) -> None:
        found = self._bushing(held.marker)
        if found is not None:
            item, selection = item_of(*found), self._session.selection
            self._session.select(selection.toggled(item).items if at.adds else [item])

    def _words(self, marker: Marker) -> str:
        found = self._bushing(marker)
        return "" if found is None else f"Bushing {found[1].name}, {ends_of(*found)} · click to select it"

    def _bushing(self, marker: Marker) -> tuple[Actor, Bushing] | None:
        document = self._session.document
        if marker.owner not in document.actor_index:
            return None
        actor = document.actor(marker.owner)
        part = actor.part(Bushings)
        found = None if part is None else part.of(marker.id)
        return None if found is None else (actor, found)

    def _show(self, *_: object) -> None:
        self._viewport.set_symbols(tuple(self._symbols()) if self._shown.are_shown else (), BUSHINGS)

    def _symbols(self) -> Iterator[Symbol]:
        snapshot, chosen = self._session.snapshot, {each.actor for each in self._session.selection.items}
        for actor in () if snapshot is None else self._session.document.actors:
            part = actor.part(Bushings) if actor.parts else None
            if part is None or not actor.visible or actor.id not in chosen:
                continue
            assert snapshot is not None, "else there is no actor"
            frames: dict[str, Array] = {
                joint: transform
                for item in snapshot.bodies
                if item.owner == actor.id and item.role == "result"
                for joint, transform in zip(item.parts, item.transforms, strict=True)
            }
            ground = Frame(actor.placement.position, actor.placement.rotation)
            for each in part.bushings:
                if all(joint in frames for joint in each.joints):
                    ends = (
                        _in_world(frames, each.first, ground, each.first_position),
                        _in_world(frames, each.second, ground, each.second_position),
                    )
                    yield Symbol(
                        of=BUSHINGS, owner=actor.id, id=each.id, name=each.name, part=each.joints[0], shape="spring",
                        place=vector(0.5 * (np.array(ends[0]) + ends[1])), ends=ends,
                        state="faint" if each.mute or actor.frozen else "plain",
                    )  # fmt: skip


def _in_world(frames: dict[str, Array], joint: str | None, ground: Frame, point: Vector) -> Vector:
    if joint is None:
        return ground.at(point)
    return vector(frames[joint][:, :3] @ np.array(point) + frames[joint][:, 3])

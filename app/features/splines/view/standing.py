"""Standing: a soft body in its rest shape where a picture has it, for rays and places in the views."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from app.features.splines.view.rays import crossings
from app.scene.camera import vector
from app.tools.movable import body_frame
from engine.document import Blob
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import SoftBody

if TYPE_CHECKING:
    from app.scene.camera import Array, Vector
    from app.session import Session
    from engine.document import Actor

MARGIN = 0.4  # of a body's size, as far as a control point may leave it


@dataclass(frozen=True, eq=False)
class StandingBody:
    """One soft body."""

    actor: Actor
    body: SoftBody
    frame: Array  # world from its joint, shape [3, 4]

    @classmethod
    def of(cls, session: Session, actor: str) -> StandingBody | None:
        """Return a soft body that is shown at rest; None of one that is not, or that moves by itself by now."""
        document, snapshot = session.shown, session.snapshot
        if actor not in document.actor_index or snapshot is None:
            return None
        owner = document.actor(actor)
        body = owner.part(SoftBody) if owner.parts else None
        if body is None or not owner.visible or session.playhead > body.start:
            return None
        frame = body_frame(snapshot, actor, owner.figure.joints[0].id)
        return None if frame is None else cls(owner, body, frame)

    def world(self, place: Vector) -> Vector:
        """Return a place of the body's frame in the world [m]."""
        return vector(self.frame[:, :3] @ np.array(place) + self.frame[:, 3])

    def inside(self, place: Vector) -> Vector:
        """Return a place of the world in the body's frame [m], no farther from the body than a control point may be."""
        own = self.frame[:, :3].T @ (np.array(place) - self.frame[:, 3])
        low, high = self.body.points.array.min(axis=0), self.body.points.array.max(axis=0)
        margin = MARGIN * float((high - low).max())
        if self.body.planar:
            own[2] = low[2]  # all that moves it lies in its plane
        return vector(np.clip(own, low - margin, high + margin))

    def crossings(self, origin: Array, way: Array) -> Array:
        """Return how far along a ray of the world its surface is met [m], the nearest first."""
        turn = self.frame[:, :3].T
        corners = _corners(self.body.positions, self.body.triangles)
        return crossings(turn @ (origin - self.frame[:, 3]), turn @ way, corners)


@lru_cache(maxsize=8)
def _corners(positions: Blob, triangles: Blob) -> Array:
    """Return the corners of a surface's triangles [m]; kept, since each move of the pointer sends a ray."""
    found: Array = positions.array.astype(np.float64)[triangles.array]
    return found

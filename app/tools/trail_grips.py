"""Trail grips: the parts of trails on screen that can be dragged: keys, and the tangents of those at the present."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.scene.trail_handles import TAKEN, Side, TrailHandle
from engine.ik.goals import Spot
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.scene.camera import Array, Camera, Size, Vector
    from engine.model import Trail, TrailPicture

SMOOTH = 1e-3  # share of its speed by which a point may leave a key otherwise than it came


@dataclass(frozen=True)
class TrailKey:
    """A key of a trail, and its position [m]."""

    spot: Spot
    time: int
    place: Vector


@dataclass(frozen=True)
class TrailTangent:
    """A side of a key, and the velocity of its point there."""

    key: TrailKey
    side: Side
    velocity: Vector  # [m/s]
    reach: float  # [s]
    way: Vector  # [m] the next place of the trail on that side
    smooth: bool  # whether the other side goes the same way

    @property
    def handle(self) -> TrailHandle:
        """The handle that is drawn for it."""
        place = _vector(np.array(self.key.place) + self._sign * self.reach * np.array(self.velocity))
        return TrailHandle(key=self.key.place, place=place, way=self.way, side=self.side)

    def pulled_to(self, place: Vector) -> Vector:
        """Return the velocity [m/s] for its handle at a place [m]."""
        return _vector((np.array(place) - self.key.place) * (self._sign / self.reach))

    @property
    def _sign(self) -> float:
        return -1.0 if self.side == "in" else 1.0


def tangents_in(picture: TrailPicture | None) -> tuple[TrailTangent, ...]:
    """Return the tangents that can be bent."""
    return tuple(each for trail in picture.trails for each in _tangents(trail)) if picture is not None else ()


def key_at(picture: TrailPicture | None, camera: Camera, pixel: tuple[float, float], size: Size) -> TrailKey | None:
    """Return the key nearest to a pixel within reach."""
    best, found = TAKEN, None
    for trail in picture.trails if picture is not None else ():
        keyed = np.flatnonzero(trail.keyed)
        if not len(keyed):
            continue
        seen = camera.project(trail.points[keyed].astype(float), size)
        away = np.hypot(seen[:, 0] - pixel[0], seen[:, 1] - pixel[1])
        if not camera.orthographic:
            away[seen[:, 2] <= 0.0] = np.inf
        nearest = int(np.argmin(away))
        if away[nearest] < best:
            best, found = float(away[nearest]), _key(trail, int(keyed[nearest]))
    return found


def _tangents(trail: Trail) -> Iterator[TrailTangent]:
    tangents, sides = trail.tangents, ("in", "out")
    number = int(np.searchsorted(trail.times, tangents.time)) if tangents is not None else 0
    if tangents is None or number == len(trail.times) or trail.times[number] != tangents.time:
        return
    arriving, leaving = tangents.velocities
    both = min(tangents.reach) > 0.0
    smooth = both and np.linalg.norm(leaving - arriving) <= SMOOTH * max(1.0, float(np.linalg.norm(leaving)))
    for side, velocity, reach, beside in zip(
        sides, tangents.velocities, tangents.reach, (number - 1, number + 1), strict=True
    ):
        if reach > 0.0:
            way = _vector(trail.points[min(max(beside, 0), len(trail.times) - 1)])
            yield TrailTangent(
                _key(trail, number),
                "in" if side == "in" else "out",
                _vector(velocity),
                reach,
                way,
                bool(smooth),
            )


def _key(trail: Trail, number: int) -> TrailKey:
    spot = Spot(actor=trail.owner, joint=trail.part, point=trail.point)
    return TrailKey(spot, int(trail.times[number]), _vector(trail.points[number]))


def _vector(numbers: Array | NDArray[np.float32]) -> Vector:
    x, y, z = (float(each) for each in numbers)
    return (x, y, z)

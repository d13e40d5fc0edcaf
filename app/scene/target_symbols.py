"""Target symbols: the goals of secondary motion, as a ring about the place, and a line from where the body is then.

A ring is large enough for the marker of a handle to stand in it and be taken, too. One of the present is bright,
one of another time faint. No Qt, no OpenGL.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.scene.camera import Camera, Size, Vector
from app.scene.manipulator import Triple
from app.scene.markers import GRAB, Marker, PlacedMarker

Shape = Literal["point", "pose", "turn"]
RING = 9.5  # [logical px] radius of a symbol
TAKEN = 14.0  # [logical px] from its middle within which a symbol is hit


@dataclass(frozen=True, kw_only=True)
class TargetSymbol:
    """A target at one time: the wanted place and the place that is reached."""

    owner: str  # id of the actor
    target: str  # id of the target
    id: str  # of this one of its times
    name: str
    part: str  # id of the joint
    shape: Shape
    place: Vector  # [m] where it is wanted
    at: Vector  # [m] where the body is then
    axes: Triple | None = None  # of a turn, as they are wanted
    now: bool = True  # whether it is of the time that is shown
    chosen: bool = False
    missed: str = ""  # by how much; empty where it is met


def place_symbols(symbols: Iterable[TargetSymbol]) -> tuple[PlacedMarker, ...]:
    """Return the symbols as markers over the views."""
    return tuple(
        PlacedMarker(
            Marker(
                owner=each.owner,
                id=each.id,
                name=each.name,
                part=each.part,
                point=(0.0, 0.0, 0.0),
                missed=each.missed,
                target=each,
            ),
            each.place,
        )
        for each in symbols
    )


def target_at(
    markers: Iterable[PlacedMarker], camera: Camera, pixel: tuple[float, float], size: Size
) -> PlacedMarker | None:
    """Return the symbol nearest to a pixel within reach; one of the present before others, where several are about
    there."""
    best, found = (TAKEN, True), None
    for each in markers:
        symbol = each.marker.target
        if symbol is None:
            continue
        x, y, depth = camera.project(np.array(each.place), size).tolist()
        away = float(np.hypot(x - pixel[0], y - pixel[1]))
        rank = (max(away - GRAB, 0.0), not symbol.now)
        if (camera.orthographic or depth > 0.0) and away <= TAKEN and (found is None or rank < best):
            best, found = rank, each
    return found

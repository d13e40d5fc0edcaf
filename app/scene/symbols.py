"""Overlay symbols: small pictures over the views that stand for something on a body, with lines that say more of it.

A ring is large enough for the marker of a handle to stand in it and be taken, too. What is of another time, or left
out, is faint. No Qt, no OpenGL.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from app.scene.camera import Camera, Size, Vector
from app.scene.markers import GRAB, Marker, PlacedMarker
from engine.runtime.quick_dataclass import dataclass

Shape = Literal["padlock", "arrow", "ring", "spot", "spring", "point", "pose", "turn", "demand"]
RING = 9.5  # [logical px] radius of a ring about a place
TAKEN = 14.0  # [logical px] from its middle within which that is hit
BESIDE = (7.5, -7.0)  # [logical px] from its place to the middle of a small picture, which stands beside it
RINGS: tuple[Shape, ...] = ("point", "pose", "turn", "demand")


@dataclass(frozen=True, kw_only=True)
class Symbol:
    """One symbol."""

    of: str  # the feature that takes it
    owner: str  # id of the actor
    id: str
    name: str
    part: str  # id of the joint
    shape: Shape
    place: Vector  # [m]
    state: Literal["plain", "missed", "faint"] = "plain"
    missed: str = ""  # by how much what it stands for is missed
    label: str = ""  # stands beside it always
    goal: Vector | None = None  # [m] where that is wanted
    at: Vector | None = None  # [m] from where a line in the colour of a warning leads to it
    axes: tuple[tuple[str, Vector], ...] = ()  # letters and directions of short lines
    ends: tuple[Vector, Vector] | None = None  # [m] between which a coil is drawn
    normal: Vector | None = None  # of a plane, as a square
    along: Vector | None = None  # a line
    middle: Vector | None = None  # [m] of that square or line
    plumb: bool = False  # whether a line leads down to the floor
    chosen: bool = False
    quiet: bool = False  # whether it tells by how much only where the pointer is


def placed(symbols: Iterable[Symbol]) -> tuple[PlacedMarker, ...]:
    """Return symbols as markers over the views."""
    return tuple(
        PlacedMarker(
            Marker(
                owner=each.owner, id=each.id, name=each.name, part=each.part, point=(0.0, 0.0, 0.0), goal=each.goal,
                missed=each.missed, symbol=each,
            ),
            each.place,
        )
        for each in symbols
    )  # fmt: skip


def symbol_at(
    markers: Iterable[PlacedMarker], camera: Camera, pixel: tuple[float, float], size: Size, *, of: str
) -> PlacedMarker | None:
    """Return the symbol of a feature nearest to a pixel within reach; of several rings about there one that is not
    quiet."""
    best, found = (TAKEN, True, TAKEN), None
    for each in markers:
        symbol = each.marker.symbol
        if symbol is None or symbol.of != of:
            continue
        x, y, depth = camera.project(np.array(each.place), size).tolist()
        ring = symbol.shape in RINGS
        beside = ((0.0, 0.0),) if ring or symbol.shape in ("spot", "spring") else ((0.0, 0.0), BESIDE)
        away = min(float(np.hypot(x + right - pixel[0], y + down - pixel[1])) for right, down in beside)
        rank = (max(away - GRAB, 0.0), symbol.quiet, away)
        seen = camera.orthographic or depth > 0.0
        if seen and away <= (TAKEN if ring else GRAB) and (found is None or rank < best):
            best, found = rank, each
    return found

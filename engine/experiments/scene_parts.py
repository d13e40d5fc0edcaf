"""Pictures as parts that scene files name: rigid meshes that are placed in each frame, surfaces, balls and rods.

Shared by the writers of RenderMan's RIB (`rib.py`) and of POV-Ray (`povray.py`). World axes are the engine's: metres, y
up, right-handed; both writers turn them to what their renderer expects.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.document.values import Vector3
from engine.maths.arrays import Array, IntArray
from engine.model.meshes import Mesh
from engine.model.snapshot import Arrows, Bodies, LineSet, Points, SkinSurface, Snapshot
from engine.runtime.errors import InvalidArguments

PLAIN = (0.78, 0.78, 0.76)
_DRAWN = ("result", "force")
ItemT = TypeVar("ItemT", Bodies, SkinSurface, Points, LineSet, Arrows)
_THIN = 0.004  # [m] radius of lines and of spots


@dataclass(frozen=True)
class SceneLook:
    """From where a scene is looked at, and how large its picture is."""

    eye: Vector3 = (1.6, 0.9, 1.6)  # [m]
    target: Vector3 = (0.0, 0.25, 0.0)
    angle: float = math.radians(36.0)  # that the picture is wide
    size: tuple[int, int] = (640, 360)  # [px]

    def __post_init__(self) -> None:
        away = np.subtract(self.target, self.eye)
        if not 0.0 < self.angle < math.pi or min(self.size) < 1 or not np.hypot(away[0], away[2]) > 1e-9:
            value = (self.eye, self.target, self.angle, self.size)
            allowed = "a view that is not straight down, below 180 degrees, of a pixel or more"
            raise InvalidArguments(what="the view of a scene", value=value, allowed=allowed)

    @property
    def axes(self) -> Array:
        """Right, up and ahead, as rows."""
        ahead = np.subtract(self.target, self.eye)
        ahead = ahead / np.linalg.norm(ahead)
        right = np.cross(ahead, (0.0, 1.0, 0.0))
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(right, ahead), ahead])


@dataclass(frozen=True, eq=False)
class ScenePart:
    """A rigid mesh in its own frame."""

    positions: Array  # [m], [vertices, 3]
    normals: Array
    triangles: IntArray  # counter-clockwise seen from outside
    colour: Vector3


@dataclass(frozen=True, eq=False)
class SceneFrame:
    """Parts and loose things as they stand at one time."""

    placed: tuple[tuple[int, Array], ...]  # number of a part, and its frame [3, 4] in the world
    surfaces: tuple[ScenePart, ...]  # in the world
    balls: Array  # centres and radii [m], [count, 4]
    rods: Array  # both ends and radii, [count, 7]


@dataclass(frozen=True, eq=False)
class PlacedParts:
    """Some frames, and the parts that they place."""

    parts: tuple[ScenePart, ...]
    frames: tuple[SceneFrame, ...]


def scenery_of(snapshots: Sequence[Snapshot]) -> PlacedParts:
    """Read pictures: bodies and skins of what is simulated or keyed, forces as rods, spots as balls."""
    known, parts = dict[tuple[str, str, int], int](), list[ScenePart]()
    frames = list[SceneFrame]()
    for snapshot in snapshots:
        colours = {each.owner: _colour(each.colour) for each in snapshot.finishes}
        placed = list[tuple[int, Array]]()
        for bodies in _seen(snapshot.of(Bodies)):
            for body, frame in enumerate(bodies.transforms):
                key = (bodies.owner, bodies.mesh.digest, body)
                if key not in known and (bodies.mesh.body == body).any():
                    known[key] = len(parts)
                    parts.append(_part(bodies.mesh, body, colours.get(bodies.owner, PLAIN)))
                if key in known:
                    placed.append((known[key], frame.astype(np.float64)))
        frames.append(SceneFrame(tuple(placed), *_loose(snapshot, colours)))
    return PlacedParts(tuple(parts), tuple(frames))


def _loose(snapshot: Snapshot, colours: dict[str, Vector3]) -> tuple[tuple[ScenePart, ...], Array, Array]:
    surfaces = tuple(
        ScenePart(_wide(each.positions), _wide(each.normals), each.triangles, colours.get(each.owner, PLAIN))
        for each in _seen(snapshot.of(SkinSurface))
    )
    spots = [each.positions for each in _seen(snapshot.of(Points))]
    ends = [each.positions[each.ends].reshape(-1, 6) for each in _seen(snapshot.of(LineSet))]
    ends += [np.concatenate([each.starts, each.starts + each.vectors], axis=1) for each in _seen(snapshot.of(Arrows))]
    return surfaces, _with_radius(spots, 3), _with_radius(ends, 6)


def _seen(items: Iterable[ItemT]) -> list[ItemT]:
    return [each for each in items if each.role in _DRAWN and each.visible]


def _with_radius(rows: list[Any], width: int) -> Array:
    joined = np.concatenate([np.zeros((0, width)), *rows])
    return np.concatenate([joined, np.full((len(joined), 1), _THIN)], axis=1)


def _part(mesh: Mesh, body: int, colour: Vector3) -> ScenePart:
    own = np.flatnonzero(mesh.body == body)
    renumbered = np.full(len(mesh.body), -1, dtype=np.int32)
    renumbered[own] = np.arange(len(own))
    triangles = renumbered[mesh.triangles.astype(np.int64)]
    return ScenePart(
        _wide(mesh.positions[own]), _wide(mesh.normals[own]), triangles[(triangles >= 0).all(axis=1)], colour
    )


def _wide(rows: NDArray[np.float32]) -> Array:
    return rows.astype(np.float64)


def _colour(text: str) -> Vector3:
    if not text:
        return PLAIN
    red, green, blue = (int(text[at : at + 2], 16) / 255.0 for at in (1, 3, 5))
    return red, green, blue


def numbers(values: Iterable[float]) -> str:
    """Write numbers that stand beside each other."""
    return " ".join(f"{float(value):.6g}" for value in values)

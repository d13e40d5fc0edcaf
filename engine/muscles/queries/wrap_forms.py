"""Forms of wraps as triangles in the frame of their joint, for whoever draws or picks them. No kernel.

A cylinder is open at both ends; one without end is drawn `ENDLESS` times as long as its radius.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.maths.quaternions import turned
from engine.muscles.parts import MuscleWrap
from engine.runtime.quick_dataclass import dataclass

AROUND, ALONG = 32, 16  # sides of what is round
ENDLESS = 8.0
_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class WrapForm:
    """The surface of a wrap."""

    positions: NDArray[np.float32]  # [m] in the joint's frame, shape [vertex_count, 3]
    normals: NDArray[np.float32]  # unit, outward
    triangles: NDArray[np.int32]  # counter-clockwise from outside


@lru_cache(maxsize=512)
def wrap_form(wrap: MuscleWrap) -> WrapForm:
    """Make the surface of a wrap."""
    places, normals, rows = _MAKERS[wrap.shape](wrap)
    turn = np.array([turned(wrap.rotation, axis) for axis in (_X, _Y, _Z)])  # a row for each axis of the wrap
    positions = places @ turn + np.array(wrap.centre)
    return WrapForm(positions.astype(np.float32), (normals @ turn).astype(np.float32), _triangles(places, rows))


def shown_length(wrap: MuscleWrap) -> float:
    """Return how long a cylinder is drawn [m]."""
    return ENDLESS * wrap.radii[0] if wrap.length is None else wrap.length


def sizes_of(wrap: MuscleWrap) -> dict[str, tuple[str, Vector3, Vector3]]:
    """Give of each size that may be set its name, a place on the surface that is as far out, and the way along which it
    grows, both in the joint's frame; the place from which it is counted is as far back as the size is."""
    r = wrap.radii
    own: dict[str, tuple[str, Vector3, Vector3]]
    if wrap.shape == "ellipsoid":
        own = {
            name: (f"radius along {letter}", (r[at] * way[0], r[at] * way[1], r[at] * way[2]), way)
            for at, (name, letter, way) in enumerate(
                (("first", "X", _X), ("second", "Y", _Y), ("third", "Z", _Z)),
            )
        }
    elif wrap.shape == "torus":
        own = {"first": ("ring", (r[0], 0.0, 0.0), _X), "second": ("tube", (r[0], 0.0, r[1]), _Z)}
    else:
        own = {"first": ("radius", (r[0], 0.0, 0.0), _X)}
        if wrap.shape == "cylinder" and wrap.length is not None:
            own["length"] = ("length", (0.0, 0.0, 0.5 * wrap.length), _Z)
    return {name: (words, _at(wrap, place), turned(wrap.rotation, way)) for name, (words, place, way) in own.items()}


def _at(wrap: MuscleWrap, place: Vector3) -> Vector3:
    x, y, z = turned(wrap.rotation, place)
    return (x + wrap.centre[0], y + wrap.centre[1], z + wrap.centre[2])


_Made = tuple[Array, Array, int]
"""Places and normals in the frame of the wrap, in rows of `AROUND` that lie one beyond the other; how many rows."""


def _circle() -> tuple[Array, Array]:
    angles = 2.0 * np.pi * np.arange(AROUND) / AROUND
    return np.cos(angles), np.sin(angles)


def _round(wrap: MuscleWrap) -> _Made:
    """An ellipsoid from its lower pole to its upper one; a sphere is one of equal radii."""
    radii = np.array(wrap.radii if wrap.shape == "ellipsoid" else 3 * wrap.radii[:1])
    cosine, sine = _circle()
    down = np.linspace(-0.5 * np.pi, 0.5 * np.pi, ALONG + 1)[:, None]
    unit = np.stack(np.broadcast_arrays(np.cos(down) * cosine, np.cos(down) * sine, np.sin(down)), axis=-1)
    unit = unit.reshape(-1, 3)
    normals = unit / radii
    return unit * radii, normals / np.linalg.norm(normals, axis=1, keepdims=True), ALONG + 1


def _cylinder(wrap: MuscleWrap) -> _Made:
    radius, half = wrap.radii[0], 0.5 * shown_length(wrap)
    cosine, sine = _circle()
    flat = np.stack((cosine, sine, np.zeros(AROUND)), axis=-1)
    ends = [radius * flat + (0.0, 0.0, height) for height in (-half, half)]
    return np.concatenate(ends), np.concatenate((flat, flat)), 2


def _torus(wrap: MuscleWrap) -> _Made:
    ring, tube = wrap.radii
    cosine, sine = _circle()
    about = 2.0 * np.pi * np.arange(ALONG + 1)[:, None] / ALONG - np.pi
    out, up = np.cos(about), np.sin(about)
    normals = np.stack(np.broadcast_arrays(out * cosine, out * sine, up), axis=-1).reshape(-1, 3)
    middles = np.stack((ring * cosine, ring * sine, np.zeros(AROUND)), axis=-1)
    return np.tile(middles, (ALONG + 1, 1)) + tube * normals, normals, ALONG + 1


_MAKERS = {"sphere": _round, "ellipsoid": _round, "cylinder": _cylinder, "torus": _torus}


def _triangles(places: Array, rows: int) -> NDArray[np.int32]:
    """Join the rows; without what has no area at poles."""
    row, side = np.meshgrid(np.arange(rows - 1), np.arange(AROUND), indexing="ij")
    here, beside = row * AROUND + side, row * AROUND + (side + 1) % AROUND
    both = np.stack((here, beside, beside + AROUND, here, beside + AROUND, here + AROUND), axis=-1)
    found = both.reshape(-1, 3)
    corners = places[found]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    kept: NDArray[np.int32] = found[np.linalg.norm(across, axis=1) > 1e-15].astype(np.int32)
    return kept

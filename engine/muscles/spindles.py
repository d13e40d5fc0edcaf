"""Muscles as smooth spindles, to be drawn: a belly that keeps its volume as it shortens, between two thin tendons.

A belly has the volume V = (F0 / sigma) l0 of its fibres, sigma being `TENSION`, the force of a square metre of muscle:
a choice of ours, within the 0.2 to 1 MPa that models take, and for the eye alone. Its length b along the path is that
of the fibres, and as much of the tendon as makes a muscle of such a volume `SLENDER` times longer than it is wide, for
fibres that lie aslant; it shortens by as much as the path does. With u from 0 to 1 along the belly and t the radius of
the tendon,

    r(u)^2 = t^2 + R^2 sin^2(pi u),   R^2 = 2 V / (pi b),

so that what is more than tendon has the volume V exactly, and the outline has no corner where it begins.

Each spindle has `Rings` along its path, each of so many sides, that lie across the smoothed path. Of each ring a row of
its spine holds what may be drawn instead: middle [m], radius [m], unit direction along the path, and by how much the
radius grows along it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.muscles.parts import Muscles
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass

Floats32 = NDArray[np.float32]

TENSION = 0.6e6  # [Pa]
SLENDER = 6.0  # length of a belly over its largest radius, at least, where its tendon is long enough
TENDON_SHARE, LEAST_TENDON, MOST_TENDON = 0.16, 0.0012, 0.005  # radius beside the belly's at rest; [m]
ROOM = 0.94  # share of a path that a belly may take
LEAST_BELLY = 0.12  # share of a path that it takes at least
# Per muscle in `forms`: volume [m3], tendon's length [m], what of the tendon the belly covers [m], tendon's radius [m],
# the least length of its fibres [m].
VOLUME, TENDON, OVER, THIN, LEAST = range(5)
FORM = 5
SPINE = 8  # numbers of a ring's row
MANY = 120  # muscles of a figure from which on each has fewer rings and sides


@dataclass(frozen=True)
class Rings:
    """How finely spindles are drawn."""

    tendon: int  # rings of each tendon, its end among them
    belly: int
    sides: int

    @property
    def count(self) -> int:
        """Rings of a spindle."""
        return 2 * self.tendon + self.belly

    @property
    def vertex_count(self) -> int:
        """Vertices of a spindle."""
        return self.count * self.sides


def rings_for(count: int) -> Rings:
    """Return how finely as many muscles are drawn."""
    return Rings(6, 17, 14) if count <= MANY else Rings(2, 7, 6)


def spindle_forms(muscles: Muscles) -> Array:
    """Return what the spindles of muscles are made of, shape [muscle_count, FORM]."""
    forms = np.zeros((len(muscles.muscles), FORM))
    for row, each in zip(forms, muscles.muscles, strict=True):
        volume = each.force / TENSION * each.fibre
        along = each.fibre * math.cos(each.pennation)
        slender = (2.0 * SLENDER * SLENDER * volume / math.pi) ** (1.0 / 3.0)
        over = min(max(slender - along, 0.0), 0.8 * each.tendon)
        thick = math.sqrt(2.0 * volume / (math.pi * (along + over)))
        thin = min(max(TENDON_SHARE * thick, LEAST_TENDON), MOST_TENDON)
        row[:] = volume, each.tendon, over, min(thin, 0.6 * thick), 0.3 * along
    return forms


def few_rings(rings: Rings) -> IntArray:
    """Return the rings of a spindle that do from afar: the ends, where the belly begins and ends, and every other one
    of it from the middle."""
    belly = np.arange(rings.tendon, rings.tendon + rings.belly)
    found = np.unique([0, rings.count - 1, belly[0], belly[-1], *belly[len(belly) // 2 % 2 :: 2]])
    return found.astype(np.int32)


def spindle_triangles(count: int, rings: Rings) -> IntArray:
    """Return the triangles of all spindles, counter-clockwise from outside, shape [triangle_count, 3]."""
    ring, side = np.meshgrid(np.arange(rings.count - 1), np.arange(rings.sides), indexing="ij")
    here, beside = ring * rings.sides + side, ring * rings.sides + (side + 1) % rings.sides
    one = np.stack((here, beside, beside + rings.sides, here, beside + rings.sides, here + rings.sides), axis=-1)
    one = one.reshape(-1, 3)
    return (one[None] + (np.arange(count) * rings.vertex_count)[:, None, None]).reshape(-1, 3).astype(np.int32)


def spindle_sinew(rings: Rings) -> Floats32:
    """Return how much each vertex of a spindle is tendon: 1 along tendons, 0 in the middle of the belly."""
    flesh = np.sin(np.pi * (np.arange(rings.belly) + 0.5) / rings.belly)
    along = np.concatenate((np.zeros(rings.tendon), np.clip(2.2 * flesh - 0.2, 0.0, 1.0), np.zeros(rings.tendon)))
    return np.repeat(1.0 - along, rings.sides).astype(np.float32)


@borrowing
@kernel
def write_belly(forms: Array, muscle: int, length: float, out: Array) -> None:
    """Write where a belly begins and ends along a path of that length [m], and R^2 [m2]."""
    at = muscle * FORM
    belly = max(length - forms[at + TENDON], forms[at + LEAST]) + forms[at + OVER]
    belly = min(max(belly, LEAST_BELLY * length), ROOM * length)
    out[0], out[1] = 0.5 * (length - belly), 0.5 * (length + belly)
    out[2] = 2.0 * forms[at + VOLUME] / (math.pi * max(belly, 1e-6))


@borrowing
@kernel
def place_rings(
    points: Array, start: int, end: int, rings: IntArray, belly: Array, thin: float, out_rings: Array
) -> None:
    """Write the middles and radii of a spindle's rings along a path, shape [ring_count, 4]."""
    tendons, flesh = rings[0], rings[1]
    count = 2 * tendons + flesh
    before, step, number, at = 0.0, 0.0, 0, 0.0
    first, last, square, length = belly[0], belly[1], belly[2], belly[3]
    for place in range(start, end - 1):
        step = math.sqrt(
            (points[place + 1, 0] - points[place, 0]) ** 2
            + (points[place + 1, 1] - points[place, 1]) ** 2
            + (points[place + 1, 2] - points[place, 2]) ** 2
        )
        final = place == end - 2
        while number < count:
            u = 0.0
            if number < tendons:
                at = first * number / tendons
            elif number < tendons + flesh:
                u = (number - tendons + 0.5) / flesh
                at = first + u * (last - first)
            else:
                at = last + (length - last) * (number - tendons - flesh + 1.0) / tendons
            if at > before + step and not final:
                break
            share = min(max((at - before) / max(step, 1e-12), 0.0), 1.0)
            for line in range(3):
                out_rings[number, line] = points[place, line] + share * (points[place + 1, line] - points[place, line])
            wide = math.sin(math.pi * u)
            radius = math.sqrt(thin * thin + square * wide * wide)
            out_rings[number, 3] = 0.25 * thin if number == 0 or number == count - 1 else radius
            number += 1
        before += step


@borrowing
@kernel
def write_spindle(
    out_rings: Array, count: int, round: Array, first: int, out_spine: Floats32, out_positions: Floats32,
    out_normals: Floats32,
) -> None:  # fmt: skip
    """Write the spine of a spindle, and the vertices around its rings, from ring `first` on. `round`: cosines and sines
    of its sides, as much larger as suits them."""
    sides = round.shape[0]
    unit = 1.0 / math.sqrt(round[0, 0] ** 2 + round[0, 1] ** 2)
    ax, ay, az = 0.0, 0.0, 0.0
    for ring in range(count):
        low, high = max(ring - 1, 0), min(ring + 1, count - 1)
        tx = out_rings[high, 0] - out_rings[low, 0]
        ty = out_rings[high, 1] - out_rings[low, 1]
        tz = out_rings[high, 2] - out_rings[low, 2]
        way = math.sqrt(tx * tx + ty * ty + tz * tz)
        scale = 1.0 / max(way, 1e-12)
        tx, ty, tz = scale * tx, scale * ty, scale * tz
        if ring == 0:
            if abs(tx) <= abs(ty) and abs(tx) <= abs(tz):
                ax, ay, az = 1.0, 0.0, 0.0
            elif abs(ty) <= abs(tz):
                ax, ay, az = 0.0, 1.0, 0.0
            else:
                ax, ay, az = 0.0, 0.0, 1.0
        # The side of the ring before, turned as little as the path does.
        along = ax * tx + ay * ty + az * tz
        ax, ay, az = ax - along * tx, ay - along * ty, az - along * tz
        norm = 1.0 / max(math.sqrt(ax * ax + ay * ay + az * az), 1e-12)
        ax, ay, az = norm * ax, norm * ay, norm * az
        bx, by, bz = ty * az - tz * ay, tz * ax - tx * az, tx * ay - ty * ax
        steep = (out_rings[high, 3] - out_rings[low, 3]) * scale
        flat = 1.0 / math.sqrt(1.0 + steep * steep)
        radius, place = out_rings[ring, 3], first + ring
        out_spine[place, 0], out_spine[place, 1], out_spine[place, 2] = (
            out_rings[ring, 0],
            out_rings[ring, 1],
            out_rings[ring, 2],
        )
        out_spine[place, 3], out_spine[place, 7] = radius, steep
        out_spine[place, 4], out_spine[place, 5], out_spine[place, 6] = tx, ty, tz
        for side in range(sides):
            c, s = round[side, 0], round[side, 1]
            nx, ny, nz = c * ax + s * bx, c * ay + s * by, c * az + s * bz
            vertex = place * sides + side
            out_positions[vertex, 0] = out_rings[ring, 0] + radius * nx
            out_positions[vertex, 1] = out_rings[ring, 1] + radius * ny
            out_positions[vertex, 2] = out_rings[ring, 2] + radius * nz
            out_normals[vertex, 0] = flat * (unit * nx - steep * tx)
            out_normals[vertex, 1] = flat * (unit * ny - steep * ty)
            out_normals[vertex, 2] = flat * (unit * nz - steep * tz)


@borrowing
@kernel
def write_spindles(
    points: Array, starts: IntArray, forms: Array, rings: IntArray, round: Array, work: Array,
    out_spine: Floats32, out_positions: Floats32, out_normals: Floats32,
) -> None:  # fmt: skip
    """Write the spines and vertices of all spindles. `rings`: rings of a tendon and of a belly; `work`: shape
    [rings + 1, 4]."""
    count = 2 * rings[0] + rings[1]
    belly = work[count]
    for muscle in range(starts.shape[0] - 1):
        start, end = starts[muscle], starts[muscle + 1]
        length = 0.0
        for place in range(start, end - 1):
            length += math.sqrt(
                (points[place + 1, 0] - points[place, 0]) ** 2
                + (points[place + 1, 1] - points[place, 1]) ** 2
                + (points[place + 1, 2] - points[place, 2]) ** 2
            )
        write_belly(forms, muscle, length, belly)
        belly[3] = length
        place_rings(points, start, end, rings, belly, forms[muscle * FORM + THIN], work)
        write_spindle(work, count, round, muscle * count, out_spine, out_positions, out_normals)

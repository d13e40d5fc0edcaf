"""Paths of muscles as points in the world, to be drawn: where they go, around wraps too.

A path is traced as `engine.muscles.paths` measures it; between the two points at which it touches a wrap it gets `ARC`
more. On spheres these lie on the great circle, on cylinders on the helix, on ellipsoids where the great circle of the
scaled sphere is, on tori on the tube beside the chord: the last two are near the geodesic and for the eye alone.

Buffers as `measure_paths` has them, of paths that were compiled `whole`. out_points [m], shape [at most
`most_traced`, 3]; out_starts: where each muscle's begin, and after the last, shape [muscle_count + 1].
"""

from __future__ import annotations

import math

from engine.maths.arrays import Array, IntArray
from engine.muscles.compile import MusclePaths
from engine.muscles.layout import (
    CYLINDER,
    ELLIPSOID,
    HEADER,
    MUSCLE_COUNT,
    MUSCLE_STRIDE,
    POINT_END,
    POINT_INTS,
    POINT_START,
    POINT_STRIDE,
    TORUS,
    WRAP_END,
    WRAP_FLOATS,
    WRAP_ROW,
    WRAP_SHAPE,
    WRAP_START,
)
from engine.muscles.paths import (
    BEFORE,
    BENT,
    BENT_SIZE,
    GIVEN,
    HERE,
    LINE,
    bend_stretch,
    from_wrap,
    gather_wraps,
    locate_point,
    to_wrap,
)
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

ARC = 7


def most_traced(paths: MusclePaths) -> int:
    """How many points all paths may have."""
    muscles = paths.muscles.muscles
    return sum(len(each.points) + (len(each.points) - 1) * len(each.wraps) * (ARC + 2) for each in muscles)


@borrowing
@kernel
def place_on_round(work: Array, a: float, b: float, c: float, arc: float, share: float) -> None:
    """Write at GIVEN a point of the way from LINE to LINE + 3 over an ellipsoid of these radii."""
    ax, ay, az = work[LINE] / a, work[LINE + 1] / b, work[LINE + 2] / c
    bx, by, bz = work[LINE + 3] / a, work[LINE + 4] / b, work[LINE + 5] / c
    along = min(max(ax * bx + ay * by + az * bz, -1.0), 1.0)
    px, py, pz = bx - along * ax, by - along * ay, bz - along * az
    norm = max(math.sqrt(px * px + py * py + pz * pz), 1e-12)
    short = math.acos(along)
    size = (a + b + c) / 3.0
    # The string goes the longer way around where its length says so.
    sweep = short if abs(arc - size * short) <= abs(arc - size * (2.0 * math.pi - short)) else short - 2.0 * math.pi
    cosine, sine = math.cos(share * sweep), math.sin(share * sweep) / norm
    work[GIVEN] = a * (cosine * ax + sine * px)
    work[GIVEN + 1] = b * (cosine * ay + sine * py)
    work[GIVEN + 2] = c * (cosine * az + sine * pz)


@borrowing
@kernel
def place_on_cylinder(work: Array, radius: float, arc: float, share: float) -> None:
    """Write at GIVEN a point of the helix from LINE to LINE + 3."""
    start, rise = math.atan2(work[LINE + 1], work[LINE]), work[LINE + 5] - work[LINE + 2]
    turn = math.atan2(work[LINE + 4], work[LINE + 3]) - start
    turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5)
    around = math.sqrt(max(arc * arc - rise * rise, 0.0)) / radius
    if abs(around - abs(turn)) > abs(around - (2.0 * math.pi - abs(turn))):
        turn -= math.copysign(2.0 * math.pi, turn)
    work[GIVEN], work[GIVEN + 1] = radius * math.cos(start + share * turn), radius * math.sin(start + share * turn)
    work[GIVEN + 2] = work[LINE + 2] + share * rise


@borrowing
@kernel
def place_on_torus(work: Array, ring: float, tube: float, share: float) -> None:
    """Write at GIVEN a point of the chord from LINE to LINE + 3, pushed out of the tube of a torus."""
    x = work[LINE] + share * (work[LINE + 3] - work[LINE])
    y = work[LINE + 1] + share * (work[LINE + 4] - work[LINE + 1])
    z = work[LINE + 2] + share * (work[LINE + 5] - work[LINE + 2])
    across = max(math.sqrt(x * x + y * y), 1e-12)
    beside = across - ring
    away = max(math.sqrt(beside * beside + z * z), 1e-12)
    scale = max(tube / away, 1.0)
    out = (ring + scale * beside) / across
    work[GIVEN], work[GIVEN + 1], work[GIVEN + 2] = out * x, out * y, scale * z


@borrowing
@kernel
def trace_bend(
    ints: IntArray, floats: Array, state: Array, work: Array, bent: int, out_points: Array, count: int
) -> int:
    """Write the points at which a path lies on a wrap; return how many points there are then."""
    wrap = int(work[bent + 8])
    row, at, shape = ints[wrap + WRAP_ROW], ints[wrap + WRAP_FLOATS], ints[wrap + WRAP_SHAPE]
    arc = work[bent + 7]
    to_wrap(state, row, floats, at, work, bent + 1, work, LINE)
    to_wrap(state, row, floats, at, work, bent + 4, work, LINE + 3)
    for number in range(ARC + 2):
        share = number / (ARC + 1.0)
        if shape == CYLINDER:
            place_on_cylinder(work, floats[at], arc, share)
        elif shape == TORUS:
            place_on_torus(work, floats[at], floats[at + 1], share)
        elif shape == ELLIPSOID:
            place_on_round(work, floats[at], floats[at + 1], floats[at + 2], arc, share)
        else:
            place_on_round(work, floats[at], floats[at], floats[at], arc, share)
        from_wrap(state, row, floats, at, work, GIVEN, work, GIVEN + 3)
        for line in range(3):
            out_points[count, line] = work[GIVEN + 3 + line]
        count += 1
    return count


@borrowing
@kernel
def trace_paths(
    ints: IntArray, floats: Array, state: Array, q: Array, work: Array, out_points: Array, out_starts: IntArray
) -> None:
    """Write the points of all paths, each from its origin to its insertion."""
    count = 0
    for number in range(ints[MUSCLE_COUNT]):
        muscle = HEADER + number * MUSCLE_STRIDE
        start, wraps, wraps_end = ints[muscle + POINT_START], ints[muscle + WRAP_START], ints[muscle + WRAP_END]
        out_starts[number] = count
        before = -1
        for place in range(ints[muscle + POINT_END] - start):
            point = ints[POINT_INTS] + (start + place) * POINT_STRIDE
            if not locate_point(ints, floats, state, q, point, work, HERE):
                continue
            if before >= 0 and wraps_end > wraps:
                bends = gather_wraps(ints, work, wraps, wraps_end, before, place)
                if bends > 0:
                    bend_stretch(ints, floats, state, work, bends)
                for each in range(bends):
                    if work[BENT + BENT_SIZE * each] > 0.0:
                        count = trace_bend(ints, floats, state, work, BENT + BENT_SIZE * each, out_points, count)
            for line in range(3):
                out_points[count, line] = work[HERE + line]
                work[BEFORE + line] = work[HERE + line]
            count += 1
            before = place
    out_starts[ints[MUSCLE_COUNT]] = count

"""Hulls: the outer triangles of soft bodies, and which of them is nearest to a place (broad phase: boxes, then a grid).

Corners of triangles are spots (`spots.py`). Those near other bodies, near a solid that is to be felt between spots, or
of a body that may touch itself stand in the bins of a hashed grid, once a step. Outlines of flat bodies are triangles
whose last two corners are the same.

A spot meets a triangle of its own body where both face each other, the way between them goes along the normal, and they
were apart at rest: further than NEAR times the size of triangles, and, if the spot lay behind it, as on the other side
of a thin part, than BEHIND times.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

BINS = 1 << 14
FRICTION, SIZE, STIFFNESS, TRAITS = 0, 1, 2, 3
NEAR, BEHIND = 1.5, 4.0
_STEEP = 0.25  # square of the cosine between the way to a triangle and its normal, at least
_TOUCHING = 0.05  # of the size of triangles: so near that the way has no direction


class Hull(NamedTuple):
    """Outer triangles of all bodies."""

    triangles: IntArray  # their corners among the spots, shape [triangle_count, 3]
    bodies: IntArray  # of each triangle
    owners: IntArray  # body of each spot
    traits: Array  # friction of each body, size of its triangles [m], stiffness of contact [N/m]: [body_count, TRAITS]
    meets: IntArray  # whether a body meets another, or itself: shape [body_count, body_count]
    feels: IntArray  # whether it feels edges of solids between its spots, shape [body_count]
    folded: IntArray  # room: whether a spot is near to another part of its body, shape [spot_count]
    rest: Array  # [m] of all spots, shape [3 spot_count]
    places: Array  # room: of all spots
    speeds: Array  # room: of all spots
    normals: Array  # room: of all spots
    boxes: Array  # room: lower and upper corner of each body, shape [body_count, 6]
    felt: Array  # room: of what is to be felt of solids within it, shape [body_count, 6]


class TriangleBins(NamedTuple):
    """Triangles by where they are."""

    bins: IntArray  # where those of each bin begin, shape [BINS + 1]
    listed: IntArray


@kernel
def find_normals(hull: Hull) -> None:
    """Compute the normals of spots, weighted by the areas of triangles; not of unit length."""
    n, x = hull.normals, hull.places
    n[:] = 0.0
    for each in range(hull.triangles.shape[0]):
        p, q, r = find_normal(x, hull.triangles[each])
        for corner in range(2 if hull.triangles[each, 1] == hull.triangles[each, 2] else 3):
            at = 3 * hull.triangles[each, corner]
            n[at] += p
            n[at + 1] += q
            n[at + 2] += r


@inlined
def find_normal(x: Array, triangle: IntArray) -> tuple[float, float, float]:
    """Compute the normal of a triangle, twice as long as its area."""
    i, j, k = 3 * triangle[0], 3 * triangle[1], 3 * triangle[2]
    a, b, c = x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]
    if j == k:
        return b, -a, 0.0
    d, e, f = x[k] - x[i], x[k + 1] - x[i + 1], x[k + 2] - x[i + 2]
    return b * f - c * e, c * d - a * f, a * e - b * d


@kernel
def find_place(x: Array, i: int, j: int, k: int, p: Array, out: Array) -> float:
    """Find the nearest place on a triangle, as three weights; the squared distance (Ericson 2005, 5.1.5)."""
    ab0, ab1, ab2 = x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]
    ac0, ac1, ac2 = x[k] - x[i], x[k + 1] - x[i + 1], x[k + 2] - x[i + 2]
    ap0, ap1, ap2 = p[0] - x[i], p[1] - x[i + 1], p[2] - x[i + 2]
    d1, d2 = ab0 * ap0 + ab1 * ap1 + ab2 * ap2, ac0 * ap0 + ac1 * ap1 + ac2 * ap2
    aa, bb, cc = ab0 * ab0 + ab1 * ab1 + ab2 * ab2, ac0 * ac0 + ac1 * ac1 + ac2 * ac2, ab0 * ac0 + ab1 * ac1 + ab2 * ac2
    d3, d4, d5, d6 = d1 - aa, d2 - cc, d1 - cc, d2 - bb
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if j == k:
        share = min(1.0, max(0.0, d1 / max(aa, 1e-300)))
        out[0], out[1], out[2] = 1.0 - share, share, 0.0
    elif d1 <= 0.0 and d2 <= 0.0:
        out[0], out[1], out[2] = 1.0, 0.0, 0.0
    elif d3 >= 0.0 and d4 <= d3:
        out[0], out[1], out[2] = 0.0, 1.0, 0.0
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        share = d1 / max(d1 - d3, 1e-300)
        out[0], out[1], out[2] = 1.0 - share, share, 0.0
    elif d6 >= 0.0 and d5 <= d6:
        out[0], out[1], out[2] = 0.0, 0.0, 1.0
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        share = d2 / max(d2 - d6, 1e-300)
        out[0], out[1], out[2] = 1.0 - share, 0.0, share
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        share = (d4 - d3) / max((d4 - d3) + (d5 - d6), 1e-300)
        out[0], out[1], out[2] = 0.0, 1.0 - share, share
    else:
        total = 1.0 / (va + vb + vc)
        out[1], out[2] = vb * total, vc * total
        out[0] = 1.0 - out[1] - out[2]
    away = 0.0
    for way in range(3):
        away += (p[way] - out[0] * x[i + way] - out[1] * x[j + way] - out[2] * x[k + way]) ** 2
    return away


@inlined
def _cell(place: float, size: float) -> int:
    return math.floor(place / size)


@inlined
def _bin(a: int, b: int, c: int) -> int:
    return (a * 73856093 ^ b * 19349663 ^ c * 83492791) & (BINS - 1)


@kernel
def box_bodies(hull: Hull, dt: float) -> float:
    """Compute the boxes of all bodies, with how far they may go in the step; the greatest of the ways."""
    boxes, far, x, v = hull.boxes, 0.0, hull.places, hull.speeds
    for body in range(boxes.shape[0]):
        for axis in range(3):
            boxes[body, axis], boxes[body, 3 + axis] = math.inf, -math.inf
    for each in range(hull.triangles.shape[0]):
        body = hull.bodies[each]
        for corner in range(3):
            at = 3 * hull.triangles[each, corner]
            way = dt * math.sqrt(v[at] ** 2 + v[at + 1] ** 2 + v[at + 2] ** 2)
            far = max(far, way)
            for axis in range(3):
                boxes[body, axis] = min(boxes[body, axis], x[at + axis] - way)
                boxes[body, 3 + axis] = max(boxes[body, 3 + axis], x[at + axis] + way)
    return far


@inlined
def is_apart(box: Array, lower: Array, upper: Array, reach: float) -> bool:
    """Tell whether two boxes are further from each other than a reach."""
    apart = False
    for axis in range(3):
        apart |= lower[axis] > box[3 + axis] + reach or upper[axis] < box[axis] - reach
    return apart


@inlined
def may_meet(hull: Hull, body: int, lower: Array, upper: Array, reach: float) -> bool:
    """Tell whether a part of a body, by its box, may meet any other that the body meets."""
    found = False
    for other in range(hull.boxes.shape[0]):
        if other != body and hull.meets[body, other] != 0:
            found |= not is_apart(hull.boxes[other], lower, upper, reach)
    return found


@kernel
def list_triangles(hull: Hull, reach: float, size: float, grid: TriangleBins, room: Array) -> int:
    """List the triangles that may meet anything in the bins of the grid; how many entries there are."""
    bins, listed, x = grid.bins, grid.listed, hull.places
    bins[:] = 0
    total = 0
    for turn in range(2):
        for each in range(hull.triangles.shape[0]):
            i, j, k = 3 * hull.triangles[each, 0], 3 * hull.triangles[each, 1], 3 * hull.triangles[each, 2]
            for axis in range(3):
                room[axis] = min(min(x[i + axis], x[j + axis]), x[k + axis]) - reach
                room[3 + axis] = max(max(x[i + axis], x[j + axis]), x[k + axis]) + reach
            body = hull.bodies[each]
            wanted = not is_apart(hull.felt[body], room[:3], room[3:6], 0.0)
            for corner in range(3):
                wanted |= hull.folded[hull.triangles[each, corner]] != 0
            if not (wanted or may_meet(hull, body, room[:3], room[3:6], 0.0)):
                continue
            for a in range(_cell(room[0], size), _cell(room[3], size) + 1):
                for b in range(_cell(room[1], size), _cell(room[4], size) + 1):
                    for c in range(_cell(room[2], size), _cell(room[5], size) + 1):
                        at = _bin(a, b, c)
                        if turn == 0:
                            bins[at + 1] += 1
                            total += 1
                        else:
                            listed[bins[at]] = each
                            bins[at] += 1
        if turn == 0:
            for at in range(BINS):
                bins[at + 1] += bins[at]
            if total > listed.shape[0]:
                return total
    for at in range(BINS, 0, -1):
        bins[at] = bins[at - 1]
    bins[0] = 0
    return total


@kernel
def find_nearest(
    hull: Hull, grid: TriangleBins, place: Array, spot: int, body: int, reach: float, size: float, room: Array
) -> int:
    """Find the triangle that is nearest to a spot of a body, or, where `spot` is below zero, to a place that only this
    body is to be felt at; none: -1. Its weights are in `room` from 3 on."""
    nearest, best = -1, reach * reach
    key = _bin(_cell(place[0], size), _cell(place[1], size), _cell(place[2], size))
    for entry in range(grid.bins[key], grid.bins[key + 1]):
        other = grid.listed[entry]
        its = hull.bodies[other]
        if other == nearest or (its != body if spot < 0 else hull.meets[body, its] == 0):
            continue
        own = spot >= 0 and its == body
        if own and (hull.folded[spot] == 0 or is_of_one_part(hull, spot, other)):
            continue
        i, j, k = 3 * hull.triangles[other, 0], 3 * hull.triangles[other, 1], 3 * hull.triangles[other, 2]
        away = find_place(hull.places, i, j, k, place, room[:3])
        if away < best or (away == best and other < nearest):
            if own and not (away < hull.traits[body, SIZE] ** 2 and is_facing(hull, spot, other, room)):
                continue
            best, nearest = away, other
            room[3], room[4], room[5] = room[0], room[1], room[2]
    return nearest


@inlined
def is_of_one_part(hull: Hull, spot: int, triangle: int) -> bool:
    """Tell whether a spot lay so near to a triangle of its body at rest that they do not meet."""
    x, size = hull.rest, hull.traits[hull.bodies[triangle], SIZE]
    i, j, k, at = (
        3 * hull.triangles[triangle, 0],
        3 * hull.triangles[triangle, 1],
        3 * hull.triangles[triangle, 2],
        3 * spot,
    )
    a = x[at] - (x[i] + x[j] + x[k]) / 3.0
    b = x[at + 1] - (x[i + 1] + x[j + 1] + x[k + 1]) / 3.0
    c = x[at + 2] - (x[i + 2] + x[j + 2] + x[k + 2]) / 3.0
    away = a * a + b * b + c * c
    if away < (NEAR * size) ** 2:
        return True
    if away > (BEHIND * size) ** 2:
        return False
    p, q, r = find_normal(x, hull.triangles[triangle])
    return bool(a * p + b * q + c * r < -0.25 * size * math.sqrt(p * p + q * q + r * r))


@inlined
def is_facing(hull: Hull, spot: int, triangle: int, weights: Array) -> bool:
    """Tell whether a spot and a triangle of its body face each other, by the way to the nearest place on it."""
    x, n, at = hull.places, hull.normals, 3 * spot
    p, q, r = find_normal(x, hull.triangles[triangle])
    if n[at] * p + n[at + 1] * q + n[at + 2] * r >= 0.0:
        return False
    a, b, c = x[at], x[at + 1], x[at + 2]
    for corner in range(3):
        to = 3 * hull.triangles[triangle, corner]
        a, b, c = a - weights[corner] * x[to], b - weights[corner] * x[to + 1], c - weights[corner] * x[to + 2]
    along, away, size = a * p + b * q + c * r, a * a + b * b + c * c, hull.traits[hull.bodies[triangle], SIZE]
    return bool(away < (_TOUCHING * size) ** 2 or along * along >= _STEEP * away * (p * p + q * q + r * r))

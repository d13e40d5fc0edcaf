"""Transposed derivatives of where a spot presses on a triangle of a soft body, and of the normal there.

A spot and a triangle meet by weights w of its corners, those of the place on it that is nearest to the spot before the
step, and a normal n along sum w_c N_c / |N_c|, N_c the sum of the normals of the triangles around a corner
(`meeting.py`, `hulls.py`). The way between them is d = s - sum w_c X_c, before and after, and the forces of the contact
come to the corners by w. So w and n are functions of where bodies were, and covectors go back through them:
`transpose_place` for one contact, `transpose_normals` for the normals of corners once those of all contacts are known.
"""

from __future__ import annotations

import math

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.soft.assembly import SoftBodies
from engine.soft.contact import BEFORE, PUSH_X, PUSH_Y, PUSH_Z
from engine.soft.control.contact_covectors import DEPTH, END, START, TILTED
from engine.soft.hulls import Hull, find_place
from engine.soft.meeting import SOLID, SOLID_BEFORE, Meeting
from engine.soft.spots import TIME, place_spot
from engine.soft.ties import sum_tie


@kernel
def transpose_place(
    bodies: SoftBodies,
    meeting: Meeting,
    each: int,
    places: tuple[Array, Array],
    y: Array,
    dt: float,
    found: Array,
    out_lifts: Array,
    out_moved: Array,
) -> None:
    """Add what a contact with a triangle gives by the normals of its corners and by where spots were, shape of both
    [3 spot_count]. `found`: what it gives otherwise; y as there."""
    hull, skin, state, fixed = bodies.hull, bodies.skin, meeting.states[each], meeting.fixed[each]
    triangle, n, x = hull.triangles[meeting.triangles[each]], meeting.normals[each], hull.places
    after, before = places
    weights, by_weight, by_normal = np.empty(3), np.empty(3), np.empty(3)
    spot = meeting.spots[each] if meeting.colliders[each] < 0 else -1
    p = x[3 * spot : 3 * spot + 3] if spot >= 0 else fixed[SOLID_BEFORE : SOLID_BEFORE + 3]
    find_place(x, 3 * triangle[0], 3 * triangle[1], 3 * triangle[2], p, weights)
    a, b, c = sum_tie(meeting.tied, each, after)
    u, v, w = sum_tie(meeting.tied, each, before)
    if spot < 0:
        a, b, c = a + fixed[SOLID], b + fixed[SOLID + 1], c + fixed[SOLID + 2]
        u, v, w = u + fixed[SOLID_BEFORE], v + fixed[SOLID_BEFORE + 1], w + fixed[SOLID_BEFORE + 2]
    ratio = skin.traits[meeting.spots[each], TIME] / dt
    ahead, past = -(1.0 + ratio) * found[DEPTH], ratio * found[DEPTH] if state[BEFORE] > 0.0 else 0.0
    by_normal[0] = found[TILTED] + ahead * a + past * u
    by_normal[1] = found[TILTED + 1] + ahead * b + past * v
    by_normal[2] = found[TILTED + 2] + ahead * c + past * w
    sums = sum_normals(hull, triangle, weights)
    size = max(math.sqrt(sums[0] * sums[0] + sums[1] * sums[1] + sums[2] * sums[2]), 1e-300)
    along = by_normal[0] * n[0] + by_normal[1] * n[1] + by_normal[2] * n[2]
    for way in range(3):
        by_normal[way] = (by_normal[way] - along * n[way]) / size
    for corner in range(3):
        own = triangle[corner]
        i, j, k = place_spot(skin, own, after)
        f, g, h = place_spot(skin, own, before)
        q, r, s = place_spot(skin, own, y)
        total = -(found[END] * i + found[END + 1] * j + found[END + 2] * k)
        total -= found[START] * f + found[START + 1] * g + found[START + 2] * h
        total -= state[PUSH_X] * q + state[PUSH_Y] * r + state[PUSH_Z] * s
        by_weight[corner] = total + lift_corner(hull, own, weights[corner], by_normal, out_lifts)
    move_corners(x, triangle, p, weights, by_weight, spot, out_moved)


@inlined
def sum_normals(hull: Hull, triangle: Array, weights: Array) -> tuple[float, float, float]:
    """Sum the unit normals of the corners by their weights."""
    p, q, r = 0.0, 0.0, 0.0
    for corner in range(3):
        at, n = 3 * triangle[corner], hull.normals
        size = max(math.sqrt(n[at] * n[at] + n[at + 1] * n[at + 1] + n[at + 2] * n[at + 2]), 1e-300)
        share = weights[corner] / size
        p, q, r = p + share * n[at], q + share * n[at + 1], r + share * n[at + 2]
    return p, q, r


@inlined
def lift_corner(hull: Hull, spot: int, weight: float, given: Array, out_lifts: Array) -> float:
    """Add what the covector of a sum of unit normals gives by the normal of a corner; give that by its weight."""
    at, n = 3 * spot, hull.normals
    size = max(math.sqrt(n[at] * n[at] + n[at + 1] * n[at + 1] + n[at + 2] * n[at + 2]), 1e-300)
    along = (n[at] * given[0] + n[at + 1] * given[1] + n[at + 2] * given[2]) / size
    for way in range(3):
        out_lifts[at + way] += weight / size * (given[way] - along * n[at + way] / size)
    return float(along)


@kernel
def move_corners(
    x: Array, triangle: Array, p: Array, weights: Array, given: Array, spot: int, out_moved: Array
) -> None:
    """Add what covectors of the weights of the nearest place give by the corners, and by the spot if it is one: inside
    by the two equations of the weights, on a side by one, at a corner nothing."""
    one, two = np.empty(3), np.empty(3)
    i, j, k = 0, -1, -1
    for corner in range(3):
        i = corner if weights[corner] > weights[i] else i
    for corner in range(3):
        if corner != i and weights[corner] > 0.0:
            j, k = (corner, j) if j < 0 else (j, corner)
    if j < 0:
        return
    at, to, last = 3 * triangle[i], 3 * triangle[j], 3 * triangle[k if k >= 0 else j]
    for way in range(3):
        one[way] = x[to + way] - x[at + way]
        two[way] = x[last + way] - x[at + way] if k >= 0 else 0.0
    aa = one[0] * one[0] + one[1] * one[1] + one[2] * one[2]
    first, second, other = given[j] - given[i], 0.0, 0.0
    if k >= 0:
        bb = two[0] * two[0] + two[1] * two[1] + two[2] * two[2]
        ab = one[0] * two[0] + one[1] * two[1] + one[2] * two[2]
        size, rest, other = aa * bb - ab * ab, given[k] - given[i], weights[k]
        first, second = (bb * first - ab * rest) / size, (aa * rest - ab * first) / size
    else:
        first /= aa
    for way in range(3):
        left = p[way] - x[at + way] - weights[j] * one[way] - other * two[way]
        by_place = first * one[way] + second * two[way]
        by_one, by_two = first * left - weights[j] * by_place, second * left - other * by_place
        if spot >= 0:
            out_moved[3 * spot + way] += by_place
        out_moved[at + way] -= by_place + by_one + by_two
        out_moved[to + way] += by_one
        out_moved[last + way] += by_two


@kernel
def transpose_normals(hull: Hull, lifts: Array, out_moved: Array) -> None:
    """Add what covectors of the normals of spots give by where the corners of triangles were."""
    x = hull.places
    for each in range(hull.triangles.shape[0]):
        triangle = hull.triangles[each]
        i, j, k = 3 * triangle[0], 3 * triangle[1], 3 * triangle[2]
        p, q, r = lifts[i] + lifts[j], lifts[i + 1] + lifts[j + 1], lifts[i + 2] + lifts[j + 2]
        if j == k:
            out_moved[i] += q
            out_moved[i + 1] -= p
            out_moved[j] -= q
            out_moved[j + 1] += p
            continue
        p, q, r = p + lifts[k], q + lifts[k + 1], r + lifts[k + 2]
        if p == 0.0 and q == 0.0 and r == 0.0:
            continue
        a, b, c = x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]
        d, e, f = x[k] - x[i], x[k + 1] - x[i + 1], x[k + 2] - x[i + 2]
        u, v, w = e * r - f * q, f * p - d * r, d * q - e * p
        s, t, h = q * c - r * b, r * a - p * c, p * b - q * a
        out_moved[i] -= u + s
        out_moved[i + 1] -= v + t
        out_moved[i + 2] -= w + h
        out_moved[j] += u
        out_moved[j + 1] += v
        out_moved[j + 2] += w
        out_moved[k] += s
        out_moved[k + 1] += t
        out_moved[k + 2] += h

"""Contact of soft bodies with each other: points of a skin against the outer triangles of other bodies.

For each point that is near to another body the nearest triangle is found once a step, from where things are before it
(broad phase: bounding boxes of bodies, then a hashed grid of the triangles within them). Its place on the triangle and
the normal there, interpolated from those of its corners, stay for the step, so that the way d from the triangle to the
point is a sum of four points, a tie (`ties.py`), and contact the law of `contact.py` for it. Outlines of flat bodies
are triangles whose last two corners are the same.

The softer body says how stiff contact is. Points of both bodies press into triangles of the other. Edges do not meet
edges, and a body does not meet itself.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.soft.contact import (
    BEFORE,
    FORWARD,
    STATES,
    STIFF,
    THICK,
    WAY,
    ContactSkin,
    find_direction,
    keep_grip,
    take_grip,
    touch,
)
from engine.soft.ties import Tied, spread_tie, sum_tie

BODY_GRIP = 1 << 20  # added to the number of a body, where a grip is on a body and not on a collider
_BINS = 1 << 14


class Hull(NamedTuple):
    """Outer triangles of all bodies."""

    triangles: IntArray  # shape [triangle_count, 3]
    bodies: IntArray  # of each triangle
    owners: IntArray  # body of each point of the skin
    traits: Array  # friction of each body, size of its triangles [m], stiffness of contact [N/m]; shape [body_count, 3]
    normals: Array  # room: of each point, shape [3 point_count]
    boxes: Array  # room: lower and upper corner of each body, shape [body_count, 6]


class Meeting(NamedTuple):
    """Points and triangles that may meet in a step."""

    tied: Tied
    points: IntArray  # of the skin, shape [capacity]
    bodies: IntArray  # that they meet
    states: Array  # as in `contact.py`, shape [capacity, STATES]
    normals: Array  # shape [capacity, 3]
    bins: IntArray  # room: where the triangles of each bin begin, shape [_BINS + 1]
    listed: IntArray  # room


def new_meeting(capacity: int, listed: int) -> Meeting:
    """Allocate room for so many contacts, and entries of the grid."""
    tied = Tied(
        np.arange(0, 4 * capacity + 1, 4, dtype=np.int32),
        np.zeros(4 * capacity, np.int32),
        np.zeros(4 * capacity),
        np.zeros((capacity, 9)),
        np.zeros(1, np.int32),
    )
    ints = np.zeros(capacity, np.int32), np.zeros(capacity, np.int32)
    floats = np.zeros((capacity, STATES)), np.zeros((capacity, 3))
    return Meeting(tied, *ints, *floats, np.zeros(_BINS + 1, np.int32), np.zeros(listed, np.int32))


@kernel
def find_normals(hull: Hull, x: Array) -> None:
    """Compute the normals of points, weighted by the areas of triangles; not of unit length."""
    n = hull.normals
    n[:] = 0.0
    for each in range(hull.triangles.shape[0]):
        i, j, k = 3 * hull.triangles[each, 0], 3 * hull.triangles[each, 1], 3 * hull.triangles[each, 2]
        a, b, c = x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]
        if j == k:
            p, q, r = b, -a, 0.0
        else:
            d, e, f = x[k] - x[i], x[k + 1] - x[i + 1], x[k + 2] - x[i + 2]
            p, q, r = b * f - c * e, c * d - a * f, a * e - b * d
        for corner in range(2 if j == k else 3):
            at = 3 * hull.triangles[each, corner]
            n[at] += p
            n[at + 1] += q
            n[at + 2] += r


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
    return (a * 73856093 ^ b * 19349663 ^ c * 83492791) & (_BINS - 1)


@kernel
def box_bodies(hull: Hull, x: Array, v: Array, dt: float) -> float:
    """Compute the boxes of all bodies, with how far they may go in the step; the greatest of the ways."""
    boxes, far = hull.boxes, 0.0
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
def _meets(boxes: Array, body: int, lower: Array, upper: Array, reach: float) -> bool:
    """Tell whether a box meets that of any body but one."""
    found = False
    for other in range(boxes.shape[0]):
        if other != body:
            apart = False
            for axis in range(3):
                apart |= lower[axis] > boxes[other, 3 + axis] + reach or upper[axis] < boxes[other, axis] - reach
            found |= not apart
    return found


@kernel
def list_triangles(hull: Hull, x: Array, reach: float, size: float, meeting: Meeting, room: Array) -> int:
    """List the triangles near other bodies in the bins of the grid; how many entries there are."""
    bins, listed = meeting.bins, meeting.listed
    bins[:] = 0
    total = 0
    for turn in range(2):
        for each in range(hull.triangles.shape[0]):
            i, j, k = 3 * hull.triangles[each, 0], 3 * hull.triangles[each, 1], 3 * hull.triangles[each, 2]
            for axis in range(3):
                room[axis] = min(min(x[i + axis], x[j + axis]), x[k + axis]) - reach
                room[3 + axis] = max(max(x[i + axis], x[j + axis]), x[k + axis]) + reach
            if not _meets(hull.boxes, hull.bodies[each], room[:3], room[3:6], 0.0):
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
            for at in range(_BINS):
                bins[at + 1] += bins[at]
            if total > listed.shape[0]:
                return total
    for at in range(_BINS, 0, -1):
        bins[at] = bins[at - 1]
    bins[0] = 0
    return total


@kernel
def find_meeting(
    skin: ContactSkin, hull: Hull, grips: Array, x: Array, v: Array, dt: float, meeting: Meeting
) -> tuple[int, int]:
    """Find which points may meet which triangles; how many contacts and entries of the grid there would be."""
    count, tied = 0, meeting.tied
    tied.number[0] = 0
    if hull.boxes.shape[0] < 2:
        return 0, 0
    room = np.empty(12)
    far, size = 2.0 * box_bodies(hull, x, v, dt), 0.0
    for body in range(hull.boxes.shape[0]):
        size = max(size, hull.traits[body, 1])
    reach = min(max(far, 0.5 * size), 2.0 * size)
    entries = list_triangles(hull, x, reach, size, meeting, room)
    if entries == 0 or entries > meeting.listed.shape[0]:
        return 0, entries
    find_normals(hull, x)
    for each in range(skin.points.shape[0]):
        at, body = 3 * skin.points[each], hull.owners[each]
        own = x[at : at + 3]
        if not _meets(hull.boxes, body, own, own, reach):
            continue
        nearest, best = -1, reach * reach
        key = _bin(_cell(own[0], size), _cell(own[1], size), _cell(own[2], size))
        for entry in range(meeting.bins[key], meeting.bins[key + 1]):
            other = meeting.listed[entry]
            if hull.bodies[other] == body or other == nearest:
                continue
            i, j, k = 3 * hull.triangles[other, 0], 3 * hull.triangles[other, 1], 3 * hull.triangles[other, 2]
            away = find_place(x, i, j, k, own, room[:3])
            if away < best or (away == best and other < nearest):
                best, nearest = away, other
                room[3], room[4], room[5] = room[0], room[1], room[2]
        if nearest < 0:
            continue
        if count < meeting.points.shape[0]:
            note_meeting(skin, hull, grips, x, each, nearest, room[3:6], count, meeting)
        count += 1
    tied.number[0] = min(count, meeting.points.shape[0])
    return count, entries


@kernel
def note_meeting(
    skin: ContactSkin,
    hull: Hull,
    grips: Array,
    x: Array,
    each: int,
    triangle: int,
    weights: Array,
    count: int,
    meeting: Meeting,
) -> None:
    """Write one contact down."""
    tied, state, n = meeting.tied, meeting.states[count], meeting.normals[count]
    meeting.points[count], meeting.bodies[count] = each, hull.bodies[triangle]
    tied.points[4 * count], tied.weights[4 * count] = skin.points[each], 1.0
    n[0], n[1], n[2] = 0.0, 0.0, 0.0
    for corner in range(3):
        point = hull.triangles[triangle, corner]
        tied.points[4 * count + 1 + corner], tied.weights[4 * count + 1 + corner] = point, -weights[corner]
        p, q, r = hull.normals[3 * point], hull.normals[3 * point + 1], hull.normals[3 * point + 2]
        share = weights[corner] / max(math.sqrt(p * p + q * q + r * r), 1e-300)
        n[0], n[1], n[2] = n[0] + share * p, n[1] + share * q, n[2] + share * r
    length = max(math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1e-300)
    n[0], n[1], n[2] = n[0] / length, n[1] / length, n[2] / length
    a, b, c = sum_tie(tied, count, x)
    state[BEFORE] = max(0.0, skin.traits[each, THICK] - a * n[0] - b * n[1] - c * n[2])
    take_grip(grips[each], BODY_GRIP + hull.bodies[triangle], state)


@kernel
def press_bodies(
    skin: ContactSkin,
    hull: Hull,
    meeting: Meeting,
    frames: Array,
    places: tuple[Array, Array, Array],
    dt: float,
    level: int,
    out_gradient: Array,
) -> float:
    """Compute the energy of contact between bodies [J], its gradient, and the blocks of the ties."""
    x, before, small = places
    energy, tied = 0.0, meeting.tied
    for each in range(tied.number[0]):
        own, state, n = meeting.points[each], meeting.states[each], meeting.normals[each]
        traits = skin.traits[own]
        a, b, c = sum_tie(tied, each, x)
        p, q, r = sum_tie(tied, each, before)
        depth = traits[THICK] - a * n[0] - b * n[1] - c * n[2]
        way = (state[WAY] + a - p, state[WAY + 1] + b - q, state[WAY + 2] + c - r)
        ahead = find_direction(traits, 9 * skin.points[own], frames, n[0], n[1], n[2])
        hardness = min(traits[STIFF], hull.traits[meeting.bodies[each], 2])
        friction = math.sqrt(hull.traits[meeting.bodies[each], 0] / max(traits[FORWARD], 1e-300))
        energy += touch(traits, state, hardness, friction, depth, dt, (n[0], n[1], n[2]), ahead, way, small)
        if level >= 1:
            spread_tie(tied, each, small[0], small[1], small[2], out_gradient)
        if level >= 2:
            for k in range(9):
                tied.blocks[each, k] = small[3 + k]
    return energy


@kernel
def keep_body_grips(meeting: Meeting, out_grips: Array) -> None:
    """Keep what points hold on to on other bodies."""
    for each in range(meeting.tied.number[0]):
        keep_grip(meeting.states[each], BODY_GRIP + meeting.bodies[each], out_grips[meeting.points[each]])

"""Contact of soft bodies by their outer triangles: with spots of other bodies and their own, and with edges of solids.

For each spot, and each sample of an edge (`feelers.py`), that is near to a hull the nearest triangle is found once a
step, from where things are before it (`hulls.py`). Its place on the triangle and the normal there, interpolated from
those of its corners, stay for the step, so that the way d from the triangle to the spot is a sum of points, a tie
(`ties.py`), and contact the law of `contact.py` for it. A sample moves with its solid, which is a constant of the sum.

Of two bodies the softer one says how stiff contact is. Spots of both press into triangles of the other. Edges of soft
bodies do not meet edges.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.soft.contact import (
    BEFORE,
    LAGGED,
    RADIUS,
    STATES,
    WAY,
    find_direction,
    keep_grip,
    take_grip,
    touch,
)
from engine.soft.contact import FRICTION as SOLID_FRICTION
from engine.soft.feelers import (
    EDGES,
    FIRST,
    MOST,
    clip_edge,
    count_edges,
    divide_edge,
    find_felt,
    place_feeler,
)
from engine.soft.folds import Folds, find_folded, new_folds
from engine.soft.hulls import (
    BINS,
    FRICTION,
    SIZE,
    STIFFNESS,
    Hull,
    TriangleBins,
    box_bodies,
    find_nearest,
    find_normals,
    list_triangles,
    may_meet,
)
from engine.soft.spots import FORWARD, STIFF, THICK, ContactSkin, place_spots
from engine.soft.ties import Tied, spread_tie, sum_tie

BODY_GRIP = 1 << 20  # added to the number of a body, where a grip is on a body and not on a collider
SOLID, SOLID_BEFORE, SLIDES, ROUND, FIXED = 0, 3, 6, 7, 8
"""Columns of what is known of a sample: where it is at the end of the step, where it was, friction of its solid, and
its radius."""


class Meeting(NamedTuple):
    """Spots or samples, and triangles that they may meet in a step."""

    tied: Tied
    spots: IntArray  # of a sample the corner of the triangle that is nearest, shape [capacity]
    bodies: IntArray  # whose triangle it is
    triangles: IntArray  # of the hull
    colliders: IntArray  # whose edge is sampled; -1 where a spot meets a triangle
    numbers: Array  # by which a grip is known
    states: Array  # as in `contact.py`, shape [capacity, STATES]
    normals: Array  # shape [capacity, 3]
    fixed: Array  # of samples, shape [capacity, FIXED]
    grid: TriangleBins
    folds: Folds


def new_meeting(capacity: int, listed: int, skin: ContactSkin) -> Meeting:
    """Allocate room for so many contacts, and entries of the grid."""
    widest = int(np.diff(skin.starts).max(initial=1))
    tied = Tied(
        np.zeros(capacity + 1, np.int32),
        np.zeros(4 * widest * capacity, np.int32),
        np.zeros(4 * widest * capacity),
        np.zeros((capacity, 9)),
        np.zeros(1, np.int32),
    )
    return Meeting(
        tied,
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros(capacity),
        np.zeros((capacity, STATES)),
        np.zeros((capacity, 3)),
        np.zeros((capacity, FIXED)),
        TriangleBins(np.zeros(BINS + 1, np.int32), np.zeros(listed, np.int32)),
        new_folds(len(skin.points)),
    )


@kernel
def find_meeting(
    skin: ContactSkin, hull: Hull, colliders: Array, grips: Array, x: Array, v: Array, dt: float, meeting: Meeting
) -> tuple[int, int]:
    """Find what may meet which triangles; how many contacts and entries of the grid there would be."""
    meeting.tied.number[0] = 0
    if not (hull.meets.any() or hull.feels.any()):
        return 0, 0
    place_spots(skin, x, hull.places)
    place_spots(skin, v, hull.speeds)
    far, size = 2.0 * box_bodies(hull, dt), 0.0
    for body in range(hull.boxes.shape[0]):
        size = max(size, hull.traits[body, SIZE])
    reach = min(max(far, 0.5 * size), 2.0 * size)
    felt, radius = find_felt(hull, colliders, dt, reach)
    reach = min(max(reach, 2.0 * felt), 2.0 * size)
    find_folded(hull, meeting.folds)
    room = np.empty(12)
    entries = list_triangles(hull, reach + radius, size, meeting.grid, room)
    if entries == 0 or entries > meeting.grid.listed.shape[0]:
        return 0, entries
    find_normals(hull)
    count = 0
    if hull.meets.any():
        count = meet_spots(skin, hull, grips, x, reach, size, meeting, room)
    if felt >= 0.0:
        count = meet_edges(skin, hull, colliders, grips, x, dt, reach, size, count, meeting)
    meeting.tied.number[0] = min(count, meeting.spots.shape[0])
    return count, entries


@kernel
def meet_spots(
    skin: ContactSkin, hull: Hull, grips: Array, x: Array, reach: float, size: float, meeting: Meeting, room: Array
) -> int:
    """Find which spots may meet which triangles; how many there would be."""
    count = 0
    for spot in range(skin.points.shape[0]):
        own, body = hull.places[3 * spot : 3 * spot + 3], hull.owners[spot]
        if not (hull.folded[spot] != 0 or may_meet(hull, body, own, own, reach)):
            continue
        nearest = find_nearest(hull, meeting.grid, own, spot, body, reach, size, room)
        if nearest < 0:
            continue
        if count < meeting.spots.shape[0]:
            meeting.spots[count], meeting.colliders[count] = spot, -1
            meeting.numbers[count] = BODY_GRIP + hull.bodies[nearest]
            tie_triangle(skin, hull, spot, nearest, room[3:6], count, meeting)
            a, b, c = sum_tie(meeting.tied, count, x)
            n, state = meeting.normals[count], meeting.states[count]
            state[BEFORE] = max(0.0, skin.traits[spot, THICK] - a * n[0] - b * n[1] - c * n[2])
            take_grip(grips[spot], BODY_GRIP + hull.bodies[nearest], state)
        count += 1
    return count


@kernel
def meet_edges(
    skin: ContactSkin,
    hull: Hull,
    colliders: Array,
    grips: Array,
    x: Array,
    dt: float,
    reach: float,
    size: float,
    count: int,
    meeting: Meeting,
) -> int:
    """Find which samples of the edges of boxes may meet which triangles; how many contacts there would be in all."""
    span, sample, room = np.empty(6), np.empty(6), np.empty(12)
    for other in range(colliders.shape[0]):
        c = colliders[other]
        for body in range(hull.feels.shape[0]):
            for edge in range(count_edges(hull, c, body)):
                low, high = clip_edge(c, edge, hull.felt[body], 0.0, span)
                if low > high:
                    continue
                parts, step = divide_edge(hull, body, c, edge)
                for each in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1):
                    if edge >= 4 and abs(each) >= parts:
                        continue  # a corner, which an edge along x has
                    place_feeler(c, span, each * step, dt, sample)
                    nearest = find_nearest(hull, meeting.grid, sample[3:6], -1, body, reach + c[RADIUS], size, room)
                    if nearest < 0:
                        continue
                    if count < meeting.spots.shape[0]:
                        number = FIRST + (other * EDGES + edge) * 2.0 * MOST + (each + MOST)
                        meeting.colliders[count], meeting.numbers[count] = other, number
                        meeting.fixed[count, :6] = sample
                        meeting.fixed[count, SLIDES], meeting.fixed[count, ROUND] = c[SOLID_FRICTION], c[RADIUS]
                        tie_triangle(skin, hull, -1, nearest, room[3:6], count, meeting)
                        hold_sample(hull, grips, x, nearest, room[3:6], count, meeting)
                    count += 1
    return count


@kernel
def tie_triangle(
    skin: ContactSkin, hull: Hull, spot: int, triangle: int, weights: Array, count: int, meeting: Meeting
) -> None:
    """Write down what a contact sums, and its normal."""
    tied, n = meeting.tied, meeting.normals[count]
    meeting.bodies[count], meeting.triangles[count] = hull.bodies[triangle], triangle
    at = tied.starts[count]
    if spot >= 0:
        for each in range(skin.starts[spot], skin.starts[spot + 1]):
            tied.points[at], tied.weights[at] = skin.corners[each], skin.weights[each]
            at += 1
    n[0], n[1], n[2] = 0.0, 0.0, 0.0
    for corner in range(3):
        own = hull.triangles[triangle, corner]
        for each in range(skin.starts[own], skin.starts[own + 1]):
            tied.points[at], tied.weights[at] = skin.corners[each], -weights[corner] * skin.weights[each]
            at += 1
        p, q, r = hull.normals[3 * own], hull.normals[3 * own + 1], hull.normals[3 * own + 2]
        share = weights[corner] / max(math.sqrt(p * p + q * q + r * r), 1e-300)
        n[0], n[1], n[2] = n[0] + share * p, n[1] + share * q, n[2] + share * r
    tied.starts[count + 1] = at
    length = max(math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1e-300)
    n[0], n[1], n[2] = n[0] / length, n[1] / length, n[2] / length


@kernel
def hold_sample(
    hull: Hull, grips: Array, x: Array, triangle: int, weights: Array, count: int, meeting: Meeting
) -> None:
    """Begin a contact of a sample as it was before the step; what it holds on to is kept by the nearest corner."""
    state, n, fixed = meeting.states[count], meeting.normals[count], meeting.fixed[count]
    a, b, c = sum_tie(meeting.tied, count, x)
    a, b, c = a + fixed[SOLID_BEFORE], b + fixed[SOLID_BEFORE + 1], c + fixed[SOLID_BEFORE + 2]
    state[BEFORE] = max(0.0, fixed[ROUND] - a * n[0] - b * n[1] - c * n[2])
    nearest = 0
    for corner in range(3):
        nearest = corner if weights[corner] > weights[nearest] else nearest
    meeting.spots[count] = hull.triangles[triangle, nearest]
    for corner in range(3):
        take_grip(grips[hull.triangles[triangle, (nearest + corner) % 3]], meeting.numbers[count], state)
        if state[LAGGED] > 0.0:
            break


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
    """Compute the energy of contact by triangles [J], its gradient, and the blocks of the ties."""
    x, before, small = places
    energy, tied = 0.0, meeting.tied
    for each in range(tied.number[0]):
        own, body, state, n = meeting.spots[each], meeting.bodies[each], meeting.states[each], meeting.normals[each]
        traits = skin.traits[own]
        a, b, c = sum_tie(tied, each, x)
        p, q, r = sum_tie(tied, each, before)
        if meeting.colliders[each] < 0:
            hardness, thick = min(traits[STIFF], hull.traits[body, STIFFNESS]), traits[THICK]
            friction = math.sqrt(hull.traits[body, FRICTION] / max(traits[FORWARD], 1e-300))
        else:
            f = meeting.fixed[each]
            hardness, thick, friction = hull.traits[body, STIFFNESS], f[ROUND], f[SLIDES]
            a, b, c = a + f[SOLID], b + f[SOLID + 1], c + f[SOLID + 2]
            p, q, r = p + f[SOLID_BEFORE], q + f[SOLID_BEFORE + 1], r + f[SOLID_BEFORE + 2]
        depth = thick - a * n[0] - b * n[1] - c * n[2]
        way = (state[WAY] + a - p, state[WAY + 1] + b - q, state[WAY + 2] + c - r)
        ahead = find_direction(traits, 9 * skin.points[own], frames, n[0], n[1], n[2])
        energy += touch(traits, state, hardness, friction, depth, dt, (n[0], n[1], n[2]), ahead, way, small)
        if level >= 1:
            spread_tie(tied, each, small[0], small[1], small[2], out_gradient)
        if level >= 2:
            for k in range(9):
                tied.blocks[each, k] = small[3 + k]
    return energy


@kernel
def keep_body_grips(meeting: Meeting, out_grips: Array) -> None:
    """Keep what spots and samples hold on to."""
    for each in range(meeting.tied.number[0]):
        keep_grip(meeting.states[each], meeting.numbers[each], out_grips[meeting.spots[each]])

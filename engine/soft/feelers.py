"""Feelers: places along edges of boxes and axes of thin capsules, which press into soft bodies between their spots.

A spot meets a solid where it is inside. An edge or a corner of a box, a capsule that is thinner than triangles are
large, or a ball as small can go in between spots without any of them being inside. So edges and axes are sampled, half
as far apart as the triangles of the body are large and with their ends among them, and each sample meets the nearest
triangle, as spots of other bodies do (`meeting.py`). Only the part that is near the body is looked at, so that a floor
of any size costs twelve edges.
"""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.soft.contact import BOX, CAPSULE, COLLIDER, KIND, RADIUS, SPEED, SPHERE, SPIN, SPOT, TURN, move_collider
from engine.soft.contact import SIZE as HALF
from engine.soft.hulls import SIZE, Hull

EDGES = 12
SPACING = 0.5  # between samples, beside the size of triangles
MOST = 4096  # samples of half an edge
FIRST = 1 << 30  # of the numbers of samples, by which what holds on to them is known


@kernel
def count_edges(hull: Hull, collider: Array, body: int) -> int:
    """Count what a body feels of a solid: edges of a box, the axis of a thin capsule; none of one that spares it."""
    if hull.feels[body] == 0 or collider[COLLIDER + body] != 0.0:
        return 0
    if collider[KIND] == BOX:
        return EDGES
    round_one = collider[KIND] == CAPSULE or collider[KIND] == SPHERE
    return 1 if round_one and collider[RADIUS] < hull.traits[body, SIZE] else 0


@kernel
def find_felt(hull: Hull, colliders: Array, dt: float, reach: float) -> tuple[float, float]:
    """Compute the boxes around what each body may feel of edges, with their reach; the greatest way of a solid that
    any feels, or -1 where none does, and the greatest radius."""
    felt, span, far, radius = hull.felt, np.empty(6), -1.0, 0.0
    felt[:, :3], felt[:, 3:] = math.inf, -math.inf
    for other in range(colliders.shape[0]):
        c = colliders[other]
        arm = math.sqrt(c[HALF] ** 2 + c[HALF + 1] ** 2 + c[HALF + 2] ** 2)
        way = math.sqrt(c[SPEED] ** 2 + c[SPEED + 1] ** 2 + c[SPEED + 2] ** 2)
        way = dt * (way + arm * math.sqrt(c[SPIN] ** 2 + c[SPIN + 1] ** 2 + c[SPIN + 2] ** 2))
        for body in range(felt.shape[0]):
            for edge in range(count_edges(hull, c, body)):
                low, high = clip_edge(c, edge, hull.boxes[body], reach + way + c[RADIUS], span)
                if low > high:
                    continue
                far, radius = max(far, way), max(radius, c[RADIUS])
                for axis in range(3):
                    one, two = span[axis] + low * span[3 + axis], span[axis] + high * span[3 + axis]
                    felt[body, axis] = min(felt[body, axis], min(one, two) - way)
                    felt[body, 3 + axis] = max(felt[body, 3 + axis], max(one, two) + way)
    return far, radius


@kernel
def clip_edge(collider: Array, edge: int, box: Array, reach: float, out: Array) -> tuple[float, float]:
    """Find which part of an edge lies within a box and a reach around it, counted from its middle [m], the first above
    the second where none does; middle and direction in `out`."""
    axis, r, a, b = 1, collider[TURN : TURN + 9], 0.0, 0.0
    if collider[KIND] == BOX:
        axis = edge // 4
        a = collider[HALF + (axis + 1) % 3] * (1.0 if edge & 1 else -1.0)
        b = collider[HALF + (axis + 2) % 3] * (1.0 if edge & 2 else -1.0)
    low, high = -collider[HALF + axis], collider[HALF + axis]
    for way in range(3):
        out[way] = collider[SPOT + way] + a * r[3 * way + (axis + 1) % 3] + b * r[3 * way + (axis + 2) % 3]
        out[3 + way] = r[3 * way + axis]
        lower, upper = box[way] - reach - out[way], box[3 + way] + reach - out[way]
        slope = out[3 + way]
        if abs(slope) < 1e-9:
            if lower > 0.0 or upper < 0.0:
                high = low - 1.0
        else:
            lower, upper = lower / slope, upper / slope
            low, high = max(low, min(lower, upper)), min(high, max(lower, upper))
    return low, high


@kernel
def divide_edge(hull: Hull, body: int, collider: Array, edge: int) -> tuple[int, float]:
    """Choose into how many parts half an edge is divided for a body, and how long these are [m]."""
    half = collider[HALF + (edge // 4 if collider[KIND] == BOX else 1)]
    parts = min(max(1, math.ceil(half / (SPACING * hull.traits[body, SIZE]))), MOST)
    return parts, max(half / parts, 1e-9)


@kernel
def place_feeler(collider: Array, span: Array, along: float, dt: float, out: Array) -> None:
    """Compute where a sample of an edge is at the end of a step, and was before it; six numbers."""
    for way in range(3):
        out[way] = span[way] + along * span[3 + way]
    u, v, w = move_collider(collider, out[0], out[1], out[2])
    out[3], out[4], out[5] = out[0] - dt * u, out[1] - dt * v, out[2] - dt * w

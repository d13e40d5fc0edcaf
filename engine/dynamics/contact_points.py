"""The contacts of a pose: which points of bodies are at the ground, which capsules at each other, and where.

`shape_ints`: the header, the body of each point, the body of each capsule, the two capsules of each pair, the number of
runs of pairs, and of each run its first pair, the first capsule of them all and the group of the second; where pairs
end. A group is TOGETHER capsules on end, which mostly belong to one limb: a run is looked at where a box around its
group is met. Then the number of runs of points of one body, the first of each, and where points end.
`shape_floats`: the header, centre and radii (6) of each point, start, end and radius (7) of each capsule, centre and
radius of a ball around each run of points, which are looked at where that may come to the ground.

A contact has the point where it acts, the normal that pushes the first body, two tangents, the gap (below 0: the depth)
and the coefficient of friction. It counts as soon as the bodies may meet within the step: the gap is less than a margin
and twice the way that they would go towards each other.
"""

from __future__ import annotations

import math

from engine.dynamics.layout import ORIGIN, PLACE, extra_of
from engine.dynamics.motions import velocity_of
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import ROW
from engine.runtime.jit import entered_kernel, kernel

POINTS, CAPSULES, PAIRS, MOST, GROUNDED = range(5)
HEADER = 5
NORMAL, HEIGHT, GRIP, GRIP_BODIES = 0, 3, 4, 5
FLOAT_HEADER = 6
POINT_FLOATS, CAPSULE_FLOATS = 6, 7
# A capsule in the world: its ends (6), no point of its axis is faster, the box (low and high corner) that it may come
# to in the step; behind them groups, boxes alone.
FASTEST, LOW, HIGH, PLACED_CAPSULE = 6, 7, 10, 13
TOGETHER, RUN = 8, 3
BALL = 4
_ROUNDING = 1e-9  # [m] that a ball is larger than it is said to be
# A contact in floats, and its number, body and other body (-1: the ground) in ints.
POINT, PUSH, TANGENT, SECOND, GAP, FRICTION = 0, 3, 6, 9, 12, 13
CONTACT, CONTACT_INTS = 14, 3
Triple = tuple[float, float, float]
Packed = tuple[IntArray, Array]
"""`shape_ints` and `shape_floats`."""
Moving = tuple[Array, Array, float, float]
"""The state that holds the pose, the velocities of bodies, the margin [m] and the time of the step [s]."""
Found = tuple[Array, IntArray]
"""The table of contacts, and their numbers and bodies."""


@kernel
def find_contacts(ints: IntArray, shapes: Packed, moving: Moving, placed_capsules: Array, out_found: Found) -> int:
    """Find the contacts of a pose while bodies move; return their number."""
    shape_ints, count = shapes[0], 0
    if shape_ints[GROUNDED]:
        count = _add_ground_contacts(ints, shapes, moving, out_found, count)
    if shape_ints[PAIRS]:
        _place_capsules(ints, shapes, moving, placed_capsules)
        _place_groups(shape_ints[CAPSULES], placed_capsules)
        count = _add_body_contacts(ints, shapes, moving, placed_capsules, out_found, count)
    return count


@kernel
def _add_ground_contacts(ints: IntArray, shapes: Packed, moving: Moving, out_found: Found, count: int) -> int:
    """Append the points that touch the plane."""
    (shape_ints, shape_floats), (dynamics, velocities, margin, dt) = shapes, moving
    nx, ny, nz = shape_floats[NORMAL], shape_floats[NORMAL + 1], shape_floats[NORMAL + 2]
    origin, runs = ints[extra_of(ints) + ORIGIN], runs_of_points(shape_ints)
    for run in range(shape_ints[runs]):
        first, end = shape_ints[runs + 1 + run], shape_ints[runs + 2 + run]
        body = shape_ints[HEADER + first]
        if _is_above(shapes, moving, run, body, origin):
            continue
        for index in range(first, end):
            point, gap = reach_down(shape_ints, shape_floats, index, dynamics)
            v = velocity_at(velocities, body, dynamics, origin, point)
            approach = -(nx * v[0] + ny * v[1] + nz * v[2])
            if gap < margin + 2.0 * dt * max(0.0, approach):
                count = _add(index, body, -1, point, (nx, ny, nz), gap, shape_floats[GRIP], count, out_found)
    return count


@inlined
def runs_of_points(shape_ints: IntArray) -> int:
    """Where the number of runs of points stands."""
    runs = HEADER + shape_ints[POINTS] + shape_ints[CAPSULES] + 2 * shape_ints[PAIRS]
    return int(runs + shape_ints[runs] * RUN + 2)


@inlined
def _is_above(shapes: Packed, moving: Moving, run: int, body: int, origin: int) -> bool:
    """Tell whether no point of a run can come to the ground in the step, by the ball around them."""
    (shape_ints, shape_floats), (dynamics, velocities, margin, dt) = shapes, moving
    nx, ny, nz = shape_floats[NORMAL], shape_floats[NORMAL + 1], shape_floats[NORMAL + 2]
    at = FLOAT_HEADER + shape_ints[POINTS] * POINT_FLOATS + shape_ints[CAPSULES] * CAPSULE_FLOATS + run * BALL
    u, v, w, radius = shape_floats[at], shape_floats[at + 1], shape_floats[at + 2], shape_floats[at + 3] + _ROUNDING
    row, turn = (body + 1) * ROW, 6 * body
    x = dynamics[row + 9] + dynamics[row] * u + dynamics[row + 1] * v + dynamics[row + 2] * w
    y = dynamics[row + 10] + dynamics[row + 3] * u + dynamics[row + 4] * v + dynamics[row + 5] * w
    z = dynamics[row + 11] + dynamics[row + 6] * u + dynamics[row + 7] * v + dynamics[row + 8] * w
    vx, vy, vz = velocity_at(velocities, body, dynamics, origin, (x, y, z))
    turning = math.sqrt(velocities[turn] ** 2 + velocities[turn + 1] ** 2 + velocities[turn + 2] ** 2)
    approach = turning * radius - (nx * vx + ny * vy + nz * vz)
    gap = nx * x + ny * y + nz * z - shape_floats[HEIGHT] - radius
    return bool(gap >= margin + 2.0 * dt * max(0.0, approach))


@kernel
def _add_body_contacts(
    ints: IntArray, shapes: Packed, moving: Moving, placed_capsules: Array, out_found: Found, count: int
) -> int:
    """Append the pairs of capsules that touch."""
    shape_ints, origin = shapes[0], ints[extra_of(ints) + ORIGIN]
    capsules = shape_ints[CAPSULES]
    pairs = HEADER + shape_ints[POINTS] + capsules
    runs = pairs + 2 * shape_ints[PAIRS] + 1
    for run in range(shape_ints[runs - 1]):
        at = (runs + run * RUN) & PLACE
        one, group = shape_ints[at + 1] * PLACED_CAPSULE, (capsules + shape_ints[at + 2]) * PLACED_CAPSULE
        if _far(placed_capsules, one, group):
            continue
        for index in range(shape_ints[at], shape_ints[at + RUN]):
            two = shape_ints[(pairs + 2 * index + 1) & PLACE] * PLACED_CAPSULE
            if not _far(placed_capsules, one, two):
                count = _add_pair_contact(index, shapes, moving, origin, placed_capsules, count, out_found)
    return count


@kernel
def _add_pair_contact(
    index: int, shapes: Packed, moving: Moving, origin: int, placed_capsules: Array, count: int, out_found: Found
) -> int:
    """Append a pair if it touches; return the number of contacts then."""
    (shape_ints, shape_floats), (dynamics, velocities, margin, dt) = shapes, moving
    points, capsules = shape_ints[POINTS], shape_ints[CAPSULES]
    owners, pairs = HEADER + points, HEADER + points + capsules
    radii = FLOAT_HEADER + points * POINT_FLOATS + 6
    one, two = shape_ints[pairs + 2 * index], shape_ints[pairs + 2 * index + 1]
    reach = shape_floats[radii + one * CAPSULE_FLOATS] + shape_floats[radii + two * CAPSULE_FLOATS]
    body, other = shape_ints[owners + one], shape_ints[owners + two]
    a, b = _end(placed_capsules, one, 0), _end(placed_capsules, one, 3)
    c, d = _end(placed_capsules, two, 0), _end(placed_capsules, two, 3)
    first, second = closest_points(a, b, c, d)
    x, y, z = first[0] - second[0], first[1] - second[1], first[2] - second[2]
    distance = math.sqrt(x * x + y * y + z * z)
    fastest = placed_capsules[one * PLACED_CAPSULE + FASTEST] + placed_capsules[two * PLACED_CAPSULE + FASTEST]
    if distance - reach >= margin + 2.0 * dt * fastest + _ROUNDING:
        return count
    v = velocity_at(velocities, body, dynamics, origin, first)
    w = velocity_at(velocities, other, dynamics, origin, second)
    speed = math.sqrt((v[0] - w[0]) ** 2 + (v[1] - w[1]) ** 2 + (v[2] - w[2]) ** 2)
    if distance - reach < margin + 2.0 * dt * speed and distance > 1e-9:
        normal = (x / distance, y / distance, z / distance)
        deep = shape_floats[radii + two * CAPSULE_FLOATS] + 0.5 * (distance - reach)
        point = (second[0] + deep * normal[0], second[1] + deep * normal[1], second[2] + deep * normal[2])
        grip, number = shape_floats[GRIP_BODIES], points + index
        count = _add(number, body, other, point, normal, distance - reach, grip, count, out_found)
    return count


@inlined
def _far(placed: Array, one: int, two: int) -> bool:
    """Tell whether two capsules cannot touch in the step, by the boxes around them."""
    one, two = one & PLACE, two & PLACE
    return bool(
        placed[one + LOW] > placed[two + HIGH]
        or placed[two + LOW] > placed[one + HIGH]
        or placed[one + LOW + 1] > placed[two + HIGH + 1]
        or placed[two + LOW + 1] > placed[one + HIGH + 1]
        or placed[one + LOW + 2] > placed[two + HIGH + 2]
        or placed[two + LOW + 2] > placed[one + HIGH + 2]
    )


@kernel
def _place_capsules(ints: IntArray, shapes: Packed, moving: Moving, out_placed: Array) -> None:
    """Compute the positions and speeds of all capsules in the world."""
    (shape_ints, shape_floats), (dynamics, velocities, margin, dt) = shapes, moving
    points, origin = shape_ints[POINTS], ints[extra_of(ints) + ORIGIN]
    owners, table = HEADER + points, FLOAT_HEADER + points * POINT_FLOATS
    for index in range(shape_ints[CAPSULES]):
        body, own, to = shape_ints[owners + index], table + index * CAPSULE_FLOATS, index * PLACED_CAPSULE
        row = (body + 1) * ROW
        for end in range(2):
            at = own + 3 * end
            x, y, z = shape_floats[at], shape_floats[at + 1], shape_floats[at + 2]
            for line in range(3):
                m = row + 3 * line
                turned = dynamics[m] * x + dynamics[m + 1] * y + dynamics[m + 2] * z
                out_placed[to + 3 * end + line] = dynamics[row + 9 + line] + turned
        a, b = _end(out_placed, index, 0), _end(out_placed, index, 3)
        middle = (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]))
        half = math.sqrt((b[0] - middle[0]) ** 2 + (b[1] - middle[1]) ** 2 + (b[2] - middle[2]) ** 2)
        v, w = velocity_at(velocities, body, dynamics, origin, middle), 6 * body
        turning = math.sqrt(velocities[w] ** 2 + velocities[w + 1] ** 2 + velocities[w + 2] ** 2)
        fastest = math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2) + turning * half
        around = shape_floats[own + 6] + 0.5 * margin + 2.0 * dt * fastest + _ROUNDING
        out_placed[to + FASTEST] = fastest
        for axis in range(3):
            out_placed[to + LOW + axis] = min(a[axis], b[axis]) - around
            out_placed[to + HIGH + axis] = max(a[axis], b[axis]) + around


@kernel
def _place_groups(capsules: int, out_placed: Array) -> None:
    """Boxes around the capsules that are next to each other in the table."""
    for group in range((capsules + TOGETHER - 1) // TOGETHER):
        first, end = group * TOGETHER, min(capsules, (group + 1) * TOGETHER)
        to = (capsules + group) * PLACED_CAPSULE
        for axis in range(3):
            low, high = math.inf, -math.inf
            for capsule in range(first, end):
                low = min(low, out_placed[capsule * PLACED_CAPSULE + LOW + axis])
                high = max(high, out_placed[capsule * PLACED_CAPSULE + HIGH + axis])
            out_placed[to + LOW + axis], out_placed[to + HIGH + axis] = low, high


@inlined
def _end(placed: Array, capsule: int, first: int) -> Triple:
    at = capsule * PLACED_CAPSULE + first
    return placed[at], placed[at + 1], placed[at + 2]


@inlined
def reach_down(shape_ints: IntArray, shape_floats: Array, index: int, dynamics: Array) -> tuple[Triple, float]:
    """The place in the world of a point with radii that lies deepest along -n, and how far above the plane it is."""
    row, at = (shape_ints[HEADER + index] + 1) * ROW, FLOAT_HEADER + index * POINT_FLOATS
    nx, ny, nz = shape_floats[NORMAL], shape_floats[NORMAL + 1], shape_floats[NORMAL + 2]
    u, v, w = shape_floats[at], shape_floats[at + 1], shape_floats[at + 2]
    a, b, c = shape_floats[at + 3], shape_floats[at + 4], shape_floats[at + 5]
    if a > 0.0:
        x = dynamics[row] * nx + dynamics[row + 3] * ny + dynamics[row + 6] * nz
        y = dynamics[row + 1] * nx + dynamics[row + 4] * ny + dynamics[row + 7] * nz
        z = dynamics[row + 2] * nx + dynamics[row + 5] * ny + dynamics[row + 8] * nz
        scale = 1.0 / math.sqrt((a * x) ** 2 + (b * y) ** 2 + (c * z) ** 2)
        u, v, w = u - a * a * x * scale, v - b * b * y * scale, w - c * c * z * scale
    x = dynamics[row + 9] + dynamics[row] * u + dynamics[row + 1] * v + dynamics[row + 2] * w
    y = dynamics[row + 10] + dynamics[row + 3] * u + dynamics[row + 4] * v + dynamics[row + 5] * w
    z = dynamics[row + 11] + dynamics[row + 6] * u + dynamics[row + 7] * v + dynamics[row + 8] * w
    return (x, y, z), nx * x + ny * y + nz * z - shape_floats[HEIGHT]


@inlined
def velocity_at(velocities: Array, body: int, dynamics: Array, origin: int, point: Triple) -> Triple:
    """Velocity of a body's material point [m/s], from the body's velocity about the point O of the dynamics."""
    x, y, z = point[0] - dynamics[origin], point[1] - dynamics[origin + 1], point[2] - dynamics[origin + 2]
    return velocity_of(velocities, 6 * body, x, y, z)


@entered_kernel
def closest_points(a: Triple, b: Triple, c: Triple, d: Triple) -> tuple[Triple, Triple]:
    """The places of two line segments, a to b and c to d, that are nearest to each other."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = d[0] - c[0], d[1] - c[1], d[2] - c[2]
    wx, wy, wz = a[0] - c[0], a[1] - c[1], a[2] - c[2]
    uu, vv, uv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, ux * vx + uy * vy + uz * vz
    uw, vw = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    across = uu * vv - uv * uv
    # Of parallel segments every place may be nearest; the middle keeps still while they turn past each other.
    s = min(1.0, max(0.0, (uv * vw - vv * uw) / across)) if across > 1e-12 * uu * vv else 0.5
    t = (uv * s + vw) / vv if vv > 0.0 else 0.0
    if t < 0.0 or t > 1.0 or across <= 1e-12 * uu * vv:
        t = min(1.0, max(0.0, t))
        s = min(1.0, max(0.0, (uv * t - uw) / uu)) if uu > 0.0 else 0.0
    return (a[0] + s * ux, a[1] + s * uy, a[2] + s * uz), (c[0] + t * vx, c[1] + t * vy, c[2] + t * vz)


@kernel
def _add(
    number: int,
    body: int,
    other: int,
    point: Triple,
    normal: Triple,
    gap: float,
    friction: float,
    count: int,
    out_found: Found,
) -> int:
    """Write a contact, over the least deep one where the table is full; return the number of contacts."""
    out_contacts, out_bodies = out_found
    most, place = out_bodies.shape[0] // CONTACT_INTS, count
    if count == most:
        place = 0
        for each in range(1, count):
            if out_contacts[each * CONTACT + GAP] > out_contacts[place * CONTACT + GAP]:
                place = each
        if out_contacts[place * CONTACT + GAP] <= gap:
            return count
    at = place * CONTACT
    x, y, z = normal
    # The axis that is farthest from the normal gives tangents that turn with it.
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        tx, ty, tz = 0.0, z, -y
    elif abs(y) <= abs(z):
        tx, ty, tz = -z, 0.0, x
    else:
        tx, ty, tz = y, -x, 0.0
    norm = math.sqrt(tx * tx + ty * ty + tz * tz)
    tx, ty, tz = tx / norm, ty / norm, tz / norm
    for axis in range(3):
        out_contacts[at + POINT + axis], out_contacts[at + PUSH + axis] = point[axis], normal[axis]
    out_contacts[at + TANGENT], out_contacts[at + TANGENT + 1], out_contacts[at + TANGENT + 2] = tx, ty, tz
    out_contacts[at + SECOND] = y * tz - z * ty
    out_contacts[at + SECOND + 1] = z * tx - x * tz
    out_contacts[at + SECOND + 2] = x * ty - y * tx
    out_contacts[at + GAP], out_contacts[at + FRICTION] = gap, friction
    entry = place * CONTACT_INTS
    out_bodies[entry], out_bodies[entry + 1], out_bodies[entry + 2] = number, body, other
    return max(count, place + 1)


@kernel
def measure_gap(shape_ints: IntArray, shape_floats: Array, dynamics: Array) -> float:
    """Measure how far the lowest point is above the plane [m] in the pose of `dynamics`; infinite without points."""
    least = math.inf
    for index in range(shape_ints[POINTS]):
        least = min(least, reach_down(shape_ints, shape_floats, index, dynamics)[1])
    return least

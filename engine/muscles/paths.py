"""Lengths of muscles' paths, and how they change with the figure's coordinates.

A path is the shortest string from its origin over its via points to its insertion, around its wraps. Its length l
changes with a point p of it by  g = dl/dp = u_in - u_out, the directions in which the path comes and goes on; with a
wrap by the directions at the two points where the path touches, since a geodesic's length does not change to first
order by how it lies. Where a rate turns about the axis a through o all that hangs on its joint,

    dl/dq = a . (sum p x g  -  o x sum g)  =  a . sum p x g  +  (o x a) . sum g,

and where it slides along a, a . sum g: in both the product of six sums and the rate's motion, (o x a, a) or (a, 0). The
moment arm of a muscle is -dl/dq. Several wraps between two points are bent around in turn until they lie still. Between
wraps and points nothing is minded but what the muscle says.

Buffers as `engine.muscles.layout` and `engine.model.compile` have them; `state` after forward kinematics.
out_lengths [m], shape [muscle_count]; out_gradient [m/rad] or [m/m], shape [entry_count].
"""

from __future__ import annotations

import math

from engine.limits.inlined import inlined, plain
from engine.maths.arrays import Array, IntArray
from engine.muscles.geodesic_wraps import WORK, wrap_geodesic
from engine.muscles.layout import (
    ANEW,
    CURVE_AXIS,
    CURVE_COORDINATE,
    CURVE_COUNT,
    CURVE_ENTRY,
    CURVE_FLOATS,
    CURVE_INTS,
    CURVE_STRIDE,
    CYLINDER,
    ENTRY_COUNT,
    ENTRY_INTS,
    ENTRY_MOTION,
    ENTRY_STRIDE,
    FIXED_LENGTH,
    GROUP_END,
    GROUP_ENTRY_END,
    GROUP_ENTRY_START,
    GROUP_INTS,
    GROUP_PARENT,
    GROUP_START,
    GROUP_STRIDE,
    HEADER,
    MOTION_AXIS,
    MOTION_COUNT,
    MOTION_INTS,
    MOTION_SLIDES,
    MOTION_STRIDE,
    MOTIONS,
    MUSCLE_COUNT,
    MUSCLE_STRIDE,
    POINT_CURVE_END,
    POINT_CURVE_START,
    POINT_END,
    POINT_FLOATS,
    POINT_GROUP,
    POINT_INTS,
    POINT_RANGE,
    POINT_ROW,
    POINT_START,
    POINT_STRIDE,
    RANGE,
    SPHERE,
    WRAP_CENTRE,
    WRAP_END,
    WRAP_FIRST,
    WRAP_FLOATS,
    WRAP_GROUP,
    WRAP_INTS,
    WRAP_LAST,
    WRAP_ROTATION,
    WRAP_ROW,
    WRAP_SHAPE,
    WRAP_START,
    WRAP_STRIDE,
)
from engine.muscles.round_wraps import OUT, wrap_cylinder, wrap_sphere
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

BENDS = 40  # times that several wraps of one stretch are bent around in turn
STILL, TINY = 1e-13, 1e-12  # [m]
MOST_WRAPS = 16  # between two points
# In the work memory: the point before and the point at hand; a direction; a line in a wrap's frame; what a wrap gives;
# work of geodesics; from BENT for each wrap of the stretch whether it bends, the tangent points (6), the arc, where its
# table begins, how far they moved when it last was bent around, the first tangent point before (3) and how it moved
# (3); then of each group the sums of g (3) and p x g (3), and of each rate that moves a path its motion (6).
BEFORE, HERE, DIRECTION, LINE, GIVEN, GEODESIC = 0, 3, 6, 9, 15, 24
BENT, BENT_SIZE, BENT_MOVED, BENT_BEFORE, BENT_STEP = GEODESIC + WORK, 16, 9, 10, 13
SUMS = BENT + MOST_WRAPS * BENT_SIZE


@borrowing
@inlined
def add_pull(work: Array, group: int, x: float, y: float, z: float, gx: float, gy: float, gz: float) -> None:
    """Add what a point of the world is pulled by to the sums of its group."""
    if group >= 0:
        sums = plain(SUMS + 6 * group)
        work[sums] += gx
        work[plain(sums + 1)] += gy
        work[plain(sums + 2)] += gz
        work[plain(sums + 3)] += y * gz - z * gy
        work[plain(sums + 4)] += z * gx - x * gz
        work[plain(sums + 5)] += x * gy - y * gx


@borrowing
@inlined
def pull(work: Array, group: int, at: int, gx: float, gy: float, gz: float) -> None:
    """Add what a point at `work[at:]` is pulled by."""
    add_pull(work, group, work[at], work[at + 1], work[at + 2], gx, gy, gz)


@borrowing
@inlined
def evaluate_curve(ints: IntArray, floats: Array, q: Array, curve: int, slope: bool) -> float:
    """Return a moving point's coordinate [m], or its slope over the degree of freedom."""
    count, at, value = ints[curve + CURVE_COUNT], ints[curve + CURVE_FLOATS], q[ints[curve + CURVE_COORDINATE]]
    piece = 0
    while piece < count - 2 and value >= floats[at + piece + 1]:
        piece += 1
    held = min(max(value, floats[at]), floats[at + count - 1])
    row, d = at + count + 4 * piece, held - floats[at + piece]
    first: float = floats[row + 1] + d * (2.0 * floats[row + 2] + d * 3.0 * floats[row + 3])
    if slope:
        return first
    there: float = floats[row] + d * (floats[row + 1] + d * (floats[row + 2] + d * floats[row + 3]))
    there += (value - held) * first
    return there


@borrowing
@inlined
def locate_point(ints: IntArray, floats: Array, state: Array, q: Array, point: int, out: Array, at: int) -> bool:
    """Write the world position of a point of a path; return False where it is not there now."""
    place, row = ints[point + POINT_FLOATS], ints[point + POINT_ROW]
    ranged = ints[point + POINT_RANGE]
    if ranged >= 0 and not floats[place + RANGE] <= q[ranged] <= floats[place + RANGE + 1]:
        return False
    x, y, z = floats[place], floats[place + 1], floats[place + 2]
    for each in range(ints[point + POINT_CURVE_START], ints[point + POINT_CURVE_END]):
        curve = ints[CURVE_INTS] + each * CURVE_STRIDE
        moved = evaluate_curve(ints, floats, q, curve, False)
        axis = ints[curve + CURVE_AXIS]
        if axis == 0:
            x = moved
        elif axis == 1:
            y = moved
        else:
            z = moved
    for line in range(3):
        turn = row + 3 * line
        out[at + line] = state[turn] * x + state[turn + 1] * y + state[turn + 2] * z + state[row + 9 + line]
    return True


@borrowing
@inlined
def pull_point(
    ints: IntArray, floats: Array, state: Array, q: Array, work: Array, point: int, at: int, sign: float,
    out_gradient: Array,
) -> None:  # fmt: skip
    """Pull at a point of a path, along or against DIRECTION: its joint, and what moves it on it."""
    gx, gy, gz = sign * work[DIRECTION], sign * work[DIRECTION + 1], sign * work[DIRECTION + 2]
    pull(work, ints[point + POINT_GROUP], at, gx, gy, gz)
    row = ints[point + POINT_ROW]
    for each in range(ints[point + POINT_CURVE_START], ints[point + POINT_CURVE_END]):
        curve = ints[CURVE_INTS] + each * CURVE_STRIDE
        column = row + ints[curve + CURVE_AXIS]
        along = gx * state[column] + gy * state[column + 3] + gz * state[column + 6]
        out_gradient[ints[curve + CURVE_ENTRY]] += along * evaluate_curve(ints, floats, q, curve, True)


@borrowing
@inlined
def to_wrap(state: Array, row: int, floats: Array, at: int, source: Array, there: int, out: Array, to: int) -> None:
    """Write a world point in the frame of a wrap."""
    dx, dy, dz = (
        source[there] - state[row + 9],
        source[there + 1] - state[row + 10],
        source[there + 2] - state[row + 11],
    )
    x = state[row] * dx + state[row + 3] * dy + state[row + 6] * dz - floats[at + WRAP_CENTRE]
    y = state[row + 1] * dx + state[row + 4] * dy + state[row + 7] * dz - floats[at + WRAP_CENTRE + 1]
    z = state[row + 2] * dx + state[row + 5] * dy + state[row + 8] * dz - floats[at + WRAP_CENTRE + 2]
    turn = at + WRAP_ROTATION
    for line in range(3):
        out[to + line] = floats[turn + line] * x + floats[turn + 3 + line] * y + floats[turn + 6 + line] * z


@borrowing
@inlined
def from_wrap(state: Array, row: int, floats: Array, at: int, source: Array, there: int, out: Array, to: int) -> None:
    """Write a point of a wrap's frame in the world."""
    turn, centre = at + WRAP_ROTATION, at + WRAP_CENTRE
    a, b, c = source[there], source[there + 1], source[there + 2]
    x = floats[turn] * a + floats[turn + 1] * b + floats[turn + 2] * c + floats[centre]
    y = floats[turn + 3] * a + floats[turn + 4] * b + floats[turn + 5] * c + floats[centre + 1]
    z = floats[turn + 6] * a + floats[turn + 7] * b + floats[turn + 8] * c + floats[centre + 2]
    for line in range(3):
        each = row + 3 * line
        out[to + line] = state[each] * x + state[each + 1] * y + state[each + 2] * z + state[row + 9 + line]


@borrowing
@kernel
def bend_around(
    ints: IntArray, floats: Array, state: Array, wrap: int, work: Array, start: int, end: int, to: int
) -> float:
    """Bend the line between two world points around a wrap: write whether it bends, tangent points and arc at
    `work[to:]`; return how far these moved [m]."""
    row, at, shape = ints[wrap + WRAP_ROW], ints[wrap + WRAP_FLOATS], ints[wrap + WRAP_SHAPE]
    line, given = work[LINE : LINE + 6], work[GIVEN : GIVEN + OUT]
    to_wrap(state, row, floats, at, work, start, work, LINE)
    to_wrap(state, row, floats, at, work, end, work, LINE + 3)
    if shape == SPHERE:
        bends = wrap_sphere(line[0], line[1], line[2], line[3], line[4], line[5], floats, at, given)
    elif shape == CYLINDER:
        bends = wrap_cylinder(line[0], line[1], line[2], line[3], line[4], line[5], floats, at, given)
    else:
        bends = wrap_geodesic(shape, line, floats, at, work[GEODESIC : GEODESIC + WORK], given)
    before: float = work[to]
    work[to] = 1.0 if bends else 0.0
    if not bends:
        return before
    x, y, z, a, b, c = work[to + 1], work[to + 2], work[to + 3], work[to + 4], work[to + 5], work[to + 6]
    from_wrap(state, row, floats, at, work, GIVEN, work, to + 1)
    from_wrap(state, row, floats, at, work, GIVEN + 3, work, to + 4)
    work[to + 7] = given[6]
    if before == 0.0:
        return 1.0
    moved: float = abs(x - work[to + 1]) + abs(y - work[to + 2]) + abs(z - work[to + 3])
    moved += abs(a - work[to + 4]) + abs(b - work[to + 5]) + abs(c - work[to + 6])
    return moved


@borrowing
@kernel
def bend_stretch(ints: IntArray, floats: Array, state: Array, work: Array, count: int) -> None:
    """Bend the line from BEFORE to HERE around the wraps of a stretch, in turn until they lie still."""
    for again in range(BENDS if count > 1 else 1):
        moved = 0.0
        for each in range(count):
            start, end, bent, still = BEFORE, HERE, BENT + BENT_SIZE * each, again > 0
            for other in range(count):
                at = BENT + BENT_SIZE * other
                if other == each:
                    continue
                still = still and work[at + BENT_MOVED] == 0.0
                if work[at] > 0.0 and other < each:
                    start = at + 4
                elif work[at] > 0.0 and end == HERE:
                    end = at + 1
            work[bent + BENT_MOVED] = 0.0
            if not still:
                work[bent + BENT_MOVED] = bend_around(ints, floats, state, int(work[bent + 8]), work, start, end, bent)
                moved = max(moved, work[bent + BENT_MOVED])
        if moved < STILL:
            return
        leap(work, count, again)


@borrowing
@inlined
def leap(work: Array, count: int, again: int) -> None:
    """After each second time around all wraps, carry the first tangent points on to where they are heading, by how much
    less they moved than the time before (Aitken 1926): else wraps that push each other about take 25 times."""
    dot = square = 0.0
    for each in range(1, count):
        at = BENT + BENT_SIZE * each
        for axis in range(3):
            step, before = work[at + 1 + axis] - work[at + BENT_BEFORE + axis], work[at + BENT_STEP + axis]
            dot, square = dot + step * before, square + before * before
            work[at + BENT_STEP + axis], work[at + BENT_BEFORE + axis] = step, work[at + 1 + axis]
    if again % 2 == 0 and again > 0 and 0.0 < dot < 0.9 * square:
        share = dot / (square - dot)
        for each in range(1, count):
            at = BENT + BENT_SIZE * each
            if work[at] > 0.0:
                for axis in range(3):
                    work[at + 1 + axis] += share * work[at + BENT_STEP + axis]
                    work[at + BENT_BEFORE + axis] = work[at + 1 + axis]


@borrowing
@inlined
def write_direction(work: Array, start: int, end: int) -> float:
    """Write the unit direction from one point to another; return their distance."""
    x, y, z = work[end] - work[start], work[end + 1] - work[start + 1], work[end + 2] - work[start + 2]
    length = math.sqrt(x * x + y * y + z * z)
    share = 1.0 / max(length, TINY)
    work[DIRECTION], work[DIRECTION + 1], work[DIRECTION + 2] = share * x, share * y, share * z
    return length


@borrowing
@inlined
def measure_stretch(
    ints: IntArray, floats: Array, state: Array, q: Array, work: Array, before: int, here: int, count: int,
    out_gradient: Array,
) -> float:  # fmt: skip
    """Return the length of a path from one point to the next, and pull at both and at the wraps between."""
    if count > 0:
        bend_stretch(ints, floats, state, work, count)
    length, start, group = 0.0, BEFORE, -1
    for each in range(count + 1):
        bent = BENT + BENT_SIZE * each
        if each < count and work[bent] == 0.0:
            continue
        end = bent + 1 if each < count else HERE
        length += write_direction(work, start, end)
        x, y, z = work[DIRECTION], work[DIRECTION + 1], work[DIRECTION + 2]
        if start == BEFORE:
            pull_point(ints, floats, state, q, work, before, start, -1.0, out_gradient)
        else:
            pull(work, group, start, -x, -y, -z)
        if each == count:
            pull_point(ints, floats, state, q, work, here, end, 1.0, out_gradient)
        else:
            group = ints[int(work[bent + 8]) + WRAP_GROUP]
            pull(work, group, end, x, y, z)
            start = bent + 4
            length += work[bent + 7]
    return length


@borrowing
@inlined
def write_gradient(ints: IntArray, work: Array, start: int, end: int, out_gradient: Array) -> None:
    """Write the entries of a muscle's groups, joints before their parents, whose sums they are added to."""
    table, entries = ints[GROUP_INTS], ints[ENTRY_INTS]
    for each in range(end - start):
        group, sums = plain(table + (start + each) * GROUP_STRIDE), plain(SUMS + 6 * each)
        fx, fy, fz = work[sums], work[plain(sums + 1)], work[plain(sums + 2)]
        mx, my, mz = work[plain(sums + 3)], work[plain(sums + 4)], work[plain(sums + 5)]
        for number in range(ints[plain(group + GROUP_ENTRY_START)], ints[plain(group + GROUP_ENTRY_END)]):
            at = plain(ints[plain(entries + number * ENTRY_STRIDE + ENTRY_MOTION)])
            found = work[at] * fx + work[plain(at + 1)] * fy + work[plain(at + 2)] * fz
            found += work[plain(at + 3)] * mx + work[plain(at + 4)] * my + work[plain(at + 5)] * mz
            out_gradient[plain(number)] += found
        parent = ints[plain(group + GROUP_PARENT)]
        if parent >= 0:
            above = plain(SUMS + 6 * parent)
            for line in range(6):
                work[plain(above + line)] += work[plain(sums + line)]


@borrowing
@inlined
def write_motions(ints: IntArray, state: Array, work: Array) -> None:
    """Write how each rate that moves a path moves what hangs on it, as numbers beside the sums of a group."""
    for each in range(ints[MOTION_COUNT]):
        entry, to = plain(ints[MOTION_INTS] + each * MOTION_STRIDE), plain(ints[MOTIONS] + 6 * each)
        axis = plain(ints[plain(entry + MOTION_AXIS)])
        ax, ay, az = state[axis], state[plain(axis + 1)], state[plain(axis + 2)]
        if ints[plain(entry + MOTION_SLIDES)]:
            work[to], work[plain(to + 1)], work[plain(to + 2)] = ax, ay, az
            ax, ay, az = 0.0, 0.0, 0.0
        else:
            ox, oy, oz = state[plain(axis + 3)], state[plain(axis + 4)], state[plain(axis + 5)]
            work[to], work[plain(to + 1)] = oy * az - oz * ay, oz * ax - ox * az
            work[plain(to + 2)] = ox * ay - oy * ax
        work[plain(to + 3)], work[plain(to + 4)], work[plain(to + 5)] = ax, ay, az


@borrowing
@inlined
def gather_wraps(ints: IntArray, work: Array, start: int, end: int, before: int, here: int) -> int:
    """Write which wraps of a muscle are minded between two of its points; return how many they are."""
    count = 0
    for each in range(start, end):
        wrap = ints[WRAP_INTS] + each * WRAP_STRIDE
        if ints[wrap + WRAP_FIRST] <= before and here <= ints[wrap + WRAP_LAST]:
            work[BENT + BENT_SIZE * count] = 0.0
            work[BENT + BENT_SIZE * count + 8] = wrap
            count += 1
    return count


@borrowing
@inlined
def measure_fixed(ints: IntArray, floats: Array, state: Array, work: Array, start: int, end: int) -> float:
    """Return the length of a path of fixed points without wraps, and pull at each once, by u_in - u_out."""
    length, group, ux, uy, uz = 0.0, -1, 0.0, 0.0, 0.0
    x, y, z = 0.0, 0.0, 0.0
    for place in range(start, end):
        point = plain(ints[POINT_INTS] + place * POINT_STRIDE)
        at, row = plain(ints[plain(point + POINT_FLOATS)]), plain(ints[plain(point + POINT_ROW)])
        a, b, c = floats[at], floats[plain(at + 1)], floats[plain(at + 2)]
        nx = state[row] * a + state[plain(row + 1)] * b + state[plain(row + 2)] * c + state[plain(row + 9)]
        ny = state[plain(row + 3)] * a + state[plain(row + 4)] * b + state[plain(row + 5)] * c + state[plain(row + 10)]
        nz = state[plain(row + 6)] * a + state[plain(row + 7)] * b + state[plain(row + 8)] * c + state[plain(row + 11)]
        if ints[plain(point + POINT_RANGE)] == ANEW:
            add_pull(work, group, x, y, z, ux, uy, uz)
            ux, uy, uz = 0.0, 0.0, 0.0
        elif place > start:
            dx, dy, dz = nx - x, ny - y, nz - z
            distance = math.sqrt(dx * dx + dy * dy + dz * dz)
            share = 1.0 / max(distance, TINY)
            dx, dy, dz = share * dx, share * dy, share * dz
            length += distance
            add_pull(work, group, x, y, z, ux - dx, uy - dy, uz - dz)
            ux, uy, uz = dx, dy, dz
        x, y, z, group = nx, ny, nz, ints[plain(point + POINT_GROUP)]
    add_pull(work, group, x, y, z, ux, uy, uz)
    return length


@borrowing
@kernel
def measure_bent(
    ints: IntArray, floats: Array, state: Array, q: Array, work: Array, muscle: int, out_gradient: Array
) -> float:
    """Return the length of a path with wraps, or with points that move or are not always there, and pull at them."""
    start, wraps, wraps_end = ints[muscle + POINT_START], ints[muscle + WRAP_START], ints[muscle + WRAP_END]
    length, before = 0.0, -1
    for place in range(ints[muscle + POINT_END] - start):
        point = ints[POINT_INTS] + (start + place) * POINT_STRIDE
        if not locate_point(ints, floats, state, q, point, work, HERE):
            continue
        if before >= 0:
            count = gather_wraps(ints, work, wraps, wraps_end, before, place) if wraps_end > wraps else 0
            earlier = ints[POINT_INTS] + (start + before) * POINT_STRIDE
            length += measure_stretch(ints, floats, state, q, work, earlier, point, count, out_gradient)
        before = place
        work[BEFORE], work[BEFORE + 1], work[BEFORE + 2] = work[HERE], work[HERE + 1], work[HERE + 2]
    return length


@borrowing
@kernel
def measure_paths(
    ints: IntArray, floats: Array, state: Array, q: Array, work: Array, out_lengths: Array, out_gradient: Array
) -> None:
    """Write the length of each muscle's path and its gradient; `work` is that of `MusclePaths.new_work`."""
    for each in range(ints[ENTRY_COUNT]):
        out_gradient[each] = 0.0
    write_motions(ints, state, work)
    for number in range(ints[MUSCLE_COUNT]):
        muscle = plain(HEADER + number * MUSCLE_STRIDE)
        groups, groups_end = ints[plain(muscle + GROUP_START)], ints[plain(muscle + GROUP_END)]
        for each in range(SUMS, SUMS + 6 * (groups_end - groups)):
            work[plain(each)] = 0.0
        within = ints[plain(muscle + FIXED_LENGTH)]
        if within >= 0:
            first, last = ints[plain(muscle + POINT_START)], ints[plain(muscle + POINT_END)]
            out_lengths[number] = floats[plain(within)] + measure_fixed(ints, floats, state, work, first, last)
        else:
            out_lengths[number] = measure_bent(ints, floats, state, q, work, muscle, out_gradient)
        write_gradient(ints, work, groups, groups_end, out_gradient)

"""Paths of rotations: slerp, and the C1 spline of quaternions, with angular velocity and acceleration.

A span is q(u) = q0 exp(w1 B1(u)) exp(w2 B2(u)) exp(w3 B3(u)) with the cumulative Bernstein basis B1 = 1 - (1 - u)^3,
B2 = 3 u^2 - 2 u^3, B3 = u^3; w1 and w3 are a third of the span times the angular velocities at its ends, and w2 closes
the gap to the next key (Kim, Kim and Shin, A general construction scheme for unit quaternion curves with simple high
order derivatives, 1995, section 4.2). A slerp is the one factor exp(w1 u).

Layout of a path, at any place of a buffer: the header, the times of its keys [ticks], and for each key ARC numbers:
its kind, its quaternion, then w1, w2, w3 of the span that begins there [rad].

Rows of `work` from `at` on: quaternion, angular velocity [rad/s] and its derivative [rad/s2], both about the axes of
the turned frame; then w1, w2, w3; then room for the kernels.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.maths.rotations import exponential, logarithm, multiply_quaternions, normalise_quaternion, rotate_vector
from engine.motion.curve_kernels import (
    CYCLE,
    CYCLE_OFFSET,
    HOLD,
    LINEAR,
    TICKS,
    count_cycles,
    find_span,
)
from engine.runtime.jit import kernel

STEPPED, SLERP, SPLINE = range(3)
KEY_COUNT, BEFORE, AFTER, FIRST, LAST, FIRST_TURN, LAST_TURN, CYCLE_TURN = 0, 1, 2, 3, 4, 5, 8, 11
PATH_HEADER, ARC = 14, 14
TURN, BEND, W1, W2, W3, SPARE = 1, 2, 3, 4, 5, 6
PATH_ROWS = 12

_STANDING = 1e-12  # [rad/s]


@kernel
def write_difference(work: Array, first: int, second: int, out_row: int) -> None:
    """The rotation vector from the quaternion in one row to that in another, in the frame of the first."""
    work[out_row, 0] = work[first, 0]
    for each in range(1, 4):
        work[out_row, each] = -work[first, each]
    multiply_quaternions(work[out_row], work[second], work[out_row])
    logarithm(work[out_row], work[out_row])


@kernel
def turn_back(work: Array, row: int, vector: int, spare: int) -> None:
    """Multiply the quaternion in a row from the right by the inverse of the rotation by a vector."""
    for each in range(3):
        work[spare, each] = -work[vector, each]
    exponential(work[spare], work[spare + 1])
    multiply_quaternions(work[row], work[spare + 1], work[row])


@kernel
def close_arc(work: Array, at: int, following: int) -> None:
    """Write w2 so that the span from the quaternion at `at`, with w1 and w3 given, ends at that in `following`."""
    spare = at + SPARE
    for each in range(4):
        work[spare + 2, each] = work[following, each]
        work[spare + 3, each] = work[at, each]
    turn_back(work, spare + 2, at + W3, spare)
    exponential(work[at + W1], work[spare + 1])
    multiply_quaternions(work[spare + 3], work[spare + 1], work[spare + 3])
    write_difference(work, spare + 3, spare + 2, at + W2)


@kernel
def add_turn(work: Array, at: int, vector: int, share: float, rate: float, bend: float) -> None:
    """Multiply by exp(vector share): omega becomes E* omega + b, its derivative E* omega' + (E* omega) x b + b'."""
    spare, turn, change = at + SPARE, at + TURN, at + BEND
    for each in range(3):
        work[spare, each] = share * work[vector, each]
    exponential(work[spare], work[spare + 1])
    multiply_quaternions(work[at], work[spare + 1], work[at])
    for each in range(1, 4):
        work[spare + 1, each] = -work[spare + 1, each]
    rotate_vector(work[spare + 1], work[turn], work[turn])
    rotate_vector(work[spare + 1], work[change], work[change])
    x, y, z = work[turn, 0], work[turn, 1], work[turn, 2]
    bx, by, bz = rate * work[vector, 0], rate * work[vector, 1], rate * work[vector, 2]
    work[change, 0] += y * bz - z * by + bend * work[vector, 0]
    work[change, 1] += z * bx - x * bz + bend * work[vector, 1]
    work[change, 2] += x * by - y * bx + bend * work[vector, 2]
    work[turn, 0], work[turn, 1], work[turn, 2] = x + bx, y + by, z + bz


@kernel
def follow_spline(work: Array, at: int, u: float, h: float) -> None:
    """Follow the spline from the quaternion at `at` along w1, w2, w3 to the share u of a span of h seconds."""
    work[at + TURN, :3] = 0.0
    work[at + BEND, :3] = 0.0
    v, hh = 1.0 - u, h * h
    add_turn(work, at, at + W1, 1.0 - v * v * v, 3.0 * v * v / h, -6.0 * v / hh)
    add_turn(work, at, at + W2, u * u * (3.0 - 2.0 * u), 6.0 * u * v / h, (6.0 - 12.0 * u) / hh)
    add_turn(work, at, at + W3, u * u * u, 3.0 * u * u / h, 6.0 * u / hh)


@kernel
def follow_arc(floats: Array, arc: int, u: float, h: float, out_work: Array, at: int) -> None:
    """The packed span at `arc` at the share u."""
    for each in range(4):
        out_work[at, each] = floats[arc + 1 + each]
    for row in range(3):
        for each in range(3):
            out_work[at + W1 + row, each] = floats[arc + 5 + 3 * row + each]
    if floats[arc] == SPLINE:
        follow_spline(out_work, at, u, h)
        return
    out_work[at + TURN, :3] = 0.0
    out_work[at + BEND, :3] = 0.0
    if floats[arc] == SLERP:
        add_turn(out_work, at, at + W1, u, 1.0 / h, 0.0)


@kernel
def turn_on(work: Array, at: int, seconds: float) -> None:
    """Go on from the quaternion at `at` with its angular velocity, unchanging."""
    spare = at + SPARE
    for each in range(3):
        work[spare, each] = seconds * work[at + TURN, each]
        work[at + BEND, each] = 0.0
    exponential(work[spare], work[spare + 1])
    multiply_quaternions(work[at], work[spare + 1], work[at])


@kernel
def repeat_turn(work: Array, at: int, cycles: float) -> None:
    """Turn the quaternion at `at` from outside by `cycles` times the rotation vector in the spare row."""
    spare = at + SPARE
    for each in range(3):
        work[spare, each] *= cycles
    exponential(work[spare], work[spare + 1])
    multiply_quaternions(work[spare + 1], work[at], work[at])


@kernel
def evaluate_path_inside(floats: Array, path: int, time: float, out_work: Array, at: int) -> bool:
    """Evaluate a path from the first to the last key; True on a key."""
    count = int(floats[path])
    times = path + PATH_HEADER
    span = min(find_span(floats, times, count, time), count - 2)
    start, end = floats[times + span], floats[times + span + 1]
    arc = times + count + span * ARC
    follow_arc(floats, arc, (time - start) / (end - start), (end - start) / TICKS, out_work, at)
    if time == end:
        for each in range(4):
            out_work[at, each] = floats[arc + ARC + 1 + each]
    return bool(time in (start, end))


@kernel
def evaluate_path(floats: Array, path: int, time: float, out_work: Array, at: int) -> bool:
    """Rotation, angular velocity and its derivative at any time [ticks]; True on a key itself."""
    first, last = floats[path + FIRST], floats[path + LAST]
    early = time < first
    if first < last and first <= time <= last:
        return evaluate_path_inside(floats, path, time, out_work, at)
    code = int(floats[path + BEFORE] if early else floats[path + AFTER])
    if code in (HOLD, LINEAR) or first == last:
        count = int(floats[path])
        arc = path + PATH_HEADER + count + (0 if early else (count - 1) * ARC)
        for each in range(4):
            out_work[at, each] = floats[arc + 1 + each]
        for each in range(3):
            turn = floats[path + (FIRST_TURN if early else LAST_TURN) + each]
            out_work[at + TURN, each] = turn if code == LINEAR else 0.0
            out_work[at + BEND, each] = 0.0
        turn_on(out_work, at, (time - (first if early else last)) / TICKS)
        return bool(time == first)
    cycles = count_cycles(time, first, last)
    evaluate_path_inside(floats, path, time - cycles * (last - first), out_work, at)
    if code == CYCLE_OFFSET:
        for each in range(3):
            out_work[at + SPARE, each] = floats[path + CYCLE_TURN + each]
        repeat_turn(out_work, at, cycles)
    return False


@kernel
def pack_path(
    times: Array, quaternions: Array, kinds: IntArray, still: IntArray, before: int, after: int, out_path: Array
) -> None:
    """Pack the keys of a path, shape [key_count, 4]; `kinds` of the spans, `still` 1 where a key has no velocity."""
    count = times.shape[0]
    work, turns, speeds = np.zeros((PATH_ROWS + 1, 4)), np.zeros((count, 3)), np.zeros((count, 3))
    out_path[KEY_COUNT], out_path[BEFORE], out_path[AFTER] = count, before, after
    out_path[FIRST], out_path[LAST] = times[0], times[count - 1]
    arcs = PATH_HEADER + count
    for key in range(count):
        out_path[PATH_HEADER + key] = times[key]
        normalise_key(quaternions[key])
        for each in range(4):
            out_path[arcs + key * ARC + 1 + each] = quaternions[key, each]
    for key in range(count - 1):
        for each in range(4):
            work[0, each], work[1, each] = quaternions[key, each], quaternions[key + 1, each]
        write_difference(work, 0, 1, 2)
        for each in range(3):
            turns[key, each] = work[2, each] * TICKS / (times[key + 1] - times[key])
    write_velocities(times, turns, still, before, after, speeds)
    for key in range(count - 1):
        arc, h = arcs + key * ARC, (times[key + 1] - times[key]) / TICKS
        out_path[arc] = kinds[key]
        for each in range(4):
            work[0, each], work[PATH_ROWS, each] = quaternions[key, each], quaternions[key + 1, each]
        for each in range(3):
            work[W1, each] = (speeds[key, each] / 3.0 if kinds[key] == SPLINE else turns[key, each]) * h
            work[W3, each] = speeds[key + 1, each] / 3.0 * h
        close_arc(work, 0, PATH_ROWS)
        for row in range(3):
            for each in range(3):
                out_path[arc + 5 + 3 * row + each] = work[W1 + row, each]
    for each in range(3):
        if count > 1:
            out_path[FIRST_TURN + each] = end_velocity(kinds[0], speeds[0, each], turns[0, each])
            out_path[LAST_TURN + each] = end_velocity(kinds[count - 2], speeds[count - 1, each], turns[count - 2, each])
    for each in range(1, 4):
        quaternions[0, each] = -quaternions[0, each]
    multiply_quaternions(quaternions[count - 1], quaternions[0], work[0])
    logarithm(work[0], work[1])
    for each in range(3):
        out_path[CYCLE_TURN + each] = work[1, each]


@kernel
def end_velocity(kind: int, spline: float, slerp: float) -> float:
    """Return the angular velocity with which a span of that kind begins or ends."""
    return spline if kind == SPLINE else slerp if kind == SLERP else 0.0


@kernel
def normalise_key(out_q: Array) -> None:
    """Scale to norm 1; one that has it already stays as it is, to the last bit."""
    norm = out_q[0] ** 2 + out_q[1] ** 2 + out_q[2] ** 2 + out_q[3] ** 2
    if abs(norm - 1.0) > 1e-15:
        normalise_quaternion(out_q)


@kernel
def write_velocities(times: Array, turns: Array, still: IntArray, before: int, after: int, out_speeds: Array) -> None:
    """Angular velocity at each key [rad/s], from `turns`, those of the spans, as a parabola through three keys has it.

    At an end: zero where it is held, the parabola's where it goes on, across the seam in a cycle. Zero also where one
    of the spans beside the key stands still.
    """
    count = times.shape[0]
    cyclic = before in (CYCLE, CYCLE_OFFSET) or after in (CYCLE, CYCLE_OFFSET)
    for key in range(count):
        inside = 0 < key < count - 1
        if still[key] or count < 2 or not (inside or cyclic):
            continue
        left, right = (key - 1 if key > 0 else count - 2), (key if key < count - 1 else 0)
        h0, h1 = times[left + 1] - times[left], times[right + 1] - times[right]
        before_key = after_key = 0.0
        for each in range(3):
            before_key, after_key = max(before_key, abs(turns[left, each])), max(after_key, abs(turns[right, each]))
        slow = min(before_key, after_key)
        for each in range(3):
            if slow > _STANDING:
                out_speeds[key, each] = (h1 * turns[left, each] + h0 * turns[right, each]) / (h0 + h1)
    if cyclic or count < 2:
        return
    for each in range(3):
        if before == LINEAR and not still[0]:
            out_speeds[0, each] = turns[0, each] if count == 2 else 2.0 * turns[0, each] - out_speeds[1, each]
        if after == LINEAR and not still[count - 1]:
            final = turns[count - 2, each]
            out_speeds[count - 1, each] = final if count == 2 else 2.0 * final - out_speeds[count - 2, each]


@kernel
def write_quaternion_rates(work: Array, at: int, slot: int) -> None:
    """A ball's four numbers with rates and accelerations: q' = q omega / 2, q'' = q (omega' / 2 - |omega|^2 / 4)."""
    spare = at + SPARE
    x, y, z = work[at + TURN, 0], work[at + TURN, 1], work[at + TURN, 2]
    work[spare, 0], work[spare + 1, 0] = 0.0, -0.25 * (x * x + y * y + z * z)
    for each in range(3):
        work[spare, each + 1] = 0.5 * work[at + TURN, each]
        work[spare + 1, each + 1] = 0.5 * work[at + BEND, each]
    multiply_quaternions(work[at], work[spare], work[spare])
    multiply_quaternions(work[at], work[spare + 1], work[spare + 1])
    for each in range(4):
        work[slot + each, 0] = work[at, each]
        work[slot + each, 1] = work[spare, each]
        work[slot + each, 2] = work[spare + 1, each]

"""Value, rate and acceleration of samples at a time: cubics through the frames.

The slope at a frame is that of the chord between its neighbours (Catmull-Rom); at an end it is the parabola's through
three frames, and in a cycle the neighbour across the seam counts. Balls follow the spline of quaternions with angular
velocities made in the same way. Frames stand on whole ticks, rounded as `engine.document.motion.frame_time` does, and
are met exactly; where a rate has no whole ticks the spans between them differ by one.

Header of samples in a buffer: first and last tick, codes of extrapolation, and a frame as WHOLE + PART / PARTS ticks.
"""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.motion.curve_kernels import CYCLE, CYCLE_OFFSET, HOLD, LINEAR, TICKS, count_cycles
from engine.motion.rotation_kernels import (
    BEND,
    PATH_ROWS,
    SPARE,
    TURN,
    W1,
    W3,
    close_arc,
    follow_spline,
    normalise_key,
    repeat_turn,
    turn_on,
    write_difference,
    write_quaternion_rates,
)
from engine.runtime.jit import kernel

START, END, BEFORE, AFTER, WHOLE, PART, PARTS = range(7)
BALL_ROWS = PATH_ROWS + 4


@kernel
def frame_tick(floats: Array, at: int, frame: int) -> float:
    """The tick on which a frame stands."""
    extra = np.rint(frame * floats[at + PART] / floats[at + PARTS])
    return float(floats[at + START] + frame * floats[at + WHOLE] + extra)


@kernel
def find_frame(floats: Array, at: int, count: int, time: float) -> int:
    """The frame that begins the span in which a time lies; two frames or more."""
    length = floats[at + WHOLE] + floats[at + PART] / floats[at + PARTS]
    frame: int = min(max(math.floor((time - floats[at + START]) / length), 0), count - 2)
    if frame > 0 and time < frame_tick(floats, at, frame):
        return frame - 1
    if frame < count - 2 and time >= frame_tick(floats, at, frame + 1):
        return frame + 1
    return frame


@kernel
def neighbour(frame: int, step: int, count: int, cyclic: bool) -> tuple[int, float, float]:
    """The span beside a span, before (-1) or after (1) it, and the shares of this and of that one in the slope."""
    beside = frame + step
    if 0 <= beside < count - 1:
        return beside, 0.5, 0.5
    if cyclic:
        return (count - 2 if step < 0 else 0), 0.5, 0.5
    if count == 2:
        return frame, 1.0, 0.0
    return frame - step, 1.5, -0.5


@kernel
def evaluate_columns(
    columns: IntArray, samples: Array, frame: int, cyclic: bool, share: float, h: float, stretch: float, out_work: Array
) -> None:
    """Single coordinates, pairs of slot and column; `stretch`: this span over a plain frame."""
    count = samples.shape[0]
    left, left_own, left_other = neighbour(frame, -1, count, cyclic)
    right, right_own, right_other = neighbour(frame, 1, count, cyclic)
    for pair in range(0, columns.shape[0], 2):
        slot, column = columns[pair], columns[pair + 1]
        value, ahead = samples[frame, column], samples[frame + 1, column]
        d = ahead - value
        m0 = stretch * (left_own * d + left_other * (samples[left + 1, column] - samples[left, column]))
        m1 = stretch * (right_own * d + right_other * (samples[right + 1, column] - samples[right, column]))
        b, c = 3.0 * d - 2.0 * m0 - m1, m0 + m1 - 2.0 * d
        out_work[slot, 0] = ahead if share == 1.0 else value + share * (m0 + share * (b + share * c))
        out_work[slot, 1] = (m0 + share * (2.0 * b + share * 3.0 * c)) / h
        out_work[slot, 2] = (2.0 * b + share * 6.0 * c) / (h * h)


@kernel
def load_rotation(samples: Array, frame: int, entry: IntArray, out_work: Array, row: int) -> None:
    """The unit quaternion of a frame."""
    for each in range(4):
        out_work[row, each] = samples[frame, entry[1 + each]]
    normalise_key(out_work[row])


@kernel
def write_span_turn(samples: Array, frame: int, entry: IntArray, out_work: Array, row: int) -> None:
    """The rotation vector from a frame to the next one; the two rows after it are used."""
    load_rotation(samples, frame, entry, out_work, row + 1)
    load_rotation(samples, frame + 1, entry, out_work, row + 2)
    write_difference(out_work, row + 1, row + 2, row)


@kernel
def evaluate_sampled_ball(
    entry: IntArray,
    samples: Array,
    frame: int,
    cyclic: bool,
    share: float,
    h: float,
    stretch: float,
    out_work: Array,
    at: int,
) -> None:
    """The rotation of a ball (`entry`: slot, four columns), its angular velocity and derivative, at `at`."""
    count, following, spare = samples.shape[0], at + PATH_ROWS, at + SPARE
    write_span_turn(samples, frame, entry, out_work, spare + 3)
    for side in range(2):
        row = at + (W1 if side == 0 else W3)
        beside, own, other = neighbour(frame, -1 if side == 0 else 1, count, cyclic)
        write_span_turn(samples, beside, entry, out_work, spare)
        for each in range(3):
            turn = own * out_work[spare + 3, each] + other * out_work[spare, each]
            out_work[row, each] = stretch * turn / 3.0
    load_rotation(samples, frame, entry, out_work, at)
    load_rotation(samples, frame + 1, entry, out_work, following)
    close_arc(out_work, at, following)
    follow_spline(out_work, at, share, h)
    if share == 1.0:
        for each in range(4):
            out_work[at, each] = out_work[following, each]


@kernel
def write_still_frame(columns: IntArray, balls: IntArray, samples: Array, frame: int, out_work: Array, at: int) -> None:
    """One frame, standing still."""
    for pair in range(0, columns.shape[0], 2):
        slot = columns[pair]
        out_work[slot, 0], out_work[slot, 1], out_work[slot, 2] = samples[frame, columns[pair + 1]], 0.0, 0.0
    for ball in range(0, balls.shape[0], 5):
        load_rotation(samples, frame, balls[ball : ball + 5], out_work, at)
        out_work[at + TURN, :3] = 0.0
        out_work[at + BEND, :3] = 0.0
        write_quaternion_rates(out_work, at, balls[ball])


@kernel
def carry_columns(columns: IntArray, samples: Array, seconds: float, cycles: float, out_work: Array) -> None:
    """Carry numbers beyond an end, by their rates for so many seconds, or by so many cycles."""
    final = samples.shape[0] - 1
    for pair in range(0, columns.shape[0], 2):
        slot, column = columns[pair], columns[pair + 1]
        if seconds != 0.0:
            out_work[slot, 0] += seconds * out_work[slot, 1]
            out_work[slot, 2] = 0.0
        out_work[slot, 0] += cycles * (samples[final, column] - samples[0, column])


@kernel
def carry_ball(entry: IntArray, samples: Array, seconds: float, cycles: float, out_work: Array, at: int) -> None:
    """Carry the rotation at `at` beyond an end, by its rate for so many seconds, or by so many cycles."""
    if seconds != 0.0:
        turn_on(out_work, at, seconds)
    if cycles != 0.0:
        spare = at + SPARE
        load_rotation(samples, 0, entry, out_work, spare + 1)
        load_rotation(samples, samples.shape[0] - 1, entry, out_work, spare + 2)
        write_outer_difference(out_work, spare + 1, spare + 2, spare)
        repeat_turn(out_work, at, cycles)


@kernel
def write_outer_difference(work: Array, first: int, second: int, out_row: int) -> None:
    """The rotation vector from one quaternion to another, in the frame outside of both: it turns the first into it."""
    write_difference(work, first, second, out_row)
    x, y, z = work[out_row, 0], work[out_row, 1], work[out_row, 2]
    w, a, b, c = work[first, 0], work[first, 1], work[first, 2], work[first, 3]
    tx, ty, tz = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
    work[out_row, 0] = x + w * tx + b * tz - c * ty
    work[out_row, 1] = y + w * ty + c * tx - a * tz
    work[out_row, 2] = z + w * tz + a * ty - b * tx


@kernel
def evaluate_samples(
    floats: Array,
    header: int,
    columns: IntArray,
    balls: IntArray,
    samples: Array,
    time: float,
    out_work: Array,
    at: int,
) -> None:
    """All columns and balls at any time [ticks]."""
    count, first, last = samples.shape[0], floats[header + START], floats[header + END]
    early, late = time < first, time > last
    code = int(floats[header + BEFORE] if early else floats[header + AFTER])
    if count == 1 or ((early or late) and code == HOLD):
        write_still_frame(columns, balls, samples, 0 if early or count == 1 else count - 1, out_work, at)
        return
    seconds, cycles = 0.0, 0.0
    if early or late:
        if code == LINEAR:
            end = first if early else last
            seconds, time = (time - end) / TICKS, end
        else:
            cycles = count_cycles(time, first, last)
            time -= cycles * (last - first)
            cycles = cycles if code == CYCLE_OFFSET else 0.0
    frame = find_frame(floats, header, count, time)
    start, end = frame_tick(floats, header, frame), frame_tick(floats, header, frame + 1)
    share, h = (time - start) / (end - start), (end - start) / TICKS
    stretch = (end - start) / (floats[header + WHOLE] + floats[header + PART] / floats[header + PARTS])
    before, after = int(floats[header + BEFORE]), int(floats[header + AFTER])
    cyclic = before in (CYCLE, CYCLE_OFFSET) or after in (CYCLE, CYCLE_OFFSET)
    evaluate_columns(columns, samples, frame, cyclic, share, h, stretch, out_work)
    if seconds != 0.0 or cycles != 0.0:
        carry_columns(columns, samples, seconds, cycles, out_work)
    for ball in range(0, balls.shape[0], 5):
        entry = balls[ball : ball + 5]
        evaluate_sampled_ball(entry, samples, frame, cyclic, share, h, stretch, out_work, at)
        carry_ball(entry, samples, seconds, cycles, out_work, at)
        write_quaternion_rates(out_work, at, balls[ball])

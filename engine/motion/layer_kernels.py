"""One layer at a time: its coordinates, its timing, its weight, and its place in what the layers below have given.

Layout of a layer's `ints`: the header (offsets below; a COUNT, then where its entries begin), then entries:
constants, curves and paths with their places in `floats`; columns and balls of samples; coordinates and balls to write
with their places in the figure's coordinates; speed curves; the terms of a correction and what they correct. `floats`
begins with the weight and the span.
Rows of `work`: for each slot (a coordinate that the layer gives) value, rate, acceleration and a spare number; from
SLOT_COUNT on the rows of `engine.motion.rotation_kernels`, then those of a correction. `out_motion`: q, its rates and
its accelerations at each time, shape [len(times), 3, coordinate_count].

A weight w that moves gives (w x)' = w' x + w x' and (w x)'' = w'' x + 2 w' x' + w x''. It is eased by the polynomial
s^3 (10 - 15 s + 6 s^2), whose first two derivatives vanish at both ends.
"""

from __future__ import annotations

import math

from engine.maths.arrays import Array, IntArray
from engine.motion.correction_kernels import add_correction, multiply_motion, sum_terms
from engine.motion.curve_kernels import TICKS, evaluate_curve
from engine.motion.euler_kernels import write_euler_motion
from engine.motion.rotation_kernels import evaluate_path, write_quaternion_rates
from engine.motion.sample_kernels import BALL_ROWS, evaluate_samples
from engine.motion.speed_kernels import find_path_time
from engine.runtime.jit import kernel

(
    ADDS,
    HAS_SPAN,
    SLOT_COUNT,
    SAMPLE_FLOATS,
    CORRECTED_ROWS,
    CONSTANTS,
    CONSTANTS_END,
    CURVES,
    CURVES_END,
    COLUMNS,
    COLUMNS_END,
    SAMPLED_BALLS,
    SAMPLED_BALLS_END,
    PATHS,
    PATHS_END,
    SINGLES,
    SINGLES_END,
    BALLS,
    BALLS_END,
    SPEEDS,
    SPEEDS_END,
    NAMED,
    NAMED_END,
    TERMS,
    TERMS_END,
    CORRECTED,
    CORRECTED_END,
) = range(27)
LAYER_HEADER = 27
WEIGHT, SPAN_START, SPAN_END, EASE_IN, EASE_OUT = range(5)
LAYER_FLOATS = 5
PATH_ENTRY, SPEED_ENTRY = 11, 4
WORK_ROWS = BALL_ROWS

_NUDGE = 1e-6


@kernel
def ease(passed: float, length: float) -> tuple[float, float, float]:
    """The eased share of a length of ticks, its rate [1/s] and acceleration [1/s2]."""
    s, seconds = passed / length, length / TICKS
    v = 1.0 - s
    value = s * s * s * (10.0 + s * (6.0 * s - 15.0))
    return value, 30.0 * s * s * v * v / seconds, 60.0 * s * v * (v - s) / (seconds * seconds)


@kernel
def weigh_layer(floats: Array, time: float) -> tuple[float, float, float]:
    """The weight of a layer that has a span, its rate and acceleration; zero outside."""
    weight, start, end = floats[WEIGHT], floats[SPAN_START], floats[SPAN_END]
    if time < start or time > end:
        return 0.0, 0.0, 0.0
    if time - start < floats[EASE_IN]:
        share, rate, bend = ease(time - start, floats[EASE_IN])
        return weight * share, weight * rate, weight * bend
    if end - time < floats[EASE_OUT]:
        share, rate, bend = ease(end - time, floats[EASE_OUT])
        return weight * share, -weight * rate, weight * bend
    return weight, 0.0, 0.0


@kernel
def evaluate_slots(ints: IntArray, floats: Array, samples: Array, time: float, out_work: Array) -> None:
    """Every coordinate that the layer gives, at a time of its own."""
    scratch = ints[SLOT_COUNT]
    for entry in range(ints[CONSTANTS], ints[CONSTANTS_END], 2):
        slot = ints[entry]
        out_work[slot, 0], out_work[slot, 1], out_work[slot, 2] = floats[ints[entry + 1]], 0.0, 0.0
    if samples.shape[0] > 0:
        columns, balls = ints[ints[COLUMNS] : ints[COLUMNS_END]], ints[ints[SAMPLED_BALLS] : ints[SAMPLED_BALLS_END]]
        evaluate_samples(floats, ints[SAMPLE_FLOATS], columns, balls, samples, time, out_work, scratch)
    for entry in range(ints[CURVES], ints[CURVES_END], 2):
        slot = ints[entry]
        value, rate, bend = evaluate_curve(floats, ints[entry + 1], time)
        out_work[slot, 0], out_work[slot, 1], out_work[slot, 2] = value, rate, bend
    for entry in range(ints[PATHS], ints[PATHS_END], PATH_ENTRY):
        on_key = evaluate_path(floats, ints[entry], time, out_work, scratch)
        if ints[entry + 1] > 0:
            write_quaternion_rates(out_work, scratch, ints[entry + 2])
        else:
            write_euler_motion(out_work, scratch, ints[entry + 2 : entry + PATH_ENTRY], on_key)


@kernel
def measure_path(slots: IntArray, work: Array) -> tuple[float, float]:
    """Speed along the path of some slots, and its rate."""
    speed, change = 0.0, 0.0
    for each in range(slots.shape[0]):
        speed += work[slots[each], 1] ** 2
        change += work[slots[each], 1] * work[slots[each], 2]
    speed = math.sqrt(speed)
    return speed, change / speed if speed > 0.0 else 0.0


@kernel
def measure_speeds(
    ints: IntArray, floats: Array, samples: Array, slots: IntArray, times: Array, out_work: Array, out_speeds: Array
) -> None:
    """Speed along the path of some slots [1/s] at many times."""
    for each in range(times.shape[0]):
        evaluate_slots(ints, floats, samples, times[each], out_work)
        out_speeds[each] = measure_path(slots, out_work)[0]


@kernel
def evaluate_timed_slots(
    ints: IntArray, floats: Array, samples: Array, entry: int, time: float, out_work: Array
) -> None:
    """The slots under a speed curve: read where the distance travelled is s = L f(time), so that the time of reading
    moves with L f' / |c'|. Where the path c stands still its direction is taken a millionth of the range further in."""
    block, slots = ints[entry], ints[ints[NAMED] + ints[entry + 3] : ints[NAMED] + ints[entry + 3] + ints[entry + 2]]
    start, end, length = floats[block], floats[block + 1], floats[block + 2]
    at, rate, bend = find_path_time(floats, block, ints[entry + 1], time)
    evaluate_slots(ints, floats, samples, at, out_work)
    speed, change = measure_path(slots, out_work)
    if speed < _NUDGE * length * TICKS / (end - start):
        for slot in range(ints[SLOT_COUNT]):
            out_work[slot, 3] = out_work[slot, 0]
        inwards = _NUDGE * (end - start)
        evaluate_slots(ints, floats, samples, at + (inwards if at < 0.5 * (start + end) else -inwards), out_work)
        speed, change = measure_path(slots, out_work)
        for slot in range(ints[SLOT_COUNT]):
            out_work[slot, 0] = out_work[slot, 3]
    pace = length * rate / speed if speed > 0.0 else 0.0
    quickening = (length * bend - pace * pace * change) / speed if speed > 0.0 else 0.0
    for slot in range(ints[SLOT_COUNT]):
        out_work[slot, 2] = out_work[slot, 2] * pace * pace + out_work[slot, 1] * quickening
        out_work[slot, 1] *= pace


@kernel
def normalise_motion(work: Array, at: int) -> None:
    """Scale a quaternion in row `at` to norm 1, its rate and acceleration in the next two rows with it."""
    square, drift, bend = 0.0, 0.0, 0.0
    for each in range(4):
        value, rate = work[at, each], work[at + 1, each]
        square += value * value
        drift += value * rate
        bend += rate * rate + value * work[at + 2, each]
    norm = math.sqrt(square)
    first, second = drift / square, bend / square - 3.0 * (drift / square) ** 2
    for each in range(4):
        value, rate = work[at, each], work[at + 1, each]
        work[at, each] = value / norm
        work[at + 1, each] = (rate - value * first) / norm
        work[at + 2, each] = (work[at + 2, each] - 2.0 * rate * first - value * second) / norm


@kernel
def mix_ball(work: Array, at: int, slot: int, w: float, w1: float, w2: float) -> None:
    """Mix the quaternion motion at `at` with the layer's by its weight, on the shorter side."""
    dot = 0.0
    for each in range(4):
        dot += work[at, each] * work[slot + each, 0]
    sign = -1.0 if dot < 0.0 else 1.0
    for each in range(4):
        value, rate, bend = sign * work[at, each], sign * work[at + 1, each], sign * work[at + 2, each]
        gap, gap_rate, gap_bend = work[slot + each, 0] - value, work[slot + each, 1] - rate, work[slot + each, 2] - bend
        work[at, each] = value + w * gap
        work[at + 1, each] = rate + w * gap_rate + w1 * gap
        work[at + 2, each] = bend + w * gap_bend + 2.0 * w1 * gap_rate + w2 * gap
    normalise_motion(work, at)


@kernel
def apply_ball(
    adds: bool, slot: int, scratch: int, w: float, w1: float, w2: float, work: Array, out_motion: Array, q: int
) -> None:
    """A ball into what lies below, shape [3, coordinate_count]: mixed with it, or multiplied from the right."""
    for order in range(3):
        for each in range(4):
            below = out_motion[order, q + each]
            work[scratch + order, each] = (1.0 if order + each == 0 else 0.0) if adds else below
    mix_ball(work, scratch, slot, w, w1, w2)
    if adds:
        multiply_motion(work, scratch, out_motion, q)
    else:
        for order in range(3):
            for each in range(4):
                out_motion[order, q + each] = work[scratch + order, each]


@kernel
def blend_slots(ints: IntArray, adds: bool, w: float, w1: float, w2: float, work: Array, out_motion: Array) -> None:
    """The layer's coordinates into what the layers below have given, shape [3, coordinate_count]."""
    whole = w == 1.0 and w1 == 0.0 and w2 == 0.0 and not adds
    for entry in range(ints[SINGLES], ints[SINGLES_END], 2):
        slot, q = ints[entry], ints[entry + 1]
        value, rate, bend = work[slot, 0], work[slot, 1], work[slot, 2]
        if whole:
            out_motion[0, q], out_motion[1, q], out_motion[2, q] = value, rate, bend
            continue
        if not adds:
            value, rate, bend = value - out_motion[0, q], rate - out_motion[1, q], bend - out_motion[2, q]
        out_motion[0, q] += w * value
        out_motion[1, q] += w * rate + w1 * value
        out_motion[2, q] += w * bend + 2.0 * w1 * rate + w2 * value
    for entry in range(ints[BALLS], ints[BALLS_END], 2):
        slot, q = ints[entry], ints[entry + 1]
        if whole:
            for order in range(3):
                for each in range(4):
                    out_motion[order, q + each] = work[slot + each, order]
        else:
            apply_ball(adds, slot, ints[SLOT_COUNT], w, w1, w2, work, out_motion, q)


@kernel
def apply_layer(
    ints: IntArray, floats: Array, samples: Array, times: Array, out_work: Array, out_motion: Array
) -> None:
    """Lay one layer over what those below have given, at each of the times [ticks]; a correction comes last."""
    terms, corrected = ints[ints[TERMS] : ints[TERMS_END]], ints[ints[CORRECTED] : ints[CORRECTED_END]]
    first, rows = ints[SLOT_COUNT] + WORK_ROWS, ints[CORRECTED_ROWS]
    for each in range(times.shape[0]):
        time = times[each]
        w, w1, w2 = floats[WEIGHT], 0.0, 0.0
        if ints[HAS_SPAN] > 0:
            w, w1, w2 = weigh_layer(floats, time)
        if w == 0.0 and w1 == 0.0 and w2 == 0.0:
            continue
        timed = -1
        for entry in range(ints[SPEEDS], ints[SPEEDS_END], SPEED_ENTRY):
            if timed < 0 and floats[ints[entry]] <= time <= floats[ints[entry] + 1]:
                timed = entry
        if timed < 0:
            evaluate_slots(ints, floats, samples, time, out_work)
        else:
            evaluate_timed_slots(ints, floats, samples, timed, time, out_work)
        blend_slots(ints, ints[ADDS] > 0, w, w1, w2, out_work, out_motion[each])
        if rows > 0 and sum_terms(terms, floats, rows, time, first, out_work):
            add_correction(corrected, ints[SLOT_COUNT], first, w, w1, w2, out_work, out_motion[each])

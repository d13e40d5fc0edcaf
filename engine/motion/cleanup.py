"""Clean-up of captures: a low-pass without lag, gaps filled, spikes taken out. Columns are worked on one by one, all
frames of equal length; angles must be continuous (`engine.motion.unwrap`), which the functions on Samples see to.

Low-pass: Butterworth of order n in second-order sections by the bilinear transform, run forwards and backwards, so the
phase is zero and |H|^2 = 1 / (1 + (w / w_a)^(2n)) with w = tan(pi f / rate). The cut-off is where the two passes
together let 1/sqrt(2) through: w_a = w_c (sqrt(2) - 1)^(-1/(2n)) (Winter, Biomechanics and Motor Control of Human
Movement, 4th ed. 2009, section 2.2.4.4, there for n = 2 as a factor 1.246). The line from the first to the last sample
is set aside meanwhile and the ends continue by point reflection: constants and ramps pass exactly and nothing rings.

Spikes: Hampel's identifier (Davies and Gather 1993): a sample further from the median of the window around it than
`threshold` robust deviations, 1.4826 times the median of the absolute distances from that median. The window's trend,
the median of its steps, is taken off first, or a spike would hide in a swift movement.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from typing import Literal

import numpy as np

from engine.document import Blob, Figure, Samples
from engine.document.motion import Rate, ticks_per_frame
from engine.maths.arrays import Array, BoolArray
from engine.motion.resample import frame_ticks
from engine.motion.unwrap import normalise_balls, together, unwrap_values
from engine.runtime.errors import InvalidArguments
from engine.runtime.jit import kernel
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

WINDOW, THRESHOLD, LEAST = 11, 4.0, 0.01  # frames, robust deviations and [rad or m] of a spike
_DEVIATION = 1.4826  # standard deviations of a normal distribution in one median absolute deviation
_SOUGHT = 2048  # frames in which spikes are sought at once
FINEST = 20  # times as many frames as there were, at most
_SUPPORT = 12  # frames on each side that a long gap's slopes are fitted to, at most


@dataclass(frozen=True)
class Gap:
    """Frames `start` up to `end`, excluded, of a column, and how they were filled."""

    column: int
    start: int
    end: int
    how: Literal["cubic", "spline", "held", "left"]


@dataclass(frozen=True, eq=False)
class Filled:
    """Values without the gaps that could be filled; those left are NaN still."""

    values: Array
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, eq=False)
class Despiked:
    """Values without spikes, and where they were."""

    values: Array
    spikes: BoolArray  # shape [frame_count, column_count]

    @property
    def frames(self) -> tuple[int, ...]:
        """The frames in which a column had a spike."""
        return tuple(np.flatnonzero(self.spikes.any(axis=1)).tolist())


def low_pass(values: Array, *, rate: float, cutoff: float, order: int = 2) -> Array:
    """Values [frame_count, column_count] at `rate` [1/s] without what is faster than `cutoff` [Hz]."""
    if not 1 <= order <= 8:
        raise InvalidArguments(what="the order of the low-pass", value=order, allowed="1 to 8")
    if not 0.0 < cutoff < 0.5 * rate:
        raise InvalidArguments(what="the cut-off", value=cutoff, allowed=f"above 0, below {0.5 * rate:g} Hz")
    if np.isnan(values).any():
        raise InvalidArguments(what="the values to smooth", value="with gaps", allowed="values whose gaps were filled")
    count = len(values)
    if count < 3:
        return np.array(values, dtype=np.float64)
    line = values[0] + np.linspace(0.0, 1.0, count)[:, None] * (values[-1] - values[0])
    pad = min(count - 1, math.ceil(2.0 * order * rate / cutoff))
    rest = values - line
    padded = np.concatenate((-rest[pad:0:-1], rest, -rest[-2 : -pad - 2 : -1]))
    sections = butterworth(rate, cutoff, order)
    run_sections(sections, np.empty((2, values.shape[1])), padded)
    backwards = np.ascontiguousarray(padded[::-1])
    run_sections(sections, np.empty((2, values.shape[1])), backwards)
    return np.asarray(line + backwards[::-1][pad : pad + count])


def butterworth(rate: float, cutoff: float, order: int) -> Array:
    """Sections of one of two passes, the cut-off being that of both; rows b0, b1, b2, a1, a2 (a0 = 1)."""
    w = math.tan(math.pi * cutoff / rate) / (math.sqrt(2.0) - 1.0) ** (0.5 / order)
    rows = []
    for pair in range(order // 2):
        damping = 2.0 * w * math.sin(math.pi * (2 * pair + 1) / (2 * order))
        scale = 1.0 + damping + w * w
        gain = w * w / scale
        rows.append([gain, 2.0 * gain, gain, 2.0 * (w * w - 1.0) / scale, (1.0 - damping + w * w) / scale])
    if order % 2:
        gain = w / (1.0 + w)
        rows.append([gain, gain, 0.0, (w - 1.0) / (w + 1.0), 0.0])
    return np.array(rows)


def fill_gaps(values: Array, missing: BoolArray, *, short: int = 5, longest: int | None = None) -> Filled:
    """Fill the missing frames, a mask of shape [frame_count] or that of the values.

    Up to `short` frames take the cubic through two known samples on each side. Longer ones take the Hermite cubic
    whose slopes are those of parabolas fitted to the neighbourhood, so that noise in the last sample does not throw
    the curve; beyond `longest` frames they stay. A gap at an end is held at the nearest sample.
    """
    full = np.array(values, dtype=np.float64)
    mask = np.array(np.broadcast_to(missing if missing.ndim == 2 else missing[:, None], full.shape))
    full[mask] = np.nan
    gaps = [gap for column in range(full.shape[1]) for gap in _column_gaps(mask[:, column], column, short, longest)]
    known = full.copy()
    for gap in gaps:
        full[gap.start : gap.end, gap.column] = _filling(known[:, gap.column], gap)
    return Filled(full, tuple(gaps))


def find_spikes(values: Array) -> Generator[float, None, BoolArray]:
    """Samples that stand out of the WINDOW frames around them by more than LEAST [the values' unit]; in slices."""
    spikes = np.zeros(values.shape, dtype=np.bool_)
    given = np.ascontiguousarray(values, dtype=np.float64)
    work = np.empty((2, WINDOW))
    for first in range(0, len(given), _SOUGHT):
        mark_spikes(given, first, min(first + _SOUGHT, len(given)), WINDOW // 2, THRESHOLD, LEAST, work, spikes)
        yield first / len(given)
    return spikes


def smooth_gradually(
    figure: Figure, samples: Samples, *, cutoff: float, order: int = 2, finer: int = 1
) -> Generator[float, None, Samples]:
    """The low-pass on a capture, in slices; afterwards with `finer` times as many frames a second, which lie on cubic
    splines through those that it has, so that accelerations are continuous."""
    if not 1 <= finer <= FINEST:
        raise InvalidArguments(what="how many times as many frames", value=finer, allowed=f"1 to {FINEST}")
    names, given, groups = samples.coordinates, samples.values.array, together(figure, samples.coordinates)
    values = np.empty(given.shape)
    for place, columns in enumerate(groups):
        own = [names[column] for column in columns]
        rows = unwrap_values(figure, own, given[:, columns])
        values[:, columns] = low_pass(rows, rate=samples.rate[0] / samples.rate[1], cutoff=cutoff, order=order)
        yield place / len(groups)
    rate, smooth = (finer * samples.rate[0], samples.rate[1]), values
    if finer > 1 and len(values) > 1:
        smooth = _between(values, frame_ticks(rate, 0, samples.time(len(values) - 1) - samples.start), samples.rate)
    for columns in groups:
        own, rows = [names[column] for column in columns], np.ascontiguousarray(smooth[:, columns])
        normalise_balls(figure, own, rows)
        smooth[:, columns] = rows
    return replace(samples, values=Blob(smooth, copy=False), rate=rate)


def _between(values: Array, ticks: Array, rate: Rate) -> Array:
    """Values between frames, at some ticks after the first one: by cubics with continuous second derivatives m, which
    follow from m[i-1] + 4 m[i] + m[i+1] = 6 d[i], d the second differences; the third ones go on at either end."""
    from scipy.linalg import solve_banded  # 0.2 s to load, and only this needs it

    places, last = np.minimum(ticks / ticks_per_frame(rate), len(values) - 1), len(values) - 1
    below = np.clip(np.floor(places).astype(np.intp), 0, last - 1)
    share = (places - below)[:, None]
    bends = np.zeros(values.shape)
    if last > 2:
        differences = values[:-2] - 2.0 * values[1:-1] + values[2:]
        bends[1], bends[-2] = differences[0], differences[-1]
        if last > 3:
            wanted = 6.0 * differences[1:-1]
            wanted[0] -= bends[1]
            wanted[-1] -= bends[-2]
            bands = np.array([[1.0], [4.0], [1.0]]) * np.ones(len(wanted))
            bends[2:-2] = solve_banded((1, 1), bands, wanted)
        bends[0], bends[-1] = 2.0 * bends[1] - bends[2], 2.0 * bends[-2] - bends[-3]
    rest = 1.0 - share
    curved = (rest**3 - rest) * bends[below] + (share**3 - share) * bends[below + 1]
    found: Array = rest * values[below] + share * values[below + 1] + curved / 6.0
    return found


def despike_gradually(figure: Figure, samples: Samples) -> Generator[float, None, tuple[Samples, Despiked]]:
    """A capture without spikes, the identical object where there are none; in slices."""
    names, given, groups = samples.coordinates, samples.values.array, together(figure, samples.coordinates)
    values, spikes = np.empty(given.shape), np.zeros(given.shape, dtype=np.bool_)
    for place, columns in enumerate(groups):
        own = [names[column] for column in columns]
        rows = unwrap_values(figure, own, given[:, columns])
        steps = find_spikes(rows)
        found = yield from within(steps, place / len(groups), (place + 1) / len(groups))
        rows = fill_gaps(rows, found).values
        normalise_balls(figure, own, rows)
        values[:, columns], spikes[:, columns] = rows, found
    if not spikes.any():
        return samples, Despiked(values, spikes)
    return replace(samples, values=Blob(values, copy=False)), Despiked(values, spikes)


def _column_gaps(mask: BoolArray, column: int, short: int, longest: int | None) -> list[Gap]:
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    gaps = []
    for start, end in edges.reshape(-1, 2).tolist():
        how: Literal["cubic", "spline", "held", "left"] = "cubic" if end - start <= short else "spline"
        if (longest is not None and end - start > longest) or end - start == len(mask):
            how = "left"
        elif start == 0 or end == len(mask):
            how = "held"
        gaps.append(Gap(column, start, end, how))
    return gaps


def _filling(known: Array, gap: Gap) -> Array | float:
    """The values for a gap of one column."""
    if gap.how == "left":
        return math.nan
    if gap.how == "held":
        return float(known[gap.end] if gap.start == 0 else known[gap.start - 1])
    frames = np.arange(gap.start, gap.end, dtype=np.float64)
    if gap.how == "cubic":
        beside = [frame for frame in range(gap.start - 2, gap.end + 2) if 0 <= frame < len(known)]
        places = np.array([frame for frame in beside if not math.isnan(known[frame])])
        powers = np.vander((places - gap.start) / (gap.end - gap.start))
        weights = np.linalg.solve(powers, known[places])
        return np.asarray(np.polyval(weights, (frames - gap.start) / (gap.end - gap.start)))
    first, last = gap.start - 1, gap.end
    h, dv = last - first, float(known[last] - known[first])
    reach = min(max((gap.end - gap.start) // 2, 3), _SUPPORT)
    m0, m1 = h * _side_slope(known, first, -1, reach, dv / h), h * _side_slope(known, last, 1, reach, dv / h)
    s = (frames - first) / h
    return np.asarray(known[first] + s * (m0 + s * (3.0 * dv - 2.0 * m0 - m1 + s * (m0 + m1 - 2.0 * dv))))


def _side_slope(known: Array, end: int, step: int, reach: int, chord: float) -> float:
    """Slope at the known sample beside a gap, from up to `reach` more beyond it; the gap's chord where it is alone."""
    values = [known[end]]
    while len(values) <= reach and 0 <= end + step * len(values) < len(known):
        value = known[end + step * len(values)]
        if math.isnan(value):
            break
        values.append(value)
    if len(values) == 1:
        return chord
    away = np.arange(len(values), dtype=np.float64)
    fitted = np.linalg.lstsq(np.vander(away, min(3, len(values))), np.array(values), rcond=None)[0]
    return step * float(fitted[-2])


@kernel
def run_sections(sections: Array, memory: Array, out_values: Array) -> None:
    """Filter columns in place, starting in the steady state of the first row; `memory` [2, column_count] is work."""
    for section in range(sections.shape[0]):
        b0, b1, b2, a1, a2 = sections[section]
        for column in range(out_values.shape[1]):
            memory[0, column] = (1.0 - b0) * out_values[0, column]
            memory[1, column] = (b2 - a2) * out_values[0, column]
        for frame in range(out_values.shape[0]):
            for column in range(out_values.shape[1]):
                given = out_values[frame, column]
                passed = b0 * given + memory[0, column]
                memory[0, column] = b1 * given - a1 * passed + memory[1, column]
                memory[1, column] = b2 * given - a2 * passed
                out_values[frame, column] = passed


@kernel
def find_median(count: int, out_numbers: Array) -> float:
    """Median of the first numbers, which are sorted."""
    for place in range(1, count):
        number, at = out_numbers[place], place
        while at > 0 and out_numbers[at - 1] > number:
            out_numbers[at] = out_numbers[at - 1]
            at -= 1
        out_numbers[at] = number
    middle: float = out_numbers[count // 2]
    return middle if count % 2 else 0.5 * (out_numbers[count // 2 - 1] + middle)


@kernel
def gather_window(values: Array, frame: int, column: int, reach: int, out_work: Array) -> int:
    """The known samples around a frame less their trend, in both rows of `out_work`; how many there are."""
    known, steps, last = 0, 0, -1
    first, end = max(frame - reach, 0), min(frame + reach + 1, values.shape[0])
    for each in range(first, end):
        if not math.isnan(values[each, column]):
            if last >= 0:
                out_work[1, steps] = (values[each, column] - values[last, column]) / (each - last)
                steps += 1
            last = each
    trend = find_median(steps, out_work[1]) if steps else 0.0
    for each in range(first, end):
        if not math.isnan(values[each, column]):
            out_work[0, known] = values[each, column] - trend * (each - frame)
            out_work[1, known] = out_work[0, known]
            known += 1
    return known


@kernel
def mark_spikes(
    values: Array,
    start: int,
    end: int,
    reach: int,
    threshold: float,
    least: float,
    work: Array,
    out_spikes: BoolArray,
) -> None:
    """The identifier on samples from one to another; `work` [2, 2 reach + 1]. The window is cut at the ends; gaps do
    not count."""
    for column in range(values.shape[1]):
        for frame in range(start, end):
            here = values[frame, column]
            if math.isnan(here):
                continue
            known = gather_window(values, frame, column, reach, work)
            median = find_median(known, work[0])
            if abs(here - median) <= least:
                continue
            for each in range(known):
                work[1, each] = abs(work[1, each] - median)
            out_spikes[frame, column] = abs(here - median) > threshold * _DEVIATION * find_median(known, work[1])

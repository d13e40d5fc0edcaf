"""The shape of a track's curve, for whoever draws it or bends it: Bezier pieces in time and value. No kernel.

A span of h seconds from v0 to v1 with slopes m0, m1 and weights w0, w1 is the Bezier curve through (0, v0) and (h, v1)
with the inner points (w0 h, v0 + w0 h m0) and (h - w1 h, v1 - w1 h m1), which are the ends of its tangents; a plain
cubic has weights of 1/3. Straight spans have theirs on the line, stepped ones stay at v0. Exact, as
`engine.motion.curves` has it.

Times in ticks, values in the track's own unit; n keys have n - 1 pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from engine.document import Key, Track
from engine.document.motion import THIRD, TICKS_PER_SECOND
from engine.edits.split import end_slope
from engine.maths.arrays import Array
from engine.motion.tangents import CYCLES, kochanek_bartels, slopes
from engine.runtime.quick_dataclass import dataclass

STEP = 5.0  # [px] of a curve's length between the points of a line
MOST_STEPS = 256  # of one span
MOST_CYCLES = 200  # drawn on one side
MARGIN = 1e-4  # as engine.motion.curves.WEIGHT_MARGIN
SHORTEST = 0.01  # share of its span that a tangent reaches at least, however it is pulled
NEAREST = 1e-3  # share of a span, from the key, within which a pull counts as one from there: slopes stay finite
_HALVINGS = 52


@dataclass(frozen=True, eq=False)
class Outline:
    """A track's curve in pieces."""

    track: Track
    time: Array  # [n]
    value: Array  # [n]
    arriving: Array  # slopes before the keys [unit/s], [n]
    leaving: Array  # slopes after them
    points: Array = field(repr=False)  # [n - 1, 4, 2]: time and value
    stepped: NDArray[np.bool_] = field(repr=False)  # [n - 1]
    bent: NDArray[np.bool_] = field(repr=False)

    @classmethod
    def of(cls, track: Track) -> Outline:
        """The outline of a track."""
        keys = track.keys
        time = np.array([key.time for key in keys], dtype=np.float64)
        value = np.array([key.value for key in keys])
        arriving, leaving = slopes(track)
        kinds = np.array([key.interpolation for key in keys[:-1]], dtype=object)
        bent, stepped = kinds == "cubic", kinds == "stepped"
        w0, w1 = (np.clip(each, MARGIN, 1.0 - MARGIN) for each in _weights(keys))
        w0, w1 = np.where(bent, w0, THIRD), np.where(bent, w1, THIRD)
        h, dv = np.diff(time), np.diff(value)
        secant = np.where(stepped, 0.0, dv)
        seconds = h / TICKS_PER_SECOND
        rise, fall = np.where(bent, seconds * leaving[:-1], secant), np.where(bent, seconds * arriving[1:], secant)
        end = value[:-1] + secant
        points = np.empty((len(h), 4, 2))
        points[:, 0], points[:, 3] = np.stack((time[:-1], value[:-1]), 1), np.stack((time[1:], end), 1)
        points[:, 1] = np.stack((time[:-1] + w0 * h, value[:-1] + w0 * rise), 1)
        points[:, 2] = np.stack((time[1:] - w1 * h, end - w1 * fall), 1)
        return cls(track, time, value, arriving, leaving, points, stepped, bent)

    def value_at(self, time: float) -> float:
        """The curve's value at a time."""
        return float(self.values_at(np.array([float(time)]))[0])

    def values_at(self, times: Array) -> Array:
        """The curve's values at many times."""
        first, last = self.time[0], self.time[-1]
        early, late = times < first, times > last
        cyclic = ((early & (self.track.before in CYCLES)) | (late & (self.track.after in CYCLES))) & (first < last)
        cycles = np.where(cyclic, np.floor((times - first) / max(last - first, 1.0)), 0.0)
        found = self._inside(np.clip(times - cycles * (last - first), first, last))
        for kind, side, end in ((self.track.before, early, 0), (self.track.after, late, -1)):
            if kind == "linear":
                passed = (times[side] - self.time[end]) / TICKS_PER_SECOND
                found[side] = self.value[end] + end_slope(self.track, first=end == 0) * passed
            elif kind == "cycle_offset":
                found[side] += cycles[side] * (self.value[-1] - self.value[0])
        return found

    def line(self, start: float, end: float, time_step: float, value_step: float) -> Array:
        """Points of the curve between its first and last key, as far as it is seen from `start` to `end`.

        `time_step` and `value_step` are what a pixel spans: bent pieces have a point every few pixels.
        """
        first = max(int(np.searchsorted(self.time, start, side="right")) - 1, 0)
        last = min(int(np.searchsorted(self.time, end, side="left")), len(self.time) - 1)
        closing = np.array([[self.time[last], self.value[last]]])
        if last <= first:
            return closing
        pieces, stepped = self.points[first:last], self.stepped[first:last]
        lengths = np.abs(np.diff(pieces, axis=1) / (time_step, value_step)).sum(axis=(1, 2))
        wanted = np.clip(np.ceil(lengths / STEP), 1, MOST_STEPS)
        steps = np.where(self.bent[first:last], wanted, np.where(stepped, 2, 1)).astype(np.int64)
        piece = np.repeat(np.arange(len(pieces)), steps)
        place = np.arange(len(piece)) - np.repeat(np.cumsum(steps) - steps, steps)
        u = place / np.where(stepped, 1, steps)[piece]
        v = 1.0 - u
        shares = np.stack((v * v * v, 3.0 * u * v * v, 3.0 * u * u * v, u * u * u), axis=1)
        return np.concatenate((np.einsum("kp,kpd->kd", shares, pieces[piece]), closing))

    def beyond(self, start: float, end: float, time_step: float, value_step: float) -> Iterator[Array]:
        """Lines of what comes before the first key and after the last, as far as it is seen."""
        first, last = float(self.time[0]), float(self.time[-1])
        for early, kind in ((True, self.track.before), (False, self.track.after)):
            if not (start < first if early else end > last):
                continue
            if kind in CYCLES and first < last:
                yield from self._cycles(start, end, time_step, value_step, early=early)
                continue
            edge, far = (first, start) if early else (last, end)
            pair = [(edge, self.value[0 if early else -1]), (far, self.value_at(far))]
            yield np.array(pair, dtype=np.float64)

    def tangent_end(self, place: int, *, after: bool) -> tuple[float, float] | None:
        """Find the end of a key's tangent, in time and value; None where the span beside it is not bent."""
        piece = place if after else place - 1
        if not 0 <= piece < len(self.points) or not self.bent[piece]:
            return None
        time, value = self.points[piece, 1 if after else 2]
        return float(time), float(value)

    def bend(
        self, place: int, time: float, value: float, *, after: bool, weighted: bool, unified: bool, aligned: bool
    ) -> Key:
        """The key whose tangent is pulled to a time and a value.

        One that is pulled to its own key, beyond it or backwards in time is as if pulled to NEAREST of its span, so
        that no slope is infinite. Only a `weighted` one takes its length from there, from SHORTEST to the whole span;
        a `unified` key's other side gets the same slope; an `aligned` tangent keeps its slope.
        """
        key, other = self.track.keys[place], self.track.keys[place + (1 if after else -1)]
        span = float(abs(other.time - key.time))
        before, behind = float(self.arriving[place]), float(self.leaving[place])
        share = (time - key.time if after else key.time - time) / span
        rise = value - key.value if after else key.value - value
        slope = rise * TICKS_PER_SECOND / (max(share, NEAREST) * span)
        if aligned:
            slope = behind if after else before
        weight_in, weight_out = key.weight_in, key.weight_out
        if weighted:
            length = min(max(share, SHORTEST), 1.0)
            weight_in, weight_out = (weight_in, length) if after else (length, weight_out)
        arriving = slope if unified or not after else before
        leaving = slope if unified or after else behind
        return Key(
            key.time, key.value, key.interpolation, "free", slope_in=arriving, slope_out=leaving,
            weight_in=weight_in, weight_out=weight_out, mark=key.mark,
        )  # fmt: skip

    def freed(self, place: int, *, unified: bool) -> Key:
        """The key with its slopes as they are, of its own; `unified`: both the mean of the two."""
        key, before, behind = self.track.keys[place], float(self.arriving[place]), float(self.leaving[place])
        if unified:
            before = behind = 0.5 * (before + behind)
        return Key(
            key.time, key.value, key.interpolation, "free", slope_in=before, slope_out=behind,
            weight_in=key.weight_in, weight_out=key.weight_out, mark=key.mark,
        )  # fmt: skip

    def _inside(self, times: Array) -> Array:
        if len(self.time) == 1:
            return np.full(len(times), self.value[0])
        piece = np.clip(np.searchsorted(self.time, times, side="right") - 1, 0, len(self.points) - 1)
        (t0, y0), (t1, y1), (t2, y2), (t3, y3) = self.points[piece].transpose(1, 2, 0)
        h = t3 - t0
        u, weighted = (times - t0) / h, np.maximum(np.abs((t1 - t0) / h - THIRD), np.abs((t3 - t2) / h - THIRD)) > 1e-12
        if weighted.any():
            low, high = np.zeros(len(times)), np.ones(len(times))
            for _ in range(_HALVINGS):
                middle = 0.5 * (low + high)
                before = _bezier(t0, t1, t2, t3, middle) < times
                low, high = np.where(before, middle, low), np.where(before, high, middle)
            u = np.where(weighted, 0.5 * (low + high), u)
        return np.where(times >= self.time[-1], self.value[-1], _bezier(y0, y1, y2, y3, u))

    def _cycles(self, start: float, end: float, time_step: float, value_step: float, *, early: bool) -> Iterator[Array]:
        first, last = float(self.time[0]), float(self.time[-1])
        length = last - first
        kind = self.track.before if early else self.track.after
        jump = float(self.value[-1] - self.value[0]) if kind == "cycle_offset" else 0.0
        near, far = (-1, int((start - first) // length)) if early else (1, int((end - first) // length))
        for cycle in range(near, far - 1 if early else far + 1, near)[:MOST_CYCLES]:
            shift = cycle * length
            line = self.line(start - shift, end - shift, time_step, value_step)
            yield line + np.array((shift, cycle * jump))


def splined(track: Track, place: int, *, tension: float = 0.0, continuity: float = 0.0, bias: float = 0.0) -> Key:
    """Give the key at a place tangents by tension, continuity and bias, in a cubic span."""
    keys = kochanek_bartels(track.keys, tension=tension, continuity=continuity, bias=bias, chosen=(place,))
    return replace(keys[place], interpolation="cubic")


def _weights(keys: tuple[Key, ...]) -> tuple[Array, Array]:
    return np.array([key.weight_out for key in keys[:-1]]), np.array([key.weight_in for key in keys[1:]])


def _bezier(p0: Array, p1: Array, p2: Array, p3: Array, u: Array) -> Array:
    v = 1.0 - u
    return v * v * v * p0 + 3.0 * u * v * v * p1 + 3.0 * u * u * v * p2 + u * u * u * p3

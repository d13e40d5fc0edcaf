"""Curves of the angles of a joint whose keys are interpolated as rotations, and of the numbers of a ball. No kernel.

The path is that of `engine.motion.paths` and `engine.motion.rotation_kernels`: its keys stand wherever one of the
tracks has one, with what the tracks' own curves give there; a span is stepped, a slerp q0 exp(w1 u), or the spline
q0 exp(w1 B1) exp(w2 B2) exp(w3 B3) of Kim, Kim and Shin (1995). Of the angles of a rotation those nearest to the
tracks' own curves are taken, on a key these themselves (`engine.motion.euler_kernels`).

Times in ticks, rotations as unit quaternions (w, x, y, z), angles in radians, angular velocities per second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from engine.document import Dof, Joint, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND, Extrapolation, Tangent
from engine.edits.layers import turns_every_way
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import (
    exponential,
    inverse,
    logarithm,
    nearest_angles,
    product,
    quaternions_of_angles,
    unit,
)
from engine.motion.tangents import CYCLES
from engine.queries.outline import Outline
from engine.runtime.quick_dataclass import dataclass

Find = Callable[[Track], Outline]

STEP = 4.0  # [px] of time between the points of a line
MOST_POINTS = 2000
STEPPED, SLERP, SPLINE = range(3)
KINDS = {"stepped": STEPPED, "linear": SLERP, "cubic": SPLINE}
_STANDING = 1e-12  # as the kernels have it


@dataclass(frozen=True, eq=False, kw_only=True)
class Turning:
    """A path of rotations and how it is read as numbers."""

    names: tuple[str, ...]
    sources: tuple[Outline | float, ...]  # each number's own curve, or its constant
    order: tuple[int, ...]  # axes of the three hinges; empty for a ball
    signs: Array
    mode: str
    before: Extrapolation
    after: Extrapolation
    time: Array  # [n]
    turn: Array  # [n, 4]
    kind: NDArray[np.int64]  # of the span after each key
    vectors: Array  # w1, w2, w3 of each span, shape [n - 1, 3, 3]
    ends: Array  # angular velocities at the first and the last key, [2, 3]
    cycle: Array  # the rotation vector from the first key to the last, from outside
    drawn: dict[tuple[float, float, float], Array] = field(default_factory=dict, repr=False)  # the last line

    def at(self, times: Array) -> Array:
        """The numbers at some times, shape [len(times), len(names)]."""
        turns = self._turns_at(times)
        if not self.order:
            return turns
        near = np.stack([_values(each, times) for each in self.sources], axis=1)
        angles = self.signs * nearest_angles(turns, self.order, self.signs * near)
        on_key = np.isin(times, self.time)
        angles[on_key] = near[on_key]
        return angles

    def line(self, start: float, end: float, time_step: float) -> Array:
        """Points every few pixels from a time to another, and all keys in between: times, then the numbers."""
        key = start, end, time_step
        if key not in self.drawn:
            count = min(max(int((end - start) / (STEP * time_step)), 2), MOST_POINTS)
            keys = self.time[(self.time > start) & (self.time < end)]
            before = np.nextafter(keys, -np.inf)  # where a stepped span ends, the old value stands beside the new one
            times = np.unique(np.concatenate((np.linspace(start, end, count), keys, before)))
            self.drawn.clear()
            self.drawn[key] = np.column_stack((times, self.at(times)))
        return self.drawn[key]

    def keys_at(self, time: int) -> tuple[tuple[str, Key], ...]:
        """Keys where it is at a time, for its numbers that have some but none then; each goes on as the one before, and
        is flat where the path rests on the keys that are there."""
        found = []
        values = self.at(np.array([float(time)]))[0].tolist()
        tracks = [source.track if isinstance(source, Outline) else None for source in self.sources]
        there = [key.tangent for track in tracks if track is not None for key in track.keys if key.time == time]
        tangent: Tangent = "flat" if there and set(there) == {"flat"} else "auto"
        for name, track, value in zip(self.names, tracks, values, strict=True):
            if track is not None and all(key.time != time for key in track.keys):
                earlier = [key.interpolation for key in track.keys if key.time < time]
                interpolation = earlier[-1] if earlier else "cubic"
                found.append((name, Key(time, value, interpolation=interpolation, tangent=tangent)))
        return tuple(found)

    def _turns_at(self, times: Array) -> Array:
        first, last = self.time[0], self.time[-1]
        early, late = times < first, times > last
        cyclic = (early & (self.before in CYCLES)) | (late & (self.after in CYCLES))
        cyclic &= first < last
        length = max(last - first, 1.0)
        cycles = np.where(cyclic, np.floor((times - first) / length), 0.0)
        found = self._inside(np.clip(times - cycles * length, first, last))
        for kind, side, edge, end in (
            (self.before, early & ~cyclic, first, self.ends[0]),
            (self.after, late & ~cyclic, last, self.ends[1]),
        ):
            if kind == "linear" and side.any():
                passed = (times[side] - edge) / TICKS_PER_SECOND
                found[side] = product(found[side], exponential(passed[:, None] * end))
        further = (early & (self.before == "cycle_offset")) | (late & (self.after == "cycle_offset"))
        further &= cyclic
        found[further] = product(exponential(cycles[further, None] * self.cycle), found[further])
        return found

    def _inside(self, times: Array) -> Array:
        if len(self.time) == 1:
            return np.repeat(self.turn, len(times), axis=0)
        span = np.clip(np.searchsorted(self.time, times, side="right") - 1, 0, len(self.time) - 2)
        u = ((times - self.time[span]) / np.diff(self.time)[span])[:, None]
        v, kind, vectors = 1.0 - u, self.kind[span][:, None], self.vectors[span]
        bent = kind == SPLINE
        shares = (
            np.where(bent, 1.0 - v**3, np.where(kind == SLERP, u, 0.0)),
            np.where(bent, u * u * (3.0 - 2.0 * u), 0.0),
            np.where(bent, u**3, 0.0),
        )
        found = self.turn[span]
        for each, share in enumerate(shares):
            found = product(found, exponential(share * vectors[:, each]))
        found[times >= self.time[-1]] = self.turn[-1]
        return found


def turning_of_joint(
    joint: Joint, layer: Layer, curve: Find = Outline.of, old: Turning | None = None
) -> Turning | None:
    """The path of a joint whose keys a layer joins as rotations; None where they stay on curves of their own.

    `curve` gives the outline of a track; an `old` path that is of the same ones is given back.
    """
    if joint.id not in layer.quaternions or not turns_every_way(joint):
        return None
    names, order, signs = hinges_of(joint)
    sampled = () if layer.samples is None else layer.samples.coordinates
    given = all(name in layer.heard or (name in layer.by_coordinate and name not in sampled) for name in names)
    if not given or not any(name in layer.heard for name in names):
        return None
    return _turning(layer, names, (0.0, 0.0, 0.0), order, signs, curve, old)


def turning_of_ball(dof: Dof, layer: Layer, curve: Find = Outline.of, old: Turning | None = None) -> Turning | None:
    """The path of a ball; None where it has no keys."""
    names = dof.coordinates
    if dof.kind != "ball" or not any(name in layer.heard for name in names):
        return None
    return _turning(layer, names, (1.0, 0.0, 0.0, 0.0), (), np.ones(3), curve, old)


def hinges_of(joint: Joint) -> tuple[tuple[str, ...], tuple[int, ...], Array]:
    """The three hinges of a joint that turns every way: their coordinates, axes and signs."""
    hinges = [dof for dof in joint.dofs if dof.kind == "hinge"]
    order = tuple(int(np.argmax(np.abs(dof.axis))) for dof in hinges)
    signs = np.array([np.sign(dof.axis[axis]) for dof, axis in zip(hinges, order, strict=True)])
    return tuple(dof.id for dof in hinges), order, signs


def _turning(
    layer: Layer, names: tuple[str, ...], rest: tuple[float, ...], order: tuple[int, ...], signs: Array, curve: Find,
    old: Turning | None,
) -> Turning:  # fmt: skip
    tracks = [layer.heard.get(name) for name in names]
    constants = [layer.by_coordinate.get(name, value) for name, value in zip(names, rest, strict=True)]
    sources = tuple(value if track is None else curve(track) for track, value in zip(tracks, constants, strict=True))
    if old is not None and (old.sources, old.mode, old.order) == (sources, layer.quaternion_mode, order):
        return old
    outlines = [each for each in sources if isinstance(each, Outline)]
    time = np.unique(np.concatenate([each.time for each in outlines]))
    numbers = np.stack([_values(each, time) for each in sources], axis=1)
    turn = quaternions_of_angles(signs * numbers, order) if order else unit(numbers)
    kind, still = _kinds(layer, outlines, time)
    before, after = outlines[0].track.before, outlines[0].track.after
    spans = logarithm(product(inverse(turn[:-1]), turn[1:]))
    seconds = np.diff(time)[:, None] / TICKS_PER_SECOND
    rates = spans / seconds
    speeds = _velocities(time, rates, still, before, after)
    bent = (kind[:-1] == SPLINE)[:, None]
    w1, w3 = np.where(bent, speeds[:-1] / 3.0, rates) * seconds, speeds[1:] / 3.0 * seconds
    far, near = product(turn[1:], exponential(-w3)), product(turn[:-1], exponential(w1))
    vectors = np.stack((w1, logarithm(product(inverse(near), far)), w3), axis=1)
    ends = np.zeros((2, 3))
    if len(time) > 1:
        for row, span in ((0, 0), (1, -1)):
            along = {STEPPED: np.zeros(3), SLERP: rates[span], SPLINE: speeds[span]}
            ends[row] = along[int(kind[:-1][span])]
    return Turning(
        names=names, sources=sources, order=order, signs=signs, mode=layer.quaternion_mode, before=before, after=after,
        time=time, turn=turn, kind=kind, vectors=vectors, ends=ends,
        cycle=logarithm(product(turn[-1:], inverse(turn[:1])))[0],
    )  # fmt: skip


def _kinds(layer: Layer, outlines: Sequence[Outline], time: Array) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Find the interpolation of the span after each key, and whether it has no velocity: all its tangents are flat."""
    kind = np.full(len(time), SLERP if layer.quaternion_mode == "slerp" else SPLINE)
    still = np.ones(len(time), dtype=np.bool_)
    for each in outlines:
        place = np.searchsorted(each.time, time, side="right") - 1
        inside = (place >= 0) & (place < len(each.time) - 1)
        own = np.array([KINDS[key.interpolation] for key in each.track.keys])
        kind[inside] = np.minimum(kind[inside], own[place[inside]])
        steep = np.array([key.tangent != "flat" for key in each.track.keys])
        still[np.isin(time, each.time) & steep[np.maximum(place, 0)]] = False
    return kind, still


def _velocities(
    time: Array, rates: Array, still: NDArray[np.bool_], before: Extrapolation, after: Extrapolation
) -> Array:
    """Angular velocity at each key, as the parabola through three keys has it; `rates` are those of the spans."""
    count = len(time)
    speeds = np.zeros((count, 3))
    if count < 2:
        return speeds
    keys, h = np.arange(count), np.diff(time)[:, None]
    left, right = np.where(keys > 0, keys - 1, count - 2), np.where(keys < count - 1, keys, 0)
    slow = np.minimum(np.abs(rates[left]).max(axis=1), np.abs(rates[right]).max(axis=1))
    moves = (slow > _STANDING) & ~still
    cyclic = before in CYCLES or after in CYCLES
    if not cyclic:
        moves[[0, -1]] = False
    speeds[moves] = ((h[right] * rates[left] + h[left] * rates[right]) / (h[left] + h[right]))[moves]
    if not cyclic and before == "linear" and not still[0]:
        speeds[0] = rates[0] if count == 2 else 2.0 * rates[0] - speeds[1]
    if not cyclic and after == "linear" and not still[-1]:
        speeds[-1] = rates[-1] if count == 2 else 2.0 * rates[-1] - speeds[-2]
    return speeds


def _values(source: Outline | float, times: Array) -> Array:
    if not isinstance(source, Outline):
        return np.full(len(times), source)
    return source.values_at(times)

"""Key reduction: samples or dense keys to few cubic keys with free tangents, within a tolerance that is kept.

Each coordinate is fitted by `engine.motion.reduce_kernels` and its curve checked as the application will evaluate it,
at every sample. Between samples it leaves the range of all of them by the tolerance and a tenth of that range at most:
where its cubic swings farther, as noise makes it, it goes straight from one sample to the next. Angles are unwrapped
first. A coordinate that moves less than the tolerance gets one key. A ball's keys stand at the same frames for its four
numbers and are joined by the quaternion spline: frames are added where it is furthest off until it is not.

Where handles are given, their places in the world are compared too, and the tolerances of the joints above a handle
tightened until it keeps its own. All of it is worked through in slices.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.document import Figure, Handle, Key, Layer, Samples, Track
from engine.document.motion import TICKS_PER_SECOND, Extrapolation, Rate, frame_time, ticks_per_frame
from engine.maths.arrays import Array
from engine.model.batch import solve_transforms
from engine.model.compile import compile_model
from engine.motion.curve_kernels import evaluate_times
from engine.motion.curves import evaluate_track, pack_track
from engine.motion.motion import compile_motion
from engine.motion.reduce_kernels import CORNERS, reduce_column
from engine.motion.unwrap import find_rotations, together, unwrap_values
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.runtime.progress import finish, within
from engine.runtime.quick_dataclass import dataclass

Ticks = NDArray[np.int64]

_INSIDE = 1.0 - 1e-9  # of the tolerance, which leaves room for rounding
_ROUNDS = 40
_SWING = 0.1  # of its range that a curve may leave it by
_LOOKED = np.linspace(0.0, 1.0, 8)[1:-1]  # parts of the time between two samples at which a curve is looked at
_MARCH = 2048  # samples of a column that are fitted at once
_TIMES = 256  # times at which places are found at once
_KEYS = 512  # keys that are made at once
_FIRST = 0.5  # share of the work until handles are looked at; each round takes half of what is left


@dataclass(frozen=True, kw_only=True)
class Tolerance:
    """Largest errors of keys at a sample."""

    degrees: float = 0.5  # of hinges and balls
    millimetres: float = 1.0  # of slides
    handles: tuple[str, ...] = ()  # ids of handles whose places are checked too
    handle_millimetres: float = 5.0

    def __post_init__(self) -> None:
        for name in ("degrees", "millimetres", "handle_millimetres"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise InvalidArguments(what=f"the tolerance in {name}", value=getattr(self, name), allowed="above 0")


@dataclass(frozen=True, eq=False)
class Reduced:
    """Tracks with few keys, and how far they are off at the worst sample."""

    tracks: tuple[Track, ...]
    turn_error: float  # [rad]
    move_error: float  # [m]
    place_error: float | None  # [m] of the handles asked for

    @property
    def key_count(self) -> int:
        """Keys of all tracks."""
        return sum(len(track.keys) for track in self.tracks)


@dataclass(frozen=True)
class _Curve:
    """One coordinate to fit, or the four of a ball."""

    columns: tuple[int, ...]
    kind: str
    joint: str


def reduce_gradually(figure: Figure, samples: Samples, tolerance: Tolerance) -> Generator[float, None, Reduced]:
    """Reduce a capture to keys for all its coordinates, in slices."""
    ticks = np.empty(samples.frame_count, dtype=np.int64)
    for first in range(0, len(ticks), _MARCH):
        end = min(first + _MARCH, len(ticks))
        ticks[first:end] = [samples.time(frame) for frame in range(first, end)]
        yield 0.0
    values = yield from _unwrapped(figure, samples)
    fit = _Fit(figure, samples.coordinates, ticks, values, tolerance, (samples.before, samples.after))
    curves, share = fit.curves(), _FIRST if tolerance.handles else 1.0
    for done, curve in enumerate(curves):
        yield from within(fit.fit(curve), share * done / len(curves), share * (done + 1) / len(curves))
    place_error = (yield from fit.keep_places(curves)) if tolerance.handles else None
    yield 1.0
    return fit.reduced(place_error)


def _unwrapped(figure: Figure, samples: Samples) -> Generator[float, None, Array]:
    """The samples with continuous angles, each column on its own in memory."""
    names, given = samples.coordinates, samples.values.array
    values = np.empty(given.shape, order="F")
    for columns in together(figure, names):
        values[:, columns] = unwrap_values(figure, [names[column] for column in columns], given[:, columns])
        yield 0.0
    return values


def reduce_track(figure: Figure, track: Track, tolerance: Tolerance, *, rate: Rate) -> Track:
    """A keyed track with fewer keys, checked at its own keys and at every frame of a rate between its ends.

    Given back as it is where that needs as many, for a ball's numbers, and where spans are stepped or linear.
    """
    dof = figure.coordinate_dof.get(track.coordinate)
    if dof is None:
        raise UnknownPart(kind="coordinate", id=track.coordinate, known=figure.coordinates)
    if dof.kind == "ball" or any(key.interpolation != "cubic" for key in track.keys[:-1]) or len(track.keys) < 2:
        return track
    start, end = track.keys[0].time, track.keys[-1].time
    frames = (start + frame_time(frame, rate) for frame in range(int((end - start) / ticks_per_frame(rate)) + 1))
    ticks = np.unique(np.array([*frames, *(key.time for key in track.keys)], dtype=np.int64))
    values = np.ascontiguousarray(evaluate_track(track, ticks.astype(np.float64))[:, 0])
    allowed = _allowed(dof.kind, tolerance)
    found, _ = fit_track(track.coordinate, ticks, values, allowed, (track.before, track.after))
    return found if len(found.keys) < len(track.keys) else track


def fit_track(
    coordinate: str,
    ticks: Ticks,
    values: Array,
    tolerance: float,
    ends: tuple[Extrapolation, Extrapolation] = ("hold", "hold"),
) -> tuple[Track, float]:
    """The fewest keys found for one coordinate, and the largest distance from a sample."""
    track, found = finish(_fitted(coordinate, ticks, values, tolerance, ends))
    return track, float(np.abs(found - values).max())


def _fitted(
    coordinate: str, ticks: Ticks, values: Array, tolerance: float, ends: tuple[Extrapolation, Extrapolation]
) -> Generator[float, None, tuple[Track, Array]]:
    """Fit a track as `fit_track` does, in slices; return it and its values at the samples."""
    before, after = ends
    low, high = float(values.min()), float(values.max())
    if len(values) == 1 or high - low <= 2.0 * tolerance * _INSIDE:
        key = Key(int(ticks[0]), low + 0.5 * (high - low), tangent="free")
        track = Track(coordinate=coordinate, keys=(key,), before=before, after=after)
        return track, np.full(len(values), key.value)
    times, at = (ticks - ticks[0]) / TICKS_PER_SECOND, ticks.astype(np.float64)
    inside = tolerance * _INSIDE
    for attempt in range(3):
        start, end = 1.0 - 0.1**attempt, 1.0 - 0.1 ** (attempt + 1)
        frames, keys = yield from within(_march(times, values, inside), start, end)
        made: list[Key] = []
        for first in range(0, len(frames), _KEYS):
            part = slice(first, first + _KEYS)
            rows = zip(ticks[frames[part]].tolist(), keys[part].tolist(), strict=True)
            made += [Key(time, v, tangent="free", slope_in=s, slope_out=s) for time, (v, s) in rows]
            yield end
        track = Track(coordinate=coordinate, keys=tuple(made), before=before, after=after)
        yield end
        packed, found = pack_track(track), np.empty((len(values), 3))
        for first in range(0, len(found), _MARCH):
            yield end
            evaluate_times(packed, 0, at[first : first + _MARCH], found[first : first + _MARCH])
        if float(np.abs(found[:, 0] - values).max()) <= tolerance:
            return _without_swings(track, ticks, found, tolerance), found[:, 0].copy()
        inside *= 0.5
    # So tight that rounding decides: a key for every sample is never off.
    each = tuple(Key(time, v) for time, v in zip(ticks.tolist(), values.tolist(), strict=True))
    return Track(coordinate=coordinate, keys=each, before=before, after=after), np.array(values)


def _without_swings(track: Track, ticks: Ticks, found: Array, tolerance: float) -> Track:
    """The track, straight from a sample to the next where its cubic leaves the range of all; `found`: values, slopes
    and bends at the samples."""
    apart = (np.diff(ticks) / TICKS_PER_SECOND)[:, None]
    first, last, slopes = found[:-1, :1], found[1:, :1], found[:, 1:2].copy()
    slopes[0], slopes[-1] = track.keys[0].slope_out, track.keys[-1].slope_in  # a held end has none outside
    enter, leave = apart * slopes[:-1], apart * slopes[1:]
    u = _LOOKED
    inner = first + u * (enter + u * (3.0 * (last - first) - 2.0 * enter - leave))
    inner += u**3 * (2.0 * (first - last) + enter + leave)
    low, high = float(found[:, 0].min()), float(found[:, 0].max())
    over = np.maximum(inner - high, low - inner).max(axis=1)
    swings = np.flatnonzero(over > tolerance + _SWING * (high - low)).tolist()
    keys = {key.time: key for key in track.keys} if swings else {}
    for at in swings:
        straight = float((found[at + 1, 0] - found[at, 0]) / apart[at, 0])
        for place in (at, at + 1):
            time, value, slope = int(ticks[place]), float(found[place, 0]), float(slopes[place, 0])
            key = keys.get(time) or Key(time, value, tangent="free", slope_in=slope, slope_out=slope)
            keys[time] = replace(key, slope_out=straight) if place == at else replace(key, slope_in=straight)
    return replace(track, keys=tuple(keys[time] for time in sorted(keys))) if swings else track


def _march(times: Array, values: Array, tolerance: float) -> Generator[float, None, tuple[NDArray[np.int32], Array]]:
    """The samples at which keys stand, and the keys' values and slopes."""
    last = len(values) - 1
    frames, keys = np.empty(len(values), dtype=np.int32), np.empty((len(values), 2))
    work, state = np.empty((4, CORNERS, 2)), np.zeros(5)
    until = _MARCH
    while True:
        made = reduce_column(times, values, tolerance, until, work, state, frames, keys)
        if frames[made - 1] == last:
            return frames[:made], keys[:made]
        until += _MARCH
        yield int(frames[made - 1]) / last


class _Fit:
    """The fit of a capture while it is made."""

    def __init__(
        self,
        figure: Figure,
        coordinates: tuple[str, ...],
        ticks: Ticks,
        values: Array,
        tolerance: Tolerance,
        ends: tuple[Extrapolation, Extrapolation],
    ) -> None:
        self.figure, self.coordinates, self.ticks, self.values = figure, coordinates, ticks, values
        self.tolerance, self.ends = tolerance, ends
        self.found = np.empty(values.shape, order="F")  # as the tracks give them at the samples
        self.tracks: dict[int, Track] = {}
        self.errors: dict[_Curve, float] = {}
        self.handles = [_handle(figure, id) for id in tolerance.handles]
        self.model = compile_model(figure)

    def curves(self) -> list[_Curve]:
        """List the curves that are fitted one by one: single coordinates, and balls."""
        joints = {dof.id: joint.id for joint in self.figure.joints for dof in joint.dofs}
        balls = find_rotations(self.figure, self.coordinates).balls
        taken = {column for ball in balls for column in ball}
        found = []
        for column, name in enumerate(self.coordinates):
            dof = self.figure.coordinate_dof.get(name)
            if dof is None:
                raise UnknownPart(kind="coordinate", id=name, known=self.figure.coordinates)
            if column not in taken:
                found.append(_Curve((column,), dof.kind, joints[dof.id]))
        for ball in balls:
            dof = self.figure.coordinate_dof[self.coordinates[ball[0]]]
            found.append(_Curve(ball, "ball", joints[dof.id]))
        return found

    def fit(self, curve: _Curve, share: float = 1.0) -> Generator[float, None, None]:
        """Make the tracks of a curve within a share of its tolerance."""
        allowed = share * _allowed(curve.kind, self.tolerance)
        if curve.kind == "ball" and len(curve.columns) == 4:
            yield from self._fit_ball(curve, allowed)
            return
        for column in curve.columns:
            values, name = self.values[:, column], self.coordinates[column]
            made = yield from _fitted(name, self.ticks, values, allowed, self.ends)
            self.tracks[column], self.found[:, column] = made
            self.errors[curve] = float(np.abs(made[1] - values).max())
        yield 1.0

    def _fit_ball(self, curve: _Curve, allowed: float) -> Generator[float, None, None]:
        wanted = self.values[:, curve.columns] / np.linalg.norm(self.values[:, curve.columns], axis=1, keepdims=True)
        frames = [0, len(wanted) - 1] if len(wanted) > 1 else [0]
        while True:
            for place, column in enumerate(curve.columns):
                rows = zip(self.ticks[frames].tolist(), wanted[frames, place].tolist(), strict=True)
                keys = tuple(Key(time, value) for time, value in rows)
                name = self.coordinates[column]
                self.tracks[column] = Track(coordinate=name, keys=keys, before=self.ends[0], after=self.ends[1])
                yield 0.0
            found = yield from self._evaluate(curve)
            sine = np.linalg.norm(found - wanted * np.sign(np.sum(found * wanted, axis=1, keepdims=True)), axis=1) / 2.0
            errors = 4.0 * np.arcsin(np.minimum(sine, 1.0))
            spans = [slice(first, end) for first, end in pairwise(frames)]
            worst = [span.start + int(np.argmax(errors[span])) for span in spans if errors[span].max() > allowed]
            added = set(worst) - set(frames)
            self.errors[curve] = float(errors.max())
            if not added:
                self.found[:, curve.columns] = found
                yield 1.0
                return
            frames = sorted({*frames, *added})
            yield 0.0

    def _evaluate(self, curve: _Curve) -> Generator[float, None, Array]:
        """A ball's numbers at every sample as its tracks give them, shape [frame_count, 4]."""
        tracks = tuple(self.tracks[column] for column in curve.columns)
        motion = compile_motion(self.figure, (Layer(id="reduced", tracks=tracks),))
        places = [self.figure.coordinate_index[self.coordinates[column]] for column in curve.columns]
        found = np.empty((len(self.ticks), len(places)))
        for first in range(0, len(found), _TIMES):
            yield 0.0
            found[first : first + _TIMES] = motion.at(self.ticks[first : first + _TIMES])[:, 0, places]
        return found

    def keep_places(self, curves: Sequence[_Curve]) -> Generator[float, None, float]:
        """Fit again, more tightly, until the handles keep their places; the largest distance left [m]."""
        shares = dict.fromkeys(curves, 1.0)
        limit = self.tolerance.handle_millimetres * 1e-3
        worst, done = np.zeros(len(self.handles)), _FIRST
        for _ in range(_ROUNDS):
            looked, left = done + 0.1 * (1.0 - done), 1.0 - done
            worst = yield from within(self._misses(), done, looked)
            if worst.max() <= limit:
                break
            for handle, error in zip(self.handles, worst.tolist(), strict=True):
                above = _above(self.figure, handle.joint)
                for curve in curves if error > limit else ():
                    if curve.joint in above:
                        shares[curve] *= max(0.3, min(0.9, limit / error))
            again = [curve for curve in curves if shares[curve] < 1.0]
            for place, curve in enumerate(again):
                ends = (looked + 0.4 * left * each / len(again) for each in (place, place + 1))
                yield from within(self.fit(curve, shares[curve]), *ends)
            done += 0.5 * left
        return float(worst.max())

    def _misses(self) -> Generator[float, None, Array]:
        """Measure the error of each handle at its worst sample [m]."""
        worst = np.zeros(len(self.handles))
        for first in range(0, len(self.ticks), _TIMES):
            part = slice(first, first + _TIMES)
            away = self._places(self.found[part]) - self._places(self.values[part])
            worst = np.maximum(worst, np.linalg.norm(away, axis=2).max(axis=0))
            yield first / len(self.ticks)
        return worst

    def _places(self, values: Array) -> Array:
        """World positions of the handles, the figure standing at the origin, shape [len(values), handle_count, 3]."""
        poses = np.tile(self.model.rest, (len(values), 1))
        poses[:, [self.figure.coordinate_index[name] for name in self.coordinates]] = values
        joints = [self.figure.joint_index[handle.joint] for handle in self.handles]
        points = np.array([handle.point for handle in self.handles])
        found = solve_transforms(self.model, poses)[:, joints]
        turned = np.einsum("fhij,hj->fhi", found[:, :, :9].reshape(len(values), -1, 3, 3), points)
        return np.asarray(turned + found[:, :, 9:])

    def reduced(self, place_error: float | None) -> Reduced:
        """Gather the fitted tracks and their largest errors."""
        tracks = tuple(self.tracks[column] for column in range(len(self.coordinates)))
        turns = [error for curve, error in self.errors.items() if curve.kind != "slide"]
        moves = [error for curve, error in self.errors.items() if curve.kind == "slide"]
        return Reduced(tracks, max(turns, default=0.0), max(moves, default=0.0), place_error)


def _allowed(kind: str, tolerance: Tolerance) -> float:
    return tolerance.millimetres * 1e-3 if kind == "slide" else math.radians(tolerance.degrees)


def _handle(figure: Figure, id: str) -> Handle:
    for handle in figure.handles:
        if handle.id == id:
            return handle
    raise UnknownPart(kind="handle", id=id, known=tuple(handle.id for handle in figure.handles))


def _above(figure: Figure, joint: str) -> set[str]:
    """A joint and those that carry it."""
    found, at = set(), figure.joint(joint)
    while True:
        found.add(at.id)
        if at.parent is None:
            return found
        at = figure.joint(at.parent)

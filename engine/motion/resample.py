"""Resampling: samples at another rate or from another start, and keyed layers as samples.

Going up, frames lie on the curve through the samples that is on screen anyway (`engine.motion.motion`): C1 cubics,
quaternion splines for balls. Going down, what the new rate cannot hold is taken out first, without lag: each new frame
is the sum of old ones weighted by a sinc under Kaiser's window (Oppenheim and Schafer, Discrete-Time Signal Processing,
section 7.6), which lets pass 0.7 of the new Nyquist frequency and holds back 60 dB from there on. Two factors on the
weights, a + b x with x the distance in time, keep constants and ramps exact; the ends go on by point reflection.
Angles are unwrapped first.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.document import Blob, Figure, Layer, Samples
from engine.document.motion import Rate, frame_time, ticks_per_frame
from engine.maths.arrays import Array
from engine.motion.motion import compile_motion
from engine.motion.unwrap import normalise_balls, unwrap_samples
from engine.runtime.errors import InvalidArguments

_PASS, _STOP = 0.35, 0.5  # edges of the transition, in cycles a new frame
_STOP_DECIBELS = 60.0
_KAISER = 0.1102 * (_STOP_DECIBELS - 8.7)
_REACH = math.ceil((_STOP_DECIBELS - 7.95) / (2.285 * 2.0 * math.pi * (_STOP - _PASS)) / 2.0)  # in new frames


def resample(figure: Figure, samples: Samples, *, rate: Rate) -> Samples:
    """The samples at another rate, from their first to the last frame that is not after their end: going to a rate
    whose frames do not meet it leaves a part of a frame out."""
    if rate == samples.rate:
        return samples
    first, last = samples.start, samples.time(samples.frame_count - 1)
    continuous = unwrap_samples(figure, samples)
    if ticks_per_frame(rate) <= ticks_per_frame(samples.rate):
        through = Layer(id="samples", samples=continuous)
        found = sample_layer(figure, through, rate=rate, start=first, end=last)
        return replace(found, before=samples.before, after=samples.after)
    times = frame_ticks(rate, first, last)
    places = (times - first) / ticks_per_frame(samples.rate)
    values = band_limit(continuous.values.array, places, ticks_per_frame(rate) / ticks_per_frame(samples.rate))
    normalise_balls(figure, samples.coordinates, values)
    return replace(samples, values=Blob(values), rate=rate)


def sample_layer(figure: Figure, layer: Layer, *, rate: Rate, start: int, end: int) -> Samples:
    """Sample a layer's own tracks and samples frame by frame, timed as its speed curves say."""
    keyed = {track.coordinate for track in layer.tracks} | set(layer.samples.coordinates if layer.samples else ())
    if not keyed:
        raise InvalidArguments(what="the layer to sample", value=layer.name, allowed="one with keys or samples")
    if end < start:
        raise InvalidArguments(what="the range to sample", value=(start, end), allowed="an end not before its start")
    # A ball is one rotation: naming one of its numbers gives all four.
    keyed |= {name for dof in figure.dofs if keyed & set(dof.coordinates) for name in dof.coordinates}
    plain = replace(layer, mode="replace", weight=1.0, span=None, mask=None, mute=False, solo=False)
    names = layer.samples.coordinates if layer.samples is not None and keyed == set(layer.samples.coordinates) else ()
    coordinates = names or tuple(name for name in figure.coordinates if name in keyed)
    columns = [figure.coordinate_index[name] for name in coordinates]
    motion = compile_motion(figure, (plain,)).at(frame_ticks(rate, start, end))
    return Samples(coordinates=coordinates, values=Blob(motion[:, 0, columns]), rate=rate, start=start)


def frame_ticks(rate: Rate, start: int, end: int) -> Array:
    """Ticks of the frames from `start` on, up to `end`."""
    count = int((end - start) / ticks_per_frame(rate)) + 2
    ticks = [start + frame_time(frame, rate) for frame in range(count)]
    return np.array([tick for tick in ticks if tick <= end], dtype=np.float64)


def band_limit(values: Array, places: Array, ratio: float) -> Array:
    """Values at `places` [frames] without what a rate `ratio` times slower cannot hold."""
    reach = math.ceil(_REACH * ratio)
    mode = {"mode": "reflect", "reflect_type": "odd"} if len(values) > 1 else {"mode": "edge"}
    padded = np.pad(values, ((reach, reach + 1), (0, 0)), **mode)  # type: ignore[call-overload]
    nearest = np.floor(places).astype(np.int64)
    away = np.arange(-reach, reach + 1) - (places - nearest)[:, None]
    window = np.sqrt(np.clip(1.0 - (away / (reach + 1)) ** 2, 0.0, None))
    weights = np.sinc((_PASS + _STOP) * away / ratio) * np.i0(_KAISER * window)
    zeroth, first, second = (np.sum(weights * away**power, axis=1) for power in range(3))
    determinant = zeroth * second - first * first
    weights *= (second / determinant)[:, None] - (first / determinant)[:, None] * away
    limited = np.zeros((len(places), values.shape[1]))
    for tap in range(2 * reach + 1):
        limited += weights[:, tap, None] * padded[nearest + tap]
    return limited

"""Leaps of a motion in frames, led over: what was before fades into what comes after."""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array

_PEAK = 1.5  # the fastest of a smooth step beside its mean


def spread_leaps(values: Array, steps: Array, step: float, frames: int) -> Array:
    """The values, where a leap is led over `frames` or more and none changes by more than `step` a frame; `steps` says
    how much lies between each frame and the next. What lies between two values stays between them."""
    found: Array = values.copy()
    large = steps > step
    ends = np.flatnonzero(np.diff(np.concatenate(([0], large.astype(int), [0]))))
    times = np.arange(len(values))
    for first, last in zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True):  # leaps from one to the other
        size = float(np.abs(values[last] - values[first]).max())
        length = max(frames, int(np.ceil(_PEAK * size / step)))
        begin, end = first - length // 2, last + length - length // 2
        share = np.clip((times - begin) / (end - begin), 0.0, 1.0)[:, None]
        share = share * share * (3.0 - 2.0 * share)
        inside = slice(max(begin, 0), min(end, len(values) - 1) + 1)
        before, after = found[np.minimum(times, first)], found[np.maximum(times, last)]
        mixed = np.clip((1.0 - share) * before + share * after, np.minimum(before, after), np.maximum(before, after))
        found[inside] = mixed[inside]
    return found

"""Activations of muscles at any time, as they are keyed, within 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.document.motion import Track
from engine.maths.arrays import Array
from engine.motion.curve_kernels import evaluate_times
from engine.motion.curves import pack_track
from engine.muscles.parts import MuscleActivations
from engine.runtime.bounded import Bounded

_PACKED: Bounded[int, tuple[Track, Array]] = Bounded(2048)  # by the identity of the track


def activations_at(activations: MuscleActivations, numbers: Mapping[str, int], times: Array) -> Array:
    """Activations of muscles, by their numbers, at some times [ticks], shape [len(times), len(numbers)]."""
    found = np.zeros((len(times), len(numbers)))
    wanted = np.ascontiguousarray(times, dtype=np.float64)
    rows = np.empty((len(wanted), 3))
    for each in activations.activations:
        place = numbers.get(each.muscle)
        if place is None:
            continue
        if each.track is None:
            found[:, place] = each.value
        else:
            evaluate_times(_packed(each.track), 0, wanted, rows)
            found[:, place] = rows[:, 0]
    return np.clip(found, 0.0, 1.0)


def _packed(track: Track) -> Array:
    known = _PACKED.get(id(track))
    if known is None or known[0] is not track:
        known = _PACKED.keep(id(track), (track, pack_track(track)))
    return known[1]

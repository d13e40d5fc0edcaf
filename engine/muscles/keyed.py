"""Activations of muscles at any time, as they are keyed, or as they follow keyed excitations, within 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.document.motion import Track
from engine.maths.arrays import Array
from engine.motion.curve_kernels import evaluate_times
from engine.motion.curves import pack_track
from engine.muscles.excitation import ExcitedTrack
from engine.muscles.parts import MuscleActivations
from engine.runtime.bounded import Bounded

_PACKED: Bounded[int, tuple[Track, Array]] = Bounded(2048)  # by the identity of the track
_EXCITED: Bounded[int, tuple[Track, ExcitedTrack]] = Bounded(2048)


def activations_at(activations: MuscleActivations, numbers: Mapping[str, int], times: Array) -> Array:
    """Activations of muscles, by their numbers, at some times [ticks], shape [len(times), len(numbers)]."""
    found = keyed_at(activations, numbers, times) if not activations.excited else np.zeros((len(times), len(numbers)))
    for each in activations.activations if activations.excited else ():
        place = numbers.get(each.muscle)
        if place is not None:
            found[:, place] = each.value if each.track is None else followed(each.track, times)
    return found


def followed(track: Track, times: Array) -> Array:
    """The activation that follows a track of excitation, at some times [ticks]."""
    known = _EXCITED.get(id(track))
    if known is None or known[0] is not track:
        known = _EXCITED.keep(id(track), (track, ExcitedTrack(track)))
    found = np.empty(len(times))
    known[1].write(times, found)
    return found


def keyed_at(activations: MuscleActivations, numbers: Mapping[str, int], times: Array) -> Array:
    """What is keyed of muscles, by their numbers, at some times [ticks], shape [len(times), len(numbers)]."""
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

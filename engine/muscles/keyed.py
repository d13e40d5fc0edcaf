"""Activations of muscles at any time, as keys, constants or expressions tell them, or as they follow keyed excitations,
within 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from engine.document.motion import Track
from engine.maths.arrays import Array
from engine.maths.expressions import Expression, parse_expression
from engine.motion.curve_kernels import evaluate_times
from engine.motion.curves import pack_track
from engine.muscles.excitation import ExcitedTrack
from engine.muscles.expressed import expressed_activations
from engine.muscles.parts import EXPRESSED, MuscleActivations
from engine.runtime.bounded import Bounded

_PACKED: Bounded[int, tuple[Track, Array]] = Bounded(2048)  # by the identity of the track
_EXCITED: Bounded[int, tuple[Track, ExcitedTrack]] = Bounded(2048)


def activations_at(activations: MuscleActivations, numbers: Mapping[str, int], times: Array) -> Array:
    """Activations of muscles, by their numbers, at some times [ticks], shape [len(times), len(numbers)]."""
    return _values_at(activations, numbers, times, follow=activations.excited)


def keyed_at(activations: MuscleActivations, numbers: Mapping[str, int], times: Array) -> Array:
    """Keyed values of muscles, by their numbers, at some times [ticks], shape [len(times), len(numbers)]."""
    return _values_at(activations, numbers, times, follow=False)


def followed(track: Track, times: Array) -> Array:
    """The activation that follows a track of excitation, at some times [ticks]."""
    known = _EXCITED.get(id(track))
    if known is None or known[0] is not track:
        known = _EXCITED.keep(id(track), (track, ExcitedTrack(track)))
    found = np.empty(len(times))
    known[1].write(times, found)
    return found


def _values_at(activations: MuscleActivations, numbers: Mapping[str, int], times: Array, *, follow: bool) -> Array:
    """Those values; `follow`: of what is keyed the activations that follow it as excitation."""
    found = np.zeros((len(times), len(numbers)))
    wanted = np.ascontiguousarray(times, dtype=np.float64)
    rows = np.empty((len(wanted), 3))
    for each in activations.activations:
        place = numbers.get(each.muscle)
        if place is None:
            continue
        if each.expression:
            found[:, place] = expressed_activations(read_expression(each.expression), wanted)
        elif each.track is None:
            found[:, place] = each.value
        elif follow:
            found[:, place] = followed(each.track, wanted)
        else:
            evaluate_times(_packed(each.track), 0, wanted, rows)
            found[:, place] = rows[:, 0]
    return np.clip(found, 0.0, 1.0)


@lru_cache(maxsize=1024)
def read_expression(text: str) -> Expression:
    """Read the expression of an activation."""
    return parse_expression(text, EXPRESSED)


def _packed(track: Track) -> Array:
    known = _PACKED.get(id(track))
    if known is None or known[0] is not track:
        known = _PACKED.keep(id(track), (track, pack_track(track)))
    return known[1]

"""Activations that follow keyed excitations: a' = (u - a)/t, the first-order dynamics of `hill.step_activation`.

It is stepped by `PITCH`, each step from one multiple of that to the next, from the first key on, where a muscle is in
balance with its excitation; u is taken in the middle of a step, within which a goes on exponentially. A track that is
not held before its first key is in balance `SETTLED` before that. So an activation is a function of the track and the
time alone, whatever was asked before: every `EVERY` steps it is kept, to go on from there. `SETTLED` after its last key
a held track has e^-40 of anything earlier left: it stays as it is then, and what cycles is repeated.

Symbols: u excitation, a activation, both 0 to 1.
"""

from __future__ import annotations

import math

import numpy as np

from engine.document.motion import Track
from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.motion.curve_kernels import evaluate_curve
from engine.motion.curves import pack_track
from engine.muscles.hill import step_activation
from engine.runtime.jit import kernel

RISING, FALLING = 0.015, 0.05  # [s] time constants of activation (Thelen 2003)
PITCH = float(TICKS_PER_SECOND // 1000)  # [ticks] of a step
SETTLED = 4 * TICKS_PER_SECOND  # [ticks] after which nothing is left of what was before
EVERY = 16  # steps between those that are kept
_SECONDS = PITCH / TICKS_PER_SECOND


class ExcitedTrack:
    """The activation that follows one track of excitation; grows with the times that it is asked for."""

    def __init__(self, track: Track) -> None:
        self._packed = pack_track(track)
        first, last = track.keys[0].time, track.keys[-1].time
        self._start = math.floor((first if track.before == "hold" else first - SETTLED) / PITCH) * PITCH
        self._last, self._after = float(last + SETTLED), track.after
        self._length = float(last - first)
        self._kept: Array = np.array([excitation_at(self._packed, self._start)])

    def write(self, times: Array, out_activations: Array) -> None:
        """Write activations at times [ticks]."""
        folded = self._folded(np.ascontiguousarray(times, dtype=np.float64))
        steps = (float(folded.max(initial=self._start)) - self._start) / PITCH
        known, wanted = len(self._kept), math.floor(max(steps, 0.0)) // EVERY + 1
        if wanted > known:
            kept = np.empty(wanted)
            kept[:known] = self._kept
            keep_activations(self._packed, self._start, known, kept)
            self._kept = kept
        write_activations(self._packed, self._start, self._kept, folded, out_activations)

    def _folded(self, times: Array) -> Array:
        """Times at which it is as at those that were asked for, where it has settled."""
        if self._after == "hold" or self._length == 0.0:
            return np.minimum(times, self._last)
        if self._after != "cycle":
            return times
        over = np.maximum(np.floor((times - self._last) / self._length), 0.0)
        folded: Array = times - over * self._length
        return folded


@kernel
def excitation_at(track: Array, time: float) -> float:
    """Return the excitation of a packed track at a time [ticks], within 0 to 1."""
    return min(max(evaluate_curve(track, 0, time)[0], 0.0), 1.0)


@kernel
def follow_excitation(track: Array, start: float, first: int, last: int, activation: float) -> float:
    """Return the activation at the step `last` from that at the step `first`; steps are counted from `start`."""
    for step in range(first, last):
        excitation = excitation_at(track, start + (step + 0.5) * PITCH)
        activation = step_activation(excitation, activation, RISING, FALLING, _SECONDS)
    return activation


@kernel
def keep_activations(track: Array, start: float, known: int, out_kept: Array) -> None:
    """Write the activations at every `EVERY`th step, of which the first ones are known."""
    for place in range(known, out_kept.shape[0]):
        first = (place - 1) * EVERY
        out_kept[place] = follow_excitation(track, start, first, first + EVERY, out_kept[place - 1])


@kernel
def write_activations(track: Array, start: float, kept: Array, times: Array, out_activations: Array) -> None:
    """Write the activations at times [ticks] to which enough is kept."""
    for each in range(times.shape[0]):
        passed = times[each] - start
        if passed <= 0.0:
            out_activations[each] = excitation_at(track, times[each])
            continue
        step = int(passed / PITCH)
        place = step // EVERY
        activation = follow_excitation(track, start, place * EVERY, step, kept[place])
        excitation = excitation_at(track, start + (step + 0.5) * PITCH)
        left = (passed - step * PITCH) / TICKS_PER_SECOND
        out_activations[each] = step_activation(excitation, activation, RISING, FALLING, left)

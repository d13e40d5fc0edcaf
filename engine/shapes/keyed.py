"""KeyedShapes: how a surface is keyed, weights and the joint's frame at any time, as the simulation reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine.document import Actor
from engine.document.motion import Track, active_layers
from engine.maths.arrays import Array
from engine.motion.curve_kernels import evaluate_times
from engine.motion.curves import pack_track
from engine.motion.jumps import Jumps, jumps_of
from engine.runtime.bounded import Bounded
from engine.shapes.parts import BlendShape, BlendShapes

FramesOf = Callable[[Sequence[int]], Array]

_PACKED: Bounded[int, tuple[Track, Array]] = Bounded(512)  # by the identity of the track


class KeyedShapes:
    """The keyed surface of an actor in one document; `frames_of` gives the joint's frame at some ticks."""

    def __init__(self, actor: Actor, surface: BlendShapes, frames_of: FramesOf) -> None:
        self._surface, self._frames_of = surface, frames_of
        self._jumps: Jumps | None = jumps_of(active_layers(actor.layers))
        tracks = (each.track for each in surface.shapes if each.track is not None and not each.mute)
        self._stepped = np.array(sorted({float(time) for track in tracks for time in track.jumps}))

    def weights(self, times: Array) -> Array:
        """Of each shape, shape [len(times), shape_count]."""
        return weights_of(self._surface.shapes, times)

    def frames(self, times: Array) -> Array:
        """Of the joint, shape [len(times), 3, 4]."""
        return self._frames_of([round(time) for time in times.tolist()])

    def jumps(self, start: float, end: float) -> bool:
        """Tell whether a stepped key or a span without an ease jumps after the start, up to the end."""
        if ((self._stepped > start) & (self._stepped <= end)).any():
            return True
        return self._jumps is not None and len(self._jumps.between(start, end)) > 0

    def moved(self, times: Array, *, controls: bool) -> Array | None:
        """Nothing: these are the keys."""
        return None


def weights_of(shapes: Sequence[BlendShape], times: Array) -> Array:
    """Weights of shapes at some times [ticks], shape [len(times), shape_count]; those of a muted one are 0."""
    found = np.zeros((len(times), len(shapes)))
    wanted = np.ascontiguousarray(times, dtype=np.float64)
    rows = np.empty((len(wanted), 3))
    for place, each in enumerate(shapes):
        if each.mute:
            continue
        if each.track is None:
            found[:, place] = each.weight
        else:
            evaluate_times(_packed(each.track), 0, wanted, rows)
            found[:, place] = rows[:, 0]
    return found


def _packed(track: Track) -> Array:
    known = _PACKED.get(id(track))
    if known is None or known[0] is not track:
        known = _PACKED.keep(id(track), (track, pack_track(track)))
    return known[1]

"""Jumps: the times at which keyed values may change at once, for who integrates over them.

A stepped key jumps where it ends, a span that is not eased at its ends, a cycle where it begins anew. Where a speed
curve reads a layer at other times its jumps are not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.document.motion import Layer, Track
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Jumps:
    """The times from which on values may be others [ticks]."""

    once: Array
    repeated: tuple[tuple[Array, float, float, float], ...]  # times in a cycle, its length, and from when to when

    def between(self, start: float, end: float) -> Array:
        """Those after `start`, up to `end`, rising."""
        found = [self.once]
        for times, length, first, last in self.repeated:
            low, high = max(start, first), min(end, last)
            if low <= high:
                turns = np.arange(np.floor((low - times[-1]) / length), np.ceil((high - times[0]) / length) + 1.0)
                every = (times[:, None] + length * turns).ravel()
                found.append(every[(every >= first) & (every <= last)])
        times = np.unique(np.concatenate(found))
        return times[(times > start) & (times <= end)]

    def are_between(self, start: float, end: float) -> bool:
        """Tell whether there are any after `start`, up to `end`, however many rounds of a cycle lie between."""
        if ((self.once > start) & (self.once <= end)).any():
            return True
        for cycle in self.repeated:
            _, length, first, last = cycle
            low, high = max(start, first - 1.0), min(end, last)
            if low < high and len(Jumps(self.once[:0], (cycle,)).between(low, min(high, low + length))) > 0:
                return True
        return False

    def no_faster_than(self, apart: float) -> Jumps:
        """These without cycles whose jumps are on average less far apart [ticks], so that only so many lie between two
        times."""
        slow = tuple(each for each in self.repeated if each[1] >= apart * len(each[0]))
        return self if len(slow) == len(self.repeated) else Jumps(self.once, slow)


def jumps_of(layers: Sequence[Layer]) -> Jumps | None:
    """Find the jumps of the layers that count; None if there are none."""
    tracks = [track for layer in layers for track in layer.heard.values()]
    once = {float(time) for track in tracks for time in track.jumps}
    once |= {float(time) for layer in layers for time in _ends(layer)}
    repeated = tuple(each for track in tracks for each in _cycles(track))
    return Jumps(np.array(sorted(once)), repeated) if once or repeated else None


def _ends(layer: Layer) -> Iterator[int]:
    if layer.span is not None:
        if layer.span.ease_in == 0:
            yield layer.span.start
        if layer.span.ease_out == 0:
            yield layer.span.end + 1


def _cycles(track: Track) -> Iterator[tuple[Array, float, float, float]]:
    first, last = track.keys[0], track.keys[-1]
    length = float(last.time - first.time)
    for how, start, end in ((track.before, -np.inf, first.time), (track.after, last.time, np.inf)):
        times = set(track.jumps)
        if how == "cycle" and first.value != last.value:
            times.add(last.time)
        if length and how in ("cycle", "cycle_offset") and times:
            yield np.array(sorted(times), dtype=np.float64), length, float(start), float(end)

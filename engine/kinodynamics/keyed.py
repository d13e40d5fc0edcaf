"""The keyed motion as secondary motion reads it: a function of time, whatever stands behind it.

Source: Rahgoshay 2011, chapter 3: x_K(t), with its velocity. `Keyed` is any function from times [ticks, floats, shape
[n]] to values and rates per second of all coordinates, shape [n, 2 or more, coordinate_count]: rows 0 and 1 of
`Motion.at`. What it gives at a time may depend on that time alone, never on the times beside it: frame k alone must see
the same numbers as frame k in a sequence.

Before the first key there is nothing that a person made. Either the motion is *run in*: the simulation begins a window
earlier with the motion as its tracks extend it (held, linear, a cycle); or it is *held*: the figure stands as at the
first key, at rest.

Symbols: q values of the coordinates; times [ticks].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import numpy as np

from engine.document.extent import layer_extent
from engine.document.motion import Layer
from engine.maths.arrays import Array
from engine.motion.jumps import Jumps, jumps_of
from engine.motion.motion import Motion, active_layers
from engine.runtime.quick_dataclass import dataclass

Keyed = Callable[[Array], Array]
Lead = Literal["run_in", "hold"]

VALUE, RATE = 0, 1


@dataclass(frozen=True, eq=False)
class KeyedMotion:
    """A keyed motion with what is known of it beside its values."""

    motion: Keyed
    meant: Keyed | None = None  # without what corrections add to it: rows of values first; None: it has none
    jumps: Jumps | None = None  # when its values jump

    def __call__(self, times: Array) -> Array:
        return self.motion(times)


def known_of(keyed: Keyed) -> KeyedMotion:
    """Return a keyed motion with what is known of it."""
    return keyed if isinstance(keyed, KeyedMotion) else KeyedMotion(keyed)


def keyed_motion(motion: Motion, lead: Lead = "run_in") -> Keyed:
    """Return the keyed motion by time; with the lead "hold", held before its first key."""
    first, keyed = first_key(motion.source), KeyedMotion(motion.at, jumps=jumps_of(active_layers(motion.source)))
    return keyed if lead == "run_in" or first is None else held_before(keyed, first)


def first_key(layers: Sequence[Layer]) -> int | None:
    """The first tick at which a layer that counts has a key or a sample; None if nothing moves."""
    extents = [layer_extent(layer) for layer in active_layers(tuple(layers))]
    starts = [extent[0] for extent in extents if extent is not None]
    return min(starts) if starts else None


def held_before(keyed: Keyed, first: float) -> Keyed:
    """Return a motion that is as a given one, but at rest before a time [ticks], as it is then."""
    known = known_of(keyed)

    def held(motion: Keyed, times: Array) -> Array:
        found = motion(np.maximum(times, first)).copy()
        found[times <= first, RATE:] = 0.0
        return found

    return KeyedMotion(
        partial(held, known.motion), None if known.meant is None else partial(held, known.meant), known.jumps
    )

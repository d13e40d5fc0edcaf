"""Paths of rotations packed for the kernels: joints of three hinges whose keys are joined as rotations, and balls.

The keys of a path stand wherever one of its tracks has one, with what the tracks' own curves give there. A span is
stepped or a slerp where one of the tracks says stepped or linear (or the layer says slerp), else a spline; a key whose
tangents are all flat has no angular velocity. Beyond the ends the first track's extrapolation holds for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.document import Joint, Layer, Track
from engine.document.motion import Interpolation
from engine.maths.arrays import Array
from engine.maths.rotations import euler_to_quaternion
from engine.motion.curve_kernels import evaluate_times
from engine.motion.curves import CODES
from engine.motion.rotation_kernels import ARC, PATH_HEADER, SLERP, SPLINE, STEPPED, pack_path

Source = tuple[Track, Array] | float
"""A track with its packed form, or a constant."""

KINDS: dict[Interpolation, int] = {"stepped": STEPPED, "linear": SLERP, "cubic": SPLINE}


class Hinges:
    """The three hinges of a joint that turns every way: their coordinates, axis numbers and signs."""

    def __init__(self, coordinates: tuple[str, ...], order: tuple[int, ...], signs: tuple[int, ...]) -> None:
        self.coordinates, self.order, self.signs = coordinates, order, signs


def hinges_of(joint: Joint) -> Hinges | None:
    """The hinges, where there are three about main axes in one of the twelve orders; slides beside them do no harm."""
    hinges = [dof for dof in joint.dofs if dof.kind == "hinge"]
    found = [_main_axis(dof.axis) for dof in hinges]
    main = [each for each in found if each is not None]
    if len(hinges) != 3 or len(main) != 3 or any(first[0] == second[0] for first, second in pairwise(main)):
        return None
    return Hinges(tuple(dof.id for dof in hinges), tuple(each[0] for each in main), tuple(each[1] for each in main))


def pack_hinges(hinges: Hinges, layer: Layer, sources: Sequence[Source]) -> Array:
    """The path of a joint from its three angles."""
    times = key_times(sources)
    angles = _at_keys(sources, times) * hinges.signs
    quaternions, order = np.empty((len(times), 4)), np.array(hinges.order, dtype=np.int32)
    for row, out_q in zip(angles, quaternions, strict=True):
        euler_to_quaternion(row, order, out_q)
    return _pack(layer, sources, times, quaternions)


def pack_ball(layer: Layer, sources: Sequence[Source]) -> Array:
    """The path of a ball from its four numbers."""
    times = key_times(sources)
    return _pack(layer, sources, times, np.ascontiguousarray(_at_keys(sources, times)))


def key_times(sources: Sequence[Source]) -> NDArray[np.int64]:
    """Every time [ticks] at which one of the tracks has a key."""
    tracks = [source[0] for source in sources if isinstance(source, tuple)]
    return np.array(sorted({key.time for track in tracks for key in track.keys}), dtype=np.int64)


def _main_axis(axis: tuple[float, float, float]) -> tuple[int, int] | None:
    for number in range(3):
        if abs(axis[number]) == 1.0:
            return number, int(axis[number])
    return None


def _at_keys(sources: Sequence[Source], times: NDArray[np.int64]) -> Array:
    columns, ticks = np.empty((len(times), len(sources))), times.astype(np.float64)
    rows = np.empty((len(times), 3))
    for place, source in enumerate(sources):
        if isinstance(source, tuple):
            evaluate_times(source[1], 0, ticks, rows)
            columns[:, place] = rows[:, 0]
        else:
            columns[:, place] = source
    return columns


def _pack(layer: Layer, sources: Sequence[Source], times: NDArray[np.int64], quaternions: Array) -> Array:
    tracks = [source[0] for source in sources if isinstance(source, tuple)]
    kinds = np.full(len(times), SLERP if layer.quaternion_mode == "slerp" else SPLINE, dtype=np.int32)
    flat = np.ones(len(times), dtype=np.int32)
    for track in tracks:
        own = np.array([key.time for key in track.keys], dtype=np.int64)
        place = np.searchsorted(own, times, side="right") - 1
        inside = (place >= 0) & (place < len(own) - 1)
        kind = np.array([KINDS[key.interpolation] for key in track.keys], dtype=np.int32)
        kinds[inside] = np.minimum(kinds[inside], kind[place[inside]])
        on_key = np.isin(times, own)
        steep = np.array([key.tangent != "flat" for key in track.keys])
        flat[on_key & steep[np.maximum(place, 0)]] = 0
    packed = np.zeros(PATH_HEADER + len(times) * (1 + ARC))
    before, after = CODES[tracks[0].before], CODES[tracks[0].after]
    pack_path(times.astype(np.float64), quaternions, kinds, flat, before, after, packed)
    packed.flags.writeable = False
    return packed

"""The frames that a writer of motion writes: the pose of the whole figure at a steady rate.

Samples that nothing else touches are written as they are, or resampled to the rate that is asked for; any other motion
is evaluated from the first time at which something moves to the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from engine.document import Figure, Layer
from engine.document.extent import acting_extent
from engine.document.motion import Rate, ticks_per_frame
from engine.formats.format import Contents, Options
from engine.maths.arrays import Array
from engine.model.compile import rest_value
from engine.runtime import progress
from engine.runtime.errors import UnwritableFile

USUAL_RATE: Rate = (30, 1)
MOST_FRAMES = 10_000_000
EVALUATED = 0.5  # the share of writing a motion that is done once it is evaluated

_CHUNK = 2048


@dataclass(frozen=True, eq=False)
class Frames:
    """Poses in order."""

    rate: Rate
    q: Array  # [rad or m], shape [frame_count, coordinate_count]
    start: int = 0  # tick of the first frame


def figure_of(path: Path, contents: Contents) -> Figure:
    """The figure to write; refused where there is none."""
    if contents.figure is None or not contents.figure.joints:
        raise UnwritableFile(path=path, found="no figure to write", remedy="Choose a figure, with or without motion.")
    return contents.figure


def frames_of(path: Path, figure: Figure, layers: tuple[Layer, ...], options: Options) -> Frames:
    """The motion at `options.rate`, else at the rate of its samples; the rest pose alone where there is none."""
    rates = [layer.samples.rate for layer in layers if layer.samples is not None]
    rate = options.rate or (rates[0] if rates else USUAL_RATE)
    alone = len(rates) <= 1 and all(map(_plain, layers))
    if alone and rates in ([], [rate]):
        return Frames(rate, _as_they_are(figure, layers), _first(layers))
    first, last = _ends(path, layers, rate)
    # These load the compiler, which plain samples do not need.
    from engine.motion.motion import compile_motion
    from engine.motion.resample import frame_ticks, resample

    if alone:
        layers = tuple(
            each if each.samples is None else replace(each, samples=resample(figure, each.samples, rate=rate))
            for each in layers
        )
        return Frames(rate, _as_they_are(figure, layers), _first(layers))
    motion, times = compile_motion(figure, layers), frame_ticks(rate, first, last)
    chunks = [times[start : start + _CHUNK] for start in range(0, len(times), _CHUNK)]
    with progress.part(0.0, EVALUATED):
        rows = np.concatenate([motion.at(chunk)[:, 0] for chunk in progress.each(chunks)])
    return Frames(rate, rows, first)


def _first(layers: Sequence[Layer]) -> int:
    return next((layer.samples.start for layer in layers if layer.samples is not None), 0)


def _plain(layer: Layer) -> bool:
    whole = layer.mode == "replace" and layer.weight == 1.0 and layer.span is None and layer.mask is None
    return whole and not (layer.tracks or layer.mute or layer.solo or layer.speed or layer.correction)


def _as_they_are(figure: Figure, layers: tuple[Layer, ...]) -> Array:
    rest = np.array([rest_value(name, figure.coordinate_dof[name]) for name in figure.coordinates])
    count = max((layer.samples.frame_count for layer in layers if layer.samples is not None), default=1)
    q = np.tile(rest, (count, 1))
    for layer in layers:
        for name, value in layer.values:
            q[:, figure.coordinate_index[name]] = value
        if layer.samples is not None:
            q[:, [figure.coordinate_index[name] for name in layer.samples.coordinates]] = layer.samples.values.array
    return q


def _ends(path: Path, layers: tuple[Layer, ...], rate: Rate) -> tuple[int, int]:
    """The ticks between which something moves."""
    first, last = motion_extent(layers)
    count = (last - first) / ticks_per_frame(rate)
    if count > MOST_FRAMES:
        remedy = "Write at a lower rate, or a part of the motion."
        raise UnwritableFile(path=path, found=f"a motion of {count:,.0f} frames", remedy=remedy)
    return first, last


def motion_extent(layers: Sequence[Layer]) -> tuple[int, int]:
    """The first and the last tick at which a layer that is heard changes what is seen."""
    ends = [extent for extent in map(acting_extent, layers) if extent is not None]
    return min((each[0] for each in ends), default=0), max((each[1] for each in ends), default=0)

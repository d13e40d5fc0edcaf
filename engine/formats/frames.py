"""The frames that a writer of motion writes: the pose of the whole figure at a steady rate.

Samples that nothing else touches are written as they are, or resampled to the rate that is asked for; any other motion
is evaluated from the first time at which something moves to the last. Where a range is asked for, its frames are
written, with what tracks and samples go on to do before their first and after their last frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.document import Figure, Layer
from engine.document.extent import acting_extent
from engine.document.motion import Rate, frame_count, ticks_per_frame
from engine.formats.format import Contents, Options
from engine.maths.arrays import Array
from engine.runtime import progress
from engine.runtime.errors import UnwritableFile
from engine.runtime.quick_dataclass import dataclass

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


def frames_of(path: Path, figure: Figure, contents: Contents, options: Options) -> Frames:
    """The motion of contents on a figure at `options.rate`, else at the rate of its samples; the rest pose alone where
    there is none."""
    layers = contents.layers
    rates = [layer.samples.rate for layer in layers if layer.samples is not None]
    rate = options.rate or (rates[0] if rates else USUAL_RATE)
    alone = len(rates) <= 1 and all(map(_plain, layers))
    span = _asked(contents, options)
    if alone and rates in ([], [rate]) and span is None:
        return Frames(rate, _as_they_are(figure, layers), _first(layers))
    first, last = span or motion_extent(layers)
    _check(path, rate, first, last)
    if alone and rates not in ([], [rate]):
        from engine.motion.resample import resample  # loads the compiler, which plain samples do not need

        layers = tuple(
            each if each.samples is None else replace(each, samples=resample(figure, each.samples, rate=rate))
            for each in layers
        )
        if span is None:
            return Frames(rate, _as_they_are(figure, layers), _first(layers))
    if alone:
        plain = _within(_as_they_are(figure, layers), layers, rate, (first, last))
        if plain is not None:
            return Frames(rate, plain, first)
    return Frames(rate, _evaluated(figure, layers, rate, first, last), first)


def _asked(contents: Contents, options: Options) -> tuple[int, int] | None:
    """From when to when to write; None: nobody says."""
    if contents.span is None and options.start is None and options.end is None:
        return None
    return options.span_of(contents.span or motion_extent(contents.layers))


def _within(rows: Array, layers: tuple[Layer, ...], rate: Rate, span: tuple[int, int]) -> Array | None:
    """The rows of a range: of one pose as often as there are frames, of samples those that stand on its frames; None
    where it begins between two of them or takes more."""
    count = frame_count(rate, *span)
    samples = next((layer.samples for layer in layers if layer.samples is not None), None)
    if samples is None:
        return np.repeat(rows, count, axis=0)
    begins = round((span[0] - samples.start) / ticks_per_frame(rate))
    fits = begins >= 0 and begins + count <= samples.frame_count and samples.time(begins) == span[0]
    return rows[begins : begins + count] if fits else None


def _evaluated(figure: Figure, layers: tuple[Layer, ...], rate: Rate, first: int, last: int) -> Array:
    # These load the compiler, which plain samples do not need.
    from engine.motion.motion import compile_motion
    from engine.motion.resample import frame_ticks

    motion, times = compile_motion(figure, layers), frame_ticks(rate, first, last)
    chunks = [times[start : start + _CHUNK] for start in range(0, len(times), _CHUNK)]
    with progress.part(0.0, EVALUATED):
        return np.concatenate([motion.at(chunk)[:, 0] for chunk in progress.each(chunks)])


def _first(layers: Sequence[Layer]) -> int:
    return next((layer.samples.start for layer in layers if layer.samples is not None), 0)


def _plain(layer: Layer) -> bool:
    whole = layer.mode == "replace" and layer.weight == 1.0 and layer.span is None and layer.mask is None
    return whole and not (layer.tracks or layer.mute or layer.solo or layer.speed or layer.correction)


def _as_they_are(figure: Figure, layers: tuple[Layer, ...]) -> Array:
    rest = np.array([figure.rest[name] for name in figure.coordinates])
    count = max((layer.samples.frame_count for layer in layers if layer.samples is not None), default=1)
    q = np.tile(rest, (count, 1))
    for layer in layers:
        for name, value in layer.values:
            q[:, figure.coordinate_index[name]] = value
        if layer.samples is not None:
            q[:, [figure.coordinate_index[name] for name in layer.samples.coordinates]] = layer.samples.values.array
    for dof in figure.driven:
        columns = [(each, figure.coordinate_index[each.dof]) for each in dof.driven]
        place = figure.coordinate_index[dof.id]
        q[:, place] = [sum(each.value(row[column]) for each, column in columns) for row in q]
    return q


def _check(path: Path, rate: Rate, first: int, last: int) -> None:
    """Refuse more frames than anybody means."""
    count = (last - first) / ticks_per_frame(rate)
    if count > MOST_FRAMES:
        remedy = "Write at a lower rate, or a part of the motion."
        raise UnwritableFile(path=path, found=f"a motion of {count:,.0f} frames", remedy=remedy)


def motion_extent(layers: Sequence[Layer]) -> tuple[int, int]:
    """The first and the last tick at which a layer that is heard changes what is seen."""
    ends = [extent for extent in map(acting_extent, layers) if extent is not None]
    return min((each[0] for each in ends), default=0), max((each[1] for each in ends), default=0)

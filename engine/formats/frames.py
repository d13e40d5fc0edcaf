"""The frames that a writer of motion writes: the pose of the whole figure at a steady rate."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document import Figure, Layer
from engine.document.motion import Rate
from engine.formats.format import Contents, Options
from engine.model.compile import rest_value
from engine.runtime.errors import UnwritableFile

USUAL_RATE: Rate = (30, 1)


@dataclass(frozen=True, eq=False)
class Frames:
    """Poses in order."""

    rate: Rate
    q: NDArray[np.float64]  # [rad or m], shape [frame_count, coordinate_count]


def figure_of(path: Path, contents: Contents) -> Figure:
    """The figure to write; refused where there is none."""
    if contents.figure is None or not contents.figure.joints:
        raise UnwritableFile(path=path, found="no figure to write", remedy="Choose a figure, with or without motion.")
    return contents.figure


def frames_of(figure: Figure, layers: tuple[Layer, ...], options: Options) -> Frames:
    """The layered motion; the rest pose alone where there is none."""
    rest = np.array([rest_value(name, figure.coordinate_dof[name]) for name in figure.coordinates])
    samples = next((layer.samples for layer in layers if layer.samples is not None), None)
    rate = options.rate or (samples.rate if samples is not None else USUAL_RATE)
    q = np.tile(rest, (samples.frame_count if samples is not None else 1, 1))
    for layer in layers:
        for name, value in layer.values:
            q[:, figure.coordinate_index[name]] = value
        if layer.samples is not None:
            q[:, [figure.coordinate_index[name] for name in layer.samples.coordinates]] = layer.samples.values.array
    return Frames(rate, q)

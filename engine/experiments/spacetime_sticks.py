"""Motions of planar figures as rows of stick figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.experiments.charts import Sticks
from engine.maths.arrays import Array
from engine.spacetime.figures import LimbPoint
from engine.spacetime.motions import PlannedMotion, place_points

_SHADES = ("#1b4f72", "#2e86c1", "#17a589", "#d68910", "#a93226")


def sticks_of(
    motion: PlannedMotion, limbs: Sequence[Sequence[LimbPoint]], times: Sequence[float], *, ground: float | None = None
) -> list[Sticks]:
    """A panel for each time; a line through the points of each limb, and one for the ground, as wide as the motion."""
    figure = motion.problem.figure
    arms = [np.array([figure.arms(point) for point in points]) for points in limbs]
    poses = [[place_points(figure, each, motion.coordinates(time)) for each in arms] for time in times]
    flat = np.concatenate([line for pose in poses for line in pose])
    panels = []
    for time, pose in zip(times, poses, strict=True):
        lines: list[tuple[Array, str]] = []
        if ground is not None:
            ends = (float(flat[:, 0].min()), float(flat[:, 0].max()))
            lines.append((np.array([[ends[0], ground], [ends[1], ground]]), "#bbbbbb"))
        lines += [(line, _SHADES[at % len(_SHADES)]) for at, line in enumerate(pose)]
        panels.append(Sticks(name=f"{time:.3f} s", lines=lines, goals=np.zeros((0, 2))))
    return panels


def rods(motion: PlannedMotion) -> list[list[LimbPoint]]:
    """Both ends of each thin rod."""
    return [
        [LimbPoint(limb.name), LimbPoint(limb.name, (2.0 * limb.centre[0], 0.0))]
        for limb in motion.problem.figure.limbs
    ]

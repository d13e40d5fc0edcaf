"""Pieces of experiments with activation splines: a flat bar of springs, a cylinder, and splines that a seed moves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.experiments.result import Settings
from engine.maths.arrays import Array
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import square_grid
from engine.soft.springs import SpringBody

SPACING = 0.1  # [m] of the bar's squares
SPRING = 1000.0  # [N/m] of its edges, ours: the source names none
DENSITY = 10.0  # [kg/m2]
_MOVED = 0.01  # [m]
_FIRST = 1  # the seed that leaves splines where they are


def flat_bar(length: int = 12, width: int = 3) -> VolumeMesh:
    """Make a bar of so many squares, its middle at the origin."""
    lower = (-0.5 * length * SPACING, -0.5 * width * SPACING, 0.0)
    return square_grid((length, width), SPACING, lower=lower)


def moved_controls(settings: Settings, controls: Array, *, flat: bool) -> Array:
    """Move control points by up to a centimetre, but for seed 1."""
    shift = np.random.default_rng(settings.seed).uniform(-_MOVED, _MOVED, controls.shape)
    shift *= (1.0, 1.0, 0.0 if flat else 1.0)
    return controls if settings.seed == _FIRST else controls + shift


def play(
    body: SpringBody,
    points: Array,
    frames: int,
    dt: float,
    alphas: Callable[[int], Array],
    seen: Callable[[int, Array, Array], None],
) -> None:
    """Step a body from rest over frames; `seen` is given each frame's points and velocities."""
    velocities = np.zeros_like(points)
    for frame in range(frames):
        body.advance(points, velocities, alphas(frame), dt)
        seen(frame, points, velocities)


def settled_after(values: Array, last: float, within: float) -> int:
    """Count the samples until values stay within so much of the last one."""
    off = np.flatnonzero(np.abs(values - last) > within)
    return int(off[-1]) + 1 if len(off) else 0

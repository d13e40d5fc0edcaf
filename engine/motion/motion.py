"""Motion: an actor's layers compiled, and its coordinates with their rates and accelerations at any time.

The layers that count (none muted, none without weight; the soloed ones alone if there are any) are laid over the rest
pose in listed order. Values are not clamped to limits: edits and solvers keep them, and a curve between two keys
within its limits may leave them. Drafts are no motion and left out (`engine.motion.drafts`).

Units: q [rad, m, or a quaternion's number], times [ticks], rates per second.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np
from numpy.typing import ArrayLike

from engine.document import Figure, Layer
from engine.document.motion import active_layers
from engine.maths.arrays import Array
from engine.model.driven import DrivenCoordinates, compile_driven
from engine.model.driven_kernels import write_driven_motion
from engine.motion.layer_kernels import apply_layer
from engine.motion.layers import CompiledLayer, compile_layer_gradually
from engine.runtime.progress import finish
from engine.runtime.quick_dataclass import dataclass

__all__ = ["Motion", "active_layers", "compile_gradually", "compile_motion"]


@dataclass(frozen=True, eq=False)
class Motion:
    """One actor's motion. Used by one thread: evaluation writes into the layers' work arrays."""

    figure: Figure
    source: tuple[Layer, ...]
    rest: Array
    balls: tuple[tuple[str, ...], ...]  # coordinates of each ball
    base: Array  # q below the first compiled layer: the rest pose and the constant layers upon it
    layers: tuple[CompiledLayer, ...]
    driven: DrivenCoordinates | None = None  # written over what the layers say

    def evaluate(self, times: Array, out_motion: Array) -> None:
        """q, rates and accelerations at each time (floats), shape [len(times), 3, coordinate_count]."""
        out_motion[:, 0] = self.base
        out_motion[:, 1:] = 0.0
        for each in self.layers:
            apply_layer(each.ints, each.floats, each.samples, times, each.work, out_motion)
        if self.driven is not None:
            write_driven_motion(self.driven.ints, self.driven.floats, out_motion)

    def at(self, times: ArrayLike) -> Array:
        """Evaluate the motion into a fresh array; for one time, shape [3, coordinate_count]."""
        wanted = np.asarray(times, dtype=np.float64)
        motion = np.empty((wanted.size, 3, len(self.base)))
        self.evaluate(np.ascontiguousarray(wanted.ravel()), motion)
        return motion if wanted.ndim else motion[0]


def compile_motion(figure: Figure, layers: tuple[Layer, ...], before: Motion | None = None) -> Motion:
    """Compile an actor's layers; what `before` compiled of the same objects is used again."""
    return finish(compile_gradually(figure, layers, before))


def compile_gradually(
    figure: Figure, layers: tuple[Layer, ...], before: Motion | None = None
) -> Generator[float, None, Motion]:
    """Compile an actor's layers as `compile_motion` does, in slices."""
    known = {each.layer.id: each for each in before.layers} if before is not None else {}
    same = before is not None and before.figure is figure
    rest, balls = (before.rest, before.balls) if before is not None and same else (_rest(figure), _balls(figure))
    driven = before.driven if before is not None and same else compile_driven(figure)
    base = rest.copy()
    place_of, compiled, below = figure.coordinate_index, [], True
    for layer in active_layers(layers):
        below = below and _constant(layer, balls)
        if below:
            for name, value in layer.values:
                base[place_of[name]] = value
            continue
        old = known.get(layer.id)
        if not (same and old is not None and old.layer is layer):
            old = yield from compile_layer_gradually(figure, layer, old)
        compiled.append(old)
    base.flags.writeable = False
    return Motion(figure, layers, rest, balls, base, tuple(compiled), driven)


def _rest(figure: Figure) -> Array:
    return np.array([figure.rest[name] for name in figure.coordinates])


def _balls(figure: Figure) -> tuple[tuple[str, ...], ...]:
    return tuple(dof.coordinates for dof in figure.dofs if dof.kind == "ball")


def _constant(layer: Layer, balls: tuple[tuple[str, ...], ...]) -> bool:
    """Tell whether a layer holds nothing but values that replace what is below, at any time; and balls whole, and of
    norm 1."""
    if layer.tracks or layer.samples is not None or layer.correction is not None:
        return False
    if layer.mode != "replace" or layer.weight != 1.0:
        return False
    if layer.span is not None or layer.mask is not None:
        return False
    given = layer.by_coordinate if balls else {}
    for names in balls:
        numbers = [given[name] for name in names if name in given]
        if numbers and (len(numbers) < 4 or abs(math.hypot(*numbers) - 1.0) > 4e-16):
            return False
    return True

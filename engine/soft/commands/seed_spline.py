"""SeedSpline: a spline along the long axis of a soft body, through the middles of slices across it.

The axis is that along which the points of the body spread most, weighted alike; a slice has the points nearest to its
place. The ends stand inside by a share of the length. Importing this module loads no kernel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.command import AtOnce
from engine.document import Document
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments
from engine.soft.parts import ActivationSpline
from engine.soft.uses import soft_body

if TYPE_CHECKING:
    from engine.document.values import Vector3
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array

INSET = 0.06  # of the length, at both ends
MOST_CONTROLS = 32


@dataclass(frozen=True, kw_only=True)
class SeedSpline(AtOnce):
    """A spline along a body's own axis."""

    id: str  # of the new spline
    actor: str
    name: str
    controls: int = 5

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return edit("add_activation_spline", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        owner = document.actor(self.actor)
        body = soft_body(owner)
        if body is None:
            raise InvalidArguments(what="the actor of a spline", value=owner.name, allowed="a soft body")
        if not 2 <= self.controls <= MOST_CONTROLS:
            raise InvalidArguments(
                what="the control points of a spline", value=self.controls, allowed=f"2 to {MOST_CONTROLS}"
            )
        points = axis_points(body.points.array, self.controls)
        spline = ActivationSpline(id=self.id, name=self.name, points=points)
        return edit("add_activation_spline", actor=self.actor, spline=spline)


def axis_points(places: Array, count: int) -> tuple[Vector3, ...]:
    """Compute places along the long axis of a cloud of points [m]."""
    middle = places.mean(axis=0)
    spread = places - middle
    _, ways = np.linalg.eigh(spread.T @ spread)
    way = ways[:, -1] * np.sign(ways[np.argmax(np.abs(ways[:, -1])), -1])
    along = spread @ way
    low, high = float(along.min()), float(along.max())
    inset = INSET * (high - low)
    wanted = np.linspace(low + inset, high - inset, count)
    half = 0.5 * (high - low) / count
    found = []
    for place in wanted:
        near = np.abs(along - place) <= half
        across = spread[near].mean(axis=0) if near.any() else np.zeros(3)
        x, y, z = (middle + across + (place - float(across @ way)) * way).tolist()
        found.append((x, y, z))
    return tuple(found)

"""Poses to which, or from which, a figure that stands cannot move without falling over: said before a search.

Forces of the ground go through what stands and, where little turns, through the centre of mass c as well, so
that c'' = w^2 (c - p) with p within the support and w^2 = g / h. Then c - c'/w tends to p, and stays in the convex hull
of the support and of where it began; backwards in time c + c'/w does (the extrapolated centre of mass: Hof, Gazendam
and Sinke 2005, Journal of Biomechanics 38:1-8). Arms that whirl help by some centimetres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND
from engine.physics.parts import PhysicsWorld
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.spacetime.parts import SpacetimeStage

FALLS = 0.15  # of the height of the centre of mass, beyond the support: no motion leads there


@dataclass(frozen=True)
class FallingPose:
    """How far the centre of mass of one of two poses lies beyond what it may stand on."""

    time: int  # [ticks]
    beyond: float  # [m] along the ground, with the speed that it has
    height: float  # [m] of the centre of mass

    @property
    def falls(self) -> bool:
        """True where no motion needs to be looked for."""
        return self.beyond > FALLS * self.height

    def words(self, name: str) -> str:
        """Say it of a figure."""
        far = f"{100.0 * self.beyond:.0f} cm beyond what it stands on"
        return f"At {self.time / TICKS_PER_SECOND:g} s the centre of mass of {name} is {far}, where it falls"


def overhang(
    evaluator: Evaluation, document: Document, actor: str, times: tuple[int, int], stages: Sequence[SpacetimeStage],
    apart: int,
) -> FallingPose | None:  # fmt: skip
    """Find the pose, of the first and the last of a motion that stands all the time, that is farther from what it may
    stand on; None where both are above it, or where it flies or is nailed. Speeds are those beside `times`."""
    import numpy as np

    from engine.maths.hulls import hull, margin_of

    gravity = (document.part(PhysicsWorld) or PhysicsWorld()).gravity
    if gravity <= 0.0 or any(each.nailed or not each.contacts for each in stages):
        return None
    before, first, last, after = (
        evaluator.centre_of_mass(document, actor, each) for each in (times[0] - apart, *times, times[1] + apart)
    )
    seconds = apart / TICKS_PER_SECOND
    speeds, found = ((first - before) / seconds, (after - last) / seconds), list[FallingPose]()
    places = _support(evaluator, document, actor, times, stages)
    for sign, (here, there) in ((1.0, (0, 1)), (-1.0, (1, 0))):
        ahead = [
            each + sign * speed * math.sqrt(max(float(each[1]), 0.0) / gravity)
            for each, speed in zip((first, last), speeds, strict=True)
        ]
        corners = hull(np.array([*places, ahead[there]])[:, [2, 0]])
        beyond = -margin_of(ahead[here][[2, 0]], corners)
        found.append(FallingPose(times[here], beyond, float((first, last)[here][1])))
    worst = max(found, key=lambda each: each.beyond)
    return worst if worst.beyond > 0.0 else None


def _support(
    evaluator: Evaluation, document: Document, actor: str, times: tuple[int, int], stages: Sequence[SpacetimeStage]
) -> list[Array]:
    """Places of all that stands at some time [m]: of what stands at the first pose there, of the rest at the last."""
    import numpy as np

    figure = document.actor(actor).figure
    places: list[Array] = []
    frames = [evaluator.joint_transforms(document, actor, each) for each in times]
    for stage in stages:
        for each in stage.contacts:
            frame = frames[0 if each in stages[0].contacts else 1][figure.joint_index[each.joint]]
            places.append(frame[:, :3] @ np.array(each.point) + frame[:, 3])
    return places

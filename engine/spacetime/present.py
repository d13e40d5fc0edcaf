"""The motion that an actor has, as a search may begin with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.document import Actor
from engine.document.motion import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.motion.motion import compile_motion
from engine.spacetime.parts import Spacetime
from engine.spacetime.spaces import MotionSpace


class PresentMotion:
    """Coordinates as the layers give them, stage by stage; muscles, forces and blows are nothing."""

    def __init__(self, space: MotionSpace, actor: Actor, plan: Spacetime, problem: Any) -> None:
        self.lengths = np.array([each.length for each in plan.stages])
        self._space, self._borders, self._names = space, plan.borders, actor.figure.coordinates
        self._motion = compile_motion(actor.figure, actor.layers)
        self._functions = len(problem.functions)
        held = {name: space.at(dof, space.held[dof]) for dof, name in space.moved.items()}
        self._near = np.array([held.get(name, 0.0) for name in space.coordinates])

    def stage_functions(self, stage: int, share: float, *, order: int = 0) -> Array:
        """All functions at a share of a stage, or their rates."""
        tick = self._borders[stage] + share * self.lengths[stage] * TICKS_PER_SECOND
        rows, found = self._motion.at(tick), np.zeros(self._functions)
        values, slopes = (dict(zip(self._names, map(float, row), strict=True)) for row in rows[:2])
        read = self._space.read(values, slopes, self._near)
        self._near = read[0]
        found[: len(self._near)] = read[order]
        return found

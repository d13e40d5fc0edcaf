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
        self._borders = plan.borders
        self._motion = compile_motion(actor.figure, actor.layers)
        self._functions = len(problem.functions)
        index = actor.figure.coordinate_index
        self._read = [
            (space.coordinates.index(name), index[dof], space.sign(dof), space.at(dof, 0.0))
            for dof, name in space.moved.items()
        ]

    def stage_functions(self, stage: int, share: float, *, order: int = 0) -> Array:
        """All functions at a share of a stage, or their rates."""
        tick = self._borders[stage] + share * self.lengths[stage] * TICKS_PER_SECOND
        row, found = self._motion.at(tick)[order], np.zeros(self._functions)
        for place, at, sign, shift in self._read:
            found[place] = sign * row[at] + (shift if order == 0 else 0.0)
        return found

"""Equations of a node of a dense group: displacements of its state, and what they are to be.

Of poses alone the wanted values are both. Where points, turns or velocities are wanted, too, an equation is a row of
what displacements of the whole pose, and of its velocity, do for the equations (R of `steering.py`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.runtime.quick_dataclass import dataclass
from engine.targets.easing import active_rates
from engine.targets.equations import PoseEquation, PoseVelocityEquation, VelocityEquation
from engine.targets.nodes import Node
from engine.targets.options import Effort


@dataclass(frozen=True, eq=False)
class ActiveEquations:
    """The equations of one node."""

    order: IntArray  # of each displacement: 0 of the pose, 1 of its velocity
    rate: IntArray
    own: IntArray  # of each equation the rate whose value it is about; -1: of another kind
    scale: Array  # of each equation: what counts as much of places and of velocities is alike
    bodies: bool  # whether equations are not the displacements themselves


def ask(node: Node, moves: NDArray[np.bool_], effort: Effort) -> ActiveEquations:
    """Write the equations of a node, where only some rates may move."""
    equations, count = [equation for goal in node.goals for equation in goal.equations], len(moves)
    if all(isinstance(equation, PoseEquation) for equation in equations):
        rates = np.flatnonzero(active_rates(node, count) & moves).astype(np.int32)
        return ActiveEquations(np.zeros_like(rates), rates, rates, np.ones(len(rates)), False)
    slow = effort.tolerance / effort.velocity_tolerance
    own, scale = list[int](), list[float]()
    for equation in equations:
        places = [-1] * 3
        if isinstance(equation, PoseEquation | PoseVelocityEquation):
            places = list(range(count)) if equation.rates is None else list(equation.rates)
        own += places if isinstance(equation, PoseEquation) else [-1] * len(places)
        scale += [slow if isinstance(equation, VelocityEquation) else 1.0] * len(places)
    orders = range(2 if node.bump.slope else 1)
    order, rate = np.array([(order, rate) for order in orders for rate in range(count)], dtype=np.int32).T
    return ActiveEquations(order, rate, np.array(own, dtype=np.int32), np.array(scale), True)

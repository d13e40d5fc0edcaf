"""Equations of a node of a dense group: displacements of its state, and what they are to be.

Of poses alone the wanted values are both. Where points, turns or velocities are wanted, too, an equation is a row of
what displacements of the whole pose, and of its velocity, do for the wants (R of `steering.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.targets.aims import PoseVelocityWant, PoseWant, VelocityWant
from engine.targets.easing import asked_rates
from engine.targets.nodes import Node
from engine.targets.options import Effort


@dataclass(frozen=True, eq=False)
class Asked:
    """The equations of one node."""

    order: IntArray  # of each displacement: 0 of the pose, 1 of its velocity
    rate: IntArray
    own: IntArray  # of each equation the rate whose value it is about; -1: of another kind
    scale: Array  # of each equation: what counts as much of places and of velocities is alike
    bodies: bool  # whether equations are not the displacements themselves


def ask(node: Node, moves: NDArray[np.bool_], effort: Effort) -> Asked:
    """Write the equations of a node, where only some rates may move."""
    wants, count = [want for aim in node.aims for want in aim.wants], len(moves)
    if all(isinstance(want, PoseWant) for want in wants):
        rates = np.flatnonzero(asked_rates(node, count) & moves).astype(np.int32)
        return Asked(np.zeros_like(rates), rates, rates, np.ones(len(rates)), False)
    slow = effort.tolerance / effort.velocity_tolerance
    own, scale = list[int](), list[float]()
    for want in wants:
        places = [-1] * 3
        if isinstance(want, PoseWant | PoseVelocityWant):
            places = list(range(count)) if want.rates is None else list(want.rates)
        own += places if isinstance(want, PoseWant) else [-1] * len(places)
        scale += [slow if isinstance(want, VelocityWant) else 1.0] * len(places)
    orders = range(2 if node.bump.slope else 1)
    order, rate = np.array([(order, rate) for order in orders for rate in range(count)], dtype=np.int32).T
    return Asked(order, rate, np.array(own, dtype=np.int32), np.array(scale), True)

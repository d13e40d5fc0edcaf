"""State of a search, and the error of several targets as one number.

A residual counts in parts of its tolerance. The error of a group is the largest part where each equation is met,
otherwise the root of the sum of squares of all of them, so that it lessens with each equation that comes nearer.
"""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass
from engine.targets.equations import KinodynamicState, Residual
from engine.targets.nodes import Group
from engine.targets.options import Effort


@dataclass(eq=False)
class SearchState:
    """Written while a search goes on."""

    wanted: Array  # by rows of the group's basis
    states: list[KinodynamicState]
    error: float  # 1 or less: every want is met
    curve: list[float] = field(default_factory=list)


def error_of(group: Group, effort: Effort, states: list[KinodynamicState]) -> float:
    """The error of the group: at most 1 where each equation is met."""
    residuals = [residual for node, state in enumerate(states) for residual in group.residuals(node, state)]
    return joined([part_of(residual, effort) for residual in residuals])


def joined(parts: list[float]) -> float:
    """One error of several, each a part of its tolerance."""
    most = max(parts, default=0.0)
    return most if most <= 1.0 or math.isinf(most) else most * float(np.linalg.norm(np.array(parts) / most))


def part_of(residual: Residual, effort: Effort) -> float:
    """A miss as a part of its tolerance."""
    return residual.size / allowed_of(residual, effort)


def allowed_of(residual: Residual, effort: Effort) -> float:
    """The tolerance of a miss."""
    return effort.velocity_tolerance if residual.is_velocity else effort.tolerance

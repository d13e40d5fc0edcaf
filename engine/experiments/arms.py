"""The arm of Welman's examples: a chain of equal links with one hinge each, all in one plane, of a reach of 1 m.

The source draws its manipulator of seven hinges and does not print its lengths; like there, no hinge has limits unless
they are needed.
"""

from __future__ import annotations

import numpy as np

from engine.document import Dof, Figure, Joint
from engine.experiments.reference import place_spots
from engine.ik.goals import PositionGoal, Spot
from engine.ik.problem import Participant, Problem, compile_problem
from engine.maths.arrays import Array

ACTOR = "arm"
HINGES = 7


def arm(limit: float | None = None) -> Figure:
    """Seven hinges about x, the links along y at rest; limits are +-`limit` [rad]."""
    lower, upper = (None, None) if limit is None else (-limit, limit)
    joints = [
        Joint(
            id=f"j{each}",
            name=f"Joint {each}",
            parent=f"j{each - 1}" if each else None,
            offset=(0.0, 1.0 / HINGES if each else 0.0, 0.0),
            dofs=(Dof(id=f"j{each}.bend", name="Bend", axis=(1.0, 0.0, 0.0), lower=lower, upper=upper),),
        )
        for each in range(HINGES)
    ]
    return Figure(name="Arm of seven hinges", joints=tuple(joints))


def tip() -> Spot:
    """The end of the last link."""
    return Spot(actor=ACTOR, joint=f"j{HINGES - 1}", point=(0.0, 1.0 / HINGES, 0.0))


def reach_for(figure: Figure, target: Array, tolerance: float) -> Problem:
    """The tip at a point of the plane (z, y) [m]."""
    goal = PositionGoal(spot=tip(), target=(0.0, float(target[1]), float(target[0])))
    return compile_problem([Participant(actor=ACTOR, figure=figure)], [goal], tolerance=tolerance)


def outline(figure: Figure, pose: Array) -> Array:
    """Joints and tip in the plane (z, y) [m], shape [HINGES + 1, 2]."""
    spots = [Spot(actor=ACTOR, joint=f"j{each}") for each in range(HINGES)] + [tip()]
    return np.asarray(place_spots(figure, pose[None], spots)[0][:, [2, 1]])

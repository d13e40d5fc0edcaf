"""The resistance of a figure's limits to a pose (`engine.limits.soft`)."""

from __future__ import annotations

import numpy as np

from engine.document import Figure
from engine.ik.regions import pack_over
from engine.limits.soft import resist_pose
from engine.maths.arrays import Array


def resistance_of(dof: str, figure: Figure, poses: Array) -> Array:
    """The torque [N m] about a hinge of all limits that are on and have a part in it, for each row of coordinates."""
    limits = [limit for limit in figure.limits_on if dof in limit.dofs and limit.resistance > 0.0]
    torques = np.zeros((len(poses), len(figure.coordinates)))
    if limits:
        pack = pack_over(figure, limits, figure.coordinates)
        gains = np.array([(limit.resistance, limit.onset) for limit in limits])
        for pose, torque in zip(poses, torques, strict=True):
            resist_pose(pack.ints, pack.floats, pose, gains, torque)
    return torques[:, figure.coordinate_index[dof]]

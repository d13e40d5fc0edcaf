"""The distance of a hinge from the limits over several angles that hold for it."""

from __future__ import annotations

import numpy as np

from engine.document import Figure
from engine.ik.regions import pack_over
from engine.limits.query import measure_pose
from engine.maths.arrays import Array


def margin_of(dof: str, figure: Figure, poses: Array) -> Array:
    """The least signed distance [rad] to the limits of a hinge, below 0 beyond one, for each row of coordinates."""
    limits = [limit for limit in figure.limits_on if dof in limit.dofs]
    pack = pack_over(figure, limits, figure.coordinates)
    return np.array([-measure_pose(pack.ints, pack.floats, pose) for pose in poses])

"""Anatomy: which joint of a figure is what, and how it stands with every coordinate at zero; found once a figure."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.document import Figure
from engine.ik.joint_map import find_roles, rest_places, spine_of
from engine.maths.arrays import Array
from engine.motion.mirror_frames import zero_rotations
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

UP = np.array((0.0, 1.0, 0.0))


@dataclass(frozen=True, eq=False)
class Anatomy:
    """The parts of a figure that natural posing knows."""

    roles: Mapping[str, str]  # as `find_roles` has them
    spine: tuple[str, ...]
    zero: Mapping[str, Array]  # rotations of the joints in the world
    places: Mapping[str, Array]  # and their positions [m]
    facing: Array  # where the hips look


def anatomy_of(figure: Figure) -> Anatomy:
    """Find the anatomy of a figure, or take it from where it is kept."""
    return _known.find(figure.digest, lambda: _found(figure))


def _found(figure: Figure) -> Anatomy:
    roles, places = find_roles(figure), rest_places(figure)
    across = UP if "thigh left" not in roles else places[roles["thigh left"]] - places[roles["thigh right"]]
    facing = np.cross(across, UP)
    facing /= max(float(np.linalg.norm(facing)), 1e-9)
    return Anatomy(roles, tuple(spine_of(figure, roles)), zero_rotations(figure), places, facing)


_known: Bounded[str, Anatomy] = Bounded(16)

"""The skeleton that ships, with its 823 muscles, for experiments: poses by names, summed torques, masses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from engine.document import Joint
from engine.formats.figure_toml import load_figure, load_parts
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.driven_kernels import follow
from engine.model.inertia import body_of
from engine.model.kinematics import compute_forward_kinematics
from engine.muscles.compiled import MuscledFigure
from engine.muscles.parts import Muscles

Pose = Mapping[str, float]  # coordinates [degrees]; those of a side without `_left`, for both


@cache
def anatomy() -> MuscledFigure:
    """Compile the figure with its muscles."""
    muscles = next(each for each in load_parts("anatomy") if isinstance(each, Muscles))
    return MuscledFigure(compile_model(load_figure("anatomy")), muscles)


def posed(pose: Pose) -> Array:
    """Give the coordinates of a pose; what has two sides is turned on both."""
    muscled = anatomy()
    index, q = muscled.model.figure.coordinate_index, muscled.model.rest.copy()
    for name, degrees in pose.items():
        bone, dot, hinge = name.partition(".")
        for each in (f"{bone}_left{dot}{hinge}", f"{bone}_right{dot}{hinge}", name):
            if each in index:
                q[index[each]] = math.radians(degrees)
    return q


def summed_torque(pose: Pose, coordinate: str, sign: float) -> float:
    """Sum the torque [N m] of all muscles that pull one way, as hard as they can at their length."""
    muscled, q = anatomy(), posed(pose)
    lengths, gradient = muscled.measure(q)
    forces = muscled.forces(lengths, np.zeros_like(lengths), np.ones_like(lengths))
    each = -gradient[:, muscled.model.figure.rate_index[coordinate]] * forces * sign
    return float(each[each > 0.0].sum())


def frames_in(q: Array) -> Array:
    """Give the transforms of all joints in a pose, shape [joint_count, 12]: rotations row by row, then places [m]."""
    model = anatomy().model
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, follow(model.driven, q), state)
    return model.transforms(state).copy()


def mass_of(joints: Sequence[Joint], frames: Array) -> tuple[float, Array, Array]:
    """Sum bodies that stand so, a row of transforms each: mass [kg], centre [m], and inertia about it [kg m2]."""
    bodies = [body_of(joint) for joint in joints]
    turns, places = frames[:, :9].reshape(-1, 3, 3), frames[:, 9:]
    masses = np.array([each.mass for each in bodies])
    centres = np.einsum("jab,jb->ja", turns, np.array([each.centre for each in bodies])) + places
    centre = masses @ centres / masses.sum()
    inertia = np.zeros((3, 3))
    for body, turn, at in zip(bodies, turns, centres - centre, strict=True):
        xx, yy, zz, xy, xz, yz = body.inertia
        own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        inertia += turn @ own @ turn.T + body.mass * (at @ at * np.eye(3) - np.outer(at, at))
    return float(masses.sum()), centre, inertia

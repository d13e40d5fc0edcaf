"""Compiling a figure into packed arrays that the kernels read.

Entering a kernel from Python costs about 0.11 us for each array, so a model is two buffers: `ints` and `floats`, with
named offsets below. The state is one buffer: first rows of 12 numbers (rotation row by row, then position), row 0 the
actor's placement, row j + 1 the world transform of joint j; then for each rate in `qd` its axis in the world (3) and,
for a turn, a point on that axis (3).

Layout of `ints`: the header, then for each joint PARENT, DOF_START, DOF_END, HAS_REST, then for each degree of freedom
CODE, the index of its first coordinate in `q` and of its first rate in `qd`. Layout of `floats`: for each joint the
offset [m] (3) and the rest rotation, row by row (9), then for each degree of freedom its unit axis (3).

A ball's three rates are its angular velocity about the x, y, z of the frame that it has turned.
"""

from __future__ import annotations

import numpy as np

from engine.document import Dof, Figure
from engine.document.values import IDENTITY, Quaternion
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.driven import DrivenCoordinates, compile_driven
from engine.runtime.quick_dataclass import dataclass

# Header of `ints`.
JOINT_COUNT, DOF_COUNT, COORDINATE_COUNT, RATE_COUNT, DOF_INTS, DOF_FLOATS, MOTION_START = range(7)
HEADER = 7
# Per joint in `ints`; per degree of freedom in `ints`; sizes in `floats` and in the state.
PARENT, DOF_START, DOF_END, HAS_REST = range(4)
JOINT_STRIDE, DOF_STRIDE = 4, 3
JOINT_FLOATS, AXIS_FLOATS, ROW, MOTION = 12, 3, 12, 6
# Codes of degrees of freedom: hinges and slides about or along x, y, z or any axis; a ball.
HINGE_X, HINGE_Y, HINGE_Z, HINGE, SLIDE_X, SLIDE_Y, SLIDE_Z, SLIDE, BALL = range(9)


@dataclass(frozen=True, eq=False)
class Model:
    """A figure's packed arrays, read-only."""

    figure: Figure
    ints: IntArray
    floats: Array
    rest: Array  # q of the rest pose, `Figure.rest`
    lower: Array  # [rad] or [m], shape [coordinate_count]; -inf where there is no limit
    upper: Array
    driven: DrivenCoordinates | None = None  # what of it has no freedom of its own

    @property
    def joint_count(self) -> int:
        """Number of joints."""
        return int(self.ints[JOINT_COUNT])

    @property
    def rate_count(self) -> int:
        """Number of rates in `qd`; one fewer than the coordinates for each ball."""
        return int(self.ints[RATE_COUNT])

    def transforms(self, state: Array) -> Array:
        """World transforms of the joints as a view: rotation then position, shape [joint_count, 12]."""
        return state[ROW : (self.joint_count + 1) * ROW].reshape(-1, ROW)

    def new_state(self) -> Array:
        """A state buffer, its placement row the identity."""
        state = np.zeros(int(self.ints[MOTION_START]) + self.rate_count * MOTION)
        place(state, (0.0, 0.0, 0.0), IDENTITY)
        return state


def compile_model(figure: Figure) -> Model:
    """Pack a valid figure."""
    joint_count, dofs = len(figure.joints), figure.dofs
    ints = np.zeros(HEADER + joint_count * JOINT_STRIDE + len(dofs) * DOF_STRIDE, dtype=np.int32)
    floats = np.zeros(joint_count * JOINT_FLOATS + len(dofs) * AXIS_FLOATS)
    dof_ints, dof_floats = HEADER + joint_count * JOINT_STRIDE, joint_count * JOINT_FLOATS
    rates = np.cumsum([0] + [3 if dof.kind == "ball" else 1 for dof in dofs])
    motion_start = (joint_count + 1) * ROW
    ints[:HEADER] = joint_count, len(dofs), len(figure.coordinates), rates[-1], dof_ints, dof_floats, motion_start
    first_dof = 0
    for index, joint in enumerate(figure.joints):
        parent = -1 if joint.parent is None else figure.joint_index[joint.parent]
        row = HEADER + index * JOINT_STRIDE
        last_dof = first_dof + len(joint.dofs)
        ints[row : row + JOINT_STRIDE] = parent, first_dof, last_dof, joint.rest != IDENTITY
        floats[index * JOINT_FLOATS : index * JOINT_FLOATS + 3] = joint.offset
        floats[index * JOINT_FLOATS + 3 : (index + 1) * JOINT_FLOATS] = rotation_matrix(joint.rest).ravel()
        first_dof = last_dof
    for index, dof in enumerate(dofs):
        entry = dof_ints + index * DOF_STRIDE
        ints[entry : entry + DOF_STRIDE] = _code(dof), figure.coordinate_index[dof.coordinates[0]], rates[index]
        floats[dof_floats + index * AXIS_FLOATS : dof_floats + (index + 1) * AXIS_FLOATS] = dof.axis
    owners = [figure.coordinate_dof[name] for name in figure.coordinates]
    model = Model(
        figure=figure,
        ints=ints,
        floats=floats,
        rest=np.array([figure.rest[name] for name in figure.coordinates]),
        lower=np.array([-np.inf if dof.lower is None else dof.lower for dof in owners]),
        upper=np.array([np.inf if dof.upper is None else dof.upper for dof in owners]),
        driven=compile_driven(figure),
    )
    for array in (model.ints, model.floats, model.rest, model.lower, model.upper):
        array.flags.writeable = False
    return model


def rest_value(coordinate: str, dof: Dof) -> float:
    """The value of a coordinate that no layer gives, and nothing drives."""
    return dof.at_rest(coordinate)


def place(state: Array, position: tuple[float, float, float], rotation: Quaternion) -> None:
    """Write the actor's placement into row 0 of a state."""
    state[:9] = rotation_matrix(rotation).ravel()
    state[9:ROW] = position


def _code(dof: Dof) -> int:
    if dof.kind == "ball":
        return BALL
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    first = HINGE_X if dof.kind == "hinge" else SLIDE_X
    return first + (axes.index(dof.axis) if dof.axis in axes else 3)

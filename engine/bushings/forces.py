"""BushingForces: torques of a figure's bushings in a pose, what they fall by, and the energy that is in them.

With R1 and o1, R2 and o2 the frames on both bodies in the world, a bushing is turned by the rotation vector
theta = log(R1^T R2) and moved by d = R1^T (o2 - o1). Its energy is  U = (theta . K_r theta + d . K_t d) / 2  and its
torques  tau = -J^T (K q + D J q')  with q = (theta, d), J = dq/d(rates):

    J_theta = (1 - [theta] / 2 + c [theta]^2) R1^T (W2 - W1),    c = 1/t^2 - (1 + cos t) / (2 t sin t),  t = |theta|
    J_d = R1^T (V2 - V1),    V of the point o2 as it goes with either body, W how the bodies turn

OpenSim's BushingForce has angles of turns about x, y and z in that order in place of theta: the same where they are
small, or about one axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.bushings.parts import Bushing
from engine.dynamics.coordinates import integrate_coordinates
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.compile import Model
from engine.model.driven_kernels import fold_rates, follow, slopes_of
from engine.model.jacobian import compute_jacobians
from engine.model.kinematics import compute_forward_kinematics

SMALL = 1e-4  # [rad]


class BushingForces:
    """The bushings of a compiled figure; its work memory is used by one thread."""

    def __init__(self, model: Model, bushings: Sequence[Bushing]) -> None:
        index = model.figure.joint_index
        self.model, self.count = model, len(bushings)
        self._joints: IntArray = np.array(
            [index[joint] for each in bushings for joint in (each.first, each.second)], dtype=np.int32
        )
        self._turns = np.array(
            [rotation_matrix(turn) for each in bushings for turn in (each.first_rotation, each.second_rotation)]
        )
        self._places = np.array([place for each in bushings for place in (each.first_position, each.second_position)])
        self._stiff = np.array([(*each.turning, *each.sliding) for each in bushings])
        self._damped = np.array([(*each.turning_damping, *each.sliding_damping) for each in bushings])
        self._state, self._points = model.new_state(), np.empty((2 * self.count, 3))
        self._rows = np.empty((2 * self.count, 6, model.rate_count))

    def strains(self, q: Array) -> Array:
        """By how much each is turned [rad] and moved [m] in a pose, shape [count, 6]."""
        self._pose(q)
        return self._strained()[0]

    def loads(self, q: Array, qd: Array) -> Array:
        """The torques [N m] and forces [N] that act on the second body of each, along the axes of its first frame,
        shape [count, 6]."""
        strains, rows = self.measured(q)
        return -(self._stiff * strains + self._damped * (rows @ qd))

    def energies(self, q: Array) -> Array:
        """The energy in each of them [J], shape [count]."""
        found: Array = 0.5 * (self._stiff * self.strains(q) ** 2).sum(axis=1)
        return found

    def torques(self, q: Array, qd: Array) -> Array:
        """Torques [N m], of slides [N], on all rates, shape [rate_count]."""
        strains, rows = self.measured(q)
        loads = self._stiff * strains + self._damped * (rows @ qd)
        found: Array = -np.einsum("nar,na->r", rows, loads)
        return found

    def ahead(self, q: Array, qd: Array, dt: float) -> tuple[Array, Array]:
        """Torques at the end of a step were the rates to stay, and by how much each falls as its rate rises, times
        dt: the matrix  dt J^T (D + dt K) J  bounded by its diagonal."""
        pose = np.empty_like(q)
        integrate_coordinates(self.model.ints, q, qd, dt, pose)
        strains, rows = self.measured(pose)
        loads, sizes = self._stiff * strains + self._damped * (rows @ qd), np.abs(rows)
        falls = dt * (self._damped + dt * self._stiff) * sizes.sum(axis=2)
        return -np.einsum("nar,na->r", rows, loads), np.einsum("nar,na->r", sizes, falls)

    def measured(self, q: Array) -> tuple[Array, Array]:
        """Strains in a pose, and by how much they change with each rate, shape [count, 6, rate_count]."""
        driven = self.model.driven
        q = self._pose(q)
        strains, first, points = self._strained()
        transforms = self.model.transforms(self._state)[self._joints]
        turns, shifts = transforms[:, :9].reshape(-1, 3, 3), transforms[:, 9:]
        both = np.repeat(points, 2, axis=0)  # the second frame's origin as it goes with either body
        local = np.einsum("nba,nb->na", turns, both - shifts)
        compute_jacobians(self.model.ints, self._state, self._joints, local, self._points, self._rows)
        apart = self._rows[1::2] - self._rows[::2]
        found = np.empty((self.count, 6, self.model.rate_count))
        found[:, :3] = np.einsum("nab,ncb,ncr->nar", _slopes(strains[:, :3]), first, apart[:, 3:])
        found[:, 3:] = np.einsum("nba,nbr->nar", first, apart[:, :3])
        if driven is not None:
            fold_rates(driven.ints, slopes_of(driven, q), found.reshape(-1, self.model.rate_count))
        return strains, found

    def _pose(self, q: Array) -> Array:
        q = np.ascontiguousarray(follow(self.model.driven, q))
        compute_forward_kinematics(self.model.ints, self.model.floats, q, self._state)
        return q

    def _strained(self) -> tuple[Array, Array, Array]:
        """Strains as the figure stands; the turns of the first frames, and the origins of the second ones."""
        transforms = self.model.transforms(self._state)[self._joints]
        turns = transforms[:, :9].reshape(-1, 3, 3)
        places = np.einsum("nab,nb->na", turns, self._places) + transforms[:, 9:]
        turns = turns @ self._turns
        first, second = turns[::2], turns[1::2]
        turned = np.array([_rotation_vector(each) for each in np.einsum("nba,nbc->nac", first, second)])
        moved = np.einsum("nba,nb->na", first, places[1::2] - places[::2])
        return np.concatenate((turned.reshape(-1, 3), moved), axis=1), first, places[1::2]


def _rotation_vector(turn: Array) -> Array:
    """The axis of a rotation matrix times its angle, 0 to pi."""
    skew = 0.5 * np.array((turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]))
    sine, cosine = float(np.linalg.norm(skew)), 0.5 * (float(np.trace(turn)) - 1.0)
    if sine > SMALL:
        return skew * (math.atan2(sine, cosine) / sine)
    if cosine > 0.0:
        return skew
    axis = np.sqrt(np.maximum(0.5 * (np.diag(turn) + 1.0), 0.0))  # half a turn: the sign of the axis is free
    row = 0.5 * turn[int(axis.argmax())]
    axis = np.where(np.arange(3) == axis.argmax(), axis, row / max(float(axis.max()), SMALL))
    return axis * (math.pi / max(float(np.linalg.norm(axis)), SMALL))


def _slopes(turned: Array) -> Array:
    """dtheta/dt over how a body turns, in the axes of the first frame, shape [count, 3, 3]."""
    found = np.tile(np.eye(3), (len(turned), 1, 1))
    for row, vector in enumerate(turned):
        x, y, z = vector.tolist()
        t = math.sqrt(x * x + y * y + z * z)
        cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
        share = 1.0 / 12.0 if t < 1e-3 else 1.0 / t**2 - (1.0 + math.cos(t)) / (2.0 * t * max(math.sin(t), 1e-6))
        found[row] += -0.5 * cross + share * cross @ cross
    return found

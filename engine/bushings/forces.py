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

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from engine.bushings.compile import FLOATS, FRAMES, pack_bushings
from engine.bushings.kernels import fold_columns, measure_bushings, new_work, resist_rates
from engine.bushings.parts import Bushing
from engine.document import Figure
from engine.dynamics.coordinates import integrate_coordinates
from engine.maths.arrays import Array, IntArray
from engine.model.compile import Model, compile_model
from engine.model.driven_kernels import follow, slopes_of
from engine.model.kinematics import compute_forward_kinematics


class BushingForces:
    """The bushings of a compiled figure; its work memory is used by one thread."""

    def __init__(self, model: Model, bushings: Sequence[Bushing]) -> None:
        self.model, self.count = model, len(bushings)
        self._held = held = compile_model(holding(model.figure, bushings))
        names = [name for dof in held.figure.dofs for name in dof.rates]
        self._coordinates: IntArray = places(held.figure.coordinates, model.figure.coordinate_index)
        self._rates: IntArray = places(names, model.figure.rate_index)
        self._packed = pack_bushings(held, bushings, self._rates)
        self._stiff = self._packed.floats.reshape(-1, FLOATS)[:, FRAMES:][:, :6]
        self._state, self._work, self._pose = held.new_state(), new_work(), np.empty(len(held.rest))
        self._strains, self._loads = np.empty((self.count, 6)), np.empty((self.count, 6))
        self._slopes = np.empty((len(self._packed.rates), 6))

    def strains(self, q: Array) -> Array:
        """By how much each is turned [rad] and moved [m] in a pose, shape [count, 6]."""
        self._measure(q[self._coordinates])
        return self._strains.copy()

    def loads(self, q: Array, qd: Array) -> Array:
        """The torques [N m] and forces [N] that act on the second body of each, along the axes of its first frame,
        shape [count, 6]."""
        self.torques(q, qd)
        return -self._loads

    def energies(self, q: Array) -> Array:
        """The energy in each of them [J], shape [count]."""
        found: Array = 0.5 * (self._stiff * self.strains(q) ** 2).sum(axis=1)
        return found

    def torques(self, q: Array, qd: Array) -> Array:
        """Torques [N m], of slides [N], on all rates, shape [rate_count]."""
        self._measure(q[self._coordinates])
        return self._resisted(qd, 0.0)[0]

    def ahead(self, q: Array, qd: Array, dt: float) -> tuple[Array, Array]:
        """Torques at the end of a step were the rates to stay, and by how much each falls as its rate rises, times
        dt: the matrix  dt J^T (D + dt K) J  bounded by its diagonal."""
        integrate_coordinates(self._held.ints, q[self._coordinates], qd[self._rates], dt, self._pose)
        self._measure(self._pose)
        return self._resisted(qd, dt)

    def measured(self, q: Array) -> tuple[Array, Array]:
        """Strains in a pose, and by how much they change with each rate, shape [count, 6, rate_count]."""
        self._measure(q[self._coordinates])
        found, packed = np.zeros((self.count, 6, self.model.rate_count)), self._packed
        for each, (first, last) in enumerate(packed.spans):
            found[each][:, packed.rates[first:last]] = self._slopes[first:last].T
        return self._strains.copy(), found

    def _measure(self, q: Array) -> None:
        """Measure where the joints that hold bushings have these coordinates."""
        held, packed = self._held, self._packed
        q = follow(held.driven, q)
        compute_forward_kinematics(held.ints, held.floats, q, self._state)
        measure_bushings(self.count, packed.ints, packed.floats, self._state, self._work, self._strains, self._slopes)
        if held.driven is not None:
            fold_columns(packed.folds, slopes_of(held.driven, q), self._slopes)

    def _resisted(self, qd: Array, dt: float) -> tuple[Array, Array]:
        packed, found = self._packed, np.zeros((2, self.model.rate_count))
        qd, work = np.ascontiguousarray(qd), self._work
        resist_rates(
            self.count, packed.ints, packed.floats, self._strains, self._slopes, qd, dt, work, self._loads, found
        )
        return found[0], found[1]


def holding(figure: Figure, bushings: Sequence[Bushing]) -> Figure:
    """The joints that bushings depend on, as a figure: those that carry them, and those whose freedoms drive these."""
    kept, known = set[str](), figure.joint_index
    owners = {dof.id: joint.id for joint in figure.joints for dof in joint.dofs}
    wanted = [joint for each in bushings for joint in each.joints]
    while wanted:
        joint = figure.joints[known[wanted.pop()]]
        if joint.id not in kept:
            kept.add(joint.id)
            wanted += [] if joint.parent is None else [joint.parent]
            wanted += [owners[each.dof] for dof in joint.dofs for each in dof.driven]
    return Figure(name=figure.name, joints=tuple(each for each in figure.joints if each.id in kept))


def places(names: Iterable[str], index: Mapping[str, int]) -> IntArray:
    """Where names stand."""
    return np.array([index[each] for each in names], dtype=np.int32)

"""Estimates the forces that the ground gives to a figure that moves as it is seen, at the places where it stands.

No force of the ground is in a motion; what is left at the root by inverse dynamics is all that acts from outside. Where
bodies are near the ground and slow, it is shared out among their deepest places k as forces within pyramids of friction
(four edges each, n and the four of n +- mu t), the least by their squares that leave next to nothing:

    min  sum (f_k / (w_k m g))^2 / 2 + sum (r / rho)^2 / 2,   sum G_k f_k + r = tau at the root's rates,   f_k >= 0

w_k falls from 1 to 0 as a place is `NEAR` above the ground, and as it moves at `SLOW`: so forces come and go evenly.
What r is left is the root's residual. Two feet share what they carry as evenly as that allows, which forces that were
measured need not do. `NEAR`, `SLOW` and rho are choices.

The ground is the plane y = 0; other bodies that a figure stands on are not known here.
"""

from __future__ import annotations

import numpy as np

from engine.document import Figure
from engine.dynamics.batch import invert_states
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.layout import MASS
from engine.dynamics.mechanics import Mechanics, with_gravity
from engine.dynamics.outlines import points_of
from engine.maths.arrays import Array, IntArray
from engine.model.kinematics import compute_forward_kinematics
from engine.muscles.activations import SharedTorques, share_torques

NEAR = 0.03  # [m] above the ground from which on a place carries nothing
SLOW = 0.8  # [m/s] from which on it carries nothing
LEFT = 1e-3  # rho of the root's rates: of the weight [N], and of the weight on a lever of `LEVER`
LEVER = 0.3  # [m]
MOST = 10.0  # weights that an edge of a pyramid may carry
AHEAD = 1e-4  # [s] over which a place's speed is taken


class GroundForces:
    """The places of a figure that may stand, and what they carry; used by one thread."""

    def __init__(self, mechanics: Mechanics, *, friction: float, gravity: float) -> None:
        """`mechanics` as placed; gravity [m/s2]."""
        self._mechanics, model = mechanics, mechanics.model
        figure: Figure = model.figure
        found = [(at, point) for at, joint in enumerate(figure.joints) for point in points_of(joint)]
        self._joints = np.array([at for at, _ in found], dtype=np.int64)
        self._centres = np.array([each.centre for _, each in found]).reshape(-1, 3)
        self._radii = np.array([each.radii for _, each in found]).reshape(-1, 3)
        self.weight = float(mechanics.bodies()[:, MASS].sum()) * gravity
        self.root_rates = root_rates(figure)
        self._slides = np.array([_slides(figure, rate) for rate in self.root_rates])
        self._still = with_gravity(mechanics, (0.0, 0.0, 0.0))
        edges = [(0.0, 1.0, 0.0)] if friction == 0.0 else [
            (friction, 1.0, 0.0), (-friction, 1.0, 0.0), (0.0, 1.0, friction), (0.0, 1.0, -friction)
        ]  # fmt: skip
        self._edges = np.array(edges)
        self._multipliers = np.zeros(len(self.root_rates))
        self._state = mechanics.model.new_state()

    @property
    def is_possible(self) -> bool:
        """True if the figure has a root that moves, and bodies that may stand."""
        return bool(len(self.root_rates) and len(self._joints) and self.weight > 0.0)

    def found(self, q: Array, qd: Array, base: Array, root_torques: Array) -> Array:
        """Find the forces [N] on each joint's body and their torques about its origin [N m], world axes, shape
        [joint_count, 6], for what inverse dynamics leaves at the root's rates; `base`: where the figure is placed."""
        wrenches = np.zeros((self._mechanics.joint_count, 6))
        poses = self._posed(q, qd, base)
        places, heights, speeds = self._deepest(*poses)
        carried = np.clip(1.0 - heights / NEAR, 0.0, 1.0) * np.clip(1.0 - speeds / SLOW, 0.0, 1.0)
        chosen = np.flatnonzero(carried > 1e-3)
        if not len(chosen):
            self._multipliers[:] = 0.0
            return wrenches
        origin = poses[0][0, 9:]
        strengths = np.repeat(carried[chosen], len(self._edges)) * self.weight
        forces = np.tile(self._edges, (len(chosen), 1)) * strengths[:, None]
        at = np.repeat(places[chosen], len(self._edges), axis=0)
        pushes = np.hstack((forces, np.cross(at - origin, forces)))
        shares = self._shared(pushes @ self._root_map(q).T, root_torques)
        forces *= shares[:, None]
        bodies = np.repeat(self._joints[chosen], len(self._edges))
        np.add.at(wrenches, bodies, np.hstack((forces, np.cross(at - poses[0][bodies, 9:], forces))))
        return wrenches

    def _shared(self, columns: Array, wanted: Array) -> Array:
        """How much of each edge is taken, shape [edge_count]."""
        count, rates = columns.shape
        ints = [
            np.array([count, count * rates, rates]), np.arange(count + 1) * rates, np.tile(np.arange(rates), count),
            np.zeros(rates), np.concatenate([[0], np.cumsum(np.arange(1, rates + 1))]),
        ]  # fmt: skip
        packed: IntArray = np.concatenate(ints).astype(np.int32)
        shared = SharedTorques(packed, np.arange(rates, dtype=np.int32), rates * (rates + 1) // 2)
        reserves = LEFT * self.weight * np.where(self._slides, 1.0, LEVER)
        answer = self._multipliers, np.zeros(count), np.zeros(rates)
        bounds = np.tile([0.0, MOST], count)
        share_torques(
            2, packed, columns.ravel(), np.ascontiguousarray(wanted), reserves, bounds, shared.new_work(), answer
        )
        return answer[1]

    def _root_map(self, q: Array) -> Array:
        """Find the torques of unit wrenches about the root's origin along the root's rates, shape [rate_count, 6]."""
        count, still = self._mechanics.rate_count, np.zeros((6, self._mechanics.rate_count))
        outside = np.zeros((6, self._mechanics.joint_count, 6))
        outside[np.arange(6), 0, np.arange(6)] = 1.0
        found = invert_states(self._still, np.tile(q, (6, 1)), still, still, outside)
        assert found.shape == (6, count), "torques of unit wrenches"
        return -found[:, self.root_rates].T

    def _posed(self, q: Array, qd: Array, base: Array) -> tuple[Array, Array]:
        """Transforms of all joints now and a little later."""
        model, ahead = self._mechanics.model, np.empty_like(q)
        integrate_coordinates(model.ints, q, qd, AHEAD, ahead)
        poses = []
        for each in (q, ahead):
            self._state[: len(base)] = base
            compute_forward_kinematics(model.ints, model.floats, each, self._state)
            poses.append(model.transforms(self._state).copy())
        return poses[0], poses[1]

    def _deepest(self, now: Array, later: Array) -> tuple[Array, Array, Array]:
        """Deepest place of each point [m], its height and its speed [m/s]."""
        turns, shifts = now[self._joints, :9].reshape(-1, 3, 3), now[self._joints, 9:]
        down = turns[:, 1] * self._radii
        norms = np.maximum(np.linalg.norm(down, axis=1), 1e-12)
        local = self._centres - self._radii * down / norms[:, None]
        places = np.einsum("nij,nj->ni", turns, local) + shifts
        ahead = np.einsum("nij,nj->ni", later[self._joints, :9].reshape(-1, 3, 3), local) + later[self._joints, 9:]
        return places, places[:, 1], np.linalg.norm(ahead - places, axis=1) / AHEAD


def root_rates(figure: Figure) -> IntArray:
    """The places of the rates of a figure's roots."""
    names = [name for joint in figure.joints if joint.parent is None for dof in joint.dofs for name in dof.rates]
    return np.array([figure.rate_index[name] for name in names], dtype=np.int32)


def _slides(figure: Figure, rate: int) -> bool:
    name = figure.rates[rate]
    return any(dof.kind == "slide" and name in dof.rates for dof in figure.dofs)

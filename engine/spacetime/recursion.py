"""The dynamics of a planar figure by recursion over its limbs, as Winzell 2004 has it (4.21 to 4.35).

Out from the root go angles, origins and velocities; back come, for each limb with all that lies outboards of it (the
sums marked Sigma there), mass M, K = sum m r and its rate, U = sum m r' . E r, P = sum m k^2 theta', forces F and their
turning sums; of these are dL/dv, dL/dq and Q. It takes time in proportion to the limbs. `lagrangian` has the same
values in a form that is easier to differentiate; this one is what it is tested against, and gives energies and momenta.

Printed slips, found by differentiating L: in (4.23) and (4.27) the rate beside k_j^2 is the limb's absolute theta_j',
not alpha_j' (4.29 has it right); in (4.30) the momentum of the root is the rate of K, not K; in (3.2) to (3.6) the sign
of G: with L = m (y'^2 / 2 - G y), y'' = -G. In (3.21) and (4.37) pieces are 1 to N.

Symbols: E a quarter turn (4.11); b_i, r_i origin and centre of mass of limb i; theta_i its absolute angle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.maths.arrays import Array
from engine.spacetime.figures import LimbPoint, PlanarFigure


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanarState:
    """One state, as the recursion finds it."""

    p: Array  # dL/dv, generalised momentum
    g: Array  # dL/dq
    forces: Array  # Q of the forces at points
    kinetic: float  # T [J]
    potential: float  # V [J]
    centre: Array  # of mass [m]
    momentum: Array  # [kg m/s]
    origins: Array  # b [limbs, 2]
    angles: Array  # theta [limbs]


PointPush = tuple[LimbPoint, tuple[float, float]]
"""A force in the plane [N] at a point."""


def find_state(
    figure: PlanarFigure, q: Array, v: Array, *, gravity: float = 9.81, pushes: Sequence[PointPush] = ()
) -> PlanarState:
    """Run out to the tips and back to the root."""
    parents, limbs = figure.parents, figure.limbs
    count = len(limbs)
    theta, omega = np.zeros(count), np.zeros(count)
    b, b_rate, r, r_rate = (np.zeros((count, 2)) for _ in range(4))
    for i, limb in enumerate(limbs):
        up = parents[i]
        theta[i], omega[i] = q[2 + i], v[2 + i]
        b[i], b_rate[i] = q[:2], v[:2]
        if up >= 0:
            theta[i] += theta[up]
            omega[i] += omega[up]
            arm = turned(theta[up], limb.joint)
            b[i], b_rate[i] = b[up] + arm, b_rate[up] + omega[up] * quarter(arm)
        arm = turned(theta[i], limb.centre)
        r[i], r_rate[i] = b[i] + arm, b_rate[i] + omega[i] * quarter(arm)
    mass = np.array([limb.mass for limb in limbs])
    spin = mass * np.array([limb.gyration**2 for limb in limbs]) * omega
    kinetic = 0.5 * float(mass @ (r_rate**2).sum(axis=1) + spin @ omega)
    potential = gravity * float(mass @ r[:, 1])
    big_m, big_k, big_k_rate = mass.copy(), mass[:, None] * r, mass[:, None] * r_rate
    big_u, big_p = mass * _dot(r_rate, quarter(r)), spin
    force, turning = np.zeros((count, 2)), np.zeros(count)
    for point, push in pushes:
        at = figure.limb(point.limb)
        place = b[at] + turned(theta[at], point.place)
        force[at] += push
        turning[at] += np.dot(push, quarter(place))
    for i in range(count - 1, 0, -1):
        for sums in (big_m, big_k, big_k_rate, big_u, big_p, force, turning):
            sums[parents[i]] += sums[i]
    p, g, big_q = np.zeros(count + 2), np.zeros(count + 2), np.zeros(count + 2)
    p[:2], g[1], big_q[:2] = big_k_rate[0], -gravity * big_m[0], force[0]
    p[2:] = big_u + big_p - _dot(quarter(b), big_k_rate)
    g[2:] = -_dot(quarter(b_rate), big_k_rate) - gravity * quarter(big_k - b * big_m[:, None])[:, 1]
    big_q[2:] = turning - _dot(quarter(b), force)
    return PlanarState(
        p=p,
        g=g,
        forces=big_q,
        kinetic=kinetic,
        potential=potential,
        centre=big_k[0] / big_m[0],
        momentum=big_k_rate[0],
        origins=b,
        angles=theta,
    )


def turned(angle: float, arm: Sequence[float]) -> Array:
    """R(angle) arm (4.9)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]])


def quarter(vectors: Array) -> Array:
    """E of each vector (4.11)."""
    return np.stack([-vectors[..., 1], vectors[..., 0]], axis=-1)


def _dot(one: Array, two: Array) -> Array:
    found: Array = (one * two).sum(axis=-1)
    return found

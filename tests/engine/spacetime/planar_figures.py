"""A planar figure with a branch, and its Lagrangian written down once more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.spacetime.figures import Limb, PlanarFigure

GRAVITY = 9.81
Pair = tuple[NDArray[np.complex128], NDArray[np.complex128]]


def branched_figure() -> PlanarFigure:
    """A trunk with two limbs, one of which has another, none of them straight."""
    return PlanarFigure(
        (
            Limb(name="trunk", mass=1.3, centre=(0.2, 0.1), gyration=0.3),
            Limb(name="arm", parent="trunk", joint=(0.5, 0.1), mass=0.7, centre=(0.3, -0.1), gyration=0.2),
            Limb(name="hand", parent="arm", joint=(0.4, 0.2), mass=0.9, centre=(0.1, 0.25), gyration=0.25),
            Limb(name="leg", parent="trunk", joint=(-0.3, 0.2), mass=0.4, centre=(0.3, 0.0), gyration=0.1),
        )
    )


def lagrangian(figure: PlanarFigure, state: NDArray[np.complex128]) -> complex:
    """T - V of (q, v), which may be complex."""
    n = len(figure.limbs) + 2
    q, v = state[:n], state[n:]
    theta: list[complex] = []
    omega: list[complex] = []
    origins: list[Pair] = []
    found = 0.0 + 0.0j
    for j, limb in enumerate(figure.limbs):
        up = int(figure.parents[j])
        if up < 0:
            theta.append(q[2])
            omega.append(v[2])
            origins.append((q[:2], v[:2]))
        else:
            theta.append(theta[up] + q[2 + j])
            omega.append(omega[up] + v[2 + j])
            origins.append(_carried(origins[up], theta[up], omega[up], limb.joint))
        place, rate = _carried(origins[j], theta[j], omega[j], limb.centre)
        found += 0.5 * limb.mass * (rate @ rate + limb.gyration**2 * omega[j] ** 2) - GRAVITY * limb.mass * place[1]
    return found


def _carried(origin: Pair, theta: complex, omega: complex, arm: tuple[float, float]) -> Pair:
    c, s = np.cos(theta), np.sin(theta)
    turned = np.array([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]])
    return origin[0] + turned, origin[1] + omega * np.array([-turned[1], turned[0]])


def slopes_by_complex_steps(figure: PlanarFigure, state: Array) -> Array:
    """Derivatives of the Lagrangian by (q, v), exact to rounding."""
    moves = 1e-30j * np.eye(len(state))
    return np.array([np.imag(lagrangian(figure, state + move)) / 1e-30 for move in moves])

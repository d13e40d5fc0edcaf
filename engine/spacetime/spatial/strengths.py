"""How strong a joint may be taken to be: what holds all that hangs on it stretched out, and what swings it.

Squared torques of a hip and of a finger differ by 1e8, so that a plain sum of them leaves fingers to chance. As shares
of these, a sum has all of them alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.dynamics.mass import compute_mass_matrix
from engine.maths.arrays import Array
from engine.spacetime.problem import JointMuscle
from engine.spacetime.spatial.tree import SpatialFigure

_GRAVITY = 9.81
FEW = 20  # coordinates, up to which a figure is no whole body
_RADIUS = 0.1  # [m]
_LEAST = 1e-6  # beside the largest


def natural_torques(figure: SpatialFigure) -> Array:
    """List a large force or torque on each coordinate: g m r for what it moves, r being its radius of gyration, m g for
    a slide; of the root's coordinates, that of the whole figure."""
    mechanics = figure.mechanics
    count = mechanics.rate_count
    inertia = np.zeros((count, count))
    compute_mass_matrix(mechanics.ints, mechanics.floats, mechanics.model.rest, mechanics.new_work(), inertia)
    own, moved = np.diag(inertia), _moved(figure)
    found = np.where(figure.turns, _GRAVITY * np.sqrt(np.maximum(own * moved, 0.0)), _GRAVITY * moved)
    return np.maximum(found, _LEAST * max(float(found.max()), _LEAST))


def even_steadiness(figure: SpatialFigure) -> float:
    """Return what the square of an angular acceleration costs, beside torques as shares of natural ones: as if all
    that a joint of a whole body moves had one radius of gyration.

    Fingers have less by far, and so would flutter: their torques hardly count. Figures of few coordinates have no such
    parts, and pay for torques alone.
    """
    return (_RADIUS / _GRAVITY) ** 2 if len(figure.coordinates) > FEW else 0.0


def _moved(figure: SpatialFigure) -> Array:
    """Mass that each coordinate moves [kg]."""
    packed, masses = figure.packed, figure.mechanics.bodies()[:, 0]
    found = np.zeros(len(packed.parents))
    for joint, rate in enumerate(packed.carriers):
        at = int(rate)
        while at >= 0:
            found[at] += masses[joint]
            at = int(packed.parents[at])
    return found


def even_muscles(figure: SpatialFigure, names: tuple[str, ...]) -> tuple[JointMuscle, ...]:
    """Muscles whose cost is the integral of squared torque, each as a share of its natural one."""
    return even_costs(figure, [JointMuscle(limb=name) for name in names])


def even_costs(figure: SpatialFigure, muscles: Sequence[JointMuscle]) -> tuple[JointMuscle, ...]:
    """Muscles whose costs are those of torques as shares of the natural ones."""
    torques = natural_torques(figure)

    def even(muscle: JointMuscle) -> JointMuscle:
        share = float(torques[figure.coordinate(muscle.limb)] ** -1)
        return replace(
            muscle,
            torque=muscle.torque * share**2,
            power=muscle.power * share**2,
            work=muscle.work * share,
            smoothness=muscle.smoothness * share**2,
        )

    return tuple(map(even, muscles))

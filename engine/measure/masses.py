"""Masses: what the bodies of a figure amount to while it moves.

Bodies: mass m [kg], centre c [m] and inertia I about it [kg m2], as a joint gives them or from its shapes. The sums are
those that `engine.measure.quantities.KINDS` names.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from engine.document import Figure
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import cross
from engine.measure.moving import Moving
from engine.measure.quantities import GRAVITY
from engine.model.inertia import body_of
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

_BODIES: Bounded[str, BodyMasses] = Bounded(64)


@dataclass(frozen=True, eq=False)
class BodyMasses:
    """The mass properties of a figure's bodies, in their joints' frames."""

    mass: Array  # [kg], shape [joint_count]
    centre: Array  # [m], shape [joint_count, 3]
    inertia: Array  # [kg m2] about the centre, shape [joint_count, 3, 3]


@dataclass(frozen=True, eq=False)
class Masses:
    """Centre of mass, momentum and the like of a moving actor's bodies at n times."""

    bodies: BodyMasses
    moving: Moving

    @cached_property
    def centres(self) -> tuple[Array, Array, Array]:
        """Places, velocities and accelerations of the bodies' centres, shapes [n, joint_count, 3]."""
        return self.moving.points(range(len(self.bodies.mass)), self.bodies.centre)

    @cached_property
    def total(self) -> float:
        """M [kg]."""
        return float(self.bodies.mass.sum())

    @cached_property
    def centre(self) -> Array:
        """C [m], shape [n, 3]."""
        return np.asarray(np.einsum("j,njx->nx", self.bodies.mass, self.centres[0]) / self.total)

    @cached_property
    def momentum(self) -> Array:
        """P [kg m/s], shape [n, 3]."""
        return np.asarray(np.einsum("j,njx->nx", self.bodies.mass, self.centres[1]))

    @cached_property
    def spins(self) -> Array:
        """R I R^T omega of each body [kg m2/s], shape [n, joint_count, 3]."""
        return self.turned_by_inertia(self.moving.turning)

    def turned_by_inertia(self, vectors: Array) -> Array:
        """R I R^T u of a vector u of each body, shape [n, joint_count, 3]."""
        turned = np.einsum("njba,njb->nja", self.moving.rotations, vectors)
        own = np.einsum("jab,njb->nja", self.bodies.inertia, turned)
        return np.asarray(np.einsum("njab,njb->nja", self.moving.rotations, own))

    @cached_property
    def spin(self) -> Array:
        """L about the centre of mass [kg m2/s], shape [n, 3]."""
        arms = self.centres[0] - self.centre[:, None]
        return np.asarray(
            np.einsum("j,njx->nx", self.bodies.mass, cross(arms, self.centres[1])) + self.spins.sum(axis=1)
        )

    @cached_property
    def kinetic(self) -> Array:
        """T [J], shape [n]."""
        moved = np.einsum("j,njx,njx->n", self.bodies.mass, self.centres[1], self.centres[1])
        return np.asarray(0.5 * (moved + np.einsum("njx,njx->n", self.spins, self.moving.turning)))

    @cached_property
    def potential(self) -> Array:
        """U [J], shape [n]."""
        return np.asarray(self.total * GRAVITY * self.centre[:, 1])


def bodies_of(figure: Figure) -> BodyMasses:
    """The mass properties of a figure, kept by its content."""
    found = _BODIES.get(figure.digest)
    if found is None:
        bodies = [body_of(joint) for joint in figure.joints]
        rows = [((a, d, e), (d, b, f), (e, f, c)) for a, b, c, d, e, f in (body.inertia for body in bodies)]
        found = BodyMasses(
            mass=np.array([body.mass for body in bodies]),
            centre=np.array([body.centre for body in bodies]).reshape(-1, 3),
            inertia=np.array(rows).reshape(-1, 3, 3),
        )
        _BODIES.keep(figure.digest, found)
    return found

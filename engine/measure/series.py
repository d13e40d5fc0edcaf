"""Series: the numbers of quantities at some times, worked out slice by slice.

Bodies: mass m [kg], centre c [m] and inertia I about it [kg m2], as a joint gives them or from its shapes. The sums are
those that `engine.measure.quantities.KINDS` names.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Document, Figure
from engine.evaluate.evaluator import Evaluator
from engine.measure.moving import Moving, cross, moving
from engine.measure.quantities import GRAVITY, KINDS, VECTOR, Quantity, coordinate_of, unit_of
from engine.model.compile import Array
from engine.model.inertia import body_of
from engine.runtime.errors import InvalidArguments, UnknownPart

SLICE = 64  # times in one step
_KEPT = 64
_BODIES: dict[str, Bodies] = {}


@dataclass(frozen=True, eq=False)
class Series:
    """The numbers of one quantity."""

    quantity: Quantity
    unit: str
    values: Array  # one for each time
    by_differences: NDArray[np.bool_]  # where rates and accelerations are differences, not those of the curves


@dataclass(frozen=True, eq=False)
class Bodies:
    """The mass properties of a figure's bodies, in their joints' frames."""

    mass: Array  # [kg], shape [joint_count]
    centre: Array  # [m], shape [joint_count, 3]
    inertia: Array  # [kg m2] about the centre, shape [joint_count, 3, 3]


@dataclass(frozen=True, eq=False)
class Masses:
    """What the bodies of a moving actor amount to at n times."""

    bodies: Bodies
    moving: Moving

    @cached_property
    def centres(self) -> tuple[Array, Array]:
        """Places and velocities of the bodies' centres, shapes [n, joint_count, 3]."""
        return self.moving.points(range(len(self.bodies.mass)), self.bodies.centre)[:2]

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
        turned = np.einsum("njba,njb->nja", self.moving.rotations, self.moving.turning)
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


def measure(
    evaluator: Evaluator, document: Document, wanted: Sequence[Quantity], times: Sequence[int]
) -> Generator[float, None, tuple[Series, ...]]:
    """The quantities at some times [ticks]; yields the share that is done after each slice of each actor."""
    actors = [document.actor(id) for id in dict.fromkeys(each.actor for each in wanted)]
    for each in wanted:
        _check(each, document.actor(each.actor))
    values, rough = np.empty((len(wanted), len(times))), np.zeros((len(wanted), len(times)), dtype=bool)
    slices = [(actor, start) for actor in actors for start in range(0, len(times), SLICE)]
    for done, (actor, start) in enumerate(slices, start=1):
        found = moving(evaluator, document, actor.id, times[start : start + SLICE])
        masses = Masses(bodies_of(actor.figure), found)
        for row, quantity in enumerate(wanted):
            if quantity.actor == actor.id:
                values[row, start : start + SLICE] = _values(quantity, actor, found, masses)
                rough[row, start : start + SLICE] = found.by_differences
        yield done / len(slices)
    return tuple(
        Series(each, unit_of(each, document.actor(each.actor)), values[row], rough[row])
        for row, each in enumerate(wanted)
    )


def bodies_of(figure: Figure) -> Bodies:
    """The mass properties of a figure, kept by its content."""
    found = _BODIES.get(figure.digest)
    if found is None:
        bodies = [body_of(joint) for joint in figure.joints]
        rows = [((a, d, e), (d, b, f), (e, f, c)) for a, b, c, d, e, f in (body.inertia for body in bodies)]
        found = Bodies(
            mass=np.array([body.mass for body in bodies]),
            centre=np.array([body.centre for body in bodies]).reshape(-1, 3),
            inertia=np.array(rows).reshape(-1, 3, 3),
        )
        while len(_BODIES) >= _KEPT:
            _BODIES.pop(next(iter(_BODIES)))
        _BODIES[figure.digest] = found
    return found


def _check(quantity: Quantity, actor: Actor) -> None:
    of, figure = KINDS[quantity.kind].of, actor.figure
    if of == "coordinate":
        dof = coordinate_of(quantity, actor)
        if quantity.kind == "margin" and dof.lower is None and dof.upper is None:
            allowed = "one that has a limit"
            raise InvalidArguments(what="the coordinate of a distance to limit", value=quantity.part, allowed=allowed)
    elif of == "figure":
        if float(bodies_of(figure).mass.sum()) <= 0.0:
            allowed = "a figure with a mass: give its joints shapes or bodies"
            raise InvalidArguments(what=f"{KINDS[quantity.kind].label.lower()} of", value=actor.name, allowed=allowed)
    elif quantity.handle:
        known = tuple(handle.id for handle in figure.handles)
        if quantity.part not in known:
            raise UnknownPart(kind="handle", id=quantity.part, known=known)
    else:
        figure.joint(quantity.part)


def _values(quantity: Quantity, actor: Actor, found: Moving, masses: Masses) -> Array:
    of = KINDS[quantity.kind].of
    if of == "coordinate":
        return _of_coordinate(quantity, actor, found)
    vector = _of_figure(quantity.kind, masses) if of == "figure" else _of_point(quantity, actor.figure, found)
    if not quantity.component:
        return vector
    if quantity.component == "length":
        return np.asarray(np.sqrt(np.einsum("nx,nx->n", vector, vector)))
    return vector[:, VECTOR.index(quantity.component)]


def _of_coordinate(quantity: Quantity, actor: Actor, found: Moving) -> Array:
    order = ("value", "rate", "acceleration")
    rows = found.coordinates[:, :, actor.figure.coordinate_index[quantity.part]]
    if quantity.kind in order:
        return rows[:, order.index(quantity.kind)]
    dof, q = coordinate_of(quantity, actor), rows[:, 0]
    below = q - (-np.inf if dof.lower is None else dof.lower)
    above = (np.inf if dof.upper is None else dof.upper) - q
    return np.asarray(np.minimum(below, above))


def _of_point(quantity: Quantity, figure: Figure, found: Moving) -> Array:
    joint, local = quantity.part, np.zeros((1, 3))
    if quantity.handle:
        handle = next(each for each in figure.handles if each.id == quantity.part)
        joint, local = handle.joint, np.array([handle.point])
    index = figure.joint_index[joint]
    if quantity.kind == "turning":
        return found.turning[:, index]
    return found.points([index], local)[("place", "velocity", "point_acceleration").index(quantity.kind)][:, 0]


def _of_figure(kind: str, masses: Masses) -> Array:
    if kind == "centre_velocity":
        return masses.momentum / masses.total
    if kind == "energy":
        return masses.kinetic + masses.potential
    found: Array = getattr(masses, kind)
    return found

"""Measuring: the numbers of quantities at some times; those of a whole motion slice by slice."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Document, Dof, Figure, Handle
from engine.document.measured_forces import MeasuredForces
from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import IDENTITY
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.maths.hinge_angles import polish, solve_hinges
from engine.maths.rotation_arrays import chain, rotation_matrix
from engine.measure.efforts import Efforts, rate_of
from engine.measure.margins import margin_of
from engine.measure.masses import Masses, bodies_of
from engine.measure.moving import Moving, moving
from engine.measure.quantities import KINDS, VECTOR, Quantity, coordinate_of, has_rate, parts_of
from engine.measure.resistance import resistance_of
from engine.measure.series import Series, series_of
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.systems import load, systems

SLICE = 16  # times in one step
POINTS = (0.5 - math.sqrt(1.0 / 12.0), 0.5 + math.sqrt(1.0 / 12.0))  # of a span, where a sum looks (Gauss, two points)


def measure(
    evaluator: Evaluator, document: Document, wanted: Sequence[Quantity], times: Sequence[int]
) -> Generator[float, None, tuple[Series, ...]]:
    """The quantities at some times [ticks]; yields the share that is done after each slice of each actor."""
    for each in wanted:
        check(each, document.actor(each.actor))
    rows: dict[str, list[int]] = {}
    for row, each in enumerate(wanted):
        rows.setdefault(each.actor, []).append(row)
    values, rough = np.empty((len(wanted), len(times))), np.zeros((len(wanted), len(times)), dtype=bool)
    slices = [(actor, slice(start, start + SLICE)) for actor in rows for start in range(0, len(times), SLICE)]
    before = (*times[:1], *times[:-1])
    for done, (actor, part) in enumerate(slices, start=1):
        own = rows[actor]
        values[own, part], rough[own, part] = numbers_at(
            evaluator, document, actor, [wanted[row] for row in own], times[part], before[part]
        )
        yield done / len(slices)
    known, ticks = np.ones(len(times), dtype=bool), np.array(times, dtype=np.int64)
    return tuple(
        series_of(each, document.actor(each.actor), ticks, values[row], rough[row], known)
        for row, each in enumerate(wanted)
    )


def numbers_at(
    evaluator: Evaluator,
    document: Document,
    actor: str,
    wanted: Sequence[Quantity],
    times: Sequence[int],
    before: Sequence[int],
) -> tuple[Array, NDArray[np.bool_]]:
    """Measure as `values_at` does; of a sum what each time adds to the one `before` it."""
    sums = [row for row, each in enumerate(wanted) if KINDS[each.kind].sum_of]
    if not sums:
        return values_at(evaluator, document, actor, wanted, times)
    values, rough = np.empty((len(wanted), len(times))), np.zeros((len(wanted), len(times)), dtype=bool)
    plain = [row for row in range(len(wanted)) if row not in sums]
    if plain:
        values[plain], rough[plain] = values_at(evaluator, document, actor, [wanted[row] for row in plain], times)
    summed = [replace(wanted[row], kind=KINDS[wanted[row].kind].sum_of) for row in sums]
    values[sums], rough[sums] = _added(evaluator, document, actor, summed, times, before)
    return values, rough


def _added(
    evaluator: Evaluator,
    document: Document,
    actor: str,
    summed: Sequence[Quantity],
    times: Sequence[int],
    before: Sequence[int],
) -> tuple[Array, NDArray[np.bool_]]:
    """Integrate over spans that end at some times. Torques jump at keys, which stand at frames: none is evaluated
    there."""
    spans = list(zip(before, times, strict=True))
    looked = [round(early + share * (late - early)) for early, late in spans for share in POINTS]
    values, rough = values_at(evaluator, document, actor, summed, looked)
    seconds = np.array([late - early for early, late in spans]) / TICKS_PER_SECOND
    shape = (len(summed), len(spans), len(POINTS))
    return values.reshape(shape).mean(axis=2) * seconds, rough.reshape(shape).any(axis=2) & (seconds > 0.0)


def values_at(
    evaluator: Evaluator, document: Document, actor: str, wanted: Sequence[Quantity], times: Sequence[int]
) -> tuple[Array, NDArray[np.bool_]]:
    """Quantities of one actor that it has at some moments, so no sums, and which numbers are by differences.

    Shapes [len(wanted), len(times)].
    """
    own = [row for row, each in enumerate(wanted) if KINDS[each.kind].of == "system"]
    if own:
        return _with_own(evaluator, document, actor, wanted, times, own)
    owner = document.actor(actor)
    joints = _joints(wanted, owner.figure)
    if owner.part(MeasuredForces) is not None and any(KINDS[each.kind].of_forces for each in wanted):
        joints = None  # forces act where their bodies are
    found = moving(evaluator, document, actor, times, joints)
    masses = Masses(bodies_of(owner.figure), found)
    efforts = Efforts(owner, evaluator.model(owner), found, masses, times)
    rates = np.array([not KINDS[each.kind].of_pose for each in wanted])
    values = np.array([_values(each, efforts) for each in wanted])
    return values, rates[:, None] & found.by_differences


def _with_own(
    evaluator: Evaluator,
    document: Document,
    actor: str,
    wanted: Sequence[Quantity],
    times: Sequence[int],
    own: Sequence[int],
) -> tuple[Array, NDArray[np.bool_]]:
    """Measure as `values_at` does, those quantities (`own`) by the systems that have them."""
    values, rough = np.empty((len(wanted), len(times))), np.zeros((len(wanted), len(times)), dtype=bool)
    others = [row for row in range(len(wanted)) if row not in own]
    if others:
        values[others], rough[others] = values_at(evaluator, document, actor, [wanted[row] for row in others], times)
    for row in own:
        each = wanted[row]
        system = next(one for one in systems() if any(kind.name == each.kind for kind in one.measured))
        assert system.measure is not None, "a system that has quantities measures them"
        found = load(system.measure)(evaluator, document, actor, each.kind, each.part, times)
        values[row] = _component(each, found)
    return values, rough


def check(quantity: Quantity, actor: Actor) -> None:
    """Refuse a quantity that the actor does not have."""
    kind, figure = KINDS[quantity.kind], actor.figure
    if kind.of == "system":
        known = tuple(parts_of(quantity.kind, actor))
        if not known:
            allowed = "an actor that has one"
            raise InvalidArguments(what=f"{kind.label.lower()} of", value=actor.name, allowed=allowed)
        if quantity.part not in known:
            raise UnknownPart(kind=kind.label.lower(), id=quantity.part, known=known)
    elif kind.of == "coordinate":
        _check_coordinate(quantity, actor)
    elif quantity.handle:
        known = tuple(handle.id for handle in figure.handles)
        if quantity.part not in known:
            raise UnknownPart(kind="handle", id=quantity.part, known=known)
    elif kind.of != "figure":
        figure.joint(quantity.part)
    if (kind.of == "figure" or kind.of_forces) and float(bodies_of(figure).mass.sum()) <= 0.0:
        allowed = "a figure with a mass: give its joints shapes or bodies"
        raise InvalidArguments(what=f"{kind.label.lower()} of", value=actor.name, allowed=allowed)


def _check_coordinate(quantity: Quantity, actor: Actor) -> None:
    dof, limited = coordinate_of(quantity, actor), actor.figure.limited
    if quantity.kind == "margin" and not (dof.id in limited or dof.lower is not None or dof.upper is not None):
        allowed = "one that has a limit"
        raise InvalidArguments(what="the coordinate of a distance to limit", value=quantity.part, allowed=allowed)
    if quantity.kind == "resistance" and dof.id not in limited:
        allowed = "a hinge with a limit over several angles that is on"
        raise InvalidArguments(what="the coordinate of a limit torque", value=quantity.part, allowed=allowed)
    if quantity.kind == "spring" and dof.spring == 0.0:
        allowed = "one that has a spring"
        raise InvalidArguments(what="the coordinate of a spring torque", value=quantity.part, allowed=allowed)
    if quantity.kind == "anatomical" and dof.kind != "hinge":
        raise InvalidArguments(what="the coordinate of an anatomical angle", value=quantity.part, allowed="a hinge")
    if KINDS[quantity.kind].of_forces and not has_rate(dof, quantity.part):
        what = f"the coordinate of a {KINDS[quantity.kind].label.lower()}"
        raise InvalidArguments(what=what, value=quantity.part, allowed="x, y or z of a ball")


def _joints(wanted: Sequence[Quantity], figure: Figure) -> set[str] | None:
    """The joints on which quantities depend; None: all."""
    found = set[str]()
    for each in wanted:
        of = KINDS[each.kind].of
        if of == "figure":
            return None
        if of != "coordinate":
            found.add(_handle(each, figure).joint if each.handle else each.part)
    return found


def _handle(quantity: Quantity, figure: Figure) -> Handle:
    return next(each for each in figure.handles if each.id == quantity.part)


def _values(quantity: Quantity, efforts: Efforts) -> Array:
    of, figure = KINDS[quantity.kind].of, efforts.actor.figure
    if of == "coordinate":
        if KINDS[quantity.kind].of_forces:
            return _of_effort(quantity, efforts)
        return _of_coordinate(quantity, efforts.actor, efforts.moving)
    vector = _of_figure(quantity.kind, efforts) if of == "figure" else _of_point(quantity, figure, efforts.moving)
    return _component(quantity, vector)


def _component(quantity: Quantity, vector: Array) -> Array:
    if not quantity.component:
        return vector
    if quantity.component == "length":
        return np.asarray(np.sqrt(np.einsum("nx,nx->n", vector, vector)))
    return vector[:, VECTOR.index(quantity.component)]


def _of_effort(quantity: Quantity, efforts: Efforts) -> Array:
    rate = rate_of(efforts.actor.figure, quantity.part)
    torque = efforts.torques[:, rate]
    return torque if quantity.kind == "torque" else torque * efforts.speeds[:, 0, rate]


def _of_coordinate(quantity: Quantity, actor: Actor, found: Moving) -> Array:
    order = ("value", "rate", "acceleration")
    rows = found.coordinates[:, :, actor.figure.coordinate_index[quantity.part]]
    if quantity.kind in order:
        return rows[:, order.index(quantity.kind)]
    dof, q = coordinate_of(quantity, actor), rows[:, 0]
    if quantity.kind == "resistance":
        return resistance_of(dof.id, actor.figure, found.coordinates[:, 0])
    if quantity.kind == "spring":
        return np.asarray(dof.spring * (dof.neutral - q))
    if quantity.kind == "anatomical":
        return _anatomical(dof, actor.figure, found)
    if dof.id in actor.figure.limited:
        return margin_of(dof.id, actor.figure, found.coordinates[:, 0])
    below = q - (-np.inf if dof.lower is None else dof.lower)
    above = (np.inf if dof.upper is None else dof.upper) - q
    return np.asarray(np.minimum(below, above))


def _anatomical(dof: Dof, figure: Figure, found: Moving) -> Array:
    """One angle of the joint's turns, counted from where its frame is that of its parent: rest and q together."""
    joint = next(each for each in figure.joints if dof in each.dofs)
    hinges = [each for each in joint.dofs if each.kind == "hinge"]
    q = found.coordinates[:, 0][:, [figure.coordinate_index[each.id] for each in hinges]]
    place, rest = hinges.index(dof), rotation_matrix(joint.rest)
    if joint.rest == IDENTITY:
        return q[:, place]
    axes = np.array([each.axis for each in hinges])
    start = q + solve_hinges(axes, rest[None])
    return polish(axes, rest @ chain(axes, q), start)[:, place]


def _of_point(quantity: Quantity, figure: Figure, found: Moving) -> Array:
    joint, local = quantity.part, np.zeros((1, 3))
    if quantity.handle:
        handle = _handle(quantity, figure)
        joint, local = handle.joint, np.array([handle.point])
    index = figure.joint_index[joint]
    if quantity.kind == "turning":
        return found.turning[:, index]
    return found.points([index], local)[("place", "velocity", "point_acceleration").index(quantity.kind)][:, 0]


def _of_figure(kind: str, efforts: Efforts) -> Array:
    masses = efforts.masses
    if kind == "centre_velocity":
        return masses.momentum / masses.total
    if kind == "energy":
        return masses.kinetic + masses.potential
    found: Array = getattr(efforts if KINDS[kind].of_forces else masses, kind)
    return found

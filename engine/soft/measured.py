"""Measured: quantities of soft bodies against time, for plots, tables and the command line (`engine.measure`).

Energies and momenta are those of the step at or before a time, shapes those of the time itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.soft.elastic import elastic_energy
from engine.soft.members import SoftMember
from engine.soft.mesh import cell_volumes
from engine.soft.simulation import SoftMoment
from engine.soft.stage import SoftStage
from engine.soft.uses import is_soft
from engine.soft.uses import measurable as measurable
from engine.soft.windowed import SteppedBody

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

Measure = Callable[[SteppedBody, SoftMember, SoftMoment], "float | Array"]


def measure(
    evaluation: Evaluation, document: Document, actor: str, kind: str, part: str, times: Sequence[int]
) -> Array:
    """Measure a quantity of a soft body at some times [ticks], shape [len(times)] or [len(times), 3]."""
    stage, document = evaluation.stage("soft"), without_drafts(document)
    owner: Actor = document.actor(actor)
    if not isinstance(stage, SoftStage) or not is_soft(owner) or part not in measurable(owner, kind):
        raise InvalidArguments(what="the actor to measure", value=owner.name, allowed="a soft body that has it")
    simulation = stage.stepped(document, actor)
    member = simulation.scene.member(actor)
    if kind in _OF_SHAPE:
        return np.array([_OF_SHAPE[kind](member, simulation.points(each)[member.points]) for each in times])
    if kind in ("soft_contraction", "soft_alpha"):
        return np.array([_of_spline(simulation, member, kind, part, each) for each in times])
    if kind == "soft_nodal":
        return np.array([_nodal(simulation, member, each) for each in times])
    return np.array([_OF_STEP[kind](simulation, member, simulation.moment(each)) for each in times])


def volume(member: SoftMember, points: Array) -> float:
    """Compute the volume of a body [m3]; of a planar one its area times its thickness."""
    found = float(cell_volumes(points, member.mesh.cells, member.mesh.shape).sum())
    return found * (member.body.thickness if member.mesh.shape in ("edges", "squares") else 1.0)


def _centre(member: SoftMember, points: Array) -> Array:
    return np.asarray(member.masses @ points / member.masses.sum())


def _of_spline(simulation: SteppedBody, member: SoftMember, kind: str, part: str, time: float) -> float:
    """The mean over a spline of how long it is beside its length at rest, or of its alpha; 1 where it is mute."""
    own = member.of_spline(part)
    if own is None:
        return 1.0
    rest = member.springs.rest[own]
    if kind == "soft_alpha":
        told = simulation.scene.alphas(time)[member.segments][own]
        return float(told @ rest / rest.sum())
    lengths = member.springs.contractions(np.ascontiguousarray(simulation.points(time)[member.points]))[own]
    return float(lengths @ rest / rest.sum())


def _speeds(member: SoftMember, moment: SoftMoment) -> Array:
    return moment.speeds[member.points].astype(np.float64)


def _kinetic(simulation: SteppedBody, member: SoftMember, moment: SoftMoment) -> float:
    return 0.5 * float(member.masses @ (_speeds(member, moment) ** 2).sum(axis=1))


def _potential(simulation: SteppedBody, member: SoftMember, moment: SoftMoment) -> float:
    heights = moment.points[member.points, 1].astype(np.float64)
    return float(simulation.scene.gravity * (member.masses @ heights))


def _elastic(simulation: SteppedBody, member: SoftMember, moment: SoftMoment) -> float:
    return elastic_energy(member, moment.points[member.points].astype(np.float64))


def _spin(simulation: SteppedBody, member: SoftMember, moment: SoftMoment) -> Array:
    points = moment.points[member.points].astype(np.float64)
    arms = points - _centre(member, points)
    return np.asarray(np.cross(arms, member.masses[:, None] * _speeds(member, moment)).sum(axis=0))


def _contact(simulation: SteppedBody, member: SoftMember, moment: SoftMoment) -> Array:
    of = moment.touches.of
    own = (of >= member.points.start) & (of < member.points.stop)
    return np.asarray(moment.touches.forces[own].astype(np.float64).sum(axis=0))


def _nodal(simulation: SteppedBody, member: SoftMember, time: float) -> Array:
    forces = simulation.scene.nodal(time)
    return np.zeros(3) if forces is None else np.asarray(forces[member.points].sum(axis=0))


_OF_SHAPE: Mapping[str, Callable[[SoftMember, Array], float | Array]] = {
    "soft_volume": volume,
    "soft_centre": _centre,
}
_OF_STEP: Mapping[str, Measure] = {
    "soft_kinetic": _kinetic,
    "soft_potential": _potential,
    "soft_elastic": _elastic,
    "soft_momentum": lambda simulation, member, moment: np.asarray(member.masses @ _speeds(member, moment)),
    "soft_spin": _spin,
    "soft_contact": _contact,
}

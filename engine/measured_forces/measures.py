"""Measures of measured forces against time: force, point and free torque in the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from engine.document import Actor, Document
from engine.evaluation import Evaluation
from engine.maths.arrays import Array
from engine.measured_forces.stage import NAME, MeasuredForcesStage
from engine.measured_forces.uses import forces_of


def measurable(actor: Actor, kind: str) -> Mapping[str, str]:
    """Name the measured forces on an actor."""
    found = forces_of(actor)
    return {} if found is None else {each.id: each.name for each in found.forces}


def measure(
    evaluation: Evaluation, document: Document, actor: str, kind: str, part: str, times: Sequence[int]
) -> Array:
    """Measure one vector at some times [ticks], shape [len(times), 3]."""
    found = cast(MeasuredForcesStage, evaluation.stage(NAME)).acting(document, actor, times)
    measured = forces_of(document.actor(actor))
    assert measured is not None, "an actor with measured forces"
    place = [each.id for each in measured.forces].index(part)
    of = {"measured_force": found.forces, "measured_point": found.points, "measured_torque": found.torques}
    return of[kind][:, place].copy()

"""The examples of planned motion play what was found for them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.queries.examples import example
from engine.soft.goals import SoftPlan
from engine.soft.stage import SoftStage
from engine.soft.uses import soft_actors
from tests.planned_examples import FAR, LANDING, START, TIMES, ticks, true_forces


def played(document: Document, *times: int) -> list[Array]:
    """All points at some times."""
    stage = Evaluator().stage("soft")
    assert isinstance(stage, SoftStage)
    simulation = stage.simulation(document)
    assert simulation is not None
    return [simulation.points(time) for time in times]


def plan_in(document: Document) -> SoftPlan:
    ((actor, _),) = soft_actors(document)
    found = actor.part(SoftPlan)
    assert found is not None
    return found


def test_the_table_leaps_and_lands_on_its_mark() -> None:
    document = example("leap").build()
    air, mark = plan_in(document).keyframes
    assert mark.shape is not None
    before, high, landed, after = played(document, ticks(START), air.time, ticks(LANDING), 3 * SECOND)
    assert high[:, 1].min() > 0.05, "it is in the air"
    wanted = mark.shape.array + np.array(mark.position)
    assert np.linalg.norm(landed - wanted, axis=1).mean() < 0.03
    for each in (landed, after):
        assert (each - before)[:, 0].mean() == pytest.approx(FAR, abs=0.06)
    assert after[:, 1].min() > -0.02


def test_the_forces_on_two_particles_are_found_again() -> None:
    document = example("two_particles").build()
    ((_, body),) = soft_actors(document)
    (push,) = body.forces
    assert push.times == TIMES
    assert push.values is not None
    assert np.abs(push.values.array - true_forces())[:-1].max() < 0.25, "of 15 N"
    keyframes = plan_in(document).keyframes
    for keyframe, points in zip(keyframes, played(document, *(each.time for each in keyframes)), strict=True):
        assert keyframe.shape is not None
        np.testing.assert_allclose(points, keyframe.shape.array + np.array(keyframe.position), atol=1e-3)

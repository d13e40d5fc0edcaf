"""OpenSim's gait model, with 54 muscles, left to physics: it stands where servos hold it and falls where none do."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cli.curves import document_in
from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from tests.engine.shared_data import shared


@pytest.fixture(scope="module")
def gait() -> Document:
    return document_in(shared("mocap", "opensim_gait2354_walk") / "subject01_scaled.osim")


def standing(document: Document, seconds: float, evaluator: Evaluator) -> tuple[float, Array]:
    """How high the pelvis is, and how high each joint [m]."""
    owner, time = document.actors[0], round(seconds * SECOND)
    coordinates = evaluator.coordinates(document, owner.id, [time])[0]
    assert np.isfinite(coordinates).all()
    places = evaluator.joint_transforms(document, owner.id, time)[:, 1, 3]
    return float(coordinates[owner.figure.coordinates.index("pelvis_ty")]), places


def test_it_falls_by_its_resting_muscles_and_comes_to_lie_on_the_ground(gait: Document) -> None:
    owner, evaluator = gait.actors[0], Evaluator()
    fallen = edit("set_physics", actor=owner.id, role="simulated").apply(gait)
    heights = [standing(fallen, seconds, evaluator)[0] for seconds in (0.0, 0.5, 1.0, 2.0)]
    assert heights[0] > heights[1] > heights[2] > heights[3]
    _, places = standing(fallen, 3.0, evaluator)
    assert places.min() > 0.0
    assert places.max() < 0.4


def test_it_stands_where_servos_hold_its_joints(gait: Document) -> None:
    owner, evaluator = gait.actors[0], Evaluator()
    held = edit("set_muscle_model", actor=owner.id, pulling=False).apply(
        edit("set_physics", actor=owner.id, role="simulated", follow=30.0).apply(gait)
    )
    before, _ = standing(held, 0.0, evaluator)
    for seconds in (0.5, 1.0):
        assert standing(held, seconds, evaluator)[0] == pytest.approx(before, abs=0.01)

"""Torques of a muscle about the joints that it crosses, by virtual work."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from engine.document import Document, Key, Placement
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.muscles.queries.torques import muscle_torques
from engine.muscles.stage import MusclesStage
from engine.muscles.uses import muscles_of
from tests.engine.muscles.arms import bent_arm


def scene() -> Document:
    """An arm that stands somewhere, turned, whose biceps is activated."""
    placement = Placement(position=(0.3, 1.0, -0.2), rotation=(0.8, 0.0, 0.6, 0.0))
    document = Document(actors=(replace(bent_arm(), placement=placement),))
    return edit("set_muscle_keys", actor="arm", muscle="biceps", keys=(Key(0, 0.6),)).apply(document)


def test_torques_do_the_work_of_the_force_and_stand_on_their_joints() -> None:
    document, evaluator, time = scene(), Evaluator(), SECOND // 2
    *_, found = muscle_torques(evaluator, document, "arm", time, "biceps")
    assert found is not None
    stage, arm = cast(MusclesStage, evaluator.stage("muscles")), document.actor("arm")
    measured, muscles = stage.measured(document, "arm", [time]), muscles_of(arm)
    assert muscles is not None
    figure, q = stage.compiled(arm, muscles), evaluator.coordinates(document, "arm", [time])[0]
    number, step = figure.numbers["biceps"], 1e-5
    assert [each.dof for each in found.torques] == ["shoulder.lift", "elbow.bend"]
    for each in found.torques:
        place, moved = arm.figure.coordinate_index[each.dof], []
        for side in (-step, step):
            pose = q.copy()
            pose[place] += side
            moved.append(figure.lengths(pose)[number])
        arm_length = -(moved[1] - moved[0]) / (2.0 * step)
        assert each.turns
        assert each.torque == pytest.approx(arm_length * measured.forces[0, number], rel=1e-6)
        assert np.linalg.norm(each.axis) == pytest.approx(1.0)
    shoulder, elbow = (np.array(each.place) for each in found.torques)
    assert shoulder == pytest.approx((0.3, 1.0, -0.2))
    assert np.linalg.norm(elbow - shoulder) == pytest.approx(0.3)
    across = (-0.28, 0.0, 0.96)  # the hinge's axis −x, turned with the placement
    assert found.torques[1].axis == pytest.approx(across)
    assert found.torques[1].torque > 1.0


def test_a_muscle_that_is_not_there_has_no_torques() -> None:
    assert [each for each in muscle_torques(Evaluator(), scene(), "arm", 0, "nobody") if each is not None] == []

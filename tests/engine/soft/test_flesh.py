"""Flesh about the bones of a figure: it bends where joints do, and follows what is fast."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Document, Layer
from engine.evaluate.evaluator import Evaluator
from engine.queries.examples import human, shipped_part
from engine.soft.flesh import flesh
from engine.soft.making import soft_actor
from engine.soft.parts import SoftBody, SoftWorld
from engine.soft.stage import SoftStage

TOLERANCE = 1e-2


def fleshed(**given: Any) -> tuple[Document, SoftBody]:
    """A human that jumps, in flesh."""
    owner, motion = human("human", "Human"), shipped_part("motions/jump/1")
    assert isinstance(motion, Layer)
    owner = replace(owner, layers=(motion,))
    options: dict[str, Any] = {"young": 1.2e4, "stiffness_damping": 0.012, "touches": False, **given}
    body, _ = flesh(owner.figure, owner.figure.skins[0], target="human", along=24, **options)
    parts = (SoftWorld(tolerance=TOLERANCE),)
    return Document(actors=(owner, soft_actor("flesh", "Flesh", body)), rate=(60, 1), parts=parts), body


@pytest.mark.parametrize("hold", ["hard", "spring"])
def test_flesh_follows_a_jump_in_a_few_iterations_a_step(hold: str) -> None:
    document, body = fleshed(hold=hold)
    stage = Evaluator().stage("soft")
    assert isinstance(stage, SoftStage)
    simulation = stage.simulation(document)
    assert simulation is not None
    points, cells = body.points.array, body.cells.array
    inverted = 0
    for step in range(1, 80):
        moment = simulation.moment(simulation.tick(step))
        _, _, iterations, residual = moment.worked
        assert iterations <= 12, step
        assert residual <= TOLERANCE, step
        sides = moment.points.astype(float)[cells]
        inverted = max(inverted, int((np.linalg.det(sides[:, :3] - sides[:, 3:]) * signs(points, cells) < 0.0).sum()))
    assert simulation.stopped is None
    assert inverted < 0.02 * len(cells), "in the folds of a crouch"


def signs(points: np.ndarray, cells: np.ndarray) -> np.ndarray:
    corners = points[cells]
    return np.asarray(np.sign(np.linalg.det(corners[:, :3] - corners[:, 3:])))


def test_no_stiff_cell_reaches_from_one_bone_to_another_and_arms_stay_apart_from_legs() -> None:
    _, body = fleshed()
    assert body.factors is not None
    joints = np.full(body.point_count, -1)
    for number, each in enumerate(body.attachments):
        joints[each.points.array] = number
    held = joints[body.cells.array]
    assert (body.factors.array > 1.0).sum() > 100
    for row in held[body.factors.array > 1.0]:
        assert len(set(row[row >= 0].tolist())) <= 1
    names = np.array([each.joint for each in body.attachments])
    hands = np.isin(
        joints, np.flatnonzero([name.startswith(("wrist", "thumb", "index", "middle_l")) for name in names])
    )
    legs = np.isin(joints, np.flatnonzero([name.startswith(("hip", "knee")) for name in names]))
    assert hands.any()
    assert legs.any()
    cells = body.cells.array
    assert not (hands[cells].any(axis=1) & legs[cells].any(axis=1)).any()

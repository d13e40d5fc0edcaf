"""Foot roll: a foot turns about its ball while its heel is pulled, about its heel while its toes are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.commands.reach import PullHandle, Reach
from engine.document import Document
from engine.document.feet import feet_of, handle_of, pivot_of
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.ik.goals import PositionGoal, Spot
from engine.locks.drag_floor import corners_of
from engine.maths.arrays import Array
from engine.queries.examples import human
from engine.queries.naming import spot_named


def places(document: Document, *points: tuple[float, float, float]) -> list[Array]:
    """Points of the left foot, in the world [m]."""
    frame = Evaluator().joint_transforms(document, "me", 0)[document.actor("me").figure.joint_index["ankle_left"]]
    return [frame[:, :3] @ np.array(point) + frame[:, 3] for point in points]


@pytest.mark.parametrize(("pulled", "up", "held"), [("heel", 0.08, True), ("toes", 0.03, False)])
def test_a_foot_rolls_about_its_ball_or_its_heel(pulled: str, up: float, held: bool) -> None:
    document = Document(actors=(replace(human("me", "Me"), natural=1.0, floor=True),))
    actor = document.actor("me")
    foot, _ = feet_of(actor.figure)
    at = spot_named(actor, f"foot_left.{pulled}")
    stays = foot.ball if pulled == "heel" else foot.heel
    before, pivot = places(document, at.point, stays)
    goal = PositionGoal(spot=at, target=(before[0], before[1] + up, before[2]))
    kept = (Spot(actor="me", joint=foot.handle.joint, point=foot.handle.point),) if held else ()
    request = PullHandle(drag="roll", actor="me", goals=(goal,), held=kept)
    posed = Reach(Evaluator()).settle(document, 0, request).snapshot.document
    after, stayed = places(posed, at.point, stays)
    assert np.linalg.norm(stayed - pivot) < 1e-5
    assert after[1] - before[1] > 0.9 * up
    found, was = (Evaluator().coordinates(each, "me", [0])[0] for each in (posed, document))
    moved = {name for name, a, b in zip(actor.figure.coordinates, found, was, strict=True) if abs(a - b) > 1e-6}
    assert all(name.split(".")[0] in ("hip_left", "knee_left", "ankle_left", "toes_left") for name in moved)
    assert "ankle_left.inversion" not in moved
    assert corners_of(actor.figure).lowest(Evaluator().joint_transforms(posed, "me", 0)).min() > -1e-3
    assert ("toes_left.flexion" in moved) is (pulled == "heel")


def test_feet_are_known_by_their_toes_and_hands_are_none() -> None:
    figure = load_figure("human")
    assert [foot.handle.id for foot in feet_of(figure)] == ["foot_left", "foot_right"]
    heel, toes = feet_of(figure)[0].rolls
    assert handle_of(figure, "foot_left.heel") == heel
    assert heel.point[2] < 0.0 < toes.point[2]
    assert heel.point[1] == pytest.approx(toes.point[1])
    assert pivot_of(figure, "ankle_left", heel.point) == toes.point
    assert pivot_of(figure, "ankle_left", (0.0, 0.0, 0.0)) is None
    assert feet_of(load_figure("quadruped")) == feet_of(load_figure("arm7")) == ()

"""Drags of bodies as they move, and above the floor: what is set in the document decides, and undo is exact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.commands.reach import PullHandle, Reach, Reached
from engine.document import Document
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.ik.goals import PositionGoal
from engine.ik.methods import Terms
from engine.locks.drag_floor import corners_of
from engine.maths.arrays import Array
from tests.engine.commands.test_reach import person, place, spot

pytestmark = pytest.mark.usefixtures("unhurried")


def body(*, natural: float, floor: bool) -> Document:
    """A person with these settings."""
    document = person()
    return Document(actors=(replace(document.actors[0], natural=natural, floor=floor),))


def dragged(document: Document, id: str, *ways: Vector3, held: tuple[str, ...] = ()) -> Reached:
    """The answer to the last of the moves of one drag."""
    reach, start = Reach(Evaluator()), place(document, id)
    reached = None
    for by in ways:
        x, y, z = (start + np.array(by)).tolist()
        goals = (PositionGoal(spot=spot(document, id), target=(x, y, z)),)
        spots = tuple(spot(document, each) for each in held)
        terms = Terms(milliseconds=50.0)
        request = PullHandle(drag="one", actor="me", goals=goals, held=spots, terms=terms)
        *_, reached = reach.answer(document, 0, request, skins=False)
    assert isinstance(reached, Reached)
    return reached


def pose(document: Document) -> Array:
    """The coordinates at the start of time."""
    return np.asarray(Evaluator().coordinates(document, "me", [0])[0])


def lowest(document: Document) -> float:
    """How high the lowest point of the body is [m]."""
    figure = document.actor("me").figure
    corners, worlds = corners_of(figure), Evaluator().joint_transforms(document, "me", 0)
    rows = worlds[corners.owners, 1]
    return float((np.einsum("nj,nj->n", rows[:, :3], corners.points) + rows[:, 3]).min())


def test_a_pelvis_that_is_pulled_down_bends_the_legs_over_standing_feet() -> None:
    document = body(natural=1.0, floor=True)
    figure = document.actor("me").figure
    for depth in (-0.03, -0.15, -0.4):
        reached = dragged(document, "pelvis", (0.0, depth, 0.0))
        now = reached.snapshot.document
        assert reached.outcome.report.state == "reached"
        assert lowest(now) > -1e-3
        assert pose(now)[figure.coordinate_index["knee_left.flexion"]] > 0.2
        worlds = [Evaluator().joint_transforms(each, "me", 0) for each in (document, now)]
        ball = [each[figure.joint_index["toes_left"], :, 3] for each in worlds]
        assert ball[1] == pytest.approx(ball[0], abs=2e-3)
    free = dragged(body(natural=1.0, floor=False), "pelvis", (0.0, -0.15, 0.0))
    assert lowest(free.snapshot.document) == pytest.approx(-0.15, abs=1e-3)


def test_a_foot_that_is_pressed_down_stays_on_the_floor_and_is_told_as_missed() -> None:
    pressed = dragged(body(natural=1.0, floor=True), "foot_left", (0.0, -0.05, 0.1))
    free = dragged(body(natural=1.0, floor=False), "foot_left", (0.0, -0.05, 0.1))
    assert lowest(pressed.snapshot.document) > 0.5 * lowest(free.snapshot.document)
    assert lowest(free.snapshot.document) < -0.03
    assert pressed.outcome.report.state != "reached"


def test_an_arm_that_reaches_leaves_the_trunk_alone_though_feet_are_held_and_beyond_its_reach_it_follows() -> None:
    document = body(natural=1.0, floor=True)
    figure = document.actor("me").figure
    trunk = [figure.coordinate_index[f"{part}_spine.side_bend"] for part in ("lower", "upper")]
    feet = ("foot_left", "foot_right")
    near = dragged(document, "hand_right", (-0.2, 0.4, 0.0), (-0.2, 0.8, 0.1), held=feet)
    assert near.outcome.report.state == "reached"
    assert np.abs(pose(near.snapshot.document)[trunk]).max() < 1e-9
    far = dragged(document, "hand_right", (-0.2, 0.4, 0.0), (-0.8, 0.4, 0.0), held=feet)
    assert far.outcome.report.state == "reached"
    assert np.abs(pose(far.snapshot.document)[trunk]).max() > 0.05


def test_a_drag_that_comes_back_leaves_the_figure_as_it_was() -> None:
    document = body(natural=1.0, floor=True)
    reached = dragged(document, "hand_left", (0.3, 0.6, 0.0), (0.3, 0.2, 0.4), (0.0, 0.0, 0.0))
    assert pose(reached.snapshot.document) == pytest.approx(pose(document), abs=1e-6)


def test_where_a_drag_ends_says_what_it_comes_to() -> None:
    document = body(natural=1.0, floor=True)
    direct = dragged(document, "hand_left", (0.3, 0.6, 0.0))
    around = dragged(document, "hand_left", (-0.1, 0.2, 0.5), (0.0, 1.1, 0.1), (0.3, 0.6, 0.0))
    poses = [pose(each.snapshot.document) for each in (direct, around)]
    assert poses[1] == pytest.approx(poses[0], abs=1e-9)


def test_the_settings_are_the_documents_and_between_exact_and_natural_there_is_more() -> None:
    elbow = person().actors[0].figure.joint_index["elbow_left"]
    places = []
    for share in (0.0, 0.5, 1.0):
        reached = dragged(body(natural=share, floor=False), "hand_left", (0.1, 0.3, 0.3))
        assert reached.outcome.report.state == "reached"
        places.append(Evaluator().joint_transforms(reached.snapshot.document, "me", 0)[elbow, :, 3])
    assert body(natural=0.0, floor=False) == person()
    apart = [float(np.linalg.norm(each - places[0])) for each in places]
    assert apart[2] > 0.005
    assert np.linalg.norm(places[1] - places[2]) < apart[2]

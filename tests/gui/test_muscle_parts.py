"""Wraps and points of muscles in the views of the real window, expressions of activations, the skeleton in the menu."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.activation.panel import ActivationPanel
from app.features.muscles.arm_fields import ArmFields
from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.moving_points import MovingPoints
from app.features.muscles.shown_wraps import ShownWraps
from app.features.muscles.view.point_dragging import POINTS
from app.features.muscles.view.wrap_dragging import WRAPS
from app.lanes.current_lanes import CurrentLanes
from app.scene.panes import FRONT
from app.session import Item
from engine.document import Document, Placement
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.muscles.parts import PathPoint
from engine.muscles.uses import activations_of, muscles_of
from tests.engine.muscles.arms import arm_muscles, bent_arm
from tests.gui.acting import changed, go_to
from tests.gui.test_muscles import act, activation, dock_of, drawn, muscle, muscles
from tests.gui.test_scenery import pixels
from tests.gui.test_window import canvas_of
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    arm = replace(bent_arm(), placement=Placement(position=(0.0, 1.0, 0.0)))
    document = edit("set_play_range", start=0, end=2 * SECOND).apply(Document(actors=(arm,)))
    with the_window.begun(document) as open_stage:
        open_stage.view.frame()
        open_stage.draw()
        yield open_stage


@pytest.fixture
def panel(opened: Stage) -> ActivationPanel:
    """The dock, with all of its time."""
    return dock_of(opened)


def symbol(opened: Stage, of: str, id: str) -> QPoint:
    """Where a symbol is seen in the front view."""
    (place,) = (
        each.place
        for each in opened.view._markers.now()
        if each.marker.symbol is not None and (each.marker.symbol.of, each.marker.id) == (of, id)
    )
    right, down, _ = opened.view.cameras[FRONT].project(np.array(place), opened.view.size_of(FRONT)).tolist()
    pane = opened.view.panes()[FRONT]
    return QPoint(round(pane.x + right), round(pane.y + down))


def test_a_wrap_is_seen_picked_moved_and_sized_in_a_view_and_moved_and_turned_by_manipulators(opened: Stage) -> None:
    camera = opened.view.cameras[FRONT]
    opened.view.place_camera(FRONT, replace(camera, target=(0.0, 0.7, 0.0), distance=0.8))
    canvas, wraps = canvas_of(opened), opened.session.of(ShownWraps)
    bare = pixels(opened.view.grab_image()).astype(int)
    opened.session.select([Item("arm", "trunk", "triceps")])
    opened.settle()
    assert [each.id for each in wraps.found] == ["bone"]
    assert (np.abs(pixels(opened.view.grab_image()).astype(int) - bare).max(axis=2) > 20).sum() > 300
    side = symbol(opened, WRAPS, "bone") + QPoint(22, -4)  # on the cylinder, beside all symbols
    assert all(opened.view.symbol_at(side.toPointF(), of) is None for of in (POINTS, WRAPS))
    assert opened.session.of(CurrentMuscles).moves == "point"
    QTest.mouseClick(canvas, LEFT, pos=side)
    assert opened.session.of(CurrentMuscles).moves == "wrap"
    before = opened.session.document
    start = symbol(opened, WRAPS, "bone")
    drag(canvas, [start, start + QPoint(12, 0), start + QPoint(12, -24)])
    before = changed(opened, before)
    (moved,) = muscles(opened).wraps
    assert moved.centre[0] > 0.004
    assert moved.centre[1] > -0.3 + 0.008
    assert moved.centre[2] == pytest.approx(0.0, abs=2e-3)
    end = symbol(opened, WRAPS, "bone length")
    drag(canvas, [end, end + QPoint(8, 0), end + QPoint(16, 0)])
    before = changed(opened, before)
    (longer,) = muscles(opened).wraps
    assert (longer.length or 0.0) > 0.104
    assert (longer.centre, longer.radii) == (moved.centre, moved.radii)
    for key, axis in ((Qt.Key.Key_W, "x"), (Qt.Key.Key_E, "z")):
        QTest.keyClick(canvas, key)
        opened.until(lambda: opened.view._canvas.manipulator.shown is not None)  # type: ignore[union-attr]
        QTest.keyClicks(canvas, f"{axis}5")
        QTest.keyClick(canvas, Qt.Key.Key_Return)
        before = changed(opened, before)
    QTest.keyClick(canvas, Qt.Key.Key_Q)
    (turned,) = muscles(opened).wraps
    assert turned.rotation != longer.rotation
    assert turned.centre != longer.centre
    for _ in range(4):
        opened.session.undo()
    opened.settle()
    assert muscles(opened).wraps == arm_muscles().wraps
    opened.session.select([])
    opened.settle()
    assert wraps.found == ()
    act(opened, "view.show_wraps")
    assert [each.id for each in wraps.found] == ["bone"]
    QTest.mouseClick(canvas, LEFT, pos=symbol(opened, WRAPS, "bone"))
    opened.settle()
    assert opened.session.selection.active == Item("arm", "trunk", "triceps"), "a muscle that goes round it"
    act(opened, "view.show_wraps")
    opened.view.place_camera(FRONT, camera)


def test_points_on_the_ground_and_points_that_a_joint_moves_are_dragged_too(opened: Stage) -> None:
    grounded = PathPoint(joint=None, point=(0.05, -0.1, 0.02))
    opened.session.do(edit("add_path_point", actor="arm", muscle="brachialis", place=0, point=grounded))
    opened.session.select([Item("arm", "trunk", "brachialis")])
    camera = opened.view.cameras[FRONT]
    opened.view.place_camera(FRONT, replace(camera, target=(0.0, 0.75, 0.0), distance=1.0))
    go_to(opened, 1.0)
    opened.until(lambda: opened.session.of(MovingPoints).found is not None)
    opened.until(lambda: opened.session.of(MovingPoints).found.time == SECOND)  # type: ignore[union-attr]
    before = opened.session.document
    for number in (0, 2):
        start = symbol(opened, POINTS, str(number))
        drag(canvas_of(opened), [start, start + QPoint(-8, 0), start + QPoint(-20, 0)])
        before = changed(opened, before)
    moved = muscle(opened, "brachialis").points
    assert moved[0].joint is None
    assert moved[0].point[0] < 0.05 - 0.008
    assert moved[0].point[1:] == pytest.approx((-0.1, 0.02), abs=2e-3)
    assert moved[2].point[0] < -0.008
    assert len(moved[2].curves) == 1, "it moves with its joint still"
    opened.view.place_camera(FRONT, camera)


def test_an_expression_is_typed_refused_given_to_all_that_are_listed_and_made_keys_of(
    opened: Stage, panel: ActivationPanel
) -> None:
    opened.session.of(CurrentMuscles).choose("biceps")
    opened.settle()
    fields = panel.fields["muscle"]
    assert isinstance(fields, ArmFields)
    line, before = fields.expression.field, opened.session.document
    QTest.keyClicks(line, "0.5 + 0.5*sin(")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert "missing" in fields.expression.problem.text()
    assert opened.session.document is before
    QTest.keyClicks(line, "2*pi*t)")
    QTest.keyClick(line, Qt.Key.Key_Return)
    before = changed(opened, before)
    assert fields.expression.problem.text() == ""
    lane = opened.session.of(CurrentLanes).lane()
    assert lane is not None
    assert lane.told == "expression"
    assert lane.value_at(SECOND / 4) == pytest.approx(1.0)
    go_to(opened, 0.25)
    opened.until(lambda: bool(drawn(opened).activation[0] > 0.99))
    act(opened, "muscles.express_listed")
    found = {each.muscle: each.expression for each in activations_of(opened.session.document.actors[0]).activations}
    assert set(found.values()) == {"0.5 + 0.5*sin(2*pi*t)"}
    assert set(found) == {"biceps", "triceps", "brachialis"}
    act(opened, "muscles.key_expressions")
    for each in activations_of(opened.session.document.actors[0]).activations:
        assert each.expression == ""
        assert each.track is not None
        assert 4 < len(each.track.keys) < 40
    opened.session.undo()
    opened.session.undo()
    opened.session.undo()
    opened.settle()
    assert activation(opened, "biceps") is None


def test_the_skeleton_is_added_with_its_muscles_and_its_skin(opened: Stage) -> None:
    before = opened.session.document
    opened.window.menus.actions["add.skeleton"].trigger()
    opened.until(lambda: len(opened.session.document.actors) == 2)
    added = opened.session.document.actors[1]
    found = muscles_of(added)
    assert added.name == "Skeleton"
    assert found is not None
    assert len(found.muscles) == 823
    assert [each.name for each in added.figure.skins] == ["Anatomy skin"]
    assert opened.session.selection.active == Item(added.id)
    opened.session.undo()
    opened.until(lambda: opened.session.document is before)

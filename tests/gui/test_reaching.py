"""Posing by handles in the real window: a hand is dragged with the mouse, the figure follows, and it can be undone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.method.panel import MethodPanel
from app.scene.markers import place_markers
from app.scene.panes import FRONT, PERSPECTIVE, RIGHT, TOP
from app.session import Item
from app.style.value_slider import ValueSlider
from engine.document import Actor, Document, Layer
from engine.document.feet import feet_of
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import motion_toml
from engine.formats.format import Options
from engine.ik.methods import Method
from engine.model.snapshot import Arrows
from engine.runtime.guard import forbid_kernels_on
from tests.gui.test_window import canvas_of, changed, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = [pytest.mark.gui, pytest.mark.usefixtures("unhurried")]

Place = NDArray[np.float64]


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        ready(open_stage)
        yield open_stage


def ready(opened: Stage) -> None:
    """Select the figure; wait for its handles."""
    reaching = opened.session.reaching
    opened.until(lambda: reaching.ready)
    opened.session.select([Item(opened.session.document.actors[0].id)])
    opened.settle()


def place(document: Document, handle: str, time: int = 0) -> Place:
    """Where a handle of the first actor stands [m], worked out anew."""
    actor = document.actors[0]
    found = next(each for each in actor.figure.handles if each.id == handle)
    frame = Evaluator().joint_transforms(document, actor.id, time)[actor.figure.joint_index[found.joint]]
    return np.asarray(frame[:, :3] @ found.point + frame[:, 3])


def at(opened: Stage, handle: str, view: int = FRONT) -> QPoint:
    """Where its mark is seen in a view."""
    assert opened.snapshot is not None
    marks = place_markers(opened.view.markers, opened.snapshot.bodies)
    found = next(each for each in marks if each.marker.id == handle)
    pane = opened.view.panes()[view]
    x, y, _ = opened.view.cameras[view].project(np.array(found.place), opened.view.size_of(view)).tolist()
    return QPoint(round(pane.x + x), round(pane.y + y))


def test_a_hand_raised_sideways_turns_the_shoulder_and_the_slider_goes_back_to_exact(opened: Stage) -> None:
    session, dock = opened.session, opened.window.docks["method"]
    dock.raise_()
    opened.settle()
    panel = dock.findChild(MethodPanel)
    assert panel is not None
    collars = []
    for share in ("100", "0"):
        typed(panel.natural.slider, share)
        opened.settle()
        assert session.document.actors[0].natural == float(share) / 100.0
        pull(opened, "hand_left", 60, -90)
        pose = Evaluator().coordinates(session.document, session.document.actors[0].id, [0])[0]
        collars.append(pose[session.document.actors[0].figure.coordinate_index["collar_left.elevation"]])
        session.undo()
        opened.settle()
    assert collars[0] < 0.5 * collars[1]
    session.undo()
    assert session.document.actors[0].natural == 1.0
    assert session.document.actors[0].floor
    panel.natural.floor.click()
    opened.until(lambda: not session.document.actors[0].floor)


def test_the_heel_of_a_foot_that_is_chosen_lifts_over_its_ball(opened: Stage) -> None:
    session, first = opened.session, opened.session.document
    actor = first.actors[0]
    _, foot = feet_of(actor.figure)
    assert opened.snapshot is not None
    assert not any(each.minor for each in opened.view.markers)
    session.select([Item(actor.id, foot.handle.joint)])
    opened.settle()
    assert {each.id for each in opened.view.markers if each.minor} == {"foot_right.heel", "foot_right.toes"}
    pull(opened, "foot_right.heel", 4, -12, RIGHT)
    assert [entry.label for entry in session.history.entries][-1] == "Reach with Right foot, heel"
    at_joint = actor.figure.joint_index[foot.handle.joint]
    before, after = (Evaluator().joint_transforms(each, actor.id, 0)[at_joint] for each in (first, session.document))
    assert np.linalg.norm((after - before) @ (*foot.ball, 1.0)) < 1e-4
    assert ((after - before) @ (*foot.heel, 1.0))[1] > 0.02


def typed(slider: ValueSlider, text: str) -> None:
    """Type a number into a slider."""
    slider.setFocus()
    slider.edit(text)
    line = slider.window().focusWidget()
    assert line is not None
    QTest.keyClick(line, Qt.Key.Key_Return)


def way(start: QPoint, right: int, down: int, steps: int = 8) -> list[QPoint]:
    """Points from a start to somewhere else."""
    return [start + QPoint(right * n // steps, down * n // steps) for n in range(steps + 1)]


def pull(opened: Stage, handle: str, right: int, down: int, view: int = FRONT) -> None:
    """Drag a mark by so many pixels, and wait for the new document."""
    before = opened.session.document
    drag(canvas_of(opened), way(at(opened, handle, view), right, down))
    opened.until(lambda: opened.session.document is not before)
    opened.settle()


@pytest.mark.parametrize("view", [TOP, PERSPECTIVE, FRONT, RIGHT])
def test_a_hand_is_dragged_and_the_committed_pose_has_it_there(opened: Stage, view: int) -> None:
    session, first = opened.session, opened.session.document
    before = opened.view.grab_image()
    pull(opened, "hand_left", -14, -16 if view != TOP else 14, view)
    reached = session.reaching.reached
    assert reached is not None
    goal = np.array(reached.request.goals[0].target)  # type: ignore[union-attr]
    assert [entry.label for entry in session.history.entries][-1] == "Reach with Left hand"
    assert reached.outcome.report.state == "reached"
    assert np.linalg.norm(place(session.document, "hand_left") - goal) < 1e-3
    assert np.linalg.norm(goal - place(first, "hand_left")) > 0.05
    assert changed(before, opened.view.grab_image()) > 0.001
    press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    opened.settle()
    assert session.document is first


def test_without_perspective_a_turned_view_works_as_well(opened: Stage) -> None:
    opened.view.set_orthographic(PERSPECTIVE, True)
    opened.view.maximise(PERSPECTIVE)
    opened.settle()
    pull(opened, "hand_right", 30, -50, PERSPECTIVE)
    reached = opened.session.reaching.reached
    assert reached is not None
    goal = reached.request.goals[0].target  # type: ignore[union-attr]
    assert np.linalg.norm(place(opened.session.document, "hand_right") - goal) < 1e-3


def test_a_goal_out_of_reach_says_by_how_much_it_is_missed(opened: Stage) -> None:
    canvas, start = canvas_of(opened), at(opened, "hand_left")
    points = way(start, 130, -60)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        move(canvas, point)
    reaching = opened.session.reaching
    opened.until(lambda: any(marker.missed for marker in opened.view.markers))
    opened.settle()
    (marker,) = [marker for marker in opened.view.markers if marker.missed]
    reached = reaching.reached
    assert reached is not None
    assert marker.id == "hand_left"
    by = np.linalg.norm(place(opened.session.shown, "hand_left") - reached.request.goals[0].target)  # type: ignore[union-attr]
    assert marker.missed == f"missed by {1000 * by:.0f} mm"
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=points[-1])
    opened.until(lambda: reaching.pulled is None)
    assert not any(marker.missed for marker in opened.view.markers), "it belongs to the pull"


def test_feet_that_were_clicked_stay_while_the_pelvis_goes_down(opened: Stage) -> None:
    canvas, first = canvas_of(opened), opened.session.document
    for foot in ("foot_left", "foot_right"):
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at(opened, foot))
    assert {marker.id for marker in opened.view.markers if marker.held} == {"foot_left", "foot_right"}
    pull(opened, "pelvis", 0, 25)
    now = opened.session.document
    assert place(now, "pelvis")[1] < place(first, "pelvis")[1] - 0.1
    for foot in ("foot_left", "foot_right"):
        assert np.linalg.norm(place(now, foot) - place(first, foot)) < 1e-3
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at(opened, "foot_left"))
    assert {marker.id for marker in opened.view.markers if marker.held} == {"foot_right"}


def test_forces_are_seen_while_constrained_motion_pulls(opened: Stage) -> None:
    canvas, session, first = canvas_of(opened), opened.session, opened.session.document
    for foot in ("foot_left", "foot_right"):
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at(opened, foot))
    session.reaching.set_method(Method(solver="multipliers"))
    points = way(at(opened, "pelvis"), 0, -40)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        move(canvas, point)
    opened.until(lambda: opened.snapshot is not None and bool(opened.snapshot.of(Arrows)))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=points[-1])
    opened.until(lambda: session.reaching.pulled is None)
    opened.settle()
    assert session.history.position == 1
    assert opened.snapshot is not None
    assert opened.snapshot.of(Arrows), "as long as the panel tells of them"
    for foot in ("foot_left", "foot_right"):
        assert np.linalg.norm(place(session.document, foot) - place(first, foot)) < 1e-5


def test_escape_leaves_everything_as_it_was(opened: Stage) -> None:
    session, first, canvas = opened.session, opened.session.document, canvas_of(opened)
    points = way(at(opened, "hand_left"), 30, -40)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        move(canvas, point)
    opened.until(lambda: session.shown is not first)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=points[-1])
    opened.settle()
    assert (session.document, session.shown, session.history.position) == (first, first, 0)
    assert not any(marker.pulled or marker.goal for marker in opened.view.markers)


def test_another_solver_gives_another_curve_and_a_second_one_a_ghost(opened: Stage) -> None:
    reaching = opened.session.reaching
    opened.window.docks["method"].raise_()
    panel = opened.window.docks["method"].findChild(MethodPanel)
    assert panel is not None
    session = opened.session
    session.do(edit("set_natural", actor=session.document.actors[0].id, natural=0.0))  # else none has much to do
    opened.settle()
    pull(opened, "hand_left", 20, -50)
    first = panel.answer.plot.lines
    press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    opened.settle()
    reaching.set_method(Method(solver="transpose"))
    pull(opened, "hand_left", 20, -50)
    assert panel.answer.plot.lines[0].values != first[0].values
    press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    opened.settle()
    reaching.set_method(Method())
    reaching.compare_with(Method(solver="transpose"))
    pull(opened, "hand_left", 20, -50)
    assert opened.snapshot is not None
    assert [item.role for item in opened.snapshot.bodies].count("ghost") == 1
    with_ghost = opened.view.grab_image()
    reaching.compare_with(None)
    opened.until(lambda: opened.snapshot is not None and len(opened.snapshot.bodies) == 1)
    opened.draw()
    assert changed(with_ghost, opened.view.grab_image()) > 0.0005, "it was seen"


def test_at_a_time_between_keys_the_pose_there_becomes_keys(the_window: OneWindow) -> None:
    contents = motion_toml.FORMAT.read(Path("resources/motions/wave.motion.toml"), Options())  # type: ignore[misc]
    assert contents.figure is not None
    actor = Actor(id="me", name="Waver", figure=contents.figure, layers=(*contents.layers, Layer(id="over")))
    with the_window.begun(Document(actors=(actor,))) as opened:
        time = 705_600_000 // 2
        opened.session.set_playhead(time)
        ready(opened)
        assert opened.snapshot is not None
        opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
        handle = opened.view.markers[0].id
        pull(opened, handle, -8, -12)
        reached = opened.session.reaching.reached
        assert reached is not None
        (stands,) = reached.outcome.places
        assert stands is not None
        assert np.linalg.norm(place(opened.session.document, handle, time) - np.array(stands)) < 1e-3
        assert opened.session.document.actors[0].layers[-1].values


def test_a_drag_calls_no_kernel_in_the_windows_thread(opened: Stage) -> None:
    with forbid_kernels_on(threading.main_thread()):
        pull(opened, "hand_left", 20, -30)
    assert not [entry for entry in opened.session.log if entry.kind == "error"]


def goal_at(opened: Stage) -> NDArray[np.float64] | None:
    """Where the goal of the last answer is seen in the canvas [px]."""
    reached = opened.session.reaching.reached
    if reached is None:
        return None
    goal, pane = np.array(reached.request.goals[0].target), opened.view.panes()[FRONT]  # type: ignore[union-attr]
    x, y, _ = opened.view.cameras[FRONT].project(goal, opened.view.size_of(FRONT)).tolist()
    return np.array((pane.x + x, pane.y + y))


def test_a_fast_drag_is_answered_move_by_move(opened: Stage) -> None:
    widget, start = canvas_of(opened), at(opened, "hand_left")
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=start)
    for step in range(30):
        angle = 2.0 * np.pi * step / 50
        spot = start + QPoint(round(20 * np.sin(angle)), -6 - round(20 * (1 - np.cos(angle))))

        def is_answered(spot: QPoint = spot) -> bool:
            """an answer whose goal is where the pointer went"""
            goal = goal_at(opened)
            return goal is not None and bool(np.abs(goal - (spot.x(), spot.y())).max() < 1.5)

        move(widget, spot)
        opened.until(is_answered)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=start)
    opened.until(lambda: opened.session.reaching.pulled is None)
    assert opened.session.history.position == 1

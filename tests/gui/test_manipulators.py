"""Manipulators in the real window: arrows and rings pulled with the mouse, numbers typed, steps, fine work and undo."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDoubleSpinBox

from app.scene.manipulator import Manipulator, Part, Pixel, Pull, strokes
from app.scene.panes import FRONT, PERSPECTIVE
from app.session import Item
from engine.document import Document, Joint
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.runtime.guard import forbid_kernels_on
from tests.gui.test_reaching import ready
from tests.gui.test_window import canvas_of, changed, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = [pytest.mark.gui, pytest.mark.usefixtures("unhurried")]

LEFT, SHIFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ELBOW, SHOULDER = "elbow_left", "shoulder_left"


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        open_stage.view.maximise(PERSPECTIVE)
        open_stage.settle()
        yield open_stage


def take(opened: Stage, key: Qt.Key, joint: str | None) -> None:
    """Select a joint of the first actor, or all of it, and press the tool's key."""
    opened.session.select([Item(opened.session.document.actors[0].id, joint)])
    opened.settle()
    press(opened, key)
    opened.settle()


def shown(opened: Stage) -> Manipulator:
    """The manipulator on the screen."""
    found = canvas_of(opened).manipulator.shown  # type: ignore[attr-defined]
    assert found is not None, "one is shown"
    return found.manipulator  # type: ignore[no-any-return]


def pull_of(opened: Stage) -> Pull | None:
    """What is pulled, as it is shown."""
    found = canvas_of(opened).manipulator.shown  # type: ignore[attr-defined]
    return None if found is None else found.pull


def point(opened: Stage, part: Part, share: float = 0.5, view: int = PERSPECTIVE) -> Pixel:
    """A pixel of a view on the line of a part."""
    seen = strokes(shown(opened), opened.view.cameras[view], opened.view.size_of(view))
    line = next(each.points for each in seen if each.part == part)
    place = share * (len(line) - 1)
    lower = min(int(place), len(line) - 2)
    x, y = (line[lower] + (place - lower) * (line[lower + 1] - line[lower])).tolist()
    return (x, y)


def on_canvas(opened: Stage, pixel: Pixel, view: int = PERSPECTIVE) -> QPoint:
    pane = opened.view.panes()[view]
    return QPoint(round(pane.x + pixel[0]), round(pane.y + pixel[1]))


def way(start: QPoint, end: QPoint, steps: int = 6) -> list[QPoint]:
    return [start + (end - start) * n / steps for n in range(steps + 1)]


def hold(opened: Stage, path: list[QPoint], modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press at the first point and move along the others, the button held."""
    QTest.mousePress(canvas_of(opened), LEFT, modifiers, path[0])
    for each in path[1:]:
        move(canvas_of(opened), each, modifiers=modifiers)
    answered(opened)


def answered(opened: Stage) -> None:
    """Until the newest preview is on the screen."""
    tool = opened.window.manipulators
    assert tool is not None
    pulled = tool._pulled
    assert pulled is not None
    assert pulled.gesture is not None
    opened.until(lambda: pulled.gesture is not None and pulled.gesture.caught_up)
    opened.settle()


def dragged(opened: Stage, path: list[QPoint], modifiers: Qt.KeyboardModifier | None = None) -> None:
    """Drag along a path and wait for the new document."""
    before = opened.session.document
    drag(canvas_of(opened), path, modifiers=modifiers)
    opened.until(lambda: opened.session.document is not before)
    opened.settle()


def typed(opened: Stage, text: str) -> None:
    QTest.keyClicks(canvas_of(opened), text)


def labels(opened: Stage) -> list[str]:
    return [entry.label for entry in opened.session.history.entries][1 : opened.session.history.position + 1]


def joint_of(document: Document, id: str) -> Joint:
    return document.actors[0].figure.joint(id)


def values(document: Document) -> dict[str, float]:
    return dict(document.actors[0].layers[-1].by_coordinate)


def frame(document: Document, joint: str, actor: int = 0) -> Array:
    owner = document.actors[actor]
    return np.asarray(Evaluator().joint_transforms(document, owner.id)[owner.figure.joint_index[joint]])


def only_ring(opened: Stage) -> Part:
    (part,) = shown(opened).parts
    return part


def test_an_elbow_is_turned_by_its_ring_by_thirty_degrees_with_snapping_and_undone(opened: Stage) -> None:
    first, (dof,) = opened.session.document, joint_of(opened.session.document, ELBOW).dofs
    take(opened, Qt.Key.Key_E, ELBOW)
    ring = only_ring(opened)
    bends = math.copysign(1.0, dof.clamp(1.0) + dof.clamp(-1.0))
    QTest.mousePress(canvas_of(opened), LEFT, SHIFT, on_canvas(opened, point(opened, ring)))
    steps: list[QPoint] = []
    for sign in (1, -1):
        steps = [on_canvas(opened, point(opened, ring, 0.5 + sign * 0.01 * n)) for n in range(1, 30)]
        move(canvas_of(opened), steps[3], modifiers=SHIFT)
        pull = pull_of(opened)
        assert pull is not None
        if pull.angle * bends > 0.0:
            break
    for each in steps:
        move(canvas_of(opened), each, modifiers=SHIFT)
        pull = pull_of(opened)
        assert pull is not None
        assert pull.step == pytest.approx(math.radians(5.0)), "ticks are shown"
        if abs(pull.angle) > math.radians(29.0):
            break
    opened.settle()
    assert pull is not None
    assert "30.0°" in pull.words
    QTest.mouseRelease(canvas_of(opened), LEFT, SHIFT, each)
    opened.until(lambda: opened.session.document is not first)
    opened.settle()
    assert values(opened.session.document) == {dof.id: pytest.approx(bends * math.radians(30.0), abs=1e-9)}
    assert labels(opened) == ["Rotate Left elbow"]
    press(opened, Qt.Key.Key_Z, CTRL)
    opened.settle()
    assert opened.session.document is first


def test_a_hinge_shows_its_own_ring_alone_and_a_shoulder_all_of_them(opened: Stage) -> None:
    take(opened, Qt.Key.Key_E, ELBOW)
    assert len(shown(opened).parts) == 1
    axis = joint_of(opened.session.document, ELBOW).dofs[0].axis
    assert np.array(shown(opened).axes)["xyz".index(only_ring(opened))] == pytest.approx(
        frame(opened.session.document, ELBOW)[:, :3] @ axis, abs=1e-6
    )
    opened.session.select([Item(opened.session.document.actors[0].id, SHOULDER)])
    opened.settle()
    assert shown(opened).parts == {"x", "y", "z", "view", "free"}


def test_a_box_is_moved_along_x_by_a_typed_number(opened: Stage) -> None:
    opened.window.menus.actions["add.box"].trigger()
    opened.settle()
    before = opened.session.document
    place = frame(before, "body", -1)[:, 3]
    press(opened, Qt.Key.Key_W)
    typed(opened, "x0.5m")
    opened.until(lambda: opened.session.shown is not before)
    pull = pull_of(opened)
    assert pull is not None
    assert (pull.view, "0.5m" in pull.words) == (PERSPECTIVE, True), "it is written where it can be seen"
    QTest.keyClick(canvas_of(opened), Qt.Key.Key_Return)
    opened.until(lambda: opened.session.document is not before)
    assert frame(opened.session.document, "body", -1)[:, 3] - place == pytest.approx((0.5, 0.0, 0.0), abs=1e-12)
    assert labels(opened)[-1] == "Move Box"
    press(opened, Qt.Key.Key_Z, CTRL)
    opened.settle()
    assert opened.session.document is before


def test_a_box_is_dragged_by_an_arrow_and_stays_on_its_axis(opened: Stage) -> None:
    opened.window.menus.actions["add.box"].trigger()
    opened.settle()
    press(opened, Qt.Key.Key_W)
    opened.settle()
    before = frame(opened.session.document, "body", -1)[:, 3]
    start = on_canvas(opened, point(opened, "y", 0.9))
    dragged(opened, way(start, start - QPoint(0, 60)))
    moved = frame(opened.session.document, "body", -1)[:, 3] - before
    assert moved[1] > 0.05
    assert moved[[0, 2]] == pytest.approx((0.0, 0.0), abs=1e-9)


def test_ctrl_counts_a_tenth_from_where_it_was_pressed(opened: Stage) -> None:
    take(opened, Qt.Key.Key_W, None)
    start = on_canvas(opened, point(opened, "y", 0.9))
    up = QPoint(0, -1)
    hold(opened, way(start, start + up * 40))
    coarse = _height(opened)
    move(canvas_of(opened), start + up * 40, modifiers=CTRL)
    answered(opened)
    jump = _height(opened) - coarse
    move(canvas_of(opened), start + up * 80, modifiers=CTRL)
    answered(opened)
    fine = _height(opened) - coarse
    QTest.mouseRelease(canvas_of(opened), LEFT, CTRL, start + up * 80)
    opened.until(lambda: labels(opened) == ["Move Human"])
    assert coarse > 0.05
    assert jump == pytest.approx(0.0, abs=1e-12), "no jump"
    assert fine == pytest.approx(0.1 * coarse, rel=0.05)


def _height(opened: Stage) -> float:
    return opened.session.shown.actors[0].placement.position[1]


@pytest.mark.parametrize("how", ["escape", "right button"])
def test_escape_or_the_right_button_leaves_everything_as_it_was(opened: Stage, how: str) -> None:
    first = opened.session.document
    take(opened, Qt.Key.Key_E, SHOULDER)
    start = on_canvas(opened, point(opened, "y", 0.3))
    hold(opened, way(start, start + QPoint(40, 10)))
    opened.until(lambda: opened.session.shown is not first)
    if how == "escape":
        QTest.keyClick(canvas_of(opened), Qt.Key.Key_Escape)
    else:
        QTest.mousePress(canvas_of(opened), Qt.MouseButton.RightButton, pos=start + QPoint(40, 10))
        QTest.mouseRelease(canvas_of(opened), Qt.MouseButton.RightButton, pos=start + QPoint(40, 10))
    QTest.mouseRelease(canvas_of(opened), LEFT, pos=start + QPoint(40, 10))
    opened.settle()
    assert (opened.session.document, opened.session.shown, labels(opened)) == (first, first, [])
    assert pull_of(opened) is None
    assert shown(opened).kind == "rotate", "the tool stays in the hand"


def test_a_number_typed_right_after_a_pull_takes_its_place_in_the_history(opened: Stage) -> None:
    take(opened, Qt.Key.Key_E, SHOULDER)
    start = on_canvas(opened, point(opened, "y", 0.3))
    before = frame(opened.session.document, SHOULDER)[:, :3]
    dragged(opened, way(start, start + QPoint(30, 5)))
    first = opened.session.document
    typed(opened, "-12.5")
    QTest.keyClick(canvas_of(opened), Qt.Key.Key_Backspace)
    QTest.keyClick(canvas_of(opened), Qt.Key.Key_Return)
    opened.until(lambda: opened.session.document is not first and opened.session.history.position == 1)
    opened.settle()
    assert labels(opened) == ["Rotate Left shoulder"]
    turn = before.T @ frame(opened.session.document, SHOULDER)[:, :3]
    assert math.degrees(math.atan2(turn[0, 2], turn[0, 0])) == pytest.approx(-12.0, abs=1e-6)
    assert turn[:, 1] == pytest.approx((0.0, 1.0, 0.0), abs=1e-9)


def test_escape_throws_a_typed_number_away_and_brings_the_pull_before_it_back(opened: Stage) -> None:
    take(opened, Qt.Key.Key_W, None)
    start = on_canvas(opened, point(opened, "y", 0.9))
    dragged(opened, way(start, start - QPoint(0, 30)))
    kept = opened.session.document
    typed(opened, "70")
    opened.until(lambda: _height(opened) > 0.69)
    QTest.keyClick(canvas_of(opened), Qt.Key.Key_Escape)
    opened.settle()
    assert opened.session.document is kept
    typed(opened, "1")
    opened.settle()
    assert opened.view.maximised == PERSPECTIVE
    assert opened.view.cameras[PERSPECTIVE].azimuth == 0.0, "figures are for views again"


def test_a_turn_beyond_a_limit_stops_there_and_says_so(opened: Stage) -> None:
    take(opened, Qt.Key.Key_E, ELBOW)
    (dof,) = joint_of(opened.session.document, ELBOW).dofs
    before = opened.session.document
    typed(opened, only_ring(opened))
    typed(opened, "175")
    opened.until(lambda: (pull := pull_of(opened)) is not None and "at its limit" in pull.words)
    pull = pull_of(opened)
    assert pull is not None
    assert pull.warns
    assert pull.angle == pytest.approx(dof.clamp(math.pi), abs=1e-5), "the sector ends there, too"
    QTest.keyClick(canvas_of(opened), Qt.Key.Key_Return)
    opened.until(lambda: opened.session.document is not before or not labels(opened))
    assert values(opened.session.document).get(dof.id, 0.0) == dof.clamp(math.radians(175.0))


def test_q_puts_the_manipulator_away_and_the_next_key_brings_the_other_one(opened: Stage) -> None:
    take(opened, Qt.Key.Key_W, None)
    assert shown(opened).kind == "move"
    with_arrows = opened.view.grab_image()
    press(opened, Qt.Key.Key_E)
    opened.settle()
    assert shown(opened).kind == "rotate"
    assert changed(with_arrows, opened.view.grab_image()) > 0.001
    assert opened.window.menus.actions["tool.rotate"].isChecked()
    press(opened, Qt.Key.Key_Q)
    opened.settle()
    assert canvas_of(opened).manipulator.shown is None  # type: ignore[attr-defined]
    assert opened.window.menus.actions["tool.pose"].isChecked()


def test_the_axes_are_the_joints_own_its_parents_or_the_worlds(opened: Stage) -> None:
    take(opened, Qt.Key.Key_E, SHOULDER)
    document = opened.session.document
    parent = joint_of(document, SHOULDER).parent
    assert parent is not None
    wanted = {"local": frame(document, SHOULDER)[:, :3], "parent": frame(document, parent)[:, :3], "world": np.eye(3)}
    press(opened, Qt.Key.Key_Escape)
    for name in ("local", "parent", "world"):
        assert opened.window.preferences.axes == name
        assert np.abs(np.array(shown(opened).axes).T - wanted[name]).max() < 1e-6
        assert opened.window.menus.actions[f"tool.axes_{name}"].isChecked()
        press(opened, Qt.Key.Key_X)
        opened.settle()
    for name in ("world", "parent", "local"):
        opened.window.menus.actions[f"tool.axes_{name}"].trigger()
        assert opened.window.preferences.axes == name


def test_a_hand_is_moved_by_its_chain(opened: Stage) -> None:
    ready(opened)
    take(opened, Qt.Key.Key_W, "wrist_left")
    before = frame(opened.session.document, "wrist_left")[:, 3]
    start = on_canvas(opened, point(opened, "view", 0.0))
    dragged(opened, way(start, start + QPoint(-20, -25)))
    assert labels(opened) == ["Move Left wrist"]
    assert np.linalg.norm(frame(opened.session.document, "wrist_left")[:, 3] - before) > 0.03
    assert frame(opened.session.document, "wrist_right") == pytest.approx(
        frame(opened.session.history.document, "wrist_right"), abs=1e-9
    )


def test_a_whole_figure_is_turned_about_its_root_by_a_typed_number(opened: Stage) -> None:
    take(opened, Qt.Key.Key_E, None)
    root = opened.session.document.actors[0].figure.joints[0].id
    first, before = frame(opened.session.document, root), opened.session.document
    typed(opened, "y90")
    QTest.keyClick(canvas_of(opened), Qt.Key.Key_Enter)
    opened.until(lambda: opened.session.document is not before)
    after = frame(opened.session.document, root)
    assert after[:, 3] == pytest.approx(first[:, 3], abs=1e-12)
    assert after[:, 2] == pytest.approx(first[:, 0], abs=1e-9) or after[:, 0] == pytest.approx(-first[:, 2], abs=1e-9)
    assert labels(opened) == ["Rotate Human"]


def test_steps_are_set_in_the_preferences_and_snapping_by_its_key(opened: Stage) -> None:
    opened.window.menus.actions["tool.steps"].trigger()
    sheet = opened.window.findChild(object, "preferences")  # type: ignore[type-var]
    boxes = [each for each in sheet.findChildren(QDoubleSpinBox) if each.isVisible()]  # type: ignore[attr-defined]
    assert [box.suffix() for box in boxes] == ["°", " cm"], "the page of posing"
    boxes[1].setFocus()
    boxes[1].selectAll()
    QTest.keyClicks(boxes[1], "25")
    QTest.keyClick(boxes[1], Qt.Key.Key_Return)
    sheet.close()  # type: ignore[attr-defined]
    opened.until(opened.window.isActiveWindow)
    assert opened.window.preferences.length_step == 25.0
    press(opened, Qt.Key.Key_X, SHIFT)
    assert opened.window.preferences.snaps
    opened.window.menus.actions["tool.grid"].trigger()
    opened.window.menus.actions["tool.axes_world"].trigger()
    take(opened, Qt.Key.Key_W, None)
    start = on_canvas(opened, point(opened, "y", 0.9))
    dragged(opened, way(start, start - QPoint(0, 45)))
    root = opened.session.document.actors[0].figure.joints[0].id
    height = frame(opened.session.document, root)[1, 3]
    assert height / 0.25 == pytest.approx(round(height / 0.25), abs=1e-5), "the place lies on a line of the grid"


@pytest.mark.parametrize(("snaps", "keys"), [(True, Qt.KeyboardModifier.NoModifier), (False, SHIFT)])
def test_shift_turns_snapping_about(opened: Stage, snaps: bool, keys: Qt.KeyboardModifier) -> None:
    opened.window.prefer(snaps=snaps)
    take(opened, Qt.Key.Key_E, ELBOW)
    ring = only_ring(opened)
    path = [on_canvas(opened, point(opened, ring, 0.5 + 0.02 * n)) for n in range(6)]
    for modifiers in (Qt.KeyboardModifier.NoModifier, SHIFT):
        hold(opened, path, modifiers)
        pull = pull_of(opened)
        assert pull is not None
        assert (pull.step > 0.0) == (modifiers == keys)
        press(opened, Qt.Key.Key_Escape)
        QTest.mouseRelease(canvas_of(opened), LEFT, modifiers, path[-1])
        opened.settle()
    assert labels(opened) == []


def test_a_lock_is_moved_and_what_is_frozen_is_not(opened: Stage) -> None:
    actor = opened.session.document.actors[0].id
    opened.session.select([Item(actor, "wrist_left")])
    opened.window.menus.actions["lock.position"].trigger()
    opened.until(lambda: bool(opened.session.document.actors[0].locks))
    lock = opened.session.document.actors[0].locks[0]
    opened.session.select([Item(actor, "wrist_left", lock.id)])
    opened.settle()
    press(opened, Qt.Key.Key_W)
    before = opened.session.document
    typed(opened, "y-5")
    QTest.keyClick(canvas_of(opened), Qt.Key.Key_Return)
    opened.until(lambda: opened.session.document is not before)
    now = opened.session.document.actors[0].locks[0].position
    assert np.subtract(now, lock.position) == pytest.approx(np.array(shown(opened).axes)[1] * -0.05, abs=1e-6)
    frozen = replace(opened.session.document.actors[0], frozen=True)
    assert frozen.frozen
    opened.window.menus.actions["view.freeze"].trigger()
    opened.settle()
    assert canvas_of(opened).manipulator.shown is None  # type: ignore[attr-defined]


def test_the_tool_calls_no_kernel_in_the_windows_thread(opened: Stage) -> None:
    take(opened, Qt.Key.Key_E, SHOULDER)
    start = on_canvas(opened, point(opened, "y", 0.3))
    with forbid_kernels_on(threading.main_thread()):
        dragged(opened, way(start, start + QPoint(30, 5)))
    assert not [entry for entry in opened.session.log if entry.kind == "error"]


def test_undo_and_a_new_selection_in_the_middle_of_a_pull_leave_no_half_edit(opened: Stage) -> None:
    take(opened, Qt.Key.Key_E, SHOULDER)
    first, actor = opened.session.document, opened.session.document.actors[0].id
    start = on_canvas(opened, point(opened, "y", 0.3))
    hold(opened, way(start, start + QPoint(30, 5)))
    opened.session.select([Item(actor, ELBOW)])
    move(canvas_of(opened), start + QPoint(50, 5))
    QTest.mouseRelease(canvas_of(opened), LEFT, pos=start + QPoint(50, 5))
    opened.settle()
    assert opened.session.document is first
    assert len(shown(opened).parts) == 1, "the elbow's"


def test_arrows_are_seen_in_every_view(opened: Stage) -> None:
    opened.view.maximise(None)
    opened.settle()
    without = opened.view.grab_image()
    take(opened, Qt.Key.Key_W, None)
    opened.draw()
    assert changed(without, opened.view.grab_image()) > 0.002
    start = on_canvas(opened, point(opened, "y", 0.9, FRONT), FRONT)
    dragged(opened, way(start, start - QPoint(0, 30)))
    assert opened.session.document.actors[0].placement.position[1] > 0.02


def test_several_joints_are_turned_together_by_the_ring_and_undone_as_one(opened: Stage) -> None:
    owner, first = opened.session.document.actors[0].id, opened.session.document
    opened.session.select([Item(owner, "hip_left"), Item(owner, SHOULDER)])
    opened.settle()
    press(opened, Qt.Key.Key_E)
    opened.settle()
    start = on_canvas(opened, point(opened, "y", 0.3))
    dragged(opened, way(start, start + QPoint(30, 5)))
    turned = {name.split(".")[0] for name, value in values(opened.session.document).items() if value}
    assert turned == {"hip_left", SHOULDER}
    assert len(labels(opened)) == 1
    press(opened, Qt.Key.Key_Z, CTRL)
    opened.settle()
    assert opened.session.document is first


def test_an_arrow_and_a_ring_move_and_turn_a_joint_of_the_figure_that_is_edited(opened: Stage) -> None:
    take(opened, Qt.Key.Key_W, SHOULDER)
    press(opened, Qt.Key.Key_E, SHIFT)  # figure.edit
    opened.settle()
    first = joint_of(opened.session.document, SHOULDER)
    start = on_canvas(opened, point(opened, "y", 0.9))
    dragged(opened, way(start, start - QPoint(0, 30)))
    moved = joint_of(opened.session.document, SHOULDER)
    assert moved.offset != first.offset
    assert moved.rest == first.rest
    press(opened, Qt.Key.Key_E)
    opened.settle()
    start = on_canvas(opened, point(opened, "y", 0.3))
    dragged(opened, way(start, start + QPoint(30, 5)))
    assert joint_of(opened.session.document, SHOULDER).rest != moved.rest
    assert joint_of(opened.session.document, SHOULDER).offset == moved.offset
    for _ in range(2):
        press(opened, Qt.Key.Key_Z, CTRL)
        opened.settle()
    assert joint_of(opened.session.document, SHOULDER) == first

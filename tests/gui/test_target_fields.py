"""What targets ask for, wishes, presets by region and the bake in the dock, with real mouse and key events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QWidget

from app.features.secondary.current_secondary import CurrentSecondary
from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.panel import SecondaryPanel
from app.features.secondary.targets import TargetsSection
from app.session import Item
from engine.document import Document, Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.document.presets import joints_in
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from tests.gui.aimed import HAND, WITHIN, begun_with, drag_middle, missed, panel_of, section_of, target
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
LATER = 6 * SECOND // 5


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged()


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    with begun_with(window) as begun:
        yield begun


@pytest.fixture
def panel(opened: Stage) -> SecondaryPanel:
    return panel_of(opened)


@pytest.fixture
def section(opened: Stage, panel: SecondaryPanel) -> TargetsSection:
    return section_of(opened, panel)


def click(opened: Stage, widget: QWidget) -> None:
    assert widget.isEnabled()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.rect().center())
    opened.until(lambda: opened.session.at_rest)
    opened.settle()


def trigger(opened: Stage, action: str) -> None:
    opened.window.menus.refresh()
    assert opened.window.menus.actions[action].isEnabled()
    opened.window.menus.actions[action].trigger()
    opened.until(lambda: opened.session.at_rest)
    opened.settle()


def choose(opened: Stage, box: QComboBox, at: int) -> None:
    """By its keys, as a person does who does not open it."""
    box.setFocus()
    way = Qt.Key.Key_Down if at > box.currentIndex() else Qt.Key.Key_Up
    for _ in range(abs(at - box.currentIndex())):
        QTest.keyClick(box, way)
    opened.until(lambda: opened.session.at_rest)
    opened.settle()


def hand(document: Document, time: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    actor = document.actors[0]
    return Evaluator().joint_transforms(document, actor.id, time)[actor.figure.joint_index[HAND], :, 3]


def go_to(opened: Stage, time: int) -> None:
    opened.session.set_playhead(time)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
    opened.settle()


def test_a_place_is_taken_from_here_dragged_in_one_entry_and_given_back_to_the_keys(
    opened: Stage, section: TargetsSection
) -> None:
    told, session = section.wanted.told["position"], opened.session
    assert told.state.text() == "as the keys have it"
    assert not told.sliders[0].isVisible()
    go_to(opened, LATER)
    click(opened, told.take)
    there = target(opened).position
    assert there is not None
    assert np.allclose(there, hand(session.document, LATER), atol=1e-9)
    assert told.sliders[1].isVisible()
    assert told.sliders[1].value == pytest.approx(there[1])
    drag_middle(opened, told)
    moved = target(opened).position
    assert moved is not None
    assert moved[1] != there[1]
    assert (moved[0], moved[2]) == (there[0], there[2])
    session.undo()
    assert target(opened).position == there
    click(opened, told.as_keyed)
    assert target(opened).position is None
    assert not told.sliders[0].isVisible()


def test_a_turn_is_typed_in_degrees_and_a_velocity_in_metres_per_second(opened: Stage, section: TargetsSection) -> None:
    velocity = section.wanted.told["speed"]
    assert not velocity.isVisible()
    click_at_start(section.velocity)
    opened.until(lambda: opened.session.at_rest and target(opened).velocity)
    opened.settle()
    click(opened, velocity.take)
    enter(opened, velocity.sliders[2], "1.5")
    speed = target(opened).speed
    assert speed is not None
    assert speed[2] == pytest.approx(1.5)
    choose(opened, section.wanted.kind, 1)
    made = target(opened)
    assert (made.kind, made.speed, made.velocity) == ("turn", None, False)
    turn = section.wanted.told["rotation"]
    click(opened, turn.take)
    enter(opened, turn.sliders[0], "30")
    assert target(opened).rotation is not None
    assert turn.sliders[0].value == pytest.approx(np.radians(30.0))
    opened.session.undo()
    opened.session.undo()
    assert target(opened).rotation is None


def click_at_start(box: QAbstractButton) -> None:
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))


def enter(opened: Stage, slider: QWidget, text: str) -> None:
    """Type a number over the present one."""
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Return)
    editor = slider.findChild(QWidget)
    assert editor is not None
    QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    opened.until(lambda: opened.session.at_rest)
    opened.settle()


def test_a_pose_is_about_the_selected_joints_and_takes_theirs(opened: Stage, section: TargetsSection) -> None:
    session, actor = opened.session, opened.session.document.actors[0].id
    session.do(edit("add_targets", actor=actor, targets=(Target(id="pose", time=LATER),)))
    session.of(CurrentTargets).choose("pose")
    opened.settle()
    assert section.wanted.joints.isVisible()
    choose(opened, section.wanted.joints, 1)
    assert target(opened, 1).joints is None
    assert section.wanted.joints.currentIndex() == 0
    assert "Select joints" in session.log[-1].text
    session.select([Item(actor, "elbow_right")])
    opened.settle()
    choose(opened, section.wanted.joints, 1)
    assert target(opened, 1).joints == ("elbow_right",)
    assert section.wanted.joints.currentText() == "Right elbow"
    click(opened, section.wanted.told["values"].take)
    values = target(opened, 1).values
    assert values is not None
    assert {name.partition(".")[0] for name, _ in values} == {"elbow_right"}
    choose(opened, section.wanted.joints, 0)
    assert (target(opened, 1).joints, target(opened, 1).values) == (None, None)


def test_a_draft_between_targets_is_kept_as_a_wish_and_the_target_is_still_met(
    opened: Stage, section: TargetsSection
) -> None:
    session, when = opened.session, frame_time(21, (30, 1))
    actor = session.document.actors[0]
    assert not section.keep.isEnabled()
    go_to(opened, when)
    drafted = edit(
        "set_draft", actor=actor.id, layer=actor.layers[0].id, time=when, values=(("elbow_right.flexion", 0.9),)
    )
    session.do(drafted)
    opened.until(lambda: session.at_rest)
    opened.until(section.keep.isEnabled)
    entries = len(session.history.entries)
    click(opened, section.keep)
    assert len(session.history.entries) == entries + 1
    kinds = [each.kind for each in session.of(CurrentTargets).targets]
    assert kinds == ["point", "wish"]
    assert session.of(CurrentTargets).target is session.of(CurrentTargets).targets[1]
    assert section.list.item(1).text().startswith("Null-space edit \N{MIDDLE DOT} 0.70 s \N{MIDDLE DOT} up to ")
    assert not section.wanted.isVisible()
    assert section.width_slider.isVisible()
    assert missed(session.document, SECOND) <= WITHIN
    figure = session.document.actors[0].figure
    q = Evaluator().coordinates(session.document, actor.id, [when])[0]
    assert q[figure.coordinate_index["elbow_right.flexion"]] == pytest.approx(0.9, abs=1e-5)
    assert not section.keep.isEnabled()
    session.undo()
    opened.settle()
    assert session.document.actors[0].layers[0].draft_at(when) is not None
    before = session.document
    trigger(opened, "targets.keep")
    assert session.document is not before
    assert [each.kind for each in session.of(CurrentTargets).targets] == ["point", "wish"]
    session.of(CurrentTargets).choose(session.of(CurrentTargets).targets[1].id)
    opened.settle()
    click(opened, section.remove)
    assert [each.kind for each in session.of(CurrentTargets).targets] == ["point"]


def test_a_preset_of_a_region_leaves_the_rest_of_the_body(opened: Stage, panel: SecondaryPanel) -> None:
    panel.sections["targets"].header.set_unfolded(False)
    panel.sections["all"].header.set_unfolded(True)
    opened.settle()
    fields, actor = panel.gains[False], opened.session.document.actors[0]
    names = [fields.region.itemText(at) for at in range(fields.region.count())]
    assert names == ["All of the body", "Trunk", "Head and neck", "Arms", "Hands", "Legs"]
    choose(opened, fields.region, names.index("Legs"))
    click(opened, fields.presets["tired"])
    secondary = opened.session.document.actors[0].secondary
    assert secondary is not None
    assert tuple(each.joint for each in secondary.own) == joints_in(actor.figure, "leg")
    assert {"hip_left", "knee_right"} <= {each.joint for each in secondary.own}
    choose(opened, fields.region, 0)
    click(opened, fields.presets["tense"])
    secondary = opened.session.document.actors[0].secondary
    assert secondary is not None
    assert {"shoulder_left", "hip_left"} <= {each.joint for each in secondary.own}


def test_bake_makes_what_is_seen_a_layer_and_undo_gives_all_of_it_back(opened: Stage, panel: SecondaryPanel) -> None:
    session, frames = opened.session, [frame_time(frame, (30, 1)) for frame in (0, 17, 33, 60)]
    before = session.document
    actor = before.actors[0].id
    click(opened, panel.bake)
    opened.until(lambda: session.document is not before and session.at_rest)
    after = session.document
    assert not after.actors[0].swings
    rows = [Evaluator().coordinates(each, actor, frames) for each in (before, after)]
    assert rows[0].tobytes() == rows[1].tobytes()
    assert not panel.bake.isVisible()
    session.undo()
    opened.settle()
    assert session.document is before
    assert panel.bake.isVisible()
    trigger(opened, "secondary.bake")
    assert not session.document.actors[0].swings
    opened.window.menus.refresh()
    assert not opened.window.menus.actions["secondary.bake"].isEnabled()


def test_why_a_target_is_missed_is_read_whole_at_the_docks_usual_width(opened: Stage, section: TargetsSection) -> None:
    session = opened.session
    session.of(CurrentTargets).change(position=(9.0, 0.0, 0.0))
    click(opened, section.meet)
    opened.until(lambda: session.of(CurrentTargets).is_fresh)
    opened.settle()
    text = section.told.text()
    assert "1 of 1 target missed" in text
    assert "No pose within the limits" in text
    assert section.told.width() >= 240
    assert section.told.height() >= section.told.heightForWidth(section.told.width())
    row = section.list.item(0)
    assert "missed by" in row.text()
    assert section.list.visualItemRect(row).width() >= section.list.fontMetrics().horizontalAdvance(row.text())


def test_the_smallest_that_is_seen_is_told_in_pixels_of_the_camera_or_in_centimetres(
    opened: Stage, panel: SecondaryPanel
) -> None:
    current, actor = opened.session.of(CurrentSecondary), opened.session.document.actors[0]
    panel.sections["targets"].header.set_unfolded(False)
    panel.sections["window"].header.set_unfolded(True)
    opened.session.select([Item(actor.id, "elbow_right")])
    opened.settle()
    fields = panel.window_fields
    assert fields is not None
    opened.until(lambda: current.found is not None and current.found.wanted.joints == ("elbow_right",))
    degrees = current.found
    assert degrees is not None
    assert fields.leasts["angle"].isVisible()
    choose(opened, fields.unit, 1)
    opened.until(lambda: current.found is not None and current.found.wanted.unit == "pixels")
    pixels = current.found
    assert pixels is not None
    assert fields.leasts["pixels"].isVisible()
    assert not fields.leasts["angle"].isVisible()
    frames = Evaluator().joint_transforms(opened.session.document, actor.id, opened.session.playhead)
    index, view = actor.figure.joint_index, opened.view.active
    camera, size = opened.view.cameras[view], opened.view.size_of(view)
    tip, elbow = frames[index["wrist_right"], :, 3], frames[index["elbow_right"], :, 3]
    arm = float(np.linalg.norm(tip - elbow))
    least = arm / camera.metres_per_pixel(tip, size)
    ratio = float(pixels.sizes.max() / degrees.sizes.max())
    assert least < ratio < 3.0 * least, "the hand and its fingers reach beyond the wrist"
    assert fields.plot.extent[1] >= pixels.sizes.max()
    before = pixels.settled
    opened.view.set_camera(view, replace(camera, distance=8.0 * camera.distance))
    click(opened, fields.suggest)
    opened.until(lambda: current.found is not pixels and current.found is not None)
    farther = current.found
    assert farther is not None
    assert farther.settled < before, "from far less is seen"
    choose(opened, fields.unit, 2)
    opened.until(lambda: current.found is not None and current.found.wanted.unit == "length")
    assert current.found.sizes.max() / degrees.sizes.max() == pytest.approx(ratio / least * arm, rel=0.05)  # type: ignore[union-attr]
    choose(opened, fields.unit, 0)

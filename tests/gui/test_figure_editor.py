"""The figure editor in the real window: a desk lamp from nothing, by mouse and keys, and everything undone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.features.figure.bar import FigureBar
from app.features.figure.drivers import NOTHING, DriverNumbers
from app.features.figure.numbers import Numbers
from app.features.figure.page import JointPage
from app.features.figure.panel import FigurePanel
from app.scene.markers import place_markers
from app.session import Item
from engine.document import Actor, Box, Capsule, Document, Figure
from engine.document.freedoms import kind_of
from engine.edits import edit
from engine.formats import figure_toml
from engine.formats.figure_toml import load_figure
from tests.app.shell.answers import Answers
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui

FRONT, RIGHT = 2, 3
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def opened(the_window: OneWindow, answers: Answers) -> Iterator[Stage]:
    with the_window.begun(Document(), questions=answers) as open_stage:
        yield open_stage


def figure(opened: Stage) -> Figure:
    return opened.session.document.actors[-1].figure


def press(opened: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    widget = opened.window.focusWidget() or opened.window
    QTest.keyClick(widget, key, modifiers)
    opened.settle()


def act(opened: Stage, action: str) -> None:
    """Choose an entry of a menu."""
    assert opened.window.menus.actions[action].isEnabled(), action
    opened.window.menus.actions[action].trigger()
    opened.settle()


def changed_by(opened: Stage, do: Callable[[], object]) -> None:
    """Do it, and wait for the new document."""
    before = opened.session.document
    do()
    opened.until(lambda: opened.session.document is not before)
    opened.settle()


def panel(opened: Stage) -> FigurePanel:
    found = opened.window.docks["figure"].widget()
    assert isinstance(found, FigurePanel)
    return found


def page(opened: Stage) -> JointPage:
    found = panel(opened).page
    assert found is not None
    return found


def numbers(opened: Stage, key: str) -> Numbers:
    """A section of the panel, unfolded."""
    header = page(opened).sections[key].header
    if not header.unfolded:
        QTest.mouseClick(header, Qt.MouseButton.LeftButton, pos=QPoint(30, header.height() // 2))
    return page(opened).numbers[key]


def click(widget: QWidget) -> None:
    at = QPoint(8, widget.height() // 2) if isinstance(widget, QCheckBox) else widget.rect().center()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)


def choose(opened: Stage, box: QComboBox, text: str) -> None:
    """Choose with the keys."""
    assert box.findText(text) >= 0, [box.itemText(at) for at in range(box.count())]
    box.setFocus()
    way = box.findText(text) - box.currentIndex()
    changed_by(
        opened, lambda: [QTest.keyClick(box, Qt.Key.Key_Down if way > 0 else Qt.Key.Key_Up) for _ in range(abs(way))]
    )


def enter(opened: Stage, key: str, name: str, text: str) -> None:
    """Type a number into a slider."""
    slider = numbers(opened, key).sliders[name]
    slider.setFocus()

    def type_it() -> None:
        QTest.keyClick(slider, Qt.Key.Key_Return)
        field = opened.window.focusWidget()
        assert field is not None
        QTest.keyClick(field, Qt.Key.Key_A, CONTROL)
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)

    changed_by(opened, type_it)


def canvas_of(opened: Stage) -> QWidget:
    found = opened.view.findChild(QWidget, "canvas") or opened.view._canvas
    assert isinstance(found, QWidget)
    return found


def at(opened: Stage, marker: str, view: int = FRONT) -> QPoint:
    """Where a mark is seen in a view."""
    assert opened.snapshot is not None
    found = next(
        each for each in place_markers(opened.view.markers, opened.snapshot.bodies) if each.marker.id == marker
    )
    pane = opened.view.panes()[view]
    x, y, _ = opened.view.cameras[view].project(np.array(found.place), opened.view.size_of(view)).tolist()
    return QPoint(round(pane.x + x), round(pane.y + y))


def pull(
    opened: Stage, marker: str, right: int, down: int, view: int = FRONT, keys: Qt.KeyboardModifier = NONE
) -> None:
    start = at(opened, marker, view)
    path = [start + QPoint(right * n // 8, down * n // 8) for n in range(9)]
    changed_by(opened, lambda: drag(canvas_of(opened), path, modifiers=keys))


def label(opened: Stage) -> str:
    return opened.session.history.entries[opened.session.history.position].label


def undo_all(opened: Stage) -> None:
    while opened.session.history.undo_entry is not None:
        changed_by(opened, lambda: press(opened, Qt.Key.Key_Z, CONTROL))


def build_lamp(opened: Stage) -> None:
    """A base, two arms and a head, each on the end of the one before."""
    act(opened, "add.figure")
    opened.window.show_panel("figure")
    opened.settle()
    for name in ("Lower arm", "Upper arm", "Head"):
        press(opened, Qt.Key.Key_B, SHIFT)
        field = page(opened).name
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, name)
        changed_by(opened, partial(QTest.keyClick, field, Qt.Key.Key_Return))


@pytest.fixture(scope="module")
def built(the_window: OneWindow) -> Document:
    with the_window.begun(Document()) as opened:
        build_lamp(opened)
        return opened.session.document


@pytest.fixture
def lamp(the_window: OneWindow, answers: Answers, built: Document) -> Iterator[Stage]:
    """With the lamp, its head selected."""
    with the_window.begun(built, questions=answers) as opened:
        opened.session.select([Item(built.actors[-1].id, figure(opened).joints[3].id)])
        opened.window.show_panel("figure")
        opened.settle()
        yield opened


def test_the_lamp_is_built_from_nothing_dragged_and_undone(opened: Stage) -> None:
    first = opened.session.document
    build_lamp(opened)
    assert [joint.name for joint in figure(opened).joints] == ["Base", "Lower arm", "Upper arm", "Head"]
    assert [kind_of(joint.dofs) for joint in figure(opened).joints] == ["fixed", "hinge", "hinge", "hinge"]
    freedom = page(opened).numbers["freedom"]
    choose(opened, freedom.kind, "Ball")  # type: ignore[attr-defined]
    assert kind_of(figure(opened).joints[3].dofs) == "ball"
    choose(opened, page(opened).numbers["freedom"].order, "ZYZ")  # type: ignore[attr-defined]
    assert [dof.name for dof in figure(opened).joints[3].dofs] == ["Turn Z", "Turn Y", "Turn Z"]
    for joint in figure(opened).joints[1:3]:
        opened.session.select([Item(opened.session.document.actors[-1].id, joint.id)])
        opened.settle()
        limited = page(opened).numbers["freedom"].limited[joint.dofs[0].id]  # type: ignore[attr-defined]
        changed_by(opened, partial(click, limited))
        enter(opened, "freedom", "Turn X, upper", "120")
        dof = figure(opened).joint(joint.id).dofs[0]
        assert dof.lower == pytest.approx(-0.5 * math.pi)
        assert dof.upper == pytest.approx(math.radians(120.0))
    opened.session.select([Item(opened.session.document.actors[-1].id, figure(opened).joints[3].id)])
    opened.settle()
    body = numbers(opened, "body")
    changed_by(opened, lambda: click(body.add["Box"]))  # type: ignore[attr-defined]
    enter(opened, "body", "Box 2, Width", "12")
    shape = figure(opened).joints[3].shapes[1]
    assert isinstance(shape, Box)
    assert shape.half[0] == pytest.approx(0.06)
    act(opened, "figure.add_end")
    (end,) = figure(opened).handles
    assert end.joint == figure(opened).joints[3].id
    act(opened, "view.frame_all")
    opened.until(lambda: opened.session.reaching.ready)
    still = figure(opened)
    pull(opened, end.id, 0, 40, RIGHT)
    assert figure(opened) is still, "a pose is dragged, no joint moved"
    assert opened.session.document.actors[-1].layers[0].values
    undo_all(opened)
    assert opened.session.document is first
    assert opened.session.document.digest == Document().digest


def test_joints_and_ends_are_dragged_while_the_figure_is_edited(lamp: Stage) -> None:
    opened = lamp
    act(opened, "figure.add_end")
    canvas_of(opened).setFocus()
    press(opened, Qt.Key.Key_E, SHIFT)
    act(opened, "view.frame_all")
    assert opened.session.editing == opened.session.document.actors[-1].id
    assert panel(opened).edit.isChecked()
    before = figure(opened).joints
    pull(opened, f"joint {before[2].id}", 30, 0)
    after = figure(opened).joints
    assert label(opened) == "Move Upper arm"
    assert after[2].offset[0] > before[2].offset[0] + 0.01
    bone = after[1].shapes[0]
    assert isinstance(bone, Capsule)
    assert bone.end == after[2].offset, "the bone before it stretches"
    place = at(opened, f"joint {before[3].id}")
    pull(opened, f"joint {before[2].id}", 0, 30, keys=CONTROL)
    assert (at(opened, f"joint {before[3].id}") - place).manhattanLength() <= 1, "Ctrl leaves children"
    (end,) = figure(opened).handles
    pull(opened, f"end {end.id}", 20, 0)
    assert figure(opened).handles[0].point[0] > end.point[0]
    canvas_of(opened).setFocus()
    press(opened, Qt.Key.Key_E, SHIFT)
    assert opened.session.editing is None


def test_limits_are_dragged_on_their_arc(lamp: Stage) -> None:
    opened = lamp
    head = figure(opened).joints[3]
    changed_by(opened, lambda: click(page(opened).numbers["freedom"].limited[head.dofs[0].id]))  # type: ignore[attr-defined]
    click(panel(opened).edit)
    opened.settle()
    act(opened, "view.frame_selected")
    pull(opened, f"upper {head.dofs[0].id}", 0, -30, RIGHT)
    dof = figure(opened).joint(head.id).dofs[0]
    assert label(opened) == "Set limits" or label(opened).startswith("Set upper limit")
    assert dof.upper is not None
    assert 0.2 < dof.upper < 0.5 * math.pi - 0.05
    assert dof.lower == pytest.approx(-0.5 * math.pi)


def test_the_pose_is_at_rest_while_the_figure_is_edited_and_back_afterwards(lamp: Stage) -> None:
    opened = lamp
    act(opened, "figure.add_end")
    act(opened, "view.frame_all")
    opened.until(lambda: opened.session.reaching.ready)
    pull(opened, figure(opened).handles[0].id, 0, 40, RIGHT)
    posed, around = opened.snapshot, opened.view.geometry()
    act(opened, "figure.edit")
    bar = opened.window.status.findChild(FigureBar)
    assert bar is not None
    assert "Editing the figure" in bar.what.shown_text
    assert opened.view.geometry() == around, "it covers nothing and moves nothing"
    assert posed is not None
    opened.until(lambda: opened.snapshot is not posed)
    assert opened.snapshot is not None
    rest = opened.snapshot.bodies[-1].transforms
    assert np.abs(rest[:, :, :3] - np.eye(3)).max() < 1e-6
    assert opened.snapshot.document is opened.session.document
    resting = opened.snapshot
    QTest.mouseClick(bar.done, Qt.MouseButton.LeftButton)
    opened.until(lambda: opened.snapshot is not resting)
    assert opened.snapshot is not None
    np.testing.assert_array_equal(opened.snapshot.bodies[-1].transforms, posed.bodies[-1].transforms)


def test_bones_are_split_mirrored_hung_elsewhere_and_deleted(lamp: Stage) -> None:
    opened = lamp
    first = opened.session.document
    actor = first.actors[-1].id
    act(opened, "figure.split")
    assert [joint.name for joint in figure(opened).joints][-1] == "Head 2"
    head = figure(opened).joints[3].id
    opened.session.select([Item(actor, head)])
    act(opened, "figure.mirror")
    made = figure(opened).joint(figure(opened).joint(head).mirror or "")
    assert made.parent == figure(opened).joint(head).parent
    assert opened.session.selection.active == Item(actor, made.id)
    base, lower = figure(opened).joints[0].id, figure(opened).joints[1].id
    opened.session.select([Item(actor, made.id), Item(actor, lower)])
    opened.settle()
    changed_by(opened, lambda: press(opened, Qt.Key.Key_P, CONTROL))
    assert figure(opened).joint(made.id).parent == lower
    opened.session.select([Item(actor, lower)])
    opened.settle()
    changed_by(opened, lambda: press(opened, Qt.Key.Key_Delete, SHIFT))
    assert lower not in figure(opened).joint_index
    assert figure(opened).joint(made.id).parent == base
    opened.session.select([Item(actor, made.id)])
    opened.settle()
    changed_by(opened, lambda: act(opened, "figure.remove_branch"))
    assert made.id not in figure(opened).joint_index
    second = figure(opened).joints[1].id
    opened.session.select([Item(actor, second)])
    opened.settle()
    changed_by(opened, lambda: act(opened, "figure.make_root"))
    assert figure(opened).joints[0].id == second


def test_a_driver_is_chosen_bent_and_taken_away(lamp: Stage) -> None:
    opened = lamp
    head, lower = figure(opened).joints[3].dofs[0], figure(opened).joints[1].dofs[0]
    section = numbers(opened, "drivers")
    assert isinstance(section, DriverNumbers)
    choose(opened, section.drivers[head.id], "Lower arm: Turn X")
    (by,) = figure(opened).coordinate_dof[head.id].driven
    assert (by.dof, by.values) == (lower.id, by.at)
    assert page(opened).sections["drivers"].header.accessibleDescription().startswith("1 driven")
    enter(opened, "drivers", "Turn X, at 90.0°", "30")
    assert figure(opened).coordinate_dof[head.id].driven[0].values[1] == pytest.approx(math.radians(30.0))
    section = numbers(opened, "drivers")
    assert isinstance(section, DriverNumbers)
    choose(opened, section.drivers[head.id], NOTHING)
    assert figure(opened).coordinate_dof[head.id] == head
    assert [entry.label for entry in opened.session.history.entries[-3:]] == [
        "Set driver",
        "Head: Turn X, at 90.0°",
        "Set driver",
    ]
    actor = opened.session.document.actors[-1].id
    ids = [figure(opened).joints[place].id for place in (3, 2, 1)]
    opened.session.select([Item(actor, id) for id in ids])
    opened.settle()
    changed_by(opened, lambda: act(opened, "figure.follow"))
    assert [dof.id for dof in figure(opened).driven] == [f"{ids[1]}.x", head.id]
    assert label(opened) == "Follow joint"


def test_mirror_partner_group_damping_and_spring_are_set(lamp: Stage) -> None:
    opened, head = lamp, 3
    choose(opened, page(opened).partner, "Upper arm")
    joints = figure(opened).joints
    assert (joints[head].mirror, joints[2].mirror) == (joints[2].id, joints[head].id)
    choose(opened, page(opened).partner, "Itself")
    assert figure(opened).joints[head].mirror is None
    for text in ("Shade", ""):
        field = page(opened).group
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text) if text else QTest.keyClick(field, Qt.Key.Key_Delete)
        changed_by(opened, partial(QTest.keyClick, field, Qt.Key.Key_Return))
        assert figure(opened).joints[head].group == text
    enter(opened, "freedom", f"{figure(opened).joints[head].dofs[0].name}, damping", "1.5")
    assert figure(opened).joints[head].dofs[0].damping == 1.5
    name = figure(opened).joints[head].dofs[0].name
    enter(opened, "freedom", f"{name}, spring", "40")
    enter(opened, "freedom", f"{name}, rest of its spring", "10")
    dof = figure(opened).joints[head].dofs[0]
    assert (dof.spring, dof.neutral) == (40.0, pytest.approx(math.radians(10.0)))
    enter(opened, "freedom", f"{name}, spring", "0")
    assert f"{name}, rest of its spring" not in numbers(opened, "freedom").sliders


def test_the_ribs_of_a_skeleton_breathe_at_one_command(lamp: Stage) -> None:
    opened, session = lamp, lamp.session
    session.do(edit("add_actor", actor=Actor(id="bones", name="Bones", figure=load_figure("anatomy"))))
    session.select([Item("bones", "rib4_left")])
    opened.settle()
    changed_by(opened, lambda: act(opened, "figure.breathe"))
    made = session.document.actor("bones").figure
    assert sum(dof.id.startswith("rib") for dof in made.driven) == 24
    assert session.selection.active == Item("bones", "sternum")
    assert not opened.window.menus.actions["figure.breathe"].isEnabled()
    session.undo()
    opened.settle()
    assert not any(dof.id.startswith("rib") for dof in session.document.actor("bones").figure.driven)


def test_sides_are_guessed(lamp: Stage) -> None:
    opened = lamp
    field = page(opened).name
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "Left ear")
    changed_by(opened, lambda: QTest.keyClick(field, Qt.Key.Key_Return))
    changed_by(opened, lambda: act(opened, "figure.guess_sides"))
    assert figure(opened).joints[3].side == "left"


def test_a_figure_is_saved_as_text_and_opens_again_identical(lamp: Stage, answers: Answers, tmp_path: Path) -> None:
    opened = lamp
    act(opened, "figure.add_end")
    answers.place = tmp_path / "lamp"
    act(opened, "file.save_figure")
    path = tmp_path / "lamp.figure.toml"
    opened.until(path.exists)
    opened.until(lambda: any("Exported" in entry.text for entry in opened.session.log))
    again = figure_toml.read(path)
    assert replace(again, name=figure(opened).name) == figure(opened)
    assert answers.asked[-1].endswith(".figure.toml")


def test_what_cannot_be_is_said_and_nothing_changes(opened: Stage) -> None:
    act(opened, "add.figure")
    opened.window.show_panel("figure")
    opened.settle()
    before = opened.session.document
    click(page(opened).buttons["remove"])
    opened.settle()
    assert opened.session.document is before
    assert "remove the whole actor" in opened.session.log[-1].text
    assert not opened.window.menus.actions["figure.make_root"].isEnabled()
    assert not opened.window.menus.actions["figure.mirror"].isEnabled()


def test_an_axis_is_any_direction_but_none(lamp: Stage) -> None:
    opened = lamp
    choose(opened, page(opened).numbers["freedom"].axis, "Any")  # type: ignore[attr-defined]
    enter(opened, "freedom", "Axis X", "0")
    enter(opened, "freedom", "Axis Z", "-1")
    (dof,) = figure(opened).joints[3].dofs
    assert dof.axis[0] == 0.0
    assert dof.axis[2] < -0.7
    assert math.hypot(*dof.axis) == pytest.approx(1.0)

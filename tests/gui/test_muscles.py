"""Muscles in the real window: seen, picked, hidden; activated, keyed, listed and measured; changed in the inspector."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit

from app.features.activation.panel import ActivationPanel
from app.features.inspector.panel import InspectorPanel
from app.features.muscles.activating import ActivationSheet
from app.features.muscles.arm_fields import ArmFields
from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.page import MusclePage
from app.features.muscles.shown_torques import ShownTorques
from app.features.muscles.view.point_dragging import POINTS
from app.lanes.current_lanes import ALL, CurrentLanes
from app.scene.panes import FRONT
from app.session import Item
from engine.document import Document, Key, Placement
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.model import Spindles
from engine.muscles.parts import WRAP_SHAPES, Muscle, MuscleActivation, Muscles, MuscleWrap, PathWrap
from engine.muscles.uses import activations_of, muscles_of
from engine.queries.examples import example
from tests.engine.muscles.arms import bent_arm
from tests.gui.acting import changed, click, go_to
from tests.gui.test_scenery import pixels
from tests.gui.test_window import canvas_of, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    arm = replace(bent_arm(), placement=Placement(position=(0.0, 1.0, 0.0)))
    document = Document(actors=(arm,))
    document = edit("set_play_range", start=0, end=2 * SECOND).apply(document)
    keys = (Key(0, 0.0), Key(SECOND, 0.8))
    document = edit("set_muscle_keys", actor="arm", muscle="triceps", keys=keys).apply(document)
    with the_window.begun(document) as open_stage:
        open_stage.view.frame()
        open_stage.draw()
        yield open_stage


@pytest.fixture
def panel(opened: Stage) -> ActivationPanel:
    """The dock, with all of its time."""
    return dock_of(opened)


def dock_of(opened: Stage) -> ActivationPanel:
    opened.window.menus.actions["activation.show"].trigger()
    dock = opened.window.docks["activation"]
    opened.window.resizeDocks([dock], [260], Qt.Orientation.Vertical)
    found = dock.widget()
    assert isinstance(found, ActivationPanel)
    opened.until(lambda: found.isVisible() and found.lanes.keys is not None and found.lanes.height() > 90)
    found.lanes.show_all()
    opened.until(lambda: opened.session.of(CurrentMuscles).told is not None)
    return found


def act(opened: Stage, id: str) -> None:
    """Do an action, and wait for what comes of it."""
    opened.window.menus.actions[id].trigger()
    opened.until(lambda: opened.session.at_rest)
    opened.settle()


def muscles(opened: Stage) -> Muscles:
    found = muscles_of(opened.session.document.actors[0])
    assert found is not None
    return found


def muscle(opened: Stage, id: str) -> Muscle:
    found = muscles(opened).muscle(id)
    assert found is not None
    return found


def activation(opened: Stage, id: str) -> MuscleActivation | None:
    return activations_of(opened.session.document.actors[0]).of(id)


def drawn(opened: Stage) -> Spindles:
    assert opened.snapshot is not None
    (found,) = opened.snapshot.spindles
    return found


def red(opened: Stage) -> int:
    """How many pixels of the picture are as red as an active muscle."""
    found = pixels(opened.view.grab_image())
    return int(((found[..., 0] > 110) & (found[..., 0] > 2.2 * found[..., 1])).sum())


def belly(opened: Stage, id: str) -> QPoint:
    """Where the middle of a muscle is seen in the front view."""
    spindles = drawn(opened)
    own = spindles.positions[spindles.muscle == spindles.muscles.index(id)].astype(np.float64)
    pane, place = opened.view.panes()[FRONT], own[len(own) // 2 - 7 : len(own) // 2 + 7].mean(axis=0)
    right, down, _ = opened.view.cameras[FRONT].project(place, opened.view.size_of(FRONT)).tolist()
    return QPoint(round(pane.x + right), round(pane.y + down))


def test_muscles_redden_as_they_are_activated_and_are_hidden_by_the_view(opened: Stage) -> None:
    relaxed = red(opened)
    before = opened.session.document
    opened.session.do(edit("set_muscle_activation", actor="arm", muscle="biceps", value=1.0))
    changed(opened, before)
    active = red(opened)
    assert active > relaxed + 40
    act(opened, "view.show_muscles")
    assert red(opened) < relaxed + 10
    behind = opened.view.pick(belly(opened, "biceps").toPointF())
    assert behind is None or behind.added is None
    act(opened, "view.show_muscles")
    assert red(opened) == pytest.approx(active, rel=0.1)


def test_a_muscle_that_is_selected_is_framed(opened: Stage) -> None:
    camera, spindles = opened.view.cameras[FRONT], drawn(opened)
    opened.session.select([Item("arm", "trunk", "brachialis")])
    act(opened, "view.frame_selected")
    opened.until(lambda: opened.view.cameras[FRONT].distance < 0.8 * camera.distance)
    own = spindles.positions[spindles.muscle == spindles.muscles.index("brachialis")]
    bounds = opened.view.bounds(opened.window.selected_bodies())
    assert bounds is not None
    assert bounds.lower == pytest.approx(own.min(axis=0))
    assert bounds.upper == pytest.approx(own.max(axis=0))
    opened.view.frame()


def test_a_click_on_a_muscle_chooses_it_in_lanes_and_inspector(opened: Stage, panel: ActivationPanel) -> None:
    canvas, place = canvas_of(opened), belly(opened, "biceps")
    pick = opened.view.pick(place.toPointF())
    assert pick is not None
    assert pick.added == "biceps"
    QTest.mouseClick(canvas, LEFT, pos=place)
    opened.settle()
    assert opened.session.selection.active == Item("arm", "trunk", "biceps")
    current = opened.session.of(CurrentMuscles)
    assert current.muscle is muscle(opened, "biceps")
    page = opened.panel(InspectorPanel).page
    assert isinstance(page, MusclePage)
    assert page.header.name.text == "Biceps"


def test_a_bar_sets_the_constant_or_a_key_at_the_playhead_as_one_entry(opened: Stage, panel: ActivationPanel) -> None:
    lanes, entries = panel.lanes, opened.session.history.position
    for place, seconds in ((0, 0.0), (1, 0.5)):
        go_to(opened, seconds)
        bar, before = lanes.slider_rect(place).toRect(), opened.session.document
        start = QPoint(bar.left() + 10, bar.center().y())
        drag(lanes.viewport(), [start, start + QPoint(12, 0), start + QPoint(30, 0)])
        changed(opened, before)
    assert opened.session.history.position == entries + 2
    constant, keyed = activation(opened, "biceps"), activation(opened, "triceps")
    assert constant is not None
    assert constant.value == pytest.approx(30 / lanes.slider_rect(0).width(), abs=0.02)
    assert keyed is not None
    assert keyed.track is not None
    assert [key.time for key in keyed.track.keys] == [0, SECOND // 2, SECOND]
    opened.session.undo()
    opened.settle()
    assert len(activation(opened, "triceps").track.keys) == 2  # type: ignore[union-attr]


def test_an_activation_that_is_slid_moves_the_arm_that_physics_simulates(the_window: OneWindow) -> None:
    with the_window.begun(example("lift").build()) as opened:
        lanes, session = dock_of(opened).lanes, opened.session
        go_to(opened, 1.2)

        def bend() -> float:
            assert session.snapshot is not None
            body = next(each for each in session.snapshot.bodies if each.owner == "arm" and each.role == "result")
            return float(body.transforms[body.parts.index("elbow"), 1, 1])  # the cosine between forearm and plumb line

        lifted, before = bend(), session.document
        bar = lanes.slider_rect(2).toRect()
        start = QPoint(bar.left() + 10, bar.center().y())
        drag(lanes.viewport(), [start, start + QPoint(12, 0), start + QPoint(bar.width() // 2, 0)])
        slid = changed(opened, before)
        raised = bend()
        assert raised < lifted, "a little higher: it rises to the key at the playhead from the one before"
        go_to(opened, 1.5)
        further = bend()
        session.undo()
        opened.until(lambda: session.document is before)
        opened.settle()
        assert session.document is not slid
        assert further < bend() - 0.1


def in_lane(panel: ActivationPanel, lane: int, seconds: float, value: float) -> QPoint:
    lanes = panel.lanes
    return QPoint(round(lanes.x_of(seconds * SECOND)), round(lanes.y_of(lane, lanes.table.lanes[lane], value)))


def test_keys_are_set_by_a_double_click_dragged_and_deleted(opened: Stage, panel: ActivationPanel) -> None:
    port, before = panel.lanes.viewport(), opened.session.document
    place = in_lane(panel, 0, 1.5, 0.5)
    QTest.mouseDClick(port, LEFT, pos=place)
    QTest.mouseRelease(port, LEFT, pos=place)
    before = changed(opened, before)
    (key,) = activation(opened, "biceps").track.keys  # type: ignore[union-attr]
    assert key.time == pytest.approx(1.5 * SECOND, abs=SECOND / 30)
    assert key.value == pytest.approx(0.5, abs=0.1)
    drag(port, [place, place + QPoint(0, -5), place + QPoint(-12, -7)])
    before = changed(opened, before)
    (moved,) = activation(opened, "biceps").track.keys  # type: ignore[union-attr]
    assert moved.time < key.time
    assert moved.value > key.value
    assert panel.lanes.picked
    assert opened.window.menus.actions["activation.delete_keys"].isEnabled()
    act(opened, "activation.delete_keys")
    assert activation(opened, "biceps") is None


def test_one_muscle_or_all_that_are_listed_are_keyed_and_go_on_beyond_their_keys(
    opened: Stage, panel: ActivationPanel
) -> None:
    go_to(opened, 0.5)
    panel.lanes.press(panel.lanes.name_rect(1).center(), Qt.KeyboardModifier.NoModifier)
    act(opened, "activation.key")
    track = activation(opened, "triceps").track  # type: ignore[union-attr]
    assert track is not None
    assert track.keys[1].time == SECOND // 2
    for kind in ("linear", "cycle_offset", "cycle", "hold"):
        act(opened, f"activation.{kind}")
        assert activation(opened, "triceps").track.after == kind  # type: ignore[union-attr]
        assert opened.window.menus.actions[f"activation.{kind}"].isChecked()
    act(opened, "activation.key_all")
    found = activations_of(opened.session.document.actors[0]).activations
    assert [(each.muscle, each.track is not None) for each in found] == [
        ("biceps", True), ("brachialis", True), ("triceps", True),
    ]  # fmt: skip


def test_all_that_are_listed_are_keyed_unseen_and_at_what_is_on_screen(opened: Stage) -> None:
    opened.session.do(edit("set_muscle_activation", actor="arm", muscle="biceps", value=0.25))
    opened.window.docks["activation"].hide()
    opened.until(lambda: opened.session.of(CurrentMuscles).told is None)
    act(opened, "activation.key_all")
    found = activations_of(opened.session.document.actors[0]).activations
    assert [(each.muscle, each.track.keys[0].value) for each in found if each.track is not None] == [
        ("biceps", 0.25), ("brachialis", 0.0), ("triceps", 0.0),
    ]  # fmt: skip


def test_a_muscle_that_the_search_hides_is_keyed_too(opened: Stage, panel: ActivationPanel) -> None:
    opened.session.of(CurrentMuscles).choose("biceps")
    QTest.keyClicks(panel.search, "tri")
    act(opened, "activation.key")
    found = activation(opened, "biceps")
    assert found is not None
    assert found.track is not None
    assert not panel.lanes.picked
    panel.search.clear()


def test_groups_and_words_narrow_the_list_which_is_kept_as_a_set(opened: Stage, panel: ActivationPanel) -> None:
    def listed() -> list[str]:
        return [each.id for each in panel.lanes.table.lanes]

    def choose(text: str) -> None:
        panel.groups.setCurrentIndex(panel.groups.findText(text, Qt.MatchFlag.MatchStartsWith))
        panel.groups.activated.emit(panel.groups.currentIndex())

    names = [panel.groups.itemText(at) for at in range(panel.groups.count()) if panel.groups.itemText(at)]
    assert names == [
        "All muscles (3)", "Flexors (2)", "Front (1)", "Back (1)", "Across shoulder (1)", "Across elbow (3)",
    ]  # fmt: skip
    choose("Across shoulder")
    assert listed() == ["biceps"]
    choose("All")
    QTest.keyClicks(panel.search, "tri")
    assert listed() == ["triceps"]
    act(opened, "muscles.keep_set")
    panel.search.clear()
    assert muscles(opened).sets[-1].name == "Tri"
    assert panel.groups.currentText() == "Tri (1)"
    act(opened, "muscles.remove_set")
    assert [each.id for each in muscles(opened).sets] == ["flexors"]
    assert listed() == ["biceps", "triceps", "brachialis"]


def test_a_set_that_is_undone_is_listed_no_longer_and_counts_follow(opened: Stage, panel: ActivationPanel) -> None:
    current, entry = opened.session.of(CurrentLanes), opened.window.menus.actions["muscles.remove_set"]
    current.find("tri")
    act(opened, "muscles.keep_set")
    current.find("")
    assert current.group is not None
    assert current.group.kind == "set"
    assert entry.isEnabled()
    opened.session.undo()
    opened.settle()
    assert current.group is not None
    assert current.group.kind == ""
    assert not entry.isEnabled()
    assert panel.groups.currentText() == "All muscles (3)"
    opened.session.do(edit("remove_muscle", actor="arm", muscle="triceps"))
    opened.until(lambda: panel.groups.currentText() == "All muscles (2)")
    current.choose_group(ALL)


def test_lengths_forces_and_the_moment_arm_follow_the_playhead(opened: Stage, panel: ActivationPanel) -> None:
    current = opened.session.of(CurrentMuscles)
    current.choose("biceps")
    opened.until(lambda: "muscle" in panel.fields)
    fields = panel.fields["muscle"]
    assert isinstance(fields, ArmFields)
    opened.until(lambda: fields.chart.curve is not None and fields.chart.curve.dof == "elbow.bend")
    before, arm = current.told, fields.arm.text()
    assert before is not None
    go_to(opened, 1.0)
    opened.until(lambda: current.told is not None and current.told.time == SECOND)
    opened.until(lambda: fields.arm.text() != arm)
    assert current.told.lengths[0] < before.lengths[0] - 0.01  # type: ignore[union-attr]
    assert current.told.forces[1] > before.forces[1] + 50.0  # type: ignore[union-attr]
    curve = fields.chart.curve
    assert curve is not None
    assert fields.chart.now_text == f"{1000.0 * curve.now_arm:.1f} mm"
    fields.dofs.setCurrentIndex(0)
    fields.dofs.activated.emit(0)
    opened.until(lambda: fields.chart.curve is not None and fields.chart.curve.dof == "shoulder.lift")


def test_torques_of_the_chosen_muscle_are_listed_and_shown_as_arcs(opened: Stage, panel: ActivationPanel) -> None:
    go_to(opened, 1.0)
    opened.session.of(CurrentMuscles).choose("triceps")
    torques = opened.session.of(ShownTorques)
    opened.until(lambda: torques.found is not None and torques.found.time == SECOND)
    assert torques.found is not None
    (elbow,) = torques.found.torques
    assert elbow.torque < -1.0
    fields = panel.fields["muscle"]
    assert isinstance(fields, ArmFields)
    assert f"{-elbow.torque:.1f} N m" in fields.torques.text()
    opened.until(lambda: not opened.view.is_due)
    plain = pixels(opened.view.grab_image())
    act(opened, "view.show_torques")
    shown = pixels(opened.view.grab_image())
    assert (np.abs(shown.astype(int) - plain.astype(int)).max(axis=2) > 60).sum() > 60
    act(opened, "view.show_torques")
    opened.until(lambda: not opened.view.is_due)
    assert (np.abs(pixels(opened.view.grab_image()).astype(int) - plain.astype(int)).max(axis=2) > 60).sum() < 20


def test_the_moment_arm_is_that_of_the_first_muscle_that_is_found(
    opened: Stage, panel: ActivationPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    current = opened.session.of(CurrentMuscles)
    monkeypatch.setattr(current, "_chosen", {})  # as in a new window
    QTest.keyClicks(panel.search, "tri")
    opened.until(lambda: current.arm is not None and current.arm.muscle == "triceps")
    panel.search.clear()
    opened.until(lambda: current.arm is not None and current.arm.muscle == "biceps")
    lanes = opened.session.of(CurrentLanes)
    lanes.choose_group(("muscle", "region", "Back"))
    opened.until(lambda: current.arm is not None and current.arm.muscle == "triceps")
    lanes.choose_group(ALL)


def test_strength_name_and_model_are_set_in_the_inspector_and_delete_takes_the_muscle(opened: Stage) -> None:
    opened.session.select([Item("arm", "trunk", "biceps")])
    opened.settle()
    page = opened.panel(InspectorPanel).page
    assert isinstance(page, MusclePage)
    assert page.form is not None
    before, slider = opened.session.document, page.form.fields["force"]
    drag(slider, [opened.widget_at(slider, x, 0.5) for x in (0.3, 0.5, 0.7)])
    before = changed(opened, before)
    assert muscle(opened, "biceps").force > 600.0
    opened.session.do(edit("rename_actor", actor="arm", name="Left arm"))
    before = changed(opened, before)
    assert page.header.about[-1].text == "of Left arm"
    page.name.setText("Biceps brachii")
    page.name.editingFinished.emit()
    before = changed(opened, before)
    assert muscle(opened, "biceps").name == "Biceps brachii"
    page.model.setCurrentIndex(1)
    page.model.activated.emit(1)
    before = changed(opened, before)
    assert muscles(opened).model == "thelen"
    click(page.pulling)
    changed(opened, before)
    assert not muscles(opened).pulling
    canvas_of(opened).setFocus()
    press(opened, Qt.Key.Key_Delete)
    opened.until(lambda: opened.session.at_rest)
    assert muscles(opened).muscle("biceps") is None
    assert len(opened.session.document.actors) == 1
    opened.session.undo()
    opened.settle()
    opened.session.select([Item("arm", "trunk", "triceps")])
    act(opened, "muscles.remove")
    assert muscles(opened).muscle("triceps") is None
    assert activation(opened, "triceps") is None


def test_keys_are_excitations_by_a_tick_and_lanes_show_the_activation_that_follows(
    opened: Stage, panel: ActivationPanel
) -> None:
    keys = (Key(0, 0.0, "stepped"), Key(SECOND // 2, 1.0, "stepped"))
    opened.session.do(edit("set_muscle_keys", actor="arm", muscle="biceps", keys=keys))
    page, before = page_of(opened, "biceps", "muscle strength"), opened.session.document
    lane = panel.lanes.table.lanes[0]
    source = panel.current.source_of(lane)
    assert source.measured(lane) is None
    click(page.excited)
    changed(opened, before)
    assert activations_of(opened.session.document.actors[0]).excited
    opened.until(lambda: source.measured(lane) is not None)
    line = source.measured(panel.lanes.table.lanes[0])
    assert line is not None
    assert 0.3 < np.interp(0.51 * SECOND, *line.T) < 0.7 < np.interp(0.6 * SECOND, *line.T)
    assert panel.lanes.table.lanes[0].kind.quantity == "excitation"
    opened.session.undo()
    opened.until(lambda: source.measured(lane) is None)
    assert not page.excited.isChecked()


def page_of(opened: Stage, muscle: str, section: str) -> MusclePage:
    """The page of a muscle, with a section unfolded."""
    opened.session.select([Item("arm", "trunk", muscle)])
    opened.settle()
    page = opened.panel(InspectorPanel).page
    assert isinstance(page, MusclePage)
    page.sections[section].header.set_unfolded(True)
    opened.settle()
    return page


def test_a_point_is_added_to_a_path_moved_ranged_and_undone(opened: Stage) -> None:
    page = page_of(opened, "biceps", "muscle path")
    fields, before = page.points, opened.session.document
    assert fields is not None
    QTest.mouseClick(fields.add, LEFT)
    before = changed(opened, before)
    assert [each.joint for each in muscle(opened, "biceps").points] == ["trunk", "trunk", "elbow"]
    assert fields.list.chosen == "1"
    slider = fields.form.fields["z"]
    slider.edit()
    QTest.keyClicks(slider.findChild(QLineEdit), "45")
    QTest.keyClick(slider.findChild(QLineEdit), Qt.Key.Key_Return)
    before = changed(opened, before)
    added = muscle(opened, "biceps").points[1]
    assert added.point[2] == pytest.approx(0.045)
    assert fields.list.row_of("1").text().endswith("45.0 mm")
    opened.session.do(edit("set_muscle", actor="arm", muscle="biceps", force=700.0))
    before = changed(opened, before)
    choice = fields.form.fields["dof"]
    choice.setCurrentIndex(choice.findText("In a range of Elbow, bend"))
    choice.activated.emit(choice.currentIndex())
    before = changed(opened, before)
    assert muscle(opened, "biceps").points[1].upper == pytest.approx(math.radians(140.0))
    QTest.mouseClick(fields.remove, LEFT)
    before = changed(opened, before)
    assert len(muscle(opened, "biceps").points) == 2
    for _ in range(5):
        opened.session.undo()
    opened.settle()
    assert muscle(opened, "biceps") == bent_arm().part(Muscles).muscles[0]  # type: ignore[union-attr]
    assert fields.list.count() == 2


def test_a_point_is_dragged_in_a_view_on_its_joint(opened: Stage) -> None:
    page = page_of(opened, "biceps", "muscle path")
    camera = opened.view.cameras[FRONT]
    opened.view.place_camera(FRONT, replace(camera, target=(0.0, 0.8, 0.0), distance=1.5))
    pane, place, canvas = opened.view.panes()[FRONT], np.array((0.0, 0.65, 0.02)), canvas_of(opened)
    right, down, _ = opened.view.cameras[FRONT].project(place, opened.view.size_of(FRONT)).tolist()
    start, before = QPoint(round(pane.x + right), round(pane.y + down)), opened.session.document
    opened.until(lambda: opened.view.symbol_at(start.toPointF(), POINTS) is not None)
    drag(canvas, [start, start + QPoint(20, 0), start + QPoint(60, 0)])
    changed(opened, before)
    old, new = before.actors[0].part(Muscles).muscle("biceps").points[1], muscle(opened, "biceps").points[1]  # type: ignore[union-attr]
    assert new.joint == old.joint
    assert new.point[0] > old.point[0] + 0.02
    assert new.point[1:] == pytest.approx(old.point[1:], abs=2e-3)
    assert page.points is not None
    assert page.points.list.chosen == "1"
    opened.session.undo()
    opened.settle()
    assert muscle(opened, "biceps").points[1] == old
    opened.view.place_camera(FRONT, camera)


def test_a_point_that_is_dragged_into_its_wrap_stays_at_the_last_place_outside(opened: Stage) -> None:
    ball = MuscleWrap(id="ball", name="Ball", joint="elbow", shape="sphere", radii=(0.03,), centre=(0.08, -0.05, 0.02))
    opened.session.do(edit("add_muscle_wrap", actor="arm", wrap=ball))
    opened.session.do(edit("set_path_wraps", actor="arm", muscle="biceps", wraps=(PathWrap(wrap="ball"),)))
    page_of(opened, "biceps", "muscle path")
    camera = opened.view.cameras[FRONT]
    opened.view.place_camera(FRONT, replace(camera, target=(0.0, 0.8, 0.0), distance=1.5))
    size, pane = opened.view.size_of(FRONT), opened.view.panes()[FRONT]

    def seen(x: float) -> QPoint:
        right, down, _ = opened.view.cameras[FRONT].project(np.array((x, 0.65, 0.02)), size).tolist()
        return QPoint(round(pane.x + right), round(pane.y + down))

    before = opened.session.document
    opened.until(lambda: opened.view.symbol_at(seen(0.0).toPointF(), POINTS) is not None)
    drag(canvas_of(opened), [seen(0.0), seen(0.02), seen(0.04), seen(0.08)])
    changed(opened, before)
    assert muscle(opened, "biceps").points[1].point[0] == pytest.approx(0.04, abs=4e-3)
    opened.view.place_camera(FRONT, camera)


def test_a_wrap_is_added_gone_round_reshaped_and_removed(opened: Stage) -> None:
    page = page_of(opened, "biceps", "muscle wraps")
    fields, before = page.wraps, opened.session.document
    assert fields is not None
    QTest.mouseClick(fields.add, LEFT)
    before = changed(opened, before)
    wrap = muscles(opened).wraps[-1]
    assert fields.list.chosen == wrap.id
    fields.list.row_of(wrap.id).setCheckState(Qt.CheckState.Checked)
    before = changed(opened, before)
    assert [each.wrap for each in muscle(opened, "biceps").wraps] == [wrap.id]
    shape = fields.shape.fields["shape"]
    shape.setCurrentIndex(WRAP_SHAPES.index("torus"))
    shape.activated.emit(shape.currentIndex())
    before = changed(opened, before)
    tube = fields.sizes["torus"].fields["second_radius"]
    drag(tube, [opened.widget_at(tube, x, 0.5) for x in (0.1, 0.5, 0.9)])
    before = changed(opened, before)
    ring, thick = muscles(opened).wraps[-1].radii
    assert thick == pytest.approx(0.9 * ring)
    QTest.mouseClick(fields.remove, LEFT)
    changed(opened, before)
    assert muscles(opened).wraps == bent_arm().part(Muscles).wraps  # type: ignore[union-attr]
    assert muscle(opened, "biceps").wraps == ()


def test_a_muscle_is_added_between_two_selected_joints_and_all_are_removed(opened: Stage) -> None:
    opened.session.select([Item("arm", "trunk"), Item("arm", "shoulder")])
    act(opened, "muscles.add")
    made = muscles(opened).muscles[-1]
    assert (made.name, [each.joint for each in made.points]) == ("Muscle 1", ["trunk", "shoulder"])
    assert opened.session.selection.active == Item("arm", "trunk", made.id)
    opened.session.select([Item("arm", "trunk", made.id), Item("arm", "trunk", "triceps")])
    canvas_of(opened).setFocus()
    press(opened, Qt.Key.Key_Delete)
    opened.until(lambda: opened.session.at_rest)
    assert [each.id for each in muscles(opened).muscles] == ["biceps", "brachialis"]
    act(opened, "muscles.remove_all")
    assert muscles_of(opened.session.document.actors[0]) is None
    opened.session.select([Item("arm", "shoulder")])
    act(opened, "muscles.add")
    assert [each.joint for each in muscles(opened).muscles[0].points] == ["shoulder", "elbow"]


def test_activations_are_found_for_the_motion_seen_and_kept_or_dropped(opened: Stage, panel: ActivationPanel) -> None:
    before = opened.session.document
    (button,) = (each for source, tool, each in panel._buttons if tool.action == "muscles.find_activations")
    click(button)
    opened.until(lambda: opened.window.findChild(ActivationSheet) is not None)
    sheet = opened.window.findChild(ActivationSheet)
    assert sheet is not None
    assert not sheet.keep.isEnabled()
    for again in (False, True):
        if again:
            sheet.form.fields["cost"].setCurrentIndex(1)
            sheet.form.fields["cost"].activated.emit(1)
        click(sheet.begin)
        opened.until(sheet.keep.isEnabled)
        assert opened.session.document is before
        found = activations_of(opened.session.shown.actors[0])
        assert "lack" in sheet.said.text() or "give all" in sheet.said.text() or "No muscle" in sheet.said.text()
        if not again:
            squares = found
    assert found != squares
    click(sheet.keep)
    after = changed(opened, before)
    assert activations_of(after.actors[0]) == found
    assert opened.session.history.undo_entry is not None
    assert opened.session.history.undo_entry.label == "Activations of Arm from its motion"
    opened.session.undo()
    opened.until(lambda: opened.session.document is before)
    act(opened, "muscles.find_activations")
    sheet = next(each for each in opened.window.findChildren(ActivationSheet) if each.isVisible())
    click(sheet.begin)
    opened.until(sheet.keep.isEnabled)
    click(sheet.buttons.button(QDialogButtonBox.StandardButton.Close))
    opened.until(lambda: opened.session.at_rest and opened.session.shown is before)

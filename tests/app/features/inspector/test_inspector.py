"""The inspector: live numbers, one gesture for one drag, and nothing built that is not seen."""

from __future__ import annotations

import math
import random

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.features.inspector.page import Page
from app.features.inspector.panel import InspectorPanel
from app.session import Item
from app.style.page_header import Header
from app.style.turns import quaternion_of, same_turn, turns_of
from app.style.value_slider import ValueSlider
from engine.document import Attachment, DrivenBy, Layer
from engine.document.limit import BoxRange, Grid, Limit
from engine.edits import edit
from engine.runtime.errors import Diverged
from tests.app.features.conftest import put_on_screen, scene
from tests.app.session.held import Held, deliver, hold

pytestmark = pytest.mark.gui
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def panel(held: Held, qtbot: QtBot) -> InspectorPanel:
    made = InspectorPanel(held.session)
    put_on_screen(made, qtbot)
    return made


def sliders(panel: InspectorPanel) -> dict[str, ValueSlider]:
    assert panel.page is not None
    return {each.accessibleName(): each for each in panel.page.findChildren(ValueSlider)}


def press_and_move(slider: ValueSlider, *stops: int) -> None:
    QTest.mousePress(slider, LEFT, NONE, QPoint(30, 10))
    for stop in stops:
        place = QPointF(stop, 10)
        spot = QPointF(slider.mapToGlobal(place.toPoint()))
        event = QMouseEvent(QEvent.Type.MouseMove, place, spot, Qt.MouseButton.NoButton, LEFT, NONE)
        QApplication.sendEvent(slider, event)


def release(slider: ValueSlider, x: int) -> None:
    QTest.mouseRelease(slider, LEFT, NONE, QPoint(x, 10))


def type_into(slider: ValueSlider, text: str) -> None:
    slider.setFocus()
    slider.edit()
    line = slider.window().focusWidget()
    assert line is not None
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def value(held: Held, coordinate: str) -> float:
    return held.session.document.actor("arm").layers[0].by_coordinate.get(coordinate, 0.0)


def test_without_a_selection_there_is_no_page(panel: InspectorPanel) -> None:
    assert panel.page is None


def test_a_joint_shows_its_name_its_place_and_one_slider_for_each_degree_of_freedom(
    held: Held, panel: InspectorPanel
) -> None:
    held.session.select([Item("arm", "elbow")])
    header = panel.findChild(Header)
    assert header is not None
    assert header.name.text == "Elbow"
    assert [line.text for line in header.about] == ["on Root, in Arm", "2 degrees of freedom"]
    assert list(sliders(panel)) == ["Elbow, Flexion", "Elbow, Reach"]
    assert sliders(panel)["Elbow, Flexion"].toolTip() == "elbow.flexion\nLimits: −57.3° to 114.6°"
    assert sliders(panel)["Elbow, Reach"].toolTip() == "elbow.reach\nLimits: none"


def test_a_driven_slider_shows_what_its_driver_makes_of_it_and_says_so(held: Held, panel: InspectorPanel) -> None:
    by = DrivenBy(dof="elbow.flexion", at=(0.0, 1.0), values=(0.1, 0.3))
    held.session.do(edit("set_driven", actor="arm", dof="elbow.reach", driven=(by,)))
    deliver()
    held.session.select([Item("arm", "elbow")])
    reach = sliders(panel)["Elbow, Reach"]
    assert not reach.isEnabled()
    header = panel.findChild(Header)
    assert header is not None
    assert [line.text for line in header.about] == ["on Root, in Arm", "1 degree of freedom, 1 driven"]
    assert reach.toolTip().startswith("elbow.reach\nFollows “Elbow: Flexion”, so it is not set by itself.")
    type_into(sliders(panel)["Elbow, Flexion"], "28.65")
    held.worker.answer("preview", newest=True)
    deliver()
    reach = sliders(panel)["Elbow, Reach"]
    assert reach.value == pytest.approx(0.2, abs=1e-4)
    held.session.do(edit("set_driven", actor="arm", dof="elbow.reach"))
    deliver()
    assert sliders(panel)["Elbow, Reach"].isEnabled()
    assert sliders(panel)["Elbow, Reach"].value == 0.0


def test_a_slider_goes_as_far_as_the_region_that_holds_in_place_of_its_limits(
    held: Held, panel: InspectorPanel
) -> None:
    held.session.select([Item("arm", "elbow")])
    grid = Grid(counts=(29,), lower=(-2.8,), spacing=(0.2,), periodic=(False,))
    content = BoxRange(lower=(-2.0,), upper=(2.5,))
    region = Limit(id="bend", name="Bend", dofs=("elbow.flexion",), range=content, grid=grid, margin=0.1)
    held.session.do(edit("set_limit", actor="arm", limit=region))
    deliver()
    slider = sliders(panel)["Elbow, Flexion"]
    assert slider.toolTip() == (
        "elbow.flexion\nLimits: the region “Bend” of the Joint limits panel, which lies within −120.3° to 149.0°"
    )
    held.session.do(edit("set_limit_on", actor="arm", limit="bend", on=False))
    deliver()
    assert sliders(panel)["Elbow, Flexion"].toolTip() == "elbow.flexion\nLimits: −57.3° to 114.6°"
    held.session.undo()
    type_into(sliders(panel)["Elbow, Flexion"], "-130")
    assert sliders(panel)["Elbow, Flexion"].value == pytest.approx(-2.1)


def test_a_drag_is_live_and_one_entry_of_the_history(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("arm", "elbow")])
    before = held.session.document
    slider = sliders(panel)["Elbow, Flexion"]
    press_and_move(slider, 50, 70, 90)
    held.worker.answer("preview", newest=True)
    assert held.session.shown is not held.session.document
    dragged = slider.value
    assert held.session.shown.actor("arm").layers[0].by_coordinate["elbow.flexion"] == dragged
    press_and_more = slider.value
    release(slider, 90)
    assert value(held, "elbow.flexion") == press_and_more
    assert [entry.label for entry in held.session.history.entries[1:]] == ["Elbow: Flexion"]
    held.session.undo()
    assert held.session.document is before
    assert slider.value == 0.0


def test_late_answers_do_not_pull_the_slider_back(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("arm", "elbow")])
    slider = sliders(panel)["Elbow, Flexion"]
    press_and_move(slider, 50, 90)
    release(slider, 90)
    wanted = slider.value
    held.worker.answer("preview")  # the first, older one
    assert slider.value == wanted
    assert held.session.document is held.session.history.document
    held.worker.answer("preview")
    assert slider.value == wanted
    assert value(held, "elbow.flexion") == wanted


def test_escape_leaves_the_document_alone(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("arm", "elbow")])
    before, slider = held.session.document, sliders(panel)["Elbow, Flexion"]
    press_and_move(slider, 60, 90)
    held.worker.answer("preview", newest=True)
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    release(slider, 90)
    assert held.session.shown is before
    assert slider.value == 0.0
    assert held.session.history.position == 0


def test_a_failing_engine_gives_the_slider_back(held: Held, panel: InspectorPanel, qtbot: QtBot) -> None:
    held.session.select([Item("arm", "elbow")])
    slider = sliders(panel)["Elbow, Flexion"]
    held.evaluator.problem = Diverged(what="the pose", value=math.nan)
    press_and_move(slider, 60, 90)
    held.worker.answer("preview", newest=True)
    qtbot.waitUntil(lambda: slider.value == 0.0)
    assert not slider.is_open
    release(slider, 90)
    assert held.session.history.position == 0


def test_choosing_something_else_during_a_drag_ends_it(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("arm", "elbow")])
    slider = sliders(panel)["Elbow, Flexion"]
    press_and_move(slider, 60)
    held.session.select([Item("box")])
    held.worker.answer("preview", newest=True)
    assert value(held, "elbow.flexion") > 0.0
    assert held.session.history.position == 1


def test_a_typed_number_is_committed(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("arm", "elbow")])
    type_into(sliders(panel)["Elbow, Reach"], "12.5")
    held.worker.answer("preview")
    assert value(held, "elbow.reach") == pytest.approx(0.125)


def test_values_follow_undo_and_edits_from_elsewhere(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("arm", "elbow")])
    slider, page = sliders(panel)["Elbow, Flexion"], panel.page
    held.session.do(edit("set_value", actor="arm", layer="pose", coordinate="elbow.flexion", value=0.5))
    assert slider.value == 0.5
    held.session.undo()
    assert slider.value == 0.0
    assert panel.page is page


def test_reset_takes_one_joint_back(held: Held, panel: InspectorPanel) -> None:
    values = (("elbow.flexion", 0.5), ("elbow.reach", 0.2), ("root.turn.w", 0.0), ("root.turn.x", 1.0))
    held.session.do(edit("set_pose", actor="arm", layer="pose", values=values))
    held.session.select([Item("arm", "elbow")])
    header = panel.findChild(Header)
    assert header is not None
    QTest.mouseClick(header.button, LEFT)
    left = held.session.document.actor("arm").layers[0].by_coordinate
    assert "elbow.flexion" not in left
    assert left["root.turn.x"] == 1.0
    assert sliders(panel)["Elbow, Flexion"].value == 0.0


def test_a_ball_is_set_as_three_turns_and_stays_a_unit_quaternion(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("arm", "root")])
    shown = sliders(panel)
    assert list(shown) == ["Root, Heading", "Root, Pitch", "Root, Roll"]
    for name, text in (("Root, Heading", "40"), ("Root, Pitch", "90"), ("Root, Roll", "30")):
        type_into(shown[name], text)
        held.worker.answer("preview")
    numbers = [value(held, f"root.turn.{letter}") for letter in "wxyz"]
    assert math.hypot(*numbers) == pytest.approx(1.0)
    degrees = [math.degrees(slider.value) for slider in shown.values()]
    assert degrees == pytest.approx([40.0, 90.0, 30.0])  # no jump at the pole


def test_a_fixed_joint_says_so(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("arm", "tip")])
    assert sliders(panel) == {}
    assert panel.page is not None
    assert any("fixed" in label.text() for label in panel.page.findChildren(QLabel))


def test_an_actor_shows_its_place_and_folds_its_joints(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("human")])
    assert isinstance(panel.page, Page)
    assert list(sliders(panel)) == ["Position X", "Position Y", "Position Z", "Heading"]
    assert len(panel.page.sections) == 42  # its place, forty joints, what it hangs on
    QTest.mouseClick(panel.page.sections["shoulder_left"].header, LEFT)
    assert len(sliders(panel)) == 7
    held.session.do(edit("set_value", actor="human", layer="human_pose", coordinate="elbow_left.flexion", value=1.0))
    assert "57.3°" in panel.page.sections["elbow_left"].header.accessibleDescription()
    held.session.select([Item("box")])
    held.session.select([Item("human")])
    assert len(sliders(panel)) == 7, "groups stay open from page to page"


def test_some_joints_are_shown_together(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("human", "knee_left"), Item("human", "elbow_left")])
    assert list(sliders(panel)) == ["Left knee, Flexion", "Left elbow, Flexion"]


def test_an_actor_is_placed_in_centimetres_and_turned_without_losing_its_tilt(
    held: Held, panel: InspectorPanel
) -> None:
    tilted = quaternion_of((0.2, 0.4, 0.1))
    held.session.do(edit("place_actor", actor="box", position=(0.0, 0.5, 0.0), rotation=tilted))
    held.session.select([Item("box")])
    type_into(sliders(panel)["Position X"], "150")
    held.worker.answer("preview")
    type_into(sliders(panel)["Heading"], "90")
    held.worker.answer("preview")
    placement = held.session.document.actor("box").placement
    assert placement.position == pytest.approx((1.5, 0.5, 0.0))
    assert turns_of(placement.rotation) == pytest.approx((0.5 * math.pi, 0.4, 0.1))


def test_what_always_hangs_on_another_cannot_be_placed_and_says_why(held: Held, panel: InspectorPanel) -> None:
    held.session.do(edit("add_layer", actor="box", layer=Layer(id="slide")))
    held.session.select([Item("box")])
    assert isinstance(panel.page, Page)
    QTest.mouseClick(panel.page.sections["body"].header, LEFT)
    free = {name: slider.toolTip() for name, slider in sliders(panel).items()}
    assert {"Position X", "Heading", "Box, Move X"} <= set(free)
    hold = Attachment(id="hold", joint="body", target="arm", target_joint="tip")
    held.session.do(edit("attach_actor", actor="box", attachment=hold))
    for name in free:
        slider = sliders(panel)[name]
        assert not slider.isEnabled(), name
        assert slider.toolTip().startswith("Box always hangs on Tip, so this would move nothing.")
    held.session.do(edit("move_attachment", actor="box", attachment="hold", start=0, end=100, ease_in=0, ease_out=0))
    for name, tip in free.items():
        assert sliders(panel)[name].isEnabled(), name
        assert sliders(panel)[name].toolTip() == tip


def test_until_the_engine_is_ready_nothing_can_be_turned_and_the_panel_says_why(
    qapp: QApplication, qtbot: QtBot
) -> None:
    held = hold(scene(), ready=False)
    panel = InspectorPanel(held.session)
    put_on_screen(panel, qtbot)
    held.session.select([Item("arm", "elbow")])
    assert panel.waiting.isVisible()
    assert held.session.engine_state.text in panel.waiting.text()
    assert not sliders(panel)["Elbow, Flexion"].isEnabled()
    held.make_ready()
    assert not panel.waiting.isVisible()
    assert sliders(panel)["Elbow, Flexion"].isEnabled()
    held.session.close()


def test_a_page_that_is_gone_leaves_no_widget(held: Held, panel: InspectorPanel, qtbot: QtBot) -> None:
    for part in ("elbow", "root", "elbow"):
        held.session.select([Item("arm", part)])
    qtbot.waitUntil(lambda: len(panel.findChildren(ValueSlider)) == 2)
    held.session.do(edit("remove_actor", actor="arm"))
    assert panel.page is None


def test_turns_and_quaternions_agree() -> None:
    draw = random.Random(7)
    for _ in range(300):
        turns = (draw.uniform(-3.1, 3.1), draw.uniform(-1.57, 1.57), draw.uniform(-3.1, 3.1))
        quaternion = quaternion_of(turns)
        assert math.hypot(*quaternion) == pytest.approx(1.0)
        assert turns_of(quaternion) == pytest.approx(turns, abs=1e-6)
        for pole in (-0.5 * math.pi, 0.5 * math.pi):
            steep = quaternion_of((turns[0], pole, turns[2]))
            assert same_turn(quaternion_of(turns_of(steep)), steep)
    assert quaternion_of((math.pi / 2, 0.0, 0.0)) == pytest.approx((math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0))
    assert not same_turn((1.0, 0.0, 0.0, 0.0), quaternion_of((0.001, 0.0, 0.0)))


def test_nothing_chosen_leaves_no_scroll_bar_behind(panel: InspectorPanel, held: Held, qtbot: QtBot) -> None:
    held.session.select([Item("human")])
    bar = panel.area.verticalScrollBar()
    qtbot.waitUntil(bar.isVisible)
    held.session.select([])
    qtbot.waitUntil(lambda: not bar.isVisible())


def test_another_name_of_the_figure_rebuilds_no_page_of_its_joints(held: Held, panel: InspectorPanel) -> None:
    held.session.select([Item("arm", "elbow")])
    page = panel.page
    held.session.do(edit("rename_actor", actor="arm", name="Somebody else"))
    assert isinstance(page, Page)
    assert panel.page is page
    assert page.header is not None
    assert "Somebody else" in page.header.about[0].text
    held.session.undo()
    assert "Somebody else" not in page.header.about[0].text

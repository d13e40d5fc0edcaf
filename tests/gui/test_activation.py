"""Splines in the real window: drawn into a body, painted on it; their activation keyed, drawn and recorded in lanes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.features.activation.panel import ActivationPanel
from app.features.inspector.panel import InspectorPanel
from app.features.splines.contractions import Contractions
from app.features.splines.current_splines import CurrentSplines
from app.features.splines.fields import SplineFields
from app.features.splines.page import SplinePage
from app.scene.panes import FRONT
from app.session import Item
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.soft.parts import ActivationSpline, SoftBody
from tests.engine.soft.worms import along, keyed, worm_scene
from tests.gui.test_scenery import pixels
from tests.gui.test_window import canvas_of, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(worm_scene(keyed("upper", 0.04), along("lower", -0.04))) as open_stage:
        open_stage.session.select([Item("worm")])
        open_stage.view.frame()
        open_stage.draw()
        yield open_stage


@pytest.fixture
def panel(opened: Stage) -> ActivationPanel:
    """The dock, with all of its time."""
    opened.window.menus.actions["activation.show"].trigger()
    dock = opened.window.docks["activation"]
    opened.window.resizeDocks([dock], [300], Qt.Orientation.Vertical)
    found = dock.widget()
    assert isinstance(found, ActivationPanel)
    opened.until(lambda: found.isVisible() and found.lanes.keys is not None and found.lanes.height() > 150)
    found.lanes.show_all()
    opened.settle()
    return found


def splines(opened: Stage) -> tuple[ActivationSpline, ...]:
    body = opened.session.document.actors[0].part(SoftBody)
    assert body is not None
    return body.splines


def act(opened: Stage, id: str) -> None:
    """Do an action, and wait for what comes of it."""
    opened.window.menus.actions[id].trigger()
    done(opened)


def done(opened: Stage) -> None:
    opened.until(lambda: opened.session.at_rest)
    opened.settle()


def seen(opened: Stage, x: float, y: float) -> QPoint:
    """Where a place of the body's middle plane is seen in the front view [m]."""
    pane, place = opened.view.panes()[FRONT], np.array((x, 0.3 + y, 0.0))
    right, down, _ = opened.view.cameras[FRONT].project(place, opened.view.size_of(FRONT)).tolist()
    return QPoint(round(pane.x + right), round(pane.y + down))


def click(opened: Stage, widget: QWidget, place: QPoint) -> None:
    move(widget, place, held=False)
    QTest.mouseClick(widget, LEFT, pos=place)
    done(opened)


def wait_for_time(opened: Stage) -> None:
    """Until what is played has come to another frame."""
    now = opened.session.playhead
    opened.until(lambda: opened.session.playhead != now)


def in_lane(panel: ActivationPanel, lane: int, seconds: float, alpha: float) -> QPoint:
    lanes = panel.lanes
    return QPoint(round(lanes.x_of(seconds * SECOND)), round(lanes.y_of(lane, lanes.table.lanes[lane], alpha)))


def fields_of(panel: ActivationPanel) -> SplineFields:
    """What stands beside the lanes."""
    found = panel.fields["spline"]
    assert isinstance(found, SplineFields)
    return found


def keys(opened: Stage, place: int) -> list[tuple[float, float]]:
    """Seconds and alphas of a spline's keys."""
    track = splines(opened)[place].track
    return [] if track is None else [(key.time / SECOND, key.value) for key in track.keys]


def test_a_spline_is_drawn_by_clicks_its_point_dragged_and_taken_away(opened: Stage) -> None:
    act(opened, "activation.draw")
    canvas, plain = canvas_of(opened), pixels(opened.grab())
    for x, y in ((-0.3, -0.02), (-0.1, 0.04), (0.1, -0.03), (0.2, 0.0)):
        click(opened, canvas, seen(opened, x, y))
    press(opened, Qt.Key.Key_Backspace)
    move(canvas, seen(opened, 0.3, 0.02), held=False)
    opened.draw()
    assert (np.abs(pixels(opened.grab()) - plain).max(axis=2) > 40).sum() > 100  # the curve is shown while it is drawn
    assert len(splines(opened)) == 2
    press(opened, Qt.Key.Key_Return)
    done(opened)
    made = splines(opened)[-1]
    assert np.array(made.points) == pytest.approx(
        np.array(((-0.3, -0.02, 0.0), (-0.1, 0.04, 0.0), (0.1, -0.03, 0.0))), abs=5e-3
    )
    press(opened, Qt.Key.Key_Escape)
    assert opened.session.of(CurrentSplines).hold == ""
    entries, start = len(opened.session.history.entries), seen(opened, *made.points[1][:2])
    drag(canvas, [start, start + QPoint(4, -4), start + QPoint(8, -8)])
    done(opened)
    assert splines(opened)[-1].points[1][1] > made.points[1][1]
    assert len(opened.session.history.entries) == entries + 1
    click(opened, canvas, start + QPoint(8, -8))
    press(opened, Qt.Key.Key_Delete)
    done(opened)
    assert len(splines(opened)[-1].points) == 2
    assert len(opened.session.document.actors) == 1


def test_a_double_click_ends_a_spline_and_escape_leaves_none(opened: Stage) -> None:
    act(opened, "activation.draw")
    canvas = canvas_of(opened)
    click(opened, canvas, seen(opened, -0.2, 0.0))
    press(opened, Qt.Key.Key_Escape)
    click(opened, canvas, seen(opened, -0.2, 0.0))
    click(opened, canvas, seen(opened, 0.2, 0.0))
    QTest.mouseDClick(canvas, LEFT, pos=seen(opened, 0.2, 0.0))
    QTest.mouseRelease(canvas, LEFT, pos=seen(opened, 0.2, 0.0))
    done(opened)
    assert [len(each.points) for each in splines(opened)] == [4, 4, 2]
    press(opened, Qt.Key.Key_Escape)


def test_a_region_is_painted_on_the_body_and_erased(opened: Stage) -> None:
    opened.session.select([Item("worm", "body", "lower")])
    act(opened, "activation.paint")
    canvas, plain = canvas_of(opened), pixels(opened.grab())
    path = [seen(opened, x, 0.07) for x in np.linspace(-0.35, -0.1, 5)]
    entries = len(opened.session.history.entries)
    drag(canvas, path)
    done(opened)
    spline = splines(opened)[1]
    assert spline.region == "painted"
    assert spline.weights is not None
    body = opened.session.document.actors[0].part(SoftBody)
    assert body is not None
    left = body.points.array[:, 0] < -0.1
    assert spline.weights.array[left].max() > 0.3
    assert spline.weights.array[body.points.array[:, 0] > 0.1].max() == 0.0
    assert len(opened.session.history.entries) == entries + 1
    opened.until(lambda: not opened.view.is_due)
    opened.draw()
    assert (np.abs(pixels(opened.grab()) - plain).max(axis=2) > 40).sum() > 100  # it is coloured
    act(opened, "activation.fill_region")
    weights = splines(opened)[1].weights
    assert weights is not None
    assert weights.array.min() == 1.0
    act(opened, "activation.erase")
    drag(canvas, path)
    done(opened)
    weights = splines(opened)[1].weights
    assert weights is not None
    assert weights.array[left].min() < 0.7
    act(opened, "activation.clear_region")
    weights = splines(opened)[1].weights
    assert weights is not None
    assert weights.array.max() == 0.0


def test_alpha_is_keyed_by_double_click_and_by_key_and_a_key_is_dragged(opened: Stage, panel: ActivationPanel) -> None:
    lanes = panel.lanes
    QTest.mouseDClick(lanes.viewport(), LEFT, pos=in_lane(panel, 1, 1.0, 0.8))
    done(opened)
    assert keys(opened, 1)[0] == pytest.approx((1.0, 0.8), abs=0.02)
    opened.session.set_playhead(SECOND // 2)
    QTest.keyClick(lanes, Qt.Key.Key_K)
    done(opened)
    assert [time for time, _ in keys(opened, 1)] == [0.5, 1.0]
    entries, start = len(opened.session.history.entries), in_lane(panel, 1, 1.0, keys(opened, 1)[1][1])
    end = in_lane(panel, 1, 1.5, 0.9)
    drag(lanes.viewport(), [start, (start + end) / 2, end])
    opened.until(lambda: lanes.drag is None)
    done(opened)
    assert keys(opened, 1)[1] == pytest.approx((1.5, 0.9), abs=0.02)
    assert len(opened.session.history.entries) == entries + 1
    act(opened, "activation.delete_keys")
    assert [time for time, _ in keys(opened, 1)] == [0.5]
    opened.session.set_playhead(SECOND)
    act(opened, "activation.key")
    assert [time for time, _ in keys(opened, 1)] == [0.5, 1.0]


def test_keys_are_repeated_from_the_menu_of_a_lane(opened: Stage, panel: ActivationPanel) -> None:
    lanes, at = panel.lanes, in_lane(panel, 0, 0.75, 1.0)
    QApplication.sendEvent(
        lanes.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, lanes.viewport().mapToGlobal(at))
    )
    menu = next(each for each in panel.findChildren(QMenu) if each.objectName() == "context")
    texts = {each.text() for each in menu.actions()}
    assert {"Extrapolation: cycle", "Key activation", "Mute spline"} <= texts
    menu.close()
    for kind in ("linear", "cycle_offset", "hold", "cycle"):
        act(opened, f"activation.{kind}")
        track = splines(opened)[0].track
        assert track is not None
        assert (track.before, track.after) == (kind, kind)
        assert opened.window.menus.actions[f"activation.{kind}"].isChecked()
    assert lanes.table.lanes[0].value_at(2.5 * SECOND) == pytest.approx(0.7)


def test_a_curve_is_drawn_over_a_lane(opened: Stage, panel: ActivationPanel) -> None:
    act(opened, "activation.freehand")
    assert panel.freehand.isChecked()
    path = [in_lane(panel, 1, time, 1.0 - 0.2 * np.sin(3.0 * time)) for time in np.linspace(0.2, 1.8, 30)]
    drag(panel.lanes.viewport(), path)
    done(opened)
    found = keys(opened, 1)
    assert 3 <= len(found) <= 12
    assert min(alpha for _, alpha in found) == pytest.approx(0.8, abs=0.03)
    act(opened, "activation.freehand")
    assert not panel.lanes.draws


def test_a_slider_sets_the_constant_and_records_keys_while_it_plays(opened: Stage, panel: ActivationPanel) -> None:
    lanes = panel.lanes
    bar = lanes.slider_rect(1).center().toPoint()
    drag(lanes.viewport(), [bar, bar + QPoint(-4, 0), bar + QPoint(-10, 0)])
    done(opened)
    assert splines(opened)[1].activation == "constant"
    assert splines(opened)[1].alpha < 0.95
    act(opened, "activation.record")
    opened.session.play()
    QTest.mousePress(lanes.viewport(), LEFT, pos=bar)
    for way in (4, 10):
        move(lanes.viewport(), bar + QPoint(way, 0))
        wait_for_time(opened)
    QTest.mouseRelease(lanes.viewport(), LEFT, pos=bar + QPoint(10, 0))
    opened.session.player.pause()
    done(opened)
    act(opened, "activation.record")
    assert splines(opened)[1].activation == "keys"
    assert len(keys(opened, 1)) >= 2
    assert opened.session.history.entries[-1].label == "Record activation of Lower"


def test_an_expression_is_typed_and_what_is_wrong_is_said_in_place(opened: Stage, panel: ActivationPanel) -> None:
    click(opened, panel.lanes.viewport(), panel.lanes.name_rect(1).center().toPoint())
    fields = fields_of(panel)
    fields.kind.activated.emit(2)
    done(opened)
    opened.until(fields.expression.isVisible)
    fields.expression.selectAll()
    QTest.keyClicks(fields.expression, "1 + cso(t)")
    QTest.keyClick(fields.expression, Qt.Key.Key_Return)
    assert fields.problem.isVisible()
    assert "did you mean cos" in fields.problem.text()
    fields.expression.selectAll()
    QTest.keyClicks(fields.expression, "1 - 0.2*t")
    QTest.keyClick(fields.expression, Qt.Key.Key_Return)
    done(opened)
    assert splines(opened)[1].expression == "1 - 0.2*t"
    assert not fields.problem.isVisible()
    opened.session.set_playhead(SECOND)
    assert panel.lanes.value_of(panel.lanes.table.lanes[1]) == pytest.approx(0.8)


def test_lengths_as_simulated_are_plotted_beside_alpha(opened: Stage, panel: ActivationPanel) -> None:
    opened.session.set_playhead(SECOND)
    measured = opened.session.of(Contractions)
    opened.until(lambda: len(measured.found.get("upper", ())) > 25)
    assert measured.found["upper"][:, 1].min() < 0.97
    lanes = panel.lanes
    opened.until(lambda: lanes.current.source_of(lanes.table.lanes[0]).numbers(lanes.table.lanes[0])[1] != "")


def test_a_spline_is_seeded_muted_copied_named_and_removed(opened: Stage) -> None:
    act(opened, "activation.seed")
    opened.until(lambda: len(splines(opened)) == 3)
    done(opened)
    inspector = opened.window.docks["inspector"].widget()
    assert isinstance(inspector, InspectorPanel)
    opened.until(lambda: isinstance(inspector.page, SplinePage))
    assert isinstance(inspector.page, SplinePage)
    act(opened, "activation.mute")
    assert splines(opened)[2].mute
    inspector.page.name.setText("Belly")
    inspector.page.name.editingFinished.emit()
    done(opened)
    assert splines(opened)[2].name == "Belly"
    act(opened, "activation.duplicate")
    assert [each.name for each in splines(opened)] == ["Upper", "Lower", "Belly", "Belly 1"]
    act(opened, "activation.remove")
    assert [each.name for each in splines(opened)] == ["Upper", "Lower", "Belly"]

"""The Plot panel in the real window: ticked, searched, scrubbed, zoomed, muted, kept, followed, exported."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.plot.curves import INSET, CurvesView
from app.features.plot.panel import PlotPanel
from app.features.plot.plotting import Plotting
from app.session import Item
from app.style.apply import current_theme
from app.style.hues import hue
from app.style.theme import THEMES
from app.timeline.panel import TimelinePanel
from engine.document import Key
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.measure import GRAVITY
from engine.measure.series import Plot
from engine.model.inertia import total_mass
from tests.app.shell.answers import Answers
from tests.engine.measure.motions import pendulum
from tests.gui.test_dope_sheet import ELBOW, keyed
from tests.gui.test_scenery import choose, pixels
from tests.gui.test_window import press
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = [pytest.mark.gui, pytest.mark.pixels]
LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
ARM = "elbow_left"


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers()


@pytest.fixture
def opened(the_window: OneWindow, answers: Answers) -> Iterator[Stage]:
    """An elbow is selected, and its value ticked; four seconds are shown."""
    with the_window.begun(keyed(), size=(1440, 860), questions=answers) as begun:
        press(begun, Qt.Key.Key_F4, SHIFT)
        session, panel = begun.session, panel_of(begun)
        session.of(Plotting).choose(["value"])
        session.select([Item(human(begun), ARM)])
        panel.curves.show_all()
        whole(begun)
        yield begun
        session.of(Plotting).forget()
        panel.search.clear()
        panel.legend.muted.clear()


def human(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def panel_of(opened: Stage) -> PlotPanel:
    panel = opened.window.docks["plot"].widget()
    assert isinstance(panel, PlotPanel)
    return panel


def whole(opened: Stage) -> Plot:
    """The plot of the document and of what is wanted now, once it is worked out."""
    plotting, session = opened.session.of(Plotting), opened.session

    def there() -> bool:
        plot = plotting.plot
        wanted = plotting.quantities(session.shown)
        known = () if plot is None else tuple(each.quantity for each in plot.series)
        return plot is not None and plot.whole and plot.document is session.shown and set(known) == set(wanted)

    opened.until(there)
    assert plotting.plot is not None
    return plotting.plot


def labels(opened: Stage) -> list[str]:
    return [each.label for each in whole(opened).series]


def tick(opened: Stage, name: str) -> None:
    """Click the row of a sort in the list."""
    panel = panel_of(opened)
    row = next(row for row, line in enumerate(panel.choices.lines) if line.sort and line.sort.name == name)
    index = panel.choices.index(row)
    panel.list.scrollTo(index)
    QTest.mouseClick(panel.list.viewport(), LEFT, pos=panel.list.visualRect(index).center())


def picture(opened: Stage) -> QImage:
    """The curves, once they are painted."""
    curves = panel_of(opened).curves
    opened.until(lambda: curves.is_drawn)
    return curves.grab().toImage()


def has(image: QImage, colour: str) -> bool:
    """Whether a colour is drawn somewhere, not mixed with another too much."""
    wanted = QColor(colour)
    near = np.abs(pixels(image) - (wanted.red(), wanted.green(), wanted.blue())) < 40
    return bool(near.all(axis=2).any())


def at(curves: CurvesView, time: float) -> QPoint:
    return QPoint(round(curves.x_of(time)), round(curves.bottom / 2))


def wheel(curves: CurvesView, place: QPoint, turn: int, keys: Qt.KeyboardModifier) -> None:
    event = QWheelEvent(
        QPointF(place),
        QPointF(curves.mapToGlobal(place)),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(curves, event)


def test_nothing_is_worked_out_until_the_panel_is_raised_and_then_the_curve_is_drawn(opened: Stage) -> None:
    session = opened.session
    opened.window.show_panel("log")
    opened.until(lambda: session.of(Plotting).plot is None)
    opened.window.show_panel("plot")
    assert labels(opened) == ["Left elbow, Flexion"]
    assert has(picture(opened), hue(0, on_dark=current_theme().is_dark))


def test_an_empty_plot_says_what_to_do(opened: Stage) -> None:
    session, panel = opened.session, panel_of(opened)
    session.select([])
    assert "Select a joint" in panel.curves.hint
    session.select([Item(human(opened), ARM)])
    session.of(Plotting).choose([])
    assert "Tick" in panel.curves.hint
    session.of(Plotting).choose(["anatomical"])
    session.select([Item(human(opened), "pelvis")])
    tick(opened, "anatomical")
    assert "Tick" in panel.curves.hint
    assert not panel.export.isEnabled()


def test_quantities_are_searched_ticked_and_kept_for_the_next_start(opened: Stage) -> None:
    panel = panel_of(opened)
    QTest.mouseClick(panel.search, LEFT)
    QTest.keyClicks(panel.search, "velocity y")
    assert [line.text for line in panel.choices.lines if line.sort] == [
        "Velocity y",
        "Angular velocity y",
        "Velocity y",
        "Velocity of centre of mass y",
    ]
    tick(opened, "velocity.y")
    QTest.keyClick(panel.search, Qt.Key.Key_Escape)
    tick(opened, "rate")
    tick(opened, "value")
    assert labels(opened) == ["Left elbow, velocity y", "Left elbow, Flexion, rate"]
    assert panel.curves.units == ("m/s", "rad/s")
    kept, warning = opened.window._kept.read()
    assert not warning
    assert kept.plotted == ("velocity.y", "rate")


def test_a_drag_in_the_curves_scrubs_and_the_legend_tells_the_number_there(opened: Stage) -> None:
    session, panel = opened.session, panel_of(opened)
    curves = panel.curves
    drag(curves, [at(curves, 0.2 * SECOND), at(curves, 0.6 * SECOND), at(curves, SECOND)])
    assert session.playhead == SECOND
    assert panel.legend.index(0).data(Qt.ItemDataRole.UserRole) == f"{1.5 * 57.29577951:.1f} °"
    opened.settle()
    session.set_playhead(2 * SECOND)
    assert panel.legend.index(0).data(Qt.ItemDataRole.UserRole) == f"{0.2 * 57.29577951:.1f} °"
    line = picture(opened).pixelColor(round(curves.x_of(2 * SECOND)), 2)
    assert line == QColor(current_theme().accent)


def test_the_wheel_zooms_about_the_pointer_together_with_the_timeline(opened: Stage) -> None:
    curves, timeline = panel_of(opened).curves, opened.window.docks["timeline"].widget()
    assert isinstance(timeline, TimelinePanel)
    place = at(curves, SECOND)
    before = curves.axis.end - curves.axis.start
    under = curves.time_at(place.x())
    wheel(curves, place, 240, Qt.KeyboardModifier.NoModifier)
    assert curves.axis.end - curves.axis.start == pytest.approx(before / 1.44)
    assert curves.time_at(place.x()) == pytest.approx(under)
    assert (timeline.axis.start, timeline.axis.end) == (curves.axis.start, curves.axis.end)
    wheel(curves, place, 120, SHIFT)
    assert curves.time_at(place.x()) < under
    QTest.mouseDClick(curves, LEFT, pos=place)
    assert curves.axis.start < 0 < 4 * SECOND < curves.axis.end


def test_the_middle_button_moves_in_time(opened: Stage) -> None:
    curves, middle = panel_of(opened).curves, Qt.MouseButton.MiddleButton
    place = at(curves, SECOND)
    under = curves.time_at(place.x())
    QTest.mousePress(curves, middle, pos=place)
    event_at = place + QPoint(50, 0)
    where, glob = QPointF(event_at), QPointF(curves.mapToGlobal(event_at))
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(
        curves, QMouseEvent(QEvent.Type.MouseMove, where, glob, Qt.MouseButton.NoButton, middle, none)
    )
    QTest.mouseRelease(curves, middle, pos=event_at)
    assert curves.time_at(event_at.x()) == pytest.approx(under)


def test_an_edit_and_a_drag_are_followed(opened: Stage) -> None:
    session = opened.session
    actor = session.document.actors[0]
    change = edit("set_keys", actor=actor.id, layer=actor.layers[0].id, keys=((ELBOW, Key(SECOND, 0.7)),))
    gesture = session.begin_gesture("Try")
    gesture.preview(change)
    opened.until(lambda: session.shown is not session.document)
    values = dict(zip(whole(opened).series[0].times.tolist(), whole(opened).series[0].values.tolist(), strict=True))
    assert values[SECOND] == 0.7
    gesture.cancel()
    opened.settle()
    series = whole(opened).series[0]
    assert dict(zip(series.times.tolist(), series.values.tolist(), strict=True))[SECOND] == 1.5
    session.do(change)
    series = whole(opened).series[0]
    assert dict(zip(series.times.tolist(), series.values.tolist(), strict=True))[SECOND] == 0.7


def test_kept_curves_are_compared_with_those_of_another_actor(opened: Stage) -> None:
    session, panel = opened.session, panel_of(opened)
    QTest.mouseClick(panel.keep, LEFT)
    choose(opened, "add.box")
    opened.until(lambda: len(session.document.actors) == 2)
    box = session.document.actors[1]
    session.select([Item(box.id)])
    tick(opened, "place.y")
    tick(opened, "value")
    whole(opened)
    names = [panel.legend.index(row).data() for row in range(panel.legend.rowCount())]
    assert names[0] == f"{session.document.actors[0].name}: Left elbow, Flexion"
    assert names[1].startswith(f"{box.name}: ")
    assert panel.forget.isEnabled()
    QTest.mouseClick(panel.forget, LEFT)
    assert len(labels(opened)) == 1
    assert not panel.forget.isEnabled()


def test_a_click_in_the_legend_mutes_a_curve_and_another_brings_it_back(opened: Stage) -> None:
    panel, theme = panel_of(opened), current_theme()
    tick(opened, "place.y")
    assert len(labels(opened)) == 2
    row = panel.rows.visualRect(panel.legend.index(0)).center()
    QTest.mouseClick(panel.rows.viewport(), LEFT, pos=row)
    assert not has(picture(opened), hue(0, on_dark=theme.is_dark))
    shown = pixels(picture(opened)).astype(int)
    assert (shown[..., 0] - shown[..., 2]).max() > 60, "orange, though a level line may lie across two rows of pixels"
    QTest.mouseClick(panel.rows.viewport(), LEFT, pos=row)
    assert has(picture(opened), hue(0, on_dark=theme.is_dark))


def test_inverse_dynamics_is_ticked_and_the_ground_that_is_missing_is_told(opened: Stage) -> None:
    session, panel, theme = opened.session, panel_of(opened), current_theme()
    assert not panel.caution.isVisible()
    wanted = ("torque", "power", "work", "residual_force.y", "residual_torque.length")
    for count, name in enumerate(wanted, start=2):
        tick(opened, name)
        assert len(labels(opened)) == count
        assert panel.caution.isVisible()
    series = {each.quantity.kind: each for each in whole(opened).series}
    assert panel.curves.units == ("rad", "N m", "W", "J", "N")
    assert series["torque"].label == "Left elbow, Flexion, torque"
    for kind in wanted[:3]:
        assert np.ptp(series[kind].values) > 1e-3, kind
    weight = total_mass(session.document.actors[0].figure) * GRAVITY
    assert series["residual_force"].values[-1] == pytest.approx(weight), "the layer has ended: it stands still"
    name = session.document.actors[0].name
    assert panel.caution.text().startswith(f"The ground's force on {name} is not known")
    assert has(panel.caution.grab().toImage(), theme.warning)
    assert "ground" in panel.legend.index(1).data(Qt.ItemDataRole.ToolTipRole)
    assert has(picture(opened), hue(1, on_dark=theme.is_dark))
    for name in wanted:
        tick(opened, name)
    assert labels(opened) == ["Left elbow, Flexion"]
    assert not panel.caution.isVisible()


def test_what_stands_on_a_fixed_root_is_told_without_a_warning(opened: Stage) -> None:
    session, panel = opened.session, panel_of(opened)
    rod = replace(pendulum().actors[0], id="rod", name="Rod")
    session.do(edit("add_actor", actor=rod))
    session.select([Item("rod")])
    tick(opened, "torque")
    assert labels(opened) == ["Rod, Swing", "Rod, Swing, torque"]
    assert not panel.caution.isVisible()


def test_more_units_than_there_is_room_for_are_scrolled_to(opened: Stage) -> None:
    panel, theme = panel_of(opened), current_theme()
    curves = panel.curves
    for name in ("rate", "place.y", "torque", "power"):
        tick(opened, name)
    whole(opened)
    opened.until(lambda: len(curves.units) == 5)
    opened.session.set_playhead(2 * SECOND)
    last = hue(len(curves.rows) - 1, on_dark=theme.is_dark)
    image = picture(opened)
    assert not has(image, last)
    assert curves.bar.isVisible()
    cut = next(rect for rect in map(curves.frame_rect, range(5)) if rect.bottom() > curves.bottom > rect.top())
    for y, colour in ((-2, theme.field), (1, theme.panel)):
        at_the_edge = image.pixelColor(round(cut.left()) + 3, round(curves.bottom) + y)
        assert at_the_edge == QColor(colour), "frames end above the axis of time"
    curves.bar.setValue(curves.bar.maximum())
    assert has(picture(opened), last)
    assert curves.frame_rect(4).bottom() == pytest.approx(curves.bottom - INSET, abs=1.0)


def test_another_theme_draws_the_curves_in_its_colours(opened: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Qt tells each widget of a new theme; to tell all of a window takes seconds, and test_keys.py does it."""
    curves = panel_of(opened).curves
    assert has(picture(opened), hue(0, on_dark=True))
    monkeypatch.setattr("app.style.apply._shown", THEMES["light"])
    QApplication.sendEvent(curves, QEvent(QEvent.Type.StyleChange))
    image = picture(opened)
    assert has(image, hue(0, on_dark=False))
    ground = curves.frame_rect(0).topRight().toPoint() + QPoint(-4, 4)
    assert image.pixelColor(ground) == QColor(THEMES["light"].field)
    monkeypatch.undo()
    QApplication.sendEvent(curves, QEvent(QEvent.Type.StyleChange))


@pytest.mark.parametrize(
    "suffix", [".csv", *(pytest.param(each, marks=pytest.mark.deep) for each in (".npz", ".svg", ".sto"))]
)
def test_curves_are_exported_from_the_menu(opened: Stage, answers: Answers, tmp_path: Path, suffix: str) -> None:
    answers.place = tmp_path / "elbow"
    choose(opened, f"file.plot_{suffix[1:]}")
    opened.until(lambda: opened.session.at_rest and any(tmp_path.iterdir()))
    assert answers.asked[-1] == f"place for Untitled curves{suffix}"
    if suffix == ".npz":
        with np.load(tmp_path / "elbow.npz", allow_pickle=False) as found:
            assert found["labels"].tolist() == ["Left elbow, Flexion"]
            assert found["values"][[30, 60], 0].tolist() == [1.5, 0.2]
        return
    text = (tmp_path / f"elbow{suffix}").read_text(encoding="utf-8")
    if suffix == ".sto":
        assert "endheader\ntime\tLeft_elbow_Flexion_rad\n" in text
        return
    assert "Left elbow, Flexion [rad]" in text
    if suffix == ".csv":
        rows = {float(row[0]): float(row[1]) for row in list(csv.reader(text.splitlines()))[1:]}
        assert (rows[1.0], rows[2.0], len(rows)) == (1.5, 0.2, 4 * 30 + 1)


def test_the_panels_own_button_exports_too(opened: Stage, answers: Answers, tmp_path: Path) -> None:
    answers.place = tmp_path / "elbow.csv"
    menu = panel_of(opened).export.menu()
    menu.popup(opened.window.mapToGlobal(QPoint(300, 300)))
    opened.until(menu.isVisible)
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[0]).center())
    menu.close()
    opened.until(lambda: opened.session.at_rest and (tmp_path / "elbow.csv").exists())


def test_an_export_that_is_refused_says_why_and_writes_nothing(opened: Stage, answers: Answers, tmp_path: Path) -> None:
    answers.place = tmp_path / "gone" / "elbow.csv"
    choose(opened, "file.plot_csv")
    opened.until_told("", kind="error")
    assert "no such folder" in opened.session.log[-1].text
    assert opened.session.at_rest
    assert list(tmp_path.iterdir()) == []

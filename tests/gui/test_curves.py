"""The graph editor with real mouse, wheel and key events: curves, keys, tangents, ends, muting, timing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.session import Item
from app.session.actors import new_document
from app.timeline.graph import painter
from app.timeline.graph.curves import Curve
from app.timeline.graph.drags import GraphDrag
from app.timeline.graph.key_field import KeyField
from app.timeline.graph.panel import CurvesPanel
from app.timeline.graph.view import CurveGraph
from app.timeline.keys import Channel
from engine.document import Document, Key, Span, Track
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, frame_time
from engine.edits import edit
from engine.maths.arrays import Array
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui
SECOND = TICKS_PER_SECOND
PLAIN, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier,
)  # fmt: skip
LEFT = Qt.MouseButton.LeftButton
ELBOW, KNEE = "elbow_left.flexion", "knee_left.flexion"
START, TOP, END = Key(0, 0.2), Key(SECOND, 1.5), Key(2 * SECOND, 0.4)


def keyed() -> Document:
    """A human with keys on an elbow and a knee."""
    document = new_document()
    actor = document.actors[0]
    order = actor.figure.coordinate_index
    tracks = (
        Track(coordinate=ELBOW, keys=(START, TOP, END)),
        Track(coordinate=KNEE, keys=(Key(0, 0.1, interpolation="linear"), Key(2 * SECOND, 0.8))),
    )
    layer = replace(actor.layers[0], tracks=tuple(sorted(tracks, key=lambda track: order[track.coordinate])))
    return replace(document.with_actor(replace(actor, layers=(layer,))), play=Span(start=0, end=4 * SECOND))


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged()


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    with window.anew(keyed()) as begun:
        show_graph(begun)
        yield begun


def show_graph(opened: Stage) -> None:
    act(opened, "view.workspace_animate")
    act(opened, "curves.show")
    opened.settle()


@pytest.fixture
def graph(opened: Stage) -> CurveGraph:
    """The graph with the elbow's curves."""
    select(opened, ELBOW)
    found = panel_of(opened).graph
    opened.until(lambda: bool(found.curves.curves))
    found.fit_all()
    return found


def act(opened: Stage, id: str) -> None:
    """Do an action from its menu, if it offers it."""
    opened.window.menus.refresh()
    action = opened.window.menus.actions[id]
    assert action.isEnabled(), id
    action.trigger()


def can(opened: Stage, id: str) -> bool:
    opened.window.menus.refresh()
    return opened.window.menus.actions[id].isEnabled()


def panel_of(opened: Stage) -> CurvesPanel:
    panel = opened.window.docks["curves"].widget()
    assert isinstance(panel, CurvesPanel)
    return panel


def select(opened: Stage, *coordinates: str) -> None:
    """The joints that these turn."""
    actor = opened.session.document.actors[0]
    joints = (joint for joint in actor.figure.joints for dof in joint.dofs if dof.id in coordinates)
    opened.session.select(Item(actor.id, joint.id) for joint in joints)


def curve(graph: CurveGraph, coordinate: str = ELBOW) -> Curve:
    return next(each for each in graph.curves.curves if each.channel.coordinate == coordinate)


def at(graph: CurveGraph, time: float, value: float, coordinate: str = ELBOW) -> QPoint:
    """Where a time and a value stand."""
    return graph.place_of(time, curve(graph, coordinate).shown(value)).toPoint()


def keys_of(opened: Stage, coordinate: str = ELBOW) -> tuple[Key, ...]:
    track = opened.session.document.actors[0].layers[0].track_of.get(coordinate)
    return () if track is None else track.keys


def track_of(opened: Stage, coordinate: str = ELBOW) -> Track:
    return opened.session.document.actors[0].layers[0].track_of[coordinate]


def chosen(graph: CurveGraph) -> dict[str, list[int]]:
    return {channel.coordinate: sorted(times) for channel, times in graph.picked.items() if times}


def settled(opened: Stage, graph: CurveGraph) -> None:
    opened.until(lambda: graph.drag is None and opened.session.at_rest)


def labels(opened: Stage) -> list[str]:
    return [entry.label for entry in opened.session.history.entries]


def click(graph: CurveGraph, place: QPoint, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    QTest.mouseClick(graph.viewport(), LEFT, modifiers, place)


def wheel(graph: CurveGraph, place: QPoint, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    where = QPointF(graph.viewport().mapToGlobal(place))
    event = QWheelEvent(
        QPointF(place), where, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(graph.viewport(), event)


def test_the_curves_of_the_selection_are_drawn_and_listed_with_their_values_at_the_playhead(
    opened: Stage, graph: CurveGraph
) -> None:
    assert [each.channel.coordinate for each in graph.curves.curves if each.track is not None] == [ELBOW]
    picture = graph.grab().toImage()
    place = at(graph, SECOND // 2, curve(graph).value_at(SECOND / 2))
    around = {picture.pixelColor(place + QPoint(0, step)).name() for step in range(-2, 3)}
    assert len(around) > 1  # a line is there
    opened.session.set_playhead(SECOND)
    assert curve(graph).value_at(opened.session.playhead) == 1.5
    select(opened, ELBOW, KNEE)
    assert {ELBOW, KNEE} <= {each.channel.coordinate for each in graph.curves.curves}
    opened.session.select([])
    assert graph.curves.curves == ()


def test_the_wheel_zooms_about_the_pointer_both_ways_or_one_and_the_middle_button_pans(
    opened: Stage, graph: CurveGraph
) -> None:
    place = at(graph, SECOND, 0.8)
    time, value = graph.time_at(place.x()), graph.scale.value_at(place.y())
    spans = (graph.axis.ticks_per_pixel, graph.scale.per_pixel)
    wheel(graph, place)
    assert graph.axis.ticks_per_pixel < spans[0]
    assert graph.scale.per_pixel < spans[1]
    assert graph.time_at(place.x()) == pytest.approx(time)
    assert graph.scale.value_at(place.y()) == pytest.approx(value)
    spans = (graph.axis.ticks_per_pixel, graph.scale.per_pixel)
    wheel(graph, place, CONTROL)
    assert graph.axis.ticks_per_pixel < spans[0]
    assert graph.scale.per_pixel == spans[1]
    spans = (graph.axis.ticks_per_pixel, graph.scale.per_pixel)
    wheel(graph, place, SHIFT)
    assert graph.axis.ticks_per_pixel == spans[0]
    assert graph.scale.per_pixel < spans[1]
    before = graph.place_of(SECOND, 45.0)
    QTest.mousePress(graph.viewport(), Qt.MouseButton.MiddleButton, PLAIN, place)
    QTest.mouseMove(graph.viewport(), place + QPoint(30, 20))
    QTest.mouseRelease(graph.viewport(), Qt.MouseButton.MiddleButton, PLAIN, place + QPoint(30, 20))
    assert (graph.place_of(SECOND, 45.0) - before - QPointF(30, 20)).manhattanLength() < 1e-6


def test_curves_and_chosen_keys_are_fitted_by_keys_and_actions(opened: Stage, graph: CurveGraph) -> None:
    graph.setFocus()
    wheel(graph, QPoint(5, 5))
    QTest.keyClick(graph, Qt.Key.Key_A)
    assert graph.axis.start < 0.0 < 2 * SECOND < graph.axis.end
    graph.choose_all()
    graph.choose({channel: times - {0} for channel, times in graph.picked.items()})
    QTest.keyClick(graph, Qt.Key.Key_F)
    assert graph.axis.start > 0.5 * SECOND
    act(opened, "curves.fit_all")
    assert graph.axis.start < 0.0
    act(opened, "curves.fit")
    assert graph.axis.start > 0.5 * SECOND


def test_keys_are_chosen_by_click_and_box_and_modifiers(opened: Stage, graph: CurveGraph) -> None:
    click(graph, at(graph, 0, 0.2))
    assert chosen(graph) == {ELBOW: [0]}
    click(graph, at(graph, SECOND, 1.5), SHIFT)
    assert chosen(graph) == {ELBOW: [0, SECOND]}
    click(graph, at(graph, 0, 0.2), CONTROL)
    assert chosen(graph) == {ELBOW: [SECOND]}
    corner = at(graph, 0.9 * SECOND, 1.7)
    drag(graph.viewport(), [corner, at(graph, 1.5 * SECOND, 0.6), at(graph, 2.1 * SECOND, 0.1)])
    assert chosen(graph) == {ELBOW: [SECOND, 2 * SECOND]}
    click(graph, at(graph, 1.5 * SECOND, 0.1))
    assert chosen(graph) == {}


def test_a_drag_moves_keys_in_time_and_value_as_one_entry_over_a_ghost(opened: Stage, graph: CurveGraph) -> None:
    before = len(labels(opened))
    start, far = at(graph, SECOND, 1.5), at(graph, 1.3 * SECOND, 1.0)
    QTest.mousePress(graph.viewport(), LEFT, PLAIN, start)
    move(graph.viewport(), (start + far) / 2)
    move(graph.viewport(), far)
    assert isinstance(graph.drag, GraphDrag)
    ghost = graph.drag.before.find(curve(graph).channel)
    assert ghost is not None
    assert ghost.track is not None
    assert ghost.track.keys == (START, TOP, END)
    shown = curve(graph).track
    assert shown is not None
    assert shown.keys[1].value == pytest.approx(1.0, abs=0.03)  # it does not wait for the engine
    QTest.mouseRelease(graph.viewport(), LEFT, PLAIN, far)
    settled(opened, graph)
    moved = keys_of(opened)[1]
    assert moved.time == graph.axis.snapped(moved.time)
    assert abs(moved.time - 1.3 * SECOND) <= frame_time(1, opened.session.document.rate)
    assert moved.value == pytest.approx(1.0, abs=0.03)
    assert labels(opened)[before:] == ["Move keys"]
    assert chosen(graph) == {ELBOW: [moved.time]}
    opened.session.undo()
    assert keys_of(opened) == (START, TOP, END)


def test_shift_keeps_to_one_way_and_whole_values_are_snapped_to(opened: Stage, graph: CurveGraph) -> None:
    start = at(graph, SECOND, 1.5)
    drag(graph.viewport(), [start, start + QPoint(2, 20), start + QPoint(9, 30)], modifiers=SHIFT)
    settled(opened, graph)
    moved = keys_of(opened)[1]
    assert moved.time == SECOND
    assert moved.value < 1.5
    act(opened, "curves.snap")
    start = at(graph, SECOND, moved.value)
    drag(graph.viewport(), [start, start + QPoint(0, 12), start + QPoint(0, 23)])
    settled(opened, graph)
    degrees = curve(graph).unit.scale * keys_of(opened)[1].value
    assert degrees == pytest.approx(round(degrees), abs=1e-9)


def test_escape_lets_go_of_a_drag_and_nothing_has_changed(opened: Stage, graph: CurveGraph) -> None:
    before = opened.session.document
    graph.setFocus()
    QTest.mousePress(graph.viewport(), LEFT, PLAIN, at(graph, SECOND, 1.5))
    move(graph.viewport(), at(graph, 1.4 * SECOND, 0.9))
    QTest.keyClick(graph, Qt.Key.Key_Escape)
    QTest.mouseRelease(graph.viewport(), LEFT, PLAIN, at(graph, 1.4 * SECOND, 0.9))
    settled(opened, graph)
    assert opened.session.document is before
    assert chosen(graph) == {ELBOW: [SECOND]}


def test_keys_dropped_on_a_key_replace_it_and_a_line_says_so(opened: Stage, graph: CurveGraph) -> None:
    drag(graph.viewport(), [at(graph, SECOND, 1.5), at(graph, 1.5 * SECOND, 1.5), at(graph, 2 * SECOND, 1.5)])
    settled(opened, graph)
    assert [key.time for key in keys_of(opened)] == [0, 2 * SECOND]
    assert any("1 key was replaced" in entry.text for entry in opened.session.log)


def test_a_double_click_sets_a_key_on_the_curve_and_delete_takes_it_away(opened: Stage, graph: CurveGraph) -> None:
    time = graph.axis.snapped(0.5 * SECOND)
    value = curve(graph).value_at(time)
    place = at(graph, time, value)
    QTest.mousePress(graph.viewport(), LEFT, PLAIN, place)
    QTest.mouseRelease(graph.viewport(), LEFT, PLAIN, place)
    QTest.mouseDClick(graph.viewport(), LEFT, PLAIN, place)
    settled(opened, graph)
    assert [key.time for key in keys_of(opened)] == [0, time, SECOND, 2 * SECOND]
    assert keys_of(opened)[1].value == pytest.approx(value, abs=1e-9)
    assert chosen(graph) == {ELBOW: [time]}
    graph.setFocus()
    QTest.keyClick(graph, Qt.Key.Key_Delete)
    settled(opened, graph)
    assert [key.time for key in keys_of(opened)] == [0, SECOND, 2 * SECOND]
    act(opened, "curves.fit_all")
    opened.session.set_playhead(time)
    act(opened, "curves.insert")
    assert [key.time for key in keys_of(opened)] == [0, time, SECOND, 2 * SECOND]
    act(opened, "curves.remove")
    settled(opened, graph)
    assert [key.time for key in keys_of(opened)] == [0, SECOND, 2 * SECOND]


def test_ctrl_and_a_click_off_the_curves_sets_a_key_there_where_one_curve_can_be_meant(
    opened: Stage, graph: CurveGraph
) -> None:
    graph.activate({curve(graph).channel})
    time = graph.axis.snapped(1.5 * SECOND)
    click(graph, at(graph, time, 0.25), CONTROL)
    settled(opened, graph)
    made = keys_of(opened)[2]
    assert made.time == time
    assert made.value == pytest.approx(0.25, abs=0.03)
    select(opened, ELBOW, KNEE)
    graph.activate(())
    before = opened.session.document
    click(graph, at(graph, 3 * SECOND, 1.4), CONTROL)
    assert opened.session.document is before
    assert "Double-click on a curve" in opened.session.log[-1].text


def type_into(field: KeyField, text: str) -> None:
    QTest.mouseClick(field, LEFT)
    line = field.window().focusWidget()
    assert line is not None
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_time_and_value_are_typed_and_nonsense_is_refused_in_words(opened: Stage, graph: CurveGraph) -> None:
    panel = panel_of(opened)
    assert not panel.value.isEnabled()
    click(graph, at(graph, SECOND, 1.5))
    opened.until(opened.window.isActiveWindow)
    type_into(panel.value, "60")
    settled(opened, graph)
    assert keys_of(opened)[1].value == pytest.approx(1.0471975511965976)
    type_into(panel.frame, "12")
    settled(opened, graph)
    assert keys_of(opened)[1].time == frame_time(12, opened.session.document.rate)
    assert chosen(graph) == {ELBOW: [keys_of(opened)[1].time]}
    before = opened.session.document
    QTest.mouseClick(panel.value, LEFT)
    line = opened.window.focusWidget()
    assert line is not None
    QTest.keyClicks(line, "1e999")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert line.property("wrong")
    QTest.keyClick(line, Qt.Key.Key_Escape)
    settled(opened, graph)
    assert opened.session.document is before
    type_into(panel.value, "5000")
    settled(opened, graph)
    upper = opened.session.document.actors[0].figure.coordinate_dof[ELBOW].upper
    assert keys_of(opened)[1].value == upper


def tangent_end(graph: CurveGraph, *, after: bool) -> QPoint:
    return next(each.end for each in graph.tangents() if each.after == after).toPoint()


def test_keys_whose_move_is_refused_stay_where_they_are_and_chosen(opened: Stage, graph: CurveGraph) -> None:
    graph.choose_all()
    panel_of(opened).commands.set_frame(1e12)
    assert "within 73 days" in opened.session.log[-1].text
    settled(opened, graph)
    opened.session.do(edit("set_rate", frames=24))
    assert chosen(graph) == {ELBOW: [0, SECOND, 2 * SECOND]}


def test_keys_of_which_no_move_is_allowed_stay_chosen(window: Arranged) -> None:
    actor, times = keyed().actors[0], [TICKS_LIMIT - place * SECOND for place in (4, 3, 2, 1, 0)]
    layer = replace(actor.layers[0], tracks=(Track(coordinate=ELBOW, keys=tuple(Key(time, 0.3) for time in times)),))
    with window.anew(replace(keyed(), actors=(replace(actor, layers=(layer,)),))) as opened:
        show_graph(opened)
        select(opened, ELBOW)
        graph = panel_of(opened).graph
        opened.until(lambda: bool(graph.curves.curves))
        graph.fit_all()
        graph.choose_all()
        last = at(graph, TICKS_LIMIT, 0.3)
        drag(graph.viewport(), [last, last + QPoint(30, 0), last + QPoint(60, 0)])
        assert chosen(graph) == {ELBOW: times}


def test_a_tangent_is_bent_by_its_end_both_sides_together_until_they_are_broken(
    opened: Stage, graph: CurveGraph
) -> None:
    click(graph, at(graph, SECOND, 1.5))
    end = tangent_end(graph, after=True)
    drag(graph.viewport(), [end, end + QPoint(0, -10), end + QPoint(0, -25)])
    settled(opened, graph)
    bent = keys_of(opened)[1]
    assert bent.tangent == "free"
    assert bent.slope_in == bent.slope_out > 0.5
    assert labels(opened)[-1] == "Bend tangent"
    act(opened, "curves.break")
    settled(opened, graph)
    end = tangent_end(graph, after=False)
    drag(graph.viewport(), [end, end + QPoint(0, -10), end + QPoint(0, -30)])
    settled(opened, graph)
    broken = keys_of(opened)[1]
    assert broken.slope_out == bent.slope_out
    assert broken.slope_in < bent.slope_in
    act(opened, "curves.unify")
    settled(opened, graph)
    unified = keys_of(opened)[1]
    assert unified.slope_in == unified.slope_out == pytest.approx(0.5 * (broken.slope_in + broken.slope_out))


def test_ctrl_bends_one_side_of_a_tangent_alone(opened: Stage, graph: CurveGraph) -> None:
    click(graph, at(graph, SECOND, 1.5))
    (before,) = (key for key in keys_of(opened) if key.time == SECOND)
    end = tangent_end(graph, after=True)
    drag(graph.viewport(), [end, end + QPoint(0, -10), end + QPoint(0, -25)], modifiers=CONTROL)
    settled(opened, graph)
    (bent,) = (key for key in keys_of(opened) if key.time == SECOND)
    assert bent.slope_out > bent.slope_in + 0.5
    assert (bent.tangent, bent.weight_in) == ("free", before.weight_in)


def test_a_weighted_tangent_takes_its_length_and_one_pulled_backwards_is_clamped(
    opened: Stage, graph: CurveGraph
) -> None:
    act(opened, "curves.weighted")
    click(graph, at(graph, SECOND, 1.5))
    end = tangent_end(graph, after=True)
    drag(graph.viewport(), [end, end + QPoint(10, 0), at(graph, 1.6 * SECOND, 1.5)])
    settled(opened, graph)
    assert keys_of(opened)[1].weight_out == pytest.approx(0.6, abs=0.02)
    end = tangent_end(graph, after=True)
    drag(graph.viewport(), [end, end - QPoint(10, 0), at(graph, 0.2 * SECOND, 1.9)])
    settled(opened, graph)
    key = keys_of(opened)[1]
    assert key.weight_out == 0.01
    assert 100.0 < key.slope_out < 1e4
    opened.settle()


def test_tangents_and_interpolations_are_set_from_the_menu(opened: Stage, graph: CurveGraph) -> None:
    for name, tangent in (("flat", "flat"), ("spline", "free"), ("auto", "auto")):
        click(graph, at(graph, SECOND, 1.5))
        act(opened, f"curves.{name}")
        settled(opened, graph)
        assert (keys_of(opened)[1].tangent, keys_of(opened)[1].interpolation) == (tangent, "cubic")
    for name in ("linear", "stepped"):
        act(opened, f"curves.{name}")
        settled(opened, graph)
        assert keys_of(opened)[1].interpolation == name
        assert chosen(graph) == {ELBOW: [SECOND]}
    assert labels(opened)[-5:] == ["Flat tangents", "Spline tangents", "Auto tangents", "Linear keys", "Stepped keys"]


def test_how_curves_go_on_is_set_from_the_menu(opened: Stage, graph: CurveGraph) -> None:
    for end, kind in (("linear", "linear"), ("cycle", "cycle"), ("offset", "cycle_offset"), ("hold", "hold")):
        act(opened, f"curves.before_{end}")
        act(opened, f"curves.after_{end}")
        assert (track_of(opened).before, track_of(opened).after) == (kind, kind)
        graph.grab()


def test_a_curve_is_muted_and_locked_in_the_list_and_by_actions(opened: Stage, graph: CurveGraph) -> None:
    channels = panel_of(opened).channels
    place = graph.curves.place_of[curve(graph).channel]
    QTest.mouseClick(channels.viewport(), LEFT, PLAIN, channels.mute_place(place).center().toPoint())
    opened.settle()
    assert track_of(opened).mute
    assert opened.snapshot is not None
    act(opened, "curves.mute")
    assert not track_of(opened).mute
    QTest.mouseClick(channels.viewport(), LEFT, PLAIN, channels.lock_place(place).center().toPoint())
    before = opened.session.document
    drag(graph.viewport(), [at(graph, SECOND, 1.5), at(graph, 1.2 * SECOND, 1.2)])
    assert (chosen(graph), opened.session.document is before) == ({}, True)
    graph.activate({curve(graph).channel})
    act(opened, "curves.lock")
    drag(graph.viewport(), [at(graph, SECOND, 1.5), at(graph, 1.1 * SECOND, 1.4), at(graph, 1.2 * SECOND, 1.2)])
    settled(opened, graph)
    assert opened.session.document is not before


def test_a_row_chooses_a_curve_and_isolating_shows_it_alone(opened: Stage, graph: CurveGraph) -> None:
    select(opened, ELBOW, KNEE)
    channels = panel_of(opened).channels
    knee = curve(graph, KNEE).channel
    place = graph.curves.place_of[knee]
    QTest.mouseClick(channels.viewport(), LEFT, PLAIN, channels.frame_of(place).center().toPoint() - QPoint(60, 0))
    assert graph.active == {knee}
    act(opened, "curves.isolate")
    assert [graph.curves.curves[number].channel for number in graph.seen] == [knee]
    graph.setFocus()
    QTest.keyClick(graph, Qt.Key.Key_A, CONTROL)
    assert chosen(graph) == {KNEE: [0, 2 * SECOND]}
    act(opened, "curves.isolate")
    assert len(graph.seen) == len(graph.curves.curves)
    graph.choose_all()
    graph.activate({knee})
    assert set(chosen(graph)) == {ELBOW, KNEE}, "all are seen"
    act(opened, "curves.isolate")
    assert set(chosen(graph)) == {KNEE}, "what is not seen is not changed"
    graph.activate({curve(graph).channel})
    assert chosen(graph) == {}


def test_normalised_curves_stand_at_full_height_and_a_drag_does_not_stretch_them(
    opened: Stage, graph: CurveGraph
) -> None:
    select(opened, ELBOW, KNEE)
    act(opened, "curves.normalise")
    for name in (ELBOW, KNEE):
        found = curve(graph, name)
        assert found.outline is not None
        heights = [found.shown(value) for value in found.outline.value.tolist()]
        assert [min(heights), max(heights)] == pytest.approx([-1.0, 1.0])
    start = at(graph, SECOND, 1.5)
    QTest.mousePress(graph.viewport(), LEFT, PLAIN, start)
    move(graph.viewport(), start + QPoint(0, 30))
    assert at(graph, 0, 0.2) == at(graph, 0, 0.2)
    held = at(graph, SECOND, 1.5)
    QTest.mouseRelease(graph.viewport(), LEFT, PLAIN, start + QPoint(0, 30))
    assert held == start
    settled(opened, graph)
    act(opened, "curves.normalise")
    assert curve(graph).gain == curve(graph).unit.scale


def test_a_path_is_timed_apart_by_keys_that_are_dragged(opened: Stage, graph: CurveGraph) -> None:
    graph.choose_all()
    act(opened, "curves.time_path")
    settled(opened, graph)
    layer = opened.session.document.actors[0].layers[0]
    assert [(each.start, each.end, each.coordinates) for each in layer.speed] == [(0, 2 * SECOND, (ELBOW,))]
    timing = next(each for each in graph.curves.curves if each.speed is not None)
    channel: Channel = timing.channel
    graph.activate({channel})
    act(opened, "curves.isolate")
    time = graph.axis.snapped(SECOND)
    click(graph, graph.place_of(time, timing.shown(0.5)).toPoint(), CONTROL)
    settled(opened, graph)
    assert len(opened.session.document.actors[0].layers[0].speed[0].keys) == 3
    start = graph.place_of(time, timing.shown(0.5)).toPoint()
    drag(graph.viewport(), [start, start + QPoint(0, 10), graph.place_of(time, timing.shown(0.2)).toPoint()])
    settled(opened, graph)
    keys = opened.session.document.actors[0].layers[0].speed[0].keys
    assert [key.value for key in keys] == [0.0, pytest.approx(0.2, abs=0.02), 1.0]
    assert keys_of(opened) == (START, TOP, END)  # the path is what it was
    graph.fit_all()
    before = opened.session.document
    graph.add_at(graph.place_of(graph.axis.snapped(2.02 * SECOND), timing.shown(1.0)))
    assert opened.session.document is before
    assert opened.session.log[-1].text == "A key of a time path stands between its two ends."
    start = graph.place_of(time, timing.shown(keys[1].value)).toPoint()
    drag(graph.viewport(), [start, start + QPoint(9, 0), start + QPoint(4000, 4000)])
    settled(opened, graph)
    keys = opened.session.document.actors[0].layers[0].speed[0].keys
    assert [key.value for key in keys] == [0.0, 0.0, 1.0]
    assert 0 < keys[1].time < 2 * SECOND
    act(opened, "curves.drop_timing")
    assert opened.session.document.actors[0].layers[0].speed == ()
    assert not can(opened, "curves.drop_timing")


def test_while_a_key_is_dragged_only_its_curve_is_painted_anew(
    opened: Stage, graph: CurveGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    select(opened, ELBOW, KNEE)
    opened.until(lambda: {curve.channel.coordinate for curve in graph.curves.curves} >= {ELBOW, KNEE})
    graph.fit_all()
    opened.settle()
    painted = list[set[str]]()
    paint = painter._paint_curves

    def noted(to: QPainter, graph: CurveGraph, lines: dict[int, list[Array]], *, smooth: bool) -> None:
        painted.append({graph.curves.curves[place].channel.coordinate for place in lines})
        paint(to, graph, lines, smooth=smooth)

    monkeypatch.setattr(painter, "_paint_curves", noted)
    elbow = next(curve for curve in graph.curves.curves if curve.channel.coordinate == ELBOW)
    start = graph.place_of(SECOND, elbow.shown(TOP.value)).toPoint()
    QTest.mousePress(graph.viewport(), LEFT, pos=start)
    for step in (8, 14):
        move(graph.viewport(), start + QPoint(0, step))
        graph.grab()
    painted.clear()
    move(graph.viewport(), start + QPoint(0, 20))
    while_dragged = graph.grab().toImage()
    assert painted == [{ELBOW}]
    graph.kept.pop("still")
    graph.redraw()
    assert graph.grab().toImage() == while_dragged
    assert any(KNEE in each for each in painted)
    for zoom in (graph.axis.zoom, graph.scale.zoom):
        zoom(0.8, 100.0)
        zoomed = graph.grab().toImage()
        graph.kept.pop("still")
        graph.redraw()
        assert graph.grab().toImage() == zoomed
    QTest.mouseRelease(graph.viewport(), LEFT, pos=start + QPoint(0, 20))
    settled(opened, graph)

"""Lanes: their keys as arrays, their curves, what is under a place; those of splines and of muscles in one list."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.features.splines.lane_source import lane_of
from app.lanes.current_lanes import ALL, CurrentLanes
from app.lanes.lane import Lane
from app.lanes.places import HIGH, LOW
from app.lanes.view import LaneView
from app.session import Item
from app.style.fonts import scaled
from app.timeline.axis import TimeAxis
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.muscles.parts import Muscles, MuscleSet
from engine.soft.parts import ActivationSpline
from tests.app.features.conftest import put_on_screen
from tests.app.session.held import Held
from tests.engine.soft.worms import along, keyed, worm

NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def lanes(held: Held, qtbot: QtBot) -> LaneView:
    axis = TimeAxis(held.session.document.rate)
    made = LaneView(held.session, axis)
    put_on_screen(made, qtbot, width=800, height=340)
    made.follow()
    made.fit_axis()
    made.show_all()
    return made


def lane_alone(spline: ActivationSpline) -> Lane:
    """A lane of a spline in a body of its own."""
    return lane_of(worm(spline), spline, spline.name)


def names(lanes: LaneView) -> list[str]:
    lanes.follow()
    return [each.name for each in lanes.table.lanes]


def test_splines_and_muscles_have_lanes_and_curves_are_worked_out_once(lanes: LaneView, held: Held) -> None:
    table, muscles = lanes.table, ["Biceps", "Triceps", "Brachialis"]
    assert names(lanes) == ["Upper", "Middle", "Lower", *muscles]
    assert table.time.tolist() == [round(each * SECOND) for each in (0.0, 0.5, 1.0, 2.0, 0.0, 1.0)]
    outline = table.lanes[0].outline
    held.session.do(edit("set_activation", actor="worm", spline="lower", alpha=0.8))
    lanes.follow()
    assert lanes.table is not table
    assert lanes.table.lanes[0] is table.lanes[0]
    held.session.do(edit("rename_activation_spline", actor="worm", spline="upper", name="Topmost"))
    lanes.follow()
    assert lanes.table.lanes[0].outline is outline


def test_a_value_at_a_time_is_that_of_the_constant_the_keys_or_the_expression() -> None:
    assert lane_alone(along("one", alpha=0.8)).value_at(SECOND) == 0.8
    assert lane_alone(keyed("one")).value_at(SECOND // 2) == pytest.approx(0.7)
    told = lane_alone(along("one", activation="expression", expression="1 + 0.5*t"))
    assert told.value_at(SECOND) == pytest.approx(1.5)
    assert [len(each) for each in told.expressed(0.0, SECOND, 20)] == [20]


def test_a_lane_shows_all_of_its_keys(lanes: LaneView) -> None:
    low, high = lane_alone(keyed("one", keys=((0.0, 0.2), (1.0, 2.5)))).span
    assert low < 0.2
    assert high > 2.5


@pytest.mark.parametrize(("place", "key", "time", "value"), [(0, 1, SECOND // 2, 0.7), (4, 5, SECOND, 0.8)])
def test_a_key_is_found_where_it_is_painted(lanes: LaneView, place: int, key: int, time: int, value: float) -> None:
    lane = lanes.table.lanes[place]
    at = QPointF(lanes.x_of(time), lanes.y_of(place, lane, value))
    assert lanes.key_at(at) == key
    assert lanes.key_at(at + QPointF(0.0, 12.0)) is None
    assert lanes.value_at(place, lane, at.y()) == pytest.approx(value)
    box = QRectF(at - QPointF(20.0, 6.0), at + QPointF(20.0, 6.0))
    assert np.flatnonzero(lanes.keys_in(box)).tolist() == [key]


def test_moved_keys_take_the_place_of_those_that_they_land_on() -> None:
    moved = lane_alone(keyed("one")).moved(frozenset((SECOND // 2,)), SECOND // 2, -5.0)
    assert [(key.time, key.value) for key in moved.keys] == [(0, 1.0), (SECOND, 0.1), (2 * SECOND, 1.0)]


def test_chosen_keys_of_both_kinds_are_named_by_their_lanes_and_go_in_one_entry(lanes: LaneView, held: Held) -> None:
    entries = len(held.session.history.entries)
    lanes.choose_all()
    assert {channel.layer: len(times) for channel, times in lanes.picked.items()} == {"upper": 4, "triceps": 2}
    lanes.remove()
    lanes.follow()
    assert lanes.picked == {}
    assert {lane.told for lane in lanes.table.lanes} == {"constant"}
    assert len(held.session.history.entries) == entries + 1


def test_lanes_without_keys_have_none_in_a_box(lanes: LaneView, held: Held) -> None:
    lanes.choose_all()
    lanes.remove()
    lanes.follow()
    assert len(lanes.keys_in(QRectF(0.0, 0.0, 900.0, 900.0))) == 0
    assert np.flatnonzero(lanes.flags).size == 0


def test_a_lane_is_chosen_by_what_is_selected_of_whichever_kind(lanes: LaneView, held: Held) -> None:
    current = held.session.of(CurrentLanes)
    assert current.chosen == ("worm", "upper")
    held.session.select([Item("arm", "trunk", "triceps")])
    assert current.chosen == ("arm", "triceps")
    held.session.select([Item("arm", "elbow")])
    assert current.chosen == ("arm", "triceps")
    held.session.select([Item("worm")])
    assert current.chosen == ("worm", "upper")
    lanes.press(lanes.name_rect(5).center(), NONE)
    assert current.chosen == ("arm", "brachialis")
    assert held.session.selection.active == Item("arm", "trunk", "brachialis")


def test_groups_of_both_kinds_and_words_narrow_the_list(lanes: LaneView, held: Held) -> None:
    current = held.session.of(CurrentLanes)
    found = [(each.name, len(each.lanes)) for each in current.groups]
    assert found[:5] == [
        ("All lanes", 6), ("All splines", 3), ("All muscles", 3), ("Flexors", 2), ("Front", 1),
    ]  # fmt: skip
    current.choose_group(("spline", "", ""))
    assert names(lanes) == ["Upper", "Middle", "Lower"]
    current.choose_group(("muscle", "set", "flexors"))
    assert names(lanes) == ["Biceps", "Brachialis"]
    current.choose_group(ALL)
    current.find("P er")
    assert names(lanes) == ["Upper"]
    current.find("")
    held.session.do(edit("remove_muscles", actor="arm"))
    assert [each.name for each in current.groups] == ["All splines"]
    assert names(lanes) == ["Upper", "Middle", "Lower"]


def test_all_that_are_listed_are_keyed_but_not_those_by_expressions(lanes: LaneView, held: Held) -> None:
    session = held.session
    session.do(edit("set_activation", actor="worm", spline="lower", activation="expression", expression="1 + t"))
    session.set_playhead(SECOND // 4)
    entries = len(session.history.entries)
    session.of(CurrentLanes).key_listed()
    lanes.follow()
    assert [SECOND // 4 in [key.time for key in lane.keys] for lane in lanes.table.lanes] == [
        True, True, False, True, True, True,
    ]  # fmt: skip
    assert len(session.history.entries) == entries + 1


def test_a_curve_that_is_drawn_over_a_muscle_takes_the_place_of_its_keys_there(lanes: LaneView, held: Held) -> None:
    lanes.set_drawing(True)
    lane, entries = lanes.table.lanes[4], len(held.session.history.entries)
    line = [
        QPointF(lanes.x_of(time), lanes.y_of(4, lane, 0.5 + 0.4 * np.sin(6.0 * time / SECOND)))
        for time in np.linspace(SECOND // 10, 1.5 * SECOND, 60)
    ]
    lanes.press(line[0], NONE)
    assert lanes.drag is not None
    for at in line[1:]:
        lanes.drag.move(at, NONE)
    lanes.drag.release()
    lanes.drag = None
    lanes.follow()
    keys = lanes.table.lanes[4].keys
    assert 4 <= len(keys) <= 12
    assert [key.time for key in keys if key.time in (0, SECOND)] == [0]
    assert max(key.value for key in keys) == pytest.approx(0.9, abs=0.03)
    assert len(held.session.history.entries) == entries + 1


def test_few_lanes_are_tall_and_many_are_painted_as_far_as_they_are_seen(lanes: LaneView, held: Held) -> None:
    assert lanes.lane_height == scaled(HIGH)
    for number in range(40):
        held.session.do(edit("add_activation_spline", actor="worm", spline=keyed(f"more {number}")))
    lanes.follow()
    assert lanes.count == 46
    assert lanes.lane_height == scaled(LOW)
    assert len(list(lanes.seen_lanes())) <= 340 // lanes.lane_height + 2
    assert lanes.verticalScrollBar().maximum() == 46 * lanes.lane_height - lanes.viewport().height()
    held.session.select([Item("worm", "body", "more 39")])
    lanes.follow()
    assert any(lane.id == "more 39" for _, lane in lanes.seen_lanes())
    assert not lanes.grab().isNull()


def test_keys_of_hundreds_of_lanes_are_taken_away_in_one_entry(lanes: LaneView, held: Held) -> None:
    for number in range(300):
        held.session.do(edit("add_activation_spline", actor="worm", spline=keyed(f"more {number}")))
    lanes.follow()
    lanes.choose_all()
    entries = len(held.session.history.entries)
    lanes.remove()
    lanes.follow()
    assert len(lanes.table.time) == 0
    assert len(held.session.history.entries) == entries + 1


@pytest.mark.parametrize(("place", "id"), [(0, "upper"), (4, "triceps")])
def test_a_double_click_on_a_name_opens_a_field_that_names_it(
    lanes: LaneView, held: Held, qtbot: QtBot, place: int, id: str
) -> None:
    qtbot.mouseDClick(lanes.viewport(), Qt.MouseButton.LeftButton, pos=lanes.name_rect(place).center().toPoint())
    field = lanes.findChild(QLineEdit)
    assert field is not None
    qtbot.keyClicks(field, "Another")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    lanes.follow()
    assert (lanes.table.lanes[place].name, lanes.table.lanes[place].id) == ("Another", id)


def test_a_set_is_a_group_until_it_is_undone(lanes: LaneView, held: Held) -> None:
    current = held.session.of(CurrentLanes)
    made = MuscleSet(id="own", name="Own", muscles=("triceps",))
    held.session.do(edit("put_muscle_set", actor="arm", set=made))
    current.choose_group(("muscle", "set", "own"))
    assert names(lanes) == ["Triceps"]
    held.session.undo()
    arm = held.session.document.actor("arm").part(Muscles)
    assert arm is not None
    assert [each.id for each in arm.sets] == ["flexors"]
    assert len(names(lanes)) == 6

"""Lanes: their keys as arrays, their curves, and what is under a place."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from pytestqt.qtbot import QtBot

from app.features.activation.lanes.keys import Lane, LaneKeys, moved_track
from app.features.activation.lanes.view import ActivationLanes
from app.timeline.axis import TimeAxis
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.soft.parts import ActivationSpline, SoftBody
from tests.app.features.conftest import put_on_screen
from tests.app.session.held import Held
from tests.engine.soft.worms import along, keyed, worm


@pytest.fixture
def lanes(held: Held, qtbot: QtBot) -> ActivationLanes:
    axis = TimeAxis(held.session.document.rate)
    made = ActivationLanes(held.session, axis)
    put_on_screen(made, qtbot, width=800, height=300)
    made.follow()
    made.fit_axis()
    made.show_all()
    return made


def lane_of(spline: ActivationSpline) -> Lane:
    """A lane of a spline in a body of its own."""
    actor = worm(spline)
    body = actor.part(SoftBody)
    assert body is not None
    return LaneKeys.of([(actor, body)]).lanes[0]


def test_each_spline_has_a_lane_and_curves_are_worked_out_once(lanes: ActivationLanes, held: Held) -> None:
    table = lanes.table
    assert [each.label for each in table.lanes] == ["Upper", "Middle", "Lower"]
    assert table.time.tolist() == [round(each * SECOND) for each in (0.0, 0.5, 1.0, 2.0)]
    held.session.do(edit("set_activation", actor="worm", spline="lower", alpha=0.8))
    lanes.follow()
    assert lanes.table is not table
    assert lanes.table.lanes[0].outline is table.lanes[0].outline


def test_alpha_at_a_time_is_that_of_the_constant_the_keys_or_the_expression() -> None:
    assert lane_of(along("one", alpha=0.8)).alpha_at(SECOND) == 0.8
    assert lane_of(keyed("one")).alpha_at(SECOND // 2) == pytest.approx(0.7)
    told = lane_of(along("one", activation="expression", expression="1 + 0.5*t"))
    assert told.alpha_at(SECOND) == pytest.approx(1.5)
    assert [len(each) for each in told.expressed(0.0, SECOND, 20)] == [20]


def test_a_lane_shows_all_of_its_keys(lanes: ActivationLanes) -> None:
    low, high = lane_of(keyed("one", keys=((0.0, 0.2), (1.0, 2.5)))).span
    assert low < 0.2
    assert high > 2.5


def test_a_key_is_found_where_it_is_painted(lanes: ActivationLanes) -> None:
    lane = lanes.table.lanes[0]
    at = QPointF(lanes.x_of(SECOND // 2), lanes.y_of(0, lane, 0.7))
    assert lanes.key_at(at) == 1
    assert lanes.key_at(at + QPointF(0.0, 12.0)) is None
    assert lanes.alpha_at(0, lane, at.y()) == pytest.approx(0.7)
    box = QRectF(at - QPointF(20.0, 6.0), at + QPointF(20.0, 6.0))
    assert lanes.keys_in(box).tolist() == [False, True, False, False]


def test_moved_keys_take_the_place_of_those_that_they_land_on() -> None:
    track = keyed("one").track
    assert track is not None
    moved = moved_track(track, frozenset((SECOND // 2,)), SECOND // 2, -5.0)
    assert [(key.time, key.value) for key in moved.keys] == [(0, 1.0), (SECOND, 0.1), (2 * SECOND, 1.0)]


def test_chosen_keys_are_named_by_their_lanes(lanes: ActivationLanes) -> None:
    lanes.choose_all()
    assert {channel.layer: len(times) for channel, times in lanes.picked.items()} == {"upper": 4}
    lanes.remove()
    lanes.follow()
    assert lanes.picked == {}
    assert lanes.table.lanes[0].spline.activation == "constant"


def test_lanes_without_keys_have_none_in_a_box(lanes: ActivationLanes, held: Held) -> None:
    held.session.do(edit("remove_activation_keys", actor="worm", spline="upper"))
    lanes.follow()
    assert len(lanes.keys_in(QRectF(0.0, 0.0, 900.0, 900.0))) == 0
    assert np.flatnonzero(lanes.flags).size == 0


def test_forty_lanes_are_painted_as_far_as_they_are_seen(lanes: ActivationLanes, held: Held) -> None:
    for number in range(40):
        held.session.do(edit("add_activation_spline", actor="worm", spline=keyed(f"more {number}")))
    lanes.follow()
    assert len(lanes.table.lanes) == 43
    assert len(list(lanes.seen_lanes())) <= 300 // lanes.lane_height + 2
    assert lanes.verticalScrollBar().maximum() == 43 * lanes.lane_height - lanes.viewport().height()
    lanes.current.choose("worm", "more 39")
    lanes.follow()
    assert any(lane.spline.id == "more 39" for _, lane in lanes.seen_lanes())
    assert not lanes.grab().isNull()

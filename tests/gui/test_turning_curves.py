"""The graph editor with a joint whose keys are joined as rotations: drawn as it turns, keys without tangents."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from app.session import Item
from app.session.actors import new_document
from engine.document import Key
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import edit
from engine.motion.motion import compile_motion
from tests.gui.test_curves import (
    ELBOW,
    act,
    at,
    can,
    chosen,
    click,
    curve,
    keys_of,
    labels,
    panel_of,
    settled,
    show_graph,
)
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
SECOND = TICKS_PER_SECOND
SHOULDER = "shoulder_left"


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(new_document()) as open_stage:
        show_graph(open_stage)
        yield open_stage


def test_a_joint_that_turns_as_one_rotation_is_drawn_as_it_turns_and_its_keys_have_no_tangents(
    opened: Stage,
) -> None:
    graph = panel_of(opened).graph
    actor = opened.session.document.actors[0]
    hinges = [dof.id for dof in actor.figure.joint(SHOULDER).dofs]
    keys = [
        ((name, Key(0, 0.1 * place)), (name, Key(2 * SECOND, 0.8 - 0.5 * place))) for place, name in enumerate(hinges)
    ]
    place = {"actor": actor.id, "layer": actor.layers[0].id}
    opened.session.do(edit("set_keys", **place, keys=tuple(each for pair in keys for each in pair)))
    opened.session.do(edit("set_quaternions", **place, joints=(SHOULDER,), mode="slerp"))
    opened.session.select([Item(actor.id, SHOULDER)])
    opened.until(lambda: {each.channel.coordinate for each in graph.curves.curves} == set(hinges))
    graph.fit_all()
    layers, index = opened.session.document.actors[0].layers, actor.figure.coordinate_index
    for name in hinges:
        shown = curve(graph, name)
        expected = compile_motion(actor.figure, layers).at(0.7 * SECOND)[0, index[name]]
        assert shown.value_at(0.7 * SECOND) == pytest.approx(expected, abs=1e-9)
        line = next(shown.lines(0.0, 2.0 * SECOND, SECOND / 100.0, 0.01))
        assert np.interp(0.7 * SECOND, *line.T) == pytest.approx(expected, abs=1e-3)
    click(graph, at(graph, 2 * SECOND, keys[0][1][1].value, hinges[0]))
    assert chosen(graph) == {hinges[0]: [2 * SECOND]}
    assert not list(graph.tangents())
    before = opened.session.document
    act(opened, "curves.spline")
    assert opened.session.document is before
    assert "turns as one rotation" in opened.window.status.pointer.text
    channels = panel_of(opened).channels
    where = channels.frame_of(0).center().toPoint()
    event = QHelpEvent(QEvent.Type.ToolTip, where, channels.viewport().mapToGlobal(where))
    QApplication.sendEvent(channels.viewport(), event)
    assert "Turns as one rotation" in QToolTip.text()
    time = graph.axis.snapped(SECOND)
    values = {name: curve(graph, name).value_at(time) for name in hinges}
    place_on = at(graph, time, values[hinges[0]], hinges[0])
    QTest.mouseDClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=place_on)
    settled(opened, graph)
    for name, value in values.items():
        assert [key.value for key in keys_of(opened, name) if key.time == time] == pytest.approx([value], abs=1e-9)
    act(opened, "curves.flat")
    settled(opened, graph)
    assert "flat" in {key.tangent for name in hinges for key in keys_of(opened, name)}, "which lets it rest there"


def test_keys_at_the_playhead_of_several_joints_and_a_hinge_are_one_entry(opened: Stage) -> None:
    graph = panel_of(opened).graph
    actor = opened.session.document.actors[0]
    joints = (SHOULDER, "shoulder_right")
    names = [dof.id for joint in joints for dof in actor.figure.joint(joint).dofs] + [ELBOW]
    place = {"actor": actor.id, "layer": actor.layers[0].id}
    keys = tuple((name, key) for name in names for key in (Key(0, 0.1), Key(2 * SECOND, 0.6)))
    opened.session.do(edit("set_keys", **place, keys=keys))
    opened.session.do(edit("set_quaternions", **place, joints=joints, mode="slerp"))
    opened.session.select([Item(actor.id, joint) for joint in (*joints, ELBOW.partition(".")[0])])
    opened.until(lambda: {each.channel.coordinate for each in graph.curves.curves} >= set(names))
    opened.session.set_playhead(SECOND)
    before = len(opened.session.history.entries)
    act(opened, "curves.insert")
    settled(opened, graph)
    assert [entry.label for entry in opened.session.history.entries[before:]] == ["Insert keys"]
    for name in names:
        assert [key.time for key in keys_of(opened, name)] == [0, SECOND, 2 * SECOND]
    graph.choose_all()
    act(opened, "curves.break")
    settled(opened, graph)
    assert {channel.coordinate for channel, _ in graph.loose} == {ELBOW}, "keys of rotations have nothing to break"


def test_keys_are_joined_as_rotations_and_angle_by_angle_again(opened: Stage) -> None:
    graph = panel_of(opened).graph
    actor = opened.session.document.actors[0]
    hinges = [dof.id for dof in actor.figure.joint(SHOULDER).dofs]
    place = {"actor": actor.id, "layer": actor.layers[0].id}
    keys = ((name, key) for name in (*hinges, ELBOW) for key in (Key(0, 0.1), Key(2 * SECOND, 1.2)))
    opened.session.do(edit("set_keys", **place, keys=tuple(keys)))
    opened.session.select([Item(actor.id, ELBOW.partition(".")[0])])
    opened.until(lambda: {each.channel.coordinate for each in graph.curves.curves} == {ELBOW})
    assert not can(opened, "curves.rotations"), "an elbow has one hinge"
    opened.session.select([Item(actor.id, SHOULDER)])
    opened.until(lambda: {each.channel.coordinate for each in graph.curves.curves} == set(hinges))
    by_angles = compile_motion(actor.figure, opened.session.document.actors[0].layers).at(SECOND)
    act(opened, "curves.rotations")
    settled(opened, graph)
    layers = opened.session.document.actors[0].layers
    assert layers[0].quaternions == (SHOULDER,)
    assert opened.window.menus.actions["curves.rotations"].isChecked()
    assert not np.allclose(compile_motion(actor.figure, layers).at(SECOND), by_angles, atol=1e-3), "another way there"
    act(opened, "curves.rotations")
    settled(opened, graph)
    assert opened.session.document.actors[0].layers[0].quaternions == ()
    entries = [entry.label for entry in opened.session.history.entries[-2:]]
    assert entries == ["Join keys as rotations", "Join keys angle by angle"]


def test_jumps_of_whole_turns_are_unwrapped(opened: Stage) -> None:
    actor = opened.session.document.actors[0]
    root = actor.figure.joints[0]
    turn = root.dofs[-1].id
    keys = ((turn, Key(0, 3.0)), (turn, Key(SECOND, -3.0)))
    opened.session.do(edit("set_keys", actor=actor.id, layer=actor.layers[0].id, keys=keys))
    opened.session.select([Item(actor.id, root.id)])
    act(opened, "curves.unwrap")
    opened.until(lambda: opened.session.at_rest)
    assert [key.value for key in keys_of(opened, turn)] == [3.0, pytest.approx(3.2831853071795862)]
    assert labels(opened)[-1] == "Unwrap angles"

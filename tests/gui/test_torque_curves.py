"""Torque curves in the real window: keyed from the panel, dragged in the graph, seen to drive an arm."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF

from app.features.physics.panel import PhysicsPanel
from app.session import Item
from app.timeline.graph.panel import CurvesPanel
from app.timeline.panel import TimelinePanel
from engine.document import Actor, Capsule, Document, Dof, Figure, Joint, Span
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.model.snapshot import Bodies
from engine.physics.parts import Physics, PhysicsWorld, TorqueCurves
from tests.gui.acting import changed, click, go_to, shown_panel
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui

PULL = 30.0  # pixels


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    hinge = Dof(id="swing", name="Swing", axis=(0.0, 0.0, 1.0))
    rod = Capsule(start=(0.0, 0.0, 0.0), end=(0.0, -0.6, 0.0), radius=0.04)
    arm = Joint(id="arm", name="Arm", parent="post", dofs=(hinge,), shapes=(rod,))
    figure = Figure(name="Crane", joints=(Joint(id="post", name="Post", offset=(0.0, 1.5, 0.0)), arm))
    crane = Actor(id="crane", name="Crane", figure=figure, parts=(Physics(),))
    world = PhysicsWorld(gravity=0.0)
    with the_window.begun(Document(actors=(crane,), parts=(world,), play=Span(start=0, end=2 * SECOND))) as open_stage:
        open_stage.session.select([Item("crane", "arm")])
        yield open_stage


def slant(opened: Stage) -> float:
    """How far the arm is turned, as it is seen: the sine of its angle."""
    assert opened.snapshot is not None
    found = next(each for each in opened.snapshot.of(Bodies) if each.owner == "crane" and each.role == "result")
    return float(found.transforms[-1, 1, 0])


def test_torques_are_keyed_seen_in_timeline_and_graph_and_drive_the_arm(opened: Stage) -> None:
    panel = shown_panel(opened, "physics.show", PhysicsPanel)
    opened.settle()
    before = opened.session.document
    click(panel.driven)
    before = changed(opened, before)
    assert before.actor("crane").part(TorqueCurves) is not None
    opened.window.menus.refresh()
    opened.window.menus.actions["physics.key_torques"].trigger()
    before = changed(opened, before)
    go_to(opened, 1.0)
    if not panel.torque_section.header.unfolded:
        click(panel.torque_section.header)
    assert panel.key_torques is not None
    opened.until(panel.key_torques.isVisible)
    click(panel.key_torques)
    keyed = changed(opened, before)
    assert slant(opened) == pytest.approx(0.0, abs=1e-9)

    opened.window.show_panel("timeline")
    sheet = opened.panel(TimelinePanel).sheet
    opened.until(lambda: len(sheet.rows) == 3)
    assert [row.label for row in sheet.rows] == ["Crane", "Torque curves", "Arm, Swing"]
    opened.window.menus.actions["view.workspace_animate"].trigger()
    opened.window.menus.actions["curves.show"].trigger()
    graph_panel = opened.panel(CurvesPanel)
    graph = graph_panel.graph
    opened.until(lambda: bool(graph.curves.curves) and graph.viewport().height() > 2 * PULL)
    opened.settle()
    graph.fit_all()
    (curve,) = graph.curves.curves
    assert (curve.label, curve.unit.suffix) == ("Arm, torque curves swing", " N m")
    last = graph.place_of(SECOND, 0.0)
    assert graph.key_at(last) is not None
    drag(graph.viewport(), [(last - QPointF(0.0, up)).toPoint() for up in (0.0, PULL / 2, PULL)])
    pulled = changed(opened, keyed)
    curves = pulled.actor("crane").part(TorqueCurves)
    assert curves is not None
    assert curves.tracks[0].keys[-1].value > 0.0
    graph_panel.commands.set_value(2.0)
    changed(opened, pulled)
    assert slant(opened) > 0.1
    driven = opened.session.document
    opened.window.menus.actions["physics.torques"].trigger()
    changed(opened, driven)
    assert slant(opened) == pytest.approx(0.0, abs=1e-9)
    opened.window.menus.refresh()
    opened.window.menus.actions["physics.remove_torques"].trigger()
    opened.until(lambda: opened.session.document.actor("crane").part(TorqueCurves) is None)

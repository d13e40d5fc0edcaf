"""Nodal forces in the real window: put on points of a soft body, planned with, kept, drawn, taken off; marks of plans
on the timeline."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.soft.forces_section import ForcesSection
from app.features.soft.panel import SoftPanel
from app.features.soft.plan_run import PlanRun
from app.scene.panes import PERSPECTIVE
from app.session import Item
from app.timeline.sheet import DopeSheet
from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.model.snapshot import Arrows
from engine.soft.goals import SoftKeyframe, SoftPlan
from engine.soft.nodal import NodalForces
from engine.soft.uses import soft_body
from tests.engine.soft.test_planning import END, cube
from tests.gui.acting import changed, click, go_to, shown_panel
from tests.gui.aimed import on_line, pull, sheet_of
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
HUNG_AFTER = 180.0  # [s] for a search


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """A cube on the ground that is to be in the air a quarter of a second later."""
    document = edit("set_play_range", start=0, end=SECOND // 2).apply(cube())
    chosen = {"spacing": 0.05, "tolerance": 1e-6, "iterations": 4, "reach": 1e5}
    document = edit("set_plan_choices", **chosen).apply(document)
    keyframe = SoftKeyframe(id="high", time=END, position=(0.05, 0.12, 0.05))
    document = edit("put_soft_keyframe", actor="cube", keyframe=keyframe).apply(document)
    document = edit("set_planned_splines", actor="cube", splines=()).apply(document)
    with the_window.begun(document) as open_stage:
        open_stage.session.select([Item("cube")])
        yield open_stage


def forces(opened: Stage) -> tuple[NodalForces, ...]:
    body = soft_body(opened.session.document.actor("cube"))
    assert body is not None
    return body.forces


def look_at_arrows_and_mute(opened: Stage, section: ForcesSection) -> Document:
    """Eight arrows, none while the forces are muted, which is undone; the document."""
    session = opened.session
    opened.settle()
    assert session.snapshot is not None
    drawn = [each for each in session.snapshot.of(Arrows) if each.owner == "cube"]
    assert [len(each.starts) for each in drawn] == [8]
    before = session.document
    click(section.form.fields["mute"])
    muted = changed(opened, before)
    assert forces(opened)[1].mute
    assert not [each for each in session.snapshot.of(Arrows) if each.owner == "cube"]
    session.undo()
    return changed(opened, muted)


def test_forces_are_put_on_points_planned_kept_and_taken_off(opened: Stage) -> None:
    panel, session, run = shown_panel(opened, "soft.show", SoftPanel), opened.session, opened.session.of(PlanRun)
    click(panel.sections["plan"].header)
    opened.settle()
    assert panel.plan is not None
    section, act = panel.plan.forces, opened.window.menus.actions
    assert not act["soft.push_near"].isEnabled()
    go_to(opened, 0.1)
    opened.view.maximise(PERSPECTIVE)
    opened.view.frame()
    opened.settle()
    camera, size = opened.view.cameras[PERSPECTIVE], opened.view.size_of(PERSPECTIVE)
    x, y, _ = camera.project(np.array((0.1, 0.09, 0.1)), size).tolist()
    canvas = opened.view.childAt(round(x), round(y))
    assert canvas is not None
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(round(x) - 2, round(y) + 2))
    opened.settle()
    assert session.spot is not None
    before = session.document
    act["soft.push_near"].trigger()
    changed(opened, before)
    (corner,) = forces(opened)
    assert 1 <= corner.count < 8
    before = session.document
    act["soft.push_all"].trigger()
    changed(opened, before)
    assert [each.count for each in forces(opened)] == [corner.count, 8]
    before = session.document
    assert section.everywhere.isEnabled()
    section.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    changed(opened, before)
    opened.until(panel.plan.plan.isEnabled)
    kept, entries = session.document, session.history.position
    click(panel.plan.plan)
    opened.until(lambda: run.last is not None and not run.running, patience=HUNG_AFTER)
    act["soft.keep_plan"].trigger()
    changed(opened, kept)
    assert session.history.position == entries + 1
    still, push = forces(opened)
    assert (still.times, push.times[-1]) == ((), END)
    assert push.values is not None
    assert np.abs(push.values.array).max() <= push.strongest
    before = look_at_arrows_and_mute(opened, section)
    click(section.clear)
    changed(opened, before)
    assert not forces(opened)[1].times
    before = session.document
    act["soft.remove_forces"].trigger()
    changed(opened, before)
    assert [each.id for each in forces(opened)] == [corner.id]
    for _ in range(3):
        session.undo()
    opened.until(lambda: session.document is kept)


def test_a_mark_is_dragged_in_time_and_deleted_in_the_timeline(opened: Stage) -> None:
    session = opened.session
    low = SoftKeyframe(id="low", time=SECOND // 10, position=(0.05, 0.05, 0.05))
    session.do(edit("put_soft_keyframe", actor="cube", keyframe=low))
    opened.window.show_panel("timeline")
    opened.settle()
    sheet, before = sheet_of(opened), session.document
    pull(opened, sheet, on_marks(sheet, 0.25), on_marks(sheet, 0.4))
    moved = session.document.actor("cube").part(SoftPlan)
    assert moved is not None
    assert [each.id for each in moved.keyframes] == ["low", "high"]
    assert moved.keyframes[1].time / SECOND == pytest.approx(0.4, abs=0.03)
    QTest.keyClick(sheet, Qt.Key.Key_Delete)
    opened.until(lambda: session.at_rest)
    left = session.document.actor("cube").part(SoftPlan)
    assert left is not None
    assert [each.id for each in left.keyframes] == ["low"]
    for _ in range(2):
        session.undo()
    opened.until(lambda: session.document is before)


def on_marks(sheet: DopeSheet, seconds: float) -> QPoint:
    """Where the row of marks is at a time."""
    number = next(number for number, row in enumerate(sheet.rows) if row.label == "Marks")
    return on_line(sheet, sheet.lines.index(number), seconds * SECOND, 0.5)

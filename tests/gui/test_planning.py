"""Planned motion of a soft body in the real window: wanted somewhere, its mark dragged, searched for, kept."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from app.features.soft.panel import SoftPanel
from app.features.soft.plan_run import PlanRun
from app.scene.panes import PERSPECTIVE
from app.session import Item
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.runtime.child import Json
from engine.soft.goals import SoftPlan
from engine.soft.uses import soft_body
from tests.app.features.soft.test_plan_run import iterate
from tests.app.session.test_long_job import Started
from tests.engine.soft.test_planning import END, cube
from tests.gui.acting import changed, click, go_to, shown_panel
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui
HUNG_AFTER = 180.0  # [s] for a search


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """A cube on the ground with a spline from its bottom to its top."""
    document = edit("set_play_range", start=0, end=SECOND // 2).apply(cube())
    chosen = {"spacing": 0.05, "tolerance": 1e-6, "iterations": 2, "reach": 1e5}
    document = edit("set_plan_choices", **chosen).apply(document)
    with the_window.begun(document) as open_stage:
        open_stage.session.select([Item("cube")])
        yield open_stage


def plan(opened: Stage) -> SoftPlan:
    return opened.session.document.actor("cube").part(SoftPlan) or SoftPlan()


def ghosts(opened: Stage) -> int:
    """How many shapes of other times are drawn."""
    picture = opened.session.trails.picture
    return 0 if picture is None else len(picture.onions)


def test_a_mark_is_dragged_planned_for_and_kept_as_one_step(opened: Stage) -> None:
    panel, session = shown_panel(opened, "soft.show", SoftPanel), opened.session
    click(panel.sections["plan"].header)
    opened.settle()
    section = panel.plan
    assert section is not None
    assert not section.plan.isEnabled()
    go_to(opened, END / SECOND)
    before = session.document
    opened.window.menus.actions["soft.keyframe_here"].trigger()
    changed(opened, before)
    (keyframe,) = plan(opened).keyframes
    assert keyframe.time == END
    opened.view.maximise(PERSPECTIVE)
    opened.view.frame()
    opened.settle()
    camera, size = opened.view.cameras[PERSPECTIVE], opened.view.size_of(PERSPECTIVE)
    place = np.array(keyframe.position)
    x, y, _ = camera.project(place, size).tolist()
    up = y - camera.project(place + np.array((0.0, 0.03, 0.0)), size).tolist()[1]
    canvas, spot = opened.view.childAt(round(x), round(y)), QPoint(round(x), round(y))
    assert canvas is not None
    before = session.document
    drag(canvas, [spot, spot - QPoint(0, round(up / 2)), spot - QPoint(0, round(up))])
    changed(opened, before)
    (moved,) = plan(opened).keyframes
    assert moved.position[1] > keyframe.position[1] + 0.02
    kept, entries, run = session.document, session.history.position, session.of(PlanRun)
    opened.until(section.plan.isEnabled)
    click(section.plan)
    assert run.running
    opened.until(lambda: run.last is not None and ghosts(opened) > 1, patience=HUNG_AFTER)
    opened.until(lambda: not run.running, patience=HUNG_AFTER)
    opened.settle()
    assert section.said.text().startswith("Cube at 0.25 s: centre missed by")
    assert session.document is kept, "nothing is kept by itself"
    assert ghosts(opened) > 1
    opened.window.menus.actions["soft.keep_plan"].trigger()
    spline = soft_body(changed(opened, kept).actor("cube"))
    assert spline is not None
    assert spline.splines[0].activation == "keys"
    assert session.history.position == entries + 1
    assert ghosts(opened) == 0
    session.undo()
    opened.until(lambda: session.document is kept)


def test_a_search_is_stopped_dropped_and_its_mark_removed(opened: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    session, run, act = opened.session, opened.session.of(PlanRun), opened.window.menus.actions
    go_to(opened, END / SECOND)
    before = session.document
    act["soft.keyframe_shape"].trigger()
    kept = changed(opened, before)
    (keyframe,) = plan(opened).keyframes
    assert keyframe.shape is not None
    assert keyframe.velocity == (0.0, 0.0, 0.0)
    opened.until(lambda: run.may_plan)
    started = Started()
    monkeypatch.setattr(run, "_start_child", started)
    act["soft.plan"].trigger()
    opened.until(lambda: bool(started.children))
    about: Json = {
        "splines": [["cube", "up"]],
        "forces": [],
        "knots": [0, END],
        "keyframes": [["cube", END]],
        "tolerance": None,
    }
    started.say(plan=about)
    started.say(iterate=iterate(0, 0.5, "cube"))
    opened.until(lambda: ghosts(opened) == 1)
    act["soft.stop_plan"].trigger()
    assert started.children[-1].cancelled
    started.say(ended="cancelled")
    assert not run.running
    assert act["soft.drop_plan"].isEnabled()
    act["soft.drop_plan"].trigger()
    opened.until(lambda: ghosts(opened) == 0)
    assert run.last is None
    assert session.document is kept
    act["soft.remove_keyframe"].trigger()
    changed(opened, kept)
    assert plan(opened).keyframes == ()

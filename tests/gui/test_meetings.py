"""Figures whose plans meet, in the real window: made by buttons and menus, found, seen and kept together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.meetings import MeetingFields
from app.features.spacetime.panel import SpacetimePanel
from app.session import Item
from engine.document import Document
from engine.spacetime.parts import Spacetime
from tests.engine.spacetime.meeting_actors import balls
from tests.gui.acting import changed, click, go_to, shown_panel
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """Two balls, each with a plan of its own; one of them comes flying."""
    document = balls(off=1.0)
    light = document.actor("light")
    plan = light.part(Spacetime)
    assert plan is not None
    document = document.with_actor(light.with_part(replace(plan, meetings=())))
    with the_window.begun(document) as open_stage:
        open_stage.session.select([Item("heavy", "heavy"), Item("light", "light")])
        yield open_stage


def after(opened: Stage, widget: QWidget) -> Document:
    """Click it, and wait for the change."""
    before = opened.session.document
    opened.until(widget.isVisible)
    click(widget)
    return changed(opened, before)


def test_balls_are_let_strike_each_other_and_found_and_kept_together(opened: Stage) -> None:
    session, actions, current = opened.session, opened.window.menus.actions, opened.session.of(CurrentSpacetime)
    panel = shown_panel(opened, "spacetime.show", SpacetimePanel)
    panel.sections["meetings"].header.set_unfolded(True)
    fields = panel.fields["meetings"]
    assert isinstance(fields, MeetingFields)
    go_to(opened, 1.0)
    document = after(opened, fields.strike)
    opened.until(lambda: current.meeting is not None)
    assert current.meeting is not None
    assert (current.meeting.name, current.meeting.stage, current.meeting.at) == (
        "Light strikes Heavy of Heavy", "light before", 1.0,
    )  # fmt: skip
    assert [fields.list.item(at).text().split(" · ")[1] for at in range(fields.list.count())] == ["push each other"]
    session.undo()
    opened.until(lambda: fields.list.count() == 0)
    before = session.document
    actions["spacetime.strike"].trigger()
    document = before = changed(opened, before)
    actions["spacetime.meet"].trigger()
    changed(opened, before)
    assert fields.list.count() == 2
    actions["spacetime.remove_chosen"].trigger()
    opened.until(lambda: fields.list.count() == 1)
    session.undo()
    opened.until(lambda: fields.list.count() == 2)
    session.undo()
    opened.until(lambda: session.document is document)

    click(panel.run)
    opened.until(lambda: current.motion is not None and not current.running)
    motion = current.motion
    assert motion is not None
    assert motion.state == "solved", current.report
    assert motion.values(1.0)["light.x"] == pytest.approx(1.0, abs=1e-6), "their middles meet"
    opened.until(lambda: opened.view._trails.get("planned motions of others") is not None)
    beside = opened.view._trails["planned motions of others"]
    assert beside is not None
    assert {each.bodies.owner for each in beside.onions} == {"heavy"}, "the other's ghost"
    session.select([Item("heavy")])
    assert current.motion is motion.together["heavy"]
    assert not current.is_stale
    assert fields.list.item(0).text().endswith("by Light")
    document = after(opened, panel.keep)
    plans = [document.actor(actor).part(Spacetime) for actor in ("light", "heavy")]
    assert all(plan is not None and plan.layer is not None for plan in plans)
    session.undo()
    kept = [session.document.actor(actor).part(Spacetime) for actor in ("light", "heavy")]
    assert [plan.layer for plan in kept if plan is not None] == [None, None]

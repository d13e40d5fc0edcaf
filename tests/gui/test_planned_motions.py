"""Planned motions with real mouse and key events: a border of a stage and a constraint dragged on the timeline, a place
dragged in a view, where the lamp then lands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.scene.panes import FRONT
from app.timeline.sheet import DopeSheet
from engine.document import Document, Span
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeMuscle, SpacetimeStage
from tests.engine.spacetime.lamps import TOE, lamps, leap
from tests.gui.aimed import on_line, pull, sheet_of
from tests.gui.test_window import canvas_of
from tests.leaping_lamp import leaping_lamp
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, move

pytestmark = pytest.mark.gui


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged(size=(1400, 900))


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    """The lamp with the plan of a leap, of which nothing was found yet; its dock and the timeline are seen."""
    document = replace(lamps(leap()), play=Span(start=0, end=round(1.2 * SECOND)))
    with window.anew(document) as begun:
        begun.window.show_panel("spacetime")
        begun.until(lambda: begun.window.docks["spacetime"].is_seen)
        yield begun


def plan_of(opened: Stage) -> Spacetime:
    found = opened.session.document.actors[0].part(Spacetime)
    assert found is not None
    return found


def on_row(sheet: DopeSheet, label: str, seconds: float) -> QPoint:
    number = next(number for number, row in enumerate(sheet.rows) if row.label == label)
    return on_line(sheet, sheet.lines.index(number), seconds * SECOND, 0.5)


def pixel(opened: Stage, place: Vector3) -> QPoint:
    """Where a place is seen in the front view."""
    pane = opened.view.panes()[FRONT]
    x, y, _ = opened.view.cameras[FRONT].project(np.array(place), opened.view.size_of(FRONT)).tolist()
    return QPoint(round(pane.x + x), round(pane.y + y))


def test_a_border_and_a_constraint_are_dragged_on_the_timeline_each_in_one_entry(opened: Stage) -> None:
    sheet, session = sheet_of(opened), opened.session
    before, entries = session.document, len(session.history.entries)
    pull(opened, sheet, on_row(sheet, "Stages", 0.4), on_row(sheet, "Stages", 0.6))
    assert [each.length for each in plan_of(opened).stages] == pytest.approx([0.6, 0.35, 0.4])
    assert len(session.history.entries) == entries + 1
    pull(opened, sheet, on_row(sheet, "Land here", 0.95), on_row(sheet, "Land here", 1.15))
    assert plan_of(opened).constraint("land").at == pytest.approx(0.5, abs=0.05)
    assert session.of(CurrentSpacetime).chosen == "land"
    assert len(session.history.entries) == entries + 2
    QTest.keyClick(sheet, Qt.Key.Key_Delete)
    opened.until(lambda: session.at_rest)
    assert [each.id for each in plan_of(opened).constraints] == ["begin", "above", "end"]
    for _ in range(3):
        session.undo()
    opened.settle()
    assert session.document is before


def leaping(folder: Path) -> Document:
    """The lamp that a search can move, which is to land with its toe at a place, with a plan of few pieces."""
    actor = leaping_lamp(folder)
    joints = [dof.id for joint in actor.figure.joints[1:] for dof in joint.dofs]
    upright = actor.figure.joints[0].dofs[2].id
    poses = [
        SpacetimeConstraint(
            id=name, name=name.capitalize(), stage=stage, at=at, rates=tuple((dof, 0.0) for dof in joints),
            values=((upright, 0.0), *((dof, 0.0) for dof in joints)),
        )
        for name, stage, at in (("begin", "crouch", 0.0), ("end", "landing", 1.0))
    ]  # fmt: skip
    there = {
        name: SpacetimeConstraint(
            id=name, name="Land here", stage=stage, quantity="point", joint="base", point=TOE, position=(x, 0.0, 0.0)
        )
        for name, stage, x in (("start", "crouch", 0.1), ("land", "landing", 0.4))
    }
    plan = Spacetime(
        stages=(
            SpacetimeStage(id="crouch", name="Take-off", pieces=5, nailed=True),
            SpacetimeStage(id="flight", name="Flight", pieces=5, length=0.35, impact=True),
            SpacetimeStage(id="landing", name="Landing", pieces=5, nailed=True),
        ),
        muscles=tuple(SpacetimeMuscle(dof=dof) for dof in joints),
        constraints=(*poses, *there.values()),
    )
    return Document(actors=(actor.with_part(plan),), play=Span(start=0, end=round(1.2 * SECOND)))


def test_a_place_is_dragged_in_a_view_and_the_motion_follows_and_ends_there(window: Arranged, tmp_path: Path) -> None:
    with window.anew(leaping(tmp_path)) as opened:
        session, view = opened.session, opened.view
        current = session.of(CurrentSpacetime)
        opened.window.show_panel("spacetime")
        view.maximise(FRONT)
        view.place_camera(FRONT, replace(view.cameras[FRONT], target=(0.2, 0.3, 0.0), distance=2.0))
        opened.until(lambda: session.is_ready("A search"))
        current.run()
        opened.until(lambda: not current.running and current.motion is not None and current.motion.state == "solved")
        opened.settle()
        assert landing(opened) == pytest.approx(0.4, abs=1e-6)

        place, way = pixel(opened, (0.4, 0.0, 0.0)), QPoint(30, 0)
        opened.until(lambda: view.symbol_at(place.toPointF(), "planned motion") is not None)
        before, entries = session.document, len(session.history.entries)
        canvas = canvas_of(opened)
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        for share in (0.3, 0.6, 1.0):
            move(canvas, place + way * share)
        opened.until(lambda: landing(opened) > 0.41)
        assert session.document is before, "it is followed while the hand is on it"
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place + way)
        opened.until(lambda: session.document is not before and session.at_rest and not current.running)
        assert len(session.history.entries) == entries + 1
        wanted = plan_of(opened).constraint("land").position
        assert wanted is not None
        metres = view.cameras[FRONT].metres_per_pixel(np.zeros(3), view.size_of(FRONT))
        assert wanted == pytest.approx((0.4 + 30 * metres, 0.0, 0.0), abs=1e-6)
        assert current.motion is not None
        assert current.motion.state == "solved"
        assert landing(opened) == pytest.approx(wanted[0], abs=1e-6)
        assert current.chosen == "land"
        opened.window.menus.actions["edit.delete"].trigger()
        opened.until(lambda: session.at_rest)
        assert "land" not in [each.id for each in plan_of(opened).constraints], "Delete is for what was clicked"
        assert session.document.actors


def landing(opened: Stage) -> float:
    """Where the toe of the lamp stands in the end of the motion that is shown, along x."""
    motion = opened.session.of(CurrentSpacetime).motion
    assert motion is not None
    return motion.values(motion.duration)["base.move_x"] + TOE[0]

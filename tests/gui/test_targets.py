"""Targets with real mouse and key events: dragged in time and in width on the timeline, met, and removed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.panel import SecondaryPanel
from app.features.secondary.targets import TargetsSection
from app.session import Item
from app.session.history import Entry, History
from app.timeline.sheet import DopeSheet
from app.timeline.tips import tip_at
from engine.document import Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from tests.gui.aimed import ELBOW, WITHIN, begun_with, missed, on_line, pull, punching, sheet_of, target
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, drag

pytestmark = [pytest.mark.gui, pytest.mark.pixels]


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged()


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    with begun_with(window) as begun:
        yield begun


@pytest.fixture
def sheet(opened: Stage) -> DopeSheet:
    return sheet_of(opened)


def at(sheet: DopeSheet, time: float, share: float = 0.7) -> QPoint:
    """On the line of the target at a tick; in its lower half, where its ends are taken."""
    line = next(
        line
        for line, number in enumerate(sheet.lines)
        if (block := sheet.rows[number].block) is not None and block.kind == "target"
    )
    return on_line(sheet, line, time, share)


def meet(opened: Stage) -> None:
    before = opened.session.document
    opened.window.menus.refresh()
    opened.window.menus.actions["targets.meet"].trigger()
    opened.until(lambda: opened.session.document is not before and opened.session.at_rest)


def test_a_target_is_dragged_in_time_and_its_place_is_hit_after_meeting(opened: Stage, sheet: DopeSheet) -> None:
    before, first = len(opened.session.history.entries), opened.session.document
    pull(opened, sheet, at(sheet, SECOND), at(sheet, 1.3 * SECOND))
    moved = target(opened)
    assert moved.time == pytest.approx(1.3 * SECOND, abs=SECOND / 30)
    assert moved.time % (SECOND // 30) == 0
    assert len(opened.session.history.entries) == before + 1
    assert missed(opened.session.document, moved.time) > 1e-3
    meet(opened)
    assert missed(opened.session.document, moved.time) <= WITHIN
    assert opened.session.document.actors[0].layers[-1].correction is not None
    assert "1 target met" in opened.session.log[-1].text
    opened.session.undo()
    opened.session.undo()
    assert opened.session.document is first


def test_the_ends_of_a_target_are_dragged_one_by_one_and_it_is_still_hit(opened: Stage, sheet: DopeSheet) -> None:
    width = target(opened).width
    pull(opened, sheet, at(sheet, SECOND - width), at(sheet, SECOND - 0.6 * SECOND))
    assert target(opened).width == pytest.approx(0.6 * SECOND, abs=SECOND / 30)
    assert target(opened).time == SECOND
    pull(opened, sheet, at(sheet, SECOND + width), at(sheet, SECOND + 0.25 * SECOND))
    assert target(opened).after == pytest.approx(0.25 * SECOND, abs=SECOND / 30)
    meet(opened)
    assert missed(opened.session.document, SECOND) <= WITHIN
    (term,) = opened.session.document.actors[0].layers[-1].correction.terms  # type: ignore[union-attr]
    assert (term.bell.before, term.bell.after) == (target(opened).width, target(opened).after)


def test_where_targets_are_met_always_a_drag_is_one_entry_that_ends_with_a_hit(opened: Stage, sheet: DopeSheet) -> None:
    opened.session.of(CurrentTargets).meet_always(True)
    opened.until(lambda: opened.session.at_rest and opened.session.of(CurrentTargets).is_fresh)
    before = len(opened.session.history.entries)
    pull(opened, sheet, at(sheet, SECOND), at(sheet, 0.8 * SECOND))
    assert len(opened.session.history.entries) == before + 1
    assert missed(opened.session.document, target(opened).time) <= WITHIN
    opened.session.undo()
    assert target(opened).time == SECOND
    assert missed(opened.session.document, SECOND) <= WITHIN
    assert opened.session.history.redo_entry is not None


def test_a_key_that_moves_is_met_again_at_once(opened: Stage, sheet: DopeSheet) -> None:
    opened.session.of(CurrentTargets).set_rule("keys")
    opened.until(lambda: opened.session.at_rest)
    opened.session.of(CurrentTargets).meet_always(True)
    opened.until(lambda: opened.session.at_rest and opened.session.of(CurrentTargets).is_fresh)
    line = next(line for line, number in enumerate(sheet.lines) if sheet.rows[number].coordinate == ELBOW)
    height = sheet.y_of(line) + sheet.row_height // 2
    places = [QPoint(round(sheet.x_of(time * SECOND)), height) for time in (1.2, 1.35, 1.5)]
    before, entries = opened.session.document, len(opened.session.history.entries)
    drag(sheet.viewport(), places)
    opened.until(lambda: opened.session.at_rest and opened.session.of(CurrentTargets).is_fresh)
    assert [each.label for each in opened.session.history.entries[entries:]] == ["Move keys"]
    keys = opened.session.document.actors[0].layers[0].track_of[ELBOW].keys
    assert keys[2].time == pytest.approx(1.5 * SECOND, abs=SECOND / 30)
    assert missed(opened.session.document, SECOND) <= WITHIN
    actor = opened.session.document.actors[0]
    q = Evaluator().coordinates(opened.session.document, actor.id, [keys[2].time])[0]
    assert abs(q[actor.figure.coordinate_index[ELBOW]] - keys[2].value) <= WITHIN
    after = opened.session.document
    opened.session.undo()
    opened.settle()
    opened.until(lambda: opened.session.at_rest)
    assert opened.session.document is before
    opened.session.redo()
    opened.settle()
    assert opened.session.document is after


def test_delete_takes_the_chosen_target_away(opened: Stage, sheet: DopeSheet) -> None:
    QTest.mouseClick(sheet.viewport(), Qt.MouseButton.LeftButton, pos=at(sheet, SECOND))
    assert opened.session.of(CurrentTargets).target is target(opened)
    QTest.keyClick(sheet, Qt.Key.Key_Delete)
    opened.until(lambda: opened.session.at_rest)
    assert opened.session.document.actors[0].secondary.targets == ()  # type: ignore[union-attr]
    assert not any(row.block is not None and row.block.kind == "target" for row in sheet.rows)


def test_what_is_selected_is_to_be_reached_here_and_what_is_out_of_reach_is_said(
    opened: Stage, sheet: DopeSheet
) -> None:
    session = opened.session
    session.select([Item(session.document.actors[0].id, "wrist_left")])
    session.set_playhead(SECOND // 2)
    opened.window.menus.refresh()
    opened.window.menus.actions["targets.here"].trigger()
    made = session.of(CurrentTargets).target
    assert made is not None
    assert (made.kind, made.joint, made.time) == ("point", "wrist_left", SECOND // 2)
    session.of(CurrentTargets).change(position=(9.0, 0.0, 0.0))
    meet(opened)
    assert "missed" in session.log[-1].text
    (report,) = session.of(CurrentTargets).reports_of(made.id)
    assert not report.met
    assert report.missed > 5.0


def test_a_target_that_is_chosen_elsewhere_is_the_one_that_delete_takes_on_the_timeline(
    opened: Stage, sheet: DopeSheet
) -> None:
    session, actor = opened.session, opened.session.document.actors[0].id
    made = Target(id="other", kind="point", joint="wrist_left", time=SECOND // 2)
    QTest.mouseClick(sheet.viewport(), Qt.MouseButton.LeftButton, pos=at(sheet, SECOND))
    assert sheet.block is not None
    assert sheet.block.id == "hand"
    session.of(CurrentTargets).choose("other")  # before there is one, as a drag does
    session.do(edit("add_targets", actor=actor, targets=(made,)))
    opened.settle()
    assert sheet.block is not None
    assert sheet.block.id == "other"
    sheet.setFocus()
    QTest.keyClick(sheet, Qt.Key.Key_Delete)
    opened.until(lambda: session.at_rest)
    assert [each.id for each in session.of(CurrentTargets).targets] == ["hand"]
    session.of(CurrentTargets).choose("hand")
    layer = next(row for row in sheet.rows if row.block is not None and row.block.kind == "layer")
    sheet.choose_block(layer.path)
    assert sheet.block is layer.block, "a layer that is chosen after it stays chosen"
    session.set_playhead(SECOND // 3)
    opened.settle()
    assert sheet.block == layer.block


def test_delete_after_a_click_in_the_docks_list_takes_that_target_and_not_the_figure(opened: Stage) -> None:
    session = opened.session
    opened.window.show_panel("secondary")
    panel = opened.window.docks["secondary"].widget()
    assert isinstance(panel, SecondaryPanel)
    panel.sections["targets"].header.set_unfolded(True)
    section = panel.findChild(TargetsSection)
    assert section is not None
    session.of(CurrentTargets).choose("hand")
    session.select([Item(session.document.actors[0].id)])
    opened.settle()
    panel.area.ensureWidgetVisible(section.list)
    place = section.list.visualItemRect(section.list.item(0)).center()
    QTest.mouseClick(section.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.keyClick(section.list, Qt.Key.Key_Delete)
    opened.until(lambda: session.at_rest)
    assert session.of(CurrentTargets).targets == ()
    assert len(session.document.actors) == 1


def test_the_list_says_how_near_a_target_is_seen_to_be_where_nothing_was_searched_for(opened: Stage) -> None:
    session = opened.session
    opened.window.show_panel("secondary")
    panel = opened.window.docks["secondary"].widget()
    assert isinstance(panel, SecondaryPanel)
    panel.sections["targets"].header.set_unfolded(True)
    section = panel.findChild(TargetsSection)
    assert section is not None

    def told() -> str:
        return section.list.item(0).text().split(" \N{MIDDLE DOT} ")[-1]

    opened.until(lambda: told().startswith("missed by "))
    meet(opened)
    opened.until(lambda: told() == "met")
    as_met = session.document
    session.begin_with(History(punching(), Entry("Another")), None)
    opened.until(lambda: told().startswith("missed by "))
    copied = replace(as_met.actors[0], name="Another")
    session.begin_with(History(as_met.with_actor(copied), Entry("As it was met")), None)
    opened.until(lambda: told() == "seen to be met")
    assert section.told.text() == "Not solved since it was opened or changed. Meet targets solves it."


def test_a_target_that_is_missed_is_red_on_the_timeline_and_its_tip_says_by_how_much(
    opened: Stage, sheet: DopeSheet
) -> None:
    place = at(sheet, SECOND)

    def red() -> int:
        """How much redder than green its bar is."""
        colour = sheet.viewport().grab().toImage().pixelColor(place + QPoint(4, 0))
        return colour.red() - colour.green()

    assert "Met" not in tip_at(sheet, place.toPointF())
    meet(opened)
    assert tip_at(sheet, place.toPointF()).splitlines()[1] == "Met"
    before = red()
    opened.session.of(CurrentTargets).choose("hand")
    opened.session.of(CurrentTargets).change(position=(9.0, 0.0, 0.0))
    meet(opened)
    assert "Missed by" in tip_at(sheet, place.toPointF())
    assert red() > before + 40


def test_what_is_said_of_a_miss_goes_when_it_no_longer_holds_and_comes_back_to_the_dock_with_redo(
    opened: Stage, sheet: DopeSheet
) -> None:
    session, message = opened.session, opened.window.message
    meet(opened)
    assert session.of(CurrentTargets).reports_of("hand")[0].met
    session.of(CurrentTargets).choose("hand")
    session.of(CurrentTargets).change(position=(9.0, 0.0, 0.0))
    meet(opened)
    assert message.isVisible()
    assert "1 of 1 target missed" in message.text
    session.undo()
    session.undo()
    opened.settle()
    assert not message.isVisible()
    assert session.of(CurrentTargets).reports_of("hand")[0].met, "as it was found before"
    session.redo()
    assert session.of(CurrentTargets).reports_of("hand") == ()
    session.redo()
    opened.settle()
    assert not session.of(CurrentTargets).reports_of("hand")[0].met
    meet_again = opened.window.menus.actions["targets.meet"]
    session.of(CurrentTargets).change(position=None)
    opened.window.menus.refresh()
    meet_again.trigger()
    opened.until(lambda: session.at_rest and session.of(CurrentTargets).is_fresh)
    assert not message.isVisible()


def test_the_dock_shows_targets_makes_keys_targets_meets_and_removes_them(opened: Stage, sheet: DopeSheet) -> None:
    session, actions = opened.session, opened.window.menus.actions
    opened.window.show_panel("secondary")
    panel = opened.window.docks["secondary"].widget()
    assert isinstance(panel, SecondaryPanel)
    panel.sections["targets"].header.set_unfolded(True)
    opened.settle()
    section = panel.findChild(TargetsSection)
    assert section is not None
    opened.window.menus.refresh()
    actions["targets.keys"].trigger()
    opened.until(lambda: session.at_rest)
    names = [section.list.item(row).text().partition(" \N{MIDDLE DOT} ")[0] for row in range(2)]
    assert names == ["Right hand", "Pose"]
    assert [row.label for row in sheet.rows if row.path[-1] == "hand"] == ["Reach Right hand"]
    assert section.rule.isChecked()
    QTest.mouseClick(section.meet, Qt.MouseButton.LeftButton)
    opened.until(lambda: session.at_rest and session.of(CurrentTargets).is_fresh)
    assert section.told.text().startswith("5 targets met after ")
    assert all(section.list.item(row).text().endswith("met") for row in range(2))
    assert section.curve.curve[-1] <= 1.0
    opened.window.menus.refresh()
    actions["targets.always"].trigger()
    opened.until(lambda: session.at_rest and session.of(CurrentTargets).is_fresh)
    assert section.always.isChecked()
    section.list.setCurrentRow(0)
    opened.window.menus.refresh()
    actions["targets.remove"].trigger()
    opened.until(lambda: session.at_rest and session.of(CurrentTargets).is_fresh and section.list.count() == 1)
    assert [each.source for each in session.of(CurrentTargets).targets] == ["keys"]

"""Targets that stand for many on the timeline: a mark at each time, eased by a drag for all, chosen by a click."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.rules import Rule
from app.session import Item
from app.style.apply import current_theme
from app.timeline.sheet import DopeSheet
from app.timeline.tips import tip_at
from engine.document import Document, Key, Span, Target, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.target import WIDTH
from engine.document.target_times import MOST_TIMES
from engine.evaluate.evaluator import Evaluator
from tests.gui.aimed import ELBOW, WITHIN, begun_with, on_line, pull, punching, sheet_of, target
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, drag

pytestmark = [pytest.mark.gui, pytest.mark.pixels]
RULE = Target(id="rule", source="keys", width=SECOND // 5)
KEYS = (0.0, 0.6, 1.2, 2.0)


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged()


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    with begun_with(window, RULE) as begun:
        yield begun


@pytest.fixture
def sheet(opened: Stage) -> DopeSheet:
    return sheet_of(opened)


def rules(sheet: DopeSheet) -> list[Rule]:
    return [row.content for row in sheet.rows if isinstance(row.content, Rule)]


def at(sheet: DopeSheet, time: float, share: float = 0.75) -> QPoint:
    """On the line of the rule; eases are taken in its lower part."""
    line = next(line for line, number in enumerate(sheet.lines) if sheet.rows[number].kind == "marks")
    return on_line(sheet, line, time, share)


def mark_colours(sheet: DopeSheet, times: tuple[float, ...]) -> list[QColor]:
    """The middle of the mark at each time."""
    image = sheet.viewport().grab().toImage()
    line = at(sheet, 0.0).y() - round(0.75 * sheet.row_height) + 5
    return [image.pixelColor(round(sheet.x_of(time * SECOND)), line) for time in times]


def differs(one: QColor, other: QColor) -> int:
    return abs(one.red() - other.red()) + abs(one.green() - other.green()) + abs(one.blue() - other.blue())


def test_each_key_has_a_mark_and_they_follow_when_keys_move(opened: Stage, sheet: DopeSheet) -> None:
    (found,) = rules(sheet)
    assert found.times.tolist() == [round(each * SECOND) for each in KEYS]
    between, *_ = mark_colours(sheet, (0.35,))
    assert all(differs(each, between) > 60 for each in mark_colours(sheet, KEYS))
    line = next(line for line, number in enumerate(sheet.lines) if sheet.rows[number].coordinate == ELBOW)
    height = sheet.y_of(line) + sheet.row_height // 2
    places = [QPoint(round(sheet.x_of(time * SECOND)), height) for time in (1.2, 1.35, 1.5)]
    drag(sheet.viewport(), places)
    opened.until(lambda: opened.session.at_rest)
    (moved,) = rules(sheet)
    assert len(moved.times) == 5
    assert moved.times[3] == pytest.approx(1.5 * SECOND, abs=SECOND / 30)


def test_a_mark_is_not_dragged_in_time_and_a_click_chooses_the_rule(opened: Stage, sheet: DopeSheet) -> None:
    before = opened.session.document
    upper = [at(sheet, 0.6 * SECOND, 0.25), at(sheet, 0.8 * SECOND, 0.25), at(sheet, SECOND, 0.25)]
    drag(sheet.viewport(), upper)
    opened.until(lambda: sheet.drag is None)
    assert opened.session.document is before
    assert opened.session.of(CurrentTargets).target is target(opened)
    opened.session.of(CurrentTargets).choose(None)
    QTest.mouseClick(sheet.viewport(), Qt.MouseButton.LeftButton, pos=at(sheet, 1.2 * SECOND, 0.25))
    assert opened.session.of(CurrentTargets).target is target(opened)


def test_an_ease_is_dragged_for_all_of_them_in_one_entry(opened: Stage, sheet: DopeSheet) -> None:
    entries = len(opened.session.history.entries)
    pull(opened, sheet, at(sheet, (0.6 - 0.2) * SECOND), at(sheet, (0.6 - 0.5) * SECOND))
    assert target(opened).width == pytest.approx(0.5 * SECOND, abs=SECOND / 30)
    assert target(opened).after is None or target(opened).after == SECOND // 5
    assert len(opened.session.history.entries) == entries + 1
    opened.session.undo()
    opened.settle()
    assert target(opened) == RULE
    pull(opened, sheet, at(sheet, (1.2 + 0.2) * SECOND), at(sheet, (1.2 + 0.3) * SECOND))
    assert (target(opened).width, target(opened).after) == (SECOND // 5, 3 * SECOND // 10)


def test_with_meeting_after_each_edit_the_drag_of_an_ease_meets_every_key(opened: Stage, sheet: DopeSheet) -> None:
    opened.session.of(CurrentTargets).meet_always(True)
    opened.until(lambda: opened.session.at_rest and opened.session.of(CurrentTargets).is_fresh)
    entries = len(opened.session.history.entries)
    pull(opened, sheet, at(sheet, (0.6 - 0.2) * SECOND), at(sheet, (0.6 - 0.3) * SECOND))
    assert len(opened.session.history.entries) == entries + 1
    assert opened.session.of(CurrentTargets).is_fresh
    actor, document = opened.session.document.actors[0], opened.session.document
    q = Evaluator().coordinates(document, actor.id, [round(1.2 * SECOND)])[0]
    assert q[actor.figure.coordinate_index[ELBOW]] == pytest.approx(1.4, abs=WITHIN)


def test_a_tip_says_what_is_met_there_and_how_near(opened: Stage, sheet: DopeSheet) -> None:
    place = QPointF(at(sheet, 1.2 * SECOND, 0.25))
    assert tip_at(sheet, place).splitlines()[:2] == [
        "Human is to be where its keys have it, at frame 36",
        "Not met since the last change",
    ]
    opened.session.of(CurrentTargets).meet()
    opened.until(lambda: opened.session.at_rest and opened.session.of(CurrentTargets).is_fresh)
    assert tip_at(sheet, place).splitlines()[1] == "Met"
    assert "6 frames; drag an end for all of them" in tip_at(sheet, place)


def test_a_tip_of_a_rule_that_is_off_says_so_and_one_of_a_joint_is_worded_alike(
    opened: Stage, sheet: DopeSheet
) -> None:
    place = QPointF(at(sheet, 1.2 * SECOND, 0.25))
    opened.session.of(CurrentTargets).choose("rule")
    opened.session.of(CurrentTargets).change(on=False)
    opened.settle()
    assert tip_at(sheet, place).splitlines()[1] == "Off: it is not met"
    opened.session.of(CurrentTargets).change(kind="point", joint="wrist_right", place=False, velocity=True)
    opened.settle()
    assert tip_at(sheet, place).splitlines()[0] == "Right hand is to be as fast as its keys have it, at frame 36"


def too_long(*targets: Target) -> Document:
    """Two keys of one joint, further apart than there are frames to be met."""
    document = punching(*targets)
    actor = document.actors[0]
    keys = (Key(0, 0.0), Key(round(1.01 * MOST_TIMES * SECOND / 30), 0.5))
    layer = replace(actor.layers[0], tracks=(Track(coordinate=ELBOW, keys=keys),))
    return document.with_actor(replace(actor, layers=(layer,)))


def test_a_rule_of_too_many_times_is_refused_and_one_in_a_file_is_a_row_without_marks(window: Arranged) -> None:
    with window.anew(too_long()) as opened:
        before = opened.session.document
        opened.session.select([Item(before.actors[0].id)])
        sheet_of(opened)
        opened.session.of(CurrentTargets).set_rule("every", 1)
        opened.until(lambda: opened.session.at_rest)
        assert opened.session.document is before
        assert "at most 100000 targets" in opened.session.log[-1].text
    with window.anew(too_long(Target(id="rule", source="every", frames=1, on=False))) as opened:
        (found,) = rules(sheet_of(opened))
        assert len(found.times) == 0
        opened.draw()


def test_delete_takes_the_rule_away(opened: Stage, sheet: DopeSheet) -> None:
    QTest.mouseClick(sheet.viewport(), Qt.MouseButton.LeftButton, pos=at(sheet, 0.6 * SECOND, 0.25))
    QTest.keyClick(sheet, Qt.Key.Key_Delete)
    opened.until(lambda: opened.session.at_rest)
    assert opened.session.of(CurrentTargets).targets == ()
    assert rules(sheet) == []


def crowded() -> Document:
    """Ten thousand keys of one joint, a tenth of a frame apart."""
    document = punching(replace(RULE, width=WIDTH))
    actor = document.actors[0]
    keys = tuple(Key(number * SECOND // 300, 0.1 * (number % 7)) for number in range(10_000))
    layer = replace(actor.layers[0], tracks=(Track(coordinate=ELBOW, keys=keys),))
    secondary = replace(actor.secondary, on=False)  # type: ignore[type-var]
    return replace(
        document.with_actor(replace(actor, layers=(layer,), secondary=secondary)), play=Span(start=0, end=33 * SECOND)
    )


def test_ten_thousand_marks_are_painted_without_an_item_each(window: Arranged) -> None:
    with window.anew(crowded()) as opened:
        sheet = sheet_of(opened)
        (found,) = rules(sheet)
        assert len(found.times) == 10_000
        opened.draw()
        assert sheet.viewport().findChildren(QWidget) == []
        band = at(sheet, 15.0 * SECOND, 0.6)
        image = sheet.viewport().grab().toImage()
        field = QColor(current_theme().field)
        assert differs(image.pixelColor(band), field) > 10
        again = rules(sheet)
        sheet.show_document(opened.session.document)
        assert rules(sheet) == again

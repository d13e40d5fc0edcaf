"""Planned motions in the timeline: when stages are shown, what a press takes hold of, what its drag makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.features.spacetime.current_spacetime import Come, CurrentSpacetime
from app.features.spacetime.lane_drags import ConstraintDrag, StageDrag
from app.features.spacetime.rows import SpacetimeRows
from app.features.spacetime.stage_times import stage_times
from app.style.apply import apply_theme, current_theme
from app.style.theme import dark
from app.timeline.axis import TimeAxis
from app.timeline.rows import Row
from app.timeline.sheet import DopeSheet
from app.timeline.sheet_drags import grip_at
from app.timeline.tips import tip_at
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.document.ticks import frame_time
from engine.spacetime.parts import Spacetime, SpacetimeMeeting
from engine.spacetime.queries.seen_motion import MotionMiss, SeenMotion
from tests.app.session.held import Held, hold
from tests.engine.spacetime.lamps import hop, lamps, leap

NO, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
RATE = (30, 1)


def plan_of(held: Held) -> Spacetime:
    found = held.session.document.actors[0].part(Spacetime)
    assert found is not None
    return found


class LampSheet:
    """A sheet of a lamp's leap."""

    def __init__(self, plan: Spacetime, qtbot: QtBot, *, others: tuple[str, ...] = ()) -> None:
        document = lamps(plan)
        more = tuple(
            replace(document.actors[0].without_part(Spacetime), id=each, name=each.capitalize()) for each in others
        )
        self.held = hold(replace(document, actors=(*document.actors, *more), rate=RATE))
        self.axis = TimeAxis(RATE)
        self.sheet = DopeSheet(self.held.session, self.axis, [SpacetimeRows(self.held.session)])
        qtbot.addWidget(self.sheet)
        self.sheet.resize(900, 260)
        self.refresh()
        self.sheet.fit_axis()
        self.axis.show_range(-0.1 * SECOND, 1.4 * SECOND)
        self.current = self.held.session.of(CurrentSpacetime)

    def refresh(self) -> None:
        self.sheet.show_document(self.held.session.document)

    def show(self, motion: SeenMotion) -> None:
        """Have a search come to a motion."""
        self.current._come["lamp"] = Come(shown=motion, problem=(("lamp", plan_of(self.held)),))
        self.current.iterated.emit()

    def row(self, label: str) -> Row:
        return next(row for row in self.sheet.rows if row.label == label)

    def at(self, label: str, seconds: float) -> QPointF:
        """The middle of a row, at a time."""
        line = self.sheet.lines.index(self.sheet.rows.index(self.row(label)))
        return QPointF(self.sheet.x_of(seconds * SECOND), self.sheet.y_of(line) + 0.5 * self.sheet.row_height)

    def pull(self, label: str, start: float, end: float, how: Qt.KeyboardModifier = NO) -> None:
        """Drag from a time of a row to another, and let go."""
        self.sheet.press(self.at(label, start), NO)
        assert self.sheet.drag is not None
        self.sheet.drag.move(self.at(label, 0.5 * (start + end)), how)
        self.sheet.drag.move(self.at(label, end), how)
        self.held.worker.answer("preview", newest=True)
        self.sheet.drag.release()
        self.refresh()


@pytest.fixture
def lanes(qapp: QApplication, qtbot: QtBot) -> Iterator[LampSheet]:
    apply_theme(qapp, dark)
    made = LampSheet(leap(free=True), qtbot)
    yield made
    made.held.session.close()
    made.held.session.deleteLater()
    qapp.setStyleSheet("")


@pytest.fixture
def fixed(qapp: QApplication, qtbot: QtBot) -> Iterator[LampSheet]:
    apply_theme(qapp, dark)
    made = LampSheet(leap(), qtbot)
    yield made
    made.held.session.close()
    made.held.session.deleteLater()
    qapp.setStyleSheet("")


def lengths(lanes: LampSheet) -> list[float]:
    return [each.length for each in plan_of(lanes.held).stages]


def on_frames(seconds: float) -> float:
    return frame_time(round(seconds * 30), RATE) / SECOND


def test_free_lengths_are_shown_as_found_within_their_range_and_others_as_set() -> None:
    plan = leap(free=True)
    found = stage_times(plan, {"crouch": 0.9, "flight": 0.27, "landing": 0.1})
    assert [each / SECOND for each in found.borders] == pytest.approx([0.0, 0.4, 0.67, 1.07])
    beyond = stage_times(plan, {"flight": 0.9})
    assert beyond.span("flight") == (round(0.4 * SECOND), round(0.9 * SECOND)), "no longer than it may be"
    assert stage_times(plan).borders == plan.borders
    ends = found.free_ends(1)
    assert ends is not None
    assert [each / SECOND for each in ends] == pytest.approx([0.6, 0.9])
    assert found.free_ends(0) is None
    assert [found.stage_at(each * SECOND) for each in (-0.1, 0.0, 0.41, 1.06, 1.08)] == [None, 0, 1, 2, None]


def test_a_time_within_a_stage_snaps_to_frames_and_to_the_ends_of_the_stage() -> None:
    times = stage_times(leap())
    start, end = times.span("flight")
    assert times.share("flight", start + 0.4 * (end - start), RATE, snaps=False) == pytest.approx(0.4)
    frame = SECOND / 30
    near = times.share("flight", 14 * frame + 0.1 * frame, RATE, snaps=True)
    assert start + near * (end - start) == pytest.approx(14 * frame)
    assert times.share("flight", end - 0.1 * frame, RATE, snaps=True) == 1.0, "between two frames"
    assert times.share("flight", end + SECOND, RATE, snaps=True) == 1.0
    assert times.share("flight", 0.0, RATE, snaps=True) == 0.0


def test_a_plan_has_rows_for_its_stages_free_lengths_constraints_and_muscles(lanes: LampSheet) -> None:
    labels = [row.label for row in lanes.sheet.rows]
    assert labels == [
        "Lamp", "Stages", "Flight, free length", "Begin", "Land here", "Stay above", "End", "Lower, Turn",
        "Upper, Turn", "Head, Turn",
    ]  # fmt: skip
    assert {row.depth for row in lanes.sheet.rows[2:]} == {2}, "they fold into the first"


def test_a_border_is_dragged_to_a_frame_and_what_comes_after_moves_along(fixed: LampSheet) -> None:
    before = fixed.held.session.document
    fixed.pull("Stages", 0.4, 0.51)
    assert lengths(fixed) == pytest.approx([on_frames(0.51), 0.35, 0.4])
    assert [each.label for each in fixed.held.session.history.entries][1:] == ["Set length of Take-off"]
    fixed.held.session.undo()
    assert fixed.held.session.document is before
    fixed.refresh()
    fixed.pull("Stages", 0.4, 0.5, SHIFT)
    assert lengths(fixed) == pytest.approx([0.5, 0.25, 0.4]), "with Shift the next one gives the time"


def test_while_a_border_is_dragged_the_row_shows_it_and_a_border_passes_no_other(fixed: LampSheet) -> None:
    fixed.sheet.press(fixed.at("Stages", 0.75), NO)
    drag = fixed.sheet.drag
    assert isinstance(drag, StageDrag)
    drag.move(fixed.at("Stages", 0.9), NO)
    assert drag.times.borders[2] == pytest.approx(0.9 * SECOND)
    drag.move(fixed.at("Stages", 0.1), NO)
    assert drag.times.borders[2] - drag.times.borders[1] == pytest.approx(SECOND / 30), "a frame is left"
    drag.cancel()
    assert lengths(fixed) == [0.4, 0.35, 0.4]


def test_the_whole_plan_moves_in_time_by_a_block_and_its_beginning(fixed: LampSheet) -> None:
    fixed.pull("Stages", 0.55, 0.75)
    assert plan_of(fixed.held).start == frame_time(6, RATE)
    fixed.pull("Stages", 0.2, 0.1)
    assert plan_of(fixed.held).start == frame_time(3, RATE)
    assert lengths(fixed) == [0.4, 0.35, 0.4]


def test_ends_of_a_free_length_are_dragged_and_a_found_one_has_no_border(lanes: LampSheet) -> None:
    lanes.pull("Flight, free length", 0.9, 1.0)
    assert plan_of(lanes.held).stages[1].lengths == pytest.approx((0.2, 0.6))
    lanes.pull("Flight, free length", 0.6, 0.8)
    flight = plan_of(lanes.held).stages[1]
    assert flight.lengths == pytest.approx((0.4, 0.6))
    assert flight.length == pytest.approx(0.4), "no shorter than it may be"
    lanes.show(hop(plan_of(lanes.held), lengths=(0.4, 0.45, 0.4)))
    grip = grip_at(lanes.sheet, lanes.at("Stages", 0.85))
    assert grip.end == "whole"
    assert grip_at(lanes.sheet, lanes.at("Stages", 0.4)).end == "end"
    removal = SpacetimeRows(lanes.held.session).removal(lanes.row("Flight, free length"))
    assert removal is not None
    changed = removal.apply(lanes.held.session.document).actors[0].part(Spacetime)
    assert changed is not None
    assert not changed.stages[1].is_free


def test_a_constraint_is_dragged_within_its_stage_and_its_range_by_an_end(fixed: LampSheet) -> None:
    fixed.pull("Land here", 0.75, 0.9)
    landed = plan_of(fixed.held).constraint("land")
    assert stage_times(plan_of(fixed.held)).tick("landing", landed.at) == pytest.approx(0.9 * SECOND, abs=2)
    fixed.pull("Land here", 0.9, 0.2)
    assert plan_of(fixed.held).constraint("land").at == 0.0, "not out of its stage"
    above = plan_of(fixed.held).constraint("above")
    times = stage_times(plan_of(fixed.held))
    start, end = (each / SECOND for each in times.when(above))
    fixed.pull("Stay above", end, 0.745)
    assert plan_of(fixed.held).constraint("above").until == 1.0
    assert plan_of(fixed.held).constraint("above").at == above.at
    fixed.pull("Stay above", 0.6, 0.3)
    moved = plan_of(fixed.held).constraint("above")
    assert (moved.at, moved.until) == pytest.approx((0.0, 0.9)), "moved along, as long as before"
    assert fixed.current.constraint is moved, "what is dragged is chosen"
    assert start < end


def let_go(sheet: DopeSheet) -> None:
    sheet.drag = None


def test_a_press_chooses_and_delete_takes_the_chosen_away(fixed: LampSheet) -> None:
    fixed.sheet.press(fixed.at("Stages", 0.9), NO)
    assert fixed.current.stage is not None
    assert fixed.current.stage.id == "landing"
    let_go(fixed.sheet)
    fixed.sheet.commands.remove()
    assert [each.id for each in plan_of(fixed.held).stages] == ["crouch", "flight"]
    fixed.refresh()
    fixed.sheet.press(fixed.at("Stay above", 0.5), NO)
    assert fixed.current.chosen == "above"
    assert isinstance(fixed.sheet.drag, ConstraintDrag)
    let_go(fixed.sheet)
    fixed.current.choose("begin")
    assert fixed.sheet.chosen_row == fixed.row("Begin"), "chosen in the dock, it is chosen here"
    fixed.sheet.commands.remove()
    assert [each.id for each in plan_of(fixed.held).constraints] == ["above"]


def test_the_worst_violations_are_marked_and_tips_say_them(fixed: LampSheet) -> None:
    before = fixed.sheet.viewport().grab().toImage()
    miss = MotionMiss(constraint="land", seconds=0.75, words="Missed by 31 mm")
    fixed.show(hop(plan_of(fixed.held), state="no way", misses=(miss,)))
    image = fixed.sheet.viewport().grab().toImage()
    danger = QColor(current_theme().danger)
    place = fixed.at("Land here", 0.75).toPoint()
    assert image.pixelColor(place) == danger != before.pixelColor(place)
    above = fixed.at("Stages", 0.75).toPoint()
    assert image.pixelColor(above.x(), above.y() - fixed.sheet.row_height // 2 + 3) == danger
    assert tip_at(fixed.sheet, fixed.at("Land here", 0.75)).splitlines()[:2] == [
        "Land here: place of Base, at frame 22.5", "Missed by 31 mm",
    ]  # fmt: skip
    assert tip_at(fixed.sheet, fixed.at("Begin", 0.0)).splitlines()[0] == "Begin: pose, at frame 0"
    assert "0.35 s" in tip_at(fixed.sheet, fixed.at("Stages", 0.5))


def test_torques_of_muscles_are_curves_once_they_are_found(fixed: LampSheet) -> None:
    assert tip_at(fixed.sheet, fixed.at("Head, Turn", 0.5)) == "Torque of Head, Turn: not found yet"
    before = fixed.sheet.viewport().grab().toImage()
    motion = hop(plan_of(fixed.held))
    fixed.show(motion)
    assert fixed.sheet.viewport().grab().toImage() == before, "the engine's thread works them out"
    assert motion.torques
    image = fixed.sheet.viewport().grab().toImage()
    row = fixed.at("Head, Turn", 0.0).toPoint().y()
    curve = motion.torques["head.turn"]
    for most in (curve.argmax(), curve.argmin()):
        x, way = round(fixed.sheet.x_of(motion.times[most] * SECOND)), -1 if curve[most] > 0.0 else 1
        changed = [image.pixel(x, row + dy) != before.pixel(x, row + dy) for dy in (4 * way, -4 * way)]
        assert changed == [True, False], "up where it is above 0, down where it is below"
    text = tip_at(fixed.sheet, fixed.at("Head, Turn", 0.5))
    assert text.startswith("Torque of Head, Turn: ")
    assert text.endswith("at most 3 N m in all")


@pytest.fixture
def met(qapp: QApplication, qtbot: QtBot) -> Iterator[LampSheet]:
    """A lamp that meets another one as it flies."""
    apply_theme(qapp, dark)
    meeting = SpacetimeMeeting(
        id="meet", name="Heads meet", stage="flight", at=0.5, joint="head", other="other", other_joint="head"
    )
    made = LampSheet(replace(leap(), meetings=(meeting,)), qtbot, others=("other",))
    yield made
    made.held.session.close()
    made.held.session.deleteLater()
    qapp.setStyleSheet("")


def test_a_meeting_is_a_row_that_is_dragged_in_time_and_taken_away(met: LampSheet) -> None:
    assert "Head of Other" in str(tip_at(met.sheet, met.at("Heads meet", 0.575)))
    met.pull("Heads meet", 0.575, 0.4 + 0.35 * 0.8)
    (meeting,) = plan_of(met.held).meetings
    assert meeting.at * 0.35 + 0.4 == pytest.approx(on_frames(0.4 + 0.35 * 0.8), abs=1e-6)
    row = met.row("Heads meet")
    assert row.source is not None
    removal = row.source.removal(row)
    assert removal is not None
    met.held.session.do(removal)
    assert plan_of(met.held).meetings == ()
    met.sheet.grab()

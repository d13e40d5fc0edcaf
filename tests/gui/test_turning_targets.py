"""How fast a turn is to be met, with real mouse and key events: asked for, taken, typed, dragged, met, undone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from scipy.spatial.transform import Rotation

from app.features.keys.panel import KeysPanel
from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.target_words import target_label
from app.features.secondary.targets import TargetsSection
from app.timeline.sheet import DopeSheet
from app.timeline.tips import tip_at
from engine.document import Document, Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from tests.gui.aimed import HAND, begun_with, drag_middle, panel_of, section_of, sheet_of, target
from tests.gui.test_keys_panel import choose as pick
from tests.gui.test_rule_marks import at as at_rule
from tests.gui.test_target_fields import choose, click, click_at_start, enter, go_to
from tests.gui.test_targets import at
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
LATER, APART = 6 * SECOND // 5, SECOND // 20_000
PER_DEGREE = np.pi / 180.0


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged()


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    turn = Target(id="turn", kind="turn", joint=HAND, time=SECOND)
    with begun_with(window, turn) as begun:
        yield begun


@pytest.fixture
def section(opened: Stage) -> TargetsSection:
    return section_of(opened, panel_of(opened))


@pytest.fixture
def sheet(opened: Stage) -> DopeSheet:
    return sheet_of(opened)


def spin(document: Document, time: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """How fast the hand is seen to turn, worked out anew [rad/s]."""
    actor = document.actors[0]
    index = actor.figure.joint_index[HAND]
    frames = [Evaluator().joint_transforms(document, actor.id, time + by)[index, :, :3] for by in (-APART, APART)]
    before, after = (Rotation.from_matrix(each) for each in frames)
    return np.asarray((after * before.inv()).as_rotvec() / (2.0 * APART / SECOND))


def ask(opened: Stage, section: TargetsSection) -> None:
    click_at_start(section.velocity)
    opened.until(lambda: opened.session.at_rest and target(opened).velocity)
    opened.settle()


def test_it_is_asked_for_taken_from_here_and_dragged_in_one_entry(opened: Stage, section: TargetsSection) -> None:
    told, session = section.wanted.told["spin"], opened.session
    assert section.place.text() == "Turn"
    assert section.velocity.isEnabled()
    assert not told.isVisible()
    ask(opened, section)
    assert told.isVisible()
    assert not section.wanted.told["speed"].isVisible()
    assert told.state.text() == "as the keys have it"
    assert not told.sliders[0].isVisible()
    go_to(opened, LATER)
    click(opened, told.take)
    there = target(opened).speed
    assert there is not None
    assert np.linalg.norm(np.array(there) - spin(session.document, LATER)) < 1e-3
    assert [slider.value for slider in told.sliders] == pytest.approx(there)
    degrees = f"{abs(there[0]) / PER_DEGREE:.1f} degrees per second"
    assert told.sliders[0].accessibleDescription().endswith(degrees)
    drag_middle(opened, told)
    moved = target(opened).speed
    assert moved is not None
    assert moved[1] != there[1]
    assert (moved[0], moved[2]) == (there[0], there[2])
    session.undo()
    assert target(opened).speed == there
    click(opened, told.as_keyed)
    assert target(opened).speed is None
    assert not told.sliders[0].isVisible()
    session.undo()
    session.undo()
    session.undo()
    assert not target(opened).velocity


def test_it_is_typed_in_degrees_a_second_or_in_a_unit_of_its_own(opened: Stage, section: TargetsSection) -> None:
    ask(opened, section)
    told = section.wanted.told["spin"]
    click(opened, told.take)
    before = target(opened).speed
    assert before is not None
    for text, degrees in (("90", 90.0), ("-2 rad/s", -360.0 / np.pi), ("45°/s", 45.0), ("10 rpm", 60.0)):
        enter(opened, told.sliders[2], text)
        speed = target(opened).speed
        assert speed is not None
        assert speed[2] == pytest.approx(degrees * PER_DEGREE), text
        assert speed[:2] == before[:2], text
        opened.session.undo()
        assert target(opened).speed == before


def test_it_is_met_with_the_turn_and_undone_whole(opened: Stage, section: TargetsSection) -> None:
    session, first = opened.session, opened.session.document
    ask(opened, section)
    told = section.wanted.told["spin"]
    click(opened, told.take)
    for slider, number in zip(told.sliders, ("60", "-30", "0"), strict=True):
        enter(opened, slider, number)
    assert section.list.item(0).text().startswith("Right hand, turn and velocity")
    before = session.document
    click(opened, section.meet)
    opened.until(lambda: session.document is not before and session.at_rest)
    opened.until(lambda: session.of(CurrentTargets).is_fresh)
    opened.settle()
    assert "1 target met" in section.told.text()
    wanted = np.array((60.0, -30.0, 0.0)) * PER_DEGREE
    assert np.linalg.norm(spin(session.document, SECOND) - wanted) < 1e-3
    assert np.linalg.norm(spin(first, SECOND) - wanted) > 0.1
    while session.document is not first:
        session.undo()
    opened.settle()
    assert not section.velocity.isChecked()


def test_one_of_what_cannot_be_met_says_by_how_much_in_degrees_a_second(opened: Stage, section: TargetsSection) -> None:
    ask(opened, section)
    opened.session.of(CurrentTargets).change(speed=(400.0, 0.0, 0.0), place=False)
    click(opened, section.meet)
    opened.until(lambda: opened.session.of(CurrentTargets).is_fresh)
    opened.settle()
    assert "\N{DEGREE SIGN}/s" in section.list.item(0).text()


def test_the_timeline_tells_what_is_asked_for(opened: Stage, section: TargetsSection, sheet: DopeSheet) -> None:
    actor = opened.session.document.actors[0]
    labels = {
        (True, False): "Turn Right hand",
        (True, True): "Turn Right hand at a velocity",
        (False, True): "Angular velocity of Right hand",
    }
    for (place, velocity), label in labels.items():
        opened.session.of(CurrentTargets).change(place=place, velocity=velocity)
        opened.settle()
        assert tip_at(sheet, QPointF(at(sheet, SECOND, 0.25))).splitlines()[0] == f"{label}, at frame 30"
    point = replace(target(opened), kind="point", place=False)
    assert target_label(actor, point) == "Velocity of Right hand"
    assert target_label(actor, Target(id="p", velocity=True)) == "Reach the pose at a velocity"
    opened.session.of(CurrentTargets).change(source="keys", place=False)
    opened.settle()
    where = QPointF(at_rule(sheet, LATER, 0.25))
    assert (
        tip_at(sheet, where).splitlines()[0] == "Right hand is to be turning as fast as its keys have it, at frame 36"
    )
    opened.session.of(CurrentTargets).change(place=True)
    opened.settle()
    asked = "turned as its keys have it, and turning as fast"
    assert tip_at(sheet, where).splitlines()[0] == f"Right hand is to be {asked}, at frame 36"


def test_place_and_turn_take_turns_and_what_was_asked_goes(opened: Stage, section: TargetsSection) -> None:
    ask(opened, section)
    click(opened, section.wanted.told["spin"].take)
    choose(opened, section.wanted.kind, 0)
    made = target(opened)
    assert (made.kind, made.speed, made.velocity) == ("point", None, False)
    assert section.place.text() == "Place"
    opened.session.undo()
    opened.settle()
    assert target(opened).speed is not None
    assert section.wanted.told["spin"].isVisible()


def test_a_motion_that_is_mirrored_in_the_keys_panel_takes_its_target_to_the_other_side(
    opened: Stage, section: TargetsSection
) -> None:
    session = opened.session
    ask(opened, section)
    session.of(CurrentTargets).change(speed=(1.0, 2.0, 3.0))
    before = session.document
    opened.window.menus.actions["keys.range"].trigger()
    panel = opened.window.docks["keys"].widget()
    assert isinstance(panel, KeysPanel)
    opened.until(panel.isVisible)
    opened.settle()
    pick(panel.ranges.deed, "Mirror")
    click(opened, panel.ranges.keeping.apply)
    opened.until(lambda: session.document is not before and session.at_rest)
    made = target(opened)
    assert (made.joint, made.speed) == ("wrist_left", (1.0, -2.0, -3.0))
    session.undo()
    assert session.document is before

"""Planned motions in the real window: the lamp's leap built from an empty scene, its landing dragged; in-betweens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.features.spacetime.constraints import ConstraintFields
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.panel import SpacetimePanel
from app.features.spacetime.searching import SearchFields
from app.features.spacetime.stages import StageFields
from app.session import Item
from app.style.value_slider import ValueSlider
from engine.document import Document, Key, Span, Track
from engine.model.snapshot import Bodies
from engine.spacetime.parts import Spacetime
from tests.gui.acting import changed, click, go_to, shown_panel
from tests.gui.test_dropping import drop
from tests.leaping_lamp import LEAPING_LAMP, leaping_lamp
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui
SECOND = 705_600_000
FAR = 0.4  # [m]


def do(opened: Stage, action: str) -> Document:
    """Do it by its menu, and wait for the change."""
    before = opened.session.document
    opened.window.menus.actions[action].trigger()
    return changed(opened, before)


def press(opened: Stage, widget: QWidget) -> Document:
    """Click it, and wait for the change."""
    before = opened.session.document
    opened.until(widget.isVisible)
    click(widget)
    return changed(opened, before)


def type_into(opened: Stage, slider: ValueSlider, text: str) -> Document:
    """Type a number, as a person does who clicked it."""
    before = opened.session.document
    opened.until(slider.isVisible)
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Return)
    editor = opened.window.focusWidget()
    assert editor is not None
    QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    return changed(opened, before)


def found(opened: Stage) -> None:
    """Wait until a search has ended that met all demands."""
    current = opened.session.of(CurrentSpacetime)
    opened.until(lambda: not current.running)
    assert current.motion is not None
    assert current.motion.state == "solved", current.report


def base(opened: Stage) -> tuple[float, float]:
    """Where the base of the lamp is seen."""
    assert opened.snapshot is not None
    seen = next(each for each in opened.snapshot.of(Bodies) if each.role == "result")
    return float(seen.transforms[0, 0, 3]), float(seen.transforms[0, 1, 3])


def test_the_lamps_leap_is_built_from_an_empty_scene_and_lands_where_its_landing_is_dragged(
    the_window: OneWindow, tmp_path: Path
) -> None:
    with the_window.begun(Document(play=Span(start=0, end=2 * SECOND))) as opened:
        path = tmp_path / "lamp.figure.toml"
        path.write_text(LEAPING_LAMP)
        assert drop(opened.view, path)
        opened.until(lambda: bool(opened.session.document.actors))
        opened.settle()
        panel = shown_panel(opened, "spacetime.show", SpacetimePanel)
        press(opened, panel.from_pose)
        stages, demands = panel.fields["stages"], panel.fields["constraints"]
        assert isinstance(stages, StageFields)
        assert isinstance(demands, ConstraintFields)
        press(opened, stages.add)
        press(opened, stages.impact)
        do(opened, "spacetime.add_stage")
        press(opened, stages.nailed)
        go_to(opened, 1.0)
        document = do(opened, "spacetime.be_here")
        (actor,) = document.actors
        plan = actor.part(Spacetime)
        assert plan is not None
        assert [(each.nailed, each.impact) for each in plan.stages] == [(True, False), (False, True), (True, False)]
        assert demands.demanded.root is not None
        type_into(opened, demands.demanded.root.fields["base.move_x"], f"{100 * FAR:g}")

        current = opened.session.of(CurrentSpacetime)
        click(panel.run)
        found(opened)
        motion = current.motion
        assert motion is not None
        assert motion.values(motion.duration)["base.move_x"] == pytest.approx(FAR, abs=1e-6)
        assert motion.values(0.55)["base.move_y"] > 0.05, "it flies"

        seen, slider = list[float](), demands.demanded.root.fields["base.move_x"]

        def take() -> None:
            if current.motion is not None:
                seen.append(current.motion.values(9.0)["base.move_x"])

        current.iterated.connect(take)
        before, places = opened.session.document, [opened.widget_at(slider, x, 0.5) for x in (0.5, 0.52, 0.54, 0.56)]
        QTest.mousePress(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, places[0])
        for place in places[1:]:
            move(slider, place)
        opened.until(lambda: bool(seen) and abs(seen[-1] - FAR) > 0.01)
        assert opened.session.document is before, "it is followed while the hand is on it"
        QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, places[-1])
        changed(opened, before)
        found(opened)
        current.iterated.disconnect(take)  # the window is that of the tests to come

        landing, before = slider.value, opened.session.document
        assert landing != FAR
        click(panel.keep)
        changed(opened, before)
        go_to(opened, 1.0)
        assert base(opened) == pytest.approx((landing, 0.0), abs=1e-4)
        opened.session.undo()
        opened.until(lambda: opened.session.document is before)


@pytest.fixture
def opened(the_window: OneWindow, tmp_path: Path) -> Iterator[Stage]:
    """A lamp that nods and sways between two keys."""
    lamp = leaping_lamp(tmp_path)
    keys = {"head.nod": 0.6, "upper_arm.bend": 0.3}
    tracks = tuple(Track(coordinate=name, keys=(Key(0, 0.0), Key(SECOND // 2, end))) for name, end in keys.items())
    lamp = replace(lamp, layers=(replace(lamp.layers[0], tracks=tracks),))
    with the_window.begun(Document(actors=(lamp,), play=Span(start=0, end=SECOND))) as open_stage:
        open_stage.session.select([Item("lamp", "head")])
        yield open_stage


def test_time_between_two_keys_is_filled_with_the_motion_of_least_effort_and_undone(opened: Stage) -> None:
    go_to(opened, 0.25)
    before = opened.session.document
    document = do(opened, "spacetime.fill_between")
    lamp = document.actor("lamp")
    assert len(lamp.layers) == 2
    assert lamp.layers[1].span == Span(start=0, end=SECOND // 2)
    assert lamp.part(Spacetime) is None, "a plan of its own is not left behind"
    opened.session.undo()
    opened.until(lambda: opened.session.document is before)


def test_a_plan_between_two_keys_is_searched_compared_stopped_and_taken_away_by_menus(opened: Stage) -> None:
    current, actions = opened.session.of(CurrentSpacetime), opened.window.menus.actions
    go_to(opened, 0.25)
    panel = shown_panel(opened, "spacetime.show", SpacetimePanel)
    document = press(opened, panel.from_keys)
    plan = document.actor("lamp").part(Spacetime)
    assert plan is not None
    assert [each.name for each in plan.constraints] == ["Begin", "End"]
    assert plan.end == SECOND // 2
    for action in ("point_here", "velocity_here"):
        document = do(opened, f"spacetime.{action}")
        do(opened, "spacetime.remove_chosen")
    actions["spacetime.compare"].trigger()
    opened.until(lambda: current.running)
    found(opened)
    assert len(current.iterates) > 10
    assert current.minima[0].objective == min(each.objective for each in current.minima)
    panel.sections["search"].header.set_unfolded(True)
    fields = panel.fields["search"]
    assert isinstance(fields, SearchFields)
    opened.until(fields.iterate.isVisible)
    drag(fields.iterate, [opened.widget_at(fields.iterate, x, 0.5) for x in (0.5, 0.4, 0.2)])
    assert current.motion in current.iterates
    do(opened, "spacetime.keep")
    actions["spacetime.live"].trigger()
    assert not current.live
    actions["spacetime.live"].trigger()
    actions["spacetime.find"].trigger()
    opened.window.menus.refresh()
    actions["spacetime.stop"].trigger()
    assert not current.running
    document = do(opened, "spacetime.remove")
    assert document.actor("lamp").part(Spacetime) is None
    assert len(document.actor("lamp").layers) == 2, "what was kept stays"
    do(opened, "spacetime.plan_here")
    do(opened, "spacetime.plan_between")

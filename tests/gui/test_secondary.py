"""Secondary motion in the real window: switched on, dragged while it is seen, presets, windows, and the keyed ghost."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QWidget

from app.features.secondary.panel import SecondaryPanel
from app.session import Item
from app.session.actors import new_document
from engine.document import Document, Key, Secondary, Span
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.edits import edit
from engine.model import Bodies
from tests.one_window import OneWindow
from tests.stage import Stage, move

pytestmark = [pytest.mark.gui, pytest.mark.pixels]
ELBOW, SHOULDER, RATE = "elbow_left.flexion", "shoulder_left.flexion", (30, 1)
LAST, MIDDLE = frame_time(30, RATE), frame_time(12, RATE)


def waving() -> Document:
    """A human whose left arm is flung up and stops."""
    document = new_document()
    actor = document.actors[0]
    keys = {SHOULDER: ((0, 0.0), (frame_time(10, RATE), -1.6)), ELBOW: ((0, 0.1), (frame_time(10, RATE), 1.4))}
    made = tuple((name, Key(time, value)) for name, own in keys.items() for time, value in own)
    keyed = edit("set_keys", actor=actor.id, layer=actor.layers[-1].id, keys=made).apply(document)
    return replace(keyed, play=Span(start=0, end=LAST))


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(waving()) as open_stage:
        open_stage.session.select([Item(actor_of(open_stage))])
        go_to(open_stage, MIDDLE)
        yield open_stage


@pytest.fixture
def panel(opened: Stage) -> SecondaryPanel:
    opened.window.menus.actions["secondary.show"].trigger()
    found = opened.window.docks["secondary"].widget()
    assert isinstance(found, SecondaryPanel)
    opened.until(found.isVisible)
    opened.settle()
    return found


def actor_of(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def go_to(opened: Stage, time: int) -> None:
    opened.session.set_playhead(time)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
    opened.settle()


def click(widget: QWidget) -> None:
    place = QPoint(8, widget.height() // 2) if isinstance(widget, QCheckBox) else widget.rect().center()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)


def changed(opened: Stage, before: Document) -> Document:
    opened.until(lambda: opened.session.document is not before and opened.session.at_rest)
    opened.settle()
    return opened.session.document


def switched_on(opened: Stage, panel: SecondaryPanel) -> Document:
    before = opened.session.document
    click(panel.on)
    return changed(opened, before)


def secondary(document: Document) -> Secondary:
    found = document.actors[0].secondary
    assert found is not None
    return found


def bodies(opened: Stage) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    assert opened.snapshot is not None
    return opened.snapshot.bodies[0].transforms


def ghosts(opened: Stage) -> tuple[Bodies, ...]:
    assert opened.snapshot is not None
    return opened.snapshot.ghosts


def pixels(opened: Stage) -> bytes:
    """The viewport, without panels."""
    opened.draw()
    corner = opened.view.mapTo(opened.window, QPoint(0, 0))
    image = opened.grab().copy(QRect(corner, opened.view.size()))  # which has to outlive its bits
    return bytes(image.constBits())


def test_switched_on_the_body_trails_and_off_it_is_where_its_keys_are(opened: Stage, panel: SecondaryPanel) -> None:
    keyed, before = bodies(opened).copy(), opened.session.document
    switched_on(opened, panel)
    assert np.abs(bodies(opened) - keyed).max() > 0.01
    opened.session.undo()
    opened.settle()
    assert opened.session.document is before
    assert np.array_equal(bodies(opened), keyed)
    opened.window.menus.actions["secondary.toggle"].trigger()
    opened.settle()
    assert panel.on.isChecked()


def test_a_slider_is_live_under_the_hand_and_one_undo_takes_it_back(opened: Stage, panel: SecondaryPanel) -> None:
    on = switched_on(opened, panel)
    first, slider = bodies(opened).copy(), panel.gains[False].numbers.fields["tension"]
    seen = []
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=opened.widget_at(slider, 0.7, 0.5))
    for share in (0.6, 0.5, 0.45):
        shown = opened.session.shown
        move(slider, opened.widget_at(slider, share, 0.5))
        opened.until(lambda shown=shown: opened.session.shown is not shown)  # type: ignore[misc]
        opened.settle()
        seen.append(bodies(opened).copy())
    assert opened.session.document is on
    ways = [float(np.abs(one - first).max()) for one in seen]
    assert ways == sorted(ways)
    assert ways[0] > 1e-4
    assert slider.value < 4.0
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=opened.widget_at(slider, 0.45, 0.5))
    after = changed(opened, on)
    assert secondary(after).gains.tension == pytest.approx(slider.value)
    opened.session.undo()
    opened.settle()
    assert opened.session.document is on
    assert np.array_equal(bodies(opened), first)


def test_a_slider_is_dragged_while_it_plays(opened: Stage, panel: SecondaryPanel) -> None:
    switched_on(opened, panel)
    slider, session = panel.gains[False].numbers.fields["damping"], opened.session
    session.play()
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=opened.widget_at(slider, 0.3, 0.5))
    move(slider, opened.widget_at(slider, 0.4, 0.5))
    move(slider, opened.widget_at(slider, 0.2, 0.5))
    opened.until(lambda: session.shown is not session.document)
    assert session.player.playing
    times = {session.playhead}

    def goes_on() -> bool:
        """pictures of several times of what is dragged"""
        snapshot = opened.snapshot
        if snapshot is not None and snapshot.document is session.shown:
            times.add(snapshot.time)
        return len(times) > 4

    opened.until(goes_on)
    before = session.document
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=opened.widget_at(slider, 0.2, 0.5))
    opened.until(lambda: session.document is not before and session.at_rest)
    session.player.pause()


def test_presets_make_an_arm_tired_and_all_of_it_tense(opened: Stage, panel: SecondaryPanel) -> None:
    on = switched_on(opened, panel)
    usual = bodies(opened).copy()
    opened.session.select([Item(actor_of(opened), "elbow_left")])
    opened.settle()
    click(panel.gains[True].presets["tired"])
    tired = changed(opened, on)
    assert [each.joint for each in secondary(tired).own] == ["elbow_left"]
    assert np.abs(bodies(opened) - usual).max() > 1e-3
    opened.session.select([Item(actor_of(opened))])
    for preset in ("relaxed", "tense", "tired"):
        before = opened.session.document
        opened.window.menus.actions[f"secondary.{preset}"].trigger()
        after = changed(opened, before)
        assert len(secondary(after).own) > 10
        assert opened.session.history.entries[-1].label == f"Make Human {preset}"


def test_a_window_is_suggested_seen_and_taken(opened: Stage, panel: SecondaryPanel) -> None:
    on = switched_on(opened, panel)
    panel.sections["window"].header.set_unfolded(True)
    fields = panel.window_fields
    assert fields is not None
    opened.until(lambda: fields.plot.found is not None)
    opened.session.select([Item(actor_of(opened), "elbow_left")])
    every = fields.plot.found
    opened.until(lambda: fields.plot.found is not every)
    assert "elbow" in fields.about.text()
    click(fields.suggest)
    opened.until(lambda: fields.bound.isVisible() and fields.bound.take.isEnabled())
    assert opened.session.document is on
    assert fields.plot.found is not None
    assert fields.plot.found.sizes.max() > math.radians(1.0)
    click(fields.bound.take)
    after = changed(opened, on)
    assert secondary(after).window / TICKS_PER_SECOND == pytest.approx(fields.bound.seconds, abs=1e-6)
    opened.session.undo()
    opened.settle()
    assert opened.session.document is on


def test_view_show_keyed_draws_the_keyed_figure_as_a_ghost(opened: Stage, panel: SecondaryPanel) -> None:
    assert ghosts(opened) == ()
    keyed = bodies(opened).copy()
    switched_on(opened, panel)
    opened.session.do(edit("set_gains", actor=actor_of(opened), tension=1.0))
    opened.settle()
    (ghost,) = ghosts(opened)
    assert np.array_equal(ghost.transforms, keyed)
    with_ghost = pixels(opened)
    opened.window.menus.actions["view.show_keyed"].trigger()
    opened.until(lambda: ghosts(opened) == ())
    without = pixels(opened)
    assert with_ghost != without
    assert not panel.ghost.isChecked()
    click(panel.ghost)
    opened.until(lambda: len(ghosts(opened)) == 1)
    assert pixels(opened) == with_ghost
    assert opened.window.preferences.show_keyed


def test_contact_is_a_check_box_that_is_seen_and_says_where_the_past_would_matter(
    opened: Stage, panel: SecondaryPanel
) -> None:
    """The human sinks into the floor by 2 cm; its knees bend where it may touch that."""
    session, actor = opened.session, opened.session.document.actors[0]
    session.do(edit("set_pose", actor=actor.id, layer=actor.layers[-1].id, values=(("pelvis.move_y", -0.02),)))
    on = switched_on(opened, panel)
    panel.sections["window"].header.set_unfolded(True)
    fields = panel.window_fields
    assert fields is not None
    assert not fields.held.isVisible()
    index = actor.figure.joint_index["knee_left"]
    before = bodies(opened).copy()
    panel.area.ensureWidgetVisible(fields.form.fields["contact"])
    click(fields.form.fields["contact"])
    after = changed(opened, on)
    assert secondary(after).contact
    assert np.abs(bodies(opened)[index] - before[index]).max() > 0.03
    opened.until(fields.held.isVisible)
    assert "toes" in fields.held.text() or "ankle" in fields.held.text()
    assert "what came before" in fields.held.text()
    session.undo()
    opened.settle()
    assert session.document is on
    assert np.array_equal(bodies(opened), before)
    opened.until(lambda: not fields.held.isVisible())

"""Layers in the real window: dragged, renamed, weighed, timed, masked, merged, baked, removed while they play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu

from app.features.layers.panel import LayersPanel
from app.features.layers.row import RECEIVES, UPPERMOST, LayerRow
from app.session import Item
from app.session.actors import human
from engine.document import Blob, Document, Key, Layer, Samples, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.edits import edit
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui

ME, KNEE, ELBOW = "me", "knee_left.flexion", "elbow_left.flexion"
RATE = (30, 1)


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """A person with a pose, a bend of the knee as keys, and a capture of the elbow on top."""
    values = Blob([[0.3 + 0.01 * frame] for frame in range(31)])
    layers = (
        Layer(id="pose", values=((ELBOW, 0.2),)),
        Layer(id="bend", name="Bend", tracks=(Track(coordinate=KNEE, keys=(Key(0, 0.0), Key(SECOND, 1.0))),)),
        Layer(id="capture", name="Capture", samples=Samples(coordinates=(ELBOW,), values=values, rate=RATE)),
    )
    person = replace(human(Document()), id=ME, name="Me", layers=layers)
    with the_window.begun(Document(actors=(person,), rate=RATE)) as made:
        made.window.show_panel("layers")
        made.settle()
        yield made


def panel(opened: Stage) -> LayersPanel:
    found = opened.window.docks["layers"].findChild(LayersPanel)
    assert found is not None
    return found


def layers(opened: Stage) -> tuple[Layer, ...]:
    return opened.session.document.actor(ME).layers


def names(opened: Stage) -> list[str]:
    """From the top."""
    return [layer.name for layer in reversed(layers(opened))]


def row(opened: Stage, name: str) -> LayerRow:
    return next(each for each in panel(opened).rows if each.layer is not None and each.layer.name == name)


def do(opened: Stage, action: str) -> None:
    opened.window.menus.refresh()
    assert opened.window.menus.actions[action].isEnabled(), action
    opened.window.menus.actions[action].trigger()
    opened.until(lambda: opened.session.at_rest)


def seen(opened: Stage, time: int) -> tuple[float, float]:
    """Knee and elbow in the picture of a time."""
    opened.session.set_playhead(time)
    opened.settle()
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
    values = opened.session.posing.seen(ME)
    return values[KNEE], values[ELBOW]


def grip(of: LayerRow) -> QPoint:
    return of.name.geometry().center()


def choose(opened: Stage, name: str) -> None:
    QTest.mouseClick(row(opened, name), Qt.MouseButton.LeftButton, pos=grip(row(opened, name)))


def test_a_layer_is_dragged_to_another_place_and_escape_leaves_it(opened: Stage) -> None:
    before = opened.session.document
    held, under = row(opened, "Capture"), row(opened, "Pose")
    start = grip(held)
    way = held.mapFromGlobal(under.mapToGlobal(QPoint(0, under.height() - 3))).y() - start.y()
    drag(held, [start, start + QPoint(0, way // 2), start + QPoint(0, way)])
    assert names(opened) == ["Bend", "Pose", "Capture"]
    opened.session.undo()
    assert opened.session.document is before
    held = row(opened, "Capture")
    QTest.mousePress(held, Qt.MouseButton.LeftButton, pos=grip(held))
    move(held, grip(held) + QPoint(0, way))
    assert panel(opened).list._line.isVisible()
    QTest.keyClick(held, Qt.Key.Key_Escape)
    QTest.mouseRelease(held, Qt.MouseButton.LeftButton, pos=grip(held) + QPoint(0, way))
    assert opened.session.document is before
    assert not panel(opened).list._line.isVisible()


def test_a_double_click_renames_and_escape_leaves_the_name(opened: Stage) -> None:
    for name, ending in (("Knees", Qt.Key.Key_Return), ("Nothing", Qt.Key.Key_Escape)):
        of = panel(opened).rows[1]
        QTest.mouseDClick(of, Qt.MouseButton.LeftButton, pos=grip(of))
        editor = of.findChild(QLineEdit)
        assert editor is not None
        QTest.keyClicks(editor, name)
        QTest.keyClick(editor, ending)
        opened.settle()
        assert names(opened) == ["Capture", "Knees", "Pose"]


def test_a_weight_is_dragged_as_one_entry_and_seen_meanwhile(opened: Stage) -> None:
    entries = len(opened.session.history.entries)
    slider = row(opened, "Bend").weight
    knee = seen(opened, SECOND)[0]
    drag(slider, [opened.widget_at(slider, share, 0.5) for share in (0.9, 0.7, 0.5, 0.4)])
    opened.until(lambda: opened.session.at_rest)
    weight = layers(opened)[1].weight
    assert 0.2 < weight < 0.8
    assert seen(opened, SECOND)[0] == pytest.approx(weight * knee)
    assert len(opened.session.history.entries) == entries + 1


def test_keys_go_to_the_layer_whose_key_is_lit(opened: Stage) -> None:
    QTest.mouseClick(row(opened, "Bend").receives, Qt.MouseButton.LeftButton)
    assert opened.session.document.actor(ME).receiver == "bend"
    assert [each.receives.isChecked() for each in panel(opened).rows] == [False, True, False]
    assert row(opened, "Bend").receives.toolTip() == RECEIVES
    opened.session.select([Item(ME, "knee_left")])
    opened.session.set_playhead(frame_time(15, RATE))
    opened.settle()
    before = opened.session.document
    QTest.keyClick(opened.view.focusWidget() or opened.window, Qt.Key.Key_S, Qt.KeyboardModifier.ShiftModifier)
    opened.until(lambda: opened.session.document is not before)
    assert len(layers(opened)[1].track_of[KNEE].keys) == 3
    choose(opened, "Bend")
    do(opened, "layer.receive")
    assert opened.session.document.actor(ME).receiver is None
    assert [each.receives.isChecked() for each in panel(opened).rows] == [True, False, False]
    assert row(opened, "Capture").receives.toolTip() == UPPERMOST


def test_what_a_frozen_figure_refuses_is_not_shown_as_done(opened: Stage) -> None:
    opened.session.do(edit("freeze_actor", actor=ME, frozen=True))
    choose(opened, "Bend")
    before, shown, fields = opened.session.document, row(opened, "Bend"), panel(opened).fields
    QTest.mouseClick(shown.alone, Qt.MouseButton.LeftButton)
    for box in (shown.mode, fields.when):
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert opened.session.document is before
    assert (shown.alone.isChecked(), shown.mode.currentData(), fields.when.currentData()) == (False, "replace", False)


def test_a_layer_counts_for_a_time_with_ease(opened: Stage) -> None:
    choose(opened, "Bend")
    fields = panel(opened).fields
    fields.when.setFocus()
    QTest.keyClick(fields.when, Qt.Key.Key_Down)
    opened.settle()
    span = layers(opened)[1].span
    assert span is not None
    assert (span.start, span.end) == (0, SECOND)
    ease = fields.ends.fields["ease_out"]
    ease.setFocus()
    QTest.keyClicks(ease, "9")
    QTest.keyClick(opened.window.focusWidget(), Qt.Key.Key_Return)
    opened.until(lambda: layers(opened)[1].span.ease_out == SECOND)  # type: ignore[union-attr]
    assert seen(opened, SECOND)[0] == pytest.approx(0.0)
    QTest.keyClick(fields.when, Qt.Key.Key_Up)
    opened.settle()
    assert layers(opened)[1].span is None


def test_a_mask_is_made_of_the_selected_joints(opened: Stage) -> None:
    choose(opened, "Capture")
    fields = panel(opened).fields
    assert not fields.only.isEnabled()
    opened.session.select([Item(ME, "knee_left"), Item(ME, "ankle_left")])
    opened.settle()
    QTest.mouseClick(fields.only, Qt.MouseButton.LeftButton)
    assert layers(opened)[2].mask is not None
    assert seen(opened, SECOND)[1] == pytest.approx(0.2)  # the capture of the elbow no longer counts
    assert "Left" in fields.touches.text
    do(opened, "layer.mask_none")
    assert layers(opened)[2].mask is None
    do(opened, "layer.mask_selected")
    assert layers(opened)[2].mask is not None


def test_layers_are_changed_by_the_menu_each_by_one_entry(opened: Stage) -> None:
    before = opened.session.document
    do(opened, "layer.add")
    assert names(opened) == ["Layer 4", "Capture", "Bend", "Pose"]
    choose(opened, "Bend")
    for action in ("layer.duplicate", "layer.up", "layer.mute", "layer.solo", "layer.adds"):
        do(opened, action)
    assert names(opened) == ["Layer 4", "Bend copy", "Capture", "Bend", "Pose"]
    copy = layers(opened)[3]
    assert (copy.mute, copy.solo, copy.mode) == (True, True, "add")
    do(opened, "layer.down")
    do(opened, "layer.rename")
    editor = row(opened, "Bend copy").findChild(QLineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "Other")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert names(opened) == ["Layer 4", "Capture", "Other", "Bend", "Pose"]
    do(opened, "layer.remove")
    assert names(opened) == ["Layer 4", "Capture", "Bend", "Pose"]
    for _ in range(9):
        opened.session.undo()
    assert opened.session.document is before


def test_the_right_button_offers_what_can_be_done_with_a_layer(opened: Stage) -> None:
    of = row(opened, "Capture")
    QTest.mouseClick(panel(opened).more, Qt.MouseButton.LeftButton)
    menu = next(each for each in panel(opened).findChildren(QMenu) if each.isVisible())
    labels = [action.text() for action in menu.actions() if action.text()]
    assert "Convert samples to keys" in labels
    assert "Make active layer" in labels
    assert "Pin position" not in labels
    menu.close()
    assert of.layer is not None


@pytest.mark.parametrize("action", ["layer.merge", "layer.bake"])
def test_merged_and_baked_layers_look_the_same(opened: Stage, action: str) -> None:
    before, times = opened.session.document, [frame_time(frame, RATE) for frame in (0, 11, 30)]
    pictures = [angle for time in times for angle in seen(opened, time)]
    choose(opened, "Capture")
    do(opened, action)
    opened.settle()
    assert names(opened) == (["Bend", "Pose"] if action == "layer.merge" else ["Baked"])
    assert opened.session.layering.layer is layers(opened)[-1], "what was made is worked on"
    assert [angle for time in times for angle in seen(opened, time)] == pytest.approx(pictures)
    opened.session.undo()
    assert opened.session.document is before


def test_make_it_mine_turns_samples_into_few_keys(opened: Stage) -> None:
    choose(opened, "Capture")
    picture = seen(opened, frame_time(11, RATE))
    QTest.mouseClick(panel(opened).fields.keys, Qt.MouseButton.LeftButton)
    opened.until(lambda: layers(opened)[2].samples is None)
    assert len(layers(opened)[2].track_of[ELBOW].keys) < 6
    assert seen(opened, frame_time(11, RATE)) == pytest.approx(picture, abs=0.01)
    opened.session.undo()
    do(opened, "layer.make_keys")
    assert layers(opened)[2].samples is None


def test_the_layers_that_play_are_deleted_with_a_message_and_come_back(opened: Stage) -> None:
    before = opened.session.document
    opened.session.play()
    opened.until(lambda: opened.session.playhead > 0)
    for name in ("Capture", "Bend", "Pose"):
        choose(opened, name)
        of = row(opened, name)
        of.setFocus()
        QTest.keyClick(of, Qt.Key.Key_Delete)
        opened.until(lambda gone=name: gone not in names(opened))  # type: ignore[misc]
        assert any(name in entry.text and "brings" in entry.text for entry in opened.session.log)
    assert layers(opened) == ()
    opened.settle()
    opened.session.player.pause()
    for _ in range(3):
        opened.session.undo()
    assert opened.session.document is before


def test_a_layer_that_is_dragged_while_it_goes_moves_nothing(opened: Stage) -> None:
    held = row(opened, "Capture")
    QTest.mousePress(held, Qt.MouseButton.LeftButton, pos=grip(held))
    move(held, grip(held) + QPoint(0, 40))
    opened.session.do(edit("remove_actor", actor=ME))
    move(held, grip(held) + QPoint(0, 60))
    QTest.mouseRelease(held, Qt.MouseButton.LeftButton, pos=grip(held) + QPoint(0, 60))
    opened.settle()
    assert opened.session.document.actors == ()

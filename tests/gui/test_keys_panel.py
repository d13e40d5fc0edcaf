"""The Keys panel with real mouse and keys: breakdowns live, ranges and clean-ups seen before they are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.features.keys.cleaning import Cleaning
from app.features.keys.panel import KeysPanel
from app.session import Item
from app.session.actors import new_document
from app.style.number_field import NumberField
from app.style.value_slider import ValueSlider
from engine.document import Blob, Document, Key, Samples, Span, Track
from engine.document.motion import frame_time
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui
ELBOW, KNEE, FORWARD = "elbow_left.flexion", "knee_left.flexion", "pelvis.move_z"
RATE = (30, 1)
LAST, MIDDLE = frame_time(30, RATE), frame_time(15, RATE)


def keyed() -> Document:
    """A human whose elbow and knee have keys at frames 0 and 30, the elbow alone at frame 15."""
    document = new_document()
    actor = document.actors[0]
    keys = {ELBOW: ((0, 0.2), (MIDDLE, 0.9), (LAST, 1.0)), KNEE: ((0, 0.1), (LAST, 0.5))}
    made = tuple((name, Key(time, value)) for name, own in keys.items() for time, value in own)
    keyed = edit("set_keys", actor=actor.id, layer=actor.layers[-1].id, keys=made).apply(document)
    return replace(keyed, play=Span(start=0, end=LAST))


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(keyed()) as open_stage:
        open_stage.session.select([Item(open_stage.session.document.actors[0].id)])
        yield open_stage


@pytest.fixture
def panel(opened: Stage) -> KeysPanel:
    return open_group(opened, "keys.range")


def open_group(opened: Stage, action: str) -> KeysPanel:
    opened.window.menus.actions[action].trigger()
    found = opened.window.docks["keys"].widget()
    assert isinstance(found, KeysPanel)
    opened.until(found.isVisible)
    opened.settle()
    return found


def tracks(document: Document) -> dict[str, Track]:
    return document.actors[0].layers[-1].track_of


def seen(opened: Stage, coordinate: str) -> float:
    return opened.session.posing.seen(opened.session.document.actors[0].id)[coordinate]


def changed(opened: Stage, before: Document) -> Document:
    opened.until(lambda: opened.session.document is not before and opened.session.at_rest)
    opened.settle()
    return opened.session.document


def previewed(opened: Stage, panel: KeysPanel) -> Document:
    """The document that is shown and not kept."""
    opened.until(lambda: opened.session.shown is not opened.session.document)
    opened.settle()
    return opened.session.shown


def click(widget: QWidget) -> None:
    place = QPoint(10, widget.height() // 2) if isinstance(widget, QCheckBox) else widget.rect().center()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)


def choose(box: QComboBox, text: str) -> None:
    """By its keys, as a person who has it open."""
    box.setFocus()
    way = box.findText(text) - box.currentIndex()
    for _ in range(abs(way)):
        QTest.keyClick(box, Qt.Key.Key_Down if way > 0 else Qt.Key.Key_Up)
    assert box.currentText() == text


def type_into(slider: ValueSlider, text: str) -> None:
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Return)
    field = slider.findChild(NumberField)
    assert field is not None
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def go_to(opened: Stage, time: int) -> None:
    opened.session.set_playhead(time)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
    opened.settle()


def test_a_breakdown_is_live_under_the_hand_and_one_entry(opened: Stage, panel: KeysPanel) -> None:
    go_to(opened, MIDDLE)
    before, slider = opened.session.document, panel.breakdowns.sliders["between"]
    assert "all of" in panel.breakdowns.about.text()
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=opened.widget_at(slider, 0.3, 0.5))
    for share in (0.4, 0.5):
        move(slider, opened.widget_at(slider, share, 0.5))
    opened.until(lambda: opened.session.shown is not before)
    opened.settle()
    assert slider.value > 0.55
    assert seen(opened, ELBOW) == pytest.approx(0.2 + slider.value * 0.8, abs=1e-9)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=opened.widget_at(slider, 0.5, 0.5))
    after = changed(opened, before)
    assert [key.time for key in tracks(after)[KNEE].keys] == [0, MIDDLE, LAST]
    assert len(opened.session.history.entries) == 2
    assert opened.session.history.entries[-1].label == f"Breakdown {100.0 * slider.value:.0f} %"
    opened.session.undo()
    assert opened.session.document is before


def test_a_breakdown_overshoots_by_a_typed_number_and_goes_towards_rest_and_even(
    opened: Stage, panel: KeysPanel
) -> None:
    go_to(opened, MIDDLE)
    before, sliders = opened.session.document, panel.breakdowns.sliders
    type_into(sliders["between"], "150")
    over = changed(opened, before)
    assert tracks(over)[ELBOW].keys[1].value == pytest.approx(1.4, abs=1e-12)
    type_into(sliders["even"], "100")
    even = changed(opened, over)
    assert tracks(even)[ELBOW].keys[1].value == pytest.approx(0.6, abs=1e-12)
    assert sliders["even"].value == 0.0
    type_into(sliders["rest"], "50")
    rest = changed(opened, even)
    assert tracks(rest)[ELBOW].keys[1].value == pytest.approx(0.3, abs=1e-12)
    opened.session.select([Item(before.actors[0].id, "elbow_left")])
    assert sliders["between"].value == 0.5
    type_into(sliders["between"], "50")
    halfway = changed(opened, rest)
    assert tracks(halfway)[ELBOW].keys[1].value == pytest.approx(0.6, abs=1e-12)
    opened.session.undo()
    opened.session.select([Item(before.actors[0].id)])
    go_to(opened, 0)
    assert sliders["between"].value == 0.5
    type_into(sliders["between"], "20")
    opened.until_told("stands before and after this time")
    assert opened.session.document is rest


def test_a_range_is_seen_at_any_time_before_it_is_kept_and_cancel_restores(opened: Stage, panel: KeysPanel) -> None:
    go_to(opened, 0)
    before, ranges = opened.session.document, panel.ranges
    choose(ranges.deed, "Reverse")
    shown = previewed(opened, panel)
    assert opened.session.document is before
    assert seen(opened, ELBOW) == pytest.approx(1.0, abs=1e-9)
    assert "A preview" in ranges.keeping.said.text()
    go_to(opened, LAST)
    assert opened.session.shown is shown
    assert seen(opened, ELBOW) == pytest.approx(0.2, abs=1e-9)
    click(ranges.keeping.cancel)
    opened.until(lambda: opened.session.shown is before)
    opened.settle()
    assert seen(opened, ELBOW) == pytest.approx(1.0, abs=1e-9)
    click(ranges.keeping.apply)
    after = changed(opened, before)
    assert opened.session.history.entries[-1].label == "Reverse range"
    assert [key.value for key in tracks(after)[ELBOW].keys] == pytest.approx([1.0, 0.9, 0.2])
    opened.session.undo()
    assert opened.session.document is before


def test_a_preview_plays_and_whatever_else_is_done_takes_it_away(opened: Stage, panel: KeysPanel) -> None:
    opened.session.do(edit("rename_actor", actor=opened.session.document.actors[0].id, name="Anybody"))
    before, ranges = opened.session.document, panel.ranges
    choose(ranges.deed, "Reverse")
    shown = previewed(opened, panel)
    opened.session.play()
    times: set[int] = set()

    def several() -> bool:
        """pictures of the preview at several times"""
        assert opened.snapshot is not None
        if opened.snapshot.document is shown:
            times.add(opened.snapshot.time)
        return len(times) > 3

    opened.until(several)
    opened.session.play()
    assert opened.session.document is before
    QTest.keyClick(opened.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    opened.until(lambda: opened.session.shown is before)
    assert not ranges.trial.open
    choose(ranges.deed, "Loop")
    choose(ranges.deed, "Reverse")
    previewed(opened, panel)
    actor = before.actors[0]
    opened.session.do(edit("rename_actor", actor=actor.id, name="Somebody"))
    assert opened.session.document.actors[0].name == "Somebody"
    assert not ranges.trial.open
    assert not ranges.keeping.cancel.isEnabled()


def test_esc_in_the_panel_takes_the_preview_away(opened: Stage, panel: KeysPanel) -> None:
    before = opened.session.document
    choose(panel.ranges.deed, "Mirror")
    previewed(opened, panel)
    QTest.keyClick(panel.ranges.deed, Qt.Key.Key_Escape)
    opened.until(lambda: opened.session.shown is before)
    assert not panel.ranges.trial.open


def test_a_range_of_one_joint_is_stretched_and_slid_and_others_stay(opened: Stage, panel: KeysPanel) -> None:
    actor = opened.session.document.actors[0].id
    opened.session.select([Item(actor, "elbow_left")])
    before, ranges = opened.session.document, panel.ranges
    type_into(ranges.length, "200")
    click(ranges.keeping.apply)
    longer = changed(opened, before)
    assert [key.time for key in tracks(longer)[ELBOW].keys] == [0, LAST, 2 * LAST]
    assert tracks(longer)[KNEE] is tracks(before)[KNEE]
    assert longer.play == Span(start=0, end=2 * LAST)
    choose(ranges.deed, "Slide")
    drag(ranges.by, [opened.widget_at(ranges.by, 0.3, 0.5), opened.widget_at(ranges.by, 0.36, 0.5)])
    frames = round(ranges.by.value)
    assert frames > 0
    click(ranges.keeping.apply)
    slid = changed(opened, longer)
    assert tracks(slid)[ELBOW].keys[-1].time == frame_time(60 + frames, RATE)
    assert opened.session.history.entries[-1].label == f"Slide range by {frames} frames"


def test_left_and_right_are_exchanged_over_the_range(opened: Stage, panel: KeysPanel) -> None:
    opened.session.select([Item(opened.session.document.actors[0].id, "elbow_left")])
    before, ranges = opened.session.document, panel.ranges
    choose(ranges.deed, "Mirror")
    click(ranges.keeping.apply)
    after = changed(opened, before)
    right = tracks(after)["elbow_right.flexion"]
    assert [key.value for key in right.keys] == pytest.approx([0.2, 0.9, 1.0])
    assert tracks(after)[KNEE] is tracks(before)[KNEE]


def test_a_gap_of_a_capture_is_filled(the_window: OneWindow) -> None:
    with the_window.begun(captured()) as opened:
        opened.session.select([Item(opened.session.document.actors[0].id)])
        ranges, before = open_group(opened, "keys.range").ranges, opened.session.document
        type_into(ranges.start, "39")
        type_into(ranges.end, "42")
        choose(ranges.deed, "Fill")
        click(ranges.keeping.apply)
        samples = changed(opened, before).actors[0].layers[0].samples
        assert samples is not None
        assert samples.values.array[40, 0] == pytest.approx(0.8 + 0.6 * np.sin(2.0 * 40 / 30.0), abs=0.01)


def test_an_empty_range_is_refused_with_a_message_and_apply_waits(opened: Stage, panel: KeysPanel) -> None:
    before, ranges = opened.session.document, panel.ranges
    choose(ranges.deed, "Reverse")
    previewed(opened, panel)
    type_into(ranges.end, "0")
    opened.until(lambda: opened.session.shown is before)
    assert "empty" in ranges.keeping.said.text()
    assert not ranges.keeping.apply.isEnabled()
    click(ranges.whole)
    assert ranges.keeping.apply.isEnabled()
    assert (ranges.start.value, ranges.end.value) == (0.0, 30.0)
    opened.draw()
    type_into(ranges.end, "1e300")
    assert "To is 1e+300, which is too far" in ranges.keeping.said.text()
    assert not ranges.keeping.apply.isEnabled()
    click(ranges.whole)
    opened.session.select([Item(before.actors[0].id, "head")])
    assert "no keys to work on" in ranges.keeping.said.text()


def walking() -> Document:
    """One cycle of a walk: 30 frames in which the pelvis goes on by 1.2 m and legs swing to and fro."""
    document = new_document()
    actor = document.actors[0]
    swing = {"hip_left.flexion": 0.4, "hip_right.flexion": -0.4}
    keys = [(FORWARD, Key(time, value, "linear")) for time, value in ((0, 0.0), (LAST, 1.2))]
    for name, reach in swing.items():
        keys += [
            (name, Key(frame_time(frame, RATE), reach * float(np.cos(2 * np.pi * frame / 30))))
            for frame in range(0, 31, 5)
        ]
    return edit("set_keys", actor=actor.id, layer=actor.layers[-1].id, keys=tuple(keys)).apply(document)


def test_a_walk_is_cycled_with_offset_and_goes_on_forwards_without_a_jump(the_window: OneWindow) -> None:
    with the_window.begun(walking()) as opened:
        actor = opened.session.document.actors[0]
        opened.session.select([Item(actor.id)])
        ranges, before = open_group(opened, "keys.range").ranges, opened.session.document
        choose(ranges.deed, "Loop")
        type_into(ranges.count, "4")
        assert ranges.goes_on.currentText() == "The root goes on"
        previewed(opened, opened.window.docks["keys"].widget())  # type: ignore[arg-type]
        click(ranges.keeping.apply)
        changed(opened, before)
        assert opened.session.history.entries[-1].label == "Loop range 4 times"
        names = (FORWARD, "hip_left.flexion", "hip_right.flexion")
        times = [frame_time(frame, RATE) for frame in range(0, 121, 2)]
        columns = [actor.figure.coordinate_index[name] for name in names]
        rows = Evaluator().coordinates(opened.session.document, actor.id, times)[:, columns]
        go_to(opened, frame_time(60, RATE))
        assert [seen(opened, name) for name in names] == pytest.approx(rows[30], abs=1e-9)
        steps = np.diff(rows, axis=0)
        own = np.abs(steps[:15]).max(axis=0)
        assert rows[-1][0] == pytest.approx(4.8, abs=1e-9)
        assert steps[:, 0].min() > 0.0
        assert (np.abs(steps) <= own + 1e-9).all()


def captured() -> Document:
    """A human of which three seconds of elbow and knee were captured, with a spike and a shake."""
    document = new_document()
    actor = document.actors[0]
    time = np.arange(91) / 30.0
    values = np.stack((0.8 + 0.6 * np.sin(2.0 * time), 0.5 + 0.4 * np.cos(3.0 * time)), axis=1)
    values[40, 0] += 0.5
    samples = Samples(coordinates=(ELBOW, KNEE), values=Blob(values), rate=RATE)
    return document.with_actor(replace(actor, layers=(replace(actor.layers[0], samples=samples),)))


def test_a_capture_is_cleaned_and_reduced_and_told_by_how_much_it_is_off(the_window: OneWindow) -> None:
    with the_window.begun(captured()) as opened:
        opened.session.select([Item(opened.session.document.actors[0].id)])
        cleaning, before = open_group(opened, "keys.clean_up").cleaning, opened.session.document
        assert isinstance(cleaning, Cleaning)
        assert not cleaning.keeping.apply.isEnabled()
        click(cleaning.few)
        previewed(opened, opened.window.docks["keys"].widget())  # type: ignore[arg-type]
        opened.until(lambda: "→" in cleaning.numbers.text())
        many = count_of(cleaning)
        assert cleaning.numbers.text().startswith("182 → ")
        assert "mm" in cleaning.place_error.text()
        drag(cleaning.angle, [opened.widget_at(cleaning.angle, share, 0.5) for share in (0.3, 0.35, 0.42)])
        opened.until(lambda: count_of(cleaning) < many)
        few = count_of(cleaning)
        assert float(cleaning.turn_error.text().removesuffix("°")) <= np.degrees(cleaning.angle.value) + 0.01
        click(cleaning.spikes)
        opened.until(lambda: "spike" in cleaning.numbers.text())
        assert opened.session.document is before
        click(cleaning.keeping.apply)
        after = changed(opened, before)
        layer = after.actors[0].layers[0]
        assert layer.samples is None
        assert sum(len(track.keys) for track in layer.tracks) <= few
        assert len(opened.session.history.entries) == 2
        assert opened.session.history.entries[-1].label.startswith("Take out spikes, reduce keys to ")
        opened.session.undo()
        assert opened.session.document is before


def count_of(cleaning: Cleaning) -> int:
    """Keys that the read-out promises."""
    return int(cleaning.numbers.text().partition("→ ")[2].partition(",")[0] or 0)


def rate_of(document: Document) -> int | None:
    """Frames a second of the first capture."""
    samples = document.actors[0].layers[0].samples
    return None if samples is None else samples.rate[0]


def test_a_capture_is_smoothed_and_cancel_restores(the_window: OneWindow) -> None:
    with the_window.begun(captured()) as opened:
        opened.session.select([Item(opened.session.document.actors[0].id)])
        cleaning, before = open_group(opened, "keys.clean_up").cleaning, opened.session.document
        assert isinstance(cleaning, Cleaning)
        click(cleaning.smooth)
        shown = previewed(opened, opened.window.docks["keys"].widget())  # type: ignore[arg-type]
        samples = shown.actors[0].layers[0].samples
        assert samples is not None
        assert abs(samples.values.array[40, 0] - before.actors[0].layers[0].samples.values.array[40, 0]) > 0.1  # type: ignore[union-attr]
        drag(cleaning.finer, [opened.widget_at(cleaning.finer, x, 0.5) for x in (0.02, 0.3, 0.55)])
        drag(cleaning.order, [opened.widget_at(cleaning.order, x, 0.5) for x in (0.15, 0.3, 0.45)])
        finer, order = round(cleaning.finer.value), round(cleaning.order.value)
        assert finer > 4
        assert order > 2
        old_rate = samples.rate[0]
        opened.until(lambda: rate_of(opened.session.shown) == finer * old_rate)  # as many times as many frames
        click(cleaning.keeping.cancel)
        opened.until(lambda: opened.session.shown is before)
        assert cleaning.numbers.text() == "–"
        click(cleaning.smooth)
        click(cleaning.smooth)
        previewed(opened, opened.window.docks["keys"].widget())  # type: ignore[arg-type]
        opened.session.select([Item(before.actors[0].id, "head")])
        opened.until(lambda: opened.session.shown is before)
        assert not cleaning.trial.open
        assert not cleaning.keeping.apply.isEnabled()


def test_contacts_of_both_ankles_are_found_and_locked(the_window: OneWindow) -> None:
    document = new_document()
    actor = document.actors[0]
    on = np.clip(np.arange(91) / 30.0 - 1.0, 0.0, 1.0)
    values = Blob(np.stack((0.3 * np.sin(np.pi * on) ** 2, 0.5 * on), axis=1))
    samples = Samples(coordinates=("pelvis.move_y", FORWARD), values=values, rate=RATE)
    hopping = document.with_actor(replace(actor, layers=(replace(actor.layers[0], samples=samples),)))
    with the_window.begun(hopping) as opened:
        panel, before = open_group(opened, "keys.clean_up"), opened.session.document
        panel.turn_to("Contacts")
        assert panel.planting is not None
        assert not panel.planting.seek.isEnabled()
        opened.session.select([Item(actor.id, "ankle_left"), Item(actor.id, "ankle_right")])
        click(panel.planting.seek)
        opened.until(lambda: "4 pins" in panel.planting.found.text())  # type: ignore[union-attr]
        assert opened.session.document is before
        click(panel.planting.keeping.apply)
        after = changed(opened, before)
        assert len(after.actors[0].locks) == 4
        assert opened.session.history.entries[-1].label == "Pin contacts"
        opened.session.undo()
        assert opened.session.document is before

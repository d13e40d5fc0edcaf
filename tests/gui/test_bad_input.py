"""Bad input of the timeline that no other file of this folder tries: no crash, no half edit, and something said.

Tried elsewhere: empty ranges and scaling to no length (`test_keys_panel`, `test_dope_sheet`), keys on keys
(`test_dope_sheet`, `test_curves`), nonsense that is typed (`test_curves`, `test_time`), another rate under keys
(`test_time`), and deleting what plays (`test_time`, `test_layers`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.layers.panel import LayersPanel
from app.session import Item
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from tests.beeps import beep, write_beep
from tests.gui.test_curves import act, at, keys_of, panel_of, select, tangent_end
from tests.gui.test_curves import keyed as curved
from tests.gui.test_files import drop
from tests.gui.test_keys_panel import (
    ELBOW,
    LAST,
    MIDDLE,
    RATE,
    changed,
    choose,
    click,
    keyed,
    open_group,
    previewed,
    tracks,
    type_into,
)
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged()


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    with window.anew(keyed()) as begun:
        begun.session.select([Item(begun.session.document.actors[0].id)])
        yield begun


def test_a_range_that_is_stretched_over_the_keys_after_it_takes_their_place(opened: Stage) -> None:
    before, panel = opened.session.document, open_group(opened, "keys.range")
    ranges = panel.ranges
    click(ranges.whole)
    choose(ranges.deed, "Stretch")
    type_into(ranges.end, "15")
    click(ranges.shifts)
    assert not ranges.shifts.isChecked()
    type_into(ranges.length, "150")
    previewed(opened, panel)
    click(ranges.keeping.apply)
    after = changed(opened, before)
    times = [key.time for key in tracks(after)[ELBOW].keys]
    assert times == sorted(set(times))
    assert MIDDLE * 3 // 2 in times
    last, was = tracks(after)[ELBOW].keys[-1], tracks(before)[ELBOW].keys[-1]
    assert (last.time, last.value) == (was.time, was.value), "what is behind it stays where it is"
    type_into(ranges.length, "200")
    click(ranges.keeping.apply)
    over = changed(opened, after)
    assert tracks(over)[ELBOW].keys[-1].time >= LAST
    assert over.play == before.play
    click(ranges.shifts)
    previewed(opened, panel)
    for _ in range(3):  # the first takes away what is shown
        opened.session.undo()
    assert opened.session.document is before


def test_a_range_that_slides_over_keys_and_beyond_the_start_of_time_keeps_them_in_order(opened: Stage) -> None:
    before, panel = opened.session.document, open_group(opened, "keys.range")
    ranges = panel.ranges
    click(ranges.whole)
    choose(ranges.deed, "Slide")
    type_into(ranges.start, "15")
    type_into(ranges.by, "-30")
    previewed(opened, panel)
    click(ranges.keeping.apply)
    after = changed(opened, before)
    times = [key.time for key in tracks(after)[ELBOW].keys]
    assert times == sorted(set(times))
    assert times[0] == frame_time(-15, RATE)
    opened.session.undo()
    assert opened.session.document is before


@pytest.mark.parametrize("way", [QPoint(0, -400), QPoint(0, 400), QPoint(-300, -300)])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_tangent_pulled_straight_up_down_or_back_stays_finite(window: Arranged, way: QPoint, weighted: bool) -> None:
    with window.anew(curved()) as opened:
        act(opened, "view.workspace_animate")
        act(opened, "curves.show")
        select(opened, ELBOW)
        graph = panel_of(opened).graph
        opened.until(lambda: bool(graph.curves.curves))
        graph.fit_all()
        if weighted:
            act(opened, "curves.weighted")
        before, key = opened.session.document, at(graph, SECOND, 1.5)
        QTest.mouseClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=key)
        end = tangent_end(graph, after=True)
        drag(graph.viewport(), [end, (end + key) / 2, key + way / 2, key + way])
        opened.until(lambda: graph.drag is None and opened.session.at_rest)
        if weighted:
            act(opened, "curves.weighted")
        bent = keys_of(opened)[1]
        numbers = (bent.value, bent.slope_in, bent.slope_out, bent.weight_in, bent.weight_out)
        assert np.isfinite(numbers).all()
        assert bent.slope_out != 0.0
        assert (bent.slope_out > 0.0) == (way.y() < 0), "it points where it was pulled to"
        assert len(opened.session.history.entries) == 2
        opened.settle()
        values = [opened.session.posing.seen(opened.session.document.actors[0].id)[ELBOW]]
        opened.session.set_playhead(3 * SECOND // 2)
        opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == 3 * SECOND // 2)
        values.append(opened.session.posing.seen(opened.session.document.actors[0].id)[ELBOW])
        assert np.isfinite(values).all()
        opened.session.undo()
        assert opened.session.document is before


@pytest.mark.parametrize("kind", ["half a file", "an empty file", "another file's name", "a file that has gone"])
def test_a_sound_that_cannot_be_read_says_what_to_do_and_leaves_the_one_there_is(
    opened: Stage, tmp_path: Path, kind: str
) -> None:
    drop(opened, write_beep(tmp_path / "good.wav"))
    opened.until(lambda: opened.session.document.sound is not None)
    before, path = opened.session.document, tmp_path / "bad.wav"
    if kind == "half a file":
        path.write_bytes(beep()[:30])
    elif kind == "an empty file":
        path.write_bytes(b"")
    elif kind == "another file's name":
        path.write_text("HIERARCHY\nROOT hips\n")
    errors = [entry for entry in opened.session.log if entry.kind == "error"]
    assert errors == []
    drop(opened, path)
    opened.until(lambda: any(entry.kind == "error" for entry in opened.session.log))
    said = next(entry.text for entry in opened.session.log if entry.kind == "error")
    assert "bad.wav" in said
    assert opened.session.document is before


def test_a_layer_that_ends_where_it_begins_counts_for_a_moment_and_is_not_refused(opened: Stage) -> None:
    opened.window.show_panel("layers")
    opened.settle()
    panel = opened.window.docks["layers"].findChild(LayersPanel)
    assert panel is not None
    fields = panel.fields
    fields.when.setFocus()
    QTest.keyClick(fields.when, Qt.Key.Key_Down)
    opened.settle()
    before = opened.session.document
    type_into(fields.ends.fields["end"], "0")
    after = changed(opened, before)
    span = after.actors[0].layers[-1].span
    assert span is not None
    assert span.start == 0 < span.end <= frame_time(1, RATE)
    opened.settle()
    opened.session.undo()
    assert opened.session.document is before

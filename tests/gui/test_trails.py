"""Trails and onion skins in the real window: switched on by the menu, and seen in its pixels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.scene.look import Look, rgb
from app.scene.panes import FRONT
from app.scene.trail_handles import handle_pixel
from app.session import Item
from app.shell.preferences_sheet import PreferencesSheet
from engine.document import Key, Layer
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.edits import edit
from engine.model.trails import TrailPicture
from tests.gui.test_scenery import choose, differs, picture, pixels
from tests.gui.test_window import canvas_of, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = [pytest.mark.gui, pytest.mark.pixels]
CTRL = Qt.KeyboardModifier.ControlModifier
SHOWN = (
    "show_trails", "show_onions", "times_of_all", "trail_short", "trail_frames", "onions_before", "onions_after",
    "onions_step", "onions_by",
)  # fmt: skip


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """A human that goes from left to right in a second, its pelvis selected."""
    with the_window.begun() as begun:
        session = begun.session
        human = session.document.actors[0]
        keys = tuple(("pelvis.move_x", Key(time * SECOND, 0.5 * (2 * time - 1))) for time in (0, 1))
        session.do(edit("set_keys", actor=human.id, layer=human.layers[-1].id, keys=keys))
        session.select([Item(human.id, "pelvis")])
        begun.until(lambda: session.reaching.ready)
        begun.settle()
        yield begun


def shown_trails(opened: Stage, time: int) -> TrailPicture:
    """What is shown of other times, once it is whole."""
    trails = opened.session.trails
    opened.until(lambda: trails.picture is not None and trails.picture.whole and trails.picture.time == time)
    assert trails.picture is not None
    return trails.picture


def of_hue(opened: Stage, colour: str) -> int:
    """How many pixels have a colour."""
    wanted = np.array(rgb(colour)) * 255
    return int((np.abs(pixels(picture(opened)) - wanted).max(axis=2) < 30).sum())


def test_view_show_trails_draws_the_path_of_what_is_selected(opened: Stage) -> None:
    look, session = Look(), opened.session
    theme = opened.window.theme
    past, future = theme.token("axis_z"), theme.token("warning")
    assert (look.past, look.future) == (look.axis_z, look.warning)
    before, was = picture(opened), (of_hue(opened, past), of_hue(opened, future))
    choose(opened, "view.show_trails")
    (trail,) = shown_trails(opened, 0).trails
    assert trail.part == "pelvis"
    assert len(trail.times) == 31
    assert differs(before, picture(opened)) > 0.0005
    assert of_hue(opened, future) > was[1] + 10
    session.set_playhead(SECOND)
    shown_trails(opened, SECOND)
    assert of_hue(opened, past) > was[0] + 10
    session.select(())
    opened.until(lambda: session.trails.picture is None)
    session.set_playhead(0)
    assert opened.window.preferences.show_trails
    choose(opened, "view.show_trails")
    opened.settle()
    assert of_hue(opened, past) <= was[0]


def test_view_show_onions_draws_two_hues_and_they_go_with_the_playhead(opened: Stage) -> None:
    session = opened.session
    rate = session.document.rate
    session.set_playhead(frame_time(15, rate))
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == frame_time(15, rate))
    before = pixels(picture(opened))
    choose(opened, "view.show_onions")
    onions = shown_trails(opened, frame_time(15, rate)).onions
    assert [each.time for each in onions] == [frame_time(frame, rate) for frame in (12, 18, 13, 17, 14, 16)]
    change = (pixels(picture(opened)) - before).astype(float)
    bluer, middle = change[:, :, 2] - change[:, :, 0], before.shape[1] // 2
    assert bluer[:, :middle].sum() > 0 > bluer[:, middle:].sum()
    session.set_playhead(frame_time(16, rate))
    assert {each.time for each in shown_trails(opened, frame_time(16, rate)).onions} == {
        frame_time(frame, rate) for frame in (13, 14, 15, 17, 18, 19)
    }
    choose(opened, "view.show_onions")
    assert session.trails.picture is None
    session.set_playhead(frame_time(15, rate))
    opened.settle()
    opened.until(lambda: np.abs(pixels(picture(opened)) - before).max() <= 12)


def seen_at(opened: Stage, place: object) -> QPoint:
    """Where a place is seen in the front view."""
    pane = opened.view.panes()[FRONT]
    where = np.array(place, dtype=float)
    x, y, _ = opened.view.cameras[FRONT].project(where, opened.view.size_of(FRONT)).tolist()
    return QPoint(round(pane.x + x), round(pane.y + y))


def handle_at(opened: Stage, number: int) -> QPoint:
    """Where a handle of a trail is seen in the front view."""
    pane, handle = opened.view.panes()[FRONT], opened.view.trail_grips.handles[number]
    seen = handle_pixel(handle, opened.view.cameras[FRONT], opened.view.size_of(FRONT))
    assert seen is not None
    return QPoint(round(pane.x + seen[0]), round(pane.y + seen[1]))


def with_trail(opened: Stage) -> TrailPicture:
    """The trail, switched on by the menu."""
    choose(opened, "view.show_trails")
    return shown_trails(opened, opened.session.playhead)


def path(start: QPoint, right: int, down: int) -> list[QPoint]:
    return [start + QPoint(right * step // 6, down * step // 6) for step in range(7)]


def test_a_key_on_a_trail_is_dragged_while_another_time_is_shown_and_a_click_goes_to_it(opened: Stage) -> None:
    session, before = opened.session, opened.session.document
    key = seen_at(opened, with_trail(opened).trails[0].points[-1])
    drag(canvas_of(opened), path(key, 40, 0))
    opened.until(lambda: session.document is not before)
    track = session.document.actors[0].layers[-1].track_of["pelvis.move_x"]
    assert [each.time for each in track.keys] == [0, SECOND]
    assert track.keys[0].value == -0.5
    assert track.keys[1].value > 0.55
    assert session.playhead == 0
    assert session.history.entries[-1].label == "Move key on trail of Pelvis"
    opened.until(lambda: session.trails.picture is not None and session.trails.picture.document is session.document)
    moved = shown_trails(opened, 0)
    assert moved.onions == (), "let go, the figure is no longer shown there"
    away = seen_at(opened, moved.trails[0].points[-1]) - key
    assert abs(away.x() - 40) <= 2
    assert abs(away.y()) <= 2
    press(opened, Qt.Key.Key_Z, CTRL)
    opened.until(lambda: session.document is before)
    opened.until(lambda: session.trails.picture is not None and session.trails.picture.document is before)
    shown_trails(opened, 0)
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, pos=key)
    opened.until(lambda: session.playhead == SECOND)
    assert session.document is before


def test_while_a_key_is_dragged_the_figure_is_seen_there_and_escape_leaves_it(opened: Stage) -> None:
    session, before = opened.session, opened.session.document
    key, canvas = seen_at(opened, with_trail(opened).trails[0].points[-1]), canvas_of(opened)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=key)
    for point in path(key, 40, 0)[1:]:
        move(canvas, point)

    def is_seen_there() -> bool:
        """the pelvis at the key, under the pointer"""
        shown = session.trails.picture
        if shown is None or not shown.onions or shown.document is before:
            return False
        (onion,) = shown.onions
        body = onion.bodies.transforms[onion.bodies.parts.index("pelvis")]
        spot = body[:, :3] @ np.array(shown.trails[0].point) + body[:, 3]
        away = seen_at(opened, spot) - key - QPoint(40, 0)
        return onion.time == SECOND and away.manhattanLength() <= 3

    opened.until(is_seen_there)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=key)
    opened.settle()
    assert session.document is before
    opened.until(lambda: session.trails.picture is not None and session.trails.picture.onions == ())


def test_hovering_tells_what_a_key_of_a_trail_does(opened: Stage) -> None:
    key = seen_at(opened, with_trail(opened).trails[0].points[-1])
    opened.draw()
    before = pixels(opened.view.grab_image())
    move(canvas_of(opened), key, held=False)
    opened.draw()
    told = "Key of Pelvis · drag to move it, Shift follows an axis, click to go there"
    assert opened.window.status.pointer.text == told
    around = (slice(key.y() - 8, key.y() + 9), slice(key.x() - 8, key.x() + 9))
    assert np.abs(pixels(opened.view.grab_image())[around] - before[around]).max() > 60, "a ring"
    move(canvas_of(opened), QPoint(5, 5), held=False)
    assert opened.window.status.pointer.text == ""


def test_a_key_of_a_layer_below_says_why_it_is_not_dragged(opened: Stage) -> None:
    session = opened.session
    human = session.document.actors[0]
    top = Layer(id="top", name="Top", mode="add")
    session.do(edit("add_layer", actor=human.id, layer=top))
    opened.settle()
    key, before = seen_at(opened, with_trail(opened).trails[0].points[-1]), session.document
    move(canvas_of(opened), key, held=False)
    assert "not dragged: it is no key of Top" in opened.window.status.pointer.text
    drag(canvas_of(opened), path(key, 40, 0))
    opened.settle()
    assert session.document is before
    assert "it is no key of Top, which a drag changes" in session.log[-1].text


def test_a_tangent_of_a_trail_is_dragged_and_its_curve_bends(opened: Stage) -> None:
    session = opened.session
    human = session.document.actors[0]
    middle = (("pelvis.move_x", Key(SECOND // 2, 0.1)), ("pelvis.move_y", Key(SECOND // 2, 0.0)))
    ends = tuple(("pelvis.move_y", Key(time, 0.0)) for time in (0, SECOND))
    session.do(edit("set_keys", actor=human.id, layer=human.layers[-1].id, keys=(*middle, *ends)))
    session.set_playhead(SECOND // 2)
    choose(opened, "view.show_trails")
    opened.until(lambda: bool(opened.view.trail_grips.handles))
    before, tangents = session.document, opened.view.trail_grips.handles
    assert [each.side for each in tangents] == ["in", "out"]
    handle = handle_at(opened, 1)
    move(canvas_of(opened), handle, held=False)
    assert opened.window.status.pointer.text.startswith("Tangent of Pelvis · drag to bend the trail, Ctrl bends")
    drag(canvas_of(opened), path(handle, 0, -30))
    opened.until(lambda: session.document is not before)
    assert session.history.entries[-1].label == "Bend trail of Pelvis"
    tracks = session.document.actors[0].layers[-1].track_of
    key = next(each for each in tracks["pelvis.move_y"].keys if each.time == SECOND // 2)
    assert key.tangent == "free"
    assert key.slope_in == pytest.approx(key.slope_out), "both sides went together"
    assert key.slope_out > 0.1
    once, trails = session.document, session.trails
    opened.until(lambda: trails.picture is not None and trails.picture.document is once and trails.picture.whole)
    away = handle_at(opened, 1) - handle
    assert (away - QPoint(0, -30)).manhattanLength() <= 3, "it stays under the pointer"
    drag(canvas_of(opened), path(handle_at(opened, 1), 0, 40), modifiers=CTRL)
    opened.until(lambda: session.document is not once)
    track = session.document.actors[0].layers[-1].track_of["pelvis.move_y"]
    key = next(each for each in track.keys if each.time == SECOND // 2)
    assert key.slope_in > 0.1 > key.slope_out


def test_a_trail_is_dragged_while_the_motion_plays(opened: Stage) -> None:
    session, before = opened.session, opened.session.document
    key = seen_at(opened, with_trail(opened).trails[0].points[-1])
    session.play()
    opened.until(lambda: session.playhead > 0)
    drag(canvas_of(opened), path(key, 40, 0))
    opened.until(lambda: session.document is not before)
    assert session.player.playing
    session.player.pause()
    assert session.document.actors[0].layers[-1].track_of["pelvis.move_x"].keys[1].value > 0.55


def test_a_short_trail_goes_with_the_playhead_and_everything_has_one(opened: Stage) -> None:
    session = opened.session
    with_trail(opened)
    opened.window.prefer(trail_frames=4)
    choose(opened, "view.trails_short")
    opened.until(lambda: len(shown_trails(opened, 0).trails[0].times) == 9)
    session.set_playhead(frame_time(15, session.document.rate))
    trail = shown_trails(opened, session.playhead).trails[0]
    assert trail.times[4] == session.playhead
    assert len(trail.times) == 9
    session.select(())
    opened.until(lambda: session.trails.picture is None)
    choose(opened, "view.times_of_all")
    opened.until(lambda: session.trails.picture is not None)
    handles = session.document.actors[0].figure.handles
    assert len(shown_trails(opened, session.playhead).trails) == len(handles) > 1
    choose(opened, "view.trails_short")
    opened.until(lambda: len(shown_trails(opened, session.playhead).trails[0].times) == 31)


def test_onion_skins_stand_at_keys_and_are_more_or_fewer(opened: Stage) -> None:
    session = opened.session
    session.set_playhead(frame_time(15, session.document.rate))
    choose(opened, "view.show_onions")
    choose(opened, "view.onions_fewer")
    opened.until(lambda: len(shown_trails(opened, session.playhead).onions) == 4)
    choose(opened, "view.onions_more")
    opened.until(lambda: len(shown_trails(opened, session.playhead).onions) == 6)
    choose(opened, "view.onions_at_keys")
    opened.until(lambda: {each.time for each in shown_trails(opened, session.playhead).onions} == {0, SECOND})


def test_trails_and_onion_skins_are_set_up_in_a_sheet_and_kept(opened: Stage) -> None:
    session = opened.session
    session.set_playhead(frame_time(15, session.document.rate))
    choose(opened, "view.show_onions")
    choose(opened, "view.times_settings")
    shown = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
    sheet = next(each for each in shown if isinstance(each, PreferencesSheet))
    opened.until(sheet.isActiveWindow)
    for name, text in (("onions_before", "2"), ("onions_after", "1"), ("onions_step", "5")):
        box = sheet.fields[name]
        box.setFocus()
        opened.until(box.hasFocus)
        box.selectAll()
        QTest.keyClicks(box, text)
        QTest.keyClick(box, Qt.Key.Key_Tab)
    assert not sheet.fields["trail_frames"].isEnabled(), "trails reach over all that is played"
    frames = {frame_time(frame, session.document.rate) for frame in (5, 10, 20)}
    opened.until(lambda: {each.time for each in shown_trails(opened, session.playhead).onions} == frames)
    sheet.close()
    kept = opened.window.preferences
    assert (kept.onions_before, kept.onions_after, kept.onions_step) == (2, 1, 5)

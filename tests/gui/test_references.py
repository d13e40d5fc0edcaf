"""Videos and fixed cameras to pose after, and what is removed from the lists: the real window, real keys and menus."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.features.references.page import ReferencePage
from app.scene.panes import PERSPECTIVE
from app.session import Item
from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND
from engine.document.references import FACINGS
from engine.edits import edit
from tests.app.session.films import make_film
from tests.app.shell.answers import Answers
from tests.gui.test_scenery import (
    FRONT,
    choose,
    differs,
    drop,
    outliner,
    pick_from,
    picture,
    pixels,
    press,
    red,
    redness,
)
from tests.leaks import children_of_this_process
from tests.one_window import OneWindow
from tests.stage import Stage, stage

pytestmark = pytest.mark.gui


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers()


@pytest.fixture
def opened(the_window: OneWindow, answers: Answers) -> Iterator[Stage]:
    with the_window.begun(questions=answers) as begun:
        yield begun
        begun.session.new()
        begun.session.references._videos.forget("all")  # else the thread waits for more for ten seconds
        begun.until(lambda: not readers() and all(each.name != "videos" for each in threading.enumerate()))


def page_of(opened: Stage) -> ReferencePage:
    found = opened.window.docks["inspector"].findChild(ReferencePage)
    assert isinstance(found, ReferencePage)
    return found


def seconds(time: float) -> int:
    return round(time * TICKS_PER_SECOND)


def number_in_front(opened: Stage) -> int:
    """The number that the video in the front view shows: its columns fill the picture that is twice as wide as high."""
    image = pixels(opened.view.render_image(400, 200, samples=1, view=FRONT))
    return sum(1 << bit for bit in range(8) if image[190, 25 + 50 * bit].sum() > 300)


def hang_film(opened: Stage, path: Path) -> None:
    """A video over the whole front view, before all bodies."""
    opened.view.set_active(FRONT)
    before = len(opened.session.document.references)
    drop(opened, path)
    opened.until(lambda: len(opened.session.document.references) > before)
    camera, session = opened.view.cameras[FRONT], opened.session
    found = session.document.references[-1]
    changes = (
        ("size", 2 * camera.half_height),
        ("centre", (camera.target[0], camera.target[1])),
        ("opacity", 1.0),
        ("in_front", True),
    )
    session.do(edit("set_reference", reference=found.id, changes=changes))


def shows(opened: Stage, number: int) -> None:
    """Wait for a picture of the video."""
    opened.until(lambda: number_in_front(opened) == number)


def test_add_reference_video_hangs_a_video_that_follows_the_time(
    opened: Stage, answers: Answers, tmp_path: Path
) -> None:
    session, answers.file = opened.session, make_film(tmp_path / "walk.mp4", rate="30", size=(320, 160))
    opened.view.set_active(FRONT)
    choose(opened, "add.reference_video")
    opened.until(lambda: bool(session.references.shown))
    assert answers.asked[-1] == "video"
    found = session.document.references[0]
    assert found.video is not None
    assert (found.video.rate, found.video.count, found.facing, found.name) == ((30, 1), 90, "front", "walk")
    assert session.references.chosen == found.id
    assert "30 pictures in a second" in page_of(opened).header.about[0].text


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])  # others: tests/app/session/test_film.py
def test_a_dropped_video_shows_the_picture_of_the_time(suffix: str, opened: Stage, tmp_path: Path) -> None:
    session = opened.session
    hang_film(opened, make_film(tmp_path / f"walk{suffix}", 30, rate="10", size=(320, 160)))
    for time, number in ((0.0, 0), (1.25, 12), (2.55, 25), (0.35, 3), (99.0, 29), (-1.0, 0)):
        session.set_playhead(seconds(time))
        shows(opened, number)


def test_where_a_video_begins_is_set_by_a_slider_and_undone(opened: Stage, tmp_path: Path) -> None:
    session = opened.session
    hang_film(opened, make_film(tmp_path / "walk.mp4", 60, rate="30", size=(320, 160)))
    session.set_playhead(seconds(1.0))
    shows(opened, 30)
    page = page_of(opened)
    page.start.setFocus()
    QTest.keyClick(page.start, Qt.Key.Key_Return)
    QTest.keyClicks(opened.window.focusWidget(), "0.5")
    QTest.keyClick(opened.window.focusWidget(), Qt.Key.Key_Return)
    opened.until(lambda: session.document.references[0].video.start == seconds(0.5))  # type: ignore[union-attr]
    shows(opened, 15)
    opened.settle()
    press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    shows(opened, 30)


def test_playing_keeps_up_with_a_video_by_leaving_pictures_out(opened: Stage, tmp_path: Path) -> None:
    session = opened.session
    hang_film(opened, make_film(tmp_path / "walk.mp4", 120, rate="60", size=(640, 320)))
    shows(opened, 0)
    seen: list[tuple[int, int]] = []  # when, and which
    found = session.document.references[0]
    assert found.video is not None
    video = found.video

    def look() -> None:
        if session.player.playing:
            seen.append((session.playhead, session.references.number_shown(found.id) or 0))

    opened.hear(session.references.changed, look)
    press(opened, Qt.Key.Key_Space)
    opened.until(lambda: session.playhead > seconds(1.5))
    opened.until(lambda: len({number for _, number in seen}) > 5)  # a busy machine shows fewer at a time
    press(opened, Qt.Key.Key_Space)
    session.references.changed.disconnect(look)
    begun_again = sum(after < before for (before, _), (after, _) in pairwise(seen))
    assert sum(after < before for (_, before), (_, after) in pairwise(seen)) <= begun_again, "never back"
    shows(opened, video.picture_at(session.playhead))


def test_a_video_that_is_missing_or_another_says_so_and_keeps_its_picture(opened: Stage, tmp_path: Path) -> None:
    session, path = opened.session, make_film(tmp_path / "walk.mp4", 60, rate="30", size=(320, 160))
    hang_film(opened, path)
    session.set_playhead(seconds(1.0))
    shows(opened, 30)
    path.rename(tmp_path / "away.mp4")
    session.set_playhead(seconds(1.5))
    opened.until_told("is missing: put the file back")
    assert (session.log[-1].kind, number_in_front(opened)) == ("warning", 30)
    make_film(path, 61, rate="30", size=(320, 160))
    session.set_playhead(seconds(1.6))
    opened.until_told("is another file than the video")
    assert (len(session.document.references), number_in_front(opened)) == (1, 30)
    (tmp_path / "away.mp4").replace(path)
    session.set_playhead(seconds(1.7))
    shows(opened, 51)


def test_without_its_file_a_video_shows_its_first_picture(opened: Stage, tmp_path: Path) -> None:
    session, path = opened.session, make_film(tmp_path / "walk.avi", 30, rate="10", size=(320, 160))
    hang_film(opened, path)
    opened.settle()
    kept = session.document
    path.unlink()
    with stage(kept, seen=False) as other:
        other.session.set_playhead(seconds(2.0))
        other.until(lambda: any("is missing" in entry.text for entry in other.session.log))
        other.until(lambda: bool(other.session.references.shown))
        assert number_in_front(other) == 0


def test_what_is_no_video_is_refused_with_what_to_do(opened: Stage, tmp_path: Path) -> None:
    path, before = tmp_path / "broken.mp4", opened.session.document
    path.write_bytes(b"not a video")
    drop(opened, path)
    opened.until(lambda: any("broken.mp4" in entry.text for entry in opened.session.log))
    assert opened.session.log[-1].kind == "error"
    assert "Save it as MP4 or WebM" in opened.session.log[-1].text
    assert opened.session.document is before


def test_a_gif_that_does_not_move_is_a_picture(opened: Stage, tmp_path: Path) -> None:
    drop(opened, make_film(tmp_path / "still.gif", 1, rate="10"))
    opened.until(lambda: bool(opened.session.document.references))
    assert opened.session.document.references[0].video is None


def test_closing_the_window_ends_the_programs_that_read_videos(qapp: object, tmp_path: Path) -> None:
    before, others = set(threading.enumerate()), readers()
    with stage(Document(), seen=False) as other:
        hang_film(other, make_film(tmp_path / "walk.mp4", 90, rate="30", size=(1280, 640)))
        other.until(lambda: bool(readers() - others))  # a program is there to be ended
    assert not readers() - others
    assert not set(threading.enumerate()) - before


def readers() -> set[object]:
    """The children of this process that read videos."""
    return {number for number, command in children_of_this_process().items() if "ffmpeg" in command}


# Behind a fixed camera


def test_a_picture_behind_this_camera_stays_in_the_world_where_it_was_seen(opened: Stage, tmp_path: Path) -> None:
    session, view = opened.session, opened.view
    view.set_active(PERSPECTIVE)
    drop(opened, red(tmp_path))
    opened.until(lambda: bool(session.references.shown))
    glued = picture(opened, PERSPECTIVE)
    box = page_of(opened).facing
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_End)
    opened.until(lambda: FACINGS[box.currentIndex()] == "camera")
    box.activated.emit(box.currentIndex())
    opened.until(lambda: session.document.references[0].facing == "camera")
    assert differs(glued, picture(opened, PERSPECTIVE)) < 0.002, "from its camera it looks as before"
    assert redness(picture(opened, FRONT)) < 0.05
    was = view.cameras[PERSPECTIVE]
    view.set_camera(PERSPECTIVE, was.orbit(1.2, 0.0))
    turned = redness(picture(opened, PERSPECTIVE))
    assert 0.0 < turned < 0.7 * redness(glued), "seen from aside it is narrow"
    choose(opened, "view.look_from_reference")
    opened.until(lambda: view.cameras[PERSPECTIVE] == was)
    assert differs(glued, picture(opened, PERSPECTIVE)) < 0.002
    view.set_camera(PERSPECTIVE, was.orbit(0.4, 0.1))
    QTest.mouseClick(page_of(opened).look, Qt.MouseButton.LeftButton)
    opened.until(lambda: view.cameras[PERSPECTIVE] == was)


# What is removed and asked


def test_edit_delete_removes_a_chosen_reference_set_or_lock(opened: Stage, tmp_path: Path) -> None:
    session, human = opened.session, opened.session.document.actors[0]
    drop(opened, red(tmp_path))
    opened.until(lambda: bool(session.document.references))
    assert session.references.chosen is not None
    press(opened, Qt.Key.Key_Delete)
    assert not session.document.references
    assert session.document.actors, "nothing else goes"
    session.select([Item(human.id, "neck")])
    press(opened, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert session.document.selection_sets
    press(opened, Qt.Key.Key_Delete)
    assert not session.document.selection_sets
    press(opened, Qt.Key.Key_Delete)
    assert session.document.actors
    assert len(session.document.actors[0].figure.joints) == len(human.figure.joints)
    choose(opened, "lock.position")
    opened.until(lambda: bool(session.document.actors[0].locks))
    lock = session.document.actors[0].locks[0]
    session.select([Item(human.id, lock.joint, lock.id)])
    press(opened, Qt.Key.Key_Delete)
    opened.until(lambda: not session.document.actors[0].locks)


def test_delete_in_the_list_of_sets_removes_the_set_and_not_what_it_names(opened: Stage) -> None:
    session, panel = opened.session, outliner(opened).scenery.sets
    session.select([Item(session.document.actors[0].id)])
    press(opened, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    rect = panel.list.visualItemRect(panel.list.item(0))
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    panel.list.setFocus()
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Delete)
    opened.until(lambda: not session.document.selection_sets)
    assert len(session.document.actors) == 1


def test_the_menus_of_a_set_and_of_a_reference_do_what_they_say(opened: Stage, tmp_path: Path) -> None:
    session, human, scenery = opened.session, opened.session.document.actors[0], outliner(opened).scenery
    session.select([Item(human.id, "neck")])
    press(opened, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    made = session.document.selection_sets[0]

    def items() -> list[str | None]:
        return [joint for _, joint in session.document.selection_sets[0].items]

    session.select([Item(human.id, "head")])
    pick_from(scenery.sets.menu_for(made.id), "Add what is selected")
    assert items() == ["neck", "head"]
    session.select([Item(human.id, "neck")])
    pick_from(scenery.sets.menu_for(made.id), "Take out what is selected")
    assert items() == ["head"]
    pick_from(scenery.sets.menu_for(made.id), "Let it be what is selected")
    assert items() == ["neck"]
    session.select(())
    pick_from(scenery.sets.menu_for(made.id), "Select")
    assert [item.part for item in session.selection.items] == ["neck"]
    opened.view.set_active(FRONT)
    drop(opened, red(tmp_path))
    opened.until(lambda: bool(session.references.shown))
    seen, found = redness(picture(opened)), session.document.references[0]
    pick_from(scenery.references.menu_for(found.id), "Hide")
    assert redness(picture(opened)) < seen
    pick_from(scenery.references.menu_for(found.id), "Show")
    assert redness(picture(opened)) == seen
    pick_from(scenery.references.menu_for(found.id), "Remove")
    assert not session.document.references


def test_the_right_button_opens_the_menu_of_a_row(opened: Stage, tmp_path: Path) -> None:
    drop(opened, red(tmp_path))
    opened.until(lambda: bool(opened.session.references.shown))
    rows = outliner(opened).scenery.references.list
    where = rows.visualItemRect(rows.item(0)).center()
    rows.customContextMenuRequested.emit(where)
    menu = outliner(opened).scenery.references.findChild(QMenu)
    assert menu is not None
    opened.until(menu.isVisible)
    assert [action.text() for action in menu.actions() if action.text()] == ["Hide", "Rename", "Remove"]
    menu.close()

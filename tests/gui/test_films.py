"""Films and pictures from the window: chosen, looked at, written, listed, cancelled, by real mouse and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLineEdit, QMessageBox, QPushButton, QWidget

from app.export.choices import GOES_ROUND, GOES_WITH, OWN, TRANSPARENT, Choices
from app.export.plan import Plan
from app.export.planning import plan_of
from app.features.films.films import Films
from app.features.films.queue_sheet import QueueSheet
from app.features.films.view.fields import AS_VIEW, OWN_GROUND, OWN_SIZE, QUALITY, ROUND, SEEN, WRITTEN
from app.features.films.view.sheet import FilmSheet
from app.session import Item
from app.shell.file_chooser import FileChooser
from app.shell.palette import Palette
from app.shell.preferences import PreferencesFile
from app.style.section import SectionHeader
from engine.document.motion import TICKS_PER_SECOND as SECOND
from tests.app.export.films import read, waving
from tests.gui.test_files import choose, click, shown
from tests.gui.test_window import press, slider_of
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = [pytest.mark.gui, pytest.mark.pixels]

LEFT, CTRL_SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
OK, CANCEL = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel
SMALL = Choices(width=160, height=120, samples=1, shadows=False)
SLOW = replace(SMALL, rate="1000", width=640, height=480, samples=8)


class Silent:
    """A device that plays nothing."""

    def close(self) -> None:
        """It has nothing to end."""


@pytest.fixture
def opened(the_window: OneWindow, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Small films are chosen, and nothing is exported."""
    with the_window.begun(waving(sound=True)) as begun:
        monkeypatch.setattr(begun.session.sounds.speaker, "open_device", lambda voice: Silent())
        begun.window.prefer(film=SMALL)
        yield begun
        exports = begun.window.of(Films).exports
        exports.cancel_all()
        begun.until(lambda: not exports.busy)
        exports.clear()
        for each in (FilmSheet, QueueSheet):
            for sheet in begun.window.findChildren(each):
                sheet.close()
        begun.until(lambda: not begun.window.findChildren(QueueSheet))


def asked(opened: Stage) -> FilmSheet:
    """The sheet, by its key."""
    opened.until(opened.window.isActiveWindow)
    press(opened, Qt.Key.Key_E, CTRL_SHIFT)
    return shown(opened, FilmSheet)


def unfold(sheet: FilmSheet, title: str) -> None:
    header = sheet.fields.sections[title].findChild(SectionHeader)
    assert header is not None
    if not header.unfolded:
        QTest.mouseClick(header, LEFT)
    QApplication.processEvents()


def write(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text) if text else QTest.keyClick(field, Qt.Key.Key_Delete)


def tick(box: QWidget) -> None:
    QTest.mouseClick(box, LEFT, pos=QPoint(10, box.height() // 2))


def name_file(opened: Stage, path: Path) -> None:
    """In the dialogue of files, by keys."""
    chooser = shown(opened, FileChooser)
    name = chooser.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(name, QLineEdit)
    name.setText(str(path))  # typed, a list of names would open over it
    QTest.keyClick(name, Qt.Key.Key_Return)


def ended(opened: Stage) -> None:
    exports = opened.window.of(Films).exports
    opened.until(lambda: bool(exports.exports) and not exports.busy, patience=300.0)


def plan(opened: Stage, choices: Choices) -> Plan:
    return plan_of(choices, opened.session, opened.view, Path("a.mp4"))


def picture_of(opened: Stage, sheet: FilmSheet, different_from: QImage | None = None) -> QImage:
    """The preview, once there is another."""

    def there() -> bool:
        image = sheet.view.picture.image
        return image is not None and image is not different_from

    opened.until(there)
    assert sheet.view.picture.image is not None
    return sheet.view.picture.image


def test_a_clip_is_chosen_and_exported_by_mouse_and_keys(opened: Stage, tmp_path: Path) -> None:
    sheet = asked(opened)
    choose(sheet.fields.fields["codec"], "H.264 video")
    choose(sheet.fields.fields["sizes"], OWN_SIZE)
    write(sheet.fields.fields["width"], "320")
    write(sheet.fields.fields["height"], "180")
    unfold(sheet, QUALITY)
    write(sheet.fields.fields["rate"], "24")
    unfold(sheet, WRITTEN)
    write(sheet.fields.fields["title"], "A turn")
    tick(sheet.fields.fields["time"])
    assert sheet.told.text().startswith("1 file of 25 frames, 320 x 180, 1.04 s, about ")
    click(sheet.buttons, OK)
    name_file(opened, tmp_path / "turn")
    opened.until(lambda: not opened.window.findChildren(FilmSheet))
    ended(opened)
    assert [each.name for each in tmp_path.iterdir()] == ["turn.mp4"]
    film = read(tmp_path / "turn.mp4")
    assert (film.size, film.rate, len(film.frames)) == ((320, 180), 24.0, 25)
    assert film.codec == "h264"
    assert film.heard is not None
    assert np.abs(film.heard[:12_000]).max() > 0.3
    changes = [np.abs(a.astype(int) - b.astype(int)).mean() for a, b in pairwise(film.frames)]
    assert min(changes) > 0.05, "every frame is another"
    lettered = [frame[160:, :70].astype(int).max() for frame in film.frames]
    assert min(lettered) > 180, "the caption is written onto each"
    assert opened.window.message.text == "Exported turn.mp4."


def test_frames_with_alpha_are_exported(opened: Stage, tmp_path: Path) -> None:
    sheet = asked(opened)
    choose(sheet.fields.fields["codec"], "PNG pictures")
    choose(sheet.fields.fields["range"], "From, to")
    write(sheet.fields.fields["start"], "2")
    write(sheet.fields.fields["end"], "5")
    unfold(sheet, SEEN)
    choose(sheet.fields.fields["ground"], "Transparent")
    tick(sheet.fields.fields["grid"])
    assert sheet.told.text().startswith("4 files, 160 x 120, 0.13 s")
    assert picture_of(opened, sheet).hasAlphaChannel() or picture_of(opened, sheet, sheet.view.picture.image)
    click(sheet.buttons, OK)
    name_file(opened, tmp_path / "turn.png")
    ended(opened)
    assert sorted(each.name for each in tmp_path.iterdir()) == [f"turn_000{number}.png" for number in range(1, 5)]
    for each in tmp_path.iterdir():
        picture = QImage(str(each))
        assert (picture.width(), picture.height()) == (160, 120)
        assert picture.pixelColor(0, 0).alpha() == 0
        assert max(picture.pixelColor(80, y).alpha() for y in range(120)) == 255


def test_this_picture_is_exported_from_the_palette(opened: Stage, tmp_path: Path) -> None:
    opened.session.set_playhead(SECOND // 2)
    opened.until(opened.window.isActiveWindow)
    press(opened, Qt.Key.Key_P, CTRL_SHIFT)
    opened.until(lambda: bool(opened.window.findChildren(Palette)))
    palette = opened.window.findChildren(Palette)[-1]
    field = palette.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, opened.window.menus.actions["file.export_picture"].text().rstrip("…"))
    QTest.keyClick(field, Qt.Key.Key_Return)
    name_file(opened, tmp_path / "now")
    ended(opened)
    assert [each.name for each in tmp_path.iterdir()] == ["now.png"]
    picture = QImage(str(tmp_path / "now.png"))
    assert (picture.width(), picture.height()) == (160, 120)
    assert opened.window.of(Films).exports.exports[0].plan.start == SECOND // 2
    assert opened.window.preferences.film == replace(SMALL, folder=str(tmp_path)), "films are chosen as they were"


def test_what_was_chosen_is_there_the_next_time_and_after_a_new_start(opened: Stage, tmp_path: Path) -> None:
    sheet = asked(opened)
    choose(sheet.fields.fields["codec"], "AV1 video")
    choose(sheet.fields.fields["view"], sheet.fields.fields["view"].itemText(1))
    choose(sheet.fields.fields["sizes"], "1920 x 1080, Full HD")
    unfold(sheet, ROUND)
    choose(sheet.fields.fields["camera"], "Goes round with the motion")
    write(sheet.fields.fields["turn_seconds"], "2")
    click(sheet.buttons, CANCEL)
    opened.until(lambda: not opened.window.findChildren(FilmSheet))
    kept = PreferencesFile(tmp_path)
    kept.write(opened.window.preferences)
    found = kept.read()[0].film
    expected = replace(SMALL, codec="av1", view=0, width=1920, height=1080, camera=GOES_WITH, turn_seconds=2.0)
    assert found == opened.window.preferences.film == replace(expected, unfolded=(ROUND,))
    again = asked(opened)
    assert again.fields.fields["codec"].currentText() == "AV1 video"
    assert again.fields.fields["sizes"].currentText() == "1920 x 1080, Full HD"
    assert again.fields.sections[ROUND].header.unfolded
    assert again.fields.fields["turn_seconds"].isVisible()
    assert again.plan is not None
    assert again.plan.turntable is not None
    assert again.plan.turntable.turns == 0.5
    assert again.plan.camera == opened.view.cameras[0]


def _own_size(text: str) -> Callable[[FilmSheet], None]:
    def do(sheet: FilmSheet) -> None:
        choose(sheet.fields.fields["sizes"], OWN_SIZE)
        write(sheet.fields.fields["width"], text)

    return do


def _gif_too_fast(sheet: FilmSheet) -> None:
    choose(sheet.fields.fields["codec"], "GIF")
    write(sheet.fields.fields["rate"], "60")


def _ends_before_it_begins(sheet: FilmSheet) -> None:
    choose(sheet.fields.fields["range"], "From, to")
    write(sheet.fields.fields["start"], "9")
    write(sheet.fields.fields["end"], "3")


def _no_ground(sheet: FilmSheet) -> None:
    choose(sheet.fields.fields["ground"], "Transparent")


def _no_colour(sheet: FilmSheet) -> None:
    choose(sheet.fields.fields["ground"], OWN_GROUND)
    write(sheet.fields.fields["background"], "sky")


def _no_rate(sheet: FilmSheet) -> None:
    write(sheet.fields.fields["rate"], "fast")


def _no_turn(sheet: FilmSheet) -> None:
    choose(sheet.fields.fields["camera"], "Goes round while time stands")
    write(sheet.fields.fields["turn_seconds"], "0")


REFUSED: tuple[tuple[Callable[[FilmSheet], None], str, str], ...] = (
    (_own_size("0"), "width", "The width is '0'; allowed: a whole number of 1 to 32768 pixels."),
    (_own_size("20000"), "width", "The size is '20000 x 1920'; allowed: sides of at most 8192 pixels"),
    (_gif_too_fast, "rate", "The rate is '60'; allowed: at most 50 frames a second for a GIF."),
    (_ends_before_it_begins, "range", "The end of the range is '0.1 s'; allowed: at or after its start, 0.3 s."),
    (_no_ground, "background", "PNG pictures can be transparent."),
    (_no_colour, "background", "The background is 'sky'; allowed: a colour such as"),
    (_no_rate, "rate", "The rate is 'fast'; allowed: 1 to 1000 frames a second"),
    (_no_turn, "turn_seconds", "The time of once round is '0'; allowed: 0.1 to 3600 seconds."),
)


def test_what_cannot_be_is_said_beside_it_as_it_is_chosen(opened: Stage) -> None:
    for command, line, said in REFUSED:
        sheet = asked(opened)
        for title in (ROUND, QUALITY, SEEN):
            unfold(sheet, title)
        assert sheet.choose.isEnabled()
        before = opened.window.preferences.film
        command(sheet)
        assert said in sheet.fields.reason(line)
        assert not sheet.choose.isEnabled()
        click(sheet.buttons, CANCEL)
        opened.until(lambda: not opened.window.findChildren(FilmSheet))
        assert opened.window.preferences.film == before, "what makes no sense is not remembered"


def test_a_reason_in_a_folded_group_unfolds_it(opened: Stage) -> None:
    opened.window.prefer(film=replace(SMALL, codec="png", background=TRANSPARENT))
    sheet = asked(opened)
    assert not sheet.fields.sections[SEEN].header.unfolded
    choose(sheet.fields.fields["codec"], "VP9 video")
    assert sheet.fields.sections[SEEN].header.unfolded
    assert "PNG pictures can be transparent" in sheet.fields.reason("background")


def test_the_preview_shows_the_frame_and_the_view_that_are_chosen(opened: Stage) -> None:
    sheet = asked(opened)
    first = picture_of(opened, sheet)
    QTest.keyClick(sheet.view.slider, Qt.Key.Key_End)
    assert sheet.view.told.text() == "Frame 31 of 31, at 1.00 s"
    last = picture_of(opened, sheet, first)
    assert first != last
    choose(sheet.fields.fields["view"], sheet.fields.fields["view"].itemText(1))
    above = picture_of(opened, sheet, last)
    assert above != last
    choose(sheet.fields.fields["range"], "All there is: 0 to 30")
    assert sheet.plan is not None
    assert sheet.plan.count == 31
    choose(sheet.fields.fields["range"], "One picture: frame 0")
    assert sheet.told.text().startswith("1 file, 160 x 120, about ")
    assert not sheet.view.slider.isEnabled()
    choose(sheet.fields.fields["sizes"], AS_VIEW)
    width, height = (round(side) for side in opened.view.size_of(0))
    assert sheet.plan is not None
    assert sheet.plan.size == (width, height)


def test_a_turntable_stands_at_the_playhead_and_has_no_sound(opened: Stage) -> None:
    opened.session.set_playhead(SECOND // 2)
    opened.window.prefer(film=replace(SMALL, camera=GOES_ROUND, turn_seconds=4.0))
    sheet = asked(opened)
    assert sheet.told.text().startswith("1 file of 120 frames, 160 x 120, 4.00 s")
    assert not sheet.fields.fields["range"].isEnabled()
    assert sheet.notes.text() == "The sound Beep is left out: time stands still."
    assert sheet.plan is not None
    assert sheet.plan.time(119) == SECOND // 2


def test_trails_skins_numbers_and_signs_are_on_or_off(opened: Stage) -> None:
    opened.session.select([Item("human", "wrist_left")])
    sheet = asked(opened)
    unfold(sheet, SEEN)
    assert sheet.plan is not None
    assert sheet.plan.trails is None
    assert not sheet.fields.fields["trails"].isChecked(), "as the views show none"
    for box in (sheet.fields.fields["trails"], sheet.fields.fields["onions"], sheet.fields.fields["signs"]):
        tick(box)
    plan = sheet.plan
    assert plan.trails is not None
    assert plan.trails.spots
    assert plan.trails.onions.actors == ("human",)
    assert plan.signs
    assert plan.look.show_grid
    tick(sheet.fields.fields["grid"])
    assert not sheet.plan.look.show_grid
    unfold(sheet, WRITTEN)
    listed = sheet.fields.numbers
    assert listed.count() > 0, "what the Plot panel shows of the hand"
    listed.setFocus()
    listed.setCurrentRow(0)
    QTest.keyClick(listed, Qt.Key.Key_Space)
    assert sheet.plan.caption is not None
    assert [each.part.partition(".")[0] for each in sheet.plan.caption.quantities] == ["wrist_left"]
    assert not sheet.plan.caption.curves
    tick(sheet.fields.fields["curves"])
    assert sheet.plan.caption.curves


def test_cancel_in_the_status_line_leaves_nothing(opened: Stage, tmp_path: Path) -> None:
    opened.window.prefer(film=SLOW)
    sheet = asked(opened)
    click(sheet.buttons, OK)
    name_file(opened, tmp_path / "long.mp4")
    job, exports = opened.window.status.job, opened.window.of(Films).exports
    opened.until(lambda: bool(exports.exports) and exports.exports[0].written > 2 and job.isVisible())
    QTest.mouseClick(job.cancel, LEFT)
    ended(opened)
    assert list(tmp_path.iterdir()) == []
    assert opened.window.of(Films).exports.exports[0].state == "cancelled"


def answered(opened: Stage, button: str) -> str:
    """Answer the question whether files are to be replaced; its words."""
    box = shown(opened, QMessageBox)
    said = box.text()
    QTest.mouseClick(next(each for each in box.buttons() if each.text().replace("&", "") == button), LEFT)
    opened.until(lambda: not opened.window.findChildren(QMessageBox))
    return said


def test_pictures_of_an_earlier_export_are_replaced_only_if_one_says_so(opened: Stage, tmp_path: Path) -> None:
    out, old = tmp_path / "turn.png", [tmp_path / f"turn_000{number}.png" for number in (2, 4)]
    four = replace(SMALL, codec="png", range=OWN, end=SECOND // 10)
    wanted = plan_of(four, opened.session, opened.view, out)
    assert wanted.count == 4
    for each in old:
        each.write_bytes(b"before")
    opened.window.of(Films).want(wanted, out)
    assert answered(opened, "Cancel") == "turn_0002.png and 1 more are there already."
    assert [each.read_bytes() for each in old] == [b"before"] * 2
    assert opened.window.of(Films).exports.exports == []
    opened.window.of(Films).want(wanted, out)
    answered(opened, "Replace")
    ended(opened)
    assert not any(QImage(str(each)).isNull() for each in wanted.names)


def test_a_film_that_got_its_ending_after_the_question_is_asked_about(opened: Stage, tmp_path: Path) -> None:
    wanted = replace(plan(opened, SMALL), out=tmp_path / "turn.mov.mp4")
    wanted.out.write_bytes(b"before")
    opened.window.of(Films).want(wanted, tmp_path / "turn.mov")
    assert answered(opened, "Cancel") == "turn.mov.mp4 is there already."
    opened.window.of(Films).want(wanted, wanted.out)
    ended(opened)
    assert len(read(wanted.out).frames) == 31, "of that name the chooser of files has asked"


def test_of_two_films_to_one_name_the_second_is_refused(opened: Stage, tmp_path: Path) -> None:
    films, wanted = opened.window.of(Films), replace(plan(opened, SLOW), out=tmp_path / "long.mp4")
    films.begin(wanted)
    films.begin(replace(wanted, samples=1))
    assert len(opened.window.of(Films).exports.exports) == 1
    assert "long.mp4 is being exported already" in opened.session.log[-1].text
    assert opened.session.log[-1].kind == "error"


def drag_and_see(opened: Stage, slider: QWidget, start: int) -> None:
    """Drag a slider from so many percent on, and wait for a picture of it: more may not come on a busy machine."""
    before, pictures = opened.session.document, opened.pictures
    drag(slider, [opened.widget_at(slider, x / 100, 0.5) for x in range(start, start + 20, 4)])
    opened.until(lambda: opened.session.document is not before and opened.pictures > pictures)


def test_a_slider_is_dragged_while_a_film_is_exported(opened: Stage, tmp_path: Path) -> None:
    opened.window.of(Films).begin(replace(plan(opened, SLOW), out=tmp_path / "long.mp4"))
    export = opened.window.of(Films).exports.exports[0]
    opened.session.select([Item("human", "head")])
    opened.window.show_panel("inspector")
    slider = slider_of(opened, "Flexion")
    opened.until(lambda: export.written > 2)
    before, begun = opened.session.document, export.written
    for start in (20, 40):
        drag_and_see(opened, slider, start)
    assert export.state == "running"
    opened.until(lambda: export.written > begun)
    assert export.plan.document is before, "the film is of what was there"
    while opened.session.document is not before:
        opened.session.undo()


def test_what_is_exported_is_listed_cancelled_there_and_shown_in_its_folder(
    opened: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_into: list[QUrl] = []

    def look_into(url: QUrl) -> bool:
        looked_into.append(url)
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", look_into)
    listed = opened.window.menus.actions["file.exports"]
    assert not listed.isEnabled()
    films, exports = opened.window.of(Films), opened.window.of(Films).exports
    films.begin(replace(plan(opened, SLOW), out=tmp_path / "long.mp4"))
    films.begin(replace(plan(opened, SMALL), out=tmp_path / "second.mp4"))
    films.begin(replace(plan(opened, SMALL), out=tmp_path / "none" / "third.mp4"))
    films.begin(replace(plan(opened, SMALL), out=tmp_path / "fourth.mp4"))
    opened.until(lambda: exports.exports[0].written > 2)
    opened.until(opened.window.status.job.isVisible)
    QTest.mouseClick(opened.window.status.job.details, LEFT)
    sheet = shown(opened, QueueSheet)
    rows = [sheet.rows[export] for export in exports.exports]
    opened.until(lambda: rows[0].state.text().startswith("Frame "))
    assert rows[1].state.text() == "Waits, 31 frames"
    QTest.mouseClick(rows[1].cancel, LEFT)
    QTest.mouseClick(rows[0].cancel, LEFT)
    ended(opened)
    told = [row.state.text() for row in rows]
    assert told[:2] == ["Cancelled; nothing of it is left"] * 2
    assert "there is no such folder" in told[2]
    assert told[3] == "Done, 31 frames"
    assert [each.name for each in tmp_path.iterdir()] == ["fourth.mp4"]
    QTest.mouseClick(rows[3].folder, LEFT)
    assert looked_into == [QUrl.fromLocalFile(str(tmp_path))]
    button = next(each for each in opened.window.message.findChildren(QPushButton) if each.isVisible())
    assert button.text() == "Show in folder"
    QTest.mouseClick(button, LEFT)
    assert len(looked_into) == 2
    opened.window.menus.refresh()
    assert listed.isEnabled()
    QTest.mouseClick(sheet.clear, LEFT)
    assert sheet.none.isVisible()
    assert not sheet.rows


def test_closing_while_a_film_is_exported_asks(opened: Stage, tmp_path: Path) -> None:
    opened.window.of(Films).begin(replace(plan(opened, SLOW), out=tmp_path / "long.mp4"))
    export = opened.window.of(Films).exports.exports[0]
    opened.until(lambda: export.written > 0)
    opened.until(opened.window.isActiveWindow)
    press(opened, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    box = shown(opened, QMessageBox)
    assert box.text() == "A video is being exported."
    QTest.keyClick(box, Qt.Key.Key_Escape)
    opened.until(lambda: not opened.window.findChildren(QMessageBox))
    assert opened.window.isVisible()
    assert export.state == "running"


@pytest.mark.parametrize("scale", [1.0, pytest.param(1.5, marks=pytest.mark.deep)])  # to set it takes seconds
def test_nothing_of_the_sheet_is_cut_off_in_a_small_window(opened: Stage, scale: float) -> None:
    opened.window.prefer(text_scale=scale, film=replace(SMALL, unfolded=(ROUND, QUALITY, SEEN, WRITTEN)))
    try:
        sheet = asked(opened)
        choose(sheet.fields.fields["sizes"], OWN_SIZE)
        choose(sheet.fields.fields["range"], "From, to")
        choose(sheet.fields.fields["ground"], OWN_GROUND)
        QApplication.processEvents()
        assert sheet.height() <= opened.window.height()
        assert sheet.width() <= opened.window.width()
        fields = sheet.fields
        area = fields.parentWidget()
        assert area is not None
        assert fields.minimumSizeHint().width() <= area.width()
        for each in fields.findChildren(QWidget):
            if each.isVisible():
                right = each.mapTo(fields, QPoint(each.width(), 0)).x()
                assert right <= fields.width(), f"{each.accessibleName() or each} is cut off"
                assert each.width() >= each.minimumSizeHint().width(), f"{each.accessibleName() or each} is squeezed"
        sheet.close()
    finally:
        opened.window.prefer(text_scale=1.0)

"""Files dropped on the real window: over fields and panels, several at once, folders, and what cannot be read.

Drags are handed to the window's own handle, as the screen's server does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from engine.document import Document
from engine.formats import sinew
from tests.app.shell.answers import Answers
from tests.engine.formats.osim_models import ARM
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
LEFT, NONE, COPY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
SOLID = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(questions=Answers()) as open_stage:
        yield open_stage


def drop(on: QWidget, *paths: Path) -> bool:
    """On the middle of a widget; whether it was taken."""
    window = on.window()
    at = on.mapTo(window, on.rect().center())
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    handle = window.windowHandle()
    entered = QDragEnterEvent(at, COPY, data, LEFT, NONE)
    QApplication.sendEvent(handle, entered)
    QApplication.sendEvent(handle, QDragMoveEvent(QPoint(at), COPY, data, LEFT, NONE))
    let_go = QDropEvent(QPointF(at), COPY, data, LEFT, NONE)
    QApplication.sendEvent(handle, let_go)
    return entered.isAccepted() and let_go.isAccepted()


def solid(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text(SOLID)
    return path


def names(opened: Stage) -> list[str]:
    return [actor.name for actor in opened.session.document.actors]


def said(opened: Stage, text: str) -> None:
    """Wait for a line of the log that holds this."""
    opened.until(lambda: any(text in entry.text for entry in opened.session.log))


def test_files_are_taken_over_the_picture_fields_panels_and_a_floating_panel(opened: Stage, tmp_path: Path) -> None:
    field = opened.window.docks["outliner"].findChild(QLineEdit)
    assert field is not None
    floating = opened.window.docks["method"]
    floating.setFloating(True)
    floating.show()
    opened.until(lambda: floating.windowHandle() is not None)
    places = (opened.view, field, opened.window.docks["log"], opened.window.menuBar(), floating)
    for number, place in enumerate(places):
        assert drop(place, solid(tmp_path, f"part{number}.off"))
    opened.until(lambda: {f"part{number}" for number in range(len(places))} <= set(names(opened)))
    assert field.text() == "", "a search field takes no path"


def test_a_dropped_opensim_model_is_a_figure_with_muscles_and_the_log_says_what_is_left_out(
    opened: Stage, tmp_path: Path
) -> None:
    path = tmp_path / "arm.osim"
    path.write_text(ARM.replace("<ForceSet><objects>", '<ForceSet><objects><BushingForce name="disc"/>'))
    assert drop(opened.view, path)
    opened.until(lambda: "arm" in names(opened))
    actor = opened.session.document.actors[-1]
    assert [dof.id for dof in actor.figure.dofs] == ["lift", "elbow.translation1", "bend"]
    assert [part.summary() for part in actor.parts] == ["1 muscle, 1 wrap"]
    said(opened, "left out: 1 BushingForce")


def test_a_drop_on_the_start_page_opens_and_closes_it(opened: Stage, tmp_path: Path) -> None:
    from app.shell.start_page import StartPage

    opened.window.show_start_page()
    page = opened.window.findChild(StartPage)
    assert page is not None
    assert drop(page, solid(tmp_path, "part.off"))
    opened.until(lambda: "part" in names(opened))
    opened.until(lambda: opened.window.findChild(StartPage) is None)


def test_of_several_documents_the_first_is_opened_and_the_others_are_named(opened: Stage, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.sinew" for name in ("one", "two", "three")]
    for path in paths:
        sinew.write(path, Document())
    drop(opened.view, *paths)
    opened.until(lambda: opened.session.path == paths[0])
    said(opened, "Open the others after it: two.sinew, three.sinew.")


def test_a_folder_gives_the_files_that_are_read(opened: Stage, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    solid(folder, "left.off")
    solid(folder, "right.off")
    (folder / "notes.xyz").write_text("nothing")
    drop(opened.view, folder)
    opened.until(lambda: {"left", "right"} <= set(names(opened)))
    assert not any("notes" in entry.text for entry in opened.session.log)


def test_an_empty_folder_and_a_full_one_say_what_to_do(opened: Stage, tmp_path: Path) -> None:
    empty, full = tmp_path / "empty", tmp_path / "full"
    empty.mkdir()
    full.mkdir()
    for number in range(51):
        solid(full, f"{number}.off")
    before = opened.session.document
    drop(opened.view, empty)
    said(opened, "The folder empty holds no file that Sinew reads. Help > File formats")
    drop(opened.view, full)
    said(opened, "The folder full holds 51 files that Sinew reads. Drop at most 50 at once.")
    assert opened.session.document is before


def test_what_cannot_be_read_changes_nothing_and_says_why(opened: Stage, tmp_path: Path) -> None:
    before = opened.session.document
    unknown, broken, huge = tmp_path / "a.xyz", tmp_path / "b.bvh", tmp_path / "c.bvh"
    unknown.write_text("nothing")
    broken.write_bytes(b"\x00\x01\x02")
    with huge.open("wb") as file:
        file.truncate(3 << 30)
    drop(opened.view, unknown, broken, huge, tmp_path / "gone.bvh")
    said(opened, "no format that Sinew reads ends in '.xyz'")
    said(opened, "b.bvh")
    said(opened, "c.bvh")
    said(opened, "gone.bvh")
    opened.until(lambda: opened.session.at_rest)
    assert opened.session.document is before
    errors = [entry.text for entry in opened.session.log if entry.kind == "error"]
    assert len(errors) == 4
    assert all("." in text[-2:] or text.endswith(")") for text in errors), errors


def test_text_is_not_taken_for_files(opened: Stage) -> None:
    data = QMimeData()
    data.setText("no file")
    entered = QDragEnterEvent(QPoint(300, 300), COPY, data, LEFT, NONE)
    QApplication.sendEvent(opened.window.windowHandle(), entered)
    assert not entered.isAccepted()

"""Projects in the real window: undone after opening again; files that are newer, damaged, shared, gone, refused."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit, QMessageBox, QSpinBox

from app.session.actors import new_document
from app.shell.file_chooser import FileChooser
from app.shell.preferences_sheet import PreferencesSheet
from app.shell.project_boxes import ListSheet, QuestionBox
from engine.document import Document
from engine.project import disk, schema
from engine.project.past import Past, PastEntry
from engine.project.runs import SUFFIX
from engine.project.save import open_project, save_project
from tests.engine.project.test_migrate import change, put_text
from tests.gui.test_scenery import choose
from tests.one_window import OneWindow
from tests.stage import Stage, stage

pytestmark = pytest.mark.gui

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


D = TypeVar("D", bound=QDialog)


@contextmanager
def started(copies: Path | None = None) -> Iterator[Stage]:
    with stage(new_document(), copies=copies, seen=False) as made:
        yield made


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """The window, with the real questions."""
    with the_window.begun() as begun:
        yield begun


@pytest.fixture
def keeping(qapp: object, tmp_path: Path) -> Iterator[Stage]:
    """A window of its own that keeps recovery copies and may be closed."""
    with started(tmp_path / "recovery") as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of the person's own."""
    made = tmp_path / "mine"
    made.mkdir()
    return made


def press(opened: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier = CTRL) -> None:
    opened.until(opened.window.isActiveWindow)
    QTest.keyClick(opened.window.windowHandle(), key, modifiers)


def shown(opened: Stage, kind: type[D]) -> D:
    """The dialogue of that kind, once it can be seen."""

    def there() -> list[D]:
        return [each for each in opened.window.findChildren(kind) if each.isVisible()]

    opened.until(lambda: bool(there()))
    return there()[-1]


def box(opened: Stage, name: str) -> QuestionBox:
    found = shown(opened, QuestionBox)
    assert found.objectName() == name
    return found


def click(dialogue: QMessageBox, label: str) -> None:
    """One of the answers."""
    (button,) = [each for each in dialogue.buttons() if each.text().replace("&", "") == label]
    QTest.mouseClick(button, LEFT)


def type_path(opened: Stage, path: Path) -> None:
    """Into the file dialogue that is open."""
    chooser = shown(opened, FileChooser)
    name = chooser.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(name, QLineEdit)
    name.setText(str(path))
    QTest.keyClick(name, Key.Key_Return)


def open_file(opened: Stage, path: Path) -> None:
    press(opened, Key.Key_O)
    type_path(opened, path)


def add(opened: Stage, count: int = 1) -> None:
    before = boxes(opened)
    for _ in range(count):
        opened.window.menus.actions["add.box"].trigger()
    opened.until(lambda: boxes(opened) == before + count)
    opened.settle()


def boxes(opened: Stage) -> int:
    return len(opened.session.document.actors) - 1


def until_boxes(opened: Stage, count: int) -> None:
    opened.until(lambda: boxes(opened) == count)


def save(opened: Stage, path: Path) -> None:
    """Ctrl+S, and a name if there is none yet."""
    press(opened, Key.Key_S)
    if opened.session.path is None:
        type_path(opened, path)
    opened.until(lambda: not opened.session.dirty)


def said(opened: Stage, words: str) -> None:
    opened.until(lambda: any(words in each.text for each in opened.session.log))


def project(path: Path, count: int = 2) -> Document:
    """A project of somebody with so many changes."""
    from engine.edits import edit

    first = new_document()
    entries = [PastEntry("New document", None, first)]
    for number in range(count):
        done = edit("rename_actor", actor=first.actors[0].id, name=f"Name {number}")
        entries.append(PastEntry("Rename", done, done.apply(entries[-1].document)))
    save_project(path, entries[-1].document, Past(tuple(entries), count))
    return entries[-1].document


class Refusing(disk.Disk):
    """A disk that does not let the files of one folder be made or replaced."""

    def __init__(self, folder: Path, number: int) -> None:
        self.folder, self.number = folder, number

    def _refuse(self, path: Path) -> None:
        if path == self.folder or self.folder in path.parents:
            raise OSError(self.number, os.strerror(self.number))

    def make(self, folder: Path, name: str) -> Path:
        self._refuse(folder)
        return super().make(folder, name)

    def replace(self, source: Path, target: Path) -> None:
        self._refuse(target)
        super().replace(source, target)


@contextmanager
def refusing(monkeypatch: pytest.MonkeyPatch, folder: Path, number: int) -> Iterator[None]:
    """The folder's disk is full, or not to be written to: neither beside nor in place."""
    connect = schema.connect
    code = {errno.ENOSPC: sqlite3.SQLITE_FULL, errno.EACCES: sqlite3.SQLITE_READONLY}[number]

    def refused(path: Path, **options: bool) -> sqlite3.Connection:
        if options.get("writable") and folder in path.parents:
            error = sqlite3.OperationalError("refused")
            error.sqlite_errorcode = code
            raise error
        return connect(path, **options)

    before = disk.put(Refusing(folder, number))
    try:
        with monkeypatch.context() as patched:
            patched.setattr(schema, "connect", refused)
            yield
    finally:
        disk.put(before)


def is_kept(opened: Stage, copies: Path) -> None:
    """The work is open, and in recovery."""
    count = len(opened.session.document.actors)

    def there() -> bool:
        return any(len(open_project(each).document.actors) == count for each in copies.rglob(f"*{SUFFIX}"))

    assert opened.session.dirty
    opened.until(there)


def test_what_was_done_is_undone_after_the_project_is_opened_again(opened: Stage, folder: Path) -> None:
    path = folder / "walk.sinew"
    add(opened, 3)
    press(opened, Key.Key_Z)
    opened.until(lambda: boxes(opened) == 2)
    save(opened, path)
    labels = [entry.label for entry in opened.session.history.entries]
    opened.session.new()
    opened.until(lambda: opened.session.path is None and len(opened.session.history.entries) == 1)
    open_file(opened, path)
    opened.until(lambda: opened.session.path == path)
    opened.until(lambda: len(opened.session.history.entries) == len(labels))
    assert [entry.label for entry in opened.session.history.entries] == labels
    assert not opened.session.dirty
    for left in (1, 0):
        press(opened, Key.Key_Z)
        until_boxes(opened, left)
    assert opened.window.isWindowModified()
    for count in (1, 2, 3):
        press(opened, Key.Key_Z, CTRL | SHIFT)
        until_boxes(opened, count)
    opened.settle()


def test_a_newer_project_is_read_only_lists_what_is_missing_and_save_asks_where(opened: Stage, folder: Path) -> None:
    path = folder / "newer.sinew"
    document = project(path)
    change(path, "UPDATE meta SET value = '4' WHERE name = 'format'", "DELETE FROM past")
    name = document.actors[0].name
    put_text(path, document, f'"name":"{name}"', f'"name":"{name}","wings":{{"type":"Wing","span":2.5}}')
    before = path.read_bytes()
    open_file(opened, path)
    sheet = shown(opened, ListSheet)
    assert [sheet.list.item(row).text() for row in range(sheet.list.count())] == [f"wings of Actor {name}"]
    opened.until(sheet.isActiveWindow)
    QTest.keyClick(sheet.windowHandle(), Key.Key_Return)
    opened.until(lambda: not [each for each in opened.window.findChildren(ListSheet) if each.isVisible()])
    assert "(read-only)" in opened.window.windowTitle()
    assert opened.window.status.saved.text() == "Read-only"
    add(opened)
    press(opened, Key.Key_S)
    chooser = shown(opened, FileChooser)
    assert Path(chooser.selectedFiles()[0]).name == "newer copy.sinew"
    type_path(opened, folder / "mine.sinew")
    opened.until(lambda: not opened.session.dirty)
    assert "(read-only)" not in opened.window.windowTitle()
    assert path.read_bytes() == before


@pytest.mark.parametrize("answer", ["Open read-only", "Open anyway", "Cancel"])
def test_a_project_that_somebody_has_open_is_asked_about(opened: Stage, folder: Path, answer: str) -> None:
    path, first = folder / "walk.sinew", opened.session.document
    document = project(path)
    lock = f'{{"host": "{socket.gethostname()}", "process": {os.getppid()}, "since": "2026-01-02T10:00:00+00:00"}}'
    path.with_name(".walk.sinew.lock").write_text(lock)
    open_file(opened, path)
    asked = box(opened, "open-twice")
    assert "“walk.sinew” is open already: another window of Sinew, since on " in asked.text()
    click(asked, answer)
    if answer == "Cancel":
        said(opened, "walk.sinew was not opened")
        assert opened.session.document is first
        return
    opened.until(lambda: opened.session.document.digest == document.digest)
    assert ("(read-only)" in opened.window.windowTitle()) == (answer == "Open read-only")
    assert path.with_name(".walk.sinew.lock").read_text() == lock, "it stays theirs"
    if answer == "Open anyway":
        add(opened)
        press(opened, Key.Key_S)
        opened.until(lambda: not opened.session.dirty)
        said(opened, "Whoever saves last replaces what the other saved.")


def test_what_is_sound_in_a_damaged_project_is_opened(opened: Stage, folder: Path) -> None:
    path = folder / "walk.sinew"
    document = project(path)
    with closing(sqlite3.connect(path)) as database, database:
        query = "UPDATE parts SET data = zeroblob(length(data)) WHERE digest = ?"
        database.execute(query, (bytes.fromhex(document.digest),))
    before = path.read_bytes()
    open_file(opened, path)
    asked = box(opened, "damaged")
    assert "“walk.sinew” is damaged." in asked.text()
    assert all(each.width() >= each.sizeHint().width() for each in asked.buttons()), "none is cut off"
    click(asked, "Open what is sound")
    sheet = shown(opened, ListSheet)
    assert sheet.list.item(0).text() == "the newest changes"
    QTest.keyClick(sheet, Key.Key_Escape)
    assert not opened.window.message.isVisible(), "it was answered"
    assert opened.session.document.actors[0].name == "Name 0"
    assert (opened.session.path, opened.session.dirty) == (None, True)
    assert path.read_bytes() == before
    opened.settle()


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "the disk is full"), (errno.EACCES, "you may not write there")],
)
def test_a_save_that_the_disk_refuses_says_what_to_do_and_loses_nothing(
    keeping: Stage, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    path = folder / "walk.sinew"
    add(keeping)
    save(keeping, path)
    before = path.read_bytes()
    add(keeping)
    with refusing(monkeypatch, folder, number):
        press(keeping, Key.Key_S)
        said(keeping, words)
        keeping.until(lambda: not keeping.session.exchange.saving)
        assert keeping.window.message.isVisible()
        assert "the work is still open" in keeping.window.message.text
        assert keeping.window.status.saved.text() == "Not saved"
        is_kept(keeping, tmp_path / "recovery")
    assert path.read_bytes() == before
    save(keeping, path)
    assert len(open_project(path).document.actors) == 3


def test_a_folder_that_vanished_is_said_and_the_work_goes_elsewhere(
    keeping: Stage, folder: Path, tmp_path: Path
) -> None:
    path = folder / "walk.sinew"
    add(keeping)
    save(keeping, path)
    add(keeping)
    shutil.rmtree(folder)
    press(keeping, Key.Key_S)
    said(keeping, "there is no such folder")
    is_kept(keeping, tmp_path / "recovery")
    press(keeping, Key.Key_S, CTRL | SHIFT)
    type_path(keeping, tmp_path / "elsewhere.sinew")
    keeping.until(lambda: not keeping.session.dirty)
    assert len(open_project(tmp_path / "elsewhere.sinew").document.actors) == 3


def test_a_project_that_was_deleted_is_written_anew(opened: Stage, folder: Path) -> None:
    path = folder / "walk.sinew"
    add(opened)
    save(opened, path)
    add(opened)
    path.unlink()
    save(opened, path)
    said(opened, "walk.sinew had gone from its folder; it was written anew.")
    assert len(open_project(path).document.actors) == 3


@pytest.mark.parametrize("answer", ["Save as…", "Replace it", "Cancel"])
def test_a_project_that_another_program_replaced_is_asked_about(
    request: pytest.FixtureRequest, folder: Path, tmp_path: Path, answer: str
) -> None:
    opened: Stage = request.getfixturevalue("keeping" if answer == "Cancel" else "opened")
    path = folder / "walk.sinew"
    add(opened)
    save(opened, path)
    add(opened)
    project(tmp_path / "other.sinew")
    os.replace(tmp_path / "other.sinew", path)
    theirs = path.read_bytes()
    press(opened, Key.Key_S)
    asked = box(opened, "changed-meanwhile")
    click(asked, answer)
    if answer == "Save as…":
        type_path(opened, folder / "mine.sinew")
    if answer != "Cancel":
        opened.until(lambda: not opened.session.dirty)
    assert (path.read_bytes() == theirs) == (answer != "Replace it")
    assert opened.session.dirty == (answer == "Cancel")
    assert opened.session.path == (folder / "mine.sinew" if answer == "Save as…" else path)
    is_kept(opened, tmp_path / "recovery") if answer == "Cancel" else None


def test_a_drive_without_locks_is_saved_to_and_opened_from(
    opened: Stage, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, connect = folder / "walk.sinew", schema.connect

    def without_locks(path: Path, *, locked: bool = True, draft: bool = False, **options: bool) -> sqlite3.Connection:
        if locked and not draft and folder in path.parents:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_LOCK
            raise error
        return connect(path, draft=draft, locked=locked, **options)

    monkeypatch.setattr(schema, "connect", without_locks)
    for _ in range(2):
        add(opened)
        save(opened, path)
    opened.session.new()
    opened.until(lambda: opened.session.path is None)
    open_file(opened, path)
    opened.until(lambda: boxes(opened) == 2)
    opened.settle()
    press(opened, Key.Key_Z)
    opened.until(lambda: boxes(opened) == 1)


@pytest.fixture
def go_on(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """What a save waits for."""
    from engine.project import save as save_module

    go_on, real = threading.Event(), save_module.save_project

    def slow(*arguments: object, **options: object) -> tuple[str, ...]:
        assert go_on.wait(300.0)
        return real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(save_module, "save_project", slow)
    return go_on


def begin_save(opened: Stage, path: Path) -> None:
    """Add something and save it there, until the slow save is under way."""
    add(opened)
    press(opened, Key.Key_S)
    type_path(opened, path)
    opened.until(lambda: opened.window.status.saved.text() == "Saving…")


def test_saved_again_before_the_first_save_has_its_file_a_person_is_asked_once(
    opened: Stage, folder: Path, go_on: threading.Event
) -> None:
    path = folder / "walk.sinew"
    begin_save(opened, path)
    opened.window.menus.actions["add.box"].trigger()
    until_boxes(opened, 2)
    press(opened, Key.Key_S)
    opened.draw()
    assert not [each for each in opened.window.findChildren(FileChooser) if each.isVisible()]
    go_on.set()
    opened.until(lambda: not opened.session.dirty)
    assert len(open_project(path).document.actors) == 3


def test_the_window_goes_on_while_it_saves_and_closes_once_it_is_saved(
    keeping: Stage, folder: Path, go_on: threading.Event
) -> None:
    path = folder / "walk.sinew"
    begin_save(keeping, path)
    press(keeping, Key.Key_Q)
    keeping.until(lambda: "closes as soon as it is read back" in keeping.window.message.text)
    keeping.draw()
    assert keeping.window.isVisible()
    go_on.set()
    keeping.until(lambda: not keeping.window.isVisible())
    assert len(open_project(path).document.actors) == 2


def test_numbered_versions_are_saved_by_key_and_earlier_ones_kept_by_preference(opened: Stage, folder: Path) -> None:
    path = folder / "walk.sinew"
    add(opened)
    save(opened, path)
    add(opened)
    press(opened, Key.Key_S, CTRL | ALT)  # file.save_numbered
    opened.until(lambda: opened.session.path == folder / "walk 2.sinew")
    assert opened.window.windowTitle().startswith("walk 2")
    opened.window.sheets.show_preferences("Files")
    sheet = shown(opened, PreferencesSheet)
    assert isinstance(sheet.fields["earlier_versions"], QSpinBox)
    QTest.keyClick(sheet.fields["earlier_versions"], Key.Key_Up)
    sheet.close()
    assert opened.window.preferences.earlier_versions == 1
    add(opened)
    save(opened, path)
    found = {each.name: len(open_project(each).document.actors) for each in folder.glob("*.sinew")}
    assert found == {"walk.sinew": 2, "walk 2.sinew": 4, "walk 2.1.sinew": 3}


def test_a_project_is_packed_by_the_menu(opened: Stage, folder: Path) -> None:
    add(opened)
    save(opened, folder / "walk.sinew")
    choose(opened, "file.pack")
    chooser = shown(opened, FileChooser)
    assert Path(chooser.selectedFiles()[0]).name == "walk to share.sinew"
    type_path(opened, folder / "for Ann")
    said(opened, "Packed for Ann.sinew")
    packed = open_project(folder / "for Ann.sinew")
    assert (packed.document.digest, packed.lines) == (opened.session.document.digest, 0)
    assert opened.session.path == folder / "walk.sinew"

"""Questions to the person: files to choose, how they are to be read or written, whether changes are to be saved.

Every dialogue answers by calling back, so that nothing waits while one is open.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog, QMessageBox, QWidget

from app.features.window import FileKind
from app.shell.export_sheet import ExportSheet
from app.shell.file_chooser import FileChooser
from app.shell.file_kinds import readable_kinds
from app.shell.import_sheet import ImportSheet
from app.shell.imports import ImportChoice
from app.shell.project_boxes import ListSheet, busy_box, changed_box, damaged_box, software_box
from engine.document import Document

if TYPE_CHECKING:
    from app.shell.window import MainWindow
    from engine.commands.bring_in import BroughtIn
    from engine.formats.format import Options


class Dialogues:
    """The real ones, above a window; at most one is open."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._open: QWidget | None = None
        self._later: deque[Callable[[], None]] = deque()

    def which_file(self, folder: Path | None, then: Callable[[Path], None]) -> None:
        """Ask for a file to open."""
        self._choose_present("Open", folder, readable_kinds(), then)

    def which_of(self, kind: FileKind, folder: Path | None, then: Callable[[Path], None]) -> None:
        """Ask for a file of a kind to read."""
        self._choose_present(kind.title, folder, ";;".join(kind.listed), then)

    def where_to_save(self, kind: FileKind, suggested: Path, then: Callable[[Path], None]) -> None:
        """Ask where to save a file of a kind; the ending that is chosen is given where none is typed."""
        folder = suggested.parent if suggested.is_absolute() else _home()
        endings = dict(zip(kind.listed, kind.endings, strict=True))
        chooser = FileChooser(self._window, kind.title, folder, ";;".join(kind.listed))
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setDefaultSuffix(suggested.suffix[1:])
        if len(endings) > 1:
            chooser.filterSelected.connect(lambda listed: chooser.setDefaultSuffix(endings[listed][1:]))
        chooser.selectFile(suggested.stem if len(endings) > 1 else suggested.name)
        self._choose(chooser, then)

    def _choose_present(self, title: str, folder: Path | None, kinds: str, then: Callable[[Path], None]) -> None:
        chooser = FileChooser(self._window, title, folder or _home(), kinds)
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        self._choose(chooser, then)

    def how_to_import(
        self, path: Path, found: BroughtIn, others: int, then: Callable[[ImportChoice | None], None]
    ) -> None:
        """Ask for what a file does not say, after whatever is open now."""

        def ask() -> None:
            sheet = ImportSheet(self._window, path, found, others)
            self._show(sheet, lambda code: then(sheet.choice if code == QDialog.DialogCode.Accepted else None))

        self._when_closed(ask)

    def how_to_export(
        self, document: Document, actors: Sequence[str], suggested: Path, then: Callable[[Path, Options], None]
    ) -> None:
        """Ask for the format, then for the file."""
        if self._is_open():
            return
        sheet = ExportSheet(self._window, document, actors, seconds=self._window.session.clock.seconds)

        def choose(code: int) -> None:
            if code == QDialog.DialogCode.Accepted:
                self._export_to(suggested, sheet.format.name, sheet.suffix, sheet.options, then)

        self._show(sheet, choose)

    def _export_to(
        self, suggested: Path, name: str, suffix: str, options: Options, then: Callable[[Path, Options], None]
    ) -> None:
        folder = suggested.parent if suggested.is_absolute() else _home()
        chooser = FileChooser(self._window, "Export", folder, f"{name} (*{suffix})")
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setDefaultSuffix(suffix[1:])
        chooser.selectFile(suggested.name + suffix)
        self._choose(chooser, lambda path: then(path, options))

    def workspace_name(self, suggested: str, then: Callable[[str], None]) -> None:
        """Ask for the name of an arrangement of panels."""
        if self._is_open():
            return
        box = QInputDialog(self._window)
        box.setObjectName("workspace-name")
        box.setWindowTitle("Save workspace as")
        box.setLabelText("Name of the workspace:")
        box.setTextValue(suggested)
        box.setOkButtonText("Save")
        self._show(box, lambda code: then(box.textValue()) if code == QDialog.DialogCode.Accepted else None)

    def stop_exports(self, count: int, stop: Callable[[], None]) -> None:
        """Stop or Go on."""
        if self._is_open():
            return
        box = QMessageBox(self._window)
        box.setObjectName("stop-exports")
        box.setWindowTitle("Sinew")
        box.setText("A video is being exported." if count == 1 else f"{count} videos are being exported.")
        box.setInformativeText(
            "Closing stops it, and its file is not written." if count == 1 else "Closing stops them all."
        )
        ending = box.addButton("Stop", QMessageBox.ButtonRole.AcceptRole)
        going_on = box.addButton("Go on", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(going_on)
        box.setEscapeButton(going_on)
        self._show(box, lambda code: stop() if box.clickedButton() is ending else None)

    def save_changes(self, name: str, save: Callable[[], None], discard: Callable[[], None]) -> None:
        """Save, Discard or Cancel."""
        if self._is_open():
            return
        box = QMessageBox(self._window)
        box.setObjectName("save-changes")
        box.setWindowTitle("Sinew")
        box.setText(f"Save the changes to “{name}”?")
        box.setInformativeText("They are lost if you discard them.")
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        calls = {buttons.Save: save, buttons.Discard: discard}
        self._show(box, lambda code: calls.get(buttons(code), _stay)())

    def open_twice(
        self,
        name: str,
        who: str,
        *,
        read_only: Callable[[], None],
        anyway: Callable[[], None],
        cancel: Callable[[], None],
    ) -> None:
        """Open read-only, Open anyway or Cancel."""

        def ask() -> None:
            box = busy_box(self._window, name, who, read_only=read_only, anyway=anyway, cancel=cancel)
            self._show(box, box.finish)

        self._when_closed(ask)

    def open_sound(self, name: str, then: Callable[[], None]) -> None:
        """Open what is sound or Cancel."""

        def ask() -> None:
            box = damaged_box(self._window, name, open_sound=then)
            self._show(box, box.finish)

        self._when_closed(ask)

    def replace_changed(self, name: str, *, elsewhere: Callable[[], None], replace: Callable[[], None]) -> None:
        """Save as…, Replace it or Cancel."""

        def ask() -> None:
            box = changed_box(self._window, name, elsewhere=elsewhere, replace=replace)
            self._show(box, box.finish)

        self._when_closed(ask)

    def draw_with_processor(self, why: str, then: Callable[[], None]) -> None:
        """Draw with the processor or Go on without."""

        def ask() -> None:
            box = software_box(self._window, why, draw=then)
            self._show(box, box.finish)

        self._when_closed(ask)

    def tell(self, title: str, text: str, lines: Sequence[str]) -> None:
        """Something to read."""
        self._when_closed(lambda: self._show(ListSheet(self._window, title, text, lines), lambda code: None))

    def _when_closed(self, ask: Callable[[], None]) -> None:
        if self._open is None:
            ask()
        else:
            self._later.append(ask)

    def _choose(self, chooser: QFileDialog, then: Callable[[Path], None]) -> None:
        if self._is_open():
            chooser.deleteLater()
            return

        def finish(code: int) -> None:
            if code == QDialog.DialogCode.Accepted and chooser.selectedFiles():
                then(Path(chooser.selectedFiles()[0]))

        self._show(chooser, finish)

    def _show(self, dialogue: QDialog, finish: Callable[[int], None]) -> None:
        dialogue.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialogue.finished.connect(self._forget)
        dialogue.finished.connect(finish)
        self._open = dialogue
        dialogue.open()

    def _is_open(self) -> bool:
        if self._open is not None:
            self._open.raise_()
            self._open.activateWindow()
        return self._open is not None

    def _forget(self, code: int) -> None:
        self._open = None
        if self._later:
            QTimer.singleShot(0, self._ask_next)

    def _ask_next(self) -> None:
        if self._later and self._open is None:
            self._later.popleft()()


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        return Path.cwd()


def _stay() -> None:
    """Cancel: nothing is saved and nothing is lost."""

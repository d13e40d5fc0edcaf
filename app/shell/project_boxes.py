"""Questions about project files and the start, each as a box that is yet to be shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QListWidget, QMessageBox, QPushButton, QWidget

from app.style.fonts import scaled
from app.style.sheet import Sheet

ROLES = QMessageBox.ButtonRole
LISTED = (460, 120)  # [logical px] of a list


class QuestionBox(QMessageBox):
    """A question with named answers; what was chosen is called by `finish`."""

    def __init__(self, window: QWidget, name: str, text: str, about: str) -> None:
        super().__init__(window)
        self.setObjectName(name)
        self.setWindowTitle("Sinew")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setInformativeText(about)
        self._calls: list[tuple[QPushButton, Callable[[], None]]] = []

    def answer(self, label: str, call: Callable[[], None], *, usual: bool = False, escape: bool = False) -> None:
        """Add an answer."""
        button = self.addButton(label, ROLES.RejectRole if escape else ROLES.AcceptRole)
        self._calls.append((button, call))
        button.ensurePolished()
        button.setMinimumWidth(button.sizeHint().width())  # else a box of few words cuts its answers off
        if usual:
            self.setDefaultButton(button)
        if escape:
            self.setEscapeButton(button)

    def finish(self, code: int) -> None:
        """Take the answer once the box is closed."""
        for button, call in self._calls:
            if button is self.clickedButton():
                call()


def busy_box(
    window: QWidget,
    name: str,
    who: str,
    *,
    read_only: Callable[[], None],
    anyway: Callable[[], None],
    cancel: Callable[[], None],
) -> QuestionBox:
    """Somebody else has a file open."""
    about = "Who saves last replaces what the other has saved. Open it read-only to look at it, or to save a copy."
    box = QuestionBox(window, "open-twice", f"“{name}” is open already: {who}.", about)
    box.answer("Open read-only", read_only, usual=True)
    box.answer("Open anyway", anyway)
    box.answer("Cancel", cancel, escape=True)
    return box


def damaged_box(window: QWidget, name: str, *, open_sound: Callable[[], None]) -> QuestionBox:
    """Make the box about a damaged file."""
    about = "What is sound in it can be opened as a new document; what is lost is listed. The file stays as it is."
    box = QuestionBox(window, "damaged", f"“{name}” is damaged.", about)
    box.answer("Open what is sound", open_sound, usual=True)
    box.answer("Cancel", _stay, escape=True)
    return box


def changed_box(
    window: QWidget, name: str, *, elsewhere: Callable[[], None], replace: Callable[[], None]
) -> QuestionBox:
    """Another program has changed the file that is to be saved."""
    about = "It was neither read nor written here as it is now. Replacing it loses what the other program wrote."
    box = QuestionBox(window, "changed-meanwhile", f"Another program has changed “{name}”.", about)
    box.answer("Save as…", elsewhere, usual=True)
    box.answer("Replace it", replace)
    box.answer("Cancel", _stay, escape=True)
    return box


def software_box(window: QWidget, why: str, *, draw: Callable[[], None]) -> QuestionBox:
    """Offer to draw without the graphics driver, which has no OpenGL that is enough."""
    about = (
        "Sinew needs OpenGL 2.1 or newer. It can start again and draw with the processor, which is slower; so does "
        "“sinew --software” from then on. Without a picture, files and all panels work."
    )
    box = QuestionBox(window, "software", f"There is no 3D picture. {why}", about)
    box.answer("Draw with the processor", draw, usual=True)
    box.answer("Go on without", _stay, escape=True)
    return box


class ListSheet(Sheet):
    """A sentence and a list to read."""

    def __init__(self, window: QWidget, title: str, text: str, lines: Sequence[str]) -> None:
        super().__init__(window, title)
        self.setObjectName("list")
        words = QLabel(text, wordWrap=True)
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setProperty("quiet", True)
        words.setMinimumWidth(scaled(LISTED[0]))
        self.column.addWidget(words)
        self.list = QListWidget()
        self.list.setAccessibleName(title)
        self.list.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.addItems(list(lines))
        self.list.setMinimumHeight(scaled(LISTED[1]))
        self.list.setVisible(bool(lines))
        self.column.addWidget(self.list, 1)
        self.add_button().button(QDialogButtonBox.StandardButton.Close).setFocus()


def _stay() -> None:
    """Do nothing."""

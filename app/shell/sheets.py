"""Two sheets to read: About, with the versions that a report of a problem needs, and all keys and mouse gestures."""

from __future__ import annotations

import platform
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.shell.actions import ACTIONS, MENUS, MOUSE
from app.style.fonts import TITLE, number_font, text_font
from engine import __version__

COMPONENTS = ("PySide6-Essentials", "vispy", "PyOpenGL", "numpy", "scipy", "numba", "llvmlite")
MARGIN = 24


class Sheet(QDialog):
    """A quiet dialogue with a title, content and one button; it does not block the window."""

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(MARGIN, MARGIN, MARGIN, 16)
        self.column.setSpacing(14)
        heading = QLabel(title)
        heading.setFont(text_font(TITLE))
        self.column.addWidget(heading)

    def add_button(self) -> QDialogButtonBox:
        """The row of buttons at the foot."""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        self.column.addWidget(buttons)
        return buttons


class About(Sheet):
    """What Sinew is, and the versions of what it runs on."""

    def __init__(self, parent: QWidget, renderer: str) -> None:
        super().__init__(parent, "Sinew")
        self.setObjectName("about")
        purpose = QLabel("Pose, simulate and animate bodies.\nMIT licence.")
        purpose.setProperty("quiet", True)
        self.column.addWidget(purpose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(5)
        for row, (name, value) in enumerate(versions(renderer)):
            grid.addWidget(_cell(name, "faint"), row, 0)
            grid.addWidget(_cell(value, "quiet"), row, 1)
        self.column.addLayout(grid)
        copy = self.add_button().addButton("Copy", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAutoDefault(False)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(as_text(renderer)))


class Keys(Sheet):
    """Every key and mouse gesture, in three columns."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Keys and mouse")
        self.setObjectName("keys")
        row = QHBoxLayout()
        row.setSpacing(44)
        blocks = {menu: keys_of(menu) for menu in MENUS}
        for titles in (("File", "Edit", "Select", "Add"), ("View",), ("Pose", "Figure", "Time", "Help", "Mouse")):
            row.addLayout(_column({each: list(MOUSE) if each == "Mouse" else blocks[each] for each in titles}))
        self.column.addLayout(row)
        self.add_button()


def keys_of(menu: str) -> list[tuple[str, str]]:
    """The keys of one menu's actions, as they are written here, and what they do."""
    native = QKeySequence.SequenceFormat.NativeText
    return [
        (" or ".join(QKeySequence(key).toString(native) for key in action.keys), action.label.rstrip("…"))
        for action in ACTIONS
        if action.menu == menu and action.keys
    ]


def versions(renderer: str) -> list[tuple[str, str]]:
    """Sinew's version and those of what it runs on."""
    from importlib import metadata  # 15 ms that the first paint can do without

    found = [("Sinew", __version__), ("Python", platform.python_version()), ("System", platform.platform(terse=True))]
    for name in COMPONENTS:
        try:
            found.append((name, metadata.version(name)))
        except metadata.PackageNotFoundError:
            found.append((name, "bundled"))
    return [*found, ("OpenGL", renderer or "not loaded")]


def as_text(renderer: str) -> str:
    """The versions, one a line."""
    return "\n".join(f"{name} {value}" for name, value in versions(renderer))


def _column(blocks: Mapping[str, list[tuple[str, str]]]) -> QGridLayout:
    """Blocks below one another, their keys in one line."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(5)
    for title, lines in blocks.items():
        row = grid.rowCount()
        heading = QLabel(title)
        heading.setFont(text_font(weight=QFont.Weight.DemiBold))
        heading.setContentsMargins(0, 0 if row == 1 else 12, 0, 2)
        grid.addWidget(heading, row, 0, 1, 2)
        for step, (keys, what) in enumerate(lines, start=1):
            grid.addWidget(_cell(what, "quiet"), row + step, 0)
            grid.addWidget(_cell(keys, "faint"), row + step, 1)
    grid.setRowStretch(grid.rowCount(), 1)
    return grid


def _cell(text: str, tone: str) -> QLabel:
    label = QLabel(text)
    label.setFont(number_font())
    label.setProperty(tone, True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label

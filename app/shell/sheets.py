"""Sheet, the ground of every dialogue to read; and About, with the versions that a report of a problem needs."""

from __future__ import annotations

import platform

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.style.fonts import TITLE, number_font, scaled, text_font
from engine import __version__

COMPONENTS = ("PySide6-Essentials", "vispy", "PyOpenGL", "numpy", "scipy", "numba", "llvmlite")
MARGIN, ROW_HEIGHT = 24, 28


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


class Pages(QListWidget):
    """The names of a sheet's pages, at its left."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.setFixedWidth(scaled(width))
        self.setFrameShape(QFrame.Shape.NoFrame)

    def add(self, title: str) -> None:
        """One more."""
        item = QListWidgetItem(title, self)
        item.setSizeHint(QSize(0, scaled(ROW_HEIGHT)))


class AboutSheet(Sheet):
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


def _cell(text: str, tone: str) -> QLabel:
    label = QLabel(text)
    label.setFont(number_font())
    label.setProperty(tone, True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label

"""About: the versions that a report of a problem needs."""

from __future__ import annotations

import platform

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QGridLayout, QLabel, QWidget

from app.style.fonts import number_font
from app.style.sheet import Sheet
from engine import __version__

COMPONENTS = ("PySide6-Essentials", "vispy", "PyOpenGL", "numpy", "scipy", "numba", "llvmlite")


class AboutSheet(Sheet):
    """The sheet that says what Sinew is, and the versions of what it runs on."""

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
    """List the versions, one a line."""
    return "\n".join(f"{name} {value}" for name, value in versions(renderer))


def _cell(text: str, tone: str) -> QLabel:
    label = QLabel(text)
    label.setFont(number_font())
    label.setProperty(tone, True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label

"""The sheet of file formats: what Sinew reads and writes, what each carries, and how large a file may be."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from app.style.fonts import text_font
from app.style.sheet import Sheet

SIZE = (1120, 720)
WIDTHS = (108, 84, 92, 300, 176, 168)
COMMAND = "python -m engine convert IN OUT"


class FormatsSheet(Sheet):
    """One row for each format, from the engine's own table."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Files")
        from engine.formats.overview import OPTIONS

        self.setObjectName("formats")
        self.column.addWidget(
            _cell("Open or drop a file to read it; File > Export… writes the selected actors.", "quiet")
        )
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(_table())
        self.column.addWidget(area, 1)
        flags = ", ".join(f"{flag} ({words})" for flag, words in OPTIONS.values())
        self.column.addWidget(_cell(f"Without the window: {COMMAND}, with {flags}.", "quiet"))
        self.add_button()
        self.resize(*SIZE)


def _table() -> QWidget:
    from engine.formats.overview import HEADS, rows

    table = QWidget()
    grid = QGridLayout(table)
    grid.setContentsMargins(0, 0, 12, 0)
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(9)
    for row, line in enumerate((HEADS, *rows())):
        for column, text in enumerate(line):
            grid.addWidget(
                _cell(text, "faint" if row == 0 else "quiet" if column else "", bold=row > column == 0), row, column
            )
    for column, width in enumerate(WIDTHS):
        grid.setColumnMinimumWidth(column, width)
        grid.setColumnStretch(column, width)
    return table


def _cell(text: str, tone: str, *, bold: bool = False) -> QLabel:
    label = QLabel(text)
    if tone:
        label.setProperty(tone, True)
    if bold:
        label.setFont(text_font(weight=QFont.Weight.Medium))
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setWordWrap(True)
    return label

"""ColourButton: a swatch with a colour, or none; a click asks for another, the button beside it takes it away."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QColorDialog, QHBoxLayout, QLabel, QPushButton, QWidget

from app.style.icon_button import IconButton

SWATCH = QSize(28, 14)


class ColourButton(QWidget):
    """A named colour, '#rrggbb' or empty."""

    chosen = Signal(str)

    def __init__(self, name: str, none: str, tip: str, first: str) -> None:
        """`none` is what it says without a colour; `first` what choosing begins with then."""
        super().__init__()
        self.colour, self._none, self._first = "", none, first
        label = QLabel(name)
        label.setProperty("quiet", True)
        self.button = QPushButton()
        self.button.setAutoDefault(False)
        self.button.setIconSize(SWATCH)
        self.button.setToolTip(tip)
        self.button.setAccessibleName(name)
        self.button.clicked.connect(self.ask)
        self.clear = IconButton("rotate-ccw", f"{name}: {none.lower()}")
        self.clear.clicked.connect(lambda: self.chosen.emit(""))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(label)
        line.addWidget(self.button, 1)
        line.addWidget(self.clear)
        self.dialog: QColorDialog | None = None
        self.show_colour("")

    def show_colour(self, colour: str) -> None:
        """Show a colour, or none."""
        self.colour = colour
        self.button.setText(colour or self._none)
        self.button.setIcon(_swatch(colour) if colour else QIcon())
        self.clear.setEnabled(bool(colour))

    def ask(self) -> None:
        """Let a person choose."""
        self.dialog = dialog = QColorDialog(QColor(self.colour or self._first), self)
        dialog.setWindowTitle(self.button.accessibleName())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.colorSelected.connect(lambda colour: self.chosen.emit(colour.name()))
        dialog.finished.connect(self._forget)
        dialog.open()

    def _forget(self) -> None:
        self.dialog = None


def _swatch(colour: str) -> QIcon:
    picture = QPixmap(SWATCH)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(picture.rect(), 3, 3)
    painter.end()
    return QIcon(picture)

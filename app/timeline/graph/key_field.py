"""KeyField: shows a number of the chosen keys, and takes a typed one after a click."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font, scaled, text_font
from app.style.number_field import NumberField
from app.style.units import Unit

WIDTH, HEIGHT = 128, 22


class KeyField(QWidget):
    """A name and a number, or none."""

    entered = Signal(float)

    def __init__(self, label: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = label
        self._unit: Unit | None = None
        self._value = 0.0
        self.setToolTip(tip)
        self.setAccessibleName(label)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setEnabled(False)

    def show_value(self, value: float, unit: Unit | None) -> None:
        """Show a value in a unit; None: nothing."""
        if (value, unit) != (self._value, self._unit):
            self._value, self._unit = value, unit
            self.setEnabled(unit is not None)
            self.setAccessibleDescription("" if unit is None else unit.spoken(value))
            self.update()

    def edit(self, text: str | None = None) -> None:
        """Open the line for typing."""
        if self._unit is None:
            return
        field = NumberField(self, unit=self._unit, present=self._value)
        field.entered.connect(self.entered)
        field.closed.connect(field.deleteLater)
        field.begin(text)

    def sizeHint(self) -> QSize:
        return QSize(scaled(WIDTH), scaled(HEIGHT))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.edit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self.edit()
        elif event.text() and event.text() in "0123456789.-+(":
            self.edit(event.text())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.line), 1.0))
        painter.setBrush(QColor(theme.field))
        painter.drawRoundedRect(frame, 4.0, 4.0)
        inner = frame.adjusted(7.0, 0.0, -7.0, 0.0)
        painter.setFont(text_font(SMALL))
        painter.setPen(QColor(theme.text_quiet if self._unit is not None else theme.text_faint))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._label)
        painter.setFont(number_font(SMALL))
        painter.setPen(QColor(theme.text if self._unit is not None else theme.text_faint))
        text = "\N{EN DASH}" if self._unit is None else self._unit.text(self._value)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        painter.end()

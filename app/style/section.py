"""Section: a group that folds under its header. What is inside is made when it is first unfolded, not before."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.style.apply import current_theme
from app.style.fonts import number_font, scaled, text_font
from app.style.icons import icon

HEIGHT = 26
ARROW = 12


class SectionHeader(QWidget):
    """The line that folds a group: an arrow, a title, and a quiet summary at the right."""

    toggled = Signal(bool)

    def __init__(self, title: str, *, summary: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._summary, self._unfolded = title, summary, False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(title)
        self._describe()

    @property
    def unfolded(self) -> bool:
        """True if the group is open."""
        return self._unfolded

    def set_unfolded(self, unfolded: bool) -> None:
        """Open or fold the group."""
        if unfolded != self._unfolded:
            self._unfolded = unfolded
            self._describe()
            self.update()
            self.toggled.emit(unfolded)

    def set_summary(self, summary: str) -> None:
        """Set the quiet text at the right: the present value, so that a folded group still shows it."""
        if summary != self._summary:
            self._summary = summary
            self._describe()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(220, scaled(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, scaled(HEIGHT))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.set_unfolded(not self._unfolded)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.set_unfolded(not self._unfolded)
        elif event.key() in keys:
            self.set_unfolded(keys[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QColor(theme.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.hover))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0)
        arrow = icon("chevron-down" if self._unfolded else "chevron-right", theme, "text_faint")
        arrow.paint(painter, 4, (self.height() - ARROW) // 2, ARROW, ARROW)
        frame = QRectF(self.rect()).adjusted(22.0, 0.0, -8.0, 0.0)
        font = text_font(weight=QFont.Weight.Medium)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        title = metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, frame.width())
        painter.drawText(frame, Qt.AlignmentFlag.AlignVCenter, title)
        room = frame.width() - metrics.horizontalAdvance(title) - 12.0
        painter.setFont(number_font())
        painter.setPen(QColor(theme.text_faint))
        summary = QFontMetricsF(number_font()).elidedText(self._summary, Qt.TextElideMode.ElideRight, room)
        if room > 24.0:
            painter.drawText(frame, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, summary)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        self.update()
        super().changeEvent(event)

    def _describe(self) -> None:
        state = "unfolded" if self._unfolded else "folded"
        self.setAccessibleDescription(f"{self._summary}, {state}" if self._summary else state)


class FoldedSection(QWidget):
    """A header and what it folds away; `build` makes the inside when it is first needed."""

    unfolded = Signal(bool)

    def __init__(
        self, title: str, build: Callable[[], QWidget], *, summary: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._build = build
        self._inside: QWidget | None = None
        self.header = SectionHeader(title, summary=summary, parent=self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addWidget(self.header)
        self.header.toggled.connect(self._fold)
        # not fixed: words that wrap need more lines in a narrow dock than the size that is asked for without a width
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    def _fold(self, unfolded: bool) -> None:
        if unfolded and self._inside is None:
            self._inside = self._build()
            self._column.addWidget(self._inside)
        if self._inside is not None:
            self._inside.setVisible(unfolded)
        self.unfolded.emit(unfolded)

"""AutoKeySwitch: shows in words and in red that poses become keys, in amber that one is not keyed, and switches it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.style.apply import current_theme
from app.style.fonts import scaled, text_font
from app.style.shown_keys import with_key
from app.style.theme import mix

TIP = "Auto-key: a pose of a figure that has keys is keyed; else it stays a working pose"
ON, OFF, DRAFTED = "Auto-key", "No auto-key", "Not keyed"
HEIGHT, DOT, GAP = 22, 4.0, 8.0  # [logical px]


class AutoKeySwitch(QAbstractButton):
    """A pill with a dot: filled red while poses are keyed, hollow and grey while they are not, hollow and amber where
    the pose that is seen waits for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drafted = False
        self.setCheckable(True)
        self.setToolTip(TIP)
        self.setAccessibleName(TIP)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def words(self) -> str:
        """The present text."""
        return DRAFTED if self._drafted else ON if self.isChecked() else OFF

    def show_drafted(self, drafted: bool) -> None:
        """Show whether the pose that is seen is a working pose."""
        if drafted != self._drafted:
            self._drafted = drafted
            self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the longest text, so that nothing beside it shifts."""
        metrics = QFontMetricsF(self._font())
        width = max(metrics.horizontalAdvance(text) for text in (ON, OFF, DRAFTED))
        return QSize(round(width + 2.0 * DOT + 3.0 * GAP), scaled(HEIGHT))

    def event(self, event: QEvent) -> bool:
        """Name the present shortcut in the tooltip."""
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(with_key(TIP, "pose.auto_key"))
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        self.updateGeometry()
        self.update()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, drafted = current_theme(), self._drafted
        on, colour = self.isChecked() or drafted, theme.warning if drafted else theme.danger
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        ground = mix(theme.panel, colour, 0.24) if on else theme.hover if self.underMouse() else theme.panel
        edge = theme.accent if self.hasFocus() else colour if on else theme.line
        painter.setPen(QPen(QColor(edge), 1.0))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(frame, 0.5 * frame.height(), 0.5 * frame.height())
        dot = QColor(colour if on else theme.text_faint)
        painter.setPen(QPen(dot, 1.5))
        painter.setBrush(dot if on and not drafted else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(frame.left() + GAP + DOT, frame.center().y()), DOT, DOT)
        painter.setFont(self._font())
        painter.setPen(QColor(theme.text if on else theme.text_faint))
        painter.drawText(
            frame.adjusted(1.75 * GAP + 2.0 * DOT, 0.0, 0.0, 0.0), Qt.AlignmentFlag.AlignVCenter, self.words
        )
        painter.end()

    def _font(self) -> QFont:
        return text_font(weight=QFont.Weight.Medium)

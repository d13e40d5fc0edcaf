"""ElidedLabel: one line of text that ends in an ellipsis where there is no room, and is whole in its tooltip."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.style.apply import current_theme
from app.style.fonts import scaled, text_font


def cut(text: str, widget: QWidget, most: int) -> str:
    """Shorten a text to so many logical pixels of a widget's font, for one whose width follows its text."""
    return widget.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, scaled(most))


class ElidedLabel(QWidget):
    """A line of text in one of the theme's text colours."""

    def __init__(
        self,
        text: str = "",
        *,
        colour: str = "text",
        font: QFont | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._colour, self._mode = colour, mode
        self.setFont(font or text_font())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._text = ""
        self._tip: str | None = ""
        self.set_text(text)

    @property
    def text(self) -> str:
        """The whole text."""
        return self._text

    @property
    def shown_text(self) -> str:
        """The text as it fits."""
        return QFontMetrics(self.font()).elidedText(self._text, self._mode, self.width())

    def set_text(self, text: str, *, tip: str | None = None) -> None:
        """Show another text."""
        if (text, tip) == (self._text, self._tip):
            return
        self._text, self._tip = text, tip
        self.setToolTip(text if tip is None else tip)
        self.setAccessibleName(text)
        if self.sizePolicy().horizontalPolicy() != QSizePolicy.Policy.Ignored:  # else its length lays out nothing
            self.updateGeometry()
        self.update()

    def set_colour(self, colour: str) -> None:
        """Write in another of the theme's colours."""
        if colour != self._colour:
            self._colour = colour
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._text) + 1, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(current_theme().token(self._colour))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.shown_text)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        self.update()
        super().changeEvent(event)

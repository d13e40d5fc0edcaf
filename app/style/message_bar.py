"""MessageBar: a message that is there without being in the way. It takes no focus, and a cross puts it away.

In a panel it wraps. In one line it stands where there is room anyway, so that it covers nothing and moves nothing; what
does not fit is in its tooltip.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QElapsedTimer, QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.style.apply import current_theme
from app.style.elided_label import ElidedLabel
from app.style.fonts import scaled
from app.style.icon_button import IconButton
from app.style.icons import icon
from app.style.theme import mix

Kind = Literal["note", "warning", "error"]
ICONS: dict[Kind, tuple[str, str]] = {
    "note": ("info", "accent"),
    "warning": ("triangle-alert", "warning"),
    "error": ("circle-alert", "danger"),
}
ICON_SIZE, LEFT, LINE = 16, 12, 20  # [logical px]
READ_IN = 5000  # [ms]


class MessageBar(QWidget):
    """One message with its kind, and perhaps one thing to do about it; hidden while there is none."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None, *, one_line: bool = False) -> None:
        super().__init__(parent)
        self._kind: Kind = "note"
        self._act: Callable[[], None] | None = None
        self._said = ""
        self._since = QElapsedTimer()
        self._text = ElidedLabel() if one_line else QLabel(wordWrap=True)
        if isinstance(self._text, QLabel):
            self._text.setMinimumWidth(90)
            self._text.setTextFormat(Qt.TextFormat.PlainText)
            self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._button = QPushButton()
        self._button.clicked.connect(self._do)
        self._cross = IconButton("x", "Close this message")
        self._cross.clicked.connect(self.dismiss)
        if one_line:
            self._lay_in_line()
        else:
            self._lay_out()
        self.hide()

    def _lay_in_line(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(LEFT + ICON_SIZE + 8, 0, 2, 0)
        row.setSpacing(8)
        row.addWidget(self._text, 1)
        self._button.setProperty("slim", True)
        for each in (self._button, self._cross):
            each.setFixedHeight(scaled(LINE - 2))
            row.addWidget(each)
        self.setFixedHeight(scaled(LINE))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(LEFT + ICON_SIZE + 10, 6, 8, 6)
        row.setSpacing(10)
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(self._text)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignLeft)
        row.addLayout(column, 1)
        row.addWidget(self._cross, 0, Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    @property
    def text(self) -> str:
        """The message shown."""
        return self._said

    @property
    def kind(self) -> Kind:
        """The kind of the message shown."""
        return self._kind

    def say(self, text: str, *, kind: Kind = "note", do: str = "", act: Callable[[], None] | None = None) -> None:
        """Show a message instead of the one before; `do` names a button that calls `act` and puts the message away."""
        self._kind, self._act = kind, act
        self._said = text
        if isinstance(self._text, QLabel):
            self._text.setText(text)
        else:
            self._text.set_text(text)
            self._text.setMaximumWidth(self._text.sizeHint().width())
        self._button.setText(do)
        self._button.setVisible(act is not None)
        self.setAccessibleName(f"{kind}: {text}")
        self._since.start()
        self.show()
        self.update()

    def outlive(self) -> None:
        """Put a note or a warning away that had time to be read: the person has gone on to something else."""
        if self._kind != "error" and self._act is None and self._since.isValid() and self._since.hasExpired(READ_IN):
            self.dismiss()

    def dismiss(self) -> None:
        """Put the message away."""
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        name, colour = ICONS[self._kind]
        frame = QRectF(self.rect())
        painter.fillRect(frame, QColor(mix(theme.raised, theme.token(colour), 0.10)))
        painter.fillRect(QRectF(0.0, 0.0, 3.0, frame.height()), QColor(theme.token(colour)))
        icon(name, theme, colour).paint(painter, LEFT, round((frame.height() - ICON_SIZE) / 2), ICON_SIZE, ICON_SIZE)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        self.update()
        super().changeEvent(event)

    def _do(self) -> None:
        act = self._act
        self.dismiss()
        if act is not None:
            act()

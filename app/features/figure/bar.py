"""FigureBar: says in the status line that a figure is edited, and ends it: it covers nothing and moves nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.session import Session
from app.style.apply import current_theme
from app.style.elided_label import ElidedLabel
from app.style.fonts import scaled
from app.style.icons import icon
from app.style.theme import mix

HEIGHT, ICON = 20, 14  # [logical px]


class FigureBar(QWidget):
    """There while a figure is edited."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.what = ElidedLabel()
        self.done = QPushButton("Done")
        self.done.setToolTip("Show the pose again (Shift+E)")
        self.done.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.done.setProperty("slim", True)
        self.done.setFixedHeight(scaled(HEIGHT - 2))
        self.done.clicked.connect(lambda: session.edit_figure(None))
        row = QHBoxLayout(self)
        row.setContentsMargins(8 + ICON + 8, 0, 2, 0)
        row.setSpacing(10)
        row.addWidget(self.what, 1)
        row.addWidget(self.done)
        self.setFixedHeight(scaled(HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        session.editing_changed.connect(self._show)
        session.document_changed.connect(self._show)
        self._show()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), QColor(mix(theme.raised, theme.accent, 0.35)))
        painter.fillRect(0, 0, 3, self.height(), QColor(theme.accent))
        icon("bone", theme, "accent").paint(painter, 8, (self.height() - ICON) // 2, ICON, ICON)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        self.update()
        super().changeEvent(event)

    def _show(self, *_: object) -> None:
        editing = self._session.editing
        if editing is not None and editing in self._session.document.actor_index:
            name = self._session.document.actor(editing).name
            self.what.set_text(f"Editing the figure of {name}, at rest: drag joints, end-effectors and limits")
            self.what.setMaximumWidth(self.what.sizeHint().width())
            self.setAccessibleName(self.what.text)
        self.setVisible(editing is not None)

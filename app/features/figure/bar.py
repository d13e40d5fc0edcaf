"""FigureBar: the strip over the views that says that a figure is edited, and ends it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.session import Session
from app.style.apply import current_theme
from app.style.elided_label import ElidedLabel
from app.style.fonts import text_font
from app.style.icons import icon
from app.style.theme import mix

HEIGHT, ICON = 36, 18


class FigureBar(QWidget):
    """There while a figure is edited."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.what = QLabel()
        self.what.setFont(text_font())
        self.how = ElidedLabel(colour="text_quiet")
        self.how.set_text("At rest: drag joints, end-effectors and limits.")
        self.done = QPushButton("Done")
        self.done.setToolTip("Show the pose again (Shift+E)")
        self.done.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.done.clicked.connect(lambda: session.edit_figure(None))
        row = QHBoxLayout(self)
        row.setContentsMargins(12 + ICON + 10, 4, 8, 4)
        row.setSpacing(12)
        row.addWidget(self.what)
        row.addWidget(self.how, 1)
        row.addWidget(self.done)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        session.editing_changed.connect(self._show)
        session.document_changed.connect(self._show)
        self._show()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), QColor(mix(theme.raised, theme.accent, 0.35)))
        painter.fillRect(0, self.height() - 2, self.width(), 2, QColor(theme.accent))
        icon("bone", theme, "accent").paint(painter, 12, (self.height() - ICON) // 2, ICON, ICON)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        self.update()
        super().changeEvent(event)

    def _show(self, *_: object) -> None:
        editing = self._session.editing
        if editing is not None and editing in self._session.document.actor_index:
            self.what.setText(f"Editing the figure of {self._session.document.actor(editing).name}")
            self.setAccessibleName(self.what.text())
        self.setVisible(editing is not None)

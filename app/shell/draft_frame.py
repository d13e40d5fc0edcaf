"""Frames about the views that say what becomes of a pose: amber for a draft, red where poses become keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QWidget

from app.session import Session, SessionPosing
from app.style.apply import current_theme
from app.style.fonts import text_font

HEIGHT = 22


class DraftPlate(QWidget):
    """Lies over a widget, whose size it follows; the mouse goes through it. A plate at its foot says what it means."""

    text = ""
    colour = "warning"  # of the theme
    width_px = 3  # [logical px]

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(self.text)
        over.installEventFilter(self)
        self._cover()
        self.follow()

    @property
    def wanted(self) -> bool:
        """True if it is to be seen now."""
        return False

    def follow(self, *_: object) -> None:
        """Show or hide it as things are now."""
        if self.isHidden() == self.wanted:
            self.setVisible(self.wanted)
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the widget below, and what new lies on it."""
        if event.type() == QEvent.Type.Resize:
            self._cover()
        elif event.type() == QEvent.Type.LayoutRequest:
            self.raise_()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.token(self.colour)))
        painter.setFont(text_font())
        painter.setPen(QColor(theme.window))
        painter.drawText(QRectF(self._plate()), Qt.AlignmentFlag.AlignCenter, self.text)
        painter.end()

    def _cover(self) -> None:
        self.setGeometry(self._over.rect())
        edge = self.width_px
        inside = self.rect().adjusted(edge, edge, -edge, -edge)
        self.setMask(QRegion(self.rect()).subtracted(QRegion(inside)).united(QRegion(self._plate())))
        self.raise_()

    def _plate(self) -> QRect:
        width = self.fontMetrics().horizontalAdvance(self.text) + 28
        return QRect((self.width() - width) // 2, self.height() - HEIGHT, width, HEIGHT)


class DraftFrame(DraftPlate):
    """While the pose that the views show is a draft."""

    text = "Draft, not keyed"

    def __init__(self, over: QWidget, posing: SessionPosing) -> None:
        self._posing = posing
        super().__init__(over)
        posing.changed.connect(self.follow)

    @property
    def wanted(self) -> bool:
        """True if a draft is shown."""
        return self._posing.drafted


class AutoKeyFrame(DraftPlate):
    """While whatever poses the figure that is meant sets keys at the playhead."""

    text = "Auto-key: poses become keys"
    colour = "danger"
    width_px = 2

    def __init__(self, over: QWidget, session: Session) -> None:
        self._session = session
        super().__init__(over)
        posing = session.posing
        for signal in (posing.changed, session.selection_changed, session.document_changed, session.playhead_moved):
            signal.connect(self.follow)

    @property
    def wanted(self) -> bool:
        """True if a pose would become keys."""
        posing, time = self._session.posing, self._session.playhead
        receivers = (actor.layer_for(time) for actor, _ in posing.targets() if not actor.frozen)
        return posing.auto_key and not posing.drafted and any(each is not None and each.tracks for each in receivers)

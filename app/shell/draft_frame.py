"""Frames about the views that show what becomes of a pose: amber for a working pose, red where poses become keys. The
switch of Auto-key says it in words."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QWidget

from app.session import Session, SessionPosing
from app.style.apply import current_theme


class PoseFrame(QWidget):
    """An edge about a widget, whose size it follows; the mouse goes through it, and nothing inside is covered."""

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
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.token(self.colour)))
        painter.end()

    def _cover(self) -> None:
        self.setGeometry(self._over.rect())
        edge = self.width_px
        inside = self.rect().adjusted(edge, edge, -edge, -edge)
        self.setMask(QRegion(self.rect()).subtracted(QRegion(inside)))
        self.raise_()


class DraftFrame(PoseFrame):
    """While the pose that the views show is a draft."""

    text = "Working pose, not keyed"

    def __init__(self, over: QWidget, posing: SessionPosing) -> None:
        self._posing = posing
        super().__init__(over)
        posing.changed.connect(self.follow)

    @property
    def wanted(self) -> bool:
        """True if a draft is shown."""
        return self._posing.drafted


class AutoKeyFrame(PoseFrame):
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

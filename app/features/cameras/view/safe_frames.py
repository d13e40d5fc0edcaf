"""SafeFrames: the film gate with its safe areas, over each view that looks through a camera. It takes no mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.features.cameras.view.looking import LookingThrough
from app.scene.filming import ACTION_SAFE, TITLE_SAFE, Gate, gate_of

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport

AROUND = 0.42  # how far what is outside of the gate is darkened


class SafeFrames(QWidget):
    """Lies over the viewport, whose size it follows."""

    def __init__(self, window: Window, viewport: Viewport, looking: LookingThrough) -> None:
        super().__init__(viewport)
        self._window, self._viewport, self._looking = window, viewport, looking
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Film gate and safe areas")
        viewport.installEventFilter(self)
        looking.changed.connect(self.follow)
        viewport.views_changed.connect(self.follow)
        self.follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the views."""
        if event.type() == QEvent.Type.Resize:
            self._looking.show()
            self.follow()
        return False

    def follow(self) -> None:
        """Lie where a view looks through a camera, else nowhere."""
        wanted = bool(self.gates())
        self.setGeometry(self._viewport.rect())
        if self.isHidden() == wanted:
            self.setVisible(wanted)
            self.raise_()
        if wanted:
            self.update()

    def gates(self) -> dict[int, Gate]:
        """Return the film gate of each view that looks through a camera [px of the viewport]."""
        found = {}
        for view, pane in self._viewport.panes().items():
            if view in self._viewport.through:
                gate = gate_of((pane.width, pane.height), self._looking.aspect)
                found[view] = Gate(gate.x + pane.x, gate.y + pane.y, gate.width, gate.height)
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        """Darken what the camera does not see, and draw the gate and the safe areas."""
        painter = QPainter(self)
        for view, gate in self.gates().items():
            pane, look = self._viewport.panes()[view], self._viewport.look
            around, inside = QPainterPath(), QPainterPath()
            around.addRect(QRectF(pane.x, pane.y, pane.width, pane.height))
            inside.addRect(_rect(gate))
            dark = QColor(look.window)
            dark.setAlphaF(AROUND)
            painter.fillPath(around.subtracted(inside), dark)
            areas = [(1.0, Qt.PenStyle.SolidLine, 0.9)]
            if self._window.switch("safe_frames"):
                areas += [(ACTION_SAFE, Qt.PenStyle.SolidLine, 0.45), (TITLE_SAFE, Qt.PenStyle.DashLine, 0.45)]
            for share, style, strength in areas:
                colour = QColor(look.text)
                colour.setAlphaF(strength)
                painter.setPen(QPen(colour, 1.0, style))
                painter.drawRect(_rect(gate.inner(share)))
        painter.end()


def _rect(gate: Gate) -> QRectF:
    return QRectF(round(gate.x) + 0.5, round(gate.y) + 0.5, round(gate.width), round(gate.height))

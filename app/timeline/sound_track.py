"""SoundTrack: the sound under the ruler, drawn as its waveform; a drag moves it in time."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.session import Session
from app.style.apply import current_theme
from app.style.fonts import scaled, text_font
from app.style.theme import mix
from app.timeline.ruler import Ruler
from engine.document.sound import Sound

HEIGHT = 28
LOUD = 32768.0


class SoundTrack(QWidget):
    """One sound along the ruler's time; hidden while there is none."""

    def __init__(self, session: Session, ruler: Ruler, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._ruler = session, ruler
        self._held: tuple[float, int] | None = None  # where it was taken hold of, and its start then
        self._start: int | None = None  # where the drag has it
        self._picture: QPixmap | None = None  # all but the playhead
        self._place = (0.0, 0.0)  # [px] where the sound begins and ends in it
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAccessibleName("Sound")
        session.sounds.changed.connect(self._follow)
        session.playhead_moved.connect(lambda time: self.update())
        self._follow()

    def sizeHint(self) -> QSize:
        return QSize(400, scaled(HEIGHT))

    @property
    def start(self) -> int:
        """The start of the sound [ticks], as the drag has it."""
        sound = self._session.sounds.sound
        return self._start if self._start is not None else 0 if sound is None else sound.start

    def mousePressEvent(self, event: QMouseEvent) -> None:
        sound = self._session.sounds.sound
        if event.button() == Qt.MouseButton.LeftButton and sound is not None:
            self._held, self._start = (event.position().x(), sound.start), sound.start

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            x, start = self._held
            self._start = start + self._ruler.ticks_of(event.position().x() - x)
            self.redraw()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._held is not None:
            start, was = self.start, self._held[1]
            self._held = self._start = None
            if start != was:
                self._session.sounds.move(start)
            self.redraw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._held is not None:
            self._held = self._start = None
            self.redraw()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.redraw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.redraw()

    def redraw(self) -> None:
        """Paint all anew."""
        self._picture = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        sound = self._session.sounds.sound
        if sound is None:
            return
        # The ruler's span of time may change with any document, before or after this one hears of it.
        place = self._ruler.x_of(self.start), self._ruler.x_of(self.start + sound.end - sound.start)
        if self._picture is None or place != self._place:
            self._place, ratio = place, self.devicePixelRatioF()
            self._picture = QPixmap((self.size().toSizeF() * ratio).toSize())
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            self._paint_sound(painter, sound, *place)
            painter.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        x = self._ruler.x_of(self._session.playhead)
        painter.fillRect(QRectF(x - 0.75, 0.0, 1.5, self.height()), QColor(current_theme().accent))
        painter.end()

    def _paint_sound(self, painter: QPainter, sound: Sound, left: float, right: float) -> None:
        theme = current_theme()
        ground = mix(theme.panel, theme.text_faint if sound.mute else theme.accent, 0.12)
        painter.fillRect(QRectF(left, 0.0, right - left, self.height()), QColor(ground))
        colour = QColor(mix(theme.panel, theme.text_faint, 0.5) if sound.mute else theme.accent)
        painter.setPen(QPen(colour, 1.0))
        painter.drawLines(self._lines(left, right, sound.gain))
        self._paint_name(painter, f"{sound.name} (muted)" if sound.mute else sound.name, left)

    def _paint_name(self, painter: QPainter, name: str, left: float) -> None:
        """Paint the name before the sound, or over it where there is no room."""
        theme = current_theme()
        painter.setFont(text_font())
        width = painter.fontMetrics().horizontalAdvance(name) + 12.0
        plate = QRectF(max(left - width, 0.0), 0.0, width, self.height())
        if left < width:
            painter.fillRect(plate, QColor(theme.panel))
        painter.setPen(QColor(theme.text_quiet))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, name)

    def _lines(self, left: float, right: float, gain: float) -> list[QLineF]:
        """Return a stroke from the lowest to the highest sample of each pixel, from the level that is just fine
        enough."""
        levels = self._session.sounds.peaks
        if not levels or right - left < 1.0:
            return []
        level = next((each for each in reversed(levels) if len(each) >= right - left), levels[0])
        middle, tall = 0.5 * self.height(), (0.5 * self.height() - 1.0) * gain / LOUD
        first, last = max(round(left), 0), min(round(right), self.width())
        found = []
        for x in range(first, last):
            begin = int((x - left) / (right - left) * len(level))
            end = max(int((x + 1 - left) / (right - left) * len(level)), begin + 1)
            part = level[max(begin, 0) : end]
            if len(part):
                low, high = tall * int(part[:, 0].min()), tall * int(part[:, 1].max())
                top, foot = max(middle - high, 0.0), min(middle - low, float(self.height()))
                found.append(QLineF(x + 0.5, top, x + 0.5, max(foot, top + 0.5)))
        return found

    def _follow(self) -> None:
        sound = self._session.sounds.sound
        self.setVisible(sound is not None)
        if sound is not None:
            self.setToolTip(f"{sound.name}: drag it in time; File > Add sound… and Time > Sound do the rest")
        self.redraw()

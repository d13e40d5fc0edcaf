"""FilmView: the chosen frame as it will be, small, and the frame that is shown of all."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QSlider, QVBoxLayout, QWidget

from app.style.apply import current_theme
from app.style.fonts import number_font, scaled
from engine.document.motion import TICKS_PER_SECOND

SIZE = QSize(352, 224)
CHECK = 8  # [px] of a field of the board behind what is transparent
WAITING = "The picture comes as soon as the engine is ready."


class FilmView(QWidget):
    """A picture over a slider of frames."""

    moved = Signal()  # another frame is to be seen

    def __init__(self) -> None:
        super().__init__()
        self.picture = PictureBox()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Frame that is shown")
        self.slider.valueChanged.connect(lambda _: self.moved.emit())
        self.told = QLabel()
        self.told.setFont(number_font())
        self.told.setProperty("quiet", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for each in (self.picture, self.slider, self.told):
            column.addWidget(each)

    @property
    def number(self) -> int:
        """The frame that is to be seen, from 0."""
        return self.slider.value()

    def set_frames(self, count: int, *, first: int | None = None) -> None:
        """There are so many; go to `first` where that is given. Says nothing to anyone."""
        self.slider.blockSignals(True)
        self.slider.setRange(0, count - 1)
        self.slider.setPageStep(max(count // 10, 1))
        if first is not None:
            self.slider.setValue(first)
        self.slider.blockSignals(False)
        self.slider.setEnabled(count > 1)

    def tell(self, time: int, count: int) -> None:
        """Show the frame's number and time."""
        self.told.setText(f"Frame {self.number + 1:,} of {count:,}, at {time / TICKS_PER_SECOND:.2f} s")


class PictureBox(QWidget):
    """A picture as large as it fits; what is transparent shows a board."""

    def __init__(self) -> None:
        super().__init__()
        self.image: QImage | None = None
        self.text = WAITING
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(scaled(SIZE.height()))
        self.setMinimumWidth(SIZE.width())
        self.setAccessibleName("Preview")

    def show_image(self, image: QImage) -> None:
        """Show it."""
        self.image, self.text = image, ""
        self.update()

    def say(self, text: str) -> None:
        """Say why there is none."""
        self.image, self.text = None, text
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.field))
        if self.image is None:
            painter.setPen(QColor(theme.text_faint))
            inside = self.rect().adjusted(16, 16, -16, -16)
            painter.drawText(inside, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.text)
        else:
            ratio = self.devicePixelRatioF()
            size = QSize(round(self.width() * ratio), round(self.height() * ratio))
            smooth = Qt.TransformationMode.SmoothTransformation
            shown = self.image.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, smooth)
            place = QRectF(QPointF(), shown.size().toSizeF() / ratio)
            place.moveCenter(QRectF(self.rect()).center())
            if shown.hasAlphaChannel():
                _paint_board(painter, place.toRect(), QColor(theme.raised))
            painter.drawImage(place, shown)
        painter.end()


def _paint_board(painter: QPainter, place: QRect, colour: QColor) -> None:
    for row, y in enumerate(range(place.top(), place.bottom() + 1, CHECK)):
        for x in range(place.left() + (row % 2) * CHECK, place.right() + 1, 2 * CHECK):
            painter.fillRect(QRect(x, y, CHECK, CHECK).intersected(place), colour)

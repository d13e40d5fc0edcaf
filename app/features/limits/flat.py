"""FlatView: a limit over one angle as a bar, one over two as a filled picture; of more, a slice over two of them.

Coloured by distance; samples are dots, the pose one with a trail, and an arrow leads to the pose that is allowed. With
a brush in the hand a drag is a stroke.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font, scaled, text_font
from app.style.theme import Theme
from app.style.ticks import angle_text, ticks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.queries.limit_pictures import LimitPicture

LEFT, RIGHT, TOP, BOTTOM = 52, 14, 12, 40  # [logical px] around the picture
BAR = 46  # [logical px] height of a bar
STRETCH = 2.5  # of one side of a picture, beside the other
ROOM = 38  # [logical px] that a number needs
MOST_DOTS = 2000
DOT = 5.0  # [logical px] radius of the pose
Place = tuple[float, ...]


class FlatView(QWidget):
    """Paints a picture of one, two, four or five angles."""

    stroke_moved = Signal(object)  # the places of all angles that it goes through
    stroke_ended = Signal(bool)  # whether it is to be kept

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture: LimitPicture | None = None
        self.radius: float | None = None  # [rad] of the brush; None: there is none in the hand
        self._pose: Place | None = None
        self._target: Place | None = None
        self._trail: Sequence[Place] = ()
        self._ground: QPixmap | None = None  # the picture as it was painted last: all but the pose and the brush
        self._stroke: list[Place] = []
        self._pointer: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Joint limit")
        self.setMinimumSize(160, 120)

    def sizeHint(self) -> QSize:
        return QSize(300, 300)

    def show_picture(self, picture: LimitPicture) -> None:
        """Show another picture."""
        self.picture, self._ground = picture, None
        self.update()

    def show_pose(self, pose: Place | None, target: Place | None, trail: Sequence[Place]) -> None:
        """Show the pose, the allowed one that it is projected to if it is outside, and its trail."""
        self._pose, self._target, self._trail = pose, target, trail
        self.update()

    def set_brush(self, radius: float | None) -> None:
        """Take a brush of that radius [rad] into the hand, or put it away."""
        self.radius = radius
        self.update()

    # Where things are

    @property
    def axes(self) -> tuple[int, ...]:
        """The angles that are seen: across, and up."""
        assert self.picture is not None, "shown only with one"
        size = len(self.picture.hinges)
        return (0,) if size == 1 else (0, 1) if size == 2 else self.picture.wanted.plane

    @property
    def frame(self) -> QRectF:
        """The rectangle of the picture."""
        inner = QRectF(self.rect()).adjusted(scaled(LEFT), TOP, -RIGHT, -scaled(BOTTOM))
        if len(self.axes) == 1:
            return QRectF(scaled(LEFT), max(inner.center().y() - BAR / 2, TOP), inner.width(), BAR)
        picture = self.picture
        assert picture is not None, "shown only with one"
        wide, high = (picture.upper[axis] - picture.lower[axis] for axis in self.axes)
        ratio = min(max(wide / high, 1.0 / STRETCH), STRETCH)  # a degree is as long across as up, where there is room
        width = min(inner.width(), inner.height() * ratio)
        height = width / ratio
        return QRectF(inner.center().x() - width / 2, inner.center().y() - height / 2, width, height)

    def point_of(self, place: Place) -> QPointF:
        """Return the pixel of some angles."""
        picture, frame = self.picture, self.frame
        assert picture is not None, "shown only with one"
        ends = [(picture.lower[axis], picture.upper[axis]) for axis in self.axes]
        shares = [(place[axis] - low) / (high - low) for axis, (low, high) in zip(self.axes, ends, strict=True)]
        y = frame.center().y() if len(shares) == 1 else frame.bottom() - shares[1] * frame.height()
        return QPointF(frame.left() + shares[0] * frame.width(), y)

    def place_at(self, at: QPointF) -> Place:
        """Return the angles at a point; those that are not seen are where the slice stands."""
        picture, frame = self.picture, self.frame
        assert picture is not None, "shown only with one"
        place = list(picture.slices[0].place) if len(picture.hinges) > 3 else [0.0] * len(picture.hinges)
        shares = ((at.x() - frame.left()) / frame.width(), (frame.bottom() - at.y()) / frame.height())
        for axis, share in zip(self.axes, shares, strict=False):
            place[axis] = picture.lower[axis] + share * (picture.upper[axis] - picture.lower[axis])
        return tuple(place)

    # Qt's events

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.picture is None:
            return
        theme, ratio = current_theme(), self.devicePixelRatioF()
        if self._ground is None or self._ground.deviceIndependentSize() != self.size():
            self._ground = QPixmap(self.size() * ratio)
            self._ground.setDevicePixelRatio(ratio)
            self._paint_ground(self._ground, theme)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, self._ground)
        painter.setClipRect(self.frame)
        self._paint_trail(painter, theme)
        self._paint_brush(painter, theme)
        painter.setClipping(False)
        self._paint_pose(painter, theme)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        inside = self.picture is not None and self.frame.contains(event.position())
        if event.button() == Qt.MouseButton.LeftButton and self.radius is not None and inside:
            self.setFocus()
            self._stroke = [self.place_at(event.position())]
            self.stroke_moved.emit(tuple(self._stroke))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = event.position()
        if self._stroke and self.radius is not None:
            place = self.place_at(event.position())
            if math.dist(place, self._stroke[-1]) >= 0.25 * self.radius:
                self._stroke.append(place)
                self.stroke_moved.emit(tuple(self._stroke))
        if self.radius is not None:
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._end_stroke(keep=True)

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer = None
        self.update()
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Escape drops a stroke before it does anything else."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._drops(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._drops(event):
            self._end_stroke(keep=False)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._ground = None
            self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        self._end_stroke(keep=False)
        super().hideEvent(event)

    # How it is painted

    def _paint_ground(self, ground: QPixmap, theme: Theme) -> None:
        assert self.picture is not None, "painted only with one"
        ground.fill(QColor(theme.field))
        painter, frame, image = QPainter(ground), self.frame, _image(self.picture, theme)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipRect(frame)
        across = 0.5 * frame.width() / (image.width() - 1)  # the outermost values stand at the ends, not half inside
        up = 0.5 * frame.height() / (image.height() - 1)
        painter.drawImage(frame.adjusted(-across, -up, across, up), image)
        if self.picture.faces.shape[1] == 2:
            painter.setPen(QPen(QColor(theme.text), 1.6))
            points = self._points(self.picture.positions, range(2))
            painter.drawLines([QLineF(points[start], points[end]) for start, end in self.picture.faces.tolist()])
        self._paint_samples(painter, theme)
        painter.setClipping(False)
        self._paint_axes(painter, theme)
        painter.end()

    def _points(self, places: NDArray[np.float64], columns: Sequence[int]) -> list[QPointF]:
        """Return the pixels of many places, whose columns are the angles across and up."""
        picture, frame = self.picture, self.frame
        assert picture is not None, "shown only with one"
        shares = [
            (places[:, column] - picture.lower[axis]) / (picture.upper[axis] - picture.lower[axis])
            for column, axis in zip(columns, self.axes, strict=True)
        ]
        x = frame.left() + shares[0] * frame.width()
        y = frame.bottom() - shares[1] * frame.height() if len(shares) > 1 else 0.0 * x + frame.center().y()
        return [QPointF(*each) for each in zip(x.tolist(), y.tolist(), strict=True)]

    def _paint_samples(self, painter: QPainter, theme: Theme) -> None:
        assert self.picture is not None, "painted only with one"
        colour = QColor(theme.text)
        colour.setAlphaF(0.5)
        samples = self.picture.samples
        if len(self.picture.hinges) > 3:
            return  # they stand before and behind the slice
        painter.setPen(QPen(colour, 2.0, c=Qt.PenCapStyle.RoundCap))
        painter.drawPoints(QPolygonF(self._points(samples[:: -(-len(samples) // MOST_DOTS) or 1], self.axes)))

    def _paint_trail(self, painter: QPainter, theme: Theme) -> None:
        painter.setPen(QPen(QColor(theme.warning), 1.6))
        for start, end in pairwise(self._trail):
            if all(abs(there - here) < math.pi for here, there in zip(start, end, strict=True)):  # not over the seam
                painter.drawLine(self.point_of(start), self.point_of(end))

    def _paint_pose(self, painter: QPainter, theme: Theme) -> None:
        """Paint the pose, and where it is brought to; at the edge where it is beyond what is seen."""
        if self._pose is None:
            return
        colour, here = QColor(theme.warning), self._pinned(self.point_of(self._pose))
        if self._target is not None:
            there = self._pinned(self.point_of(self._target))
            painter.setPen(QPen(colour, 2.0))
            painter.drawLine(here, there)
            painter.drawEllipse(there, 2.5, 2.5)
        painter.setPen(QPen(QColor(theme.field), 1.5))
        painter.setBrush(colour if self._target is not None else QColor(theme.text))
        painter.drawEllipse(here, DOT, DOT)

    def _pinned(self, at: QPointF) -> QPointF:
        frame = self.frame
        return QPointF(min(max(at.x(), frame.left()), frame.right()), min(max(at.y(), frame.top()), frame.bottom()))

    def _paint_brush(self, painter: QPainter, theme: Theme) -> None:
        if self._pointer is not None and self.radius is not None:
            painter.setPen(QPen(QColor(theme.text), 1.2, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            across = self.point_of(tuple(self.radius + each for each in self.place_at(self._pointer))) - self._pointer
            painter.drawEllipse(self._pointer, abs(across.x()), abs(across.y()) or abs(across.x()))

    def _paint_axes(self, painter: QPainter, theme: Theme) -> None:
        picture, frame = self.picture, self.frame
        assert picture is not None, "painted only with one"
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.line), 1.0))
        painter.drawRect(frame)
        for up, axis in enumerate(self.axes):
            length = frame.height() if up else frame.width()
            painter.setFont(number_font(SMALL))
            painter.setPen(QColor(theme.text_quiet))
            for angle in ticks(picture.lower[axis], picture.upper[axis], int(length / scaled(ROOM))):
                place = list(picture.lower)
                place[axis] = math.radians(angle)
                at, text = self.point_of(tuple(place)), angle_text(angle)
                box = QRectF(0, 0, scaled(LEFT) - 22, 16) if up else QRectF(0, 0, scaled(ROOM), 16)
                if up:
                    box.moveCenter(QPointF(frame.left() - box.width() / 2 - 4, at.y()))
                    painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
                else:
                    box.moveCenter(QPointF(at.x(), frame.bottom() + 11))
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
            self._paint_name(painter, picture.hinges[axis], QColor((theme.axis_x, theme.axis_y)[up]), up=bool(up))

    def _paint_name(self, painter: QPainter, name: str, colour: QColor, *, up: bool) -> None:
        frame = self.frame
        painter.save()
        painter.setFont(text_font(SMALL))
        painter.setPen(colour)
        if up:
            painter.translate(10.0, frame.center().y())
            painter.rotate(-90.0)
            painter.drawText(QRectF(-frame.height() / 2, -8, frame.height(), 16), Qt.AlignmentFlag.AlignCenter, name)
        else:
            box = QRectF(frame.left(), frame.bottom() + 20, frame.width(), 16)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
        painter.restore()

    def _drops(self, event: QKeyEvent) -> bool:
        return bool(self._stroke) and event.key() == Qt.Key.Key_Escape

    def _end_stroke(self, *, keep: bool) -> None:
        if self._stroke:
            self._stroke = []
            self.stroke_ended.emit(keep)


def _image(picture: LimitPicture, theme: Theme) -> QImage:
    """Paint the distances in colour, the first angle to the right, the second up."""
    import numpy as np

    from app.style.distances import distance_colours

    if len(picture.hinges) == 1:
        fine = np.linspace(0, len(picture.line) - 1, 512)
        row = np.interp(fine, np.arange(len(picture.line)), picture.line)
        values = np.tile(row, (3, 1))
    else:
        values = picture.slices[0].values.T[::-1]
    pixels = np.ascontiguousarray(distance_colours(values, theme, lined=len(picture.hinges) == 1))
    height, width = pixels.shape[:2]
    image = QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888_Premultiplied)
    return image.copy()

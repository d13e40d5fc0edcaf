"""KeptPicture: a part of a painted view that is kept until one of the things that it shows changes."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_

from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap


class KeptPicture:
    """A cached part of a view."""

    def __init__(self) -> None:
        self._picture: QPixmap | None = None
        self._things: tuple[object, ...] = ()
        self._numbers: tuple[object, ...] = ()
        self.result: object = None  # by who painted it

    def of(
        self,
        size: QSizeF,
        ratio: float,
        paint: Callable[[QPainter], object],
        *,
        things: tuple[object, ...],
        numbers: tuple[object, ...] = (),
    ) -> QPixmap:
        """Return the picture, painted anew unless all `things` are identical and size, ratio and `numbers` are
        equal."""
        numbers = (size, ratio, *numbers)
        same = len(things) == len(self._things) and all(map(is_, things, self._things))
        if self._picture is None or not same or numbers != self._numbers:
            picture = QPixmap((size * ratio).toSize())
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            self.result = paint(painter)
            painter.end()
            self._picture, self._things, self._numbers = picture, things, numbers
        return self._picture

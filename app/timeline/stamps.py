"""Stamps: many small pictures drawn in one call. Thousands of calls, one for each, would cost more than the drawing.

Qt takes an array of fragments by its first; here that is numpy's memory. A fragment is ten numbers (`qreal`): its
middle (x, y), where it lies in the picture of all looks, its width and height, scales, rotation and opacity.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter, QPixmap
from shiboken6 import wrapInstance


def stamp(
    painter: QPainter,
    looks: QPixmap,
    x: NDArray[np.float64],
    y: NDArray[np.float64] | NDArray[np.int64],
    look: NDArray[np.int64],
) -> None:
    """Draw squares of a row of looks with their upper left corners at whole pixels, the last over the others; one on
    which the next would lie exactly is left out."""
    seen = np.ones(len(x), dtype=np.bool_)
    seen[:-1] = (np.diff(x) != 0.0) | (np.diff(y) != 0.0)
    x, y, look, size = x[seen], y[seen], look[seen], looks.height()
    parts = np.empty((len(x), 10))
    parts[:, 0], parts[:, 1], parts[:, 2], parts[:, 3] = x + 0.5 * size, y + 0.5 * size, look * size, 0.0
    parts[:, 4:6], parts[:, 6:8], parts[:, 8], parts[:, 9] = size, 1.0, 0.0, 1.0
    if len(parts):
        first = cast(QPainter.PixmapFragment, wrapInstance(parts.ctypes.data, QPainter.PixmapFragment))
        painter.drawPixmapFragments(first, len(parts), looks)

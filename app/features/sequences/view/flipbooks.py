"""Flipbooks: the key poses of a sequence drawn side by side, one a turn of the window's loop, and kept as a picture.

Drawn with the viewport's own scene, off the screen: from the front at an angle, all poses by one camera, on the plain
ground of pose pictures.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QImage, QPainter

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.scene.camera import Camera
    from app.session import Session
    from engine.model.snapshot import Snapshot

SIZE = 144  # [px] across and down of each pose
AZIMUTH, ELEVATION = 0.55, 0.12  # [rad]
SAMPLES = 4


class Flipbooks(QObject):
    """Draws what the library of sequences asks for, one after the other."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._waiting: deque[_Book] = deque()
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._draw_one)
        session.snapshot_ready.connect(lambda snapshot: self._go_on())

    def draw(self, path: Path, snapshots: tuple[Snapshot, ...], then: Callable[[], None]) -> None:
        """Write the flipbook of these pictures, then say so; one that cannot be written is a warning and no more."""
        camera = self._camera(snapshots)
        if camera is not None:
            self._waiting.append(_Book(path, snapshots, camera, then))
            self._soon.start()

    def _draw_one(self) -> None:
        if not self._waiting or not self._viewport.is_drawing:
            return  # gone on with once there is a picture
        book = self._waiting[0]
        snapshot = book.snapshots[book.drawn]
        book.add(
            self._viewport.render_image(SIZE, SIZE, samples=SAMPLES, camera=book.camera, plain=True, snapshot=snapshot)
        )
        if book.drawn == len(book.snapshots):
            self._waiting.popleft()
            if book.strip.save(str(book.path)):
                book.then()
            else:
                self._session.note("warning", f"The pictures of a sequence could not be written: {book.path}")
        self._go_on()

    def _go_on(self) -> None:
        if self._waiting:
            self._soon.start()

    def _camera(self, snapshots: tuple[Snapshot, ...]) -> Camera | None:
        """Find a camera that sees every pose."""
        import numpy as np

        from app.scene.camera import Bounds, vector
        from app.scene.extent import bounds_of

        boxes = [box for each in snapshots if (box := bounds_of(each.bodies)) is not None]
        if not boxes:
            return None
        lower = vector(np.min([box.lower for box in boxes], axis=0))
        upper = vector(np.max([box.upper for box in boxes], axis=0))
        camera = self._viewport.cameras[self._viewport.active]
        seen = replace(camera, azimuth=AZIMUTH, elevation=ELEVATION, orthographic=False, fov=math.radians(28.0))
        return seen.frame(Bounds(lower, upper), (SIZE, SIZE), 1.04)


class _Book:
    """One flipbook while it is drawn."""

    def __init__(self, path: Path, snapshots: tuple[Snapshot, ...], camera: Camera, then: Callable[[], None]) -> None:
        self.path, self.snapshots, self.camera, self.then = path, snapshots, camera, then
        self.strip = QImage(SIZE * len(snapshots), SIZE, QImage.Format.Format_RGB888)
        self.drawn = 0

    def add(self, picture: QImage) -> None:
        """Add the next pose."""
        painter = QPainter(self.strip)
        painter.drawImage(self.drawn * SIZE, 0, picture)
        painter.end()
        self.drawn += 1

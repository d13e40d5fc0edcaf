"""Unpacking: textures as pixels, worked out beside the window's thread, or at once where a picture is to be whole."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader

from engine.model import TextureImage

LARGEST = 2048  # [px] of a picture's longer side on the card
STRIP = 64  # rows that are copied at once: Qt lets no other thread run Python meanwhile
KEPT = 8  # pictures that were unpacked last and are not on the card yet

Pixels = NDArray[np.uint8]


class Unpacking(QObject):
    """Unpacks textures one after the other in a thread, which ends when there is nothing left to do."""

    arrived = Signal()  # one more is there
    _done = Signal(str)  # emitted in the thread

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._turn = threading.Condition()  # one thread at a time
        self._waiting: deque[TextureImage] = deque()
        self._asked: set[str] = set()
        self._found: dict[str, Pixels | None] = {}
        self._is_running = self._is_at_once = False
        self._done.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def is_busy(self) -> bool:
        """True while a texture that was asked for is not there."""
        return bool(self._asked)

    def pixels(self, image: TextureImage) -> tuple[bool, Pixels | None]:
        """Return True and the pixels, None of a broken file; False while they are being worked out."""
        with self._turn:
            if image.digest in self._found:
                return True, self._found.pop(image.digest)
        if self._is_at_once:
            return True, unpacked(image)
        if image.digest not in self._asked:
            self._asked.add(image.digest)
            with self._turn:
                self._waiting.append(image)
                begins, self._is_running = not self._is_running, True
            if begins:
                threading.Thread(target=self._work, name="textures", daemon=True).start()
        return False, None

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Unpack while the caller waits, within this block: a photograph is whole."""
        self._is_at_once = True
        try:
            yield
        finally:
            self._is_at_once = False

    def _take(self, digest: str) -> None:
        self._asked.discard(digest)
        self.arrived.emit()

    def _work(self) -> None:
        while True:
            with self._turn:
                if not self._waiting:
                    self._is_running = False
                    return
                image = self._waiting.popleft()
            found = unpacked(image)
            with self._turn:
                self._found[image.digest] = found
                while len(self._found) > KEPT:
                    del self._found[next(iter(self._found))]
            try:
                self._done.emit(image.digest)
            except RuntimeError:  # the window was closed meanwhile
                return


def unpacked(image: TextureImage) -> Pixels | None:
    """Return the pixels of a texture, row 0 the highest, no longer a side than the card is given; None of a broken
    file. Through a file: of a QBuffer, Qt would ask Python while it holds what the window's thread may wait for.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, "texture")
        path.write_bytes(image.data.data)
        reader = QImageReader(str(path))
        if max(image.width, image.height) > LARGEST:
            size = QSize(image.width, image.height)
            size.scale(LARGEST, LARGEST, Qt.AspectRatioMode.KeepAspectRatio)
            reader.setScaledSize(size)
        found = reader.read()
        del reader  # which keeps the file open
    if found.isNull():
        return None
    width, height = found.width(), found.height()
    pixels = np.empty((height, width, 4), dtype=np.uint8)
    for top in range(0, height, STRIP):
        strip = found.copy(0, top, width, min(STRIP, height - top)).convertToFormat(QImage.Format.Format_RGBA8888)
        rows = np.frombuffer(strip.constBits(), dtype=np.uint8).reshape(strip.height(), strip.bytesPerLine())
        pixels[top : top + STRIP] = rows[:, : 4 * width].reshape(-1, width, 4)
    return pixels

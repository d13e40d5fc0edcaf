"""Pictures of the files that were opened or saved last: what the active view showed, kept in the user's cache.

A picture is a PNG by the digest of the file's path. It is taken of the first picture that shows the document as it is
kept, in the time of one frame; pictures of files that are no longer listed are removed.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QObject, QTimer

from engine.runtime.places import CACHE

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.session import Session

WIDTH, HEIGHT = 320, 200  # [px]
SAMPLES = 4
FOLDER, SUFFIX = "recent", ".png"


def folder() -> Path | None:
    """Find the folder of the pictures; None where nothing can be kept."""
    root = CACHE.folder()
    return None if root is None else root / FOLDER


def name_of(path: Path) -> str:
    """Return the name of a file's picture."""
    return blake2b(str(path).encode(errors="surrogateescape"), digest_size=12).hexdigest() + SUFFIX


def picture_of(path: Path) -> Path | None:
    """Return the path of the picture of a file, if there is one."""
    place = folder()
    return None if place is None else place / name_of(path)


class RecentPictures(QObject):
    """Takes the pictures."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._due: Path | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)  # not while Qt draws
        self._soon.timeout.connect(self._take)
        for signal in (viewport.drawn, viewport.views_changed):
            signal.connect(lambda *_: self._soon.start() if self._due is not None else None)

    def want(self, path: Path) -> None:
        """Take the picture of a file as soon as it is seen and no camera is on its way."""
        self._due = path.absolute()
        self._soon.start()

    def prune(self, kept: Iterable[str]) -> None:
        """Remove the pictures of all files but these."""
        wanted, place = {name_of(Path(each)) for each in kept}, folder()
        with suppress(OSError):
            for path in () if place is None else place.glob(f"*{SUFFIX}"):
                if path.name not in wanted:
                    path.unlink(missing_ok=True)

    def _take(self) -> None:
        png = None if self._due is None else small_picture(self._session, self._viewport)
        if png is not None and self._due is not None:
            path, self._due = picture_of(self._due), None
            if path is not None:
                self._write(path, png)

    def _write(self, path: Path, png: bytes) -> None:
        from engine.runtime.folders import write_whole

        with suppress(OSError):  # a picture less on the start page
            write_whole(path, png)


def small_picture(session: Session, viewport: Viewport) -> bytes | None:
    """Draw a PNG of what the active view shows; None unless it is the document, and no camera is on its way."""
    seen = session.snapshot
    if seen is None or seen.state != "fresh" or seen.document is not session.document:
        return None
    if viewport.is_turning or not viewport.is_drawing:
        return None
    image = viewport.render_image(WIDTH, HEIGHT, samples=SAMPLES, plain=True)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())

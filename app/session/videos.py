"""Videos: the pictures that references show of video files, decoded on a thread of its own.

Of each reference the newest request counts: what came in between while a picture was decoded is never asked for, so
that playing keeps up. Going forward reads on, everything else begins anew at the wanted place. The last pictures are
kept.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.film import Film, file_digest, read_facts
from engine.document.references import Facing, Reference, Video, first_place
from engine.document.values import new_id
from engine.runtime.bounded import Bounded
from engine.runtime.errors import EngineError, printable
from engine.runtime.places import CACHE
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.document import Blob

KEPT = 96 << 20  # [bytes] of pictures
READ_ON = 2.0  # [s] of video that are read over rather than begun anew
UNPACKED = 14 * 86400.0  # [s] until an unpacked file may go, when another is unpacked
IDLE = 10.0  # [s] without a request until the thread ends, and the programs that read


@dataclass(frozen=True)
class FrameRequest:
    """A picture of a reference's video."""

    video: Video
    size: tuple[int, int]
    beside: Path | None  # the document's folder, where the file may have moved along
    number: int


class Videos(QObject):
    """Asked from the window's thread; signals come from the other and are to be connected queued."""

    decoded = Signal(str, object, object)  # id of the reference, FrameRequest, its pixels
    reported = Signal(str, str)  # id of the reference, what is wrong with its file; empty when nothing is any more
    added = Signal(object)  # Reference that a file makes
    still = Signal(object, str)  # Path that holds one picture alone, facing
    refused = Signal(str)  # why a file is not added

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._requests: dict[str, FrameRequest] = {}
        self._files: list[tuple[Path, Facing]] = []
        self._films: dict[str, Film] = {}
        self._kept: Bounded[tuple[str, int], NDArray[np.uint8]] = Bounded(
            size=KEPT, size_of=lambda pixels: pixels.nbytes
        )
        self._checked: dict[str, tuple[Path, int, int]] = {}  # by digest: a file whose bytes were seen to be those
        self._news = threading.Condition()
        self._closed = self._running = self._unwanted = False
        self._thread: threading.Thread | None = None

    def add(self, path: Path, facing: Facing) -> None:
        """Make a reference of a file; `added`, `still` or `refused` answers."""
        with self._news:
            self._files.append((path, facing))
        self._wake()

    def want(self, id: str, request: FrameRequest) -> None:
        """Show this picture of a reference; `decoded` or `told` answers, unless another is wanted meanwhile."""
        with self._news:
            self._requests[id] = request
        self._wake()

    def forget(self, id: str) -> None:
        """Nobody looks at a reference any more: the programs that read end, and begin anew for those that are left."""
        with self._news:
            self._requests.pop(id, None)
            self._unwanted = True
            self._news.notify()

    def close(self, timeout: float = 5.0) -> bool:
        """End the thread and every program that reads; False if it took too long."""
        with self._news:
            self._closed = True
            for film in self._films.values():
                film.kill()
            self._news.notify()
        if self._thread is None:
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _wake(self) -> None:
        with self._news:
            if not (self._running or self._closed):
                self._running, self._unwanted = True, False
                self._thread = threading.Thread(target=self._work, name="videos", daemon=True)
                self._thread.start()
            self._news.notify()

    def _work(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(self._is_due, IDLE)
                if self._closed or not (self._files or self._requests):
                    self._running = False
                    films, self._films = list(self._films.values()), {}
                    break
                file = self._files.pop(0) if self._files else None
                id = next(iter(self._requests), None) if file is None else None
                request = self._requests.pop(id) if id is not None else None
            with suppress(RuntimeError):  # the window has gone meanwhile
                if file is not None:
                    self._read_file(*file)
                elif id is not None and request is not None:
                    self._grant(id, request)
        for film in films:
            film.close()

    def _is_due(self) -> bool:
        return bool(self._closed or self._unwanted or self._files or self._requests)

    def _read_file(self, path: Path, facing: Facing) -> None:
        try:
            if path.suffix.lower() == ".gif" and _picture_count(path) == 1:
                self.still.emit(path, facing)
            else:
                self.added.emit(make_reference(path, facing))
        except EngineError as problem:
            text = str(problem)
            self.refused.emit(text[:1].upper() + text[1:])

    def _grant(self, id: str, request: FrameRequest) -> None:
        key = (request.video.file_digest, request.number)
        try:
            found = self._kept.get(key)
            if found is None:
                path = self._find(request)
                found = self._decode(path, request)
        except (EngineError, OSError) as problem:
            self.reported.emit(id, str(problem))
            return
        if found is not None:
            self.decoded.emit(id, request, found)
            self.reported.emit(id, "")
        elif not self._closed:
            self.reported.emit(id, f"picture {request.number + 1} of {Path(request.video.path).name} cannot be read")

    def _find(self, request: FrameRequest) -> Path:
        """Return the file that a video was made of, by its bytes."""
        named, digest = Path(request.video.path), request.video.file_digest
        there = [path for path in (named, *([request.beside / named.name] if request.beside else [])) if path.is_file()]
        for path in there:
            state = path.stat()
            mark = (path, state.st_size, state.st_mtime_ns)
            if self._checked.get(digest) == mark:
                return path
            if file_digest(path) == digest:
                self._checked[digest] = mark
                return path
        if request.video.data is not None:
            return self._unpacked(request.video, request.video.data)
        if there:
            raise EngineError(f"{there[0]} is another file than the video that was added: add it again")
        raise EngineError(f"{named} is missing: put the file back, there or beside the document")

    def _unpacked(self, video: Video, data: Blob) -> Path:
        """Return a packed video's bytes as a file that can be read, in the person's cache."""
        from engine.project.disk import remove, write_beside

        folder = CACHE.folder()
        if folder is None:
            raise EngineError(f"{video.path} cannot be unpacked: there is no home folder")
        suffix = Path(video.path).suffix
        path = folder / "videos" / f"{data.digest}{suffix if suffix[1:].isalnum() and len(suffix) < 6 else ''}"
        if not path.is_file() or path.stat().st_size != data.shape[0]:
            path.parent.mkdir(parents=True, exist_ok=True)
            for each in path.parent.iterdir():
                if time.time() - each.stat().st_mtime > UNPACKED:
                    remove(each)
            write_beside(path, data.data)
        return path

    def _decode(self, path: Path, request: FrameRequest) -> NDArray[np.uint8] | None:
        """Read up to a picture; those before it are kept too."""
        digest, (count, seconds) = request.video.file_digest, request.video.rate
        film = self._films.get(digest)
        ahead = request.number - film.next if film is not None else -1
        if film is None or film.size != request.size or not 0 <= ahead <= READ_ON * count / seconds:
            film = self._begin(path, request)
        found: NDArray[np.uint8] | None = None
        while film.next <= request.number:
            pixels, number = film.read(), film.next - 1
            if pixels is None:
                break
            found = self._kept.keep((digest, number), pixels)
        if film.next <= request.number and found is not None:
            self._kept.keep((digest, request.number), found)  # the file is shorter than it says
        return found

    def _begin(self, path: Path, request: FrameRequest) -> Film:
        old = self._films.pop(request.video.file_digest, None)
        if old is not None:
            old.close()
        film = Film(path, request.video.rate, request.number, request.size)
        with self._news:
            self._films[request.video.file_digest] = film
            if self._closed:
                film.kill()
        return film


def make_reference(path: Path, facing: Facing) -> Reference:
    """Make the reference of a video file, with the video's first picture."""
    import numpy as np
    from PySide6.QtGui import QImage

    from engine.document import Blob

    facts = read_facts(path)
    first = QImage.fromData(facts.first)
    size, centre = first_place(facing)
    return Reference(
        id=new_id("reference"),
        name=printable(path.stem) or "Video",
        image=Blob(np.frombuffer(facts.first, dtype=np.uint8)),
        width=first.width(),
        height=first.height(),
        facing=facing,
        size=size,
        centre=centre,
        video=Video(path=str(path.resolve()), file_digest=facts.digest, rate=facts.rate, count=facts.count),
    )


def _picture_count(path: Path) -> int:
    from PySide6.QtGui import QImageReader

    return QImageReader(str(path)).imageCount()

"""References: pictures and videos that hang in the views of a session, read and decoded off the window's thread."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from app.session.videos import FrameRequest, Videos
from engine.document import Document, Reference
from engine.document.references import Facing, FixedCamera, first_place
from engine.edits import edit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.session.session import Session
    from engine.runtime.worker import PublishedFrame

VIDEO_SUFFIXES = (".mp4", ".webm", ".mov", ".avi", ".gif")
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
BEHIND = 2.5  # depth of what a fixed camera sees, in distances to its target


class References(QObject):
    """The references that a session shows to pose after, and which of them is chosen."""

    chosen_changed = Signal()
    changed = Signal()  # what is to be drawn is different
    look_wished = Signal(object)  # FixedCamera to look from

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._chosen: str | None = None
        self._pixels: dict[str, NDArray[np.uint8] | None] = {}
        self._asked: set[str] = set()
        self._frames: dict[str, tuple[FrameRequest, NDArray[np.uint8]]] = {}  # by reference
        self._requested: dict[str, FrameRequest] = {}
        self._troubles: dict[str, str] = {}
        self.facing: Callable[[], Facing] = lambda: "front"  # of the view that a person works in
        self.camera: Callable[[], FixedCamera | None] = lambda: None  # of the view with perspective
        self._videos = Videos(self)
        queued = Qt.ConnectionType.QueuedConnection
        self._videos.decoded.connect(self._take_frame, queued)
        self._videos.reported.connect(self._take_trouble, queued)
        self._videos.added.connect(self._add, queued)
        self._videos.still.connect(self._add_picture, queued)
        self._videos.refused.connect(lambda why: session.note("error", why), queued)
        session.engine.answered.connect(self._take)
        session.document_changed.connect(lambda old, new: self._follow(new))
        session.preview_changed.connect(self._follow)
        session.playhead_moved.connect(lambda time: self._ask_for_frames(session.shown))
        session.selection_changed.connect(lambda selection: self.choose(None) if selection else None)
        if session.document.references:
            self._follow(session.document)

    @property
    def chosen(self) -> str | None:
        """The id of the one that is looked at, while nothing else is selected."""
        return self._chosen

    def choose(self, id: str | None) -> None:
        """Look at one in place of what is selected."""
        if id == self._chosen or (id is not None and self.find(id, self._session.document) is None):
            return
        self._chosen = id
        if id is not None:
            self._session.select(())
        self.chosen_changed.emit()

    def find(self, id: str | None, document: Document) -> Reference | None:
        """Find the reference of that id."""
        return next((each for each in document.references if each.id == id), None)

    def add(self, path: Path) -> None:
        """Hang a picture or a video into the views like the one that is worked in."""
        if path.suffix.lower() in VIDEO_SUFFIXES:
            self._videos.add(path, self.facing())
        else:
            self._add_picture(path, self.facing())

    def changes_to_face(self, reference: Reference, facing: Facing) -> tuple[tuple[str, object], ...]:
        """List the changes of hanging it elsewhere: its place too where lengths turn into shares, and the camera it is
        behind now."""
        changes: dict[str, object] = {"facing": facing}
        shares = ("perspective", "camera")
        if (facing in shares) != (reference.facing in shares):
            changes["size"], changes["centre"] = first_place(facing)
        camera = self.camera()
        if facing == "camera" and camera is not None:
            changes["camera"], changes["depth"] = camera, BEHIND * camera.distance
        return tuple(changes.items())

    def look_from_camera(self) -> None:
        """Look from where the chosen one stands behind the camera."""
        found = self.find(self._chosen, self._session.document)
        if found is not None and found.camera is not None:
            self.look_wished.emit(found.camera)

    @property
    def shown(self) -> tuple[tuple[Reference, NDArray[np.uint8]], ...]:
        """The references to be drawn whose pixels are there. Of a video without its file the picture that was seen
        last."""
        found = ((each, self._pixels_of(each)) for each in self._session.shown.references)
        return tuple((each, pixels) for each, pixels in found if each.visible and pixels is not None)

    def number_shown(self, id: str) -> int | None:
        """Return the number of the picture of its video that a reference shows; None for the one that the document
        keeps."""
        frame = self._frames.get(id)
        return frame[0].number if frame is not None else None

    def close(self) -> bool:
        """End what reads videos; False if that took too long."""
        return self._videos.close()

    def _pixels_of(self, reference: Reference) -> NDArray[np.uint8] | None:
        frame = self._frames.get(reference.id)
        video = reference.video
        if frame is not None and video is not None and frame[0].video.file_digest == video.file_digest:
            return frame[1]
        return self._pixels.get(reference.image.digest)

    def _add_picture(self, path: Path, facing: Facing) -> None:
        from app.session.pictures import read_picture

        self._session.engine.submit(("picture file", str(path)), partial(read_picture, path, facing), document=None)

    def _add(self, reference: Reference) -> None:
        self._session.do(edit("add_reference", reference=reference))
        self._session.when_free(lambda: self.choose(reference.id))

    def _follow(self, document: Document) -> None:
        from app.session.pictures import draw_picture

        if self._chosen is not None and self.find(self._chosen, document) is None:
            self.choose(None)
        wanted = {each.image.digest: each.image for each in document.references}
        for digest, blob in wanted.items():
            if digest not in self._asked:
                self._asked.add(digest)
                self._session.engine.submit(("picture", digest), partial(draw_picture, blob), document=None)
        for gone in self._asked - wanted.keys():
            self._asked.discard(gone)
            self._pixels.pop(gone, None)
        for gone in self._requested.keys() - {each.id for each in document.references}:
            self._videos.forget(gone)
            for kept in (self._requested, self._frames, self._troubles):
                kept.pop(gone, None)
        self._ask_for_frames(document)
        self.changed.emit()

    def _ask_for_frames(self, document: Document) -> None:
        path = self._session.path
        for each in document.references:
            if each.video is not None and each.visible:
                number = each.video.picture_at(self._session.playhead)
                size, beside = (each.width, each.height), path.parent if path is not None else None
                request = FrameRequest(video=each.video, size=size, beside=beside, number=number)
                if self._requested.get(each.id) != request:
                    self._requested[each.id] = request
                    self._videos.want(each.id, request)

    def _take_frame(self, id: str, request: FrameRequest, pixels: NDArray[np.uint8]) -> None:
        if id in self._requested:
            self._frames[id] = request, pixels
            self.changed.emit()

    def _take_trouble(self, id: str, trouble: str) -> None:
        found = self.find(id, self._session.document)
        if found is not None and trouble != self._troubles.get(id, ""):
            self._troubles[id] = trouble
            if trouble:
                why = f"{trouble[:1].upper()}{trouble[1:]}"
                self._session.note("warning", f"{why}. {found.name} shows the picture that it has.")

    def _take(self, key: Hashable, frame: PublishedFrame) -> None:
        from app.session.pictures import PictureDrawn, PictureRead

        value = frame.value
        if isinstance(value, PictureRead):
            if value.note:
                self._session.note("note", value.note)
            self._add(value.reference)
        elif isinstance(value, PictureDrawn) and value.image in self._asked:
            self._pixels[value.image] = value.pixels
            if value.pixels is None:
                self._session.note("warning", "A reference picture cannot be drawn: its bytes are damaged")
            self.changed.emit()

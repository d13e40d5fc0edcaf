"""References: the pictures that hang in the views of a session, read and decoded off the window's thread."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.document import Document, Reference
from engine.document.references import Facing
from engine.edits import edit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.session.session import Session
    from engine.runtime.worker import Frame

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff")


class References(QObject):
    """What a session shows to pose after, and which of it is chosen."""

    chosen_changed = Signal()
    changed = Signal()  # what is to be drawn is different

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._chosen: str | None = None
        self._pixels: dict[str, NDArray[np.uint8] | None] = {}
        self._asked: set[str] = set()
        self.facing: Callable[[], Facing] = lambda: "front"  # of the view that a person works in
        session.engine.answered.connect(self._take)
        session.document_changed.connect(lambda old, new: self._follow(new))
        session.preview_changed.connect(self._follow)
        session.selection_changed.connect(lambda selection: self.choose(None) if selection else None)

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
        """The one of that id."""
        return next((each for each in document.references if each.id == id), None)

    def add(self, path: Path) -> None:
        """Hang a picture file into the views like the one that is worked in."""
        from app.session.pictures import read_picture

        facing = self.facing()
        self._session.engine.submit(("picture file", str(path)), partial(read_picture, path, facing))

    @property
    def shown(self) -> tuple[tuple[Reference, NDArray[np.uint8]], ...]:
        """Those to be drawn whose pixels are there."""
        found = ((each, self._pixels.get(each.image.digest)) for each in self._session.shown.references)
        return tuple((each, pixels) for each, pixels in found if each.visible and pixels is not None)

    def _follow(self, document: Document) -> None:
        from app.session.pictures import draw_picture

        if self._chosen is not None and self.find(self._chosen, document) is None:
            self.choose(None)
        wanted = {each.image.digest: each.image for each in document.references}
        for digest, blob in wanted.items():
            if digest not in self._asked:
                self._asked.add(digest)
                self._session.engine.submit(("picture", digest), partial(draw_picture, blob))
        for gone in self._asked - wanted.keys():
            self._asked.discard(gone)
            self._pixels.pop(gone, None)
        self.changed.emit()

    def _take(self, key: Hashable, frame: Frame) -> None:
        from app.session.pictures import PictureDrawn, PictureRead

        value = frame.value
        if isinstance(value, PictureRead):
            if value.note:
                self._session.note("note", value.note)
            self._session.do(edit("add_reference", reference=value.reference))
            self.choose(value.reference.id)
        elif isinstance(value, PictureDrawn) and value.image in self._asked:
            self._pixels[value.image] = value.pixels
            if value.pixels is None:
                self._session.note("warning", "A reference picture cannot be drawn: its bytes are damaged")
            self.changed.emit()

"""Filing: opening and saving on the engine thread, one after the other, so that no save is ever superseded."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.session.engine_link import EngineLink
from app.session.engine_steps import read_file, write_file
from engine.document import Document

FILE = "file"  # the key


@dataclass(frozen=True)
class Filing:
    """One Open or Save that is to be done."""

    kind: Literal["open", "save"]
    path: Path
    document: Document | None = None


class FilingQueue:
    """Files that are being read and written."""

    def __init__(self, link: EngineLink) -> None:
        self._link = link
        self._waiting: deque[Filing] = deque()
        self.current: Filing | None = None

    @property
    def saving(self) -> bool:
        """Whether a save is under way or waits."""
        return any(each is not None and each.kind == "save" for each in (self.current, *self._waiting))

    def add(self, filing: Filing) -> None:
        """Do it after what is already there."""
        self._waiting.append(filing)
        self._next()

    def ended(self) -> Filing | None:
        """The answer for the present one has come: it, and the next one begins."""
        done, self.current = self.current, None
        self._next()
        return done

    def _next(self) -> None:
        if self.current is not None or not self._waiting:
            return
        self.current = filing = self._waiting.popleft()
        path, document = filing.path, filing.document
        if document is None:
            self._link.submit(FILE, lambda: read_file(path))
        else:
            self._link.submit(FILE, lambda: write_file(path, document))

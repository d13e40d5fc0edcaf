"""A person who answers at once: paths in place of the file dialogues, and what to do about changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal


class Answers:
    """Set what it answers; it counts the questions."""

    def __init__(self) -> None:
        self.file: Path | None = None
        self.place: Path | None = None
        self.changes: Literal["save", "discard", "cancel"] = "cancel"
        self.asked: list[str] = []

    def which_file(self, folder: Path | None, then: Callable[[Path], None]) -> None:
        self.asked.append("file")
        if self.file is not None:
            then(self.file)

    def where_to_save(self, suggested: Path, then: Callable[[Path], None]) -> None:
        self.asked.append(f"place for {suggested.name}")
        if self.place is not None:
            then(self.place)

    def save_changes(self, name: str, save: Callable[[], None], discard: Callable[[], None]) -> None:
        self.asked.append(f"changes to {name}")
        {"save": save, "discard": discard, "cancel": _stay}[self.changes]()


def _stay() -> None:
    """Nothing happens."""

"""A person who answers at once: paths in place of the file dialogues, and what to do about changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from app.features.window import FileKind
from app.shell.imports import ImportChoice
from engine.commands.bring_in import BroughtIn
from engine.document import Document
from engine.formats.format import Options


class Answers:
    """Set what it answers; it counts the questions."""

    def __init__(self) -> None:
        self.file: Path | None = None
        self.place: Path | None = None
        self.name: str | None = None
        self.choice: ImportChoice | None = ImportChoice()
        self.changes: Literal["save", "discard", "cancel"] = "cancel"
        self.stops_exports = False
        self.twice: Literal["read_only", "anyway", "cancel"] = "cancel"
        self.opens_sound = False
        self.draws_with_processor = False
        self.changed: Literal["elsewhere", "replace", "cancel"] = "cancel"
        self.told: list[tuple[str, str, tuple[str, ...]]] = []
        self.asked: list[str] = []

    def which_file(self, folder: Path | None, then: Callable[[Path], None]) -> None:
        self.asked.append("file")
        if self.file is not None:
            then(self.file)

    def which_of(self, kind: FileKind, folder: Path | None, then: Callable[[Path], None]) -> None:
        self.asked.append(kind.name)
        if self.file is not None:
            then(self.file)

    def where_to_save(self, kind: FileKind, suggested: Path, then: Callable[[Path], None]) -> None:
        self.asked.append(f"place for {suggested.name}")
        if self.place is not None:
            then(self.place)

    def how_to_import(
        self, path: Path, found: BroughtIn, others: int, then: Callable[[ImportChoice | None], None]
    ) -> None:
        self.asked.append(f"how to import {path.name}, {others} others")
        then(self.choice)

    def how_to_export(
        self, document: Document, actors: Sequence[str], suggested: Path, then: Callable[[Path, Options], None]
    ) -> None:
        self.asked.append(f"how to export {', '.join(actors)} as {suggested.name}")
        if self.place is not None:
            then(self.place, Options())

    def workspace_name(self, suggested: str, then: Callable[[str], None]) -> None:
        self.asked.append(f"name of a workspace, perhaps {suggested}")
        if self.name is not None:
            then(self.name)

    def stop_exports(self, count: int, stop: Callable[[], None]) -> None:
        self.asked.append(f"stop {count} exports")
        if self.stops_exports:
            stop()

    def save_changes(self, name: str, save: Callable[[], None], discard: Callable[[], None]) -> None:
        self.asked.append(f"changes to {name}")
        {"save": save, "discard": discard, "cancel": _stay}[self.changes]()

    def open_twice(
        self,
        name: str,
        who: str,
        *,
        read_only: Callable[[], None],
        anyway: Callable[[], None],
        cancel: Callable[[], None],
    ) -> None:
        self.asked.append(f"how to open {name}, which is open in {who}")
        {"read_only": read_only, "anyway": anyway, "cancel": cancel}[self.twice]()

    def open_sound(self, name: str, then: Callable[[], None]) -> None:
        self.asked.append(f"what is sound in {name}")
        if self.opens_sound:
            then()

    def replace_changed(self, name: str, *, elsewhere: Callable[[], None], replace: Callable[[], None]) -> None:
        self.asked.append(f"replace {name}")
        {"elsewhere": elsewhere, "replace": replace, "cancel": _stay}[self.changed]()

    def draw_with_processor(self, why: str, then: Callable[[], None]) -> None:
        self.asked.append(f"draw with the processor? {why}")
        if self.draws_with_processor:
            then()

    def tell(self, title: str, text: str, lines: Sequence[str]) -> None:
        self.told.append((title, text, tuple(lines)))


def _stay() -> None:
    """Nothing happens."""

"""The native file: one project in a SQLite database (`engine.project`)."""

from __future__ import annotations

from pathlib import Path

from engine.document import Document
from engine.formats.format import Contents, Format, Options
from engine.project.save import open_project, save_project
from engine.project.schema import SUFFIX
from engine.runtime.errors import UnreadableFile, UnwritableFile


def read(path: Path | str) -> Document:
    """The document that was saved last, whole: a file of which this Sinew could show a part only is refused."""
    opened = open_project(Path(path))
    if opened.newer:
        found = f"made by a newer Sinew, which knows what this one does not: {'; '.join(opened.newer)}"
        raise UnreadableFile(path=path, found=found, remedy="Open it in the newer one.")
    return opened.document


def write(path: Path | str, document: Document) -> None:
    """Save a document without an undo list, replacing what stood there only after the new file was read back."""
    save_project(Path(path), document)


def _read_contents(path: Path, options: Options) -> Contents:
    return Contents(document=read(path))


def _write_contents(path: Path, contents: Contents, options: Options) -> None:
    if contents.document is None:
        raise UnwritableFile(path=path, found="no document to save", remedy="Give the whole document.")
    write(path, contents.document)


FORMAT = Format(
    name="Sinew document",
    suffixes=(SUFFIX,),
    kind="document",
    read=_read_contents,
    write=_write_contents,
    about="Everything: actors, motion and arrays, exactly.",
    limits="what the disk holds",
)

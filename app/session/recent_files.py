"""Recent files as they are found on the disk. Looked at on the engine's thread: a folder of the network may be slow."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from itertools import islice
from pathlib import Path

from engine.runtime.quick_dataclass import dataclass

LOOKED_AT = 2000  # entries of a folder


@dataclass(frozen=True)
class RecentFile:
    """A file that was opened or saved."""

    path: Path
    changed: float | None  # [s] since 1970; None: it has gone, or its disk has


@dataclass(frozen=True, eq=False)
class RecentSeen:
    """The state of recent files, as found on the disk."""

    files: tuple[RecentFile, ...]


@dataclass(frozen=True, eq=False)
class FolderSeen:
    """The files of a folder that Sinew reads, by name, and none of the folders in it."""

    folder: Path
    files: tuple[Path, ...]
    problem: str = ""


def look_at(paths: Iterable[Path]) -> Generator[RecentSeen, None, None]:
    """See which files are still there, and since when they are as they are."""
    yield RecentSeen(tuple(RecentFile(path, _changed(path)) for path in paths))


def look_into(folder: Path) -> Generator[FolderSeen, None, None]:
    """See what of a folder can be opened."""
    from app.session.references import PICTURE_SUFFIXES
    from engine.formats.table import by_suffix

    def is_read(path: Path) -> bool:
        format = by_suffix(path)
        known = (format is not None and format.read is not None) or path.suffix.lower() in PICTURE_SUFFIXES
        return known and path.is_file()

    try:
        found = islice(folder.iterdir(), LOOKED_AT)
        yield FolderSeen(folder, tuple(sorted(path for path in found if is_read(path))))
    except OSError as problem:
        yield FolderSeen(folder, (), problem.strerror or str(problem))


def folder_of(path: Path) -> str:
    """Return the folder of a file, from home where it lies there."""
    try:
        return f"~/{path.parent.relative_to(Path.home())}".removesuffix("/.")
    except (ValueError, RuntimeError):
        return str(path.parent)


def _changed(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None

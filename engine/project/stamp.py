"""Stamp: how a project file stood when it was last read or written here, so that a save can tell that it is another."""

from __future__ import annotations

from pathlib import Path

from engine.project import schema
from engine.project.past import Past
from engine.project.store import Store
from engine.runtime.errors import ChangedMeanwhile, UnreadableFile
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True)
class Stamp:
    """A file's size, time of change and number on the disk."""

    size: int  # [bytes]
    changed: int  # [ns]
    number: int


def stamp(path: Path) -> Stamp | None:
    """Read the stamp of the file at `path`; None where there is none, or the disk does not say."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino)


def refuse_changed(path: Path, known: Stamp | None, past: Past) -> None:
    """Raise `ChangedMeanwhile` if the file at `path` is not as it is `known`, nor a project whose newest revision led
    to what is to be saved."""
    now = stamp(path)
    if now is None or now == known:
        return
    try:
        with Store.open(path) as store:
            newest, version = next(iter(store.revisions), None), store.version
    except UnreadableFile as error:
        raise ChangedMeanwhile(path=path, found=error.found) from error
    if version > schema.FORMAT_VERSION:
        raise ChangedMeanwhile(path=path, found="a newer Sinew has written it")
    if newest not in {each.document.digest for each in past.entries}:
        raise ChangedMeanwhile(path=path, found="it holds work that is not open here")

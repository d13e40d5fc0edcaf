"""Saving and opening: a save that leaves the old file whole however it ends.

Beside: the whole project in a new file, synced, read back, renamed over the old one, the folder synced. In place: one
journalled transaction that adds what the file does not hold, synced, and read back by a second connection; nothing that
it holds is taken away but lines of the undo list. In place goes what is a project of the present format that nobody
else has written to since: its newest revision is one of the documents that led to the one that is saved.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path

from engine.document import Blob, Document
from engine.document.parts import children
from engine.project import disk, schema
from engine.project.arrays import MissingArray, bring, home
from engine.project.locking import saving_in
from engine.project.past import Past, PastEntry
from engine.project.store import Store
from engine.runtime.errors import EngineError, UnreadableFile, UnwritableFile
from engine.runtime.quick_dataclass import dataclass

_ELSEWHERE = "Save under another name or in another folder; the work is still open here."
_WHOLE = "whole"  # under that name a file notes its size when it was last written beside
_EARLIER, _MOST_EARLIER = "earlier", 100  # under that name a file notes the documents of earlier versions
_PATIENCE = 10.0  # [s] with others who save in the same folder
_SPARE = 16 * 2**20  # bytes by which a file may be more than twice that before it is written anew


@dataclass(frozen=True)
class Opened:
    """An opened project file."""

    document: Document
    writable: bool  # whether it can be saved under its own name
    newer: tuple[str, ...] = ()  # what a newer Sinew wrote that this one cannot show
    notes: tuple[str, ...] = ()
    lines: int = 0  # of its undo list


def open_project(path: Path) -> Opened:
    """The document that was saved last, its arrays read when they are first used."""
    with Store.open(path) as store:
        document = store.document()
        newer, lines = tuple(store.newer), store.line_count
    notes = []
    if store.version < schema.FORMAT_VERSION:
        notes.append(f"The file has format {store.version}; saving writes format {schema.FORMAT_VERSION}.")
    if store.version > schema.FORMAT_VERSION:
        notes.append(f"A newer Sinew has written the file (format {store.version}). Save a copy to work on it.")
    protected = _protected(disk.resolved(path))
    if protected:
        notes.append(f"It cannot be saved here: {protected}. Save it under another name.")
    return Opened(document, not protected and store.version <= schema.FORMAT_VERSION, newer, tuple(notes), lines)


def save_project(path: Path, document: Document, past: Past | None = None, *, earlier: int = 0) -> tuple[str, ...]:
    """Save a document, with its undo list if there is one; keep so many earlier versions beside, the newest as
    `name.1.sinew`, numbers left out under which something else stands. Return messages to a person. Raise
    `UnwritableFile`; the document that stood at `path` is as it was then."""
    with schema.writing(path):
        target = disk.resolved(path)  # a link stays a link; the file that it names is written
    if target.is_dir():
        raise UnwritableFile(path=path, found="it is a folder", remedy="Choose the name of a file.")
    protected = _protected(target)
    if protected:
        raise UnwritableFile(path=path, found=protected, remedy=f"Take the protection away. {_ELSEWHERE}")
    with saving_in(target.parent, _PATIENCE) as is_alone:
        if not is_alone:
            raise UnwritableFile(path=path, found="another program is writing it", remedy=f"Try again. {_ELSEWHERE}")
        return _save(path, target, document, past, earlier)


def _save(path: Path, target: Path, document: Document, past: Past | None, earlier: int) -> tuple[str, ...]:
    try:
        if earlier == 0 and _in_place(target, document, past):
            disk.sweep(target.parent)
            return ()
        try:
            return _beside(target, document, past, earlier)
        except MissingArray as error:
            if past is None or len(past.entries) < 2:
                raise
            said = f"Saved without its undo list, which cannot be read whole: {error.found}."
            label = past.entries[past.position].label
            return said, *_beside(
                target, document, Past((PastEntry(label, None, document),), 0), earlier, careless=True
            )
    except MissingArray as error:
        found = f"{_place_of(error.digest, document)}: {error.found}"
        raise UnwritableFile(path=path, found=found, remedy=error.remedy) from error
    except UnwritableFile as error:  # which may name another file than the one that is meant
        raise UnwritableFile(path=path, found=error.found, remedy=error.remedy) from error
    except UnreadableFile as error:
        found = f"what was written does not read back ({error.found})"
        raise UnwritableFile(path=path, found=found, remedy=_ELSEWHERE) from error


def _in_place(target: Path, document: Document, past: Past | None) -> bool:
    """Add to the file what it does not hold. False where it is none that can be added to, or does not read back."""
    if not target.exists() or past is None:
        return False
    try:
        with Store.open(target, writable=True) as store:
            ours = {document.digest, *(each.document.digest for each in past.entries)}
            if next(iter(store.revisions), None) not in ours or _is_too_large(target, store):
                return False
            end = store.end
            with store.together():
                store.put_past(past)
                store.revise(document)
    except (EngineError, OSError):
        return False
    try:
        with Store.open(target) as again:
            again.check(end)
            again.check_document(document.digest)
            return again.revisions[0] == document.digest
    except (EngineError, OSError):
        with suppress(EngineError, OSError), Store.open(target, writable=True) as store:
            if store.revisions[:1] == (document.digest,):
                store.take_back()  # so that the file still holds what was saved before if it cannot be written anew
        return False


def _is_too_large(target: Path, store: Store) -> bool:
    whole = schema.whole_number(store.meta(_WHOLE))
    return whole is None or target.stat().st_size > 2 * whole + _SPARE


def _beside(
    target: Path, document: Document, past: Past | None, earlier: int, *, careless: bool = False
) -> tuple[str, ...]:
    kept: set[str] = set()
    number, (newest, numbered) = _number_of(target), _versions(target)
    noted = (newest, *numbered) if earlier > 0 and newest is not None else numbered
    former = target.with_name(f".{disk.short(target.name)}.{os.getpid()}-former{disk.PART}")

    def write(draft: Path) -> None:
        with Store.create(draft, draft=True) as store:
            with store.together():
                if past is not None:
                    store.put_past(past)
                store.revise(document)
            kept.update(store.arrays)
            store.note(_EARLIER, " ".join(noted[:_MOST_EARLIER]))
            store.note(_WHOLE, str(draft.stat().st_size))

    def check(draft: Path) -> None:
        with Store.open(draft, draft=True) as store:
            store.check()
            if store.document().digest != document.digest:
                raise UnwritableFile(path=target, found="what was written does not read back", remedy=_ELSEWHERE)
        _take_back(target)
        bring(target, kept, careless=careless)
        if earlier > 0 and target.exists():
            disk.remove(former)
            disk.link(target, former)

    said: tuple[str, ...] = ()
    try:
        with schema.writing(target):
            disk.write_beside(target, write, check)
    finally:
        if _number_of(target) != number:  # it was replaced, even if something failed then
            said = _keep_earlier(target, former, earlier, numbered)
        with suppress(OSError):
            disk.remove(former)
    disk.sweep(target.parent)
    home(target)
    return said


def _take_back(target: Path) -> None:
    """Take back a change that a crash broke off: its journal would be taken for one of the new file."""
    if not schema.has_journal(target):
        return
    with suppress(UnreadableFile):  # what is no database has nothing to be taken back
        schema.check_head(target)
        try:
            with schema.being_written(target), closing(schema.connect(target, writable=True)) as database:
                database.execute("BEGIN IMMEDIATE")
                database.execute("ROLLBACK")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise
    disk.remove(schema.journal_of(target))


def _keep_earlier(target: Path, former: Path, count: int, numbered: tuple[str, ...]) -> tuple[str, ...]:
    """Move the earlier versions on by one, and keep the former file as the newest of them."""
    if count < 1 or not former.exists():
        return ()
    try:
        names = list[Path]()
        for number in range(1, count + _MOST_EARLIER):
            name = target.with_name(f"{target.stem}.{number}{target.suffix}")
            if len(names) < count and (not name.exists() or _versions(name)[0] in numbered):
                names.append(name)
        for older, newer in pairwise(reversed(names)):
            if newer.exists():
                disk.replace(newer, older)
        disk.replace(former, names[0])
        disk.sync_folder(target.parent)
    except (OSError, LookupError) as error:
        return (f"It is saved, but the version before could not be kept: {error}.",)
    return ()


def _versions(path: Path) -> tuple[str | None, tuple[str, ...]]:
    """The digests of the document in a file, if it can be read, and of those in the earlier versions beside it: a
    numbered file that holds another was put there by a person."""
    try:
        with Store.open(path, is_home=False) as store:
            return next(iter(store.revisions), None), tuple((store.meta(_EARLIER) or "").split())
    except EngineError:
        return None, ()


def _number_of(target: Path) -> int | None:
    try:
        return target.stat().st_ino
    except OSError:
        return None


def _place_of(digest: str, document: Document) -> str:
    """Describe where in a document an array stands, as a person knows it."""

    def holds(value: object) -> bool:
        return (isinstance(value, Blob) and value.digest == digest) or any(map(holds, children(value)))

    for actor in document.actors:
        for layer in actor.layers:
            if holds(layer):
                return f"layer {layer.name} of actor {actor.name}"
        if holds(actor):
            return f"actor {actor.name}"
    return "the document"


def _protected(target: Path) -> str:
    """Say what keeps a file from being written to, as far as that shows without trying; empty: nothing."""
    try:
        mode = target.stat().st_mode
    except OSError:
        return ""
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(target, os.W_OK):
        return "the file is protected against writing"
    return "" if os.access(target.parent, os.W_OK) else "its folder is protected against writing"

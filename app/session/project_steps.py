"""Steps on the engine's thread for project files: opening, their undo lists, saving, and what is sound in a damaged
one. The rooms that touch the disk are imported inside: the first paint does without."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from app.session.history import BYTES_KEPT, History
from app.session.history_size import NOTHING, StepSize, step_size, totals
from engine.document import Document
from engine.project.past import Past
from engine.runtime.errors import EngineError, UnreadableFile, UnwritableFile
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.project.claim import Busy, FileClaim
    from engine.project.save import Opened
    from engine.project.stamp import Stamp

_NUMBERED = re.compile(r"(.*?[^\d])?(\d+)")


@dataclass(frozen=True, eq=False)
class ProjectRead:
    """The contents of a project file, and who else has it open."""

    path: Path
    opened: Opened
    stamp: Stamp | None
    claim: FileClaim | Busy | None  # None: nobody writes to it, so nobody need know
    bakes: tuple[str, ...] = ()  # names of those that were packed into it


@dataclass(frozen=True, eq=False)
class PastRead:
    """The past of a document that was opened, as much as the history keeps, and what each line takes."""

    document: Document
    past: Past | None  # None: the file tells of another document, or of none
    steps: tuple[StepSize, ...] = ()


@dataclass(frozen=True, eq=False)
class Unpacked:
    """The bakes of a project that was packed for others lie where bakes lie, as far as they could be put there."""


@dataclass(frozen=True, eq=False)
class Claimed:
    """A project that goes on from a copy is ours, or somebody else's."""

    path: Path
    claim: FileClaim | Busy


@dataclass(frozen=True, eq=False)
class Saving:
    """The content of a save, and its precautions."""

    document: Document
    history: History  # that it is of
    past: Past
    known: Stamp | None  # how the file stood when it was last read or written here
    careful: bool = False  # refuse to replace what another program has put there
    numbered: bool = False  # under the next number that is free
    away_from: Path | None = None  # the file that is open read-only
    earlier: int = 0  # versions that are kept beside


@dataclass(frozen=True, eq=False)
class Written:
    """The document that a file now holds; it was read back."""

    path: Path
    saving: Saving
    stamp: Stamp | None
    claim: FileClaim | Busy
    had_gone: bool  # where there was a file when it was last read or written
    said: tuple[str, ...] = ()  # what else a person should know


@dataclass(frozen=True, eq=False)
class SoundRead:
    """The sound part of a damaged file, and what is lost."""

    path: Path
    document: Document
    lost: tuple[str, ...]


def read_project(path: Path) -> Generator[ProjectRead, None, None]:
    """Open a project, and claim it if it can be saved."""
    from engine.project.claim import claim, own_claim
    from engine.project.packed_bakes import packed_bakes
    from engine.project.save import open_project
    from engine.project.stamp import stamp

    was = stamp(path)  # before it is read: what is changed meanwhile is noticed
    opened = open_project(path)
    claimed = (own_claim(path) or claim(path)) if opened.writable else None
    yield ProjectRead(path, opened, was, claimed, packed_bakes(path))


def claim_project(path: Path) -> Generator[Claimed, None, None]:
    """Claim a project that is not read."""
    from engine.project.claim import claim, own_claim

    yield Claimed(path, own_claim(path) or claim(path))


def unpack(path: Path, names: Iterable[str]) -> Generator[Unpacked | None, None, None]:
    """Put the bakes of a project that was packed for others where bakes lie, one a step; without them it is a project
    like any."""
    from engine.long.bake import folders_for
    from engine.project.packed_bakes import unpack_bakes

    for name in names:
        with suppress(EngineError, OSError):
            unpack_bakes(path, folders_for(path), only=name)
        yield None
    yield Unpacked()


def read_past(path: Path, document: Document) -> Generator[PastRead | None, None, None]:
    """Read what led to a document that was opened, a line a step."""
    from engine.project.store import Store

    with Store.open(path) as store:
        past = yield from store.past(document)
    if past.entries and past.document.digest == document.digest:
        past, steps = yield from within(past)
        yield PastRead(document, past, steps)
    else:
        yield PastRead(document, None)


def within(past: Past, bytes_kept: int = BYTES_KEPT) -> Generator[None, None, tuple[Past, tuple[StepSize, ...]]]:
    """Keep as many of the newest lines as take no more than that, the present one and those after it anyway, and say
    what each takes; a line a step."""
    entries, steps = past.entries, list[StepSize]()

    def measured() -> Iterator[StepSize]:
        for place in range(len(entries) - 1, 0, -1):
            steps.append(step_size(entries[place - 1].document, entries[place].document, entries[place].edit))
            yield steps[-1]

    for total in totals(entries[-1].document, measured()):
        if total > bytes_kept and len(entries) - len(steps) <= past.position:
            steps.pop()
            break
        yield
    first = len(entries) - 1 - len(steps)
    return Past(entries[first:], past.position - first), (NOTHING, *reversed(steps))


def write_project(path: Path, saving: Saving) -> Generator[Written, None, None]:
    """Save: the file is written, read back and claimed."""
    from engine.project.claim import claim, own_claim
    from engine.project.save import save_project
    from engine.project.stamp import refuse_changed, stamp

    path = next_number(path) if saving.numbered else path
    if saving.away_from is not None and is_same(path, saving.away_from):
        raise UnwritableFile(path=path, found="it is open read-only", remedy="Save under another name.")
    if saving.careful and not saving.numbered:
        refuse_changed(path, saving.known, saving.past)
    had_gone = saving.careful and saving.known is not None and stamp(path) is None and not saving.numbered
    said = save_project(path, saving.document, saving.past, earlier=0 if saving.numbered else saving.earlier)
    yield Written(path, saving, stamp(path), own_claim(path) or claim(path), had_gone, said)


def read_sound(path: Path) -> Generator[SoundRead, None, None]:
    """Read what is sound in a damaged project."""
    from engine.project.salvage import salvage

    found = salvage(path)
    if found.document is None:
        remedy = "Open an earlier copy of the file if there is one. File > Recover… lists what Sinew kept."
        raise UnreadableFile(path=path, found="nothing in it is sound", remedy=remedy)
    yield SoundRead(path, found.document, found.lost)


def next_number(path: Path) -> Path:
    """Return the path with the next number at the end of its name that no file has: `walk 2`, then `walk 3`."""
    found = _NUMBERED.fullmatch(path.stem)
    name, number, width = (found[1] or "", int(found[2]), len(found[2])) if found else (f"{path.stem} ", 1, 1)
    while (beside := path.with_name(f"{name}{number + 1:0{width}}{path.suffix}")).exists():
        number += 1
    return beside


def is_same(path: Path, other: Path) -> bool:
    """True if two names are one file."""
    try:
        return path.samefile(other)
    except OSError:
        return path.absolute() == other.absolute()

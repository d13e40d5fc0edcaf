"""Deeds: what the app does to files, in steps, and what has to be found of it whatever happens between or within.

`check` gives the number of the step whose outcome it found whole, and raises `Unsound` for anything else: every file
that can be asked for opens, with its undo list, as some step left it, no earlier than `done` and no later than `begun`.
"""

from __future__ import annotations

import random
import shutil
from functools import cache
from pathlib import Path
from typing import Literal, Protocol

import numpy as np

from engine.document import Blob, Document, Samples
from engine.edits import edit
from engine.project import runs, schema
from engine.project.bakes import BakeFile, beside, writing
from engine.project.copy_file import CopyFile
from engine.project.packed_bakes import pack_bakes, packed_bakes, unpack_bakes
from engine.project.past import Past, PastEntry
from engine.project.recovery import Copy, RecoveryRun, begin_run
from engine.project.runs import left_runs
from engine.project.save import open_project, save_project
from engine.project.store import Store
from engine.runtime.errors import EngineError
from engine.runtime.progress import finish
from tests.engine.project.committing import arm

OLDEST = Path(__file__).parents[1] / "engine" / "project" / "files" / "version2.sinew"
WINDOW = 6  # lines of an undo list
WITHIN = 300.0  # [s]
FRAME = 300  # bytes
How = Literal["in place", "beside", "earlier", "elsewhere", "any"]


class Unsound(AssertionError):
    """What was found is not what may be."""


class Deed(Protocol):
    """One kind of work."""

    name: str
    steps: int  # after which little else is new
    grace: float  # [s] by which what was done may be lost

    def prepare(self, folder: Path) -> None:
        """What lies there before."""

    def begin(self, folder: Path) -> None:
        """Before the first step."""

    def step(self, folder: Path, number: int) -> None:
        """The step of that number, from 1 on; EngineError if it cannot be done."""

    def end(self) -> None:
        """Let everything go, whatever has happened."""

    def check(self, folder: Path, done: int, begun: int) -> int:
        """The step that was found."""


class _Plain:
    steps, grace = 3, 0.0

    def prepare(self, folder: Path) -> None:
        """Nothing."""

    def begin(self, folder: Path) -> None:
        """Nothing."""

    def end(self) -> None:
        """Nothing."""


@cache
def document_at(number: int) -> Document:
    """What is open after so many edits: names change, and every second time numbers that were captured."""
    if number == 0:
        return arm()
    document = edit("rename_actor", actor="arm", name=f"Name {number}").apply(document_at(number - 1))
    if number % 2 == 0:
        return document
    values = np.random.default_rng(number).normal(size=(60 * (1 + number % 3), 1))
    samples = Samples(coordinates=("upper.turn",), values=Blob(values), rate=(30, 1))
    return edit("set_samples", actor="arm", layer="pose", samples=samples).apply(document)


@cache
def past_at(number: int) -> Past:
    """The undo list of the last edits."""
    numbers = range(max(0, number - WINDOW), number + 1)
    entries = tuple(PastEntry(f"Edit {each}", None, document_at(each)) for each in numbers)
    return Past(entries, len(entries) - 1)


def check_project(path: Path, found: dict[str, tuple[int, Past | None]]) -> int:
    """The number of the document in a project, its parts, arrays and undo list compared with it."""
    try:
        opened = open_project(path)
        with Store.open(path) as store:
            store.check()
            past = finish(store.past())
    except EngineError as error:
        raise Unsound(f"{path.name} cannot be read: {error}") from error
    number, expected = found.get(opened.document.digest, (-1, None))
    if number < 0:
        raise Unsound(f"{path.name} holds a document that nobody saved")
    check_past(path, past, expected)
    return number


def check_past(path: Path, past: Past, expected: Past | None) -> None:
    """That it is that undo list."""
    entries, place = ((), 0) if expected is None else (expected.entries, expected.position)
    wanted = [(each.label, each.document.digest) for each in entries]
    if ([(each.label, each.document.digest) for each in past.entries], past.position) != (wanted, place):
        raise Unsound(f"the undo list of {path.name} has {len(past.entries)} lines, not those {len(wanted)}")


class Saving(_Plain):
    """A project saved after each edit."""

    def __init__(self, how: How) -> None:
        self.name, self._how = f"save {how}", how

    def prepare(self, folder: Path) -> None:
        save_project(folder / "scene.sinew", document_at(0), past_at(0))

    def step(self, folder: Path, number: int) -> None:
        path, past, earlier = self._wanted(folder, number)
        said = save_project(path, document_at(number), past, earlier=earlier)
        if said and earlier == 0:
            raise Unsound(f"a save said {said}")

    def check(self, folder: Path, done: int, begun: int) -> int:
        numbers = range(begun + 1)  # each is made of the one before
        found = {document_at(each).digest: (each, self._wanted(folder, each)[1]) for each in numbers}
        if self._how == "elsewhere":
            there = [each for each in numbers if self._wanted(folder, each)[0].exists()]
            if there[: done + 1] != [*range(done + 1)]:
                raise Unsound(f"of {done} new files there are {there[1:]}")
            for each in there:
                _demand(check_project(self._wanted(folder, each)[0], found), each, each)
            return there[-1]
        if (folder / "scene.1.sinew").exists():
            check_project(folder / "scene.1.sinew", found)
        return _demand(check_project(folder / "scene.sinew", found), done, begun)

    def _wanted(self, folder: Path, number: int) -> tuple[Path, Past | None, int]:
        """Where, with which undo list, with how many earlier versions."""
        how = self._how
        if how == "any":
            how = ("in place", "beside", "in place", "earlier")[number % 4]
        name = f"scene{number}" if how == "elsewhere" and number else "scene"
        past = None if how == "beside" and number else past_at(number)
        return folder / f"{name}.sinew", past, 2 if how == "earlier" else 0


class Migrating(_Plain):
    """A file of the oldest format, opened and saved."""

    name, steps = "migrate", 1

    def prepare(self, folder: Path) -> None:
        shutil.copy(OLDEST, folder / "new.tmp")
        (folder / "new.tmp").replace(folder / "old.sinew")

    def step(self, folder: Path, number: int) -> None:
        if number > 1:
            self.prepare(folder)
        document = open_project(folder / "old.sinew").document
        save_project(folder / "old.sinew", document, Past((PastEntry("Open", None, document),), 0))

    def check(self, folder: Path, done: int, begun: int) -> int:
        document = _oldest()
        with Store.open(folder / "old.sinew") as store:
            is_new = store.version == schema.FORMAT_VERSION
        past = Past((PastEntry("Open", None, document),), 0) if is_new else None
        check_project(folder / "old.sinew", {document.digest: (0, past)})
        return begun if is_new or begun > 1 else _demand(0, done, begun)


@cache
def _oldest() -> Document:
    return open_project(OLDEST).document


class Recovering(_Plain):
    """A recovery copy, as its thread writes it: one act at a time, undone now and then."""

    name, steps = "recovery", 7

    def __init__(self) -> None:
        self._copy: CopyFile | None = None
        self._place: tuple[Path, int] | None = None

    def begin(self, folder: Path) -> None:
        self._place = runs.make_run(folder / "data" / "recovery")
        self._copy = CopyFile(self._place[0] / "1.sinew")

    def step(self, folder: Path, number: int) -> None:
        assert self._copy is not None, "begun"
        if number == 1:
            first = Past((PastEntry("Edit 0", None, document_at(0)),), 0)
            self._copy.take([lambda file: file.begin("scene", None, first, unsaved=True)])
        elif number % 4 == 0:
            position = acted(number).position
            self._copy.take([lambda file: file.step(position), lambda file: file.picture(b"a picture")])
        else:
            self._copy.take([lambda file: file.commit(f"Edit {number - 1}", None, document_at(number - 1))])

    def end(self) -> None:
        if self._copy is not None:
            self._copy.release()
        if self._place is not None:
            runs.release(*self._place)
        self._copy = self._place = None

    def check(self, folder: Path, done: int, begun: int) -> int:
        left = left_runs(folder / "data" / "recovery")
        if not left:
            return _demand(0, done, begun)
        if len(left) > 1:
            raise Unsound(f"{len(left)} copies of one document")
        for number in range(begun):
            acted(number)  # each is made of the one before
        past, lost = finish(left[0].read())
        if lost:
            raise Unsound(f"the copy has lost {lost}")
        for number in range(begun, max(done, 1) - 1, -1):
            expected = acted(number)
            if len(expected.entries) == len(past.entries) and expected.document.digest == past.document.digest:
                check_past(left[0].file, past, expected)
                return number
        raise Unsound(f"the copy has {len(past.entries)} lines and ends with {past.entries[-1].label!r}")


@cache
def acted(number: int) -> Past:
    """The undo list of a recovery copy after so many acts."""
    if number <= 1:
        return Past((PastEntry("Edit 0", None, document_at(0)),) if number else (), 0)
    before = acted(number - 1)
    if number % 4 == 0:
        return Past(before.entries, before.position - 1)
    line = PastEntry(f"Edit {number - 1}", None, document_at(number - 1))
    return Past((*before.entries[: before.position + 1], line), before.position + 1)


class RecoveringByThread(Recovering):
    """The same by a run's own thread, to which acts are put."""

    grace = 1.0

    def __init__(self) -> None:
        super().__init__()
        self._run: RecoveryRun | None = None
        self._put: Copy | None = None

    def begin(self, folder: Path) -> None:
        self._run = begin_run(folder / "data" / "recovery")

    def step(self, folder: Path, number: int) -> None:
        assert self._run is not None, "begun"
        if number == 1:
            first = Past((PastEntry("Edit 0", None, document_at(0)),), 0)
            self._put = self._run.open("scene", None, document_at(0), first, unsaved=True)
        assert self._put is not None, "opened by the first step"
        if number > 1 and number % 4 == 0:
            self._put.step(acted(number).position)
        elif number > 1:
            self._put.commit(f"Edit {number - 1}", None, document_at(number - 1))

    def end(self) -> None:
        if self._run is not None:
            self._run.end(WITHIN)


DIGEST = "ab" * 32


def frame(time: int) -> bytes:
    """One that is baked."""
    return random.Random(time).randbytes(FRAME)


def frames_in(path: Path) -> dict[int, bytes]:
    """All sound frames of a bake."""
    file = BakeFile.open(path)
    if file is None:
        return {}
    for _ in file.look():
        pass
    found = {time: file.read(time) for time in [*file.times]}
    file.close()
    return {time: each for time, each in found.items() if each is not None}


def bake_to(folder: Path, count: int, digest: str = DIGEST) -> Path:
    """Frames 0 to `count`, but for those that are there."""
    with writing([folder], digest, b"what it is made of", FRAME) as writer:
        for time in range(count):
            if time not in writer.file.times:
                writer.append(time, frame(time))
        return writer.file.path


class Baking(_Plain):
    """Frames appended to a bake, each step as if begun anew."""

    name, each = "bake", 5

    def step(self, folder: Path, number: int) -> None:
        bake_to(folder / "scene.bakes", self.each * number)

    def check(self, folder: Path, done: int, begun: int) -> int:
        path = folder / "scene.bakes" / f"{DIGEST}.bake"
        found = frames_in(path)
        wrong = [time for time, each in found.items() if each != frame(time)]
        missing = [time for time in range(self.each * done) if time not in found]
        if wrong or missing:
            raise Unsound(f"frames {wrong} of a bake are others, {missing} are missing")
        bake_to(folder / "scene.bakes", self.each * begun)
        if len(frames_in(path)) < self.each * begun:
            raise Unsound("a bake that is gone on with does not become whole")
        return begun if len(found) >= self.each * begun else done


class Packing(_Plain):
    """Bakes put into a project that is given to others, a save before each."""

    name, steps = "pack", 2

    def prepare(self, folder: Path) -> None:
        path = folder / "scene.sinew"
        save_project(path, document_at(0), past_at(0))
        for number in (1, 2):
            bake_to(beside(path), 4 * number, f"{number:064x}")

    def step(self, folder: Path, number: int) -> None:
        path = folder / "scene.sinew"
        pack_bakes(path, [beside(path) / f"{number:064x}.bake"])

    def check(self, folder: Path, done: int, begun: int) -> int:
        path = folder / "scene.sinew"
        check_project(path, {document_at(0).digest: (0, past_at(0))})
        names = sorted(packed_bakes(path))
        if names != [f"{number:064x}.bake" for number in range(1, len(names) + 1)]:
            raise Unsound(f"{names} are packed")
        shutil.rmtree(folder / "out", ignore_errors=True)
        unpack_bakes(path, [folder / "out"])
        for number in range(1, len(names) + 1):
            if len(frames_in(folder / "out" / f"{number:064x}.bake")) != 4 * number:
                raise Unsound("a bake that was packed is not the one that comes out")
        return _demand(len(names), done, begun)


def _demand(found: int, done: int, begun: int) -> int:
    if not done <= found <= begun:
        raise Unsound(f"step {found} was found, where {done} was done and {begun} begun")
    return found


def deeds() -> list[Deed]:
    """One of each that needs no other program."""
    saves: list[How] = ["in place", "beside", "earlier", "elsewhere"]
    return [*map(Saving, saves), Recovering(), Migrating(), Baking(), Packing()]

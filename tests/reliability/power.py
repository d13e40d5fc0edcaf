"""Power: what a disk holds after the power was cut, by what was synced until then and what was not.

Each file is its content at its last sync and the writes since; each folder its names at its last sync and the changes
since. After a cut a file has any of the 512-byte sectors that were not synced, new, old or torn, whatever the order in
which they were written; a folder has any number of its changes, in their order, as journalling file systems keep them;
files and folders know nothing of each other. What was renamed, and not synced, may be empty.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.reliability.tap import READS, Change, Do, PowerCut, Tap

SECTOR = 512
NEVER = 10**9


@dataclass(eq=False)
class File:
    """One file."""

    synced: bytes = b""
    now: bytearray = field(default_factory=bytearray)
    waiting: list[tuple[int, bytes | None]] = field(default_factory=list)  # None: cut there

    @classmethod
    def found(cls, content: bytes, *, is_synced: bool) -> File:
        """One that is there already."""
        return cls(content if is_synced else b"", bytearray(content), [] if is_synced else [(0, content)])

    def write(self, place: int, data: bytes) -> None:
        """Bytes at a place, zeros up to it."""
        self.waiting.append((place, data))
        _write(self.now, place, data)

    def cut(self, size: int) -> None:
        """Make it so long."""
        self.waiting.append((size, None))
        _cut(self.now, size)

    def sync(self) -> None:
        """From now on that is what it holds."""
        self.synced = bytes(self.now)
        self.waiting.clear()

    def after(self, random: Random) -> bytes:
        """What is found of it when the power is back."""
        found, kept, torn = bytearray(self.synced), random.choice((0.0, 0.1, 0.5, 0.9, 1.0)), random.choice((0.0, 0.3))
        for place, data in self.waiting:
            if data is None:
                if random.random() < kept:
                    _cut(found, place)
                continue
            start = place
            while start < place + len(data):
                end = min((start // SECTOR + 1) * SECTOR, place + len(data))
                if random.random() < kept:
                    first, last = start, end
                    if random.random() < torn:
                        middle = random.randint(start, end)
                        first, last = random.choice(((start, middle), (middle, end)))
                    if last > first:
                        _write(found, first, data[first - place : last - place])
                start = end
        return bytes(found)


FOLDER = File()
Names = dict[Path, File]
Rename = tuple[tuple[Path, File | None], ...]  # names and what they are of from then on; None: nothing


class Power(Tap):
    """A machine that goes off at the change of number `at`, which may have been done in part by then; from then on it
    refuses everything. `is_soft`: with an OSError, for threads that nobody ends otherwise."""

    def __init__(self, root: Path, *, at: int = NEVER, is_soft: bool = False) -> None:
        self._root, self._at, self._is_soft = root, at, is_soft
        self.count = 0  # changes so far
        self.is_off = False
        self._now: Names = {root: FOLDER}
        for path in sorted(root.rglob("*")):
            self._now[path] = FOLDER if path.is_dir() else File.found(path.read_bytes(), is_synced=True)
        self._synced = dict(self._now)
        self._waiting: dict[Path, list[Rename]] = {}

    def step(self, change: Change, do: Do) -> None:
        if self.is_off:
            self._refuse()
        if change.kind in READS:
            if change.kind == "open" and change.path.exists():
                self._notice(change.path)
            do(change)
            return
        if change.kind != "make":
            self._notice(change.path)  # before it changes
        is_last = self.count == self._at
        self.count += 1
        if not is_last or not change.kind.startswith("sync"):
            self._record(change)
        if is_last:
            self.is_off = True
            self._refuse()
        do(change)

    def survivors(self, folder: Path, seed: int) -> None:
        """Lay down, in an empty folder, what is found when the power is back."""
        random = Random(seed)
        names, contents = dict(self._synced), dict[int, bytes]()
        for changes in self._waiting.values():
            for each in changes[: random.randint(0, len(changes))]:
                _rename(names, each)
        for path, file in sorted(names.items()):
            if not all(each in names for each in path.parents if each.is_relative_to(self._root)):
                continue
            target = folder / path.relative_to(self._root)
            if file is FOLDER:
                target.mkdir(exist_ok=True)
            else:
                if id(file) not in contents:
                    contents[id(file)] = file.after(random)
                target.write_bytes(contents[id(file)])

    def _refuse(self) -> None:
        if self._is_soft:
            raise OSError(5, "the power is off")
        raise PowerCut

    def _record(self, change: Change) -> None:
        path, target = change.path, change.target
        match change.kind:
            case "make":
                self._change(path.parent, ((path, File()),))
            case "write":
                self._now[path].write(change.place, change.data)
            case "cut":
                self._now[path].cut(change.place)
            case "sync":
                self._now[path].sync()
            case "sync_folder":
                for each in path.iterdir():
                    self._notice(each)
                for done in self._waiting.pop(path, ()):
                    _rename(self._synced, done)
            case "remove":
                self._change(path.parent, ((path, None),))
            case "replace" if target is not None:
                self._change(target.parent, ((path, None), (target, self._now[path])))
            case "link" if target is not None:
                self._change(target.parent, ((target, self._now[path]),))

    def _change(self, folder: Path, done: Rename) -> None:
        self._notice(folder)
        self._waiting.setdefault(folder, []).append(done)
        _rename(self._now, done)

    def _notice(self, path: Path) -> None:
        """A file or folder that was made without a word: nothing of it is synced."""
        if path in self._now or not path.is_relative_to(self._root) or not path.exists():
            return
        file = FOLDER if path.is_dir() else File.found(path.read_bytes(), is_synced=False)
        self._change(path.parent, ((path, file),))


def _rename(names: Names, done: Rename) -> None:
    for path, file in done:
        if file is None:
            names.pop(path, None)
        else:
            names[path] = file


def _write(content: bytearray, place: int, data: bytes) -> None:
    if len(content) < place:
        content.extend(bytes(place - len(content)))
    content[place : place + len(data)] = data


def _cut(content: bytearray, size: int) -> None:
    if len(content) > size:
        del content[size:]
    else:
        content.extend(bytes(size - len(content)))

"""Bakes: frames that were worked out, in files that may be lost at any time. All can be worked out again.

A bake is one file, named by the digest of all that its frames are made of. Its head (magic, lengths, digest, the
`inputs` in the words of whoever bakes, a checksum) is followed by records of one size: length of the frame, a mark, its
time [ticks], a checksum of digest, time and frame, and the frame. All numbers are little-endian.

What is damaged is missing, never an error: a record whose checksum is wrong is not there, one that is torn off at the
end is cut off before more is appended, a file with a wrong head is no bake. Several programs may append to one bake:
each writes whole records, and the head is the same whoever writes it. Frames are read, not mapped: a mapped file ends
the program that looks at it when its drive fails.
"""

from __future__ import annotations

import os
import re
import struct
import time as clock
import weakref
import zlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Self

from engine.project import disk
from engine.project.locking import lock_alone, lock_shared
from engine.project.schema import LONGEST_TEXT
from engine.runtime.errors import UnwritableFile

SUFFIX, FOLDER = ".bake", ".bakes"
MOST_BYTES = 4 * 2**30  # of the bakes in one folder
LONGEST_FRAME = 16 * 2**20
MOST_FRAMES = 200_000  # of one bake
SYNC_EVERY, WRITE_EVERY = 1.0, 0.2  # [s]
_STEP = 256  # records that are looked at in one go
_FORGOTTEN = 3600.0  # [s] after which nobody writes to what a program that was killed has left
_MAGIC, _MARK = b"SINEWBK1", 0x4B414253
_HEAD = struct.Struct("<8sIII32s")  # magic, lengths of the inputs as they stand and inflated, of a frame; digest
_RECORD = struct.Struct("<IIq16s")
_SUM = 16
_NAME = re.compile(rf"[0-9a-f]{{64}}\{SUFFIX}")


class BakeFile:
    """One bake, to be read. For one thread at a time."""

    def __init__(self, path: Path, file: BinaryIO, digest: bytes, inputs: bytes, frame_size: int, start: int) -> None:
        self.path, self.inputs, self.frame_size = path, inputs, frame_size
        self.times: dict[int, int] = {}  # the record of each frame that was looked at
        self._file, self._digest, self._start, self._seen = file, digest, start, 0
        self._size = _RECORD.size + frame_size
        self.close = weakref.finalize(self, file.close)  # let it go; at the latest with this object

    @classmethod
    def open(cls, path: Path) -> Self | None:
        """The bake in a file; None where there is no sound one. Nobody prunes it while it is open."""
        try:
            file = path.open("rb", buffering=0)
        except OSError:
            return None
        try:
            lock_shared(file.fileno())
            found = _read_head(file)
            if found is None or not _NAME.fullmatch(path.name) or bytes.fromhex(path.stem) != found[0]:
                file.close()
                return None
        except OSError:
            file.close()
            return None
        return cls(path, file, *found)

    @property
    def digest(self) -> str:
        """64 hexadecimal digits: of what the frames are made of."""
        return self._digest.hex()

    @property
    def count(self) -> int:
        """Whole records in the file."""
        return min(max(self.size - self._start, 0) // self._size, MOST_FRAMES)

    @property
    def size(self) -> int:
        """Bytes of the file; 0 where it is not known any more."""
        try:
            return os.fstat(self._file.fileno()).st_size
        except OSError:
            return 0

    @property
    def whole(self) -> int:
        """Bytes of the file up to the end of its last whole record."""
        return self._start + (self.size - self._start) // self._size * self._size

    @property
    def is_there(self) -> bool:
        """True if the file still goes by its name."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except OSError:
            return False

    def look(self) -> Generator[None, None, None]:
        """Find the frames that have come since the last look, in small steps; their content is read later."""
        while self._seen < (count := self.count):
            for number in range(self._seen, min(self._seen + _STEP, count)):
                head = self._read(self._start + number * self._size, _RECORD.size)
                if len(head) == _RECORD.size:
                    length, mark, time, _ = _RECORD.unpack(head)
                    if (length, mark) == (self.frame_size, _MARK):
                        self.times[time] = number
                self._seen = number + 1
            yield

    def read(self, time: int) -> bytes | None:
        """The frame of a time [ticks]; None where there is none that is sound, and from then on it is missing."""
        number = self.times.get(time)
        if number is None:
            return None
        record = self._read(self._start + number * self._size, self._size)
        if record == _record(self._digest, time, record[_RECORD.size :]) and len(record) == self._size:
            return record[_RECORD.size :]
        del self.times[time]
        return None

    def use(self) -> None:
        """Note that it was used now: what was not used for the longest is pruned first."""
        with suppress(OSError):
            os.utime(self.path)

    def _read(self, place: int, length: int) -> bytes:
        try:
            self._file.seek(place)
            return self._file.read(length) or b""
        except OSError:
            return b""


class BakeWriter:
    """One bake, to be appended to. Frames reach the file a few times a second, the disk once a second."""

    def __init__(self, file: BakeFile) -> None:
        self.file = file
        self._waiting: list[bytes] = []
        self._written = self._synced = clock.monotonic()
        self._is_synced = True

    def append(self, time: int, frame: bytes) -> None:
        """One frame more."""
        self._waiting.append(_record(self.file._digest, time, frame))
        now = clock.monotonic()
        if now - self._written >= WRITE_EVERY:
            self.write(sync=now - self._synced >= SYNC_EVERY)

    def write(self, *, sync: bool = True) -> None:
        """Have the file hold all frames that were appended."""
        try:
            if self._waiting:
                records, self._waiting = b"".join(self._waiting), []  # what fails once is not tried again: it is torn
                self._is_synced = False
                disk.append(self.file.path, records)
            if sync and not self._is_synced:
                disk.sync(self.file.path)
                self._is_synced, self._synced = True, clock.monotonic()
        except OSError as error:
            raise _unwritable(self.file.path, error) from error
        self._written = clock.monotonic()


@contextmanager
def writing(folders: Sequence[Path], digest: str, inputs: bytes, frame_size: int) -> Iterator[BakeWriter]:
    """The bake of that digest in the first of the folders that can be written to; what it holds already is kept, but
    for a record that is torn off at its end."""
    file = _begun(folders, digest, inputs, frame_size)
    writer = BakeWriter(file)
    try:
        if file.whole < file.size:
            disk.cut(file.path, file.whole)
        for _ in file.look():
            pass
        for time in [*file.times]:
            file.read(time)  # what is damaged is made again
        try:
            yield writer
        finally:
            writer.write()
    finally:
        file.close()


def beside(project: Path) -> Path:
    """The folder for the bakes of a project."""
    return project.with_name(f"{project.stem}{FOLDER}")


def folders_of(project: Path | None, cache: Path | None) -> tuple[Path, ...]:
    """List the folders where the bakes of a project may lie: beside it, or in the user's cache, as may those of one
    without a file."""
    kept = () if cache is None else (cache / "bakes",)
    return kept if project is None else (beside(project), *kept)


def bakes_in(folder: Path) -> list[Path]:
    """The bakes of a folder, what was used last first."""
    try:
        found = [(each.stat().st_mtime, each) for each in folder.iterdir() if _NAME.fullmatch(each.name)]
    except OSError:
        return []
    return [path for _, path in sorted(found, reverse=True)]


def prune(folder: Path, most: int = MOST_BYTES) -> None:
    """Remove what was not used for the longest until the bakes of a folder have no more bytes than `most`, but none
    that is open; and what programs have left that were killed."""
    total = 0
    for path in bakes_in(folder):
        with suppress(OSError):
            size = path.stat().st_size
            if total + size <= most or not remove_bake(path):
                total += size
    with suppress(OSError):
        for each in folder.glob(f".*{SUFFIX}.*{disk.PART}"):
            if clock.time() - each.stat().st_mtime > _FORGOTTEN:
                disk.remove(each)


def remove_bakes(folder: Path) -> int:
    """Remove all bakes of a folder that are not open; how many there were."""
    count = sum(remove_bake(path) for path in bakes_in(folder))
    with suppress(OSError):
        folder.rmdir()  # which is refused while something is in it
    return count


def remove_bake(path: Path) -> bool:
    """Remove a bake, unless anybody has it open; return True if it is gone."""
    try:
        with path.open("rb") as file:
            if not lock_alone(file.fileno()):
                return False
            if os.name == "posix":
                disk.remove(path)
                return True
        disk.remove(path)  # where an open file cannot be removed, by nobody
    except OSError:
        return False
    return True


def is_bake_name(name: str) -> bool:
    """Tell whether a bake may have that name: no other ever becomes that of a file."""
    return _NAME.fullmatch(name) is not None


def head_of(digest: str, inputs: bytes, frame_size: int) -> bytes:
    """Pack the header in front of the frames."""
    packed = zlib.compress(inputs, 6)
    head = _HEAD.pack(_MAGIC, len(packed), len(inputs), frame_size, bytes.fromhex(digest)) + packed
    return head + blake2b(head, digest_size=_SUM).digest()


def _begun(folders: Sequence[Path], digest: str, inputs: bytes, frame_size: int) -> BakeFile:
    """An open file with that head, in the first folder that takes it."""
    if not 0 < frame_size <= LONGEST_FRAME or len(inputs) > LONGEST_TEXT:
        found = f"a frame of {frame_size} bytes of a scene of {len(inputs)} bytes"
        remedy = f"At most {LONGEST_FRAME} and {LONGEST_TEXT} can be baked: bake fewer actors at once."
        raise UnwritableFile(path=digest[:12] + SUFFIX, found=found, remedy=remedy)
    head, problem = head_of(digest, inputs, frame_size), FileNotFoundError("no folder for bakes can be found")
    why: UnwritableFile = _unwritable(Path(f"{digest[:12]}{SUFFIX}"), problem)
    for folder in folders:
        path = folder / f"{digest}{SUFFIX}"
        try:
            for _ in range(3):  # another program may prune it between two of our steps
                file = BakeFile.open(path)
                if file is not None and file.inputs == inputs and file.frame_size == frame_size and file.is_there:
                    return file
                if file is not None:
                    file.close()
                disk.make_folder(folder)
                disk.write_beside(path, head)
        except OSError as error:
            why = _unwritable(path, error)
            with suppress(OSError):
                folder.rmdir()
    raise why


def _read_head(file: BinaryIO) -> tuple[bytes, bytes, int, int] | None:
    """Digest, inputs, length of a frame, and where the records start."""
    plain = file.read(_HEAD.size)
    if len(plain) != _HEAD.size:
        return None
    magic, packed_size, size, frame_size, digest = _HEAD.unpack(plain)
    if magic != _MAGIC or max(packed_size, size) > LONGEST_TEXT or not 0 < frame_size <= LONGEST_FRAME:
        return None
    packed, kept = file.read(packed_size) or b"", file.read(_SUM)
    if blake2b(plain + packed, digest_size=_SUM).digest() != kept:
        return None
    opened = zlib.decompressobj()
    try:
        inputs = opened.decompress(packed, size + 1)
    except zlib.error:
        return None
    return (digest, inputs, frame_size, _HEAD.size + packed_size + _SUM) if len(inputs) == size else None


def _record(digest: bytes, time: int, frame: bytes) -> bytes:
    found = blake2b(struct.pack("<qI", time, len(frame)), digest_size=_SUM, key=digest)
    found.update(frame)
    return _RECORD.pack(len(frame), _MARK, time, found.digest()) + frame


def _unwritable(path: Path, error: OSError) -> UnwritableFile:
    found = disk.unwritable(path, error).found
    remedy = "Make some room, or save the project where you may write; the frames that were baked are kept."
    return UnwritableFile(path=path, found=found, remedy=remedy)

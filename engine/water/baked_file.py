"""BakedFile: frames of water on the disk, in a file that may be lost at any time: all can be computed again.

A file is named by the digest of all that its frames follow from. After its head (magic, digest) stand records: length,
kind, number of the frame, a checksum, and the packed content. A record of kind FRAME is what is drawn; one of kind
STATE is what the frames after it go on from. States come at the same frames whoever bakes, so that a bake that was
killed is cut back to its last state and goes on to the same bytes. What is damaged ends the file: it is made again
from there.
"""

from __future__ import annotations

import struct
import time as clock
import zlib
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Self

from engine.project import disk
from engine.project.locking import lock_alone
from engine.runtime.errors import UnwritableFile

FRAME, STATE = 1, 2
SUFFIX, FOLDER = ".water", "water"
MOST_BYTES = 8 * 2**30  # of all bakes in a folder
_MAGIC = b"SINEWWT1"
_HEAD = struct.Struct("<8s32s")
_RECORD = struct.Struct("<IIq16s")  # length of the packed content, kind, frame, checksum
_SYNC_EVERY = 2.0  # [s]


class BakedFile:
    """The frames of one bake, to be read; what another process appends meanwhile is found by `look`."""

    def __init__(self, path: Path, digest: str) -> None:
        self.path, self.digest = path, digest
        self.frames: dict[int, tuple[int, int]] = {}  # where each lies: place and length
        self.states: dict[int, tuple[int, int]] = {}
        self.end = 0  # bytes up to the end of the last sound record

    def look(self) -> bool:
        """Find what has come since the last look; tell whether there is anything new."""
        try:
            size = self.path.stat().st_size
        except OSError:
            self.frames, self.states, self.end = {}, {}, 0
            return False
        try:
            if size == self.end:
                return False
            with self.path.open("rb") as file:
                if size < self.end or self.end == 0:
                    self._begin(file)
                return self._read_on(file, size) if self.end else False
        except OSError:
            return False

    def frame(self, number: int) -> bytes | None:
        """The content of a frame; None where there is none that is sound."""
        return self._content(FRAME, number, self.frames)

    def state(self, number: int) -> bytes | None:
        """The content of the state at a frame."""
        return self._content(STATE, number, self.states)

    def _begin(self, file: BinaryIO) -> None:
        self.frames, self.states, self.end = {}, {}, 0
        if file.read(_HEAD.size) == head_of(self.digest):
            self.end = _HEAD.size

    def _read_on(self, file: BinaryIO, size: int) -> bool:
        came = False
        while self.end + _RECORD.size <= size:
            file.seek(self.end)
            length, kind, number, _ = _RECORD.unpack(file.read(_RECORD.size))
            place = self.end + _RECORD.size
            if kind not in (FRAME, STATE) or place + length > size:
                break
            (self.frames if kind == FRAME else self.states)[number] = place, length
            self.end, came = place + length, True
        return came

    def _content(self, kind: int, number: int, listed: dict[int, tuple[int, int]]) -> bytes | None:
        if number not in listed:
            return None
        place, length = listed[number]
        with suppress(OSError, zlib.error), self.path.open("rb") as file:
            file.seek(place - _RECORD.size)
            record = file.read(_RECORD.size + length)
            packed = record[_RECORD.size :]
            if record[: _RECORD.size] == _head_of_record(kind, number, packed, self.digest):
                return zlib.decompress(packed)
        del listed[number]
        return None


class BakedWriter:
    """Such a file, to be appended to by one process alone."""

    def __init__(self, file: BakedFile, handle: BinaryIO) -> None:
        self.file, self._handle = file, handle
        self._synced = clock.monotonic()

    @classmethod
    def open(cls, folder: Path, digest: str) -> Self:
        """Open the file of a digest, made where there is none, cut back to its last state."""
        path = folder / f"{digest}{SUFFIX}"
        try:
            disk.make_folder(folder)
            if not path.exists():
                disk.write_beside(path, head_of(digest))
            handle = path.open("rb")
        except OSError as problem:
            raise disk.unwritable(path, problem) from problem
        if not lock_alone(handle.fileno()):
            handle.close()
            remedy = "Wait for it, or cancel it; its frames are read as they come."
            raise UnwritableFile(path=path, found="another program bakes this water just now", remedy=remedy)
        file = BakedFile(path, digest)
        file.look()
        made = cls(file, handle)
        made._cut_back()
        return made

    def append(self, kind: int, number: int, content: bytes) -> None:
        """Append one record."""
        packed = zlib.compress(content, 1)
        record = _head_of_record(kind, number, packed, self.file.digest) + packed
        try:
            disk.append(self.file.path, record)
            if clock.monotonic() - self._synced > _SYNC_EVERY:
                disk.sync(self.file.path)
                self._synced = clock.monotonic()
        except OSError as problem:
            raise disk.unwritable(self.file.path, problem) from problem
        self.file.look()

    def close(self) -> None:
        """Be done; what was appended is on the disk."""
        with suppress(OSError):
            disk.sync(self.file.path)
        self._handle.close()

    def _cut_back(self) -> None:
        """Cut off what comes after the last state that is sound, since the next frame follows from it."""
        file = self.file
        for number in sorted(file.states, reverse=True):
            place, length = file.states[number]
            if file.state(number) is not None and all(file.frame(each) is not None for each in range(number + 1)):
                end = place + length
                break
        else:
            end = _HEAD.size
        try:
            if file.end == 0:  # no sound head
                disk.cut(file.path, 0)
                disk.append(file.path, head_of(file.digest))
            elif end < file.path.stat().st_size:
                disk.cut(file.path, end)
        except OSError as problem:
            raise disk.unwritable(file.path, problem) from problem
        file.end = 0
        file.look()


def head_of(digest: str) -> bytes:
    """Give the head of a file."""
    return _HEAD.pack(_MAGIC, bytes.fromhex(digest))


def prune(folder: Path, most: int = MOST_BYTES) -> None:
    """Remove the bakes that were not changed for the longest, until those of a folder have no more bytes than `most`,
    but none that a process is writing."""
    found = []
    with suppress(OSError):
        found = [(each.stat().st_mtime, each.stat().st_size, each) for each in folder.glob(f"*{SUFFIX}")]
    total = 0
    for _, size, path in sorted(found, reverse=True):
        total += size
        if total > most:
            remove(path)


def remove(path: Path) -> bool:
    """Remove a bake, unless a process is writing it; tell whether it is gone."""
    with suppress(OSError), path.open("rb") as file:
        if lock_alone(file.fileno()):
            disk.remove(path)
            return True
    return not path.exists()


def _head_of_record(kind: int, number: int, packed: bytes, digest: str) -> bytes:
    plain = struct.pack("<IIq", len(packed), kind, number)
    sum_of = blake2b(plain, digest_size=16, key=bytes.fromhex(digest))
    sum_of.update(packed)
    return _RECORD.pack(len(packed), kind, number, sum_of.digest())

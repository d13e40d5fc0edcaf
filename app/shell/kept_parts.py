"""KeptParts: parts of a video that are drawn already, in a folder beside it, until the video is whole.

A part is a file: a line of JSON that says of which video it is, which frames it holds, what drew them and a checksum,
then their pixels, packed without loss. A render that was ended, however, goes on with those that are there.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, cast

from engine import __version__
from engine.long.percent import say
from engine.project import disk
from engine.runtime.child import Json
from engine.runtime.errors import UnreadableFile, UnwritableFile, reason_of
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.export.drawing import Frame

VERSION = 1  # of what a part means: another one, and none is taken over
SUFFIX = ".parts"
_ENDING = ".frames"
_LEVEL = 1  # of packing: a sixth of the size, for a tenth of the time that drawing takes
Block = tuple[int, int]  # the first frame, and the one behind the last


def key_of(digest: str, size: tuple[int, int], request: Mapping[str, object]) -> str:
    """Name all that the pixels of a video depend on: its document, its size as drawn, and what was asked for."""
    wanted = json.dumps([VERSION, __version__, digest, size, dict(request)], default=str, sort_keys=True)
    return blake2b(wanted.encode(), digest_size=8).hexdigest()


def packed(frames: Iterable[Frame], drawn_by: str) -> Json:
    """Frames of a part as they are sent."""
    packing = zlib.compressobj(_LEVEL)
    pixels = b"".join([*map(packing.compress, frames), packing.flush()])
    return {"drawn": drawn_by, "frames": b64encode(pixels).decode()}


@dataclass(eq=False)
class KeptParts:
    """The parts of one video."""

    out: Path
    key: str
    blocks: Sequence[Block]
    bytes_each: int  # of a frame
    there: set[int] = field(default_factory=set)  # places of blocks
    _drawn_by: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        """Where they are."""
        return self.out.with_name(f"{self.out.name}{SUFFIX}")

    @property
    def text(self) -> str:
        """How much there is, for a person; nothing where there is nothing."""
        count = sum(end - first for first, end in (self.blocks[place] for place in self.there))
        return f"{count} of {self.blocks[-1][1]} frames, in {self.folder.name}" if count else ""

    def begin(self, *, replace: bool) -> None:
        """Find those that are there; those of another video are refused, or lost where that is asked for."""
        try:
            self.folder.mkdir(exist_ok=True)
            files = sorted(self.folder.glob(f"*{_ENDING}"))
            heads = {path: _head(path) for path in files}
            others = [path for path, head in heads.items() if head is not None and head.get("key") != self.key]
            if others and not replace:
                found = "it holds frames of another video, scene or version"
                remedy = "Give another name, or --replace to lose those frames."
                raise UnwritableFile(path=self.folder, found=found, remedy=remedy)
            for path in others:
                disk.remove(path)
        except OSError as error:
            raise disk.unwritable(self.folder, error, at_work=False) from error
        for place, block in enumerate(self.blocks):
            head = heads.get(self._path(place))
            if head is not None and head.get("key") == self.key and head["frames"] == list(block):
                self.there.add(place)
                self._say_who(place, str(head["drawn"]))

    def take(self, place: int, result: Json) -> None:
        """Keep a part that has come."""
        told = cast(dict[str, str], result)
        pixels = b64decode(told["frames"])
        head = {
            "key": self.key,
            "frames": self.blocks[place],
            "drawn": told["drawn"],
            "sum": zlib.crc32(pixels),
        }
        path = self._path(place)
        try:
            disk.write_beside(path, json.dumps(head).encode() + b"\n" + pixels)
        except OSError as error:
            raise disk.unwritable(path, error, at_work=False) from error
        self.there.add(place)
        self._say_who(place, told["drawn"])

    def frames(self, place: int) -> Iterator[Frame]:
        """The frames of a part that is there."""
        path, (first, end) = self._path(place), self.blocks[place]
        try:
            pixels = zlib.decompress(path.read_bytes().partition(b"\n")[2])
        except (OSError, zlib.error) as problem:
            raise UnreadableFile(path=path, found=reason_of(problem), remedy="Run it again.") from problem
        for number in range(end - first):
            yield pixels[number * self.bytes_each : (number + 1) * self.bytes_each]

    def remove(self) -> None:
        """Take them away: the video is whole, or nothing was drawn."""
        for place in range(len(self.blocks)):
            with suppress(OSError):
                disk.remove(self._path(place))
        with suppress(OSError):  # it holds something of somebody else
            self.folder.rmdir()

    def _path(self, place: int) -> Path:
        return self.folder / f"{self.blocks[place][0] + 1:06d}{_ENDING}"

    def _say_who(self, place: int, drawn_by: str) -> None:
        """Tell where another OpenGL drew than before: it may round otherwise."""
        if drawn_by in self._drawn_by:
            return
        if self._drawn_by:
            first, end = self.blocks[place]
            say(f"note: frames {first + 1} to {end} were drawn by {drawn_by}, others by {self._drawn_by[0]}")
        self._drawn_by.append(drawn_by)


def _head(path: Path) -> dict[str, Json] | None:
    """Read the line that a file begins with; none where it is not whole."""
    line, _, pixels = path.read_bytes().partition(b"\n")
    try:
        head = json.loads(line)
    except ValueError:
        return None
    return head if isinstance(head, dict) and head.get("sum") == zlib.crc32(pixels) else None

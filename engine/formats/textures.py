"""Textures of files: PNG and JPEG pictures, known by their first bytes and measured by their headers, never unpacked.

A texture that is not there, or that nobody could draw, leaves the base colour alone and is noted; a name that
leads out of the folder is for the reader to refuse. After the PNG specification, 11.2.2 (IHDR), and ITU-T T.81, B.2.2
(SOF).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.document import Blob, TextureImage
from engine.document.material import MOST_PIXELS, MOST_SIDE
from engine.formats.text import shown
from engine.runtime.errors import printable

MOST_TEXTURE_BYTES = 64 * 2**20  # of one texture
MOST_ALL_BYTES = 256 * 2**20  # of all of a file
MOST_ALL_PIXELS = 2**28
MOST_TEXTURES = 256  # of a file

_PNG = b"\x89PNG\r\n\x1a\n"
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # markers of a JPEG's frame header


class Textures:
    """The textures of a file, each taken once, and what there is to say of those that were left out."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._found: dict[bytes, TextureImage] = {}
        self._bytes = self._pixels = 0

    def take(self, name: str, data: bytes) -> TextureImage | None:
        """The texture of a picture's bytes; None where it is left out."""
        known = self._found.get(data)
        if known is None:
            size = size_of(data)
            reason = self._refused(data, size)
            if reason or size is None:
                self.leave_out(name, reason)
                return None
            called = printable(name)[:200] or "texture"
            known = TextureImage(name=called, data=Blob(np.frombuffer(data, np.uint8)), width=size[0], height=size[1])
            self._found[data] = known
            self._bytes, self._pixels = self._bytes + len(data), self._pixels + size[0] * size[1]
        return known

    def leave_out(self, name: str, reason: str) -> None:
        """Note why a texture is not taken."""
        note = f"the texture {shown(name)} {reason}: left out"
        if note not in self.notes:
            self.notes.append(note)

    def _refused(self, data: bytes, size: tuple[int, int] | None) -> str:
        """Say what is wrong with a texture; nothing where it can be taken."""
        if size is None:
            return "is no sound PNG or JPEG picture"
        width, height = size
        if max(size) > MOST_SIDE or width * height > MOST_PIXELS:
            return f"is {width:,} x {height:,} pixels, and {MOST_SIDE:,} a side and {MOST_PIXELS:,} in all are the most"
        if len(data) > MOST_TEXTURE_BYTES:
            return f"takes more than {MOST_TEXTURE_BYTES // 2**20} MB"
        if len(self._found) >= MOST_TEXTURES:
            return f"is one more than {MOST_TEXTURES}"
        if self._bytes + len(data) > MOST_ALL_BYTES or self._pixels + width * height > MOST_ALL_PIXELS:
            return f"makes all of the file more than {MOST_ALL_BYTES // 2**20} MB or {MOST_ALL_PIXELS:,} pixels"
        return ""


def is_jpeg(data: bytes) -> bool:
    """Tell a JPEG picture from a PNG one."""
    return data[:2] == b"\xff\xd8"


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height [px] of a PNG or JPEG picture, as its header states them; None of anything else."""
    if data[:8] == _PNG:
        if data[12:16] != b"IHDR" or len(data) < 33:
            return None
        size = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        return size if min(size) > 0 else None
    return _jpeg_size(data) if is_jpeg(data) else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        if marker in _FRAMES:
            height, width = (int.from_bytes(data[each : each + 2], "big") for each in (at + 5, at + 7))
            return (width, height) if min(width, height) > 0 else None
        at += 2 if marker == 0x01 or 0xD0 <= marker <= 0xD8 else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def bytes_of(texture: TextureImage) -> bytes:
    """The texture's file."""
    return texture.data.data


def suffix_of(texture: TextureImage) -> str:
    """The usual suffix of the texture's file."""
    return ".jpg" if is_jpeg(bytes_of(texture)[:2]) else ".png"


def beside(path: Path, named: str) -> Path | None:
    """The file of that name in the folder of a file, or in its folder of textures; folders that it was named with are
    those of another machine and not looked at."""
    name = named.replace("\\", "/").rsplit("/", 1)[-1].strip()
    if not name or "\0" in name or name in (".", ".."):
        return None
    folder = path.parent.resolve()
    for place in (folder, folder / f"{path.stem}.fbm", folder / "textures"):
        try:
            found = (place / name).resolve()
            if found.is_relative_to(folder) and found.is_file():
                return found
        except (OSError, RuntimeError):
            continue
    return None

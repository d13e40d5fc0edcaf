"""Files with binary content, read safely: a bound on size, and reasons in words for what cannot be opened."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from engine.project import disk
from engine.runtime.errors import UnreadableFile, UnwritableFile, reason_of

MOST_BYTES = 512 * 2**20

_BLOCK = 4 * 2**20


def read_bytes(path: Path, what: str, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file; `what` names its kind for a person: "an STL file"."""
    if path.is_dir():
        raise UnreadableFile(path=path, found="a folder", remedy=f"Choose {what}.")
    try:
        with path.open("rb") as file:
            data = read_at_most(file, most + 1)
    except (OSError, ValueError) as error:
        found = "no file of that name" if isinstance(error, FileNotFoundError) else reason_of(error)
        raise UnreadableFile(path=path, found=found, remedy="Check that the file is there and may be read.") from error
    if len(data) > most:
        remedy = "Split it into smaller files."
        raise UnreadableFile(path=path, found=f"more than {most // 2**20} MB", remedy=remedy)
    if not data:
        raise UnreadableFile(path=path, found="an empty file", remedy=f"Choose {what} with content.")
    return data


def read_at_most(file: IO[bytes], count: int) -> bytes:
    """Read so many bytes or all there are; takes no more memory than they do, where `file.read(count)` sets it all
    aside."""
    blocks, left = [], count
    while left > 0 and (block := file.read(min(left, _BLOCK))):
        blocks.append(block)
        left -= len(block)
    return b"".join(blocks)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole, or leave what stood there."""
    if path.is_dir():
        raise UnwritableFile(path=path, found="it is a folder", remedy="Choose the name of a file.")
    if not path.parent.is_dir():
        raise UnwritableFile(path=path, found="there is no such folder", remedy="Choose a folder that is there.")
    try:
        disk.write_beside(path, data)
    except OSError as error:
        raise disk.unwritable(path, error, at_work=False) from error

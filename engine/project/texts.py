"""Texts: how a part's text is kept, whole or as what differs from the text of the part that it replaces.

Of two texts that begin and end alike, only the middle of the later one is kept, with the lengths of what both share.
A chain of such texts is at most 32 long, so that one is read with at most 31 others. What is kept is deflated where
that is smaller. All lengths are bytes of UTF-8.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

from engine.project.schema import LONGEST_TEXT
from engine.runtime.errors import InvalidDocument

LONGEST_CHAIN = 32
_WORTH_DEFLATING = 128
_WORTH_SHARING = 0.75  # of the text that a middle may be at most


class PackedText(NamedTuple):
    """A text as a row holds it: its size, what it shares with its base, and the rest."""

    size: int
    head: int
    tail: int
    deflated: int
    data: bytes


def pack(text: bytes, base: bytes | None = None) -> PackedText:
    """A text as it is kept; with a `base` as what differs from it, if it is worth it (`head` or `tail` is not 0)."""
    if len(text) > LONGEST_TEXT:
        raise InvalidDocument(what="the length of a part", value=len(text), allowed=f"{LONGEST_TEXT} bytes of text")
    head = tail = 0
    if base is not None:
        head = _alike(text, base)
        tail = _alike_at_end(text, base, min(len(text), len(base)) - head)
        if len(text) - head - tail > _WORTH_SHARING * len(text):
            head = tail = 0
    middle = text[head : len(text) - tail]
    deflated, data = deflate(middle)
    return PackedText(len(text), head, tail, deflated, data)


def unpack(packed: PackedText, base: bytes | None) -> bytes:
    """The text that `pack` was given; refused when the lengths do not agree."""
    size, head, tail, deflated, data = packed
    if not 0 <= size <= LONGEST_TEXT or min(head, tail) < 0 or head + tail > min(size, len(base or b"")):
        raise InvalidDocument(what="the lengths of a text", value=(size, head, tail), allowed="those of its base")
    middle = inflate(data, size - head - tail) if deflated else data
    text = (base[:head] if base else b"") + middle + (base[len(base) - tail :] if base else b"")
    if len(text) != size:
        raise InvalidDocument(what="the length of a text", value=len(text), allowed=str(size))
    return text


def deflate(data: bytes) -> tuple[int, bytes]:
    """Deflate bytes where that makes them smaller; return 1 and the deflated ones, else 0 and the bytes."""
    if len(data) >= _WORTH_DEFLATING:
        smaller = zlib.compress(data, 6)
        if len(smaller) < len(data):
            return 1, smaller
    return 0, data


def inflate(data: bytes, size: int) -> bytes:
    """Exactly so many bytes."""
    found = inflate_within(data, size)
    if len(found) != size:
        raise InvalidDocument(what="the length of deflated bytes", value=len(found), allowed=str(size))
    return found


def inflate_within(data: bytes, most: int) -> bytes:
    """Inflate bytes; refuse them as soon as they grow to more bytes than `most`."""
    inflater = zlib.decompressobj()
    try:
        found = inflater.decompress(data, most + 1)
    except zlib.error as error:
        raise InvalidDocument(what="deflated bytes", value=str(error), allowed="what deflate wrote") from error
    if len(found) > most or not inflater.eof:
        raise InvalidDocument(what="the length of deflated bytes", value=len(found), allowed=f"{most} and an end")
    return found


def _alike(first: bytes, second: bytes) -> int:
    """Count the bytes that both begin with."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _alike_at_end(first: bytes, second: bytes, most: int) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if first[len(first) - middle : len(first) - low] == second[len(second) - middle : len(second) - low]:
            low = middle
        else:
            high = middle - 1
    return low

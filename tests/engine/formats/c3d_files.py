"""C3D files made byte by byte, as the guide describes them, for Intel, DEC and MIPS processors."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

PROCESSORS = {"intel": 84, "dec": 85, "mips": 86}


def number(value: float, processor: str) -> bytes:
    """A floating number as a processor has it."""
    if processor == "mips":
        return struct.pack(">f", value)
    if processor == "intel":
        return struct.pack("<f", value)
    high, low = struct.unpack(">HH", struct.pack(">f", value * 4.0))
    return struct.pack("<HH", high, low)


def word(value: int, processor: str) -> bytes:
    """A whole number of two bytes."""
    return struct.pack(">h" if processor == "mips" else "<h", value if value < 32768 else value - 65536)


def text_parameter(group: int, name: str, texts: Sequence[str]) -> tuple[int, str, int, tuple[int, ...], bytes]:
    """A parameter of strings of one width."""
    width = max(map(len, texts))
    return group, name, -1, (width, len(texts)), "".join(each.ljust(width) for each in texts).encode()


def c3d_bytes(
    labels: Sequence[str],
    points: NDArray[np.float64],
    *,
    processor: str = "intel",
    whole: bool = False,
    rate: float = 100.0,
    unit: str = "mm",
    up: str = "+Z",
    analog: int = 0,
    first: int = 1,
) -> bytes:
    """A file of points [unit], nan where one was not seen, shape [frames, labels, 3]; `whole`: as 16-bit numbers."""
    frames, markers = points.shape[:2]
    scale = 0.05 if whole else -0.05
    parameters = [
        (1, "USED", 2, (), word(markers, processor)),
        (1, "SCALE", 4, (), number(scale, processor)),
        (1, "RATE", 4, (), number(rate, processor)),
        (1, "FRAMES", 2, (), word(frames, processor)),
        text_parameter(1, "UNITS", [unit]),
        text_parameter(1, "Y_SCREEN", [up]),
        text_parameter(1, "LABELS", labels[:255]),
    ]
    for place, begin in enumerate(range(255, len(labels), 255), 2):
        parameters.append(text_parameter(1, f"LABELS{place}", labels[begin : begin + 255]))
    body = bytes((0, 0, 0, PROCESSORS[processor])) + _group(1, "POINT", processor)
    for place, (group, name, kind, sizes, data) in enumerate(parameters):
        body += _parameter(group, name, kind, sizes, data, processor, last=place == len(parameters) - 1)
    blocks = -(-len(body) // 512)
    body = bytearray(body.ljust(512 * blocks, b"\0"))
    body[2] = blocks
    head = bytes((2, 0x50)) + b"".join(
        word(each, processor) for each in (markers, analog, first, first + frames - 1, 10)
    )
    head += number(scale, processor) + word(2 + blocks, processor) + word(0, processor) + number(rate, processor)
    return head.ljust(512, b"\0") + bytes(body) + _frames(points, processor, scale if whole else None, analog)


def with_parameters(content: bytes, more: Sequence[tuple[int, str, int, tuple[int, ...], bytes]]) -> bytes:
    """A file that Sinew wrote with a block of more parameters behind its last one, where frames begin; they take the
    place of others of their names."""
    name = b"\x0a\x01DATA_START"
    at = content.index(name) + len(name)
    end, (begin,) = at + 7, struct.unpack_from("<H", content, at + 4)
    body = b"".join(_parameter(*each, "intel", last=each is more[-1]) for each in more)
    room = 512 * begin - end
    assert len(body) <= room
    later = struct.pack("<H", begin + 1)
    head = content[:16] + later + content[18:at] + word(end - at, "intel") + content[at + 2 : at + 4] + later + b"\0"
    return head + body.ljust(room, b"\0") + content[512 * (begin - 1) :]


def _group(group: int, name: str, processor: str) -> bytes:
    return bytes((len(name), 256 - group)) + name.encode() + word(3, processor) + b"\0"


def _parameter(
    group: int, name: str, kind: int, sizes: tuple[int, ...], data: bytes, processor: str, *, last: bool
) -> bytes:
    content = bytes((kind % 256, len(sizes), *sizes)) + data + b"\0"
    way = 0 if last else len(content) + 2
    return bytes((len(name), group)) + name.encode() + word(way, processor) + content


def _frames(points: NDArray[np.float64], processor: str, scale: float | None, analog: int) -> bytes:
    out = bytearray()
    for frame in points:
        for point in frame:
            gone = bool(np.isnan(point).any())
            for value in (0.0, 0.0, 0.0) if gone else point:
                out += number(value, processor) if scale is None else word(round(value / scale), processor)
            residual = -1 if gone else 0
            out += number(float(residual), processor) if scale is None else word(residual, processor)
        out += b"".join(number(7.0, processor) if scale is None else word(7, processor) for _ in range(analog))
    return bytes(out)

"""Moments: what is kept of water at one frame: its surface, its spray, a thinned grid of its flow, and its numbers."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array

MOST_SAMPLES = 32  # of the flow, along each side of a tank
VOLUME, LOST, MOMENTUM, KINETIC, POTENTIAL, DIVERGENCE, ITERATIONS, SUB_STEPS = 0, 1, 2, 5, 6, 7, 8, 9
NUMBERS = 10
"""Places in `numbers`: volume [m3], what a correction has put back since the start [m3], momentum [N s], energies [J],
divergence that the projection left (relative), its iterations, sub-steps."""
NOT_CUT = np.zeros((0, 0, 0), dtype=np.float16)


def samples(cells: tuple[int, int, int]) -> tuple[slice, slice, slice]:
    """Choose the cells whose flow is kept: every so many along each axis, at least one."""
    by = max(1, -(-max(cells) // MOST_SAMPLES))
    x, y, z = (slice(min(by // 2, (count - 1) // 2), None, by) for count in cells)
    return x, y, z


class WaterMoment(NamedTuple):
    """Water at a frame."""

    positions: NDArray[np.float32]  # [m] of the surface, in the world, shape [vertex_count, 3]
    normals: NDArray[np.float32]  # unit
    triangles: NDArray[np.int32]  # counter-clockwise from the air
    foam: NDArray[np.float32]  # share of the surface that foam covers at its vertices, shape [vertex_count]
    spray: NDArray[np.float32]  # drops that are seen: rows of `spray.py` in metres, shape [count, 9]
    cut: NDArray[np.float16]  # [cells] signed distance to the water without what bodies fill; nothing without bodies
    flow: NDArray[np.float16]  # velocity [m/s] and pressure [kPa] at some cells, shape [4, x, y, z]; air: not a number
    numbers: Array  # as listed above
    forces: Array  # on each body: force [N] and torque about its origin [N m], shape [body_count, 6]
    pushes: Array  # on joints that physics moves, in each step on the way here, shape [steps, link_count, 9]

    @property
    def bytes(self) -> int:
        """How much memory it takes."""
        return 1000 + sum(each.nbytes for each in self)


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Write arrays one after the other, the same bytes for the same arrays."""
    parts = []
    for name, array in arrays.items():
        plain = np.ascontiguousarray(array)
        kind = plain.dtype.newbyteorder("<").str.encode()
        head = struct.pack("<BBB", len(name.encode()), len(kind), plain.ndim)
        parts += [head, name.encode(), kind, struct.pack(f"<{plain.ndim}q", *plain.shape)]
        parts.append(plain.astype(plain.dtype.newbyteorder("<"), copy=False).tobytes())
    return b"".join(parts)


def unpack(data: bytes) -> dict[str, NDArray[Any]]:
    """Read such arrays; fresh ones. Raises ValueError where they are not whole."""
    found, place = dict[str, NDArray[Any]](), 0
    try:
        while place < len(data):
            name_size, kind_size, dimensions = struct.unpack_from("<BBB", data, place)
            place += 3
            name = data[place : place + name_size].decode()
            kind = np.dtype(data[place + name_size : place + name_size + kind_size].decode())
            place += name_size + kind_size
            shape = struct.unpack_from(f"<{dimensions}q", data, place)
            place += 8 * dimensions
            count = int(np.prod(shape, dtype=np.int64))
            found[name] = np.frombuffer(data, kind, count, place).reshape(shape).copy()
            place += count * kind.itemsize
    except (struct.error, TypeError, UnicodeDecodeError) as problem:
        raise ValueError(str(problem)) from problem
    return found


def pack_moment(moment: WaterMoment) -> bytes:
    """Write a moment."""
    return pack(moment._asdict())


def unpack_moment(data: bytes) -> WaterMoment:
    """Read a moment. Raises ValueError where it is not whole."""
    found = unpack(data)
    if tuple(found) != WaterMoment._fields:
        raise ValueError("not a moment of water")
    return WaterMoment(**found)

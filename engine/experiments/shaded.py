"""Triangles drawn from the front, shaded and as a PNG, for figures that lines cannot show.

Each triangle is covered with samples about a pixel apart, which are written from the farthest to the nearest; a
picture is twice as fine as it is shown. Parallel rays along -z, y up: what looks along +z is seen from ahead.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass

Pixels = NDArray[np.uint8]  # red, green and blue, shape [rows, columns, 3]

_FINER, _APART, _MOST = 2, 0.9, 120  # pixels in one; of a pixel; samples along a side
_LIGHT = np.array((-0.35, 0.45, 0.82)) / np.linalg.norm((-0.35, 0.45, 0.82))
_DARK = 0.32  # of the colour, where no light falls


@dataclass(frozen=True, eq=False)
class ShadedPart:
    """Triangles of one colour; those that face away are not drawn."""

    corners: Array  # [m], counter-clockwise from outside, shape [triangle_count, 3, 3]
    colour: Vector3  # red, green, blue from 0 to 1
    edges: float = 0.0  # of a triangle's height beside its first two sides that is drawn darker


def shaded(parts: Sequence[ShadedPart], lower: Sequence[float], upper: Sequence[float], height: int) -> Pixels:
    """Draw parts within a rectangle of x and y [m] on white, so many pixels high."""
    low, high = np.array(lower, dtype=np.float64), np.array(upper, dtype=np.float64)
    scale = _FINER * height / (high[1] - low[1])
    rows, columns = _FINER * height, _FINER * round((high[0] - low[0]) * scale / _FINER)
    image = np.ones((rows * columns, 3))
    places, depths, colours = list[NDArray[np.int64]](), list[Array](), list[Array]()
    for part in parts:
        at, shade = _samples(part, scale)
        x = np.floor((at[:, 0] - low[0]) * scale).astype(np.int64)
        y = np.floor((high[1] - at[:, 1]) * scale).astype(np.int64)
        inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
        places.append((y * columns + x)[inside])
        depths.append(at[inside, 2])
        colours.append(shade[inside, None] * np.array(part.colour))
    if places:
        order = np.argsort(np.concatenate(depths), kind="stable")
        place = np.concatenate(places)[order]
        last = len(place) - 1 - np.unique(place[::-1], return_index=True)[1]  # the nearest of each pixel
        image[place[last]] = np.concatenate(colours)[order][last]
    fine = image.reshape(rows // _FINER, _FINER, columns // _FINER, _FINER, 3).mean(axis=(1, 3))
    return np.asarray(np.round(255.0 * fine.clip(0.0, 1.0)), dtype=np.uint8)


def _samples(part: ShadedPart, scale: float) -> tuple[Array, Array]:
    """Points on the triangles [m] and how bright each is."""
    corners = part.corners
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1)
    kept = (lengths > 1e-15) & (normals[:, 2] > 0.0)
    corners, normals = corners[kept], normals[kept] / lengths[kept, None]
    bright = _DARK + (1.0 - _DARK) * np.clip(normals @ _LIGHT, 0.0, 1.0)
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - np.roll(corners, -2, axis=1), axis=2) * scale / _APART
    apex = sides.argmin(axis=1)  # the corner opposite the shortest side
    wide = sides.min(axis=1)
    keys = (apex * (_MOST + 1) + _rounded(sides.max(axis=1))) * (_MOST + 1) + _rounded(wide)
    points, shades = [np.zeros((0, 3))], [np.zeros(0)]
    order = np.argsort(keys, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1) if len(order) else ():
        first, count = divmod(int(keys[own[0]]), _MOST + 1)
        roll, long = divmod(first, _MOST + 1)
        shares = np.roll(_shares(long, count), roll, axis=1)
        points.append(np.einsum("sk,tkd->tsd", shares, corners[own]).reshape(-1, 3))
        darker = np.where(np.minimum(shares[:, 0], shares[:, 2]) < part.edges, 0.55, 1.0)
        shades.append((bright[own, None] * darker).ravel())
    return np.concatenate(points), np.concatenate(shades)


def _rounded(lengths: Array) -> NDArray[np.int64]:
    """Round numbers of samples up to a few that groups share."""
    steps = np.ceil(2.0 * np.log2(np.maximum(lengths, 1.0)))
    return np.clip(np.ceil(2.0 ** (0.5 * steps)), 1, _MOST).astype(np.int64)


def _shares(long: int, wide: int) -> Array:
    """Barycentric shares of samples, so many from the apex to the opposite side and along that, shape [sample_count,
    3]."""
    s, w = np.meshgrid((np.arange(long) + 0.5) / long, (np.arange(wide) + 0.5) / wide, indexing="ij")
    s, w = s.ravel(), w.ravel()
    return np.stack([1.0 - s, s * (1.0 - w), s * w], axis=1)


def png_link(pixels: Pixels) -> str:
    """A picture as a link that holds all of it."""
    rows, columns = pixels.shape[:2]
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">2I5B", columns, rows, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    data = b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + data).decode("ascii")

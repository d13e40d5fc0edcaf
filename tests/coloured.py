"""Small coloured surfaces for tests, and pictures to lay on them."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from engine.document import Blob, Colouring, Material, TextureImage, TriangleMesh

RED, GREEN, BLUE = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG file of pixels, shape [height, width, 4], row 0 the highest."""
    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(pixels))
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def texture(*colours: tuple[int, int, int, int], name: str = "stripes.png", side: int = 8) -> TextureImage:
    """Stripes beside each other, the first at the left."""
    row = np.repeat(np.array(colours, np.uint8), side, axis=0)
    data = png(np.tile(row, (side * len(colours), 1, 1)))
    return TextureImage(
        name=name, data=Blob(np.frombuffer(data, np.uint8)), width=side * len(colours), height=side * len(colours)
    )


def square(colouring: Colouring | None = None, half: float = 0.5) -> TriangleMesh:
    """Two triangles that face +Z."""
    corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], "<f4") * np.float32(half)
    return TriangleMesh(
        positions=Blob(corners),
        normals=Blob(np.tile(np.array((0, 0, 1), "<f4"), (4, 1))),
        triangles=Blob(np.array([(0, 1, 2), (0, 2, 3)], "<i4")),
        colouring=colouring,
    )


def laid() -> Blob:
    """Coordinates that lay a whole texture on the square."""
    return Blob(np.array([[(0, 1), (1, 1), (1, 0)], [(0, 1), (1, 0), (0, 0)]], "<f4"))


def two_materials() -> Colouring:
    """A texture on one triangle of the square and a translucent colour on the other, with colours of corners."""
    colours = np.full((2, 3, 4), 255, np.uint8)
    colours[1, 2] = (255, 128, 0, 255)
    return Colouring(
        materials=(
            Material(name="cloth", texture=texture(RED, GREEN), alpha="mask", cutoff=0.25, two_sided=True),
            Material(name="glass", colour=(0.25, 0.5, 0.75, 0.5), alpha="blend"),
        ),
        of_triangles=Blob(np.array([0, 1], "<i4")),
        coordinates=laid(),
        colours=Blob(colours),
    )

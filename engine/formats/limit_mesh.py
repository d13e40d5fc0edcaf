"""The boundary of a joint limit as an OBJ file, so that any modeller can sculpt it: angles are in degrees there.

x, y and z are the angles of the limit's hinges in their order, which a comment names. A boundary over two angles is a
closed line (`l`) with z = 0. What a modeller writes may hold polygons, several objects, or vertices twice (where
normals differ); it is welded, turned outwards, and refused where it is open or crosses itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document.blobs import Blob
from engine.document.limit import MeshRange
from engine.formats.meshes import triangulated
from engine.formats.obj import index_of, parse
from engine.formats.text import TextFile, read_text, write_text
from engine.limits.mesh_checks import check_mesh, outwards
from engine.runtime.errors import InvalidDocument, UnreadableFile

MOST_FACES = 500_000
FARTHEST = 360.0  # [degrees]

_AXES = "xyz"


def write(path: Path, limits: MeshRange, hinges: Sequence[str]) -> None:
    """Write a boundary over two or three angles; `hinges` are the names of those."""
    size = limits.positions.shape[1]
    names = (" ".join(each.split()) for each in hinges)
    lines = [
        "# Sinew: the boundary of a joint limit; angles in degrees",
        "# " + ", ".join(f"{axis}: {name}" for axis, name in zip(_AXES, names, strict=False)),
        "o limit",
    ]
    positions = np.pad(np.degrees(limits.positions.array), ((0, 0), (0, 3 - size)))
    lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in (positions + 0.0).tolist()]
    letter = "f" if size == 3 else "l"
    lines += [f"{letter} " + " ".join(str(1 + each) for each in face) for face in limits.faces.array.tolist()]
    write_text(path, "\n".join(lines) + "\n")


def read(path: Path, size: int) -> MeshRange:
    """The boundary over so many angles, two or three, that a file holds."""
    file = read_text(path, "an OBJ file")
    mesh = parse(file)
    points = np.array(mesh.points, dtype=np.float64).reshape(-1, 3)
    if size == 2:
        faces = _lines(file, len(points))
        remedy = "Write the edges of one closed line (l), without faces, flat in x and y."
    else:
        polygons = [[vertex for vertex, *_ in polygon] for group in mesh.groups.values() for polygon in group]
        faces = triangulated(path, points, polygons)
        remedy = "Write a closed surface of faces (f), and mend it in the modeller."
    if not 0 < len(faces) <= MOST_FACES:
        found = f"{len(faces):,} {'lines' if size == 2 else 'triangles'}"
        raise UnreadableFile(path=path, found=found, remedy=remedy if not len(faces) else f"At most {MOST_FACES:,}.")
    if np.abs(points[faces]).max() > FARTHEST * (1.0 + 1e-9):
        found = f"an angle of {np.abs(points[faces]).max():.1f}°"
        raise UnreadableFile(
            path=path, found=found, remedy=f"Angles are in degrees, from -{FARTHEST:g} to {FARTHEST:g}."
        )
    degrees, corners = _welded(points[:, :size], faces)
    positions = np.radians(degrees)
    try:
        check_mesh(positions, corners)
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=str(error.value), remedy=remedy) from error
    return MeshRange(positions=Blob(positions), faces=Blob(outwards(positions, corners)))


def _lines(file: TextFile, count: int) -> NDArray[np.int64]:
    found: list[tuple[int, int]] = []
    for line, text in enumerate(file.lines, 1):
        words = text.split("#", 1)[0].split()
        if words[:1] == ["l"]:
            found += pairwise(index_of(file, word.split("/")[0], count, "vertex", line) for word in words[1:])
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _welded(points: NDArray[np.float64], faces: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Vertices of one place made one; unused ones, and faces that lose a corner by that, left out."""
    used, corners = np.unique(faces, return_inverse=True)
    _, first, place = np.unique(points[used] + 0.0, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order))
    welded = rank[place.ravel()][corners.reshape(faces.shape)]
    ordered = np.sort(welded, axis=1)
    sound = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    return points[used][first[order]], np.ascontiguousarray(welded[sound], dtype=np.int32)

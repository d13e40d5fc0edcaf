"""Soft bodies of files: closed surfaces of any format that Sinew reads, filled with cells, and volume meshes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine.formats.format import Options
from engine.formats.table import by_suffix, readers
from engine.runtime.errors import UnreadableFile
from engine.soft.lattice import fill_surface
from engine.soft.making import body_of
from engine.soft.mesh import volume_mesh
from engine.soft.meshing import split_cubes
from engine.soft.parts import SoftBody
from engine.soft.tet_files import SUFFIXES, read_volume_mesh


def body_of_file(
    path: str | Path,
    *,
    along: int = 12,
    cells: str = "tetrahedra",
    mend: bool = False,
    unit: float | None = None,
    **options: Any,
) -> tuple[SoftBody, float]:
    """Make a soft body of what a file holds, about its middle; and how far that is above its lowest point [m]."""
    path = Path(path)
    if path.suffix.lower() in SUFFIXES:
        read = read_volume_mesh(path, 1.0 if unit is None else unit).mesh
        middle = 0.5 * (read.points.min(axis=0) + read.points.max(axis=0))
        mesh = volume_mesh(read.points - middle, read.cells, read.shape, name=path.name)
        return body_of(mesh, **options), float(-mesh.points[:, 1].min())
    format = by_suffix(path)
    if format is None or format.read is None:
        known = ", ".join((*SUFFIXES, *(each.suffixes[0] for each in readers() if each.kind in ("mesh", "motion"))))
        found = f"no format that Sinew reads ends in {path.suffix or 'nothing'!r}"
        raise UnreadableFile(path=path, found=found, remedy=f"It reads {known}.")
    surfaces = format.read(path, Options(unit=unit)).surfaces
    if not surfaces:
        raise UnreadableFile(path=path, found="no mesh", remedy="Choose a file that holds a closed surface.")
    shifts = np.cumsum([0, *(len(each.positions) for each in surfaces)])
    positions = np.concatenate([each.positions for each in surfaces])
    triangles = np.concatenate([each.triangles + by for each, by in zip(surfaces, shifts, strict=False)])
    positions = positions - 0.5 * (positions.min(axis=0) + positions.max(axis=0))
    made = fill_surface(positions, triangles.astype(np.int32), along=along, mend=mend, name=path.name)
    filled = split_cubes(made) if cells == "tetrahedra" else made.mesh
    return body_of(filled, surface=(positions, triangles), **options), float(-positions[:, 1].min())

"""Meshes of shapes beside a `.figure.toml`: numpy archives without pickles, one array for each field, exact.

An archive of several meshes has the name of each before its fields: `femur.positions`.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from engine.document import Blob, TriangleMesh
from engine.formats.binary import write_bytes
from engine.formats.npz import read_arrays
from engine.runtime.errors import InvalidDocument, UnreadableFile

MESH_SUFFIX = ".mesh.npz"
MOST_BYTES = 2**29  # of all arrays, unpacked

_TYPES = {"positions": "<f4", "normals": "<f4", "triangles": "<i4"}


def mesh_file(mesh: TriangleMesh) -> str:
    """The name of the file that holds a mesh beside a figure's text: one for each content."""
    return f"mesh-{mesh.digest[:12]}{MESH_SUFFIX}"


def read(path: Path, part: str = "") -> TriangleMesh:
    """The mesh in a file, or that of a name in a file of several; raises `UnreadableFile`."""
    remedy = f"Choose a {MESH_SUFFIX} file that Sinew made{' and one of its parts' if part else ''}."
    before = f"{part}." if part else ""
    arrays = read_arrays(path, [before + name for name in _TYPES], remedy, most=MOST_BYTES)
    try:
        found = {name: Blob(arrays[before + name].astype(type, casting="same_kind")) for name, type in _TYPES.items()}
        return TriangleMesh(positions=found["positions"], normals=found["normals"], triangles=found["triangles"])
    except (TypeError, ValueError, InvalidDocument) as error:
        raise UnreadableFile(path=path, found=f"no sound mesh ({error})", remedy=remedy) from error


def write(path: Path, mesh: TriangleMesh) -> None:
    """Write a mesh; raises `UnwritableFile`."""
    content = io.BytesIO()
    np.savez(content, **{name: getattr(mesh, name).array for name in _TYPES})
    write_bytes(path, content.getvalue())

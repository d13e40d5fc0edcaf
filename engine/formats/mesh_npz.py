"""Meshes of shapes beside a `.figure.toml`: numpy archives without pickles, one array for each field, exact."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np

from engine.document import Blob, TriangleMesh
from engine.formats.binary import write_bytes
from engine.runtime.errors import InvalidDocument, UnreadableFile

MESH_SUFFIX = ".mesh.npz"
MOST_BYTES = 2**30  # of one array, unpacked

_TYPES = {"positions": "<f4", "normals": "<f4", "triangles": "<i4"}


def mesh_file(mesh: TriangleMesh) -> str:
    """The name of the file that holds a mesh beside a figure's text: one for each content."""
    return f"mesh-{mesh.digest[:12]}{MESH_SUFFIX}"


def read(path: Path) -> TriangleMesh:
    """The mesh in a file; raises `UnreadableFile`."""
    try:
        with zipfile.ZipFile(path) as archive:
            largest = max((each.file_size for each in archive.infolist()), default=0)
        if largest > MOST_BYTES:
            raise UnreadableFile(path=path, found=f"an array of {largest:,} bytes", remedy="Choose a smaller mesh.")
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            found = {name: Blob(arrays[name].astype(type)) for name, type in _TYPES.items()}
        return TriangleMesh(positions=found["positions"], normals=found["normals"], triangles=found["triangles"])
    except (OSError, EOFError, LookupError, TypeError, ValueError, zipfile.BadZipFile, InvalidDocument) as error:
        remedy = f"Choose a {MESH_SUFFIX} file that Sinew made."
        raise UnreadableFile(path=path, found=f"no sound mesh ({error})", remedy=remedy) from error


def write(path: Path, mesh: TriangleMesh) -> None:
    """Write a mesh; raises `UnwritableFile`."""
    content = io.BytesIO()
    np.savez(content, **{name: getattr(mesh, name).array for name in _TYPES})
    write_bytes(path, content.getvalue())

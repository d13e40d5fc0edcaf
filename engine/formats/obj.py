"""OBJ, Wavefront's meshes as text: `v`, `vn`, `f` and the names `o` and `g`.

Each `o` is a surface; a file without any is divided by its groups `g`. Indices count from 1, negative ones back from
the end. A vertex with several normals becomes several vertices. Base colours are those of material libraries beside the
file (`engine/formats/obj_materials.py`); lines and curves are left out and said. After Wavefront's appendix B1, object
files (.obj), 1995.
"""

from __future__ import annotations

from dataclasses import field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from engine.document import Colouring
from engine.document.values import Vector3
from engine.formats.conventions import unit_of, upright
from engine.formats.format import Contents, FileMesh, Format, Options
from engine.formats.losses import colourings_of, listed
from engine.formats.mesh_shapes import with_body
from engine.formats.meshes import MOST_TRIANGLES, USUAL_UNIT, check_counts, have_area, surface_of, triangulated
from engine.formats.names import Names
from engine.formats.obj_materials import ObjMaterials
from engine.formats.text import MOST_BYTES, TextFile, as_number, read_text, shown, write_text
from engine.maths.quaternions import inverse
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime import progress
from engine.runtime.errors import UnwritableFile, printable
from engine.runtime.quick_dataclass import dataclass

Corner = tuple[int, int, int]  # vertex, normal and place on a texture, from 0; -1: none

_QUIET = {"s", "l", "p", "lod", "shadow_obj", "trace_obj", "cstype", "deg", "curv", "surf"}


@dataclass
class ObjMesh:
    """Points, normals and faces of an OBJ file."""

    points: list[Vector3] = field(default_factory=list)
    normals: list[Vector3] = field(default_factory=list)
    objects: dict[str, list[list[Corner]]] = field(default_factory=dict)  # by `o`
    groups: dict[str, list[list[Corner]]] = field(default_factory=dict)  # by `g`
    coordinates: list[tuple[float, float]] = field(default_factory=list)  # on textures, up
    libraries: list[str] = field(default_factory=list)
    painted: dict[int, str] = field(default_factory=dict)  # materials of faces, by the identity of each
    named: bool = False
    skipped: dict[str, None] = field(default_factory=dict)


def read(path: Path, options: Options) -> Contents:
    """One surface for each object or group."""
    file = read_text(path, "an OBJ file")
    with progress.part(0.0, 0.6):
        mesh = parse(file)
    with progress.part(0.6, 1.0):
        return _contents(file, mesh, options)


def _contents(file: TextFile, mesh: ObjMesh, options: Options) -> Contents:
    parts = mesh.objects if mesh.named else mesh.groups
    if not parts:
        file.refuse("no face", "Choose a mesh with faces (lines that begin with f).", len(file.lines))
    points = np.array(mesh.points, float).reshape(-1, 3)
    normals = np.array(mesh.normals, float).reshape(-1, 3)
    names, surfaces, notes = Names(), [], []
    materials = ObjMaterials(file.path, mesh.libraries)
    for place, (name, polygons) in enumerate(progress.each(parts.items())):
        called = names.take(name or printable(file.path.stem))
        with progress.part(place / len(parts), (place + 1) / len(parts)):
            surface, said = _surface(file, called, points, normals, polygons, options)
            if materials:
                found = colouring_of(file, mesh, materials, points, polygons, len(surface.triangles))
                surface = replace(surface, colouring=found)
        surfaces.append(surface)
        notes += said
    notes += [*materials.notes, *materials.textures.notes]
    if mesh.skipped:
        notes.append(f"left out: {listed(list(mesh.skipped))}")
    return Contents(surfaces=tuple(surfaces), notes=tuple(notes), again=partial(_contents, file, mesh))


def parse(file: TextFile) -> ObjMesh:
    """Everything that Sinew takes from an OBJ file."""
    mesh, group, object_ = ObjMesh(), "", ""
    pending, start, material = "", 0, ""
    triangles = 0
    for line, text in enumerate(progress.each(file.lines), 1):
        start = start if pending else line
        text = pending + text.split("#", 1)[0]
        if text.endswith("\\"):
            pending = text[:-1] + " "
            continue
        pending = ""
        words = text.split()
        if not words:
            continue
        key = words[0]
        if key == "v":
            mesh.points.append(file.vector(words[1:4], start, "a vertex"))
            check_counts(file.path, len(mesh.points), 0)
        elif key == "vn":
            mesh.normals.append(file.vector(words[1:4], start, "a normal"))
            check_counts(file.path, len(mesh.normals), 0)
        elif key == "f":
            polygon = [_corner(file, mesh, word, start) for word in words[1:]]
            if len(polygon) < 3:
                file.refuse(f"a face with {len(polygon)} corners", "A face has three corners or more.", start)
            triangles += len(polygon) - 2
            check_counts(file.path, 0, triangles)
            if material:
                mesh.painted[id(polygon)] = material
            mesh.objects.setdefault(object_, []).append(polygon)
            mesh.groups.setdefault(group, []).append(polygon)
        elif key == "vt":
            numbers = [as_number(word) or 0.0 for word in (*words[1:3], "0", "0")]
            mesh.coordinates.append((numbers[0], numbers[1]))
            check_counts(file.path, len(mesh.coordinates), 0)
        elif key == "usemtl":
            material = " ".join(words[1:])
        elif key == "mtllib":
            mesh.libraries.append(" ".join(words[1:]))
        elif key == "o":
            object_, mesh.named = " ".join(words[1:]), True
        elif key == "g":
            group = " ".join(words[1:])
        elif key in _QUIET:
            mesh.skipped.setdefault(key)
        elif not key.isidentifier() or len(mesh.skipped) > 32:
            file.refuse(f"a line that begins with {shown(key)}", "An OBJ line begins with v, vn, f, o or g.", start)
        else:
            mesh.skipped.setdefault(key)
    return mesh


def _corner(file: TextFile, mesh: ObjMesh, word: str, line: int) -> Corner:
    parts = word.split("/")
    if len(parts) > 3:
        file.refuse(f"a corner {shown(word)}", "Write vertex, vertex/texture/normal or vertex//normal.", line)
    vertex = index_of(file, parts[0], len(mesh.points), "vertex", line)
    normal = index_of(file, parts[2], len(mesh.normals), "normal", line) if len(parts) == 3 and parts[2] else -1
    laid = parts[1] if len(parts) > 1 and mesh.coordinates else ""
    return vertex, normal, index_of(file, laid, len(mesh.coordinates), "texture place", line) if laid else -1


def index_of(file: TextFile, word: str, count: int, what: str, line: int) -> int:
    """A number of the file, counted from 1 or back from the last, as one from 0."""
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 12):
        file.refuse(f"the {what} of a corner is {shown(word)}", "Write a whole number, counted from 1.", line)
    number = int(word)
    place = number - 1 if number > 0 else count + number
    if number == 0 or not 0 <= place < count:
        file.refuse(f"a face asks for {what} {number} of {count}", "Get the whole file, or correct the face.", line)
    return place


def _surface(
    file: TextFile,
    name: str,
    points: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    normals: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    polygons: list[list[Corner]],
    options: Options,
) -> tuple[FileMesh, list[str]]:
    """The vertices that these polygons use, in the order of the file."""
    corners = np.array([corner[:2] for polygon in polygons for corner in polygon])
    complete = bool((corners[:, 1] >= 0).all())
    partly = not complete and bool((corners[:, 1] >= 0).any())
    if not complete:
        corners[:, 1] = -1
    span = len(normals) + 1
    keys, place = np.unique(corners[:, 0] * span + corners[:, 1] + 1, return_inverse=True)
    used = np.stack((keys // span, keys % span - 1), axis=1)
    at, faces = 0, []
    numbers = place.ravel().tolist()
    for polygon in polygons:
        faces.append(numbers[at : at + len(polygon)])
        at += len(polygon)
    chosen = normals[used[:, 1]] if complete else None
    surface, notes = surface_of(file.path, name, points[used[:, 0]], faces, options, chosen)
    return surface, [*notes, *([f"normals of {name}, which not all its faces have"] if partly else [])]


def colouring_of(
    file: TextFile,
    mesh: ObjMesh,
    materials: ObjMaterials,
    points: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    polygons: list[list[Corner]],
    count: int,
) -> Colouring | None:
    """The materials of faces on a surface of so many triangles: these are cut again, now of numbers of corners."""
    corners = np.array([corner for polygon in polygons for corner in polygon])
    begins = np.cumsum([0, *map(len, polygons)])
    places = [list(range(begin, end)) for begin, end in pairwise(begins.tolist())]
    own = points[corners[:, 0]]
    triangles = triangulated(file.path, own, places)
    triangles = triangles[have_area(own, triangles)]
    if len(triangles) != count:
        return None
    owner = np.searchsorted(begins, triangles[:, 0], side="right") - 1
    names = [mesh.painted.get(id(polygons[each]), "") for each in owner.tolist()]
    coordinates = np.array(mesh.coordinates, float).reshape(-1, 2)
    return materials.colouring(names, coordinates, corners[triangles, 2])


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write the surfaces in their rest pose, each number in full."""
    surfaces = with_body(contents)
    if not surfaces:
        raise UnwritableFile(path=path, found="no surface to write", remedy="Choose something with a mesh.")
    matrix, unit = rotation_matrix(inverse(upright(options))), unit_of(options, USUAL_UNIT)
    lines, points, normals = ["# Sinew"], 1, 1
    for surface in surfaces:
        lines.append(f"o {' '.join(surface.name.split()) or 'surface'}")
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in (surface.positions @ matrix.T / unit + 0.0).tolist()]
        if surface.normals is not None:
            lines += [f"vn {x!r} {y!r} {z!r}" for x, y, z in (surface.normals @ matrix.T + 0.0).tolist()]
            lines += [
                "f " + " ".join(f"{points + each}//{normals + each}" for each in corners)
                for corners in surface.triangles.tolist()
            ]
            normals += len(surface.normals)
        else:
            lines += ["f " + " ".join(str(points + each) for each in corners) for corners in surface.triangles.tolist()]
        points += len(surface.positions)
    write_text(path, "\n".join(lines) + "\n")


def omits(contents: Contents) -> tuple[str, ...]:
    """List what an OBJ file cannot say of these contents."""
    lost = []
    if contents.figure is not None:
        lost.append("the figure: the shapes of its bodies are written as they stand at rest")
        if contents.figure.skins:
            lost.append("skins: an OBJ sequence holds them as they are seen")
    if contents.layers:
        lost.append("motion")
    if any(surface.weights is not None for surface in contents.surfaces):
        lost.append("how surfaces hang on joints")
    if colourings_of(contents):
        lost.append("materials and base colours")
    return tuple(lost)


FORMAT = Format(
    name="OBJ mesh",
    suffixes=(".obj",),
    kind="mesh",
    read=read,
    write=write,
    omits=omits,
    about="Triangles and polygons with normals, several objects, materials of libraries beside it, which are not "
    "written; no unit, no skin.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_TRIANGLES:,} triangles",
    read_options=("unit", "up"),
    write_options=("unit", "up"),
)

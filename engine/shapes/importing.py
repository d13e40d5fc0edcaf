"""Surfaces with blend shapes from files: OBJ files of one surface in several shapes, morph targets of glTF and FBX.

Of OBJ files the first is the base, each other one a shape named after its file; vertices are matched by their order, so
all have as many. Of a glTF or FBX file the first mesh with morph targets is taken, as it stands in the scene; its
weights are those of the file, its names are `extras.targetNames` where there are any. Lengths are metres unless a unit
is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.document import Blob, Colouring
from engine.document.conformance import check_values
from engine.document.values import new_id
from engine.formats.conventions import unit_of, upright
from engine.formats.fbx import open_fbx
from engine.formats.format import Options
from engine.formats.gltf_file import GltfFile
from engine.formats.gltf_json import JsonItem
from engine.formats.gltf_materials import GltfMaterials
from engine.formats.gltf_meshes import read_triangles
from engine.formats.gltf_nodes import read_scene
from engine.formats.meshes import USUAL_UNIT, have_area, triangulated, without_degenerate
from engine.formats.names import Names
from engine.formats.obj import colouring_of, parse
from engine.formats.obj_materials import ObjMaterials
from engine.formats.text import read_text
from engine.maths.arrays import Array, LongArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.colourings import merged
from engine.runtime.errors import InvalidDocument, UnreadableFile, printable
from engine.shapes.parts import BlendShape, BlendShapes

SUFFIXES = (".obj", ".glb", ".gltf", ".fbx")
LEAST = 1e-7  # [m] that a shape moves a vertex by


def read_blend_shapes(paths: Sequence[Path], options: Options | None = None) -> BlendShapes:
    """Read a surface and its shapes from a glTF or FBX file, or from OBJ files of which the first is the base."""
    chosen = options or Options()
    if not paths:
        raise UnreadableFile(path=Path(), found="no file", remedy="Choose one glTF or FBX file, or OBJ files.")
    suffixes = {path.suffix.lower() for path in paths}
    if suffixes != {".obj"} and not (len(paths) == 1 and suffixes <= set(SUFFIXES)):
        remedy = "Choose one glTF or FBX file, or OBJ files of one surface, the base first."
        raise UnreadableFile(path=paths[0], found=f"{len(paths)} files, {', '.join(sorted(suffixes))}", remedy=remedy)
    try:
        surface = _from_obj(paths, chosen) if suffixes == {".obj"} else _from_gltf(paths[0], chosen)
        check_values(surface)
    except InvalidDocument as error:  # no triangle with an area, a name of a million letters
        remedy = "Correct it where the file was made."
        raise UnreadableFile(path=paths[0], found=str(error), remedy=remedy) from error
    return surface


def read_shape(surface: BlendShapes, path: Path, id: str) -> BlendShape:
    """Read a shape of a surface from an OBJ file with as many vertices; named after the file."""
    if path.suffix.lower() != ".obj":
        raise UnreadableFile(path=path, found=f"the suffix {path.suffix or 'none'}", remedy="Choose an OBJ file.")
    points = np.array(parse(read_text(path, "an OBJ file")).points, dtype=np.float64).reshape(-1, 3)
    base = surface.positions.array.astype(np.float64)
    if len(points) != len(base):
        found = f"{len(points):,} vertices, and the surface has {len(base):,}"
        raise UnreadableFile(path=path, found=found, remedy="Export all shapes of one mesh, in one vertex order.")
    return _shape(id, printable(path.stem), points - base, 0.0)


def surface_with(
    positions: Array,
    triangles: LongArray,
    shapes: Sequence[tuple[str, Array, float]],
    colouring: Colouring | None = None,
) -> BlendShapes:
    """Make a surface with shapes: a name, what it adds to each vertex [m], and its weight."""
    made = tuple(_shape(new_id("shape"), *each) for each in shapes)
    return BlendShapes(
        positions=Blob(positions.astype(np.float32)),
        triangles=Blob(triangles.astype(np.int32)),
        shapes=made,
        colouring=colouring,
    )


def _shape(id: str, name: str, moved: Array, weight: float) -> BlendShape:
    chosen = np.flatnonzero(np.abs(moved).max(axis=1) > LEAST)
    return BlendShape(
        id=id,
        name=name,
        vertices=Blob(chosen.astype(np.int32)),
        offsets=Blob(moved[chosen].astype(np.float32)),
        weight=weight,
        least=min(0.0, weight),
        most=max(1.0, weight),
    )


def _from_obj(paths: Sequence[Path], options: Options) -> BlendShapes:
    turn, unit = rotation_matrix(upright(options)), unit_of(options, USUAL_UNIT)
    names, shapes = Names(), []
    base, triangles, colouring = np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64), None
    for number, path in enumerate(paths):
        file = read_text(path, "an OBJ file")
        mesh = parse(file)
        points = np.array(mesh.points, dtype=np.float64).reshape(-1, 3) @ turn.T * unit
        if number == 0:
            faces = [face for each in mesh.groups.values() for face in each]
            if not faces:
                raise UnreadableFile(path=path, found="no face", remedy="The first file is the base: it needs faces.")
            polygons = [[corner[0] for corner in face] for face in faces]
            base, triangles = points, without_degenerate(points, triangulated(path, points, polygons))[0]
            materials = ObjMaterials(path, mesh.libraries)
            if materials:
                colouring = colouring_of(file, mesh, materials, points, faces, len(triangles))
        elif len(points) != len(base):
            found = f"{len(points):,} vertices, and {paths[0].name} has {len(base):,}"
            raise UnreadableFile(path=path, found=found, remedy="Export all shapes of one mesh, in one vertex order.")
        else:
            shapes.append((names.take(printable(path.stem)), points - base, 0.0))
    return surface_with(base, triangles, shapes, colouring)


def _from_gltf(path: Path, options: Options) -> BlendShapes:
    file = open_fbx(path)[0] if path.suffix.lower() == ".fbx" else GltfFile(path)
    scene, meshes = read_scene(file, options, set(), set()), file.root.items("meshes")
    for place in scene.order:
        node = scene.nodes[place]
        if not node.used or not node.item.has("mesh"):
            continue
        mesh = meshes[node.item.index("mesh", len(meshes))]
        pieces = [each for each in mesh.items("primitives") if each.has("targets") and each.whole("mode", 4) >= 4]
        if pieces:
            return _morphed(file, mesh, node.item, pieces, node.world)
    remedy = "Choose a file whose mesh has morph targets (blend shapes, shape keys)."
    raise UnreadableFile(path=path, found="no morph target", remedy=remedy)


def _morphed(file: GltfFile, mesh: JsonItem, node: JsonItem, pieces: list[JsonItem], world: Array) -> BlendShapes:
    points, triangles, moved, before, colours = [], [], [], 0, []
    materials = GltfMaterials(file)
    count = len(pieces[0].items("targets"))
    for piece in pieces:
        attributes, targets = piece.item("attributes"), piece.items("targets")
        if attributes is None or not attributes.has("POSITION"):
            piece.refuse("no POSITION", "Get the whole file.", "attributes")
        if len(targets) != count:
            piece.refuse(f"{len(targets)} morph targets, and others have {count}", "Write as many for each.", "targets")
        own = file.array(attributes, "POSITION", ("VEC3",))
        offsets = np.zeros((count, len(own), 3))
        for number, target in enumerate(targets):
            if target.has("POSITION"):
                found = file.array(target, "POSITION", ("VEC3",))
                if len(found) != len(own):
                    target.refuse(f"{len(found)} places for {len(own)} vertices", "Write one for each.", "POSITION")
                offsets[number] = found
        points.append(own)
        faces = read_triangles(file, piece, len(own))
        colours.append((materials.colouring(piece, attributes, faces, len(own)), len(faces)))
        triangles.append(faces + before)
        moved.append(offsets)
        before += len(own)
    extras = mesh.item("extras")
    listed = extras.texts("targetNames") if extras is not None and extras.has("targetNames") else []
    names = Names()
    called = [names.take(listed[each] if each < len(listed) else f"Shape {each + 1}") for each in range(count)]
    owner = node if node.has("weights") else mesh
    weights = owner.numbers("weights", count) if owner.has("weights") else None
    linear, shift = world[:3, :3], world[:3, 3]
    whole = np.concatenate(points) @ linear.T + shift
    all_faces, colouring = np.concatenate(triangles), merged(colours)
    corners = np.arange(3 * len(all_faces)).reshape(-1, 3)[have_area(whole, all_faces)]
    corners = corners[:, ::-1] if np.linalg.det(linear) < 0.0 else corners
    all_moved = np.concatenate(moved, axis=1) @ linear.T
    given = [0.0] * count if weights is None else [min(max(each, -5.0), 5.0) for each in weights]
    colouring = None if colouring is None else colouring.chosen(corners)
    return surface_with(whole, all_faces.ravel()[corners], list(zip(called, all_moved, given, strict=True)), colouring)

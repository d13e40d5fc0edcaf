"""An FBX scene as a glTF scene, so that one reader makes figures, skins and motion of both.

Nodes stand as the file has them, pivots and pre-rotations worked into translation and rotation by ufbx, helper nodes
for offsets of meshes and for scales that are not inherited. Animation is evaluated in every frame. Skinned meshes and
those with blend shapes keep their vertices; others are split where normals differ. Runs in a process of its own.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from engine.formats.fbx_library import all_held, held, open_scene
from engine.formats.fbx_materials import FbxMaterials
from engine.formats.fbx_motion import add_animations
from engine.formats.fbx_polygons import triangles_of
from engine.formats.gltf_buffer import FLOAT, INDICES, INT, PER_CORNER, SHORT, VERTICES, GltfBuffer, Json
from engine.maths.arrays import Array, LongArray
from engine.runtime.errors import UnreadableFile

MOST_CORNERS = 12_000_000  # of all faces of a file
MOST_OFFSETS = 20_000_000  # vertices of all blend shapes of a mesh

_FINITE = 1e30


def gltf_of(path: Path) -> tuple[bytes, list[str]]:
    """The scene of an FBX file as a binary glTF file, and what there is to say of it."""
    scene = open_scene(path)
    made = _Made(path, scene)
    made.add_nodes()
    made.add_meshes()
    add_animations(path, scene, made.nodes, made.buffer, made.notes)
    return made.buffer.as_binary(), made.notes


class _Made:
    """The glTF scene in the making."""

    def __init__(self, path: Path, scene: Any) -> None:
        self.path, self.scene = path, scene
        self.buffer = GltfBuffer()
        self.notes: list[str] = []
        self.nodes = [each for each in all_held(scene.nodes) if not each.is_root]
        self._places = {each.typed_id: place for place, each in enumerate(self.nodes)}
        self._corners = 0
        self._materials = FbxMaterials(path, self.buffer, self.notes)

    def add_nodes(self) -> None:
        """Nodes in the order of the file, parents before children."""
        for each in self.nodes:
            self.buffer.node(name=_name(each), **transform(self.path, each.local_transform))
        for place, each in enumerate(self.nodes):
            parent = held(each.parent)  # the scene's root, where the file names none
            if parent.is_root:
                self.buffer.root(place)
            else:
                above = self.buffer.json["nodes"][self._places[parent.typed_id]]
                above.setdefault("children", []).append(place)
        self._bones = [place for place, each in enumerate(self.nodes) if held(each.bone) is not None]
        loose = [_name(self.nodes[place]) for place in self._bones if held(self.nodes[place].parent).is_root]
        if len(loose) > 1:
            self.notes.append(f"{len(loose)} joints that hang on nothing: {', '.join(loose[:8])}")

    def add_meshes(self) -> None:
        """The mesh of each node, with its skin; then a skin that names the bones, where no mesh does."""
        for place, each in enumerate(self.nodes):
            mesh = held(each.mesh)
            if mesh is not None:
                self._add_mesh(place, each, mesh)
        if self._bones and "skins" not in self.buffer.json:
            self._add_skin([], {})

    def _add_mesh(self, place: int, node: Any, mesh: Any) -> None:
        self._corners += mesh.num_indices
        if self._corners > MOST_CORNERS:
            remedy = "Reduce its meshes in a program for meshes."
            raise UnreadableFile(path=self.path, found=f"faces of more than {MOST_CORNERS:,} corners", remedy=remedy)
        if not mesh.num_vertices or not mesh.num_triangles:
            return
        points, corners = _numbers(mesh.vertices, 3), np.array(mesh.vertex_indices, np.int64)
        polygons = np.array(mesh.faces, np.int64).reshape(-1, 2)
        triangles = triangles_of(self.path, points, corners, polygons)
        if not len(triangles):
            return
        skins, blends = all_held(mesh.skin_deformers), all_held(mesh.blend_deformers)
        clusters = [each for each in all_held(skins[0].clusters) if each.num_weights] if skins else []
        attributes: Json = {}
        faces: LongArray
        used: LongArray
        normals: Array | None
        if clusters or blends or not mesh.vertex_normal.exists:
            faces, used, normals = corners[triangles], np.arange(len(points), dtype=np.int64), None
        else:
            faces, used, normals = _split(mesh, corners, triangles)
        points = points[used]
        attributes["POSITION"] = self.buffer.array(_sound(self.path, points), FLOAT, VERTICES, bounds=True)
        if normals is not None:
            attributes["NORMAL"] = self.buffer.array(normals, FLOAT, VERTICES)
        primitive: Json = {"attributes": attributes, "mode": 4}
        primitive["indices"] = self.buffer.array(faces.ravel(), INT, INDICES)
        colours = self._materials.colours(node, mesh, triangles, polygons)
        if colours is not None:
            primitive["extensions"] = {PER_CORNER: colours}
        made: Json = {"name": mesh.name or _name(node), "primitives": [primitive]}
        if blends:
            self._add_shapes(blends[0], len(points), primitive, made)
        self.buffer.json.setdefault("meshes", []).append(made)
        own = self.buffer.json["nodes"][place]
        own["mesh"] = len(self.buffer.json["meshes"]) - 1
        if clusters:
            own["skin"] = self._hang(clusters, len(points), attributes)

    def _add_shapes(self, blend: Any, count: int, primitive: Json, made: Json) -> None:
        channels = all_held(blend.channels)
        if len(channels) * count > MOST_OFFSETS:
            self.notes.append(f"{len(channels)} blend shapes of {count:,} vertices, too many, left out")
            return
        targets, names, weights = [], [], []
        for each in channels:
            shape = held(each.target_shape)
            if shape is None:
                continue
            moved = np.zeros((count, 3))
            at = np.array(shape.offset_vertices, np.int64)
            inside = at < count
            moved[at[inside]] = _numbers(shape.position_offsets, 3)[inside]
            accessor = self.buffer.array(_sound(self.path, moved), FLOAT, VERTICES, bounds=True)
            targets.append({"POSITION": accessor})
            names.append(each.name)
            weights.append(min(max(float(each.weight), -5.0), 5.0) if math.isfinite(each.weight) else 0.0)
        if targets:
            primitive["targets"], made["weights"], made["extras"] = targets, weights, {"targetNames": names}

    def _hang(self, clusters: list[Any], count: int, attributes: Json) -> int:
        """Joints and weights in sets of four, the heaviest first; the skin's number."""
        joints: list[int] = []
        binds: dict[int, Array] = {}
        rows: list[Array] = []
        for each in clusters:
            bone = held(each.bone_node)
            if bone is None or bone.typed_id not in self._places:
                continue
            place = self._places[bone.typed_id]
            number = joints.index(place) if place in joints else len(joints)
            if number == len(joints):
                joints.append(place)
                binds[place] = _matrix(each.geometry_to_bone)
            at, share = np.array(each.vertices, np.int64), np.array(each.weights, np.float64)
            sound = (at >= 0) & (at < count) & np.isfinite(share) & (share > 0.0)
            rows.append(np.stack((at[sound], np.full(int(sound.sum()), number), share[sound]), axis=1))
        table = np.concatenate(rows) if rows else np.zeros((0, 3))
        table = table[np.lexsort((-table[:, 2], table[:, 0]))]
        vertices = table[:, 0].astype(np.int64)
        first = np.searchsorted(vertices, vertices)
        rank = np.arange(len(table)) - first
        width = max(4, 4 * math.ceil((int(rank.max(initial=0)) + 1) / 4))
        width = min(width, 16)
        kept = rank < width
        places, shares = np.zeros((count, width)), np.zeros((count, width))
        places[vertices[kept], rank[kept]] = table[kept, 1]
        shares[vertices[kept], rank[kept]] = table[kept, 2]
        for number in range(width // 4):
            part = slice(4 * number, 4 * number + 4)
            attributes[f"JOINTS_{number}"] = self.buffer.array(places[:, part], SHORT, VERTICES)
            attributes[f"WEIGHTS_{number}"] = self.buffer.array(shares[:, part], FLOAT, VERTICES)
        return self._add_skin(joints, binds)

    def _add_skin(self, joints: list[int], binds: dict[int, Array]) -> int:
        """A skin of those joints, and of all bones beside, which no vertex follows."""
        everyone = [*joints, *(each for each in self._bones if each not in binds)]
        matrices = np.stack([binds.get(each, np.eye(4)) for each in everyone])
        accessor = self.buffer.array(_sound(self.path, matrices.transpose(0, 2, 1).reshape(-1, 16)), FLOAT)
        skins = self.buffer.json.setdefault("skins", [])
        skins.append({"joints": everyone, "inverseBindMatrices": accessor})
        return len(skins) - 1


def transform(path: Path, local: Any) -> Json:
    """Translation, rotation and scale of a node as glTF has them."""
    turn = [float(each) for each in local.rotation]
    found: Json = {"translation": [float(each) for each in local.translation], "rotation": turn}
    scale = [float(each) for each in local.scale]
    _sound(path, np.array([*found["translation"], *turn, *scale]))
    if not math.hypot(*turn) > 1e-9:
        found["rotation"] = [0.0, 0.0, 0.0, 1.0]
    return found if scale == [1.0, 1.0, 1.0] else {**found, "scale": scale}


def _split(mesh: Any, corners: LongArray, triangles: LongArray) -> tuple[LongArray, LongArray, Array]:
    """Triangles over vertices that stand there once for each normal, whose vertices these are, and the normals."""
    values = _numbers(mesh.vertex_normal.values, 3)
    own = np.array(mesh.vertex_normal.indices, np.int64)
    normals = np.nan_to_num(values[np.clip(own, 0, len(values) - 1)])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(lengths > 1e-12, normals / np.maximum(lengths, 1e-12), (0.0, 1.0, 0.0))
    keys = np.concatenate((corners[:, None], np.round(normals * 1e5).astype(np.int64)), axis=1)
    _, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return np.asarray(place.ravel()[triangles]), corners[first], normals[first]


def _name(node: Any) -> str:
    return str(node.name) or f"node {node.typed_id}"


def _numbers(values: Any, width: int) -> Array:
    found: Array = np.array(values, np.float64).reshape(-1, width)
    return found


def _matrix(value: Any) -> Array:
    found = np.eye(4)
    found[:3] = np.array([value.c0, value.c1, value.c2, value.c3]).T
    return found


def _sound(path: Path, values: Array) -> Array:
    """The numbers, unless one is not finite or beyond single precision."""
    if not (np.abs(values) < _FINITE).all():
        remedy = "Correct it where the file was made."
        raise UnreadableFile(path=path, found="numbers that are not finite or far too large", remedy=remedy)
    return values

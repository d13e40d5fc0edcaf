"""Meshes of a glTF scene as surfaces, with their skins.

A skinned vertex is the sum over its joints of w world(joint) inverseBind v. Here the vertices and inverse binds are
carried by A = world(joint) inverseBind of the joint that weighs most, at rest: A v stands in metres in the scene, and
bind = ours^-1 world inverseBind A^-1, where `ours` is the joint's frame without scale. The sum stays the same. A mesh
without a skin below a joint hangs on that joint alone. After the glTF 2.0 specification, sections 3.7.2 and 3.7.3.
"""

from __future__ import annotations

import numpy as np

from engine.document import Colouring
from engine.formats.format import FileMesh
from engine.formats.gltf_file import GltfFile
from engine.formats.gltf_json import JsonItem
from engine.formats.gltf_materials import GltfMaterials
from engine.formats.gltf_nodes import GltfScene
from engine.formats.losses import listed
from engine.formats.meshes import check_counts, check_indices, have_area, unit_normals
from engine.formats.names import Names
from engine.formats.text import counted
from engine.maths.arrays import Array, LongArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.colourings import merged
from engine.runtime import progress
from engine.runtime.errors import UnreadableFile
from engine.runtime.quick_dataclass import dataclass

MOST_WEIGHTS = 50_000_000  # vertices times joints of one surface

_SETS = 16
_NOTHING = 1e-9  # the least of three scales beside the greatest


@dataclass(frozen=True)
class _Piece:
    """One primitive as it stands in its mesh: vertices, sound triangles, and by which joints each vertex is held."""

    points: Array
    triangles: LongArray
    normals: Array | None
    pairs: list[tuple[LongArray, Array]]  # joints and weights in sets of four; none without a skin
    colouring: Colouring | None
    dropped: int  # triangles without area


def read_surfaces(file: GltfFile, scene: GltfScene) -> tuple[FileMesh, ...]:
    """One surface for each primitive of each mesh in the scene, but one for all where a mesh has several materials."""
    meshes, skins = file.root.items("meshes"), file.root.items("skins")
    names, found, left_out, vertices, triangles = Names(), [], set[str](), 0, 0
    materials = GltfMaterials(file)
    for place in progress.each(scene.order):
        node = scene.nodes[place]
        if not node.used or not node.item.has("mesh"):
            continue
        mesh = meshes[node.item.index("mesh", len(meshes))]
        skin = skins[node.item.index("skin", len(skins))] if node.item.has("skin") else None
        for primitives in _together(mesh, left_out):
            name = names.take(mesh.text("name") or node.name)
            pieces = [_piece(file, scene, each, skin, materials) for each in primitives]
            surface = _surface(scene, place, _joined(pieces), _joints(file, scene, skin), name)
            if surface is None:
                scene.notes.append(f"{name} is scaled to nothing and was left out")
                continue
            vertices, triangles = vertices + len(surface.positions), triangles + len(surface.triangles)
            check_counts(file.path, vertices, triangles)
            if len(surface.triangles):
                found.append(surface)
            else:
                scene.notes.append(f"{name} has no triangle with an area and was left out")
    if left_out:
        scene.notes.append(f"left out: {listed(sorted(left_out))}")
    scene.notes += materials.textures.notes
    return tuple(found)


def _together(mesh: JsonItem, left_out: set[str]) -> list[list[JsonItem]]:
    """The primitives of triangles: each alone, or all together where each has a material."""
    found = []
    for primitive in mesh.items("primitives"):
        if primitive.whole("mode", 4, most=6) < 4:
            left_out.add("points and lines")
            continue
        if primitive.has("targets"):
            left_out.add("morph targets")
        found.append(primitive)
    if len(found) > 1 and all(each.has("material") for each in found):
        return [found]
    return [[each] for each in found]


def _piece(
    file: GltfFile, scene: GltfScene, primitive: JsonItem, skin: JsonItem | None, materials: GltfMaterials
) -> _Piece:
    attributes = primitive.item("attributes")
    if attributes is None or not attributes.has("POSITION"):
        primitive.refuse("no POSITION", "Get the whole file.", "attributes")
    points = file.array(attributes, "POSITION", ("VEC3",))
    whole = read_triangles(file, primitive, len(points))
    sound = have_area(points, whole)
    colouring = materials.colouring(primitive, attributes, whole, len(points))
    if colouring is not None and not sound.all():
        colouring = colouring.chosen(np.arange(3 * len(whole)).reshape(-1, 3)[sound])
    nodes = [] if skin is None else skin.indices("joints", len(scene.nodes))
    return _Piece(
        points=points,
        triangles=whole[sound],
        normals=_per_vertex(file, attributes, "NORMAL", ("VEC3",), len(points)),
        pairs=[] if skin is None else _pairs(file, attributes, len(nodes), len(points)),
        colouring=colouring,
        dropped=int(len(whole) - sound.sum()),
    )


def _joined(pieces: list[_Piece]) -> _Piece:
    """Several primitives as one, vertices and triangles in their order."""
    if len(pieces) == 1:
        return pieces[0]
    begins = np.cumsum([0, *(len(each.points) for each in pieces)])
    sets = max(len(each.pairs) for each in pieces)
    pairs = []
    for number in range(sets):
        rows = [
            each.pairs[number]
            if number < len(each.pairs)
            else (np.zeros((len(each.points), 4), np.int64), np.zeros((len(each.points), 4)))
            for each in pieces
        ]
        pairs.append((np.concatenate([row[0] for row in rows]), np.concatenate([row[1] for row in rows])))
    normals = [each.normals for each in pieces if each.normals is not None]
    return _Piece(
        points=np.concatenate([each.points for each in pieces]),
        triangles=np.concatenate([each.triangles + begin for each, begin in zip(pieces, begins, strict=False)]),
        normals=np.concatenate(normals) if len(normals) == len(pieces) else None,
        pairs=pairs,
        colouring=merged([(each.colouring, len(each.triangles)) for each in pieces]),
        dropped=sum(each.dropped for each in pieces),
    )


def _surface(
    scene: GltfScene, place: int, piece: _Piece, joined: tuple[list[int], Array] | None, name: str
) -> FileMesh | None:
    points, normals, triangles, colouring = piece.points, piece.normals, piece.triangles, piece.colouring
    if piece.dropped:
        scene.notes.append(f"{counted(piece.dropped, 'triangle')} of {name} without area, left out")
    if joined is not None:
        joints, weights, frames = _skin(scene, joined, piece.pairs, len(points), name)
        carry = frames[int(np.argmax(weights.sum(axis=0)))]
    else:
        joint, carry = scene.nodes[place].joint, scene.nodes[place].world
        joints, weights, frames = [joint] if joint >= 0 else [], np.ones((len(points), 1)), carry[None]
    linear = carry[:3, :3]
    sizes = np.linalg.svd(linear, compute_uv=False)
    if sizes[2] <= _NOTHING * sizes[0]:
        return None
    if np.allclose(carry, np.eye(4), rtol=0.0, atol=1e-7):
        carry = np.eye(4)
    else:
        points = points @ linear.T + carry[:3, 3]
        normals = None if normals is None else normals @ np.linalg.inv(linear)
        if np.linalg.det(linear) < 0.0:
            triangles = triangles[:, ::-1]
            order = np.arange(3 * len(triangles)).reshape(-1, 3)[:, ::-1]
            colouring = None if colouring is None else colouring.chosen(order)
    normals = None if normals is None else unit_normals(normals, triangles)
    faces = np.ascontiguousarray(triangles, np.int32)
    if not joints:
        return FileMesh(name=name, positions=points, triangles=faces, normals=normals, colouring=colouring)
    back = np.linalg.inv(carry)
    bind = np.stack([(_to_joint(scene, each) @ frame @ back)[:3] for each, frame in zip(joints, frames, strict=True)])
    return FileMesh(
        name=name,
        positions=points,
        triangles=faces,
        normals=normals,
        joints=tuple(scene.ids[each] for each in joints),
        weights=weights,
        bind=bind,
        colouring=colouring,
    )


def _to_joint(scene: GltfScene, joint: int) -> Array:
    """Our frame of the joint at rest, without scale, from the scene."""
    node = scene.nodes[joint]
    back = np.eye(4)
    back[:3, :3] = rotation_matrix(node.turn).T
    back[:3, 3] = -back[:3, :3] @ node.world[:3, 3]
    return back


def read_triangles(file: GltfFile, primitive: JsonItem, count: int) -> LongArray:
    """The triangles of a primitive, whatever its mode; `count`: how many vertices it has."""
    indices = np.arange(count)
    if primitive.has("indices"):
        indices = file.array(primitive, "indices", ("SCALAR",)).ravel().astype(np.int64)
        check_indices(file.path, indices, count, f"{primitive.where}.indices: vertex")
    mode = primitive.whole("mode", 4)
    if mode == 4:
        return indices[: len(indices) // 3 * 3].reshape(-1, 3)
    if len(indices) < 3:
        return np.empty((0, 3), np.int64)
    if mode == 6:
        return np.stack((np.repeat(indices[:1], len(indices) - 2), indices[1:-1], indices[2:]), axis=1)
    strip = np.stack((indices[:-2], indices[1:-1], indices[2:]), axis=1)
    strip[1::2] = strip[1::2, [1, 0, 2]]
    return strip


def _per_vertex(file: GltfFile, attributes: JsonItem, name: str, kinds: tuple[str, ...], count: int) -> Array | None:
    if not attributes.has(name):
        return None
    values = file.array(attributes, name, kinds)
    if len(values) != count:
        attributes.refuse(f"{len(values)} values for {count} vertices", "Write one for each vertex.", name)
    return values


def _joints(file: GltfFile, scene: GltfScene, skin: JsonItem | None) -> tuple[list[int], Array] | None:
    """The nodes of a skin's joints, and the inverse bind matrix of each."""
    if skin is None:
        return None
    nodes = skin.indices("joints", len(scene.nodes))
    binds = np.tile(np.eye(4), (len(nodes), 1, 1))
    if skin.has("inverseBindMatrices"):
        values = file.array(skin, "inverseBindMatrices", ("MAT4",))
        if len(values) < len(nodes):
            skin.refuse(f"{len(values)} matrices for {len(nodes)} joints", "Write one each.", "inverseBindMatrices")
        binds = values[: len(nodes)].reshape(-1, 4, 4).transpose(0, 2, 1).copy()
        binds[:, 3] = (0.0, 0.0, 0.0, 1.0)
    return nodes, binds


def _pairs(file: GltfFile, attributes: JsonItem, joint_count: int, count: int) -> list[tuple[LongArray, Array]]:
    """The joints and the weights of each vertex, in sets of four."""
    pairs = []
    for number in range(_SETS):
        places = _per_vertex(file, attributes, f"JOINTS_{number}", ("VEC4",), count)
        shares = _per_vertex(file, attributes, f"WEIGHTS_{number}", ("VEC4",), count)
        if places is None or shares is None:
            break
        whole = places.astype(np.int64)
        check_indices(file.path, whole[shares > 0.0], joint_count, f"{attributes.where}.JOINTS_{number}: joint")
        pairs.append((np.where(shares > 0.0, whole, 0), np.maximum(shares, 0.0)))
    if not pairs:
        attributes.refuse("no JOINTS_0 and WEIGHTS_0 for the skin", "Export the weights.")
    used = np.unique(np.concatenate([places[shares > 0.0] for places, shares in pairs]))
    if count * max(len(used), 1) > MOST_WEIGHTS:
        attributes.refuse(f"{count:,} vertices on {len(used)} joints", "Split the mesh.", "WEIGHTS_0")
    return pairs


def _skin(
    scene: GltfScene, joined: tuple[list[int], Array], pairs: list[tuple[LongArray, Array]], count: int, name: str
) -> tuple[list[int], Array, Array]:
    """The joints that a mesh hangs on, their weights, and world inverseBind of each at rest."""
    nodes, binds = joined
    used = np.unique(np.concatenate([places[shares > 0.0] for places, shares in pairs]))
    used = used if len(used) else np.zeros(1, np.int64)
    if count * len(used) > MOST_WEIGHTS:
        found = f"{name}, {count:,} vertices on {len(used)} joints"
        raise UnreadableFile(path=scene.nodes[0].item.path, found=found, remedy="Split the mesh.")
    column = np.zeros(len(nodes), np.int64)
    column[used] = np.arange(len(used))
    weights = np.zeros((count, len(used)))
    for places, shares in pairs:
        for corner in range(4):
            np.add.at(weights, (np.arange(count), column[places[:, corner]]), shares[:, corner])
    sums = weights.sum(axis=1, keepdims=True)
    bare = sums[:, 0] < 1e-6
    if bare.any():
        count_bare = f"{int(bare.sum())} of {count} vertices of {name}"
        scene.notes.append(f"{count_bare} without weights, hung on {scene.nodes[nodes[used[0]]].name}")
        weights[bare, 0], sums[bare] = 1.0, 1.0
    joints = [nodes[each] for each in used.tolist()]
    frames = np.stack([scene.nodes[joint].world @ binds[each] for joint, each in zip(joints, used, strict=True)])
    return joints, weights / sums, frames

"""The nodes of a glTF scene, and the figure that its joints make.

Joints are the nodes that a skin names and those whose translation or rotation an animation moves. The transforms of
all other nodes are folded into the joints below them: with the parent's accumulated scale s, a joint's offset is s t
and its rest orientation the product of the rotations on the way. A figure has no scale; an uneven or mirroring one
is replaced by the nearest rotation and the cube root of its determinant, and said, while joints stay where the file
puts them. After the glTF 2.0 specification, sections 3.5.2, 3.5.3 and 3.7.3.
"""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from engine.document import Dof, Figure, Handle, Joint
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.conventions import unit_of, upright
from engine.formats.format import Options
from engine.formats.gltf_file import GltfFile
from engine.formats.gltf_json import JsonItem
from engine.formats.losses import listed
from engine.formats.names import Names
from engine.formats.text import LARGEST
from engine.maths.arrays import Array
from engine.maths.quaternions import AXES, inverse, product, turned
from engine.maths.rotation_arrays import quaternion_of, rotation_matrix
from engine.runtime.errors import printable
from engine.runtime.quick_dataclass import dataclass

MOST_JOINTS = 20_000

_EVEN = 1e-5  # uneven scale that is taken for rounding
_ZERO: Vector3 = (0.0, 0.0, 0.0)


@dataclass
class GltfNode:
    """One node of the scene. Local transform t, q, s; the rest is of the scene as it stands in the file."""

    item: JsonItem
    name: str
    children: list[int]
    t: Vector3
    q: Quaternion
    s: float
    local: Array  # the exact local matrix, shape [4, 4]
    even: bool
    parent: int = -1
    world: Array = field(default_factory=lambda: np.eye(4))
    turn: Quaternion = IDENTITY  # rotation in the scene
    scale: float = 1.0  # accumulated, this node's own included
    steady: bool = True  # no uneven scale from the root to here
    joint: int = -1  # the nearest joint at or above this node
    used: bool = False  # whether the scene holds it


@dataclass
class GltfScene:
    """The nodes, parents before children in `order`, and the figure."""

    nodes: list[GltfNode]
    order: list[int]
    ids: dict[int, str] = field(default_factory=dict)  # joint ids by node
    figure: Figure | None = None
    notes: list[str] = field(default_factory=list)


def read_scene(file: GltfFile, options: Options, sliding: set[int], turning: set[int]) -> GltfScene:
    """The scene that is shown first; `sliding` and `turning` nodes are moved by animations."""
    items = file.root.items("nodes")
    nodes = [_node(item, place, len(items)) for place, item in enumerate(items)]
    for place, node in enumerate(nodes):
        for child in node.children:
            if nodes[child].parent >= 0 or child == place:
                node.item.refuse(f"node {child} has two parents", "Give each node one parent.", "children")
            nodes[child].parent = place
    roots = [place for place, node in enumerate(nodes) if node.parent < 0]
    scene = GltfScene(nodes, _depth_first(nodes, roots))
    if len(scene.order) < len(nodes):
        lost = min(set(range(len(nodes))) - set(scene.order))
        nodes[lost].item.refuse("a node that is its own ancestor", "Make the nodes a tree.", "children")
    _use(file, scene)
    joints = _skin_joints(file, scene) | {each for each in sliding | turning if nodes[each].used}
    _place(scene, joints, options)
    _build(file, scene, joints, sliding)
    return scene


def _node(item: JsonItem, place: int, count: int) -> GltfNode:
    name = item.text("name") or f"node_{place}"
    children = item.indices("children", count)
    matrix = item.numbers("matrix", 16)
    if matrix is not None:
        local = np.array(matrix).reshape(4, 4).T
        if (local[3] != (0.0, 0.0, 0.0, 1.0)).any():
            item.refuse("a last row that is not 0 0 0 1", "Write a matrix without perspective.", "matrix")
    else:
        t, q, s = (item.numbers(each, n) for each, n in (("translation", 3), ("rotation", 4), ("scale", 3)))
        local = np.eye(4)
        local[:3, :3] = rotation_matrix(unit(item, q)) * np.array(s or (1.0, 1.0, 1.0))
        local[:3, 3] = t or _ZERO
        sizes = s or [1.0, 1.0, 1.0]
        if max(sizes) - min(sizes) <= _EVEN * abs(sizes[0]) and sizes[0] > 0.0:
            scale = math.cbrt(sizes[0] * sizes[1] * sizes[2]) if len(set(sizes)) > 1 else sizes[0]
            x, y, z = t or _ZERO
            return GltfNode(item, name, children, (x, y, z), unit(item, q), scale, local, True)
    x, y, z = local[:3, 3].tolist()
    turn, scale, even = nearest_turn(local[:3, :3])
    if scale == 0.0:
        turn, scale = IDENTITY, 1.0
    return GltfNode(item, name, children, (x, y, z), turn, scale, local, even)


def unit(item: JsonItem, q: list[float] | None) -> Quaternion:
    """A quaternion (x, y, z, w) of the file as (w, x, y, z) of norm 1."""
    if q is None:
        return IDENTITY
    norm = math.hypot(*q)
    if not norm > 1e-9:
        item.refuse("a rotation of norm 0", "Write a unit quaternion.", "rotation")
    x, y, z, w = (each / norm for each in q) if abs(norm - 1.0) > 4e-16 else q
    return (w, x, y, z)


def nearest_turn(matrix: Array) -> tuple[Quaternion, float, bool]:
    """The rotation nearest to a matrix (polar decomposition), its scale, and whether that is all there is to it."""
    left, sizes, right = np.linalg.svd(matrix)
    if sizes[2] < 1e-12 * max(sizes[0], 1e-300):
        return IDENTITY, 0.0, False
    mirrored = np.linalg.det(left @ right) < 0.0
    rotation = left @ np.diag((1.0, 1.0, -1.0 if mirrored else 1.0)) @ right
    even = bool(sizes[0] - sizes[2] <= _EVEN * sizes[0]) and not mirrored
    return quaternion_of(rotation), float(np.cbrt(np.prod(sizes))), even


def _depth_first(nodes: list[GltfNode], roots: list[int]) -> list[int]:
    order, waiting = [], list(reversed(roots))
    while waiting:
        place = waiting.pop()
        order.append(place)
        waiting += reversed(nodes[place].children)
    return order


def _skin_joints(file: GltfFile, scene: GltfScene) -> set[int]:
    """Joints of the skins that the scene uses, or of all if it uses none; those outside it are taken into it."""
    nodes, skins = scene.nodes, file.root.items("skins")
    by_skin = [skin.indices("joints", len(nodes)) for skin in skins]
    for skin, joints in zip(skins, by_skin, strict=True):
        if not joints:
            skin.refuse("no joint", "Name one or more.", "joints")
    asked = {node.item.index("skin", len(skins)) for node in nodes if node.used and node.item.has("skin")}
    found = {joint for place in asked or range(len(skins)) for joint in by_skin[place]}
    outside = sorted(each for each in found if not nodes[each].used)
    for place in _depth_first(nodes, sorted({_top(nodes, each) for each in outside})):
        nodes[place].used = True
    if outside:
        scene.notes.append(f"joints that stand outside the scene: {listed([nodes[each].name for each in outside])}")
    return found


def _use(file: GltfFile, scene: GltfScene) -> None:
    """Mark the nodes of the scene that is shown first."""
    items = file.root.items("scenes")
    nodes = scene.nodes
    if items:
        shown = file.root.index("scene", len(items), 0)
        roots = items[shown].indices("nodes", len(nodes))
        if len(items) > 1:
            scene.notes.append(f"scene {shown} of {len(items)} was read, the others left out")
    else:
        roots = [place for place, node in enumerate(nodes) if node.parent < 0]
    if any(nodes[each].parent >= 0 for each in roots):
        file.root.refuse("a scene that names a node with a parent", "Name roots.", "scenes")
    for place in _depth_first(nodes, roots):
        nodes[place].used = True


def _top(nodes: list[GltfNode], place: int) -> int:
    while nodes[place].parent >= 0:
        place = nodes[place].parent
    return place


def _place(scene: GltfScene, joints: set[int], options: Options) -> None:
    """World transforms, in metres with y up."""
    base, turn, size = np.eye(4), upright(options), unit_of(options, 1.0)
    base[:3, :3] = rotation_matrix(turn) * size
    for place in scene.order:
        node = scene.nodes[place]
        above = scene.nodes[node.parent] if node.parent >= 0 else None
        node.world = (above.world if above else base) @ node.local
        if not (np.abs(node.world) <= LARGEST).all():
            node.item.refuse("a node far too large or far away", "Write smaller numbers.")
        node.turn = product(above.turn if above else turn, node.q)
        node.scale = (above.scale if above else size) * node.s
        node.steady = node.even and (above.steady if above else True)
        node.joint = place if place in joints else (above.joint if above else -1)


def _build(file: GltfFile, scene: GltfScene, joints: set[int], sliding: set[int]) -> None:
    names, handles, built = Names(), [], []
    if len(joints) > MOST_JOINTS:
        file.root.refuse(f"{len(joints):,} joints", f"A figure has at most {MOST_JOINTS:,}.", "skins")
    uneven = []
    for place in scene.order:
        node = scene.nodes[place]
        if place in joints and node.used:
            scene.ids[place] = names.take(node.name)
            built.append(_joint(scene, place, place in sliding))
            if not node.steady:
                uneven.append(node.name)
    handle_names = Names()
    for place in scene.order:
        node = scene.nodes[place]
        above = node.joint
        if node.used and above not in (-1, place) and not node.children and _bare(node.item):
            x, y, z = _in_joint(scene, above, node.world[:3, 3])
            id = handle_names.take(f"{scene.ids[above]}.{node.name}")
            handles.append(Handle(id=id, name=node.name, joint=scene.ids[above], point=(x, y, z)))
    if uneven:
        scene.notes.append(f"uneven or mirroring scale, which joints do not have: {listed(uneven)}")
    scene.notes += names.note("joints")
    if built:
        scene.figure = Figure(name=printable(file.path.stem), joints=tuple(built), handles=tuple(handles))


def _bare(item: JsonItem) -> bool:
    return not any(item.has(each) for each in ("mesh", "camera", "skin", "extensions"))


def _joint(scene: GltfScene, place: int, slides: bool) -> Joint:
    node, id = scene.nodes[place], scene.ids[place]
    parent = scene.nodes[node.parent].joint if node.parent >= 0 else -1
    above = scene.nodes[node.parent] if node.parent >= 0 else None
    if above is None or parent == node.parent:
        rest = node.q if above is not None else node.turn
    else:
        rest = node.turn if parent < 0 else product(inverse(scene.nodes[parent].turn), node.turn)
    if above is not None and parent == node.parent and above.steady:
        x, y, z = (above.scale * each for each in node.t)
    elif parent < 0:
        x, y, z = node.world[:3, 3].tolist()
    else:
        x, y, z = _in_joint(scene, parent, node.world[:3, 3])
    dofs = [
        Dof(id=f"{id}.t{letter}", name=f"{letter} translation", kind="slide", axis=axis)
        for letter, axis in zip("xyz", AXES, strict=True)
        if slides
    ]
    dofs += [
        Dof(id=f"{id}.r{letter}", name=f"{letter} rotation", axis=axis)
        for letter, axis in zip("xyz", AXES, strict=True)
    ]
    parent_id = scene.ids[parent] if parent >= 0 else None
    return Joint(id=id, name=node.name, parent=parent_id, offset=(x, y, z), rest=normed(rest), dofs=tuple(dofs))


def normed(q: Quaternion) -> Quaternion:
    """A product of many quaternions, brought back to norm 1."""
    norm = math.hypot(*q)
    if abs(norm - 1.0) <= 4e-16:
        return q
    w, x, y, z = (each / norm for each in q)
    return (w, x, y, z)


def _in_joint(scene: GltfScene, joint: int, point: Array) -> Vector3:
    above = scene.nodes[joint]
    x, y, z = (point - above.world[:3, 3]).tolist()
    return turned(inverse(normed(above.turn)), (x, y, z))

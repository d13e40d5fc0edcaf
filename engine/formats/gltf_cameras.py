"""Cameras of glTF: perspective ones as they stand or move, read from their nodes and written as such.

The camera looks along -Z of its node, +Y up (specification, 3.10.2). A file says how high an angle is seen, and the
aspect of its picture (16 to 9 where it does not); here a camera has a lens and a film of 36 mm, so that
focal = film / (2 aspect tan(yfov / 2)). A lens that is keyed is written as it is at the start: glTF moves nodes alone.
Orthographic cameras are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.document import Blob, Figure, Joint, Layer
from engine.document.extent import layer_extent
from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.formats.format import FileCamera
from engine.formats.gltf_buffer import FLOAT, GltfBuffer, Json
from engine.formats.gltf_file import GltfFile
from engine.formats.gltf_json import JsonItem
from engine.formats.gltf_nodes import GltfScene
from engine.formats.turns import motion_of
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternions, rotation_matrix, without_flips
from engine.motion.motion import compile_motion
from engine.motion.resample import frame_ticks
from engine.runtime.errors import UnreadableFile, printable

ASPECT = 16.0 / 9.0
FILM = 0.036  # [m]
USUAL_RATE: Rate = (60, 1)  # of keyed motions
MOST_FRAMES = 200_000
MOST_CAMERAS = 200
_NEAR = (1e-3, 100.0)  # [m]


def camera_nodes(file: GltfFile) -> set[int]:
    """The nodes that are cameras and carry nothing else: their motion makes no joint of a figure."""
    nodes = file.root.items("nodes")
    joints = {each for skin in file.root.items("skins") for each in skin.indices("joints", len(nodes))}
    return {
        place
        for place, node in enumerate(nodes)
        if node.has("camera") and not node.has("mesh") and not node.texts("children") and place not in joints
    }


def read_cameras(
    file: GltfFile, scene: GltfScene, layers: Sequence[Layer], rate: Rate | None
) -> tuple[FileCamera, ...]:
    """The perspective cameras of the scene; the first animation moves them."""
    lenses, found = file.root.items("cameras"), list[FileCamera]()
    others = 0
    for place in scene.order:
        node = scene.nodes[place]
        if not node.used or not node.item.has("camera"):
            continue
        lens = lenses[node.item.index("camera", len(lenses))]
        view = lens.item("perspective")
        if view is None:
            others += 1
            continue
        if len(found) == MOST_CAMERAS:
            node.item.refuse(f"more than {MOST_CAMERAS} cameras", "Leave some out.")
        focal, near = _lens(view)
        frames, start, each = _frames(scene, place, layers, rate)
        name = printable(node.item.text("name") or lens.text("name"))[:200] or f"Camera {len(found) + 1}"
        found.append(FileCamera(name, frames, each, start, focal, FILM, near))
    if others:
        scene.notes.append(f"left out: {others} orthographic camera{'s' if others > 1 else ''}")
    return tuple(found)


def without_cameras(
    figure: Figure | None, layers: tuple[Layer, ...], scene: GltfScene, nodes: set[int]
) -> tuple[Figure | None, tuple[Layer, ...]]:
    """The figure without the joints that are cameras, and its motion without theirs."""
    gone = {scene.ids[each] for each in nodes if each in scene.ids}
    if figure is None or not gone:
        return figure, layers
    joints = tuple(each for each in figure.joints if each.id not in gone)
    if not joints:
        return None, ()
    kept = {name for joint in joints for dof in joint.dofs for name in dof.coordinates}
    handles = tuple(each for each in figure.handles if each.joint not in gone)
    made = (_only(layer, kept, gone) for layer in layers)
    return Figure(name=figure.name, joints=joints, handles=handles), tuple(each for each in made if each is not None)


def add_camera(buffer: GltfBuffer, camera: FileCamera) -> None:
    """A camera, the node that it looks from, and its motion as linear keys."""
    lens = {
        "aspectRatio": ASPECT,
        "yfov": 2.0 * math.atan(0.5 * camera.film_width / ASPECT / max(camera.focal, 1e-6)),
        "znear": camera.near,
    }
    cameras = buffer.json.setdefault("cameras", [])
    cameras.append({"name": camera.name, "type": "perspective", "perspective": lens})
    turns = np.roll(without_flips(quaternions(camera.frames[:, :, :3])), -1, axis=1)
    place, turn = camera.frames[0, :, 3].tolist(), turns[0].tolist()
    node = buffer.node(name=camera.name, camera=len(cameras) - 1, translation=place, rotation=turn)
    buffer.root(node)
    if len(camera.frames) > 1 and camera.rate is not None:
        begins = max(camera.start, 0) / TICKS_PER_SECOND
        clock = buffer.array(begins + np.arange(len(turns)) * (camera.rate[1] / camera.rate[0]), FLOAT, bounds=True)
        animation: Json = {"name": camera.name, "samplers": [], "channels": []}
        for name, values in (("translation", camera.frames[:, :, 3]), ("rotation", turns)):
            target = {"node": node, "path": name}
            animation["channels"].append({"sampler": len(animation["samplers"]), "target": target})
            animation["samplers"].append(
                {"input": clock, "output": buffer.array(values, FLOAT), "interpolation": "LINEAR"}
            )
        buffer.json.setdefault("animations", []).append(animation)


def _lens(view: JsonItem) -> tuple[float, float]:
    """Focal length and nearest distance [m]."""
    angle, aspect = view.number("yfov", 0.7), view.number("aspectRatio", ASPECT)
    if not 1e-3 < angle < math.pi - 1e-3:
        view.refuse(f"{angle:g}", "Write an angle in radians between 0 and pi.", "yfov")
    if not 1e-2 < aspect < 1e2:
        view.refuse(f"{aspect:g}", "Write width by height.", "aspectRatio")
    near = view.number("znear", 0.05)
    return 0.5 * FILM / aspect / math.tan(0.5 * angle), min(max(near, _NEAR[0]), _NEAR[1])


def _frames(scene: GltfScene, place: int, layers: Sequence[Layer], rate: Rate | None) -> tuple[Array, int, Rate | None]:
    """World from eye in each frame, shape [count, 3, 4], from when on [ticks], and the rate; one frame that stands."""
    node, figure = scene.nodes[place], scene.figure
    rest = _rigid(node.turn, node.world[:3, 3])[None, :3]
    if node.joint < 0 or figure is None or not layers:
        return rest, 0, None
    layer, way = layers[0], [figure.joint(id) for id in reversed(figure.above(scene.ids[node.joint]))]
    extent = layer_extent(layer)
    used = {name for joint in way for dof in joint.dofs for name in dof.coordinates}
    moved = {track.coordinate for track in layer.tracks} | set(layer.samples.coordinates if layer.samples else ())
    if extent is None or not used & moved:
        return rest, 0, None
    each = rate or USUAL_RATE
    times = frame_ticks(each, *extent)
    if len(times) > MOST_FRAMES:
        remedy = "Export a part of it."
        raise UnreadableFile(path=node.item.path, found=f"a camera of {len(times):,} frames", remedy=remedy)
    poses = compile_motion(figure, (layer,)).at(times)[:, 0]
    world = np.tile(np.eye(4), (len(times), 1, 1))
    for joint in way:
        world = world @ _local(figure, joint, poses)
    above = scene.nodes[node.joint]
    hung = np.linalg.inv(_rigid(above.turn, above.world[:3, 3])) @ _rigid(node.turn, node.world[:3, 3])
    return np.asarray((world @ hung)[:, :3]), int(times[0]), each


def _local(figure: Figure, joint: Joint, poses: Array) -> Array:
    columns = [figure.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]
    way, turns = motion_of(joint, poses[:, columns], rest=True)
    local = np.tile(np.eye(4), (len(poses), 1, 1))
    local[:, :3, :3], local[:, :3, 3] = turns, way + np.array(joint.offset)
    return local


def _rigid(turn: tuple[float, float, float, float], place: Array) -> Array:
    w, x, y, z = turn
    norm = math.hypot(w, x, y, z)
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = rotation_matrix((w / norm, x / norm, y / norm, z / norm)), place
    return found


def _only(layer: Layer, kept: set[str], gone: set[str]) -> Layer | None:
    """A layer without the coordinates of joints that are gone; None where nothing is left."""
    tracks, samples = tuple(each for each in layer.tracks if each.coordinate in kept), layer.samples
    if samples is not None:
        columns = [place for place, name in enumerate(samples.coordinates) if name in kept]
        names = tuple(samples.coordinates[place] for place in columns)
        samples = replace(samples, coordinates=names, values=Blob(samples.values.array[:, columns])) if names else None
    if not tracks and samples is None:
        return None
    turning = tuple(each for each in layer.quaternions if each not in gone)
    return replace(layer, tracks=tracks, samples=samples, quaternions=turning)

"""glTF 2.0, the Khronos Group's scenes, as one binary file (.glb) or as JSON with buffers (.gltf).

Metres, y up, +z forward, as here. Read are the joints as a figure, meshes with their skins and base colours, cameras
and animations; lights and morph targets are left out. `Options.unit` and `Options.up` are for files that break
the rule.
"""

from __future__ import annotations

from pathlib import Path

from engine.formats.binary import MOST_BYTES
from engine.formats.format import Contents, Format, Options
from engine.formats.gltf_cameras import camera_nodes, read_cameras, without_cameras
from engine.formats.gltf_file import GltfFile
from engine.formats.gltf_meshes import read_surfaces
from engine.formats.gltf_motion import MOST_KEYS, layers_of, read_animations
from engine.formats.gltf_nodes import MOST_JOINTS, read_scene
from engine.formats.gltf_write import omits, write
from engine.formats.meshes import MOST_TRIANGLES
from engine.runtime.errors import InvalidDocument, UnreadableFile


def read(path: Path, options: Options) -> Contents:
    """The first scene: its figure if it has joints, its surfaces and its motion."""
    return contents_of(GltfFile(path), options)


def contents_of(file: GltfFile, options: Options) -> Contents:
    """Convert an opened file."""
    path = file.path
    notes: list[str] = []
    animations = read_animations(file, notes)
    sliding = {each.node for one in animations for each in one.channels if each.path == "translation"}
    turning = {each.node for one in animations for each in one.channels if each.path == "rotation"}
    try:
        scene = read_scene(file, options, sliding, turning)
        surfaces = read_surfaces(file, scene)
        layers, rate = layers_of(scene, animations, notes)
        cameras = read_cameras(file, scene, layers, rate)
        figure, layers = without_cameras(scene.figure, layers, scene, camera_nodes(file))
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=str(error), remedy="Correct the numbers named.") from error
    if figure is None and not surfaces and not cameras:
        remedy = "Choose a file with meshes, joints or cameras."
        raise UnreadableFile(path=path, found="a scene without meshes, joints and cameras", remedy=remedy)
    said = (*scene.notes, *notes)
    return Contents(figure=figure, layers=layers, surfaces=surfaces, cameras=cameras, rate=rate, notes=said)


FORMAT = Format(
    name="glTF scene",
    suffixes=(".glb", ".gltf"),
    kind="motion",
    read=read,
    write=write,
    moves_surfaces=True,
    takes_cameras=True,
    omits=omits,
    about="Joints, skins, meshes with base colours and textures, perspective cameras, animations; soft bodies as "
    "morph targets, which are not read; no lights.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_JOINTS:,} joints, {MOST_KEYS:,} keys, {MOST_TRIANGLES:,} triangles",
    read_options=("unit", "up"),
    write_options=("unit", "up", "rate", "start", "end"),
)

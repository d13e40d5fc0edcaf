"""Writing glTF 2.0 from figures, surfaces and motion.

Each joint is a node that stands at its offset and rest orientation, each handle a node without children. Every skin
lists all joints of the figure, so that a reader finds them all; joints that a surface does not hang on get the inverse
of their place at rest. Motion is written as linear keys in every frame, numbers in single precision.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document import Figure, Material
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.binary import write_bytes
from engine.formats.conventions import laid_back, unit_of, upright
from engine.formats.format import Contents, FileCamera, FileMesh, Options
from engine.formats.frames import frames_of, motion_extent
from engine.formats.gltf_buffer import BYTE, FLOAT, SHORT, VERTICES, GltfBuffer, Json
from engine.formats.gltf_cameras import add_camera
from engine.formats.gltf_written import WrittenMaterials
from engine.formats.losses import motion_losses
from engine.formats.mesh_shapes import shape_losses
from engine.formats.meshes import unit_normals
from engine.formats.skins import dressed
from engine.formats.turns import motion_of
from engine.maths.arrays import Array, LongArray
from engine.maths.quaternions import inverse
from engine.maths.rotation_arrays import quaternions, rotation_matrix
from engine.model.colourings import split, triangles_by_material
from engine.runtime.errors import UnwritableFile

_MOST_BYTES = 2**32 - 2**20


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write everything; as one binary file, or with the buffer inside the JSON if the name ends in .gltf."""
    if (contents.figure is None or not contents.figure.joints) and not contents.surfaces and not contents.cameras:
        raise UnwritableFile(path=path, found="nothing to write", remedy="Choose a figure or a mesh.")
    scene = _Writer(options)
    if contents.figure is not None:
        scene.add_figure(laid_back(contents.figure, options))
        scene.add_motion(path, contents)
    for surface in dressed(contents):
        if len(surface.triangles):
            scene.add_surface(surface)
    scene.name_joints()
    for camera in contents.cameras:
        add_camera(scene, _laid(camera, options))
    if scene.length > _MOST_BYTES:
        remedy = "Write a part of the motion, or at a lower rate."
        raise UnwritableFile(path=path, found=f"{scene.length:,} bytes of data", remedy=remedy)
    write_bytes(path, scene.as_text() if path.suffix.lower() == ".gltf" else scene.as_binary())


class _Writer(GltfBuffer):
    """A scene in the making."""

    def __init__(self, options: Options) -> None:
        super().__init__()
        self.options = options
        self.unit = unit_of(options, 1.0)
        self._figure: Figure | None = None
        self._rest: dict[str, Array] = {}  # world transforms of joints in the file, shape [4, 4]
        self._materials = WrittenMaterials()

    def add_figure(self, figure: Figure) -> None:
        """Nodes of joints, in the order of the figure, then those of handles."""
        self._figure = figure
        for joint in figure.joints:
            w, x, y, z = joint.rest
            place = [each / self.unit for each in joint.offset]
            local = np.eye(4)
            local[:3, :3], local[:3, 3] = rotation_matrix(joint.rest), place
            self._rest[joint.id] = (self._rest[joint.parent] if joint.parent is not None else np.eye(4)) @ local
            number = self.node(
                name=joint.name,
                translation=place if any(place) else None,
                rotation=[x, y, z, w] if (x, y, z) != (0.0, 0.0, 0.0) else None,
            )
            if joint.parent is not None:
                self._child(figure.joint_index[joint.parent], number)
        for handle in figure.handles:
            point = [each / self.unit for each in handle.point]
            number = self.node(name=handle.name, translation=point if any(point) else None)
            self._child(figure.joint_index[handle.joint], number)
        tops = [place for place, joint in enumerate(figure.joints) if joint.parent is None]
        self.root(tops[0] if len(tops) == 1 else self.node(name=figure.name, children=tops))

    def name_joints(self) -> None:
        """Add a skin that only says which nodes are the figure's joints, where no surface hangs on it."""
        if self._figure is not None and "skins" not in self.json:
            self._add_skin({})

    def _child(self, parent: int, number: int) -> None:
        self.json["nodes"][parent].setdefault("children", []).append(number)

    def _add_skin(self, binds: dict[str, Array]) -> int:
        """A skin of all joints; how many there are."""
        assert self._figure is not None
        rows = [binds.get(joint.id, np.linalg.inv(self._rest[joint.id])) for joint in self._figure.joints]
        matrices = np.stack(rows)
        matrices[:, 3] = (0.0, 0.0, 0.0, 1.0)
        accessor = self.array(matrices.transpose(0, 2, 1).reshape(-1, 16), FLOAT)
        joints = list(range(len(self._figure.joints)))
        skins = self.json.setdefault("skins", [])
        skins.append({"joints": joints, "inverseBindMatrices": accessor, "name": self._figure.name})
        return len(skins)

    def add_motion(self, path: Path, contents: Contents) -> None:
        """One animation with a key in every frame."""
        figure = self._figure
        if figure is None or not contents.layers:
            return
        frames = frames_of(path, figure, contents, self.options)
        begins = max(frames.start, 0) / TICKS_PER_SECOND  # a file's times are not below 0
        times = begins + np.arange(len(frames.q)) * (frames.rate[1] / frames.rate[0])
        samplers: list[Json] = []
        channels: list[Json] = []
        clock = -1
        for node, joint in enumerate(figure.joints):
            if not joint.dofs:
                continue
            columns = [figure.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]
            way, rotation = motion_of(joint, frames.q[:, columns], rest=True)
            found = []
            if any(dof.kind == "slide" for dof in joint.dofs):
                found.append(("translation", (way + np.array(joint.offset)) / self.unit))
            if any(dof.kind != "slide" for dof in joint.dofs):
                found.append(("rotation", np.roll(quaternions(rotation), -1, axis=1)))
            for name, values in found:
                clock = clock if clock >= 0 else self.array(times, FLOAT, bounds=True)
                output = self.array(values, FLOAT)
                channels.append({"sampler": len(samplers), "target": {"node": node, "path": name}})
                samplers.append({"input": clock, "output": output, "interpolation": "LINEAR"})
        if channels:
            name = next((layer.name for layer in contents.layers if not layer.mute), "") or "motion"
            self.json["animations"] = [{"name": name, "samplers": samplers, "channels": channels}]

    def add_surface(self, surface: FileMesh) -> None:
        """A mesh and the node that shows it, with its skin if it has one: one primitive, or one for each material."""
        turn = rotation_matrix(inverse(upright(self.options)))
        kept, faces, laid, colours = _vertices(surface)
        points = (surface.positions @ turn.T / self.unit)[kept]
        attributes: Json = {"POSITION": self.array(points, FLOAT, VERTICES, bounds=True)}
        if surface.normals is not None:
            normals = unit_normals(surface.normals @ turn.T, surface.triangles.astype(np.int64))
            if normals is not None:
                attributes["NORMAL"] = self.array(normals[kept], FLOAT, VERTICES)
        if laid is not None:
            attributes["TEXCOORD_0"] = self.array(laid, FLOAT, VERTICES)
        if colours is not None:
            attributes["COLOR_0"] = self.array(colours, BYTE, VERTICES)
        skin = None
        if surface.weights is not None and surface.bind is not None and self._figure is not None:
            skin = self._hang(surface, turn, attributes, kept)
        primitives = [
            self._materials.primitive(self, attributes, faces[numbers], material)
            for material, numbers in _by_material(surface)
        ]
        meshes = self.json.setdefault("meshes", [])
        mesh: Json = {"name": surface.name, "primitives": primitives}
        meshes.append(mesh)
        node = self.node(name=surface.name, mesh=len(meshes) - 1, skin=skin)
        self.root(node)
        if surface.frames is not None and surface.times is not None:
            targets = [
                {"POSITION": self.array((frame @ turn.T / self.unit)[kept] - points, FLOAT, VERTICES, bounds=True)}
                for frame in surface.frames.astype(float)
            ]
            for primitive in primitives:
                primitive["targets"] = targets
            mesh["weights"] = [float(each == 0) for each in range(len(surface.frames))]
            self._morph(node, surface.times)

    def _morph(self, node: int, times: Array) -> None:
        """Animate the weights of a node's morph targets, one for each frame: each is the whole of it at its time."""
        seconds = times - min(float(times[0]), 0.0)  # a file's times are not below 0
        clock = self.array(seconds, FLOAT, bounds=True)
        output = self.array(np.eye(len(times)).ravel(), FLOAT)
        sampler = {"input": clock, "output": output, "interpolation": "LINEAR"}
        animations = self.json.setdefault("animations", [{"name": "motion", "samplers": [], "channels": []}])
        channel = {"sampler": len(animations[0]["samplers"]), "target": {"node": node, "path": "weights"}}
        animations[0]["samplers"].append(sampler)
        animations[0]["channels"].append(channel)

    def _hang(self, surface: FileMesh, turn: Array, attributes: Json, kept: LongArray | slice) -> int:
        """Joints and weights in sets of four, the heaviest first; the number of the skin."""
        assert surface.weights is not None
        assert surface.bind is not None
        assert self._figure is not None
        back = np.eye(4)
        back[:3, :3] = turn.T * self.unit
        binds = {}
        for joint, bind in zip(surface.joints, surface.bind, strict=True):
            square = np.vstack((bind, (0.0, 0.0, 0.0, 1.0))) @ back
            square[:3] /= self.unit
            binds[joint] = square
        numbers = np.array([self._figure.joint_index[joint] for joint in surface.joints])
        most = max(1, int((surface.weights > 0.0).sum(axis=1).max()))
        order = np.argsort(-surface.weights, axis=1, kind="stable")[:, :most]
        shares = np.take_along_axis(surface.weights, order, axis=1)
        pad = ((0, 0), (0, -most % 4))
        places = np.pad(np.where(shares > 0.0, numbers[order], 0), pad)
        shares = np.pad(shares / shares.sum(axis=1, keepdims=True), pad)
        for number in range(places.shape[1] // 4):
            part = slice(4 * number, 4 * number + 4)
            attributes[f"JOINTS_{number}"] = self.array(places[kept, part], SHORT, VERTICES)
            attributes[f"WEIGHTS_{number}"] = self.array(shares[kept, part], FLOAT, VERTICES)
        return self._add_skin(binds) - 1


def _laid(camera: FileCamera, options: Options) -> FileCamera:
    """The camera in the axes and the unit of the file."""
    frames = rotation_matrix(inverse(upright(options))) @ camera.frames
    frames[:, :, 3] /= unit_of(options, 1.0)
    return replace(camera, frames=frames, near=camera.near / unit_of(options, 1.0))


def _vertices(
    surface: FileMesh,
) -> tuple[LongArray | slice, LongArray, NDArray[np.float32] | None, NDArray[np.uint8] | None]:
    """Which vertices are written, the triangles over these, and what they say of texture and colour."""
    if surface.colouring is None:
        return slice(None), surface.triangles.astype(np.int64), None, None
    found = split(surface.triangles, surface.colouring)
    return found.source, found.triangles, found.coordinates, found.colours


def _by_material(surface: FileMesh) -> list[tuple[Material | None, LongArray | slice]]:
    if surface.colouring is None:
        return [(None, slice(None))]
    return [*triangles_by_material(surface.colouring, len(surface.triangles))]


def omits(contents: Contents) -> tuple[str, ...]:
    """List what a glTF file cannot say of these contents."""
    lost = []
    figure = contents.figure
    if any(each.keyed_lens for each in contents.cameras):
        lost.append("keys of the lens, written as it is at the start")
    if figure is not None:
        lost.append("degrees of freedom: each joint is written as free to turn, and to move if it has slides")
        if figure.limits or any(dof.lower is not None or dof.upper is not None for dof in figure.dofs):
            lost.append("limits of degrees of freedom")
        if any(dof.stiffness != 1.0 or dof.damping != 0.0 for dof in figure.dofs):
            lost.append("stiffness and damping")
        if any(dof.spring != 0.0 for dof in figure.dofs):
            lost.append("springs of joints")
        if any(joint.shapes for joint in figure.joints):
            lost.append(shape_losses(contents))
        if any(skin.blending == "dual" for skin in figure.skins):
            lost.append("dual quaternion blending of skins, which other programs blend linearly")
        if any(joint.body is not None for joint in figure.joints):
            lost.append("masses")
        if any(joint.side != "middle" or joint.mirror is not None or joint.group for joint in figure.joints):
            lost.append("sides, mirror partners and groups")
    if figure is None and any(surface.joints for surface in contents.surfaces):
        lost.append("how surfaces hang on joints, without the figure")
    begins = (contents.span or motion_extent(contents.layers))[0]
    return (*lost, *motion_losses(contents, keeps_start=begins >= 0))

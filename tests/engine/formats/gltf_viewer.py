"""A viewer of glTF files in plain numpy, as the specification 2.0 has it, over what another library (pygltflib) reads.

It shares no code with Sinew: node hierarchies (3.5), accessors (3.6.2), skins (3.7.3), animations (3.11, appendix C).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pygltflib

from engine.maths.arrays import Array

_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


@dataclass(frozen=True)
class Viewed:
    """One file."""

    file: pygltflib.GLTF2
    blob: bytes

    @classmethod
    def load(cls, path: Path) -> Viewed:
        """A .glb or .gltf file."""
        file = pygltflib.GLTF2().load(str(path))
        assert file is not None
        if file.binary_blob() is None and file.buffers:
            file.convert_buffers(pygltflib.BufferFormat.BINARYBLOB)
        return cls(file, file.binary_blob() or b"")

    @property
    def joints(self) -> list[int]:
        """Nodes of the first skin's joints."""
        return list(self.file.skins[0].joints)

    @property
    def span(self) -> tuple[float, float]:
        """The first and the last time of the first animation [s]."""
        inputs = [self.array(each.input)[:, 0] for each in self.file.animations[0].samplers]
        return min(float(each[0]) for each in inputs), max(float(each[-1]) for each in inputs)

    def array(self, accessor: int) -> Array:
        """Its numbers, shape [count, width]."""
        found = self.file.accessors[accessor]
        view, width = self.file.bufferViews[found.bufferView], _WIDTH[found.type]
        start = (view.byteOffset or 0) + (found.byteOffset or 0)
        kind = np.dtype(_TYPES[found.componentType])
        assert view.byteStride in (None, width * kind.itemsize), "numbers lie close together in what we write"
        return np.frombuffer(self.blob, kind, found.count * width, start).astype(float).reshape(found.count, width)

    def worlds(self, time: float) -> dict[int, Array]:
        """The world matrix of each node of the scene at a time [s], shape [4, 4]."""
        moved: dict[tuple[int, str], Array] = {}
        for animation in self.file.animations[:1]:
            for channel in animation.channels:
                sampler = animation.samplers[channel.sampler]
                turns = channel.target.path == "rotation"
                key = (channel.target.node, channel.target.path)
                moved[key] = _sampled(
                    self.array(sampler.input)[:, 0], self.array(sampler.output), sampler.interpolation, time, turns
                )
        found: dict[int, Array] = {}
        waiting = [(node, np.eye(4)) for node in self.file.scenes[self.file.scene or 0].nodes]
        while waiting:
            number, above = waiting.pop()
            node = self.file.nodes[number]
            found[number] = world = above @ _local(node, number, moved)
            waiting += [(child, world) for child in node.children or []]
        return found

    def vertices(self, time: float) -> Array:
        """The vertices of all meshes in the world at a time [s], shape [count, 3]."""
        worlds, found = self.worlds(time), []
        for number, world in worlds.items():
            node = self.file.nodes[number]
            for primitive in self.file.meshes[node.mesh].primitives if node.mesh is not None else ():
                points = _homogeneous(self.array(primitive.attributes.POSITION))
                if node.skin is None:
                    found.append(points @ world.T)
                else:
                    carrying = self._carrying(node.skin, primitive.attributes, worlds)
                    found.append(np.einsum("vij,vj->vi", carrying, points))
        return np.concatenate(found)[:, :3]

    def _carrying(self, number: int, attributes: pygltflib.Attributes, worlds: dict[int, Array]) -> Array:
        """For each vertex the sum of its joints' matrices by weight; the mesh's own node does not count."""
        skin = self.file.skins[number]
        binds = self.array(skin.inverseBindMatrices).reshape(-1, 4, 4).transpose(0, 2, 1)
        matrices = np.stack([worlds[joint] @ bind for joint, bind in zip(skin.joints, binds, strict=True)])
        total = 0.0
        for place in range(8):
            joints = getattr(attributes, f"JOINTS_{place}", None)
            if joints is None:
                break
            weights = self.array(getattr(attributes, f"WEIGHTS_{place}"))
            total = total + np.einsum("vk,vkij->vij", weights, matrices[self.array(joints).astype(int)])
        return np.asarray(total)


def _homogeneous(points: Array) -> Array:
    return np.hstack((points, np.ones((len(points), 1))))


def _local(node: pygltflib.Node, number: int, moved: dict[tuple[int, str], Array]) -> Array:
    if node.matrix is not None:
        return np.array(node.matrix).reshape(4, 4).T
    place = np.eye(4)
    place[:3, 3] = moved.get((number, "translation"), np.array(node.translation or (0.0, 0.0, 0.0)))
    turn = np.eye(4)
    turn[:3, :3] = _matrix(moved.get((number, "rotation"), np.array(node.rotation or (0.0, 0.0, 0.0, 1.0))))
    size = np.diag([*moved.get((number, "scale"), np.array(node.scale or (1.0, 1.0, 1.0))), 1.0])
    return np.asarray(place @ turn @ size)


def _matrix(quaternion: Array) -> Array:
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _sampled(times: Array, values: Array, way: str, time: float, turns: bool) -> Array:
    """Appendix C: held outside of the keys; STEP, LINEAR (along great arcs for rotations), CUBICSPLINE."""
    middle = values[1::3] if way == "CUBICSPLINE" else values
    if time <= times[0] or len(times) == 1:
        return np.asarray(middle[0])
    if time >= times[-1]:
        return np.asarray(middle[-1])
    k = int(np.searchsorted(times, time, side="right")) - 1
    span = times[k + 1] - times[k]
    t = (time - times[k]) / span
    if way == "STEP":
        return np.asarray(middle[k])
    if way == "CUBICSPLINE":
        out, into = values[3 * k + 2], values[3 * k + 3]
        mixed = (2 * t**3 - 3 * t**2 + 1) * middle[k] + span * (t**3 - 2 * t**2 + t) * out
        return np.asarray(mixed + (-2 * t**3 + 3 * t**2) * middle[k + 1] + span * (t**3 - t**2) * into)
    if not turns:
        return np.asarray((1 - t) * middle[k] + t * middle[k + 1])
    d = float(middle[k] @ middle[k + 1])
    a = np.arccos(min(abs(d), 1.0))
    if a < 1e-3:  # single precision cannot tell the angle: there the chord is the arc
        return np.asarray((1 - t) * middle[k] + np.sign(d) * t * middle[k + 1])
    return np.asarray((np.sin(a * (1 - t)) * middle[k] + np.sign(d) * np.sin(a * t) * middle[k + 1]) / np.sin(a))

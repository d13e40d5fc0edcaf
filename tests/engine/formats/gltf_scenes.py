"""Small glTF files for tests, and skinning by plain numpy."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from engine.document import Figure
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.format import Contents, FileMesh
from engine.formats.turns import motion_of
from engine.maths.arrays import Array
from engine.model.compile import rest_value
from engine.motion.motion import compile_motion

CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
SHAPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Builder:
    """A glTF file in the making."""

    def __init__(self) -> None:
        self.json: dict[str, Any] = {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": []}
        self.data = b""

    def add(self, values: Any, kind: str = "f4", *, normalised: bool = False) -> int:
        """Put an array into the buffer; its accessor."""
        array = np.asarray(values, f"<{kind}")
        flat = array.reshape(len(array), -1)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": flat.nbytes}
        self.data += flat.tobytes() + b"\0" * (-flat.nbytes % 4)
        accessor: dict[str, Any] = {"bufferView": len(self.json["bufferViews"]), "count": len(flat)}
        accessor |= {"componentType": CODES[kind], "type": SHAPES[flat.shape[1]]} | (
            {"normalized": True} if normalised else {}
        )
        self.json["bufferViews"].append(view)
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def triangle(self, **attributes: int) -> dict[str, Any]:
        """A primitive of three corners."""
        return {"attributes": {"POSITION": self.add([(0, 0, 0), (1, 0, 0), (0, 1, 0)]), **attributes}}

    def animate(self, node: int, path: str, times: Any, values: Any, way: str = "LINEAR") -> None:
        """One channel of the one animation."""
        animation = self.json.setdefault("animations", [{"samplers": [], "channels": []}])[0]
        sampler = {"input": self.add(times), "output": self.add(values), "interpolation": way}
        target = {"node": node, "path": path}
        animation["channels"].append({"sampler": len(animation["samplers"]), "target": target})
        animation["samplers"].append(sampler)

    def text(self) -> bytes:
        """The .gltf with its buffer embedded."""
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        buffers = [{"byteLength": len(self.data), "uri": uri}] if self.data else []
        return json.dumps(self.json | {"buffers": buffers}).encode()

    def binary(self) -> bytes:
        """The .glb."""
        text = json.dumps(self.json | {"buffers": [{"byteLength": len(self.data)}]}).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        chunks += struct.pack("<II", len(self.data), 0x004E4942) + self.data
        return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks

    def save(self, path: Path) -> Path:
        """Write it as its suffix says."""
        path.write_bytes(self.binary() if path.suffix == ".glb" else self.text())
        return path


def worlds(figure: Figure, q: Array) -> dict[str, Array]:
    """World transform of each joint, shape [4, 4], for one pose."""
    found: dict[str, Array] = {}
    for joint in figure.joints:
        columns = [figure.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]
        way, rotation = motion_of(joint, q[None, columns], rest=True)
        local = np.eye(4)
        local[:3, :3], local[:3, 3] = rotation[0], way[0] + np.array(joint.offset)
        found[joint.id] = (found[joint.parent] if joint.parent else np.eye(4)) @ local
    return found


def pose_at(contents: Contents, seconds: float) -> Array:
    """The layered pose."""
    assert contents.figure is not None
    return np.asarray(compile_motion(contents.figure, contents.layers).at(seconds * TICKS_PER_SECOND)[0])


def rest_pose(figure: Figure) -> Array:
    """All coordinates at rest."""
    return np.array([rest_value(name, figure.coordinate_dof[name]) for name in figure.coordinates])


def skinned(surface: FileMesh, world: dict[str, Array]) -> Array:
    """Vertices in the world: sum of w world bind v."""
    if surface.weights is None or surface.bind is None:
        return surface.positions
    points = np.c_[surface.positions, np.ones(len(surface.positions))]
    total = np.zeros((len(points), 3))
    for column, joint in enumerate(surface.joints):
        moved = (world[joint] @ np.vstack((surface.bind[column], (0, 0, 0, 1))) @ points.T).T[:, :3]
        total += surface.weights[:, column, None] * moved
    return total

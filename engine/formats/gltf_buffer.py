"""The JSON and the buffer of a glTF file in the making; knows no figure and loads no kernel."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

Json = dict[str, Any]

FLOAT, BYTE, SHORT, INT = ("<f4", 5126), ("|u1", 5121), ("<u2", 5123), ("<u4", 5125)
VERTICES, INDICES = 34962, 34963
PER_CORNER = "SINEW_colours_of_corners"  # an extension of the files that Sinew makes of FBX for itself
SHAPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class GltfBuffer:
    """Arrays put one behind the other, and the nodes that name them."""

    def __init__(self) -> None:
        self.json: Json = {"asset": {"version": "2.0", "generator": "Sinew"}, "scene": 0, "scenes": [{}], "nodes": []}
        self.data: list[bytes] = []
        self.length = 0  # bytes
        self._roots: list[int] = []

    def array(self, values: NDArray[Any], kind: tuple[str, int], target: int = 0, *, bounds: bool = False) -> int:
        """Put an array into the buffer; its accessor."""
        block = np.ascontiguousarray(values, kind[0]).reshape(len(values), -1)
        data = block.tobytes()
        view: Json = {"buffer": 0, "byteOffset": self.length, "byteLength": len(data)}
        views, accessors = self.json.setdefault("bufferViews", []), self.json.setdefault("accessors", [])
        views.append(view | ({"target": target} if target else {}))
        self.data.append(data + b"\0" * (-len(data) % 4))
        self.length += len(self.data[-1])
        accessor: Json = {"bufferView": len(views) - 1, "componentType": kind[1], "count": len(block)}
        accessor["type"] = SHAPES[block.shape[1]]
        if kind is BYTE:
            accessor["normalized"] = True
        if bounds:
            accessor |= {"min": block.min(axis=0).tolist(), "max": block.max(axis=0).tolist()}
        accessors.append(accessor)
        return len(accessors) - 1

    def view(self, data: bytes) -> int:
        """Put a file into the buffer; its view."""
        views = self.json.setdefault("bufferViews", [])
        views.append({"buffer": 0, "byteOffset": self.length, "byteLength": len(data)})
        self.data.append(data + b"\0" * (-len(data) % 4))
        self.length += len(self.data[-1])
        return len(views) - 1

    def node(self, **content: Any) -> int:
        """A node more, without values that say nothing."""
        self.json["nodes"].append({name: value for name, value in content.items() if value is not None})
        return len(self.json["nodes"]) - 1

    def root(self, node: int) -> None:
        """A node of the scene that has no parent."""
        self._roots.append(node)
        self.json["scenes"][0]["nodes"] = self._roots

    def as_text(self) -> bytes:
        """Everything as JSON, the buffer inside."""
        scene = self.json
        if self.data:
            uri = "data:application/octet-stream;base64," + base64.b64encode(b"".join(self.data)).decode()
            scene = {**scene, "buffers": [{"byteLength": self.length, "uri": uri}]}
        return json.dumps(scene, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()

    def as_binary(self) -> bytes:
        """Everything as one binary file."""
        data = b"".join(self.data)
        scene = {**self.json, "buffers": [{"byteLength": len(data)}]} if data else self.json
        text = json.dumps(scene, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        if data:
            chunks += struct.pack("<II", len(data), 0x004E4942) + data
        return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks

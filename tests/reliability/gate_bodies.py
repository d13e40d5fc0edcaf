"""Files and logs of soft bodies and of blend shapes for the gate: what their readers let in stands in a document."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from engine.document import Document
from engine.edits.command_log import Start
from engine.formats.sinew_log import log_text
from engine.shapes.importing import read_blend_shapes
from engine.soft.mesh_files import body_of_file
from tests.engine.edits.shapes_examples import SHAPES_EDITS, shapes_edit
from tests.engine.edits.soft_examples import SOFT_EDITS, soft_edit
from tests.engine.figures import scene
from tests.engine.shapes.surfaces import ball, ball_actor
from tests.engine.soft.bodies import soft_actor, soft_cube, spline
from tests.engine.soft.test_tet_files import BRICK, CELLS, GMSH_4, MEDIT, NODES

ALONG = 4  # cells along a surface that is filled
SOLID = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
FORMULA = b"1 - 0.3 * pulse(t, 0.5, 0.2, 1) + min(0.1, s ^ 2) * cos(2 * pi * (t - s))"

UNSOUND_BODIES = ("Gmsh", "Medit", "TetGen points", "TetGen cells", "filled surface")
"""Readers that may say that what they read cannot be a soft body."""

Seed = tuple[str, list[bytes], Callable[[Path], Document]]


def body_seeds() -> dict[str, Seed]:
    """For each reader: a suffix, sound files, and the reader."""
    return {
        "Gmsh": (".msh", [BRICK.encode(), GMSH_4.encode()], read_soft),
        "Medit": (".mesh", [MEDIT.encode()], read_soft),
        "TetGen points": (".node", [NODES.encode()], read_points),
        "TetGen cells": (".ele", [CELLS.encode()], read_cells),
        "filled surface": (".soft.obj", [SOLID], read_soft),
        "shapes of OBJ": (".shape.obj", [surface_text(0.02)], read_shaped),
        "activation": (".activation.txt", [FORMULA], read_formula),
    }


def read_soft(path: Path) -> Document:
    """A soft body of what a file holds."""
    body, _ = body_of_file(path, along=ALONG)
    return Document(actors=(soft_actor(body=body),))


def read_points(path: Path) -> Document:
    """A soft body of points, with sound cells beside them."""
    path.with_suffix(".ele").write_text(CELLS)
    return read_soft(path)


def read_cells(path: Path) -> Document:
    """A soft body of cells, with sound points beside them."""
    path.with_suffix(".node").write_text(NODES)
    return read_soft(path)


def read_shaped(path: Path) -> Document:
    """A sound surface with a shape of a file."""
    base = path.with_name("base.obj")
    base.write_bytes(surface_text(0.0))
    return Document(actors=(ball_actor("ball", read_blend_shapes([base, path])),))


def read_morphs(path: Path) -> Document:
    """A surface with the morph targets of a file."""
    return Document(actors=(ball_actor("ball", read_blend_shapes([path])),))


def read_formula(path: Path) -> Document:
    """A soft body that is activated by a formula."""
    text = path.read_bytes().decode("utf-8", "replace")
    return Document(actors=(soft_actor(body=soft_cube(spline(activation="expression", expression=text))),))


def surface_text(moved: float) -> bytes:
    """A ball as an OBJ file, one vertex moved."""
    points, faces = ball()
    points = points.copy()
    points[5] += moved
    rows = [f"v {x} {y} {z}" for x, y, z in points.tolist()]
    return "\n".join([*rows, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces.tolist()), ""]).encode()


def morphed_gltf() -> dict[str, Any]:
    """A ball with a morph target as a glTF file."""
    points, faces = ball()
    moved = np.zeros_like(points)
    moved[7, 1] = 0.01
    data = points.astype("<f4").tobytes() + moved.astype("<f4").tobytes() + faces.astype("<u2").tobytes()
    size, uri = 12 * len(points), f"data:application/octet-stream;base64,{base64.b64encode(data).decode()}"
    vectors = {"componentType": 5126, "count": len(points), "type": "VEC3"}
    return {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [0.0, 1.0, 0.0]}],
        "meshes": [{
            "primitives": [{"attributes": {"POSITION": 0}, "indices": 2, "targets": [{"POSITION": 1}]}],
            "extras": {"targetNames": ["Grin"]}, "weights": [0.25],
        }],
        "accessors": [
            {"bufferView": 0, **vectors},
            {"bufferView": 1, **vectors},
            {"bufferView": 2, "componentType": 5123, "count": faces.size, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": length}
            for start, length in ((0, size), (size, size), (2 * size, faces.size * 2))
        ],
        "buffers": [{"uri": uri, "byteLength": len(data)}],
    }  # fmt: skip


def body_log(random: Random) -> bytes:
    """A log whose first document holds soft bodies and blend shapes, and that changes them."""
    document = scene()
    for name in (*SOFT_EDITS, *SHAPES_EDITS):
        document = _change(random, name, document).apply(document)
    commands: list[Any] = [Start(document, "New")]
    for name in random.sample((*SOFT_EDITS, *SHAPES_EDITS), k=12):
        change = _change(random, name, document)
        document = change.apply(document)
        commands.append(change)
    return log_text(commands).encode()


def _change(random: Random, name: str, document: Document) -> Any:
    return (soft_edit if name in SOFT_EDITS else shapes_edit)(random, name, document)


def morphed_text() -> bytes:
    """The same as text."""
    return json.dumps(morphed_gltf()).encode()

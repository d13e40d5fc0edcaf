"""POV-Ray's scene files (version 3.7): frames of a scene in one file, of which the renderer asks one at a time.

Rigid meshes are declared once and placed by matrices. POV-Ray is left-handed, so the picture's right is turned about,
which makes it right-handed (its own manual, section 2.2.1.1.4).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from engine.experiments.scene_parts import PLAIN, PlacedParts, SceneFrame, SceneLook, ScenePart
from engine.maths.arrays import Array

_LIGHT = (1.6, 4.0, 1.2)  # [m]


def povray_file(scenery: PlacedParts, look: SceneLook) -> str:
    """Write all frames; without an animation the first one is drawn."""
    lines = ["#version 3.7;", "global_settings { assumed_gamma 1.0 }", "background { color rgb <0.13, 0.14, 0.15> }"]
    lines += [*_camera(look), f"light_source {{ {_vector(_LIGHT)} color rgb <1, 1, 1> }}"]
    lines.append("plane { <0, 1, 0>, 0 pigment { color rgb <0.4, 0.4, 0.42> } finish { ambient 0.1 diffuse 0.8 } }")
    for number, part in enumerate(scenery.parts, start=1):
        lines += [f"#declare Part{number} = {line}" if at == 0 else line for at, line in enumerate(_mesh(part))]
    lines.append("#switch (frame_number)")
    for number, frame in enumerate(scenery.frames, start=1):
        lines += [f"#case ({number})", *_frame(scenery, frame), "#break"]
    return "\n".join([*lines, "#else", *_frame(scenery, scenery.frames[0]), "#end", ""])


def povray_settings(scenery: PlacedParts, look: SceneLook, name: str) -> str:
    """Write the settings by which `povray NAME.ini` draws all frames."""
    width, height = look.size
    frames = f"Initial_Frame=1\nFinal_Frame={len(scenery.frames)}\n"
    return f"Input_File_Name={name}.pov\nWidth={width}\nHeight={height}\n{frames}Antialias=On\n"


def _camera(look: SceneLook) -> Iterator[str]:
    width, height = look.size
    yield "camera {"
    yield f"  location {_vector(look.eye)}"
    yield f"  up <0, 1, 0> right <{-width / height:.6g}, 0, 0>"
    yield f"  angle {math.degrees(look.angle):.6g}"
    yield f"  look_at {_vector(look.target)}"
    yield "}"


def _frame(scenery: PlacedParts, frame: SceneFrame) -> Iterator[str]:
    for number, place in frame.placed:
        columns = np.concatenate([place[:, :3].T.ravel(), place[:, 3]])
        yield f"object {{ Part{number + 1} matrix {_vector(columns)} }}"
    for surface in frame.surfaces:
        yield from _mesh(surface)
    for ball in frame.balls:
        yield f"sphere {{ {_vector(ball[:3])}, {ball[3]:.6g} {_texture(PLAIN)} }}"
    for rod in frame.rods:
        if np.linalg.norm(rod[3:6] - rod[:3]) > 1e-9:
            yield f"cylinder {{ {_vector(rod[:3])}, {_vector(rod[3:6])}, {rod[6]:.6g} {_texture(PLAIN)} }}"


def _mesh(part: ScenePart) -> Iterator[str]:
    yield "mesh2 {"
    yield f"  vertex_vectors {{ {_listed(part.positions)} }}"
    yield f"  normal_vectors {{ {_listed(part.normals)} }}"
    faces = ", ".join(f"<{a}, {b}, {c}>" for a, b, c in part.triangles.tolist())
    yield f"  face_indices {{ {len(part.triangles)}, {faces} }}"
    yield f"  {_texture(part.colour)}"
    yield "}"


def _listed(rows: Array) -> str:
    return ", ".join([str(len(rows)), *(_vector(row) for row in rows)])


def _texture(colour: tuple[float, float, float]) -> str:
    return f"pigment {{ color rgb {_vector(colour)} }} finish {{ ambient 0.1 diffuse 0.7 specular 0.3 }}"


def _vector(values: Iterable[float]) -> str:
    return f"<{', '.join(f'{float(value):.6g}' for value in values)}>"

"""RenderMan's scene files, frame by frame, as the source wrote its leaps (Winzell 2004, 4.4.4).

RenderMan Interface Specification 3.2: a RIB file declares the rigid meshes once, as objects, and places them in each
frame. Its cameras look along +z of a left-handed frame, and matrices take rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from engine.experiments.scene_parts import PLAIN, PlacedParts, SceneFrame, SceneLook, ScenePart, numbers
from engine.maths.arrays import Array

_FLOOR = 4.0  # [m] from the middle to the edges
_LIGHT = (-0.4, -1.0, -0.3)


def rib_file(scenery: PlacedParts, look: SceneLook, name: str) -> str:
    """Write all frames; the picture of frame 3 of `leap` is called leap.0003.tif."""
    lines = ["##RenderMan RIB-Structure 1.0", "version 3.03"]
    for number, part in enumerate(scenery.parts, start=1):
        lines += [f"ObjectBegin {number}", *_mesh(part), "ObjectEnd"]
    for number, frame in enumerate(scenery.frames, start=1):
        lines += [f"FrameBegin {number}", *_camera(look, f"{name}.{number:04d}.tif"), "WorldBegin"]
        lines += ["  " + line for line in (*_lights(), *_floor(), *_frame(scenery, frame))]
        lines += ["WorldEnd", "FrameEnd"]
    return "\n".join([*lines, ""])


def _camera(look: SceneLook, picture: str) -> Iterator[str]:
    width, height = look.size
    high = 2.0 * math.atan(math.tan(0.5 * look.angle) * min(1.0, height / width))
    view = np.eye(4)
    view[:3, :3] = look.axes.T
    view[3, :3] = -(look.axes @ look.eye)
    yield f'Display "{picture}" "file" "rgb"'
    yield f"Format {width} {height} 1"
    yield f'Projection "perspective" "fov" [{math.degrees(high):.6g}]'
    yield f"Transform [{numbers(view.ravel())}]"


def _lights() -> Iterator[str]:
    yield f'LightSource "distantlight" 1 "from" [0 0 0] "to" [{numbers(_LIGHT)}] "intensity" [1]'
    yield 'LightSource "ambientlight" 2 "intensity" [0.3]'


def _floor() -> Iterator[str]:
    yield "AttributeBegin"
    yield "Color [0.4 0.4 0.42]"
    yield 'Surface "matte"'
    corners = [(x, 0.0, z) for z in (-_FLOOR, _FLOOR) for x in (-_FLOOR, _FLOOR)]
    yield f'Patch "bilinear" "P" [{numbers(value for corner in corners for value in corner)}]'
    yield "AttributeEnd"


def _frame(scenery: PlacedParts, frame: SceneFrame) -> Iterator[str]:
    for number, place in frame.placed:
        yield from ("AttributeBegin", *_coloured(scenery.parts[number].colour))
        yield f"ConcatTransform [{numbers(_rows(place))}]"
        yield from (f"ObjectInstance {number + 1}", "AttributeEnd")
    for surface in frame.surfaces:
        yield from ("AttributeBegin", *_coloured(surface.colour), *_mesh(surface), "AttributeEnd")
    for x, y, z, radius in frame.balls:
        yield from ("AttributeBegin", *_coloured(PLAIN), f"Translate {numbers((x, y, z))}")
        yield from (f"Sphere {numbers((radius, -radius, radius, 360.0))}", "AttributeEnd")
    for rod in frame.rods:
        yield from ("AttributeBegin", *_coloured(PLAIN), *_cylinder(rod), "AttributeEnd")


def _coloured(colour: tuple[float, float, float]) -> Iterator[str]:
    yield f"Color [{numbers(colour)}]"
    yield 'Surface "plastic"'


def _mesh(part: ScenePart) -> Iterator[str]:
    corners = " ".join(map(str, part.triangles.ravel().tolist()))
    yield f"PointsPolygons [{' '.join(['3'] * len(part.triangles))}] [{corners}]"
    yield f'  "P" [{numbers(part.positions.ravel())}] "N" [{numbers(part.normals.ravel())}]'


def _cylinder(rod: Array) -> Iterator[str]:
    """A cylinder along z of a frame that is turned to where a rod points."""
    begin, end, radius = rod[:3], rod[3:6], float(rod[6])
    length = float(np.linalg.norm(end - begin))
    along = (end - begin) / length if length > 0.0 else np.array([0.0, 0.0, 1.0])
    across = np.cross((1.0, 0.0, 0.0) if abs(along[0]) < 0.9 else (0.0, 1.0, 0.0), along)
    across /= np.linalg.norm(across)
    place = np.column_stack([across, np.cross(along, across), along, begin])
    yield f"ConcatTransform [{numbers(_rows(place))}]"
    yield f"Cylinder {numbers((radius, 0.0, length, 360.0))}"


def _rows(place: Array) -> Array:
    found = np.eye(4)
    found[:3, :3], found[3, :3] = place[:, :3].T, place[:, 3]
    return found.ravel()

"""Shapes of the bodies of an OpenSim model: its own surfaces where these lie beside it, else simple ones of ours.

Surfaces (`Mesh` of version 4, `DisplayGeometry` of version 3; VTP, OBJ and STL) are looked for in the folder of the
model and in `Geometry` there or beside it, by their file names alone. A body without one gets capsules from its joint
to those that hang on it, or to twice its centre of mass; one that branches or goes nowhere an ellipsoid of its mass and
the proportions of its inertia. Of a model with muscles they are as slender as bones, so that muscles are seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np

from engine.document import Body, Capsule, Ellipsoid, Joint
from engine.document.frames import Frame
from engine.document.shapes import Shape
from engine.document.values import Vector3
from engine.formats import obj, stl, vtp
from engine.formats.format import FileMesh, Options
from engine.formats.mesh_shapes import shapes_of
from engine.formats.osim_figure import OsimFigure
from engine.formats.osim_model import OsimModel, turned_by
from engine.formats.xml_text import Element
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime.errors import EngineError

_READERS = {".vtp": vtp.read, ".obj": obj.read, ".stl": stl.read}
_DENSITY = 1100.0  # [kg/m3] of what a capsule is to hold
_BONES = 0.15  # of the mass of a body that has muscles is bones
_NEAR = 0.02  # [m] joints that are nearer have no bone between them
_THICKEST = 0.3  # of a capsule: its radius, beside its length
_THIN, _LEAST = 0.006, 0.004  # [m]


def with_shapes(made: OsimFigure) -> None:
    """Give the joints of a figure their shapes."""
    surfaces = _surfaces(made)
    share = _BONES if any(each.tag == "GeometryPath" for each in made.model.elements) else 1.0
    below: dict[str, list[Vector3]] = {}
    for joint in made.joints:
        if joint.parent is not None:
            below.setdefault(joint.parent, []).append(joint.offset)
    for place, joint in enumerate(made.joints):
        shapes: tuple[Shape, ...] = shapes_of(made.model.file.path, surfaces.get(joint.id, []))
        made.joints[place] = replace(joint, shapes=shapes or tuple(_simple(joint, below.get(joint.id, []), share)))


def _simple(joint: Joint, below: list[Vector3], share: float) -> Iterator[Shape]:
    """Yield shapes of a body that has no surface, as heavy as a share of it."""
    body = joint.body
    mass, centre = (0.0, (0.0, 0.0, 0.0)) if body is None else (share * body.mass, body.centre)
    far = [each for each in below if math.hypot(*each) > _NEAR]
    if not below and math.hypot(*centre) > _NEAR:
        x, y, z = centre
        far = [(2.0 * x, 2.0 * y, 2.0 * z)]
    for end in far:
        length = math.hypot(*end)
        radius = math.sqrt(mass / len(far) / (math.pi * _DENSITY * length))
        radius = min(max(radius, _THIN), _THICKEST * length) if len(far) == 1 else min(_THICKEST * length, 3.0 * _THIN)
        yield Capsule(start=(0.0, 0.0, 0.0), end=end, radius=radius)
    if body is not None and mass > 0.0 and len(far) != 1:
        yield _ellipsoid(body, mass)


def _ellipsoid(body: Body, mass: float) -> Ellipsoid:
    """An ellipsoid of a mass, with the proportions that the inertia of a body has."""
    moments = body.inertia[:3]
    axes = [math.sqrt(max(sum(moments) - 2.0 * each, 0.0)) for each in moments]
    axes = [max(each, 0.2 * max(axes)) for each in axes] if max(axes) > 0.0 else [1.0, 1.0, 1.0]
    size = (0.75 * mass / (math.pi * _DENSITY * math.prod(axes))) ** (1.0 / 3.0)
    x, y, z = (max(size * each, _LEAST) for each in axes)
    return Ellipsoid(radii=(x, y, z), centre=body.centre)


def _surfaces(made: OsimFigure) -> dict[str, list[FileMesh]]:
    """Read the surfaces that lie beside the model, by joints; say how many do not."""
    model, found = made.model, dict[str, list[FileMesh]]()
    known: dict[str, FileMesh | None] = {}
    for element, name in _files(model):
        place = made.place_of(element, model.socket(element, "frame") or "..")
        if place is None or place[0] is None:
            continue
        if name not in known:
            known[name] = _read(model, element, name)
        surface = known[name]
        if surface is not None:
            frame = place[1].holding(_own_frame(model, element))
            found.setdefault(place[0], []).append(_placed(surface, _scale(model, element), frame))
    missing = [name for name, surface in known.items() if surface is None]
    if missing:
        words = f"{len(missing)} surfaces of bodies are not beside the file (as {missing[0]})"
        model.notes.say(f"{words}; their bodies are drawn as simple shapes")
    return found


def _files(model: OsimModel) -> Iterator[tuple[Element, str]]:
    """Yield the elements that show a surface of a file, and the file's name."""
    for each in model.elements:
        name = each.words("mesh_file", "geometry_file") if each.tag in ("Mesh", "DisplayGeometry") else ""
        name = PureWindowsPath(PurePosixPath(name).name).name
        if name:
            yield each, name


def _scale(model: OsimModel, element: Element) -> Vector3:
    held = element.child("scale_factors")
    return (1.0, 1.0, 1.0) if held is None else model.file.vector(held, "the scale of a surface")


def _own_frame(model: OsimModel, element: Element) -> Frame:
    """Where a surface of version 3 stands on its body: turns about x, y, z, then a place."""
    held = element.child("transform")
    numbers = () if held is None else model.file.numbers(held, "the transform of a surface")
    if len(numbers) != 6 or not any(numbers):
        return Frame()
    return Frame((numbers[3], numbers[4], numbers[5]), turned_by((numbers[0], numbers[1], numbers[2])))


def _beside(folder: Path, name: str) -> Path | None:
    """Find the file of a name in the folder of a model, in `Geometry` there, or in `Geometry` beside that folder."""
    if Path(name).suffix.lower() not in _READERS:
        return None
    places = (folder / name, folder / "Geometry" / name, folder.parent / "Geometry" / name)
    return next((each for each in places if each.is_file()), None)


def _read(model: OsimModel, element: Element, name: str) -> FileMesh | None:
    """Read a surface; None where there is none, or none that can be read."""
    path = _beside(model.file.path.parent, name)
    if path is None:
        return None
    try:
        return _READERS[path.suffix.lower()](path, Options()).surfaces[0]
    except EngineError as error:
        model.notes.add(element.line, f"the surface {name}: {error}")
        return None


def _placed(surface: FileMesh, scale: Vector3, frame: Frame) -> FileMesh:
    """A surface in the frame of a joint."""
    positions = surface.positions * np.array(scale) @ rotation_matrix(frame.rotation).T + np.array(frame.position)
    mirrored = scale[0] * scale[1] * scale[2] < 0.0
    triangles = surface.triangles[:, ::-1].copy() if mirrored else surface.triangles
    return replace(surface, positions=positions, triangles=triangles, normals=None)

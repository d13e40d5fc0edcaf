"""Units of length and the direction that is up, where a file does not say them.

A file's points become the engine's by a turn that carries its upward axis to y (about x for z, about z for x) and a
factor in metres per unit.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.document import Figure, Joint, Samples
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.format import Options, Up
from engine.formats.turns import motion_of
from engine.maths.arrays import Array
from engine.maths.quaternions import AXES, inverse, product, turn_about, turned
from engine.model.compile import rest_value
from engine.runtime.errors import InvalidArguments

CMU_UNIT = 0.0254 / 0.45  # [m] the unit of the CMU motion capture database, 1/0.45 inch

_USUAL_UNITS = (
    (1.0, "metres"),
    (CMU_UNIT, "1/0.45 inch, as in files made from the CMU database"),
    (0.0254, "inches"),
    (0.01, "centimetres"),
    (0.001, "millimetres"),
)
_SMALLEST, _TALLEST, _PERSON = 0.5, 3.0, 1.7  # [m]


def unit_of(options: Options, usual: float) -> float:
    """Metres per unit of the file."""
    unit = usual if options.unit is None else options.unit
    if not (math.isfinite(unit) and 1e-9 <= unit <= 1e6):
        raise InvalidArguments(what="the unit of length", value=unit, allowed="metres per unit, 1e-9 to 1e6")
    return unit


def upright(options: Options) -> Quaternion:
    """The turn from the file's axes to the engine's, in which y is up."""
    x, _, z = AXES
    half = {None: IDENTITY, "y": IDENTITY, "z": turn_about(x, -0.5 * math.pi), "x": turn_about(z, 0.5 * math.pi)}
    if options.up not in half:
        raise InvalidArguments(what="the upward axis", value=options.up, allowed="x, y or z")
    return half[options.up]


def placed(joint: Joint, turn: Quaternion) -> Joint:
    """A root turned as a whole: its coordinates keep their values."""
    return replace(joint, offset=turned(turn, joint.offset), rest=product(turn, joint.rest))


def laid_back(figure: Figure, options: Options) -> Figure:
    """The figure in the axes of a file that is to be written."""
    turn = upright(options)
    if turn == IDENTITY:
        return figure
    joints = (placed(each, inverse(turn)) if each.parent is None else each for each in figure.joints)
    return replace(figure, joints=tuple(joints))


def likely_unit(figure: Figure, unit: float) -> float:
    """The unit itself where it gives a person's size or nothing does, else the usual one that comes nearest."""
    size = rest_size(figure)
    if size == 0.0 or _SMALLEST <= size <= _TALLEST:
        return unit
    _, other = min((abs(math.log(size / unit * each / _PERSON)), each) for each, _ in _USUAL_UNITS)
    return other if _SMALLEST <= size / unit * other <= _TALLEST else unit


def likely_up(figure: Figure) -> Up:
    """z where the figure at rest is much longer that way than along y, else y."""
    box = rest_box(figure)
    return "z" if box[2] > 1.5 * box[1] else "y"


def size_note(figure: Figure, unit: float) -> tuple[str, ...]:
    """A hint at another unit where the figure is too small or too tall for a person."""
    size = rest_size(figure)
    if size == 0.0 or _SMALLEST <= size <= _TALLEST:
        return ()
    note = f"with {unit:.6g} m per unit the figure measures {size:.3g} m"
    better = [(abs(math.log(size / unit * each / _PERSON)), each, name) for each, name in _USUAL_UNITS]
    _, other, name = min(better)
    if not _SMALLEST <= size / unit * other <= _TALLEST:
        return (f"{note}: check the unit of length",)
    return (f"{note}; {other:.6g} m per unit ({name}) would make it {size / unit * other:.3g} m",)


def rest_size(figure: Figure) -> float:
    """Longest side [m] of the box around the joints and handles of the figure at rest."""
    return max(rest_box(figure))


def rest_box(figure: Figure) -> Vector3:
    """Sides [m] of that box."""
    frames: dict[str, tuple[Quaternion, Vector3]] = {}
    points: list[Vector3] = []
    for joint in figure.joints:
        turn, origin = (IDENTITY, (0.0, 0.0, 0.0)) if joint.parent is None else frames[joint.parent]
        point = _sum(origin, turned(turn, joint.offset))
        frames[joint.id] = product(turn, joint.rest), point
        points.append(point)
    for handle in figure.handles:
        turn, origin = frames[handle.joint]
        points.append(_sum(origin, turned(turn, handle.point)))
    x, y, z = (max(column) - min(column) for column in zip(*points, strict=True))
    return (x, y, z)


def first_box(figure: Figure, samples: Samples | None) -> Vector3:
    """Sides [m] of the box around the joints and handles in the first frame; the rest pose may look like nothing."""
    if samples is None:
        return rest_box(figure)
    row = dict(zip(samples.coordinates, samples.values.array[0].tolist(), strict=True))
    worlds: dict[str, tuple[Array, Array]] = {}
    for joint in figure.joints:
        q = [row.get(name, rest_value(name, dof)) for dof in joint.dofs for name in dof.coordinates]
        way, rotation = motion_of(joint, np.array([q]), rest=True)
        turn, origin = (np.eye(3), np.zeros(3)) if joint.parent is None else worlds[joint.parent]
        worlds[joint.id] = turn @ rotation[0], origin + turn @ (np.array(joint.offset) + way[0])
    ends = [worlds[each.joint][1] + worlds[each.joint][0] @ np.array(each.point) for each in figure.handles]
    x, y, z = np.ptp([*(origin for _, origin in worlds.values()), *ends], axis=0).tolist()
    return (x, y, z)


def _sum(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])

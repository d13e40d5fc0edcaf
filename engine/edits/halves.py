"""A bone cut in two: the new joint takes the far half of its body, and what hangs on that.

The bone runs from the joint to twice the middle of its segment (`engine.document.segment`). A shape that the cut
passes through becomes two that meet there: sections of a loft, two capsules, and boxes and ellipsoids along the axis
that is nearest to the bone's; a mesh goes whole to where its middle is. Round ends add volume, so both halves get the
density at which their mass is the old one. A body that was given by its numbers is divided by volume; the two halves
together have its mass, its centre and its inertia.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.document import Blob, Body, Box, Capsule, Document, Dof, Ellipsoid, Figure, Joint, Loft, Section, Shape
from engine.document.segment import middle_of_segment
from engine.document.values import IDENTITY, Vector3
from engine.edits.find import find_figure
from engine.edits.fitting import with_figure
from engine.edits.joints import check_new_joint
from engine.edits.reroot_tree import in_order
from engine.maths.arrays import Array
from engine.model.inertia import moments_of, volume_of
from engine.model.solids import monotone_cubic
from engine.runtime.errors import InvalidDocument

_SHORTEST = 1e-6  # [m]
_THINNEST = 1e-3  # share of a shape's length that is worth a half of its own


def split_joint(
    document: Document, *, actor: str, joint: str, share: float, id: str, name: str, dofs: tuple[Dof, ...] = ()
) -> Document:
    """Cut a joint's bone at a share of its length; the new joint `id` takes the far half. At rest nothing moves."""
    _, figure = find_figure(document, actor)
    old = figure.joint(joint)
    check_new_joint(figure, id)
    x, y, z = (2.0 * each for each in middle_of_segment(figure, joint))
    length = math.hypot(x, y, z)
    if not length > _SHORTEST:
        allowed = "more than nothing: give it a child, an end-effector or a shape away from the joint"
        raise InvalidDocument(what=f"the length of {old.name}", value=length, allowed=allowed)
    if not 0.0 < share < 1.0:
        raise InvalidDocument(what="where the bone is cut", value=share, allowed="a share of its length from 0 to 1")
    axis: Vector3 = (x / length, y / length, z / length)
    cut = share * length
    near, far = _divided(old, axis, cut)
    place = _times(axis, cut)
    new = replace(far, id=id, name=name, parent=joint, offset=place, rest=IDENTITY, dofs=dofs, mirror=None)
    return with_figure(document, actor, _rehung(figure, near, new, axis, cut))


def _rehung(figure: Figure, near: Joint, far: Joint, axis: Vector3, cut: float) -> Figure:
    """The figure with both halves; children and handles beyond the cut go to the far one."""
    made = {each.id: each for each in figure.joints}
    made[near.id], made[far.id] = near, far
    for each in figure.joints:
        if each.parent == near.id and _along(each.offset, axis) >= cut - _SHORTEST:
            made[each.id] = replace(each, parent=far.id, offset=_minus(each.offset, far.offset))
    handles = (
        replace(each, joint=far.id, point=_minus(each.point, far.offset))
        if each.joint == near.id and _along(each.point, axis) >= cut
        else each
        for each in figure.handles
    )
    return replace(figure, joints=in_order(made), handles=tuple(handles))


def _divided(joint: Joint, axis: Vector3, cut: float) -> tuple[Joint, Joint]:
    """The two halves of a joint's body, the far one in the frame of the new joint."""
    place = _times(axis, cut)
    near: list[Shape] = []
    far: list[Shape] = []
    for shape in joint.shapes:
        before, after = _cut(shape, axis, cut)
        near += before
        far += [_moved(each, place) for each in after]
    one, two = replace(joint, shapes=tuple(near)), replace(joint, shapes=tuple(far))
    if joint.body is not None:
        first, second = _divided_body(joint.body, one, two, place, cut)
        return replace(one, body=first), replace(two, body=second)
    whole, parts = volume_of(joint).volume, volume_of(one).volume + volume_of(two).volume
    density = joint.density * whole / parts if parts > 0.0 else joint.density
    return replace(one, density=density), replace(two, density=density)


def _divided_body(body: Body, near: Joint, far: Joint, place: Vector3, cut: float) -> tuple[Body, Body]:
    """Two bodies on the line of the bone whose mass, centre and inertia together are those of one."""
    volumes = volume_of(near).volume, volume_of(far).volume
    share = volumes[0] / sum(volumes) if sum(volumes) > 0.0 else 0.5
    masses = share * body.mass, (1.0 - share) * body.mass
    axis = np.array(place) / np.linalg.norm(place)
    centre, inertia = np.array(body.centre), _tensor(body)
    # Parallel axes: I = I1 + I2 + m1 m2 / M d^2 across the bone; d gives way until what is left is an inertia.
    apart = cut
    for _ in range(64):
        across = share * (1.0 - share) * body.mass * apart**2 * (np.eye(3) - np.outer(axis, axis))
        left = inertia - across
        try:
            first = _body(masses[0], centre - (1.0 - share) * apart * axis, share * left)
            second = _body(masses[1], centre + share * apart * axis - np.array(place), (1.0 - share) * left)
        except InvalidDocument:
            apart *= 0.5
            continue
        return first, second
    return (
        _body(masses[0], centre, share * inertia),
        _body(masses[1], centre - np.array(place), (1.0 - share) * inertia),
    )


def _tensor(body: Body) -> Array:
    xx, yy, zz, xy, xz, yz = body.inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _body(mass: float, centre: Array, inertia: Array) -> Body:
    x, y, z = centre.tolist()
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tolist()
    return Body(mass=mass, centre=(x, y, z), inertia=(xx, yy, zz, xy, xz, yz))


def _cut(shape: Shape, axis: Vector3, cut: float) -> tuple[list[Shape], list[Shape]]:
    """Cut a shape in two: what lies before and behind the cut."""
    if isinstance(shape, Capsule):
        start, end = _along(shape.start, axis), _along(shape.end, axis)
        share = (cut - start) / (end - start) if abs(end - start) > _SHORTEST else -1.0
        if _THINNEST < share < 1.0 - _THINNEST:
            middle = _between(shape.start, shape.end, share)
            first, second = replace(shape, end=middle), replace(shape, start=middle)
            return ([first], [second]) if start < end else ([second], [first])
    elif isinstance(shape, Box | Ellipsoid):
        halves = _cut_block(shape, axis, cut)
        if halves is not None:
            return [halves[0]], [halves[1]]
    elif isinstance(shape, Loft):
        sections = _cut_loft(shape, axis, cut)
        if sections is not None:
            return [sections[0]], [sections[1]]
    moments = moments_of(shape)
    middle_x, middle_y, middle_z = (moments.first / moments.volume if moments.volume > 0.0 else np.zeros(3)).tolist()
    return ([], [shape]) if _along((middle_x, middle_y, middle_z), axis) >= cut else ([shape], [])


def _cut_block(shape: Box | Ellipsoid, axis: Vector3, cut: float) -> tuple[Shape, Shape] | None:
    """Two blocks along the axis nearest to the bone's."""
    at = max(range(3), key=lambda number: abs(axis[number]))
    half = shape.half if isinstance(shape, Box) else shape.radii
    # Where the bone's plane passes through the line of centres.
    place = (cut - _along(shape.centre, axis)) / axis[at]
    if not -1.0 + _THINNEST < place / half[at] < 1.0 - _THINNEST:
        return None
    parts: list[Shape] = []
    for low, high in ((-half[at], place), (place, half[at])):
        centre = _with(shape.centre, at, shape.centre[at] + 0.5 * (low + high))
        size = _with(half, at, 0.5 * (high - low))
        if isinstance(shape, Box):
            parts.append(replace(shape, centre=centre, half=size, rounding=min(shape.rounding, *size)))
        else:
            parts.append(replace(shape, centre=centre, radii=size))
    return (parts[0], parts[1]) if axis[at] > 0.0 else (parts[1], parts[0])


def _cut_loft(loft: Loft, axis: Vector3, cut: float) -> tuple[Loft, Loft] | None:
    """Two lofts with one section on the cut, where their curves pass; flat there."""
    norm = math.hypot(*loft.axis)
    slope = _along(loft.axis, axis) / norm
    if abs(slope) < 0.5:
        return None
    place = (cut - _along(loft.origin, axis)) / slope
    along = np.array([section.along for section in loft.sections])
    span = along[-1] - along[0]
    if not along[0] + _THINNEST * span < place < along[-1] - _THINNEST * span:
        return None
    names = ("width", "depth", "shift_side", "shift_front", "squareness")
    rows = np.array([[getattr(each, name) for name in names] + [_back(each)] for each in loft.sections])
    numbers = monotone_cubic(along, rows, np.array([place]))[0].tolist()
    section = Section(along=place, depth_back=numbers[-1], **dict(zip(names, numbers[:-1], strict=True)))
    before = tuple(each for each in loft.sections if each.along < place - _THINNEST * span)
    after = tuple(each for each in loft.sections if each.along > place + _THINNEST * span)
    first = replace(loft, sections=(*before, section), caps=(loft.caps[0], 0.0))
    second = replace(loft, sections=(section, *after), caps=(0.0, loft.caps[1]))
    return (first, second) if slope > 0.0 else (second, first)


def _back(section: Section) -> float:
    return section.depth if section.depth_back is None else section.depth_back


def _moved(shape: Shape, origin: Vector3) -> Shape:
    """The shape in a frame that stands at `origin`."""
    if isinstance(shape, Capsule):
        return replace(shape, start=_minus(shape.start, origin), end=_minus(shape.end, origin))
    if isinstance(shape, Box | Ellipsoid):
        return replace(shape, centre=_minus(shape.centre, origin))
    if isinstance(shape, Loft):
        return replace(shape, origin=_minus(shape.origin, origin))
    return replace(shape, positions=Blob((shape.positions.array - np.array(origin)).astype("<f4")))


def _along(point: Vector3, axis: Vector3) -> float:
    return math.fsum(a * b for a, b in zip(point, axis, strict=True))


def _times(vector: Vector3, factor: float) -> Vector3:
    x, y, z = (factor * each + 0.0 for each in vector)
    return (x, y, z)


def _minus(point: Vector3, origin: Vector3) -> Vector3:
    x, y, z = (a - b for a, b in zip(point, origin, strict=True))
    return (x, y, z)


def _between(start: Vector3, end: Vector3, share: float) -> Vector3:
    x, y, z = (a + share * (b - a) for a, b in zip(start, end, strict=True))
    return (x, y, z)


def _with(vector: Vector3, place: int, value: float) -> Vector3:
    x, y, z = (value if at == place else each for at, each in enumerate(vector))
    return (x, y, z)

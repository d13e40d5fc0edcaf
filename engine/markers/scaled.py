"""A figure whose bodies are larger or smaller by a factor each: bones, shapes, handles, skins, masses.

A body grows about the origin of its joint, with the places of the joints that hang on it; a root's own place grows with
it. Masses grow with the cube of the factor and moments of inertia with its fifth power. Slides of joints below a root,
which are ways along the body above, grow with that, their limits too. Angles stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from engine.document import (
    Blob,
    Body,
    Box,
    Capsule,
    Dof,
    Ellipsoid,
    Figure,
    Handle,
    Joint,
    Loft,
    Section,
    Shape,
    Skin,
    TriangleMesh,
)
from engine.document.values import Vector3

_Part = TypeVar("_Part", bound=Section | Loft | Capsule | Ellipsoid | Box)

_LENGTHS = {
    Section: ("along", "width", "depth", "depth_back", "shift_side", "shift_front"),
    Capsule: ("start", "end", "radius"),
    Ellipsoid: ("radii", "centre"),
    Box: ("half", "centre", "rounding"),
    Loft: ("origin",),
}


def scaled_figure(figure: Figure, factors: Mapping[str, float], heavier: float = 1.0) -> Figure:
    """The figure with bodies by factors, 1 where none is given, and all masses times `heavier`."""
    slides = {
        dof.id: factors.get(joint.parent, 1.0)
        for joint in figure.joints
        for dof in joint.dofs
        if dof.kind == "slide" and joint.parent is not None
    }
    joints = tuple(_joint(each, factors, slides, heavier) for each in figure.joints)
    handles = tuple(replace(each, point=times(each.point, factors.get(each.joint, 1.0))) for each in figure.handles)
    return replace(
        figure,
        joints=tuple(new if new != old else old for new, old in zip(joints, figure.joints, strict=True)),
        handles=handles,
        skins=tuple(_skin(each, factors) for each in figure.skins),
    )


def with_points(figure: Figure, points: Mapping[str, Vector3]) -> Figure:
    """The figure with handles at other points of their bodies [m], by their ids."""
    return replace(figure, handles=tuple(_placed(each, points) for each in figure.handles))


def times(vector: Vector3, factor: float) -> Vector3:
    """A vector, longer by a factor."""
    return (vector[0] * factor, vector[1] * factor, vector[2] * factor)


def _placed(handle: Handle, points: Mapping[str, Vector3]) -> Handle:
    return replace(handle, point=points[handle.id]) if handle.id in points else handle


def _joint(joint: Joint, factors: Mapping[str, float], slides: Mapping[str, float], heavier: float) -> Joint:
    own = factors.get(joint.id, 1.0)
    above = own if joint.parent is None else factors.get(joint.parent, 1.0)
    dofs = tuple(_dof(each, slides) for each in joint.dofs)
    return replace(
        joint,
        offset=times(joint.offset, above),
        dofs=dofs,
        shapes=tuple(_shape(each, own) for each in joint.shapes),
        body=None if joint.body is None else _body(joint.body, own, heavier),
        density=joint.density * heavier,
    )


def _dof(dof: Dof, slides: Mapping[str, float]) -> Dof:
    """The degree of freedom where slides are longer by factors: its limits, where its spring rests, and the splines
    that drive it."""
    factor = slides.get(dof.id, 1.0)
    lower, upper = (None if each is None else each * factor for each in (dof.lower, dof.upper))
    driven = tuple(
        replace(
            each,
            at=tuple(value * slides.get(each.dof, 1.0) for value in each.at),
            values=tuple(value * factor for value in each.values),
        )
        for each in dof.driven
    )
    return replace(dof, lower=lower, upper=upper, neutral=dof.neutral * factor, driven=driven)


def _body(body: Body, factor: float, heavier: float) -> Body:
    xx, yy, zz, xy, xz, yz = (each * heavier * factor**5 for each in body.inertia)
    mass = body.mass * heavier * factor**3
    return Body(mass=mass, centre=times(body.centre, factor), inertia=(xx, yy, zz, xy, xz, yz))


def _shape(shape: Shape, factor: float) -> Shape:
    if factor == 1.0:
        return shape
    if isinstance(shape, TriangleMesh):
        return replace(shape, positions=Blob((shape.positions.array * factor).astype("<f4")))
    grown = _grown(shape, factor)
    if isinstance(grown, Loft):
        return replace(grown, sections=tuple(_grown(each, factor) for each in grown.sections))
    return grown


def _grown(part: _Part, factor: float) -> _Part:
    """The part with its lengths and points times a factor."""
    found: dict[str, float | Vector3 | None] = {}
    for name in _LENGTHS[type(part)]:
        value = getattr(part, name)
        if value is not None:
            found[name] = times(value, factor) if isinstance(value, tuple) else value * factor
    return replace(part, **found)  # type: ignore[arg-type]


def _skin(skin: Skin, factors: Mapping[str, float]) -> Skin:
    """The skin, which grows with the bodies that it follows: its binds do, which are no rotations then."""
    by = [factors.get(each, 1.0) for each in skin.joints]
    if all(each == 1.0 for each in by):
        return skin
    bind = skin.bind.array.copy()
    for place, factor in enumerate(by):
        bind[place] *= factor
    return replace(skin, bind=Blob(bind), blending="linear")

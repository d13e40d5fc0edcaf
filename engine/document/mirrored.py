"""The mirror image of joints and shapes across x = 0 of their own frames.

A frame's mirror image is turned by M = diag(-1, 1, 1) before and after: a vector v is M v there, a turn (w, x, y, z)
is (w, x, -y, -z), an angular velocity, which is axial, -M v, and a hinge about n has the axis -M n, so that one number
is the mirror image of the same movement.
"""

from __future__ import annotations

from dataclasses import replace

from engine.document.blobs import Blob
from engine.document.figure import Body, Dof, Joint
from engine.document.shapes import Box, Capsule, Ellipsoid, Shape, TriangleMesh
from engine.document.values import Quaternion, Vector3


def mirrored_vector(vector: Vector3) -> Vector3:
    """The mirror image of a vector; no negative zero, which would be another content."""
    return (0.0 - vector[0], vector[1], vector[2])


def mirrored_spin(spin: Vector3) -> Vector3:
    """The mirror image of an angular velocity."""
    return (spin[0], 0.0 - spin[1], 0.0 - spin[2])


def mirrored_turn(turn: Quaternion) -> Quaternion:
    """The mirror image of a turn."""
    w, x, y, z = turn
    return (w, x, 0.0 - y, 0.0 - z)


def mirrored_joint(joint: Joint) -> Joint:
    """The joint seen in a mirror across x = 0; a hinge's number means the mirror image of the same movement."""
    return replace(
        joint,
        offset=mirrored_vector(joint.offset),
        rest=mirrored_turn(joint.rest),
        dofs=tuple(_mirrored_dof(dof) for dof in joint.dofs),
        shapes=tuple(mirrored_shape(shape) for shape in joint.shapes),
        body=None if joint.body is None else _mirrored_body(joint.body),
    )


def mirrored_shape(shape: Shape) -> Shape:
    """The mirror image of a shape."""
    if isinstance(shape, Capsule):
        return replace(shape, start=mirrored_vector(shape.start), end=mirrored_vector(shape.end))
    if isinstance(shape, Ellipsoid | Box):
        return replace(shape, centre=mirrored_vector(shape.centre))
    if isinstance(shape, TriangleMesh):
        return _mirrored_mesh(shape)
    # A mirror turns side x axis around; with the side turned around as well, the front stays a front.
    x, y, z = shape.side
    return replace(
        shape,
        axis=mirrored_vector(shape.axis),
        side=(x, 0.0 - y, 0.0 - z),
        origin=mirrored_vector(shape.origin),
        sections=tuple(replace(each, shift_side=0.0 - each.shift_side) for each in shape.sections),
    )


def _mirrored_mesh(shape: TriangleMesh) -> TriangleMesh:
    positions, normals = (blob.array * (-1.0, 1.0, 1.0) + 0.0 for blob in (shape.positions, shape.normals))
    triangles = Blob(shape.triangles.array[:, [0, 2, 1]])
    return replace(
        shape,
        positions=Blob(positions.astype("<f4")),
        normals=Blob(normals.astype("<f4")),
        triangles=triangles,
        colouring=None if shape.colouring is None else shape.colouring.turned(),
    )


def _mirrored_body(body: Body) -> Body:
    xx, yy, zz, xy, xz, yz = body.inertia
    inertia = (xx, yy, zz, 0.0 - xy, 0.0 - xz, yz)
    return replace(body, centre=mirrored_vector(body.centre), inertia=inertia)


def _mirrored_dof(dof: Dof) -> Dof:
    x, y, z = dof.axis
    # A turn by a about n becomes a turn by -a about n's mirror image, which is one by a about the opposite direction.
    axis: Vector3 = (x, 0.0 - y, 0.0 - z) if dof.kind == "hinge" else mirrored_vector(dof.axis)
    return replace(dof, axis=axis)

"""The parts of a joint that files can express: which of its degrees of freedom turn about or move along x, y or z, and
its motion as rotations, for readers and writers. Plain numpy, since a conversion happens once and should not wait for a
compiler. Angles in radians.
"""

from __future__ import annotations

import numpy as np

from engine.document import Dof, Joint
from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import matrices, rotation_matrix


def main_axis(axis: Vector3) -> tuple[int, float] | None:
    """Find which of x, y, z (0, 1, 2) a direction is, with its sign; None if it is skew."""
    for number in range(3):
        if abs(axis[number]) == 1.0:
            return number, axis[number]
    return None


def plain_dofs(joint: Joint) -> list[tuple[Dof, int, float]] | None:
    """Each degree of freedom with its main axis and sign, if slides along different ones stand first and hinges after;
    else None."""
    found: list[tuple[Dof, int, float]] = []
    for dof in joint.dofs:
        axis = main_axis(dof.axis)
        out_of_order = dof.kind == "slide" and any(before.kind == "hinge" for before, _, _ in found)
        if axis is None or dof.kind == "ball" or out_of_order:
            return None
        if dof.kind == "slide" and any(axis[0] == number for _, number, _ in found):
            return None
        found.append((dof, *axis))
    return found


def motion_of(joint: Joint, q: Array, *, rest: bool) -> tuple[Array, Array]:
    """Compute the motion of the degrees of freedom in each frame: the way from the joint's offset [m], shape [frames,
    3], and the rotation, shape [frames, 3, 3], in the parent's frame if they begin with the joint's `rest`, else in
    that one."""
    count = q.shape[0]
    rotation = np.tile(rotation_matrix(joint.rest) if rest else np.eye(3), (count, 1, 1))
    way = np.zeros((count, 3))
    column = 0
    for dof in joint.dofs:
        values = q[:, column : column + len(dof.coordinates)]
        if dof.kind == "slide":
            way += np.einsum("fij,fj->fi", rotation, values * np.array(dof.axis))
        elif dof.kind == "hinge":
            rotation = rotation @ matrices(np.hstack((np.cos(0.5 * values), np.sin(0.5 * values) * np.array(dof.axis))))
        else:
            unit = values / np.linalg.norm(values, axis=1, keepdims=True)
            rotation = rotation @ matrices(unit)
        column += len(dof.coordinates)
    return way, rotation

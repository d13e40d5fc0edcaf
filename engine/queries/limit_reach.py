"""limit_reach: where a limit lets a bone point, as a patch of the sphere about its joint (the source's figure 19c).

The feasible nodes of the field and the vertices of its boundary are poses of the joint; each turns the bone to a
direction. A point of the sphere belongs to the patch where one of these is as near as half a cell. Of a limit over the
hinges of several joints it is the first joint's, whatever the others do; its hinges that the limit leaves out stand at
rest. Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.document import Actor, Figure, Joint, Limit
from engine.document.values import Vector3
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.limits.field import Field

    Array = NDArray[np.float64]

_DIVISIONS = 5  # of the sphere: 10,242 points
_SHORTEST = 0.02  # [m] that a bone without an end is shown with
_SHARE = 0.75  # of a cell, from a pose's direction, that belongs to the patch


@dataclass(frozen=True, eq=False)
class ReachPatch:
    """Triangles about the joint, turned as the body that it hangs on; of no body: as the actor stands by itself."""

    actor: str
    joint: str  # id
    parent: str | None  # id of the joint that carries that body
    positions: NDArray[np.float32]  # [m] from the joint, shape [count, 3]
    normals: NDArray[np.float32]  # unit, outwards
    beyond: NDArray[np.float32]  # [rad] how far each vertex is outside of the patch, negative inside
    faces: NDArray[np.int32]


def bone_of(figure: Figure, joint: Joint) -> Vector3:
    """Find the end of a joint's bone [m], in the joint's own frame: at what hangs on it, its end-effector, or its
    shapes."""
    ends = [each.offset for each in figure.joints if each.parent == joint.id]
    ends = ends or [each.point for each in figure.handles if each.joint == joint.id]
    ends = [each for each in ends if sum(x * x for x in each) > _SHORTEST**2]
    if not ends:
        return (0.0, -_SHORTEST * 5, 0.0)
    x, y, z = (sum(each[axis] for each in ends) / len(ends) for axis in range(3))
    return (x, y, z) if x * x + y * y + z * z > _SHORTEST**2 else max(ends, key=lambda each: sum(x * x for x in each))


def reach_patch(actor: Actor, limit: Limit, field: Field, bone: Vector3 | None = None) -> ReachPatch | None:
    """The patch of a limit's joint, with its bone or another [m]; None where nothing is feasible."""
    import numpy as np
    from scipy.spatial import cKDTree

    from engine.limits.wrapping import icosphere
    from engine.maths.rotation_arrays import rotation_matrix

    figure = actor.figure
    joint = figure.dof_joint[limit.dofs[0]]
    end = np.array(bone_of(figure, joint) if bone is None else bone)
    length = float(np.linalg.norm(end))
    directions = _directions(joint, limit, field, end / length)
    if not len(directions):
        return None
    points, faces = icosphere(_DIVISIONS)
    near = max(_SHARE * max(field.grid.spacing), 0.75 * _between(points, faces))
    away, _ = cKDTree(directions).query(points, distance_upper_bound=3.0 * near)
    beyond = np.minimum(away, 3.0 * near) - near
    kept = (beyond[faces] <= 0.0).any(axis=1)
    used, corners = np.unique(faces[kept], return_inverse=True)
    rest = rotation_matrix(joint.rest)
    if joint.parent is None:
        rest = rotation_matrix(actor.placement.rotation) @ rest
    normals = points[used] @ rest.T
    return ReachPatch(
        actor.id,
        joint.id,
        joint.parent,
        (length * normals).astype(np.float32),
        normals.astype(np.float32),
        beyond[used].astype(np.float32),
        corners.reshape(-1, 3).astype(np.int32),
    )


def _directions(joint: Joint, limit: Limit, field: Field, bone: Array) -> Array:
    """Find the directions of the bone in the feasible poses, in the joint's frame at rest."""
    import numpy as np

    from engine.limits.surface import zero_level
    from engine.maths.rotation_arrays import chain

    nodes = np.argwhere(field.values <= 0.0)
    angles = np.array(field.grid.lower) + nodes * np.array(field.grid.spacing)
    if len(field.grid.counts) <= 3:
        angles = np.concatenate((angles, zero_level(field.grid, field.values).positions, field.anchors))
    hinges = [dof for dof in joint.dofs if dof.kind == "hinge"]
    turned = np.zeros((len(angles), len(hinges)))
    for place, dof in enumerate(hinges):
        if dof.id in limit.dofs:
            turned[:, place] = angles[:, limit.dofs.index(dof.id)]
    if len(field.grid.counts) > 3:
        turned = np.unique(turned, axis=0)
    return np.asarray(chain(np.array([dof.axis for dof in hinges]), turned) @ bone)


def _between(points: Array, faces: NDArray[np.int32]) -> float:
    """The way between neighbours on the sphere."""
    import numpy as np

    return float(np.linalg.norm(points[faces[0, 0]] - points[faces[0, 1]]))

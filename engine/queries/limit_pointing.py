"""limit_pointing: the live job behind the map of the sphere on which a limit of three hinges is seen and shaped.

It tells where the bone points: in the poses that a limit was built from, else in what the figure does; in the poses
that are allowed, as a patch (`engine.queries.limit_reach`); and in the pose that is seen. Directions are unit, in the
joint's own frame at rest. `polygon_over` is the polygon that a limit becomes.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.document import Blob, Document, Figure, Joint, Limit, Placement
from engine.document.limit import ConeRange, PolygonRange, SampledRange
from engine.document.values import Vector3
from engine.queries.limit_reach import bone_of, reach_patch
from engine.queries.limit_table import poses_of
from engine.queries.polygons import cone_corners, corners_around, ends_of_twists
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluate.evaluator import Evaluator

    Array = NDArray[np.float64]

MOST_DOTS = 1500
_LEVEL = 0.9  # cosine between the bone and upwards, above which the map's upwards is the front
WORLD = {
    "up": (0.0, 1.0, 0.0), "down": (0.0, -1.0, 0.0), "front": (0.0, 0.0, 1.0), "back": (0.0, 0.0, -1.0),
    "left": (1.0, 0.0, 0.0), "right": (-1.0, 0.0, 0.0),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PointingWanted:
    """The limit that is to be seen, the samples it was built from, if these are known, and the pose."""

    actor: str
    limit: str
    samples: Blob | None = None  # [rad], shape [sample_count, 3]
    angles: tuple[float, ...] = ()  # [rad]
    moving: bool = False  # something is dragged: the figure's own motion is not gone through again meanwhile


@dataclass(frozen=True, eq=False)
class PointingMap:
    """The part of the picture that is the same for every pose."""

    middle: Vector3  # where the bone points at rest
    right: Vector3  # across it, as the map is seen from outside
    up: Vector3
    marks: tuple[tuple[str, Vector3], ...]  # directions of the world about the figure at rest
    dots: Array  # where the bone was, shape [count, 3]
    patch: Array  # where it may be: points of the sphere, shape [count, 3]; none of a polygon, which shows itself
    faces: NDArray[np.int32]  # triangles of the patch


@dataclass(frozen=True, eq=False)
class PointingPicture:
    """A map, and where the bone points in the pose that is seen."""

    wanted: PointingWanted
    map: PointingMap
    pose: Vector3 | None


class PointingPictures:
    """Answers what is wanted; keeps the latest dots and patch. Used by the engine's thread alone."""

    def __init__(self) -> None:
        self._map: tuple[tuple[object, ...], PointingMap] | None = None
        self._dots: tuple[tuple[object, ...], object, Array] | None = None  # what of, the layers, and they

    def answer(
        self, evaluator: Evaluator, document: Document, wanted: PointingWanted
    ) -> Generator[PointingPicture | None, None, None]:
        """The picture; None between steps."""
        import numpy as np

        figure = document.actor(wanted.actor).figure
        limit = figure.limit(wanted.limit)
        dots = yield from self._find_dots(evaluator, document, wanted)
        tells_itself = isinstance(limit.range, PolygonRange) and not limit.strokes
        shape = pointing_axis(figure, limit) if tells_itself else limit.field_digest
        key = (wanted.actor, wanted.limit, shape, figure.joints, dots)
        if self._map is None or not _same(self._map[0], key):
            self._map = key, _map_of(document, wanted, dots)
            yield None
        pose = None
        if len(wanted.angles) == 3:
            pose = _vector(directions_of(figure, limit, np.array([wanted.angles]))[0])
        yield PointingPicture(wanted, self._map[1], pose)

    def _find_dots(
        self, evaluator: Evaluator, document: Document, wanted: PointingWanted
    ) -> Generator[None, None, Array]:
        import numpy as np

        owner = document.actor(wanted.actor)
        limit = owner.figure.limit(wanted.limit)
        axis = pointing_axis(owner.figure, limit)
        key = (wanted.actor, wanted.limit, owner.figure.joints, wanted.samples, limit.dofs, axis)
        layers = None if wanted.samples is not None else owner.layers
        before = self._dots
        if before is None or not _same(before[0], key) or not (before[1] is layers or wanted.moving):
            if wanted.samples is not None:
                angles: Array | None = wanted.samples.array
            else:
                poses = yield from poses_of(evaluator, document, wanted.actor)
                columns = [owner.figure.coordinate_index[each] for each in limit.dofs]
                angles = None if poses is None else poses[:, columns]
            found = np.empty((0, 3))
            if angles is not None:
                found = directions_of(owner.figure, limit, angles[:: -(-len(angles) // MOST_DOTS)])
            self._dots = before = key, layers, found
            yield None
        return before[2]


def pointing_axis(figure: Figure, limit: Limit) -> Vector3:
    """Find the direction of the bone at rest, in its joint's own frame: as the limit says, else to what hangs on it."""
    if isinstance(limit.range, ConeRange | PolygonRange):
        return limit.range.axis
    x, y, z = bone_of(figure, figure.dof_joint[limit.dofs[0]])
    length = (x * x + y * y + z * z) ** 0.5
    return x / length, y / length, z / length


def directions_of(figure: Figure, limit: Limit, angles: Array) -> Array:
    """Find the directions of the bone with these angles [rad], shape [count, 3]."""
    import numpy as np

    return np.asarray(_turns(figure, limit.dofs, angles) @ np.array(pointing_axis(figure, limit)))


def polygon_over(figure: Figure, limit: Limit) -> PolygonRange:
    """Convert a limit of one joint to a polygon: a cone's outline, else one around its samples or what it allows."""
    import numpy as np

    if isinstance(limit.range, ConeRange):
        return PolygonRange(axis=limit.range.axis, corners=cone_corners(limit.range), twist=limit.range.twist)
    angles = limit.range.angles.array if isinstance(limit.range, SampledRange) else _allowed(figure, limit)
    axis = np.array(pointing_axis(figure, limit))
    turns = _turns(figure, limit.dofs, angles)
    directions = turns @ axis
    return PolygonRange(
        axis=pointing_axis(figure, limit),
        corners=corners_around(directions),
        twist=ends_of_twists(_twists(turns, directions, axis)),
    )


def _map_of(document: Document, wanted: PointingWanted, dots: Array) -> PointingMap:
    import numpy as np

    from engine.ik.regions import axes_of
    from engine.limits.field import compile_field

    owner = document.actor(wanted.actor)
    figure, limit = owner.figure, owner.figure.limit(wanted.limit)
    joint = figure.dof_joint[limit.dofs[0]]
    stands = _at_rest(figure, joint)
    middle = np.array(pointing_axis(figure, limit))
    upwards = WORLD["up"] if abs((stands @ middle)[1]) < _LEVEL else WORLD["front"]
    up = stands.T @ np.array(upwards)
    up -= middle * (up @ middle)
    up /= np.linalg.norm(up)
    patch, faces = np.empty((0, 3)), np.empty((0, 3), dtype=np.int32)
    if not isinstance(limit.range, PolygonRange) or limit.strokes:
        upright = replace(owner, placement=Placement())
        field = compile_field(limit, axes_of(figure, limit))
        found = reach_patch(upright, limit, field, pointing_axis(figure, limit))
        if found is not None:
            patch, faces = found.normals.astype(float) @ _rotation(joint), found.faces
    return PointingMap(
        middle=_vector(middle),
        right=_vector(np.cross(up, middle)),
        up=_vector(up),
        marks=tuple((name, _vector(stands.T @ np.array(way))) for name, way in WORLD.items()),
        dots=dots,
        patch=patch,
        faces=faces,
    )


def _turns(figure: Figure, dofs: tuple[str, ...], angles: Array) -> Array:
    """The turns of a joint, shape [count, 3, 3]; hinges that the limit leaves out stand at rest."""
    import numpy as np

    from engine.maths.rotation_arrays import chain

    hinges = [dof for dof in figure.dof_joint[dofs[0]].dofs if dof.kind == "hinge"]
    own = np.zeros((len(angles), len(hinges)))
    for place, dof in enumerate(hinges):
        if dof.id in dofs:
            own[:, place] = angles[:, dofs.index(dof.id)]
    return chain(np.array([dof.axis for dof in hinges]), own)


def _twists(turns: Array, directions: Array, axis: Array) -> Array:
    """Measure the twist of each rotation about the bone [rad], before the shortest swing to its direction."""
    import numpy as np

    from engine.limits.cones import across

    first, second = across(axis)
    between = (directions + axis) / np.maximum(1.0 + directions @ axis, 1e-9)[:, None]
    swung = [each - (directions @ each)[:, None] * between for each in (first, second)]
    turned = turns @ first
    sine, cosine = (np.einsum("ij,ij->i", turned, each) for each in (swung[1], swung[0]))
    return np.asarray(np.arctan2(sine, cosine))


def _allowed(figure: Figure, limit: Limit) -> Array:
    """The nodes of a limit's field that are feasible, and where its boundary is; without its margin, which stays."""
    import numpy as np

    from engine.ik.regions import axes_of
    from engine.limits.field import compile_field

    field = compile_field(replace(limit, margin=0.0), axes_of(figure, limit))
    nodes = np.array(field.grid.lower) + np.argwhere(field.values <= 0.0) * np.array(field.grid.spacing)
    return np.concatenate((nodes, field.anchors))


def _at_rest(figure: Figure, joint: Joint) -> Array:
    """Find the world rotation of a joint's own frame while the figure is at rest."""
    found, each = _rotation(joint), joint
    while each.parent is not None:
        each = figure.joint(each.parent)
        found = _rotation(each) @ found
    return found


def _rotation(joint: Joint) -> Array:
    from engine.maths.rotation_arrays import rotation_matrix

    return rotation_matrix(joint.rest)


def _vector(row: Array) -> Vector3:
    x, y, z = row.tolist()
    return x, y, z


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Tell whether things are identical; of words and rows, whether they are equal."""
    return all(a is b or (isinstance(a, str | tuple) and a == b) for a, b in zip(one, other, strict=True))

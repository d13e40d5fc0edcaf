"""binding: a closed mesh becomes a skin of a figure in a pose, its weights found by `skin_weights`.

The mesh is to stand around the figure as it is posed. Only sizes are guessed: lengths in millimetres, centimetres or
inches are known by how much taller than the figure the mesh would be.
"""

from __future__ import annotations

import numpy as np

from engine.document import Blob, Figure, Skin
from engine.maths.arrays import Array, IntArray
from engine.model.skeletons import Skeleton
from engine.model.skin_weights import StraightBones, automatic_weights, joined, pack_weights
from engine.runtime.errors import UnsoundMesh

UNITS = (1.0, 0.01, 0.0254, 0.001)  # [m]
_OPEN, _BRANCHING = "it is open: only one triangle is at", "more than two triangles meet at"
_TAKE_OUT = "Take inner walls and doubled faces out in a program for meshes, and try again."
_CLOSE_HOLES = "Close it in a program for meshes, for example by filling holes, and try again."


def bind_mesh(
    figure: Figure, worlds: Array, skeleton: Skeleton, positions: Array, triangles: IntArray, *, id: str, name: str
) -> Skin:
    """The skin that a mesh [m, world] makes around joints that stand at `worlds`, shape [joint_count, 3, 4]."""
    triangles = check_closed(name, positions, triangles)
    bones = _bones(worlds, skeleton)
    positions = positions * likely_scale(positions, bones)
    _check_place(name, positions, bones)
    owners, columns = np.unique(bones.owner, return_inverse=True)
    straight = StraightBones(columns.astype(np.int32).ravel(), bones.start, bones.end)
    weights = automatic_weights(positions, triangles, straight)
    influences, packed = pack_weights(weights)
    ids = list(figure.joint_index)
    return Skin(
        id=id,
        name=name,
        positions=Blob(positions.astype("<f4")),
        triangles=Blob(triangles.astype("<i4")),
        joints=tuple(ids[owner] for owner in owners),
        bind=Blob(np.stack([_inverse(worlds[owner]) for owner in owners])),
        influences=Blob(influences),
        weights=Blob(packed),
    )


def check_closed(name: str, positions: Array, triangles: IntArray) -> IntArray:
    """The triangles, turned so that they are seen from outside; refused where the surface is not closed."""
    if not len(triangles):
        raise UnsoundMesh(name=name, found="it has no triangles", remedy="Choose a mesh with faces.")
    size = float(np.ptp(positions, axis=0).max())
    faces = joined(positions, size)[triangles] if size > 0.0 else np.zeros_like(triangles)
    distinct = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    if not distinct.any():
        raise UnsoundMesh(name=name, found="its triangles have no area", remedy="Choose a mesh of a body.")
    faces, corners = faces[distinct], triangles[distinct]
    pairs = np.sort(np.concatenate((faces[:, :2], faces[:, 1:], faces[:, ::2])), axis=1)
    whole = np.concatenate((corners[:, :2], corners[:, 1:], corners[:, ::2]))
    _, where, times = np.unique(pairs, axis=0, return_index=True, return_counts=True)
    for wrong, found, remedy in ((times == 1, _OPEN, _CLOSE_HOLES), (times > 2, _BRANCHING, _TAKE_OUT)):
        if wrong.any():
            place = np.round(positions[whole[where[wrong][0]]].mean(axis=0), 3).tolist()
            count = int(wrong.sum())
            edges = "1 edge" if count == 1 else f"{count:,} edges"
            raise UnsoundMesh(name=name, found=f"{found} {edges}, one near {place}", remedy=remedy)
    a, b, c = (positions[triangles[:, each]] for each in range(3))
    return triangles if np.einsum("fa,fa->", a, np.cross(b, c)) > 0.0 else triangles[:, ::-1]


def likely_scale(positions: Array, bones: StraightBones) -> float:
    """Metres per unit of the mesh for which it is about as large as the figure."""
    ends = np.concatenate((bones.start, bones.end))
    ratio = float(np.ptp(ends, axis=0).max() / np.ptp(positions, axis=0).max())
    return min(UNITS, key=lambda unit: abs(np.log(ratio / unit)))


def _check_place(name: str, positions: Array, bones: StraightBones) -> None:
    middles = 0.5 * (bones.start + bones.end)
    low, high = positions.min(axis=0), positions.max(axis=0)
    inside = ((middles > low) & (middles < high)).all(axis=1).mean()
    if inside < 0.5:
        box = f"{np.round(low, 2).tolist()} to {np.round(high, 2).tolist()} m"
        found = f"only {inside:.0%} of the bones lie within its box, {box}"
        remedy = "Place and pose the figure so that it stands inside the mesh, and try again."
        raise UnsoundMesh(name=name, found=found, remedy=remedy)


def _bones(worlds: Array, skeleton: Skeleton) -> StraightBones:
    if not len(skeleton.start):
        raise UnsoundMesh(name="The mesh", found="the figure has no bones", remedy="Choose a figure of several joints.")
    ends = worlds[skeleton.end]
    tails = np.einsum("bij,bj->bi", ends[:, :, :3], skeleton.point) + ends[:, :, 3]
    return StraightBones(skeleton.start, worlds[skeleton.start][:, :, 3], tails)


def _inverse(world: Array) -> Array:
    turn = world[:, :3].T
    return np.column_stack((turn, -turn @ world[:, 3]))

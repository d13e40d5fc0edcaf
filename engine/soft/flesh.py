"""Flesh: a soft body over the skin of a figure, with the cells about its bones stiffened and held by its joints.

A bone is the middle of a capsule that stands for a shape of its joint in contact, or, of a joint without shapes, the
way from there to the joints below. Cells of which a bone comes near the middle are so many times as stiff (250 in
Engell-Norregard 2012, 21), and the points about it go where the joint does. Cells between two bones are as soft as the
rest: else all bones were one, and no joint would bend.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.document import Blob, Figure, Skin
from engine.document.values import Vector3
from engine.dynamics.outlines import stadiums_of
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.model.skins import compile_skin
from engine.runtime.errors import InvalidArguments
from engine.soft.lattice import USUAL_FACTOR, fill_surface
from engine.soft.making import body_of
from engine.soft.meshing import split_cubes
from engine.soft.parts import SoftAttachment, SoftBody

SIDES = ("left", "right")
ASIDE: Mapping[str, float] = {
    f"{joint}_{side}.abduction": angle for joint, angle in (("shoulder", 0.5), ("hip", 0.12)) for side in SIDES
}
"""[rad] Limbs closer to each other than a cube grow together: so flesh is made with arms and legs apart."""
_NEAR = 0.62  # of a cube's side: from a bone to the middle of a cell that it stiffens
_HELD = 0.75  # of a cube's side: from a bone to the points that it holds


def flesh(
    figure: Figure,
    skin: Skin,
    *,
    target: str,
    along: int = 24,
    factor: float = USUAL_FACTOR,
    hold: str = "hard",
    cells: str = "tetrahedra",
    pose: Mapping[str, float] = ASIDE,
    **options: Any,
) -> tuple[SoftBody, tuple[str, ...]]:
    """Make a body of cubes, as many as `along` the longest side of a skin, or of tetrahedra in these; it is attached to
    the actor `target`, whose figure it is. Also what a person should know of how. `pose`: coordinates in which it is
    made, of those that the figure has, others as at rest."""
    frames, positions = at_rest(figure, pose), _surface_in(figure, skin, pose)
    made = fill_surface(positions, skin.triangles.array, along=along, mend=True, name=skin.name)
    spacing = float(np.ptp(positions, axis=0).max()) / along
    mesh = split_cubes(made) if cells == "tetrahedra" else made.mesh
    bones = list(_bones(figure, frames))
    if not bones:
        raise InvalidArguments(what=f"the bones of {figure.name}", value=0, allowed="a joint with a shape or a child")
    away, owner = _nearest(mesh.points, bones)
    near, _ = _nearest(mesh.points[mesh.cells].mean(axis=1), bones)
    corners = owner[mesh.cells]
    stiff = (near <= _NEAR * spacing) & (corners == corners[:, :1]).all(axis=1)
    mesh = mesh.with_factors(np.where(stiff, factor, 1.0))
    held = away <= _HELD * spacing
    attachments = tuple(_attachments(figure, frames, mesh.points, held, owner, target, hold))
    surface = (positions, skin.triangles.array)
    return body_of(mesh, surface=surface, attachments=attachments, **options), made.notes


def at_rest(figure: Figure, pose: Mapping[str, float] | None = None) -> Array:
    """Find the joints' transforms in the figure's own frame at rest, but for some coordinates; [joint_count, 3, 4]."""
    rows = compile_model(figure).transforms(_state(figure, pose))
    return np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)


def _surface_in(figure: Figure, skin: Skin, pose: Mapping[str, float]) -> Array:
    """Find the vertices of a skin there [m]."""
    return compile_skin(skin, figure).surface(_state(figure, pose))[0].astype(np.float64)


def _state(figure: Figure, pose: Mapping[str, float] | None) -> Array:
    model = compile_model(figure)
    state, q = model.new_state(), model.rest.copy()
    for coordinate, value in (pose or {}).items():
        if coordinate in figure.coordinate_index:
            q[figure.coordinate_index[coordinate]] = value
    compute_forward_kinematics(model.ints, model.floats, q, state)
    return state


def _bones(figure: Figure, frames: Array) -> list[tuple[int, Array, Array]]:
    """List the bones: number of the joint, and both ends in the figure's own frame [m]."""
    found: list[tuple[int, Array, Array]] = []
    for number, joint in enumerate(figure.joints):
        frame = frames[number]

        def place(local: Vector3, frame: Array = frame) -> Array:
            return np.asarray(frame[:, :3] @ np.array(local) + frame[:, 3])

        if joint.shapes:
            found += [(number, place(each.start), place(each.end)) for each in stadiums_of(joint)]
            continue
        below = [place_of for place_of, each in enumerate(figure.joints) if each.parent == joint.id]
        found += [(number, frame[:, 3], frames[each][:, 3]) for each in below]
    return found


def _nearest(points: Array, bones: list[tuple[int, Array, Array]]) -> tuple[Array, IntArray]:
    """Find how far each point is from the nearest bone [m], and that bone's joint."""
    away, owner = np.full(len(points), np.inf), np.zeros(len(points), dtype=np.int32)
    for number, start, end in bones:
        way = end - start
        share = np.clip((points - start) @ way / max(float(way @ way), 1e-300), 0.0, 1.0)
        here = np.linalg.norm(points - start - share[:, None] * way, axis=1)
        nearer = here < away
        away[nearer], owner[nearer] = here[nearer], number
    return away, owner


def _attachments(
    figure: Figure, frames: Array, points: Array, held: BoolArray, owner: IntArray, target: str, hold: str
) -> list[SoftAttachment]:
    """Attach the points about the bones of each joint."""
    found = []
    for number in np.unique(owner[held]).tolist():
        own, frame, joint = (
            np.flatnonzero(held & (owner == number)).astype(np.int32),
            frames[number],
            figure.joints[number],
        )
        places = (points[own] - frame[:, 3]) @ frame[:, :3]
        found.append(
            SoftAttachment(id=joint.id, points=Blob(own), places=Blob(places), target=target, joint=joint.id, hold=hold)
        )
    return found

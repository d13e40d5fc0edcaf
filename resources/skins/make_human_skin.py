"""Makes human.skin.npz and .json, the skin of the human: `PYTHONPATH=. python resources/skins/make_human_skin.py`.

The mannequin's own segments, in a pose with arms, legs and fingers apart, are joined to one smooth surface and bound by
automatic weights. Hands are polygonised through a lens: space around each wrist's hand is magnified for the grid
and vertices are mapped back, so that one grid serves trunk and fingers.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from scipy.ndimage import gaussian_filter
from scipy.spatial.transform import Rotation

from engine.document import Blob, Dof, Figure, Skin
from engine.document.shipped import TEXT_SUFFIX
from engine.formats.figure_toml import load_figure
from engine.formats.skin_npz import read, write
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.skin_weights import StraightBones, automatic_weights, pack_weights
from engine.model.skins import vertex_normals
from engine.model.solids import Surface, surface_of
from resources.skins.surfaces import Solid, project, relax, smooth, surface_net, union_field

FILE = Path(__file__).with_name("human.skin.npz")

CELL = 0.0127  # [m] of the grid, where nothing is magnified
LENS = 3.2  # magnification of a hand
LENS_INNER, LENS_OUTER = 0.11, 0.60  # [m] from the middle of the hand: fully magnified; not at all
BLEND = 0.35  # width of a blend beside the thinner half extent of a segment
BLUR = 0.7  # cells
INFLUENCES = 4

# The pose of the skin, in degrees; both sides alike.
APART = {
    "shoulder.abduction": 62,
    "elbow.flexion": 8,
    "hip.abduction": 12,
    "knee.flexion": 8,
    "index.flexion": -8,
    "index_tip.flexion": -14,
    "middle.flexion": -8,
    "ring.flexion": -10,
    "little.flexion": -14,
    "little_tip.flexion": -16,
    "thumb.abduction": 18,
}
# Turns about the fingers' x axis that no degree of freedom makes: fingers spread.
SPREAD = {"index": -24, "middle": -8, "ring": 8, "little": 25}


def worlds_apart(figure: Figure) -> dict[str, Array]:
    """World transform of every joint in the pose of the skin, shape [4, 4]."""
    worlds: dict[str, Array] = {}
    for joint in figure.joints:
        local = np.eye(4)
        local[:3, :3], local[:3, 3] = rotation_matrix(joint.rest), joint.offset
        for dof in joint.dofs:
            local = local @ _turn(dof)
        spread = SPREAD.get(joint.id.removesuffix("_left").removesuffix("_right"), 0)
        turn = np.eye(4)
        turn[:3, :3] = Rotation.from_euler("x", spread, degrees=True).as_matrix()
        local = local @ turn
        worlds[joint.id] = local if joint.parent is None else worlds[joint.parent] @ local
    return worlds


def _turn(dof: Dof) -> Array:
    turn = np.eye(4)
    angle = APART.get(dof.id.replace("_left", "").replace("_right", ""), 0)
    if dof.kind == "hinge" and angle:
        turn[:3, :3] = Rotation.from_rotvec(math.radians(angle) * np.array(dof.axis)).as_matrix()
    return turn


def solids_of(figure: Figure, worlds: dict[str, Array]) -> list[Solid]:
    """Every shape of the figure in the world, parents first."""
    found = []
    for joint in figure.joints:
        world = worlds[joint.id]
        for shape in joint.shapes:
            surface = surface_of(shape)
            extents = np.sort(np.ptp(surface.positions, axis=0))
            turned = Surface(
                surface.positions @ world[:3, :3].T + world[:3, 3], surface.normals @ world[:3, :3].T, surface.triangles
            )
            found.append(Solid(turned, min(BLEND * 0.5 * float(extents[0]), 0.03)))
    return found


def lens(points: Array, middles: Array, *, back: bool) -> Array:
    """Points through the lenses around `middles` into the grid's space, or back."""
    inner = LENS * LENS_INNER
    real, grid = np.array([0.0, LENS_INNER, LENS_OUTER]), np.array([0.0, inner, LENS_OUTER])
    moved = points.copy()
    for middle in middles:
        away = points - middle
        radius = np.linalg.norm(away, axis=1)
        other = np.interp(radius, grid, real) if back else np.interp(radius, real, grid)
        near = (radius < LENS_OUTER) & (radius > 0.0)
        moved[near] = middle + away[near] * (other[near] / radius[near])[:, None]
    return moved


def polygonise(solids: list[Solid], middles: Array) -> tuple[Array, IntArray]:
    """The skin's vertices and triangles."""
    field = union_field(solids)
    every = np.concatenate([lens(solid.surface.positions, middles, back=False) for solid in solids])
    half = math.ceil((np.abs(every[:, 0]).max() + 0.03) / CELL)
    axes = (
        np.arange(-half, half + 1) * CELL,
        np.arange(every[:, 1].min() - 0.03, every[:, 1].max() + 0.04, CELL),
        np.arange(every[:, 2].min() - 0.03, every[:, 2].max() + 0.04, CELL),
    )
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    values = field(lens(nodes, middles, back=True)).reshape([len(axis) for axis in axes])
    # Gaps narrower than a cell would leave edges of four triangles; a little blur closes or opens them.
    values = gaussian_filter(np.clip(values, -2.0 * CELL, 2.0 * CELL), BLUR)
    points, triangles = surface_net(values, axes)
    for _ in range(8):
        points = lens(relax(points, triangles, 0.5), middles, back=True)
        points = project(points, vertex_normals(points, triangles), field)
        points = lens(points, middles, back=False)
    points = lens(smooth(points, triangles, 6), middles, back=True)
    return points, triangles


def bones_of(figure: Figure, worlds: dict[str, Array]) -> StraightBones:
    """From every joint to those that it carries; from the last ones through their segments."""
    owner, start, end = [], [], []
    children = {joint.id: [each for each in figure.joints if each.parent == joint.id] for joint in figure.joints}
    for index, joint in enumerate(figure.joints):
        here = worlds[joint.id][:3, 3]
        ends = [worlds[child.id][:3, 3] for child in children[joint.id]]
        if not ends and joint.shapes:
            points = np.concatenate([surface_of(shape).positions for shape in joint.shapes])
            middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
            ends = [here + worlds[joint.id][:3, :3] @ (1.7 * middle)]
        owner += [index] * len(ends)
        start += [here] * len(ends)
        end += ends
    return StraightBones(np.array(owner, dtype=np.int32), np.array(start), np.array(end))


def main() -> None:
    """Make the file."""
    figure = load_figure("human")
    worlds = worlds_apart(figure)
    middles = np.array([worlds[f"middle_{side}"][:3, 3] for side in ("left", "right")])
    points, triangles = polygonise(solids_of(figure, worlds), middles)
    print(f"{len(points):,} vertices, {len(triangles):,} triangles")
    weights = automatic_weights(points, triangles, bones_of(figure, worlds))
    influences, packed = pack_weights(weights, INFLUENCES)
    skin = Skin(
        id="human_skin",
        name="Human skin",
        positions=Blob(points.astype(np.float32)),
        triangles=Blob(triangles),
        joints=tuple(joint.id for joint in figure.joints),
        bind=Blob([np.linalg.inv(worlds[joint.id])[:3] for joint in figure.joints]),
        influences=Blob(influences),
        weights=Blob(packed),
    )
    write(FILE, skin)
    FILE.with_name(f"human{TEXT_SUFFIX}").write_text(read(FILE).text + "\n", encoding="utf-8")
    print(f"{FILE.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()

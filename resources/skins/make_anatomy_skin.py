"""Makes anatomy.skin.npz and .json, a skin over the skeleton and its muscles: `PYTHONPATH=. python
resources/skins/make_anatomy_skin.py`.

The skin of the human is posed as the human stands at rest, its parts are laid along the bones that they cover, and
then it is let out where bones or muscles would be outside, and smoothed. Each vertex follows the bones that are nearest
to it, of those that the joint of the human which it followed stands for.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from engine.document import Blob, Document, Figure, Skin
from engine.document.actor import Actor
from engine.document.frames import rest_frames
from engine.document.motion import Layer
from engine.document.shapes import TriangleMesh
from engine.document.shipped import TEXT_SUFFIX
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure, load_parts
from engine.formats.skin_npz import read, write
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.skin_weights import pack_weights
from engine.model.skins import vertex_normals
from engine.model.solids import surface_of
from engine.muscles.compiled import MuscledFigure
from engine.muscles.parts import Muscles
from resources.skins.surfaces import averaging

FILE = Path(__file__).with_name("anatomy.skin.npz")
OVER = 0.003  # [m] that the skin is above bones and muscles, at least
REACH = 0.04  # [m] beside a vertex, within which they let it out
ROUNDS, SMOOTH = 16, 3
NEAR = 0.012  # [m] by which a bone is farther than the nearest that has a third of its weight
INFLUENCES = 4

RIBS = [f"rib{number}" for number in range(1, 13)]
THORACIC = [f"thoracic{number}" for number in range(12, 0, -1)]
# Of each joint of the human: the place to which its origin goes (a bone, and how far beside it [m]), and the bones that
# are below its skin.
PARTS: dict[str, tuple[str, tuple[float, float, float], tuple[str, ...]]] = {
    "pelvis": ("sacrum", (0.0, 0.025, -0.02), ("sacrum", "hip_bone", "lumbar5")),
    "lower_spine": ("lumbar5", (0.0, -0.03, -0.01), tuple(f"lumbar{number}" for number in range(5, 0, -1))),
    "middle_spine": ("lumbar1", (0.0, -0.02, 0.015), ("lumbar1", "lumbar2", *THORACIC[:6], *RIBS[6:])),
    "upper_spine": ("thoracic9", (0.0, 0.0, 0.04), (*THORACIC[3:], *RIBS, "sternum")),
    "neck": ("cervical7", (0.0, 0.01, 0.01), tuple(f"cervical{number}" for number in range(7, 0, -1))),
    "head": ("skull", (0.0, 0.0, 0.01), ("skull", "jaw")),
    "collar": ("clavicle", (0.0, 0.01, 0.0), ("clavicle", "scapula")),
    "shoulder": ("humerus", (0.0, 0.0, 0.0), ("humerus",)),
    "elbow": ("ulna", (0.0, 0.0, 0.0), ("ulna", "radius")),
    "forearm": ("", (0.0, 0.0, 0.0), ("radius", "ulna")),
    "wrist": ("hand", (0.0, 0.0, 0.0), ("hand",)),
    "hip": ("femur", (0.0, 0.0, 0.0), ("femur",)),
    "knee": ("tibia", (0.0, 0.0, 0.0), ("tibia", "patella", "fibula")),
    "ankle": ("talus", (0.0, 0.0, 0.0), ("talus", "calcaneus", "midfoot")),
    "toes": ("toes", (0.0, 0.0, 0.0), ("toes",)),
    "thumb": ("thumb", (0.0, 0.0, 0.0), ("thumb",)),
    "thumb_tip": ("thumb_tip", (0.0, 0.0, 0.0), ("thumb_tip",)),
    "index": ("index", (0.0, 0.0, 0.0), ("index",)),
    "index_tip": ("index_tip", (0.0, 0.0, 0.0), ("index_tip",)),
    "middle": ("middle", (0.0, 0.0, 0.0), ("middle", "middle_tip")),
    "ring": ("ring", (0.0, 0.0, 0.0), ("ring", "ring_tip")),
    "little": ("little", (0.0, 0.0, 0.0), ("little",)),
    "little_tip": ("little_tip", (0.0, 0.0, 0.0), ("little_tip",)),
}
# Parts of the body, each of which is let out by what is in it alone.
REGIONS = {
    "trunk": ("pelvis", "lower_spine", "middle_spine", "upper_spine", "neck", "head", "collar"),
    "arm": ("shoulder", "elbow", "forearm"),
    "leg": ("hip", "knee", "ankle", "toes"),
    "hand": (
        "wrist", "thumb", "thumb_tip", "index", "index_tip", "middle", "ring", "little", "little_tip",
    ),
}  # fmt: skip
# How far outside of a part something may be that lets it out, and by how much in all [m].
OUT = {"trunk": (0.04, 0.03), "arm": (0.03, 0.02), "leg": (0.045, 0.035), "hand": (0.01, 0.007)}
# Towards which joint of the human a part goes on, where it has several or none.
ALONG = {
    "pelvis": "lower_spine", "upper_spine": "neck", "wrist": "middle", "collar": "shoulder", "elbow": "wrist",
    "forearm": "wrist", "ankle": "toes",
}  # fmt: skip
WIDER = {"head": 0.98, "wrist": 0.98}  # across; else as much as along, within bounds
LEAST, MOST = 0.92, 1.1


def split(joint: str) -> tuple[str, str]:
    """Return the name of a joint without its side, and the side."""
    for side in ("_left", "_right"):
        if joint.endswith(side):
            return joint.removesuffix(side), side
    return joint, ""


def sided(figure: Figure, bone: str, side: str) -> list[str]:
    """Return the bones of that name on a side; on both where there is none said."""
    names = (
        [bone]
        if bone in figure.joint_index
        else [f"{bone}{each}" for each in ([side] if side else ["_left", "_right"])]
    )
    return [each for each in names if each in figure.joint_index]


def places_of(figure: Figure) -> dict[str, Array]:
    """Where the joints of a figure stand at rest [m]."""
    return {id: np.array(frame.position) for id, frame in rest_frames(figure).items()}


def at_rest(human: Figure, skin: Skin) -> Array:
    """The vertices of the human's skin as it stands at rest."""
    frames = rest_frames(human)
    found = np.zeros((len(skin.positions.array), 3))
    points = skin.positions.array.astype(np.float64)
    for place, joint in enumerate(skin.joints):
        frame, bind = frames[joint], skin.bind.array[place]
        local = points @ bind[:, :3].T + bind[:, 3]
        world = local @ rotation_matrix(frame.rotation).T + np.array(frame.position)
        found += weight_of(skin, place)[:, None] * world
    return found


def weight_of(skin: Skin, joint: int) -> Array:
    """How much each vertex follows a joint."""
    found: Array = (skin.weights.array * (skin.influences.array == joint)).sum(axis=1).astype(np.float64)
    return found


def laid(human: Figure, anatomy: Figure, skin: Skin, points: Array) -> Array:
    """The vertices, each part of the human laid along the bones below it."""
    old, bones = places_of(human), places_of(anatomy)
    new = {joint: goal(bones, joint) for joint in old}
    for joint in old:
        if split(joint)[0] == "forearm":
            side = split(joint)[1]
            elbow, wrist = f"elbow{side}", f"wrist{side}"
            share = np.linalg.norm(old[joint] - old[elbow]) / np.linalg.norm(old[wrist] - old[elbow])
            new[joint] = new[elbow] + share * (new[wrist] - new[elbow])
    children = {each.id: [one.id for one in human.joints if one.parent == each.id] for each in human.joints}
    parents = {each.id: each.parent for each in human.joints}
    maps: dict[str, tuple[Array, Array, Array]] = {}
    found = np.zeros_like(points)
    for place, joint in enumerate(skin.joints):
        name, side = split(joint)
        ahead = f"{ALONG[name]}{side}" if f"{ALONG.get(name)}{side}" in old else ALONG.get(name)
        ahead = ahead if ahead in old else next(iter(children[joint]), None)
        turn = (
            maps[parents[joint] or ""][0]
            if ahead is None
            else stretched(old[ahead] - old[joint], new[ahead] - new[joint], name)
        )
        maps[joint] = (turn, old[joint], new[joint])
        found += weight_of(skin, place)[:, None] * ((points - old[joint]) @ turn.T + new[joint])
    return found


def goal(bones: dict[str, Array], joint: str) -> Array:
    """Where the origin of a joint of the human goes."""
    name, side = split(joint)
    bone, beside, _ = PARTS[name]
    x, y, z = beside
    origin = bones.get(f"{bone}{side}", bones.get(bone, np.zeros(3)))
    return origin + np.array((x if side != "_right" else -x, y, z))


def stretched(old: Array, new: Array, name: str) -> Array:
    """The matrix that turns one way to another as little as can be, and makes it as long; across it stays about as
    wide."""
    length, before = np.linalg.norm(new), np.linalg.norm(old)
    a, b = old / before, new / length
    axis, cosine = np.cross(a, b), float(a @ b)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = np.eye(3) + cross + cross @ cross / (1.0 + cosine)
    along = float(length / before)
    across = WIDER.get(name, min(max(along, LEAST), MOST))
    found: Array = turn @ (across * np.eye(3) + (along - across) * np.outer(a, a))
    return found


def inner_points(figure: Figure, muscles: Muscles) -> tuple[Array, dict[str, Array]]:
    """All that is to be inside: places on muscles and bones at rest, and those of each bone [m]."""
    frames, bones = rest_frames(figure), dict[str, Array]()
    for joint in figure.joints:
        frame = frames[joint.id]
        own = [surface_of(shape).positions for shape in joint.shapes if isinstance(shape, TriangleMesh)]
        if own:
            bones[joint.id] = np.concatenate(own) @ rotation_matrix(frame.rotation).T + np.array(frame.position)
    actor = Actor(id="body", name="Body", figure=figure, layers=(Layer(id="pose"),), parts=(muscles,))
    evaluator, document = Evaluator(), Document(actors=(actor,))
    muscled = MuscledFigure(evaluator.model(actor), muscles)
    spindles = muscled.spindles(evaluator.coordinates(document, "body", [0])[0])[0].astype(np.float64)
    return np.concatenate((*bones.values(), spindles)), bones


def regions_of(figure: Figure, inner: Array, bones: dict[str, Array]) -> dict[str, Array]:
    """What is inside of each part of the body, by the bone that is nearest."""
    far = np.stack([cKDTree(own).query(inner)[0] for own in bones.values()], axis=1)
    nearest = np.array(list(bones))[far.argmin(axis=1)]
    found: dict[str, Array] = {}
    for region, joints in REGIONS.items():
        for side in ("",) if region == "trunk" else ("_left", "_right"):
            own = {each for joint in joints for bone in PARTS[joint][2] for each in sided(figure, bone, side)}
            found[region + side] = inner[np.isin(nearest, list(own))]
    return found


def let_out(skin: Skin, points: Array, triangles: IntArray, regions: dict[str, Array]) -> Array:
    """The vertices, moved outward where what is inside would be seen."""
    beside, start = averaging(triangles, len(points)), points
    member: dict[str, Array] = {}
    for region in regions:
        name, side = split(region)
        member[region] = sum(
            (weight_of(skin, place) for place, joint in enumerate(skin.joints)
             if split(joint)[0] in REGIONS[name] and side in ("", split(joint)[1])),
            np.zeros(len(points)),
        )  # fmt: skip
    most = sum((own * OUT[split(region)[0]][1] for region, own in member.items()), np.zeros(len(points)))
    out = np.zeros(len(points))
    normals = vertex_normals(points, triangles).astype(np.float64)
    for _ in range(4):
        normals = beside @ normals
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    for _ in range(ROUNDS):
        points = start + out[:, None] * normals
        wanted = np.zeros(len(points))
        for region, inner in regions.items():
            own = np.flatnonzero(member[region] > 0.6)
            _, near = cKDTree(inner).query(points[own], k=16, distance_upper_bound=REACH)
            known = near < len(inner)
            away = inner[np.where(known, near, 0)] - points[own, None]
            beyond = np.einsum("ijk,ik->ij", away, normals[own])
            flat = np.linalg.norm(away - beyond[:, :, None] * normals[own, None], axis=2)
            counts = known & (flat < 0.01) & (beyond < OUT[split(region)[0]][0])
            wanted[own] = np.where(counts, beyond + OVER, -np.inf).max(axis=1).clip(0.0, 0.01)
        out = out + wanted
        for _ in range(SMOOTH):
            out = np.maximum(out, beside @ out) if wanted.any() else out
            out = 0.5 * out + 0.5 * (beside @ out)
        out = np.minimum(out, most)
    return start + out[:, None] * normals


def followed(skin: Skin, figure: Figure, points: Array, triangles: IntArray, bones: dict[str, Array]) -> Array:
    """How much each vertex follows each bone, shape [vertex_count, joint_count]."""
    far = {id: cKDTree(own).query(points)[0] for id, own in bones.items()}
    found = np.zeros((len(points), len(figure.joints)))
    for place, joint in enumerate(skin.joints):
        name, side = split(joint)
        below = [each for bone in PARTS[name][2] for each in sided(figure, bone, side) if each in far]
        distances = np.stack([far[each] for each in below], axis=1)
        shares = np.exp(-(distances - distances.min(axis=1, keepdims=True)) / NEAR)
        shares /= shares.sum(axis=1, keepdims=True)
        columns = [figure.joint_index[each] for each in below]
        np.add.at(found.T, columns, (weight_of(skin, place)[:, None] * shares).T)
    beside = averaging(triangles, len(points))
    for _ in range(8):
        found = 0.5 * found + 0.5 * (beside @ found)
    return found


def main() -> None:
    """Make the file."""
    human, anatomy = load_figure("human"), load_figure("anatomy")
    skin = read(FILE.with_name("human.skin.npz"))
    (muscles,) = (part for part in load_parts("anatomy") if isinstance(part, Muscles))
    triangles: IntArray = skin.triangles.array.astype(np.int32)
    inner, bones = inner_points(anatomy, muscles)
    regions = regions_of(anatomy, inner, bones)
    points = let_out(skin, laid(human, anatomy, skin, at_rest(human, skin)), triangles, regions)
    influences, packed = pack_weights(followed(skin, anatomy, points, triangles, bones), INFLUENCES)
    frames = rest_frames(anatomy)
    binds: list[NDArray[np.float64]] = []
    for joint in anatomy.joints:
        turn = rotation_matrix(frames[joint.id].rotation)
        binds.append(np.column_stack((turn.T, -turn.T @ np.array(frames[joint.id].position))))
    made = Skin(
        id="anatomy_skin",
        name="Anatomy skin",
        positions=Blob(points.astype(np.float32)),
        triangles=Blob(triangles),
        joints=tuple(joint.id for joint in anatomy.joints),
        bind=Blob(np.array(binds)),
        influences=Blob(influences),
        weights=Blob(packed),
    )
    write(FILE, made)
    FILE.with_name(f"anatomy{TEXT_SUFFIX}").write_text(read(FILE).text + "\n", encoding="utf-8")
    print(f"{len(points):,} vertices, {FILE.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()

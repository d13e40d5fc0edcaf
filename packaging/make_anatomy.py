"""Makes the anatomy figure, `resources/figures/anatomy.figure.toml` with its meshes.

`PYTHONPATH=. python packaging/make_anatomy.py`, from the root of the project. `anatomy_joints.py` has the bones, their
joints and where each number is from; `anatomy_cartilages.py` bushings; `anatomy_masses.py` masses; `anatomy_trunk.py`
and `anatomy_limbs.py` shapes, made of the solids of `anatomy_solids.py`; `anatomy_landmarks.py` places on the bones by
name; `anatomy_muscles.py` and `anatomy_muscles_*.py` muscles, with the page `docs/muscle-table.md`. Both sides are one:
what is written is the left. `--muscles` leaves the bones as they are, with their meshes.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import anatomy_limbs as limbs
import anatomy_muscles as muscles
import anatomy_reach as reach
import anatomy_trunk as trunk
import numpy as np
from anatomy_cartilages import cartilage_texts
from anatomy_joints import Bone, Follower, Hinge, bones, quaternion, rest_places
from anatomy_lines import Line, Solid
from anatomy_masses import DENSITY, MASS, bodies
from anatomy_solids import Distance, Piece, Point, surface, union, volume_of

from engine.document import Body
from engine.formats.figure_toml import read_whole
from engine.formats.tables import DIRECTIONS
from engine.maths.arrays import Array, IntArray
from engine.muscles.parts import Muscles

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "figures"
MESHES = "anatomy.mesh.npz"
Made = tuple[Array, Array, IntArray]
ZERO: Point = (0.0, 0.0, 0.0)

HEAD = """# A human skeleton of 103 bones and 163 articular degrees of freedom, besides the six of the root and three
# coordinates of each kneecap that its knee drives. 1.67 m of bone.
# Y up, facing +Z, the left at +X. Made by packaging/make_anatomy.py: where each number is from stands there, in the
# heads of its modules anatomy_*.py. Written once for both sides.
#
# Joint centres, axes and ranges: the model Rajagopal2016 and surfaces of opensim-models (MIT; CC BY 3.0), a
# table after Bruno 2015 (MIT), clinical ranges (CFR 4.71, AAOS); the rest estimated. Masses: de Leva 1996 (male),
# {mass:.0f} kg.

name = "Anatomy"
angles = "degrees"
"""
CARTILAGES = """# Cartilages of the ribs, those of the left: beams as bushings, packaging/anatomy_cartilages.py.
"""
MUSCLES = """# Muscles, those of the left and the middle. Where each is from: docs/muscle-table.md.
"""
# Size of the cells [m] of the grid on which a bone is made, and the width of its blends [m].
GRIDS: dict[str, tuple[float, float]] = {
    "skull": (0.0042, 0.006),
    "jaw": (0.0038, 0.004),
    "hyoid": (0.0026, 0.002),
    "sternum": (0.0050, 0.004),
    "sacrum": (0.0055, 0.006),
    "hip_bone": (0.0056, 0.008),
    "clavicle": (0.0044, 0.004),
    "scapula": (0.0042, 0.004),
    "humerus": (0.0055, 0.006),
    "ulna": (0.0045, 0.004),
    "radius": (0.0044, 0.004),
    "hand": (0.0033, 0.001),
    "femur": (0.0068, 0.008),
    "tibia": (0.0060, 0.008),
    "fibula": (0.0052, 0.004),
    "patella": (0.0050, 0.004),
    "talus": (0.0048, 0.004),
    "calcaneus": (0.0050, 0.005),
    "midfoot": (0.0042, 0.002),
    "toes": (0.0036, 0.001),
}


def pieces_of(bone: Bone, origin: Point) -> dict[str, tuple[Sequence[Piece], float, float, Point]]:
    """What the parts of a bone are made of: pieces, cell, blend, and where its frame stands in that of the pieces."""
    id = bone.id
    if id.startswith("rib"):
        number = int(id[3:])
        found: dict[str, tuple[Sequence[Piece], float, float, Point]] = {id: (trunk.rib(number), 0.0044, 0.003, origin)}
        if number < 11:
            found[f"cartilage{number}"] = (trunk.cartilage(number), 0.0050, 0.003, origin)
        return found
    if id.startswith(("lumbar", "thoracic", "cervical")):
        index = next(k for k, each in enumerate(trunk.VERTEBRAE) if each.id == id)
        above = trunk.VERTEBRAE[index + 1].joint if index + 1 < len(trunk.VERTEBRAE) else trunk.SKULL_JOINT[1:]
        if id == "cervical1":
            made: Sequence[Piece] = trunk.atlas()
        elif id == "cervical2":
            made = trunk.axis(above)
        else:
            made = trunk.vertebra(trunk.VERTEBRAE[index], above)
        return {id: (made, 0.0041 if id[0] == "c" else 0.0043 if id[0] == "l" else 0.0049, 0.004, origin)}
    makers: dict[str, Callable[[], Sequence[Piece]]] = {"hand": limbs.palm}
    for name in ("skull", "jaw", "hyoid", "sternum", "sacrum", "hip_bone"):
        makers[name] = getattr(trunk, name)
    for name in (
        "clavicle",
        "scapula",
        "humerus",
        "ulna",
        "radius",
        "femur",
        "tibia",
        "fibula",
        "patella",
        "talus",
        "calcaneus",
        "midfoot",
        "toes",
    ):
        makers[name] = getattr(limbs, name)
    if id in makers:
        cell, blend = GRIDS[id]
        return {id: (makers[id](), cell, blend, origin if hasattr(trunk, id) else ZERO)}
    ray, tip = id.removesuffix("_tip"), id.endswith("_tip")
    first = (1 if tip else 0) if ray == "thumb" else 2 if tip else 1
    last = {"thumb": (1, 3)}.get(ray, (2, 4))[tip]
    return {id: (limbs.digit(ray, first, last), 0.0028, 0.001, ZERO)}


def made(bone: Bone, origin: Point) -> dict[str, Made]:
    """The surfaces of a bone's parts, in its own frame."""
    found = {}
    for name, (pieces, cell, blend, away) in pieces_of(bone, origin).items():
        points, normals, triangles = surface(pieces, cell, blend)
        found[name] = (points - np.array(away), normals, triangles)
    return found


def main() -> None:
    """Write all files."""
    if "--muscles" in sys.argv[1:]:
        written = (FOLDER / "anatomy.figure.toml").read_text(encoding="utf-8")
        skeleton = f"{written.split(MUSCLES)[0].split(CARTILAGES)[0].rstrip()}\n"
        write_muscles("\n".join((skeleton, CARTILAGES, *cartilage_texts(rest_places()))))
        return
    everything, places = bones(), rest_places()
    parts = {bone.id: made(bone, places[bone.id]) for bone in everything}
    arrays = {}
    for each in parts.values():
        for name, (points, normals, triangles) in each.items():
            arrays[f"{name}.positions"] = (np.round(points * 65536.0) / 65536.0).astype("<f4")
            arrays[f"{name}.normals"] = (np.round(normals * 65536.0) / 65536.0).astype("<f4")
            arrays[f"{name}.triangles"] = triangles.astype("<u2")
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    (FOLDER / MESHES).write_bytes(content.getvalue())
    own = {id: (volume_of(each[id][0], each[id][2]), each[id][0].mean(axis=0)) for id, each in parts.items()}
    weights = bodies(everything, places, own)
    blocks = [
        HEAD.format(mass=MASS),
        *(joint_text(bone, weights[bone.id], list(parts[bone.id])) for bone in everything),
        *handles(),
        CARTILAGES,
        *cartilage_texts(places),
    ]
    print(sum(len(each) for name, each in arrays.items() if name.endswith("positions")), "vertices of one side")
    write_muscles("\n".join(blocks))


def solids() -> dict[str, Solid]:
    """The bones as solids, each in its own frame."""
    places, found = rest_places(), {}
    for bone in bones():
        parts = list(pieces_of(bone, places[bone.id]).values())
        pieces, (_, _, blend, away) = [each for part in parts for each in part[0]], parts[0]
        kept = [each for each in pieces if not each.cut]
        origin = np.array(away)
        low = (np.min([each.low for each in kept], axis=0) - origin).tolist()
        high = (np.max([each.high for each in kept], axis=0) - origin).tolist()
        found[bone.id] = Solid(_moved(union(pieces, blend), origin), tuple(low), tuple(high))
    return found


def _moved(distance: Distance, origin: Array) -> Distance:
    return lambda at: distance(at + origin)


def write_muscles(skeleton: str) -> None:
    """Write the figure's file of its bones' text, with all muscles, and the page about them."""
    path = FOLDER / "anatomy.figure.toml"
    path.write_text(skeleton, encoding="utf-8")
    figure, _ = read_whole(path)
    resting, wraps = muscles.Resting(figure, solids()), muscles.wraps()
    head = [f"{skeleton.rstrip()}\n", MUSCLES, *map(muscles.wrap_text, wraps)]

    def reach_of(lines: Sequence[Line]) -> reach.Reach:
        path.write_text("\n".join([*head, *(muscles.text_of(line, 1.0, 0.0) for line in lines)]), encoding="utf-8")
        _, parts = read_whole(path)
        return reach.Reach(figure, next(each for each in parts if isinstance(each, Muscles)))

    lines = resting.eased(muscles.lines())
    ours, written = reach_of(lines), reach_of([line for line in muscles.lines() if line.fibre]).rest()
    rest, most = ours.rest(), ours.most()
    rows, texts = [], []
    for line in lines:
        id = f"{line.id}_left" if line.both else line.id
        fibre, tendon = reach.parts_of(line, rest[id], most[id], written.get(id, 0.0))
        rows.append((line, muscles.force_of(line), fibre, tendon))
        texts.append(muscles.text_of(line, fibre, tendon))
    path.write_text("\n".join([*head, *texts]), encoding="utf-8")
    (FOLDER.parents[1] / "docs" / "muscle-table.md").write_text(muscles.page(rows, wraps), encoding="utf-8")
    print(sum(2 if line.both else 1 for line in lines), "muscles")


def joint_text(bone: Bone, body: Body, parts: Sequence[str]) -> str:
    """A bone as a table of the file."""
    lines = ["[[joint]]", f'id = "{bone.id}"']
    if bone.name:
        lines.append(f'name = "{bone.name}"')
    if bone.parent:
        lines.append(f'parent = "{bone.parent}"')
    if bone.sided:
        lines.append('sides = "both"')
    lines.append(f"offset = {_list(bone.offset)}")
    if bone.rest is not None:
        lines.append(f"rest = {_list(quaternion(bone.rest), 9)}")
    lines.append(f'group = "{bone.group}"')
    inertia = ", ".join(f"{each:.5g}" for each in body.inertia)
    centre = _list(body.centre, 5)
    lines.append(f"body = {{ mass = {body.mass:.5g}, centre = {centre}, inertia = [{inertia}] }}")
    lines.append(f"density = {DENSITY:.0f}")
    dofs = ROOT if not bone.parent else [*map(_hinge, bone.hinges), *map(_follower, bone.followers)]
    if dofs:
        lines += ["dofs = [", *(f"  {each}," for each in dofs), "]"]
    lines.append("shapes = [")
    for part in parts:
        tone = ", tone = 0.62" if part.startswith("cartilage") else ""
        lines.append(f'  {{ kind = "mesh", file = "{MESHES}", part = "{part}"{tone} }},')
    lines += ["]", ""]
    return "\n".join(lines)


ROOT = (
    '{ name = "Move X", kind = "slide", axis = "x", limits = [-10, 10] }',
    '{ name = "Move Y", kind = "slide", axis = "y", limits = [-10, 10] }',
    '{ name = "Move Z", kind = "slide", axis = "z", limits = [-10, 10] }',
    '{ name = "Turn", axis = "y", limits = [-180, 180] }',
    '{ name = "Tilt", axis = "x", limits = [-180, 180] }',
    '{ name = "Roll", axis = "-z", limits = [-180, 180] }',
)


def _hinge(hinge: Hinge) -> str:
    axis = next((f'"{name}"' for name, each in DIRECTIONS.items() if tuple(each) == hinge.axis), _list(hinge.axis, 4))
    id = f', id = "{hinge.id}"' if hinge.id else ""
    stiff = f", stiffness = {hinge.stiffness:g}" if hinge.stiffness != 1.0 else ""
    ends = f"[{hinge.range[0]:g}, {hinge.range[1]:g}]"
    spring = f", spring = {hinge.spring:g}" if hinge.spring else ""
    return f'{{ name = "{hinge.name}"{id}, axis = {axis}, limits = {ends}{stiff}{spring} }}'


def _follower(each: Follower) -> str:
    axis = next(f'"{name}"' for name, main in DIRECTIONS.items() if tuple(main) == each.axis)
    kind = f', kind = "{each.kind}"' if each.kind != "hinge" else ""
    at, values = _list(each.at), _list(each.values)
    driven = f'[{{ by = "{each.by}", at = {at}, values = {values} }}]'
    return f'{{ name = "{each.name}"{kind}, axis = {axis}, driven = {driven} }}'


def _list(numbers: Sequence[float], digits: int = 5) -> str:
    return (
        "["
        + ", ".join(
            f"{round(each, digits) + 0.0:g}" if digits < 9 else repr(round(each, digits) + 0.0) for each in numbers
        )
        + "]"
    )


def handles() -> list[str]:
    """The places at which the skeleton is taken hold of."""
    found = []
    for id, joint, point, sided in (
        ("hand", "hand", (0.0, -0.06, 0.0), True),
        ("foot", "midfoot", (0.0, -0.01, 0.06), True),
        ("head", "skull", (0.0, 0.08, 0.03), False),
        ("pelvis", "sacrum", (0.0, 0.0, 0.0), False),
    ):
        both = '\nsides = "both"' if sided else ""
        found.append(f'[[handle]]\nid = "{id}"\njoint = "{joint}"{both}\npoint = {_list(point)}\n')
    return found


if __name__ == "__main__":
    main()

"""Freedoms: the usual kinds of joint as lists of degrees of freedom, and which kind a list is.

The turns of a ball joint are three hinges in one of the twelve orders, such as ZYX or ZYZ; those of a universal joint
two about different axes. Ids follow those of `.figure.toml`: `knee.x`, `knee.move_x`, `hips.turn`; an axis that comes
twice is `z2` the second time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from engine.document.figure import Dof, DofKind, DrivenBy, Figure
from engine.document.values import Vector3
from engine.maths.quaternions import cross
from engine.runtime.errors import InvalidDocument

JointKind = Literal["fixed", "hinge", "universal", "ball", "slide", "planar", "free", "free ball", "other"]
AXES: dict[str, Vector3] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
ORDERS = tuple(a + b + c for a in "XYZ" for b in "XYZ" for c in "XYZ" if a != b != c)
USUAL_ORDER = "YXZ"
_RIB = re.compile(r"rib_?\d")

KINDS: tuple[tuple[JointKind, str, bool], ...] = (
    ("fixed", "Fixed", False),
    ("hinge", "Hinge", False),
    ("universal", "Universal", False),
    ("ball", "Ball", False),
    ("slide", "Slide", False),
    ("planar", "Planar", True),
    ("free", "Free, angles", True),
    ("free ball", "Free, quaternion", True),
)
"""Each kind with what a person reads, and whether it is for roots."""


def freedoms(
    kind: JointKind, joint: str, *, order: str = "", axis: Vector3 = AXES["x"], kept: Sequence[Dof] = ()
) -> tuple[Dof, ...]:
    """The degrees of freedom of a joint of that kind; one of those `kept` about or along the same line is taken over.

    `order` is that of the turns of a ball or a universal joint; `axis` that of a hinge or a slide.
    """
    names = _names(kind, order)
    made = [_one(kind, joint, axis)] if kind in ("hinge", "slide") else [_named(joint, name) for name in names]
    left, taken = list(kept), list[Dof]()
    for dof in made:
        same = next((each for each in left if _alike(each, dof)), None)
        if same is not None:
            left.remove(same)
        taken.append(dof if same is None else same)
    ids = [dof.id for dof in kept if dof in taken]
    found: list[Dof] = []
    for dof in taken:
        while dof not in kept and dof.id in ids:
            dof = replace(dof, id=f"{dof.id}'")
        ids.append(dof.id)
        found.append(dof)
    return tuple(found)


def kind_of(dofs: Sequence[Dof]) -> JointKind:
    """The kind of joint that a list of degrees of freedom is."""
    turns = [dof for dof in dofs if dof.kind == "hinge"]
    form = "".join(dof.kind[0] for dof in dofs)
    simple: dict[str, JointKind] = {"": "fixed", "h": "hinge", "s": "slide", "sssb": "free ball"}
    if form in simple:
        return simple[form]
    if not order_of(dofs):
        return "other"
    if form == "ssh" and {main_axis(dof.axis) for dof in dofs} == {"x", "y", "z"}:
        return "planar"
    if form == "ssshhh":
        return "free"
    kinds: dict[int, JointKind] = {2: "universal", 3: "ball"}
    return kinds.get(len(turns), "other") if len(turns) == len(dofs) else "other"


def order_of(dofs: Sequence[Dof]) -> str:
    """The main axes of the turns, such as "ZYX"; empty where one of them is skew or follows on itself."""
    letters = [main_axis(dof.axis) for dof in dofs if dof.kind == "hinge"]
    repeats = any(first == second for first, second in pairwise(letters))
    return "" if "" in letters or repeats else "".join(letters).upper()


def main_axis(axis: Vector3) -> str:
    """Name the axis, x, y or z, that a direction or its opposite is; empty if it is skew."""
    return next((name for name, main in AXES.items() if max(map(abs, _across(axis, main))) < 1e-12), "")


def followers_of(figure: Figure, joint: str, leader: str) -> tuple[tuple[Dof, DrivenBy], ...]:
    """List what of a joint may follow another, each with the line by which it does."""
    if joint == leader:
        return ()
    driving = {each.dof for dof in figure.driven for each in dof.driven}
    own = [dof for dof in figure.joint(joint).dofs if dof.kind != "ball" and not dof.driven and dof.id not in driving]
    led = {(dof.name, dof.kind): dof for dof in figure.joint(leader).dofs if not dof.driven}
    pairs = ((dof, led[dof.name, dof.kind]) for dof in own if (dof.name, dof.kind) in led)
    return tuple((dof, DrivenBy(dof=by.id, at=(0.0, 1.0), values=(0.0, _share(dof, by)))) for dof, by in pairs)


def breathing_of(figure: Figure) -> tuple[str, tuple[str, ...]] | None:
    """The breastbone of a skeleton and its ribs that do not follow it yet, by their ids; None where there are none."""
    leader = next((joint.id for joint in figure.joints if joint.id in ("sternum", "breastbone")), None)
    if leader is None:
        return None
    ribs = tuple(joint.id for joint in figure.joints if _RIB.match(joint.id) and followers_of(figure, joint.id, leader))
    return (leader, ribs) if ribs else None


def _share(dof: Dof, leader: Dof) -> float:
    """The range of one as a part of that of the other; 1 where one of them has no limits, or none to go."""
    ranges = [None if each.lower is None or each.upper is None else each.upper - each.lower for each in (dof, leader)]
    return ranges[0] / ranges[1] if ranges[0] and ranges[1] else 1.0


def _names(kind: JointKind, order: str) -> list[str]:
    moves = {"planar": ["move_x", "move_y"], "free": ["move_x", "move_y", "move_z"]}
    if kind == "free ball":
        return [*moves["free"], "turn"]
    if kind == "planar":
        return [*moves["planar"], "z"]
    counts = {"fixed": 0, "hinge": 1, "slide": 1, "universal": 2, "ball": 3, "free": 3}
    if kind not in counts:
        raise InvalidDocument(what="the kind of a joint", value=kind, allowed=", ".join(each for each, _, _ in KINDS))
    count = counts[kind]
    if kind in ("fixed", "hinge", "slide"):
        return []
    letters = (order or USUAL_ORDER[:count]).upper()
    if len(letters) != count or not any(each.startswith(letters) for each in ORDERS):
        allowed = f"{'two' if count == 2 else 'three'} of the letters X, Y, Z, neighbours different"
        raise InvalidDocument(what="the order of a joint's turns", value=order, allowed=allowed)
    named = [letter + ("2" if letter in letters.lower()[:at] else "") for at, letter in enumerate(letters.lower())]
    return [*moves.get(kind, ()), *named]


def _one(kind: DofKind, joint: str, axis: Vector3) -> Dof:
    name = main_axis(axis) or "axis"
    move = kind == "slide"
    text = f"{'Move' if move else 'Turn'} {name.upper()}" if name != "axis" else ("Move" if move else "Turn")
    return Dof(id=f"{joint}.{'move_' if move else ''}{name}", name=text, kind=kind, axis=axis)


def _named(joint: str, name: str) -> Dof:
    if name == "turn":
        return Dof(id=f"{joint}.turn", name="Turn", kind="ball")
    if name.startswith("move_"):
        return Dof(id=f"{joint}.{name}", name=f"Move {name[-1].upper()}", kind="slide", axis=AXES[name[-1]])
    return Dof(id=f"{joint}.{name}", name=f"Turn {name[0].upper()}", axis=AXES[name[0]])


def _alike(one: Dof, two: Dof) -> bool:
    return one.kind == two.kind and max(map(abs, _across(one.axis, two.axis))) < 1e-12


def _across(a: Vector3, b: Vector3) -> Vector3:
    """The cross product of unit vectors: nothing where they are in line."""
    if math.hypot(*a) < 1e-9:
        raise InvalidDocument(what="an axis", value=a, allowed="a direction that is not zero")
    norm = math.hypot(*a)
    x, y, z = (each / norm for each in a)
    return cross((x, y, z), b)

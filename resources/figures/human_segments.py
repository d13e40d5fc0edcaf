"""Masses of a human's bodies by de Leva's tables.

Source: P. de Leva 1996, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomech. 29:1223,
table 4. A segment's mass is a share of the whole; its centre lies so far along it from its upper end, and its radii of
gyration about the sagittal (front to back), transverse (side to side) and long axis are shares of its length.
Both sexes' rows were compared, number by number, with the table as BMClab/BMC gives it (BSPmale_ZdeLeva.txt and
BSPfemale_ZdeLeva.txt, CC BY 4.0) and with a second transcript (R. Gurchiek's deleva.m, 2018): all agree. The ends are
joint centres throughout; for the shank this is the row KJC-AJC, not that to the lateral malleolus (0.4459 and 0.4416).
As printed, the shares sum to 1.0000 for men and 0.9999 for women; `de_leva` divides by that sum.

The joints of a figure belong to segments by name (`thigh`, `LeftUpLeg`, `lfemur`, `hip_left` all carry the thigh);
one with another name belongs to its parent's. Bodies of one segment share its mass by their volumes. The centre of
upper arm, forearm, thigh and shank lies where the table says; for the trunk, head, hand and foot, whose ends are not
joints, where their shapes put it. Radii of gyration are the table's where one body makes up such a limb segment, else
those of the shapes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from engine.document import Body, Figure, Joint
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.inertia import volume_of
from engine.runtime.errors import InvalidArguments

Sex = Literal["male", "female"]


@dataclass(frozen=True)
class Limb:
    """One row: centre and radii of gyration as shares of the segment's length, between the joints' centres."""

    centre: float
    sagittal: float
    transverse: float
    long: float


MASS_SHARES: Mapping[Sex, Mapping[str, float]] = {
    "male": {
        "head": 0.0694,
        "upper trunk": 0.1596,
        "middle trunk": 0.1633,
        "lower trunk": 0.1117,
        "upper arm": 0.0271,
        "forearm": 0.0162,
        "hand": 0.0061,
        "thigh": 0.1416,
        "shank": 0.0433,
        "foot": 0.0137,
    },
    "female": {
        "head": 0.0668,
        "upper trunk": 0.1545,
        "middle trunk": 0.1465,
        "lower trunk": 0.1247,
        "upper arm": 0.0255,
        "forearm": 0.0138,
        "hand": 0.0056,
        "thigh": 0.1478,
        "shank": 0.0481,
        "foot": 0.0129,
    },
}
LIMBS: Mapping[Sex, Mapping[str, Limb]] = {
    "male": {
        "upper arm": Limb(0.5772, 0.285, 0.269, 0.158),
        "forearm": Limb(0.4574, 0.276, 0.265, 0.121),
        "thigh": Limb(0.4095, 0.329, 0.329, 0.149),
        "shank": Limb(0.4395, 0.251, 0.246, 0.102),
    },
    "female": {
        "upper arm": Limb(0.5754, 0.278, 0.260, 0.148),
        "forearm": Limb(0.4559, 0.261, 0.257, 0.094),
        "thigh": Limb(0.3612, 0.369, 0.364, 0.162),
        "shank": Limb(0.4352, 0.267, 0.263, 0.092),
    },
}
_PAIRED = ("upper arm", "forearm", "hand", "thigh", "shank", "foot")
_NEXT = {"upper arm": "forearm", "forearm": "hand", "thigh": "shank", "shank": "foot"}
# The segment that takes the mass of one which a figure does not have.
_INSTEAD = {
    "hand": "forearm",
    "foot": "shank",
    "head": "upper trunk",
    "middle trunk": "upper trunk",
    "upper trunk": "lower trunk",
}
_NAMES = {
    "lower trunk": "pelvis hips root",
    "middle trunk": "lowerspine middlespine lowerback spine abdomen",
    "upper trunk": "upperspine spine1 spine2 upperback thorax chest collar clavicle",
    "head": "neck neck1 lowerneck upperneck head",
    "upper arm": "shoulder upperarm arm humerus",
    "forearm": "elbow forearm lowerarm radius",
    "hand": "wrist hand",
    "thigh": "hip thigh upleg upperleg femur",
    "shank": "knee shank shin leg lowerleg tibia",
    "foot": "ankle foot",
}
_SEGMENT_OF = {name: segment for segment, names in _NAMES.items() for name in names.split()}


def de_leva(figure: Figure, mass: float, sex: Sex = "male") -> Figure:
    """The figure with a body for each joint that has none, as of a human of that mass [kg]."""
    if not 0.0 < mass < 1e4:
        raise InvalidArguments(what="the mass of a human", value=mass, allowed="kilograms, above 0")
    if sex not in MASS_SHARES:
        raise InvalidArguments(what="the table", value=sex, allowed=" or ".join(MASS_SHARES))
    groups = segments_of(figure)
    shares = _shares(groups, MASS_SHARES[sex])
    whole = sum(shares.values())
    bodies: dict[str, Body] = {}
    for (name, side), joints in groups.items():
        bodies |= _bodies(figure, name, joints, mass * shares[name, side] / whole, LIMBS[sex].get(name))
    kept = (replace(each, body=bodies[each.id]) if each.body is None else each for each in figure.joints)
    return replace(figure, joints=tuple(kept))


def segments_of(figure: Figure) -> dict[tuple[str, str], list[Joint]]:
    """The joints of each segment of each side; the trunk and head have the side ""."""
    plain = {joint.id: _plain_name(joint) for joint in figure.joints}
    arms = any(name in ("arm", "upperarm", "humerus") for name, _ in plain.values())
    found: dict[str, tuple[str, str]] = {}
    groups: dict[tuple[str, str], list[Joint]] = defaultdict(list)
    for joint in figure.joints:
        name, side = plain[joint.id]
        above = found.get(joint.parent or "", ("lower trunk", ""))
        segment = "upper trunk" if name == "shoulder" and arms else _SEGMENT_OF.get(name)
        if segment is None:
            found[joint.id] = above
        else:
            found[joint.id] = (segment, (side or above[1] or joint.id) if segment in _PAIRED else "")
        groups[found[joint.id]].append(joint)
    wanted = {"upper arm", "forearm", "thigh", "shank"} - {name for name, _ in groups}
    if wanted:
        allowed = f"joints named for a human's {', '.join(sorted(wanted))}"
        raise InvalidArguments(what=f"the figure {figure.name}", value=list(figure.joint_index)[:8], allowed=allowed)
    return dict(groups)


def _plain_name(joint: Joint) -> tuple[str, str]:
    """A joint's name without its side, and the side."""
    word = re.sub(r"[\s_.:-]", "", joint.id.rpartition(":")[2]).lower()
    for side in ("left", "right"):
        bare = word.replace(side, "")
        if bare != word:
            return bare, side
        if word.startswith(side[0]) and word[1:] in _SEGMENT_OF:
            return word[1:], side
    return word, "" if joint.side == "middle" else joint.side


def _shares(groups: Mapping[tuple[str, str], list[Joint]], table: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """Compute the share of the mass of each group, with that of segments that the figure lacks."""
    shares = dict.fromkeys(groups, 0.0)
    sides = sorted({side for name, side in groups if name == "thigh"}) or [""]
    for name, share in table.items():
        for side in sides if name in _PAIRED else [""]:
            taker = name
            while (taker, side if taker in _PAIRED else "") not in groups and taker in _INSTEAD:
                taker = _INSTEAD[taker]
            shares[taker, side if taker in _PAIRED else ""] += share
    return shares


def _bodies(figure: Figure, name: str, joints: list[Joint], mass: float, limb: Limb | None) -> dict[str, Body]:
    volumes = {joint.id: volume_of(joint) for joint in joints}
    total = sum(each.volume for each in volumes.values())
    bodies = {}
    for joint in joints:
        volume = volumes[joint.id]
        if total > 0.0:
            bodies[joint.id] = volume.body(mass / total)
        else:
            bodies[joint.id] = Body(mass=mass / len(joints))
    end = None if limb is None else _end(figure, name, joints)
    if limb is None or end is None:
        return bodies
    return _placed(figure, joints, bodies, end, limb)


def _end(figure: Figure, name: str, joints: list[Joint]) -> Array | None:
    """Find the end of a limb segment, in the frame of its first joint at rest; None if no joint says so."""
    own = {joint.id for joint in joints}
    for child in figure.joints:
        if child.parent in own and child.id not in own and _SEGMENT_OF.get(_plain_name(child)[0]) == _NEXT.get(name):
            return _in_first(figure, joints[0], child.parent, np.array(child.offset))
    return None


def _in_first(figure: Figure, first: Joint, id: str | None, point: Array) -> Array:
    """A point of a joint of the segment in the frame of its first joint at rest."""
    while id is not None and id != first.id:
        joint = figure.joint(id)
        point = rotation_matrix(joint.rest) @ point + np.array(joint.offset)
        id = joint.parent
    return point


def _placed(figure: Figure, joints: list[Joint], bodies: dict[str, Body], end: Array, limb: Limb) -> dict[str, Body]:
    """Bodies moved along the segment until their common centre lies where the table says."""
    first, length = joints[0], float(np.linalg.norm(end))
    along = end / length
    mass = sum(body.mass for body in bodies.values())
    if len(joints) == 1:
        x, y, z = (limb.centre * end).tolist()
        sagittal = np.array([0.0, 0.0, 1.0]) - along[2] * along
        sagittal /= np.linalg.norm(sagittal)
        axes = np.stack((sagittal, np.cross(along, sagittal), along))
        radii = length * np.array([limb.sagittal, limb.transverse, limb.long])
        inertia = axes.T @ np.diag(mass * radii**2) @ axes
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tolist()
        return {first.id: Body(mass=mass, centre=(x, y, z), inertia=(xx, yy, zz, xy, xz, yz))}
    centres = {id: _in_first(figure, first, id, np.array(body.centre)) for id, body in bodies.items()}
    now = sum(bodies[id].mass * (centre @ along) for id, centre in centres.items()) / mass
    shift = (limb.centre * length - now) * along
    moved = {}
    for id, body in bodies.items():
        origin = _in_first(figure, first, id, np.zeros(3))
        turn = np.stack([_in_first(figure, first, id, axis) - origin for axis in np.eye(3)])
        x, y, z = (np.array(body.centre) + turn @ shift).tolist()
        moved[id] = replace(body, centre=(x, y, z))
    return moved

"""Masses of the anatomy figure: de Leva's segments, shared among their bones with the flesh that they carry.

Source: P. de Leva 1996 as the shared table `segment_inertia_deleva_male.csv` gives it (from BMClab/BMC, CC BY 4.0) and
`resources.figures.human_segments` writes it. The bones of a segment have its mass together. Upper arm, forearm, thigh
and shank have the table's centres and radii of gyration; what a bone of head, trunk, hand and foot carries is an
ellipsoid of flesh beside the bone itself, whose share of the segment is estimated, as is the density of bone with its
marrow. The mean density of the body is 980 kg/m3, as in Si 2013 (section 4), on whose figure the
source builds: the density of every joint here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from anatomy_joints import Bone, Point
from anatomy_limbs import MIDFOOT, RAYS
from anatomy_trunk import RIBS, VERTEBRAE

from engine.document import Body
from engine.maths.arrays import Array
from resources.figures.human_segments import LIMBS, MASS_SHARES

MASS = 75.0  # [kg]
DENSITY = 980.0  # [kg/m3] of the whole body
BONE = 1300.0  # [kg/m3] of a bone with its marrow; estimated


@dataclass(frozen=True)
class Flesh:
    """What a bone has of a segment: the share of its mass, an ellipsoid in the bone's frame [m]."""

    segment: str
    share: float
    centre: Point
    half: Point


def shares(places: dict[str, Point]) -> dict[str, Flesh]:
    """Flesh of the bones of head, trunk, hand and foot, of one side."""

    def at(bone: str, x: float, y: float, z: float) -> Point:
        a, b, c = places[bone]
        return (x - a, y - b, z - c)

    found = {
        "skull": Flesh("head", 0.75, at("skull", 0.0, 0.715, -0.035), (0.078, 0.100, 0.100)),
        "jaw": Flesh("head", 0.05, at("jaw", 0.0, 0.635, 0.005), (0.050, 0.022, 0.040)),
        "hyoid": Flesh("head", 0.004, at("hyoid", 0.0, 0.612, -0.015), (0.025, 0.012, 0.020)),
        "sternum": Flesh("upper trunk", 0.080, at("sternum", 0.0, 0.42, 0.025), (0.075, 0.100, 0.030)),
        "clavicle": Flesh("upper trunk", 0.030, (0.075, -0.040, 0.005), (0.070, 0.045, 0.040)),
        "scapula": Flesh("upper trunk", 0.120, (-0.055, -0.090, -0.050), (0.075, 0.100, 0.055)),
        "sacrum": Flesh("lower trunk", 0.20, at("sacrum", 0.0, 0.085, -0.085), (0.090, 0.080, 0.065)),
        "hip_bone": Flesh("lower trunk", 0.28, at("hip_bone", 0.085, 0.040, -0.020), (0.085, 0.105, 0.115)),
        "hand": Flesh("hand", 0.62, (0.002, -0.050, 0.000), (0.040, 0.050, 0.016)),
        "thumb": Flesh("hand", 0.09, _middle("thumb", 0, 1), (0.017, 0.022, 0.017)),
        "thumb_tip": Flesh("hand", 0.05, _middle("thumb", 1, 3), (0.011, 0.024, 0.011)),
        "talus": Flesh("foot", 0.14, (0.0, -0.005, -0.004), (0.032, 0.024, 0.036)),
        "calcaneus": Flesh("foot", 0.32, (0.0, 0.008, 0.025), (0.032, 0.026, 0.048)),
        "midfoot": Flesh("foot", 0.42, (-MIDFOOT[0], -0.006, 0.125 - MIDFOOT[2]), (0.042, 0.026, 0.062)),
        "toes": Flesh("foot", 0.12, (0.006, 0.0, 0.024), (0.042, 0.012, 0.032)),
    }
    for name, tip in (("index", 0.032), ("middle", 0.034), ("ring", 0.030), ("little", 0.022)):
        found[name] = Flesh("hand", 1.05 * tip, _middle(name, 1, 2), (0.010, 0.024, 0.010))
        found[f"{name}_tip"] = Flesh(
            "hand", 0.24 / 0.118 * tip - 1.05 * tip, _middle(name, 2, 4), (0.008, 0.022, 0.008)
        )
    for each in VERTEBRAE:
        y, z, number = each.joint[0] + 0.012, each.joint[1], int(each.id.lstrip("abcdefghijklmnopqrstuvwxyz"))
        if each.id.startswith("cervical"):
            found[each.id] = Flesh("head", 0.028, at(each.id, 0.0, y, z - 0.010), (0.058, 0.011, 0.055))
        elif each.id.startswith("thoracic") and number <= 7:
            found[each.id] = Flesh("upper trunk", 0.035, at(each.id, 0.0, y, z + 0.030), (0.090, 0.015, 0.080))
        elif each.id.startswith("thoracic"):
            found[each.id] = Flesh("middle trunk", 0.052, at(each.id, 0.0, y - 0.012, z + 0.045), (0.110, 0.016, 0.090))
        elif number <= 3:
            found[each.id] = Flesh("middle trunk", 0.190, at(each.id, 0.0, y, z + 0.030), (0.135, 0.020, 0.105))
        else:
            found[each.id] = Flesh("lower trunk", 0.12, at(each.id, 0.0, y, z + 0.020), (0.145, 0.022, 0.110))
    for number, points in enumerate(RIBS, 1):
        x, y, z = np.mean(points, axis=0).tolist()
        upper = (0.006, 0.010, 0.018, 0.026, 0.034, 0.038, 0.038)
        share, segment = (upper[number - 1], "upper trunk") if number <= 7 else (0.014, "middle trunk")
        found[f"rib{number}"] = Flesh(segment, share, at(f"rib{number}", x, y, z), (0.040, 0.018, 0.070))
    return found


def bodies(
    all_bones: tuple[Bone, ...], places: dict[str, Point], own: dict[str, tuple[float, Array]]
) -> dict[str, Body]:
    """Body of every bone of one side; `own`: volume and middle of the bone itself [m3, m]."""
    table = MASS_SHARES["male"]
    whole = sum(
        share * (2 if name in ("upper arm", "forearm", "hand", "thigh", "shank", "foot") else 1)
        for name, share in table.items()
    )
    masses = {name: MASS * share / whole for name, share in table.items()}
    found = _limbs(masses, {bone.id: bone for bone in all_bones})
    flesh = shares(places)
    sided = {bone.id: bone.sided for bone in all_bones}
    for segment in {each.segment for each in flesh.values()}:
        mine = {id: each for id, each in flesh.items() if each.segment == segment}
        twice = segment not in ("hand", "foot")
        total = sum(each.share * (2 if twice and sided[id] else 1) for id, each in mine.items())
        for id, each in mine.items():
            found[id] = _joined(masses[segment] * each.share / total, each, *own[id])
    return found


def _middle(name: str, first: int, last: int) -> Point:
    points = RAYS[name]
    x, y, z = (0.5 * (b - a) for a, b in zip(points[first], points[last], strict=True))
    return (x, y, z)


def _joined(mass: float, flesh: Flesh, volume: float, middle: Array) -> Body:
    """A bone, as a point at its middle, in an ellipsoid of flesh."""
    bone = min(volume * BONE, 0.6 * mass)
    rest = mass - bone
    a, b, c = flesh.half
    parts = [(bone, middle, np.zeros((3, 3))),
             (rest, np.array(flesh.centre), 0.2 * rest * np.diag([b * b + c * c, a * a + c * c,
                 a * a + b * b]))]  # fmt: skip
    return _sum(parts)


def _sum(parts: list[tuple[float, Array, Array]]) -> Body:
    mass = sum(each[0] for each in parts)
    centre = sum((each[0] * each[1] for each in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for each, place, own in parts:
        away = place - centre
        inertia += own + each * (away @ away * np.eye(3) - np.outer(away, away))
    return _body(mass, centre, inertia)


def _body(mass: float, centre: Array, inertia: Array) -> Body:
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tolist()
    x, y, z = centre.tolist()
    return Body(mass=mass, centre=(x, y, z), inertia=(xx, yy, zz, xy, xz, yz))


def _limbs(masses: dict[str, float], by_id: dict[str, Bone]) -> dict[str, Body]:
    """The long bones: the table's centre along the segment, and its radii."""
    wrist = np.array(by_id["radius"].offset) + by_id["hand"].offset
    ankle = np.array(by_id["talus"].offset)
    ends = {
        "upper arm": np.array(by_id["ulna"].offset),
        "forearm": wrist,
        "thigh": np.array(by_id["tibia"].offset),
        "shank": ankle,
    }
    of = {
        "humerus": ("upper arm", 1.0, (0.0, 0.0, 0.0)),
        "ulna": ("forearm", 0.5, (0.0, 0.0, 0.0)),
        "radius": ("forearm", 0.5, by_id["radius"].offset),
        "femur": ("thigh", 1.0, (0.0, 0.0, 0.0)),
        "tibia": ("shank", 0.90, (0.0, 0.0, 0.0)),
        "fibula": ("shank", 0.085, by_id["fibula"].offset),
        "patella": ("shank", 0.015, by_id["patella"].offset),
    }
    found = {}
    for id, (segment, share, origin) in of.items():
        limb, end = LIMBS["male"][segment], ends[segment]
        length = float(np.linalg.norm(end))
        along = end / length
        front = np.array((0.0, 0.0, 1.0)) - along[2] * along
        front /= np.linalg.norm(front)
        axes = np.stack((front, np.cross(along, front), along))
        radii = length * np.array([limb.sagittal, limb.transverse, limb.long])
        mass = masses[segment] * share
        centre = limb.centre * end - np.array(origin)
        if id == "patella":
            centre, axes, radii = np.array((0.0, 0.026, 0.0)), np.eye(3), np.array((0.018, 0.018, 0.018))
        found[id] = _body(mass, centre, axes.T @ np.diag(mass * radii**2) @ axes)
    return found


__all__ = ["DENSITY", "MASS", "bodies", "shares"]

"""The bones of the anatomy figure: what each hangs on, where, and how it turns.

103 bones, 163 articular degrees of freedom: 24 vertebrae and the skull 3 each (75), jaw 1, ribs 24, breastbone 1; on
each side collar bone 3, shoulder blade 3, humerus 3, elbow 1, forearm 1, wrist 2 (26 both sides), thumb 3, four fingers
2 each (22), hip 3, knee 1, ankle 1, heel 1, toes 1 (14). The root, the sacrum, has six more. Hyoid, hip bones, fibula
and midfoot have none. The kneecap has none of its own either: its knee drives it, by three coordinates that are no
freedoms.

**Where from.** Centres and axes of hip, knee, ankle, heel, toes, shoulder, elbow, forearm and wrist, the ranges of
hip, ankle and heel, and the way of the kneecap: the model Rajagopal2016 (opensim-models, MIT), its joints and the
shared table `Rajagopal2016_coordinates.csv`. Centres of the joints of the spine: the middle of the discs on the
surface hat_spine (opensim-models, CC BY 3.0). Collar bone against breastbone, and blade against collar bone: the
shared table `full_body_bodies.csv` (after Bruno 2015, MIT). Ranges of knee and elbow (CFR), forearm and wrist (AAOS):
the shared table `range_of_motion_clinical.csv`. Ranges of the lumbar spine and of bending fingers, and of the thumb's
abduction: `full_body_joints.csv`, but that the rotation of its fourth lumbar joint, 0.317 rad, is a tenth of that
here: the joints beside it have 0.03 to 0.10. Below the fifth lumbar vertebra is what is left of that table's whole
lumbar flexion, -1.35 to 0.754 rad. Shoulder and toes have the ranges of the human of 71 degrees, so that the arm
reaches as far with its blade at rest. Everything else is estimated: the ranges of thoracic and cervical spine, skull,
jaw, ribs, breastbone, collar bone and blade, how far thumb and fingers stretch, and the axes of ribs, collar bone,
blade, thumb and fingers, which follow from the shapes. Nothing is taken from a paper itself.

**Frames.** A frame's origin is the joint above the bone; x to the left, y up, z forward while the skeleton stands
at rest, but that the upper arm hangs 8 degrees away, and hand and radius are turned by 80 degrees from the palm
forward, and fingers are a little bent; turned back, their axes are the same. So a point (x, y, z) of a right-sided body
of Rajagopal2016 is (z, y, x) of the left bone here, less the bone's entry in `FROM_OPENSIM`.

A breastbone that hangs on the ribs closes loops, which a tree cannot: here it hangs on the fourth thoracic vertebra,
amid those whose ribs reach it, and each rib on its own vertebra; shapes of cartilages belong to their ribs, and
bushings close the loops (`anatomy_cartilages.py`). So each rib's range is its share of the breastbone's: that by which
the end of its cartilage, a rigid part of it, stays nearest to where it reaches the breastbone, or the cartilage above,
as both begin to rise. The last two have that of the tenth.

**Discs, and what holds ribs at the spine,** are springs of the joints about their rest. Estimated, nothing of it read
in a paper: of the spine 0.3 to 6 N m for each degree, the order that tests of motion segments are quoted with
everywhere; of ribs and breastbone such that a rib's weight lowers it by a degree or two, as muscles between ribs and
the chest's pressure let it.

**The fibula** is fixed to its tibia: as the ankle bends it moves by 1 to 2 mm and as many degrees (estimated), which is
less than our bones' shapes are off by.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from anatomy_limbs import FIBULA, MIDFOOT, RAYS, SUBTALAR, TOES
from anatomy_solids import Point
from anatomy_trunk import HYOID_JOINT, JAW_JOINT, RIBS, SKULL_JOINT, STERNUM_JOINT, VERTEBRAE

Range = tuple[float, float]
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ROOT_HEIGHT = 0.8575  # [m] of the hips above the floor, the soles on it


@dataclass(frozen=True)
class Hinge:
    """A degree of freedom about an axis of the left or middle bone; range in degrees."""

    name: str
    axis: Point
    range: Range
    id: str = ""
    stiffness: float = 1.0  # weight in inverse kinematics: a drag turns less what has more
    spring: float = 0.0  # [N m/rad]


@dataclass(frozen=True)
class Follower:
    """A coordinate that another of the same side drives, by a spline through knots."""

    name: str
    kind: str
    axis: Point
    by: str
    at: tuple[float, ...]  # degrees
    values: tuple[float, ...]  # degrees, of a slide metres


@dataclass(frozen=True)
class Bone:
    """A bone and its joint, of the left side where it has two."""

    id: str
    parent: str
    offset: Point  # [m] in the parent's frame
    hinges: tuple[Hinge, ...] = ()
    followers: tuple[Follower, ...] = ()  # behind the hinges
    sided: bool = False
    rest: tuple[Point, float] | None = None  # axis, degrees
    name: str = ""
    group: str = ""
    shapes: tuple[str, ...] = field(default_factory=tuple)  # ids of parts, the second one cartilage


def minus(a: Point) -> Point:
    """The opposite direction."""
    return (-a[0], -a[1], -a[2])


def _away(a: Sequence[float], b: Sequence[float]) -> Point:
    x, y, z = (round(p - q, 5) + 0.0 for p, q in zip(a, b, strict=True))
    return (x, y, z)


def _unit(a: Sequence[float]) -> Point:
    x, y, z = (np.array(a) / np.linalg.norm(a)).round(4).tolist()
    return (x, y, z)


def _cross(a: Sequence[float], b: Sequence[float]) -> Point:
    return _unit(np.cross(np.array(a), np.array(b)).tolist())


# Of each vertebra: extension and flexion, side bend, rotation [degrees].
SPINE: dict[str, tuple[Range, float, float]] = {
    "lumbar5": ((-6.0, 18.0), 3.0, 1.0),
    "lumbar4": ((-4.8, 10.7), 5.1, 1.8),
    "lumbar3": ((-5.3, 14.3), 9.0, 1.7),
    "lumbar2": ((-6.0, 16.2), 9.1, 6.0),
    "lumbar1": ((-6.6, 17.9), 4.7, 4.7),
    "thoracic12": ((-4.0, 8.0), 8.0, 2.0),
    "thoracic11": ((-4.0, 8.0), 8.0, 2.0),
    "thoracic10": ((-3.0, 6.0), 6.0, 3.0),
    "thoracic9": ((-2.0, 4.0), 6.0, 4.0),
    "thoracic8": ((-2.0, 4.0), 6.0, 6.0),
    "thoracic7": ((-2.0, 4.0), 6.0, 7.0),
    "thoracic6": ((-2.0, 3.0), 6.0, 7.0),
    "thoracic5": ((-2.0, 3.0), 6.0, 8.0),
    "thoracic4": ((-2.0, 3.0), 6.0, 8.0),
    "thoracic3": ((-2.0, 3.0), 6.0, 8.0),
    "thoracic2": ((-2.0, 3.0), 6.0, 8.0),
    "thoracic1": ((-2.0, 3.0), 5.0, 9.0),
    "cervical7": ((-4.0, 5.0), 4.0, 2.0),
    "cervical6": ((-8.0, 9.0), 7.0, 6.0),
    "cervical5": ((-10.0, 10.0), 8.0, 7.0),
    "cervical4": ((-10.0, 10.0), 11.0, 7.0),
    "cervical3": ((-8.0, 7.0), 11.0, 7.0),
    "cervical2": ((-5.0, 5.0), 10.0, 3.0),
    "cervical1": ((-10.0, 10.0), 5.0, 40.0),
    "skull": ((-17.0, 10.0), 5.0, 5.0),
}
# From a body's frame of Rajagopal2016 (its right side written as (z, y, x)) to the bone's: what is taken off.
FROM_OPENSIM: dict[str, Point] = {
    "sacrum": (0.0, -0.07849, -0.056276),
    "femur": (0.0, 0.0, 0.0),
    "tibia": (-0.00148474, -0.0035348, -0.00808954),
    "talus": (0.0, 0.0, 0.0),
    "calcaneus": (0.0, 0.0, 0.0),
    "toes": (0.0, 0.0, 0.0),
    "humerus": (0.0, 0.0, 0.0),
    "ulna": (0.0, 0.0, 0.0),
    "radius": (0.0, 0.0, 0.0),
    "hand": (0.0, 0.0, 0.0),
}
# How much less a drag turns a bone than an arm: what breathes hardly follows a hand. By eye.
_STIFF = {"rib": 30.0, "sternum": 30.0, "jaw": 30.0, "clavicle": 5.0, "scapula": 5.0}
# Of discs, by flexion, side bend and rotation [N m for each degree]: the first that a bone's id begins with.
DISCS: dict[str, tuple[float, float, float]] = {
    "lumbar": (1.7, 1.7, 6.0),
    "thoracic": (2.7, 3.0, 2.6),
    "cervical1": (0.3, 0.3, 0.1),
    "cervical": (0.5, 0.7, 1.1),
    "skull": (0.3, 0.5, 0.5),
}
COSTOVERTEBRAL = 10.0  # [N m/rad] of ribs and breastbone
# Of each rib beside the breastbone: how far it is raised, since its cartilage ends there.
RIB_SHARES = (0.472, 0.713, 0.859, 0.944, 0.933, 0.953, 1.028, 1.052, 1.086, 1.136, 1.136, 1.136)
RAISED: Range = (-10.0, 15.0)
SACROILIAC: Point = (0.047, 0.115, -0.065)
STERNOCLAVICULAR: Point = (0.0255, 0.5454, -0.0173)
FOREARM = (-0.002, -0.9984, -0.0564)  # about it the radius turns
SUPINE = 80.0  # degrees that rest is pronated from the palm forward


def bones() -> tuple[Bone, ...]:
    """All bones, parents before children; each side's once."""
    return tuple(
        replace(
            bone,
            hinges=tuple(
                replace(hinge, stiffness=_STIFF.get(bone.id.rstrip("0123456789"), 1.0)) for hinge in bone.hinges
            ),
        )
        for bone in (*_trunk(), *_arm(), *_hand(), *_leg())
    )


def _spine_hinges(id: str) -> tuple[Hinge, ...]:
    flexion, bend, rotation = SPINE[id]
    disc = next(each for name, each in DISCS.items() if id.startswith(name))
    springs = [round(math.degrees(each), 1) for each in disc]
    return (
        Hinge("Rotation", Y, (-rotation, rotation), spring=springs[2]),
        Hinge("Flexion", X, flexion, spring=springs[0]),
        Hinge("Side bend", minus(Z), (-bend, bend), spring=springs[1]),
    )


def _trunk() -> list[Bone]:
    found = [Bone("sacrum", "", (0.0, ROOT_HEIGHT, 0.0), group="Pelvis")]
    found.append(Bone("hip_bone", "sacrum", SACROILIAC, sided=True, group="Pelvis"))
    below, place = "sacrum", (0.0, 0.0, 0.0)
    places: dict[str, Point] = {"sacrum": place}
    for each in VERTEBRAE:
        here = (0.0, *each.joint)
        group = {"l": "Lumbar spine", "t": "Thoracic spine", "c": "Neck"}[each.id[0]]
        name = re.sub(r"([a-z]+)(\d+)", r"\1 vertebra \2", each.id).capitalize()
        found.append(Bone(each.id, below, _away(here, place), _spine_hinges(each.id), name=name, group=group))
        below, place = each.id, here
        places[each.id] = here
    found.append(Bone("skull", below, _away(SKULL_JOINT, place), _spine_hinges("skull"), group="Head"))
    found.append(Bone("jaw", "skull", _away(JAW_JOINT, SKULL_JOINT), (Hinge("Opening", X, (0.0, 32.0)),), group="Head"))
    found.append(Bone("hyoid", "cervical3", _away(HYOID_JOINT, places["cervical3"]), group="Neck"))
    found.append(Bone("sternum", "thoracic4", _away(STERNUM_JOINT, places["thoracic4"]),
                      (Hinge("Raising", minus(X), RAISED, spring=COSTOVERTEBRAL),), group="Chest"))  # fmt: skip
    for number, points in enumerate(RIBS, 1):
        head, angle = points[0], points[1]
        axis = minus(_unit(_away(angle, head)))
        parent = f"thoracic{number}"
        shapes = (f"rib{number}", f"cartilage{number}") if number < 11 else (f"rib{number}",)
        share = RIB_SHARES[number - 1]
        raising = Hinge(
            "Raising", axis, (round(share * RAISED[0], 2), round(share * RAISED[1], 2)), spring=COSTOVERTEBRAL
        )
        found.append(Bone(f"rib{number}", parent, _away(head, places[parent]), (raising,),
                          sided=True, name=f"Rib {number}", group="Ribs", shapes=shapes))  # fmt: skip
    return found


def _arm() -> list[Bone]:
    blade = _unit((0.857, 0.0, 0.516))  # along the blade, from its inner edge to the socket
    return [
        Bone("clavicle", "sternum", _away(STERNOCLAVICULAR, STERNUM_JOINT),
             (Hinge("Elevation", Z, (-10.0, 40.0)), Hinge("Protraction", minus(Y), (-25.0, 30.0)), Hinge("Rotation",
                 minus(X), (-10.0, 40.0))),
             sided=True, name="Collar bone", group="Shoulder"),
        Bone("scapula", "clavicle", (0.1355, 0.0201, -0.0143),
             (Hinge("Internal rotation", minus(Y), (-20.0, 30.0)), Hinge("Upward rotation", _unit((-0.516, 0.0,
                 0.857)), (-15.0, 60.0)),
              Hinge("Tilt", minus(blade), (-20.0, 30.0))),
             sided=True, name="Shoulder blade", group="Shoulder"),
        Bone("humerus", "scapula", (0.0090, -0.0340, -0.0096),
             (Hinge("Flexion", minus(X), (-60.0, 180.0)), Hinge("Abduction", Z, (-40.0, 130.0)), Hinge("Rotation",
                 minus(Y), (-90.0, 70.0))),
             sided=True, rest=(Z, 8.0), group="Arm"),
        Bone("ulna", "humerus", (-0.0096, -0.2863, 0.0131), (Hinge("Flexion", (-0.974, -0.0223, -0.226), (0.0,
            145.0)),), sided=True, group="Arm"),
        Bone("radius", "ulna", (0.0261, -0.0130, -0.0067), (Hinge("Pronation", FOREARM, (-80.0, 80.0)),), sided=True,
            rest=(FOREARM, SUPINE), group="Arm"),
        Bone("hand", "radius", (0.0136, -0.2358, -0.0088),
             (Hinge("Flexion", minus(X), (-70.0, 80.0)), Hinge("Radial deviation", Z, (-30.0, 20.0), "deviation")),
                 sided=True, group="Hand"),
    ]  # fmt: skip


def _hand() -> list[Bone]:
    found = []
    thumb = RAYS["thumb"]
    along, beyond = _away(thumb[1], thumb[0]), _away(thumb[3], thumb[1])
    across = (-0.9, -0.2, 0.3)
    found.append(Bone("thumb", "hand", thumb[0], (Hinge("Flexion", _cross(along, across), (-40.0, 44.0)),
                      Hinge("Abduction", _cross(along, (0.0, 0.0, 1.0)), (-28.0, 44.0))), sided=True,
                          group="Hand"))  # fmt: skip
    found.append(Bone("thumb_tip", "thumb", _away(thumb[1], thumb[0]), (Hinge("Flexion", _cross(beyond, across),
        (-25.0, 75.0)),),
                      sided=True, name="Thumb tip", group="Hand"))  # fmt: skip
    for name in ("index", "middle", "ring", "little"):
        ray = RAYS[name]
        first = _cross(_away(ray[2], ray[1]), Z)
        second = _cross(_away(ray[4], ray[2]), Z)
        found.append(Bone(name, "hand", ray[1], (Hinge("Flexion", first, (-30.0, 80.0)),), sided=True, rest=(first,
            10.0),
                          name=f"{name.capitalize()} finger", group="Hand"))  # fmt: skip
        found.append(Bone(f"{name}_tip", name, _away(ray[2], ray[1]), (Hinge("Flexion", second, (-14.0, 76.0)),),
            sided=True, rest=(second, 14.0),
                          name=f"{name.capitalize()} fingertip", group="Hand"))  # fmt: skip
    return found


# The patellofemoral joint of Rajagopal2016, every 10 degrees of the knee: where the kneecap is before and below the
# femur's end [m], and how it is turned about the axis to the left [rad]; less what they are at 0, which is its offset.
_FORWARD = (0.0524, 0.0488, 0.0437, 0.0371, 0.0296, 0.0216, 0.0136, 0.0057, -0.0019, -0.0088, -0.0148, -0.0196, -0.0227)
_UP = (-0.0108, -0.019, -0.0263, -0.0322, -0.0367, -0.0395, -0.0408, -0.0404, -0.0384, -0.0349, -0.0301, -0.0245,
       -0.0187)  # fmt: skip
_TURNED = (0.00113686, -0.00629212, -0.105582, -0.253683, -0.414245, -0.579047, -0.747244, -0.91799, -1.09044, -1.26379,
           -1.43763, -1.61186, -1.78634)  # fmt: skip


def _follower(name: str, kind: str, axis: Point, values: Sequence[float], scale: float, digits: int) -> Follower:
    at = tuple(10.0 * knot for knot in range(len(values)))
    less = tuple(round(scale * (each - values[0]), digits) + 0.0 for each in values)
    return Follower(name, kind, axis, "tibia.flexion", at, less)


_KNEECAP = (
    _follower("Forward", "slide", Z, _FORWARD, 1.0, 4),
    _follower("Up", "slide", Y, _UP, 1.0, 4),
    _follower("Turn", "hinge", X, _TURNED, -180.0 / math.pi, 2),
)


def _leg() -> list[Bone]:
    hip = (0.07726, 0.0, 0.0)
    return [
        Bone("femur", "hip_bone", _away(hip, SACROILIAC),
             (Hinge("Flexion", minus(X), (-30.0, 120.0)), Hinge("Abduction", Z, (-30.0, 50.0)), Hinge("Rotation",
                 minus(Y), (-40.0, 40.0))),
             sided=True, group="Leg"),
        Bone("tibia", "femur", (-0.00275, -0.40796, -0.00809), (Hinge("Flexion", (0.9975, 0.0707, 0.0), (0.0,
            140.0)),), sided=True, group="Leg"),
        Bone("patella", "femur", (0.0, -0.41876, 0.04431), followers=_KNEECAP, sided=True, name="Kneecap", group="Leg"),
        Bone("fibula", "tibia", FIBULA, sided=True, group="Leg"),
        Bone("talus", "tibia", (0.00148, -0.39647, -0.00191), (Hinge("Dorsiflexion", (-0.9791, 0.174, 0.105), (-40.0,
            30.0)),), sided=True, group="Foot"),
        Bone("calcaneus", "talus", SUBTALAR, (Hinge("Inversion", (0.1209, -0.6047, -0.7872), (-20.0, 20.0)),),
            sided=True, group="Foot"),
        Bone("midfoot", "calcaneus", MIDFOOT, sided=True, group="Foot"),
        Bone("toes", "midfoot", _away(TOES, MIDFOOT), (Hinge("Flexion", (0.8139, 0.0, -0.581), (-60.0, 30.0)),),
            sided=True, group="Foot"),
    ]  # fmt: skip


def rest_places() -> dict[str, Point]:
    """Where each bone's frame stands at rest in that of the root's, were nothing turned [m]."""
    found: dict[str, Point] = {}
    for bone in bones():
        x, y, z = found.get(bone.parent, (0.0, 0.0, 0.0))
        a, b, c = bone.offset if bone.parent else (0.0, 0.0, 0.0)
        found[bone.id] = (x + a, y + b, z + c)
    return found


def quaternion(rest: tuple[Point, float]) -> list[float]:
    """The turn about an axis by degrees, as it is written in a file."""
    axis, half = np.array(rest[0]) / np.linalg.norm(rest[0]), 0.5 * math.radians(rest[1])
    return [math.cos(half), *(math.sin(half) * axis).tolist()]

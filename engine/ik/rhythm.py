"""The rhythm of the shoulder: how blade and collar bone go with an arm, where a figure that is retargeted has neither.

θ is the angle [rad] between the upper arm and the downward direction of the thorax. Of

    s(θ) = (sqrt(θ² + φ²) − φ) (1 − b²)²,    φ = 30 degrees, b how far of its length the arm goes behind the thorax

the blade is rotated upwards by 0.391 s against the thorax: of an arm that is raised all the way, by 180 degrees, it
takes 60, the 2 to 1 of the textbooks. Where the source has no collar bone, the target's goes back by 0.239 s and up by
0.101 s, and the blade is tilted backwards by 0.176 s and turned outwards by 0.048 s as well, one after the other as its
hinges are: tilted below a collar bone that stays, it would go into the ribs.

The shares are those of the shared table `full_body_joints.csv` (after Bruno 2015, MIT): the ranges of its coupled
joints of collar bone and blade beside that of `shoulder_elv`, π. That they go evenly, and that the blade waits in the
first 30 degrees, which makes the motion smooth where the arm hangs, and as good as stays where an arm is led backwards,
is ours.

D of the thorax is that of the source's joint above its collar or arm, so that blade and collar bone keep their rest
where the arm hangs. Whoever goes back needs no rhythm: upper arms are carried over as they stand in the world.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Literal

import numpy as np

from engine.document import Figure
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import chain
from engine.runtime.quick_dataclass import dataclass

SETTING = math.radians(30.0)  # of the arm, in which the blade hardly moves
_BLADE = re.compile("scapula|blade", re.IGNORECASE)
_OUT = 0.516, 0.857  # the blade's plane at rest: how far its outward direction goes forward and to the side
# Of each bone on the left: axes in the frame in which the figure stands, and what it turns about each, times s.
AXES: dict[str, tuple[Array, Array]] = {
    "blade": (np.array([(-_OUT[0], 0.0, _OUT[1])]), np.array([1.228]) / math.pi),
    "blade and collar": (
        np.array([(0.0, -1.0, 0.0), (-_OUT[0], 0.0, _OUT[1]), (-_OUT[1], 0.0, -_OUT[0])]),
        np.array([-0.152, 1.228, 0.552]) / math.pi,
    ),
    "collar": (np.array([(0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]), np.array([0.75, 0.318]) / math.pi),
}


_Bone = Literal["blade", "blade and collar", "collar"]
_Side = Literal["left", "right"]
_SIDES: tuple[_Side, ...] = ("left", "right")


@dataclass(frozen=True, kw_only=True)
class Rhythm:
    """A blade or a collar bone of the target that goes with an arm of the source."""

    joint: str
    bone: _Bone  # which of AXES
    side: _Side
    thorax: str  # of the source, as are arm and elbow
    arm: str
    elbow: str
    own: tuple[str, str]  # upper arm and elbow of the target


def blade_of(figure: Figure, roles: Mapping[str, str], side: str) -> str | None:
    """The shoulder blade above an upper arm, if a joint is named so."""
    joint = roles.get(f"upper arm {side}")
    while joint is not None and (joint := figure.joint(joint).parent) is not None:
        if joint == roles.get(f"collar {side}"):
            return None
        if _BLADE.search(joint):
            return joint
    return None


def rhythms(source: Figure, target: Figure, ours: Mapping[str, str], theirs: Mapping[str, str]) -> Iterator[Rhythm]:
    """The bones of the target's shoulders that the source has not, where the target has blades."""
    for side in _SIDES:
        names = [f"upper arm {side}", f"elbow {side}"]
        blade, collar = blade_of(target, theirs, side), f"collar {side}"
        if blade is None or any(name not in roles for roles in (ours, theirs) for name in names):
            continue
        thorax = source.joint(ours.get(collar, ours[names[0]])).parent
        if thorax is None:
            continue
        alone = collar not in theirs or collar in ours
        missing: list[tuple[_Bone, str]] = [] if alone else [("collar", theirs[collar])]
        if blade_of(source, ours, side) is None:
            missing.append(("blade" if alone else "blade and collar", blade))
        for bone, joint in missing:
            yield Rhythm(joint=joint, bone=bone, side=side, thorax=thorax, arm=ours[names[0]], elbow=ours[names[1]],
                         own=(theirs[names[0]], theirs[names[1]]))  # fmt: skip


def turns_of(
    rhythm: Rhythm, turned: Mapping[str, Array], places: Mapping[str, Array], rest: Mapping[str, Array], facing: Array
) -> Array:
    """D of the bone in every frame. `turned` has D of the source's joints, `places` where these are in its reference
    pose, `rest` where the target's are at rest [m]; `facing` turns the target to face where the source does."""
    along = places[rhythm.elbow] - places[rhythm.arm]
    thorax = turned[rhythm.thorax]
    arm = np.einsum("fji,fjk,k->fi", thorax, turned[rhythm.arm], along)
    raised = _raised(arm) - _raised(rest[rhythm.own[1]] - rest[rhythm.own[0]])
    axes, shares = AXES[rhythm.bone]
    axes = axes if rhythm.side == "left" else axes * (1.0, -1.0, -1.0)
    return np.asarray(thorax @ facing @ chain(axes, raised[:, None] * shares) @ facing.T)


def _raised(bone: Array) -> Array:
    """s of a direction of the upper arm in the frame of the thorax."""
    angle = np.arctan2(np.hypot(bone[..., 0], bone[..., 2]), -bone[..., 1])
    behind = np.maximum(-bone[..., 2], 0.0) / np.linalg.norm(bone, axis=-1)
    return np.asarray((np.sqrt(angle * angle + SETTING * SETTING) - SETTING) * (1.0 - behind * behind) ** 2)

"""Presets of gains, by region of the body: how a person holds himself who is relaxed, tense or tired.

What they look like, from the meaning of gains (`engine.kinodynamics.gains`): a lag of about 1 / (2 pi tension), some
swinging past where damping is below 1, a sag of about g / (l (2 pi tension)^2 (1 - relaxation)) times gravity's share
for a limb of length l. Relaxed: limbs and head trail and swing a little, the weight is mostly in the keys already.
Tense: everything follows at once and nothing sags. Tired: all gives way to weight, and little swings. A joint is of
the region that its group names, or its name where it has no group; outer parts are softer than the trunk.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

from engine.document.figure import Figure, Joint
from engine.document.secondary import Gains, OwnGains
from engine.runtime.errors import InvalidDocument

Preset = Literal["relaxed", "tense", "tired"]
Region = Literal["trunk", "head", "arm", "hand", "leg", "tail", "other"]

PRESETS: tuple[Preset, ...] = get_args(Preset)
REGIONS: tuple[Region, ...] = get_args(Region)

GAINS: dict[Preset, dict[Region, Gains]] = {
    "relaxed": {
        "trunk": Gains(tension=4.0, relaxation=0.1, damping=0.6, gravity=0.2),
        "head": Gains(tension=3.0, relaxation=0.2, damping=0.5, gravity=0.2),
        "arm": Gains(tension=2.5, relaxation=0.2, damping=0.4, gravity=0.3),
        "hand": Gains(tension=3.0, relaxation=0.3, damping=0.4, gravity=0.3),
        "leg": Gains(tension=5.0, relaxation=0.1, damping=0.6, gravity=0.1),
        "tail": Gains(tension=1.5, relaxation=0.2, damping=0.3, gravity=0.5),
        "other": Gains(tension=3.0, relaxation=0.2, damping=0.5, gravity=0.3),
    },
    "tense": {
        "trunk": Gains(tension=12.0, damping=1.0, gravity=0.0),
        "head": Gains(tension=9.0, damping=0.9, gravity=0.0),
        "arm": Gains(tension=8.0, damping=0.8, gravity=0.0),
        "hand": Gains(tension=9.0, damping=0.8, gravity=0.0),
        "leg": Gains(tension=12.0, damping=1.0, gravity=0.0),
        "tail": Gains(tension=5.0, damping=0.7, gravity=0.0),
        "other": Gains(tension=8.0, damping=0.8, gravity=0.0),
    },
    "tired": {
        "trunk": Gains(tension=3.0, relaxation=0.3, damping=0.9, gravity=0.5),
        "head": Gains(tension=2.0, relaxation=0.4, damping=0.8, gravity=0.7),
        "arm": Gains(tension=1.8, relaxation=0.4, damping=0.7, gravity=0.8),
        "hand": Gains(tension=2.0, relaxation=0.5, damping=0.7, gravity=0.8),
        "leg": Gains(tension=4.0, relaxation=0.2, damping=0.8, gravity=0.3),
        "tail": Gains(tension=1.2, relaxation=0.5, damping=0.6, gravity=1.0),
        "other": Gains(tension=2.0, relaxation=0.4, damping=0.7, gravity=0.7),
    },
}

# The first word that is found counts: a thumb is of the hand before an arm is looked for, "hips" are no hip.
_WORDS: tuple[tuple[Region, tuple[str, ...]], ...] = (
    ("hand", ("hand", "finger", "thumb", "index", "pinky")),
    ("tail", ("tail",)),
    ("trunk", ("trunk", "torso", "spine", "chest", "belly", "abdomen", "pelvis", "hips", "back")),
    ("head", ("head", "neck", "jaw", "skull")),
    ("arm", ("arm", "shoulder", "collar", "clavicle", "elbow", "wrist")),
    ("leg", ("leg", "hip", "thigh", "knee", "shin", "calf", "ankle", "foot", "toe")),
)


def region_of(joint: Joint) -> Region:
    """The region of the body that a joint moves."""
    said = (joint.group or joint.name).lower()
    return next((region for region, words in _WORDS if any(word in said for word in words)), "other")


def regions_of(figure: Figure) -> tuple[Region, ...]:
    """The regions that a figure's joints which follow are in."""
    there = {region_of(joint) for joint in _following(figure)}
    return tuple(region for region in REGIONS if region in there)


def joints_in(figure: Figure, region: Region) -> tuple[str, ...]:
    """List the joints of a region that can move and follow."""
    return tuple(joint.id for joint in _following(figure) if region_of(joint) == region)


def preset_gains(preset: str, figure: Figure, joints: Collection[str] | None = None) -> tuple[OwnGains, ...]:
    """Return the gains that a preset gives the joints of a figure that can move, or some of them; a root goes on
    following exactly."""
    if preset not in PRESETS:
        raise InvalidDocument(what="a preset of gains", value=preset, allowed=", ".join(PRESETS))
    table = next(GAINS[each] for each in PRESETS if each == preset)
    for id in joints or ():
        figure.joint(id)
    return tuple(
        _own(joint.id, table[region_of(joint)]) for joint in _following(figure) if joints is None or joint.id in joints
    )


def _following(figure: Figure) -> tuple[Joint, ...]:
    return tuple(joint for joint in figure.joints if joint.dofs and joint.parent is not None)


def _own(joint: str, gains: Gains) -> OwnGains:
    return OwnGains(
        joint=joint,
        tension=gains.tension,
        relaxation=gains.relaxation,
        damping=gains.damping,
        gravity=gains.gravity,
    )

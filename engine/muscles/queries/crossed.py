"""Finds the joints that a muscle crosses, and the groups of muscles that a person chooses among."""

from __future__ import annotations

from collections.abc import Iterator

from engine.document import Figure
from engine.motion.sides import side_of
from engine.muscles.crossing import dofs_crossed, joints_crossed
from engine.muscles.parts import Muscles
from engine.runtime.quick_dataclass import dataclass

# Parts of the body by the regions of the skeleton that ships: the division of Si 2013, figure 4.2, which has ten: left,
# right and medial trunk and head, left and right arm and leg; those without a muscle are left out.
PARTS = {
    "Jaw and hyoid": "head",
    "Neck": "head",
    "Lumbar back and abdomen": "trunk",
    "Transversus and diaphragm": "trunk",
    "Thoracic back": "trunk",
    "Ribs": "trunk",
    "Shoulder blade": "arm",
    "Upper arm and chest": "arm",
    "Elbow, wrist and fingers": "arm",
    "Hand": "arm",
    "Legs": "leg",
    "Feet": "leg",
}
ORDER = ("trunk", "head", "arm", "leg")

__all__ = ["MuscleGroup", "dofs_crossed", "muscle_groups"]


@dataclass(frozen=True, kw_only=True)
class MuscleGroup:
    """Some muscles of a figure, by a name."""

    kind: str  # "", "set", "body", "region", "joint"
    id: str  # of the set or the joint, the region's or the part's name
    name: str
    muscles: tuple[str, ...]


def muscle_groups(figure: Figure, muscles: Muscles) -> Iterator[MuscleGroup]:
    """Yield all muscles, then those of each set, part of the body, region and joint."""
    everyone = tuple(each.id for each in muscles.muscles)
    yield MuscleGroup(kind="", id="", name="All muscles", muscles=everyone)
    for group in muscles.sets:
        yield MuscleGroup(kind="set", id=group.id, name=group.name, muscles=group.muscles)
    yield from _parts(muscles)
    regions: dict[str, list[str]] = {}
    joints: dict[str, list[str]] = {}
    for each in muscles.muscles:
        regions.setdefault(each.region, []).append(each.id)
        for joint in joints_crossed(figure, each):
            joints.setdefault(joint, []).append(each.id)
    for region, ids in regions.items():
        if region:
            yield MuscleGroup(kind="region", id=region, name=region, muscles=tuple(ids))
    for joint in figure.joints:
        if joint.id in joints and joint.dofs:
            name = f"Across {joint.name[:1].lower()}{joint.name[1:]}"
            yield MuscleGroup(kind="joint", id=joint.id, name=name, muscles=tuple(joints[joint.id]))


def _parts(muscles: Muscles) -> Iterator[MuscleGroup]:
    """Yield the parts of the body, where muscles are in the regions that these have."""
    parts: dict[tuple[str, str], list[str]] = {}
    for each in muscles.muscles:
        if each.region in PARTS:
            side = side_of(each.id)
            parts.setdefault((PARTS[each.region], "medial" if side == "middle" else side), []).append(each.id)
    for part in ORDER:
        for side in ("left", "right", "medial"):
            if (part, side) in parts:
                name = f"{side} {part}"
                yield MuscleGroup(kind="body", id=name, name=name.capitalize(), muscles=tuple(parts[part, side]))

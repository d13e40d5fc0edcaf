"""Finds the joints that a muscle crosses, and the groups of muscles that a person chooses among."""

from __future__ import annotations

from collections.abc import Iterator

from engine.document import Figure
from engine.muscles.crossing import dofs_crossed, joints_crossed
from engine.muscles.parts import Muscles
from engine.runtime.quick_dataclass import dataclass

__all__ = ["MuscleGroup", "dofs_crossed", "muscle_groups"]


@dataclass(frozen=True, kw_only=True)
class MuscleGroup:
    """Some muscles of a figure, by a name."""

    kind: str  # "", "region", "joint", "set"
    id: str  # of the set or the joint, the region's name
    name: str
    muscles: tuple[str, ...]


def muscle_groups(figure: Figure, muscles: Muscles) -> Iterator[MuscleGroup]:
    """Yield all muscles, then those of each set, region and joint."""
    everyone = tuple(each.id for each in muscles.muscles)
    yield MuscleGroup(kind="", id="", name="All muscles", muscles=everyone)
    for group in muscles.sets:
        yield MuscleGroup(kind="set", id=group.id, name=group.name, muscles=group.muscles)
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

"""Participants of a problem, and all that goals depend on of their figures as one figure.

Each figure hangs on a joint without freedom that holds its placement. Ids are those of the figure behind its number:
`0/knee`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from engine.document import Dof, Figure, Joint
from engine.document.actor import Placement
from engine.ik.blocks import Block
from engine.ik.regions import Hinge, Region
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class Participant:
    """A figure in a problem, and what of it may move."""

    actor: str
    figure: Figure
    placement: Placement = field(default_factory=Placement)
    movable: frozenset[str] | None = None  # ids of degrees of freedom; None: all
    stiffness: Mapping[str, float] = field(default_factory=dict)  # by degree of freedom, in place of the figure's own


def kept_joints(participants: Sequence[Participant], blocks: Sequence[Block]) -> list[set[str]]:
    """Joints that some block depends on."""
    kept: list[set[str]] = [set() for _ in participants]
    place = {each.actor: index for index, each in enumerate(participants)}
    for block in blocks:
        for frame in (block.body, block.frame):
            if frame is None:
                continue
            figure, into = participants[place[frame.actor]].figure, kept[place[frame.actor]]
            if not frame.joint:
                into.update(figure.joint_index)
            joint: str | None = frame.joint or None
            while joint is not None and joint not in into:
                into.add(joint)
                joint = figure.joint(joint).parent
    return kept


def with_drivers(participants: Sequence[Participant], kept: Sequence[set[str]]) -> list[set[str]]:
    """Add to the joints that are kept those that drive what they have."""
    found = [set(each) for each in kept]
    for into, participant in zip(found, participants, strict=True):
        figure = participant.figure
        for dof in figure.driven:
            if figure.dof_joint[dof.id].id in into:
                into.update(figure.dof_joint[each.dof].id for each in dof.driven)
    return found


def with_needed(
    participants: Sequence[Participant], kept: Sequence[set[str]], regions: Sequence[Region]
) -> list[set[str]]:
    """Add to the joints that are kept those that they hang on, and those whose angles regions need to know."""
    found = [
        {above for id in each for above in participant.figure.above(id)} if participant.figure.driven else set(each)
        for participant, each in zip(participants, kept, strict=True)
    ]
    for each in regions:
        figure = participants[each.participant].figure
        for dof in each.limit.dofs:
            found[each.participant].update(figure.above(figure.dof_joint[dof].id))
    return found


def merged(
    participants: Sequence[Participant], kept: Sequence[set[str]], ends: Mapping[Hinge, tuple[float, float]]
) -> tuple[Figure, list[tuple[int, Joint | None]]]:
    """One figure of all that is kept; where each of its joints comes from. `ends`: limits of hinges in place of
    their own."""
    joints: list[Joint] = []
    origins: list[tuple[int, Joint | None]] = []
    for index, (each, names) in enumerate(zip(participants, kept, strict=True)):
        base = f"{index}"
        where = each.placement
        joints.append(Joint(id=base, name=each.figure.name, offset=where.position, rest=where.rotation))
        origins.append((index, None))
        for joint in each.figure.joints:
            if joint.id in names:
                parent = base if joint.parent is None else f"{base}/{joint.parent}"
                dofs = tuple(_bounded(_named(base, dof), ends.get((index, dof.id))) for dof in joint.dofs)
                fresh = Joint(
                    id=f"{base}/{joint.id}",
                    name=joint.name,
                    parent=parent,
                    offset=joint.offset,
                    rest=joint.rest,
                    dofs=dofs,
                )
                joints.append(fresh)
                origins.append((index, joint))
    return Figure(name="Problem", joints=tuple(joints)), origins


def _named(base: str, dof: Dof) -> Dof:
    return dof.renamed(f"{base}/{dof.id}", lambda driver: f"{base}/{driver}")


def _bounded(dof: Dof, ends: tuple[float, float] | None) -> Dof:
    if ends is None:
        return dof
    lower, upper = (each if math.isfinite(each) else None for each in ends)
    return replace(dof, lower=lower, upper=upper)

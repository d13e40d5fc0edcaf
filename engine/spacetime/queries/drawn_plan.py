"""What else is drawn of a planned motion: the other ways of moving that were found, points of the ghost that a hand may
take, and forces and blows of one's own.

Used by the engine's thread alone; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.document import Actor, Document, Figure
from engine.document.values import Vector3
from engine.maths.quaternions import turned
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.parts import Spacetime, SpacetimeForce
from engine.spacetime.queries.posed_motion import MotionPoses, triple

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.model.trails import Onion
    from engine.spacetime.queries.seen_motion import SeenMotion

WEIGHT, KICK = 0.5, 0.3  # of the figure's size: length of a push as large as its weight, of a blow by 1 m/s of its mass
LEAST_MASS = 1e-6  # [kg]
FREE = 0.4  # of the figure's size, length of the arrow of a force whose size is found
FARTHEST = 2.0  # of the figure's size, of the arrow of one that is given
BESIDE = 1.15  # of the width of a motion, from one ghost to the next
HIGH = 0.2  # of the figure's size above a ghost, where it is told of


@dataclass(frozen=True, eq=False)
class MotionWay:
    """One of the minima that a search has come to, as it is at the present."""

    motion: SeenMotion
    number: int  # from 1 on, the best
    time: int  # [ticks] at which it is drawn
    shift: Vector3  # [m] by which it stands beside its place
    onion: Onion
    top: Vector3  # [m] in the world, above it


@dataclass(frozen=True, kw_only=True)
class GhostPoint:
    """A point of the figure in the motion at the present, from which a constraint can be made."""

    name: str
    joint: str
    point: Vector3  # [m] in the joint's frame
    place: Vector3  # [m] in the world


@dataclass(frozen=True, kw_only=True)
class ForceMark:
    """A force or a blow of one's own: where it acts, and how its arrow is drawn."""

    force: SpacetimeForce
    time: int  # [ticks]
    place: Vector3  # [m] in the world, of the point that is pushed
    tip: Vector3  # [m]


def shift_of(poses: MotionPoses, plan: Spacetime, ticks: Collection[int], slots: int) -> Vector3:
    """Return where a ghost stands that is so many places beside the motion that is looked at: along the horizontal of
    its plane, or along X."""
    import numpy as np

    first = min(ticks)
    across = np.array((1.0, 0.0, 0.0))
    if plan.plane is not None:
        flat = np.cross((0.0, 1.0, 0.0), turned(poses.stands(first).rotation, plan.plane))
        size = float(np.linalg.norm(flat))
        across = flat / size if size > 1e-6 else across
    places = [poses.pose(tick).bodies.transforms[:, :, 3].astype(float) @ across for tick in ticks]
    width = max(float(np.ptp(np.concatenate(places))), poses.reach)
    return triple(slots * BESIDE * width * across)


def draw_way(
    evaluator: Evaluation, document: Document, owner: Actor, motion: SeenMotion, number: int, time: int, shift: Vector3
) -> MotionWay:
    """Stand the figure as one of the minima has it at a time, or at its nearer end, beside its place."""
    import numpy as np

    from engine.model.trails import Onion

    tick = min(max(time, motion.start), motion.end)
    poses = MotionPoses(evaluator, document, owner, motion, {})
    posed = poses.pose(tick)
    transforms, by = posed.bodies.transforms.copy(), np.array(shift, dtype=np.float32)
    transforms[:, :, 3] += by
    bodies = replace(posed.bodies, transforms=transforms)
    skins = tuple(replace(each, positions=each.positions + by) for each in posed.skins)
    places = transforms[:, :, 3]
    x, z = (float(places[:, axis].mean()) for axis in (0, 2))
    top = (x, float(places[:, 1].max()) + HIGH * poses.reach, z)
    onion = Onion(
        time=tick, number=0, bodies=bodies, skins=skins, fresh=True, planned=True, way=number
    )  # fmt: skip
    return MotionWay(motion, number, tick, shift, onion, top)


def ghost_points(poses: MotionPoses, plan: Spacetime, time: int) -> Iterator[GhostPoint]:
    """Yield the points of the ghost that may be taken, but for those of which a place is demanded at that time."""
    figure = poses.owner.figure
    demanded = {
        (each.joint, each.point)
        for each in plan.constraints
        if each.quantity == "point" and each.until is None and poses.tick(each.stage, each.at) == time
    }
    for name, joint, point in _points(figure):
        if (joint, point) not in demanded:
            yield GhostPoint(name=name, joint=joint, point=point, place=poses.place(time, joint, point))


def _points(figure: Figure) -> Iterator[tuple[str, str, Vector3]]:
    """Yield handles; of a figure that has none, its joints, and the ends of those that carry no other."""
    for handle in figure.handles:
        yield handle.name, handle.joint, handle.point
    if figure.handles:
        return
    parents = {joint.parent for joint in figure.joints}
    for joint in figure.joints:
        yield joint.name, joint.id, (0.0, 0.0, 0.0)
        if joint.body is not None and joint.id not in parents and math.hypot(*joint.body.centre) > 0.0:
            x, y, z = joint.body.centre
            yield f"{joint.name}, end", joint.id, (2.0 * x, 2.0 * y, 2.0 * z)


def force_marks(poses: MotionPoses, plan: Spacetime, time: int, chosen: str | None) -> Iterator[ForceMark]:
    """Yield forces that act at the present, blows at the ends of their stages, and the one that is chosen wherever it
    acts."""
    for force in plan.forces:
        stages = [each.id for each in plan.stages if not force.stages or each.id in force.stages]
        spans = [(poses.tick(each, 0.0), poses.tick(each, 1.0)) for each in stages]
        if force.blow:
            ticks = [last for _, last in spans]
        else:
            ticks = [time for first, last in spans if first <= time < last or first < time <= last][:1]
            if not ticks and force.id == chosen:
                ticks = [min(max(time, spans[0][0]), spans[0][1])]
        for tick in ticks:
            place = poses.place(tick, force.joint, force.point)
            yield ForceMark(force=force, time=tick, place=place, tip=_tip(poses, force, place))


def size_of(force: SpacetimeForce) -> float | None:
    """Return the size of a force that is given, [N] or [N s]; None where it is found."""
    return force.least if force.least is not None and force.least == force.most else None


def _tip(poses: MotionPoses, force: SpacetimeForce, place: Vector3) -> Vector3:
    size = size_of(force)
    mass = max(float(poses.weighed[:, 0].sum()), LEAST_MASS)
    length = FREE if size is None else (KICK * size / mass if force.blow else WEIGHT * size / (9.81 * mass))
    length = poses.reach * math.copysign(min(max(abs(length), 0.02), FARTHEST), length)
    share = length / math.hypot(*force.direction)
    x, y, z = (at + share * way for at, way in zip(place, force.direction, strict=True))
    return (x, y, z)

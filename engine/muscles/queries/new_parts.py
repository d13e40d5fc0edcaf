"""Proposes new muscles, points of paths and wraps where a figure has room for them, at rest: a person moves them on.

Fibres and tendon of a new muscle are together as long as its path at rest: it pulls from there on.
"""

from __future__ import annotations

import math
from dataclasses import replace

from engine.document import Figure
from engine.document.frames import Frame, rest_frames
from engine.document.segment import middle_of_segment
from engine.document.values import Vector3
from engine.muscles.checks import contains, points_inside
from engine.muscles.parts import Muscle, Muscles, MuscleWrap, PathPoint, PathWrap, WrapShape

FORCE = 500.0  # [N] of a new muscle
FIBRES = 0.6  # share of a new muscle's path that is fibres at rest; the rest is tendon
AHEAD = 0.03  # [m] from the bone, in front of which a new muscle goes
BEHIND = 0.02  # [m] behind the last point of a path that is prolonged
INSERTED = 0.4  # share of the way to the middle of a segment at which a new muscle ends
RADII: dict[WrapShape, tuple[float, ...]] = {
    "sphere": (0.02,), "cylinder": (0.02,), "ellipsoid": (0.03, 0.02, 0.02), "torus": (0.03, 0.01),
}  # fmt: skip


def muscle_between(figure: Figure, first: str, second: str, *, id: str, name: str) -> Muscle:
    """Propose a muscle from the middle of one joint's segment to the begin of another's, in front of both."""
    frames = rest_frames(figure)
    ends = tuple(
        _in_front(frames[joint], middle_of_segment(figure, joint), share)
        for joint, share in ((first, 1.0), (second, INSERTED))
    )
    length = max(math.dist(frames[first].at(ends[0]), frames[second].at(ends[1])), 0.01)
    points = tuple(PathPoint(joint=joint, point=point) for joint, point in zip((first, second), ends, strict=True))
    return Muscle(
        id=id, name=name, points=points, force=FORCE, fibre=FIBRES * length, tendon=(1.0 - FIBRES) * length
    )  # fmt: skip


def point_after(figure: Figure, muscle: Muscle, place: int) -> PathPoint:
    """Propose a point halfway from one of a path to the next, on the joint of the first; behind the last one, a little
    further on the way."""
    frames = rest_frames(figure)
    before, after = muscle.points[max(place - 1, 0)], muscle.points[min(place + 1, len(muscle.points) - 1)]
    here = muscle.points[place]
    start, end = (_frame(frames, each).at(each.point) for each in (here, after))
    if after is here:
        from_x, from_y, from_z = _frame(frames, before).at(before.point)
        x, y, z = (start[0] - from_x, start[1] - from_y, start[2] - from_z)
        share = BEHIND / max(math.hypot(x, y, z), 1e-6)
        found = (start[0] + share * x, start[1] + share * y, start[2] + share * z)
    else:
        found = (0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1]), 0.5 * (start[2] + end[2]))
    return on_joint(figure, PathPoint(joint=None, point=found), here.joint)


def on_joint(figure: Figure, point: PathPoint, joint: str | None) -> PathPoint:
    """Give the point another joint; it stays where it is at rest, and moves with nothing else."""
    frames = rest_frames(figure)
    there = Frame() if joint is None else frames[joint]
    place = there.seeing(Frame(position=_frame(frames, point).at(point.point))).position
    return PathPoint(joint=joint, point=place, dof=point.dof, lower=point.lower, upper=point.upper)


def has_room(muscles: Muscles, muscle: Muscle, place: int, point: PathPoint) -> bool:
    """Tell whether a point of a path may be put there: not inside of a wrap that the path goes round."""
    points = (*muscle.points[:place], point, *muscle.points[place + 1 :])
    return not any(points_inside(muscles, replace(muscle, points=points)))


def wrap_beside(figure: Figure, muscle: Muscle, *, id: str, name: str) -> MuscleWrap:
    """Propose a wrap at the joint to which a muscle goes; small enough to hold none of the path's points."""
    joint = muscle.points[-1].joint
    near = [math.hypot(*each.point) for each in muscle.points if each.joint == joint]
    radius = min(RADII["sphere"][0], 0.5 * min(near))
    centre: Vector3 = (0.0, 0.0, 0.0)
    if radius < 1e-3:  # a point stands on the joint: the wrap stands beside it
        radius, centre = RADII["sphere"][0], (0.0, 0.0, -2.0 * RADII["sphere"][0])
    return MuscleWrap(id=id, name=name, joint=joint, shape="sphere", radii=(radius,), centre=centre)


def reshaped(wrap: MuscleWrap, shape: WrapShape) -> dict[str, object]:
    """Give the radii and the length of a wrap in another shape, as wide as it is."""
    radii = tuple(wrap.radii[0] * each / RADII[shape][0] for each in RADII[shape])
    return {"shape": shape, "radii": radii, "length": wrap.length if shape == "cylinder" else None}


def range_around(muscle: Muscle, wrap: MuscleWrap) -> PathWrap | None:
    """Find between which points of a path a wrap can be minded, none of them inside of it; None: nowhere."""
    inside = [each.joint == wrap.joint and not each.curves and contains(wrap, each.point) for each in muscle.points]
    runs: list[tuple[int, int]] = []
    for place, is_inside in enumerate(inside):
        if not is_inside:
            first = runs[-1][0] if runs and runs[-1][1] == place - 1 else place
            runs = [*runs[:-1], (first, place)] if runs and runs[-1][1] == place - 1 else [*runs, (first, place)]
    first, last = max(runs, key=lambda run: run[1] - run[0], default=(0, 0))
    if first == last:
        return None
    return PathWrap(wrap=wrap.id, first=first, last=-1 if last == len(inside) - 1 else last)


def _in_front(frame: Frame, middle: Vector3, share: float) -> Vector3:
    """Give a place along a segment, moved ahead as the figure looks at rest."""
    ahead = Frame(rotation=frame.rotation).seeing(Frame(position=(0.0, 0.0, AHEAD))).position
    return (share * middle[0] + ahead[0], share * middle[1] + ahead[1], share * middle[2] + ahead[2])


def _frame(frames: dict[str, Frame], point: PathPoint) -> Frame:
    return Frame() if point.joint is None else frames[point.joint]

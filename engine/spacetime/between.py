"""Physical in-betweens: the least-effort motion from one pose of a figure to another (Winzell 2004, section 7.2)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.spacetime.planes import FigurePlane
from engine.spacetime.problem import (
    Demand,
    JointMuscle,
    MotionProblem,
    MotionStage,
    Representation,
    demand_rate,
    demand_value,
)

_NAME = "between"
_PIECE = 0.05  # [s], about as long as a piece is


def in_between(
    plane: FigurePlane,
    begin: Mapping[str, float],
    end: Mapping[str, float],
    seconds: float,
    *,
    begin_rates: Mapping[str, float] | None = None,
    end_rates: Mapping[str, float] | None = None,
    pieces: int | None = None,
    gravity: float = 9.80665,
) -> MotionProblem:
    """Ask for a motion between two poses, given as values of degrees of freedom by id, at rest where no rate is given.

    Every limb but the root has a muscle; a root that may slide or turn flies, and the others stay as the first pose
    has them. Coordinates keep within the figure's limits.
    """
    figure = plane.figure
    moved = {each.coordinate: each for each in plane.freedoms}
    poses = plane.coordinates(begin), plane.coordinates(end)
    coordinates = plane.representations()
    demands: list[Demand] = []
    for at, (pose, rates) in enumerate(zip(poses, (begin_rates or {}, end_rates or {}), strict=True)):
        for name, each in moved.items():
            value = float(pose[figure.coordinate(name)])
            demands.append(demand_value(_NAME, name, value, at=float(at)))
            demands.append(demand_rate(_NAME, name, each.sign * rates.get(each.dof.id, 0.0), at=float(at)))
    muscles = [limb.name for limb in figure.limbs[1:] if limb.name in moved]
    stage = MotionStage(
        name=_NAME,
        pieces=pieces or max(4, round(seconds / _PIECE)),
        length=seconds,
        coordinates=coordinates,
        muscles={name: Representation(kind="hat") for name in muscles},
    )
    return MotionProblem(
        figure=figure,
        stages=(stage,),
        demands=tuple(demands),
        muscles=tuple(JointMuscle(limb=name) for name in muscles),
        gravity=gravity,
    )

"""Physical in-betweens in space: the least-effort motion from one pose of a figure to another (7.2)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.spacetime.problem import MotionStage, Representation
from engine.spacetime.spatial.problem import SpatialDemand, SpatialProblem
from engine.spacetime.spatial.strengths import even_muscles, even_steadiness
from engine.spacetime.spatial.tree import SpatialFigure

_NAME = "between"
_PIECE = 0.075  # [s], about as long as a piece is


def spatial_between(
    figure: SpatialFigure,
    begin: Mapping[str, float],
    end: Mapping[str, float],
    seconds: float,
    *,
    begin_rates: Mapping[str, float] | None = None,
    end_rates: Mapping[str, float] | None = None,
    pieces: int | None = None,
) -> SpatialProblem:
    """Ask for a motion between two poses, given as the figure's coordinates by name; rates by those of
    `SpatialFigure.coordinates`, 0 where none is given.

    Every joint but the root has muscles; the root flies, or is nailed where it has no freedom that differs between the
    poses. Coordinates keep within the figure's limits.
    """
    least, most = figure.bounds
    own = int(figure.packed.carriers[0]) + 1  # coordinates of the root
    poses, demands = (figure.at(begin), figure.at(end)), list[SpatialDemand]()
    coordinates: dict[str, Representation] = {}
    for i, name in enumerate(figure.coordinates):
        low, high = (min(least[i], *(pose[i] for pose in poses)), max(most[i], *(pose[i] for pose in poses)))
        coordinates[name] = Representation(least=float(low), most=float(high))
        for at, (pose, rates) in enumerate(zip(poses, (begin_rates or {}, end_rates or {}), strict=True)):
            value, rate = float(pose[i]), rates.get(name, None if i < own else 0.0)
            demands.append(SpatialDemand(stage=_NAME, of=name, at=float(at), least=value, most=value))
            if rate is not None:
                demands.append(
                    SpatialDemand(stage=_NAME, quantity="rate", of=name, at=float(at), least=rate, most=rate)
                )
    muscles = figure.coordinates[own:]
    stage = MotionStage(
        name=_NAME,
        pieces=pieces or max(4, round(seconds / _PIECE)),
        length=seconds,
        coordinates=coordinates,
        muscles={name: Representation(kind="hat") for name in muscles},
    )
    return SpatialProblem(
        figure=figure,
        stages=(stage,),
        demands=tuple(demands),
        muscles=even_muscles(figure, muscles),
        steadiness=even_steadiness(figure),
    )

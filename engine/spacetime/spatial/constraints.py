"""Which constraints a spatial problem has besides equations of motion, each as the probes that it is the sum of.

Demands that fix no coefficients; and where stages meet without a blow, rates that go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from engine.maths.arrays import Array
from engine.spacetime.constraints import ProbeConstraint
from engine.spacetime.problem import ConstraintOrigin
from engine.spacetime.spatial.layout import NAILED, SpatialLayout, is_fixed
from engine.spacetime.spatial.probes import (
    CENTRE,
    CENTRE_RATE,
    FORCE,
    MOMENTUM,
    POINT,
    POINT_RATE,
    RATE,
    VALUE,
    PackedSpatialProbes,
)
from engine.spacetime.spatial.problem import SpatialDemand, SpatialProblem
from engine.spacetime.spatial.splines import spline_basis

_KINDS = {"point": POINT, "centre": CENTRE, "point rate": POINT_RATE, "centre rate": CENTRE_RATE, "momentum": MOMENTUM}
_ROUNDING = 1e-12


@dataclass
class SpatialProbeList:
    """Constraints and the probes that they are made of."""

    constraints: list[ProbeConstraint] = field(default_factory=list)
    ints: list[tuple[int, int, int, int, int]] = field(default_factory=list)  # kind, row, piece, subject, joint
    places: list[tuple[float, float, float]] = field(default_factory=list)
    directions: list[tuple[float, ...]] = field(default_factory=list)
    factors: list[float] = field(default_factory=list)
    bases: list[Array] = field(default_factory=list)
    hats: list[tuple[float, float]] = field(default_factory=list)

    def look(
        self,
        kind: int,
        pieces: int,
        place: tuple[int, int, float],
        subject: int,
        *,
        joint: int = -1,
        spot: tuple[float, float, float] = (0.0, 0.0, 0.0),
        direction: tuple[float, float, float] = (0.0, 0.0, 0.0),
        factor: float = 1.0,
    ) -> None:
        """Add a probe to the last constraint; `place`: piece among all, within its stage of so many, and u."""
        piece, within, u = place
        basis = spline_basis(pieces, within, u)
        self.ints.append((kind, len(self.constraints) - 1, piece, subject, joint))
        self.places.append(spot)
        self.directions.append((0.0, 0.0, 0.0, *direction))
        self.factors.append(factor)
        self.bases.append(np.where(np.abs(basis) > _ROUNDING, basis, 0.0))
        self.hats.append((1.0 - u, u))

    def pack(self) -> PackedSpatialProbes:
        """Pack them for kernels."""
        ints = np.array(self.ints, np.int32).reshape(-1, 5).T
        kinds, rows, pieces, subjects, joints = (np.ascontiguousarray(each) for each in ints)
        return PackedSpatialProbes(
            kinds,
            rows,
            pieces,
            subjects,
            joints,
            np.array(self.places, np.float64).reshape(-1, 3),
            np.array(self.directions, np.float64).reshape(-1, 6),
            np.array(self.factors, np.float64),
            np.array(self.bases, np.float64).reshape(-1, 3, 4),
            np.array(self.hats, np.float64).reshape(-1, 2),
        )


def list_spatial_probes(problem: SpatialProblem, layout: SpatialLayout) -> SpatialProbeList:
    """List all constraints of a problem that are made of probes."""
    found = SpatialProbeList()
    for demand in problem.demands:
        if not is_fixed(problem, demand):
            _add_demand(problem, layout, demand, found)
    for stage in range(len(problem.stages) - 1):
        if not is_struck(problem, stage):
            _go_on(problem, layout, stage, found)
    return found


def is_struck(problem: SpatialProblem, stage: int) -> bool:
    """Tell whether a stage ends with blows."""
    given = problem.stages[stage]
    blows = [problem.blow(given, each.name) for each in problem.blows]
    return any(each.kind != "constant" or each.value != 0.0 for each in blows)


def first_spatial_piece(problem: SpatialProblem, stage: int) -> int:
    """Return the number of a stage's first piece among all."""
    return sum(each.pieces for each in problem.stages[:stage])


def _times(problem: SpatialProblem, demand: SpatialDemand) -> Iterator[tuple[int, float, float]]:
    """Piece, place on it, and share of the stage, of each time at which a demand is looked at."""
    pieces = problem.stages[problem.stage(demand.stage)].pieces
    if demand.until is None:
        piece = min(int(demand.at * pieces), pieces - 1)
        yield piece, demand.at * pieces - piece, demand.at
        return
    for piece in range(pieces):
        for sample in range(demand.samples + (piece == pieces - 1)):
            share = (piece + sample / demand.samples) / pieces
            if demand.at - _ROUNDING <= share <= demand.until + _ROUNDING:
                yield piece, sample / demand.samples, share


def _add_demand(problem: SpatialProblem, layout: SpatialLayout, demand: SpatialDemand, found: SpatialProbeList) -> None:
    figure, stage = problem.figure, problem.stage(demand.stage)
    kind, subject, joint, scale = _KINDS.get(demand.quantity, VALUE), -1, -1, figure.reach
    spot = (0.0, 0.0, 0.0)
    if demand.point is not None:
        joint, spot = figure.joint(demand.point.joint), demand.point.place
        subject = int(figure.packed.carriers[joint])
    elif demand.quantity == "momentum":
        subject = figure.coordinate(demand.of)
        scale = float(layout.torque_scales[subject]) * layout.seconds
    elif demand.quantity in ("value", "rate"):
        forces = tuple(each.name for each in problem.forces)
        if demand.of in forces and demand.quantity == "value":
            kind, subject, scale = FORCE, forces.index(demand.of), figure.mass * 9.81
        else:
            kind, subject = (VALUE if demand.quantity == "value" else RATE), figure.coordinate(demand.of)
            scale = 1.0 if figure.turns[subject] else figure.reach
    if kind in (RATE, POINT_RATE, CENTRE_RATE):
        scale /= layout.seconds
    words, first = describe_spatial_demand(demand), first_spatial_piece(problem, stage)
    origin = ConstraintOrigin("demand", demand.of, demand.key, demand.quantity)
    for piece, u, share in _times(problem, demand):
        found.constraints.append(ProbeConstraint(demand.least, demand.most, scale, words, stage, share, origin))
        place = first + piece, piece, u
        pieces = problem.stages[stage].pieces
        found.look(kind, pieces, place, subject, joint=joint, spot=spot, direction=demand.direction)


def describe_spatial_demand(demand: SpatialDemand) -> str:
    """Say what a demand is of."""
    along = ", ".join(f"{each:g}" for each in demand.direction)
    if demand.point is not None:
        place = ", ".join(f"{each:g}" for each in demand.point.place)
        return f"{demand.quantity} of {demand.point.joint} at ({place}) along ({along})"
    if demand.quantity.startswith("centre"):
        return f"{demand.quantity} of mass along ({along})"
    return f"{demand.quantity} of {demand.of}"


def _go_on(problem: SpatialProblem, layout: SpatialLayout, stage: int, found: SpatialProbeList) -> None:
    """Go on with the same rates from a stage to the next; what stayed leaves from rest, and what is nailed may stop."""
    before, after = problem.stages[stage], problem.stages[stage + 1]
    last = first_spatial_piece(problem, stage + 1) - 1
    moving = layout.packed.moving
    for i, name in enumerate(problem.figure.coordinates):
        if moving[stage, i] == 0 and moving[stage + 1, i] == 0:
            continue
        if moving[stage + 1, i] == 0 and layout.packed.roles[stage + 1, i] == NAILED:
            continue
        words = f"rate of {name} from {before.name} to {after.name}"
        scale = (1.0 if problem.figure.turns[i] else problem.figure.reach) / layout.seconds
        origin = ConstraintOrigin("path", name, quantity="rate")
        found.constraints.append(ProbeConstraint(0.0, 0.0, scale, words, stage, 1.0, origin))
        if moving[stage + 1, i]:
            found.look(RATE, after.pieces, (last + 1, 0, 0.0), i)
        if moving[stage, i]:
            found.look(RATE, before.pieces, (last, before.pieces - 1, 1.0), i, factor=-1.0)

"""Which constraints a problem has besides equations of motion, each as the probes that it is the sum of.

Demands; bounds of Hermite cubics between the ends of pieces (4.4.2, or for Bézier's control points); links between
stages: each path goes on, and momentum changes by the blows between them alone (3.16), unless a coordinate is constant
on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.spacetime.bases import HERMITE, SINGLE, basis, basis_slope, control_point
from engine.spacetime.layout import VariableLayout, natural_forces
from engine.spacetime.probes import BLOW, MOMENTUM, POINT, POINT_RATE, RATE, VALUE, PackedProbes
from engine.spacetime.problem import ConstraintOrigin, Demand, FrictionCone, MotionProblem, Representation

_POINTS = {"point": POINT, "centre": POINT, "point rate": POINT_RATE, "centre rate": POINT_RATE}


@dataclass(frozen=True)
class ProbeConstraint:
    """Bounds, what a large violation is, and what a person reads."""

    lower: float
    upper: float
    scale: float
    demand: str
    stage: int
    share: float  # of the stage
    origin: ConstraintOrigin


@dataclass
class ProbeList:
    """Constraints and the probes that they are made of."""

    constraints: list[ProbeConstraint] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    pieces: list[int] = field(default_factory=list)
    subjects: list[int] = field(default_factory=list)
    coordinates: list[int] = field(default_factory=list)
    factors: list[float] = field(default_factory=list)
    arms: list[Array | None] = field(default_factory=list)
    directions: list[tuple[float, float]] = field(default_factory=list)
    bases: list[tuple[Array, Array]] = field(default_factory=list)

    def look(
        self,
        kind: int,
        piece: int,
        subject: int,
        bases: tuple[Array, Array],
        *,
        factor: float = 1.0,
        coordinate: int = -1,
        arms: Array | None = None,
        direction: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Add a probe to the last constraint."""
        self.kinds.append(kind)
        self.rows.append(len(self.constraints) - 1)
        self.pieces.append(piece)
        self.subjects.append(subject)
        self.coordinates.append(coordinate)
        self.factors.append(factor)
        self.arms.append(arms)
        self.directions.append(direction)
        self.bases.append(bases)

    def pack(self, limbs: int) -> PackedProbes:
        """Pack them for kernels."""
        none = np.zeros((limbs, 2))
        return PackedProbes(
            np.array(self.kinds, np.int32),
            np.array(self.rows, np.int32),
            np.array(self.pieces, np.int32),
            np.array(self.subjects, np.int32),
            np.array(self.coordinates, np.int32),
            np.array(self.factors, np.float64),
            np.array([none if each is None else each for each in self.arms], np.float64).reshape(-1, limbs, 2),
            np.array(self.directions, np.float64).reshape(-1, 2),
            np.array(self.bases, np.float64).reshape(-1, 2, 3, 4),
        )


def list_probes(problem: MotionProblem, layout: VariableLayout) -> ProbeList:
    """List all constraints of a problem that are made of probes."""
    found = ProbeList()
    for demand in problem.demands:
        _add_demand(problem, layout, demand, found)
    for stage, each in enumerate(problem.stages):
        for function, representation in enumerate(problem.representations(each)):
            _add_bounds(problem, layout, stage, function, representation, found)
    for cone in problem.cones:
        _add_cone(problem, layout, cone, found)
    for stage in range(len(problem.stages) - 1):
        _add_link(problem, layout, stage, found)
    _add_ends(problem, layout, found)
    return found


def whole_length(seconds: float, stages: int) -> ProbeConstraint:
    """Say how long all stages are together: the sum of the variables that are their lengths."""
    words, origin = "length of all stages", ConstraintOrigin("whole", "")
    return ProbeConstraint(seconds, seconds, seconds, words, stages - 1, 1.0, origin)


def first_piece(problem: MotionProblem, stage: int) -> int:
    """Return the number of a stage's first piece among all."""
    return sum(each.pieces for each in problem.stages[:stage])


def _bases(u: float) -> tuple[Array, Array]:
    return basis(u), basis_slope(u)


def _times(problem: MotionProblem, demand: Demand) -> Iterator[tuple[int, float, float]]:
    """Piece, place on it, and share of the stage, of each time at which a demand is looked at."""
    pieces = problem.stages[problem.stage(demand.stage)].pieces
    if demand.until is None:
        piece = min(int(demand.at * pieces), pieces - 1)
        yield piece, demand.at * pieces - piece, demand.at
        return
    for piece in range(pieces):
        for sample in range(demand.samples + (piece == pieces - 1)):
            share = (piece + sample / demand.samples) / pieces
            if demand.at - 1e-12 <= share <= demand.until + 1e-12:
                yield piece, sample / demand.samples, share


def _add_demand(problem: MotionProblem, layout: VariableLayout, demand: Demand, found: ProbeList) -> None:
    stage, forces = problem.stage(demand.stage), natural_forces(problem, layout.seconds)
    size, seconds = float(layout.scales[0]), layout.seconds
    figure, arms = problem.figure, None
    if demand.quantity in _POINTS:
        kind, subject = _POINTS[demand.quantity], 0
        arms = figure.centre() if demand.point is None else figure.arms(demand.point)
        scale = size if kind == POINT else size / seconds
    elif demand.quantity == "momentum":
        kind, subject = MOMENTUM, problem.figure.coordinate(demand.of)
        scale = float(forces[subject]) * seconds
    else:
        kind, subject = (VALUE if demand.quantity == "value" else RATE), problem.function(demand.of)
        scale = float(layout.scales[subject]) / (1.0 if kind == VALUE else seconds)
    words, origin = describe_demand(demand), ConstraintOrigin("demand", demand.of, demand.key, demand.quantity)
    for piece, u, share in _times(problem, demand):
        found.constraints.append(ProbeConstraint(demand.least, demand.most, scale, words, stage, share, origin))
        at = first_piece(problem, stage) + piece
        found.look(kind, at, subject, _bases(u), arms=arms, direction=demand.direction)


def describe_demand(demand: Demand) -> str:
    """Say what a demand is of."""
    if demand.point is not None:
        what = f"{demand.point.limb} at ({demand.point.place[0]:g}, {demand.point.place[1]:g})"
        return f"{demand.quantity} of {what} along ({demand.direction[0]:g}, {demand.direction[1]:g})"
    if demand.quantity.startswith("centre"):
        return f"{demand.quantity} of mass along ({demand.direction[0]:g}, {demand.direction[1]:g})"
    return f"{demand.quantity} of {demand.of}"


def _add_bounds(
    problem: MotionProblem,
    layout: VariableLayout,
    stage: int,
    function: int,
    representation: Representation,
    found: ProbeList,
) -> None:
    """Bound a Hermite cubic between the ends of its pieces."""
    least, most = representation.least, representation.most
    if representation.kind != "hermite" or not (np.isfinite(least) or np.isfinite(most)):
        return
    pieces, first = problem.stages[stage].pieces, first_piece(problem, stage)
    if representation.form == "hull":
        places = [((control_point(index), np.zeros((3, 4))), index / 3.0) for index in (1, 2)]
    else:
        steps = [(index + 1) / (representation.samples + 1) for index in range(representation.samples)]
        places = [(_bases(u), u) for u in steps]
    words, scale = f"bounds of {problem.functions[function]}", float(layout.scales[function])
    origin = ConstraintOrigin("bounds", problem.functions[function])
    for piece in range(pieces):
        for bases, u in places:
            found.constraints.append(ProbeConstraint(least, most, scale, words, stage, (piece + u) / pieces, origin))
            found.look(VALUE, first + piece, function, bases)


def _add_ends(problem: MotionProblem, layout: VariableLayout, found: ProbeList) -> None:
    """Begin and end the whole motion with the momentum of the rates there, in coordinates that are held: without, the
    forces that hold them could throw the figure at the first moment."""
    forces, last = natural_forces(problem, layout.seconds), len(problem.stages) - 1
    for side, (stage, share) in enumerate(((0, 0.0), (last, 1.0))):
        pieces = problem.stages[stage].pieces
        piece = first_piece(problem, stage) + (pieces - 1 if side else 0)
        for i, name in enumerate(problem.figure.coordinates):
            if problem.representations(problem.stages[stage])[i].kind != "held":
                continue
            words, scale = f"momentum of {name}", float(forces[i]) * problem.stages[stage].length
            origin = ConstraintOrigin("momentum", name)
            found.constraints.append(ProbeConstraint(0.0, 0.0, scale, words, stage, share, origin))
            layout.ends[stage, i, side] = layout.equations + len(found.constraints) - 1
            found.look(MOMENTUM, piece, i, _bases(share), factor=1.0 - 2.0 * side)


def _add_cone(problem: MotionProblem, layout: VariableLayout, cone: FrictionCone, found: ProbeList) -> None:
    """Keep a contact in its cone: at the nodes, and for Hermite cubics at the control points between them."""
    stage, tangent = problem.stage(cone.stage), problem.function(cone.tangent)
    normals = [problem.function(name) for name in cone.normals]
    pieces, first = problem.stages[stage].pieces, first_piece(problem, stage)
    kinds = {int(layout.packed.kinds[stage, each]) for each in (tangent, *normals)}
    inner = [(control_point(index), np.zeros((3, 4))) for index in (1, 2)] if HERMITE in kinds else []
    places = [(piece, bases, piece / pieces) for piece in range(pieces) for bases in (_bases(0.0), *inner)]
    places.append((pieces - 1, _bases(1.0), 1.0))
    if kinds == {SINGLE}:
        places = places[-1:]
    scale, name = float(layout.scales[tangent]), " and ".join(cone.normals)

    def demand(
        words: str, piece: int, bases: tuple[Array, Array], share: float, parts: dict[int, float], most: float
    ) -> None:
        origin = ConstraintOrigin("cone", cone.tangent)
        found.constraints.append(ProbeConstraint(0.0, most, scale, words, stage, share, origin))
        for subject, factor in parts.items():
            found.look(VALUE, first + piece, subject, bases, factor=factor)

    for piece, bases, share in places:
        pressing = dict.fromkeys(normals, cone.friction)
        if cone.slides:
            words = f"{cone.tangent} as friction of {name}"
            demand(words, piece, bases, share, {**pressing, tangent: -float(cone.slides)}, 0.0)
        else:
            for way in (1.0, -1.0):
                demand(
                    f"{cone.tangent} within friction of {name}", piece, bases, share, {**pressing, tangent: way}, np.inf
                )
        for each, normal in zip(normals, cone.normals, strict=True):
            demand(f"{normal} pushes", piece, bases, share, {each: 1.0}, np.inf)


def _add_link(problem: MotionProblem, layout: VariableLayout, stage: int, found: ProbeList) -> None:
    """Join a stage to the next."""
    before, after = problem.stages[stage], problem.stages[stage + 1]
    names, forces = problem.figure.coordinates, natural_forces(problem, layout.seconds)
    last = first_piece(problem, stage + 1) - 1
    ends, begins = _bases(1.0), _bases(0.0)
    old, new = problem.representations(before), problem.representations(after)
    blows = len(problem.functions) - len(problem.blows)
    for i, name in enumerate(names):
        if old[i].stays and new[i].stays:
            if old[i].value != new[i].value:
                found_values = f"{old[i].value:g} on {before.name}, {new[i].value:g} on {after.name}"
                allowed = "the same value of a constant on stages that follow each other"
                raise InvalidArguments(what=name, value=found_values, allowed=allowed)
        else:
            words = f"{name} goes on from {before.name} to {after.name}"
            scale, path = float(layout.scales[i]), ConstraintOrigin("path", name)
            found.constraints.append(ProbeConstraint(0.0, 0.0, scale, words, stage, 1.0, path))
            found.look(VALUE, last + 1, i, begins)
            found.look(VALUE, last, i, ends, factor=-1.0)
        if (layout.packed.kinds[stage : stage + 2, i] == SINGLE).all():
            continue
        if old[i].kind == "held" and not new[i].stays and not any(each.kind != "constant" for each in old[blows:]):
            words, scale = f"{name} leaves {before.name} from rest", float(layout.scales[i]) / layout.seconds
            path = ConstraintOrigin("path", name)
            found.constraints.append(ProbeConstraint(0.0, 0.0, scale, words, stage, 1.0, path))
            found.look(RATE, last + 1, i, begins)
        words = f"momentum of {name} from {before.name} to {after.name}"
        scale = float(forces[i]) * min(before.length, after.length)
        origin = ConstraintOrigin("momentum", name)
        found.constraints.append(ProbeConstraint(0.0, 0.0, scale, words, stage, 1.0, origin))
        row = layout.equations + len(found.constraints) - 1
        for side, (number, piece, bases) in enumerate(((stage + 1, last + 1, begins), (stage, last, ends))):
            if layout.packed.rows[number, i] >= 0:
                layout.ends[number, i, side] = row
            else:
                found.look(MOMENTUM, piece, i, bases, factor=2.0 * side - 1.0)
        for blow, representation in enumerate(old[blows:]):
            if representation.kind != "constant" or representation.value:
                given = problem.blows[blow]
                arms = problem.figure.arms(given.point)
                found.look(BLOW, last, blows + blow, ends, coordinate=i, arms=arms, direction=given.direction)

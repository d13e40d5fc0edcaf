"""A spatial motion problem as a non-linear program: variables and constraints in the order of time, kernels for all.

Constraints are the equations of motion and bounds of torques, then those that are made of probes, then the momenta that
blows change.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, BoolArray, IntArray
from engine.optimise.program import ProgramDerivatives, ProgramShape, ProgramValues, multiply_sparse
from engine.spacetime.constraints import ProbeConstraint, whole_length
from engine.spacetime.problem import ConstraintOrigin
from engine.spacetime.spatial.calm import differentiate_spatial_calm, evaluate_spatial_calm, pack_calm
from engine.spacetime.spatial.cones import list_cones
from engine.spacetime.spatial.constraints import list_spatial_probes
from engine.spacetime.spatial.layout import MUSCLE, NAILED, lay_out_spatial
from engine.spacetime.spatial.links import BlowLinks
from engine.spacetime.spatial.points import PointDerivatives, differentiate_points, evaluate_points, new_point_work
from engine.spacetime.spatial.power import new_tree_work
from engine.spacetime.spatial.probes import (
    FORCE,
    POINT,
    POINT_RATE,
    RATE,
    VALUE,
    differentiate_spatial_probes,
    evaluate_spatial_probes,
    new_probe_work,
)
from engine.spacetime.spatial.problem import SpatialProblem
from engine.spacetime.spatial.slides import SlideRows
from engine.spacetime.spatial.smooth import differentiate_smoothness, evaluate_smoothness, new_smooth_work


class SpatialProgram:
    """The program of one problem."""

    def __init__(self, problem: SpatialProblem) -> None:
        self.problem, self.layout = problem, lay_out_spatial(problem)
        listed = list_spatial_probes(problem, self.layout)
        self._probes = listed.pack()
        self._first_link = self.layout.equations + len(listed.constraints)
        self._links = BlowLinks(problem, self.layout, self._first_link)
        cones = list_cones(problem, self.layout)
        if problem.whole is not None:
            cones.add_sum(whole_length(problem.whole, len(problem.stages)), self.layout.packed.lengths)
        self._first_cone = self._first_link + len(self._links.constraints)
        self._first_slide = self._first_cone + len(cones.constraints)
        self._cones = cones.rows, cones.columns, cones.numbers
        self._work = new_point_work(
            new_tree_work(problem.figure, len(problem.forces)), len(problem.figure.coordinates), len(problem.forces)
        )
        self._slides = SlideRows(problem, self.layout, self._first_slide, self._work)
        self._made: list[ProbeConstraint] = [
            *listed.constraints, *self._links.constraints, *cones.constraints, *self._slides.constraints
        ]  # fmt: skip
        packed, width = self.layout.packed, self.layout.packed.columns.shape[1]
        self._calm = pack_calm(problem.figure, problem.calm, width)
        smoothness = np.ascontiguousarray(packed.costs[:, 3])
        is_smooth = problem.points > 1 and smoothness.any()
        self._smooth = new_smooth_work(smoothness, problem.points, width) if is_smooth else None
        self._probe_work = new_probe_work(self._work, len(self._probes.kinds))
        self._shape = self._find_shape()

    @property
    def shape(self) -> ProgramShape:
        """Bounds, scales and patterns."""
        return self._shape

    def evaluate(self, x: Array) -> ProgramValues:
        """Return objective and constraints."""
        packed, equations = self.layout.packed, self.layout.equations
        constraints = np.zeros(len(self._shape.constraint_lower))
        objective = evaluate_points(packed, x, self._work, constraints)
        if len(self._calm.costs):
            objective += evaluate_spatial_calm(packed, self._calm, x, self._work)
        if self._smooth is not None:
            objective += evaluate_smoothness(packed, self._smooth, x, self._work)
        made = constraints[equations : self._first_link]
        evaluate_spatial_probes(packed, self._probes, x, self._probe_work, made)
        self._links.evaluate(x, constraints)
        multiply_sparse(*self._cones, x, constraints[self._first_cone : self._first_slide])
        self._slides.evaluate(packed, x, constraints)
        return ProgramValues(objective, constraints)

    def differentiate(self, x: Array, multipliers: Array, weight: float, *, curved: bool = True) -> ProgramDerivatives:
        """Return them with derivatives."""
        packed, equations, out = self.layout.packed, self.layout.equations, self._out
        self._work.curved[0] = float(curved)
        constraints = np.zeros(len(self._shape.constraint_lower))
        objective = differentiate_points(packed, x, multipliers, weight, self._work, constraints, out)
        if len(self._calm.costs):
            objective += differentiate_spatial_calm(packed, self._calm, x, weight, self._work, out)
        if self._smooth is not None:
            objective += differentiate_smoothness(packed, self._smooth, x, weight, self._work, out)
        made, of_probes = (each[equations : self._first_link] for each in (constraints, multipliers))
        differentiate_spatial_probes(
            packed, self._probes, x, of_probes, self._probe_work, made, self._probe_jacobian, out.hessian
        )
        self._links.differentiate(x, multipliers, constraints)
        multiply_sparse(*self._cones, x, constraints[self._first_cone : self._first_slide])
        self._slides.differentiate(packed, x, multipliers, constraints, out.hessian)
        return ProgramDerivatives(objective, constraints, out.gradient, self._jacobian, self._hessian)

    def describe(self, constraint: int) -> str:
        """Say which demand a constraint is, and when."""
        if constraint < self.layout.equations:
            _, coordinate, _, bound = self.layout.equation_names[constraint]
            name = self.problem.figure.coordinates[coordinate]
            words = f"bounds of torque of {name}" if bound else f"equation of motion of {name}"
        else:
            words = self._made[constraint - self.layout.equations].demand
        stage, share = self.moment(constraint)
        return f"{words}, {self.problem.stages[stage].name} at {self.nominal_time(stage, share):.3g} s"

    def moment(self, constraint: int) -> tuple[int, float]:
        """Return the stage of a constraint, and when it is looked at as a share of that."""
        if constraint < self.layout.equations:
            stage, _, share, _ = self.layout.equation_names[constraint]
            return stage, share
        made = self._made[constraint - self.layout.equations]
        return made.stage, made.share

    def origin(self, constraint: int) -> ConstraintOrigin:
        """Return where a constraint comes from."""
        if constraint < self.layout.equations:
            _, coordinate, _, bound = self.layout.equation_names[constraint]
            name = self.problem.figure.coordinates[coordinate]
            return ConstraintOrigin("bounds", f"torque of {name}") if bound else ConstraintOrigin("equation", name)
        return self._made[constraint - self.layout.equations].origin

    def nominal_time(self, stage: int, share: float) -> float:
        """When a share of a stage comes, with lengths as first guessed."""
        stages = self.problem.stages
        return sum(each.length for each in stages[:stage]) + share * stages[stage].length

    def _find_shape(self) -> ProgramShape:
        layout, links, slides = self.layout, self._links, self._slides
        self._allocate()
        first, second = self._pairs()
        rows, columns = self._reads()
        made = self._made
        return ProgramShape(
            lower=layout.lower,
            upper=layout.upper,
            scale=layout.scale,
            constraint_lower=np.concatenate([layout.equation_lower, [float(each.lower) for each in made]]),
            constraint_upper=np.concatenate([layout.equation_upper, [float(each.upper) for each in made]]),
            constraint_scale=np.concatenate([layout.equation_scale, [each.scale for each in made]]),
            objective_scale=self._objective_scale(),
            jacobian_rows=np.concatenate([rows, links.rows, self._first_cone + self._cones[0], slides.rows]),
            jacobian_columns=np.concatenate([columns, links.columns, self._cones[1], slides.columns(self._used)]),
            hessian_rows=np.concatenate([first, links.first]),
            hessian_columns=np.concatenate([second, links.second]),
            variable_times=layout.times,
            constraint_times=np.full(len(layout.equation_names) + len(made), -1.0),
        )

    def _allocate(self) -> None:
        """Make memory for derivatives: those of pieces, of probes, of links, behind each other."""
        packed, links = self.layout.packed, self._links
        pieces, width = packed.columns.shape
        rows, probes = self.layout.row_count, len(self._probes.kinds)
        split = pieces * rows * width
        end = split + probes * width
        last = end + len(links.rows)
        made, slides = np.concatenate([np.zeros(last), self._cones[2]]), self._slides
        self._jacobian = np.concatenate([made, slides.jacobian.reshape(-1)])
        slides.jacobian = self._jacobian[len(made) :].reshape(slides.jacobian.shape)
        square = pieces * width * width
        self._hessian = np.zeros(square + len(links.first))
        links.jacobian, links.hessian = self._jacobian[end:last], self._hessian[square:]
        self._probe_jacobian = self._jacobian[split:end].reshape(probes, width)
        self._out = PointDerivatives(
            self._jacobian[:split].reshape(pieces, rows, width),
            self._hessian[:square].reshape(pieces, width, width),
            np.zeros(len(self.layout.lower)),
        )

    def _reads(self) -> tuple[IntArray, IntArray]:
        """Rows and columns of the Jacobian's numbers, of pieces and probes; -1 where there is always nothing."""
        packed, layout = self.layout.packed, self.layout
        pieces, width = packed.columns.shape
        rows = np.full((pieces, layout.row_count), -1, np.int32)
        reads = np.zeros((pieces, layout.row_count, width), bool)
        bounds = layout.row_count - layout.bound_count * len(packed.weights)
        for piece, stage in enumerate(packed.pieces[:, 0]):
            for i in range(packed.moving.shape[1]):
                numbers: list[tuple[int, int]] = []
                if packed.slots[stage, i] >= 0:
                    numbers += [(2 * packed.slots[stage, i] + hat, packed.rows[piece, 2 * i + hat]) for hat in (0, 1)]
                if packed.bound_slots[stage, i] >= 0:
                    numbers += [
                        (bounds + point * layout.bound_count + packed.bound_slots[stage, i], row)
                        for point, row in enumerate(packed.bounds[piece, :, i])
                    ]
                for at, row in numbers:
                    rows[piece, at] = row
                    reads[piece, at] = self._torque_reads(i)
        columns = np.where(reads, self._used[:, None, :], -1)
        probes = np.where(self._probe_reads(), self._used[self._probes.pieces], -1)
        of_probes = np.repeat(layout.equations + self._probes.rows, width)
        return (
            np.concatenate([np.repeat(rows.reshape(-1), width), of_probes]).astype(np.int32),
            np.concatenate([columns.reshape(-1), probes.reshape(-1)]).astype(np.int32),
        )

    @property
    def _used(self) -> IntArray:
        """Columns of pieces, -1 for variables that have no choice."""
        columns = self.layout.packed.columns
        free = self.layout.lower < self.layout.upper
        return np.where((columns >= 0) & free[columns], columns, -1).astype(np.int32)

    def _torque_reads(self, i: int) -> BoolArray:
        """Which local numbers a torque depends on."""
        packed = self.layout.packed
        tree, n = packed.tree, packed.moving.shape[1]
        found = np.zeros(packed.columns.shape[1], bool)
        for k in tree.relatives[tree.starts[i] : tree.starts[i + 1]]:
            found[4 * k : 4 * k + 4] = True
        for f, rate in enumerate(packed.forces.rates):
            found[4 * n + 2 * f : 4 * n + 2 * f + 2] = i in _chain(tree.parents, int(rate))
        found[-1] = True
        return found

    def _probe_reads(self) -> BoolArray:
        """Which local numbers each probe depends on."""
        packed, probes = self.layout.packed, self._probes
        tree, n = packed.tree, packed.moving.shape[1]
        found = np.zeros((len(probes.kinds), packed.columns.shape[1]), bool)
        for p, kind in enumerate(probes.kinds):
            subject = int(probes.subjects[p])
            if kind == FORCE:
                found[p, 4 * n + 2 * subject : 4 * n + 2 * subject + 2] = True
                continue
            if kind in (VALUE, RATE):
                subjects = [subject]
            elif kind in (POINT, POINT_RATE):
                subjects = _chain(tree.parents, subject)
            else:
                subjects = list(range(n))
            orders = [0] if kind in (VALUE, POINT) else [1] if kind == RATE else [0, 1]
            seen = np.any(probes.bases[p, orders] != 0.0, axis=0)
            for j in subjects:
                found[p, 4 * j : 4 * j + 4] = seen
            found[p, -1] = kind >= POINT_RATE or kind == RATE
        return found

    def _pairs(self) -> tuple[IntArray, IntArray]:
        """Pairs of variables of each piece; -1 where there is never a second derivative."""
        packed, used = self.layout.packed, self._used
        pieces, width = used.shape
        tree, n, f = packed.tree, packed.moving.shape[1], len(packed.forces.rates)
        related = np.zeros((n, n), bool)
        for i in range(n):
            mine = tree.relatives[tree.starts[i] : tree.starts[i + 1]]
            related[i, mine] = True
        own = np.zeros((len(packed.counts), n + f, n + f), bool)
        above = [_chain(tree.parents, int(rate)) for rate in packed.forces.rates]
        chains = np.array([[i in each for i in range(n)] for each in above], bool).reshape(f, n)
        for stage in range(len(packed.counts)):
            reach = np.concatenate([related, chains.T], axis=1)  # what each torque reads
            driven = reach[packed.roles[stage] == MUSCLE].astype(np.float64)
            own[stage] = driven.T @ driven > 0.0
            own[stage, :n, :n] |= related
            own[stage, n:, :n] |= chains
            own[stage, range(n, n + f), range(n, n + f)] = True
            if (packed.roles[stage] == NAILED).all():
                own[stage] = False
        wide = np.repeat(np.arange(n + f), [4] * n + [2] * f)
        pairs = np.ones((pieces, width, width), bool)
        pairs[:, :-1, :-1] = own[packed.pieces[:, 0]][:, wide[:, None], wide]
        if len(self._probes.kinds):
            whole = self._probes.kinds > POINT
            pairs[self._probes.pieces[whole], :-1, :-1] = True
        pairs[self._slides.pieces, :-1, :-1] = True
        pairs &= np.tril(np.ones((width, width), bool)) & (used[:, :, None] >= 0) & (used[:, None, :] >= 0)
        first = np.where(pairs, used[:, :, None], -1)
        second = np.where(pairs, used[:, None, :], -1)
        return first.reshape(-1), second.reshape(-1)

    def _objective_scale(self) -> float:
        """Estimate a large cost: that of large torques over all the time, or the like."""
        seconds, found = self.layout.seconds, 0.0
        for each in self.problem.muscles:
            torque = float(self.layout.torque_scales[self.problem.figure.coordinate(each.limb)])
            found += each.torque * torque**2 * seconds + each.power * torque**2 / seconds + abs(each.work) * torque
            found += each.smoothness * torque**2 / seconds
        return found if found > 0.0 else 1.0


def _chain(parents: IntArray, rate: int) -> list[int]:
    """A rate and those on its way to the root."""
    found = []
    while rate >= 0:
        found.append(rate)
        rate = int(parents[rate])
    return found

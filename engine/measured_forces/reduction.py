"""Residual reduction: a motion, and where the trunk's mass is, changed a little, so that they agree with the forces
that were measured with the motion.

What OpenSim's residual reduction algorithm (Delp and others 2007, OpenSim: open-source software to create and analyze
dynamic simulations of movement) reaches by tracking forward in time is found here for all times at once. Hinges and
slides, driven and still ones aside, get corrections x on cubic B-splines (`splines.py`), the trunk's mass centre a
shift d. With the residuals r at the rates of the root (`residuals.py`) Gauss and Newton's steps make least

    sum_t |r / s|^2  +  w ( sum_t ( |x / sigma|^2 + |p / sigma_p|^2 ) + |d / sigma_d|^2 )

at times t a quarter of the knots' spacing apart; p is by how much bodies move on which forces were measured, so that
feet stay where the plates felt them. s is a hundredth of the ground's greatest force, [N] or that at 1 m [N m]; sigma
are 1 degree and 1 cm, sigma_p is 2 mm. Each step's matrix is banded, bordered by d. The weight w is raised until all
corrections are within what is allowed.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from engine.document import Actor, Body, Document, Dof, Figure
from engine.document.measured_forces import MeasuredForces
from engine.document.ticks import TICKS_PER_SECOND
from engine.dynamics.mechanics import GRAVITY
from engine.evaluation import Evaluation
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.measured_forces.residuals import STEPS, RootResiduals
from engine.measured_forces.splines import HELD, CorrectionSplines
from engine.measured_forces.uses import forces_of, measured_time
from engine.model.inertia import body_of
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass

WEIGHT = 1.0  # w, to begin with
ROUNDS = 4  # of Gauss and Newton
PER_SPAN = 4  # times between two knots
DEGREE, CENTIMETRE, FOOT, CENTRE = math.radians(1.0), 0.01, 0.002, 0.01  # [rad], [m] sigma
STILL = 1e-4  # [rad], [m] what moves less is held, as by a lock, and stays
FARTHEST = 0.05  # [m] the shift of the trunk's mass centre
STRONGER, RAISED = 3.0, 16  # times the weight, and how often, where corrections are too large


@dataclass(frozen=True, kw_only=True)
class ReductionOptions:
    """Over which time, and how much may change."""

    start: int | None = None  # [ticks]; None: while forces were measured and the figure moves
    end: int | None = None
    spacing: float = 0.05  # [s] of the knots
    degrees: float = 3.0  # by which hinges may change at most
    centimetres: float = 3.0  # and slides
    trunk: str | None = None  # the joint whose body's mass centre may shift; None: none

    def __post_init__(self) -> None:
        for what, value, least, most in (
            ("the spacing of the knots [s]", self.spacing, 0.01, 10.0),
            ("the most that hinges change [degrees]", self.degrees, 0.01, 45.0),
            ("the most that slides change [cm]", self.centimetres, 0.01, 100.0),
        ):
            if not least <= value <= most:
                raise InvalidArguments(what=what, value=value, allowed=f"{least:g} to {most:g}")


@dataclass(frozen=True, eq=False)
class ReducedResiduals:
    """Corrections that were found, and residuals before and after, at n times."""

    figure: Figure
    times: Array  # [ticks]
    corrections: CorrectionSplines
    coordinates: tuple[str, ...]  # that are corrected
    coefficients: Array  # [rad], [m], shape [corrections.count, len(coordinates)]
    changed: Array  # by how much they are, shape [n, len(coordinates)]
    before: Array  # residuals, shape [n, root rates]
    after: Array
    slides: BoolArray  # which of them are forces; the others are torques
    peak: float  # [N] of the greatest measured force
    trunk: str | None
    shift: Array  # [m] of the trunk's mass centre, in its joint's frame
    heavier: float  # [kg] by which the figure would have to be, for no vertical force to be left on average
    kept_within: bool  # whether corrections would have been larger but for what is allowed

    def force(self, *, reduced: bool) -> tuple[float, float]:
        """The largest force that is left and the root of its mean square [N]."""
        return _sizes((self.after if reduced else self.before)[:, self.slides])

    def torque(self, *, reduced: bool) -> tuple[float, float]:
        """The largest torque and the root of its mean square [N m]."""
        return _sizes((self.after if reduced else self.before)[:, ~self.slides])

    @property
    def body(self) -> Body | None:
        """The trunk's body, with its centre where it is to be."""
        if self.trunk is None:
            return None
        body = body_of(self.figure.joint(self.trunk))
        centre = np.array(body.centre) + self.shift
        return Body(mass=body.mass, centre=tuple(centre.tolist()), inertia=body.inertia)


def heaviest_body(figure: Figure) -> str:
    """The joint with the heaviest body: of a person the trunk."""
    return max(figure.joints, key=lambda joint: body_of(joint).mass).id


def reduction_steps(
    evaluation: Evaluation, document: Document, actor: str, options: ReductionOptions
) -> Generator[float, None, ReducedResiduals]:
    """Find the corrections of an actor's motion, as its layers have it; yields the share that is done."""
    owner = document.actor(actor)
    start, end = reducible_time(owner, options)
    measured = forces_of(owner) or MeasuredForces()
    spacing = round(options.spacing * TICKS_PER_SECOND)
    problem = _Problem(
        evaluation, owner, measured, CorrectionSplines.over(start, end, spacing), (start, end), options.trunk
    )
    weight, kept = WEIGHT, False
    for done in range(ROUNDS):
        problem.linearise()
        yield (done + 0.7) / ROUNDS
        for raised in range(RAISED):
            coefficients, shift = problem.solved(weight)
            if problem.within(coefficients, shift, options):
                break
            weight, kept = STRONGER * weight, True
            yield (done + 0.7 + 0.3 * raised / RAISED) / ROUNDS
        problem.coefficients, problem.shift = coefficients, shift
    return problem.found(kept)


def reducible_time(owner: Actor, options: ReductionOptions) -> tuple[int, int]:
    """From when to when [ticks]: what is asked for, of the time in which forces were measured and the figure moves."""
    known = measured_time(owner)
    if known is None:
        remedy = "Put those of its motion on it"
        raise NothingThere(f"{owner.name} has no measured forces while it moves", remedy=remedy)
    given = known[0] if options.start is None else options.start, known[1] if options.end is None else options.end
    if not known[0] <= given[0] < given[1] <= known[1]:
        value = tuple(each / TICKS_PER_SECOND for each in given)
        ends = (f"{each / TICKS_PER_SECOND:g}" for each in known)
        allowed = f"a start and an end within {' and '.join(ends)}, while forces were measured"
        raise InvalidArguments(what="the time whose residuals are reduced [s]", value=value, allowed=allowed)
    return given


class _Problem:
    """Gauss and Newton's normal equations, for one actor; used by one thread."""

    def __init__(
        self,
        evaluation: Evaluation,
        owner: Actor,
        measured: MeasuredForces,
        corrections: CorrectionSplines,
        span: tuple[int, int],
        trunk: str | None,
    ) -> None:
        figure = owner.figure
        self.figure, self.knots, self.trunk, self._owner = figure, corrections, trunk, owner
        self._body = 0 if trunk is None else figure.joint_index[figure.joint(trunk).id]
        step = corrections.spacing // PER_SPAN
        self.times = np.arange(corrections.start, corrections.end + 1, step, dtype=np.float64)
        self._motion = evaluation.motion(owner).at(self.times)
        free = [dof for dof in figure.dofs if dof.kind != "ball" and not dof.driven and self._may_change(dof)]
        self.names = tuple(dof.id for dof in free)
        self._turns = np.array([dof.kind == "hinge" for dof in free], dtype=bool)
        self._columns = [figure.coordinate_index[name] for name in self.names]
        self._known = (self.times >= span[0]) & (self.times <= span[1])
        every = RootResiduals(owner, measured, evaluation.model(owner), self.times)
        self._residuals = RootResiduals(owner, measured, evaluation.model(owner), self.times[self._known])
        if not len(every.root):
            raise NothingThere(f"the root of {owner.name} does not move", remedy="Choose a figure whose root is free")
        still = self._motion[self._known]
        forces = self._residuals.acting(np.ascontiguousarray(still[:, 0]))[1]
        self.peak = float(np.linalg.norm(forces, axis=1).max())
        if not self.peak > 0.0:
            raise NothingThere("the measured forces are 0 then", remedy="Choose another time")
        self._scale = np.full(len(every.root), 0.01 * self.peak)
        self._spans, self._basis = corrections.spans_of(self.times), corrections.basis(self.times)
        self._cost = self._change_cost(every, measured)
        self.coefficients, self.shift = np.zeros((corrections.count, len(free))), np.zeros(3)
        self.before = self._residuals.left(still)

    def linearise(self) -> None:
        """Lay out the normal equations of the residuals about the present corrections."""
        known, count = self._known, len(self.names)
        moved = self.moved(self.coefficients)[known]
        corrected = self.knots.at(self.times[known], self.coefficients)
        slopes = self._residuals.changes(moved, self._columns) / self._scale[:, None]
        aim = np.einsum("onrc,noc->nr", slopes, corrected) - self._residuals.left(moved, *self._at) / self._scale
        rows = np.einsum("onrc,ona->nrac", slopes, self._basis[:, known]).reshape(len(moved), -1, 4 * count)
        border = np.zeros((*aim.shape, 3))
        if self.trunk is not None:
            border = self._residuals.changes_by_centre(moved, self.shift, self._body) / self._scale[:, None]
            aim = aim + border @ self.shift
        self._matrix = self._banded(rows, self._spans[known])
        size = (self.knots.spans + 3) * count
        self._edge, self._wanted = np.zeros((size, 3)), np.zeros(size)
        for span in np.unique(self._spans[known]).tolist():
            here = self._spans[known] == span
            own = rows[here].reshape(-1, 4 * count).T
            self._edge[span * count : (span + 4) * count] += own @ border[here].reshape(-1, 3)
            self._wanted[span * count : (span + 4) * count] += own @ aim[here].ravel()
        flat = border.reshape(-1, 3)
        self._corner, self._corner_wanted = flat.T @ flat, flat.T @ aim.ravel()

    def solved(self, weight: float) -> tuple[Array, Array]:
        """Coefficients of the corrections, and the shift of the trunk's centre, for a weight of change."""
        from scipy.linalg import solveh_banded  # 0.2 s to load

        count = len(self.names)
        inner = slice(HELD * count, (self.knots.spans + 3 - HELD) * count)
        matrix = (self._matrix + weight * self._cost)[:, inner]
        edge = self._edge[inner]
        found = solveh_banded(matrix, np.column_stack((self._wanted[inner], edge)), lower=True)
        along, across = found[:, 0], found[:, 1:]
        corner = self._corner + weight / CENTRE**2 * np.eye(3) - edge.T @ across
        shift = np.linalg.solve(corner, self._corner_wanted - edge.T @ along)
        return (along - across @ shift).reshape(-1, count), shift

    def within(self, coefficients: Array, shift: Array, options: ReductionOptions) -> bool:
        """Tell whether corrections are no larger than is allowed."""
        most = np.abs(self.knots.at(self.times, coefficients)[:, 0]).max(axis=0)
        allowed = np.where(self._turns, math.radians(options.degrees), 0.01 * options.centimetres)
        return bool((most <= allowed).all()) and float(np.linalg.norm(shift)) <= FARTHEST

    def moved(self, coefficients: Array) -> Array:
        """The motion with corrections, shape [n, 3, coordinate_count]."""
        motion = self._motion.copy()
        motion[:, :, self._columns] += self.knots.at(self.times, coefficients)
        self._residuals.follow(motion)
        return motion

    def found(self, kept_within: bool) -> ReducedResiduals:
        """Gather what it came to."""
        known = self._known
        after = self._residuals.left(self.moved(self.coefficients)[known], *self._at)
        return ReducedResiduals(
            figure=self.figure,
            times=self.times[known],
            corrections=self.knots,
            coordinates=self.names,
            coefficients=self.coefficients,
            changed=self.knots.at(self.times[known], self.coefficients)[:, 0],
            before=self.before,
            after=after,
            slides=self._residuals.slides,
            peak=self.peak,
            trunk=self.trunk,
            shift=self.shift,
            heavier=self._heavier(),
            kept_within=kept_within,
        )

    def _may_change(self, dof: Dof) -> bool:
        """True if a degree of freedom is a root's, or moves at all."""
        values = self._motion[:, 0, self.figure.coordinate_index[dof.id]]
        return self.figure.dof_joint[dof.id].parent is None or float(np.ptp(values)) > STILL

    @property
    def _at(self) -> tuple[Array | None, int]:
        """The shift of the trunk's centre, and the place of its body."""
        return (None, 0) if self.trunk is None else (self.shift, self._body)

    def _change_cost(self, residuals: RootResiduals, measured: MeasuredForces) -> Array:
        """The matrix of what changes cost, at all times."""
        count = len(self.names)
        heavy = np.where(self._turns, 1.0 / DEGREE, 1.0 / CENTIMETRE) ** 2
        rows = np.einsum("npc,na->npac", self._feet(residuals, measured) / FOOT, self._basis[0])
        found = self._banded(rows.reshape(len(self.times), -1, 4 * count), self._spans)
        for span in range(self.knots.spans):
            basis = self._basis[0][self._spans == span]
            both = basis.T @ basis
            for late in range(4):
                for early in range(late + 1):
                    at = (span + early) * count
                    found[(late - early) * count, at : at + count] += both[late, early] * heavy
        return found

    def _feet(self, residuals: RootResiduals, measured: MeasuredForces) -> Array:
        """By how much bodies on which forces were measured move with each coordinate, their origins and their centres,
        shape [n, 3 points, coordinates]."""
        index = self.figure.joint_index
        joints = sorted({index[each.joint] for each in measured.on(self.figure) if not each.mute})
        centres = [body_of(self.figure.joints[joint]).centre for joint in joints]
        where, points = [*joints, *joints], np.array([*[(0.0, 0.0, 0.0)] * len(joints), *centres])
        found, step = list[Array](), STEPS[0]
        for column in self._columns:
            ends = []
            for side in (-step, step):
                moved = self._motion.copy()
                moved[:, 0, column] += side
                residuals.follow(moved)
                ends.append(residuals.places(np.ascontiguousarray(moved[:, 0]), where, points))
            found.append(((ends[1] - ends[0]) / (2.0 * step)).reshape(len(self.times), -1))
        return np.stack(found, axis=2)

    def _banded(self, rows: Array, spans: IntArray) -> Array:
        """The products of rows of the four functions' coefficients, shape [n, m, 4 coordinates], as lower bands."""
        width = rows.shape[2]
        count = width // 4
        found = np.zeros((width, (self.knots.spans + 3) * count))
        for span in np.unique(spans).tolist():
            own = rows[spans == span].reshape(-1, width)
            product = own.T @ own
            for place in range(width):
                found[: width - place, span * count + place] += product[place:, place]
        return found

    def _heavier(self) -> float:
        """By how much mass [kg] the figure falls short of what carries it on average: upright slides of the root."""
        up, at = np.zeros(len(self._residuals.root)), 0
        turn = rotation_matrix(self._owner.placement.rotation)
        for joint in self.figure.joints:
            for dof in joint.dofs if joint.parent is None else ():
                if dof.kind == "slide":
                    up[at] = (turn @ rotation_matrix(joint.rest) @ np.array(dof.axis))[1]
                at += len(dof.rates)
        return float((self.before @ up).mean()) / GRAVITY[1]


def _sizes(left: Array) -> tuple[float, float]:
    sizes = np.linalg.norm(left, axis=1)
    return float(sizes.max(initial=0.0)), float(np.sqrt((sizes**2).mean())) if sizes.size else 0.0

"""One step of the adjoint recursion through the room's own implicit step.

With q = (x, v, what spots hold on to) the recursion is that of the source (Engell-Norregard 2012, 132; its range is
i = N to 1 with r^0 not needed, not "N - 1 to 2" as printed, since r^N is where it begins),

    r^{i-1} = (dF/dq)^T r^i + (d phi / dq^{i-1})^T

and F is implicit: x' is where the gradient g of the step's energy vanishes, v' = (x' - x) / dt. So

    H^T y = r_x + r_v / dt + what z' and f' of contacts give at x',     H = dg/dx'
    r_x <- -(dg/dx)^T y - r_v / dt + ...,   r_v <- M y / dt,   r_alpha = -(dg/dalpha)^T y,   r_force = y

(`transposed.py`, `transposed_contact.py`). H is the matrix that the step itself solved with, and the system is solved
by the same conjugate gradients, with the preconditioner that was factored for the steps; iterative refinement takes in
what only a derivative has (viscous stress that turns with its cell, normals that bend). Where the forces of friction
were taken anew within a step, from where points were at that time, the chain goes through that place as well: the same
once more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import Diverged
from engine.runtime.jit import kernel
from engine.soft import newton
from engine.soft.assembly import EXACT, GRADIENT, Around, SoftBodies, Stepping, assemble, lag_forces
from engine.soft.contact import GRIPS
from engine.soft.control.contact_covectors import KNOWN, force_covectors, gather_holds, spread_holds
from engine.soft.control.transposed import WAYS, stiffen_viscous, transpose_step
from engine.soft.control.transposed_contact import correct_contacts, transpose_contacts
from engine.soft.control.transposed_turns import transpose_turns
from engine.soft.linear import CONJUGATE_GRADIENTS, MINRES, LinearSystem, multiply, prepare_inverse, solve
from engine.soft.step import SoftModel, SoftState, SoftWork, StepGiven, make_room, prepare, system_of, take_in

ACCURACY = 1e-10  # of a linear system
_REFINEMENTS = 20


class Costate(NamedTuple):
    """The adjoint of a state: how the objective changes with it."""

    x: Array  # [1/m], shape [3 point_count]
    v: Array  # [s/m]
    holds: Array  # of z and f of what spots hold on to, shape [spot_count, GRIPS, KNOWN]

    @classmethod
    def zero(cls, model: SoftModel) -> Costate:
        """Give that of an objective that looks at nothing."""
        size, spots = 3 * model.point_count, len(model.bodies.skin.points)
        return cls(np.zeros(size), np.zeros(size), np.zeros((spots, GRIPS, KNOWN)))


class StepTaken(NamedTuple):
    """A step: where it began, what acted, where it ended."""

    before: SoftState
    given: StepGiven
    after: SoftState
    settled: Array | None  # where points were when friction was taken anew; None: it was not


class Handed(NamedTuple):
    """Results of a step backward: the costate where it began, and covectors of its controls."""

    costate: Costate
    alphas: Array  # of each segment
    forces: Array  # on points [1/N], shape [3 point_count]


def step_back(
    model: SoftModel, work: SoftWork, dt: float, taken: StepTaken, after: Costate, accuracy: float = ACCURACY
) -> Handed:
    """Carry a costate from the end of a step to its begin."""
    around = _begin(model, work, dt, taken)
    size, stepping, triangles = 3 * model.point_count, work.stepping, model.bodies.hull.triangles
    stage = _Stage(model, work, around, dt, accuracy)
    if taken.settled is not None:
        stepping.x[:] = taken.settled
        assemble(model.bodies, around, stepping, dt, GRADIENT)
        lag_forces(around)
    stage.linearise(taken.after.x.ravel())
    stage.given = stage.room()
    gather_holds(around, taken.after.grips, after.holds, stage.given)
    at_end = after.x + after.v / dt
    stage.contacts(np.zeros(size), at_end)
    stage.solve(at_end)
    stage.out_x[:] -= after.v / dt
    stage.hand_back()
    if taken.settled is not None:
        spread_holds(around, triangles, taken.before.grips, stage.holds, False, stage.out_holds)
        lags = stage.holds
        newton.look_around(model.bodies, around, stepping, model.frames, work.vectors.v, dt, work.outcome)
        stage.linearise(taken.settled)
        stage.given = stage.room()
        force_covectors(lags[0], around.touching.number, stage.given[0])
        force_covectors(lags[1], around.meeting.tied.number, stage.given[1])
        at_end = np.zeros(size)
        stage.contacts(np.zeros(size), at_end)
        stage.solve(at_end)
        stage.hand_back()
    spread_holds(around, triangles, taken.before.grips, stage.holds, True, stage.out_holds)
    return Handed(Costate(stage.out_x, stage.out_v, stage.out_holds), stage.out_alphas, stage.out_forces)


def _begin(model: SoftModel, work: SoftWork, dt: float, taken: StepTaken) -> Around:
    """Bring the workspace to where the step began."""
    prepare(model, work, dt)
    around = take_in(model, taken.before, work, taken.given)
    stepping = work.stepping
    stepping.before[:] = stepping.x
    while True:
        went = newton.look_around(model.bodies, around, stepping, model.frames, work.vectors.v, dt, work.outcome)
        if not make_room(model, work, went):
            return around
        around = around._replace(touching=work.touching, meeting=work.meeting)


class _Stage:
    """The transposed equations of a step at one place, and what they have handed back so far."""

    def __init__(self, model: SoftModel, work: SoftWork, around: Around, dt: float, accuracy: float) -> None:
        self._model, self._work, self._around, self._dt, self._accuracy = model, work, around, dt, accuracy
        size, spots = 3 * model.point_count, len(model.bodies.skin.points)
        self.out_x, self.out_v, self.out_forces = np.zeros(size), np.zeros(size), np.zeros(size)
        self.out_holds = np.zeros((spots, GRIPS, KNOWN))
        self.out_alphas = np.zeros(len(model.bodies.strings.segments))
        self._turns = np.zeros(9 * model.point_count)
        self._ways = np.zeros((len(model.bodies.strings.segments), WAYS))
        self.given = self.holds = self.room()
        self._system = system_of(model, work)
        self._y = np.zeros(size)

    def room(self) -> tuple[Array, Array]:
        """Make room for covectors of contacts."""
        count, others = int(self._around.touching.number[0]), int(self._around.meeting.tied.number[0])
        return np.zeros((count, KNOWN)), np.zeros((others, KNOWN))

    @property
    def _places(self) -> tuple[Array, Array]:
        return self._work.stepping.x, self._work.stepping.before

    def linearise(self, x: Array) -> None:
        """Go to a place, and make the matrix there."""
        linearise(self._model.bodies, self._around, self._work.stepping, self._system, x, self._dt)

    def contacts(self, y: Array, at_end: Array) -> None:
        """Add what contact gives, by where it ends."""
        self._contacts(y, at_end, np.zeros_like(y))

    def _contacts(self, y: Array, at_end: Array, at_begin: Array) -> None:
        self.holds = self.room()
        frames = self._work.stepping.frames
        self._turns[:] = 0.0
        out = at_end, at_begin, self._turns
        transpose_contacts(
            self._model.bodies, self._around, frames, self._places, y, self.given, self._dt, out, self.holds
        )

    def solve(self, right: Array) -> None:
        """Solve the transposed system."""
        room, step, free = self._work.vectors.room, self._work.vectors.step, self._work.free
        right = right * free
        y, left, wanted = np.zeros_like(right), right.copy(), self._accuracy * float(np.linalg.norm(right))
        method = CONJUGATE_GRADIENTS
        for _ in range(_REFINEMENTS):
            size = float(np.linalg.norm(left))
            if size <= wanted:
                break
            share = max(0.5 * wanted / size, 1e-14)
            most = 4 * self._model.options.products
            if solve(self._system, method, left, share, most, room, step) < 0 and method == CONJUGATE_GRADIENTS:
                method = MINRES
                continue
            y += step
            self._left(right, y, left)
        if not np.isfinite(y).all():
            raise Diverged(what="the adjoint of a step of soft bodies", value="not a number")
        self._y = y

    def _left(self, right: Array, y: Array, out: Array) -> None:
        product = self._work.vectors.right
        multiply(self._system, y, product)
        out[:] = right - product
        bent = np.zeros_like(y)
        frames = self._work.stepping.frames
        if correct_contacts(self._model.bodies, self._around, frames, self._places, y, self._dt, bent):
            out -= bent * self._work.free

    def hand_back(self) -> None:
        """Add what the solution gives by where the step began and by its controls."""
        y = self._y
        self.out_forces += y
        self._contacts(y, np.zeros_like(y), self.out_x)
        if self._turns.any():
            model, stepping = self._model, self._work.stepping
            turned = stepping.before, stepping.frames, self._turns, np.zeros_like(self._turns)
            transpose_turns(model.bodies.pattern, model.frames, *turned, self.out_x)
        out = self.out_x, self.out_v, self.out_alphas
        transpose_step(self._model.bodies, self._around, self._places, y, self._dt, self._ways, *out)


@kernel
def linearise(
    bodies: SoftBodies, around: Around, stepping: Stepping, system: LinearSystem, x: Array, dt: float
) -> None:
    """Make the matrix of a step at a place, with all that a derivative has, and its preconditioner."""
    stepping.x[:] = x
    assemble(bodies, around, stepping, dt, EXACT)
    stiffen_viscous(bodies, x, stepping.before, dt, stepping.values)
    prepare_inverse(system)

"""STEPPERS: ways to lead a figure through time, by fixed steps that divide the frame.

A stepper is a frozen dataclass of options. `start` makes the workspace of steps, `step` moves the state by dt,
`save` and `load` make checkpoints from which the same bytes follow. Which step takes what where: step.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Protocol

import numpy as np

from engine.dynamics import step, step_layout
from engine.dynamics.articulation import Articulation, State
from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, POINT
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import Diverged, InvalidArguments
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass

Arrays = Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class Work:
    """Workspace of the steps of one state; one thread at a time."""

    state: State
    offsets: IntArray
    floats: Array
    dynamics: Array
    options: Array

    @property
    def contact_count(self) -> int:
        """Number of contacts in the last step."""
        listed = int(self.offsets[step_layout.LISTED])
        return int(self.offsets[step_layout.CONTACT_COUNT]) if listed < 0 else listed

    def contacts(self) -> tuple[Array, Array]:
        """Find where bodies touched in the last step [m], and the impulses there [N s], each of shape [count, 3]."""
        count = self.contact_count
        first, table = int(self.offsets[step_layout.CONTACTS]), self.offsets[step_layout.CONTACT_BODIES :]
        found = self.floats[first : first + CONTACT * count].reshape(-1, CONTACT)
        numbers = table[: CONTACT_INTS * count].reshape(-1, CONTACT_INTS)[:, 0]
        return found[:, POINT : POINT + 3].copy(), self.state.impulses[numbers]

    @property
    def sweeps(self) -> int:
        """Number of sweeps and of Newton steps that the last step took."""
        return int(self.offsets[step_layout.SWEEPS])


class Stepper(Protocol):
    """One way to step."""

    name: ClassVar[str]
    label: ClassVar[str]
    source: ClassVar[str]

    def start(self, model: Articulation, state: State) -> Work:
        """Make the workspace for steps of that state."""
        ...

    def step(self, model: Articulation, state: State, work: Work, dt: float) -> None:
        """Move the state on by dt [s]; `Diverged` leaves it as it was."""
        ...

    def save(self, work: Work) -> Arrays:
        """A checkpoint."""
        ...

    def load(self, model: Articulation, arrays: Arrays) -> Work:
        """Make a workspace with a state (`Work.state`) as it was saved."""
        ...


@dataclass(frozen=True, kw_only=True)
class Impulsive(CheckedOptions):
    """Options that all steppers here share: contact by impulses at the level of velocities."""

    passes: int = option(
        100,
        label="Sweeps",
        least=1,
        most=10_000,
        note="Most sweeps over the contacts in a step, and Newton steps for all of them; large ones count more.",
    )
    tolerance: float = option(
        1e-7,
        label="Settled contact",
        unit="m/s",
        least=0.0,
        most=1.0,
        note="Sweeps end when what is pushed misses the laws of contact by less.",
    )
    margin: float = option(
        0.005,
        label="Margin",
        unit="m",
        least=0.0,
        most=1.0,
        note="Bodies so near to each other are looked at, beside those that may meet within the step.",
    )
    slop: float = option(
        0.0001, label="Overlap", unit="m", least=0.0, most=0.1, note="Depth that is left as it is, so that bodies rest."
    )
    lift: float = option(
        0.2,
        label="Lift",
        least=0.0,
        most=1.0,
        note="Share of what is deeper that a step leads out, paid by energy lost.",
    )
    lift_speed: float = option(
        0.5, label="Lift at most", unit="m/s", least=0.0, most=100.0, note="No faster than this."
    )
    deep: float = option(
        0.02,
        label="Deep",
        unit="m",
        least=0.0,
        most=100.0,
        note="What a state begins with deeper inside, as a figure put into the ground, may be led out at any price.",
    )
    keep_energy: bool = option(
        True, label="Keep energy", note="What a step would add to the energy is taken from its speed."
    )

    method: ClassVar[int]

    def _repeats(self) -> tuple[int, float]:
        """Return how often forces are taken again, and the change of rates at which that ends."""
        return 0, 0.0

    def start(self, model: Articulation, state: State) -> Work:
        """Make the workspace for steps of that state."""
        if state.articulation.offsets is not model.offsets and not np.array_equal(
            state.articulation.offsets, model.offsets
        ):
            raise InvalidArguments(what="the state", value="one of another figure", allowed="one of the same figure")
        options = np.zeros(step_layout.OPTION_COUNT)
        options[[step_layout.METHOD, step_layout.REPEATS, step_layout.SETTLED]] = self.method, *self._repeats()
        options[[step_layout.PASSES, step_layout.TOLERANCE, step_layout.KEEP_ENERGY]] = (
            self.passes,
            self.tolerance,
            self.keep_energy,
        )
        options[[step_layout.MARGIN, step_layout.SLOP, step_layout.LIFT]] = self.margin, self.slop, self.lift
        options[[step_layout.LIFT_SPEED, step_layout.DEEP]] = self.lift_speed, self.deep
        size = int(model.offsets[step_layout.WORK_SIZE])
        return Work(state, model.offsets.copy(), np.zeros(size), model.mechanics.new_work(), options)

    def step(self, model: Articulation, state: State, work: Work, dt: float) -> None:
        """Move the state on by dt [s]."""
        if not 0.0 < dt < math.inf:
            raise InvalidArguments(what="the time step", value=dt, allowed="a finite time above 0 s")
        if state is not work.state:
            raise InvalidArguments(what="the state", value="another one", allowed="the one that `start` was given")
        stepped = (*model.packed, work.options)
        wrong = step.advance(stepped, (state.buffer, work.offsets, work.floats, work.dynamics), dt)
        if wrong != step.FINE:
            value = float(work.floats[work.offsets[step_layout.QD_NEXT] + wrong])
            raise Diverged(what=f"the speed of {model.joint_of_rate(wrong)} at {state.time + dt:.4g} s", value=value)

    def save(self, work: Work) -> Arrays:
        """A checkpoint."""
        return {"state": work.state.buffer.copy()}

    def load(self, model: Articulation, arrays: Arrays) -> Work:
        """Make a workspace with the state that was saved."""
        if "state" not in arrays:
            raise InvalidArguments(what="a checkpoint", value=sorted(arrays), allowed="one with an array named 'state'")
        state = State(model, np.array(arrays["state"], dtype=np.float64))
        if state.buffer.shape != (int(model.offsets[step_layout.STATE_SIZE]),):
            allowed = f"{int(model.offsets[step_layout.STATE_SIZE])} numbers, as many as this figure has"
            raise InvalidArguments(what="the size of a checkpoint", value=state.buffer.shape, allowed=allowed)
        if not np.isfinite(state.buffer).all():
            raise InvalidArguments(what="a checkpoint", value="not a number", allowed="finite numbers")
        return self.start(model, state)


@dataclass(frozen=True, kw_only=True)
class SemiImplicitEuler(Impulsive):
    """Forces at the pose at hand, then the pose by the new rates."""

    name: ClassVar[str] = "semi_implicit"
    label: ClassVar[str] = "Semi-implicit Euler"
    source: ClassVar[str] = "Moreau 1988, with forces at the beginning of the step"
    method: ClassVar[int] = step_layout.SEMI_IMPLICIT


@dataclass(frozen=True, kw_only=True)
class BackwardEuler(Impulsive):
    """Forces at the pose and the rates that the step leads to."""

    repeats: int = option(
        4, label="Repeats", least=1, most=100, note="Most times that forces are taken again at the end of the step."
    )
    settled: float = option(
        1e-8, label="Settled", unit="rad/s", least=0.0, most=1.0, note="Change of the rates at which that ends."
    )

    name: ClassVar[str] = "backward"
    label: ClassVar[str] = "Backward Euler"
    source: ClassVar[str] = "Fixed point of the implicit step; contact linearised about it"
    method: ClassVar[int] = step_layout.BACKWARD

    def _repeats(self) -> tuple[int, float]:
        return self.repeats, self.settled


@dataclass(frozen=True, kw_only=True)
class Midpoint(Impulsive):
    """Forces at the middle of the step, of second order where nothing is stiff and nothing touches."""

    repeats: int = option(
        1, label="Repeats", least=1, most=100, note="Times that forces are taken again at the rates in the middle."
    )

    name: ClassVar[str] = "midpoint"
    label: ClassVar[str] = "Midpoint"
    source: ClassVar[str] = "Moreau 1988, theta = 1/2 for the pose"
    method: ClassVar[int] = step_layout.MIDPOINT

    def _repeats(self) -> tuple[int, float]:
        return self.repeats, 0.0


STEPPERS: tuple[type[Stepper], ...] = (SemiImplicitEuler, BackwardEuler, Midpoint)
"""Every stepper of articulated figures."""


def divide_frame(rate: Fraction | float, dt_most: float) -> tuple[float, int]:
    """The largest step of at most `dt_most` [s] that divides a frame at `rate` [1/s], and how many it has."""
    if not 0.0 < rate < math.inf:
        raise InvalidArguments(what="the frame rate", value=rate, allowed="a finite rate above 0 frames a second")
    if not 0.0 < dt_most < math.inf:
        raise InvalidArguments(what="the longest time step", value=dt_most, allowed="a finite time above 0 s")
    frame = 1.0 / float(rate)
    count = max(1, math.ceil(frame / dt_most * (1.0 - 1e-12)))
    return frame / count, count

"""Following the keyed motion over a window: where secondary motion is at a time, and how fast it goes.

Source: Rahgoshay 2011, chapter 3, Algorithm 1: x_KD(t) is what a simulation from x_K(t - window), with its velocity,
has come to at t while servos pull it to the keyed motion; equations 4.9 and 4.10 for its velocity.

Nothing is remembered from frame to frame. The steps of every window are counted back from its own end, t - n dt .. t,
in whole ticks, and the keyed motion is read at those times alone: frame k by itself has the same bytes as frame k in a
sequence, with one thread or several.

The velocity of x_KD(t) is not that of the simulation which ends at t: two windows that end h apart also begin h apart.
It is the central difference of two windows, 20 us from one another; the source's backward difference over a frame (4.9)
is of first order only and lags by half of it. Its error is (h^2 / 6) x''', below 1e-6 rad/s for motions of 10 Hz.

Symbols: q coordinates, qd rates, dt step [s].
"""

from __future__ import annotations

import math
from dataclasses import field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.coordinates import compute_difference
from engine.dynamics.mechanics import Mechanics, with_gravity
from engine.kinodynamics.contact import Contact, compile_contact
from engine.kinodynamics.driven import pack_coupled
from engine.kinodynamics.following import FINE, Followed, follow_path, follow_windows
from engine.kinodynamics.gains import STOPS, ServoGains, servo_rows
from engine.kinodynamics.jumps import place_jump, shares_of
from engine.kinodynamics.keyed import Keyed, known_of
from engine.kinodynamics.region_stops import Regions, compile_regions
from engine.kinodynamics.windows import InvalidWindow
from engine.limits.interpolation import FIELD_COUNT
from engine.limits.query import measure_pose
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.runtime.errors import Diverged, InvalidArguments
from engine.runtime.quick_dataclass import dataclass

APART = 7056
"""Half of what lies between the two windows that a velocity is read from [ticks]: 10 us."""
_UNIT = 1e-15  # that the square of a quaternion's norm may differ from 1, as for who reads keys and samples
_TOGETHER, _STEPS_TOGETHER = 64, 1 << 16  # windows a call, and steps of them all: windows of many go one by one
_JUMPS_TOGETHER = 4096  # of which poses are read at once
_MOST_JUMPS = 4.0  # that a cycle makes a step, on average; those of a faster one count where a step reads them
_BLOCKS = 8  # parts that a call is shared out in, whatever the number of threads


@dataclass(frozen=True, eq=False)
class KinoModel:
    """A figure with gains and a window. Used by one thread: simulating writes into its work arrays."""

    mechanics: Mechanics  # under the gravity that each body feels
    gains: ServoGains
    window_ticks: int
    steps: int
    servo: Array
    touches: bool  # or bodies pass through each other and the ground
    contact: Contact = field(repr=False)  # what may touch
    works: Array = field(repr=False)  # one row for each block
    outside: Array = field(repr=False)
    regions: Regions = field(repr=False)  # limits over several angles
    coupled: Array = field(repr=False)  # driven coordinates

    @property
    def step_ticks(self) -> int:
        """Ticks of a step; a whole number."""
        return self.window_ticks // self.steps

    @property
    def window(self) -> float:
        """The time that is simulated for each frame [s]."""
        return self.window_ticks / TICKS_PER_SECOND

    @property
    def dt(self) -> float:
        """A step of the simulation [s]."""
        return self.step_ticks / TICKS_PER_SECOND

    @property
    def held_to(self) -> float | None:
        """The time up to which the keyed motion is held, and from which on it goes [ticks]; None where it is not."""
        return None

    @cached_property
    def balls(self) -> tuple[slice, ...]:
        """The slices of the coordinates that are quaternions."""
        figure = self.mechanics.model.figure
        starts = (figure.coordinate_index[dof.coordinates[0]] for dof in figure.dofs if dof.kind == "ball")
        return tuple(slice(start, start + 4) for start in starts)

    @cached_property
    def packed(self) -> Followed:
        """The arrays as the kernels read them."""
        ints, floats, touching = self.mechanics.ints, self.mechanics.floats, self.contact.packed
        return ints, floats, self.servo, self.dt, self.outside, touching, self.regions, self.coupled

    def new_state(self) -> Array:
        """Make a state buffer of the model, placed where the figure stands."""
        model = self.mechanics.model
        state = model.new_state()
        state[:ROW] = self.mechanics.floats[len(model.floats) : len(model.floats) + ROW]
        return state

    def pushed(self, forces: Array) -> KinoModel:
        """The model for one window in which the bodies are pushed: force [N] and torque about the joint's origin [N m],
        world axes, in each step, shape [steps, joint_count, 6]."""
        count = self.mechanics.joint_count
        if forces.shape != (self.steps, count, 6) or not np.isfinite(forces).all():
            allowed = f"finite numbers of shape {(self.steps, count, 6)}"
            raise InvalidArguments(what="what pushes a window", value=forces, allowed=allowed)
        return replace(self, outside=np.ascontiguousarray(forces.reshape(-1, 6)))

    def simulate(self, times: Array, keyed_of: Keyed) -> tuple[Array, Array]:
        """Secondary motion at each time [ticks]: q, shape [n, coordinate_count], and the simulation's own rates there,
        shape [n, rate_count], which are not the velocity of x_KD (`velocities`)."""
        ends = np.asarray(times, dtype=np.float64).reshape(-1)
        q = np.empty((len(ends), self.mechanics.coordinate_count))
        qd = np.empty((len(ends), self.mechanics.rate_count))
        together = min(_TOGETHER, max(1, _STEPS_TOGETHER // (self.steps + 2)))
        for first in range(0, len(ends), together):
            part = slice(first, first + together)
            self._simulate(ends[part], keyed_of, q[part], qd[part])
        return q, qd

    def velocities(self, times: Array, keyed_of: Keyed) -> tuple[Array, Array]:
        """q and the velocity of x_KD at each time [ticks], as rates, shape [n, rate_count]."""
        ends = np.asarray(times, dtype=np.float64).reshape(-1)
        q, _ = self.simulate((ends[:, None] + (-APART, 0.0, APART)).ravel(), keyed_of)
        before, now, after = (q[place::3] for place in range(3))
        velocity = np.empty((len(ends), self.mechanics.rate_count))
        for each, (first, last) in enumerate(zip(before, after, strict=True)):
            compute_difference(self.mechanics.ints, first, last, velocity[each])
        return np.ascontiguousarray(now), velocity * (TICKS_PER_SECOND / (2.0 * APART))

    def path(self, start: float, steps: int, keyed_of: Keyed) -> tuple[Array, Array]:
        """Full dynamics from the keyed motion at `start` [ticks] on: the time of each step [ticks], the first included,
        and q there. What secondary motion is compared with; it has a history, so no frame stands alone."""
        if steps < 1:
            raise InvalidWindow(what="the number of steps", value=steps, allowed="1 and above")
        times = start + self.step_ticks * np.arange(-1.0, steps + 1.0)
        goals = self.goals(keyed_of, times[None])[0]
        q, qd = np.empty((steps + 1, self.mechanics.coordinate_count)), np.empty(self.mechanics.rate_count)
        q[0] = goals[1, 0]
        broken = self.follow_path(goals, q[1:], qd)
        if broken != FINE:
            self._refuse(float(times[broken + 2]), qd)
        return times[1:], q

    def samples(self, times: Array) -> Array:
        """List the times at which the keyed motion is read for each time [ticks]: a step before the window, then every
        step to its end."""
        back = self.step_ticks * np.arange(-self.steps - 1.0, 1.0)
        return np.asarray(times, dtype=np.float64).reshape(-1)[:, None] + back

    def goals(self, keyed_of: Keyed, samples: Array) -> Array:
        """Read what windows follow, at `samples` [windows, steps + 2], as the kernels do: values, rates and, where
        limits over several angles hold, the values without corrections, shape [windows, steps + 2, 2 or 3,
        coordinate_count]."""
        wanted, place = np.unique(samples, return_inverse=True)
        goals = self._read(keyed_of, wanted)[place.reshape(samples.shape)]
        self.check_keys(samples, goals)
        jumps = known_of(keyed_of).jumps
        if jumps is not None:
            slow = jumps.no_faster_than(self.step_ticks / _MOST_JUMPS)
            found = [slow.between(times[1], times[-1]) for times in samples]
            every = np.unique(np.concatenate(found))
            for first in range(0, len(every), _JUMPS_TOGETHER):
                self._place_jumps(keyed_of, every[first : first + _JUMPS_TOGETHER], samples, goals)
        return goals

    def _place_jumps(self, keyed_of: Keyed, jumps: Array, samples: Array, goals: Array) -> None:
        """Let jumps within the steps of windows count from their own times on."""
        poses = keyed_of(np.ravel((jumps - 1.0, jumps), order="F"))[:, 0].reshape(len(jumps), 2, -1)
        for times, window in zip(samples, goals, strict=True):
            inside = slice(*np.searchsorted(jumps, (times[1], times[-1]), side="right"))
            for jump, (before, after) in zip(jumps[inside], poses[inside], strict=True):
                at = int(np.searchsorted(times, jump))
                shares = shares_of(self.servo, self.gains, self.dt, (times[at] - jump) / self.step_ticks)
                place_jump(self.mechanics.ints, shares, before, after, window[at : at + 2, 0])

    def _read(self, keyed_of: Keyed, times: Array) -> Array:
        """Read the keyed motion at some times, shape [n, 2 or 3, coordinate_count]."""
        goals = keyed_of(times)[:, :2]
        if self.regions[0][FIELD_COUNT] > 0:
            meant = known_of(keyed_of).meant
            goals = np.concatenate((goals, (goals if meant is None else meant(times))[:, :1]), axis=1)
        return goals

    def is_at_region(self, q: Array) -> bool:
        """Tell whether a pose is where a limit over several angles stops it, or beyond."""
        ints, floats, _ = self.regions
        return bool(measure_pose(ints, floats, np.ascontiguousarray(q)) > -2.0 * STOPS)

    def moves(self, times: Array) -> NDArray[np.bool_]:
        """Tell whether the keyed motion, read at those times, may have rates; it has none while it is held."""
        return np.ones(times.shape, dtype=bool)

    def check_keys(self, samples: Array, goals: Array) -> None:
        """Refuse keyed motions, [windows, samples, rows, coordinates] at [windows, samples], that are not finite."""
        if np.isfinite(goals).all():
            return
        window, step, row, coordinate = (int(each) for each in np.argwhere(~np.isfinite(goals))[0])
        name = self.mechanics.model.figure.coordinates[coordinate]
        at = float(samples[window, step]) / TICKS_PER_SECOND
        value = float(goals[window, step, row, coordinate])
        raise Diverged(what=f"the keyed {'rate' if row else 'value'} of {name} at {at:.3f} s", value=value)

    def _simulate(self, ends: Array, keyed_of: Keyed, out_q: Array, out_qd: Array) -> None:
        goals = self.goals(keyed_of, self.samples(ends))
        broken = self.follow(goals, out_q, out_qd)
        for end, step, rates in zip(ends, broken, out_qd, strict=True):
            if step != FINE:
                self._refuse(float(end) + (int(step) + 1 - self.steps) * self.step_ticks, rates)
        # A product of turns is of norm 1 but for rounding. Samples of what is shown would be read as scaled to it.
        for ball in self.balls:
            w, x, y, z = out_q[:, ball].T
            square = w**2 + x**2 + y**2 + z**2
            off = np.abs(square - 1.0) > _UNIT
            out_q[off, ball] /= np.sqrt(square[off])[:, None]

    def follow(self, goals: Array, out_q: Array, out_qd: Array) -> NDArray[np.int32]:
        """Simulate windows of given keyed motions, [n, steps + 2, rows, coordinates]; of each the step that broke."""
        broken = np.full(len(goals), FINE, dtype=np.int32)
        if len(goals) < _BLOCKS:
            for each, goal in enumerate(goals):
                broken[each] = self.follow_path(goal, out_q[each : each + 1], out_qd[each])
        else:
            follow_windows(self.packed, goals, self.works, self.contact.layout, broken, out_q, out_qd)
        return broken

    def held(self, times: Array, keyed_of: Keyed) -> list[tuple[str, ...]]:
        """Name the joints whose bodies touch something as the window before each time [ticks] begins: what came before
        would matter to them. None without contact."""
        if not self.touches:
            return [() for _ in np.asarray(times).reshape(-1)]
        starts = self.samples(times)[:, 1]
        wanted, place = np.unique(starts, return_inverse=True)
        keyed, exact = keyed_of(wanted)[:, 0], self.gains.exact
        found = [self.contact.held_at(self.mechanics, exact, np.ascontiguousarray(q)) for q in keyed]
        return [found[int(each)] for each in place.reshape(-1)]

    def follow_path(self, goal: Array, out_path: Array, out_qd: Array) -> int:
        """Simulate the window of a keyed motion, [steps + 2, rows, coordinates]: q after each of the last steps, as
        many as `out_path` has rows, and the rates at its end; FINE, or the step that broke."""
        return follow_path(self.packed, goal, self.works[0], self.contact.layout[0], out_path, out_qd)

    def _refuse(self, time: float, rates: Array) -> None:
        rate = int(np.argmax(np.where(np.isfinite(rates), np.abs(rates), np.inf)))
        names = [
            (joint.name, dof.name)
            for joint in self.mechanics.model.figure.joints
            for dof in joint.dofs
            for _ in range(3 if dof.kind == "ball" else 1)
        ]
        what = f"the secondary motion's rate of {', '.join(names[rate])} at {time / TICKS_PER_SECOND:.3f} s"
        raise Diverged(what=what, value=float(rates[rate]), allowed="finite rates below 10 rad or 10 m a step")


def compile_kinodynamics(
    mechanics: Mechanics, gains: ServoGains, *, window: float = 0.3, dt: float = 0.01, contact: bool = False
) -> KinoModel:
    """A window [s] of whole steps, each of a whole number of ticks, of dt [s] or a little less. `contact`: whether the
    figure touches the ground and itself within it."""
    for what, value in (("the window", window), ("the step", dt)):
        if not (math.isfinite(value) and value > 0.0):
            raise InvalidWindow(what=f"{what} of secondary motion", value=value, allowed="above 0 s, finite")
    steps = max(1, math.ceil(window / dt - 1e-9))
    step_ticks = round(window * TICKS_PER_SECOND / steps)
    if step_ticks < 1:
        raise InvalidWindow(what="the step of secondary motion", value=dt, allowed="a tick (1.4 ns) and more")
    felt = with_gravity(mechanics, shares=gains.shares)
    servo = servo_rows(felt, gains, step_ticks / TICKS_PER_SECOND)
    touching = compile_contact(felt, servo, _BLOCKS, on=contact)
    return KinoModel(
        mechanics=felt,
        gains=gains,
        window_ticks=step_ticks * steps,
        steps=steps,
        servo=servo,
        touches=contact,
        contact=touching,
        works=np.zeros((_BLOCKS, touching.work_size)),
        outside=np.zeros((felt.joint_count, 6)),
        regions=compile_regions(felt),
        coupled=pack_coupled(felt),
    )

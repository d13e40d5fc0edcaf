"""Simulation: the states of a scene, stepped from its start as far as they are asked for, and kept.

Step n stands at `tick(n)`; steps divide a frame evenly. Between two steps bodies go on at an even rate, so that the
pose at any time is a function of the document and the time. The pose of each step is kept (1.2 kB for a human), and a
checkpoint now and then, from which the same bytes follow: an edit at a time drops what comes after it, nothing else.
What is kept has a bound: about an hour of a human. A time beyond it is refused before any step is made towards it.
Whoever pushes bodies is asked at each step. Who has forgotten what pushed before is asked again: the simulation goes
back as far as that takes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.document.ticks import TICKS_PER_SECOND, ticks_per_frame
from engine.dynamics.articulation import Articulation, State
from engine.dynamics.coordinates import compute_difference, integrate_coordinates
from engine.dynamics.stepping import STEPPERS, Stepper, Work
from engine.maths.arrays import Array, BoolArray
from engine.maths.rotation_arrays import quaternions
from engine.model.compile import ROW
from engine.physics.driving import Driver
from engine.physics.pushing import Pusher, SceneMoving
from engine.physics.scene import PhysicsScene, SceneMember
from engine.runtime.errors import Diverged
from engine.runtime.quick_dataclass import dataclass

BETWEEN = 256  # steps between two checkpoints
MOST_BYTES = 1 << 30  # that the states of one simulation take
_OBJECTS = 512  # bytes of a step beside its numbers: of the arrays and tuples that hold them
_SLICE = 8  # steps between two chances to stop
_SETTLED = 1e-4  # [m/s] up to which contact is solved: a tenth of a millimetre in a second

Rows = Mapping[str, Array]  # of each actor: rotation and position of its base, then its coordinates
Keyed = Callable[[Sequence[float]], Sequence[Rows]]
Free = tuple[bool, ...]
Torques = Callable[[Sequence[float]], Array]  # of all rates at some times [ticks], shape [times, rate_count]


@dataclass(frozen=True, eq=False)
class _Checkpoint:
    """All that the steps after one go on from."""

    step: int
    free: Free
    state: Array  # the state's buffer
    given: Array  # coordinates of the joined figure, whose angles stay on their branch


class Forces(NamedTuple):
    """Where bodies touch."""

    points: NDArray[np.float32]  # [m] in the world, shape [count, 3]
    forces: NDArray[np.float32]  # [N] on the first body of each, shape [count, 3]


NO_FORCES = Forces(np.zeros((0, 3), dtype=np.float32), np.zeros((0, 3), dtype=np.float32))


class TooLong(Diverged):
    """A simulation of which more steps are asked for than are kept; `of` names what is simulated."""

    def __init__(self, *, seconds: float, allowed: float, of: str = "physics") -> None:
        super().__init__(
            what=f"the time since {of} began",
            value=f"{seconds:.1f} s",
            allowed=f"about {allowed:.0f} s, as long as its states fit in {MOST_BYTES >> 20} MB; "
            "let it begin later, or make its steps longer",
        )


class SceneSimulation:
    """Used by one thread. `keyed` gives where each member is at some times [ticks] without any simulation."""

    def __init__(
        self, scene: PhysicsScene, keyed: Keyed, pushers: Sequence[Pusher] = (), torques: Torques | None = None,
        drivers: Sequence[Driver] = (),
    ) -> None:  # fmt: skip
        """`torques` drive joints by the time, `drivers` by how they stand."""
        self.scene, self.keyed, self.pushers, self._torques = scene, keyed, tuple(pushers), torques
        self._drivers = tuple(drivers)
        self._step_ticks = ticks_per_frame(scene.rate) / scene.steps
        kind = next(each for each in STEPPERS if each.name == scene.world.stepper)
        self._stepper = cast("Callable[..., Stepper]", kind)(tolerance=_SETTLED)
        self._articulations: dict[tuple[Free, Free, frozenset[int]], Articulation] = {}
        self._checkpoints: list[_Checkpoint] = []  # each BETWEEN steps after the one before
        self._now: _Checkpoint | None = None
        self._poses: list[tuple[Array, Array]] = []  # of each step: coordinates with balls for roots, and as given
        self._contacts: list[Forces] = []  # that led to it
        self._touching = 0  # bytes of these
        self._work: Work | None = None  # of the steps that were made last

    @property
    def bytes(self) -> int:
        """Bytes that its states take."""
        return self._touching + self._step_bytes * len(self._poses)

    @property
    def _step_bytes(self) -> int:
        """Bytes of a step at which nothing touches."""
        scene = self.scene
        return _OBJECTS + 8 * (scene.mechanics.coordinate_count + len(scene.roots.given.coordinates))

    @property
    def known(self) -> int:
        """How many steps are known, the first among them."""
        return len(self._poses)

    def tick(self, step: int) -> int:
        """The time of a step."""
        return self.scene.start + round(step * self._step_ticks)

    def shows(self, member: SceneMember, time: float) -> bool:
        """True if a member's pose at a time [ticks] is the simulation's."""
        return time >= self.scene.start and member.is_free(self.tick(self._floor(time)))

    def reach(self, time: float) -> Generator[float, None, None]:
        """Step until the pose at a time is known; yields the share that is done, every few steps."""
        if time < self.scene.start:
            return
        wanted = self._floor(time) + 1
        self._go_back(wanted)
        slice_ = self._slice
        first = self._now.step if self._now is not None else 0
        while (step := self._now.step if self._now is not None else 0) < wanted or self._now is None:
            self._check_room(wanted)
            point = self._now or self._begin()
            self._now = self._advance(point, min(step + slice_, wanted, (step // BETWEEN + 1) * BETWEEN))
            yield (self._now.step - first) / (wanted - first)

    def pose(self, member: SceneMember, time: float) -> Array:
        """The coordinates of a member at a time [ticks], shape [coordinate_count]; a fresh array."""
        for _ in self.reach(time):
            pass
        step = self._floor(time)
        q, given = self._poses[step]
        share = (time - self.tick(step)) / (self.tick(step + 1) - self.tick(step))
        if share > 0.0:
            ints = self.scene.mechanics.ints
            way, between = np.empty(self.scene.mechanics.rate_count), np.empty_like(q)
            compute_difference(ints, q, self._poses[step + 1][0], way)
            integrate_coordinates(ints, q, way, share, between)
            given, _ = self.scene.roots.from_balls(between, way, near=given)
        return given[member.coordinates].copy()

    def contacts(self, time: float) -> Forces:
        """Where bodies touch at a time [ticks]; none where it is not known yet."""
        step = self._floor(time) if time >= self.scene.start else len(self._contacts)
        return self._contacts[step] if step < len(self._contacts) else NO_FORCES

    def changed(
        self, time: float, keyed: Keyed, pushers: Sequence[Pusher] = (), torques: Torques | None = None,
        drivers: Sequence[Driver] = (),
    ) -> SceneSimulation:  # fmt: skip
        """The simulation of other keys, which differ from a time [ticks] on: with all states that these cannot move."""
        made = SceneSimulation(self.scene, keyed, pushers, torques, drivers)
        made._articulations = self._articulations
        made._now, made._checkpoints = self._now, self._checkpoints
        made._poses, made._contacts, made._touching = self._poses, self._contacts, self._touching
        if self._now is not None and not self.tick(self._now.step + 1) < time:
            made._drop(lambda step: self.tick(step + 1) < time)
        else:
            made._checkpoints, made._poses, made._contacts = self._checkpoints[:], self._poses[:], self._contacts[:]
        return made

    def _go_back(self, wanted: int) -> None:
        """Drop states up to a wanted step that whoever pushes has not been asked for, as after an edit of theirs."""
        if self._now is None:
            return
        last = min(wanted, self._now.step)
        if not all(each.has_pushed(self.tick(last)) for each in self.pushers):
            self._drop(lambda step: step <= last and all(each.has_pushed(self.tick(step)) for each in self.pushers))

    def _drop(self, is_sound: Callable[[int], bool]) -> None:
        """Go back to the last checkpoint but the first that is sound, or to before the beginning."""
        kept = [each for each in self._checkpoints if each.step and is_sound(each.step)]
        self._now = kept[-1] if kept else None
        count, checkpoints = (kept[-1].step + 1, len(kept) + 1) if kept else (0, 0)
        self._checkpoints = self._checkpoints[:checkpoints]
        self._poses, self._contacts = self._poses[:count], self._contacts[:count]
        self._touching = _bytes_of(self._contacts)

    @property
    def _slice(self) -> int:
        """Steps between two chances to stop; those that somebody pushes take longer."""
        return 1 if self.pushers else _SLICE

    def _check_room(self, wanted: int) -> None:
        """Refuse steps up to a wanted one where the states to there are more than may be kept."""
        per_step = max(self._step_bytes, self.bytes / max(self.known, 1))
        most = MOST_BYTES / per_step
        if wanted * self._step_bytes > MOST_BYTES or self.bytes > MOST_BYTES:
            length = self._step_ticks / TICKS_PER_SECOND
            raise TooLong(seconds=wanted * length, allowed=most * length)

    # Steps

    def _floor(self, time: float) -> int:
        step = math.floor((time - self.scene.start) / self._step_ticks)
        return step + 1 if self.tick(step + 1) <= time else step

    def _begin(self) -> _Checkpoint:
        """The state at the start: all that are let go have the pose and the speed of their keys."""
        scene = self.scene
        free = scene.free_at(scene.start)
        (given,) = self._given([0], None)
        goals, rates = self._goals([-1, 0, 1, 2], None)
        speeds = self._launched(goals[1], self._speeds(rates), given, np.array(free))
        state = self._articulation(free, self._loose(0), self._off_ground(0)).new_state(goals[1], speeds)
        self._poses, self._contacts, self._touching = [(state.q.copy(), given)], [NO_FORCES], 0
        self._checkpoints = [_Checkpoint(0, free, state.buffer, given)]
        return self._checkpoints[0]

    def _advance(self, point: _Checkpoint, end: int) -> _Checkpoint:
        """Some steps on; no further than to the next checkpoint."""
        free, given = point.free, point.given
        loose, off_ground = self._loose(point.step), self._off_ground(max(point.step - 1, 0))
        state = State(self._articulation(free, loose, off_ground), point.state.copy())
        work = self._room(state)
        steps = range(point.step, end)
        free_then = [self.scene.free_at(self.tick(step)) for step in steps]
        torques = None if self._torques is None else self._torques([self._middle(step) for step in steps])
        goals, rates = self._goals([*steps, end], point.free)
        moving = self.scene.roots.from_balls(state.q, state.qd, near=given)[1] if self._drivers else None
        poses, contacts = list[tuple[Array, Array]](), list[Forces]()  # kept once all are made: a step may diverge
        for place, now in enumerate(free_then):
            laws = self._loose(steps[place]), self._off_ground(steps[place])
            if now != free or laws != (loose, off_ground):
                landing = off_ground - laws[1]
                loose, off_ground = laws
                state = State(self._articulation(now, loose, off_ground), state.buffer)
                self._let_go(state, steps[place], np.array(now) & ~np.array(free))
                if landing:
                    state.articulation.begin_inside(state, landing)
                work, free = self._room(state), now
            if torques is not None:
                state.torque[:] = torques[place]
            if moving is not None:
                self._drive(state, free, None if torques is None else torques[place], steps[place], given, moving)
            state.goal[:], state.goal_rate[:] = goals[place + 1], rates[place]
            if self.pushers:
                state.outside[:] = self._pushed(state, free, steps[place])
            self._stepper.step(state.articulation, state, work, self.scene.dt)
            given, now_moving = self.scene.roots.from_balls(state.q, state.qd, near=given)
            moving = now_moving if self._drivers else None
            poses.append((state.q.copy(), given))
            points, impulses = work.contacts()
            contacts.append(Forces(points.astype(np.float32), (impulses / self.scene.dt).astype(np.float32)))
        self._poses += poses
        self._contacts += contacts
        self._touching += _bytes_of(contacts)
        found = _Checkpoint(end, free, state.buffer, given)
        if end % BETWEEN == 0:
            self._checkpoints.append(found)
        return found

    def _room(self, state: State) -> Work:
        """Give room for the steps of a state: that of the steps before, which holds nothing that counts, since fresh
        memory costs as much as a step."""
        known = self._work
        if known is not None and known.state.articulation is state.articulation:
            self._work = replace(known, state=state)
        else:
            self._work = self._stepper.start(state.articulation, state)
        return self._work

    def _drive(self, state: State, free: Free, keyed: Array | None, step: int, given: Array, moving: Array) -> None:
        """Put torques on the joints of those that are free, by how they stand and move as given, over keyed ones."""
        state.torque[:], state.giving[:] = 0.0 if keyed is None else keyed, 0.0
        for each in self._drivers:
            if free[each.member]:
                each.add(self._middle(step), given, moving, self.scene.dt, state.torque, state.giving)

    def _pushed(self, state: State, free: Free, step: int) -> Array:
        """Ask who pushes at a step; wrenches on all joints, shape [joint_count, 6]."""

        def ahead(outside: Array, count: int) -> State:
            made = State(state.articulation, state.buffer.copy())
            work = self._stepper.start(made.articulation, made)
            goals, rates = self._goals([*range(step, step + count + 1)], free)
            for goal, rate in zip(goals[1:], rates, strict=True):
                made.goal[:], made.goal_rate[:], made.outside[:] = goal, rate, outside
                self._stepper.step(made.articulation, made, work, self.scene.dt)
            return made

        actors = self.scene.free_actors(free)
        moving = SceneMoving(state.articulation, state, actors, self.tick(step), self.scene.dt, ahead)
        return np.asarray(sum(moving.outside(each.push(moving)) for each in self.pushers))

    def _let_go(self, state: State, step: int, which: BoolArray) -> None:
        """Give members that are let go the pose and the speed of their keys, exactly."""
        if not which.any():
            return
        goals, rates = self._goals([step - 1, step, step + 1, step + 2], None)
        own = which[self.scene.owner_of_coordinate]
        state.q[own] = goals[1][own]
        own = which[self.scene.owner_of_rate]
        (given,) = self._given([step], None)
        state.qd[own] = self._launched(goals[1], self._speeds(rates), given, which)[own]

    def _speeds(self, rates: Sequence[Array]) -> Array:
        """Rates of members as they are let go, from those of keys before that tick and in the two steps after it."""
        before, after, later = rates
        driven = np.array([each.is_driven for each in self.scene.members])[self.scene.owner_of_rate]
        return np.where(driven & _any_by(self.scene, after), 1.5 * after - 0.5 * later, _speed(before, after))

    def _launched(self, q: Array, qd: Array, given: Array, which: BoolArray) -> Array:
        """Rates of those that are let go, where it is said with which."""
        members = zip(self.scene.members, which, strict=True)
        launch = {dof: rate for each, is_let_go in members if is_let_go for dof, rate in each.launch.items()}
        if not launch:
            return qd
        roots = self.scene.roots
        _, rates = roots.from_balls(q, qd, near=given)
        for dof, rate in launch.items():
            rates[roots.given.rate_index[dof]] = rate
        return roots.to_balls(given, rates)[1]

    def _loose(self, step: int) -> Free:
        return self.scene.loose_at(self._middle(step))

    def _off_ground(self, step: int) -> frozenset[int]:
        return self.scene.off_ground_at(self._middle(step))

    def _middle(self, step: int) -> float:
        """The time [ticks] in the middle of the step that begins there."""
        return 0.5 * (self.tick(step) + self.tick(step + 1))

    def _articulation(self, free: Free, loose: Free, off_ground: frozenset[int]) -> Articulation:
        key = free, loose, off_ground
        if key not in self._articulations:
            self._articulations[key] = self.scene.articulation(*key)
        return self._articulations[key]

    # Keys

    def _goals(self, steps: Sequence[int], free: Free | None) -> tuple[list[Array], list[Array]]:
        """Keyed poses at some steps as the simulated figure has them, and the rates from each to the next."""
        roots, mechanics = self.scene.roots, self.scene.mechanics
        still = np.zeros(len(roots.given.rate_index))
        if free is not None and not any(self.scene.needs_keys(free)):
            goal = roots.to_balls(self._poses[0][1], still)[0]
            return [goal] * len(steps), [np.zeros(mechanics.rate_count)] * (len(steps) - 1)
        goals = [roots.to_balls(q, still)[0] for q in self._given(steps, free)]
        rates = [np.empty(mechanics.rate_count) for _ in goals[1:]]
        for one, two, out_rates in zip(goals, goals[1:], rates, strict=False):
            compute_difference(mechanics.ints, one, two, out_rates)
            out_rates /= self.scene.dt
        return goals, rates

    def _given(self, steps: Sequence[int], free: Free | None) -> list[Array]:
        """Coordinates of the joined figure at some steps, by keys: of all members, or of those alone that servos lead
        along keys while some are free; others are as at the start."""
        scene = self.scene
        followed = (True,) * len(scene.members) if free is None else scene.needs_keys(free)
        size = len(scene.roots.given.coordinates)
        found = [np.zeros(size) if free is None else self._poses[0][1].copy() for _ in steps]
        times = [self.tick(step) for step in steps]
        for out, rows in zip(found, self.keyed(times), strict=True):
            for member, is_followed in zip(scene.members, followed, strict=True):
                if is_followed:
                    out[member.coordinates] = coordinates_of(member, rows[member.actor.id])
        return found


def _bytes_of(contacts: Sequence[Forces]) -> int:
    return sum(each.points.nbytes + each.forces.nbytes for each in contacts)


def _speed(before: Array, after: Array) -> Array:
    """Choose the rates with which an actor is let go: of those before and after that tick the faster ones, since keys
    that end there, or begin there, are held on the other side."""
    return np.where(np.abs(after) >= np.abs(before), after, before)


def _any_by(scene: PhysicsScene, rates: Array) -> BoolArray:
    """Tell of each rate whether any of its member's is not 0."""
    moving = np.zeros(len(scene.members), dtype=np.bool_)
    np.logical_or.at(moving, scene.owner_of_rate, rates != 0.0)
    return moving[scene.owner_of_rate]


def coordinates_of(member: SceneMember, row: Array) -> Array:
    """The coordinates of a member that stands as a row says: behind where its base is held, if it hangs on another."""
    if not member.actor.attachments:
        return row[ROW:]
    turn = quaternions(row[:9].reshape(1, 3, 3))[0]
    return np.concatenate((row[9:ROW], turn, row[ROW:]))

"""Finds a walk of the skeleton that the ground can carry: `find_walk`, some minutes of work.

It begins with the human's walk, retargeted, its fast parts left out, and with feet set anew (`tests.walk_feet`); legs
follow by inverse kinematics over their six hinges. Then a few harmonics of pelvis, trunk and arms are changed, by
damped least squares, so that by inverse dynamics of the whole body

- the place where the ground's force acts (where its moment is vertical) goes on from the heel to the toes of the foot
  that stands, from one to the other while both do, and its vertical moment is small,
- knees and ankles bend near to what is commonly reported of walking,
- and little else changes.

So hardly anything is left at the root when the ground's force is estimated. Of both sides one is the mirror image of
the other, half a cycle later.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator

from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.batch import invert_states
from engine.dynamics.mechanics import compile_mechanics
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion
from engine.ik.retarget import Retargeting
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.driven_kernels import write_driven_motion
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.quick_dataclass import dataclass
from tests.walk_feet import FootPath, StandingFoot, Steps

PERIOD, STRIDE, COUNT = 16.0 / 15.0, 1.25, 32  # [s], [m], poses of a cycle
BODY_PARTS, LEG_PARTS = 3, 6  # harmonics that are kept
DEGREE = math.pi / 180.0
GRAVITY = 9.80665
SIDES = ("left", "right")
LEG = ("femur_{}.flexion", "femur_{}.abduction", "femur_{}.rotation", "tibia_{}.flexion", "talus_{}.dorsiflexion",
       "calcaneus_{}.inversion")  # fmt: skip
ODD = ("move_x", "turn", "roll", "rotation", "side_bend")  # change their sign in a mirror, in the middle of the body
SPINE = {
    "lumbar": tuple(f"lumbar{number}" for number in (5, 4, 3, 2, 1)),
    "thoracic": tuple(f"thoracic{number}" for number in range(12, 0, -1)),
}
STEPS = Steps(
    stride=STRIDE, aside=0.05, ahead=-0.1126, lift=0.0846, push=1.062, middle=0.05, strike=-0.4014
)  # fmt: skip
BEGIN = (
    ("sacrum.move_y", 0, 0.009, 0.0), ("sacrum.move_y", 2, 0.0005, -0.0043), ("sacrum.roll", 1, 0.049, -0.035),
    ("sacrum.turn", 1, -0.017, -0.014), ("sacrum.move_z", 2, -0.0064, 0.0069),
)  # fmt: skip
"""What is added to the retargeted pelvis: harmonic, cosine, sine [m, rad]."""
KNEE = ((0.0, 0.05, 0.12, 0.20, 0.30, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.72, 0.80, 0.90, 0.97, 1.0),
        (12, 18, 24, 21, 14, 12, 14, 20, 31, 44, 56, 66, 56, 26, 11, 12))  # fmt: skip
ANKLE = ((0.0, 0.07, 0.15, 0.30, 0.45, 0.52, 0.62, 0.75, 0.9, 1.0), (0, -5, 0, 6, 11, 5, -15, 0, 2, 0))
CENTRE = ((0.0, 0.08, 0.2, 0.35, 0.45, 0.5, 0.56, 0.63), (0.01, 0.035, 0.075, 0.12, 0.16, 0.18, 0.195, 0.205))
"""Phases, with angles of knee and ankle [degrees], and how far beyond its heel the ground's force acts [m]."""
SHIFT = 0.125  # of the cycle, in which weight goes from foot to foot
ITERATIONS, LITTLE = 14, 1e-5  # and the gain below which it ends


@dataclass(frozen=True, eq=False)
class Change:
    """One number that the search finds: a harmonic of some coordinates, or of how feet are set."""

    spread: Array | None  # of coordinates, shape [coordinate_count]
    shape: Array  # over the cycle, shape [COUNT]
    usual: float
    step: str = ""  # the field of `Steps`


class WalkSearch:
    """The walk that is searched for, as a function of a few numbers."""

    def __init__(self) -> None:
        self.figure = load_figure("anatomy")
        self.model = compile_model(self.figure)
        self.index = self.figure.coordinate_index
        self.forward = self.index["sacrum.move_z"]
        self.mechanics = compile_mechanics(self.model, gravity=(0.0, -GRAVITY, 0.0), massless=True)
        self.weight = GRAVITY * sum(joint.body.mass for joint in self.figure.joints if joint.body is not None)
        self.feet = {side: StandingFoot(self.model, side) for side in SIDES}
        self.legs = {side: np.array([self.index[name.format(side)] for name in LEG]) for side in SIDES}
        self._state = self.model.new_state()
        times = np.arange(COUNT + 1) * PERIOD / COUNT
        spline = CubicSpline(times, np.vstack((np.eye(COUNT), np.eye(COUNT)[:1])), bc_type="periodic")
        self._rates, self._accelerations = spline(times[:-1], 1), spline(times[:-1], 2)
        self._mirror()
        self.base = self._begun()
        self.changes = tuple(self._list_changes())
        self.guess = {side: self.base[:, self.legs[side]].copy() for side in SIDES}
        self.missed = np.zeros(0)
        self._paths: dict[tuple[str, Steps], FootPath] = {}
        phases = np.arange(COUNT) / COUNT
        self._knee, self._ankle = (PchipInterpolator(*table)(phases) * DEGREE for table in (KNEE, ANKLE))
        self._centre = PchipInterpolator(*CENTRE)

    def steps(self, x: Array) -> Steps:
        """How feet are set by such numbers."""
        found = STEPS
        for value, each in zip(x.tolist(), self.changes, strict=True):
            if each.step:
                found = replace(found, **{each.step: getattr(found, each.step) + value})
        return found

    def poses(self, x: Array, *, keep: bool = False) -> Array:
        """All poses of the cycle, shape [COUNT, coordinate_count]; `keep`: to begin from those of legs next time."""
        q, half = self.base.copy(), COUNT // 2
        for value, each in zip(x.tolist(), self.changes, strict=True):
            if each.spread is not None:
                q += value * each.shape[:, None] * each.spread
        steps, missed = self.steps(x), []
        for side in SIDES:
            path, late = self._path(side, steps), 0.0 if side == "left" else 0.5
            for row in range(half):
                phase = row / COUNT + late
                turn, place = path.at(phase)
                place = place - np.array([0.0, 0.0, late * STRIDE])
                q[row, self.legs[side]] = self.guess[side][row]
                missed.append(self._solve_leg(q[row], side, turn, place, 14 if keep else 8))
                q[row, self.index[f"toes_{side}.flexion"]] = path.toes(phase)
                if keep:
                    self.guess[side][row] = q[row, self.legs[side]]
        self.missed = np.array(missed)
        other = q[:half, self._partner] * self._sign
        other[:, self.forward] += 0.5 * STRIDE
        return self._slow(np.concatenate((q[:half], other)), LEG_PARTS)

    def residuals(self, x: Array) -> Array:
        """What is to be small, each over what is usual of it."""
        q = self.poses(x)
        force, place, moment = self._ground(q)
        wanted = self._wanted(self.steps(x))
        away = np.array([value / each.usual for value, each in zip(x.tolist(), self.changes, strict=True)])
        bends = [
            q[:, self.index[f"{name}_left.{way}"]] for name, way in (("tibia", "flexion"), ("talus", "dorsiflexion"))
        ]
        parts = (
            (place - wanted)[:, ::2].ravel() / 0.01, moment / 6.0, (force[:, 1] / self.weight - 1.0) / 0.25, 0.8 * away,
            (bends[0] - self._knee) / (7.0 * DEGREE), (bends[1] - self._ankle) / (5.0 * DEGREE), 300.0 * self.missed,
        )  # fmt: skip
        return np.concatenate(parts)

    def _path(self, side: str, steps: Steps) -> FootPath:
        known = side, steps
        if known not in self._paths:
            self._paths[known] = FootPath(self.feet[side], steps)
        return self._paths[known]

    def _ground(self, q: Array) -> tuple[Array, Array, Array]:
        """Of half a cycle the force of the ground [N], where it acts [m] and its vertical moment [N m]."""
        motion, half = self._motion(q), COUNT // 2
        now, rate, change = (np.ascontiguousarray(motion[:half, each]) for each in range(3))
        torques = invert_states(self.mechanics, now, rate, change)[:, :6]
        forces, places, moments = np.empty((half, 3)), np.zeros((half, 3)), np.empty(half)
        unit, still = np.zeros((6, self.mechanics.joint_count, 6)), np.zeros((6, self.mechanics.rate_count))
        unit[np.arange(6), 0, np.arange(6)] = 1.0
        bare = compile_mechanics(self.model, gravity=(0.0, 0.0, 0.0), massless=True)
        for row in range(half):
            along = -invert_states(bare, np.tile(now[row], (6, 1)), still, still, unit)[:, :6].T
            wrench = np.linalg.solve(along, torques[row])
            force, moment = wrench[:3], wrench[3:]
            root = self._transforms(now[row])[0, 9:]
            x = (moment[2] - root[1] * force[0]) / force[1]
            z = -(moment[0] + root[1] * force[2]) / force[1]
            forces[row], places[row] = force, (root[0] + x, 0.0, root[2] + z)
            moments[row] = moment[1] - (z * force[0] - x * force[2])
        return forces, places, moments

    def _wanted(self, steps: Steps) -> Array:
        """Where the ground's force is to act [m]: of half a cycle."""
        heel, found = self._path("left", steps).at(0.2)[1], []
        for row in range(COUNT // 2):
            phase = row / COUNT
            mine = np.array([heel[0], 0.0, heel[2] + float(self._centre(phase))])
            other = np.array([-heel[0], 0.0, heel[2] - 0.5 * STRIDE + float(self._centre(min(phase + 0.5, 0.63)))])
            share = min(phase / SHIFT, 1.0)
            share = share * share * (3.0 - 2.0 * share)
            found.append(share * mine + (1.0 - share) * other)
        return np.array(found)

    def _motion(self, q: Array) -> Array:
        """Poses with rates and accelerations, shape [COUNT, 3, coordinate_count]."""
        even = self._evened(q)
        motion = np.ascontiguousarray(np.stack((q, self._rates @ even, self._accelerations @ even), axis=1))
        motion[:, 1, self.forward] += STRIDE / PERIOD
        if self.mechanics.model.driven is not None:
            driven = self.mechanics.model.driven
            write_driven_motion(driven.ints, driven.floats, motion)
        return motion

    def _list_changes(self) -> list[Change]:
        found, turns = list[Change](), 2.0 * np.pi * np.arange(COUNT) / COUNT

        def add(spread: Array, harmonics: Sequence[int], usual: float, mean: float = 0.0) -> None:
            if mean:
                found.append(Change(spread, np.ones(COUNT), mean))
            for each in harmonics:
                found.extend(Change(spread, wave(each * turns), usual) for wave in (np.cos, np.sin))

        add(self._one("sacrum.move_z"), (2, 4), 0.02, 0.02)
        add(self._one("sacrum.move_x"), (1, 3), 0.02)
        add(self._one("sacrum.move_y"), (2,), 0.003, 0.006)
        add(self._one("sacrum.tilt"), (2,), 0.5 * DEGREE, 2.0 * DEGREE)
        for group in SPINE:
            add(self._spine(group, "flexion"), (2,), 0.5 * DEGREE, 2.0 * DEGREE)
            add(self._spine(group, "side_bend"), (1,), 1.0 * DEGREE)
            add(self._spine(group, "rotation"), (1,), 3.0 * DEGREE)
        add(self._one("humerus_left.flexion") - self._one("humerus_right.flexion"), (1,), 2.0 * DEGREE)
        add(self._one("sacrum.roll"), (1,), 1.0 * DEGREE)
        add(self._one("sacrum.turn"), (1,), 3.0 * DEGREE)
        add(self._one("sacrum.move_y"), (4,), 0.001)
        for name, usual in (("push", 4.0), ("middle", 4.0), ("strike", 2.0)):
            found.append(Change(None, np.zeros(COUNT), usual * DEGREE, name))
        return found

    def _one(self, name: str) -> Array:
        found = np.zeros(len(self.figure.coordinates))
        found[self.index[name]] = 1.0
        return found

    def _spine(self, group: str, way: str) -> Array:
        """A bend of a part of the spine, shared out by ranges."""
        found = np.zeros(len(self.figure.coordinates))
        for joint in SPINE[group]:
            dof = self.figure.coordinate_dof[f"{joint}.{way}"]
            found[self.index[dof.id]] = (dof.upper or 0.0) - (dof.lower or 0.0)
        return np.asarray(found / found.sum())

    def _begun(self) -> Array:
        """The retargeted walk, its mirror image, and its slow parts, with what is added to it."""
        human, (walk,) = load_figure("human"), load_motion("walk").layers
        end = round(3.0 * PERIOD * TICKS_PER_SECOND)
        carried = Retargeting(human, (walk,), self.figure, rate=(30, 1), start=0, end=end)
        q = carried.values[COUNT : 2 * COUNT].copy()
        way = float(carried.values[2 * COUNT, self.forward] - q[0, self.forward])
        q[:, self.forward] -= way * np.arange(COUNT) / COUNT
        q = 0.5 * (q + np.roll(q[:, self._partner] * self._sign, COUNT // 2, axis=0))
        q[:, self.forward] -= q[:, self.forward].mean()
        turns = 2.0 * np.pi * np.arange(COUNT) / COUNT
        q[:, self.forward] += STRIDE * np.arange(COUNT) / COUNT
        q = self._slow(q, BODY_PARTS)
        for name, harmonic, cosine, sine in BEGIN:
            q[:, self.index[name]] += cosine * np.cos(harmonic * turns) + sine * np.sin(harmonic * turns)
        return q

    def _slow(self, q: Array, most: int) -> Array:
        """Leave out harmonics above the most."""
        parts = np.fft.rfft(self._evened(q), axis=0)
        parts[most + 1 :] = 0.0
        found: Array = np.fft.irfft(parts, COUNT, axis=0)
        found[:, self.forward] += STRIDE * np.arange(COUNT) / COUNT
        return found

    def _evened(self, q: Array) -> Array:
        even = q.copy()
        even[:, self.forward] -= STRIDE * np.arange(COUNT) / COUNT
        return even

    def _mirror(self) -> None:
        self._partner = np.zeros(len(self.figure.coordinates), dtype=np.int64)
        self._sign = np.ones(len(self.figure.coordinates))
        swapped = {"left": "right", "right": "left"}
        for place, name in enumerate(self.figure.coordinates):
            joint, _, way = name.partition(".")
            start, _, side = joint.rpartition("_")
            self._partner[place] = self.index[f"{start}_{swapped[side]}.{way}"] if side in swapped else place
            if side not in swapped and way in ODD:
                self._sign[place] = -1.0

    def _transforms(self, q: Array) -> Array:
        compute_forward_kinematics(self.model.ints, self.model.floats, q, self._state)
        return self.model.transforms(self._state)

    def _solve_leg(self, q: Array, side: str, turn: Array, place: Array, most: int) -> float:
        """Bring the heel bone to a turn and a place, by damped least squares within limits; what is missed at most."""
        columns, row = self.legs[side], self.figure.joint_index[f"calcaneus_{side}"]
        dofs = [self.figure.coordinate_dof[name.format(side)] for name in LEG]
        low = np.array([(dof.lower or 0.0) + 1e-3 for dof in dofs])
        high = np.array([(dof.upper or 0.0) - 1e-3 for dof in dofs])
        low[3] = 2.0 * DEGREE  # of the knee, which never locks

        def missed(angles: Array) -> Array:
            q[columns] = angles
            at = self._transforms(q)[row]
            off = at[:9].reshape(3, 3) @ turn.T
            turned = 0.5 * np.array([off[2, 1] - off[1, 2], off[0, 2] - off[2, 0], off[1, 0] - off[0, 1]])
            return np.concatenate((5.0 * (at[9:] - place), turned))

        angles = np.clip(q[columns], low, high)
        error, damping = missed(angles), 1e-6
        for _ in range(most):
            if np.abs(error).max() < 1e-9:
                break
            slopes = np.stack([(missed(angles + 1e-6 * one) - error) / 1e-6 for one in np.eye(6)], axis=1)
            pull = slopes.T @ error
            free = ~(((angles <= low + 1e-9) & (pull > 0.0)) | ((angles >= high - 1e-9) & (pull < 0.0)))
            for _ in range(5):
                some, step = slopes[:, free], np.zeros(6)
                step[free] = -np.linalg.solve(some.T @ some + damping * np.eye(int(free.sum())), pull[free])
                step *= min(1.0, 0.4 / max(float(np.abs(step).max()), 1e-12))
                tried = np.clip(angles + step, low, high)
                new = missed(tried)
                if new @ new < error @ error:
                    break
                damping = max(damping, 1e-6) * 10.0
            else:
                break
            angles, error, damping = tried, new, max(0.1 * damping, 1e-9)
        q[columns] = angles
        return float(np.abs(error).max())


def find_walk() -> Array:
    """Poses of a cycle, evenly spaced, shape [COUNT, coordinate_count]."""
    search = WalkSearch()
    x, damping = np.zeros(len(search.changes)), 1e-2
    for _ in range(2):
        search.poses(x, keep=True)
    error = search.residuals(x)
    for _ in range(ITERATIONS):
        cost = float(error @ error)
        sizes = [1e-3 * each.usual for each in search.changes]
        slopes = np.stack(
            [
                (search.residuals(x + size * one) - error) / size
                for size, one in zip(sizes, np.eye(len(x)), strict=True)
            ],
            axis=1,
        )
        square = slopes.T @ slopes
        for _ in range(5):
            step = -np.linalg.solve(square + damping * np.diag(np.diag(square)), slopes.T @ error)
            tried = search.residuals(x + step)
            if float(tried @ tried) < cost:
                break
            damping *= 5.0
        else:
            break
        x, damping = x + step, max(0.2 * damping, 1e-6)
        search.poses(x, keep=True)
        error = search.residuals(x)
        print(f"{cost:.1f} -> {float(error @ error):.1f}", flush=True)
        if cost - float(error @ error) < LITTLE * cost:
            break
    return search.poses(x, keep=True)

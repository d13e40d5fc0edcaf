"""Finds a walk of the skeleton that the ground can carry: `find_walk`, a minute of work or two.

It begins with the human's walk, retargeted, its fast parts left out, and with feet set anew (`tests.walk_feet`); legs
follow by inverse kinematics over their six hinges. Then a few harmonics of pelvis, trunk and arms are changed, by
damped least squares, so that by inverse dynamics of the whole body

- the place where the ground's force acts (where its moment is vertical) goes on from the heel to the toes of the foot
  that stands, from one to the other while both do, and its vertical moment is small,
- hips, knees and ankles bend as in a walk that was measured, the one of `engine.experiments.gait_angles`, rounded, and
  a little earlier, since its feet carry for 66 % of the cycle,
- while one leg stands, it takes about as much torque at hip, knee and ankle as is commonly reported,
- and little else changes.

So hardly anything is left at the root when the ground's force is estimated. Of both sides one is the mirror image of
the other, half a cycle later.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.interpolate import PchipInterpolator

from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.batch import invert_states
from engine.dynamics.mechanics import compile_mechanics
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion
from engine.ik.retarget import Retargeting
from engine.maths.arrays import Array
from engine.model.kinematics import compute_forward_kinematics
from tests.walk_feet import WAVES, FootPath, StandingFoot, Steps, swung
from tests.walk_legs import SIDES, Feet, WalkerLegs
from tests.walk_moving import (
    COUNT,
    GRAVITY,
    PERIOD,
    SPINE,
    STRIDE,
    Change,
    PeriodicMotion,
    harmonics,
    least_squares,
)

BODY_PARTS, LEG_PARTS = 3, 8  # harmonics that are kept
DEGREE = math.pi / 180.0
ODD = ("move_x", "turn", "roll", "rotation", "side_bend")  # change their sign in a mirror, in the middle of the body
STEPS = Steps(
    stride=STRIDE, aside=0.05, ahead=-0.09, middle=0.21, push=1.05, trail=0.75, reach=0.26, strike=-0.36,
    high_early=0.17, high_middle=0.12, high_late=0.04, on_early=0.1, on_middle=0.45, on_late=0.83,
)  # fmt: skip
BEGIN = (
    ("sacrum.move_y", 0, 0.0, 0.0), ("sacrum.move_y", 2, 0.0005, -0.0043), ("sacrum.roll", 1, 0.049, -0.035),
    ("sacrum.turn", 1, -0.017, -0.014), ("sacrum.move_z", 2, -0.0064, 0.0069),
)  # fmt: skip
"""What is added to the retargeted pelvis: harmonic, cosine, sine [m, rad]."""
ANGLES = "femur_left.flexion", "tibia_left.flexion", "talus_left.dorsiflexion"
KNEE = ((0.0, 0.06, 0.12, 0.18, 0.25, 0.32, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.86, 0.92, 0.97,
         1.0),
        (7, 14, 19, 18, 14, 10, 7, 7, 11, 21, 37, 52, 61, 61, 51, 31, 14, 8, 7))  # fmt: skip
ANKLE = ((0.0, 0.05, 0.10, 0.15, 0.25, 0.35, 0.45, 0.50, 0.55, 0.60, 0.64, 0.70, 0.78, 0.9, 1.0),
         (0, -4, -2, 1, 5, 8, 10, 10, 4, -10, -17, -8, 0, 2, 0))  # fmt: skip
HIP = ((0.0, 0.05, 0.10, 0.14, 0.19, 0.24, 0.28, 0.33, 0.38, 0.42, 0.47, 0.52, 0.57, 0.62, 0.67, 0.73, 0.79, 0.85, 0.92,
        1.0), (25, 27, 26, 22, 15, 9, 3, -3, -8, -13, -16, -15, -9, 1, 10, 19, 25, 27, 26, 25))  # fmt: skip
CENTRE = ((0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.63), (0.01, 0.055, 0.09, 0.12, 0.15, 0.185, 0.205, 0.205))
"""Phases, with angles of knee, ankle and hip [degrees], and how far beyond its heel the ground's force acts [m]."""
FORWARD = (0.14, 0.18, 0.12, 0.01, -0.08, -0.12, -0.11, -0.08, -0.06, -0.045, -0.035, -0.02, 0.0, 0.02, 0.055, 0.1)
SIDEWARD = (0.07, 0.07, 0.06, 0.0, -0.05, -0.05, -0.06, -0.06, -0.05, -0.05, -0.05, -0.045, -0.05, -0.055,
            -0.06, -0.065)  # fmt: skip
UPWARD = (1.13, 1.2, 1.19, 1.13, 1.1, 1.08, 1.02, 0.92, 0.85, 0.82, 0.82, 0.85, 0.88, 0.93, 1.0, 1.07)
"""The force of the ground on both feet in that walk, over the weight, in half a cycle."""
SHIFT = 0.125  # of the cycle, in which weight goes from foot to foot
TORQUES = {
    "talus_left.dorsiflexion": ((0.125, 0.2, 0.3, 0.4, 0.45, 0.5), (-12, -30, -52, -85, -100, -100), 12.0),
    "tibia_left.flexion": ((0.125, 0.16, 0.2, 0.25, 0.3, 0.4, 0.45, 0.5), (-38, -38, -28, -10, 2, 14, 12, 4), 12.0),
    "femur_left.flexion": ((0.125, 0.2, 0.25, 0.3, 0.4, 0.5), (-40, -15, -3, 8, 38, 60), 14.0),
    "femur_left.abduction": ((0.125, 0.2, 0.3, 0.4, 0.46, 0.5), (55, 60, 50, 55, 60, 50), 18.0),
}
"""What a leg takes that stands alone: phases, torques [N m] as they are commonly reported, said from memory of the
field, and how far off counts as much as one."""
SWUNG = 0.01, 0.015, 0.12  # usual of waves in the swing: of height and way [m], and of pitch [rad]
LEAST_BEND = 4.0 * DEGREE  # of a knee
ITERATIONS = 10


class WalkSearch(PeriodicMotion):
    """The walk that is searched for, as a function of a few numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = GRAVITY * sum(joint.body.mass for joint in self.figure.joints if joint.body is not None)
        self.feet = {side: StandingFoot(self.model, side) for side in SIDES}
        self.legs = WalkerLegs(self.model)
        self.toes = {side: self.index[f"toes_{side}.flexion"] for side in SIDES}
        self._bare = compile_mechanics(self.model, gravity=(0.0, 0.0, 0.0), massless=True)
        self._state = self.model.new_state()
        self._mirror()
        self.base = self._begun()
        self.changes: tuple[Change, ...] = tuple(self._list_changes())
        half = COUNT // 2
        self.guess = {side: self.base[:half, self.legs.columns[side]].copy() for side in SIDES}
        self.missed = np.zeros(0)
        self._known: dict[Steps, tuple[Feet, dict[str, Array], FootPath]] = {}
        phases = np.arange(COUNT) / COUNT
        self._angles = [PchipInterpolator(*table)(phases) * DEGREE for table in (HIP, KNEE, ANKLE)]
        self._centre = PchipInterpolator(*CENTRE)
        self._heel = self.figure.joint_index["calcaneus_left"]
        self._alone = np.arange(round(SHIFT * COUNT), COUNT // 2)
        phases = self._alone / COUNT
        self._asked = [(self.figure.rate_index[name], np.interp(phases, *each[:2]), each[2])
                       for name, each in TORQUES.items()]  # fmt: skip

    def steps(self, x: Array) -> Steps:
        """How feet are set by such numbers."""
        found = STEPS
        for value, each in zip(x.tolist(), self.changes, strict=True):
            if each.step:
                found = replace(found, **{each.step: getattr(found, each.step) + value})
        return found

    def poses(self, x: Array) -> Array:
        """All poses of the cycle, shape [COUNT, coordinate_count]."""
        half = self._half(x)
        other = half[:, self._partner] * self._sign
        other[:, self.forward] += 0.5 * STRIDE
        return self.slow(np.concatenate((half, other)), LEG_PARTS)

    def keep(self, x: Array) -> None:
        """Legs begin from there next time."""
        half = self._half(x)
        self.guess = {side: half[:, self.legs.columns[side]].copy() for side in SIDES}

    def _half(self, x: Array) -> Array:
        q = self.changed(self.base, x, self.changes)[: COUNT // 2]
        feet, toes, _ = self._stepped(self.steps(x))
        moved, phases = {}, np.arange(COUNT // 2) / COUNT
        for side, late in zip(SIDES, (0.0, 0.5), strict=True):
            q[:, self.legs.columns[side]], q[:, self.toes[side]] = self.guess[side], toes[side]
            moved[side] = swung(feet[side], phases + late, x[-3 * WAVES :])
        self.missed = self.legs.bring(q, moved)
        return q

    def residuals(self, x: Array) -> Array:
        """What is to be small, each over what is usual of it."""
        q = self.poses(x)
        force, place, moment = self._ground(q)
        wanted = self._wanted(self.steps(x))
        away = np.array([value / each.usual for value, each in zip(x.tolist(), self.changes, strict=True)])
        hip, knee, ankle = (q[:, self.index[name]] - angles for name, angles in zip(ANGLES, self._angles, strict=True))
        bent, pull = q[:, self.index[ANGLES[1]]], force / self.weight
        torques = self._torques(q, force, place, moment)
        parts = (
            (place - wanted)[:, ::2].ravel() / 0.01, moment / 8.0, (pull[:, 0] - SIDEWARD) / 0.04,
            (pull[:, 1] - UPWARD) / 0.06, (pull[:, 2] - FORWARD) / 0.03, away, hip / (5.0 * DEGREE),
            knee / (2.5 * DEGREE), ankle / (3.5 * DEGREE), 600.0 * self.missed,
            np.minimum(bent - LEAST_BEND, 0.0) / DEGREE, _bumps(_bumps(bent)) / (3.0 * DEGREE),
            *((torques[:, rate] - asked) / usual for rate, asked, usual in self._asked),
        )  # fmt: skip
        return np.concatenate(parts)

    def _torques(self, q: Array, force: Array, place: Array, moment: Array) -> Array:
        """What poses take in which the left leg stands alone, with the force of the ground on its heel bone [N m]."""
        motion = self.motion(q)
        now, rate, change = (np.ascontiguousarray(motion[self._alone, each]) for each in range(3))
        outside = np.zeros((len(now), self.mechanics.joint_count, 6))
        for row, (pose, at) in enumerate(zip(now, self._alone.tolist(), strict=True)):
            arm = place[at] - self._placed(pose, self._heel)
            outside[row, self._heel, :3] = force[at]
            outside[row, self._heel, 3:] = np.cross(arm, force[at])
            outside[row, self._heel, 4] += moment[at]
        found: Array = invert_states(self.mechanics, now, rate, change, outside)
        return found

    def _stepped(self, steps: Steps) -> tuple[Feet, dict[str, Array], FootPath]:
        """Heel bones and toes in the first half of the cycle, and the way of the left foot."""
        if steps not in self._known:
            feet, toes, ways = {}, {}, []
            for side, late in zip(SIDES, (0.0, 0.5), strict=True):
                way = FootPath(self.feet[side], steps)
                phases = [row / COUNT + late for row in range(COUNT // 2)]
                turns, places = zip(*(way.at(phase) for phase in phases), strict=True)
                feet[side] = np.array(turns), np.array(places) - (0.0, 0.0, late * STRIDE)
                toes[side] = np.array([way.toes(phase) for phase in phases])
                ways.append(way)
            self._known[steps] = feet, toes, ways[0]
        return self._known[steps]

    def _ground(self, q: Array) -> tuple[Array, Array, Array]:
        """Of half a cycle the force of the ground [N], where it acts [m] and its vertical moment [N m]."""
        motion, half, joints = self.motion(q), COUNT // 2, self.mechanics.joint_count
        now, rate, change = (np.ascontiguousarray(motion[:half, each]) for each in range(3))
        torques = invert_states(self.mechanics, now, rate, change)[:, :6]
        unit, still = np.zeros((6 * half, joints, 6)), np.zeros((6 * half, self.mechanics.rate_count))
        unit[np.arange(6 * half), 0, np.tile(np.arange(6), half)] = 1.0
        along = -invert_states(self._bare, np.repeat(now, 6, axis=0), still, still, unit)[:, :6].reshape(half, 6, 6)
        wrenches: Array = np.linalg.solve(along.transpose(0, 2, 1), torques[:, :, None])[:, :, 0].astype(np.float64)
        force, moment, roots = wrenches[:, :3], wrenches[:, 3:], np.array([self._placed(each, 0) for each in now])
        x = (moment[:, 2] - roots[:, 1] * force[:, 0]) / force[:, 1]
        z = -(moment[:, 0] + roots[:, 1] * force[:, 2]) / force[:, 1]
        places = np.stack((roots[:, 0] + x, np.zeros(half), roots[:, 2] + z), axis=1)
        return force, places, moment[:, 1] - (z * force[:, 0] - x * force[:, 2])

    def _wanted(self, steps: Steps) -> Array:
        """Where the ground's force is to act [m]: of half a cycle."""
        heel, found = self._stepped(steps)[2].at(0.2)[1], []
        for row in range(COUNT // 2):
            phase = row / COUNT
            mine = np.array([heel[0], 0.0, heel[2] + float(self._centre(phase))])
            other = np.array([-heel[0], 0.0, heel[2] - 0.5 * STRIDE + float(self._centre(min(phase + 0.5, 0.63)))])
            share = min(phase / SHIFT, 1.0)
            share = share * share * (3.0 - 2.0 * share)
            found.append(share * mine + (1.0 - share) * other)
        return np.array(found)

    def _list_changes(self) -> list[Change]:
        one = self.one
        found = [
            *harmonics(one("sacrum.move_z"), (2, 4), 0.02, 0.02),
            *harmonics(one("sacrum.move_z"), (6, 8), 0.002),
            *harmonics(one("sacrum.move_x"), (1, 3), 0.02),
            *harmonics(one("sacrum.move_x"), (5, 7), 0.002),
            *harmonics(one("sacrum.move_y"), (2,), 0.01, 0.02),
            *harmonics(one("sacrum.tilt"), (2, 4), 0.5 * DEGREE, 2.0 * DEGREE),
        ]
        for group in SPINE:
            found += harmonics(self.spine(group, "flexion"), (2,), 0.5 * DEGREE, 2.0 * DEGREE)
            found += harmonics(self.spine(group, "flexion"), (4,), 1.0 * DEGREE)
            found += harmonics(self.spine(group, "side_bend"), (1, 3), 1.0 * DEGREE)
            found += harmonics(self.spine(group, "rotation"), (1,), 3.0 * DEGREE)
        arms = one("humerus_left.flexion") - one("humerus_right.flexion")
        found += harmonics(arms, (1,), 2.0 * DEGREE)
        found += harmonics(arms, (3,), 1.0 * DEGREE)
        found += harmonics(one("sacrum.roll"), (1, 3), 1.0 * DEGREE)
        found += harmonics(one("sacrum.turn"), (1,), 3.0 * DEGREE)
        found += harmonics(one("sacrum.turn"), (3,), 1.0 * DEGREE)
        found += harmonics(one("sacrum.move_y"), (4, 6), 0.003)
        usual = (
            ("ahead", 0.02), ("middle", 0.05), ("push", 0.05), ("trail", 0.1), ("reach", 0.1), ("strike", 0.03),
            ("high_early", 0.03), ("high_middle", 0.03), ("high_late", 0.03),
            ("on_early", 0.045), ("on_middle", 0.045), ("on_late", 0.045),
        )  # fmt: skip
        found += [Change(None, np.zeros(COUNT), much, name) for name, much in usual]
        return found + [Change(None, np.zeros(COUNT), much) for much in SWUNG for _ in range(WAVES)]

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
        q = self.slow(q, BODY_PARTS)
        for name, harmonic, cosine, sine in BEGIN:
            q[:, self.index[name]] += cosine * np.cos(harmonic * turns) + sine * np.sin(harmonic * turns)
        return q

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

    def _placed(self, q: Array, joint: int) -> Array:
        compute_forward_kinematics(self.model.ints, self.model.floats, q, self._state)
        return self.model.transforms(self._state)[joint, 9:].copy()


def _bumps(values: Array) -> Array:
    """Second differences of periodic values."""
    found: Array = np.roll(values, 1) - 2.0 * values + np.roll(values, -1)
    return found


def find_walk() -> Array:
    """Poses of a cycle, evenly spaced, shape [COUNT, coordinate_count]."""
    search = WalkSearch()
    return search.poses(least_squares(search, ITERATIONS))

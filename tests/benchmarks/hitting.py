"""Inverse kinodynamics of a punch: how long a hit takes, and how many random targets are hit.

The human punches with a slack arm (4 Hz, a fist that holds) over windows of 0.3 s, and misses its key by a quarter of a
metre. Random targets lie within 0.8 of the arm's reach around the shoulder; a target counts as hit if the wrist is led
there within 1e-6 m in at most ten iterations by bells of 0.4 s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from engine.document.correction import Bell
from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.mechanics import compile_mechanics
from engine.kinodynamics.gains import EXACT, JointGains, compile_gains
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.targets.equations import PointEquation, TimedGoal, find_point
from engine.targets.inverse import solve
from engine.targets.options import Effort, Projection, Secant
from engine.targets.problem import TargetProblem
from engine.targets.solution import Solution
from tests.benchmarks.harness import Row, interleave
from tests.benchmarks.scenes import human

FIST = (0.0, -0.08, 0.0)  # in the wrist's frame [m]
STRIKE = 0.7  # [s]
GUARD = {
    "shoulder_right.flexion": 20.0,
    "shoulder_right.abduction": 15.0,
    "elbow_right.flexion": 120.0,
    "middle_spine.rotation": -8.0,
    "upper_spine.rotation": -12.0,
}
HIT = {
    "shoulder_right.flexion": 85.0,
    "shoulder_right.abduction": 15.0,
    "elbow_right.flexion": 12.0,
    "middle_spine.rotation": 8.0,
    "upper_spine.rotation": 14.0,
    "collar_right.protraction": 20.0,
}
TARGETS = 100
APART = 0.15  # [s] from one tied target to the next
HELD = ("thumb", "index", "middle_left", "middle_right", "ring", "little", "toes")


class Punch:
    """The figure, its gains and its keyed motion."""

    def __init__(self, tension: float = 4.0, damping: float = 0.7) -> None:
        figure = human()
        self.mechanics = compile_mechanics(compile_model(figure), massless=True)
        own = {joint.id: EXACT for joint in figure.joints if joint.id.startswith(HELD)}
        own |= {f"wrist_{side}": JointGains(tension=8.0, damping=0.7) for side in ("left", "right")}
        gains = compile_gains(self.mechanics, JointGains(tension=tension, damping=damping), own)
        self.kino: KinoModel = compile_kinodynamics(self.mechanics, gains)
        self.wrist = figure.joint_index["wrist_right"]
        self.guard, self.strike = self.pose(GUARD), self.pose(HIT)

    def pose(self, degrees: Mapping[str, float]) -> Array:
        """The rest pose with some angles."""
        q = self.mechanics.model.rest.copy()
        for name, angle in degrees.items():
            q[self.mechanics.model.figure.coordinate_index[name]] = np.radians(angle)
        return q

    def keyed(self, times: Array) -> Array:
        """From guard at 0.4 s to the strike at 0.7 s and back at 1.1 s, without jerks."""
        t = np.asarray(times, dtype=np.float64)[:, None] / TICKS_PER_SECOND
        length = np.where(t < STRIKE, 0.3, -0.4)
        u = np.clip(np.where(t < STRIKE, (t - 0.4) / 0.3, (1.1 - t) / 0.4), 0.0, 1.0)
        way = self.strike - self.guard
        share, rate = u**3 * (10.0 - 15.0 * u + 6.0 * u * u), 30.0 * (u * (1.0 - u)) ** 2 / length
        return np.stack((self.guard + share * way, rate * way), axis=1)

    def fist(self, q: Array, joint: int | None = None) -> Array:
        """Where the fist is, or a joint."""
        local = FIST if joint is None else (0.0, 0.0, 0.0)
        return find_point(self.mechanics.model, q, self.wrist if joint is None else joint, local, self.kino.new_state())

    def goal(self, place: Array, width: float = 0.4) -> TimedGoal:
        """The fist at a place when it strikes."""
        time, wide = (round(each * TICKS_PER_SECOND) for each in (STRIKE, width))
        x, y, z = place.tolist()
        equation = PointEquation(joint=self.wrist, local=FIST, position=(x, y, z))
        return TimedGoal(
            id="hit", bell=Bell(time=time, before=wide, after=wide, kind="polynomial"), equations=(equation,)
        )

    def solve(self, goal: TimedGoal, update: Secant | Projection) -> Solution:
        """Within ten iterations."""
        effort = Effort(iterations=10)
        return solve(TargetProblem(kino=self.kino, keyed=self.keyed, goals=(goal,), update=update, effort=effort))

    def targets(self, count: int) -> list[Array]:
        """Places within 0.8 of the arm's reach, around the shoulder at the strike."""
        rng, figure = np.random.default_rng(11), self.mechanics.model.figure
        shoulder = figure.joint_index["shoulder_right"]
        q, _ = self.kino.simulate(np.array([STRIKE * TICKS_PER_SECOND]), self.keyed)
        middle = self.fist(q[0], shoulder)
        straight = self.pose({"shoulder_right.flexion": 90.0})
        reach = float(np.linalg.norm(self.fist(straight) - self.fist(straight, shoulder)))
        ways = rng.normal(size=(count, 3))
        ways *= 0.8 * reach * rng.random((count, 1)) ** (1 / 3) / np.linalg.norm(ways, axis=1, keepdims=True)
        return list(middle + ways)


def rows() -> Iterator[Row]:
    """Milliseconds of the punch by width, and misses among random targets."""
    punch = Punch()
    end = np.array([STRIKE * TICKS_PER_SECOND])
    for width in (2.0, 0.4):
        goal = punch.goal(punch.fist(punch.strike), width)
        found = punch.solve(goal, Secant())
        times = interleave(
            {
                "solve": partial(punch.solve, goal, Secant()),
                "one": partial(punch.kino.simulate, end, punch.keyed),
            },
            rounds=10,
            repeats=1,
        )
        least = {name: 1e3 * min(each) for name, each in times.items()}
        yield Row(
            what=f"inverse kinodynamics of the punch, ease {width} s",
            measured=least["solve"],
            unit="ms",
            asked="at most 20 ms",
            peer=f"{found.simulations} frames",
            peer_measured=least["one"] * found.simulations,
            allowed=6.0,  # twice what it takes: half of it is reaching, linear algebra and starting kernels
            note=f"{found.iterations} iterations" + ("" if found.met else ", missed"),
        )
    yield _tied(punch)
    results = [punch.solve(punch.goal(place), Secant()) for place in punch.targets(TARGETS)]
    simulations = [found.simulations for found in results]
    yield Row(
        what="random targets within 0.8 of the arm's reach that are missed",
        measured=100.0 * sum(not found.met for found in results) / TARGETS,
        unit="%",
        asked="none",
        peer="allowed today",
        peer_measured=1.0,
        allowed=1.0,
        note=f"in 10 iterations, {int(np.median(simulations))} simulations at the median",
    )


def _tied(punch: Punch) -> Row:
    """Three targets of the fist that are tied together, begun with answers to first order and with measured ones."""
    times = [round((STRIKE + by) * TICKS_PER_SECOND) for by in (-APART, 0.0, APART)]
    goals = []
    for time in times:
        goal = punch.goal(punch.fist(punch.keyed(np.array([float(time)]))[0, 0]))
        goals.append(replace(goal, id=str(time), bell=replace(goal.bell, time=time)))

    def met(measured: bool) -> Solution:
        update = Secant(measured=measured)
        return solve(TargetProblem(kino=punch.kino, keyed=punch.keyed, goals=tuple(goals), update=update))

    times_of = interleave({"looked": partial(met, False), "measured": partial(met, True)}, rounds=10, repeats=1)
    found = met(False)
    return Row(
        what=f"three targets {APART} s apart, from nothing",
        measured=1e3 * min(times_of["looked"]),
        unit="ms",
        asked="at most 60 ms",
        peer="with measured answers",
        peer_measured=1e3 * min(times_of["measured"]),
        allowed=0.8,
        note=f"{found.iterations} iterations, {found.simulations} simulations" + ("" if found.met else ", missed"),
    )

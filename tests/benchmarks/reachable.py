"""`python -m tests.benchmarks.reachable [COUNT [WIDTH ...]]`: what share of random targets is reachable, and hit.

The punch of `hitting.py` with three gains and three widths, and at 4 Hz and 0.4 s with velocities and turns wanted,
too. Reachable: a Newton iteration on finite differences finds it with 500 simulations (`newton.py`); found: that, or
the search itself. One line for each; it takes minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from engine.maths.arrays import Array
from engine.targets.equations import PointEquation, PointVelocityEquation, TimedGoal, TurnEquation
from engine.targets.inverse import solve
from engine.targets.options import Effort
from engine.targets.problem import TargetProblem
from tests.benchmarks.hitting import FIST, Punch
from tests.benchmarks.newton import Newton

GAINS = ((4.0, 0.7), (1.5, 0.7), (3.0, 0.4))
WIDTHS = (0.4, 1.0, 2.0)
_FAR = 30  # iterations


@dataclass(frozen=True)
class Counts:
    """Of some targets."""

    targets: int
    newton: int  # found by the reference
    found: int  # by that or by the search
    soon: int  # hit in ten iterations
    late: int  # in thirty
    both: int  # hit in ten, of those that the reference finds
    both_late: int  # in thirty, of those

    def line(self, what: str) -> str:
        """For a person."""
        share = 100.0 / self.targets
        of_newton = 100.0 / max(self.newton, 1)
        return (
            f"{what}: {self.targets} targets, found {share * self.found:.1f} % (by Newton {share * self.newton:.1f} %);"
            f" hit in 10 iterations {share * self.soon:.1f} %, in 30 {share * self.late:.1f} %;"
            f" of Newton's {of_newton * self.both:.1f} and {of_newton * self.both_late:.1f} %"
        )


def count(punch: Punch, goals: list[TimedGoal]) -> Counts:
    """How the search and the reference fare."""
    rows = []
    for goal in goals:
        problem = TargetProblem(kino=punch.kino, keyed=punch.keyed, goals=(goal,), effort=Effort(iterations=_FAR))
        found = solve(problem)
        newton = Newton(punch.kino, punch.keyed, goal).finds()
        rows.append((newton, newton or found.met, found.met and found.iterations <= 10, found.met))
    newton, found, soon, late = np.array(rows, dtype=bool).T
    sums = (each.sum() for each in (newton, found, soon, late, newton & soon, newton & late))
    return Counts(len(goals), *(int(each) for each in sums))


def joint_of(goal: TimedGoal) -> int:
    """What the point that is wanted belongs to."""
    return next(equation.joint for equation in goal.equations if isinstance(equation, PointEquation))


def still(goal: TimedGoal) -> TimedGoal:
    """The fist at rest where it hits."""
    rest = PointVelocityEquation(joint=joint_of(goal), local=FIST, velocity=(0.0, 0.0, 0.0))
    return replace(goal, equations=(*goal.equations, rest))


def turned(goal: TimedGoal) -> TimedGoal:
    """The fist held upright where it hits."""
    half = float(np.sqrt(0.5))
    return replace(goal, equations=(TurnEquation(joint=joint_of(goal), rotation=(half, -half, 0.0, 0.0)),))


def main() -> None:
    """Print a line for each."""
    targets = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    widths = tuple(float(each) for each in sys.argv[2:]) or WIDTHS
    places: list[Array] = Punch().targets(targets)
    for tension, damping in GAINS:
        punch = Punch(tension, damping)
        for width in widths:
            counts = count(punch, [punch.goal(place, width) for place in places])
            print(counts.line(f"{tension:g} Hz, damping {damping:g}, ease {width:g} s"), flush=True)
    punch = Punch()
    kinds: tuple[tuple[str, Callable[[TimedGoal], TimedGoal]], ...] = (
        ("position and no velocity", still),
        ("a turn", turned),
    )
    for what, kind in kinds:
        counts = count(punch, [kind(punch.goal(place)) for place in places[: max(1, targets // 5)]])
        print(counts.line(f"{what}, 4 Hz, ease 0.4 s"), flush=True)


if __name__ == "__main__":
    main()

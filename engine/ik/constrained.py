"""Constrained motion as a way of dragging: what is held are constraints, what is pulled follows a spring or a force.

The figure moves as the constrained equation of motion says (Welman 1993, 5.2.5, equation 5.7; `engine.ik.maintain`), a
time step after the other, until it rests or the time for an answer is out. A force F towards a target d away is a
spring of stiffness F / |d| in each step: taken at the end of the step, as springs are, it moves the spot as F does
while it is far, and brings it to rest at the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from engine.document.values import Vector3
from engine.ik.goals import Goal
from engine.ik.maintain import Dragging, Maintain, Spring
from engine.ik.problem import Problem
from engine.maths.arrays import Array
from engine.runtime.options import option
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.ik.methods import Terms

SPRING, FORCE = "a spring", "a force"
UNTIL_REST, STEPWISE = "until it rests", "a step for each picture"
_RESTS = 1e-5  # [rad or m] that nothing moves by in a step any more
_PARTS = (1.0, 0.25, 0.06, 0.015)  # of a time step, after which the constraints may be met again where they were not
_FEW, _HARDLY = 10, 0.01  # steps, and the part of what is left that they have to gain for more to be worth it
_NEAREST = 1e-4  # [m] below which a force is that of a spring


@dataclass(frozen=True, kw_only=True)
class ConstrainedMotion(Maintain):
    """Options of a drag by constrained motion."""

    pull: str = option(
        SPRING,
        label="Pulled by",
        choices=(SPRING, FORCE),
        note="A spring pulls the harder the further the target is away, a force always alike.",
    )
    stiffness: float = option(
        500.0, label="Spring", unit="N/m", least=1.0, most=1e5, note="Stiffness of the spring to the target."
    )
    force: float = option(50.0, label="Force", unit="N", least=0.1, most=1e4, note="The force towards the target.")
    pace: str = option(
        UNTIL_REST,
        label="Moves",
        choices=(UNTIL_REST, STEPWISE),
        note="Until it rests: the figure is where the pull leads it in the end. A step for each picture: it is seen "
        "to follow, the slower the weaker the pull and the stiffer the joints.",
    )
    time_step: float = option(
        1.0 / 60.0, label="Time step", unit="s", least=1e-4, most=1.0, note="Time that passes in a step."
    )

    ignores: ClassVar[tuple[str, ...]] = ("preference", "gain")  # terms that it does not heed

    def drag(self, problem: Problem, poses: Sequence[Array]) -> ConstrainedDrag:
        """Begin a drag; the goals of the problem are what is held, its tasks what is pulled."""
        return ConstrainedDrag(self, self.start(problem, poses), problem)


@dataclass(frozen=True, kw_only=True)
class ConstraintForce:
    """A force with which a constraint holds a body, at the spot where it does."""

    goal: int  # the number of the constraint
    at: Vector3  # [m] in the world
    force: Vector3  # [N] on the body
    torque: Vector3  # [N m] on the body about the spot
    redundant: bool  # others imply a part of it, which leaves its share of their forces open


@dataclass(frozen=True, kw_only=True, eq=False)
class Moved:
    """The result of some steps."""

    poses: tuple[Array, ...]
    rests: bool
    steps: int
    residuals: tuple[float, ...]  # [m] of what is pulled, before each step and after the last
    forces: tuple[ConstraintForce, ...]

    @property
    def stalls(self) -> bool:
        """True if it rests or hardly comes nearer any more."""
        return self.rests or _hardly_nearer(self.residuals)


class ConstrainedDrag:
    """One drag by constrained motion."""

    def __init__(self, options: ConstrainedMotion, dragging: Dragging, problem: Problem) -> None:
        self.options, self.dragging = options, dragging
        self._tasks = len(problem.tasks)

    def pull(self, goals: Sequence[Goal], terms: Terms) -> Moved:
        """Pull towards these goals, of the kinds that the tasks are, as long as the terms allow."""
        return self._pull(goals, terms, one=self.options.pace == STEPWISE)

    def would_rest_nearer(self, goals: Sequence[Goal], terms: Terms, residual: float) -> bool:
        """Tell whether pulling would come nearer than a residual [m]; moves nothing."""
        before = self.dragging.poses
        found = self._pull(goals, terms, one=False).residuals[-1]
        self.dragging.stand(before)
        return found < residual

    def _pull(self, goals: Sequence[Goal], terms: Terms, *, one: bool) -> Moved:
        options, dragging, began = self.options, self.dragging, perf_counter()
        for number, goal in enumerate(goals):
            dragging.set_task(number, goal)
        residuals, steps, rests = [dragging.task_residual()], 0, False
        while not rests and steps < (1 if one else terms.iterations) and not _hardly_nearer(residuals):
            springs = [Spring(task=number, stiffness=self._stiffness(number)) for number in range(self._tasks)]
            for part in _PARTS:
                dragging.step(springs, part * options.time_step)
                if dragging.moved > 0.0:
                    break
            rests, steps = dragging.moved <= _RESTS, steps + 1
            residuals.append(dragging.task_residual())
            if perf_counter() - began > 1e-3 * terms.milliseconds:
                break
        poses, forces = dragging.poses, self._forces()
        return Moved(poses=poses, rests=rests, steps=steps, residuals=tuple(residuals), forces=forces)

    def _stiffness(self, task: int) -> float:
        """The stiffness of the spring that pulls at a task now [N/m]."""
        options = self.options
        if options.pull == SPRING:
            return options.stiffness
        return options.force / max(_NEAREST, self.dragging.task_residual(task))

    def _forces(self) -> tuple[ConstraintForce, ...]:
        report = self.dragging.report()
        return tuple(
            ConstraintForce(
                goal=each.goal,
                at=self.dragging.spot_of(each.goal),
                force=each.force,
                torque=each.torque,
                redundant=each.redundant,
            )
            for each in report.constraints
        )


def _hardly_nearer(residuals: Sequence[float]) -> bool:
    """Tell whether the last few steps gained next to nothing."""
    return len(residuals) > _FEW and residuals[-1] > (1.0 - _HARDLY) * residuals[-1 - _FEW]

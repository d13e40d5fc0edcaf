"""NaturalDrag: the part of a drag that poses figures as bodies move (`engine.ik.natural`).

Where the root stands still, or a goal says where it is, each answer begins anew at the pose before the drag, so that
what a drag comes to depends on where it ends and not on its way. Else it goes on from the last one, since where the
body goes is then looked for. The less what is pulled has moved, the less of the pose before the drag is given up: one
that has hardly begun moves hardly anything, and one that comes back leaves the figure as it was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.locks.drag_goals import PER_RADIAN

if TYPE_CHECKING:
    from engine.evaluation import Member
    from engine.ik.natural import Natural
    from engine.ik.problem import Problem
    from engine.ik.solver import Answer, Budget, Solver
    from engine.maths.arrays import Array

NATURAL_FROM = 0.1  # [m] that what is pulled has moved where two thirds of the start pose are given up


class NaturalDrag:
    """The limbs of a drag's problems."""

    def __init__(self, members: Sequence[Member], start: tuple[Array, ...], wanted: float) -> None:
        """`wanted`: how far (0 to 1) the dragged actor is posed as bodies move."""
        self.members, self._start, self._wanted = members, start, wanted
        self._known: dict[Problem, Natural] = {}

    @property
    def is_on(self) -> bool:
        """True if the dragged actor is posed as bodies move."""
        return self._wanted > 0.0

    @property
    def key(self) -> tuple[float, ...]:
        """The shares that compiled problems depend on."""
        return tuple(each.actor.natural for each in self.members) if self._wanted > 0.0 else ()

    def stiffness(self, member: Member) -> dict[str, float]:
        """The stiffness of an actor's degrees of freedom, where it is not its figure's own."""
        if self._wanted == 0.0 or member.actor.natural == 0.0:
            return {}
        from engine.ik.natural import natural_stiffness

        return natural_stiffness(member.actor.figure, member.actor.natural)

    def leads(self, problem: Problem) -> bool:
        """Tell whether a problem has limbs to lay or a root to place."""
        if self._wanted == 0.0:
            return False
        from engine.ik.natural import Natural

        if problem not in self._known:
            self._known[problem] = Natural(problem)
        return bool(self._known[problem])

    def lead(
        self, problem: Problem, pulled: int, solver: Solver, budget: Budget, last: tuple[Array, ...], near: float
    ) -> Answer:
        """Lead the start pose, or the last one while no joint turns by more than `near`, to all goals, of which the
        first so many are pulled."""
        from engine.ik.natural import solve_naturally
        from engine.ik.solver import missed_in

        missed = [each for each in missed_in(problem, self._start) if each.goal < pulled]
        way = max((each.by * (PER_RADIAN if each.turn else 1.0) for each in missed), default=0.0)
        share = self._wanted * (1.0 - math.exp(-way / NATURAL_FROM))
        known = self._known[problem]
        if known.is_anchored:
            return solve_naturally(known, self._start, solver, share, budget=budget)
        return solve_naturally(known, last, solver, share, budget=budget, near=near)

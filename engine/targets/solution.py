"""Solutions of the inverse search: corrections, and of each target by how much it is missed and why."""

from __future__ import annotations

import numpy as np

from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel
from engine.maths.arrays import Array
from engine.runtime.amounts import amount_text
from engine.runtime.quick_dataclass import dataclass
from engine.targets.corrections import Corrections
from engine.targets.dense import DenseSearch
from engine.targets.easing import narrowed_ease
from engine.targets.equations import Residual, TimedGoal, measure
from engine.targets.in_order import OrderedSearch
from engine.targets.problem import corrected
from engine.targets.search import Search
from engine.targets.search_state import SearchState, part_of

AnySearch = Search | DenseSearch | OrderedSearch

_SHORT = 0.5  # of a residual: if the nearest pose misses that much of it, reach is what is missing
_JUMPS = (
    "Bodies touch within the window, so the motion jumps as the correction changes, and the target may lie where it"
    " skips; the nearest that was found misses by {}. Switch contact off, or move the target."
)
_SLOWED = (
    "Only joints that turn far faster than without targets would come nearer than {}. More tension or damping, or fewer"
    " keys, would help."
)


@dataclass(frozen=True, eq=False)
class GoalReport:
    """The result for one target."""

    goal: str
    met: bool
    residuals: tuple[Residual, ...]
    out_of_reach: float  # [m, rad] by which the nearest pose misses its points and turns
    text: str  # for a person; empty if it is met
    reason: str = ""  # the same, with a place for by how much it is missed
    too_fast: bool = False  # whether it could be met, though by joints that are too fast


@dataclass(frozen=True, eq=False)
class GroupReport:
    """The course of the search for a group of targets that are tied together."""

    goals: tuple[str, ...]
    iterations: int
    simulations: int
    curve: Array  # the group's error after each iteration, from the start on, in tolerances; up to 1: met
    narrowed: int  # targets so close together that their bells are narrower than they were set
    ease: int  # [ticks] that the widest of these takes to come or go
    settled: bool = True  # whether a longer search would find no more


@dataclass(frozen=True, eq=False)
class Solution:
    """Corrections, and what they come to."""

    corrections: tuple[Corrections, ...]  # one for each group
    reports: tuple[GoalReport, ...]  # in the order of the targets
    groups: tuple[GroupReport, ...]

    @property
    def met(self) -> bool:
        """True if every target is met."""
        return all(report.met for report in self.reports)

    @property
    def iterations(self) -> int:
        """The iterations of the group that took most."""
        return max((group.iterations for group in self.groups), default=0)

    @property
    def simulations(self) -> int:
        """Windows simulated."""
        return sum(group.simulations for group in self.groups)

    def correct(self, kino: KinoModel, keyed: Keyed) -> Keyed:
        """The keyed motion with the corrections."""
        return corrected(kino, keyed, self.corrections)


@dataclass(frozen=True)
class Progress:
    """After an iteration: which group, and its error in tolerances."""

    group: int
    groups: int
    iteration: int
    error: float


@dataclass(frozen=True, eq=False)
class GroupFound:
    """The result of a search for the corrections of a group of targets."""

    search: AnySearch
    begun: SearchState  # no correction, or what is known, in the same bells
    too_fast: str = ""  # the joint that it makes too fast; a sentence with a place for by how much the rest misses
    slowed: bool = False  # whether it would come nearer, though not meet them, by joints that are too fast
    settled: bool = True  # whether it is known why those that are missed are; or a longer search may find more

    @property
    def met(self) -> bool:
        """True if every equation is met."""
        return self.search.now.error <= 1.0

    @property
    def each_met(self) -> tuple[bool, ...]:
        """True for each node whose equations are met."""
        group, effort = self.search.group, self.search.effort
        return tuple(
            all(part_of(residual, effort) <= 1.0 for residual in group.residuals(node, state))
            for node, state in enumerate(self.search.now.states)
        )

    @property
    def met_count(self) -> int:
        """The number of nodes whose equations are met."""
        return sum(self.each_met)

    @property
    def nearness(self) -> tuple[int, float]:
        """The first in this order meets most, or comes nearest."""
        return -self.met_count, self.search.now.error

    @property
    def order(self) -> tuple[bool, bool, float]:
        """The first in this order is the best."""
        return not self.met or bool(self.too_fast), bool(self.too_fast), self.search.now.error


def report_goal(found: list[GroupFound], goal: TimedGoal) -> GoalReport:
    for group in found:
        search = group.search
        for node, each in enumerate(search.group.nodes):
            if goal in each.goals:
                state = search.now.states[node]
                residuals = measure(search.group.model, goal, state, search.group.workspace)
                parts = [part_of(residual, search.effort) for residual in residuals]
                if max(parts) <= 1.0:
                    return GoalReport(goal.id, True, residuals, 0.0, "")
                far = search.steering.out_of_reach(node, state)
                worst = residuals[int(np.argmax(parts))]
                ordered = isinstance(search, OrderedSearch)
                own = search.too_fast[node] if isinstance(search, OrderedSearch) else ""
                held = isinstance(search, OrderedSearch) and search.is_held_back(node)
                fast = own or ("" if held else group.too_fast)
                reason = fast or _sentence(search, node, worst, far, slowed=group.slowed)
                text = reason.format(amount_text(worst.size, worst.unit))
                return GoalReport(goal.id, False, residuals, far, text, reason, bool(group.too_fast) and not ordered)
    raise AssertionError(goal.id)  # each target is in a node


def _sentence(search: AnySearch, node: int, worst: Residual, far: float, *, slowed: bool) -> str:
    """Say why a target is missed, with a place for by how much."""
    if isinstance(search, DenseSearch | OrderedSearch) and search.is_held_back(node):
        return "A joint comes to its limit faster than its stop lets it, and is held back by {}."
    if not worst.is_velocity and far >= _SHORT * worst.size:
        return "No pose within the limits meets all that is wanted at this time; the nearest misses by {}."
    if search.group.kino.is_at_region(search.now.states[node].q):
        return "Joint limits over several angles keep it {} away."
    if slowed:
        return _SLOWED
    if search.group.kino.touches:
        return _JUMPS
    if len(search.now.curve) > search.effort.iterations:
        return f"Not met within {search.effort.iterations} iterations; it is missed by {{}}."
    return "The secondary motion does not come nearer than {}; a longer ease or more tension would help."


def report_group(found: GroupFound) -> GroupReport:
    search = found.search
    ids = tuple(goal.id for node in search.group.nodes for goal in node.goals)
    curve = np.array(search.now.curve)
    return GroupReport(
        ids, len(curve) - 1, search.group.simulations, curve, *narrowed_ease(search.group.nodes), found.settled
    )

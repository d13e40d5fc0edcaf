"""Inverse kinodynamics: corrections of the keyed motion with which its secondary motion does what is wanted.

Source: Rahgoshay 2011, chapters 3.1 and 4; `options.py` has the rules, `search.py` the iterations. A problem is a
figure that follows its keyed motion, and targets; `solve` gives corrections and, of each target, by how much it is
missed. Targets that no pose meets, that contradict each other or that the motion does not come to within the iterations
end at the nearest corrections found, with a sentence: an answer, not an error. With contact inside of windows the
states no longer depend smoothly on corrections, none of this is certain, and the sentence says so.

Times [ticks]; corrections [rad, m].
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine.document.correction import Bell
from engine.kinodynamics.keyed import Keyed, KeyedMotion, known_of
from engine.kinodynamics.tracking import KinoModel
from engine.maths.arrays import Array
from engine.runtime.amounts import amount_text
from engine.runtime.errors import Diverged, InvalidArguments
from engine.runtime.progress import finish
from engine.targets.approach import approach
from engine.targets.corrections import Basis, Corrections, add_to_motion
from engine.targets.dense import DenseSearch
from engine.targets.easing import active_rates, aimed_basis, dense_basis, is_aimed, is_dense, narrowed, narrowed_ease
from engine.targets.equations import (
    Residual,
    TimedGoal,
    check_goals,
    measure,
)
from engine.targets.feeding import feed_forward
from engine.targets.nodes import Group, gather_nodes, part_nodes, read_before, read_terms, state_at
from engine.targets.options import Effort, Secant, Update
from engine.targets.search import Search
from engine.targets.search_state import SearchState, error_of, part_of
from engine.targets.speeds import find_fastest, joint_of, may_turn
from engine.targets.steering import Steering, is_led_by_levers, mobility_of

_SHORT = 0.5  # of a residual: if the nearest pose misses that much of it, reach is what is missing
_JUMPS = (
    "Bodies touch within the window, so the motion jumps as the correction changes, and the target may lie where it"
    " skips; the nearest that was found misses by {}. Switch contact off, or move the target."
)

_TOO_FAST = (
    "Only a motion that turns {} at {} would meet it, where {} is the most without the correction; a slower one misses"
    " by {}. A longer ease or more tension would help."
)
_SOON = 12  # iterations, where another search follows
_HALVINGS = 4  # of a correction that makes joints too fast, to find how much of it does not


@dataclass(frozen=True, kw_only=True, eq=False)
class NullSpaceEdit:
    """A null-space edit: a change of the corrections at a time; targets stay met (section 8.1)."""

    bell: Bell
    change: Array  # of f at that time [rad or m], by rates


@dataclass(frozen=True, kw_only=True, eq=False)
class TargetProblem:
    """A secondary motion and the targets that it is to meet."""

    kino: KinoModel
    keyed: Keyed
    goals: tuple[TimedGoal, ...]
    update: Update = field(default_factory=Secant)
    effort: Effort = field(default_factory=Effort)
    mobility: Array | None = None  # per rate, see `mobility_of`, which gives it if it is None
    start: Corrections | None = None  # what is known already, taken at the times where there are targets
    null_space_edits: tuple[NullSpaceEdit, ...] = ()
    limited: bool = False  # whether corrections may not make joints much faster than they are without (`speeds.py`)


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


def solve(problem: TargetProblem) -> Solution:
    """Run all iterations at one go."""
    return finish(solve_gradually(problem))


def solve_gradually(problem: TargetProblem) -> Generator[Progress | None, None, Solution]:
    """One iteration of one group after the other; None between slices of one, each of a few simulations. Whoever steps
    it may close it."""
    check_goals(problem.kino.mechanics.model, problem.goals)
    check_null_space_edits(problem)
    nodes = gather_nodes(problem.goals, [change.bell for change in problem.null_space_edits])
    if isinstance(problem.update, Secant):
        nodes = narrowed(nodes, problem.kino.mechanics.rate_count, problem.kino.step_ticks)
    mobility = mobility_of(problem.kino.gains) if problem.mobility is None else problem.mobility
    workspace = problem.kino.new_state()
    found: list[_Found] = []
    groups = part_nodes(nodes, read_before(problem.kino))
    for index, own in enumerate(groups):
        dense = isinstance(problem.update, Secant) and is_dense(own)
        group = Group(problem.kino, problem.keyed, own, workspace, dense_basis(own) if dense else None)
        iteration, steps = 0, _solve_group(problem, group, mobility, dense=dense)
        while True:
            try:
                error = next(steps)
            except StopIteration as stop:
                found.append(stop.value)
                break
            iteration += error is not None
            yield None if error is None else Progress(index, len(groups), iteration, error)
    searches = [each.search for each in found]
    return Solution(
        tuple(Corrections(search.group.basis, search.now.wanted) for search in searches),
        tuple(_report(found, goal) for goal in problem.goals),
        tuple(_group_report(search) for search in searches),
    )


@dataclass(frozen=True, eq=False)
class _Found:
    """The result of a search for the corrections of a group of targets."""

    search: Search | DenseSearch
    begun: SearchState  # no correction, or what is known, in the same bells
    too_fast: str = ""  # the joint that it makes too fast; a sentence with a place for by how much the rest misses

    @property
    def met(self) -> bool:
        """True if every equation is met."""
        return self.search.now.error <= 1.0

    @property
    def order(self) -> tuple[bool, bool, float]:
        """The first in this order is the best."""
        return not self.met or bool(self.too_fast), bool(self.too_fast), self.search.now.error


def _solve_group(
    problem: TargetProblem, group: Group, mobility: Array, *, dense: bool
) -> Generator[float | None, None, _Found]:
    """Search for the corrections of a group; yields errors. Where velocities of bodies are not met by one bell each,
    several do. What meets the targets by joints that are too fast gives way to the nearest that does not."""
    begun = yield from _begun(problem, group)
    aimed = None if dense else _aimed_group(problem, group, mobility)
    found: list[_Found] = []
    if aimed is None or not _knows(problem.start, aimed.basis):
        first = problem if aimed is None else _soon(problem)
        search = yield from _searched(first, group, mobility, begun, dense=dense)
        found.append((yield from _judged(problem, search, begun)))
    if aimed is not None and (not found or found[0].order[0]):
        known = Corrections(group.basis, found[0].search.now.wanted) if found else None
        found += yield from _search_aimed(problem, aimed, mobility, known)
        aimed.simulations += group.simulations
    best = min(found, key=lambda each: each.order)
    if aimed is not None and not (best.met or best.too_fast):
        best.search.effort = problem.effort
        yield from best.search.steps()
        best = yield from _judged(problem, best.search, best.begun)
    met = best.met
    if best.too_fast:
        yield from _slow_down(problem, best.search.group, best.begun, best.search.now)
    return best if met else replace(best, too_fast="")


def _soon(problem: TargetProblem) -> TargetProblem:
    """The problem for a search that another one follows."""
    effort = problem.effort
    return replace(problem, effort=replace(effort, iterations=min(effort.iterations, _SOON)))


def _aimed_group(problem: TargetProblem, group: Group, mobility: Array) -> Group | None:
    """The group with several bells for each target that asks for the velocity of a body; None where none does, where
    nothing may move, or where a person has edited the correction between targets."""
    if not isinstance(problem.update, Secant) or not all(node.goals for node in group.nodes):
        return None
    if not any(is_aimed(node) for node in group.nodes) or not all(map(len, Steering(group, mobility).rates)):
        return None
    basis = aimed_basis(group.nodes, problem.kino.held_to)
    return Group(problem.kino, problem.keyed, group.nodes, group.workspace, basis)


def _knows(start: Corrections | None, basis: Basis) -> bool:
    """Tell whether what is known has several bells already."""
    known = set() if start is None else {bump.bell for bump in start.basis.bumps}
    return bool(basis.owners) and all(bump.bell in known for bump in basis.bumps[-len(basis.owners) :])


def _search_aimed(
    problem: TargetProblem, group: Group, mobility: Array, known: Corrections | None
) -> Generator[float | None, None, list[_Found]]:
    """Search with several bells from where the search begins, or from what one bell each has come to, if that is
    nearer, then from a straight approach, until one meets the targets without a joint that is too fast; yields
    errors."""
    begun, found = (yield from _begun(problem, group)), list[_Found]()
    other = None if known is None else (yield from _state_with(problem, group, known.on(group.basis).wanted))
    nearest = begun if other is None or begun.error <= other.error else other
    for straight in (False, True) if len(group.nodes) == 1 else (False,):
        now: SearchState | None = SearchState(nearest.wanted, nearest.states, nearest.error, [*nearest.curve])
        if straight:
            steering = Steering(group, mobility)
            now = yield from _state_with(problem, group, approach(group, steering, begun.states[0], problem.keyed))
        if now is None:
            continue
        last = straight or len(group.nodes) > 1
        search = DenseSearch(group, mobility, (problem if last else _soon(problem)).effort, now, eased=True)
        yield from search.steps()
        found.append((yield from _judged(problem, search, begun)))
        if not found[-1].order[0]:
            break
    return found


def _state_with(problem: TargetProblem, group: Group, wanted: Array) -> Generator[None, None, SearchState | None]:
    states = yield from group.all_states(wanted)
    if states is None:
        return None
    error = error_of(group, problem.effort, states)
    return SearchState(wanted, states, error, [error])


def _judged(problem: TargetProblem, search: Search | DenseSearch, begun: SearchState) -> Generator[None, None, _Found]:
    """Look at whether joints are too fast with what a search has found."""
    fast = (yield from _too_fast(problem, search.group, search.now.wanted)) if problem.limited else ""
    return _Found(search, begun, fast)


def _searched(
    problem: TargetProblem, group: Group, mobility: Array, begun: SearchState, *, dense: bool
) -> Generator[float | None, None, Search | DenseSearch]:
    """Search from a state, led by long levers first and by all joints where those do not do; yields errors."""
    goals = [goal for node in group.nodes for goal in node.goals]
    found: list[Search | DenseSearch] = []
    for levers in (True, False) if is_led_by_levers(goals) and not dense else (False,):
        now = SearchState(begun.wanted, begun.states, begun.error, [*begun.curve])
        found.append(
            DenseSearch(group, mobility, problem.effort, now)
            if dense
            else Search(group, mobility, problem.update, problem.effort, now, levers=levers)
        )
        yield from found[-1].steps()
        if now.error <= 1.0:
            break
    return min(found, key=lambda each: each.now.error)


def _too_fast(problem: TargetProblem, group: Group, wanted: Array) -> Generator[None, None, str]:
    """Say which joint a correction makes too fast; nothing where none is."""
    kino, first = problem.kino, min(node.bump.bell.start for node in group.nodes)
    last = max(node.bump.bell.end for node in group.nodes) + read_before(kino)
    keyed = corrected(kino, problem.keyed, (Corrections(group.basis, wanted),))
    (speed, rate), usual = (yield from find_fastest(kino, keyed, first, last)), 0.0
    if not may_turn(speed, usual):
        usual, _ = yield from find_fastest(kino, problem.keyed, first, last)
    return (
        ""
        if may_turn(speed, usual)
        else _TOO_FAST.format(joint_of(kino, rate), *(amount_text(each, "rad/s") for each in (speed, usual)), "{}")
    )


def _slow_down(
    problem: TargetProblem, group: Group, begun: SearchState, now: SearchState
) -> Generator[None, None, None]:
    """Go as far from where a search began towards what it found as makes no joint too fast, if that is nearer."""
    way, share, part = now.wanted - begun.wanted, 0.5, 0.5
    now.wanted, now.states, now.error = begun.wanted, begun.states, begun.error
    for _ in range(_HALVINGS):
        wanted = begun.wanted + share * way
        fine = not (yield from _too_fast(problem, group, wanted))
        states = (yield from group.all_states(wanted)) if fine else None
        if states is not None and (error := error_of(group, problem.effort, states)) < now.error:
            now.wanted, now.states, now.error = wanted, states, error
        part *= 0.5
        share += part if fine else -part


def corrected(kino: KinoModel, keyed: Keyed, corrections: Sequence[Corrections]) -> Keyed:
    """The keyed motion with corrections, as a keyed motion: just as windows read it in the search and on screen."""
    ints, known = kino.mechanics.ints, known_of(keyed)

    def moved(times: Array) -> Array:
        motion = keyed(times)
        for each in corrections:
            f = read_terms(kino, each.basis, times)[: motion.shape[1]] @ each.coefficients
            motion = add_to_motion(ints, motion, f)
        return motion

    return KeyedMotion(moved, keyed if known.meant is None else known.meant, known.jumps)


def measure_goals(kino: KinoModel, keyed: Keyed, goals: Sequence[TimedGoal]) -> tuple[tuple[Residual, ...], ...]:
    """Measure by how much the secondary motion of a keyed motion misses targets."""
    workspace = kino.new_state()
    return tuple(measure(kino.mechanics.model, goal, state_at(kino, keyed, goal), workspace) for goal in goals)


def check_null_space_edits(problem: TargetProblem) -> None:
    """Refuse null-space edits that are no numbers for each rate."""
    for change in problem.null_space_edits:
        count = problem.kino.mechanics.rate_count
        if change.change.shape != (count,) or not np.isfinite(change.change).all():
            raise InvalidArguments(what="a null-space edit", value=change.change, allowed=f"{count} finite numbers")


def _begun(problem: TargetProblem, group: Group) -> Generator[None, None, SearchState]:
    """Simulate the state from which the search of a group begins."""
    wanted = _start(problem, group)
    states = yield from group.all_states(wanted)
    if states is None:
        raise Diverged(what="the secondary motion at a target, as it is keyed", value="not finite")
    error = error_of(group, problem.effort, states)
    if problem.start is None and error > 1.0 and narrowed_ease(group.nodes)[0]:
        fed = wanted + (yield from _fed(problem, group))
        found = yield from group.all_states(fed)
        if found is not None and (least := error_of(group, problem.effort, found)) < error:
            wanted, states, error = fed, found, least
    return SearchState(wanted, states, error, [error])


def _fed(problem: TargetProblem, group: Group) -> Generator[None, None, Array]:
    """Find the feed-forward of inverse dynamics for poses that are close together, of the rates that they ask for."""
    posed = [node for node in group.nodes if node.bump.bell != node.asked]
    found = yield from feed_forward(problem.kino, problem.keyed, group.basis, [node.time for node in posed])
    wanted = np.any([active_rates(node, found.shape[1]) for node in posed], axis=0)
    found[:, ~wanted] = 0.0
    for row, (bump, order) in enumerate(group.basis.rows):
        posing = bump >= len(group.nodes) or group.nodes[bump] in posed
        if order or not posing:
            found[row] = 0.0
    return found


def _start(problem: TargetProblem, group: Group) -> Array:
    """Gather the corrections that are known and the null-space edits, by rows of the group's basis."""
    basis, rates = group.basis, problem.kino.mechanics.rate_count
    known = problem.start
    wanted = np.zeros((len(basis.rows), rates)) if known is None else known.on(basis).wanted.copy()
    for change in problem.null_space_edits:
        for index, node in enumerate(group.nodes):
            if node.time == change.bell.time:
                row = basis.row(index, 0)
                if known is not None and not node.goals:
                    wanted[row] = known.at(np.array([float(node.time)]))[0, 0]
                wanted[row] += change.change
    return wanted


def _report(found: list[_Found], goal: TimedGoal) -> GoalReport:
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
                reason = group.too_fast or _sentence(search, node, worst, far)
                text = reason.format(amount_text(worst.size, worst.unit))
                return GoalReport(goal.id, False, residuals, far, text, reason, bool(group.too_fast))
    raise AssertionError(goal.id)  # each target is in a node


def _sentence(search: Search | DenseSearch, node: int, worst: Residual, far: float) -> str:
    """Say why a target is missed, with a place for by how much."""
    if isinstance(search, DenseSearch) and search.is_held_back(node):
        return "A joint comes to its limit faster than its stop lets it, and is held back by {}."
    if not worst.is_velocity and far >= _SHORT * worst.size:
        return "No pose within the limits meets all that is wanted at this time; the nearest misses by {}."
    if search.group.kino.is_at_region(search.now.states[node].q):
        return "Joint limits over several angles keep it {} away."
    if search.group.kino.touches:
        return _JUMPS
    if len(search.now.curve) > search.effort.iterations:
        return f"Not met within {search.effort.iterations} iterations; it is missed by {{}}."
    return "The secondary motion does not come nearer than {}; a longer ease or more tension would help."


def _group_report(search: Search | DenseSearch) -> GroupReport:
    ids = tuple(goal.id for node in search.group.nodes for goal in node.goals)
    curve = np.array(search.now.curve)
    return GroupReport(ids, len(curve) - 1, search.group.simulations, curve, *narrowed_ease(search.group.nodes))

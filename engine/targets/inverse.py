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

from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel
from engine.runtime.progress import finish
from engine.targets.corrections import Corrections
from engine.targets.easing import dense_basis, is_dense, is_in_order, narrowed
from engine.targets.equations import Residual, TimedGoal, check_goals, measure
from engine.targets.group_search import Way, solve_group
from engine.targets.nodes import Group, Node, gather_nodes, part_nodes, read_before, state_at
from engine.targets.options import Secant
from engine.targets.problem import TargetProblem, check_null_space_edits
from engine.targets.solution import GroupFound, Progress, Solution, report_goal, report_group
from engine.targets.steering import mobility_of


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
    found: list[GroupFound] = []
    groups = part_nodes(nodes, read_before(problem.kino))
    for index, own in enumerate(groups):
        way = _way(problem, own)
        basis = None if way == "single" else dense_basis(own)
        group = Group(problem.kino, problem.keyed, own, workspace, basis)
        iteration, steps = 0, solve_group(problem, group, mobility, way)
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
        tuple(report_goal(found, goal) for goal in problem.goals),
        tuple(report_group(each) for each in found),
    )


def _way(problem: TargetProblem, nodes: tuple[Node, ...]) -> Way:
    """Choose how a group of nodes is searched for."""
    if not isinstance(problem.update, Secant) or not is_dense(nodes):
        return "single"
    ordered = not problem.kino.touches and is_in_order(nodes, problem.kino.step_ticks)
    return "ordered" if ordered else "dense"


def measure_goals(kino: KinoModel, keyed: Keyed, goals: Sequence[TimedGoal]) -> tuple[tuple[Residual, ...], ...]:
    """Measure by how much the secondary motion of a keyed motion misses targets."""
    workspace = kino.new_state()
    return tuple(measure(kino.mechanics.model, goal, state_at(kino, keyed, goal), workspace) for goal in goals)

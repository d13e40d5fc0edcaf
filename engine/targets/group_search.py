"""Search for the corrections of one group of targets: which searches there are, in which order, and what is kept.

What meets the targets by joints that are too fast gives way to the nearest that does not (`speeds.py`).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from engine.kinodynamics.tracking import KinoModel
from engine.maths.arrays import Array
from engine.runtime.amounts import amount_text
from engine.runtime.errors import Diverged
from engine.targets.approach import approach
from engine.targets.corrections import Basis, Corrections
from engine.targets.dense import DenseSearch
from engine.targets.easing import active_rates, aimed_basis, in_order, is_aimed, narrowed_ease, ordered_basis
from engine.targets.feeding import feed_forward
from engine.targets.in_order import Judge, OrderedSearch
from engine.targets.nodes import Group, read_before
from engine.targets.options import Secant
from engine.targets.problem import TargetProblem, corrected
from engine.targets.search import Search
from engine.targets.search_state import SearchState, error_of
from engine.targets.solution import AnySearch, GroupFound
from engine.targets.speeds import find_fastest, joint_of, may_turn
from engine.targets.steering import Steering, is_led_by_levers

Way = Literal["single", "dense", "ordered"]
"""How a group is searched for: as it is, as poses close together, as poses at every frame."""

_TOO_FAST = (
    "Only a motion that turns {} at {} would meet it, where {} is the most without the correction; a slower one misses"
    " by {}. A longer ease or more tension would help."
)
_TOO_FAST_FRAME = (
    "Only a motion that turns {} at {} would meet it, where {} is the most without the correction; what is kept misses"
    " by {}. More tension or damping, or fewer keys, would help."
)
_MOSTLY = 0.5  # of poses at every frame: where fewer are met one after the other, they are searched for all at once
_PARTS = 8  # of poses at every frame, fewer and fewer of which are kept until no joint is too fast
_SOON = 12  # iterations, where another search follows
_HALVINGS = 4  # of a correction that makes joints too fast, to find how much of it does not


def solve_group(
    problem: TargetProblem, group: Group, mobility: Array, way: Way
) -> Generator[float | None, None, GroupFound]:
    """Search for the corrections of a group; yields errors. Where velocities of bodies are not met by one bell each,
    several do. What meets the targets by joints that are too fast gives way to the nearest that does not."""
    ordered = (yield from _search_in_order(problem, group, mobility)) if way == "ordered" else None
    if ordered is not None:
        final = _is_final(ordered)
        ordered = yield from _kept(problem, ordered)
        settled = final and ordered.met_count >= _MOSTLY * len(group.nodes)
        if settled or problem.hasty:
            return replace(ordered, settled=settled)
    begun = yield from _begun(problem, group)
    aimed = None if way != "single" else _aimed_group(problem, group, mobility)
    found: list[GroupFound] = []
    if aimed is None or not _knows(problem.start, aimed.basis):
        first = problem if aimed is None and ordered is None else _soon(problem)
        search = yield from _searched(first, group, mobility, begun, way)
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
    kept = yield from _kept(problem, best)
    if ordered is not None and ordered.nearness < kept.nearness:
        return (yield from _kept(problem, ordered))
    return kept


def _kept(problem: TargetProblem, best: GroupFound) -> Generator[None, None, GroupFound]:
    """Slow down what makes joints too fast, and keep that."""
    met = best.met
    if best.too_fast and isinstance(best.search, OrderedSearch):
        yield from _keep_first(problem, best.search)
        return best
    if best.too_fast:
        yield from _slow_down(problem, best.search.group, best.begun, best.search.now)
    return best if met else replace(best, too_fast="", slowed=bool(best.too_fast))


def _search_in_order(
    problem: TargetProblem, group: Group, mobility: Array
) -> Generator[float | None, None, GroupFound]:
    """Meet poses one after the other, in bells of their own; yields errors."""
    nodes = in_order(group.nodes)
    own = Group(problem.kino, problem.keyed, nodes, group.workspace, ordered_basis(nodes))
    begun = yield from _begun(problem, own)
    judge = (yield from _judge_of(problem, own)) if problem.limited else None
    now = SearchState(begun.wanted, begun.states, begun.error, [*begun.curve])
    search = OrderedSearch(own, mobility, problem.effort, now, judge, hasty=problem.hasty)
    yield from search.steps()
    return (yield from _judged(problem, search, begun))


def _is_final(found: GroupFound) -> bool:
    """Tell whether it is known why others than those that were met one after the other are not: stops, speeds."""
    search = found.search
    assert isinstance(search, OrderedSearch)
    told = [bool(search.too_fast[node]) or search.is_held_back(node) for node in range(len(search.group.nodes))]
    return any(search.too_fast) or all(met or known for met, known in zip(found.each_met, told, strict=True))


def _soon(problem: TargetProblem) -> TargetProblem:
    """The problem for a search that another one follows."""
    return replace(problem, effort=replace(problem.effort, iterations=min(problem.effort.iterations, _SOON)))


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
) -> Generator[float | None, None, list[GroupFound]]:
    """Search with several bells from where the search begins, or from what one bell each has come to, if that is
    nearer, then from a straight approach, until one meets the targets without a joint that is too fast; yields
    errors."""
    begun, found = (yield from _begun(problem, group)), list[GroupFound]()
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


def _judged(problem: TargetProblem, search: AnySearch, begun: SearchState) -> Generator[None, None, GroupFound]:
    """Look at whether joints are too fast with what a search has found."""
    fast = (yield from _too_fast(problem, search.group, search.now.wanted)) if problem.limited else ""
    return GroupFound(search, begun, fast)


def _searched(
    problem: TargetProblem, group: Group, mobility: Array, begun: SearchState, way: Way
) -> Generator[float | None, None, AnySearch]:
    """Search from a state, led by long levers first and by all joints where those do not do; yields errors."""
    goals = [goal for node in group.nodes for goal in node.goals]
    found: list[AnySearch] = []
    for levers in (True, False) if is_led_by_levers(goals) and way == "single" else (False,):
        now = SearchState(begun.wanted, begun.states, begun.error, [*begun.curve])
        found.append(
            DenseSearch(group, mobility, problem.effort, now)
            if way != "single"
            else Search(group, mobility, problem.update, problem.effort, now, levers=levers)
        )
        yield from found[-1].steps()
        if now.error <= 1.0:
            break
    return min(found, key=lambda each: each.now.error)


def _judge_of(problem: TargetProblem, group: Group) -> Generator[None, None, Judge]:
    """Make what looks at how fast joints are from one pose to the next."""
    times = [float(node.time) for node in group.nodes]
    usual, _ = yield from find_fastest(problem.kino, problem.keyed, times[0], times[-1])
    return partial(_too_fast_between, problem, group, usual)


def _too_fast_between(
    problem: TargetProblem, group: Group, usual: float, wanted: Array, first: float, last: float
) -> Generator[None, None, str]:
    """Say which joint a correction makes too fast between two times; nothing where none is."""
    kino, keyed = problem.kino, corrected(problem.kino, problem.keyed, (Corrections(group.basis, wanted),))
    speed, rate = yield from find_fastest(kino, keyed, first, last)
    return "" if may_turn(speed, usual) else _sentence(_TOO_FAST_FRAME, kino, rate, speed, usual)


def _sentence(text: str, kino: KinoModel, rate: int, speed: float, usual: float) -> str:
    return text.format(joint_of(kino, rate), *(amount_text(each, "rad/s") for each in (speed, usual)), "{}")


def _too_fast(problem: TargetProblem, group: Group, wanted: Array) -> Generator[None, None, str]:
    """Say which joint a correction makes too fast, anywhere; nothing where none is."""
    kino, first = problem.kino, min(node.bump.bell.start for node in group.nodes)
    last = max(node.bump.bell.end for node in group.nodes) + read_before(kino)
    keyed = corrected(kino, problem.keyed, (Corrections(group.basis, wanted),))
    (speed, rate), usual = (yield from find_fastest(kino, keyed, first, last)), 0.0
    if not may_turn(speed, usual):
        usual, _ = yield from find_fastest(kino, problem.keyed, first, last)
    return "" if may_turn(speed, usual) else _sentence(_TOO_FAST, kino, rate, speed, usual)


def _keep_first(problem: TargetProblem, search: OrderedSearch) -> Generator[None, None, None]:
    """Keep the corrections of as many of the first poses as make no joint too fast."""
    now, group, count = search.now, search.group, len(search.group.nodes)
    wanted = search.without(1)
    for kept in (count - 1, count - 2, *(count * part // _PARTS for part in range(_PARTS - 1, 0, -1))):
        fewer = search.without(kept)
        if not (yield from _too_fast(problem, group, fewer)):
            wanted = fewer
            break
    states = yield from group.all_states(wanted)
    if states is not None:
        now.wanted, now.states, now.error = wanted, states, error_of(group, problem.effort, states)


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

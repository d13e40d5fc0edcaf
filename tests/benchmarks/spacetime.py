"""Motions of least effort, of a chain, a lamp that leaps and a human, against the same for CasADi and IPOPT.

Times are of the processor, from the problem as a value to the motion, building included. J of the chain is half the
integral of squared torque, of a chain of 1 kg. The peer (`spacetime_casadi`) is measured where it is installed
(`pip install casadi`); it has the same variables, equations and bounds, written by hand, and one guess. Of the human
(`spacetime_casadi_human`) it is timed to its end, and to where ten steps gain 3%, from where ours only meets demands.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from functools import partial
from time import process_time

from engine.experiments.spacetime_human import SHORT, down_to_a_squat, in_the_air, over_a_bar
from engine.maths.arrays import Array
from engine.optimise.options import SolverEffort
from engine.runtime.progress import finish
from engine.spacetime import ipopt
from engine.spacetime.examples import lamp_leap, link_chain
from engine.spacetime.guesses import drawn_guess
from engine.spacetime.problem import MotionProblem
from engine.spacetime.search import FROM_EARLIER, FoundMotion, MotionSearch, find_best
from engine.spacetime.spatial.problem import SpatialProblem
from engine.spacetime.spatial.search import SpatialSearch
from tests.benchmarks.harness import Row, percentile

NAME = "spacetime"
GUESSES = range(100, 108)  # drawn, beside the straight line
BETTER = 22.54  # J of the better minimum that the chain was known to have
LANDINGS = (0.36, 0.38, 0.42, 0.44, 0.46)
ALLOWED = 1.0


def measure() -> Iterator[Row]:
    """The rows."""
    find_best(MotionSearch(link_chain()))
    MotionSearch(lamp_leap()).find()
    peer = importlib.util.find_spec("casadi") is not None
    yield from _chain(peer)
    yield from _lamp(peer)
    yield from _human(peer)
    yield _to_the_end(peer)


def _chain(peer: bool) -> Iterator[Row]:
    problem = link_chain()
    layout = MotionSearch(problem).program.layout
    guesses: list[Array | None] = [None, *(drawn_guess(problem, layout, seed) for seed in GUESSES)]
    times, worst = [], 0.0
    for guess in guesses:
        seconds, found = _timed(partial(_best, problem, guess))
        times.append(seconds)
        assert found.report.solved
        worst = max(worst, found.report.last.objective / 2.0)
    assert worst <= BETTER
    peer_seconds, words, theirs = _theirs(problem, peer)
    yield Row(
        what="chain of three links, the better of its minima, of nine guesses the slowest",
        measured=max(times) * 1e3,
        unit="ms",
        asked="400 ms, aim 8",
        peer=words,
        peer_measured=peer_seconds,
        allowed=ALLOWED,
        note=f"J at most {worst:.2f} of all nine"
        + (f"; the peer's {theirs / 2.0:.2f}, of one guess" if theirs else ""),
    )
    seconds, found = _timed(lambda: MotionSearch(problem).find())
    yield Row(
        what="chain of three links, from the straight line alone",
        measured=seconds * 1e3,
        unit="ms",
        note=f"J {found.report.last.objective / 2.0:.2f}, {found.report.last.iteration} iterations",
    )


def _lamp(peer: bool) -> Iterator[Row]:
    problem = lamp_leap()
    seconds, found = min((_timed(lambda: MotionSearch(problem).find()) for _ in range(3)), key=lambda each: each[0])
    last = found.report.last
    assert found.report.solved
    assert last.violation < 1e-8
    theirs, words, objective = _theirs(problem, peer)
    yield Row(
        what="lamp's leap, from the straight line",
        measured=seconds * 1e3,
        unit="ms",
        asked="2,000 ms, aim 60",
        peer=words,
        peer_measured=theirs,
        allowed=ALLOWED,
        note=f"violation {last.violation:.0e}, {last.iteration} iterations, objective {last.objective:.3f}"
        + (f"; the peer's {objective:.3f}" if objective else ""),
    )
    again = []
    for landing in LANDINGS:
        seconds, moved = _timed(partial(_moved, lamp_leap(landing), found))
        assert moved.report.solved
        again.append(seconds)
    yield Row(
        what="lamp's leap, its landing moved, at the median",
        measured=percentile(again, 0.5) * 1e3,
        unit="ms",
        asked="300 ms",
        peer=words,
        peer_measured=theirs,
        allowed=ALLOWED,
        note=f"slowest {max(again) * 1e3:.0f} ms",
    )


def _human(peer: bool) -> Iterator[Row]:
    """The human of 71 degrees of freedom: in-betweens of two keys 0.6 s apart, and a leap over a bar."""
    SpatialSearch(in_the_air(SHORT)).find(effort=SolverEffort(iterations=2))
    for what, make, asked in (
        ("human of 71 degrees of freedom, in the air, between two keys 0.6 s apart", in_the_air, "3,000 ms"),
        ("the same with feet held, down to a squat", down_to_a_squat, "3,000 ms"),
        ("the same over a bar, from two keys", over_a_bar, "60,000 ms"),
    ):
        began = process_time()
        search = SpatialSearch(make())
        found = search.find()
        seconds, last = process_time() - began, found.report.last
        assert found.report.solved
        theirs, words, note = _by_hand(make, peer)
        yield Row(
            what=what,
            measured=seconds * 1e3,
            unit="ms",
            asked=asked,
            peer=words,
            peer_measured=theirs,
            allowed=1.5,
            note=f"{search.system.variables} unknowns, {last.iteration} iterations, violation {last.violation:.0e}, "
            f"effort {last.objective:.4g}{note}",
        )


def _by_hand(make: Callable[[], SpatialProblem], installed: bool) -> tuple[float | None, str, str]:
    """Milliseconds of the peer, building included, until it might settle; what it is, and what it came to."""
    if not installed:
        return None, "CasADi is not installed", ""
    from tests.benchmarks.spacetime_casadi_human import WrittenMotion

    began = process_time()
    written = WrittenMotion(make())
    built = process_time() - began
    found = written.solve()
    whole = process_time() - began
    ended = f"; the peer's at its end {found.objective:.4g} in {whole:.1f} s, {found.iterations} steps, {found.status}"
    if found.settled is None or found.status != "Solve_Succeeded":
        return whole * 1e3, f"CasADi with IPOPT ({found.status}), to where it ended,", ended
    seconds, objective = built + found.settled[0], found.settled[1]
    return seconds * 1e3, "CasADi with IPOPT, to where it may settle,", f"; the peer's there {objective:.4g}{ended}"


def _to_the_end(peer: bool) -> Row:
    """The first of these until no step makes the effort less; IPOPT is given our derivatives, for want of others."""
    began = process_time()
    found = SpatialSearch(in_the_air()).find(effort=SolverEffort(barrier=1e-2))
    seconds, theirs = process_time() - began, None
    assert found.report.solved
    if peer:
        began = process_time()
        search = SpatialSearch(in_the_air())
        other = finish(ipopt.solve(search.program, search.straight_line(), SolverEffort(barrier=1e-2)))
        theirs = (process_time() - began) * 1e3
        assert other.solved
    return Row(
        what="human in the air, until no step makes the effort less",
        measured=seconds * 1e3,
        unit="ms",
        peer="CasADi's IPOPT on our program" if peer else "CasADi is not installed",
        peer_measured=theirs,
        allowed=1.5,
        note=f"{found.report.last.iteration} iterations, effort {found.report.last.objective:.4f}",
    )


def _best(problem: MotionProblem, guess: Array | None) -> FoundMotion:
    return find_best(MotionSearch(problem), guess)[0]


def _moved(problem: MotionProblem, before: FoundMotion) -> FoundMotion:
    search = MotionSearch(problem)
    return search.find(search.guess_like(before.motion), FROM_EARLIER)


def _timed(call: Callable[[], FoundMotion]) -> tuple[float, FoundMotion]:
    began = process_time()
    found = call()
    return process_time() - began, found


def _theirs(problem: MotionProblem, installed: bool) -> tuple[float | None, str, float | None]:
    """Milliseconds of the peer, what it is, and the objective that it came to."""
    if not installed:
        return None, "CasADi is not installed", None
    from tests.benchmarks import spacetime_casadi

    began = process_time()
    objective, solved = spacetime_casadi.solve(problem)
    seconds = process_time() - began
    return seconds * 1e3, "CasADi with IPOPT" + ("" if solved else ", not solved,"), objective

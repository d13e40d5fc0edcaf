"""Compiles the kernels of inverse kinematics by calling each once with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator

from engine.document import Dof, Figure, Joint
from engine.ik.constrained import ConstrainedMotion
from engine.ik.goals import PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.methods import Terms
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.region_kernels import find_span, keep_regions, measure_turned, slide_step
from engine.ik.rows import follow_drivers
from engine.ik.rows_led import lead_rows
from engine.ik.solver import new_work, solve
from engine.ik.solvers import SOLVERS
from engine.ik.stops import add_stops, change_stops, refresh_stops, use_stop, write_shifts
from engine.runtime.jit import compile_now

OF_DRIVEN = (follow_drivers,)
OF_REGIONS = (
    keep_regions,
    slide_step,
    measure_turned,
    find_span,
    add_stops,
    change_stops,
    refresh_stops,
    use_stop,
    write_shifts,
)


def warm() -> Iterator[str]:
    """Solve one small problem with every solver; yields the name of each when it is ready."""
    problem = _problem()
    for name in SOLVERS:
        solve(problem, [problem.model.rest], SOLVERS[name]())
        yield name
    compile_now(OF_DRIVEN)
    lead_rows(problem, Levenberg(), problem.model.rest[None].copy(), new_work(problem, Levenberg()), 1)
    yield "rows"
    pulled = compile_problem(problem.participants, problem.goals, tasks=problem.goals)
    ConstrainedMotion().drag(pulled, [problem.model.rest]).pull(problem.goals, Terms(iterations=1))
    yield "maintain"


def warm_regions() -> Iterator[str]:
    """Keep limits over several angles, and compile what solvers call for these, as far as they are there."""
    problem = _problem()
    solve(problem, [problem.model.rest], Levenberg())
    keep_regions(problem.ints, problem.regions.buffers, problem.model.rest, problem.model.rest.copy())
    compile_now(OF_REGIONS)
    yield "regions"


def _problem() -> Problem:
    """A figure of one joint, and a goal for it."""
    joint = Joint(id="root", name="Root", dofs=(Dof(id="turn", name="Turn", lower=-1.0, upper=1.0),))
    figure = Figure(name="Warm", joints=(joint,))
    goal = PositionGoal(spot=Spot(actor="warm", joint="root", point=(0.0, 1.0, 0.0)), target=(0.0, 0.9, 0.4))
    return compile_problem([Participant(actor="warm", figure=figure)], [goal])

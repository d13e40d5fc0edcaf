"""Compiles the kernels of inverse kinematics by calling each once with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator

from engine.document import Dof, Figure, Joint
from engine.ik.constrained import ConstrainedMotion
from engine.ik.goals import PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.methods import Terms
from engine.ik.problem import Participant, compile_problem
from engine.ik.region_kernels import keep_regions
from engine.ik.rows_led import lead_rows
from engine.ik.solver import new_work, solve
from engine.ik.solvers import SOLVERS


def warm() -> Iterator[str]:
    """Solve one small problem with every solver; yields the name of each when it is ready."""
    joint = Joint(id="root", name="Root", dofs=(Dof(id="turn", name="Turn", lower=-1.0, upper=1.0),))
    figure = Figure(name="Warm", joints=(joint,))
    goal = PositionGoal(spot=Spot(actor="warm", joint="root", point=(0.0, 1.0, 0.0)), target=(0.0, 0.9, 0.4))
    problem = compile_problem([Participant(actor="warm", figure=figure)], [goal])
    for name in SOLVERS:
        solve(problem, [problem.model.rest], SOLVERS[name]())
        yield name
    lead_rows(problem, Levenberg(), problem.model.rest[None].copy(), new_work(problem, Levenberg()), 1)
    yield "rows"
    keep_regions(problem.ints, problem.regions.buffers, problem.model.rest, problem.model.rest.copy())
    yield "regions"
    pulled = compile_problem(problem.participants, [goal], tasks=[goal])
    ConstrainedMotion().drag(pulled, [problem.model.rest]).pull([goal], Terms(iterations=1))
    yield "maintain"

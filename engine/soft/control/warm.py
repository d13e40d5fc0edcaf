"""Compiles the kernels of adjoint control, with the types of the application."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.soft.assembly import lag_forces
from engine.soft.bodies import SoftModel
from engine.soft.control.contact_covectors import KNOWN, RESULTS, force_covectors
from engine.soft.control.controls import Controls, spread
from engine.soft.control.objective import Objective, centre_key
from engine.soft.control.problem import ControlProblem, StepSetting
from engine.soft.control.transposed_turns import transpose_turns
from engine.soft.materials import SoftMaterial
from engine.soft.meshing import box
from engine.soft.splines import DrawnSpline, bind_splines
from engine.soft.step import SoftOptions, SoftPiece, StepGiven, compile_soft, prepare, start, take_in


def warm() -> Iterator[str]:
    """Find the gradient of a small body's steps on the ground; yields what is ready."""
    mesh = box((0.2, 0.2, 0.2), (1, 1, 1))
    material = SoftMaterial(law="neo-hookean", young=1e4, density=1000.0, stiffness_damping=0.01)
    drawn = DrawnSpline(controls=np.array([(0.0, -0.08, 0.0), (0.0, 0.08, 0.0)]), samples=3)
    masses = mesh.masses(1000.0)
    springs = bind_splines(mesh, masses, [drawn], young=1e4).springs
    piece = SoftPiece(mesh=mesh, material=material, springs=springs)
    model = compile_soft([piece], SoftOptions())
    times = np.arange(1.0, 3.0)
    controls = Controls(
        spread=spread(times, times),
        base=np.ones((2, len(springs.segments))),
        spline_of=np.zeros(len(springs.segments), dtype=np.int32),
    )
    key = centre_key(2, np.array((0.0, 0.1, 0.0)), masses)
    settings = [StepSetting(model, StepGiven())] * 2
    problem = ControlProblem(settings, 0.01, model.new_state(), controls, Objective(keys=(key,)))
    problem.gradient(problem.run(controls.passive()))
    _use_what_is_seldom(model)
    yield "plan"


def _use_what_is_seldom(model: SoftModel) -> None:
    """Call what takes friction anew, and points that turned."""
    work = start(model, model.new_state())
    prepare(model, work, 0.01)
    around = take_in(model, model.new_state(), work, StepGiven())
    lag_forces(around)
    holds = np.zeros((0, RESULTS))
    force_covectors(holds, np.zeros(1, dtype=np.int32), np.zeros((0, KNOWN)))
    turns = np.zeros(9 * model.point_count)
    out = np.zeros_like(turns), np.zeros(3 * model.point_count)
    transpose_turns(model.bodies.pattern, model.frames, work.stepping.x, work.stepping.frames, turns, *out)

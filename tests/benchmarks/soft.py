"""A cantilever of tetrahedra that swings under its weight, in implicit steps of 1/60 s, against MuJoCo's flex.

Young's modulus 1e6 Pa, Poisson's ratio 0.4, 1,000 kg/m3, radius 0.1 m, length 1 m, clamped at one end. MuJoCo's
`discrete` integrator solves one linear system a step, M + h D + h^2 K, by conjugate gradients, to the relative residual
that ours leaves of the whole non-linear step; ours is checked in each of 300 moving steps before anything is timed.
What MuJoCo does by default stands beside: it stops after 100 iterations, here before it has converged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time

import numpy as np

from engine.evaluate.evaluator import Evaluator
from engine.queries.examples import example
from engine.soft.materials import SoftMaterial
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import cylinder
from engine.soft.stage import SoftStage
from engine.soft.step import SoftPiece, compile_soft, start, step
from tests.benchmarks.harness import Row, interleave

NAME = "soft"
SIZES = ((2, 14, 0.7, 0.3), (3, 25, 4.0, 1.5), (4, 70, 25.0, 12.0))  # rings, layers, asked and aimed at [ms]
RESIDUAL = 1e-4
ALLOWED = 1.0 / 3.0
STEPS, ARM_STEPS = 300, 330
DT = 1 / 60


def measure() -> Iterator[Row]:
    """The rows."""
    for rings, layers, asked, aim in SIZES:
        mesh = cylinder(0.1, 1.0, rings=rings, layers=layers, axis=0)
        worst = worst_residual(mesh)
        calls = {"ours": swing(mesh), "converged": flex(mesh, converged=True), "default": flex(mesh, converged=False)}
        times = interleave(calls, rounds=60, repeats=1)
        median = {name: sorted(each)[len(each) // 2] * 1e3 for name, each in times.items()}
        least = {name: min(each) * 1e3 for name, each in times.items()}
        what = f"cantilever, {len(mesh.cells):,} tetrahedra, a step"
        yield Row(
            what=what,
            measured=median["ours"],
            unit="ms",
            asked=f"{asked:g} ms, aim {aim:g}",
            peer="mujoco flex, to 1e-4",
            peer_measured=median["converged"],
            allowed=ALLOWED,
            note=f"least {least['ours']:.3g} ms; worst residual of {STEPS} steps {worst:.1e}",
        )
        yield Row(
            what=f"{what}, mujoco by default",
            measured=median["ours"],
            unit="ms",
            peer="mujoco flex, 100 iterations",
            peer_measured=median["default"],
            note="not converged",
        )
    yield arm_row()


def arm_row() -> Row:
    """How fast the arm of the example goes, with its muscles and its contact, as the window steps it."""
    document = example("arm").build()
    stage = Evaluator().stage("soft")
    assert isinstance(stage, SoftStage)
    simulation = stage.simulation(document)
    assert simulation is not None
    cells, dt = len(simulation.scene.members[0].mesh.cells), simulation.scene.dt
    simulation.points(simulation.tick(2))
    taken = []
    for each in range(3, ARM_STEPS + 3):
        began = process_time()
        simulation.points(simulation.tick(each))
        taken.append(process_time() - began)
    assert simulation.stopped is None
    whole, median = ARM_STEPS / sum(taken), 1.0 / sorted(taken)[ARM_STEPS // 2]
    return Row(
        what=f"arm, {cells:,} tetrahedra, five muscles, contact: steps of 1/{round(1.0 / dt)} s",
        measured=whole,
        unit="1/s",
        asked="60 1/s",
        note=f"of processor time, {ARM_STEPS * dt:g} s of it; at the median step {median:.0f}",
    )


def clamped(mesh: VolumeMesh) -> np.ndarray:
    """List the points at the clamped end."""
    return np.flatnonzero(mesh.points[:, 0] < mesh.points[:, 0].min() + 1e-9).astype(np.int32)


def worst_residual(mesh: VolumeMesh) -> float:
    """Take moving steps; the worst residual that one has left."""
    call = swing(mesh)
    worst = max(call() for _ in range(STEPS))
    assert worst <= RESIDUAL, f"a step left {worst:.1e} of its residual"
    return worst


def swing(mesh: VolumeMesh) -> Callable[[], float]:
    """Make a call that takes one step, and gives the residual it leaves."""
    material = SoftMaterial(young=1e6, poisson=0.4, density=1000.0)
    model = compile_soft([SoftPiece(mesh=mesh, material=material, held=clamped(mesh), touches=False)])
    state = model.new_state()
    work = start(model, state)
    step(model, state, work, DT)
    return lambda: step(model, state, work, DT).residual


def flex(mesh: VolumeMesh, *, converged: bool) -> Callable[[], object]:
    """Make a call that takes one of MuJoCo's steps."""
    import mujoco

    def text(values: np.ndarray) -> str:
        return " ".join(f"{value:.9g}" for value in values.ravel())

    solver = f'iterations="100000" tolerance="{RESIDUAL:g}"' if converged else ""
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <option timestep="{DT}" integrator="discrete" gravity="0 -9.81 0" {solver}/>
          <size memory="1G"/>
          <worldbody>
            <flexcomp name="body" type="direct" dim="3" dof="full" mass="{1000.0 * mesh.volumes.sum()}" radius="0.001"
                      point="{text(mesh.points)}" element="{text(mesh.cells)}">
              <contact selfcollide="none" contype="0" conaffinity="0"/>
              <elasticity young="1e6" poisson="0.4"/>
              <pin id="{text(clamped(mesh))}"/>
            </flexcomp>
          </worldbody>
        </mujoco>""")
    mujoco.set_mju_user_warning(lambda text: None)  # that it has not converged, which is known
    data = mujoco.MjData(model)
    return lambda: mujoco.mj_step(model, data)

"""Implicit steps of soft bodies: what they keep, how they err, how they begin and go on."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.experiments.soft_cantilever import bar, missed
from engine.runtime.errors import Diverged, InvalidArguments
from engine.soft.embedding import Weights
from engine.soft.linear import CONJUGATE_GRADIENTS, MINRES, solve
from engine.soft.materials import LAWS, SoftMaterial
from engine.soft.meshing import box, cube_grid, cylinder, square_grid
from engine.soft.step import SoftOptions, SoftPiece, compile_soft, load, prepare, save, start, step, system_of
from engine.soft.virtual_springs import VirtualSprings
from tests.engine.soft.scenes import end_of, one_body, run

CUBE = box((0.3, 0.3, 0.3), (2, 2, 2))
HEX = cube_grid((2, 2, 2), 0.15).mesh
FLAT = square_grid((3, 2), 0.1)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("mesh", [CUBE, HEX, FLAT], ids=["tetrahedra", "hexahedra", "squares"])
def test_rest_is_kept_without_gravity(mesh, law) -> None:  # type: ignore[no-untyped-def]
    model, state, work = one_body(mesh, SoftMaterial(law=law, stiffness_damping=0.001))
    run(model, state, work, 20)
    assert np.abs(state.x - model.rest).max() <= 1e-12


def test_a_rigid_motion_is_kept() -> None:
    """Turning bodies lose a little to implicit Euler; those that only move lose nothing."""
    model, state, work = one_body(CUBE, SoftMaterial(stiffness_damping=0.01))
    state.v[:] = 0.3, -0.2, 0.1
    run(model, state, work, 30)
    assert np.abs(state.x - model.rest - state.time * np.array([0.3, -0.2, 0.1])).max() <= 1e-9


def test_momentum_is_kept_to_the_tolerance() -> None:
    """Angular momentum is kept but for what implicit Euler takes of any motion, dt sum m v' x v in a step."""
    model, state, work = one_body(CUBE, SoftMaterial(young=2e4), SoftOptions(gravity=(0, 0, 0), tolerance=1e-8))
    state.v[:] = np.random.default_rng(0).standard_normal(state.v.shape)
    masses, dt = model.masses[:, None], 1 / 60
    before, spin, taken = (masses * state.v).sum(axis=0), np.cross(state.x, masses * state.v).sum(axis=0), np.zeros(3)
    for _ in range(30):
        speeds = state.v.copy()
        report = step(model, state, work, dt)
        taken += dt * np.cross(state.v, masses * speeds).sum(axis=0)
    size = float((masses * np.abs(state.v)).sum() + np.abs(before).sum())
    assert np.abs(report.momentum - before).max() <= 1e-7 * size
    assert np.abs(report.angular_momentum - spin - taken).max() <= 1e-7 * size


def test_energy_is_lost_in_proportion_to_the_step() -> None:
    lost = []
    for steps in (40, 80, 160):
        model, state, work = one_body(CUBE, SoftMaterial(young=2e4), SoftOptions(gravity=(0, 0, 0), tolerance=1e-8))
        state.x[:, 0] *= 1.05
        kinetic = run(model, state, work, steps, 0.004 / steps)
        first = kinetic[0].elastic + kinetic[0].kinetic
        lost.append(first - kinetic[-1].elastic - kinetic[-1].kinetic)
    assert lost[0] > lost[1] > lost[2] > 0.0
    assert lost[0] / lost[1] == pytest.approx(2.0, rel=0.1)
    assert lost[1] / lost[2] == pytest.approx(2.0, rel=0.1)


def test_damping_of_the_mass_slows_a_free_body() -> None:
    model, state, work = one_body(CUBE, SoftMaterial(mass_damping=2.0))
    state.v[:, 1] = 1.0
    run(model, state, work, 60, 1 / 60)
    assert state.v[:, 1] == pytest.approx(np.full(len(state.v), (1.0 + 2.0 / 60) ** -60), rel=1e-6)


@pytest.mark.parametrize("law", LAWS)
def test_damping_of_the_stiffness_takes_energy_of_strains(law) -> None:  # type: ignore[no-untyped-def]
    kept = []
    for damping in (0.0, 0.005):
        model, state, work = one_body(CUBE, SoftMaterial(law=law, stiffness_damping=damping))
        state.x[:, 0] *= 1.05
        last = run(model, state, work, 40, 1 / 1000)[-1]
        kept.append(last.elastic + last.kinetic)
    assert kept[1] < 0.8 * kept[0]


@pytest.mark.parametrize("law", LAWS[:3])
@pytest.mark.parametrize("mesh", [CUBE, HEX], ids=["tetrahedra", "hexahedra"])
@pytest.mark.parametrize("how", ["inside out", "flat", "random", "pushed through"])
def test_inverted_cells_recover(mesh, law, how) -> None:  # type: ignore[no-untyped-def]
    if how == "inside out" and law == "corotational":
        how = "flat"  # a whole body mirrored may be at rest where its energy has a minimum of its own
    model, state, work = one_body(mesh, SoftMaterial(law=law, mass_damping=2.0, stiffness_damping=0.002))
    if how == "random":
        state.x[:] = np.random.default_rng(0).uniform(-0.2, 0.2, state.x.shape)
    elif how == "pushed through":
        state.x[0] = 0.3, 0.3, 0.3
        state.x[-1] = -0.25, -0.2, -0.3
    else:
        state.x[:, 0] *= -1.0 if how == "inside out" else 0.0
    run(model, state, work, 100)
    i, j = mesh.edges.T
    lengths, rest = (np.linalg.norm(each[i] - each[j], axis=1) for each in (state.x, mesh.points))
    assert np.abs(lengths / rest - 1.0).max() <= 1e-3


def test_a_cantilever_bends_as_a_beam_and_converges() -> None:
    """Compare with Timoshenko's beam, without Poisson's effect, which a clamp would hinder."""
    size, long, young, density, gravity = 0.2, 1.0, 1e6, 1000.0, 1e-3
    load_per, inertia = density * gravity * size**2, size**4 / 12.0
    wanted = load_per * long**4 / (8.0 * young * inertia) + load_per * long**2 / (2.0 * 5 / 6 * young / 2 * size**2)
    missed = []
    for count in (2, 4, 8):
        mesh = cube_grid((5 * count, count, count), size / count).mesh
        material = SoftMaterial(law="mooney-rivlin", young=young, poisson=0.0, density=density)
        options = SoftOptions(gravity=(0.0, -gravity, 0.0), tolerance=1e-6)
        model, state, work = one_body(mesh, material, options, held=end_of(mesh))
        step(model, state, work, 1e4)  # so long that inertia counts for nothing
        found = -(state.x - model.rest)[end_of(mesh, upper=True), 1].mean()
        missed.append(1.0 - found / wanted)
    assert abs(missed[2]) <= 0.02
    orders = np.log2(np.array(missed[:-1]) / np.array(missed[1:]))
    assert (orders > 1.4).all()
    assert orders[-1] == pytest.approx(1.9, abs=0.2)


@pytest.mark.deep
def test_a_fine_cantilever_of_tetrahedra_bends_as_a_beam() -> None:
    """43,200 of them, 12 bricks across; coarser ones are too stiff by the square of their size."""
    coarse, fine = missed(bar("tetrahedra", 8)), missed(bar("tetrahedra", 12))
    assert 0.0 < fine <= 0.02
    assert math.log(coarse / fine) / math.log(12.0 / 8.0) == pytest.approx(1.9, abs=0.2)


def test_held_points_report_what_holds_them() -> None:
    held = end_of(CUBE, 1, upper=True)
    model, state, work = one_body(CUBE, SoftMaterial(mass_damping=20.0), SoftOptions(), held=held)
    report = run(model, state, work, 200)[-1]
    assert np.array_equal(state.x[held], model.rest[held])
    assert report.reactions.sum(axis=0) == pytest.approx([0.0, 9.81 * model.masses.sum(), 0.0], abs=0.05)
    moved = model.rest[held] + [0.0, 0.05, 0.0]
    step(model, state, work, 1 / 60, held_at=moved)
    assert np.array_equal(state.x[held], moved)


def test_points_follow_their_targets() -> None:
    pulled = end_of(CUBE)
    model, state, work = one_body(
        CUBE, SoftMaterial(mass_damping=5.0), pulled=pulled, pull_stiffness=2e4, pull_damping=50.0
    )
    targets = model.rest[pulled] + [0.1, 0.2, 0.0]
    for _ in range(120):
        step(model, state, work, 1 / 60, targets=targets)
    assert np.abs(state.x[pulled] - targets).max() <= 1e-3


def test_a_poke_pulls_for_its_step_alone() -> None:
    model, state, work = one_body(CUBE, SoftMaterial())
    step(model, state, work, 1 / 60, pokes=[(0, model.rest[0] + [0.0, 0.0, 0.2], 500.0, 0.0)])
    assert state.v[:, 2].sum() > 0.0
    before = (model.masses * state.v[:, 2]).sum()
    step(model, state, work, 1 / 60)
    assert (model.masses * state.v[:, 2]).sum() == pytest.approx(before, rel=1e-3)


def test_a_saved_state_goes_on_with_the_same_bytes() -> None:
    model, state, work = one_body(CUBE, SoftMaterial(stiffness_damping=0.001), SoftOptions(), held=end_of(CUBE))
    run(model, state, work, 10)
    again, other = load(model, save(state))
    run(model, state, work, 10)
    run(model, again, other, 10)
    assert state.x.tobytes() == again.x.tobytes()
    assert state.v.tobytes() == again.v.tobytes()


def test_two_runs_give_the_same_bytes() -> None:
    found = []
    for _ in range(2):
        model, state, work = one_body(HEX, SoftMaterial(law="neo-hookean"), SoftOptions(), held=end_of(HEX))
        run(model, state, work, 10)
        found.append(state.x.tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize("method", ["conjugate gradients", "minres"])
def test_both_linear_solvers_step_alike(method: str) -> None:
    mesh = cylinder(0.1, 0.5, rings=2, layers=5, axis=0)
    model, state, work = one_body(mesh, SoftMaterial(), SoftOptions(method=method, tolerance=1e-7), held=end_of(mesh))
    reports = run(model, state, work, 20)
    assert all(each.converged for each in reports)
    other = one_body(mesh, SoftMaterial(), SoftOptions(tolerance=1e-7), held=end_of(mesh))
    run(*other, 20)
    assert np.abs(state.x - other[1].x).max() <= 1e-5


def test_minres_solves_an_indefinite_system_where_conjugate_gradients_say_so() -> None:
    model, state, work = one_body(CUBE, SoftMaterial(), SoftOptions())
    prepare(model, work, 1 / 60)
    step(model, state, work, 1 / 60)
    system = system_of(model, work)
    size = 3 * model.point_count
    columns = model.bodies.pattern.starts[:-1]
    shifted = system.values.reshape(-1, 3, 3)
    shifted[columns] -= 0.3 * np.abs(shifted[columns]).max() * np.eye(3)
    from engine.soft.pattern import dense

    full = dense(model.bodies.pattern, system.values)
    signs = np.linalg.eigvalsh(full)
    assert signs[0] < 0.0 < signs[-1]
    right, out, room = np.random.default_rng(0).standard_normal(size), np.zeros(size), np.zeros((7, size))
    solve(system, MINRES, right, 1e-8, 2000, room, out)
    assert np.linalg.norm(full @ out - right) <= 2e-8 * np.linalg.norm(right)
    assert solve(system, CONJUGATE_GRADIENTS, right, 1e-8, 2000, room, out) < 0


def test_loose_points_are_solved_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.soft import layers

    monkeypatch.setattr(layers, "_MOST_NUMBERS", 1000)
    model, state, work = one_body(CUBE, SoftMaterial(), SoftOptions(), held=end_of(CUBE))
    assert len(model.order.loose) == model.point_count
    reports = run(model, state, work, 10)
    monkeypatch.undo()
    other = one_body(CUBE, SoftMaterial(), SoftOptions(), held=end_of(CUBE))
    run(*other, 10)
    assert all(each.converged for each in reports)
    assert np.abs(state.x - other[1].x).max() <= 1e-4


def test_bad_input_is_refused_by_name() -> None:
    good = SoftPiece(mesh=CUBE, material=SoftMaterial())
    model = compile_soft([good])
    state = model.new_state()
    work = start(model, state)
    for call in (
        lambda: compile_soft([]),
        lambda: compile_soft([SoftPiece(mesh=CUBE, material=SoftMaterial(), held=np.array([999], np.int32))]),
        lambda: compile_soft([SoftPiece(mesh=CUBE, material=SoftMaterial(), thickness=-1.0)]),
        lambda: compile_soft([good], SoftOptions(tolerance=0.0)),
        lambda: compile_soft([good], SoftOptions(method="magic")),
        lambda: compile_soft([good], SoftOptions(gravity=(0.0, float("nan"), 0.0))),
        lambda: step(model, state, work, 0.0),
        lambda: step(model, state, work, 1 / 60, held_at=np.zeros((3, 3))),
        lambda: step(model, state, work, 1 / 60, alphas=np.zeros(5)),
        lambda: step(model, state, work, 1 / 60, pokes=[(-1, np.zeros(3), 1.0, 0.0)]),
        lambda: load(model, {"x": state.x}),
        lambda: load(model, {**save(state), "v": np.full_like(state.v, np.nan)}),
    ):
        with pytest.raises(InvalidArguments):
            call()


def test_what_is_not_finite_is_said_and_changes_nothing() -> None:
    model, state, work = one_body(CUBE, SoftMaterial(), SoftOptions())
    state.v[0] = np.nan
    before = state.x.copy()
    with pytest.raises(Diverged):
        step(model, state, work, 1 / 60)
    assert np.array_equal(state.x, before)
    state.v[:] = 0.0
    state.v[0] = 1e200
    with pytest.raises(Diverged):
        step(model, state, work, 1 / 60)
    assert np.array_equal(state.x, before)
    state.v[:] = 0.0
    step(model, state, work, 1 / 60)
    assert np.isfinite(state.x).all()


def test_springs_of_splines_pull_through_their_weights() -> None:
    """Two virtual points, the middles of both ends: the body gets as short as they ask, and keeps its momentum."""
    mesh = box((0.4, 0.1, 0.1), (4, 1, 1))
    ends = end_of(mesh), end_of(mesh, upper=True)
    starts = np.array([0, len(ends[0]), len(ends[0]) + len(ends[1])], np.int32)
    weights = Weights(starts, np.concatenate(ends), np.concatenate([np.full(len(end), 1 / len(end)) for end in ends]))
    numbers = np.array([0.4]), np.array([1e7]), np.array([1e4])
    springs = VirtualSprings(weights, np.array([[0, 1]], np.int32), *numbers, np.zeros(1, np.int32), np.array([0.5]))
    material = SoftMaterial(young=1e4, mass_damping=5.0)
    options = SoftOptions(gravity=(0.0, 0.0, 0.0), tolerance=1e-8)
    model, state, work = one_body(mesh, material, options, springs=springs)
    for _ in range(60):
        report = step(model, state, work, 1 / 60, alphas=np.array([0.8]))
        assert report.converged
    length = state.x[ends[1], 0].mean() - state.x[ends[0], 0].mean()
    assert length == pytest.approx(0.32, rel=1e-3)
    assert np.abs(report.momentum).max() <= 1e-6
    assert report.strings > 0.0

"""Mass-spring bodies under symplectic Euler: what is conserved, the ground, and what is refused."""

import math
from typing import Any

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.runtime.errors import Diverged, InvalidArguments
from engine.soft.mesh import VolumeMesh, volume_mesh
from engine.soft.meshing import cube_grid, square_grid
from engine.soft.splines import DrawnSpline, bind_splines
from engine.soft.springs import SpringBody, spring_body

GRID = square_grid((10, 3), 0.1)
CUBES = cube_grid((6, 2, 2), 0.1).mesh


def body_of(mesh: VolumeMesh, controls: list[tuple[float, float, float]], **options: float) -> tuple[SpringBody, Array]:
    masses = mesh.masses(100.0)
    spline = DrawnSpline(controls=np.array(controls), samples=6)
    bound = bind_splines(mesh, masses, [spline], spring=1000.0)
    return spring_body(mesh, masses, stiffness=1000.0, virtual=bound.springs, **options), masses  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mesh", "controls"),
    [(GRID, [(0.1, 0.15, 0.0), (0.5, 0.25, 0.0), (0.9, 0.1, 0.0)]), (CUBES, [(0.05, 0.1, 0.1), (0.55, 0.15, 0.05)])],
)
def test_momentum_and_angular_momentum_are_kept_for_ten_seconds(mesh: VolumeMesh, controls: list) -> None:  # type: ignore[type-arg]
    body, masses = body_of(mesh, controls)
    points = mesh.points.copy()
    velocities = np.tile((0.3, -0.2, 0.0), (len(points), 1)) + np.cross((0.0, 0.0, 0.5), points)

    def momenta() -> Array:
        moving = masses[:, None] * velocities
        return np.concatenate((moving.sum(axis=0), np.cross(points, moving).sum(axis=0)))

    start = momenta()
    worst = moved = 0.0
    for frame in range(600):
        alphas = np.full(5, 0.6 if frame // 40 % 2 else 1.0)
        alphas[:2] += 0.3 * math.sin(frame / 10.0)
        body.advance(points, velocities, alphas, 1.0 / 60.0)
        worst = max(worst, float(np.abs(momenta() - start).max()))
        moved = max(moved, float(np.abs(body.virtual.contractions(points) - 1.0).max()))
    assert worst < 1e-9
    assert moved > 0.05


def test_forces_of_splines_keep_sum_and_torque_in_each_step() -> None:
    body, _ = body_of(GRID, [(0.1, 0.15, 0.0), (0.5, 0.25, 0.0), (0.9, 0.1, 0.0)])
    points, velocities = GRID.points.copy(), np.zeros_like(GRID.points)
    step = body.stable_step()
    for frame in range(300):
        alphas = np.full(5, 1.0 - 0.4 * (frame // 50 % 2))
        impulses = step * body.virtual.forces(points, velocities, alphas)
        scale = max(float(np.abs(impulses).max()), 1e-9)
        assert np.abs(impulses.sum(axis=0)).max() < 1e-12 * scale
        assert np.abs(np.cross(points, impulses).sum(axis=0)).max() < 1e-12 * scale
        body.step(points, velocities, alphas, step)


def test_energy_is_kept_on_average_without_damping() -> None:
    masses = CUBES.masses(100.0)
    body = spring_body(CUBES, masses, stiffness=1000.0)
    points, velocities = CUBES.points * (1.05, 1.0, 1.0), np.zeros_like(CUBES.points)
    start = body.energy(points, velocities, np.zeros(0)).sum()
    energies = []
    for _ in range(300):
        body.advance(points, velocities, np.zeros(0), 1.0 / 60.0)
        energies.append(body.energy(points, velocities, np.zeros(0)).sum())
    assert np.mean(energies[-100:]) == pytest.approx(start, rel=0.05)


def test_damping_brings_a_body_to_rest_in_its_shape() -> None:
    body = spring_body(GRID, GRID.masses(100.0), stiffness=1000.0, damping=1.0)
    points, velocities = GRID.points * (1.1, 0.95, 1.0), np.zeros_like(GRID.points)
    for _ in range(900):
        body.advance(points, velocities, np.zeros(0), 1.0 / 60.0)
    assert np.linalg.norm(np.ptp(points, axis=0) - np.ptp(GRID.points, axis=0)) < 1e-4
    assert np.abs(velocities).max() < 1e-4


def test_a_free_body_falls_and_rests_on_the_ground_without_sliding_uphill() -> None:
    body = spring_body(
        CUBES, CUBES.masses(100.0), stiffness=5000.0, damping=0.3, gravity=(0.0, -9.81, 0.0), ground=-0.1, friction=0.5
    )
    points, velocities = CUBES.points.copy(), np.tile((1.0, 0.0, 0.0), (len(CUBES.points), 1))
    for frame in range(240):
        body.advance(points, velocities, np.zeros(0), 1.0 / 60.0)
        assert velocities[:, 0].mean() > -0.2
        assert frame > 4 or points[:, 1].mean() < 0.1
    assert -0.12 < points[:, 1].min() < -0.1
    assert np.abs(velocities).max() < 1e-2
    stop = points[:, 0].mean() - CUBES.points[:, 0].mean()
    assert stop == pytest.approx(0.142 + 1.0 / (2.0 * 0.5 * 9.81), abs=0.1)  # the fall, then v^2 / (2 mu g)


def test_held_points_stay_and_factors_stiffen_their_edges() -> None:
    held = GRID.points[:, 0] == 0.0
    masses, pull = GRID.masses(100.0), {"gravity": (0.0, -9.81, 0.0), "damping": 0.5}
    drops = []
    for factor in (1.0, 10.0):
        mesh = GRID.with_factors(np.full(len(GRID.cells), factor))
        body = spring_body(mesh, masses, stiffness=600_000.0, held=held, **pull)  # type: ignore[arg-type]
        points, velocities = GRID.points.copy(), np.zeros_like(GRID.points)
        for _ in range(240):
            body.advance(points, velocities, np.zeros(0), 1.0 / 60.0)
        assert np.array_equal(points[held], GRID.points[held])
        drops.append(float((GRID.points - points)[:, 1].max()))
    assert drops[1] == pytest.approx(drops[0] / 10.0, rel=0.15)


def test_any_edges_make_a_body() -> None:
    mesh = volume_mesh(np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0)], float), np.array([(0, 1), (1, 2), (2, 0)]), "edges")
    body = spring_body(mesh, mesh.masses(1.0), stiffness=100.0)
    points, velocities = mesh.points * 1.1, np.zeros((3, 3))
    body.advance(points, velocities, np.zeros(0), 0.1)
    assert np.isfinite(points).all()
    assert np.abs(velocities).max() > 0.1


def test_steps_repeat_to_the_byte() -> None:
    answers = []
    for _ in range(2):
        body, _ = body_of(CUBES, [(0.05, 0.1, 0.1), (0.55, 0.15, 0.05)])
        points, velocities = CUBES.points.copy(), np.zeros_like(CUBES.points)
        for _ in range(20):
            body.advance(points, velocities, np.full(5, 0.7), 1.0 / 60.0)
        answers.append(points.tobytes())
    assert answers[0] == answers[1]


@pytest.mark.parametrize("alpha", [0.0, 100.0])
def test_extreme_contractions_stay_finite(alpha: float) -> None:
    body, _ = body_of(CUBES, [(0.05, 0.1, 0.1), (0.55, 0.15, 0.05)], damping=0.1)
    points, velocities = CUBES.points.copy(), np.zeros_like(CUBES.points)
    for _ in range(120):
        body.advance(points, velocities, np.full(5, alpha), 1.0 / 60.0)
    assert np.isfinite(points).all()


def test_what_cannot_be_stepped_is_refused() -> None:
    masses = GRID.masses(1.0)
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"stiffness": 0.0}, "stiffness of springs"),
        ({"stiffness": 1.0, "damping": -1.0}, "damping"),
        ({"stiffness": 1.0, "friction": math.nan}, "friction"),
        ({"stiffness": 1.0, "tau": 0.0}, "tau"),
    )
    for options, says in cases:
        with pytest.raises(InvalidArguments, match=says):
            spring_body(GRID, masses, **options)
    with pytest.raises(InvalidArguments, match="masses"):
        spring_body(GRID, masses * 0.0, stiffness=1.0)
    body = spring_body(GRID, masses, stiffness=1e12)
    points, velocities = GRID.points.copy(), np.zeros_like(GRID.points)
    with pytest.raises(InvalidArguments, match="parts of a step"):
        body.advance(points, velocities, np.zeros(0), 1.0)
    with pytest.raises(InvalidArguments, match="contractions"):
        body.advance(points, velocities, np.zeros(3), 1e-3)
    with pytest.raises(InvalidArguments, match="the step"):
        body.advance(points, velocities, np.zeros(0), math.nan)
    with pytest.raises(Diverged, match="mass-spring"):
        body.step(points * 1.1, velocities, np.zeros(0), 1e3, 50)

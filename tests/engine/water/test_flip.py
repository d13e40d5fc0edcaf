"""Water as particles: what they give to faces and take back, and the level set around them."""

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.water.flip import cover_particles, find_crowding, give_velocity, start_particles, take_velocity
from engine.water.reinitialise import distance_work, redistance
from engine.water.step import WaterOptions, start, step
from engine.water.surface import NO_SOLID
from engine.water.surfaces import APIC, FLIP
from engine.water.volume import measure_water
from tests.engine.water.tanks import tank

_N = 14


def _pool(level: float = 6.3) -> Array:
    return 0.1 * np.broadcast_to(np.arange(_N)[None, :, None] + 0.5 - level, (_N, _N, _N)).astype(np.float64)


def _faces() -> tuple[Array, Array, Array]:
    return np.zeros((_N + 1, _N, _N)), np.zeros((_N, _N + 1, _N)), np.zeros((_N, _N, _N + 1))


def test_level_set_around_particles_is_where_the_water_was() -> None:
    phi = _pool(6.45)
    particles = start_particles(phi, 1, affine=False)
    wanted = measure_water(phi, 0.1, NO_SOLID)[0]
    covered = np.empty_like(phi)
    crowd, sums = np.zeros(phi.shape, dtype=np.int32), np.zeros((*phi.shape, 4))
    cover_particles(particles, len(particles), 0.1, crowd, sums, covered)
    redistance(covered, 0.1, 0.6, distance_work(phi))
    assert measure_water(covered, 0.1, NO_SOLID)[0] == pytest.approx(wanted, rel=0.02)
    assert np.abs(covered - phi)[:, 5:8].max() < 0.08  # noise of jittered particles


@pytest.mark.parametrize("affine", [False, True])
def test_momentum_goes_to_the_faces_and_back(affine: bool) -> None:
    particles = start_particles(_pool(), 2, affine=affine)
    rng = np.random.default_rng(5)
    particles[:, 3:6] = rng.normal(size=(len(particles), 3))
    if affine:
        particles[:, 6:] = rng.normal(size=(len(particles), 9))
    faces, masses = _faces(), _faces()
    give_velocity(particles, len(particles), 0.1, faces, masses)
    for axis in range(3):
        assert float((faces[axis] * masses[axis]).sum()) == pytest.approx(
            particles[:, 3 + axis].sum(), abs=2.0 if affine else 1e-9
        )
        assert masses[axis].sum() == pytest.approx(len(particles))


def test_a_turning_body_of_water_is_given_and_taken_without_loss_by_apic() -> None:
    """A linear velocity field passes through APIC unchanged; plain particles and faces would smooth it."""
    particles = start_particles(_pool(14.0), 3, affine=True)
    turn = np.array([[0.0, -2.0, 0.5], [2.0, 0.0, 0.0], [-0.5, 0.0, 0.0]])
    particles[:, 3:6] = 0.1 * particles[:, :3] @ turn.T
    particles[:, 6:] = turn.reshape(-1)
    faces, masses = _faces(), _faces()
    give_velocity(particles, len(particles), 0.1, faces, masses)
    before = particles.copy()
    take_velocity(particles, len(particles), 1e-9, 0.1, faces, faces, faces)
    inner = ((before[:, :3] > 1.0) & (before[:, :3] < _N - 1.0)).all(axis=1)
    assert np.abs(particles[inner, 3:6] - before[inner, 3:6]).max() < 1e-9
    assert np.abs(particles[inner, 6:] - before[inner, 6:]).max() < 1e-7


def test_flip_keeps_what_the_faces_cannot_hold() -> None:
    particles = start_particles(_pool(), 4, affine=False)
    noise = np.random.default_rng(6).normal(size=(len(particles), 3))
    particles[:, 3:6] = noise
    faces, masses = _faces(), _faces()
    give_velocity(particles, len(particles), 0.1, faces, masses)
    take_velocity(particles, len(particles), 1e-9, 0.1, faces, faces, faces)
    kept = float(np.sum(particles[:, 3:6] * noise) / np.sum(noise * noise))
    assert kept == pytest.approx(0.97, abs=0.03)


def test_particles_stay_within_the_walls() -> None:
    particles = start_particles(_pool(), 5, affine=False)
    faces = _faces()
    for each in faces:
        each[:] = 50.0
    take_velocity(particles, len(particles), 1.0, 0.1, faces, _faces(), faces)
    assert particles[:, :3].max() < _N


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(InvalidArguments, match="level set"):
        start_particles(np.full((3, 3, 3), np.inf), 1, affine=False)


@pytest.mark.parametrize("surface", [FLIP, APIC])
@pytest.mark.parametrize("correct", [True, False])
def test_a_missing_volume_comes_back_by_swelling_unless_switched_off(surface: str, correct: bool) -> None:
    model = tank((10, 10, 10), options=WaterOptions(surface=surface, correct_volume=correct))
    _, y, _ = model.grid.centres()
    state = model.new_state(np.broadcast_to(y - 0.43, model.grid.cells))
    work = start(model, state)
    first = step(model, state, work, 1 / 30).surface.volume
    kept = work.surface.save()
    work.surface.load({**kept, "surface": kept["surface"] * (1.05, 1.0, 1.0, 1.0, 1.0)})  # 5% more is wanted
    for _ in range(30):
        report = step(model, state, work, 1 / 30)
    gained = report.surface.volume / first - 1.0
    assert gained == pytest.approx(0.05, abs=0.01) if correct else abs(gained) < 0.01
    assert report.surface.taken_back > 0.04 * first if correct else not work.surface.swelling
    assert report.divergence < 1e-6


def test_particles_that_crowd_move_apart_where_there_is_water_enough() -> None:
    phi, crowd, out = _pool(6.5), np.zeros((_N, _N, _N), dtype=np.int32), np.zeros((_N, _N, _N))
    crowd[:, :6], crowd[:, 6] = 8, 4  # as many as at first: the surface goes through the middles of the seventh layer
    find_crowding(crowd, phi, NO_SOLID, 0.1, 8.0, 4.0, out)
    assert out == pytest.approx(0.0, abs=1e-12)
    crowd[:, 5:7] += 2
    find_crowding(crowd, phi, NO_SOLID, 0.1, 8.0, 4.0, out)
    assert out[3:9, 5, 3:9] == pytest.approx(4.0 * 36.0 / (8.0 * (9 + 9 + 4.5)))
    assert (out[:, :4] == 0.0).all()
    assert (out[:, 6:] == 0.0).all()
    solid = np.full((_N, _N, _N), 1.0)
    solid[:7] = 0.2
    find_crowding(crowd, phi, solid, 0.1, 8.0, 4.0, out)
    assert (out[:7] == 0.0).all()
    assert (out[7:, 5] > 0.0).all()
    drop = np.full((_N, _N, _N), 0.1)
    drop[6, 6, 6], crowd[:] = -0.04, 0
    crowd[6, 6, 6] = 1
    find_crowding(crowd, drop, NO_SOLID, 0.1, 8.0, 4.0, out)
    assert (out == 0.0).all(), "a drop is left alone"


@pytest.mark.parametrize("surface", [FLIP, APIC])
def test_crowded_water_swells_to_what_its_particles_are(surface: str) -> None:
    model = tank((9, 9, 9), options=WaterOptions(surface=surface, correct_volume=False))
    _, y, _ = model.grid.centres()
    state = model.new_state(np.broadcast_to(y - 0.5, model.grid.cells))
    work = start(model, state)
    first = step(model, state, work, 1 / 30).volume
    kept = work.surface.save()
    sunk = np.concatenate((kept["particles"], kept["particles"][::10]))  # it is as if so much had sunk together
    work.surface.load({**kept, "particles": sunk, "surface": kept["surface"] * (1.0, 1.0, 1.0, 1.0, 1.1)})
    for _ in range(40):
        last = step(model, state, work, 1 / 30).volume
    assert last / first == pytest.approx(1.1, abs=0.03)

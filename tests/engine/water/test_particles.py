"""Particles on both sides of the surface: where they are, what they mend, that nothing depends on chance."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.experiments.surface_flows import follow, vortex, zalesak_disk
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.water.equation import Faces
from engine.water.particles import LEAST, MOST, SEEDED, correct_surface
from engine.water.spray import LARGEST, SMALLEST
from engine.water.surface import (
    MENDED_EVERY,
    NO_SOLID,
    SurfaceOptions,
    SurfaceState,
    SurfaceWork,
    advance_surface,
    start_surface,
    surface_work,
)

_DOWN = np.array((0.0, -9.81, 0.0))


def _pool(options: SurfaceOptions, cells: int = 12) -> tuple[Array, SurfaceState, SurfaceWork]:
    phi = np.broadcast_to(np.arange(cells)[None, :, None] + 0.5 - 5.2, (cells, cells, cells)).copy()
    work = surface_work(phi)
    return phi, start_surface(phi, 1.0, options, work), work


def _faces(cells: int, flow: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Faces:
    return Faces(
        np.full((cells + 1, cells, cells), flow[0]),
        np.full((cells, cells + 1, cells), flow[1]),
        np.full((cells, cells, cells + 1), flow[2]),
    )


def test_seeds_are_near_the_surface_on_their_own_side() -> None:
    _, state, _ = _pool(SurfaceOptions())
    found = state.particles[: state.count]
    height = found[:, 1] - 5.2
    assert np.abs(height).max() <= SEEDED + 0.5
    assert (np.sign(found[:, 3]) == np.sign(height)).all()
    assert np.abs(found[:, 3]) == pytest.approx(np.clip(np.abs(height), LEAST, MOST), abs=1e-9)
    counts = np.unique(found[:, :3].astype(int), axis=0, return_counts=True)[1]
    assert set(counts) == {12}


def test_an_escaped_particle_pulls_the_surface_over_itself() -> None:
    phi, _, _ = _pool(SurfaceOptions(particles=False))
    lost = np.array([[6.5, 6.5, 6.5, -0.5], [2.5, 3.5, 2.5, 0.4], [9.5, 5.0, 9.5, -0.1]])
    escaped = correct_surface(lost, 3, phi, 1.0, NO_SOLID, np.empty_like(phi), np.empty_like(phi))
    assert escaped == 2
    assert phi[6, 6, 6] == pytest.approx(-0.5)
    assert phi[2, 3, 2] == pytest.approx(0.4)
    assert phi[9, 4, 9] == pytest.approx(-0.7)


def test_a_turn_of_zalesaks_disk_loses_little_and_particles_are_why() -> None:
    alone = follow(zalesak_disk(), 50, SurfaceOptions(particles=False, correct_volume=False))
    helped = follow(zalesak_disk(), 50, SurfaceOptions(correct_volume=False, spray=False))
    assert abs(helped.lost) < 0.01
    assert helped.wrong < 0.1
    assert helped.wrong < 0.6 * alone.wrong


def test_same_seed_same_bytes_other_seed_others() -> None:
    def run(seed: int) -> bytes:
        options = SurfaceOptions(seed=seed, per_cell=8, reseed_every=5)
        found = follow(vortex(1.0), 16, options)
        return found.phi.tobytes() + found.state.particles[: found.state.count].tobytes()

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_a_missing_volume_comes_back_unless_switched_off() -> None:
    for correct in (True, False):
        options = SurfaceOptions(correct_volume=correct, spray=False)
        phi, state, work = _pool(options)
        state.volume_wanted *= 1.01
        for _ in range(60):
            report = advance_surface(phi, _faces(12), 1.0, 0.05, options, state, work, gravity=_DOWN)
        left = abs(report.volume / state.volume_wanted - 1.0)
        assert left < 2e-4 if correct else left == pytest.approx(0.0099, abs=2e-4)
        assert report.escaped == 0
        assert (
            state.taken_back == pytest.approx(0.01 / 1.01 * state.volume_wanted, rel=0.05)
            if correct
            else not state.taken_back
        )


def test_lost_particles_fly_and_fall_back() -> None:
    options = SurfaceOptions(correct_volume=False)
    phi, state, work = _pool(options)
    state.particles[:3] = [[3.9, 8.5, 3.9, -0.3], [6.9, 9.0, 6.9, -0.2], [6.9, 3.0, 6.9, 0.2]]
    state.travelled = MENDED_EVERY  # as if water had moved: it stands still here
    faces = _faces(12)
    report = advance_surface(phi, faces, 1.0, 0.01, options, state, work, gravity=_DOWN)
    assert report.flying == 2
    sizes = state.spray[:2, 8]
    assert sizes[0] != sizes[1]
    assert (sizes >= SMALLEST).all()
    assert (sizes < LARGEST).all()
    assert report.volume > state.volume_wanted
    flown = 0
    while state.flying and flown < 200:
        heights = state.spray[: state.flying, 1].copy()
        assert state.spray[: state.flying, 7] == pytest.approx(0.02 * flown)  # for so long
        advance_surface(phi, faces, 1.0, 0.02, options, state, work, gravity=_DOWN)
        assert state.flying < 2 or (state.spray[: state.flying, 1] < heights).all()
        flown += 1
    assert 0.5 < flown * 0.02 < 1.2  # falls of 3.3 and 3.8 m


def test_drops_stop_at_walls_and_solids() -> None:
    options = SurfaceOptions(correct_volume=False)
    phi, state, work = _pool(options)
    post = np.broadcast_to(np.arange(12.0)[:, None, None] - 8.0, phi.shape) * -1.0  # solid from x = 8.5 on
    state.particles[:2] = [[6.9, 9.9, 6.9, -0.3], [6.9, 9.9, 2.9, -0.3]]
    for _ in range(40):
        faces = _faces(12, (12.0, 0.0, -12.0))
        advance_surface(phi, faces, 1.0, 0.02, options, state, work, gravity=np.zeros(3), solid=post)
        if state.flying:
            assert (state.spray[: state.flying, 0] < 8.6).all()
            assert (state.spray[: state.flying, :3] > 0.0).all()


@pytest.mark.parametrize("wrong", [{"per_cell": 0}, {"reseed_every": 0}, {"seed": -1}, {"most_spray": -5}])
def test_options_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidArguments, match=next(iter(wrong))):
        replace(SurfaceOptions(), **wrong)

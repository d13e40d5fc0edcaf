"""Velocities and other fields carried along by the water, viscosity, and what lies beyond it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import map_coordinates

from engine.maths.arrays import Array
from engine.water.advection import BLOCKS, LINES, carry_faces, correct_faces
from engine.water.boundaries import walls
from engine.water.equation import KNOWN, Faces
from engine.water.extrapolation import extrapolate
from engine.water.sliding import slide
from engine.water.step import WaterModel, WaterOptions, advect, start, step
from tests.engine.water.tanks import stirred, tank, turning, vortices


def hump(model: WaterModel) -> Array:
    """A smooth hump beside the middle, at faces across x."""
    x, y, z = model.grid.face_positions(0)
    return np.exp(-(((x - 0.5) / 0.12) ** 2) - ((y - 0.7) / 0.12) ** 2) + 0.0 * z


@pytest.mark.parametrize(("twice", "error"), [(False, 0.75), (True, 0.35)])
def test_a_hump_goes_around(twice: bool, error: float) -> None:
    """A turn of a wheel brings it back, lower by linear interpolation; MacCormack's method keeps more, and stays within
    the values that there were."""
    model = tank((32, 32, 1))
    state = turning(model, 2.0 * math.pi)
    first = hump(model)
    field, out, corrected = first.copy(), np.zeros_like(first), np.zeros_like(first)
    lines, corners = np.zeros((LINES, 2)), np.zeros(first.shape, np.int32)
    count = 80
    step_length = 1.0 / count / model.grid.spacing
    for _ in range(count):
        for block in range(BLOCKS):
            carry_faces(field, state.velocities, state.phi, 0, step_length, math.inf, block, lines, corners, out)
        if twice:
            for block in range(BLOCKS):
                given = state.velocities, state.phi, 0, step_length, block, lines, corners
                correct_faces(field, out, *given, corrected)
        field = (corrected if twice else out).copy()
    assert field.min() >= 0.0
    assert field.max() <= 1.0
    assert np.abs(field - first).max() <= error
    if twice:
        assert field.max() >= 0.65


def test_what_is_uniform_stays_so() -> None:
    model = tank((12, 9, 5))
    state = model.new_state(np.full(model.grid.cells, -1.0))
    for each, speed in zip(state.velocities, (0.3, -0.2, 0.7), strict=True):
        each[:] = speed
    work = start(model, state)
    advect(model, state, work, 2.0 * model.grid.spacing)
    for each, speed in zip(state.velocities, (0.3, -0.2, 0.7), strict=True):
        assert each == pytest.approx(np.full(each.shape, speed), rel=1e-14)


@pytest.mark.parametrize("farthest", [0.95, 2.5])
def test_velocities_come_from_where_the_water_was(farthest: float) -> None:
    """Rows as a whole, where nothing goes farther than a cell, and number by number: as scipy interpolates. The ends of
    a field hold beyond it, and MacCormack's method stays within the eight samples around."""
    model = tank((9, 8, 7))
    state = stirred(model, np.full(model.grid.cells, -1.0))
    given = [each / np.abs(each).max() for each in state.velocities]
    for each, values in zip(state.velocities, given, strict=True):
        each[:] = values
    step_length, corners = farthest, [np.zeros(each.shape, np.int32) for each in given]
    carried, corrected = ([np.zeros_like(each) for each in given] for _ in range(2))
    lines, moving = np.zeros((LINES, 10)), Faces(*given)

    def sample(values: Array, axis: int, places: Array) -> Array:
        off = np.full((3, 1, 1, 1), 0.5)
        off[axis] = 0.0
        return np.asarray(map_coordinates(values, places - off, order=1, mode="nearest"))

    def velocities(places: Array) -> Array:
        return np.stack([sample(each, axis, places) for axis, each in enumerate(given)])

    for axis, each in enumerate(given):
        for block in range(BLOCKS):
            carry_faces(
                each, moving, state.phi, axis, step_length, math.inf, block, lines, corners[axis], carried[axis]
            )
        for block in range(BLOCKS):
            correct_faces(
                each, carried[axis], moving, state.phi, axis, step_length, block, lines, corners[axis], corrected[axis]
            )
        off = np.full((3, 1, 1, 1), 0.5)
        off[axis] = 0.0
        places = np.indices(each.shape) + off
        inner = tuple(slice(1, -1) if one == axis else slice(None) for one in range(3))
        high = np.array(model.grid.cells).reshape(3, 1, 1, 1)
        half = np.clip(places - 0.5 * step_length * velocities(places), 0.0, high)
        wanted = sample(each, axis, places - step_length * velocities(half))
        assert carried[axis][inner] == pytest.approx(wanted[inner], abs=1e-13)
        half = np.clip(places + 0.5 * step_length * velocities(places), 0.0, high)
        again = sample(carried[axis], axis, places + step_length * velocities(half))
        value = carried[axis] + 0.5 * (each - again)
        kept = np.abs(corrected[axis] - value) < 1e-13
        assert (kept | (corrected[axis] == carried[axis]))[inner].all()
        assert 0.5 < kept[inner].mean() < 1.0


def worst(model: WaterModel, viscosity: float, steps: int) -> float:
    """Let a vortex decay for half a second; the largest error of a velocity."""
    model = replace(model, gravity=(0.0, 0.0, 0.0), viscosity=viscosity)
    state = model.new_state(np.full(model.grid.cells, -10.0))
    state.u[:], state.v[:] = vortices(model, 0.0, viscosity)
    work = start(model, state)
    for _ in range(steps):
        step(model, state, work, 0.5 / steps)
    u, v = vortices(model, 0.5, viscosity)
    return max(float(np.abs(state.u - u).max()), float(np.abs(state.v - v).max()))


def test_vortices_decay_by_viscosity() -> None:
    """Taylor and Green's vortex; the error is of order h and dt at least."""
    errors = [worst(tank((n, n, 1), length=math.pi), 0.1, n // 2) for n in (12, 24, 48)]
    orders = [math.log2(errors[each] / errors[each + 1]) for each in range(2)]
    assert min(orders) >= 0.9
    assert errors[-1] <= 0.01


def test_water_that_sticks_flows_slower_along_walls() -> None:
    """Between two plates, pulled along: the profile is a parabola, u = g (y (1 - y)) / (2 nu), exact on a grid."""
    grid = tank((3, 16, 1), length=3 / 16).grid
    model = WaterModel(grid=grid, gravity=(1.0, 0.0, 0.0), viscosity=1.0, sticks=True)
    around = walls(grid)
    state = model.new_state(np.full(grid.cells, -1.0))
    from engine.water.viscosity import VECTORS, diffuse

    known = np.full(state.u.shape, KNOWN)
    room = np.zeros((VECTORS, state.u.size))
    _, y, _ = grid.face_positions(0)
    for _ in range(200):
        state.u += 0.05
        given = around.velocities[0], around.weights[0], known, 0
        diffuse(state.u, *given, 0.05 / grid.spacing**2, True, 1e-12, 500, room)
    walls_half_away = 0.5 * (y * (1.0 - y) + grid.spacing**2 / 4.0)
    assert state.u == pytest.approx(np.broadcast_to(walls_half_away, state.u.shape), rel=1e-6)


def test_velocities_reach_beyond_the_water() -> None:
    known = np.zeros((7, 7, 7), np.uint8)
    known[3, 3, 3] = KNOWN
    values = np.zeros((7, 7, 7))
    values[3, 3, 3] = 2.0
    extrapolate(values, known, 2, np.zeros((2, 49), np.uint8), np.zeros((2, 7)))
    away = np.abs(np.indices((7, 7, 7)) - 3).sum(axis=0)
    assert np.array_equal(values, np.where(away <= 2, 2.0, 0.0))
    assert np.array_equal(known == KNOWN, away <= 2)


def test_extrapolation_takes_the_mean_of_what_is_known() -> None:
    known = np.zeros((3, 3, 1), np.uint8)
    values = np.zeros((3, 3, 1))
    known[0, 1], values[0, 1] = KNOWN, 1.0
    known[1, 0], values[1, 0] = KNOWN, 4.0
    extrapolate(values, known, 1, np.zeros((2, 9), np.uint8), np.zeros((2, 1)))
    assert values[:, :, 0] == pytest.approx(np.array([[2.5, 1.0, 1.0], [4.0, 2.5, 0.0], [4.0, 0.0, 0.0]]))


def test_extrapolated_velocities_slide_along_a_solid() -> None:
    """A slope through the tank that moves: inside, the part through it is the solid's, the part along it stays."""
    model = tank((8, 8, 1))
    x, y, z = model.grid.centres()
    normal = np.array([0.6, 0.8])
    distance = normal[0] * (x - 0.5) + normal[1] * (y - 0.5) + 0.0 * z
    closed = walls(model.grid)
    for axis, each in enumerate(closed.weights):
        a, b, _ = model.grid.face_positions(axis)
        each[...] = np.where(normal[0] * (a - 0.5) + normal[1] * (b - 0.5) < 0.0, 0.0, each)
    for solid, speed in zip(closed.velocities, (0.3, -0.1, 0.0), strict=True):
        solid[:] = speed
    state = model.new_state(np.full(model.grid.cells, -1.0))
    state.u[:], state.v[:] = 1.0, 2.0
    out = [np.zeros_like(each) for each in state.velocities]
    for axis in range(2):
        moving = Faces(*closed.velocities)
        slide(state.velocities, moving, closed.weights[axis], distance, model.grid.spacing, axis, out[axis])
    inside = out[0][4, 3, 0], out[1][4, 3, 0]
    assert np.dot(inside, normal) == pytest.approx(np.dot([0.3, -0.1], normal))
    assert np.dot(inside, [-0.8, 0.6]) == pytest.approx(np.dot([1.0, 2.0], [-0.8, 0.6]))
    assert out[0][7, 7, 0] == out[0][2, 2, 0] == 1.0  # water, and deep inside


def test_options_are_checked() -> None:
    with pytest.raises(Exception, match="Cells a sub-step"):
        WaterOptions(courant=0.0)

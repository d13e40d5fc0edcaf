"""Contact of soft bodies with things and with each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.runtime.errors import InvalidArguments
from engine.soft.contact import Collider, pack_colliders
from engine.soft.materials import SoftMaterial
from engine.soft.meshing import box, square_grid
from engine.soft.step import SoftOptions, SoftPiece, compile_soft, load, save, start, step
from tests.engine.soft.scenes import one_body

BRICK = box((0.4, 0.2, 0.3), (3, 2, 2))
GROUND = Collider(kind="plane")


def slope(angle: float) -> SoftOptions:
    """Lean gravity instead of the ground."""
    return SoftOptions(gravity=(9.81 * math.sin(angle), -9.81 * math.cos(angle), 0.0), tolerance=1e-6)


def test_a_body_comes_to_rest_on_the_ground() -> None:
    model, state, work = one_body(BRICK, SoftMaterial(young=2e5, mass_damping=0.5), SoftOptions(), touches=True)
    state.x[:, 1] += 0.25
    for _ in range(200):
        report = step(model, state, work, 1 / 60, colliders=[GROUND])
    assert report.contacts.sum(axis=0) == pytest.approx([0.0, 9.81 * model.masses.sum(), 0.0], abs=0.5)
    assert report.kinetic <= 1e-6
    before = state.x.copy()
    for _ in range(60):
        step(model, state, work, 1 / 60, colliders=[GROUND])
    assert np.abs(state.x - before).max() <= 1e-4
    assert state.x[:, 1].min() > -0.01


@pytest.mark.parametrize(("angle", "friction"), [(0.5, 0.3), (0.4, 0.0), (0.7, 0.6)])
def test_a_sliding_block_has_the_acceleration_of_coulomb(angle: float, friction: float) -> None:
    material = SoftMaterial(young=1e6, friction=friction, stiffness_damping=0.002)
    model, state, work = one_body(BRICK, material, slope(angle), touches=True, contact_damping=0.02)
    state.x[:, 1] += 0.1
    for _ in range(30):
        step(model, state, work, 1 / 60, colliders=[GROUND])
    before, time = model.masses @ state.v[:, 0] / model.masses.sum(), state.time
    for _ in range(60):
        step(model, state, work, 1 / 60, colliders=[GROUND])
    found = (model.masses @ state.v[:, 0] / model.masses.sum() - before) / (state.time - time)
    assert found == pytest.approx(9.81 * (math.sin(angle) - friction * math.cos(angle)), rel=0.01)


def test_a_block_on_a_slope_below_the_angle_of_friction_does_not_creep() -> None:
    material = SoftMaterial(young=1e6, friction=0.5, stiffness_damping=0.002)
    model, state, work = one_body(BRICK, material, slope(0.3), touches=True, contact_damping=0.02)
    state.x[:, 1] += 0.1
    for _ in range(60):
        step(model, state, work, 1 / 60, colliders=[GROUND])
    before = state.x.copy()
    for _ in range(120):
        step(model, state, work, 1 / 60, colliders=[GROUND])
    assert np.abs(state.x - before).max() <= 1e-4


@pytest.mark.parametrize(("way", "friction"), [((1, 0), 0.1), ((-1, 0), 0.6), ((0, 1), 0.4), ((0, -1), 0.4)])
def test_friction_differs_along_the_body(way: tuple[int, int], friction: float) -> None:
    material = SoftMaterial(
        young=1e6,
        friction=0.1,
        friction_backward=0.6,
        friction_sideways=0.4,
        forward=(1.0, 0.0, 0.0),
        stiffness_damping=0.002,
    )
    model, state, work = one_body(BRICK, material, SoftOptions(tolerance=1e-6), touches=True, contact_damping=0.02)
    state.x[:, 1] += 0.1
    for _ in range(40):
        step(model, state, work, 1 / 60, colliders=[GROUND])
    state.v[:, 0] += 4.0 * way[0]
    state.v[:, 2] += 4.0 * way[1]
    for _ in range(3):
        step(model, state, work, 1 / 60, colliders=[GROUND])
    begin = model.masses @ state.v / model.masses.sum()
    for _ in range(15):
        step(model, state, work, 1 / 60, colliders=[GROUND])
    lost = (begin - model.masses @ state.v / model.masses.sum()) @ np.array([way[0], 0.0, way[1]])
    assert lost / (15 / 60) == pytest.approx(9.81 * friction, rel=0.1)


@pytest.mark.parametrize(
    "collider",
    [
        Collider(kind="sphere", radius=0.5, position=(0.0, -0.5, 0.0)),
        Collider(kind="box", half=(0.5, 0.1, 0.5), position=(0.0, -0.1, 0.0)),
        Collider(kind="capsule", half=(0.0, 0.5, 0.0), radius=0.3, position=(0.0, -0.3, 0.0),
                 rotation=np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])),
    ],
    ids=lambda each: each.kind,
)  # fmt: skip
def test_a_body_rests_on_each_shape(collider: Collider) -> None:
    material = SoftMaterial(young=2e5, mass_damping=1.0, stiffness_damping=0.002, friction=1.0)
    model, state, work = one_body(BRICK, material, SoftOptions(), touches=True)
    state.x[:, 1] += 0.12
    for _ in range(150):
        report = step(model, state, work, 1 / 60, colliders=[collider])
    assert state.x[:, 1].mean() > 0.0
    assert report.contacts[:, 1].sum() == pytest.approx(9.81 * model.masses.sum(), rel=0.02)


def test_a_moving_floor_carries_a_body_along() -> None:
    material = SoftMaterial(young=2e5, friction=0.8, mass_damping=0.0)
    model, state, work = one_body(BRICK, material, SoftOptions(), touches=True)
    state.x[:, 1] += 0.1
    for _ in range(90):
        step(model, state, work, 1 / 60, colliders=[Collider(kind="plane", velocity=(0.5, 0.0, 0.0))])
    assert model.masses @ state.v[:, 0] / model.masses.sum() == pytest.approx(0.5, rel=0.02)


@pytest.mark.parametrize("flat", [False, True])
def test_bodies_stand_on_each_other_and_keep_momentum(flat: bool) -> None:
    large, small = (
        (square_grid((6, 2), 0.1), square_grid((2, 2), 0.1)) if flat else (BRICK, box((0.2, 0.2, 0.2), (2, 2, 2)))
    )
    material = SoftMaterial(young=2e5, mass_damping=1.0, stiffness_damping=0.002)
    pieces = [SoftPiece(mesh=each, material=material) for each in (large, small)]
    model = compile_soft(pieces)
    state = model.new_state()
    state.x[:, 1] -= state.x[model.points_of(0), 1].min()
    lower = state.x[model.points_of(0), 1].max()
    state.x[model.points_of(1), 1] += lower - state.x[model.points_of(1), 1].min() + 0.05
    work = start(model, state)
    for _ in range(200):
        report = step(model, state, work, 1 / 60, colliders=[GROUND])
    assert report.kinetic <= 1e-3
    assert state.x[model.points_of(1), 1].min() == pytest.approx(lower, abs=0.02)
    assert report.contacts[:, 1].sum() == pytest.approx(9.81 * model.masses.sum(), rel=0.01)
    again, other = load(model, save(state))
    step(model, state, work, 1 / 60, colliders=[GROUND])
    step(model, again, other, 1 / 60, colliders=[GROUND])
    assert state.x.tobytes() == again.x.tobytes()


def test_bodies_that_strike_each_other_keep_momentum() -> None:
    material = SoftMaterial(young=2e5)
    model = compile_soft(
        [SoftPiece(mesh=BRICK, material=material)] * 2, SoftOptions(gravity=(0.0, 0.0, 0.0), tolerance=1e-6)
    )
    state = model.new_state()
    state.x[model.points_of(1), 0] += 0.5
    state.v[model.points_of(0), 0] = 2.0
    work = start(model, state)
    before = model.masses @ state.v
    for _ in range(30):
        report = step(model, state, work, 1 / 60)
    assert report.momentum == pytest.approx(before, abs=1e-4 * before[0])
    assert state.v[model.points_of(1), 0].mean() > 0.5


def test_bad_colliders_are_refused() -> None:
    for bad in (
        Collider(kind="torus"),
        Collider(kind="sphere", radius=-1.0),
        Collider(kind="box", half=(1.0, math.nan, 1.0)),
    ):
        with pytest.raises(InvalidArguments):
            pack_colliders([bad])

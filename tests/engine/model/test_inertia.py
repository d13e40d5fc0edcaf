"""Masses of bodies against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document import Body, Box, Capsule, Ellipsoid, Figure, Joint, Loft, Section, Shape
from engine.formats.figure_toml import load_figure
from engine.model.inertia import body_of, masses_of, moments_of, surface_moments, total_mass
from engine.model.solids import surface_of


def body(*shapes: Shape, density: float = 1000.0) -> Body:
    return body_of(Joint(id="a", name="A", shapes=shapes, density=density))


def test_a_boxs_mass_and_inertia() -> None:
    found = body(Box(half=(0.1, 0.2, 0.3), centre=(1.0, 2.0, 3.0)), density=500.0)
    mass = 500.0 * 0.2 * 0.4 * 0.6
    assert found.mass == pytest.approx(mass)
    assert found.centre == pytest.approx((1.0, 2.0, 3.0))
    wanted = [mass / 12.0 * each for each in (0.4**2 + 0.6**2, 0.2**2 + 0.6**2, 0.2**2 + 0.4**2)]
    assert found.inertia == pytest.approx([*wanted, 0.0, 0.0, 0.0], rel=1e-9, abs=1e-12)


def test_an_ellipsoids_inertia() -> None:
    found = body(Ellipsoid(radii=(0.1, 0.2, 0.3)))
    mass = 4000.0 / 3.0 * math.pi * 0.1 * 0.2 * 0.3
    assert found.mass == pytest.approx(mass)
    assert found.inertia[0] == pytest.approx(mass / 5.0 * (0.2**2 + 0.3**2))


def test_a_capsule_without_length_is_a_ball() -> None:
    ball = body(Ellipsoid(radii=(0.1, 0.1, 0.1), centre=(0.0, 1.0, 0.0)))
    found = body(Capsule(start=(0.0, 1.0, 0.0), end=(0.0, 1.0, 0.0), radius=0.1))
    assert found.mass == pytest.approx(ball.mass)
    assert found.inertia == pytest.approx(ball.inertia)


@pytest.mark.parametrize(
    "shape",
    [
        Box(half=(0.1, 0.2, 0.3), centre=(0.1, 0.0, -0.2)),
        Ellipsoid(radii=(0.3, 0.2, 0.25), centre=(0.1, 0.2, 0.3)),
        Capsule(start=(0.0, 0.1, 0.0), end=(0.3, 0.5, -0.2), radius=0.12),
    ],
)
def test_closed_forms_agree_with_the_sum_over_a_mesh(shape: Shape) -> None:
    closed, summed = moments_of(shape), surface_moments(surface_of(shape))
    # A mesh lies inside the round solid that it stands for.
    assert summed.volume == pytest.approx(closed.volume, rel=0.03)
    assert np.allclose(summed.second / summed.volume, closed.second / closed.volume, rtol=0.03, atol=2e-4)


def test_a_loft_of_equal_ellipses_is_an_elliptic_cylinder() -> None:
    sections = (Section(along=0.0, width=0.1, depth=0.2), Section(along=1.0, width=0.1, depth=0.2))
    found = body(Loft(sections=sections, caps=(0.0, 0.0)))
    mass = 1000.0 * math.pi * 0.1 * 0.2
    assert found.mass == pytest.approx(mass, rel=0.02)
    assert found.centre == pytest.approx((0.0, 0.5, 0.0), abs=1e-12)
    xx, yy, zz, *products = found.inertia
    assert xx == pytest.approx(mass * (1.0 / 12.0 + 0.2**2 / 4.0), rel=0.02)
    assert yy == pytest.approx(mass * (0.1**2 + 0.2**2) / 4.0, rel=0.04)
    assert zz == pytest.approx(mass * (1.0 / 12.0 + 0.1**2 / 4.0), rel=0.02)
    assert products == pytest.approx([0.0] * 3, abs=1e-9)


def test_shapes_of_one_body_add_up() -> None:
    half = Box(half=(0.1, 0.1, 0.1), centre=(0.1, 0.0, 0.0)), Box(half=(0.1, 0.1, 0.1), centre=(-0.1, 0.0, 0.0))
    whole = body(Box(half=(0.2, 0.1, 0.1)))
    assert body(*half).mass == pytest.approx(whole.mass)
    assert body(*half).inertia == pytest.approx(whole.inertia, abs=1e-12)


def test_a_joints_own_body_comes_first_and_none_weighs_nothing() -> None:
    own = Body(mass=3.0)
    assert body_of(Joint(id="a", name="A", shapes=(Box(half=(1.0, 1.0, 1.0)),), body=own)) is own
    assert body() == Body(mass=0.0)


def test_the_packed_array_holds_masses_and_centres() -> None:
    joints = (Joint(id="a", name="A", body=Body(mass=2.0, centre=(0.1, 0.2, 0.3))), Joint(id="b", name="B"))
    masses = masses_of(Figure(name="F", joints=joints))
    assert masses.tolist() == [[2.0, 0.1, 0.2, 0.3], [0.0, 0.0, 0.0, 0.0]]


def test_the_human_weighs_seventy_kilograms() -> None:
    assert total_mass(load_figure("human")) == pytest.approx(70.0, abs=0.001)

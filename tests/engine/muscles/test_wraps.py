"""Paths around wraps: closed forms, the shortest of many strings, sides."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.muscles.geodesic_wraps import WORK, wrap_geodesic
from engine.muscles.layout import ELLIPSOID, TORUS
from engine.muscles.round_wraps import OUT, wrap_cylinder, wrap_sphere


def around(
    shape: str, radii: tuple[float, ...], p: np.ndarray, s: np.ndarray, side: tuple[float, ...] = (0, 0, 0)
) -> float:
    """Length of the path from p to s around a wrap."""
    floats, out, work = np.array([*radii, 0.0, 0.0][:3] + list(side)), np.zeros(OUT), np.zeros(WORK)
    if shape == "sphere":
        bends = wrap_sphere(p[0], p[1], p[2], s[0], s[1], s[2], floats, 0, out)
    elif shape == "cylinder":
        bends = wrap_cylinder(p[0], p[1], p[2], s[0], s[1], s[2], floats, 0, out)
    else:
        kind = ELLIPSOID if shape == "ellipsoid" else TORUS
        bends = wrap_geodesic(kind, np.concatenate([p, s]), floats, 0, work, out)
    if not bends:
        return float(np.linalg.norm(s - p))
    return float(np.linalg.norm(out[:3] - p) + out[6] + np.linalg.norm(s - out[3:6]))


def test_a_string_over_a_sphere_has_the_length_of_two_tangents_and_an_arc() -> None:
    p, s = np.array([0.0, -2.0, 0.5]), np.array([0.0, 2.0, 0.5])
    reach = math.sqrt(4.25)
    angle = 2.0 * math.atan2(2.0, 0.5) - 2.0 * math.acos(1.0 / reach)
    assert around("sphere", (1.0,), p, s) == pytest.approx(2.0 * math.sqrt(3.25) + angle, abs=1e-12)
    long = 2.0 * math.pi - 2.0 * math.atan2(2.0, 0.5) - 2.0 * math.acos(1.0 / reach)
    assert around("sphere", (1.0,), p, s, (0.0, 0.0, -1.0)) == pytest.approx(2.0 * math.sqrt(3.25) + long, abs=1e-12)


def test_a_string_that_misses_is_straight_unless_it_passes_on_the_wrong_side() -> None:
    p, s = np.array([1.5, -2.0, 0.0]), np.array([1.5, 2.0, 0.3])
    straight = float(np.linalg.norm(s - p))
    for shape, radii in (("sphere", (1.0,)), ("cylinder", (1.0, math.inf)), ("ellipsoid", (1.0, 0.5, 0.7))):
        assert around(shape, radii, p, s) == pytest.approx(straight, abs=1e-12)
        assert around(shape, radii, p, s, (1.0, 0.0, 0.0)) == pytest.approx(straight, abs=1e-12)
        assert around(shape, radii, p, s, (-1.0, 0.0, 0.0)) > straight + 0.5


def test_a_string_on_a_cylinder_is_straight_when_it_is_unrolled() -> None:
    p, s = np.array([0.2, -2.0, -0.4]), np.array([0.3, 2.0, 0.9])
    flat = around("cylinder", (1.0, math.inf), p * (1, 1, 0), s * (1, 1, 0))
    assert around("cylinder", (1.0, math.inf), p, s) == pytest.approx(math.hypot(flat, 1.3), abs=1e-12)
    far = np.array([0.0, 0.0, 3.0])
    assert around("cylinder", (1.0, 0.05), p + far, s + far) == pytest.approx(np.linalg.norm(s - p), abs=1e-12)


def test_an_ellipsoid_of_three_equal_radii_is_a_sphere() -> None:
    random = np.random.default_rng(3)
    for _ in range(40):
        p, s = random.normal(size=(2, 3))
        p, s = p * (1.2 / np.linalg.norm(p)), s * (1.7 / np.linalg.norm(s))
        sphere = around("sphere", (1.0,), p, s)
        assert around("ellipsoid", (1.0, 1.0, 1.0), p, s) == pytest.approx(sphere, abs=5e-8)


def test_the_inner_middle_of_a_torus_is_a_circle() -> None:
    """Through the hole in the plane in which the tube is a circle of 0.3 about (1, 0, 0)."""
    p, s = np.array([1.2, 0.0, -1.0]), np.array([1.3, 0.0, 1.0])
    floats = around("torus", (1.0, 0.3), p, s)
    flat = around("cylinder", (0.3, math.inf), np.array([-0.2, -1.0, 0.0]), np.array([-0.3, 1.0, 0.0]), (1.0, 0.0, 0.0))
    assert floats == pytest.approx(flat, abs=1e-8)
    assert around("torus", (1.0, 0.3), p * (0.1, 1, 1), s * (0.1, 1, 1)) == pytest.approx(
        np.linalg.norm(s * (0.1, 1, 1) - p * (0.1, 1, 1)), abs=1e-12
    )


def taut(radii: np.ndarray, p: np.ndarray, s: np.ndarray, bulge: np.ndarray) -> float:
    """Length of a string of 100 pieces about an ellipsoid, pulled taut from a bow."""
    share = np.linspace(0.0, 1.0, 101)[:, None]
    x = (1.0 - share) * p + share * s + 4.0 * share * (1.0 - share) * (bulge - 0.5 * (p + s))
    for _ in range(15_000):
        x[1:-1] = 0.5 * (x[:-2] + x[2:])
        level = np.sqrt(((x / radii) ** 2).sum(axis=1))
        inside = level < 1.0
        if inside.any():
            gradient = x[inside] / radii**2
            phi = 0.5 * (level[inside] ** 2 - 1.0)
            x[inside] -= (phi / (gradient**2).sum(axis=1))[:, None] * gradient
    return float(np.linalg.norm(np.diff(x, axis=0), axis=1).sum())


def test_a_string_over_an_ellipsoid_is_as_short_as_one_pulled_taut() -> None:
    radii = np.array([0.05, 0.03, 0.02])
    p, s = np.array([-0.08, 0.01, 0.012]), np.array([0.07, -0.02, 0.01])
    found = around("ellipsoid", tuple(radii), p, s)
    assert found == pytest.approx(taut(radii, p, s, np.array([0.0, 0.0, 0.03])), rel=2e-4)
    assert found > np.linalg.norm(s - p) + 1e-3


def test_strings_over_ellipsoids_are_always_found() -> None:
    """Each line that crosses an ellipsoid bends, and by no more than around the longest sphere in it or about it."""
    random, bent = np.random.default_rng(0), 0
    for _ in range(400):
        radii = random.uniform(0.01, 0.05, 3)
        p, s = random.normal(size=(2, 3))
        p, s = p / np.linalg.norm(p) * random.uniform(1.05, 4.0), s / np.linalg.norm(s) * random.uniform(1.05, 4.0)
        way = s - p
        nearest = p + min(max(-(p @ way) / (way @ way), 0.0), 1.0) * way
        length, straight = around("ellipsoid", tuple(radii), p * radii, s * radii), float(np.linalg.norm(way * radii))
        crosses = float(np.linalg.norm(nearest)) < 1.0
        assert (length > straight + 1e-12) == crosses
        assert length < straight + math.pi * radii.max()
        bent += crosses
    assert bent > 80

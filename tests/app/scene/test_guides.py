"""Guides with heads: arrows whose head points where the line goes, as large on the screen wherever it is."""

from __future__ import annotations

import numpy as np
import pytest

from app.scene.camera import Camera, Vector
from app.scene.guides import Guide
from app.scene.look import Look
from app.scene.visuals.guides import HEAD, SPREAD, rows_of

CAMERA, SIZE = Camera(orthographic=True), (400.0, 300.0)


def arrow(end: Vector, *, width: float = 1.0) -> Guide:
    return Guide(points=((0.0, 1.0, 0.0), end), colour="accent", head=True, width=width)


def head_of(guide: Guide) -> np.ndarray:
    """The last triangle [px]."""
    found: np.ndarray = rows_of((guide,), CAMERA, SIZE, 1.0, Look())[-3:, :2]
    return found


@pytest.mark.parametrize("width", [1.0, 2.0])
def test_a_head_ends_at_the_last_point_and_is_as_large_wherever_it_is(width: float) -> None:
    for end in ((0.0, 1.9, 0.0), (0.5, 1.4, 0.2)):
        start, tip = CAMERA.project(np.array([(0.0, 1.0, 0.0), end]), SIZE)[:, :2]
        triangle = head_of(arrow(end, width=width))
        assert triangle[0] == pytest.approx(tip, abs=1e-3)
        foot = triangle[1:].mean(axis=0)
        assert np.hypot(*(triangle[0] - foot)) == pytest.approx(HEAD * width, rel=1e-4)
        assert np.hypot(*(triangle[1] - triangle[2])) == pytest.approx(2.0 * SPREAD * width, rel=1e-4)
        (x, y), (right, down) = triangle[0] - foot, tip - start
        assert x * down - y * right == pytest.approx(0.0, abs=1e-2), "along the arrow"


def test_the_head_of_a_short_arrow_is_no_longer_than_it_and_one_seen_from_its_end_is_drawn_without() -> None:
    pixels = 1.0 / CAMERA.metres_per_pixel(np.zeros(3), SIZE)
    triangle = head_of(arrow((0.0, 1.0 + 4.0 / pixels, 0.0)))
    assert np.hypot(*(triangle[0] - triangle[1:].mean(axis=0))) == pytest.approx(4.0, rel=0.1)
    x, y, z = (np.array([0.0, 1.0, 0.0]) + 0.5 * CAMERA.axes[2]).tolist()
    seen_from_its_end = rows_of((arrow((x, y, z)),), CAMERA, SIZE, 1.0, Look())
    assert len(seen_from_its_end) == 12, "two ribbons of one piece"
    assert np.isfinite(seen_from_its_end).all()

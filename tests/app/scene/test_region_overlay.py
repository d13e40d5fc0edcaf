"""What is painted over a region of Euler space: where the numbers of axes stand."""

from __future__ import annotations

import numpy as np
import pytest

from app.scene.camera import Bounds, Camera
from app.scene.region_overlay import edge_for

SIZE = (400.0, 400.0)
BOX = Bounds((-1.0, -0.5, -0.2), (1.0, 0.5, 0.2))


@pytest.mark.parametrize("azimuth", [0.2, 1.5, 3.0, -2.0])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_an_axis_stands_at_an_edge_of_the_silhouette(azimuth: float, axis: int) -> None:
    camera = Camera(target=(0.0, 0.0, 0.0), azimuth=azimuth, elevation=0.4).frame(BOX, SIZE)
    start, end = edge_for(axis, BOX, camera, SIZE)
    assert np.count_nonzero(end - start) == 1
    assert end[axis] - start[axis] == pytest.approx(BOX.upper[axis] - BOX.lower[axis])
    seen = camera.project(np.stack((start, end)), SIZE)[:, :2]
    corners = camera.project(BOX.corners, SIZE)[:, :2]
    way = seen[1] - seen[0]
    sides = (corners - seen[0]) @ np.array([-way[1], way[0]])
    assert sides.min() >= -1e-6 or sides.max() <= 1e-6, "corners of the box lie on both sides of it"

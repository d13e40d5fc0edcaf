"""Which ghost of a planned motion lies under the pointer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.features.spacetime.view.ghost_tool import depth_at
from app.scene.camera import Camera
from engine.evaluate import rest_snapshot
from tests.engine.spacetime.lamps import lamps

SIZE = (400.0, 300.0)
FRONT = Camera(orthographic=True, target=(0.0, 0.2, 0.0), distance=2.0)


@pytest.mark.parametrize("camera", [FRONT, replace(FRONT, orthographic=False)])
def test_a_ghost_is_under_the_pixels_that_show_it_and_the_nearer_one_is_nearer(camera: Camera) -> None:
    (bodies,) = rest_snapshot(lamps()).bodies
    base = np.add(bodies.transforms[0, :, 3], (0.0, 0.02, 0.0))
    x, y, _ = camera.project(base, SIZE).tolist()
    depth = depth_at(bodies, camera, (x, y), SIZE)
    assert depth is not None
    assert depth_at(bodies, camera, (x, y + 60.0), SIZE) is None, "below it is nothing"
    moved = bodies.transforms.copy()
    moved[:, :, 3] += np.array(camera.axes[2], dtype=np.float32) * 0.3
    near = depth_at(replace(bodies, transforms=moved), replace(camera), (x, y), SIZE)
    assert near is not None
    assert near < depth

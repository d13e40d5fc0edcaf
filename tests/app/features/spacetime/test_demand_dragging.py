"""Where a drag in a view leads a demanded place."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from app.features.spacetime.view.demand_dragging import carried, led_to
from app.scene import Pointer
from app.scene.camera import Camera
from engine.spacetime.queries.draw_motion import DemandMark

SIZE, PLACE, NORMAL = (400.0, 300.0), (0.5, 0.2, 0.1), (0.0, 0.0, 1.0)
SHIFT = Qt.KeyboardModifier.ShiftModifier
FRONT, OBLIQUE = Camera(orthographic=True), Camera(azimuth=0.7, elevation=0.5)
SIDE = Camera(azimuth=0.5 * np.pi, orthographic=True)


def led(
    camera: Camera,
    right: float,
    down: float,
    *,
    normal: tuple[float, float, float] | None = NORMAL,
    shift: bool = False,
) -> np.ndarray:
    x, y, _ = camera.project(np.array(PLACE), SIZE).tolist()
    pixel = (x + right, y + down)
    modifiers = SHIFT if shift else Qt.KeyboardModifier.NoModifier
    at = Pointer(view=0, at=QPointF(*pixel), pixel=pixel, camera=camera, size=SIZE, modifiers=modifiers)
    return np.array(led_to(PLACE, normal, at, pixel))


@pytest.mark.parametrize("camera", [FRONT, OBLIQUE])
def test_it_stays_in_the_plane_of_the_motion_under_the_pointer(camera: Camera) -> None:
    found = led(camera, 30.0, -20.0)
    assert found[2] == pytest.approx(PLACE[2], abs=1e-9)
    before, after = camera.project(np.array([PLACE, found]), SIZE)[:, :2]
    assert after - before == pytest.approx((30.0, -20.0), abs=1e-6)
    assert led(camera, 0.0, 0.0) == pytest.approx(PLACE)


def test_a_plane_that_is_seen_from_its_edge_is_kept_too() -> None:
    found = led(SIDE, 40.0, -20.0)
    assert found[2] == pytest.approx(PLACE[2], abs=1e-9)
    assert found[1] > PLACE[1], "up, as the pointer"
    assert found[0] == pytest.approx(PLACE[0], abs=1e-6), "what is not seen stays"


def test_of_a_motion_in_space_it_faces_the_camera_and_shift_follows_an_axis() -> None:
    free = led(OBLIQUE, 30.0, -20.0, normal=None)
    assert (free - PLACE) @ OBLIQUE.axes[2] == pytest.approx(0.0, abs=1e-9)
    along = led(FRONT, 30.0, -4.0, shift=True) - PLACE
    assert along[1:] == pytest.approx((0.0, 0.0))
    assert along[0] > 0.0


def test_the_root_of_a_pose_goes_along_its_slides_and_nothing_else_of_it_changes() -> None:
    mark = DemandMark(
        constraint="end", name="End", part="base", time=0, place=PLACE, movable=True,
        slides=(("base.x", (0.0, 0.0, -1.0)), ("base.y", (0.0, 1.0, 0.0))),
    )  # fmt: skip
    values = (("base.x", 0.4), ("base.turn", 0.1), ("head.turn", -0.2), ("base.y", 0.0))
    found = carried(mark, values, (PLACE[0] + 9.0, PLACE[1] + 0.2, PLACE[2] - 0.3))
    assert [dof for dof, _ in found] == [dof for dof, _ in values]
    assert [value for _, value in found] == pytest.approx([0.7, 0.1, -0.2, 0.2])

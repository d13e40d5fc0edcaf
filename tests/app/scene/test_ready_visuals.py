"""vispy's ready visuals (volumes, images) draw beside our own: in an entered context, by an eye's matrix, with depth.

No canvas of vispy's is needed for them, and `vispy.app` is not loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from app.export.surface import OffscreenSurface, QtSurface
from app.scene.camera import Camera
from app.scene.gl import RenderTarget, check
from app.scene.look import Look
from app.scene.panes import Pane, Shot
from app.scene.picture import Picture
from app.scene.visuals.eye import Eye
from tests.app.scene.mannequins import snowman

pytestmark = pytest.mark.gui

SIZE = 160, 120
CAMERA = Camera(target=(0.0, 0.8, 0.0), distance=4.0, elevation=0.2)
_HERE = np.eye(4)
BEHIND, BEFORE = -1.0, 1.0  # [m] of the snowman, along the way to the eye


@pytest.fixture
def surface(qapp: object) -> Iterator[OffscreenSurface]:
    made = QtSurface()
    yield made
    made.close()


class Room:
    """A picture of a snowman, into which ready visuals are drawn."""

    def __init__(self) -> None:
        self._picture, self._target = Picture(), RenderTarget(*SIZE)
        self._picture.set_items([snowman()], [])

    def draw(self, visual: Any = None, world: NDArray[np.float64] = _HERE) -> NDArray[np.int64]:
        """The pixels, with a ready visual last; `world` is world from visual, shape [4, 4]."""
        shot = Shot(*SIZE, {0: Pane(0, 0, *SIZE)}, (CAMERA,), ("mannequin",), 1.0)
        self._picture.draw(self._target.handle, shot, Look(shadows="off"))
        if visual is not None:
            from vispy.visuals.transforms import MatrixTransform

            visual.transform = MatrixTransform((Eye(CAMERA, SIZE, 1.0).matrix @ world).T)
            visual.draw()
        check()
        return self._target.read()[..., :3].astype(np.int64)


def upright(depth: float) -> NDArray[np.float64]:
    """World from a picture of 2 x 2 pixels that stands 2 m wide and 1.6 m high."""
    matrix = np.diag([1.0, 0.8, 1.0, 1.0])
    matrix[:3, 3] = -1.0, 0.0, depth
    return matrix


def test_an_image_stands_in_the_room_before_or_behind_the_bodies_and_leaves_our_own_pictures_alone(
    surface: OffscreenSurface,
) -> None:
    with surface.current():
        from vispy.visuals.image import ImageVisual

        room = Room()
        plain = room.draw()
        green = np.zeros((2, 2, 4), dtype=np.float32)
        green[..., 1:4:2] = 1.0
        image = ImageVisual(green)
        image.set_gl_state("opaque", cull_face=False)  # with depth
        is_green = [(room.draw(image, upright(depth)) == (0, 255, 0)).all(axis=2) for depth in (BEHIND, BEFORE)]
        middle = SIZE[1] // 2, SIZE[0] // 2
        assert [bool(each[middle]) for each in is_green] == [False, True], "the snowman stands between the two"
        assert all(1000 < each.sum() < 0.8 * each.size for each in is_green)
        assert (room.draw() == plain).all()
    assert "vispy.app" not in sys.modules


def test_a_volume_stands_in_the_room(surface: OffscreenSurface) -> None:
    with surface.current():
        from vispy.visuals.volume import VolumeVisual

        room = Room()
        plain = room.draw()
        side = 16
        places = (np.indices((side, side, side)) + 0.5) / side - 0.5
        ball = (np.linalg.norm(places, axis=0) < 0.4).astype(np.float32)
        volume = VolumeVisual(ball, clim=(0.0, 1.0), method="mip", cmap="grays")
        volume.set_gl_state("additive", depth_test=True, cull_face=False)
        world = np.diag([1 / side, 1 / side, 1 / side, 1.0])  # a metre wide, before the snowman
        world[:3, 3] = -0.5, 0.3, 1.0
        brighter = room.draw(volume, world) - plain
        covered = np.argwhere(brighter.sum(axis=2) > 60)
        assert len(covered) > 400
        x, y, _ = CAMERA.project(np.array([0.0, 0.8, 1.5]), SIZE)
        np.testing.assert_allclose(covered.mean(axis=0), (y, x), atol=4.0, err_msg="its middle is where it stands")
        assert (room.draw() == plain).all()

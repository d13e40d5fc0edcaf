"""Eye: the camera, size and pixel ratio of the view that a visual draws into."""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from app.scene.camera import Array, Bounds, Camera
from app.scene.lens import Lens
from app.scene.light import Light, usual_light
from app.scene.panes import Tile
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene.visuals.shade import Shade


@dataclass(frozen=True)
class Eye:
    """A camera and the view that it fills, in physical pixels."""

    camera: Camera
    size: tuple[int, int]
    pixel_ratio: float
    jitter: tuple[float, float] = (0.0, 0.0)  # [px] shift of the whole picture, for anti-aliasing by many pictures
    behind: float = 0.0  # how far everything stands back in the depth buffer, 0 to 1
    tile: Tile | None = None  # of which `size` is the size, where that is not all of the view
    light: Light | None = None  # None: the usual one
    lens: Lens | None = None  # None: all is sharp
    through: tuple[float, float] = (0.0, 0.0)  # the place of the lens's opening, whose radius is 1
    shade: Shade | None = None  # what keeps light from places; None: nothing does
    coarse: float = 0.0  # [px] of details that may be left out
    matrix: Array = field(init=False)  # clip from world

    def __post_init__(self) -> None:
        tile = self.tile
        off, sharp = self.off, self.lens.focus if self.lens is not None else 1.0
        matrix = self.camera.matrix(self.size if tile is None else tile.whole, off, sharp)
        if tile is not None:
            matrix = _enlarge(tile) @ matrix
        shift = np.eye(4)
        shift[0, 3], shift[1, 3] = 2 * self.jitter[0] / self.size[0], 2 * self.jitter[1] / self.size[1]
        shift[2, 3] = self.behind
        object.__setattr__(self, "matrix", shift @ matrix)

    @property
    def lit_by(self) -> Light:
        """The light of the view."""
        return self.light or usual_light(self.camera)

    @property
    def off(self) -> tuple[float, float]:
        """How far beside the camera's eye it sees from, to the right and up [m]."""
        if self.lens is None or self.camera.orthographic:
            return 0.0, 0.0
        return 0.5 * self.lens.aperture * self.through[0], 0.5 * self.lens.aperture * self.through[1]

    @property
    def shear(self) -> tuple[float, float]:
        """By how much what it sees stands aside for that, in shares of its distance."""
        return (0.0, 0.0) if self.lens is None else (self.off[0] / self.lens.focus, self.off[1] / self.lens.focus)

    @property
    def stands(self) -> Array:
        """The place that it sees from [m]."""
        right, up, _ = self.camera.axes
        return self.camera.eye + self.off[0] * right + self.off[1] * up

    @property
    def at_rest(self) -> Eye:
        """The eye of one picture that stands for all of a mean."""
        return replace(self, jitter=(0.0, 0.0), shade=None if self.shade is None else self.shade.whole)

    @property
    def near(self) -> float:
        """The depth [m] nearer than which lines are cut off; far behind the eye where there is no perspective."""
        return -1e9 if self.camera.orthographic else self.camera.depth_range()[0]

    def pixel_at(self, bounds: Bounds) -> float:
        """Return the side of a pixel [m] where a box comes nearest."""
        camera = self.camera
        height = self.size[1] if self.tile is None else self.tile.whole[1]
        if camera.orthographic:
            return 2.0 * camera.half_height / height
        near = float(((bounds.corners - self.stands) @ -camera.axes[2]).min())
        return 2.0 * math.tan(camera.fov / 2) * max(near, 0.0) / height

    @property
    def in_pixels(self) -> dict[str, Any]:
        """The uniforms of shaders that lay out quads in pixels."""
        return {
            "clip_from_world": self.matrix, "pixel": (2 / self.size[0], 2 / self.size[1]),
            "ratio": self.pixel_ratio, "near": self.near,
        }  # fmt: skip

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Position of the eye and 1; or the direction towards it and 0, where there is no perspective."""
        source = self.camera.axes[2] if self.camera.orthographic else self.stands
        return float(source[0]), float(source[1]), float(source[2]), 0.0 if self.camera.orthographic else 1.0

    @property
    def along(self) -> tuple[float, float, float, float]:
        """The row that tells how far along the view a point of the world is, from the near plane, 0, to the far one,
        1."""
        near, far = self.camera.depth_range()
        ahead = -self.camera.axes[2] / (far - near)
        x, y, z = ahead.tolist()
        return x, y, z, float(-ahead @ self.camera.eye - near / (far - near))


def _enlarge(tile: Tile) -> Array:
    """Return clip from clip: a tile becomes the whole picture."""
    matrix = np.eye(4)
    for axis, (start, length) in enumerate(((tile.x, tile.width), (tile.y, tile.height))):
        whole = tile.whole[axis]
        matrix[axis, axis] = whole / length
        matrix[axis, 3] = (whole - 2 * start) / length - 1.0
    return matrix

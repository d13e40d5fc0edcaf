"""Eye: what every visual needs to know of the view that it draws."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.scene.camera import Array, Camera


@dataclass(frozen=True)
class Eye:
    """A camera and the view that it fills, in physical pixels."""

    camera: Camera
    size: tuple[int, int]
    pixel_ratio: float
    jitter: tuple[float, float] = (0.0, 0.0)  # [px] shift of the whole picture, for anti-aliasing by many pictures
    behind: float = 0.0  # how far everything stands back in the depth buffer, 0 to 1
    matrix: Array = field(init=False)  # clip from world

    def __post_init__(self) -> None:
        matrix = self.camera.matrix(self.size)
        shift = np.eye(4)
        shift[0, 3], shift[1, 3] = 2 * self.jitter[0] / self.size[0], 2 * self.jitter[1] / self.size[1]
        shift[2, 3] = self.behind
        object.__setattr__(self, "matrix", shift @ matrix)

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Position of the eye and 1; or the direction towards it and 0, where there is no perspective."""
        source = self.camera.axes[2] if self.camera.orthographic else self.camera.eye
        return float(source[0]), float(source[1]), float(source[2]), 0.0 if self.camera.orthographic else 1.0

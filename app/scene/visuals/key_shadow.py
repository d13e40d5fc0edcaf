"""KeyShadow: a picture of how far from the key light everything is that it shines on, and where its shadow lies.

The light is far away: its picture is without perspective, and as large as a ball about all bodies. Its side grows in
steps and its middle moves by whole pixels, so that edges of shadows do not crawl while bodies move.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.scene.camera import Array, Bounds, Vector, vector
from app.scene.gl import RenderTarget, Texture, clear, draw_into

STEP = 2.0**0.25  # by which the side grows
MARGIN = 1.06
WIDEST = 0.35  # [m] half of the widest penumbra
LOW, LOWEST = 0.2, 0.04  # sines of the key's height, below which its shadow on the floor fades, and is none
BLUR = 0.05  # of the map, by which the shadow on the floor may reach beyond what is in it


class KeyShadow:
    """The picture for one pose and one direction. The canvas's context must be current."""

    def __init__(self, side: int) -> None:
        self.side = side
        self._target = RenderTarget(side, side)
        self.seen: tuple[Vector, object] | None = None  # direction and pose
        self._axes: Array = np.eye(3)  # right, up and ahead as the light sees them
        self.matrix: Array = np.eye(4)  # place in the map, each from 0 to 1, from the world
        self.metres = 1.0  # that its side shows
        self.depth = 1.0  # [m]
        self.on_floor: tuple[Vector, Vector, Vector] | None = None
        """Where the floor may lie in shadow: the middle of a parallelogram and half of its sides [m]; None: nowhere."""
        self.strength = 1.0  # of the shadow on the floor: none of a light that shines from below it

    @property
    def reach(self) -> float:
        """Half of the widest penumbra [m] on what is level."""
        return min(WIDEST, 0.1 * self.metres)

    @property
    def texture(self) -> Texture:
        """The map: red, green and blue are the digits of the depth."""
        return self._target.texture

    def cast(self, direction: Vector, pose: object, bounds: Bounds, draw: Callable[[Array], None]) -> None:
        """Draw the map; `draw` is given clip from world."""
        self.seen = (direction, pose)
        clip = self._place(direction, bounds)
        draw_into(self._target.handle, 0, 0, self.side, self.side)
        clear((1.0, 1.0, 1.0, 1.0))
        draw(clip)
        self.strength = min(max((direction[1] - LOWEST) / (LOW - LOWEST), 0.0), 1.0)
        self.on_floor = self._on_floor(direction, bounds) if self.strength > 0.0 else None

    def _place(self, direction: Vector, bounds: Bounds) -> Array:
        """Return clip from world, and take over what places need."""
        ahead = -np.array(direction)
        side = np.cross(ahead, (0.0, 1.0, 0.0) if abs(ahead[1]) < 0.99 else (0.0, 0.0, 1.0))
        side /= np.linalg.norm(side)
        axes = np.stack((side, np.cross(side, ahead), ahead))
        self._axes = axes
        corners = bounds.corners @ axes.T
        low, high = corners.min(axis=0), corners.max(axis=0)
        needed = max(float((high - low)[:2].max()) * MARGIN, 1e-3)
        self.metres = STEP ** math.ceil(math.log(needed, STEP))
        texel = self.metres / self.side
        middle = np.round((low + high)[:2] / 2 / texel) * texel
        self.depth = float(high[2] - low[2]) + 0.02
        # What is below the bodies lies in their shadow, however far: the map's depth ends with them, not its shadow.
        matrix = np.eye(4)
        matrix[:2, :3] = axes[:2] / self.metres
        matrix[:2, 3] = 0.5 - middle / self.metres
        matrix[2, :3] = axes[2] / self.depth
        matrix[2, 3] = (0.01 - low[2]) / self.depth
        self.matrix = matrix
        clip = 2.0 * matrix
        clip[:3, 3] -= 1.0
        clip[3] = (0.0, 0.0, 0.0, 1.0)
        return clip

    def _on_floor(self, direction: Vector, bounds: Bounds) -> tuple[Vector, Vector, Vector] | None:
        """Go along the light from the rectangle about all bodies, as it sees them, to the floor."""
        if bounds.upper[1] <= 0.0:
            return None
        corners = bounds.corners
        corners[:, 1] = np.maximum(corners[:, 1], 0.0)
        flat = corners @ self._axes.T
        margin = BLUR * self.metres
        low, high = flat.min(axis=0)[:2] - margin, flat.max(axis=0)[:2] + margin
        down = self._axes[2] / self._axes[2, 1]  # as far as one metre of height
        across, along = ((high[i] - low[i]) / 2 * (self._axes[i] - self._axes[i, 1] * down) for i in (0, 1))
        point = (low + high) / 2 @ self._axes[:2]
        return vector(point - point[1] * down), vector(across), vector(along)

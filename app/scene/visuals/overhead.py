"""Overhead: a small picture of what stands on the floor, seen from straight above, and blurred, for soft shadows.

Who draws into it writes how near to the floor a place is covered (red, blurred a little), and (blurred much) how well
what covers it is in reach of the floor (green), how high it reaches (blue) and that it is there at all (alpha); the
greatest of each stays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Bounds
from app.scene.gl import Program, RenderTarget, Texture, clear, draw_into, mode, quad

SIDE, FAR_SIDE = 160, 80  # [px] of the picture, and of what is blurred much, which has nothing fine left
AIR = 0.45  # [m] around what is drawn, room for the blur
NEAR, FAR = 0.006, 0.02  # [m] between the places whose mean is taken: farther apart, edges were in steps

_VERTEX = """
attribute vec2 corner;
varying vec2 at;
void main() {
    at = corner * 0.5 + 0.5;
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""
_MUCH = """
uniform sampler2D picture;
uniform vec2 stride;
varying vec2 at;
void main() {
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (int i = -8; i <= 8; i++) {
        float weight = exp(-float(i * i) / 28.0);
        sum += weight * texture2D(picture, at + float(i) * stride);
        total += weight;
    }
    gl_FragColor = sum / total;
}
"""
_LITTLE = """
uniform sampler2D picture;
uniform sampler2D far;
uniform vec2 stride;
varying vec2 at;
void main() {
    float sum = 0.0;
    float total = 0.0;
    for (int i = -5; i <= 5; i++) {
        float weight = exp(-float(i * i) / 12.4);
        sum += weight * texture2D(picture, at + float(i) * stride).x;
        total += weight;
    }
    gl_FragColor = vec4(sum / total, texture2D(far, at).yzw);
}
"""


class OverheadPicture:
    """The picture of some things; `square`: its centre x and z and half of its side [m], none where there is none."""

    def __init__(self) -> None:
        self._much, self._little, self._quad = Program(_VERTEX, _MUCH), Program(_VERTEX, _LITTLE), quad()
        self._targets = [RenderTarget(SIDE, SIDE, depth=False, smooth=True) for _ in range(2)]
        self._far = [RenderTarget(FAR_SIDE, FAR_SIDE, depth=False, smooth=True) for _ in range(2)]
        self.square: tuple[float, float, float] | None = None

    @property
    def texture(self) -> Texture:
        """The picture, once it is blurred."""
        return self._targets[0].texture

    def begin(self, bounds: Bounds) -> NDArray[np.float64]:
        """Clear it for things within a box; clip from world, for who draws them."""
        half = max(bounds.upper[0] - bounds.lower[0], bounds.upper[2] - bounds.lower[2]) / 2 + AIR
        x, _, z = bounds.centre
        self.square = (x, z, half)
        draw_into(self._targets[0].handle, 0, 0, SIDE, SIDE)
        clear((0.0, 0.0, 0.0, 0.0), depth=False)
        return _from_above(x, z, half)

    def finish(self) -> None:
        """Blur it."""
        if self.square is None:
            return
        mode()
        (first, second), (across, found) = self._targets, self._far
        near, far = NEAR / self.square[2], FAR / self.square[2]
        for source, target, stride in ((first, across, (far, 0.0)), (across, found, (0.0, far))):
            draw_into(target.handle, 0, 0, FAR_SIDE, FAR_SIDE)
            self._much.use(picture=source.texture, stride=stride)
            self._much.draw(self._quad, mode="triangle_strip")
        for source, target, stride in ((first, second, (near, 0.0)), (second, first, (0.0, near))):
            draw_into(target.handle, 0, 0, SIDE, SIDE)
            self._little.use(picture=source.texture, far=found.texture, stride=stride)
            self._little.draw(self._quad, mode="triangle_strip")


def _from_above(x: float, z: float, half: float) -> NDArray[np.float64]:
    """Return clip from world: x and z fill the picture, the height does not matter."""
    matrix = np.zeros((4, 4))
    matrix[0, 0], matrix[0, 3] = 1 / half, -x / half
    matrix[1, 2], matrix[1, 3] = 1 / half, -z / half
    matrix[3, 3] = 1.0
    return matrix

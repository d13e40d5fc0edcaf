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

SIDE = 160  # [px] of the picture
AIR = 0.45  # [m] around what is drawn, room for the blur
NEAR, FAR = 0.004, 0.02  # [m] between the places whose mean is taken: farther apart, edges were in steps

_BLUR = (
    """
attribute vec2 corner;
varying vec2 at;
void main() {
    at = corner * 0.5 + 0.5;
    gl_Position = vec4(corner, 0.0, 1.0);
}
""",
    """
uniform sampler2D picture;
uniform vec2 near_step;
uniform vec2 far_step;
varying vec2 at;
void main() {
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (int i = -8; i <= 8; i++) {
        float weight = exp(-float(i * i) / 28.0);
        sum.x += weight * texture2D(picture, at + float(i) * near_step).x;
        sum.yzw += weight * texture2D(picture, at + float(i) * far_step).yzw;
        total += weight;
    }
    gl_FragColor = sum / total;
}
""",
)


class OverheadPicture:
    """The picture of some things; `square`: its centre x and z and half of its side [m], none where there is none."""

    def __init__(self) -> None:
        self._blur, self._quad = Program(*_BLUR), quad()
        self._targets = [RenderTarget(SIDE, SIDE, depth=False, smooth=True) for _ in range(2)]
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
        first, second = self._targets
        near, far = NEAR / self.square[2], FAR / self.square[2]
        for source, target, across, up in ((first, second, 1.0, 0.0), (second, first, 0.0, 1.0)):
            draw_into(target.handle, 0, 0, SIDE, SIDE)
            self._blur.use(
                picture=source.texture, near_step=(near * across, near * up), far_step=(far * across, far * up)
            )
            self._blur.draw(self._quad, mode="triangle_strip")


def _from_above(x: float, z: float, half: float) -> NDArray[np.float64]:
    """Return clip from world: x and z fill the picture, the height does not matter."""
    matrix = np.zeros((4, 4))
    matrix[0, 0], matrix[0, 3] = 1 / half, -x / half
    matrix[1, 2], matrix[1, 3] = 1 / half, -z / half
    matrix[3, 3] = 1.0
    return matrix

"""Shadow: darkens the floor where bodies keep the sky's light from it, sharper where they touch it.

Bodies are drawn from above into a small picture, once for a pose and not once for a view: red holds how near to the
floor they are, green that they are there at all. The picture is blurred, red a little and green much, and laid on the
floor as one quad in each view.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.scene.camera import Bounds
from app.scene.gl import Program, RenderTarget, clear, draw_into, mode, quad
from app.scene.look import Look, rgb
from app.scene.visuals.clay import ClayVisual
from app.scene.visuals.eye import Eye
from app.scene.visuals.form import Form
from app.scene.visuals.table import BodyTable

SIDE = 160  # [px] of the picture
AIR = 0.45  # [m] around the bodies, room for the blur
POOL = 2.4  # [m] radius of the light on the floor, at least
LEVEL = 1e-3  # [m] how far an eye must be off the floor's plane to see the shadow

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
    vec2 sum = vec2(0.0);
    float total = 0.0;
    for (int i = -4; i <= 4; i++) {
        float weight = exp(-float(i * i) / 7.0);
        sum.x += weight * texture2D(picture, at + float(i) * near_step).x;
        sum.y += weight * texture2D(picture, at + float(i) * far_step).y;
        total += weight;
    }
    gl_FragColor = vec4(sum / total, 0.0, 1.0);
}
""",
)

_LAY = (
    """
uniform mat4 clip_from_world;
uniform vec4 square;
attribute vec2 corner;
varying vec2 at;
varying vec2 spot;
void main() {
    at = corner * square.w / square.z * 0.5 + 0.5;
    spot = corner;
    gl_Position = clip_from_world * vec4(square.x + corner.x * square.w, 0.0, square.y + corner.y * square.w, 1.0);
}
""",
    """
uniform sampler2D picture;
uniform float strength;
uniform vec3 pool;
varying vec2 at;
varying vec2 spot;
void main() {
    vec2 cover = texture2D(picture, at).xy;
    float dark = strength * (1.0 - (1.0 - cover.x) * (1.0 - 0.75 * cover.y));
    float near = max(1.0 - dot(spot, spot), 0.0);
    gl_FragColor = vec4(pool * near * near * (1.0 - dark), dark);
}
""",
)


class ShadowVisual:
    """The shadow of some forms."""

    def __init__(self) -> None:
        self._blur, self._lay = Program(*_BLUR), Program(*_LAY)
        self._quad = quad()
        self._targets = [RenderTarget(SIDE, SIDE, depth=False, smooth=True) for _ in range(2)]
        self._square: tuple[float, float, float] | None = None  # centre x, z and half side [m]

    def cast(self, clay: ClayVisual, forms: Iterable[Form], table: BodyTable, bounds: Bounds | None) -> None:
        """Draw the picture anew for the pose that forms and table hold."""
        self._square = None
        if bounds is None:
            return
        half = max(bounds.upper[0] - bounds.lower[0], bounds.upper[2] - bounds.lower[2]) / 2 + AIR
        x, _, z = bounds.centre
        self._square = (x, z, half)
        first, second = self._targets
        draw_into(first.handle, 0, 0, SIDE, SIDE)
        clear((0.0, 0.0, 0.0, 1.0), depth=False)
        for form in forms:
            clay.draw_cover(form, table, _from_above(x, z, half))
        mode()
        near, far = 0.008 / half, 0.04 / half
        for source, target, across, up in ((first, second, 1.0, 0.0), (second, first, 0.0, 1.0)):
            draw_into(target.handle, 0, 0, SIDE, SIDE)
            self._blur.use(
                picture=source.texture, near_step=(near * across, near * up), far_step=(far * across, far * up)
            )
            self._blur.draw(self._quad, mode="triangle_strip")

    def draw(self, eye: Eye, look: Look) -> None:
        """Lay the picture on the floor, for an eye above it."""
        if self._square is None or eye.place[1] <= LEVEL:
            return
        mode(blend="over")
        x, z, half = self._square
        light = tuple(look.pool_strength * channel for channel in rgb(look.sky_light))
        self._lay.use(
            clip_from_world=eye.matrix,
            square=(x, z, half, max(half, POOL)),
            strength=look.shadow_strength,
            pool=light,
            picture=self._targets[0].texture,
        )
        self._lay.draw(self._quad, mode="triangle_strip")


def _from_above(x: float, z: float, half: float) -> np.typing.NDArray[np.float64]:
    """Return clip from world: x and z fill the picture, the height does not matter."""
    matrix = np.zeros((4, 4))
    matrix[0, 0], matrix[0, 3] = 1 / half, -x / half
    matrix[1, 2], matrix[1, 3] = 1 / half, -z / half
    matrix[3, 3] = 1.0
    return matrix

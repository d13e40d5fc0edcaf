"""Shadow: darkens the floor where bodies keep the sky's light from it, sharper where they touch it.

Bodies are drawn from above into a small picture, once for a pose and not once for a view: red holds how near to the
floor they are, green that they are there at all. The picture is blurred, red a little and green much, and laid on the
floor as one quad in each view.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from app.scene.camera import Bounds
from app.scene.gl import Program, Texture, mode, quad
from app.scene.look import Look, rgb
from app.scene.visuals.clay import ClayVisual
from app.scene.visuals.eye import Eye
from app.scene.visuals.form import Form
from app.scene.visuals.overhead import OverheadPicture
from app.scene.visuals.shading import GRAIN, QUICK, SOFT
from app.scene.visuals.table import BodyTable
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene.visuals.shade import Shade

POOL = 2.4  # [m] radius of the light on the floor, at least
KEY_SHARE = 0.8  # of the shadow's strength, that the key's has
ALONE, BESIDE_KEY = (1.0, 0.75), (1.0, 0.45)  # weights of what is near the floor, and of what is above it
LEVEL = 1e-3  # [m] how far an eye must be off the floor's plane to see the shadow

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
uniform vec2 weights;
uniform vec3 pool;
varying vec2 at;
varying vec2 spot;
void main() {
    vec2 cover = texture2D(picture, at).xy;
    float dark = strength * (1.0 - (1.0 - weights.x * cover.x) * (1.0 - weights.y * cover.y));
    float near = max(1.0 - dot(spot, spot), 0.0);
    gl_FragColor = vec4(pool * near * near * (1.0 - dark), dark);
}
""",
)
_UNDER_KEY = (
    """
uniform mat4 clip_from_world;
uniform vec3 middle;
uniform vec4 sides;
attribute vec2 corner;
varying vec2 place;
void main() {
    place = middle.xz + corner.x * sides.xy + corner.y * sides.zw;
    gl_Position = clip_from_world * vec4(place.x, 0.0, place.y, 1.0);
}
""",
    """
uniform float shade_reach;
uniform float shade_strength;
varying vec2 place;
void main() {
    float open = open_key(vec3(place.x, 0.0, place.y), grain_here(), 0.006, shade_reach);
    gl_FragColor = vec4(0.0, 0.0, 0.0, shade_strength * (1.0 - open));
}
""",
)


@dataclass(frozen=True)
class Overhang:
    """Picture of what is over a place, from above; blue, in shares of its alpha, is how high the highest reaches."""

    texture: Texture
    square: tuple[float, float, float]  # centre x, z and half side [m]
    heights: tuple[float, float]  # [m] where blue is 0, and by how much higher 1 is


class ShadowVisual:
    """The shadow of some forms."""

    def __init__(self) -> None:
        self._lay, self._quad = Program(*_LAY), quad()
        self._under_key = cache(lambda shading: Program(_UNDER_KEY[0], GRAIN + shading + _UNDER_KEY[1]))
        self._picture = OverheadPicture()
        self._heights = (0.0, 1.0)

    def cast(self, clay: ClayVisual, forms: Iterable[Form], table: BodyTable, bounds: Bounds | None) -> None:
        """Draw the picture anew for the pose that forms and table hold."""
        self._picture.square = None
        if bounds is None:
            return
        low, high = bounds.lower[1], bounds.upper[1]
        self._heights = low, max(high - low, 1e-3)
        matrix = self._picture.begin(bounds)
        for form in forms:
            clay.draw_cover(form, table, matrix, self._heights)
        self._picture.finish()

    @property
    def overhang(self) -> Overhang | None:
        """Give what is above others; None where nothing is."""
        square = self._picture.square
        return None if square is None else Overhang(self._picture.texture, square, self._heights)

    def draw(self, eye: Eye, look: Look) -> None:
        """Lay the picture on the floor, for an eye above it."""
        if self._picture.square is None or eye.place[1] <= LEVEL:
            return
        mode(blend="over")
        x, z, half = self._picture.square
        light = tuple(look.pool_strength * channel for channel in rgb(look.sky_light))
        self._lay.use(
            clip_from_world=eye.matrix,
            square=(x, z, half, max(half, POOL)),
            strength=look.shadow_strength,
            weights=ALONE if eye.shade is None else BESIDE_KEY,
            pool=light,
            picture=self._picture.texture,
        )
        self._lay.draw(self._quad, mode="triangle_strip")
        if eye.shade is not None and eye.shade.key.on_floor is not None:
            self._draw_under_key(eye, look, eye.shade)

    def _draw_under_key(self, eye: Eye, look: Look, shade: Shade) -> None:
        """Lay the shadow that the key casts on the floor."""
        key, program = shade.key, self._under_key(QUICK if shade.quick else SOFT)
        assert key.on_floor is not None, "asked before"
        middle, across, along = key.on_floor
        program.use(
            **shade.of_floor(eye), clip_from_world=eye.matrix, middle=middle,
            sides=(across[0], across[2], along[0], along[2]),
            shade_reach=key.reach, shade_strength=KEY_SHARE * look.shadow_strength * key.strength,
        )  # fmt: skip
        program.draw(self._quad, mode="triangle_strip")

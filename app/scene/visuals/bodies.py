"""Bodies: the clay mannequin, its selection outline, and its picture in body numbers for picking.

Light is a warm key from above the eye's left shoulder, a hemisphere of cool sky over warm ground, and a soft rim.
Colours are squared before and rooted after lighting, close enough to sRGB and cheap.
"""

from __future__ import annotations

import numpy as np

from app.scene.camera import Array
from app.scene.gl import Indices, Program, mode
from app.scene.look import Look, luminance, rgb
from app.scene.visuals.batch import PLACE, Batch
from app.scene.visuals.eye import Eye

# [m] by which an outline stands back, so that it does not cut through a body that touches the outlined one.
BEHIND = 0.012

_LIT = (
    PLACE
    + """
attribute float tone;
varying vec3 world_normal;
varying vec3 world_point;
varying vec2 tint;
void main() {
    find_body();
    world_point = placed(position);
    world_normal = turned(normal);
    tint = vec2(flags.x, tone * tone);
    gl_Position = flags.y > 0.5 ? clip_from_world * vec4(world_point, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
""",
    """
uniform vec4 eye;
uniform vec3 key_direction;
uniform vec3 skin;
uniform vec3 accent;
uniform vec3 key_light;
uniform vec3 sky_light;
uniform vec3 ground_light;
uniform float opacity;
uniform float ambient;
varying vec3 world_normal;
varying vec3 world_point;
varying vec2 tint;
void main() {
    vec3 n = normalize(world_normal);
    vec3 v = normalize(eye.xyz - eye.w * world_point);
    float lit = clamp((dot(n, key_direction) + 0.3) / 1.3, 0.0, 1.0);
    float upward = 0.5 + 0.5 * n.y;
    float edge = 1.0 - clamp(dot(n, v), 0.0, 1.0);
    vec3 light = key_light * (1.05 * lit * lit) + mix(ground_light, sky_light, upward) * ambient;
    light += sky_light * (0.7 * edge * edge * edge * upward);
    vec3 clay = mix(skin, accent, 0.26 * tint.x) * tint.y;
    gl_FragColor = vec4(sqrt(clay * light) * opacity, opacity);
}
""",
)

_HULL = (
    PLACE
    + """
uniform vec2 width;
uniform vec4 eye;
uniform float behind;
void main() {
    find_body();
    vec3 point = placed(position);
    vec3 towards_eye = normalize(eye.xyz - eye.w * point);
    vec4 at = clip_from_world * vec4(point - behind * towards_eye, 1.0);
    vec2 side = (clip_from_world * vec4(turned(outward), 0.0)).xy / width;
    at.xy += normalize(side + vec2(1e-12)) * width * at.w;
    gl_Position = flags.y > 0.5 ? at : vec4(2.0, 2.0, 2.0, 1.0);
}
""",
    "uniform vec3 colour; void main() { gl_FragColor = vec4(colour, 1.0); }",
)

_NUMBERS = (
    PLACE
    + """
uniform float first;
varying float number;
void main() {
    find_body();
    number = body + first;
    gl_Position = flags.y > 0.5 ? clip_from_world * vec4(placed(position), 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
""",
    """
varying float number;
void main() {
    float n = floor(number + 0.5);
    gl_FragColor = vec4(mod(n, 256.0), mod(floor(n / 256.0), 256.0), floor(n / 65536.0), 255.0) / 255.0;
}
""",
)


class BodiesVisual:
    """Draws batches."""

    def __init__(self) -> None:
        self._lit, self._hull, self._numbers = Program(*_LIT), Program(*_HULL), Program(*_NUMBERS)

    def draw(self, batch: Batch, eye: Eye, look: Look, opacity: float = 1.0) -> None:
        """The bodies in their light."""
        right, up, back = eye.camera.axes
        key = -0.45 * right + 0.62 * up + 0.64 * back
        mode(depth=True, write_depth=True, blend="over" if opacity < 1 else None, cull="back")
        self._lit.use(
            clip_from_world=eye.matrix,
            eye=eye.place,
            key_direction=key / np.linalg.norm(key),
            skin=_linear(look.skin),
            accent=_linear(look.accent),
            key_light=_linear(look.key_light),
            sky_light=_linear(look.sky_light),
            ground_light=_linear(look.ground_light),
            opacity=opacity,
            # Bright surroundings send more light back.
            ambient=0.32 + 0.3 * luminance(look.view_bottom),
        )
        batch.draw(self._lit)

    def draw_outline(self, batch: Batch, part: Indices, eye: Eye, colour: str, width: float) -> None:
        """A hull about some bodies, `width` physical pixels wide, behind what it surrounds."""
        mode(depth=True, write_depth=True, cull="front")
        self._hull.use(
            clip_from_world=eye.matrix,
            eye=eye.place,
            behind=BEHIND,
            colour=rgb(colour),
            width=(2 * width / eye.size[0], 2 * width / eye.size[1]),
        )
        batch.draw(self._hull, part)

    def draw_numbers(self, batch: Batch, clip_from_world: Array, first: int) -> None:
        """Each body in its number plus `first` as a colour."""
        mode(depth=True, write_depth=True, cull="back")
        self._numbers.use(clip_from_world=clip_from_world, first=float(first))
        batch.draw(self._numbers)


def _linear(colour: str) -> tuple[float, float, float]:
    red, green, blue = rgb(colour)
    return red * red, green * green, blue * blue

"""Grid: thin lines on the floor, or in the picture plane where a view looks level along an axis.

Every line is a narrow quad that the vertex shader widens in pixels and smooths at its edges, so it is clean without
multisampling and costs only the pixels that it covers. Two sets of lines, the coarse one ten times the fine one,
follow the distance of the eye by powers of ten; both fade out around the point looked at.
"""

from __future__ import annotations

import math

import numpy as np

from app.scene.camera import Array
from app.scene.gl import Program, Vertices, mode
from app.scene.look import Look, rgb
from app.scene.panes import direction_name
from app.scene.visuals.eye import Eye

HALF_COUNT = 30  # lines to each side of the middle, in each set and direction

_VERTEX = """
uniform mat4 clip_from_world;
uniform vec3 origin;
uniform vec3 axis_u;
uniform vec3 axis_v;
uniform vec2 first_fine;
uniform vec2 first_coarse;
uniform float spacing;
uniform vec2 reach;
uniform vec2 centre;
uniform vec2 pixel;
uniform float thickness;
uniform vec3 strengths;
uniform float near;
uniform vec3 colour;
uniform vec3 colour_u;
uniform vec3 colour_v;
attribute vec4 line;
attribute float side;
varying vec2 offset;
varying float across;
varying vec4 tint;
varying float range;

vec4 clip(vec2 at) { return clip_from_world * vec4(origin + at.x * axis_u + at.y * axis_v, 1.0); }

void main() {
    float coarse = line.z;
    vec2 first = coarse > 0.5 ? first_coarse : first_fine;
    float number = line.x + (line.w > 0.5 ? first.x : first.y);
    float step = coarse > 0.5 ? spacing * 10.0 : spacing;
    range = coarse > 0.5 ? reach.y : reach.x;
    float middle = line.w > 0.5 ? centre.y : centre.x;
    float here = middle + line.y * range;
    float there = middle - line.y * range;
    vec2 from = line.w > 0.5 ? vec2(number * step, here) : vec2(here, number * step);
    vec2 to = line.w > 0.5 ? vec2(number * step, there) : vec2(there, number * step);
    vec4 a = clip(from);
    vec4 b = clip(to);
    if (a.w < near && b.w > near) {
        float share = (near - a.w) / (b.w - a.w);
        a = mix(a, b, share);
        from = mix(from, to, share);
    } else if (b.w < near && a.w > near) {
        b = mix(b, a, (near - b.w) / (a.w - b.w));
    }
    vec2 along = (b.xy / b.w - a.xy / a.w) / pixel * line.y;
    vec2 beside = normalize(vec2(-along.y, along.x) + vec2(1e-9)) * pixel;
    a.xy += beside * side * (thickness * 0.5 + 0.5) * a.w;
    across = side * (thickness * 0.5 + 0.5);
    offset = from - centre;
    bool tenth = abs(mod(number + 0.5, 10.0) - 0.5) < 0.25;
    float strength = coarse > 0.5 ? (tenth ? strengths.z : strengths.y) : (tenth ? 0.0 : strengths.x);
    bool is_axis = coarse > 0.5 && abs(number) < 0.25;
    gl_Position = max(a.w, b.w) > near && strength > 0.01 ? a : vec4(2.0, 2.0, 2.0, 1.0);
    tint = vec4(is_axis ? (line.w > 0.5 ? colour_v : colour_u) : colour, is_axis ? 0.8 : strength);
}
"""

_FRAGMENT = """
uniform float thickness;
uniform float fading;
varying vec2 offset;
varying float across;
varying vec4 tint;
varying float range;
void main() {
    float far = clamp(1.0 - dot(offset, offset) / (range * range) * fading, 0.0, 1.0);
    float cover = clamp(thickness * 0.5 + 0.5 - abs(across), 0.0, 1.0);
    float alpha = tint.a * far * far * cover;
    gl_FragColor = vec4(tint.rgb * alpha, alpha);
}
"""


class GridVisual:
    """Draws the lines."""

    def __init__(self) -> None:
        self._program, self._lines = Program(_VERTEX, _FRAGMENT), Vertices(_lines(), (("line", 4), ("side", 1)))

    def draw(self, eye: Eye, look: Look) -> None:
        """Draw it behind everything in a level view along an axis, else as a floor."""
        camera = eye.camera
        level = camera.orthographic and direction_name(camera) in ("Front", "Back", "Left", "Right")
        axis_u, axis_v, tints = _plane(level, camera.axes[0], look)
        target = np.array(camera.target)
        centre = np.array([axis_u @ target, axis_v @ target])
        decades = math.log10(camera.distance / 2)
        part = decades - math.floor(decades)
        spacing = 10.0 ** (math.floor(decades) - 1)
        mode(blend="over")
        self._program.use(
            clip_from_world=eye.matrix,
            origin=(0.0, 0.0, 0.0),
            axis_u=axis_u,
            axis_v=axis_v,
            first_fine=np.round(centre / spacing),
            first_coarse=np.round(centre / spacing / 10),
            spacing=spacing,
            reach=(min(1.3 * camera.distance, HALF_COUNT * spacing), 2.2 * camera.distance),
            centre=centre,
            pixel=(2 / eye.size[0], 2 / eye.size[1]),
            thickness=eye.pixel_ratio,
            strengths=(0.20 * (1 - part) ** 1.5, 0.42 - 0.22 * part, 0.42),
            near=eye.near,
            colour=rgb(look.grid),
            colour_u=rgb(tints[0]),
            colour_v=rgb(tints[1]),
            fading=0.15 if camera.orthographic else 1.0,
        )
        self._program.draw(self._lines)


def _plane(level: bool, right: Array, look: Look) -> tuple[Array, Array, tuple[str, str]]:
    """Return two directions that span the grid, and the colours of the axes along them."""
    x, y, z = np.eye(3)
    if not level:
        return x, z, (look.axis_x, look.axis_z)
    return (x, y, (look.axis_x, look.axis_y)) if abs(right[0]) > 0.5 else (z, y, (look.axis_z, look.axis_y))


def _lines() -> np.typing.NDArray[np.float32]:
    """Return two triangles for each line: its number, end (-1 or 1), set (0 fine, 1 coarse), direction; and side (-1 or
    1)."""
    ends = ((-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1))
    rows = [
        (number, end, coarse, direction, side)
        for coarse in (0, 1)
        for direction in (0, 1)
        for number in range(-HALF_COUNT, HALF_COUNT + 1)
        for end, side in ends
    ]
    return np.array(rows, dtype=np.float32)

"""Lines: a figure as plain strokes between its joints, with a dot on each; as wide on the screen wherever they are.

Every stroke and every dot is a narrow quad that the vertex shader lays out in pixels, one draw call for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from app.scene.camera import Array, Camera
from app.scene.gl import Program, Vertices, mode
from app.scene.look import Look, rgb
from app.scene.visuals.bones import FIND_ENDS, Floats, ball_radii, ends_of, meet_bones
from app.scene.visuals.eye import Eye
from app.scene.visuals.form import GLOBALS
from app.scene.visuals.table import BodyTable
from engine.model import Bodies

FIELDS = (("start", 1), ("end", 1), ("point", 3), ("corner", 2), ("radius", 1))
STROKE, SMALL_DOT, DOT = 1.0, 1.7, 3.4  # [logical px] half width of a stroke; least and greatest radius of a dot

_VERTEX = (
    GLOBALS
    + FIND_ENDS
    + """
uniform vec2 pixel;
uniform float stroke;
uniform vec2 dots;
uniform vec3 up;
uniform float near;
attribute vec2 corner;
attribute float radius;
varying vec2 place;
varying float half_width;
varying vec4 state;
varying vec3 number;
void main() {
    find_ends();
    vec4 a = clip_from_world * vec4(head, 1.0);
    vec4 b = clip_from_world * vec4(tail, 1.0);
    if (a.w < near && b.w > near) a = mix(a, b, (near - a.w) / (b.w - a.w));
    else if (b.w < near && a.w > near) b = mix(b, a, (near - b.w) / (a.w - b.w));
    bool is_dot = radius > 0.0;
    float seen = length((clip_from_world * vec4(up * radius, 0.0)).xy / a.w / pixel);
    half_width = is_dot ? clamp(seen, dots.x, dots.y) : stroke;
    vec2 along = is_dot ? vec2(1.0, 0.0) : normalize((b.xy / b.w - a.xy / a.w) / pixel + vec2(1e-9));
    vec2 beside = vec2(-along.y, along.x);
    vec4 here = corner.x > 0.0 && !is_dot ? b : a;
    float reach = half_width + 1.0;
    here.xy += (beside * corner.y + (is_dot ? along * corner.x : vec2(0.0))) * reach * pixel * here.w;
    place = vec2(is_dot ? corner.x * reach : 0.0, corner.y * reach);
    float n = floor(start + 1.5);
    number = vec3(mod(n, 256.0), mod(floor(n / 256.0), 256.0), floor(n / 65536.0)) / 255.0;
    state = flags;
    gl_Position = flags.y > 0.5 && min(a.w, b.w) > 0.0 ? here : vec4(2.0, 2.0, 2.0, 1.0);
}
"""
)

_FRAGMENT = """
uniform vec3 plain;
uniform vec3 accent;
uniform vec3 hover;
uniform float opacity;
uniform float coded;
varying vec2 place;
varying float half_width;
varying vec4 state;
varying vec3 number;
void main() {
    float cover = clamp(half_width + 0.5 - length(place), 0.0, 1.0);
    if (cover < 0.02 || (coded > 0.5 && state.w > 0.5)) discard;
    vec3 colour = state.x > 0.5 ? accent : (state.z > 0.5 ? hover : plain);
    float alpha = cover * opacity;
    gl_FragColor = coded > 0.5 ? vec4(number, 1.0) : vec4(colour * alpha, alpha);
}
"""


class Lines:
    """The strokes and dots of some items, each with the number of its first body."""

    def __init__(self, items: Sequence[tuple[Bodies, int]]) -> None:
        self._ends = np.concatenate([ends_of(item.skeleton, first) for item, first in items])
        joints = np.concatenate([np.arange(len(item.parts)) + first for item, first in items])
        dots = np.zeros((len(joints), 5), dtype=np.float32)
        dots[:, 0] = dots[:, 1] = joints
        radii = np.concatenate([ball_radii(item) for item, _ in items])
        strokes = _quads(self._ends, np.zeros(len(self._ends), dtype=np.float32))
        self._vertices = Vertices(np.concatenate((strokes, _quads(dots, radii))), FIELDS)

    def draw(self, program: Program) -> None:
        """Draw all with a program that is in use."""
        program.draw(self._vertices)

    def hit(self, table: BodyTable, code: int, origin: Array, direction: Array) -> tuple[int, float]:
        """Return where the ray comes nearest to one of the body's strokes."""
        return code, meet_bones(table, self._ends, code, origin, direction)


class LinesVisual:
    """Draws lines."""

    _program = cached_property(lambda _: Program(_VERTEX, _FRAGMENT))  # made when something is first drawn

    def draw(self, lines: Lines, table: BodyTable, eye: Eye, look: Look, hover: str, opacity: float = 1.0) -> None:
        """Draw the strokes, the selected ones in the accent."""
        mode(depth=True, blend="over")  # no depth: the soft edge of one would cut into the next
        self._use(eye.matrix, eye.camera, eye.size, eye.near, eye.pixel_ratio)
        self._program.use(plain=rgb(look.skin), accent=rgb(look.accent), hover=rgb(hover), opacity=opacity, coded=0.0)
        table.use(self._program)
        lines.draw(self._program)

    def draw_codes(
        self, lines: Lines, table: BodyTable, clip_from_world: Array, camera: Camera, size: tuple[int, int]
    ) -> None:
        """Draw each body's strokes in its number plus 1 as a colour."""
        mode(depth=True, write_depth=True)
        self._use(clip_from_world, camera, size, 1e-6, 1.0)
        self._program.use(coded=1.0)
        table.use(self._program)
        lines.draw(self._program)

    def _use(self, matrix: Array, camera: Camera, size: tuple[int, int], near: float, ratio: float) -> None:
        self._program.use(
            clip_from_world=matrix,
            pixel=(2 / size[0], 2 / size[1]),
            up=camera.axes[1],
            near=near,
            stroke=STROKE * ratio,
            dots=(SMALL_DOT * ratio, DOT * ratio),
        )


def _quads(ends: Floats, radii: Floats) -> Floats:
    """Return two triangles for each row of ends: the corners are (-1 or 1 along, -1 or 1 beside)."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)], dtype=np.float32)
    rows = np.empty((len(ends), 6, 8), dtype=np.float32)
    rows[:, :, :5], rows[:, :, 5:7], rows[:, :, 7] = ends[:, None], corners, radii[:, None]
    return rows.reshape(-1, 8)

"""Drops: ellipsoids of water in the air, each met exactly by the ray of a pixel; the whiter, the more air is in them.

A rectangle that faces the eye stands for each. Where a pixel's ray meets the ellipsoid |B (x - middle)| = 1, B the
inverse of the matrix that makes the unit ball the drop, are its depth and its normal. What is smaller than a pixel is
drawn as large as one, and as much fainter, so that it does not flicker.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.scene.gl import Indices, Program, Texture, Vertices, mode
from app.scene.look import Look
from app.scene.visuals.eye import Eye
from engine.model import LiquidSurface

MOST = 50_000  # of one picture
_LEAST = 0.6  # [px] half of the smallest side

_VERTEX = """
uniform mat4 clip_from_world;
uniform vec3 right;
uniform vec3 up;
uniform vec2 size;
uniform float least;
attribute vec4 drop;
attribute vec3 first;
attribute vec3 second;
attribute vec2 corner;
varying vec3 middle;
varying vec3 place;
varying vec3 row_x;
varying vec3 row_y;
varying vec3 row_z;
varying float white;
varying float seen;
void main() {
    vec3 a = first;
    vec3 b = vec3(first.y, second.x, second.y);
    vec3 c = vec3(first.z, second.y, second.z);
    float wide = length(vec3(dot(a, right), dot(b, right), dot(c, right)));
    float high = length(vec3(dot(a, up), dot(b, up), dot(c, up)));
    vec4 at = clip_from_world * vec4(drop.xyz, 1.0);
    float scale = length((clip_from_world * vec4(up, 0.0)).xy * size) * 0.5 / max(at.w, 1e-6);
    float grow = max(least / max(scale * min(wide, high), 1e-6), 1.0);
    float volume = max(dot(a, cross(b, c)), 1e-18) * grow;
    row_x = cross(b, c) / volume;
    row_y = cross(c, a) / volume;
    row_z = cross(a, b) / volume;
    middle = drop.xyz;
    place = drop.xyz + 1.1 * grow * (corner.x * wide * right + corner.y * high * up);
    white = drop.w;
    seen = 1.0 / (grow * grow);
    gl_Position = clip_from_world * vec4(place, 1.0);
}
"""
_FRAGMENT = """
uniform mat4 clip_from_world;
uniform vec4 eye;
uniform vec3 key_direction;
uniform vec3 key_light;
uniform vec3 sky;
uniform vec3 ground;
uniform float ambient;
varying vec3 middle;
varying vec3 place;
varying vec3 row_x;
varying vec3 row_y;
varying vec3 row_z;
varying float white;
varying float seen;
vec3 inside(vec3 way) { return vec3(dot(row_x, way), dot(row_y, way), dot(row_z, way)); }
void main() {
    vec3 v = normalize(eye.xyz - eye.w * place);
    vec3 q = inside(place - middle);
    vec3 e = inside(-v);
    float along = dot(q, e);
    float square = dot(e, e);
    float under = along * along - square * (dot(q, q) - 1.0);
    if (under < 0.0) discard;
    float far = (-along - sqrt(under)) / square;
    vec3 n = normalize(inside(q + far * e));
    vec4 at = clip_from_world * vec4(place - far * v, 1.0);
    gl_FragDepth = at.z / at.w * 0.5 + 0.5;
    float facing = clamp(dot(n, v), 0.0, 1.0);
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    vec3 back = reflect(-v, n);
    vec3 mirrored = mix(ground, sky, smoothstep(-0.35, 0.75, back.y)) * ambient;
    float glint = pow(clamp(dot(n, normalize(key_direction + v)), 0.0, 1.0), 90.0);
    float lit = 0.5 + 0.5 * n.y;
    vec3 froth = (sky * (0.75 + 0.45 * lit) + key_light * 0.35 * clamp(dot(n, key_direction), 0.0, 1.0)) * ambient;
    float clear = 0.22 + 0.78 * fresnel;
    float cover = mix(clear, 0.95, white) * seen;
    vec3 colour = mix(mirrored, froth, white) + key_light * (0.8 * glint);
    gl_FragColor = vec4(sqrt(colour) * cover, cover);
}
"""
_BEHIND = "uniform sampler2D before; uniform vec4 along; uniform vec2 size;" + _FRAGMENT.replace(
    "void main() {\n",
    "void main() {\n    if (dot(middle, along.xyz) + along.w < texture2D(before, gl_FragCoord.xy / size).x) discard;\n",
)
_FIELDS = (("drop", 4), ("first", 3), ("second", 3), ("corner", 2))
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=np.float32)
_QUAD = np.array([0, 1, 2, 0, 2, 3], dtype=np.uint32)


class DropsVisual:
    """Draws the drops of liquids."""

    def __init__(self) -> None:
        self._programs: tuple[Program, Program] | None = None  # made when the first is drawn
        self._drops: tuple[Vertices, Indices] | None = None

    @property
    def is_seen(self) -> bool:
        """True if there is one."""
        return self._drops is not None

    def show(self, items: Sequence[LiquidSurface]) -> None:
        """Take over those of a picture."""
        self._drops = _drops_of(items)

    def draw(
        self,
        eye: Eye,
        look: Look,
        light: dict[str, tuple[float, float, float] | float],
        *,
        before: Texture | None = None,
    ) -> None:
        """Draw all in the light of the liquids; or those alone that are farther along the view than a picture says."""
        if self._drops is None:
            return
        if self._programs is None:
            self._programs = Program(_VERTEX, _FRAGMENT), Program(_VERTEX, _BEHIND)
        program = self._programs[0 if before is None else 1]
        right, up, _ = eye.camera.axes
        mode(depth=True, write_depth=True, blend="over")
        program.use(
            clip_from_world=eye.matrix, eye=eye.place, right=right.tolist(), up=up.tolist(), size=eye.size,
            least=_LEAST, **light,
        )  # fmt: skip
        if before is not None:
            program.use(before=before, along=eye.along)
        program.draw(*self._drops)


def _drops_of(items: Sequence[LiquidSurface]) -> tuple[Vertices, Indices] | None:
    rows = [each.drops for each in items if len(each.drops)]
    if not rows:
        return None
    drops = np.concatenate(rows)[:MOST]
    corners = np.empty((len(drops), 4, 12), dtype=np.float32)
    corners[:, :, :3], corners[:, :, 3] = drops[:, None, :3], drops[:, None, 9]
    corners[:, :, 4:10], corners[:, :, 10:] = drops[:, None, 3:9], _CORNERS
    first = np.arange(0, 4 * len(drops), 4, dtype=np.uint32)
    return Vertices(corners.reshape(-1, 12), _FIELDS), Indices((first[:, None] + _QUAD).ravel())
